// SPDX-License-Identifier: Apache-2.0

#include "check.h"
#include "walk/biped/biped_parts.h"

#include <math.h>

// The plan on the pendulum that it is made for: xi' = w (xi - p), integrated exactly from tick to
// tick, with a foot that lands where and when the plan has it.

static const double rate = 3.5, width = 0.2, length = 0.2, tick = 1e-3;

typedef struct pendulum {
    atemi_biped b;
    biped_view  view;
    double      landed[200]; ///< y of xi beside the sole on landing
    double      stepped[200];
    int         landings;
    double      turned; ///< heading of the soles
    double      uneven; ///< height of the left sole
    double      late;   ///< s, by which a foot finds the floor after its time
} pendulum;

static void put_sole(pendulum *p, int side, double x, double y)
{
    p->view.soles[side] = atemi_transform_identity();
    p->view.soles[side].position = (atemi_vec3){x, y, side == ATEMI_SIDE_LEFT ? p->uneven : 0.0};
    p->view.soles[side].rotation = biped_heading(p->turned);
}

static void begin(pendulum *p)
{
    *p = (pendulum){0};
    p->b.options = atemi_biped_options_default();
    p->b.options.tick = tick;
    p->b.mass = p->b.time_unit = 1.0;
    p->b.gravity = 9.81;
    p->b.options.capture_rate = 5.0;
    p->b.gait = (biped_gait){.forwards = length,
                             .width = width,
                             .step_time = 0.6,
                             .double_support = 0.1,
                             .starting = 1.0,
                             .narrowest = 0.5,
                             .longest = 0.6,
                             .fastest = 0.6,
                             .slowest = 1.4,
                             .last_change = 0.05,
                             .walks = true,
                             .stride = 1.0};
    p->b.leg = 1.0;
    p->b.height = 9.81 / (rate * rate);
    p->b.grip.friction = 1.0;
    for (int side = 0; side < ATEMI_SIDES; ++side) {
        p->b.humanoid.legs[side].joint_count = 6;
        p->b.humanoid.soles[side] = (atemi_sole){.size_x = 0.2, .size_y = 0.1};
        p->b.low[side] = -0.08;
        p->b.high[side] = 0.08;
        put_sole(p, side, 0.0, side == ATEMI_SIDE_LEFT ? 0.5 * width : -0.5 * width);
    }
    p->view.rate = rate;
    biped_gait_start(&p->b.gait, &p->view);
}

static void land(pendulum *p)
{
    biped_gait       *g = &p->b.gait;
    const floor_point before = g->sole;
    const int         foot = 1 - g->support;
    put_sole(p, foot, g->foothold.x, g->foothold.y);
    p->view.forces[foot] = 1.0;
    p->landed[p->landings] = p->view.capture.y - g->foothold.y;
    p->stepped[p->landings] = g->foothold.x - before.x;
    ++p->landings;
}

static void go(pendulum *p, double time)
{
    biped_gait *g = &p->b.gait;
    for (double t = 0.0; t < time; t += tick) {
        p->view.forces[0] = p->view.forces[1] = 0.0;
        if (g->phase == ATEMI_BIPED_SWINGS && g->clock + tick >= g->duration + p->late) {
            land(p);
        }
        biped_gait_update(&p->b, &p->view);
        biped_slope_stand(&p->b.slope, &p->view.soles[g->support]);
        const double E = exp(rate * tick);
        p->view.capture.x = g->pressure.x + E * (p->view.capture.x - g->pressure.x);
        p->view.capture.y = g->pressure.y + E * (p->view.capture.y - g->pressure.y);
    }
}

// Of the periodic walk: W (1 + k E) / (1 + E), here from the equation of motion itself: xi of one
// step is integrated by hand from that start and must end mirrored.
static double repeats(double start)
{
    const biped_gait g = {.step_time = 0.6, .double_support = 0.1};
    double           xi = start; // beside the sole that has landed on the left
    const int        ticks = (int)lround(g.step_time / tick * 100.0);
    for (int i = 0; i < ticks; ++i) {
        const double t = (i + 0.5) * tick / 100.0;
        const double p = t < g.double_support ? -width * (1.0 - t / g.double_support) : 0.0;
        xi = p + exp(rate * tick / 100.0) * (xi - p);
    }
    return xi + width; // beside the next sole, which should be -start
}

TEST(biped_gait, comes_to_steps_that_repeat_themselves)
{
    pendulum p;
    begin(&p);
    go(&p, 25.0);
    CHECK(p.landings > 30);
    const int last = p.landings - 1;
    CHECK_NEAR(p.stepped[last], length, 1e-3);
    CHECK_NEAR(p.landed[last], -p.landed[last - 1], 1e-3);
    // The one at which a step repeats itself, found by the secant rule.
    double a = -0.5 * width, b = 0.0;
    for (int i = 0; i < 5; ++i) {
        const double fa = repeats(a) + a, fb = repeats(b) + b;
        const double next = b - fb * (b - a) / (fb - fa);
        a = b;
        b = next;
        if (fabs(b - a) < 1e-12) {
            break;
        }
    }
    CHECK_NEAR(fabs(p.landed[last]), fabs(b), 2e-3); // a landing is up to a tick late
}

// The foot that leads goes twice as far aside, the other one follows: every second step is the
// same.
TEST(biped_gait, goes_aside_by_what_is_asked_for)
{
    for (int side = -1; side <= 1; side += 2) {
        pendulum p;
        begin(&p);
        p.b.gait.sideways = 0.03 * side;
        go(&p, 15.0);
        const double first = p.view.soles[0].position.y, capture = p.landed[p.landings - 1];
        const int    landings = p.landings;
        while (p.landings < landings + 2) {
            go(&p, tick);
        }
        CHECK_NEAR(p.view.soles[0].position.y - first, 0.06 * side, 1e-3);
        CHECK_NEAR(p.landed[p.landings - 1], capture, 1e-3);
    }
}

TEST(biped_gait, a_push_from_any_side_is_stepped_off)
{
    for (int i = 0; i < 16; ++i) {
        pendulum     p;
        const double angle = 2.0 * 3.14159265358979323846 * i / 16.0;
        begin(&p);
        go(&p, 6.0 + 0.05 * i);
        p.view.capture.x += 0.06 * cos(angle); // a fifth of w times the leg
        p.view.capture.y += 0.06 * sin(angle);
        go(&p, 8.0);
        const int last = p.landings - 1;
        CHECK_NEAR(p.stepped[last], length, 5e-3);
        CHECK_NEAR(p.landed[last], -p.landed[last - 1], 5e-3);
    }
}

// Feet are 0.2 m apart. Pushing the centre of mass from one to the other takes about half of that
// over its height in friction, 0.125: where 0.15 is felt, 1.2 x 0.15 x 0.8 m = 0.144 m are left.
TEST(biped_gait, feet_come_nearer_where_the_floor_holds_little)
{
    pendulum p;
    begin(&p);
    go(&p, 4.0);
    CHECK_NEAR(fabs(p.view.soles[0].position.y - p.view.soles[1].position.y), width, 5e-3);
    p.b.grip.friction = 0.15;
    go(&p, 8.0);
    const double height = 9.81 / (rate * rate);
    CHECK_NEAR(fabs(p.view.soles[0].position.y - p.view.soles[1].position.y), 1.2 * 0.15 * height,
               5e-3);
}

// A push outwards as a foot lands leaves xi over that foot. A pressure that passed to it evenly
// would be on the other foot still, and push xi further out. After one of
// 0.12 m xi would be off by 0.98 m at the next landing; the sole takes 0.32 m of that. A pressure
// that is on the new sole at once takes 0.48 m of the rest, and that is all that there is to take.
TEST(biped_gait, the_pressure_passes_at_once_where_a_push_asks_for_it)
{
    for (int pushed = 0; pushed < 2; ++pushed) {
        pendulum    p;
        biped_gait *g = &p.b.gait;
        begin(&p);
        go(&p, 8.0);
        const int before = p.landings;
        while (p.landings == before) {
            go(&p, tick);
        }
        const double out = g->support == ATEMI_SIDE_LEFT ? 1.0 : -1.0;
        p.view.capture.y += pushed ? 0.12 * out : 0.0;
        go(&p, tick);
        const double off = fabs(g->pressure.y - g->sole.y);
        CHECK(pushed ? off < 0.5 * 0.1 : off > 0.5 * width);
    }
}

// The foot that swings touches the floor from the first tick of the swing on: before the half of
// it, that is no landing. The swing begins after double support.
TEST(biped_gait, lands_in_the_second_half_of_the_swing_only)
{
    pendulum    p;
    biped_gait *g = &p.b.gait;
    begin(&p);
    go(&p, 8.0);
    while (g->phase != ATEMI_BIPED_SWINGS) {
        go(&p, tick);
    }
    const long landings = g->landings;
    for (int i = 0; g->landings == landings && i < 1000; ++i) {
        const double clock = g->clock + tick;
        const double middle = 0.1 + 0.5 * (g->duration - 0.1);
        p.view.forces[1 - g->support] = 1.0;
        biped_gait_update(&p.b, &p.view);
        CHECK((g->landings > landings) == (clock > middle));
    }
    CHECK_EQUAL_INT(g->landings, landings + 1);
}

// In 80 ms xi diverges by e^(w t), a third of 0.15 m: on a foothold that stays behind it would be
// as much off. The foot that goes with it has xi beside it as usual, and further by k of what the
// step is longer, because the pressure passes from farther away.
TEST(biped_gait, a_foot_that_lands_late_lands_where_it_is_needed_then)
{
    pendulum p;
    begin(&p);
    go(&p, 12.0);
    const double usual = fabs(p.landed[p.landings - 1]);
    const double k = 1.0 - (1.0 - exp(-rate * 0.1)) / (rate * 0.1);
    const int    before = p.landings;
    p.late = 0.08;
    while (p.landings == before) {
        go(&p, tick);
    }
    const double step = fabs(p.view.soles[0].position.y - p.view.soles[1].position.y);
    CHECK(step > width + 0.03);
    CHECK_NEAR(fabs(p.landed[before]), usual + k * (step - width), 2e-3);
}

// A foot that lands turned turns the robot no further: steps follow the course, as far as a step
// can turn back.
TEST(biped_gait, a_foot_that_lands_turned_does_not_turn_the_walk)
{
    const double turns[] = {0.05, 0.5}, off[] = {0.05, 0.2};
    for (int i = 0; i < 2; ++i) {
        pendulum p;
        begin(&p);
        go(&p, 4.0);
        const int before = p.landings;
        p.turned = turns[i];
        while (p.landings == before) {
            go(&p, tick);
        }
        CHECK_NEAR(p.b.gait.heading, turns[i], 1e-12);
        CHECK_NEAR(p.b.gait.course, turns[i] - off[i], 1e-12);
    }
}

// Feet that land 3 cm apart in height, at legs of 1 m: half of that counts with each step, and less
// than 4 mm not at all; so the stride tends to 1 / (1 + 0.03 / 0.02 - 0.2). On a level floor steps
// are as long as before.
TEST(biped_gait, steps_are_shorter_where_the_floor_surprises)
{
    pendulum p;
    begin(&p);
    go(&p, 4.0);
    CHECK(p.b.gait.stride == 1.0);
    p.uneven = 0.03;
    go(&p, 8.0);
    CHECK_NEAR(p.b.gait.stride, 1.0 / 2.3, 1e-3);
    CHECK_NEAR(p.stepped[p.landings - 1], length / 2.3, 5e-3);
    p.uneven = 0.0;
    go(&p, 8.0);
    CHECK(p.b.gait.stride == 1.0);
    CHECK_NEAR(p.stepped[p.landings - 1], length, 5e-3);
}

TEST(biped_gait, comes_to_rest_between_its_feet)
{
    pendulum p;
    begin(&p);
    go(&p, 8.0);
    p.b.gait.walks = false;
    go(&p, 8.0);
    CHECK_EQUAL_INT(p.b.gait.phase, ATEMI_BIPED_STANDS);
    const atemi_vec3 a = p.view.soles[0].position, b = p.view.soles[1].position;
    CHECK_NEAR(a.x, b.x, 1e-2);
    CHECK_NEAR(p.view.capture.x, 0.5 * (a.x + b.x), 1e-3);
    CHECK_NEAR(p.view.capture.y, 0.5 * (a.y + b.y), 1e-3);
}

TEST(biped_gait, a_quintic_meets_both_of_its_ends)
{
    const biped_axis from = {0.1, -0.2, 0.3}, to = {-0.4, 0.5, 0.6};
    const biped_axis first = biped_quintic(&from, &to, 0.7, 0.0);
    const biped_axis last = biped_quintic(&from, &to, 0.7, 0.7);
    CHECK_NEAR(first.position, from.position, 1e-14);
    CHECK_NEAR(first.velocity, from.velocity, 1e-14);
    CHECK_NEAR(first.acceleration, from.acceleration, 1e-14);
    CHECK_NEAR(last.position, to.position, 1e-13);
    CHECK_NEAR(last.velocity, to.velocity, 1e-13);
    CHECK_NEAR(last.acceleration, to.acceleration, 1e-12);
}
