// SPDX-License-Identifier: Apache-2.0

#include "dynamics/mass_derivatives.h"

#include "dynamics/six.h"
#include "math/matrix.h"

#include <string.h>

// Along a direction dq every body moves by X = sum of S dq over the nodes that carry it, in world
// axes at the common origin, and the axes of a joint move with the body behind it:
//
//   dS = X x S
//
// What node i carries has the mass m, the first moment h and the second moments B about the common
// origin, sums over its bodies, of which each moves as
//
//   dh = m X_lin + X_ang x h,   dB = X_lin h^T + h X_lin^T + [X_ang] B + B [X_ang]^T
//
// With the momentum F_i of a unit rate of node i,
//
//   F_lin = m S_lin + S_ang x h,   F_ang = h x S_lin + (tr B - B) S_ang
//
// and j one of the nodes that carry i, or i itself,
//
//   M_ij = S_j . F_i,   dM_ij = dS_j . F_i + S_j . dF_i
//
// A point p on a link has the Jacobian S_lin + S_ang x p, and moves itself by X_lin + X_ang x p.

enum { SIX = 6, THREE = 3 };

atemi_mass_derivatives atemi_mass_derivatives_take(atemi_arena *arena, const atemi_model *model,
                                                   int stride)
{
    const int nodes = model->node_count;
    return (atemi_mass_derivatives){
        .stride = stride,
        .bodies = atemi_arena_array(arena, atemi_composite_block, model->block_count),
        .lasts = atemi_arena_array(arena, int, nodes),
        .moves = atemi_arena_array(arena, double, nodes *SIX *stride),
        .axes = atemi_arena_array(arena, double, nodes *SIX *stride),
        .first = atemi_arena_array(arena, double, nodes *THREE),
        .second = atemi_arena_array(arena, double, nodes *SIX),
        .mass = atemi_arena_array(arena, double, nodes),
        .first_moves = atemi_arena_array(arena, double, nodes *THREE *stride),
        .second_moves = atemi_arena_array(arena, double, nodes *SIX *stride)};
}

// ---- Rows of six and of three

static pack3 at3(const double *rows, int stride, int c)
{
    return (pack3){pack_at(rows + c), pack_at(rows + stride + c), pack_at(rows + 2 * stride + c)};
}

static void put3(double *rows, int stride, int c, pack3 value)
{
    pack_put(rows + c, value.x);
    pack_put(rows + stride + c, value.y);
    pack_put(rows + 2 * stride + c, value.z);
}

static pack6 at6(const double *rows, int stride, int c)
{
    return (pack6){at3(rows, stride, c), at3(rows + 3 * (ptrdiff_t)stride, stride, c)};
}

static void put6(double *rows, int stride, int c, pack6 value)
{
    put3(rows, stride, c, value.linear);
    put3(rows + 3 * (ptrdiff_t)stride, stride, c, value.angular);
}

static double *six_of(double *rows, int stride, int node)
{
    return row_of(rows, SIX * stride, node);
}

static const double *six_in(const double *rows, int stride, int node)
{
    return row_in(rows, SIX * stride, node);
}

static atemi_motion axis_of(const atemi_kinematics *k, int node)
{
    const atemi_kinematics_block *block = &k->blocks[atemi_block(node)];
    return (atemi_motion){atemi_lane3(&block->axis_linear, atemi_lane(node)),
                          atemi_lane3(&block->axis_angular, atemi_lane(node))};
}

// ---- Moves

static void find_lasts(const atemi_model *model, int *lasts)
{
    for (int i = 0; i < model->node_count; ++i) {
        lasts[i] = i;
    }
    for (int j = 0; j < model->multi_joint_count; ++j) {
        const atemi_multi_joint *joint = &model->multi_joints[j];
        for (int i = joint->first_node; i < joint->last_node; ++i) {
            lasts[i] = joint->last_node;
        }
    }
}

static void move_bodies(const atemi_model *model, const atemi_kinematics *k, const double *dq,
                        atemi_mass_derivatives *d)
{
    const int    stride = d->stride;
    const size_t size = SIX * (size_t)stride * sizeof *d->moves;
    for (int i = 0; i < model->node_count; ++i) {
        const atemi_motion S = axis_of(k, i);
        const double       s = model->drives[i].scale;
        const double       axis[] = {S.linear.x,  S.linear.y,  S.linear.z,
                                     S.angular.x, S.angular.y, S.angular.z};
        double            *X = six_of(d->moves, stride, i);
        if (model->parents[i] == ATEMI_NONE) {
            memset(X, 0, size);
        } else {
            memcpy(X, six_in(d->moves, stride, model->parents[i]), size);
        }
        for (int r = 0; r < SIX; ++r) {
            row_subtract(stride, -s * axis[r], row_in(dq, stride, model->drives[i].v),
                         row_of(X, stride, r));
        }
    }
}

static void move_axes(const atemi_model *model, const atemi_kinematics *k,
                      atemi_mass_derivatives *d)
{
    const int stride = d->stride;
    for (int i = 0; i < model->node_count; ++i) {
        const atemi_motion axis = axis_of(k, i);
        const pack6        S = {pack3_of(axis.linear), pack3_of(axis.angular)};
        const double      *X = six_in(d->moves, stride, d->lasts[i]);
        for (int c = 0; c < stride; c += ATEMI_LANES) {
            put6(six_of(d->axes, stride, i), stride, c, pack6_cross(at6(X, stride, c), S));
        }
    }
}

// ---- Bodies

// h and B of a body, about the common origin.
static void place_body(const atemi_model *model, const atemi_kinematics *k, int node,
                       atemi_mass_derivatives *d)
{
    const atemi_composite_block *body = &d->bodies[atemi_block(node)];
    const int                    lane = atemi_lane(node);
    const atemi_vec3             p = atemi_lane3(&k->blocks[atemi_block(node)].position, lane);
    const atemi_vec3             own = atemi_lane3(&body->first_moment, lane);
    const atemi_vec3 I = atemi_lane3(&body->inertia, lane), P = atemi_lane3(&body->product, lane);
    const double     m = body->mass.of[lane], half = 0.5 * (I.x + I.y + I.z);
    const atemi_vec3 s = atemi_vec3_add(own, atemi_vec3_scale(0.5 * m, p)); // p s^T + s p^T
    const atemi_vec3 h = atemi_vec3_add(own, atemi_vec3_scale(m, p));
    const double     first[] = {h.x, h.y, h.z};
    const double     second[] = {half - I.x + 2.0 * p.x * s.x, half - I.y + 2.0 * p.y * s.y,
                                 half - I.z + 2.0 * p.z * s.z, p.y * s.z + p.z * s.y - P.x,
                                 p.x * s.z + p.z * s.x - P.y,  p.x * s.y + p.y * s.x - P.z};
    (void)model;
    d->mass[node] = m;
    memcpy(row_of(d->first, THREE, node), first, sizeof first);
    memcpy(row_of(d->second, SIX, node), second, sizeof second);
}

// dh and dB of a body.
static void move_body(int node, atemi_mass_derivatives *d)
{
    const int     stride = d->stride;
    const double *X = six_in(d->moves, stride, node), *f = row_in(d->first, THREE, node);
    const double *B = row_in(d->second, SIX, node);
    double       *dh = row_of(d->first_moves, THREE * stride, node);
    double       *dB = six_of(d->second_moves, stride, node);
    const pack3   h = pack3_of((atemi_vec3){f[0], f[1], f[2]});
    for (int c = 0; c < stride; c += ATEMI_LANES) {
        const pack6 x = at6(X, stride, c);
        const pack3 u = x.linear, w = x.angular;
        put3(dh, stride, c, pack3_add(pack3_scale(pack_of(d->mass[node]), u), pack3_cross(w, h)));
        // Rows of [w] B: w x its columns.
        const pack3 bx = pack3_cross(w, pack3_of((atemi_vec3){B[0], B[5], B[4]}));
        const pack3 by = pack3_cross(w, pack3_of((atemi_vec3){B[5], B[1], B[3]}));
        const pack3 bz = pack3_cross(w, pack3_of((atemi_vec3){B[4], B[3], B[2]}));
        put3(dB, stride, c,
             (pack3){2.0 * (u.x * h.x + bx.x), 2.0 * (u.y * h.y + by.y), 2.0 * (u.z * h.z + bz.z)});
        put3(dB + 3 * (ptrdiff_t)stride, stride, c,
             (pack3){u.y * h.z + u.z * h.y + bz.y + by.z, u.x * h.z + u.z * h.x + bz.x + bx.z,
                     u.x * h.y + u.y * h.x + by.x + bx.y});
    }
}

static void add_to(int count, const double *from, double *to)
{
    for (int i = 0; i < count; ++i) {
        to[i] += from[i];
    }
}

static void gather_bodies(const atemi_model *model, atemi_mass_derivatives *d)
{
    const int stride = d->stride;
    for (int i = model->node_count - 1; i >= 0; --i) {
        const int p = model->parents[i];
        if (p != ATEMI_NONE) {
            d->mass[p] += d->mass[i];
            add_to(THREE, row_in(d->first, THREE, i), row_of(d->first, THREE, p));
            add_to(SIX, row_in(d->second, SIX, i), row_of(d->second, SIX, p));
            add_to(THREE * stride, row_in(d->first_moves, THREE * stride, i),
                   row_of(d->first_moves, THREE * stride, p));
            add_to(SIX * stride, six_in(d->second_moves, stride, i),
                   six_of(d->second_moves, stride, p));
        }
    }
}

void atemi_mass_derivatives_update(const atemi_model *model, const atemi_kinematics *k,
                                   const double *dq, atemi_mass_derivatives *d)
{
    find_lasts(model, d->lasts);
    move_bodies(model, k, dq, d);
    move_axes(model, k, d);
    atemi_bodies_rotate(model, k, d->bodies);
    for (int i = 0; i < model->node_count; ++i) {
        place_body(model, k, i, d);
        move_body(i, d);
    }
    gather_bodies(model, d);
}

// ---- Momenta

// (tr B - B) w
static pack3 turned(pack3 diagonal, pack3 product, pack3 w)
{
    const pack  trace = diagonal.x + diagonal.y + diagonal.z;
    const pack3 B = pack3_symmetric(diagonal, product, w);
    return pack3_sub(pack3_scale(trace, w), B);
}

// F of a motion with these moments; without the part of the mass where that does not change.
static pack6 momentum(pack mass, pack3 h, pack3 diagonal, pack3 product, pack6 S)
{
    return (pack6){pack3_add(pack3_scale(mass, S.linear), pack3_cross(S.angular, h)),
                   pack3_add(pack3_cross(h, S.linear), turned(diagonal, product, S.angular))};
}

// Row i of dM, up to the root.
static void fill_row(const atemi_model *model, const atemi_kinematics *k,
                     const atemi_mass_derivatives *d, int i, int c, double *dM)
{
    const int          n = model->v_count, stride = d->stride;
    const double      *f = row_in(d->first, THREE, i), *B = row_in(d->second, SIX, i);
    const pack3        h = pack3_of((atemi_vec3){f[0], f[1], f[2]});
    const pack3        diagonal = pack3_of((atemi_vec3){B[0], B[1], B[2]});
    const pack3        product = pack3_of((atemi_vec3){B[3], B[4], B[5]});
    const double      *dB = six_in(d->second_moves, stride, i);
    const atemi_motion axis = axis_of(k, i);
    const pack6        S = {pack3_of(axis.linear), pack3_of(axis.angular)};
    const pack6        F = momentum(pack_of(d->mass[i]), h, diagonal, product, S);
    const pack6        moved = momentum(pack_of(d->mass[i]), h, diagonal, product,
                                        at6(six_in(d->axes, stride, i), stride, c));
    const pack6        changed =
        momentum((pack){0}, at3(row_in(d->first_moves, THREE * stride, i), stride, c),
                 at3(dB, stride, c), at3(dB + 3 * (ptrdiff_t)stride, stride, c), S);
    const pack6 dF = pack6_add(moved, changed);
    for (int j = i; j != ATEMI_NONE; j = model->parents[j]) {
        const atemi_motion other = axis_of(k, j);
        const pack6        T = {pack3_of(other.linear), pack3_of(other.angular)};
        const pack         scale = pack_of(model->drives[i].scale * model->drives[j].scale);
        const pack         value =
            scale * (pack6_dot(at6(six_in(d->axes, stride, j), stride, c), F) + pack6_dot(T, dF));
        const int a = model->drives[i].v, b = model->drives[j].v;
        double   *to = dM + ((ptrdiff_t)a * n + b) * stride + c;
        double   *back = dM + ((ptrdiff_t)b * n + a) * stride + c;
        pack_put(to, pack_at(to) + value);
        if (i != j) {
            pack_put(back, pack_at(back) + value);
        }
    }
}

void atemi_mass_derivatives_fill(const atemi_model *model, const atemi_kinematics *k,
                                 const atemi_mass_derivatives *d, double *dM)
{
    const size_t n = (size_t)model->v_count;
    memset(dM, 0, n * n * (size_t)d->stride * sizeof *dM);
    for (int i = 0; i < model->node_count; ++i) {
        for (int c = 0; c < d->stride; c += ATEMI_LANES) {
            fill_row(model, k, d, i, c, dM);
        }
    }
}

// ---- Links

void atemi_frame_derivatives_fill(const atemi_model *model, const atemi_kinematics *k, int link,
                                  atemi_vec3 point, int rows, const atemi_mass_derivatives *d,
                                  double *dJ)
{
    const int        n = model->v_count, stride = d->stride, node = model->mountings[link].node;
    const atemi_vec3 place = atemi_point_place(model, k, link, point);
    const pack3      p = pack3_of(place);
    memset(dJ, 0, (size_t)(rows * n) * (size_t)stride * sizeof *dJ);
    for (int i = node; i != ATEMI_NONE; i = model->parents[i]) {
        const pack  scale = pack_of(model->drives[i].scale);
        const pack3 rotation = pack3_of(axis_of(k, i).angular);
        double     *to = dJ + (ptrdiff_t)model->drives[i].v * stride;
        for (int c = 0; c < stride; c += ATEMI_LANES) {
            const pack6 X = at6(six_in(d->moves, stride, node), stride, c);
            const pack6 dS = at6(six_in(d->axes, stride, i), stride, c);
            const pack3 dp = pack3_add(X.linear, pack3_cross(X.angular, p));
            const pack3 linear = pack3_add(pack3_add(dS.linear, pack3_cross(dS.angular, p)),
                                           pack3_cross(rotation, dp));
            const pack  values[] = {linear.x,     linear.y,     linear.z,
                                    dS.angular.x, dS.angular.y, dS.angular.z};
            for (int r = 0; r < rows; ++r) {
                double *at = to + (ptrdiff_t)r * n * stride + c;
                pack_put(at, pack_at(at) + scale * values[r]);
            }
        }
    }
}
