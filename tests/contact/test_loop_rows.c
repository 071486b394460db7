// SPDX-License-Identifier: Apache-2.0

#include "contact/loop_rows.h"

#include "atemi/contact.h"
#include "atemi/model_builder.h"
#include "check.h"
#include "data.h"
#include "dynamics/data_parts.h"

#include <math.h>
#include <string.h>

// Loops in constrained dynamics and in both collisions, beside closed forms: of free bodies that a
// loop joins, and of a body that a hinge loop hangs on the world.

static const double g = 9.81;

// Two free boxes, of 2 kg and 1 kg, whose middles are 0.5 m apart along x.
static atemi_model *boxes(void)
{
    atemi_scene_body first = atemi_scene_body_box("first", 2.0, (atemi_vec3){0.4, 0.2, 0.1});
    atemi_scene_body second = atemi_scene_body_box("second", 1.0, (atemi_vec3){0.2, 0.2, 0.2});
    atemi_model     *scene;
    atemi_error      error;
    second.pose.position.x = 0.5;
    const atemi_scene_body bodies[] = {first, second};
    CHECK_STATUS(atemi_scene_create(NULL, bodies, 2, &scene, &error), ATEMI_OK);
    return scene;
}

static atemi_loop weld(const atemi_model *model, atemi_loop_kind kind)
{
    return (atemi_loop){.name = "weld",
                        .kind = kind,
                        .first = atemi_model_find_link(model, "first"),
                        .second = atemi_model_find_link(model, "second"),
                        .on_first = {atemi_mat3_identity(), {0.25, 0.0, 0.0}},
                        .on_second = {atemi_mat3_identity(), {-0.25, 0.0, 0.0}}};
}

// A force along x on the first: both accelerate with F / (m_1 + m_2), and the loop has m_2 of it.
TEST(loop_rows, welded_bodies_accelerate_as_one)
{
    atemi_model            *model = boxes();
    atemi_data             *data = data_create(model);
    const atemi_loop        loop = weld(model, ATEMI_LOOP_WELD);
    atemi_force             external[3] = {0}, force;
    double                  q[14], a[12];
    const atemi_contact_set set = {.loops = &loop, .loop_count = 1, .loop_forces = &force};
    atemi_contact_report    report;
    atemi_configuration_neutral(model, q);
    external[loop.first].linear = (atemi_vec3){6.0, 0.0, 0.0};
    CHECK_STATUS(atemi_constrained_dynamics(data, q, NULL, NULL, external, &set, a, NULL, &report),
                 ATEMI_OK);
    CHECK_EQUAL_INT(report.rows, 6);
    CHECK_EQUAL_INT(report.rank, 6);
    CHECK_NEAR(a[0], 2.0, 1e-12);
    CHECK_NEAR(a[6], 2.0, 1e-12);
    CHECK_NEAR(a[2], -g, 1e-12);
    CHECK_NEAR(force.linear.x, -2.0, 1e-12);
    CHECK_NEAR(atemi_vec3_norm(force.angular), 0.0, 1e-12);
    atemi_data_destroy(data);
    atemi_model_destroy(model);
}

// Both move with the mean of their velocities, (2 v_1 + v_2) / 3; what one gains the other loses.
TEST(loop_rows, momentum_stays_in_both_collisions)
{
    atemi_model     *model = boxes();
    atemi_data      *data = data_create(model);
    const atemi_loop loop = weld(model, ATEMI_LOOP_WELD);
    atemi_force      impulse = {0};
    double           q[14], v[12] = {3.0, 0.5, 0.0, 0.0, 0.0, 0.0, -1.0}, after[12], other[12];
    const atemi_contact_set set = {.loops = &loop, .loop_count = 1, .loop_forces = &impulse};
    atemi_collision_report  report;
    atemi_configuration_neutral(model, q);
    CHECK_STATUS(atemi_collision(data, q, v, &set, after, NULL, &report), ATEMI_OK);
    CHECK_NEAR(after[0], 5.0 / 3.0, 1e-12);
    CHECK_NEAR(after[6], 5.0 / 3.0, 1e-12);
    CHECK_NEAR(impulse.linear.x, 2.0 * (5.0 / 3.0 - 3.0), 1e-12);
    CHECK_NEAR(2.0 * after[1] + after[7], 2.0 * v[1], 1e-12);
    CHECK(report.energy < 0.0 && report.violation < 1e-11);
    CHECK_STATUS(atemi_collision_in_modes(data, q, v, &set, other, NULL, NULL), ATEMI_OK);
    for (int i = 0; i < 12; ++i) {
        CHECK_NEAR(after[i], other[i], 1e-11);
    }
    atemi_data_destroy(data);
    atemi_model_destroy(model);
}

// Welded boxes land on a point under the middle of both: it stops 3 kg, and the weld 1 kg of them.
TEST(loop_rows, weld_carries_its_part_of_a_landing)
{
    atemi_model     *model = boxes();
    atemi_data      *data = data_create(model);
    const atemi_loop loop = weld(model, ATEMI_LOOP_WELD);
    atemi_force      impulse = {0};
    atemi_vec3       floor;
    atemi_contact    contact = atemi_contact_default();
    double           q[14], v[12] = {0.0}, after[12];
    contact.link = loop.first;
    contact.point.x = 0.5 / 3.0;
    v[2] = v[8] = -1.0;
    const atemi_contact_set set = {
        .contacts = &contact, .count = 1, .loops = &loop, .loop_count = 1, .loop_forces = &impulse};
    atemi_configuration_neutral(model, q);
    CHECK_STATUS(atemi_collision(data, q, v, &set, after, &floor, NULL), ATEMI_OK);
    CHECK_NEAR(floor.z, 3.0, 1e-11);
    CHECK_NEAR(impulse.linear.z, -1.0, 1e-11);
    for (int i = 0; i < 12; ++i) {
        CHECK_NEAR(after[i], 0.0, 1e-11);
    }
    atemi_data_destroy(data);
    atemi_model_destroy(model);
}

// A box on a hinge of the world, c from its middle along z, at the angle b from hanging, with the
// angular velocity w: a pendulum, I b'' = -m g c sin b with I = I_yy + m c^2, and the hinge carries
// m (c w^2 + g cos b) along the arm.
TEST(loop_rows, hinge_in_the_world_makes_a_pendulum)
{
    const double     m = 2.0, c = 0.3, b = 0.7, w = 3.0;
    atemi_scene_body box = atemi_scene_body_box("box", m, (atemi_vec3){0.4, 0.2, 0.1});
    atemi_model     *model;
    atemi_error      error;
    CHECK_STATUS(atemi_scene_create(NULL, &box, 1, &model, &error), ATEMI_OK);
    atemi_data      *data = data_create(model);
    const atemi_mat3 about_y = atemi_mat3_with_z((atemi_vec3){0.0, 1.0, 0.0});
    const atemi_loop loop = {.name = "hinge",
                             .kind = ATEMI_LOOP_HINGE,
                             .first = atemi_model_find_link(model, "box"),
                             .second = ATEMI_NONE,
                             .on_first = {about_y, {0.0, 0.0, c}},
                             .on_second = {about_y, {0.0, 0.0, 0.0}}};
    const atemi_vec3 arm = {-c * sin(b), 0.0, -c * cos(b)}; // from the hinge to the middle
    const double     q[7] = {arm.x, 0.0, arm.z, 0.0, sin(0.5 * b), 0.0, cos(0.5 * b)};
    // In the axes of the box the middle moves along x: backwards for b growing.
    const double            v[6] = {-c * w, 0.0, 0.0, 0.0, w, 0.0};
    double                  a[6];
    atemi_force             force;
    const atemi_contact_set set = {.loops = &loop, .loop_count = 1, .loop_forces = &force};
    CHECK_STATUS(atemi_constrained_dynamics(data, q, v, NULL, NULL, &set, a, NULL, NULL), ATEMI_OK);
    const double I = m * (0.4 * 0.4 + 0.1 * 0.1) / 12.0 + m * c * c;
    CHECK_NEAR(a[4], -m * g * c * sin(b) / I, 1e-12);
    const double along = (force.linear.x * arm.x + force.linear.z * arm.z) / c;
    CHECK_NEAR(along, -m * (c * w * w + g * cos(b)), 1e-11);
    CHECK_NEAR(force.linear.y, 0.0, 1e-12);
    atemi_data_destroy(data);
    atemi_model_destroy(model);
}

// Rows are the rates of gaps: a small motion along any v changes them by J v.
TEST(loop_rows, rows_are_the_rates_of_gaps)
{
    atemi_model *model = boxes();
    atemi_data  *data = data_create(model);
    double       q[14];
    const double v[12] = {0.3, -0.2, 0.5, 0.7, -0.4, 0.9, -0.6, 0.1, 0.8, 0.2, 1.1, -0.5};
    const double dt = 1e-6;
    atemi_configuration_neutral(model, q);
    for (int kind = ATEMI_LOOP_POINT; kind <= ATEMI_LOOP_WELD; ++kind) {
        const atemi_loop  loop = weld(model, (atemi_loop_kind)kind);
        const int         n = atemi_loop_rows(loop.kind);
        atemi_contact_row rows[ATEMI_CONTACT_MAX_ROWS];
        double            before[ATEMI_CONTACT_MAX_ROWS], after[ATEMI_CONTACT_MAX_ROWS], moved[14];
        atemi_update_kinematics(data, q, v, NULL);
        const atemi_kinematics *k = atemi_data_kinematics(data);
        CHECK_EQUAL_INT(atemi_loop_rows_find(model, k, true, &loop, 1, rows), n);
        atemi_configuration_integrate(model, q, v, -dt, moved);
        atemi_update_kinematics(data, moved, NULL, NULL);
        atemi_loop_gaps(model, k, &loop, 1, before);
        atemi_configuration_integrate(model, q, v, dt, moved);
        atemi_update_kinematics(data, moved, NULL, NULL);
        atemi_loop_gaps(model, k, &loop, 1, after);
        for (int r = 0; r < n; ++r) {
            CHECK_NEAR((after[r] - before[r]) / (2.0 * dt), rows[r].velocity, 1e-8);
        }
    }
    atemi_data_destroy(data);
    atemi_model_destroy(model);
}

// The second box rotates by 0.01 rad about the weld, or moves by 1 cm away from it, along each
// axis: the weld opens by as much, to the square of that.
TEST(loop_rows, opening_is_the_distance_or_the_angle)
{
    atemi_model     *model = boxes();
    atemi_data      *data = data_create(model);
    const atemi_loop loop = weld(model, ATEMI_LOOP_WELD);
    double           q[14], moved[14];
    atemi_configuration_neutral(model, q);
    for (int axis = 0; axis < 6; ++axis) {
        double v[12] = {0.0};
        v[6 + axis] = 0.01;
        v[7] += 0.25 * v[11]; // w x (0.25, 0, 0)
        v[8] -= 0.25 * v[10];
        atemi_configuration_integrate(model, q, v, 1.0, moved);
        atemi_update_kinematics(data, moved, NULL, NULL);
        CHECK_NEAR(atemi_loop_opening(model, atemi_data_kinematics(data), &loop), 0.01, 1e-4);
    }
    atemi_data_destroy(data);
    atemi_model_destroy(model);
}
