// SPDX-License-Identifier: Apache-2.0

#include "contact/constrained_derivatives.h"

#include "atemi/base.h"
#include "contact/collision.h"
#include "contact/constrained_dynamics.h"
#include "contact/contact_variation.h"
#include "dynamics/newton_euler.h"

#include <string.h>

// The derivatives of free dynamics with contact forces as external wrenches that stay in world axes
// at the contacts' points (derivatives.c), then how the forces change to keep the constraints
// (contact_variation.c).
//
//   constrained dynamics    c = direction.(acceleration of the point) - what the mode asks
//   impulses                M(q) (v' - v) = G^T p: inverse dynamics at rest, without gravity, with
//                           a = v' - v;   c = direction.u' + restitution (direction.n) n.u
//
// with u and u' the velocity of the point before and after, and restitution only where the point
// approached.

enum { BY_Q, BY_V, BY_TAU };

atemi_constrained_derivatives_scratch
atemi_constrained_derivatives_scratch_take(atemi_arena *arena, const atemi_model *model,
                                           int max_contacts)
{
    const int                             n = model->v_count;
    atemi_constrained_derivatives_scratch s = {
        .dynamics = atemi_constrained_dynamics_scratch_take_rows(
            arena, model, max_contacts, ATEMI_CONTACT_MAX_ROWS * max_contacts)};
    s.derivatives =
        atemi_derivatives_scratch_take_on(arena, model, s.dynamics.bias, s.dynamics.factor);
    s.wrenches = atemi_arena_array(arena, atemi_force, model->link_count);
    s.forces = atemi_arena_array(arena, atemi_force, max_contacts);
    s.variation = atemi_arena_array(arena, atemi_contact_variation, 1);
    s.point = atemi_arena_array(arena, double, 4 * 6 * n + ATEMI_LANES);
    s.step = atemi_arena_array(arena, double, n);
    atemi_contact_variation_take(arena, model, ATEMI_CONTACT_MAX_ROWS * max_contacts, s.variation);
    return s;
}

// The parts of `point`.
typedef struct point_matrices {
    double *velocity_dq, *acceleration_dq, *acceleration_dv, *jacobian;
} point_matrices;

static point_matrices point_matrices_of(const atemi_constrained_derivatives_scratch *s, int n)
{
    return (point_matrices){s->point, s->point + 6 * n, s->point + 12 * n, s->point + 18 * n};
}

// Gives every row of the contacts to `add`, with the derivatives of its point.
typedef struct row_context {
    const atemi_model                     *model;
    atemi_constrained_derivatives_scratch *s;
    double                                 restitution;
    bool                                   accelerations; // are needed
} row_context;

typedef void (*row_adder)(const row_context *x, const atemi_contact_row *row,
                          const atemi_contact *contact, int r, const point_matrices *point);

static void vary_rows(const row_context *x, const atemi_contact *contacts, row_adder add)
{
    const int                     n = x->model->v_count;
    const atemi_constraint_space *space = &x->s->dynamics.space;
    const point_matrices          p = point_matrices_of(x->s, n);
    const bool                    all = x->accelerations;
    int                           known = ATEMI_NONE;
    for (int r = 0; r < space->row_count; ++r) {
        const int            i = space->rows[r].contact;
        const atemi_contact *contact = &contacts[i];
        if (i != known) {
            atemi_link_derivatives(x->model, &x->s->derivatives, contact->link, contact->point,
                                   p.velocity_dq, all ? p.acceleration_dq : NULL,
                                   all ? p.acceleration_dv : NULL, p.jacobian);
            known = i;
        }
        add(x, &space->rows[r], contact, r, &p);
    }
}

static atemi_vec3 velocity_of(const row_context *x, const atemi_contact *contact)
{
    const atemi_kinematics *k = &x->s->derivatives.inverse.kinematics;
    const atemi_transform   pose = atemi_link_pose_in(x->model, k, contact->link);
    const atemi_motion      v = atemi_link_velocity_in(x->model, k, contact->link);
    return atemi_motion_at(v, atemi_mat3_apply(&pose.rotation, contact->point)).linear;
}

// The wrenches of the surroundings and of the contacts on every link, and their maps K.
static void pull_contacts(const atemi_model *model, const atemi_force *external,
                          const atemi_contact *contacts, int count,
                          atemi_constrained_derivatives_scratch *s)
{
    const size_t size = (size_t)model->link_count * sizeof *s->wrenches;
    if (external) {
        memcpy(s->wrenches, external, size);
    } else {
        memset(s->wrenches, 0, size);
    }
    atemi_contact_forces_add_in(model, &s->derivatives.inverse.kinematics, contacts, s->forces,
                                count, s->wrenches);
    atemi_derivatives_pull(model, external, &s->derivatives);
    for (int i = 0; i < count; ++i) {
        atemi_derivatives_pull_at(model, contacts[i].link, contacts[i].point, &s->forces[i],
                                  &s->derivatives);
    }
}

static void read_results(const atemi_contact *contacts, int count, const atemi_right_sides *sides,
                         const atemi_constrained_derivatives_scratch *s,
                         const atemi_constrained_derivatives *result, int parts)
{
    const atemi_constraint_space *space = &s->dynamics.space;
    double *const                 motion[] = {result->dq, result->dv, result->dtau};
    double *const forces[] = {result->forces_dq, result->forces_dv, result->forces_dtau};
    for (int part = 0; part < parts; ++part) {
        atemi_right_sides_read(sides, part, motion[part]);
        if (forces[part]) {
            atemi_contact_variation_read(space->rows, contacts, space->target, count, part,
                                         sides->n, s->variation, forces[part]);
        }
    }
    if (result->a) {
        memcpy(result->a, s->step, (size_t)sides->n * sizeof *result->a);
    }
    if (result->forces && count) {
        memcpy(result->forces, s->forces, (size_t)count * sizeof *result->forces);
    }
}

// ---- Constrained dynamics

static atemi_status find_motion(const atemi_model *model, const double *q, const double *v,
                                const double *tau, const atemi_force *external,
                                const atemi_contact *contacts, int count,
                                atemi_constrained_derivatives_scratch *s)
{
    atemi_contact_report report;
    memset(s->derivatives.still, 0, (size_t)model->v_count * sizeof *s->derivatives.still);
    atemi_kinematics_update(model, q, v ? v : s->derivatives.still, NULL,
                            &s->dynamics.bias.kinematics);
    s->derivatives.inverse = s->dynamics.bias;
    s->derivatives.gravity = model->gravity;
    atemi_derivatives_bodies(model, &s->derivatives);
    if (atemi_constrained_dynamics_load(model, true, tau, external, &s->dynamics)) {
        return ATEMI_ERROR_SINGULAR;
    }
    const atemi_contact_set set = {.contacts = contacts, .count = count};
    return atemi_constrained_dynamics_answer(model, true, &set, &s->dynamics, s->step, s->forces,
                                             &report);
}

static void add_acceleration_row(const row_context *x, const atemi_contact_row *row,
                                 const atemi_contact *contact, int r, const point_matrices *p)
{
    atemi_contact_variation *v = x->s->variation;
    const int                n = x->model->v_count;
    atemi_contact_variation_row(row, contact, velocity_of(x, contact), r, n, p->velocity_dq,
                                p->jacobian, v);
    atemi_wide_add(v->drift, v->stride, r, BY_Q, n, row->direction, row->angular,
                   p->acceleration_dq);
    atemi_wide_add(v->drift, v->stride, r, BY_V, n, row->direction, row->angular,
                   p->acceleration_dv);
}

atemi_status atemi_constrained_dynamics_derivatives(const atemi_model *model, const double *q,
                                                    const double *v, const double *tau,
                                                    const atemi_force   *external,
                                                    const atemi_contact *contacts, int count,
                                                    atemi_constrained_derivatives_scratch *scratch,
                                                    const atemi_constrained_derivatives   *result)
{
    ATEMI_REQUIRE_OR(model && scratch && q && result, ATEMI_ERROR_CONTRACT);
    ATEMI_REQUIRE_OR(result->dq && result->dv && result->dtau, ATEMI_ERROR_CONTRACT);
    ATEMI_REQUIRE_OR(count >= 0 && count <= scratch->dynamics.space.max_contacts,
                     ATEMI_ERROR_CONTRACT);
    ATEMI_REQUIRE_OR(count == 0 || contacts, ATEMI_ERROR_CONTRACT);
    ATEMI_REQUIRE_OR(atemi_contacts_are_of_world(contacts, count), ATEMI_ERROR_CONTRACT);
    const atemi_status status = find_motion(model, q, v, tau, external, contacts, count, scratch);
    if (status) {
        return status;
    }
    atemi_derivatives_scratch    *d = &scratch->derivatives;
    const atemi_constraint_space *space = &scratch->dynamics.space;
    const row_context             context = {model, scratch, 0.0, true};
    pull_contacts(model, external, contacts, count, scratch);
    atemi_newton_euler_at(model, true, scratch->step, model->gravity, scratch->wrenches,
                          &d->inverse, d->tau);
    atemi_derivatives_vary(model, d);
    atemi_contact_variation_begin(scratch->variation, space->row_count);
    vary_rows(&context, contacts, add_acceleration_row);
    const atemi_right_sides sides = atemi_right_sides_solve(model, d);
    atemi_contact_variation_solve(space->rows, contacts, space->target, &sides, scratch->variation);
    read_results(contacts, count, &sides, scratch, result, 3);
    return ATEMI_OK;
}

// ---- Impulses

// The impulse itself, on the memory of constrained dynamics; `step` becomes the velocity after it.
static atemi_status find_impulse(const atemi_model *model, const double *q, const double *v,
                                 const atemi_contact *contacts, int count, double restitution,
                                 atemi_constrained_derivatives_scratch *s)
{
    atemi_constrained_dynamics_scratch *c = &s->dynamics;
    const atemi_contact_set             set = {.contacts = contacts, .count = count};
    atemi_contact_report                report;
    atemi_kinematics_update(model, q, v, NULL, &c->bias.kinematics);
    const atemi_status status =
        atemi_collision_modes_at(model, &c->bias.kinematics, &c->factor, v, &set, restitution,
                                 &c->space, s->step, s->forces, &report);
    s->derivatives.inverse = c->bias;
    return status;
}

static void vary_motion_at(const atemi_model *model, const double *v, atemi_derivatives_scratch *d)
{
    const atemi_vec3 nowhere = {0};
    atemi_kinematics_velocities(model, v, &d->inverse.kinematics);
    atemi_kinematics_accelerations(model, NULL, false, nowhere, &d->inverse.kinematics);
    atemi_derivatives_vary_motion(model, d);
}

static void add_row_before(const row_context *x, const atemi_contact_row *row,
                           const atemi_contact *contact, int r, const point_matrices *p)
{
    atemi_contact_variation *v = x->s->variation;
    const int                n = x->model->v_count;
    atemi_contact_variation_row(row, contact, velocity_of(x, contact), r, n, p->velocity_dq,
                                p->jacobian, v);
    atemi_wide_add(v->drift, v->stride, r, BY_V, n, row->direction, row->angular, p->jacobian);
    if (contact->mode != ATEMI_CONTACT_SURFACE && row->approach > 0.0) {
        const double     part = x->restitution * atemi_vec3_dot(row->direction, contact->normal);
        const atemi_vec3 back = atemi_vec3_scale(part, contact->normal);
        atemi_wide_add(v->drift, v->stride, r, BY_Q, n, back, false, p->velocity_dq);
        atemi_wide_add(v->drift, v->stride, r, BY_V, n, back, false, p->jacobian);
    }
}

static void add_row_after(const row_context *x, const atemi_contact_row *row,
                          const atemi_contact *contact, int r, const point_matrices *p)
{
    atemi_contact_variation *v = x->s->variation;
    (void)contact;
    atemi_wide_add(v->drift, v->stride, r, BY_Q, x->model->v_count, row->direction, row->angular,
                   p->velocity_dq);
}

// M(q) (v' - v) - G^T p by q: inverse dynamics at rest and without gravity.
static void vary_balance(const atemi_model *model, const double *v, const atemi_contact *contacts,
                         int count, atemi_constrained_derivatives_scratch *s)
{
    atemi_derivatives_scratch *d = &s->derivatives;
    for (int i = 0; i < model->v_count; ++i) {
        d->a[i] = s->step[i] - v[i];
    }
    memset(d->still, 0, (size_t)model->v_count * sizeof *d->still);
    memset(d->coriolis, 0, (size_t)model->block_count * sizeof *d->coriolis);
    atemi_kinematics_velocities(model, d->still, &d->inverse.kinematics);
    pull_contacts(model, NULL, contacts, count, s);
    atemi_newton_euler_at(model, true, d->a, d->gravity, s->wrenches, &d->inverse, d->tau);
    atemi_derivatives_vary(model, d);
}

atemi_status atemi_impulse_derivatives(const atemi_model *model, const double *q, const double *v,
                                       const atemi_contact *contacts, int count, double restitution,
                                       atemi_constrained_derivatives_scratch *scratch,
                                       const atemi_constrained_derivatives   *result)
{
    ATEMI_REQUIRE_OR(model && scratch && q && v && result, ATEMI_ERROR_CONTRACT);
    ATEMI_REQUIRE_OR(result->dq && result->dv, ATEMI_ERROR_CONTRACT);
    ATEMI_REQUIRE_OR(count >= 0 && count <= scratch->dynamics.space.max_contacts,
                     ATEMI_ERROR_CONTRACT);
    ATEMI_REQUIRE_OR(count == 0 || contacts, ATEMI_ERROR_CONTRACT);
    ATEMI_REQUIRE_OR(atemi_contacts_are_of_world(contacts, count), ATEMI_ERROR_CONTRACT);
    const atemi_status status = find_impulse(model, q, v, contacts, count, restitution, scratch);
    if (status) {
        return status;
    }
    const row_context             context = {model, scratch, restitution, false};
    const atemi_constraint_space *space = &scratch->dynamics.space;
    scratch->derivatives.gravity = (atemi_vec3){0};
    atemi_contact_variation_begin(scratch->variation, space->row_count);
    vary_motion_at(model, v, &scratch->derivatives);
    vary_rows(&context, contacts, add_row_before);
    vary_motion_at(model, scratch->step, &scratch->derivatives);
    vary_rows(&context, contacts, add_row_after);
    vary_balance(model, v, contacts, count, scratch);
    const atemi_right_sides sides = atemi_right_sides_solve(model, &scratch->derivatives);
    atemi_contact_variation_solve(space->rows, contacts, space->target, &sides, scratch->variation);
    for (int i = 0; i < sides.n; ++i) {
        *atemi_wide(sides.X, sides.stride, i, BY_V, i) += 1.0;
    }
    read_results(contacts, count, &sides, scratch, result, 2);
    return ATEMI_OK;
}

atemi_constrained_derivatives_scratch *
atemi_constrained_derivatives_take(atemi_arena *arena, const atemi_model *model, int max_contacts)
{
    ATEMI_REQUIRE_OR(arena && model && max_contacts >= 0 && max_contacts <= ATEMI_CONTACT_MAX_COUNT,
                     NULL);
    atemi_constrained_derivatives_scratch *place =
        atemi_arena_array(arena, atemi_constrained_derivatives_scratch, 1);
    const atemi_constrained_derivatives_scratch scratch =
        atemi_constrained_derivatives_scratch_take(arena, model, max_contacts);
    if (place) {
        *place = scratch;
    }
    return place;
}
