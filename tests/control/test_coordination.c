// SPDX-License-Identifier: Apache-2.0

#include "atemi/coordination.h"

#include "atemi/control_loop.h"
#include "atemi/inverse_kinematics.h"
#include "atemi/math.h"
#include "check.h"
#include "coordination_rig.h"
#include "dynamics/base_frame.h"

#include <math.h>
#include <string.h>

static const atemi_command_source user = ATEMI_SOURCE_USER, supervisor = ATEMI_SOURCE_SUPERVISOR;

static const double period = 0.02;

// A leg that is bent, hip, knee and ankle in one plane.
static const double bent[] = {0.0, -0.6, 0.0, 1.2, 3.1, 0.6, 0.0};

static void move_leg(coordination_rig *rig, const double *angles)
{
    atemi_joint_target targets[7];
    for (int i = 0; i < 7; ++i) {
        targets[i] = (atemi_joint_target){.joint = i, .position = angles[i]};
    }
    CHECK_STATUS(atemi_coordination_move_joints(rig->coordination, user, targets, 7, 0.0, NULL),
                 ATEMI_OK);
}

static void bend_leg(coordination_rig *rig)
{
    move_leg(rig, bent);
    rig_run(rig, 1000);
    CHECK_EQUAL_INT(rig_last_goal(rig)->outcome, ATEMI_OUTCOME_REACHED);
}

// A node on a link, from where it is commanded to be.
static atemi_node_target node_at(const coordination_rig *rig, const char *link, double x, double y,
                                 double z)
{
    atemi_node_target node = atemi_node_target_default();
    node.link = rig_link(rig, link);
    node.target = rig_commanded(rig, node.link);
    node.target.position = atemi_vec3_add(node.target.position, (atemi_vec3){x, y, z});
    return node;
}

static void move_node(coordination_rig *rig, const atemi_node_target *node,
                      const atemi_node_motion *motion)
{
    CHECK_STATUS(atemi_coordination_move_nodes(rig->coordination, user, node, 1, motion, NULL),
                 ATEMI_OK);
}

// ---- Beginning ------------------------------------------------------------------------------

TEST(coordination, begins_limp_where_the_robot_is)
{
    coordination_rig rig;
    rig_begin_with(&rig, atemi_coordination_options_default());
    double begin[RIG_JOINTS];
    memcpy(begin, rig.positions, sizeof begin);
    rig_measure(&rig);
    for (int i = 0; i < RIG_JOINTS; ++i) {
        CHECK_NEAR(rig.commands[i].position, begin[i], 0.0);
        CHECK_NEAR(rig.commands[i].velocity, 0.0, 0.0);
        CHECK(rig.commands[i].stiffness <= 200.0);
    }
    rig_follow(&rig);
    rig_steps(&rig, 200);
    CHECK(rig.commands[0].stiffness > 5000.0 && !rig_moves(&rig) && rig_faults(&rig) == 0);
    rig_end(&rig);
}

TEST(coordination, commands_positions_to_joints_without_spring)
{
    coordination_rig           rig;
    atemi_model               *model = NULL;
    atemi_coordinated_joint    joints[RIG_JOINTS];
    atemi_coordination_options options = atemi_coordination_options_default();
    CHECK_STATUS(atemi_robots_load("r2_like", NULL, &model, NULL), ATEMI_OK);
    for (int i = 0; i < RIG_JOINTS; ++i) {
        joints[i] = atemi_coordinated_joint_default(model, i);
        joints[i].elastic = i != 3;
    }
    options.joints = joints;
    rig_begin_with(&rig, options);
    rig_steps(&rig, 2);
    CHECK_EQUAL_INT(rig.commands[3].level, ATEMI_JOINT_POSITION);
    CHECK_EQUAL_INT(rig.commands[4].level, ATEMI_JOINT_IMPEDANCE);
    atemi_model_destroy(model);
    rig_end(&rig);
}

// ---- Joints ---------------------------------------------------------------------------------

// Velocities change by no more than the acceleration allows, positions by no more than velocities.
static void check_smooth(const coordination_rig *rig, const atemi_joint_command *before, double A)
{
    for (int i = 0; i < RIG_JOINTS; ++i) {
        const atemi_joint_command *c = &rig->commands[i], *b = &before[i];
        CHECK(fabs(c->velocity - b->velocity) <= A * period * (1.0 + 1e-9));
        const double mean = (c->position - b->position) / period;
        CHECK(fabs(mean - 0.5 * (b->velocity + c->velocity)) <= 0.25 * A * period * (1.0 + 1e-9));
    }
}

static void step_smoothly(coordination_rig *rig, double A)
{
    atemi_joint_command before[RIG_JOINTS];
    memcpy(before, rig->commands, sizeof before);
    rig_step(rig);
    check_smooth(rig, before, A);
}

TEST(coordination, moves_joints_that_arrive_together)
{
    coordination_rig rig;
    rig_begin(&rig);
    const atemi_joint_target targets[] = {{.joint = 0, .position = 0.5},
                                          {.joint = 3, .position = 2.0}};
    CHECK_STATUS(atemi_coordination_move_joints(rig.coordination, user, targets, 2, 0.0, NULL),
                 ATEMI_OK);
    int steps = 0;
    for (; rig_moves(&rig) || steps == 0; ++steps) {
        const bool near = fabs(rig.commands[0].position - 0.5) < 1e-6;
        CHECK(near == (fabs(rig.commands[3].position - 2.0) < 1e-6));
        step_smoothly(&rig, 2.0);
    }
    CHECK_EQUAL_INT(steps, 125); // 2 rad at 1 rad/s, and 0.5 s for 2 rad/s^2 at both ends
    CHECK_NEAR(rig.commands[0].position, 0.5, 1e-12);
    CHECK_NEAR(rig.commands[3].position, 2.0, 1e-12);
    CHECK_EQUAL_INT(rig_last_goal(&rig)->outcome, ATEMI_OUTCOME_REACHED);
    CHECK_NEAR(rig_last_goal(&rig)->ended - rig_last_goal(&rig)->begun, 2.5, period);
    rig_end(&rig);
}

TEST(coordination, takes_the_time_that_is_wanted)
{
    coordination_rig rig;
    rig_begin(&rig);
    const atemi_joint_target target = {.joint = 3, .position = 1.0};
    atemi_coordination_move_joints(rig.coordination, user, &target, 1, 4.0, NULL);
    CHECK_EQUAL_INT(rig_run(&rig, 1000), 200);
    rig_end(&rig);
}

TEST(coordination, interrupts_joints_smoothly)
{
    coordination_rig rig;
    rig_begin(&rig);
    for (int k = 0; k < 400; ++k) {
        if (k % 37 == 0) {
            const atemi_joint_target target = {
                .joint = 3, .position = k / 37 % 2 ? 0.1 : 1.5, .velocity = 0.0};
            atemi_coordination_move_joints(rig.coordination, user, &target, 1, 0.0, NULL);
        }
        step_smoothly(&rig, 2.0);
    }
    rig_end(&rig);
}

TEST(coordination, stops_smoothly_on_an_empty_list)
{
    coordination_rig rig;
    rig_begin(&rig);
    move_leg(&rig, bent);
    rig_steps(&rig, 40);
    CHECK(rig.commands[4].velocity > 0.5);
    const double at = rig.commands[4].position, v = rig.commands[4].velocity;
    CHECK_STATUS(atemi_coordination_move_joints(rig.coordination, user, NULL, 0, 0.0, NULL),
                 ATEMI_OK);
    while (rig_moves(&rig)) {
        step_smoothly(&rig, 2.0);
    }
    CHECK_NEAR(rig.commands[4].position, at + v * v / 4.0, 1e-9); // v^2 / 2A
    CHECK_EQUAL_INT(rig_last_goal(&rig)->outcome, ATEMI_OUTCOME_STOPPED);
    CHECK(rig_last_goal(&rig)->done > 0.1 && rig_last_goal(&rig)->done < 0.9);
    rig_end(&rig);
}

// Arriving at 1 rad/s with 0.088 rad to go, it brakes harder than usual and does not come back;
// with nothing to go, it stops at the limit.
TEST(coordination, stops_joints_before_their_limits)
{
    static const double targets[] = {2.6, 2.68781};
    for (int k = 0; k < 2; ++k) {
        coordination_rig rig;
        rig_begin(&rig);
        const atemi_joint_target target = {.joint = 3, .position = targets[k], .velocity = 1.0};
        CHECK_STATUS(atemi_coordination_move_joints(rig.coordination, user, &target, 1, 0.0, NULL),
                     ATEMI_OK);
        double before = 0.0, speed = 0.0, braking = 0.0;
        while (rig_moves(&rig)) {
            rig_step(&rig);
            CHECK(rig.commands[3].position >= before && rig.commands[3].position <= 2.68781);
            braking = fmax(braking, speed - rig.commands[3].velocity);
            before = rig.commands[3].position;
            speed = rig.commands[3].velocity;
        }
        CHECK(k == 1 || braking <= period * 0.5 / 0.08781 + 1e-9); // v^2 / 2s
        CHECK_NEAR(rig.commands[3].position, 2.68781, 1e-9);
        CHECK_NEAR(rig.commands[3].velocity, 0.0, 0.0);
        rig_end(&rig);
    }
}

TEST(coordination, moves_two_groups_of_joints_at_once)
{
    coordination_rig rig;
    rig_begin(&rig);
    const atemi_joint_target knee = {.joint = 3, .position = 1.0},
                             hip = {.joint = 0, .position = 2.0};
    atemi_coordination_move_joints(rig.coordination, user, &knee, 1, 0.0, NULL);
    rig_steps(&rig, 10);
    atemi_coordination_move_joints(rig.coordination, user, &hip, 1, 0.0, NULL);
    rig_run(&rig, 1000);
    CHECK_NEAR(rig.commands[3].position, 1.0, 1e-12);
    CHECK_NEAR(rig.commands[0].position, 2.0, 1e-12);
    rig_end(&rig);
}

// ---- Nodes ----------------------------------------------------------------------------------

static double distance_to_line(atemi_vec3 p, atemi_vec3 a, atemi_vec3 b)
{
    const atemi_vec3 way = atemi_vec3_sub(b, a);
    return atemi_vec3_norm(atemi_vec3_cross(atemi_vec3_sub(p, a), way)) / atemi_vec3_norm(way);
}

// The other foot, by both legs: they are 14 joints of which six are determined.
TEST(coordination, moves_a_node_along_a_straight_line)
{
    coordination_rig rig;
    rig_begin(&rig);
    bend_leg(&rig);
    const int             base = rig_link(&rig, "left_foot");
    const atemi_transform held = rig_commanded(&rig, base);
    atemi_node_target     node = node_at(&rig, "right_foot", 0.2, -0.1, 0.3);
    const atemi_transform from = rig_commanded(&rig, node.link);
    const atemi_mat3      turn = atemi_mat3_from_rpy(0.2, 0.3, -0.4);
    node.target.rotation = atemi_mat3_multiply(&turn, &node.target.rotation);
    move_node(&rig, &node, NULL);
    double fastest = 0.0;
    for (atemi_vec3 last = from.position; rig_moves(&rig);) {
        rig_step(&rig);
        const atemi_transform at = rig_commanded(&rig, node.link), foot = rig_commanded(&rig, base);
        CHECK(distance_to_line(at.position, from.position, node.target.position) < 1e-6);
        CHECK(largest_pose_difference(&foot, &held) < 1e-12);
        fastest = fmax(fastest, atemi_vec3_norm(atemi_vec3_sub(at.position, last)) / period);
        last = at.position;
    }
    const atemi_transform end = rig_commanded(&rig, node.link);
    CHECK(largest_pose_difference(&end, &node.target) < 1e-6);
    CHECK_EQUAL_INT(rig_last_goal(&rig)->outcome, ATEMI_OUTCOME_REACHED);
    CHECK(fastest <= 0.2 * (1.0 + 1e-6));
    rig_end(&rig);
}

// The turn is about one axis all the way: that of the shortest turn.
TEST(coordination, turns_a_node_about_one_axis_within_its_bound)
{
    coordination_rig rig;
    rig_begin(&rig);
    bend_leg(&rig);
    atemi_node_target     node = node_at(&rig, "pelvis", 0.0, 0.0, 0.0);
    const atemi_transform from = rig_commanded(&rig, 0);
    const atemi_mat3      turn = atemi_mat3_from_rpy(0.1, 0.2, 0.6);
    const atemi_vec3      whole = atemi_quaternion_log(atemi_quaternion_from_matrix(&turn));
    node.target.rotation = atemi_mat3_multiply(&turn, &node.target.rotation);
    atemi_node_motion motion = atemi_node_motion_default();
    motion.angular_velocity = 0.2; // so that no joint slows it
    move_node(&rig, &node, &motion);
    double before = 0.0, fastest = 0.0;
    while (rig_moves(&rig)) {
        rig_step(&rig);
        const atemi_transform at = rig_commanded(&rig, 0);
        const atemi_mat3      back = atemi_mat3_transposed(&from.rotation);
        const atemi_mat3      done = atemi_mat3_multiply(&at.rotation, &back);
        const atemi_vec3      so_far = atemi_quaternion_log(atemi_quaternion_from_matrix(&done));
        const double          angle = atemi_vec3_norm(so_far);
        CHECK(atemi_vec3_norm(atemi_vec3_cross(so_far, whole)) < 1e-6);
        fastest = fmax(fastest, (angle - before) / period);
        before = angle;
    }
    CHECK_NEAR(before, atemi_vec3_norm(whole), 1e-6);
    CHECK(fastest <= 0.2 * (1.0 + 1e-6) && fastest > 0.19);
    rig_end(&rig);
}

TEST(coordination, stops_joints_before_it_moves_nodes)
{
    coordination_rig rig;
    rig_begin(&rig);
    bend_leg(&rig);
    const atemi_joint_target knee = {.joint = 3, .position = 2.0};
    atemi_coordination_move_joints(rig.coordination, user, &knee, 1, 0.0, NULL);
    rig_steps(&rig, 20);
    const int               goal = rig_last_goal(&rig)->id;
    const atemi_node_target node = node_at(&rig, "pelvis", 0.05, 0.0, 0.0);
    move_node(&rig, &node, NULL);
    while (rig.commands[3].velocity > 0.0) {
        step_smoothly(&rig, 2.0);
        CHECK_NEAR(rig.commands[1].velocity, 0.0, 0.0);
    }
    CHECK_EQUAL_INT(rig.goals[goal % RIG_GOALS].outcome, ATEMI_OUTCOME_REPLACED);
    rig_run(&rig, 1000);
    CHECK_EQUAL_INT(rig_last_goal(&rig)->outcome, ATEMI_OUTCOME_REACHED);
    rig_end(&rig);
}

// At ten times the velocity the joints cannot follow: after 0.54 s of a way of 0.55 s the node is
// not nearly there, and its time went as slowly.
TEST(coordination, slows_a_node_that_its_joints_cannot_follow)
{
    coordination_rig rig;
    rig_begin(&rig);
    bend_leg(&rig);
    atemi_node_motion       motion = atemi_node_motion_default();
    const atemi_node_target node = node_at(&rig, "pelvis", 0.2, 0.0, -0.2);
    const atemi_vec3        from = rig_commanded(&rig, 0).position;
    unsigned                faults = 0;
    motion.velocity = 2.0;
    motion.acceleration = 4.0;
    move_node(&rig, &node, &motion);
    for (int k = 0; k < 27; ++k) {
        rig_step(&rig);
        faults |= rig_faults(&rig);
    }
    const atemi_vec3 at = rig_commanded(&rig, 0).position;
    atemi_coordination_stop(rig.coordination);
    CHECK(faults & ATEMI_COORDINATION_SLOWED);
    CHECK(distance_to_line(at, from, node.target.position) < 1e-3);
    CHECK(rig_last_goal(&rig)->done < 0.8);
    rig_end(&rig);
}

// New targets in motion: the node's velocity changes by no more than the acceleration of its axes.
TEST(coordination, redirects_a_node_smoothly)
{
    coordination_rig rig;
    rig_begin(&rig);
    bend_leg(&rig);
    const atemi_transform from = rig_commanded(&rig, 0);
    atemi_node_target     node = node_at(&rig, "pelvis", 0.2, 0.0, 0.0);
    move_node(&rig, &node, NULL);
    atemi_vec3 at = from.position, velocity = {0};
    for (int k = 0; k < 300; ++k) {
        if (k == 40 || k == 60) {
            node.target.position =
                atemi_vec3_add(from.position, (atemi_vec3){0.1, k == 40 ? 0.1 : -0.1, -0.05});
            move_node(&rig, &node, NULL);
        }
        rig_step(&rig);
        const atemi_vec3 next = rig_commanded(&rig, 0).position;
        const atemi_vec3 mean = atemi_vec3_scale(1.0 / period, atemi_vec3_sub(next, at));
        CHECK(atemi_vec3_norm(atemi_vec3_sub(mean, velocity)) <= 0.4 * period + 1e-6);
        at = next;
        velocity = mean;
    }
    CHECK(atemi_vec3_norm(atemi_vec3_sub(at, node.target.position)) < 1e-6);
    rig_end(&rig);
}

// With foot and pelvis in contradiction the critical node is met and the low one is not; with its
// turns ignored a pelvis gets to its place by turning.
TEST(coordination, knows_priorities_and_ignored_axes)
{
    coordination_rig rig;
    rig_begin(&rig);
    bend_leg(&rig);
    atemi_node_target nodes[] = {node_at(&rig, "pelvis", 0.1, 0.0, 0.0),
                                 node_at(&rig, "left_leg_link0", -0.1, 0.0, 0.0)};
    for (int r = 0; r < 6; ++r) {
        nodes[1].priority[r] = ATEMI_PRIORITY_LOW;
    }
    CHECK_STATUS(atemi_coordination_move_nodes(rig.coordination, user, nodes, 2, NULL, NULL),
                 ATEMI_OK);
    rig_run(&rig, 1000);
    const atemi_transform pelvis = rig_commanded(&rig, 0), hip = rig_commanded(&rig, nodes[1].link);
    CHECK_EQUAL_INT(rig_last_goal(&rig)->outcome, ATEMI_OUTCOME_REACHED);
    CHECK(largest_pose_difference(&pelvis, &nodes[0].target) < 1e-3);
    CHECK(largest_pose_difference(&hip, &nodes[1].target) > 0.1);
    rig_end(&rig);
}

// The body of 213 kg with the foot as base, over more than a metre: within a centimetre of where it
// was sent, the foot at rest all the while.
TEST(coordination, moves_the_body_by_more_than_a_metre_on_one_foot)
{
    static const atemi_vec3 places[] = {
        {-0.062, 0.917, -0.096}, {-0.040, 0.111, -0.290}, {0.189, 0.375, 1.037}};
    for (int k = 0; k < 3; ++k) {
        coordination_rig rig;
        rig_begin(&rig);
        bend_leg(&rig);
        const atemi_transform from = rig_commanded(&rig, 0),
                              foot = rig_commanded(&rig, rig_link(&rig, "left_foot"));
        atemi_node_target node = node_at(&rig, "pelvis", 0.0, 0.0, 0.0);
        node.target.position = atemi_vec3_add(foot.position, places[k]);
        node.priority[3] = node.priority[4] = node.priority[5] = ATEMI_PRIORITY_IGNORE;
        move_node(&rig, &node, NULL);
        rig_run(&rig, 2000);
        const atemi_transform end = rig_commanded(&rig, 0),
                              held = rig_commanded(&rig, rig_link(&rig, "left_foot"));
        CHECK(atemi_vec3_norm(atemi_vec3_sub(end.position, from.position)) > 1.0);
        CHECK(atemi_vec3_norm(atemi_vec3_sub(end.position, node.target.position)) < 1e-6);
        CHECK(largest_pose_difference(&foot, &held) < 1e-12);
        CHECK_EQUAL_INT(rig_last_goal(&rig)->outcome, ATEMI_OUTCOME_REACHED);
        CHECK(rig_last_goal(&rig)->position < 0.01);
        rig_end(&rig);
    }
}

static double distance_to(const coordination_rig *rig, const double *posture)
{
    double square = 0.0;
    for (int i = 0; i < RIG_JOINTS; ++i) {
        square += pow(posture[i] - rig->commands[i].position, 2.0);
    }
    return sqrt(square);
}

// Both legs have 14 joints, and a foot that stays where it is leaves eight of them free. The body
// is moved between the feet; the posture from before takes it back, at 0.5 1/s for six seconds:
// e^-3.
TEST(coordination, approaches_a_posture_in_the_null_space_of_a_node)
{
    coordination_rig rig;
    rig_begin(&rig);
    bend_leg(&rig);
    const atemi_node_target bend = node_at(&rig, "right_foot", 0.3, 0.0, 0.3);
    move_node(&rig, &bend, NULL);
    rig_run(&rig, 1000);
    double posture[RIG_JOINTS];
    for (int i = 0; i < RIG_JOINTS; ++i) {
        posture[i] = rig.commands[i].position;
    }
    const atemi_node_target nodes[] = {node_at(&rig, "right_foot", 0.0, 0.0, 0.0),
                                       node_at(&rig, "pelvis", -0.02, 0.02, 0.02)};
    CHECK_STATUS(atemi_coordination_move_nodes(rig.coordination, user, nodes, 2, NULL, NULL),
                 ATEMI_OK);
    rig_run(&rig, 1000);
    const double away = distance_to(&rig, posture);
    CHECK(away > 0.1);
    atemi_node_motion motion = atemi_node_motion_default();
    motion.posture = posture;
    motion.duration = 6.0;
    move_node(&rig, &nodes[0], &motion);
    while (rig_moves(&rig)) {
        rig_step(&rig);
        const atemi_transform foot = rig_commanded(&rig, nodes[0].link);
        CHECK(largest_pose_difference(&foot, &nodes[0].target) < 1e-6);
    }
    CHECK(distance_to(&rig, posture) < 0.06 * away);
    rig_end(&rig);
}

// ---- Forces ---------------------------------------------------------------------------------

// A board of 20 kN/m that the foot meets along the x axis of the world. With c the yield of the
// joints there, the force of a command that is x too far is x / (1 / k + c).
typedef struct board {
    double stiffness, surface;
    double J[6 * (RIG_JOINTS + 6)];
    double force;
} board;

static void press_board(coordination_rig *rig, int link, board *b, atemi_base_frame_scratch *s,
                        const atemi_base_frame *base)
{
    double q[RIG_JOINTS + 7], yield = 0.0;
    rig_follow(rig);
    memcpy(q, atemi_coordination_posture(rig->coordination), sizeof q);
    for (int i = 0; i < RIG_JOINTS; ++i) {
        q[7 + i] = rig->positions[i];
    }
    atemi_base_frame_place(rig->model, base, s, q);
    atemi_base_frame_jacobian(rig->model, link, (atemi_vec3){0}, s, b->J);
    for (int i = 0; i < RIG_JOINTS; ++i) {
        const double k = rig->commands[i].stiffness;
        yield += k > 0.0 ? b->J[6 + i] * b->J[6 + i] / k : 0.0;
    }
    const double depth =
        atemi_link_pose_in(rig->model, &s->kinematics, link).position.x - b->surface;
    b->force = fmax(depth, 0.0) / (1.0 / b->stiffness + yield);
    for (int i = 0; i < RIG_JOINTS; ++i) {
        const double k = rig->commands[i].stiffness, tau = b->J[6 + i] * b->force;
        rig->positions[i] -= k > 0.0 ? tau / k : 0.0;
        rig->torques[i] = tau + rig->commands[i].inertia_torque + rig->commands[i].gravity_torque;
    }
}

TEST(coordination, presses_with_a_force_along_one_axis_and_goes_along_the_others)
{
    coordination_rig rig;
    rig_begin(&rig);
    bend_leg(&rig);
    atemi_arena arena = atemi_arena_measuring();
    atemi_base_frame_scratch_take(&arena, rig.model);
    CHECK_STATUS(atemi_arena_create(&arena, arena.used, NULL), ATEMI_OK);
    atemi_base_frame_scratch s = atemi_base_frame_scratch_take(&arena, rig.model);
    const int                foot = rig_link(&rig, "left_foot");
    const atemi_base_frame   base = {foot, rig_commanded(&rig, foot)};
    const atemi_node_target  bend = node_at(&rig, "right_foot", 0.3, 0.0, 0.3);
    move_node(&rig, &bend, NULL);
    rig_run(&rig, 1000);

    atemi_node_target node = node_at(&rig, "right_foot", 0.0, 0.2, 0.0);
    board             b = {.stiffness = 2e4, .surface = node.target.position.x + 0.01};
    node.target.rotation = atemi_mat3_identity();
    const atemi_transform hold = rig_commanded(&rig, node.link);
    const atemi_mat3      back = atemi_mat3_transposed(&hold.rotation);
    node.frame.rotation = back; // so that the node's axes are those of the world
    node.force_axes = ATEMI_AXIS_X;
    node.force.linear.x = 30.0;
    move_node(&rig, &node, NULL);
    for (int k = 0; k < 1500; ++k) {
        rig_measure(&rig);
        press_board(&rig, node.link, &b, &s, &base);
    }
    const atemi_vec3 end = rig_commanded(&rig, node.link).position;
    CHECK_NEAR(b.force, 30.0, 0.3);
    CHECK_NEAR(atemi_coordination_node_force(rig.coordination, 0).linear.x, b.force, 0.5);
    CHECK_NEAR(end.y, node.target.position.y, 1e-6);
    CHECK_NEAR(end.z, node.target.position.z, 1e-6);
    CHECK(rig_moves(&rig));
    node.force_axes = 0; // and back: nothing of what the force added stays
    move_node(&rig, &node, NULL);
    rig_run(&rig, 1000);
    const atemi_vec3 left = rig_commanded(&rig, node.link).position;
    CHECK_EQUAL_INT(rig_last_goal(&rig)->outcome, ATEMI_OUTCOME_REACHED);
    CHECK(atemi_vec3_norm(atemi_vec3_sub(left, node.target.position)) < 1e-6);
    atemi_arena_destroy(&arena);
    rig_end(&rig);
}

// ---- Breadcrumbs ----------------------------------------------------------------------------

TEST(coordination, follows_breadcrumbs_one_a_step)
{
    coordination_rig rig;
    rig_begin(&rig);
    static const int joints[] = {3, 5};
    double           crumbs[200];
    for (int k = 0; k < 100; ++k) {
        crumbs[2 * k] = 0.3 * (1.0 - cos(0.0314159265358979 * (k + 1)));
        crumbs[2 * k + 1] = 0.5 * crumbs[2 * k];
    }
    CHECK_STATUS(atemi_coordination_follow(rig.coordination, user, joints, 2, crumbs, 60, NULL),
                 ATEMI_OK);
    for (int k = 0; k < 100; ++k) {
        if (k == 30) {
            CHECK_STATUS(atemi_coordination_follow(rig.coordination, user, joints, 2, crumbs + 120,
                                                   40, NULL),
                         ATEMI_OK);
        }
        rig_step(&rig);
        CHECK_NEAR(rig.commands[3].position, crumbs[2 * k], 0.0);
        CHECK_NEAR(rig.commands[5].position, crumbs[2 * k + 1], 0.0);
    }
    rig_steps(&rig, 2);
    CHECK(!rig_moves(&rig) && rig_last_goal(&rig)->outcome == ATEMI_OUTCOME_REACHED);
    CHECK_NEAR(rig_last_goal(&rig)->done, 1.0, 0.0);
    rig_end(&rig);
}

// On a parabola two differences say velocity and acceleration exactly.
TEST(coordination, finds_velocity_and_acceleration_of_breadcrumbs)
{
    coordination_rig rig;
    rig_begin(&rig);
    const int knee = 3;
    double    crumbs[30];
    for (int k = 0; k < 30; ++k) {
        crumbs[k] = 0.5 * pow(period * (k + 1), 2.0); // 1 rad/s^2
    }
    CHECK_STATUS(atemi_coordination_follow(rig.coordination, user, &knee, 1, crumbs, 30, NULL),
                 ATEMI_OK);
    for (int k = 0; k < 30; ++k) {
        rig_step(&rig);
        if (k > 0) {
            CHECK_NEAR(rig.commands[knee].velocity, period * (k + 1), 1e-12);
            CHECK_NEAR(rig.commands[knee].acceleration, 1.0, 1e-10);
        }
    }
    rig_end(&rig);
}

TEST(coordination, goes_slower_where_breadcrumbs_are_too_far_apart)
{
    coordination_rig rig;
    rig_begin(&rig);
    static const int    joints[] = {3, 5};
    static const double crumbs[] = {0.1, 0.05};
    atemi_coordination_follow(rig.coordination, user, joints, 2, crumbs, 1, NULL);
    for (int k = 1; k <= 5; ++k) {
        rig_step(&rig);
        CHECK_NEAR(rig.commands[3].position, 0.02 * k, 1e-12); // 1 rad/s
        CHECK_NEAR(rig.commands[5].position, 0.01 * k, 1e-12);
        CHECK_EQUAL_INT(rig_faults(&rig), k < 5 ? ATEMI_COORDINATION_SLOWED : 0);
    }
    rig_end(&rig);
}

// ---- With joint control ---------------------------------------------------------------------

// The knee of the other leg with motor, gear, spring, noise and delay, 100 ticks a step; its link
// has the inertia that the coordination finds. Nothing is clipped or unfit, it arrives within
// 1 mrad, and is never farther from its command than 5 mrad on its way.
TEST(coordination, drives_a_simulated_joint)
{
    coordination_rig rig;
    rig_begin(&rig);
    CHECK_STATUS(
        atemi_coordination_set_gravity(rig.coordination, user, ATEMI_ALL_JOINTS, 0.0, NULL),
        ATEMI_OK);
    rig_steps(&rig, 60);
    const int                   knee = rig_joint(&rig, "right_leg_joint3");
    atemi_joint_control_options options = atemi_joint_control_options_default();
    atemi_joint_plant_options   link = atemi_joint_plant_options_default();
    link.link_inertia = rig.commands[knee].stiffness / (20.0 * 20.0);
    atemi_joint_plant       plant;
    atemi_joint_control     control;
    atemi_joint_measurement measured;
    atemi_joint_output      output;
    CHECK_STATUS(atemi_joint_plant_start(&link, &plant, NULL), ATEMI_OK);
    CHECK_STATUS(atemi_joint_control_start(&options, &control, NULL), ATEMI_OK);
    const atemi_joint_target target = {.joint = knee, .position = 0.5};
    atemi_coordination_move_joints(rig.coordination, user, &target, 1, 0.0, NULL);
    double away = 0.0;
    for (int k = 0; k < 150; ++k) {
        rig_measure(&rig);
        for (int tick = 0; tick < 100; ++tick) {
            atemi_joint_plant_measure(&plant, &measured);
            atemi_joint_control_step(&control, &measured, tick ? NULL : &rig.commands[knee],
                                     &output);
            atemi_joint_plant_apply(&plant, output.voltage);
            atemi_joint_plant_advance(&plant, options.period, 0.0);
        }
        const double inertia_torque = link.link_inertia * rig.commands[knee].acceleration;
        CHECK_NEAR(rig.commands[knee].inertia_torque, inertia_torque,
                   0.3 * fabs(inertia_torque) + 0.5);
        rig_follow(&rig);
        away = fmax(away, fabs(rig.positions[knee] - plant.joint_position));
        rig.positions[knee] = plant.joint_position;
        rig.velocities[knee] = plant.joint_velocity;
        rig.torques[knee] = output.torque;
        CHECK_EQUAL_INT(rig_faults(&rig), 0);
    }
    CHECK_EQUAL_INT(atemi_joint_control_history(&control), 0);
    CHECK_NEAR(plant.joint_position, 0.5, 1e-3);
    CHECK(away < 5e-3);
    rig_end(&rig);
}

// ---- The arbiter ----------------------------------------------------------------------------

TEST(coordination, lets_the_user_and_the_supervisor_command_as_the_mode_says)
{
    coordination_rig rig;
    rig_begin(&rig);
    atemi_coordination      *c = rig.coordination;
    const atemi_joint_target target = {.joint = 3, .position = 1.0};
    atemi_error              error;
    CHECK_STATUS(atemi_coordination_move_joints(c, user, &target, 1, 0.0, NULL), ATEMI_OK);
    CHECK_STATUS(atemi_coordination_move_joints(c, supervisor, &target, 1, 0.0, &error),
                 ATEMI_ERROR_INPUT);
    CHECK_CONTAINS(error.message, "the supervisor may not command now");
    rig_run(&rig, 1000);
    CHECK_STATUS(atemi_coordination_move_joints(c, supervisor, &target, 1, 0.0, NULL), ATEMI_OK);
    CHECK_STATUS(atemi_coordination_move_joints(c, user, &target, 1, 0.0, NULL), ATEMI_OK);
    atemi_coordination_set_mode(c, ATEMI_MODE_USER);
    CHECK_STATUS(atemi_coordination_set_gravity(c, supervisor, 0, 0.0, NULL), ATEMI_ERROR_INPUT);
    CHECK_STATUS(atemi_coordination_set_torque_limit(c, supervisor, 0, 5.0, NULL), ATEMI_OK);
    atemi_coordination_set_mode(c, ATEMI_MODE_SUPERVISOR);
    CHECK_STATUS(atemi_coordination_move_joints(c, user, &target, 1, 0.0, &error),
                 ATEMI_ERROR_INPUT);
    CHECK_CONTAINS(error.message, "motions are the supervisor's");
    CHECK_STATUS(atemi_coordination_move_joints(c, user, NULL, 0, 0.0, NULL), ATEMI_OK);
    rig_end(&rig);
}

// ---- Two of them ----------------------------------------------------------------------------

// Two coordinations by turns give the same bits as each by itself.
TEST(coordination, shares_no_state_with_another)
{
    coordination_rig alone[2], both[2];
    for (int k = 0; k < 2; ++k) {
        rig_begin(&alone[k]);
        rig_begin(&both[k]);
    }
    for (int k = 0; k < 2; ++k) {
        const atemi_joint_target target = {.joint = 3 + k, .position = 1.0};
        atemi_coordination_move_joints(alone[k].coordination, user, &target, 1, 0.0, NULL);
        atemi_coordination_move_joints(both[k].coordination, user, &target, 1, 0.0, NULL);
        rig_steps(&alone[k], 60);
    }
    for (int step = 0; step < 60; ++step) {
        rig_step(&both[0]);
        rig_step(&both[1]);
    }
    for (int k = 0; k < 2; ++k) {
        CHECK_EQUAL_INT(memcmp(alone[k].positions, both[k].positions, sizeof alone[k].positions),
                        0);
        CHECK_EQUAL_INT(memcmp(alone[k].torques, both[k].torques, sizeof alone[k].torques), 0);
        rig_end(&alone[k]);
        rig_end(&both[k]);
    }
}
