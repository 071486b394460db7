// SPDX-License-Identifier: Apache-2.0

#include "contact/stance_derivatives.h"

#include "atemi/base.h"
#include "contact/distribution.h"
#include "math/matrix.h"

#include <math.h>
#include <string.h>

// With the ground forces f_k as external ones, the base needs nothing: a change of the motion alone
// would ask for joint forces e, of which those of the base come from changes of the ground forces:
//
//   e = D_q dq + D_v dv + M da,   sum of df_k = F',   sum of r_k x df_k = N'     (F', N') = e_base
//   dtau = e - sum of J_k^T df_k
//
// with r_k from the root to point k. Forces rotate not with their links, but their arms do: an arm
// s from the link's origin has the moment s x f, which changes by (t x s) x f.
//
// Points that push have (unilateral_distribution.c), with c where the force presses on the ground
// and y_i = x_i
// - c along its axes, which lean with F,
//
//   f_i = P_i (F + w up x (x_i - r)),   P_i = exp(b . y_i) / Z,   sum of P_i y_i = 0,   r = sum of
//   P_i x_i,   w sum of P_i |up x (x_i - r)|^2 = moment about up at r
//
// so that with the covariance V of the y_i
//
//   V db = -sum of P_i dy_i - sum of P_i y_i (b . dy_i)
//   dP_i = P_i (db . y_i + b . dy_i - mean of the same)
//
// and the rest follows. b is found again from the P_i: log (P_i / P_j) = b . (y_i - y_j).

stance_derivatives stance_derivatives_take(atemi_arena *arena, const atemi_model *model,
                                           int max_points, int stride)
{
    const int n = atemi_model_v_count(model);
    return (stance_derivatives){
        .derivatives = atemi_derivatives_scratch_take(arena, model),
        .stride = stride,
        .loads = atemi_arena_array(arena, atemi_force, atemi_model_link_count(model)),
        .dq = atemi_arena_array(arena, double, n *n),
        .dv = atemi_arena_array(arena, double, n *n),
        .da = atemi_arena_array(arena, double, n *n),
        .rows = atemi_arena_array(arena, double, 6 * n),
        .moves = atemi_arena_array(arena, double, 3 * max_points * stride),
        .rotations = atemi_arena_array(arena, double, 3 * stride),
        .wrench = atemi_arena_array(arena, double, 6 * stride)};
}

// Everything about one motion.
typedef struct standing {
    const atemi_model         *model;
    const atemi_contact_point *points;
    int                        count, n, stride;
    const atemi_vec3          *forces;
    const atemi_kinematics    *kinematics;
    stance_derivatives        *work;
} standing;

static atemi_vec3 arm_of(const standing *s, int k)
{
    const atemi_transform pose = atemi_link_pose_in(s->model, s->kinematics, s->points[k].link);
    return atemi_mat3_apply(&pose.rotation, s->points[k].point);
}

// Whether no point before k is on its link.
static bool is_first(const standing *s, int k)
{
    bool first = true;
    for (int i = 0; i < k; ++i) {
        first = first && s->points[i].link != s->points[k].link;
    }
    return first;
}

static double *moves_of(const standing *s, int k)
{
    return row_of(s->work->moves, 3 * s->stride, k);
}

// to -= J^T wrench, for the rows of a link; the wrench changes its sign
static void subtract_wrench(const standing *s, const double *rows, double *wrench, int count,
                            double *to)
{
    matrix_scale(count * s->stride, -1.0, wrench, wrench);
    matrix_add_transposed(count, s->n, rows, s->n, wrench, s->stride, to);
}

// ---- The joint forces that the change asks for

static void find_loads(const standing *s)
{
    memset(s->work->loads, 0, (size_t)atemi_model_link_count(s->model) * sizeof *s->work->loads);
    for (int k = 0; k < s->count; ++k) {
        atemi_force *on = &s->work->loads[s->points[k].link];
        on->linear = atemi_vec3_add(on->linear, s->forces[k]);
        on->angular = atemi_vec3_add(on->angular, atemi_vec3_cross(arm_of(s, k), s->forces[k]));
    }
}

// How the points of a link move, and what the rotation of their arms asks for.
static void move_link(const standing *s, int link, const double *dq, double *e)
{
    stance_derivatives *w = s->work;
    double             *linear = w->wrench, *angular = linear + 3 * (ptrdiff_t)s->stride;
    atemi_link_jacobian_in(s->model, s->kinematics, link, w->rows);
    memset(w->wrench, 0, 6 * (size_t)s->stride * sizeof *w->wrench);
    matrix_add_multiply(6, s->n, w->rows, s->n, dq, s->stride, w->wrench);
    for (int c = 0; c < s->stride; c += ATEMI_LANES) {
        const pack3 u = matrix_columns3(linear, s->stride, c),
                    t = matrix_columns3(angular, s->stride, c);
        pack3 sum = {0};
        for (int k = 0; k < s->count; ++k) {
            if (s->points[k].link == link) {
                const pack3 turned = pack3_cross(t, pack3_of(arm_of(s, k)));
                matrix_put_columns3(moves_of(s, k), s->stride, c, pack3_add(u, turned));
                sum = pack3_add(sum, pack3_cross(turned, pack3_of(s->forces[k])));
            }
        }
        matrix_put_columns3(w->rotations, s->stride, c, sum);
    }
    subtract_wrench(s, w->rows + 3 * (ptrdiff_t)s->n, w->rotations, 3, e);
}

static void find_demand(standing *s, const double *q, const double *v, const double *a,
                        const stance_change *change, double *e)
{
    stance_derivatives *w = s->work;
    find_loads(s);
    atemi_inverse_dynamics_derivatives(s->model, q, v, a, w->loads, &w->derivatives, NULL, w->dq,
                                       w->dv, w->da);
    s->kinematics = &w->derivatives.inverse.kinematics;
    memset(e, 0, (size_t)s->n * (size_t)s->stride * sizeof *e);
    matrix_add_multiply(s->n, s->n, w->dq, s->n, change->dq, s->stride, e);
    matrix_add_multiply(s->n, s->n, w->dv, s->n, change->dv, s->stride, e);
    matrix_add_multiply(s->n, s->n, w->da, s->n, change->da, s->stride, e);
    for (int k = 0; k < s->count; ++k) {
        if (is_first(s, k)) {
            move_link(s, s->points[k].link, change->dq, e);
        }
    }
}

// ---- The distribution

enum { MOST_POINTS = 64 }; // stance_derivatives_find() refuses more

// What the points have, the same along all directions.
typedef struct distribution {
    int        count;
    atemi_vec3 up, axes[2], middle, off, F, root, r;
    atemi_vec3 places[MOST_POINTS], across[MOST_POINTS];
    double     y[MOST_POINTS][2], P[MOST_POINTS];
    double     push, lean[2], b[2], V[3], w, inertia;
} distribution;

static void find_axes(distribution *d)
{
    const atemi_vec3 x = {1.0, 0.0, 0.0}, y = {0.0, 1.0, 0.0};
    const atemi_vec3 side = atemi_vec3_cross(d->up, fabs(d->up.x) < 0.9 ? x : y);
    d->axes[0] = atemi_vec3_scale(1.0 / atemi_vec3_norm(side), side);
    d->axes[1] = atemi_vec3_cross(d->up, d->axes[0]);
    for (int k = 0; k < 2; ++k) {
        d->lean[k] = atemi_vec3_dot(d->F, d->axes[k]) / d->push;
    }
}

// x along the leaning axis k.
static double along(const distribution *d, int k, atemi_vec3 x)
{
    return atemi_vec3_dot(x, d->axes[k]) - d->lean[k] * atemi_vec3_dot(x, d->up);
}

// Their spread, and b from the slope of log P.
static void find_slope(distribution *d)
{
    double mean = 0.0, slope[2] = {0.0, 0.0};
    for (int i = 0; i < d->count; ++i) {
        mean += d->P[i] * log(d->P[i]);
    }
    for (int i = 0; i < d->count; ++i) {
        const double off = log(d->P[i]) - mean;
        d->V[0] += d->P[i] * d->y[i][0] * d->y[i][0];
        d->V[1] += d->P[i] * d->y[i][0] * d->y[i][1];
        d->V[2] += d->P[i] * d->y[i][1] * d->y[i][1];
        slope[0] += d->P[i] * d->y[i][0] * off;
        slope[1] += d->P[i] * d->y[i][1] * off;
    }
    const double determinant = d->V[0] * d->V[2] - d->V[1] * d->V[1];
    d->b[0] = (d->V[2] * slope[0] - d->V[1] * slope[1]) / determinant;
    d->b[1] = (d->V[0] * slope[1] - d->V[1] * slope[0]) / determinant;
}

static distribution distribution_of(const standing *s)
{
    const atemi_vec3 g = atemi_model_gravity(s->model);
    distribution     d = {.count = s->count,
                          .up = atemi_vec3_scale(-1.0 / atemi_vec3_norm(g), g),
                          .root = atemi_link_pose_in(s->model, s->kinematics, 0).position};
    atemi_vec3       M = {0.0, 0.0, 0.0};
    for (int k = 0; k < s->count; ++k) {
        const atemi_transform pose = atemi_link_pose_in(s->model, s->kinematics, s->points[k].link);
        d.places[k] = atemi_transform_apply(&pose, s->points[k].point);
        d.F = atemi_vec3_add(d.F, s->forces[k]);
    }
    d.middle = atemi_distribution_middle(d.places, s->count);
    d.push = atemi_vec3_dot(d.F, d.up);
    for (int k = 0; k < s->count; ++k) {
        const atemi_vec3 arm = atemi_vec3_sub(d.places[k], d.middle);
        M = atemi_vec3_add(M, atemi_vec3_cross(arm, s->forces[k]));
        d.P[k] = atemi_vec3_dot(s->forces[k], d.up) / d.push;
        d.r = atemi_vec3_add(d.r, atemi_vec3_scale(d.P[k], d.places[k]));
    }
    d.off = atemi_vec3_scale(1.0 / d.push, atemi_vec3_cross(d.up, M));
    find_axes(&d);
    for (int k = 0; k < s->count; ++k) {
        const atemi_vec3 from = atemi_vec3_sub(d.places[k], atemi_vec3_add(d.middle, d.off));
        d.y[k][0] = along(&d, 0, from);
        d.y[k][1] = along(&d, 1, from);
        d.across[k] = atemi_vec3_cross(d.up, atemi_vec3_sub(d.places[k], d.r));
        d.inertia += d.P[k] * atemi_vec3_dot(d.across[k], d.across[k]);
    }
    const atemi_vec3 there =
        atemi_vec3_add(M, atemi_vec3_cross(atemi_vec3_sub(d.middle, d.r), d.F));
    d.w = atemi_vec3_dot(there, d.up) / d.inertia;
    find_slope(&d);
    return d;
}

// The changes of some directions, one in each lane.
typedef struct variation {
    pack3 dx[MOST_POINTS], dF, dM, dmiddle; ///< dM about the middle
    pack  dy[MOST_POINTS][2], dP[MOST_POINTS];
} variation;

static pack3 cross_of(atemi_vec3 a, pack3 b)
{
    return pack3_cross(pack3_of(a), b);
}

static pack3 scaled(double s, pack3 a)
{
    return pack3_scale(pack_of(s), a);
}

static pack dot_of(atemi_vec3 a, pack3 b)
{
    return pack3_dot(pack3_of(a), b);
}

// What the wrench about the middle changes by.
static void find_wrench(const standing *s, const distribution *d, pack3 N, variation *v)
{
    pack3 sum = {0};
    for (int k = 0; k < d->count; ++k) {
        sum = pack3_add(sum, v->dx[k]);
    }
    v->dmiddle = scaled(1.0 / d->count, sum);
    v->dM = pack3_add(N, cross_of(atemi_vec3_sub(d->root, d->middle), v->dF));
    for (int k = 0; k < d->count; ++k) {
        v->dM =
            pack3_add(v->dM, pack3_cross(pack3_sub(v->dx[k], v->dmiddle), pack3_of(s->forces[k])));
    }
}

static void find_offsets(const distribution *d, variation *v)
{
    const pack  dpush = dot_of(d->up, v->dF);
    const pack3 moved = scaled(1.0 / d->push, cross_of(d->up, v->dM));
    const pack3 dc =
        pack3_add(v->dmiddle, pack3_sub(moved, pack3_scale(dpush / d->push, pack3_of(d->off))));
    for (int k = 0; k < 2; ++k) {
        const pack dlean = (dot_of(d->axes[k], v->dF) - d->lean[k] * dpush) / d->push;
        for (int i = 0; i < d->count; ++i) {
            const atemi_vec3 from = atemi_vec3_sub(d->places[i], atemi_vec3_add(d->middle, d->off));
            const pack3      off = pack3_sub(v->dx[i], dc);
            v->dy[i][k] = dot_of(d->axes[k], off) - d->lean[k] * dot_of(d->up, off) -
                          dlean * atemi_vec3_dot(from, d->up);
        }
    }
}

static void find_parts(const distribution *d, variation *v)
{
    pack lack[2] = {{0}, {0}}, mean = {0};
    for (int i = 0; i < d->count; ++i) {
        const pack turned = d->b[0] * v->dy[i][0] + d->b[1] * v->dy[i][1];
        lack[0] -= d->P[i] * (v->dy[i][0] + d->y[i][0] * turned);
        lack[1] -= d->P[i] * (v->dy[i][1] + d->y[i][1] * turned);
    }
    const double determinant = d->V[0] * d->V[2] - d->V[1] * d->V[1];
    const pack   db[2] = {(d->V[2] * lack[0] - d->V[1] * lack[1]) / determinant,
                          (d->V[0] * lack[1] - d->V[1] * lack[0]) / determinant};
    for (int i = 0; i < d->count; ++i) {
        v->dP[i] =
            db[0] * d->y[i][0] + db[1] * d->y[i][1] + d->b[0] * v->dy[i][0] + d->b[1] * v->dy[i][1];
        mean += d->P[i] * v->dP[i];
    }
    for (int i = 0; i < d->count; ++i) {
        v->dP[i] = d->P[i] * (v->dP[i] - mean);
    }
}

// What w changes by; `dacross` is that of up x (x_i - r).
static pack find_turn(const distribution *d, const variation *v, pack3 *dacross)
{
    pack3 dr = {0};
    pack  dinertia = {0};
    for (int i = 0; i < d->count; ++i) {
        dr = pack3_add_scaled(dr, v->dP[i], pack3_of(d->places[i]));
        dr = pack3_add_scaled(dr, pack_of(d->P[i]), v->dx[i]);
    }
    for (int i = 0; i < d->count; ++i) {
        dacross[i] = cross_of(d->up, pack3_sub(v->dx[i], dr));
        dinertia += v->dP[i] * atemi_vec3_dot(d->across[i], d->across[i]) +
                    2.0 * d->P[i] * dot_of(d->across[i], dacross[i]);
    }
    const pack3 moment =
        pack3_add(v->dM, pack3_add(pack3_cross(pack3_sub(v->dmiddle, dr), pack3_of(d->F)),
                                   cross_of(atemi_vec3_sub(d->middle, d->r), v->dF)));
    return (dot_of(d->up, moment) - d->w * dinertia) / d->inertia;
}

static void find_forces(const distribution *d, const variation *v, int stride, int c,
                        double *dforces)
{
    pack3      dacross[MOST_POINTS];
    const pack dw = find_turn(d, v, dacross);
    for (int i = 0; i < d->count; ++i) {
        const atemi_vec3 whole = atemi_vec3_add(d->F, atemi_vec3_scale(d->w, d->across[i]));
        const pack3      turned =
            pack3_add(pack3_scale(dw, pack3_of(d->across[i])), scaled(d->w, dacross[i]));
        const pack3 change = pack3_add(pack3_scale(v->dP[i], pack3_of(whole)),
                                       scaled(d->P[i], pack3_add(v->dF, turned)));
        matrix_put_columns3(row_of(dforces, 3 * stride, i), stride, c, change);
    }
}

// From the base's frame to the world's.
static pack3 rotated(const atemi_transform *root, pack3 a)
{
    const atemi_mat3 *R = &root->rotation;
    return pack3_combine(pack3_of(R->x), pack3_of(R->y), pack3_of(R->z), a);
}

static void distribute(const standing *s, const double *e, double *dforces)
{
    const distribution    d = distribution_of(s);
    const atemi_transform root = atemi_link_pose_in(s->model, s->kinematics, 0);
    const double         *angular = e + 3 * (ptrdiff_t)s->stride;
    for (int c = 0; c < s->stride; c += ATEMI_LANES) {
        variation v;
        for (int k = 0; k < s->count; ++k) {
            v.dx[k] = matrix_columns3(moves_of(s, k), s->stride, c);
        }
        v.dF = rotated(&root, matrix_columns3(e, s->stride, c));
        find_wrench(s, &d, rotated(&root, matrix_columns3(angular, s->stride, c)), &v);
        find_offsets(&d, &v);
        find_parts(&d, &v);
        find_forces(&d, &v, s->stride, c, dforces);
    }
}

// ---- Torques

static void subtract_forces(const standing *s, int link, const double *dforces, double *dtau)
{
    double *linear = s->work->wrench, *angular = linear + 3 * (ptrdiff_t)s->stride;
    for (int c = 0; c < s->stride; c += ATEMI_LANES) {
        pack3 force = {0}, moment = {0};
        for (int k = 0; k < s->count; ++k) {
            if (s->points[k].link == link) {
                const pack3 f = matrix_columns3(row_in(dforces, 3 * s->stride, k), s->stride, c);
                force = pack3_add(force, f);
                moment = pack3_add(moment, cross_of(arm_of(s, k), f));
            }
        }
        matrix_put_columns3(linear, s->stride, c, force);
        matrix_put_columns3(angular, s->stride, c, moment);
    }
    atemi_link_jacobian_in(s->model, s->kinematics, link, s->work->rows);
    subtract_wrench(s, s->work->rows, linear, 6, dtau);
}

void stance_derivatives_find(const atemi_model *model, const double *q, const double *v,
                             const double *a, const atemi_contact_point *points, int count,
                             const atemi_vec3 *forces, const stance_change *change,
                             stance_derivatives *work, double *dtau, double *dforces)
{
    ATEMI_REQUIRE(model && work && count <= MOST_POINTS);
    standing s = {model,        points, count, atemi_model_v_count(model),
                  work->stride, forces, NULL,  work};
    atemi_kinematics_update(model, q, NULL, NULL, &work->derivatives.inverse.kinematics);
    s.kinematics = &work->derivatives.inverse.kinematics;
    find_demand(&s, q, v, a, change, dtau);
    distribute(&s, dtau, dforces);
    for (int k = 0; k < count; ++k) {
        if (is_first(&s, k)) {
            subtract_forces(&s, points[k].link, dforces, dtau);
        }
    }
}
