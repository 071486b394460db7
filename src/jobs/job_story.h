// SPDX-License-Identifier: Apache-2.0

/// @file
/// The answer first: what a recording says in one sentence, and its headlines. A job declares its
/// headlines once, by the names of its results, in JOB_story.c; the page, the command and
/// summary.json show the same.

#pragma once

#include "atemi/recording.h"
#include "io/bytes/text.h"

/// What a number has to keep.
typedef enum atemi_job_bound {
    ATEMI_JOB_NO_BOUND,
    ATEMI_JOB_AT_LEAST,
    ATEMI_JOB_AT_MOST,
} atemi_job_bound;

/// A headline. It is left out where none of its results is known.
typedef struct atemi_job_card {
    const char        *title;
    const char        *result, *note; ///< the number, and where it comes from; NULL for no note
    const char        *instead, *instead_note; ///< the number where the first is not known; or NULL
    const char        *unit;                   ///< as people read it, NULL for none
    double             factor;                 ///< times which the result has that unit; 0 for 1
    const char *const *words;                  ///< in place of the numbers 0 and 1; or NULL
    atemi_job_bound    bound;
    double             limit; ///< in `unit`
    /// A text in place of a result; false where there is none. NULL for numbers.
    bool (*tell)(const atemi_recording *recording, atemi_text *text);
} atemi_job_card;

/// A job's story.
typedef struct atemi_job_story {
    const atemi_job_card *cards;  ///< ended by a NULL title; ATEMI_RECORDING_MAX_CARDS at most
    const char *const    *truths; ///< results that are 1 for yes and 0 for no, ended by NULL
    /// Writes the answer in one plain sentence.
    void (*verdict)(const atemi_recording *recording, atemi_text *text);
} atemi_job_story;

extern const atemi_job_story atemi_simulate_story, atemi_impact_story, atemi_strike_story;
extern const atemi_job_story atemi_walk_story, atemi_control_story;

/// Adds verdict and cards to a recording that has its results and is described.
atemi_status atemi_job_tell_story(const atemi_job_story *story, atemi_recording *recording,
                                  atemi_error *error);

/// What verdicts share: a result, whether it is 1, and the robot's name.
double      atemi_story_value(const atemi_recording *recording, const char *result);
bool        atemi_story_holds(const atemi_recording *recording, const char *result);
const char *atemi_story_robot(const atemi_recording *recording);

/// "singular" for 1 and "plural" for all else, behind the number.
void atemi_story_count(atemi_text *text, double count, const char *singular, const char *plural);
