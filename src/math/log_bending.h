// SPDX-License-Identifier: Apache-2.0

/// @file
/// The second term of how the logarithm of a rotation changes,
///
///     V(w)^-1 = 1 - [w]/2 + (1/t^2 - (1 + cos t) / (2 t sin t)) [w]^2,   t = |w|

#pragma once

#include <math.h>

/// 1/t^2 - (1 + cos t) / (2 t sin t), for t in [0, pi].
static inline double atemi_log_bending(double t)
{
    const double s = t * t;
    if (t < 0.05) {
        return 1.0 / 12.0 + s / 720.0 * (1.0 + s / 42.0 * (1.0 + s / 40.0));
    }
    return (1.0 - 0.5 * t / tan(0.5 * t)) / s;
}
