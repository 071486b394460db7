// SPDX-License-Identifier: Apache-2.0

#include "simulate/events/shape_points.h"

#include "atemi/base.h"
#include "dynamics/blocks.h"
#include "dynamics/kinematics.h"
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

static bool is_capsule(const atemi_touch_shape *shape)
{
    return shape->shape == ATEMI_SHAPE_CAPSULE;
}

// ---- The lists ------------------------------------------------------------------------------

// The lists under way.
typedef struct maker {
    const atemi_model       *model;
    const atemi_touch_shape *shapes;
    int                      shape_count, own_surfaces;
    atemi_surface           *surfaces;
    atemi_simulation_point  *points;
    atemi_shape_pair        *pairs;
    int                      count; ///< of the points
    int                      most;
} maker;

// A ball, or a capsule along the z axis of its frame.
static atemi_surface surface_of(const atemi_touch_shape *shape)
{
    const atemi_surface surface = {.kind = ATEMI_SURFACE_SPHERE,
                                   .position = shape->pose.position,
                                   .axis = shape->pose.rotation.z,
                                   .radius = shape->size.x,
                                   .carried = true,
                                   .link = shape->link};
    atemi_surface       capsule = surface;
    capsule.kind = ATEMI_SURFACE_CYLINDER;
    capsule.half_length = 0.5 * shape->size.y;
    return is_capsule(shape) ? capsule : surface;
}

static void add(maker *m, const atemi_touch_shape *of, double along, int surface,
                const atemi_touch_shape *other, atemi_shape_pair pair)
{
    const atemi_vec3 offset = atemi_vec3_scale(along, of->pose.rotation.z);
    m->pairs[m->count] = pair;
    m->points[m->count++] = (atemi_simulation_point){
        .link = of->link,
        .surface = surface,
        .point = atemi_vec3_add(of->pose.position, offset),
        .radius = of->size.x,
        .static_friction =
            other ? sqrt(of->static_friction * other->static_friction) : of->static_friction,
        .kinetic_friction =
            other ? sqrt(of->kinetic_friction * other->kinetic_friction) : of->kinetic_friction,
        .restitution = other ? sqrt(of->restitution * other->restitution) : of->restitution};
}

static bool is_fixed(const maker *m, int shape)
{
    return m->model->mountings[m->shapes[shape].link].node == ATEMI_NONE;
}

static void add_surfaces(maker *m, int shape)
{
    const atemi_touch_shape *of = &m->shapes[shape];
    for (int s = 0; s < m->own_surfaces; ++s) {
        if (m->surfaces[s].carried || is_fixed(m, shape)) {
            continue;
        }
        const atemi_shape_pair pair = {.first = shape, .second = m->shape_count + s};
        const double           half = is_capsule(of) ? 0.5 * of->size.y : 0.0;
        add(m, of, -half, s, NULL, pair);
        if (half > 0.0) {
            add(m, of, half, s, NULL, pair);
        }
    }
}

// The first one is not of the world; if neither is, it is the one with the lower index: as by the
// method of steps.
static void add_pair(maker *m, int low, int high)
{
    const bool swap = is_fixed(m, low);
    const int  first = swap ? high : low, second = swap ? low : high;
    const bool flipped = is_capsule(&m->shapes[first]) && !is_capsule(&m->shapes[second]);
    const int  upper = flipped ? second : first, below = flipped ? first : second;
    const atemi_touch_shape *on = &m->shapes[upper];
    const double             half = is_capsule(on) ? 0.5 * on->size.y : 0.0;
    add(m, on, 0.0, m->own_surfaces + below, &m->shapes[below],
        (atemi_shape_pair){.first = first,
                           .second = second,
                           .flipped = flipped,
                           .bar = atemi_vec3_scale(half, on->pose.rotation.z)});
}

static void add_shapes(maker *m, const atemi_touch_set *touches)
{
    for (int i = 0; i < m->shape_count; ++i) {
        m->surfaces[m->own_surfaces + i] = surface_of(&m->shapes[i]);
        for (int j = i + 1; j < m->shape_count; ++j) {
            if (touches->apart[i * m->shape_count + j]) {
                continue;
            }
            add_pair(m, i, j);
        }
        add_surfaces(m, i);
    }
}

// ---- Creation -------------------------------------------------------------------------------

// What finds the pairs that never touch, for the time being.
typedef struct finder {
    atemi_touch_set    touches;
    atemi_kinematics   kinematics;
    atemi_closed_loops loops;
    double            *q;
} finder;

static finder take(atemi_arena *arena, maker *m, const atemi_simulation_options *options)
{
    atemi_closed_loops loops = atemi_closed_loops_sized(m->model, options);
    atemi_closed_loops_take(arena, &loops);
    m->surfaces = atemi_arena_array(arena, atemi_surface, m->own_surfaces + m->shape_count);
    m->points = atemi_arena_array(arena, atemi_simulation_point, m->most);
    m->pairs = atemi_arena_array(arena, atemi_shape_pair, m->most);
    return (finder){.touches = atemi_touch_set_take(arena, options->shapes, m->own_surfaces),
                    .kinematics = atemi_kinematics_take(arena, m->model),
                    .loops = loops,
                    .q = atemi_arena_array(arena, double, atemi_model_q_count(m->model))};
}

static atemi_status expand(const atemi_simulation_options *options, maker *m,
                           atemi_shape_points *all, atemi_error *error)
{
    all->arena = atemi_arena_measuring();
    take(&all->arena, m, options);
    if (atemi_arena_create(&all->arena, all->arena.used, error)) {
        return ATEMI_ERROR_MEMORY;
    }
    finder find = take(&all->arena, m, options);
    for (int i = 0; i < m->own_surfaces; ++i) {
        m->surfaces[i] = all->surfaces[i];
    }
    for (; m->count < all->own_count; ++m->count) {
        m->points[m->count] = all->points[m->count];
    }
    atemi_closed_loops_fill(&find.loops, m->model, options);
    atemi_touch_set_fill(&find.touches, options->shapes, &find.loops, m->model, &find.kinematics,
                         find.q);
    add_shapes(m, &find.touches);
    all->surfaces = m->surfaces;
    all->surface_count = m->own_surfaces + m->shape_count;
    all->points = m->points;
    all->point_count = m->count;
    all->pairs = m->pairs;
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
                                .point_count = point_count,
                                .own_count = point_count};
    if (!shapes || options->method != ATEMI_METHOD_EVENTS) {
        return ATEMI_OK;
    }
    if (check_shapes(model, shapes, error)) {
        return ATEMI_ERROR_INPUT;
    }
    const int          n = all->shape_count = shapes->count;
    maker              m = {.model = model,
                            .shapes = shapes->shapes,
                            .shape_count = n,
                            .own_surfaces = surface_count,
                            .most = point_count + 2 * n * surface_count + n * (n - 1) / 2};
    const atemi_status status = expand(options, &m, all, error);
    if (status) {
        atemi_shape_points_destroy(all);
    }
    return status;
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
    const bool                 outer = pair->second >= set->shape_count;
    const atemi_vec3           middle = atemi_vec3_scale(-0.5 * seen->view.gap, seen->view.normal);
    return (atemi_touch_report){.first = pair->first,
                                .second = outer ? ATEMI_NONE : pair->second,
                                .surface = outer ? pair->second - set->shape_count : ATEMI_NONE,
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
