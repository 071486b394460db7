// SPDX-License-Identifier: Apache-2.0

/// @file
/// The cases of a sweep by their numbers: every value of each list with every other.

#pragma once

#include "jobs/impact/impact_scenario.h"
#include "jobs/impact/impact_trial.h"

/// What a case is made of, by number: postures change slowest, then places (z slowest, then y),
/// directions, speeds, masses and stiffnesses.
typedef struct atemi_impact_index {
    int posture, place, direction, speed, mass, stiffness;
} atemi_impact_index;

atemi_impact_index atemi_impact_index_of(const atemi_impact_sweep *sweep, int number);

/// How many places a sweep has, at least one.
int atemi_impact_place_count(const atemi_impact_sweep *sweep);

/// How many cases in a row are at the same place.
int atemi_impact_cases_at_place(const atemi_impact_sweep *sweep);

/// Where the hand is in a sweep of places.
atemi_vec3 atemi_impact_place(const atemi_impact_sweep *sweep, int place);

/// The configuration that a case begins with: of its posture, or the usual one.
const double *atemi_impact_posture(const atemi_impact_scenario *scenario,
                                   const atemi_impact_case *usual, int posture);

/// A case, with the posture that it begins with: what a sweep leaves out is as usual.
atemi_impact_case atemi_impact_case_of(const atemi_impact_scenario *scenario,
                                       const atemi_impact_case     *usual,
                                       const atemi_impact_index    *index);
