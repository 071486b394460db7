// SPDX-License-Identifier: Apache-2.0

#include "simulate/contact_set.h"

#include "atemi/model.h"
#include "dynamics/blocks.h"

#include <math.h>

static const double no_part = 1e-12; // of the robot's weight, at least

// Squared sine of the angle between two lines that count as parallel.
static const double parallel = 1e-6;

// ---- Creation -------------------------------------------------------------------------------

atemi_simulation_contacts atemi_contact_set_sized(const atemi_model        *model,
                                                  const atemi_shape_points *all)
{
    const double g = atemi_vec3_norm(atemi_model_gravity(model));
    int          rigid = all->most_near;
    for (int i = 0; i < all->point_count; ++i) {
        rigid += all->points[i].compliance == NULL;
    }
    return (atemi_simulation_contacts){
        .surface_count = all->surface_count,
        .point_count = all->point_count,
        .own_count = all->point_count,
        .most_points = all->point_count + all->most_near,
        .most_rigid = rigid,
        .near = {.shapes = all->shapes, .own_surfaces = all->own_surfaces, .most = all->most_near},
        .no_force = no_part * atemi_model_mass(model) * (1.0 + g)};
}

void atemi_contact_set_take(atemi_arena *arena, const atemi_model *model,
                            atemi_simulation_contacts *set)
{
    const int n = set->most_points;
    set->surfaces = atemi_arena_array(arena, atemi_surface, set->surface_count);
    set->points = atemi_arena_array(arena, atemi_simulation_point, n);
    set->pairs = atemi_arena_array(arena, atemi_shape_pair, n - set->own_count);
    int **numbers[] = {&set->patches, &set->starts, &set->ends, &set->sticking_index};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; ++i) {
        *numbers[i] = atemi_arena_array(arena, int, n);
    }
    set->outer = atemi_arena_array(arena, double, n);
    set->parts = atemi_arena_array(arena, atemi_capsule_part, n);
    set->uppers = atemi_arena_array(arena, atemi_capsule_part, n);
    set->modes = atemi_arena_array(arena, atemi_contact_mode, n);
    set->kept_modes = atemi_arena_array(arena, atemi_contact_mode, n);
    set->flight_modes = atemi_arena_array(arena, atemi_contact_mode, n);
    set->states = atemi_arena_array(arena, atemi_contact_state, n);
    set->directed = atemi_arena_array(arena, bool, n);
    set->leaving = atemi_arena_array(arena, bool, n);
    set->carries = atemi_arena_array(arena, bool, n);
    set->signs = atemi_arena_array(arena, double, n);
    set->bounced = atemi_arena_array(arena, double, n);
    atemi_vec3 **vectors[] = {&set->forces, &set->anchors,      &set->directions,
                              &set->leads,  &set->distribution, &set->slips};
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; ++i) {
        *vectors[i] = atemi_arena_array(arena, atemi_vec3, n);
    }
    set->corners = atemi_arena_array(arena, atemi_vec3, 2 * n);
    set->sticking_points = atemi_arena_array(arena, atemi_friction_point, n);
    set->friction_limit = atemi_friction_limit_scratch_take(arena, n);
    set->joints = atemi_joint_modes_take(arena, model);
    atemi_near_points_take(arena, &set->near);
    atemi_closed_loops_take(arena, &set->loops);
}

// Round, tied and soft points are patches of their own.
static bool is_plain(const atemi_simulation_point *point)
{
    return point->radius == 0.0 && !point->tied && !point->compliance;
}

static bool is_same_patch(const atemi_simulation_point *a, const atemi_simulation_point *b)
{
    return is_plain(a) && is_plain(b) && a->link == b->link && a->surface == b->surface;
}

static void find_patches(atemi_simulation_contacts *set)
{
    set->patch_count = 0;
    for (int i = 0; i < set->point_count; ++i) {
        set->patches[i] = set->patch_count;
        for (int j = 0; j < i && set->patches[i] == set->patch_count; ++j) {
            if (is_same_patch(&set->points[j], &set->points[i])) {
                set->patches[i] = set->patches[j];
            }
        }
        if (set->patches[i] == set->patch_count) {
            set->starts[set->patch_count++] = i;
        }
        set->ends[set->patches[i]] = i;
    }
}

// What a force on a point does to the robot's momentum: nothing between two of its links.
static double outer_part(const atemi_simulation_contacts *set, const atemi_model *model, int point)
{
    const atemi_surface *surface = atemi_point_surface(set, point);
    const bool on_robot = surface->carried && model->mountings[surface->link].node != ATEMI_NONE;
    const bool of_robot = model->mountings[set->points[point].link].node != ATEMI_NONE;
    return (double)of_robot - (double)on_robot;
}

void atemi_contact_set_patch(atemi_simulation_contacts *set, const atemi_model *model, int from)
{
    for (int i = from; i < set->point_count; ++i) {
        set->outer[i] = outer_part(set, model, i);
    }
    find_patches(set);
}

void atemi_contact_set_fill(atemi_simulation_contacts *set, const atemi_model *model,
                            const atemi_shape_points *all)
{
    for (int i = 0; i < set->surface_count; ++i) {
        set->surfaces[i] = all->surfaces[i];
    }
    for (int i = 0; i < set->point_count; ++i) {
        set->points[i] = all->points[i];
    }
    atemi_contact_set_patch(set, model, 0);
}

void atemi_contact_set_open_point(atemi_simulation_contacts *set, int point)
{
    set->modes[point] = ATEMI_CONTACT_OPEN;
    set->leaving[point] = false;
    set->parts[point] = set->uppers[point] = ATEMI_CAPSULE_SIDE;
    set->signs[point] = 1.0;
    set->bounced[point] = -(double)INFINITY;
}

void atemi_contact_set_open(atemi_simulation_contacts *set)
{
    atemi_joint_modes_open(&set->joints);
    set->distribution_known = set->distribution_used = false;
    for (int i = 0; i < set->point_count; ++i) {
        atemi_contact_set_open_point(set, i);
    }
}

// ---- Observation ----------------------------------------------------------------------------

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

// ---- Points ---------------------------------------------------------------------------------

const atemi_surface *atemi_point_surface(const atemi_simulation_contacts *set, int point)
{
    return &set->surfaces[set->points[point].surface];
}

bool atemi_point_has_bar(const atemi_simulation_contacts *set, int point)
{
    const atemi_vec3 bar = atemi_point_bar(set, point);
    return atemi_vec3_dot(bar, bar) > 0.0;
}

atemi_vec3 atemi_point_bar(const atemi_simulation_contacts *set, int point)
{
    const atemi_vec3 none = {0.0, 0.0, 0.0};
    return point < set->own_count ? none : set->pairs[point - set->own_count].bar;
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

bool atemi_point_is_rigid(const atemi_simulation_contacts *set, int point)
{
    return !set->points[point].compliance;
}

bool atemi_point_is_held(const atemi_simulation_contacts *set, int point)
{
    return set->modes[point] == ATEMI_CONTACT_STICK || set->modes[point] == ATEMI_CONTACT_SLIP;
}

bool atemi_point_is_held_in(const atemi_simulation_contacts *set, int point, int patch)
{
    return set->patches[point] == patch && atemi_point_is_held(set, point);
}

bool atemi_point_rubs(const atemi_simulation_contacts *set, int point)
{
    return set->modes[point] == ATEMI_CONTACT_SLIP && !set->points[point].tied &&
           set->points[point].kinetic_friction > 0.0;
}

atemi_vec3 atemi_point_along(const atemi_simulation_contacts *set, int point, atemi_vec3 vector)
{
    const atemi_vec3 n = set->states[point].view.normal;
    return atemi_vec3_sub(vector, atemi_vec3_scale(atemi_vec3_dot(vector, n), n));
}

double atemi_point_approach(const atemi_simulation_contacts *set, int point)
{
    return -atemi_vec3_dot(set->states[point].carrier, set->states[point].view.normal);
}

double atemi_point_slide_speed(const atemi_simulation_contacts *set, int point)
{
    return atemi_vec3_norm(atemi_point_along(set, point, set->states[point].velocity));
}

double atemi_point_normal_force(const atemi_simulation_contacts *set, int point)
{
    return atemi_vec3_dot(set->forces[point], set->states[point].view.normal);
}

atemi_contact atemi_point_contact(const atemi_simulation_contacts *set, int point, bool closed,
                                  double friction)
{
    const atemi_surface *surface = atemi_point_surface(set, point);
    return (atemi_contact){.link = set->points[point].link,
                           .point = set->states[point].touch,
                           .normal = set->states[point].view.normal,
                           .mode = closed ? ATEMI_CONTACT_STICK : ATEMI_CONTACT_OPEN,
                           .friction = friction,
                           .carried = surface->carried,
                           .other = surface->link};
}

void atemi_point_open(atemi_simulation_contacts *set, int point)
{
    set->modes[point] = ATEMI_CONTACT_OPEN;
    set->leaving[point] = true;
}

void atemi_point_stick(atemi_simulation_contacts *set, int point)
{
    set->modes[point] = ATEMI_CONTACT_STICK;
    set->anchors[point] = atemi_point_surface(set, point)->carried ? set->states[point].foot
                                                                   : foot_of(&set->states[point]);
}

void atemi_point_follow(atemi_simulation_contacts *set, int point)
{
    const atemi_vec3 slide = atemi_point_along(set, point, set->states[point].velocity);
    const double     speed = atemi_vec3_norm(slide);
    if (set->modes[point] == ATEMI_CONTACT_SLIP && speed > atemi_creeping) {
        set->directions[point] = atemi_vec3_scale(1.0 / speed, slide);
    }
}

// ---- Patches --------------------------------------------------------------------------------

// Whether the held points of a patch do not all lie on one line.
static bool spans_plane(const atemi_simulation_contacts *set, int patch, int first)
{
    const atemi_vec3 origin = set->points[first].point;
    atemi_vec3       longest = {0.0, 0.0, 0.0};
    for (int i = first + 1; i < set->point_count; ++i) {
        const atemi_vec3 d = atemi_vec3_sub(set->points[i].point, origin);
        if (atemi_point_is_held_in(set, i, patch) &&
            atemi_vec3_norm(d) > atemi_vec3_norm(longest)) {
            longest = d;
        }
    }
    for (int i = first + 1; i < set->point_count; ++i) {
        const atemi_vec3 d = atemi_vec3_sub(set->points[i].point, origin);
        if (atemi_point_is_held_in(set, i, patch) && atemi_vec3_norm(atemi_vec3_cross(d, longest)) >
                                                         1e-6 * atemi_vec3_dot(longest, longest)) {
            return true;
        }
    }
    return false;
}

atemi_patch atemi_patch_of(const atemi_simulation_contacts *set, int patch)
{
    atemi_patch sum = {.first = ATEMI_NONE};
    for (int i = set->starts[patch]; i <= set->ends[patch]; ++i) {
        if (atemi_point_is_held_in(set, i, patch)) {
            sum.first = sum.held++ ? sum.first : i;
            sum.sticking += set->modes[i] == ATEMI_CONTACT_STICK;
        }
    }
    if (sum.held) {
        sum.normal = set->states[sum.first].view.normal;
        sum.whole = sum.held >= 3 && sum.sticking == sum.held &&
                    set->surfaces[set->points[sum.first].surface].kind == ATEMI_SURFACE_PLANE &&
                    spans_plane(set, patch, sum.first);
    }
    return sum;
}

atemi_vec3 atemi_patch_center(const atemi_simulation_contacts *set, int patch, bool in_link)
{
    atemi_vec3 sum = {0.0, 0.0, 0.0};
    int        count = 0;
    for (int i = 0; i < set->point_count; ++i) {
        if (atemi_point_is_held_in(set, i, patch)) {
            sum = atemi_vec3_add(sum, in_link ? set->points[i].point : set->states[i].position);
            ++count;
        }
    }
    return atemi_vec3_scale(1.0 / count, sum);
}
