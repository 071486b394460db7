// SPDX-License-Identifier: Apache-2.0

#include "plan/motion/strike_trajectory.h"

#include "strike_finished.h"

#include <math.h>

// ---- Between knots

// Velocities are up to 3.6 rad/s and accelerations 26 rad/s^2; seven knots follow them to one per
// cent and five.
TEST(strike_trajectory, is_the_finished_motion)
{
    finished f;
    finished_open(&f);
    strike_workspace        *w = &f.trial.work;
    const strike_trajectory *paths = f.trial.result.at.trajectories;
    for (int i = 5; i < f.motion.count; i += 15) {
        const double time = atemi_strike_motion_time(&f.motion, i);
        const size_t at = (size_t)i * (size_t)f.motion.v_count;
        strike_trajectory_at(f.trial.rig.task->model, &paths[time < 0.0 ? 0 : 1], fabs(time),
                             &w->trajectory, w->q, w->v, w->a);
        CHECK_NEAR(largest_difference(w->q, f.motion.q + (size_t)i * (size_t)f.motion.q_count,
                                      f.motion.q_count),
                   0.0, 4e-3);
        CHECK_NEAR(largest_difference(w->v, f.motion.v + at, f.motion.v_count), 0.0, 0.03);
        CHECK_NEAR(largest_difference(w->a, f.motion.a + at, f.motion.v_count), 0.0, 1.5);
    }
    finished_close(&f);
}

// The rough grid is for looking around: where the robot comes to rest it is off by centimetres at
// most, seen from the end of a limb of a metre.
TEST(strike_trajectory, is_nearly_the_same_on_the_rough_grid)
{
    strike_trial t, rough;
    trial_open(&t);
    trial_open(&rough);
    trial_evaluate(&t);
    trial_create(&rough, &strike_rough_grid);
    trial_look(&rough);
    CHECK_EQUAL_INT(rough.problem.variables.count, t.problem.variables.count);
    CHECK_NEAR(rough.result.at.objective, t.result.at.objective, 0.0); // of the blow alone
    for (int i = 0; i < 2; ++i) {
        const strike_trajectory *fine = &t.result.at.trajectories[i];
        const strike_trajectory *other = &rough.result.at.trajectories[i];
        CHECK_NEAR(largest_difference(fine->knots[fine->grid->knots].q,
                                      other->knots[other->grid->knots].q,
                                      atemi_model_q_count(t.rig.task->model)),
                   0.0, 0.05);
    }
    trial_close(&rough);
    trial_close(&t);
}

// Accelerations, by differences of velocities; before the blow, time runs back.
TEST(strike_trajectory, knows_how_velocities_change)
{
    const double h = 1e-4;
    strike_trial t;
    trial_open(&t);
    trial_evaluate(&t);
    const strike_trajectory *path = &t.result.at.trajectories[0];
    strike_workspace        *w = &t.work;
    const double             time = 0.06;
    const int                n = t.problem.setup.v_count;
    strike_trajectory_velocities(path, 2, time, n, w->v, w->a);
    strike_trajectory_velocities(path, 2, time + h, n, w->v, NULL);
    strike_trajectory_velocities(path, 2, time - h, n, w->last_v, NULL);
    for (int i = 6; i < n; ++i) {
        CHECK_NEAR(w->a[i], (w->last_v[i] - w->v[i]) / (2.0 * h), 1e-3);
    }
    trial_close(&t);
}
