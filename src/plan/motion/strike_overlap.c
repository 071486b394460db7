// SPDX-License-Identifier: Apache-2.0

#include "atemi/strike_verification.h"

#include "atemi/base.h"
#include "atemi/model.h"
#include "dynamics/kinematics.h"
#include "model/shape_capsule.h"

#include <math.h>
#include <string.h>

// Two capsules of radii r and R with axes a + s u and b + t w, s and t from 0 to 1, overlap by
//
//   r + R - min |a + s u - b - t w|
//
// The nearest t of a given s, and then s of that t, each kept within 0 to 1 [Ericson05, 5.1.9].

static const double period = 0.005; // s between looks

typedef struct capsule {
    int        link;
    atemi_vec3 start, axis; ///< of the axis, in the link's frame
    double     radius;
} capsule;

typedef struct search {
    const atemi_model     *model;
    atemi_arena            arena;
    atemi_kinematics       kinematics;
    double                *neutral; ///< [q_count]
    int                    count;
    capsule               *shapes; ///< [count]
    capsule               *placed; ///< [count] in the world
    double                *made;   ///< [link_count x link_count] depths with all joints at zero
    double                 time;   ///< of the posture that is looked at, s
    atemi_strike_overlaps *found;
} search;

// ---- Capsules

// Without radius where there is none in it.
static capsule inside(const atemi_geometry *shape)
{
    const shape_capsule c = shape_capsule_in(shape);
    return (capsule){shape->link, c.from, atemi_vec3_sub(c.to, c.from), c.radius};
}

// ---- Overlap

static double within(double part)
{
    return fmin(fmax(part, 0.0), 1.0);
}

// Where a segment is nearest to a point.
static double nearest(const capsule *c, atemi_vec3 point)
{
    const double length = atemi_vec3_dot(c->axis, c->axis);
    const double along = atemi_vec3_dot(c->axis, atemi_vec3_sub(point, c->start));
    return length > 0.0 ? within(along / length) : 0.0;
}

static atemi_vec3 point_of(const capsule *c, double part)
{
    return atemi_vec3_add(c->start, atemi_vec3_scale(part, c->axis));
}

// The part of the first axis where the two lines, without ends, are nearest.
static double nearest_of_lines(const capsule *a, const capsule *b)
{
    const atemi_vec3 r = atemi_vec3_sub(a->start, b->start);
    const double     uu = atemi_vec3_dot(a->axis, a->axis), ww = atemi_vec3_dot(b->axis, b->axis);
    const double     uw = atemi_vec3_dot(a->axis, b->axis);
    const double     ur = atemi_vec3_dot(a->axis, r), wr = atemi_vec3_dot(b->axis, r);
    const double     scale = uu * ww - uw * uw;
    return scale > 1e-12 * uu * ww ? within((uw * wr - ur * ww) / scale) : 0.5;
}

static double overlap(const capsule *a, const capsule *b)
{
    const double     t = nearest(b, point_of(a, nearest_of_lines(a, b)));
    const double     s = nearest(a, point_of(b, t));
    const atemi_vec3 between = atemi_vec3_sub(point_of(a, s), point_of(b, t));
    return a->radius + b->radius - atemi_vec3_norm(between);
}

// ---- Links

static bool has_shape(const search *s, int link)
{
    bool found = false;
    for (int i = 0; i < s->count; ++i) {
        found = found || s->shapes[i].link == link;
    }
    return found;
}

// The next link above that has a shape, or ATEMI_NONE; also of ATEMI_NONE.
static int above(const search *s, int link)
{
    int joint = link == ATEMI_NONE ? ATEMI_NONE : atemi_model_link(s->model, link)->parent_joint;
    while (joint != ATEMI_NONE) {
        link = atemi_model_joint(s->model, joint)->parent_link;
        if (has_shape(s, link)) {
            return link;
        }
        joint = atemi_model_link(s->model, link)->parent_joint;
    }
    return ATEMI_NONE;
}

static double *depth_of(const search *s, int first, int second)
{
    return s->made + (ptrdiff_t)first * atemi_model_link_count(s->model) + second;
}

static bool is_near(const search *s, int upper, int lower)
{
    return above(s, lower) == upper || above(s, above(s, lower)) == upper;
}

static bool is_made_so(const search *s, int first, int second)
{
    return first == second || is_near(s, first, second) || is_near(s, second, first) ||
           *depth_of(s, first, second) > 0.0;
}

// ---- What is found

static void place(search *s, const double *q)
{
    atemi_kinematics_update(s->model, q, NULL, NULL, &s->kinematics);
    for (int i = 0; i < s->count; ++i) {
        const atemi_transform pose =
            atemi_link_pose_in(s->model, &s->kinematics, s->shapes[i].link);
        s->placed[i] = s->shapes[i];
        s->placed[i].start = atemi_transform_apply(&pose, s->shapes[i].start);
        s->placed[i].axis = atemi_mat3_apply(&pose.rotation, s->shapes[i].axis);
    }
}

static void take_made(search *s, const capsule *a, const capsule *b, double depth)
{
    *depth_of(s, a->link, b->link) = fmax(*depth_of(s, a->link, b->link), depth);
    *depth_of(s, b->link, a->link) = *depth_of(s, a->link, b->link);
}

// In the place of the same two links, or behind the others, or in that of the least.
static void keep(atemi_strike_overlaps *found, const atemi_strike_overlap *seen)
{
    int i = 0;
    while (i < found->count &&
           (found->list[i].first != seen->first || found->list[i].second != seen->second)) {
        ++i;
    }
    if (i == found->count && i < ATEMI_STRIKE_MAX_OVERLAPS) {
        found->list[found->count++].depth = 0.0;
    }
    i = i < found->count ? i : found->count - 1;
    if (found->list[i].depth >= seen->depth) {
        return;
    }
    for (; i > 0 && found->list[i - 1].depth < seen->depth; --i) {
        found->list[i] = found->list[i - 1];
    }
    found->list[i] = *seen;
}

static void take_seen(search *s, const capsule *a, const capsule *b, double depth)
{
    const bool                 in_order = a->link < b->link;
    const atemi_strike_overlap seen = {.first = in_order ? a->link : b->link,
                                       .second = in_order ? b->link : a->link,
                                       .depth = depth,
                                       .time = s->time};
    if (!is_made_so(s, a->link, b->link)) {
        keep(s->found, &seen);
    }
}

static void look(search *s, const double *q,
                 void (*found)(search *s, const capsule *a, const capsule *b, double depth))
{
    place(s, q);
    for (int i = 0; i < s->count; ++i) {
        for (int k = i + 1; k < s->count; ++k) {
            const double depth = overlap(&s->placed[i], &s->placed[k]);
            if (depth > 0.0) {
                found(s, &s->placed[i], &s->placed[k], depth);
            }
        }
    }
}

// ---- All of it

static void take(search *s, atemi_arena *arena)
{
    const int links = atemi_model_link_count(s->model);
    const int shapes = atemi_model_geometry_count(s->model);
    s->kinematics = atemi_kinematics_take(arena, s->model);
    s->neutral = atemi_arena_array(arena, double, atemi_model_q_count(s->model));
    s->shapes = atemi_arena_array(arena, capsule, shapes);
    s->placed = atemi_arena_array(arena, capsule, shapes);
    s->made = atemi_arena_array(arena, double, links *links);
}

static void find_shapes(search *s)
{
    for (int i = 0; i < atemi_model_geometry_count(s->model); ++i) {
        const atemi_geometry *shape = atemi_model_geometry(s->model, i);
        const capsule         c = inside(shape);
        if (shape->collision && c.radius > 0.0) {
            s->shapes[s->count++] = c;
        }
    }
}

static void find_made(search *s)
{
    const size_t links = (size_t)atemi_model_link_count(s->model);
    memset(s->made, 0, links * links * sizeof *s->made);
    atemi_configuration_neutral(s->model, s->neutral);
    look(s, s->neutral, take_made);
}

atemi_status atemi_strike_overlaps_find(const atemi_model *model, const atemi_strike_motion *motion,
                                        atemi_strike_overlaps *overlaps, atemi_error *error)
{
    search      s = {.model = model, .found = overlaps};
    const int   stride = (int)fmax(period / motion->step, 1.0);
    atemi_arena arena = atemi_arena_measuring();
    *overlaps = (atemi_strike_overlaps){0};
    take(&s, &arena);
    const atemi_status status = atemi_arena_create(&s.arena, arena.used, error);
    if (status) {
        return status;
    }
    take(&s, &s.arena);
    find_shapes(&s);
    find_made(&s);
    for (int i = 0; i < motion->count; i += stride) {
        s.time = atemi_strike_motion_time(motion, i);
        look(&s, motion->q + (size_t)i * (size_t)motion->q_count, take_seen);
    }
    atemi_arena_destroy(&s.arena);
    return ATEMI_OK;
}
