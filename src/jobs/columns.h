// SPDX-License-Identifier: Apache-2.0

/// @file
/// The columns of a recording. A job declares them once, in a table: name, unit, help and where the
/// value comes from. The table makes the columns and fills every row, so that names and values
/// cannot fall out of step.
///
///     static double kinetic(const void *row, int owner) { ... }
///
///     static const atemi_column energies[] = {
///         {.name = "kinetic", .unit = "J", .help = "of all links", .get = kinetic}, ...};
///
///     static const atemi_column_group groups[] = {
///         {ATEMI_COLUMNS(times)},
///         {.prefix = "energy", ATEMI_COLUMNS(energies)}};
///
/// `row` is whatever a job fills its rows from. While columns are made, nothing is asked for but
/// `has`, `owners`, `owner` and `model`.

#pragma once

#include "atemi/contact.h"
#include "atemi/recording.h"
#include "atemi/simulation.h"
#include "io/scenario/scenario_contacts.h"

/// Owners' names are cut to fit.
enum { ATEMI_COLUMN_OWNER = 300 };

/// One column, or with `vector` three: NAME_x, NAME_y and NAME_z.
typedef struct atemi_column {
    const char *name; ///< "" where the owner's is enough
    const char *unit; ///< NULL for none
    const char *help; ///< one line
    double (*get)(const void *row, int owner);
    atemi_vec3 (*vector)(const void *row, int owner);
    /// Of an enumeration: the name of each value from 0 on, NULL after the last. NULL for a
    /// quantity.
    const char *(*label)(int value);
} atemi_column;

/// The columns of a group, and how many there are.
#define ATEMI_COLUMNS(array) .columns = (array), .count = sizeof(array) / sizeof *(array)

/// A contact in a row.
typedef struct atemi_column_contact {
    atemi_vec3 position, force; ///< world axes; on the robot
    double     mode;            ///< atemi_contact_mode
    double     gap;             ///< above its surface, m
} atemi_column_contact;

/// The quantities of a motion, in the order of their columns.
typedef enum atemi_column_quantity {
    ATEMI_COLUMN_Q,
    ATEMI_COLUMN_V,
    ATEMI_COLUMN_A,
    ATEMI_COLUMN_TAU
} atemi_column_quantity;

/// Columns with a common prefix, once for each owner: PREFIX.OWNER.NAME. Of `columns`, `model` with
/// `motion`, `contact` and `wrench` one is set.
typedef struct atemi_column_group {
    const char *prefix; ///< NULL for none

    const atemi_column *columns;
    int                 count;
    /// q, v, a and tau of the base and of all joints: q_count + 3 v_count columns.
    const atemi_model *(*model)(const void *row);
    const double *(*motion)(const void *row, atemi_column_quantity quantity);
    /// Position, force, mode and gap of each owner; the prefix is "contact".
    atemi_column_contact (*contact)(const void *row, int owner);
    /// Force and moment of each owner.
    atemi_force (*wrench)(const void *row, int owner);

    int (*owners)(const void *row); ///< how many; NULL for one without a name
    /// Writes an owner's name.
    /// @return false for one that has no columns
    bool (*owner)(const void *row, int owner, char name[ATEMI_COLUMN_OWNER]);
    bool (*has)(const void *row);     ///< whether the group is there at all; NULL if always
    void (*prepare)(const void *row); ///< called before its values are asked for; or NULL
} atemi_column_group;

/// All columns of a job; the first is the time.
typedef struct atemi_column_table {
    const atemi_column_group *groups;
    int                       count;
} atemi_column_table;

/// How many columns there are, and a recording with them.
int          atemi_columns_count(const atemi_column_table *table, const void *row);
atemi_status atemi_columns_create(const atemi_column_table *table, const void *row,
                                  atemi_recording **recording, atemi_error *error);

/// Fills the values of a row.
/// @param values [atemi_columns_count()]
void atemi_columns_fill(const atemi_column_table *table, const void *row, double *values);

/// What a table says of its columns, without a robot: PREFIX.NAME stands for what has owners.
/// @param tell hears each column: its pattern such as "contact.NAME.force_x", and its declaration
void atemi_columns_describe(const atemi_column_table *table,
                            void (*tell)(void *context, const char *pattern,
                                         const atemi_column *column),
                            void *context);

/// A quantity of a simulation, for `motion`.
const double *atemi_columns_of_simulation(const atemi_simulation *simulation,
                                          atemi_column_quantity   quantity);

/// Whether there is a wrench in a joint.
bool atemi_columns_has_wrench(const atemi_model *model, int joint);

/// The name of a joint that has a wrench, for `owner`.
bool atemi_columns_wrench_owner(const atemi_model *model, int joint, char name[ATEMI_COLUMN_OWNER]);

/// The name of a contact, for `owner`.
bool atemi_columns_contact_owner(const atemi_scenario_contacts *contacts, int index,
                                 char name[ATEMI_COLUMN_OWNER]);
