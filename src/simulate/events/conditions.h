// SPDX-License-Identifier: Apache-2.0

/// @file
/// The conditions under which the modes of the contacts last.

#pragma once

#include "atemi/support.h"
#include "simulate/contact_set.h"

/// Each point has a condition, each patch two, and each joint three.
int atemi_conditions_count(const atemi_simulation_contacts *set);

/// How many there may be, with all points of shapes that may be listed.
int atemi_conditions_most(const atemi_simulation_contacts *set);

/// How far every condition is from breaking in the state that was evaluated last: negative where it
/// is broken. Smooth as long as modes last, so that the instant at which it breaks can be found.
void atemi_conditions_measure(const atemi_simulation_contacts *set, double *margins);

/// Whether that condition is one of a stop, or of what holds a joint.
bool atemi_conditions_is_stop(const atemi_simulation_contacts *set, int condition);
bool atemi_conditions_is_hold(const atemi_simulation_contacts *set, int condition);

/// Whether it is one on forces, not on places or velocities.
bool atemi_conditions_is_force(const atemi_simulation_contacts *set, int condition);

/// What a condition is about.
typedef enum atemi_condition_kind {
    ATEMI_CONDITION_GAP,      ///< an open point is outside its surface; a soft one inside
    ATEMI_CONDITION_EDGE,     ///< a held point stays on its part of the capsule below it
    ATEMI_CONDITION_SLIDE,    ///< a slipping point slides on in its direction
    ATEMI_CONDITION_PRESSURE, ///< the held points of a patch press (a tied one: as it did)
    ATEMI_CONDITION_FRICTION, ///< the sticking points of a patch are within the limit of friction
    ATEMI_CONDITION_STOP,     ///< a joint that moves is between its stops
    ATEMI_CONDITION_TURN,     ///< a joint that rubs slides on in its direction
    ATEMI_CONDITION_HOLD,     ///< what holds a joint keeps to its bounds
    ATEMI_CONDITION_NONE,
} atemi_condition_kind;

typedef struct atemi_condition {
    atemi_condition_kind kind;
    int                  point; ///< of gap, edge and slide
    int                  patch;
    int                  joint; ///< of stop, turn and hold: index in the joints' modes
} atemi_condition;

/// Whether one is broken.
bool atemi_conditions_any_broken(const atemi_simulation_contacts *set, const double *margins);

/// The first broken condition, or ATEMI_CONDITION_NONE.
atemi_condition atemi_conditions_broken(const atemi_simulation_contacts *set,
                                        const double                    *margins);

/// Where the pressure of a patch that is held as a whole acts.
typedef struct atemi_pressure {
    double               total; ///< N
    atemi_support        support;
    atemi_support_margin margin; ///< of the centre of pressure, where the total is positive
} atemi_pressure;

atemi_pressure atemi_conditions_pressure(const atemi_simulation_contacts *set, int patch,
                                         const atemi_patch *sum);

/// The directions in which the sticking points of a patch begin to slip, unit vectors [points];
/// zero for one that the patch rotates about.
void atemi_conditions_slip(const atemi_simulation_contacts *set, int patch, const atemi_patch *sum,
                           atemi_vec3 *directions);
