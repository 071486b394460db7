// SPDX-License-Identifier: Apache-2.0

#include "jobs/walk/walk_log.h"

#include <stdio.h>

// The columns of a walk, each once: name, unit, help and where its value comes from.

static const char *const point_names[ATEMI_WALKING_POINTS] = {"left_heel", "left_toe", "right_heel",
                                                              "right_toe"};
// Counter-clockwise from the front on the left.
static const char *const corner_names[ATEMI_BIPED_POINTS] = {
    "right_front_left", "right_back_left", "right_back_right", "right_front_right",
    "left_front_left",  "left_back_left",  "left_back_right",  "left_front_right"};

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
    const atemi_walk_log *log = of(row);
    return log->biped ? atemi_biped_walk_simulation(log->biped) : atemi_walk_simulation(log->walk);
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

static bool is_planar(const void *row)
{
    return !of(row)->scenario->floats;
}

static bool is_biped(const void *row)
{
    return of(row)->scenario->floats;
}

static int point_count(const void *row)
{
    return is_biped(row) ? ATEMI_BIPED_POINTS : ATEMI_WALKING_POINTS;
}

static bool point_name(const void *row, int i, char name[ATEMI_COLUMN_OWNER])
{
    snprintf(name, ATEMI_COLUMN_OWNER, "%s",
             is_biped(row) ? corner_names[i] : atemi_walk_point_name(i));
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

static atemi_biped_state state_of(const void *row)
{
    return atemi_biped_state_get(atemi_biped_walk_controller(of(row)->biped));
}

static double biped_support(const void *row, int owner)
{
    (void)owner;
    return state_of(row).support;
}

static double biped_phase(const void *row, int owner)
{
    (void)owner;
    return state_of(row).phase;
}

static double biped_left(const void *row, int owner)
{
    (void)owner;
    return atemi_biped_walk_foot(of(row)->biped, ATEMI_SIDE_LEFT);
}

static double biped_right(const void *row, int owner)
{
    (void)owner;
    return atemi_biped_walk_foot(of(row)->biped, ATEMI_SIDE_RIGHT);
}

static double biped_step_time(const void *row, int owner)
{
    (void)owner;
    return state_of(row).step_time;
}

static atemi_vec3 biped_capture(const void *row, int owner)
{
    (void)owner;
    return state_of(row).capture;
}

static atemi_vec3 biped_pressure(const void *row, int owner)
{
    (void)owner;
    return state_of(row).pressure;
}

static atemi_vec3 biped_foothold(const void *row, int owner)
{
    (void)owner;
    return state_of(row).foothold;
}

// ---- Labels

static const char *side_label(int value)
{
    static const char *const sides[] = {"right", "left"};
    return value >= 0 && value < ATEMI_SIDES ? sides[value] : NULL;
}

static const char *phase_label(int value)
{
    static const char *const phases[] = {"stands", "passes", "swings"};
    return value >= 0 && value <= ATEMI_BIPED_SWINGS ? phases[value] : NULL;
}

static const char *sole_label(int value)
{
    return value >= 0 && value < ATEMI_SOLE_STATES ? atemi_sole_state_text((atemi_sole_state)value)
                                                   : NULL;
}

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

static const atemi_column strides[] = {
    {.name = "support",
     .help = "the foot that landed last",
     .get = biped_support,
     .label = side_label},
    {.name = "phase", .help = "of the gait", .get = biped_phase, .label = phase_label},
    {.name = "left", .help = "state of the left foot", .get = biped_left, .label = sole_label},
    {.name = "right", .help = "state of the right foot", .get = biped_right, .label = sole_label},
    {.name = "step_time", .unit = "s", .help = "of the step under way", .get = biped_step_time},
    {.name = "capture",
     .unit = "m",
     .help = "the divergent component of motion",
     .vector = biped_capture},
    {.name = "pressure",
     .unit = "m",
     .help = "where the controller wants the center of pressure",
     .vector = biped_pressure},
    {.name = "foothold",
     .unit = "m",
     .help = "where the middle of the swinging sole shall land",
     .vector = biped_foothold}};

static const atemi_column_group groups[] = {
    {ATEMI_COLUMNS(times)},
    {.model = model_of, .motion = motion},
    {.contact = contact, .owners = point_count, .owner = point_name},
    {.prefix = "gait", ATEMI_COLUMNS(gaits), .has = is_planar},
    {.prefix = "walk", ATEMI_COLUMNS(walks), .has = is_planar},
    {.prefix = "stride", ATEMI_COLUMNS(strides), .has = is_biped}};

const atemi_column_table atemi_walk_column_table = {groups, sizeof groups / sizeof *groups};

const char *atemi_walk_point_name(int point)
{
    return point_names[point];
}
