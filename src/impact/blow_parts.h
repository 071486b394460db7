// SPDX-License-Identifier: Apache-2.0

/// @file
/// What the methods of computing a blow have in common: the frozen system, its state and its
/// limiters.

#pragma once

#include "impact/blow_tally.h"

/// Whether servo, surface, target and rates make sense; of `base` only the counts are looked at.
atemi_status atemi_blow_check(const atemi_virtual_base *base, const atemi_blow_setting *setting,
                              atemi_blow_method method, atemi_error *error);

struct atemi_blow_variation;

/// Computes a blow, and how it changes.
/// @param variation with `base`, `start` and `drift`; NULL for none
atemi_status atemi_blow_along(const atemi_virtual_base *base, const atemi_blow_setting *setting,
                              const atemi_blow_options *options, const atemi_blow_watch *watch,
                              struct atemi_blow_variation *variation, atemi_blow_scratch *scratch,
                              atemi_blow_result *result, atemi_error *error);

/// The law of a surface, which must outlive it.
atemi_compliance atemi_blow_law_of(const atemi_blow_surface *surface);

/// Where the torque of an element stands to its bound.
typedef enum atemi_blow_limit {
    ATEMI_BLOW_WITHIN,
    ATEMI_BLOW_HIGH,
    ATEMI_BLOW_LOW,
} atemi_blow_limit;

/// A spring and damper on one rate with a bound on its torque: a servo, or the friction of a joint.
///
///     torque = limited(offset - damping y - stiffness z, bound) - held
///
/// A servo's offset is what it holds without the blow. y is what the rate has changed by since
/// first touch, z its integral.
typedef struct atemi_blow_element {
    int              axis; ///< which rate
    bool             servo;
    double           offset, damping, stiffness, bound, held;
    atemi_blow_limit limit; ///< of the exact method
} atemi_blow_element;

enum { ATEMI_BLOW_ELEMENTS = 3 }; ///< on one rate, at most

/// The frozen system.
typedef struct atemi_blow_problem {
    const atemi_virtual_base *base;
    atemi_blow_options        options;
    atemi_blow_law            kind;
    atemi_spring_damper       spring;
    atemi_compliance          law;
    double                    target_give; ///< 1 / m_t
    double                    friction;    ///< of the target
    double              frequency; ///< of hand and target on the spring, sqrt(k (1/m_a + 1/m_t))
    double              approach;  ///< speed of the hand at first touch
    const double       *start;     ///< [stride] rates at first touch
    const double       *gains;     ///< [v_count] accelerations of the reference, or NULL
    double              drift;     ///< of the hand by the reference
    atemi_blow_element *elements;
    int                 element_count;
    bool                is_limited; ///< some gains are, by blow_rates.h

    atemi_blow_operations *operations; ///< where they are counted
} atemi_blow_problem;

/// Where the system is. `rate` and `angle` are y and z, [stride]; the exact method has them in the
/// coordinates of a chain (blow_reduction.h) besides.
typedef struct atemi_blow_state {
    double  time, hand, target, depth, travel, impulse;
    double *rate, *angle;
    double *reduced_rate, *reduced_angle;
} atemi_blow_state;

/// How it changes.
typedef struct atemi_blow_slope {
    double  hand, target, force;
    double *rate; ///< [stride]
} atemi_blow_slope;

/// Hands out the scratch, one padded vector after the other.
typedef struct atemi_blow_vectors {
    double *next;
    int     stride;
} atemi_blow_vectors;

double          *atemi_blow_vector(atemi_blow_vectors *vectors);
atemi_blow_state atemi_blow_state_take(atemi_blow_vectors *vectors);
void atemi_blow_state_copy(const atemi_blow_problem *problem, const atemi_blow_state *from,
                           atemi_blow_state *to);

/// That a scratch has: besides, two for every rate.
enum { ATEMI_BLOW_VECTORS = 58 };

/// The torque that an element asks for, before its bound.
static inline double atemi_blow_asked(const atemi_blow_element *e, const atemi_blow_state *s)
{
    return e->offset - e->damping * s->rate[e->axis] - e->stiffness * s->angle[e->axis];
}

/// The torque that it adds to what it holds.
static inline double atemi_blow_given(const atemi_blow_element *e, const atemi_blow_state *s)
{
    const double asked = atemi_blow_asked(e, s);
    return (asked > e->bound ? e->bound : asked < -e->bound ? -e->bound : asked) - e->held;
}

/// What torques [stride] and force accelerate: dy/dt = C tau - c f, and the hand by c^T tau - f /
/// m_a. Its drift by the reference is not in it.
void atemi_blow_accelerate(const atemi_blow_problem *problem, const double *torque, double force,
                           atemi_blow_slope *slope);

/// What a run keeps on the way to its result.
typedef struct atemi_blow_record {
    const atemi_blow_watch *watch;
    int                     watched;
    int                     asked; ///< how many evaluations there were when it was last asked
    double                 *rates, *accelerations, *torques, *peak_torques;
    bool                   *saturations;
    atemi_blow_result      *result;

    struct atemi_blow_variation    *variation; ///< that goes along; NULL for none
    const atemi_blow_sample_slopes *slopes;    ///< where it shows itself
} atemi_blow_record;

/// Takes the state into the largest values; gives the force that acts in it.
void atemi_blow_note(const atemi_blow_problem *problem, const atemi_blow_state *state, double force,
                     atemi_blow_record *record);

/// Whether an instant up to `time` is to be looked at; which one is in `next`.
bool atemi_blow_is_watched(const atemi_blow_record *record, double time, double *next);

/// Whether the blow goes on, asked as often as the options say. If not, it has stopped.
/// @param evaluations so far
bool atemi_blow_goes_on(const atemi_blow_problem *problem, int evaluations,
                        atemi_blow_record *record);

/// Hands a state to the watch.
void atemi_blow_show(const atemi_blow_problem *problem, const atemi_blow_state *state,
                     const atemi_blow_slope *slope, atemi_blow_record *record);

/// Fills the rest of the result from the last state.
void atemi_blow_record_close(const atemi_blow_problem *problem, const atemi_blow_state *state,
                             atemi_blow_record *record);

/// The methods. `state` begins at first touch, with a hand that comes near, and ends at the end.
atemi_status atemi_blow_by_rk4(const atemi_blow_problem *problem, atemi_blow_vectors *vectors,
                               atemi_blow_state *state, atemi_blow_record *record,
                               atemi_error *error);
atemi_status atemi_blow_exactly(const atemi_blow_problem *problem, atemi_blow_vectors *vectors,
                                atemi_blow_scratch *scratch, atemi_blow_state *state,
                                atemi_blow_record *record, atemi_error *error);
