// SPDX-License-Identifier: Apache-2.0

#include "atemi/strike_verification.h"

#include "strike_rig.h"

#include <math.h>

// The peak force of a damper is damping times speed at first touch, whoever computes it; the
// simulation begins from rest and comes to that speed by its servos, to a thousandth.
TEST(strike_attempt, is_planned_and_verified_for_a_caller_in_c)
{
    strike_rig            rig;
    atemi_strike_attempts found;
    atemi_error           error = {0};
    rig_open_gently(&rig);
    CHECK_STATUS(atemi_strike_attempts_make(rig.task, NULL, &found, &error), ATEMI_OK);
    const atemi_strike_figures f = atemi_strike_plan_figures(found.best.plan);
    CHECK_EQUAL_INT(found.count, 1);
    CHECK(!found.stopped);
    CHECK(atemi_strike_attempt_feasible(&found.best));
    CHECK(atemi_strike_stands(&found.best.verification));
    CHECK_NEAR(f.speed, 0.3, 1e-6);
    CHECK_NEAR(found.best.verification.result.peak_force / f.peak_force, 1.0, 1e-3);
    CHECK(found.best.estimate.count > 0);
    atemi_strike_attempts_destroy(&found);
    rig_close(&rig);
}

// On ice no plan holds: what was asked for is tried, and the first attempt counts where none is
// better.
TEST(strike_attempt, is_made_again_where_feet_slip)
{
    strike_rig                   rig;
    atemi_strike_attempts        found;
    atemi_strike_attempt_options options = atemi_strike_attempt_options_default();
    rig_open_gently(&rig);
    options.friction = 1e-3;
    options.attempts = 2;
    CHECK_STATUS(atemi_strike_attempts_make(rig.task, &options, &found, NULL), ATEMI_OK);
    CHECK_EQUAL_INT(found.count, 2);
    CHECK(found.best.verification.result.slips > 0);
    atemi_strike_attempts_destroy(&found);
    rig_close(&rig);
}

typedef struct listener {
    int begun, asked;
} listener;

static bool on_verifying(void *context, bool begins)
{
    listener *l = (listener *)context;
    l->begun += begins;
    l->asked += !begins;
    return begins || l->asked < 3;
}

TEST(strike_attempt, can_be_stopped_while_it_is_verified)
{
    strike_rig                   rig;
    listener                     l = {0};
    atemi_strike_attempts        found;
    atemi_strike_attempt_options options = atemi_strike_attempt_options_default();
    rig_open_gently(&rig);
    options.verifying = on_verifying;
    options.context = &l;
    options.attempts = 5;
    CHECK_STATUS(atemi_strike_attempts_make(rig.task, &options, &found, NULL), ATEMI_OK);
    CHECK(found.stopped && !atemi_strike_stands(&found.best.verification));
    CHECK_EQUAL_INT(found.count, 1);
    CHECK_EQUAL_INT(l.begun, 1);
    CHECK_EQUAL_INT(l.asked, 3);
    atemi_strike_attempts_destroy(&found);
    rig_close(&rig);
}
