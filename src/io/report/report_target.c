// SPDX-License-Identifier: Apache-2.0

#include "io/report/report_target.h"

#include "io/report/report_contact.h"

bool atemi_report_target_find(const atemi_recording *recording, atemi_report_target *target)
{
    target->direction = (atemi_vec3){atemi_recording_result_value(recording, "direction_x"),
                                     atemi_recording_result_value(recording, "direction_y"),
                                     atemi_recording_result_value(recording, "direction_z")};
    target->width = atemi_recording_result_value(recording, "target_width");
    atemi_report_vector_columns(recording, "target.position", '_', target->position);
    return target->position[0] != ATEMI_NONE && atemi_vec3_norm(target->direction) > 0.0 &&
           target->width > 0.0;
}
