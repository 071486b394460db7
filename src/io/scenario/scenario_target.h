// SPDX-License-Identifier: Apache-2.0

/// @file
/// What a robot hits in a scenario, and with what: the keys hand and target.

#pragma once

#include "atemi/blow.h"
#include "io/scenario/scenario_law.h"

/// What strikes.
typedef struct atemi_scenario_hand {
    atemi_striking_point point;
    bool                 has_speed;
    double               speed;                        ///< along the direction, m/s
    atemi_vec3           axes[ATEMI_STRIKE_MAX_HANDS]; ///< in the links' frames, unit length
    atemi_scenario_mark  mark;
} atemi_scenario_hand;

/// What is hit.
typedef struct atemi_scenario_target {
    double             mass;     ///< kg, infinite for a wall
    double             friction; ///< N
    atemi_scenario_law law;
} atemi_scenario_target;

/// What else a job wants to know of the hand: the speed that it has, unless the joints' rates give
/// it one, or, where its posture is to be decided, the axis that it strikes with and the hand that
/// strikes with it.
typedef enum atemi_hand_key { ATEMI_HAND_SPEED, ATEMI_HAND_RATES, ATEMI_HAND_AXIS } atemi_hand_key;

/// @param model NULL where the reader has no file
void atemi_scenario_read_hand(atemi_scenario_reader *reader, const atemi_model *model,
                              atemi_hand_key key, atemi_scenario_hand *hand);

/// The result refers to itself: it stays where it is.
void atemi_scenario_read_target(atemi_scenario_reader *reader, atemi_scenario_target *target);

/// How wide a target is, m: what is drawn, and what limbs keep away from.
double atemi_scenario_target_width(double mass);

/// As a blow wants them.
atemi_blow_surface atemi_scenario_blow_surface(const atemi_scenario_target *target);
atemi_blow_target  atemi_scenario_blow_target(const atemi_scenario_target *target);
