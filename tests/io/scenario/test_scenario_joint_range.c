// SPDX-License-Identifier: Apache-2.0

#include "io/scenario/scenario_joint_range.h"

#include "scenario_bench.h"

#include <stdio.h>

// The shoulder has +-2 rad, the slider +-2 m. A position is checked at the key `x`.
static void check_position(scenario_bench *b, const char *joint, const char *text, double position)
{
    char file[64];
    snprintf(file, sizeof file, "x: %s\n", text);
    *b = bench_open(ATEMI_BASE_FLOATING, file);
    atemi_scenario_number(b->reader, "x",
                          (atemi_number_key){.unit = joint[1] == 'h' ? "rad" : "m"});
    atemi_scenario_check_joint(b->reader, atemi_scenario_last(b->reader), text,
                               atemi_model_joint(b->model, joint[1] == 'h' ? 0 : 1), position);
}

static int warnings_of(const scenario_bench *b)
{
    int count;
    (void)atemi_scenario_warnings(b->reader, &count);
    return count;
}

// Descriptions round their limits to some thousandths.
TEST(scenario_joint_range, takes_what_is_within_its_rounding)
{
    scenario_bench b;
    check_position(&b, "shoulder", "2.0005", 2.0005);
    bench_check(&b);
    CHECK_EQUAL_INT(warnings_of(&b), 0);
    bench_close(&b);
}

TEST(scenario_joint_range, warns_within_a_turn_and_refuses_beyond)
{
    scenario_bench b;
    check_position(&b, "shoulder", "2.5", 2.5);
    bench_check(&b);
    bench_warns(&b, "2.5 rad is outside the range of the joint 'shoulder', -2 to 2 rad");
    bench_close(&b);
    check_position(&b, "shoulder", "200", 200.0);
    bench_refuses(&b,
                  "200 rad is far outside the range of the joint 'shoulder', -2 to 2 rad; give "
                  "a position within",
                  1, 4);
    bench_close(&b);
    check_position(&b, "slider", "3.1", 3.1);
    bench_refuses(&b, "far outside", 1, 4);
    bench_close(&b);
}

// 100 rad are not in range, 100 deg are; but nobody wrote degrees by mistake who wrote a unit.
TEST(scenario_joint_range, knows_degrees_that_lack_their_unit)
{
    scenario_bench b;
    check_position(&b, "shoulder", "100", 100.0);
    bench_refuses(&b, "; did you mean 100 deg?", 1, 4);
    bench_close(&b);
    check_position(&b, "shoulder", "100 rad", 100.0);
    bench_refuses(&b, "; give a position within", 1, 4);
    bench_close(&b);
}

static void check_search(double lower, double upper, bool warns, bool fails)
{
    scenario_bench     b = bench_open(ATEMI_BASE_FLOATING, "{}\n");
    atemi_error        error = {0};
    const atemi_joint *joint = atemi_model_joint(b.model, 0);
    atemi_scenario_check_joint_search(b.reader, atemi_scenario_last(b.reader), joint, lower, upper);
    CHECK((atemi_scenario_finish(b.reader, &error) != ATEMI_OK) == fails);
    CHECK_EQUAL_INT(warnings_of(&b), warns);
    bench_close(&b);
}

TEST(scenario_joint_range, of_a_search_must_meet_that_of_the_joint)
{
    check_search(-1.0, 1.0, false, false);
    check_search(-(double)INFINITY, (double)INFINITY, false, false);
    check_search(1.0, 3.0, true, false);
    check_search(3.0, 4.0, false, true);
}

TEST(scenario_joint_range, of_a_search_has_its_start)
{
    scenario_bench b = bench_open(ATEMI_BASE_FLOATING, "x: 1\n");
    atemi_scenario_number(b.reader, "x", (atemi_number_key){0});
    atemi_scenario_check_search(b.reader, atemi_scenario_last(b.reader), "m", 0.5, 0.0, 1.0);
    atemi_scenario_check_search(b.reader, atemi_scenario_last(b.reader), "m", 1.5, 0.0, 1.0);
    bench_refuses(&b, "the start 1.5 m is outside its own range, 0 to 1 m", 1, 4);
    bench_close(&b);
}
