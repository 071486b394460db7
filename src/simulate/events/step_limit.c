// SPDX-License-Identifier: Apache-2.0

#include "simulate/events/step_limit.h"

#include "model/joint_name.h"

#include <math.h>

// With r the fastest rate of damping and w the fastest angular velocity of a link,
//
//   r h <= 2.5,   w h <= 0.01 rad
//
// The Runge-Kutta method follows what is damped in more than 1 / 2.78 of a step; beyond, motions
// grow that should fade.
static const double most_damped = 2.5;

// A step that would take so many of them is taken by extrapolation instead (extrapolation.c), which
// takes as many evaluations as two and a half and follows any damping.
static const double most_divided = 6.25;

// Points that slide near a jam make motions faster than damping alone does: the larger the force
// that stops a joint, the larger the friction that pushes it on. The stages of a step show it. With
// J the slope of the accelerations k by the velocities,
//
//   k_3 - k_2 = h/2 J (k_2 - k_1),   r h = 2 |k_3 - k_2| / |k_2 - k_1|
//
// A step that they show to be too long is taken again. Where damping is weak, r h < 1, the friction
// of points is slow, too; what is smaller than rounding, in m/s and rad/s, shows nothing.
static const double most_followed = 2.78, weak = 1.0, rounding = 1e-9;
static const double cut = 0.25;

// It keeps the energy of a tumbling body to 1e-13 of itself a step (measured), and that of limbs
// that whip about, where none rotates by more, in rad.
static const double most_rotated = 0.01;

// No limit makes steps shorter than this part of the step that was asked for: a second of a
// humanoid, which takes some 0.05 s in steps of 1 ms, would take minutes. Damping that asks for
// more is refused. Rotation is not, as too long a step is less exact then, but stable.
static const double shortest_part = 1e-3;

enum { STEPS_BETWEEN_LOOKS = 64 };

static double shortest(const atemi_evaluation *e)
{
    return shortest_part * e->options->step;
}

atemi_status atemi_step_limit_find(atemi_evaluation *e, const atemi_state *state,
                                   atemi_error *error)
{
    atemi_damping *damping = &e->damping;
    atemi_damping_find(damping, e->model, e->options, e->hooks, state->q, &e->dynamics.factor);
    const bool adapts = e->options->integrator == ATEMI_INTEGRATOR_ADAPTIVE;
    if (!adapts || damping->rate * shortest(e) <= most_damped) {
        return ATEMI_OK;
    }
    const int stiffest = damping->stiffest;
    return atemi_fail(error, ATEMI_ERROR_SINGULAR,
                      "at t = %.9g s the simulation is too stiff for steps of %g s: joint '%s' has "
                      "a damping of %g %s, which stops it within %.2g s and asks for more than %g "
                      "steps in place of one; give it less damping or more armature, or use a "
                      "shorter step",
                      state->time, e->options->step, atemi_joint_name_at(e->model, stiffest),
                      damping->viscous[stiffest], atemi_joint_units_at(e->model, stiffest).damping,
                      1.0 / damping->rate, 1.0 / shortest_part);
}

atemi_status atemi_step_limit_renew(atemi_evaluation *e, const atemi_state *state, long steps,
                                    atemi_error *error)
{
    const bool due = steps % STEPS_BETWEEN_LOOKS == 0;
    return due ? atemi_step_limit_find(e, state, error) : ATEMI_OK;
}

atemi_status atemi_step_limit_begin(atemi_evaluation *e, const atemi_state *state,
                                    atemi_error *error)
{
    const bool changed = atemi_damping_changed(&e->damping, e->model, e->options, e->hooks);
    return changed ? atemi_step_limit_find(e, state, error) : ATEMI_OK;
}

double atemi_fastest_rotation(const atemi_evaluation *e)
{
    double fastest = 0.0;
    for (int link = 0; link < atemi_model_link_count(e->model); ++link) {
        const atemi_motion twist =
            atemi_link_velocity_in(e->model, &e->dynamics.bias.kinematics, link);
        fastest = fmax(fastest, atemi_vec3_norm(twist.angular));
    }
    return fastest;
}

bool atemi_step_limit_is_stiff(const atemi_evaluation *e, double h)
{
    return e->damping.rate * h > most_damped;
}

double atemi_step_limit(const atemi_evaluation *e, double h)
{
    const double w = atemi_fastest_rotation(e), r = e->damping.rate;
    const double damped = r * h > most_damped && r * h <= most_divided ? most_damped / r : h;
    const double rotated = w * h > most_rotated ? fmax(most_rotated / w, shortest(e)) : h;
    return fmin(damped, rotated);
}

// The size of k_j - k_i.
static double difference(const atemi_step *step, int i, int j)
{
    const double *a = step->accelerations[i], *b = step->accelerations[j];
    double        size = 0.0;
    for (int k = 0; k < atemi_model_v_count(step->evaluation.model); ++k) {
        size = fmax(size, fabs(b[k] - a[k]));
    }
    return size;
}

bool atemi_step_limit_exceeded(const atemi_step *step, double h)
{
    const double first = difference(step, 0, 1), second = difference(step, 1, 2);
    return step->evaluation.damping.rate * h > weak && h * second > rounding &&
           2.0 * second > most_followed * first;
}

double atemi_step_limit_cut(atemi_step *step, double h)
{
    const double   shorter = cut * h;
    atemi_damping *damping = &step->evaluation.damping;
    damping->rate = fmax(damping->rate, most_damped / shorter);
    return shorter;
}
