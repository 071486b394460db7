// SPDX-License-Identifier: Apache-2.0

#include "papers/sdc/sdc_history.h"

#include "papers/sdc/sdc_motions.h"

#include <math.h>

// [SDC] III on Fig. 7: SDC's force is "quite similar" to that of full dynamics, that of the virtual
// mass "is not similar during late phase of collision". With F the force of full dynamics, over the
// last third of its contact:
//
//   off(G) = sqrt(sum of (G - F)^2 / sum of F^2)

static const double similar = 0.1;

static const char LATE[] = "last third of the contact; similar is a tenth, for both";

static const double *column(const atemi_recording *recording, const char *name)
{
    return atemi_recording_values(recording, atemi_recording_find_channel(recording, name));
}

static double off_full(const atemi_recording *recording, const char *name)
{
    const double *t = column(recording, "t"), *full = column(recording, "force.full");
    const double *other = column(recording, name);
    const double  end = atemi_recording_result_value(recording, "full_contact_time");
    double        apart = 0.0, size = 0.0;
    for (int i = 0; i < atemi_recording_row_count(recording); ++i) {
        if (t[i] >= 2.0 / 3.0 * end && t[i] <= end) {
            apart += (other[i] - full[i]) * (other[i] - full[i]);
            size += full[i] * full[i];
        }
    }
    return sqrt(apart / size);
}

void sdc_history_add(atemi_reproduction *reproduction, int motion, const atemi_recording *recording)
{
    const atemi_printed near = {ATEMI_REPRODUCED_PREDICTED, similar, 0.0, "-", LATE,
                                ATEMI_REPRODUCED_AT_MOST};
    const atemi_printed far = {ATEMI_REPRODUCED_PREDICTED, similar, 0.0, "-", LATE,
                               ATEMI_REPRODUCED_AT_LEAST};
    atemi_reproduction_add(reproduction, near, off_full(recording, "force.published"),
                           "Fig. 7: SDC off full dynamics late in the collision, %s",
                           sdc_motion_names[motion]);
    atemi_reproduction_add(reproduction, far, off_full(recording, "force.virtual_mass"),
                           "Fig. 7: the virtual mass off full dynamics late in the collision, %s",
                           sdc_motion_names[motion]);
}
