// SPDX-License-Identifier: Apache-2.0

/// @file
/// What the parts of a blow by full dynamics share: the scene, its servo and its hands.

#pragma once

#include "atemi/full_blow.h"
#include "atemi/simulation.h"
#include "contact/stance.h"
#include "dynamics/mass_matrix.h"

/// A fraction of a law: what one of several hands feels.
typedef struct atemi_law_fraction {
    atemi_compliance whole;
    double           fraction;
} atemi_law_fraction;

/// A hand and what it does to the target.
typedef struct atemi_blow_hand {
    int    point; ///< of the scene
    bool   touches;
    double touched;  ///< since when
    double released; ///< when it parted in this step; NaN if it did not
    double force;    ///< of the last sample, or of the touch since then
    double time;     ///< of that
} atemi_blow_hand;

/// A blow while it is computed.
typedef struct atemi_blow_run {
    const atemi_model             *robot;
    const atemi_full_blow_setting *setting;
    atemi_full_blow_options        options;
    atemi_full_blow_result        *result;

    atemi_model      *scene;
    atemi_simulation *simulation;
    atemi_arena       arena;

    int                      target_link;       ///< of the scene
    int                      target_coordinate; ///< index in v; ATEMI_NONE for a wall
    atemi_surface           *surfaces;          ///< [surface_count + 1]
    atemi_simulation_point  *points; ///< [foot_count + hand_count] the hands are the last
    atemi_law_fraction       fraction;
    atemi_compliance         law;    ///< of one hand
    double                  *held;   ///< [robot's v_count]
    double                  *rotors; ///< [robot's v_count] added to light joints
    double                  *q, *v;  ///< of the scene at first touch
    double                  *reference_q, *reference_v, *reference_a; ///< of an instant
    double                  *servo;       ///< [robot's v_count] torques of the servo in a sample
    bool                    *saturations; ///< [robot's v_count]
    atemi_kinematics         kinematics;
    atemi_footing            footing;
    atemi_stance_scratch     stance;
    atemi_mass_factor        factor;
    atemi_contact_point     *standing;    ///< [foot_count] feet that touch
    atemi_vec3              *foot_forces; ///< [foot_count] scratch
    atemi_vec3              *places;      ///< [foot_count] where a point of a foot stands
    atemi_full_blow_unrest **slides;      ///< [foot_count] the phase in which it began to slide
    atemi_full_blow_unrest **lifts;       ///< [foot_count] the one in which it left the floor

    atemi_blow_hand hands[ATEMI_STRIKE_MAX_HANDS];
    int             hand_count;
    double          speeds[ATEMI_STRIKE_MAX_HANDS]; ///< of the hands along the direction
    double          forces[ATEMI_STRIKE_MAX_HANDS]; ///< of the hands in a sample
    double          front;   ///< how far along the direction the foremost is at the start
    double          touched; ///< since when a hand touches
    double          time;    ///< of the last sample
} atemi_blow_run;

// ---- The servo (full_blow_servo.c)

/// What the servo is to follow, in `reference_q`, `reference_v` and `reference_a`, and what it adds
/// to its own torque, in `held`.
void atemi_full_blow_look_up(const atemi_blow_run *run, double time);

/// The torque of the servo of a joint, after a look up.
double atemi_full_blow_servo_torque(const atemi_blow_run *run, const atemi_joint *joint,
                                    const double *q, const double *v);

/// Hooks of the simulation: what joints and target feel, and how strongly that depends on
/// velocities.
void atemi_full_blow_torque(void *context, double time, const double *q, const double *v,
                            double *tau);
void atemi_full_blow_damping(void *context, double *damping);

// ---- The scene (full_blow_scene.c)

/// Makes scene, surfaces, points and held torques; needs `kinematics` at first touch.
atemi_status atemi_full_blow_make_scene(atemi_blow_run *run, atemi_error *error);

// ---- The hands (full_blow_hands.c)

/// Whether a hand touches the target.
bool atemi_full_blow_touches(const atemi_blow_run *run);

/// Finds `speeds` and returns their mean; overwrites `kinematics`.
double atemi_full_blow_find_speeds(atemi_blow_run *run, const double *q, const double *v);

/// Sets all hands at the start. Returns whether any of them may hit.
bool atemi_full_blow_begin_hands(atemi_blow_run *run);

/// Hook of the simulation: hands that touch and leave, feet that lift and slip.
void atemi_full_blow_event(void *context, const atemi_event *event);

// ---- The feet (full_blow_feet.c)

/// Remembers where the points of the feet stand.
void atemi_full_blow_begin_feet(const atemi_blow_run *run);

/// Counts an event of a point of a foot, or of a joint.
void atemi_full_blow_count_foot(const atemi_blow_run *run, const atemi_event *event);

/// Counts points of feet that have lifted.
void atemi_full_blow_watch_feet(const atemi_blow_run *run);

/// Counts slips that are under way.
void atemi_full_blow_end_feet(const atemi_blow_run *run);

// ---- Samples (full_blow_hands.c)

/// Reads the hands of a sample into `forces`; needs `speeds`. Returns the force of all of them.
double atemi_full_blow_read_forces(atemi_blow_run *run, double time);

/// Adds the time since the hands touch to the time of contact.
void atemi_full_blow_count_touch(atemi_blow_run *run, double until);

/// How far the hands are in the target, their mean.
double atemi_full_blow_compression(const atemi_blow_run *run);

/// Takes `forces` into the impulse; hands whose force has ended let go.
void atemi_full_blow_measure_hands(atemi_blow_run *run, double time);

/// The larger of the peak force and this one.
void atemi_full_blow_note_force(atemi_blow_run *run, double force, double time);
