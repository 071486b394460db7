// SPDX-License-Identifier: Apache-2.0

#include "jobs/walk/walk_log.h"

#include "atemi/base.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/// A table that is filled row by row.
typedef struct table_list {
    int                          columns, count;
    const atemi_recorded_column *heads;
    double                      *values;
    const char                 **labels;
    char (*texts)[ATEMI_WALK_TEXT]; ///< room for labels
} table_list;

static void add_row(table_list *list, const double *row, const char *format, ...)
    ATEMI_PRINTF(3, 4);

static void add_row(table_list *list, const double *row, const char *format, ...)
{
    const size_t columns = (size_t)list->columns, at = (size_t)list->count++;
    va_list      arguments;
    va_start(arguments, format);
    vsnprintf(list->texts[at], ATEMI_WALK_TEXT, format, arguments);
    va_end(arguments);
    list->labels[at] = list->texts[at];
    memcpy(list->values + at * columns, row, columns * sizeof *row);
}

/// What tables are made of.
typedef struct table_source {
    const atemi_walk_log   *log;
    const atemi_gait_watch *gait; ///< in the plane
    const atemi_biped_walk *walk; ///< in three dimensions
} table_source;

// ---- In the plane

static void list_slips(const table_source *source, table_list *list)
{
    for (int i = 0; i < source->log->slip_count; ++i) {
        const atemi_slip *slip = &source->log->slips[i].planar;
        add_row(list, (double[]){slip->start, slip->place, slip->duration, slip->distance}, "%s",
                atemi_walk_foot_name(slip->foot));
    }
}

static void list_collisions(const table_source *source, table_list *list)
{
    for (int i = 0; i < ATEMI_WALKING_POINTS; ++i) {
        const atemi_walk_collisions *collisions = &source->log->collisions[i];
        const double                 count = (double)collisions->count;
        add_row(list,
                (double[]){count, collisions->count ? collisions->sum / count : (double)NAN,
                           collisions->hardest, collisions->fastest},
                "%s", atemi_walk_point_name(i));
    }
}

static void list_gait(const table_source *source, table_list *list)
{
    const atemi_gait_watch *gait = source->gait;
    for (int i = 0; i < ATEMI_FOOT_STATES * ATEMI_FOOT_STATES; ++i) {
        const int support = i / ATEMI_FOOT_STATES, other = i % ATEMI_FOOT_STATES;
        if (gait->visits[support][other] > 0) {
            const double time = gait->times[support][other];
            add_row(list, (double[]){(double)gait->visits[support][other], time, time / gait->time},
                    "%s, %s", atemi_foot_state_text((atemi_foot_state)support),
                    atemi_foot_state_text((atemi_foot_state)other));
        }
    }
}

static void list_arrows(const table_source *source, table_list *list)
{
    const atemi_gait_watch *gait = source->gait;
    for (int i = 0; i < ATEMI_FOOT_STATES * ATEMI_FOOT_STATES; ++i) {
        const int from = i / ATEMI_FOOT_STATES, to = i % ATEMI_FOOT_STATES;
        if (gait->arrows[from][to] > 0) {
            add_row(list, (double[]){(double)gait->arrows[from][to]}, "%s -> %s",
                    atemi_foot_state_text((atemi_foot_state)from),
                    atemi_foot_state_text((atemi_foot_state)to));
        }
    }
}

static void list_patches(const table_source *source, table_list *list)
{
    const atemi_walk_task *task = &source->log->scenario->task;
    for (int i = 0; i < task->patch_count; ++i) {
        const atemi_floor_patch *patch = &task->patches[i];
        add_row(list, (double[]){patch->from, patch->to, patch->friction}, "patch %d", i + 1);
    }
}

// ---- In three dimensions

static void list_sole_slips(const table_source *source, table_list *list)
{
    for (int i = 0; i < source->log->slip_count; ++i) {
        const atemi_sole_slip *slip = &source->log->slips[i].sole;
        add_row(list,
                (double[]){slip->start, slip->place.x, slip->place.y, slip->place.z, slip->duration,
                           slip->distance, slip->direction},
                "%s, %s", atemi_walk_side_name(slip->foot), atemi_slip_cause_text(slip->cause));
    }
}

static void list_sole_arrows(const table_source *source, table_list *list)
{
    for (int i = 0; i < ATEMI_SOLE_STATES * ATEMI_SOLE_STATES; ++i) {
        const atemi_sole_state from = (atemi_sole_state)(i / ATEMI_SOLE_STATES);
        const atemi_sole_state to = (atemi_sole_state)(i % ATEMI_SOLE_STATES);
        const long             times = atemi_biped_walk_changes(source->walk, from, to);
        if (times > 0) {
            add_row(list, (double[]){(double)times}, "%s -> %s", atemi_sole_state_text(from),
                    atemi_sole_state_text(to));
        }
    }
}

static void list_wide_patches(const table_source *source, table_list *list)
{
    const atemi_biped_task *task = &source->log->scenario->biped;
    for (int i = 0; i < task->patch_count; ++i) {
        const atemi_floor_patch *patch = &task->patches[i];
        const bool               is_wide = patch->right == 0.0 && patch->left == 0.0;
        add_row(list,
                (double[]){patch->from, patch->to, patch->friction,
                           is_wide ? (double)NAN : patch->right,
                           is_wide ? (double)NAN : patch->left},
                "patch %d", i + 1);
    }
}

static void list_footsteps(const table_source *source, table_list *list)
{
    const atemi_biped_task *task = &source->log->scenario->biped;
    const double            none = (double)NAN;
    for (int i = 0; i < task->footstep_count; ++i) {
        const atemi_biped_footstep *step = &task->footsteps[i];
        const atemi_biped_landing   l = atemi_biped_walk_landing(source->walk, i);
        add_row(list,
                (double[]){step->place.x, step->place.y, step->place.z, step->heading,
                           l.landed ? l.place.x : none, l.landed ? l.place.y : none,
                           l.landed ? l.place.z : none, l.landed ? l.heading : none,
                           l.landed ? l.error : none},
                "%s", atemi_walk_side_name(step->side));
    }
}

// ---- All of them

enum { MOST_COLUMNS = 9 };

typedef struct table_kind {
    const char *name, *title;
    void (*fill)(const table_source *source, table_list *list);
    int                   columns;
    atemi_recorded_column heads[MOST_COLUMNS];
} table_kind;

static const table_kind planar_kinds[] = {
    {"slips",
     "Feet that slid by 1 mm or more",
     list_slips,
     4,
     {{"start", "s"}, {"place", "m"}, {"duration", "s"}, {"distance", "m"}}},
    {"collisions",
     "Collisions of heels and toes",
     list_collisions,
     4,
     {{"collisions", NULL}, {"mean impulse", "N s"}, {"hardest", "N s"}, {"fastest", "m/s"}}},
    {"gait",
     "States of the gait: the supporting foot, the other foot",
     list_gait,
     3,
     {{"visits", NULL}, {"time", "s"}, {"part", NULL}}},
    {"arrows", "Changes of a foot's state", list_arrows, 1, {{"times", NULL}}},
    {"patches",
     "Stretches of the floor that are unlike the rest",
     list_patches,
     3,
     {{"from", "m"}, {"to", "m"}, {"friction", NULL}}},
};

static const table_kind biped_kinds[] = {
    {"slips",
     "Feet that slid by 1 mm or more, and from what",
     list_sole_slips,
     7,
     {{"start", "s"},
      {"x", "m"},
      {"y", "m"},
      {"z", "m"},
      {"duration", "s"},
      {"distance", "m"},
      {"direction", "rad"}}},
    {"footsteps",
     "Footsteps that were given, and where the middles of the soles stood",
     list_footsteps,
     9,
     {{"x", "m"},
      {"y", "m"},
      {"height", "m"},
      {"yaw", "rad"},
      {"landed x", "m"},
      {"landed y", "m"},
      {"landed height", "m"},
      {"landed yaw", "rad"},
      {"error", "m"}}},
    {"arrows", "Changes of a foot's state", list_sole_arrows, 1, {{"times", NULL}}},
    {"patches",
     "Stretches of the floor that are unlike the rest",
     list_wide_patches,
     5,
     {{"from", "m"}, {"to", "m"}, {"friction", NULL}, {"right", "m"}, {"left", "m"}}},
};

static atemi_status add_table(const table_source *source, const table_kind *kind, table_list *list,
                              atemi_error *error)
{
    list->columns = kind->columns;
    list->count = 0;
    kind->fill(source, list);
    const atemi_recorded_table table = {.name = kind->name,
                                        .title = kind->title,
                                        .row_count = list->count,
                                        .column_count = kind->columns,
                                        .columns = kind->heads,
                                        .labels = list->labels,
                                        .values = list->values};
    return atemi_recording_add_table(source->log->recording, &table, error);
}

static atemi_status add_tables(const table_source *source, const table_kind *kinds, size_t count,
                               atemi_error *error)
{
    const size_t most =
        (size_t)source->log->slip_count + (size_t)source->log->scenario->task.patch_count +
        (size_t)source->log->scenario->biped.footstep_count + ATEMI_SOLE_STATES * ATEMI_SOLE_STATES;
    table_list   list = {.values = (double *)atemi_allocate(MOST_COLUMNS * most * sizeof(double)),
                         .labels = (const char **)atemi_allocate(most * sizeof(char *)),
                         .texts = (char(*)[ATEMI_WALK_TEXT])atemi_allocate(most * ATEMI_WALK_TEXT)};
    const bool   ready = list.values && list.labels && list.texts;
    atemi_status status =
        ready ? ATEMI_OK : atemi_fail(error, ATEMI_ERROR_MEMORY, "no memory for a walk's tables");
    for (size_t i = 0; i < count && !status; ++i) {
        status = add_table(source, &kinds[i], &list, error);
    }
    atemi_release(list.values);
    atemi_release((void *)list.labels);
    atemi_release(list.texts);
    return status;
}

atemi_status atemi_walk_log_tables(const atemi_walk_log *log, const atemi_walk *walk,
                                   atemi_error *error)
{
    const table_source source = {.log = log, .gait = atemi_walk_gait(walk)};
    return add_tables(&source, planar_kinds, sizeof planar_kinds / sizeof *planar_kinds, error);
}

atemi_status atemi_walk_log_biped_tables(const atemi_walk_log *log, const atemi_biped_walk *walk,
                                         atemi_error *error)
{
    const table_source source = {.log = log, .walk = walk};
    return add_tables(&source, biped_kinds, sizeof biped_kinds / sizeof *biped_kinds, error);
}
