// SPDX-License-Identifier: Apache-2.0

#include "papers/sdc/sdc_motions.h"

#include "atemi/job.h"

#include <stdio.h>

const char *const sdc_motion_names[SDC_MOTIONS] = {"A-1", "A-2", "A-3", "B-1", "B-2",
                                                   "B-3", "C-1", "C-2", "C-3"};
const double      sdc_masses[SDC_POSTURES] = {4.0, 6.0, 8.0};
const double      sdc_speeds[SDC_SPEEDS] = {0.4, 0.7, 1.0};
const double sdc_printed_full_impulse[SDC_MOTIONS] = {2.6, 4.5, 6.6, 2.5, 4.5, 6.5, 2.8, 4.8, 7.1};
const double sdc_printed_impulse[SDC_MOTIONS] = {2.6, 4.6, 6.5, 2.7, 4.7, 6.7, 2.7, 4.8, 6.9};

static const char scenario[] = "robot: hrp2_like\n"
                               "gravity: [0, 0, -9.8]\n"
                               "start: {posture: punch_%dkg, place_on: floor}\n"
                               "contacts:\n"
                               "  - {site: right_sole, friction: 5}\n"
                               "  - {site: left_sole, friction: 5}\n"
                               "hand: {site: right_fist, direction: [1, 0, 0], speed: %.1f m/s}\n"
                               "servo: {stiffness: %g, damping: %g}\n"
                               "joint_friction: false\n"
                               "target: {mass: 5 kg, stiffness: 10 kN/m, damping: 300 N s/m}\n";

atemi_status sdc_motion_run(int motion, sdc_gains gains, bool full, atemi_recording **recording,
                            atemi_error *error)
{
    char                    text[sizeof scenario + 96];
    const atemi_job_options options = {.flags = full ? ATEMI_IMPACT_BY_FULL_DYNAMICS : 0};
    const int length = snprintf(text, sizeof text, scenario, (int)sdc_masses[motion / SDC_SPEEDS],
                                sdc_speeds[motion % SDC_SPEEDS], gains.stiffness, gains.damping);
    return atemi_job_run_text("impact", text, (size_t)length, "sdc", &options, recording, error);
}
