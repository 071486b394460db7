// SPDX-License-Identifier: Apache-2.0

/// @file
/// The contact set: the points that may touch surfaces, their modes, and their states where the
/// robot was observed last; the joints that may be held, and the closed loops.
///
/// The points of one link that may touch one surface are a patch. A point is held while it sticks
/// or slips on a rigid surface.
///
/// A surface may be carried by a link, which then is the second one of its contacts: velocities are
/// relative to it, and it gets the opposite forces. Shapes that touch are such points and surfaces,
/// behind those of the caller (events/shape_points.h); of their points, those are listed that are
/// near (events/near_points.h).

#pragma once

#include "atemi/simulation.h"
#include "contact/friction_limit.h"
#include "dynamics/kinematics.h"
#include "simulate/closed_loops.h"
#include "simulate/events/near_points.h"
#include "simulate/events/shape_points.h"
#include "simulate/joint_modes.h"
#include "simulate/touching.h"

/// What is known of a point at the state that was observed last.
typedef struct atemi_contact_state {
    atemi_vec3         touch;            ///< what would touch, in the link's frame
    atemi_vec3         arm;              ///< the same from the link's origin, world axes
    atemi_vec3         position;         ///< the same in the world
    atemi_vec3         velocity;         ///< of the link there, relative to the surface
    atemi_vec3         carrier;          ///< likewise of the point itself, the centre of a ball
    atemi_vec3         angular_velocity; ///< of the link
    atemi_surface_view view;             ///< the gap is that of what would touch
    atemi_vec3         surface_turns;    ///< angular velocity of a carried surface
    atemi_vec3         foot;             ///< on a carried surface below it, in its link's frame
    double             along;            ///< a capsule's axis, from its middle: the point itself
    atemi_vec3         moves_on; ///< the centre along a capsule about the point, relative to that
    double             upper_along; ///< that capsule's axis, from its middle: what it touches
    double             crossing; ///< squared sine between two capsules that touch with their sides
} atemi_contact_state;

typedef struct atemi_simulation_contacts {
    int                     surface_count, point_count, patch_count;
    int                     own_count;   ///< the caller's points; those of shapes follow
    int                     most_points; ///< of all
    int                     most_rigid;  ///< points without a compliance
    double                  no_force;    ///< as good as none, N
    atemi_surface          *surfaces;
    atemi_simulation_point *points;
    atemi_shape_pair       *pairs; ///< [points - own] the shapes of each
    atemi_near_points       near;
    int                    *patches; ///< [points] the patch of each
    int                    *starts;  ///< [patches] its first point
    int                    *ends;    ///< [patches] its last point
    double                 *outer;   ///< [points] of its force, what the robot as a whole gets
    atemi_contact_mode     *modes;   ///< [points] open, stick, slip or soft
    atemi_contact_state    *states;  ///< [points]
    atemi_vec3             *forces;  ///< [points] that were evaluated last
    /// [points] where a sticking point stays, in the world or in the frame of what carries it
    atemi_vec3         *anchors;
    atemi_vec3         *directions; ///< [points] where a slipping point slid
    bool               *directed;   ///< [points] friction acts against `leads`
    atemi_vec3         *leads;      ///< [points]
    bool               *leaving;    ///< [points] let go, and not yet clear of the surface
    atemi_capsule_part *parts;      ///< [points] of the capsule below, as long as it is held
    atemi_capsule_part *uppers;     ///< [points] of the capsule about the point, likewise
    double             *signs;      ///< [points] 1 or -1: a tied point is pushed or pulled
    double             *bounced;    ///< [points] when it collided last

    atemi_joint_modes  joints; ///< of the method of events
    atemi_closed_loops loops;

    atemi_vec3 *distribution;       ///< [points] forces that were found with the modes
    bool        distribution_known; ///< to go with the modes
    bool        distribution_used;  ///< for points that are redundant

    atemi_contact_mode          *kept_modes;      ///< [points] of before, scratch of events
    atemi_contact_mode          *flight_modes;    ///< [points] of before, scratch of a Moreau step
    bool                        *carries;         ///< [points] carries a part of its patch's force
    atemi_vec3                  *slips;           ///< [points] scratch for directions
    atemi_vec3                  *corners;         ///< [2 points] scratch for a polygon
    atemi_friction_point        *sticking_points; ///< [points] of the patch looked at
    int                         *sticking_index;  ///< [points] which they are
    atemi_friction_limit_scratch friction_limit;
} atemi_simulation_contacts;

/// Checks what a set is to be made of.
atemi_status atemi_contact_set_check(const atemi_model *model, const atemi_shape_points *all,
                                     atemi_error *error);

/// A set of so many, to be taken and filled.
atemi_simulation_contacts atemi_contact_set_sized(const atemi_model        *model,
                                                  const atemi_shape_points *all);
void                      atemi_contact_set_take(atemi_arena *arena, const atemi_model *model,
                                                 atemi_simulation_contacts *set);
void atemi_contact_set_fill(atemi_simulation_contacts *set, const atemi_model *model,
                            const atemi_shape_points *all);

/// All points are open, and nothing has happened yet.
void atemi_contact_set_open(atemi_simulation_contacts *set);
void atemi_contact_set_open_point(atemi_simulation_contacts *set, int point);

/// Finds patches, and what forces on the points from one on do to the robot as a whole.
void atemi_contact_set_patch(atemi_simulation_contacts *set, const atemi_model *model, int from);

// ---- Observation (contact_observation.c)

/// Finds the states of all points.
/// @param kinematics poses and velocities
void atemi_contact_set_observe(atemi_simulation_contacts *set, const atemi_model *model,
                               const atemi_kinematics *kinematics);

/// The state of one point, where the links are by the kinematics.
atemi_contact_state atemi_contact_set_look(const atemi_simulation_contacts *set,
                                           const atemi_model               *model,
                                           const atemi_kinematics *kinematics, int point);

/// The point of the surface under a point that is as good as on it: in the world, or in the frame
/// of what carries the surface.
atemi_vec3 atemi_point_foot(const atemi_simulation_contacts *set, int point);

/// How far a held point is from where the capsule below it bends otherwise, negative beyond:
/// infinity where nothing does.
double atemi_point_edge(const atemi_simulation_contacts *set, int point);

/// Goes on to the part of the capsule that the point has come to.
void atemi_point_go_round(atemi_simulation_contacts *set, int point);

// ---- Points

/// The surface below it.
const atemi_surface *atemi_point_surface(const atemi_simulation_contacts *set, int point);

/// Whether a point is the middle of a capsule that touches another one, and half its axis, in its
/// link's frame.
bool       atemi_point_has_bar(const atemi_simulation_contacts *set, int point);
atemi_vec3 atemi_point_bar(const atemi_simulation_contacts *set, int point);

bool atemi_point_is_rigid(const atemi_simulation_contacts *set, int point);

/// Whether a point is held; and in this patch.
bool atemi_point_is_held(const atemi_simulation_contacts *set, int point);
bool atemi_point_is_held_in(const atemi_simulation_contacts *set, int point, int patch);

/// Whether the direction in which a point slides matters: it has friction, and is not tied.
bool atemi_point_rubs(const atemi_simulation_contacts *set, int point);

/// The component of a vector along the surface at a point.
atemi_vec3 atemi_point_along(const atemi_simulation_contacts *set, int point, atemi_vec3 vector);

/// How fast a point comes nearer to its surface, and how fast its link slides along it, m/s.
double atemi_point_approach(const atemi_simulation_contacts *set, int point);
double atemi_point_slide_speed(const atemi_simulation_contacts *set, int point);

/// The force on a point along its surface's normal.
double atemi_point_normal_force(const atemi_simulation_contacts *set, int point);

/// A contact in a mode at a point, that neither moves nor rolls.
atemi_contact atemi_point_contact(const atemi_simulation_contacts *set, int point, bool closed,
                                  double friction);

/// Lets a point go: it is open, and not yet clear of its surface.
void atemi_point_open(atemi_simulation_contacts *set, int point);

/// Keeps a point where it is.
void atemi_point_stick(atemi_simulation_contacts *set, int point);

/// Gives a slipping point the direction in which it slides, if it is fast enough to have one.
void atemi_point_follow(atemi_simulation_contacts *set, int point);

// ---- Patches

/// The held points of a patch.
typedef struct atemi_patch {
    int        held, sticking, first;
    bool       whole; ///< all stick, and three of them span a plane: the link is held as a whole
    atemi_vec3 normal;
} atemi_patch;

atemi_patch atemi_patch_of(const atemi_simulation_contacts *set, int patch);

/// The centre of a patch's held points, in the link's frame or in the world.
atemi_vec3 atemi_patch_center(const atemi_simulation_contacts *set, int patch, bool in_link);
