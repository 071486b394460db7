// SPDX-License-Identifier: Apache-2.0

/// @file
/// When a simulation stops before its duration is over: the key stop.

#pragma once

#include "dynamics/kinematics.h"
#include "io/scenario/scenario_contacts.h"

typedef enum atemi_stop_kind {
    ATEMI_STOP_COM_BELOW,
    ATEMI_STOP_LINK_BELOW,
    ATEMI_STOP_AT_REST,
    ATEMI_STOP_EVENT,
} atemi_stop_kind;

enum { ATEMI_STOP_REASON = 400 };

typedef struct atemi_stop {
    atemi_stop_kind  kind;
    double           height;  ///< com_below, link_below; m
    int              link;    ///< link_below
    double           speed;   ///< at_rest; of every coordinate, m/s or rad/s
    double           span;    ///< at_rest; for so long, s
    double           since;   ///< at_rest; that it has been so, s; NaN while it has not
    atemi_event_kind event;   ///< event
    const char      *contact; ///< event; at this name or its corners; NULL for any
} atemi_stop;

typedef struct atemi_stops {
    int         count;
    atemi_stop *stops; ///< [count]
} atemi_stops;

/// @param model NULL where the reader has no file
void atemi_stops_read(atemi_scenario_reader *reader, const atemi_model *model,
                      const atemi_scenario_contacts *contacts, atemi_stops *stops);

/// Looks at a state, with the kinematics of it.
/// @return whether it is one to stop in; then `reason` says why
bool atemi_stops_look(atemi_stops *stops, const atemi_model *model,
                      const atemi_kinematics *kinematics, double time, const double *v,
                      char reason[ATEMI_STOP_REASON]);

/// Likewise for an event and the name of the contact point that it happened to, "" for none.
bool atemi_stops_hear(const atemi_stops *stops, const atemi_event *event, const char *contact,
                      char reason[ATEMI_STOP_REASON]);

void atemi_stops_destroy(atemi_stops *stops);
