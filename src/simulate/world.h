// SPDX-License-Identifier: Apache-2.0

/// @file
/// The inside of a simulation: state, contacts and the room to compute in.

#pragma once

#include "atemi/simulation.h"

/// What is known of a point at the state that was observed last.
typedef struct atemi_sighting {
    atemi_vec3         position, velocity;
    atemi_surface_view view;
} atemi_sighting;

struct atemi_simulation {
    const atemi_model       *model;
    atemi_simulation_options options;
    atemi_simulation_hooks   hooks;

    int                     surface_count, point_count, patch_count;
    atemi_surface          *surfaces;
    atemi_simulation_point *points;
    int                    *patches;    ///< [points] the patch of each
    atemi_contact_mode     *modes;      ///< [points] open, stick or slip
    atemi_vec3             *anchors;    ///< [points] where a sticking point stays
    atemi_vec3             *directions; ///< [points] where a slipping point slides
    atemi_sighting         *sightings;  ///< [points]
    atemi_vec3             *forces;     ///< [points]

    double  time;
    double *q, *v, *a;

    int            contact_count;
    atemi_contact *contacts;       ///< [points] what the modes amount to
    int           *contact_points; ///< [points] the point of a contact, or the first of its patch
    atemi_force   *contact_forces; ///< [points]
    double        *applied;        ///< [v_count] the hook's torques
    double        *tau;            ///< [v_count] with those of the joints' friction
    atemi_force   *pushes_on;      ///< [link_count] of the hook, and of soft surfaces

    double  start_time; ///< of the step under way
    double *start_q, *start_v, *start_a;
    double *stage_q, *stage_v, *rates[4], *pushes[4];

    double     *restitution; ///< [points] for a bump
    atemi_vec3 *impulses;    ///< [points]
    atemi_vec3 *corners;     ///< [points] room for a polygon

    atemi_kinematics                   kinematics;
    atemi_constrained_dynamics_scratch dynamics;
    atemi_bump_scratch                 bump;
    atemi_inverse_dynamics_scratch     inverse;

    atemi_simulation_statistics statistics;

    atemi_arena arena;
};

/// Looks at all points in the state (q, v).
void atemi_world_observe(atemi_simulation *s, const double *q, const double *v);

/// Accelerations and forces of a state with the modes as they are.
atemi_status atemi_world_evaluate(atemi_simulation *s, double time, const double *q,
                                  const double *v, double *a);

/// The closed points of a patch: how many, the first, their mode, and the sum of their forces.
typedef struct atemi_patch {
    int                closed, first;
    atemi_contact_mode mode;
    atemi_vec3         normal, force;
} atemi_patch;

atemi_patch atemi_world_patch(const atemi_simulation *s, int patch);

/// Brings closed points back onto their constraints: positions, then velocities.
void atemi_world_project(atemi_simulation *s);
