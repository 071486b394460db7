// SPDX-License-Identifier: Apache-2.0

/// @file
/// How a blow changes along several directions while it goes on: each quantity has a row of
/// derivatives, one for each direction, padded to `stride`.

#pragma once

#include "impact/blow_modes.h"
#include "impact/virtual_base_derivatives.h"

/// The change of a state, at the same time. What is integrated since first touch, once and twice,
/// is there only where a chain holds, and rates and angles only where none does.
typedef struct atemi_blow_change {
    double *rate, *angle;                             ///< [count x stride]
    double *hand, *target, *depth, *travel, *impulse; ///< [stride]
    double *reduced_rate, *reduced_angle;             ///< [count x stride] in the chain
    double *once, *twice;                             ///< [count x stride] of the chain's torques
    double *force_twice;                              ///< [stride]
    double *sums;   ///< [2 x (chain + 1)] of those torques themselves and of the force
    double *beside; ///< [2 x count] the same of torques beside the chain, by slots
} atemi_blow_change;

/// The change of a chain (blow_reduction.h): the letters are those of
/// blow_chain_variation.c.
typedef struct atemi_blow_chain_variation {
    bool                        holds;
    const atemi_blow_reduction *chain;
    double                     *coupling; ///< [(chain + 1) x (chain + 1) x stride] P
    double                     *motions;  ///< [count x chain] C u_j, by columns
    double                     *parts;    ///< [(chain + 1) x 8] of torques and force at the poles
    double                     *forcing;  ///< [(chain + 1 + count) x 8 x stride]
    double                     *solution; ///< [8 x chain] packs: at four poles
    double                     *once, *twice; ///< [(chain + 1) x stride] integrals over the step

    const double *damping; ///< [stride] D0 of the reference

    int     slot_count; ///< axes whose servos are or were at their limits
    int    *slots;      ///< [count] of an axis, or ATEMI_NONE
    double *columns;    ///< [count x count x stride] dC of a unit on the axis of each slot
    double *shares;     ///< [count x (chain + 1) x stride] rows of chain and hand of that
    double *amounts;    ///< [count x 8] torques beside the chain at the poles, by slots
    double *deviations; ///< [8 x count] packs
    double *answer;     ///< [8 x chain] packs
} atemi_blow_chain_variation;

/// Solved for steps of one length in one segment; the letters are those of blow_dense_variation.c.
typedef struct atemi_blow_solution {
    atemi_blow_lane  s, inverse, held;
    atemi_blow_lane *factor, *touch, *share; ///< of N, N^-1 c, E
    double           step;                   ///< 0 if there is none yet
    int              version;
    int              axis_count;
    int             *axes; ///< with gains
} atemi_blow_solution;

/// Values at the four poles, real and imaginary, and their integrals once and twice.
enum { ATEMI_BLOW_PARTS = 10 };

typedef struct atemi_blow_variation {
    atemi_blow_solution solution;
    int                 count, directions, stride;
    bool                has_torque;
    bool                stretches; ///< some of a step's stretches are not zero
    bool                holds;     ///< gains are as given, and every event so far has a derivative
    atemi_virtual_base_derivatives *base;
    double                         *units;   ///< [count + 1 x padded] forces of the columns
    double                         *columns; ///< [count x columns x stride] dC of them, then -dc

    double *start;    ///< [count x stride] of the rates at first touch
    double *approach; ///< [stride] of the hand's speed there
    double *drift;    ///< [stride] of the hand's by the reference
    double *held;     ///< [count x stride] of what servos hold

    atemi_blow_change now, there; ///< at the last node, and at an instant behind it
    double           *torque;     ///< [count x stride] dT of the segment
    double           *push;       ///< [count x stride] C dT
    double           *hand_push;  ///< [stride] c^T dT, and of the reference
    double           *shift;      ///< [stride] of the instant of the last event

    atemi_blow_chain_variation chain;
    atemi_blow_lane           *unknown;             ///< [count]
    double                    *parts, *force_parts; ///< [count x PARTS], [PARTS]
    double                    *forcing;             ///< [PARTS x count x stride]
    double                    *hand_forcing;        ///< [PARTS x stride]
    double                    *once, *twice;        ///< [count x stride] integrals of dtau
    double                    *once_force, *twice_force, *force; ///< [stride]
    double                    *torques, *servo, *accelerations;  ///< [count x stride] at an instant
    double                    *rates;                            ///< [count x stride]
    double                    *peak;                             ///< [stride] of the largest force
    double *lateness, *stretch;      ///< [stride] of a node and of the step behind it, by RK4
    atemi_blow_sample_slopes slopes; ///< of the last instant shown
} atemi_blow_variation;

/// Lays it out on an arena.
atemi_blow_variation atemi_blow_variation_take(atemi_arena *arena, const atemi_model *model,
                                               int directions);

/// Nothing changes.
void atemi_blow_variation_clear(atemi_blow_variation *variation);

/// How the hand's speed at first touch changes, and the columns of all rates that something can
/// drive.
void atemi_blow_variation_touch(const atemi_blow_problem *problem, atemi_blow_variation *variation);

/// Begins at first touch, with nothing changed before. `start` and `drift` are filled.
void atemi_blow_variation_begin(const atemi_blow_problem   *problem,
                                const atemi_blow_reference *reference,
                                atemi_blow_variation       *variation);

/// Elements have begun modes of theirs.
void atemi_blow_variation_enter(const atemi_blow_problem *problem, atemi_blow_variation *variation);

/// Goes from a node, which it is at, by the time h: to the next node, or only to look there.
/// @param scratch overwritten
void atemi_blow_variation_advance(atemi_blow_propagator *propagator, const atemi_blow_state *from,
                                  double h, atemi_blow_state *scratch,
                                  atemi_blow_variation *variation);
void atemi_blow_variation_look(atemi_blow_propagator *propagator, const atemi_blow_state *from,
                               double h, atemi_blow_state *scratch,
                               atemi_blow_variation *variation);

/// Fills the columns for `count` forces in `units`.
void atemi_blow_variation_columns(const atemi_virtual_base *base, int count,
                                  atemi_blow_variation *variation);

/// Goes by the time h from all rates (blow_dense_variation.c).
void atemi_blow_dense_variation_look(const atemi_blow_problem *problem,
                                     const atemi_blow_segment *segment,
                                     const atemi_blow_state *from, double h,
                                     atemi_blow_variation *variation);

/// What a chain does of this (blow_chain_variation.c, blow_chain_step.c): looks whether it holds
/// throughout the blow, takes servos at their limits in, tells the torque of one beside those that
/// a chain knows, goes by the time h, and finds the rates and angles of an axis or of all.
void   atemi_blow_chain_variation_begin(const atemi_blow_problem   *problem,
                                        const atemi_blow_reference *reference,
                                        atemi_blow_variation       *variation);
void   atemi_blow_chain_variation_enter(const atemi_blow_problem *problem,
                                        atemi_blow_variation     *variation);
double atemi_blow_chain_variation_beside(const atemi_blow_variation *variation,
                                         const atemi_blow_segment   *segment,
                                         const atemi_blow_state *state, int axis);
void   atemi_blow_chain_variation_look(atemi_blow_propagator  *propagator,
                                       const atemi_blow_state *from, double h,
                                       atemi_blow_state *scratch, atemi_blow_variation *variation);
void   atemi_blow_chain_variation_expand_axis(const atemi_blow_problem *problem, int axis,
                                              const atemi_blow_change    *at,
                                              const atemi_blow_variation *variation);
void   atemi_blow_chain_variation_expand(const atemi_blow_problem   *problem,
                                         const atemi_blow_change    *at,
                                         const atemi_blow_variation *variation);

/// The change of the contact's force.
void atemi_blow_variation_force(const atemi_blow_segment *segment, const atemi_blow_change *at,
                                int stride, double *force);

/// The changes of rates, torques, accelerations and force of a state, for a sample.
void atemi_blow_variation_show(const atemi_blow_problem *problem, const atemi_blow_segment *segment,
                               const atemi_blow_state *state, double force,
                               const atemi_blow_change *at, atemi_blow_variation *variation);

/// When the event of this margin comes: into `shift`.
void atemi_blow_variation_locate(const atemi_blow_problem *problem, const atemi_blow_mode *mode,
                                 const atemi_blow_segment *segment, int index,
                                 const atemi_blow_node *node, atemi_blow_variation *variation);

/// The slopes of a state have changed with an event.
/// @param rate [stride of the virtual base] their change, before less after
void atemi_blow_variation_jump(const double *rate, double hand, double target, double force,
                               atemi_blow_variation *variation);
