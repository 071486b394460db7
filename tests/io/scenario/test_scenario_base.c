// SPDX-License-Identifier: Apache-2.0

#include "io/scenario/scenario_base.h"

#include "data.h"
#include "scenario_bench.h"

// A scenario speaks of the world, v of the base's own axes: what the kinematics make of q and v is
// what the scenario says.
TEST(scenario_base, is_where_and_moves_as_the_scenario_says)
{
    scenario_bench b = bench_open(ATEMI_BASE_FLOATING,
                                  "position: [1, 2, 3]\nrpy: [0.3, -0.4, 1.2]\n"
                                  "velocity: [0.5, -0.6, 0.7]\nangular_velocity: [1, 2, 3]\n");
    double         q[9] = {0.0}, v[8] = {0.0};
    atemi_scenario_read_base(b.reader, b.model, q, v);
    bench_check(&b);
    atemi_data *data = data_create(b.model);
    atemi_update_kinematics(data, q, v, NULL);
    const atemi_transform pose = atemi_link_pose(data, 0);
    const atemi_motion    moves = atemi_link_velocity(data, 0);
    const atemi_transform given = {atemi_mat3_from_rpy(0.3, -0.4, 1.2), {1.0, 2.0, 3.0}};
    const atemi_motion    wanted = {{0.5, -0.6, 0.7}, {1.0, 2.0, 3.0}};
    CHECK_NEAR(largest_pose_difference(&pose, &given), 0.0, 1e-14);
    CHECK_NEAR(largest_motion_difference(moves, wanted), 0.0, 1e-14);
    atemi_data_destroy(data);
    bench_close(&b);
}

static void check_refused(atemi_base base, const char *text, const char *words)
{
    scenario_bench b = bench_open(base, text);
    double         q[9] = {0.0}, v[8] = {0.0};
    atemi_scenario_read_base(b.reader, b.model, q, v);
    bench_refuses(&b, words, 1, (int)strcspn(text, "[") + 1);
    bench_close(&b);
}

TEST(scenario_base, does_not_leave_the_plane_that_it_is_bound_to)
{
    check_refused(ATEMI_BASE_PLANAR, "position: [1, 2, 3]\n", "only the first and second number");
    check_refused(ATEMI_BASE_PLANAR, "rpy: [0.1, 0, 0]\n", "only the third number");
    check_refused(ATEMI_BASE_SAGITTAL, "velocity: [0, 1, 0]\n", "only the first and third number");
    check_refused(ATEMI_BASE_SAGITTAL, "angular_velocity: [0, 0, 1]\n", "only the second number");
    check_refused(ATEMI_BASE_FIXED, "position: [1, 0, 0]\n", "no number");
}
