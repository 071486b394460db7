// SPDX-License-Identifier: Apache-2.0

/// @file
/// People beside a robot: those who stand in its path for a time, and those who lead it by hand.
/// The keys people and hands.

#pragma once

#include "atemi/control_loop.h"
#include "io/scenario/scenario_surfaces.h"

/// The reader refuses more.
enum { CONTROL_MAX_HANDS = 4 };

typedef struct control_people {
    int                  person_count, hand_count;
    atemi_timed_surface *people;       ///< [person_count]
    atemi_guiding_hand  *hands;        ///< [hand_count]
    atemi_scenario_mark *person_marks; ///< [person_count] of their times
    atemi_scenario_mark *hand_marks;   ///< [hand_count] of their times
} control_people;

void atemi_control_read_people(atemi_scenario_reader *reader, const atemi_model *model,
                               const atemi_scenario_surfaces *surfaces, control_people *people);

/// Warns of those who come when all is over.
/// @param end s, when the job ends
void atemi_control_check_people(atemi_scenario_reader *reader, const control_people *people,
                                double end);

void atemi_control_people_destroy(control_people *people);
