// SPDX-License-Identifier: Apache-2.0

#include "atemi/robots.h"
#include "atemi/simulation.h"

#include "allocations.h"
#include "bodies.h"
#include "check.h"
#include "trial.h"

#include <math.h>
#include <string.h>

// A brick that is dropped flat from the height `drop` meets the floor after sqrt(2 drop / g) with
// u = sqrt(2 g drop), with four corners at once, and gets the impulse m u (1 + e).

static const double g = 9.81, drop = 0.3;

static void begin(trial *t, double restitution)
{
    atemi_simulation_point bottom[4];
    rough_bottom(brick_size, 0.5, bottom);
    for (int i = 0; i < 4; ++i) {
        bottom[i].restitution = restitution;
    }
    const trial_setting setting = {.model = brick_model(),
                                   .surface = atemi_surface_floor(),
                                   .points = bottom,
                                   .count = 4,
                                   .step = 1e-2};
    trial_begin(t, &setting);
}

// With a speed along the floor and about the vertical.
static void release(trial *t, double along, double about)
{
    const double q[7] = {0, 0, drop + 0.5 * brick_size.z, 0, 0, 0, 1};
    const double v[6] = {along, 0, 0, 0, 0, about};
    trial_start(t, q, v);
}

// Of the four impulses only the sum is unique.
static void check_four_touchdowns(const trial *t, double restitution)
{
    const double u = sqrt(2.0 * g * drop);
    double       upwards = 0.0;
    for (int i = 0; i < 4; ++i) {
        CHECK_EQUAL_INT(t->events[i].kind, ATEMI_EVENT_TOUCHDOWN);
        CHECK_EQUAL_INT(t->events[i].point, i);
        CHECK_NEAR(t->events[i].time, u / g, 1e-11);
        CHECK_NEAR(t->events[i].speed, u, 1e-10);
        CHECK(t->events[i].impulse.z >= 0.0);
        upwards += t->events[i].impulse.z;
    }
    CHECK_NEAR(upwards, brick_mass * u * (1.0 + restitution), 1e-10);
}

TEST(landing, of_four_corners_at_once_holds_all_four)
{
    trial t;
    begin(&t, 0.0);
    release(&t, 0.0, 0.0);
    trial_run(&t, 1.0);
    CHECK_EQUAL_INT(t.count, 4);
    check_four_touchdowns(&t, 0.0);
    for (int i = 0; i < 4; ++i) {
        CHECK_EQUAL_INT(atemi_simulation_mode(t.simulation, i), ATEMI_CONTACT_STICK);
        CHECK_NEAR(atemi_simulation_force(t.simulation, i).z, brick_mass * g / 4.0, 1e-10);
        CHECK_NEAR(atemi_simulation_gap(t.simulation, i), 0.0, 1e-12);
    }
    CHECK_NEAR(atemi_simulation_statistics_get(t.simulation).collision_energy,
               brick_mass * g * drop, 1e-10);
    trial_end(&t);
}

// It stays level: the four bounce as one.
TEST(landing, of_four_corners_at_once_bounces_level)
{
    trial        t;
    const double e = 0.6, u = sqrt(2.0 * g * drop), top = u / g * (1.0 + e);
    begin(&t, e);
    release(&t, 0.0, 0.0);
    trial_run(&t, top);
    check_four_touchdowns(&t, e);
    const double *q = atemi_simulation_q(t.simulation);
    CHECK_NEAR(q[2], 0.5 * brick_size.z + e * e * drop, 1e-10);
    CHECK_NEAR(hypot(q[3], q[4]), 0.0, 1e-10);
    CHECK_NEAR(atemi_simulation_v(t.simulation)[2], 0.0, 1e-9);
    trial_end(&t);
}

// Friction takes mu m u from the momentum along the floor. It acts c below the centre of mass, so
// that the impulse upwards acts mu c ahead of it: within the brick, which stays flat and slides on.
TEST(landing, of_four_corners_at_once_slides_on_if_it_is_fast)
{
    trial        t;
    const double mu = 0.5, along = 3.0, u = sqrt(2.0 * g * drop), slides = along - mu * u;
    begin(&t, 0.0);
    release(&t, along, 0.0);
    trial_run(&t, u / g + 0.1);
    check_four_touchdowns(&t, 0.0);
    CHECK_NEAR(atemi_simulation_v(t.simulation)[0], slides - mu * g * 0.1, 1e-9);
    trial_run(&t, u / g + 1.0);
    const atemi_event *stop = trial_event(&t, ATEMI_EVENT_STICK, 4);
    CHECK(stop);
    CHECK_NEAR(stop->time, u / g + slides / (mu * g), 1e-9);
    CHECK_NEAR(atemi_simulation_q(t.simulation)[0],
               along * u / g + slides * slides / (2.0 * mu * g), 1e-9);
    trial_end(&t);
}

// Spinning about the vertical, each corner slides across its arm r: the spin loses mu u r m / I.
TEST(landing, of_a_spinning_brick_loses_spin_as_it_should)
{
    trial        t;
    const double mu = 0.5, u = sqrt(2.0 * g * drop), r = 0.5 * hypot(brick_size.x, brick_size.y);
    const double inertia = body_box(brick_mass, brick_size).inertia.z, w = 40.0;
    begin(&t, 0.0);
    release(&t, 0.0, w);
    trial_run(&t, u / g + 1e-3);
    check_four_touchdowns(&t, 0.0);
    const double loss = mu * brick_mass * r / inertia * (u + g * 1e-3);
    CHECK_NEAR(atemi_simulation_v(t.simulation)[5], w - loss, 1e-9);
    trial_end(&t);
}

// ---- What it costs

static int make_balls(const atemi_model *model, atemi_simulation_point *points)
{
    int count = 0;
    for (int i = 0; i < atemi_model_joint_count(model); i += 2) {
        const atemi_joint *joint = atemi_model_joint(model, i);
        if (joint->type != ATEMI_JOINT_FIXED) {
            points[count++] = (atemi_simulation_point){.link = joint->child_link,
                                                       .radius = 0.04,
                                                       .static_friction = 0.8,
                                                       .kinetic_friction = 0.8};
        }
    }
    return count;
}

static int make_sole_corners(const atemi_model *model, atemi_simulation_point *points)
{
    const atemi_transform here = atemi_transform_identity();
    int                   count = 0;
    for (int i = 0; i < atemi_model_site_count(model); ++i) {
        const atemi_site *site = atemi_model_site(model, i);
        atemi_vec3        corners[4];
        const int         of_sole =
            strstr(site->name, "sole") ? atemi_site_corners(site, &here, corners) : 0;
        for (int c = 0; c < of_sole; ++c) {
            points[count++] = (atemi_simulation_point){.link = site->link,
                                                       .point = corners[c],
                                                       .static_friction = 0.8,
                                                       .kinetic_friction = 0.8};
        }
    }
    return count;
}

// hrp2_like collapses on its feet and then on balls about its joints, limp and with its stops. A
// step takes four evaluations, an event is met by a step or two and settled by one or two
// evaluations: not more than six for each of both. Where friction turned within steps in which
// another corner touches, it had been 7.4.
TEST(landing, of_a_limp_humanoid_takes_few_evaluations)
{
    trial                  t;
    atemi_model           *model;
    atemi_simulation_point points[64]; // 8 corners, and a ball for every other of 34 joints
    CHECK_STATUS(atemi_robots_load("hrp2_like", NULL, &model, NULL), ATEMI_OK);
    const int           corners = make_sole_corners(model, points);
    const int           balls = make_balls(model, points + corners);
    const trial_setting setting = {.model = model,
                                   .surface = atemi_surface_floor(),
                                   .points = points,
                                   .count = corners + balls,
                                   .step = 2e-3,
                                   .joint_stops = true};
    double              q[64] = {0}, v[64] = {0};
    memcpy(q, atemi_model_posture(model, atemi_model_find_posture(model, "half_sitting")),
           (size_t)atemi_model_q_count(model) * sizeof *q);
    q[2] = 0.66; // soles a centimetre above the floor
    trial_begin(&t, &setting);
    trial_start(&t, q, v);
    trial_run(&t, 1.0);
    const atemi_simulation_statistics made = atemi_simulation_statistics_get(t.simulation);
    CHECK(made.events > 100);
    CHECK(made.evaluations < 6 * (made.steps + made.events));
    trial_end(&t);
}

// Tumbling, it goes through every kind of event.
TEST(landing, takes_no_memory)
{
    trial        t;
    const double q[7] = {0, 0, drop, 0.2, 0.3, 0, 1}, v[6] = {1, 0.5, 0, 2, 1, 3};
    begin(&t, 0.3);
    trial_start(&t, q, v);
    allocations_begin();
    trial_run(&t, 0.6);
    CHECK_EQUAL_INT(allocations_end(), 0);
    CHECK(trial_count(&t, ATEMI_EVENT_TOUCHDOWN) > 4);
    CHECK(trial_event(&t, ATEMI_EVENT_STICK, 0));
    trial_end(&t);
}
