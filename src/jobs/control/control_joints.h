// SPDX-License-Identifier: Apache-2.0

/// @file
/// What a control scenario says of groups of joints: which, and how they and their drives are.

#pragma once

#include "atemi/control_loop.h"
#include "atemi/task_sequence.h"
#include "io/scenario/scenario_reader.h"

/// The number of joints, as a coordination counts them; 0 without a model.
int atemi_control_joint_count(const atemi_model *model);

/// The joint of the model that is joint i.
const atemi_joint *atemi_control_joint(const atemi_model *model, int i);

/// Reads which joints: "all", a name, the beginning of names with a star ("left_leg*"), or a list
/// of these. Without the key, all.
/// @return [joints] to be released; NULL without a model
bool *atemi_control_read_joints(atemi_scenario_reader *reader, const char *key, const char *help,
                                const atemi_model *model);

/// Reads how some joints shall be, where the reader stands.
/// @param plants  [joints] their drives; NULL without a model
/// @param setting its joints are to be released
void atemi_control_read_setting(atemi_scenario_reader *reader, const atemi_model *model,
                                const atemi_joint_plant_options *plants,
                                atemi_joint_setting             *setting);

/// Reads how joints begin: the key joints.
/// @param plants [joints] their drives
/// @param joints [joints] defaults beforehand
/// @return the key
atemi_scenario_mark atemi_control_read_beginning(atemi_scenario_reader           *reader,
                                                 const atemi_model               *model,
                                                 const atemi_joint_plant_options *plants,
                                                 atemi_coordinated_joint         *joints);

/// Reads what drives them: the key drives.
/// @param plants [joints] defaults beforehand
void atemi_control_read_drives(atemi_scenario_reader *reader, const atemi_model *model,
                               atemi_joint_plant_options *plants);

/// Reads how their loops are tuned: the key loops.
/// @param controls [joints] defaults beforehand
void atemi_control_read_loops(atemi_scenario_reader *reader, const atemi_model *model,
                              atemi_joint_control_options *controls);
