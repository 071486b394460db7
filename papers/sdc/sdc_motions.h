// SPDX-License-Identifier: Apache-2.0

/// @file
/// The nine motions of [SDC] hit a box of 5 kg: three postures A, B and C at three speeds 1, 2, 3.

#pragma once

#include "atemi/recording.h"

enum { SDC_POSTURES = 3, SDC_SPEEDS = 3, SDC_MOTIONS = SDC_POSTURES * SDC_SPEEDS };

extern const char *const sdc_motion_names[SDC_MOTIONS]; ///< "A-1" to "C-3"
extern const double      sdc_masses[SDC_POSTURES];      ///< kg, Table I
extern const double      sdc_speeds[SDC_SPEEDS];        ///< m/s, Table I

extern const double sdc_printed_full_impulse[SDC_MOTIONS]; ///< N s, Table II, OpenHRP3
extern const double sdc_printed_impulse[SDC_MOTIONS];      ///< N s, Table II, SDC

/// Of the servos, the same in all joints.
typedef struct sdc_gains {
    double stiffness; ///< K_p, N m/rad
    double damping;   ///< K_d, N m s/rad
} sdc_gains;

/// Runs a motion as `atemi impact` does.
/// @param full      by full dynamics, too
/// @param recording result, to be destroyed
atemi_status sdc_motion_run(int motion, sdc_gains gains, bool full, atemi_recording **recording,
                            atemi_error *error);
