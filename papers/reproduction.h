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

/// What a row shows. Only what is predicted can be evidence for this library.
typedef enum atemi_reproduced_kind {
    ATEMI_REPRODUCED_PREDICTED, ///< nothing was chosen by it: it could have come out otherwise
    ATEMI_REPRODUCED_FITTED,   ///< something that the paper leaves open was chosen so that it comes
                               ///< out, or by another number of the same kind; the note names what
    ATEMI_REPRODUCED_IDENTITY, ///< a law of physics or of our own construction: it tests the code
    ATEMI_REPRODUCED_INPUT,    ///< taken from the paper
    ATEMI_REPRODUCED_KINDS
} atemi_reproduced_kind;

/// "predicted", "fitted", "identity" or "input".
ATEMI_API const char *atemi_reproduced_kind_text(atemi_reproduced_kind kind);

/// How ours should be beside the printed number.
typedef enum atemi_reproduced_bound {
    ATEMI_REPRODUCED_EQUAL,   ///< equal, within the tolerance
    ATEMI_REPRODUCED_AT_MOST, ///< no more than the printed number: a claim such as "less than 1 cm"
    ATEMI_REPRODUCED_AT_LEAST ///< no less
} atemi_reproduced_bound;

/// "equal", "at most" or "at least".
ATEMI_API const char *atemi_reproduced_bound_text(atemi_reproduced_bound bound);

/// A printed number and ours.
typedef struct atemi_reproduced {
    const char            *paper;    ///< its name here, such as "ene"
    const char            *quantity; ///< what the number is, and where the paper has it
    const char            *unit;     ///< such as "N"
    const char            *note;     ///< what is to know of the print or of the tolerance; or NULL
    atemi_reproduced_kind  kind;
    atemi_reproduced_bound bound;
    double printed;   ///< in the paper; where that is a slip, corrected, and the note says so
    double ours;      ///< NaN where nothing was found
    double tolerance; ///< within which the two are equal; 0 for a bound
    bool   ok;        ///< |ours - printed| <= tolerance, or ours keeps to the bound
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

/// The rows, paper by paper: of each, kind by kind, about in the order of its text. NULL, with a
/// broken contract, where there is no such index.
ATEMI_API int                     atemi_reproduction_count(const atemi_reproduction *reproduction);
ATEMI_API const atemi_reproduced *atemi_reproduction_row(const atemi_reproduction *reproduction,
                                                         int                       index);

/// How many rows of a kind there are, and how many of these are ok.
typedef struct atemi_reproduced_count {
    int rows, ok;
} atemi_reproduced_count;
ATEMI_API atemi_reproduced_count
atemi_reproduction_count_kind(const atemi_reproduction *reproduction, atemi_reproduced_kind kind);

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
