// SPDX-License-Identifier: Apache-2.0

#include "plan/doubt/strike_case.h"

#include "plan/touch/strike_blow.h"
#include "strike_trial.h"

#include <math.h>

static strike_values values_of(strike_trial *t)
{
    trial_open(t);
    trial_create(t, &strike_fine_grid);
    return strike_variables_at(&t->problem.variables, t->x);
}

// The hand's way from the planned touch, summed up from its speed.
static double way_until(const strike_values *x, double time)
{
    enum { STEPS = 2000 };
    double sum = 0.0;
    for (int i = 0; i <= STEPS; ++i) {
        const double speed =
            x->speed * strike_fraction_at(time * i / (double)STEPS, x->hand_rise, x->hand_fall);
        sum += (i == 0 || i == STEPS ? 0.5 : 1.0) * speed * time / (double)STEPS;
    }
    return sum;
}

TEST(strike_case, is_met_where_the_hand_has_gone_as_far)
{
    static const double distances[] = {-0.03, -0.01, 0.01, 0.03};
    strike_trial        t;
    const strike_values x = values_of(&t);
    for (int i = 0; i < 4; ++i) {
        const atemi_strike_deviation d = {.distance = distances[i]};
        CHECK_NEAR(way_until(&x, strike_case_find(&x, &d).time), distances[i], 1e-7);
    }
    trial_close(&t);
}

TEST(strike_case, comes_later_by_its_timing)
{
    strike_trial        t;
    const strike_values x = values_of(&t);
    const double        at = strike_case_find(&x, &(atemi_strike_deviation){.distance = 0.01}).time;
    const double        late =
        strike_case_find(&x, &(atemi_strike_deviation){.distance = 0.01, .timing = 0.004}).time;
    CHECK_NEAR(late - at, 0.004, 1e-15);
    trial_close(&t);
}

// By differences of the speed: of second order, of 1e-5 m/s.
TEST(strike_case, changes_its_time_and_drift_with_the_speed)
{
    static const atemi_strike_deviation cases[] = {{.distance = -0.02, .timing = -0.01},
                                                   {.distance = 0.02},
                                                   {.distance = 0.01, .timing = -0.03},
                                                   {.timing = 0.01}};
    strike_trial                        t;
    const strike_values                 x = values_of(&t);
    for (int i = 0; i < 4; ++i) {
        const double  h = 1e-5;
        strike_values more = x, less = x;
        more.speed += h;
        less.speed -= h;
        double            by_speed, ignored;
        const strike_case at = strike_case_find(&x, &cases[i]);
        const strike_case above = strike_case_find(&more, &cases[i]);
        const strike_case below = strike_case_find(&less, &cases[i]);
        CHECK_NEAR(at.time_by_speed, (above.time - below.time) / (2.0 * h), 1e-8);
        strike_case_drift(&t.problem.setup, &x, &at, &by_speed);
        const double difference = (strike_case_drift(&t.problem.setup, &more, &above, &ignored) -
                                   strike_case_drift(&t.problem.setup, &less, &below, &ignored)) /
                                  (2.0 * h);
        CHECK_NEAR(by_speed, difference, 1e-6 * (1.0 + fabs(difference)));
    }
    trial_close(&t);
}

TEST(strike_case, of_more_mass_friction_and_gains_has_them)
{
    strike_trial t;
    double       stiffness[64], damping[64];
    trial_open(&t);
    t.rig.task->target.friction = 100.0;
    trial_create(&t, &strike_fine_grid);
    atemi_blow_setting setting = strike_blow_setting(&t.problem.setup, NULL, NULL, 0.0);
    const double       mass = setting.target.mass, k = setting.servo.stiffness[8];
    strike_case_set(&t.problem.setup, &(atemi_strike_deviation){0.2, -0.3, 0.0, 0.0, 0.1},
                    stiffness, damping, &setting);
    CHECK_NEAR(setting.target.mass, 1.2 * mass, 1e-12);
    CHECK_NEAR(setting.target.friction, 70.0, 1e-12);
    CHECK_NEAR(setting.servo.stiffness[8], 1.1 * k, 1e-9);
    trial_close(&t);
}
