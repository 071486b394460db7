// SPDX-License-Identifier: Apache-2.0

#include "simulate/contact_set.h"

#include <math.h>

// Squared sine of the angle between two lines that count as parallel.
static const double parallel = 1e-6;

// Where the links are.
typedef struct observer {
    const atemi_model      *model;
    const atemi_kinematics *kinematics;
} observer;

// Where a link is and how it moves.
typedef struct link_motion {
    atemi_transform pose;
    atemi_motion    twist;
} link_motion;

static link_motion motion_of(const observer *o, int link)
{
    return (link_motion){atemi_link_pose_in(o->model, o->kinematics, link),
                         atemi_link_velocity_in(o->model, o->kinematics, link)};
}

// The point of the surface under a point that is as good as on it.
static atemi_vec3 foot_of(const atemi_contact_state *seen)
{
    return atemi_vec3_sub(seen->position, atemi_vec3_scale(seen->view.gap, seen->view.normal));
}

// What is near to a point follows the capsule below it round its ends; what is held goes on along
// the part that it is on, which is an event's to change.
static atemi_surface_view look_at(const atemi_surface *surface, atemi_capsule_part part, bool held,
                                  atemi_vec3 place)
{
    return held && surface->half_length > 0.0 ? atemi_surface_look_at_part(surface, part, place)
                                              : atemi_surface_look(surface, place);
}

// A place of the world in the frame of a link.
static atemi_vec3 in_frame(const atemi_transform *pose, atemi_vec3 place)
{
    return atemi_mat3_apply_transposed(&pose->rotation, atemi_vec3_sub(place, pose->position));
}

static double along_axis(const atemi_surface *surface, atemi_vec3 place)
{
    return atemi_vec3_dot(surface->axis, atemi_vec3_sub(place, surface->position));
}

// What a surface that moves looks like from a place in the world.
static atemi_surface_view view_of_carried(const link_motion *below, const atemi_surface *surface,
                                          atemi_capsule_part part, bool held, atemi_vec3 place,
                                          double *along)
{
    const atemi_vec3   at = in_frame(&below->pose, place);
    atemi_surface_view view = look_at(surface, part, held, at);
    *along = along_axis(surface, at);
    view.normal = atemi_mat3_apply(&below->pose.rotation, view.normal);
    view.bending = atemi_symmetric3_rotated(&view.bending, &below->pose.rotation);
    return view;
}

// Of what moves with `velocity` at a place in the world, as a carried surface sees it.
static atemi_vec3 relative_velocity(const link_motion *below, atemi_vec3 place, atemi_vec3 velocity)
{
    const atemi_vec3 arm = atemi_vec3_sub(place, below->pose.position);
    return atemi_vec3_sub(velocity, atemi_motion_at(below->twist, arm).linear);
}

// How a point is to be looked at.
typedef struct look_setting {
    const atemi_surface *surface;
    double               radius;
    atemi_capsule_part   part, upper;
    bool                 held, has_bar;
    atemi_vec3           middle, bar; // in its link's frame
} look_setting;

// ---- Two capsules

static atemi_capsule_part part_at(double half, double along)
{
    return along > half    ? ATEMI_CAPSULE_TOP
           : along < -half ? ATEMI_CAPSULE_BOTTOM
                           : ATEMI_CAPSULE_SIDE;
}

// A part of the axis of one capsule, and where it is: an end, or anywhere on the line.
typedef struct axis_line {
    atemi_vec3 middle, along; // a unit vector
    double     half;
} axis_line;

static double within(double x, double half)
{
    return fmin(fmax(x, -half), half);
}

static atemi_vec3 on_line(const axis_line *line, double at)
{
    return atemi_vec3_add(line->middle, atemi_vec3_scale(at, line->along));
}

static double nearest_on(const axis_line *line, atemi_vec3 place)
{
    return atemi_vec3_dot(line->along, atemi_vec3_sub(place, line->middle));
}

// Where two lines are nearest to each other, on the first one; its middle where they are parallel.
static double nearest_of_lines(const axis_line *a, const axis_line *b)
{
    const atemi_vec3 d = atemi_vec3_sub(b->middle, a->middle);
    const double     cosine = atemi_vec3_dot(a->along, b->along), sine2 = 1.0 - cosine * cosine;
    const double     of_a = atemi_vec3_dot(d, a->along), of_b = atemi_vec3_dot(d, b->along);
    return sine2 > parallel ? (of_a - cosine * of_b) / sine2 : 0.0;
}

static double end_of(atemi_capsule_part part, double half)
{
    return part == ATEMI_CAPSULE_TOP ? half : -half;
}

// The place on the axis a that is nearest to the axis b: of the segments; or, as long as both are
// held together, of the parts that they touch with, as if these went on. And what of b is nearest
// to it, along a.
static double nearest_of_axes(const look_setting *at, const axis_line *a, const axis_line *b,
                              double *upper_along)
{
    double s = 0.0, t = 0.0;
    if (!at->held) {
        s = within(nearest_of_lines(a, b), a->half);
        t = within(nearest_on(b, on_line(a, s)), b->half);
        s = within(nearest_on(a, on_line(b, t)), a->half);
        t = within(nearest_on(b, on_line(a, s)), b->half);
    } else if (at->upper != ATEMI_CAPSULE_SIDE) {
        s = end_of(at->upper, a->half);
        t = at->part == ATEMI_CAPSULE_SIDE ? nearest_on(b, on_line(a, s))
                                           : end_of(at->part, b->half);
    } else if (at->part != ATEMI_CAPSULE_SIDE) {
        t = end_of(at->part, b->half);
        s = nearest_on(a, on_line(b, t));
    } else {
        s = nearest_of_lines(a, b);
        t = nearest_on(b, on_line(a, s));
    }
    *upper_along = nearest_on(a, on_line(b, t));
    return s;
}

// Of a capsule, in its link's frame, where its axis is nearest to that of the other one.
static atemi_vec3 capsule_center(const look_setting *at, const link_motion *on,
                                 const link_motion *below, double *upper_along)
{
    const double     half = atemi_vec3_norm(at->bar);
    const atemi_vec3 unit = atemi_vec3_scale(1.0 / half, at->bar);
    const axis_line  a = {atemi_transform_apply(&on->pose, at->middle),
                          atemi_mat3_apply(&on->pose.rotation, unit), half};
    const axis_line  b = {atemi_transform_apply(&below->pose, at->surface->position),
                          atemi_mat3_apply(&below->pose.rotation, at->surface->axis),
                          at->surface->half_length};
    const double     s = nearest_of_axes(at, &a, &b, upper_along);
    return atemi_vec3_add(at->middle, atemi_vec3_scale(s, unit));
}

// How the nearest place moves along the axis of the upper capsule, as its normal stays across that.
static void find_passage(const look_setting *at, atemi_vec3 bar, atemi_contact_state *seen)
{
    const atemi_capsule_part upper =
        at->held ? at->upper : part_at(atemi_vec3_norm(bar), seen->upper_along);
    const atemi_vec3 u = atemi_vec3_scale(1.0 / atemi_vec3_norm(bar), bar), n = seen->view.normal;
    const atemi_vec3 turns = atemi_vec3_sub(seen->angular_velocity, seen->surface_turns);
    const atemi_vec3 tilts = atemi_symmetric3_apply(&seen->view.bending, u);
    const double     bends = atemi_vec3_dot(u, tilts);
    const double     distance = seen->view.gap + at->radius + at->surface->radius;
    seen->moves_on = (atemi_vec3){0.0, 0.0, 0.0};
    seen->crossing = 1.0;
    if (upper == ATEMI_CAPSULE_SIDE) {
        seen->crossing = bends * distance;
        const double speed = -(atemi_vec3_dot(n, atemi_vec3_cross(turns, u)) +
                               atemi_vec3_dot(tilts, seen->carrier)) /
                             bends;
        seen->moves_on = atemi_vec3_scale(seen->crossing > parallel ? speed : 0.0, u);
    }
}

// What touches of a ball about the point of a link.
static void look_from_ball(const link_motion *on, double radius, atemi_contact_state *seen)
{
    const atemi_vec3 down = atemi_vec3_scale(-radius, seen->view.normal);
    seen->view.gap -= radius;
    seen->arm = atemi_vec3_add(seen->arm, down);
    seen->position = atemi_vec3_add(seen->position, down);
    seen->velocity = atemi_motion_at(on->twist, seen->arm).linear;
    seen->touch =
        atemi_vec3_add(seen->touch, atemi_mat3_apply_transposed(&on->pose.rotation, down));
}

// Puts the point of a link, and the ball about it, at a place of the link.
static void stand_at(const link_motion *on, atemi_vec3 point, atemi_contact_state *seen)
{
    seen->touch = point;
    seen->arm = atemi_mat3_apply(&on->pose.rotation, point);
    seen->position = atemi_vec3_add(on->pose.position, seen->arm);
    seen->velocity = seen->carrier = atemi_motion_at(on->twist, seen->arm).linear;
    seen->angular_velocity = on->twist.angular;
}

static void look_at_carried(const observer *o, const link_motion *on, const look_setting *at,
                            atemi_contact_state *seen)
{
    const link_motion below = motion_of(o, at->surface->link);
    const atemi_vec3  bar = atemi_mat3_apply(&on->pose.rotation, at->bar);
    if (at->has_bar) {
        stand_at(on, capsule_center(at, on, &below, &seen->upper_along), seen);
    }
    const atemi_vec3 center = seen->position;
    seen->view = view_of_carried(&below, at->surface, at->part, at->held, center, &seen->along);
    if (at->radius > 0.0) {
        look_from_ball(on, at->radius, seen);
    }
    seen->carrier = relative_velocity(&below, center, seen->carrier);
    seen->velocity = relative_velocity(&below, seen->position, seen->velocity);
    seen->surface_turns = below.twist.angular;
    seen->foot = in_frame(&below.pose, foot_of(seen));
    if (at->has_bar) {
        find_passage(at, bar, seen);
    }
}

static void look(const atemi_simulation_contacts *set, const observer *o, const link_motion *on,
                 int i, atemi_contact_state *seen)
{
    const atemi_simulation_point *point = &set->points[i];
    const look_setting            at = {.surface = &set->surfaces[point->surface],
                                        .radius = point->radius,
                                        .part = set->parts[i],
                                        .upper = set->uppers[i],
                                        .held = atemi_point_is_held(set, i),
                                        .middle = point->point,
                                        .bar = atemi_point_bar(set, i),
                                        .has_bar = atemi_point_has_bar(set, i)};
    stand_at(on, point->point, seen);
    if (at.surface->carried) {
        look_at_carried(o, on, &at, seen);
        return;
    }
    seen->view = look_at(at.surface, at.part, at.held, seen->position);
    seen->along = along_axis(at.surface, seen->position);
    if (at.radius > 0.0) {
        look_from_ball(on, at.radius, seen);
    }
}

void atemi_contact_set_observe(atemi_simulation_contacts *set, const atemi_model *model,
                               const atemi_kinematics *kinematics)
{
    const observer o = {model, kinematics};
    link_motion    on = {0};
    for (int i = 0; i < set->point_count; ++i) {
        const int link = set->points[i].link;
        if (i == 0 || link != set->points[i - 1].link) {
            on = motion_of(&o, link);
        }
        look(set, &o, &on, i, &set->states[i]);
        if (!atemi_point_is_held(set, i)) {
            atemi_point_go_round(set, i);
        }
    }
}

atemi_contact_state atemi_contact_set_look(const atemi_simulation_contacts *set,
                                           const atemi_model               *model,
                                           const atemi_kinematics *kinematics, int point)
{
    const observer      o = {model, kinematics};
    const link_motion   on = motion_of(&o, set->points[point].link);
    atemi_contact_state seen = {0};
    look(set, &o, &on, point, &seen);
    return seen;
}

atemi_vec3 atemi_point_foot(const atemi_simulation_contacts *set, int point)
{
    const atemi_contact_state *seen = &set->states[point];
    return atemi_point_surface(set, point)->carried ? seen->foot : foot_of(seen);
}

// How far from the end of a part of a capsule.
static double edge_of(atemi_capsule_part part, double half, double along)
{
    switch (part) {
    case ATEMI_CAPSULE_BOTTOM:
        return -half - along;
    case ATEMI_CAPSULE_TOP:
        return along - half;
    case ATEMI_CAPSULE_SIDE:
        break;
    }
    return half - fabs(along);
}

double atemi_point_edge(const atemi_simulation_contacts *set, int point)
{
    const atemi_contact_state *seen = &set->states[point];
    const double               half = atemi_point_surface(set, point)->half_length;
    double                     edge = (double)INFINITY;
    if (half > 0.0) {
        edge = edge_of(set->parts[point], half, seen->along);
    }
    if (atemi_point_has_bar(set, point)) {
        const double upper_half = atemi_vec3_norm(atemi_point_bar(set, point));
        edge = fmin(edge, edge_of(set->uppers[point], upper_half, seen->upper_along));
    }
    return edge;
}

void atemi_point_go_round(atemi_simulation_contacts *set, int point)
{
    const atemi_contact_state *seen = &set->states[point];
    const double               half = atemi_point_surface(set, point)->half_length;
    if (half > 0.0) {
        set->parts[point] = part_at(half, seen->along);
    }
    if (atemi_point_has_bar(set, point)) {
        const double upper_half = atemi_vec3_norm(atemi_point_bar(set, point));
        set->uppers[point] = part_at(upper_half, seen->upper_along);
    }
}
