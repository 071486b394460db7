// SPDX-License-Identifier: Apache-2.0

/// @file
/// The numbers of a report: how a column is written, and writing it.

#pragma once

#include "atemi/recording.h"
#include "io/bytes/text.h"
#include "io/bytes/whole_file.h"
#include "io/robot/mesh.h"

typedef enum atemi_report_encoding_kind {
    ATEMI_REPORT_CONSTANT, ///< first, or absent where that is NaN
    ATEMI_REPORT_GRID,     ///< first + step * row
    ATEMI_REPORT_U16,      ///< first + step * u, 16 bits each; u = 65535 is absent
    ATEMI_REPORT_F64,      ///< as they are
} atemi_report_encoding_kind;

typedef struct atemi_report_encoding {
    atemi_report_encoding_kind kind;
    double                     first, step;
} atemi_report_encoding;

/// How a column is best written. The first one, time, is a grid or exact.
atemi_report_encoding atemi_report_encode(const atemi_recording *recording, int column);

/// Appends the encoding as JSON.
void atemi_report_put_encoding(atemi_report_encoding encoding, atemi_text *text);

/// Writes the element of a column, where its encoding needs one. Its name is atemi, the mark of the
/// recording, -column- and the number.
atemi_status atemi_report_write_column(const atemi_recording *recording, int column,
                                       const char *mark, atemi_whole_file *file,
                                       atemi_error *error);

/// Writes the element of a mesh: vertices as float, then indices of the triangles' corners.
atemi_status atemi_report_write_mesh(const atemi_mesh *mesh, int index, const char *mark,
                                     atemi_whole_file *file, atemi_error *error);
