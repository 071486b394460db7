// SPDX-License-Identifier: Apache-2.0

#include "check.h"
#include "random.h"
#include "walk/biped/biped_parts.h"

#include <math.h>

// Soles that are given velocities and forces, beside what the filter's equation has.

static const double tick = 1e-3, unit = 0.25, leg = 0.625, weight = 500.0, most = 0.6;
static const double rate = 8.0 / 0.25;               // of the filter, 1/s
static const double threshold = 0.02 * 0.625 / 0.25; // of a sole that slides, m/s

typedef struct floor_rig {
    biped_grip  grip;
    biped_view  view;
    atemi_force asked[ATEMI_SIDES];
} floor_rig;

static floor_rig begin(void)
{
    floor_rig           r = {.view.forces = {weight, 0.0}};
    atemi_biped_options o = atemi_biped_options_default();
    o.tick = tick;
    o.friction = most;
    biped_grip_start(&r.grip, &o, unit, leg);
    r.asked[ATEMI_SIDE_RIGHT].linear = (atemi_vec3){0.06 * weight, 0.08 * weight, weight};
    return r;
}

// Moves the right sole for a time. @return how long it took until it slid, or -1
static double move(floor_rig *r, double speed, double time)
{
    double found = -1.0;
    r->view.motions[ATEMI_SIDE_RIGHT].linear = (atemi_vec3){0.6 * speed, 0.8 * speed, 0.3};
    for (int i = 0; i < (int)lround(time / tick); ++i) {
        biped_grip_update(&r->grip, &r->view, r->asked, weight, most);
        if (found < 0.0 && r->grip.soles[ATEMI_SIDE_RIGHT].slides) {
            found = (i + 1) * tick;
        }
    }
    return found;
}

// The noise of encoders is 0.01 rad/s a joint and sample, 2 cm/s at the sole; ten times as much is
// no slip either, though the threshold without a noise floor is 5 cm/s.
TEST(biped_grip, noise_is_no_slip)
{
    const double deviations[] = {0.02, 0.2};
    for (int k = 0; k < 2; ++k) {
        floor_rig     r = begin();
        random_stream stream = random_seeded(7);
        for (int i = 0; i < 60000; ++i) {
            const double most_of = deviations[k] * sqrt(3.0) * fmin(i / 2000.0, 1.0);
            const double x = random_uniform(&stream, -most_of, most_of);
            const double y = random_uniform(&stream, -most_of, most_of);
            r.view.motions[ATEMI_SIDE_RIGHT].linear = (atemi_vec3){x, y, 0.0};
            biped_grip_update(&r.grip, &r.view, r.asked, weight, most);
            CHECK(!r.grip.soles[ATEMI_SIDE_RIGHT].slides);
        }
        CHECK(r.grip.friction == most);
    }
}

// u = v (1 - e^(-r t)) reaches the threshold at t = -ln(1 - threshold / v) / r.
TEST(biped_grip, a_slip_is_seen_as_soon_as_the_filter_has_it)
{
    for (int k = 2; k <= 6; k += 2) {
        floor_rig    r = begin();
        const double due = -log(1.0 - 1.0 / k) / rate;
        move(&r, 0.0, 1.0);
        CHECK_NEAR(move(&r, k * threshold, 0.5), due, 2.0 * tick + 0.02 * due);
    }
}

TEST(biped_grip, a_slip_ends_well_below_the_speed_at_which_it_began)
{
    floor_rig r = begin();
    CHECK(move(&r, 0.9 * threshold, 1.0) < 0.0);
    CHECK(move(&r, 2.0 * threshold, 1.0) > 0.0);
    move(&r, 0.5 * threshold, 1.0);
    CHECK(r.grip.soles[ATEMI_SIDE_RIGHT].slides);
    move(&r, 0.3 * threshold, 1.0);
    CHECK(!r.grip.soles[ATEMI_SIDE_RIGHT].slides);
}

// Asked for half of the load, a floor that lets it slide has less; it is trusted again by e in
// 1 / 0.08 units, up to what it is counted on.
TEST(biped_grip, friction_felt_falls_below_what_slid_and_grows_again)
{
    floor_rig r = begin();
    r.asked[ATEMI_SIDE_RIGHT].linear = (atemi_vec3){0.3 * weight, 0.4 * weight, weight};
    move(&r, 0.0, 1.0);
    CHECK(r.grip.friction == most && r.grip.confidence == 0.0);
    CHECK(move(&r, 3.0 * threshold, 0.02) > 0.0);
    const double felt = r.grip.friction;
    CHECK(felt < 0.5 && felt > 0.3 && r.grip.confidence == 1.0);
    move(&r, 3.0 * threshold, 0.1);
    CHECK(r.grip.friction < 0.9 * felt); // it slides on: still less
    r.grip.soles[ATEMI_SIDE_RIGHT] = (biped_sole_grip){.noise = 0.0};
    const double least = r.grip.friction, units = 5.0;
    move(&r, 0.0, units * unit);
    CHECK_NEAR(r.grip.friction, least * exp(0.08 * units), 1e-9);
    CHECK_NEAR(r.grip.confidence, exp(-0.08 * units), 1e-9);
    move(&r, 0.0, 60.0 * unit);
    CHECK(r.grip.friction == most);
}

// The centre of mass accelerates by friction times gravity at most, as if the pressure were
// friction times its height from below it: of 0.2 and a height of a leg that is 0.2 legs, about
// half of the distance of the feet. A short slip of a sole that was asked for 0.1 leaves that,
// within the tenth that 20 ms take; one that does not end shows ice.
TEST(biped_grip, a_short_slip_leaves_the_friction_that_balance_needs)
{
    floor_rig r = begin();
    move(&r, 0.0, 1.0);
    CHECK(move(&r, 3.0 * threshold, 0.04) > 0.0);
    CHECK(r.grip.friction < 0.2 && r.grip.friction > 0.18);
    move(&r, 3.0 * threshold, 1.0);
    CHECK(r.grip.friction == 0.05);
}

TEST(biped_grip, a_sole_in_the_air_does_not_slide)
{
    floor_rig r = begin();
    r.view.forces[ATEMI_SIDE_RIGHT] = 0.05 * weight;
    CHECK(move(&r, 100.0 * threshold, 1.0) < 0.0);
    CHECK(r.grip.friction == most);
}

TEST(biped_grip, steps_are_shorter_where_little_friction_is_felt)
{
    floor_rig r = begin();
    CHECK(biped_grip_stride(&r.grip) == 1.0);
    r.grip.friction = 0.1;
    CHECK_NEAR(biped_grip_stride(&r.grip), 0.5, 1e-12);
    r.grip.friction = 0.0;
    CHECK(biped_grip_stride(&r.grip) > 0.0);
}
