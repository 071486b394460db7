// SPDX-License-Identifier: Apache-2.0

#include "atemi/coordination.h"

#include "check.h"
#include "coordination_rig.h"
#include "random.h"

#include <math.h>
#include <string.h>

static const atemi_command_source user = ATEMI_SOURCE_USER, supervisor = ATEMI_SOURCE_SUPERVISOR;

enum { LEG = 7 };

static const atemi_desired_dynamics soft = {0.5, 1.5};

static double largest_step(const coordination_rig *rig, const atemi_joint_command *before,
                           size_t field)
{
    double largest = 0.0;
    for (int i = 0; i < RIG_JOINTS; ++i) {
        if (rig->commands[i].level == ATEMI_JOINT_IMPEDANCE) {
            double now, then;
            memcpy(&now, (const char *)&rig->commands[i] + field, sizeof now);
            memcpy(&then, (const char *)&before[i] + field, sizeof then);
            largest = fmax(largest, fabs(now - then));
        }
    }
    return largest;
}

static void command_at_random(coordination_rig *rig, random_stream *stream)
{
    atemi_coordination *c = rig->coordination;
    const int           joint = random_index(stream, RIG_JOINTS + 1) - 1; // all of them, too
    switch (random_index(stream, 4)) {
    case 0:
        atemi_coordination_set_dynamics(c, user, joint,
                                        (atemi_desired_dynamics){random_uniform(stream, 0.0, 30.0),
                                                                 random_uniform(stream, 0.0, 2.0)},
                                        NULL);
        break;
    case 1:
        atemi_coordination_set_torque_limit(c, random_index(stream, 2) ? user : supervisor, joint,
                                            random_uniform(stream, 50.0, 330.0), NULL);
        break;
    case 2:
        atemi_coordination_set_gravity(c, user, joint, random_uniform(stream, 0.0, 1.0), NULL);
        break;
    default:
        break;
    }
}

// Two thousand steps with commands in one out of four: all blended quantities at once.
TEST(coordination_blending, never_exceeds_its_rates)
{
    coordination_rig rig;
    rig_begin(&rig);
    random_stream       stream = random_seeded(21);
    atemi_joint_command before[RIG_JOINTS];
    for (int k = 0; k < 2000; ++k) {
        if (k % 4 == 0) {
            command_at_random(&rig, &stream);
        }
        memcpy(before, rig.commands, sizeof before);
        rig_step(&rig);
        CHECK(largest_step(&rig, before, offsetof(atemi_joint_command, stiffness)) <= 200.0 + 1e-9);
        CHECK(largest_step(&rig, before, offsetof(atemi_joint_command, damping)) <= 20.0 + 1e-9);
        CHECK(largest_step(&rig, before, offsetof(atemi_joint_command, feedback_limit)) <=
              2.0 + 1e-9);
        for (int i = 0; i < RIG_JOINTS; ++i) {
            CHECK(rig.commands[i].stiffness <= 12500.0 && rig.commands[i].damping <= 5000.0);
        }
    }
    rig_end(&rig);
}

// The robot stands still, so each torque is its scale times a constant.
TEST(coordination_blending, turns_gravity_off_and_on_by_its_step)
{
    coordination_rig rig;
    rig_begin(&rig);
    double full[RIG_JOINTS];
    for (int i = 0; i < RIG_JOINTS; ++i) {
        full[i] = rig.commands[i].gravity_torque;
    }
    CHECK_STATUS(
        atemi_coordination_set_gravity(rig.coordination, user, ATEMI_ALL_JOINTS, 0.0, NULL),
        ATEMI_OK);
    rig_step(&rig); // blends for the next
    for (int k = 1; k <= 60; ++k) {
        rig_step(&rig);
        for (int i = 0; i < RIG_JOINTS; ++i) {
            CHECK_NEAR(rig.commands[i].gravity_torque, fmax(1.0 - 0.02 * k, 0.0) * full[i], 1e-9);
        }
    }
    atemi_coordination_set_gravity(rig.coordination, user, ATEMI_ALL_JOINTS, 1.0, NULL);
    rig_steps(&rig, 60);
    for (int i = 0; i < RIG_JOINTS; ++i) {
        CHECK_NEAR(rig.commands[i].gravity_torque, full[i], 1e-9);
    }
    rig_end(&rig);
}

// ---- The base -------------------------------------------------------------------------------

static void torques_of(const coordination_rig *rig, double *torques)
{
    for (int i = 0; i < RIG_JOINTS; ++i) {
        torques[i] = rig->commands[i].gravity_torque + rig->commands[i].inertia_torque;
    }
}

// r2_like on its pelvis, 20 rad/s and 1.2, without limits.
static atemi_coordination *create_stiff(double loop_inertia, double own_damping,
                                        atemi_model **model)
{
    atemi_coordination        *c = NULL;
    atemi_coordinated_joint    joints[RIG_JOINTS];
    atemi_coordination_options options = atemi_coordination_options_default();
    CHECK_STATUS(atemi_robots_load("r2_like", NULL, model, NULL), ATEMI_OK);
    for (int i = 0; i < RIG_JOINTS; ++i) {
        joints[i] = atemi_coordinated_joint_default(*model, i);
        joints[i].impedance = (atemi_impedance_limits){1e6, 0.0, 1e6};
        joints[i].loop_inertia = loop_inertia;
        joints[i].own_damping = own_damping;
    }
    options.joints = joints;
    options.stiffness_step = options.damping_step = 1e9;
    CHECK_STATUS(atemi_coordination_create(*model, &options, &c, NULL), ATEMI_OK);
    return c;
}

static void command_stiff(double loop_inertia, double own_damping, atemi_joint_command *commands)
{
    atemi_model                         *model = NULL;
    const double                         zeros[RIG_JOINTS] = {0.0};
    atemi_coordination                  *c = create_stiff(loop_inertia, own_damping, &model);
    const atemi_coordination_measurement m = {.positions = zeros, .velocities = zeros};
    atemi_coordination_step(c, &m, commands);
    atemi_coordination_step(c, &m, commands);
    atemi_coordination_destroy(c);
    atemi_model_destroy(model);
}

// A link swings with its rotor as the loops leave it, and its joint damps it: 2 kg m^2 and
// 5 N m s/rad more are 800 N m/rad and 96 - 5 N m s/rad more of the control.
TEST(coordination_dynamics, counts_rotor_and_damping_that_are_there_besides)
{
    atemi_joint_command plain[RIG_JOINTS], more[RIG_JOINTS];
    command_stiff(0.0, 0.0, plain);
    command_stiff(2.0, 5.0, more);
    for (int i = 0; i < LEG; ++i) {
        CHECK_NEAR(more[i].stiffness - plain[i].stiffness, 800.0, 1e-6);
        CHECK_NEAR(more[i].damping - plain[i].damping, 96.0 - 5.0, 1e-6);
    }
}

// A joint that begins to move from rest, alone: what is fed forward is its acceleration times the
// inertia that its stiffness counts, without its rotor, which is behind the spring.
TEST(coordination_dynamics, feeds_the_inertia_of_the_link_forward_and_not_that_of_the_rotor)
{
    for (int joint = 0; joint < LEG; ++joint) {
        atemi_model                         *model = NULL;
        atemi_joint_command                  commands[RIG_JOINTS];
        const atemi_joint_target             target = {.joint = joint, .position = 0.2};
        atemi_coordination                  *c = create_stiff(0.0, 0.0, &model);
        const double                         zeros[RIG_JOINTS] = {0.0};
        const atemi_coordination_measurement m = {.positions = zeros, .velocities = zeros};
        atemi_coordination_step(c, &m, commands);
        CHECK_STATUS(atemi_coordination_move_joints(c, user, &target, 1, 0.0, NULL), ATEMI_OK);
        atemi_coordination_step(c, &m, commands);
        const atemi_joint_command *moved = &commands[joint];
        CHECK(fabs(moved->acceleration) > 0.1);
        CHECK_NEAR(moved->inertia_torque / moved->acceleration, moved->stiffness / 400.0,
                   1e-6 * moved->stiffness / 400.0);
        atemi_coordination_destroy(c);
        atemi_model_destroy(model);
    }
}

// In Earth's gravity, from one foot to the other: 213 kg go from one leg to the other. The jump of
// a step is a fiftieth of what changes in all.
TEST(coordination_base, is_switched_smoothly)
{
    coordination_rig rig;
    rig_begin(&rig);
    const atemi_joint_target hips[] = {{.joint = 1, .position = 0.4},
                                       {.joint = 8, .position = -0.4}};
    atemi_coordination_move_joints(rig.coordination, user, hips, 2, 0.0, NULL);
    rig_run(&rig, 1000);
    rig_steps(&rig, 2);
    double first[RIG_JOINTS], before[RIG_JOINTS], now[RIG_JOINTS], jump = 0.0;
    torques_of(&rig, first);
    const int             right = rig_link(&rig, "right_foot");
    const atemi_transform body = rig_commanded(&rig, 0);
    CHECK_STATUS(atemi_coordination_set_base(rig.coordination, user, right, NULL, NULL), ATEMI_OK);
    CHECK_STATUS(atemi_coordination_set_base(rig.coordination, user, 0, NULL, NULL),
                 ATEMI_ERROR_INPUT);
    torques_of(&rig, before);
    for (int k = 0; k < 60; ++k) {
        rig_step(&rig);
        torques_of(&rig, now);
        jump = fmax(jump, largest_difference(now, before, RIG_JOINTS));
        memcpy(before, now, sizeof before);
    }
    const atemi_coordination_report report = atemi_coordination_report_get(rig.coordination);
    const atemi_transform           after = rig_commanded(&rig, 0);
    const double                    whole = largest_difference(now, first, RIG_JOINTS);
    CHECK_EQUAL_INT(report.base_link, right);
    CHECK_NEAR(report.base_fraction, 1.0, 0.0);
    CHECK(whole > 100.0);
    CHECK(jump <= 0.02 * whole * (1.0 + 1e-9));
    CHECK(largest_pose_difference(&body, &after) < 1e-12);
    rig_end(&rig);
}

// The climb's own sequence: the releasing leg soft and weak, the other stiff and strong. What the
// feedback of a held error of 1 mrad does counts too.
TEST(coordination_base, is_switched_smoothly_with_stiffness_and_limits)
{
    coordination_rig rig;
    rig_begin(&rig);
    double before[RIG_JOINTS], now[RIG_JOINTS], jump = 0.0;
    for (int i = 0; i < 2 * LEG; ++i) {
        rig.pushed[i] = 1e-3;
    }
    rig_steps(&rig, 2);
    memcpy(before, rig.torques, sizeof before);
    atemi_coordination_set_base(rig.coordination, user, rig_link(&rig, "right_foot"), NULL, NULL);
    for (int i = 0; i < LEG; ++i) {
        atemi_coordination_set_dynamics(rig.coordination, user, i, soft, NULL);
        atemi_coordination_set_torque_limit(rig.coordination, user, i, 20.0, NULL);
    }
    for (int k = 0; k < 200; ++k) {
        rig_step(&rig);
        memcpy(now, rig.torques, sizeof now);
        jump = fmax(jump, largest_difference(now, before, RIG_JOINTS));
        memcpy(before, now, sizeof before);
    }
    CHECK(jump < 12.0); // of 330 N m; a switch at once is a jump of hundreds
    CHECK(rig.commands[0].feedback_limit == 20.0 && rig.commands[LEG].feedback_limit == 100.0);
    rig_end(&rig);
}

// Gravity torques of both bases bear the robot where both feet hold: any mixture does.
TEST(coordination_base, bears_the_robot_in_the_middle_of_a_switch)
{
    coordination_rig rig;
    rig_begin(&rig);
    atemi_data *s = data_create(rig.model);
    const int   feet[] = {rig_link(&rig, "left_foot"), rig_link(&rig, "right_foot")};
    atemi_coordination_set_base(rig.coordination, user, feet[1], NULL, NULL);
    rig_steps(&rig, 20);
    // With the weight shared as 1 - s and s, torques and both feet's wrenches hold the free robot.
    const double share = 0.02 * 19;
    double       q[RIG_JOINTS + 7], tau[RIG_JOINTS + 6];
    memcpy(q, atemi_coordination_posture(rig.coordination), sizeof q);
    atemi_inverse_dynamics(s, q, NULL, NULL, NULL, tau); // base: all the weight
    const atemi_transform root = rig_commanded(&rig, 0);
    atemi_force           external[64] = {0};
    for (int foot = 0; foot < 2; ++foot) {
        const double          part = foot ? share : 1.0 - share;
        const atemi_transform at = rig_commanded(&rig, feet[foot]);
        const atemi_force     weight = {
            atemi_mat3_apply(&root.rotation,
                                 (atemi_vec3){part * tau[0], part * tau[1], part * tau[2]}),
            atemi_mat3_apply(&root.rotation,
                                 (atemi_vec3){part * tau[3], part * tau[4], part * tau[5]})};
        external[feet[foot]] = atemi_force_at(weight, atemi_vec3_sub(at.position, root.position));
    }
    atemi_inverse_dynamics(s, q, NULL, NULL, external, tau);
    CHECK(largest_size(tau, 6) < 1e-9);
    for (int i = 0; i < RIG_JOINTS; ++i) {
        const bool elastic = rig.commands[i].level == ATEMI_JOINT_IMPEDANCE;
        CHECK_NEAR(rig.commands[i].gravity_torque, elastic ? tau[6 + i] : 0.0, 1e-8);
    }
    atemi_data_destroy(s);
    rig_end(&rig);
}

// ---- Limits and torques ---------------------------------------------------------------------

TEST(coordination_torque_limits, are_the_lower_of_both_and_spare_what_is_fed_forward)
{
    coordination_rig rig;
    rig_begin(&rig);
    atemi_coordination_set_torque_limit(rig.coordination, user, 1, 60.0, NULL);
    atemi_coordination_set_torque_limit(rig.coordination, supervisor, 1, 10.0, NULL);
    rig_steps(&rig, 60);
    CHECK_NEAR(rig.commands[1].feedback_limit, 10.0, 0.0);
    CHECK(fabs(rig.commands[1].gravity_torque) > 100.0);
    atemi_coordination_set_torque_limit(rig.coordination, supervisor, 1, 1000.0, NULL);
    atemi_coordination_set_torque_limit(rig.coordination, user, 1, 1000.0, NULL);
    rig_steps(&rig, 200);
    CHECK_NEAR(rig.commands[1].feedback_limit, 330.0, 0.0); // the joint's effort
    rig_end(&rig);
}

// The stiffness is m w^2 of the link without rotor, which is behind the spring.
TEST(coordination_impedance, is_that_of_the_link_and_follows_the_posture)
{
    coordination_rig rig;
    rig_begin(&rig);
    const int roll = rig_joint(&rig, "right_leg_joint2"), hip = rig_joint(&rig, "right_leg_joint1");
    const double rotor = 0.746 * 20.0 * 20.0;
    CHECK(rig.commands[roll].stiffness < rotor); // a straight leg has no inertia about its axis
    const double             straight = rig.commands[hip].stiffness;
    const atemi_joint_target knee = {.joint = rig_joint(&rig, "right_leg_joint3"), .position = 2.0};
    atemi_coordination_move_joints(rig.coordination, user, &knee, 1, 0.0, NULL);
    rig_run(&rig, 1000);
    rig_steps(&rig, 50);
    CHECK(rig.commands[hip].stiffness < 0.8 * straight);
    CHECK(rig.commands[roll].stiffness > 4.0 * 25.0);
    for (int i = 0; i < 2 * LEG; ++i) {
        const atemi_joint_command *c = &rig.commands[i];
        if (c->damping > 3.0 && c->stiffness < 12500.0) {                  // within limits
            CHECK_NEAR(c->damping / c->stiffness, 2.0 * 1.2 / 20.0, 1e-9); // 2 z / w
        }
    }
    rig_end(&rig);
}

TEST(coordination_impedance, has_an_integral_in_proportion)
{
    coordination_rig rig;
    rig_begin(&rig);
    CHECK_STATUS(atemi_coordination_set_integral(rig.coordination, user, 3, 2.0, NULL), ATEMI_OK);
    rig_step(&rig);
    CHECK_NEAR(rig.commands[3].integral, 2.0 * rig.commands[3].stiffness, 1e-9);
    CHECK_NEAR(rig.commands[2].integral, 0.0, 0.0);
    rig_end(&rig);
}
