// SPDX-License-Identifier: Apache-2.0

#include "jobs/walk/walk_robot.h"

#include "io/scenario/scenario_pick.h"

#include <math.h>

static const char *const bases[] = {"sagittal", "floating", NULL};

static const double steepest = 0.175; // rad, 10 degrees

static atemi_vec3 read_gravity(atemi_scenario_reader *reader, bool level)
{
    const double gravity = atemi_scenario_number(
        reader, "gravity",
        (atemi_number_key){.unit = "m/s^2",
                           .fallback = 9.81,
                           .lower = 0.1,
                           .upper = 100.0,
                           .reason = "from a large asteroid to four times Jupiter",
                           .help = "how strong"});
    if (level) {
        return (atemi_vec3){0.0, 0.0, -gravity};
    }
    const double slope = atemi_scenario_number(
        reader, "slope",
        (atemi_number_key){.unit = "rad",
                           .lower = -steepest,
                           .upper = steepest,
                           .reason = "10 degrees: the gait knows no steeper floor",
                           .help = "of the floor, up where positive; x runs along it"});
    return (atemi_vec3){-gravity * sin(slope), 0.0, -gravity * cos(slope)};
}

bool atemi_walk_read_robot(atemi_scenario_reader *reader, const char *file,
                           atemi_scenario_robot *robot, atemi_scenario_mark *mark)
{
    atemi_urdf_options options = atemi_urdf_options_default();
    *robot = (atemi_scenario_robot){0};
    const char *name = atemi_scenario_string(
        reader, "robot",
        (atemi_string_key){.fallback = "humanoid17",
                           .help = "a shipped robot, or the path of a URDF or MJCF file (with '/', "
                                   "'.urdf' or '.xml') from here"});
    *mark = atemi_scenario_last(reader);
    const bool floats = atemi_scenario_choice(
                            reader, "base",
                            (atemi_choice_key){.words = bases,
                                               .help = "sagittal: in the plane, with heels and "
                                                       "toes; floating: in three dimensions"}) == 1;
    options.model.base = floats ? ATEMI_BASE_FLOATING : ATEMI_BASE_SAGITTAL;
    options.model.gravity = read_gravity(reader, floats);
    if (!atemi_scenario_failed(reader) && !atemi_scenario_is_blank(reader)) {
        atemi_scenario_load_robot(reader, *mark, file, name, &options, robot);
    }
    return floats;
}
