// SPDX-License-Identifier: Apache-2.0

#include "allocations.h"
#include "atemi/coordination.h"
#include "check.h"
#include "coordination_rig.h"
#include "random.h"
#include "system_calls.h"

#include <math.h>
#include <string.h>

static const atemi_command_source user = ATEMI_SOURCE_USER;

static void check_finite(const coordination_rig *rig)
{
    for (int i = 0; i < RIG_JOINTS; ++i) {
        const atemi_joint_command *c = &rig->commands[i];
        CHECK(isfinite(c->position) && isfinite(c->velocity) && isfinite(c->acceleration));
        CHECK(isfinite(c->stiffness) && isfinite(c->damping) && isfinite(c->integral));
        CHECK(isfinite(c->inertia_torque) && isfinite(c->gravity_torque));
        CHECK(!isnan(c->feedback_limit) && !isnan(c->windup_limit));
    }
}

static void move_joint(coordination_rig *rig, int joint, double position)
{
    const atemi_joint_target target = {.joint = joint, .position = position};
    CHECK_STATUS(atemi_coordination_move_joints(rig->coordination, user, &target, 1, 0.0, NULL),
                 ATEMI_OK);
}

// ---- Measurements ---------------------------------------------------------------------------

TEST(coordination_faults, one_bad_measurement_changes_nothing)
{
    coordination_rig rig, same;
    rig_begin(&rig);
    rig_begin(&same);
    move_joint(&rig, 3, 1.0);
    move_joint(&same, 3, 1.0);
    for (int k = 0; k < 50; ++k) {
        if (k == 20) {
            rig.positions[3] = NAN;
            rig.torques[5] = INFINITY;
        }
        rig_step(&rig);
        rig_step(&same);
        check_finite(&rig);
        CHECK_NEAR(rig.commands[3].position, same.commands[3].position, 0.0);
        CHECK_EQUAL_INT(rig_faults(&rig), k == 20 ? ATEMI_COORDINATION_MEASUREMENT : 0);
    }
    rig_end(&rig);
    rig_end(&same);
}

TEST(coordination_faults, lasting_bad_measurements_stop_all_motion)
{
    coordination_rig rig;
    rig_begin(&rig);
    move_joint(&rig, 3, 1.0);
    rig_steps(&rig, 30);
    for (int k = 0; k < 100; ++k) {
        rig.velocities[9] = NAN;
        rig_step(&rig);
        check_finite(&rig);
    }
    atemi_error              error;
    const atemi_joint_target target = {.joint = 3};
    CHECK(!rig_moves(&rig) && (rig_faults(&rig) & ATEMI_COORDINATION_BLIND));
    CHECK_EQUAL_INT(rig_last_goal(&rig)->outcome, ATEMI_OUTCOME_FAULT);
    CHECK_STATUS(atemi_coordination_move_joints(rig.coordination, user, &target, 1, 0.0, &error),
                 ATEMI_ERROR_INPUT);
    CHECK_CONTAINS(error.message, "without measurements");
    rig.velocities[9] = NAN;
    rig_follow(&rig);
    rig_step(&rig);
    CHECK_EQUAL_INT(rig_faults(&rig), 0);
    move_joint(&rig, 3, 1.0);
    rig_end(&rig);
}

TEST(coordination_faults, nothing_is_commanded_before_all_joints_are_measured)
{
    coordination_rig rig;
    rig_begin_with(&rig, atemi_coordination_options_default());
    const double position = rig.positions[4];
    rig.positions[4] = NAN;
    rig_measure(&rig);
    for (int i = 0; i < RIG_JOINTS; ++i) {
        CHECK_NEAR(rig.commands[i].stiffness + fabs(rig.commands[i].gravity_torque), 0.0, 0.0);
    }
    rig.positions[4] = position;
    rig_steps(&rig, 10);
    CHECK(rig.commands[4].stiffness > 0.0);
    rig_end(&rig);
}

// ---- Obstacles ------------------------------------------------------------------------------

// The knee is held while hip and knee move: the knee's command returns to where it is, its pull
// never beyond its limit, and in steps of a few N m; the hip, which belongs to the same motion,
// stops; the arm, which does not, goes on.
TEST(coordination_faults, a_joint_that_is_held_gives_way_and_stops_its_companions)
{
    coordination_rig rig;
    rig_begin(&rig);
    atemi_coordination_set_torque_limit(rig.coordination, user, ATEMI_ALL_JOINTS, 20.0, NULL);
    rig_steps(&rig, 50);
    const int                arm = rig_joint(&rig, "left_arm_joint0");
    const int                knee = rig_joint(&rig, "right_leg_joint3");
    const atemi_joint_target leg[] = {{.joint = knee - 3, .position = 1.0},
                                      {.joint = knee, .position = 1.5}};
    atemi_coordination_move_joints(rig.coordination, user, leg, 2, 0.0, NULL);
    const int goal = rig_last_goal(&rig)->id;
    move_joint(&rig, arm, -1.2);
    rig_steps(&rig, 30);
    rig.stuck[knee] = rig.commands[knee].position;
    bool   obstructed = false;
    double pull = 0.0, drop = 0.0;
    while (rig_moves(&rig)) {
        rig_step(&rig);
        const atemi_joint_command *c = &rig.commands[knee];
        const double               now = c->stiffness * (c->position - rig.stuck[knee]);
        drop = fmax(drop, pull - now);
        pull = now;
        obstructed = obstructed || (rig_faults(&rig) & ATEMI_COORDINATION_OBSTRUCTED);
        CHECK(c->feedback_limit <= 20.0);
    }
    const atemi_goal_record *record = &rig.goals[goal % RIG_GOALS];
    CHECK(obstructed);
    CHECK_EQUAL_INT(record->outcome, ATEMI_OUTCOME_OBSTRUCTED);
    CHECK_EQUAL_INT(record->joint, knee);
    CHECK(record->done > 0.0 && record->done < 1.0 && record->position > 0.5);
    CHECK_NEAR(rig.commands[knee].position, rig.stuck[knee], 1e-9);
    CHECK(drop < 12.0);
    CHECK(rig.commands[knee - 3].position < 0.9);
    CHECK_NEAR(rig.commands[arm].position, -1.2, 1e-9);
    rig_end(&rig);
}

// A person moves a resting joint out of the way: the robot stays where it was put.
TEST(coordination_faults, a_joint_that_is_pushed_away_stays_there)
{
    coordination_rig rig;
    rig_begin(&rig);
    const int knee = rig_joint(&rig, "right_leg_joint3");
    for (int k = 0; k < 100; ++k) {
        rig.stuck[knee] = 0.005 * k;
        rig_step(&rig);
    }
    rig_steps(&rig, 100);
    CHECK_NEAR(rig.commands[knee].position, 0.495, 100.0 / rig.commands[knee].stiffness);
    CHECK(!rig_moves(&rig));
    rig_end(&rig);
}

// ---- Targets --------------------------------------------------------------------------------

TEST(coordination_faults, a_node_out_of_reach_stops_and_settles)
{
    coordination_rig rig;
    rig_begin(&rig);
    atemi_node_target node = atemi_node_target_default();
    node.target = rig_commanded(&rig, 0);
    node.target.position.z += 2.0;
    CHECK_STATUS(atemi_coordination_move_nodes(rig.coordination, user, &node, 1, NULL, NULL),
                 ATEMI_OK);
    CHECK(rig_run(&rig, 1000) < 500);
    CHECK_EQUAL_INT(rig_last_goal(&rig)->outcome, ATEMI_OUTCOME_OUT_OF_REACH);
    CHECK(rig_last_goal(&rig)->position > 1.5);
    const double at = rig.commands[3].position;
    rig_steps(&rig, 50);
    CHECK_NEAR(rig.commands[3].position, at, 0.0);
    check_finite(&rig);
    rig_end(&rig);
}

TEST(coordination_faults, joints_never_leave_their_range)
{
    coordination_rig rig;
    rig_begin(&rig);
    random_stream stream = random_seeded(7);
    for (int k = 0; k < 3000; ++k) {
        if (k % 60 == 0) {
            atemi_node_target node = atemi_node_target_default();
            node.link = rig_link(&rig, k % 120 ? "pelvis" : "right_foot");
            node.target = rig_commanded(&rig, node.link);
            node.target.position.x += random_uniform(&stream, -0.6, 0.6);
            node.target.position.z += random_uniform(&stream, -0.6, 0.6);
            atemi_coordination_move_nodes(rig.coordination, user, &node, 1, NULL, NULL);
        }
        rig_step(&rig);
        check_finite(&rig);
        for (int i = 0; i < RIG_JOINTS; ++i) {
            const atemi_limits *l = &rig_model_joint(&rig, i)->limits;
            CHECK(rig.commands[i].position >= l->lower && rig.commands[i].position <= l->upper);
            CHECK(fabs(rig.commands[i].velocity) <= l->velocity * (1.0 + 1e-9));
        }
    }
    rig_end(&rig);
}

// ---- Commands that do not come --------------------------------------------------------------

TEST(coordination_faults, breadcrumbs_that_run_out_stop_smoothly)
{
    coordination_rig rig;
    rig_begin(&rig);
    double    crumbs[40];
    const int knee = 3;
    for (int k = 0; k < 40; ++k) {
        crumbs[k] = 0.0001 * (k + 1) * (k + 1);
    }
    atemi_coordination_follow(rig.coordination, user, &knee, 1, crumbs, 40, NULL);
    rig_steps(&rig, 41);
    CHECK(rig_faults(&rig) & ATEMI_COORDINATION_STARVED);
    CHECK_EQUAL_INT(rig_last_goal(&rig)->outcome, ATEMI_OUTCOME_FAULT);
    double before = rig.commands[knee].velocity;
    CHECK(before > 0.2);
    while (rig_moves(&rig)) {
        rig_step(&rig);
        CHECK(rig.commands[knee].velocity <= before);
        before = rig.commands[knee].velocity;
    }
    CHECK_NEAR(before, 0.0, 0.0);
    rig_end(&rig);
}

TEST(coordination_faults, silence_stops_all_motion_unless_a_heart_beats)
{
    for (int beats = 0; beats < 2; ++beats) {
        coordination_rig           rig;
        atemi_coordination_options options = atemi_coordination_options_default();
        options.command_timeout = 0.5;
        rig_begin_with(&rig, options);
        rig_steps(&rig, 150);
        move_joint(&rig, 3, 2.0);
        unsigned faults = 0;
        for (int k = 0; k < 300; ++k) {
            if (beats) {
                atemi_coordination_heartbeat(rig.coordination);
            }
            rig_step(&rig);
            faults |= rig_faults(&rig);
        }
        CHECK_EQUAL_INT(faults, beats ? 0 : ATEMI_COORDINATION_SILENT);
        CHECK_EQUAL_INT(fabs(rig.commands[3].position - 2.0) < 1e-9, beats);
        CHECK_NEAR(rig.commands[3].velocity, 0.0, 0.0);
        rig_end(&rig);
    }
}

// ---- Energy and contact ---------------------------------------------------------------------

// Springs that push along with the motion: the joints swing and feedback makes it worse.
TEST(coordination_faults, a_diverging_interaction_makes_the_robot_limp_until_resumed)
{
    coordination_rig rig;
    rig_begin(&rig);
    for (int k = 0; k < 200; ++k) {
        rig_measure(&rig);
        rig_follow(&rig);
        rig.velocities[1] = 0.5 * sin(0.6 * k);
        rig.torques[1] =
            rig.commands[1].gravity_torque + rig.commands[1].inertia_torque + 60.0 * sin(0.6 * k);
    }
    atemi_error              error;
    const atemi_joint_target target = {.joint = 3};
    CHECK(rig_faults(&rig) & ATEMI_COORDINATION_DIVERGING);
    CHECK_NEAR(rig.commands[1].stiffness, 0.0, 0.0);
    CHECK(rig.commands[1].damping > 100.0 && fabs(rig.commands[1].gravity_torque) > 1.0);
    CHECK_STATUS(atemi_coordination_move_joints(rig.coordination, user, &target, 1, 0.0, &error),
                 ATEMI_ERROR_INPUT);
    CHECK_CONTAINS(error.message, "atemi_coordination_resume");
    atemi_coordination_resume(rig.coordination);
    rig_follow(&rig);
    rig_steps(&rig, 200);
    CHECK_EQUAL_INT(rig_faults(&rig), 0);
    CHECK(rig.commands[1].stiffness > 1000.0);
    rig_end(&rig);
}

TEST(coordination_faults, a_force_without_contact_is_given_up)
{
    coordination_rig rig;
    rig_begin(&rig);
    atemi_node_target node = atemi_node_target_default();
    node.link = rig_link(&rig, "right_foot");
    node.target = rig_commanded(&rig, node.link);
    node.target.position.z += 0.1;
    atemi_coordination_move_nodes(rig.coordination, user, &node, 1, NULL, NULL);
    rig_run(&rig, 1000);
    const double begin = rig_commanded(&rig, node.link).position.x;
    node.force_axes = 1;
    node.force.linear.x = 5000.0; // 0.5 m/s, but for the bound of 0.05
    node.frame.rotation = atemi_mat3_transposed(&node.target.rotation);
    node.target.rotation = atemi_mat3_identity();
    atemi_coordination_move_nodes(rig.coordination, user, &node, 1, NULL, NULL);
    unsigned faults = 0;
    for (double at = begin; rig_moves(&rig);) {
        rig_step(&rig);
        faults |= rig_faults(&rig);
        const double next = rig_commanded(&rig, node.link).position.x;
        CHECK(faults || fabs(next - at) <= 0.05 * 0.02 + 1e-6);
        at = next;
    }
    CHECK(faults & ATEMI_COORDINATION_NO_CONTACT);
    CHECK_EQUAL_INT(rig_last_goal(&rig)->outcome, ATEMI_OUTCOME_NO_CONTACT);
    CHECK(fabs(rig_commanded(&rig, node.link).position.x - begin) < 0.12);
    CHECK(!rig_moves(&rig));
    rig_end(&rig);
}

// ---- Refusals -------------------------------------------------------------------------------

TEST(coordination_faults, what_cannot_be_is_refused_in_words)
{
    coordination_rig rig;
    rig_begin(&rig);
    atemi_coordination *c = rig.coordination;
    atemi_error         error;
    atemi_joint_target  target = {.joint = 3, .position = 3.0};
    CHECK_STATUS(atemi_coordination_move_joints(c, user, &target, 1, 0.0, &error),
                 ATEMI_ERROR_INPUT);
    CHECK_CONTAINS(error.message,
                   "joint left_leg_joint3 shall go to 3, but its range is -0.10472 to 2.68781");
    target = (atemi_joint_target){.joint = 40};
    CHECK_STATUS(atemi_coordination_move_joints(c, user, &target, 1, 0.0, &error),
                 ATEMI_ERROR_INPUT);
    CHECK_CONTAINS(error.message, "there is no joint 40: they are 0 to 31");
    target = (atemi_joint_target){.joint = 3, .velocity = 2.0};
    CHECK_STATUS(atemi_coordination_move_joints(c, user, &target, 1, 0.0, &error),
                 ATEMI_ERROR_INPUT);
    target.velocity = 0.0;
    CHECK_STATUS(atemi_coordination_move_joints(c, user, &target, 1, (double)NAN, &error),
                 ATEMI_ERROR_INPUT);
    const atemi_joint_target twice[] = {target, target};
    CHECK_STATUS(atemi_coordination_move_joints(c, user, twice, 2, 0.0, &error), ATEMI_ERROR_INPUT);
    CHECK_CONTAINS(error.message, "more than once");
    atemi_node_target node = atemi_node_target_default();
    node.link = 99;
    CHECK_STATUS(atemi_coordination_move_nodes(c, user, &node, 1, NULL, &error), ATEMI_ERROR_INPUT);
    node = atemi_node_target_default();
    node.target.position.x = NAN;
    CHECK_STATUS(atemi_coordination_move_nodes(c, user, &node, 1, NULL, &error), ATEMI_ERROR_INPUT);
    CHECK_STATUS(atemi_coordination_move_nodes(c, user, &node, 9, NULL, &error), ATEMI_ERROR_INPUT);
    CHECK_STATUS(atemi_coordination_set_base(c, user, 99, NULL, &error), ATEMI_ERROR_INPUT);
    CHECK_STATUS(atemi_coordination_set_gravity(c, user, 0, 1.5, &error), ATEMI_ERROR_INPUT);
    CHECK_CONTAINS(error.message, "gravity scale is 1.5: it must be 0 to 1");
    CHECK_STATUS(atemi_coordination_set_dynamics(
                     c, user, 0, (atemi_desired_dynamics){(double)NAN, 1.0}, &error),
                 ATEMI_ERROR_INPUT);
    rig_steps(&rig, 5);
    CHECK(!rig_moves(&rig) && rig_faults(&rig) == 0);
    CHECK_BREAKS_CONTRACT(atemi_coordination_step(c, NULL, rig.commands));
    rig_end(&rig);
}

TEST(coordination_faults, options_that_cannot_be_are_refused_in_words)
{
    atemi_model        *model;
    atemi_coordination *c;
    atemi_error         error;
    CHECK_STATUS(atemi_robots_load("r2_like", NULL, &model, NULL), ATEMI_OK);
    atemi_coordination_options options = atemi_coordination_options_default();
    options.period = 0.0;
    CHECK_STATUS(atemi_coordination_create(model, &options, &c, &error), ATEMI_ERROR_INPUT);
    CHECK_CONTAINS(error.message, "period");
    CHECK(!c);
    options = atemi_coordination_options_default();
    options.base_link = 1000;
    CHECK_STATUS(atemi_coordination_create(model, &options, &c, &error), ATEMI_ERROR_INPUT);
    options = atemi_coordination_options_default();
    memset(&options.base_pose, 0, sizeof options.base_pose);
    CHECK_STATUS(atemi_coordination_create(model, &options, &c, &error), ATEMI_ERROR_INPUT);
    CHECK_CONTAINS(error.message, "base_pose");
    options = atemi_coordination_options_default();
    options.max_nodes = 0;
    CHECK_STATUS(atemi_coordination_create(model, &options, &c, &error), ATEMI_ERROR_INPUT);
    atemi_coordinated_joint joints[RIG_JOINTS];
    for (int i = 0; i < RIG_JOINTS; ++i) {
        joints[i] = atemi_coordinated_joint_default(model, i);
    }
    joints[4].impedance.damping_min = 1e6;
    options = atemi_coordination_options_default();
    options.joints = joints;
    CHECK_STATUS(atemi_coordination_create(model, &options, &c, &error), ATEMI_ERROR_INPUT);
    CHECK_CONTAINS(error.message, "least damping of left_leg_joint4 is 1e+06 N m s/rad");
    atemi_model_destroy(model);
}

TEST(coordination_faults, creation_without_memory_loses_none)
{
    atemi_model        *model;
    atemi_coordination *c;
    CHECK_STATUS(atemi_robots_load("r2_like", NULL, &model, NULL), ATEMI_OK);
    failing_allocator_install(1);
    CHECK_STATUS(atemi_coordination_create(model, NULL, &c, NULL), ATEMI_ERROR_MEMORY);
    CHECK_EQUAL_INT(failing_allocator_outstanding(), 0);
    failing_allocator_remove();
    atemi_model_destroy(model);
}

TEST(coordination_faults, have_words)
{
    CHECK_EQUAL_STRING(atemi_coordination_fault_text(ATEMI_COORDINATION_MEASUREMENT),
                       "measurement is no number");
    CHECK_EQUAL_STRING(atemi_coordination_fault_text(ATEMI_COORDINATION_DIVERGING),
                       "diverging interaction");
}

// ---- Real time ------------------------------------------------------------------------------

// 24 seconds of everything: nodes in and out of reach, joints, breadcrumbs, forces, base switches,
// bad measurements, obstacles.
static unsigned run_everything(coordination_rig *rig)
{
    random_stream       stream = {5};
    unsigned            faults = 0;
    atemi_coordination *c = rig->coordination;
    atemi_node_motion   fast = atemi_node_motion_default(); // so that its reach ends within 2 s
    const int           feet[] = {rig_link(rig, "left_foot"), rig_link(rig, "right_foot")};
    fast.velocity = 1.0;
    fast.acceleration = 2.0;
    for (int k = 0; k < 1200; ++k) {
        atemi_node_target        node = atemi_node_target_default();
        const atemi_joint_target knee = {.joint = 3, .position = random_uniform(&stream, 0.0, 2.0)};
        const int                joint = 10;
        double                   crumbs[5];
        switch (k % 200) {
        case 0:
            atemi_coordination_move_joints(c, user, &knee, 1, 0.0, NULL);
            break;
        case 40:
            node.target.position.x = k % 400 == 40 ? 0.1 : 3.0;
            node.force_axes = k % 400 == 40 ? 1 : 0;
            atemi_coordination_move_nodes(c, user, &node, 1, &fast, NULL);
            break;
        case 150:
            for (int i = 0; i < 5; ++i) {
                crumbs[i] = 0.1 * i;
            }
            atemi_coordination_follow(c, user, &joint, 1, crumbs, 5, NULL);
            break;
        case 180:
            atemi_coordination_set_base(c, user, feet[k / 200 % 2], NULL, NULL);
            break;
        default:
            break;
        }
        rig->stuck[3] = k % 200 < 10 ? rig->positions[3] : (double)NAN;
        rig_step(rig);
        if (k % 61 == 0) {
            rig->positions[k % RIG_JOINTS] = NAN;
        }
        faults |= rig_faults(rig);
    }
    return faults;
}

TEST(coordination_step, does_not_allocate)
{
    coordination_rig rig;
    rig_begin(&rig);
    allocations_begin();
    const unsigned faults = run_everything(&rig);
    CHECK_EQUAL_INT(allocations_end(), 0);
    CHECK(faults & ATEMI_COORDINATION_MEASUREMENT && faults & ATEMI_COORDINATION_OBSTRUCTED);
    CHECK(faults & ATEMI_COORDINATION_OUT_OF_REACH);
    rig_end(&rig);
}

static void run_without_system(void *context)
{
    run_everything((coordination_rig *)context);
}

TEST(coordination_step, does_not_call_the_system)
{
    coordination_rig rig;
    rig_begin(&rig);
    check_no_system_calls(run_without_system, &rig);
    rig_end(&rig);
}
