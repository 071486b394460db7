// SPDX-License-Identifier: Apache-2.0

/// @file
/// The contacts of a scenario: the key contacts, as points of the robot that may touch a surface.

#pragma once

#include "atemi/simulation.h"
#include "io/scenario/scenario_law.h"
#include "io/scenario/scenario_surfaces.h"

/// A name of a link or site, at most 255 bytes, a point and a number; longer ones are cut.
enum { ATEMI_SCENARIO_CONTACT_NAME = 300 };

/// Where a point comes from.
typedef struct atemi_scenario_contact {
    char                name[ATEMI_SCENARIO_CONTACT_NAME]; ///< such as "right_sole.0"
    atemi_scenario_mark mark;                              ///< of its item
} atemi_scenario_contact;

typedef struct atemi_scenario_contacts {
    int                     count;
    atemi_simulation_point *points; ///< [count]
    atemi_scenario_contact *about;  ///< [count]
    atemi_scenario_law     *laws;   ///< one for each item of the list
} atemi_scenario_contacts;

/// Without the key, every site of the robot may touch the floor.
/// @param model NULL where the reader has no file
void atemi_scenario_read_contacts(atemi_scenario_reader *reader, const atemi_model *model,
                                  const atemi_scenario_surfaces *surfaces,
                                  atemi_scenario_contacts       *contacts);

/// Warns of surfaces that the file describes and that nothing can touch.
void atemi_scenario_check_surfaces(atemi_scenario_reader         *reader,
                                   const atemi_scenario_surfaces *surfaces,
                                   const atemi_scenario_contacts *contacts);

void atemi_scenario_contacts_destroy(atemi_scenario_contacts *contacts);
