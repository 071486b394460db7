// SPDX-License-Identifier: Apache-2.0

#include "io/scenario/scenario_forces.h"

#include "scenario_bench.h"

TEST(scenario_forces, beside_the_origin_of_a_link_have_a_moment_about_it)
{
    scenario_bench b =
        bench_open(ATEMI_BASE_FLOATING, "forces:\n  - {link: arm, force: [0, 0, 10], "
                                        "offset: [0.5, 0, 0], from: 1 s, until: 1500 ms}\n");
    atemi_scenario_forces forces;
    atemi_scenario_read_forces(b.reader, b.model, &forces);
    bench_check(&b);
    CHECK_EQUAL_INT(forces.count, 1);
    const atemi_timed_force *f = &forces.forces[0];
    CHECK_EQUAL_INT(f->link, atemi_model_find_link(b.model, "arm"));
    CHECK_NEAR(f->wrench.linear.z, 10.0, 0.0);
    CHECK_NEAR(f->wrench.angular.y, -5.0, 1e-15); // x times z is -y
    CHECK_NEAR(f->from, 1.0, 0.0);
    CHECK_NEAR(f->until, 1.5, 1e-15);
    atemi_scenario_forces_destroy(&forces);
    bench_close(&b);
}

TEST(scenario_forces, that_end_before_they_begin_are_refused)
{
    scenario_bench b =
        bench_open(ATEMI_BASE_FLOATING,
                   "forces:\n  - {link: arm, force: [0, 0, 1], from: 2,\n     until: 1}\n");
    atemi_scenario_forces forces;
    atemi_scenario_read_forces(b.reader, b.model, &forces);
    bench_refuses(&b, "1 s is not after from, 2 s; give a later time", 3, 13);
    atemi_scenario_forces_destroy(&forces);
    bench_close(&b);
}

TEST(scenario_forces, on_a_link_that_is_not_there_name_a_near_one)
{
    scenario_bench b =
        bench_open(ATEMI_BASE_FLOATING, "forces:\n  - {link: amr, force: [0, 0, 1]}\n");
    atemi_scenario_forces forces;
    atemi_scenario_read_forces(b.reader, b.model, &forces);
    bench_refuses(&b, "did you mean 'arm'?", 2, 12);
    atemi_scenario_forces_destroy(&forces);
    bench_close(&b);
}

// Of a run of 5 s.
static void check_warning(const char *times, const char *words)
{
    char text[200] = "forces:\n  - {link: arm, force: [0, 0, 1], ";
    strncat(text, times, sizeof text - strlen(text) - 1);
    strncat(text, "}\n", sizeof text - strlen(text) - 1);
    scenario_bench        b = bench_open(ATEMI_BASE_FLOATING, text);
    atemi_scenario_forces forces;
    atemi_scenario_read_forces(b.reader, b.model, &forces);
    atemi_scenario_check_forces(b.reader, &forces, 5.0);
    bench_check(&b);
    bench_warns(&b, words);
    atemi_scenario_forces_destroy(&forces);
    bench_close(&b);
}

TEST(scenario_forces, that_never_act_are_warned_of)
{
    check_warning("from: 6", "the force begins at 6 s, but the run ends at 5 s");
    check_warning("from: -2, until: -1", "the force ends at -1 s, before the run begins");
}
