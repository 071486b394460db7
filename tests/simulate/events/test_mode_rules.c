// SPDX-License-Identifier: Apache-2.0

#include "simulate/events/mode_rules.h"

#include "brick_rig.h"
#include "check.h"

static const double g = 9.81;

// A standing brick that is pulled with f, after the rule for what breaks.
static void break_by(trial *t, double friction, double f)
{
    atemi_vec3 force = {f, 0.0, 0.0};
    brick_begin_pulled(t, friction, &force);
    atemi_simulation *s = t->simulation;
    atemi_conditions_measure(&s->set, s->step.margins);
    const atemi_condition broken = atemi_conditions_broken(&s->set, s->step.margins);
    atemi_mode_rules_apply(&s->set, &broken);
}

// Pulled forwards beyond its friction, all four corners slip forwards.
TEST(mode_rules, let_a_pulled_brick_slip_along_the_pull)
{
    trial        t;
    const double f = 0.6 * brick_mass * g;
    break_by(&t, 0.5, f);
    for (int i = 0; i < 4; ++i) {
        CHECK_EQUAL_INT(t.simulation->set.modes[i], ATEMI_CONTACT_SLIP);
        CHECK_NEAR(t.simulation->set.directions[i].x, 1.0, 1e-9);
    }
    trial_end(&t);
}

// One that tips keeps the edge in front, and lets the two corners behind go.
TEST(mode_rules, keep_the_edge_that_a_brick_tips_over)
{
    trial        t;
    const double f = 1.01 * brick_mass * g * 0.5 * brick_size.x / brick_height;
    break_by(&t, 10.0, f);
    for (int i = 0; i < 4; ++i) {
        const bool front = box_corner(brick_size, i).x > 0.0;
        CHECK_EQUAL_INT(t.simulation->set.modes[i],
                        front ? ATEMI_CONTACT_STICK : ATEMI_CONTACT_OPEN);
    }
    trial_end(&t);
}
