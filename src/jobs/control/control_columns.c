// SPDX-License-Identifier: Apache-2.0

#include "jobs/control/control_columns.h"

#include "jobs/control/control_stance.h"
#include "simulate/driven/standing_ground.h"

#include <math.h>
#include <stdio.h>

// ---- Where values come from -------------------------------------------------------------------

static const control_columns *of(const void *row)
{
    return (const control_columns *)row;
}

static const atemi_whole_body_plant *plant_of(const void *row)
{
    return of(row)->session->plant;
}

static const atemi_model *model_of(const void *row)
{
    return of(row)->scenario->robot.model;
}

static double time_now(const void *row, int owner)
{
    (void)owner;
    return atemi_whole_body_plant_time(plant_of(row));
}

static const double *motion(const void *row, atemi_column_quantity quantity)
{
    const atemi_whole_body_plant *plant = plant_of(row);
    switch (quantity) {
    case ATEMI_COLUMN_Q:
        return atemi_whole_body_plant_q(plant);
    case ATEMI_COLUMN_V:
        return atemi_whole_body_plant_v(plant);
    case ATEMI_COLUMN_A:
        return atemi_whole_body_plant_a(plant);
    case ATEMI_COLUMN_TAU:
        break;
    }
    return atemi_whole_body_plant_tau(plant);
}

static int joint_count(const void *row)
{
    return atemi_control_joint_count(model_of(row));
}

static bool joint_name(const void *row, int i, char name[ATEMI_COLUMN_OWNER])
{
    snprintf(name, ATEMI_COLUMN_OWNER, "%s", atemi_control_joint(model_of(row), i)->name);
    return true;
}

// Before the first tick nothing is commanded.
static bool has_ticked(const void *row)
{
    return time_now(row, 0) > 0.0;
}

static double target(const void *row, int i)
{
    return has_ticked(row) ? atemi_control_loop_commands(of(row)->session->loop)[i].position
                           : (double)NAN;
}

static double demand(const void *row, int i)
{
    return has_ticked(row) ? atemi_control_loop_outputs(of(row)->session->loop)[i].torque_demand
                           : (double)NAN;
}

static double feedback(const void *row, int i)
{
    return has_ticked(row) ? atemi_control_loop_outputs(of(row)->session->loop)[i].feedback_torque
                           : (double)NAN;
}

static double limit(const void *row, int i)
{
    return has_ticked(row) ? atemi_control_loop_commands(of(row)->session->loop)[i].feedback_limit
                           : (double)NAN;
}

static double stiffness(const void *row, int i)
{
    return has_ticked(row) ? atemi_control_loop_commands(of(row)->session->loop)[i].stiffness
                           : (double)NAN;
}

static double current(const void *row, int i)
{
    return atemi_whole_body_plant_joint(plant_of(row), i)->current;
}

// Corners of soles are contacts as well, behind those of the scenario.
static int contact_count(const void *row)
{
    const control_holds *holds = &of(row)->scenario->holds;
    return of(row)->scenario->contacts.count +
           atemi_standing_corner_count(holds->contacts, holds->contact_count);
}

// The name of corner i of all.
static void name_corner(const void *row, int i, char name[ATEMI_COLUMN_OWNER])
{
    const control_holds *holds = &of(row)->scenario->holds;
    int                  contact = 0;
    while (i >= atemi_standing_corner_count(&holds->contacts[contact], 1)) {
        i -= atemi_standing_corner_count(&holds->contacts[contact++], 1);
    }
    snprintf(name, ATEMI_COLUMN_OWNER, "%.200s.sole%d.%d",
             atemi_model_link(model_of(row), holds->contacts[contact].link)->name, contact, i);
}

static bool contact_name(const void *row, int i, char name[ATEMI_COLUMN_OWNER])
{
    const int own = of(row)->scenario->contacts.count;
    if (i < own) {
        return atemi_columns_contact_owner(&of(row)->scenario->contacts, i, name);
    }
    name_corner(row, i - own, name);
    return true;
}

static atemi_column_contact contact(const void *row, int i)
{
    const int         own = of(row)->scenario->contacts.count;
    const atemi_touch touch = i < own ? atemi_whole_body_plant_touch(plant_of(row), i)
                                      : atemi_whole_body_plant_ground(plant_of(row), i - own);
    const bool        touches = atemi_vec3_norm(touch.force) > 0.0;
    return (atemi_column_contact){touch.position, touch.force,
                                  touches ? ATEMI_CONTACT_SOFT : ATEMI_CONTACT_OPEN, touch.gap};
}

static int hold_count(const void *row)
{
    return of(row)->hold_count;
}

static bool hold_name(const void *row, int i, char name[ATEMI_COLUMN_OWNER])
{
    snprintf(name, ATEMI_COLUMN_OWNER, "%s",
             atemi_model_link(model_of(row), of(row)->holds[i])->name);
    return true;
}

static atemi_force hold(const void *row, int i)
{
    return atemi_whole_body_plant_hold_force(plant_of(row), of(row)->holds[i]);
}

static int sole_count(const void *row)
{
    return of(row)->scenario->holds.contact_count;
}

static bool sole_name(const void *row, int i, char name[ATEMI_COLUMN_OWNER])
{
    snprintf(name, ATEMI_COLUMN_OWNER, "%s",
             atemi_model_link(model_of(row), of(row)->scenario->holds.contacts[i].link)->name);
    return true;
}

static double sole_push(const void *row, int i)
{
    return atemi_control_pressure(of(row)->session, i).push;
}

static double sole_x(const void *row, int i)
{
    return atemi_control_pressure(of(row)->session, i).x;
}

static double sole_y(const void *row, int i)
{
    return atemi_control_pressure(of(row)->session, i).y;
}

static double sole_planned(const void *row, int i)
{
    return has_ticked(row)
               ? atemi_coordination_contact_wrench(of(row)->session->coordination, i).linear.z
               : (double)NAN;
}

static int hand_count(const void *row)
{
    return of(row)->scenario->people.hand_count;
}

static bool hand_name(const void *row, int i, char name[ATEMI_COLUMN_OWNER])
{
    (void)row;
    snprintf(name, ATEMI_COLUMN_OWNER, "%d", i);
    return true;
}

static atemi_vec3 hand_force(const void *row, int i)
{
    return atemi_whole_body_plant_pull_force(plant_of(row), i).linear;
}

static int person_count(const void *row)
{
    return of(row)->scenario->people.person_count;
}

static bool person_name(const void *row, int i, char name[ATEMI_COLUMN_OWNER])
{
    snprintf(name, ATEMI_COLUMN_OWNER, "%s", of(row)->scenario->people.persons[i].name);
    return true;
}

static double person_force(const void *row, int i)
{
    return atemi_vec3_norm(atemi_whole_body_plant_body(plant_of(row), i).force);
}

static double person_moved(const void *row, int i)
{
    return atemi_vec3_norm(atemi_whole_body_plant_body(plant_of(row), i).position);
}

static double offload(const void *row, int owner)
{
    (void)owner;
    return atemi_control_loop_offload_now(of(row)->session->loop);
}

static double feedback_energy(const void *row, int owner)
{
    (void)owner;
    return atemi_coordination_report_get(of(row)->session->coordination).energy;
}

// ---- The columns ------------------------------------------------------------------------------

static const atemi_column times[] = {{.name = "t", .unit = "s", .help = "time", .get = time_now}};

static const atemi_column targets[] = {
    {.name = "", .unit = "rad", .help = "commanded position of a joint", .get = target}};

static const atemi_column demands[] = {
    {.name = "", .unit = "N m", .help = "torque that the control asks for", .get = demand}};

static const atemi_column feedbacks[] = {
    {.name = "", .unit = "N m", .help = "torque of the feedback", .get = feedback}};

static const atemi_column limits[] = {{.name = "",
                                       .unit = "N m",
                                       .help = "of the feedback torque; absent without one",
                                       .get = limit}};

static const atemi_column stiffnesses[] = {
    {.name = "", .unit = "N m/rad", .help = "of the joint, commanded", .get = stiffness}};

static const atemi_column currents[] = {
    {.name = "", .unit = "A", .help = "of the motor", .get = current}};

static const atemi_column hands[] = {
    {.name = "force", .unit = "N", .help = "of a person's hand, world axes", .vector = hand_force}};

static const atemi_column soles[] = {
    {.name = "push", .unit = "N", .help = "of the ground on what stands", .get = sole_push},
    {.name = "x", .unit = "m", .help = "of the centre of pressure, forwards", .get = sole_x},
    {.name = "y", .unit = "m", .help = "of the centre of pressure, to the left", .get = sole_y}};

static const atemi_column planned[] = {
    {.name = "push", .unit = "N", .help = "of the ground, as commanded", .get = sole_planned}};

static const atemi_column persons[] = {
    {.name = "force", .unit = "N", .help = "that a person feels", .get = person_force},
    {.name = "moved", .unit = "m", .help = "that the person's body gave way", .get = person_moved}};

static const atemi_column wholes[] = {
    {.name = "offload", .help = "fraction of the weight that is taken away", .get = offload},
    {.name = "feedback_energy",
     .unit = "J",
     .help = "that the feedback may still give away",
     .get = feedback_energy}};

#define OF_JOINTS(name, table)                                                                     \
    {.prefix = (name), .columns = (table), .count = 1, .owners = joint_count, .owner = joint_name}

static const atemi_column_group groups[] = {
    {ATEMI_COLUMNS(times)},
    {.model = model_of, .motion = motion},
    OF_JOINTS("target", targets),
    OF_JOINTS("demand", demands),
    OF_JOINTS("feedback", feedbacks),
    OF_JOINTS("limit", limits),
    OF_JOINTS("stiffness", stiffnesses),
    OF_JOINTS("current", currents),
    {.contact = contact, .owners = contact_count, .owner = contact_name},
    {.prefix = "hold", .wrench = hold, .owners = hold_count, .owner = hold_name},
    {.prefix = "sole", ATEMI_COLUMNS(soles), .owners = sole_count, .owner = sole_name},
    {.prefix = "planned", ATEMI_COLUMNS(planned), .owners = sole_count, .owner = sole_name},
    {.prefix = "hand", ATEMI_COLUMNS(hands), .owners = hand_count, .owner = hand_name},
    {.prefix = "person", ATEMI_COLUMNS(persons), .owners = person_count, .owner = person_name},
    {ATEMI_COLUMNS(wholes)}};

const atemi_column_table atemi_control_column_table = {groups, sizeof groups / sizeof *groups};

atemi_status atemi_control_columns_append(control_columns *columns, const control_session *session,
                                          atemi_recording *recording, atemi_error *error)
{
    columns->session = session;
    atemi_columns_fill(&atemi_control_column_table, columns, columns->row);
    return atemi_recording_append(recording, columns->row, error);
}

// ---- Creation -------------------------------------------------------------------------------

static void add_hold(control_columns *columns, int link)
{
    for (int i = 0; i < columns->hold_count; ++i) {
        if (columns->holds[i] == link) {
            return;
        }
    }
    columns->holds[columns->hold_count++] = link;
}

static void find_holds(control_columns *columns)
{
    const control_scenario *s = columns->scenario;
    for (int i = 0; i < s->holds.link_count; ++i) {
        add_hold(columns, s->holds.links[i]);
    }
    for (int i = 0; i < s->tasks.count; ++i) {
        if (s->tasks.tasks[i].action == ATEMI_TASK_GRIP) {
            add_hold(columns, s->tasks.tasks[i].link);
        }
    }
}

static void take(atemi_arena *arena, control_columns *columns)
{
    const int links = atemi_model_link_count(columns->scenario->robot.model);
    columns->holds = atemi_arena_array(arena, int, links);
}

// A recording has an end, which is better reported before a long run.
static atemi_status check_size(const control_columns *columns, atemi_error *error)
{
    const int    most = ATEMI_RECORDING_MAX_VALUES;
    const double rows = columns->scenario->duration / columns->scenario->every + 1.0;
    if (columns->count <= ATEMI_RECORDING_MAX_CHANNELS && rows * columns->count <= most) {
        return ATEMI_OK;
    }
    return atemi_fail(error, ATEMI_ERROR_LIMIT,
                      "%.3g rows of %d numbers are more than a recording holds; give a longer "
                      "record.every, or fewer contacts",
                      rows, columns->count);
}

atemi_status atemi_control_columns_create(const control_scenario *scenario,
                                          control_columns *columns, atemi_recording **recording,
                                          atemi_error *error)
{
    *columns = (control_columns){.scenario = scenario};
    atemi_arena  arena = atemi_arena_measuring();
    const size_t most = (size_t)ATEMI_RECORDING_MAX_CHANNELS * sizeof(double);
    take(&arena, columns);
    const atemi_status status = atemi_arena_create(&columns->arena, arena.used + most, error);
    if (status) {
        return status;
    }
    take(&columns->arena, columns);
    find_holds(columns);
    columns->count = atemi_columns_count(&atemi_control_column_table, columns);
    if (check_size(columns, error)) {
        return ATEMI_ERROR_LIMIT;
    }
    columns->row = atemi_arena_array(&columns->arena, double, columns->count);
    return atemi_columns_create(&atemi_control_column_table, columns, recording, error);
}

void atemi_control_columns_destroy(control_columns *columns)
{
    atemi_arena_destroy(&columns->arena);
}
