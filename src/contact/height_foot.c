// SPDX-License-Identifier: Apache-2.0

#include "contact/height_field.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

// The nearest point of the surface to p is (u, h(u)) at the least of
//
//   e(u) = (|u - p_xy|^2 + (h - p_z)^2) / 2,    e' = u - p_xy + (h - p_z) h',
//   e'' = 1 + h' h'^T + (h - p_z) h''
//
// found by Newton's method, in steps of one cell at most, with the absolute eigenvalues of e'', so
// that steps lead downhill. e may have several minima: Newton's method starts below p, and again at
// the nearest point of the straight lines between the nodes that are near enough.

enum {
    MOST_ITERATIONS = 40,
    MOST_HALVINGS = 20,
    MOST_CELLS = 8,  // that are searched on each side
    MOST_STARTS = 4, // of Newton's method, beside the one below
};

static const double near_end = 1e-5; // of a spacing: two more steps, and it is there to rounding
static const double flat = 1e-6;     // the least second derivative of e that counts
static const double same = 0.1;      // of a spacing: as near to a minimum is on the way to it
static const double rounding = 1e-15;

typedef atemi_height_place place;
typedef atemi_height_patch patch;

// As fmin() and fmax() of numbers, without a call.
static double lesser(double a, double b)
{
    return a < b ? a : b;
}

static double greater(double a, double b)
{
    return a > b ? a : b;
}

static int clamped(int i, int count)
{
    return i < 0 ? 0 : i >= count ? count - 1 : i;
}

static double node_height(const atemi_height_table *table, int column, int row)
{
    return table->heights[(size_t)row * (size_t)table->columns + (size_t)column];
}

// ---- The nearest point

// A place of the surface, and half the square of its distance from p.
typedef struct candidate {
    place  at;
    patch  patch;
    double energy;
} candidate;

static candidate candidate_at(const atemi_height_table *table, atemi_vec3 p, place u)
{
    const patch  f = atemi_height_patch_at(table, u);
    const double x = u.x - p.x, y = u.y - p.y, z = f.h - p.z;
    return (candidate){u, f, 0.5 * (x * x + y * y + z * z)};
}

// Along an eigenvector of e'' with the eigenvalue `bend`, towards what is lower in any case. Where
// e is flat, as on a circle of nearest points, the step is short.
static double step_along(double slope, double bend)
{
    return -slope / greater(fabs(bend), flat);
}

static place unit(place a)
{
    const double length = sqrt(a.x * a.x + a.y * a.y);
    return length > 0.0 ? (place){a.x / length, a.y / length} : (place){1.0, 0.0};
}

static place newton_step(const candidate *c, atemi_vec3 p)
{
    const patch *f = &c->patch;
    const double z = f->h - p.z;
    const double gx = c->at.x - p.x + z * f->x, gy = c->at.y - p.y + z * f->y;
    const double xx = 1.0 + f->x * f->x + z * f->xx, xy = f->x * f->y + z * f->xy;
    const double yy = 1.0 + f->y * f->y + z * f->yy;
    const double mean = 0.5 * (xx + yy), half = 0.5 * (xx - yy);
    const double root = sqrt(half * half + xy * xy);
    const place  e = unit(half >= 0.0 ? (place){half + root, xy} : (place){xy, root - half});
    const double a = step_along(e.x * gx + e.y * gy, mean + root);
    const double b = step_along(e.x * gy - e.y * gx, mean - root);
    return (place){e.x * a - e.y * b, e.y * a + e.x * b};
}

static double cells(const atemi_height_table *table, place step)
{
    return greater(fabs(step.x) / table->spacing_x, fabs(step.y) / table->spacing_y);
}

static place moved(place from, double scale, place step)
{
    return (place){from.x + scale * step.x, from.y + scale * step.y};
}

// Half the step again and again, until it does not lead uphill.
static bool descend(const atemi_height_table *table, atemi_vec3 p, place step, candidate *c)
{
    double scale = 1.0 / greater(cells(table, step), 1.0);
    for (int i = 0; i < MOST_HALVINGS; ++i, scale *= 0.5) {
        const candidate next = candidate_at(table, p, moved(c->at, scale, step));
        if (next.energy <= (1.0 + rounding) * c->energy) {
            *c = next;
            return true;
        }
    }
    return false;
}

// Descends from c to the least e near by. With `known`, a least e found before, it stops as soon as
// it is on its way there.
static candidate descended(const atemi_height_table *table, atemi_vec3 p, candidate c,
                           const candidate *known)
{
    for (int i = 0, left = 2; i < MOST_ITERATIONS && left > 0; ++i) {
        if (known && c.energy >= known->energy &&
            cells(table, moved(c.at, -1.0, known->at)) < same) {
            break;
        }
        const place step = newton_step(&c, p);
        if (cells(table, step) < near_end) { // rounding decides what is uphill: the step is good
            c = candidate_at(table, p, moved(c.at, 1.0, step));
            --left;
        } else if (!descend(table, p, step, &c)) {
            break;
        }
    }
    return c;
}

// ---- The search

// The cells that are searched.
typedef struct window {
    int first_column, end_column, first_row, end_row;
} window;

// Within `reach` of x, at most so many on each side.
static void find_range(double x, double reach, double spacing, int count, int *first, int *end)
{
    const double at = lesser(greater(x / spacing, 0.0), count - 1);
    const double by = lesser(reach / spacing, (double)MOST_CELLS);
    *first = clamped((int)floor(at - by), count - 1);
    *end = clamped((int)floor(at + by), count - 1) + 1;
}

static window window_about(const atemi_height_table *table, atemi_vec3 p, double reach)
{
    window w;
    find_range(p.x, reach, table->spacing_x, table->columns, &w.first_column, &w.end_column);
    find_range(p.y, reach, table->spacing_y, table->rows, &w.first_row, &w.end_row);
    return w;
}

static double outside(double x, double lower, double upper)
{
    return greater(greater(lower - x, x - upper), 0.0);
}

// Half the square of the distance of p from the box about the nodes of a cell.
static double box_energy(const atemi_height_table *table, atemi_vec3 p, int column, int row)
{
    const double a = node_height(table, column, row), b = node_height(table, column + 1, row);
    const double c = node_height(table, column, row + 1),
                 d = node_height(table, column + 1, row + 1);
    const double x = outside(p.x, column * table->spacing_x, (column + 1) * table->spacing_x);
    const double y = outside(p.y, row * table->spacing_y, (row + 1) * table->spacing_y);
    const double z =
        outside(p.z, lesser(lesser(a, b), lesser(c, d)), greater(greater(a, b), greater(c, d)));
    return 0.5 * (x * x + y * y + z * z);
}

static atemi_vec3 node_at(const atemi_height_table *table, int column, int row)
{
    return (atemi_vec3){column * table->spacing_x, row * table->spacing_y,
                        node_height(table, column, row)};
}

// The nearest point of a line between nodes.
typedef struct start {
    place  at;
    double energy;
} start;

static void try_segment(start *best, atemi_vec3 p, atemi_vec3 from, atemi_vec3 to)
{
    const atemi_vec3 along = atemi_vec3_sub(to, from);
    const double     part =
        atemi_vec3_dot(atemi_vec3_sub(p, from), along) / atemi_vec3_dot(along, along);
    const double     t = lesser(greater(part, 0.0), 1.0);
    const atemi_vec3 at = atemi_vec3_add(from, atemi_vec3_scale(t, along));
    const atemi_vec3 off = atemi_vec3_sub(at, p);
    const double     energy = 0.5 * atemi_vec3_dot(off, off);
    if (energy < best->energy) {
        *best = (start){{at.x, at.y}, energy};
    }
}

// On the sides and the diagonals of a cell.
static start start_in_cell(const atemi_height_table *table, atemi_vec3 p, int column, int row)
{
    const atemi_vec3 a = node_at(table, column, row), b = node_at(table, column + 1, row);
    const atemi_vec3 c = node_at(table, column, row + 1), d = node_at(table, column + 1, row + 1);
    start            best = {{p.x, p.y}, (double)INFINITY};
    try_segment(&best, p, a, b);
    try_segment(&best, p, a, c);
    try_segment(&best, p, a, d);
    try_segment(&best, p, b, c);
    try_segment(&best, p, b, d);
    try_segment(&best, p, c, d);
    return best;
}

static bool is_known(const start *starts, place at)
{
    for (int i = 0; i < MOST_STARTS; ++i) {
        if (starts[i].at.x == at.x && starts[i].at.y == at.y) {
            return true;
        }
    }
    return false;
}

// Keeps the best ones, in order. Neighbours share their sides.
static void keep(start *starts, start what)
{
    int i = MOST_STARTS - 1;
    if (!(what.energy < starts[i].energy) || is_known(starts, what.at)) {
        return;
    }
    for (; i > 0 && what.energy < starts[i - 1].energy; --i) {
        starts[i] = starts[i - 1];
    }
    starts[i] = what;
}

static void find_starts(const atemi_height_table *table, atemi_vec3 p, double energy, start *starts)
{
    const window w = window_about(table, p, sqrt(2.0 * energy));
    for (int i = 0; i < MOST_STARTS; ++i) {
        starts[i] = (start){{(double)NAN, (double)NAN}, (double)INFINITY};
    }
    for (int i = w.first_row; i < w.end_row; ++i) {
        for (int j = w.first_column; j < w.end_column; ++j) {
            if (box_energy(table, p, j, i) < energy) {
                keep(starts, start_in_cell(table, p, j, i));
            }
        }
    }
}

static candidate nearest(const atemi_height_table *table, atemi_vec3 p)
{
    start     starts[MOST_STARTS];
    candidate best = descended(table, p, candidate_at(table, p, (place){p.x, p.y}), NULL);
    find_starts(table, p, best.energy, starts);
    for (int i = 0; i < MOST_STARTS && isfinite(starts[i].energy); ++i) {
        const candidate other = descended(table, p, candidate_at(table, p, starts[i].at), &best);
        if (other.energy < best.energy) {
            best = other;
        }
    }
    return best;
}

atemi_height_foot atemi_height_foot_of(const atemi_height_table *table, atemi_vec3 point)
{
    const candidate best = nearest(table, point);
    return (atemi_height_foot){best.at, best.patch};
}
