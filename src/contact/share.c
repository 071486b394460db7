// SPDX-License-Identifier: Apache-2.0

#include "contact/share.h"

#include "atemi/dense.h"

#include <math.h>

// With the sum F and, about the middle of the points, the moment M; d_i from there to point i:
//
//   f_i = F / n + w x d_i,     sum over i of  d_i x (w x d_i) = M
//
// Points in line leave w free about it.

static const double in_line = 1e-12; // of the other directions: points off it by 1e-6 of its length

static atemi_vec3 middle_of(const atemi_vec3 *places, int count)
{
    atemi_vec3 sum = {0.0, 0.0, 0.0};
    for (int i = 0; i < count; ++i) {
        sum = atemi_vec3_add(sum, places[i]);
    }
    return atemi_vec3_scale(1.0 / count, sum);
}

// S w = sum over i of  d_i x (w x d_i)
static void find_spread(const atemi_vec3 *places, int count, atemi_vec3 middle, double S[9])
{
    for (int i = 0; i < 9; ++i) {
        S[i] = 0.0;
    }
    for (int i = 0; i < count; ++i) {
        const atemi_vec3 d = atemi_vec3_sub(places[i], middle);
        const double     at[3] = {d.x, d.y, d.z}, square = atemi_vec3_dot(d, d);
        for (int r = 0; r < 3; ++r) {
            for (int c = 0; c < 3; ++c) {
                S[3 * r + c] += (r == c) * square - at[r] * at[c];
            }
        }
    }
}

static atemi_vec3 least_turn(double S[9], atemi_vec3 M)
{
    double    b[3] = {M.x, M.y, M.z}, w[3], tau[3], work[12];
    int       pivot[3];
    const int rank = atemi_qr_factor(3, 3, S, 3, in_line, tau, pivot, work);
    atemi_qr_solve_least_norm(3, 3, S, 3, rank, tau, pivot, b, w, work);
    return (atemi_vec3){w[0], w[1], w[2]};
}

static void hand_out(atemi_vec3 force, atemi_vec3 turn, atemi_vec3 middle, const atemi_vec3 *places,
                     int count, atemi_vec3 *forces)
{
    const atemi_vec3 part = atemi_vec3_scale(1.0 / count, force);
    for (int i = 0; i < count; ++i) {
        const atemi_vec3 d = atemi_vec3_sub(places[i], middle);
        forces[i] = atemi_vec3_add(part, atemi_vec3_cross(turn, d));
    }
}

void atemi_share(atemi_force wrench, atemi_vec3 origin, const atemi_vec3 *places, int count,
                 atemi_vec3 *forces)
{
    const atemi_vec3  middle = middle_of(places, count);
    const atemi_force here = atemi_force_at(wrench, atemi_vec3_sub(middle, origin));
    double            S[9];
    find_spread(places, count, middle, S);
    hand_out(here.linear, least_turn(S, here.angular), middle, places, count, forces);
}

// Whether points lie in line as far as rounding shows it, which no single pivot does: of S along
// the axes nothing is left beside the zero.
static bool is_in_line(const double S[9])
{
    const double trace = S[0] + S[4] + S[8];
    const double determinant = S[0] * (S[4] * S[8] - S[5] * S[7]) -
                               S[1] * (S[3] * S[8] - S[5] * S[6]) +
                               S[2] * (S[3] * S[7] - S[4] * S[6]);
    return !(determinant > in_line * trace * trace * trace);
}

bool atemi_share_whole(atemi_force wrench, atemi_vec3 origin, const atemi_vec3 *places, int count,
                       atemi_vec3 *forces)
{
    const atemi_vec3  middle = middle_of(places, count);
    const atemi_force here = atemi_force_at(wrench, atemi_vec3_sub(middle, origin));
    const atemi_vec3  M = here.angular;
    double            S[9], w[3] = {M.x, M.y, M.z};
    int               pivot[3];
    find_spread(places, count, middle, S);
    if (count < 3 || is_in_line(S) || !atemi_lu_factor(3, S, 3, pivot)) {
        return false;
    }
    atemi_lu_solve(3, S, 3, pivot, w);
    hand_out(here.linear, (atemi_vec3){w[0], w[1], w[2]}, middle, places, count, forces);
    return true;
}

// ---- Pushes

// With the force F along up pressing at c, the pushes with the largest entropy are
//
//   f_i = F exp(b . (d_i - c)) / Z,   Z = sum of exp(b . (d_i - c))
//
// where b makes log Z least: its slope is the mean of d_i - c, which is then zero. By Newton's rule
// with steps that descend.

enum { MOST_STEPS = 100, MOST_HALVINGS = 20 };

typedef struct pushing {
    atemi_vec3        c, e[2]; ///< where it presses, axes of the ground
    const atemi_vec3 *places;
    int               count;
    double            b[2], mean[2], spread[3]; ///< slope and curvature of log Z
    double            height;                   ///< log Z
    double            size;                     ///< of the points' extent
} pushing;

static double exponent(const pushing *p, const double b[2], int i)
{
    const atemi_vec3 d = atemi_vec3_sub(p->places[i], p->c);
    return b[0] * atemi_vec3_dot(d, p->e[0]) + b[1] * atemi_vec3_dot(d, p->e[1]);
}

static double log_sum(const pushing *p, const double b[2], double *most)
{
    double sum = 0.0;
    *most = -INFINITY;
    for (int i = 0; i < p->count; ++i) {
        *most = fmax(*most, exponent(p, b, i));
    }
    for (int i = 0; i < p->count; ++i) {
        sum += exp(exponent(p, b, i) - *most);
    }
    return *most + log(sum);
}

static void find_moments(pushing *p)
{
    double most;
    p->height = log_sum(p, p->b, &most);
    p->mean[0] = p->mean[1] = p->spread[0] = p->spread[1] = p->spread[2] = 0.0;
    for (int i = 0; i < p->count; ++i) {
        const atemi_vec3 d = atemi_vec3_sub(p->places[i], p->c);
        const double     x = atemi_vec3_dot(d, p->e[0]), y = atemi_vec3_dot(d, p->e[1]);
        const double     part = exp(exponent(p, p->b, i) - p->height);
        p->mean[0] += part * x;
        p->mean[1] += part * y;
        p->spread[0] += part * x * x;
        p->spread[1] += part * x * y;
        p->spread[2] += part * y * y;
    }
    p->spread[0] -= p->mean[0] * p->mean[0];
    p->spread[1] -= p->mean[0] * p->mean[1];
    p->spread[2] -= p->mean[1] * p->mean[1];
}

// Whether a step was found.
static bool step(pushing *p)
{
    const double determinant = p->spread[0] * p->spread[2] - p->spread[1] * p->spread[1];
    const double x = -(p->spread[2] * p->mean[0] - p->spread[1] * p->mean[1]) / determinant;
    const double y = -(p->spread[0] * p->mean[1] - p->spread[1] * p->mean[0]) / determinant;
    const double slope = x * p->mean[0] + y * p->mean[1];
    if (!(determinant > 0.0) || !isfinite(slope)) {
        return false;
    }
    double part = 1.0;
    for (int i = 0; i < MOST_HALVINGS; ++i) {
        const double b[2] = {p->b[0] + part * x, p->b[1] + part * y};
        double       most;
        if (log_sum(p, b, &most) <= p->height + 1e-4 * part * slope + 1e-15 * fabs(p->height)) {
            p->b[0] = b[0];
            p->b[1] = b[1];
            return true;
        }
        part *= 0.5;
    }
    return false;
}

// Whether the pushes that press at c are found; what is nearly outside makes b large.
static bool solve(pushing *p)
{
    const double fine = 1e-13, steepest = 40.0;
    for (int i = 0; i < MOST_STEPS; ++i) {
        find_moments(p);
        if (hypot(p->mean[0], p->mean[1]) <= fine * p->size) {
            return hypot(p->b[0], p->b[1]) * p->size < steepest;
        }
        if (!step(p)) {
            break;
        }
    }
    return hypot(p->mean[0], p->mean[1]) <= 1e-9 * p->size &&
           hypot(p->b[0], p->b[1]) * p->size < steepest;
}

static void find_axes(pushing *p, atemi_vec3 up)
{
    const atemi_vec3 x = {1.0, 0.0, 0.0}, y = {0.0, 1.0, 0.0};
    const atemi_vec3 side = atemi_vec3_cross(up, fabs(up.x) < 0.9 ? x : y);
    p->e[0] = atemi_vec3_scale(1.0 / atemi_vec3_norm(side), side);
    p->e[1] = atemi_vec3_cross(up, p->e[0]);
}

// Along the ground: the same part of its push for each point, and a turning about where it presses.
static void add_rub(const pushing *p, atemi_force here, atemi_vec3 up, double push,
                    atemi_vec3 *forces)
{
    const atemi_vec3 along = atemi_vec3_sub(here.linear, atemi_vec3_scale(push, up));
    double           inertia = 0.0;
    for (int i = 0; i < p->count; ++i) {
        const atemi_vec3 d = atemi_vec3_sub(p->places[i], p->c);
        inertia += exp(exponent(p, p->b, i) - p->height) * atemi_vec3_dot(d, d);
    }
    const double turn = inertia > 0.0 ? atemi_vec3_dot(here.angular, up) / inertia : 0.0;
    for (int i = 0; i < p->count; ++i) {
        const double     part = exp(exponent(p, p->b, i) - p->height);
        const atemi_vec3 d = atemi_vec3_sub(p->places[i], p->c);
        const atemi_vec3 rub =
            atemi_vec3_add(along, atemi_vec3_scale(turn, atemi_vec3_cross(up, d)));
        forces[i] = atemi_vec3_scale(part, atemi_vec3_add(rub, atemi_vec3_scale(push, up)));
    }
}

bool atemi_share_pushes(atemi_force wrench, atemi_vec3 origin, atemi_vec3 up,
                        const atemi_vec3 *places, int count, atemi_vec3 *forces)
{
    const atemi_vec3  middle = middle_of(places, count);
    const atemi_force here = atemi_force_at(wrench, atemi_vec3_sub(middle, origin));
    const double      push = atemi_vec3_dot(here.linear, up);
    pushing           p = {.places = places, .count = count};
    for (int i = 0; i < count; ++i) {
        p.size = fmax(p.size, atemi_vec3_norm(atemi_vec3_sub(places[i], middle)));
    }
    if (!(push > 0.0) || !(p.size > 0.0)) {
        return false;
    }
    const atemi_vec3 off = atemi_vec3_scale(1.0 / push, atemi_vec3_cross(up, here.angular));
    find_axes(&p, up);
    p.c = atemi_vec3_add(middle, off);
    if (!solve(&p)) {
        return false;
    }
    add_rub(&p, atemi_force_at(here, off), up, push, forces);
    return true;
}
