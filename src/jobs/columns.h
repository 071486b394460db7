// SPDX-License-Identifier: Apache-2.0

/// @file
/// The names of a recording's columns, as docs/recordings.md has them. A job names its columns in
/// one function, which is called twice: to count them and to make them.

#pragma once

#include "atemi/recording.h"
#include "io/scenario/scenario_contacts.h"
#include "model/names.h"

/// Columns to be; without an array they are only counted.
typedef struct atemi_column_list {
    int               count;
    atemi_channel    *channels;
    atemi_string_pool names;
    bool              failed;
} atemi_column_list;

/// Adds all columns of a job.
typedef void atemi_columns_namer(atemi_column_list *list, const void *context);

int          atemi_columns_count(atemi_columns_namer *name, const void *context);
atemi_status atemi_columns_create(atemi_columns_namer *name, const void *context,
                                  atemi_recording **recording, atemi_error *error);

/// One column; and three, "PREFIXNAME_x" to "_z".
void atemi_columns_add(atemi_column_list *list, const char *unit, const char *format, ...)
    ATEMI_PRINTF(3, 4);
void atemi_columns_add_vector(atemi_column_list *list, const char *unit, const char *prefix,
                              const char *name);

/// q, v, a and tau of the base and of all joints: q_count + 3 v_count columns.
void atemi_columns_add_motion(atemi_column_list *list, const atemi_model *model);

/// Position, force, mode and gap of each point: 8 columns.
void atemi_columns_add_contacts(atemi_column_list *list, const atemi_scenario_contacts *contacts);

/// Force and moment in each joint that has a wrench: 6 columns.
void atemi_columns_add_wrenches(atemi_column_list *list, const atemi_model *model);
bool atemi_columns_has_wrench(const atemi_model *model, int joint);

/// x, y and margin of the ZMP.
void atemi_columns_add_zmp(atemi_column_list *list);
