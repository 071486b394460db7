// SPDX-License-Identifier: Apache-2.0

/// @file
/// What holds the robot: links that are bolted or gripped, and links that stand, in the key holds.

#pragma once

#include "io/scenario/scenario_robot.h"
#include "io/scenario/scenario_start.h"

#include "atemi/coordination.h"

/// The reader refuses more, of both together.
enum { CONTROL_MAX_HOLDS = 4 };

typedef struct control_holds {
    int                    link_count, contact_count;
    int                    links[CONTROL_MAX_HOLDS];    ///< that are held; the first is the base
    atemi_standing_contact contacts[CONTROL_MAX_HOLDS]; ///< that stand; then the first is the base
    atemi_vec3             normals[CONTROL_MAX_HOLDS];  ///< of what it stands on, world
    bool                   found[CONTROL_MAX_HOLDS];    ///< the contact's sole was found
    atemi_scenario_mark    mark;
    atemi_scenario_mark    marks[CONTROL_MAX_HOLDS]; ///< of what stands
} control_holds;

/// Reads the key. A robot that stands on soles is put on the floor, z = 0.
/// @param model NULL where the reader has no file
/// @param start its base is moved
void atemi_control_read_holds(atemi_scenario_reader *reader, const atemi_model *model,
                              atemi_scenario_start *start, control_holds *holds);

/// The link that is the base at the beginning.
int atemi_control_holds_base(const control_holds *holds);
