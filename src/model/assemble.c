// SPDX-License-Identifier: Apache-2.0

#include "atemi/arena.h"
#include "model/assembly.h"

#include <math.h>
#include <string.h>

// A model being made.
typedef struct assembly {
    const atemi_model_builder *builder;
    const atemi_topology      *topology;
    const atemi_model_options *options;
    atemi_model               *model;
    atemi_arena               *arena;
    atemi_inertia             *bodies; // [node_count] what the links of a node weigh together
    int                       *depths; // [node_count]
    int                       *starts; // [node_count + 1]
} assembly;

static const atemi_joint_description *described_joint(const assembly *a, int joint)
{
    return &a->builder->joints[a->topology->described_joint[joint]];
}

static bool is_coupled(const assembly *a, const atemi_joint_description *joint)
{
    return joint->mimic && a->options->mimic_as_coupled;
}

// What base a joint with several coordinates is like; fixed for all others.
static atemi_base kind_of_multi(atemi_joint_type type)
{
    return type == ATEMI_JOINT_FLOATING ? ATEMI_BASE_FLOATING
           : type == ATEMI_JOINT_PLANAR ? ATEMI_BASE_PLANAR
                                        : ATEMI_BASE_FIXED;
}

static int joint_q_count(atemi_joint_type type)
{
    const atemi_base kind = kind_of_multi(type);
    return kind ? atemi_base_q_count(kind) : type != ATEMI_JOINT_FIXED;
}

static int joint_v_count(atemi_joint_type type)
{
    const atemi_base kind = kind_of_multi(type);
    return kind ? atemi_base_v_count(kind) : type != ATEMI_JOINT_FIXED;
}

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

static void count_coordinates(const assembly *a, atemi_model *model)
{
    model->q_count = atemi_base_q_count(model->base);
    model->v_count = atemi_base_v_count(model->base);
    model->node_count = model->v_count;
    model->multi_joint_count = model->base != ATEMI_BASE_FIXED;
    for (int j = 0; j < model->joint_count; ++j) {
        const atemi_joint_description *joint = described_joint(a, j);
        model->node_count += joint_v_count(joint->type);
        model->multi_joint_count += kind_of_multi(joint->type) != ATEMI_BASE_FIXED;
        if (is_coupled(a, joint)) {
            model->coupled = true;
        } else {
            model->q_count += joint_q_count(joint->type);
            model->v_count += joint_v_count(joint->type);
        }
    }
    model->block_count = (model->node_count + ATEMI_LANES - 1) / ATEMI_LANES;
}

static atemi_model counted_model(const assembly *a)
{
    atemi_model model = {
        .base = a->options->base,
        .gravity = a->options->gravity,
        .link_count = a->builder->link_count,
        .joint_count = a->builder->link_count - 1,
        .site_count = a->builder->site_count,
        .geometry_count = a->builder->geometry_count,
        .posture_count = count_postures(a->builder),
    };
    count_coordinates(a, &model);
    return model;
}

// ---- Memory ---------------------------------------------------------------------------------

static const char *copy_text(atemi_arena *arena, const char *text)
{
    const size_t size = text ? strlen(text) + 1 : 0;
    char        *copy = text ? atemi_arena_array(arena, char, size) : NULL;
    if (copy) {
        memcpy(copy, text, size);
    }
    return copy;
}

static void take_arrays(atemi_arena *arena, atemi_model *m)
{
    m->links = atemi_arena_array(arena, atemi_link, m->link_count);
    m->joints = atemi_arena_array(arena, atemi_joint, m->joint_count);
    m->sites = atemi_arena_array(arena, atemi_site, m->site_count);
    m->geometries = atemi_arena_array(arena, atemi_geometry, m->geometry_count);
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

// ---- Description ----------------------------------------------------------------------------

static const char *place_text(char **room, const char *text)
{
    const size_t size = strlen(text) + 1;
    char        *copy = *room;
    memcpy(copy, text, size);
    *room += size;
    return copy;
}

static void describe_links(const assembly *a, char **room)
{
    for (int i = 0; i < a->model->link_count; ++i) {
        const atemi_link_description *link = &a->builder->links[a->topology->described_link[i]];
        a->model->links[i] = (atemi_link){
            .name = place_text(room, link->name), .parent_joint = i - 1, .inertia = link->inertia};
        a->model->link_names[i] = (atemi_name){.text = a->model->links[i].name, .index = i};
    }
    atemi_names_sort(a->model->link_names, a->model->link_count);
}

static atemi_limits limits_in_force(const atemi_joint_description *joint)
{
    atemi_limits limits = joint->limits;
    if (joint->type != ATEMI_JOINT_REVOLUTE && joint->type != ATEMI_JOINT_PRISMATIC) {
        limits.lower = -INFINITY;
        limits.upper = INFINITY;
    }
    return limits;
}

static atemi_vec3 unit_axis(const atemi_joint_description *joint)
{
    const double length = atemi_vec3_norm(joint->axis);
    return length > 0.0 ? atemi_vec3_scale(1.0 / length, joint->axis) : joint->axis;
}

static void describe_joints(const assembly *a, char **room)
{
    atemi_model *m = a->model;
    int          q = atemi_base_q_count(m->base), v = atemi_base_v_count(m->base);
    for (int j = 0; j < m->joint_count; ++j) {
        const atemi_joint_description *from = described_joint(a, j);
        const bool                     counts = !is_coupled(a, from);

        m->joints[j] = (atemi_joint){
            .name = place_text(room, from->name),
            .type = from->type,
            .parent_link = a->topology->parent[j + 1],
            .child_link = j + 1,
            .origin = from->origin,
            .axis = unit_axis(from),
            .limits = limits_in_force(from),
            .mimic = {.joint = ATEMI_NONE, .multiplier = 1.0},
            .armature = from->armature,
            .damping = from->damping,
            .friction = from->friction,
            .q_count = counts ? joint_q_count(from->type) : 0,
            .v_count = counts ? joint_v_count(from->type) : 0,
        };
        m->joints[j].first_q = m->joints[j].q_count ? q : ATEMI_NONE;
        m->joints[j].first_v = m->joints[j].v_count ? v : ATEMI_NONE;
        q += m->joints[j].q_count;
        v += m->joints[j].v_count;
        m->joint_names[j] = (atemi_name){.text = m->joints[j].name, .index = j};
    }
    atemi_names_sort(m->joint_names, m->joint_count);
}

// The joint a mimic joint finally copies, with multiplier and offset along the way.
static atemi_status resolve_mimic(const assembly *a, int j, atemi_error *error)
{
    const atemi_joint_description *joint = described_joint(a, j), *from = joint;
    atemi_mimic                    mimic = {.joint = j, .multiplier = 1.0, .offset = 0.0};
    for (int steps = 0; from->mimic; ++steps) {
        const int source =
            atemi_names_find(a->model->joint_names, a->model->joint_count, from->mimic);
        if (source == ATEMI_NONE) {
            return atemi_fail_at(
                a->builder, from->place, error, ATEMI_ERROR_INPUT,
                "joint '%s' mimics joint '%s', which is not described in this file", from->name,
                from->mimic);
        }
        if (source == j || steps > a->model->joint_count) {
            return atemi_fail_at(a->builder, joint->place, error, ATEMI_ERROR_INPUT,
                                 "joint '%s' mimics itself", joint->name);
        }
        mimic.offset += mimic.multiplier * from->mimic_offset;
        mimic.multiplier *= from->mimic_multiplier;
        mimic.joint = source;
        from = described_joint(a, source);
    }
    if (joint_v_count(joint->type) != 1 || joint_v_count(from->type) != 1) {
        return atemi_fail_at(a->builder, joint->place, error, ATEMI_ERROR_INPUT,
                             "joint '%s' (%s) cannot mimic joint '%s' (%s): both need exactly one "
                             "coordinate",
                             joint->name, atemi_joint_type_text(joint->type), from->name,
                             atemi_joint_type_text(from->type));
    }
    a->model->joints[j].mimic = mimic;
    return ATEMI_OK;
}

static atemi_status resolve_mimics(const assembly *a, atemi_error *error)
{
    atemi_status status = ATEMI_OK;
    for (int j = 0; j < a->model->joint_count && !status; ++j) {
        if (described_joint(a, j)->mimic) {
            status = resolve_mimic(a, j, error);
        }
    }
    return status;
}

static atemi_status find_described_link(const assembly *a, const char *what, const char *name,
                                        const char *link, atemi_place place, int *index,
                                        atemi_error *error)
{
    *index = atemi_names_find(a->model->link_names, a->model->link_count, link);
    if (*index == ATEMI_NONE) {
        return atemi_fail_at(a->builder, place, error, ATEMI_ERROR_INPUT,
                             "%s '%s' is on link '%s', which is not described in this file", what,
                             name, link);
    }
    return ATEMI_OK;
}

static atemi_status describe_sites(const assembly *a, char **room, atemi_error *error)
{
    atemi_model *m = a->model;
    for (int i = 0; i < m->site_count; ++i) {
        const atemi_site_description *from = &a->builder->sites[i];
        int                           link;
        if (find_described_link(a, "site", from->name, from->link, from->place, &link, error)) {
            return ATEMI_ERROR_INPUT;
        }
        m->sites[i] = (atemi_site){.name = place_text(room, from->name),
                                   .link = link,
                                   .pose = from->pose,
                                   .size_x = from->size_x,
                                   .size_y = from->size_y};
        m->site_names[i] = (atemi_name){.text = m->sites[i].name, .index = i};
    }
    atemi_names_sort(m->site_names, m->site_count);
    for (int i = 1; i < m->site_count; ++i) {
        if (strcmp(m->site_names[i - 1].text, m->site_names[i].text) == 0) {
            return atemi_fail_at(a->builder, a->builder->sites[m->site_names[i].index].place, error,
                                 ATEMI_ERROR_INPUT, "site '%s' is described twice",
                                 m->site_names[i].text);
        }
    }
    return ATEMI_OK;
}

static atemi_status describe_geometries(const assembly *a, atemi_error *error)
{
    for (int i = 0; i < a->model->geometry_count; ++i) {
        const atemi_geometry_description *from = &a->builder->geometries[i];
        atemi_geometry                   *to = &a->model->geometries[i];
        int                               link;
        if (find_described_link(a, "geometry", atemi_shape_text(from->shape), from->link,
                                from->place, &link, error)) {
            return ATEMI_ERROR_INPUT;
        }
        *to = (atemi_geometry){.link = link,
                               .collision = from->collision,
                               .shape = from->shape,
                               .pose = from->pose,
                               .size = from->size,
                               .uri = copy_text(a->arena, from->uri),
                               .path = copy_text(a->arena, from->path)};
        memcpy(to->color, from->color, sizeof to->color);
    }
    return ATEMI_OK;
}

static void begin_posture(const assembly *a, int index, const char *name)
{
    atemi_model *m = a->model;
    double      *q = m->postures + (size_t)index * (size_t)m->q_count;
    m->posture_names[index] = copy_text(a->arena, name);
    if (m->base == ATEMI_BASE_FLOATING) {
        q[6] = 1.0;
    }
    for (int j = 0; j < m->joint_count; ++j) {
        if (m->joints[j].type == ATEMI_JOINT_FLOATING) {
            q[m->joints[j].first_q + 6] = 1.0;
        }
    }
}

static atemi_status describe_postures(const assembly *a, atemi_error *error)
{
    atemi_model *m = a->model;
    int          index = -1;
    for (int i = 0; i < a->builder->posture_count; ++i) {
        const atemi_posture_description *from = &a->builder->postures[i];
        if (index < 0 || strcmp(m->posture_names[index], from->posture) != 0) {
            begin_posture(a, ++index, from->posture);
        }
        const int j = atemi_names_find(m->joint_names, m->joint_count, from->joint);
        if (j == ATEMI_NONE || m->joints[j].q_count != 1) {
            return atemi_fail_at(a->builder, from->place, error, ATEMI_ERROR_INPUT,
                                 "posture '%s': '%s' is no joint with one coordinate",
                                 from->posture, from->joint);
        }
        m->postures[(size_t)index * (size_t)m->q_count + (size_t)m->joints[j].first_q] =
            from->value;
    }
    return ATEMI_OK;
}

// ---- Nodes ----------------------------------------------------------------------------------

static void set_lane3(lanes3 *to, int lane, atemi_vec3 value)
{
    to->x.of[lane] = value.x;
    to->y.of[lane] = value.y;
    to->z.of[lane] = value.z;
}

static void place_node(atemi_model *m, int node, int parent, const atemi_transform *pose)
{
    atemi_node_block *block = &m->blocks[atemi_block(node)];
    const int         lane = atemi_lane(node);
    m->parents[node] = parent;
    set_lane3(&block->frame_x, lane, pose->rotation.x);
    set_lane3(&block->frame_y, lane, pose->rotation.y);
    set_lane3(&block->frame_z, lane, pose->rotation.z);
    set_lane3(&block->offset, lane, pose->position);
}

static void set_axis(atemi_model *m, int node, atemi_vec3 axis, bool turns)
{
    atemi_node_block *block = &m->blocks[atemi_block(node)];
    const int         lane = atemi_lane(node);
    set_lane3(&block->axis, lane, axis);
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
static void add_nodes(const assembly *a)
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
        const atemi_base kind = kind_of_multi(joint->type);
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

static void gather_bodies(const assembly *a)
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

static void weigh_nodes(const assembly *a)
{
    for (int i = 0; i < a->model->node_count; ++i) {
        atemi_node_block       *block = &a->model->blocks[atemi_block(i)];
        const int               lane = atemi_lane(i);
        const atemi_inertia    *body = &a->bodies[i];
        const atemi_symmetric3 *I = &body->rotational, O = about_origin(body);

        block->mass.of[lane] = body->mass;
        set_lane3(&block->com, lane, body->com);
        set_lane3(&block->first_moment, lane, atemi_vec3_scale(body->mass, body->com));
        set_lane3(&block->inertia, lane, (atemi_vec3){I->xx, I->yy, I->zz});
        set_lane3(&block->product, lane, (atemi_vec3){I->yz, I->xz, I->xy});
        set_lane3(&block->inertia_at_origin, lane, (atemi_vec3){O.xx, O.yy, O.zz});
        set_lane3(&block->product_at_origin, lane, (atemi_vec3){O.yz, O.xz, O.xy});
    }
}

static bool has_inertia(const atemi_inertia *body)
{
    const atemi_symmetric3 *I = &body->rotational;
    return body->mass > 0.0 || I->xx != 0.0 || I->yy != 0.0 || I->zz != 0.0;
}

// Every node needs something to move behind it, or M is singular. Walks the nodes from the ends of
// the tree; a body is marked by giving it mass, which nobody reads afterwards.
static atemi_status refuse_massless_ends(const assembly *a, atemi_error *error)
{
    const atemi_model *m = a->model;
    for (int i = m->node_count - 1; i >= 0; --i) {
        if (has_inertia(&a->bodies[i]) && m->parents[i] != ATEMI_NONE) {
            a->bodies[m->parents[i]].mass = 1.0;
        }
    }
    for (int j = 0; j < m->joint_count; ++j) {
        const int node = m->joint_nodes[j];
        if (node != ATEMI_NONE && !has_inertia(&a->bodies[node]) && m->joints[j].armature == 0.0) {
            return atemi_fail_at(
                a->builder, described_joint(a, j)->place, error, ATEMI_ERROR_INPUT,
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
// `starts` as room.
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

static atemi_status fill(const assembly *a, char *text, atemi_error *error)
{
    a->model->name = place_text(&text, a->builder->robot);
    describe_links(a, &text);
    describe_joints(a, &text);
    atemi_status status = resolve_mimics(a, error);
    if (!status) {
        status = describe_sites(a, &text, error);
    }
    if (!status) {
        status = describe_geometries(a, error);
    }
    if (!status) {
        status = describe_postures(a, error);
    }
    if (status) {
        return status;
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
        copy_text(arena, builder->geometries[i].uri);
        copy_text(arena, builder->geometries[i].path);
    }
    for (int i = 0; i < builder->posture_count; ++i) {
        copy_text(arena, builder->postures[i].posture);
    }
}

static void take_room(atemi_arena *arena, int nodes, assembly *a)
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
    assembly    a = {.builder = builder, .topology = topology, .options = options};
    atemi_model counted = counted_model(&a);

    atemi_arena arena = atemi_arena_measuring();
    atemi_arena_array(&arena, atemi_model, 1);
    take_arrays(&arena, &counted);
    atemi_arena_array(&arena, char, text_size(builder));
    take_room(&arena, counted.node_count, &a);
    measure_texts(builder, &arena);
    if (atemi_arena_create(&arena, arena.used, error)) {
        return ATEMI_ERROR_MEMORY;
    }

    a.arena = &arena;
    a.model = atemi_arena_array(&arena, atemi_model, 1);
    *a.model = counted;
    take_arrays(&arena, a.model);
    char *text = atemi_arena_array(&arena, char, text_size(builder));
    take_room(&arena, counted.node_count, &a);
    a.model->memory = arena.owned;
    const atemi_status status = fill(&a, text, error);
    if (status) {
        atemi_arena_destroy(&arena);
        return status;
    }
    *model = a.model;
    return ATEMI_OK;
}
