// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"
#include "model/assembly.h"

#include <math.h>
#include <string.h>

enum { MOST_POSTURE_VALUES = 10000000 };

// ---- Counting -------------------------------------------------------------------------------

static int count_postures(const atemi_model_builder *builder)
{
    int count = 0;
    for (int i = 0; i < builder->posture_count; ++i) {
        const bool begins =
            i == 0 || strcmp(builder->postures[i - 1].posture, builder->postures[i].posture) != 0;
        count += begins;
    }
    return count;
}

static void count_coordinates(const atemi_assembly *a, atemi_model *model)
{
    model->q_count = atemi_base_q_count(model->base);
    model->v_count = atemi_base_v_count(model->base);
    model->node_count = model->v_count;
    model->multi_joint_count = model->base != ATEMI_BASE_FIXED;
    for (int j = 0; j < model->joint_count; ++j) {
        const atemi_joint_description *joint = atemi_described_joint(a, j);
        model->node_count += atemi_joint_v_count(joint->type);
        model->multi_joint_count += atemi_kind_of_multi(joint->type) != ATEMI_BASE_FIXED;
        if (atemi_is_coupled(a, joint)) {
            model->coupled = true;
        } else {
            model->q_count += atemi_joint_q_count(joint->type);
            model->v_count += atemi_joint_v_count(joint->type);
        }
    }
    model->block_count = (model->node_count + ATEMI_LANES - 1) / ATEMI_LANES;
}

static atemi_model counted_model(const atemi_assembly *a)
{
    atemi_model model = {
        .base = a->options->base,
        .gravity = a->options->gravity,
        .link_count = a->builder->link_count,
        .joint_count = a->builder->link_count - 1,
        .site_count = a->builder->site_count,
        .geometry_count = a->builder->geometry_count,
        .posture_count = count_postures(a->builder),
        .loop_count = a->options->open_loops ? 0 : a->builder->loop_count,
        .apart_count = a->builder->apart_count,
    };
    count_coordinates(a, &model);
    return model;
}

// ---- Memory ---------------------------------------------------------------------------------

static void take_arrays(atemi_arena *arena, atemi_model *m)
{
    m->links = atemi_arena_array(arena, atemi_link, m->link_count);
    m->joints = atemi_arena_array(arena, atemi_joint, m->joint_count);
    m->posture_index = atemi_arena_array(arena, atemi_name, m->posture_count);
    m->sites = atemi_arena_array(arena, atemi_site, m->site_count);
    m->geometries = atemi_arena_array(arena, atemi_geometry, m->geometry_count);
    m->loops = atemi_arena_array(arena, atemi_loop, m->loop_count);
    m->aparts = atemi_arena_array(arena, atemi_link_pair, m->apart_count);
    m->posture_names = atemi_arena_array(arena, const char *, m->posture_count);
    m->postures = atemi_arena_array(arena, double, (size_t)m->posture_count *(size_t)m->q_count);
    m->link_names = atemi_arena_array(arena, atemi_name, m->link_count);
    m->joint_names = atemi_arena_array(arena, atemi_name, m->joint_count);
    m->site_names = atemi_arena_array(arena, atemi_name, m->site_count);
    m->blocks = atemi_arena_array(arena, atemi_node_block, m->block_count);
    m->drives = atemi_arena_array(arena, atemi_node_drive, m->node_count);
    m->parents = atemi_arena_array(arena, int, m->node_count);
    m->schedule = atemi_arena_array(arena, int, m->node_count);
    m->ends = atemi_arena_array(arena, int, m->node_count);
    m->mountings = atemi_arena_array(arena, atemi_mounting, m->link_count);
    m->joint_nodes = atemi_arena_array(arena, int, m->joint_count);
    m->multi_joints = atemi_arena_array(arena, atemi_multi_joint, m->multi_joint_count);
    m->factor_parents = atemi_arena_array(arena, int, m->v_count);
}

// Names are packed back to back: aligned one by one, those of a large robot would fill megabytes.
static size_t text_size(const atemi_model_builder *builder)
{
    size_t size = strlen(builder->robot) + 1;
    for (int i = 0; i < builder->link_count; ++i) {
        size += strlen(builder->links[i].name) + 1;
    }
    for (int i = 0; i < builder->joint_count; ++i) {
        size += strlen(builder->joints[i].name) + 1;
    }
    for (int i = 0; i < builder->site_count; ++i) {
        size += strlen(builder->sites[i].name) + 1;
    }
    return size;
}

// ---- Nodes ----------------------------------------------------------------------------------

static void place_node(atemi_model *m, int node, int parent, const atemi_transform *pose)
{
    atemi_node_block *block = &m->blocks[atemi_block(node)];
    const int         lane = atemi_lane(node);
    m->parents[node] = parent;
    atemi_set_lane3(&block->frame_x, lane, pose->rotation.x);
    atemi_set_lane3(&block->frame_y, lane, pose->rotation.y);
    atemi_set_lane3(&block->frame_z, lane, pose->rotation.z);
    atemi_set_lane3(&block->offset, lane, pose->position);
}

static void set_axis(atemi_model *m, int node, atemi_vec3 axis, bool turns)
{
    atemi_node_block *block = &m->blocks[atemi_block(node)];
    const int         lane = atemi_lane(node);
    atemi_set_lane3(&block->axis, lane, axis);
    block->revolute.of[lane] = turns;
    block->prismatic.of[lane] = !turns;
}

// Adds the nodes of a joint with one coordinate: one.
static int add_single(atemi_model *m, int node, int parent, const atemi_transform *pose,
                      atemi_joint_type type, double armature)
{
    const bool turns = type != ATEMI_JOINT_PRISMATIC;
    place_node(m, node, parent, pose);
    set_axis(m, node, (atemi_vec3){0.0, 0.0, 1.0}, turns);
    m->blocks[atemi_block(node)].turn.of[atemi_lane(node)] = turns;
    m->blocks[atemi_block(node)].slide.of[atemi_lane(node)] = !turns;
    m->blocks[atemi_block(node)].armature.of[atemi_lane(node)] = armature;
    return node + 1;
}

typedef struct coordinate_axis {
    atemi_vec3 axis;
    bool       turns;
} coordinate_axis;

static const coordinate_axis floating_axes[] = {{{1, 0, 0}, false}, {{0, 1, 0}, false},
                                                {{0, 0, 1}, false}, {{1, 0, 0}, true},
                                                {{0, 1, 0}, true},  {{0, 0, 1}, true}};
static const coordinate_axis planar_axes[] = {
    {{1, 0, 0}, false}, {{0, 1, 0}, false}, {{0, 0, 1}, true}};
static const coordinate_axis sagittal_axes[] = {
    {{1, 0, 0}, false}, {{0, 0, 1}, false}, {{0, 1, 0}, true}};

// Adds the nodes of a joint with several coordinates: the first carries its pose, the others stand
// where the first does.
static int add_multi(atemi_model *m, int node, int parent, const atemi_transform *pose,
                     atemi_multi_joint *multi, atemi_base kind, int q)
{
    const atemi_transform  same = atemi_transform_identity();
    const coordinate_axis *axes = kind == ATEMI_BASE_FLOATING ? floating_axes
                                  : kind == ATEMI_BASE_PLANAR ? planar_axes
                                                              : sagittal_axes;
    const int              count = atemi_base_v_count(kind);
    *multi = (atemi_multi_joint){
        .kind = kind, .first_node = node, .last_node = node + count - 1, .first_q = q};
    for (int k = 0; k < count; ++k) {
        place_node(m, node + k, k ? node + k - 1 : parent, k ? &same : pose);
        set_axis(m, node + k, axes[k].axis, axes[k].turns);
    }
    return node + count;
}

static int add_base(atemi_model *m)
{
    const atemi_transform world = atemi_transform_identity();
    m->mountings[0] = (atemi_mounting){.node = ATEMI_NONE, .pose = world};
    if (m->base == ATEMI_BASE_FIXED) {
        return 0;
    }
    const int count = add_multi(m, 0, ATEMI_NONE, &world, &m->multi_joints[0], m->base, 0);
    m->mountings[0].node = count - 1;
    return count;
}

static atemi_mat3 turn_to_axis(const atemi_joint *joint)
{
    return joint->type == ATEMI_JOINT_FLOATING ? atemi_mat3_identity()
                                               : atemi_mat3_with_z(joint->axis);
}

// Adds the nodes of all joints and mounts every link on the node that carries it.
static void add_nodes(const atemi_assembly *a)
{
    atemi_model *m = a->model;
    int          node = add_base(m), multi = m->base != ATEMI_BASE_FIXED;
    for (int j = 0; j < m->joint_count; ++j) {
        const atemi_joint    *joint = &m->joints[j];
        const atemi_mounting *parent = &m->mountings[joint->parent_link];
        atemi_mounting       *child = &m->mountings[joint->child_link];
        atemi_transform       pose = atemi_transform_compose(&parent->pose, &joint->origin);

        if (joint->type == ATEMI_JOINT_FIXED) {
            m->joint_nodes[j] = ATEMI_NONE;
            *child = (atemi_mounting){.node = parent->node, .pose = pose};
            continue;
        }
        const atemi_mat3 turn = turn_to_axis(joint);
        const atemi_base kind = atemi_kind_of_multi(joint->type);
        pose.rotation = atemi_mat3_multiply(&pose.rotation, &turn);
        node = kind ? add_multi(m, node, parent->node, &pose, &m->multi_joints[multi++], kind,
                                joint->first_q)
                    : add_single(m, node, parent->node, &pose, joint->type, joint->armature);
        m->joint_nodes[j] = node - 1;
        *child = (atemi_mounting){.node = node - 1, .pose = atemi_transform_identity()};
        child->pose.rotation = atemi_mat3_transposed(&turn);
    }
}

static void drive_nodes(atemi_model *m)
{
    const int base = atemi_base_v_count(m->base);
    for (int k = 0; k < base; ++k) {
        m->drives[k] = (atemi_node_drive){.v = k, .scale = 1.0};
    }
    for (int j = 0; j < m->joint_count; ++j) {
        const atemi_joint *joint = &m->joints[j];
        const int          last = m->joint_nodes[j];
        if (last == ATEMI_NONE) {
            continue;
        }
        if (joint->v_count == 0) {
            const atemi_joint *source = &m->joints[joint->mimic.joint];
            m->drives[last] = (atemi_node_drive){.q = source->first_q,
                                                 .v = source->first_v,
                                                 .scale = joint->mimic.multiplier,
                                                 .shift = joint->mimic.offset};
        }
        for (int k = 0; k < joint->v_count; ++k) {
            m->drives[last - joint->v_count + 1 + k] =
                (atemi_node_drive){.q = joint->first_q, .v = joint->first_v + k, .scale = 1.0};
        }
    }
}

// ---- Mass -----------------------------------------------------------------------------------

static void gather_bodies(const atemi_assembly *a)
{
    atemi_model *m = a->model;
    for (int i = 0; i < m->link_count; ++i) {
        const atemi_mounting *mounting = &m->mountings[i];
        if (mounting->node != ATEMI_NONE) {
            const atemi_inertia part =
                atemi_inertia_transformed(&m->links[i].inertia, &mounting->pose);
            a->bodies[mounting->node] = atemi_inertia_add(&a->bodies[mounting->node], &part);
            m->mass += part.mass;
        }
    }
}

static atemi_symmetric3 about_origin(const atemi_inertia *body)
{
    const atemi_symmetric3 *I = &body->rotational;
    const atemi_vec3        c = body->com;
    const double            m = body->mass;
    return (atemi_symmetric3){.xx = I->xx + m * (c.y * c.y + c.z * c.z),
                              .yy = I->yy + m * (c.x * c.x + c.z * c.z),
                              .zz = I->zz + m * (c.x * c.x + c.y * c.y),
                              .xy = I->xy - m * c.x * c.y,
                              .xz = I->xz - m * c.x * c.z,
                              .yz = I->yz - m * c.y * c.z};
}

static void weigh_nodes(const atemi_assembly *a)
{
    for (int i = 0; i < a->model->node_count; ++i) {
        atemi_node_block       *block = &a->model->blocks[atemi_block(i)];
        const int               lane = atemi_lane(i);
        const atemi_inertia    *body = &a->bodies[i];
        const atemi_symmetric3 *I = &body->rotational, O = about_origin(body);

        block->mass.of[lane] = body->mass;
        atemi_set_lane3(&block->com, lane, body->com);
        atemi_set_lane3(&block->first_moment, lane, atemi_vec3_scale(body->mass, body->com));
        atemi_set_lane3(&block->inertia, lane, (atemi_vec3){I->xx, I->yy, I->zz});
        atemi_set_lane3(&block->product, lane, (atemi_vec3){I->yz, I->xz, I->xy});
        atemi_set_lane3(&block->inertia_at_origin, lane, (atemi_vec3){O.xx, O.yy, O.zz});
        atemi_set_lane3(&block->product_at_origin, lane, (atemi_vec3){O.yz, O.xz, O.xy});
    }
}

static bool has_inertia(const atemi_inertia *body)
{
    const atemi_symmetric3 *I = &body->rotational;
    return body->mass > 0.0 || I->xx != 0.0 || I->yy != 0.0 || I->zz != 0.0;
}

// Every node needs something to move behind it, or M is singular. Walks the nodes from the ends of
// the tree; a body is marked by giving it mass, which is not read afterwards.
static atemi_status refuse_massless_ends(const atemi_assembly *a, atemi_error *error)
{
    const atemi_model *m = a->model;
    for (int i = m->node_count - 1; i >= 0; --i) {
        if (has_inertia(&a->bodies[i]) && m->parents[i] != ATEMI_NONE) {
            a->bodies[m->parents[i]].mass = 1.0;
        }
    }
    for (int j = 0; j < m->joint_count; ++j) {
        const int node = m->joint_nodes[j];
        if (node != ATEMI_NONE && !has_inertia(&a->bodies[node]) &&
            !(m->joints[j].armature > 0.0 && atemi_joint_v_count(m->joints[j].type) == 1)) {
            return atemi_fail_at(
                a->builder, atemi_described_joint(a, j)->place, error, ATEMI_ERROR_INPUT,
                "joint '%s' moves link '%s', but nothing behind it has a mass; give "
                "the link an <inertial> or make the joint fixed",
                m->joints[j].name, m->links[m->joints[j].child_link].name);
        }
    }
    if (m->base != ATEMI_BASE_FIXED && !has_inertia(&a->bodies[atemi_base_v_count(m->base) - 1])) {
        return atemi_fail_at(a->builder, (atemi_place){0}, error, ATEMI_ERROR_INPUT,
                             "the robot has no mass at all, so a %s base cannot move it; give its "
                             "links an <inertial> or use a fixed base",
                             atemi_base_text(m->base));
    }
    return ATEMI_OK;
}

// ---- Schedule -------------------------------------------------------------------------------

// Orders the nodes by depth, and by number within a depth: counting sort, with `depths` and
// `starts` as scratch.
static void schedule_nodes(atemi_model *m, int *depths, int *starts)
{
    for (int i = 0; i < m->node_count; ++i) {
        depths[i] = m->parents[i] == ATEMI_NONE ? 0 : depths[m->parents[i]] + 1;
        ++starts[depths[i] + 1];
    }
    for (int d = 1; d <= m->node_count; ++d) {
        starts[d] += starts[d - 1];
    }
    for (int i = 0; i < m->node_count; ++i) {
        m->schedule[starts[depths[i]]++] = i;
    }
}

// ---- Factor ---------------------------------------------------------------------------------

// The rates that a column of M couples to: those of the nodes between it and the root. Coupled
// joints break this, so M is then taken as full.
static void plan_factor(atemi_model *m)
{
    for (int i = m->node_count - 1; i >= 0; --i) {
        m->ends[i] = m->ends[i] > i ? m->ends[i] : i + 1;
        const int p = m->parents[i];
        if (p != ATEMI_NONE && m->ends[p] < m->ends[i]) {
            m->ends[p] = m->ends[i];
        }
        m->blocks[atemi_block(i)].end.of[atemi_lane(i)] = m->ends[i];
    }
    for (int k = 0; k < m->v_count; ++k) {
        m->factor_parents[k] = m->coupled ? k - 1 : m->parents[k];
    }
}

// ---- The whole ------------------------------------------------------------------------------

static atemi_status fill(const atemi_assembly *a, char *text, atemi_error *error)
{
    const atemi_status described = atemi_describe(a, text, error);
    if (described) {
        return described;
    }
    add_nodes(a);
    drive_nodes(a->model);
    gather_bodies(a);
    weigh_nodes(a);
    schedule_nodes(a->model, a->depths, a->starts);
    plan_factor(a->model);
    return refuse_massless_ends(a, error);
}

static void measure_texts(const atemi_model_builder *builder, atemi_arena *arena)
{
    for (int i = 0; i < builder->geometry_count; ++i) {
        atemi_copy_text(arena, builder->geometries[i].uri);
        atemi_copy_text(arena, builder->geometries[i].path);
    }
    for (int i = 0; i < builder->posture_count; ++i) {
        atemi_copy_text(arena, builder->postures[i].posture);
    }
    for (int i = 0; i < builder->loop_count; ++i) {
        atemi_copy_text(arena, builder->loops[i].name);
    }
}

static void take_scratch(atemi_arena *arena, int nodes, atemi_assembly *a)
{
    a->bodies = atemi_arena_array(arena, atemi_inertia, nodes);
    a->depths = atemi_arena_array(arena, int, nodes);
    a->starts = atemi_arena_array(arena, int, nodes + 1);
}

atemi_status atemi_assemble(const atemi_model_builder *builder, const atemi_topology *topology,
                            const atemi_model_options *options, atemi_model **model,
                            atemi_error *error)
{
    if (!isfinite(options->gravity.x) || !isfinite(options->gravity.y) ||
        !isfinite(options->gravity.z)) {
        return atemi_fail(error, ATEMI_ERROR_INPUT, "gravity is not finite");
    }
    atemi_assembly a = {.builder = builder, .topology = topology, .options = options};
    atemi_model    counted = counted_model(&a);

    if ((size_t)counted.posture_count * (size_t)counted.q_count > MOST_POSTURE_VALUES) {
        return atemi_fail_at(builder, builder->postures[0].place, error, ATEMI_ERROR_LIMIT,
                             "%d postures of %d coordinates are more than we can handle",
                             counted.posture_count, counted.q_count);
    }
    atemi_arena arena = atemi_arena_measuring();
    atemi_arena_array(&arena, atemi_model, 1);
    take_arrays(&arena, &counted);
    atemi_arena_array(&arena, char, text_size(builder));
    take_scratch(&arena, counted.node_count, &a);
    measure_texts(builder, &arena);
    if (atemi_arena_create(&arena, arena.used, error)) {
        return ATEMI_ERROR_MEMORY;
    }

    a.arena = &arena;
    a.model = atemi_arena_array(&arena, atemi_model, 1);
    *a.model = counted;
    take_arrays(&arena, a.model);
    char *text = atemi_arena_array(&arena, char, text_size(builder));
    take_scratch(&arena, counted.node_count, &a);
    a.model->memory = arena.owned;
    const atemi_status status = fill(&a, text, error);
    if (status) {
        atemi_arena_destroy(&arena);
        return status;
    }
    if (a.model->loop_count < builder->loop_count) {
        atemi_log(ATEMI_LOG_WARNING,
                  "robot '%s': %d closed loops are left open; only simulations close them",
                  builder->robot, builder->loop_count);
    }
    *model = a.model;
    return ATEMI_OK;
}
