// SPDX-License-Identifier: Apache-2.0

#include "simulate/broad_phase.h"

#include "dynamics/blocks.h"

#include <math.h>

// Pairs are found by sweep and prune: shapes in the order of the lower ends of their boxes along x,
// each with those that begin before it ends.

// A shape looks ahead by this part of the way that it goes in a step, and by what it may be
// accelerated by, m/s^2.
static const double ahead = 1.5, most_accelerated = 100.0;

// And by this at least, m: what has lifted off by less still counts as there (step_touches.c).
static const double least_ahead = 1e-6;

// ---- Creation -------------------------------------------------------------------------------

atemi_broad_phase atemi_broad_phase_take(atemi_arena *arena, const atemi_simulation_shapes *shapes)
{
    atemi_broad_phase broad = {0};
    if (!shapes) {
        return broad;
    }
    const int n = broad.count = shapes->count;
    broad.each_other = shapes->each_other;
    broad.shapes = atemi_arena_array(arena, atemi_touch_shape, n);
    broad.convexes = atemi_arena_array(arena, atemi_convex, n);
    broad.placed = atemi_arena_array(arena, atemi_placed_convex, n);
    broad.reaches = atemi_arena_array(arena, double, n);
    broad.boxes = atemi_arena_array(arena, atemi_broad_box, n);
    broad.order = atemi_arena_array(arena, int, n);
    broad.apart = atemi_arena_array(arena, bool, (size_t)n *(size_t)n);
    for (int i = 0; i < n; ++i) {
        const atemi_convex convex = atemi_convex_take(arena, &shapes->shapes[i]);
        if (broad.convexes) {
            broad.convexes[i] = convex;
        }
    }
    return broad;
}

static atemi_placed_convex placed_at(const atemi_broad_phase *broad, const atemi_model *model,
                                     const atemi_kinematics *k, int i)
{
    const atemi_transform link = atemi_link_pose_in(model, k, broad->shapes[i].link);
    return (atemi_placed_convex){&broad->convexes[i],
                                 atemi_transform_compose(&link, &broad->shapes[i].pose)};
}

static void place(atemi_broad_phase *broad, const atemi_model *model, const atemi_kinematics *k)
{
    for (int i = 0; i < broad->count; ++i) {
        broad->placed[i] = placed_at(broad, model, k, i);
    }
}

// ---- What does not touch --------------------------------------------------------------------

// The link that moves a link, as fixed joints hold it.
static int carrier_of(const atemi_model *model, int link)
{
    int joint = atemi_model_link(model, link)->parent_joint;
    while (joint != ATEMI_NONE && atemi_model_joint(model, joint)->type == ATEMI_JOINT_FIXED) {
        link = atemi_model_joint(model, joint)->parent_link;
        joint = atemi_model_link(model, link)->parent_joint;
    }
    return link;
}

// The link before it; ATEMI_NONE where it is free, or the root.
static int before(const atemi_model *model, int carrier)
{
    const int joint = atemi_model_link(model, carrier)->parent_joint;
    if (joint == ATEMI_NONE) {
        return ATEMI_NONE;
    }
    const atemi_joint *of = atemi_model_joint(model, joint);
    const bool         is_free = of->type == ATEMI_JOINT_FLOATING || of->type == ATEMI_JOINT_PLANAR;
    return is_free ? ATEMI_NONE : carrier_of(model, of->parent_link);
}

// The first link of what joints hold together.
static int whole_of(const atemi_model *model, int carrier)
{
    for (int next = before(model, carrier); next != ATEMI_NONE; next = before(model, next)) {
        carrier = next;
    }
    return carrier;
}

// In a scene, the first link of the robot or body that it is of; otherwise the root of all.
static int part_of(const atemi_model *model, int link)
{
    int joint = atemi_model_link(model, link)->parent_joint;
    int part = link;
    for (; joint != ATEMI_NONE; joint = atemi_model_link(model, link)->parent_joint) {
        part = link;
        link = atemi_model_joint(model, joint)->parent_link;
    }
    return model->scene ? part : link;
}

static bool is_among(const atemi_link_pair *pairs, int count, int a, int b)
{
    for (int i = 0; i < count; ++i) {
        const atemi_link_pair pair = pairs[i];
        if ((pair.first == a && pair.second == b) || (pair.first == b && pair.second == a)) {
            return true;
        }
    }
    return false;
}

// By the caller, or by the robot's description.
static bool is_excluded(const atemi_simulation_shapes *shapes, const atemi_model *model, int a,
                        int b)
{
    return is_among(shapes->excluded, shapes->excluded_count, a, b) ||
           is_among(atemi_model_apart(model), atemi_model_apart_count(model), a, b);
}

// Links that a loop joins are neighbours, as those of a joint.
static bool is_closed_by_loop(const atemi_closed_loops *loops, int a, int b)
{
    for (int i = 0; i < loops->count; ++i) {
        const atemi_loop *loop = &loops->loops[i];
        if ((loop->first == a && loop->second == b) || (loop->first == b && loop->second == a)) {
            return true;
        }
    }
    return false;
}

static bool overlap(const atemi_broad_phase *broad, int i, int j)
{
    atemi_touch_points found;
    atemi_shapes_touch(&broad->placed[i], &broad->placed[j], 0.0, &found);
    return found.count > 0;
}

static bool never_touch(const atemi_broad_phase *broad, const atemi_simulation_shapes *shapes,
                        const atemi_closed_loops *loops, const atemi_model *model, int i, int j)
{
    const int  one = broad->shapes[i].link, other = broad->shapes[j].link;
    const int  a = carrier_of(model, one), b = carrier_of(model, other);
    const int  root = ATEMI_NONE;
    const bool together = part_of(model, one) == part_of(model, other);
    if (a == b || (together && (before(model, a) == b || before(model, b) == a))) {
        return true;
    }
    if (model->mountings[a].node == root && model->mountings[b].node == root) {
        return true;
    }
    if (is_excluded(shapes, model, one, other) || is_closed_by_loop(loops, one, other)) {
        return true;
    }
    return together && whole_of(model, a) == whole_of(model, b) && overlap(broad, i, j);
}

static void find_apart(atemi_broad_phase *broad, const atemi_simulation_shapes *shapes,
                       const atemi_closed_loops *loops, const atemi_model *model)
{
    for (int i = 0; i < broad->count; ++i) {
        for (int j = 0; j < i; ++j) {
            const bool apart = !broad->each_other || never_touch(broad, shapes, loops, model, i, j);
            broad->apart[i * broad->count + j] = broad->apart[j * broad->count + i] = apart;
        }
    }
}

void atemi_broad_phase_fill(atemi_broad_phase *broad, const atemi_simulation_shapes *shapes,
                            const atemi_closed_loops *loops, const atemi_model *model,
                            atemi_kinematics *kinematics, double *q)
{
    if (!shapes) {
        return;
    }
    for (int i = 0; i < broad->count; ++i) {
        broad->shapes[i] = shapes->shapes[i];
        atemi_convex_fill(&shapes->shapes[i], &broad->convexes[i]);
        broad->shapes[i].vertices = NULL;
        broad->order[i] = i;
    }
    atemi_configuration_neutral(model, q);
    atemi_kinematics_update(model, q, NULL, NULL, kinematics);
    place(broad, model, kinematics);
    find_apart(broad, shapes, loops, model);
}

// ---- Boxes ----------------------------------------------------------------------------------

static double extent(const atemi_placed_convex *shape, double x, double y, double z)
{
    const atemi_vec3 along = {x, y, z};
    return atemi_convex_support(shape->convex,
                                atemi_mat3_apply_transposed(&shape->pose.rotation, along)) +
           atemi_vec3_dot(along, shape->pose.position);
}

static atemi_broad_box box_of(const atemi_placed_convex *shape, double r)
{
    return (atemi_broad_box){
        {-extent(shape, -1, 0, 0) - r, -extent(shape, 0, -1, 0) - r, -extent(shape, 0, 0, -1) - r},
        {extent(shape, 1, 0, 0) + r, extent(shape, 0, 1, 0) + r, extent(shape, 0, 0, 1) + r}};
}

static void look_ahead(atemi_broad_phase *broad, const atemi_model *model,
                       const atemi_kinematics *k, double h, double wider)
{
    for (int i = 0; i < broad->count; ++i) {
        const atemi_motion v = atemi_link_velocity_in(model, k, broad->shapes[i].link);
        const double       arm = atemi_vec3_norm(broad->shapes[i].pose.position) +
                           atemi_vec3_norm(broad->convexes[i].center) + broad->convexes[i].bound;
        const double speed = atemi_vec3_norm(v.linear) + atemi_vec3_norm(v.angular) * arm;
        broad->reaches[i] =
            fmax(wider * (ahead * h * speed + most_accelerated * h * h), least_ahead);
        broad->boxes[i] = box_of(&broad->placed[i], broad->reaches[i]);
    }
}

static bool is_before(const atemi_broad_phase *broad, int a, int b)
{
    const double x = broad->boxes[a].lower.x, y = broad->boxes[b].lower.x;
    return x < y || (x == y && a < b);
}

// Nearly sorted already.
static void sort_shapes(atemi_broad_phase *broad)
{
    for (int i = 1; i < broad->count; ++i) {
        const int shape = broad->order[i];
        int       to = i;
        for (; to > 0 && is_before(broad, shape, broad->order[to - 1]); --to) {
            broad->order[to] = broad->order[to - 1];
        }
        broad->order[to] = shape;
    }
}

void atemi_broad_phase_look(atemi_broad_phase *broad, const atemi_model *model,
                            const atemi_kinematics *kinematics, double h, double wider)
{
    place(broad, model, kinematics);
    look_ahead(broad, model, kinematics, h, wider);
    sort_shapes(broad);
}

static bool is_inside(atemi_vec3 lower, atemi_vec3 upper)
{
    return lower.x <= upper.x && lower.y <= upper.y && lower.z <= upper.z;
}

bool atemi_broad_phase_holds(const atemi_broad_phase *broad, const atemi_model *model,
                             const atemi_kinematics *kinematics)
{
    bool holds = true;
    for (int i = 0; i < broad->count && holds; ++i) {
        const atemi_placed_convex shape = placed_at(broad, model, kinematics, i);
        const atemi_broad_box     is = box_of(&shape, 0.0);
        holds = is_inside(broad->boxes[i].lower, is.lower) &&
                is_inside(is.upper, broad->boxes[i].upper);
    }
    return holds;
}

static bool meet(const atemi_broad_box *a, const atemi_broad_box *b)
{
    return a->lower.y <= b->upper.y && b->lower.y <= a->upper.y && a->lower.z <= b->upper.z &&
           b->lower.z <= a->upper.z;
}

void atemi_broad_phase_visit(atemi_broad_phase *broad, atemi_broad_visitor *visit, void *context)
{
    for (int i = 0; i < broad->count && broad->each_other; ++i) {
        const int              a = broad->order[i];
        const atemi_broad_box *box = &broad->boxes[a];
        for (int j = i + 1; j < broad->count; ++j) {
            const int b = broad->order[j];
            if (broad->boxes[b].lower.x > box->upper.x) {
                break;
            }
            if (!broad->apart[a * broad->count + b] && meet(box, &broad->boxes[b])) {
                visit(context, a, b);
            }
        }
    }
}
