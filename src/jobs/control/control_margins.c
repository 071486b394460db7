// SPDX-License-Identifier: Apache-2.0

#include "jobs/control/control_margins.h"

#include "atemi/base.h"
#include "control/coordination_options.h"
#include "jobs/control/control_joints.h"
#include "jobs/job.h"

#include <math.h>
#include <stdio.h>

enum { COLUMNS = CONTROL_DRIVE_COLUMNS, LABEL_SIZE = CONTROL_DRIVE_LABEL };

static const double degrees = 57.295779513082320877;
static const double turn = 6.283185307179586;

static const atemi_recorded_column columns[COLUMNS] = {{"effort", "N m"},
                                                       {"speed", "rad/s"},
                                                       {"rotor", "kg m^2"},
                                                       {"spring", "N m/rad"},
                                                       {"inertia_min", "kg m^2"},
                                                       {"inertia_max", "kg m^2"},
                                                       {"natural_frequency", "rad/s"},
                                                       {"phase_margin", "deg"},
                                                       {"at", "Hz"},
                                                       {"gain_margin", NULL}};

static void take(atemi_arena *arena, int count, control_margins *m)
{
    m->joints = atemi_arena_array(arena, atemi_coordinated_joint, count);
    m->stability = atemi_arena_array(arena, atemi_joint_stability, count);
    m->values = (double(*)[COLUMNS])atemi_arena_array(arena, double, COLUMNS *(size_t)count);
    m->texts = (char(*)[LABEL_SIZE])atemi_arena_array(arena, char, LABEL_SIZE *(size_t)count);
    m->labels = atemi_arena_array(arena, const char *, count);
}

static void label(const control_scenario *s, int i, control_margins *m)
{
    const atemi_joint_rating r = atemi_joint_rating_of(s->robot.model, i);
    const bool stated = r.effort_is_stated && r.velocity_is_stated && r.rotor_is_stated;
    snprintf(m->texts[i], LABEL_SIZE, "%.80s%s%s%s%s", atemi_control_joint(s->robot.model, i)->name,
             stated ? "" : " (estimated:", r.effort_is_stated ? "" : " effort",
             r.velocity_is_stated ? "" : " speed",
             stated              ? ""
             : r.rotor_is_stated ? ")"
                                 : " rotor)");
    m->labels[i] = m->texts[i];
}

static void fill(const control_scenario *s, int i, control_margins *m)
{
    const atemi_joint_rating     r = atemi_joint_rating_of(s->robot.model, i);
    const atemi_joint_stability *t = &m->stability[i];
    const atemi_joint_drive     *d = &s->plants[i].drive;
    const double                 row[COLUMNS] = {r.effort,
                                                 r.velocity,
                                                 d->rotor_inertia * d->gear * d->gear,
                                                 d->spring,
                                                 t->inertia_min,
                                                 t->inertia_max,
                                                 t->natural_frequency,
                                                 degrees * t->margin.phase,
                                                 t->margin.frequency / turn,
                                                 t->margin.gain};
    for (int c = 0; c < COLUMNS; ++c) {
        m->values[i][c] = row[c];
    }
    label(s, i, m);
}

// What is wanted later is no higher either.
static void lower(control_scenario *s, int i, const atemi_joint_stability *t, control_log *log)
{
    const char  *name = atemi_control_joint(s->robot.model, i)->name;
    const double wanted = s->joints[i].dynamics.natural_frequency;
    if (t->natural_frequency < wanted) {
        s->joints[i].highest_frequency = t->natural_frequency;
        atemi_control_note(log, 0.0, "margin", name,
                           "%s: natural frequency %.3g rad/s in place of %.3g, which would not be "
                           "stable: phase margin %.0f degrees at %.2g Hz now",
                           name, t->natural_frequency, wanted, degrees * t->margin.phase,
                           t->margin.frequency / turn);
    }
    if (!t->is_good) {
        atemi_control_note(log, 0.0, "margin", name,
                           "%s: phase margin %.0f degrees at %.2g Hz, gain margin %.2g%s; change "
                           "its loops, or its drive",
                           name, degrees * t->margin.phase, t->margin.frequency / turn,
                           t->margin.gain, t->margin.stable ? "" : ": not stable");
    }
}

static void fit(const control_scenario *s, control_margins *m)
{
    for (int i = 0; i < m->count; ++i) {
        m->joints[i] = s->joints[i];
        atemi_coordinated_joint_fit(atemi_control_scenario_believed(s), i, &s->controls[i],
                                    s->joint_friction, &m->joints[i]);
    }
}

// Joints that cannot be are refused before.
static atemi_status find(control_scenario *s, control_log *log, control_margins *m,
                         atemi_error *error)
{
    const atemi_model *model = atemi_control_scenario_believed(s);
    atemi_status       status = atemi_coordination_options_check(model, &s->coordination, error);
    if (!status) {
        fit(s, m);
        status = atemi_joint_stability_find(model, atemi_control_holds_base(&s->holds), s->controls,
                                            m->joints, m->stability, error);
    }
    for (int i = 0; i < m->count && !status; ++i) {
        m->least = fmin(m->least, degrees * m->stability[i].margin.phase);
        lower(s, i, &m->stability[i], log);
        fill(s, i, m);
    }
    return status;
}

atemi_status atemi_control_margins_create(control_scenario *scenario, control_log *log,
                                          control_margins *margins, atemi_error *error)
{
    const int   count = atemi_control_joint_count(scenario->robot.model);
    atemi_arena arena = atemi_arena_measuring();
    *margins = (control_margins){.count = count, .least = 180.0};
    take(&arena, count, margins);
    const atemi_status status = atemi_arena_create(&margins->arena, arena.used, error);
    if (!status) {
        take(&margins->arena, count, margins);
    }
    return status ? status : find(scenario, log, margins, error);
}

void atemi_control_margins_destroy(control_margins *margins)
{
    atemi_arena_destroy(&margins->arena);
}

atemi_status atemi_control_margins_report(const control_margins *margins,
                                          atemi_recording *recording, atemi_error *error)
{
    const atemi_recorded_value results[] = {{"least_phase_margin", margins->least, "deg"}};
    const atemi_recorded_table table = {.name = "drives",
                                        .title = "Drives of the joints, and margins of their loops",
                                        .row_count = margins->count,
                                        .column_count = COLUMNS,
                                        .columns = columns,
                                        .labels = margins->labels,
                                        .values = margins->values ? &margins->values[0][0] : NULL};
    const atemi_status         status = atemi_job_add_results(recording, results, 1, error);
    return status || !margins->count ? status : atemi_recording_add_table(recording, &table, error);
}
