// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"
#include "atemi/dynamics.h"
#include "dynamics/data_parts.h"

#include <string.h>

// Column i is the momentum that a unit rate of node i gives the composite behind it, with its
// moment moved from the common origin to the centre of mass c of the robot: L - c x P.

static void shift_columns(const atemi_model *model, atemi_vec3 com,
                          atemi_composite_block *composites)
{
    const pack3 c = pack3_of(com);
    for (int b = 0; b < model->block_count; ++b) {
        const pack3 linear = pack3_load(&composites[b].linear);
        pack3_store(&composites[b].angular,
                    pack3_sub(pack3_load(&composites[b].angular), pack3_cross(c, linear)));
    }
}

static const lanes *row_of(const atemi_composite_block *block, int row)
{
    const lanes *rows[] = {&block->linear.x,  &block->linear.y,  &block->linear.z,
                           &block->angular.x, &block->angular.y, &block->angular.z};
    return rows[row];
}

static void copy_rows(const atemi_model *model, const atemi_composite_block *composites, double *A)
{
    const int n = model->v_count;
    for (int row = 0; row < 6; ++row) {
        for (int b = 0; b < model->block_count; ++b) {
            const int first = b * ATEMI_LANES;
            const int count = n - first < ATEMI_LANES ? n - first : ATEMI_LANES;
            memcpy(A + (size_t)row * (size_t)n + first, row_of(&composites[b], row)->of,
                   (size_t)count * sizeof *A);
        }
    }
}

static void add_columns(const atemi_model *model, const atemi_composite_block *composites,
                        double *A)
{
    const size_t n = (size_t)model->v_count;
    memset(A, 0, 6 * n * sizeof *A);
    for (int i = 0; i < model->node_count; ++i) {
        const atemi_node_drive *drive = &model->drives[i];
        for (int row = 0; row < 6; ++row) {
            A[(size_t)row * n + (size_t)drive->v] +=
                drive->scale * row_of(&composites[atemi_block(i)], row)->of[atemi_lane(i)];
        }
    }
}

static void fill(const atemi_model *model, const atemi_kinematics *k,
                 atemi_composite_block *composites, double *A)
{
    atemi_composites_gather(model, k, composites);
    atemi_composites_momenta(model, k, composites);
    shift_columns(model, atemi_vec3_sub(atemi_center_of_mass_in(model, k), k->origin), composites);
    if (model->coupled) {
        add_columns(model, composites, A);
    } else {
        copy_rows(model, composites, A);
    }
}

void atemi_momentum_matrix_at(atemi_data *data, double *A)
{
    ATEMI_REQUIRE(data && data->posed);
    if (data->model->v_count == 0) {
        return;
    }
    ATEMI_REQUIRE(A);
    fill(data->model, atemi_data_kinematics(data), data->factor.scratch.composites, A);
}

void atemi_momentum_matrix(atemi_data *data, const double *q, double *A)
{
    ATEMI_REQUIRE(data && (q || data->model->v_count == 0));
    atemi_data_go(data, q, NULL);
    atemi_momentum_matrix_at(data, A);
}
