// SPDX-License-Identifier: Apache-2.0

#include "atemi/model.h"
#include "simulate/full_blow/full_blow_parts.h"

#include <math.h>
#include <string.h>

// tau = limited(held + K_p (ref - q) + K_d (ref' - v)) - friction, as atemi_blow() has it. Rotors
// that are added to light joints follow the reference by a torque of their own.

static double entry(const double *list, int i, double fallback)
{
    return list ? list[i] : fallback;
}

static double clamp(double x, double limit)
{
    return fmax(-limit, fmin(x, limit));
}

static void find_reference(const atemi_blow_run *run, double time)
{
    const atemi_full_blow_setting *setting = run->setting;
    const int                      n = atemi_model_v_count(run->robot);
    if (setting->reference) {
        setting->reference(setting->context, time, run->reference_q, run->reference_v,
                           run->reference_a);
        return;
    }
    memcpy(run->reference_v, setting->v, (size_t)n * sizeof *run->reference_v);
    memset(run->reference_a, 0, (size_t)n * sizeof *run->reference_a);
    atemi_configuration_integrate(run->robot, setting->q, setting->v, time, run->reference_q);
}

void atemi_full_blow_look_up(const atemi_blow_run *run, double time)
{
    find_reference(run, time);
    if (run->setting->feed) {
        run->setting->feed(run->setting->context, time, run->held);
    }
}

double atemi_full_blow_servo_torque(const atemi_blow_run *run, const atemi_joint *joint,
                                    const double *q, const double *v)
{
    const atemi_blow_servo *servo = &run->setting->servo;
    const int               i = joint->first_v, c = joint->first_q;
    const double            torque = run->held[i] +
                          entry(servo->stiffness, i, 0.0) * (run->reference_q[c] - q[c]) +
                          entry(servo->damping, i, 0.0) * (run->reference_v[i] - v[i]);
    return clamp(torque, entry(servo->limits, i, INFINITY));
}

static double coulomb(const atemi_blow_run *run, double friction, double rate)
{
    return clamp(friction * rate / run->options.slowest_slide, friction);
}

// The target does not feel its weight along the direction.
static double target_force(const atemi_blow_run *run, double rate)
{
    const atemi_blow_target *target = &run->setting->target;
    const double             along =
        atemi_vec3_dot(atemi_model_gravity(run->robot), run->setting->point.direction);
    return -target->mass * along - coulomb(run, target->friction, rate);
}

void atemi_full_blow_torque(void *context, double time, const double *q, const double *v,
                            double *tau)
{
    const atemi_blow_run   *run = (const atemi_blow_run *)context;
    const atemi_blow_servo *servo = &run->setting->servo;
    atemi_full_blow_look_up(run, time);
    for (int j = 0; j < atemi_model_joint_count(run->robot); ++j) {
        const atemi_joint *joint = atemi_model_joint(run->robot, j);
        const int          i = joint->first_v;
        if (joint->v_count == 1) {
            tau[i] = atemi_full_blow_servo_torque(run, joint, q, v) -
                     entry(servo->viscous, i, 0.0) * v[i] -
                     coulomb(run, entry(servo->coulomb, i, 0.0), v[i]) +
                     run->rotors[i] * run->reference_a[i];
        }
    }
    if (run->target_coordinate != ATEMI_NONE) {
        tau[run->target_coordinate] = target_force(run, v[run->target_coordinate]);
    }
}

void atemi_full_blow_damping(void *context, double *damping)
{
    const atemi_blow_run   *run = (const atemi_blow_run *)context;
    const atemi_blow_servo *servo = &run->setting->servo;
    const double            slow = run->options.slowest_slide;
    for (int j = 0; j < atemi_model_joint_count(run->robot); ++j) {
        const atemi_joint *joint = atemi_model_joint(run->robot, j);
        const int          i = joint->first_v;
        if (joint->v_count == 1) {
            damping[i] += entry(servo->damping, i, 0.0) + entry(servo->viscous, i, 0.0) +
                          entry(servo->coulomb, i, 0.0) / slow;
        }
    }
    if (run->target_coordinate != ATEMI_NONE) {
        damping[run->target_coordinate] += run->setting->target.friction / slow;
    }
}
