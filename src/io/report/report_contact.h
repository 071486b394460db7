// SPDX-License-Identifier: Apache-2.0

/// @file
/// The contacts of a recording, found by the names of their columns.

#pragma once

#include "atemi/recording.h"

/// A point of the robot that may touch. The name is a part of a channel's.
typedef struct atemi_report_contact {
    const char *name; ///< such as "left_sole.0", not ended by a zero
    int         name_length;
    int         site_length; ///< of the part before the last dot
    int         site;        ///< its index, counted in the order of the columns
    int         mode;        ///< columns
    int         force[3];    ///< the first is ATEMI_NONE where they are not recorded
    int         position[3]; ///< likewise
} atemi_report_contact;

typedef struct atemi_report_contacts {
    int                   count, capacity, site_count;
    atemi_report_contact *contacts;
} atemi_report_contacts;

/// Finds all contacts. O(columns log columns).
/// @param contacts to be destroyed, whatever the result
atemi_status atemi_report_contacts_find(const atemi_recording *recording,
                                        atemi_report_contacts *contacts, atemi_error *error);
void         atemi_report_contacts_destroy(atemi_report_contacts *contacts);

/// The vector that three columns hold in a row; NaN where it is not recorded.
atemi_vec3 atemi_report_vector(const atemi_recording *recording, const int columns[3], int row);

/// The columns NAME_x, NAME_y, NAME_z, or NAME.x and so on; the first is ATEMI_NONE where one is
/// missing.
void atemi_report_vector_columns(const atemi_recording *recording, const char *name, char separator,
                                 int columns[3]);
