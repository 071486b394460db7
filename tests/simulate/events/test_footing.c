// SPDX-License-Identifier: Apache-2.0

#include "atemi/simulation.h"

#include "bodies.h"
#include "check.h"
#include "trial.h"

#include <math.h>

enum { MOST = 4 };

// A brick on trial, looked at from the plane that it may touch.
typedef struct bench {
    trial                  trial;
    atemi_simulation_point points[MOST];
    atemi_footing          footing;
    atemi_arena            arena;
} bench;

static const atemi_surface ground = {.kind = ATEMI_SURFACE_PLANE, .axis = {0.0, 0.0, 1.0}};

// `lift` is that of one corner from the others' plane.
static void bench_begin_lifted(bench *b, const atemi_surface *surface, double lift)
{
    atemi_arena measuring = atemi_arena_measuring();
    rough_bottom(brick_size, 0.8, b->points);
    b->points[0].point.z += lift;
    atemi_footing_take(&measuring, surface, b->points, MOST);
    CHECK_STATUS(atemi_arena_create(&b->arena, measuring.used, NULL), ATEMI_OK);
    b->footing = atemi_footing_take(&b->arena, surface, b->points, MOST);
    const trial_setting setting = {.model = brick_model(),
                                   .surface = *surface,
                                   .points = b->points,
                                   .count = MOST,
                                   .step = 1e-3};
    trial_begin(&b->trial, &setting);
}

static void bench_begin(bench *b, const atemi_surface *surface)
{
    bench_begin_lifted(b, surface, 0.0);
}

static void bench_end(bench *b)
{
    trial_end(&b->trial);
    atemi_arena_destroy(&b->arena);
}

static atemi_foothold look_from(bench *b, double height, double speed)
{
    const double q[7] = {0.3, -0.2, height, 0.0, 0.0, 0.0, 1.0}, v[6] = {speed};
    trial_start(&b->trial, q, v);
    return atemi_footing_look(&b->footing, b->points, b->trial.simulation);
}

TEST(footing, of_a_brick_at_rest_is_below_its_middle)
{
    bench b;
    bench_begin(&b, &ground);
    const atemi_foothold hold = look_from(&b, 0.5 * brick_size.z, 0.0);
    CHECK_EQUAL_INT(b.footing.surface, 0);
    CHECK(hold.presses);
    CHECK_NEAR(hold.zmp.x, 0.3, 1e-9);
    CHECK_NEAR(hold.zmp.y, -0.2, 1e-9);
    CHECK_NEAR(hold.zmp.z, 0.0, 1e-12);
    CHECK_NEAR(hold.margin, 0.5 * brick_size.y, 1e-9);
    bench_end(&b);
}

// Friction mu at h below the centre of mass moves it forwards by mu h.
TEST(footing, of_a_brick_that_slides_is_ahead_of_its_middle)
{
    bench b;
    bench_begin(&b, &ground);
    const atemi_foothold hold = look_from(&b, 0.5 * brick_size.z, 1.0);
    CHECK(hold.presses);
    CHECK_NEAR(hold.zmp.x, 0.3 + 0.8 * 0.5 * brick_size.z, 1e-9);
    bench_end(&b);
}

// On three corners the middle of a brick is above an edge; the fourth bears as long as it is lifted
// by less than soles give way.
TEST(footing, has_the_corners_that_hover_by_less_than_a_millimetre)
{
    static const double lifts[] = {1e-9, 1e-5, 0.9e-3, 1.1e-3};
    for (int i = 0; i < 4; ++i) {
        bench b;
        bench_begin_lifted(&b, &ground, lifts[i]);
        const atemi_foothold hold = look_from(&b, 0.5 * brick_size.z, 0.0);
        CHECK_NEAR(hold.zmp.x, 0.3, 1e-6);
        CHECK_NEAR(hold.margin, i < 3 ? 0.5 * brick_size.y : 0.0, 1e-6);
        bench_end(&b);
    }
}

TEST(footing, of_a_brick_in_the_air_is_none)
{
    bench b;
    bench_begin(&b, &ground);
    const atemi_foothold hold = look_from(&b, 1.0, 0.0);
    CHECK(!hold.presses);
    CHECK(isnan(hold.zmp.x) && isnan(hold.zmp.y) && isnan(hold.zmp.z) && isnan(hold.margin));
    bench_end(&b);
}

TEST(footing, is_on_the_first_plane_of_the_world_that_a_point_may_touch)
{
    const atemi_surface surfaces[4] = {
        ground,
        {.kind = ATEMI_SURFACE_SPHERE, .radius = 1.0},
        {.kind = ATEMI_SURFACE_PLANE, .axis = {1.0, 0.0, 0.0}, .carried = true, .link = 0},
        {.kind = ATEMI_SURFACE_PLANE, .position = {0.0, 0.0, 0.4}, .axis = {0.0, 0.6, 0.8}}};
    const atemi_simulation_point points[4] = {
        {.surface = 1}, {.surface = 2}, {.surface = 3}, {.surface = 0}};
    atemi_arena measuring = atemi_arena_measuring();
    CHECK_EQUAL_INT(atemi_footing_take(&measuring, surfaces, points, 4).surface, 3);
    const atemi_footing footing = atemi_footing_take(&measuring, surfaces, points, 2);
    CHECK_EQUAL_INT(footing.surface, ATEMI_NONE);
    CHECK_NEAR(footing.plane.normal.z, 1.0, 0.0);
    CHECK_EQUAL_INT(atemi_footing_take(&measuring, surfaces, points + 2, 2).surface, 3);
    CHECK_NEAR(atemi_footing_take(&measuring, surfaces, points + 2, 2).plane.normal.y, 0.6, 0.0);
}
