// SPDX-License-Identifier: Apache-2.0

/// @file
/// What a long job shows and hears while it runs: a bar on stderr where that is a terminal, and
/// Ctrl-C (also SIGTERM, and SIGHUP where that is not ignored), which ends the job in good order.

#pragma once

#include "atemi/job.h"

/// The hooks of a job, from progress_begin() to progress_end(). One job at a time.
const atemi_job_hooks *progress_begin(void);

/// Takes the bar away.
void progress_hide(void);

/// The same, at the end. A second Ctrl-C, and all after the job, ends the command at once.
void progress_end(void);

/// What the job has told last; empty where it told nothing.
const char *progress_message(void);

/// Whether Ctrl-C was pressed; and the exit code of a program that this signal ends, 130 for it.
bool progress_was_interrupted(void);
int  progress_interrupted_code(void);

/// Seconds since some instant, for differences.
double progress_clock(void);
