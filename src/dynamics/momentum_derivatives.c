// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"
#include "dynamics/columns.h"
#include "dynamics/derivatives.h"

// With the letters of derivatives.c, and the momentum h_i = sum of I v over everything that node i
// carries, about the common origin, by a unit of coordinate i:
//
//   momentum by q    I_i Y_i + S_i x* h_i         its rate by q   force_by_q,   by v   force_by_v
//   momentum by v    F_i = I_i S_i                kinetic energy by q   Y_i.h_i,  by v   S_i.h_i
//
// The centre of mass c moves by F_lin / m, and so about it, with P and f the momentum and its rate
// of the whole robot,
//
//   L_c = L - c x P:   dL_c = dL - c x dP - (F_lin / m) x P
//
// and likewise for the rate. Gravity, which is in the forces as an acceleration of the world, has
// no moment about the centre of mass, and its force is constant. The potential energy changes by
// -g.F_lin. P is in the map C as 2P, and the angular momentum in C's matrix 2 (tr D - D), since
// L_x = D_zy - D_yz and so on.

// h of a block of nodes, about the common origin.
static pack6 momentum_of(const atemi_derivatives_scratch *s, int b)
{
    const atemi_turning_block *c = &s->coriolis[b];
    const pack                 half = pack_of(0.5);
    const pack3                x = pack3_load(&c->x), y = pack3_load(&c->y), z = pack3_load(&c->z);
    const pack3                P = pack3_scale(half, pack3_load(&c->force));
    const pack3                own = pack3_scale(half, (pack3){y.z - z.y, z.x - x.z, x.y - y.x});
    const pack3                at = pack3_load(&s->inverse.kinematics.blocks[b].position);
    return pack6_about_origin(at, (pack6){P, own});
}

// I Y + S x* h
static pack6 momentum_by_q(const atemi_derivatives_scratch *s, int b)
{
    const pack3 x = pack3_load(&s->inverse.kinematics.blocks[b].position);
    const pack6 h = momentum_of(s, b), S = pack6_axes(&s->inverse.kinematics.blocks[b]);
    const pack6 own =
        pack6_momentum(&s->composites[b], x, pack6_load(&s->variations[b].velocity_by_q));
    const pack6 carried = {
        pack3_cross(S.angular, h.linear),
        pack3_add(pack3_cross(S.angular, h.angular), pack3_cross(S.linear, h.linear))};
    return pack6_add(pack6_about_origin(x, own), carried);
}

// What moves a moment to the centre of mass: that point, and the whole robot's P or f over its
// mass.
typedef struct center {
    pack3 place, drift;
} center;

static atemi_columns about_center(const center *c, pack6 d, pack3 F)
{
    const pack3 moved = pack3_add(pack3_cross(c->place, d.linear), pack3_cross(F, c->drift));
    return atemi_columns_of(d.linear, pack3_sub(d.angular, moved), pack_of(0.0) == pack_of(0.0));
}

// Momentum and force of the whole robot: the sums over the nodes that stand on the world.
typedef struct whole {
    atemi_vec3 momentum, force;
} whole;

static whole whole_of(const atemi_model *model, const atemi_derivatives_scratch *s)
{
    whole sum = {0};
    for (int i = 0; i < model->node_count; i = model->ends[i]) {
        const int  b = atemi_block(i), lane = atemi_lane(i);
        atemi_vec3 twice = atemi_lane3(&s->coriolis[b].force, lane);
        sum.momentum = atemi_vec3_add(sum.momentum, atemi_vec3_scale(0.5, twice));
        sum.force = atemi_vec3_add(sum.force, atemi_lane3(&s->inverse.forces[b].linear, lane));
    }
    return sum;
}

static center center_of(const atemi_model *model, const atemi_kinematics *k, atemi_vec3 total)
{
    const double     inverse = model->mass > 0.0 ? 1.0 / model->mass : 0.0;
    const atemi_vec3 at = atemi_vec3_sub(atemi_center_of_mass_in(model, k), k->origin);
    return (center){pack3_of(model->mass > 0.0 ? at : (atemi_vec3){0}),
                    pack3_of(atemi_vec3_scale(inverse, total))};
}

void atemi_momentum_derivatives(const atemi_model *model, const atemi_derivatives_scratch *scratch,
                                double *dq, double *rate_dq, double *rate_dv, double *matrix)
{
    ATEMI_REQUIRE(model && scratch);
    const atemi_derivatives_scratch *s = scratch;
    const size_t                     size = 6 * (size_t)model->v_count * sizeof(double);
    double                          *results[] = {dq, rate_dq, rate_dv, matrix};
    for (int i = 0; i < 4 && model->coupled; ++i) {
        if (results[i]) {
            memset(results[i], 0, size);
        }
    }
    if (model->v_count == 0) {
        return;
    }
    const atemi_kinematics *k = &s->inverse.kinematics;
    const whole             sum = whole_of(model, s);
    const center            by_momentum = center_of(model, k, sum.momentum);
    const center            by_force = center_of(model, k, sum.force);
    const center            fixed = {by_force.place, pack3_of((atemi_vec3){0})};
    for (int b = model->block_count - 1; b >= 0; --b) {
        const pack6         F = {pack3_load(&s->composites[b].linear),
                                 pack3_load(&s->composites[b].angular)};
        const atemi_columns parts[] = {
            about_center(&by_momentum, momentum_by_q(s, b), F.linear),
            about_center(&by_force, pack6_load(&s->variations[b].force_by_q), F.linear),
            about_center(&fixed, pack6_load(&s->variations[b].force_by_v), F.linear),
            about_center(&fixed, F, F.linear)};
        for (int i = 0; i < 4; ++i) {
            if (results[i]) {
                atemi_columns_write(model, 6, b, &parts[i], results[i]);
            }
        }
    }
}

// ---- Centre of mass and energy: one number a node

static void put_nodes(const atemi_model *model, int b, pack value, double scale, double *to)
{
    for (int lane = 0; lane < ATEMI_LANES && b * ATEMI_LANES + lane < model->node_count; ++lane) {
        const atemi_node_drive *drive = &model->drives[b * ATEMI_LANES + lane];
        to[drive->v] += drive->scale * scale * value[lane];
    }
}

void atemi_center_of_mass_jacobian(const atemi_model               *model,
                                   const atemi_derivatives_scratch *scratch, double *J)
{
    ATEMI_REQUIRE(model && scratch);
    if (model->v_count == 0) {
        return;
    }
    ATEMI_REQUIRE(J);
    const size_t n = (size_t)model->v_count;
    const double inverse = model->mass > 0.0 ? 1.0 / model->mass : 0.0;
    memset(J, 0, 3 * n * sizeof *J);
    for (int b = 0; b < model->block_count; ++b) {
        const pack3 F = pack3_load(&scratch->composites[b].linear);
        put_nodes(model, b, F.x, inverse, J);
        put_nodes(model, b, F.y, inverse, J + n);
        put_nodes(model, b, F.z, inverse, J + 2 * n);
    }
}

void atemi_kinetic_energy_gradient(const atemi_model               *model,
                                   const atemi_derivatives_scratch *scratch, double *dq, double *dv)
{
    ATEMI_REQUIRE(model && scratch);
    if (model->v_count == 0) {
        return;
    }
    ATEMI_REQUIRE(dq && dv);
    const atemi_kinematics *k = &scratch->inverse.kinematics;
    memset(dq, 0, (size_t)model->v_count * sizeof *dq);
    memset(dv, 0, (size_t)model->v_count * sizeof *dv);
    for (int b = 0; b < model->block_count; ++b) {
        const pack6 h = momentum_of(scratch, b);
        const pack6 Y = pack6_load(&scratch->variations[b].velocity_by_q);
        const pack  rotor =
            pack_load(&model->blocks[b].armature) * pack_at(k->rates + b * ATEMI_LANES);
        put_nodes(model, b, pack6_dot(Y, h), 1.0, dq);
        put_nodes(model, b, pack6_dot(pack6_axes(&k->blocks[b]), h) + rotor, 1.0, dv);
    }
}

void atemi_potential_energy_gradient(const atemi_model               *model,
                                     const atemi_derivatives_scratch *scratch, double *dq)
{
    ATEMI_REQUIRE(model && scratch);
    if (model->v_count == 0) {
        return;
    }
    ATEMI_REQUIRE(dq);
    memset(dq, 0, (size_t)model->v_count * sizeof *dq);
    for (int b = 0; b < model->block_count; ++b) {
        put_nodes(model, b,
                  pack3_dot(pack3_of(model->gravity), pack3_load(&scratch->composites[b].linear)),
                  -1.0, dq);
    }
}
