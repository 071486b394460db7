// SPDX-License-Identifier: Apache-2.0

#include "feet.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------
// Names

static const char *const customary[][2] = {
    {"left_sole", "right_sole"},           // hrp2_like
    {"left_sole_link", "right_sole_link"}, // Talos
};

static const bench_link *find_link(const bench_robot *robot, const char *name)
{
    for (int i = 0; i < robot->link_count; i++)
        if (!strcmp(robot->links[i].name, name))
            return &robot->links[i];
    return NULL;
}

static int set_feet(bench_robot *robot, const char *const names[2])
{
    const bench_link *left = find_link(robot, names[0]), *right = find_link(robot, names[1]);
    if (!left || !right)
        return -1;
    robot->feet[0] = *left;
    robot->feet[1] = *right;
    robot->foot_count = 2;
    return 0;
}

int bench_feet_find(bench_robot *robot, const char *const names[2])
{
    robot->foot_count = 0;
    if (names[0])
        return set_feet(robot, names);
    for (size_t i = 0; i < sizeof customary / sizeof *customary; i++)
        if (!set_feet(robot, customary[i]))
            break;
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Poses

typedef struct pose {
    double rotation[9]; // row-major
    double place[3];
} pose;

static void multiply(const double *a, const double *b, double *product)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            product[3 * i + j] =
                a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j];
}

static void rotate(const double *rotation, const double *x, double *result)
{
    for (int i = 0; i < 3; i++)
        result[i] =
            rotation[3 * i] * x[0] + rotation[3 * i + 1] * x[1] + rotation[3 * i + 2] * x[2];
}

static void cross(const double *a, const double *b, double *product)
{
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        product[i] = a[j] * b[k] - a[k] * b[j];
    }
}

/// cos 1 + sin [axis] + (1 - cos) axis axis^T
static void turn_about(const double *axis, double angle, double *rotation)
{
    const double c = cos(angle), s = sin(angle);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            rotation[3 * i + j] = (i == j ? c : 0) + (1 - c) * axis[i] * axis[j];
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        rotation[3 * k + j] += s * axis[i];
        rotation[3 * j + k] -= s * axis[i];
    }
}

static pose pose_at(const pose *parent, const double *rotation, const double *translation)
{
    pose   at;
    double arm[3];
    multiply(parent->rotation, rotation, at.rotation);
    rotate(parent->rotation, translation, arm);
    for (int i = 0; i < 3; i++)
        at.place[i] = parent->place[i] + arm[i];
    return at;
}

static pose pose_of_base(const double *q)
{
    const double w = fmin(fmax(q[6], -1), 1), sine = sqrt(q[3] * q[3] + q[4] * q[4] + q[5] * q[5]);
    const double scale = sine > 0 ? 1 / sine : 0;
    const double axis[3] = {scale * q[3], scale * q[4], scale * q[5]};
    pose         base = {.place = {q[0], q[1], q[2]}};
    turn_about(axis, 2 * atan2(sine, w), base.rotation);
    return base;
}

static pose pose_of_child(const bench_joint *joint, const pose *parent, double q)
{
    const pose at = pose_at(parent, joint->rotation, joint->translation);
    double     turn[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, slide[3] = {0};
    if (joint->kind == BENCH_PRISMATIC)
        for (int i = 0; i < 3; i++)
            slide[i] = q * joint->axis[i];
    else
        turn_about(joint->axis, q, turn);
    return pose_at(&at, turn, slide);
}

/// @param poses [joint_count + 1] of the base and every joint's child
static void find_poses(const bench_robot *robot, const double *q, pose *poses)
{
    poses[0] = pose_of_base(q);
    for (int i = 0; i < robot->joint_count; i++)
        poses[1 + i] =
            pose_of_child(&robot->joints[i], &poses[1 + robot->joints[i].parent], q[7 + i]);
}

// ---------------------------------------------------------------------------------------------
// Velocities

/// One column of a foot's Jacobian at `place`: of an axis through `from`.
static void set_column(const double *axis, bool slides, const double *from, const double *place,
                       int v_count, double *column)
{
    const double arm[3] = {place[0] - from[0], place[1] - from[1], place[2] - from[2]};
    double       linear[3];
    cross(axis, arm, linear);
    for (int i = 0; i < 3; i++) {
        column[i * v_count] = slides ? axis[i] : linear[i];
        column[(3 + i) * v_count] = slides ? 0 : axis[i];
    }
}

/// The foot's motion in world axes at its origin, linear rows first.
/// @param rows [6 x v_count]
static void fill_rows(const bench_robot *robot, const bench_link *foot, const pose *poses,
                      double *rows)
{
    const int  n = robot->v_count;
    const pose sole = pose_at(&poses[1 + foot->joint], foot->rotation, foot->translation);
    memset(rows, 0, sizeof(double) * (size_t)(6 * n));
    for (int i = 0; i < 6; i++) {
        const double *r = poses[0].rotation + i % 3;
        const double  axis[3] = {r[0], r[3], r[6]};
        set_column(axis, i < 3, poses[0].place, sole.place, n, rows + i);
    }
    for (int i = foot->joint; i >= 0; i = robot->joints[i].parent) {
        double axis[3];
        rotate(poses[1 + i].rotation, robot->joints[i].axis, axis);
        set_column(axis, robot->joints[i].kind == BENCH_PRISMATIC, poses[1 + i].place, sole.place,
                   n, rows + 6 + i);
    }
}

static double dot(const double *x, const double *y, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += x[i] * y[i];
    return sum;
}

/// Takes out of x what lies along the rows, which are orthonormal. Twice is enough.
static void take_out(const double *rows, int count, int n, double *x)
{
    for (int pass = 0; pass < 2; pass++)
        for (int r = 0; r < count; r++) {
            const double *row = rows + r * n, along = dot(row, x, n);
            for (int i = 0; i < n; i++)
                x[i] -= along * row[i];
        }
}

/// Makes the rows orthonormal; those that depend on others become zero.
static void orthonormalize(double *rows, int count, int n)
{
    for (int r = 0; r < count; r++) {
        double      *row = rows + r * n;
        const double before = sqrt(dot(row, row, n));
        take_out(rows, r, n, row);
        const double norm = sqrt(dot(row, row, n));
        for (int i = 0; i < n; i++)
            row[i] = norm > 1e-12 * before ? row[i] / norm : 0;
    }
}

double *bench_feet_still(const bench_robot *robot, const bench_states *states)
{
    if (robot->foot_count == 0)
        return NULL;
    const int n = robot->v_count;
    pose     *poses = malloc(sizeof *poses * (size_t)(robot->joint_count + 1));
    double   *rows = malloc(sizeof *rows * (size_t)(12 * n));
    double   *still = malloc(sizeof *still * (size_t)(states->count * n));
    memcpy(still, states->v, sizeof *still * (size_t)(states->count * n));
    for (int state = 0; state < states->count; state++) {
        find_poses(robot, states->q + state * robot->q_count, poses);
        fill_rows(robot, &robot->feet[0], poses, rows);
        fill_rows(robot, &robot->feet[1], poses, rows + 6 * n);
        orthonormalize(rows, 12, n);
        take_out(rows, 12, n, still + state * n);
    }
    free(rows);
    free(poses);
    return still;
}
