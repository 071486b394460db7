// SPDX-License-Identifier: Apache-2.0

/// @file
/// The state in which a scenario begins: the key start.

#pragma once

#include "io/scenario/scenario_contacts.h"

typedef struct atemi_scenario_start {
    double             *q;  ///< [q_count]
    double             *v;  ///< [v_count]
    const char         *on; ///< the surface to be put on, or NULL
    int                 on_surface;
    atemi_scenario_mark on_mark, joints_mark;
} atemi_scenario_start;

/// Reads the state.
/// @param model NULL where the reader has no file
void atemi_scenario_read_start(atemi_scenario_reader *reader, const atemi_model *model,
                               const atemi_scenario_surfaces *surfaces,
                               atemi_scenario_start          *start);

/// Puts the robot on its surface, where it is to be: shifts the base against gravity until the
/// lowest contact point touches. Then refuses points inside rigid surfaces, and tied ones that are
/// off theirs.
void atemi_scenario_place_start(atemi_scenario_reader *reader, const atemi_model *model,
                                const atemi_scenario_surfaces *surfaces,
                                const atemi_scenario_contacts *contacts,
                                atemi_scenario_start          *start);

/// The same for shapes, whose lowest corner touches; where shapes begin is not checked.
/// @param shapes [count] of the robot
void atemi_scenario_place_shapes(atemi_scenario_reader *reader, const atemi_model *model,
                                 const atemi_scenario_surfaces *surfaces,
                                 const atemi_touch_shape *shapes, int count,
                                 atemi_scenario_start *start);

void atemi_scenario_start_destroy(atemi_scenario_start *start);
