// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"
#include "jobs/control/control_watch.h"
#include "jobs/job.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LABEL_SIZE = 160 }; // longer ones are cut

// ---- Tables ---------------------------------------------------------------------------------

static const char *motion_text(atemi_goal_motion motion)
{
    static const char *const texts[] = {"joints", "nodes", "breadcrumbs"};
    return texts[motion];
}

static void label_goal(const control_session *p, const atemi_goal_record *r, char *label)
{
    const char *joint =
        r->joint >= 0 ? atemi_control_joint(p->scenario->robot.model, r->joint)->name : "";
    snprintf(label, LABEL_SIZE, "%d %s: %s%s%.80s", r->id, motion_text(r->motion),
             atemi_goal_outcome_text(r->outcome), joint[0] ? " by " : "", joint);
}

// Rows of a table that is being made.
typedef struct row_list {
    int          columns, count;
    double      *values;
    const char **labels;
    char (*texts)[LABEL_SIZE];
} row_list;

// Memory for so many rows; false if there is not enough memory.
static bool row_list_begin(row_list *list, int columns, int row_count)
{
    const size_t rows = (size_t)row_count + 1;
    *list = (row_list){.columns = columns};
    list->values = (double *)atemi_allocate(rows * (size_t)columns * sizeof *list->values);
    list->labels = (const char **)atemi_allocate(rows * sizeof *list->labels);
    list->texts = (char(*)[LABEL_SIZE])atemi_allocate(rows * sizeof *list->texts);
    return list->values && list->labels && list->texts;
}

// The text of the next row's label, for the caller to write.
static char *row_list_add(row_list *list, const double *values)
{
    const size_t at = (size_t)list->count++, columns = (size_t)list->columns;
    memcpy(list->values + at * columns, values, columns * sizeof *values);
    list->labels[at] = list->texts[at];
    return list->texts[at];
}

// Ends the list, with a table unless it has no rows.
static atemi_status row_list_end(row_list *list, bool whole, atemi_recorded_table table,
                                 atemi_recording *recording, atemi_error *error)
{
    table.row_count = list->count;
    table.column_count = list->columns;
    table.labels = list->labels;
    table.values = list->values;
    atemi_status status = ATEMI_OK;
    if (!whole) {
        status = atemi_fail(error, ATEMI_ERROR_MEMORY, "no memory for a table of a recording");
    } else if (list->count) {
        status = atemi_recording_add_table(recording, &table, error);
    }
    atemi_release(list->values);
    atemi_release((void *)list->labels);
    atemi_release(list->texts);
    return status;
}

static atemi_status add_goals(const control_session *p, atemi_recording *recording,
                              atemi_error *error)
{
    enum { COLUMNS = 5 };
    static const atemi_recorded_column columns[COLUMNS] = {
        {"begun", "s"}, {"ended", "s"}, {"done", NULL}, {"position", NULL}, {"turn", "rad"}};
    const atemi_goal_log *log = atemi_coordination_goals(p->coordination);
    const int             count = log->last < log->capacity ? log->last : log->capacity;
    row_list              list;
    const bool            whole = row_list_begin(&list, COLUMNS, count);
    for (int i = 0; i < count && whole; ++i) {
        const atemi_goal_record *r = atemi_goal_log_find(log, log->last - count + 1 + i);
        const double row[COLUMNS] = {r->begun, r->ended, r->done, r->position, r->rotation};
        label_goal(p, r, row_list_add(&list, row));
    }
    return row_list_end(
        &list, whole,
        (atemi_recorded_table){
            .name = "goals",
            .title = "Goals by what the robot senses: error of joints in rad, of nodes in m",
            .columns = columns},
        recording, error);
}

static atemi_status add_motions(const control_watch *w, const control_session *p,
                                atemi_recording *recording, atemi_error *error)
{
    enum { COLUMNS = 8 };
    static const atemi_recorded_column columns[COLUMNS] = {
        {"begun", "s"},    {"way", "m"},   {"moved", "m"},  {"tracking", "m"},
        {"off_line", "m"}, {"error", "m"}, {"turn", "rad"}, {"contact_force", "N"}};
    row_list   list;
    const bool whole = row_list_begin(&list, COLUMNS, w->motion_count);
    for (int i = 0; i < w->motion_count && whole; ++i) {
        const control_motion *m = &w->motions[i];
        const int             link = p->scenario->tasks.tasks[m->task].nodes[0].target.link;
        const double          row[COLUMNS] = {m->begun,    m->distance, m->moved,    m->tracking,
                                              m->off_line, m->error,    m->rotation, m->force};
        snprintf(row_list_add(&list, row), LABEL_SIZE, "task %d: %.100s", m->task,
                 atemi_model_link(p->scenario->robot.model, link)->name);
    }
    return row_list_end(&list, whole,
                        (atemi_recorded_table){.name = "motions",
                                               .title = "Motions of nodes, as they really went",
                                               .columns = columns},
                        recording, error);
}

static atemi_status add_grips(const control_session *p, atemi_recording *recording,
                              atemi_error *error)
{
    enum { COLUMNS = 6 };
    static const atemi_recorded_column columns[COLUMNS] = {{"begun", "s"},  {"ended", "s"},
                                                           {"off", "m"},    {"left", "m"},
                                                           {"turn", "rad"}, {"force", "N"}};
    row_list                           list;
    const int                          count = atemi_control_loop_grip_count(p->loop);
    const bool                         whole = row_list_begin(&list, COLUMNS, count);
    for (int i = 0; i < count && whole; ++i) {
        const atemi_grip *g = &atemi_control_loop_grips(p->loop)[i];
        const double      row[COLUMNS] = {g->begun, g->ended,         g->off,
                                          g->left,  g->left_rotation, g->force};
        snprintf(row_list_add(&list, row), LABEL_SIZE, "%.60s on %.60s: %s",
                 atemi_model_link(p->scenario->robot.model, g->link)->name,
                 p->scenario->rails.names[g->rail],
                 g->state == ATEMI_GRIP_CLOSED ? "closed" : "not closed");
    }
    return row_list_end(&list, whole,
                        (atemi_recorded_table){.name = "grips",
                                               .title = "Grippers that closed on rails",
                                               .columns = columns},
                        recording, error);
}

// How far a point was led, and where it stayed.
static atemi_status add_hands(const control_watch *w, const control_session *p,
                              atemi_recording *recording, atemi_error *error)
{
    enum { COLUMNS = 4 };
    static const atemi_recorded_column columns[COLUMNS] = {
        {"led", "m"}, {"stayed", "m"}, {"off", "m"}, {"force", "N"}};
    const control_people *people = &p->scenario->people;
    const char           *texts[CONTROL_MAX_HANDS];
    double                values[CONTROL_MAX_HANDS][COLUMNS];
    for (int i = 0; i < people->hand_count; ++i) {
        const atemi_guiding_hand *hand = &people->hands[i];
        const atemi_transform     frame = {atemi_mat3_identity(), hand->point};
        const atemi_vec3          led =
            atemi_vec3_sub(atemi_whole_body_plant_pose(p->plant, hand->link, &frame).position,
                           atemi_control_loop_hand_start(p->loop, i));
        texts[i] = atemi_model_link(p->scenario->robot.model, hand->link)->name;
        values[i][0] = atemi_vec3_norm(hand->by);
        values[i][1] = atemi_vec3_norm(led);
        values[i][2] = atemi_vec3_norm(atemi_vec3_sub(led, hand->by));
        values[i][3] = w->hand_forces[i];
    }
    const atemi_recorded_table table = {.name = "hands",
                                        .title = "Where people led the robot, and it stayed",
                                        .row_count = people->hand_count,
                                        .column_count = COLUMNS,
                                        .columns = columns,
                                        .labels = texts,
                                        .values = &values[0][0]};
    return people->hand_count ? atemi_recording_add_table(recording, &table, error) : ATEMI_OK;
}

// ---- Results --------------------------------------------------------------------------------

static int count_goals(const control_session *p, atemi_goal_outcome outcome)
{
    const atemi_goal_log *log = atemi_coordination_goals(p->coordination);
    int                   count = 0;
    for (int id = 1; id <= log->last; ++id) {
        const atemi_goal_record *record = atemi_goal_log_find(log, id);
        count += record && record->outcome == outcome;
    }
    return count;
}

static int count_closed(const atemi_control_loop *loop)
{
    int count = 0;
    for (int i = 0; i < atemi_control_loop_grip_count(loop); ++i) {
        count += atemi_control_loop_grips(loop)[i].state == ATEMI_GRIP_CLOSED;
    }
    return count;
}

static atemi_status add_figures(const control_watch *w, const control_session *p, bool completed,
                                atemi_recording *recording, atemi_error *error)
{
    const atemi_sequence_report r = atemi_task_sequence_report(p->sequence);
    const control_motion       *last = w->motion_count ? &w->motions[w->motion_count - 1] : NULL;
    const atemi_recorded_value  results[] = {
        {"completed", completed, NULL},
        {"duration", atemi_whole_body_plant_time(p->plant), "s"},
        {"tasks_given", r.next, NULL},
        {"goals", atemi_coordination_goals(p->coordination)->last, NULL},
        {"goals_reached", count_goals(p, ATEMI_OUTCOME_REACHED), NULL},
        {"goals_obstructed", count_goals(p, ATEMI_OUTCOME_OBSTRUCTED), NULL},
        {"way", last ? last->distance : (double)NAN, "m"},
        {"error", last ? last->error : (double)NAN, "m"},
        {"turn_error", last ? last->rotation : (double)NAN, "rad"},
        {"taps", r.tap_count, NULL},
        {"grips_closed", count_closed(p->loop), NULL},
        {"largest_forward_step", w->forward_step, "N m"},
        {"largest_torque_step", w->torque_step, "N m"},
        {"largest_base_step", w->base_step, "N m"},
        {"largest_feedback", w->feedback, "N m"},
        {"largest_deviation", w->deviation, "rad"},
        {"largest_current", w->current, "A"},
        {"largest_torque_part", w->torque_part, NULL},
        {"largest_speed_part", w->speed_part, NULL},
        {"largest_contact_force", w->contact_force, "N"},
        {"largest_hand_force", w->hand_force, "N"},
        {"largest_hold_force", w->hold_force, "N"},
        {"largest_hold_moment", w->hold_moment, "N m"},
        {"energy_given", w->energy, "J"},
        {"safe_stops", w->safe_stops, NULL}};
    return atemi_job_add_results(recording, results, sizeof results / sizeof *results, error);
}

atemi_status atemi_control_watch_report(const control_watch *watch, const control_session *session,
                                        bool completed, atemi_recording *recording,
                                        atemi_error *error)
{
    atemi_status status = add_figures(watch, session, completed, recording, error);
    status = status ? status : add_goals(session, recording, error);
    status =
        status || !watch->motion_count ? status : add_motions(watch, session, recording, error);
    status = status ? status : add_hands(watch, session, recording, error);
    return status ? status : add_grips(session, recording, error);
}
