// SPDX-License-Identifier: Apache-2.0

#include "simulate/modes.h"

#include "simulate/sightings.h"

// The point of the surface under a point that is as good as on it.
static atemi_vec3 foot_of(const atemi_contact_state *seen)
{
    return atemi_vec3_sub(seen->position, atemi_vec3_scale(seen->view.gap, seen->view.normal));
}

void atemi_mode_open(atemi_simulation *s, int point)
{
    s->set.modes[point] = ATEMI_CONTACT_OPEN;
    s->set.leaving[point] = true;
}

void atemi_mode_stick(atemi_simulation *s, int point)
{
    s->set.modes[point] = ATEMI_CONTACT_STICK;
    s->set.anchors[point] = foot_of(&s->set.states[point]);
}

void atemi_mode_follow(atemi_simulation *s, int point)
{
    const atemi_vec3 slide = atemi_world_along(s, point, s->set.states[point].velocity);
    const double     speed = atemi_vec3_norm(slide);
    if (s->set.modes[point] == ATEMI_CONTACT_SLIP && speed > atemi_creeping) {
        s->set.directions[point] = atemi_vec3_scale(1.0 / speed, slide);
    }
}

void atemi_mode_tell(atemi_simulation *s, atemi_event event)
{
    event.time = s->state.time;
    ++s->ledger.statistics.events;
    if (s->hooks.event) {
        s->hooks.event(s->hooks.context, &event);
    }
}
