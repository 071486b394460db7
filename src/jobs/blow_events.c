// SPDX-License-Identifier: Apache-2.0

#include "jobs/blow_events.h"

#include <math.h>

atemi_status atemi_job_add_blow_events(atemi_recording *recording, double speed, double peak,
                                       double contact_time, atemi_error *error)
{
    const atemi_recorded_value values[] = {{"speed", speed, "m/s"}, {"largest force", peak, "N"}};
    const atemi_recorded_event touch = {.t = 0.0,
                                        .kind = "touch",
                                        .what = "hand",
                                        .text = "the hand touches the target",
                                        .value_count = 2,
                                        .values = values};
    const atemi_recorded_event release = {
        .t = contact_time, .kind = "release", .what = "hand", .text = "the hand lets go"};
    const atemi_status status = atemi_recording_add_event(recording, &touch, error);
    return status || !(contact_time > 0.0 && isfinite(contact_time))
               ? status
               : atemi_recording_add_event(recording, &release, error);
}
