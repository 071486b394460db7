// SPDX-License-Identifier: Apache-2.0

/// @file
/// A blow on its way, by exact steps from node to node: what its steps, its events and its record
/// share.

#pragma once

#include "impact/blow_variation.h"

/// s. Over so short a time a state follows its slopes to rounding errors.
static const double atemi_blow_short_time = 1e-9;

/// s. Two events are not told apart.
static const double atemi_blow_same_time = 1e-14;

/// A step goes from `left` by `middle` to `right`; `trial` is where an event or a peak is looked
/// for.
typedef struct atemi_blow_run {
    atemi_blow_propagator     propagator;
    const atemi_blow_problem *problem;
    atemi_blow_record        *record;
    atemi_blow_mode           mode;
    atemi_blow_reference      reference;
    atemi_blow_segment        segment;
    atemi_blow_node           left, middle, right, trial;
    atemi_blow_state          whole, sum;
    double                   *torque; ///< [stride]
    double                   *before; ///< [stride] slopes of the rates before an event
    double                    step;
    double                    largest[2]; ///< rate and angle, in the coordinates of the segment
    bool                      done;

    atemi_blow_state anchor;      ///< where the variation is, if it is one
    bool             is_anchored; ///< it is known
    bool             defers;      ///< the variation stays there for one more node
    bool             is_smooth;   ///< so may it in this step
} atemi_blow_run;

/// The slopes and margins of a node whose state is known.
void atemi_blow_run_fill(atemi_blow_run *r, atemi_blow_node *node);

/// From a node over the time h.
void atemi_blow_run_reach(atemi_blow_run *r, const atemi_blow_node *from, double h,
                          atemi_blow_node *to);

/// The margin that is overstepped first between two nodes, with `trial` where that is; ATEMI_NONE
/// if there is none. `trial`, `whole` and `sum` are overwritten.
int atemi_blow_run_find_event(atemi_blow_run *r, const atemi_blow_node *from,
                              const atemi_blow_node *to);

/// Takes a node into the record.
void atemi_blow_run_note(atemi_blow_run *r, const atemi_blow_node *node);

/// Takes what lies between two nodes, and the second one, into the record, and its change along.
/// `trial` is overwritten.
void atemi_blow_run_absorb(atemi_blow_run *r, const atemi_blow_node *from,
                           const atemi_blow_node *to);
