// SPDX-License-Identifier: Apache-2.0

#include "contact/contact_variation.h"

#include "atemi/dense.h"
#include "dynamics/mass_rows.h"

#include <math.h>

// Contacts hold rows c(q, v, a) = 0 with c_a = J by multipliers f:  M a + h = tau + G^T f. With a
// change x of q, v or tau, all with f held first, X = -M^-1 d(M a + h - G^T f)/dx (and M^-1 for
// tau):
//
//   da = X + M^-1 G^T df,   J da + c_x = 0,   A = J M^-1 G^T
//   df = -A^+ (c_x + J X),  da = X + (G M^-1)^T df
//
// A^+ gives the least change where rows depend on each other. The force of a row with friction is
// f (n - K t) with the direction t of sliding. Where the velocity u of the point decides t,
//
//   dt = e (e.du) / |u_t|,   e = n x t,    X -= K f (M^-1 J_point^T e) (e.du / |u_t|)

// Relative to the largest, smaller diagonal elements of R are rounding errors of A.
static const double rank_tolerance = 1e-11;

// Slower than this, in m/s, a point has no direction of sliding of its own (rows.c).
static const double slowest_slide = 1e-10;

enum { BY_Q, BY_V, BY_TAU, STEP = ATEMI_SIDES_PARTS * ATEMI_LANES };

void atemi_contact_variation_take(atemi_arena *arena, const atemi_model *model, int max_rows,
                                  atemi_contact_variation *v)
{
    const size_t            padded = atemi_mass_factor_stride(model), m = (size_t)max_rows;
    const size_t            stride = ATEMI_SIDES_PARTS * padded;
    atemi_contact_variation taken = {.padded = padded, .stride = stride};
    taken.motion = atemi_arena_array(arena, double, m *padded);
    taken.force = atemi_arena_array(arena, double, m *padded);
    taken.mobile = atemi_arena_array(arena, double, m *padded);
    taken.across = atemi_arena_array(arena, double, m *padded);
    taken.lack = atemi_arena_array(arena, double, m *stride);
    taken.change = atemi_arena_array(arena, double, m *stride);
    taken.slide = atemi_arena_array(arena, double, m *stride);
    taken.system = atemi_arena_array(arena, double, m *m);
    taken.inverse = atemi_arena_array(arena, double, m *m);
    taken.reflections = atemi_arena_array(arena, double, m);
    taken.work = atemi_arena_array(arena, double, m *(m + 3));
    taken.pivot = atemi_arena_array(arena, int, m);
    if (v) {
        *v = taken;
    }
}

void atemi_contact_variation_begin(atemi_contact_variation *v, int rows)
{
    const size_t size = (size_t)rows * v->stride * sizeof *v->lack;
    v->rows = rows;
    memset(v->lack, 0, size);
    memset(v->slide, 0, size);
}

void atemi_wide_add(double *rows, size_t stride, int r, int part, int n, atemi_vec3 direction,
                    bool angular, const double *matrix)
{
    const double *x = matrix + (angular ? 3 * n : 0), *y = x + n, *z = y + n;
    for (int j = 0; j < n; ++j) {
        *atemi_wide(rows, stride, r, part, j) +=
            direction.x * x[j] + direction.y * y[j] + direction.z * z[j];
    }
}

void atemi_plain_set(double *row, size_t padded, int n, atemi_vec3 direction, bool angular,
                     const double *matrix)
{
    const double *x = matrix + (angular ? 3 * n : 0), *y = x + n, *z = y + n;
    memset(row, 0, padded * sizeof *row);
    for (int j = 0; j < n; ++j) {
        row[j] = direction.x * x[j] + direction.y * y[j] + direction.z * z[j];
    }
}

// ---- Rows with friction

// Where a tied row's point slides, across that, and how fast it is; a speed of zero if it is not
// the velocity that decides the direction.
typedef struct sliding {
    atemi_vec3 across;
    double     speed;
} sliding;

static sliding sliding_of(const atemi_contact_row *row, const atemi_contact *contact, atemi_vec3 u)
{
    const atemi_vec3 n = contact->normal;
    const atemi_vec3 t = atemi_vec3_scale(1.0 / contact->friction, atemi_vec3_sub(n, row->push));
    const atemi_vec3 along = atemi_vec3_sub(u, atemi_vec3_scale(atemi_vec3_dot(n, u), n));
    const double     speed = atemi_vec3_norm(along);
    const double     off = atemi_vec3_norm(atemi_vec3_sub(along, atemi_vec3_scale(speed, t)));
    const bool       decides = !contact->directed && speed > slowest_slide && off < 1e-9 * speed;
    return (sliding){atemi_vec3_cross(n, t), decides ? speed : 0.0};
}

void atemi_contact_variation_row(const atemi_contact_row *row, const atemi_contact *contact,
                                 atemi_vec3 velocity, int r, int n, const double *velocity_dq,
                                 const double *jacobian, atemi_contact_variation *v)
{
    const size_t at = (size_t)r * v->padded;
    atemi_plain_set(v->motion + at, v->padded, n, row->direction, row->angular, jacobian);
    if (!row->tied) {
        return;
    }
    const sliding s = sliding_of(row, contact, velocity);
    atemi_plain_set(v->force + at, v->padded, n, row->push, false, jacobian);
    atemi_plain_set(v->across + at, v->padded, n, s.across, false, jacobian);
    if (s.speed > 0.0) {
        const atemi_vec3 rate = atemi_vec3_scale(1.0 / s.speed, s.across);
        atemi_wide_add(v->slide, v->stride, r, BY_Q, n, rate, false, velocity_dq);
        atemi_wide_add(v->slide, v->stride, r, BY_V, n, rate, false, jacobian);
    }
}

// ---- Linear algebra on rows

// to += s from, over whole packs.
static void add_scaled(double *to, double s, const double *from, size_t length)
{
    for (size_t j = 0; j < length; j += ATEMI_LANES) {
        pack_put(to + j, pack_at(to + j) + s * pack_at(from + j));
    }
}

static double dot(const double *a, const double *b, size_t length)
{
    pack sum = {0};
    for (size_t j = 0; j < length; j += ATEMI_LANES) {
        sum += pack_at(a + j) * pack_at(b + j);
    }
    return pack_sum(sum);
}

// row M^-1, of a plain row.
static void apply_mobility(const double *row, const atemi_right_sides *sides, double *to)
{
    const size_t padded = (size_t)sides->blocks * ATEMI_LANES;
    memset(to, 0, padded * sizeof *to);
    for (int k = 0; k < sides->n; ++k) {
        const double *X = sides->X + (size_t)k * sides->stride + (size_t)(BY_TAU * ATEMI_LANES);
        for (int b = 0; b < sides->blocks && row[k] != 0.0; ++b) {
            double *at = to + b * ATEMI_LANES;
            pack_put(at, pack_at(at) + row[k] * pack_at(X + b * STEP));
        }
    }
}

// X -= K f (M^-1 J_point^T e) (e.du / |u_t|)
static void turn_friction(const atemi_contact_row *rows, const atemi_contact *contacts,
                          const double *multipliers, const atemi_right_sides *sides,
                          atemi_contact_variation *v)
{
    for (int r = 0; r < v->rows; ++r) {
        if (rows[r].tied) {
            const double K = contacts[rows[r].contact].friction;
            double      *w = v->mobile + (size_t)r * v->padded;
            apply_mobility(v->across + (size_t)r * v->padded, sides, w);
            for (int i = 0; i < sides->n; ++i) {
                add_scaled(sides->X + (size_t)i * sides->stride, -K * multipliers[r] * w[i],
                           v->slide + (size_t)r * v->stride, v->stride);
            }
        }
    }
}

// lack += J X, and G M^-1.
static void find_lack(const atemi_contact_row *rows, const atemi_right_sides *sides,
                      atemi_contact_variation *v)
{
    for (int r = 0; r < v->rows; ++r) {
        const double *J = v->motion + (size_t)r * v->padded;
        double       *lack = v->lack + (size_t)r * v->stride;
        for (int k = 0; k < sides->n; ++k) {
            if (J[k] != 0.0) {
                add_scaled(lack, J[k], sides->X + (size_t)k * sides->stride, v->stride);
            }
        }
        apply_mobility(rows[r].tied ? v->force + (size_t)r * v->padded : J, sides,
                       v->mobile + (size_t)r * v->padded);
    }
}

// A^+ by its columns, which become rows of `inverse`.
static void invert_system(atemi_contact_variation *v)
{
    const int m = v->rows;
    for (int r = 0; r < m; ++r) {
        for (int s = 0; s < m; ++s) {
            v->system[r * m + s] = dot(v->motion + (size_t)r * v->padded,
                                       v->mobile + (size_t)s * v->padded, v->padded);
        }
    }
    double   *unit = v->work, *work = v->work + m;
    const int rank =
        atemi_qr_factor(m, m, v->system, m, rank_tolerance, v->reflections, v->pivot, work);
    for (int s = 0; s < m; ++s) {
        memset(unit, 0, (size_t)m * sizeof *unit);
        unit[s] = 1.0;
        atemi_qr_solve_least_norm(m, m, v->system, m, rank, v->reflections, v->pivot, unit,
                                  v->inverse + (size_t)s * (size_t)m, work);
    }
}

static void respond(const atemi_right_sides *sides, atemi_contact_variation *v)
{
    const int m = v->rows;
    memset(v->change, 0, (size_t)m * v->stride * sizeof *v->change);
    for (int r = 0; r < m; ++r) {
        for (int s = 0; s < m; ++s) {
            add_scaled(v->change + (size_t)r * v->stride, -v->inverse[s * m + r],
                       v->lack + (size_t)s * v->stride, v->stride);
        }
    }
    for (int i = 0; i < sides->n; ++i) {
        for (int r = 0; r < m; ++r) {
            add_scaled(sides->X + (size_t)i * sides->stride,
                       v->mobile[(size_t)r * v->padded + (size_t)i],
                       v->change + (size_t)r * v->stride, v->stride);
        }
    }
}

void atemi_contact_variation_solve(const atemi_contact_row *rows, const atemi_contact *contacts,
                                   const double *multipliers, const atemi_right_sides *sides,
                                   atemi_contact_variation *v)
{
    if (v->rows == 0) {
        return;
    }
    turn_friction(rows, contacts, multipliers, sides, v);
    find_lack(rows, sides, v);
    invert_system(v);
    respond(sides, v);
}

// Adds s times a part of a wide row, along a direction, to the rows of a contact.
static void add_force(const double *wide, size_t stride, int r, int part, int n, double s,
                      atemi_vec3 direction, double *to)
{
    for (int j = 0; j < n; ++j) {
        const double x = s * *atemi_wide((double *)wide, stride, r, part, j);
        to[j] += x * direction.x;
        to[n + j] += x * direction.y;
        to[2 * n + j] += x * direction.z;
    }
}

void atemi_contact_variation_read(const atemi_contact_row *rows, const atemi_contact *contacts,
                                  const double *multipliers, int count, int part, int n,
                                  const atemi_contact_variation *v, double *to)
{
    memset(to, 0, (size_t)(6 * count) * (size_t)n * sizeof *to);
    for (int r = 0; r < v->rows; ++r) {
        const atemi_contact_row *row = &rows[r];
        const atemi_contact     *contact = &contacts[row->contact];
        double                  *at = to + (size_t)(6 * row->contact) * (size_t)n;
        add_force(v->change, v->stride, r, part, n, 1.0, row->push,
                  row->angular ? at + (size_t)(3 * n) : at);
        if (row->tied) {
            const sliding s = sliding_of(row, contact, (atemi_vec3){0});
            add_force(v->slide, v->stride, r, part, n, -contact->friction * multipliers[r],
                      s.across, at);
        }
    }
}
