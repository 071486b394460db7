// SPDX-License-Identifier: Apache-2.0

/// @file
/// The tables of the job "impact": the ways beside each other, the joints, and the sweep.

#pragma once

#include "atemi/job.h"
#include "io/impact_rows.h"

/// The ways, with what they are off full dynamics where that is known, in percent of it
/// ([SDC] eq. 24).
atemi_status atemi_impact_add_ways(atemi_recording *recording, const atemi_impact_answer *answers,
                                   atemi_error *error);

/// What each joint bears: torque, limit, force and moment.
atemi_status atemi_impact_add_joints(atemi_recording *recording, const atemi_impact_rows *rows,
                                     atemi_error *error);

/// Computes every case of the sweep.
/// @param hooks   hear how far it is
/// @param stopped whether they stopped it
atemi_status atemi_impact_add_sweep(atemi_recording *recording, atemi_impact_trial *trial,
                                    const atemi_impact_case *usual, const atemi_job_hooks *hooks,
                                    bool *stopped, atemi_error *error);
