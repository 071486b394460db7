// SPDX-License-Identifier: Apache-2.0

#include "jobs/control/control_people.h"

#include "atemi/base.h"
#include "io/scenario/scenario_failure.h"
#include "io/scenario/scenario_forces.h"
#include "io/scenario/scenario_pick.h"

#include <math.h>

enum { MAX_PEOPLE = 100 };

// Stiffness and effective mass of the parts of a body, as they are commonly cited of the model
// behind [ISO15066]: none is ours.
typedef struct body_region {
    double stiffness; ///< N/m; 0: none
    double mass;      ///< kg
} body_region;

static const char *const region_words[] = {"none",  "skull", "face",      "neck",      "back",
                                           "chest", "belly", "pelvis",    "upper_arm", "lower_arm",
                                           "hand",  "thigh", "lower_leg", NULL};

static const body_region regions[] = {{0.0, INFINITY}, {150e3, 4.4}, {75e3, 4.4},  {50e3, 1.2},
                                      {35e3, 40.0},    {25e3, 40.0}, {10e3, 40.0}, {25e3, 40.0},
                                      {30e3, 3.0},     {40e3, 2.0},  {75e3, 0.6},  {50e3, 75.0},
                                      {60e3, 75.0}};

// ---- Those who stand there ------------------------------------------------------------------

static atemi_scenario_mark read_times(atemi_scenario_reader *reader, bool must_end, double *from,
                                      double *until)
{
    *from = atemi_scenario_number(reader, "from",
                                  (atemi_number_key){.unit = "s", .help = "when it begins"});
    const atemi_scenario_mark begin = atemi_scenario_last(reader);
    atemi_number_key          last = {.unit = "s", .required = must_end, .help = "when it ends"};
    if (!must_end) {
        last.infinite = true;
        last.fallback = INFINITY;
    }
    *until = atemi_scenario_number(reader, "until", last);
    atemi_scenario_check_order(reader, begin, *from, atemi_scenario_last(reader), *until, "s",
                               "time");
    return atemi_scenario_last(reader);
}

static double read_figure(atemi_scenario_reader *reader, const char *key, const char *unit,
                          double fallback, const char *help)
{
    return atemi_scenario_number(
        reader, key,
        (atemi_number_key){
            .unit = unit, .fallback = fallback, .lower = 0.0, .upper = INFINITY, .help = help});
}

static double read_bounded(atemi_scenario_reader *reader, const char *key, const char *unit,
                           double fallback, const char *help)
{
    return atemi_scenario_number(reader, key,
                                 (atemi_number_key){.unit = unit,
                                                    .fallback = fallback,
                                                    .lower = 0.0,
                                                    .upper = INFINITY,
                                                    .infinite = true,
                                                    .help = help});
}

static void read_body(atemi_scenario_reader *reader, control_person *person, atemi_soft_body *body)
{
    const body_region region = regions[atemi_scenario_choice(
        reader, "region",
        (atemi_choice_key){.words = region_words,
                           .help = "part of the body that gives stiffness and mass"})];
    person->skin.spring.stiffness =
        read_figure(reader, "stiffness", "N/m", region.stiffness,
                    "of the body, for contacts without a compliance; 0: none");
    person->skin.spring.damping = read_figure(reader, "damping", "N s/m", 0.0, "likewise");
    person->skin.law = atemi_compliance_kelvin_voigt(&person->skin.spring);
    person->has_skin = person->skin.spring.stiffness > 0.0;
    body->mass = atemi_scenario_number(
        reader, "mass",
        (atemi_number_key){.unit = "kg",
                           .fallback = region.mass,
                           .lower = 0.0,
                           .upper = INFINITY,
                           .open = true,
                           .infinite = true,
                           .help = "behind the stiffness, which contacts move; inf: does not"});
    body->clearance = read_bounded(reader, "clearance", "m", 0.05,
                                   "that it gives way before it is clamped; 0: clamped, inf: free");
}

static void read_limits(atemi_scenario_reader *reader, control_person *person)
{
    person->force_limit =
        read_bounded(reader, "force_limit", "N", INFINITY, "of a contact that presses; inf: none");
    person->transient_limit =
        read_bounded(reader, "transient_limit", "N", 2.0 * person->force_limit,
                     "of a contact that has just begun; twice the force_limit by default");
    person->transient_time =
        read_figure(reader, "transient_time", "s", 0.5, "of contact, after which it presses");
}

static void check_single(atemi_scenario_reader *reader, const control_people *people, int index)
{
    for (int i = 0; i < index; ++i) {
        if (people->people[i].surface == people->people[index].surface) {
            atemi_scenario_fail(reader, atemi_scenario_last(reader),
                                "'%s' is a person already; give this one a surface of its own",
                                people->persons[i].name);
        }
    }
}

static void read_person(atemi_scenario_reader *reader, const atemi_scenario_surfaces *surfaces,
                        control_people *people, int index)
{
    control_person      *person = &people->persons[index];
    atemi_timed_surface *timed = &people->people[index];
    person->name = atemi_scenario_string(
        reader, "surface",
        (atemi_string_key){.required = true, .help = "that is there only then, by name"});
    if (!atemi_scenario_is_blank(reader)) {
        timed->surface =
            atemi_scenario_pick(reader, atemi_scenario_surface_names(surfaces), person->name);
        people->bodies[index].surface = timed->surface;
        check_single(reader, people, index);
    }
    person->mark = read_times(reader, false, &timed->from, &timed->until);
    read_body(reader, person, &people->bodies[index]);
    read_limits(reader, person);
}

static void read_persons(atemi_scenario_reader *reader, const atemi_scenario_surfaces *surfaces,
                         control_people *people)
{
    const int count = atemi_scenario_enter_list(reader, "people", 0, MAX_PEOPLE,
                                                "surfaces that are people, or there for a time");
    people->persons =
        (control_person *)atemi_scenario_allocate(reader, sizeof *people->persons, count);
    people->people =
        (atemi_timed_surface *)atemi_scenario_allocate(reader, sizeof *people->people, count);
    people->bodies =
        (atemi_soft_body *)atemi_scenario_allocate(reader, sizeof *people->bodies, count);
    while (atemi_scenario_next(reader)) {
        if (people->persons && people->people && people->bodies) {
            read_person(reader, surfaces, people, people->person_count++);
        }
    }
}

static void give_skins(const control_people *people, atemi_scenario_contacts *contacts)
{
    for (int i = 0; i < contacts->count; ++i) {
        atemi_simulation_point *point = &contacts->points[i];
        for (int k = 0; k < people->person_count && !point->compliance; ++k) {
            if (people->people[k].surface == point->surface && people->persons[k].has_skin) {
                point->compliance = &people->persons[k].skin.law;
            }
        }
    }
}

// ---- Those who lead it ----------------------------------------------------------------------

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
    return read_times(reader, true, &hand->from, &hand->until);
}

static void read_hands(atemi_scenario_reader *reader, const atemi_model *model,
                       control_people *people)
{
    const int count = atemi_scenario_enter_list(reader, "hands", 0, CONTROL_MAX_HANDS,
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

void atemi_control_read_people(atemi_scenario_reader *reader, const atemi_model *model,
                               const atemi_scenario_surfaces *surfaces,
                               atemi_scenario_contacts *contacts, control_people *people)
{
    *people = (control_people){0};
    read_persons(reader, surfaces, people);
    give_skins(people, contacts);
    read_hands(reader, model, people);
}

void atemi_control_check_people(atemi_scenario_reader *reader, const control_people *people,
                                double end)
{
    for (int i = 0; i < people->person_count; ++i) {
        const atemi_timed_surface *person = &people->people[i];
        atemi_scenario_check_times(reader, people->persons[i].mark, "the person", person->from,
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
    atemi_release(people->persons);
    atemi_release(people->people);
    atemi_release(people->bodies);
    atemi_release(people->hands);
    atemi_release(people->hand_marks);
    *people = (control_people){0};
}
