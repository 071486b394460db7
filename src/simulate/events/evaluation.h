// SPDX-License-Identifier: Apache-2.0

/// @file
/// Evaluation: what acts on the robot in a state, and how it then accelerates, with the modes of
/// the contacts as they are.

#pragma once

#include "contact/constrained_dynamics.h"
#include "simulate/damping.h"
#include "simulate/events/mode_prediction.h"
#include "simulate/state.h"

/// The first input that was not finite: a torque's entry of v, or a link; or ATEMI_NONE.
typedef struct atemi_input_fault {
    int    rate, link;
    double time;
} atemi_input_fault;

typedef struct atemi_evaluation {
    const atemi_model              *model;
    const atemi_simulation_options *options;
    const atemi_simulation_hooks   *hooks;
    long                            count;   ///< evaluations since the start
    double                          ahead;   ///< s: damping is taken implicitly by so much; or 0
    double                          gravity; ///< its size, m/s^2

    const double *efforts;  ///< [v_count] that torques stay within, or NULL
    double       *held;     ///< [v_count] torques that the last step was given
    double       *applied;  ///< [v_count] the hook's torques, and those
    double       *tau;      ///< [v_count] with those of the joints' friction
    atemi_force  *external; ///< [link_count] the hook's forces
    atemi_force  *loads;    ///< [link_count] with those of soft surfaces

    atemi_input_fault fault; ///< since the start

    int            contact_count;
    atemi_contact *contacts;       ///< [points] what the modes amount to
    int           *contact_points; ///< [points] the point of a contact, or the first of its patch
    atemi_force   *contact_forces; ///< [points]

    atemi_constrained_dynamics_scratch dynamics; ///< its bias has the kinematics observed last
    atemi_mode_prediction              prediction;
    atemi_damping                      damping;
} atemi_evaluation;

/// Lays out what has the sizes of the model and of the set.
void atemi_evaluation_take(atemi_arena *arena, const atemi_simulation_contacts *set,
                           atemi_evaluation *e);

/// Observes the state (q, v): kinematics and the states of the points. The second one, where only
/// velocities differ from what was observed last.
void atemi_observe(atemi_evaluation *e, atemi_simulation_contacts *set, const double *q,
                   const double *v);
void atemi_observe_velocities(atemi_evaluation *e, atemi_simulation_contacts *set, const double *v);

/// Finds accelerations, and the forces of the points. The second one of a state that was observed
/// last.
/// @return ATEMI_ERROR_SINGULAR where the contacts contradict each other or jam
atemi_status atemi_evaluate(atemi_evaluation *e, atemi_simulation_contacts *set, double time,
                            const double *q, const double *v, double *a);
atemi_status atemi_evaluate_observed(atemi_evaluation *e, atemi_simulation_contacts *set,
                                     double time, const double *q, const double *v, double *a);

/// The accelerations of a state, at its own time.
atemi_status atemi_evaluate_state(atemi_evaluation *e, atemi_simulation_contacts *set,
                                  atemi_state *state);

/// The torques of the hook, and those that are held.
void atemi_evaluation_torques(const atemi_evaluation *e, double time, const double *q,
                              const double *v, double *tau);

/// Asks the hooks for torques and forces, without the joints' friction, and finds the forces of
/// soft surfaces: all that acts on a state that was observed last but for rigid contacts.
void atemi_evaluation_ask(atemi_evaluation *e, atemi_simulation_contacts *set, double time,
                          const double *q, const double *v);

/// Adds a force on a point to the loads, and the opposite one on what carries its surface.
void atemi_evaluation_load_point(atemi_evaluation *e, const atemi_simulation_contacts *set,
                                 int point, atemi_vec3 force);

/// Adds a contact at a point, in a mode, to the contacts of the evaluation.
void atemi_evaluation_add_contact(atemi_evaluation *e, const atemi_simulation_contacts *set,
                                  int point, atemi_contact_mode mode);

/// Adds accelerations to the kinematics that were observed last.
void atemi_evaluation_accelerate(atemi_evaluation *e, const double *a);

/// Then the acceleration of a point's link at `arm` from its origin, world axes; less that of the
/// material of what carries its surface.
atemi_vec3 atemi_point_acceleration(const atemi_evaluation *e, const atemi_simulation_contacts *set,
                                    int point, atemi_vec3 arm);

/// Whether these accelerations agree with the modes: open points in touch do not accelerate into
/// their surfaces, slipping points that stand accelerate where they slip; and joints likewise.
bool atemi_evaluation_agrees(const atemi_evaluation *e, const atemi_simulation_contacts *set,
                             const double *a);

/// Predicts the modes of all points and joints in touch a moment after the state evaluated last,
/// with the forces that go with them; the contact set stays as it is.
void atemi_evaluation_predict_modes(atemi_evaluation *e, const atemi_simulation_contacts *set,
                                    const atemi_state *state);
