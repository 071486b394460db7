// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"
#include "dynamics/derivatives.h"

#include <string.h>

// Row i of the derivatives of tau, with the vectors of derivatives.c and the momentum F_i = I_i
// S_i. For every node j that carries i or is of its joint:
//
//   dq_ij = F_i.Z_j + (C_i^T S_i).Y_j + (K_i^T S_i).S_j      dv_ij = F_i.T_j + (C_i^T S_i).S_j
//   da_ij = F_i.S_j
//
// (the products with C^T S and K^T S are of angular parts), and for every node j behind the joint,
// with the column of j:
//
//   dq_ij = S_i.force_by_q_j,    dv_ij = S_i.force_by_v_j,    da_ij = S_i.F_j
//
// All others are zero. Nodes are numbered depth first, so the first part is in the blocks up to i,
// the second in those from i to ends[i], and a row is written in whole blocks.

// The same vector in all lanes.
static pack6 spread(const lanes3 *linear, const lanes3 *angular, int lane)
{
    return (pack6){pack3_of(atemi_lane3(linear, lane)), pack3_of(atemi_lane3(angular, lane))};
}

// What row i takes into its products.
typedef struct row_vectors {
    pack6 axis, momentum;
    pack3 coriolis, pull;
    int   node, last, end;
    bool  pulled;
} row_vectors;

// A block of the three rows.
typedef struct row_part {
    pack dq, dv, da;
} row_part;

ATEMI_INLINE row_vectors row_vectors_of(const atemi_model               *model,
                                        const atemi_derivatives_scratch *s, int i)
{
    const int                     b = atemi_block(i), lane = atemi_lane(i);
    const atemi_kinematics_block *k = &s->inverse.kinematics.blocks[b];
    row_vectors                   row = {.axis = spread(&k->axis_linear, &k->axis_angular, lane),
                                         .momentum =
                                             spread(&s->composites[b].linear, &s->composites[b].angular, lane),
                                         .coriolis = pack3_of(atemi_lane3(&s->variations[b].coriolis_row, lane)),
                                         .node = i,
                                         .last = s->lasts[i],
                                         .end = model->ends[i],
                                         .pulled = s->pulled};
    if (s->pulled) {
        row.pull = pack3_of(atemi_lane3(&s->variations[b].pull_row, lane));
    }
    return row;
}

// (Rows by value and inline, so that their vectors stay in registers from block to block.)
ATEMI_INLINE row_part part_of_carriers(const atemi_derivatives_scratch *s, row_vectors row, int b)
{
    const atemi_kinematics_block *k = &s->inverse.kinematics.blocks[b];
    const atemi_variation_block  *v = &s->variations[b];
    const pack6                   S = pack6_axes(k);
    row_part part = {pack6_dot(pack6_load(&v->acceleration_by_q), row.momentum) +
                         pack3_dot(pack3_load(&v->velocity_by_q.angular), row.coriolis),
                     pack6_dot(pack6_load(&v->acceleration_by_v), row.momentum) +
                         pack3_dot(S.angular, row.coriolis),
                     pack6_dot(S, row.momentum)};
    if (row.pulled) {
        part.dq += pack3_dot(S.angular, row.pull);
    }
    return part;
}

ATEMI_INLINE row_part part_of_carried(const atemi_derivatives_scratch *s, row_vectors row, int b)
{
    const atemi_variation_block *v = &s->variations[b];
    const pack6 F = {pack3_load(&s->composites[b].linear), pack3_load(&s->composites[b].angular)};
    return (row_part){pack6_dot(pack6_load(&v->force_by_q), row.axis),
                      pack6_dot(pack6_load(&v->force_by_v), row.axis), pack6_dot(F, row.axis)};
}

ATEMI_INLINE row_part keep(pack_mask mask, row_part part)
{
    return (row_part){pack_keep(mask, part.dq), pack_keep(mask, part.dv), pack_keep(mask, part.da)};
}

// The part of a row in a block that has carriers, nodes behind the joint, both or none of them.
ATEMI_INLINE row_part row_part_of(const atemi_model *model, const atemi_derivatives_scratch *s,
                                  row_vectors row, int b, bool carriers)
{
    const int first = b * ATEMI_LANES;
    row_part  part = {0};
    if (carriers) {
        part = keep(atemi_carriers(model, b, row.last), part_of_carriers(s, row, b));
    }
    if (first + ATEMI_LANES > row.last + 1 && first < row.end) {
        const pack      index = pack_indices() + (double)first;
        const pack_mask mask = (index > (double)row.last) & (index < (double)row.end);
        const row_part  behind = keep(mask, part_of_carried(s, row, b));
        part = (row_part){part.dq + behind.dq, part.dv + behind.dv, part.da + behind.da};
    }
    return part;
}

// The three matrices that are written; da may be NULL.
typedef struct matrices {
    double          *dq, *dv, *da;
    atemi_row_layout layout;
} matrices;

ATEMI_INLINE void put_part(matrices to, int i, int b, row_part part)
{
    const size_t at = (size_t)i * to.layout.stride + (size_t)b * to.layout.step;
    const size_t left = to.layout.size - at;
    atemi_put_cut(to.dq + at, left, part.dq);
    atemi_put_cut(to.dv + at, left, part.dv);
    if (to.da) {
        atemi_put_cut(to.da + at, left, part.da);
    }
}

// From the last block to the first, and so does the way to the root: k is the next carrier.
static void put_row(const atemi_model *model, const atemi_derivatives_scratch *s, int i,
                    matrices to)
{
    const row_vectors row = row_vectors_of(model, s, i);
    int               k = row.last;
    for (int b = model->block_count - 1; b >= 0; --b) {
        const bool carriers = k != ATEMI_NONE && atemi_block(k) == b;
        put_part(to, i, b, row_part_of(model, s, row, b, carriers));
        while (k != ATEMI_NONE && atemi_block(k) == b) {
            k = model->parents[k];
        }
    }
}

static double diagonal_of(const atemi_model *model, const atemi_derivatives_scratch *s, int i)
{
    return s->composites[atemi_block(i)].diagonal.of[atemi_lane(i)] +
           model->blocks[atemi_block(i)].armature.of[atemi_lane(i)];
}

void atemi_derivative_rows(const atemi_model *model, const atemi_derivatives_scratch *scratch,
                           atemi_row_layout layout, double *dq, double *dv, double *da)
{
    const matrices to = {dq, dv, da, layout};
    for (int i = 0; i < model->node_count; ++i) {
        put_row(model, scratch, i, to);
        if (da) {
            da[(size_t)i * layout.stride + (size_t)i] = diagonal_of(model, scratch, i);
        }
    }
}

void atemi_derivatives_reduce(const atemi_model *model, const double *X, double *to)
{
    const atemi_node_drive *drive = model->drives;
    const size_t n = (size_t)model->v_count, stride = (size_t)model->block_count * ATEMI_LANES;
    memset(to, 0, n * n * sizeof *to);
    for (int i = 0; i < model->node_count; ++i) {
        const double *row = X + (size_t)i * stride;
        for (int j = 0; j < model->node_count; ++j) {
            to[(size_t)drive[i].v * n + (size_t)drive[j].v] +=
                drive[i].scale * drive[j].scale * row[j];
        }
    }
}

static void reduced_rows(const atemi_model *model, atemi_derivatives_scratch *s, double *dq,
                         double *dv, double *da)
{
    const size_t stride = (size_t)model->block_count * ATEMI_LANES;
    const size_t size = stride * (size_t)model->node_count;
    double      *X[] = {s->rows, s->rows + size, s->rows + 2 * size};
    atemi_derivative_rows(model, s, (atemi_row_layout){stride, ATEMI_LANES, size}, X[0], X[1],
                          X[2]);
    atemi_derivatives_reduce(model, X[0], dq);
    atemi_derivatives_reduce(model, X[1], dv);
    atemi_derivatives_reduce(model, X[2], da);
}

void atemi_inverse_dynamics_derivatives(const atemi_model *model, const double *q, const double *v,
                                        const double *a, const atemi_force *external,
                                        atemi_derivatives_scratch *scratch, double *tau, double *dq,
                                        double *dv, double *da)
{
    ATEMI_REQUIRE(model && scratch);
    if (model->v_count == 0) {
        return;
    }
    ATEMI_REQUIRE(q && dq && dv && da);
    const size_t n = (size_t)model->v_count;
    atemi_derivatives_update(model, q, v, a, external, scratch);
    if (tau) {
        memcpy(tau, scratch->tau, n * sizeof *tau);
    }
    if (model->coupled) {
        reduced_rows(model, scratch, dq, dv, da);
    } else {
        atemi_derivative_rows(model, scratch, (atemi_row_layout){n, ATEMI_LANES, n * n}, dq, dv,
                              da);
    }
}
