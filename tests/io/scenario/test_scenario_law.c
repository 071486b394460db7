// SPDX-License-Identifier: Apache-2.0

#include "io/scenario/scenario_law.h"

#include "scenario_bench.h"

#include "atemi/surface.h"

// The force of a law that a text describes, at a depth and its rate.
static double force_of(const char *text, double depth, double rate)
{
    scenario_bench     b = bench_open(ATEMI_BASE_FIXED, text);
    atemi_scenario_law law;
    atemi_scenario_read_law(b.reader, &law);
    bench_check(&b);
    const double force = law.law.force(law.law.context, depth, rate);
    bench_close(&b);
    return force;
}

// The damper of compression_damper acts while it is pressed in; a surface never pulls.
TEST(scenario_law, is_the_one_that_it_names)
{
    static const char *const one_way = "{law: compression_damper, stiffness: 1000, damping: 50}";
    static const char *const both = "{law: kelvin_voigt, stiffness: 1000, damping: 50}";
    static const char *const round =
        "{law: hunt_crossley, hertz_stiffness: 1e6, dissipation: 0.2, exponent: 1.5}";
    CHECK_NEAR(force_of(one_way, 0.01, 0.1), 15.0, 1e-12);
    CHECK_NEAR(force_of(one_way, 0.01, -0.1), 10.0, 1e-12);
    CHECK_NEAR(force_of(both, 0.01, 0.1), 15.0, 1e-12);
    CHECK_NEAR(force_of(both, 0.01, -0.1), 5.0, 1e-12);
    CHECK_NEAR(force_of(both, 0.01, -1.0), 0.0, 0.0);
    CHECK_NEAR(force_of(round, 0.01, 0.0), 1000.0, 1e-9);
    CHECK_NEAR(force_of(round, 0.01, 2.0), 1000.0 * (1.0 + 1.5 * 0.2 * 2.0), 1e-9);
}

TEST(scenario_law, refuses_keys_of_another_one)
{
    scenario_bench     b = bench_open(ATEMI_BASE_FIXED, "law: hunt_crossley\nstiffness: 1000\n");
    atemi_scenario_law law;
    atemi_scenario_read_law(b.reader, &law);
    CHECK(!atemi_scenario_law_is_spring(&law));
    bench_refuses(&b, "stiffness", 2, 1);
    bench_close(&b);
}
