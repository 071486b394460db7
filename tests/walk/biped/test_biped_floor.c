// SPDX-License-Identifier: Apache-2.0

#include "walk/biped/biped_floor.h"

#include "atemi/robots.h"
#include "check.h"

#include <math.h>
#include <stdlib.h>

TEST(biped_floor, has_the_friction_of_the_last_patch_there)
{
    const atemi_floor_patch patches[] = {
        {.from = 1.0, .to = 3.0, .friction = 0.3},
        {.from = 2.0, .to = 4.0, .right = -0.5, .left = 0.0, .friction = 0.1}};
    atemi_biped_task task = atemi_biped_task_default();
    task.friction = 0.8;
    task.patches = patches;
    task.patch_count = 2;
    const struct {
        atemi_vec3 place;
        double     friction;
    } cases[] = {{{0.9, 0, 0}, 0.8},    {{1.1, 9, 0}, 0.3},    {{2.5, 0.1, 0}, 0.3},
                 {{2.5, -0.1, 0}, 0.1}, {{3.5, -0.4, 5}, 0.1}, {{3.5, -0.6, 0}, 0.8}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        CHECK_NEAR(biped_floor_friction(&task, cases[i].place), cases[i].friction, 0.0);
    }
}

static atemi_model *load(void)
{
    atemi_model       *model;
    atemi_urdf_options options = atemi_urdf_options_default();
    options.model.base = ATEMI_BASE_FLOATING;
    CHECK_STATUS(atemi_robots_load("hrp2_like", &options, &model, NULL), ATEMI_OK);
    return model;
}

static double start_height; // of the trunk

static bool note_start(void *context, const atemi_biped_walk *walk)
{
    (void)context;
    if (atemi_biped_walk_summary_get(walk).ticks == 1) {
        start_height = atemi_biped_walk_summary_get(walk).place.z;
    }
    return true;
}

static atemi_biped_summary walk_on(const atemi_biped_task *task)
{
    const atemi_biped_hooks hooks = {.tick = note_start};
    atemi_model            *model = load();
    atemi_biped_walk       *walk;
    CHECK_STATUS(atemi_biped_walk_create(model, task, NULL, &hooks, &walk, NULL), ATEMI_OK);
    CHECK_STATUS(atemi_biped_walk_run(walk, NULL), ATEMI_OK);
    const atemi_biped_summary summary = atemi_biped_walk_summary_get(walk);
    atemi_biped_walk_destroy(walk);
    atemi_model_destroy(model);
    return summary;
}

// The robot stands as high above the floor in the end as at the start: its legs are bent alike, to
// 1 cm, which is what its centre of mass may be off by beside the walk.
TEST(biped_floor, carries_the_robot_up_a_slope_and_a_step)
{
    enum { COLUMNS = 251, ROWS = 101 };
    static double            heights[ROWS * COLUMNS];
    const atemi_terrain_part part = {
        .kind = ATEMI_TERRAIN_SLOPE, .from = 0.8, .to = 1.8, .angle = 0.05};
    atemi_surface floor = {.kind = ATEMI_SURFACE_HEIGHTS, .position = {-1.0, -1.0, 0.0}};
    floor.table = (atemi_height_table){
        .columns = COLUMNS, .rows = ROWS, .spacing_x = 0.02, .spacing_y = 0.02, .heights = heights};
    atemi_terrain_lay(&part, 1, -1.0, -1.0, &floor.table, heights);
    atemi_biped_task task = atemi_biped_task_default();
    task.floor = &floor;
    const atemi_biped_summary s = walk_on(&task);
    CHECK_EQUAL_INT(s.end, ATEMI_BIPED_DONE);
    CHECK(s.place.x > 2.0);
    CHECK_NEAR(s.place.z - start_height, tan(0.05), 0.01);
}

// On a plane 0.3 m below, which the robot is put onto.
TEST(biped_floor, is_where_the_robot_starts)
{
    atemi_surface floor = atemi_surface_floor();
    floor.position.z = -0.3;
    atemi_biped_task          task = atemi_biped_task_default();
    const atemi_biped_order   stand = {.at = 0.0, .walk = false};
    const atemi_biped_summary level = (task.orders = &stand, task.order_count = 1, walk_on(&task));
    task.floor = &floor;
    const atemi_biped_summary low = walk_on(&task);
    CHECK_EQUAL_INT(low.end, ATEMI_BIPED_DONE);
    CHECK_NEAR(low.place.z, level.place.z - 0.3, 1e-6); // the least motion that a sum can see
}
