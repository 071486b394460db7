// SPDX-License-Identifier: Apache-2.0

#include "jobs/job.h"
#include "jobs/strike/strike_run.h"

#include <math.h>
#include <stdio.h>

// What becomes of a strike where things are in doubt: the draws, and the cases that it was planned
// for.

enum { COLUMNS = 5 };

static bool is_asked_for(const atemi_strike_run *run)
{
    return atemi_strike_is_in_doubt(&run->scenario.task);
}

static double known(double value)
{
    return isfinite(value) ? value : (double)NAN;
}

atemi_status atemi_strike_add_draws(atemi_strike_run *run, atemi_error *error)
{
    const atemi_strike_draws  *d = &run->attempts.best.draws;
    const bool                 has = d->holds.draws > 0;
    const double               none = NAN;
    const atemi_recorded_value results[] = {
        {"draws", d->holds.draws, NULL},
        {"success_rate", has ? d->holds.rate : none, NULL},
        {"success_rate_lower", has ? d->holds.lower : none, NULL},
        {"success_rate_upper", has ? d->holds.upper : none, NULL},
        {"full_draws", d->stands.draws, NULL},
        {"full_success_rate", d->stands.draws > 0 ? d->stands.rate : none, NULL},
        {"full_success_rate_lower", d->stands.draws > 0 ? d->stands.lower : none, NULL},
        {"full_success_rate_upper", d->stands.draws > 0 ? d->stands.upper : none, NULL},
        {"full_still_rate", d->still.draws > 0 ? d->still.rate : none, NULL},
        {"missed_draws", d->missed, NULL},
        {"draws_zmp_margin", has ? known(d->zmp_margin) : none, "m"},
        {"draws_friction_left", has ? known(d->friction_left) : none, "N"},
        {"draws_edge_left", has ? known(d->edge_left) : none, "N m"},
        {"worst_draw_mass", has ? d->worst.mass : none, NULL},
        {"worst_draw_friction", has ? d->worst.friction : none, NULL},
        {"worst_draw_distance", has ? d->worst.distance : none, "m"},
        {"worst_draw_timing", has ? d->worst.timing : none, "s"},
        {"worst_draw_gains", has ? d->worst.gains : none, NULL},
        {"planned_cases", atemi_strike_plan_case_count(run->attempts.best.plan), NULL}};
    return is_asked_for(run) ? atemi_job_add_results(run->recording, results,
                                                     sizeof results / sizeof results[0], error)
                             : ATEMI_OK;
}

atemi_status atemi_strike_add_cases(atemi_strike_run *run, atemi_error *error)
{
    enum { LABEL_SIZE = 16 };
    static const atemi_recorded_column names[COLUMNS] = {{"mass", NULL},
                                                         {"friction of the target", NULL},
                                                         {"distance", "m"},
                                                         {"timing", "s"},
                                                         {"gains", NULL}};
    const atemi_strike_plan           *plan = run->attempts.best.plan;
    double                             values[ATEMI_STRIKE_MAX_CASES][COLUMNS];
    char                               texts[ATEMI_STRIKE_MAX_CASES][LABEL_SIZE];
    const char                        *labels[ATEMI_STRIKE_MAX_CASES];
    const int                          count = atemi_strike_plan_case_count(plan);
    for (int i = 0; i < count; ++i) {
        const atemi_strike_deviation *d = atemi_strike_plan_case(plan, i);
        const double row[COLUMNS] = {d->mass, d->friction, d->distance, d->timing, d->gains};
        for (int k = 0; k < COLUMNS; ++k) {
            values[i][k] = row[k];
        }
        snprintf(texts[i], LABEL_SIZE, "case %d", i + 1);
        labels[i] = texts[i];
    }
    const atemi_recorded_table table = {.name = "cases",
                                        .title = "Cases of doubt that the blow is planned for",
                                        .row_count = count,
                                        .column_count = COLUMNS,
                                        .columns = names,
                                        .labels = labels,
                                        .values = values[0]};
    return count > 0 ? atemi_recording_add_table(run->recording, &table, error) : ATEMI_OK;
}

void atemi_strike_summarize_draws(atemi_text *text, const atemi_recording *recording)
{
    const double draws = atemi_recording_result_value(recording, "draws");
    const double full = atemi_recording_result_value(recording, "full_draws");
    if (!(draws > 0.0)) {
        return;
    }
    atemi_text_append(
        text,
        "  in doubt  keeps balance in %.5g %% of %.0f draws (%.4g to %.4g %%, 95 %% confidence)\n",
        100.0 * atemi_recording_result_value(recording, "success_rate"), draws,
        100.0 * atemi_recording_result_value(recording, "success_rate_lower"),
        100.0 * atemi_recording_result_value(recording, "success_rate_upper"));
    if (full > 0.0) {
        atemi_text_append(
            text,
            "            stands in %.5g %% of %.0f by full dynamics (%.4g to %.4g %%); neither "
            "lifts "
            "a foot nor slips in %.5g %%\n",
            100.0 * atemi_recording_result_value(recording, "full_success_rate"), full,
            100.0 * atemi_recording_result_value(recording, "full_success_rate_lower"),
            100.0 * atemi_recording_result_value(recording, "full_success_rate_upper"),
            100.0 * atemi_recording_result_value(recording, "full_still_rate"));
    }
}
