// SPDX-License-Identifier: Apache-2.0

#include "simulate/step_limit.h"

#include "simulate/damping.h"
#include "simulate/joint_name.h"

#include <math.h>

// With r the fastest rate of damping and w the fastest angular velocity of a link,
//
//   r h <= 2.5,   w h <= 0.01 rad
//
// The Runge-Kutta method follows what is damped in more than 1 / 2.78 of a step; beyond, motions
// grow that should fade.
static const double most_damped = 2.5;

// It keeps the energy of a tumbling body to 1e-13 of itself a step (measured), and that of limbs
// that whip about, where none turns by more, in rad.
static const double most_turned = 0.01;

// No limit makes steps shorter than this part of the step that was asked for: a second of a
// humanoid, which takes some 0.05 s in steps of 1 ms, would take minutes. Damping that asks for
// more is refused. Turning is not, as too long a step is less exact then, but stable.
static const double shortest_part = 1e-3;

enum { STEPS_BETWEEN_LOOKS = 64 };

static double shortest(const atemi_simulation *s)
{
    return shortest_part * s->options.step;
}

atemi_status atemi_step_limit_find(atemi_simulation *s, atemi_error *error)
{
    int stiffest;
    s->damping = atemi_damping_rate(s, &stiffest);
    if (s->damping * shortest(s) <= most_damped) {
        return ATEMI_OK;
    }
    return atemi_fail(error, ATEMI_ERROR_SINGULAR,
                      "at t = %.9g s the simulation is too stiff for steps of %g s: joint '%s' has "
                      "a damping of %g %s, which stops it within %.2g s and asks for more than %g "
                      "steps in place of one; give it less damping or more armature, or use a "
                      "shorter step",
                      s->time, s->options.step, atemi_simulation_joint_name(s, stiffest),
                      s->damped[stiffest], atemi_simulation_joint_units(s, stiffest).damping,
                      1.0 / s->damping, 1.0 / shortest_part);
}

atemi_status atemi_step_limit_renew(atemi_simulation *s, atemi_error *error)
{
    const bool due = s->statistics.steps % STEPS_BETWEEN_LOOKS == 0;
    return due ? atemi_step_limit_find(s, error) : ATEMI_OK;
}

atemi_status atemi_step_limit_begin(atemi_simulation *s, atemi_error *error)
{
    return atemi_damping_changed(s) ? atemi_step_limit_find(s, error) : ATEMI_OK;
}

static double fastest_turn(const atemi_simulation *s)
{
    double fastest = 0.0;
    for (int link = 0; link < atemi_model_link_count(s->model); ++link) {
        const atemi_motion twist =
            atemi_link_velocity_in(s->model, &s->dynamics.bias.kinematics, link);
        fastest = fmax(fastest, atemi_vec3_norm(twist.angular));
    }
    return fastest;
}

double atemi_step_limit(const atemi_simulation *s, double h)
{
    const double turn = fastest_turn(s);
    const double damped = s->damping * h > most_damped ? most_damped / s->damping : h;
    const double turned = turn * h > most_turned ? fmax(most_turned / turn, shortest(s)) : h;
    return fmin(damped, turned);
}
