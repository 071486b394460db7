// SPDX-License-Identifier: Apache-2.0

#include "contact/friction_limit.h"

#include "atemi/base.h"

#include <float.h>
#include <math.h>

// Points at r_i that carry |f_i| <= c_i take the load w = (F, M) times lambda if
//
//   sum of (f_i, r_i x f_i) = lambda w
//
// where f_i is against the friction on the body. By duality the largest lambda, the gauge, is the
// least power of friction among the slips xi = (u, omega) by which the load does unit power:
//
//   least of  D(xi) = sum of c_i |s_i|,   s_i = u + omega x r_i,   over  w.xi = 1
//
// The slips xi = b + y_1 t_1 + y_2 t_2 make a plane, on which D is convex. It has a kink where the
// body turns about a point, b_j = (-1 x r_j, 1) / (M - r_j x F), and is smooth elsewhere. Forces of
// full size along s_i reach lambda = D. At a kink what they leave for the point itself is
//
//   f_j = lambda F - sum of c_i s_i / |s_i|
//
// and the kink is the least if |f_j| <= c_j. Only the lowest kink need be looked at. If it is not
// the least, the way down from it passes no other: D falls along u = f_j first, and then Newton's
// steps end where the slope vanishes. Each goes on until the slope along it does.
//
// Forces are measured in sum of c_i, places from the mean weighted by c_i and in the mean distance
// from it, and w is scaled to |w| = 1. Then D >= |u| and D >= |omega| - |u|, so |xi| <= sqrt(5) D,
// and where its slope is g, D is within 4.5 g D of the least.
//
// The least sum of f_i^2 / c_i has f_i / c_i = F / sum c_i + M / (sum c_i r_i^2) x r_i.

enum { MOST_STEPS = 100 };

// The slope at the end.
static const double flat = 1e-13;

// Of the power: what is not worth a step. Beside a kink rounding keeps the slope from vanishing.
static const double least_gain = 1e-25;

// Of the trace of the second derivatives, added to them: for points in line they may be singular.
static const double ridge = 1e-14;

typedef atemi_friction_pair pair;

static double dot(pair a, pair b)
{
    return a.x * b.x + a.y * b.y;
}

static pair along(pair a, double s, pair b)
{
    return (pair){a.x + s * b.x, a.y + s * b.y};
}

// The points and the load to scale.
typedef struct patch {
    int        count;
    pair       origin, mean;        // the mean place is their sum
    double     force, length, push; // the units of forces and lengths, and |w| in them
    pair      *place;               // [count]
    double    *most;                // [count]
    atemi_vec3 load;                // of length 1, unless there is none
} patch;

static pair motion_at(atemi_vec3 slip, pair place)
{
    return (pair){slip.x - slip.z * place.y, slip.y + slip.z * place.x};
}

// ---- Scaling --------------------------------------------------------------------------------

static void scale_forces(const atemi_friction_point *points, patch *p)
{
    double sum = 0.0;
    for (int i = 0; i < p->count; ++i) {
        sum += points[i].most;
    }
    p->force = sum > 0.0 ? sum : 1.0;
    for (int i = 0; i < p->count; ++i) {
        p->most[i] = points[i].most / p->force;
    }
}

static int strongest(const atemi_friction_point *points, int count)
{
    int best = 0;
    for (int i = 1; i < count; ++i) {
        best = points[i].most > points[best].most ? i : best;
    }
    return best;
}

// Places count from the strongest point first: differences of close points keep their digits, and
// points at one place have it as their mean to the last bit.
static void center_places(const atemi_friction_point *points, patch *p)
{
    const atemi_friction_point from = points[strongest(points, p->count)];
    p->origin = (pair){from.x, from.y};
    for (int i = 0; i < p->count; ++i) {
        p->place[i] = (pair){points[i].x - from.x, points[i].y - from.y};
        p->mean = along(p->mean, p->most[i], p->place[i]);
    }
    for (int i = 0; i < p->count; ++i) {
        p->place[i] = along(p->place[i], -1.0, p->mean);
    }
}

static void scale_places(patch *p)
{
    double sum = 0.0;
    for (int i = 0; i < p->count; ++i) {
        sum += p->most[i] * sqrt(dot(p->place[i], p->place[i]));
    }
    p->length = sum > 0.0 ? sum : 1.0;
    for (int i = 0; i < p->count; ++i) {
        p->place[i] = (pair){p->place[i].x / p->length, p->place[i].y / p->length};
    }
}

static void scale_load(atemi_vec3 load, patch *p)
{
    const double a = p->origin.x * load.y, b = p->origin.y * load.x;
    const double moment = load.z - (a - b) - (p->mean.x * load.y - p->mean.y * load.x);
    const double rounding = 8.0 * DBL_EPSILON * (fabs(load.z) + fabs(a) + fabs(b));
    p->load = atemi_vec3_scale(1.0 / p->force, load);
    p->load.z = fabs(moment) > rounding ? moment / (p->force * p->length) : 0.0;
    p->push = atemi_vec3_norm(p->load);
    if (p->push > 0.0) {
        p->load = atemi_vec3_scale(1.0 / p->push, p->load);
    }
}

static void scale(const atemi_friction_point *points, int count, atemi_vec3 load, patch *p)
{
    p->count = count;
    p->origin = p->mean = (pair){0.0, 0.0};
    scale_forces(points, p);
    if (count) {
        center_places(points, p);
    }
    scale_places(p);
    scale_load(load, p);
}

// ---- The plane of slips ---------------------------------------------------------------------

typedef struct plane {
    atemi_vec3 base, axis_x, axis_y;
    int        pivot;         // of the base, or ATEMI_NONE
    pair      *at_base;       // [count] s_i
    pair      *per_x, *per_y; // [count] how s_i changes with y_1 and y_2
} plane;

// What a turn about the point costs: sum of c_i |r_i - r_j|.
static double resistance_about(const patch *p, int j)
{
    double sum = 0.0;
    for (int i = 0; i < p->count; ++i) {
        const pair off = along(p->place[i], -1.0, p->place[j]);
        sum += p->most[i] * sqrt(dot(off, off));
    }
    return sum;
}

static double moment_about(const patch *p, int j)
{
    return p->load.z - (p->place[j].x * p->load.y - p->place[j].y * p->load.x);
}

static double power(const patch *p, atemi_vec3 slip)
{
    double sum = 0.0;
    for (int i = 0; i < p->count; ++i) {
        const pair s = motion_at(slip, p->place[i]);
        sum += p->most[i] * sqrt(dot(s, s));
    }
    return sum;
}

// The point that the body turns about most easily, unless to slip as it is pushed is much easier.
static int easiest_pivot(const patch *p)
{
    double least = 1.1 * power(p, p->load);
    int    best = ATEMI_NONE;
    for (int j = 0; j < p->count; ++j) {
        const double moment = fabs(moment_about(p, j)), resistance = resistance_about(p, j);
        if (p->most[j] > 0.0 && resistance < least * moment) {
            least = resistance / moment;
            best = j;
        }
    }
    return best;
}

static void lay_axes(const patch *p, plane *s)
{
    const atemi_mat3 axes = atemi_mat3_with_z(p->load);
    s->axis_x = axes.x;
    s->axis_y = axes.y;
    for (int i = 0; i < p->count; ++i) {
        s->per_x[i] = motion_at(axes.x, p->place[i]);
        s->per_y[i] = motion_at(axes.y, p->place[i]);
    }
}

static void base_on_load(const patch *p, plane *s)
{
    s->base = p->load;
    for (int i = 0; i < p->count; ++i) {
        s->at_base[i] = motion_at(s->base, p->place[i]);
    }
}

// The differences of places keep their digits where points are close to the pivot.
static void base_on_pivot(const patch *p, plane *s)
{
    const pair   r = p->place[s->pivot];
    const double rate = 1.0 / moment_about(p, s->pivot);
    s->base = (atemi_vec3){rate * r.y, -rate * r.x, rate};
    for (int i = 0; i < p->count; ++i) {
        const pair off = along(p->place[i], -1.0, r);
        s->at_base[i] = (pair){-rate * off.y, rate * off.x};
    }
}

static void lay_plane(const patch *p, plane *s)
{
    s->pivot = easiest_pivot(p);
    if (s->pivot == ATEMI_NONE) {
        base_on_load(p, s);
    } else {
        base_on_pivot(p, s);
    }
    lay_axes(p, s);
}

static pair coordinates(const plane *s, atemi_vec3 change)
{
    return (pair){atemi_vec3_dot(s->axis_x, change), atemi_vec3_dot(s->axis_y, change)};
}

static atemi_vec3 slip_at(const plane *s, pair y)
{
    return atemi_vec3_add(s->base, atemi_vec3_add(atemi_vec3_scale(y.x, s->axis_x),
                                                  atemi_vec3_scale(y.y, s->axis_y)));
}

// D about a place of the plane.
typedef struct view {
    double power, held; // held: the most of the points that stand still
    pair   force;       // sum of c_i s_i / |s_i|
    pair   slope;
    double xx, xy, yy; // second derivatives
} view;

static void add_point(double most, pair s, pair per_x, pair per_y, view *sum)
{
    const double speed = sqrt(dot(s, s));
    if (speed == 0.0) {
        sum->held += most;
        return;
    }
    const pair   e = {s.x / speed, s.y / speed}, across = {-e.y, e.x};
    const pair   turn = {dot(across, per_x), dot(across, per_y)};
    const double bend = most / speed;
    sum->power += most * speed;
    sum->force = along(sum->force, most, e);
    sum->slope = along(sum->slope, most, (pair){dot(e, per_x), dot(e, per_y)});
    sum->xx += bend * turn.x * turn.x;
    sum->xy += bend * turn.x * turn.y;
    sum->yy += bend * turn.y * turn.y;
}

static view look(const patch *p, const plane *s, pair y)
{
    view sum = {0};
    for (int i = 0; i < p->count; ++i) {
        const pair at = along(along(s->at_base[i], y.x, s->per_x[i]), y.y, s->per_y[i]);
        add_point(p->most[i], at, s->per_x[i], s->per_y[i], &sum);
    }
    return sum;
}

// ---- The way down ---------------------------------------------------------------------------

// Goes along d to where D has nearly stopped falling: its slope is a tenth of what it was. False,
// and no step, if rounding hides that place.
static bool go_down(const patch *p, const plane *s, pair d, double slope, double step, pair *y,
                    view *now)
{
    const double before = now->power * (1.0 + 4.0 * DBL_EPSILON);
    double       low = 0.0, high = (double)INFINITY;
    while (step > low && step < high) {
        const pair   at = along(*y, step, d);
        const view   there = look(p, s, at);
        const double here = dot(there.slope, d);
        if (fabs(here) <= 0.1 * slope && there.power <= before) {
            *y = at;
            *now = there;
            return true;
        }
        low = here < 0.0 ? step : low;
        high = here < 0.0 ? high : step;
        step = isinf(high) ? 4.0 * step : 0.5 * (low + high);
    }
    return false;
}

static pair newton_direction(const view *v)
{
    const double more = ridge * (v->xx + v->yy), xx = v->xx + more, yy = v->yy + more;
    const double determinant = xx * yy - v->xy * v->xy;
    return (pair){(v->xy * v->slope.y - yy * v->slope.x) / determinant,
                  (v->xy * v->slope.x - xx * v->slope.y) / determinant};
}

static void settle(const patch *p, const plane *s, pair *y, view *now)
{
    for (int i = 0; i < MOST_STEPS && dot(now->slope, now->slope) > flat * flat; ++i) {
        const pair   d = newton_direction(now);
        const double slope = -dot(now->slope, d);
        if (!(slope > least_gain * now->power) || !go_down(p, s, d, slope, 1.0, y, now)) {
            return;
        }
    }
}

// Whether the pivot carries what the others leave to it.
static bool pivot_stands(const patch *p, const plane *s, const view *v, pair *left)
{
    *left = along((pair){v->power * p->load.x, v->power * p->load.y}, -1.0, v->force);
    const pair   r = p->place[s->pivot];
    const double excess = sqrt(dot(*left, *left)) - v->held;
    return excess * sqrt(1.0 + dot(r, r)) <= flat;
}

// The pivot moves as it is pulled.
static bool leave_pivot(const patch *p, const plane *s, pair left, pair *y, view *now)
{
    const double     pull = sqrt(dot(left, left));
    const double     fraction = (p->load.x * left.x + p->load.y * left.y) / pull;
    const atemi_vec3 moved = {left.x / pull, left.y / pull, 0.0};
    const pair       d = coordinates(s, atemi_vec3_sub(moved, atemi_vec3_scale(fraction, s->base)));
    const double     slope = pull - now->held;
    const double     bend = d.x * (now->xx * d.x + 2.0 * now->xy * d.y) + d.y * now->yy * d.y;
    return go_down(p, s, d, slope, bend > slope ? slope / bend : 1.0, y, now);
}

// ---- The interface --------------------------------------------------------------------------

// Back to the units and the origin of the caller.
static atemi_vec3 unscaled(const patch *p, atemi_vec3 slip)
{
    const double s = 1.0 / (p->force * p->push), rate = s * slip.z / p->length;
    const pair   at = along(p->origin, 1.0, p->mean);
    return (atemi_vec3){s * slip.x + rate * at.y, s * slip.y - rate * at.x, rate};
}

static atemi_friction_limit find(const patch *p, const atemi_friction_limit_scratch *scratch)
{
    plane s = {.at_base = scratch->at_base, .per_x = scratch->per_x, .per_y = scratch->per_y};
    pair  y = {0.0, 0.0}, left;
    lay_plane(p, &s);
    view now = look(p, &s, y);
    if (s.pivot != ATEMI_NONE && !pivot_stands(p, &s, &now, &left) &&
        leave_pivot(p, &s, left, &y, &now)) {
        s.pivot = ATEMI_NONE;
    }
    if (s.pivot == ATEMI_NONE) {
        settle(p, &s, &y, &now);
    }
    return (atemi_friction_limit){now.power / p->push, unscaled(p, slip_at(&s, y)), s.pivot};
}

atemi_friction_limit_scratch atemi_friction_limit_scratch_take(atemi_arena *arena, int max_points)
{
    atemi_friction_limit_scratch s = {.max_points = max_points};
    s.most = atemi_arena_array(arena, double, max_points);
    s.place = atemi_arena_array(arena, pair, max_points);
    s.at_base = atemi_arena_array(arena, pair, max_points);
    s.per_x = atemi_arena_array(arena, pair, max_points);
    s.per_y = atemi_arena_array(arena, pair, max_points);
    return s;
}

atemi_friction_limit atemi_friction_limit_find(const atemi_friction_point *points, int count,
                                               atemi_vec3                          load,
                                               const atemi_friction_limit_scratch *scratch)
{
    const atemi_friction_limit free = {.gauge = (double)INFINITY, .pivot = ATEMI_NONE};
    ATEMI_REQUIRE_OR(scratch && count >= 0 && count <= scratch->max_points, free);
    ATEMI_REQUIRE_OR(points || count == 0, free);
    patch p = {.place = scratch->place, .most = scratch->most};
    scale(points, count, load, &p);
    return p.push > 0.0 ? find(&p, scratch) : free;
}
