// SPDX-License-Identifier: Apache-2.0

#include "simulate/events/mode_prediction.h"

#include "atemi/model.h"
#include "contact/collision.h"

#include <math.h>
#include <string.h>

// With no rigid contact the robot would, dt later, be at q + dt v and move with v + dt a. The
// collision that this makes there is the impulse of the contact forces over dt: complementarity of
// forces and motions, with friction. (At q itself the points of rotating links would lack
// dt (dJ/dt) v.) M is that of now.

void atemi_mode_prediction_take(atemi_arena *arena, const atemi_model *model, int point_count,
                                atemi_mode_prediction *prediction)
{
    atemi_mode_prediction *p = prediction;
    p->candidates = atemi_arena_array(arena, bool, point_count);
    p->friction = atemi_arena_array(arena, double, point_count);
    p->modes = atemi_arena_array(arena, atemi_contact_mode, point_count);
    p->contacts = atemi_arena_array(arena, atemi_contact, point_count);
    atemi_vec3 **vectors[] = {&p->velocities, &p->forces, &p->directions, &p->impulses};
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; ++i) {
        *vectors[i] = atemi_arena_array(arena, atemi_vec3, point_count);
    }
    const int n = atemi_model_v_count(model);
    p->joints = atemi_arena_array(arena, bool, n);
    p->at_lower = atemi_arena_array(arena, bool, n);
    p->at_upper = atemi_arena_array(arena, bool, n);
    p->joint_forces = atemi_arena_array(arena, double, n);
    p->joint_velocities = atemi_arena_array(arena, double, n);
    p->joint_directions = atemi_arena_array(arena, int, n);
    p->holds = atemi_arena_array(arena, atemi_joint_hold, n);
    p->holders = atemi_arena_array(arena, int, n);
    p->q = atemi_arena_array(arena, double, atemi_model_q_count(model));
    p->v = atemi_arena_array(arena, double, atemi_model_v_count(model));
    p->kinematics = atemi_kinematics_take(arena, model);
}

// ---- Velocities -----------------------------------------------------------------------------

// The friction of candidates that slide is not part of their load.
static void fly(atemi_mode_prediction *p, const atemi_model *model, const atemi_joint_modes *joints,
                atemi_constrained_dynamics_scratch *dynamics, const double *q, const double *v,
                double moment)
{
    const int n = atemi_model_v_count(model);
    memcpy(p->v, dynamics->load, (size_t)n * sizeof *v);
    for (int k = 0; k < joints->count; ++k) {
        if (p->joints[k] && !joints->states[k].held) {
            p->v[joints->rates[k]] +=
                joints->states[k].direction * atemi_joint_friction_of(joints, k);
        }
    }
    atemi_mass_factor_solve(model, &dynamics->factor, p->v);
    for (int i = 0; i < n; ++i) {
        p->v[i] = v[i] + moment * p->v[i];
    }
    atemi_configuration_integrate(model, q, v, moment, p->q);
    atemi_kinematics_update(model, p->q, p->v, NULL, &p->kinematics);
}

static atemi_contact contact_with_link(const atemi_mode_prediction *p, const atemi_model *model,
                                       const atemi_simulation_contacts *set, int i)
{
    const atemi_contact_state seen = atemi_contact_set_look(set, model, &p->kinematics, i);
    return (atemi_contact){.link = set->points[i].link,
                           .point = seen.touch,
                           .normal = seen.view.normal,
                           .mode = ATEMI_CONTACT_STICK,
                           .friction = p->friction[i],
                           .carried = true,
                           .other = atemi_point_surface(set, i)->link};
}

// Where a point will touch, and what.
static atemi_contact contact_of(const atemi_mode_prediction *p, const atemi_model *model,
                                const atemi_simulation_contacts *set, int i)
{
    if (atemi_point_surface(set, i)->carried) {
        return contact_with_link(p, model, set, i);
    }
    const atemi_simulation_point *point = &set->points[i];
    const atemi_transform         pose = atemi_link_pose_in(model, &p->kinematics, point->link);
    const atemi_vec3              center = atemi_transform_apply(&pose, point->point);
    const atemi_vec3 n = atemi_surface_look(&set->surfaces[point->surface], center).normal;
    const atemi_vec3 down = atemi_mat3_apply_transposed(&pose.rotation, n);
    return (atemi_contact){.link = point->link,
                           .point =
                               atemi_vec3_sub(point->point, atemi_vec3_scale(point->radius, down)),
                           .normal = n,
                           .mode = ATEMI_CONTACT_STICK,
                           .friction = p->friction[i]};
}

void atemi_mode_prediction_list_joints(atemi_mode_prediction   *prediction,
                                       const atemi_joint_modes *joints, double moment)
{
    atemi_mode_prediction *p = prediction;
    p->hold_count = 0;
    for (int k = 0; k < joints->count; ++k) {
        if (p->joints[k]) {
            const atemi_interval may = atemi_joint_interval(
                p->at_lower[k], p->at_upper[k], moment * atemi_joint_friction_of(joints, k));
            p->holders[p->hold_count] = k;
            p->holds[p->hold_count++] = (atemi_joint_hold){.rate = joints->rates[k],
                                                           .lower = may.lower,
                                                           .upper = may.upper,
                                                           .force = moment * p->joint_forces[k]};
        }
    }
}

void atemi_mode_prediction_move(atemi_mode_prediction *prediction, const atemi_model *model,
                                const atemi_simulation_contacts    *set,
                                atemi_constrained_dynamics_scratch *dynamics, const double *q,
                                const double *v, double moment)
{
    atemi_mode_prediction *p = prediction;
    fly(p, model, &set->joints, dynamics, q, v, moment);
    atemi_mode_prediction_list_joints(p, &set->joints, moment);
    for (int i = 0; i < set->point_count; ++i) {
        p->contacts[i] = p->candidates[i] ? contact_of(p, model, set, i)
                                          : (atemi_contact){.mode = ATEMI_CONTACT_OPEN};
        p->impulses[i] = atemi_vec3_scale(moment, p->forces[i]);
    }
    const atemi_contact_set all = {.contacts = p->contacts,
                                   .count = set->point_count,
                                   .holds = p->holds,
                                   .hold_count = p->hold_count,
                                   .loops = set->loops.loops,
                                   .loop_count = set->loops.count};
    atemi_collision_velocities(model, &p->kinematics, &dynamics->factor, p->v, &all, p->collision,
                               p->impulses, p->velocities);
    for (int i = 0; i < set->point_count; ++i) {
        p->forces[i] = atemi_vec3_scale(1.0 / moment, p->impulses[i]);
    }
    for (int i = 0; i < p->hold_count; ++i) {
        p->joint_forces[p->holders[i]] = p->holds[i].force / moment;
        p->joint_velocities[p->holders[i]] = p->holds[i].velocity;
    }
}

// ---- Modes ----------------------------------------------------------------------------------

static void classify(atemi_mode_prediction *p, const atemi_simulation_contacts *set, int point,
                     double none)
{
    const atemi_vec3 slide = atemi_point_along(set, point, p->velocities[point]);
    const double     speed = atemi_vec3_norm(slide);
    if (atemi_vec3_dot(p->velocities[point], set->states[point].view.normal) > none) {
        p->modes[point] = ATEMI_CONTACT_OPEN;
    } else if (speed > none) {
        p->modes[point] = ATEMI_CONTACT_SLIP;
        p->directions[point] = atemi_vec3_scale(1.0 / speed, slide);
    } else {
        p->modes[point] = ATEMI_CONTACT_STICK;
    }
}

void atemi_mode_prediction_classify(atemi_mode_prediction           *prediction,
                                    const atemi_simulation_contacts *set, double none)
{
    for (int i = 0; i < set->point_count; ++i) {
        if (prediction->candidates[i]) {
            classify(prediction, set, i, none);
        }
    }
    for (int k = 0; k < set->joints.count; ++k) {
        const double v = prediction->joint_velocities[k];
        prediction->joint_directions[k] = (v > none) - (v < -none);
    }
}

static void apply_to_joints(const atemi_mode_prediction *prediction, atemi_joint_modes *joints)
{
    for (int k = 0; k < joints->count; ++k) {
        if (prediction->joints[k] && prediction->joint_directions[k] == 0) {
            atemi_joint_hold_at(joints, k, prediction->at_lower[k], prediction->at_upper[k]);
        } else if (prediction->joints[k]) {
            atemi_joint_let_go(joints, k, prediction->joint_directions[k]);
        }
    }
}

void atemi_mode_prediction_apply(const atemi_mode_prediction *prediction,
                                 atemi_simulation_contacts   *set)
{
    for (int i = 0; i < set->point_count; ++i) {
        if (!prediction->candidates[i]) {
            continue;
        }
        switch (prediction->modes[i]) {
        case ATEMI_CONTACT_OPEN:
            atemi_point_open(set, i);
            break;
        case ATEMI_CONTACT_SLIP:
            set->modes[i] = ATEMI_CONTACT_SLIP;
            set->directions[i] = prediction->directions[i];
            break;
        default:
            atemi_point_stick(set, i);
        }
    }
    apply_to_joints(prediction, &set->joints);
}

// ---- Candidates -----------------------------------------------------------------------------

// Points that leave are not in touch any more, and those that come are not yet, whatever their gap:
// they collide.
bool atemi_mode_prediction_is_near(const atemi_simulation_contacts *set, int point)
{
    const atemi_contact_state *seen = &set->states[point];
    const double               leaves = atemi_vec3_dot(seen->carrier, seen->view.normal);
    return !set->points[point].compliance &&
           (atemi_point_is_held(set, point) ||
            (seen->view.gap < atemi_touching && fabs(leaves) < 1e2 * atemi_creeping));
}

// One that neither rubs nor is at a stop has no mode but to move.
bool atemi_mode_prediction_joint_is_near(const atemi_joint_modes *joints, int joint)
{
    const bool touches =
        atemi_joint_touches(joints, joint, 1) || atemi_joint_touches(joints, joint, -1);
    return joints->states[joint].held ||
           ((touches || atemi_joint_friction_of(joints, joint) > 0.0) &&
            fabs(joints->v[joint]) < 1e2 * atemi_creeping);
}

void atemi_mode_prediction_nominate(atemi_mode_prediction   *prediction,
                                    const atemi_joint_modes *joints, int joint, bool candidate)
{
    const atemi_joint_mode *mode = &joints->states[joint];
    prediction->joints[joint] = candidate;
    prediction->at_lower[joint] = mode->at_lower || atemi_joint_touches(joints, joint, 1);
    prediction->at_upper[joint] = mode->at_upper || atemi_joint_touches(joints, joint, -1);
}

void atemi_mode_prediction_candidates(atemi_mode_prediction           *prediction,
                                      const atemi_simulation_contacts *set)
{
    for (int i = 0; i < set->point_count; ++i) {
        const atemi_simulation_point *point = &set->points[i];
        prediction->candidates[i] = atemi_mode_prediction_is_near(set, i) && !point->tied;
        prediction->friction[i] = atemi_point_slide_speed(set, i) > atemi_creeping
                                      ? point->kinetic_friction
                                      : point->static_friction;
    }
    for (int k = 0; k < set->joints.count; ++k) {
        atemi_mode_prediction_nominate(prediction, &set->joints, k,
                                       atemi_mode_prediction_joint_is_near(&set->joints, k));
    }
}
