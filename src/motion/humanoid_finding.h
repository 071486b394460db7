// SPDX-License-Identifier: Apache-2.0

/// @file
/// What the search for feet and hands of a humanoid shares: the robot in its posture, and questions
/// about it. Lengths are compared with the height of the root above the lowest point of the robot,
/// H.

#pragma once

#include "motion/outline.h"

/// What humanoids are found and placed in.
struct atemi_humanoid_scratch {
    atemi_inverse_kinematics_scratch *kinematics;   ///< of two goals
    atemi_data                       *data;         ///< of the kinematics
    bool                             *moving;       ///< [v_count]
    double                           *trial, *best; ///< [q_count]
};

enum { HUMANOID_LEAST_JOINTS = 3 }; ///< of a limb

typedef struct humanoid_finding {
    const atemi_model            *model;
    const atemi_humanoid_options *options;
    outline                       outline;
    atemi_humanoid               *h;
    double                        lowest, height; ///< of the robot: z, H
} humanoid_finding;

/// Facing x, up z.
extern const atemi_mat3 atemi_humanoid_upright;

/// Finds the legs with their soles, and the facing; then the arms with their fists.
atemi_status atemi_humanoid_find_legs(humanoid_finding *f, atemi_error *error);
atemi_status atemi_humanoid_find_arms(humanoid_finding *f, atemi_error *error);

/// Whether all limbs are fingers of one hand: an arm, bolted to something if its base does not say
/// so.
bool atemi_humanoid_is_one_arm(const humanoid_finding *f);

// ---- Questions

/// Whether a name has a word of small letters in it, in any case.
bool atemi_humanoid_has_word(const char *name, const char *word);

/// Where the origin of a link is.
atemi_vec3 atemi_humanoid_place(const humanoid_finding *f, int link);

/// How low a body reaches, as far as its shapes tell, or else its joint and centre of mass.
double atemi_humanoid_bottom(const humanoid_finding *f, int body, bool *by_shapes);

/// Whether a link is a body that ends a limb.
bool atemi_humanoid_is_end(const humanoid_finding *f, int link);

/// A direction that is nearly along an axis of a frame, along it.
atemi_vec3 atemi_humanoid_snap(const atemi_mat3 *axes, atemi_vec3 d);

/// How many joints move between two bodies.
int atemi_humanoid_joints_between(const atemi_model *model, int trunk, int end);

/// The site of a body that has the largest area.
bool atemi_humanoid_find_site(const humanoid_finding *f, int body, int *site);

/// To a tenth of a millimetre, which people can read.
double     atemi_humanoid_rounded(double x);
atemi_vec3 atemi_humanoid_rounded_place(atemi_vec3 p);
