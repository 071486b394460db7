// SPDX-License-Identifier: Apache-2.0

#include "atemi/simulation.h"

#include "atemi/math.h"
#include "bodies.h"
#include "check.h"
#include "trial.h"

#include <math.h>

// A brick on its four lower corners. Along a line everything is a polynomial of second degree in
// time, third under a growing push, which the integrator follows exactly.

static const double g = 9.81;

static const atemi_simulation_hooks alone = {0};

typedef struct ground {
    double tilt; ///< falls along x
    double static_friction, kinetic_friction;
} ground;

static void begin(trial *t, const ground *on, double step, atemi_simulation_hooks hooks)
{
    atemi_simulation_point bottom[4];
    rough_bottom(brick_size, on->static_friction, bottom);
    for (int i = 0; i < 4; ++i) {
        bottom[i].kinetic_friction = on->kinetic_friction;
    }
    const trial_setting setting = {
        .model = brick_model(),
        .surface = {.kind = ATEMI_SURFACE_PLANE, .axis = {sin(on->tilt), 0, cos(on->tilt)}},
        .points = bottom,
        .count = 4,
        .step = step,
        .hooks = hooks};
    trial_begin(t, &setting);
}

// With its middle above the origin, sliding down with `down` and turning with `about`.
static void release(trial *t, const ground *on, double down, double about)
{
    const double c = 0.5 * brick_size.z, half = 0.5 * on->tilt;
    const double q[7] = {c * sin(on->tilt), 0, c * cos(on->tilt), 0, sin(half), 0, cos(half)};
    const double v[6] = {down, 0, 0, 0, 0, about};
    trial_start(t, q, v);
}

// How far down the slope it is.
static double way_down(const trial *t, const ground *on)
{
    const double *q = atemi_simulation_q(t->simulation);
    return q[0] * cos(on->tilt) - q[2] * sin(on->tilt);
}

// ---- Slopes ---------------------------------------------------------------------------------

// It loses g (sin a + mu cos a) on its way up. Where tan a exceeds mu it comes back with
// g (sin a - mu cos a), where not it stays. It turns within a step: friction must not, before the
// end of that part of the step.
TEST(sliding, up_a_slope_ends_or_comes_back)
{
    for (int steep = 0; steep <= 1; ++steep) {
        trial        t;
        const ground slope = {steep ? 0.5 : 0.3, 0.4, 0.35};
        const double sine = sin(slope.tilt), rub = slope.kinetic_friction * cos(slope.tilt);
        const double u = 2.0, stop = u / (g * (sine + rub)), top = 0.5 * u * stop;
        const double back = steep ? g * (sine - rub) : 0.0, after = 0.7;
        begin(&t, &slope, 1e-2, alone);
        release(&t, &slope, -u, 0.0);
        trial_run(&t, stop + after);
        CHECK_NEAR(way_down(&t, &slope), 0.5 * back * after * after - top, 1e-9);
        CHECK_NEAR(atemi_simulation_v(t.simulation)[0], back * after, 1e-9);
        CHECK_EQUAL_INT(trial_count(&t, ATEMI_EVENT_STICK), !steep);
        if (!steep) {
            CHECK_NEAR(t.events[0].time, stop, 1e-9);
        }
        CHECK_EQUAL_INT(atemi_simulation_mode(t.simulation, 0),
                        steep ? ATEMI_CONTACT_SLIP : ATEMI_CONTACT_STICK);
        trial_end(&t);
    }
}

// Between the two coefficients it stands if it stood, and slides on if it slid.
TEST(sliding, depends_on_its_history_between_the_two_coefficients)
{
    for (int slides = 0; slides <= 1; ++slides) {
        trial        t;
        const ground slope = {0.35, 0.4, 0.3};
        const double u = slides ? 0.1 : 0.0;
        const double a = g * (sin(slope.tilt) - slope.kinetic_friction * cos(slope.tilt));
        begin(&t, &slope, 1e-2, alone);
        release(&t, &slope, u, 0.0);
        trial_run(&t, 0.5);
        CHECK_NEAR(way_down(&t, &slope), slides ? u * 0.5 + 0.125 * a : 0.0, 1e-9);
        CHECK_EQUAL_INT(t.count, 0);
        trial_end(&t);
    }
}

// ---- Growing loads --------------------------------------------------------------------------

// A force along x, N/s, and a moment about z, N m/s, per time.
typedef struct growth {
    double force, moment;
} growth;

static void push(void *context, double time, atemi_force *forces)
{
    const growth *grows = (const growth *)context;
    forces[0].linear.x += grows->force * time;
    forces[0].angular.z += grows->moment * time;
}

// It stands until the push is mu_s m g; from then on it is held back by mu_k m g.
TEST(sliding, begins_where_the_push_exceeds_static_friction)
{
    trial                        t;
    const ground                 floor = {0.0, 0.5, 0.3};
    growth                       grows = {.force = 20.0};
    const atemi_simulation_hooks hooks = {.external_forces = push, .context = &grows};
    const double                 m = brick_mass;
    const double start = floor.static_friction * m * g / grows.force, end = start + 0.4;
    begin(&t, &floor, 1e-2, hooks);
    release(&t, &floor, 0.0, 0.0);
    trial_run(&t, end);
    const double won = 0.5 * grows.force / m * (end * end - start * start);
    CHECK_EQUAL_INT(t.count, 1);
    CHECK_EQUAL_INT(t.events[0].kind, ATEMI_EVENT_SLIP);
    CHECK_NEAR(t.events[0].time, start, 1e-9);
    CHECK_NEAR(atemi_simulation_v(t.simulation)[0],
               won - floor.kinetic_friction * g * (end - start), 1e-9);
    trial_end(&t);
}

// ---- Turning --------------------------------------------------------------------------------

// Four points at the distance r of the middle, each with a quarter of the weight.
static double arm(void)
{
    return 0.5 * hypot(brick_size.x, brick_size.y);
}

static double inertia(void)
{
    return body_box(brick_mass, brick_size).inertia.z;
}

TEST(sliding, begins_where_a_moment_exceeds_static_friction)
{
    trial                        t;
    const ground                 floor = {0.0, 0.5, 0.3};
    growth                       grows = {.moment = 4.0};
    const atemi_simulation_hooks hooks = {.external_forces = push, .context = &grows};
    const double                 weight = brick_mass * g;
    const double start = floor.static_friction * weight * arm() / grows.moment, end = start + 0.2;
    begin(&t, &floor, 1e-2, hooks);
    release(&t, &floor, 0.0, 0.0);
    trial_run(&t, end);
    const double won = 0.5 * grows.moment * (end * end - start * start);
    CHECK_EQUAL_INT(t.events[0].kind, ATEMI_EVENT_SLIP);
    CHECK_NEAR(t.events[0].time, start, 1e-9);
    CHECK_NEAR(atemi_simulation_v(t.simulation)[5],
               (won - floor.kinetic_friction * weight * arm() * 0.2) / inertia(), 1e-9);
    trial_end(&t);
}

TEST(sliding, about_the_vertical_ends_when_friction_has_taken_the_spin)
{
    trial        t;
    const ground floor = {0.0, 0.3, 0.3};
    const double w = 3.0, slows = 0.3 * brick_mass * g * arm() / inertia();
    begin(&t, &floor, 1e-3, alone);
    release(&t, &floor, 0.0, w);
    trial_run(&t, 0.5 * w / slows);
    CHECK_NEAR(atemi_simulation_v(t.simulation)[5], 0.5 * w, 1e-9);
    trial_run(&t, w / slows + 0.1);
    const atemi_event *stop = trial_event(&t, ATEMI_EVENT_STICK, 0);
    CHECK(stop);
    CHECK_NEAR(stop->time, w / slows, 1e-9);
    const double *q = atemi_simulation_q(t.simulation);
    CHECK_NEAR(2.0 * atan2(q[5], q[6]), 0.5 * w * w / slows, 1e-9);
    CHECK_NEAR(hypot(q[0], q[1]), 0.0, 1e-9);
    trial_end(&t);
}

// A plate with its points at the height of its centre, so that each carries a quarter of the weight
// however it slides. Its motion in the plane, x, y, turn and their rates, by tiny steps:
//
//   m a = -mu m g / 4 sum of s_i,    I w' = -mu m g / 4 sum of r_i x s_i,    s_i along u + w x r_i

typedef struct plate {
    double x[3], v[3];
} plate;

static plate plate_rate(const plate *p, double mu)
{
    plate        rate = {.x = {p->v[0], p->v[1], p->v[2]}};
    const double part = mu * g / 4.0;
    for (int i = 0; i < 4; ++i) {
        const atemi_vec3 r = box_corner(brick_size, i);
        const double     x = r.x * cos(p->x[2]) - r.y * sin(p->x[2]);
        const double     y = r.x * sin(p->x[2]) + r.y * cos(p->x[2]);
        const double     ux = p->v[0] - p->v[2] * y, uy = p->v[1] + p->v[2] * x;
        const double     speed = hypot(ux, uy);
        rate.v[0] -= part * ux / speed;
        rate.v[1] -= part * uy / speed;
        rate.v[2] -= part * brick_mass / inertia() * (x * uy - y * ux) / speed;
    }
    return rate;
}

static plate plate_moved(const plate *p, double h, const plate *rate)
{
    plate moved = *p;
    for (int i = 0; i < 3; ++i) {
        moved.x[i] += h * rate->x[i];
        moved.v[i] += h * rate->v[i];
    }
    return moved;
}

// The midpoint rule.
static plate plate_after(plate p, double mu, double time, int steps)
{
    const double h = time / steps;
    for (int i = 0; i < steps; ++i) {
        const plate before = plate_rate(&p, mu), middle = plate_moved(&p, 0.5 * h, &before);
        const plate rate = plate_rate(&middle, mu);
        p = plate_moved(&p, h, &rate);
    }
    return p;
}

// The simulation's step is 1 ms; 0.08 s before the plate stops, friction turns slowly enough for
// that. The oracle's steps of 4 us are good to 2e-10.
TEST(sliding, with_turning_obeys_the_equations_of_a_plate)
{
    trial                  t;
    atemi_simulation_point points[4];
    const double           mu = 0.3, time = 0.3;
    const plate  start = {.v = {1.0, 0.2, 5.0}}, end = plate_after(start, mu, time, 80000);
    const double q[7] = {0, 0, 0, 0, 0, 0, 1}, v[6] = {1.0, 0.2, 0, 0, 0, 5.0};
    rough_bottom((atemi_vec3){brick_size.x, brick_size.y, 0.0}, mu, points);
    const trial_setting setting = {.model = brick_model(),
                                   .surface = atemi_surface_floor(),
                                   .points = points,
                                   .count = 4,
                                   .step = 1e-3};
    trial_begin(&t, &setting);
    trial_start(&t, q, v);
    trial_run(&t, time);
    const double *now = atemi_simulation_q(t.simulation);
    CHECK_NEAR(now[0], end.x[0], 1e-9);
    CHECK_NEAR(now[1], end.x[1], 1e-9);
    CHECK_NEAR(2.0 * atan2(now[5], now[6]), end.x[2], 1e-9);
    CHECK_NEAR(atemi_simulation_v(t.simulation)[5], end.v[2], 1e-9);
    trial_run(&t, 1.0);
    CHECK_EQUAL_INT(t.count, 1); // going and turning end at once
    CHECK_EQUAL_INT(t.events[0].kind, ATEMI_EVENT_STICK);
    trial_end(&t);
}

// ---- One end of an edge ---------------------------------------------------------------------

// A brick stands on corner 0, at one end of an edge, which slides slowly. The other end is a few
// nanometres above the floor and stays there for a while: friction holds it up.
typedef struct edge {
    double roll, pitch; ///< which edge, and how high its other end is
    double way, speed;  ///< of corner 0
} edge;

static double deepest_on_edge(trial *t, edge e)
{
    const atemi_vec3       half = box_corner(brick_size, 0);
    const atemi_mat3       R = atemi_mat3_from_rpy(e.roll, e.pitch, 0.0);
    const atemi_quaternion turn = atemi_quaternion_from_matrix(&R);
    const atemi_vec3       slow = {e.speed * cos(e.way), e.speed * sin(e.way), 0.0};
    const atemi_vec3       u = atemi_mat3_apply_transposed(&R, slow);
    const double q[7] = {0, 0, -atemi_mat3_apply(&R, half).z, turn.x, turn.y, turn.z, turn.w};
    const double v[6] = {u.x, u.y, u.z};
    trial_start(t, q, v);
    trial_run(t, 2e-3);
    return atemi_simulation_statistics_get(t->simulation).deepest;
}

// The moment in which corner 0 stops is a flight: it sinks by 19 nm and is lifted out, which turns
// the brick and lowers the other end by 9 nm. That was not looked at, and it stayed 8 nm inside.
TEST(sliding, to_a_stop_on_one_end_of_an_edge_keeps_the_other_above_the_floor)
{
    trial        t;
    const ground floor = {0.0, 1.9, 1.9};
    begin(&t, &floor, 1e-3, alone);
    for (int k = 0; k < 60; ++k) {
        const double gap = 1.6e-8 + 3e-9 * (k % 3);
        const edge   e = {1.1, -gap / brick_size.x, 2.5 + 0.05 * (k / 3), 3e-3};
        CHECK(deepest_on_edge(&t, e) < 1e-9);
    }
    trial_end(&t);
}

// Friction turns at once where the corner is about to slide back. A step's end then depends on its
// length with a leap, beyond which the other end was 3 nm inside.
TEST(sliding, back_on_one_end_of_an_edge_keeps_the_other_above_the_floor)
{
    trial        t;
    const ground floor = {0.0, 0.7, 0.7};
    begin(&t, &floor, 1e-3, alone);
    for (int k = 0; k < 60; ++k) {
        const double gap = 3e-9 + 1e-9 * (k % 3);
        const edge   e = {gap / (brick_size.y * cos(1.3)), -1.3, 5.2 + 0.03 * (k / 3), 1e-3};
        CHECK(deepest_on_edge(&t, e) < 1e-9);
    }
    trial_end(&t);
}
