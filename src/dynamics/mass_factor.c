// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"
#include "atemi/dynamics.h"
#include "dynamics/data_parts.h"
#include "dynamics/mass_rows.h"

#include <math.h>
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
//   L^T y = b     from the last row to the first, with row k of L:      y_i -= L_ki y_k
//   L x = D^-1 y  from the first to the last, with column k of L:       x_i -= L_ik x_k
//
// L is kept twice, by rows and by columns, so that both sweeps subtract whole blocks.

static void subtract_scaled(double *to, double s, const double *from, int first, int end)
{
    for (int b = first; b < end; ++b) {
        pack_put(to + b * ATEMI_LANES,
                 pack_at(to + b * ATEMI_LANES) - s * pack_at(from + b * ATEMI_LANES));
    }
}

// Makes a row that of L: scaled, and cleared from the diagonal on. (Scaling element by element
// while eliminating would have every block read back while it is written.)
static void scale_row(double *row, int k, double scale)
{
    for (int b = 0; b <= atemi_block(k); ++b) {
        const pack index = pack_indices() + (double)(b * ATEMI_LANES);
        pack_put(row + b * ATEMI_LANES,
                 pack_keep(index < (double)k, scale * pack_at(row + b * ATEMI_LANES)));
    }
}

static void eliminate(const atemi_model *model, size_t stride, atemi_mass_factor *factor)
{
    const int *parents = model->factor_parents;
    for (int k = model->v_count - 1; k >= 0; --k) {
        double      *row = factor->rows + (size_t)k * stride;
        const double scale = 1.0 / row[k];
        for (int i = parents[k]; i != ATEMI_NONE; i = parents[i]) {
            const double l = scale * row[i];
            subtract_scaled(factor->rows + (size_t)i * stride, l, row, 0, atemi_block(i) + 1);
            factor->columns[(size_t)i * stride + (size_t)k] = l;
        }
        scale_row(row, k, scale);
        factor->inverse[k] = scale;
    }
}

static int block_count(const atemi_model *model)
{
    return (model->v_count + ATEMI_LANES - 1) / ATEMI_LANES;
}

size_t atemi_mass_factor_stride(const atemi_model *model)
{
    return (size_t)block_count(model) * ATEMI_LANES;
}

atemi_mass_factor atemi_mass_factor_take_at(atemi_arena *arena, const atemi_model *model)
{
    const size_t stride = atemi_mass_factor_stride(model), size = stride * (size_t)model->v_count;
    atemi_mass_factor f = {.scratch = atemi_mass_matrix_scratch_take_at(arena, model)};
    f.rows = model->coupled ? atemi_arena_array(arena, double, size) : f.scratch.rows;
    f.columns = atemi_arena_array(arena, double, size);
    f.inverse = atemi_arena_array(arena, double, stride);
    f.work = atemi_arena_array(arena, double, stride);
    return f;
}

atemi_mass_factor atemi_mass_factor_take(atemi_arena *arena, const atemi_model *model)
{
    const atemi_kinematics kinematics = atemi_kinematics_take(arena, model);
    atemi_mass_factor      f = atemi_mass_factor_take_at(arena, model);
    f.scratch.kinematics = kinematics;
    return f;
}

void atemi_mass_factor_fill(const atemi_model *model, const atemi_kinematics *k,
                            atemi_mass_factor *factor)
{
    atemi_mass_rows(model, k, &factor->scratch);
    if (model->coupled) {
        atemi_mass_reduce(model, factor->scratch.rows, factor->rows,
                          atemi_mass_factor_stride(model));
    }
}

double *atemi_mass_factor_diagonal(const atemi_model *model, atemi_mass_factor *factor, int k)
{
    return factor->rows + (size_t)k * (atemi_mass_factor_stride(model) + 1);
}

void atemi_mass_factor_eliminate(const atemi_model *model, atemi_mass_factor *factor)
{
    eliminate(model, atemi_mass_factor_stride(model), factor);
}

void atemi_mass_factor_at(const atemi_model *model, const atemi_kinematics *k,
                          atemi_mass_factor *factor)
{
    atemi_mass_factor_fill(model, k, factor);
    atemi_mass_factor_eliminate(model, factor);
}

// ---- Motions without inertia

// Of what a rate carries, its inertia about any axis through the joint, or its mass: smaller pivots
// are rounding.
static const double no_inertia = 1e-13;

static double carried_by_node(const atemi_model *model, const atemi_mass_factor *factor, int node)
{
    const atemi_composite_block *c = &factor->scratch.composites[atemi_block(node)];
    const int                    lane = atemi_lane(node);
    return model->blocks[atemi_block(node)].revolute.of[lane] != 0.0
               ? c->inertia.x.of[lane] + c->inertia.y.of[lane] + c->inertia.z.of[lane]
               : c->mass.of[lane];
}

static double carried_by(const atemi_model *model, const atemi_mass_factor *factor, int rate)
{
    if (!model->coupled) {
        return carried_by_node(model, factor, rate);
    }
    double sum = 0.0;
    for (int i = 0; i < model->node_count; ++i) {
        const atemi_node_drive *drive = &model->drives[i];
        sum += drive->v == rate ? drive->scale * drive->scale * carried_by_node(model, factor, i)
                                : 0.0;
    }
    return sum;
}

// Elimination goes from the last rate to the first: the first pivot that fails is the cause.
static int rate_without_inertia(const atemi_model *model, const atemi_mass_factor *factor)
{
    for (int k = model->v_count - 1; k >= 0; --k) {
        const double inverse = factor->inverse[k];
        if (!(inverse > 0.0 && inverse * no_inertia * carried_by(model, factor, k) < 1.0 &&
              isfinite(inverse))) {
            return k;
        }
    }
    return ATEMI_NONE;
}

bool atemi_mass_factor_regular(const atemi_model *model, const atemi_mass_factor *factor)
{
    return rate_without_inertia(model, factor) == ATEMI_NONE;
}

static const char *joint_of_rate(const atemi_model *model, int rate)
{
    for (int j = 0; j < atemi_model_joint_count(model); ++j) {
        const atemi_joint *joint = atemi_model_joint(model, j);
        if (joint->v_count > 0 && rate >= joint->first_v &&
            rate < joint->first_v + joint->v_count) {
            return joint->name;
        }
    }
    return NULL;
}

atemi_status atemi_mass_factor_check(const atemi_model *model, const atemi_mass_factor *factor,
                                     atemi_error *error)
{
    ATEMI_REQUIRE_OR(model && factor, ATEMI_ERROR_CONTRACT);
    const int rate = rate_without_inertia(model, factor);
    if (rate == ATEMI_NONE) {
        return ATEMI_OK;
    }
    const char *joint = joint_of_rate(model, rate);
    return joint ? atemi_fail(error, ATEMI_ERROR_SINGULAR,
                              "joint '%s' moves no mass: give its link an inertia or a rotor "
                              "inertia (armature)",
                              joint)
                 : atemi_fail(
                       error, ATEMI_ERROR_SINGULAR,
                       "the base moves no mass: give its links mass and inertia, or fix the base");
}

void atemi_mass_factor_update(const atemi_model *model, const double *q, atemi_mass_factor *factor)
{
    ATEMI_REQUIRE(model && factor);
    if (model->v_count == 0) {
        return;
    }
    ATEMI_REQUIRE(q);
    atemi_kinematics_poses(model, q, &factor->scratch.kinematics);
    atemi_mass_factor_at(model, &factor->scratch.kinematics, factor);
}

void atemi_mass_factor_inward(const atemi_model *model, const atemi_mass_factor *factor, double *y)
{
    const size_t stride = atemi_mass_factor_stride(model);
    for (int k = model->v_count - 1; k > 0; --k) {
        subtract_scaled(y, y[k], factor->rows + (size_t)k * stride, 0, atemi_block(k) + 1);
    }
}

void atemi_mass_factor_outward(const atemi_model *model, atemi_mass_factor *factor)
{
    const size_t stride = atemi_mass_factor_stride(model);
    for (int k = 0; k < model->v_count; ++k) {
        const int end = model->coupled ? model->v_count : model->ends[k];
        subtract_scaled(factor->work, factor->work[k], factor->columns + (size_t)k * stride,
                        atemi_block(k + 1), atemi_block(end - 1) + 1);
    }
}

void atemi_mass_factor_solve(const atemi_model *model, atemi_mass_factor *factor, double *x)
{
    ATEMI_REQUIRE(model && factor);
    if (model->v_count == 0) {
        return;
    }
    ATEMI_REQUIRE(x);
    const size_t size = (size_t)model->v_count * sizeof *x;
    double      *work = factor->work;

    memcpy(work, x, size);
    atemi_mass_factor_inward(model, factor, work);
    for (int b = 0; b < block_count(model); ++b) {
        pack_put(work + b * ATEMI_LANES,
                 pack_at(work + b * ATEMI_LANES) * pack_at(factor->inverse + b * ATEMI_LANES));
    }
    atemi_mass_factor_outward(model, factor);
    memcpy(x, work, size);
}

// ---- At the state of a data

atemi_status atemi_update_factor(atemi_data *data, atemi_error *error)
{
    ATEMI_REQUIRE_OR(data && data->posed, ATEMI_ERROR_CONTRACT);
    if (data->model->v_count > 0) {
        atemi_mass_factor_at(data->model, atemi_data_kinematics(data), &data->factor);
    }
    const atemi_status status = atemi_mass_factor_check(data->model, &data->factor, error);
    data->factored = status == ATEMI_OK;
    return status;
}

void atemi_mass_solve(atemi_data *data, double *x)
{
    ATEMI_REQUIRE(data && data->factored);
    atemi_mass_factor_solve(data->model, &data->factor, x);
}
