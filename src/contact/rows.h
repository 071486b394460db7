// SPDX-License-Identifier: Apache-2.0

/// @file
/// The rows of all contacts: each forbids one motion of one point, and comes with the force that
/// does it.

#pragma once

#include "atemi/contact.h"
#include "dynamics/blocks.h"

/// One row. A unit of its multiplier is the force `push` at the point (or the moment `push`).
typedef struct atemi_contact_row {
    int        contact;   ///< index of the contact it belongs to
    int        node;      ///< that carries the point, ATEMI_NONE for the world
    int        other;     ///< that it touches and pushes back, ATEMI_NONE for the world
    int        rate;      ///< of a joint's row: the entry of v that it forbids; else ATEMI_NONE
    bool       angular;   ///< forbids a turn and works by a moment
    bool       tied;      ///< `push` is not `direction`: friction tied to the normal force
    bool       idle;      ///< it moves nothing
    atemi_vec3 place;     ///< of the point, from the common origin
    atemi_vec3 direction; ///< unit vector of the forbidden motion
    atemi_vec3 push;
    double     velocity;  ///< of the point along the direction
    double     approach;  ///< speed of the point against the contact's normal
    double     target;    ///< the acceleration that the rates must add: what is asked less dJ/dt v
    double     preferred; ///< what the multiplier is to be near to, where rows are redundant
} atemi_contact_row;

/// Writes the rows of all contacts and returns their number. The kinematics hold poses and, if
/// `moving`, velocities and the accelerations of inverse dynamics with a = 0.
int atemi_contact_rows_find(const atemi_model *model, const atemi_kinematics *k, bool moving,
                            const atemi_contact *contacts, int count, atemi_contact_row *rows);

/// Whether no link carries what the contacts touch.
bool atemi_contacts_are_of_world(const atemi_contact *contacts, int count);

/// A place where two links touch; one of them may be part of the world.
typedef struct atemi_touch_place {
    /// The row's velocity is that of `link` relative to `other`; ATEMI_NONE is the world.
    int        link, other;
    atemi_vec3 position; ///< in the world
} atemi_touch_place;

/// Writes the three rows of world axes of a touch, and returns their number. The kinematics hold
/// poses and velocities.
int atemi_touch_rows(const atemi_model *model, const atemi_kinematics *k,
                     const atemi_touch_place *at, atemi_contact_row *rows);

/// The velocity of `link` relative to `other` there, world axes.
atemi_vec3 atemi_touch_velocity(const atemi_model *model, const atemi_kinematics *k,
                                const atemi_touch_place *at);

/// How a node's material moves at a place; nothing moves in the world. The accelerations are those
/// with a = 0.
typedef struct atemi_place_motion {
    atemi_motion velocity, acceleration;
} atemi_place_motion;

/// @param node or ATEMI_NONE. The kinematics hold velocities and the accelerations of inverse
///             dynamics with a = 0.
/// @param place from the common origin
atemi_place_motion atemi_place_motion_of(const atemi_model *model, const atemi_kinematics *k,
                                         int node, atemi_vec3 place);

/// The row of one entry of v, for stops and friction of joints; `velocity` is what v has there.
atemi_contact_row atemi_joint_row(int rate, double velocity);

/// Writes the rows of coordinates that are held and returns their number.
/// @param v or NULL for rest
int atemi_joint_rows_find(const atemi_joint_hold *holds, int count, const double *v,
                          atemi_contact_row *rows);

/// What a row's multiplier does to the robot's momentum: nothing where both ends are the robot's.
atemi_vec3 atemi_contact_row_outer_push(const atemi_contact_row *row);

/// Adds the multipliers of the rows up to the forces of the contacts, whose rows come first.
void atemi_contact_rows_collect(const atemi_contact_row *rows, int row_count,
                                const double *multipliers, int count, atemi_force *forces);
