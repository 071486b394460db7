// SPDX-License-Identifier: Apache-2.0

#include "simulate/events/conditions.h"

#include <math.h>

// The conditions of the modes, with f the forces of a patch's held points and n along the normal:
//
//   open           gap > 0
//   soft           gap < 0
//   is held        it stays on its part of the capsule below it: where the side ends, the second
//                  derivative of the distance jumps, which no step may step over
//   slips          it slides on in the direction it had
//   presses        every f_n >= 0; where the points hold the link as a whole, their centre of
//                  pressure lies within their polygon
//   sticks         the points carry the load along the surface: see "Friction"
//   joint moves    between its stops, and on in its direction if it rubs
//   joint is held  its row's force keeps to its bounds
//
// All have a tolerance for rounding, so that what has just been decided is not broken at once.

static const double released = 1e-11;  // m: a point that was let go may be this far inside
static const double deepest = 1e-10;   // m: and never farther
static const double no_speed = 1e-12;  // m/s
static const double no_part = 1e-12;   // of a force
static const double no_length = 1e-13; // m
static const double past_edge = 1e-9;  // m: what lies on an edge does not go to and fro

int atemi_conditions_count(const atemi_simulation_contacts *set)
{
    return set->point_count + 2 * set->patch_count + 3 * set->joints.count;
}

int atemi_conditions_most(const atemi_simulation_contacts *set)
{
    const int listed = set->point_count - set->own_count;
    return atemi_conditions_count(set) + 3 * (set->near.most - listed);
}

// A point that was let go a moment ago is still at its surface; it counts only when it comes back.
static double open_margin(const atemi_simulation_contacts *set, int point)
{
    const double gap = set->states[point].view.gap;
    if (!set->leaving[point]) {
        return gap;
    }
    return gap + (atemi_point_approach(set, point) > 1e3 * no_speed ? released : deepest);
}

static double slide_margin(const atemi_simulation_contacts *set, int point)
{
    const atemi_vec3 d = set->directions[point];
    return atemi_vec3_dot(d, d) > 0.0 ? atemi_vec3_dot(set->states[point].velocity, d) + no_speed
                                      : 1.0;
}

static double edge_margin(const atemi_simulation_contacts *set, int point)
{
    return atemi_point_edge(set, point) + past_edge;
}

static double point_margin(const atemi_simulation_contacts *set, int point)
{
    switch (set->modes[point]) {
    case ATEMI_CONTACT_OPEN:
        return open_margin(set, point);
    case ATEMI_CONTACT_SOFT:
        return no_length - set->states[point].view.gap;
    case ATEMI_CONTACT_SLIP:
        return fmin(slide_margin(set, point), edge_margin(set, point));
    default:
        return fmin(1.0, edge_margin(set, point));
    }
}

// ---- Patches --------------------------------------------------------------------------------

atemi_pressure atemi_conditions_pressure(const atemi_simulation_contacts *set, int patch,
                                         const atemi_patch *sum)
{
    const atemi_support_plane plane = {set->states[sum->first].position, sum->normal};
    atemi_vec3               *points = set->corners, *vertices = set->corners + set->point_count;
    atemi_vec3                center = {0.0, 0.0, 0.0};
    atemi_pressure            p = {0};
    int                       count = 0;
    for (int i = set->starts[patch]; i <= set->ends[patch]; ++i) {
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

static double pressure_margin(const atemi_simulation_contacts *set, int patch,
                              const atemi_patch *sum)
{
    const double scale = set->no_force;
    if (sum->whole) {
        const atemi_pressure p = atemi_conditions_pressure(set, patch, sum);
        const double         presses = (p.total - scale) / scale * no_part;
        return p.total > scale ? fmin(p.margin.distance + no_length, presses) : presses;
    }
    double least = (double)INFINITY;
    for (int i = set->starts[patch]; i <= set->ends[patch]; ++i) {
        if (atemi_point_is_held_in(set, i, patch)) {
            const bool tied_still = set->points[i].tied && set->modes[i] == ATEMI_CONTACT_STICK;
            least = fmin(least, tied_still ? (double)INFINITY
                                           : set->signs[i] * atemi_point_normal_force(set, i));
        }
    }
    return (least + scale) / scale * no_part;
}

// ---- Friction -------------------------------------------------------------------------------

// The sticking points of a patch carry the friction, F_t and its moment about the
// normal, together. What each of them can carry is its static friction times its normal force.

// The plane of a patch, with its origin at the first point.
typedef struct plane {
    atemi_vec3 origin, x, y;
} plane;

// Where the points are and what they carry stands in set->sticking_points, which they are in
// set->sticking_index.
typedef struct rubbing {
    plane      plane;
    int        count;
    atemi_vec3 load;
} rubbing;

static plane plane_of(const atemi_simulation_contacts *set, const atemi_patch *sum)
{
    const atemi_vec3 n = sum->normal;
    const atemi_vec3 other =
        fabs(n.x) < 0.6 ? (atemi_vec3){1.0, 0.0, 0.0} : (atemi_vec3){0.0, 1.0, 0.0};
    const atemi_vec3 across = atemi_vec3_cross(n, other);
    const atemi_vec3 y = atemi_vec3_scale(1.0 / atemi_vec3_norm(across), across);
    return (plane){set->states[sum->first].position, atemi_vec3_cross(y, n), y};
}

static bool sticks_in(const atemi_simulation_contacts *set, int point, int patch)
{
    return set->patches[point] == patch && set->modes[point] == ATEMI_CONTACT_STICK;
}

static rubbing rubbing_of(const atemi_simulation_contacts *set, int patch, const atemi_patch *sum)
{
    rubbing r = {.plane = plane_of(set, sum)};
    for (int i = set->starts[patch]; i <= set->ends[patch]; ++i) {
        if (!sticks_in(set, i, patch)) {
            continue;
        }
        const atemi_vec3 d = atemi_vec3_sub(set->states[i].position, r.plane.origin);
        const double     x = atemi_vec3_dot(d, r.plane.x), y = atemi_vec3_dot(d, r.plane.y);
        const double     fx = atemi_vec3_dot(set->forces[i], r.plane.x);
        const double     fy = atemi_vec3_dot(set->forces[i], r.plane.y);
        const double     f = atemi_point_normal_force(set, i),
                     normal = set->points[i].tied ? fabs(f) : f;
        set->sticking_index[r.count] = i;
        set->sticking_points[r.count++] =
            (atemi_friction_point){x, y, set->points[i].static_friction * fmax(normal, 0.0)};
        r.load.x -= fx;
        r.load.y -= fy;
        r.load.z -= x * fy - y * fx;
    }
    return r;
}

static atemi_friction_limit limit_of(const atemi_simulation_contacts *set, const rubbing *r)
{
    return atemi_friction_limit_find(set->sticking_points, r->count, r->load, &set->friction_limit);
}

// How far the sticking points of a patch are from slipping, relative: 1 without a load, 0 at the
// limit, negative beyond.
static double slip_margin(const atemi_simulation_contacts *set, int patch, const atemi_patch *sum)
{
    const rubbing r = rubbing_of(set, patch, sum);
    const double  gauge = limit_of(set, &r).gauge;
    return gauge >= 1.0 ? 1.0 - 1.0 / gauge : gauge - 1.0;
}

// Whether the body rotates about this place.
static bool is_pivot(const atemi_simulation_contacts *set, const atemi_friction_limit *limit,
                     atemi_friction_point at)
{
    return limit->pivot != ATEMI_NONE && at.x == set->sticking_points[limit->pivot].x &&
           at.y == set->sticking_points[limit->pivot].y;
}

void atemi_conditions_slip(const atemi_simulation_contacts *set, int patch, const atemi_patch *sum,
                           atemi_vec3 *directions)
{
    const rubbing              r = rubbing_of(set, patch, sum);
    const atemi_friction_limit limit = limit_of(set, &r);
    const atemi_vec3           slip = limit.slip;
    for (int k = 0; k < r.count; ++k) {
        const atemi_friction_point at = set->sticking_points[k];
        const double               ux = slip.x - slip.z * at.y, uy = slip.y + slip.z * at.x;
        const double               speed = hypot(ux, uy);
        const double scale = is_pivot(set, &limit, at) || speed == 0.0 ? 0.0 : 1.0 / speed;
        directions[set->sticking_index[k]] = atemi_vec3_add(
            atemi_vec3_scale(scale * ux, r.plane.x), atemi_vec3_scale(scale * uy, r.plane.y));
    }
}

static double friction_margin(const atemi_simulation_contacts *set, int patch,
                              const atemi_patch *sum)
{
    double load = 0.0;
    for (int i = set->starts[patch]; i <= set->ends[patch]; ++i) {
        if (sticks_in(set, i, patch)) {
            load += atemi_vec3_norm(atemi_point_along(set, i, set->forces[i]));
        }
    }
    return load <= set->no_force ? 1.0 : slip_margin(set, patch, sum) + no_part;
}

// ---- Joints ---------------------------------------------------------------------------------

// As that of an open point.
static double stop_margin(const atemi_joint_modes *joints, int k, int side)
{
    const double gap = atemi_joint_gap(joints, k, side), approach = -side * joints->v[k];
    if (joints->states[k].held) {
        return 1.0;
    }
    if (!joints->states[k].leaving) {
        return gap;
    }
    return gap + (approach > 1e3 * no_speed ? released : deepest);
}

static double own_margin(const atemi_simulation_contacts *set, int k)
{
    const atemi_joint_modes *joints = &set->joints;
    const atemi_joint_mode  *state = &joints->states[k];
    if (state->held) {
        return (atemi_joint_hold_margin(joints, k) + set->no_force) / set->no_force * no_part;
    }
    return state->direction ? state->direction * joints->v[k] + no_speed : 1.0;
}

static void measure_joints(const atemi_simulation_contacts *set, double *margins)
{
    for (int k = 0; k < set->joints.count; ++k) {
        *margins++ = stop_margin(&set->joints, k, 1);
        *margins++ = stop_margin(&set->joints, k, -1);
        *margins++ = own_margin(set, k);
    }
}

// ---- All of them ----------------------------------------------------------------------------

void atemi_conditions_measure(const atemi_simulation_contacts *set, double *margins)
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
    measure_joints(set, margins + set->point_count + (size_t)2 * (size_t)set->patch_count);
}

// ---- Which is which -------------------------------------------------------------------------

static atemi_condition joint_condition(const atemi_simulation_contacts *set, int index)
{
    const int                  k = index / 3;
    const atemi_condition_kind own =
        set->joints.states[k].held ? ATEMI_CONDITION_HOLD : ATEMI_CONDITION_TURN;
    return (atemi_condition){.kind = index % 3 < 2 ? ATEMI_CONDITION_STOP : own,
                             .point = ATEMI_NONE,
                             .patch = ATEMI_NONE,
                             .joint = k};
}

static atemi_condition_kind kind_at_point(const atemi_simulation_contacts *set, int point)
{
    if (!atemi_point_is_held(set, point)) {
        return ATEMI_CONDITION_GAP;
    }
    const bool slips = set->modes[point] == ATEMI_CONTACT_SLIP;
    return slips && edge_margin(set, point) >= 0.0 ? ATEMI_CONDITION_SLIDE : ATEMI_CONDITION_EDGE;
}

// What condition `index` is, as the modes are.
static atemi_condition condition_at(const atemi_simulation_contacts *set, int index)
{
    const int of_points = set->point_count + 2 * set->patch_count;
    if (index >= of_points) {
        return joint_condition(set, index - of_points);
    }
    if (index >= set->point_count) {
        const int of_patches = index - set->point_count;
        return (atemi_condition){.kind = of_patches % 2 ? ATEMI_CONDITION_FRICTION
                                                        : ATEMI_CONDITION_PRESSURE,
                                 .point = ATEMI_NONE,
                                 .patch = of_patches / 2};
    }
    return (atemi_condition){
        .kind = kind_at_point(set, index), .point = index, .patch = set->patches[index]};
}

bool atemi_conditions_is_stop(const atemi_simulation_contacts *set, int condition)
{
    return condition_at(set, condition).kind == ATEMI_CONDITION_STOP;
}

bool atemi_conditions_is_hold(const atemi_simulation_contacts *set, int condition)
{
    return condition_at(set, condition).kind == ATEMI_CONDITION_HOLD;
}

bool atemi_conditions_is_force(const atemi_simulation_contacts *set, int condition)
{
    const atemi_condition_kind kind = condition_at(set, condition).kind;
    return kind == ATEMI_CONDITION_PRESSURE || kind == ATEMI_CONDITION_FRICTION ||
           kind == ATEMI_CONDITION_HOLD;
}

atemi_condition atemi_conditions_broken(const atemi_simulation_contacts *set, const double *margins)
{
    for (int c = 0; c < atemi_conditions_count(set); ++c) {
        if (!(margins[c] >= 0.0)) {
            return condition_at(set, c);
        }
    }
    return (atemi_condition){.kind = ATEMI_CONDITION_NONE};
}

bool atemi_conditions_any_broken(const atemi_simulation_contacts *set, const double *margins)
{
    return atemi_conditions_broken(set, margins).kind != ATEMI_CONDITION_NONE;
}
