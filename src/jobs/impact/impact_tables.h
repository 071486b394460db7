// SPDX-License-Identifier: Apache-2.0

/// @file
/// The tables of the job "impact": the methods beside each other, and the joints.

#pragma once

#include "jobs/impact/impact_rows.h"

/// The methods, with what they are off full dynamics where that is known, in percent of it
/// ([SDC] eq. 24).
atemi_status atemi_impact_add_methods(atemi_recording           *recording,
                                      const atemi_impact_answer *answers, atemi_error *error);

/// What each joint bears: torque, limit, force and moment.
atemi_status atemi_impact_add_joints(atemi_recording *recording, const atemi_impact_rows *rows,
                                     atemi_error *error);
