// SPDX-License-Identifier: Apache-2.0

/// @file
/// A capsule inside a shape of a link: where two of them meet, the links surely do.

#pragma once

#include "atemi/model.h"

/// The capsule has a radius of 0 in a mesh, of which nothing is known.
typedef struct shape_capsule {
    atemi_vec3 from, to; ///< ends of its axis, in the link's frame
    double     radius;
} shape_capsule;

/// The capsule along the longest side of a box, or along the axis of a round shape.
shape_capsule shape_capsule_in(const atemi_geometry *shape);
