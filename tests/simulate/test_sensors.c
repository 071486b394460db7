// SPDX-License-Identifier: Apache-2.0

#include "atemi/simulation.h"
#include "bodies.h"
#include "check.h"
#include "trial.h"

#include <math.h>

static const double g = 9.81;

static void check_vector(atemi_vec3 actual, atemi_vec3 expected, double tolerance)
{
    CHECK_NEAR(actual.x, expected.x, tolerance);
    CHECK_NEAR(actual.y, expected.y, tolerance);
    CHECK_NEAR(actual.z, expected.z, tolerance);
}

static atemi_transform place(atemi_vec3 position)
{
    return (atemi_transform){atemi_mat3_from_rpy(0.0, 0.0, 0.0), position};
}

// ---- Claims

// The moment about y of a frozen pendulum: an arm on a hinge that swings through its lowest point
// with w. There a sensor at the distance r from the hinge feels g + r w^2 towards the hinge.
TEST(sensors, of_a_swing_feel_the_centripetal_acceleration)
{
    trial               t;
    const hinge         arm = {.mass = 1.5, .arm = 0.4, .inertia = 0.02, .gravity = g};
    const trial_setting setting = {
        .model = hinge_model(&arm), .surface = atemi_surface_floor(), .step = 1e-3};
    const double          q = 0.0, w = 2.0, r = 0.7;
    const atemi_transform tip = place((atemi_vec3){0.0, 0.0, -r});
    trial_begin(&t, &setting);
    trial_start(&t, &q, &w);
    const int               link = atemi_model_link_count(setting.model) - 1;
    const atemi_imu_reading imu = atemi_simulation_imu(t.simulation, link, &tip);
    check_vector(imu.specific_force, (atemi_vec3){0.0, 0.0, g + r * w * w}, 1e-12);
    check_vector(imu.angular_velocity, (atemi_vec3){0.0, w, 0.0}, 1e-15);
    trial_end(&t);
}

// Let go horizontally, the arm accelerates with m g a / (I + m a^2): tangential at the sensor.
TEST(sensors, of_a_falling_arm_feel_the_tangential_acceleration)
{
    trial               t;
    const hinge         arm = {.mass = 1.5, .arm = 0.4, .inertia = 0.02, .gravity = g};
    const trial_setting setting = {
        .model = hinge_model(&arm), .surface = atemi_surface_floor(), .step = 1e-3};
    const double q = -0.5 * acos(-1.0), v = 0.0, r = 0.7;
    const double spin = arm.mass * g * arm.arm / (arm.inertia + arm.mass * arm.arm * arm.arm);
    const atemi_transform tip = place((atemi_vec3){0.0, 0.0, -r});
    trial_begin(&t, &setting);
    trial_start(&t, &q, &v);
    const int               link = atemi_model_link_count(setting.model) - 1;
    const atemi_imu_reading imu = atemi_simulation_imu(t.simulation, link, &tip);
    // In the arm's axes gravity is along x, and so is the tip's acceleration.
    CHECK_NEAR(fabs(imu.specific_force.x), fabs(r * spin - g), 1e-12);
    CHECK_NEAR(imu.specific_force.z, 0.0, 1e-12);
    trial_end(&t);
}

// A brick that lies on the floor: its sensor is turned by 90 degrees about y, so that up is its -x.
TEST(sensors, of_what_lies_still_feel_gravity_in_their_own_axes)
{
    atemi_simulation_point bottom[4];
    trial                  t;
    rough_bottom(brick_size, 0.5, bottom);
    const trial_setting setting = {.model = brick_model(),
                                   .surface = atemi_surface_floor(),
                                   .points = bottom,
                                   .count = 4,
                                   .step = 1e-3};
    const double        q[7] = {0, 0, 0.5 * brick_size.z, 0, 0, 0, 1}, v[6] = {0};
    atemi_transform     sensor = place((atemi_vec3){0.1, 0.05, 0.02});
    sensor.rotation = atemi_mat3_from_rpy(0.0, 0.5 * acos(-1.0), 0.0);
    trial_begin(&t, &setting);
    trial_start(&t, q, v);
    trial_run(&t, 0.1);
    const atemi_imu_reading imu = atemi_simulation_imu(t.simulation, 0, &sensor);
    check_vector(imu.specific_force, (atemi_vec3){-g, 0.0, 0.0}, 1e-9);

    atemi_point_state states[4];
    double            weight = 0.0;
    atemi_simulation_points_get(t.simulation, states);
    for (int i = 0; i < 4; ++i) {
        CHECK_EQUAL_INT(states[i].mode, ATEMI_CONTACT_STICK);
        CHECK_NEAR(states[i].gap, 0.0, 1e-9);
        CHECK_NEAR(states[i].normal.z, 1.0, 0.0);
        CHECK_NEAR(states[i].position.x, bottom[i].point.x, 1e-9);
        weight += states[i].force.z;
    }
    CHECK_NEAR(weight, brick_mass * g, 1e-9);
    trial_end(&t);
}

// The motor's torque is what the joint of a limp arm transmits about its axis, by both methods; and
// to measure it changes nothing. By steps the acceleration is that of the middle of the step, and
// gravity that of its end: off by m g a w h / 2 = 3 mN m.
TEST(sensors, of_joints_feel_the_torque_that_a_step_was_given)
{
    static const atemi_simulation_method methods[] = {ATEMI_METHOD_EVENTS, ATEMI_METHOD_STEPS};
    const hinge  arm = {.mass = 1.5, .arm = 0.4, .inertia = 0.02, .gravity = g};
    const double q = 0.3, v = 1.0, tau = 2.5;
    for (int m = 0; m < 2; ++m) {
        trial               t;
        const trial_setting setting = {.model = hinge_model(&arm),
                                       .surface = atemi_surface_floor(),
                                       .step = 1e-3,
                                       .method = methods[m]};
        trial_begin(&t, &setting);
        trial_start(&t, &q, &v);
        CHECK_STATUS(atemi_simulation_step(t.simulation, &tau, NULL), ATEMI_OK);
        atemi_force  wrenches[2];
        const double before = atemi_simulation_a(t.simulation)[0];
        for (int i = 0; i < 2; ++i) {
            atemi_simulation_wrenches(t.simulation, wrenches);
            const int joint = atemi_model_joint_count(setting.model) - 1;
            CHECK_NEAR(fabs(wrenches[joint].angular.y), tau,
                       methods[m] == ATEMI_METHOD_STEPS ? 4e-3 : 1e-12);
        }
        CHECK_NEAR(atemi_simulation_a(t.simulation)[0], before, 0.0);
        trial_end(&t);
    }
}
