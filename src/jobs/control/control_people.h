// SPDX-License-Identifier: Apache-2.0

/// @file
/// People beside a robot: those who stand in its way for a time, and those who lead it by hand.
/// The keys people and hands.

#pragma once

#include "atemi/whole_body_plant.h"
#include "io/scenario/scenario_surfaces.h"

/// The reader refuses more.
enum { CONTROL_MOST_HANDS = 4 };

/// A surface that is there for a time only.
typedef struct control_person {
    int                 surface;
    double              from, until; ///< s
    atemi_scenario_mark mark;        ///< of its times
} control_person;

/// A hand that takes hold of a link and leads it along.
typedef struct control_hand {
    int        link;
    atemi_vec3 point;       ///< in the link's frame
    atemi_vec3 by;          ///< m, world axes
    double     from, until; ///< s
    double     stiffness, damping, force;

    atemi_scenario_mark mark; ///< of its times
} control_hand;

typedef struct control_people {
    int             person_count, hand_count;
    control_person *people;
    control_hand   *hands;
} control_people;

void atemi_control_read_people(atemi_scenario_reader *reader, const atemi_model *model,
                               const atemi_scenario_surfaces *surfaces, control_people *people);

/// Warns of those who come when all is over.
/// @param end s, when the job ends
void atemi_control_check_people(atemi_scenario_reader *reader, const control_people *people,
                                double end);

/// Where a hand is that took hold at `start`, and its velocity: along a line, softly.
atemi_vec3 atemi_control_hand_place(const control_hand *hand, atemi_vec3 start, double time,
                                    atemi_vec3 *velocity);

void atemi_control_people_destroy(control_people *people);
