// SPDX-License-Identifier: Apache-2.0

/// @file
/// Flat shapes and cylinders against each other: the axis along which they are farthest apart, and
/// the places where their faces and edges then touch.

#pragma once

#include "contact/shapes/shape_touch.h"

typedef enum atemi_axis_kind {
    ATEMI_AXIS_FACE_OF_A, ///< the normal of face `i`; a cylinder's are its caps
    ATEMI_AXIS_FACE_OF_B,
    ATEMI_AXIS_EDGES, ///< across edge `i` of a and `j` of b
    ATEMI_AXIS_LINE,  ///< another, along which at least one of them is a cylinder
} atemi_axis_kind;

typedef struct atemi_axis {
    atemi_axis_kind kind;
    int             i, j;
    double          gap;
    atemi_vec3      normal; ///< from b to a, in the frame of a
} atemi_axis;

/// Both shapes, b seen from a.
typedef struct atemi_flat_pair {
    const atemi_convex *a, *b;
    atemi_transform     pose; ///< of b in the frame of a
} atemi_flat_pair;

/// Faces of a flat shape, caps of a cylinder.
int               atemi_flat_face_count(const atemi_convex *convex);
atemi_convex_face atemi_flat_face(const atemi_convex *convex, int index);

/// The axis along which two shapes are farthest apart, or overlap least; its gap is more than
/// `reach`, and the axis any, if they are farther apart than that.
atemi_axis atemi_flat_axis(const atemi_flat_pair *pair, double reach);
