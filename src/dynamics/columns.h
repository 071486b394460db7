// SPDX-License-Identifier: Apache-2.0

/// @file
/// Matrices of up to six rows and v_count columns, written in whole blocks of nodes.

#pragma once

#include "dynamics/blocks.h"

#include <string.h>

/// The rows of a block of columns.
typedef struct atemi_columns {
    pack row[6];
} atemi_columns;

static inline atemi_columns atemi_columns_of(pack3 linear, pack3 angular, pack_mask mask)
{
    return (atemi_columns){{pack_keep(mask, linear.x), pack_keep(mask, linear.y),
                            pack_keep(mask, linear.z), pack_keep(mask, angular.x),
                            pack_keep(mask, angular.y), pack_keep(mask, angular.z)}};
}

/// Writes the columns of a block of nodes where v and nodes are numbered alike. What hangs over the
/// end of a row is overwritten by the next row's first block: rows go up, blocks go down.
static inline void atemi_columns_put(int n, int rows, int block, const atemi_columns *from,
                                     double *J)
{
    for (int row = 0; row < rows; ++row) {
        const int first = row * n + block * ATEMI_LANES, left = rows * n - first;
        if (left >= ATEMI_LANES) {
            pack_put(J + first, from->row[row]);
        } else {
            memcpy(J + first, &from->row[row], (size_t)left * sizeof *J);
        }
    }
}

/// Adds the columns of a block of nodes to those of the rates that drive them.
static inline void atemi_columns_add(const atemi_model *model, int rows, int block,
                                     const atemi_columns *from, double *J)
{
    const size_t n = (size_t)model->v_count;
    for (int lane = 0; lane < ATEMI_LANES && block * ATEMI_LANES + lane < model->node_count;
         ++lane) {
        const atemi_node_drive *drive = &model->drives[block * ATEMI_LANES + lane];
        for (size_t row = 0; row < (size_t)rows; ++row) {
            J[row * n + (size_t)drive->v] += drive->scale * from->row[row][lane];
        }
    }
}

/// Writes the columns of a block into J, which was cleared before: blocks from the last to the
/// first.
static inline void atemi_columns_write(const atemi_model *model, int rows, int block,
                                       const atemi_columns *from, double *J)
{
    if (model->coupled) {
        atemi_columns_add(model, rows, block, from, J);
    } else {
        atemi_columns_put(model->v_count, rows, block, from, J);
    }
}
