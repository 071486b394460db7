// SPDX-License-Identifier: Apache-2.0

/// @file
/// Layer impact. Estimates what happens while a robot hits something, in microseconds: where it
/// strikes, how it gives way there, and the force over time.

#pragma once

#include "atemi/base.h"
#include "atemi/data.h"
#include "atemi/support.h"
#include "atemi/surface.h"

ATEMI_BEGIN

// ---- The striking point -------------------------------------------------------------------------
//
// Where a robot strikes: with one hand, or with two that hit the same target at the same time.
//
// Hands that strike together carry the force of the blow in equal parts, and what moves is their
// mean:
//
//     u = n . mean of the hands' velocities,     f / hands on each of them
//
// so that two hands are one point whose Jacobian is the mean of theirs. See docs/theory/blow.md on
// when that is exact.

enum { ATEMI_STRIKE_MAX_HANDS = 2 };

/// A point of a link.
typedef struct atemi_striking_hand {
    int        link;
    atemi_vec3 point; ///< in the link's frame
} atemi_striking_hand;

/// Where the robot strikes.
typedef struct atemi_striking_point {
    int                 link;
    atemi_vec3          point;     ///< in the link's frame
    atemi_vec3          direction; ///< n: world axes, unit length, from the robot into what it hits
    int                 more;      ///< hands that strike with this one
    atemi_striking_hand others[ATEMI_STRIKE_MAX_HANDS - 1]; ///< [more]
} atemi_striking_point;

/// Refuses links that there are not, points that are not finite, a direction that is not of length
/// 1, and more hands than ATEMI_STRIKE_MAX_HANDS.
ATEMI_API atemi_status atemi_striking_point_check(const atemi_model          *model,
                                                  const atemi_striking_point *point,
                                                  atemi_error                *error);

/// How many hands strike.
ATEMI_API int atemi_striking_point_hands(const atemi_striking_point *point);

/// One of them, from 0 on.
ATEMI_API atemi_striking_hand atemi_striking_point_hand(const atemi_striking_point *point,
                                                        int                         hand);

/// Where a hand is in the world, at the state of the data.
ATEMI_API atemi_vec3 atemi_striking_point_place(const atemi_data           *data,
                                                const atemi_striking_point *point, int hand);

/// The speed of a hand along the direction, m/s.
ATEMI_API double atemi_striking_point_speed(const atemi_data           *data,
                                            const atemi_striking_point *point, int hand);

/// The acceleration of all hands along the direction, their mean, m/s^2. Needs an update with `v`
/// and `a`.
ATEMI_API double atemi_striking_point_acceleration(const atemi_data           *data,
                                                   const atemi_striking_point *point);

/// Adds what a blow does to the robot, -force along the direction, to the forces on its links, in
/// world axes at their origins.
/// @param loads [link_count]
ATEMI_API void atemi_striking_point_add_force(const atemi_data           *data,
                                              const atemi_striking_point *point, double force,
                                              atemi_force *loads);

// ---- The virtual base ---------------------------------------------------------------------------
//
// The virtual base: what a robot that stands on some of its links gives way to, at the moment of a
// blow.
//
// With the posture frozen, torques tau and a force f at the striking point, along `direction`,
// change the rates v of the robot and the speed u of the point by
//
//     dv/dt = C tau + c f,     du/dt = c^T tau + f / m_a
//
// m_a is the virtual mass. Of two hands, u is the mean, and half of f is at each. C and c come
// from the inertia of the robot with its grounded links held in one of two ways:
//
// - fixed, by constraints: C = M^-1 - M^-1 G^T (G M^-1 G^T)^-1 G M^-1 with the grounded links'
//   Jacobians in G. Closed loops of several feet are no special case.
// - heavy, as [SDC] eq. 1-5: an extra mass and inertia on the grounded links of a robot that
//   floats freely, and its base eliminated. C = H*^-1 and c = H*^-1 J*^T n over the joints. It
//   approaches the other as the extra mass grows.

/// How grounded links are held.
typedef enum atemi_grounding {
    ATEMI_GROUNDING_FIXED, ///< by constraints
    ATEMI_GROUNDING_HEAVY, ///< by extra mass and inertia, [SDC] eq. 1-2
} atemi_grounding;

/// The links that stand on the ground. A fixed base needs none.
typedef struct atemi_ground {
    const int      *links; ///< [count]
    int             count;
    atemi_grounding grounding;
    double          mass;    ///< M_g, kg, on each link; used where they are heavy
    double          inertia; ///< I_g, kg m^2, about each axis; used where they are heavy
    const double   *rotors;  ///< [v_count] inertia that joints have besides; NULL for none
    /// [v_count] joints that do not move at all, whatever their servos and friction, such as
    /// fingers at a stop; NULL for none. None between a grounded link and the base, and none where
    /// grounded links are heavy.
    const bool *locked;
} atemi_ground;

/// No links; fixed; 1e5 kg and 1e5 kg m^2 as in [SDC] III.
ATEMI_API atemi_ground atemi_ground_default(void);

/// A robot frozen at the moment of a blow, filled by atemi_virtual_base_update().
///
/// Rates of the base are rates like others, but that nothing drives them: where the grounded links
/// are heavy, C has zeros where it would say what a torque on the base does to the base.
typedef struct atemi_virtual_base {
    int     count;      ///< v_count of the model
    int     base_count; ///< of them, those of the base
    int     stride;     ///< of C: `count`, padded
    double *mobility;   ///< C [count x stride], row-major; the padding is zero
    double *response;   ///< c [count]
    double  give;       ///< 1 / m_a, 1/kg
    double *jacobian;   ///< [count] n^T J, the mean of all hands: u = jacobian . v
    /// H* [joints x joints] and n^T J* [joints] over the rates behind those of the base; filled
    /// only where the grounded links are heavy.
    double *generalized_inertia, *generalized_jacobian;

    atemi_data *data;    ///< at the posture, with the factor of M
    double     *rows;    ///< [6 x count]
    double     *work;    ///< [stride]
    double     *freedom; ///< [count] the diagonal of M^-1
    double     *M;       ///< [count x count]
} atemi_virtual_base;

/// Lays the virtual base out on an arena.
ATEMI_API atemi_virtual_base atemi_virtual_base_take(atemi_arena *arena, const atemi_model *model);

/// Computes C, c, the virtual mass and the point's Jacobian at q.
///
/// @param q      [q_count] configuration
/// @param ground NULL for none
/// @param base   result
/// @return ATEMI_ERROR_INPUT where links, direction or extra masses are impossible;
///         ATEMI_ERROR_SINGULAR where the inertia of the robot is, or where the grounded links
///         leave the point no freedom to move along the direction
///
/// Grounded links may be redundant (two on one body). O(v_count^2) a grounded link. No allocation.
ATEMI_API atemi_status atemi_virtual_base_update(const atemi_model *model, const double *q,
                                                 const atemi_ground         *ground,
                                                 const atemi_striking_point *point,
                                                 atemi_virtual_base *base, atemi_error *error);

/// The virtual mass m_a, kg.
ATEMI_API double atemi_virtual_mass(const atemi_virtual_base *base);

/// The rates that move the point with `speed` along the direction and the grounded links not at
/// all, and have the least kinetic energy of all that do.
/// @param v [v_count] result
ATEMI_API void atemi_virtual_base_rates(const atemi_virtual_base *base, double speed, double *v);

/// The velocities that leave the fixed grounded links at rest and differ from wanted ones by the
/// least kinetic energy: C M wanted.
/// @param wanted [v_count]
/// @param v      [v_count] result; must not alias `wanted`
ATEMI_API void atemi_virtual_base_project(atemi_virtual_base *base, const double *wanted,
                                          double *v);

// ---- The reference of servos --------------------------------------------------------------------
//
// The motion that servos follow through a blow: the hand goes on straight with the
// velocity of first touch, the grounded links stay, and the robot has the least kinetic energy of
// all motions that do so.
//
// Joint velocities are computed at the nodes of a table; between them the accelerations are
// constant. atemi_straight_reference_at() is a reference for atemi_full_blow().

/// The table of a motion, and what it is computed in.
typedef struct atemi_straight_reference {
    const atemi_model *model;
    int                count; ///< of nodes
    double            *q;     ///< [count x q_count]
    double            *v;     ///< [count x v_count]
    double            *work;  ///< [v_count]
    atemi_virtual_base base;  ///< at the node that was computed last
} atemi_straight_reference;

/// Lays a table out on an arena, for motions of at most `duration`.
ATEMI_API atemi_straight_reference atemi_straight_reference_take(atemi_arena       *arena,
                                                                 const atemi_model *model,
                                                                 double             duration);

/// Computes the motion from q on.
/// @param speed of the hand along the direction, m/s
/// @return the status of atemi_virtual_base_update(): the hand may lose its freedom on its path
ATEMI_API atemi_status atemi_straight_reference_find(atemi_straight_reference *reference,
                                                     const double *q, double speed,
                                                     const atemi_ground         *ground,
                                                     const atemi_striking_point *point,
                                                     atemi_error                *error);

/// The joint accelerations of the motion at q, by central differences over 0.2 ms. Overwrites the
/// table.
/// @param v [v_count] joint velocities of the motion at q
/// @param a [v_count] result
/// @return as above
ATEMI_API atemi_status atemi_straight_reference_start(atemi_straight_reference *reference,
                                                      const double *q, const double *v,
                                                      double speed, const atemi_ground *ground,
                                                      const atemi_striking_point *point, double *a,
                                                      atemi_error *error);

/// Configuration, joint velocities and accelerations at a time of the motion, s.
/// @param reference an atemi_straight_reference
ATEMI_API void atemi_straight_reference_at(void *reference, double time, double *q, double *v,
                                           double *a);

// ---- The blow -----------------------------------------------------------------------------------
//
// The blow: what happens while a robot hits something, with its servo in the loop. The Simplified
// Dynamics Computation of [SDC].
//
// The robot is frozen in the posture of first touch. Its servo goes on
// following its reference, which keeps the rates of that moment; centrifugal forces and gravity
// are small beside the blow and left out. The hand meets a target through a compliant surface:
//
//     dv/dt = C tau - c f,       du_h/dt = c^T tau - f / m_a,       du_t/dt = f / m_t
//     tau = limited(held + K_p (ref - phi) + K_d (ref' - phi')) - held - friction
//     f = law(depth, rate)
//
// Of two hands, u_h and the depth are the mean, f is the force of both
// and the surface is that of both together.
//
// Three methods: as published, exactly, and as two point masses. See docs/theory/blow.md.

/// How a blow is computed.
typedef enum atemi_blow_method {
    /// From one change of mode (the contact opens or turns, a servo saturates, a nail moves) to the
    /// next the system is linear, and is solved to rounding errors. The result depends on no step.
    ATEMI_BLOW_EXACT,
    ATEMI_BLOW_RK4,          ///< Runge-Kutta steps, [SDC] steps 3b-8b
    ATEMI_BLOW_VIRTUAL_MASS, ///< the robot is a point mass m_a; no joint moves, no servo works
} atemi_blow_method;

/// "exact", "rk4", "virtual mass".
ATEMI_API const char *atemi_blow_method_text(atemi_blow_method method);

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
    /// What the servo gives for the motion without the blow, constant: `limits` are those of all
    /// that it gives. Torques of samples and results are what the blow adds. NULL for none.
    const double *held;
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
    atemi_blow_method method;
    bool              without_stiffness; ///< K_p is left out, as [SDC] eq. 11 does
    bool   past_release; ///< goes on to the full duration; else ends when hand and target part
    double duration;     ///< s, at most
    /// s, of ATEMI_BLOW_RK4; shorter where light joints or stiff surfaces ask for that.
    double step;
    /// Slower than this, rad/s or m/s, Coulomb friction of a joint is proportional to its rate.
    double slowest_slide;
    /// Together with changes of mode, of the exact method: beyond, ATEMI_ERROR_LIMIT.
    int most_evaluations;
    /// Asked every 256 evaluations or so, or NULL. @return false to stop
    bool (*goes_on)(void *context);
    void *goes_on_context;
} atemi_blow_options;

/// Exact, with stiffness, until release, 0.1 s, steps of 1e-4 s, 1e-3 rad/s, 1e5 evaluations: a
/// second of computing at most.
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
    bool   stopped;                                 ///< by `goes_on`: what there is until then
    int    mode_changes;                            ///< found; 0 by RK4
    int    evaluations; ///< of the right-hand side by RK4, of the propagator by the others
    atemi_blow_operations operations;
    int                   saturated; ///< how many servos reached their limit at least for a moment
    const double         *rates;     ///< [v_count] at the end
    const double         *torques;   ///< [v_count] of the servo, at the end
    const double         *peak_torques; ///< [v_count] of the servo, the largest of either sign
    const bool           *saturations;  ///< [v_count] whose servo reached its limit
} atemi_blow_result;

/// Scratch of all methods. The arrays of the last result live here.
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

/// The friction of a joint: viscous, and Coulomb's, which reaches its limit at `slowest_slide`.
/// @param i index of the joint in v
/// @return torque against the velocity, N m or N
ATEMI_API double atemi_blow_friction(const atemi_blow_servo *servo, int i, double velocity,
                                     double slowest_slide);

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
