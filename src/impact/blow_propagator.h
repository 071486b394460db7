// SPDX-License-Identifier: Apache-2.0

/// @file
/// The frozen system between two changes of mode, where it is linear, and its exact propagation.

#pragma once

#include "impact/blow_reduction.h"
#include "impact/blow_symmetric.h"

/// The gains that stay the same throughout a blow: those of all servos within their limits. What an
/// axis has more or less at a time is its deviation.
typedef struct atemi_blow_reference {
    double *damping, *stiffness; ///< D0, K0 [stride]
    int    *axes;                ///< the rates with elements
    int     axis_count;
    int    *places; ///< [v_count] where each is in `axes`

    atemi_blow_reduction chain;
} atemi_blow_reference;

/// Finds it; the chain is laid out.
void atemi_blow_reference_find(const atemi_blow_problem *problem, atemi_blow_reference *reference);

/// The linear system of one mode.
typedef struct atemi_blow_segment {
    double *damping, *stiffness; ///< D, K [stride] of all elements within their bounds
    double *torque;              ///< T [stride] that does not change
    double *drift;               ///< C T [stride]
    double *reduced_drift;       ///< the same in the coordinates of the chain
    double  hand_drift;          ///< c^T T, and of the reference, and that of the reference
    double  target_drift;        ///< of the friction of a target that moves
    double  target_give;         ///< 1 / m_t, or 0 while the target stands
    double  spring, damper;      ///< of the contact, 0 while it is open
    int    *deviants;            ///< axes whose D or K is not that of the reference
    int     deviant_count;
    int     version; ///< of D and K
} atemi_blow_segment;

/// The solved system for steps of one length.
typedef struct atemi_blow_rung {
    atemi_blow_lane  s, inverse; ///< poles by the step, and 1 / s
    atemi_blow_lane  held;       ///< c^T N^-1 c, without the deviations and with them
    atemi_blow_lane  held_now;
    atemi_blow_lane *factor;  ///< of N, of the chain or dense
    atemi_blow_lane *touch;   ///< N^-1 c; of a chain, what hands a row on to the next
    atemi_blow_lane *system;  ///< factor of what the deviations have to fulfil
    atemi_blow_lane *reach;   ///< [deviants] c^T N^-1 e_i
    atemi_blow_lane *answer;  ///< [deviants] of the deviations to a unit of f
    double           step;    ///< 0 if there is none yet
    int              version; ///< of the segment that the deviations are of
} atemi_blow_rung;

/// Kept rungs: a new one beyond them takes the place of the oldest.
enum { ATEMI_BLOW_RUNGS = 12 };

/// The rungs of the ladder of steps, each found when first needed, one for a length that does not
/// come again, and scratch.
typedef struct atemi_blow_propagator {
    atemi_blow_lane             force; ///< transformed, of the last step
    const atemi_blow_problem   *problem;
    const atemi_blow_reference *reference;
    const atemi_blow_segment   *segment;
    atemi_blow_rung             rungs[ATEMI_BLOW_RUNGS + 1];
    int                         next; ///< the rung to give up first
    atemi_blow_rung            *rung; ///< of the steps taken now
    atemi_blow_lane            *unknown, *more, *deviations;
    double                     *once, *twice; ///< [stride] integrals of the torques over the step
} atemi_blow_propagator;

/// The poles for a step, and the weights by which a transform at them gives the integrals over the
/// step, once and twice: lane_real_sum() of weight and transform.
atemi_blow_lane atemi_blow_poles(double step);
void            atemi_blow_integrals(double step, atemi_blow_lane integrals[2]);

/// Size of the scratch that a propagator for n rates takes.
size_t atemi_blow_propagator_scratch_size(int n);

/// Lays it out in that scratch.
void atemi_blow_propagator_make(const atemi_blow_problem   *problem,
                                const atemi_blow_reference *reference,
                                const atemi_blow_segment *segment, atemi_blow_lane *scratch,
                                atemi_blow_vectors *vectors, atemi_blow_propagator *propagator);

/// Makes a state ready to step from. What a step yields is.
void atemi_blow_propagator_enter(const atemi_blow_propagator *propagator, atemi_blow_state *state);

/// Prepares for steps of this length, and keeps it where that length will come `again`.
void atemi_blow_propagator_prepare(atemi_blow_propagator *propagator, double step, bool again);

/// Takes a step of that length. Where a chain holds, rates and angles may stay in its coordinates.
void atemi_blow_propagator_step(atemi_blow_propagator *propagator, const atemi_blow_state *from,
                                bool stay_reduced, atemi_blow_state *to);

/// The torques of the reference, for any gains (blow_dense.c) and for a chain (blow_chain.c):
/// factors N and tells c^T N^-1 c; ...
atemi_blow_lane atemi_blow_dense_factor(const atemi_blow_propagator *p);
atemi_blow_lane atemi_blow_chain_factor(const atemi_blow_propagator *p);

/// ... fills the right-hand side into `unknown`; ...
void atemi_blow_dense_load(const atemi_blow_propagator *p, const atemi_blow_state *from);
void atemi_blow_chain_load(const atemi_blow_propagator *p, const atemi_blow_state *from);

/// ... begins to solve, tells c^T N^-1 of the right-hand side; ...
atemi_blow_lane atemi_blow_dense_push(const atemi_blow_propagator *p, atemi_blow_lane *x);
atemi_blow_lane atemi_blow_chain_push(const atemi_blow_propagator *p, atemi_blow_lane *x);

/// ... adds c f and solves; ...
void atemi_blow_dense_solve(const atemi_blow_propagator *p, atemi_blow_lane f, atemi_blow_lane *x);
void atemi_blow_chain_solve(const atemi_blow_propagator *p, atemi_blow_lane f, atemi_blow_lane *x);

/// ... and knows the torque of one axis, to tell it and to add to it.
atemi_blow_lane atemi_blow_chain_at(const atemi_blow_propagator *p, int axis,
                                    const atemi_blow_lane *x);
void atemi_blow_chain_add(const atemi_blow_propagator *p, int axis, atemi_blow_lane amount,
                          atemi_blow_lane *x);

/// s^2 / (s + x) of a chain, and what its patterns leave out of D0: D0 - sum_j u_j u_j^T at two
/// axes.
atemi_blow_lane atemi_blow_chain_inertance(const atemi_blow_propagator *p);
double          atemi_blow_chain_gap(const atemi_blow_propagator *p, int a, int b);

/// What deviates (blow_deviation.c): makes the rung ready for it; solves for the torques where the
/// right-hand side is loaded, and tells the force.
void            atemi_blow_deviation_prepare(const atemi_blow_propagator *p);
atemi_blow_lane atemi_blow_deviation_solve(const atemi_blow_propagator *p,
                                           const atemi_blow_state      *from);

/// The transformed force of the contact; `pushed` is what the torques without it make of the hand.
atemi_blow_lane atemi_blow_contact_force(const atemi_blow_propagator *p,
                                         const atemi_blow_state *from, atemi_blow_lane pushed);

/// What a chain's coordinates become, for the integrals of the force.
void atemi_blow_chain_advance(const atemi_blow_propagator *p, const atemi_blow_state *from,
                              double once_force, double twice_force, atemi_blow_state *to);
