// SPDX-License-Identifier: Apache-2.0

/// @file
/// A motion of [ENE], section V: a manipulator of two or three links whose hand slides on the floor
/// z = 0, which pulls as well as it pushes.

#pragma once

#include "atemi/contact.h"

/// Of two_link and three_link, the robots of the paper.
enum { ATEMI_ENE_MAX_LINKS = 3 };

/// What a motion starts from, at rest, and what drives it.
typedef struct atemi_ene_setting {
    const char *robot;    ///< shipped
    const char *posture;  ///< of the robot
    double      friction; ///< K
    /// The joint torques [links], zero beforehand; NULL for none.
    void (*torque)(double time, double *tau);
    bool drifts; ///< the hand is not returned to the floor after a step
} atemi_ene_setting;

typedef struct atemi_ene_state {
    double q[ATEMI_ENE_MAX_LINKS], v[ATEMI_ENE_MAX_LINKS], a[ATEMI_ENE_MAX_LINKS];
} atemi_ene_state;

typedef struct atemi_ene_motion {
    atemi_ene_setting setting;
    atemi_model      *model;
    int               links;
    int               steps; ///< made
    atemi_ene_state   state;
    atemi_contact     hand;
    atemi_force       hand_force; ///< of the floor, (0, f_t, f_n)

    atemi_arena  arena;
    atemi_data  *data;
    atemi_force *external; ///< [link_count]
    double      *jacobian; ///< [6 x links]
} atemi_ene_motion;

/// What acts in a motion, world axes.
typedef struct atemi_ene_loads {
    atemi_vec3 joint_force[ATEMI_ENE_MAX_LINKS];  ///< 0f_i, of link i - 1 on link i
    atemi_vec3 net_force[ATEMI_ENE_MAX_LINKS];    ///< the sum of all forces on link i
    atemi_vec3 acceleration[ATEMI_ENE_MAX_LINKS]; ///< of the centre of mass of link i
    double     mass[ATEMI_ENE_MAX_LINKS];
} atemi_ene_loads;

/// Starts a motion; where that succeeds, it is to be ended.
atemi_status atemi_ene_motion_begin(const atemi_ene_setting *setting, atemi_ene_motion *motion,
                                    atemi_error *error);
void         atemi_ene_motion_end(atemi_ene_motion *motion);

/// Goes on by the paper's 1e-2 s.
/// @return ATEMI_ERROR_SINGULAR where the hand cannot be held on the floor
atemi_status atemi_ene_motion_step(atemi_ene_motion *motion, atemi_error *error);

/// Goes on until a time.
atemi_status atemi_ene_motion_run(atemi_ene_motion *motion, double time, atemi_error *error);

/// Goes on until no joint is faster than `speed`, rad/s, but not beyond the time `latest`.
atemi_status atemi_ene_motion_settle(atemi_ene_motion *motion, double speed, double latest,
                                     atemi_error *error);

double atemi_ene_motion_time(const atemi_ene_motion *motion);
double atemi_ene_motion_hand_height(atemi_ene_motion *motion);
/// sqrt(det(J J^T)), m^2, J the hand's Jacobian along y and z, after atemi_ene_motion_loads(). It
/// vanishes in a singular shape.
double          atemi_ene_motion_manipulability(atemi_ene_motion *motion);
atemi_ene_loads atemi_ene_motion_loads(atemi_ene_motion *motion);
