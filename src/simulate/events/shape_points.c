// SPDX-License-Identifier: Apache-2.0

#include "simulate/events/shape_points.h"

#include "atemi/base.h"
#include "simulate/contact_set.h"
#include "simulate/steps/touch_set.h"

#include <math.h>

// The method of events follows distances that are smooth. With c a place of one link and r the
// radius there, that of
//
//   a ball from a surface           is the surface's distance from its centre c, less r
//   a capsule from a plane          is that of the nearer of its two end balls
//   a ball from a ball or a capsule is that of c from the other one's surface
//   a capsule from a capsule        is the same, from the place of its axis that is nearest
//
// where links carry the other ones' surfaces, so that each is a point with a radius on a surface;
// the last one with a bar, its axis. Where two capsules come to lie side by side, the nearest
// places leap from end to end: a run ends there.

// Deeper, in m, nothing starts: lifting it out would give it energy.
static const double deepest = 1e-6;

// ---- What is refused ------------------------------------------------------------------------

static const char *link_of(const atemi_model *model, const atemi_touch_shape *shape)
{
    return atemi_model_link(model, shape->link)->name;
}

static atemi_status check_shapes(const atemi_model *model, const atemi_simulation_shapes *shapes,
                                 atemi_error *error)
{
    for (int i = 0; i < shapes->count; ++i) {
        const atemi_touch_shape *shape = &shapes->shapes[i];
        if (shape->shape != ATEMI_SHAPE_SPHERE && shape->shape != ATEMI_SHAPE_CAPSULE) {
            return atemi_fail(error, ATEMI_ERROR_INPUT,
                              "the %s of link '%s' is to touch as a shape, but distances between "
                              "such shapes are not smooth; the method of events knows balls and "
                              "capsules: give these in its place, or take method: steps",
                              atemi_shape_text(shape->shape), link_of(model, shape));
        }
    }
    return ATEMI_OK;
}

// ---- Creation -------------------------------------------------------------------------------

// Points of shapes at once: so many of each, and for a few of them more.
enum { POINTS_OF_SHAPE = 4, LEAST_POINTS = 64 };

// A ball, or a capsule along the z axis of its frame.
static atemi_surface surface_of(const atemi_touch_shape *shape)
{
    const bool is_capsule = shape->shape == ATEMI_SHAPE_CAPSULE;
    return (atemi_surface){.kind = is_capsule ? ATEMI_SURFACE_CYLINDER : ATEMI_SURFACE_SPHERE,
                           .position = shape->pose.position,
                           .axis = shape->pose.rotation.z,
                           .radius = shape->size.x,
                           .half_length = is_capsule ? 0.5 * shape->size.y : 0.0,
                           .carried = true,
                           .link = shape->link};
}

// Some of each shape; all of few, which each other and the surfaces may touch.
static int most_near(const atemi_simulation_shapes *shapes, int surface_count)
{
    const int    some = POINTS_OF_SHAPE * shapes->count;
    const double n = shapes->count, all = n * (2.0 * surface_count + 0.5 * (n - 1.0));
    const int    room = shapes->max_touches > 0 ? shapes->max_touches
                        : some > LEAST_POINTS   ? some
                                                : LEAST_POINTS;
    return all < room ? (int)all : room;
}

static atemi_status expand(atemi_shape_points *all, atemi_error *error)
{
    const int   count = all->own_surfaces + all->shapes->count;
    atemi_arena measuring = atemi_arena_measuring();
    atemi_arena_array(&measuring, atemi_surface, count);
    if (atemi_arena_create(&all->arena, measuring.used, error)) {
        return ATEMI_ERROR_MEMORY;
    }
    atemi_surface *surfaces = atemi_arena_array(&all->arena, atemi_surface, count);
    for (int i = 0; i < all->own_surfaces; ++i) {
        surfaces[i] = all->surfaces[i];
    }
    for (int i = 0; i < all->shapes->count; ++i) {
        surfaces[all->own_surfaces + i] = surface_of(&all->shapes->shapes[i]);
    }
    all->surfaces = surfaces;
    all->surface_count = count;
    return ATEMI_OK;
}

atemi_status atemi_shape_points_create(const atemi_model *model, const atemi_surface *surfaces,
                                       int surface_count, const atemi_simulation_point *points,
                                       int point_count, const atemi_simulation_options *options,
                                       atemi_shape_points *all, atemi_error *error)
{
    const atemi_simulation_shapes *shapes = options->shapes;
    *all = (atemi_shape_points){.surfaces = surfaces,
                                .surface_count = surface_count,
                                .points = points,
                                .own_surfaces = surface_count,
                                .point_count = point_count};
    if (!shapes || options->method != ATEMI_METHOD_EVENTS) {
        return ATEMI_OK;
    }
    if (check_shapes(model, shapes, error)) {
        return ATEMI_ERROR_INPUT;
    }
    all->shapes = shapes;
    all->most_near = most_near(shapes, surface_count);
    return expand(all, error);
}

void atemi_shape_points_destroy(atemi_shape_points *all)
{
    atemi_arena_destroy(&all->arena);
    *all = (atemi_shape_points){0};
}

atemi_status atemi_simulation_shapes_check(const atemi_model              *model,
                                           const atemi_simulation_options *options,
                                           atemi_error                    *error)
{
    ATEMI_REQUIRE_OR(model && options, ATEMI_ERROR_CONTRACT);
    atemi_shape_points all = {0};
    atemi_status       status = atemi_touch_set_check(model, options, error);
    status =
        status ? status : atemi_shape_points_create(model, NULL, 0, NULL, 0, options, &all, error);
    atemi_shape_points_destroy(&all);
    return status;
}

// ---- What ends a run ------------------------------------------------------------------------

// Squared sine of the angle between two capsules below which the nearest places move a hundred
// times as fast as the one rolls on the other.
static const double least_crossing = 0.01;

atemi_status atemi_shape_points_check_crossing(const atemi_simulation_contacts *set,
                                               const atemi_model *model, double time,
                                               atemi_error *error)
{
    for (int i = set->own_count; i < set->point_count; ++i) {
        if (atemi_point_has_bar(set, i) && atemi_point_is_held(set, i) &&
            set->states[i].crossing < least_crossing) {
            return atemi_fail(
                error, ATEMI_ERROR_SINGULAR,
                "at t = %.9g s the capsules of links '%s' and '%s' touch side by side, "
                "where their nearest places leap from end to end; give balls in place "
                "of one of them, exclude the pair, or take method: steps",
                time, atemi_model_link(model, set->points[i].link)->name,
                atemi_model_link(model, atemi_point_surface(set, i)->link)->name);
        }
    }
    return ATEMI_OK;
}

// ---- What a caller sees ---------------------------------------------------------------------

double atemi_shape_point_sign(const atemi_simulation_contacts *set, int point)
{
    return set->pairs[point - set->own_count].flipped ? -1.0 : 1.0;
}

atemi_touch_report atemi_shape_point_report(const atemi_simulation_contacts *set, int point)
{
    const atemi_shape_pair    *pair = &set->pairs[point - set->own_count];
    const atemi_contact_state *seen = &set->states[point];
    const double               sign = atemi_shape_point_sign(set, point);
    const int                  shapes = set->near.broad.count;
    const bool                 outer = pair->second >= shapes;
    const atemi_vec3           middle = atemi_vec3_scale(-0.5 * seen->view.gap, seen->view.normal);
    return (atemi_touch_report){.first = pair->first,
                                .second = outer ? ATEMI_NONE : pair->second,
                                .surface = outer ? pair->second - shapes : ATEMI_NONE,
                                .mode = set->modes[point],
                                .gap = seen->view.gap,
                                .position = atemi_vec3_add(seen->position, middle),
                                .normal = atemi_vec3_scale(sign, seen->view.normal),
                                .force = atemi_vec3_scale(sign, set->forces[point])};
}

atemi_status atemi_shape_points_check_apart(const atemi_simulation_contacts *set,
                                            const atemi_model *model, atemi_error *error)
{
    for (int i = set->own_count; i < set->point_count; ++i) {
        const atemi_surface *surface = &set->surfaces[set->points[i].surface];
        const double         depth = -set->states[i].view.gap;
        if (depth > deepest) {
            return atemi_fail(
                error, ATEMI_ERROR_INPUT,
                "link '%s' starts %.3g m inside %s%s%s; start farther away, or exclude "
                "the pair",
                atemi_model_link(model, set->points[i].link)->name, depth,
                surface->carried ? "link '" : "a surface",
                surface->carried ? atemi_model_link(model, surface->link)->name : "",
                surface->carried ? "'" : "");
        }
    }
    return ATEMI_OK;
}

atemi_status atemi_shape_points_check_room(const atemi_simulation_contacts *set, double time,
                                           atemi_error *error)
{
    return set->near.lost == 0
               ? ATEMI_OK
               : atemi_fail(error, ATEMI_ERROR_LIMIT,
                            "at t = %.9g s shapes are as good as in touch at more than %d places; "
                            "give room for more (shapes.places; max_touches in C), or fewer shapes",
                            time, set->near.most);
}

int atemi_shape_points_touching(const atemi_simulation_contacts *set)
{
    int count = 0;
    for (int i = set->own_count; i < set->point_count; ++i) {
        count += atemi_point_is_held(set, i);
    }
    return count;
}

int atemi_shape_point_touching(const atemi_simulation_contacts *set, int index)
{
    for (int i = set->own_count; i < set->point_count; ++i) {
        if (atemi_point_is_held(set, i) && index-- == 0) {
            return i;
        }
    }
    return ATEMI_NONE;
}
