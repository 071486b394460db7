// SPDX-License-Identifier: Apache-2.0

#include "contact/contact_variation.h"

#include "atemi/math.h"
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
    taken.drift = atemi_arena_array(arena, double, m *stride);
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
    const size_t size = (size_t)rows * v->stride * sizeof *v->drift;
    v->rows = rows;
    memset(v->drift, 0, size);
    memset(v->slide, 0, size);
}

// direction . three rows of a 6 x n matrix, in one block. (A pack beyond the end is scratch.)
static pack along(atemi_vec3 direction, bool angular, int n, const double *matrix, int b)
{
    const double *x = matrix + (angular ? 3 * n : 0) + b * ATEMI_LANES;
    return direction.x * pack_at(x) + direction.y * pack_at(x + n) +
           direction.z * pack_at(x + 2 * n);
}

void atemi_wide_add(double *rows, size_t stride, int r, int part, int n, atemi_vec3 direction,
                    bool angular, const double *matrix)
{
    double *to = rows + (size_t)r * stride + (size_t)(part * ATEMI_LANES);
    for (int b = 0; b * ATEMI_LANES < n; ++b) {
        double *at = to + b * STEP;
        pack_put(at, pack_at(at) + along(direction, angular, n, matrix, b));
    }
}

// Likewise, into a plain row of length `padded`, with zeros after the last entry.
static void plain_set(double *row, int n, atemi_vec3 direction, bool angular, const double *matrix)
{
    for (int b = 0; b * ATEMI_LANES < n; ++b) {
        const pack index = pack_indices() + (double)(b * ATEMI_LANES);
        pack_put(row + b * ATEMI_LANES,
                 pack_keep(index < (double)n, along(direction, angular, n, matrix, b)));
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
    plain_set(v->motion + at, n, row->direction, row->angular, jacobian);
    if (!row->tied) {
        return;
    }
    const sliding s = sliding_of(row, contact, velocity);
    plain_set(v->force + at, n, row->push, false, jacobian);
    plain_set(v->across + at, n, s.across, false, jacobian);
    if (s.speed > 0.0) {
        const atemi_vec3 rate = atemi_vec3_scale(1.0 / s.speed, s.across);
        atemi_wide_add(v->slide, v->stride, r, BY_Q, n, rate, false, velocity_dq);
        atemi_wide_add(v->slide, v->stride, r, BY_V, n, rate, false, jacobian);
    }
}

// ---- Linear algebra on rows

// `count` blocks of all parts of a wide row. (Inline, so that sums stay in registers.)
ATEMI_INLINE void add_blocks(double *to, int m, const double *factors, size_t step,
                             const double *rows, size_t stride, int count)
{
    pack sum[2 * ATEMI_SIDES_PARTS];
    for (int c = 0; c < count * ATEMI_SIDES_PARTS; ++c) {
        sum[c] = pack_at(to + c * ATEMI_LANES);
    }
    for (int r = 0; r < m; ++r) {
        const double s = factors[(size_t)r * step];
        if (s != 0.0) {
            for (int c = 0; c < count * ATEMI_SIDES_PARTS; ++c) {
                sum[c] += s * pack_at(rows + (size_t)r * stride + c * ATEMI_LANES);
            }
        }
    }
    for (int c = 0; c < count * ATEMI_SIDES_PARTS; ++c) {
        pack_put(to + c * ATEMI_LANES, sum[c]);
    }
}

// to += sum of factors_r rows_r over m wide rows; the factors are `step` apart.
static void add_rows(double *to, int m, const double *factors, size_t step, const double *rows,
                     size_t stride)
{
    size_t at = 0;
    for (; at + 2 * STEP <= stride; at += 2 * STEP) {
        add_blocks(to + at, m, factors, step, rows + at, stride, 2);
    }
    if (at < stride) {
        add_blocks(to + at, m, factors, step, rows + at, stride, 1);
    }
}

static void scale_row(double *row, double s, size_t length)
{
    for (size_t j = 0; j < length; j += ATEMI_LANES) {
        pack_put(row + j, s * pack_at(row + j));
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
                const double factor = -K * multipliers[r] * w[i];
                add_rows(sides->X + (size_t)i * sides->stride, 1, &factor, 1,
                         v->slide + (size_t)r * v->stride, v->stride);
            }
        }
    }
}

// drift += J X, and G M^-1: where G is J, that is the part of J X by tau.
static void find_lack(const atemi_contact_row *rows, const atemi_right_sides *sides,
                      atemi_contact_variation *v)
{
    for (int r = 0; r < v->rows; ++r) {
        double *drift = v->drift + (size_t)r * v->stride,
               *mobile = v->mobile + (size_t)r * v->padded;
        add_rows(drift, sides->n, v->motion + (size_t)r * v->padded, 1, sides->X, sides->stride);
        if (rows[r].tied) {
            apply_mobility(v->force + (size_t)r * v->padded, sides, mobile);
        }
        for (int b = 0; b < sides->blocks && !rows[r].tied; ++b) {
            pack_put(mobile + b * ATEMI_LANES, pack_at(drift + b * STEP + BY_TAU * ATEMI_LANES));
        }
    }
}

static void fill_system(atemi_contact_variation *v)
{
    const int m = v->rows;
    for (int r = 0; r < m; ++r) {
        for (int s = 0; s < m; ++s) {
            v->system[r * m + s] = dot(v->motion + (size_t)r * v->padded,
                                       v->mobile + (size_t)s * v->padded, v->padded);
        }
    }
}

static bool factor_symmetric(atemi_contact_variation *v)
{
    const int m = v->rows;
    if (!atemi_cholesky_factor(m, v->system, m)) {
        return false;
    }
    double least = INFINITY, most = 0.0;
    for (int r = 0; r < m; ++r) {
        least = fmin(least, v->system[r * m + r]);
        most = fmax(most, v->system[r * m + r]);
    }
    return least * least > rank_tolerance * most * most;
}

// change = -A^-1 drift by Cholesky's factor L, all columns at once. Below its diagonal the factor
// becomes -L, so that both sweeps add rows.
static void solve_symmetric(atemi_contact_variation *v)
{
    const int m = v->rows;
    double   *L = v->system;
    for (int r = 0; r < m; ++r) {
        for (int s = 0; s < r; ++s) {
            L[r * m + s] = -L[r * m + s];
        }
        double *row = v->change + (size_t)r * v->stride;
        memcpy(row, v->drift + (size_t)r * v->stride, v->stride * sizeof *row);
        add_rows(row, r, L + (size_t)r * (size_t)m, 1, v->change, v->stride);
        scale_row(row, 1.0 / L[r * m + r], v->stride);
    }
    for (int r = m - 1; r >= 0; --r) {
        double      *row = v->change + (size_t)r * v->stride;
        const double inverse = 1.0 / L[r * m + r];
        scale_row(row, -1.0, v->stride);
        add_rows(row, m - 1 - r, L + (size_t)(r + 1) * (size_t)m + r, (size_t)m,
                 v->change + (size_t)(r + 1) * v->stride, v->stride);
        scale_row(row, inverse, v->stride);
    }
}

// change = -A^+ drift by a factor that reveals the rank of A; the columns of A^+ become rows of
// `inverse`.
static void solve_any(atemi_contact_variation *v)
{
    const int m = v->rows;
    double   *unit = v->work, *work = v->work + m;
    const int rank =
        atemi_qr_factor(m, m, v->system, m, rank_tolerance, v->reflections, v->pivot, work);
    for (int s = 0; s < m; ++s) {
        memset(unit, 0, (size_t)m * sizeof *unit);
        unit[s] = -1.0;
        atemi_qr_solve_least_norm(m, m, v->system, m, rank, v->reflections, v->pivot, unit,
                                  v->inverse + (size_t)s * (size_t)m, work);
    }
    memset(v->change, 0, (size_t)m * v->stride * sizeof *v->change);
    for (int r = 0; r < m; ++r) {
        add_rows(v->change + (size_t)r * v->stride, m, v->inverse + r, (size_t)m, v->drift,
                 v->stride);
    }
}

static void solve_system(atemi_contact_variation *v, bool symmetric)
{
    fill_system(v);
    if (symmetric && factor_symmetric(v)) {
        solve_symmetric(v);
        return;
    }
    fill_system(v);
    solve_any(v);
}

static void respond(const atemi_right_sides *sides, const atemi_contact_variation *v)
{
    for (int i = 0; i < sides->n; ++i) {
        add_rows(sides->X + (size_t)i * sides->stride, v->rows, v->mobile + i, v->padded, v->change,
                 v->stride);
    }
}

static bool is_symmetric(const atemi_contact_row *rows, int count)
{
    for (int r = 0; r < count; ++r) {
        if (rows[r].tied) {
            return false;
        }
    }
    return true;
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
    solve_system(v, is_symmetric(rows, v->rows));
    respond(sides, v);
}

static double component(atemi_vec3 a, int axis)
{
    return axis == 0 ? a.x : axis == 1 ? a.y : a.z;
}

// to += s times a part of a wide row, of which `from` is the first block.
static void add_part(double *to, int n, double s, const double *from)
{
    int b = 0;
    for (; (b + 1) * ATEMI_LANES <= n; ++b) {
        double *at = to + b * ATEMI_LANES;
        pack_put(at, pack_at(at) + s * pack_at(from + b * STEP));
    }
    for (int j = b * ATEMI_LANES; j < n; ++j) {
        to[j] += s * from[b * STEP + atemi_lane(j)];
    }
}

// The same along a vector, to three rows.
static void add_vector(double *to, int n, double s, atemi_vec3 vector, const double *from)
{
    for (int axis = 0; axis < 3; ++axis) {
        const double along_axis = s * component(vector, axis);
        if (along_axis != 0.0) {
            add_part(to + (size_t)axis * (size_t)n, n, along_axis, from);
        }
    }
}

void atemi_contact_variation_read(const atemi_contact_row *rows, const atemi_contact *contacts,
                                  const double *multipliers, int count, int part, int n,
                                  const atemi_contact_variation *v, double *to)
{
    memset(to, 0, (size_t)(6 * count) * (size_t)n * sizeof *to);
    for (int r = 0; r < v->rows; ++r) {
        const atemi_contact *contact = &contacts[rows[r].contact];
        const size_t         row = 6 * (size_t)rows[r].contact + (rows[r].angular ? 3 : 0);
        const size_t         from = (size_t)r * v->stride + (size_t)part * ATEMI_LANES;
        double              *at = to + row * (size_t)n;
        add_vector(at, n, 1.0, rows[r].push, v->change + from);
        if (rows[r].tied) {
            add_vector(at, n, -contact->friction * multipliers[r],
                       sliding_of(&rows[r], contact, (atemi_vec3){0}).across, v->slide + from);
        }
    }
}
