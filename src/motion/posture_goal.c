// SPDX-License-Identifier: Apache-2.0

#include "motion/posture_goal.h"

#include "atemi/dynamics.h"
#include "atemi/math.h"
#include "dynamics/data_parts.h"
#include "dynamics/frame_rows.h"
#include "math/log_bending.h"
#include "math/rows.h"

#include <math.h>
#include <string.h>

// With R, x the frame's pose, R_t, x_t the target's, (u, w) the columns of the frame's Jacobian in
// world axes:
//
//   e_position = R_t^T (x - x_t)        d e_position = R_t^T u
//   e_rotation     = log(R_t^T R)           d e_rotation     = V(e_rotation)^-1 R_t^T w
//   V(e)^-1    = 1 - [e]/2 + (1 - (t/2) cot(t/2)) / t^2 [e]^2,   t = |e|
//
// Both are exact, the second up to t = pi. For the centre of mass u is the momentum matrix's linear
// part by the mass.
//
// Where errors remain, the cost e^T W^2 e / 2 has a Hessian beyond J^T J. What the bending of the
// frame's path adds to it, with f = R_t W^2 e_position, m = R_t W^2 e_rotation and joint j nearer
// to the base than i:
//
//   f . d2x/dq_i dq_j + ... = f . (w_j x u_i) + m . (w_j x w_i) / 2 = u_i . (f x w_j) + w_i . (m x
//   w_j) / 2
//
// For velocities of one joint, which moves along a screw, it is half of the first term with i and j
// as they are and half with both exchanged. The second term is the first order of m; what the
// centre of mass would add is left out, and coupled joints make it an approximation: steps are
// checked, so that all this costs iterations only.

// ---- Errors ---------------------------------------------------------------------------------

static atemi_vec3 rotation_between(const atemi_mat3 *from, const atemi_mat3 *to)
{
    const atemi_mat3 back = atemi_mat3_transposed(from);
    const atemi_mat3 rotation = atemi_mat3_multiply(&back, to);
    return atemi_quaternion_log(atemi_quaternion_from_matrix(&rotation));
}

static atemi_motion error_of(const atemi_posture_goal               *goal,
                             const atemi_inverse_kinematics_scratch *s)
{
    const atemi_mat3 *axes = &goal->target.rotation;
    atemi_motion      error = {0};
    atemi_vec3        place;
    if (goal->kind == ATEMI_GOAL_CENTER_OF_MASS) {
        place = atemi_center_of_mass(s->data);
    } else {
        const atemi_transform link = atemi_link_pose(s->data, goal->link);
        const atemi_transform pose = atemi_transform_compose(&link, &goal->frame);
        place = pose.position;
        error.angular = rotation_between(axes, &pose.rotation);
    }
    error.linear = atemi_mat3_apply_transposed(axes, atemi_vec3_sub(place, goal->target.position));
    return error;
}

static double squares(atemi_vec3 e, const double *weight)
{
    const double x = weight[0] * e.x, y = weight[1] * e.y, z = weight[2] * e.z;
    return x * x + y * y + z * z;
}

double atemi_posture_errors(const double *q, const atemi_posture_goal *goals, int count,
                            atemi_inverse_kinematics_scratch *s)
{
    double cost = 0.0;
    atemi_update_kinematics(s->data, q, NULL, NULL);
    for (int g = 0; g < count; ++g) {
        s->errors[g] = error_of(&goals[g], s);
        cost += 0.5 * squares(s->errors[g].linear, goals[g].weight);
        if (goals[g].kind == ATEMI_GOAL_FRAME) {
            cost += 0.5 * squares(s->errors[g].angular, goals[g].weight + 3);
        }
    }
    return cost;
}

// ---- Rows -----------------------------------------------------------------------------------

// V(e)^-1 w
static atemi_vec3 log_derivative(atemi_vec3 e, double bending, atemi_vec3 w)
{
    const atemi_vec3 once = atemi_vec3_cross(e, w);
    const atemi_vec3 twice = atemi_vec3_cross(e, once);
    return atemi_vec3_add(
        w, atemi_vec3_add(atemi_vec3_scale(-0.5, once), atemi_vec3_scale(bending, twice)));
}

// Three rows of one column of a matrix of n columns.
static atemi_vec3 column_of(const double *J, int n, int i)
{
    return (atemi_vec3){J[i], J[n + i], J[2 * n + i]};
}

// The rows of a goal in world axes, in `frame`.
static void find_world_rows(const atemi_model *model, const atemi_posture_goal *goal,
                            atemi_inverse_kinematics_scratch *s)
{
    if (goal->kind == ATEMI_GOAL_FRAME) {
        atemi_frame_rows(model, atemi_data_kinematics(s->data), goal->link, goal->frame.position,
                         s->frame);
        return;
    }
    const int    n = atemi_model_v_count(model);
    const double inverse = 1.0 / atemi_model_mass(model);
    atemi_momentum_matrix_at(s->data, s->frame);
    for (int i = 0; i < 3 * n; ++i) {
        s->frame[i] *= inverse;
    }
}

// Appends the rows that have a weight; `errors` are three, and `columns` as many rows of `count`.
static void append_rows(atemi_vec3 errors, const double *weight, const double *columns,
                        atemi_inverse_kinematics_scratch *s)
{
    const double error[] = {errors.x, errors.y, errors.z};
    for (int r = 0; r < 3; ++r) {
        if (weight[r] > 0.0) {
            double *row = row_of(s->rows, s->count, s->row_count);
            for (int k = 0; k < s->count; ++k) {
                row[k] = weight[r] * columns[r * s->count + k];
            }
            s->residual[s->row_count++] = weight[r] * error[r];
        }
    }
}

static void put_column(atemi_vec3 a, int count, int k, double *columns)
{
    columns[k] = a.x;
    columns[count + k] = a.y;
    columns[2 * count + k] = a.z;
}

static void append_goal(const atemi_posture_goal *goal, const atemi_motion *error, int n,
                        atemi_inverse_kinematics_scratch *s)
{
    const atemi_mat3 *axes = &goal->target.rotation;
    for (int k = 0; k < s->count; ++k) {
        const atemi_vec3 u = column_of(s->frame, n, s->freedoms[k].v);
        put_column(atemi_mat3_apply_transposed(axes, u), s->count, k, s->columns);
    }
    append_rows(error->linear, goal->weight, s->columns, s);
    if (goal->kind != ATEMI_GOAL_FRAME) {
        return;
    }
    const double bending = atemi_log_bending(atemi_vec3_norm(error->angular));
    for (int k = 0; k < s->count; ++k) {
        const atemi_vec3 w =
            atemi_mat3_apply_transposed(axes, column_of(s->frame + 3 * n, n, s->freedoms[k].v));
        put_column(log_derivative(error->angular, bending, w), s->count, k, s->columns);
    }
    append_rows(error->angular, goal->weight + 3, s->columns, s);
}

// ---- The Hessian ----------------------------------------------------------------------------

// What a force on a frame makes of velocity j: the levers that meet the columns of velocities
// behind it.
typedef struct levers {
    atemi_vec3 linear, angular;
} levers;

// Column j of the bending, and what of its row belongs to the same joint.
static void bend_column(int n, int j, levers lever, atemi_inverse_kinematics_scratch *s)
{
    for (int i = 0; i < s->count; ++i) {
        const bool   same = s->freedoms[i].joint == s->freedoms[j].joint;
        const int    v = s->freedoms[i].v, row = i > j ? i : j, column = i > j ? j : i;
        const double linear = atemi_vec3_dot(column_of(s->frame, n, v), lever.linear);
        double      *bending = &row_of(s->bending, s->count, row)[column];
        if (same) {
            *bending += i == j ? linear : 0.5 * linear;
        } else if (i > j) {
            const atemi_vec3 angular = column_of(s->frame + 3 * n, n, v);
            *bending += linear + 0.5 * atemi_vec3_dot(angular, lever.angular);
        }
    }
}

static atemi_vec3 pull_of(const atemi_mat3 *axes, const double *w, atemi_vec3 e)
{
    return atemi_mat3_apply(axes,
                            (atemi_vec3){w[0] * w[0] * e.x, w[1] * w[1] * e.y, w[2] * w[2] * e.z});
}

static void add_bending(const atemi_posture_goal *goal, const atemi_motion *error, int n,
                        atemi_inverse_kinematics_scratch *s)
{
    const atemi_mat3 *axes = &goal->target.rotation;
    const atemi_vec3  f = pull_of(axes, goal->weight, error->linear);
    const atemi_vec3  m = pull_of(axes, goal->weight + 3, error->angular);
    for (int j = 0; j < s->count; ++j) {
        const atemi_vec3 w = column_of(s->frame + 3 * n, n, s->freedoms[j].v);
        if (atemi_vec3_dot(w, w) > 0.0) {
            const levers lever = {atemi_vec3_cross(f, w), atemi_vec3_cross(m, w)};
            bend_column(n, j, lever, s);
        }
    }
}

static void multiply_rows(atemi_inverse_kinematics_scratch *s)
{
    const int n = s->count;
    memset(s->normal, 0, (size_t)n * (size_t)n * sizeof *s->normal);
    memset(s->gradient, 0, (size_t)n * sizeof *s->gradient);
    for (int r = 0; r < s->row_count; ++r) {
        const double *row = row_of(s->rows, n, r);
        row_subtract(n, -s->residual[r], row, s->gradient);
        for (int i = 0; i < n; ++i) {
            row_subtract(i + 1, -row[i], row, row_of(s->normal, n, i));
        }
    }
}

void atemi_posture_linearize(const atemi_model *model, const atemi_posture_goal *goals, int count,
                             atemi_inverse_kinematics_scratch *s)
{
    const int n = atemi_model_v_count(model);
    s->row_count = 0;
    memset(s->bending, 0, (size_t)s->count * (size_t)s->count * sizeof *s->bending);
    for (int g = 0; g < count; ++g) {
        find_world_rows(model, &goals[g], s);
        append_goal(&goals[g], &s->errors[g], n, s);
        if (goals[g].kind == ATEMI_GOAL_FRAME) {
            add_bending(&goals[g], &s->errors[g], n, s);
        }
    }
    multiply_rows(s);
}

// ---- Degrees of freedom
// ----------------------------------------------------------------------------------

static void add_freedom(const atemi_inverse_kinematics_options *options,
                        atemi_posture_freedom freedom, atemi_inverse_kinematics_scratch *s)
{
    if (options->moving && !options->moving[freedom.v]) {
        return;
    }
    if (options->unlimited || freedom.q == ATEMI_NONE) {
        freedom.lower = -INFINITY;
        freedom.upper = INFINITY;
    }
    s->freedoms[s->count++] = freedom;
}

void atemi_posture_freedoms(const atemi_model                      *model,
                            const atemi_inverse_kinematics_options *options,
                            atemi_inverse_kinematics_scratch       *s)
{
    s->count = 0;
    const int base = atemi_base_v_count(atemi_model_base(model));
    for (int i = 0; i < base; ++i) {
        add_freedom(options, (atemi_posture_freedom){.v = i, .q = ATEMI_NONE, .joint = ATEMI_NONE},
                    s);
    }
    for (int j = 0; j < atemi_model_joint_count(model); ++j) {
        const atemi_joint *joint = atemi_model_joint(model, j);
        for (int i = 0; i < joint->v_count; ++i) {
            const atemi_posture_freedom freedom = {.v = joint->first_v + i,
                                                   .q = joint->v_count == 1 ? joint->first_q
                                                                            : ATEMI_NONE,
                                                   .joint = j,
                                                   .lower = joint->limits.lower,
                                                   .upper = joint->limits.upper};
            add_freedom(options, freedom, s);
        }
    }
}
