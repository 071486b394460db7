// SPDX-License-Identifier: Apache-2.0

#include "jobs/control/control_rails.h"

#include "atemi/base.h"
#include "atemi/math.h"
#include "io/scenario/scenario_failure.h"

#include <math.h>

enum { MAX_RAILS = 100 };

static atemi_vec3 read_vector(atemi_scenario_reader *reader, const char *key, const char *unit,
                              const char *help)
{
    return atemi_scenario_vec3(reader, key, (atemi_vec3_key){.unit = unit, .help = help});
}

static atemi_vec3 read_renamed(atemi_scenario_reader *reader, const char *key, const char *old,
                               const char *unit, const char *help)
{
    atemi_scenario_alias(reader, key, old);
    return read_vector(reader, key, unit, help);
}

// The rail is off where it is believed to be, as the gripper sees it there.
static void read_rail(atemi_scenario_reader *reader, atemi_transform *believed,
                      atemi_transform *pose)
{
    const atemi_vec3 position =
        read_vector(reader, "position", "m", "of a gripper that is closed on it");
    const atemi_vec3 rpy = read_vector(reader, "rpy", "rad", "of that gripper");
    const atemi_vec3 off =
        read_renamed(reader, "position_error", "off", "m",
                     "from where it is believed to be to where it is, the gripper's axes");
    const atemi_vec3 turned =
        read_renamed(reader, "rotation_error", "turned", "rad", "likewise, a rotation vector");
    const atemi_transform error = {atemi_quaternion_matrix(atemi_quaternion_exp(turned)), off};
    *believed = (atemi_transform){atemi_mat3_from_rpy(rpy.x, rpy.y, rpy.z), position};
    *pose = atemi_transform_compose(believed, &error);
}

static void read_jaw(atemi_scenario_reader *reader, const char *key, const char *unit,
                     const char *help, double *value)
{
    *value = atemi_scenario_number(reader, key,
                                   (atemi_number_key){.unit = unit,
                                                      .fallback = *value,
                                                      .lower = 0.0,
                                                      .upper = INFINITY,
                                                      .open = true,
                                                      .help = help});
}

static void read_jaws(atemi_scenario_reader *reader, atemi_jaws *jaws)
{
    *jaws = atemi_jaws_default();
    if (!atemi_scenario_enter(reader, "jaws", ATEMI_DEFAULTED, "how a gripper closes")) {
        return;
    }
    read_jaw(reader, "force", "N", "at most", &jaws->force_limit);
    read_jaw(reader, "moment", "N m", "at most", &jaws->moment_limit);
    read_jaw(reader, "stiffness", "N/m", "of the pull towards the rail", &jaws->stiffness);
    atemi_scenario_alias(reader, "rotational_stiffness", "turn_stiffness");
    read_jaw(reader, "rotational_stiffness", "N m/rad", "likewise", &jaws->rotation_stiffness);
    read_jaw(reader, "within", "s", "they lock, or give up", &jaws->time_limit);
    read_jaw(reader, "distance", "m", "that may be left when they lock", &jaws->distance);
    atemi_scenario_alias(reader, "rotation", "turn");
    read_jaw(reader, "rotation", "rad", "that may be left when they lock", &jaws->rotation);
    atemi_scenario_leave(reader);
}

void atemi_control_read_rails(atemi_scenario_reader *reader, control_rails *rails)
{
    const int given = atemi_scenario_enter_names(reader, "rails", 0, MAX_RAILS,
                                                 "what grippers close on, by names of your own");
    *rails = (control_rails){0};
    rails->names = (const char **)atemi_scenario_allocate(reader, sizeof *rails->names, given);
    rails->believed =
        (atemi_transform *)atemi_scenario_allocate(reader, sizeof *rails->believed, given);
    rails->poses = (atemi_transform *)atemi_scenario_allocate(reader, sizeof *rails->poses, given);
    while (atemi_scenario_next(reader)) {
        if (rails->names && rails->believed && rails->poses) {
            const int i = rails->count++;
            rails->names[i] = atemi_scenario_name(reader);
            read_rail(reader, &rails->believed[i], &rails->poses[i]);
        }
    }
    read_jaws(reader, &rails->jaws);
}

static const char *name_at(const void *rails, int index)
{
    return ((const control_rails *)rails)->names[index];
}

atemi_scenario_names atemi_control_rail_names(const control_rails *rails)
{
    return (atemi_scenario_names){"rail", rails->count, name_at, rails, NULL};
}

void atemi_control_rails_destroy(control_rails *rails)
{
    atemi_release((void *)rails->names);
    atemi_release(rails->believed);
    atemi_release(rails->poses);
    *rails = (control_rails){0};
}
