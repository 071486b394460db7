// SPDX-License-Identifier: Apache-2.0

#include "atemi/inverse_kinematics.h"

#include "atemi/base.h"
#include "atemi/dynamics.h"
#include "dynamics/data_parts.h"
#include "dynamics/frame_rows.h"
#include "math/rows.h"
#include "motion/least_norm.h"

#include <math.h>
#include <string.h>

// With c the centre of mass, m the mass and (A_P, A_L) the momentum matrix about c:
//
//   momentum about r     P = A_P v,   L = (A_L + (c - r) x A_P) v
//   centre of mass       A_P v / m
//   closure              (u_2 - u_1 - w_1 x (x_2 - x_1), w_2 - w_1) = 0
//
// The closure's rows are those of the second link and, less, those of the first one's point that
// is at the second one's origin.

static const double pi = 3.14159265358979323846;

static bool is_link(const atemi_model *model, int link)
{
    return link >= 0 && link < atemi_model_link_count(model);
}

static void append_row(const double *row, double value, atemi_velocity_goals *goals)
{
    ATEMI_REQUIRE(goals->count < goals->max_rows);
    memcpy(row_of(goals->rows, goals->width, goals->count), row,
           (size_t)goals->width * sizeof *row);
    goals->values[goals->count++] = value;
}

// Appends those of six rows that `axes` names.
static void append_rows(const double *rows, unsigned axes, atemi_vec3 linear, atemi_vec3 angular,
                        atemi_velocity_goals *goals)
{
    const double values[] = {linear.x, linear.y, linear.z, angular.x, angular.y, angular.z};
    for (int r = 0; r < 6; ++r) {
        if (axes & (1u << r)) {
            append_row(row_in(rows, goals->width, r), values[r], goals);
        }
    }
}

// (A_P, A_L + r x A_P), in `frame`.
static void shift_momentum(atemi_vec3 r, atemi_velocity_goals *goals)
{
    const int n = goals->width;
    double   *P_x = goals->frame, *P_y = P_x + n, *P_z = P_y + n;
    double   *L_x = P_z + n, *L_y = L_x + n, *L_z = L_y + n;
    memcpy(P_x, goals->matrix, 6 * (size_t)n * sizeof *P_x);
    for (int i = 0; i < n; ++i) {
        L_x[i] += r.y * P_z[i] - r.z * P_y[i];
        L_y[i] += r.z * P_x[i] - r.x * P_z[i];
        L_z[i] += r.x * P_y[i] - r.y * P_x[i];
    }
}

atemi_velocity_goals atemi_velocity_goals_take(atemi_arena *arena, const atemi_model *model,
                                               int max_rows)
{
    const int    width = atemi_model_v_count(model);
    const size_t n = (size_t)width, m = (size_t)max_rows;

    atemi_velocity_goals goals = {.width = width, .max_rows = max_rows};
    goals.rows = atemi_arena_array(arena, double, m *n);
    goals.values = atemi_arena_array(arena, double, m);
    goals.data = atemi_data_take(arena, model, &(atemi_data_options){.max_contacts = 0});
    goals.matrix = atemi_arena_array(arena, double, 6 * n);
    goals.frame = atemi_arena_array(arena, double, 12 * n);
    goals.least = atemi_least_norm_take(arena, max_rows, width);
    return goals;
}

void atemi_velocity_goals_begin(const atemi_model *model, const double *q,
                                atemi_velocity_goals *goals)
{
    ATEMI_REQUIRE(model && goals && goals->width == atemi_model_v_count(model));
    ATEMI_REQUIRE(q || goals->width == 0);
    goals->count = 0;
    atemi_update_kinematics(goals->data, q, NULL, NULL);
    atemi_momentum_matrix_at(goals->data, goals->matrix);
}

void atemi_velocity_goals_add_frame(const atemi_model *model, int link, atemi_vec3 point,
                                    unsigned axes, atemi_motion velocity,
                                    atemi_velocity_goals *goals)
{
    ATEMI_REQUIRE(model && goals && is_link(model, link) && axes <= ATEMI_AXES_ALL);
    atemi_frame_rows(model, atemi_data_kinematics(goals->data), link, point, goals->frame);
    append_rows(goals->frame, axes, velocity.linear, velocity.angular, goals);
}

void atemi_velocity_goals_add_momentum(const atemi_model *model, atemi_vec3 about, unsigned axes,
                                       atemi_force momentum, atemi_velocity_goals *goals)
{
    ATEMI_REQUIRE(model && goals && axes <= ATEMI_AXES_ALL);
    const atemi_vec3 center = atemi_center_of_mass(goals->data);
    shift_momentum(atemi_vec3_sub(center, about), goals);
    append_rows(goals->frame, axes, momentum.linear, momentum.angular, goals);
}

void atemi_velocity_goals_add_center_of_mass(const atemi_model *model, unsigned axes,
                                             atemi_vec3 velocity, atemi_velocity_goals *goals)
{
    ATEMI_REQUIRE(model && goals && axes <= ATEMI_AXES_LINEAR && atemi_model_mass(model) > 0.0);
    const double inverse = 1.0 / atemi_model_mass(model);
    for (int i = 0; i < 3 * goals->width; ++i) {
        goals->frame[i] = inverse * goals->matrix[i];
    }
    append_rows(goals->frame, axes, velocity, (atemi_vec3){0}, goals);
}

void atemi_velocity_goals_add_closure(const atemi_model *model, int first, int second,
                                      atemi_velocity_goals *goals)
{
    ATEMI_REQUIRE(model && goals && is_link(model, first) && is_link(model, second));
    const atemi_kinematics *k = atemi_data_kinematics(goals->data);
    const atemi_transform   a = atemi_link_pose_in(model, k, first);
    const atemi_vec3        between =
        atemi_vec3_sub(atemi_link_pose_in(model, k, second).position, a.position);
    double *rows = goals->frame, *others = rows + 6 * (ptrdiff_t)goals->width;
    atemi_frame_rows(model, k, first, atemi_mat3_apply_transposed(&a.rotation, between), others);
    atemi_link_jacobian_in(model, k, second, rows);
    row_subtract(6 * goals->width, 1.0, others, rows);
    append_rows(rows, ATEMI_AXES_ALL, (atemi_vec3){0}, (atemi_vec3){0}, goals);
}

void atemi_velocity_goals_add_row(const double *row, double value, atemi_velocity_goals *goals)
{
    ATEMI_REQUIRE(row && goals);
    append_row(row, value, goals);
}

// 1 over the fourth power of a distance; nothing where there is no limit.
static double steep(double distance)
{
    const double square = 1.0 / (distance * distance);
    return square * square;
}

static double limit_weight(const atemi_joint *joint, double q)
{
    const double above = joint->limits.upper - q, below = q - joint->limits.lower;
    return fmin(above, below) > 0.0 ? sqrt(sqrt(steep(above) + steep(below) + steep(pi)))
                                    : (double)INFINITY;
}

void atemi_limit_weights(const atemi_model *model, const double *q, double *weights)
{
    ATEMI_REQUIRE(model);
    const int n = atemi_model_v_count(model), base = atemi_base_v_count(atemi_model_base(model));
    ATEMI_REQUIRE((q && weights) || n == 0);
    for (int i = 0; i < n; ++i) {
        weights[i] = i < base ? 0.0 : 1.0 / pi;
    }
    for (int j = 0; j < atemi_model_joint_count(model); ++j) {
        const atemi_joint *joint = atemi_model_joint(model, j);
        if (joint->v_count == 1) {
            weights[joint->first_v] = limit_weight(joint, q[joint->first_q]);
        }
    }
}

// Of w = (1 / above^4 + 1 / below^4 + 1 / pi^4)^(1/4):  (1 / above^5 - 1 / below^5) / w^3
static double limit_weight_slope(const atemi_joint *joint, double q)
{
    const double above = joint->limits.upper - q, below = q - joint->limits.lower;
    const double w = limit_weight(joint, q);
    return isfinite(w) ? (steep(above) / above - steep(below) / below) / (w * w * w) : 0.0;
}

void atemi_limit_weight_slopes(const atemi_model *model, const double *q, double *slopes)
{
    memset(slopes, 0, (size_t)atemi_model_v_count(model) * sizeof *slopes);
    for (int j = 0; j < atemi_model_joint_count(model); ++j) {
        const atemi_joint *joint = atemi_model_joint(model, j);
        if (joint->v_count == 1) {
            slopes[joint->first_v] = limit_weight_slope(joint, q[joint->first_q]);
        }
    }
}

atemi_velocity_report atemi_velocity_goals_solve(atemi_velocity_goals *goals, const double *weights,
                                                 double *v)
{
    const atemi_velocity_report none = {0};
    ATEMI_REQUIRE_OR(goals && (v || goals->width == 0), none);
    atemi_velocity_report report = {.rows = goals->count};
    report.rank =
        atemi_least_norm_factor(goals->count, goals->width, goals->rows, weights, goals->least);
    report.residual = atemi_least_norm_solve(goals->least, goals->values, v);
    return report;
}
