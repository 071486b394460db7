// SPDX-License-Identifier: Apache-2.0

#include "atemi/simulation.h"

#include "bodies.h"
#include "check.h"
#include "trial.h"

#include <math.h>

// A ball of radius r and inertia k m r^2, round about its centre, or a bead: a body without radius.
// In the ball's own axes, in which velocities are kept, they turn as it spins: at some 10 rad/s,
// steps of 0.25 ms are good to 1e-10.

static const double g = 9.81, pi = 3.14159265358979323846;
static const double m = 0.7, r = 0.3;
static const double kinds[] = {0.4, 2.0 / 3.0, 0.5, 1.0}; // sphere, shell, disc, hoop

static void begin(trial *t, double k, double radius, double friction, const atemi_surface *on,
                  double step)
{
    const body             ball = body_ball(m, r, k);
    atemi_simulation_point point = rough_point((atemi_vec3){0.0, 0.0, 0.0}, friction);
    point.radius = radius;
    const trial_setting setting = {
        .model = body_model(&ball), .surface = *on, .points = &point, .count = 1, .step = step};
    trial_begin(t, &setting);
}

// Velocities are given in the axes of the world, which the ball's are at first.
static void release(trial *t, atemi_vec3 center, atemi_vec3 u, atemi_vec3 w)
{
    const double q[7] = {center.x, center.y, center.z, 0, 0, 0, 1};
    const double v[6] = {u.x, u.y, u.z, w.x, w.y, w.z};
    trial_start(t, q, v);
}

static atemi_vec3 center(const trial *t)
{
    const double *q = atemi_simulation_q(t->simulation);
    return (atemi_vec3){q[0], q[1], q[2]};
}

// Velocity and spin in the world.
static atemi_motion motion(trial *t)
{
    return atemi_link_velocity(trial_kinematics(t), 0);
}

static double distance(atemi_vec3 a, atemi_vec3 b)
{
    return atemi_vec3_norm(atemi_vec3_sub(a, b));
}

// ---- Slopes ---------------------------------------------------------------------------------

// Down a slope of angle s it rolls with g sin s / (1 + k), as long as tan s <= mu (1 + 1/k).
// Beyond, it slides with g (sin s - mu cos s), and its spin grows by mu g cos s / (k r).
TEST(rolling, down_a_slope_gives_way_to_sliding_where_it_is_too_steep)
{
    for (int i = 0; i < 8; ++i) {
        trial               t;
        const double        k = kinds[i / 2], mu = 0.25, time = 0.4;
        const double        limit = atan(mu * (1.0 + 1.0 / k)), s = limit + (i % 2 ? 0.02 : -0.02);
        const atemi_vec3    normal = {sin(s), 0.0, cos(s)}, down = {cos(s), 0.0, -sin(s)};
        const atemi_surface slope = {.kind = ATEMI_SURFACE_PLANE, .axis = normal};
        const atemi_vec3    none = {0.0, 0.0, 0.0};
        const double        a = i % 2 ? g * (sin(s) - mu * cos(s)) : g * sin(s) / (1.0 + k);
        const double        spin = i % 2 ? mu * g * cos(s) / (k * r) : a / r;
        begin(&t, k, r, mu, &slope, 1e-3);
        release(&t, atemi_vec3_scale(r, normal), none, none);
        trial_run(&t, time);
        const atemi_motion now = motion(&t);
        CHECK_NEAR(distance(now.linear, atemi_vec3_scale(a * time, down)), 0.0, 1e-9);
        CHECK_NEAR(now.angular.y, spin * time, 1e-9);
        CHECK_NEAR(
            distance(center(&t), atemi_vec3_add(atemi_vec3_scale(r, normal),
                                                atemi_vec3_scale(0.5 * a * time * time, down))),
            0.0, 1e-9);
        CHECK_EQUAL_INT(atemi_simulation_mode(t.simulation, 0),
                        i % 2 ? ATEMI_CONTACT_SLIP : ATEMI_CONTACT_STICK);
        trial_end(&t);
    }
}

// ---- Floors ---------------------------------------------------------------------------------

// Thrown with the speed u and the spin w along its way (backspin: w < 0), it rolls from
// (u - r w) / (mu g (1 + 1/k)) on, with (u + k r w) / (1 + k).
TEST(rolling, begins_when_a_thrown_ball_has_lost_its_backspin)
{
    static const double spins[] = {-15.0, -5.0, 0.0, 12.0};
    for (int i = 0; i < 4; ++i) {
        trial               t;
        const double        k = kinds[i], w = spins[i], mu = 0.3, u = 2.0;
        const double        rolls = (u + k * r * w) / (1.0 + k);
        const double        when = fabs(u - r * w) / (mu * g * (1.0 + 1.0 / k));
        const double        way = 0.5 * (u + rolls) * when + rolls * 0.3;
        const atemi_surface floor = atemi_surface_floor();
        begin(&t, k, r, mu, &floor, 2.5e-4);
        release(&t, (atemi_vec3){0, 0, r}, (atemi_vec3){u, 0, 0}, (atemi_vec3){0, w, 0});
        trial_run(&t, when + 0.3);
        const atemi_motion now = motion(&t);
        CHECK_EQUAL_INT(t.count, 1);
        CHECK_EQUAL_INT(t.events[0].kind, ATEMI_EVENT_STICK);
        CHECK_NEAR(t.events[0].time, when, 1e-9);
        CHECK_NEAR(now.linear.x, rolls, 1e-9);
        CHECK_NEAR(now.angular.y, rolls / r, 1e-9);
        CHECK_NEAR(center(&t).x, way, 1e-9);
        trial_end(&t);
    }
}

// Any spin: the point of touch slides with s = u + r (w x -n) in a direction that stays, and so the
// ball's way is a parabola until |s| / (mu g (1 + 1/k)), and a straight line from then on. Rounding
// errors of s turn it fast in the end, where the simulation is content with a part of a step.
TEST(rolling, of_a_ball_with_side_spin_follows_a_parabola_first)
{
    trial               t;
    const double        k = 0.4, mu = 0.2, step = 2.5e-4;
    const atemi_vec3    u = {1.5, -0.4, 0.0}, w = {8.0, -5.0, 3.0};
    const atemi_vec3    s = {u.x - r * w.y, u.y + r * w.x, 0.0};
    const double        speed = atemi_vec3_norm(s), when = speed / (mu * g * (1.0 + 1.0 / k));
    const atemi_vec3    a = atemi_vec3_scale(-mu * g / speed, s);
    const atemi_vec3    rolls = atemi_vec3_add(u, atemi_vec3_scale(when, a));
    const atemi_surface floor = atemi_surface_floor();
    begin(&t, k, r, mu, &floor, step);
    release(&t, (atemi_vec3){0, 0, r}, u, w);
    trial_run(&t, when + 0.5);
    const atemi_vec3 bend = atemi_vec3_scale(0.5 * when * when, a);
    const atemi_vec3 way = atemi_vec3_add(atemi_vec3_add(atemi_vec3_scale(when, u), bend),
                                          atemi_vec3_scale(0.5, rolls));
    CHECK_EQUAL_INT(t.count, 1);
    CHECK_EQUAL_INT(t.events[0].kind, ATEMI_EVENT_STICK);
    CHECK_NEAR(t.events[0].time, when, step / 16.0);
    CHECK_NEAR(distance(motion(&t).linear, rolls), 0.0, 1e-9);
    CHECK_NEAR(distance(center(&t), (atemi_vec3){way.x, way.y, r}), 0.0, 1e-9);
    CHECK_NEAR(motion(&t).angular.z, w.z, 1e-9); // nothing turns it about the vertical
    trial_end(&t);
}

// ---- Bowls ----------------------------------------------------------------------------------

// The arithmetic-geometric mean of 1 and x, for the period of a pendulum: a quarter of it is
// pi/2 sqrt(length / g) / mean(cos(half the largest angle)).
static double mean(double x)
{
    double a = 1.0;
    for (int i = 0; i < 8; ++i) {
        const double next = 0.5 * (a + x);
        x = sqrt(a * x);
        a = next;
    }
    return a;
}

// In a bowl of radius R, a bead is a pendulum of the length R, a ball that rolls one of
// (1 + k) (R - r): after a quarter of a period it is at the bottom, with the speed of its fall.
static void check_swing(atemi_surface_kind kind, double k, bool rolls)
{
    trial               t;
    const double        R = 0.9, angle = 1.0, arm = rolls ? R - r : R, part = rolls ? 1.0 + k : 1.0;
    const double        quarter = 0.5 * pi * sqrt(part * arm / g) / mean(cos(0.5 * angle));
    const double        speed = sqrt(2.0 * g * arm * (1.0 - cos(angle)) / part);
    const atemi_vec3    none = {0.0, 0.0, 0.0};
    const atemi_surface bowl = {.kind = kind, .axis = {0, 1, 0}, .radius = -R};
    begin(&t, k, rolls ? r : 0.0, rolls ? 1.0 : 0.0, &bowl, 1e-3);
    release(&t, (atemi_vec3){-arm * sin(angle), 0, -arm * cos(angle)}, none, none);
    trial_run(&t, quarter);
    const atemi_motion now = motion(&t);
    CHECK_NEAR(distance(center(&t), (atemi_vec3){0, 0, -arm}), 0.0, 1e-9);
    CHECK_NEAR(now.linear.x, speed, 1e-9);
    CHECK_NEAR(now.angular.y, rolls ? speed / r : 0.0, 1e-8);
    CHECK_NEAR(atemi_simulation_force(t.simulation, 0).z, m * (g + speed * speed / arm), 1e-8);
    trial_end(&t);
}

TEST(rolling, in_a_bowl_swings_as_a_pendulum)
{
    for (int i = 0; i < 4; ++i) {
        check_swing(ATEMI_SURFACE_SPHERE, kinds[i], true);
        check_swing(ATEMI_SURFACE_CYLINDER, kinds[i], true);
    }
}

TEST(rolling, is_not_needed_for_a_bead_in_a_bowl_to_swing)
{
    check_swing(ATEMI_SURFACE_SPHERE, 0.4, false);
    check_swing(ATEMI_SURFACE_CYLINDER, 0.4, false);
}

// In an upright cylinder a ball that goes round evenly with W rises and falls, a = R - r from the
// axis: it turns with e about the axis from there to the ball, and with z its height,
//
//   r e' = W z',    (1 + k) z'' = -g - k W r e
//
// so that z swings about the middle z_0 - (g / k / W + r e_0) / W with the rate W sqrt(k / (1 +
// k)).
TEST(rolling, in_an_upright_cylinder_rises_and_falls)
{
    trial               t;
    const double        R = 0.9, k = 0.4, a = R - r, W = 6.0, e = -6.0, time = 1.0;
    const double        middle = -(g / (k * W) + r * e) / W, rate = W * sqrt(k / (1.0 + k));
    const atemi_surface well = {.kind = ATEMI_SURFACE_CYLINDER, .axis = {0, 0, 1}, .radius = -R};
    begin(&t, k, r, 2.0, &well, 2.5e-4);
    release(&t, (atemi_vec3){a, 0, 0}, (atemi_vec3){0, a * W, 0}, (atemi_vec3){e, 0, -a * W / r});
    for (int i = 1; i <= 20; ++i) {
        const double now = 0.05 * time * i, z = middle * (1.0 - cos(rate * now));
        trial_run(&t, now);
        CHECK_NEAR(distance(center(&t), (atemi_vec3){a * cos(W * now), a * sin(W * now), z}), 0.0,
                   1e-9);
        CHECK_NEAR(motion(&t).linear.z, middle * rate * sin(rate * now), 1e-8);
    }
    CHECK_EQUAL_INT(t.count, 0);
    trial_end(&t);
}
