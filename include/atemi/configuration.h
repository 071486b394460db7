// SPDX-License-Identifier: Apache-2.0

/// @file
/// The configuration space: q is not a vector (quaternions), so it is moved and compared here.

#pragma once

#include "atemi/model.h"

#include <stdint.h>

ATEMI_BEGIN

/// Every joint at zero, the base at the origin, upright.
ATEMI_API void atemi_configuration_neutral(const atemi_model *model, double *q);

/// A configuration within the joint limits: uniform there, within +-pi where there are none;
/// base positions within +-1 m, orientations uniform. A function of the seed alone.
ATEMI_API void atemi_configuration_random(const atemi_model *model, uint64_t seed, double *q);

/// Follows the constant velocity `v` for the time `dt` from `q`: along the screw for floating and
/// planar joints. Quaternions come out normalized. `result` may alias `q`.
ATEMI_API void atemi_configuration_integrate(const atemi_model *model, const double *q,
                                             const double *v, double dt, double *result);

/// dq/dt, the rates of change of the coordinates themselves; for quaternions, four numbers.
/// @param rate [q_count]
ATEMI_API void atemi_configuration_rate(const atemi_model *model, const double *q, const double *v,
                                        double *rate);

/// The velocity that leads from `from` to `to` in unit time: the inverse of the above.
ATEMI_API void atemi_configuration_difference(const atemi_model *model, const double *from,
                                              const double *to, double *v);

/// Scales every quaternion in q to length one.
ATEMI_API void atemi_configuration_normalize(const atemi_model *model, double *q);

ATEMI_END
