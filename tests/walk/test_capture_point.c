// SPDX-License-Identifier: Apache-2.0

#include "walk/capture_point.h"

#include "check.h"

#include <math.h>

static const double w = 3.3; // 1/s

// The pendulum itself, x'' = w^2 (x - p), by small steps of Runge and Kutta.
typedef struct pendulum {
    double x, v;
} pendulum;

static pendulum slope(const pendulum *s, const atemi_pressure_run *run, double t)
{
    return (pendulum){s->v, w * w * (s->x - atemi_pressure_run_at(run, t))};
}

static pendulum moved(const pendulum *s, const pendulum *by, double h)
{
    return (pendulum){s->x + h * by->x, s->v + h * by->v};
}

static pendulum swing(pendulum s, const atemi_pressure_run *run)
{
    enum { STEPS = 1000 };
    const double h = run->duration / (double)STEPS;
    for (int i = 0; i < STEPS; ++i) {
        const double   t = i * h;
        const pendulum a = slope(&s, run, t), at_a = moved(&s, &a, 0.5 * h);
        const pendulum b = slope(&at_a, run, t + 0.5 * h), at_b = moved(&s, &b, 0.5 * h);
        const pendulum c = slope(&at_b, run, t + 0.5 * h), at_c = moved(&s, &c, h);
        const pendulum d = slope(&at_c, run, t + h);
        s.x += h / 6.0 * (a.x + 2.0 * b.x + 2.0 * c.x + d.x);
        s.v += h / 6.0 * (a.v + 2.0 * b.v + 2.0 * c.v + d.v);
    }
    return s;
}

static double capture(const pendulum *s)
{
    return s->x + s->v / w;
}

TEST(capture_point, moves_as_that_of_the_pendulum)
{
    const atemi_pressure_run run = {-0.08, 0.07, 0.6};
    const pendulum           start = {-0.1, 0.4}, end = swing(start, &run);
    CHECK_NEAR(atemi_capture_point_at(&run, w, capture(&start), run.duration), capture(&end),
               1e-10); // e^2 times the error of RK4, (w h)^4
}

// The pendulum is started with the capture point of a step that repeats itself, and with the speed
// of a body that does: after the step both are the same again, one step further.
TEST(capture_point, on_landing_is_that_of_a_step_that_repeats_itself)
{
    const atemi_pendulum_step step = atemi_pendulum_step_make(w, 0.42, 0.08, 0.1, 0.61);
    const double              landed = atemi_capture_point_on_landing(&step);
    pendulum                  s = {landed - 0.2, 0.2 * w};
    s = swing(s, &step.passing);
    s = swing(s, &step.standing);
    CHECK_NEAR(capture(&s) - step.length, landed, 1e-10);
}

// Beyond its room the shift is as large as it can be, within it the error falls by itself.
TEST(capture_point, error_falls_within_the_room_of_the_pressure_and_grows_beyond)
{
    const double gain = 2.0, room = 0.1, time = 0.4;
    CHECK_NEAR(atemi_capture_error_after(0.04, w, gain, room, time), 0.04 * exp(-w * time), 1e-15);
    CHECK_NEAR(atemi_capture_error_after(-0.04, w, gain, room, time), -0.04 * exp(-w * time),
               1e-15);
    CHECK_NEAR(atemi_capture_error_after(0.15, w, gain, room, time), 0.1 + 0.05 * exp(w * time),
               1e-15);
    CHECK(atemi_capture_error_after(0.09, w, gain, room, time) < 0.09);
}
