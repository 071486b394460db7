// SPDX-License-Identifier: Apache-2.0

#include "control/coordination_dynamics.h"

#include "control/coordination_standing.h"

#include <math.h>
#include <string.h>

// Inertia torques belong to what is commanded, gravity torques and inertias to what is measured: a
// person who moves the robot does not meet the weight of where it should be.
//
// While the base is switched, with s the fraction of the new one,
//
//   torques = (1 - s) torques(old base) + s torques(new base),   inertias likewise
//
// Both bear the robot, which is fixed to the world by both links then; so does every mixture.
//
// Links that are held besides the base bear the robot as well (load_distribution.c). One that joins
// them does so by s, as a new base does; one that is let go bears nothing from then on.
//
// The rotor of an elastic joint sits behind its spring: what the spring does is without it. Only
// what the joint's loops leave of the rotor swings with the link, and the joint's own damping damps
// it besides: for [R2] eq. 1 and 2 the inertia is m + loop inertia, the damping d + own damping.

static void write_motion(atemi_coordination *c)
{
    for (int i = 0; i < c->count; ++i) {
        const atemi_axis_state commanded = joint_command_of(&c->joints[i]);
        c->q[c->first_q + i] = commanded.position;
        c->u[c->first_v + i] = commanded.velocity;
        c->du[c->first_v + i] = commanded.acceleration;
    }
}

static double rotor_of(const moved_joint *j)
{
    return j->settings.elastic ? j->joint->armature : 0.0;
}

static void add_inertia_torques(atemi_coordination *c, const atemi_base_frame *base,
                                double fraction)
{
    atemi_base_frame_inertia_torques(c->model, base, c->u, c->du, &c->at_base, c->q, c->torques);
    for (int i = 0; i < c->count; ++i) {
        moved_joint *j = &c->joints[i];
        j->inertia_torque +=
            fraction * (c->torques[c->first_v + i] - rotor_of(j) * c->du[c->first_v + i]);
    }
}

static void add_gravity_torques(atemi_coordination *c, const atemi_base_frame *base,
                                double fraction)
{
    atemi_base_frame_gravity_torques(c->model, base, atemi_model_gravity(c->model), &c->at_base,
                                     c->q_sensed, c->torques);
    for (int i = 0; i < c->count; ++i) {
        moved_joint *j = &c->joints[i];
        j->gravity_torque += fraction * j->gravity * c->torques[c->first_v + i];
    }
}

static void add_inertias(atemi_coordination *c, const atemi_base_frame *base, double fraction)
{
    atemi_base_frame_effective_inertias(c->model, base, &c->at_base, c->q_sensed, c->inertias);
    for (int i = 0; i < c->count; ++i) {
        moved_joint *j = &c->joints[i];
        j->inertia += fraction * (c->inertias[c->first_v + i] - rotor_of(j));
    }
}

static void add_base(atemi_coordination *c, const atemi_base_frame *base, double fraction)
{
    add_gravity_torques(c, base, fraction);
    add_inertias(c, base, fraction);
    add_inertia_torques(c, base, fraction);
}

// ---- Links that are held besides the base ---------------------------------------------------

enum { KINDS = 2 };

static double *torque_of(moved_joint *joint, int kind)
{
    return kind == 0 ? &joint->gravity_torque : &joint->inertia_torque;
}

static void add_borne(atemi_coordination *c, const bool *held, double fraction)
{
    atemi_load_distribution_place(c->model, &c->base, &c->at_base, held, &c->loads);
    for (int k = 0; k < KINDS; ++k) {
        for (int i = 0; i < c->count; ++i) {
            c->torques[i] = *torque_of(&c->joints[i], k);
        }
        atemi_load_distribution_apply(&c->loads, c->torques);
        for (int i = 0; i < c->count; ++i) {
            c->borne[k * c->count + i] += fraction * c->torques[i];
        }
    }
}

// Among the links that are held, or were before one joined them.
static void distribute(atemi_coordination *c)
{
    memset(c->borne, 0, (size_t)KINDS * (size_t)c->count * sizeof *c->borne);
    atemi_base_frame_place(c->model, &c->base, &c->at_base, c->q_sensed);
    if (c->held_fraction < 1.0) {
        add_borne(c, c->held_before, 1.0 - c->held_fraction);
    }
    add_borne(c, c->held, c->held_fraction);
    for (int k = 0; k < KINDS; ++k) {
        for (int i = 0; i < c->count; ++i) {
            *torque_of(&c->joints[i], k) = c->borne[k * c->count + i];
        }
    }
}

static bool is_held_besides(const atemi_coordination *c)
{
    for (int i = 0; i < atemi_model_link_count(c->model); ++i) {
        if (c->held[i] && i != c->base.link) {
            return true;
        }
    }
    return false;
}

static void find_torques(atemi_coordination *c)
{
    for (int i = 0; i < c->count; ++i) {
        moved_joint *j = &c->joints[i];
        j->inertia = j->inertia_torque = j->gravity_torque = 0.0;
    }
    if (c->base_fraction < 1.0) {
        add_base(c, &c->base_before, 1.0 - c->base_fraction);
    }
    add_base(c, &c->base, c->base_fraction);
    if (is_held_besides(c)) {
        distribute(c);
    }
}

void atemi_coordination_find_torques(atemi_coordination *c)
{
    write_motion(c);
    if (atemi_coordination_is_standing(c)) {
        atemi_coordination_stand(c);
    } else {
        find_torques(c);
    }
}

double atemi_coordination_torque_goal(const moved_joint *joint)
{
    return fmin(fmin(joint->torque_limits[0], joint->torque_limits[1]), joint->effort);
}

// What diverges gets limp faster than it gets soft otherwise.
static const double limp_haste = 10.0;

static void blend_joint(const atemi_coordination_options *o, bool limp, moved_joint *j)
{
    const atemi_impedance wanted = atemi_coordinated_joint_impedance(&j->settings, j->inertia);
    const double          k = limp ? 0.0 : wanted.stiffness;
    const double          step = limp ? limp_haste * o->stiffness_step : o->stiffness_step;
    j->impedance.stiffness = atemi_blend(j->impedance.stiffness, k, step);
    j->impedance.damping = atemi_blend(j->impedance.damping, wanted.damping, o->damping_step);
    j->torque_limit =
        atemi_blend(j->torque_limit, atemi_coordination_torque_goal(j), o->torque_step);
    j->gravity = atemi_blend(j->gravity, j->settings.gravity, o->gravity_step);
}

void atemi_coordination_blend(atemi_coordination *c)
{
    c->base_fraction = atemi_blend(c->base_fraction, 1.0, c->options.base_step);
    c->held_fraction = atemi_blend(c->held_fraction, 1.0, c->options.base_step);
    for (int i = 0; i < c->count; ++i) {
        blend_joint(&c->options, c->limp, &c->joints[i]);
    }
}
