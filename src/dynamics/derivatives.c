// SPDX-License-Identifier: Apache-2.0

#include "atemi/derivatives.h"

#include "atemi/base.h"
#include "dynamics/derivatives.h"
#include "dynamics/newton_euler.h"

#include <string.h>

// Variations of a tree [Singh22, Carpentier18], in world axes about the common origin. A unit of
// coordinate j carries everything behind its joint along the screw S_j. Seen by an observer who is
// carried along, axes and inertias behind the joint stay, and so does tau = S.f of the nodes there.
// With v_p, a_p the motion of the body in front of the joint (gravity is an acceleration of the
// world), and v_b the velocity of the body behind the joint, in which S_j is fixed, what changes
// for the observer on body k behind the joint is
//
//   by q_j    v_k by Y_j,                a_k by Z_j + Y_j x v_k
//             Y_j = v_p x S_j,           Z_j = a_p x S_j + v_p x Y_j
//   by v_j    v_k by S_j,                a_k by T_j + S_j x v_k,    T_j = Y_j + v_b x S_j
//
// The force f_k = I a_k + v_k x* I v_k that a body needs then changes by
//
//   by q_j    I Z_j + C Y_j              by v_j    I T_j + C S_j
//   C u = u x* I v + v x* I u - I (v x u)
//
// C u is the Coriolis force of the body's particles: each has 2 m u_ang x velocity at its place. So
// C needs only the angular part of u, and with the momentum P and D = sum m velocity place^T
//
//   C u = (u_ang x 2P, 2 (tr D - D) u_ang),        D = u_o h^T + [omega] (tr I/2 - I)
//
// for a body with the first moment h and the inertia I about the node's origin, which moves at u_o.
// A wrench (F, N) of the surroundings, which stays in world axes at a point p of the body, turns
// backwards for the observer. The body needs f - (F, N), and that changes by
//
//   K S_j = (S_ang x F, p x (S_ang x F) + S_ang x N) = (S_ang x F, (tr E - E) S_ang + S_ang x N)
//
// with E = F p^T: a map of the same kind as C. About a point r away both add  g.r - g r^T  to the
// matrix, g being 2P or F. Sums over everything that node i carries are written I_i, C_i, K_i, f_i.
//
//   by q_j at i behind j's joint    S_i.(I_i Z_j + C_i Y_j + K_i S_j)
//   by q_i at j before i's joint    S_j.(I_i Z_i + C_i Y_i + K_i S_i + S_i x* f_i)
//   by v_j at i, and v_i at j       S_i.(I_i T_j + C_i S_j),   S_j.(I_i T_i + C_i S_i)
//
// S_i x* f_i brings the result from the observer back to the world; in the joint itself it is not
// needed. Nodes of one joint count as behind each other.

// ---- The maps C and K

// C of single bodies, from their inertias in world axes.
static void find_coriolis(const atemi_model *model, const atemi_kinematics *k,
                          const atemi_composite_block *bodies, atemi_turning_block *coriolis)
{
    for (int b = 0; b < model->block_count; ++b) {
        const pack3 w = pack3_load(&k->blocks[b].angular);
        const pack3 u = pack3_add(pack3_load(&k->blocks[b].linear),
                                  pack3_cross(w, pack3_load(&k->blocks[b].position)));
        const pack3 h = pack3_load(&bodies[b].first_moment), I = pack3_load(&bodies[b].inertia);
        const pack3 p = pack3_load(&bodies[b].product);
        // Twice the matrix tr I/2 - I: its diagonal is d, the rest -2 p.
        const pack3 d = {I.y + I.z - I.x, I.x + I.z - I.y, I.x + I.y - I.z};
        const pack3 o = pack3_scale(pack_of(-2.0), p), h2 = pack3_scale(pack_of(2.0), h);
        const pack3 Yx = {d.x, o.z, o.y}, Yy = {o.z, d.y, o.x}, Yz = {o.y, o.x, d.z};
        const pack  trace = pack3_dot(u, h2);

        // Minus 2 D, row by row, then its trace on the diagonal.
        pack3 x = pack3_sub(pack3_scale(w.z, Yy), pack3_scale(w.y, Yz));
        pack3 y = pack3_sub(pack3_scale(w.x, Yz), pack3_scale(w.z, Yx));
        pack3 z = pack3_sub(pack3_scale(w.y, Yx), pack3_scale(w.x, Yy));
        x = pack3_add_scaled(x, -u.x, h2);
        y = pack3_add_scaled(y, -u.y, h2);
        z = pack3_add_scaled(z, -u.z, h2);
        x.x += trace;
        y.y += trace;
        z.z += trace;
        pack3_store(&coriolis[b].force,
                    pack3_add_scaled(pack3_cross(w, h2), 2.0 * pack_load(&bodies[b].mass), u));
        pack3_store(&coriolis[b].x, x);
        pack3_store(&coriolis[b].y, y);
        pack3_store(&coriolis[b].z, z);
    }
}

// to += from, which stands r away.
static void add_turning(const atemi_turning_block *from, int child, atemi_vec3 r,
                        atemi_turning_block *to, int parent)
{
    const atemi_vec3 g = atemi_lane3(&from->force, child);
    const double     gr = atemi_vec3_dot(g, r);
    atemi_add_lane3(&to->force, parent, g);
    to->x.x.of[parent] += from->x.x.of[child] + (gr - g.x * r.x);
    to->x.y.of[parent] += from->x.y.of[child] - g.x * r.y;
    to->x.z.of[parent] += from->x.z.of[child] - g.x * r.z;
    to->y.x.of[parent] += from->y.x.of[child] - g.y * r.x;
    to->y.y.of[parent] += from->y.y.of[child] + (gr - g.y * r.y);
    to->y.z.of[parent] += from->y.z.of[child] - g.y * r.z;
    to->z.x.of[parent] += from->z.x.of[child] - g.z * r.x;
    to->z.y.of[parent] += from->z.y.of[child] - g.z * r.y;
    to->z.z.of[parent] += from->z.z.of[child] + (gr - g.z * r.z);
}

static void gather_turnings(const atemi_model *model, const atemi_kinematics *k,
                            atemi_turning_block *turnings)
{
    for (int i = model->node_count - 1; i >= 0; --i) {
        const int p = model->parents[i];
        if (p != ATEMI_NONE) {
            add_turning(&turnings[atemi_block(i)], atemi_lane(i),
                        atemi_lane3(&k->blocks[atemi_block(i)].reach, atemi_lane(i)),
                        &turnings[atemi_block(p)], atemi_lane(p));
        }
    }
}

// K of a wrench at its own point: S_ang x N as a matrix.
static atemi_turning_block single_pull(const atemi_force *wrench)
{
    const atemi_vec3    N = wrench->angular;
    atemi_turning_block K = {0};
    atemi_set_lane3(&K.force, 0, wrench->linear);
    atemi_set_lane3(&K.x, 0, (atemi_vec3){0.0, N.z, -N.y});
    atemi_set_lane3(&K.y, 0, (atemi_vec3){-N.z, 0.0, N.x});
    atemi_set_lane3(&K.z, 0, (atemi_vec3){N.y, -N.x, 0.0});
    return K;
}

void atemi_derivatives_pull_at(const atemi_model *model, int link, atemi_vec3 point,
                               const atemi_force *wrench, atemi_derivatives_scratch *scratch)
{
    const int node = model->mountings[link].node;
    if (node == ATEMI_NONE) {
        return;
    }
    const atemi_vec3 at = atemi_transform_apply(&model->mountings[link].pose, point);
    const quad arm = quad3_apply(&scratch->inverse.kinematics.poses[node].rotation, quad_of(at));
    const atemi_turning_block K = single_pull(wrench);
    if (!scratch->pulled) {
        memset(scratch->pull, 0, (size_t)model->block_count * sizeof *scratch->pull);
        scratch->pulled = true;
    }
    add_turning(&K, 0, quad_vec3(arm), &scratch->pull[atemi_block(node)], atemi_lane(node));
}

void atemi_derivatives_pull(const atemi_model *model, const atemi_force *external,
                            atemi_derivatives_scratch *scratch)
{
    const atemi_vec3 origin = {0};
    scratch->pulled = false;
    for (int i = 0; external && i < model->link_count; ++i) {
        atemi_derivatives_pull_at(model, i, origin, &external[i], scratch);
    }
}

// ---- Motion in front of a joint and behind it

static void set_lane6(lanes6 *to, int lane, const lanes3 *linear, const lanes3 *angular, int from)
{
    atemi_set_lane3(&to->linear, lane, atemi_lane3(linear, from));
    atemi_set_lane3(&to->angular, lane, atemi_lane3(angular, from));
}

static void set_before(const atemi_kinematics *k, atemi_vec3 gravity, int i, int p,
                       atemi_variation_block *variations)
{
    atemi_variation_block *to = &variations[atemi_block(i)];
    const int              lane = atemi_lane(i);
    if (p != ATEMI_NONE) {
        const atemi_kinematics_block *from = &k->blocks[atemi_block(p)];
        const int                     at = atemi_lane(p);
        set_lane6(&to->before, lane, &from->linear, &from->angular, at);
        set_lane6(&to->before_acceleration, lane, &from->acceleration_linear,
                  &from->acceleration_angular, at);
        return;
    }
    const atemi_motion still = {0};
    atemi_set_lane3(&to->before.linear, lane, still.linear);
    atemi_set_lane3(&to->before.angular, lane, still.angular);
    atemi_set_lane3(&to->before_acceleration.linear, lane, atemi_vec3_scale(-1.0, gravity));
    atemi_set_lane3(&to->before_acceleration.angular, lane, still.angular);
}

static void find_neighbours(const atemi_model *model, atemi_derivatives_scratch *s)
{
    const atemi_kinematics *k = &s->inverse.kinematics;
    for (int i = 0; i < model->node_count; ++i) {
        set_before(k, s->gravity, i, model->parents[i], s->variations);
        s->lasts[i] = i;
    }
    for (int b = 0; b < model->block_count; ++b) {
        s->variations[b].after = (lanes6){k->blocks[b].linear, k->blocks[b].angular};
    }
    for (int j = 0; j < model->multi_joint_count; ++j) {
        const atemi_multi_joint      *joint = &model->multi_joints[j];
        const int                     last = joint->last_node;
        const atemi_kinematics_block *end = &k->blocks[atemi_block(last)];
        for (int i = joint->first_node; i < last; ++i) {
            set_before(k, s->gravity, i + 1, model->parents[joint->first_node], s->variations);
            set_lane6(&s->variations[atemi_block(i)].after, atemi_lane(i), &end->linear,
                      &end->angular, atemi_lane(last));
            s->lasts[i] = last;
        }
    }
}

// ---- Variations

static void vary_motion(const atemi_kinematics_block *k, atemi_variation_block *v)
{
    const pack6 S = pack6_axes(k);
    const pack6 before = pack6_load(&v->before), Y = pack6_cross(before, S);
    pack6_store(&v->velocity_by_q, Y);
    pack6_store(
        &v->acceleration_by_q,
        pack6_add(pack6_cross(pack6_load(&v->before_acceleration), S), pack6_cross(before, Y)));
    pack6_store(&v->acceleration_by_v, pack6_add(Y, pack6_cross(pack6_load(&v->after), S)));
}

static pack6 turning_of(const atemi_turning_block *t, pack3 u)
{
    return (pack6){pack3_cross(u, pack3_load(&t->force)),
                   {pack3_dot(pack3_load(&t->x), u), pack3_dot(pack3_load(&t->y), u),
                    pack3_dot(pack3_load(&t->z), u)}};
}

// The transposed map, applied to the motion s at the node's own origin.
static pack3 turning_row(const atemi_turning_block *t, pack6 s)
{
    return pack3_add(
        pack3_cross(pack3_load(&t->force), s.linear),
        pack3_combine(pack3_load(&t->x), pack3_load(&t->y), pack3_load(&t->z), s.angular));
}

static void vary_forces(const atemi_model *model, atemi_derivatives_scratch *s, int b)
{
    const atemi_kinematics_block *k = &s->inverse.kinematics.blocks[b];
    const atemi_composite_block  *body = &s->composites[b];
    atemi_variation_block        *to = &s->variations[b];
    const pack3                   x = pack3_load(&k->position);
    const pack6                   own = {
        pack3_scale(pack_load(&model->blocks[b].prismatic), pack3_load(&k->axis_linear)),
        pack3_load(&k->axis_angular)};
    const pack3 F = pack3_load(&s->inverse.forces[b].linear);

    pack6 by_q = pack6_momentum(body, x, pack6_load(&to->acceleration_by_q));
    by_q = pack6_add(by_q, turning_of(&s->coriolis[b], pack3_load(&to->velocity_by_q.angular)));
    by_q.linear = pack3_add(by_q.linear, pack3_cross(own.angular, F));
    by_q.angular = pack3_add(
        by_q.angular, pack3_add(pack3_cross(own.angular, pack3_load(&s->inverse.forces[b].angular)),
                                pack3_cross(own.linear, F)));
    if (s->pulled) {
        by_q = pack6_add(by_q, turning_of(&s->pull[b], own.angular));
        pack3_store(&to->pull_row, turning_row(&s->pull[b], own));
    }
    pack6 by_v = pack6_momentum(body, x, pack6_load(&to->acceleration_by_v));
    by_v = pack6_add(by_v, turning_of(&s->coriolis[b], own.angular));
    pack6_store(&to->force_by_q, pack6_about_origin(x, by_q));
    pack6_store(&to->force_by_v, pack6_about_origin(x, by_v));
    pack3_store(&to->coriolis_row, turning_row(&s->coriolis[b], own));
}

void atemi_derivatives_vary_motion(const atemi_model *model, atemi_derivatives_scratch *scratch)
{
    find_neighbours(model, scratch);
    for (int b = 0; b < model->block_count; ++b) {
        vary_motion(&scratch->inverse.kinematics.blocks[b], &scratch->variations[b]);
    }
}

void atemi_derivatives_bodies(const atemi_model *model, atemi_derivatives_scratch *scratch)
{
    const atemi_kinematics *k = &scratch->inverse.kinematics;
    atemi_bodies_rotate(model, k, scratch->composites);
    find_coriolis(model, k, scratch->composites, scratch->coriolis);
    gather_turnings(model, k, scratch->coriolis);
}

void atemi_derivatives_vary(const atemi_model *model, atemi_derivatives_scratch *scratch)
{
    if (scratch->pulled) {
        gather_turnings(model, &scratch->inverse.kinematics, scratch->pull);
    }
    atemi_derivatives_vary_motion(model, scratch);
    for (int b = 0; b < model->block_count; ++b) {
        vary_forces(model, scratch, b);
    }
}

atemi_derivatives_scratch atemi_derivatives_scratch_take_on(atemi_arena                   *arena,
                                                            const atemi_model             *model,
                                                            atemi_inverse_dynamics_scratch inverse,
                                                            atemi_mass_factor              factor)
{
    const size_t size = (size_t)(model->block_count * ATEMI_LANES) * (size_t)model->node_count;
    const int    blocks = model->block_count;
    atemi_derivatives_scratch s = {.inverse = inverse, .factor = factor, .gravity = model->gravity};
    s.composites = factor.scratch.composites;
    s.coriolis = atemi_arena_array(arena, atemi_turning_block, blocks);
    s.pull = atemi_arena_array(arena, atemi_turning_block, blocks);
    s.variations = atemi_arena_array(arena, atemi_variation_block, blocks);
    s.lasts = atemi_arena_array(arena, int, model->node_count);
    s.still = atemi_arena_array(arena, double, model->v_count);
    s.tau = atemi_arena_array(arena, double, model->v_count);
    s.a = atemi_arena_array(arena, double, model->v_count);
    s.rows = atemi_arena_array(arena, double, model->coupled ? 3 * size : 0);
    s.sides = atemi_arena_array(arena, double, ATEMI_SIDES_PARTS *size);
    return s;
}

atemi_derivatives_scratch atemi_derivatives_scratch_take(atemi_arena       *arena,
                                                         const atemi_model *model)
{
    const atemi_inverse_dynamics_scratch inverse =
        atemi_inverse_dynamics_scratch_take(arena, model);
    return atemi_derivatives_scratch_take_on(arena, model, inverse,
                                             atemi_mass_factor_take(arena, model));
}

void atemi_derivatives_update(const atemi_model *model, const double *q, const double *v,
                              const double *a, const atemi_force *external,
                              atemi_derivatives_scratch *scratch)
{
    ATEMI_REQUIRE(model && scratch);
    if (model->v_count == 0) {
        return;
    }
    ATEMI_REQUIRE(q);
    memset(scratch->still, 0, (size_t)model->v_count * sizeof *scratch->still);
    atemi_newton_euler(model, q, v ? v : scratch->still, a, model->gravity, external,
                       &scratch->inverse, scratch->tau);
    atemi_derivatives_bodies(model, scratch);
    atemi_composites_chain(model, &scratch->inverse.kinematics, scratch->composites);
    atemi_composites_momenta(model, &scratch->inverse.kinematics, scratch->composites);
    atemi_derivatives_pull(model, external, scratch);
    atemi_derivatives_vary(model, scratch);
}

atemi_derivatives_scratch *atemi_derivatives_take(atemi_arena *arena, const atemi_model *model)
{
    ATEMI_REQUIRE_OR(arena && model, NULL);
    atemi_derivatives_scratch      *place = atemi_arena_array(arena, atemi_derivatives_scratch, 1);
    const atemi_derivatives_scratch scratch = atemi_derivatives_scratch_take(arena, model);
    if (place) {
        *place = scratch;
    }
    return place;
}
