// SPDX-License-Identifier: Apache-2.0

/// @file
/// The modes of joints: each entry of v that has stops or dry friction moves, or is held by them.
/// What is held has a row in the contact system, whose force keeps to an interval: a stop pushes,
/// friction has a bound, and at a stop both act.

#pragma once

#include "atemi/contact.h"
#include "contact/cone_problem.h"
#include "simulate/joint_bounds.h"

typedef struct atemi_joint_mode {
    bool   held;
    bool   at_lower, at_upper; ///< held by that stop (too)
    bool   leaving;            ///< let go by a stop, and not yet clear of it
    int    direction;          ///< where it slides against friction: 1 or -1; 0 without friction
    double anchor;             ///< where it is held by friction alone
    double bounced;            ///< when it reached a stop last
    double force;              ///< of the row, evaluated last: N m or N
    double preferred;          ///< what the force is to be near to, where rows are redundant
} atemi_joint_mode;

typedef struct atemi_joint_modes {
    const atemi_joint_bounds *bounds;
    int                       count;  ///< joints (entries of v) that have stops or dry friction
    int                      *rates;  ///< [count] which entry of v
    atemi_joint_mode         *states; ///< [count]
    atemi_joint_mode         *kept, *flight; ///< [count] of before, scratch
    double                   *q, *v;         ///< [count] where they are, as observed last
    atemi_joint_hold         *holds;         ///< [count] scratch: rows of what is held
    int                      *holders;       ///< [count] which joint a hold is of
    int                       hold_count;
} atemi_joint_modes;

/// Lays out room for all entries of v.
atemi_joint_modes atemi_joint_modes_take(atemi_arena *arena, const atemi_model *model);

/// Finds those that have stops or dry friction, and keeps the bounds.
void atemi_joint_modes_fill(atemi_joint_modes *modes, const atemi_joint_bounds *bounds);

/// All move freely, and nothing has happened yet.
void atemi_joint_modes_open(atemi_joint_modes *modes);

/// Looks where they are and how they move.
void atemi_joint_modes_observe(atemi_joint_modes *modes, const double *q, const double *v);
void atemi_joint_modes_observe_velocities(atemi_joint_modes *modes, const double *v);

// ---- One joint

/// How far it is from its lower (side 1) or upper stop (side -1); infinite without one.
double atemi_joint_gap(const atemi_joint_modes *modes, int joint, int side);

/// Whether it is in touch with that stop.
bool atemi_joint_touches(const atemi_joint_modes *modes, int joint, int side);

/// Its dry friction.
double atemi_joint_friction_of(const atemi_joint_modes *modes, int joint);

/// What the force of its row may be, as it is held; `most` is what dry friction can do.
atemi_interval atemi_joint_interval(bool at_lower, bool at_upper, double most);

/// How far its row's force is from its bounds, negative beyond them.
double atemi_joint_hold_margin(const atemi_joint_modes *modes, int joint);

/// Holds it where it is: at these stops, or by friction.
void atemi_joint_hold_at(atemi_joint_modes *modes, int joint, bool lower, bool upper);

/// The same at the stops that it touches.
void atemi_joint_hold_on(atemi_joint_modes *modes, int joint);

/// Lets it go, to slide in that direction.
void atemi_joint_let_go(atemi_joint_modes *modes, int joint, int direction);

/// Lets it go where its row's force points out of its bounds.
void atemi_joint_give_way(atemi_joint_modes *modes, int joint);

// ---- All of them

/// Adds the dry friction of those that slide to the torques.
void atemi_joint_modes_rub(const atemi_joint_modes *modes, double *tau);

/// Lists the rows of those that are held. With `used`, their forces are to be near to what is
/// preferred.
void atemi_joint_modes_list(atemi_joint_modes *modes, bool used);

/// Takes the forces of the rows that were listed.
void atemi_joint_modes_take_forces(atemi_joint_modes *modes);

/// Those that have left their stops are clear of them.
void atemi_joint_modes_follow(atemi_joint_modes *modes);

/// The forces of stops and of dry friction, [v_count] each: at a stop, friction does what the stop,
/// which only pushes, cannot do.
void atemi_joint_modes_split(const atemi_joint_modes *modes, double *stops, double *friction);
