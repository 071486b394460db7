// SPDX-License-Identifier: Apache-2.0

/// @file
/// Mode prediction: the modes of contact candidates, points and joints, all of them together, from
/// how they would move a moment later. It looks at a state, its contacts and its forces, and
/// changes none of them.

#pragma once

#include "contact/collision.h"
#include "contact/constrained_dynamics.h"
#include "dynamics/kinematics.h"
#include "simulate/contact_set.h"

typedef struct atemi_mode_prediction {
    bool               *candidates; ///< [points] which are predicted; tied ones must not be
    double             *friction;   ///< [points] of the candidates
    atemi_vec3         *velocities; ///< [points] result: a moment later
    atemi_vec3         *forces;     ///< [points] result: until then; a guess of the next ones
    atemi_contact_mode *modes;      ///< [points] result, of the candidates
    atemi_vec3         *directions; ///< [points] result, of those that slip

    bool   *joints;              ///< [v_count] which joints are candidates
    bool   *at_lower, *at_upper; ///< [v_count] the stops that they touch
    double *joint_forces;        ///< [v_count] result: until then; a guess of the next ones
    double *joint_velocities;    ///< [v_count] result, of the candidates
    int    *joint_directions;    ///< [v_count] result: where they move; 0 if held

    atemi_joint_hold        *holds;   ///< [v_count] scratch, as what follows
    int                     *holders; ///< [v_count] which joint a hold is of
    int                      hold_count;
    atemi_contact           *contacts; ///< [points]
    atemi_vec3              *impulses; ///< [points]
    double                  *q, *v;
    atemi_kinematics         kinematics; ///< a moment later
    atemi_collision_scratch *collision;  ///< that of collisions
} atemi_mode_prediction;

void atemi_mode_prediction_take(atemi_arena *arena, const atemi_model *model, int point_count,
                                atemi_mode_prediction *prediction);

/// Predicts velocities and forces of the candidates `moment` s after the state (q, v).
/// @param dynamics of that state, with its load and the factor of M, whose scratch is used
void atemi_mode_prediction_move(atemi_mode_prediction *prediction, const atemi_model *model,
                                const atemi_simulation_contacts    *set,
                                atemi_constrained_dynamics_scratch *dynamics, const double *q,
                                const double *v, double moment);

/// The modes that go with velocities of the candidates; slower than `none`, in m/s, is at rest.
void atemi_mode_prediction_classify(atemi_mode_prediction           *prediction,
                                    const atemi_simulation_contacts *set, double none);

/// Makes a joint a candidate, or none.
void atemi_mode_prediction_nominate(atemi_mode_prediction   *prediction,
                                    const atemi_joint_modes *joints, int joint, bool candidate);

/// Makes points that touch and neither leave nor come, and all that are held, the candidates; and
/// joints likewise.
void atemi_mode_prediction_candidates(atemi_mode_prediction           *prediction,
                                      const atemi_simulation_contacts *set);

/// Whether a point or a joint may be such a candidate.
bool atemi_mode_prediction_is_near(const atemi_simulation_contacts *set, int point);
bool atemi_mode_prediction_joint_is_near(const atemi_joint_modes *joints, int joint);

/// Lists the holds of the candidate joints: what their impulses may be in `moment` s.
void atemi_mode_prediction_list_joints(atemi_mode_prediction   *prediction,
                                       const atemi_joint_modes *joints, double moment);

/// Gives the candidates the modes that were predicted.
void atemi_mode_prediction_apply(const atemi_mode_prediction *prediction,
                                 atemi_simulation_contacts   *set);
