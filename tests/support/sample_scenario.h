// SPDX-License-Identifier: Apache-2.0

/// @file
/// A scenario with every kind of key, for the tests and the fuzzer of the reader.

#pragma once

#include "io/scenario/scenario_reader.h"

#include <math.h>
#include <string.h>

enum { SAMPLE_MOST = 4, SAMPLE_JOINTS = 3 };

typedef struct sample_contact {
    const char *link;
    atemi_vec3  point;
    double      friction;
} sample_contact;

typedef struct sample_torque {
    const char *joint;
    double      amplitude, frequency;
} sample_torque;

typedef struct sample_scenario {
    const char    *robot, *title;
    double         duration, speed, effort;
    int            steps, law;
    bool           exact;
    atemi_vec3     gravity;
    double         corners[SAMPLE_MOST];
    int            corner_count;
    double         posture[SAMPLE_JOINTS];
    double         stiffness[SAMPLE_JOINTS];
    double         damping_ratio;
    bool           has_target;
    double         target_mass;
    sample_contact contacts[SAMPLE_MOST];
    int            contact_count;
    const char    *grounded[SAMPLE_MOST];
    int            grounded_count;
    sample_torque  torques[SAMPLE_MOST];
    int            torque_count;
    double         table[SAMPLE_MOST][2];
    int            table_count;
} sample_scenario;

static inline const char *sample_joint(const void *collection, int index)
{
    static const char *const joints[SAMPLE_JOINTS] = {"hip", "knee", "ankle"};
    (void)collection;
    return joints[index];
}

static inline atemi_scenario_names sample_joints(void)
{
    return (atemi_scenario_names){.noun = "joint", .count = SAMPLE_JOINTS, .name = sample_joint};
}

static inline void sample_read_values(atemi_scenario_reader *reader, sample_scenario *sample)
{
    static const char *const laws[] = {"spring", "kelvin_voigt", "hunt_crossley", NULL};
    sample->robot = atemi_scenario_string(
        reader, "robot", (atemi_string_key){.required = true, .help = "name or file of a robot"});
    sample->title = atemi_scenario_string(reader, "title", (atemi_string_key){.help = "of plots"});
    sample->duration = atemi_scenario_number(reader, "duration",
                                             (atemi_number_key){.unit = "s",
                                                                .fallback = 1.0,
                                                                .lower = 0.0,
                                                                .upper = INFINITY,
                                                                .open = true,
                                                                .help = "how long to simulate"});
    sample->speed = atemi_scenario_number(
        reader, "speed",
        (atemi_number_key){.unit = "m/s", .fallback = 0.4, .lower = 0.1, .upper = 2.5});
    sample->effort = atemi_scenario_number(reader, "effort",
                                           (atemi_number_key){.unit = "N m",
                                                              .fallback = INFINITY,
                                                              .lower = 0.0,
                                                              .upper = INFINITY,
                                                              .infinite = true,
                                                              .help = "limit of all joints"});
    sample->steps = atemi_scenario_integer(
        reader, "steps", (atemi_integer_key){.fallback = 10, .lower = 1, .upper = 1000});
    sample->exact =
        atemi_scenario_boolean(reader, "exact", (atemi_boolean_key){.fallback = true, .help = "?"});
    sample->law = atemi_scenario_choice(
        reader, "law", (atemi_choice_key){.words = laws, .fallback = 1, .help = "of contact"});
    sample->gravity = atemi_scenario_vec3(
        reader, "gravity", (atemi_vec3_key){.unit = "m/s^2", .fallback = {0.0, 0.0, -9.81}});
    sample->corners[0] = 0.5;
    sample->corner_count = atemi_scenario_numbers(
        reader, "corners",
        (atemi_numbers_key){.each = {.unit = "m"}, .least = 1, .most = 4, .fallback_count = 1},
        sample->corners);
}

static inline void sample_read_joints(atemi_scenario_reader *reader, sample_scenario *sample)
{
    sample->posture[1] = 0.8;
    atemi_scenario_numbers_by_name(
        reader, "posture",
        (atemi_number_key){.unit = "rad", .lower = -4.0, .upper = 4.0, .help = "at the beginning"},
        sample_joints(), sample->posture);
    if (atemi_scenario_enter(reader, "servo", ATEMI_DEFAULTED, "holds the posture")) {
        for (int i = 0; i < SAMPLE_JOINTS; ++i) {
            sample->stiffness[i] = 100.0;
        }
        atemi_scenario_numbers_by_name(
            reader, "stiffness",
            (atemi_number_key){.unit = "N m/rad", .lower = 0.0, .upper = INFINITY}, sample_joints(),
            sample->stiffness);
        sample->damping_ratio =
            atemi_scenario_number(reader, "damping_ratio", (atemi_number_key){.fallback = 0.7});
        atemi_scenario_leave(reader);
    }
    if (atemi_scenario_enter(reader, "target", ATEMI_OPTIONAL, "what is hit")) {
        sample->has_target = true;
        sample->target_mass = atemi_scenario_number(reader, "mass",
                                                    (atemi_number_key){.unit = "kg",
                                                                       .lower = 0.0,
                                                                       .upper = INFINITY,
                                                                       .open = true,
                                                                       .required = true,
                                                                       .help = "of the target"});
        atemi_scenario_leave(reader);
    }
}

static inline void sample_read_contact(atemi_scenario_reader *reader, sample_contact *contact)
{
    contact->link = atemi_scenario_string(
        reader, "link", (atemi_string_key){.required = true, .help = "the link that touches"});
    contact->point = atemi_scenario_vec3(reader, "point", (atemi_vec3_key){.unit = "m"});
    contact->friction = atemi_scenario_number(
        reader, "friction",
        (atemi_number_key){
            .fallback = 0.8, .lower = 0.0, .upper = INFINITY, .help = "of the floor"});
}

static inline void sample_read_torque(atemi_scenario_reader *reader, sample_torque *torque)
{
    const atemi_number_key amplitude = {.unit = "N m", .required = true};
    torque->joint = atemi_scenario_name(reader);
    if (atemi_scenario_look(reader, NULL) == ATEMI_SCENARIO_VALUE) {
        torque->amplitude = atemi_scenario_number(reader, NULL, amplitude);
        return;
    }
    torque->amplitude = atemi_scenario_number(reader, "amplitude", amplitude);
    torque->frequency =
        atemi_scenario_number(reader, "frequency", (atemi_number_key){.unit = "Hz"});
}

static inline void sample_read_lists(atemi_scenario_reader *reader, sample_scenario *sample)
{
    sample->contact_count =
        atemi_scenario_enter_list(reader, "contacts", 0, SAMPLE_MOST, "what touches the floor");
    for (int i = 0; atemi_scenario_next(reader); ++i) {
        sample_read_contact(reader, &sample->contacts[i]);
    }
    sample->grounded_count =
        atemi_scenario_enter_list(reader, "grounded", 0, SAMPLE_MOST, "links that cannot move");
    for (int i = 0; atemi_scenario_next(reader); ++i) {
        sample->grounded[i] =
            atemi_scenario_string(reader, NULL, (atemi_string_key){.required = true});
    }
    sample->torque_count =
        atemi_scenario_enter_names(reader, "torques", 0, SAMPLE_MOST, "of the joints");
    for (int i = 0; atemi_scenario_next(reader); ++i) {
        sample_read_torque(reader, &sample->torques[i]);
    }
    sample->table_count = atemi_scenario_enter_list(reader, "table", 0, SAMPLE_MOST, "of heights");
    for (int i = 0; atemi_scenario_next(reader); ++i) {
        atemi_scenario_numbers(
            reader, NULL,
            (atemi_numbers_key){.each = {.unit = "m", .required = true}, .least = 2, .most = 2},
            sample->table[i]);
    }
}

/// Reads it. Strings live as long as the reader.
static inline atemi_status sample_read(atemi_scenario_reader *reader, sample_scenario *sample,
                                       atemi_error *error)
{
    memset(sample, 0, sizeof *sample);
    sample_read_values(reader, sample);
    sample_read_joints(reader, sample);
    sample_read_lists(reader, sample);
    return atemi_scenario_finish(reader, error);
}
