// SPDX-License-Identifier: Apache-2.0

/// @file
/// The modes of a blow: how long each lasts, and what follows it.

#pragma once

#include "impact/blow_propagator.h"

typedef enum atemi_blow_contact {
    ATEMI_BLOW_OPEN,
    ATEMI_BLOW_PRESS,  ///< the damper works
    ATEMI_BLOW_RETURN, ///< it does not: only with a damper that works in compression
} atemi_blow_contact;

typedef struct atemi_blow_mode {
    atemi_blow_contact contact;
    bool               stands; ///< the target does
} atemi_blow_mode;

/// How far a mode is from its end, as a number that is positive while it lasts, and how fast that
/// changes.
typedef struct atemi_blow_margin {
    double value, slope;
} atemi_blow_margin;

/// A state with its slopes and margins, where a step begins or ends.
typedef struct atemi_blow_node {
    atemi_blow_state   state;
    atemi_blow_slope   slope;
    double             force_slope;
    atemi_blow_margin *margins;
} atemi_blow_node;

/// What a margin takes of the rate of an axis, its angle, its rate at first touch and the torque
/// that it holds, and of depth, hand and target, at the same time.
typedef struct atemi_blow_gradient {
    int    axis;
    double rate, angle, start, held, depth, hand, target;
} atemi_blow_gradient;

/// The number of margins: those of the elements, then that of the contact, then that of the target.
int atemi_blow_margin_count(const atemi_blow_problem *problem);

/// A margin below minus this has been overstepped.
double atemi_blow_margin_tolerance(const atemi_blow_problem *problem, const atemi_blow_mode *mode,
                                   int index);

/// Ends the mode that this margin belongs to.
void atemi_blow_mode_end(const atemi_blow_problem *problem, int index, const atemi_blow_node *node,
                         atemi_blow_mode *mode);

/// The modes of first touch.
void atemi_blow_modes_begin(const atemi_blow_problem *problem, const atemi_blow_state *state,
                            atemi_blow_mode *mode);

/// The linear system of the modes. The elements' part of it is kept if nothing but the contact's
/// and the target's modes has changed.
void atemi_blow_segment_fill(const atemi_blow_problem   *problem,
                             const atemi_blow_reference *reference, const atemi_blow_mode *mode,
                             bool is_contact_alone, atemi_blow_segment *segment);

/// The slopes of a state in a segment, and its margins; `torque` [stride] is overwritten.
void atemi_blow_node_fill(const atemi_blow_problem *problem, const atemi_blow_segment *segment,
                          const atemi_blow_mode *mode, double *torque, atemi_blow_node *node);

/// The gradient of a margin, where it is zero.
atemi_blow_gradient atemi_blow_margin_gradient(const atemi_blow_problem *problem,
                                               const atemi_blow_mode    *mode,
                                               const atemi_blow_segment *segment, int index,
                                               const atemi_blow_node *node);

/// Moves a node's state by the time h through the derivatives that a segment gives it. `term` and
/// `torque` are overwritten, `sum` changes places with the state.
/// @return false, and nothing has moved, if more than a few derivatives count
bool atemi_blow_slide(const atemi_blow_problem *problem, const atemi_blow_segment *segment,
                      double h, atemi_blow_state *term, double *torque, atemi_blow_state *sum,
                      atemi_blow_node *node);

/// Size of the scratch for the margins of all nodes of a robot with n rates.
size_t atemi_blow_margin_scratch_size(int n);
