// SPDX-License-Identifier: Apache-2.0

#include "model/assembly.h"

#include <math.h>
#include <string.h>

enum { MOST_MIMICS = 100 };

const char *atemi_copy_text(atemi_arena *arena, const char *text)
{
    const size_t size = text ? strlen(text) + 1 : 0;
    char        *copy = text ? atemi_arena_array(arena, char, size) : NULL;
    if (copy) {
        memcpy(copy, text, size);
    }
    return copy;
}

static const char *place_text(char **end, const char *text)
{
    const size_t size = strlen(text) + 1;
    char        *copy = *end;
    memcpy(copy, text, size);
    *end += size;
    return copy;
}

static void describe_links(const atemi_assembly *a, char **end)
{
    for (int i = 0; i < a->model->link_count; ++i) {
        const atemi_link_description *link = &a->builder->links[a->topology->described_link[i]];
        a->model->links[i] = (atemi_link){
            .name = place_text(end, link->name), .parent_joint = i - 1, .inertia = link->inertia};
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

// Scaled by its largest element first, so that no square overflows or vanishes.
static atemi_vec3 unit_axis(const atemi_joint_description *joint)
{
    const atemi_vec3 axis = joint->axis;
    const double     largest = fmax(fabs(axis.x), fmax(fabs(axis.y), fabs(axis.z)));
    if (largest == 0.0) {
        return axis;
    }
    const atemi_vec3 scaled = {axis.x / largest, axis.y / largest, axis.z / largest};
    return atemi_vec3_scale(1.0 / atemi_vec3_norm(scaled), scaled);
}

static void describe_joints(const atemi_assembly *a, char **end)
{
    atemi_model *m = a->model;
    int          q = atemi_base_q_count(m->base), v = atemi_base_v_count(m->base);
    for (int j = 0; j < m->joint_count; ++j) {
        const atemi_joint_description *from = atemi_described_joint(a, j);
        const bool                     counts = !atemi_is_coupled(a, from);

        m->joints[j] = (atemi_joint){
            .name = place_text(end, from->name),
            .type = from->type,
            .parent_link = a->topology->parent[j + 1],
            .child_link = j + 1,
            .origin = from->origin,
            .axis = unit_axis(from),
            .limits = limits_in_force(from),
            .mimic = {.joint = ATEMI_NONE, .multiplier = 1.0},
            .armature = from->armature,
            .servo_stiffness = from->servo_stiffness,
            .servo_damping = from->servo_damping,
            .damping = from->damping,
            .friction = from->friction,
            .q_count = counts ? atemi_joint_q_count(from->type) : 0,
            .v_count = counts ? atemi_joint_v_count(from->type) : 0,
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
static atemi_status resolve_mimic(const atemi_assembly *a, int j, atemi_error *error)
{
    const atemi_joint_description *joint = atemi_described_joint(a, j), *from = joint;
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
        if (source == j) {
            return atemi_fail_at(a->builder, joint->place, error, ATEMI_ERROR_INPUT,
                                 "joint '%s' mimics itself", joint->name);
        }
        if (steps > MOST_MIMICS) {
            return atemi_fail_at(a->builder, joint->place, error, ATEMI_ERROR_INPUT,
                                 "joint '%s' mimics another through more than %d joints, or joints "
                                 "that mimic each other in a circle",
                                 joint->name, MOST_MIMICS);
        }
        mimic.offset += mimic.multiplier * from->mimic_offset;
        mimic.multiplier *= from->mimic_multiplier;
        mimic.joint = source;
        from = atemi_described_joint(a, source);
    }
    if (atemi_joint_v_count(joint->type) != 1 || atemi_joint_v_count(from->type) != 1) {
        return atemi_fail_at(a->builder, joint->place, error, ATEMI_ERROR_INPUT,
                             "joint '%s' (%s) cannot mimic joint '%s' (%s): both need exactly one "
                             "coordinate",
                             joint->name, atemi_joint_type_text(joint->type), from->name,
                             atemi_joint_type_text(from->type));
    }
    a->model->joints[j].mimic = mimic;
    return ATEMI_OK;
}

static atemi_status resolve_mimics(const atemi_assembly *a, atemi_error *error)
{
    atemi_status status = ATEMI_OK;
    for (int j = 0; j < a->model->joint_count && !status; ++j) {
        if (atemi_described_joint(a, j)->mimic) {
            status = resolve_mimic(a, j, error);
        }
    }
    return status;
}

static atemi_status find_described_link(const atemi_assembly *a, const char *what, const char *name,
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

static atemi_status describe_sites(const atemi_assembly *a, char **end, atemi_error *error)
{
    atemi_model *m = a->model;
    for (int i = 0; i < m->site_count; ++i) {
        const atemi_site_description *from = &a->builder->sites[i];
        int                           link;
        if (find_described_link(a, "site", from->name, from->link, from->place, &link, error)) {
            return ATEMI_ERROR_INPUT;
        }
        m->sites[i] = (atemi_site){.name = place_text(end, from->name),
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

static atemi_status describe_geometries(const atemi_assembly *a, atemi_error *error)
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
                               .uri = atemi_copy_text(a->arena, from->uri),
                               .path = atemi_copy_text(a->arena, from->path)};
        memcpy(to->color, from->color, sizeof to->color);
    }
    return ATEMI_OK;
}

static atemi_status find_loop_link(const atemi_assembly *a, const atemi_loop_description *loop,
                                   const char *link, int *index, atemi_error *error)
{
    *index = ATEMI_NONE;
    return link ? find_described_link(a, "loop", loop->name, link, loop->place, index, error)
                : ATEMI_OK;
}

static atemi_status describe_loops(const atemi_assembly *a, atemi_error *error)
{
    for (int i = 0; i < a->model->loop_count; ++i) {
        const atemi_loop_description *from = &a->builder->loops[i];
        int                           first, second;
        if (find_loop_link(a, from, from->first, &first, error) ||
            find_loop_link(a, from, from->second, &second, error)) {
            return ATEMI_ERROR_INPUT;
        }
        if (first == second) {
            return atemi_fail_at(a->builder, from->place, error, ATEMI_ERROR_INPUT,
                                 "loop '%s' joins %s to itself; name two links", from->name,
                                 from->first ? from->first : "the world");
        }
        a->model->loops[i] = (atemi_loop){.name = atemi_copy_text(a->arena, from->name),
                                          .kind = from->kind,
                                          .first = first,
                                          .second = second,
                                          .on_first = from->on_first,
                                          .on_second = from->on_second};
    }
    return ATEMI_OK;
}

static atemi_status describe_aparts(const atemi_assembly *a, atemi_error *error)
{
    for (int i = 0; i < a->model->apart_count; ++i) {
        const atemi_apart_description *from = &a->builder->aparts[i];
        atemi_link_pair               *to = &a->model->aparts[i];
        if (find_described_link(a, "pair of", from->first, from->first, from->place, &to->first,
                                error) ||
            find_described_link(a, "pair of", from->first, from->second, from->place, &to->second,
                                error)) {
            return ATEMI_ERROR_INPUT;
        }
    }
    return ATEMI_OK;
}

static void begin_posture(const atemi_assembly *a, int index, const char *name)
{
    atemi_model *m = a->model;
    double      *q = m->postures + (size_t)index * (size_t)m->q_count;
    m->posture_names[index] = atemi_copy_text(a->arena, name);
    if (m->base == ATEMI_BASE_FLOATING) {
        q[6] = 1.0;
    }
    for (int j = 0; j < m->joint_count; ++j) {
        if (m->joints[j].type == ATEMI_JOINT_FLOATING) {
            q[m->joints[j].first_q + 6] = 1.0;
        }
    }
}

static atemi_status describe_postures(const atemi_assembly *a, atemi_error *error)
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

static atemi_status index_postures(const atemi_assembly *a, atemi_error *error)
{
    atemi_model *m = a->model;
    for (int i = 0; i < m->posture_count; ++i) {
        m->posture_index[i] = (atemi_name){.text = m->posture_names[i], .index = i};
    }
    atemi_names_sort(m->posture_index, m->posture_count);
    for (int i = 1; i < m->posture_count; ++i) {
        const char *name = m->posture_index[i].text;
        if (strcmp(m->posture_index[i - 1].text, name) == 0) {
            return atemi_fail_at(a->builder, (atemi_place){0}, error, ATEMI_ERROR_INPUT,
                                 "posture '%s' is described twice, with another in between", name);
        }
    }
    return ATEMI_OK;
}

atemi_status atemi_describe(const atemi_assembly *a, char *text, atemi_error *error)
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
        status = describe_loops(a, error);
    }
    if (!status) {
        status = describe_aparts(a, error);
    }
    if (!status) {
        status = describe_postures(a, error);
    }
    if (!status) {
        status = index_postures(a, error);
    }
    return status;
}
