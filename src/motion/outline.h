// SPDX-License-Identifier: Apache-2.0

/// @file
/// What is known of the surface of a body: points of its shapes, the caller's points, and the box
/// of its mass and inertia.

#pragma once

#include "atemi/humanoid.h"

/// A robot at a configuration, with the caller's points.
typedef struct outline {
    const atemi_model         *model;
    const atemi_data          *data;   ///< at the configuration
    const atemi_contact_point *points; ///< [point_count]
    int                        point_count;
    atemi_vec3                 up;
} outline;

/// A box along the axes that were asked for.
typedef struct outline_box {
    atemi_vec3 lower, upper; ///< corners, as the axes see them
    int        count;        ///< of points inside
} outline_box;

/// The box around what is lowest of a body's shapes, or of the caller's points on it: no more than
/// `flat` above its lowest point.
/// @param axes as columns; z is up
outline_box atemi_outline_bottom(const outline *o, int body, const atemi_mat3 *axes,
                                 atemi_outline_source source, double flat);

/// The box around all of them; around the origins of joints that move and are attached to the body;
/// or around a uniform box of the body's mass and inertia, if there is one.
outline_box atemi_outline_around(const outline *o, int body, const atemi_mat3 *axes,
                                 atemi_outline_source source);

/// The body's mass and inertia, in the world.
atemi_inertia atemi_outline_inertia(const outline *o, int body);
