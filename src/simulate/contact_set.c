// SPDX-License-Identifier: Apache-2.0

#include "simulate/contact_set.h"

#include "atemi/model.h"
#include "dynamics/blocks.h"

#include <math.h>

static const double no_part = 1e-12; // of the robot's weight, at least

// ---- Creation -------------------------------------------------------------------------------

atemi_simulation_contacts atemi_contact_set_sized(const atemi_model        *model,
                                                  const atemi_shape_points *all)
{
    const double g = atemi_vec3_norm(atemi_model_gravity(model));
    int          rigid = 0;
    for (int i = 0; i < all->point_count; ++i) {
        rigid += all->points[i].compliance == NULL;
    }
    return (atemi_simulation_contacts){.surface_count = all->surface_count,
                                       .point_count = all->point_count,
                                       .own_count = all->own_count,
                                       .shape_count = all->shape_count,
                                       .rigid_count = rigid,
                                       .no_force = no_part * atemi_model_mass(model) * (1.0 + g)};
}

void atemi_contact_set_take(atemi_arena *arena, const atemi_model *model,
                            atemi_simulation_contacts *set)
{
    const int n = set->point_count;
    set->surfaces = atemi_arena_array(arena, atemi_surface, set->surface_count);
    set->points = atemi_arena_array(arena, atemi_simulation_point, n);
    set->pairs = atemi_arena_array(arena, atemi_shape_pair, n - set->own_count);
    int **numbers[] = {&set->patches, &set->starts, &set->ends, &set->sticking_index};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; ++i) {
        *numbers[i] = atemi_arena_array(arena, int, n);
    }
    set->outer = atemi_arena_array(arena, double, n);
    set->parts = atemi_arena_array(arena, atemi_capsule_part, n);
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

void atemi_contact_set_fill(atemi_simulation_contacts *set, const atemi_model *model,
                            const atemi_shape_points *all)
{
    for (int i = 0; i < set->surface_count; ++i) {
        set->surfaces[i] = all->surfaces[i];
    }
    for (int i = 0; i < set->point_count; ++i) {
        set->points[i] = all->points[i];
        set->outer[i] = outer_part(set, model, i);
    }
    for (int i = set->own_count; i < set->point_count; ++i) {
        set->pairs[i - set->own_count] = all->pairs[i];
    }
    find_patches(set);
}

void atemi_contact_set_open(atemi_simulation_contacts *set)
{
    atemi_joint_modes_open(&set->joints);
    set->distribution_known = set->distribution_used = false;
    for (int i = 0; i < set->point_count; ++i) {
        set->modes[i] = ATEMI_CONTACT_OPEN;
        set->leaving[i] = false;
        set->parts[i] = ATEMI_CAPSULE_SIDE;
        set->signs[i] = 1.0;
        set->bounced[i] = -(double)INFINITY;
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

// What touches of a ball about the point of a link.
static void look_from_ball(const link_motion *on, const atemi_simulation_point *point,
                           atemi_contact_state *seen)
{
    const atemi_vec3 down = atemi_vec3_scale(-point->radius, seen->view.normal);
    seen->view.gap -= point->radius;
    seen->arm = atemi_vec3_add(seen->arm, down);
    seen->position = atemi_vec3_add(seen->position, down);
    seen->velocity = atemi_motion_at(on->twist, seen->arm).linear;
    seen->touch =
        atemi_vec3_add(point->point, atemi_mat3_apply_transposed(&on->pose.rotation, down));
}

static void look(const atemi_simulation_contacts *set, const observer *o, const link_motion *on,
                 int i, atemi_contact_state *seen)
{
    const atemi_simulation_point *point = &set->points[i];
    const atemi_surface          *surface = &set->surfaces[point->surface];
    const atemi_vec3              arm = atemi_mat3_apply(&on->pose.rotation, point->point);
    const atemi_vec3              center = atemi_vec3_add(on->pose.position, arm);
    const bool                    held = atemi_point_is_held(set, i);
    link_motion                   below = {0};
    seen->touch = point->point;
    seen->arm = arm;
    seen->position = center;
    seen->velocity = seen->carrier = atemi_motion_at(on->twist, arm).linear;
    seen->angular_velocity = on->twist.angular;
    if (surface->carried) {
        below = motion_of(o, surface->link);
        seen->view = view_of_carried(&below, surface, set->parts[i], held, center, &seen->along);
    } else {
        seen->view = look_at(surface, set->parts[i], held, center);
        seen->along = along_axis(surface, center);
    }
    if (point->radius > 0.0) {
        look_from_ball(on, point, seen);
    }
    if (surface->carried) {
        seen->carrier = relative_velocity(&below, center, seen->carrier);
        seen->velocity = relative_velocity(&below, seen->position, seen->velocity);
        seen->surface_turns = below.twist.angular;
        seen->foot = in_frame(&below.pose, foot_of(seen));
    }
}

static atemi_capsule_part part_at(const atemi_surface *surface, double along)
{
    return along > surface->half_length    ? ATEMI_CAPSULE_TOP
           : along < -surface->half_length ? ATEMI_CAPSULE_BOTTOM
                                           : ATEMI_CAPSULE_SIDE;
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

double atemi_point_edge(const atemi_simulation_contacts *set, int point)
{
    const atemi_surface *surface = atemi_point_surface(set, point);
    const double         along = set->states[point].along, half = surface->half_length;
    if (!(half > 0.0)) {
        return (double)INFINITY;
    }
    switch (set->parts[point]) {
    case ATEMI_CAPSULE_BOTTOM:
        return -half - along;
    case ATEMI_CAPSULE_TOP:
        return along - half;
    case ATEMI_CAPSULE_SIDE:
        break;
    }
    return half - fabs(along);
}

void atemi_point_go_round(atemi_simulation_contacts *set, int point)
{
    const atemi_surface *surface = atemi_point_surface(set, point);
    set->parts[point] = surface->half_length > 0.0 ? part_at(surface, set->states[point].along)
                                                   : ATEMI_CAPSULE_SIDE;
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
