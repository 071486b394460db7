// SPDX-License-Identifier: Apache-2.0

#include "simulate/events/touchdown.h"

#include "contact/collision.h"
#include "dynamics/newton_euler.h"

#include <math.h>
#include <string.h>

// A point that is back after less time has not bounced: pressed with 100 g it would come back every
// 10 us from less than 0.02 um, without end if it is elastic. Where steps are shorter than 0.6 ms
// somebody may want to see that: then it is a 64th of a step.
static double shortest_flight(const atemi_simulation_options *options)
{
    return fmin(1e-5, options->step / 64.0);
}

atemi_touchdown atemi_touchdown_take(atemi_arena *arena, const atemi_model *model,
                                     const atemi_simulation_contacts *set)
{
    const int n = set->most_points, nv = atemi_model_v_count(model);
    return (atemi_touchdown){.restitution = atemi_arena_array(arena, double, n),
                             .holds = atemi_arena_array(arena, atemi_joint_hold, nv),
                             .holders = atemi_arena_array(arena, int, nv),
                             .impulses = atemi_arena_array(arena, atemi_vec3, n),
                             .contacts = atemi_arena_array(arena, atemi_contact, n),
                             .before = atemi_arena_array(arena, double, nv),
                             .difference = atemi_arena_array(arena, double, nv),
                             .momentum = atemi_arena_array(arena, double, nv),
                             .scratch = atemi_collision_scratch_take_closed(
                                 arena, model, n, set->most_rigid, nv, set->loops.row_count),
                             .inverse = atemi_inverse_dynamics_scratch_take(arena, model)};
}

static bool is_in_touch(const atemi_simulation_contacts *set, int point)
{
    return atemi_point_is_rigid(set, point) &&
           (atemi_point_is_held(set, point) || set->points[point].tied ||
            set->states[point].view.gap < atemi_touching);
}

static double largest(int n, const double *x)
{
    double found = 0.0;
    for (int i = 0; i < n; ++i) {
        found = fmax(found, fabs(x[i]));
    }
    return found;
}

// The worst error of  M (v' - v) = sum of J_i^T p_i,  relative to M v and M v': inverse dynamics
// without gravity, with the impulses as forces.
static double balance(atemi_touchdown *c, atemi_evaluation *e, const atemi_simulation_contacts *set,
                      const atemi_state *state)
{
    const atemi_vec3 weightless = {0.0, 0.0, 0.0};
    const int        n = atemi_model_v_count(e->model);
    memset(e->loads, 0, (size_t)atemi_model_link_count(e->model) * sizeof *e->loads);
    for (int i = 0; i < set->point_count; ++i) {
        atemi_evaluation_load_point(e, set, i, c->impulses[i]);
    }
    atemi_loop_forces_add(e->model, &e->dynamics.bias.kinematics, set->loops.loops,
                          set->loops.impulses, set->loops.count, e->loads);
    for (int i = 0; i < n; ++i) {
        c->difference[i] = state->v[i] - c->before[i];
    }
    atemi_newton_euler(e->model, state->q, NULL, c->before, weightless, NULL, &c->inverse,
                       c->momentum);
    double momentum = largest(n, c->momentum), left;
    atemi_newton_euler(e->model, state->q, NULL, state->v, weightless, NULL, &c->inverse,
                       c->momentum);
    momentum = fmax(momentum, largest(n, c->momentum));
    atemi_newton_euler(e->model, state->q, NULL, c->difference, weightless, e->loads, &c->inverse,
                       c->momentum);
    for (int i = 0; i < c->hold_count; ++i) {
        c->momentum[c->holds[i].rate] -= c->holds[i].force;
    }
    left = largest(n, c->momentum);
    return momentum > 0.0 ? left / momentum : 0.0;
}

static bool bounces(const atemi_simulation_contacts *set, int point, double time,
                    const atemi_simulation_options *options)
{
    return atemi_point_approach(set, point) > options->slowest_bounce &&
           time - set->bounced[point] > shortest_flight(options);
}

// ---- Stops ----------------------------------------------------------------------------------

// How fast a joint comes nearer to a stop that it touches; the faster one of two.
static double joint_approach(const atemi_joint_modes *joints, int k)
{
    const double lower = atemi_joint_touches(joints, k, 1) ? -joints->v[k] : -(double)INFINITY;
    const double upper = atemi_joint_touches(joints, k, -1) ? joints->v[k] : -(double)INFINITY;
    return fmax(lower, upper);
}

static bool joint_bounces(const atemi_joint_modes *joints, int k, double time,
                          const atemi_simulation_options *options)
{
    return joint_approach(joints, k) > options->slowest_bounce &&
           time - joints->states[k].bounced > shortest_flight(options);
}

// All that touch their stops. Dry friction has no impulse.
static void list_stops(atemi_touchdown *c, const atemi_joint_modes *joints, double time,
                       const atemi_simulation_options *options)
{
    c->hold_count = 0;
    for (int k = 0; k < joints->count; ++k) {
        const bool lower = atemi_joint_touches(joints, k, 1);
        const bool upper = atemi_joint_touches(joints, k, -1);
        if (lower || upper) {
            const atemi_interval may = atemi_joint_interval(lower, upper, 0.0);
            const bool           bounces = joint_bounces(joints, k, time, options);
            c->holders[c->hold_count] = k;
            c->holds[c->hold_count++] =
                (atemi_joint_hold){.rate = joints->rates[k],
                                   .lower = may.lower,
                                   .upper = may.upper,
                                   .restitution = bounces ? options->stop_restitution : 0.0};
        }
    }
}

static void report_stops(const atemi_touchdown *c, const atemi_evaluation *e,
                         atemi_joint_modes *joints, double time, double energy,
                         atemi_ledger *ledger)
{
    for (int i = 0; i < c->hold_count; ++i) {
        const int    k = c->holders[i];
        const double speed = joint_approach(joints, k);
        if (!joints->states[k].held && speed > atemi_creeping) {
            atemi_ledger_report(ledger, e->hooks, time,
                                (atemi_event){.kind = ATEMI_EVENT_STOP,
                                              .point = ATEMI_NONE,
                                              .joint = joints->bounds->joints[joints->rates[k]],
                                              .speed = speed,
                                              .energy = energy,
                                              .stop_impulse = c->holds[i].force});
            joints->states[k].bounced = time;
        }
    }
}

// What rests at its stop after a collision is held there; friction holds what does not move.
static void take_joint_modes(atemi_joint_modes *joints, double slowest_bounce)
{
    for (int k = 0; k < joints->count; ++k) {
        const double v = joints->v[k];
        const bool   rubs = atemi_joint_friction_of(joints, k) > 0.0;
        const bool   rests = joint_approach(joints, k) > -slowest_bounce;
        if (rests || (rubs && fabs(v) <= atemi_creeping)) {
            atemi_joint_hold_on(joints, k);
        } else {
            atemi_joint_let_go(joints, k, v > 0.0 ? 1 : -1);
        }
    }
}

static bool any_stop_is_due(const atemi_joint_modes *joints)
{
    for (int k = 0; k < joints->count; ++k) {
        if (joint_approach(joints, k) > atemi_creeping) {
            return true;
        }
    }
    return false;
}

// ---- Collisions -----------------------------------------------------------------------------

// Returns the energy that it took.
static double collide(atemi_touchdown *c, atemi_evaluation *e, atemi_simulation_contacts *set,
                      atemi_state *state, atemi_ledger *ledger)
{
    atemi_simulation_statistics *counted = &ledger->statistics;
    atemi_collision_report       report;
    for (int i = 0; i < set->point_count; ++i) {
        const atemi_simulation_point *point = &set->points[i];
        c->contacts[i] = atemi_point_contact(set, i, is_in_touch(set, i), point->kinetic_friction);
        c->restitution[i] = bounces(set, i, state->time, e->options) ? point->restitution : 0.0;
    }
    list_stops(c, &set->joints, state->time, e->options);
    memcpy(c->before, state->v, (size_t)atemi_model_v_count(e->model) * sizeof *state->v);
    const atemi_contact_set all = {.contacts = c->contacts,
                                   .count = set->point_count,
                                   .restitution = c->restitution,
                                   .holds = c->holds,
                                   .hold_count = c->hold_count,
                                   .loops = set->loops.loops,
                                   .loop_count = set->loops.count,
                                   .loop_forces = set->loops.impulses};
    atemi_collision_in(e->model, state->q, state->v, &all, &c->scratch, state->v, c->impulses,
                       &report);
    ++counted->collisions;
    counted->collision_energy -= report.energy;
    counted->collision_balance = fmax(counted->collision_balance, balance(c, e, set, state));
    atemi_ledger_add_collision(ledger, set, c->impulses, report.energy);
    return -report.energy;
}

static void report_touchdowns(const atemi_touchdown *c, const atemi_evaluation *e,
                              atemi_simulation_contacts *set, double time, double energy,
                              atemi_ledger *ledger)
{
    for (int i = 0; i < set->point_count; ++i) {
        const double speed = atemi_point_approach(set, i);
        if (set->modes[i] == ATEMI_CONTACT_OPEN && is_in_touch(set, i) && speed > atemi_creeping) {
            atemi_ledger_report_point(ledger, e->hooks, time, set, i,
                                      (atemi_event){.kind = ATEMI_EVENT_TOUCHDOWN,
                                                    .speed = speed,
                                                    .impulse = c->impulses[i],
                                                    .impulses = c->impulses,
                                                    .energy = energy});
            if (set->points[i].restitution > 0.0 && !bounces(set, i, time, e->options)) {
                atemi_ledger_report_point(ledger, e->hooks, time, set, i,
                                          (atemi_event){.kind = ATEMI_EVENT_REST, .speed = speed});
            }
            set->bounced[i] = time;
        }
    }
}

// What rests on its surface after a collision is held, and slips if it slides. A point that leaves
// too slowly to bounce is held as well (and let go again if its force would pull): or two ends of
// an edge could take turns for ever.
static void take_modes(atemi_simulation_contacts *set, double slowest_bounce)
{
    for (int i = 0; i < set->point_count; ++i) {
        const bool rests = is_in_touch(set, i) &&
                           (set->points[i].tied || atemi_point_approach(set, i) > -slowest_bounce);
        if (!atemi_point_is_rigid(set, i)) {
            continue;
        }
        if (rests) {
            atemi_point_stick(set, i);
            set->modes[i] = atemi_point_slide_speed(set, i) > atemi_creeping ? ATEMI_CONTACT_SLIP
                                                                             : ATEMI_CONTACT_STICK;
            atemi_point_follow(set, i);
        } else if (is_in_touch(set, i)) {
            atemi_point_open(set, i);
        }
    }
}

bool atemi_touchdown_is_due(const atemi_simulation_contacts *set)
{
    for (int i = 0; i < set->point_count; ++i) {
        if (is_in_touch(set, i) && !set->points[i].tied &&
            atemi_point_approach(set, i) > atemi_creeping) {
            return true;
        }
    }
    return any_stop_is_due(&set->joints);
}

void atemi_touch_down(atemi_touchdown *touchdown, atemi_evaluation *e,
                      atemi_simulation_contacts *set, atemi_state *state, atemi_ledger *ledger)
{
    if (atemi_touchdown_is_due(set)) {
        const double energy = collide(touchdown, e, set, state, ledger);
        report_touchdowns(touchdown, e, set, state->time, energy, ledger);
        report_stops(touchdown, e, &set->joints, state->time, energy, ledger);
        atemi_observe(e, set, state->q, state->v);
    }
    take_modes(set, e->options->slowest_bounce);
    take_joint_modes(&set->joints, e->options->slowest_bounce);
}
