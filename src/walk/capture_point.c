// SPDX-License-Identifier: Apache-2.0

#include "walk/capture_point.h"

#include <math.h>

// The linear inverted pendulum: centre of mass at x and the height z, centre of pressure at p.
//
//   x'' = w^2 (x - p)           w = sqrt(g / z)
//   c   = x + x' / w            capture point: a pressure there brings the body to rest
//   c'  = w (c - p)             of first order, and unstable
//
// While the pressure moves evenly, p = p0 + s t:
//
//   c(t) = p0 + s t + s / w + (c0 - p0 - s / w) e^(w t)
//
// Over a step, c(T) is affine in c(0). The step repeats itself where c(T) = c(0) + length.

static double slope(const atemi_pressure_run *run)
{
    return (run->to - run->from) / run->duration;
}

double atemi_pressure_run_at(const atemi_pressure_run *run, double time)
{
    return run->from + slope(run) * fmin(time, run->duration);
}

double atemi_capture_point_at(const atemi_pressure_run *run, double rate, double capture,
                              double time)
{
    const double s = slope(run), lead = s / rate;
    return run->from + s * time + lead + (capture - run->from - lead) * exp(rate * time);
}

atemi_pendulum_step atemi_pendulum_step_make(double rate, double length, double travel,
                                             double passing, double standing)
{
    return (atemi_pendulum_step){
        .rate = rate,
        .length = length,
        .passing = {.from = travel - length, .to = -travel, .duration = passing},
        .standing = {.from = -travel, .to = travel, .duration = standing},
    };
}

static double after_step(const atemi_pendulum_step *step, double capture)
{
    const double passed =
        atemi_capture_point_at(&step->passing, step->rate, capture, step->passing.duration);
    return atemi_capture_point_at(&step->standing, step->rate, passed, step->standing.duration);
}

double atemi_capture_point_on_landing(const atemi_pendulum_step *step)
{
    const double constant = after_step(step, 0.0), growth = after_step(step, 1.0) - constant;
    return (step->length - constant) / (growth - 1.0);
}

// Within its room the shift makes the error fall; at the end of its room the error runs away from
// there, unless it is small enough to come back.
double atemi_capture_error_after(double error, double rate, double gain, double room, double time)
{
    const double size = fabs(error);
    const double mended = size * exp(rate * (1.0 - gain) * time);
    const double limited = room + (size - room) * exp(rate * time);
    return copysign(gain * size > room ? fmax(mended, limited) : mended, error);
}
