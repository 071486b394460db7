// SPDX-License-Identifier: Apache-2.0

#include "jobs/walk/walk_log.h"

#include "atemi/base.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { TEXT_SIZE = 256, FIRST_SLIPS = 64 };

static const char *const foot_names[ATEMI_FEET] = {"left foot", "right foot"};

// ---- Rows -----------------------------------------------------------------------------------

static atemi_status append_row(atemi_walk_log *log, const atemi_walk *walk)
{
    log->walk = walk;
    log->state = atemi_walking_controller_state(atemi_walk_controller(walk));
    atemi_columns_fill(&atemi_walk_column_table, log, log->row);
    return atemi_recording_append(log->recording, log->row, &log->error);
}

// ---- Events ---------------------------------------------------------------------------------

static void add_event(atemi_walk_log *log, const atemi_recorded_event *event)
{
    if (atemi_recording_event_count(log->recording) >= ATEMI_RECORDING_MAX_EVENTS) {
        ++log->left_out;
    } else if (!log->fault) {
        log->fault = atemi_recording_add_event(log->recording, event, &log->error);
    }
}

static void add_change(atemi_walk_log *log, int foot, atemi_foot_state to, double time)
{
    char                   text[TEXT_SIZE];
    const atemi_gait_arrow arrow = atemi_gait_arrow_between(log->states[foot], to);
    const bool both = arrow.touch != ATEMI_GUARD_NONE && arrow.slide != ATEMI_GUARD_NONE;
    snprintf(text, sizeof text, "%s: %s, then %s: %s%s%s", foot_names[foot],
             atemi_foot_state_text(arrow.from), atemi_foot_state_text(arrow.to),
             atemi_gait_guard_text(arrow.touch), both ? "; " : "",
             atemi_gait_guard_text(arrow.slide));
    add_event(log, &(atemi_recorded_event){.t = time,
                                           .kind = atemi_foot_state_text(to),
                                           .what = foot_names[foot],
                                           .text = text});
}

// The first look finds the states to begin with.
static void watch_states(atemi_walk_log *log, const atemi_gait_watch *gait)
{
    for (int f = 0; f < ATEMI_FEET; ++f) {
        if (gait->states[f] != log->states[f] && log->next > 0.0) {
            add_change(log, f, gait->states[f], gait->time);
        }
        log->states[f] = gait->states[f];
    }
}

bool atemi_walk_log_tick(atemi_walk_log *log, const atemi_walk *walk)
{
    const double time = atemi_simulation_time(atemi_walk_simulation(walk));
    const bool   due = time >= log->next;
    watch_states(log, atemi_walk_gait(walk));
    if (due && !log->fault) {
        log->fault = append_row(log, walk);
        log->next = log->scenario->every * (floor(time / log->scenario->every + 1e-6) + 1.0) - 1e-9;
    }
    return due;
}

static void watch_phases(atemi_walk_log *log, const atemi_biped_state *state, double time)
{
    static const char *const texts[] = {"stands on both feet", "passes to this foot",
                                        "carries the robot"};
    static const char *const kinds[] = {"stands", "passes", "swings"};
    static const char *const feet[] = {"right foot", "left foot"};
    if (state->phase == log->phase && state->landings == log->landings) {
        return;
    }
    char text[TEXT_SIZE];
    snprintf(text, sizeof text, "%s %s", feet[state->support], texts[state->phase]);
    add_event(log, &(atemi_recorded_event){.t = time,
                                           .kind = kinds[state->phase],
                                           .what = feet[state->support],
                                           .text = text});
    log->phase = state->phase;
    log->landings = state->landings;
}

bool atemi_walk_log_biped(atemi_walk_log *log, const atemi_biped_walk *walk)
{
    const double            time = atemi_simulation_time(atemi_biped_walk_simulation(walk));
    const bool              due = time >= log->next;
    const atemi_biped_state state = atemi_biped_state_get(atemi_biped_walk_controller(walk));
    watch_phases(log, &state, time);
    if (due && !log->fault) {
        log->biped = walk;
        atemi_columns_fill(&atemi_walk_column_table, log, log->row);
        log->fault = atemi_recording_append(log->recording, log->row, &log->error);
        log->next = log->scenario->every * (floor(time / log->scenario->every + 1e-6) + 1.0) - 1e-9;
    }
    return due;
}

void atemi_walk_log_event(atemi_walk_log *log, const atemi_event *event)
{
    if (event->kind != ATEMI_EVENT_TOUCHDOWN || event->point == ATEMI_NONE) {
        return;
    }
    atemi_walk_collisions     *collisions = &log->collisions[event->point];
    const double               impulse = atemi_vec3_norm(event->impulse);
    const char                *name = atemi_walk_point_name(event->point);
    char                       text[TEXT_SIZE];
    const atemi_recorded_value values[] = {{"speed", event->speed, "m/s"},
                                           {"impulse_x", event->impulse.x, "N s"},
                                           {"impulse_z", event->impulse.z, "N s"}};
    ++collisions->count;
    collisions->sum += impulse;
    collisions->hardest = fmax(collisions->hardest, impulse);
    collisions->fastest = fmax(collisions->fastest, event->speed);
    snprintf(text, sizeof text, "%s lands with %.3g N s", name, impulse);
    add_event(log, &(atemi_recorded_event){.t = event->time,
                                           .kind = atemi_event_kind_text(event->kind),
                                           .what = name,
                                           .text = text,
                                           .value_count = sizeof values / sizeof values[0],
                                           .values = values});
}

// ---- Slips ----------------------------------------------------------------------------------

static bool reserve(atemi_walk_log *log)
{
    if (log->slip_count < log->slip_capacity) {
        return true;
    }
    const int   capacity = log->slip_capacity ? 2 * log->slip_capacity : FIRST_SLIPS;
    atemi_slip *slips = (atemi_slip *)atemi_allocate((size_t)capacity * sizeof *slips);
    if (!slips) {
        log->fault = atemi_fail(&log->error, ATEMI_ERROR_MEMORY, "no memory for a walk's slips");
        return false;
    }
    if (log->slip_count > 0) {
        memcpy(slips, log->slips, (size_t)log->slip_count * sizeof *slips);
    }
    atemi_release(log->slips);
    log->slips = slips;
    log->slip_capacity = capacity;
    return true;
}

void atemi_walk_log_slip(atemi_walk_log *log, const atemi_slip *slip)
{
    char text[TEXT_SIZE];
    if (!log->fault && reserve(log)) {
        log->slips[log->slip_count++] = *slip;
    }
    snprintf(text, sizeof text, "%s slid by %.3g m in %.3g s at %.3g m", foot_names[slip->foot],
             slip->distance, slip->duration, slip->place);
    add_event(log,
              &(atemi_recorded_event){
                  .t = slip->start, .kind = "slip", .what = foot_names[slip->foot], .text = text});
}

// ---- Tables ---------------------------------------------------------------------------------

/// A table that is filled row by row.
typedef struct table_list {
    int                          columns, count;
    const atemi_recorded_column *heads;
    double                      *values;
    const char                 **labels;
    char (*texts)[TEXT_SIZE]; ///< room for labels
} table_list;

static void add_row(table_list *list, const double *row, const char *format, ...)
    ATEMI_PRINTF(3, 4);

static void add_row(table_list *list, const double *row, const char *format, ...)
{
    const size_t columns = (size_t)list->columns, at = (size_t)list->count++;
    va_list      arguments;
    va_start(arguments, format);
    vsnprintf(list->texts[at], TEXT_SIZE, format, arguments);
    va_end(arguments);
    list->labels[at] = list->texts[at];
    memcpy(list->values + at * columns, row, columns * sizeof *row);
}

static void list_slips(const atemi_walk_log *log, const atemi_gait_watch *gait, table_list *list)
{
    (void)gait;
    for (int i = 0; i < log->slip_count; ++i) {
        const atemi_slip *slip = &log->slips[i];
        add_row(list, (double[]){slip->start, slip->place, slip->duration, slip->distance}, "%s",
                foot_names[slip->foot]);
    }
}

static void list_collisions(const atemi_walk_log *log, const atemi_gait_watch *gait,
                            table_list *list)
{
    (void)gait;
    for (int i = 0; i < ATEMI_WALKING_POINTS; ++i) {
        const atemi_walk_collisions *collisions = &log->collisions[i];
        const double                 count = (double)collisions->count;
        add_row(list,
                (double[]){count, collisions->count ? collisions->sum / count : (double)NAN,
                           collisions->hardest, collisions->fastest},
                "%s", atemi_walk_point_name(i));
    }
}

static void list_gait(const atemi_walk_log *log, const atemi_gait_watch *gait, table_list *list)
{
    (void)log;
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

static void list_arrows(const atemi_walk_log *log, const atemi_gait_watch *gait, table_list *list)
{
    (void)log;
    for (int i = 0; i < ATEMI_FOOT_STATES * ATEMI_FOOT_STATES; ++i) {
        const int from = i / ATEMI_FOOT_STATES, to = i % ATEMI_FOOT_STATES;
        if (gait->arrows[from][to] > 0) {
            add_row(list, (double[]){(double)gait->arrows[from][to]}, "%s -> %s",
                    atemi_foot_state_text((atemi_foot_state)from),
                    atemi_foot_state_text((atemi_foot_state)to));
        }
    }
}

static void list_patches(const atemi_walk_log *log, const atemi_gait_watch *gait, table_list *list)
{
    const atemi_walk_task *task = &log->scenario->task;
    (void)gait;
    for (int i = 0; i < task->patch_count; ++i) {
        const atemi_floor_patch *patch = &task->patches[i];
        add_row(list, (double[]){patch->from, patch->to, patch->friction}, "patch %d", i + 1);
    }
}

typedef struct table_kind {
    const char *name, *title;
    void (*fill)(const atemi_walk_log *log, const atemi_gait_watch *gait, table_list *list);
    int                   columns;
    atemi_recorded_column heads[4];
} table_kind;

static const table_kind kinds[] = {
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

static atemi_status add_table(const atemi_walk_log *log, const atemi_gait_watch *gait,
                              const table_kind *kind, table_list *list, atemi_error *error)
{
    list->columns = kind->columns;
    list->count = 0;
    kind->fill(log, gait, list);
    const atemi_recorded_table table = {.name = kind->name,
                                        .title = kind->title,
                                        .row_count = list->count,
                                        .column_count = kind->columns,
                                        .columns = kind->heads,
                                        .labels = list->labels,
                                        .values = list->values};
    return atemi_recording_add_table(log->recording, &table, error);
}

atemi_status atemi_walk_log_tables(const atemi_walk_log *log, const atemi_gait_watch *gait,
                                   atemi_error *error)
{
    const size_t most = (size_t)log->slip_count + (size_t)log->scenario->task.patch_count +
                        ATEMI_FOOT_STATES * ATEMI_FOOT_STATES;
    table_list   list = {.values = (double *)atemi_allocate(4 * most * sizeof(double)),
                         .labels = (const char **)atemi_allocate(most * sizeof(char *)),
                         .texts = (char(*)[TEXT_SIZE])atemi_allocate(most * TEXT_SIZE)};
    const bool   ready = list.values && list.labels && list.texts;
    atemi_status status =
        ready ? ATEMI_OK : atemi_fail(error, ATEMI_ERROR_MEMORY, "no memory for a walk's tables");
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0] && !status; ++i) {
        status = add_table(log, gait, &kinds[i], &list, error);
    }
    atemi_release(list.values);
    atemi_release((void *)list.labels);
    atemi_release(list.texts);
    return status;
}

// ---- Creation -------------------------------------------------------------------------------

atemi_status atemi_walk_log_create(const atemi_walk_scenario *scenario, atemi_walk_log *log,
                                   atemi_error *error)
{
    *log = (atemi_walk_log){.scenario = scenario};
    const atemi_recorded_surface floor = {"floor", atemi_surface_floor()};
    const int                    count = atemi_columns_count(&atemi_walk_column_table, log);
    log->row = (double *)atemi_allocate((size_t)count * sizeof *log->row);
    atemi_status status =
        log->row ? ATEMI_OK : atemi_fail(error, ATEMI_ERROR_MEMORY, "no memory for a walk's rows");
    status = status ? status
                    : atemi_columns_create(&atemi_walk_column_table, log, &log->recording, error);
    return status ? status : atemi_recording_add_surface(log->recording, &floor, error);
}

void atemi_walk_log_destroy(atemi_walk_log *log)
{
    atemi_recording_destroy(log->recording);
    atemi_release(log->slips);
    atemi_release(log->row);
}
