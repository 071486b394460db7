// SPDX-License-Identifier: Apache-2.0

#include "check.h"
#include "walk/biped/biped_parts.h"

#include <math.h>

// The path of a foot, tick by tick.

static const double tick = 1e-3;

static void begin(atemi_biped *b, biped_view *view)
{
    *b = (atemi_biped){.options = atemi_biped_options_default(),
                       .leg = 0.6,
                       .gravity = 9.81,
                       .time_unit = 0.2473,
                       .swing_begins = true};
    b->options.tick = tick;
    b->gait = (biped_gait){.phase = ATEMI_BIPED_SWINGS,
                           .duration = 0.6,
                           .double_support = 0.1,
                           .clock = 0.1,
                           .foothold = {0.4, 0.2}};
    *view = (biped_view){.capture = {0.0, 0.0}};
    view->soles[0] = view->soles[1] = atemi_transform_identity();
}

static void advance(atemi_biped *b, const biped_view *view)
{
    b->gait.clock += tick;
    biped_swing_update(b, view);
}

TEST(biped_swing, a_foot_clears_the_floor_and_lands_in_time_at_its_foothold)
{
    atemi_biped b;
    biped_view  view;
    double      highest = 0.0;
    begin(&b, &view);
    while (b.gait.clock + tick < b.gait.duration) {
        advance(&b, &view);
        highest = fmax(highest, b.swing[2].position);
    }
    CHECK_NEAR(highest, b.options.clearance * b.leg, 1e-3);
    CHECK_NEAR(b.swing[0].position, 0.4, 1e-4);
    CHECK_NEAR(b.swing[1].position, 0.2, 1e-4);
    CHECK_NEAR(b.swing[2].position, 0.0, 1e-3);
    CHECK_NEAR(b.swing[2].velocity, -b.options.landing_speed * b.leg / b.time_unit, 0.02);
}

// A push shortens the step by a quarter, or as much of that as 3 g of the foot allow: 5.77 d / T^2
// of a quintic. Height as a function of the fraction of the swing made the path jump then, by up to
// 2 cm in a tick, and the whole body with the foot. The path's own velocity tells where it is a
// tick later, to a t^2 / 2; 60 m/s^2 are twice those 3 g, for a foot that moves already.
TEST(biped_swing, a_step_that_is_shortened_does_not_jerk_the_foot)
{
    for (double when = 0.15; when < 0.4; when += 0.05) {
        atemi_biped b;
        biped_view  view;
        begin(&b, &view);
        advance(&b, &view);
        while (b.gait.clock + tick < b.gait.duration) {
            const biped_axis before[] = {b.swing[0], b.swing[2]};
            if (b.gait.clock >= when && b.gait.duration == 0.6) {
                const double left = hypot(0.4 - before[0].position, 0.2 - b.swing[1].position);
                const double soonest = b.gait.clock + sqrt(5.77 * left / (3.0 * 9.81));
                b.gait.duration = fmin(fmax(0.45, soonest), 0.6 - 1e-9);
            }
            advance(&b, &view);
            const biped_axis after[] = {b.swing[0], b.swing[2]};
            for (int i = 0; i < 2; ++i) {
                const double due = before[i].position + tick * before[i].velocity;
                CHECK_NEAR(after[i].position, due, 0.5 * 60.0 * tick * tick);
            }
        }
        CHECK_NEAR(b.swing[2].position, 0.0, 2e-3);
    }
}

TEST(biped_swing, a_foot_that_meets_no_floor_falls_on_up_to_a_speed)
{
    atemi_biped  b;
    biped_view   view;
    double       fastest = 0.0;
    const double most = 0.2 * 0.6 / 0.2473;
    begin(&b, &view);
    while (b.gait.clock < b.gait.duration) {
        advance(&b, &view);
    }
    const double from = b.swing[2].position;
    for (int i = 0; i < 200; ++i) {
        advance(&b, &view);
        fastest = fmax(fastest, -b.swing[2].velocity);
    }
    CHECK_NEAR(fastest, most, 2e-3);
    // As fast as that after 0.1 s, by half of gravity: half of 0.49 m/s on average, then all of it.
    CHECK_NEAR(from - b.swing[2].position, 0.5 * most * 0.1 + most * 0.1, 0.01);
}

// The floor rises by 0.1 along x and falls by 0.05 along y from the sole that stands at (0.1,
// -0.1), 0.02 high: at (0.4, 0.2) it is 0.02 + 0.03 - 0.015 high.
TEST(biped_swing, a_foot_comes_down_at_the_height_that_the_slope_has_there)
{
    atemi_biped b;
    biped_view  view;
    begin(&b, &view);
    b.swing_begins = false;
    b.slope = (biped_slope){.x = 0.1, .y = -0.05, .from = {0.1, -0.1}, .height = 0.02};
    while (b.gait.clock + tick < b.gait.duration) {
        advance(&b, &view);
    }
    CHECK_NEAR(b.swing[2].position, 0.035, 1e-3);
}

// A foothold that moves by 3 cm while the foot has met no floor yet: the foot is there within 0.1
// s.
TEST(biped_swing, a_late_foot_follows_its_foothold)
{
    atemi_biped b;
    biped_view  view;
    begin(&b, &view);
    while (b.gait.clock < b.gait.duration) {
        advance(&b, &view);
    }
    b.gait.foothold.y += 0.03;
    for (int i = 0; i < 100; ++i) {
        advance(&b, &view);
    }
    CHECK_NEAR(b.swing[1].position, 0.23, 3e-3);
}

// ---- On stairs

// From a tread to the next one or the one after it. Soles are 0.24 m long, and lie 1.2 cm from the
// risers on both treads: an edge is that far ahead of the toe that rises, and that far behind the
// heel that comes down.
static void go_over_edges(atemi_biped *b, biped_view *view, int risers, double rise)
{
    const double tread = 0.264, from = 0.0, to = risers * rise;
    begin(b, view);
    view->soles[0].position.z = view->soles[1].position.z = from;
    b->gait.duration = 1.0;
    b->gait.foothold = (floor_point){risers * tread, 0.0};
    b->gait.route.ahead[0] = (biped_foothold){.place = b->gait.foothold, .height = to};
    b->gait.route.top = fmax(from, to);
    b->gait.route.count = 1;
    while (b->gait.clock + tick < b->gait.duration) {
        advance(b, view);
        const double z = b->swing[2].position, x = b->swing[0].position;
        const double toe = floor((x + 0.12) / tread + 0.5);
        const double heel = floor((x - 0.12) / tread + 0.5);
        CHECK(z >= from + rise * (rise > 0.0 ? toe : heel) - 1e-3);
    }
    CHECK_NEAR(b->swing[0].position, risers * tread, 1e-3);
    CHECK_NEAR(b->swing[2].position, to, 2e-3);
}

TEST(biped_swing, a_foot_clears_the_edges_of_stairs_up_and_down)
{
    atemi_biped b;
    biped_view  view;
    for (int risers = 1; risers <= 2; ++risers) {
        go_over_edges(&b, &view, risers, 0.06);
        go_over_edges(&b, &view, risers, 0.09);
        go_over_edges(&b, &view, risers, -0.06);
        go_over_edges(&b, &view, risers, -0.09);
    }
}
