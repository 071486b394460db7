// SPDX-License-Identifier: Apache-2.0

#include "plan/doubt/strike_case.h"

#include "plan/touch/strike_blow.h"

#include <math.h>

// A target that is nearer or farther by d than it was planned for is met at the time t before or
// after the planned touch, u of the hand's time T, where it has still d to go, or has gone d too
// far; a touch that comes d_t later in the motion comes then:
//
//   d = V T F(u),   F = u - u^3 + u^4 / 2,   t = +-u T + d_t,   du/dV = -F / (V F')
//
// in the posture of then, by a hand that still gathers speed, or slows down already. With the speed
// V f(t) of the hand, its path P(t) = V T F, and its time in touch D, the drift is
//
//   b = 2 ((P(t + D) - P(t)) / D - V f(t)) / D
//   db/dV = b / V + 2 V ((f(t + D) - f(t)) / D - f'(t)) / D dt/dV

static const double longest_path = 0.45; // of V T, of which the whole path is half
static const double latest = 0.95;       // of T: nearer to rest there is no blow

static double T_of(const strike_values *x, double time)
{
    return time < 0.0 ? x->hand_rise : x->hand_fall;
}

static double F(double u)
{
    return u - u * u * u + 0.5 * u * u * u * u;
}

static double F_slope(double u)
{
    return 1.0 - 3.0 * u * u + 2.0 * u * u * u;
}

static double solve_F(double path)
{
    double u = path;
    for (int i = 0; i < 6; ++i) {
        u -= (F(u) - path) / F_slope(u);
    }
    return u;
}

strike_case strike_case_find(const strike_values *x, const atemi_strike_deviation *d)
{
    const double T = T_of(x, d->distance), fraction = fabs(d->distance) / (x->speed * T);
    const bool   reaches = fraction > 0.0 && fraction < longest_path;
    const double u = d->distance == 0.0 ? 0.0 : solve_F(reaches ? fraction : longest_path);
    strike_case  at = {.deviation = *d, .time = copysign(u * T, d->distance) + d->timing};
    at.time_by_speed = reaches ? copysign(T * F(u) / (x->speed * F_slope(u)), -d->distance) : 0.0;
    const double end = latest * T_of(x, at.time);
    if (fabs(at.time) > end) {
        at.time = copysign(end, at.time);
        at.time_by_speed = 0.0;
    }
    return at;
}

bool strike_case_moves(const atemi_strike_deviation *d)
{
    return d->distance != 0.0 || d->timing != 0.0;
}

bool strike_cases_move(const atemi_strike_task *task)
{
    bool moves = false;
    for (int i = 0; i < task->case_count; ++i) {
        moves = moves || strike_case_moves(&task->cases[i]);
    }
    return moves;
}

static const double *scale(const double *gains, double factor, int count, double *to)
{
    for (int i = 0; gains && i < count; ++i) {
        to[i] = factor * gains[i];
    }
    return gains ? to : NULL;
}

void strike_case_set(const strike_setup *s, const atemi_strike_deviation *d, double *stiffness,
                     double *damping, atemi_blow_setting *setting)
{
    setting->target.mass *= 1.0 + d->mass;
    setting->target.friction *= 1.0 + d->friction;
    if (d->gains != 0.0) {
        atemi_blow_servo *servo = &setting->servo;
        servo->stiffness = scale(servo->stiffness, 1.0 + d->gains, s->v_count, stiffness);
        servo->damping = scale(servo->damping, 1.0 + d->gains, s->v_count, damping);
    }
}

// f'(t)
static double fraction_slope(const strike_values *x, double time)
{
    const double T = T_of(x, time), u = fmin(fabs(time) / T, 1.0);
    return (time < 0.0 ? -6.0 : 6.0) * (u * u - u) / T;
}

double strike_case_drift(const strike_setup *s, const strike_values *x, const strike_case *at,
                         double *by_speed)
{
    const double  D = fmin(s->touch.duration, x->hand_fall), t = at->time;
    strike_values unit = *x;
    unit.speed = 1.0;
    const double f = strike_fraction_at(t, x->hand_rise, x->hand_fall);
    const double f_end = strike_fraction_at(t + D, x->hand_rise, x->hand_fall);
    const double by_time = 2.0 * x->speed * ((f_end - f) / D - fraction_slope(x, t)) / D;
    *by_speed = strike_blow_drift(s, &unit, t) + by_time * at->time_by_speed;
    return strike_blow_drift(s, x, t);
}
