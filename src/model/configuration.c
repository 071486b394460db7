// SPDX-License-Identifier: Apache-2.0

#include "atemi/model.h"

#include "atemi/base.h"
#include "atemi/math.h"
#include "math/log_bending.h"
#include "math/random.h"
#include "model/layout.h"

#include <math.h>

// Following a constant twist (u, w) given in the body's own frame for unit time:
//
//   R -> R exp(w),   x -> x + R V(w) u
//   V(w) = 1 + (1 - cos t)/t^2 [w] + (t - sin t)/t^3 [w]^2,   t = |w|
//
// and back, u = V(w)^-1 R^T (x' - x) with w = log(R^T R') and
//
//   V(w)^-1 = 1 - [w]/2 + (1/t^2 - (1 + cos t) / (2 t sin t)) [w]^2.
//
// Planar joints are the same about one axis.

static const double pi = 3.14159265358979323846;

// ---- Screws ---------------------------------------------------------------------------------

typedef struct series {
    double first, second;
} series;

// (1 - cos t)/t^2 and (t - sin t)/t^3.
static series forward_series(double t)
{
    const double s = t * t;
    if (t < 0.05) {
        return (series){0.5 - s / 24.0 * (1.0 - s / 30.0 * (1.0 - s / 56.0)),
                        1.0 / 6.0 - s / 120.0 * (1.0 - s / 42.0 * (1.0 - s / 72.0))};
    }
    const double half = sin(0.5 * t);
    return (series){2.0 * half * half / s, (t - sin(t)) / (s * t)};
}

static atemi_vec3 along_screw(atemi_vec3 u, atemi_vec3 w)
{
    const series     c = forward_series(atemi_vec3_norm(w));
    const atemi_vec3 once = atemi_vec3_cross(w, u);
    const atemi_vec3 twice = atemi_vec3_cross(w, once);
    return atemi_vec3_add(
        u, atemi_vec3_add(atemi_vec3_scale(c.first, once), atemi_vec3_scale(c.second, twice)));
}

static atemi_vec3 back_along_screw(atemi_vec3 x, atemi_vec3 w)
{
    const atemi_vec3 once = atemi_vec3_cross(w, x);
    const atemi_vec3 twice = atemi_vec3_cross(w, once);
    return atemi_vec3_add(
        x, atemi_vec3_add(atemi_vec3_scale(-0.5, once),
                          atemi_vec3_scale(atemi_log_bending(atemi_vec3_norm(w)), twice)));
}

// ---- Joints with several coordinates --------------------------------------------------------

static atemi_vec3 vec3_at(const double *from)
{
    return (atemi_vec3){from[0], from[1], from[2]};
}

static void put_vec3(double *to, atemi_vec3 a)
{
    to[0] = a.x;
    to[1] = a.y;
    to[2] = a.z;
}

static atemi_quaternion quaternion_at(const double *from)
{
    return atemi_quaternion_normalized((atemi_quaternion){from[0], from[1], from[2], from[3]});
}

static void put_quaternion(double *to, atemi_quaternion a)
{
    to[0] = a.x;
    to[1] = a.y;
    to[2] = a.z;
    to[3] = a.w;
}

static void move_floating(const double *q, const double *v, double dt, double *result)
{
    const atemi_vec3       u = atemi_vec3_scale(dt, vec3_at(v));
    const atemi_vec3       w = atemi_vec3_scale(dt, vec3_at(v + 3));
    const atemi_quaternion turn = quaternion_at(q + 3);
    const atemi_mat3       R = atemi_quaternion_matrix(turn);
    const atemi_vec3       way = atemi_mat3_apply(&R, along_screw(u, w));

    put_vec3(result, atemi_vec3_add(vec3_at(q), way));
    put_quaternion(result + 3, atemi_quaternion_normalized(
                                   atemi_quaternion_multiply(turn, atemi_quaternion_exp(w))));
}

static void compare_floating(const double *from, const double *to, double *v)
{
    const atemi_quaternion a = quaternion_at(from + 3), b = quaternion_at(to + 3);
    const atemi_quaternion back = {-a.x, -a.y, -a.z, a.w};
    const atemi_vec3       w = atemi_quaternion_log(atemi_quaternion_multiply(back, b));
    const atemi_mat3       R = atemi_quaternion_matrix(a);
    const atemi_vec3       x = atemi_vec3_sub(vec3_at(to), vec3_at(from));

    put_vec3(v, back_along_screw(atemi_mat3_apply_transposed(&R, x), w));
    put_vec3(v + 3, w);
}

// A planar joint's frame as a turn about z; the sagittal plane's second axis is z and its turn is
// about y, which runs the other way round: from z to x.
static double handedness(atemi_base kind)
{
    return kind == ATEMI_BASE_SAGITTAL ? -1.0 : 1.0;
}

static void move_planar(atemi_base kind, const double *q, const double *v, double dt,
                        double *result)
{
    const double     hand = handedness(kind), w = dt * v[2];
    const atemi_vec3 way =
        along_screw((atemi_vec3){dt * v[0], dt * v[1], 0.0}, (atemi_vec3){0.0, 0.0, hand * w});
    const double s = hand * sin(q[2]), c = cos(q[2]);
    result[0] = q[0] + c * way.x - s * way.y;
    result[1] = q[1] + s * way.x + c * way.y;
    result[2] = q[2] + w;
}

static void compare_planar(atemi_base kind, const double *from, const double *to, double *v)
{
    const double     hand = handedness(kind), w = remainder(to[2] - from[2], 2.0 * pi);
    const double     s = hand * sin(from[2]), c = cos(from[2]);
    const double     x = to[0] - from[0], y = to[1] - from[1];
    const atemi_vec3 u = back_along_screw((atemi_vec3){c * x + s * y, c * y - s * x, 0.0},
                                          (atemi_vec3){0.0, 0.0, hand * w});
    v[0] = u.x;
    v[1] = u.y;
    v[2] = w;
}

// ---- Random ---------------------------------------------------------------------------------

static double next_uniform(uint64_t *state, double low, double high)
{
    return low + (high - low) * random_unit_next(state);
}

static void random_multi(atemi_base kind, uint64_t *state, double *q)
{
    q[0] = next_uniform(state, -1.0, 1.0);
    q[1] = next_uniform(state, -1.0, 1.0);
    if (kind != ATEMI_BASE_FLOATING) {
        q[2] = next_uniform(state, -pi, pi);
        return;
    }
    // Uniform on the sphere of unit quaternions [Shoemake92].
    q[2] = next_uniform(state, -1.0, 1.0);
    const double radius = next_uniform(state, 0.0, 1.0);
    const double first = next_uniform(state, 0.0, 2.0 * pi);
    const double second = next_uniform(state, 0.0, 2.0 * pi);
    q[3] = sqrt(1.0 - radius) * sin(first);
    q[4] = sqrt(1.0 - radius) * cos(first);
    q[5] = sqrt(radius) * sin(second);
    q[6] = sqrt(radius) * cos(second);
}

static double random_coordinate(const atemi_joint *joint, uint64_t *state)
{
    const atemi_limits *limits = &joint->limits;
    const double lower = isfinite(limits->lower) ? limits->lower : fmin(-pi, limits->upper - pi);
    const double upper = isfinite(limits->upper) ? limits->upper : fmax(pi, limits->lower + pi);
    return next_uniform(state, lower, upper);
}

// ---- The interface --------------------------------------------------------------------------

void atemi_configuration_neutral(const atemi_model *model, double *q)
{
    ATEMI_REQUIRE(model);
    if (model->q_count == 0) {
        return;
    }
    ATEMI_REQUIRE(q);
    for (int i = 0; i < model->q_count; ++i) {
        q[i] = 0.0;
    }
    for (int j = 0; j < model->multi_joint_count; ++j) {
        if (model->multi_joints[j].kind == ATEMI_BASE_FLOATING) {
            q[model->multi_joints[j].first_q + 6] = 1.0;
        }
    }
}

void atemi_configuration_random(const atemi_model *model, uint64_t seed, double *q)
{
    ATEMI_REQUIRE(model);
    if (model->q_count == 0) {
        return;
    }
    ATEMI_REQUIRE(q);
    uint64_t state = seed;
    for (int j = 0; j < model->multi_joint_count; ++j) {
        random_multi(model->multi_joints[j].kind, &state, q + model->multi_joints[j].first_q);
    }
    for (int j = 0; j < model->joint_count; ++j) {
        if (model->joints[j].q_count == 1) {
            q[model->joints[j].first_q] = random_coordinate(&model->joints[j], &state);
        }
    }
}

void atemi_configuration_integrate(const atemi_model *model, const double *q, const double *v,
                                   double dt, double *result)
{
    ATEMI_REQUIRE(model && ((q && v && result) || !model->q_count));
    for (int j = 0; j < model->multi_joint_count; ++j) {
        const atemi_multi_joint *joint = &model->multi_joints[j];
        const int                at = joint->first_q, rate = model->drives[joint->first_node].v;
        if (joint->kind == ATEMI_BASE_FLOATING) {
            move_floating(q + at, v + rate, dt, result + at);
        } else {
            move_planar(joint->kind, q + at, v + rate, dt, result + at);
        }
    }
    for (int j = 0; j < model->joint_count; ++j) {
        const atemi_joint *joint = &model->joints[j];
        if (joint->q_count == 1) {
            result[joint->first_q] = q[joint->first_q] + dt * v[joint->first_v];
        }
    }
}

// The quaternion's rate is half of itself times the angular velocity in the body's frame.
static void rate_of_floating(const double *q, const double *v, double *rate)
{
    const atemi_quaternion turn = {q[3], q[4], q[5], q[6]};
    const atemi_mat3       R = atemi_quaternion_matrix(turn);
    const atemi_quaternion spin = {0.5 * v[3], 0.5 * v[4], 0.5 * v[5], 0.0};
    put_vec3(rate, atemi_mat3_apply(&R, vec3_at(v)));
    put_quaternion(rate + 3, atemi_quaternion_multiply(turn, spin));
}

static void rate_of_planar(atemi_base kind, const double *q, const double *v, double *rate)
{
    const double s = handedness(kind) * sin(q[2]), c = cos(q[2]);
    rate[0] = c * v[0] - s * v[1];
    rate[1] = s * v[0] + c * v[1];
    rate[2] = v[2];
}

void atemi_configuration_rate(const atemi_model *model, const double *q, const double *v,
                              double *rate)
{
    ATEMI_REQUIRE(model && ((q && v && rate) || !model->q_count));
    for (int j = 0; j < model->multi_joint_count; ++j) {
        const atemi_multi_joint *joint = &model->multi_joints[j];
        const int                at = joint->first_q, first = model->drives[joint->first_node].v;
        if (joint->kind == ATEMI_BASE_FLOATING) {
            rate_of_floating(q + at, v + first, rate + at);
        } else {
            rate_of_planar(joint->kind, q + at, v + first, rate + at);
        }
    }
    for (int j = 0; j < model->joint_count; ++j) {
        if (model->joints[j].q_count == 1) {
            rate[model->joints[j].first_q] = v[model->joints[j].first_v];
        }
    }
}

void atemi_configuration_difference(const atemi_model *model, const double *from, const double *to,
                                    double *v)
{
    ATEMI_REQUIRE(model && ((from && to && v) || !model->q_count));
    for (int j = 0; j < model->multi_joint_count; ++j) {
        const atemi_multi_joint *joint = &model->multi_joints[j];
        const int                at = joint->first_q, rate = model->drives[joint->first_node].v;
        if (joint->kind == ATEMI_BASE_FLOATING) {
            compare_floating(from + at, to + at, v + rate);
        } else {
            compare_planar(joint->kind, from + at, to + at, v + rate);
        }
    }
    for (int j = 0; j < model->joint_count; ++j) {
        const atemi_joint *joint = &model->joints[j];
        if (joint->q_count == 1) {
            v[joint->first_v] = to[joint->first_q] - from[joint->first_q];
        }
    }
}

void atemi_configuration_normalize(const atemi_model *model, double *q)
{
    ATEMI_REQUIRE(model);
    if (model->q_count == 0) {
        return;
    }
    ATEMI_REQUIRE(q);
    for (int j = 0; j < model->multi_joint_count; ++j) {
        const atemi_multi_joint *joint = &model->multi_joints[j];
        if (joint->kind == ATEMI_BASE_FLOATING) {
            put_quaternion(q + joint->first_q + 3, quaternion_at(q + joint->first_q + 3));
        }
    }
}
