// SPDX-License-Identifier: Apache-2.0

#include "atemi/trajectory.h"

#include "atemi/base.h"

#include <math.h>

// Between the bounds every profile has three pieces: from v0 to a cruising velocity w with
// acceleration
// +-A, on with w, and to v1 with +-A. In the time T that is, with the times t1 and t3 of the
// changes of velocity,
//
//   t1 = |w - v0| / A,   t3 = |v1 - w| / A,   t2 = T - t1 - t3
//   d(w, T) = (v0 + w)/2 t1 + w t2 + (w + v1)/2 t3,   dd/dw = t2
//
// so that d grows with w, and T has a profile of length D if t2 >= 0 and |w| <= V allow a w with
// d(w, T) = D. Beyond max(v0, v1) that is the smaller root of
//
//   w^2 - 2 h w + c = 0,   h = (A T + v0 + v1)/2,   c = A D + (v0^2 + v1^2)/2
//
// below min(v0, v1) the same for the mirrored task, and between them d is linear in w.
//
// The shortest profile has t2 = 0 or |w| = V: up, w = sqrt(c), if D is more than changing from v0
// to v1 covers, otherwise down. The profile of the other direction, where it turns round, ends the
// gap of durations that have no profile, if there is one.
//
// A velocity beyond its bound is brought to it at the start, and left at the end, with all of A.

// Where both ends move in the same direction, times jump: what is a hair too long turns round and
// comes back. A start on the last piece of a profile must not, so that lengths are compared with
// some slack.

// Relative rounding error of lengths.
static const double length_rounding = 1e-14;

// A task between the bounds.
typedef struct inner {
    double v0, v1, D, V, A;
    double slack; // of D
} inner;

// The pieces of a profile: its cruising velocity and times.
typedef struct cruise {
    double w, t1, t2, t3;
} cruise;

static double square(double x)
{
    return x * x;
}

static double clamp(double x, double bound)
{
    return fmin(fmax(x, -bound), bound);
}

static double time_of(cruise c)
{
    return c.t1 + c.t2 + c.t3;
}

static inner mirrored(inner x)
{
    return (inner){-x.v0, -x.v1, -x.D, x.V, x.A, x.slack};
}

static cruise mirrored_back(cruise c)
{
    c.w = -c.w;
    return c;
}

// ---- Between the bounds ---------------------------------------------------------------------

// The profile that cruises at w and takes T, or as long as its changes of velocity need.
static cruise cruise_at(inner x, double w, double T)
{
    cruise c = {.w = w, .t1 = fabs(w - x.v0) / x.A, .t3 = fabs(x.v1 - w) / x.A};
    c.t2 = fmax(T - c.t1 - c.t3, 0.0);
    return c;
}

static double length_of(inner x, cruise c)
{
    return 0.5 * (x.v0 + c.w) * c.t1 + c.w * c.t2 + 0.5 * (c.w + x.v1) * c.t3;
}

// w^2 of the profile that goes up and down and covers D without cruising.
static double square_of_peak(inner x)
{
    return x.A * x.D + 0.5 * (square(x.v0) + square(x.v1));
}

// The profile that goes up to w, cruises if the bound is below that, and down.
static cruise up_and_down(inner x, double w)
{
    cruise profile = cruise_at(x, fmin(fmax(w, fmax(x.v0, x.v1)), x.V), 0.0);
    if (w > x.V) {
        profile.t2 = (x.D - length_of(x, profile)) / x.V;
    }
    return profile;
}

// What D is beyond the length of changing from v0 to v1.
static double length_left(inner x)
{
    return x.D - 0.5 * (x.v0 + x.v1) * fabs(x.v1 - x.v0) / x.A;
}

static bool leads_up(inner x)
{
    return length_left(x) >= 0.0;
}

static cruise fastest(inner x)
{
    if (fabs(length_left(x)) <= x.slack) {
        return cruise_at(x, x.v1, 0.0);
    }
    if (leads_up(x)) {
        return up_and_down(x, sqrt(fmax(square_of_peak(x), 0.0)));
    }
    const inner m = mirrored(x);
    return mirrored_back(up_and_down(m, sqrt(fmax(square_of_peak(m), 0.0))));
}

// How long the profile of the other direction takes, which turns round; 0 if it cannot get there.
static double time_of_other(inner x)
{
    const inner  other = leads_up(x) ? mirrored(x) : x;
    const double peak = square_of_peak(other);
    return peak >= 0.0 ? time_of(up_and_down(other, sqrt(peak))) : 0.0;
}

static bool has_profile(inner x, double T)
{
    const double high = fmin(0.5 * (x.A * T + x.v0 + x.v1), x.V);
    const double low = fmax(0.5 * (x.v0 + x.v1 - x.A * T), -x.V);
    return length_of(x, cruise_at(x, low, T)) <= x.D + x.slack &&
           length_of(x, cruise_at(x, high, T)) >= x.D - x.slack;
}

// T, or the next longer duration that has a profile.
static double next_duration(inner x, double T)
{
    const double least = time_of(fastest(x)), back = time_of_other(x);
    if (T <= least) {
        return least;
    }
    return T < back && !has_profile(x, T) ? back : T;
}

// The smaller root, for a w above v0 and v1.
static cruise cruise_above(inner x, double T)
{
    const double h = 0.5 * (x.A * T + x.v0 + x.v1);
    const double c = square_of_peak(x);
    const double root = sqrt(fmax(h * h - c, 0.0));
    const double w = h > 0.0 ? fmin(c / (h + root), h) : h - root; // t2 >= 0
    return cruise_at(x, fmin(fmax(w, fmax(x.v0, x.v1)), x.V), T);
}

static cruise cruise_between(inner x, double T)
{
    const double low = fmin(x.v0, x.v1), high = fmax(x.v0, x.v1);
    const cruise slow = cruise_at(x, low, T);
    const double w = slow.t2 > 0.0 ? low + (x.D - length_of(x, slow)) / slow.t2 : low;
    return cruise_at(x, fmin(fmax(w, low), high), T);
}

// The profile that takes T, which has one.
static cruise cruise_in(inner x, double T)
{
    if (x.D > length_of(x, cruise_at(x, fmax(x.v0, x.v1), T))) {
        return cruise_above(x, T);
    }
    if (x.D < length_of(x, cruise_at(x, fmin(x.v0, x.v1), T))) {
        return mirrored_back(cruise_above(mirrored(x), T));
    }
    return cruise_between(x, T);
}

static cruise find_profile(inner x, double T)
{
    const cruise profile = fastest(x);
    return T <= time_of(profile) ? profile : cruise_in(x, T);
}

// ---- Beyond the bounds ----------------------------------------------------------------------

static bool is_task(const atemi_trapezoid_task *t)
{
    return isfinite(t->start.position) && isfinite(t->start.velocity) &&
           isfinite(t->end.position) && isfinite(t->end.velocity) && t->velocity > 0.0 &&
           t->acceleration > 0.0 && isfinite(t->acceleration);
}

// How long a velocity is beyond its bound.
static double excess_time(const atemi_trapezoid_task *t, double velocity)
{
    return fabs(velocity - clamp(velocity, t->velocity)) / t->acceleration;
}

static double excess_length(const atemi_trapezoid_task *t, double velocity)
{
    return 0.5 * (velocity + clamp(velocity, t->velocity)) * excess_time(t, velocity);
}

static inner inner_of(const atemi_trapezoid_task *t)
{
    const double v0 = t->start.velocity, v1 = t->end.velocity;
    const double changes = (square(v0) + square(v1)) / t->acceleration;
    const double size = fabs(t->start.position) + fabs(t->end.position) + changes;
    return (inner){.v0 = clamp(v0, t->velocity),
                   .v1 = clamp(v1, t->velocity),
                   .D = t->end.position - t->start.position - excess_length(t, v0) -
                        excess_length(t, v1),
                   .V = t->velocity,
                   .A = t->acceleration,
                   .slack = length_rounding * size};
}

static double outer_time(const atemi_trapezoid_task *t)
{
    return excess_time(t, t->start.velocity) + excess_time(t, t->end.velocity);
}

// ---- Pieces ---------------------------------------------------------------------------------

// Adds a piece that ends with the velocity `to`, at the acceleration A or none.
static void add_piece(double duration, double to, double A, atemi_axis_state *at,
                      atemi_trapezoid *profile)
{
    if (!(duration > 0.0)) {
        return;
    }
    at->acceleration = to == at->velocity ? 0.0 : copysign(A, to - at->velocity);
    profile->states[profile->count] = *at;
    profile->durations[profile->count++] = duration;
    profile->duration += duration;
    at->position += 0.5 * (at->velocity + to) * duration;
    at->velocity = to;
}

static void write_profile(const atemi_trapezoid_task *t, cruise c, atemi_trapezoid *profile)
{
    const double     v0 = t->start.velocity, v1 = t->end.velocity, A = t->acceleration;
    atemi_axis_state at = {t->start.position, v0, 0.0};
    *profile = (atemi_trapezoid){.end = {t->end.position, v1, 0.0}};
    add_piece(excess_time(t, v0), clamp(v0, t->velocity), A, &at, profile);
    add_piece(c.t1, c.w, A, &at, profile);
    add_piece(c.t2, c.w, A, &at, profile);
    add_piece(c.t3, clamp(v1, t->velocity), A, &at, profile);
    add_piece(excess_time(t, v1), v1, A, &at, profile);
}

// ---- Together -------------------------------------------------------------------------------

// Relative difference of durations that is rounding error.
static const double same_duration = 1e-15;

// Every axis has one gap at most, so that each sets the time twice at most.
static double common_duration(const atemi_trapezoid_task *tasks, int count, double duration)
{
    double common = duration;
    for (int i = 0, agreed = 0; agreed < count; i = (i + 1) % count) {
        const double outer = outer_time(&tasks[i]);
        const double own = outer + next_duration(inner_of(&tasks[i]), common - outer);
        const bool   longer = own - common > same_duration * own;
        common = longer ? own : common;
        agreed = longer ? 1 : agreed + 1;
    }
    return common;
}

// ---- The interface --------------------------------------------------------------------------

bool atemi_trapezoid_fastest(const atemi_trapezoid_task *task, atemi_trapezoid *profile)
{
    return atemi_trapezoid_in(task, 0.0, profile);
}

bool atemi_trapezoid_in(const atemi_trapezoid_task *task, double duration, atemi_trapezoid *profile)
{
    return atemi_trapezoid_synchronize(task, 1, duration, profile);
}

bool atemi_trapezoid_synchronize(const atemi_trapezoid_task *tasks, int count, double duration,
                                 atemi_trapezoid *profiles)
{
    ATEMI_REQUIRE_OR(count >= 0 && ((tasks && profiles) || count == 0), false);
    ATEMI_REQUIRE_OR(isfinite(duration), false);
    for (int i = 0; i < count; ++i) {
        if (!is_task(&tasks[i])) {
            return false;
        }
    }
    const double common = common_duration(tasks, count, duration);
    for (int i = 0; i < count; ++i) {
        write_profile(&tasks[i], find_profile(inner_of(&tasks[i]), common - outer_time(&tasks[i])),
                      &profiles[i]);
    }
    return true;
}

atemi_axis_state atemi_trapezoid_at(const atemi_trapezoid *profile, double time)
{
    const atemi_axis_state none = {0};
    ATEMI_REQUIRE_OR(profile, none);
    int    i = 0;
    double t = time;
    while (i < profile->count && t > profile->durations[i]) {
        t -= profile->durations[i++];
    }
    const bool       outside = time < 0.0 || i == profile->count;
    atemi_axis_state at = i < profile->count ? profile->states[i] : profile->end;
    at.acceleration = outside ? 0.0 : at.acceleration;
    at.position += t * (at.velocity + 0.5 * t * at.acceleration);
    at.velocity += t * at.acceleration;
    return at;
}
