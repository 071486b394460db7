// SPDX-License-Identifier: Apache-2.0

#include "plan/motion/strike_self.h"

#include "strike_trial.h"

#include <math.h>

static void add_pair(atemi_strike_task *task, const char *first, const char *second)
{
    const int a = atemi_model_find_link(task->model, first);
    const int b = atemi_model_find_link(task->model, second);
    CHECK(a >= 0 && b >= 0);
    task->pairs[task->pair_count][0] = a < b ? a : b;
    task->pairs[task->pair_count++][1] = a < b ? b : a;
}

// By the finished motion, at every millisecond: the knots' motion is that to 1 mm, and so are the
// distances.
TEST(strike_self, is_how_far_links_are_apart_in_the_finished_motion)
{
    strike_trial        t;
    atemi_strike_motion motion;
    trial_open(&t);
    add_pair(t.rig.task, "right_thigh", "left_thigh");
    add_pair(t.rig.task, "right_forearm", "waist");
    trial_evaluate(&t);
    atemi_strike_plan *plan = rig_evaluate(&t.rig, t.x);
    CHECK_STATUS(atemi_strike_motion_make(plan, 1e-3, &motion, NULL), ATEMI_OK);
    const strike_setup *s = &t.problem.setup;
    int                 seen = 0;
    for (int i = 0; i < t.problem.constraints.count; ++i) {
        const atemi_strike_constraint *c = &t.problem.constraints.list[i].about;
        double                         least = INFINITY;
        if (c->kind != ATEMI_CONSTRAIN_SELF) {
            continue;
        }
        const int pair =
            c->index == t.rig.task->pairs[0][0] && c->other == t.rig.task->pairs[0][1] ? 0 : 1;
        const strike_self_pair of = strike_self_pair_of(s, pair);
        for (int k = 0; k < motion.count; ++k) {
            if ((k <= motion.touch) == (c->phase == ATEMI_PHASE_BEFORE) || k == motion.touch) {
                atemi_kinematics_update(s->model, motion.q + (size_t)k * (size_t)motion.q_count,
                                        NULL, NULL, &t.work.kinematics);
                for (int j = 0; j < of.capsules; ++j) {
                    least = fmin(least, strike_self_gap(s, &of, j, &t.work.kinematics).distance);
                }
            }
        }
        CHECK_NEAR(t.result.constraints[i], least, 1e-3);
        ++seen;
    }
    CHECK_EQUAL_INT(seen, 4);
    atemi_strike_motion_destroy(&motion);
    atemi_strike_plan_destroy(plan);
    trial_close(&t);
}

// The right hip's link goes no nearer to the left one's; between other links there is a limit that
// the planned punch would exceed, and that the plan then keeps.
TEST(strike_self, is_kept_by_plans)
{
    strike_rig           rig;
    atemi_strike_options options = atemi_strike_options_default();
    atemi_strike_plan   *free_plan, *plan;
    int                  pairs[ATEMI_STRIKE_MAX_PAIRS][2];
    options.starts = 1;
    options.patience = 0;
    rig_open(&rig);
    CHECK_STATUS(atemi_strike_plan_make(rig.task, &options, &free_plan, NULL), ATEMI_OK);
    rig.task->self_clearance = 0.06;
    CHECK_STATUS(atemi_strike_plan_make(rig.task, &options, &plan, NULL), ATEMI_OK);
    CHECK(atemi_strike_plan_feasible(plan));
    CHECK(atemi_strike_plan_pair_count(plan) > 0);
    CHECK_EQUAL_INT(atemi_strike_plan_pair_count(free_plan), 0);
    CHECK_EQUAL_INT(strike_self_find(strike_plan_inside(plan), 1e-3, ATEMI_STRIKE_MAX_PAIRS, pairs),
                    0);
    atemi_strike_plan_destroy(plan);
    atemi_strike_plan_destroy(free_plan);
    rig_close(&rig);
}
