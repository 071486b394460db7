// SPDX-License-Identifier: Apache-2.0

#include "allocations.h"
#include "atemi/biped.h"
#include "atemi/kinematics.h"
#include "atemi/robots.h"
#include "check.h"
#include "random.h"

#include <math.h>
#include <string.h>

// hrp2_like on the simulation: what the estimator says beside where the base is.

enum { MOST = 64 };

static atemi_model *load(void)
{
    atemi_model *model;
    CHECK_STATUS(atemi_robots_load("hrp2_like", NULL, &model, NULL), ATEMI_OK);
    return model;
}

typedef struct rig {
    atemi_model          *model;
    atemi_arena           arena;
    atemi_base_estimator *estimator;
    const atemi_humanoid *humanoid;
    random_stream         stream;
    double                noise;              ///< scale of what follows
    double                place, tilt, speed; ///< largest errors
    double                start[MOST];
    long                  ticks;
} rig;

static void make_with(rig *r, const atemi_humanoid *humanoid,
                      const atemi_base_estimator_options *options)
{
    atemi_arena measuring = atemi_arena_measuring();
    atemi_base_estimator_take(&measuring, r->model, humanoid, options);
    CHECK_STATUS(atemi_arena_create(&r->arena, measuring.used, NULL), ATEMI_OK);
    r->estimator = atemi_base_estimator_take(&r->arena, r->model, humanoid, options);
    CHECK(r->estimator != NULL);
    atemi_base_estimator_start(r->estimator, r->start);
}

static void make(rig *r, const atemi_humanoid *humanoid)
{
    make_with(r, humanoid, NULL);
}

static double some(rig *r, double deviation)
{
    return r->noise * deviation * random_uniform(&r->stream, -1.7320508, 1.7320508);
}

static bool follow(void *context, const atemi_biped_walk *walk)
{
    rig                  *r = (rig *)context;
    atemi_simulation     *s = (atemi_simulation *)atemi_biped_walk_simulation(walk); // to be asked
    const double         *q = atemi_simulation_q(s), *v = atemi_simulation_v(s);
    double                joint_q[MOST], joint_v[MOST], found_q[MOST], found_v[MOST];
    const atemi_transform place = atemi_transform_identity();
    atemi_base_senses     senses = {.q = joint_q, .v = joint_v};
    if (!r->estimator) {
        make(r, atemi_biped_humanoid(atemi_biped_walk_controller(walk)));
    }
    memcpy(joint_q, q, (size_t)atemi_model_q_count(r->model) * sizeof *q);
    memcpy(joint_v, v, (size_t)atemi_model_v_count(r->model) * sizeof *v);
    for (int i = 7; i < atemi_model_q_count(r->model); ++i) {
        joint_q[i] += some(r, 1e-4);
        joint_v[i - 1] += some(r, 0.01);
    }
    for (int i = 0; i < 7; ++i) { // the base is not known
        joint_q[i] = i < 6 ? 0.1 * i : 1.0;
    }
    senses.imu = atemi_simulation_imu(s, 0, &place);
    senses.imu.angular_velocity.x += some(r, 0.002);
    senses.imu.angular_velocity.y += some(r, 0.002);
    senses.imu.specific_force.z += some(r, 0.05);
    for (int i = 0; i < ATEMI_BIPED_POINTS; ++i) {
        senses.forces[i / ATEMI_SOLE_CORNERS] += atemi_simulation_force(s, i).z;
    }
    atemi_base_estimator_update(r->estimator, 1e-3, &senses, found_q, found_v);
    const atemi_quaternion a = {q[3], q[4], q[5], -q[6]};
    const atemi_quaternion b = {found_q[3], found_q[4], found_q[5], found_q[6]};
    const atemi_vec3       turn = atemi_quaternion_log(atemi_quaternion_multiply(a, b));
    r->tilt = fmax(r->tilt, 3.14159265358979 - fabs(3.14159265358979 - atemi_vec3_norm(turn)));
    for (int i = 0; i < 3; ++i) {
        r->place = fmax(r->place, fabs(found_q[i] - q[i]));
        r->speed = fmax(r->speed, fabs(found_v[i] - v[i]));
        CHECK(found_q[7 + i] == joint_q[7 + i]);
    }
    return ++r->ticks > 0;
}

static rig walk(double noise, long steps)
{
    rig                     r = {.noise = noise, .stream = random_seeded(3)};
    atemi_biped_task        task = atemi_biped_task_default();
    const atemi_biped_hooks hooks = {.tick = follow, .context = &r};
    atemi_biped_walk       *w;
    task.steps = steps;
    r.model = load();
    CHECK_STATUS(atemi_biped_walk_create(r.model, &task, NULL, &hooks, &w, NULL), ATEMI_OK);
    atemi_biped_posture(atemi_biped_walk_controller(w), r.start);
    CHECK_STATUS(atemi_biped_walk_run(w, NULL), ATEMI_OK);
    CHECK(r.ticks > 500 * steps);
    atemi_biped_walk_destroy(w);
    atemi_arena_destroy(&r.arena);
    atemi_model_destroy(r.model);
    return r;
}

// What is left without noise: feet that land slide and roll by a little, which the filter takes
// for standing, 10 steps of about a millimetre.
TEST(base_estimator, follows_a_walk_of_10_steps_within_a_centimetre)
{
    const rig r = walk(0.0, 10);
    CHECK(r.place < 0.01);
    CHECK(r.speed < 0.05);
    CHECK(r.tilt < 0.01);
}

TEST(base_estimator, stands_the_noise_of_data_sheets)
{
    const rig r = walk(1.0, 10);
    CHECK(r.place < 0.03);
    CHECK(r.speed < 0.1);
    CHECK(r.tilt < 0.02);
}

// Landings push the body back and the rest of a step pushes it on: the mean of the accelerations
// that are small is not up, and a filter that levelled by it leant HRP-4C by 0.03 rad in 80 steps,
// until it fell. What is left is the bias of the velocity of feet that roll, over g and the
// filter's few seconds: 2 cm/s / (9.81 m/s^2 3 s) = 7e-4 rad, and the gyroscope's noise; and no
// more after 60 steps than after 10.
TEST(base_estimator, keeps_the_vertical_through_a_long_walk)
{
    const rig r = walk(1.0, 60);
    CHECK(r.tilt < 3e-3);
    CHECK(r.speed < 0.1);
}

// A robot that stands still and is not told where: nothing moves, whatever the noise.
TEST(base_estimator, at_rest_a_lean_is_levelled)
{
    atemi_model        *model = load();
    atemi_biped        *biped;
    atemi_biped_options o = atemi_biped_options_default();
    rig                 r = {.model = model};
    double              q[MOST], v[MOST] = {0.0}, found_q[MOST], found_v[MOST];
    CHECK_STATUS(atemi_biped_create(model, &o, NULL, &biped, NULL), ATEMI_OK);
    atemi_biped_posture(biped, q);
    memcpy(r.start, q, sizeof q);
    r.start[3] = sin(0.01); // it believes to lean by 0.02 rad to the side
    r.start[6] = cos(0.01);
    make(&r, atemi_biped_humanoid(biped));
    const double      weight = 9.81 * atemi_model_mass(model);
    atemi_base_senses senses = {.q = q, .v = v, .forces = {0.5 * weight, 0.5 * weight}};
    senses.imu.specific_force = (atemi_vec3){0.0, 0.0, 9.81};
    allocations_begin();
    for (int i = 0; i < 100000; ++i) {
        atemi_base_estimator_update(r.estimator, 1e-3, &senses, found_q, found_v);
    }
    CHECK_EQUAL_INT(allocations_end(), 0);
    // The filter forgets a lean within seconds: nothing of it is left after 100 s. That of 0.02 rad
    // makes 0.2 m/s in a second, ten times what a foot that stands is measured by.
    CHECK_NEAR(2.0 * found_q[3], 0.0, 1e-5);
    CHECK_NEAR(found_v[0], 0.0, 1e-2);
    atemi_biped_destroy(biped);
    atemi_arena_destroy(&r.arena);
    atemi_model_destroy(model);
}

// A base in free rotation, a quarter turn about its own x and then one about its own y: R = Rx Ry.
// Its gyroscope loses nothing, so that feet, which are in the air, tilt nothing either.
TEST(base_estimator, turns_as_its_gyroscope_says)
{
    atemi_model                 *model = load();
    atemi_biped                 *biped;
    atemi_biped_options          o = atemi_biped_options_default();
    atemi_base_estimator_options exact = atemi_base_estimator_options_default();
    rig                          r = {.model = model};
    double                       q[MOST], v[MOST] = {0.0}, found_q[MOST], found_v[MOST];
    const double                 quarter = 0.5 * 3.14159265358979324;
    CHECK_STATUS(atemi_biped_create(model, &o, NULL, &biped, NULL), ATEMI_OK);
    exact.tilt_drift = 0.0;
    atemi_biped_posture(biped, q);
    memcpy(r.start, q, sizeof q);
    make_with(&r, atemi_biped_humanoid(biped), &exact);
    atemi_base_senses senses = {.q = q, .v = v};
    senses.imu.specific_force = (atemi_vec3){0.0, 0.0, 2.0 * 9.81};
    for (int i = 0; i < 2000; ++i) {
        senses.imu.angular_velocity =
            i < 1000 ? (atemi_vec3){quarter, 0.0, 0.0} : (atemi_vec3){0.0, quarter, 0.0};
        atemi_base_estimator_update(r.estimator, 1e-3, &senses, found_q, found_v);
    }
    const double half[] = {0.5, 0.5, 0.5, 0.5}; // the quaternion of Rx(90) Ry(90)
    for (int i = 0; i < 4; ++i) {
        CHECK_NEAR(found_q[3 + i], half[i], 1e-9);
    }
    atemi_biped_destroy(biped);
    atemi_arena_destroy(&r.arena);
    atemi_model_destroy(model);
}

static atemi_vec3 place_of_sole(const atemi_model *model, const double *q)
{
    atemi_data *data;
    CHECK_STATUS(atemi_data_create(model, NULL, &data, NULL), ATEMI_OK);
    atemi_update_kinematics(data, q, NULL, NULL);
    const atemi_vec3 place =
        atemi_site_pose(data, atemi_model_find_site(model, "left_sole")).position;
    atemi_data_destroy(data);
    return place;
}

static void bend(const atemi_model *model, const char *joint, double angle, double *q)
{
    q[atemi_model_joint(model, atemi_model_find_joint(model, joint))->first_q] += angle;
}

// Feet that are sure to stay, encoders without noise, and an acceleration that tells nothing: in
// one step the base is where kinematics from the feet has it. Its place is known to 5e-6 m
// beforehand, encoders are to 1e-9 m: what is left of a centimetre is 1e-2 (1e-9 / 5e-6)^2.
TEST(base_estimator, believes_its_legs_where_nothing_else_is_known)
{
    atemi_model                       *model = load();
    atemi_biped                       *biped;
    atemi_biped_options                o = atemi_biped_options_default();
    const atemi_base_estimator_options sure = {.accelerometer = 10.0,
                                               .foot_place = 1e-9,
                                               .foot_speed = 1e6,
                                               .foot_drift = 1e-9,
                                               .tilt_drift = 0.0,
                                               .loaded = 0.1};
    rig                                r = {.model = model};
    double                             q[MOST], v[MOST] = {0.0}, found_q[MOST], found_v[MOST];
    CHECK_STATUS(atemi_biped_create(model, &o, NULL, &biped, NULL), ATEMI_OK);
    atemi_biped_posture(biped, q);
    memcpy(r.start, q, sizeof q);
    make_with(&r, atemi_biped_humanoid(biped), &sure);
    for (int side = 0; side < 2; ++side) { // both soles the same way, and level
        bend(model, side ? "left_hip_pitch" : "right_hip_pitch", -0.02, q);
        bend(model, side ? "left_knee" : "right_knee", 0.05, q);
        bend(model, side ? "left_ankle_pitch" : "right_ankle_pitch", -0.03, q);
    }
    const atemi_vec3  d = atemi_vec3_sub(place_of_sole(model, q), place_of_sole(model, r.start));
    const double      weight = 9.81 * atemi_model_mass(model);
    atemi_base_senses senses = {.q = q, .v = v, .forces = {0.5 * weight, 0.5 * weight}};
    senses.imu.specific_force = atemi_vec3_scale(-1.0, atemi_model_gravity(model));
    atemi_base_estimator_update(r.estimator, 1e-3, &senses, found_q, found_v);
    CHECK(atemi_vec3_norm(d) > 5e-3);
    CHECK_NEAR(found_q[0], r.start[0] - d.x, 1e-8);
    CHECK_NEAR(found_q[2], r.start[2] - d.z, 1e-8);
    atemi_biped_destroy(biped);
    atemi_arena_destroy(&r.arena);
    atemi_model_destroy(model);
}

// A base that looks to the left accelerates with 1 m/s^2 along its own x, for 0.1 s, and its feet
// say nothing: it is as fast along its own x, and has moved to the left.
TEST(base_estimator, accelerates_along_its_own_axes)
{
    atemi_model                       *model = load();
    atemi_biped                       *biped;
    atemi_biped_options                o = atemi_biped_options_default();
    const atemi_base_estimator_options deaf = {.accelerometer = 1e-9,
                                               .foot_place = 1e6,
                                               .foot_speed = 1e6,
                                               .foot_drift = 1e6,
                                               .tilt_drift = 0.0,
                                               .loaded = 0.1};
    rig                                r = {.model = model};
    double                             q[MOST], v[MOST] = {0.0}, found_q[MOST], found_v[MOST];
    CHECK_STATUS(atemi_biped_create(model, &o, NULL, &biped, NULL), ATEMI_OK);
    atemi_biped_posture(biped, q);
    memcpy(r.start, q, sizeof q);
    r.start[5] = r.start[6] = sqrt(0.5); // a quarter turn about z
    make_with(&r, atemi_biped_humanoid(biped), &deaf);
    atemi_base_senses senses = {.q = q, .v = v};
    senses.imu.specific_force = atemi_vec3_scale(-1.0, atemi_model_gravity(model));
    senses.imu.specific_force.x = 1.0;
    for (int i = 0; i < 100; ++i) {
        atemi_base_estimator_update(r.estimator, 1e-3, &senses, found_q, found_v);
    }
    CHECK_NEAR(found_v[0], 0.1, 1e-9);
    CHECK_NEAR(found_v[1], 0.0, 1e-9);
    CHECK_NEAR(found_q[0], r.start[0], 1e-9);
    CHECK_NEAR(found_q[1], r.start[1] + 0.5 * 0.1 * 0.1, 1e-9);
    atemi_biped_destroy(biped);
    atemi_arena_destroy(&r.arena);
    atemi_model_destroy(model);
}

// A base of which nothing is known but an accelerometer of 10 m/s^2. After a tick its place is
// known to 10 dt^2 / 2, 5e-6 m. A map that is as sure counts half; one that is far surer counts
// alone.
TEST(base_estimator, comes_to_the_place_that_a_map_tells)
{
    atemi_model                       *model = load();
    atemi_biped                       *biped;
    const atemi_base_estimator_options deaf = {.accelerometer = 10.0,
                                               .foot_place = 1e6,
                                               .foot_speed = 1e6,
                                               .foot_drift = 1e6,
                                               .tilt_drift = 0.0,
                                               .loaded = 0.1};
    rig                                r = {.model = model};
    double                             q[MOST], v[MOST] = {0.0}, found_q[MOST], found_v[MOST];
    CHECK_STATUS(atemi_biped_create(model, NULL, NULL, &biped, NULL), ATEMI_OK);
    atemi_biped_posture(biped, q);
    memcpy(r.start, q, sizeof q);
    for (int sure = 0; sure < 2; ++sure) {
        make_with(&r, atemi_biped_humanoid(biped), &deaf);
        atemi_base_senses senses = {.q = q, .v = v};
        senses.imu.specific_force = atemi_vec3_scale(-1.0, atemi_model_gravity(model));
        const atemi_vec3 place = {q[0] + 0.02, q[1], q[2] - 0.04};
        atemi_base_estimator_update(r.estimator, 1e-3, &senses, found_q, found_v);
        atemi_base_estimator_locate(r.estimator, place, sure ? 1e-10 : 5e-6);
        atemi_base_estimator_update(r.estimator, 1e-9, &senses, found_q, found_v);
        CHECK_NEAR(found_q[0], q[0] + (sure ? 0.02 : 0.01), 1e-6);
        CHECK_NEAR(found_q[1], q[1], 1e-6);
        CHECK_NEAR(found_q[2], q[2] - (sure ? 0.04 : 0.02), 1e-6);
        atemi_arena_destroy(&r.arena);
    }
    atemi_biped_destroy(biped);
    atemi_model_destroy(model);
}
