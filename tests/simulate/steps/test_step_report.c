// SPDX-License-Identifier: Apache-2.0

#include "simulate/steps/step_report.h"

#include "atemi/dynamics.h"
#include "bodies.h"
#include "check.h"
#include "trial.h"

#include <math.h>

static const double g = 9.81, half_brick = 0.05;

static void drag(void *context, double time, atemi_force *forces)
{
    (void)time;
    forces[0].linear = atemi_vec3_add(forces[0].linear, *(const atemi_vec3 *)context);
}

static void begin(trial *t, double friction, atemi_vec3 *pull)
{
    atemi_simulation_point corners[4];
    rough_bottom(brick_size, friction, corners);
    const trial_setting setting = {
        .model = brick_model(),
        .surface = atemi_surface_floor(),
        .points = corners,
        .count = 4,
        .step = 1e-3,
        .method = ATEMI_METHOD_STEPS,
        .hooks = {.external_forces = pull ? drag : NULL, .context = pull}};
    trial_begin(t, &setting);
}

static double work_of(const atemi_simulation *s)
{
    const atemi_simulation_ledger books = atemi_simulation_ledger_get(s);
    return books.torque_work + books.friction_work + books.contact_work + books.external_work +
           books.collision_work;
}

// Dragged along the floor with 10 N against friction of 0.3 m g: what the force gives, what
// friction takes, and the rest is kinetic energy. The brick does not rotate, so all of it is to
// rounding and the 1e-6 of the solver.
TEST(step_report, books_close_while_a_brick_is_dragged)
{
    atemi_vec3   pull = {10.0, 0.0, 0.0};
    const double q[7] = {0, 0, half_brick, 0, 0, 0, 1}, v[6] = {1.0, 0, 0, 0, 0, 0};
    const double a = 10.0 / brick_mass - 0.3 * g, way = 1.0 + 0.5 * a;
    trial        t;
    begin(&t, 0.3, &pull);
    trial_start(&t, q, v);
    const double before = trial_energy(&t);
    trial_run(&t, 1.0);
    const atemi_simulation_ledger books = atemi_simulation_ledger_get(t.simulation);
    CHECK_NEAR(books.external_work, 10.0 * way, 1e-3);
    CHECK_NEAR(books.contact_work, -0.3 * brick_mass * g * way, 1e-3);
    CHECK_NEAR(trial_energy(&t) - before, work_of(t.simulation), 1e-3);
    CHECK_NEAR(books.external_impulse.x, 10.0, 1e-9);
    CHECK_NEAR(atemi_simulation_q(t.simulation)[0], way, 1e-4);
    trial_end(&t);
}

// A brick that starts inside the floor is lifted out within a step, by  m g depth; the solver lifts
// to 1e-9 m.
TEST(step_report, books_what_a_lift_costs)
{
    const double depth = 5e-6, cost = brick_mass * g * depth;
    const double q[7] = {0, 0, half_brick - depth, 0, 0, 0, 1}, v[6] = {0};
    trial        t;
    begin(&t, 0.3, NULL);
    trial_start(&t, q, v);
    const double before = trial_energy(&t);
    trial_run(&t, 0.01);
    CHECK_NEAR(trial_energy(&t) - before, cost, 1e-3 * cost);
    CHECK_NEAR(work_of(t.simulation), cost, 1e-3 * cost);
    trial_end(&t);
}

// Deeper, that is energy which nothing had lost before: booked, and yet made up.
TEST(step_report, contacts_that_give_energy_end_the_run)
{
    const double q[7] = {0, 0, half_brick - 1e-3, 0, 0, 0, 1}, v[6] = {0};
    atemi_error  error = {0};
    trial        t;
    begin(&t, 0.3, NULL);
    trial_start(&t, q, v);
    CHECK_STATUS(atemi_simulation_run(t.simulation, 0.1, &error), ATEMI_ERROR_SINGULAR);
    CHECK_CONTAINS(error.message, "more than were put in");
    trial_end(&t);
}

// Lands flat, is pulled until it slips, and lifted off: each is told once for each point, or once
// for the patch.
TEST(step_report, tells_of_touchdown_slip_and_lift_off)
{
    atemi_vec3   pull = {0.0, 0.0, 0.0};
    const double q[7] = {0, 0, half_brick + 0.01, 0, 0, 0, 1}, v[6] = {0};
    trial        t;
    begin(&t, 0.5, &pull);
    trial_start(&t, q, v);
    trial_run(&t, 0.2);
    CHECK_EQUAL_INT(trial_count(&t, ATEMI_EVENT_TOUCHDOWN), 4);
    CHECK_NEAR(t.events[0].time, sqrt(0.02 / g), 1e-3);
    CHECK_NEAR(t.events[0].speed, sqrt(0.02 * g), 1e-3 * g);
    pull.x = 0.6 * brick_mass * g;
    trial_run(&t, 0.3);
    CHECK_EQUAL_INT(trial_count(&t, ATEMI_EVENT_SLIP), 1);
    CHECK_EQUAL_INT(atemi_simulation_mode(t.simulation, 0), ATEMI_CONTACT_SLIP);
    pull = (atemi_vec3){0.0, 0.0, 1.5 * brick_mass * g};
    trial_run(&t, 0.4);
    CHECK_EQUAL_INT(trial_count(&t, ATEMI_EVENT_LIFT_OFF), 4);
    CHECK_EQUAL_INT(t.count, 9);
    trial_end(&t);
}

// The wrench of a fixed-base arm's joint at its stop: the stop's torque and gravity's.
TEST(step_report, wrench_at_a_stop_holds_the_weight)
{
    const hinge  arm = {.mass = 2.0,
                        .arm = 0.5,
                        .inertia = 0.1,
                        .gravity = g,
                        .limits = {0.3, 1.0, INFINITY, INFINITY}};
    const double q = 0.3, v = 0.0;
    atemi_force  wrench;
    trial        t;
    trial_begin(&t, &(trial_setting){.model = hinge_model(&arm),
                                     .step = 1e-3,
                                     .method = ATEMI_METHOD_STEPS,
                                     .joint_stops = true});
    trial_start(&t, &q, &v);
    trial_run(&t, 0.1);
    atemi_simulation_wrenches(t.simulation, &wrench);
    CHECK_NEAR(atemi_vec3_norm(wrench.linear), 2.0 * g, 1e-4);
    CHECK_NEAR(wrench.angular.y, *atemi_simulation_stop_torques(t.simulation), 1e-4);
    CHECK_NEAR(wrench.angular.y, 2.0 * g * 0.5 * sin(0.3), 1e-4);
    trial_end(&t);
}
