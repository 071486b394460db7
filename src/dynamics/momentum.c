// SPDX-License-Identifier: Apache-2.0

#include "atemi/kinematics.h"

#include "atemi/base.h"
#include "dynamics/data_parts.h"

// Sums over the bodies, with x the centre of mass of each, from the common origin:
//
//   c = sum m x / sum m
//   P = sum m u,   L = sum (R I R^T omega + (x - c) x m u),   u = v + omega x x
//   E = sum (m u.u + omega . R I R^T omega) / 2 + sum rotor rate^2 / 2

static pack3 center_of(const atemi_node_block *node, const atemi_kinematics_block *k)
{
    return pack3_add(pack3_load(&k->position),
                     pack3_combine(pack3_load(&k->x), pack3_load(&k->y), pack3_load(&k->z),
                                   pack3_load(&node->com)));
}

static atemi_vec3 sum_lanes(pack3 a)
{
    return (atemi_vec3){pack_sum(a.x), pack_sum(a.y), pack_sum(a.z)};
}

// The common origin's way to the centre of mass.
static atemi_vec3 center_from_origin(const atemi_model *model, const atemi_kinematics *k)
{
    if (!(model->mass > 0.0)) {
        return (atemi_vec3){0.0, 0.0, 0.0};
    }
    pack3 sum = {0};
    for (int b = 0; b < model->block_count; ++b) {
        sum = pack3_add_scaled(sum, pack_load(&model->blocks[b].mass),
                               center_of(&model->blocks[b], &k->blocks[b]));
    }
    return atemi_vec3_scale(1.0 / model->mass, sum_lanes(sum));
}

atemi_vec3 atemi_center_of_mass_in(const atemi_model *model, const atemi_kinematics *kinematics)
{
    const atemi_vec3 nowhere = {0};
    ATEMI_REQUIRE_OR(model && kinematics, nowhere);
    if (!(model->mass > 0.0)) {
        return nowhere;
    }
    return atemi_vec3_add(kinematics->origin, center_from_origin(model, kinematics));
}

// The body's angular velocity in its own frame, and its angular momentum about its centre there.
typedef struct spin {
    pack3 rate, momentum;
} spin;

static spin spin_of(const atemi_node_block *node, const atemi_kinematics_block *k)
{
    const pack3 omega = pack3_load(&k->angular);
    const pack3 w = {pack3_dot(pack3_load(&k->x), omega), pack3_dot(pack3_load(&k->y), omega),
                     pack3_dot(pack3_load(&k->z), omega)};
    return (spin){w, pack3_symmetric(pack3_load(&node->inertia), pack3_load(&node->product), w)};
}

static pack3 velocity_at(const atemi_kinematics_block *k, pack3 x)
{
    return pack3_add(pack3_load(&k->linear), pack3_cross(pack3_load(&k->angular), x));
}

atemi_force atemi_momentum_in(const atemi_model *model, const atemi_kinematics *kinematics)
{
    const atemi_force none = {0};
    ATEMI_REQUIRE_OR(model && kinematics, none);
    pack3 linear = {0}, angular = {0};
    for (int b = 0; b < model->block_count; ++b) {
        const atemi_node_block       *node = &model->blocks[b];
        const atemi_kinematics_block *k = &kinematics->blocks[b];
        const pack3                   x = center_of(node, k);
        const pack3                   p = pack3_scale(pack_load(&node->mass), velocity_at(k, x));
        const pack3 L = pack3_combine(pack3_load(&k->x), pack3_load(&k->y), pack3_load(&k->z),
                                      spin_of(node, k).momentum);
        linear = pack3_add(linear, p);
        angular = pack3_add(angular, pack3_add(L, pack3_cross(x, p)));
    }
    const atemi_force about_origin = {sum_lanes(linear), sum_lanes(angular)};
    return atemi_force_at(about_origin, center_from_origin(model, kinematics));
}

double atemi_kinetic_energy_in(const atemi_model *model, const atemi_kinematics *kinematics)
{
    ATEMI_REQUIRE_OR(model && kinematics, 0.0);
    pack sum = {0};
    for (int b = 0; b < model->block_count; ++b) {
        const atemi_node_block       *node = &model->blocks[b];
        const atemi_kinematics_block *k = &kinematics->blocks[b];
        const pack3                   u = velocity_at(k, center_of(node, k));
        const spin                    turning = spin_of(node, k);
        const pack                    rate = pack_at(kinematics->rates + b * ATEMI_LANES);
        sum += pack_load(&node->mass) * pack3_dot(u, u) +
               pack3_dot(turning.rate, turning.momentum) + pack_load(&node->armature) * rate * rate;
    }
    return 0.5 * pack_sum(sum);
}

double atemi_potential_energy_in(const atemi_model *model, const atemi_kinematics *kinematics)
{
    ATEMI_REQUIRE_OR(model && kinematics, 0.0);
    return -model->mass *
           atemi_vec3_dot(model->gravity, atemi_center_of_mass_in(model, kinematics));
}

// ---- At the state of a data -----------------------------------------------------------------

atemi_vec3 atemi_center_of_mass(const atemi_data *data)
{
    ATEMI_REQUIRE_OR(data && data->posed, (atemi_vec3){0});
    return atemi_center_of_mass_in(data->model, atemi_data_kinematics(data));
}

atemi_force atemi_momentum(const atemi_data *data)
{
    const atemi_force none = {0};
    ATEMI_REQUIRE_OR(data && data->posed, none);
    return data->moving ? atemi_momentum_in(data->model, atemi_data_kinematics(data)) : none;
}

double atemi_kinetic_energy(const atemi_data *data)
{
    ATEMI_REQUIRE_OR(data && data->posed, 0.0);
    return data->moving ? atemi_kinetic_energy_in(data->model, atemi_data_kinematics(data)) : 0.0;
}

double atemi_potential_energy(const atemi_data *data)
{
    ATEMI_REQUIRE_OR(data && data->posed, 0.0);
    return atemi_potential_energy_in(data->model, atemi_data_kinematics(data));
}
