// SPDX-License-Identifier: Apache-2.0

#include "atemi/simulation.h"

#include "atemi/base.h"
#include "simulate/simulation.h"

#include <math.h>

static atemi_status rub(atemi_simulation *s, int point, double static_friction,
                        double kinetic_friction)
{
    s->set.points[point].static_friction = static_friction;
    s->set.points[point].kinetic_friction = kinetic_friction;
    // By events, a step begins with the accelerations of its start. By steps nothing jams: impulses
    // take part.
    return s->options.method == ATEMI_METHOD_STEPS
               ? ATEMI_OK
               : atemi_evaluate_state(&s->step.evaluation, &s->set, &s->state);
}

atemi_status atemi_point_friction_set(atemi_simulation *simulation, int point,
                                      double static_friction, double kinetic_friction,
                                      atemi_error *error)
{
    ATEMI_REQUIRE_OR(simulation && point >= 0 && point < simulation->set.own_count,
                     ATEMI_ERROR_CONTRACT);
    const atemi_simulation_point was = simulation->set.points[point];
    if (was.static_friction == static_friction && was.kinetic_friction == kinetic_friction) {
        return ATEMI_OK;
    }
    if (!(kinetic_friction >= 0.0 && kinetic_friction <= static_friction) ||
        !isfinite(static_friction)) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "static friction %g and kinetic friction %g of contact point %d: both "
                          "must be 0 or more, and the kinetic one not the larger",
                          static_friction, kinetic_friction, point);
    }
    if (rub(simulation, point, static_friction, kinetic_friction)) {
        rub(simulation, point, was.static_friction, was.kinetic_friction);
        return atemi_fail(error, ATEMI_ERROR_SINGULAR,
                          "at t = %.9g s contact point %d jams with a friction of %g",
                          simulation->state.time, point, kinetic_friction);
    }
    return ATEMI_OK;
}
