// SPDX-License-Identifier: Apache-2.0

#include "jobs/walk/walk_log.h"

#include <math.h>
#include <stdio.h>

const char *atemi_walk_side_name(int side)
{
    static const char *const names[ATEMI_SIDES] = {"right foot", "left foot"};
    return names[side];
}

static void watch_phases(atemi_walk_log *log, const atemi_biped_state *state, double time)
{
    static const char *const texts[] = {"stands on both feet", "passes to this foot",
                                        "carries the robot"};
    static const char *const kinds[] = {"stands", "passes", "swings"};
    if (state->phase == log->phase && state->landings == log->landings) {
        return;
    }
    char        text[ATEMI_WALK_TEXT];
    const char *foot = atemi_walk_side_name(state->support);
    snprintf(text, sizeof text, "%s %s", foot, texts[state->phase]);
    atemi_walk_log_add(log,
                       &(atemi_recorded_event){
                           .t = time, .kind = kinds[state->phase], .what = foot, .text = text});
    log->phase = state->phase;
    log->landings = state->landings;
}

// The first look finds the states to begin with.
static void watch_soles(atemi_walk_log *log, const atemi_biped_walk *walk, double time)
{
    char text[ATEMI_WALK_TEXT];
    for (int side = 0; side < ATEMI_SIDES; ++side) {
        const atemi_sole_state state = atemi_biped_walk_foot(walk, side);
        if (state != log->soles[side] && log->next > 0.0) {
            const char *foot = atemi_walk_side_name(side), *kind = atemi_sole_state_text(state);
            snprintf(text, sizeof text, "%s: %s, then %s", foot,
                     atemi_sole_state_text(log->soles[side]), kind);
            atemi_walk_log_add(
                log, &(atemi_recorded_event){.t = time, .kind = kind, .what = foot, .text = text});
        }
        log->soles[side] = state;
    }
}

bool atemi_walk_log_biped(atemi_walk_log *log, const atemi_biped_walk *walk)
{
    const double            time = atemi_simulation_time(atemi_biped_walk_simulation(walk));
    const bool              due = time >= log->next;
    const atemi_biped_state state = atemi_biped_state_get(atemi_biped_walk_controller(walk));
    watch_phases(log, &state, time);
    watch_soles(log, walk, time);
    if (due) {
        log->biped = walk;
        atemi_walk_log_row(log, time);
    }
    return due;
}

void atemi_walk_log_sole_slip(atemi_walk_log *log, const atemi_sole_slip *slip)
{
    const double degrees = slip->direction * 180.0 / 3.14159265358979323846;
    const char  *foot = atemi_walk_side_name(slip->foot);
    char         text[ATEMI_WALK_TEXT];
    if (!log->fault && atemi_walk_log_reserve(log)) {
        log->slips[log->slip_count++].sole = *slip;
    }
    snprintf(text, sizeof text,
             "%s slid by %.3g m in %.3g s at (%.3g, %.3g) m, in the direction of %.0f degrees; "
             "cause: %s",
             foot, slip->distance, slip->duration, slip->place.x, slip->place.y, degrees,
             atemi_slip_cause_text(slip->cause));
    const atemi_recorded_value values[] = {
        {"distance", slip->distance, "m"},     {"duration", slip->duration, "s"},
        {"direction", slip->direction, "rad"}, {"place_x", slip->place.x, "m"},
        {"place_y", slip->place.y, "m"},       {"place_z", slip->place.z, "m"}};
    atemi_walk_log_add(log, &(atemi_recorded_event){.t = slip->start,
                                                    .kind = "slip",
                                                    .what = foot,
                                                    .text = text,
                                                    .value_count = sizeof values / sizeof *values,
                                                    .values = values});
}

void atemi_walk_log_fall(atemi_walk_log *log, const atemi_biped_summary *summary)
{
    const double               degrees = 180.0 / 3.14159265358979323846;
    const atemi_recorded_value values[] = {{"lean", summary->lean, "rad"},
                                           {"lean_heading", summary->lean_heading, "rad"},
                                           {"place_x", summary->place.x, "m"},
                                           {"place_y", summary->place.y, "m"},
                                           {"place_z", summary->place.z, "m"}};
    char                       text[ATEMI_WALK_TEXT];
    snprintf(text, sizeof text,
             "the robot falls at (%.3g, %.3g) m: its trunk leans by %.0f degrees, %.0f degrees "
             "from forwards to the left; right foot: %s, left foot: %s",
             summary->place.x, summary->place.y, degrees * summary->lean,
             degrees * summary->lean_heading, atemi_sole_state_text(log->soles[ATEMI_SIDE_RIGHT]),
             atemi_sole_state_text(log->soles[ATEMI_SIDE_LEFT]));
    atemi_walk_log_add(log, &(atemi_recorded_event){.t = summary->time,
                                                    .kind = "fall",
                                                    .what = "robot",
                                                    .text = text,
                                                    .value_count = sizeof values / sizeof *values,
                                                    .values = values});
}
