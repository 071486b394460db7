// SPDX-License-Identifier: Apache-2.0

/// @file
/// Near points: of the shapes that touch by the method of events, those pairs that may come to
/// touch within a step, as points of the contact set behind the caller's.

#pragma once

#include "simulate/broad_phase.h"

struct atemi_simulation_contacts;
struct atemi_evaluation;

/// The shapes that a point stands for.
typedef struct atemi_shape_pair {
    int        first;   ///< shape
    int        second;  ///< shape; or, from the number of shapes on, surface
    bool       flipped; ///< the point is on the second one
    atemi_vec3 bar; ///< half the axis of a capsule about the point, in its link's frame; or zero
} atemi_shape_pair;

/// What a point is listed by: a shape, one after it or, from the number of shapes on, a surface,
/// and of a capsule on a surface the end.
typedef struct atemi_near_key {
    int shape, other, end;
} atemi_near_key;

typedef struct atemi_near_points {
    const atemi_simulation_shapes *shapes; ///< the caller's, until the set is filled
    atemi_broad_phase              broad;
    int                            own_surfaces; ///< of the caller's; shapes as surfaces follow
    int                            most;         ///< points at once
    long                           lost;         ///< points beyond that
    int                            count, before, found_count;
    atemi_near_key                *keys;    ///< [count] of the points listed, in their order
    atemi_near_key                *found;   ///< [found_count] of those that are near
    int                           *origins; ///< [count] where a point was listed before, or none
    char                          *scratch; ///< [most] of an entry of any array of points
} atemi_near_points;

/// Lays it out for the shapes and as many points as it has.
void atemi_near_points_take(atemi_arena *arena, atemi_near_points *near);

/// Lists the points of shapes that may come to touch within a step from the state observed last,
/// and observes them there. What is known of those that were listed before goes with them.
/// @param wider as of atemi_broad_phase_look()
/// @return whether the list has changed
bool atemi_near_points_find(struct atemi_evaluation *e, struct atemi_simulation_contacts *set,
                            double wider);

/// Whether all that touches by the state observed last is listed.
bool atemi_near_points_hold(const struct atemi_evaluation          *e,
                            const struct atemi_simulation_contacts *set);

/// Makes the points of the keys anew: after these have been restored.
void atemi_near_points_renew(struct atemi_simulation_contacts *set, const atemi_model *model);
