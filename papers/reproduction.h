// SPDX-License-Identifier: Apache-2.0

/// @file
/// Reproductions: every number that a paper prints, beside the one that this library computes.
///
///     atemi_reproduce("ene", NULL, &reproduction, &error);
///     for (int i = 0; i < atemi_reproduction_count(reproduction); ++i) {
///         const atemi_reproduced *row = atemi_reproduction_row(reproduction, i);
///         ...
///     }
///     atemi_reproduction_destroy(reproduction);

#pragma once

#include "atemi/job.h"
#include "atemi/recording.h"

#include <stdbool.h>

ATEMI_BEGIN

/// A printed number and ours.
typedef struct atemi_reproduced {
    const char *paper;     ///< its name here, such as "ene"
    const char *quantity;  ///< what the number is, and where the paper has it
    const char *unit;      ///< such as "N"
    const char *note;      ///< what is to know of the print or of the tolerance; or NULL
    double      printed;   ///< in the paper; where that is a slip, corrected, and the note says so
    double      ours;      ///< NaN where nothing was found
    double      tolerance; ///< within which the two are equal
    bool        ok;        ///< |ours - printed| <= tolerance
} atemi_reproduced;

/// The papers that can be reproduced: their names here and their titles.
ATEMI_API int         atemi_papers_count(void);
ATEMI_API const char *atemi_papers_name(int index);
ATEMI_API const char *atemi_papers_title(int index);

typedef struct atemi_reproduction atemi_reproduction;

/// Computes the numbers of a paper, or of every one. Takes memory and some time: about a second a
/// paper, half a minute for "strike" and for "walk".
/// @param name  of a paper, or "all"
/// @param hooks or NULL. Stopped by them, it ends with the rows that it has
/// @return ATEMI_ERROR_NOT_FOUND for another name. Numbers that differ are no error.
ATEMI_API atemi_status atemi_reproduce(const char *name, const atemi_job_hooks *hooks,
                                       atemi_reproduction **reproduction, atemi_error *error);

/// Releases the reproduction. NULL is fine.
ATEMI_API void atemi_reproduction_destroy(atemi_reproduction *reproduction);

/// The rows, paper by paper, about in the order of its text. NULL, with a broken contract, where
/// there is no such index.
ATEMI_API int                     atemi_reproduction_count(const atemi_reproduction *reproduction);
ATEMI_API const atemi_reproduced *atemi_reproduction_row(const atemi_reproduction *reproduction,
                                                         int                       index);

/// How many rows are ok, and whether all are.
ATEMI_API int  atemi_reproduction_ok_count(const atemi_reproduction *reproduction);
ATEMI_API bool atemi_reproduction_ok(const atemi_reproduction *reproduction);

/// Whether it was stopped, so that rows are missing.
ATEMI_API bool atemi_reproduction_stopped(const atemi_reproduction *reproduction);

/// The same as a recording without rows: results with what is printed, and the paper's figures as
/// tables with plots. Good until the reproduction is destroyed.
ATEMI_API const atemi_recording *
atemi_reproduction_recording(const atemi_reproduction *reproduction);

ATEMI_END
