// SPDX-License-Identifier: Apache-2.0

#include "atemi/strike_doubt.h"

#include "strike_rig.h"

#include <math.h>
#include <string.h>

static const atemi_strike_deviation doubt = {0.2, 0.2, 0.01, 0.005, 0.2};

typedef struct drawn {
    strike_rig          rig;
    atemi_strike_plan  *plan;
    atemi_strike_motion motion;
} drawn;

// The punch from its own start, planned with or without doubt, and then in doubt.
static void open(drawn *d, bool careful)
{
    atemi_strike_options options = atemi_strike_options_default();
    options.starts = 1;
    options.patience = 0;
    rig_open(&d->rig);
    if (careful) {
        d->rig.task->doubt = doubt;
    }
    CHECK_STATUS(atemi_strike_plan_make(d->rig.task, &options, &d->plan, NULL), ATEMI_OK);
    CHECK_STATUS(atemi_strike_motion_make(d->plan, 1e-3, &d->motion, NULL), ATEMI_OK);
    d->rig.task->doubt = doubt;
}

static void close(drawn *d)
{
    atemi_strike_motion_destroy(&d->motion);
    atemi_strike_plan_destroy(d->plan);
    rig_close(&d->rig);
}

static atemi_strike_draws draw(drawn *d, int count, int full, double friction)
{
    atemi_strike_draw_options options = atemi_strike_draw_options_default();
    atemi_strike_draws        draws;
    options.draws = count;
    options.full = full;
    options.friction = friction;
    CHECK_STATUS(atemi_strike_draws_make(d->rig.task, d->plan, &d->motion, &options, &draws, NULL),
                 ATEMI_OK);
    return draws;
}

TEST(strike_draws, hold_where_a_plan_was_made_for_the_doubt)
{
    drawn d;
    open(&d, true);
    const atemi_strike_draws draws = draw(&d, 1000, 0, d.rig.task->friction);
    CHECK_EQUAL_INT(draws.holds.successes, 1000);
    CHECK(draws.holds.lower > 0.996);
    CHECK(draws.zmp_margin > d.rig.task->impact_margin - 2e-3); // the motion is that of the knots
    close(&d);
}

// The least margins are those of more draws, and the worst is within the doubt.
TEST(strike_draws, are_the_same_for_a_seed_and_begin_alike)
{
    drawn d;
    open(&d, false);
    const atemi_strike_draws few = draw(&d, 50, 0, 0.6), again = draw(&d, 50, 0, 0.6);
    const atemi_strike_draws more = draw(&d, 100, 0, 0.6);
    CHECK_NEAR(few.zmp_margin, again.zmp_margin, 0.0);
    CHECK(memcmp(&few.worst, &again.worst, sizeof few.worst) == 0);
    CHECK(more.zmp_margin <= few.zmp_margin && more.friction_left <= few.friction_left);
    CHECK(fabs(few.worst.mass) <= doubt.mass && fabs(few.worst.timing) <= doubt.timing);
    close(&d);
}

TEST(strike_draws, fail_on_ice)
{
    drawn d;
    open(&d, false);
    const atemi_strike_draws draws = draw(&d, 40, 0, 0.01);
    CHECK_EQUAL_INT(draws.holds.successes, 0);
    CHECK(draws.friction_left < 0.0);
    close(&d);
}

TEST(strike_draws, are_simulated_by_full_dynamics_as_well)
{
    drawn d;
    open(&d, true);
    const atemi_strike_draws draws = draw(&d, 2, 2, 0.8), ice = draw(&d, 1, 1, 0.02);
    CHECK_EQUAL_INT(draws.stands.draws, 2);
    CHECK_EQUAL_INT(draws.stands.successes, 2);
    CHECK_EQUAL_INT(ice.still.successes, 0);
    close(&d);
}

// Up to 10 km nearer or farther: the hand has always been beyond it, or never gets there.
TEST(strike_draws, miss_a_target_that_is_far_away_on_either_side)
{
    drawn d;
    open(&d, false);
    d.rig.task->doubt = (atemi_strike_deviation){.distance = 1e4};
    const atemi_strike_draws draws = draw(&d, 40, 0, 0.8);
    CHECK_EQUAL_INT(draws.missed, 40);
    CHECK_EQUAL_INT(draws.holds.successes, 40); // there is no blow
    close(&d);
}

TEST(strike_draws, are_none_without_doubt)
{
    drawn d;
    open(&d, false);
    d.rig.task->doubt = (atemi_strike_deviation){0};
    CHECK(!atemi_strike_is_in_doubt(d.rig.task));
    CHECK_EQUAL_INT(draw(&d, 10, 10, 0.8).holds.draws, 0);
    close(&d);
}
