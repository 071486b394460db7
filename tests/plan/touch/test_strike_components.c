// SPDX-License-Identifier: Apache-2.0

#include "plan/touch/strike_components.h"

#include "strike_trial.h"

enum { MOST = 64 };

static void velocities_in_one_piece(strike_trial *t, double *v)
{
    strike_velocities_at(&t->problem.setup, &t->result.at.values, t->result.at.q, 0.0, 0.0,
                         &t->work.velocities, v);
}

// Without the base and by Cholesky's factor, or by the weighted pseudoinverse of all rows.
TEST(strike_components, are_the_velocities_in_one_piece)
{
    strike_trial t;
    double       v[MOST];
    trial_open(&t);
    trial_evaluate(&t);
    velocities_in_one_piece(&t, v);
    CHECK_NEAR(largest_difference(v, t.result.at.v, atemi_model_v_count(t.rig.task->model)), 0.0,
               1e-10);
    trial_close(&t);
}

// Stretched to its end, a leg has no velocities for all goals: rows depend on each other.
TEST(strike_components, are_known_where_goals_depend_on_each_other)
{
    strike_trial t;
    double       v[MOST];
    trial_open(&t);
    t.x[2] = -0.80;
    trial_evaluate(&t);
    velocities_in_one_piece(&t, v);
    CHECK_NEAR(largest_difference(v, t.result.at.v, atemi_model_v_count(t.rig.task->model)), 0.0,
               1e-6 * (1.0 + largest_size(v, atemi_model_v_count(t.rig.task->model))));
    trial_close(&t);
}
