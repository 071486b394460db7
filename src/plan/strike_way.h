// SPDX-License-Identifier: Apache-2.0

/// @file
/// The way of a strike: where the joints are before and after the blow, and how fast, at a few
/// knots and, interpolated, between them.

#pragma once

#include "atemi/arena.h"
#include "atemi/model.h"

enum { STRIKE_MOST_KNOTS = 9 }; ///< of a phase, first touch aside

/// Where a way is known, and where it is looked at, as parts of the hand's time up to 1, and from
/// there to 2 of what is left until the body rests.
typedef struct strike_grid {
    int           hand_knots, knots; ///< while the hand moves, and in all; of STRIKE_MOST_KNOTS
    const double *knot_parts;        ///< [knots]
    int           instants;          ///< at which torques and friction are looked at
    const double *instant_parts;     ///< [instants + 1] the first is first touch
} strike_grid;

/// The grid of a plan, and one on which the search looks around: a rough one, in half the time.
extern const strike_grid strike_fine_grid, strike_rough_grid;

/// Rates at a posture: what the hand's goal and what those of the body want, at their values of
/// first touch. While the goals are at parts of these, the rates are parts of them.
typedef struct strike_shares {
    double *hand, *body; ///< [v_count]
} strike_shares;

/// An instant of the way.
typedef struct strike_knot {
    double        time;   ///< away from first touch, s
    double        travel; ///< see strike_way.c
    double       *q;      ///< [q_count]
    double       *v;      ///< [v_count]
    strike_shares shares;
    strike_shares slopes; ///< of the shares, by the travel
} strike_knot;

/// One phase.
typedef struct strike_way {
    const strike_grid *grid;
    double             sign;       ///< -1 before the blow, where time runs back
    double             hand, body; ///< times of the goals, s
    strike_knot        knots[STRIKE_MOST_KNOTS + 1];
} strike_way;

/// Of a goal's value at first touch, the part at a time, which rises from rest within `rise` and
/// falls to rest within `fall`.
double strike_part_at(double time, double rise, double fall);

/// Its integral from first touch to `time` away from it, with the time T of that phase.
double strike_part_integral(double T, double time);

struct strike_problem;

strike_shares strike_shares_take(atemi_arena *arena, const atemi_model *model);

/// Lays a way out on an arena.
/// @param q, v, shares those of first touch, kept elsewhere
strike_way strike_way_take(atemi_arena *arena, const atemi_model *model, const strike_grid *grid,
                           double *q, double *v, strike_shares shares);

/// The time away from first touch of a part of the way, see strike_grid.
double strike_way_time(const strike_way *way, double part);

/// Follows both ways from the posture and the shares of first touch.
void strike_follow_ways(struct strike_problem *problem);

/// All rates at a time away from first touch, in the segment that ends with a knot.
/// @param v, a [v_count]; `a` or NULL
void strike_way_rates(const strike_way *way, int knot, double time, int count, double *v,
                      double *a);

/// Where the joints are `time` away from first touch, how fast, and what they accelerate by.
/// @param q, v, a results; `a` or NULL
void strike_way_at(const struct strike_problem *problem, const strike_way *way, double time,
                   double *q, double *v, double *a);
