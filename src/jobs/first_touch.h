// SPDX-License-Identifier: Apache-2.0

/// @file
/// The moment of first touch as a table of a recording, "first_touch": all that an estimate of the
/// blow is computed from beside the robot. The page computes the blow anew from it when somebody
/// moves a slider (viewer/whatif).

#pragma once

#include "atemi/blow.h"
#include "atemi/recording.h"
#include "atemi/support.h"

typedef struct atemi_first_touch {
    const atemi_model          *model;
    const double               *q; ///< [q_count]
    const atemi_ground         *ground;
    const atemi_support        *support; ///< for the ZMP; without corners there is none
    const atemi_striking_point *point;
    const atemi_blow_setting   *setting;  ///< its surface is one of the first two laws
    bool                        rests;    ///< the ZMP is that of accelerations alone, without rates
    double                      speed;    ///< along a straight line; NaN: the setting's rates stay
    double                      duration; ///< s, of the blow at most
    double                      every;    ///< s, between looks at the ZMP
} atemi_first_touch;

atemi_status atemi_job_add_first_touch(atemi_recording *recording, const atemi_first_touch *touch,
                                       atemi_error *error);
