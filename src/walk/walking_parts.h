// SPDX-License-Identifier: Apache-2.0

/// @file
/// The inside of a walking controller.

#pragma once

#include "dynamics/inverse_dynamics.h"
#include "dynamics/mass_matrix.h"
#include "walk/planar_link.h"
#include "walk/stride.h"
#include "walk/wanted_motion.h"

enum { ATEMI_WALKING_BASE_RATES = 3 };

struct atemi_walking_controller {
    const atemi_model *model;
    atemi_walking_body body;
    atemi_stride       stride;
    double             head_height; ///< over the hips, standing straight
    double             time;        ///< of the last tick
    bool               started;
    long               limited;
    double             strain; ///< at the last tick
    atemi_arena        arena;

    double *posture;            ///< [q_count] of body and arms
    double *limits, *damping;   ///< [v_count] of the joints
    double *still;              ///< [v_count] zeros
    double *before, *torques;   ///< [v_count] at the last tick, and for the next one
    double *a, *load, *row, *M; ///< [v_count], and [v_count x v_count]

    atemi_mass_matrix_scratch      mass;
    atemi_inverse_dynamics_scratch inverse; ///< with the kinematics that are looked at
    atemi_planar_link              feet[ATEMI_FEET], waist, head;
    atemi_wanted_motion            wanted;
};

/// The point of a foot that rests on the floor, in the link's frame: heel, toe, or between them.
atemi_vec3 atemi_walking_resting_point(const atemi_walking_controller *c, int foot, bool heel,
                                       bool toe);

/// Finds the accelerations of all rates, for the stride and the state that were looked at.
/// @return false, with the legs' and the base's accelerations zero, if there are none
bool atemi_walking_motion_find(atemi_walking_controller *c, const atemi_body_view *view,
                               const atemi_walking_senses *senses);
