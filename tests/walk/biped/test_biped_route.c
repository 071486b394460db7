// SPDX-License-Identifier: Apache-2.0

#include "check.h"
#include "walk/biped/biped_parts.h"

#include <math.h>

// The steps ahead of a robot with legs of 1 m and soles of 0.3 m x 0.1 m.

static const double rate = 3.0, support = 0.12;

static void begin(atemi_biped *b)
{
    *b = (atemi_biped){.options = atemi_biped_options_default(), .leg = 1.0, .gravity = 9.81};
    b->gait = (biped_gait){.forwards = 0.3,
                           .width = 0.2,
                           .apart = 0.2,
                           .step_time = 0.7,
                           .double_support = support,
                           .longest = 0.8,
                           .support = ATEMI_SIDE_LEFT,
                           .walks = true,
                           .stride = 1.0};
    for (int side = 0; side < ATEMI_SIDES; ++side) {
        b->humanoid.soles[side] = (atemi_sole){.size_x = 0.3, .size_y = 0.1};
        b->ahead[side] = 0.03;
    }
}

static void stand(atemi_biped *b, double x, double y)
{
    biped_view view = {0};
    for (int side = 0; side < ATEMI_SIDES; ++side) {
        view.soles[side] = atemi_transform_identity();
        view.soles[side].position =
            (atemi_vec3){x, y + (side == ATEMI_SIDE_LEFT ? 0.1 : -0.1), 0.0};
    }
    b->gait.sole = (floor_point){x, y + 0.1};
    biped_route_start(b, &view);
}

// ---- Where xi has to be

// xi' = w (xi - p) over a step, by hand: p goes evenly from one sole to the next one and stays.
static double advance(double xi, double from, double sole, double time)
{
    enum { PARTS = 200000 };
    const double dt = time / (double)PARTS;
    for (int i = 0; i < PARTS; ++i) {
        const double t = (i + 0.5) * dt;
        const double p = t < support ? from + (sole - from) * t / support : sole;
        xi = p + exp(rate * dt) * (xi - p);
    }
    return xi;
}

// From where xi has to be on one landing, a step brings it to where it has to be on the next one.
// An error grows by e^(w T), 40, so 1e-5 of the sum by hand becomes 4e-4.
TEST(biped_route, the_capture_point_of_a_landing_leads_to_that_of_the_next)
{
    const double steps[][3] = {
        {0.3, 0.1, 0.9}, {0.45, -0.12, 0.7}, {0.5, 0.1, 1.2}, {0.5, -0.1, 0.8}};
    const double k = 1.0 - (1.0 - exp(-rate * support)) / (rate * support);
    biped_gait   g = {.sole = {0.0, -0.1}, .double_support = support};
    for (int i = 0; i < BIPED_STEPS_AHEAD; ++i) {
        g.route.ahead[i] =
            (biped_foothold){.place = {steps[i][0], steps[i][1]}, .time = steps[i][2]};
    }
    g.route.count = BIPED_STEPS_AHEAD;
    while (g.route.count > 1) {
        const biped_foothold now = g.route.ahead[0], next = g.route.ahead[1];
        const floor_point    b = biped_route_capture(&g, rate, k), before = g.sole;
        g.sole = now.place;
        for (int i = 1; i < g.route.count; ++i) {
            g.route.ahead[i - 1] = g.route.ahead[i];
        }
        --g.route.count;
        const floor_point c = biped_route_capture(&g, rate, k);
        CHECK_NEAR(advance(now.place.x + b.x, before.x, now.place.x, next.time), next.place.x + c.x,
                   4e-4);
        CHECK_NEAR(advance(now.place.y + b.y, before.y, now.place.y, next.time), next.place.y + c.y,
                   4e-4);
    }
    // After the last one the robot could step to and fro between the last two places for ever.
    const floor_point    last = biped_route_capture(&g, rate, k), at = g.route.ahead[0].place;
    const biped_foothold f = g.route.ahead[0];
    const double         there = advance(at.y + last.y, g.sole.y, at.y, f.time);
    CHECK_NEAR(advance(there, at.y, g.sole.y, f.time), at.y + last.y, 40.0 * 4e-4);
}

// ---- Footholds on treads

enum { COLUMNS = 401 };

static const double tread = 0.45;

// Stairs of 0.1 from 0.6 on, with edges of a centimetre.
static double stairs(double x)
{
    return x < 0.6 ? 0.0 : 0.1 * (1.0 + floor((x - 0.6) / tread));
}

static atemi_surface lay(double heights[2][COLUMNS])
{
    for (int i = 0; i < COLUMNS; ++i) {
        heights[0][i] = heights[1][i] = stairs(-1.0 + 0.01 * i + 0.005);
    }
    return (atemi_surface){.kind = ATEMI_SURFACE_HEIGHTS,
                           .position = {-1.0, -1.0, 0.0},
                           .table = {COLUMNS, 2, 0.01, 2.0, heights[0]}};
}

// Wherever it begins, and however far balance moves it, the whole sole is on one tread.
TEST(biped_route, soles_are_whole_on_one_tread)
{
    double              heights[2][COLUMNS];
    const atemi_surface floor = lay(heights);
    for (double x = -0.5; x < 0.2; x += 0.031) {
        atemi_biped b;
        begin(&b);
        b.gait.route.map = &floor;
        stand(&b, x, 0.0);
        CHECK_EQUAL_INT(b.gait.route.count, BIPED_STEPS_AHEAD);
        double before = x;
        for (int i = 0; i < b.gait.route.count; ++i) {
            const biped_foothold *f = &b.gait.route.ahead[i];
            const double          middle = f->place.x - 0.03;
            CHECK_EQUAL_INT(f->side, i % 2 ? ATEMI_SIDE_LEFT : ATEMI_SIDE_RIGHT);
            CHECK(stairs(middle - 0.15 - f->back) == stairs(middle + 0.15 + f->ahead));
            CHECK_NEAR(f->height, stairs(middle), 1e-3);
            CHECK(f->place.x > before && f->place.x - before < 0.8); // it goes on, within reach
            CHECK_NEAR(fabs(f->place.y), 0.1, 1e-12);
            before = f->place.x;
        }
    }
}

// A foothold keeps to its tread along its heading, and to both sides where that is bounded.
TEST(biped_route, balance_moves_a_foothold_within_its_bounds)
{
    const biped_foothold f = {.place = {1.0, 2.0},
                              .heading = 1.5707963267948966,
                              .back = 0.1,
                              .ahead = 0.05,
                              .aside = 0.02};
    const floor_point    far_off = biped_route_keep(&f, (floor_point){1.5, 2.5});
    CHECK_NEAR(far_off.y, 2.05, 1e-12); // ahead is along y
    CHECK_NEAR(far_off.x, 1.02, 1e-12);
    const floor_point back = biped_route_keep(&f, (floor_point){0.99, 1.0});
    CHECK_NEAR(back.y, 1.9, 1e-12);
    CHECK_NEAR(back.x, 0.99, 1e-12);
}

// On level ground a map changes nothing: steps are those of the gait, in their usual time.
TEST(biped_route, on_level_ground_steps_are_those_of_the_gait)
{
    const atemi_surface floor = atemi_surface_floor();
    atemi_biped         b;
    begin(&b);
    b.gait.route.map = &floor;
    stand(&b, 0.0, 0.0);
    for (int i = 0; i < b.gait.route.count; ++i) {
        CHECK_NEAR(b.gait.route.ahead[i].place.x, 0.3 * (i + 1), 1e-12);
        CHECK_NEAR(b.gait.route.ahead[i].height, 0.0, 1e-12);
    }
    CHECK_NEAR(b.gait.route.ahead[0].time, 0.7, 1e-12);
}
