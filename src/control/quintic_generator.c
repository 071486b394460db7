// SPDX-License-Identifier: Apache-2.0

#include "atemi/coordination.h"

#include "atemi/base.h"

#include <math.h>

// The quintic polynomial between two states, in the least duration that keeps the bounds. From rest
// to rest over d that is the longer of 15/8 d / V and sqrt(10/sqrt(3) d / A); otherwise it is
// looked for. A start that is fast and still accelerates exceeds its bound whatever the duration:
// then it is the duration in which it does so least.

enum { SAMPLES = 80, DURATIONS = 90, HALVINGS = 14 };

static const double shortest = 1e-3; // s
static const double longer = 1.2;    // from one duration to the next: up to 3 hours
static const double margin = 1.002;  // of bounds, between samples

// How far beyond its bounds, as a factor.
static double excess(const atemi_trapezoid_task *task, double duration)
{
    double largest = 0.0;
    for (int k = 0; k <= SAMPLES; ++k) {
        const atemi_axis_state s = atemi_quintic_at(&task->start, &task->end, duration,
                                                    duration * (double)k / (double)SAMPLES);
        const double           part =
            fmax(fabs(s.velocity) / task->velocity, fabs(s.acceleration) / task->acceleration);
        largest = fmax(largest, part);
    }
    return largest;
}

// The first of the durations that is within the bounds, or else the best.
static double first_duration(const atemi_trapezoid_task *task)
{
    double best = INFINITY, found = (double)NAN, duration = shortest;
    for (int k = 0; k < DURATIONS && best > margin; ++k, duration *= longer) {
        const double beyond = excess(task, duration);
        found = beyond < best ? duration : found;
        best = fmin(best, beyond);
    }
    return found;
}

static bool is_there(const atemi_trapezoid_task *task)
{
    const atemi_axis_state *a = &task->start, *b = &task->end;
    return a->position == b->position && a->velocity == b->velocity &&
           a->acceleration == b->acceleration;
}

static double least_duration(void *context, const atemi_trapezoid_task *task)
{
    (void)context;
    if (is_there(task)) {
        return 0.0;
    }
    double       high = first_duration(task), low = high / longer;
    const double allowed = fmax(margin, excess(task, high));
    for (int k = 0; k < HALVINGS; ++k) {
        const double middle = 0.5 * (low + high);
        const bool   keeps = excess(task, middle) <= allowed;
        high = keeps ? middle : high;
        low = keeps ? low : middle;
    }
    return high;
}

static atemi_axis_state state_at(void *context, const atemi_trapezoid_task *task, double duration,
                                 double time)
{
    (void)context;
    return atemi_quintic_at(&task->start, &task->end, duration, time);
}

atemi_trajectory_generator atemi_quintic_generator(void)
{
    return (atemi_trajectory_generator){.duration = least_duration, .at = state_at};
}
