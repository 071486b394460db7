// SPDX-License-Identifier: Apache-2.0

/// @file
/// The blow: what happens while a robot hits something, with its servo in the loop. The Simplified
/// Dynamics Computation of [SDC].
///
/// The robot is frozen in the posture of first touch (atemi/virtual_base.h). Its servo goes on
/// following its reference, which keeps the rates of that moment; centrifugal forces and gravity
/// are small beside the blow and left out. The hand meets a target through a compliant surface:
///
///     dv/dt = C tau - c f,       du_h/dt = c^T tau - f / m_a,       du_t/dt = f / m_t
///     tau = limited(K_p (ref - phi) + K_d (ref' - phi')) - friction,     f = law(depth, rate)
///
/// Of two hands (atemi/striking_point.h), u_h and the depth are the mean, f is the force of both
/// and the surface is that of both together.
///
/// Three ways: as published, exactly, and as two point masses. See docs/theory/blow.md.

#pragma once

#include "atemi/compliance.h"
#include "atemi/support.h"
#include "atemi/virtual_base.h"

ATEMI_BEGIN

/// How a blow is computed.
typedef enum atemi_blow_way {
    /// From one change of mode (the contact opens or turns, a servo saturates, a nail moves) to the
    /// next the system is linear, and is solved to rounding errors. The result depends on no step.
    ATEMI_BLOW_EXACT,
    ATEMI_BLOW_RK4,          ///< Runge-Kutta steps, [SDC] steps 3b-8b
    ATEMI_BLOW_VIRTUAL_MASS, ///< the robot is a point mass m_a; no joint moves, no servo works
} atemi_blow_way;

/// "exact", "rk4", "virtual mass".
ATEMI_API const char *atemi_blow_way_text(atemi_blow_way way);

/// What drives and brakes the joints. Every array has v_count entries, or is NULL. Entries of the
/// base must be zero; limits there are not looked at.
///
/// Gains and viscous friction may be any finite numbers. Beyond 2e3 / duration and 100 times the
/// rate of the contact, stiffness makes a joint swing no faster, and beyond 2e5 / duration and 3000
/// times the rate of the contact, damping lets it rest no sooner: it is as good as rigid then, to
/// 1e-4 of the blow.
typedef struct atemi_blow_servo {
    const double *stiffness; ///< K_p, N m/rad or N/m; NULL for none
    const double *damping;   ///< K_d, N m s/rad or N s/m; NULL for none
    const double *limits;    ///< of the servo's torque, either way; may be infinite; NULL for none
    const double *viscous;   ///< viscous friction of the joint; NULL for none
    const double *coulomb;   ///< Coulomb friction of the joint, N m or N; NULL for none
} atemi_blow_servo;

/// What the hand touches with.
typedef enum atemi_blow_law {
    ATEMI_BLOW_COMPRESSION_DAMPER, ///< of [SDC], atemi_compliance_compression_damper()
    ATEMI_BLOW_KELVIN_VOIGT,       ///< atemi_compliance_kelvin_voigt()
    ATEMI_BLOW_OTHER_LAW,          ///< any law, for ATEMI_BLOW_RK4 only
} atemi_blow_law;

/// The surface between hand and target; of two hands, that of both together.
typedef struct atemi_blow_surface {
    atemi_blow_law      law;
    atemi_spring_damper spring; ///< of the first two laws
    atemi_compliance    other;  ///< of ATEMI_BLOW_OTHER_LAW
} atemi_blow_surface;

/// What is hit.
typedef struct atemi_blow_target {
    double mass;     ///< kg; infinite for a wall
    double friction; ///< N, against the motion of the target: a nail in its hole
} atemi_blow_target;

/// A blow to be computed.
typedef struct atemi_blow_setting {
    const double *rates;         ///< [v_count] at first touch; NULL for least-energy ones
    double        speed;         ///< of the point along the direction, m/s; used if `rates` is NULL
    const double *accelerations; ///< [v_count] of the reference; NULL for none
    /// The acceleration of the point along the direction by its reference alone, m/s^2:
    /// n . (J a + dJ/dt v). 0 where the reference keeps the hand's velocity.
    double             drift;
    atemi_blow_servo   servo;
    atemi_blow_surface surface;
    atemi_blow_target  target;
} atemi_blow_setting;

/// Speed 0, no servo, the surface of [SDC] and its target of 5 kg.
ATEMI_API atemi_blow_setting atemi_blow_setting_default(void);

/// How a blow is computed, and for how long.
typedef struct atemi_blow_options {
    atemi_blow_way way;
    bool           without_stiffness; ///< K_p is left out, as [SDC] eq. 11 does
    bool   past_release; ///< goes on to the full duration; else ends when hand and target part
    double duration;     ///< s, at most
    /// s, of ATEMI_BLOW_RK4; shorter where light joints or stiff surfaces ask for that.
    double step;
    /// Slower than this, rad/s or m/s, Coulomb friction of a joint is proportional to its rate.
    double slowest_slide;
} atemi_blow_options;

/// Exact, with stiffness, until release, 0.1 s, steps of 1e-4 s, 1e-3 rad/s.
ATEMI_API atemi_blow_options atemi_blow_options_default(void);

/// How a sample changes along several directions (atemi/blow_derivatives.h): rows of `stride`.
typedef struct atemi_blow_sample_slopes {
    int           stride;
    const double *force, *hand_speed, *target_speed; ///< [stride]
    const double *rates;                             ///< [v_count x stride]
    const double *accelerations;                     ///< [v_count x stride]
    const double *torques;                           ///< [v_count x stride]
} atemi_blow_sample_slopes;

/// The state of a blow at one instant. The arrays are good until the callback returns.
typedef struct atemi_blow_sample {
    double        time; ///< since first touch, s
    double        force, compression, hand_speed, target_speed;
    const double *rates;         ///< [v_count]
    const double *accelerations; ///< [v_count]
    const double *torques;       ///< [v_count] of the servo

    const atemi_blow_sample_slopes *slopes; ///< NULL unless they are asked for
} atemi_blow_sample;

/// Which instants to look at.
typedef struct atemi_blow_watch {
    const double *times; ///< [count] ascending, s; those after the end of the blow are not taken
    int           count;
    void (*take)(void *context, const atemi_blow_sample *sample);
    void *context;
} atemi_blow_watch;

/// Arithmetic that was executed: steps, what prepares them and what is looked for between them,
/// without atemi_virtual_base_update(). Counted from the sizes of what is computed, beside
/// atemi_blow_work; comparisons do not count, a square root counts as a division, and a law of
/// contact as two multiplications and an addition.
typedef struct atemi_blow_operations {
    double additions; ///< and subtractions
    double multiplications, divisions;
} atemi_blow_operations;

/// What came of a blow. Zero throughout if the hand moves away from the target.
typedef struct atemi_blow_result {
    double peak_force, peak_time; ///< N, s
    double impulse;               ///< N s, onto the target
    double contact_time;          ///< s, without the time apart if they touch again
    double compression;           ///< the largest, m
    double hand_speed, target_speed, target_travel; ///< at the end, m/s and m
    double duration;                                ///< until the end, s
    bool   released;                                ///< hand and target have parted
    int    mode_changes;                            ///< found; 0 by RK4
    int    evaluations; ///< of the right-hand side by RK4, of the propagator by the others
    atemi_blow_operations operations;
    int                   saturated; ///< how many servos reached their limit at least for a moment
    const double         *rates;     ///< [v_count] at the end
    const double         *torques;   ///< [v_count] of the servo, at the end
    const double         *peak_torques; ///< [v_count] of the servo, the largest of either sign
    const bool           *saturations;  ///< [v_count] whose servo reached its limit
} atemi_blow_result;

/// Scratch of all ways. The arrays of the last result live here.
typedef struct atemi_blow_scratch {
    int                        count; ///< v_count
    struct atemi_blow_element *elements;
    struct atemi_blow_lane    *lanes;
    struct atemi_blow_margin  *margins;
    double                    *vectors;
    bool                      *saturations;
    int                       *axes;
} atemi_blow_scratch;

/// Lays the scratch out on an arena.
ATEMI_API atemi_blow_scratch atemi_blow_scratch_take(atemi_arena *arena, const atemi_model *model);

/// Computes a blow.
///
/// @param base    updated with atemi_virtual_base_update()
/// @param options NULL for the defaults
/// @param watch   NULL for none
/// @param result  filled unless the input is refused
/// @return ATEMI_ERROR_INPUT where gains, limits, friction, surface, target, rates or options are
///         negative, not finite or contradictory, where the contact is faster than 1e9 / s or the
///         hand than light: the message says which; ATEMI_ERROR_LIMIT where modes change without
///         end, steps become too many, or numbers overflow. With ATEMI_OK every number is finite.
///
/// No allocation.
ATEMI_API atemi_status atemi_blow(const atemi_virtual_base *base, const atemi_blow_setting *setting,
                                  const atemi_blow_options *options, const atemi_blow_watch *watch,
                                  atemi_blow_scratch *scratch, atemi_blow_result *result,
                                  atemi_error *error);

/// The zero-moment point while the robot hits, from the accelerations of its links and what the
/// ground and the hand's force must then be.
///
/// @param q     [q_count] the posture
/// @param v     [v_count] the joint velocities of a sample
/// @param a     [v_count] the accelerations of a sample
/// @param force of the blow, N
/// @param plane NULL for the floor
/// @param zmp   the result; untouched when there is none
/// @return false when the ground does not press on the robot
ATEMI_API bool atemi_blow_zmp(atemi_data *data, const double *q, const double *v, const double *a,
                              const atemi_striking_point *point, double force,
                              const atemi_support_plane *plane, atemi_vec3 *zmp);

/// What the cost model of [SDC] counts operations for.
typedef struct atemi_blow_work {
    const int *limbs;      ///< [limb_count] joints of each arm, leg or neck: n_1, n_2, ...
    int        limb_count; ///< l
    int        joints;     ///< n, of all
    int        striking;   ///< n_k, joints of the limb that strikes
    double     iterations; ///< T_i = duration / step, [SDC] eq. 19
} atemi_blow_work;

/// Additions, subtractions, multiplications and divisions of a simulation: with the inertia
/// computed anew in each step ([SDC] eq. 18), with it frozen (eq. 20), and by articulated bodies
/// (eq. 22, with the iteration count that the print lacks).
ATEMI_API double atemi_blow_cost_full(const atemi_blow_work *work);
ATEMI_API double atemi_blow_cost_frozen(const atemi_blow_work *work);
ATEMI_API double atemi_blow_cost_articulated(const atemi_blow_work *work);

ATEMI_END
