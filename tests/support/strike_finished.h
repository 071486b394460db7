// SPDX-License-Identifier: Apache-2.0

/// @file
/// A strike with its finished motion, in steps of 1 ms: the oracle of the few knots of its
/// trajectories.

#pragma once

#include "strike_trial.h"

typedef struct finished {
    strike_trial        trial;
    atemi_strike_plan  *plan;
    atemi_strike_motion motion;
} finished;

static inline void finished_open(finished *f)
{
    trial_open(&f->trial);
    f->trial.rig.task->effort_fraction = 1.0;
    f->trial.rig.task->travel_friction = 0.7;
    trial_evaluate(&f->trial);
    f->plan = rig_evaluate(&f->trial.rig, f->trial.x);
    CHECK_STATUS(atemi_strike_motion_make(f->plan, 1e-3, &f->motion, NULL), ATEMI_OK);
}

static inline void finished_close(finished *f)
{
    atemi_strike_motion_destroy(&f->motion);
    atemi_strike_plan_destroy(f->plan);
    trial_close(&f->trial);
}
