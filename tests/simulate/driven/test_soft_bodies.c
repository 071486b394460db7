// SPDX-License-Identifier: Apache-2.0

#include "atemi/control_loop.h"
#include "atemi/surface.h"
#include "check.h"
#include "random_tree.h"

#include <math.h>

// A mass m that floats along x meets a part of a person: a mass M behind a skin of stiffness k. Two
// masses on a spring, as long as they touch: with mu = m M / (m + M) they press with v sqrt(k mu)
// at most, half a period of sqrt(k / mu) long, and leave as after an elastic collision.

static const double m = 3.0, speed = 0.4, period = 1e-4;
static const double pi = 3.14159265358979323846;

typedef struct body_rig {
    atemi_model            *model;
    atemi_whole_body_plant *plant;
    atemi_spring_damper     spring;
    atemi_compliance        skin;
    double                  largest; ///< force, N
    int                     touched; ///< ticks
} body_rig;

static void rig_begin(body_rig *rig, atemi_soft_body body, double stiffness, double damping)
{
    const atemi_inertia  mass = {.mass = m, .rotational = {1.0, 1.0, 1.0, 0.0, 0.0, 0.0}};
    const atemi_surface  plane = {.axis = {-1.0, 0.0, 0.0}};
    atemi_model_builder *builder = tree_begin();
    tree_add_link(builder, "mass", &mass);
    *rig = (body_rig){.model = tree_finish(builder, ATEMI_BASE_FLOATING),
                      .spring = {.stiffness = stiffness, .damping = damping}};
    rig->skin = atemi_compliance_kelvin_voigt(&rig->spring);
    const atemi_simulation_point   point = {.compliance = &rig->skin};
    atemi_whole_body_plant_options o = atemi_whole_body_plant_options_default();
    o.period = period;
    o.surfaces = &plane;
    o.points = &point;
    o.bodies = &body;
    o.surface_count = o.point_count = o.body_count = 1;
    CHECK_STATUS(atemi_whole_body_plant_create(rig->model, &o, &rig->plant, NULL), ATEMI_OK);
    const double q[7] = {-0.01, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0}, v[6] = {speed};
    atemi_whole_body_plant_start(rig->plant, q, v, NULL);
    atemi_whole_body_plant_set_offload(rig->plant, 1.0);
}

static void rig_end(body_rig *rig)
{
    atemi_whole_body_plant_destroy(rig->plant);
    atemi_model_destroy(rig->model);
}

static atemi_soft_body_state rig_body(const body_rig *rig)
{
    return atemi_whole_body_plant_body(rig->plant, 0);
}

static void rig_run(body_rig *rig, double seconds)
{
    for (int k = 0; k < (int)lround(seconds / period); ++k) {
        CHECK_STATUS(atemi_whole_body_plant_advance(rig->plant, NULL), ATEMI_OK);
        const double force = rig_body(rig).force.x;
        rig->largest = fmax(rig->largest, force);
        rig->touched += force > 0.0;
    }
}

static double rig_speed(const body_rig *rig)
{
    return atemi_whole_body_plant_v(rig->plant)[0];
}

// The step errs by (h sqrt(k / mu))^2 / 24 < 4e-5 for the hand, and the largest tick is at most
// half a step beside the peak, which is as little. 1e-3 is beyond both, and far below what any
// other mass or stiffness gives.
static void check_impact(double stiffness, double mass)
{
    body_rig     rig;
    const double mu = m * mass / (m + mass), together = m + mass;
    rig_begin(&rig, (atemi_soft_body){.mass = mass, .clearance = INFINITY}, stiffness, 0.0);
    rig_run(&rig, 0.5);
    CHECK_NEAR(rig.largest / (speed * sqrt(stiffness * mu)), 1.0, 1e-3);
    CHECK_NEAR(rig.touched * period, pi * sqrt(mu / stiffness), 2.0 * period);
    CHECK_NEAR(rig_speed(&rig), speed * (m - mass) / together, 1e-3 * speed);
    CHECK_NEAR(rig_body(&rig).velocity.x, speed * 2.0 * m / together, 1e-3 * speed);
    CHECK_NEAR(rig_body(&rig).velocity.y, 0.0, 1e-12);
    rig_end(&rig);
}

TEST(soft_bodies, meet_a_mass_as_two_masses_on_a_spring_do)
{
    check_impact(75e3, 0.6);
    check_impact(25e3, 40.0);
    check_impact(10e3, 3.0);
}

// With x the compression, w^2 = k / mu and zeta = c / (2 mu w), as long as the skin does not pull:
//   x = v / wd exp(-zeta w t) sin(wd t),   k x + c x' = 0 when they part.
// Dampers act with the velocity before the step: an error of h c / mu < 4e-3 of the speed.
TEST(soft_bodies, with_a_damper_part_as_two_masses_on_spring_and_damper_do)
{
    body_rig     rig;
    const double mass = 3.0, mu = m * mass / (m + mass), k = 10e3, w = sqrt(k / mu), zeta = 0.2;
    const double c = 2.0 * zeta * mu * w, wd = w * sqrt(1.0 - zeta * zeta);
    const double end = (pi - atan2(c * wd, k - c * zeta * w)) / wd;
    const double apart =
        speed * exp(-zeta * w * end) * (cos(wd * end) - zeta * w / wd * sin(wd * end));
    rig_begin(&rig, (atemi_soft_body){.mass = mass, .clearance = INFINITY}, k, c);
    rig_run(&rig, 0.5);
    CHECK_NEAR(rig_speed(&rig) - rig_body(&rig).velocity.x, apart, 4e-3 * speed);
    CHECK_NEAR(m * rig_speed(&rig) + mass * rig_body(&rig).velocity.x, m * speed, 1e-9);
    CHECK(apart < -0.3 * speed);
    rig_end(&rig);
}

TEST(soft_bodies, that_cannot_give_way_are_a_wall_with_that_stiffness)
{
    const atemi_soft_body bodies[] = {{.mass = 40.0, .clearance = 0.0},
                                      {.mass = INFINITY, .clearance = INFINITY}};
    for (int i = 0; i < 2; ++i) {
        body_rig rig;
        rig_begin(&rig, bodies[i], 25e3, 0.0);
        rig_run(&rig, 0.5);
        CHECK_NEAR(rig.largest / (speed * sqrt(25e3 * m)), 1.0, 1e-3);
        CHECK_NEAR(rig_speed(&rig), -speed, 1e-3 * speed);
        CHECK_NEAR(rig_body(&rig).position.x, 0.0, 0.0);
        rig_end(&rig);
    }
}

// A force that presses on: the body goes back until it is clamped, and then the spring bears it
// all. With a damping ratio of 0.3 nothing is left after 2 s of what rounding would show.
TEST(soft_bodies, are_pressed_by_the_law_of_the_spring_once_they_are_clamped)
{
    body_rig     rig;
    const double k = 25e3, force = 60.0, clearance = 0.05;
    rig_begin(&rig, (atemi_soft_body){.mass = 40.0, .clearance = clearance}, k,
              2.0 * 0.3 * sqrt(k * m));
    atemi_whole_body_plant_forces(rig.plant)[0].linear.x = force;
    rig_run(&rig, 3.0);
    const atemi_touch touch = atemi_whole_body_plant_touch(rig.plant, 0);
    CHECK_NEAR(rig_body(&rig).force.x, force, 1e-6 * force);
    CHECK_NEAR(rig_body(&rig).position.x, clearance, 1e-12);
    CHECK_NEAR(touch.gap, -force / k, 1e-6 * force / k);
    CHECK_NEAR(atemi_whole_body_plant_q(rig.plant)[0], clearance + force / k, 1e-6);
    rig_end(&rig);
}

TEST(soft_bodies, that_leave_and_come_again_stand_where_they_were)
{
    body_rig rig;
    rig_begin(&rig, (atemi_soft_body){.mass = 1.0, .clearance = INFINITY}, 25e3, 0.0);
    rig_run(&rig, 0.1);
    CHECK(rig_body(&rig).position.x > 0.01);
    atemi_whole_body_plant_set_surface(rig.plant, 0, true);
    CHECK(rig_body(&rig).position.x > 0.01);
    atemi_whole_body_plant_set_surface(rig.plant, 0, false);
    CHECK_NEAR(rig_body(&rig).position.x, 0.0, 0.0);
    CHECK_NEAR(rig_body(&rig).velocity.x, 0.0, 0.0);
    rig_end(&rig);
}

TEST(soft_bodies, without_mass_are_refused)
{
    atemi_error                    error;
    atemi_whole_body_plant        *plant;
    const atemi_surface            floor = atemi_surface_floor();
    const atemi_soft_body          body = {.mass = 0.0};
    atemi_whole_body_plant_options o = atemi_whole_body_plant_options_default();
    atemi_model                   *model = uneven_chain(1, 1.0, 1.0);
    o.surfaces = &floor;
    o.bodies = &body;
    o.surface_count = o.body_count = 1;
    CHECK_STATUS(atemi_whole_body_plant_create(model, &o, &plant, &error), ATEMI_ERROR_INPUT);
    CHECK_CONTAINS(error.message, "give a positive mass");
    atemi_model_destroy(model);
}
