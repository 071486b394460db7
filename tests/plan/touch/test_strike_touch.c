// SPDX-License-Identifier: Apache-2.0

#include "plan/touch/strike_touch.h"

#include "strike_trial.h"

#include <math.h>

static const double step_error = 0.01; // one of 200 steps, at both ends

// How long a target of 5 kg and a round body touch, at 2 m/s.
static double touch_of(const atemi_hunt_crossley *sphere, double mass)
{
    strike_trial t;
    trial_open(&t);
    t.rig.task->surface = (atemi_blow_surface){.law = ATEMI_BLOW_OTHER_LAW,
                                               .other = atemi_compliance_hunt_crossley(sphere)};
    t.rig.task->target.mass = mass;
    const strike_touch touch = strike_touch_find(t.rig.task);
    CHECK_NEAR(touch.times[0], 0.0, 0.0);
    CHECK_NEAR(touch.times[STRIKE_BLOW_SAMPLES - 1], 1.5 * touch.duration, 1e-12);
    rig_close(&t.rig);
    return touch.duration;
}

// Flat, without loss: half a period of mass and spring, pi sqrt(m / k).
TEST(strike_touch, of_a_flat_law_is_that_of_a_spring)
{
    const atemi_hunt_crossley flat = {.stiffness = 2e4, .exponent = 1.0};
    const double              expected = 3.14159265358979 * sqrt(5.0 / 2e4);
    CHECK_NEAR(touch_of(&flat, 5.0), expected, step_error * expected);
}

// 2.9433 d / V with the largest compression d = (5 m V^2 / (4 k))^(2/5).
TEST(strike_touch, of_round_bodies_is_that_of_hertz)
{
    const atemi_hunt_crossley hard = {.stiffness = 1e6, .exponent = 1.5},
                              soft = {.stiffness = 1e4, .exponent = 1.5};
    const double at_hard = 2.9433 / 2.0 * pow(5.0 * 5.0 * 4.0 / 4e6, 0.4);
    const double at_soft = 2.9433 / 2.0 * pow(5.0 * 5.0 * 4.0 / 4e4, 0.4);
    CHECK_NEAR(touch_of(&hard, 5.0), at_hard, step_error * at_hard);
    CHECK_NEAR(touch_of(&soft, 5.0), at_soft, step_error * at_soft);
}

TEST(strike_touch, of_a_wall_is_that_of_10_kg)
{
    const atemi_hunt_crossley sphere = {.stiffness = 1e6, .dissipation = 0.3, .exponent = 1.5};
    CHECK_NEAR(touch_of(&sphere, (double)INFINITY), touch_of(&sphere, 10.0), 0.0);
}

// What creeps back is not waited for longer than 1 s.
TEST(strike_touch, ends_whatever_is_lost)
{
    const atemi_hunt_crossley clay = {.stiffness = 1e4, .dissipation = 1e4, .exponent = 1.5};
    const double              time = touch_of(&clay, 5.0);
    CHECK(time > 0.01 && time <= 1.0);
}

// The blow at 1.2 m/s, by steps of a time without rotors, or as it is planned. A light joint at its
// limit would feel its rotor (docs/theory/blow.md), so that joints have none.
static atemi_blow_result blow_of(const atemi_hunt_crossley *sphere, double step)
{
    strike_trial t;
    trial_open(&t);
    t.rig.task->surface = (atemi_blow_surface){.law = ATEMI_BLOW_OTHER_LAW,
                                               .other = atemi_compliance_hunt_crossley(sphere)};
    t.rig.task->servo.limits = NULL;
    trial_create(&t, &strike_fine_grid);
    strike_setup *setup = &t.problem.setup;
    if (step > 0.0) {
        setup->touch.step = step;
        memset(setup->rotors, 0, (size_t)setup->v_count * sizeof *setup->rotors);
    }
    trial_look(&t);
    const atemi_blow_result result = t.result.at.outcome.blow;
    trial_close(&t);
    return result;
}

// Measured: 2e-5 of both.
TEST(strike_touch, has_steps_that_are_short_enough)
{
    for (double stiffness = 1e4; stiffness < 2e8; stiffness *= 10.0) {
        const atemi_hunt_crossley sphere = {stiffness, .dissipation = 0.3, .exponent = 1.5};
        const atemi_blow_result   planned = blow_of(&sphere, 0.0), fine = blow_of(&sphere, 2e-5);
        CHECK_NEAR(planned.peak_force, fine.peak_force, 1e-4 * fine.peak_force);
        CHECK_NEAR(planned.impulse, fine.impulse, 1e-4 * fine.impulse);
    }
}
