// SPDX-License-Identifier: Apache-2.0

#include "atemi/control_loop.h"
#include "atemi/model_builder.h"
#include "atemi/robots.h"
#include "atemi/surface.h"
#include "bodies.h"
#include "check.h"
#include "data.h"
#include "random_tree.h"

#include <math.h>
#include <string.h>

enum { JOINTS = 32, RATES = 38 };

typedef struct plant_rig {
    atemi_model              *model;
    atemi_whole_body_plant   *plant;
    atemi_joint_plant_options joints[JOINTS];
    atemi_data               *scratch;
} plant_rig;

// Springs without dampers, gears without friction, bridges that let the motors turn freely.
static void make_lossless(atemi_joint_plant_options *joint)
{
    joint->drive.spring_damping = joint->drive.coulomb = joint->drive.viscous = 0.0;
    joint->drive.back_emf = 1e-12;
    joint->drive.spring = 5000.0;
}

// r2_like in its ready posture, without gravity.
static void rig_begin(plant_rig *rig, bool lossless, double period)
{
    atemi_urdf_options options = atemi_urdf_options_default();
    options.model.gravity = (atemi_vec3){0};
    CHECK_STATUS(atemi_robots_load("r2_like", &options, &rig->model, NULL), ATEMI_OK);
    for (int i = 0; i < JOINTS; ++i) {
        rig->joints[i] = atemi_whole_body_joint_default(rig->model, i);
        if (lossless) {
            make_lossless(&rig->joints[i]);
        }
    }
    atemi_whole_body_plant_options plant = atemi_whole_body_plant_options_default();
    plant.joints = rig->joints;
    plant.period = period;
    plant.joint_friction = !lossless;
    CHECK_STATUS(atemi_whole_body_plant_create(rig->model, &plant, &rig->plant, NULL), ATEMI_OK);
    rig->scratch = data_create(rig->model);
}

static void rig_start(plant_rig *rig, const double *v, const double *torques)
{
    const int ready = atemi_model_find_posture(rig->model, "ready");
    atemi_whole_body_plant_start(rig->plant, atemi_model_posture(rig->model, ready), v, torques);
}

static void rig_end(plant_rig *rig)
{
    atemi_data_destroy(rig->scratch);
    atemi_whole_body_plant_destroy(rig->plant);
    atemi_model_destroy(rig->model);
}

static void rig_run(plant_rig *rig, int ticks)
{
    for (int k = 0; k < ticks; ++k) {
        CHECK_STATUS(atemi_whole_body_plant_advance(rig->plant, NULL), ATEMI_OK);
    }
}

static const atemi_data *rig_look(plant_rig *rig)
{
    atemi_update_kinematics(rig->scratch, atemi_whole_body_plant_q(rig->plant),
                            atemi_whole_body_plant_v(rig->plant), NULL);
    return rig->scratch;
}

// Links, motors and springs. The model's own rotors, which move with the links there, are taken
// out of its kinetic energy.
static double rig_energy(plant_rig *rig)
{
    double energy = atemi_kinetic_energy(rig_look(rig));
    for (int j = 0; j < atemi_model_joint_count(rig->model); ++j) {
        const atemi_joint *joint = atemi_model_joint(rig->model, j);
        if (joint->v_count == 1) {
            const atemi_joint_plant *p =
                atemi_whole_body_plant_joint(rig->plant, joint->first_v - 6);
            const atemi_joint_drive *d = &p->options.drive;
            const double             bend = p->motor_position / d->gear - p->joint_position;
            energy += 0.5 * d->spring * bend * bend +
                      0.5 * d->rotor_inertia * p->motor_velocity * p->motor_velocity -
                      0.5 * joint->armature * p->joint_velocity * p->joint_velocity;
        }
    }
    return energy;
}

static void bend_springs(double *torques)
{
    for (int i = 0; i < JOINTS; ++i) {
        torques[i] = i % 2 ? 20.0 : -15.0;
    }
}

// The error of a step of second order falls to a quarter with half the step.
TEST(whole_body_plant, keeps_the_energy_of_springs_rotors_and_links)
{
    double torques[JOINTS], worst[2] = {0.0, 0.0};
    bend_springs(torques);
    for (int n = 0; n < 2; ++n) {
        plant_rig rig;
        rig_begin(&rig, true, n ? 5e-5 : 1e-4);
        rig_start(&rig, NULL, torques);
        const double begin = rig_energy(&rig);
        for (int k = 0; k < 20; ++k) {
            rig_run(&rig, n ? 200 : 100);
            worst[n] = fmax(worst[n], fabs(rig_energy(&rig) - begin) / begin);
        }
        rig_end(&rig);
    }
    CHECK(worst[0] < 0.02);
    CHECK(worst[1] < 0.4 * worst[0]);
}

// Nothing outside touches the robot: its drives cannot change its momentum. Half steps along
// velocities of turning frames leave an error of the order of the step squared.
TEST(whole_body_plant, in_orbit_has_the_momentum_that_it_began_with)
{
    plant_rig rig;
    double    torques[JOINTS], v[RATES];
    bend_springs(torques);
    for (int i = 0; i < RATES; ++i) {
        v[i] = 0.1 * sin(1.0 + i);
    }
    rig_begin(&rig, false, 2e-4);
    rig_start(&rig, v, torques);
    const atemi_force before = atemi_momentum(rig_look(&rig));
    rig_run(&rig, 2500);
    const atemi_force after = atemi_momentum(rig_look(&rig));
    rig_end(&rig);
    CHECK_NEAR(after.linear.x, before.linear.x, 1e-3);
    CHECK_NEAR(after.linear.y, before.linear.y, 1e-3);
    CHECK_NEAR(after.linear.z, before.linear.z, 1e-3);
    CHECK_NEAR(after.angular.x, before.angular.x, 1e-3);
    CHECK_NEAR(after.angular.y, before.angular.y, 1e-3);
    CHECK_NEAR(after.angular.z, before.angular.z, 1e-3);
}

// Half a second is more than a hundred times what a link needs on its brake alone.
TEST(whole_body_plant, comes_to_rest_on_all_brakes_at_once_and_never_gains_speed)
{
    plant_rig rig;
    double    v[RATES] = {0.0}, energy;
    for (int i = 6; i < RATES; ++i) {
        v[i] = sin(1.0 + 5.0 * i);
    }
    rig_begin(&rig, false, 2e-4);
    rig_start(&rig, v, NULL);
    const double begin = atemi_kinetic_energy(rig_look(&rig));
    for (int i = 0; i < JOINTS; ++i) {
        atemi_whole_body_plant_set_brake(rig.plant, i, true);
    }
    for (int k = 0; k < 100; ++k) {
        rig_run(&rig, 25);
        energy = atemi_kinetic_energy(rig_look(&rig));
        CHECK(energy <= begin);
    }
    for (int i = 6; i < RATES; ++i) {
        CHECK_NEAR(atemi_whole_body_plant_v(rig.plant)[i], 0.0, 0.02);
    }
    rig_end(&rig);
}

// Brakes as hard as stone, that stop a link within a tick each: on its own, each would stop all
// that hangs on it as well, and all of them together would throw the chain about.
TEST(whole_body_plant, comes_to_rest_on_hard_brakes_of_a_whole_chain)
{
    enum { LINKS = 6 };
    atemi_model                   *model = uneven_chain(LINKS, 1.0, 1.0);
    atemi_whole_body_plant        *plant;
    atemi_joint_plant_options      joints[LINKS];
    atemi_whole_body_plant_options options = atemi_whole_body_plant_options_default();
    const double                   q[LINKS] = {0.3, -0.5, 0.7, 0.2, -0.4, 0.6};
    const double                   v[LINKS] = {1.0, -1.0, 1.0, -1.0, 1.0, -1.0};
    for (int i = 0; i < LINKS; ++i) {
        joints[i] = atemi_whole_body_joint_default(model, i);
        joints[i].stop_stiffness = 1e9;
        joints[i].stop_damping = 1e6;
    }
    options.joints = joints;
    CHECK_STATUS(atemi_whole_body_plant_create(model, &options, &plant, NULL), ATEMI_OK);
    CHECK_EQUAL_INT(atemi_model_v_count(model), LINKS);
    atemi_whole_body_plant_start(plant, q, v, NULL);
    for (int i = 0; i < LINKS; ++i) {
        atemi_whole_body_plant_set_brake(plant, i, true);
    }
    for (int k = 0; k < 2500; ++k) {
        CHECK_STATUS(atemi_whole_body_plant_advance(plant, NULL), ATEMI_OK);
    }
    for (int i = 0; i < LINKS; ++i) {
        CHECK_NEAR(atemi_whole_body_plant_v(plant)[i], 0.0, 0.02);
        CHECK_NEAR(atemi_whole_body_plant_q(plant)[i], q[i], 0.02);
    }
    atemi_whole_body_plant_destroy(plant);
    atemi_model_destroy(model);
}

// What stops that are pressed could give back; the number of them in `pressed`.
static double stop_energy(const plant_rig *rig, int *pressed)
{
    double energy = 0.0;
    *pressed = 0;
    for (int i = 0; i < JOINTS; ++i) {
        const atemi_joint_plant *p = atemi_whole_body_plant_joint(rig->plant, i);
        const double             q = p->joint_position;
        const double depth = fmax(0.0, fmax(q - p->options.highest, p->options.lowest - q));
        energy += 0.5 * p->options.stop_stiffness * depth * depth;
        *pressed += depth > 0.0;
    }
    return energy;
}

// Joints that swing to the ends of their ranges. The error of springs is that of the test above.
TEST(whole_body_plant, gets_no_energy_from_the_stops_of_joints)
{
    plant_rig rig;
    double    v[RATES] = {0};
    int       pressed, most_pressed = 0;
    rig_begin(&rig, true, 1e-4);
    for (int i = 6; i < RATES; ++i) {
        v[i] = i % 2 ? 3.0 : -3.0;
    }
    rig_start(&rig, v, NULL);
    const double begin = rig_energy(&rig);
    double       last = begin;
    for (int k = 0; k < 200; ++k) {
        rig_run(&rig, 100);
        last = rig_energy(&rig) + stop_energy(&rig, &pressed);
        most_pressed = pressed > most_pressed ? pressed : most_pressed;
        CHECK(last < 1.02 * begin);
    }
    CHECK(most_pressed >= 3);
    CHECK(last < 0.9 * begin);
    rig_end(&rig);
}

TEST(whole_body_plant, keeps_links_where_they_are_held)
{
    plant_rig rig;
    double    torques[JOINTS];
    bend_springs(torques);
    rig_begin(&rig, false, 2e-4);
    rig_start(&rig, NULL, torques);
    const int       feet[] = {atemi_model_find_link(rig.model, "left_foot"),
                              atemi_model_find_link(rig.model, "right_foot")};
    atemi_transform before[2];
    for (int i = 0; i < 2; ++i) {
        CHECK_STATUS(atemi_whole_body_plant_hold(rig.plant, feet[i], NULL), ATEMI_OK);
        CHECK(atemi_whole_body_plant_is_held(rig.plant, feet[i]));
        before[i] = atemi_whole_body_plant_pose(rig.plant, feet[i], NULL);
    }
    rig_run(&rig, 5000);
    for (int i = 0; i < 2; ++i) {
        const atemi_transform now = atemi_whole_body_plant_pose(rig.plant, feet[i], NULL);
        CHECK(atemi_vec3_norm(atemi_vec3_sub(now.position, before[i].position)) < 1e-9);
        CHECK(atemi_vec3_norm(atemi_vec3_sub(now.rotation.x, before[i].rotation.x)) < 1e-8);
        CHECK(atemi_vec3_norm(atemi_vec3_sub(now.rotation.y, before[i].rotation.y)) < 1e-8);
    }
    rig_end(&rig);
}

// The grippers of hrp2_like feel 2.5e-4 kg m^2, of which 50,000 N m/rad make too much in 0.2 ms.
TEST(whole_body_plant, stays_calm_with_links_that_are_light_for_their_springs)
{
    atemi_model            *model;
    atemi_whole_body_plant *plant;
    double                  torques[JOINTS];
    CHECK_STATUS(atemi_robots_load("hrp2_like", NULL, &model, NULL), ATEMI_OK);
    CHECK_STATUS(atemi_whole_body_plant_create(model, NULL, &plant, NULL), ATEMI_OK);
    bend_springs(torques);
    atemi_whole_body_plant_start(plant, atemi_model_posture(model, 0), NULL, torques);
    atemi_whole_body_plant_set_offload(plant, 1.0);
    for (int k = 0; k < 5000; ++k) {
        CHECK_STATUS(atemi_whole_body_plant_advance(plant, NULL), ATEMI_OK);
    }
    for (int i = 0; i < atemi_model_v_count(model); ++i) {
        CHECK(fabs(atemi_whole_body_plant_v(plant)[i]) < 0.1);
    }
    atemi_whole_body_plant_destroy(plant);
    atemi_model_destroy(model);
}

// ---- One joint ------------------------------------------------------------------------------

// A link of 10 kg m^2 on a fixed world, whose rotor is that of a leg joint.
static atemi_model *wheel_model(atemi_joint_type type)
{
    atemi_model            *model;
    atemi_model_builder    *builder;
    atemi_model_options     options = atemi_model_options_default();
    atemi_joint_description joint = atemi_joint_description_default();
    options.base = ATEMI_BASE_FIXED;
    joint.name = "axle";
    joint.type = type;
    joint.limits.lower = -0.1;
    joint.limits.upper = 0.1;
    joint.parent = "world";
    joint.child = "wheel";
    joint.axis = (atemi_vec3){0.0, 0.0, 1.0};
    joint.armature = 0.746;
    const atemi_link_description world = {.name = "world"};
    const atemi_link_description wheel = {
        .name = "wheel",
        .inertia = {.mass = 20.0, .rotational = {.xx = 6.0, .yy = 6.0, .zz = 10.0}}};
    CHECK_STATUS(atemi_model_builder_create("wheel", NULL, &builder, NULL), ATEMI_OK);
    CHECK_STATUS(atemi_model_builder_add_link(builder, &world, NULL), ATEMI_OK);
    CHECK_STATUS(atemi_model_builder_add_link(builder, &wheel, NULL), ATEMI_OK);
    CHECK_STATUS(atemi_model_builder_add_joint(builder, &joint, NULL), ATEMI_OK);
    CHECK_STATUS(atemi_model_builder_finish(builder, &options, &model, NULL), ATEMI_OK);
    atemi_model_builder_destroy(builder);
    return model;
}

// The oracle moves the link together with the motor, in steps of 10 us.
TEST(whole_body_plant, of_one_joint_moves_as_that_joint_alone)
{
    atemi_model              *model = wheel_model(ATEMI_JOINT_CONTINUOUS);
    atemi_whole_body_plant   *plant;
    atemi_joint_plant         alone;
    const double              q = 0.0, voltage = 5.0;
    atemi_joint_plant_options options = atemi_whole_body_joint_default(model, 0);
    options.link_inertia = 10.0;
    CHECK_STATUS(atemi_joint_plant_start(&options, &alone, NULL), ATEMI_OK);
    CHECK_STATUS(atemi_whole_body_plant_create(model, NULL, &plant, NULL), ATEMI_OK);
    atemi_whole_body_plant_start(plant, &q, NULL, NULL);
    for (int k = 0; k < 2500; ++k) {
        atemi_joint_plant_apply(&alone, voltage);
        atemi_joint_plant_advance(&alone, 2e-4, 0.0);
        atemi_whole_body_plant_apply(plant, 0, voltage);
        CHECK_STATUS(atemi_whole_body_plant_advance(plant, NULL), ATEMI_OK);
    }
    const atemi_joint_plant *driven = atemi_whole_body_plant_joint(plant, 0);
    CHECK(alone.joint_position > 0.01);
    CHECK_NEAR(driven->joint_position, alone.joint_position, 1e-3 * alone.joint_position);
    CHECK_NEAR(driven->motor_velocity, alone.motor_velocity, 1e-3 * fabs(alone.motor_velocity));
    CHECK_NEAR(driven->current, alone.current, 1e-3 * fabs(alone.current));
    atemi_whole_body_plant_destroy(plant);
    atemi_model_destroy(model);
}

// 0.03 rad behind its range, where the step of 0.2 ms makes the stop softer by (c + h k) h / I.
TEST(whole_body_plant, rests_in_the_stop_of_a_joint_as_deep_as_a_push_presses)
{
    atemi_model              *model = wheel_model(ATEMI_JOINT_REVOLUTE);
    atemi_whole_body_plant   *plant;
    const double              q = 0.0;
    atemi_joint_plant_options joint = atemi_whole_body_joint_default(model, 0);
    joint.drive.coulomb = 0.0;
    const double softness =
        (1.0 + (joint.stop_damping + 2e-4 * joint.stop_stiffness) * 2e-4 / 10.0) /
        joint.stop_stiffness;
    atemi_whole_body_plant_options options = atemi_whole_body_plant_options_default();
    options.joints = &joint;
    CHECK_STATUS(atemi_whole_body_plant_create(model, &options, &plant, NULL), ATEMI_OK);
    atemi_whole_body_plant_start(plant, &q, NULL, NULL);
    atemi_whole_body_plant_forces(plant)[1].angular.z = 80.0;
    for (int k = 0; k < 50000; ++k) {
        CHECK_STATUS(atemi_whole_body_plant_advance(plant, NULL), ATEMI_OK);
    }
    CHECK_NEAR(atemi_whole_body_plant_q(plant)[0], 0.13 + 80.0 * softness, 1e-6);
    CHECK_NEAR(atemi_whole_body_plant_v(plant)[0], 0.0, 1e-6);
    atemi_whole_body_plant_destroy(plant);
    atemi_model_destroy(model);
}

// A brake is a stop on both sides: the same law.
TEST(whole_body_plant, gives_as_far_on_a_closed_brake_as_a_push_presses_until_it_opens)
{
    atemi_model              *model = wheel_model(ATEMI_JOINT_CONTINUOUS);
    atemi_whole_body_plant   *plant;
    const double              q = 0.3;
    atemi_joint_plant_options joint = atemi_whole_body_joint_default(model, 0);
    joint.drive.coulomb = 0.0;
    const double softness =
        (1.0 + (joint.stop_damping + 2e-4 * joint.stop_stiffness) * 2e-4 / 10.0) /
        joint.stop_stiffness;
    atemi_whole_body_plant_options options = atemi_whole_body_plant_options_default();
    options.joints = &joint;
    CHECK_STATUS(atemi_whole_body_plant_create(model, &options, &plant, NULL), ATEMI_OK);
    atemi_whole_body_plant_start(plant, &q, NULL, NULL);
    for (int side = -1; side <= 1; side += 2) {
        atemi_whole_body_plant_forces(plant)[1].angular.z = side * 80.0;
        for (int k = 0; k < 50000; ++k) {
            atemi_whole_body_plant_set_brake(plant, 0, true);
            CHECK_STATUS(atemi_whole_body_plant_advance(plant, NULL), ATEMI_OK);
        }
        CHECK_NEAR(atemi_whole_body_plant_q(plant)[0], q + side * 80.0 * softness, 1e-6);
    }
    atemi_whole_body_plant_set_brake(plant, 0, false);
    for (int k = 0; k < 2500; ++k) {
        CHECK_STATUS(atemi_whole_body_plant_advance(plant, NULL), ATEMI_OK);
    }
    CHECK(atemi_whole_body_plant_q(plant)[0] > q + 3.0 * 80.0 * softness);
    atemi_whole_body_plant_destroy(plant);
    atemi_model_destroy(model);
}

// ---- A brick --------------------------------------------------------------------------------

static const double g = 9.81;

static const double *brick_place(void)
{
    static const double q[] = {0.0, 0.0, 0.2, 0.0, 0.0, 0.0, 1.0};
    return q;
}

static void run_brick(atemi_whole_body_plant *plant, double time)
{
    for (int k = 0; k < (int)lround(time / 2e-4); ++k) {
        CHECK_STATUS(atemi_whole_body_plant_advance(plant, NULL), ATEMI_OK);
    }
}

TEST(whole_body_plant, rests_in_a_soft_surface_as_deep_as_its_weight_presses)
{
    atemi_model                   *model = brick_model();
    atemi_whole_body_plant        *plant;
    const atemi_surface            floor = atemi_surface_floor();
    const atemi_spring_damper      spring = {5000.0, 200.0};
    const atemi_compliance         law = atemi_compliance_kelvin_voigt(&spring);
    atemi_simulation_point         point = rough_point((atemi_vec3){0}, 0.5);
    atemi_whole_body_plant_options options = atemi_whole_body_plant_options_default();
    point.compliance = &law;
    options.surfaces = &floor;
    options.points = &point;
    options.surface_count = options.point_count = 1;
    CHECK_STATUS(atemi_whole_body_plant_create(model, &options, &plant, NULL), ATEMI_OK);
    atemi_whole_body_plant_start(plant, brick_place(), NULL, NULL);
    run_brick(plant, 3.0);
    const atemi_touch touch = atemi_whole_body_plant_touch(plant, 0);
    CHECK_NEAR(touch.gap, -brick_mass * g / spring.stiffness, 1e-6);
    CHECK_NEAR(touch.force.z, brick_mass * g, 1e-3);
    atemi_whole_body_plant_set_surface(plant, 0, false);
    run_brick(plant, 0.1);
    CHECK_NEAR(atemi_whole_body_plant_v(plant)[2], -g * 0.1, 1e-3);
    atemi_whole_body_plant_destroy(plant);
    atemi_model_destroy(model);
}

TEST(whole_body_plant, without_its_weight_floats_and_is_pulled_to_where_a_pull_wants_it)
{
    atemi_model            *model = brick_model();
    atemi_whole_body_plant *plant;
    atemi_pull              pull = {.frame = atemi_transform_identity(),
                                    .target = atemi_transform_identity(),
                                    .stiffness = 200.0,
                                    .damping = 40.0,
                                    .rotation_stiffness = 1.0,
                                    .rotation_damping = 0.2,
                                    .force_limit = 5.0,
                                    .moment_limit = 1.0};
    CHECK_STATUS(atemi_whole_body_plant_create(model, NULL, &plant, NULL), ATEMI_OK);
    atemi_whole_body_plant_start(plant, brick_place(), NULL, NULL);
    atemi_whole_body_plant_set_offload(plant, 1.0);
    run_brick(plant, 0.5);
    CHECK_NEAR(atemi_whole_body_plant_q(plant)[2], 0.2, 1e-12);
    pull.target.position = (atemi_vec3){0.3, 0.0, 0.2};
    atemi_whole_body_plant_set_pull(plant, 0, &pull);
    run_brick(plant, 0.01);
    CHECK_NEAR(atemi_whole_body_plant_pull_force(plant, 0).linear.x, 5.0, 1e-9);
    run_brick(plant, 4.0);
    CHECK_NEAR(atemi_whole_body_plant_q(plant)[0], 0.3, 1e-4);
    atemi_whole_body_plant_destroy(plant);
    atemi_model_destroy(model);
}

TEST(whole_body_plant, that_is_held_is_borne_by_what_holds_it)
{
    atemi_model            *model = brick_model();
    atemi_whole_body_plant *plant;
    CHECK_STATUS(atemi_whole_body_plant_create(model, NULL, &plant, NULL), ATEMI_OK);
    atemi_whole_body_plant_start(plant, brick_place(), NULL, NULL);
    CHECK_STATUS(atemi_whole_body_plant_hold(plant, 0, NULL), ATEMI_OK);
    run_brick(plant, 0.2);
    CHECK_NEAR(atemi_whole_body_plant_q(plant)[2], 0.2, 1e-9);
    CHECK_NEAR(atemi_whole_body_plant_hold_force(plant, 0).linear.z, brick_mass * g, 1e-6);
    atemi_whole_body_plant_release(plant, 0);
    run_brick(plant, 0.1);
    CHECK_NEAR(atemi_whole_body_plant_v(plant)[2], -g * 0.1, 1e-3);
    CHECK(!atemi_whole_body_plant_is_held(plant, 0));
    atemi_whole_body_plant_destroy(plant);
    atemi_model_destroy(model);
}

// ---- Refusals -------------------------------------------------------------------------------

// 12 N on a mass of 3 kg, of which 5 kg more are hung at 0.2 s: 4 m/s^2, and then 1.5 m/s^2.
TEST(whole_body_plant, that_is_given_a_load_keeps_its_velocity_and_gains_less)
{
    atemi_whole_body_plant        *plant;
    atemi_whole_body_plant_options options = atemi_whole_body_plant_options_default();
    atemi_model_variation          laden = atemi_model_variation_none();
    const atemi_inertia            mass = {.mass = 3.0, .rotational = {1.0, 1.0, 1.0, 0, 0, 0}};
    const atemi_payload            load = {.mass = 5.0};
    atemi_model_builder           *builder = tree_begin();
    tree_add_link(builder, "mass", &mass);
    atemi_model *model = tree_finish(builder, ATEMI_BASE_FLOATING), *heavy = NULL;
    laden.payloads = &load;
    laden.payload_count = 1;
    CHECK_STATUS(atemi_model_vary(model, &laden, &heavy, NULL), ATEMI_OK);
    const atemi_model_change change = {heavy, 0.2};
    options.changes = &change;
    options.change_count = 1;
    CHECK_STATUS(atemi_whole_body_plant_create(model, &options, &plant, NULL), ATEMI_OK);
    for (int again = 0; again < 2; ++again) {
        atemi_whole_body_plant_start(plant, brick_place(), NULL, NULL);
        atemi_whole_body_plant_forces(plant)[0].linear.x = 12.0;
        run_brick(plant, 0.2);
        CHECK_NEAR(atemi_whole_body_plant_v(plant)[0], 0.8, 1e-9);
        run_brick(plant, 0.2);
        CHECK_NEAR(atemi_whole_body_plant_v(plant)[0], 0.8 + 0.3, 1e-9);
    }
    atemi_whole_body_plant_destroy(plant);
    atemi_model_destroy(heavy);
    atemi_model_destroy(model);
}

TEST(whole_body_plant, refuses_rigid_surfaces_and_a_hold_too_many)
{
    atemi_model                   *model = brick_model();
    atemi_whole_body_plant        *plant;
    atemi_error                    error = {0};
    const atemi_surface            floor = atemi_surface_floor();
    const atemi_simulation_point   point = rough_point((atemi_vec3){0}, 0.5);
    atemi_whole_body_plant_options options = atemi_whole_body_plant_options_default();
    options.surfaces = &floor;
    options.points = &point;
    options.surface_count = options.point_count = 1;
    CHECK_STATUS(atemi_whole_body_plant_create(model, &options, &plant, &error), ATEMI_ERROR_INPUT);
    CHECK(!plant);
    CHECK_CONTAINS(error.message, "give it a compliance");
    options.point_count = 0;
    options.max_holds = 0;
    CHECK_STATUS(atemi_whole_body_plant_create(model, &options, &plant, &error), ATEMI_OK);
    CHECK_STATUS(atemi_whole_body_plant_hold(plant, 0, &error), ATEMI_ERROR_LIMIT);
    CHECK_CONTAINS(error.message, "release one");
    atemi_whole_body_plant_destroy(plant);
    options.period = 0.0;
    CHECK_STATUS(atemi_whole_body_plant_create(model, &options, &plant, &error), ATEMI_ERROR_INPUT);
    CHECK_CONTAINS(error.message, "period");
    atemi_model_destroy(model);
}

TEST(whole_body_plant, says_that_a_motion_has_become_infinite)
{
    atemi_model            *model = brick_model();
    atemi_whole_body_plant *plant;
    atemi_error             error = {0};
    CHECK_STATUS(atemi_whole_body_plant_create(model, NULL, &plant, NULL), ATEMI_OK);
    atemi_whole_body_plant_start(plant, brick_place(), NULL, NULL);
    CHECK_STATUS(atemi_whole_body_plant_hold(plant, 0, NULL), ATEMI_OK);
    atemi_whole_body_plant_forces(plant)[0].linear.x = INFINITY;
    CHECK_STATUS(atemi_whole_body_plant_advance(plant, &error), ATEMI_ERROR_SINGULAR);
    CHECK_CONTAINS(error.message, "the motion has become infinite");
    atemi_whole_body_plant_destroy(plant);
    atemi_model_destroy(model);
}
