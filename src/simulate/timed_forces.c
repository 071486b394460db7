// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"
#include "atemi/simulation.h"

#include <math.h>

static bool acts(const atemi_timed_force *force, double time)
{
    return time >= force->from && time < force->until;
}

bool atemi_timed_forces_act(const atemi_timed_force *forces, int count, double time)
{
    ATEMI_REQUIRE_OR(count == 0 || forces, false);
    for (int i = 0; i < count; ++i) {
        if (acts(&forces[i], time)) {
            return true;
        }
    }
    return false;
}

void atemi_timed_forces_add(const atemi_timed_force *forces, int count, double time,
                            atemi_force *external)
{
    ATEMI_REQUIRE(count == 0 || (forces && external));
    for (int i = 0; i < count; ++i) {
        atemi_force *on_link = &external[forces[i].link];
        if (acts(&forces[i], time)) {
            *on_link = atemi_force_add(*on_link, forces[i].wrench);
        }
    }
}

double atemi_timed_forces_next(const atemi_timed_force *forces, int count, double time)
{
    ATEMI_REQUIRE_OR(count == 0 || forces, INFINITY);
    double next = INFINITY;
    for (int i = 0; i < count; ++i) {
        next = forces[i].from > time ? fmin(next, forces[i].from) : next;
        next = forces[i].until > time ? fmin(next, forces[i].until) : next;
    }
    return next;
}
