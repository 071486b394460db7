// SPDX-License-Identifier: Apache-2.0

#include "jobs/control/control_people.h"

#include "atemi/base.h"
#include "io/scenario/scenario_failure.h"
#include "io/scenario/scenario_forces.h"
#include "io/scenario/scenario_pick.h"

#include <math.h>

enum { MAX_PEOPLE = 100 };

static atemi_scenario_mark read_times(atemi_scenario_reader *reader, double *from, double *until)
{
    *from = atemi_scenario_number(reader, "from",
                                  (atemi_number_key){.unit = "s", .help = "when it begins"});
    const atemi_scenario_mark begin = atemi_scenario_last(reader);
    *until = atemi_scenario_number(
        reader, "until", (atemi_number_key){.unit = "s", .required = true, .help = "when it ends"});
    atemi_scenario_check_order(reader, begin, *from, atemi_scenario_last(reader), *until, "s",
                               "time");
    return atemi_scenario_last(reader);
}

static atemi_scenario_mark read_person(atemi_scenario_reader         *reader,
                                       const atemi_scenario_surfaces *surfaces,
                                       atemi_timed_surface           *person)
{
    const char *name = atemi_scenario_string(
        reader, "surface",
        (atemi_string_key){.required = true, .help = "that is there only then, by name"});
    if (!atemi_scenario_is_blank(reader)) {
        person->surface = atemi_scenario_pick(reader, atemi_scenario_surface_names(surfaces), name);
    }
    return read_times(reader, &person->from, &person->until);
}

static double read_figure(atemi_scenario_reader *reader, const char *key, const char *unit,
                          double fallback, const char *help)
{
    return atemi_scenario_number(
        reader, key,
        (atemi_number_key){
            .unit = unit, .fallback = fallback, .lower = 0.0, .upper = INFINITY, .help = help});
}

static atemi_scenario_mark read_hand(atemi_scenario_reader *reader, const atemi_model *model,
                                     atemi_guiding_hand *hand)
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
    hand->force_limit = read_figure(reader, "force", "N", 200.0, "at most");
    return read_times(reader, &hand->from, &hand->until);
}

void atemi_control_read_people(atemi_scenario_reader *reader, const atemi_model *model,
                               const atemi_scenario_surfaces *surfaces, control_people *people)
{
    *people = (control_people){0};
    int count = atemi_scenario_enter_list(reader, "people", 0, MAX_PEOPLE,
                                          "surfaces that are there for a time only");
    people->people =
        (atemi_timed_surface *)atemi_scenario_allocate(reader, sizeof *people->people, count);
    people->person_marks =
        (atemi_scenario_mark *)atemi_scenario_allocate(reader, sizeof *people->person_marks, count);
    while (atemi_scenario_next(reader)) {
        if (people->people && people->person_marks) {
            const int i = people->person_count++;
            people->person_marks[i] = read_person(reader, surfaces, &people->people[i]);
        }
    }
    count = atemi_scenario_enter_list(reader, "hands", 0, CONTROL_MAX_HANDS,
                                      "of people who lead the robot");
    people->hands =
        (atemi_guiding_hand *)atemi_scenario_allocate(reader, sizeof *people->hands, count);
    people->hand_marks =
        (atemi_scenario_mark *)atemi_scenario_allocate(reader, sizeof *people->hand_marks, count);
    while (atemi_scenario_next(reader)) {
        if (people->hands && people->hand_marks) {
            const int i = people->hand_count++;
            people->hand_marks[i] = read_hand(reader, model, &people->hands[i]);
        }
    }
}

void atemi_control_check_people(atemi_scenario_reader *reader, const control_people *people,
                                double end)
{
    for (int i = 0; i < people->person_count; ++i) {
        const atemi_timed_surface *person = &people->people[i];
        atemi_scenario_check_times(reader, people->person_marks[i], "the person", person->from,
                                   person->until, end);
    }
    for (int i = 0; i < people->hand_count; ++i) {
        const atemi_guiding_hand *hand = &people->hands[i];
        atemi_scenario_check_times(reader, people->hand_marks[i], "the hand", hand->from,
                                   hand->until, end);
    }
}

void atemi_control_people_destroy(control_people *people)
{
    atemi_release(people->people);
    atemi_release(people->hands);
    atemi_release(people->person_marks);
    atemi_release(people->hand_marks);
    *people = (control_people){0};
}
