// SPDX-License-Identifier: Apache-2.0

/// @file
/// Joints of a robot with one coordinate each, all turning or all sliding, so that the numbers that
/// a scenario gives for them have one unit.

#pragma once

#include "atemi/model.h"
#include "io/scenario/scenario_reader.h"

typedef struct atemi_scenario_joint_list {
    const atemi_model *model;  ///< NULL where the reader has no file
    bool               slides; ///< not turns
    int                count;
    int               *joints; ///< [count] indices in the model
} atemi_scenario_joint_list;

/// The words "all", or the name of a joint, or a list of names, of one kind. All are those that
/// turn or, on a robot where none does, those that slide.
void atemi_scenario_choose_joints(atemi_scenario_reader *reader, const char *key,
                                  const atemi_model *model, atemi_scenario_joint_list *list);

/// A number for each of them.
/// @param units         where the joints turn, and where they slide
/// @param are_positions are checked against the joints' ranges (io/scenario_joint_range.h)
/// @param values [count] defaults beforehand, result afterwards
void atemi_scenario_read_by_joint(atemi_scenario_reader *reader, const char *key,
                                  atemi_number_key declaration, const char *const units[2],
                                  bool are_positions, const atemi_scenario_joint_list *list,
                                  double *values);

/// A number for each joint that turns, or for each that slides, in its place of a list as long as
/// q, or as v.
/// @param model NULL where the reader has no file
/// @param q     [q_count] defaults beforehand, result afterwards; or NULL
void atemi_scenario_read_joint_positions(atemi_scenario_reader *reader, const char *key,
                                         atemi_number_key declaration, bool slides,
                                         const atemi_model *model, double *q);
void atemi_scenario_read_joint_rates(atemi_scenario_reader *reader, const char *key,
                                     atemi_number_key declaration, bool slides,
                                     const atemi_model *model, double *v);

void atemi_scenario_joint_list_destroy(atemi_scenario_joint_list *list);
