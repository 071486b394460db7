// SPDX-License-Identifier: Apache-2.0

#include "control/passivity_watch.h"

#include "atemi/base.h"

#include <math.h>
#include <string.h>

// With e the error of a joint, r = -e' its rate and t its feedback torque, what the feedback gave
// in a step, and what its spring, limited to the torque T, gave of its own, are
//
//   W = (t_0 r_0 + t_1 r_1)/2 period,   -dS = S(e_0) - S(e_1)
//   S(e) = k e^2/2 up to |e| = T/k, and T |e| - T^2/2k beyond
//
// with the stiffness and the limit of now at both ends, since what a change of stiffness brings is
// wanted. Passive feedback has W + dS <= 0. The excess is the sum of W + dS - leak over all joints,
// and never falls below 0: what was dissipated once is no credit.

static double stored(double error, double stiffness, double limit)
{
    const double e = fabs(error);
    return stiffness * e <= limit ? 0.5 * stiffness * e * e : limit * (e - 0.5 * limit / stiffness);
}

static double given(const atemi_feedback_port *before, const atemi_feedback_port *now,
                    double period)
{
    const double work = 0.5 * period * (before->torque * before->rate + now->torque * now->rate);
    return work + stored(now->error, now->stiffness, now->limit) -
           stored(before->error, now->stiffness, now->limit);
}

atemi_passivity_watch atemi_passivity_watch_take(atemi_arena *arena, int count, double limit,
                                                 double leak)
{
    atemi_passivity_watch watch = {.limit = limit, .leak = leak, .count = count};
    watch.before = atemi_arena_array(arena, atemi_feedback_port, count);
    return watch;
}

bool atemi_passivity_watch_step(atemi_passivity_watch *watch, const atemi_feedback_port *ports,
                                double period)
{
    ATEMI_REQUIRE_OR(watch && (ports || watch->count == 0), false);
    double sum = -watch->leak * period;
    for (int i = 0; watch->begun && i < watch->count; ++i) {
        sum += given(&watch->before[i], &ports[i], period);
    }
    watch->excess = fmax(watch->excess + sum, 0.0);
    watch->begun = true;
    memcpy(watch->before, ports, (size_t)watch->count * sizeof *ports);
    return watch->excess <= watch->limit;
}

void atemi_passivity_watch_restart(atemi_passivity_watch *watch)
{
    ATEMI_REQUIRE(watch);
    watch->begun = false;
    watch->excess = 0.0;
}
