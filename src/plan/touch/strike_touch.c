// SPDX-License-Identifier: Apache-2.0

#include "plan/touch/strike_touch.h"

#include "impact/servo_rotors.h"

#include <math.h>

// A target of mass m on its surface, hit by a hand that keeps its speed V:
//
//   m d'' = -f(d, d'),   d(0) = 0,   d'(0) = V,   until d = 0
//
// of a spring without damper T = pi sqrt(m / k), whatever V; of any other law by steps that become
// shorter until there are enough of them. A wall yields as if it had 10 kg.

enum { FEWEST_STEPS = 200, MAX_STEPS = 20 * FEWEST_STEPS };

static const double pi = 3.14159265358979323846;
static const double usual_speed = 1.0;    // m/s, where the search begins at rest
static const double longest_touch = 1.0;  // s
static const double shortest_step = 1e-9; // s

// @return how many steps they touch
static int count_steps(const atemi_compliance *law, double mass, double speed, double step)
{
    double depth = speed * step, velocity = speed;
    int    count = 1;
    while (depth > 0.0 && count < MAX_STEPS) {
        velocity -= step * atemi_compliance_force(law, depth, velocity) / mass;
        depth += step * velocity;
        ++count;
    }
    return count;
}

static double touch_by_steps(const atemi_compliance *law, double mass, double speed)
{
    double step = longest_touch / (double)FEWEST_STEPS;
    int    count = count_steps(law, mass, speed, step);
    while (count < FEWEST_STEPS && step > shortest_step) {
        step *= 0.5;
        count = count_steps(law, mass, speed, step);
    }
    return fmin(count * step, longest_touch);
}

static double find_duration(const atemi_strike_task *task)
{
    const atemi_blow_surface *surface = &task->surface;
    const double              mass = isinf(task->target.mass) ? 10.0 : task->target.mass;
    const double              speed = task->speed.start > 0.0 ? task->speed.start : usual_speed;
    return strike_touch_is_linear(task) ? pi * sqrt(mass / surface->spring.stiffness)
                                        : touch_by_steps(&surface->other, mass, speed);
}

// Steps of RK4 are stable up to 2.8 times the shortest lag of a servo. Longer ones ask for larger
// rotors, which are felt where their lag is not small beside the touch.
static double find_step(double touch)
{
    return fmin(touch / 100.0, fmax(2.0 * usual_shortest_lag, touch / 200.0));
}

bool strike_touch_is_linear(const atemi_strike_task *task)
{
    return task->surface.law != ATEMI_BLOW_OTHER_LAW;
}

// One and a half times as long, more often at first.
strike_touch strike_touch_find(const atemi_strike_task *task)
{
    strike_touch touch = {.duration = find_duration(task)};
    touch.step = find_step(touch.duration);
    for (int i = 0; i < STRIKE_BLOW_SAMPLES; ++i) {
        const double part = (double)i / (STRIKE_BLOW_SAMPLES - 1);
        touch.times[i] = 1.5 * touch.duration * part * part;
    }
    return touch;
}
