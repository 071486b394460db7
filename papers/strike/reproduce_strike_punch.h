// SPDX-License-Identifier: Apache-2.0

/// @file
/// The punch of [STRIKE] on hrp2_like: its tables, and the scenario that they make.

#pragma once

#include "atemi/job.h"
#include "atemi/math.h"
#include "atemi/recording.h"

#include <stdint.h>

enum {
    ATEMI_PUNCH_FEET = 8,   ///< decisions about feet, the first rows of Table I
    ATEMI_PUNCH_JOINTS = 8, ///< Table II
    ATEMI_PUNCH_MOTION = 6, ///< the other rows of Table I
    ATEMI_PUNCH_DECISIONS = ATEMI_PUNCH_FEET + ATEMI_PUNCH_JOINTS + ATEMI_PUNCH_MOTION,
    ATEMI_PUNCH_GIVEN = 10 ///< Table III
};

/// Some decisions, by their place among all.
enum {
    ATEMI_PUNCH_STEP = 6, ///< s_x: the left foot before the right one, m
    ATEMI_PUNCH_CHEST = 8,
    ATEMI_PUNCH_SPEED = 16,
    ATEMI_PUNCH_P_Z,
    ATEMI_PUNCH_L_X,
    ATEMI_PUNCH_L_Y,
    ATEMI_PUNCH_V_GX,
    ATEMI_PUNCH_V_GY
};

/// A decision variable as the paper has it, in degrees where it turns. In the order of the
/// planner's.
typedef struct atemi_punch_decision {
    const char *key;    ///< in a scenario
    const char *symbol; ///< in the paper
    double      init, lower, upper, result;
    bool        in_degrees;
} atemi_punch_decision;

extern const atemi_punch_decision atemi_punch_decisions[ATEMI_PUNCH_DECISIONS];

/// A joint that is not decided: Table III, degrees.
typedef struct atemi_punch_given {
    const char *joint, *symbol;
    double      angle;
} atemi_punch_given;

extern const atemi_punch_given atemi_punch_given_joints[ATEMI_PUNCH_GIVEN];

/// What the paper's constraints are joined by, one after the other.
typedef enum atemi_punch_level {
    ATEMI_PUNCH_LETTER,   ///< eq. 14 as it is printed: speeds of the legs alone
    ATEMI_PUNCH_PAPER,    ///< speeds of all joints at first touch
    ATEMI_PUNCH_TRAVEL,   ///< ranges and speeds of all joints on the way
    ATEMI_PUNCH_FRICTION, ///< friction of each sole in the blow
    ATEMI_PUNCH_LEVELS
} atemi_punch_level;

const char *atemi_punch_level_text(atemi_punch_level level);

/// A search to be made.
typedef struct atemi_punch_search {
    atemi_punch_level level;
    bool              for_impulse; ///< not for the peak force
    bool              round;       ///< the contact is that of Hunt and Crossley
    bool              verified;    ///< by full dynamics, with a row every 1 ms
    double            start[ATEMI_PUNCH_DECISIONS];
} atemi_punch_search;

/// The start of the paper, its result (where that is lost, the start), and others at random.
void atemi_punch_start_printed(double start[ATEMI_PUNCH_DECISIONS]);
void atemi_punch_start_result(double start[ATEMI_PUNCH_DECISIONS]);
void atemi_punch_start_random(uint64_t *seed, double start[ATEMI_PUNCH_DECISIONS]);

/// Says where a search begins.
void atemi_punch_begin(atemi_punch_search *search, const double start[ATEMI_PUNCH_DECISIONS]);

/// Makes the search.
/// @param recording of the job strike; to be destroyed
atemi_status atemi_punch_search_run(const atemi_punch_search *search, const atemi_job_hooks *hooks,
                                    atemi_recording **recording, atemi_error *error);

/// The robot at first touch as `start` has it, on its right foot, in the world.
typedef struct atemi_punch_stance {
    double     start[ATEMI_PUNCH_DECISIONS];
    atemi_vec3 hand, com;
    double     violation; ///< of the constraints of eq. 14, in scales
} atemi_punch_stance;

/// Finds it, without searching.
atemi_status atemi_punch_stance_find(atemi_punch_stance *stance, atemi_error *error);

/// What was decided, as the paper has it.
void atemi_punch_decided(const atemi_recording *recording, double decided[ATEMI_PUNCH_DECISIONS]);

/// 1 where the robot falls by full dynamics, 0 where it stands, NaN if not checked.
double atemi_punch_falls(const atemi_recording *recording);

/// The angle of a joint at first touch, rad.
double atemi_punch_joint(const atemi_recording *recording, const char *joint);

/// A table of a recording by its name.
const atemi_recorded_table *atemi_punch_table(const atemi_recording *recording, const char *name);
