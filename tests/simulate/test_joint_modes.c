// SPDX-License-Identifier: Apache-2.0

#include "simulate/joint_modes.h"

#include "atemi/model.h"
#include "atemi/robots.h"
#include "bodies.h"
#include "check.h"
#include "simulate/simulation.h"
#include "trial.h"

#include <math.h>

// Stops and dry friction of joints by the method of events, beside closed forms. What the steps of
// 1 ms (or 0.5 ms) leave is far below the tolerance of 1e-9: (h w)^4 / 120 of each quantity, with
// w h <= 0.01.

static const double g = 9.81;

static const atemi_limits free_limits = {-INFINITY, INFINITY, INFINITY, INFINITY};

static void begin(trial *t, const hinge *h, double step, double restitution,
                  atemi_simulation_method method, const atemi_simulation_hooks *hooks)
{
    trial_setting setting = {.model = hinge_model(h),
                             .step = step,
                             .method = method,
                             .joint_friction = true,
                             .joint_stops = true,
                             .stop_restitution = restitution};
    if (hooks) {
        setting.hooks = *hooks;
    }
    trial_begin(t, &setting);
}

static const atemi_event *nth(const trial *t, atemi_event_kind kind, int n)
{
    const atemi_event *event = trial_event(t, kind, 0);
    for (int i = 0; i < n && event; ++i) {
        event = trial_event(t, kind, (int)(event - t->events) + 1);
    }
    return event;
}

// ---- Stops

// A mass that falls on its lower stop from the height 1: the k-th bounce comes 2 e^k sqrt(2 g) / g
// after the one before, with e^k sqrt(2 g).
TEST(joint_modes, mass_bounces_on_its_stop_when_it_should)
{
    const hinge rail = {
        .slides = true, .mass = 2.0, .gravity = g, .limits = {0.0, INFINITY, INFINITY, INFINITY}};
    const double q = 1.0, v = 0.0, e = 0.8;
    trial        t;
    begin(&t, &rail, 1e-3, e, ATEMI_METHOD_EVENTS, NULL);
    trial_start(&t, &q, &v);
    trial_run(&t, 4.0);
    double when = sqrt(2.0 / g), speed = sqrt(2.0 * g);
    for (int k = 0; k < 8; ++k) {
        const atemi_event *stop = nth(&t, ATEMI_EVENT_STOP, k);
        CHECK(stop && stop->joint == 0 && stop->point == ATEMI_NONE);
        CHECK_NEAR(stop->time, when, 1e-9);
        CHECK_NEAR(stop->speed, speed, 1e-9);
        CHECK_NEAR(stop->stop_impulse, 2.0 * (1.0 + e) * speed, 1e-8);
        CHECK_NEAR(stop->energy, (1.0 - e * e) * speed * speed, 1e-8);
        speed *= e;
        when += 2.0 * speed / g;
    }
    CHECK(atemi_simulation_statistics_get(t.simulation).overrun < 1e-10);
    const atemi_simulation_ledger books = atemi_simulation_ledger_get(t.simulation);
    CHECK_NEAR(2.0 * g + books.collision_work, trial_energy(&t), 1e-8);
    trial_end(&t);
}

// The time a pendulum of the frequency w takes from `low` to its turn at `top`, and back: an
// elliptic integral, with  sin(q/2) = sin(top/2) sin x.
static double time_up_and_down(double w, double low, double top)
{
    enum { PANELS = 2000 };
    const double k = sin(0.5 * top), from = asin(sin(0.5 * low) / k), to = acos(-1.0) / 2.0;
    const double h = (to - from) / (double)PANELS;
    double       sum = 0.0;
    for (int i = 0; i <= PANELS; ++i) {
        const double weight = i == 0 || i == PANELS ? 1.0 : i % 2 ? 4.0 : 2.0;
        const double s = k * sin(from + h * i);
        sum += weight / sqrt(1.0 - s * s);
    }
    return 2.0 / w * sum * h / 3.0;
}

TEST(joint_modes, pendulum_bounces_on_its_stop_when_it_should)
{
    const hinge  arm = {.mass = 1.0,
                        .arm = 0.5,
                        .inertia = 0.01,
                        .gravity = g,
                        .limits = {0.1, INFINITY, INFINITY, INFINITY}};
    const double w = sqrt(0.5 * g / 0.26), q = 1.2, v = 0.0, e = 0.9;
    trial        t;
    begin(&t, &arm, 5e-4, e, ATEMI_METHOD_EVENTS, NULL);
    trial_start(&t, &q, &v);
    trial_run(&t, 4.0);
    double top = q, when = 0.5 * time_up_and_down(w, 0.1, top);
    for (int k = 0; k < 5; ++k) {
        const double       speed = w * sqrt(2.0 * (cos(0.1) - cos(top)));
        const atemi_event *stop = nth(&t, ATEMI_EVENT_STOP, k);
        CHECK(stop != NULL);
        CHECK_NEAR(stop->time, when, 1e-9);
        CHECK_NEAR(stop->speed, speed, 1e-9);
        top = acos(cos(0.1) - e * e * speed * speed / (2.0 * w * w));
        when += time_up_and_down(w, 0.1, top);
    }
    trial_end(&t);
}

// The torque c - r t holds a mass at its upper stop until it is zero; then the mass moves away as
// -r (t - c/r)^3 / (6 m).
static void relent(void *context, double time, const double *q, const double *v, double *tau)
{
    (void)context;
    (void)q;
    (void)v;
    tau[0] = 5.0 - 10.0 * time;
}

TEST(joint_modes, stop_pushes_until_its_force_is_zero)
{
    const atemi_simulation_hooks hooks = {.torque = relent};
    const hinge  rail = {.slides = true, .mass = 2.0, .limits = {-5.0, 0.25, INFINITY, INFINITY}};
    const double q = 0.25, v = 0.0;
    trial        t;
    begin(&t, &rail, 1e-3, 0.0, ATEMI_METHOD_EVENTS, &hooks);
    trial_start(&t, &q, &v);
    trial_run(&t, 0.3);
    CHECK_NEAR(*atemi_simulation_q(t.simulation), 0.25, 1e-15);
    CHECK_NEAR(*atemi_simulation_stop_torques(t.simulation), -2.0, 1e-12);
    trial_run(&t, 1.0);
    CHECK_NEAR(*atemi_simulation_q(t.simulation), 0.25 - 10.0 * 0.125 / 12.0, 1e-12);
    CHECK_NEAR(*atemi_simulation_stop_torques(t.simulation), 0.0, 0.0);
    trial_end(&t);
}

// A range of nothing is a lock: whatever the torque, it stays.
TEST(joint_modes, range_of_nothing_is_a_lock)
{
    const atemi_simulation_hooks hooks = {.torque = relent};
    const hinge  rail = {.slides = true, .mass = 2.0, .limits = {0.25, 0.25, INFINITY, INFINITY}};
    const double q = 0.25, v = 0.0;
    trial        t;
    begin(&t, &rail, 1e-3, 0.0, ATEMI_METHOD_EVENTS, &hooks);
    trial_start(&t, &q, &v);
    trial_run(&t, 1.0);
    CHECK_NEAR(*atemi_simulation_q(t.simulation), 0.25, 1e-15);
    CHECK_NEAR(*atemi_simulation_stop_torques(t.simulation), 5.0, 1e-12);
    trial_end(&t);
}

// ---- Dry friction

static void ramp(void *context, double time, const double *q, const double *v, double *tau)
{
    (void)context;
    (void)q;
    (void)v;
    tau[0] = 8.0 * time;
}

// 3 N against 8 N/s: it holds for 3/8 s, and then moves as r (t - 3/8)^3 / (6 m).
TEST(joint_modes, friction_holds_until_it_breaks)
{
    const atemi_simulation_hooks hooks = {.torque = ramp};
    const hinge  rail = {.slides = true, .mass = 2.0, .friction = 3.0, .limits = free_limits};
    const double q = 0.4, v = 0.0;
    trial        t;
    begin(&t, &rail, 1e-3, 0.0, ATEMI_METHOD_EVENTS, &hooks);
    trial_start(&t, &q, &v);
    trial_run(&t, 0.25);
    CHECK_NEAR(*atemi_simulation_q(t.simulation), 0.4, 0.0);
    CHECK_NEAR(*atemi_simulation_friction_torques(t.simulation), -2.0, 1e-12);
    trial_run(&t, 1.0);
    const atemi_event *slip = nth(&t, ATEMI_EVENT_JOINT_SLIP, 0);
    CHECK(slip && slip->joint == 0);
    CHECK_NEAR(slip->time, 0.375, 1e-9);
    CHECK_NEAR(*atemi_simulation_q(t.simulation), 0.4 + 8.0 * pow(0.625, 3) / 12.0, 1e-9);
    CHECK_NEAR(*atemi_simulation_friction_torques(t.simulation), -3.0, 1e-12);
    trial_end(&t);
}

static void spring(void *context, double time, const double *q, const double *v, double *tau)
{
    (void)context;
    (void)time;
    (void)v;
    tau[0] = -200.0 * q[0];
}

// A mass between a spring and dry friction: every half swing, pi / w long, takes 2 F / k off the
// amplitude, until the spring is weaker than friction where it turns: 1, 0.78, 0.56, 0.34, 0.12 and
// 0.10 m.
TEST(joint_modes, friction_takes_the_same_off_every_half_swing)
{
    const atemi_simulation_hooks hooks = {.torque = spring};
    const hinge  rail = {.slides = true, .mass = 2.0, .friction = 22.0, .limits = free_limits};
    const double w = 10.0, off = 2.0 * 22.0 / 200.0, q = 1.0, v = 0.0, pi = acos(-1.0);
    trial        t;
    begin(&t, &rail, 1e-3, 0.0, ATEMI_METHOD_EVENTS, &hooks);
    trial_start(&t, &q, &v);
    double amplitude = q;
    for (int k = 1; k <= 4; ++k) {
        trial_run(&t, k * pi / w);
        amplitude = -(amplitude - (amplitude > 0.0 ? off : -off));
        CHECK_NEAR(*atemi_simulation_q(t.simulation), amplitude, 1e-8);
    }
    // 0.12 m are left, and 24 N: one more, to 0.10 m and 20 N, which friction holds.
    trial_run(&t, 10.0);
    CHECK_NEAR(*atemi_simulation_q(t.simulation), 0.10, 1e-8);
    CHECK_NEAR(*atemi_simulation_v(t.simulation), 0.0, 1e-12);
    CHECK_NEAR(nth(&t, ATEMI_EVENT_JOINT_STICK, 0)->time, 5.0 * pi / w, 1e-8);
    const atemi_simulation_ledger books = atemi_simulation_ledger_get(t.simulation);
    const double                  path = 1.0 + 2.0 * (0.78 + 0.56 + 0.34) + 0.12 + 0.02;
    CHECK_NEAR(books.friction_work, -22.0 * path, 1e-6);
    trial_end(&t);
}

// At its lower stop, friction and the stop hold together: pulled away with less than F it stays.
TEST(joint_modes, friction_holds_at_a_stop_too)
{
    const atemi_simulation_hooks hooks = {.torque = ramp};
    const hinge                  rail = {.slides = true,
                                         .mass = 2.0,
                                         .friction = 3.0,
                                         .gravity = 0.5,
                                         .limits = {0.0, INFINITY, INFINITY, INFINITY}};
    const double                 q = 0.0, v = 0.0;
    trial                        t;
    begin(&t, &rail, 1e-3, 0.0, ATEMI_METHOD_EVENTS, &hooks);
    trial_start(&t, &q, &v);
    trial_run(&t, 0.0625);
    CHECK_NEAR(*atemi_simulation_stop_torques(t.simulation), 0.5, 1e-12);
    trial_run(&t, 1.0);
    CHECK_NEAR(nth(&t, ATEMI_EVENT_JOINT_SLIP, 0)->time, 0.5, 1e-9);
    CHECK_NEAR(*atemi_simulation_q(t.simulation), 8.0 * 0.125 / 12.0, 1e-9);
    trial_end(&t);
}

// ---- Both methods

// An arm that swings between stops against friction, half a second: the method of steps comes to
// the same as its step shrinks, at first order.
static double end_of_swing(atemi_simulation_method method, double step)
{
    const hinge  arm = {.mass = 1.0,
                        .arm = 0.5,
                        .inertia = 0.01,
                        .gravity = g,
                        .friction = 0.3,
                        .damping = 0.05,
                        .limits = {-0.4, 2.0, INFINITY, INFINITY}};
    const double q = 1.3, v = 0.0;
    trial        t;
    begin(&t, &arm, step, 0.5, method, NULL);
    trial_start(&t, &q, &v);
    trial_run(&t, 1.1);
    const double end = *atemi_simulation_q(t.simulation);
    trial_end(&t);
    return end;
}

TEST(joint_modes, both_methods_come_to_the_same_as_the_step_shrinks)
{
    const double exact = end_of_swing(ATEMI_METHOD_EVENTS, 1e-3);
    CHECK_NEAR(end_of_swing(ATEMI_METHOD_EVENTS, 5e-4), exact, 1e-10);
    for (int i = 0; i < 6; ++i) {
        const double step = ldexp(4e-3, -i);
        // An instant that is rounded to the step, at the speed of 6 rad/s.
        CHECK_NEAR(end_of_swing(ATEMI_METHOD_STEPS, step), exact, 6.0 * step);
    }
}

// A simulation goes on from what was saved, to the bit, while a joint is held.
TEST(joint_modes, are_saved_and_restored)
{
    const atemi_simulation_hooks hooks = {.torque = ramp};
    const hinge  rail = {.slides = true, .mass = 2.0, .friction = 3.0, .limits = free_limits};
    const double q = 0.4, v = 0.0;
    trial        t;
    begin(&t, &rail, 1e-3, 0.0, ATEMI_METHOD_EVENTS, &hooks);
    trial_start(&t, &q, &v);
    trial_run(&t, 0.2);
    void *saved = atemi_allocate(atemi_simulation_saved_size(t.simulation));
    atemi_simulation_save(t.simulation, saved);
    trial_run(&t, 0.8);
    const double first = *atemi_simulation_q(t.simulation);
    atemi_simulation_restore(t.simulation, saved);
    CHECK(t.simulation->set.joints.states[0].held);
    trial_run(&t, 0.8);
    CHECK(*atemi_simulation_q(t.simulation) == first);
    atemi_release(saved);
    trial_end(&t);
}

// ---- A whole robot

enum { MOST_BALLS = 64 };

// A ball in every link that weighs something, 2 cm above the floor at least.
static int make_balls(const atemi_model *model, atemi_simulation_point *balls)
{
    int count = 0;
    for (int i = 0; i < atemi_model_link_count(model) && count < MOST_BALLS; ++i) {
        const atemi_link *link = atemi_model_link(model, i);
        const bool        moves = link->parent_joint == ATEMI_NONE ||
                           atemi_model_joint(model, link->parent_joint)->v_count > 0;
        if (moves && link->inertia.mass > 0.3) {
            balls[count++] = (atemi_simulation_point){.link = i,
                                                      .point = link->inertia.com,
                                                      .radius = 0.04,
                                                      .static_friction = 0.8,
                                                      .kinetic_friction = 0.8};
        }
    }
    return count;
}

// A limp humanoid falls for a second: knees, elbows and hips come to their stops while balls land
// and slide. No joint is ever beyond its stop, and the books balance: what RK4 makes up of 1e3 J in
// steps of 1 ms, where a link rotates by no more than 0.01 rad in each.
TEST(joint_modes, limp_humanoid_falls_within_its_stops)
{
    atemi_simulation_point balls[MOST_BALLS];
    trial_setting          setting = {.surface = atemi_surface_floor(),
                                      .step = 1e-3,
                                      .joint_friction = true,
                                      .joint_stops = true};
    trial                  t;
    double                 q[64] = {0}, v[64] = {0};
    CHECK_STATUS(atemi_robots_load("hrp2_like", NULL, &setting.model, NULL), ATEMI_OK);
    setting.points = balls;
    setting.count = make_balls(setting.model, balls);
    trial_begin(&t, &setting);
    atemi_configuration_neutral(setting.model, q);
    q[2] = 1.0;
    v[0] = 0.3;
    trial_start(&t, q, v);
    const double before = trial_energy(&t);
    trial_run(&t, 1.0);
    const atemi_simulation_statistics took = atemi_simulation_statistics_get(t.simulation);
    const atemi_simulation_ledger     books = atemi_simulation_ledger_get(t.simulation);
    CHECK(trial_count(&t, ATEMI_EVENT_STOP) > 20);
    CHECK(took.overrun < 1e-9);
    CHECK(took.deepest < 1e-9);
    CHECK(took.collision_balance < 1e-12);
    CHECK_NEAR(trial_energy(&t) - before,
               books.friction_work + books.contact_work + books.collision_work, 1e-2);
    trial_end(&t);
}
