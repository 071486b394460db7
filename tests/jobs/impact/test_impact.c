// SPDX-License-Identifier: Apache-2.0

#include "job_runs.h"

#include "allocations.h"
#include "atemi/base.h"
#include "atemi/blow.h"
#include "atemi/model.h"
#include "atemi/robots.h"
#include "check.h"
#include "data.h"
#include "folder.h"
#include "recorded.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 64 };

static const double pi = 3.14159265358979323846;

#define SCENARIOS ATEMI_SOURCE_DIR "/scenarios/"

// ---- Scenarios of the tests

// 4 kg on a rail along x, which has friction, and a hammer of 2 kg on an arm of 0.5 m beside it.
static const char rail_urdf[] =
    "<robot name='rail'>"
    "<link name='world'/>"
    "<joint name='slide' type='prismatic'><parent link='world'/><child link='fist'/>"
    "<axis xyz='1 0 0'/><dynamics damping='2' friction='3'/>"
    "<limit lower='-9' upper='9' effort='50' velocity='9'/></joint>"
    "<link name='fist'><inertial><mass value='4'/>"
    "<inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial></link>"
    "<joint name='swing' type='continuous'><parent link='world'/><child link='arm'/>"
    "<axis xyz='0 1 0'/></joint>"
    "<link name='arm'><inertial><origin xyz='0 0 -0.5'/><mass value='2'/>"
    "<inertia ixx='0.01' ixy='0' ixz='0' iyy='0.01' iyz='0' izz='0.01'/></inertial></link>"
    "</robot>";

// The rail without servo, friction and damper: a closed form.
#define PLAIN                                                                                      \
    "contacts: []\njoint_friction: false\nhand: {link: fist, speed: 0.8}\n"                        \
    "target: {mass: 5, stiffness: 2e4, damping: 0}\n"

#define PUNCH                                                                                      \
    "robot: hrp2_like\n"                                                                           \
    "start: {posture: punch_6kg, place_on: floor}\n"                                               \
    "contacts: [{site: right_sole, friction: 5}, {site: left_sole, friction: 5}]\n"                \
    "servo: {stiffness: 8000, damping: 400}\n"                                                     \
    "joint_friction: false\n"

#define HAND "hand: {site: right_fist, speed: 0.7}\n"

static const atemi_job_options with_full = {.flags = ATEMI_IMPACT_BY_FULL_DYNAMICS};
static const atemi_job_options with_sweep = {.flags = ATEMI_IMPACT_SWEEP};

static atemi_recording *strike_in(const char *file, const char *text,
                                  const atemi_job_options *options)
{
    atemi_recording   *recording = NULL;
    atemi_error        error = {0};
    const atemi_status status =
        atemi_job_run_text("impact", text, strlen(text), file, options, &recording, &error);
    CHECK_EQUAL_STRING(error.message, "");
    CHECK_STATUS(status, ATEMI_OK);
    return recording;
}

static atemi_recording *strike(const char *text, const atemi_job_options *options)
{
    return strike_in(SCENARIOS "test.yaml", text, options);
}

static atemi_recording *strike_on_rail(const char *text, const atemi_job_options *options)
{
    char         scenario[1000];
    const folder place = folder_create();
    folder_put(folder_path(place.path, "robot.urdf"), rail_urdf);
    snprintf(scenario, sizeof scenario, "robot: robot.urdf\n%s", text);
    atemi_recording *recording = strike_in(folder_path(place.path, "test.yaml"), scenario, options);
    folder_remove(place.path);
    return recording;
}

static double cell(const atemi_recorded_table *t, int row, const char *name)
{
    for (int i = 0; i < t->column_count; ++i) {
        if (strcmp(t->columns[i].name, name) == 0) {
            return t->values[row * t->column_count + i];
        }
    }
    check_fail(CHECK_PLACE("cell"), "there is no column %s", name);
}

// ---- Closed forms

TEST(impact, of_a_mass_on_a_spring_is_half_a_sine)
{
    const double     m = 4.0, M = 5.0, v = 0.8, k = 2e4, mu = m * M / (m + M), w = sqrt(k / mu);
    atemi_recording *recording = strike_on_rail(PLAIN, &with_full);
    CHECK_EQUAL_INT((int)result(recording, "completed"), 1);
    CHECK_NEAR(result(recording, "virtual_mass"), m, 1e-12);
    CHECK_NEAR(result(recording, "hand_speed_before"), v, 1e-15);
    CHECK_NEAR(result(recording, "peak_force"), v * sqrt(k * mu), 1e-9);
    CHECK_NEAR(result(recording, "impulse"), 2.0 * mu * v, 1e-11);
    CHECK_NEAR(result(recording, "contact_time"), pi / w, 1e-12);
    CHECK_NEAR(result(recording, "compression"), v / w, 1e-12);
    CHECK_NEAR(result(recording, "hand_speed_after"), v * (m - M) / (m + M), 1e-11);
    CHECK_NEAR(result(recording, "target_speed_after"), 2.0 * v * m / (m + M), 1e-11);
    CHECK_NEAR(result(recording, "virtual_mass_impulse"), 2.0 * mu * v, 1e-11);
    CHECK_NEAR(result(recording, "published_impulse"), 2.0 * mu * v, 1e-5);
    CHECK_NEAR(result(recording, "full_impulse"), 2.0 * mu * v, 1e-4);
    CHECK_NEAR(result(recording, "impulse_error"), 0.0, 1e-4);
    CHECK(isnan(result(recording, "least_zmp_margin")));
    CHECK_CONTAINS(atemi_recording_outcome(recording), "3.556 N s in ");
    atemi_recording_destroy(recording);
}

TEST(impact, records_the_force_over_time)
{
    const double     mu = 4.0 * 5.0 / 9.0, v = 0.8, k = 2e4, w = sqrt(k / mu);
    atemi_recording *recording = strike_on_rail(PLAIN "record: {every: 1 ms}\n", &with_full);
    const int        rows = atemi_recording_row_count(recording);
    const double    *t = column(recording, "t"), *force = column(recording, "force.estimate");
    CHECK(rows > 40 && rows < 60);
    for (int i = 0; i < rows; ++i) {
        const double expected = fmax(0.0, v * sqrt(k * mu) * sin(w * t[i])) * (t[i] < pi / w);
        CHECK_NEAR(t[i], 1e-3 * i, 1e-12);
        CHECK_NEAR(force[i], expected, 1e-8);
        CHECK_NEAR(column(recording, "force.virtual_mass")[i], expected, 1e-8);
        CHECK_NEAR(column(recording, "force.published")[i], expected, 1e-2);
        CHECK_NEAR(column(recording, "force.full")[i], expected, 1e-2);
    }
    for (int i = 0; i < rows && t[i] < pi / w; ++i) { // by trapezoids from row to row
        const double *x = column(recording, "target.position_x");
        CHECK_NEAR(x[i] - x[0], mu / 5.0 * v * (t[i] - sin(w * t[i]) / w), 1e-5);
    }
    CHECK_NEAR(result(recording, "direction_x"), 1.0, 0.0);
    CHECK_NEAR(result(recording, "target_width"), cbrt(5.0 / 500.0), 1e-15); // 5 kg of wood
    CHECK_NEAR(column(recording, "v.slide")[0], v, 1e-15);
    CHECK_NEAR(column(recording, "v.slide")[rows - 1], -v / 9.0, 1e-9);
    CHECK_NEAR(column(recording, "target_speed.estimate")[rows - 1], 2.0 * v * 4.0 / 9.0, 1e-9);
    atemi_recording_destroy(recording);
}

// Where rows are closer than the steps of full dynamics, each has the step next to it.
TEST(impact, records_full_dynamics_at_the_time_of_the_row)
{
    const double     mu = 4.0 * 5.0 / 9.0, v = 0.8, k = 2e4, w = sqrt(k / mu);
    atemi_recording *recording =
        strike_on_rail(PLAIN "record: {every: 0.2 ms}\nfull_dynamics: {step: 1 ms}\n", &with_full);
    const double *t = column(recording, "t"), *force = column(recording, "force.full");
    for (int i = 0; t[i] < pi / w - 1e-3; ++i) {
        const double slope = v * k; // the steepest
        CHECK_NEAR(force[i], v * sqrt(k * mu) * sin(w * t[i]), 0.51e-3 * slope + 0.1);
    }
    atemi_recording_destroy(recording);
}

TEST(impact, against_a_wall_reverses_the_hand)
{
    atemi_recording *recording =
        strike_on_rail("contacts: []\njoint_friction: false\nhand: {link: fist, speed: 0.8}\n"
                       "target: {mass: inf, damping: 0}\n",
                       &with_full);
    CHECK_NEAR(result(recording, "impulse"), 2.0 * 4.0 * 0.8, 1e-10);
    CHECK_NEAR(result(recording, "hand_speed_after"), -0.8, 1e-10);
    CHECK_NEAR(result(recording, "target_travel"), 0.0, 0.0);
    CHECK_NEAR(result(recording, "target_width"), 1.0, 0.0);
    CHECK_NEAR(result(recording, "full_impulse"), 2.0 * 4.0 * 0.8, 1e-3);
    atemi_recording_destroy(recording);
}

// A point mass at the end of an arm, which comes down on a nail.
TEST(impact, drives_a_nail)
{
    atemi_recording *recording =
        strike_on_rail("contacts: []\nstart: {joints: {swing: -90 deg}}\n"
                       "hand: {link: arm, point: [0, 0, -0.5], direction: [0, 0, -1], speed: 2}\n"
                       "target: {mass: 20 g, friction: 100 N, stiffness: 1e6, damping: 100}\n"
                       "duration: 20 ms\n",
                       &with_full);
    const double m = (2.0 * 0.25 + 0.01) / 0.25;
    CHECK_NEAR(result(recording, "virtual_mass"), m, 1e-9);
    CHECK(result(recording, "target_travel") > 0.0);
    CHECK(100.0 * result(recording, "target_travel") < 0.5 * m * 4.0);
    CHECK_NEAR(result(recording, "impulse_error"), 0.0, 0.02);
    atemi_recording_destroy(recording);
}

// ---- Beside a direct call

typedef struct direct {
    atemi_model         *model;
    atemi_arena          arena;
    atemi_virtual_base   base;
    atemi_blow_scratch   scratch;
    atemi_data          *rest;
    double               q[MOST], v[MOST], a[MOST], stiffness[MOST], damping[MOST], limits[MOST];
    int                  feet[2];
    atemi_ground         ground;
    atemi_striking_point point;
} direct;

static void direct_take(direct *d)
{
    d->base = atemi_virtual_base_take(&d->arena, d->model);
    d->scratch = atemi_blow_scratch_take(&d->arena, d->model);
}

// The robot of the scenario PUNCH, where the recording begins.
static void direct_begin(direct *d, const atemi_recording *recording)
{
    *d = (direct){.arena = atemi_arena_measuring(), .ground = atemi_ground_default()};
    CHECK_STATUS(atemi_robots_load("hrp2_like", NULL, &d->model, NULL), ATEMI_OK);
    direct_take(d);
    CHECK_STATUS(atemi_arena_create(&d->arena, d->arena.used, NULL), ATEMI_OK);
    direct_take(d);
    d->rest = data_create(d->model);
    for (int i = 0; i < atemi_model_q_count(d->model); ++i) {
        d->q[i] = atemi_recording_values(recording, 1 + i)[0];
    }
    d->feet[0] = atemi_model_find_link(d->model, "right_sole");
    d->feet[1] = atemi_model_find_link(d->model, "left_sole");
    d->ground.links = d->feet;
    d->ground.count = 2;
    d->point = (atemi_striking_point){.link = atemi_model_find_link(d->model, "right_fist"),
                                      .direction = {1.0, 0.0, 0.0}};
    CHECK_STATUS(atemi_virtual_base_update(d->model, d->q, &d->ground, &d->point, &d->base, NULL),
                 ATEMI_OK);
    for (int j = 0; j < atemi_model_joint_count(d->model); ++j) {
        const atemi_joint *joint = atemi_model_joint(d->model, j);
        if (joint->v_count == 1) {
            d->stiffness[joint->first_v] = 8000.0;
            d->damping[joint->first_v] = 400.0;
            d->limits[joint->first_v] = joint->limits.effort;
        }
    }
}

static void direct_end(direct *d)
{
    atemi_data_destroy(d->rest);
    atemi_arena_destroy(&d->arena);
    atemi_model_destroy(d->model);
}

// dJ/dt v of the fist, along x.
static double direct_drift(direct *d)
{
    atemi_update_kinematics(d->rest, d->q, d->v, d->a);
    return atemi_link_acceleration(d->rest, d->point.link).linear.x;
}

static atemi_blow_result direct_strike(direct *d, double drift)
{
    atemi_blow_setting setting = atemi_blow_setting_default();
    atemi_blow_result  r;
    setting.rates = d->v;
    setting.accelerations = d->a;
    setting.drift = drift;
    setting.servo =
        (atemi_blow_servo){.stiffness = d->stiffness, .damping = d->damping, .limits = d->limits};
    CHECK_STATUS(atemi_blow(&d->base, &setting, NULL, NULL, &d->scratch, &r, NULL), ATEMI_OK);
    return r;
}

static void check_same(const atemi_recording *recording, const atemi_blow_result *r)
{
    CHECK_NEAR(result(recording, "peak_force"), r->peak_force, 1e-9 * r->peak_force);
    CHECK_NEAR(result(recording, "impulse"), r->impulse, 1e-9 * r->impulse);
    CHECK_NEAR(result(recording, "contact_time"), r->contact_time, 1e-9 * r->contact_time);
    CHECK_NEAR(result(recording, "hand_speed_after"), r->hand_speed, 1e-9);
    CHECK_NEAR(result(recording, "target_travel"), r->target_travel, 1e-9);
    CHECK_EQUAL_INT((int)result(recording, "servos_at_limit"), r->saturated);
}

// The reference goes on so that the fist keeps its velocity: n . (J a + dJ/dt v) = 0.
TEST(impact, has_the_results_of_a_direct_call)
{
    atemi_recording *recording = strike(PUNCH HAND, NULL);
    direct           d;
    direct_begin(&d, recording);
    atemi_virtual_base_rates(&d.base, 0.7, d.v);
    atemi_virtual_base_rates(&d.base, -direct_drift(&d), d.a);
    const atemi_blow_result r = direct_strike(&d, 0.0);
    check_same(recording, &r);
    CHECK_NEAR(result(recording, "virtual_mass"), atemi_virtual_mass(&d.base), 1e-9);
    direct_end(&d);
    atemi_recording_destroy(recording);
}

// Rates that would move the feet are changed so that they do not; the joints keep what is left.
TEST(impact, by_rates_of_joints_keeps_the_feet_at_rest)
{
    atemi_recording *recording =
        strike("robot: hrp2_like\n"
               "start:\n"
               "  posture: punch_6kg\n"
               "  place_on: floor\n"
               "  joint_velocities: {right_elbow: -3, right_knee: 0.5, right_shoulder_pitch: -1}\n"
               "contacts: [{site: right_sole}, {site: left_sole}]\n"
               "servo: {stiffness: 8000, damping: 400}\n"
               "joint_friction: false\n"
               "hand: {site: right_fist}\n",
               &with_full);
    direct d;
    direct_begin(&d, recording);
    for (int i = 0; i < atemi_model_v_count(d.model); ++i) {
        d.v[i] = atemi_recording_values(recording, 1 + atemi_model_q_count(d.model) + i)[0];
    }
    const double drift = direct_drift(&d);
    for (int k = 0; k < 2; ++k) {
        const atemi_motion moves = atemi_link_velocity(d.rest, d.feet[k]);
        CHECK_NEAR(atemi_vec3_norm(moves.linear), 0.0, 1e-9);
        CHECK_NEAR(atemi_vec3_norm(moves.angular), 0.0, 1e-9);
    }
    CHECK(result(recording, "hand_speed_before") > 0.1);
    CHECK(fabs(drift) > 0.1);
    const atemi_blow_result r = direct_strike(&d, drift);
    check_same(recording, &r);
    CHECK_NEAR(result(recording, "impulse_error"), 0.0, 0.05);
    direct_end(&d);
    atemi_recording_destroy(recording);
}

// ---- What bears it

static void add_load(direct *d, int link, atemi_vec3 at, atemi_vec3 force, atemi_force *loads)
{
    const atemi_transform pose = atemi_link_pose(d->rest, link);
    const atemi_vec3      arm = atemi_vec3_sub(at, pose.position);
    loads[link].linear = atemi_vec3_add(loads[link].linear, force);
    loads[link].angular = atemi_vec3_add(loads[link].angular, atemi_vec3_cross(arm, force));
}

static atemi_vec3 vector_of(const atemi_recording *recording, const char *prefix, int row)
{
    char   name[200];
    double x[3];
    for (int i = 0; i < 3; ++i) {
        snprintf(name, sizeof name, "%s_%c", prefix, "xyz"[i]);
        x[i] = column(recording, name)[row];
    }
    return (atemi_vec3){x[0], x[1], x[2]};
}

// By inverse dynamics with the recorded forces of ground and target, in the posture of first touch:
// the recorded torques come out, and the base needs none.
static void check_balance(direct *d, const atemi_recording *recording, int row, double tolerance)
{
    const int   nq = atemi_model_q_count(d->model), nv = atemi_model_v_count(d->model);
    atemi_force loads[MOST] = {0};
    double      tau[MOST];
    for (int i = 0; i < nv; ++i) {
        d->v[i] = atemi_recording_values(recording, 1 + nq + i)[row];
        d->a[i] = atemi_recording_values(recording, 1 + nq + nv + i)[row];
    }
    atemi_update_kinematics(d->rest, d->q, NULL, NULL);
    for (int k = 0; k < 8; ++k) {
        char name[2][100];
        snprintf(name[0], sizeof name[0], "contact.%s.%d.position",
                 k < 4 ? "right_sole" : "left_sole", k % 4);
        snprintf(name[1], sizeof name[1], "contact.%s.%d.force", k < 4 ? "right_sole" : "left_sole",
                 k % 4);
        add_load(d, d->feet[k / 4], vector_of(recording, name[0], row),
                 vector_of(recording, name[1], row), loads);
    }
    add_load(d, d->point.link, atemi_link_pose(d->rest, d->point.link).position,
             (atemi_vec3){-column(recording, "force.estimate")[row], 0.0, 0.0}, loads);
    atemi_inverse_dynamics(d->rest, d->q, d->v, d->a, loads, tau);
    for (int i = 0; i < nv; ++i) {
        CHECK_NEAR(tau[i], atemi_recording_values(recording, 1 + nq + 2 * nv + i)[row], tolerance);
    }
    const int         elbow = atemi_model_find_joint(d->model, "right_elbow");
    const atemi_force wrench = atemi_joint_wrench(d->rest, elbow);
    CHECK_NEAR(wrench.linear.x, column(recording, "wrench.right_elbow.force_x")[row], tolerance);
    CHECK_NEAR(wrench.angular.y, column(recording, "wrench.right_elbow.moment_y")[row], tolerance);
}

// The estimate keeps the centrifugal forces of first touch: what they change by remains.
TEST(impact, records_forces_and_torques_that_balance)
{
    atemi_recording *recording = strike(PUNCH HAND, NULL);
    direct           d;
    direct_begin(&d, recording);
    const int rows = atemi_recording_row_count(recording);
    check_balance(&d, recording, 0, 1e-6);
    check_balance(&d, recording, rows / 3, 1.0);
    check_balance(&d, recording, rows - 1, 1.0);
    direct_end(&d);
    atemi_recording_destroy(recording);
}

TEST(impact, shows_what_each_joint_bears)
{
    atemi_recording            *recording = strike(PUNCH HAND, NULL);
    const atemi_recorded_table *joints = table(recording, "joints");
    const double               *torque = column(recording, "wrench.right_elbow.force_x");
    CHECK(joints && joints->row_count == 30 && torque);
    bool found = false;
    for (int i = 0; i < joints->row_count; ++i) {
        found = found || strcmp(joints->labels[i], "right_elbow") == 0;
        CHECK(cell(joints, i, "force in the joint") > 0.0);
        CHECK(cell(joints, i, "servo, largest") <= cell(joints, i, "limit") * (1.0 + 1e-9));
    }
    CHECK(found);
    atemi_recording_destroy(recording);
}

// ---- Ways

TEST(impact, shows_its_ways_beside_each_other)
{
    atemi_recording            *recording = strike(PUNCH HAND, &with_full);
    const atemi_recorded_table *ways = table(recording, "ways");
    static const char *const    labels[] = {"estimate", "as published", "virtual mass",
                                            "full dynamics"};
    static const char *const    names[] = {"impulse", "published_impulse", "virtual_mass_impulse",
                                           "full_impulse"};
    CHECK_EQUAL_INT(ways->row_count, 4);
    for (int i = 0; i < 4; ++i) {
        CHECK_EQUAL_STRING(ways->labels[i], labels[i]);
        CHECK_NEAR(cell(ways, i, "impulse"), result(recording, names[i]), 0.0);
    }
    CHECK_NEAR(cell(ways, 0, "impulse off"), 100.0 * result(recording, "impulse_error"), 1e-9);
    CHECK_NEAR(cell(ways, 0, "impulse off"), 0.0, 1.0);
    CHECK_NEAR(cell(ways, 3, "impulse off"), 0.0, 0.0);
    CHECK(isnan(cell(ways, 0, "lift-offs")));
    atemi_recording_destroy(recording);
}

TEST(impact, without_full_dynamics_has_three_ways)
{
    atemi_recording *recording = strike(PUNCH HAND, NULL);
    CHECK_EQUAL_INT(table(recording, "ways")->row_count, 3);
    CHECK(!has_result(recording, "full_impulse"));
    CHECK_EQUAL_INT(atemi_recording_find_channel(recording, "force.full"), ATEMI_NONE);
    atemi_recording_destroy(recording);
    recording = strike(PUNCH HAND "full_dynamics: {run: true}\n", NULL);
    CHECK_EQUAL_INT(table(recording, "ways")->row_count, 4);
    CHECK(atemi_recording_find_channel(recording, "force.full") != ATEMI_NONE);
    atemi_recording_destroy(recording);
}

// Two masses are solved for springs only.
TEST(impact, by_hunt_and_crossley_has_no_row_of_the_virtual_mass)
{
    atemi_recording *recording =
        strike(PUNCH HAND "target: {law: hunt_crossley, hertz_stiffness: 1e5, dissipation: 0.3}\n",
               &with_full);
    const atemi_recorded_table *ways = table(recording, "ways");
    CHECK_EQUAL_INT(ways->row_count, 3);
    CHECK_EQUAL_STRING(ways->labels[1], "as published");
    CHECK_EQUAL_STRING(ways->labels[2], "full dynamics");
    CHECK(isnan(result(recording, "virtual_mass_impulse")));
    CHECK(isnan(column(recording, "force.virtual_mass")[0]));
    CHECK_NEAR(result(recording, "impulse_error"), 0.0, 0.02);
    atemi_recording_destroy(recording);
}

TEST(impact, of_heavy_feet_is_that_of_fixed_ones)
{
    atemi_recording *fixed = strike(PUNCH HAND, NULL);
    atemi_recording *heavy = strike(PUNCH HAND "grounding: {kind: heavy}\n", NULL);
    CHECK_NEAR(result(heavy, "impulse"), result(fixed, "impulse"), 1e-2);
    CHECK(result(heavy, "impulse") != result(fixed, "impulse"));
    atemi_recording_destroy(fixed);
    atemi_recording_destroy(heavy);
}

TEST(impact, lets_joint_friction_act_unless_told_otherwise)
{
    atemi_recording *rough = strike_on_rail("contacts: []\nhand: {link: fist, speed: 0.8}\n", NULL);
    atemi_recording *smooth = strike_on_rail(
        "contacts: []\nhand: {link: fist, speed: 0.8}\njoint_friction: false\n", NULL);
    CHECK(result(rough, "impulse") < result(smooth, "impulse") - 0.01);
    atemi_recording_destroy(rough);
    atemi_recording_destroy(smooth);
}

TEST(impact, tells_which_servos_reach_their_limit)
{
    atemi_recording *recording =
        strike_on_rail("contacts: []\nhand: {link: fist, speed: 0.8}\n"
                       "servo: {slide_stiffness: 1e5, slide_damping: 100, force_limits: 10}\n",
                       &with_full);
    const atemi_recorded_table *joints = table(recording, "joints");
    CHECK_EQUAL_INT((int)result(recording, "servos_at_limit"), 1);
    CHECK_EQUAL_STRING(joints->labels[0], "slide");
    CHECK_NEAR(cell(joints, 0, "limit"), 10.0, 0.0);
    CHECK_NEAR(cell(joints, 0, "at its limit"), 1.0, 0.0);
    CHECK_NEAR(cell(joints, 1, "at its limit"), 0.0, 0.0);
    CHECK(isnan(cell(joints, 1, "limit")));
    CHECK_NEAR(result(recording, "impulse_error"), 0.0, 0.01);
    atemi_recording_destroy(recording);
}

// ---- Ends

TEST(impact, of_a_hand_that_goes_away_is_none)
{
    atemi_recording *recording =
        strike(PUNCH "hand: {site: right_fist, speed: -0.5}\n", &with_full);
    CHECK_EQUAL_INT((int)result(recording, "completed"), 0);
    CHECK_NEAR(result(recording, "impulse"), 0.0, 0.0);
    CHECK_NEAR(result(recording, "full_impulse"), 0.0, 0.0);
    CHECK_CONTAINS(atemi_recording_outcome(recording), "moves away from the target at 0.5 m/s");
    atemi_recording_destroy(recording);
    recording = strike(PUNCH "hand: {site: right_fist}\n", NULL);
    CHECK_EQUAL_INT((int)result(recording, "completed"), 0);
    CHECK_CONTAINS(atemi_recording_outcome(recording), "the hand is at rest: there is no blow");
    atemi_recording_destroy(recording);
}

TEST(impact, says_where_hand_and_target_still_touch)
{
    atemi_recording *recording = strike_on_rail(PLAIN "duration: 10 ms\n", &with_full);
    CHECK_NEAR(result(recording, "contact_time"), 0.01, 1e-12);
    CHECK_NEAR(result(recording, "released"), 0.0, 0.0);
    CHECK_CONTAINS(atemi_recording_outcome(recording), "still touch");
    CHECK_EQUAL_INT(atemi_recording_row_count(recording), 21);
    CHECK(isfinite(column(recording, "force.full")[20]));
    atemi_recording_destroy(recording);
}

TEST(impact, describes_itself)
{
    size_t           size;
    atemi_recording *recording = strike(PUNCH HAND, NULL);
    CHECK_EQUAL_STRING(atemi_recording_job(recording), "impact");
    CHECK_EQUAL_STRING(atemi_recording_robot(recording)->name, "hrp2_like");
    CHECK_EQUAL_STRING(atemi_recording_scenario(recording, &size), PUNCH HAND);
    CHECK_CONTAINS(atemi_recording_urdf(recording, &size), "<robot name=\"hrp2_like\"");
    CHECK_EQUAL_INT(atemi_recording_surface_count(recording), 1);
    atemi_recording_destroy(recording);
}

// ---- Sweeps

static const char sweep_text[] = PLAIN "sweep: {speeds: [0.5, 1], target_masses: [2, inf],"
                                       "        stiffnesses: [1e4, 2e4, 4e4]}\n";

// Stiffnesses change fastest, then masses, then speeds.
TEST(impact, sweeps_every_value_with_every_other)
{
    atemi_recording            *recording = strike_on_rail(sweep_text, &with_sweep);
    const atemi_recorded_table *sweep = table(recording, "sweep");
    CHECK(sweep && sweep->row_count == 2 * 2 * 3 && !sweep->labels);
    for (int i = 0; i < sweep->row_count; ++i) {
        const double v = i < 6 ? 0.5 : 1.0, k = 1e4 * pow(2.0, i % 3);
        const bool   wall = i / 3 % 2 == 1;
        const double mu = wall ? 4.0 : 4.0 * 2.0 / 6.0;
        CHECK_NEAR(cell(sweep, i, "speed"), v, 1e-12);
        CHECK(wall ? isnan(cell(sweep, i, "target")) : cell(sweep, i, "target") == 2.0);
        CHECK_NEAR(cell(sweep, i, "stiffness"), k, 0.0);
        CHECK_NEAR(cell(sweep, i, "impulse"), 2.0 * mu * v, 1e-10);
        CHECK_NEAR(cell(sweep, i, "peak force"), v * sqrt(k * mu), 1e-8);
        CHECK(isnan(cell(sweep, i, "full impulse")));
    }
    CHECK_NEAR(result(recording, "virtual_mass"), 4.0, 1e-12);
    CHECK_NEAR(result(recording, "hand_speed_before"), 0.8, 1e-12);
    atemi_recording_destroy(recording);
}

TEST(impact, sweeps_postures_slowest_and_by_name)
{
    atemi_recording *recording =
        strike(PUNCH HAND "sweep: {postures: [punch_8kg, punch_4kg],"
                          "        speeds: [0.4, 0.7]}\n",
               &(atemi_job_options){.flags = ATEMI_IMPACT_BY_FULL_DYNAMICS | ATEMI_IMPACT_SWEEP});
    const atemi_recorded_table *sweep = table(recording, "sweep");
    static const double         masses[] = {8.0, 8.0, 4.0, 4.0};
    CHECK_EQUAL_INT(sweep->row_count, 4);
    for (int i = 0; i < 4; ++i) {
        CHECK_EQUAL_STRING(sweep->labels[i], i < 2 ? "punch_8kg" : "punch_4kg");
        CHECK_NEAR(cell(sweep, i, "speed"), i % 2 ? 0.7 : 0.4, 1e-9);
        CHECK_NEAR(cell(sweep, i, "virtual mass"), masses[i], 0.1);
        CHECK_NEAR(cell(sweep, i, "full impulse"), cell(sweep, i, "impulse"), 0.05);
        CHECK(isfinite(cell(sweep, i, "ZMP margin")));
    }
    atemi_recording_destroy(recording);
}

// Its own case stands in the sweep as it stands alone.
TEST(impact, sweeps_to_the_results_of_single_runs)
{
    atemi_recording *recording =
        strike(PUNCH HAND "sweep: {postures: [punch_8kg, punch_6kg]}\n", &with_sweep);
    const atemi_recorded_table *sweep = table(recording, "sweep");
    CHECK_NEAR(cell(sweep, 1, "impulse"), result(recording, "impulse"), 1e-12);
    CHECK_NEAR(cell(sweep, 1, "virtual mass"), result(recording, "virtual_mass"), 1e-12);
    CHECK_NEAR(cell(sweep, 1, "impulse published"), result(recording, "published_impulse"), 1e-12);
    CHECK_NEAR(cell(sweep, 1, "ZMP margin"), result(recording, "least_zmp_margin"), 2e-3);
    atemi_recording_destroy(recording);
}

// The fist is on a rail: it feels like 4 kg at every place, both ways, and cannot move across; the
// rail ends at 9 m.
TEST(impact, sweeps_places_and_directions_of_the_hand)
{
    atemi_recording *recording = strike_on_rail(
        PLAIN "sweep: {places: {from: [-5, 0, 0], to: [10, 0, 0], counts: [4, 1, 1]},"
              "        directions: [[2, 0, 0], [-1, 0, 0], [0, 1, 0]], speeds: [0.5, 1]}\n",
        &with_sweep);
    const atemi_recorded_table *sweep = table(recording, "sweep");
    static const double         along[] = {1.0, -1.0, 0.0};
    CHECK_EQUAL_INT(sweep->row_count, 4 * 3 * 2);
    for (int i = 0; i < sweep->row_count; ++i) {
        const int    place = i / 6, direction = i / 2 % 3;
        const double v = i % 2 ? 1.0 : 0.5, mu = 4.0 * 5.0 / 9.0;
        const bool   hits = place < 3 && direction < 2;
        CHECK_NEAR(cell(sweep, i, "x"), -5.0 + 5.0 * place, 1e-12);
        CHECK_NEAR(cell(sweep, i, "direction x"), along[direction], 1e-15);
        CHECK(cell(sweep, i, "reached") == (hits ? 1.0 : 0.0));
        CHECK(hits || (isnan(cell(sweep, i, "impulse")) && isnan(cell(sweep, i, "speed"))));
        if (hits) {
            CHECK_NEAR(cell(sweep, i, "virtual mass"), 4.0, 1e-9);
            CHECK_NEAR(cell(sweep, i, "impulse"), 2.0 * mu * v, 1e-9);
        }
    }
    atemi_recording_destroy(recording);
}

// The place where the hand is gives its own blow again; a place in a grid the blow of that place
// alone, to the bit: none depends on those before it.
TEST(impact, sweeps_a_place_as_if_it_were_alone)
{
    char             text[1000];
    atemi_recording *one = strike(PUNCH HAND "sweep: {directions: [[1, 0, 0]]}\n", &with_sweep);
    const double     x = cell(table(one, "sweep"), 0, "x"), y = cell(table(one, "sweep"), 0, "y"),
                 z = cell(table(one, "sweep"), 0, "z");
    snprintf(text, sizeof text,
             PUNCH HAND "sweep: {places: {from: [%.17g, %.17g, %.17g], to: [%.17g, %.17g, %.17g],"
                        " counts: [2, 1, 2]}}\n",
             x, y, z, x - 0.05, y, z + 0.05);
    atemi_recording            *grid = strike(text, &with_sweep);
    const atemi_recorded_table *sweep = table(grid, "sweep");
    CHECK_NEAR(cell(sweep, 0, "virtual mass"), result(one, "virtual_mass"), 1e-9);
    CHECK_NEAR(cell(sweep, 0, "impulse"), result(one, "impulse"), 1e-9);
    snprintf(text, sizeof text,
             PUNCH HAND "sweep: {places: {from: [%.17g, %.17g, %.17g], to: [0, 0, 0],"
                        " counts: [1, 1, 1]}}\n",
             x - 0.05, y, z + 0.05);
    atemi_recording *alone = strike(text, &with_sweep);
    CHECK(cell(sweep, 3, "reached") == 1.0);
    CHECK(cell(sweep, 3, "virtual mass") == cell(table(alone, "sweep"), 0, "virtual mass"));
    CHECK(fabs(cell(sweep, 3, "virtual mass") - result(one, "virtual_mass")) > 1e-3);
    CHECK(isfinite(cell(sweep, 3, "ZMP margin")));
    atemi_recording_destroy(one);
    atemi_recording_destroy(grid);
    atemi_recording_destroy(alone);
}

// One map a direction, over the two finest axes of the grid.
TEST(impact, maps_the_reach_of_the_hand)
{
    atemi_recording *recording =
        strike(PUNCH HAND "sweep: {places: {from: [0.3, -0.3, 0.8], to: [0.4, -0.1, 3],"
                          " counts: [2, 3, 4]}, directions: [[1, 0, 0], [0, 0, -1]],"
                          " speeds: [0.7, 1]}\n",
               &with_sweep);
    const atemi_recorded_table *sweep = table(recording, "sweep"), *map = table(recording, "map_2");
    CHECK(has_table(recording, "map_1") && !has_table(recording, "map_3"));
    CHECK_EQUAL_INT(map->row_count, 2 * 3 * 4);
    CHECK(map->plot.is_map && map->plot.x == 1 && map->plot.series == 2 && map->plot.tile == 0);
    for (int i = 0; i < map->row_count; ++i) {
        const double force = cell(map, i, "peak force"),
                     same = cell(sweep, 4 * i + 2, "peak force");
        CHECK(force == same || (isnan(force) && isnan(same)));
        CHECK(cell(map, i, "z") == cell(sweep, 4 * i + 2, "z"));
    }
    CHECK(cell(map, 23, "reached") == 0.0); // 3 m is too high
    atemi_recording_destroy(recording);
}

// Places, directions and speeds by one thread, and by more than there are processors.
TEST(impact, sweeps_to_the_same_bits_for_any_number_of_threads)
{
    static const int         threads[] = {1, 2, 3, 7};
    static const char *const texts[] = {
        PUNCH HAND "sweep: {places: {from: [0.3, -0.3, 0.8], to: [0.4, -0.1, 3],"
                   " counts: [2, 2, 4]}, directions: [[1, 0, 0], [0, 0, -1]], speeds: [0.7, 1]}\n",
        PUNCH HAND "full_dynamics: {run: true}\n"
                   "sweep: {postures: [punch_4kg, punch_8kg], target_masses: [1, 2, inf]}\n"};
    for (int k = 0; k < 2; ++k) {
        atemi_recording *first = NULL;
        for (int i = 0; i < 4; ++i) {
            const atemi_job_options options = {.flags = ATEMI_IMPACT_SWEEP,
                                               .hooks = {.threads = threads[i]}};
            atemi_recording        *recording = strike(texts[k], &options);
            first = first ? first : recording;
            const atemi_recorded_table *a = table(first, "sweep"), *b = table(recording, "sweep");
            const int                   count = a->row_count * a->column_count;
            CHECK_EQUAL_INT(b->row_count, k ? 6 : 2 * 2 * 4 * 2 * 2);
            CHECK(memcmp(a->values, b->values, (size_t)count * sizeof *a->values) == 0);
            CHECK(!k || strcmp(b->labels[5], "punch_8kg") == 0);
            if (recording != first) {
                atemi_recording_destroy(recording);
            }
        }
        atemi_recording_destroy(first);
    }
}

static bool stop_half_way(void *context, double done)
{
    double *before = (double *)context;
    CHECK(done >= *before && done <= 1.0);
    *before = done;
    return done < 0.5;
}

static bool stop_at_tenth(void *context, double done)
{
    CHECK(done >= 0.0 && done <= 1.0);
    return ++*(int *)context < 10;
}

TEST(impact, can_be_interrupted_and_keeps_the_cases_until_then)
{
    char                    text[1000];
    double                  done = 0.0;
    atemi_recording        *recording;
    const atemi_job_options stopped = {
        .flags = ATEMI_IMPACT_SWEEP,
        .hooks = {.progress = stop_half_way, .context = &done, .threads = 1}};
    snprintf(text, sizeof text, "%s", PUNCH HAND "sweep: {speeds: [0.1, 0.2, 0.3, 0.4]}\n");
    CHECK_STATUS(atemi_job_run_text("impact", text, strlen(text), NULL, &stopped, &recording, NULL),
                 ATEMI_OK);
    CHECK_EQUAL_INT(table(recording, "sweep")->row_count, 2);
    CHECK_EQUAL_INT((int)result(recording, "completed"), 0);
    CHECK_EQUAL_STRING(atemi_recording_outcome(recording), "the sweep was interrupted");
    CHECK(result(recording, "impulse") > 1.0);
    atemi_recording_destroy(recording);
}

// How many cases are done when the user stops it is chance; what is kept are the first ones, as
// they are without an interruption.
TEST(impact, can_be_interrupted_in_several_threads)
{
    static const char text[] = PUNCH HAND
        "sweep: {speeds: [0.1, 0.2, 0.3, 0.4], target_masses: [1, 2, 3, 4, 5, 6, 7, 8]}\n";
    double                  done = 0.0;
    atemi_recording        *recording, *whole = strike(text, &with_sweep);
    const atemi_job_options stopped = {
        .flags = ATEMI_IMPACT_SWEEP,
        .hooks = {.progress = stop_half_way, .context = &done, .threads = 3}};
    CHECK_STATUS(atemi_job_run_text("impact", text, strlen(text), NULL, &stopped, &recording, NULL),
                 ATEMI_OK);
    const atemi_recorded_table *some = table(recording, "sweep"), *all = table(whole, "sweep");
    const int                   count = some->row_count * some->column_count;
    CHECK_EQUAL_INT(all->row_count, 32);
    CHECK(some->row_count <= 32);
    CHECK(memcmp(some->values, all->values, (size_t)count * sizeof *all->values) == 0);
    CHECK_EQUAL_STRING(atemi_recording_outcome(recording), "the sweep was interrupted");
    atemi_recording_destroy(recording);
    atemi_recording_destroy(whole);
}

// A nail that the hand goes on to press for ten seconds, by steps of 0.1 ms.
TEST(impact, can_be_interrupted_within_a_blow)
{
    static const char text[] = PUNCH "hand: {site: right_fist, direction: [0, 0, -1], speed: 1}\n"
                                     "target: {mass: 0.2, friction: 150, law: kelvin_voigt,"
                                     "         stiffness: 1e5, damping: 200}\n"
                                     "duration: 10\n"
                                     "record: {every: 0.01}\n";
    int               asked = 0;
    atemi_recording  *recording;
    const atemi_job_options stopped = {.hooks = {.progress = stop_at_tenth, .context = &asked}};
    CHECK_STATUS(atemi_job_run_text("impact", text, strlen(text), NULL, &stopped, &recording, NULL),
                 ATEMI_OK);
    CHECK_EQUAL_INT(asked, 10);
    CHECK_EQUAL_INT((int)result(recording, "completed"), 0);
    CHECK_EQUAL_STRING(atemi_recording_outcome(recording), "interrupted in the blow");
    atemi_recording_destroy(recording);
}

// A needle in the leg that weighs nothing beside a foot of 1e5 kg: the robot is singular as
// published, and only so. With its foot fixed the fist feels like its 4 kg.
TEST(impact, as_published_is_absent_where_the_robot_is_singular_so)
{
    static const char urdf[] =
        "<robot name='needle'>"
        "<link name='trunk'><inertial><mass value='30'/>"
        "<inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial></link>"
        "<joint name='leg' type='prismatic'><parent link='trunk'/><child link='needle'/>"
        "<axis xyz='0 1 0'/><limit lower='-9' upper='9' effort='50' velocity='9'/></joint>"
        "<link name='needle'><inertial><mass value='1e-12'/>"
        "<inertia ixx='1e-17' ixy='0' ixz='0' iyy='1e-17' iyz='0' izz='1e-17'/></inertial></link>"
        "<joint name='eye' type='prismatic'><parent link='needle'/><child link='foot'/>"
        "<axis xyz='0 1 0'/><limit lower='-9' upper='9' effort='50' velocity='9'/></joint>"
        "<link name='foot'><inertial><mass value='1'/>"
        "<inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial></link>"
        "<joint name='slide' type='prismatic'><parent link='trunk'/><child link='fist'/>"
        "<axis xyz='1 0 0'/><limit lower='-9' upper='9' effort='50' velocity='9'/></joint>"
        "<link name='fist'><inertial><mass value='4'/>"
        "<inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial></link>"
        "</robot>";
    static const char text[] = "robot: robot.urdf\nbase: floating\n"
                               "hand: {link: fist, speed: 0.8}\n"
                               "contacts: [{link: foot, points: [[0.2, 0.2, 0], [-0.2, 0.2, 0],"
                               " [0, -0.2, 0]]}]\n"
                               "target: {mass: 5, stiffness: 2e4, damping: 0}\n";
    const folder      place = folder_create();
    folder_put(folder_path(place.path, "robot.urdf"), urdf);
    atemi_recording *recording = strike_in(folder_path(place.path, "test.yaml"), text, NULL);
    CHECK(isnan(result(recording, "published_impulse")));
    CHECK_NEAR(result(recording, "virtual_mass"), 4.0, 1e-9);
    CHECK_NEAR(result(recording, "impulse"), 2.0 * 4.0 * 5.0 / 9.0 * 0.8, 1e-9);
    atemi_recording_destroy(recording);
    folder_remove(place.path);
}

TEST(impact, does_not_sweep_unless_asked)
{
    atemi_recording *recording = strike_on_rail(sweep_text, NULL);
    CHECK(!has_table(recording, "sweep"));
    atemi_recording_destroy(recording);
}

// ---- Shipped scenarios, explanations, memory

TEST(impact, of_the_shipped_scenarios_is_told_within_a_few_percent)
{
    static const char *const names[] = {"punch", "nail", "wall"};
    for (int i = 0; i < 3; ++i) {
        char             path[500];
        atemi_recording *recording = NULL;
        atemi_error      error = {0};
        snprintf(path, sizeof path, SCENARIOS "%s.yaml", names[i]);
        const atemi_status status = atemi_job_run("impact", path, &with_full, &recording, &error);
        CHECK_EQUAL_STRING(error.message, "");
        CHECK_STATUS(status, ATEMI_OK);
        CHECK_EQUAL_INT((int)result(recording, "completed"), 1);
        CHECK_NEAR(result(recording, "impulse_error"), 0.0, 0.03);
        CHECK_NEAR(result(recording, "peak_force_error"), 0.0, 0.03);
        CHECK(result(recording, "least_zmp_margin") > 0.02);
        CHECK_EQUAL_INT((int)result(recording, "full_lift_offs"), 0);
        atemi_recording_destroy(recording);
    }
}

TEST(impact, explains_every_key_without_a_scenario)
{
    static const char *const keys[] = {
        "robot:",    "contacts:",  "start:",         "hand:",          "direction:",
        "speed:",    "servo:",     "torque_limits:", "target:",        "hertz_stiffness",
        "friction:", "grounding:", "duration:",      "full_dynamics:", "record:",
        "sweep:",    "postures:",  "joint_friction:"};
    char *text;
    CHECK_STATUS(job_impact_explain(NULL, &text, NULL), ATEMI_OK);
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; ++i) {
        CHECK_CONTAINS(text, keys[i]);
    }
    atemi_release(text);
}

TEST(impact, is_explained_by_a_scenario_that_says_the_same)
{
    char *text;
    CHECK_STATUS(job_impact_explain(SCENARIOS "punch.yaml", &text, NULL), ATEMI_OK);
    atemi_recording *again = strike(text, &with_sweep), *first = NULL;
    CHECK_STATUS(atemi_job_run("impact", SCENARIOS "punch.yaml", &with_sweep, &first, NULL),
                 ATEMI_OK);
    CHECK_NEAR(result(again, "impulse"), result(first, "impulse"), 0.0);
    CHECK_EQUAL_INT(table(again, "sweep")->row_count, table(first, "sweep")->row_count);
    atemi_release(text);
    atemi_recording_destroy(again);
    atemi_recording_destroy(first);
}

TEST(impact, survives_that_memory_runs_out)
{
    static const char text[] = "robot: two_link\ncontacts: []\nstart: {posture: start}\n"
                               "hand: {site: tip, direction: [0, 1, 0], speed: 1}\n"
                               "duration: 2 ms\nfull_dynamics: {run: true}\nsweep: {speeds: [1]}\n";
    bool              failed = true;
    for (int n = 1; failed; ++n) {
        atemi_recording *recording = NULL;
        atemi_error      error = {0};
        failing_allocator_install(n);
        const atemi_status status =
            atemi_job_run_text("impact", text, strlen(text), NULL, &with_sweep, &recording, &error);
        failed = failing_allocator_failed();
        CHECK_EQUAL_INT(status != ATEMI_OK, failed);
        CHECK(!failed || (!recording && strlen(error.message) > 0));
        atemi_recording_destroy(recording);
        failing_allocator_remove();
        CHECK_EQUAL_INT(failing_allocator_outstanding(), 0);
    }
}
