// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"
#include "simulate/events/adaptive.h"
#include "simulate/simulation.h"

#include <string.h>

// All that the future depends on is listed once; the same walk over the list measures, saves and
// restores. What follows from the state (kinematics, contact states) is observed anew.

typedef enum walk_kind {
    WALK_MEASURE,
    WALK_SAVE,
    WALK_RESTORE,
} walk_kind;

// How far the walk is.
typedef struct walk {
    walk_kind kind;
    char     *at; ///< in what is saved
    size_t    size;
} walk;

static void pass(walk *w, void *part, size_t size)
{
    if (size == 0) { // the part may be NULL then, which memcpy() does not take
        return;
    }
    if (w->kind == WALK_SAVE) {
        memcpy(w->at + w->size, part, size);
    } else if (w->kind == WALK_RESTORE) {
        memcpy(part, w->at + w->size, size);
    }
    w->size += size;
}

static void pass_numbers(walk *w, double *part, int count)
{
    pass(w, part, (size_t)count * sizeof *part);
}

static void pass_state(walk *w, atemi_simulation *s)
{
    const int nv = atemi_model_v_count(s->model);
    pass_numbers(w, &s->state.time, 1);
    pass_numbers(w, s->state.q, atemi_model_q_count(s->model));
    pass_numbers(w, s->state.v, nv);
    pass_numbers(w, s->state.a, nv);
    pass(w, &s->ledger, sizeof s->ledger);
    pass(w, &s->unasked, sizeof s->unasked);
    pass(w, &s->restless, sizeof s->restless);
    pass_numbers(w, &s->stirred, 1);
    pass_numbers(w, &s->step.comfortable, 1);
    pass(w, &s->settled, sizeof s->settled);
    pass(w, &s->jams, sizeof s->jams);
}

static void pass_contacts(walk *w, atemi_simulation_contacts *set)
{
    const size_t n = (size_t)set->most_points;
    atemi_vec3  *vectors[] = {set->forces, set->anchors, set->directions, set->leads,
                              set->distribution};
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; ++i) {
        pass(w, vectors[i], n * sizeof *vectors[i]);
    }
    pass(w, &set->near.count, sizeof set->near.count);
    pass(w, set->near.keys, (size_t)set->near.most * sizeof *set->near.keys);
    pass(w, set->modes, n * sizeof *set->modes);
    pass(w, set->directed, n * sizeof *set->directed);
    pass(w, set->leaving, n * sizeof *set->leaving);
    pass(w, set->parts, n * sizeof *set->parts);
    pass(w, set->uppers, n * sizeof *set->uppers);
    pass(w, set->signs, n * sizeof *set->signs);
    pass(w, set->bounced, n * sizeof *set->bounced);
    pass(w, set->loops.forces, (size_t)set->loops.count * sizeof *set->loops.forces);
    pass(w, set->joints.states, (size_t)set->joints.count * sizeof *set->joints.states);
    pass(w, &set->distribution_known, sizeof set->distribution_known);
    pass(w, &set->distribution_used, sizeof set->distribution_used);
}

static void pass_evaluation(walk *w, atemi_evaluation *e, const atemi_simulation_contacts *set)
{
    const int    nv = atemi_model_v_count(e->model);
    const size_t links = (size_t)atemi_model_link_count(e->model);
    pass(w, &e->count, sizeof e->count);
    pass(w, &e->fault, sizeof e->fault);
    pass_numbers(w, e->held, nv);
    pass_numbers(w, e->applied, nv);
    pass_numbers(w, e->tau, nv);
    pass(w, e->external, links * sizeof *e->external);
    pass(w, e->prediction.forces, (size_t)set->most_points * sizeof *e->prediction.forces);
    pass_numbers(w, e->prediction.joint_forces, nv);
    pass_numbers(w, &e->damping.rate, 1);
    pass(w, &e->damping.stiffest, sizeof e->damping.stiffest);
    pass_numbers(w, e->damping.viscous, nv);
    pass_numbers(w, e->damping.coulomb, nv);
}

static void pass_time_step(walk *w, atemi_time_step *t, const atemi_simulation_contacts *set)
{
    pass(w, &t->smooth, sizeof t->smooth);
    pass(w, t->forces, (size_t)set->most_points * sizeof *t->forces);
    pass(w, &t->touches.touch_count, sizeof t->touches.touch_count);
    pass(w, t->touches.touches, (size_t)t->touches.most * sizeof *t->touches.touches);
    pass_numbers(w, t->joints.lower, t->joints.count);
    pass_numbers(w, t->joints.upper, t->joints.count);
    pass_numbers(w, t->loop_forces, set->loops.row_count);
    pass_numbers(w, t->stop_torques, t->joints.count);
    pass_numbers(w, t->friction_torques, t->joints.count);
}

static size_t pass_all(walk_kind kind, atemi_simulation *s, void *saved)
{
    walk w = {.kind = kind, .at = (char *)saved};
    pass_state(&w, s);
    pass_contacts(&w, &s->set);
    pass_evaluation(&w, &s->step.evaluation, &s->set);
    pass_time_step(&w, &s->time_step, &s->set);
    return w.size;
}

size_t atemi_simulation_saved_size(const atemi_simulation *simulation)
{
    return pass_all(WALK_MEASURE, (atemi_simulation *)simulation, NULL);
}

void atemi_simulation_save(const atemi_simulation *simulation, void *saved)
{
    ATEMI_REQUIRE(simulation && saved);
    pass_all(WALK_SAVE, (atemi_simulation *)simulation, saved);
}

void atemi_simulation_restore(atemi_simulation *simulation, const void *saved)
{
    ATEMI_REQUIRE(simulation && saved);
    atemi_simulation *s = simulation;
    pass_all(WALK_RESTORE, s, (void *)saved);
    s->step.start.time = s->step.limit = s->state.time;
    atemi_near_points_renew(&s->set, s->model);
    atemi_adaptive_forget(s->step.adaptive);
    atemi_observe(&s->step.evaluation, &s->set, s->state.q, s->state.v);
}
