// SPDX-License-Identifier: Apache-2.0

#include "atemi/robot_control.h"

#include "allocations.h"
#include "atemi/data.h"
#include "atemi/dynamics.h"
#include "atemi/model_builder.h"
#include "atemi/robots.h"
#include "check.h"

#include <math.h>
#include <string.h>

static atemi_model *load(void)
{
    atemi_urdf_options options = atemi_urdf_options_default();
    atemi_model       *model = NULL;
    options.model.base = ATEMI_BASE_FIXED;
    CHECK_STATUS(atemi_robots_load("two_link", &options, &model, NULL), ATEMI_OK);
    return model;
}

// ---- A robot behind a bus: two links, torques in, positions out -----------------------------

enum { JOINTS = 2, SUBSTEPS = 10 };

typedef struct arm {
    atemi_model         *model;
    atemi_data          *data;
    atemi_robot_control *control;
    double               q[JOINTS], v[JOINTS], tau[JOINTS];
    int                  late; ///< ticks in which nothing comes yet
    double               largest;
} arm;

static bool read_arm(void *context, atemi_joint_measurement *measurements, int count)
{
    arm *a = (arm *)context;
    CHECK_EQUAL_INT(count, JOINTS);
    for (int i = 0; i < count; ++i) {
        measurements[i] = (atemi_joint_measurement){.joint_position = a->q[i]};
    }
    return a->late-- <= 0;
}

static void write_arm(void *context, const atemi_joint_output *outputs, int count)
{
    arm *a = (arm *)context;
    for (int i = 0; i < count; ++i) {
        a->tau[i] = outputs[i].torque_demand;
        a->largest = fmax(a->largest, fabs(a->tau[i]));
    }
}

static atemi_robot_bus bus_of(arm *a)
{
    return (atemi_robot_bus){.context = a, .read = read_arm, .write = write_arm};
}

static void create(const atemi_robot_control_options *options, arm *a)
{
    *a = (arm){0};
    a->model = load();
    CHECK_STATUS(atemi_data_create(a->model, NULL, &a->data, NULL), ATEMI_OK);
    CHECK_STATUS(atemi_robot_control_create(a->model, options, &a->control, NULL), ATEMI_OK);
    a->q[0] = 0.3;
    a->q[1] = -0.4;
}

static void destroy(arm *a)
{
    atemi_robot_control_destroy(a->control);
    atemi_data_destroy(a->data);
    atemi_model_destroy(a->model);
}

// The control, and a millisecond by semi-implicit Euler, with the friction of the joints.
static void tick(arm *a)
{
    const atemi_robot_bus bus = bus_of(a);
    atemi_robot_control_tick(a->control, &bus);
    for (int k = 0; k < SUBSTEPS; ++k) {
        double force[JOINTS], acceleration[JOINTS];
        for (int i = 0; i < JOINTS; ++i) {
            force[i] = a->tau[i] - atemi_model_joint(a->model, i)->damping * a->v[i];
        }
        CHECK_STATUS(atemi_forward_dynamics(a->data, a->q, a->v, force, NULL, acceleration),
                     ATEMI_OK);
        for (int i = 0; i < JOINTS; ++i) {
            a->v[i] += 1e-4 * acceleration[i];
            a->q[i] += 1e-4 * a->v[i];
        }
    }
}

static void run(arm *a, double time)
{
    for (int k = 0; k < (int)lround(1e3 * time); ++k) {
        tick(a);
    }
}

// ---- Claims ---------------------------------------------------------------------------------

// Gravity is fed forward from the model, which is right: nothing moves while the stiffness comes.
// Then a motion ends where it should, to 2 mrad, by a path that the inertia torques make exact.
TEST(robot_control, holds_a_robot_against_gravity_and_moves_it)
{
    arm a;
    create(NULL, &a);
    run(&a, 2.0);
    CHECK_NEAR(a.q[0], 0.3, 2e-3);
    CHECK_NEAR(a.q[1], -0.4, 2e-3);
    atemi_coordination      *c = atemi_robot_control_coordination(a.control);
    const atemi_joint_target targets[] = {{.joint = 0, .position = 0.8},
                                          {.joint = 1, .position = 0.2}};
    CHECK_STATUS(atemi_coordination_move_joints(c, ATEMI_SOURCE_USER, targets, 2, 1.5, NULL),
                 ATEMI_OK);
    run(&a, 3.0);
    CHECK_NEAR(a.q[0], 0.8, 2e-3);
    CHECK_NEAR(a.q[1], 0.2, 2e-3);
    CHECK(!atemi_robot_control_has_stopped(a.control));
    CHECK(a.largest > 0.0);
    destroy(&a);
}

// Four ticks without an answer are within the patience of five; a hundred are not: every joint
// stops safely, with no torque as nothing is known, until it is restarted.
TEST(robot_control, bridges_a_late_bus_and_stops_without_one)
{
    arm a;
    create(NULL, &a);
    run(&a, 1.0);
    a.late = 4;
    run(&a, 0.5);
    CHECK(!atemi_robot_control_has_stopped(a.control));
    CHECK_NEAR(a.q[0], 0.3, 0.02);
    a.late = 100;
    run(&a, 0.05);
    CHECK(atemi_robot_control_has_stopped(a.control));
    for (int i = 0; i < JOINTS; ++i) {
        CHECK(atemi_robot_control_outputs(a.control)[i].state == ATEMI_JOINT_SAFE_STOP);
        CHECK_NEAR(a.tau[i], 0.0, 0.0);
    }
    run(&a, 0.2);
    atemi_robot_control_restart(a.control);
    run(&a, 0.5);
    CHECK(!atemi_robot_control_has_stopped(a.control));
    destroy(&a);
}

// The answers are those of the parts, put together by hand.
TEST(robot_control, is_coordination_and_joint_controls_in_order)
{
    arm a;
    create(NULL, &a);
    const atemi_joint_control_options o = atemi_robot_control_joint(a.control, 0)->options;
    CHECK(o.takes_torque);
    CHECK_NEAR(o.period, 1e-3, 0.0);
    atemi_coordinated_joint     joints[JOINTS];
    atemi_joint_control         controls[JOINTS];
    atemi_joint_stability       stability[JOINTS];
    atemi_joint_control_options options[JOINTS];
    for (int i = 0; i < JOINTS; ++i) {
        options[i] = atemi_robot_control_joint(a.control, i)->options;
        joints[i] = atemi_coordinated_joint_default(a.model, i);
        atemi_coordinated_joint_fit(a.model, i, &options[i], true, &joints[i]);
        CHECK_STATUS(atemi_joint_control_start(&options[i], &controls[i], NULL), ATEMI_OK);
    }
    CHECK_STATUS(atemi_joint_stability_find(a.model, 0, options, joints, stability, NULL),
                 ATEMI_OK);
    for (int i = 0; i < JOINTS; ++i) {
        joints[i].highest_frequency = stability[i].natural_frequency;
    }
    atemi_coordination_options by_hand = atemi_coordination_options_default();
    atemi_coordination        *c = NULL;
    by_hand.joints = joints;
    CHECK_STATUS(atemi_coordination_create(a.model, &by_hand, &c, NULL), ATEMI_OK);
    atemi_joint_output  outputs[JOINTS] = {{.voltage = 0.0}, {.voltage = 0.0}};
    atemi_joint_command commands[JOINTS];
    for (int k = 0; k < 100; ++k) {
        double q[JOINTS], v[JOINTS], t[JOINTS];
        bool   stopped[JOINTS] = {false, false};
        for (int i = 0; i < JOINTS; ++i) {
            q[i] = a.q[i];
            v[i] = outputs[i].joint_velocity;
            t[i] = outputs[i].torque;
        }
        const atemi_coordination_measurement m = {q, v, t, stopped, NULL};
        if (k % 20 == 0) {
            atemi_coordination_step(c, &m, commands);
        }
        for (int i = 0; i < JOINTS; ++i) {
            const atemi_joint_measurement measured = {.joint_position = q[i]};
            atemi_joint_control_step(&controls[i], &measured, k % 20 ? NULL : &commands[i],
                                     &outputs[i]);
        }
        tick(&a);
        for (int i = 0; i < JOINTS; ++i) {
            CHECK(outputs[i].torque_demand == a.tau[i]);
        }
    }
    atemi_coordination_destroy(c);
    destroy(&a);
}

TEST(robot_control, allocates_nothing_after_its_creation)
{
    arm a;
    create(NULL, &a);
    const atemi_robot_bus bus = bus_of(&a);
    allocations_begin();
    for (int k = 0; k < 100; ++k) {
        atemi_robot_control_tick(a.control, &bus);
    }
    CHECK_EQUAL_INT(allocations_end(), 0);
    destroy(&a);
}

TEST(robot_control, refuses_periods_that_do_not_fit)
{
    atemi_model                *model = load();
    atemi_robot_control        *control = NULL;
    atemi_error                 error;
    atemi_robot_control_options o = atemi_robot_control_options_default();
    const double                periods[] = {0.0, -1e-3, 0.03, 3e-3, (double)NAN};
    for (size_t i = 0; i < sizeof periods / sizeof *periods; ++i) {
        o.period = periods[i];
        CHECK_STATUS(atemi_robot_control_create(model, &o, &control, &error), ATEMI_ERROR_INPUT);
        CHECK_CONTAINS(error.message, "no multiple of the tick's");
        CHECK(!control);
    }
    o.period = 2e-4;
    o.takes_torque = false;
    CHECK_STATUS(atemi_robot_control_create(model, &o, &control, &error), ATEMI_OK);
    atemi_robot_control_destroy(control);
    atemi_model_destroy(model);
}

// Whatever allocation fails, nothing is lost.
TEST(robot_control, survives_every_failing_allocation)
{
    atemi_model         *model = load();
    atemi_robot_control *control = NULL;
    atemi_status         status = ATEMI_ERROR_MEMORY;
    for (int n = 1; status == ATEMI_ERROR_MEMORY && n < 100; ++n) {
        failing_allocator_install(n);
        status = atemi_robot_control_create(model, NULL, &control, NULL);
        atemi_robot_control_destroy(control);
        control = NULL;
        CHECK_EQUAL_INT(failing_allocator_outstanding(), 0);
        failing_allocator_install(0);
    }
    CHECK_STATUS(status, ATEMI_OK);
    atemi_model_destroy(model);
}
