// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"
#include "dynamics/derivatives.h"
#include "dynamics/mass_rows.h"
#include "dynamics/newton_euler.h"

#include <string.h>

// From M a + h = tau, with the derivatives of inverse dynamics at the acceleration a found:
//
//   da/dq = -M^-1 dtau/dq,   da/dv = -M^-1 dtau/dv,   da/dtau = M^-1,   M = L^T D L
//
// The right sides are one matrix X = (dtau/dq, dtau/dv, -1), of which the blocks of the same
// columns stand side by side. Both sweeps make one row after the other from rows that are done:
//
//   inward     X_i -= sum of L_ki X_k over everything k that i carries, from the last i to the
//   first outward    X_i = -X_i / D_i - sum of L_ik X_k over the ancestors k of i, from the first
//
// Inward no zero is filled: X_i and X_k have nothing right of what i carries. With coupled joints
// the tree is a chain.

enum { PARTS = ATEMI_SIDES_PARTS, STEP = PARTS * ATEMI_LANES };

typedef atemi_right_sides right_sides;

// Where the matrix is in the scratch.
static right_sides right_sides_of(const atemi_model               *model,
                                  const atemi_derivatives_scratch *scratch)
{
    const size_t padded = atemi_mass_factor_stride(model);
    return (right_sides){scratch->sides, PARTS * padded, model->v_count,
                         (int)(padded / ATEMI_LANES)};
}

// Packs of a row that are summed up in registers: `parts` parts of `count` blocks, at most two.
typedef struct row_packs {
    pack of[2 * PARTS];
} row_packs;

// (Constant counts and parts, so that loops unroll and packs stay in registers.)
ATEMI_INLINE size_t pack_place(int c, int parts)
{
    return (size_t)(c / parts) * STEP + (size_t)(c % parts) * ATEMI_LANES;
}

ATEMI_INLINE void subtract_row(row_packs *sum, int count, int parts, double l, const double *row)
{
    for (int c = 0; c < count * parts; ++c) {
        sum->of[c] -= l * pack_at(row + pack_place(c, parts));
    }
}

ATEMI_INLINE row_packs row_at(const double *row, int count, int parts, double scale)
{
    row_packs packs;
    for (int c = 0; c < count * parts; ++c) {
        packs.of[c] = scale * pack_at(row + pack_place(c, parts));
    }
    return packs;
}

ATEMI_INLINE void put_row(double *row, int count, int parts, const row_packs *packs)
{
    for (int c = 0; c < count * parts; ++c) {
        pack_put(row + pack_place(c, parts), packs->of[c]);
    }
}

// Blocks b and, with a count of 2, the next one of row i. `l` is column i of L.
ATEMI_INLINE void inward_blocks(const right_sides *s, int i, int end, const double *l, int b,
                                int count, int parts)
{
    double   *X = s->X + (size_t)(b * STEP);
    row_packs sum = row_at(X + (size_t)i * s->stride, count, parts, 1.0);
    for (int k = i + 1; k < end; ++k) {
        subtract_row(&sum, count, parts, l[k], X + (size_t)k * s->stride);
    }
    put_row(X + (size_t)i * s->stride, count, parts, &sum);
}

// Left of its own block a row has entries where its ancestors are, and none in the unit matrix.
static void inward_left(const atemi_model *model, const right_sides *s, int i, int end,
                        const double *l)
{
    for (int k = model->factor_parents[i], own = atemi_block(i); k != ATEMI_NONE;) {
        const int b = atemi_block(k);
        if (b < own) {
            inward_blocks(s, i, end, l, b, 1, PARTS - 1);
        }
        while (k != ATEMI_NONE && atemi_block(k) == b) {
            k = model->factor_parents[k];
        }
    }
}

static void sweep_inward(const atemi_model *model, const atemi_mass_factor *factor,
                         const right_sides *s)
{
    const size_t padded = atemi_mass_factor_stride(model);
    for (int i = s->n - 2; i >= 0; --i) {
        const int     end = model->coupled ? s->n : model->ends[i];
        const int     blocks = atemi_block(end - 1) + 1;
        const double *l = factor->columns + (size_t)i * padded;
        if (end == i + 1) {
            continue;
        }
        inward_left(model, s, i, end, l);
        int b = atemi_block(i);
        for (; b + 1 < blocks; b += 2) {
            inward_blocks(s, i, end, l, b, 2, PARTS);
        }
        if (b < blocks) {
            inward_blocks(s, i, end, l, b, 1, PARTS);
        }
    }
}

// Likewise. `l` is row i of L.
ATEMI_INLINE void outward_blocks(const right_sides *s, int i, const int *parents, double inverse,
                                 const double *l, int b, int count)
{
    double   *X = s->X + (size_t)(b * STEP);
    row_packs sum = row_at(X + (size_t)i * s->stride, count, PARTS, -inverse);
    for (int k = parents[i]; k != ATEMI_NONE; k = parents[k]) {
        subtract_row(&sum, count, PARTS, l[k], X + (size_t)k * s->stride);
    }
    put_row(X + (size_t)i * s->stride, count, PARTS, &sum);
}

static void sweep_outward(const atemi_model *model, const atemi_mass_factor *factor,
                          const right_sides *s)
{
    const size_t padded = atemi_mass_factor_stride(model);
    for (int i = 0; i < s->n; ++i) {
        const double *l = factor->rows + (size_t)i * padded;
        int           b = 0;
        for (; b + 1 < s->blocks; b += 2) {
            outward_blocks(s, i, model->factor_parents, factor->inverse[i], l, b, 2);
        }
        if (b < s->blocks) {
            outward_blocks(s, i, model->factor_parents, factor->inverse[i], l, b, 1);
        }
    }
}

// ---- From nodes to right sides, and from there to results

static void put_unit(const right_sides *s)
{
    const pack none = {0};
    for (int i = 0; i < s->n; ++i) {
        double *row = s->X + (size_t)i * s->stride + (size_t)(2 * ATEMI_LANES);
        for (int b = 0; b < s->blocks; ++b) {
            pack_put(row + b * STEP, none);
        }
        row[atemi_block(i) * STEP + atemi_lane(i)] = -1.0;
    }
}

// Rows of coupled robots are computed over nodes, then reduced to the independent rates.
static void put_reduced(const atemi_model *model, atemi_derivatives_scratch *s,
                        const right_sides *sides)
{
    const size_t stride = (size_t)model->block_count * ATEMI_LANES;
    const size_t size = stride * (size_t)model->node_count, n = (size_t)model->v_count;
    double      *full[] = {s->rows, s->rows + size}, *reduced = s->rows + 2 * size;
    atemi_derivative_rows(model, s, (atemi_row_layout){stride, ATEMI_LANES, size}, full[0], full[1],
                          NULL);
    for (int part = 0; part < 2; ++part) {
        atemi_derivatives_reduce(model, full[part], reduced);
        for (size_t i = 0; i < n; ++i) {
            double *row = sides->X + i * sides->stride + (size_t)(part * ATEMI_LANES);
            for (size_t j = 0; j < n; ++j) {
                row[(size_t)atemi_block((int)j) * STEP + (size_t)atemi_lane((int)j)] =
                    reduced[i * n + j];
            }
        }
    }
}

static void put_right_sides(const atemi_model *model, atemi_derivatives_scratch *s,
                            const right_sides *sides)
{
    if (model->coupled) {
        memset(sides->X, 0, sides->stride * (size_t)sides->n * sizeof *sides->X);
        put_reduced(model, s, sides);
    } else {
        const atemi_row_layout layout = {sides->stride, STEP, sides->stride * (size_t)sides->n};
        atemi_derivative_rows(model, s, layout, sides->X, sides->X + ATEMI_LANES, NULL);
    }
    put_unit(sides);
}

void atemi_right_sides_read(const atemi_right_sides *s, int part, double *to)
{
    const size_t size = (size_t)s->n * (size_t)s->n;
    for (int i = 0; i < s->n; ++i) {
        const double *row = s->X + (size_t)i * s->stride + (size_t)(part * ATEMI_LANES);
        for (int b = 0; b < s->blocks; ++b) {
            const size_t at = (size_t)i * (size_t)s->n + (size_t)b * ATEMI_LANES;
            atemi_put_cut(to + at, size - at, pack_at(row + b * STEP));
        }
    }
}

atemi_right_sides atemi_right_sides_solve(const atemi_model         *model,
                                          atemi_derivatives_scratch *scratch)
{
    const right_sides sides = right_sides_of(model, scratch);
    put_right_sides(model, scratch, &sides);
    sweep_inward(model, &scratch->factor, &sides);
    sweep_outward(model, &scratch->factor, &sides);
    return sides;
}

// ---- The interface

// The acceleration, the factor of M, and the composites.
static atemi_status find_acceleration(const atemi_model *model, const double *tau,
                                      const atemi_force *external, atemi_derivatives_scratch *s)
{
    atemi_newton_euler_at(model, true, NULL, model->gravity, external, &s->inverse, s->a);
    atemi_mass_factor_at(model, &s->inverse.kinematics, &s->factor);
    if (!atemi_mass_factor_regular(model, &s->factor)) {
        return ATEMI_ERROR_SINGULAR;
    }
    for (int i = 0; i < model->v_count; ++i) {
        s->a[i] = (tau ? tau[i] : 0.0) - s->a[i];
    }
    atemi_mass_factor_solve(model, &s->factor, s->a);
    return ATEMI_OK;
}

static atemi_status vary(const atemi_model *model, const double *q, const double *v,
                         const double *tau, const atemi_force *external,
                         atemi_derivatives_scratch *scratch)
{
    atemi_kinematics *k = &scratch->inverse.kinematics;
    memset(scratch->still, 0, (size_t)model->v_count * sizeof *scratch->still);
    atemi_kinematics_poses(model, q, k);
    atemi_kinematics_velocities(model, v ? v : scratch->still, k);
    atemi_derivatives_bodies(model, scratch);
    const atemi_status status = find_acceleration(model, tau, external, scratch);
    if (status) {
        return status;
    }
    atemi_newton_euler_at(model, true, scratch->a, model->gravity, external, &scratch->inverse,
                          scratch->tau);
    atemi_derivatives_pull(model, external, scratch);
    atemi_derivatives_vary(model, scratch);
    return ATEMI_OK;
}

atemi_status atemi_forward_dynamics_derivatives(const atemi_model *model, const double *q,
                                                const double *v, const double *tau,
                                                const atemi_force         *external,
                                                atemi_derivatives_scratch *scratch, double *a,
                                                double *dq, double *dv, double *dtau)
{
    ATEMI_REQUIRE_OR(model && scratch, ATEMI_ERROR_CONTRACT);
    if (model->v_count == 0) {
        return ATEMI_OK;
    }
    ATEMI_REQUIRE_OR(q && dq && dv && dtau, ATEMI_ERROR_CONTRACT);
    const atemi_status status = vary(model, q, v, tau, external, scratch);
    if (status) {
        return status;
    }
    const right_sides sides = atemi_right_sides_solve(model, scratch);
    atemi_right_sides_read(&sides, 0, dq);
    atemi_right_sides_read(&sides, 1, dv);
    atemi_right_sides_read(&sides, 2, dtau);
    if (a) {
        memcpy(a, scratch->a, (size_t)model->v_count * sizeof *a);
    }
    return ATEMI_OK;
}
