// SPDX-License-Identifier: Apache-2.0

/// @file
/// The force of a soft surface on a point.

#pragma once

#include "atemi/simulation.h"

#include <math.h>

/// By the point's compliance along the normal, and by its kinetic friction across; that grows up to
/// a sliding speed of 1 cm/s. World axes, N.
/// @param view     of the surface from the point
/// @param carrier  velocity that counts for the compliance, m/s
/// @param velocity of what touches, m/s
static inline atemi_vec3 soft_force(const atemi_simulation_point *point,
                                    const atemi_surface_view *view, atemi_vec3 carrier,
                                    atemi_vec3 velocity)
{
    const double     creep = 1e-2;
    const atemi_vec3 n = view->normal;
    const double     rate = -atemi_vec3_dot(carrier, n);
    const double     pressure = atemi_compliance_force(point->compliance, -view->gap, rate);
    const atemi_vec3 across = atemi_vec3_scale(atemi_vec3_dot(velocity, n), n);
    const atemi_vec3 slide = atemi_vec3_sub(velocity, across);
    const double     rub = point->kinetic_friction * pressure / fmax(atemi_vec3_norm(slide), creep);
    return atemi_vec3_sub(atemi_vec3_scale(pressure, n), atemi_vec3_scale(rub, slide));
}
