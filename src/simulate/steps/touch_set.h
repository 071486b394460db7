// SPDX-License-Identifier: Apache-2.0

/// @file
/// The touch set: shapes of links, which of them may touch what, and where they do in the middle of
/// a step.

#pragma once

#include "atemi/simulation.h"
#include "contact/rows.h"
#include "simulate/broad_phase.h"

/// A place where a shape touches another one, or a surface.
typedef struct atemi_touch_state {
    int                first;  ///< shape
    int                second; ///< shape; or, from the number of shapes on, surface
    atemi_touch_point  at;
    atemi_touch_place  place;
    atemi_contact_mode mode;
    atemi_vec3         force; ///< on the first, of the last step
    bool               taken; ///< while places of the next step are compared with it
    bool               told;  ///< its pair touched down, and has not lifted off since
} atemi_touch_state;

typedef struct atemi_touch_set {
    atemi_broad_phase broad;
    int               surface_count, most; ///< surfaces, touches at once

    int                touch_count, kept_count;
    atemi_touch_state *touches, *kept; ///< [most] of this step, and of the last one
    long               lost;           ///< touches beyond the capacity
} atemi_touch_set;

/// Lays it out, but for the broad phase, which is to be filled; none without shapes.
atemi_touch_set atemi_touch_set_take(atemi_arena *arena, const atemi_simulation_shapes *shapes,
                                     int surface_count);

/// Whether shapes make sense.
atemi_status atemi_touch_set_check(const atemi_model              *model,
                                   const atemi_simulation_options *options, atemi_error *error);

/// Finds the touches that may come about in a step of h, where the links are by the kinematics,
/// with velocities. Modes and forces are those that the same places had before.
void atemi_touch_set_find(atemi_touch_set *set, const atemi_model *model,
                          const atemi_kinematics *kinematics, const atemi_surface *surfaces,
                          double h);

/// All are open.
void atemi_touch_set_open(atemi_touch_set *set);

double atemi_touch_friction(const atemi_touch_set *set, const atemi_touch_state *touch,
                            bool slides);
double atemi_touch_restitution(const atemi_touch_set *set, const atemi_touch_state *touch);

/// What a caller sees of it.
atemi_touch_report atemi_touch_report_of(const atemi_touch_set   *set,
                                         const atemi_touch_state *touch);

/// Whether it pushes the world.
bool atemi_touch_is_outer(const atemi_model *model, const atemi_touch_state *touch);
