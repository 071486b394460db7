// SPDX-License-Identifier: Apache-2.0

/// @file
/// One blow of a scenario, computed by several methods.
///
/// Where the scenario gives the hand a speed, the reference of the servos goes on so that the hand
/// keeps its velocity; where it gives the joints rates, they keep those.

#pragma once

#include "atemi/blow.h"
#include "atemi/full_blow.h"
#include "atemi/simulation.h"
#include "jobs/impact/impact_scenario.h"
#include "jobs/job.h"

typedef enum atemi_impact_method {
    ATEMI_IMPACT_ESTIMATE,  ///< SDC with the servo's stiffness: exactly, or by RK4 for other laws
    ATEMI_IMPACT_PUBLISHED, ///< SDC as [SDC] has it
    ATEMI_IMPACT_TWO_MASSES,
    ATEMI_IMPACT_FULL,
    ATEMI_IMPACT_METHODS
} atemi_impact_method;

/// "estimate", "as published", "virtual mass", "full dynamics".
const char *atemi_impact_method_text(atemi_impact_method method);

/// What is varied.
typedef struct atemi_impact_case {
    const double        *q;         ///< [q_count]
    atemi_striking_point point;     ///< and its direction
    double               speed;     ///< m/s; NaN for the rates of the scenario's start
    double               mass;      ///< kg
    double               stiffness; ///< N/m; NaN for a law without
} atemi_impact_case;

/// What came of it by one method; NaN throughout if that method does not know.
typedef struct atemi_impact_answer {
    double peak_force, peak_time, impulse, contact_time, compression;
    double hand_speed, target_speed, target_travel;
    double margin;   ///< the least of the ZMP, m; NaN where there is none
    bool   released; ///< hand and target have parted
    bool   fails;    ///< the simulation could not go on
    int    saturated, lift_offs, slips;
} atemi_impact_answer;

/// What a blow looks like at an instant.
typedef struct atemi_impact_sample {
    const atemi_blow_sample *blow;
    bool                     has_zmp;
    atemi_vec3               zmp;
    double                   margin;
} atemi_impact_sample;

typedef void atemi_impact_taker(void *context, const atemi_impact_sample *sample);

/// Which samples are wanted.
typedef struct atemi_impact_watch {
    const double       *times; ///< [count] ascending, s; of full dynamics, the ends of its steps
    int                 count;
    bool                past_release; ///< to the last time; not by full dynamics
    atemi_impact_taker *take;
    void               *context;
} atemi_impact_watch;

typedef struct atemi_impact_trial {
    const atemi_impact_scenario *scenario;
    const atemi_job_hooks       *hooks;   ///< asked within a blow; or NULL
    double                       done;    ///< what they hear then, from 0 to 1
    bool                         stopped; ///< by them: the last answer is none
    char                         trouble[ATEMI_ERROR_MESSAGE_SIZE]; ///< why an answer fails
    const atemi_model           *model;
    atemi_impact_case            now;
    atemi_ground                 ground;                ///< how the links in contact are held
    atemi_virtual_base           base;                  ///< by constraints
    atemi_virtual_base           heavy;                 ///< by extra mass
    bool                         singular_as_published; ///< heavy is none
    double                      *v, *a;      ///< [v_count] of the reference at first touch
    double                       hand_speed; ///< along the direction at first touch, m/s
    double                       drift;      ///< of the hand by the reference, m/s^2
    double                      *held;       ///< [v_count] torques without a blow
    atemi_touching_points        touching;   ///< what the robot stands on
    atemi_contact_point         *points;     ///< [touching.count]
    atemi_vec3                  *forces;     ///< [touching.count] forces there, scratch
    atemi_straight_reference     reference;

    atemi_data        *data;
    atemi_blow_scratch blow;
    atemi_arena        arena;
} atemi_impact_trial;

/// Takes memory for trials of a scenario. Destroy it, whatever the result.
atemi_status atemi_impact_trial_create(const atemi_impact_scenario *scenario,
                                       atemi_impact_trial *trial, atemi_error *error);
void         atemi_impact_trial_destroy(atemi_impact_trial *trial);

/// Freezes the robot at the first touch of a case.
atemi_status atemi_impact_trial_set(atemi_impact_trial *trial, const atemi_impact_case *now,
                                    atemi_error *error);

/// Adds what an estimate begins with to a recording; nothing where the surface is not linear.
/// @param every between looks at the ZMP, s
atemi_status atemi_impact_trial_add_touch(const atemi_impact_trial *trial, double every,
                                          atemi_recording *recording, atemi_error *error);

/// Computes the blow.
/// @param watch or NULL
atemi_status atemi_impact_trial_run(atemi_impact_trial *trial, atemi_impact_method method,
                                    const atemi_impact_watch *watch, atemi_impact_answer *answer,
                                    atemi_error *error);
