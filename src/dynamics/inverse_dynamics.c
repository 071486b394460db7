// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"
#include "atemi/dynamics.h"
#include "dynamics/data_parts.h"
#include "dynamics/forces.h"
#include "dynamics/newton_euler.h"

#include <string.h>

// Recursive Newton-Euler [Featherstone08, 5.3] in world axes, moments about each node's own origin.
// For node i with children k that reach r_k away, rotation R, centre of mass c from the node's
// origin and x from the common one, and with the motion of kinematics.c:
//
//   outward    w = R^T omega_i,  dw = R^T alpha_i
//              F = m (a_i + alpha_i x x + omega_i x (v_i + omega_i x x))
//              N = R (I dw + w x I w)
//              f_i = (F, N + c x F) - external_i
//   inward     f_i += sum of (F_k, N_k + r_k x F_k)
//              tau_i = s_i . N_i if it turns, s_i . F_i if it slides, + rotor a
//
// Gravity is an upward acceleration of the world, so no body needs a weight.

static pack3 into_frame(const atemi_kinematics_block *k, pack3 a)
{
    return (pack3){pack3_dot(pack3_load(&k->x), a), pack3_dot(pack3_load(&k->y), a),
                   pack3_dot(pack3_load(&k->z), a)};
}

static pack3 out_of_frame(const atemi_kinematics_block *k, pack3 a)
{
    return pack3_combine(pack3_load(&k->x), pack3_load(&k->y), pack3_load(&k->z), a);
}

static pack3 apply_inertia(const atemi_node_block *node, pack3 a)
{
    return pack3_symmetric(pack3_load(&node->inertia), pack3_load(&node->product), a);
}

// The net moment about the centre of mass: Euler's equation, in the body's frame.
static pack3 net_moment(const atemi_node_block *node, const atemi_kinematics_block *k, bool moving)
{
    const pack3 dw = into_frame(k, pack3_load(&k->acceleration_angular));
    pack3       moment = apply_inertia(node, dw);
    if (moving) {
        const pack3 w = into_frame(k, pack3_load(&k->angular));
        moment = pack3_add(moment, pack3_cross(w, apply_inertia(node, w)));
    }
    return out_of_frame(k, moment);
}

// The net force: Newton's equation at the centre of mass x.
static pack3 net_force(const atemi_node_block *node, const atemi_kinematics_block *k, pack3 x,
                       bool moving)
{
    pack3 a = pack3_add(pack3_load(&k->acceleration_linear),
                        pack3_cross(pack3_load(&k->acceleration_angular), x));
    if (moving) {
        const pack3 omega = pack3_load(&k->angular);
        const pack3 v = pack3_add(pack3_load(&k->linear), pack3_cross(omega, x));
        a = pack3_add(a, pack3_cross(omega, v));
    }
    return pack3_scale(pack_load(&node->mass), a);
}

static void required_forces(const atemi_model *model, const atemi_kinematics_block *blocks,
                            bool moving, atemi_force_block *forces)
{
    for (int b = 0; b < model->block_count; ++b) {
        const atemi_node_block       *node = &model->blocks[b];
        const atemi_kinematics_block *k = &blocks[b];
        const pack3                   c = out_of_frame(k, pack3_load(&node->com));
        const pack3                   x = pack3_add(pack3_load(&k->position), c);
        const pack3                   F = net_force(node, k, x, moving);
        const pack3                   N = net_moment(node, k, moving);
        pack3_store(&forces[b].linear, F);
        pack3_store(&forces[b].angular, pack3_add(N, pack3_cross(c, F)));
    }
}

static bool is_zero(const atemi_force *f)
{
    return f->linear.x == 0.0 && f->linear.y == 0.0 && f->linear.z == 0.0 && f->angular.x == 0.0 &&
           f->angular.y == 0.0 && f->angular.z == 0.0;
}

// The surroundings bear part of what a body needs.
static void relieve(const atemi_model *model, const atemi_kinematics *k,
                    const atemi_force *external, atemi_force_block *forces)
{
    for (int i = 0; i < model->link_count; ++i) {
        const int node = model->mountings[i].node;
        if (node == ATEMI_NONE || is_zero(&external[i])) {
            continue;
        }
        const quad arm =
            quad3_apply(&k->poses[node].rotation, quad_of(model->mountings[i].pose.position));
        const atemi_force  f = atemi_force_at(external[i], quad_vec3(quad_scale(-1.0, arm)));
        atemi_force_block *block = &forces[atemi_block(node)];
        atemi_add_lane3(&block->linear, atemi_lane(node), atemi_vec3_scale(-1.0, f.linear));
        atemi_add_lane3(&block->angular, atemi_lane(node), atemi_vec3_scale(-1.0, f.angular));
    }
}

static void hand_forces_to_parents(const atemi_model *model, const atemi_kinematics_block *k,
                                   atemi_force_block *forces)
{
    for (int i = model->node_count - 1; i >= 0; --i) {
        const int p = model->parents[i];
        if (p != ATEMI_NONE) {
            const int          lane = atemi_lane(i);
            const atemi_vec3   r = atemi_lane3(&k[atemi_block(i)].reach, lane);
            const atemi_vec3   F = atemi_lane3(&forces[atemi_block(i)].linear, lane);
            const atemi_vec3   N = atemi_lane3(&forces[atemi_block(i)].angular, lane);
            atemi_force_block *to = &forces[atemi_block(p)];
            atemi_add_lane3(&to->linear, atemi_lane(p), F);
            atemi_add_lane3(&to->angular, atemi_lane(p), atemi_vec3_add(N, atemi_vec3_cross(r, F)));
        }
    }
}

static void joint_torques(const atemi_model *model, const atemi_kinematics *k,
                          const atemi_force_block *forces, double *torques)
{
    for (int b = 0; b < model->block_count; ++b) {
        const atemi_node_block *node = &model->blocks[b];
        const pack              a = pack_at(k->accelerations + b * ATEMI_LANES);
        const pack              slide =
            pack3_dot(pack3_load(&k->blocks[b].axis_linear), pack3_load(&forces[b].linear));
        const pack rotation =
            pack3_dot(pack3_load(&k->blocks[b].axis_angular), pack3_load(&forces[b].angular));
        pack_put(torques + b * ATEMI_LANES,
                 pack_load(&node->prismatic) * slide + rotation + pack_load(&node->armature) * a);
    }
}

atemi_inverse_dynamics_scratch atemi_inverse_dynamics_scratch_take(atemi_arena       *arena,
                                                                   const atemi_model *model)
{
    atemi_inverse_dynamics_scratch s = {.kinematics = atemi_kinematics_take(arena, model)};
    s.forces = atemi_arena_array(arena, atemi_force_block, model->block_count);
    s.torques = atemi_arena_array(arena, double, model->block_count *ATEMI_LANES);
    return s;
}

void atemi_newton_euler_at(const atemi_model *model, bool moving, const double *a,
                           atemi_vec3 gravity, const atemi_force *external,
                           atemi_inverse_dynamics_scratch *scratch, double *tau)
{
    atemi_kinematics *k = &scratch->kinematics;
    atemi_kinematics_accelerations(model, a, !moving, atemi_vec3_scale(-1.0, gravity), k);
    required_forces(model, k->blocks, moving, scratch->forces);
    if (external) {
        relieve(model, k, external, scratch->forces);
    }
    hand_forces_to_parents(model, k->blocks, scratch->forces);
    joint_torques(model, k, scratch->forces, scratch->torques);
    atemi_nodes_scatter(model, scratch->torques, tau);
}

void atemi_newton_euler(const atemi_model *model, const double *q, const double *v, const double *a,
                        atemi_vec3 gravity, const atemi_force *external,
                        atemi_inverse_dynamics_scratch *scratch, double *tau)
{
    atemi_kinematics_poses(model, q, &scratch->kinematics);
    if (v) {
        atemi_kinematics_velocities(model, v, &scratch->kinematics);
    }
    atemi_newton_euler_at(model, v != NULL, a, gravity, external, scratch, tau);
}

void atemi_inverse_dynamics_in(const atemi_model *model, const double *q, const double *v,
                               const double *a, const atemi_force *external,
                               atemi_inverse_dynamics_scratch *scratch, double *tau)
{
    ATEMI_REQUIRE(model && scratch);
    if (model->v_count == 0) {
        return;
    }
    ATEMI_REQUIRE(q && tau);
    atemi_newton_euler(model, q, v, a, model->gravity, external, scratch, tau);
}

atemi_force atemi_joint_wrench_in(const atemi_model                    *model,
                                  const atemi_inverse_dynamics_scratch *scratch, int joint)
{
    const atemi_force none = {0};
    ATEMI_REQUIRE_OR(model && scratch && joint >= 0 && joint < model->joint_count, none);
    const int node = model->joint_nodes[joint];
    ATEMI_REQUIRE_OR(node != ATEMI_NONE, none);

    const atemi_force_block *block = &scratch->forces[atemi_block(node)];
    const int                lane = atemi_lane(node), link = model->joints[joint].child_link;
    const atemi_mat3         R = atemi_link_pose_in(model, &scratch->kinematics, link).rotation;
    return (atemi_force){atemi_mat3_apply_transposed(&R, atemi_lane3(&block->linear, lane)),
                         atemi_mat3_apply_transposed(&R, atemi_lane3(&block->angular, lane))};
}

// ---- In a data

void atemi_inverse_dynamics_at(atemi_data *data, const double *a, const atemi_force *external,
                               double *tau)
{
    ATEMI_REQUIRE(data && data->posed);
    if (data->model->v_count == 0) {
        return;
    }
    ATEMI_REQUIRE(tau);
    atemi_newton_euler_at(data->model, data->moving, a, data->model->gravity, external,
                          &data->inverse, tau);
    data->accelerations = ATEMI_ACCELERATIONS_RELATIVE;
    data->loaded = true;
}

void atemi_inverse_dynamics(atemi_data *data, const double *q, const double *v, const double *a,
                            const atemi_force *external, double *tau)
{
    ATEMI_REQUIRE(data && (q || data->model->v_count == 0));
    atemi_data_go(data, q, v);
    atemi_inverse_dynamics_at(data, a, external, tau);
}

atemi_force atemi_joint_wrench(const atemi_data *data, int joint)
{
    ATEMI_REQUIRE_OR(data && data->loaded, (atemi_force){0});
    return atemi_joint_wrench_in(data->model, &data->inverse, joint);
}
