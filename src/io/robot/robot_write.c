// SPDX-License-Identifier: Apache-2.0

#include "atemi/robots.h"
#include "io/robot/mjcf_writer.h"
#include "io/robot/urdf_writer.h"

static void write_urdf(const atemi_model *model, atemi_text *text)
{
    atemi_urdf_write(model, text);
    if (atemi_model_loop_count(model) > 0) {
        atemi_log(ATEMI_LOG_WARNING, "robot '%s': URDF has no place for its %d closed loops",
                  atemi_model_name(model), atemi_model_loop_count(model));
    }
}

atemi_status atemi_robot_write(const atemi_model *model, atemi_robot_format format, char **text,
                               size_t *size, atemi_error *error)
{
    ATEMI_REQUIRE_OR(model && text, ATEMI_ERROR_CONTRACT);
    atemi_text made = {0};
    *text = NULL;
    (format == ATEMI_ROBOT_MJCF ? atemi_mjcf_write : write_urdf)(model, &made);
    if (made.failed) {
        atemi_text_destroy(&made);
        return atemi_fail(error, ATEMI_ERROR_MEMORY, "no memory to write the robot");
    }
    *text = made.bytes;
    if (size) {
        *size = made.size;
    }
    return ATEMI_OK;
}
