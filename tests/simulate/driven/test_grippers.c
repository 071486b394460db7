// SPDX-License-Identifier: Apache-2.0

#include "atemi/control_loop.h"

#include "atemi/robots.h"
#include "check.h"

#include <math.h>
#include <string.h>

// r2_like in orbit, held by its left foot; the other one closes on a rail a few mm off.

typedef struct grip_rig {
    atemi_model        *model;
    atemi_control_loop *loop;
    int                 hand;
} grip_rig;

static void begin(grip_rig *g, double off)
{
    *g = (grip_rig){0};
    atemi_urdf_options orbit = atemi_urdf_options_default();
    orbit.model.gravity = (atemi_vec3){0};
    CHECK_STATUS(atemi_robots_load("r2_like", &orbit, &g->model, NULL), ATEMI_OK);
    g->hand = atemi_model_find_link(g->model, "right_foot");
    const int                  foot = atemi_model_find_link(g->model, "left_foot");
    atemi_control_loop_options options = atemi_control_loop_options_default();
    atemi_transform            rail = atemi_transform_identity();
    options.q = atemi_model_posture(g->model, atemi_model_find_posture(g->model, "ready"));
    options.holds = &foot;
    options.hold_count = options.max_grips = options.rail_count = 1;
    options.rails = &rail;
    options.jaws.time_limit = 0.5;
    CHECK_STATUS(atemi_control_loop_create(g->model, &options, &g->loop, NULL), ATEMI_OK);
    rail = atemi_whole_body_plant_pose(atemi_control_loop_plant(g->loop), g->hand, NULL);
    rail.position.x += off;
    atemi_control_loop_destroy(g->loop);
    CHECK_STATUS(atemi_control_loop_create(g->model, &options, &g->loop, NULL), ATEMI_OK);
}

static void end(grip_rig *g)
{
    atemi_control_loop_destroy(g->loop);
    atemi_model_destroy(g->model);
}

static void run(const grip_rig *g, const atemi_sequence_hooks *hooks, int steps)
{
    for (int i = 0; i < steps; ++i) {
        hooks->update(hooks->context, NULL);
        atemi_control_loop_coordinate(g->loop);
        for (int k = 0; k < atemi_control_loop_tick_count(g->loop); ++k) {
            CHECK_STATUS(atemi_control_loop_tick(g->loop, NULL), ATEMI_OK);
        }
    }
}

TEST(grippers, lock_where_little_is_left_and_hold_until_released)
{
    grip_rig g;
    begin(&g, 2e-3);
    const atemi_sequence_hooks hooks = atemi_control_loop_hooks(g.loop);
    hooks.grip(hooks.context, g.hand, 0);
    CHECK(hooks.is_busy(hooks.context));
    run(&g, &hooks, 20);
    const atemi_grip *grip = atemi_control_loop_grips(g.loop);
    CHECK_EQUAL_INT(atemi_control_loop_grip_count(g.loop), 1);
    CHECK(grip->state == ATEMI_GRIP_CLOSED && grip->ended > grip->begun);
    CHECK_NEAR(grip->off, 2e-3, 1e-9);
    CHECK(grip->left <= 1e-3 && grip->left_rotation <= 5e-3); // what the jaws allow
    CHECK(grip->force > 0.0 && grip->force <= 150.0);
    CHECK(atemi_whole_body_plant_is_held(atemi_control_loop_plant(g.loop), g.hand));
    CHECK(!hooks.is_busy(hooks.context));
    hooks.release(hooks.context, g.hand);
    CHECK(!atemi_whole_body_plant_is_held(atemi_control_loop_plant(g.loop), g.hand));
    end(&g);
}

TEST(grippers, give_up_where_they_cannot_reach_the_rail)
{
    grip_rig g;
    begin(&g, 2.0);
    const atemi_sequence_hooks hooks = atemi_control_loop_hooks(g.loop);
    atemi_error                error = {0};
    hooks.grip(hooks.context, g.hand, 0);
    run(&g, &hooks, 30); // 0.6 s
    CHECK(atemi_control_loop_grips(g.loop)->state == ATEMI_GRIP_FAILED);
    CHECK_STATUS(hooks.update(hooks.context, &error), ATEMI_ERROR_INPUT);
    CHECK(strstr(error.message, "right_foot did not close on rail 0"));
    CHECK_NEAR(atemi_vec3_norm(
                   atemi_whole_body_plant_pull_force(atemi_control_loop_plant(g.loop), 0).linear),
               0.0, 0.0);
    end(&g);
}
