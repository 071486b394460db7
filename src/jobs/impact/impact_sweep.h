// SPDX-License-Identifier: Apache-2.0

/// @file
/// The sweep of the job "impact": blows of many speeds, targets, surfaces and postures.

#pragma once

#include "atemi/job.h"
#include "atemi/recording.h"
#include "jobs/impact/impact_trial.h"

/// Computes every case of the sweep, in as many threads as the hooks say, the processors if 0: the
/// same bits for any number.
/// @param hooks   hear how far it is, in the thread that calls
/// @param stopped whether they stopped it
atemi_status atemi_impact_add_sweep(atemi_recording             *recording,
                                    const atemi_impact_scenario *scenario,
                                    const atemi_impact_case *usual, const atemi_job_hooks *hooks,
                                    bool *stopped, atemi_error *error);
