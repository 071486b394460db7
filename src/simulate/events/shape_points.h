// SPDX-License-Identifier: Apache-2.0

/// @file
/// Shape points: balls and capsules that touch as shapes, as points and surfaces of the method of
/// events.

#pragma once

#include "atemi/simulation.h"

struct atemi_simulation_contacts;

/// What a simulation is made of: the caller's points and surfaces and, by the method of events,
/// shapes. Each of these is a surface as well, which its link carries, behind the caller's.
typedef struct atemi_shape_points {
    const atemi_surface           *surfaces;
    const atemi_simulation_point  *points; ///< the caller's
    const atemi_simulation_shapes *shapes; ///< or NULL
    int                            surface_count, own_surfaces, point_count;
    int                            most_near; ///< points of shapes at once
    atemi_arena                    arena;     ///< nothing without shapes
} atemi_shape_points;

/// Lists them. By the method of steps without shapes.
/// @return ATEMI_ERROR_INPUT for shapes of other kinds than balls and capsules
atemi_status atemi_shape_points_create(const atemi_model *model, const atemi_surface *surfaces,
                                       int surface_count, const atemi_simulation_point *points,
                                       int point_count, const atemi_simulation_options *options,
                                       atemi_shape_points *all, atemi_error *error);
void         atemi_shape_points_destroy(atemi_shape_points *all);

/// What a caller sees of a point that is not its own; and whether forces on the point are those on
/// the first shape, 1, or on the second one, -1.
atemi_touch_report atemi_shape_point_report(const struct atemi_simulation_contacts *set, int point);
double             atemi_shape_point_sign(const struct atemi_simulation_contacts *set, int point);

/// Whether the shapes are apart, or touch, where they were observed last.
/// @return ATEMI_ERROR_INPUT if not
atemi_status atemi_shape_points_check_apart(const struct atemi_simulation_contacts *set,
                                            const atemi_model *model, atemi_error *error);

/// Whether all capsules in touch cross each other.
/// @return ATEMI_ERROR_SINGULAR if not
atemi_status atemi_shape_points_check_crossing(const struct atemi_simulation_contacts *set,
                                               const atemi_model *model, double time,
                                               atemi_error *error);

/// Whether there was room for all points that were near.
/// @return ATEMI_ERROR_LIMIT if not
atemi_status atemi_shape_points_check_room(const struct atemi_simulation_contacts *set, double time,
                                           atemi_error *error);

/// How many places of shapes are in touch, and the point of one of them.
int atemi_shape_points_touching(const struct atemi_simulation_contacts *set);
int atemi_shape_point_touching(const struct atemi_simulation_contacts *set, int index);
