// SPDX-License-Identifier: Apache-2.0

#include "simulate/events/event_failure.h"

#include "atemi/model.h"
#include "bodies.h"
#include "check.h"
#include "simulate/events/conditions.h"
#include "trial.h"

#include <math.h>

// A cart on a rail with a pendulum, and a point of the pendulum far above the floor.
static void begin(trial *t)
{
    static atemi_simulation_point point;
    const cart   c = {.cart_mass = 2.0, .bob_mass = 1.0, .arm = 0.5, .bob_inertia = 0.01};
    const double q[2] = {0.0, 0.3}, v[2] = {0.0, 0.0};
    atemi_model *model = cart_model(&c, true);
    point.link = atemi_model_find_link(model, "bob");
    trial_begin(t, &(trial_setting){.model = model,
                                    .surface = {.kind = ATEMI_SURFACE_PLANE,
                                                .position = {0.0, 0.0, -9.0},
                                                .axis = {0.0, 0.0, 1.0}},
                                    .points = &point,
                                    .count = 1,
                                    .step = 1e-3,
                                    .joint_stops = true});
    trial_start(t, q, v);
    trial_run(t, 0.25);
    atemi_conditions_measure(&t->simulation->set, t->simulation->step.margins);
}

// Whatever is broken, the message says when, where and what helps.
TEST(event_failure, names_time_place_and_cure)
{
    trial       t;
    atemi_error error;
    begin(&t);
    double *margins = t.simulation->step.margins;
    CHECK_STATUS(atemi_event_failure(t.simulation, "the contacts jam", &error),
                 ATEMI_ERROR_SINGULAR);
    CHECK_CONTAINS(error.message, "at t = 0.25 s the contacts jam; give it less friction");
    margins[0] = -1.0; // the point's gap
    atemi_event_failure(t.simulation, "the contacts jam", &error);
    CHECK_CONTAINS(error.message, "at t = 0.25 s the contacts jam, last at link 'bob'; give");
    margins[0] = 1.0;
    margins[1] = -1.0; // its patch's pressure
    atemi_event_failure(t.simulation, "the contacts jam", &error);
    CHECK_CONTAINS(error.message, "last at link 'bob'");
    trial_end(&t);
}
