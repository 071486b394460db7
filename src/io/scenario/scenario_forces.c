// SPDX-License-Identifier: Apache-2.0

#include "io/scenario/scenario_forces.h"

#include "atemi/base.h"
#include "io/scenario/scenario_failure.h"
#include "io/scenario/scenario_pick.h"
#include "io/scenario/scenario_warning.h"

#include <math.h>

enum { MAX_FORCES = 1000 };

// @return where its times are
static atemi_scenario_mark read_times(atemi_scenario_reader *reader, atemi_scenario_mark item,
                                      atemi_timed_force *force)
{
    force->from = atemi_scenario_number(reader, "from",
                                        (atemi_number_key){.unit = "s", .help = "when it begins"});
    const bool                is_given = atemi_scenario_is_given(reader, "from");
    const atemi_scenario_mark mark = is_given ? atemi_scenario_last(reader) : item;
    force->until = atemi_scenario_number(reader, "until",
                                         (atemi_number_key){.unit = "s",
                                                            .fallback = INFINITY,
                                                            .lower = -INFINITY,
                                                            .upper = INFINITY,
                                                            .infinite = true,
                                                            .help = "when it ends"});
    atemi_scenario_check_order(reader, mark, force->from, atemi_scenario_last(reader), force->until,
                               "s", "time");
    return mark;
}

static atemi_scenario_mark read_force(atemi_scenario_reader *reader, const atemi_model *model,
                                      atemi_timed_force *force)
{
    const atemi_scenario_mark item = atemi_scenario_last(reader);
    const char               *link = atemi_scenario_string(
        reader, "link", (atemi_string_key){.required = true, .help = "that it acts on"});
    force->link = atemi_scenario_pick(reader, atemi_scenario_links(model), link);
    force->wrench.linear = atemi_scenario_vec3(
        reader, "force",
        (atemi_vec3_key){.unit = "N", .required = true, .help = "on the link, world axes"});
    if (atemi_vec3_norm(force->wrench.linear) == 0.0) {
        atemi_scenario_warn(reader, atemi_scenario_last(reader), "has no effect: the force is 0 N");
    }
    const atemi_vec3 offset = atemi_scenario_vec3(
        reader, "offset",
        (atemi_vec3_key){.unit = "m",
                         .help = "from the link's origin to where the force acts, world axes"});
    force->wrench.angular = atemi_vec3_cross(offset, force->wrench.linear);
    return read_times(reader, item, force);
}

void atemi_scenario_read_forces(atemi_scenario_reader *reader, const atemi_model *model,
                                atemi_scenario_forces *forces)
{
    atemi_scenario_alias(reader, "forces", "pushes");
    const int count = atemi_scenario_enter_list(reader, "forces", 0, MAX_FORCES,
                                                "external forces on links, each for a time");
    *forces = (atemi_scenario_forces){0};
    forces->forces =
        (atemi_timed_force *)atemi_scenario_allocate(reader, sizeof *forces->forces, count);
    forces->marks =
        (atemi_scenario_mark *)atemi_scenario_allocate(reader, sizeof *forces->marks, count);
    while (atemi_scenario_next(reader)) {
        if (forces->forces && forces->marks) {
            const int i = forces->count++;
            forces->marks[i] = read_force(reader, model, &forces->forces[i]);
        }
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

void atemi_scenario_check_forces(atemi_scenario_reader *reader, const atemi_scenario_forces *forces,
                                 double end)
{
    for (int i = 0; i < forces->count; ++i) {
        atemi_scenario_check_times(reader, forces->marks[i], "the force", forces->forces[i].from,
                                   forces->forces[i].until, end);
    }
}

void atemi_scenario_forces_destroy(atemi_scenario_forces *forces)
{
    atemi_release(forces->forces);
    atemi_release(forces->marks);
    *forces = (atemi_scenario_forces){0};
}
