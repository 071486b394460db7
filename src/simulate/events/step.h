// SPDX-License-Identifier: Apache-2.0

/// @file
/// A step: where it begins, how far it may go, and the workspace of the methods that take it.

#pragma once

#include "simulate/ledger.h"

typedef struct atemi_step {
    atemi_evaluation evaluation;
    double           limit; ///< no step goes past it: the end of the run, or a jump
    double           jump;  ///< the next instant at which an input jumps, or infinity

    atemi_state          start;        ///< of the step under way
    atemi_contact_state *start_states; ///< [points]
    atemi_flows          flows[4];     ///< in the stages of the step
    double              *stage_q, *stage_v, *rates[4], *accelerations[4];

    atemi_state end;                      ///< scratch for locating an event
    double     *start_rate, *end_rate;    ///< [q_count] dq/dt at both ends, likewise
    double     *whole, *broken, *margins; ///< [conditions] at both ends, and between
    double     *kept_whole, *kept_broken; ///< [conditions]
    bool        damped; ///< by extrapolation, as damping is too strong for Runge-Kutta
    double      error;  ///< of the step taken so last: how far two answers are apart, m/s and rad/s
    double      comfortable; ///< how long the next one may be
    double      touch; ///< when the first point reached its surface in a Moreau step that failed, s
    struct atemi_adaptive *adaptive; ///< or NULL
} atemi_step;

/// Lays out what has the sizes of the evaluation's model and of the set.
void atemi_step_take(atemi_arena *arena, const atemi_simulation_contacts *set, atemi_step *step);

/// Back to the start, and evaluates that.
void atemi_step_restart(atemi_step *step, atemi_simulation_contacts *set, atemi_state *state);

/// When a step of h ends: exactly at the limit if h is the time left until there.
double atemi_step_end(const atemi_step *step, double h);

/// The instant at which the hooks are asked for the last stage of a step that ends at `end`: just
/// before it, so that what jumps there has not jumped yet.
double atemi_step_before(const atemi_step *step, double end);

/// The instant at which they are asked for the state reached: its own, or just before the limit.
double atemi_step_now(const atemi_step *step, const atemi_state *state);

/// How long the next step is: as the options say, or up to the limit, leaving no sliver for a last
/// one.
double atemi_step_next(const atemi_step *step, const atemi_state *state);
