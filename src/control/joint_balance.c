// SPDX-License-Identifier: Apache-2.0

#include "control/joint_balance.h"

#include "control/joint_parts.h"
#include "control/joint_tracker.h"

#include <math.h>

// With tau the spring's torque as sensed, and A, D and S what a low-pass of the torque loop's
// bandwidth makes of J w', K_t i - friction(w) and tau / N,
//
//   J w' = K_t i - friction(w) - tau / N,     r = A - D + S
//   |r| <= E + F (C + b |w|) + m (|A| + |D| + |S|) + 2 Z
//
// if K_t, spring and J are right to m each, friction is between none and 1 + F times what is
// believed, and E bounds the rest. Z is what noise makes of r: readings that are where they are not
// expected move the motor's speed by g_v and the joint's place by g_x times as much in a tick, so r
// by J W_t g_v and k g_x / N. What breaks this, and lasts, is in a reading: a coupling that slips
// by x rad at the joint makes r = k x / N. A current that is not sensed is
//
//   i = (u - K_e w) / R     adds m (1 + m) K_t K_e |w| / R     if K_t / R and K_e are right to m
static const double model_error = 0.3;    // m
static const double friction_error = 2.0; // F
static const double noise_error = 2.0;    // of Z

static double modelled_current_error(const atemi_joint_control *c)
{
    const atemi_joint_drive *d = &c->options.drive;
    if (c->options.senses_current && !c->current_lost) {
        return 0.0;
    }
    const double w = fmax(fabs(c->motor.velocity), fabs(c->balance.velocity));
    const double rate = model_error * (1.0 + model_error) * d->back_emf / d->resistance;
    return rate * d->torque_constant * w;
}

double atemi_joint_balance_allowance(const atemi_joint_control *control)
{
    const atemi_joint_control *c = control;
    const atemi_joint_drive   *d = &c->options.drive;
    const atemi_joint_balance *b = &c->balance;
    const double               friction = d->coulomb + d->viscous * fabs(b->velocity);
    return c->options.stuck_torque + friction_error * friction +
           model_error * (fabs(b->moved) + fabs(b->drive) + fabs(b->load)) +
           noise_error * b->noise + modelled_current_error(c);
}

void atemi_joint_balance_start(atemi_joint_control *control)
{
    control->balance = (atemi_joint_balance){.velocity = control->motor.velocity};
}

static void smooth(const atemi_joint_control *c, double value, double *smoothed)
{
    *smoothed += c->smoothing * (value - *smoothed);
}

void atemi_joint_balance_update(atemi_joint_control *control, double current)
{
    const atemi_joint_control *c = control;
    const atemi_joint_drive   *d = &c->options.drive;
    atemi_joint_balance       *b = &control->balance;
    const double               w = c->motor.velocity, before = b->velocity;
    smooth(c, w, &b->velocity);
    b->moved = c->moving * (w - before);
    smooth(c, d->torque_constant * current - drive_friction(d, w), &b->drive);
    smooth(c, c->torque * c->reduction, &b->load);
    smooth(c, c->motor_noise * fabs(c->motor.surprise) + c->joint_noise * fabs(c->joint.surprise),
           &b->noise);
    b->unexplained = b->moved - b->drive + b->load;
    const double left = fabs(b->unexplained);
    const bool   is_too_much =
        left > c->options.stuck_torque && left > atemi_joint_balance_allowance(c);
    b->broken = atemi_joint_ticks(b->broken, is_too_much);
}
