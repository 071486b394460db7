// SPDX-License-Identifier: Apache-2.0

#include "io/report_target.h"

#include "io/job.h"
#include "io/report_contact.h"

bool atemi_report_target_find(const atemi_recording *recording, atemi_report_target *target)
{
    target->direction = (atemi_vec3){atemi_job_result(recording, "direction_x"),
                                     atemi_job_result(recording, "direction_y"),
                                     atemi_job_result(recording, "direction_z")};
    target->width = atemi_job_result(recording, "target_width");
    atemi_report_vector_columns(recording, "target.position", '_', target->position);
    return target->position[0] != ATEMI_NONE && atemi_vec3_norm(target->direction) > 0.0 &&
           target->width > 0.0;
}
