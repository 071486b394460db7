// SPDX-License-Identifier: Apache-2.0

#include "plan/touch/strike_estimate.h"

#include "strike_rig.h"

#include <math.h>

// The planner evaluates the blow at few instants, the estimate at many: both have the same peak,
// damping times speed at first touch, and the same end.
TEST(strike_estimate, is_the_blow_of_the_plan)
{
    strike_rig            rig;
    atemi_strike_motion   motion;
    atemi_strike_estimate estimate;
    double                x[VARIABLES], largest = 0.0, impulse = 0.0;
    rig_open(&rig);
    rig_posture(1.2, x);
    atemi_strike_plan *plan = rig_evaluate(&rig, x);
    CHECK_STATUS(atemi_strike_motion_make(plan, 1e-3, &motion, NULL), ATEMI_OK);
    CHECK_STATUS(strike_estimate_make(rig.task, plan, &motion, &estimate, NULL), ATEMI_OK);
    const atemi_strike_figures f = atemi_strike_plan_figures(plan);
    CHECK_EQUAL_INT(estimate.count, ATEMI_STRIKE_INSTANTS);
    for (int i = 0; i < estimate.count; ++i) {
        const double h = i > 0 ? estimate.instants[i].time - estimate.instants[i - 1].time : 0.0;
        const double before = i > 0 ? estimate.instants[i - 1].force : 0.0;
        largest = fmax(largest, estimate.instants[i].force);
        impulse += 0.5 * h * (estimate.instants[i].force + before);
        CHECK(estimate.instants[i].time < f.contact_time * 1.01 ||
              estimate.instants[i].force < 0.01 * f.peak_force);
    }
    CHECK_NEAR(largest, f.peak_force, 1e-6 * f.peak_force);
    CHECK_NEAR(impulse, f.impulse, 0.01 * f.impulse); // by the trapezoidal rule, 160 steps
    atemi_strike_motion_destroy(&motion);
    rig_end(&rig, plan);
}
