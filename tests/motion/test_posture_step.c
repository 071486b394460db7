// SPDX-License-Identifier: Apache-2.0

#include "motion/posture_step.h"

#include "posture_bench.h"

TEST(posture_step, stops_at_limits_and_comes_back)
{
    bench b;
    bench_begin_hrp2(&b);
    const atemi_joint *knee =
        atemi_model_joint(b.model, atemi_model_find_joint(b.model, "right_knee"));
    double q[TREE_MAX_Q], goal_q[TREE_MAX_Q];
    bool   moving[TREE_MAX_V] = {0};
    half_sitting(&b, q);
    memcpy(goal_q, q, sizeof q);
    moving[knee->first_v] = true;
    atemi_inverse_kinematics_options options = atemi_inverse_kinematics_options_default();
    options.moving = moving;

    goal_q[knee->first_q] = knee->limits.lower - 0.2;
    atemi_posture_goal goal = named_goal_at(&b, goal_q, "right_sole");
    CHECK_EQUAL_INT(solve(&b, &goal, 1, &options, q).outcome, ATEMI_POSTURE_NEAREST);
    CHECK(q[knee->first_q] == knee->limits.lower);

    goal_q[knee->first_q] = 0.9;
    goal = named_goal_at(&b, goal_q, "right_sole");
    CHECK_EQUAL_INT(solve(&b, &goal, 1, &options, q).outcome, ATEMI_POSTURE_REACHED);
    CHECK_NEAR(q[knee->first_q], 0.9, 1e-10);

    options.unlimited = true;
    goal_q[knee->first_q] = knee->limits.lower - 0.2;
    goal = named_goal_at(&b, goal_q, "right_sole");
    CHECK_EQUAL_INT(solve(&b, &goal, 1, &options, q).outcome, ATEMI_POSTURE_REACHED);
    CHECK_NEAR(q[knee->first_q], knee->limits.lower - 0.2, 1e-9);
    bench_end(&b);
}
