// SPDX-License-Identifier: Apache-2.0

#include "control/standing_program.h"

#include "atemi/dynamics.h"
#include "data.h"
#include "random.h"
#include "standing_rig.h"

#include <math.h>

// The oracles are inverse dynamics with the wrenches as external forces, the lever rule, and the
// cones themselves. Forces balance to 1e-6 of the weight: the program solves to 1e-9 of its terms,
// some hundred of which make a torque.

static const double balance = 1e-6;

enum { MOST_CONTACTS = 4 };

typedef struct rig {
    atemi_model             *model;
    atemi_data              *data;
    atemi_arena              arena;
    atemi_base_frame         base;
    atemi_base_frame_scratch scratch;
    standing_program         program;
    atemi_standing_contact   contacts[MOST_CONTACTS];
    int                      contact_count, nv;
    double                   weight, margin;
    double                   q[STANDING_MOST], u[STANDING_MOST], du[STANDING_MOST];
    double                   loads[STANDING_MOST], torques[STANDING_MOST];
    bool                     held[STANDING_MOST];
} rig;

static void take(rig *r, atemi_arena *arena)
{
    r->scratch = atemi_base_frame_scratch_take(arena, r->model);
    r->program = atemi_standing_program_take(arena, r->model, r->contact_count, 2);
}

static void begin(rig *r)
{
    *r = (rig){0};
    r->model = standing_robot(r->q);
    CHECK_STATUS(atemi_data_create(r->model, NULL, &r->data, NULL), ATEMI_OK);
    r->nv = atemi_model_v_count(r->model);
    r->weight = atemi_model_mass(r->model) * 9.81;
    standing_soles(r->model, r->contacts);
    r->contact_count = STANDING_FEET;
}

static void start(rig *r)
{
    atemi_arena measuring = atemi_arena_measuring();
    take(r, &measuring);
    CHECK_STATUS(atemi_arena_create(&r->arena, measuring.used, NULL), ATEMI_OK);
    take(r, &r->arena);
    atemi_standing_program_start(r->model, r->contacts, &r->program);
    atemi_update_kinematics(r->data, r->q, NULL, NULL);
    r->base.link = r->contacts[0].link;
    r->base.pose = atemi_link_pose(r->data, r->base.link);
}

static standing_result solve(rig *r, bool efforts)
{
    atemi_base_frame_loads(r->model, &r->base, r->u, r->du, atemi_model_gravity(r->model),
                           &r->scratch, r->q, r->loads);
    atemi_standing_program_place(r->model, r->held, &r->scratch, &r->program);
    return atemi_standing_program_solve(&r->program, r->loads,
                                        (standing_limits){r->margin, efforts}, r->torques);
}

static void end(rig *r)
{
    atemi_arena_destroy(&r->arena);
    atemi_data_destroy(r->data);
    atemi_model_destroy(r->model);
}

// The wrench of a contact at its link's origin, world axes.
static atemi_force at_link(const rig *r, int contact)
{
    const atemi_standing_contact *c = &r->program.supports[contact].about;
    const atemi_force             w = atemi_standing_program_wrench(&r->program, contact);
    const atemi_transform         link = atemi_link_pose(r->data, c->link);
    const atemi_transform         at = atemi_transform_compose(&link, &c->frame);
    const atemi_vec3              f = atemi_mat3_apply(&at.rotation, w.linear);
    const atemi_vec3              arm = atemi_vec3_sub(at.position, link.position);
    return (atemi_force){
        f, atemi_vec3_add(atemi_mat3_apply(&at.rotation, w.angular), atemi_vec3_cross(arm, f))};
}

// Inverse dynamics of the same motion with the wrenches: no force on the base, and these torques.
static void check_balance(rig *r)
{
    atemi_force forces[STANDING_MOST] = {{{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}}};
    double      v[STANDING_MOST], a[STANDING_MOST], tau[STANDING_MOST];
    memcpy(v, r->scratch.v, sizeof(double) * (size_t)r->nv);
    memcpy(a, r->scratch.a, sizeof(double) * (size_t)r->nv);
    atemi_update_kinematics(r->data, r->q, NULL, NULL);
    for (int c = 0; c < r->program.count; ++c) {
        forces[r->program.supports[c].about.link] = at_link(r, c);
    }
    atemi_inverse_dynamics(r->data, r->q, v, a, forces, tau);
    for (int i = 0; i < 6; ++i) {
        CHECK_NEAR(tau[i], 0.0, balance * r->weight);
    }
    for (int i = 6; i < r->nv; ++i) {
        CHECK_NEAR(r->torques[i - 6], tau[i], balance * r->weight);
    }
}

static void move_randomly(rig *r, random_stream *stream, double speed, double acceleration)
{
    for (int i = 6; i < r->nv; ++i) {
        r->u[i] = random_uniform(stream, -speed, speed);
        r->du[i] = random_uniform(stream, -acceleration, acceleration);
    }
}

TEST(standing_program, bears_a_motion_as_inverse_dynamics_says)
{
    rig           r;
    random_stream stream = random_seeded(3);
    begin(&r);
    start(&r);
    for (int k = 0; k < 200; ++k) {
        move_randomly(&r, &stream, 0.1, 0.5);
        const standing_result result = solve(&r, true);
        CHECK(result.missing < balance);
        CHECK(result.effort <= 1.0 + balance);
        check_balance(&r);
    }
    end(&r);
}

TEST(standing_program, keeps_friction_and_pressure_within_what_is_allowed)
{
    rig           r;
    random_stream stream = random_seeded(4);
    int           missing = 0;
    begin(&r);
    r.margin = 0.1;
    start(&r);
    for (int k = 0; k < 500; ++k) {
        move_randomly(&r, &stream, 0.5, 20.0);
        missing += solve(&r, false).missing > 1e-4;
        for (int c = 0; c < STANDING_FEET; ++c) {
            const atemi_standing_contact *s = &r.contacts[c];
            const atemi_force             w = atemi_standing_program_wrench(&r.program, c);
            const double                  small = balance * r.weight, push = w.linear.z;
            CHECK(push >= -small);
            CHECK(hypot(w.linear.x, w.linear.y) <= s->friction * push + small);
            CHECK(fabs(w.angular.x) <= 0.8 * 0.5 * s->size_y * push + small);
            CHECK(fabs(w.angular.y) <= 0.8 * 0.5 * s->size_x * push + small);
        }
    }
    CHECK(missing > 50); // these motions are too wild for soles
    end(&r);
}

// Two lines along x bear no moment about themselves: what each bears follows from levers alone.
TEST(standing_program, distributes_the_weight_by_the_lever_rule)
{
    rig r;
    begin(&r);
    for (int c = 0; c < STANDING_FEET; ++c) {
        r.contacts[c].size_y = 0.0;
    }
    start(&r);
    const int shoulder =
        atemi_model_joint(r.model, atemi_model_find_joint(r.model, "chest_yaw"))->first_q;
    for (int k = -4; k <= 4; ++k) {
        r.q[shoulder] = 0.1 * k; // the centre of mass goes sideways
        CHECK(solve(&r, false).missing < balance);
        atemi_update_kinematics(r.data, r.q, NULL, NULL);
        double y[STANDING_FEET];
        for (int c = 0; c < STANDING_FEET; ++c) {
            const atemi_transform link = atemi_link_pose(r.data, r.contacts[c].link);
            y[c] = atemi_transform_apply(&link, r.contacts[c].frame.position).y;
        }
        const double center = atemi_center_of_mass(r.data).y;
        const double left = (center - y[STANDING_RIGHT]) / (y[STANDING_LEFT] - y[STANDING_RIGHT]);
        CHECK_NEAR(atemi_standing_program_wrench(&r.program, STANDING_LEFT).linear.z,
                   left * r.weight, balance * r.weight);
        CHECK_NEAR(atemi_standing_program_wrench(&r.program, STANDING_RIGHT).linear.z,
                   (1.0 - left) * r.weight, balance * r.weight);
    }
    end(&r);
}

// On one foot the pressure is below the centre of mass.
TEST(standing_program, presses_below_the_centre_of_mass_of_a_robot_at_rest)
{
    rig r;
    begin(&r);
    r.contacts[0] = r.contacts[STANDING_LEFT];
    r.contacts[0].size_x = r.contacts[0].size_y = 1.0;
    r.contact_count = 1;
    start(&r);
    CHECK(solve(&r, false).missing < balance);
    atemi_update_kinematics(r.data, r.q, NULL, NULL);
    const atemi_force     w = atemi_standing_program_wrench(&r.program, 0);
    const atemi_transform link = atemi_link_pose(r.data, r.contacts[0].link);
    const atemi_transform sole = atemi_transform_compose(&link, &r.contacts[0].frame);
    const atemi_vec3      pressure = {-w.angular.y / w.linear.z, w.angular.x / w.linear.z, 0.0};
    const atemi_vec3      at = atemi_transform_apply(&sole, pressure);
    CHECK_NEAR(at.x, atemi_center_of_mass(r.data).x, balance);
    CHECK_NEAR(at.y, atemi_center_of_mass(r.data).y, balance);
    CHECK_NEAR(w.linear.z, r.weight, balance * r.weight);
    end(&r);
}

// The robot leans on one foot beside its centre of mass: pressure goes to the edge, and what is
// missing is the lever from there, as a fraction of the height that moments count at.
TEST(standing_program, says_what_is_missing_where_a_foot_tips)
{
    rig r;
    begin(&r);
    r.contacts[0] = r.contacts[STANDING_LEFT];
    r.contact_count = 1;
    start(&r);
    const standing_result result = solve(&r, false);
    const atemi_force     w = atemi_standing_program_wrench(&r.program, 0);
    CHECK_NEAR(w.angular.x / w.linear.z, -0.5 * r.contacts[0].size_y, 1e-4);
    atemi_update_kinematics(r.data, r.q, NULL, NULL);
    const atemi_transform link = atemi_link_pose(r.data, r.contacts[0].link);
    const atemi_vec3      middle = atemi_transform_apply(&link, r.contacts[0].frame.position);
    const atemi_vec3      off = atemi_vec3_sub(atemi_center_of_mass(r.data), middle);
    const double          lever = -off.y - 0.5 * r.contacts[0].size_y;
    CHECK(lever > 0.02);
    // Forces and moments share what is missing, so the lever is an upper bound, and near it.
    CHECK(result.missing > 0.2 * lever / atemi_vec3_norm(off));
    CHECK(result.missing <= lever / atemi_vec3_norm(off) * (1.0 + 1e-6));
    end(&r);
}

TEST(standing_program, lets_a_hand_that_is_held_bear_what_feet_cannot)
{
    rig r;
    begin(&r);
    r.contacts[0] = r.contacts[STANDING_LEFT];
    r.contact_count = 1;
    start(&r);
    const double alone = solve(&r, false).missing;
    r.held[atemi_model_find_link(r.model, "right_hand")] = true;
    CHECK(solve(&r, false).missing < balance && alone > 0.01);
    CHECK_EQUAL_INT(r.program.count, 2);
    check_balance(&r);
    end(&r);
}

static int joint_of(const rig *r, const char *name)
{
    return atemi_model_joint(r->model, atemi_model_find_joint(r->model, name))->first_v - 6;
}

// A knee that has a little less than it takes with the least strain: the other leg takes more. If
// both have next to nothing the robot would sink, and what is given up is said.
TEST(standing_program, keeps_efforts_as_long_as_contacts_can)
{
    rig r;
    begin(&r);
    start(&r);
    const standing_result strong = solve(&r, true);
    const int             right = joint_of(&r, "right_knee"), left = joint_of(&r, "left_knee");
    r.program.limits[right] = 0.95 * fabs(r.torques[right]);
    const standing_result less = solve(&r, true);
    r.program.limits[right] = r.program.limits[left] = 0.01;
    const standing_result weak = solve(&r, true), given_up = solve(&r, false);
    CHECK(strong.missing < balance && strong.effort < 1.0);
    CHECK(less.missing < balance && less.effort <= 1.0 + 1e-6);
    CHECK(weak.missing > 1e-3 && weak.effort <= 1.0 + 1e-6);
    CHECK(given_up.missing < 1e-3 && given_up.effort > 1.0);
    end(&r);
}
