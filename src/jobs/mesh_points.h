// SPDX-License-Identifier: Apache-2.0

/// @file
/// Points on the surface of a robot: the vertices of its meshes.

#pragma once

#include "atemi/base.h"
#include "atemi/contact.h"

/// Points of links. All zero is an empty list.
typedef struct mesh_points {
    atemi_contact_point *list;
    int                  count, capacity;
} mesh_points;

/// Adds the vertices of all meshes of a link, and of those that are fixed to it. Files that are not
/// there, or cannot be read, are left out.
atemi_status mesh_points_add(const atemi_model *model, int link, mesh_points *points,
                             atemi_error *error);

void mesh_points_destroy(mesh_points *points);
