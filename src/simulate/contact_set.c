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
    set->anchors[point] = atemi_point_foot(set, point);
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
