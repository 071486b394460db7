// SPDX-License-Identifier: Apache-2.0

/// @file
/// Contacts: where a robot touches the world, and what it may not do there.

#pragma once

#include "atemi/model.h"

ATEMI_BEGIN

/// What a contact constrains.
typedef enum atemi_contact_mode {
    ATEMI_CONTACT_OPEN,  ///< nothing: not in touch
    ATEMI_CONTACT_STICK, ///< the point stays where it is: three rows
    ATEMI_CONTACT_SLIP,  ///< the point stays on its surface: one row, with friction against sliding
    ATEMI_CONTACT_SURFACE, ///< the link stays where it is: six rows
    ATEMI_CONTACT_SOFT,    ///< nothing: the surface gives way, and its force is a load
} atemi_contact_mode;

/// Rows of a contact; contacts of one system, so that the index of an element, of at most 30,000
/// squared, is an int.
enum { ATEMI_CONTACT_MAX_ROWS = 6, ATEMI_CONTACT_MAX_COUNT = 5000 };

/// A point of a link in touch with a surface of the world.
typedef struct atemi_contact {
    int                link;
    atemi_contact_mode mode;
    atemi_vec3         point;    ///< in the link's frame
    atemi_vec3         normal;   ///< of the surface, world axes, unit length, towards the robot
    double             friction; ///< kinetic coefficient, used while it slips
    /// Where the point slides or is about to, world axes, unit length. It decides when the point
    /// slips at zero speed or has just turned back, so that friction keeps its direction until that
    /// is noticed; zero if unknown, then the velocity decides, and at zero speed there is no
    /// friction.
    atemi_vec3 direction;
    bool       directed; ///< the direction decides always
    /// The acceleration along the normal that keeps the point on its surface: zero on a plane,
    /// otherwise what the curvature asks of a point that moves along it.
    double normal_acceleration;
    /// The acceleration of the link's point while it sticks, world axes: zero, unless the link
    /// rolls on and this is another point the moment after.
    atemi_vec3 acceleration;
    /// Where contacts are redundant, and forces not unique: its force and moment are to be near to
    /// this one, world axes, at the point. Zero: as small as they can be.
    atemi_force share;
} atemi_contact;

/// A frictionless slipping contact at the link's origin with a horizontal floor.
ATEMI_API atemi_contact atemi_contact_default(void);

/// "open", "stick", "slip", "surface", "soft".
ATEMI_API const char *atemi_contact_mode_text(atemi_contact_mode mode);

ATEMI_END
