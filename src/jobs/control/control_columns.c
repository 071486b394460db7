// SPDX-License-Identifier: Apache-2.0

#include "jobs/control/control_columns.h"

#include "jobs/columns.h"
#include "jobs/row.h"

#include <math.h>
#include <stdio.h>

// The columns are named and filled in the same order, by the two parts of this file.

enum { PREFIX_SIZE = 300 };

// ---- Names ----------------------------------------------------------------------------------

static void add_joints(atemi_column_list *list, const atemi_model *model)
{
    static const char *const groups[][2] = {{"target", "rad"},        {"demand", "N m"},
                                            {"feedback", "N m"},      {"limit", "N m"},
                                            {"stiffness", "N m/rad"}, {"current", "A"}};
    for (size_t g = 0; g < sizeof groups / sizeof *groups; ++g) {
        for (int i = 0; i < atemi_control_joint_count(model); ++i) {
            atemi_columns_add(list, groups[g][1], "%s.%s", groups[g][0],
                              atemi_control_joint(model, i)->name);
        }
    }
}

static void add_wrench(atemi_column_list *list, const char *group, const char *name)
{
    char prefix[PREFIX_SIZE];
    snprintf(prefix, sizeof prefix, "%s.%s.", group, name);
    atemi_columns_add_vector(list, "N", prefix, "force");
    atemi_columns_add_vector(list, "N m", prefix, "moment");
}

static void add_all(atemi_column_list *list, const void *context)
{
    const control_columns  *columns = (const control_columns *)context;
    const control_scenario *s = columns->scenario;
    atemi_columns_add(list, "s", "t");
    atemi_columns_add_motion(list, s->robot.model);
    add_joints(list, s->robot.model);
    atemi_columns_add_contacts(list, &s->contacts);
    for (int i = 0; i < columns->hold_count; ++i) {
        add_wrench(list, "hold", atemi_model_link(s->robot.model, columns->holds[i])->name);
    }
    for (int i = 0; i < s->people.hand_count; ++i) {
        char prefix[PREFIX_SIZE];
        snprintf(prefix, sizeof prefix, "hand.%d.", i);
        atemi_columns_add_vector(list, "N", prefix, "force");
    }
    atemi_columns_add(list, NULL, "offload");
    atemi_columns_add(list, "J", "feedback_energy");
}

// ---- Rows -----------------------------------------------------------------------------------

static double *put_joints(double *next, const control_session *s)
{
    const atemi_joint_command *commands = atemi_control_loop_commands(s->loop);
    const atemi_joint_output  *outputs = atemi_control_loop_outputs(s->loop);
    const int                  n = atemi_control_joint_count(s->scenario->robot.model);
    for (int i = 0; i < n; ++i) {
        next[i] = commands[i].position;
        next[n + i] = outputs[i].torque_demand;
        next[2 * n + i] = outputs[i].feedback_torque;
        next[3 * n + i] = commands[i].feedback_limit;
        next[4 * n + i] = commands[i].stiffness;
        next[5 * n + i] = atemi_whole_body_plant_joint(s->plant, i)->current;
    }
    return next + (ptrdiff_t)6 * n;
}

static double *put_contacts(double *next, const control_session *s)
{
    for (int i = 0; i < s->scenario->contacts.count; ++i) {
        const atemi_touch touch = atemi_whole_body_plant_touch(s->plant, i);
        const bool        touches = atemi_vec3_norm(touch.force) > 0.0;
        next = row_put_vector(next, touch.position);
        next = row_put_vector(next, touch.force);
        *next++ = touches ? ATEMI_CONTACT_SOFT : ATEMI_CONTACT_OPEN;
        *next++ = touch.gap;
    }
    return next;
}

atemi_status atemi_control_columns_append(const control_columns *columns,
                                          const control_session *session,
                                          atemi_recording *recording, atemi_error *error)
{
    const atemi_whole_body_plant *plant = session->plant;
    const atemi_model            *model = columns->scenario->robot.model;
    const int                     nv = atemi_model_v_count(model);
    double                       *next = columns->row;
    *next++ = atemi_whole_body_plant_time(plant);
    next = row_put(next, atemi_model_q_count(model), atemi_whole_body_plant_q(plant));
    next = row_put(next, nv, atemi_whole_body_plant_v(plant));
    next = row_put(next, nv, atemi_whole_body_plant_a(plant));
    next = row_put(next, nv, atemi_whole_body_plant_tau(plant));
    next = put_joints(next, session);
    next = put_contacts(next, session);
    for (int i = 0; i < columns->hold_count; ++i) {
        const atemi_force f = atemi_whole_body_plant_hold_force(plant, columns->holds[i]);
        next = row_put_vector(row_put_vector(next, f.linear), f.angular);
    }
    for (int i = 0; i < columns->scenario->people.hand_count; ++i) {
        next = row_put_vector(next, atemi_whole_body_plant_pull_force(plant, i).linear);
    }
    *next++ = atemi_control_loop_offload_now(session->loop);
    *next = atemi_coordination_report_get(session->coordination).energy;
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
    for (int i = 0; i < s->hold_count; ++i) {
        add_hold(columns, s->holds[i]);
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
    columns->count = atemi_columns_count(add_all, columns);
    if (check_size(columns, error)) {
        return ATEMI_ERROR_LIMIT;
    }
    columns->row = atemi_arena_array(&columns->arena, double, columns->count);
    return atemi_columns_create(add_all, columns, recording, error);
}

void atemi_control_columns_destroy(control_columns *columns)
{
    atemi_arena_destroy(&columns->arena);
}
