// SPDX-License-Identifier: Apache-2.0

#include "plan/slopes/strike_touch_slopes.h"

#include "impact/striking_point.h"
#include "math/matrix.h"
#include "plan/touch/strike_posture.h"

#include <math.h>
#include <string.h>

// A point at the arm r from the origin of its link moves by  J_l dq + (J_w dq) x r.
//
// The joint velocities meet their goals wherever the posture is: hands go along the direction and
// do not rotate, feet rest, and the momentum is M times the velocity of the centre of mass that is
// decided. Only the angular momentum about the vertical is free; about the world's origin,
//
//   dL = dL_G + c x dP + dc x P
//
// with the centre of mass c, and the momentum P, L_G about it. The distance of a point p to the
// left of the line along e from a vertex a, w = p - a, changes by
//
//   D = (e x w) / |e|,   dD = (de x w + e x dw) / |e| - D (e . de) / |e|^2

// What slopes are found from and where they are put.
typedef struct touch {
    const strike_setup      *s;
    const strike_variables  *variables;
    const strike_evaluation *at;
    strike_derivatives      *d;
    strike_slopes           *slopes;
    int                      n, stride;
} touch;

// ---- Rows

static double *next_slope(const touch *t)
{
    double *row = row_of(t->slopes->values, t->stride, t->slopes->next++);
    memset(row, 0, (size_t)t->stride * sizeof *row);
    return row;
}

static double *next_parts(const touch *t, int count)
{
    double *rows = row_of(t->slopes->parts, t->stride, t->slopes->next_part);
    ++t->slopes->next;
    t->slopes->next_part += count;
    memset(rows, 0, (size_t)(count * t->stride) * sizeof *rows);
    return rows;
}

// The variable of a value, or ATEMI_NONE.
static int variable_of(const touch *t, size_t field)
{
    int i = t->variables->count - 1;
    while (i >= 0 && t->variables->list[i].field != field) {
        --i;
    }
    return i >= 0 ? i : ATEMI_NONE;
}

static void add_variable(const touch *t, size_t field, double by, double *row)
{
    const int i = variable_of(t, field);
    if (i != ATEMI_NONE) {
        row[i] += by;
    }
}

#define ADD(t, member, by, row) add_variable((t), offsetof(strike_values, member), (by), (row))

// ---- Points

// How a link moves, in `d->link`.
static void move_link(const touch *t, int link)
{
    strike_derivatives *d = t->d;
    memset(d->link, 0, 6 * (size_t)t->stride * sizeof *d->link);
    atemi_link_jacobian_in(t->s->model, &t->at->kinematics, link, d->rows);
    matrix_add_multiply(6, t->n, d->rows, t->n, d->q, t->stride, d->link);
}

static atemi_vec3 arm_of(const touch *t, int link, atemi_vec3 point)
{
    const atemi_transform pose = atemi_link_pose_in(t->s->model, &t->at->kinematics, link);
    return atemi_mat3_apply(&pose.rotation, point);
}

// row += how a point of the link moves along a direction
static void add_motion(const touch *t, atemi_vec3 arm, atemi_vec3 along, double *row)
{
    const atemi_vec3 about = atemi_vec3_cross(arm, along);
    const double     l[] = {along.x, along.y, along.z, about.x, about.y, about.z};
    matrix_add_product(6, t->d->link, t->stride, l, row);
}

// ---- Hands

static const atemi_vec3 axes[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};

static void slope_hand(const touch *t, int hand)
{
    const atemi_strike_task  *task = &t->s->task;
    const atemi_striking_hand at = atemi_striking_point_hand(&task->point, hand);
    const atemi_vec3          arm = arm_of(t, at.link, at.point);
    const atemi_vec3          axis = arm_of(t, at.link, task->axes[hand]);
    const atemi_vec3          about = atemi_vec3_cross(axis, task->point.direction);
    const double              turns[] = {0.0, 0.0, 0.0, about.x, about.y, about.z};
    move_link(t, at.link);
    for (int i = 0; i < 3; ++i) {
        if (isfinite(task->hits[hand].tolerance[i])) {
            add_motion(t, arm, axes[i], next_slope(t));
        }
    }
    matrix_add_product(6, t->d->link, t->stride, turns, next_slope(t)); // of the aim
    for (int i = 0; i < 6; ++i) {
        next_slope(t); // speeds across and rotations: none
    }
}

static void slope_lead(const touch *t)
{
    const atemi_striking_point *point = &t->s->task.point;
    double                     *row = next_slope(t);
    for (int hand = 0; hand < 2; ++hand) {
        const atemi_striking_hand at = atemi_striking_point_hand(point, hand);
        move_link(t, at.link);
        add_motion(t, arm_of(t, at.link, at.point),
                   atemi_vec3_scale(hand == 0 ? -1.0 : 1.0, point->direction), row);
    }
}

static void slope_hands(const touch *t)
{
    const atemi_striking_point *point = &t->s->task.point;
    for (int hand = 0; hand < atemi_striking_point_hands(point); ++hand) {
        slope_hand(t, hand);
    }
    if (point->more > 0) {
        slope_lead(t);
    }
}

// ---- Feet, joints and momentum

static void copy(const touch *t, const double *rows, int i)
{
    memcpy(next_slope(t), row_in(rows, t->stride, i), (size_t)t->stride * sizeof *rows);
}

// Speeds do not change, nor do places and orientations of feet that stand.
static void slope_feet(const touch *t)
{
    const bool stand = strike_feet_stand(t->s, t->at->foot_errors);
    for (int k = 0; k < t->s->task.foot_count; ++k) {
        for (int i = 0; i < 3; ++i) {
            if (stand || i == 2) {
                next_slope(t);
            } else {
                copy(t, t->d->reach, 2 * k + i);
            }
        }
    }
}

static void slope_joints(const touch *t)
{
    const strike_setup *s = t->s;
    for (int i = 0; i < s->leg_joint_count; ++i) {
        const atemi_joint *joint = atemi_model_joint(s->model, s->leg_joints[i]);
        if (isfinite(joint->limits.lower) || isfinite(joint->limits.upper)) {
            copy(t, t->d->q, joint->first_v);
        }
    }
    for (int j = 0; j < atemi_model_joint_count(s->model); ++j) {
        const atemi_joint *joint = atemi_model_joint(s->model, j);
        if (isfinite(strike_setup_speed_limit(s, joint)) && !strike_setup_is_locked(s, joint)) {
            copy(t, t->d->v, joint->first_v);
        }
    }
}

// The velocity of the centre of mass times the mass, and L_z. Leaves the momentum matrix in
// `work.components.matrix`.
static void slope_momentum(const touch *t)
{
    strike_component_workspace *w = &t->d->work.components;
    const atemi_model          *model = t->s->model;
    const int                   n = t->n;
    const double                mass = atemi_model_mass(model);
    const atemi_vec3            c = t->at->com, P = t->at->momentum.linear;
    const double               *d = w->rows, *A = w->matrix;
    ADD(t, com_x, mass, next_slope(t));
    ADD(t, com_y, mass, next_slope(t));
    atemi_derivatives_update(model, t->at->q, t->at->v, NULL, NULL, &w->derivatives);
    atemi_momentum_derivatives(model, &w->derivatives, w->rows, NULL, NULL, w->matrix);
    for (int i = 0; i < n; ++i) {
        w->tau[i] =
            d[5 * n + i] + c.x * d[n + i] - c.y * d[i] + (A[i] * P.y - A[n + i] * P.x) / mass;
        w->a[i] = A[5 * n + i] + c.x * A[n + i] - c.y * A[i];
    }
    double *row = next_slope(t);
    matrix_add_product(n, t->d->q, t->stride, w->tau, row);
    matrix_add_product(n, t->d->v, t->stride, w->a, row);
}

static void slope_times(const touch *t)
{
    const atemi_strike_task *task = &t->s->task;
    if (task->hand_rise.upper > task->body_rise.lower) {
        double *row = next_slope(t);
        ADD(t, body_rise, 1.0, row);
        ADD(t, hand_rise, -1.0, row);
    }
    if (task->hand_fall.upper > task->body_fall.lower) {
        double *row = next_slope(t);
        ADD(t, body_fall, 1.0, row);
        ADD(t, hand_fall, -1.0, row);
    }
}

// ---- Balance

void strike_support_vary(const strike_setup *s, const strike_evaluation *at, strike_derivatives *d)
{
    const touch t = {.s = s, .at = at, .d = d, .n = s->v_count, .stride = d->directions.stride};
    int         corner = 0;
    memset(d->corners, 0, (size_t)(2 * STRIKE_MAX_CORNERS * t.stride) * sizeof *d->corners);
    for (int f = 0; f < s->task.foot_count; ++f) {
        const atemi_site     *site = strike_setup_foot(s, f);
        const atemi_transform here = atemi_transform_identity();
        atemi_vec3            corners[4];
        const int             count = atemi_site_corners(site, &here, corners);
        move_link(&t, site->link);
        for (int k = 0; k < count; ++k, ++corner) {
            const atemi_vec3 arm = arm_of(&t, site->link, corners[k]);
            add_motion(&t, arm, axes[0], row_of(d->corners, t.stride, 2 * corner));
            add_motion(&t, arm, axes[1], row_of(d->corners, t.stride, 2 * corner + 1));
        }
    }
}

// The corner that a vertex is at.
static int corner_at(const strike_support *support, const atemi_vec3 *vertex)
{
    int k = support->corner_count - 1;
    while (k > 0 && (support->corners[k].x != vertex->x || support->corners[k].y != vertex->y)) {
        --k;
    }
    return k;
}

// The corner that the edge from a corner leads to; ATEMI_NONE if the corner is no vertex.
static int next_corner(const strike_support *support, int corner)
{
    const atemi_support *polygon = &support->polygon;
    const atemi_vec3    *at = &support->corners[corner];
    for (int i = 0; i < polygon->count; ++i) {
        if (polygon->vertices[i].x == at->x && polygon->vertices[i].y == at->y) {
            return corner_at(support, &polygon->vertices[(i + 1) % polygon->count]);
        }
    }
    return ATEMI_NONE;
}

void strike_support_margin_slopes(const strike_support *support, const strike_derivatives *d,
                                  atemi_vec3 zmp, const double *change, double *parts)
{
    const int stride = d->directions.stride;
    for (int k = 0; k < support->corner_count; ++k) {
        const int     next = next_corner(support, k);
        double       *to = row_of(parts, stride, k);
        const double *a = row_in(d->corners, stride, 2 * k);
        if (next == ATEMI_NONE || next == k) {
            memset(to, 0, (size_t)stride * sizeof *to);
            continue;
        }
        const double    *b = row_in(d->corners, stride, 2 * next);
        const atemi_vec3 e = atemi_vec3_sub(support->corners[next], support->corners[k]);
        const atemi_vec3 w = atemi_vec3_sub(zmp, support->corners[k]);
        const double     length = hypot(e.x, e.y), D = (e.x * w.y - e.y * w.x) / length;
        for (int c = 0; c < stride; ++c) {
            const double dx = b[c] - a[c], dy = b[stride + c] - a[stride + c];
            const double wx = change[c] - a[c], wy = change[stride + c] - a[stride + c];
            to[c] =
                (dx * w.y - dy * w.x + e.x * wy - e.y * wx - D * (e.x * dx + e.y * dy) / length) /
                length;
        }
    }
}

// A phase of strike_constrain_balance(), and where its time is.
typedef struct phase {
    double T, sign;
    size_t field;
} phase;

// How the ZMP changes, x and y, at the fraction u from rest to first touch.
// @return false if the floor does not press
static bool vary_zmp(const touch *t, const phase *p, double u, atemi_vec3 *zmp, double *change)
{
    const strike_values *x = &t->at->values;
    const double     weight = -atemi_model_mass(t->s->model) * atemi_model_gravity(t->s->model).z;
    const double     slope = p->sign * 6.0 * u * (1.0 - u) / p->T;
    const double     path = p->sign * p->T * (0.5 - (u * u * u - 0.5 * u * u * u * u));
    const double     down = weight + x->lift * slope;
    const atemi_vec3 com = t->at->com;
    const double    *A = t->d->work.components.matrix,
                 share = weight / (down * atemi_model_mass(t->s->model));
    double *dx = change, *dy = change + t->stride, *both = t->d->work.components.tau;
    *zmp = (atemi_vec3){(weight * (com.x - x->com_x * path) - x->pitch * slope) / down,
                        (weight * (com.y - x->com_y * path) + x->roll * slope) / down, 0.0};
    memset(change, 0, 2 * (size_t)t->stride * sizeof *change);
    for (int r = 0; r < 2; ++r) {
        for (int i = 0; i < t->n; ++i) {
            both[i] = share * A[r * t->n + i];
        }
        matrix_add_product(t->n, t->d->q, t->stride, both, r == 0 ? dx : dy);
    }
    ADD(t, com_x, -weight * path / down, dx);
    ADD(t, com_y, -weight * path / down, dy);
    ADD(t, pitch, -slope / down, dx);
    ADD(t, roll, slope / down, dy);
    ADD(t, lift, -zmp->x * slope / down, dx);
    ADD(t, lift, -zmp->y * slope / down, dy);
    add_variable(
        t, p->field,
        (-weight * x->com_x * path + (x->pitch + zmp->x * x->lift) * slope) / (p->T * down), dx);
    add_variable(t, p->field,
                 (-weight * x->com_y * path - (x->roll - zmp->y * x->lift) * slope) / (p->T * down),
                 dy);
    return down > 0.0;
}

static void slope_balance(const touch *t)
{
    const phase phases[] = {{t->at->values.body_rise, 1.0, offsetof(strike_values, body_rise)},
                            {t->at->values.body_fall, -1.0, offsetof(strike_values, body_fall)}};
    strike_support_vary(t->s, t->at, t->d);
    for (int k = 0; k < 2; ++k) {
        for (int i = 0; i < STRIKE_PHASE_SAMPLES; ++i) {
            const double u = (double)i / (STRIKE_PHASE_SAMPLES - 1);
            double      *parts = next_parts(t, t->at->support.corner_count);
            atemi_vec3   zmp;
            if (vary_zmp(t, &phases[k], u, &zmp, t->d->wrench)) {
                strike_support_margin_slopes(&t->at->support, t->d, zmp, t->d->wrench, parts);
            }
        }
    }
}

// ---- All of them

void strike_touch_slopes(const strike_setup *s, const strike_variables *variables,
                         const strike_evaluation *at, strike_derivatives *d, strike_slopes *slopes)
{
    const touch t = {s, variables, at, d, slopes, s->v_count, slopes->stride};
    slope_hands(&t);
    slope_feet(&t);
    slope_joints(&t);
    slope_momentum(&t);
    slope_times(&t);
    slope_balance(&t);
}
