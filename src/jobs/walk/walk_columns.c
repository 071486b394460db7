// SPDX-License-Identifier: Apache-2.0

#include "jobs/walk/walk_log.h"

#include <stdio.h>

// The columns of a walk, each once: name, unit, help and where its value comes from.

static const char *const point_names[ATEMI_WALKING_POINTS] = {"left_heel", "left_toe", "right_heel",
                                                              "right_toe"};

// ---- Where values come from

static const atemi_walk_log *of(const void *row)
{
    return (const atemi_walk_log *)row;
}

static const atemi_model *model_of(const void *row)
{
    return of(row)->scenario->robot.model;
}

static const atemi_simulation *simulation_of(const void *row)
{
    return atemi_walk_simulation(of(row)->walk);
}

static double time_now(const void *row, int owner)
{
    (void)owner;
    return atemi_simulation_time(simulation_of(row));
}

static const double *motion(const void *row, atemi_column_quantity quantity)
{
    return atemi_columns_of_simulation(simulation_of(row), quantity);
}

static int point_count(const void *row)
{
    (void)row;
    return ATEMI_WALKING_POINTS;
}

static bool point_name(const void *row, int i, char name[ATEMI_COLUMN_OWNER])
{
    (void)row;
    snprintf(name, ATEMI_COLUMN_OWNER, "%s", atemi_walk_point_name(i));
    return true;
}

static atemi_column_contact contact(const void *row, int i)
{
    const atemi_simulation *simulation = simulation_of(row);
    return (atemi_column_contact){
        atemi_simulation_position(simulation, i), atemi_simulation_force(simulation, i),
        atemi_simulation_mode(simulation, i), atemi_simulation_gap(simulation, i)};
}

static double support(const void *row, int owner)
{
    (void)owner;
    return atemi_walk_gait(of(row)->walk)->support;
}

static double left_state(const void *row, int owner)
{
    (void)owner;
    return atemi_walk_gait(of(row)->walk)->states[ATEMI_LEFT];
}

static double right_state(const void *row, int owner)
{
    (void)owner;
    return atemi_walk_gait(of(row)->walk)->states[ATEMI_RIGHT];
}

static double pressure(const void *row, int owner)
{
    (void)owner;
    return of(row)->state.pressure;
}

static double capture(const void *row, int owner)
{
    (void)owner;
    return of(row)->state.capture;
}

static double foothold(const void *row, int owner)
{
    (void)owner;
    return of(row)->state.foothold;
}

static double step_length(const void *row, int owner)
{
    (void)owner;
    return of(row)->state.step_length;
}

static double felt_friction(const void *row, int owner)
{
    (void)owner;
    return of(row)->state.felt;
}

// ---- Labels

static const char *foot_label(int value)
{
    static const char *const feet[] = {"left", "right"};
    return value >= 0 && value < ATEMI_FEET ? feet[value] : NULL;
}

static const char *state_label(int value)
{
    return value >= 0 && value < ATEMI_FOOT_STATES ? atemi_foot_state_text((atemi_foot_state)value)
                                                   : NULL;
}

// ---- The columns

static const atemi_column times[] = {{.name = "t", .unit = "s", .help = "time", .get = time_now}};

static const atemi_column gaits[] = {
    {.name = "support", .help = "the support foot", .get = support, .label = foot_label},
    {.name = "left", .help = "state of the left foot", .get = left_state, .label = state_label},
    {.name = "right", .help = "state of the right foot", .get = right_state, .label = state_label}};

static const atemi_column walks[] = {
    {.name = "pressure",
     .unit = "m",
     .help = "where the controller wants the center of pressure, x",
     .get = pressure},
    {.name = "capture", .unit = "m", .help = "the capture point, x", .get = capture},
    {.name = "foothold",
     .unit = "m",
     .help = "where the swinging foot shall land, x",
     .get = foothold},
    {.name = "step_length",
     .unit = "m",
     .help = "that the controller strives for",
     .get = step_length},
    {.name = "felt_friction", .help = "of the floor, as felt in slides", .get = felt_friction}};

static const atemi_column_group groups[] = {
    {ATEMI_COLUMNS(times)},
    {.model = model_of, .motion = motion},
    {.contact = contact, .owners = point_count, .owner = point_name},
    {.prefix = "gait", ATEMI_COLUMNS(gaits)},
    {.prefix = "walk", ATEMI_COLUMNS(walks)}};

const atemi_column_table atemi_walk_column_table = {groups, sizeof groups / sizeof *groups};

const char *atemi_walk_point_name(int point)
{
    return point_names[point];
}
