// SPDX-License-Identifier: Apache-2.0

#include "allocations.h"
#include "atemi/biped.h"
#include "atemi/robots.h"
#include "check.h"

#include <math.h>
#include <stdlib.h>

// hrp2_like, with legs of 0.6 m and soles of 0.24 m, on stairs of a tenth of its legs whose treads
// are half of them: five up, a landing, five down. Nobody tells it where to step.

static const double rise = 0.06, tread = 0.3, bottom = 0.4, landing = 1.0, spacing = 0.01;
enum { COUNT = 5, COLUMNS = 701 };

static double first_down(void)
{
    return bottom + (COUNT - 1) * tread + landing;
}

static double stairs(double x)
{
    const double up = fmin(fmax(ceil((x - bottom) / tread), 0.0), COUNT);
    const double down = fmin(fmax(ceil((x - first_down()) / tread), 0.0), COUNT);
    return rise * (up - down);
}

// With edges of a spacing.
static atemi_surface lay(double *heights)
{
    for (int i = 0; i < COLUMNS; ++i) {
        heights[i] = heights[COLUMNS + i] = stairs(-1.0 + spacing * (i + 0.5));
    }
    return (atemi_surface){.kind = ATEMI_SURFACE_HEIGHTS,
                           .position = {-1.0, -2.0, 0.0},
                           .table = {COLUMNS, 2, spacing, 4.0, heights}};
}

typedef struct watch {
    long   over;    ///< ticks with a sole that stands over an edge
    double highest; ///< of a sole that stands
    double deepest; ///< gap of a corner
} watch;

// Of each foot that stands alone, all four corners are on one tread, and flat on it.
static bool look(void *context, const atemi_biped_walk *walk)
{
    watch                  *w = (watch *)context;
    const atemi_simulation *s = atemi_biped_walk_simulation(walk);
    const atemi_biped_state state = atemi_biped_state_get(atemi_biped_walk_controller(walk));
    for (int i = 0; i < ATEMI_BIPED_POINTS; ++i) {
        w->deepest = fmin(w->deepest, atemi_simulation_gap(s, i));
    }
    if (state.phase != ATEMI_BIPED_SWINGS) {
        return true;
    }
    const int    first = ATEMI_SOLE_CORNERS * state.support;
    const double height = stairs(atemi_simulation_position(s, first).x);
    for (int i = first; i < first + ATEMI_SOLE_CORNERS; ++i) {
        const atemi_vec3 corner = atemi_simulation_position(s, i);
        w->over += stairs(corner.x - spacing) != height || stairs(corner.x + spacing) != height ||
                   fabs(corner.z - height) > 5e-3;
    }
    w->highest = fmax(w->highest, height);
    return true;
}

static atemi_biped_summary climb_with(const atemi_biped_faults *faults, bool map,
                                      const atemi_biped_hooks *hooks)
{
    static double       heights[2 * COLUMNS];
    const atemi_surface floor = lay(heights);
    atemi_model        *model;
    atemi_biped_walk   *walk;
    atemi_biped_task    task = atemi_biped_task_default();
    task.floor = &floor;
    task.map = map;
    task.steps = 28;
    task.faults = *faults;
    CHECK_STATUS(atemi_robots_load("hrp2_like", NULL, &model, NULL), ATEMI_OK);
    CHECK_STATUS(atemi_biped_walk_create(model, &task, NULL, hooks, &walk, NULL), ATEMI_OK);
    CHECK_STATUS(atemi_biped_walk_run(walk, NULL), ATEMI_OK);
    const atemi_biped_summary summary = atemi_biped_walk_summary_get(walk);
    atemi_biped_walk_destroy(walk);
    atemi_model_destroy(model);
    return summary;
}

static atemi_biped_summary climb(const atemi_biped_faults *faults, bool map, watch *w)
{
    const atemi_biped_hooks hooks = {.tick = look, .context = w};
    *w = (watch){0};
    return climb_with(faults, map, &hooks);
}

static void check_climb(const atemi_biped_faults *faults)
{
    watch                     w;
    const atemi_biped_summary s = climb(faults, true, &w);
    CHECK_EQUAL_INT(s.end, ATEMI_BIPED_DONE);
    CHECK(s.place.x > first_down() + (double)COUNT * tread - 0.1);
    CHECK_EQUAL_INT(w.over, 0);
    CHECK_NEAR(w.highest, (double)COUNT * rise, 1e-12);
    CHECK(w.deepest > -1e-3); // soles clear the edges that they pass
}

TEST(biped_stairs, are_climbed_up_and_down_in_an_ideal_world)
{
    const atemi_biped_faults none = atemi_biped_faults_none();
    check_climb(&none);
}

TEST(biped_stairs, are_climbed_up_and_down_by_sensors)
{
    for (uint64_t seed = 1; seed <= 3; ++seed) {
        atemi_biped_faults real = atemi_biped_faults_real();
        real.seed = seed;
        check_climb(&real);
    }
}

static bool look_late(void *context, const atemi_biped_walk *walk)
{
    static double           heights[2 * COLUMNS];
    static atemi_surface    floor;
    const atemi_biped      *biped = atemi_biped_walk_controller(walk);
    const atemi_biped_state state = atemi_biped_state_get(biped);
    if (state.phase == ATEMI_BIPED_SWINGS && state.landings == 0) {
        floor = lay(heights);
        CHECK_STATUS(atemi_biped_floor((atemi_biped *)biped, &floor, NULL), ATEMI_OK);
    }
    return state.landings == 0 || look(context, walk);
}

// The robot walks already, blind, when it gets its map.
TEST(biped_stairs, are_climbed_by_a_map_that_comes_on_the_way)
{
    const atemi_biped_faults none = atemi_biped_faults_none();
    watch                    w = {0};
    const atemi_biped_hooks  hooks = {.tick = look_late, .context = &w};
    CHECK_EQUAL_INT(climb_with(&none, false, &hooks).end, ATEMI_BIPED_DONE);
    CHECK_EQUAL_INT(w.over, 0);
    CHECK_NEAR(w.highest, (double)COUNT * rise, 1e-12);
}

// What a map is worth: without it, soles come down wherever the gait has them.
TEST(biped_stairs, a_blind_robot_stands_on_their_edges)
{
    const atemi_biped_faults none = atemi_biped_faults_none();
    watch                    w;
    climb(&none, false, &w);
    CHECK(w.over > 100);
}

// No allocation while it walks, whatever it knows.
TEST(biped_stairs, a_tick_on_a_map_allocates_nothing)
{
    static double       heights[2 * COLUMNS];
    const atemi_surface floor = lay(heights);
    atemi_model        *model;
    atemi_biped        *biped;
    double              q[64], v[64] = {0.0}, tau[64];
    CHECK_STATUS(atemi_robots_load("hrp2_like", NULL, &model, NULL), ATEMI_OK);
    CHECK_STATUS(atemi_biped_create(model, NULL, NULL, &biped, NULL), ATEMI_OK);
    CHECK_STATUS(atemi_biped_floor(biped, &floor, NULL), ATEMI_OK);
    atemi_biped_posture(biped, q);
    const double             half = 0.5 * 9.81 * atemi_model_mass(model);
    const atemi_biped_senses senses = {.q = q, .v = v, .forces = {half, half}};
    allocations_begin();
    for (int i = 0; i < 3000; ++i) { // it begins to walk, and its feet land
        atemi_biped_tick(biped, &senses, tau);
    }
    CHECK_EQUAL_INT(allocations_end(), 0);
    CHECK(atemi_biped_state_get(biped).landings > 0);
    atemi_biped_destroy(biped);
    atemi_model_destroy(model);
}

TEST(biped_stairs, a_wall_is_no_map)
{
    const atemi_surface wall = {.kind = ATEMI_SURFACE_PLANE, .axis = {1.0, 0.0, 0.0}};
    atemi_model        *model;
    atemi_biped        *biped;
    CHECK_STATUS(atemi_robots_load("hrp2_like", NULL, &model, NULL), ATEMI_OK);
    CHECK_STATUS(atemi_biped_create(model, NULL, NULL, &biped, NULL), ATEMI_OK);
    CHECK_STATUS(atemi_biped_floor(biped, &wall, NULL), ATEMI_ERROR_INPUT);
    atemi_biped_destroy(biped);
    atemi_model_destroy(model);
}
