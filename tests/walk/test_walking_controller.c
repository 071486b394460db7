// SPDX-License-Identifier: Apache-2.0

#include "atemi/walk.h"

#include "allocations.h"
#include "atemi/contact.h"
#include "data.h"
#include "walk/stride.h"
#include "walk_rig.h"

#include <math.h>

enum { RATES = 19 };

static void check_refused(const atemi_model *model, const atemi_walking_options *options,
                          const char *part)
{
    atemi_walking_controller *controller;
    atemi_error               error;
    CHECK_STATUS(atemi_walking_controller_create(model, options, &controller, &error),
                 ATEMI_ERROR_INPUT);
    CHECK_CONTAINS(error.message, part);
    CHECK(!controller);
}

TEST(walking_controller, refuses_who_cannot_walk)
{
    atemi_model       *floating = walker_on(ATEMI_BASE_FLOATING), *arm;
    atemi_urdf_options options = atemi_urdf_options_default();
    options.model.base = ATEMI_BASE_SAGITTAL;
    CHECK_STATUS(atemi_robots_load("three_link", &options, &arm, NULL), ATEMI_OK);
    check_refused(floating, NULL, "floating base");
    check_refused(arm, NULL, "no link 'head'");
    atemi_model_destroy(arm);
    atemi_model_destroy(floating);
}

TEST(walking_controller, refuses_options_that_make_no_sense)
{
    atemi_model          *model = walker();
    atemi_walking_options options = atemi_walking_options_default();
    options.hip_height = 0.78;
    check_refused(model, &options, "0.78 m long");
    options = atemi_walking_options_default();
    options.tick = NAN;
    check_refused(model, &options, "tick of the walk is nan");
    options = atemi_walking_options_default();
    options.double_support = options.step_period;
    check_refused(model, &options, "double_support");
    atemi_model_destroy(model);
}

TEST(walking_controller, starts_on_flat_feet_with_hips_as_high_as_told)
{
    atemi_model              *model = walker();
    atemi_walking_controller *controller;
    atemi_walking_options     options = atemi_walking_options_default();
    double                    q[RATES];
    options.hip_height = 0.7;
    CHECK_STATUS(atemi_walking_controller_create(model, &options, &controller, NULL), ATEMI_OK);
    atemi_walking_controller_posture(controller, q);
    atemi_data *s = data_create(model);
    atemi_update_kinematics(s, q, NULL, NULL);
    for (int i = 0; i < ATEMI_WALKING_POINTS; ++i) {
        atemi_vec3            place;
        const int             link = atemi_walking_controller_point(controller, i, &place);
        const atemi_transform pose = atemi_link_pose(s, link);
        CHECK_NEAR(atemi_transform_apply(&pose, place).z, 0.0, 1e-12);
    }
    CHECK_NEAR(q[1], 0.7 + 0.07, 1e-12);
    atemi_data_destroy(s);
    atemi_walking_controller_destroy(controller);
    atemi_model_destroy(model);
}

// The oracle is forward dynamics of a robot whose left foot sticks: the floor's force is where the
// controller wanted it, within what its damped rows allow, and carries the weight.
TEST(walking_controller, puts_the_pressure_where_it_wants_it)
{
    atemi_model              *model = walker();
    atemi_walking_controller *controller;
    double                    q[RATES], tau[RATES], a[RATES];
    const double              v[RATES] = {0};
    atemi_walking_senses      senses = {.q = q, .v = v, .touches = {true, true, true, true}};
    CHECK_STATUS(atemi_walking_controller_create(model, NULL, &controller, NULL), ATEMI_OK);
    atemi_walking_controller_posture(controller, q);
    atemi_walking_controller_tick(controller, 0.0, &senses);
    atemi_walking_controller_torque(controller, 0.0, v, tau);

    atemi_contact contacts[2] = {atemi_contact_default(), atemi_contact_default()};
    atemi_force   forces[2];
    for (int i = 0; i < 2; ++i) {
        contacts[i].mode = ATEMI_CONTACT_STICK;
        contacts[i].link = atemi_walking_controller_point(controller, i, &contacts[i].point);
    }
    atemi_data *data = data_create(model);
    CHECK_STATUS(atemi_constrained_dynamics(data, q, v, tau, NULL,
                                            &(atemi_contact_set){.contacts = contacts, .count = 2},
                                            a, forces, NULL),
                 ATEMI_OK);

    const double heel = forces[0].linear.z, toe = forces[1].linear.z;
    const double pressure = (-0.06 * heel + 0.18 * toe) / (heel + toe); // ankle above x = 0
    CHECK_NEAR(pressure, atemi_walking_controller_state(controller).pressure, 1e-3);
    CHECK_NEAR(heel + toe, 64.2 * 9.81, 0.02 * 64.2 * 9.81);
    atemi_data_destroy(data);
    atemi_walking_controller_destroy(controller);
    atemi_model_destroy(model);
}

TEST(walking_controller, gives_no_more_than_the_joints_can)
{
    atemi_model              *model = walker();
    atemi_walking_controller *controller;
    double                    q[RATES], v[RATES] = {0}, tau[RATES];
    atemi_walking_senses      senses = {.q = q, .v = v, .touches = {true, true, true, true}};
    CHECK_STATUS(atemi_walking_controller_create(model, NULL, &controller, NULL), ATEMI_OK);
    atemi_walking_controller_posture(controller, q);
    for (int i = 3; i < RATES; ++i) {
        v[i] = i % 2 ? 20.0 : -20.0;
    }
    atemi_walking_controller_tick(controller, 0.0, &senses);
    atemi_walking_controller_torque(controller, 0.0, v, tau);
    for (int j = 0; j < atemi_model_joint_count(model); ++j) {
        const atemi_joint *joint = atemi_model_joint(model, j);
        CHECK(fabs(tau[joint->first_v]) <= joint->limits.effort);
    }
    CHECK(atemi_walking_controller_state(controller).strain > 1.0);
    CHECK_NEAR(tau[0], 0.0, 0.0);
    atemi_walking_controller_destroy(controller);
    atemi_model_destroy(model);
}

TEST(walking_controller, ticks_without_memory)
{
    atemi_model              *model = walker();
    atemi_walking_controller *controller;
    double                    q[RATES], tau[RATES];
    const double              v[RATES] = {0};
    atemi_walking_senses      senses = {.q = q, .v = v, .touches = {true, true, true, true}};
    CHECK_STATUS(atemi_walking_controller_create(model, NULL, &controller, NULL), ATEMI_OK);
    atemi_walking_controller_posture(controller, q);
    allocations_begin();
    for (int i = 0; i < 200; ++i) {
        atemi_walking_controller_tick(controller, 2e-3 * i, &senses);
        atemi_walking_controller_torque(controller, 2e-3 * i, v, tau);
    }
    CHECK_EQUAL_INT(allocations_end(), 0);
    atemi_walking_controller_destroy(controller);
    atemi_model_destroy(model);
}

// Velocity and acceleration of the foot that swings are the derivatives of its height; by
// differences of 1e-5 s, whose errors are 1e-10 of its third derivative, about 1e3 m/s^3.
TEST(walking_controller, lifts_the_foot_along_a_path_with_the_velocity_that_it_tells)
{
    const double h = 1e-5;
    atemi_stride s = {.options = atemi_walking_options_default(), .lifted = 0.02};
    const double T = s.options.step_period - s.options.double_support;
    for (int i = 1; i < 20; ++i) {
        s.state.clock = T * i / 20.0;
        const atemi_axis_state at = atemi_stride_lift(&s);
        s.state.clock += h;
        const atemi_axis_state after = atemi_stride_lift(&s);
        s.state.clock -= 2.0 * h;
        const atemi_axis_state before = atemi_stride_lift(&s);
        CHECK_NEAR(at.velocity, (after.position - before.position) / (2.0 * h), 1e-6);
        CHECK_NEAR(at.acceleration, (after.velocity - before.velocity) / (2.0 * h), 1e-4);
    }
}
