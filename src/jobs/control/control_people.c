// SPDX-License-Identifier: Apache-2.0

#include "jobs/control/control_people.h"

#include "atemi/allocator.h"
#include "io/scenario/scenario_failure.h"
#include "io/scenario/scenario_pick.h"
#include "io/scenario/scenario_pushes.h"

#include <math.h>

// A hand goes along its way with the share  s^2 (3 - 2 s),  s from 0 to 1 in the first two thirds
// of its time, and then stays.

enum { MOST_PEOPLE = 100 };

static const double moving_part = 2.0 / 3.0;

static atemi_scenario_mark read_times(atemi_scenario_reader *reader, double *from, double *until)
{
    *from = atemi_scenario_number(reader, "from",
                                  (atemi_number_key){.unit = "s", .help = "when it begins"});
    *until = atemi_scenario_number(
        reader, "until", (atemi_number_key){.unit = "s", .required = true, .help = "when it ends"});
    if (!(*until > *from) && !atemi_scenario_is_blank(reader)) {
        atemi_scenario_fail(reader, atemi_scenario_last(reader),
                            "%g s is not after from, %g s; give a later time", *until, *from);
    }
    return atemi_scenario_last(reader);
}

static void read_person(atemi_scenario_reader *reader, const atemi_scenario_surfaces *surfaces,
                        control_person *person)
{
    const char *name = atemi_scenario_string(
        reader, "surface",
        (atemi_string_key){.required = true, .help = "that is there only then, by name"});
    if (!atemi_scenario_is_blank(reader)) {
        person->surface = atemi_scenario_pick(reader, atemi_scenario_surface_names(surfaces), name);
    }
    person->mark = read_times(reader, &person->from, &person->until);
}

static double read_figure(atemi_scenario_reader *reader, const char *key, const char *unit,
                          double fallback, const char *help)
{
    return atemi_scenario_number(
        reader, key,
        (atemi_number_key){
            .unit = unit, .fallback = fallback, .lower = 0.0, .upper = INFINITY, .help = help});
}

static void read_hand(atemi_scenario_reader *reader, const atemi_model *model, control_hand *hand)
{
    const char *link = atemi_scenario_string(
        reader, "link", (atemi_string_key){.required = true, .help = "that is taken hold of"});
    hand->link = model ? atemi_scenario_pick(reader, atemi_scenario_links(model), link) : 0;
    hand->point = atemi_scenario_vec3(
        reader, "point", (atemi_vec3_key){.unit = "m", .help = "of the link, in its frame"});
    hand->by = atemi_scenario_vec3(
        reader, "by",
        (atemi_vec3_key){.unit = "m", .required = true, .help = "which it is led, world axes"});
    hand->stiffness = read_figure(reader, "stiffness", "N/m", 1000.0, "of the hand");
    hand->damping = read_figure(reader, "damping", "N s/m", 100.0, "of the hand");
    hand->force = read_figure(reader, "force", "N", 200.0, "at most");
    hand->mark = read_times(reader, &hand->from, &hand->until);
}

void atemi_control_read_people(atemi_scenario_reader *reader, const atemi_model *model,
                               const atemi_scenario_surfaces *surfaces, control_people *people)
{
    *people = (control_people){0};
    int count = atemi_scenario_enter_list(reader, "people", 0, MOST_PEOPLE,
                                          "surfaces that are there for a time only");
    people->people =
        (control_person *)atemi_scenario_allocate(reader, sizeof *people->people, count);
    while (atemi_scenario_next(reader)) {
        if (people->people) {
            read_person(reader, surfaces, &people->people[people->person_count++]);
        }
    }
    count = atemi_scenario_enter_list(reader, "hands", 0, CONTROL_MOST_HANDS,
                                      "of people who lead the robot");
    people->hands = (control_hand *)atemi_scenario_allocate(reader, sizeof *people->hands, count);
    while (atemi_scenario_next(reader)) {
        if (people->hands) {
            read_hand(reader, model, &people->hands[people->hand_count++]);
        }
    }
}

void atemi_control_check_people(atemi_scenario_reader *reader, const control_people *people,
                                double end)
{
    for (int i = 0; i < people->person_count; ++i) {
        const control_person *person = &people->people[i];
        atemi_scenario_check_times(reader, person->mark, "the person", person->from, person->until,
                                   end);
    }
    for (int i = 0; i < people->hand_count; ++i) {
        const control_hand *hand = &people->hands[i];
        atemi_scenario_check_times(reader, hand->mark, "the hand", hand->from, hand->until, end);
    }
}

atemi_vec3 atemi_control_hand_place(const control_hand *hand, atemi_vec3 start, double time,
                                    atemi_vec3 *velocity)
{
    const double span = moving_part * (hand->until - hand->from);
    const double s = fmin(fmax((time - hand->from) / span, 0.0), 1.0);
    *velocity = atemi_vec3_scale(6.0 * s * (1.0 - s) / span, hand->by);
    return atemi_vec3_add(start, atemi_vec3_scale(s * s * (3.0 - 2.0 * s), hand->by));
}

void atemi_control_people_destroy(control_people *people)
{
    atemi_release(people->people);
    atemi_release(people->hands);
    *people = (control_people){0};
}
