// SPDX-License-Identifier: Apache-2.0

#include "control/coordination_standing.h"

#include "dynamics/frame_rows.h"
#include "math/rows.h"

#include <math.h>
#include <string.h>

// Loads belong to the posture that is measured and to the motion that is commanded; the base link
// rests. The program distributes them among the contacts, and among links that are held besides,
// which join by s as in coordination_dynamics.c:
//
//   torques = (1 - s) torques(held before) + s torques(held)
//
// A motion can still come to rest if the contacts bear the weight at its capture point, with the
// height h of the centre of mass c above the contacts
//
//   xi = c + c' / omega,   omega = sqrt(g / h)
//
// and what nodes press with besides.
//
// The commanded posture is placed where the base is, as everywhere.
//
// What the contacts cannot give for a moment only, as where a motion begins abruptly, tips a foot
// by little. While a fraction s of the weight times the height is missing, the capture point drifts
// by omega s of its height a second.
//
// Every sole is a base from which a joint is felt: the largest inertia counts, so that
// each leg is as stiff as the one that carries the robot.

static bool is_sole(const atemi_standing_contact *contact)
{
    return contact->size_x > 0.0 && contact->size_y > 0.0;
}

// ---- Inertias

static void raise_inertias(atemi_coordination *c, const atemi_base_frame *base)
{
    atemi_base_frame_effective_inertias(c->model, base, &c->at_base, c->q_sensed, c->inertias);
    for (int i = 0; i < c->count; ++i) {
        moved_joint *j = &c->joints[i];
        const double rotor = j->settings.elastic ? j->joint->armature : 0.0;
        j->inertia = fmax(j->inertia, c->inertias[c->first_v + i] - rotor);
    }
}

static void find_inertias(atemi_coordination *c)
{
    for (int i = 0; i < c->count; ++i) {
        c->joints[i].inertia = 0.0;
    }
    raise_inertias(c, &c->base);
    for (int k = 0; k < c->options.contact_count; ++k) {
        const atemi_standing_contact *about = &c->standing.supports[k].about;
        const atemi_kinematics       *at = &c->at_base.kinematics;
        const atemi_base_frame foot = {about->link, atemi_link_pose_in(c->model, at, about->link)};
        if (about->link != c->base.link && is_sole(about)) {
            raise_inertias(c, &foot);
        }
    }
}

// ---- Loads

// The rotors of elastic joints are behind their springs.
static void find_loads(atemi_coordination *c)
{
    atemi_base_frame_loads(c->model, &c->base, c->u, c->du, atemi_model_gravity(c->model),
                           &c->at_base, c->q_sensed, c->torques);
    for (int i = 0; i < c->count; ++i) {
        const moved_joint *j = &c->joints[i];
        c->torques[c->first_v + i] -=
            j->settings.elastic ? j->joint->armature * c->du[c->first_v + i] : 0.0;
    }
}

// How high the centre of mass is above the lowest contact.
static double height_of(const atemi_coordination *c, atemi_vec3 center, atemi_vec3 up)
{
    double height = 0.0;
    for (int k = 0; k < c->options.contact_count; ++k) {
        const atemi_standing_contact *about = &c->standing.supports[k].about;
        const atemi_transform         link =
            atemi_link_pose_in(c->model, &c->at_base.kinematics, about->link);
        const atemi_vec3 at = atemi_transform_apply(&link, about->frame.position);
        height = fmax(height, atemi_vec3_dot(up, atemi_vec3_sub(center, at)));
    }
    return height;
}

// 1 / omega
static double pendulum_time(const atemi_coordination *c)
{
    const atemi_vec3 gravity = atemi_model_gravity(c->model);
    const double     g = atemi_vec3_norm(gravity);
    const atemi_vec3 up = atemi_vec3_scale(-1.0 / g, gravity);
    const atemi_vec3 center = atemi_center_of_mass_in(c->model, &c->at_base.kinematics);
    return sqrt(height_of(c, center, up) / g);
}

// How far the capture point of the motion that was looked at last is ahead of the centre of mass.
static atemi_vec3 capture_offset(const atemi_coordination *c)
{
    const atemi_vec3 momentum = atemi_momentum_in(c->model, &c->at_base.inverse.kinematics).linear;
    return atemi_vec3_scale(pendulum_time(c) / atemi_model_mass(c->model), momentum);
}

// The loads of the weight, as if it hung from the capture point.
static void find_capture_loads(atemi_coordination *c, double *loads)
{
    const atemi_vec3      gravity = atemi_model_gravity(c->model);
    const atemi_vec3      lift = atemi_vec3_scale(-atemi_model_mass(c->model), gravity);
    const atemi_transform root = atemi_link_pose_in(c->model, &c->at_base.kinematics, 0);
    const atemi_vec3      moment =
        atemi_mat3_apply_transposed(&root.rotation, atemi_vec3_cross(capture_offset(c), lift));
    atemi_base_frame_loads(c->model, &c->base, c->still, c->still, gravity, &c->at_base,
                           c->q_sensed, loads);
    loads[3] += moment.x;
    loads[4] += moment.y;
    loads[5] += moment.z;
}

// What a node presses with, its feet bear as well.
static void add_pressing(atemi_coordination *c, const guided_node *node, double *loads)
{
    const atemi_node_target *t = &node->target;
    const atemi_mat3        *R = &t->target.rotation;
    const atemi_vec3         f =
        atemi_mat3_apply(R, (atemi_vec3){node->force[0], node->force[1], node->force[2]});
    const atemi_vec3 m =
        atemi_mat3_apply(R, (atemi_vec3){node->force[3], node->force[4], node->force[5]});
    const double along[] = {f.x, f.y, f.z, m.x, m.y, m.z};
    const int    n = c->first_v + c->count;
    atemi_frame_rows(c->model, &c->at_base.kinematics, t->link, t->frame.position, c->jacobian);
    for (int r = 0; r < 6; ++r) {
        row_subtract(n, -along[r], row_of(c->jacobian, n, r), loads);
    }
}

static void add_all_pressing(atemi_coordination *c, double *loads)
{
    for (int k = 0; k < c->nodes.count && c->nodes.phase == NODES_MOVING; ++k) {
        if (c->nodes.nodes[k].target.force_axes) {
            add_pressing(c, &c->nodes.nodes[k], loads);
        }
    }
}

// ---- Torques

static void add_torques(atemi_coordination *c, const bool *held, double fraction)
{
    const standing_limits       safe = {.margin = c->options.contact_margin};
    const standing_limits       strong = {.efforts = true}, weak = {.efforts = false};
    const atemi_standing_report before = c->stands;
    standing_result             r;
    atemi_standing_program_place(c->model, held, &c->at_base, &c->standing);
    r = atemi_standing_program_solve(&c->standing, c->capture, safe, c->stood);
    c->stands.capture = fmax(before.capture, r.missing);
    r = atemi_standing_program_solve(&c->standing, c->torques, strong, c->stood);
    if (r.missing > atemi_standing_tolerance) {
        r = atemi_standing_program_solve(&c->standing, c->torques, weak, c->stood);
    }
    c->stands.missing = fmax(before.missing, r.missing);
    c->stands.joint = r.effort > before.effort ? r.joint : before.joint;
    c->stands.effort = fmax(before.effort, r.effort);
    for (int i = 0; i < c->count; ++i) {
        c->joints[i].gravity_torque += fraction * c->joints[i].gravity * c->stood[i];
    }
}

static void find_drift(atemi_coordination *c)
{
    const double step = c->options.period / fmax(pendulum_time(c), c->options.period);
    c->stands.drift = c->stands.missing > atemi_standing_tolerance
                          ? c->was.drift + step * c->stands.missing
                          : 0.0;
}

void atemi_coordination_stand(atemi_coordination *c)
{
    c->was = c->stands;
    c->stands = (atemi_standing_report){.joint = ATEMI_NONE};
    for (int i = 0; i < c->count; ++i) {
        c->joints[i].inertia_torque = c->joints[i].gravity_torque = 0.0;
    }
    find_inertias(c);
    find_loads(c);
    find_capture_loads(c, c->capture);
    add_all_pressing(c, c->capture);
    if (c->held_fraction < 1.0) {
        add_torques(c, c->held_before, 1.0 - c->held_fraction);
    }
    add_torques(c, c->held, c->held_fraction);
    find_drift(c);
    atemi_base_frame_place(c->model, &c->base, &c->at_base, c->q);
}

bool atemi_coordination_middle(const atemi_coordination *c, atemi_vec3 *middle)
{
    int count = 0;
    *middle = (atemi_vec3){0};
    for (int k = 0; k < c->options.contact_count; ++k) {
        const atemi_standing_contact *about = &c->standing.supports[k].about;
        const atemi_transform         link =
            atemi_link_pose_in(c->model, &c->at_base.kinematics, about->link);
        if (is_sole(about)) {
            *middle = atemi_vec3_add(*middle, atemi_transform_apply(&link, about->frame.position));
            ++count;
        }
    }
    *middle = atemi_vec3_scale(count ? 1.0 / count : 0.0, *middle);
    return count > 0;
}
