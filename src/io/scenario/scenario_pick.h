// SPDX-License-Identifier: Apache-2.0

/// @file
/// What a value of a scenario picks: one of several names, or one of several variants.

#pragma once

#include "atemi/model.h"
#include "io/scenario/scenario_reader.h"

/// The parts of a robot as names to pick from; of none where `model` is NULL.
atemi_scenario_names atemi_scenario_links(const atemi_model *model);
atemi_scenario_names atemi_scenario_joints(const atemi_model *model);
atemi_scenario_names atemi_scenario_sites(const atemi_model *model);
atemi_scenario_names atemi_scenario_postures(const atemi_model *model);

/// The index of a name that was just read.
/// @return -1 with an error at that key, and -1 for NULL
int atemi_scenario_pick(atemi_scenario_reader *reader, atemi_scenario_names names,
                        const char *name);

/// The same for a name that was read before.
/// @param mark where it stands
int atemi_scenario_pick_at(atemi_scenario_reader *reader, atemi_scenario_mark mark,
                           atemi_scenario_names names, const char *name);

/// Whether the keys of a variant are to be read: of the one that was chosen; or, where there is no
/// file and all keys are declared, of every one.
bool atemi_scenario_wants(const atemi_scenario_reader *reader, int chosen, int variant);

/// Whether there is no file, only declarations.
bool atemi_scenario_is_blank(const atemi_scenario_reader *reader);
