// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"
#include "atemi/math.h"
#include "contact/data_contact.h"
#include "contact/jamming.h"
#include "dynamics/newton_euler.h"

#include <math.h>
#include <string.h>

// [ENE] with INV(q, v, a, g, f) the inverse dynamics under gravity g and the contact forces f:
//
//   b = INV(q, v, 0, g, 0)                     what eq. 32 leaves with a = 0, f = 0
//   M e_i = INV(q, 0, e_i, 0, 0)               column by column
//   j_c = INV(q, 0, 0, 0, -1) without friction (eq. 33), j_c - j_t K with it (eq. 34)
//   d_r = M^-1 j_c,r                           eq. 16
//   A_rs = d_r^T (j_c - j_t K)_s               eq. 20, for rows r and s
//   A f = d^T (b - tau) - dJ/dt v              eq. 18, 21; the Jacobian's rate from eq. 30
//   a = M^-1 (tau - INV(q, v, 0, g, f))        eq. 36
//
// Surfaces are taken with unit normals, so |dC/dr| of the paper is 1. Joint friction D is the
// caller's, as part of tau. The sign of d^T (b - tau) follows from eq. 10 and 12.

static const atemi_vec3 no_gravity = {0};

// Below this an A scaled to ones on its diagonal passes for singular.
static const double largest_condition = 1e12;

// Where the method computes: all of it lies in a data.
typedef struct method {
    atemi_data        *data;
    atemi_contact_row *rows;
    atemi_force       *external;                  ///< [link_count]
    double            *M;                         ///< [v_count x v_count], then its factor
    double            *motion, *force, *weighted; ///< [rows x v_count] j_c, j_c - j_t K, M^-1 j_c
    double            *jacobian;                  ///< [6 x v_count]
    double            *A;                         ///< [rows x rows]
    double            *f;                         ///< [rows]
    double            *b;                         ///< [v_count]
    double            *work;                      ///< [rows (rows + 2) + v_count]
    int               *pivot;                     ///< [rows]
} method;

static method method_of(atemi_data *data)
{
    atemi_contact_parts    *parts = data->contact;
    atemi_constraint_space *space = &parts->collision.space;
    return (method){.data = data,
                    .rows = space->rows,
                    .external = parts->loads,
                    .M = parts->M,
                    .motion = parts->motion,
                    .force = parts->force,
                    .weighted = parts->weighted,
                    .jacobian = parts->jacobian,
                    .A = space->system,
                    .f = space->target,
                    .b = data->load,
                    .work = parts->work,
                    .pivot = space->pivot};
}

// INV: the torques behind (v, a) under `gravity` when the rows push with `f`.
static void inverse(const atemi_model *model, const double *q, const double *v, const double *a,
                    atemi_vec3 gravity, const atemi_contact *contacts, int row_count,
                    const double *f, const method *s, double *tau)
{
    memset(s->external, 0, (size_t)model->link_count * sizeof *s->external);
    for (int r = 0; r < row_count; ++r) {
        const atemi_contact_row *row = &s->rows[r];
        const atemi_vec3         push = atemi_vec3_scale(f[r], row->push);
        const int                link = contacts[row->contact].link;
        const atemi_force        at_point = {row->angular ? no_gravity : push,
                                      row->angular ? push : no_gravity};
        const atemi_vec3 arm = atemi_vec3_sub(
            row->place, atemi_link_place(model, atemi_data_kinematics(s->data), link));
        s->external[link] = atemi_force_add(s->external[link],
                                            atemi_force_at(at_point, atemi_vec3_scale(-1.0, arm)));
    }
    atemi_newton_euler(model, q, v, a, gravity, row_count ? s->external : NULL, &s->data->inverse,
                       tau);
}

static void mass_matrix_by_columns(const atemi_model *model, const double *q, const method *s)
{
    const size_t n = (size_t)model->v_count;
    double      *unit = s->work;
    memset(unit, 0, n * sizeof *unit);
    for (size_t i = 0; i < n; ++i) {
        unit[i] = 1.0;
        inverse(model, q, NULL, unit, no_gravity, NULL, 0, NULL, s, s->M + i * n);
        unit[i] = 0.0;
    }
}

// The generalized force of -1 on row r, with its friction and without.
static void contact_directions(const atemi_model *model, const double *q,
                               const atemi_contact *contacts, int row_count, const method *s)
{
    const size_t n = (size_t)model->v_count;
    memset(s->f, 0, (size_t)row_count * sizeof *s->f);
    for (int r = 0; r < row_count; ++r) {
        const atemi_vec3 push = s->rows[r].push;
        s->f[r] = -1.0;
        inverse(model, q, NULL, NULL, no_gravity, contacts, row_count, s->f, s,
                s->force + (size_t)r * n);
        s->rows[r].push = s->rows[r].direction;
        inverse(model, q, NULL, NULL, no_gravity, contacts, row_count, s->f, s,
                s->motion + (size_t)r * n);
        s->rows[r].push = push;
        s->f[r] = 0.0;
    }
}

static double dot(size_t n, const double *a, const double *b)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; ++i) {
        sum += a[i] * b[i];
    }
    return sum;
}

// direction . d/dt(J_point) v, from the rates of the link's Jacobian: eq. 22 and 30.
static double jacobian_rate_times(const atemi_model *model, const atemi_contact_row *row,
                                  const double *v, int link, const method *s)
{
    const size_t n = (size_t)model->v_count;
    double       rate[6];
    atemi_link_jacobian_rate(s->data, link, s->jacobian);
    for (size_t i = 0; i < 6; ++i) {
        rate[i] = dot(n, s->jacobian + i * n, v);
    }
    const atemi_vec3 linear = {rate[0], rate[1], rate[2]}, angular = {rate[3], rate[4], rate[5]};
    if (row->angular) {
        return atemi_vec3_dot(row->direction, angular);
    }
    const atemi_vec3 arm =
        atemi_vec3_sub(row->place, atemi_link_place(model, atemi_data_kinematics(s->data), link));
    const atemi_vec3 omega = atemi_link_velocity(s->data, link).angular;
    const atemi_vec3 swing = atemi_vec3_add(atemi_vec3_cross(angular, arm),
                                            atemi_vec3_cross(omega, atemi_vec3_cross(omega, arm)));
    return atemi_vec3_dot(row->direction, atemi_vec3_add(linear, swing));
}

// A and the right-hand side of eq. 21, with tau - b in `load`.
static void build_system(const atemi_model *model, const double *v, const atemi_contact *contacts,
                         int row_count, const double *load, const method *s)
{
    const size_t n = (size_t)model->v_count;
    for (int r = 0; r < row_count; ++r) {
        const atemi_contact *contact = &contacts[s->rows[r].contact];
        double              *d = s->weighted + (size_t)r * n;
        memcpy(d, s->motion + (size_t)r * n, n * sizeof *d);
        atemi_cholesky_solve((int)n, s->M, (int)n, d);
        for (int c = 0; c < row_count; ++c) {
            s->A[r * row_count + c] = dot(n, d, s->force + (size_t)c * n);
        }
        s->f[r] = -dot(n, d, load);
        if (v) {
            s->f[r] -= jacobian_rate_times(model, &s->rows[r], v, contact->link, s);
        }
        if (contact->mode == ATEMI_CONTACT_SLIP) {
            s->f[r] += contact->normal_acceleration;
        } else if (contact->mode == ATEMI_CONTACT_STICK) {
            s->f[r] += atemi_vec3_dot(s->rows[r].direction, contact->acceleration);
        }
    }
}

static double one_norm(int n, const double *A)
{
    double largest = 0.0;
    for (int c = 0; c < n; ++c) {
        double sum = 0.0;
        for (int r = 0; r < n; ++r) {
            sum += fabs(A[r * n + c]);
        }
        largest = fmax(largest, sum);
    }
    return largest;
}

static double jamming(const atemi_model *model, int row_count, const method *s)
{
    const size_t n = (size_t)model->v_count, size = (size_t)row_count * (size_t)row_count;
    double      *mobility = s->work + size;
    memcpy(s->work, s->A, size * sizeof *s->work);
    for (int r = 0; r < row_count; ++r) {
        mobility[r] = dot(n, s->weighted + (size_t)r * n, s->motion + (size_t)r * n);
    }
    return atemi_jamming_find(s->rows, row_count, s->work, mobility);
}

static atemi_status solve_system(int n, const method *s, atemi_contact_report *report)
{
    const double norm = one_norm(n, s->A);
    report->condition = (double)INFINITY;
    if (!(report->jamming > 0.0) || !atemi_lu_factor(n, s->A, n, s->pivot)) {
        return ATEMI_ERROR_SINGULAR;
    }
    report->condition = atemi_lu_condition(n, s->A, n, s->pivot, norm, s->work);
    if (!(report->condition < largest_condition)) {
        return ATEMI_ERROR_SINGULAR;
    }
    report->rank = n;
    atemi_lu_solve(n, s->A, n, s->pivot, s->f);
    return ATEMI_OK;
}

static void subtract_from(const double *tau, int n, double *b)
{
    for (int i = 0; i < n; ++i) {
        b[i] = (tau ? tau[i] : 0.0) - b[i];
    }
}

atemi_status atemi_extended_newton_euler(atemi_data *data, const double *q, const double *v,
                                         const double *tau, const atemi_contact_set *set, double *a,
                                         atemi_force *forces, atemi_contact_report *report)
{
    ATEMI_REQUIRE_OR(data && q && a, ATEMI_ERROR_CONTRACT);
    ATEMI_REQUIRE_OR(atemi_contact_set_fits(data, set, forces), ATEMI_ERROR_CONTRACT);
    ATEMI_REQUIRE_OR(data->contact->max_contacts > 0, ATEMI_ERROR_CONTRACT);
    ATEMI_REQUIRE_OR(!set || atemi_contacts_are_of_world(set->contacts, set->count),
                     ATEMI_ERROR_CONTRACT);

    const atemi_model      *model = data->model;
    const method            own = method_of(data), *s = &own;
    const atemi_contact_set none = {0}, *of = set ? set : &none;
    const int               n = model->v_count;
    atemi_contact_report    ignored, *found = report ? report : &ignored;
    atemi_data_go(data, q, v);
    const int rows = atemi_contact_rows_find(model, atemi_data_kinematics(data), v != NULL,
                                             of->contacts, of->count, s->rows);
    ATEMI_REQUIRE_OR(rows == 0 || of->contacts, ATEMI_ERROR_CONTRACT);
    *found = (atemi_contact_report){.rows = rows, .condition = 1.0, .jamming = 1.0};

    mass_matrix_by_columns(model, q, s);
    if (!atemi_cholesky_factor(n, s->M, n)) {
        *found = atemi_contact_report_singular();
        return ATEMI_ERROR_SINGULAR;
    }
    contact_directions(model, q, of->contacts, rows, s);
    inverse(model, q, v, NULL, model->gravity, NULL, 0, NULL, s, s->b);
    subtract_from(tau, n, s->b);
    build_system(model, v, of->contacts, rows, s->b, s);
    found->jamming = jamming(model, rows, s);
    const atemi_status status = rows ? solve_system(rows, s, found) : ATEMI_OK;
    if (status) {
        return status;
    }
    inverse(model, q, v, NULL, model->gravity, of->contacts, rows, s->f, s, s->b);
    subtract_from(tau, n, s->b);
    atemi_cholesky_solve(n, s->M, n, s->b);
    memcpy(a, s->b, (size_t)n * sizeof *a);
    if (of->count) {
        atemi_contact_rows_collect(s->rows, rows, s->f, of->count, forces);
    }
    return ATEMI_OK;
}
