// SPDX-License-Identifier: Apache-2.0

#include "simulate/events/near_points.h"

#include "base/heapsort.h"
#include "dynamics/blocks.h"
#include "simulate/contact_set.h"
#include "simulate/events/evaluation.h"

#include <math.h>
#include <string.h>

// Between two shapes a point is listed as long as their boxes meet, which hold them for a step:
// with half as much room again as their speed takes, and more for what accelerates them. Of a shape
// and a surface, whose distance cannot change faster than the shape moves, it is listed as long as
// that is within the same reach. So a point that is not listed is open, and stays apart for the
// step, unless something leaves its box: then the step is taken again, with wider ones (advance.c).
//
// The order is that of all pairs, so that nothing else depends on what is listed.

// ---- Creation -------------------------------------------------------------------------------

void atemi_near_points_take(atemi_arena *arena, atemi_near_points *near)
{
    const size_t entry = sizeof(atemi_vec3);
    near->broad = atemi_broad_phase_take(arena, near->shapes);
    near->keys = atemi_arena_array(arena, atemi_near_key, near->most);
    near->found = atemi_arena_array(arena, atemi_near_key, near->most);
    near->origins = atemi_arena_array(arena, int, near->most);
    near->scratch = atemi_arena_array(arena, char, entry *(size_t)near->most);
}

// ---- Points ---------------------------------------------------------------------------------

static bool is_capsule(const atemi_touch_shape *shape)
{
    return shape->shape == ATEMI_SHAPE_CAPSULE;
}

static bool is_fixed(const atemi_model *model, const atemi_touch_shape *shape)
{
    return model->mountings[shape->link].node == ATEMI_NONE;
}

static double half_of(const atemi_touch_shape *shape)
{
    return is_capsule(shape) ? 0.5 * shape->size.y : 0.0;
}

// On its axis, so far from its middle.
static atemi_simulation_point point_on(const atemi_touch_shape *of, double along, int surface,
                                       const atemi_touch_shape *other)
{
    const atemi_vec3 offset = atemi_vec3_scale(along, of->pose.rotation.z);
    return (atemi_simulation_point){
        .link = of->link,
        .surface = surface,
        .point = atemi_vec3_add(of->pose.position, offset),
        .radius = of->size.x,
        .static_friction = sqrt(of->static_friction * other->static_friction),
        .kinetic_friction = sqrt(of->kinetic_friction * other->kinetic_friction),
        .restitution = sqrt(of->restitution * other->restitution)};
}

static void make_surface_point(atemi_simulation_contacts *set, const atemi_near_key *key, int at)
{
    const atemi_touch_shape *of = &set->near.broad.shapes[key->shape];
    const int                surface = key->other - set->near.broad.count;
    set->pairs[at - set->own_count] = (atemi_shape_pair){.first = key->shape, .second = key->other};
    set->points[at] = point_on(of, key->end * half_of(of), surface, of);
}

// The first one is not of the world; if neither is, it is the one with the lower index: as by the
// method of steps.
static void make_pair_point(atemi_simulation_contacts *set, const atemi_model *model,
                            const atemi_near_key *key, int at)
{
    const atemi_touch_shape *shapes = set->near.broad.shapes;
    const bool               swap = is_fixed(model, &shapes[key->shape]);
    const int                first = swap ? key->other : key->shape;
    const int                second = swap ? key->shape : key->other;
    const bool               flipped = is_capsule(&shapes[first]) && !is_capsule(&shapes[second]);
    const int                upper = flipped ? second : first, below = flipped ? first : second;
    const atemi_touch_shape *on = &shapes[upper];
    set->pairs[at - set->own_count] =
        (atemi_shape_pair){.first = first,
                           .second = second,
                           .flipped = flipped,
                           .bar = atemi_vec3_scale(half_of(on), on->pose.rotation.z)};
    set->points[at] = point_on(on, 0.0, set->near.own_surfaces + below, &shapes[below]);
}

void atemi_near_points_renew(atemi_simulation_contacts *set, const atemi_model *model)
{
    const atemi_near_points *near = &set->near;
    set->point_count = set->own_count + near->count;
    for (int k = 0; k < near->count; ++k) {
        const atemi_near_key *key = &near->keys[k];
        if (key->other < near->broad.count) {
            make_pair_point(set, model, key, set->own_count + k);
        } else {
            make_surface_point(set, key, set->own_count + k);
        }
    }
    atemi_contact_set_patch(set, model, set->own_count);
}

// ---- What is near ---------------------------------------------------------------------------

static void add_key(atemi_near_points *near, atemi_near_key key)
{
    if (near->found_count == near->most) {
        ++near->lost;
    } else {
        near->found[near->found_count++] = key;
    }
}

static void add_pair(void *context, int a, int b)
{
    add_key((atemi_near_points *)context,
            (atemi_near_key){.shape = a < b ? a : b, .other = a < b ? b : a});
}

// The balls at the ends of a shape, or the only one, on the surfaces of the world.
static void add_surfaces(atemi_near_points *near, const atemi_surface *surfaces, int shape)
{
    const atemi_placed_convex *placed = &near->broad.placed[shape];
    const atemi_touch_shape   *of = &near->broad.shapes[shape];
    const double               half = half_of(of), reach = near->broad.reaches[shape];
    for (int s = 0; s < near->own_surfaces; ++s) {
        for (int end = half > 0.0 ? -1 : 0; end <= 1 && !surfaces[s].carried; end += 2) {
            const atemi_vec3 center = atemi_vec3_add(
                placed->pose.position, atemi_vec3_scale(end * half, placed->pose.rotation.z));
            if (atemi_surface_look(&surfaces[s], center).gap - of->size.x <= reach) {
                add_key(near, (atemi_near_key){
                                  .shape = shape, .other = near->broad.count + s, .end = end});
            }
        }
    }
}

static int compare(const atemi_near_key *a, const atemi_near_key *b)
{
    const int by_shape = (a->shape > b->shape) - (a->shape < b->shape);
    const int by_other = (a->other > b->other) - (a->other < b->other);
    return by_shape ? by_shape : by_other ? by_other : (a->end > b->end) - (a->end < b->end);
}

static bool is_before(const void *a, const void *b)
{
    return compare((const atemi_near_key *)a, (const atemi_near_key *)b) < 0;
}

static void look(atemi_near_points *near, const atemi_surface *surfaces, const atemi_model *model)
{
    near->found_count = 0;
    atemi_broad_phase_visit(&near->broad, add_pair, near);
    for (int i = 0; i < near->broad.count; ++i) {
        if (!is_fixed(model, &near->broad.shapes[i])) {
            add_surfaces(near, surfaces, i);
        }
    }
    atemi_heap_sort(near->found, sizeof *near->found, is_before, near->found_count);
}

// ---- What goes with them --------------------------------------------------------------------

// Whether anything has changed.
static bool trace(atemi_near_points *near)
{
    bool same = near->found_count == near->count;
    for (int k = 0, from = 0; k < near->found_count; ++k) {
        while (from < near->count && compare(&near->keys[from], &near->found[k]) < 0) {
            ++from;
        }
        const bool known = from < near->count && compare(&near->keys[from], &near->found[k]) == 0;
        near->origins[k] = known ? from : ATEMI_NONE;
        same = same && known;
    }
    return !same;
}

// Entries of points that were not listed before are zero.
static void carry(const atemi_near_points *near, void *array, int own, size_t size)
{
    char *entries = (char *)array + (size_t)own * size;
    memcpy(near->scratch, entries, (size_t)near->before * size);
    for (int k = 0; k < near->count; ++k) {
        char *to = entries + (size_t)k * size;
        if (near->origins[k] == ATEMI_NONE) {
            memset(to, 0, size);
        } else {
            memcpy(to, near->scratch + (size_t)near->origins[k] * size, size);
        }
    }
}

#define CARRY(array) carry(&set->near, array, set->own_count, sizeof *(array))

static void carry_all(atemi_simulation_contacts *set, atemi_mode_prediction *prediction)
{
    const atemi_near_points *near = &set->near;
    CARRY(set->modes);
    CARRY(set->kept_modes);
    CARRY(set->forces);
    CARRY(set->anchors);
    CARRY(set->directions);
    CARRY(set->directed);
    CARRY(set->leads);
    CARRY(set->leaving);
    CARRY(set->parts);
    CARRY(set->uppers);
    CARRY(set->signs);
    CARRY(set->bounced);
    CARRY(set->distribution);
    CARRY(prediction->forces);
    for (int k = 0; k < near->count; ++k) {
        if (near->origins[k] == ATEMI_NONE) {
            atemi_contact_set_open_point(set, set->own_count + k);
        }
    }
}

bool atemi_near_points_find(atemi_evaluation *e, atemi_simulation_contacts *set, double wider)
{
    atemi_near_points      *near = &set->near;
    const atemi_kinematics *k = &e->dynamics.bias.kinematics;
    if (near->broad.count == 0) {
        return false;
    }
    atemi_broad_phase_look(&near->broad, e->model, k, e->options->step, wider);
    look(near, set->surfaces, e->model);
    const bool changed = trace(near);
    if (changed) {
        near->before = near->count;
        near->count = near->found_count;
        memcpy(near->keys, near->found, (size_t)near->count * sizeof *near->keys);
        carry_all(set, &e->prediction);
        atemi_near_points_renew(set, e->model);
        atemi_contact_set_observe(set, e->model, k);
    }
    return changed;
}

bool atemi_near_points_hold(const atemi_evaluation *e, const atemi_simulation_contacts *set)
{
    return atemi_broad_phase_holds(&set->near.broad, e->model, &e->dynamics.bias.kinematics);
}
