// SPDX-License-Identifier: Apache-2.0

/// @file
/// A strike from inside: what its rows, events and tables are made of.

#pragma once

#include "atemi/strike_verification.h"
#include "jobs/columns.h"
#include "jobs/job.h"
#include "jobs/strike/strike_scenario.h"

typedef struct atemi_strike_run {
    atemi_strike_scenario scenario;
    atemi_strike_attempts attempts;
    double                distance; ///< by which the target is farther than planned, m
    atemi_recording      *recording;
} atemi_strike_run;

/// Makes the recording: the motion that was planned, and what was seen of it, in rows; what feet
/// did as events.
atemi_status atemi_strike_add_rows(atemi_strike_run *run, atemi_error *error);
atemi_status atemi_strike_add_footsteps(atemi_strike_run *run, atemi_error *error);

/// The columns of the job strike.
extern const atemi_column_table atemi_strike_column_table;

/// Adds the tables: what was decided, all constraints, those of them that matter, and the blow over
/// time, which is also to be had alone.
atemi_status atemi_strike_add_tables(atemi_strike_run *run, atemi_error *error);
atemi_status atemi_strike_add_blow(atemi_strike_run *run, atemi_error *error);

/// Adds the table of first touch (jobs/first_touch.h), if the law of the target is linear.
atemi_status atemi_strike_add_touch(atemi_strike_run *run, atemi_error *error);

/// Adds the results of the plan, and those of its verification beside the planned blow.
atemi_status atemi_strike_add_plan(atemi_strike_run *run, atemi_error *error);
atemi_status atemi_strike_add_verification(atemi_strike_run *run, double peak_force, double impulse,
                                           atemi_error *error);

/// Whether the robot is on its feet to the end; also where nobody asked.
bool atemi_strike_run_stands(const atemi_strike_run *run);

/// Writes a few lines about a recorded strike for people.
void atemi_strike_summarize(atemi_text *text, const atemi_recording *recording,
                            const atemi_job_effort *effort);

/// What is in doubt: the draws among the results, the cases that were planned for, and a line or
/// two for people.
atemi_status atemi_strike_add_draws(atemi_strike_run *run, atemi_error *error);
atemi_status atemi_strike_add_cases(atemi_strike_run *run, atemi_error *error);
void         atemi_strike_summarize_draws(atemi_text *text, const atemi_recording *recording);
