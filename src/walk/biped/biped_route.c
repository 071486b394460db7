// SPDX-License-Identifier: Apache-2.0

#include "walk/biped/biped_map.h"
#include "walk/biped/biped_parts.h"

#include <math.h>

// The steps ahead, where they are known: footsteps that are given, or those of the gait on a map,
// each moved along its heading until its whole sole lies on one tread.
//
// With footholds u_j and their times T_j, xi on landing on u_j has to be u_j + b_j, for it to be
// u_{j+1} + b_{j+1} at the landing after that (biped_gait.c has k and the equation of a step):
//
//   b_j = (u_{j+1} + b_{j+1} - u_j) / E_{j+1} - k (u_j - u_{j-1}),    E_j = e^(w T_j)
//
// Backwards from the last step that is known, after which the robot would step on the spot:
//
//   b_n = (1 + k E_n) / (1 + E_n) (u_{n-1} - u_n)
//
// An error of b_n is e^(w (T_1 + ... + T_n)) times smaller in b_0.

static const double tread_margin = 0.015; // legs, from the sole to an edge
static const double flat = 0.006;         // legs, of the ground under a sole from a plane
static const double spacing = 0.02;       // legs, of the places that are looked at
static const double farthest = 0.4;       // legs, that a foothold is moved
static const double least_way = 0.15;     // of a step, that is left of it when it is moved back
static const double dear = 2.0;           // a shift ahead, beside one back
static const double from_edge = 0.05;     // legs, into a tread, where it is that long
static const double pace = 1.5;           // g, of the swinging foot
static const double peak = 5.77;          // of the acceleration of a quintic, in distance / time^2

static floor_point toward(floor_point from, double heading, double ahead, double left)
{
    const double c = cos(heading), s = sin(heading);
    return (floor_point){from.x + c * ahead - s * left, from.y + s * ahead + c * left};
}

// ---- A sole on one tread

static biped_print print_at(const atemi_biped *b, const biped_foothold *f, double shift)
{
    const double      margin = 2.0 * tread_margin * b->leg;
    const atemi_sole *sole = &b->humanoid.soles[f->side];
    const floor_point middle = toward(f->place, f->heading, shift - b->ahead[f->side], 0.0);
    return biped_map_print(b->gait.route.map, middle.x, middle.y, f->heading, sole->size_x + margin,
                           sole->size_y + margin);
}

static bool lies(const atemi_biped *b, const biped_foothold *f, double shift)
{
    return print_at(b, f, shift).rough < flat * b->leg;
}

// The best shift to a place where the sole lies whole, ahead by no more than `ahead` and back by no
// more than `back`: the shortest, but longer steps are dearer. NAN where there is none.
static double nearest_tread(const atemi_biped *b, const biped_foothold *f, double back,
                            double ahead)
{
    double best = (double)NAN, cost = INFINITY;
    for (int i = 0; i * spacing <= farthest; ++i) {
        const double shift = i * spacing * b->leg;
        if (shift <= back && shift < cost && lies(b, f, -shift)) {
            best = -shift;
            cost = shift;
        }
        if (shift <= ahead && dear * shift < cost && lies(b, f, shift)) {
            best = shift;
            cost = dear * shift;
        }
    }
    return best;
}

// Whether the ground `along` the heading from a foothold, as wide as its sole, is in a plane.
static bool goes_on(const atemi_biped *b, const biped_foothold *f, const biped_print *plane,
                    double along)
{
    const double half = 0.5 * b->humanoid.soles[f->side].size_y + tread_margin * b->leg;
    const double rise = plane->x * cos(f->heading) + plane->y * sin(f->heading);
    const double tilt = plane->y * cos(f->heading) - plane->x * sin(f->heading);
    for (int i = -1; i <= 1; ++i) {
        const floor_point at = toward(f->place, f->heading, along - b->ahead[f->side], i * half);
        const double      due = plane->height + rise * along + tilt * i * half;
        if (fabs(biped_map_height(b->gait.route.map, at.x, at.y) - due) > flat * b->leg) {
            return false;
        }
    }
    return true;
}

// How far the sole, which lies whole, may move on to one side and still lie on the same plane.
static double free_way(const atemi_biped *b, const biped_foothold *f, double sign)
{
    const biped_print plane = print_at(b, f, 0.0);
    const double      half = 0.5 * b->humanoid.soles[f->side].size_x + tread_margin * b->leg;
    double            way = 0.0;
    while (way < farthest * b->leg &&
           goes_on(b, f, &plane, sign * (half + way + spacing * b->leg))) {
        way += spacing * b->leg;
    }
    return way;
}

static void rest_on(const atemi_biped *b, biped_foothold *f)
{
    const biped_print print = print_at(b, f, 0.0);
    f->height =
        print.height + b->ahead[f->side] * (print.x * cos(f->heading) + print.y * sin(f->heading));
    f->slope = (floor_point){print.x, print.y};
}

// Moves a foothold of a step, which goes `way` along its heading, onto one tread. Where there is
// none it stays, and is free.
static void settle(const atemi_biped *b, biped_foothold *f, double way)
{
    const double most = farthest * b->leg, left = fabs(way) * (1.0 - least_way);
    const double reach = fmax(b->gait.longest - fabs(way), 0.0);
    const bool   goes = fabs(way) > spacing * b->leg;
    double       shift = !goes       ? nearest_tread(b, f, most, most)
                         : way > 0.0 ? nearest_tread(b, f, left, reach)
                                     : nearest_tread(b, f, reach, left);
    shift = isnan(shift) ? nearest_tread(b, f, most, most) : shift;
    f->back = f->ahead = f->aside = INFINITY;
    if (!isnan(shift)) {
        f->place = toward(f->place, f->heading, shift, 0.0);
        const double back = free_way(b, f, -1.0), ahead = free_way(b, f, 1.0);
        const double in = fmin(from_edge * b->leg, 0.5 * (back + ahead));
        const double move = biped_within(0.0, in - back, ahead - in);
        f->place = toward(f->place, f->heading, move, 0.0);
        f->back = back + move;
        f->ahead = ahead - move;
    }
    rest_on(b, f);
}

// ---- Time of a step

// From where the foot is, over the highest ground between, to the foothold.
static double time_of(const atemi_biped *b, const biped_foothold *from, const biped_foothold *f,
                      double top)
{
    const double high = b->options.clearance * b->leg,
                 across = hypot(f->place.x - from->place.x, f->place.y - from->place.y);
    const biped_window window =
        biped_swing_window((top - from->height) / high, (top - f->height) / high);
    const double most = fmax(top - fmin(from->height, f->height), 0.0) + high;
    const double A = pace * b->gravity;
    const double swing =
        fmax(sqrt(peak * across / A) / (window.to - window.from), 2.0 * sqrt(peak * most / A));
    return fmax(b->gait.step_time, b->gait.double_support + swing);
}

static double top_of(const biped_route *r, const biped_foothold *from, const biped_foothold *to)
{
    const double ends = fmax(from->height, to->height);
    return r->map ? fmax(ends, biped_map_top(r->map, from->place.x, from->place.y, to->place.x,
                                             to->place.y))
                  : ends;
}

// ---- The steps ahead

static biped_foothold given_foothold(const atemi_biped *b, const atemi_biped_footstep *step)
{
    const double      most = b->options.correction * b->leg;
    const floor_point middle = {step->place.x, step->place.y};
    biped_foothold    f = {.side = step->side,
                           .place = toward(middle, step->heading, b->ahead[step->side], 0.0),
                           .heading = step->heading,
                           .time = step->time,
                           .back = most,
                           .ahead = most,
                           .aside = most};
    if (b->gait.route.map && lies(b, &f, 0.0)) {
        f.back = fmin(most, free_way(b, &f, -1.0));
        f.ahead = fmin(most, free_way(b, &f, 1.0));
        rest_on(b, &f);
    }
    f.height = step->place.z;
    return f;
}

// A step of the gait from one foothold to the next, on the map.
static biped_foothold next_foothold(const atemi_biped *b, const biped_foothold *from, double course)
{
    const biped_gait *g = &b->gait;
    const double      side = from->side == ATEMI_SIDE_LEFT ? 1.0 : -1.0;
    const double      go = g->walks ? g->stride : 0.0;
    const bool        leads = side * g->sideways < 0.0;
    const double      left = -side * g->apart + (leads ? 2.0 * go * g->sideways : 0.0);
    biped_foothold    f = {.side = 1 - from->side,
                           .place = toward(from->place, course, go * g->forwards, left),
                           .heading = course + (g->walks ? g->turning : 0.0)};
    settle(b, &f, go * g->forwards);
    return f;
}

static int room_of(const biped_route *r)
{
    if (r->given_count == 0) {
        return r->map ? BIPED_STEPS_AHEAD : 0;
    }
    const int left = r->given_count - r->next;
    return left < BIPED_STEPS_AHEAD ? left : BIPED_STEPS_AHEAD;
}

void biped_route_plan(atemi_biped *b)
{
    biped_gait    *g = &b->gait;
    biped_route   *r = &g->route;
    biped_foothold at[ATEMI_SIDES] = {r->stands[0], r->stands[1]};
    double         course = g->course;
    int            side = g->support;
    r->count = room_of(r);
    for (int i = 0; i < r->count; ++i) {
        biped_foothold f = r->given_count > 0 ? given_foothold(b, &r->given[r->next + i])
                                              : next_foothold(b, &at[side], course);
        const double   top = top_of(r, &at[f.side], &f);
        f.time = f.time > 0.0 ? f.time : time_of(b, &at[f.side], &f, top);
        r->top = i == 0 ? top : r->top;
        r->ahead[i] = at[f.side] = f;
        side = f.side;
        course = f.heading;
    }
}

void biped_route_rest(atemi_biped *b, const biped_view *view)
{
    biped_route *r = &b->gait.route;
    for (int side = 0; side < ATEMI_SIDES; ++side) {
        const atemi_transform *sole = &view->soles[side];
        biped_foothold        *f = &r->stands[side];
        *f = (biped_foothold){.side = side,
                              .place = {sole->position.x, sole->position.y},
                              .heading = atan2(sole->rotation.x.y, sole->rotation.x.x),
                              .height = sole->position.z};
    }
}

void biped_route_start(atemi_biped *b, const biped_view *view)
{
    biped_route *r = &b->gait.route;
    biped_route_rest(b, view);
    for (int side = 0; side < ATEMI_SIDES && r->map; ++side) {
        rest_on(b, &r->stands[side]);
    }
    biped_route_plan(b);
}

void biped_route_land(biped_route *r, floor_point sole)
{
    const biped_foothold *f = &r->ahead[0];
    const floor_point     off = {sole.x - f->place.x, sole.y - f->place.y};
    r->stands[f->side] = *f;
    r->stands[f->side].place = sole;
    r->stands[f->side].height += f->slope.x * off.x + f->slope.y * off.y;
    if (r->given_count > 0 && ++r->next == r->given_count) {
        r->given_count = r->next = 0;
    }
    r->count = 0;
}

floor_point biped_route_capture(const biped_gait *g, double rate, double passing)
{
    const biped_route *r = &g->route;
    const int          last = r->count - 1;
    floor_point        b = {0.0, 0.0};
    for (int j = last; j >= 0; --j) {
        const floor_point u = r->ahead[j].place, before = j > 0 ? r->ahead[j - 1].place : g->sole;
        if (j == last) {
            const double E = exp(rate * r->ahead[j].time), part = (1.0 + passing * E) / (1.0 + E);
            b = (floor_point){part * (before.x - u.x), part * (before.y - u.y)};
        } else {
            const biped_foothold *next = &r->ahead[j + 1];
            const double          e = exp(-rate * next->time);
            b = (floor_point){e * (next->place.x + b.x - u.x) - passing * (u.x - before.x),
                              e * (next->place.y + b.y - u.y) - passing * (u.y - before.y)};
        }
    }
    return b;
}

floor_point biped_route_keep(const biped_foothold *f, floor_point place)
{
    const floor_point off =
        toward((floor_point){0.0, 0.0}, -f->heading, place.x - f->place.x, place.y - f->place.y);
    return toward(f->place, f->heading, biped_within(off.x, -f->back, f->ahead),
                  biped_within(off.y, -f->aside, f->aside));
}
