// SPDX-License-Identifier: Apache-2.0

#include "atemi/coordination.h"

#include "atemi/base.h"
#include "control/joint_parts.h"

#include <math.h>

// With m the inertia, w the natural frequency and z the damping ratio, [R2]:
//
//   k = m w^2              (1)
//   d = 2 z sqrt(k m)      (2)
//   k = (d / 2z)^2 / m     (3), where d had to be limited
//
// A stiffness that is limited sets d anew by (2). Raising d to its minimum raises k by (3), beyond
// its limit perhaps: that is limited at last, and the ratio is then not kept. Without ratio, (3)
// has nothing to say.

static double damping_of(double k, double m, double z)
{
    return 2.0 * z * sqrt(k * m);
}

static double stiffness_of(double d, double m, double z)
{
    const double root = d / (2.0 * z);
    return root * root / m;
}

atemi_impedance atemi_desired_impedance(double inertia, atemi_desired_dynamics desired,
                                        atemi_impedance_limits limits)
{
    const atemi_impedance none = {0.0, limits.damping_min};
    ATEMI_REQUIRE_OR(limits.stiffness >= 0.0 && limits.damping_min >= 0.0, none);
    ATEMI_REQUIRE_OR(limits.damping_max >= limits.damping_min, none);
    ATEMI_REQUIRE_OR(desired.natural_frequency >= 0.0 && desired.damping_ratio >= 0.0, none);
    if (!(inertia > 0.0)) {
        return none;
    }
    const double w = desired.natural_frequency, z = desired.damping_ratio;
    const double k = fmin(inertia * w * w, limits.stiffness);
    const double d = damping_of(k, inertia, z);
    const double limited = between(d, limits.damping_min, limits.damping_max);
    if (limited == d || z == 0.0) {
        return (atemi_impedance){k, limited};
    }
    return (atemi_impedance){fmin(stiffness_of(limited, inertia, z), limits.stiffness), limited};
}

double atemi_blend(double now, double goal, double step)
{
    return between(goal, now - step, now + step);
}
