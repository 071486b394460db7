// SPDX-License-Identifier: Apache-2.0

// The time of one 50 Hz step of the coordination of r2_like, 32 joints, left foot as base: at rest,
// with joints moving, with nodes moving, with one sent where it cannot go, in the middle of a base
// switch; and standing on both feet, which only push. Joints do what they are told. Without a
// real-time kernel the largest times are the system's, not ours.

#include "atemi/coordination.h"
#include "atemi/humanoid.h"
#include "atemi/kinematics.h"
#include "atemi/robots.h"
#include "timing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { JOINTS = 32, STEPS_PER_COMMAND = 150 };

typedef enum work {
    REST,
    WAYS,
    ONE_NODE,
    NODE_AND_POSTURE,
    TWO_NODES,
    OUT_OF_REACH,
    SWITCH,
    STANDING,
    STANDING_NODE,
    STANDING_FAR,
    WORKS
} work;

static const char *const names[] = {
    "rest",         "joints moving", "one node", "node, posture",  "two nodes",
    "out of reach", "base switched", "standing", "standing, node", "standing, far"};

typedef struct robot {
    atemi_model        *model;
    atemi_coordination *coordination;
    double              positions[JOINTS], velocities[JOINTS], torques[JOINTS];
    double              posture[JOINTS];
    atemi_joint_command commands[JOINTS];
    atemi_transform     pelvis, foot, hand;
    int                 feet[ATEMI_SIDES];
    int                 refused, moving, iterations;
} robot;

// Where the joints are a period later.
static void follow(robot *r)
{
    for (int i = 0; i < JOINTS; i++) {
        const atemi_joint_command *c = &r->commands[i];
        r->positions[i] = c->position + 0.02 * (c->velocity + 0.01 * c->acceleration);
        r->velocities[i] = c->velocity + 0.02 * c->acceleration;
        r->torques[i] = c->gravity_torque + c->inertia_torque;
    }
}

/// ns of one step, by one of the clocks of timing.h.
static double step(robot *r, double (*clock)(void))
{
    const atemi_coordination_measurement m = {
        .positions = r->positions, .velocities = r->velocities, .torques = r->torques};
    const double begin = clock();
    atemi_coordination_step(r->coordination, &m, r->commands);
    const double time = clock() - begin;
    follow(r);
    const atemi_coordination_report report = atemi_coordination_report_get(r->coordination);
    const int                       tried = report.posture.iterations;
    r->iterations = tried > r->iterations ? tried : r->iterations;
    r->moving += report.moving;
    return time;
}

static void move_joints(robot *r, const double *angles, int count)
{
    atemi_joint_target targets[JOINTS];
    for (int i = 0; i < count; i++)
        targets[i] = (atemi_joint_target){.joint = i, .position = angles[i]};
    r->refused += atemi_coordination_move_joints(r->coordination, ATEMI_SOURCE_USER, targets, count,
                                                 0.0, NULL) != ATEMI_OK;
}

static void find_poses(robot *r, int foot)
{
    atemi_data *data;
    if (atemi_data_create(r->model, NULL, &data, NULL))
        exit(2);
    atemi_update_kinematics(data, atemi_coordination_posture(r->coordination), NULL, NULL);
    r->pelvis = atemi_link_pose(data, 0);
    r->foot = atemi_link_pose(data, foot);
    r->hand = atemi_link_pose(data, atemi_model_find_link(r->model, "right_hand"));
    atemi_data_destroy(data);
}

static void start(robot *r)
{
    static const double bent[] = {0.0, -0.6, 0.0, 1.2, 3.1, 0.6, 0.0,
                                  0.0, -0.6, 0.0, 1.2, 3.1, 0.6, 0.0};
    *r = (robot){0};
    if (atemi_robots_load("r2_like", NULL, &r->model, NULL))
        exit(2);
    atemi_coordination_options options = atemi_coordination_options_default();
    options.base_link = atemi_model_find_link(r->model, "left_foot");
    if (atemi_coordination_create(r->model, &options, &r->coordination, NULL))
        exit(2);
    const int ready = atemi_model_find_posture(r->model, "ready");
    memcpy(r->positions, atemi_model_posture(r->model, ready) + 7, sizeof r->positions);
    step(r, bench_now);
    move_joints(r, bent, 14);
    for (int k = 0; k < 400; k++)
        step(r, bench_now);
    memcpy(r->posture, r->positions, sizeof r->posture);
    find_poses(r, atemi_model_find_link(r->model, "right_foot"));
}

// Both feet, the first as base, knees bent, soles as the robot has them.
static void start_standing(robot *r)
{
    atemi_standing_contact contacts[ATEMI_SIDES];
    atemi_humanoid         humanoid;
    atemi_stance           stance;
    atemi_arena            arena = atemi_arena_measuring();
    double                 q[JOINTS + 7];
    *r = (robot){0};
    if (atemi_robots_load("r2_like", NULL, &r->model, NULL))
        exit(2);
    atemi_humanoid_scratch_take(&arena, r->model);
    if (atemi_arena_create(&arena, arena.used, NULL))
        exit(2);
    atemi_humanoid_scratch *scratch = atemi_humanoid_scratch_take(&arena, r->model);
    atemi_configuration_neutral(r->model, q);
    if (atemi_humanoid_find(r->model, q, NULL, scratch, &humanoid, NULL) ||
        atemi_humanoid_stand(r->model, &humanoid, 0.6, scratch, q, &stance, NULL))
        exit(2);
    atemi_update_kinematics(atemi_humanoid_data(scratch), q, NULL, NULL);
    for (int side = 0; side < ATEMI_SIDES; side++) {
        contacts[side] = atemi_standing_contact_default();
        contacts[side].link = r->feet[side] = humanoid.legs[side].end;
        contacts[side].frame = humanoid.soles[side].pose;
        contacts[side].size_x = humanoid.soles[side].size_x;
        contacts[side].size_y = humanoid.soles[side].size_y;
    }
    atemi_coordination_options options = atemi_coordination_options_default();
    options.base_link = r->feet[0];
    options.base_pose = atemi_link_pose(atemi_humanoid_data(scratch), r->feet[0]);
    options.contacts = contacts;
    options.contact_count = ATEMI_SIDES;
    if (atemi_coordination_create(r->model, &options, &r->coordination, NULL))
        exit(2);
    memcpy(r->positions, q + 7, sizeof r->positions);
    atemi_arena_destroy(&arena);
    for (int k = 0; k < 400; k++)
        step(r, bench_now);
    find_poses(r, r->feet[1]);
}

// A hand reaches, and the other foot stays.
static void reach(robot *r, work w, int round)
{
    atemi_node_target nodes[] = {atemi_node_target_default(), atemi_node_target_default()};
    atemi_node_motion motion = atemi_node_motion_default();
    const double      way = w == STANDING_FAR ? 1.0 : 0.1;
    nodes[0].link = atemi_model_find_link(r->model, "right_hand");
    nodes[0].target = r->hand;
    nodes[0].target.position.x += round % 2 ? way : -way;
    nodes[1].link = r->feet[1];
    nodes[1].target = r->foot;
    motion.duration = 0.02 * STEPS_PER_COMMAND;
    r->refused += atemi_coordination_move_nodes(r->coordination, ATEMI_SOURCE_USER, nodes, 2,
                                                &motion, NULL) != ATEMI_OK;
}

static void move_nodes(robot *r, work w, int round)
{
    atemi_node_target nodes[] = {atemi_node_target_default(), atemi_node_target_default()};
    atemi_node_motion motion = atemi_node_motion_default();
    const double      way = round % 2 ? 0.1 : -0.1;
    nodes[0].target = r->pelvis;
    nodes[0].target.position.x += w == OUT_OF_REACH ? 30.0 * way : way;
    nodes[1].link = atemi_model_find_link(r->model, "right_foot");
    nodes[1].target = r->foot;
    nodes[1].target.position.x += way;
    motion.duration = w == OUT_OF_REACH ? 0.0 : 0.02 * STEPS_PER_COMMAND;
    motion.posture = w == NODE_AND_POSTURE ? r->posture : NULL;
    r->refused += atemi_coordination_move_nodes(r->coordination, ATEMI_SOURCE_USER, nodes,
                                                w == TWO_NODES ? 2 : 1, &motion, NULL) != ATEMI_OK;
}

static void command(robot *r, work w, int round)
{
    const double angles[] = {0.0, -0.6, 0.0, round % 2 ? 0.6 : 1.2, 3.1, 0.6, 0.0};
    const char  *base = round % 2 ? "left_foot" : "right_foot";
    switch (w) {
    case WAYS:
        move_joints(r, angles, 7);
        break;
    case ONE_NODE:
    case NODE_AND_POSTURE:
    case TWO_NODES:
    case OUT_OF_REACH:
        move_nodes(r, w, round);
        break;
    case SWITCH:
        r->refused += atemi_coordination_set_base(r->coordination, ATEMI_SOURCE_USER,
                                                  atemi_model_find_link(r->model, base), NULL,
                                                  NULL) != ATEMI_OK;
        break;
    case STANDING_NODE:
    case STANDING_FAR:
        reach(r, w, round);
        break;
    case REST:
    case STANDING:
    case WORKS:
        break;
    }
}

static void run(work w, double (*clock)(void), const char *name, int steps, double *samples)
{
    static robot r;
    double       minimum, median;
    if (w < STANDING)
        start(&r);
    else
        start_standing(&r);
    r.moving = r.iterations = 0;
    for (int k = 0; k < steps; k++) {
        if (k % STEPS_PER_COMMAND == 0)
            command(&r, w, k / STEPS_PER_COMMAND);
        samples[k] = step(&r, clock);
    }
    bench_summarize(samples, steps, &minimum, &median);
    printf("%-14s %-9s %8.1f %8.1f %8.1f %8.1f %8.1f %6d %6d%% %7d\n", names[w], name,
           1e-3 * minimum, 1e-3 * median, 1e-3 * samples[(long)steps * 99 / 100],
           1e-3 * samples[(long)steps * 9999 / 10000], 1e-3 * samples[steps - 1], r.iterations,
           (int)(100.0 * r.moving / steps), r.refused);
    atemi_coordination_destroy(r.coordination);
    atemi_model_destroy(r.model);
}

int main(int count, char **arguments)
{
    const int steps = count > 1 ? atoi(arguments[1]) : 20000;
    double   *samples = steps > 0 ? malloc((size_t)steps * sizeof *samples) : NULL;
    if (!samples) {
        fputs("bench_control_coordination [STEPS]\n", stderr);
        return 2;
    }
    printf("one 50 Hz step of coordination, r2_like, us, of %d\n\n", steps);
    printf("%-14s %-9s %8s %8s %8s %8s %8s %6s %7s %7s\n", "work", "time", "least", "p50", "p99",
           "p99.99", "most", "search", "moving", "refused");
    for (int w = 0; w < 2 * WORKS; w++)
        run((work)(w / 2), w % 2 ? bench_computed : bench_now, w % 2 ? "computed" : "elapsed",
            steps, samples);
    free(samples);
    return 0;
}
