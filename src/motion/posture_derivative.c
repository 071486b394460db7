// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"
#include "motion/least_norm.h"
#include "motion/posture_goal.h"

#include <string.h>

// Where the errors are zero they stay so if their change by the posture makes up for that by the
// target, which moves with (u, w) in world axes:
//
//   J v = weight R_t^T u   and   weight R_t^T w
//
// Of all such v the shortest is what a warm-started search would do: its steps are J^T times
// something.

// The rows' right-hand side for a unit motion of one target along axis `c` of the world.
static void target_moves(const atemi_posture_goal *goals, int count, int moved, int c, double *b)
{
    int at = 0;
    for (int g = 0; g < count; ++g) {
        const atemi_mat3 *R = &goals[g].target.rotation;
        const double      axes[3][3] = {
            {R->x.x, R->y.x, R->z.x}, {R->x.y, R->y.y, R->z.y}, {R->x.z, R->y.z, R->z.z}};
        const int rows = goals[g].kind == ATEMI_GOAL_FRAME ? 6 : 3;
        for (int r = 0; r < rows; ++r) {
            if (goals[g].weight[r] > 0.0) {
                const bool follows = g == moved && r / 3 == c / 3;
                b[at++] = follows ? goals[g].weight[r] * axes[c % 3][r % 3] : 0.0;
            }
        }
    }
}

static void put_column(const atemi_inverse_kinematics_scratch *s, int width, int column, double *D)
{
    for (int k = 0; k < s->count; ++k) {
        D[s->freedoms[k].v * width + column] = s->step[k];
    }
}

int atemi_posture_derivative(const atemi_model *model, const double *q,
                             const atemi_posture_goal *goals, int count,
                             const atemi_inverse_kinematics_options *options,
                             atemi_inverse_kinematics_scratch *scratch, double *D)
{
    ATEMI_REQUIRE_OR(model && q && scratch && D && (goals || count == 0), 0);
    ATEMI_REQUIRE_OR(count >= 0 && count <= scratch->max_goals, 0);
    const atemi_inverse_kinematics_options defaults = atemi_inverse_kinematics_options_default();
    const int                              width = 6 * count;
    memset(D, 0, (size_t)atemi_model_v_count(model) * (size_t)width * sizeof *D);
    atemi_posture_freedoms(model, options ? options : &defaults, scratch);
    atemi_posture_errors(q, goals, count, scratch);
    atemi_posture_linearize(model, goals, count, scratch);
    const int rank = atemi_least_norm_factor(scratch->row_count, scratch->count, scratch->rows,
                                             NULL, scratch->least);
    for (int column = 0; column < width; ++column) {
        target_moves(goals, count, column / 6, column % 6, scratch->residual);
        atemi_least_norm_solve(scratch->least, scratch->residual, scratch->step);
        put_column(scratch, width, column, D);
    }
    return rank;
}
