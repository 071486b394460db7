// SPDX-License-Identifier: Apache-2.0

#include "allocations.h"
#include "atemi/coordination.h"
#include "data.h"
#include "standing_rig.h"
#include "system_calls.h"

#include <math.h>
#include <stdio.h>

// hrp2_like on both soles, with joints that do what they are told.

enum { JOINTS_MOST = 64, GOALS = 16, SETTLED = 150 };

typedef struct rig {
    atemi_model           *model;
    atemi_data            *data;
    atemi_coordination    *coordination;
    atemi_standing_contact contacts[STANDING_FEET];
    int                    count;
    atemi_goal_record      goals[GOALS];
    double                 positions[JOINTS_MOST], velocities[JOINTS_MOST], torques[JOINTS_MOST];
    bool                   held[JOINTS_MOST];
    atemi_joint_command    commands[JOINTS_MOST];
} rig;

static void follow(rig *r)
{
    for (int i = 0; i < r->count; ++i) {
        const atemi_joint_command *c = &r->commands[i];
        r->positions[i] = c->position + 0.02 * (c->velocity + 0.01 * c->acceleration);
        r->velocities[i] = c->velocity + 0.02 * c->acceleration;
        r->torques[i] = c->inertia_torque + c->gravity_torque;
    }
}

static void step(rig *r)
{
    const atemi_coordination_measurement m = {.positions = r->positions,
                                              .velocities = r->velocities,
                                              .torques = r->torques,
                                              .held = r->held};
    atemi_coordination_step(r->coordination, &m, r->commands);
    follow(r);
}

static void steps(rig *r, int count)
{
    for (int k = 0; k < count; ++k) {
        step(r);
    }
}

static atemi_coordination_options options_of(const rig *r)
{
    atemi_coordination_options o = atemi_coordination_options_default();
    o.base_link = r->contacts[0].link;
    o.base_pose = atemi_link_pose(r->data, o.base_link);
    o.contacts = r->contacts;
    o.contact_count = STANDING_FEET;
    o.goals = (atemi_goal_record *)r->goals;
    o.goal_capacity = GOALS;
    return o;
}

static void begin(rig *r)
{
    double q[STANDING_MOST];
    *r = (rig){0};
    r->model = standing_robot(q);
    CHECK_STATUS(atemi_data_create(r->model, NULL, &r->data, NULL), ATEMI_OK);
    standing_soles(r->model, r->contacts);
    atemi_update_kinematics(r->data, q, NULL, NULL);
    const atemi_coordination_options o = options_of(r);
    CHECK_STATUS(atemi_coordination_create(r->model, &o, &r->coordination, NULL), ATEMI_OK);
    r->count = atemi_coordination_joint_count(r->coordination);
    memcpy(r->positions, q + 7, (size_t)r->count * sizeof *q);
    steps(r, SETTLED);
}

static void end(rig *r)
{
    atemi_coordination_destroy(r->coordination);
    atemi_data_destroy(r->data);
    atemi_model_destroy(r->model);
}

static const atemi_goal_record *last_goal(const rig *r)
{
    const atemi_goal_log *log = atemi_coordination_goals(r->coordination);
    return atemi_goal_log_find(log, log->last);
}

static bool moves(const rig *r)
{
    return atemi_coordination_report_get(r->coordination).moving;
}

static void look(rig *r)
{
    atemi_update_kinematics(r->data, atemi_coordination_posture(r->coordination), NULL, NULL);
}

static atemi_transform sole_at(const rig *r, int foot)
{
    const atemi_transform link = atemi_link_pose(r->data, r->contacts[foot].link);
    return atemi_transform_compose(&link, &r->contacts[foot].frame);
}

static atemi_node_target node_at(const rig *r, const char *name, atemi_vec3 by)
{
    atemi_node_target node = atemi_node_target_default();
    node.link = atemi_model_find_link(r->model, name);
    node.target = atemi_link_pose(r->data, node.link);
    node.target.position = atemi_vec3_add(node.target.position, by);
    return node;
}

// A hand goes somewhere, and the foot that is not the base stays.
static void reach(rig *r, atemi_vec3 by, double duration)
{
    const atemi_vec3  none = {0.0, 0.0, 0.0};
    atemi_node_motion motion = atemi_node_motion_default();
    look(r);
    const atemi_node_target nodes[] = {node_at(r, "right_hand", by), node_at(r, "left_foot", none)};
    motion.duration = duration;
    CHECK_STATUS(
        atemi_coordination_move_nodes(r->coordination, ATEMI_SOURCE_USER, nodes, 2, &motion, NULL),
        ATEMI_OK);
}

static void bow(rig *r, double angle, double duration)
{
    static const char *const names[] = {"right_hip_pitch", "left_hip_pitch"};
    atemi_joint_target       targets[2];
    for (int i = 0; i < 2; ++i) {
        const int joint = atemi_coordination_find_joint(r->coordination, names[i]);
        targets[i] = (atemi_joint_target){.joint = joint, .position = r->positions[joint] + angle};
    }
    CHECK_STATUS(atemi_coordination_move_joints(r->coordination, ATEMI_SOURCE_USER, targets, 2,
                                                duration, NULL),
                 ATEMI_OK);
}

// Forces are balanced to 1e-6 of the weight, 564 N.
static void check_limits(const rig *r)
{
    for (int c = 0; c < STANDING_FEET; ++c) {
        const atemi_standing_contact *s = &r->contacts[c];
        const atemi_force             w = atemi_coordination_contact_wrench(r->coordination, c);
        const double                  rounding = 1e-3, push = w.linear.z;
        CHECK(push >= 0.0);
        CHECK(hypot(w.linear.x, w.linear.y) <= s->friction * push + rounding);
        CHECK(fabs(w.angular.x) <= 0.5 * s->size_y * push + rounding);
        CHECK(fabs(w.angular.y) <= 0.5 * s->size_x * push + rounding);
    }
}

TEST(coordination_standing, keeps_all_limits_in_every_step_of_a_reach)
{
    rig r;
    begin(&r);
    look(&r);
    const atemi_transform before = sole_at(&r, STANDING_LEFT);
    reach(&r, (atemi_vec3){0.1, 0.0, 0.1}, 2.0);
    do {
        step(&r);
        check_limits(&r);
        CHECK(atemi_coordination_standing(r.coordination).missing < 1e-6);
        CHECK(atemi_coordination_standing(r.coordination).effort <= 1.0);
    } while (moves(&r));
    CHECK_EQUAL_INT(last_goal(&r)->outcome, ATEMI_OUTCOME_REACHED);
    look(&r);
    const atemi_transform after = sole_at(&r, STANDING_LEFT);
    CHECK(largest_pose_difference(&before, &after) < 1e-6);
    end(&r);
}

TEST(coordination_standing, moves_nodes_with_the_centre_of_mass_above_the_middle_of_the_soles)
{
    rig r;
    begin(&r);
    reach(&r, (atemi_vec3){0.1, 0.05, 0.0}, 2.0);
    while (moves(&r)) {
        step(&r);
    }
    look(&r);
    const atemi_vec3 right = sole_at(&r, STANDING_RIGHT).position;
    const atemi_vec3 left = sole_at(&r, STANDING_LEFT).position;
    const atemi_vec3 center = atemi_center_of_mass(r.data);
    // It weighs a hundredth of what nodes do, whose tolerance is 1 mm.
    CHECK_NEAR(center.x, 0.5 * (right.x + left.x), 1e-4);
    CHECK_NEAR(center.y, 0.5 * (right.y + left.y), 1e-4);
    end(&r);
}

// Nothing but the legs moves the trunk forwards: the goal ends while the centre of mass that is
// commanded is above the soles, and a motion back is none to be stopped.
TEST(coordination_standing, ends_a_motion_that_would_tip_the_robot_before_it_does)
{
    rig r;
    begin(&r);
    bow(&r, -1.0, 2.0);
    while (moves(&r)) {
        step(&r);
    }
    CHECK_EQUAL_INT(last_goal(&r)->outcome, ATEMI_OUTCOME_UNBALANCED);
    CHECK_EQUAL_STRING(atemi_goal_outcome_text(last_goal(&r)->outcome), "would lose balance");
    look(&r);
    const double toes = sole_at(&r, STANDING_LEFT).position.x + 0.5 * r.contacts[0].size_x;
    const double center = atemi_center_of_mass(r.data).x;
    CHECK(center < toes && center > toes - 0.2 * r.contacts[0].size_x);
    bow(&r, 0.2, 2.0);
    while (moves(&r)) {
        step(&r);
    }
    CHECK_EQUAL_INT(last_goal(&r)->outcome, ATEMI_OUTCOME_REACHED);
    end(&r);
}

TEST(coordination_standing, ends_a_motion_that_is_too_abrupt_for_its_soles)
{
    static atemi_coordinated_joint joints[JOINTS_MOST];
    rig                            r;
    begin(&r);
    atemi_coordination_options o = options_of(&r);
    for (int i = 0; i < r.count; ++i) {
        joints[i] = atemi_coordinated_joint_default(r.model, i);
        joints[i].velocity = 20.0;
        joints[i].acceleration = 500.0;
    }
    o.joints = joints;
    atemi_coordination_destroy(r.coordination);
    CHECK_STATUS(atemi_coordination_create(r.model, &o, &r.coordination, NULL), ATEMI_OK);
    steps(&r, SETTLED);
    bow(&r, -0.1, 0.05);
    steps(&r, 10);
    CHECK_EQUAL_INT(last_goal(&r)->outcome, ATEMI_OUTCOME_UNBALANCED);
    end(&r);
}

TEST(coordination_standing, gives_both_legs_the_stiffness_of_one_that_carries_the_robot)
{
    static const char *const names[] = {"hip_pitch", "hip_roll", "knee", "ankle_pitch"};
    rig                      r;
    begin(&r);
    for (size_t k = 0; k < sizeof names / sizeof *names; ++k) {
        double stiffness[2];
        for (int side = 0; side < 2; ++side) {
            char name[64];
            CHECK(snprintf(name, sizeof name, "%s_%s", side ? "left" : "right", names[k]) > 0);
            stiffness[side] =
                r.commands[atemi_coordination_find_joint(r.coordination, name)].stiffness;
        }
        CHECK(stiffness[0] > 500.0);
        CHECK_NEAR(stiffness[1] / stiffness[0], 1.0, 0.02); // the robot is nearly symmetric
    }
    end(&r);
}

// Nothing steps when a hand takes hold of a rail: it takes its part by a fiftieth a step.
TEST(coordination_standing, lets_a_hand_that_is_newly_held_take_its_part_gradually)
{
    rig    r;
    double before[JOINTS_MOST], largest = 0.0, whole = 0.0;
    begin(&r);
    for (int i = 0; i < r.count; ++i) {
        before[i] = r.commands[i].gravity_torque;
    }
    r.held[atemi_model_find_link(r.model, "right_hand")] = true;
    double last[JOINTS_MOST];
    memcpy(last, before, sizeof last);
    for (int k = 0; k < 60; ++k) {
        step(&r);
        for (int i = 0; i < r.count; ++i) {
            largest = fmax(largest, fabs(r.commands[i].gravity_torque - last[i]));
            last[i] = r.commands[i].gravity_torque;
        }
    }
    for (int i = 0; i < r.count; ++i) {
        whole = fmax(whole, fabs(last[i] - before[i]));
    }
    CHECK(whole > 0.5);
    CHECK(largest < 0.021 * whole + 1e-3);
    end(&r);
}

TEST(coordination_standing, refuses_contacts_that_cannot_be)
{
    rig         r;
    atemi_error error;
    begin(&r);
    atemi_coordination        *none = NULL;
    atemi_coordination_options o = options_of(&r);
    o.contact_margin = 0.5;
    CHECK_STATUS(atemi_coordination_create(r.model, &o, &none, &error), ATEMI_ERROR_INPUT);
    CHECK_CONTAINS(error.message, "the contact margin is 0.5");
    o = options_of(&r);
    r.contacts[1].friction = 0.0;
    CHECK_STATUS(atemi_coordination_create(r.model, &o, &none, &error), ATEMI_ERROR_INPUT);
    CHECK_CONTAINS(error.message, "friction");
    r.contacts[1].friction = 0.6;
    r.contacts[1].link = 1000;
    CHECK_STATUS(atemi_coordination_create(r.model, &o, &none, &error), ATEMI_ERROR_INPUT);
    CHECK_CONTAINS(error.message, "contact 1 must be on a link");
    end(&r);
}

static void run_everything(void *context)
{
    rig *r = (rig *)context;
    for (int k = 0; k < 600; ++k) {
        const double sign = k / 150 % 2 ? -1.0 : 1.0;
        if (k % 150 == 0) {
            reach(r, (atemi_vec3){0.1 * sign, 0.0, 0.05 * sign}, 1.0);
        } else if (k == 420) {
            bow(r, -1.0, 1.0);
        }
        r->held[5] = k > 200 && k < 400;
        step(r);
    }
}

TEST(coordination_standing, does_not_allocate)
{
    rig r;
    begin(&r);
    allocations_begin();
    run_everything(&r);
    CHECK_EQUAL_INT(allocations_end(), 0);
    CHECK(atemi_coordination_standing(r.coordination).effort > 0.0);
    end(&r);
}

TEST(coordination_standing, does_not_call_the_system)
{
    rig r;
    begin(&r);
    check_no_system_calls(run_everything, &r);
    end(&r);
}
