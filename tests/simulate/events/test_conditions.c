// SPDX-License-Identifier: Apache-2.0

#include "simulate/events/conditions.h"

#include "brick_rig.h"
#include "check.h"

static const double g = 9.81;

// Which condition breaks first if a standing brick is pulled along x with f.
static atemi_condition broken_by(double friction, double f)
{
    trial      t;
    atemi_vec3 force = {f, 0.0, 0.0};
    brick_begin_pulled(&t, friction, &force);
    const atemi_simulation *s = t.simulation;
    atemi_conditions_measure(&s->set, s->step.margins);
    const atemi_condition broken = atemi_conditions_broken(&s->set, s->step.margins);
    CHECK(atemi_conditions_any_broken(&s->set, s->step.margins) ==
          (broken.kind != ATEMI_CONDITION_NONE));
    trial_end(&t);
    return broken;
}

// It slips beyond mu m g. Its centre is h high: beyond m g l / h, l being half its length, it tips.
TEST(conditions, of_a_pulled_brick_break_where_it_slips_or_tips)
{
    const double weight = brick_mass * g, tips = weight * 0.5 * brick_size.x / brick_height;
    CHECK_EQUAL_INT(broken_by(0.5, 0.4999 * weight).kind, ATEMI_CONDITION_NONE);
    CHECK_EQUAL_INT(broken_by(0.5, 0.5001 * weight).kind, ATEMI_CONDITION_FRICTION);
    CHECK_EQUAL_INT(broken_by(10.0, 0.9999 * tips).kind, ATEMI_CONDITION_NONE);
    CHECK_EQUAL_INT(broken_by(10.0, 1.0001 * tips).kind, ATEMI_CONDITION_PRESSURE);
}

// Open points are off by their gap, slipping ones by their speed along the direction they had.
TEST(conditions, of_open_and_slipping_points_are_gap_and_speed)
{
    trial        t;
    double       margins[6];
    const double falling[6] = {0, 0, -1.0, 0, 0, 0}, sliding[6] = {0.3, 0, 0, 0, 0, 0};
    brick_begin(&t, 0.5, 0.02, falling);
    CHECK_EQUAL_INT(atemi_conditions_count(&t.simulation->set), 6);
    atemi_conditions_measure(&t.simulation->set, margins);
    CHECK_NEAR(margins[0], 0.02, 1e-15);
    trial_end(&t);
    brick_begin(&t, 0.5, 0.0, sliding);
    atemi_conditions_measure(&t.simulation->set, margins);
    CHECK_NEAR(margins[0], 0.3, 1e-11); // what rounding is allowed
    t.simulation->set.directions[0] = (atemi_vec3){-1.0, 0.0, 0.0};
    atemi_conditions_measure(&t.simulation->set, margins);
    CHECK_NEAR(margins[0], -0.3, 1e-11);
    CHECK_EQUAL_INT(atemi_conditions_broken(&t.simulation->set, margins).kind,
                    ATEMI_CONDITION_SLIDE);
    trial_end(&t);
}
