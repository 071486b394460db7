// SPDX-License-Identifier: Apache-2.0

#include "contact/distribution.h"

#include <math.h>

// Each point has a part P_i > 0 of the force F along F and, as the moment about up asks, across it:
//
//   f_i = P_i (F + w x (r_i - r)),   sum of P_i = 1,   r = sum of P_i r_i,   w along up
//
// Its moments but that about up are as if it pressed where the line along f_i through the point
// meets the ground, at d_i. With F pressing at c there, the parts with the largest entropy are
//
//   P_i = exp(b . (d_i - c)) / Z,   Z = sum of exp(b . (d_i - c))
//
// where b makes log Z least: its slope is the mean of d_i - c, which is then zero. By Newton's rule
// with steps that descend. The moment about up is that of F at r and w sum of P_i |r_i - r|^2. Of
// points that are level the d_i depend neither on w nor on r; otherwise parts and w follow each
// other until they agree.

enum { MOST_STEPS = 100, MOST_HALVINGS = 20, MOST_ROUNDS = 30 };

// w and r.
typedef struct spin {
    double     turn;
    atemi_vec3 center;
} spin;

// log Z at b, its slope and its curvature.
typedef struct moments {
    double b[2], height, mean[2], spread[3];
} moments;

typedef struct pushing {
    atemi_vec3        c, e[2], up; ///< where it presses, axes of the ground
    const atemi_vec3 *places;
    int               count;
    moments           now;
    double            size; ///< of the points' extent
    double            push; ///< of F along up
    spin              assumed;
} pushing;

static const double fine = 1e-13; // of the extent, and of the force times the extent

// Where a turning about up with 1 about the center takes a point.
static atemi_vec3 across_at(const pushing *p, atemi_vec3 center, int i)
{
    return atemi_vec3_cross(p->up, atemi_vec3_sub(p->places[i], center));
}

// d_i - c along the axes of the ground, which lean so that a product with them follows F.
static void place_of(const pushing *p, int i, double at[2])
{
    const atemi_vec3 d = atemi_vec3_sub(p->places[i], p->c);
    at[0] = atemi_vec3_dot(d, p->e[0]);
    at[1] = atemi_vec3_dot(d, p->e[1]);
    if (p->assumed.turn != 0.0) {
        const double     lift = atemi_vec3_dot(d, p->up) * p->assumed.turn / p->push;
        const atemi_vec3 across = across_at(p, p->assumed.center, i);
        at[0] -= lift * atemi_vec3_dot(across, p->e[0]);
        at[1] -= lift * atemi_vec3_dot(across, p->e[1]);
    }
}

static double exponent(const pushing *p, const double b[2], int i)
{
    double at[2];
    place_of(p, i, at);
    return b[0] * at[0] + b[1] * at[1];
}

static double highest(const pushing *p, const double b[2])
{
    double most = -INFINITY;
    for (int i = 0; i < p->count; ++i) {
        most = fmax(most, exponent(p, b, i));
    }
    return most;
}

// Exponentials cost the most: each point has one.
static moments moments_at(const pushing *p, double b_x, double b_y)
{
    moments      m = {.b = {b_x, b_y}};
    const double most = highest(p, m.b);
    double       sum = 0.0, first[2] = {0.0, 0.0}, second[3] = {0.0, 0.0, 0.0};
    for (int i = 0; i < p->count; ++i) {
        double at[2];
        place_of(p, i, at);
        const double x = at[0], y = at[1], part = exp(b_x * x + b_y * y - most);
        sum += part;
        first[0] += part * x;
        first[1] += part * y;
        second[0] += part * x * x;
        second[1] += part * x * y;
        second[2] += part * y * y;
    }
    m.height = most + log(sum);
    m.mean[0] = first[0] / sum;
    m.mean[1] = first[1] / sum;
    m.spread[0] = second[0] / sum - m.mean[0] * m.mean[0];
    m.spread[1] = second[1] / sum - m.mean[0] * m.mean[1];
    m.spread[2] = second[2] / sum - m.mean[1] * m.mean[1];
    return m;
}

// Whether a step was found.
static bool step(pushing *p)
{
    const moments *m = &p->now;
    const double   determinant = m->spread[0] * m->spread[2] - m->spread[1] * m->spread[1];
    const double   x = -(m->spread[2] * m->mean[0] - m->spread[1] * m->mean[1]) / determinant;
    const double   y = -(m->spread[0] * m->mean[1] - m->spread[1] * m->mean[0]) / determinant;
    const double   slope = x * m->mean[0] + y * m->mean[1];
    if (!(determinant > 0.0) || !isfinite(slope)) {
        return false;
    }
    double part = 1.0;
    for (int i = 0; i < MOST_HALVINGS; ++i) {
        const moments next = moments_at(p, m->b[0] + part * x, m->b[1] + part * y);
        if (next.height <= m->height + 1e-4 * part * slope + 1e-15 * fabs(m->height)) {
            p->now = next;
            return true;
        }
        part *= 0.5;
    }
    return false;
}

static double length(const double x[2])
{
    return sqrt(x[0] * x[0] + x[1] * x[1]);
}

// Whether the pushes that press at c are found; what is nearly outside makes b large.
static bool solve(pushing *p)
{
    const double steepest = 40.0;
    p->now = moments_at(p, p->now.b[0], p->now.b[1]);
    for (int i = 0; i < MOST_STEPS; ++i) {
        if (length(p->now.mean) <= fine * p->size) {
            return length(p->now.b) * p->size < steepest;
        }
        if (!step(p)) {
            break;
        }
    }
    return length(p->now.mean) <= 1e-9 * p->size && length(p->now.b) * p->size < steepest;
}

// Axes of the ground, leaning: a product with them is that of where the line along the force meets
// the ground.
static void find_axes(pushing *p, atemi_vec3 force)
{
    const atemi_vec3 x = {1.0, 0.0, 0.0}, y = {0.0, 1.0, 0.0};
    const atemi_vec3 side = atemi_vec3_cross(p->up, fabs(p->up.x) < 0.9 ? x : y);
    p->e[0] = atemi_vec3_scale(1.0 / atemi_vec3_norm(side), side);
    p->e[1] = atemi_vec3_cross(p->up, p->e[0]);
    for (int k = 0; k < 2; ++k) {
        const double along = atemi_vec3_dot(force, p->e[k]);
        p->e[k] = atemi_vec3_sub(p->e[k], atemi_vec3_scale(along / p->push, p->up));
    }
}

static double part_of(const pushing *p, int i)
{
    return exp(exponent(p, p->now.b, i) - p->now.height);
}

// Their mean place, and what they have about up through it: sum of P_i |up x (r_i - r)|^2.
static double inertia_of(const pushing *p, atemi_vec3 *center)
{
    atemi_vec3 sum = {0.0, 0.0, 0.0};
    double     inertia = 0.0;
    for (int i = 0; i < p->count; ++i) {
        const atemi_vec3 across = across_at(p, p->c, i);
        const double     part = part_of(p, i);
        sum = atemi_vec3_add(sum, atemi_vec3_scale(part, atemi_vec3_sub(p->places[i], p->c)));
        inertia += part * atemi_vec3_dot(across, across);
    }
    const atemi_vec3 off = atemi_vec3_cross(p->up, sum); // of the mean; hardly anything
    *center = atemi_vec3_add(p->c, sum);
    return inertia - atemi_vec3_dot(off, off);
}

// What the parts make of the moment about up, `here` being the wrench about the middle; whether
// they can carry it.
static bool find_spin(const pushing *p, atemi_force here, atemi_vec3 middle, spin *found)
{
    const double      inertia = inertia_of(p, &found->center);
    const atemi_force there = atemi_force_at(here, atemi_vec3_sub(found->center, middle));
    const double      moment = atemi_vec3_dot(there.angular, p->up);
    const bool        spread = inertia > 1e-12 * p->size * p->size;
    found->turn = spread ? moment / inertia : 0.0;
    return spread || fabs(moment) <= fine * p->size * atemi_vec3_norm(here.linear);
}

// How far the highest point is from the lowest.
static double rise_of(const pushing *p)
{
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < p->count; ++i) {
        const double height = atemi_vec3_dot(atemi_vec3_sub(p->places[i], p->c), p->up);
        low = fmin(low, height);
        high = fmax(high, height);
    }
    return high - low;
}

// How much the moments of the forces change with the spin, of what may be missing.
static double change_of(const pushing *p, double rise, const spin *to)
{
    const atemi_vec3 moved = atemi_vec3_sub(to->center, p->assumed.center);
    const double     turned = fabs(to->turn - p->assumed.turn);
    return rise * (turned * p->size + fabs(to->turn) * atemi_vec3_norm(moved)) /
           (fine * p->size * p->push);
}

// Finds parts and w that agree; whether there are such.
static bool agree(pushing *p, atemi_force here, atemi_vec3 middle, spin *found)
{
    const double rise = rise_of(p);
    for (int i = 0; i < MOST_ROUNDS; ++i) {
        if (!solve(p) || !find_spin(p, here, middle, found)) {
            return false;
        }
        if (change_of(p, rise, found) <= 1.0) {
            return true;
        }
        p->assumed = *found;
    }
    return false;
}

static void hand_out(const pushing *p, atemi_vec3 force, const spin *s, atemi_vec3 *forces)
{
    for (int i = 0; i < p->count; ++i) {
        const atemi_vec3 rub = atemi_vec3_scale(s->turn, across_at(p, s->center, i));
        forces[i] = atemi_vec3_scale(part_of(p, i), atemi_vec3_add(force, rub));
    }
}

bool atemi_distribute_unilateral(atemi_force wrench, atemi_vec3 origin, atemi_vec3 up,
                                 const atemi_vec3 *places, int count, atemi_vec3 *forces)
{
    const atemi_vec3  middle = atemi_distribution_middle(places, count);
    const atemi_force here = atemi_force_at(wrench, atemi_vec3_sub(middle, origin));
    pushing           p = {.up = up, .places = places, .count = count};
    spin              found;
    p.push = atemi_vec3_dot(here.linear, up);
    for (int i = 0; i < count; ++i) {
        p.size = fmax(p.size, atemi_vec3_norm(atemi_vec3_sub(places[i], middle)));
    }
    if (!(p.push > 0.0) || !(p.size > 0.0)) {
        return false;
    }
    const atemi_vec3 off = atemi_vec3_scale(1.0 / p.push, atemi_vec3_cross(up, here.angular));
    p.c = atemi_vec3_add(middle, off);
    find_axes(&p, here.linear);
    if (!agree(&p, here, middle, &found)) {
        return false;
    }
    hand_out(&p, here.linear, &found, forces);
    return true;
}
