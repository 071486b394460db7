// SPDX-License-Identifier: Apache-2.0

#include "atemi/simulation.h"

#include "bodies.h"
#include "check.h"
#include "trial.h"

#include <math.h>

// Without friction a tie does no work: what is tied keeps its energy while it stays on its surface,
// pushed or pulled.

static const double g = 9.81;
static const double m = 0.5, R = 0.8;

static void begin(trial *t, const body *b, const atemi_surface *on,
                  const atemi_simulation_point *point, double step)
{
    const trial_setting setting = {
        .model = body_model(b), .surface = *on, .points = point, .count = 1, .step = step};
    trial_begin(t, &setting);
}

static atemi_simulation_point tied_point(atemi_vec3 at, double friction)
{
    atemi_simulation_point point = rough_point(at, friction);
    point.tied = true;
    return point;
}

static const atemi_vec3 middle = {0.0, 0.0, 0.0};

// A bead at the angle p from the top of a ball, with the speed u down along it and w across.
static void release_bead(trial *t, double p, double u, double w)
{
    const double q[7] = {R * sin(p), 0, R * cos(p), 0, 0, 0, 1};
    const double v[6] = {u * cos(p), w, -u * sin(p), 0, 0, 0};
    trial_start(t, q, v);
}

// The force of the ball is  m (g cos p - speed^2 / R)  outwards, and speed^2 / 2 + g R cos p stays,
// as does the angular momentum about the vertical. Below the equator the ball pulls.
TEST(tie, of_a_bead_to_a_ball_holds_it_all_around)
{
    trial               t;
    const body          bead = body_ball(m, 0.02, 0.4);
    const atemi_surface ball = {.kind = ATEMI_SURFACE_SPHERE, .radius = R};
    const double        p = 0.3, u = 0.2, w = 0.4;
    const double        energy = 0.5 * (u * u + w * w) + g * R * cos(p), turns = R * sin(p) * w;
    const atemi_simulation_point point = tied_point(middle, 0.0);
    double                       lowest = R;
    begin(&t, &bead, &ball, &point, 1e-3);
    release_bead(&t, p, u, w);
    for (int i = 1; i <= 100; ++i) {
        trial_run(&t, 0.1 * i);
        const double *q = atemi_simulation_q(t.simulation), *v = atemi_simulation_v(t.simulation);
        const double  square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
        const double  outwards = m * (g * q[2] / R - square / R);
        CHECK_NEAR(atemi_simulation_gap(t.simulation, 0), 0.0, 1e-12);
        CHECK_NEAR(0.5 * square + g * q[2], energy, 1e-9 * energy);
        CHECK_NEAR(q[0] * v[1] - q[1] * v[0], turns, 1e-9);
        CHECK_NEAR(atemi_simulation_force(t.simulation, 0).z, outwards * q[2] / R, 1e-9);
        lowest = fmin(lowest, q[2]);
    }
    CHECK(lowest < -0.9 * R);
    trial_end(&t);
}

// Without a tie it leaves where the force is zero: at cos p' = 2/3 cos p + u^2 / (3 g R), which is
// where its flight comes from.
TEST(tie, is_what_keeps_a_bead_from_flying_off)
{
    trial               t;
    const body          bead = body_ball(m, 0.02, 0.4);
    const atemi_surface ball = {.kind = ATEMI_SURFACE_SPHERE, .radius = R};
    const double        p = 0.2, u = 0.3, leaves = 2.0 / 3.0 * cos(p) + u * u / (3.0 * g * R);
    const atemi_simulation_point point = rough_point(middle, 0.0);
    begin(&t, &bead, &ball, &point, 1e-3);
    release_bead(&t, p, u, 0.0);
    trial_run(&t, 1.0);
    CHECK_EQUAL_INT(t.count, 1);
    CHECK_EQUAL_INT(t.events[0].kind, ATEMI_EVENT_LIFT_OFF);
    const double *q = atemi_simulation_q(t.simulation), *v = atemi_simulation_v(t.simulation);
    const double  flown = 1.0 - t.events[0].time;
    CHECK_NEAR(q[2] - v[2] * flown - 0.5 * g * flown * flown, R * leaves, 1e-9);
    CHECK_NEAR(q[0] - v[0] * flown, R * sqrt(1.0 - leaves * leaves), 1e-9);
    trial_end(&t);
}

// A block that hangs from a ceiling on which its end slides: nothing pushes it sideways.
TEST(tie, to_a_ceiling_lets_a_pendulum_slide_along_it)
{
    trial               t;
    const atemi_vec3    size = {0.1, 0.06, 0.5}, end = {0.0, 0.0, 0.25};
    const body          block = body_box(m, size);
    const atemi_surface ceiling = {.kind = ATEMI_SURFACE_PLANE, .axis = {0, 0, -1}};
    const double        tilt = 1.2, x = 0.25 * sin(tilt), z = 0.25 * cos(tilt);
    const double        q[7] = {-x, 0, -z, 0, sin(tilt / 2), 0, cos(tilt / 2)};
    // It slides with (0.3, 0.2) and spins about its own axis, which leaves the end where it is.
    const double                 v[6] = {0.3 * cos(tilt), 0.2, 0.3 * sin(tilt), 0, 0, 2.0};
    const atemi_simulation_point point = tied_point(end, 0.0);
    begin(&t, &block, &ceiling, &point, 5e-4);
    trial_start(&t, q, v);
    const double energy = trial_energy(&t), scale = 2.0 * m * g * 0.25;
    for (int i = 1; i <= 50; ++i) {
        trial_run(&t, 0.1 * i);
        CHECK_NEAR(trial_energy(&t), energy, 1e-9 * scale);
        CHECK_NEAR(atemi_simulation_position(t.simulation, 0).z, 0.0, 1e-12);
        const atemi_vec3 p = atemi_momentum(trial_kinematics(&t)).linear;
        CHECK_NEAR(p.x, 0.3 * m, 1e-9);
        CHECK_NEAR(p.y, 0.2 * m, 1e-9);
    }
    trial_end(&t);
}

// Hanging from a ceiling, the pull m g rubs as a push would: a bead stops after u / (mu g).
TEST(tie, rubs_as_it_pulls)
{
    trial                        t;
    const body                   bead = body_ball(m, 0.02, 0.4);
    const atemi_surface          ceiling = {.kind = ATEMI_SURFACE_PLANE, .axis = {0, 0, -1}};
    const double                 u = 1.0, mu = 0.4, stop = u / (mu * g);
    const atemi_simulation_point point = tied_point(middle, mu);
    const double                 q[7] = {0, 0, 0, 0, 0, 0, 1}, v[6] = {u, 0, 0, 0, 0, 0};
    begin(&t, &bead, &ceiling, &point, 1e-2);
    trial_start(&t, q, v);
    trial_run(&t, 0.5 * stop);
    CHECK_NEAR(atemi_simulation_v(t.simulation)[0], 0.5 * u, 1e-9);
    trial_run(&t, stop + 0.1);
    CHECK_NEAR(atemi_simulation_force(t.simulation, 0).z, m * g, 1e-9);
    CHECK_NEAR(atemi_simulation_q(t.simulation)[0], 0.5 * u * stop, 1e-9);
    CHECK_EQUAL_INT(trial_count(&t, ATEMI_EVENT_STICK), 1);
    CHECK_NEAR(trial_event(&t, ATEMI_EVENT_STICK, 0)->time, stop, 1e-9);
    trial_end(&t);
}
