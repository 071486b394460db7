// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"
#include "atemi/dynamics.h"
#include "dynamics/data_parts.h"
#include "dynamics/mass_rows.h"

#include <string.h>

// Composite rigid bodies [Featherstone08, 6.2]: a unit rate of node j gives the composite behind it
// the momentum F_j, and
//
//   M_ij = S_i^T F_j   for j = i (plus the rotor) and every node j that i carries,
//   M_ij = 0           for every other j > i.
//
// Nodes are numbered depth first, so the nodes that i carries are those from i to ends[i]: half a
// row is one unbroken run, computed in whole blocks.

static int row_stride(const atemi_model *model)
{
    return model->block_count * ATEMI_LANES;
}

// M_ij for j from i to the end of what i carries, into row[j]. Neighbours in the same blocks come
// out as anything.
static void fill_run(const atemi_model *model, const atemi_kinematics_block *k,
                     const atemi_composite_block *composites, int i, double *row)
{
    const atemi_kinematics_block *own = &k[atemi_block(i)];
    const int                     lane = atemi_lane(i);
    const pack3                   linear = pack3_of(atemi_lane3(&own->axis_linear, lane));
    const pack3                   angular = pack3_of(atemi_lane3(&own->axis_angular, lane));
    for (int b = atemi_block(i); b * ATEMI_LANES < model->ends[i]; ++b) {
        pack_put(row + b * ATEMI_LANES, pack3_dot(pack3_load(&composites[b].linear), linear) +
                                            pack3_dot(pack3_load(&composites[b].angular), angular));
    }
    row[i] = composites[atemi_block(i)].diagonal.of[lane] +
             model->blocks[atemi_block(i)].armature.of[lane];
}

// M_ji for j up to i into row[j]: the same elements, seen from the other side, zeros included.
static void fill_row(const atemi_model *model, const atemi_kinematics_block *k,
                     const atemi_composite_block *composites, int i, double *row)
{
    const atemi_composite_block *own = &composites[atemi_block(i)];
    const int                    lane = atemi_lane(i);
    const pack3                  linear = pack3_of(atemi_lane3(&own->linear, lane));
    const pack3                  angular = pack3_of(atemi_lane3(&own->angular, lane));
    for (int b = 0; b <= atemi_block(i); ++b) {
        const pack m = pack3_dot(pack3_load(&k[b].axis_linear), linear) +
                       pack3_dot(pack3_load(&k[b].axis_angular), angular);
        pack_put(row + b * ATEMI_LANES, pack_keep(atemi_carriers(model, b, i), m));
    }
    row[i] = own->diagonal.of[lane] + model->blocks[atemi_block(i)].armature.of[lane];
}

static void gather(const atemi_model *model, const atemi_kinematics *k,
                   atemi_composite_block *composites)
{
    atemi_composites_gather(model, k, composites);
    atemi_composites_momenta(model, k, composites);
}

void atemi_mass_rows(const atemi_model *model, const atemi_kinematics *k,
                     atemi_mass_matrix_scratch *s)
{
    gather(model, k, s->composites);
    for (int i = 0; i < model->node_count; ++i) {
        fill_row(model, k->blocks, s->composites, i,
                 s->rows + (size_t)i * (size_t)row_stride(model));
    }
}

atemi_mass_matrix_scratch atemi_mass_matrix_scratch_take_at(atemi_arena       *arena,
                                                            const atemi_model *model)
{
    const size_t              stride = (size_t)row_stride(model);
    atemi_mass_matrix_scratch s = {0};
    s.composites = atemi_arena_array(arena, atemi_composite_block, model->block_count);
    s.rows = atemi_arena_array(arena, double, stride *(size_t)model->node_count);
    s.run = atemi_arena_array(arena, double, stride);
    return s;
}

atemi_mass_matrix_scratch atemi_mass_matrix_scratch_take(atemi_arena       *arena,
                                                         const atemi_model *model)
{
    const atemi_kinematics    kinematics = atemi_kinematics_take(arena, model);
    atemi_mass_matrix_scratch s = atemi_mass_matrix_scratch_take_at(arena, model);
    s.kinematics = kinematics;
    return s;
}
// M of the independent rates: G^T M G with G the drives of the nodes.
void atemi_mass_reduce(const atemi_model *model, const double *rows, double *M, size_t stride)
{
    const atemi_node_drive *drive = model->drives;
    memset(M, 0, (size_t)model->v_count * stride * sizeof *M);
    for (int i = 0; i < model->node_count; ++i) {
        const double *row = rows + (size_t)i * (size_t)row_stride(model);
        for (int j = 0; j <= i; ++j) {
            const double m = drive[i].scale * drive[j].scale * row[j];
            M[(size_t)drive[i].v * stride + (size_t)drive[j].v] += m;
            if (i != j) {
                M[(size_t)drive[j].v * stride + (size_t)drive[i].v] += m;
            }
        }
    }
}

static void fill_both_triangles(const atemi_model *model, const atemi_kinematics *k,
                                atemi_mass_matrix_scratch *s, double *M)
{
    const size_t n = (size_t)model->v_count;
    gather(model, k, s->composites);
    memset(M, 0, n * n * sizeof *M);
    for (size_t i = 0; i < n; ++i) {
        const size_t end = (size_t)model->ends[i];
        fill_run(model, k->blocks, s->composites, (int)i, s->run);
        for (size_t j = i; j < end; ++j) {
            M[i * n + j] = s->run[j];
            M[j * n + i] = s->run[j];
        }
    }
}

void atemi_mass_matrix_fill(const atemi_model *model, const atemi_kinematics *k,
                            atemi_mass_matrix_scratch *s, double *M)
{
    if (model->coupled) {
        atemi_mass_rows(model, k, s);
        atemi_mass_reduce(model, s->rows, M, (size_t)model->v_count);
    } else {
        fill_both_triangles(model, k, s, M);
    }
}

void atemi_mass_matrix_in(const atemi_model *model, const double *q,
                          atemi_mass_matrix_scratch *scratch, double *M)
{
    ATEMI_REQUIRE(model && scratch);
    if (model->v_count == 0) {
        return;
    }
    ATEMI_REQUIRE(q && M);
    atemi_kinematics_poses(model, q, &scratch->kinematics);
    atemi_mass_matrix_fill(model, &scratch->kinematics, scratch, M);
}

void atemi_mass_matrix_at(atemi_data *data, double *M)
{
    ATEMI_REQUIRE(data && data->posed);
    if (data->model->v_count == 0) {
        return;
    }
    ATEMI_REQUIRE(M);
    atemi_mass_matrix_fill(data->model, atemi_data_kinematics(data), &data->factor.scratch, M);
}

void atemi_mass_matrix(atemi_data *data, const double *q, double *M)
{
    ATEMI_REQUIRE(data && (q || data->model->v_count == 0));
    atemi_data_go(data, q, NULL);
    atemi_mass_matrix_at(data, M);
}
