// SPDX-License-Identifier: Apache-2.0

#include "jobs/walk/walk_scenario.h"

#include "io/scenario/scenario_failure.h"
#include "io/scenario/scenario_pick.h"
#include "io/scenario/scenario_warning.h"
#include "walk/biped/biped_map.h"

#include <math.h>
#include <stddef.h>

// The footsteps that a walk in three dimensions is given.

enum { MAX_FOOTSTEPS = 10000 };

static double floor_at(const atemi_walk_scenario *s, const double *place)
{
    const atemi_surface *floor = s->biped.floor;
    return floor && biped_map_has_heights(floor) ? biped_map_height(floor, place[0], place[1])
                                                 : 0.0;
}

static atemi_biped_footstep read_footstep(atemi_scenario_reader     *reader,
                                          const atemi_walk_scenario *s, double heading)
{
    static const char *const sides[] = {"right", "left", NULL};
    atemi_biped_footstep     step = {0};
    double                   place[2] = {0.0, 0.0};
    step.side = atemi_scenario_choice(
        reader, "foot", (atemi_choice_key){.words = sides, .required = true, .help = "that steps"});
    atemi_scenario_numbers(
        reader, "place",
        (atemi_numbers_key){
            .each = {.unit = "m", .required = true, .help = "x and y of the sole's middle"},
            .least = 2,
            .most = 2,
            .fallback_count = 0},
        place);
    step.place = (atemi_vec3){place[0], place[1], 0.0};
    step.place.z = atemi_scenario_number(
        reader, "height",
        (atemi_number_key){.unit = "m",
                           .fallback = floor_at(s, place),
                           .help = "of the sole's middle; without it: of the floor there"});
    step.heading = atemi_scenario_number(
        reader, "yaw",
        (atemi_number_key){.unit = "rad",
                           .fallback = heading,
                           .help = "of the sole, from x towards y; without it: as the one before"});
    step.time = atemi_scenario_number(
        reader, "time",
        (atemi_number_key){.unit = "s",
                           .lower = 0.0,
                           .upper = 100.0,
                           .reason = "no step takes longer",
                           .help = "from the landing before; 0: step_time, or what the swing asks "
                                   "for"});
    return step;
}

// What has no effect with footsteps, or without.
static void check_others(atemi_scenario_reader *reader, atemi_scenario_mark mark, int count)
{
    static const char *const with[] = {"forwards", "sideways", "turning"};
    static const char *const without[] = {"correction", "highest"};
    for (size_t i = 0; i < sizeof with / sizeof *with && count > 0; ++i) {
        atemi_scenario_warn_if_given(reader, with[i], "footsteps are given");
    }
    for (size_t i = 0; i < sizeof without / sizeof *without && count == 0; ++i) {
        atemi_scenario_warn_if_given(reader, without[i], "no footsteps are given");
    }
    if (count > 0 && atemi_scenario_is_given(reader, "commands")) {
        atemi_scenario_fail(reader, mark,
                            "a walk has either commands or footsteps; leave one of them out");
    }
}

void atemi_biped_footsteps_read(atemi_scenario_reader *reader, atemi_walk_scenario *s)
{
    const int count = atemi_scenario_enter_list(reader, "footsteps", 0, MAX_FOOTSTEPS,
                                                "that are walked in place of all others");
    const atemi_scenario_mark mark = atemi_scenario_last(reader);
    double                    heading = 0.0;
    s->footsteps =
        (atemi_biped_footstep *)atemi_scenario_allocate(reader, sizeof *s->footsteps, count);
    s->footstep_marks =
        (atemi_scenario_mark *)atemi_scenario_allocate(reader, sizeof *s->footstep_marks, count);
    while (atemi_scenario_next(reader)) {
        const int i = s->biped.footstep_count++;
        s->footstep_marks[i] = atemi_scenario_last(reader);
        s->footsteps[i] = read_footstep(reader, s, heading);
        heading = s->footsteps[i].heading;
    }
    s->biped.footsteps = s->footsteps;
    s->biped.steps = count > 0 ? count : s->biped.steps;
    check_others(reader, mark, atemi_scenario_is_blank(reader) ? 0 : count);
}

atemi_status atemi_biped_footsteps_check(atemi_scenario_reader     *reader,
                                         const atemi_walk_scenario *scenario, atemi_error *error)
{
    const atemi_biped_task      *t = &scenario->biped;
    const atemi_humanoid_options parts = atemi_biped_scenario_parts(scenario);
    atemi_biped_options          options = t->controller;
    atemi_biped                 *biped;
    atemi_error                  reason = {0};
    int                          wrong = 0;
    if (t->footstep_count == 0) {
        return ATEMI_OK;
    }
    options.footsteps = t->footstep_count;
    atemi_status status =
        atemi_biped_create(scenario->robot.model, &options, &parts, &biped, error);
    if (status) {
        return status;
    }
    if (atemi_biped_footsteps(biped, t->footsteps, t->footstep_count, &wrong, &reason)) {
        atemi_scenario_fail(reader, scenario->footstep_marks[wrong], "%s", reason.message);
        status = atemi_scenario_finish(reader, error);
    }
    atemi_biped_destroy(biped);
    return status;
}
