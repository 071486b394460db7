// SPDX-License-Identifier: Apache-2.0

#include "jobs/strike/strike_run.h"

#include <math.h>

// A strike in a few lines, for people.

static void summarize_search(atemi_text *text, const atemi_recording *recording,
                             const atemi_job_effort *effort)
{
    atemi_text_append(text, "  time      %.3g s for everything\n", effort->wall_time);
    atemi_text_append(text, "  search    %.0f of %.0f searches feasible, %.0f evaluations\n",
                      atemi_recording_result_value(recording, "feasible_tries"),
                      atemi_recording_result_value(recording, "tries"),
                      atemi_recording_result_value(recording, "evaluations"));
    atemi_text_append(text, "  planning  %s\n", effort->message);
    atemi_text_append(
        text,
        "  motion    uses %.0f %% of the torques and %.0f %% of the speeds at most; ZMP %.0f mm "
        "inside\n",
        100.0 * atemi_recording_result_value(recording, "largest_torque_part"),
        100.0 * atemi_recording_result_value(recording, "largest_speed_part"),
        1e3 * atemi_recording_result_value(recording, "least_motion_margin"));
}

static void summarize_feet(atemi_text *text, const atemi_recording *recording)
{
    const double lift_offs = atemi_recording_result_value(recording, "verified_lift_offs");
    const double slips = atemi_recording_result_value(recording, "verified_slips");
    if (lift_offs + slips > 0.0) {
        atemi_text_append(
            text, "  feet      corners lift off %.0f times, feet begin to slip %.0f times\n",
            lift_offs, slips);
    } else {
        atemi_text_put_string(text, "  feet      neither lift off nor slip\n");
    }
}

static void summarize_verification(atemi_text *text, const atemi_recording *recording)
{
    atemi_text_append(text, "  verified  %s: %.4g N (%+.2f %%) and %.4g N s (%+.2f %%)\n",
                      atemi_recording_result_value(recording, "stands") == 1.0 ? "stands" : "FALLS",
                      atemi_recording_result_value(recording, "verified_peak_force"),
                      100.0 * atemi_recording_result_value(recording, "peak_force_error"),
                      atemi_recording_result_value(recording, "verified_impulse"),
                      100.0 * atemi_recording_result_value(recording, "impulse_error"));
    atemi_text_append(
        text, "  ZMP       %.0f mm inside before the blow, %.0f mm in it, %.0f mm after it\n",
        1e3 * atemi_recording_result_value(recording, "verified_margin_before"),
        1e3 * atemi_recording_result_value(recording, "verified_margin_in_the_blow"),
        1e3 * atemi_recording_result_value(recording, "verified_margin_after"));
    summarize_feet(text, recording);
}

void atemi_strike_summarize(atemi_text *text, const atemi_recording *recording,
                            const atemi_job_effort *effort)
{
    summarize_search(text, recording, effort);
    if (isfinite(atemi_recording_result_value(recording, "verified_impulse"))) {
        summarize_verification(text, recording);
    }
    atemi_strike_summarize_draws(text, recording);
}
