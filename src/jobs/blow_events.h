// SPDX-License-Identifier: Apache-2.0

/// @file
/// What happens in a blow, as events of a recording whose time begins at first touch.

#pragma once

#include "atemi/recording.h"

/// Adds first touch and, where the hand lets go, release.
/// @param speed        of the hand at first touch, m/s
/// @param peak         the largest force, N
/// @param contact_time s; NaN or 0 where they still touch at the end
atemi_status atemi_job_add_blow_events(atemi_recording *recording, double speed, double peak,
                                       double contact_time, atemi_error *error);
