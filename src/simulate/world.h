// SPDX-License-Identifier: Apache-2.0

/// @file
/// The inside of a simulation: state, contacts and the room to compute in.

#pragma once

#include "atemi/simulation.h"
#include "contact/collision.h"
#include "contact/constrained_dynamics.h"
#include "contact/friction_limit.h"

/// What is known of a point at the state that was observed last.
typedef struct atemi_sighting {
    atemi_vec3         touch;    ///< what would touch, in the link's frame
    atemi_vec3         arm;      ///< the same from the link's origin, world axes
    atemi_vec3         position; ///< the same in the world
    atemi_vec3         velocity; ///< of the link there, as the surface sees it
    atemi_vec3         carrier;  ///< likewise of the point itself, the centre of a round one
    atemi_vec3         turning;  ///< angular velocity of the link
    atemi_surface_view view;     ///< the gap is that of what would touch
} atemi_sighting;

/// What flows: powers in W, forces in N.
typedef enum atemi_flow {
    ATEMI_FLOW_TORQUES,
    ATEMI_FLOW_FRICTION,                    ///< of the joints
    ATEMI_FLOW_CONTACTS,                    ///< power at the points
    ATEMI_FLOW_PUSHES,                      ///< power of the pushes
    ATEMI_FLOW_DISSIPATED,                  ///< of all that, what dampers and friction take
    ATEMI_FLOW_FORCE,                       ///< of the points, x, y and z
    ATEMI_FLOW_PUSH = ATEMI_FLOW_FORCE + 3, ///< of the pushes, likewise
    ATEMI_FLOW_COUNT = ATEMI_FLOW_PUSH + 3,
} atemi_flow;

struct atemi_simulation {
    const atemi_model       *model;
    atemi_simulation_options options;
    atemi_simulation_hooks   hooks;

    int                     surface_count, point_count, patch_count;
    int                     rigid_count; ///< points without a compliance
    atemi_surface          *surfaces;
    atemi_simulation_point *points;
    int                    *patches;      ///< [points] the patch of each
    atemi_contact_mode     *modes;        ///< [points] open, stick, slip or soft
    atemi_contact_mode     *modes_before; ///< [points] an event
    atemi_contact_mode     *modes_held;   ///< [points] before a flight
    bool                   *foreseen;     ///< [points] whether looking ahead is about it
    double                 *rubs;         ///< [points] with which friction then
    atemi_vec3             *ahead;        ///< [points] velocities seen ahead
    atemi_vec3             *ahead_forces; ///< [points] a guess of the next ones
    atemi_vec3             *shares;       ///< [points] forces that were found with the modes
    bool                    shares_known, shares_used;
    double                 *ahead_q;    ///< [q_count]
    double                 *ahead_v;    ///< [v_count]
    bool                   *carries;    ///< [points] shares the force of its patch
    bool                   *directed;   ///< [points] friction acts against `leads`
    atemi_vec3             *leads;      ///< [points]
    atemi_vec3             *slips;      ///< [points] room for directions
    double                 *bounced;    ///< [points] when it bumped last
    bool                   *leaving;    ///< [points] let go, and not yet clear of the surface
    double                 *signs;      ///< [points] 1 or -1: a tied point is pushed or pulled
    atemi_vec3             *anchors;    ///< [points] where a sticking point stays
    atemi_vec3             *directions; ///< [points] where a slipping point slid
    atemi_sighting         *sightings;  ///< [points]
    atemi_vec3             *forces;     ///< [points]

    double  time;
    double *q, *v, *a;
    double  damping;  ///< rate of the joints' damping, 1/s
    double *damped;   ///< [v_count] how much each torque falls with its own rate
    double *rubbed;   ///< [v_count] Coulomb friction of the joints
    int     unasked;  ///< steps since somebody was asked whether to go on
    int     restless; ///< events other than hard bumps since the last whole step
    bool    settled;  ///< the modes agree with themselves
    int     jams;     ///< blows since they did so last

    int            contact_count;
    atemi_contact *contacts;       ///< [points] what the modes amount to
    int           *contact_points; ///< [points] the point of a contact, or the first of its patch
    atemi_force   *contact_forces; ///< [points]
    double        *applied;        ///< [v_count] the hook's torques
    double        *tau;            ///< [v_count] with those of the joints' friction
    atemi_force   *pushed;         ///< [link_count] the hook's pushes
    atemi_force   *loads;          ///< [link_count] with those of soft surfaces
    double         limit;          ///< no step goes past it: the end of the run, or a jump
    double         jump;           ///< the next instant at which an input jumps, or infinity

    double                 start_time, end_time; ///< of the step under way
    double                *start_q, *start_v, *start_a;
    atemi_sighting        *start_sightings; ///< [points]
    double                *stage_q, *stage_v, *rates[4], *pushes[4];
    double                *whole, *broken, *margins; ///< [conditions] at both ends, and between
    double                *kept_whole, *kept_broken; ///< [conditions]
    struct atemi_adaptive *adaptive;                 ///< or NULL

    double     *restitution; ///< [points] for a bump
    atemi_vec3 *impulses;    ///< [points]
    atemi_vec3 *corners;     ///< [2 points] room for a polygon

    atemi_friction_point        *sticking_points; ///< [points] of the patch looked at
    int                         *sticking_index;  ///< [points] which they are
    atemi_friction_limit_scratch friction_limit;

    atemi_kinematics                   kinematics; ///< room; observations are in dynamics.bias
    atemi_constrained_dynamics_scratch dynamics;
    atemi_collision_scratch            bump;
    atemi_inverse_dynamics_scratch     inverse;

    double flows[4][ATEMI_FLOW_COUNT]; ///< in the stages of a step
    double pushing[4];                 ///< power and force of the pushes that were evaluated last
    double flown[ATEMI_FLOW_COUNT];    ///< over time
    double projecting[4];              ///< work and impulse of the last projection
    double bump_work;
    double exchanged;    ///< all work by its size
    double unsure;       ///< what the trapezoidal rule may be off by, of the work
    double energy_start; ///< kinetic and potential
    double most_kinetic; ///< kinetic energy, at any time

    atemi_simulation_statistics statistics;
    atemi_arena                 arena;
};

/// Accelerations and forces of a state with the modes as they are.
atemi_status atemi_world_evaluate(atemi_simulation *s, double time, const double *q,
                                  const double *v, double *a);

/// The same of a state that was observed last.
atemi_status atemi_world_accelerate(atemi_simulation *s, double time, const double *q,
                                    const double *v, double *a);
