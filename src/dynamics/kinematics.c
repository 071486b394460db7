// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"
#include "atemi/math.h"
#include "dynamics/blocks.h"
#include "math/sincos.h"

#include <string.h>

// Forward kinematics in world axes, motions at the common origin [Featherstone08, 2.9]. For node i
// with parent p:
//
//   pose           R_i = R_p E_i R_z(q_i)        x_i = x_p + R_p (d_i + E_i z q_i)
//   axis           S_i = (x_i x s_i, s_i) if it turns, (s_i, 0) if it slides, s_i = R_i axis_i
//   velocity       v_i = v_p + S_i v
//   acceleration   a_i = a_p + S_i a + v_b x S_i v,   v_b the velocity of the body of the joint
//
// E_i and d_i, the node's frame at q = 0 in its parent, are the model's. Only the R, x, v and a
// lines run along the chain; they are the loops over nodes, all others run over blocks.

static const atemi_vec3 nowhere = {0};

// ---- Coordinates ----------------------------------------------------------------------------

// From entries of v to the nodes that they drive: node = scale from[v].
static void gather(const atemi_model *model, const double *from, double *nodes)
{
    if (!model->coupled) {
        memcpy(nodes, from, (size_t)model->node_count * sizeof *nodes);
        return;
    }
    for (int i = 0; i < model->node_count; ++i) {
        nodes[i] = model->drives[i].scale * from[model->drives[i].v];
    }
}

void atemi_nodes_scatter(const atemi_model *model, const double *nodes, double *to)
{
    if (!model->coupled) {
        memcpy(to, nodes, (size_t)model->node_count * sizeof *nodes);
        return;
    }
    memset(to, 0, (size_t)model->v_count * sizeof *to);
    for (int i = 0; i < model->node_count; ++i) {
        to[model->drives[i].v] += model->drives[i].scale * nodes[i];
    }
}

// ---- Poses ----------------------------------------------------------------------------------

// The coordinate of every node; that of joints with several is not used.
static void read_coordinates(const atemi_model *model, const double *q, double *coordinates)
{
    for (int i = 0; i < model->node_count; ++i) {
        const atemi_node_drive *drive = &model->drives[i];
        coordinates[i] = drive->scale * q[drive->q] + drive->shift;
    }
}

// The pose of every node in its parent.
static void place_in_parents(const atemi_model *model, const double *coordinates,
                             atemi_kinematics_block *blocks)
{
    for (int b = 0; b < model->block_count; ++b) {
        const atemi_node_block *node = &model->blocks[b];
        const pack              q = pack_at(coordinates + b * ATEMI_LANES);
        const pack3             x = pack3_load(&node->frame_x), y = pack3_load(&node->frame_y);
        const pack3             z = pack3_load(&node->frame_z);

        pack sine, cosine;
        atemi_pack_sincos(pack_load(&node->turn) * q, &sine, &cosine);
        pack3_store(&blocks[b].x, pack3_add_scaled(pack3_scale(cosine, x), sine, y));
        pack3_store(&blocks[b].y, pack3_add_scaled(pack3_scale(cosine, y), -sine, x));
        pack3_store(&blocks[b].z, z);
        pack3_store(&blocks[b].position,
                    pack3_add_scaled(pack3_load(&node->offset), pack_load(&node->slide) * q, z));
    }
}

static atemi_transform pose_of_multi_joint(const atemi_multi_joint *joint, const double *q)
{
    if (joint->kind == ATEMI_BASE_FLOATING) {
        const atemi_quaternion rotation = {q[3], q[4], q[5], q[6]};
        return (atemi_transform){atemi_quaternion_matrix(rotation), {q[0], q[1], q[2]}};
    }
    const double s = sin(q[2]), c = cos(q[2]);
    if (joint->kind == ATEMI_BASE_PLANAR) {
        return (atemi_transform){{{c, s, 0.0}, {-s, c, 0.0}, {0.0, 0.0, 1.0}}, {q[0], q[1], 0.0}};
    }
    return (atemi_transform){{{c, 0.0, -s}, {0.0, 1.0, 0.0}, {s, 0.0, c}}, {q[0], 0.0, q[1]}};
}

// The first node of a joint with several coordinates takes them all.
static void place_multi_joints(const atemi_model *model, const double *q,
                               atemi_kinematics_block *blocks)
{
    for (int j = 0; j < model->multi_joint_count; ++j) {
        const atemi_multi_joint *joint = &model->multi_joints[j];
        atemi_kinematics_block  *block = &blocks[atemi_block(joint->first_node)];
        const int                lane = atemi_lane(joint->first_node);
        const atemi_transform    at_zero = {{atemi_lane3(&block->x, lane),
                                             atemi_lane3(&block->y, lane),
                                             atemi_lane3(&block->z, lane)},
                                            atemi_lane3(&block->position, lane)};
        const atemi_transform    moved = pose_of_multi_joint(joint, q + joint->first_q);
        const atemi_transform    pose = atemi_transform_compose(&at_zero, &moved);

        atemi_set_lane3(&block->x, lane, pose.rotation.x);
        atemi_set_lane3(&block->y, lane, pose.rotation.y);
        atemi_set_lane3(&block->z, lane, pose.rotation.z);
        atemi_set_lane3(&block->position, lane, pose.position);
    }
}

static void put_lane3(lanes3 *to, int lane, quad a)
{
    to->x.of[lane] = quad_x(a);
    to->y.of[lane] = quad_y(a);
    to->z.of[lane] = quad_z(a);
}

static atemi_node_pose pose_in_parent(const atemi_kinematics_block *block, int lane)
{
    return (atemi_node_pose){{quad_of(atemi_lane3(&block->x, lane)),
                              quad_of(atemi_lane3(&block->y, lane)),
                              quad_of(atemi_lane3(&block->z, lane))},
                             quad_of(atemi_lane3(&block->position, lane))};
}

static quad rotate_by(const quad3 *R, const lanes3 *a, int lane)
{
    return quad_add_scaled(quad_add_scaled(quad_scale(a->x.of[lane], R->x), a->y.of[lane], R->y),
                           a->z.of[lane], R->z);
}

// Turns poses in the parents into poses in the world. Nodes on the world only move to the origin.
static void chain_poses(const atemi_model *model, atemi_kinematics *k)
{
    for (int i = 0; i < model->node_count; ++i) {
        atemi_kinematics_block *block = &k->blocks[atemi_block(i)];
        const int               lane = atemi_lane(i), p = model->parents[i];
        atemi_node_pose        *pose = &k->poses[i];
        if (p == ATEMI_NONE) {
            *pose = pose_in_parent(block, lane);
            pose->position = quad_sub(pose->position, quad_of(k->origin));
        } else {
            const quad3 *R = &k->poses[p].rotation;
            pose->rotation = (quad3){rotate_by(R, &block->x, lane), rotate_by(R, &block->y, lane),
                                     rotate_by(R, &block->z, lane)};
            const quad reach = rotate_by(R, &block->position, lane);
            pose->position = quad_add(k->poses[p].position, reach);
            put_lane3(&block->reach, lane, reach);
        }
        put_lane3(&block->x, lane, pose->rotation.x);
        put_lane3(&block->y, lane, pose->rotation.y);
        put_lane3(&block->z, lane, pose->rotation.z);
        put_lane3(&block->position, lane, pose->position);
    }
}

static void find_axes(const atemi_model *model, atemi_kinematics_block *blocks)
{
    for (int b = 0; b < model->block_count; ++b) {
        const atemi_node_block *node = &model->blocks[b];
        const pack3 s = pack3_combine(pack3_load(&blocks[b].x), pack3_load(&blocks[b].y),
                                      pack3_load(&blocks[b].z), pack3_load(&node->axis));
        const pack3 angular = pack3_scale(pack_load(&node->revolute), s);
        const pack3 linear = pack3_cross(pack3_load(&blocks[b].position), angular);
        pack3_store(&blocks[b].axis_angular, angular);
        pack3_store(&blocks[b].axis_linear,
                    pack3_add_scaled(linear, pack_load(&node->prismatic), s));
    }
}

void atemi_kinematics_poses(const atemi_model *model, const double *q, atemi_kinematics *k)
{
    read_coordinates(model, q, k->rates); // room that the rates do not need yet
    place_in_parents(model, k->rates, k->blocks);
    place_multi_joints(model, q, k->blocks);
    k->origin = atemi_lane3(&k->blocks[0].position, 0);
    chain_poses(model, k);
    find_axes(model, k->blocks);
}

// ---- Velocities -----------------------------------------------------------------------------

static void move_joints(const atemi_model *model, const double *rates,
                        atemi_kinematics_block *blocks)
{
    for (int b = 0; b < model->block_count; ++b) {
        const pack v = pack_at(rates + b * ATEMI_LANES);
        pack3_store(&blocks[b].linear, pack3_scale(v, pack3_load(&blocks[b].axis_linear)));
        pack3_store(&blocks[b].angular, pack3_scale(v, pack3_load(&blocks[b].axis_angular)));
    }
}

static void chain_velocities(const atemi_model *model, atemi_kinematics_block *blocks)
{
    for (int i = 0; i < model->node_count; ++i) {
        const int p = model->parents[i];
        if (p != ATEMI_NONE) {
            const atemi_kinematics_block *from = &blocks[atemi_block(p)];
            atemi_kinematics_block       *to = &blocks[atemi_block(i)];
            atemi_add_lane3(&to->linear, atemi_lane(i), atemi_lane3(&from->linear, atemi_lane(p)));
            atemi_add_lane3(&to->angular, atemi_lane(i),
                            atemi_lane3(&from->angular, atemi_lane(p)));
        }
    }
}

void atemi_kinematics_velocities(const atemi_model *model, const double *v, atemi_kinematics *k)
{
    gather(model, v, k->rates);
    move_joints(model, k->rates, k->blocks);
    chain_velocities(model, k->blocks);
}

// ---- Accelerations --------------------------------------------------------------------------

// S a + v x S v of every node, with its own velocity.
static void accelerate_joints(const atemi_model *model, atemi_kinematics *k)
{
    for (int b = 0; b < model->block_count; ++b) {
        atemi_kinematics_block *block = &k->blocks[b];
        const pack              v = pack_at(k->rates + b * ATEMI_LANES);
        const pack              a = pack_at(k->accelerations + b * ATEMI_LANES);
        const pack3             axis = pack3_load(&block->axis_linear);
        const pack3             rotation = pack3_load(&block->axis_angular);
        const pack3 linear = pack3_load(&block->linear), angular = pack3_load(&block->angular);

        const pack3 swung = pack3_add(pack3_cross(angular, axis), pack3_cross(linear, rotation));
        pack3_store(&block->acceleration_linear, pack3_add_scaled(pack3_scale(a, axis), v, swung));
        pack3_store(&block->acceleration_angular,
                    pack3_add_scaled(pack3_scale(a, rotation), v, pack3_cross(angular, rotation)));
    }
}

static void accelerate_joints_at_rest(const atemi_model *model, atemi_kinematics *k)
{
    for (int b = 0; b < model->block_count; ++b) {
        atemi_kinematics_block *block = &k->blocks[b];
        const pack              a = pack_at(k->accelerations + b * ATEMI_LANES);
        pack3_store(&block->acceleration_linear, pack3_scale(a, pack3_load(&block->axis_linear)));
        pack3_store(&block->acceleration_angular, pack3_scale(a, pack3_load(&block->axis_angular)));
    }
}

static atemi_motion node_axis(const atemi_kinematics_block *block, int lane)
{
    return (atemi_motion){atemi_lane3(&block->axis_linear, lane),
                          atemi_lane3(&block->axis_angular, lane)};
}

static atemi_motion node_velocity(const atemi_kinematics *k, int node)
{
    const atemi_kinematics_block *block = &k->blocks[atemi_block(node)];
    return (atemi_motion){atemi_lane3(&block->linear, atemi_lane(node)),
                          atemi_lane3(&block->angular, atemi_lane(node))};
}

// In a joint with several coordinates every axis turns with the body at its end. Its bias is then
// v x (v - v_parent) = v_parent x v, which the first node takes for all.
static void accelerate_multi_joints(const atemi_model *model, atemi_kinematics *k)
{
    for (int j = 0; j < model->multi_joint_count; ++j) {
        const atemi_multi_joint *joint = &model->multi_joints[j];
        const int                p = model->parents[joint->first_node];
        for (int i = joint->first_node; i <= joint->last_node; ++i) {
            atemi_kinematics_block *block = &k->blocks[atemi_block(i)];
            const int               lane = atemi_lane(i);
            const double            a = k->accelerations[i];
            const atemi_motion      S = node_axis(block, lane);
            atemi_motion added = {atemi_vec3_scale(a, S.linear), atemi_vec3_scale(a, S.angular)};
            if (i == joint->first_node && p != ATEMI_NONE) {
                added =
                    atemi_motion_add(added, atemi_motion_cross(node_velocity(k, p),
                                                               node_velocity(k, joint->last_node)));
            }
            atemi_set_lane3(&block->acceleration_linear, lane, added.linear);
            atemi_set_lane3(&block->acceleration_angular, lane, added.angular);
        }
    }
}

static void chain_accelerations(const atemi_model *model, atemi_vec3 base,
                                atemi_kinematics_block *blocks)
{
    for (int i = 0; i < model->node_count; ++i) {
        atemi_kinematics_block *to = &blocks[atemi_block(i)];
        const int               p = model->parents[i], lane = atemi_lane(i);
        if (p == ATEMI_NONE) {
            atemi_add_lane3(&to->acceleration_linear, lane, base);
            continue;
        }
        const atemi_kinematics_block *from = &blocks[atemi_block(p)];
        atemi_add_lane3(&to->acceleration_linear, lane,
                        atemi_lane3(&from->acceleration_linear, atemi_lane(p)));
        atemi_add_lane3(&to->acceleration_angular, lane,
                        atemi_lane3(&from->acceleration_angular, atemi_lane(p)));
    }
}

void atemi_kinematics_accelerations(const atemi_model *model, const double *a, bool v_is_zero,
                                    atemi_vec3 base, atemi_kinematics *k)
{
    if (a) {
        gather(model, a, k->accelerations);
    } else {
        memset(k->accelerations, 0, (size_t)model->node_count * sizeof *k->accelerations);
    }
    if (v_is_zero) {
        accelerate_joints_at_rest(model, k);
    } else {
        accelerate_joints(model, k);
        accelerate_multi_joints(model, k);
    }
    chain_accelerations(model, base, k->blocks);
}

// ---- The interface --------------------------------------------------------------------------

atemi_kinematics atemi_kinematics_take(atemi_arena *arena, const atemi_model *model)
{
    const size_t     padded = (size_t)model->block_count * ATEMI_LANES;
    atemi_kinematics k = {0};
    k.blocks = atemi_arena_array(arena, atemi_kinematics_block, model->block_count);
    k.poses = atemi_arena_array(arena, atemi_node_pose, model->node_count);
    k.rates = atemi_arena_array(arena, double, padded);
    k.accelerations = atemi_arena_array(arena, double, padded);
    return k;
}

void atemi_kinematics_update(const atemi_model *model, const double *q, const double *v,
                             const double *a, atemi_kinematics *kinematics)
{
    ATEMI_REQUIRE(model && kinematics);
    ATEMI_REQUIRE(v || !a);
    if (model->v_count == 0) {
        return;
    }
    ATEMI_REQUIRE(q);
    atemi_kinematics_poses(model, q, kinematics);
    if (v) {
        atemi_kinematics_velocities(model, v, kinematics);
    }
    if (a) {
        atemi_kinematics_accelerations(model, a, false, nowhere, kinematics);
    }
}

static atemi_mat3 node_rotation(const atemi_kinematics *k, int node)
{
    const quad3 *R = &k->poses[node].rotation;
    return (atemi_mat3){quad_vec3(R->x), quad_vec3(R->y), quad_vec3(R->z)};
}

atemi_vec3 atemi_link_place(const atemi_model *model, const atemi_kinematics *k, int link)
{
    const atemi_mounting *mounting = &model->mountings[link];
    if (mounting->node == ATEMI_NONE) {
        return atemi_vec3_sub(mounting->pose.position, k->origin);
    }
    const atemi_node_pose *body = &k->poses[mounting->node];
    const quad             x = quad3_apply(&body->rotation, quad_of(mounting->pose.position));
    return quad_vec3(quad_add(body->position, x));
}

atemi_vec3 atemi_point_place(const atemi_model *model, const atemi_kinematics *k, int link,
                             atemi_vec3 point)
{
    const atemi_mounting *mounting = &model->mountings[link];
    const atemi_vec3      x = atemi_transform_apply(&mounting->pose, point);
    if (mounting->node == ATEMI_NONE) {
        return atemi_vec3_sub(x, k->origin);
    }
    const atemi_node_pose *body = &k->poses[mounting->node];
    return quad_vec3(quad_add(body->position, quad3_apply(&body->rotation, quad_of(x))));
}

atemi_transform atemi_link_pose_in(const atemi_model *model, const atemi_kinematics *kinematics,
                                   int link)
{
    ATEMI_REQUIRE_OR(model && kinematics && link >= 0 && link < model->link_count,
                     atemi_transform_identity());
    const atemi_mounting *mounting = &model->mountings[link];
    if (mounting->node == ATEMI_NONE) {
        return mounting->pose;
    }
    const atemi_mat3 R = node_rotation(kinematics, mounting->node);
    const atemi_vec3 x = atemi_link_place(model, kinematics, link);
    return (atemi_transform){atemi_mat3_multiply(&R, &mounting->pose.rotation),
                             atemi_vec3_add(kinematics->origin, x)};
}

atemi_motion atemi_link_velocity_in(const atemi_model *model, const atemi_kinematics *kinematics,
                                    int link)
{
    const atemi_motion still = {0};
    ATEMI_REQUIRE_OR(model && kinematics && link >= 0 && link < model->link_count, still);
    const int node = model->mountings[link].node;
    if (node == ATEMI_NONE) {
        return still;
    }
    return atemi_motion_at(node_velocity(kinematics, node),
                           atemi_link_place(model, kinematics, link));
}

atemi_motion atemi_link_start_in(const atemi_model *model, const atemi_kinematics *kinematics,
                                 int link)
{
    const int                     node = model->mountings[link].node, lane = atemi_lane(node);
    const atemi_kinematics_block *block = &kinematics->blocks[atemi_block(node)];
    const atemi_motion            spatial = {atemi_lane3(&block->acceleration_linear, lane),
                                             atemi_lane3(&block->acceleration_angular, lane)};
    return atemi_motion_at(spatial, atemi_link_place(model, kinematics, link));
}

// A point's acceleration is the spatial one plus what comes of its moving through the field.
atemi_motion atemi_link_acceleration_in(const atemi_model      *model,
                                        const atemi_kinematics *kinematics, int link)
{
    const atemi_motion still = {0};
    ATEMI_REQUIRE_OR(model && kinematics && link >= 0 && link < model->link_count, still);
    if (model->mountings[link].node == ATEMI_NONE) {
        return still;
    }
    const atemi_motion v = atemi_link_velocity_in(model, kinematics, link);
    atemi_motion       a = atemi_link_start_in(model, kinematics, link);
    a.linear = atemi_vec3_add(a.linear, atemi_vec3_cross(v.angular, v.linear));
    return a;
}
