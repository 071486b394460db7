// SPDX-License-Identifier: Apache-2.0

#include "simulate/events/event_failure.h"

#include "atemi/model.h"
#include "model/joint_name.h"
#include "simulate/events/conditions.h"

static const char *link_of(const atemi_simulation *s, int point)
{
    return atemi_model_link(s->model, s->set.points[point].link)->name;
}

// What is broken last, or what is in touch where nothing is known to be.
static int point_of(const atemi_simulation_contacts *set, const atemi_condition *broken)
{
    const bool known = broken->kind != ATEMI_CONDITION_NONE;
    for (int i = 0; i < set->point_count; ++i) {
        const bool held = atemi_point_is_held(set, i) || set->states[i].view.gap < atemi_touching;
        if (known ? i == broken->point || set->patches[i] == broken->patch : held) {
            return i;
        }
    }
    return ATEMI_NONE;
}

atemi_status atemi_event_failure(const atemi_simulation *s, const char *what, atemi_error *error)
{
    static const char *const cure =
        "give it less friction, torques without leaps or a shorter step, "
        "or take the method of steps";
    const atemi_condition broken = atemi_conditions_broken(&s->set, s->step.margins);
    const int             point = point_of(&s->set, &broken);
    const bool            of_joint = broken.kind == ATEMI_CONDITION_STOP ||
                          broken.kind == ATEMI_CONDITION_TURN ||
                          broken.kind == ATEMI_CONDITION_HOLD;
    if (of_joint) {
        const int rate = s->set.joints.rates[broken.joint];
        return atemi_fail(error, ATEMI_ERROR_SINGULAR, "at t = %.9g s %s, last at joint '%s'; %s",
                          s->state.time, what, atemi_joint_name_at(s->model, rate), cure);
    }
    if (point != ATEMI_NONE && atemi_point_surface(&s->set, point)->carried) {
        return atemi_fail(
            error, ATEMI_ERROR_SINGULAR, "at t = %.9g s %s, last between links '%s' and '%s'; %s",
            s->state.time, what, link_of(s, point),
            atemi_model_link(s->model, atemi_point_surface(&s->set, point)->link)->name, cure);
    }
    if (point != ATEMI_NONE) {
        return atemi_fail(error, ATEMI_ERROR_SINGULAR, "at t = %.9g s %s, last at link '%s'; %s",
                          s->state.time, what, link_of(s, point), cure);
    }
    return atemi_fail(error, ATEMI_ERROR_SINGULAR, "at t = %.9g s %s; %s", s->state.time, what,
                      cure);
}
