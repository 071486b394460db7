// SPDX-License-Identifier: Apache-2.0

#include "posture_bench.h"

static void move_target(atemi_posture_goal *goal, int axis, double h)
{
    const double along[3] = {axis % 3 == 0 ? h : 0.0, axis % 3 == 1 ? h : 0.0,
                             axis % 3 == 2 ? h : 0.0};
    const atemi_vec3 d = {along[0], along[1], along[2]};
    if (axis < 3) {
        goal->target.position = atemi_vec3_add(goal->target.position, d);
    } else {
        const atemi_mat3 turn = atemi_quaternion_matrix(atemi_quaternion_exp(d));
        goal->target.rotation = atemi_mat3_multiply(&turn, &goal->target.rotation);
    }
}

// Postures found for targets that moved by h, from the posture at hand: central differences, of
// second order in h.
TEST(posture_derivative, is_that_of_the_postures_that_are_found)
{
    bench b;
    bench_begin_hrp2(&b);
    const double  h = 1e-4;
    double        q[TREE_MAX_Q], ahead[TREE_MAX_Q], behind[TREE_MAX_Q], v[TREE_MAX_V];
    static double D[TREE_MAX_V * 6 * MAX_GOALS];
    half_sitting(&b, q);
    atemi_posture_goal goals[] = {named_goal_at(&b, q, "right_sole"),
                                  named_goal_at(&b, q, "left_sole"),
                                  named_goal_at(&b, q, "right_fist")};
    goals[2].weight[5] = 0.0;
    goals[2].weight[0] = 0.1;
    CHECK_EQUAL_INT(atemi_posture_derivative(b.model, q, goals, 3, NULL, b.scratch, D), 17);
    for (int column = 0; column < 18; ++column) {
        atemi_posture_goal moved[3];
        memcpy(moved, goals, sizeof goals);
        move_target(&moved[column / 6], column % 6, h);
        memcpy(ahead, q, sizeof q);
        CHECK_EQUAL_INT(solve(&b, moved, 3, NULL, ahead).outcome, ATEMI_POSTURE_REACHED);
        memcpy(moved, goals, sizeof goals);
        move_target(&moved[column / 6], column % 6, -h);
        memcpy(behind, q, sizeof q);
        CHECK_EQUAL_INT(solve(&b, moved, 3, NULL, behind).outcome, ATEMI_POSTURE_REACHED);
        atemi_configuration_difference(b.model, behind, ahead, v);
        for (int i = 0; i < b.n; ++i) {
            CHECK_NEAR(D[i * 18 + column], v[i] / (2.0 * h), 1e-5);
        }
    }
    bench_end(&b);
}
