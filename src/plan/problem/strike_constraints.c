// SPDX-License-Identifier: Apache-2.0

#include "plan/problem/strike_constraints.h"

#include <math.h>

// ---- Bounds

strike_bounds strike_within(double size, double scale)
{
    return (strike_bounds){-size, size, scale};
}

strike_bounds strike_at_least(double lower, double scale)
{
    return (strike_bounds){lower, INFINITY, scale};
}

strike_bounds strike_at_most(double upper, double scale)
{
    return (strike_bounds){-INFINITY, upper, scale};
}

// ---- Rows

static void declare(strike_rows *rows, const atemi_strike_constraint *about, strike_bounds bounds,
                    int part_count)
{
    if (rows->declared) {
        strike_constraint *constraint = &rows->declared[rows->next];
        *constraint = (strike_constraint){.about = *about,
                                          .scale = bounds.scale,
                                          .first_part = rows->next_part,
                                          .part_count = part_count};
        constraint->about.lower = bounds.lower;
        constraint->about.upper = bounds.upper;
    }
}

// What is not finite is far outside.
static double finite(double value, strike_bounds bounds)
{
    const double bad = isfinite(bounds.lower) ? bounds.lower - 1e3 * bounds.scale
                                              : bounds.upper + 1e3 * bounds.scale;
    return isfinite(value) ? value : bad;
}

void strike_constrain(strike_rows *rows, atemi_strike_constraint about, strike_bounds bounds,
                      double value)
{
    declare(rows, &about, bounds, 0);
    if (rows->values) {
        rows->values[rows->next] = finite(value, bounds);
    }
    ++rows->next;
}

double strike_constrain_extreme(strike_rows *rows, atemi_strike_constraint about,
                                strike_bounds bounds, const double *values, int count)
{
    const bool has_upper = isfinite(bounds.upper);
    double     extreme = has_upper ? (double)-INFINITY : (double)INFINITY;
    declare(rows, &about, bounds, count);
    for (int k = 0; k < count; ++k) {
        const double value = finite(values[k], bounds);
        extreme = has_upper ? fmax(extreme, value) : fmin(extreme, value);
        if (rows->parts) {
            rows->parts[rows->next_part + k] = value;
        }
    }
    if (rows->values) {
        rows->values[rows->next] = extreme;
    }
    ++rows->next;
    rows->next_part += count;
    return extreme;
}

// ---- All of them

double strike_constraints_violation(const strike_constraints *constraints, const double *values)
{
    double largest = 0.0;
    for (int i = 0; i < constraints->count; ++i) {
        const strike_constraint *c = &constraints->list[i];
        largest = fmax(largest, (c->about.lower - values[i]) / c->scale);
        largest = fmax(largest, (values[i] - c->about.upper) / c->scale);
    }
    return largest;
}

// Instants before and after the blow count on their own, as do the axes of a rotation.
static bool counts_each_sample(const atemi_strike_constraint *c)
{
    return c->phase != ATEMI_PHASE_BLOW;
}

static bool counts_each_axis(const atemi_strike_constraint *c)
{
    return c->kind != ATEMI_CONSTRAIN_HAND_PLACE && c->kind != ATEMI_CONSTRAIN_HAND_SIDE_SPEED;
}

static bool are_same(const atemi_strike_deviation *a, const atemi_strike_deviation *b)
{
    return a->mass == b->mass && a->friction == b->friction && a->distance == b->distance &&
           a->timing == b->timing && a->gains == b->gains;
}

bool strike_constraints_are_related(const atemi_strike_constraint *a,
                                    const atemi_strike_constraint *b)
{
    return a->kind == b->kind && a->index == b->index && a->other == b->other &&
           a->phase == b->phase && a->with_hand == b->with_hand &&
           are_same(&a->deviation, &b->deviation) && (a->axis == b->axis || !counts_each_axis(a)) &&
           (a->sample == b->sample || !counts_each_sample(a));
}
