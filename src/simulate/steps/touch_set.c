// SPDX-License-Identifier: Apache-2.0

#include "simulate/steps/touch_set.h"

#include "dynamics/blocks.h"

#include <math.h>
#include <string.h>

// Pairs are found by sweep and prune: shapes in the order of the lower ends of their boxes along x,
// each with those that begin before it ends. What is found is sorted by shapes, so that it does not
// depend on the order.

// A shape looks ahead by this part of the way that it goes in a step, and by what it may be
// accelerated by, m/s^2.
static const double ahead = 1.5, most_accelerated = 100.0;

// Places of a pair are the same from step to step within this part of the first shape's size.
static const double near = 0.3;

// ---- Creation -------------------------------------------------------------------------------

enum { TOUCHES_OF_SHAPE = 12 };

atemi_touch_set atemi_touch_set_take(atemi_arena *arena, const atemi_simulation_shapes *shapes,
                                     int surface_count)
{
    atemi_touch_set set = {0};
    if (!shapes) {
        return set;
    }
    const int n = set.count = shapes->count;
    set.surface_count = surface_count;
    set.each_other = shapes->each_other;
    set.most = shapes->max_touches > 0 ? shapes->max_touches : TOUCHES_OF_SHAPE * n;
    set.shapes = atemi_arena_array(arena, atemi_touch_shape, n);
    set.convexes = atemi_arena_array(arena, atemi_convex, n);
    set.placed = atemi_arena_array(arena, atemi_placed_convex, n);
    set.reaches = atemi_arena_array(arena, double, n);
    set.boxes = atemi_arena_array(arena, atemi_touch_box, n);
    set.order = atemi_arena_array(arena, int, n);
    set.apart = atemi_arena_array(arena, bool, (size_t)n *(size_t)n);
    set.touches = atemi_arena_array(arena, atemi_touch_state, set.most);
    set.kept = atemi_arena_array(arena, atemi_touch_state, set.most);
    for (int i = 0; i < n; ++i) {
        const atemi_convex convex = atemi_convex_take(arena, &shapes->shapes[i]);
        if (set.convexes) {
            set.convexes[i] = convex;
        }
    }
    return set;
}

static void place(atemi_touch_set *set, const atemi_model *model, const atemi_kinematics *k)
{
    for (int i = 0; i < set->count; ++i) {
        const atemi_transform link = atemi_link_pose_in(model, k, set->shapes[i].link);
        set->placed[i] = (atemi_placed_convex){
            &set->convexes[i], atemi_transform_compose(&link, &set->shapes[i].pose)};
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

static bool overlap(const atemi_touch_set *set, int i, int j)
{
    atemi_touch_points found;
    atemi_shapes_touch(&set->placed[i], &set->placed[j], 0.0, &found);
    return found.count > 0;
}

static bool never_touch(const atemi_touch_set *set, const atemi_simulation_shapes *shapes,
                        const atemi_closed_loops *loops, const atemi_model *model, int i, int j)
{
    const int one = set->shapes[i].link, other = set->shapes[j].link;
    const int a = carrier_of(model, one), b = carrier_of(model, other);
    const int root = ATEMI_NONE;
    if (a == b || before(model, a) == b || before(model, b) == a) {
        return true;
    }
    if (model->mountings[a].node == root && model->mountings[b].node == root) {
        return true;
    }
    if (is_excluded(shapes, model, one, other) || is_closed_by_loop(loops, one, other)) {
        return true;
    }
    return whole_of(model, a) == whole_of(model, b) && overlap(set, i, j);
}

static void find_apart(atemi_touch_set *set, const atemi_simulation_shapes *shapes,
                       const atemi_closed_loops *loops, const atemi_model *model)
{
    for (int i = 0; i < set->count; ++i) {
        for (int j = 0; j < i; ++j) {
            const bool apart = !set->each_other || never_touch(set, shapes, loops, model, i, j);
            set->apart[i * set->count + j] = set->apart[j * set->count + i] = apart;
        }
    }
}

void atemi_touch_set_fill(atemi_touch_set *set, const atemi_simulation_shapes *shapes,
                          const atemi_closed_loops *loops, const atemi_model *model,
                          atemi_kinematics *kinematics, double *q)
{
    if (!shapes) {
        return;
    }
    for (int i = 0; i < set->count; ++i) {
        set->shapes[i] = shapes->shapes[i];
        atemi_convex_fill(&shapes->shapes[i], &set->convexes[i]);
        set->shapes[i].vertices = NULL;
        set->order[i] = i;
    }
    atemi_configuration_neutral(model, q);
    atemi_kinematics_update(model, q, NULL, NULL, kinematics);
    place(set, model, kinematics);
    find_apart(set, shapes, loops, model);
}

static atemi_status check_shape(const atemi_model *model, const atemi_touch_shape *shape, int index,
                                atemi_error *error)
{
    const bool hull = shape->shape == ATEMI_SHAPE_MESH;
    const bool ball = shape->shape == ATEMI_SHAPE_SPHERE; // of no radius: a point
    const bool sized = ball ? shape->size.x >= 0.0
                            : shape->size.x > 0.0 && shape->size.y > 0.0 &&
                                  (shape->shape != ATEMI_SHAPE_BOX || shape->size.z > 0.0);
    if (shape->link < 0 || shape->link >= atemi_model_link_count(model)) {
        return atemi_fail(error, ATEMI_ERROR_INPUT, "shape %d is on link %d, which does not exist",
                          index, shape->link);
    }
    if (hull ? shape->vertex_count < 4 : !sized) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "shape %d, a %s of link '%s', has no volume; give positive sizes, and "
                          "four vertices of a mesh or more",
                          index, atemi_shape_text(shape->shape),
                          atemi_model_link(model, shape->link)->name);
    }
    if (!(shape->kinetic_friction >= 0.0 && shape->kinetic_friction <= shape->static_friction &&
          isfinite(shape->static_friction) && shape->restitution >= 0.0 &&
          shape->restitution <= 1.0)) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "shape %d has static friction %g, kinetic friction %g and restitution "
                          "%g; friction must be 0 or more, the kinetic one not the larger, and "
                          "restitution 0 to 1",
                          index, shape->static_friction, shape->kinetic_friction,
                          shape->restitution);
    }
    return ATEMI_OK;
}

atemi_status atemi_touch_set_check(const atemi_model              *model,
                                   const atemi_simulation_options *options, atemi_error *error)
{
    const atemi_simulation_shapes *shapes = options->shapes;
    if (!shapes) {
        return ATEMI_OK;
    }
    atemi_status status = ATEMI_OK;
    for (int i = 0; i < shapes->count && !status; ++i) {
        status = check_shape(model, &shapes->shapes[i], i, error);
    }
    return status;
}

// ---- Properties -----------------------------------------------------------------------------

double atemi_touch_friction(const atemi_touch_set *set, const atemi_touch_state *touch, bool slides)
{
    const atemi_touch_shape *a = &set->shapes[touch->first];
    const double             of_a = slides ? a->kinetic_friction : a->static_friction;
    if (touch->second >= set->count) {
        return of_a;
    }
    const atemi_touch_shape *b = &set->shapes[touch->second];
    return sqrt(of_a * (slides ? b->kinetic_friction : b->static_friction));
}

double atemi_touch_restitution(const atemi_touch_set *set, const atemi_touch_state *touch)
{
    const double of_a = set->shapes[touch->first].restitution;
    return touch->second >= set->count ? of_a : sqrt(of_a * set->shapes[touch->second].restitution);
}

bool atemi_touch_is_outer(const atemi_model *model, const atemi_touch_state *touch)
{
    const int other = touch->place.other;
    return other == ATEMI_NONE || model->mountings[other].node == ATEMI_NONE;
}

atemi_touch_report atemi_touch_report_of(const atemi_touch_set *set, const atemi_touch_state *touch)
{
    const bool outer = touch->second >= set->count;
    return (atemi_touch_report){.first = touch->first,
                                .second = outer ? ATEMI_NONE : touch->second,
                                .surface = outer ? touch->second - set->count : ATEMI_NONE,
                                .mode = touch->mode,
                                .gap = touch->at.gap,
                                .position = touch->at.position,
                                .normal = touch->at.normal,
                                .force = touch->force};
}

void atemi_touch_set_open(atemi_touch_set *set)
{
    set->touch_count = set->kept_count = 0;
    set->lost = 0;
}

// ---- Boxes ----------------------------------------------------------------------------------

static double extent(const atemi_placed_convex *shape, double x, double y, double z)
{
    const atemi_vec3 along = {x, y, z};
    return atemi_convex_support(shape->convex,
                                atemi_mat3_apply_transposed(&shape->pose.rotation, along)) +
           atemi_vec3_dot(along, shape->pose.position);
}

static void find_box(atemi_touch_set *set, int i)
{
    const atemi_placed_convex *shape = &set->placed[i];
    const double               r = set->reaches[i];
    set->boxes[i] = (atemi_touch_box){
        {-extent(shape, -1, 0, 0) - r, -extent(shape, 0, -1, 0) - r, -extent(shape, 0, 0, -1) - r},
        {extent(shape, 1, 0, 0) + r, extent(shape, 0, 1, 0) + r, extent(shape, 0, 0, 1) + r}};
}

static void look_ahead(atemi_touch_set *set, const atemi_model *model, const atemi_kinematics *k,
                       double h)
{
    for (int i = 0; i < set->count; ++i) {
        const atemi_motion v = atemi_link_velocity_in(model, k, set->shapes[i].link);
        const double       arm = atemi_vec3_norm(set->shapes[i].pose.position) +
                           atemi_vec3_norm(set->convexes[i].center) + set->convexes[i].bound;
        const double speed = atemi_vec3_norm(v.linear) + atemi_vec3_norm(v.angular) * arm;
        set->reaches[i] = ahead * h * speed + most_accelerated * h * h;
        find_box(set, i);
    }
}

static bool is_before(const atemi_touch_set *set, int a, int b)
{
    const double x = set->boxes[a].lower.x, y = set->boxes[b].lower.x;
    return x < y || (x == y && a < b);
}

// Nearly sorted already.
static void sort_shapes(atemi_touch_set *set)
{
    for (int i = 1; i < set->count; ++i) {
        const int shape = set->order[i];
        int       to = i;
        for (; to > 0 && is_before(set, shape, set->order[to - 1]); --to) {
            set->order[to] = set->order[to - 1];
        }
        set->order[to] = shape;
    }
}

static bool meet(const atemi_touch_box *a, const atemi_touch_box *b)
{
    return a->lower.y <= b->upper.y && b->lower.y <= a->upper.y && a->lower.z <= b->upper.z &&
           b->lower.z <= a->upper.z;
}

// ---- Touches --------------------------------------------------------------------------------

static void add_touches(atemi_touch_set *set, int first, int second, int link, int other,
                        const atemi_touch_points *found)
{
    for (int i = 0; i < found->count; ++i) {
        if (set->touch_count == set->most) {
            ++set->lost;
            return;
        }
        set->touches[set->touch_count++] =
            (atemi_touch_state){.first = first,
                                .second = second,
                                .at = found->points[i],
                                .place = {link, other, found->points[i].position},
                                .mode = ATEMI_CONTACT_OPEN};
    }
}

// The first one is not of the world; if neither is, it is the one with the lower index.
static void look_at_pair(atemi_touch_set *set, const atemi_model *model, int i, int j)
{
    const int          low = i < j ? i : j, high = i < j ? j : i;
    const bool         fixed = model->mountings[set->shapes[low].link].node == ATEMI_NONE;
    const int          first = fixed ? high : low, second = fixed ? low : high;
    const int          link = set->shapes[first].link, other = set->shapes[second].link;
    atemi_touch_points found;
    atemi_shapes_touch(&set->placed[first], &set->placed[second],
                       set->reaches[first] + set->reaches[second], &found);
    add_touches(set, first, second, link, other, &found);
}

static void find_pairs(atemi_touch_set *set, const atemi_model *model)
{
    sort_shapes(set);
    for (int i = 0; i < set->count && set->each_other; ++i) {
        const int              a = set->order[i];
        const atemi_touch_box *box = &set->boxes[a];
        for (int j = i + 1; j < set->count; ++j) {
            const int b = set->order[j];
            if (set->boxes[b].lower.x > box->upper.x) {
                break;
            }
            if (!set->apart[a * set->count + b] && meet(box, &set->boxes[b])) {
                look_at_pair(set, model, a, b);
            }
        }
    }
}

// The world is the link of surfaces: any link of it will do, or none moves.
static void find_surfaces(atemi_touch_set *set, const atemi_model *model,
                          const atemi_surface *surfaces)
{
    for (int i = 0; i < set->count; ++i) {
        const int link = set->shapes[i].link;
        for (int s = 0; s < set->surface_count; ++s) {
            if (surfaces[s].carried || model->mountings[link].node == ATEMI_NONE) {
                continue;
            }
            atemi_touch_points found;
            atemi_shape_touches_surface(&set->placed[i], &surfaces[s], set->reaches[i], &found);
            add_touches(set, i, set->count + s, link, ATEMI_NONE, &found);
        }
    }
}

static bool comes_before(const atemi_touch_state *a, const atemi_touch_state *b)
{
    return a->first < b->first || (a->first == b->first && a->second < b->second);
}

// Sinks an entry of a heap of so many.
static void sink(atemi_touch_state *heap, int count, int at)
{
    const atemi_touch_state entry = heap[at];
    for (int child = 2 * at + 1; child < count; child = 2 * at + 1) {
        child += child + 1 < count && comes_before(&heap[child], &heap[child + 1]);
        if (!comes_before(&entry, &heap[child])) {
            break;
        }
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = entry;
}

static bool is_later(const atemi_touch_state *a, const atemi_touch_state *b)
{
    return comes_before(b, a) || (!comes_before(a, b) && a->at.feature > b->at.feature);
}

// By pair and feature: the pairs by heap sort, the few features of one by insertion.
static void sort_touches(atemi_touch_set *set)
{
    atemi_touch_state *t = set->touches;
    for (int i = set->touch_count / 2 - 1; i >= 0; --i) {
        sink(t, set->touch_count, i);
    }
    for (int count = set->touch_count; count > 1; --count) {
        const atemi_touch_state last = t[count - 1];
        t[count - 1] = t[0];
        t[0] = last;
        sink(t, count - 1, 0);
    }
    for (int i = 1; i < set->touch_count; ++i) {
        const atemi_touch_state touch = t[i];
        int                     to = i;
        for (; to > 0 && is_later(&t[to - 1], &touch); --to) {
            t[to] = t[to - 1];
        }
        t[to] = touch;
    }
}

static int end_of_pair(const atemi_touch_state *touches, int count, int first)
{
    int end = first;
    while (end < count && !comes_before(&touches[first], &touches[end])) {
        ++end;
    }
    return end;
}

// The nearest of the kept touches of a pair that is not taken, if it is near enough.
static atemi_touch_state *nearest(atemi_touch_set *set, int from, int to,
                                  const atemi_touch_state *touch)
{
    double             least = near * set->convexes[touch->first].bound;
    atemi_touch_state *best = NULL;
    for (int k = from; k < to; ++k) {
        const double distance =
            atemi_vec3_norm(atemi_vec3_sub(set->kept[k].at.position, touch->at.position));
        if (!set->kept[k].taken && distance < least) {
            least = distance;
            best = &set->kept[k];
        }
    }
    return best;
}

// Modes and forces of before, from the nearest place of the same pair.
static void remember(atemi_touch_set *set)
{
    for (int i = 0, from = 0, to = 0; i < set->touch_count; ++i) {
        atemi_touch_state *touch = &set->touches[i];
        while (from < set->kept_count && comes_before(&set->kept[from], touch)) {
            ++from;
        }
        const bool is_there = from < set->kept_count && !comes_before(touch, &set->kept[from]);
        to = is_there ? end_of_pair(set->kept, set->kept_count, from) : from;
        atemi_touch_state *before = nearest(set, from, to, touch);
        if (before) {
            touch->mode = before->mode;
            touch->force = before->force;
            before->taken = true;
        }
    }
}

void atemi_touch_set_find(atemi_touch_set *set, const atemi_model *model,
                          const atemi_kinematics *kinematics, const atemi_surface *surfaces,
                          double h)
{
    if (set->count == 0) {
        return;
    }
    atemi_touch_state *kept = set->kept;
    set->kept = set->touches;
    set->kept_count = set->touch_count;
    set->touches = kept;
    set->touch_count = 0;
    place(set, model, kinematics);
    look_ahead(set, model, kinematics, h);
    find_pairs(set, model);
    find_surfaces(set, model, surfaces);
    sort_touches(set);
    remember(set);
}
