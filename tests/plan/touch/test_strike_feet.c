// SPDX-License-Identifier: Apache-2.0

#include "plan/touch/strike_feet.h"

#include "strike_trial.h"

#include <math.h>

// What the feet bear in all is what the robot's momentum gains, and the blow; in axes of the base.
static void check_sum(void *context, const atemi_blow_sample *sample)
{
    strike_trial *t = (strike_trial *)context;
    const int     n = t->problem.setup.v_count;
    atemi_force   wrenches[ATEMI_STRIKE_MAX_FEET];
    double        size = 0.0;
    for (int r = 0; r < 3; ++r) {
        double sum = sample->force * t->work.base.jacobian[r];
        for (int i = 0; i < n; ++i) {
            sum += t->work.feet.M[(ptrdiff_t)r * n + i] * sample->accelerations[i];
        }
        size = hypot(size, sum);
    }
    strike_feet_in_blow(&t->problem.setup, t->work.base.jacobian, sample, &t->work.feet, wrenches);
    CHECK_NEAR(atemi_vec3_norm(atemi_vec3_add(wrenches[0].linear, wrenches[1].linear)), size, 1e-7);
}

// The gains are so high that many joints of hrp2_like are light.
TEST(strike_feet, bear_the_blow_of_light_joints)
{
    const double           times[] = {0.0, 1e-4, 1e-3};
    strike_trial           t;
    const atemi_blow_watch watch = {times, 3, check_sum, &t};
    atemi_blow_setting     setting = atemi_blow_setting_default();
    atemi_blow_result      result;
    trial_open(&t);
    for (int i = 0; i < atemi_model_v_count(t.rig.task->model); ++i) {
        t.rig.scenario.servo.stiffness[i] *= 20.0;
        t.rig.scenario.servo.damping[i] *= 20.0;
    }
    trial_evaluate(&t);
    CHECK(largest_size(t.problem.setup.rotors, t.problem.setup.v_count) > 0.1);
    setting.rates = t.result.at.v;
    setting.servo = t.rig.task->servo;
    CHECK_STATUS(atemi_blow(&t.work.base, &setting, NULL, &watch, &t.work.blow, &result, NULL),
                 ATEMI_OK);
    trial_close(&t);
}
