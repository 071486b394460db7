// SPDX-License-Identifier: Apache-2.0

#include "job_runs.h"

#include "allocations.h"
#include "atemi/base.h"
#include "check.h"
#include "folder.h"
#include "recorded.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double g = 9.81, pi = 3.14159265358979323846;

// ---- Robots of the shipped scenarios, and one with a wheel and a cart that nothing else moves

#define SCENARIOS ATEMI_SOURCE_DIR "/scenarios/"

static const char bench_urdf[] =
    "<robot name='bench'>"
    "<link name='world'/>"
    "<joint name='axle' type='revolute'><parent link='world'/><child link='wheel'/>"
    "<axis xyz='0 0 1'/><limit lower='-100' upper='100' effort='5' velocity='100'/></joint>"
    "<link name='wheel'><inertial><mass value='1'/>"
    "<inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='0.5'/></inertial></link>"
    "<joint name='rail' type='prismatic'><parent link='world'/><child link='cart'/>"
    "<axis xyz='1 0 0'/><limit lower='-100' upper='100' effort='100' velocity='100'/></joint>"
    "<link name='cart'><inertial><mass value='2'/>"
    "<inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial></link>"
    "</robot>";

static const double wheel = 0.5, cart = 2.0; // kg m^2, kg

static atemi_recording *simulate_in(const char *file, const char *text)
{
    atemi_recording   *recording = NULL;
    atemi_error        error = {0};
    const atemi_status status =
        job_simulate_text(text, strlen(text), file, NULL, &recording, &error);
    CHECK_EQUAL_STRING(error.message, "");
    CHECK_STATUS(status, ATEMI_OK);
    return recording;
}

static atemi_recording *simulate(const char *text)
{
    return simulate_in(SCENARIOS "test.yaml", text);
}

static atemi_recording *simulate_robot(const char *urdf, const char *text)
{
    char         scenario[1000];
    const folder place = folder_create();
    folder_put(folder_path(place.path, "robot.urdf"), urdf);
    snprintf(scenario, sizeof scenario, "robot: robot.urdf\n%s", text);
    atemi_recording *recording = simulate_in(folder_path(place.path, "test.yaml"), scenario);
    folder_remove(place.path);
    return recording;
}

static atemi_recording *simulate_bench(const char *text)
{
    return simulate_robot(bench_urdf, text);
}

static atemi_recording *simulate_shipped(const char *name)
{
    char             path[500];
    atemi_recording *recording = NULL;
    atemi_error      error = {0};
    snprintf(path, sizeof path, SCENARIOS "%s.yaml", name);
    const atemi_status status = job_simulate_file(path, NULL, &recording, &error);
    CHECK_EQUAL_STRING(error.message, "");
    CHECK_STATUS(status, ATEMI_OK);
    return recording;
}

static double last(const atemi_recording *recording, const char *name)
{
    CHECK(atemi_recording_row_count(recording) > 0);
    return column(recording, name)[atemi_recording_row_count(recording) - 1];
}

// ---- Motions with closed forms

// It goes u^2 / (2 mu g) and stands.
TEST(simulate, of_a_block_slides_to_rest)
{
    const double     mu = 0.3, u = 1.0;
    atemi_recording *recording =
        simulate("robot: robots/block.urdf\n"
                 "start: {position: [0, 0, 0.05], velocity: [1, 0, 0]}\n"
                 "contacts: [{site: bottom, friction: {static: 0.4, kinetic: 0.3}}]\n");
    CHECK_NEAR(last(recording, "q.base.x"), u * u / (2.0 * mu * g), 1e-8);
    CHECK_NEAR(last(recording, "v.base.linear_x"), 0.0, 1e-9);
    CHECK_EQUAL_INT((int)last(recording, "contact.bottom.0.mode"), 1);
    CHECK_EQUAL_INT((int)result(recording, "sticks"), 1);
    CHECK_EQUAL_STRING(atemi_recording_outcome(recording), "simulated 1 s");
    CHECK_EQUAL_INT((int)result(recording, "completed"), 1);
    atemi_recording_destroy(recording);
}

TEST(simulate, of_a_slope_accelerates_by_what_friction_leaves)
{
    atemi_recording *recording = simulate_shipped("slide");
    CHECK_NEAR(last(recording, "v.base.linear_x"), g * (0.6 - 0.4 * 0.8), 1e-8);
    CHECK_NEAR(last(recording, "a.base.linear_x"), g * (0.6 - 0.4 * 0.8), 1e-8);
    CHECK_EQUAL_INT((int)last(recording, "contact.bottom.0.mode"), 2);
    atemi_recording_destroy(recording);
}

// From h it hits with u = sqrt(2 g h); bounce k has e^k of that speed, and gives (1 + e) of it
// back.
TEST(simulate, of_a_ball_records_its_bounces)
{
    const double     e = 0.8, u = sqrt(2.0 * g), m = 1.0;
    atemi_recording *recording = simulate_shipped("bounce");
    double           expected = u / g;
    CHECK_EQUAL_INT(atemi_recording_event_count(recording), 3);
    for (int k = 0; k < 3; ++k) {
        const atemi_recorded_event *event = atemi_recording_event(recording, k);
        CHECK_EQUAL_STRING(event->kind, "touchdown");
        CHECK_EQUAL_STRING(event->what, "centre.0");
        CHECK_NEAR(event->t, expected, 1e-9);
        CHECK_EQUAL_INT(event->value_count, 4);
        CHECK_EQUAL_STRING(event->values[0].name, "speed");
        CHECK_NEAR(event->values[0].value, pow(e, k) * u, 1e-8);
        CHECK_EQUAL_STRING(event->values[3].name, "impulse_z");
        CHECK_NEAR(event->values[3].value, m * (1.0 + e) * pow(e, k) * u, 1e-8);
        expected += 2.0 * pow(e, k + 1) * u / g;
    }
    CHECK_NEAR(result(recording, "energy_start"), m * g, 1e-12);
    CHECK_NEAR(result(recording, "energy_lost_in_collisions"), m * g * (1.0 - pow(e, 6)), 1e-8);
    atemi_recording_destroy(recording);
}

// Nothing touches: energy stays, however it tumbles.
TEST(simulate, of_a_thrown_block_keeps_its_energy)
{
    atemi_recording *recording =
        simulate("robot: robots/block.urdf\n"
                 "start: {position: [0, 0, 50], velocity: [3, 2, 1], angular_velocity: [1, 4, 2]}\n"
                 "contacts: []\n");
    const double *kinetic = column(recording, "energy.kinetic");
    const double *potential = column(recording, "energy.potential");
    for (int i = 1; i < atemi_recording_row_count(recording); ++i) {
        CHECK_NEAR(kinetic[i] + potential[i], kinetic[0] + potential[0], 1e-8);
    }
    CHECK_NEAR(last(recording, "com.x"), 3.0, 1e-10);
    CHECK_NEAR(last(recording, "com.z"), 50.0 + 1.0 - 0.5 * g, 1e-10);
    CHECK(isnan(last(recording, "zmp.x")));
    CHECK(isnan(result(recording, "least_zmp_margin")));
    atemi_recording_destroy(recording);
}

// ---- Torques

TEST(simulate, lets_constant_torques_of_one_joint_add_up)
{
    atemi_recording *recording =
        simulate_bench("torques: [{joints: axle, kind: constant, torque: 1},"
                       "          {joints: [axle], kind: constant, torque: 500 mNm},"
                       "          {joints: rail, kind: constant, torque: 4 N}]\n");
    CHECK_NEAR(last(recording, "q.axle"), 0.5 * 1.5 / wheel, 1e-12);
    CHECK_NEAR(last(recording, "v.rail"), 4.0 / cart, 1e-12);
    CHECK_NEAR(last(recording, "tau.axle"), 1.5, 0.0);
    atemi_recording_destroy(recording);
}

// I a = o + A sin(w t + p): twice integrated from rest.
// A loop ties the cart to the world where it starts: the torque that pushes it goes there.
TEST(simulate, records_the_forces_of_loops)
{
    static const char *const methods[] = {"events", "steps"};
    for (int i = 0; i < 2; ++i) {
        char text[400];
        snprintf(text, sizeof text,
                 "contacts: []\nduration: 0.1\nmethod: %s\n"
                 "torques: [{kind: constant, joints: rail, torque: 7}]\n"
                 "start: {slides: {rail: 0.5}}\n"
                 "loops: [{name: rope, first: cart, point: [0, 0, 0.2]}]\n",
                 methods[i]);
        atemi_recording *recording = simulate_bench(text);
        CHECK_NEAR(last(recording, "loop.rope.force_x"), -7.0, 1e-8);
        CHECK_NEAR(last(recording, "loop.rope.moment_x"), 0.0, 0.0);
        CHECK_NEAR(last(recording, "q.rail"), 0.5, 1e-12);
        atemi_recording_destroy(recording);
    }
}

// Shaken at 50 Hz beyond its dry friction, a joint sticks and slips four times in 20 ms: of these
// events one in each interval of 0.1 s between rows is kept.
TEST(simulate, keeps_one_event_of_a_joints_friction_between_rows)
{
    static const char urdf[] =
        "<robot name='rub'><link name='world'/>"
        "<joint name='axle' type='continuous'><parent link='world'/><child link='wheel'/>"
        "<axis xyz='0 0 1'/><dynamics friction='1'/></joint>"
        "<link name='wheel'><inertial><mass value='1'/>"
        "<inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='0.5'/></inertial></link></robot>";
    atemi_recording *recording = simulate_robot(
        urdf, "contacts: []\nduration: 1\nrecord: {every: 0.1}\n"
              "torques: [{kind: sinusoid, joints: axle, amplitude: 1.2, frequency: 50}]\n");
    const double happened = result(recording, "joint_sticks") + result(recording, "joint_slips");
    const double left_out = result(recording, "joint_events_left_out");
    CHECK(happened > 150.0);
    CHECK_EQUAL_INT(atemi_recording_event_count(recording), (int)(happened - left_out));
    CHECK(happened - left_out <= 11.0);
    atemi_recording_destroy(recording);
}

TEST(simulate, drives_by_sinusoids)
{
    const double     o = 0.2, A = 3.0, w = 2.0 * pi * 2.0, p = 0.5, t = 1.0;
    atemi_recording *recording =
        simulate_bench("torques: [{joints: axle, kind: sinusoid, amplitude: 3, frequency: 2,"
                       "           phase: 0.5, offset: 0.2}]\n");
    const double expected = 0.5 * o * t * t / wheel +
                            A / wheel * (cos(p) * t / w - (sin(w * t + p) - sin(p)) / (w * w));
    CHECK_NEAR(last(recording, "q.axle"), expected, 1e-9);
    atemi_recording_destroy(recording);
}

// q = e^(-d t) (cos(w t) + d / w sin(w t)) about the target.
TEST(simulate, holds_joints_by_servos)
{
    const double     k = 50.0, c = 2.0, d = c / (2.0 * wheel), w = sqrt(k / wheel - d * d), t = 1.0;
    atemi_recording *recording =
        simulate_bench("start: {joints: {axle: 1 rad}, slides: 0.3}\n"
                       "torques: [{joints: axle, kind: servo, stiffness: 50, damping: 2,"
                       "           target: 0.5},"
                       "          {joints: rail, kind: servo, stiffness: 1 N/mm, damping: 1}]\n");
    CHECK_NEAR(last(recording, "q.axle"),
               0.5 + 0.5 * exp(-d * t) * (cos(w * t) + d / w * sin(w * t)), 1e-8);
    CHECK_NEAR(last(recording, "q.rail"), 0.3, 0.0);
    atemi_recording_destroy(recording);
}

TEST(simulate, limits_the_sum_of_torques_on_request)
{
    static const char torques[] = "torques: [{joints: axle, kind: constant, torque: 4},"
                                  "          {joints: axle, kind: constant, torque: 4}]\n";
    char              limited[300];
    snprintf(limited, sizeof limited, "%slimit_torques: true\n", torques);
    atemi_recording *free = simulate_bench(torques), *held = simulate_bench(limited);
    CHECK_NEAR(last(free, "v.axle"), 8.0 / wheel, 1e-10);
    CHECK_NEAR(last(held, "v.axle"), 5.0 / wheel, 1e-10);
    atemi_recording_destroy(free);
    atemi_recording_destroy(held);
}

// The impulse is force times time: exactly if steps end at both, otherwise to a part of a step.
static void check_push(const char *times, double duration, double tolerance)
{
    char text[200];
    snprintf(text, sizeof text, "forces: [{link: cart, force: [10, 0, 0], %s}]\n", times);
    atemi_recording *recording = simulate_bench(text);
    CHECK_NEAR(last(recording, "v.rail"), 10.0 * duration / cart, tolerance);
    atemi_recording_destroy(recording);
}

TEST(simulate, pushes_for_the_time_given)
{
    check_push("from: 100 ms, until: 300 ms", 0.2, 1e-12);
    check_push("from: 0.1234, until: 0.34567", 0.34567 - 0.1234, 10.0 / cart * 1e-3 / 6.0);
    check_push("until: 0.5", 0.5, 10.0 / cart * 1e-3 / 6.0 + 1e-12);
}

// F at the offset r turns the block by r x F.
TEST(simulate, pushes_with_a_lever)
{
    atemi_recording *recording =
        simulate("robot: robots/block.urdf\n"
                 "gravity: [0, 0, 0]\n"
                 "contacts: []\n"
                 "forces: [{link: block, force: [0, 1 N, 0], offset: [10 cm, 0, 0]}]\n"
                 "duration: 10 ms\n");
    CHECK_NEAR(last(recording, "a.base.angular_z"), 0.1 / (2.0 / 60.0), 1e-9);
    CHECK_NEAR(last(recording, "v.base.linear_y"), 0.01 * 0.5, 1e-6);
    atemi_recording_destroy(recording);
}

// ---- Contacts and surfaces

// It sinks in until the spring carries it.
static void check_softness(const char *law, double depth)
{
    char text[500];
    snprintf(text, sizeof text,
             "robot: robots/ball.urdf\n"
             "start: {position: [0, 0, 0.01]}\n"
             "contacts: [{site: centre, compliance: {%s}}]\n"
             "duration: 3 s\n",
             law);
    atemi_recording *recording = simulate(text);
    CHECK_NEAR(last(recording, "q.base.z"), -depth, 1e-6);
    CHECK_NEAR(last(recording, "contact.centre.0.force_z"), g, 1e-2);
    atemi_recording_destroy(recording);
}

TEST(simulate, knows_soft_surfaces_of_every_law)
{
    check_softness("law: compression_damper, stiffness: 1e4, damping: 300", g / 1e4);
    check_softness("law: kelvin_voigt, stiffness: 5 N/mm, damping: 40", g / 5e3);
    check_softness("law: hunt_crossley, hertz_stiffness: 1e5, dissipation: 20",
                   pow(g / 1e5, 1.0 / 1.5));
}

// With gravity upwards only a tie holds the tip on the plane.
TEST(simulate, ties_points_to_their_surface)
{
    atemi_recording *recording = simulate("robot: two_link\n"
                                          "gravity: [0, 0, 9.8]\n"
                                          "start: {posture: start}\n"
                                          "contacts: [{site: tip, tied: true, friction: 0.2}]\n"
                                          "duration: 500 ms\n");
    const double    *gap = column(recording, "contact.tip.0.gap");
    for (int i = 0; i < atemi_recording_row_count(recording); ++i) {
        CHECK_NEAR(gap[i], 0.0, 1e-8);
    }
    CHECK(last(recording, "contact.tip.0.force_z") < -1.0);
    atemi_recording_destroy(recording);
}

static double at(const atemi_recording *recording, const char *name, double time)
{
    const double *t = column(recording, "t");
    int           row = 0;
    while (t[row] < time - 1e-9) {
        ++row;
    }
    CHECK_NEAR(t[row], time, 1e-9);
    return column(recording, name)[row];
}

// [ENE] V-B prints three decimals. The wrench is in the link's axes, so its size is compared.
TEST(simulate, of_the_two_link_manipulator_has_the_printed_forces)
{
    atemi_recording *recording = simulate_shipped("two_link_on_plane");
    CHECK_NEAR(at(recording, "contact.tip.0.force_z", 0.10), 9.324, 6e-4);
    CHECK_NEAR(at(recording, "contact.tip.0.force_z", 4.85), 9.533, 6e-4);
    CHECK_NEAR(fabs(at(recording, "contact.tip.0.force_y", 0.10)), 0.093, 6e-4);
    CHECK_NEAR(fabs(at(recording, "contact.tip.0.force_y", 4.85)), 0.095, 6e-4);
    CHECK_NEAR(hypot(at(recording, "wrench.joint1.force_y", 0.10),
                     at(recording, "wrench.joint1.force_z", 0.10)),
               hypot(-0.129, 10.252), 1e-3);
    atemi_recording_destroy(recording);
}

static void check_height(const char *surface, double height)
{
    char text[500];
    snprintf(text, sizeof text,
             "robot: robots/ball.urdf\n"
             "surfaces: {ground: {%s}}\n"
             "contacts: [{link: ball, name: foot, points: [[0, 0, 0]], surface: ground}]\n"
             "start: {position: [0.3, 0, 7], place_on: ground}\n"
             "duration: 1 ms\n",
             surface);
    atemi_recording *recording = simulate(text);
    CHECK_NEAR(column(recording, "q.base.z")[0], height, 1e-9);
    CHECK(column(recording, "contact.foot.0.mode")[0] != 0.0);
    atemi_recording_destroy(recording);
}

TEST(simulate, puts_the_robot_on_any_surface)
{
    check_height("kind: plane, position: [0, 0, 2]", 2.0);
    check_height("normal: [-3, 0, 4]", 0.3 * 0.75);
    check_height("kind: sphere, radius: 2", sqrt(4.0 - 0.09));
    check_height("kind: cylinder, radius: 2, axis: [0, 1, 0]", sqrt(4.0 - 0.09));
    check_height("kind: cylinder, radius: 2, axis: [1, 0, 0], position: [0, 0, 1]", 3.0);
    check_height("kind: heights, position: [-1, -1, 1], spacing: [2, 2],"
                 " heights: [[0.5, 0.5], [0.5, 0.5]]",
                 1.5);
}

// The bottom of a bowl is where a ball that is put there stays.
TEST(simulate, knows_the_inside_of_a_sphere)
{
    atemi_recording *recording =
        simulate("robot: robots/ball.urdf\n"
                 "surfaces: {bowl: {kind: sphere, position: [0, 0, 1], radius: 1, inside: true}}\n"
                 "contacts: [{site: centre, surface: bowl, friction: 0}]\n"
                 "start: {position: [0, 0, 0.2], place_on: bowl}\n");
    CHECK_NEAR(last(recording, "q.base.z"), 0.0, 1e-9);
    CHECK_NEAR(last(recording, "contact.centre.0.force_z"), g, 1e-9);
    atemi_recording_destroy(recording);
}

TEST(simulate, lets_every_site_touch_the_floor_where_nothing_is_said)
{
    atemi_recording *recording = simulate("robot: robots/block.urdf\n"
                                          "start: {place_on: floor}\n"
                                          "duration: 10 ms\n");
    CHECK_NEAR(last(recording, "contact.top.3.gap"), 0.1, 1e-12);
    CHECK_NEAR(last(recording, "contact.bottom.3.gap"), 0.0, 1e-12);
    CHECK_NEAR(last(recording, "zmp.x"), 0.0, 1e-9);
    CHECK_NEAR(last(recording, "zmp.margin"), 0.1, 1e-9);
    CHECK_NEAR(result(recording, "least_zmp_margin"), 0.1, 1e-9);
    atemi_recording_destroy(recording);
}

// A block on a plate that its file does not have: turned, 30 cm along x, and 10 cm off.
TEST(simulate, knows_sites_of_the_scenario)
{
    atemi_recording *recording = simulate("robot: robots/block.urdf\n"
                                          "sites:\n"
                                          "  - {name: shelf, link: block, point: [0.1, 0, -1],"
                                          " rpy: [0, 0, 90 deg], size: [0.5, 0.3]}\n"
                                          "start: {place_on: floor}\n"
                                          "contacts: [{site: shelf}]\n"
                                          "duration: 10 ms\n");
    CHECK_NEAR(last(recording, "q.base.z"), 1.0, 1e-12);
    CHECK_NEAR(last(recording, "zmp.margin"), 0.05, 1e-9);
    atemi_recording_destroy(recording);
}

// ---- The state at the beginning

TEST(simulate, takes_the_motion_of_the_base_in_world_axes)
{
    atemi_recording *recording = simulate("robot: robots/block.urdf\n"
                                          "gravity: [0, 0, 0]\n"
                                          "contacts: []\n"
                                          "start: {position: [1, 2, 3], rpy: [0, 0, 90 deg],\n"
                                          "        velocity: [1, 0, 0]}\n");
    CHECK_NEAR(column(recording, "v.base.linear_y")[0], -1.0, 1e-15);
    CHECK_NEAR(last(recording, "q.base.x"), 2.0, 1e-12);
    CHECK_NEAR(last(recording, "q.base.quaternion_w"), sqrt(0.5), 1e-12);
    atemi_recording_destroy(recording);
}

TEST(simulate, names_the_coordinates_of_planar_bases)
{
    static const char body[] = "contacts: []\n"
                               "gravity: [0, 0, 0]\n"
                               "robot: robots/block.urdf\n";
    char              text[300];
    snprintf(text, sizeof text, "%sbase: sagittal\nstart: {velocity: [0, 0, 1], rpy: [0, 1, 0]}\n",
             body);
    atemi_recording *recording = simulate(text);
    CHECK_NEAR(last(recording, "q.base.z"), 1.0, 1e-12);
    CHECK_NEAR(last(recording, "q.base.turn"), 1.0, 1e-12);
    atemi_recording_destroy(recording);
    snprintf(text, sizeof text,
             "%sbase: planar\nstart: {velocity: [0, 1, 0], angular_velocity: [0, 0, 2]}\n", body);
    recording = simulate(text);
    CHECK_NEAR(last(recording, "q.base.y"), 1.0, 1e-9);
    CHECK_NEAR(last(recording, "q.base.turn"), 2.0, 1e-12);
    CHECK_NEAR(last(recording, "v.base.turn"), 2.0, 1e-12);
    atemi_recording_destroy(recording);
}

// ---- Standing

// The foot stands still, so what the floor does to it and its weight go into the ankle.
TEST(simulate, shows_what_the_ankle_carries)
{
    const double     foot = 2.148; // kg, of the file
    atemi_recording *recording = simulate_shipped("stand");
    double           floor = 0.0;
    for (int corner = 0; corner < 4; ++corner) {
        char name[100];
        snprintf(name, sizeof name, "contact.right_sole.%d.force_z", corner);
        floor += last(recording, name);
    }
    CHECK_NEAR(last(recording, "wrench.right_ankle_roll.force_z"), foot * g - floor, 1e-3);
    CHECK(floor > 200.0 && floor < 350.0);
    CHECK(result(recording, "least_zmp_margin") > 0.03);
    CHECK_NEAR(last(recording, "com.z"), 0.79, 0.01);
    CHECK_EQUAL_INT((int)result(recording, "lift_offs"), 0);
    atemi_recording_destroy(recording);
}

// ---- Rows

TEST(simulate, records_on_a_grid_and_after_collisions)
{
    atemi_recording *recording = simulate("robot: robots/ball.urdf\n"
                                          "start: {position: [0, 0, 0.1]}\n"
                                          "contacts: [{site: centre, restitution: 0.5}]\n"
                                          "duration: 200 ms\n"
                                          "record: {every: 50 ms, wrenches: false}\n");
    const double    *t = column(recording, "t"), *v = column(recording, "v.base.linear_z");
    CHECK_EQUAL_INT(atemi_recording_row_count(recording), 6);
    CHECK_NEAR(t[1], 0.05, 0.0);
    CHECK_NEAR(t[2], 0.1, 0.0);
    CHECK(t[3] > sqrt(0.2 / g) && t[3] < sqrt(0.2 / g) + 1e-3);
    CHECK(v[2] < 0.0 && v[3] > 0.0);
    CHECK_NEAR(t[5], 0.2, 0.0);
    CHECK_EQUAL_INT(atemi_recording_find_channel(recording, "wrench.x.force_x"), ATEMI_NONE);
    atemi_recording_destroy(recording);
}

TEST(simulate, describes_itself)
{
    size_t           size;
    atemi_recording *recording = simulate("robot: two_link\ncontacts: []\nduration: 1 ms\n");
    CHECK_EQUAL_STRING(atemi_recording_job(recording), "simulate");
    CHECK_EQUAL_STRING(atemi_recording_robot(recording)->name, "two_link");
    CHECK_EQUAL_STRING(atemi_recording_scenario(recording, &size),
                       "robot: two_link\ncontacts: []\nduration: 1 ms\n");
    CHECK_CONTAINS(atemi_recording_urdf(recording, &size), "<robot name=\"two_link\"");
    atemi_recording_destroy(recording);
}

// ---- Ends

static void check_stop(const char *stop, double time, const char *outcome)
{
    char text[500];
    snprintf(text, sizeof text,
             "robot: robots/ball.urdf\n"
             "start: {position: [0, 0, 1]}\n"
             "duration: 3 s\n"
             "stop: [%s]\n",
             stop);
    atemi_recording *recording = simulate(text);
    CHECK_NEAR(last(recording, "t"), time, 1.1e-3);
    CHECK_NEAR(result(recording, "duration"), last(recording, "t"), 0.0);
    CHECK_CONTAINS(atemi_recording_outcome(recording), outcome);
    CHECK_EQUAL_INT((int)result(recording, "completed"), 1);
    atemi_recording_destroy(recording);
}

TEST(simulate, stops_when_a_condition_holds)
{
    const double landed = sqrt(2.0 / g);
    check_stop("{when: com_below, height: 0.5}", sqrt(1.0 / g), "s: the CoM fell below 0.5 m");
    check_stop("{when: link_below, link: ball, height: 20 cm}", sqrt(1.6 / g),
               "s: the link ball fell below 0.2 m");
    check_stop("{when: event, event: touchdown}", landed, "s: touchdown of centre.0 at 0.4515");
    check_stop("{when: event, event: touchdown, contact: centre}", landed, "stopped at 0.45");
    check_stop("{when: at_rest, for: 100 ms}", landed + 0.1, "s: it has been at rest for 0.1 s");
    check_stop("{when: com_below, height: -1}, {when: com_below, height: 0.9}", sqrt(0.2 / g),
               "below 0.9 m");
    check_stop("{when: com_below, height: 2}", 0.0, "stopped at 0 s: the CoM fell below 2 m");
}

static bool stop_half_way(void *context, double done)
{
    double *before = (double *)context;
    CHECK(done >= *before && done <= 1.0);
    *before = done;
    return done < 0.5;
}

TEST(simulate, can_be_interrupted_and_keeps_what_there_is)
{
    static const char     text[] = "robot: two_link\ncontacts: []\n";
    double                done = 0.0;
    atemi_recording      *recording;
    const atemi_job_hooks hooks = {.progress = stop_half_way, .context = &done};
    CHECK_STATUS(job_simulate_text(text, strlen(text), NULL, &hooks, &recording, NULL), ATEMI_OK);
    CHECK_NEAR(last(recording, "t"), 0.5, 1e-9);
    CHECK_EQUAL_STRING(atemi_recording_outcome(recording), "interrupted at 0.5 s");
    CHECK_EQUAL_INT((int)result(recording, "completed"), 0);
    atemi_recording_destroy(recording);
}

TEST(simulate, tells_all_to_the_end)
{
    static const char     text[] = "robot: two_link\ncontacts: []\nduration: 5 ms\n";
    double                done = 0.0;
    atemi_recording      *recording;
    const atemi_job_hooks hooks = {.progress = stop_half_way, .context = &done};
    CHECK_STATUS(job_simulate_text(text, strlen(text), NULL, &hooks, &recording, NULL), ATEMI_OK);
    CHECK(done >= 0.5);
    atemi_recording_destroy(recording);
}

// A part that nothing resists the turning of has no acceleration.
TEST(simulate, tells_where_the_motion_cannot_be_continued)
{
    atemi_recording *recording = simulate_robot(
        "<robot name='thin'><link name='world'/>"
        "<joint name='spin' type='continuous'><parent link='world'/><child link='dot'/></joint>"
        "<link name='dot'><inertial><mass value='1'/>"
        "<inertia ixx='0' ixy='0' ixz='0' iyy='0' iyz='0' izz='0'/></inertial></link></robot>",
        "");
    CHECK_EQUAL_INT((int)result(recording, "completed"), 0);
    CHECK_EQUAL_INT(atemi_recording_row_count(recording), 0);
    CHECK(isnan(result(recording, "energy_start")));
    CHECK_CONTAINS(atemi_recording_outcome(recording), "failed at 0 s: ");
    atemi_recording_destroy(recording);
}

// ---- Explanations

TEST(simulate, explains_every_key_without_a_scenario)
{
    static const char *const keys[] = {
        "robot:",        "base:",   "gravity:",   "surfaces:",  "heights:",   "contacts:",
        "compliance:",   "start:",  "posture:",   "torques:",   "amplitude:", "stiffness:",
        "limit_torques", "forces:", "integrator", "tolerance:", "duration:",  "stop:",
        "record:",       "every:",  "wrenches:"};
    char *text;
    CHECK_STATUS(job_simulate_explain(NULL, &text, NULL), ATEMI_OK);
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; ++i) {
        CHECK_CONTAINS(text, keys[i]);
    }
    atemi_release(text);
}

static void check_same(const atemi_recording *a, const atemi_recording *b)
{
    const int rows = atemi_recording_row_count(a);
    CHECK_EQUAL_INT(atemi_recording_row_count(b), rows);
    CHECK_EQUAL_INT(atemi_recording_channel_count(b), atemi_recording_channel_count(a));
    for (int i = 0; i < atemi_recording_channel_count(a); ++i) {
        CHECK(memcmp(atemi_recording_values(a, i), atemi_recording_values(b, i),
                     (size_t)rows * sizeof(double)) == 0);
    }
}

TEST(simulate, explains_a_scenario_by_one_that_says_the_same)
{
    static const char *const names[] = {"slide", "two_link_on_plane", "height_field"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        char  path[500];
        char *text;
        snprintf(path, sizeof path, SCENARIOS "%s.yaml", names[i]);
        CHECK_STATUS(job_simulate_explain(path, &text, NULL), ATEMI_OK);
        atemi_recording *plain = simulate_shipped(names[i]), *explained = simulate(text);
        check_same(plain, explained);
        atemi_recording_destroy(plain);
        atemi_recording_destroy(explained);
        atemi_release(text);
    }
}

// ---- Promises

TEST(simulate, yields_the_same_bits_again)
{
    atemi_recording *first = simulate_shipped("height_field");
    atemi_recording *second = simulate_shipped("height_field");
    check_same(first, second);
    atemi_recording_destroy(first);
    atemi_recording_destroy(second);
}

TEST(simulate, runs_what_is_shipped)
{
    static const char *const names[] = {"stand",  "slide",        "fall",
                                        "bounce", "height_field", "two_link_on_plane"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        atemi_recording *recording = simulate_shipped(names[i]);
        CHECK_EQUAL_INT((int)result(recording, "completed"), 1);
        atemi_recording_destroy(recording);
    }
}

// The parser of YAML takes its memory elsewhere, so only what is ours fails here.
TEST(simulate, loses_nothing_when_memory_runs_out)
{
    static const char text[] = "robot: two_link\n"
                               "surfaces: {wall: {kind: heights, heights: [[0, 0], [0, 0]]}}\n"
                               "start: {posture: start}\n"
                               "contacts: [{link: link1, surface: wall, compliance: {}}]\n"
                               "torques: [{kind: servo, stiffness: 1}]\n"
                               "forces: [{link: link2, force: [0, 0, 1]}]\n"
                               "stop: [{when: com_below, height: -5}]\n"
                               "duration: 2 ms\n";
    for (int n = 1;; ++n) {
        atemi_recording *recording;
        atemi_error      error = {0};
        failing_allocator_install(n);
        const atemi_status status =
            job_simulate_text(text, strlen(text), "x.yaml", NULL, &recording, &error);
        atemi_recording_destroy(recording);
        failing_allocator_remove();
        CHECK_EQUAL_INT(failing_allocator_outstanding(), 0);
        CHECK_STATUS(status, failing_allocator_failed() ? ATEMI_ERROR_MEMORY : ATEMI_OK);
        CHECK_STATUS(error.status, status);
        if (!failing_allocator_failed()) {
            break;
        }
    }
}

// ---- By steps

// 8 N m, of which the effort limit leaves 5, on 0.5 kg m^2 until a stop at 100 rad is far away; the
// cart hits its stop at 0.1 m, which then holds the 4 N of its motor.
TEST(simulate, by_steps_records_stops_and_what_it_gives_up)
{
    char urdf[sizeof bench_urdf];
    snprintf(urdf, sizeof urdf, "%s", bench_urdf);
    char *range = strstr(urdf, "upper='100' effort='100'");
    CHECK(range);
    memcpy(range, "upper='0.1' effort='100'", strlen("upper='0.1' effort='100'"));
    atemi_recording *r =
        simulate_robot(urdf, "base: fixed\ncontacts: []\nmethod: steps\n"
                             "limit_torques: true\n"
                             "torques: [{joints: [axle], kind: constant, torque: 8},"
                             " {joints: [rail], kind: constant, torque: 4}]\n"
                             "duration: 1 s\n");
    CHECK_NEAR(last(r, "q.axle"), 0.5 * 5.0 / wheel, 1e-9);
    CHECK_NEAR(last(r, "q.rail"), 0.1, 1e-6);
    CHECK_NEAR(last(r, "stop.rail.torque"), -4.0, 1e-6);
    CHECK_NEAR(last(r, "stop.axle.torque"), 0.0, 0.0);
    CHECK_NEAR(atemi_recording_result_value(r, "stops"), 1.0, 0.0);
    CHECK_NEAR(atemi_recording_result_value(r, "time_rounded_by"), 1e-3, 0.0);
    CHECK(atemi_recording_result_value(r, "worst_stop_overrun") < 1e-6);
    // v^2 m / 2 was lost at the stop, and is in the books: 2 m/s^2 over 0.1 m.
    CHECK_NEAR(atemi_recording_result_value(r, "energy_drift"), 0.0, 0.01 * cart * 2.0 * 0.1);
    atemi_recording_destroy(r);
}
