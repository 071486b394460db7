// SPDX-License-Identifier: Apache-2.0

#include "simulate/conditions.h"

#include "simulate/patch_friction.h"

#include <math.h>

// The conditions of the modes, with f the forces of a patch's held points and n along the normal:
//
//   open           gap > 0
//   soft           gap < 0
//   slips          it slides on in the direction it had
//   pushes         every f_n >= 0; where the points hold the link as a whole, their centre of
//                  pressure lies within their polygon
//   sticks         the points carry the load along the surface: see friction.h
//
// All have a tolerance for rounding, so that what has just been decided is not broken at once.

static const double released = 1e-11;  // m: a point that was let go may be this far inside
static const double deepest = 1e-10;   // m: and never farther
static const double no_speed = 1e-12;  // m/s
static const double no_part = 1e-12;   // of a force
static const double no_length = 1e-13; // m

int atemi_conditions_count(const atemi_contact_set *set)
{
    return set->point_count + 2 * set->patch_count;
}

// A point that was let go a moment ago is still at its surface; it counts only when it comes back.
static double open_margin(const atemi_contact_set *set, int point)
{
    const double gap = set->states[point].view.gap;
    if (!set->leaving[point]) {
        return gap;
    }
    return gap + (atemi_point_approach(set, point) > 1e3 * no_speed ? released : deepest);
}

static double slide_margin(const atemi_contact_set *set, int point)
{
    const atemi_vec3 d = set->directions[point];
    return atemi_vec3_dot(d, d) > 0.0 ? atemi_vec3_dot(set->states[point].velocity, d) + no_speed
                                      : 1.0;
}

static double point_margin(const atemi_contact_set *set, int point)
{
    switch (set->modes[point]) {
    case ATEMI_CONTACT_OPEN:
        return open_margin(set, point);
    case ATEMI_CONTACT_SOFT:
        return no_length - set->states[point].view.gap;
    case ATEMI_CONTACT_SLIP:
        return slide_margin(set, point);
    default:
        return 1.0;
    }
}

// ---- Patches --------------------------------------------------------------------------------

atemi_pressure atemi_conditions_pressure(const atemi_contact_set *set, int patch,
                                         const atemi_patch *sum)
{
    const atemi_support_plane plane = {set->states[sum->first].position, sum->normal};
    atemi_vec3               *points = set->corners, *vertices = set->corners + set->point_count;
    atemi_vec3                center = {0.0, 0.0, 0.0};
    atemi_pressure            p = {0};
    int                       count = 0;
    for (int i = 0; i < set->point_count; ++i) {
        if (atemi_point_is_held_in(set, i, patch)) {
            const double f = atemi_point_normal_force(set, i);
            points[count++] = set->states[i].position;
            center = atemi_vec3_add(center, atemi_vec3_scale(f, set->states[i].position));
            p.total += f;
        }
    }
    p.support = atemi_support_polygon(&plane, points, count, vertices);
    if (p.total > 0.0) {
        p.margin = atemi_support_distance(&p.support, atemi_vec3_scale(1.0 / p.total, center));
    }
    return p;
}

static double pressure_margin(const atemi_contact_set *set, int patch, const atemi_patch *sum)
{
    const double scale = set->no_force;
    if (sum->whole) {
        const atemi_pressure p = atemi_conditions_pressure(set, patch, sum);
        const double         push = (p.total - scale) / scale * no_part;
        return p.total > scale ? fmin(p.margin.distance + no_length, push) : push;
    }
    double least = (double)INFINITY;
    for (int i = 0; i < set->point_count; ++i) {
        if (atemi_point_is_held_in(set, i, patch)) {
            const bool tied_still = set->points[i].tied && set->modes[i] == ATEMI_CONTACT_STICK;
            least = fmin(least, tied_still ? (double)INFINITY
                                           : set->signs[i] * atemi_point_normal_force(set, i));
        }
    }
    return (least + scale) / scale * no_part;
}

static double friction_margin(const atemi_contact_set *set, int patch, const atemi_patch *sum)
{
    double load = 0.0;
    for (int i = 0; i < set->point_count; ++i) {
        if (set->patches[i] == patch && set->modes[i] == ATEMI_CONTACT_STICK) {
            load += atemi_vec3_norm(atemi_point_along(set, i, set->forces[i]));
        }
    }
    return load <= set->no_force ? 1.0 : atemi_patch_friction(set, patch, sum) + no_part;
}

void atemi_conditions_measure(const atemi_contact_set *set, double *margins)
{
    for (int i = 0; i < set->point_count; ++i) {
        margins[i] = point_margin(set, i);
    }
    for (int p = 0; p < set->patch_count; ++p) {
        const atemi_patch sum = atemi_patch_of(set, p);
        double           *of_patch = margins + set->point_count + (size_t)2 * (size_t)p;
        of_patch[0] = sum.held ? pressure_margin(set, p, &sum) : 1.0;
        of_patch[1] = sum.sticking ? friction_margin(set, p, &sum) : 1.0;
    }
}

// ---- Which is which -------------------------------------------------------------------------

// What condition `index` is, as the modes are.
static atemi_condition condition_at(const atemi_contact_set *set, int index)
{
    if (index >= set->point_count) {
        const int of_patches = index - set->point_count;
        return (atemi_condition){.kind = of_patches % 2 ? ATEMI_CONDITION_FRICTION
                                                        : ATEMI_CONDITION_PRESSURE,
                                 .point = ATEMI_NONE,
                                 .patch = of_patches / 2};
    }
    const bool slips = set->modes[index] == ATEMI_CONTACT_SLIP;
    return (atemi_condition){.kind = slips ? ATEMI_CONDITION_SLIDE : ATEMI_CONDITION_GAP,
                             .point = index,
                             .patch = set->patches[index]};
}

atemi_condition atemi_conditions_broken(const atemi_contact_set *set, const double *margins)
{
    for (int c = 0; c < atemi_conditions_count(set); ++c) {
        if (!(margins[c] >= 0.0)) {
            return condition_at(set, c);
        }
    }
    return (atemi_condition){.kind = ATEMI_CONDITION_NONE};
}
