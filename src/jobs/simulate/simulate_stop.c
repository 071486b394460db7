// SPDX-License-Identifier: Apache-2.0

#include "jobs/simulate/simulate_stop.h"

#include "atemi/base.h"
#include "io/scenario/scenario_failure.h"
#include "io/scenario/scenario_pick.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MAX_STOPS = 100 };

// ---- Reading

static void read_heights(atemi_scenario_reader *reader, const atemi_model *model, int kind,
                         atemi_stop *stop)
{
    stop->height = atemi_scenario_number(
        reader, "height",
        (atemi_number_key){
            .unit = "m", .required = true, .help = "of com_below and link_below: z in the world"});
    if (atemi_scenario_wants(reader, kind, ATEMI_STOP_LINK_BELOW)) {
        const char *link = atemi_scenario_string(
            reader, "link",
            (atemi_string_key){.required = true, .help = "of link_below: its origin counts"});
        stop->link = atemi_scenario_pick(reader, atemi_scenario_links(model), link);
    }
}

static void read_rest(atemi_scenario_reader *reader, atemi_stop *stop)
{
    stop->speed = atemi_scenario_number(
        reader, "speed",
        (atemi_number_key){.fallback = 1e-3,
                           .lower = 0.0,
                           .upper = INFINITY,
                           .open = true,
                           .help = "of at_rest: every joint and the base are slower, in rad/s and "
                                   "m/s"});
    stop->span = atemi_scenario_number(
        reader, "for",
        (atemi_number_key){
            .unit = "s", .fallback = 0.1, .lower = 0.0, .upper = INFINITY, .help = "of at_rest"});
    stop->since = NAN;
}

// "right_sole" and "right_sole.2" both name "right_sole.2".
static bool is_named(const char *point, const char *name)
{
    const size_t length = strlen(name);
    return strncmp(point, name, length) == 0 && (point[length] == '.' || point[length] == '\0');
}

static void check_contact(atemi_scenario_reader *reader, const atemi_scenario_contacts *contacts,
                          const char *name)
{
    bool found = false;
    for (int i = 0; i < contacts->count; ++i) {
        found = found || is_named(contacts->about[i].name, name);
    }
    if (!found) {
        atemi_scenario_fail(reader, atemi_scenario_last(reader), "there is no contact '%.64s'%s%s",
                            name, contacts->count ? "; give the name of one, such as " : "",
                            contacts->count ? contacts->about[0].name : "");
    }
}

static void read_event(atemi_scenario_reader *reader, const atemi_scenario_contacts *contacts,
                       atemi_stop *stop)
{
    const char *kinds[ATEMI_EVENT_JAM + 2] = {NULL};
    for (int i = 0; i <= ATEMI_EVENT_JAM; ++i) {
        kinds[i] = atemi_event_kind_text((atemi_event_kind)i);
    }
    stop->event = (atemi_event_kind)atemi_scenario_choice(
        reader, "event", (atemi_choice_key){.words = kinds, .required = true});
    stop->contact = atemi_scenario_string(
        reader, "contact",
        (atemi_string_key){.help = "of event: at which contact or point; without it, at any"});
    if (stop->contact) {
        check_contact(reader, contacts, stop->contact);
    }
}

static void read_stop(atemi_scenario_reader *reader, const atemi_model *model,
                      const atemi_scenario_contacts *contacts, atemi_stop *stop)
{
    static const char *const kinds[] = {"com_below", "link_below", "at_rest", "event", NULL};
    const int                kind = atemi_scenario_choice(
        reader, "when",
        (atemi_choice_key){.words = kinds, .required = true, .help = "what ends the simulation"});
    stop->kind = (atemi_stop_kind)kind;
    if (kind == ATEMI_STOP_LINK_BELOW || atemi_scenario_wants(reader, kind, ATEMI_STOP_COM_BELOW)) {
        read_heights(reader, model, kind, stop);
    }
    if (atemi_scenario_wants(reader, kind, ATEMI_STOP_AT_REST)) {
        read_rest(reader, stop);
    }
    if (atemi_scenario_wants(reader, kind, ATEMI_STOP_EVENT)) {
        read_event(reader, contacts, stop);
    }
}

void atemi_stops_read(atemi_scenario_reader *reader, const atemi_model *model,
                      const atemi_scenario_contacts *contacts, atemi_stops *stops)
{
    const int count = atemi_scenario_enter_list(
        reader, "stop", 0, MAX_STOPS, "what ends it before the duration is over: the first of");
    *stops = (atemi_stops){0};
    stops->stops = (atemi_stop *)atemi_scenario_allocate(reader, sizeof *stops->stops, count);
    while (atemi_scenario_next(reader)) {
        read_stop(reader, model, contacts, &stops->stops[stops->count++]);
    }
}

// ---- Judging

static double largest(int count, const double *x)
{
    double most = 0.0;
    for (int i = 0; i < count; ++i) {
        most = fmax(most, fabs(x[i]));
    }
    return most;
}

static bool has_come_to_rest(atemi_stop *stop, double time, double speed)
{
    if (!(speed < stop->speed)) {
        stop->since = NAN;
        return false;
    }
    stop->since = isnan(stop->since) ? time : stop->since;
    return time - stop->since >= stop->span;
}

bool atemi_stops_look(atemi_stops *stops, const atemi_model *model,
                      const atemi_kinematics *kinematics, double time, const double *v,
                      char reason[ATEMI_STOP_REASON])
{
    for (int i = 0; i < stops->count; ++i) {
        atemi_stop *stop = &stops->stops[i];
        if (stop->kind == ATEMI_STOP_COM_BELOW &&
            atemi_center_of_mass_in(model, kinematics).z < stop->height) {
            snprintf(reason, ATEMI_STOP_REASON, "the CoM fell below %g m", stop->height);
            return true;
        }
        if (stop->kind == ATEMI_STOP_LINK_BELOW &&
            atemi_link_pose_in(model, kinematics, stop->link).position.z < stop->height) {
            snprintf(reason, ATEMI_STOP_REASON, "the link %s fell below %g m",
                     atemi_model_link(model, stop->link)->name, stop->height);
            return true;
        }
        if (stop->kind == ATEMI_STOP_AT_REST &&
            has_come_to_rest(stop, time, largest(atemi_model_v_count(model), v))) {
            snprintf(reason, ATEMI_STOP_REASON, "it has been at rest for %g s", stop->span);
            return true;
        }
    }
    return false;
}

bool atemi_stops_hear(const atemi_stops *stops, const atemi_event *event, const char *contact,
                      char reason[ATEMI_STOP_REASON])
{
    for (int i = 0; i < stops->count; ++i) {
        const atemi_stop *stop = &stops->stops[i];
        if (stop->kind == ATEMI_STOP_EVENT && stop->event == event->kind &&
            (!stop->contact || is_named(contact, stop->contact))) {
            snprintf(reason, ATEMI_STOP_REASON, "%s%s%s at %.9g s",
                     atemi_event_kind_text(event->kind), contact[0] ? " of " : "", contact,
                     event->time);
            return true;
        }
    }
    return false;
}

void atemi_stops_destroy(atemi_stops *stops)
{
    atemi_release(stops->stops);
    *stops = (atemi_stops){0};
}
