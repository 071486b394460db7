// SPDX-License-Identifier: Apache-2.0

#include "atemi/whole_body_control.h"

#include "allocations.h"
#include "atemi/dynamics.h"
#include "atemi/kinematics.h"
#include "atemi/robots.h"
#include "check.h"
#include "random.h"

#include <math.h>
#include <string.h>

// hrp2_like on one sole or both, with a hand at a rail. The oracles are inverse dynamics with the
// wrenches as external forces, the dynamics' own momentum and link accelerations, and the cones
// themselves: none of them knows how the program is put together.

enum { MOST = 64, RIGHT, LEFT };

typedef struct rig {
    atemi_model              *model;
    atemi_data               *data;
    atemi_arena               arena;
    atemi_whole_body_control *control;
    int                       nv, nq;
    double                    q[MOST], v[MOST], tau[MOST], wanted[MOST], weights[MOST];
    atemi_whole_body_contact  contacts[4];
    int                       contact_count;
} rig;

static void begin_with(rig *r, const atemi_whole_body_options *options)
{
    atemi_arena measuring = atemi_arena_measuring();
    *r = (rig){0};
    CHECK_STATUS(atemi_robots_load("hrp2_like", NULL, &r->model, NULL), ATEMI_OK);
    CHECK_STATUS(atemi_data_create(r->model, NULL, &r->data, NULL), ATEMI_OK);
    atemi_whole_body_control_take(&measuring, r->model, options);
    CHECK_STATUS(atemi_arena_create(&r->arena, measuring.used, NULL), ATEMI_OK);
    r->control = atemi_whole_body_control_take(&r->arena, r->model, options);
    CHECK(r->control != NULL);
    r->nv = atemi_model_v_count(r->model);
    r->nq = atemi_model_q_count(r->model);
    const int standing = atemi_model_find_posture(r->model, "half_sitting");
    memcpy(r->q, atemi_model_posture(r->model, standing), (size_t)r->nq * sizeof *r->q);
    for (int i = 0; i < r->nv; ++i) {
        r->weights[i] = 1.0;
    }
}

static void begin(rig *r)
{
    begin_with(r, NULL);
}

static void end(rig *r)
{
    atemi_arena_destroy(&r->arena);
    atemi_data_destroy(r->data);
    atemi_model_destroy(r->model);
}

static atemi_whole_body_contact sole(const rig *r, const char *name)
{
    const atemi_site *site = atemi_model_site(r->model, atemi_model_find_site(r->model, name));
    atemi_whole_body_contact contact = atemi_whole_body_contact_default();
    contact.link = site->link;
    contact.frame = site->pose;
    contact.size_x = site->size_x;
    contact.size_y = site->size_y;
    return contact;
}

static void stand(rig *r, bool both)
{
    r->contacts[0] = sole(r, "left_sole");
    r->contacts[1] = sole(r, "right_sole");
    r->contact_count = both ? 2 : 1;
}

static void begin_tick(rig *r)
{
    atemi_whole_body_begin(r->control, r->q, r->v);
    for (int i = 0; i < r->contact_count; ++i) {
        CHECK_EQUAL_INT(atemi_whole_body_contact_add(r->control, &r->contacts[i]), i);
    }
}

static atemi_whole_body_report solve(rig *r)
{
    atemi_whole_body_report report;
    atemi_whole_body_joints(r->control, r->wanted, r->weights);
    CHECK_STATUS(atemi_whole_body_solve(r->control, r->tau, &report), ATEMI_OK);
    CHECK_EQUAL_INT(report.program.status, ATEMI_QUADRATIC_SOLVED);
    return report;
}

// ---- Oracles

static atemi_transform frame_of(const rig *r, int contact)
{
    const atemi_transform link = atemi_link_pose(r->data, r->contacts[contact].link);
    return atemi_transform_compose(&link, &r->contacts[contact].frame);
}

static void check_dynamics(rig *r)
{
    atemi_force external[MOST] = {0};
    double      needed[MOST];
    atemi_update_kinematics(r->data, r->q, r->v, atemi_whole_body_accelerations(r->control));
    for (int i = 0; i < r->contact_count; ++i) {
        const int         link = r->contacts[i].link;
        const atemi_force wrench = atemi_whole_body_wrench(r->control, i);
        const atemi_vec3  arm =
            atemi_vec3_sub(frame_of(r, i).position, atemi_link_pose(r->data, link).position);
        external[link] = atemi_force_add(
            external[link],
            (atemi_force){wrench.linear,
                          atemi_vec3_add(wrench.angular, atemi_vec3_cross(arm, wrench.linear))});
    }
    atemi_inverse_dynamics_at(r->data, atemi_whole_body_accelerations(r->control), external,
                              needed);
    for (int i = 0; i < r->nv; ++i) { // of forces up to 1e4 N
        CHECK_NEAR(r->tau[i], needed[i], 1e-7);
    }
}

static void check_cones(const rig *r)
{
    for (int i = 0; i < r->contact_count; ++i) {
        const atemi_whole_body_contact *c = &r->contacts[i];
        const atemi_transform           frame = frame_of(r, i);
        const atemi_force               w = atemi_whole_body_wrench(r->control, i);
        const atemi_vec3                f = atemi_mat3_apply_transposed(&frame.rotation, w.linear);
        const atemi_vec3                t = atemi_mat3_apply_transposed(&frame.rotation, w.angular);
        CHECK(f.z >= -1e-7);
        CHECK(hypot(f.x, f.y) <= c->friction * f.z + 1e-6);
        CHECK(fabs(t.x) <= 0.5 * c->size_y * f.z + 1e-6); // the centre of pressure is inside
        CHECK(fabs(t.y) <= 0.5 * c->size_x * f.z + 1e-6);
        CHECK(fabs(t.z) <= c->friction * 0.5 * hypot(c->size_x, c->size_y) * f.z + 1e-6);
    }
}

static void check_efforts(const rig *r)
{
    for (int i = 0; i < atemi_model_joint_count(r->model); ++i) {
        const atemi_joint *joint = atemi_model_joint(r->model, i);
        if (joint->v_count == 1 && joint->limits.effort > 0.0) {
            CHECK(fabs(r->tau[joint->first_v]) <= joint->limits.effort * (1.0 + 1e-9) + 1e-9);
        }
    }
}

// ---- Claims

TEST(whole_body_control, stands_at_rest_on_its_weight)
{
    rig r;
    begin(&r);
    stand(&r, true);
    begin_tick(&r);
    solve(&r);
    atemi_force sum = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    for (int i = 0; i < 2; ++i) {
        sum = atemi_force_add(sum, atemi_whole_body_wrench(r.control, i));
    }
    // The cost of forces, 1e-3 beside weights of 1, is what moves it a little.
    CHECK_NEAR(sum.linear.z, 9.81 * atemi_model_mass(r.model), 1.0);
    for (int i = 0; i < r.nv; ++i) {
        CHECK_NEAR(atemi_whole_body_accelerations(r.control)[i], 0.0, 0.02);
    }
    check_dynamics(&r);
    end(&r);
}

// Wild tasks in random states: nothing is met, everything is kept.
TEST(whole_body_control, keeps_friction_soles_and_efforts_and_the_equation_of_motion)
{
    rig r;
    begin(&r);
    for (uint64_t seed = 1; seed <= 300; ++seed) {
        random_stream stream = random_seeded(seed);
        stand(&r, seed % 2);
        if (seed % 3 == 0) { // a hand at a rail that the robot leans on sideways
            atemi_whole_body_contact *hand = &r.contacts[r.contact_count++];
            *hand = atemi_whole_body_contact_default();
            hand->link = atemi_model_find_link(r.model, "left_hand");
            hand->frame.rotation = (atemi_mat3){{1, 0, 0}, {0, 0, 1}, {0, -1, 0}};
        }
        for (int i = 0; i < r.nv; ++i) {
            r.v[i] = random_uniform(&stream, -1.0, 1.0);
            r.wanted[i] = random_uniform(&stream, -100.0, 100.0);
            r.weights[i] = random_uniform(&stream, 0.01, 1.0);
        }
        atemi_configuration_integrate(r.model, r.q, r.v, 0.05, r.q);
        const double      weights[] = {1, 1, 1, 1, 1, 1};
        const atemi_force rate = {{random_uniform(&stream, -900.0, 900.0),
                                   random_uniform(&stream, -900.0, 900.0),
                                   random_uniform(&stream, -900.0, 900.0)},
                                  {random_uniform(&stream, -99.0, 99.0), 0.0, 9.0}};
        begin_tick(&r);
        atemi_whole_body_momentum(r.control, rate, weights);
        solve(&r);
        check_dynamics(&r);
        check_cones(&r);
        check_efforts(&r);
        memcpy(r.q, atemi_model_posture(r.model, 1), (size_t)r.nq * sizeof *r.q);
    }
    end(&r);
}

TEST(whole_body_control, meets_tasks_of_frames_and_momentum_where_nothing_forbids_it)
{
    rig r;
    begin(&r);
    for (uint64_t seed = 1; seed <= 50; ++seed) {
        random_stream stream = random_seeded(seed);
        stand(&r, true);
        for (int i = 0; i < r.nv; ++i) {
            r.v[i] =
                random_uniform(&stream, -0.5, 0.5); // the hand's arm turns with 1 rad/s and more
            r.weights[i] = 1e-4;
        }
        const int          hand = atemi_model_find_link(r.model, "right_hand");
        const atemi_vec3   place = {0.1, 0.0, -0.1};
        const atemi_motion wanted = {{random_uniform(&stream, -1.0, 1.0), 0.5, 0.3},
                                     {0.2, random_uniform(&stream, -1.0, 1.0), -0.4}};
        const atemi_force  rate = {{random_uniform(&stream, -9.0, 9.0), 5.0, -9.0},
                                   {0.1, random_uniform(&stream, -1.0, 1.0), 0.2}};
        const double       weights[] = {10, 10, 10, 10, 10, 10};
        for (int i = 0; i < 2; ++i) { // soles that shall stand still: what v has is taken away
            r.contacts[i].weight = 1e6;
        }
        begin_tick(&r);
        atemi_whole_body_momentum(r.control, rate, weights);
        atemi_whole_body_frame(r.control, hand, place, wanted, weights);
        solve(&r);

        const double *a = atemi_whole_body_accelerations(r.control);
        atemi_update_kinematics(r.data, r.q, r.v, a);
        const atemi_transform pose = atemi_link_pose(r.data, hand);
        const atemi_motion    got = atemi_link_acceleration(r.data, hand);
        const atemi_vec3      w = atemi_link_velocity(r.data, hand).angular;
        const atemi_vec3      arm = atemi_mat3_apply(&pose.rotation, place);
        atemi_vec3 point = atemi_vec3_add(got.linear, atemi_vec3_cross(got.angular, arm));
        point = atemi_vec3_add(point, atemi_vec3_cross(w, atemi_vec3_cross(w, arm)));
        CHECK_NEAR(point.x, wanted.linear.x, 0.02); // as the small weights of joints allow
        CHECK_NEAR(got.angular.y, wanted.angular.y, 0.02);

        for (int f = 0; f < 2; ++f) { // that shall not accelerate, however they move
            const atemi_motion sole = atemi_link_acceleration(r.data, r.contacts[f].link);
            CHECK_NEAR(atemi_vec3_norm(sole.angular), 0.0, 1e-3);
        }

        // The momentum a moment later, by differences.
        const double dt = 1e-6;
        double       q[MOST], v[MOST], middle[MOST];
        for (int i = 0; i < r.nv; ++i) {
            v[i] = r.v[i] + dt * a[i];
            middle[i] = r.v[i] + 0.5 * dt * a[i];
        }
        const atemi_force before = atemi_momentum(r.data);
        atemi_configuration_integrate(r.model, r.q, middle, dt, q);
        atemi_update_kinematics(r.data, q, v, NULL);
        const atemi_force after = atemi_momentum(r.data);
        const double      m = atemi_model_mass(r.model);
        CHECK_NEAR((after.linear.x - before.linear.x) / dt / m, rate.linear.x / m, 0.02);
        CHECK_NEAR((after.linear.z - before.linear.z) / dt / m, rate.linear.z / m, 0.02);
        CHECK_NEAR((after.angular.y - before.angular.y) / dt / m, rate.angular.y / m, 0.02);
        for (int f = 0; f < 2; ++f) {
            CHECK_NEAR(atemi_whole_body_wrench(r.control, f).linear.z > 0.0, 1.0, 0.0);
        }
    }
    end(&r);
}

TEST(whole_body_control, a_joint_stops_before_its_limit)
{
    rig       r;
    const int knee = 9; // index in v of right_knee
    begin(&r);
    stand(&r, true);
    r.contact_count = 1; // on the left foot: the right knee is free
    const atemi_joint *joint =
        atemi_model_joint(r.model, atemi_model_find_joint(r.model, "right_knee"));
    CHECK_EQUAL_INT(joint->first_v, knee);
    for (int step = 0; step < 3000; ++step) {
        r.wanted[knee] = 50.0;
        r.weights[knee] = 1e3;
        begin_tick(&r);
        solve(&r);
        const double a = atemi_whole_body_accelerations(r.control)[knee];
        r.v[knee] += 1e-3 * a; // only the knee moves here: what is tested is its own limit
        r.q[joint->first_q] += 1e-3 * r.v[knee];
        CHECK(r.v[knee] <= joint->limits.velocity + 1e-6);
        CHECK(r.q[joint->first_q] <= joint->limits.upper + 1e-6);
    }
    CHECK(r.q[joint->first_q] > joint->limits.upper - 0.01);
    end(&r);
}

// A push to the left that the soles alone would not stand without the rail at the left hand.
TEST(whole_body_control, leans_on_a_rail)
{
    rig          r;
    const double weights[] = {1e3, 1e3, 1e3, 1.0, 1.0, 1.0};
    begin(&r);
    stand(&r, true);
    r.contacts[0].friction = r.contacts[1].friction = 0.1;
    const atemi_force rate = {{0.0, -2.0 * atemi_model_mass(r.model), 0.0}, {0.0, 0.0, 0.0}};
    begin_tick(&r);
    atemi_whole_body_momentum(r.control, rate, weights);
    solve(&r);
    const double alone = atemi_whole_body_wrench(r.control, 0).linear.y +
                         atemi_whole_body_wrench(r.control, 1).linear.y;
    CHECK(alone > 0.5 * rate.linear.y); // more than friction has, is not there
    atemi_whole_body_contact *hand = &r.contacts[r.contact_count++];
    *hand = atemi_whole_body_contact_default();
    hand->link = atemi_model_find_link(r.model, "left_hand");
    hand->frame.rotation = (atemi_mat3){{1, 0, 0}, {0, 0, 1}, {0, -1, 0}}; // z is -y of the hand
    begin_tick(&r);
    atemi_whole_body_momentum(r.control, rate, weights);
    solve(&r);
    double sum = 0.0;
    for (int i = 0; i < 3; ++i) {
        sum += atemi_whole_body_wrench(r.control, i).linear.y;
    }
    CHECK_NEAR(sum, rate.linear.y, 0.05 * fabs(rate.linear.y)); // other tasks have weights
    check_dynamics(&r);
    check_cones(&r);
    end(&r);
}

TEST(whole_body_control, gives_up_stops_before_efforts_and_never_friction)
{
    rig r;
    begin(&r);
    stand(&r, true);
    const atemi_joint *joint =
        atemi_model_joint(r.model, atemi_model_find_joint(r.model, "chest_pitch"));
    r.q[joint->first_q] = joint->limits.upper + 2.0; // far beyond: more than the drives can do
    begin_tick(&r);
    const atemi_whole_body_report report = solve(&r);
    CHECK(report.without_stops && !report.without_efforts);
    check_dynamics(&r);
    check_efforts(&r);
    check_cones(&r);
    end(&r);
}

TEST(whole_body_control, allocates_nothing_and_repeats_itself)
{
    rig    r;
    double first[MOST];
    begin(&r);
    stand(&r, true);
    allocations_begin();
    for (int i = 0; i < 3; ++i) {
        begin_tick(&r);
        solve(&r);
        if (i == 0) {
            memcpy(first, r.tau, sizeof first);
        }
    }
    CHECK_EQUAL_INT(allocations_end(), 0);
    for (int i = 0; i < r.nv; ++i) {
        CHECK_NEAR(r.tau[i], first[i], 1e-8); // a guess of active limits is rounding only
    }
    end(&r);
}

TEST(whole_body_control, misuse_breaks_the_contract)
{
    rig r;
    begin(&r);
    CHECK_BREAKS_CONTRACT(atemi_whole_body_contact_add(r.control, &r.contacts[0]));
    CHECK_BREAKS_CONTRACT(atemi_whole_body_joints(r.control, r.wanted, r.weights));
    end(&r);
}
