// SPDX-License-Identifier: Apache-2.0

#include "simulate/events/event_location.h"

#include "brick_rig.h"
#include "check.h"
#include "simulate/events/conditions.h"

#include <math.h>

static const double g = 9.81;

// From `gap` above the floor the brick falls until t = sqrt(2 gap / g): a step that is longer is
// broken at its end, and shortened to there.
TEST(event_location, of_a_falling_brick_finds_the_floor)
{
    const double gap = 1e-3, meets = sqrt(2.0 * gap / g), v[6] = {0};
    for (int i = 1; i <= 4; ++i) {
        trial t;
        bool  event = true;
        brick_begin(&t, 0.5, gap, v);
        atemi_simulation *s = t.simulation;
        const double      h = meets * (1.0 + 0.2 * i);
        s->step.limit = 1.0;
        atemi_state_copy(s->model, &s->state, &s->step.start);
        atemi_conditions_measure(&s->set, s->step.whole);
        CHECK_STATUS(atemi_event_location_step(&s->step, &s->set, &s->state, 0.9 * meets),
                     ATEMI_OK);
        CHECK(!atemi_conditions_any_broken(&s->set, s->step.margins));
        CHECK_STATUS(atemi_event_location_step(&s->step, &s->set, &s->state, h), ATEMI_OK);
        CHECK(atemi_conditions_any_broken(&s->set, s->step.margins));
        CHECK_STATUS(atemi_event_location_find(&s->step, &s->set, &s->state, h, true, &event),
                     ATEMI_OK);
        CHECK(event);
        CHECK_NEAR(s->state.time, meets, 2e-12); // twice the accuracy of events
        CHECK_NEAR(s->set.states[0].view.gap, 0.0, 2e-12 * g * meets + 1e-17);
        CHECK(atemi_conditions_broken(&s->set, s->step.margins).kind == ATEMI_CONDITION_GAP);
        trial_end(&t);
    }
}
