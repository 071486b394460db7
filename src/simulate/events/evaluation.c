// SPDX-License-Identifier: Apache-2.0

#include "simulate/events/evaluation.h"

#include "atemi/model.h"
#include "contact/constrained_dynamics.h"
#include "dynamics/blocks.h"
#include "simulate/events/force_distribution.h"
#include "simulate/events/sliding.h"
#include "simulate/motion_check.h"
#include "simulate/soft_force.h"

#include <math.h>
#include <string.h>

// A ball, of radius r and with its centre at c, touches where c - r n is, n being the normal of the
// surface seen from c, and rolls: with omega the angular velocity of its link and dn/dt = B dc/dt,
// what sticks there accelerates with
//
//   r omega x (dn/dt - omega x n)
//
// and along the normal, sliding or not, with  -dc/dt . B dc/dt - r n . (omega x (omega x n)).
// With r = 0 that is a point, which stays, and a point that keeps to its surface.
//
// Where link b carries the surface, and link a the ball, with w = u_a(c) - u_b(c) the velocity of
// the centre relative to b's material there, the normal changes with
//
//   dn/dt = omega_b x n + B w
//
// The gap's rate is n.w. As c moves in a frame that turns with b, with a_a and a_b the
// accelerations of the two links' material at c, and p = c - r n, the second derivative is
//
//   d2g/dt2 = n.(a_a - a_b) - 2 n.(omega_b x w) + w.B w
//
// and what slides or rests has  d2g/dt2 = 0: of the material at p, in place of that at c,
//
//   n.(a_a(p) - a_b(p)) = 2 n.(omega_b x w) - w.B w - r n.(omega_a x (omega_a x n))
//                         + r n.(omega_b x (omega_b x n))
//
// What sticks keeps u_a(p) = u_b(p) while p moves on over both, by dp/dt - u_a = -r (dn/dt -
// omega_a x n) on a and by  dp/dt - u_b = w - r B w  on b:
//
//   a_a(p) - a_b(p) = r omega_a x (dn/dt - omega_a x n) + omega_b x (w - r B w)
//
// Where two capsules touch, c is the nearest place of the axis of a, which moves along that axis,
// the unit vector e, with s = s' e. It stays nearest, so that  e.n = 0:
//
//   s' = -(n.((omega_a - omega_b) x e) + e.B w) / (e.B e),     0 at an end of the axis
//
// Then B w becomes B (w + s) in dn/dt, d2g/dt2 gains  n.((omega_a - omega_b) x s), what slides asks
// for the opposite of that, and dp/dt gains s on both sides. Side by side e.B e = 0, and s' has no
// bounds.
//
// With omega_b = 0 and w = dc/dt these are the ones above. Both links get opposite forces at the
// same p, so that momentum and moment of momentum of the two stay.

// A sliding point to which friction leaves less of its mobility jams: forces are in proportion to
// the inverse of that, and no step follows them.
static const double least_mobile = 0.01;

static const double moment = 1e-5;   // s: how far ahead modes are predicted
static const double fraction = 1e-6; // of gravity: an acceleration that is as good as none

static double no_acceleration(const atemi_evaluation *e)
{
    return fraction * (1.0 + e->gravity);
}

void atemi_evaluation_take(atemi_arena *arena, const atemi_simulation_contacts *set,
                           atemi_evaluation *e)
{
    const int points = set->most_points, links = atemi_model_link_count(e->model);
    e->gravity = atemi_vec3_norm(atemi_model_gravity(e->model));
    e->held = atemi_arena_array(arena, double, atemi_model_v_count(e->model));
    e->applied = atemi_arena_array(arena, double, atemi_model_v_count(e->model));
    e->tau = atemi_arena_array(arena, double, atemi_model_v_count(e->model));
    e->external = atemi_arena_array(arena, atemi_force, links);
    e->loads = atemi_arena_array(arena, atemi_force, links);
    e->contacts = atemi_arena_array(arena, atemi_contact, points);
    e->contact_points = atemi_arena_array(arena, int, points);
    e->contact_forces = atemi_arena_array(arena, atemi_force, points);
    // A rigid point has three rows at most; the six of a whole patch are for three points or more.
    const int joints = atemi_model_v_count(e->model);
    e->dynamics = atemi_constrained_dynamics_scratch_take_rows(
        arena, e->model, points + joints + 2 * set->loops.count,
        3 * set->most_rigid + joints + set->loops.row_count);
    atemi_mode_prediction_take(arena, e->model, points, &e->prediction);
    e->damping = atemi_damping_take(arena, e->model);
}

// ---- Loads ----------------------------------------------------------------------------------

void atemi_evaluation_torques(const atemi_evaluation *e, double time, const double *q,
                              const double *v, double *tau)
{
    const int n = atemi_model_v_count(e->model);
    memset(tau, 0, (size_t)n * sizeof *tau);
    if (e->hooks->torque) {
        e->hooks->torque(e->hooks->context, time, q, v, tau);
    }
    for (int i = 0; i < n; ++i) {
        tau[i] += e->held[i];
    }
    for (int i = 0; i < n && e->efforts; ++i) {
        tau[i] = fmin(fmax(tau[i], -e->efforts[i]), e->efforts[i]);
    }
}

static void add_joint_friction(atemi_evaluation *e, const atemi_joint_modes *joints,
                               const double *v)
{
    const double *viscous = joints->bounds->viscous;
    for (int i = 0; i < atemi_model_v_count(e->model); ++i) {
        e->tau[i] = e->applied[i] - viscous[i] * v[i];
    }
    atemi_joint_modes_rub(joints, e->tau);
}

static void add_load(atemi_evaluation *e, int link, atemi_vec3 arm, atemi_vec3 force)
{
    const atemi_force load = {force, atemi_vec3_cross(arm, force)};
    e->loads[link] = atemi_force_add(e->loads[link], load);
}

void atemi_evaluation_load_point(atemi_evaluation *e, const atemi_simulation_contacts *set,
                                 int point, atemi_vec3 force)
{
    const atemi_contact_state *seen = &set->states[point];
    const atemi_surface       *surface = atemi_point_surface(set, point);
    add_load(e, set->points[point].link, seen->arm, force);
    if (surface->carried) {
        const atemi_vec3 origin =
            atemi_link_pose_in(e->model, &e->dynamics.bias.kinematics, surface->link).position;
        add_load(e, surface->link, atemi_vec3_sub(seen->position, origin),
                 atemi_vec3_scale(-1.0, force));
    }
}

static void find_loads(atemi_evaluation *e, atemi_simulation_contacts *set, double time)
{
    memset(e->loads, 0, (size_t)atemi_model_link_count(e->model) * sizeof *e->loads);
    memset(set->forces, 0, (size_t)set->point_count * sizeof *set->forces);
    if (e->hooks->external_forces) {
        e->hooks->external_forces(e->hooks->context, time, e->loads);
        memcpy(e->external, e->loads, (size_t)atemi_model_link_count(e->model) * sizeof *e->loads);
    }
    for (int i = 0; i < set->point_count; ++i) {
        if (set->modes[i] == ATEMI_CONTACT_SOFT) {
            const atemi_contact_state *seen = &set->states[i];
            set->forces[i] =
                soft_force(&set->points[i], &seen->view, seen->carrier, seen->velocity);
            atemi_evaluation_load_point(e, set, i, set->forces[i]);
        }
    }
}

void atemi_evaluation_ask(atemi_evaluation *e, atemi_simulation_contacts *set, double time,
                          const double *q, const double *v)
{
    atemi_evaluation_torques(e, time, q, v, e->applied);
    find_loads(e, set, time);
    atemi_inputs_look(e, time);
}

// ---- Contacts -------------------------------------------------------------------------------

// What a surface that moves asks for.
static void ask_of_carried(const atemi_contact_state *seen, double r, atemi_contact *contact)
{
    const atemi_vec3 n = seen->view.normal, w = seen->carrier, s = seen->moves_on;
    const atemi_vec3 on = seen->angular_velocity, below = seen->surface_turns;
    const atemi_vec3 passes = atemi_vec3_add(w, s);
    const atemi_vec3 tilts = atemi_symmetric3_apply(&seen->view.bending, passes);
    const atemi_vec3 with_on = atemi_vec3_cross(on, n), with_below = atemi_vec3_cross(below, n);
    const atemi_vec3 rolls = atemi_vec3_sub(atemi_vec3_add(with_below, tilts), with_on);
    const atemi_vec3 over_on = atemi_vec3_sub(s, atemi_vec3_scale(r, rolls));
    const atemi_vec3 over_below = atemi_vec3_sub(passes, atemi_vec3_scale(r, tilts));
    const atemi_vec3 turns = atemi_vec3_sub(on, below);
    contact->normal_acceleration = 2.0 * atemi_vec3_dot(n, atemi_vec3_cross(below, w)) -
                                   atemi_vec3_dot(w, tilts) -
                                   atemi_vec3_dot(n, atemi_vec3_cross(turns, s)) -
                                   r * atemi_vec3_dot(n, atemi_vec3_cross(on, with_on)) +
                                   r * atemi_vec3_dot(n, atemi_vec3_cross(below, with_below));
    contact->acceleration =
        atemi_vec3_sub(atemi_vec3_cross(below, over_below), atemi_vec3_cross(on, over_on));
}

void atemi_evaluation_add_contact(atemi_evaluation *e, const atemi_simulation_contacts *set,
                                  int point, atemi_contact_mode mode)
{
    const atemi_simulation_point *what = &set->points[point];
    const atemi_contact_state    *seen = &set->states[point];
    const atemi_surface          *surface = atemi_point_surface(set, point);
    const atemi_vec3              n = seen->view.normal, omega = seen->angular_velocity;
    const atemi_vec3 tilting = atemi_symmetric3_apply(&seen->view.bending, seen->carrier);
    const atemi_vec3 with_link = atemi_vec3_cross(omega, n);
    const double     r = what->radius;
    atemi_contact   *contact = &e->contacts[e->contact_count];
    e->contact_points[e->contact_count++] = point;
    *contact = (atemi_contact){
        .link = what->link,
        .point = seen->touch,
        .normal = n,
        .mode = mode,
        .friction = set->signs[point] * what->kinetic_friction,
        .direction = set->directed[point] ? set->leads[point] : set->directions[point],
        .directed = set->directed[point],
        .normal_acceleration = -atemi_vec3_dot(seen->carrier, tilting) -
                               r * atemi_vec3_dot(n, atemi_vec3_cross(omega, with_link)),
        .acceleration =
            atemi_vec3_scale(r, atemi_vec3_cross(omega, atemi_vec3_sub(tilting, with_link))),
        .carried = surface->carried,
        .other = surface->link};
    if (surface->carried) {
        ask_of_carried(seen, r, contact);
    }
}

// The forces that were found for a patch's held points, at their centre.
static atemi_force distribution_in(const atemi_simulation_contacts *set, int patch)
{
    const atemi_vec3 center = atemi_patch_center(set, patch, false);
    atemi_force      sum = {0};
    for (int i = set->starts[patch]; i <= set->ends[patch]; ++i) {
        if (atemi_point_is_held_in(set, i, patch)) {
            const atemi_vec3 arm = atemi_vec3_sub(set->states[i].position, center);
            sum.linear = atemi_vec3_add(sum.linear, set->distribution[i]);
            sum.angular = atemi_vec3_add(sum.angular, atemi_vec3_cross(arm, set->distribution[i]));
        }
    }
    return sum;
}

static void add_whole(atemi_evaluation *e, const atemi_simulation_contacts *set, int patch,
                      int first)
{
    atemi_contact *contact = &e->contacts[e->contact_count];
    atemi_evaluation_add_contact(e, set, first, ATEMI_CONTACT_SURFACE);
    contact->point = atemi_patch_center(set, patch, true);
    contact->preferred = set->distribution_used ? distribution_in(set, patch) : (atemi_force){0};
}

static void add_point(atemi_evaluation *e, const atemi_simulation_contacts *set, int point)
{
    atemi_contact *contact = &e->contacts[e->contact_count];
    atemi_evaluation_add_contact(e, set, point, set->modes[point]);
    contact->preferred.linear = set->distribution_used ? set->distribution[point] : (atemi_vec3){0};
}

// A patch that holds its link as a whole is one contact.
static void find_contacts(atemi_evaluation *e, const atemi_simulation_contacts *set)
{
    e->contact_count = 0;
    for (int p = 0; p < set->patch_count; ++p) {
        const atemi_patch patch = atemi_patch_of(set, p);
        if (patch.whole) {
            add_whole(e, set, p, patch.first);
            continue;
        }
        for (int i = set->starts[p]; i <= set->ends[p] && patch.held; ++i) {
            if (atemi_point_is_held_in(set, i, p)) {
                add_point(e, set, i);
            }
        }
    }
}

// ---- Evaluation -----------------------------------------------------------------------------

void atemi_observe(atemi_evaluation *e, atemi_simulation_contacts *set, const double *q,
                   const double *v)
{
    atemi_kinematics_update(e->model, q, v, NULL, &e->dynamics.bias.kinematics);
    atemi_contact_set_observe(set, e->model, &e->dynamics.bias.kinematics);
    atemi_joint_modes_observe(&set->joints, q, v);
}

void atemi_observe_velocities(atemi_evaluation *e, atemi_simulation_contacts *set, const double *v)
{
    atemi_kinematics_velocities(e->model, v, &e->dynamics.bias.kinematics);
    atemi_contact_set_observe(set, e->model, &e->dynamics.bias.kinematics);
    atemi_joint_modes_observe_velocities(&set->joints, v);
}

atemi_status atemi_evaluate_observed(atemi_evaluation *e, atemi_simulation_contacts *set,
                                     double time, const double *q, const double *v, double *a)
{
    atemi_evaluation_ask(e, set, time, q, v);
    add_joint_friction(e, &set->joints, v);
    ++e->count;
    const atemi_status loaded =
        e->ahead > 0.0
            ? atemi_constrained_dynamics_load_damped(e->model, e->tau, e->loads, e->ahead,
                                                     e->damping.viscous, &e->dynamics)
            : atemi_constrained_dynamics_load(e->model, true, e->tau, e->loads, &e->dynamics);
    if (loaded) {
        return ATEMI_ERROR_SINGULAR;
    }
    atemi_sliding_direct(e, set, q, v);
    find_contacts(e, set);
    atemi_joint_modes_list(&set->joints, set->distribution_used);
    const atemi_contact_set all = {.contacts = e->contacts,
                                   .count = e->contact_count,
                                   .holds = set->joints.holds,
                                   .hold_count = set->joints.hold_count,
                                   .loops = set->loops.loops,
                                   .loop_count = set->loops.count,
                                   .loop_forces = set->loops.forces};
    atemi_contact_report    report;
    const atemi_status      status = atemi_constrained_dynamics_answer(
        e->model, true, &all, &e->dynamics, a, e->contact_forces, &report);
    if (status || report.jamming < least_mobile) {
        return ATEMI_ERROR_SINGULAR;
    }
    atemi_joint_modes_take_forces(&set->joints);
    atemi_force_distribution_find(set, e->contacts, e->contact_points, e->contact_forces,
                                  e->contact_count);
    return ATEMI_OK;
}

atemi_status atemi_evaluate(atemi_evaluation *e, atemi_simulation_contacts *set, double time,
                            const double *q, const double *v, double *a)
{
    atemi_observe(e, set, q, v);
    return atemi_evaluate_observed(e, set, time, q, v, a);
}

atemi_status atemi_evaluate_state(atemi_evaluation *e, atemi_simulation_contacts *set,
                                  atemi_state *state)
{
    return atemi_evaluate(e, set, state->time, state->q, state->v, state->a);
}

// ---- Modes ----------------------------------------------------------------------------------

void atemi_evaluation_accelerate(atemi_evaluation *e, const double *a)
{
    const atemi_vec3 nowhere = {0.0, 0.0, 0.0};
    atemi_kinematics_accelerations(e->model, a, false, nowhere, &e->dynamics.bias.kinematics);
}

static atemi_vec3 material_acceleration(const atemi_evaluation *e, int link, atemi_vec3 omega,
                                        atemi_vec3 arm)
{
    const atemi_motion a = atemi_link_acceleration_in(e->model, &e->dynamics.bias.kinematics, link);
    return atemi_vec3_add(atemi_motion_at(a, arm).linear,
                          atemi_vec3_cross(omega, atemi_vec3_cross(omega, arm)));
}

atemi_vec3 atemi_point_acceleration(const atemi_evaluation *e, const atemi_simulation_contacts *set,
                                    int point, atemi_vec3 arm)
{
    const atemi_contact_state *seen = &set->states[point];
    const atemi_surface       *surface = atemi_point_surface(set, point);
    const atemi_vec3           a =
        material_acceleration(e, set->points[point].link, seen->angular_velocity, arm);
    if (!surface->carried) {
        return a;
    }
    const atemi_vec3 origin =
        atemi_link_pose_in(e->model, &e->dynamics.bias.kinematics, surface->link).position;
    const atemi_vec3 place = atemi_vec3_add(atemi_vec3_sub(seen->position, seen->arm), arm);
    return atemi_vec3_sub(a, material_acceleration(e, surface->link, seen->surface_turns,
                                                   atemi_vec3_sub(place, origin)));
}

// The second derivative of a point's gap.
static double gap_acceleration(const atemi_evaluation *e, const atemi_simulation_contacts *set,
                               int point)
{
    const atemi_contact_state *seen = &set->states[point];
    const atemi_vec3           n = seen->view.normal, u = seen->carrier;
    const atemi_vec3           center =
        atemi_vec3_add(seen->arm, atemi_vec3_scale(set->points[point].radius, n));
    const atemi_vec3 a = atemi_point_acceleration(e, set, point, center);
    if (!atemi_point_surface(set, point)->carried) {
        return atemi_vec3_dot(n, a) +
               atemi_vec3_dot(u, atemi_symmetric3_apply(&seen->view.bending, u));
    }
    const atemi_vec3 passes = atemi_vec3_add(u, seen->moves_on);
    const atemi_vec3 turns = atemi_vec3_sub(seen->angular_velocity, seen->surface_turns);
    return atemi_vec3_dot(n, a) -
           2.0 * atemi_vec3_dot(n, atemi_vec3_cross(seen->surface_turns, u)) +
           atemi_vec3_dot(u, atemi_symmetric3_apply(&seen->view.bending, passes)) +
           atemi_vec3_dot(n, atemi_vec3_cross(turns, seen->moves_on));
}

static bool agrees(const atemi_evaluation *e, const atemi_simulation_contacts *set, int point)
{
    const atemi_contact_state *seen = &set->states[point];
    const bool                 slow = atemi_vec3_norm(seen->velocity) < atemi_creeping;
    if (set->modes[point] == ATEMI_CONTACT_OPEN) {
        return !atemi_mode_prediction_is_near(set, point) ||
               gap_acceleration(e, set, point) > -no_acceleration(e);
    }
    if (set->modes[point] == ATEMI_CONTACT_SLIP && slow && set->points[point].radius == 0.0) {
        const atemi_vec3 a = atemi_point_acceleration(e, set, point, seen->arm);
        const atemi_vec3 d = set->directed[point] ? set->leads[point] : set->directions[point];
        return atemi_vec3_dot(a, d) > -no_acceleration(e);
    }
    return true;
}

// A joint that moves, from rest, does so where it slides, and not into a stop.
static bool joint_agrees(const atemi_evaluation *e, const atemi_joint_modes *joints, int k,
                         double acceleration)
{
    const atemi_joint_mode *state = &joints->states[k];
    const double            least = -no_acceleration(e);
    if (state->held) {
        return true;
    }
    const bool slow = fabs(joints->v[k]) < atemi_creeping;
    if (slow && state->direction && state->direction * acceleration <= least) {
        return false;
    }
    return !atemi_mode_prediction_joint_is_near(joints, k) ||
           ((!atemi_joint_touches(joints, k, 1) || acceleration > least) &&
            (!atemi_joint_touches(joints, k, -1) || -acceleration > least));
}

bool atemi_evaluation_agrees(const atemi_evaluation *e, const atemi_simulation_contacts *set,
                             const double *a)
{
    for (int i = 0; i < set->point_count; ++i) {
        if (!set->points[i].tied && !agrees(e, set, i)) {
            return false;
        }
    }
    for (int k = 0; k < set->joints.count; ++k) {
        if (!joint_agrees(e, &set->joints, k, a[set->joints.rates[k]])) {
            return false;
        }
    }
    return true;
}

void atemi_evaluation_predict_modes(atemi_evaluation *e, const atemi_simulation_contacts *set,
                                    const atemi_state *state)
{
    atemi_mode_prediction *p = &e->prediction;
    atemi_mode_prediction_candidates(p, set);
    atemi_mode_prediction_move(p, e->model, set, &e->dynamics, state->q, state->v, moment);
    atemi_mode_prediction_classify(p, set, moment * no_acceleration(e));
}
