// SPDX-License-Identifier: Apache-2.0

#include "io/scenario/scenario_pushes.h"

#include "atemi/allocator.h"
#include "io/scenario/scenario_failure.h"
#include "io/scenario/scenario_pick.h"
#include "io/scenario/scenario_warning.h"

#include <math.h>

enum { MOST_PUSHES = 1000 };

static void read_times(atemi_scenario_reader *reader, atemi_scenario_push *push)
{
    const atemi_scenario_mark item = push->mark;
    push->from = atemi_scenario_number(reader, "from",
                                       (atemi_number_key){.unit = "s", .help = "when it begins"});
    push->mark = atemi_scenario_is_given(reader, "from") ? atemi_scenario_last(reader) : item;
    push->until = atemi_scenario_number(reader, "until",
                                        (atemi_number_key){.unit = "s",
                                                           .fallback = INFINITY,
                                                           .lower = -INFINITY,
                                                           .upper = INFINITY,
                                                           .infinite = true,
                                                           .help = "when it ends"});
    if (!(push->until > push->from)) {
        atemi_scenario_fail(reader, atemi_scenario_last(reader),
                            "%g s is not after from, %g s; give a later time", push->until,
                            push->from);
    }
}

static void read_push(atemi_scenario_reader *reader, const atemi_model *model,
                      atemi_scenario_push *push)
{
    push->mark = atemi_scenario_last(reader);
    const char *link = atemi_scenario_string(
        reader, "link", (atemi_string_key){.required = true, .help = "that it acts on"});
    push->link = atemi_scenario_pick(reader, atemi_scenario_links(model), link);
    push->wrench.linear = atemi_scenario_vec3(
        reader, "force",
        (atemi_vec3_key){.unit = "N", .required = true, .help = "on the link, world axes"});
    if (atemi_vec3_norm(push->wrench.linear) == 0.0) {
        atemi_scenario_warn(reader, atemi_scenario_last(reader), "has no effect: the force is 0 N");
    }
    const atemi_vec3 offset = atemi_scenario_vec3(
        reader, "offset",
        (atemi_vec3_key){.unit = "m",
                         .help = "from the link's origin to where the force acts, world axes"});
    push->wrench.angular = atemi_vec3_cross(offset, push->wrench.linear);
    read_times(reader, push);
}

void atemi_scenario_read_pushes(atemi_scenario_reader *reader, const atemi_model *model,
                                atemi_scenario_pushes *pushes)
{
    atemi_scenario_alias(reader, "forces", "pushes");
    const int count = atemi_scenario_enter_list(reader, "forces", 0, MOST_PUSHES,
                                                "external forces on links, each for a time");
    *pushes = (atemi_scenario_pushes){0};
    pushes->pushes =
        (atemi_scenario_push *)atemi_scenario_allocate(reader, sizeof *pushes->pushes, count);
    while (atemi_scenario_next(reader)) {
        read_push(reader, model, &pushes->pushes[pushes->count++]);
    }
}

void atemi_scenario_check_times(atemi_scenario_reader *reader, atemi_scenario_mark mark,
                                const char *what, double from, double until, double end)
{
    if (from >= end) {
        atemi_scenario_warn(reader, mark,
                            "%s begins at %g s, but the run ends at %g s: it has no effect; start "
                            "it earlier, or make the run longer",
                            what, from, end);
    } else if (until <= 0.0) {
        atemi_scenario_warn(
            reader, mark, "%s ends at %g s, before the run begins: it has no effect", what, until);
    }
}

void atemi_scenario_check_pushes(atemi_scenario_reader *reader, const atemi_scenario_pushes *pushes,
                                 double end)
{
    for (int i = 0; i < pushes->count; ++i) {
        const atemi_scenario_push *push = &pushes->pushes[i];
        atemi_scenario_check_times(reader, push->mark, "the force", push->from, push->until, end);
    }
}

void atemi_scenario_pushes_add(const atemi_scenario_pushes *pushes, double time,
                               atemi_force *forces)
{
    for (int i = 0; i < pushes->count; ++i) {
        const atemi_scenario_push *push = &pushes->pushes[i];
        if (time >= push->from && time < push->until) {
            forces[push->link] = atemi_force_add(forces[push->link], push->wrench);
        }
    }
}

double atemi_scenario_pushes_next(const atemi_scenario_pushes *pushes, double time)
{
    double next = INFINITY;
    for (int i = 0; i < pushes->count; ++i) {
        const atemi_scenario_push *push = &pushes->pushes[i];
        next = push->from > time ? fmin(next, push->from) : next;
        next = push->until > time ? fmin(next, push->until) : next;
    }
    return next;
}

void atemi_scenario_pushes_destroy(atemi_scenario_pushes *pushes)
{
    atemi_release(pushes->pushes);
    *pushes = (atemi_scenario_pushes){0};
}
