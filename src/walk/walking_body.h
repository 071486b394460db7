// SPDX-License-Identifier: Apache-2.0

/// @file
/// The parts of a robot that walk: feet, legs, head and shoulders.

#pragma once

#include "atemi/walk.h"

enum { ATEMI_LEG_HIP, ATEMI_LEG_KNEE, ATEMI_LEG_ANKLE, ATEMI_LEG_JOINTS };

typedef struct atemi_walking_foot {
    int        link;
    atemi_vec3 points[ATEMI_FOOT_POINTS]; ///< heel and toe, in the link's frame
    int        leg[ATEMI_LEG_JOINTS];     ///< joints, from the hip down
    int        shoulder;                  ///< joint of the same side, or ATEMI_NONE
} atemi_walking_foot;

typedef struct atemi_walking_body {
    const atemi_model *model;
    atemi_walking_foot feet[ATEMI_FEET];
    int                head;        ///< link
    double             thigh, shin; ///< lengths, m
    double             sole;        ///< height of the ankle over the sole, m
} atemi_walking_body;

/// Finds the parts by the names that atemi/walk.h tells.
atemi_status atemi_walking_body_find(const atemi_model *model, atemi_walking_body *body,
                                     atemi_error *error);

/// The index in v, and in q, of a joint of a leg.
int atemi_walking_body_rate(const atemi_walking_body *body, int foot, int leg_joint);

/// The damping of the joints, and the limits of their efforts; both zero for the base.
/// @param damping, efforts [v_count] results
void atemi_walking_drives(const atemi_model *model, double *damping, double *efforts);
