// SPDX-License-Identifier: Apache-2.0

#include "impact/virtual_base_derivatives.h"

#include "atemi/base.h"
#include "atemi/math.h"
#include "dynamics/data_parts.h"
#include "dynamics/frame_rows.h"
#include "dynamics/mass_rows.h"
#include "math/matrix.h"

#include <string.h>

// A force b of the joints moves the robot by m, and the ground holds its links with wrenches w:
//
//   M m - G^T w = b,   G m = 0        so that  m = C b,   w = W b,   W = (G G^T)^-1 (G M C - G)
//
// With a change of the posture, at constant b, the equations miss
//
//   F = dM m - dG^T w,   Q = dG m      so that  dC b = dm = -C F + W^T Q
//
// With b the point's Jacobian j = n^T J
//
//   dc = dC j + C dj,   d(1 / m_a) = j . dC j + 2 c . dj,   d m_a = -m_a^2 d(1 / m_a)

// ---- The ground

static int ground_rows(const atemi_ground *ground)
{
    return 6 * ground->count;
}

// G into `rows`.
static void find_rows(const atemi_model *model, const atemi_ground *ground,
                      const atemi_virtual_base *base, atemi_virtual_base_derivatives *d)
{
    for (int i = 0; i < ground->count; ++i) {
        atemi_frame_rows(model, atemi_data_kinematics(base->data), ground->links[i],
                         (atemi_vec3){0}, row_of(d->rows, base->count, 6 * i));
    }
}

// M of the virtual base, with its rotors.
static void find_mass(const atemi_ground *ground, const atemi_virtual_base *base,
                      atemi_virtual_base_derivatives *d)
{
    const int n = base->count;
    atemi_mass_matrix_fill(base->data->model, atemi_data_kinematics(base->data),
                           &base->data->factor.scratch, d->M);
    for (int i = base->base_count; ground->rotors && i < n; ++i) {
        row_of(d->M, n, i)[i] += ground->rotors[i];
    }
}

// G M C - G, row by row.
static void find_right_sides(const atemi_virtual_base *base, int m,
                             atemi_virtual_base_derivatives *d)
{
    const int n = base->count;
    for (int r = 0; r < m; ++r) {
        const double *row = row_in(d->rows, n, r);
        double       *to = row_of(d->wrenches, n, r);
        for (int i = 0; i < n; ++i) {
            d->column[i] = row_dot(n, row, row_in(d->M, n, i));
        }
        for (int i = 0; i < n; ++i) {
            to[i] = row_dot(n, row_in(base->mobility, base->stride, i), d->column) - row[i];
        }
    }
}

// W and its transpose, column by column.
static bool find_wrenches(const atemi_virtual_base *base, int m, atemi_virtual_base_derivatives *d)
{
    const int n = base->count;
    for (int r = 0; r < m; ++r) {
        for (int k = 0; k <= r; ++k) {
            row_of(d->system, m, r)[k] = row_dot(n, row_in(d->rows, n, r), row_in(d->rows, n, k));
        }
    }
    if (!atemi_cholesky_factor(m, d->system, m)) {
        return false;
    }
    find_right_sides(base, m, d);
    for (int i = 0; i < n; ++i) {
        for (int r = 0; r < m; ++r) {
            (d->column + n)[r] = row_in(d->wrenches, n, r)[i];
        }
        atemi_cholesky_solve(m, d->system, m, (d->column + n));
        for (int r = 0; r < m; ++r) {
            row_of(d->wrenches, n, r)[i] = row_of(d->column_loads, m, i)[r] = (d->column + n)[r];
        }
    }
    return true;
}

// ---- Columns

// m = C b and w = W b for each b, a row each.
static void find_columns(const atemi_virtual_base *base, const double *torques, int stride,
                         int columns, atemi_virtual_base_derivatives *d)
{
    const int n = base->count, m = d->ground_count;
    for (int k = 0; k < columns; ++k) {
        const double *b = row_in(torques, stride, k);
        double       *motion = row_of(d->motions, base->stride, k);
        memset(motion, 0, (size_t)base->stride * sizeof *motion);
        matrix_add_product(n, base->mobility, base->stride, b, motion);
        for (int r = 0; r < m; ++r) {
            row_of(d->loads, m, k)[r] = row_dot(n, row_in(d->wrenches, n, r), b);
        }
    }
}

// dG, once by rows and once by columns.
static void vary_ground(const atemi_model *model, const atemi_ground *ground,
                        const atemi_virtual_base *base, atemi_virtual_base_derivatives *d)
{
    const int n = d->count, stride = d->stride, m = ground_rows(ground);
    for (int i = 0; i < ground->count; ++i) {
        atemi_frame_derivatives_fill(model, atemi_data_kinematics(base->data), ground->links[i],
                                     (atemi_vec3){0}, 6, &d->inertia,
                                     row_of(d->ground, n * stride, 6 * i));
    }
    for (int r = 0; r < m; ++r) {
        for (int i = 0; i < n; ++i) {
            memcpy(row_of(d->ground_columns, stride, i * m + r),
                   row_in(d->ground, stride, r * n + i), (size_t)stride * sizeof *d->ground);
        }
    }
}

// -F and Q of all columns: rows of [columns x stride].
static void find_missing(const atemi_virtual_base *base, int columns,
                         atemi_virtual_base_derivatives *d)
{
    const int n = d->count, m = d->ground_count, stride = d->stride, width = columns * stride;
    memset(d->missing, 0, (size_t)(n + m) * (size_t)width * sizeof *d->missing);
    for (int i = 0; i < n; ++i) {
        double *to = row_of(d->missing, width, i);
        matrix_add_multiply(columns, n, d->motions, base->stride,
                            row_in(d->mass_changes, n * stride, i), stride, to);
        for (int k = 0; k < width; ++k) {
            to[k] = -to[k];
        }
        matrix_add_multiply(columns, m, d->loads, m, row_in(d->ground_columns, m * stride, i),
                            stride, to);
    }
    for (int r = 0; r < m; ++r) {
        matrix_add_multiply(columns, n, d->motions, base->stride, row_in(d->ground, n * stride, r),
                            stride, row_of(d->missing, width, n + r));
    }
}

void atemi_virtual_base_vary_columns(const atemi_virtual_base *base, const double *torques,
                                     int stride, int columns, atemi_virtual_base_derivatives *d,
                                     double *to)
{
    const int n = d->count, m = d->ground_count, width = columns * d->stride;
    find_columns(base, torques, stride, columns, d);
    find_missing(base, columns, d);
    memset(to, 0, (size_t)n * (size_t)width * sizeof *to);
    matrix_add_multiply(n, n, base->mobility, base->stride, d->missing, width, to);
    matrix_add_multiply(n, m, d->column_loads, m, row_in(d->missing, width, n), width, to);
}

// ---- The point

static void vary_jacobian(const atemi_model *model, const atemi_striking_point *point,
                          const atemi_virtual_base *base, atemi_virtual_base_derivatives *d)
{
    const int    n = d->count, size = n * d->stride, hands = atemi_striking_point_hands(point);
    const double direction[] = {point->direction.x, point->direction.y, point->direction.z};
    memset(d->jacobian, 0, (size_t)size * sizeof *d->jacobian);
    for (int i = 0; i < hands; ++i) {
        const atemi_striking_hand hand = atemi_striking_point_hand(point, i);
        atemi_frame_derivatives_fill(model, atemi_data_kinematics(base->data), hand.link,
                                     hand.point, 3, &d->inertia, d->work);
        for (int r = 0; r < 3; ++r) {
            row_subtract(size, -direction[r] / hands, row_in(d->work, size, r), d->jacobian);
        }
    }
}

// After dj.
static void vary_response(const atemi_virtual_base *base, atemi_virtual_base_derivatives *d)
{
    const int n = d->count, stride = d->stride;
    atemi_virtual_base_vary_columns(base, base->jacobian, n, 1, d, d->response);
    memset(d->give, 0, (size_t)stride * sizeof *d->give);
    for (int i = 0; i < n; ++i) {
        row_subtract(stride, -base->jacobian[i], row_in(d->response, stride, i), d->give);
        row_subtract(stride, -2.0 * base->response[i], row_in(d->jacobian, stride, i), d->give);
    }
    matrix_add_multiply(n, n, base->mobility, base->stride, d->jacobian, stride, d->response);
    for (int c = 0; c < stride; ++c) {
        d->mass[c] = -d->give[c] / (base->give * base->give);
    }
}

// ---- The interface

atemi_virtual_base_derivatives *atemi_virtual_base_derivatives_take(atemi_arena       *arena,
                                                                    const atemi_model *model,
                                                                    int links, int directions)
{
    const int n = atemi_model_v_count(model), stride = matrix_stride(directions), m = 6 * links;
    const int columns = n + 1;
    atemi_virtual_base_derivatives d = {
        .count = n, .directions = directions, .stride = stride, .grounds = m};
    const struct {
        double **place;
        int      size;
    } arrays[] = {{&d.response, n * stride},
                  {&d.give, stride},
                  {&d.mass, stride},
                  {&d.jacobian, n * stride},
                  {&d.q, n * stride},
                  {&d.mass_changes, n * n * stride},
                  {&d.ground, m * n * stride},
                  {&d.ground_columns, m * n * stride},
                  {&d.missing, (n + m) * columns * stride},
                  {&d.work, 3 * n * stride},
                  {&d.rows, m * n},
                  {&d.wrenches, m * n},
                  {&d.system, m * m},
                  {&d.motions, columns * matrix_stride(n)},
                  {&d.loads, columns * m},
                  {&d.column_loads, n * m},
                  {&d.M, n * n},
                  {&d.column, n + m}};
    atemi_virtual_base_derivatives *place =
        atemi_arena_array(arena, atemi_virtual_base_derivatives, 1);
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; ++i) {
        *arrays[i].place = atemi_arena_array(arena, double, arrays[i].size);
    }
    d.inertia = atemi_mass_derivatives_take(arena, model, stride);
    if (place) {
        *place = d;
    }
    return place;
}

static void copy_directions(const double *dq, int count, int stride,
                            atemi_virtual_base_derivatives *d)
{
    memset(d->q, 0, (size_t)d->count * (size_t)d->stride * sizeof *d->q);
    int last = 0;
    for (int i = 0; i < d->count; ++i) {
        memcpy(row_of(d->q, d->stride, i), row_in(dq, stride, i), (size_t)count * sizeof *dq);
        for (int c = last; c < count; ++c) {
            last = row_in(dq, stride, i)[c] != 0.0 ? c + 1 : last;
        }
    }
    d->moving = matrix_stride(last);
}

atemi_status atemi_virtual_base_derivatives_find(
    const atemi_model *model, const atemi_ground *ground, const atemi_striking_point *point,
    const atemi_virtual_base *base, const double *dq, int count, int stride,
    atemi_virtual_base_derivatives *d, atemi_error *error)
{
    ATEMI_REQUIRE_OR(model && point && base && dq && d, ATEMI_ERROR_CONTRACT);
    const atemi_ground none = atemi_ground_default(), *held = ground ? ground : &none;
    ATEMI_REQUIRE_OR(count >= 0 && count <= d->directions && stride >= count, ATEMI_ERROR_CONTRACT);
    ATEMI_REQUIRE_OR(ground_rows(held) <= d->grounds, ATEMI_ERROR_CONTRACT);
    if (held->grounding != ATEMI_GROUNDING_FIXED) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "grounded links are heavy, and have no derivatives: fix them instead");
    }
    d->ground_count = ground_rows(held);
    copy_directions(dq, count, stride, d);
    find_rows(model, held, base, d);
    find_mass(held, base, d);
    if (!find_wrenches(base, d->ground_count, d)) {
        return atemi_fail(error, ATEMI_ERROR_SINGULAR,
                          "grounded links depend on each other: ground fewer of them");
    }
    atemi_mass_derivatives_update(model, atemi_data_kinematics(base->data), d->q, &d->inertia);
    atemi_mass_derivatives_fill(model, atemi_data_kinematics(base->data), &d->inertia,
                                d->mass_changes);
    vary_ground(model, held, base, d);
    vary_jacobian(model, point, base, d);
    vary_response(base, d);
    return ATEMI_OK;
}

atemi_virtual_base_slopes atemi_virtual_base_slopes_of(const atemi_virtual_base_derivatives *d)
{
    ATEMI_REQUIRE_OR(d, (atemi_virtual_base_slopes){0});
    return (atemi_virtual_base_slopes){
        .stride = d->stride, .mass = d->mass, .response = d->response, .jacobian = d->jacobian};
}
