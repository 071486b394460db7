// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"
#include "model/assembly.h"

#include <string.h>

// The tree while it is being found. All indices are the builder's.
typedef struct survey {
    const atemi_model_builder *builder;
    int                       *joint_parent;   // [joints] link
    int                       *joint_child;    // [joints] link
    int                       *incoming;       // [links] joint that leads to the link
    int                       *first_outgoing; // [links + 1] where a link's joints begin in...
    int                       *outgoing;       // [joints] ...joints by parent, in order of the file
    int                       *stack;          // [joints]
} survey;

static atemi_status out_of_memory(atemi_error *error)
{
    return atemi_fail(error, ATEMI_ERROR_MEMORY, "no memory to build the robot");
}

static void survey_take(survey *s, atemi_arena *arena)
{
    const int links = s->builder->link_count, joints = s->builder->joint_count;
    s->joint_parent = atemi_arena_array(arena, int, joints);
    s->joint_child = atemi_arena_array(arena, int, joints);
    s->incoming = atemi_arena_array(arena, int, links);
    s->first_outgoing = atemi_arena_array(arena, int, links + 2);
    s->outgoing = atemi_arena_array(arena, int, joints);
    s->stack = atemi_arena_array(arena, int, joints);
}

static void topology_take(atemi_topology *t, atemi_arena *arena, const atemi_model_builder *builder)
{
    const int links = builder->link_count, joints = builder->joint_count;
    t->described_link = atemi_arena_array(arena, int, links);
    t->described_joint = atemi_arena_array(arena, int, joints);
    t->joints = atemi_arena_array(arena, atemi_joint_description, joints);
    t->weighs = atemi_arena_array(arena, bool, links);
    t->link_index = atemi_arena_array(arena, int, links);
    t->parent = atemi_arena_array(arena, int, links);
    t->link_names = atemi_arena_array(arena, atemi_name, links);
    t->joint_names = atemi_arena_array(arena, atemi_name, joints);
}

static atemi_status refuse_double(const atemi_model_builder *builder, const char *kind,
                                  const char *name, atemi_place first, atemi_place second,
                                  atemi_error *error)
{
    return atemi_fail_at(builder, second, error, ATEMI_ERROR_INPUT,
                         "%s '%s' is described twice, first in line %d; give each %s its own name",
                         kind, name, first.line, kind);
}

static atemi_status index_links(const atemi_model_builder *builder, atemi_topology *t,
                                atemi_error *error)
{
    for (int i = 0; i < builder->link_count; ++i) {
        t->link_names[i] = (atemi_name){.text = builder->links[i].name, .index = i};
    }
    atemi_names_sort(t->link_names, builder->link_count);
    for (int i = 1; i < builder->link_count; ++i) {
        const atemi_name *a = &t->link_names[i - 1], *b = &t->link_names[i];
        if (strcmp(a->text, b->text) == 0) {
            return refuse_double(builder, "link", b->text, builder->links[a->index].place,
                                 builder->links[b->index].place, error);
        }
    }
    return ATEMI_OK;
}

static atemi_status index_joints(const atemi_model_builder *builder, atemi_topology *t,
                                 atemi_error *error)
{
    for (int i = 0; i < builder->joint_count; ++i) {
        t->joint_names[i] = (atemi_name){.text = builder->joints[i].name, .index = i};
    }
    atemi_names_sort(t->joint_names, builder->joint_count);
    for (int i = 1; i < builder->joint_count; ++i) {
        const atemi_name *a = &t->joint_names[i - 1], *b = &t->joint_names[i];
        if (strcmp(a->text, b->text) == 0) {
            return refuse_double(builder, "joint", b->text, builder->joints[a->index].place,
                                 builder->joints[b->index].place, error);
        }
    }
    return ATEMI_OK;
}

static atemi_status resolve_link(const survey *s, const atemi_topology *t,
                                 const atemi_joint_description *joint, const char *role,
                                 const char *name, int *link, atemi_error *error)
{
    *link = atemi_names_find(t->link_names, s->builder->link_count, name);
    if (*link == ATEMI_NONE) {
        return atemi_fail_at(s->builder, joint->place, error, ATEMI_ERROR_INPUT,
                             "joint '%s': its %s link '%s' is not described in this file",
                             joint->name, role, name);
    }
    return ATEMI_OK;
}

static atemi_status connect(survey *s, const atemi_topology *t, int j, atemi_error *error)
{
    const atemi_model_builder     *builder = s->builder;
    const atemi_joint_description *joint = &builder->joints[j];

    atemi_status status =
        resolve_link(s, t, joint, "parent", joint->parent, &s->joint_parent[j], error);
    if (!status) {
        status = resolve_link(s, t, joint, "child", joint->child, &s->joint_child[j], error);
    }
    if (status) {
        return status;
    }
    const int child = s->joint_child[j];
    if (s->joint_parent[j] == child) {
        return atemi_fail_at(builder, joint->place, error, ATEMI_ERROR_INPUT,
                             "joint '%s' joins link '%s' to itself", joint->name, joint->child);
    }
    if (s->incoming[child] != ATEMI_NONE) {
        return atemi_fail_at(
            builder, joint->place, error, ATEMI_ERROR_INPUT,
            "link '%s' has two parents: it is the child of joint '%s' and of joint "
            "'%s'; a robot must be a tree",
            joint->child, builder->joints[s->incoming[child]].name, joint->name);
    }
    s->incoming[child] = j;
    return ATEMI_OK;
}

static atemi_status connect_all(survey *s, const atemi_topology *t, atemi_error *error)
{
    for (int i = 0; i < s->builder->link_count; ++i) {
        s->incoming[i] = ATEMI_NONE;
    }
    atemi_status status = ATEMI_OK;
    for (int j = 0; j < s->builder->joint_count && !status; ++j) {
        status = connect(s, t, j, error);
    }
    return status;
}

static atemi_status find_root(const survey *s, int *root, atemi_error *error)
{
    const atemi_model_builder *builder = s->builder;
    *root = ATEMI_NONE;
    for (int i = 0; i < builder->link_count; ++i) {
        if (s->incoming[i] != ATEMI_NONE) {
            continue;
        }
        if (*root != ATEMI_NONE) {
            return atemi_fail_at(builder, builder->links[i].place, error, ATEMI_ERROR_INPUT,
                                 "two roots: neither link '%s' nor link '%s' is the child of a "
                                 "joint; join all links into one tree",
                                 builder->links[*root].name, builder->links[i].name);
        }
        *root = i;
    }
    if (*root == ATEMI_NONE && builder->link_count > 0) {
        return atemi_fail_at(builder, builder->links[0].place, error, ATEMI_ERROR_INPUT,
                             "a loop: every link is the child of a joint, so there is no root");
    }
    if (*root == ATEMI_NONE) {
        return atemi_fail_at(builder, (atemi_place){0}, error, ATEMI_ERROR_INPUT,
                             "the robot has no link; it needs at least one");
    }
    return ATEMI_OK;
}

// Counting sort of the joints by parent keeps the order of the file within each parent.
static void list_outgoing(survey *s)
{
    const int links = s->builder->link_count, joints = s->builder->joint_count;
    int      *first = s->first_outgoing;
    for (int j = 0; j < joints; ++j) {
        ++first[s->joint_parent[j] + 2];
    }
    for (int i = 2; i < links + 2; ++i) {
        first[i] += first[i - 1];
    }
    for (int j = 0; j < joints; ++j) {
        s->outgoing[first[s->joint_parent[j] + 1]++] = j;
    }
}

// Puts the joints that leave a link on the stack, the first of the file on top.
static int push_children(survey *s, int link, int height)
{
    for (int k = s->first_outgoing[link + 1] - 1; k >= s->first_outgoing[link]; --k) {
        s->stack[height++] = s->outgoing[k];
    }
    return height;
}

static int walk_depth_first(survey *s, atemi_topology *t, int root)
{
    int count = 1;
    t->described_link[0] = root;
    t->link_index[root] = 0;
    t->parent[0] = ATEMI_NONE;
    for (int height = push_children(s, root, 0); height > 0;) {
        const int joint = s->stack[--height];
        const int link = s->joint_child[joint];
        t->described_joint[count - 1] = joint;
        t->described_link[count] = link;
        t->link_index[link] = count;
        t->parent[count] = t->link_index[s->joint_parent[joint]];
        height = push_children(s, link, height);
        ++count;
    }
    return count;
}

static atemi_status refuse_loop(const survey *s, const atemi_topology *t, int reached,
                                atemi_error *error)
{
    const atemi_model_builder *builder = s->builder;
    // Links not reached have link_index 0, which only the root has rightly.
    for (int i = 0; i < builder->link_count; ++i) {
        if (t->link_index[i] == 0 && i != t->described_link[0]) {
            return atemi_fail_at(builder, builder->links[i].place, error, ATEMI_ERROR_INPUT,
                                 "a loop: link '%s' cannot be reached from the root '%s' (%d of %d "
                                 "links can); a robot must be a tree",
                                 builder->links[i].name, builder->links[t->described_link[0]].name,
                                 reached, builder->link_count);
        }
    }
    return ATEMI_OK;
}

static atemi_status find_tree(survey *s, atemi_topology *t, atemi_error *error)
{
    int          root = ATEMI_NONE;
    atemi_status status = index_links(s->builder, t, error);
    if (!status) {
        status = index_joints(s->builder, t, error);
    }
    if (!status) {
        status = connect_all(s, t, error);
    }
    if (!status) {
        status = find_root(s, &root, error);
    }
    if (!status) {
        list_outgoing(s);
        const int reached = walk_depth_first(s, t, root);
        if (reached < s->builder->link_count) {
            status = refuse_loop(s, t, reached, error);
        }
    }
    return status;
}

atemi_status atemi_topology_create(const atemi_model_builder *builder, atemi_topology *topology,
                                   atemi_error *error)
{
    survey      s = {.builder = builder};
    atemi_arena lasting = atemi_arena_measuring(), passing = atemi_arena_measuring();
    topology_take(topology, &lasting, builder);
    survey_take(&s, &passing);
    if (atemi_arena_create(&lasting, lasting.used, error)) {
        return out_of_memory(error);
    }
    topology_take(topology, &lasting, builder);
    topology->memory = lasting.owned;

    if (atemi_arena_create(&passing, passing.used, error)) {
        return out_of_memory(error);
    }
    survey_take(&s, &passing);
    const atemi_status status = find_tree(&s, topology, error);
    for (int j = 0; j < builder->joint_count && !status; ++j) {
        topology->joints[j] = builder->joints[topology->described_joint[j]];
    }
    atemi_arena_destroy(&passing);
    return status;
}

void atemi_topology_destroy(atemi_topology *topology)
{
    atemi_release(topology->memory);
    topology->memory = NULL;
}
