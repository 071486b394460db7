// SPDX-License-Identifier: Apache-2.0

#include "blow_rig.h"

// ---- A point mass, by closed forms and by atemi_blow()

// The force is a line between samples: a part of (w h)^2 of the impulse is lost, 1e-7 here.
TEST(full_blow, of_a_point_mass_on_an_undamped_spring_is_half_a_sine)
{
    const double m = 3.0, M = 5.0, v = 0.8, k = 2e4, mu = m * M / (m + M), w = sqrt(k / mu);
    static const atemi_blow_law laws[] = {ATEMI_BLOW_COMPRESSION_DAMPER, ATEMI_BLOW_KELVIN_VOIGT};
    for (int i = 0; i < 2; ++i) {
        bench b;
        slider(&b, m, v);
        use_spring(&b, laws[i], k, 0.0);
        b.setting.target.mass = M;
        const atemi_full_blow_result r = strike(&b);
        CHECK(r.released);
        CHECK_NEAR(r.contact_time, pi / w, 1e-9);
        CHECK_NEAR(r.peak_force, v * sqrt(k * mu), 1e-6 * r.peak_force);
        CHECK_NEAR(r.peak_time, 0.5 * pi / w, b.options.step);
        CHECK_NEAR(r.impulse, 2.0 * mu * v, 1e-6 * r.impulse);
        CHECK_NEAR(r.compression, v / w, 1e-6 * r.compression);
        CHECK_NEAR(r.hand_speed, v * (m - M) / (m + M), 1e-9);
        CHECK_NEAR(r.target_speed, 2.0 * v * m / (m + M), 1e-9);
        bench_end(&b);
    }
}

// Of a mass on a rail nothing is simplified away.
TEST(full_blow, of_a_point_mass_is_the_estimate)
{
    bench b;
    slider(&b, 4.0, 0.7);
    check_as_estimated(&b, 1e-6);
    use_spring(&b, ATEMI_BLOW_KELVIN_VOIGT, 1e4, 60.0);
    check_as_estimated(&b, 1e-6);
    b.stiffness[0] = 8000.0;
    b.damping[0] = 100.0;
    check_as_estimated(&b, 1e-6);
    bench_end(&b);
}

TEST(full_blow, of_a_point_mass_with_a_servo_at_its_limit_is_the_estimate)
{
    bench b;
    slider(&b, 4.0, 0.7);
    b.stiffness[0] = 8000.0;
    b.damping[0] = 100.0;
    b.limits[0] = 20.0;
    check_as_estimated(&b, 1e-5); // the steps do not end where the limit is reached
    CHECK_EQUAL_INT(b.result.saturated, 1);
    bench_end(&b);
}

TEST(full_blow, against_a_wall_reverses_the_hand)
{
    const double m = 4.0, v = 0.6, k = 1e5;
    bench        b;
    slider(&b, m, v);
    use_spring(&b, ATEMI_BLOW_COMPRESSION_DAMPER, k, 0.0);
    b.setting.target.mass = (double)INFINITY;
    const atemi_full_blow_result r = strike(&b);
    CHECK_NEAR(r.contact_time, pi * sqrt(m / k), 1e-9);
    CHECK_NEAR(r.peak_force, v * sqrt(k * m), 1e-5 * r.peak_force);
    CHECK_NEAR(r.impulse, 2.0 * m * v, 1e-5);
    CHECK_NEAR(r.hand_speed, -v, 1e-9);
    CHECK_NEAR(r.target_speed, 0.0, 0.0);
    CHECK_NEAR(r.target_travel, 0.0, 0.0);
    bench_end(&b);
}

// What the hand loses, the nail's friction has. Slower than the slowest slide it holds less: that
// is 1e-3 of the speeds here.
TEST(full_blow, drives_a_nail_as_far_as_the_energy_goes)
{
    const double m = 4.0, v = 1.0, F = 80.0;
    bench        b;
    slider(&b, m, v);
    use_spring(&b, ATEMI_BLOW_COMPRESSION_DAMPER, 1e5, 0.0);
    b.setting.target = (atemi_blow_target){.mass = 0.5, .friction = F};
    b.options.past_release = true;
    b.options.duration = 0.1;
    const atemi_full_blow_result r = strike(&b);
    CHECK(r.target_travel > 5e-3);
    CHECK_NEAR(r.target_speed, 0.0, 1e-9);
    CHECK_NEAR(F * r.target_travel + 0.5 * m * r.hand_speed * r.hand_speed, 0.5 * m * v * v, 2e-3);
    CHECK_NEAR(r.duration, 0.1, 1e-12);
    bench_end(&b);
}

// The nail creeps at most as fast as the slowest slide.
TEST(full_blow, leaves_a_nail_that_holds_fast)
{
    bench b;
    slider(&b, 4.0, 1.0);
    b.setting.target = (atemi_blow_target){.mass = 1.0, .friction = 2e3};
    const atemi_full_blow_result nail = strike(&b);
    b.setting.target = (atemi_blow_target){.mass = (double)INFINITY};
    const atemi_full_blow_result wall = strike(&b);
    CHECK(nail.target_travel < 1e-3 * nail.contact_time);
    CHECK_NEAR(nail.impulse, wall.impulse, 1e-4 * wall.impulse);
    bench_end(&b);
}

// Downwards the nail's own weight is no part of the blow, as atemi_blow() has it.
TEST(full_blow, does_not_feel_the_weight_of_its_target)
{
    bench b;
    slider(&b, 4.0, 0.7);
    const double level = strike(&b).impulse;
    bench_end(&b);

    atemi_model_builder *builder = tree_begin();
    const atemi_inertia  none = {0}, body = {.mass = 4.0, .rotational = {1.0, 1.0, 1.0, 0, 0, 0}};
    tree_add_link(builder, "wall", &none);
    tree_add_link(builder, "hand", &body);
    tree_add_joint(builder, "rail", ATEMI_JOINT_PRISMATIC, "wall", "hand",
                   (atemi_vec3){0.0, 0.0, -1.0}, (atemi_vec3){0.0, 0.0, 0.0});
    bench_begin(&b, tree_finish(builder, ATEMI_BASE_FIXED));
    b.setting.point = (atemi_striking_point){.link = 1, .direction = {0.0, 0.0, -1.0}};
    b.v[0] = 0.7;
    b.options.step = 1e-5;
    CHECK_NEAR(strike(&b).impulse, level, 1e-9);
    bench_end(&b);
}

TEST(full_blow, by_hertzs_law_is_as_deep_and_hard_as_its_energy)
{
    const double              m = 3.0, M = 5.0, v = 0.8, k = 2e6, mu = m * M / (m + M);
    const double              depth = pow(1.25 * mu * v * v / k, 0.4);
    const atemi_hunt_crossley law = {.stiffness = k, .exponent = 1.5};
    bench                     b;
    slider(&b, m, v);
    b.setting.surface.law = ATEMI_BLOW_OTHER_LAW;
    b.setting.surface.other = atemi_compliance_hunt_crossley(&law);
    const atemi_full_blow_result r = strike(&b);
    CHECK_NEAR(r.compression, depth, 1e-5 * depth);
    CHECK_NEAR(r.peak_force, k * pow(depth, 1.5), 1e-5 * r.peak_force);
    CHECK_NEAR(r.impulse, 2.0 * mu * v, 1e-5);
    bench_end(&b);
}

// Their law is continuous at first touch, so that the peak is in the middle, by both computations.
TEST(full_blow, of_a_point_mass_by_hunt_and_crossley_is_the_estimate)
{
    const atemi_hunt_crossley law = {.stiffness = 1e6, .dissipation = 0.3, .exponent = 1.5};
    bench                     b;
    slider(&b, 4.0, 0.7);
    b.stiffness[0] = 8000.0;
    b.damping[0] = 100.0;
    b.setting.surface.law = ATEMI_BLOW_OTHER_LAW;
    b.setting.surface.other = atemi_compliance_hunt_crossley(&law);
    check_as_estimated(&b, 1e-6);
    CHECK_NEAR(b.first_force, 0.0, 1e-9);
    CHECK(b.result.peak_time > 0.2 * b.result.contact_time);
    bench_end(&b);
}

TEST(full_blow, of_a_hand_that_goes_away_is_nothing)
{
    static const double speeds[] = {0.0, -0.5};
    for (int i = 0; i < 2; ++i) {
        bench b;
        slider(&b, 4.0, speeds[i]);
        const atemi_full_blow_result r = strike(&b);
        CHECK_NEAR(r.peak_force + r.impulse + r.contact_time + r.compression, 0.0, 0.0);
        CHECK_NEAR(r.target_speed + r.target_travel + r.duration, 0.0, 0.0);
        CHECK_NEAR(r.hand_speed, speeds[i], 0.0);
        CHECK(!r.released);
        CHECK_EQUAL_INT(b.samples, 1);
        bench_end(&b);
    }
}

// ---- What the servo follows

static void go_on(void *context, double time, double *q, double *v, double *a)
{
    const bench *b = (const bench *)context;
    q[0] = b->q[0] + b->v[0] * time;
    v[0] = b->v[0];
    a[0] = 0.0;
}

TEST(full_blow, without_a_reference_keeps_the_rates_of_first_touch)
{
    bench b;
    slider(&b, 4.0, 0.7);
    b.stiffness[0] = 8000.0;
    b.damping[0] = 100.0;
    const atemi_full_blow_result kept = strike(&b);
    b.setting.reference = go_on;
    b.setting.context = &b;
    const atemi_full_blow_result told = strike(&b);
    CHECK_NEAR(told.impulse, kept.impulse, 1e-12);
    CHECK_NEAR(told.contact_time, kept.contact_time, 1e-12);
    bench_end(&b);
}

static const double thrust = 30.0; // m/s^2

static void accelerate(void *context, double time, double *q, double *v, double *a)
{
    const bench *b = (const bench *)context;
    q[0] = b->v[0] * time + 0.5 * thrust * time * time;
    v[0] = b->v[0] + thrust * time;
    a[0] = thrust;
}

// m x'' = m a - k x without gains: the torque that the reference needs at first touch stays.
TEST(full_blow, holds_the_torque_that_its_reference_needs)
{
    const double m = 4.0, v = 0.6, k = 1e5;
    bench        b;
    slider(&b, m, v);
    use_spring(&b, ATEMI_BLOW_COMPRESSION_DAMPER, k, 0.0);
    b.setting.target.mass = (double)INFINITY;
    b.setting.reference = accelerate;
    b.setting.context = &b;
    const double peak = m * thrust + sqrt(m * thrust * m * thrust + k * m * v * v);
    CHECK_NEAR(strike(&b).peak_force, peak, 1e-5 * peak);
    bench_end(&b);
}

// ---- Robots

// Level, so that weight is no part of it, and in the air, so that no ground is: what the robot
// loses, the target has.
TEST(full_blow, of_a_robot_in_the_air_keeps_momentum)
{
    atemi_model *model;
    bench        b;
    CHECK_STATUS(atemi_robots_load("hrp2_like", NULL, &model, NULL), ATEMI_OK);
    bench_begin(&b, model);
    memcpy(b.q, atemi_model_posture(model, atemi_model_find_posture(model, "punch_6kg")),
           (size_t)atemi_model_q_count(model) * sizeof *b.q);
    for (int i = 6; i < atemi_model_v_count(model); ++i) {
        b.stiffness[i] = 8000.0;
        b.damping[i] = 400.0;
    }
    b.v[0] = 0.5;
    b.v[5] = 0.3;
    b.v[20] = -0.2;
    b.setting.surface_count = 0;
    b.setting.point = (atemi_striking_point){.link = atemi_model_find_link(model, "right_fist"),
                                             .direction = {0.6, 0.8, 0.0}};
    const double before = momentum_along(model, b.q, b.v, b.setting.point.direction);
    const atemi_full_blow_result r = strike(&b);
    const double after = momentum_along(model, b.end_q, b.end_v, b.setting.point.direction);
    CHECK(r.released && r.impulse > 0.5);
    CHECK_NEAR(before - after, b.setting.target.mass * r.target_speed, 1e-6);
    CHECK_NEAR(r.impulse, b.setting.target.mass * r.target_speed, 1e-4);
    bench_end(&b);
}

// A box of 20 kg on four corners, 1 m high, with a light hand on a rail at its top.
static void boxer(bench *b, double speed, double friction)
{
    atemi_model_builder *builder = tree_begin();
    const atemi_inertia  box = {.mass = 20.0, .rotational = {2.0, 2.0, 0.5, 0, 0, 0}};
    const atemi_inertia  fist = {.mass = 2.0, .rotational = {0.01, 0.01, 0.01, 0, 0, 0}};
    tree_add_link(builder, "box", &box);
    tree_add_link(builder, "fist", &fist);
    tree_add_joint(builder, "rail", ATEMI_JOINT_PRISMATIC, "box", "fist",
                   (atemi_vec3){1.0, 0.0, 0.0}, (atemi_vec3){0.0, 0.0, 0.5});
    bench_begin(b, tree_finish(builder, ATEMI_BASE_FLOATING));
    b->q[2] = 0.5;
    b->q[6] = 1.0;
    b->v[6] = speed;
    b->stiffness[6] = 8000.0;
    b->damping[6] = 200.0;
    b->setting.point = (atemi_striking_point){.link = 1, .direction = {1.0, 0.0, 0.0}};
    b->setting.foot_count = 4;
    for (int i = 0; i < 4; ++i) {
        b->feet[i] =
            (atemi_simulation_point){.point = {i < 2 ? 0.15 : -0.15, i % 2 ? 0.15 : -0.15, -0.5},
                                     .static_friction = friction,
                                     .kinetic_friction = friction};
    }
}

TEST(full_blow, of_a_robot_that_stands_has_a_margin)
{
    bench b;
    boxer(&b, 0.05, 2.0);
    b.setting.target.mass = 1.0;
    const atemi_full_blow_result r = strike(&b);
    CHECK_EQUAL_INT(r.lift_offs, 0);
    CHECK_EQUAL_INT(r.slips, 0);
    CHECK(r.margin > 0.05 && r.margin < 0.15);
    bench_end(&b);
}

TEST(full_blow, counts_feet_that_lift)
{
    bench b;
    boxer(&b, 2.0, 5.0);
    b.setting.target.mass = (double)INFINITY;
    const atemi_full_blow_result r = strike(&b);
    CHECK_EQUAL_INT(r.lift_offs, 2); // the front
    CHECK_EQUAL_INT(r.during.lift_offs, 2);
    CHECK_EQUAL_INT(r.slips, 0);
    CHECK_NEAR(r.margin, 0.0, 1e-9); // on the edge that is left
    bench_end(&b);
}

// How far the front corners rise at most, at the ends of steps.
static void note_rise(void *context, const atemi_full_blow_sample *sample)
{
    double *highest = (double *)context;
    for (int k = 0; k < 2; ++k) {
        *highest = fmax(*highest, atemi_simulation_gap(sample->simulation, k));
    }
}

// A blow that tips the box a little leaves its corners within what the rubber of a sole gives way
// under its weight: it still stands on all of them.
TEST(full_blow, counts_feet_that_rise_by_more_than_soles_give_way)
{
    int less = 0, more = 0;
    for (int i = 0; i < 40; ++i) {
        bench                  b;
        atemi_full_blow_result r;
        double                 highest = 0.0;
        boxer(&b, 0.05 + 0.001 * i, 5.0);
        b.setting.target.mass = (double)INFINITY;
        b.setting.q = b.q;
        b.setting.v = b.v;
        CHECK_STATUS(
            atemi_full_blow(b.model, &b.setting, &b.options, note_rise, &highest, &r, NULL),
            ATEMI_OK);
        CHECK_EQUAL_INT(r.lift_offs, highest > 1e-5 ? 2 : 0);
        less += highest > 1e-9 && highest <= 1e-5;
        more += highest > 1e-5;
        bench_end(&b);
    }
    CHECK(less > 0 && more > 0);
}

TEST(full_blow, counts_feet_that_slip)
{
    bench b;
    boxer(&b, 0.5, 0.05);
    b.setting.target.mass = (double)INFINITY;
    CHECK(strike(&b).slips > 0);
    bench_end(&b);
}

// ---- Samples, memory, refusals

TEST(full_blow, begins_with_the_force_of_the_damper)
{
    bench b;
    slider(&b, 4.0, 0.7);
    strike(&b);
    CHECK_NEAR(b.first_force, 300.0 * 0.7, 1e-9);
    CHECK(b.samples > 100);
    CHECK(b.result.steps >= b.samples - 1 && b.result.evaluations >= b.result.steps);
    bench_end(&b);
}

TEST(full_blow, ends_after_its_duration)
{
    bench b;
    slider(&b, 4.0, 0.7);
    b.options.duration = 1.05e-3;
    b.options.step = 1e-4;
    const atemi_full_blow_result r = strike(&b);
    CHECK(!r.released);
    CHECK_NEAR(r.duration, 1.05e-3, 1e-15);
    CHECK_NEAR(r.contact_time, 1.05e-3, 1e-15);
    CHECK_EQUAL_INT(b.samples, 12);
    bench_end(&b);
}

// A wall that the hand goes on to press.
TEST(full_blow, counts_as_long_as_it_is_told)
{
    bench b;
    slider(&b, 4.0, 0.5);
    b.setting.target.mass = (double)INFINITY;
    b.stiffness[0] = 1e4;
    b.damping[0] = 400.0;
    b.options.duration = 1.05e-2;
    const atemi_full_blow_result shorter = strike(&b);
    b.options.duration = 0.05;
    b.options.counted = 1.05e-2;
    const atemi_full_blow_result counted = strike(&b);
    CHECK_NEAR(counted.impulse, shorter.impulse, 1e-9 * shorter.impulse);
    CHECK_NEAR(counted.contact_time, 1.05e-2, 1e-15);
    CHECK(counted.duration > 0.04);
    bench_end(&b);
}

static bool no_more(void *context)
{
    ++*(int *)context;
    return false;
}

// It is asked after at most 8 steps, of the hundreds that the blow takes.
TEST(full_blow, stops_when_nobody_wants_more)
{
    bench b;
    int   asked = 0;
    slider(&b, 4.0, 0.7);
    b.options.goes_on = no_more;
    b.options.goes_on_context = &asked;
    const atemi_full_blow_result r = strike(&b);
    CHECK(r.stopped && !r.released);
    CHECK_EQUAL_INT(asked, 1);
    CHECK(r.steps <= 8);
    bench_end(&b);
}
