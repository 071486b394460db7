// SPDX-License-Identifier: Apache-2.0

/// @file
/// The inside of a simulated robot with its drives.

#pragma once

#include "atemi/control_loop.h"
#include "contact/constrained_dynamics.h"
#include "dynamics/inverse_dynamics.h"
#include "simulate/driven/ground.h"
#include "simulate/driven/held_links.h"

/// A soft body and where it is in the middle of a tick.
typedef struct soft_body {
    atemi_soft_body       options;
    atemi_soft_body_state state;
    atemi_vec3            middle;
} soft_body;

struct atemi_whole_body_plant {
    atemi_model                   *model;     ///< as it is now, without rotors behind springs
    atemi_model                  **robots;    ///< [changes + 1] first and after each change
    double                        *changes;   ///< [changes] s, when
    int                            change_at; ///< the next
    atemi_whole_body_plant_options options;
    atemi_arena                    arena;
    int                            count, first_q, first_v; ///< of the joints

    double             time;
    double            *q, *middle;           ///< [q_count]
    double            *v, *a, *tau, *nought; ///< [v_count]
    double            *torques;              ///< [v_count] of the drives, of friction and of stops
    double            *answer;               ///< [v_count] accelerations by a torque alone
    atemi_joint_plant *joints;               ///< [count]
    double            *brakes;               ///< [count] where they closed; NaN for open ones
    int                brake_count;          ///< closed

    atemi_surface          *surfaces;
    bool                   *is_there; ///< [surfaces]
    atemi_simulation_point *points;
    atemi_touch            *touches; ///< [points]
    ground_point           *grounds; ///< [grounds]
    double                 *rows;    ///< [6 x v_count] of a point that stands
    soft_body              *bodies;  ///< [bodies]
    int                    *body_of; ///< [surfaces] ATEMI_NONE where there is none
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

/// Moves the bodies over the first half of a tick, or over a kick and the second half.
void atemi_whole_body_move_bodies(atemi_whole_body_plant *p);
void atemi_whole_body_kick_bodies(atemi_whole_body_plant *p);

/// Puts nothing on the grounds, in the state that was observed.
void atemi_whole_body_start_grounds(atemi_whole_body_plant *p);

/// The forces on the links in the state that was observed.
void atemi_whole_body_find_loads(atemi_whole_body_plant *p);
