// SPDX-License-Identifier: Apache-2.0

/// @file
/// The frozen system between two changes of mode, where it is linear, and its exact propagation.

#pragma once

#include "impact/blow_lanes.h"
#include "impact/blow_reduction.h"

/// The linear system of one mode.
typedef struct atemi_blow_segment {
    double *damping, *stiffness; ///< D, K [stride] of all elements within their bounds
    double *torque;              ///< T [stride] that does not change
    double *drift;               ///< C T [stride]
    double  hand_drift;          ///< c^T T
    double  target_drift;        ///< of the friction of a target that moves
    double  target_give;         ///< 1 / m_t, or 0 while the target stands
    double  spring, damper;      ///< of the contact, 0 while it is open
    int    *axes;                ///< the rates with D or K
    int     axis_count;

    atemi_blow_reduction reduction;
} atemi_blow_segment;

/// The solved system for steps of one length.
typedef struct atemi_blow_propagator {
    atemi_blow_lane           s, inverse; ///< poles by the step, and 1 / s
    atemi_blow_lane           admittance; ///< what a unit of f moves the contact by
    const atemi_blow_problem *problem;
    const atemi_blow_segment *segment;
    double                    step;
    atemi_blow_lane          *factor, *touch, *unknown;
    double                   *once, *twice; ///< [stride] integrals of the torques over the step
} atemi_blow_propagator;

/// The room that a propagator for n rates takes.
size_t atemi_blow_propagator_room(int n);

/// Lays it out in that room.
atemi_blow_propagator atemi_blow_propagator_make(const atemi_blow_problem *problem,
                                                 const atemi_blow_segment *segment,
                                                 atemi_blow_lane          *room,
                                                 atemi_blow_vectors       *vectors);

/// Makes a state ready to step from in the segment as it is now. What a step yields is.
void atemi_blow_propagator_enter(const atemi_blow_propagator *propagator, atemi_blow_state *state);

/// Prepares for steps of this length.
void atemi_blow_propagator_prepare(atemi_blow_propagator *propagator, double step);

/// Takes a step of that length. Where a chain holds, rates and angles may stay in its coordinates.
void atemi_blow_propagator_step(atemi_blow_propagator *propagator, const atemi_blow_state *from,
                                bool stay_reduced, atemi_blow_state *to);

/// The torques' part of a step, for any gains (blow_dense.c) and for a chain (blow_chain.c). Each
/// factors N and tells c^T N^-1 c; fills the right-hand side and tells c^T N^-1 of it; adds c f and
/// solves for the torques' transforms.
atemi_blow_lane atemi_blow_dense_factor(atemi_blow_propagator *p);
atemi_blow_lane atemi_blow_dense_load(atemi_blow_propagator *p, const atemi_blow_state *from);
void            atemi_blow_dense_solve(atemi_blow_propagator *p, atemi_blow_lane f);
atemi_blow_lane atemi_blow_chain_factor(atemi_blow_propagator *p);
atemi_blow_lane atemi_blow_chain_load(atemi_blow_propagator *p, const atemi_blow_state *from);
void            atemi_blow_chain_solve(atemi_blow_propagator *p, atemi_blow_lane f);

/// What a chain's coordinates become, for the integrals of the force.
void atemi_blow_chain_advance(const atemi_blow_propagator *p, const atemi_blow_state *from,
                              double once_force, double twice_force, atemi_blow_state *to);
