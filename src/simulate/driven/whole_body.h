// SPDX-License-Identifier: Apache-2.0

/// @file
/// The inside of a simulated robot with its drives.

#pragma once

#include "atemi/control_loop.h"
#include "contact/constrained_dynamics.h"
#include "dynamics/inverse_dynamics.h"
#include "simulate/driven/held_links.h"

struct atemi_whole_body_plant {
    atemi_model                   *model; ///< without rotors behind springs
    atemi_whole_body_plant_options options;
    atemi_arena                    arena;
    int                            count, first_q, first_v; ///< of the joints

    double             time;
    double            *q, *middle;           ///< [q_count]
    double            *v, *a, *tau, *nought; ///< [v_count]
    double            *torques;              ///< [v_count] of the drives, of friction and of stops
    double            *answer;               ///< [v_count] accelerations by a torque alone
    atemi_joint_plant *joints;               ///< [count]

    atemi_surface          *surfaces;
    bool                   *is_there; ///< [surfaces]
    atemi_simulation_point *points;
    atemi_touch            *touches; ///< [points]
    atemi_pull             *pulls;   ///< link ATEMI_NONE where there is none
    atemi_force            *pull_forces;
    atemi_force            *forces, *loads; ///< [links]
    double                  offload;

    held_link     *holds; ///< [max_holds]
    atemi_contact *contacts;
    atemi_force   *contact_forces;
    int            contact_count;

    atemi_kinematics                   kinematics;
    atemi_constrained_dynamics_scratch dynamics;
    atemi_inverse_dynamics_scratch     inverse;
};

/// Looks at the links in the configuration q, with the velocities there are.
void atemi_whole_body_observe(atemi_whole_body_plant *p, const double *q);

/// How fast a torque on a joint alone accelerates it, rad/s^2 per N m, by the factor of `dynamics`.
double atemi_whole_body_mobility(atemi_whole_body_plant *p, int joint);

/// The forces on the links in the state that was observed.
void atemi_whole_body_find_loads(atemi_whole_body_plant *p);
