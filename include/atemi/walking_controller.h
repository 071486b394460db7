// SPDX-License-Identifier: Apache-2.0

/// @file
/// The walking controller: joint torques that make a humanoid walk in the sagittal plane, from what
/// it measures of itself and of the floor under its feet.
///
/// The body is a pendulum whose only input is the centre of pressure. It runs from heel to toe of
/// the standing foot and over to the next one, is shifted against errors of the capture point, and
/// what it cannot mend within a step the next foothold does. Both decide the accelerations of feet,
/// trunk and head; the torques are those of inverse dynamics with the floor's force in that centre
/// of pressure. A foot that slides tells how much friction there is, and the steps become as short
/// as that asks for. See docs/theory/walk.md.
///
///     atemi_walking_controller_posture(controller, q);
///     every tick: atemi_walking_controller_tick(controller, time, &senses);
///     in between: atemi_walking_controller_torque(controller, time, v, tau);

#pragma once

#include "atemi/error.h"
#include "atemi/model.h"

ATEMI_BEGIN

enum { ATEMI_LEFT, ATEMI_RIGHT, ATEMI_FEET };

/// The points of the feet: heel and toe of the left foot, then of the right one.
enum { ATEMI_HEEL, ATEMI_TOE, ATEMI_FOOT_POINTS, ATEMI_WALKING_POINTS = 4 };

/// The gait that is wanted, and gains.
typedef struct atemi_walking_options {
    // The gait
    double tick;            ///< s between two measurements
    double step_length;     ///< m, that it strives for
    double step_period;     ///< s from landing to landing
    double double_support;  ///< s of that, on both feet
    double pressure_travel; ///< m from the middle of the sole to where the pressure begins and ends
    double hip_height;      ///< m, above the ankles; less where the legs do not reach
    double clearance;       ///< m, of the swinging heel half-way
    double landing_speed;   ///< m/s, downwards
    double heel_strike;     ///< rad, toe up on landing
    double push_off;        ///< rad, heel up at the end of double support
    double arm_swing;       ///< rad of the shoulder to a rad of the other leg's hip
    // Balance
    double capture_gain; ///< shift of the pressure for an error of the capture point; above 1
    double longest_step; ///< m, forwards
    double longest_back; ///< m, backwards
    double last_change;  ///< s before landing after which the foothold stays
    double settling;     ///< s before landing in which the foot comes straight down
    double gather;       ///< m/s by which the step length grows, and by which
    double slacken;      ///< m/s it falls
    double felt_part;    ///< of the friction felt in a slide, that the steps may use
    double forgetting;   ///< s in which that is forgotten
    // Rates of the feedback, rad/s: an error falls as e^(-rate t)
    double sole_rate;  ///< of a foot on the floor
    double foot_rate;  ///< of the swinging foot
    double trunk_rate; ///< of the pitch of the waist
    double head_rate;  ///< of the height of the head
    double joint_rate; ///< of body, neck, elbows and wrists
    double arm_rate;   ///< of the shoulders
} atemi_walking_options;

/// What docs/theory/walk.md tells of: 0.42 m and 0.71 s a step, as [WALK] has it.
ATEMI_API atemi_walking_options atemi_walking_options_default(void);

/// What the controller measures.
typedef struct atemi_walking_senses {
    const double *q; ///< [q_count]
    const double *v; ///< [v_count]
    /// Whether a point of the feet touches the floor, and with what force of the floor, world axes.
    bool       touches[ATEMI_WALKING_POINTS];
    atemi_vec3 forces[ATEMI_WALKING_POINTS];
} atemi_walking_senses;

typedef enum atemi_stride_phase {
    ATEMI_STRIDE_DOUBLE, ///< on both feet: the pressure passes to the foot that has landed
    ATEMI_STRIDE_SWING,  ///< on one foot, the other swings
} atemi_stride_phase;

/// What the controller is about.
typedef struct atemi_walking_state {
    atemi_stride_phase phase;
    int                standing; ///< the foot that landed last
    double             clock;    ///< s since the phase began
    long               landings;
    double             sole;        ///< x of the middle of the standing sole, m
    double             pressure;    ///< x of the wanted centre of pressure, m
    double             capture;     ///< x of the capture point, m
    double             foothold;    ///< x of the middle of the sole to be, m
    double             step_length; ///< that it strives for now, m
    double             felt;        ///< friction felt, 1 where none was
    double             strain;      ///< largest part of a joint's effort needed at the last tick
    long               limited;     ///< ticks at which that was more than the whole
} atemi_walking_state;

typedef struct atemi_walking_controller atemi_walking_controller;

/// Makes a controller; it keeps the model.
///
/// The model has a sagittal base, sites left_heel, left_toe, right_heel and right_toe, legs of
/// three joints about y between the root and the feet, and a link `head`. Its other joints are held
/// as in the posture `standing`, if there is one; the shoulders, left_shoulder and right_shoulder,
/// swing.
/// @param options NULL for the defaults
/// @return ATEMI_ERROR_INPUT for a model that is not like that, or options that make no sense
ATEMI_API atemi_status atemi_walking_controller_create(const atemi_model           *model,
                                                       const atemi_walking_options *options,
                                                       atemi_walking_controller   **controller,
                                                       atemi_error                 *error);
ATEMI_API void         atemi_walking_controller_destroy(atemi_walking_controller *controller);

/// The posture to start from, at rest on the floor z = 0, feet side by side below x = 0.
/// @param q [q_count] result
ATEMI_API void atemi_walking_controller_posture(atemi_walking_controller *controller, double *q);

/// Measures and decides the torques for the tick to come. No allocation. The first tick after
/// atemi_walking_controller_posture() is at rest in it.
ATEMI_API void atemi_walking_controller_tick(atemi_walking_controller *controller, double time,
                                             const atemi_walking_senses *senses);

/// The torques at a time of the tick under way: a ramp from those of the tick before, plus what the
/// joints' damping takes, within the joints' limits of effort.
/// @param v   [v_count] joint rates at that time
/// @param tau [v_count] result
ATEMI_API void atemi_walking_controller_torque(const atemi_walking_controller *controller,
                                               double time, const double *v, double *tau);

/// What it is about.
ATEMI_API atemi_walking_state
atemi_walking_controller_state(const atemi_walking_controller *controller);

/// A point of a foot that the controller expects to touch the floor: its link and place there.
/// @param point 2 foot + ATEMI_HEEL or ATEMI_TOE
ATEMI_API int atemi_walking_controller_point(const atemi_walking_controller *controller, int point,
                                             atemi_vec3 *place);

ATEMI_END
