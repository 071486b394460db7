// SPDX-License-Identifier: Apache-2.0

/// @file
/// The broad phase: shapes of links, which of them never touch, and whose boxes meet.

#pragma once

#include "atemi/simulation.h"
#include "contact/shapes/shape_touch.h"
#include "dynamics/kinematics.h"
#include "simulate/closed_loops.h"

/// A box along the axes of the world.
typedef struct atemi_broad_box {
    atemi_vec3 lower, upper;
} atemi_broad_box;

typedef struct atemi_broad_phase {
    int                  count; ///< of the shapes
    bool                 each_other;
    atemi_touch_shape   *shapes;
    atemi_convex        *convexes;
    atemi_placed_convex *placed;
    double              *reaches; ///< by which shapes look ahead
    atemi_broad_box     *boxes;   ///< of shapes, with their reach
    int                 *order;   ///< of shapes along x
    bool                *apart;   ///< [shapes x shapes] never touch
} atemi_broad_phase;

/// Lays it out, and fills it; none without shapes.
/// @param kinematics, q scratch
atemi_broad_phase atemi_broad_phase_take(atemi_arena *arena, const atemi_simulation_shapes *shapes);
void atemi_broad_phase_fill(atemi_broad_phase *broad, const atemi_simulation_shapes *shapes,
                            const atemi_closed_loops *loops, const atemi_model *model,
                            atemi_kinematics *kinematics, double *q);

/// Puts the shapes where the links are by the kinematics, with velocities, and finds boxes that
/// hold them for the time h, or `wider` times as much room about them.
void atemi_broad_phase_look(atemi_broad_phase *broad, const atemi_model *model,
                            const atemi_kinematics *kinematics, double h, double wider);

/// Whether all shapes are inside the boxes found last.
bool atemi_broad_phase_holds(const atemi_broad_phase *broad, const atemi_model *model,
                             const atemi_kinematics *kinematics);

/// What is to be done with a pair of shapes whose boxes meet.
typedef void atemi_broad_visitor(void *context, int a, int b);

/// Visits the pairs that may touch each other, in any order.
void atemi_broad_phase_visit(atemi_broad_phase *broad, atemi_broad_visitor *visit, void *context);
