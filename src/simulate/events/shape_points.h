// SPDX-License-Identifier: Apache-2.0

/// @file
/// Shape points: balls and capsules that touch as shapes, as points and surfaces of the method of
/// events.

#pragma once

#include "atemi/simulation.h"
#include "simulate/closed_loops.h"

struct atemi_simulation_contacts;

/// The shapes that a point stands for.
typedef struct atemi_shape_pair {
    int        first;   ///< shape
    int        second;  ///< shape; or, from the number of shapes on, surface
    bool       flipped; ///< the point is on the second one
    atemi_vec3 bar; ///< half the axis of a capsule about the point, in its link's frame; or zero
} atemi_shape_pair;

/// All points and surfaces of a simulation: first those of the caller, then those of shapes.
typedef struct atemi_shape_points {
    const atemi_surface          *surfaces;
    const atemi_simulation_point *points;
    const atemi_shape_pair       *pairs; ///< [points], of those of shapes
    int                           surface_count, point_count;
    int                           own_count; ///< points of the caller
    int                           shape_count;
    atemi_arena                   arena; ///< nothing without shapes
} atemi_shape_points;

/// Lists them: a ball, or each end of a capsule, on each surface of the world; and a ball on each
/// ball or capsule of another link that it may touch, which then is a surface that its link
/// carries. By the method of steps those of the caller alone.
/// @return ATEMI_ERROR_INPUT for shapes of other kinds
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

/// How many places of shapes are in touch, and the point of one of them.
int atemi_shape_points_touching(const struct atemi_simulation_contacts *set);
int atemi_shape_point_touching(const struct atemi_simulation_contacts *set, int index);
