// SPDX-License-Identifier: Apache-2.0

#include "atemi/coordination.h"

#include "check.h"
#include "coordination_rig.h"

#include <math.h>

// How joints go where nodes take them.

static const atemi_command_source user = ATEMI_SOURCE_USER;
static const double               period = 0.02;

enum { LEG = 7 };

static void move_leg(coordination_rig *rig, int first, const double *angles)
{
    atemi_joint_target targets[LEG];
    for (int i = 0; i < LEG; ++i) {
        targets[i] = (atemi_joint_target){.joint = first + i, .position = angles[i]};
    }
    CHECK_STATUS(atemi_coordination_move_joints(rig->coordination, user, targets, LEG, 0.0, NULL),
                 ATEMI_OK);
    rig_run(rig, 1000);
}

// Sends a link elsewhere, by some joints or all.
static void move_link(coordination_rig *rig, const char *link, atemi_vec3 way,
                      atemi_priority turn_z, const atemi_node_motion *motion)
{
    atemi_node_target node = atemi_node_target_default();
    node.link = rig_link(rig, link);
    node.target = rig_commanded(rig, node.link);
    node.target.position = atemi_vec3_add(node.target.position, way);
    node.priority[5] = turn_z;
    CHECK_STATUS(atemi_coordination_move_nodes(rig->coordination, user, &node, 1, motion, NULL),
                 ATEMI_OK);
}

// A leg that holds a pen to a board. Its last joint turns about the pen.
static int begin_at_board(coordination_rig *rig)
{
    static const double at_board[] = {0.7595, -0.5519, -2.0791, 0.9069, -1.2203, 1.2049, 0.3577};
    rig_begin(rig);
    const int first = rig_joint(rig, "right_leg_joint0");
    move_leg(rig, first, at_board);
    return first;
}

static atemi_node_motion by_leg(int first, bool *joints)
{
    atemi_node_motion motion = atemi_node_motion_default();
    for (int i = 0; i < LEG; ++i) {
        joints[first + i] = true;
    }
    motion.joints = joints;
    motion.acceleration = 0.15;
    motion.duration = 2.5;
    return motion;
}

// Once the search for postures took the curvature of its goals into account in every step. What the
// goals leave free has next to no curvature, and what there was of it came from rounding: the
// pen's joint turned by half a turn, at the bound of its velocity, and slowed everything.
TEST(node_motion, leaves_alone_what_no_goal_holds)
{
    coordination_rig        rig;
    bool                    joints[RIG_JOINTS] = {false};
    const int               first = begin_at_board(&rig);
    const atemi_node_motion motion = by_leg(first, joints);
    const double            before = rig.commands[first + 6].position;
    move_link(&rig, "right_gripper", (atemi_vec3){0.03, 0.0, 0.0}, ATEMI_PRIORITY_IGNORE, &motion);
    const int steps = rig_run(&rig, 1000);
    CHECK(steps * period < motion.duration + 0.1);
    CHECK_NEAR(rig.commands[first + 6].position, before, 1e-3);
    CHECK_EQUAL_INT(rig_last_goal(&rig)->outcome, ATEMI_OUTCOME_REACHED);
    rig_end(&rig);
}

// Once the mean velocity of a way's last step was remembered, and seen as lost in the first step of
// the next motion: an acceleration that nobody asked for, of up to 155 N m fed forward. The
// acceleration of the first step is that of its own way, from rest.
TEST(node_motion, begins_from_rest_after_a_way)
{
    coordination_rig        rig;
    bool                    joints[RIG_JOINTS] = {false};
    const int               first = begin_at_board(&rig);
    const atemi_node_motion motion = by_leg(first, joints);
    double                  before[LEG];
    for (int i = 0; i < LEG; ++i) {
        before[i] = rig.commands[first + i].position;
    }
    move_link(&rig, "right_gripper", (atemi_vec3){0.03, 0.0, 0.0}, ATEMI_PRIORITY_CRITICAL,
              &motion);
    rig_steps(&rig, 2); // the first one begins
    for (int i = 0; i < LEG; ++i) {
        const double way = rig.commands[first + i].position - before[i];
        CHECK_NEAR(rig.commands[first + i].acceleration, way / (period * period), 1e-9);
    }
    rig_end(&rig);
}

// A body that is sent ten times faster than its joints can go. Once time ran ahead of the joints,
// which then stopped within a step, from their bound of velocity, where their way ended: what the
// monitor took for an obstacle: 0.34 rad/s of a step. Now they brake as the way says, in its own,
// slower time.
TEST(node_motion, brakes_as_planned_where_it_was_slowed)
{
    static const double bent[] = {0.0, -0.6, 0.0, 1.2, 3.1, 0.6, 0.0};
    coordination_rig    rig;
    atemi_node_motion   motion = atemi_node_motion_default();
    double              before[RIG_JOINTS] = {0.0}, largest = 0.0;
    unsigned            faults = 0;
    rig_begin(&rig);
    move_leg(&rig, 0, bent);
    motion.velocity = 2.0;
    motion.acceleration = 4.0;
    move_link(&rig, "pelvis", (atemi_vec3){0.2, 0.0, -0.2}, ATEMI_PRIORITY_CRITICAL, &motion);
    for (int k = 0; k < 1000 && rig_moves(&rig); ++k) {
        rig_step(&rig);
        faults |= rig_faults(&rig);
        for (int i = 0; i < RIG_JOINTS; ++i) {
            largest = fmax(largest, before[i] - fabs(rig.commands[i].velocity));
            before[i] = fabs(rig.commands[i].velocity);
        }
    }
    CHECK(faults & ATEMI_COORDINATION_SLOWED);
    CHECK_EQUAL_INT(rig_last_goal(&rig)->outcome, ATEMI_OUTCOME_REACHED);
    CHECK(largest < 0.2);
    rig_end(&rig);
}

// All joints move one foot: six rows leave many directions free, and rounding must not move those.
// 1e-15 rad at one joint once became 8e-8 rad of the posture within ten steps (2e-12 now), and in
// climb.yaml, by the stiffness of a closed chain, 0.8 % of the largest step of a torque.
TEST(node_motion, does_not_hang_on_the_last_bit)
{
    double postures[2][RIG_JOINTS];
    for (int run = 0; run < 2; ++run) {
        coordination_rig  rig;
        atemi_node_motion motion = atemi_node_motion_default();
        rig_begin_with(&rig, atemi_coordination_options_default());
        rig.positions[3] += run * 1e-15;
        rig_steps(&rig, 150);
        motion.duration = 6.0;
        move_link(&rig, "right_foot", (atemi_vec3){0.1, -0.1, 0.05}, ATEMI_PRIORITY_CRITICAL,
                  &motion);
        rig_steps(&rig, 10);
        CHECK(rig_moves(&rig));
        const double *q = atemi_coordination_posture(rig.coordination);
        for (int i = 0; i < RIG_JOINTS; ++i) {
            postures[run][i] = q[7 + i];
        }
        rig_end(&rig);
    }
    double largest = 0.0;
    for (int i = 0; i < RIG_JOINTS; ++i) {
        largest = fmax(largest, fabs(postures[1][i] - postures[0][i]));
    }
    CHECK(largest > 0.0 && largest < 1e-10);
}
