// SPDX-License-Identifier: Apache-2.0
//
// What `atemi control` runs, in C: Multi-Loop control of every joint at 5 kHz and coordination at
// 50 Hz on a simulated robot. r2_like is held by its left foot, in orbit, and reaches 10 cm forward
// with the other one; then it goes back.

#include <atemi/atemi.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static double position_x(const atemi_control_loop *loop, int link)
{
    return atemi_whole_body_plant_pose(atemi_control_loop_plant(loop), link, NULL).position.x;
}

// The foot goes by a way along x, its orientation as it is.
static atemi_task_node node_of(int link, double by)
{
    atemi_task_node node = {.target = atemi_node_target_default(), .by = {by, 0, 0}};
    node.target.link = link;
    node.is_relative = node.keeps_rotation = true;
    return node;
}

// A step of 20 ms: tasks that are due, the coordination, then 100 ticks.
static atemi_status step(atemi_control_loop *loop, atemi_task_sequence *tasks, atemi_error *error)
{
    const atemi_sequence_senses senses = {
        .time = atemi_whole_body_plant_time(atemi_control_loop_plant(loop)),
        .positions = atemi_control_loop_positions(loop)};
    atemi_status status = ATEMI_OK;
    atemi_task_sequence_step(tasks, &senses);
    atemi_control_loop_coordinate(loop);
    for (int k = 0; k < atemi_control_loop_tick_count(loop) && !status; ++k) {
        status = atemi_control_loop_tick(loop, error);
    }
    return status;
}

int main(void)
{
    atemi_error        error = {0};
    atemi_model       *model = NULL;
    atemi_urdf_options orbit = atemi_urdf_options_default();
    orbit.model.gravity = (atemi_vec3){0, 0, 0};
    if (atemi_robots_load("r2_like", &orbit, &model, &error)) {
        fprintf(stderr, "%s\n", error.message);
        return EXIT_FAILURE;
    }
    const int foot = atemi_model_find_link(model, "right_foot");
    const int holds[] = {atemi_model_find_link(model, "left_foot")};

    atemi_control_loop_options options = atemi_control_loop_options_default();
    options.q = atemi_model_posture(model, atemi_model_find_posture(model, "ready"));
    options.holds = holds;
    options.hold_count = 1;

    const atemi_task_node    there = node_of(foot, 0.1), back = node_of(foot, -0.1);
    const atemi_control_task tasks[] = {{.action = ATEMI_TASK_NODES,
                                         .at = 1,
                                         .node_count = 1,
                                         .nodes = &there,
                                         .motion = atemi_node_motion_default()},
                                        {.action = ATEMI_TASK_NODES,
                                         .cue = ATEMI_CUE_REACHED,
                                         .wait = 0.5,
                                         .node_count = 1,
                                         .nodes = &back,
                                         .motion = atemi_node_motion_default()}};
    atemi_control_loop      *loop = NULL;
    atemi_task_sequence     *sequence = NULL;
    atemi_status             status = atemi_control_loop_create(model, &options, &loop, &error);
    status = status ? status
                    : atemi_task_sequence_create(model, atemi_control_loop_coordination(loop),
                                                 tasks, 2, NULL, &sequence, &error);
    const double begin = status ? 0 : position_x(loop, foot);
    double       farthest = 0;
    for (int k = 0; k < 250 && !status; ++k) {
        status = step(loop, sequence, &error);
        farthest = fmax(farthest, position_x(loop, foot) - begin);
        if (k % 25 == 24) {
            printf("%4.1f s  foot %7.4f m\n", (k + 1) * 0.02, position_x(loop, foot) - begin);
        }
    }
    if (status) {
        fprintf(stderr, "%s\n", error.message);
    }
    const bool done = !status && fabs(farthest - 0.1) < 0.01 &&
                      atemi_task_sequence_outcome(sequence) == ATEMI_OUTCOME_REACHED;
    atemi_task_sequence_destroy(sequence);
    atemi_control_loop_destroy(loop);
    atemi_model_destroy(model);
    return done ? EXIT_SUCCESS : EXIT_FAILURE;
}
