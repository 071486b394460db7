// SPDX-License-Identifier: Apache-2.0

/// @file
/// People beside a robot: those who stand in its path for a time, and those who lead it by hand.
/// The keys people and hands.

#pragma once

#include "atemi/control_loop.h"
#include "io/scenario/scenario_contacts.h"

/// The reader refuses more.
enum { CONTROL_MAX_HANDS = 4 };

/// What a person bears where a surface is.
typedef struct control_person {
    const char         *name;            ///< of the surface
    double              force_limit;     ///< N, of one that presses; infinite where none is set
    double              transient_limit; ///< N, of one that hits; likewise
    double              transient_time;  ///< s of contact, after which it presses
    atemi_scenario_law  skin;            ///< of contacts that have no compliance of their own
    bool                has_skin;
    atemi_scenario_mark mark; ///< of its times
} control_person;

typedef struct control_people {
    int                  person_count, hand_count;
    control_person      *persons;    ///< [person_count]
    atemi_timed_surface *people;     ///< [person_count]
    atemi_soft_body     *bodies;     ///< [person_count]
    atemi_guiding_hand  *hands;      ///< [hand_count]
    atemi_scenario_mark *hand_marks; ///< [hand_count] of their times
} control_people;

/// Reads the keys, and gives contacts with a person's skin its compliance.
void atemi_control_read_people(atemi_scenario_reader *reader, const atemi_model *model,
                               const atemi_scenario_surfaces *surfaces,
                               atemi_scenario_contacts *contacts, control_people *people);

/// Warns of those who come when all is over.
/// @param end s, when the job ends
void atemi_control_check_people(atemi_scenario_reader *reader, const control_people *people,
                                double end);

void atemi_control_people_destroy(control_people *people);
