// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"
#include "atemi/strike_verification.h"
#include "jobs/strike/strike_run.h"

#include <math.h>
#include <stdio.h>

enum { COLUMNS = 4 };

static const atemi_recorded_column bound_columns[COLUMNS] = {
    {"value", NULL}, {"lower", NULL}, {"upper", NULL}, {"worth", NULL}};

static const atemi_recorded_column conflict_columns[COLUMNS] = {
    {"value", NULL}, {"bound", NULL}, {"violation", NULL}, {"weight", NULL}};

static const double rounding = 1e-8; // of a constraint that is met, in its unit

// The rows of a table.
typedef struct row_list {
    const atemi_strike_task *task;
    int                      count;
    double (*rows)[COLUMNS];
    char (*texts)[ATEMI_STRIKE_NAME];
    const char **labels; ///< of `texts`
} row_list;

// @return where to write its name
static char *add(row_list *list, double first, double second, double third, double fourth)
{
    double *row = list->rows[list->count];
    row[0] = first;
    row[1] = second;
    row[2] = third;
    row[3] = fourth;
    list->labels[list->count] = list->texts[list->count];
    return list->texts[list->count++];
}

static void add_constraint(row_list *list, const atemi_strike_constraint *c)
{
    atemi_strike_constraint_text(list->task, c,
                                 add(list, c->value, c->lower, c->upper, c->multiplier));
}

static void list_variables(const atemi_strike_plan *plan, row_list *list)
{
    for (int i = 0; i < atemi_strike_plan_variable_count(plan); ++i) {
        const atemi_strike_variable *x = atemi_strike_plan_variable(plan, i);
        atemi_strike_variable_text(
            list->task, x, add(list, x->value, x->range.lower, x->range.upper, x->multiplier));
    }
}

static void list_constraints(const atemi_strike_plan *plan, row_list *list)
{
    for (int i = 0; i < atemi_strike_plan_constraint_count(plan); ++i) {
        add_constraint(list, atemi_strike_plan_constraint(plan, i));
    }
}

// Those that hold the blow back or, of a plan that is not feasible, are not met.
static bool matters(const atemi_strike_plan *plan, const atemi_strike_constraint *c)
{
    const double beyond = fmax(c->lower - c->value, c->value - c->upper);
    return atemi_strike_plan_feasible(plan) ? c->multiplier > 0.0 : beyond > rounding;
}

static void list_limits(const atemi_strike_plan *plan, row_list *list)
{
    for (int i = 0; i < atemi_strike_plan_constraint_count(plan); ++i) {
        const atemi_strike_constraint *c = atemi_strike_plan_constraint(plan, i);
        if (matters(plan, c)) {
            add_constraint(list, c);
        }
    }
}

// Why there is no strike.
static void list_conflicts(const atemi_strike_plan *plan, row_list *list)
{
    for (int i = 0; i < atemi_strike_plan_conflict_count(plan); ++i) {
        const atemi_strike_conflict *c = atemi_strike_plan_conflict(plan, i);
        atemi_strike_conflict_text(list->task, plan, c,
                                   add(list, c->value, c->bound, c->violation, c->weight));
    }
}

typedef struct table_kind {
    const char                  *name, *title;
    const atemi_recorded_column *columns;   // [COLUMNS]
    bool                         is_seldom; // left out where it has no rows
    void (*fill)(const atemi_strike_plan *plan, row_list *list);
} table_kind;

static atemi_status add_table(atemi_strike_run *run, const table_kind *kind, row_list *list,
                              atemi_error *error)
{
    list->count = 0;
    kind->fill(run->attempts.best.plan, list);
    if (kind->is_seldom && list->count == 0) {
        return ATEMI_OK;
    }
    const atemi_recorded_table table = {.name = kind->name,
                                        .title = kind->title,
                                        .row_count = list->count,
                                        .column_count = COLUMNS,
                                        .columns = kind->columns,
                                        .labels = list->labels,
                                        .values = list->rows[0]};
    return atemi_recording_add_table(run->recording, &table, error);
}

// ---- What holds the blow back, in words

static atemi_status add_reasons(atemi_strike_run *run, atemi_error *error)
{
    enum { LABEL_SIZE = 2 * ATEMI_STRIKE_REASON };
    const atemi_strike_task    *task = &run->scenario.task;
    const char                 *unit = atemi_strike_objective_unit(task);
    const atemi_recorded_column names[] = {{"would add", *unit ? unit : NULL}};
    atemi_strike_reason         reasons[ATEMI_STRIKE_MAX_REASONS];
    double                      values[ATEMI_STRIKE_MAX_REASONS];
    char                        texts[ATEMI_STRIKE_MAX_REASONS][LABEL_SIZE];
    const char                 *labels[ATEMI_STRIKE_MAX_REASONS];
    const int count = atemi_strike_limits_explain(task, run->attempts.best.plan, reasons);
    for (int i = 0; i < count; ++i) {
        snprintf(texts[i], LABEL_SIZE, "%.195s: %.195s", reasons[i].limit, reasons[i].remedy);
        values[i] = reasons[i].gain;
        labels[i] = texts[i];
    }
    const atemi_recorded_table table = {.name = "reasons",
                                        .title = "What holds the blow back",
                                        .row_count = count,
                                        .column_count = 1,
                                        .columns = names,
                                        .labels = labels,
                                        .values = values};
    return count > 0 ? atemi_recording_add_table(run->recording, &table, error) : ATEMI_OK;
}

// ---- Links that the motion takes through each other

static atemi_status add_overlaps(atemi_strike_run *run, atemi_error *error)
{
    enum { OVERLAP_COLUMNS = 2, LABEL_SIZE = 256 };
    static const atemi_recorded_column names[OVERLAP_COLUMNS] = {{"depth", "m"}, {"time", "s"}};
    const atemi_strike_overlaps       *overlaps = &run->attempts.best.overlaps;
    const atemi_model                 *model = run->scenario.robot.model;
    double                             values[ATEMI_STRIKE_MAX_OVERLAPS][OVERLAP_COLUMNS];
    char                               texts[ATEMI_STRIKE_MAX_OVERLAPS][LABEL_SIZE];
    const char                        *labels[ATEMI_STRIKE_MAX_OVERLAPS];
    for (int i = 0; i < overlaps->count; ++i) {
        const atemi_strike_overlap *o = &overlaps->list[i];
        snprintf(texts[i], LABEL_SIZE, "%.120s and %.120s", atemi_model_link(model, o->first)->name,
                 atemi_model_link(model, o->second)->name);
        values[i][0] = o->depth;
        values[i][1] = o->time;
        labels[i] = texts[i];
    }
    const atemi_recorded_table table = {.name = "overlaps",
                                        .title = "Links that the motion takes through each other",
                                        .row_count = overlaps->count,
                                        .column_count = OVERLAP_COLUMNS,
                                        .columns = names,
                                        .labels = labels,
                                        .values = values[0]};
    return atemi_recording_add_table(run->recording, &table, error);
}

// ---- The blow over time, estimated and by full dynamics

static void fill_instant(const atemi_strike_run *run, const atemi_strike_instant *now, double *row)
{
    const double *seen =
        atemi_strike_seen_at(&run->attempts.best.verification,
                             atemi_strike_motion_time(&run->attempts.best.motion, 0), now->time);
    row[0] = now->time;
    row[1] = now->force;
    row[2] = seen ? seen[ATEMI_SEEN_FORCE] : (double)NAN;
    row[3] = now->zmp.x;
    row[4] = seen ? seen[ATEMI_SEEN_ZMP_X] : (double)NAN;
    row[5] = now->zmp.y;
    row[6] = seen ? seen[ATEMI_SEEN_ZMP_Y] : (double)NAN;
}

atemi_status atemi_strike_add_blow(atemi_strike_run *run, atemi_error *error)
{
    enum { BLOW_COLUMNS = 7 };
    static const atemi_recorded_column names[BLOW_COLUMNS] = {{"time", "s"},
                                                              {"force, estimated", "N"},
                                                              {"force, simulated", "N"},
                                                              {"ZMP x, estimated", "m"},
                                                              {"ZMP x, simulated", "m"},
                                                              {"ZMP y, estimated", "m"},
                                                              {"ZMP y, simulated", "m"}};
    static const int                   y[] = {1, 2};
    double                             values[BLOW_COLUMNS * ATEMI_STRIKE_INSTANTS];
    for (int i = 0; i < run->attempts.best.estimate.count; ++i) {
        fill_instant(run, &run->attempts.best.estimate.instants[i],
                     values + (size_t)(i * BLOW_COLUMNS));
    }
    const atemi_recorded_table table = {
        .name = "blow",
        .title = "The blow",
        .row_count = run->attempts.best.estimate.count,
        .column_count = BLOW_COLUMNS,
        .columns = names,
        .values = values,
        .plot = {.y_count = 2, .y = y, .x = 0, .series = ATEMI_NONE}};
    return atemi_recording_add_table(run->recording, &table, error);
}

// ---- All of them

atemi_status atemi_strike_add_tables(atemi_strike_run *run, atemi_error *error)
{
    static const table_kind kinds[] = {
        {"decided", "What was decided (SI units, radians)", bound_columns, false, list_variables},
        {"limits", "What limits the blow, or is not met", bound_columns, false, list_limits},
        {"constraints", "All constraints", bound_columns, false, list_constraints},
        {"conflicts", "What cannot be met together", conflict_columns, true, list_conflicts}};
    const size_t most = (size_t)atemi_strike_plan_constraint_count(run->attempts.best.plan) +
                        (size_t)atemi_strike_plan_variable_count(run->attempts.best.plan) +
                        (size_t)atemi_strike_plan_conflict_count(run->attempts.best.plan) + 1;
    row_list     list = {.task = &run->scenario.task,
                         .rows = (double(*)[COLUMNS])atemi_allocate(most * sizeof *list.rows),
                         .texts = (char(*)[ATEMI_STRIKE_NAME])atemi_allocate(most * sizeof *list.texts),
                         .labels = (const char **)atemi_allocate(most * sizeof *list.labels)};
    const bool   has_memory = list.rows && list.texts && list.labels;
    atemi_status status =
        atemi_strike_plan_feasible(run->attempts.best.plan) ? add_reasons(run, error) : ATEMI_OK;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0] && has_memory && !status; ++i) {
        status = add_table(run, &kinds[i], &list, error);
    }
    if (!has_memory) {
        status = atemi_fail(error, ATEMI_ERROR_MEMORY, "no memory for the tables of a strike");
    }
    atemi_release(list.rows);
    atemi_release(list.texts);
    atemi_release((void *)list.labels);
    if (!status && run->attempts.best.overlaps.count > 0) {
        status = add_overlaps(run, error);
    }
    if (!status) {
        status = atemi_strike_add_blow(run, error);
    }
    return status ? status : atemi_strike_add_touch(run, error);
}
