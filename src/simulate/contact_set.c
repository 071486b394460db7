// SPDX-License-Identifier: Apache-2.0

#include "simulate/contact_set.h"

#include "dynamics/blocks.h"

#include <math.h>

static const double no_part = 1e-12; // of the robot's weight, at least

// ---- Creation -------------------------------------------------------------------------------

atemi_simulation_contacts atemi_contact_set_sized(const atemi_model *model, int surface_count,
                                                  const atemi_simulation_point *points,
                                                  int                           point_count)
{
    const double g = atemi_vec3_norm(atemi_model_gravity(model));
    int          rigid = 0;
    for (int i = 0; i < point_count; ++i) {
        rigid += points[i].compliance == NULL;
    }
    return (atemi_simulation_contacts){.surface_count = surface_count,
                                       .point_count = point_count,
                                       .rigid_count = rigid,
                                       .no_force = no_part * atemi_model_mass(model) * (1.0 + g)};
}

void atemi_contact_set_take(atemi_arena *arena, const atemi_model *model,
                            atemi_simulation_contacts *set)
{
    const int n = set->point_count;
    set->surfaces = atemi_arena_array(arena, atemi_surface, set->surface_count);
    set->points = atemi_arena_array(arena, atemi_simulation_point, n);
    set->patches = atemi_arena_array(arena, int, n);
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
    set->sticking_index = atemi_arena_array(arena, int, n);
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
        set->patch_count += set->patches[i] == set->patch_count;
    }
}

void atemi_contact_set_fill(atemi_simulation_contacts *set, const atemi_surface *surfaces,
                            const atemi_simulation_point *points)
{
    for (int i = 0; i < set->surface_count; ++i) {
        set->surfaces[i] = surfaces[i];
    }
    for (int i = 0; i < set->point_count; ++i) {
        set->points[i] = points[i];
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

// From a place in the world.
static atemi_surface_view view_of(const observer *o, const atemi_surface *surface, atemi_vec3 place)
{
    if (!surface->carried) {
        return atemi_surface_look(surface, place);
    }
    const atemi_transform pose = atemi_link_pose_in(o->model, o->kinematics, surface->link);
    const atemi_vec3      arm = atemi_vec3_sub(place, pose.position);
    atemi_surface_view    view =
        atemi_surface_look(surface, atemi_mat3_apply_transposed(&pose.rotation, arm));
    view.normal = atemi_mat3_apply(&pose.rotation, view.normal);
    view.bending = atemi_symmetric3_rotated(&view.bending, &pose.rotation);
    return view;
}

// Of what moves with `velocity` at a place in the world, as a carried surface sees it.
static atemi_vec3 relative_velocity(const observer *o, const atemi_surface *surface,
                                    atemi_vec3 place, atemi_vec3 velocity)
{
    const link_motion on = motion_of(o, surface->link);
    const atemi_vec3  arm = atemi_vec3_sub(place, on.pose.position);
    return atemi_vec3_sub(velocity, atemi_motion_at(on.twist, arm).linear);
}

static void look(const observer *o, const link_motion *on, const atemi_surface *surface,
                 const atemi_simulation_point *point, atemi_contact_state *seen)
{
    const atemi_vec3 arm = atemi_mat3_apply(&on->pose.rotation, point->point);
    const atemi_vec3 center = atemi_vec3_add(on->pose.position, arm);
    seen->touch = point->point;
    seen->arm = arm;
    seen->position = center;
    seen->velocity = seen->carrier = atemi_motion_at(on->twist, arm).linear;
    seen->angular_velocity = on->twist.angular;
    seen->view = view_of(o, surface, center);
    if (point->radius > 0.0) {
        const atemi_vec3 down = atemi_vec3_scale(-point->radius, seen->view.normal);
        seen->view.gap -= point->radius;
        seen->arm = atemi_vec3_add(arm, down);
        seen->position = atemi_vec3_add(center, down);
        seen->velocity = atemi_motion_at(on->twist, seen->arm).linear;
        seen->touch =
            atemi_vec3_add(point->point, atemi_mat3_apply_transposed(&on->pose.rotation, down));
    }
    if (surface->carried) {
        seen->carrier = relative_velocity(o, surface, center, seen->carrier);
        seen->velocity = relative_velocity(o, surface, seen->position, seen->velocity);
    }
}

void atemi_contact_set_observe(atemi_simulation_contacts *set, const atemi_model *model,
                               const atemi_kinematics *kinematics)
{
    const observer o = {model, kinematics};
    link_motion    on = {0};
    for (int i = 0; i < set->point_count; ++i) {
        const atemi_simulation_point *point = &set->points[i];
        if (i == 0 || point->link != set->points[i - 1].link) {
            on = motion_of(&o, point->link);
        }
        look(&o, &on, &set->surfaces[point->surface], point, &set->states[i]);
    }
}

// ---- Points ---------------------------------------------------------------------------------

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
    return (atemi_contact){.link = set->points[point].link,
                           .point = set->states[point].touch,
                           .normal = set->states[point].view.normal,
                           .mode = closed ? ATEMI_CONTACT_STICK : ATEMI_CONTACT_OPEN,
                           .friction = friction};
}

// The point of the surface under a point that is as good as on it.
static atemi_vec3 foot_of(const atemi_contact_state *seen)
{
    return atemi_vec3_sub(seen->position, atemi_vec3_scale(seen->view.gap, seen->view.normal));
}

void atemi_point_open(atemi_simulation_contacts *set, int point)
{
    set->modes[point] = ATEMI_CONTACT_OPEN;
    set->leaving[point] = true;
}

void atemi_point_stick(atemi_simulation_contacts *set, int point)
{
    set->modes[point] = ATEMI_CONTACT_STICK;
    set->anchors[point] = foot_of(&set->states[point]);
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
    for (int i = 0; i < set->point_count; ++i) {
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
