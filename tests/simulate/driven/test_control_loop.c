// SPDX-License-Identifier: Apache-2.0

#include "atemi/control_loop.h"

#include "atemi/model_builder.h"
#include "atemi/robots.h"
#include "check.h"
#include "job_runs.h"
#include "recorded.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Two links in orbit, each behind a spring, in a scenario of `atemi control` and in plain C.

enum { JOINTS = 2 };

#define SCENARIO                                                                                   \
    "robot: two_link\n"                                                                            \
    "gravity: [0, 0, 0]\n"                                                                         \
    "drives: [{of: all, spring: 5000, spring_damping: 5, torque_constant: 0.3, back_emf: 0.3}]\n"  \
    "joints: [{of: all, natural_frequency: 20, damping_ratio: 1, torque_limit: 10,"                \
    " velocity: 1, acceleration: 2, integral_rate: 5}]\n"                                          \
    "tasks: [{do: joints, at: 0.4, joints: {joint1: 0.2, joint2: -0.1}, duration: 0.6}]\n"         \
    "duration: 1 s\n"

static atemi_model *load(const char *name, atemi_base base)
{
    atemi_model       *model = NULL;
    atemi_urdf_options options = atemi_urdf_options_default();
    options.model.base = base;
    options.model.gravity = (atemi_vec3){0};
    CHECK_STATUS(atemi_robots_load(name, &options, &model, NULL), ATEMI_OK);
    return model;
}

// What the scenario says of drives, sensors and joints.
static void set_joints(const atemi_model *model, atemi_joint_plant_options *plants,
                       atemi_coordinated_joint *joints)
{
    for (int i = 0; i < JOINTS; ++i) {
        plants[i] = atemi_whole_body_joint_default(model, i);
        plants[i].drive = atemi_joint_drive_unknown();
        plants[i].drive.spring = 5000.0;
        plants[i].drive.spring_damping = 5.0;
        plants[i].drive.torque_constant = plants[i].drive.back_emf = 0.3;
        plants[i].seed = 1000u + (unsigned)i;
        atemi_whole_body_joint_fit(model, i, &plants[i]);
        joints[i] = atemi_coordinated_joint_default(model, i);
        joints[i].impedance = atemi_impedance_limits_of(&plants[i].drive);
        joints[i].dynamics = (atemi_desired_dynamics){20.0, 1.0};
        joints[i].torque_limit = 10.0;
        joints[i].velocity = 1.0;
        joints[i].acceleration = 2.0;
        joints[i].integral_rate = 5.0;
    }
}

static atemi_control_loop *create(const atemi_model *model, atemi_control_loop_options options)
{
    atemi_joint_plant_options plants[JOINTS];
    atemi_coordinated_joint   joints[JOINTS];
    atemi_control_loop       *loop = NULL;
    atemi_error               error = {0};
    set_joints(model, plants, joints);
    options.plant.joints = plants;
    options.coordination.joints = joints;
    CHECK_STATUS(atemi_control_loop_create(model, &options, &loop, &error), ATEMI_OK);
    CHECK_EQUAL_STRING(error.message, "");
    return loop;
}

static double now(const atemi_control_loop *loop)
{
    return atemi_whole_body_plant_time(atemi_control_loop_plant(loop));
}

static void step(atemi_control_loop *loop, atemi_task_sequence *sequence)
{
    const atemi_sequence_senses senses = {.time = now(loop),
                                          .positions = atemi_control_loop_positions(loop)};
    if (sequence) {
        atemi_task_sequence_step(sequence, &senses);
    }
    atemi_control_loop_coordinate(loop);
    for (int k = 0; k < atemi_control_loop_tick_count(loop); ++k) {
        CHECK_STATUS(atemi_control_loop_tick(loop, NULL), ATEMI_OK);
    }
}

static void run(atemi_control_loop *loop, atemi_task_sequence *sequence, double until)
{
    while (now(loop) < until - 1e-9) {
        step(loop, sequence);
    }
}

static double last(const atemi_recording *recording, const char *name)
{
    return column(recording, name)[atemi_recording_row_count(recording) - 1];
}

// Bit for bit: the job only wires a scenario to the same loop.
TEST(control_loop, does_in_c_what_the_job_does)
{
    atemi_recording *r = NULL;
    CHECK_STATUS(job_control_text(SCENARIO, strlen(SCENARIO), NULL, NULL, &r, NULL), ATEMI_OK);
    const atemi_joint_target targets[] = {{.joint = 0, .position = 0.2},
                                          {.joint = 1, .position = -0.1}};
    const atemi_control_task task = {.action = ATEMI_TASK_JOINTS,
                                     .at = 0.4,
                                     .duration = 0.6,
                                     .targets = targets,
                                     .target_count = JOINTS};
    atemi_model             *model = load("two_link", ATEMI_BASE_FIXED);
    atemi_control_loop      *loop = create(model, atemi_control_loop_options_default());
    atemi_coordination      *coordination = atemi_control_loop_coordination(loop);
    atemi_task_sequence     *sequence = NULL;
    static const char *const names[] = {"joint1", "joint2"};
    CHECK_STATUS(atemi_task_sequence_create(model, coordination, &task, 1, NULL, &sequence, NULL),
                 ATEMI_OK);
    run(loop, sequence, 1.0);
    CHECK_NEAR(last(r, "t"), now(loop), 0.0);
    for (int i = 0; i < JOINTS; ++i) {
        char name[64];
        snprintf(name, sizeof name, "q.%s", names[i]);
        CHECK_NEAR(last(r, name), atemi_whole_body_plant_q(atemi_control_loop_plant(loop))[i], 0.0);
        snprintf(name, sizeof name, "v.%s", names[i]);
        CHECK_NEAR(last(r, name), atemi_whole_body_plant_v(atemi_control_loop_plant(loop))[i], 0.0);
        snprintf(name, sizeof name, "demand.%s", names[i]);
        CHECK_NEAR(last(r, name), atemi_control_loop_outputs(loop)[i].torque_demand, 0.0);
        CHECK_NEAR(atemi_control_loop_positions(loop)[i], targets[i].position, 0.02);
    }
    CHECK(fabs(last(r, "q.joint1")) > 0.1); // it moved
    atemi_task_sequence_destroy(sequence);
    atemi_control_loop_destroy(loop);
    atemi_model_destroy(model);
    atemi_recording_destroy(r);
}

// r2_like on one foot in orbit, with all defaults: nobody tuned anything. With springs of 5,000
// N m/rad and torque loops of 200 rad/s its legs shake (docs/theory/control_plant.md).
TEST(control_loop, moves_a_robot_with_nothing_but_defaults)
{
    enum { HIP = 7 };
    atemi_model               *model = load("r2_like", ATEMI_BASE_FLOATING);
    const int                  foot = atemi_model_find_link(model, "left_foot");
    atemi_control_loop_options options = atemi_control_loop_options_default();
    atemi_control_loop        *loop = NULL;
    options.q = atemi_model_posture(model, atemi_model_find_posture(model, "ready"));
    options.holds = &foot;
    options.hold_count = 1;
    CHECK_STATUS(atemi_control_loop_create(model, &options, &loop, NULL), ATEMI_OK);
    atemi_coordination *c = atemi_control_loop_coordination(loop);
    run(loop, NULL, 1.5); // stiffness comes within that time
    atemi_joint_target target = {.joint = HIP};
    target.position = atemi_control_loop_commands(loop)[HIP].position - 0.2;
    CHECK_STATUS(atemi_coordination_move_joints(c, ATEMI_SOURCE_USER, &target, 1, 1.0, NULL),
                 ATEMI_OK);
    run(loop, NULL, 3.0);
    CHECK_NEAR(atemi_control_loop_positions(loop)[HIP], target.position, 0.02);
    CHECK_EQUAL_INT(atemi_coordination_report_get(c).faults, 0);
    const double *v = atemi_whole_body_plant_v(atemi_control_loop_plant(loop));
    for (int i = atemi_base_v_count(atemi_model_base(model)); i < atemi_model_v_count(model); ++i) {
        CHECK(fabs(v[i]) < 0.05); // rad/s: it has come to rest
    }
    atemi_control_loop_destroy(loop);
    atemi_model_destroy(model);
}

// A hand that moves by 5 cm in two thirds of its time: 3 s^2 - 2 s^3 of its way.
TEST(control_loop, lets_a_hand_lead_a_link_along_its_line)
{
    atemi_model               *model = load("two_link", ATEMI_BASE_FIXED);
    const int                  tip = atemi_model_find_link(model, "tip");
    const atemi_guiding_hand   hand = {.link = tip,
                                       .by = {0.0, 0.05, 0.0},
                                       .from = 0.2,
                                       .until = 1.7,
                                       .stiffness = 1e4,
                                       .damping = 100.0,
                                       .force_limit = 500.0};
    atemi_control_loop_options options = atemi_control_loop_options_default();
    const double               q[] = {0.5, -1.0};
    options.q = q;
    options.hands = &hand;
    options.hand_count = 1;
    atemi_control_loop *loop = create(model, options);
    run(loop, NULL, 0.2);
    const atemi_vec3 before =
        atemi_whole_body_plant_pose(atemi_control_loop_plant(loop), tip, NULL).position;
    run(loop, NULL, 1.4);
    const atemi_vec3 after =
        atemi_whole_body_plant_pose(atemi_control_loop_plant(loop), tip, NULL).position;
    // Joints that hold on with 10 N m pull back with some ten N: mm at the hand's stiffness.
    CHECK_NEAR(after.y - before.y, 0.05, 5e-3);
    CHECK_NEAR(atemi_control_loop_hand_start(loop, 0).y, before.y, 1e-4);
    CHECK(atemi_vec3_norm(
              atemi_whole_body_plant_pull_force(atemi_control_loop_plant(loop), 0).linear) > 0.0);
    run(loop, NULL, 1.8);
    CHECK_NEAR(atemi_vec3_norm(
                   atemi_whole_body_plant_pull_force(atemi_control_loop_plant(loop), 0).linear),
               0.0, 0.0); // it let go
    atemi_control_loop_destroy(loop);
    atemi_model_destroy(model);
}

TEST(control_loop, takes_weight_away_at_an_even_rate)
{
    atemi_model        *model = load("two_link", ATEMI_BASE_FIXED);
    atemi_control_loop *loop = create(model, atemi_control_loop_options_default());
    CHECK(!atemi_control_loop_is_busy(loop));
    atemi_control_loop_offload(loop, 0.5, 1.0); // by 1 a second
    CHECK(atemi_control_loop_is_busy(loop));
    run(loop, NULL, 0.2);
    CHECK_NEAR(atemi_control_loop_offload_now(loop), 0.2, 1e-9);
    run(loop, NULL, 0.6);
    CHECK_NEAR(atemi_control_loop_offload_now(loop), 0.5, 0.0);
    CHECK(!atemi_control_loop_is_busy(loop));
    atemi_control_loop_destroy(loop);
    atemi_model_destroy(model);
}

// Commands of the steps 0, 1, ... are 0, 1, ... mA. With 50 ms on the bus, those of a step at t
// come at t + 50 ms: two steps and a half later. The other joint gets its own at once.
TEST(control_loop, brings_commands_as_late_as_the_bus_is)
{
    atemi_model               *model = load("two_link", ATEMI_BASE_FIXED);
    const atemi_injected_fault late = {.joint = 0, .from = 0.1, .until = 0.5, .bus_delay = 0.05};
    atemi_control_loop_options options = atemi_control_loop_options_default();
    options.faults = &late;
    options.fault_count = 1;
    atemi_control_loop  *loop = create(model, options);
    atemi_joint_command *commands = atemi_control_loop_commands(loop);
    for (int n = 0; n < 40; ++n) {
        atemi_control_loop_coordinate(loop);
        for (int i = 0; i < JOINTS; ++i) {
            commands[i] = atemi_joint_command_default();
            commands[i].level = ATEMI_JOINT_CURRENT;
            commands[i].current = 1e-3 * n;
        }
        for (int k = 0; k < atemi_control_loop_tick_count(loop); ++k) {
            const bool late_half = k >= atemi_control_loop_tick_count(loop) / 2;
            const int  came = n < 5 || n >= 25 ? n : n < 7 || (n == 7 && !late_half) ? 4 : n - 3;
            CHECK_STATUS(atemi_control_loop_tick(loop, NULL), ATEMI_OK);
            const atemi_joint_output *o = atemi_control_loop_outputs(loop);
            CHECK_NEAR(o[0].current_demand, 1e-3 * (came + (came == n - 3 && late_half)), 1e-12);
            CHECK_NEAR(o[1].current_demand, 1e-3 * n, 1e-12);
        }
    }
    atemi_control_loop_destroy(loop);
    atemi_model_destroy(model);
}

// Stiffness follows from the inertia that is believed: of a robot that secretly carries 2 kg, it is
// that of the robot without.
TEST(control_loop, commands_the_stiffness_of_the_robot_that_it_believes_in)
{
    atemi_model               *model = load("two_link", ATEMI_BASE_FIXED), *heavy = NULL;
    const atemi_payload        stone = {.link = 2, .position = {0.0, 0.0, 0.5}, .mass = 2.0};
    atemi_model_variation      laden = atemi_model_variation_none();
    atemi_control_loop_options options = atemi_control_loop_options_default();
    const double               q[] = {0.5, -1.0};
    laden.payloads = &stone;
    laden.payload_count = 1;
    CHECK_STATUS(atemi_model_vary(model, &laden, &heavy, NULL), ATEMI_OK);
    options.q = q;
    options.believed = model;
    atemi_control_loop *ignorant = create(heavy, options);
    options.believed = NULL;
    atemi_control_loop *knowing = create(heavy, options), *light = create(model, options);
    run(ignorant, NULL, 1.0);
    run(knowing, NULL, 1.0);
    run(light, NULL, 1.0);
    for (int i = 0; i < JOINTS; ++i) {
        const double stiffness = atemi_control_loop_commands(light)[i].stiffness;
        CHECK(stiffness > 0.0);
        CHECK_NEAR(atemi_control_loop_commands(ignorant)[i].stiffness, stiffness, 1e-3 * stiffness);
        CHECK(atemi_control_loop_commands(knowing)[i].stiffness > 1.2 * stiffness);
    }
    atemi_control_loop_destroy(ignorant);
    atemi_control_loop_destroy(knowing);
    atemi_control_loop_destroy(light);
    atemi_model_destroy(heavy);
    atemi_model_destroy(model);
}

TEST(control_loop, refuses_drives_that_cannot_be)
{
    atemi_model               *model = load("two_link", ATEMI_BASE_FIXED);
    atemi_joint_plant_options  plants[JOINTS];
    atemi_coordinated_joint    joints[JOINTS];
    atemi_control_loop_options options = atemi_control_loop_options_default();
    atemi_control_loop        *loop = NULL;
    atemi_error                error = {0};
    set_joints(model, plants, joints);
    plants[1].drive.gear = -1.0;
    options.plant.joints = plants;
    CHECK_STATUS(atemi_control_loop_create(model, &options, &loop, &error), ATEMI_ERROR_INPUT);
    CHECK(!loop && strstr(error.message, "gear"));
    atemi_model_destroy(model);
}

// Its drives take voltages: a control that gives torques would leave them without any.
TEST(control_loop, refuses_controls_that_give_torques)
{
    atemi_model                *model = load("two_link", ATEMI_BASE_FIXED);
    atemi_control_loop_options  options = atemi_control_loop_options_default();
    atemi_joint_control_options controls[JOINTS];
    atemi_control_loop         *loop = NULL;
    atemi_error                 error;
    for (int i = 0; i < JOINTS; ++i) {
        const atemi_joint_drive drive = atemi_joint_drive_of(model, i);
        controls[i] = atemi_joint_control_options_of(model, i, &drive);
    }
    controls[1].takes_torque = true;
    options.controls = controls;
    CHECK_STATUS(atemi_control_loop_create(model, &options, &loop, &error), ATEMI_ERROR_INPUT);
    CHECK_CONTAINS(error.message, "joint 1 gives torques");
    CHECK(!loop);
    controls[1].takes_torque = false;
    CHECK_STATUS(atemi_control_loop_create(model, &options, &loop, &error), ATEMI_OK);
    atemi_control_loop_destroy(loop);
    atemi_model_destroy(model);
}
