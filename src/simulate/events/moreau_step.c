// SPDX-License-Identifier: Apache-2.0

#include "simulate/events/moreau_step.h"

#include "simulate/events/extrapolation.h"
#include "simulate/events/projection.h"
#include "simulate/events/runge_kutta.h"
#include "simulate/events/step_limit.h"

#include <math.h>
#include <string.h>

// The robot flies for a moment dt, without its contacts, and collides at the end with all that was
// in touch. Points that their surfaces had to hold, with the acceleration c, are inside then, and
// are lifted out. Flight keeps energy, the collision changes it by  p.u' - p.A p / 2,  and lifting
// gains c_n.A_nn^-1 c_n dt^2 / 2  at most: in all  p_t.u'_t  and what friction's part of p.A p
// takes, which is a loss. What is left of third order, and would be a gain, is taken from the
// motion. Lifting rotates links, which lowers other points: those in touch are lifted as well, and
// no other may be inside after it (flight alone, as deep as all that falls, does not show that).

enum { MOST_LIFTS = 20 };

static void release_joints(const atemi_mode_prediction *prediction, atemi_joint_modes *joints)
{
    memcpy(joints->flight, joints->states, (size_t)joints->count * sizeof *joints->states);
    for (int k = 0; k < joints->count; ++k) {
        if (prediction->joints[k]) {
            atemi_joint_let_go(joints, k, 0);
        }
    }
}

// What is in touch does not slip in flight: evaluation predicts nothing, and candidates remain.
static bool fly(atemi_step *step, atemi_simulation_contacts *set, atemi_state *state, double by)
{
    const bool *candidates = step->evaluation.prediction.candidates;
    memcpy(set->flight_modes, set->modes, (size_t)set->point_count * sizeof *set->modes);
    release_joints(&step->evaluation.prediction, &set->joints);
    for (int i = 0; i < set->point_count; ++i) {
        set->modes[i] = candidates[i] ? ATEMI_CONTACT_OPEN : set->modes[i];
    }
    atemi_state_copy(step->evaluation.model, state, &step->start);
    if (atemi_evaluate(&step->evaluation, set, state->time, state->q, state->v, step->start.a)) {
        return false;
    }
    memcpy(step->start_states, set->states, (size_t)set->point_count * sizeof *set->states);
    atemi_flows_find(&step->evaluation, set, state->v, &step->flows[0]);
    step->damped = atemi_step_limit_is_stiff(&step->evaluation, by);
    return !(step->damped ? atemi_extrapolation_step : atemi_runge_kutta_step)(step, set, state,
                                                                               by);
}

static void fly_back(atemi_step *step, atemi_simulation_contacts *set, atemi_state *state)
{
    memcpy(set->modes, set->flight_modes, (size_t)set->point_count * sizeof *set->modes);
    memcpy(set->joints.states, set->joints.flight,
           (size_t)set->joints.count * sizeof *set->joints.states);
    atemi_step_restart(step, set, state);
}

// When a gap that was g, and grew at the rate r, became zero, if it is x < 0 after the time h and
// accelerated evenly.
static double time_of_touch(double g, double r, double x, double h)
{
    const double half = (x - g - r * h) / (h * h);
    const double root = sqrt(fmax(r * r - 4.0 * half * fmax(g, 0.0), 0.0));
    const double time = r > 0.0 ? -0.5 * (r + root) / half : 2.0 * fmax(g, 0.0) / (root - r);
    return time > 0.0 && time < h ? time : 0.0;
}

// When the first joint that was not in touch with a stop reached it; h if none is inside.
static double time_of_stop(const atemi_step *step, const atemi_joint_modes *joints,
                           const bool *candidates, double h)
{
    double first = h;
    for (int k = 0; k < joints->count; ++k) {
        const int i = joints->rates[k], at = joints->bounds->coordinates[i];
        for (int side = -1; side <= 1 && !candidates[k] && !joints->states[k].held; side += 2) {
            const double gap = atemi_joint_gap(joints, k, side);
            if (gap < -atemi_deep) {
                const double was = gap - side * (joints->q[k] - step->start.q[at]);
                first = fmin(first, time_of_touch(was, side * step->start.v[i], gap, h));
            }
        }
    }
    return first;
}

// When the first point that was not in touch reached its surface, or joint its stop; h if none is
// inside.
static double first_touch(const atemi_step *step, const atemi_simulation_contacts *set, double h)
{
    const atemi_mode_prediction *p = &step->evaluation.prediction;
    double                       first = time_of_stop(step, &set->joints, p->joints, h);
    for (int i = 0; i < set->point_count; ++i) {
        const atemi_contact_state *was = &step->start_states[i];
        const double               gap = set->states[i].view.gap;
        if (!p->candidates[i] && set->modes[i] == ATEMI_CONTACT_OPEN && gap < -atemi_deep) {
            const double rate = atemi_vec3_dot(was->carrier, was->view.normal);
            first = fmin(first, time_of_touch(was->view.gap, rate, gap, h));
        }
    }
    return first;
}

// With the friction of joints over the moment h.
static void collide(atemi_touchdown *touchdown, atemi_evaluation *e, atemi_simulation_contacts *set,
                    atemi_state *state, double h)
{
    atemi_mode_prediction *p = &e->prediction;
    for (int i = 0; i < set->point_count; ++i) {
        touchdown->contacts[i] = atemi_point_contact(set, i, p->candidates[i], p->friction[i]);
    }
    atemi_mode_prediction_list_joints(p, &set->joints, h);
    const atemi_contact_set all = {.contacts = touchdown->contacts,
                                   .count = set->point_count,
                                   .holds = p->holds,
                                   .hold_count = p->hold_count,
                                   .loops = set->loops.loops,
                                   .loop_count = set->loops.count};
    atemi_collision_in(e->model, state->q, state->v, &all, &touchdown->scratch, state->v,
                       touchdown->impulses, NULL);
    atemi_observe(e, set, state->q, state->v);
    for (int i = 0; i < p->hold_count; ++i) {
        p->joint_velocities[p->holders[i]] = set->joints.v[p->holders[i]];
        p->joint_forces[p->holders[i]] = p->holds[i].force / h;
    }
    for (int i = 0; i < set->point_count; ++i) {
        p->velocities[i] = set->states[i].velocity;
    }
}

// Holds what was in touch and is inside; whether there is more of that than before.
static bool hold_sunken(atemi_simulation_contacts *set, const atemi_mode_prediction *prediction)
{
    const bool *candidates = prediction->candidates;
    bool        more = false;
    for (int k = 0; k < set->joints.count; ++k) {
        const double lower = atemi_joint_gap(&set->joints, k, 1);
        const double upper = atemi_joint_gap(&set->joints, k, -1);
        if (prediction->joints[k] && !set->joints.states[k].held && fmin(lower, upper) < 0.0) {
            atemi_joint_hold_at(&set->joints, k, lower < 0.0, upper < 0.0);
            more = true;
        }
    }
    for (int i = 0; i < set->point_count; ++i) {
        if (candidates[i] && set->modes[i] == ATEMI_CONTACT_OPEN && set->states[i].view.gap < 0.0) {
            set->modes[i] = ATEMI_CONTACT_SLIP;
            more = true;
        }
    }
    return more;
}

// Each time by what the constraints are in first order, which is not all where it is much.
static void lift_out(atemi_evaluation *e, atemi_simulation_contacts *set, atemi_state *state)
{
    bool off = hold_sunken(set, &e->prediction);
    for (int i = 0; i < MOST_LIFTS && off; ++i) {
        off = atemi_project_positions(e, set, state);
        off = hold_sunken(set, &e->prediction) || off;
    }
}

// Kinetic and potential, of what was observed last.
static double energy_of(const atemi_evaluation *e)
{
    const atemi_kinematics *k = &e->dynamics.bias.kinematics;
    return atemi_kinetic_energy_in(e->model, k) + atemi_potential_energy_in(e->model, k);
}

// Slows all motion down until there is no more energy than that.
static void limit_energy(atemi_evaluation *e, atemi_simulation_contacts *set, atemi_state *state,
                         double most)
{
    const double gained = energy_of(e) - most;
    if (gained > 0.0) {
        const double moving = atemi_kinetic_energy_in(e->model, &e->dynamics.bias.kinematics);
        const double fraction = gained < moving ? sqrt(1.0 - gained / moving) : 0.0;
        for (int i = 0; i < atemi_model_v_count(e->model); ++i) {
            state->v[i] *= fraction;
        }
        atemi_observe(e, set, state->q, state->v);
    }
}

// The end of a flight of h; whether nothing else is inside then.
static bool lands(atemi_step *step, atemi_touchdown *touchdown, atemi_simulation_contacts *set,
                  atemi_state *state, atemi_ledger *ledger, double h)
{
    atemi_evaluation *e = &step->evaluation;
    const double      energy = energy_of(e);
    collide(touchdown, e, set, state, state->time - step->start.time);
    lift_out(e, set, state);
    step->touch = first_touch(step, set, h);
    if (step->touch < h || !atemi_near_points_hold(e, set)) {
        return false;
    }
    limit_energy(e, set, state, energy);
    atemi_ledger_add_stages(ledger, state->time - step->start.time, step->flows);
    atemi_ledger_add_collision(ledger, set, touchdown->impulses, energy_of(e) - energy);
    return true;
}

bool atemi_moreau_step(atemi_step *step, atemi_touchdown *touchdown, atemi_simulation_contacts *set,
                       atemi_state *state, atemi_ledger *ledger, double h)
{
    atemi_mode_prediction *p = &step->evaluation.prediction;
    atemi_near_points_find(&step->evaluation, set, 1.0);
    atemi_mode_prediction_candidates(p, set);
    step->touch = 0.0;
    if (!fly(step, set, state, h) || !lands(step, touchdown, set, state, ledger, h)) {
        fly_back(step, set, state);
        return false;
    }
    for (int i = 0; i < set->point_count; ++i) {
        set->distribution[i] = atemi_vec3_scale(1.0 / h, touchdown->impulses[i]);
    }
    for (int k = 0; k < set->joints.count; ++k) {
        set->joints.states[k].preferred = p->joint_forces[k];
    }
    set->distribution_known = true;
    set->distribution_used = false;
    atemi_mode_prediction_classify(p, set, atemi_creeping);
    atemi_mode_prediction_apply(p, set);
    return true;
}
