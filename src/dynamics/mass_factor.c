// SPDX-License-Identifier: Apache-2.0

#include "atemi/contract.h"
#include "dynamics/mass_rows.h"

#include <string.h>

// M = L^T D L with L unit lower triangular, eliminating from the ends of the tree, so that L has
// the zeros of M [Featherstone08, 6.5]. For k from the last row to the first, with i running over
// the ancestors of k:
//
//   d = M_kk,   L_ki = M_ki / d,   row i -= L_ki row k
//
// In columns up to i, row k has no other elements than those of ancestors of i and of i itself, so
// whole blocks can be subtracted: the rest are zeros. Then
//
//   L^T y = b   from the last row to the first:  y_i -= L_ki y_k
//   L x = D^-1 y  from the first to the last:    x_k -= sum_i L_ki x_i

static void subtract_scaled(double *row, double s, const double *from, int blocks)
{
    for (int b = 0; b < blocks; ++b) {
        pack_put(row + b * ATEMI_LANES,
                 pack_at(row + b * ATEMI_LANES) - s * pack_at(from + b * ATEMI_LANES));
    }
}

// Rows become those of L: scaled, and cleared from the diagonal on, so that they multiply as a
// whole. (Scaling element by element above would have every block read back while it is written.)
static void scale_row(double *row, int k, double scale)
{
    const int last = atemi_block(k);
    for (int b = 0; b < last; ++b) {
        pack_put(row + b * ATEMI_LANES, scale * pack_at(row + b * ATEMI_LANES));
    }
    for (int j = last * ATEMI_LANES; j < (last + 1) * ATEMI_LANES; ++j) {
        row[j] = j < k ? scale * row[j] : 0.0;
    }
}

static void eliminate(const atemi_model *model, double *rows, int stride, double *inverse)
{
    const int *parents = model->factor_parents;
    for (int k = model->v_count - 1; k >= 0; --k) {
        double      *row = rows + (size_t)k * (size_t)stride;
        const double scale = 1.0 / row[k];
        for (int i = parents[k]; i != ATEMI_NONE; i = parents[i]) {
            subtract_scaled(rows + (size_t)i * (size_t)stride, scale * row[i], row,
                            atemi_block(i) + 1);
        }
        scale_row(row, k, scale);
        inverse[k] = scale;
    }
}

static int stride_of(const atemi_model *model)
{
    return (model->v_count + ATEMI_LANES - 1) / ATEMI_LANES * ATEMI_LANES;
}

atemi_mass_factor atemi_mass_factor_take(atemi_arena *arena, const atemi_model *model)
{
    const size_t      stride = (size_t)stride_of(model);
    atemi_mass_factor f = {.scratch = atemi_mass_matrix_scratch_take(arena, model)};
    f.rows = model->coupled ? atemi_arena_array(arena, double, stride *(size_t)model->v_count)
                            : f.scratch.rows;
    f.inverse = atemi_arena_array(arena, double, stride);
    f.work = atemi_arena_array(arena, double, stride);
    return f;
}

void atemi_mass_factor_update(const atemi_model *model, const double *q, atemi_mass_factor *factor)
{
    ATEMI_REQUIRE(model && factor && (q || !model->q_count));
    const int stride = stride_of(model);
    atemi_mass_rows(model, q, &factor->scratch);
    if (model->coupled) {
        atemi_mass_reduce(model, factor->scratch.rows, factor->rows, stride);
    }
    eliminate(model, factor->rows, stride, factor->inverse);
}

static void solve_transposed(const atemi_model *model, const double *rows, int stride, double *x)
{
    for (int k = model->v_count - 1; k >= 0; --k) {
        subtract_scaled(x, x[k], rows + (size_t)k * (size_t)stride, atemi_block(k) + 1);
    }
}

static double row_times(const double *row, const double *x, int blocks)
{
    pack sum = {0};
    for (int b = 0; b < blocks; ++b) {
        sum += pack_at(row + b * ATEMI_LANES) * pack_at(x + b * ATEMI_LANES);
    }
    return pack_sum(sum);
}

void atemi_mass_factor_solve(const atemi_model *model, atemi_mass_factor *factor, double *x)
{
    ATEMI_REQUIRE(model && factor && (x || !model->v_count));
    const int    n = model->v_count, stride = stride_of(model);
    const size_t size = (size_t)n * sizeof *x;
    double      *work = factor->work;

    memcpy(work, x, size);
    solve_transposed(model, factor->rows, stride, work);
    for (int k = 0; k < n; ++k) {
        work[k] = work[k] * factor->inverse[k] -
                  row_times(factor->rows + (size_t)k * (size_t)stride, work, atemi_block(k) + 1);
    }
    memcpy(x, work, size);
}
