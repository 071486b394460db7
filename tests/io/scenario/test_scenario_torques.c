// SPDX-License-Identifier: Apache-2.0

#include "io/scenario/scenario_torques.h"

#include "scenario_bench.h"

enum { N = 8 }; // v of the robot: 6 of the base, the shoulder, the slider

static atemi_scenario_torques read(scenario_bench *b, const char *text, const double *q)
{
    atemi_scenario_torques torques;
    *b = bench_open(ATEMI_BASE_FLOATING, text);
    atemi_scenario_read_torques(b->reader, b->model, q, &torques);
    bench_check(b);
    return torques;
}

// A servo holds where the joint starts, unless it has a target; what several say of one joint adds
// up.
TEST(scenario_torques, are_the_sum_of_what_acts_on_a_joint)
{
    static const double    q[] = {0, 0, 0, 0, 0, 0, 1, 0.4, 0.1}, v[N] = {[6] = 0.2, [7] = 3.0};
    const double           pi = 3.14159265358979323846, moved[] = {0, 0, 0, 0, 0, 0, 1, 0.5, 0.3};
    double                 tau[N] = {0.0}, stiffness[N] = {0.0}, damping[N] = {0.0};
    scenario_bench         b;
    atemi_scenario_torques torques =
        read(&b,
             "torques:\n"
             "  - {joints: shoulder, kind: constant, torque: 2}\n"
             "  - {joints: shoulder, kind: sinusoid, amplitude: 3, frequency: 0.5, offset: 1,"
             " phase: 30 deg}\n"
             "  - {joints: shoulder, kind: servo, stiffness: 100, damping: 10}\n"
             "  - {joints: slider, kind: servo, stiffness: 200, damping: 4, target: 0.2 m}\n",
             q);
    CHECK_EQUAL_INT(torques.count, 4);
    atemi_scenario_torques_add(&torques, 0.25, moved, v, tau);
    CHECK_NEAR(tau[6], 2.0 + 1.0 + 3.0 * sin(pi * 0.25 + pi / 6.0) - 100.0 * 0.1 - 10.0 * 0.2,
               1e-13);
    CHECK_NEAR(tau[7], -200.0 * 0.1 - 4.0 * 3.0, 1e-13);
    atemi_scenario_torques_add_stiffness(&torques, stiffness);
    atemi_scenario_torques_add_damping(&torques, damping);
    CHECK_NEAR(stiffness[6], 100.0, 0.0);
    CHECK_NEAR(stiffness[7], 200.0, 0.0);
    CHECK_NEAR(damping[6], 10.0, 0.0);
    CHECK_NEAR(damping[7], 4.0, 0.0);
    for (int i = 0; i < 6; ++i) {
        CHECK_NEAR(tau[i], 0.0, 0.0);
    }
    atemi_scenario_torques_destroy(&torques);
    bench_close(&b);
}

TEST(scenario_torques, refuse_a_target_far_beyond_the_joint)
{
    static const double    q[] = {0, 0, 0, 0, 0, 0, 1, 0, 0};
    atemi_scenario_torques torques;
    scenario_bench         b =
        bench_open(ATEMI_BASE_FLOATING,
                   "torques:\n  - {joints: shoulder, kind: servo, stiffness: 1, target: 90}\n");
    atemi_scenario_read_torques(b.reader, b.model, q, &torques);
    bench_refuses(&b, "did you mean 90 deg?", 2, 59);
    atemi_scenario_torques_destroy(&torques);
    bench_close(&b);
}
