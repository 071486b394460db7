// SPDX-License-Identifier: Apache-2.0

#include "jobs/first_touch.h"
#include "jobs/strike/strike_run.h"
#include "plan/strike_inside.h"
#include "plan/touch/strike_blow.h"

#include <math.h>

// The estimate of the planned blow, as the table "blow" has it: at the plan's first touch, with the
// joint velocities of the plan.

atemi_status atemi_strike_add_touch(atemi_strike_run *run, atemi_error *error)
{
    const atemi_strike_attempt  *best = &run->attempts.best;
    const atemi_strike_estimate *estimate = &best->estimate;
    const atemi_strike_motion   *m = &best->motion;
    const double                *held = m->tau + (size_t)m->touch * (size_t)m->v_count;
    if (estimate->count < 2 || run->scenario.task.surface.law == ATEMI_BLOW_OTHER_LAW) {
        return ATEMI_OK;
    }
    const strike_inside      plan = strike_plan_inside(best->plan);
    const atemi_ground       ground = strike_setup_ground(plan.setup);
    const atemi_blow_setting setting =
        strike_blow_setting(plan.setup, atemi_strike_plan_v(best->plan), held, estimate->drift);
    const double            duration = estimate->instants[estimate->count - 1].time;
    const atemi_first_touch touch = {.model = run->scenario.robot.model,
                                     .q = atemi_strike_plan_q(best->plan),
                                     .ground = &ground,
                                     .support = &plan.at->support.polygon,
                                     .point = &run->scenario.task.point,
                                     .setting = &setting,
                                     .rests = true,
                                     .speed = NAN,
                                     .duration = duration,
                                     .every = duration / (estimate->count - 1)};
    return atemi_job_add_first_touch(run->recording, &touch, error);
}
