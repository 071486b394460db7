// SPDX-License-Identifier: Apache-2.0

#include "atemi/simulation.h"

#include "bodies.h"
#include "check.h"
#include "trial.h"

#include <math.h>

// A brick on a slope that becomes slippery, and rough again.

static const double g = 9.81, tilt = 0.3;

static void begin(trial *t, double friction)
{
    atemi_simulation_point bottom[4];
    rough_bottom(brick_size, friction, bottom);
    const trial_setting setting = {
        .model = brick_model(),
        .surface = {.kind = ATEMI_SURFACE_PLANE, .axis = {sin(tilt), 0, cos(tilt)}},
        .points = bottom,
        .count = 4,
        .step = 1e-2};
    const double c = 0.5 * brick_size.z, half = 0.5 * tilt;
    const double q[7] = {c * sin(tilt), 0, c * cos(tilt), 0, sin(half), 0, cos(half)};
    const double v[6] = {0};
    trial_begin(t, &setting);
    trial_start(t, q, v);
}

static void rub(trial *t, double friction)
{
    for (int i = 0; i < 4; ++i) {
        CHECK_STATUS(atemi_point_friction_set(t->simulation, i, friction, friction, NULL),
                     ATEMI_OK);
    }
}

// It stands, then gains g (sin a - mu cos a), then loses that of the rougher ground.
TEST(point_friction, rules_from_the_moment_it_is_set)
{
    trial        t;
    const double first = g * (sin(tilt) - 0.1 * cos(tilt)),
                 then = g * (sin(tilt) - 0.2 * cos(tilt));
    begin(&t, 0.5);
    trial_run(&t, 0.1);
    CHECK_NEAR(atemi_simulation_v(t.simulation)[0], 0.0, 1e-12);
    rub(&t, 0.1);
    trial_run(&t, 0.4);
    CHECK_NEAR(atemi_simulation_v(t.simulation)[0], 0.3 * first, 1e-9);
    rub(&t, 0.2);
    trial_run(&t, 0.5);
    CHECK_NEAR(atemi_simulation_v(t.simulation)[0], 0.3 * first + 0.1 * then, 1e-9);
    CHECK_EQUAL_INT(trial_count(&t, ATEMI_EVENT_SLIP), 1);
    trial_end(&t);
}

TEST(point_friction, that_makes_no_sense_is_refused)
{
    trial       t;
    atemi_error error;
    begin(&t, 0.5);
    CHECK_STATUS(atemi_point_friction_set(t.simulation, 0, 0.1, 0.2, &error), ATEMI_ERROR_INPUT);
    CHECK_CONTAINS(error.message, "kinetic friction 0.2");
    CHECK_STATUS(atemi_point_friction_set(t.simulation, 0, -0.1, -0.1, NULL), ATEMI_ERROR_INPUT);
    CHECK_STATUS(atemi_point_friction_set(t.simulation, 0, INFINITY, 0.1, NULL), ATEMI_ERROR_INPUT);
    CHECK_STATUS(atemi_point_friction_set(t.simulation, 0, NAN, NAN, NULL), ATEMI_ERROR_INPUT);
    CHECK_BREAKS_CONTRACT(atemi_point_friction_set(t.simulation, 4, 0.1, 0.1, NULL));
    trial_end(&t);
}
