// SPDX-License-Identifier: Apache-2.0

#include "atemi/strike_verification.h"

#include "strike_rig.h"

// Nobody but the check keeps a fifth foot from being written behind the points of four.
TEST(strike_verification, refuses_a_task_with_too_many_feet)
{
    strike_rig                        rig;
    atemi_strike_verification         verification;
    atemi_error                       error = {0};
    const int                         feet[5] = {0, 1, 0, 1, 0};
    const atemi_strike_motion         motion = {.count = 1, .step = 1e-3};
    const atemi_strike_verify_options options = {.friction = 0.8};
    rig_open_gently(&rig);
    rig.task->feet = feet;
    rig.task->foot_count = 5;
    CHECK_STATUS(atemi_strike_verify(rig.task, &motion, &options, &verification, &error),
                 ATEMI_ERROR_INPUT);
    CHECK_CONTAINS(error.message, "5");
    atemi_strike_verification_destroy(&verification);
    rig_close(&rig);
}
