// SPDX-License-Identifier: Apache-2.0

/// @file
/// What the task of a strike means for its robot: found once, the same in every evaluation.

#pragma once

#include "atemi/inverse_kinematics.h"
#include "contact/stance.h"
#include "plan/motion/strike_capsules.h"
#include "plan/motion/strike_obstacle.h"
#include "plan/touch/strike_touch.h"

enum { STRIKE_MAX_CORNERS = 4 * ATEMI_STRIKE_MAX_FEET };

typedef struct strike_setup {
    atemi_strike_task  task; ///< with the least frictions of the floor in doubt
    const atemi_model *model;
    int                v_count, base_count; ///< all velocities, those of the base
    int                foot_links[ATEMI_STRIKE_MAX_FEET];
    int                leg_joint_count;
    int               *leg_joints;              ///< [joint_count] moved by inverse kinematics
    bool              *moving;                  ///< [v_count] theirs
    bool              *locked;                  ///< [v_count] see strike_setup_is_locked()
    bool              *still;                   ///< [v_count] see strike_setup_weights()
    double            *bent_lower, *bent_upper; ///< [v_count] where a knee is straight
    bool               sagittal;                ///< legs can move as seen from the side only
    bool               bolted;                  ///< the base itself is the only foot
    atemi_inverse_kinematics_options ik_options;
    strike_touch                     touch;
    double                          *rotors; ///< [v_count] of light joints, in the blow
    strike_balls                     balls;
    strike_capsules                  capsules; ///< none where links may be as near as they like
    atemi_arena                      arena;
} strike_setup;

/// Finds it. Destroy it, whatever the result.
atemi_status strike_setup_create(const atemi_strike_task *task, strike_setup *setup,
                                 atemi_error *error);
void         strike_setup_destroy(strike_setup *setup);

/// Whether a joint never moves: it is given at a limit, and nothing decides on it.
bool strike_setup_is_locked(const strike_setup *setup, const atemi_joint *joint);

/// What joint velocities cost ([STRIKE] eq. 11): more near limits, and infinitely much where a
/// joint has to stand still: one that does not bend its leg forwards, of a leg of less than six
/// joints.
/// @param weights [v_count]
void strike_setup_weights(const strike_setup *setup, const double *q, double *weights);

/// The limits of a joint's position; those of a knee end where its leg is straight.
double strike_setup_lower(const strike_setup *setup, const atemi_joint *joint);
double strike_setup_upper(const strike_setup *setup, const atemi_joint *joint);

/// Whether it has both, or is a knee.
bool strike_setup_has_range(const strike_setup *setup, const atemi_joint *joint);

/// The speed limit of a joint of one velocity, and the fraction of it that the task uses; infinite
/// if there is none.
double strike_setup_speed(const strike_setup *setup, const atemi_joint *joint);
double strike_setup_speed_limit(const strike_setup *setup, const atemi_joint *joint);

/// The site of a foot.
const atemi_site *strike_setup_foot(const strike_setup *setup, int foot);

/// The corners of all feet.
/// @param points [STRIKE_MAX_CORNERS] result
/// @return how many there are
int strike_setup_corners(const strike_setup *setup, atemi_contact_point *points);

/// The feet as what the robot stands on in a blow.
atemi_ground strike_setup_ground(const strike_setup *setup);
