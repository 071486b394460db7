// SPDX-License-Identifier: Apache-2.0

/// @file
/// The way of a strike: where the joints are before and after the blow, and how fast, at a few
/// knots and, interpolated, between them.

#pragma once

#include "atemi/arena.h"
#include "atemi/model.h"

enum {
    STRIKE_HAND_KNOTS = 4, ///< while the hand moves, first touch aside
    STRIKE_KNOTS = 9,      ///< in all
};

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
    double      sign;       ///< -1 before the blow, where time runs back
    double      hand, body; ///< times of the goals, s
    strike_knot knots[STRIKE_KNOTS + 1];
} strike_way;

/// A rate of a joint at an instant, with its derivatives by the time away from first touch.
typedef struct strike_speed {
    double value, slope, bend;
} strike_speed;

/// Of a goal's value at first touch, the part at a time, which rises from rest within `rise` and
/// falls to rest within `fall`.
double strike_part_at(double time, double rise, double fall);

/// Its integral from first touch to `time` away from it, with the time T of that phase.
double strike_part_integral(double T, double time);

struct strike_problem;

strike_shares strike_shares_take(atemi_arena *arena, const atemi_model *model);

/// Lays a way out on an arena.
/// @param q, v, shares those of first touch, kept elsewhere
strike_way strike_way_take(atemi_arena *arena, const atemi_model *model, double *q, double *v,
                           strike_shares shares);

/// Follows both ways from the posture and the shares of first touch.
void strike_follow_ways(struct strike_problem *problem);

/// All rates at a time away from first touch, in the segment that ends with a knot.
/// @param v, a [v_count]; `a` or NULL
void strike_way_rates(const strike_way *way, int knot, double time, int count, double *v,
                      double *a);

/// One of them.
strike_speed strike_way_speed(const strike_way *way, int knot, double time, int index);

/// Where the joints are `time` away from first touch, how fast, and what they accelerate by.
/// @param q, v, a results; `a` or NULL
void strike_way_at(const struct strike_problem *problem, const strike_way *way, double time,
                   double *q, double *v, double *a);
