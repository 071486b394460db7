// SPDX-License-Identifier: Apache-2.0

#include "jobs/walk/walk_log.h"

#include "atemi/base.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { FIRST_SLIPS = 64 };

const char *atemi_walk_foot_name(int foot)
{
    static const char *const names[ATEMI_FEET] = {"left foot", "right foot"};
    return names[foot];
}

// ---- Rows -----------------------------------------------------------------------------------

void atemi_walk_log_row(atemi_walk_log *log, double time)
{
    if (!log->fault) {
        atemi_columns_fill(&atemi_walk_column_table, log, log->row);
        log->fault = atemi_recording_append(log->recording, log->row, &log->error);
        log->next = log->scenario->every * (floor(time / log->scenario->every + 1e-6) + 1.0) - 1e-9;
    }
}

// ---- Events ---------------------------------------------------------------------------------

void atemi_walk_log_add(atemi_walk_log *log, const atemi_recorded_event *event)
{
    if (atemi_recording_event_count(log->recording) >= ATEMI_RECORDING_MAX_EVENTS) {
        ++log->left_out;
    } else if (!log->fault) {
        log->fault = atemi_recording_add_event(log->recording, event, &log->error);
    }
}

static void add_change(atemi_walk_log *log, int foot, atemi_foot_state to, double time)
{
    char                   text[ATEMI_WALK_TEXT];
    const atemi_gait_arrow arrow = atemi_gait_arrow_between(log->states[foot], to);
    const bool both = arrow.touch != ATEMI_GUARD_NONE && arrow.slide != ATEMI_GUARD_NONE;
    snprintf(text, sizeof text, "%s: %s, then %s: %s%s%s", atemi_walk_foot_name(foot),
             atemi_foot_state_text(arrow.from), atemi_foot_state_text(arrow.to),
             atemi_gait_guard_text(arrow.touch), both ? "; " : "",
             atemi_gait_guard_text(arrow.slide));
    atemi_walk_log_add(log, &(atemi_recorded_event){.t = time,
                                                    .kind = atemi_foot_state_text(to),
                                                    .what = atemi_walk_foot_name(foot),
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
    if (due) {
        log->walk = walk;
        log->state = atemi_walking_controller_state(atemi_walk_controller(walk));
        atemi_walk_log_row(log, time);
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
    char                       text[ATEMI_WALK_TEXT];
    const atemi_recorded_value values[] = {{"speed", event->speed, "m/s"},
                                           {"impulse_x", event->impulse.x, "N s"},
                                           {"impulse_z", event->impulse.z, "N s"}};
    ++collisions->count;
    collisions->sum += impulse;
    collisions->hardest = fmax(collisions->hardest, impulse);
    collisions->fastest = fmax(collisions->fastest, event->speed);
    snprintf(text, sizeof text, "%s lands with %.3g N s", name, impulse);
    atemi_walk_log_add(log, &(atemi_recorded_event){.t = event->time,
                                                    .kind = atemi_event_kind_text(event->kind),
                                                    .what = name,
                                                    .text = text,
                                                    .value_count = sizeof values / sizeof values[0],
                                                    .values = values});
}

// ---- Slips ----------------------------------------------------------------------------------

bool atemi_walk_log_reserve(atemi_walk_log *log)
{
    if (log->slip_count < log->slip_capacity) {
        return true;
    }
    const int        capacity = log->slip_capacity ? 2 * log->slip_capacity : FIRST_SLIPS;
    atemi_walk_slip *slips = (atemi_walk_slip *)atemi_allocate((size_t)capacity * sizeof *slips);
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
    char text[ATEMI_WALK_TEXT];
    if (!log->fault && atemi_walk_log_reserve(log)) {
        log->slips[log->slip_count++].planar = *slip;
    }
    snprintf(text, sizeof text, "%s slid by %.3g m in %.3g s at %.3g m",
             atemi_walk_foot_name(slip->foot), slip->distance, slip->duration, slip->place);
    atemi_walk_log_add(log, &(atemi_recorded_event){.t = slip->start,
                                                    .kind = "slip",
                                                    .what = atemi_walk_foot_name(slip->foot),
                                                    .text = text});
}

// ---- Creation -------------------------------------------------------------------------------

atemi_status atemi_walk_log_create(const atemi_walk_scenario *scenario, atemi_walk_log *log,
                                   atemi_error *error)
{
    *log = (atemi_walk_log){.scenario = scenario};
    const atemi_recorded_surface floor = {"floor", scenario->biped.floor ? *scenario->biped.floor
                                                                         : atemi_surface_floor()};
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
