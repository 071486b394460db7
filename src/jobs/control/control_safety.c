// SPDX-License-Identifier: Apache-2.0

#include "jobs/control/control_safety.h"

#include "atemi/base.h"
#include "jobs/job.h"

#include <math.h>
#include <stdio.h>

// A contact hits for its first transient_time, and presses from then on. One that opens for less
// than that time is the same contact still: a hand that shakes presses.

// rad/s or m/s of a joint: a point 1 m from it is moved with 0.2 m/s. Sensor noise alone makes
// light wrists that hold still go with half of that.
static const double slow = 0.2;

enum { COLUMNS = 6, LABEL_SIZE = 120 }; // longer ones are cut

// ---- Watching -------------------------------------------------------------------------------

static double limit_part(double force, double limit)
{
    return isfinite(limit) ? force / limit : 0.0;
}

static double transient_part(const control_touching *t, const control_person *p)
{
    return limit_part(t->transient, p->transient_limit);
}

static double pressing_part(const control_touching *t, const control_person *p)
{
    return limit_part(t->pressing, p->force_limit);
}

static double part(const control_touching *t, const control_person *p)
{
    return fmax(transient_part(t, p), pressing_part(t, p));
}

static void feel(control_touching *t, const control_person *p, double force, double time)
{
    if (isnan(t->begun) || time - t->last > p->transient_time) {
        t->begun = time;
    }
    t->last = time;
    t->longest = fmax(t->longest, time - t->begun);
    double *largest = time - t->begun > p->transient_time ? &t->pressing : &t->transient;
    *largest = fmax(*largest, force);
}

static void note_limit(const control_session *s, control_touching *t, const control_person *p)
{
    const bool presses = pressing_part(t, p) > 1.0;
    if (!t->is_noted && part(t, p) > 1.0) {
        t->is_noted = true;
        atemi_control_note(s->log, t->last, "force limit", p->name,
                           "%s: a contact %s with more than the %.4g N of its %s", p->name,
                           presses ? "presses" : "hits",
                           presses ? p->force_limit : p->transient_limit,
                           presses ? "force_limit" : "transient_limit");
    }
}

static void watch_person(control_safety *safety, const control_session *s, int i)
{
    const atemi_soft_body_state body = atemi_whole_body_plant_body(s->plant, i);
    const control_person       *p = &safety->scenario->people.persons[i];
    control_touching           *t = &safety->people[i];
    const double                force = atemi_vec3_norm(body.force);
    if (force > 0.0) {
        feel(t, p, force, safety->time);
        t->moved = fmax(t->moved, atemi_vec3_norm(body.position));
        note_limit(s, t, p);
    }
}

void atemi_control_safety_tick(control_safety *safety, const control_session *session)
{
    const atemi_model *model = safety->scenario->robot.model;
    const double      *v = atemi_whole_body_plant_v(session->plant);
    safety->time = atemi_whole_body_plant_time(session->plant);
    for (int i = 0; i < safety->scenario->people.person_count; ++i) {
        watch_person(safety, session, i);
    }
    safety->speed = 0.0;
    for (int i = atemi_base_v_count(atemi_model_base(model)); i < atemi_model_v_count(model); ++i) {
        safety->speed = fmax(safety->speed, fabs(v[i]));
    }
    safety->last_motion = safety->speed > slow ? safety->time : safety->last_motion;
}

// ---- Judging --------------------------------------------------------------------------------

double atemi_control_safety_part(const control_safety *safety)
{
    const control_people *people = &safety->scenario->people;
    double                largest = 0.0;
    bool                  any = false;
    for (int i = 0; i < people->person_count; ++i) {
        const control_person *p = &people->persons[i];
        any = any || isfinite(p->force_limit) || isfinite(p->transient_limit);
        largest = fmax(largest, part(&safety->people[i], p));
    }
    return any ? largest : (double)NAN;
}

void atemi_control_safety_describe(const control_safety *safety, char *text)
{
    const control_people *people = &safety->scenario->people;
    int                   worst = 0;
    for (int i = 1; i < people->person_count; ++i) {
        worst = part(&safety->people[i], &people->persons[i]) >
                        part(&safety->people[worst], &people->persons[worst])
                    ? i
                    : worst;
    }
    const control_person   *p = &people->persons[worst];
    const control_touching *t = &safety->people[worst];
    if (pressing_part(t, p) >= transient_part(t, p)) {
        snprintf(text, CONTROL_SAFETY_TEXT,
                 "presses %.80s with %.4g N, more than its force_limit of %.4g N; lower the "
                 "torque_limit of its joints",
                 p->name, t->pressing, p->force_limit);
    } else {
        snprintf(text, CONTROL_SAFETY_TEXT,
                 "hits %.80s with %.4g N, more than its transient_limit of %.4g N; lower the "
                 "velocity of its joints and tasks",
                 p->name, t->transient, p->transient_limit);
    }
}

// ---- Reporting ------------------------------------------------------------------------------

static const char *verdict(const control_touching *t, const control_person *p)
{
    return isnan(t->begun)                                      ? "not touched"
           : isinf(p->force_limit) && isinf(p->transient_limit) ? "touched, without a limit"
           : part(t, p) > 1.0                                   ? "beyond its limit"
                                                                : "within its limits";
}

static atemi_status add_table(const control_safety *safety, double *values, const char **labels,
                              char (*texts)[LABEL_SIZE], atemi_recording *recording,
                              atemi_error *error)
{
    static const atemi_recorded_column columns[COLUMNS] = {
        {"transient", "N"},   {"transient_limit", "N"}, {"pressing", "N"},
        {"force_limit", "N"}, {"moved", "m"},           {"contact", "s"}};
    const control_people *people = &safety->scenario->people;
    for (int i = 0; i < people->person_count; ++i) {
        const control_person   *p = &people->persons[i];
        const control_touching *t = &safety->people[i];
        const double            row[COLUMNS] = {t->transient,   p->transient_limit, t->pressing,
                                                p->force_limit, t->moved,           t->longest};
        snprintf(texts[i], LABEL_SIZE, "%.80s: %s", p->name, verdict(t, p));
        labels[i] = texts[i];
        for (int c = 0; c < COLUMNS; ++c) {
            values[i * COLUMNS + c] = row[c];
        }
    }
    const atemi_recorded_table table = {.name = "people",
                                        .title = "What people felt, and what they bear",
                                        .row_count = people->person_count,
                                        .column_count = COLUMNS,
                                        .columns = columns,
                                        .labels = labels,
                                        .values = values};
    return atemi_recording_add_table(recording, &table, error);
}

static atemi_status report_people(const control_safety *safety, atemi_recording *recording,
                                  atemi_error *error)
{
    const size_t count = (size_t)safety->scenario->people.person_count;
    double      *values = (double *)atemi_allocate(count * COLUMNS * sizeof *values);
    const char **labels = (const char **)atemi_allocate(count * sizeof *labels);
    char(*texts)[LABEL_SIZE] = (char(*)[LABEL_SIZE])atemi_allocate(count * sizeof *texts);
    const atemi_status status =
        values && labels && texts
            ? add_table(safety, values, labels, texts, recording, error)
            : atemi_fail(error, ATEMI_ERROR_MEMORY, "no memory for a table of a recording");
    atemi_release(values);
    atemi_release((void *)labels);
    atemi_release(texts);
    return status;
}

atemi_status atemi_control_safety_report(const control_safety *safety, atemi_recording *recording,
                                         atemi_error *error)
{
    const control_people *people = &safety->scenario->people;
    const bool            is_slow = safety->last_motion < safety->time || safety->time == 0.0;
    double                transient = 0.0, pressing = 0.0;
    for (int i = 0; i < people->person_count; ++i) {
        transient = fmax(transient, safety->people[i].transient);
        pressing = fmax(pressing, safety->people[i].pressing);
    }
    const atemi_recorded_value results[] = {
        {"largest_transient_force", transient, "N"},
        {"largest_pressing_force", pressing, "N"},
        {"largest_force_part", atemi_control_safety_part(safety), NULL},
        {"slow_since", is_slow ? safety->last_motion : (double)NAN, "s"},
        {"last_speed", safety->speed, NULL}};
    const atemi_status status =
        atemi_job_add_results(recording, results, sizeof results / sizeof *results, error);
    return status || !people->person_count ? status : report_people(safety, recording, error);
}

// ---- Creating -------------------------------------------------------------------------------

static void take(atemi_arena *arena, const control_scenario *scenario, control_safety *safety)
{
    safety->people = atemi_arena_array(arena, control_touching, scenario->people.person_count);
}

atemi_status atemi_control_safety_create(const control_scenario *scenario, control_safety *safety,
                                         atemi_error *error)
{
    *safety = (control_safety){.scenario = scenario};
    atemi_arena arena = atemi_arena_measuring();
    take(&arena, scenario, safety);
    const atemi_status status = atemi_arena_create(&safety->arena, arena.used, error);
    if (!status) {
        take(&safety->arena, scenario, safety);
    }
    for (int i = 0; i < scenario->people.person_count && !status; ++i) {
        safety->people[i].begun = safety->people[i].last = (double)NAN;
    }
    return status;
}

void atemi_control_safety_destroy(control_safety *safety)
{
    atemi_arena_destroy(&safety->arena);
}
