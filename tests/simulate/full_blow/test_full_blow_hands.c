// SPDX-License-Identifier: Apache-2.0

#include "blow_rig.h"
#include "dynamics/data_parts.h"
#include "impact/striking_point.h"
#include "two_rails.h"

// Two masses, each on a rail along x, strike together; the second is behind.
static void sliders(bench *b, double first, double second, double speed, double behind)
{
    bench_begin(b, two_rails(first, second));
    b->setting.point = both_rails();
    b->v[0] = b->v[1] = speed;
    b->q[1] = -behind;
    b->options.step = 1e-5;
}

static void use_gains(bench *b, double stiffness, double damping)
{
    b->stiffness[0] = b->stiffness[1] = stiffness;
    b->damping[0] = b->damping[1] = damping;
}

static void check_same(const atemi_full_blow_result *a, const atemi_full_blow_result *b,
                       double tolerance)
{
    CHECK_NEAR(a->peak_force, b->peak_force, tolerance * b->peak_force);
    CHECK_NEAR(a->impulse, b->impulse, tolerance * b->impulse);
    CHECK_NEAR(a->contact_time, b->contact_time, tolerance);
    CHECK_NEAR(a->compression, b->compression, tolerance);
    CHECK_NEAR(a->hand_speed, b->hand_speed, tolerance);
    CHECK_NEAR(a->target_speed, b->target_speed, tolerance);
    CHECK_NEAR(a->target_travel, b->target_travel, tolerance);
    CHECK_EQUAL_INT(a->released, b->released);
}

// ---- Closed forms ---------------------------------------------------------------------------

// With gains that are twice as large for twice the mass.
TEST(full_blow_hands, of_equal_masses_are_one_hand_of_both)
{
    bench one, two;
    slider(&one, 8.0, 0.7);
    one.stiffness[0] = 8000.0;
    one.damping[0] = 100.0;
    sliders(&two, 4.0, 4.0, 0.7, 0.0);
    use_gains(&two, 4000.0, 50.0);
    const atemi_full_blow_result a = strike(&two), b = strike(&one);
    check_same(&a, &b, 1e-12);
    CHECK_NEAR(a.hand_impulses[0], 0.5 * a.impulse, 1e-12);
    CHECK_NEAR(a.hand_impulses[1], 0.5 * a.impulse, 1e-12);
    CHECK_NEAR(b.hand_impulses[0], b.impulse, 0.0);
    CHECK_NEAR(b.hand_impulses[1], 0.0, 0.0);
    CHECK_NEAR(two.first_force, 300.0 * 0.7, 1e-9);
    bench_end(&one);
    bench_end(&two);
}

TEST(full_blow_hands, of_equal_masses_are_the_estimate)
{
    bench b;
    sliders(&b, 2.0, 2.0, 0.7, 0.0);
    check_as_estimated(&b, 1e-6);
    use_spring(&b, ATEMI_BLOW_KELVIN_VOIGT, 1e4, 60.0);
    use_gains(&b, 8000.0, 100.0);
    check_as_estimated(&b, 1e-6);
    bench_end(&b);
}

// Against a wall each has a spring of its own, of half the stiffness, and comes back.
TEST(full_blow_hands, against_a_wall_do_not_know_of_each_other)
{
    const double m = 4.0, M = 1.0, v = 0.6, k = 1e5;
    bench        b;
    sliders(&b, m, M, v, 0.0);
    use_spring(&b, ATEMI_BLOW_COMPRESSION_DAMPER, k, 0.0);
    b.setting.target.mass = (double)INFINITY;
    b.options.past_release = true;
    b.options.duration = 0.05;
    const atemi_full_blow_result r = strike(&b);
    CHECK_NEAR(r.hand_impulses[0], 2.0 * m * v, 1e-5);
    CHECK_NEAR(r.hand_impulses[1], 2.0 * M * v, 1e-5);
    CHECK_NEAR(r.impulse, r.hand_impulses[0] + r.hand_impulses[1], 1e-12);
    CHECK_NEAR(r.contact_time, pi * sqrt(m / (0.5 * k)), 1e-9); // of the slower
    CHECK_NEAR(b.end_v[0], -v, 1e-9);
    CHECK_NEAR(b.end_v[1], -v, 1e-9);
    CHECK_NEAR(r.hand_speed, -v, 1e-9);
    bench_end(&b);
}

TEST(full_blow_hands, of_which_one_is_behind_touch_one_after_the_other)
{
    const double m = 4.0, v = 0.6, k = 1e5, behind = 3e-3, each = pi * sqrt(m / (0.5 * k));
    bench        b;
    sliders(&b, m, m, v, behind);
    use_spring(&b, ATEMI_BLOW_COMPRESSION_DAMPER, k, 0.0);
    b.setting.target.mass = (double)INFINITY;
    const atemi_full_blow_result r = strike(&b);
    CHECK_NEAR(r.touch_time, 0.0, 0.0);
    CHECK_NEAR(r.contact_time, each + behind / v, 1e-9);
    CHECK_NEAR(r.hand_impulses[0], 2.0 * m * v, 1e-5);
    CHECK_NEAR(r.hand_impulses[1], 2.0 * m * v, 1e-5);
    CHECK(r.released);
    bench_end(&b);
}

// What a damper gives at the second touch comes on top of what the first hand gives: without a
// spring to speak of, and against a wall, f = c v / 2 until the second hand is there.
TEST(full_blow_hands, of_which_one_is_behind_add_their_forces)
{
    const double m = 50.0, v = 0.6, c = 300.0, behind = 3e-3;
    const double late = behind / v, left = exp(-0.5 * c * late / m);
    bench        b;
    sliders(&b, m, m, v, behind);
    use_spring(&b, ATEMI_BLOW_COMPRESSION_DAMPER, 1e-3, c);
    b.setting.target.mass = (double)INFINITY;
    b.options.duration = 0.02;
    const atemi_full_blow_result r = strike(&b);
    CHECK_NEAR(b.first_force, 0.5 * c * v, 1e-9);
    CHECK_NEAR(r.peak_force, 0.5 * c * v * (1.0 + left), 1e-4 * r.peak_force);
    CHECK_NEAR(r.peak_time, late, 1e-9);
    CHECK_NEAR(r.contact_time, 0.02, 1e-12);
    bench_end(&b);
}

static void keep_speed(void *context, double time, double *q, double *v, double *a)
{
    const bench *b = (const bench *)context;
    for (int i = 0; i < 2; ++i) {
        q[i] = b->q[i] + b->v[i] * (time - b->setting.start);
        v[i] = b->v[i];
        a[i] = 0.0;
    }
}

TEST(full_blow_hands, that_come_from_afar_strike_as_from_first_touch)
{
    bench b;
    sliders(&b, 4.0, 4.0, 0.7, 0.0);
    use_gains(&b, 4000.0, 50.0);
    const atemi_full_blow_result here = strike(&b);
    b.setting.start = -0.01;
    b.setting.place = (atemi_vec3){0.007, 0.0, 0.0};
    b.setting.reference = keep_speed;
    b.setting.context = &b;
    const atemi_full_blow_result there = strike(&b);
    CHECK_NEAR(there.touch_time, 0.0, 1e-9);
    check_same(&there, &here, 1e-5);
    bench_end(&b);
}

// ---- Robots ---------------------------------------------------------------------------------

static int link_of(const bench *b, const char *name)
{
    return atemi_model_find_link(b->model, name);
}

static void set_joint(bench *b, const char *name, double angle)
{
    b->q[atemi_model_joint(b->model, atemi_model_find_joint(b->model, name))->first_q] = angle;
}

// hrp2_like with both fists before it, and the gains of [SDC].
static void humanoid(bench *b)
{
    atemi_model *model;
    CHECK_STATUS(atemi_robots_load("hrp2_like", NULL, &model, NULL), ATEMI_OK);
    bench_begin(b, model);
    memcpy(b->q, atemi_model_posture(model, atemi_model_find_posture(model, "half_sitting")),
           (size_t)atemi_model_q_count(model) * sizeof *b->q);
    b->q[2] = 0.649; // about on the floor
    set_joint(b, "right_shoulder_pitch", -0.6);
    set_joint(b, "left_shoulder_pitch", -0.6);
    set_joint(b, "right_elbow", -1.2);
    set_joint(b, "left_elbow", -1.2);
    for (int i = 6; i < atemi_model_v_count(model); ++i) {
        b->stiffness[i] = 8000.0;
        b->damping[i] = 400.0;
    }
    b->setting.point =
        (atemi_striking_point){.link = link_of(b, "right_fist"), .direction = {1.0, 0.0, 0.0}};
}

static void use_both_fists(bench *b)
{
    b->setting.point.more = 1;
    b->setting.point.others[0].link = link_of(b, "left_fist");
}

static double drift_of(const bench *b)
{
    double      still[MOST] = {0};
    atemi_data *s = data_create(b->model);
    atemi_update_kinematics(s, b->q, b->v, still);
    const double drift =
        atemi_striking_point_drift_in(b->model, atemi_data_kinematics(s), &b->setting.point);
    atemi_data_destroy(s);
    return drift;
}

static void find_rates(bench *b, const atemi_ground *ground, double speed)
{
    atemi_arena arena = atemi_arena_measuring();
    atemi_virtual_base_take(&arena, b->model);
    CHECK_STATUS(atemi_arena_create(&arena, arena.used, NULL), ATEMI_OK);
    atemi_virtual_base base = atemi_virtual_base_take(&arena, b->model);
    CHECK_STATUS(atemi_virtual_base_update(b->model, b->q, ground, &b->setting.point, &base, NULL),
                 ATEMI_OK);
    atemi_virtual_base_rates(&base, speed, b->v);
    atemi_arena_destroy(&arena);
}

TEST(full_blow_hands, at_one_place_are_one_hand)
{
    bench b;
    humanoid(&b);
    b.setting.surface_count = 0;
    b.v[0] = 0.5;
    b.v[20] = -0.2;
    const atemi_full_blow_result one = strike(&b);
    b.setting.point.more = 1;
    b.setting.point.others[0].link = b.setting.point.link;
    const atemi_full_blow_result two = strike(&b);
    check_same(&two, &one, 1e-12);
    CHECK_NEAR(two.hand_impulses[0], two.hand_impulses[1], 1e-12);
    bench_end(&b);
}

// In the air, and not straight on: the hands' forces differ, and what the robot loses, the target
// has.
TEST(full_blow_hands, of_a_robot_in_the_air_keep_momentum)
{
    bench b;
    humanoid(&b);
    use_both_fists(&b);
    b.setting.surface_count = 0;
    b.v[0] = 0.5;
    b.v[5] = 0.3;
    b.v[20] = -0.2;
    const atemi_vec3             n = b.setting.point.direction;
    const double                 before = momentum_along(b.model, b.q, b.v, n);
    const atemi_full_blow_result r = strike(&b);
    const double                 after = momentum_along(b.model, b.end_q, b.end_v, n);
    CHECK(r.released && r.impulse > 0.5);
    CHECK(fabs(r.hand_impulses[0] - r.hand_impulses[1]) > 0.05 * r.impulse);
    CHECK_NEAR(before - after, b.setting.target.mass * r.target_speed, 1e-6);
    CHECK_NEAR(r.impulse, b.setting.target.mass * r.target_speed, 1e-3);
    bench_end(&b);
}

static int stand(bench *b, int *soles)
{
    static const char *const names[] = {"right_sole", "left_sole"};
    int                      count = 0;
    for (int i = 0; i < 2; ++i) {
        const atemi_transform here = atemi_transform_identity();
        const atemi_site     *site =
            atemi_model_site(b->model, atemi_model_find_site(b->model, names[i]));
        atemi_vec3 corners[4];
        const int  some = atemi_site_corners(site, &here, corners);
        for (int k = 0; k < some; ++k) {
            b->feet[count++] = (atemi_simulation_point){.link = site->link,
                                                        .point = corners[k],
                                                        .static_friction = 5.0,
                                                        .kinetic_friction = 5.0};
        }
        soles[i] = site->link;
    }
    return count;
}

// The lowest corner at height 0.
static void put_on_floor(bench *b)
{
    atemi_data *s = data_create(b->model);
    double      lowest = (double)INFINITY;
    atemi_update_kinematics(s, b->q, NULL, NULL);
    for (int i = 0; i < b->setting.foot_count; ++i) {
        const atemi_transform pose = atemi_link_pose(s, b->feet[i].link);
        lowest = fmin(lowest, atemi_transform_apply(&pose, b->feet[i].point).z);
    }
    b->q[2] -= lowest;
    atemi_data_destroy(s);
}

static void check_about_estimated(bool both, const atemi_hunt_crossley *law, double tolerance)
{
    int          soles[2];
    bench        b;
    atemi_ground ground = atemi_ground_default();
    humanoid(&b);
    b.setting.foot_count = stand(&b, soles);
    put_on_floor(&b);
    ground.links = soles;
    ground.count = 2;
    if (both) {
        use_both_fists(&b);
    }
    if (law) {
        b.setting.surface.law = ATEMI_BLOW_OTHER_LAW;
        b.setting.surface.other = atemi_compliance_hunt_crossley(law);
    }
    find_rates(&b, &ground, 0.7);
    const atemi_blow_result      guess = estimate(&b, &ground, drift_of(&b));
    const atemi_full_blow_result r = strike(&b);
    CHECK_EQUAL_INT(r.lift_offs + r.slips, 0);
    CHECK_NEAR(guess.peak_force, r.peak_force, tolerance * r.peak_force);
    CHECK_NEAR(guess.impulse, r.impulse, tolerance * r.impulse);
    CHECK_NEAR(r.hand_impulses[1], both ? 0.5 * r.impulse : 0.0, 0.01 * r.impulse);
    bench_end(&b);
}

// What the estimate leaves out costs a blow with both fists no more than one with the right: 0.4 %
// of the impulse here. The trunk's centre of mass is 7 mm left of the middle, so that the hands'
// shares differ by 2 %.
TEST(full_blow_hands, of_a_robot_that_stands_are_about_the_estimate)
{
    check_about_estimated(false, NULL, 0.01);
    check_about_estimated(true, NULL, 0.01);
}

TEST(full_blow_hands, of_a_robot_that_stands_are_about_the_estimate_by_hunt_and_crossley)
{
    const atemi_hunt_crossley law = {.stiffness = 1e6, .dissipation = 0.3, .exponent = 1.5};
    check_about_estimated(false, &law, 0.01);
    check_about_estimated(true, &law, 0.01);
}

// ---- Refusals -------------------------------------------------------------------------------

TEST(full_blow_hands, are_not_more_than_there_is_room_for)
{
    atemi_error error;
    bench       b;
    sliders(&b, 4.0, 4.0, 0.7, 0.0);
    b.setting.point.more = ATEMI_STRIKE_MAX_HANDS;
    CHECK_STATUS(atemi_full_blow(b.model, &b.setting, NULL, NULL, NULL, &b.result, &error),
                 ATEMI_ERROR_INPUT);
    CHECK_CONTAINS(error.message, "3 hands");
    b.setting.point.more = 1;
    b.setting.point.others[0].link = 99;
    CHECK_STATUS(atemi_full_blow(b.model, &b.setting, NULL, NULL, NULL, &b.result, &error),
                 ATEMI_ERROR_INPUT);
    CHECK_CONTAINS(error.message, "link 99");
    bench_end(&b);
}
