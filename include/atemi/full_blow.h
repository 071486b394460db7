// SPDX-License-Identifier: Apache-2.0

/// @file
/// Layer simulate. The blow by full dynamics: the question of atemi/blow.h, put to the hybrid
/// simulation.
///
/// The robot moves on through the blow, its inertia with it; gravity and centrifugal forces act;
/// its feet may lift and slip; what is hit is a body of its own that slides along the direction of
/// the blow. Each of two hands touches it by itself, with half of the surface's stiffness and
/// damping. The servo follows its reference,
///
///     tau = limited(held + K_p (ref - q) + K_d (ref' - v)) - friction
///
/// where `held` are the torques that the reference needs, at first touch (atemi_stance_dynamics())
/// or as it goes. A servo that is faster than anything else gets a rotor that slows it down
/// (`shortest_lag`). Joints stop at their limits, or where they start if that is beyond, without
/// rebound.

#pragma once

#include "atemi/blow.h"
#include "atemi/simulation.h"

ATEMI_BEGIN

/// The robot at first touch, and what it stands on.
typedef struct atemi_full_blow_setting {
    /// When the simulation begins, s: at first touch, which is 0, or before it. Then the target's
    /// `place` is given, and the hand gets there by the reference.
    double        start;
    atemi_vec3    place; ///< of the target's face, world; used where start < 0
    const double *q;     ///< [q_count]
    const double *v;     ///< [v_count] grounded links must be at rest
    /// What the servo follows, as a function of time: q [q_count], v and a [v_count]. NULL for
    /// joints that go on with the velocities of first touch.
    void (*reference)(void *context, double time, double *q, double *v, double *a);
    /// What the servo adds to its own torque, tau [v_count]; NULL for what the reference needs at
    /// first touch, all the time.
    void (*feed)(void *context, double time, double *tau);
    void                         *context; ///< of reference and feed
    atemi_striking_point          point;
    atemi_blow_servo              servo;
    atemi_blow_surface            surface;
    atemi_blow_target             target;
    const atemi_surface          *surfaces; ///< [surface_count]
    int                           surface_count;
    const atemi_simulation_point *feet; ///< [foot_count]
    int                           foot_count;
} atemi_full_blow_setting;

/// How a blow is simulated.
typedef struct atemi_full_blow_options {
    bool   past_release;  ///< goes on to the full duration; else ends when hand and target part
    double duration;      ///< s after first touch is due, at most
    double step;          ///< s, of RK4; shorter where damping asks for that
    double slowest_slide; ///< as in atemi_blow_options
    /// s. A joint so light that its servo would bring it to its reference faster gets a rotor with
    /// which it takes so long. 0 for none, and steps as short as that asks for.
    double shortest_lag;
    /// s after first touch, while impulse and time of contact are counted: a hand may come to rest
    /// on what it has struck.
    double counted;
    /// Asked every 8 steps, or NULL. @return false to stop
    bool (*goes_on)(void *context);
    void *goes_on_context;
} atemi_full_blow_options;

/// Until release, 0.1 s, steps of 1e-4 s, 1e-3 rad/s, a lag of 4e-5 s; all of it counts.
ATEMI_API atemi_full_blow_options atemi_full_blow_options_default(void);

/// The state at the end of a step. The arrays are good until the callback returns.
typedef struct atemi_full_blow_sample {
    atemi_blow_sample blow; ///< arrays as in atemi_blow_sample, of the robot alone
    const double     *q;    ///< [q_count]
    bool              has_zmp;
    atemi_vec3        zmp;         ///< on the first plane that a foot may touch
    double            margin;      ///< of the ZMP to the edge of what the robot stands on, m
    const double     *hand_forces; ///< [hands] N
    /// The scene (atemi/model_builder.h) as it is: forces of the feet, wrenches in the joints.
    atemi_simulation *simulation;
} atemi_full_blow_sample;

/// What points of the feet did in a phase of a strike.
typedef struct atemi_full_blow_unrest {
    int lift_offs; ///< by more than 0.01 mm above the floor, at the end of a step
    int slips;     ///< by more than 0.01 mm from where they stood
} atemi_full_blow_unrest;

/// What came of it. Speed and compression are the mean of the hands.
typedef struct atemi_full_blow_result {
    double peak_force, peak_time;                   ///< N, s
    double touch_time;                              ///< of first touch, s; NaN where there was none
    double impulse;                                 ///< N s, onto the target, as far as it counts
    double hand_impulses[ATEMI_STRIKE_MAX_HANDS];   ///< N s, by each hand
    double contact_time;                            ///< s, of any hand, as far as it counts
    double compression;                             ///< the largest, m
    double hand_speed, target_speed, target_travel; ///< at the end, m/s and m
    double duration;                                ///< s
    bool   released;                                ///< hands and target have parted
    bool   stopped;                                 ///< by the hook, before its end
    int    saturated;        ///< how many servos were at their limit at the end of a step
    int    lift_offs, slips; ///< of points of the feet, in all phases; as above
    /// Before first touch, while a hand touches the target, and after that.
    atemi_full_blow_unrest before, during, after;
    double                 margin; ///< the least of the ZMP, m; infinite where there was none
    long                   steps, evaluations;
} atemi_full_blow_result;

/// Simulates a blow. Takes memory for it.
///
/// @param options NULL for the defaults
/// @param take    called at first touch and after each step; or NULL
/// @return ATEMI_ERROR_INPUT as atemi_blow(), and where no scene can be made of the robot;
///         ATEMI_ERROR_SINGULAR where the simulation cannot go on
ATEMI_API atemi_status
atemi_full_blow(const atemi_model *robot, const atemi_full_blow_setting *setting,
                const atemi_full_blow_options *options,
                void (*take)(void *context, const atemi_full_blow_sample *sample), void *context,
                atemi_full_blow_result *result, atemi_error *error);

ATEMI_END
