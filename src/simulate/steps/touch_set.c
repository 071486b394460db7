// SPDX-License-Identifier: Apache-2.0

#include "simulate/steps/touch_set.h"

#include "dynamics/blocks.h"

#include <math.h>
#include <string.h>

// What the broad phase finds is sorted by shapes, so that it does not depend on the order.

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
    set.broad = atemi_broad_phase_take(arena, shapes);
    set.surface_count = surface_count;
    set.most = shapes->max_touches > 0 ? shapes->max_touches : TOUCHES_OF_SHAPE * set.broad.count;
    set.touches = atemi_arena_array(arena, atemi_touch_state, set.most);
    set.kept = atemi_arena_array(arena, atemi_touch_state, set.most);
    return set;
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
    const atemi_touch_shape *a = &set->broad.shapes[touch->first];
    const double             of_a = slides ? a->kinetic_friction : a->static_friction;
    if (touch->second >= set->broad.count) {
        return of_a;
    }
    const atemi_touch_shape *b = &set->broad.shapes[touch->second];
    return sqrt(of_a * (slides ? b->kinetic_friction : b->static_friction));
}

double atemi_touch_restitution(const atemi_touch_set *set, const atemi_touch_state *touch)
{
    const double of_a = set->broad.shapes[touch->first].restitution;
    return touch->second >= set->broad.count
               ? of_a
               : sqrt(of_a * set->broad.shapes[touch->second].restitution);
}

bool atemi_touch_is_outer(const atemi_model *model, const atemi_touch_state *touch)
{
    const int other = touch->place.other;
    return other == ATEMI_NONE || model->mountings[other].node == ATEMI_NONE;
}

atemi_touch_report atemi_touch_report_of(const atemi_touch_set *set, const atemi_touch_state *touch)
{
    const bool outer = touch->second >= set->broad.count;
    return (atemi_touch_report){.first = touch->first,
                                .second = outer ? ATEMI_NONE : touch->second,
                                .surface = outer ? touch->second - set->broad.count : ATEMI_NONE,
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

// What looks at pairs.
typedef struct pair_finder {
    atemi_touch_set   *set;
    const atemi_model *model;
} pair_finder;

// The first one is not of the world; if neither is, it is the one with the lower index.
static void look_at_pair(void *context, int i, int j)
{
    const pair_finder *finder = (const pair_finder *)context;
    atemi_touch_set   *set = finder->set;
    const atemi_model *model = finder->model;
    const int          low = i < j ? i : j, high = i < j ? j : i;
    const bool         fixed = model->mountings[set->broad.shapes[low].link].node == ATEMI_NONE;
    const int          first = fixed ? high : low, second = fixed ? low : high;
    const int          link = set->broad.shapes[first].link, other = set->broad.shapes[second].link;
    atemi_touch_points found;
    atemi_shapes_touch(&set->broad.placed[first], &set->broad.placed[second],
                       set->broad.reaches[first] + set->broad.reaches[second], &found);
    add_touches(set, first, second, link, other, &found);
}

// The world is the link of surfaces: any link of it will do, or none moves.
static void find_surfaces(atemi_touch_set *set, const atemi_model *model,
                          const atemi_surface *surfaces)
{
    for (int i = 0; i < set->broad.count; ++i) {
        const int link = set->broad.shapes[i].link;
        for (int s = 0; s < set->surface_count; ++s) {
            if (surfaces[s].carried || model->mountings[link].node == ATEMI_NONE) {
                continue;
            }
            atemi_touch_points found;
            atemi_shape_touches_surface(&set->broad.placed[i], &surfaces[s], set->broad.reaches[i],
                                        &found);
            add_touches(set, i, set->broad.count + s, link, ATEMI_NONE, &found);
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
    double             least = near * set->broad.convexes[touch->first].bound;
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
    if (set->broad.count == 0) {
        return;
    }
    atemi_touch_state *kept = set->kept;
    set->kept = set->touches;
    set->kept_count = set->touch_count;
    set->touches = kept;
    set->touch_count = 0;
    pair_finder finder = {set, model};
    atemi_broad_phase_look(&set->broad, model, kinematics, h, 1.0);
    atemi_broad_phase_visit(&set->broad, look_at_pair, &finder);
    find_surfaces(set, model, surfaces);
    sort_touches(set);
    remember(set);
}
