// SPDX-License-Identifier: Apache-2.0

#include "io/scenario/scenario_joint_list.h"

#include "scenario_bench.h"

// Joint 0 of the robot turns, joint 1 slides.
static void check_chosen(const char *text, int joint, bool slides)
{
    scenario_bench            b = bench_open(ATEMI_BASE_FLOATING, text);
    atemi_scenario_joint_list list;
    atemi_scenario_choose_joints(b.reader, "joints", b.model, &list);
    bench_check(&b);
    CHECK_EQUAL_INT(list.count, 1);
    CHECK_EQUAL_INT(list.joints[0], joint);
    CHECK(list.slides == slides);
    atemi_scenario_joint_list_destroy(&list);
    bench_close(&b);
}

TEST(scenario_joint_list, has_joints_of_one_kind_and_all_are_those_that_turn)
{
    check_chosen("{}\n", 0, false);
    check_chosen("joints: all\n", 0, false);
    check_chosen("joints: slider\n", 1, true);
    check_chosen("joints: [shoulder]\n", 0, false);
}

static void check_refused(const char *text, const char *words, int column)
{
    scenario_bench            b = bench_open(ATEMI_BASE_FLOATING, text);
    atemi_scenario_joint_list list;
    atemi_scenario_choose_joints(b.reader, "joints", b.model, &list);
    bench_refuses(&b, words, 1, column);
    atemi_scenario_joint_list_destroy(&list);
    bench_close(&b);
}

TEST(scenario_joint_list, refuses_two_kinds_doubles_and_strangers)
{
    check_refused("joints: [shoulder, slider]\n", "'slider' is prismatic", 20);
    check_refused("joints: [shoulder, shoulder]\n", "appears twice", 20);
    check_refused("joints: [sholder]\n", "did you mean 'shoulder'?", 10);
}

// Numbers arrive where the joint has its coordinate: behind the seven of a floating base in q, and
// behind its six in v.
TEST(scenario_joint_list, puts_numbers_where_their_joints_are)
{
    scenario_bench b =
        bench_open(ATEMI_BASE_FLOATING, "angles: {shoulder: 45 deg}\nlengths: {slider: 20 cm}\n"
                                        "rates: 3\n");
    double q[9] = {0.0}, v[8] = {0.0};
    atemi_scenario_read_joint_positions(b.reader, "angles", (atemi_number_key){.unit = "rad"},
                                        false, b.model, q);
    atemi_scenario_read_joint_positions(b.reader, "lengths", (atemi_number_key){.unit = "m"}, true,
                                        b.model, q);
    atemi_scenario_read_joint_rates(b.reader, "rates", (atemi_number_key){.unit = "rad/s"}, false,
                                    b.model, v);
    bench_check(&b);
    for (int i = 0; i < 9; ++i) {
        CHECK_NEAR(q[i], i == 7 ? 0.25 * 3.14159265358979323846 : i == 8 ? 0.2 : 0.0, 1e-15);
    }
    for (int i = 0; i < 8; ++i) {
        CHECK_NEAR(v[i], i == 6 ? 3.0 : 0.0, 0.0);
    }
    bench_close(&b);
}
