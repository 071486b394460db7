// SPDX-License-Identifier: Apache-2.0

#include "control/whole_body_parts.h"

#include "atemi/dynamics.h"
#include "atemi/kinematics.h"
#include "math/matrix.h"

#include <math.h>
#include <string.h>

// With x = (a_j, w), the accelerations of the joints and the wrenches of the contacts, each along
// the axes of its frame, the first six rows of M a + h = tau + sum of J_c^T w_c have no torque:
//
//   M_bb a_b = -h_b - M_bj a_j + sum of J_cb^T w_c      so      a_b = B x + b
//   tau_j    = (M_jb B + (M_jj, -J_j^T)) x + M_jb b + h_j
//
// M_bb is the inertia of the whole robot and always has an inverse. A task J a = r - dJ/dt v
// becomes (J_b B + (J_j, 0)) x = r - dJ/dt v - J_b b. The rate of change of the momentum is what
// the contacts exert about the centre of mass, and gravity: a task of w alone.

static double *base_row(const atemi_whole_body_control *c, int i)
{
    return row_of(c->base, c->width, i);
}

// L L^T = M_bb, in place of M_bb.
static void factor_base(const atemi_whole_body_control *c,
                        double                          L[WHOLE_BODY_BASE * WHOLE_BODY_BASE])
{
    for (int i = 0; i < WHOLE_BODY_BASE; ++i) {
        memcpy(L + (ptrdiff_t)i * WHOLE_BODY_BASE, row_in(c->M, c->nv, i),
               WHOLE_BODY_BASE * sizeof *L);
    }
    atemi_cholesky_factor(WHOLE_BODY_BASE, L, WHOLE_BODY_BASE);
}

static void fill_base(atemi_whole_body_control *c)
{
    for (int i = 0; i < WHOLE_BODY_BASE; ++i) {
        double *row = base_row(c, i);
        memset(row, 0, (size_t)c->width * sizeof *row);
        for (int j = 0; j < c->joints; ++j) {
            row[j] = -c->M[(ptrdiff_t)i * c->nv + WHOLE_BODY_BASE + j];
        }
        for (int f = 0; f < c->foot_count; ++f) {
            const whole_body_foot *foot = &c->feet[f];
            for (int k = 0; k < foot->count; ++k) {
                row[foot->first + k] = foot->J[(ptrdiff_t)k * c->nv + i];
            }
        }
        c->base_rest[i] = -c->load[i];
    }
}

static void solve_base(atemi_whole_body_control *c)
{
    double L[WHOLE_BODY_BASE * WHOLE_BODY_BASE];
    factor_base(c, L);
    atemi_cholesky_solve(WHOLE_BODY_BASE, L, WHOLE_BODY_BASE, c->base_rest);
    for (int i = 0; i < WHOLE_BODY_BASE; ++i) { // L y = b, all columns at once
        for (int k = 0; k < i; ++k) {
            row_subtract(c->width, L[i * WHOLE_BODY_BASE + k], base_row(c, k), base_row(c, i));
        }
        matrix_scale(c->width, 1.0 / L[i * WHOLE_BODY_BASE + i], base_row(c, i), base_row(c, i));
    }
    for (int i = WHOLE_BODY_BASE - 1; i >= 0; --i) { // L^T x = y
        for (int k = i + 1; k < WHOLE_BODY_BASE; ++k) {
            row_subtract(c->width, L[k * WHOLE_BODY_BASE + i], base_row(c, k), base_row(c, i));
        }
        matrix_scale(c->width, 1.0 / L[i * WHOLE_BODY_BASE + i], base_row(c, i), base_row(c, i));
    }
}

static void find_efforts(atemi_whole_body_control *c)
{
    for (int j = 0; j < c->joints; ++j) {
        double       *row = row_of(c->effort, c->width, j);
        const double *M = row_in(c->M, c->nv, WHOLE_BODY_BASE + j);
        memset(row, 0, (size_t)c->width * sizeof *row);
        memcpy(row, M + WHOLE_BODY_BASE, (size_t)c->joints * sizeof *row);
        for (int f = 0; f < c->foot_count; ++f) {
            const whole_body_foot *foot = &c->feet[f];
            for (int k = 0; k < foot->count; ++k) {
                row[foot->first + k] = -foot->J[(ptrdiff_t)k * c->nv + WHOLE_BODY_BASE + j];
            }
        }
        c->effort_rest[j] = c->load[WHOLE_BODY_BASE + j];
        for (int i = 0; i < WHOLE_BODY_BASE; ++i) {
            c->effort_rest[j] += M[i] * c->base_rest[i];
        }
        matrix_add_product(WHOLE_BODY_BASE, c->base, c->width, M, row);
    }
}

// The costs of forces, relative to the weight of the robot.
static void price_forces(atemi_whole_body_control *c)
{
    const double weight = c->mass * atemi_vec3_norm(atemi_model_gravity(c->model)) + 1e-9;
    for (int f = 0; f < c->foot_count; ++f) {
        const whole_body_foot *foot = &c->feet[f];
        const double           size = hypot(foot->contact.size_x, foot->contact.size_y);
        for (int k = 0; k < foot->count; ++k) {
            const double unit = k < 3 ? weight : weight * fmax(size, 0.01);
            c->diagonal[foot->first + k] +=
                c->options.effort_cost * foot->contact.cost / (unit * unit);
        }
    }
}

static atemi_vec3 cross3(atemi_vec3 a, atemi_vec3 b)
{
    return atemi_vec3_cross(a, b);
}

// The acceleration of a point of a link with all joint accelerations zero, of the base as well.
static atemi_motion bias_of(const atemi_whole_body_control *c, int link, atemi_vec3 point)
{
    const atemi_transform pose = atemi_link_pose(c->data, link);
    const atemi_motion    v = atemi_link_velocity(c->data, link);
    atemi_motion          a = atemi_link_acceleration(c->data, link);
    const atemi_vec3      r = atemi_mat3_apply(&pose.rotation, point);
    a.linear = atemi_vec3_add(a.linear, cross3(a.angular, r));
    a.linear = atemi_vec3_add(a.linear, cross3(v.angular, cross3(v.angular, r)));
    return a;
}

// Whether a contact leaves a rotation free: about a line, or about a point.
static bool is_free(const whole_body_foot *foot, int row)
{
    return row >= foot->count || (row == 3 && !(foot->contact.size_y > 0.0)) ||
           (row == 4 && !(foot->contact.size_x > 0.0));
}

// The frames of contacts shall accelerate as they are asked to.
static void add_contact_tasks(atemi_whole_body_control *c)
{
    for (int f = 0; f < c->foot_count; ++f) {
        const whole_body_foot          *foot = &c->feet[f];
        const atemi_whole_body_contact *contact = &foot->contact;
        const atemi_motion              bias = bias_of(c, contact->link, contact->frame.position);
        const atemi_vec3                linear = atemi_mat3_apply_transposed(
            &foot->pose.rotation, atemi_vec3_sub(contact->acceleration.linear, bias.linear));
        const atemi_vec3 angular = atemi_mat3_apply_transposed(
            &foot->pose.rotation, atemi_vec3_sub(contact->acceleration.angular, bias.angular));
        const double wanted[] = {linear.x, linear.y, linear.z, angular.x, angular.y, angular.z};
        const double half = 0.5 * hypot(contact->size_x, contact->size_y); // where corners are
        for (int k = 0; k < WHOLE_BODY_WRENCH; ++k) {
            if (!is_free(foot, k)) {
                const double weight = contact->weight * (k < 3 ? 1.0 : half * half);
                atemi_whole_body_row_add(c, row_in(foot->J, c->nv, k), wanted[k], weight);
            }
        }
    }
}

void atemi_whole_body_reduce(atemi_whole_body_control *c)
{
    if (c->reduced) {
        return;
    }
    c->reduced = true;
    fill_base(c);
    solve_base(c);
    find_efforts(c);
    price_forces(c);
    add_contact_tasks(c);
}

double *atemi_whole_body_row_add(atemi_whole_body_control *c, const double *row, double wanted,
                                 double weight)
{
    atemi_whole_body_reduce(c);
    ATEMI_REQUIRE_OR(c->task_count < c->task_rows, NULL);
    const double root = sqrt(weight);
    double      *to = row_of(c->tasks, c->width, c->task_count);
    memset(to, 0, (size_t)c->width * sizeof *to);
    if (row) {
        double base[WHOLE_BODY_BASE];
        for (int i = 0; i < WHOLE_BODY_BASE; ++i) {
            base[i] = root * row[i];
            wanted -= row[i] * c->base_rest[i];
        }
        for (int j = 0; j < c->joints; ++j) {
            to[j] = root * row[WHOLE_BODY_BASE + j];
        }
        matrix_add_product(WHOLE_BODY_BASE, c->base, c->width, base, to);
    }
    c->wanted[c->task_count++] = root * wanted;
    return to;
}

void atemi_whole_body_frame(atemi_whole_body_control *c, int link, atemi_vec3 point,
                            atemi_motion acceleration, const double *weights)
{
    ATEMI_REQUIRE(c && c->q && weights && link >= 0 && link < atemi_model_link_count(c->model));
    atemi_whole_body_reduce(c);
    const atemi_motion bias = bias_of(c, link, point);
    const double       wanted[] = {
        acceleration.linear.x - bias.linear.x,   acceleration.linear.y - bias.linear.y,
        acceleration.linear.z - bias.linear.z,   acceleration.angular.x - bias.angular.x,
        acceleration.angular.y - bias.angular.y, acceleration.angular.z - bias.angular.z};
    atemi_frame_jacobian(c->data, link, point, c->J);
    for (int i = 0; i < 6; ++i) {
        if (weights[i] > 0.0) {
            atemi_whole_body_row_add(c, row_in(c->J, c->nv, i), wanted[i], weights[i]);
        }
    }
}

// What a unit of a contact's wrench exerts about the centre of mass, world axes.
static atemi_force effect_of(const atemi_whole_body_control *c, const whole_body_foot *foot, int k)
{
    const atemi_mat3 *R = &foot->pose.rotation;
    const atemi_vec3  axis = k % 3 == 0 ? R->x : k % 3 == 1 ? R->y : R->z;
    if (k >= 3) {
        return (atemi_force){{0.0, 0.0, 0.0}, axis};
    }
    return (atemi_force){axis, cross3(atemi_vec3_sub(foot->pose.position, c->center), axis)};
}

static double component(atemi_force f, int i)
{
    const double all[] = {f.linear.x,  f.linear.y,  f.linear.z,
                          f.angular.x, f.angular.y, f.angular.z};
    return all[i];
}

void atemi_whole_body_momentum(atemi_whole_body_control *c, atemi_force rate, const double *weights)
{
    ATEMI_REQUIRE(c && c->q && weights);
    atemi_whole_body_reduce(c);
    const atemi_vec3 weight = atemi_vec3_scale(c->mass, atemi_model_gravity(c->model));
    rate.linear = atemi_vec3_sub(rate.linear, weight);
    for (int i = 0; i < 6; ++i) {
        if (!(weights[i] > 0.0)) {
            continue;
        }
        double *row = atemi_whole_body_row_add(c, NULL, component(rate, i) / c->mass, weights[i]);
        for (int f = 0; f < c->foot_count && row; ++f) {
            for (int k = 0; k < c->feet[f].count; ++k) {
                row[c->feet[f].first + k] =
                    sqrt(weights[i]) * component(effect_of(c, &c->feet[f], k), i) / c->mass;
            }
        }
    }
}

void atemi_whole_body_joints(atemi_whole_body_control *c, const double *accelerations,
                             const double *weights)
{
    ATEMI_REQUIRE(c && c->q && accelerations && weights);
    atemi_whole_body_reduce(c);
    for (int j = 0; j < c->joints; ++j) {
        const double w = weights[WHOLE_BODY_BASE + j];
        c->diagonal[j] += w;
        c->pull[j] += w * accelerations[WHOLE_BODY_BASE + j];
    }
}
