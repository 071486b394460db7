// SPDX-License-Identifier: Apache-2.0

#include "jobs/impact/impact_tables.h"

#include "atemi/base.h"
#include "jobs/columns.h"
#include "jobs/job.h"

#include <math.h>

// In percent; what is off by rounding only is right.
static double off(double value, double truth)
{
    const double part = (truth - value) / truth;
    return fabs(part) < 1e-9 ? 0.0 : 100.0 * part;
}

// ---- Ways

atemi_status atemi_impact_add_methods(atemi_recording           *recording,
                                      const atemi_impact_answer *answers, atemi_error *error)
{
    static const atemi_recorded_column columns[] = {
        {"peak force", "N"},       {"peak off", "%"},       {"impulse", "N s"},
        {"impulse off", "%"},      {"contact time", "s"},   {"compression", "m"},
        {"hand after", "m/s"},     {"target after", "m/s"}, {"ZMP margin", "m"},
        {"servos at limit", NULL}, {"lift-offs", NULL},     {"slips", NULL}};
    enum { COLUMNS = sizeof columns / sizeof columns[0] };
    const atemi_impact_answer *full = &answers[ATEMI_IMPACT_FULL];
    const char                *labels[ATEMI_IMPACT_METHODS];
    double                     values[ATEMI_IMPACT_METHODS * COLUMNS], *next = values;
    int                        count = 0;
    for (int method = 0; method < ATEMI_IMPACT_METHODS; ++method) {
        const atemi_impact_answer *answer = &answers[method];
        const bool                 sees_joints = method != ATEMI_IMPACT_TWO_MASSES;
        const bool                 sees_feet = method == ATEMI_IMPACT_FULL;
        if (isnan(answer->impulse)) {
            continue;
        }
        labels[count++] = atemi_impact_method_text((atemi_impact_method)method);
        *next++ = answer->peak_force;
        *next++ = off(answer->peak_force, full->peak_force);
        *next++ = answer->impulse;
        *next++ = off(answer->impulse, full->impulse);
        *next++ = answer->contact_time;
        *next++ = answer->compression;
        *next++ = answer->hand_speed;
        *next++ = answer->target_speed;
        *next++ = sees_joints ? answer->margin : (double)NAN;
        *next++ = sees_joints ? answer->saturated : (double)NAN;
        *next++ = sees_feet ? answer->lift_offs : (double)NAN;
        *next++ = sees_feet ? answer->slips : (double)NAN;
    }
    const atemi_recorded_table table = {.name = "ways",
                                        .title = "The blow, computed in several ways",
                                        .row_count = count,
                                        .column_count = COLUMNS,
                                        .columns = columns,
                                        .labels = labels,
                                        .values = values};
    return atemi_recording_add_table(recording, &table, error);
}

// ---- Joints

static void put_joint(const atemi_impact_rows *rows, int j, double *next)
{
    const atemi_joint *joint = atemi_model_joint(rows->trial->model, j);
    const int          i = joint->first_v;
    const bool         driven = joint->v_count == 1;
    const double       limit = driven ? rows->scenario->servo.limits[i] : (double)NAN;
    next[0] = driven ? rows->peak_torques[i] : (double)NAN;
    next[1] = isinf(limit) ? (double)NAN : limit;
    next[2] = driven ? rows->peak_torques[i] >= limit * (1.0 - 1e-9) : (double)NAN;
    next[3] = rows->peak_forces[j];
    next[4] = rows->peak_moments[j];
}

atemi_status atemi_impact_add_joints(atemi_recording *recording, const atemi_impact_rows *rows,
                                     atemi_error *error)
{
    static const atemi_recorded_column columns[] = {{"servo, largest", "N m"},
                                                    {"limit", "N m"},
                                                    {"at its limit", NULL},
                                                    {"force in the joint", "N"},
                                                    {"moment in the joint", "N m"}};
    enum { COLUMNS = sizeof columns / sizeof columns[0] };
    const atemi_model *model = rows->trial->model;
    const int          most = atemi_model_joint_count(model);
    int                count = 0;
    const char       **labels = (const char **)atemi_allocate((size_t)(most + 1) * sizeof *labels);
    double *values = (double *)atemi_allocate((size_t)(most + 1) * COLUMNS * sizeof *values);
    for (int j = 0; j < most && labels && values; ++j) {
        if (atemi_columns_has_wrench(model, j)) {
            put_joint(rows, j, values + count * COLUMNS);
            labels[count++] = atemi_model_joint(model, j)->name;
        }
    }
    const atemi_recorded_table table = {.name = "joints",
                                        .title = "What each joint bears",
                                        .row_count = count,
                                        .column_count = COLUMNS,
                                        .columns = columns,
                                        .labels = labels,
                                        .values = values};
    const atemi_status         status =
        labels && values ? atemi_recording_add_table(recording, &table, error)
                                 : atemi_fail(error, ATEMI_ERROR_MEMORY, "no memory for a table");
    atemi_release((void *)labels);
    atemi_release(values);
    return status;
}
