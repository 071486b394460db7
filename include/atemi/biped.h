// SPDX-License-Identifier: Apache-2.0

/// @file
/// Layer walk. Walking in three dimensions, for any humanoid with two legs: a controller, from
/// measurements to joint torques, where its base is, and walks of it in simulation.
///
/// The divergent component of motion decides where the pressure is, where the next foot lands and
/// when; whole-body control (atemi/whole_body_control.h) finds the torques of each tick. Lengths
/// are in leg lengths, times in sqrt(leg / g), so that robots of all sizes walk with the same
/// numbers. See docs/theory/biped.md.
///
///     atemi_biped_posture(biped, q);
///     every tick: atemi_biped_tick(biped, &senses, tau);

#pragma once

#include "atemi/humanoid.h"
#include "atemi/model_builder.h"
#include "atemi/simulation.h"
#include "atemi/surface.h"
#include "atemi/walk.h"
#include "atemi/whole_body_control.h"

ATEMI_BEGIN

// ---- Where the base is, from what a robot measures (docs/theory/base_estimator.md)

/// What the estimator counts on: standard deviations.
typedef struct atemi_base_estimator_options {
    double accelerometer; ///< m/s^2, of a sample
    double foot_place;    ///< m, of a foot beside the base, by the encoders
    double foot_speed;    ///< m/s, of a foot that stands
    double foot_drift;    ///< m/s^0.5, by which a foot that stands moves on
    double tilt_drift;    ///< rad/s^0.5, by which the gyroscope loses the vertical
    double loaded;        ///< of the weight, on a foot that stands
} atemi_base_estimator_options;

/// Those of sensors of data sheets: 0.1, 1e-3, 0.02, 1e-3, 1e-4, 0.1.
ATEMI_API atemi_base_estimator_options atemi_base_estimator_options_default(void);

/// What a robot measures. The base's entries of q and v are not looked at.
typedef struct atemi_base_senses {
    const double     *q;                   ///< [q_count] of the joints
    const double     *v;                   ///< [v_count] of the joints
    atemi_imu_reading imu;                 ///< of a unit in the root link's frame, at its origin
    double            forces[ATEMI_SIDES]; ///< of the floor on each foot along its normal, N
} atemi_base_senses;

typedef struct atemi_base_estimator atemi_base_estimator;

/// Lays an estimator out on an arena; it keeps the model, which has a floating base.
/// @param options NULL for the defaults
/// @return NULL while measuring; also NULL, with a broken contract, if the arena is too small
ATEMI_API atemi_base_estimator *
atemi_base_estimator_take(atemi_arena *arena, const atemi_model *model,
                          const atemi_humanoid               *humanoid,
                          const atemi_base_estimator_options *options);

/// Begins at rest in a configuration that is known.
/// @param q [q_count]
ATEMI_API void atemi_base_estimator_start(atemi_base_estimator *estimator, const double *q);

/// Learns where the base is in the world, from a map or from a beacon, before it goes on. No
/// allocation.
/// @param deviation m, standard deviation of each component
ATEMI_API void atemi_base_estimator_locate(atemi_base_estimator *estimator, atemi_vec3 place,
                                           double deviation);

/// Goes on by `dt` to new measurements. No allocation.
/// @param q, v [q_count], [v_count] results: the joints as measured, the base as estimated
ATEMI_API void atemi_base_estimator_update(atemi_base_estimator *estimator, double dt,
                                           const atemi_base_senses *senses, double *q, double *v);

/// The gait that is wanted, and gains. Lengths are in legs (thigh and shin), times in
/// sqrt(leg / g), rates in sqrt(g / leg).
typedef struct atemi_biped_options {
    double tick;           ///< s between two ticks
    double knee;           ///< rad, bent at the start; less if the knee is too weak
    double forwards;       ///< length of a step
    double sideways;       ///< to the left, in two steps
    double turning;        ///< rad to the left a step
    double step_time;      ///< from landing to landing
    double double_support; ///< time of that, on both feet
    double starting;       ///< time from rest to the first step, and to rest after the last
    double clearance;      ///< of the swinging foot half-way
    double landing_speed;  ///< downwards
    double narrowest;      ///< the least distance of the soles' middles, in their distance at rest
    double longest;        ///< a step at most
    double highest;        ///< a footstep above or below the one before, at most
    double correction;     ///< of a footstep given, along and across it at most, to keep balance
    double fastest;        ///< least fraction of the step time
    double slowest;        ///< largest fraction of the step time
    double last_change;    ///< time before landing after which the foothold stays
    double edge;           ///< fraction of a sole's half sides that the pressure keeps from
    double friction;       ///< of the floor, that forces keep within until a sole slides
    double capture_rate;   ///< of the divergent component when it is led, at rest
    double height_rate;    ///< of the centre of mass
    double trunk_rate;     ///< of the trunk's orientation
    double foot_rate;      ///< of the swinging foot
    double joint_rate;     ///< of the posture
    double sole_rate;      ///< by which a sole on the floor is slowed down
    double spin_rate;      ///< by which angular momentum is slowed down
    int    footsteps;      ///< that are given at once at most
} atemi_biped_options;

/// The gait and gains of docs/theory/biped.md.
ATEMI_API atemi_biped_options atemi_biped_options_default(void);

/// What the controller measures.
typedef struct atemi_biped_senses {
    const double *q;                   ///< [q_count]
    const double *v;                   ///< [v_count]
    double        forces[ATEMI_SIDES]; ///< of the floor on each foot along its normal, N
} atemi_biped_senses;

typedef enum atemi_biped_phase {
    ATEMI_BIPED_STANDS, ///< on both feet, at rest or on the way there
    ATEMI_BIPED_PASSES, ///< on both feet: the pressure passes to the one that has landed
    ATEMI_BIPED_SWINGS, ///< on one foot
} atemi_biped_phase;

/// What the controller is about.
typedef struct atemi_biped_state {
    atemi_biped_phase phase;
    int               support;   ///< the foot that landed last: ATEMI_SIDE_RIGHT or ATEMI_SIDE_LEFT
    double            clock;     ///< s since that
    double            step_time; ///< s, of the step under way
    long              landings;
    atemi_vec3        capture;             ///< the divergent component of motion, m
    atemi_vec3        pressure;            ///< the wanted centre of pressure, m
    atemi_vec3        foothold;            ///< where the swinging sole's middle shall land, m
    double            friction;            ///< felt: what forces keep within
    double            confidence;          ///< of that: 1 while a sole slides, fading afterwards
    bool              slides[ATEMI_SIDES]; ///< whether a sole that carries load slides
    double            effort;              ///< largest fraction of a joint's effort limit
    long              failures;     ///< ticks without a solution, which repeat the torques before
    atemi_whole_body_report report; ///< of the last tick
} atemi_biped_state;

typedef struct atemi_biped atemi_biped;

/// Makes a controller; it keeps the model, which has a floating base.
/// @param options NULL for the defaults
/// @param parts   what the caller knows of the robot's parts, or NULL
/// @return ATEMI_ERROR_INPUT for a robot that has not two legs, or options that make no sense
ATEMI_API atemi_status atemi_biped_create(const atemi_model            *model,
                                          const atemi_biped_options    *options,
                                          const atemi_humanoid_options *parts, atemi_biped **biped,
                                          atemi_error *error);
ATEMI_API void         atemi_biped_destroy(atemi_biped *biped);

/// The posture to start from, at rest on the floor z = 0, facing x.
/// @param q [q_count] result
ATEMI_API void atemi_biped_posture(const atemi_biped *biped, double *q);

/// What was found of the robot.
ATEMI_API const atemi_humanoid *atemi_biped_humanoid(const atemi_biped *biped);

/// From now on: length of a step forwards and to the left, and rad that it turns, as in the
/// options.
ATEMI_API void atemi_biped_command(atemi_biped *biped, double forwards, double sideways,
                                   double turning);

/// From now on: walks, or comes to rest with the next landings.
ATEMI_API void atemi_biped_walk_on(atemi_biped *biped, bool walk);

/// A footstep: where a sole shall be.
typedef struct atemi_biped_footstep {
    int        side;    ///< that steps: ATEMI_SIDE_RIGHT or ATEMI_SIDE_LEFT
    atemi_vec3 place;   ///< of the sole's middle, world axes, m
    double     heading; ///< of the sole, rad from x towards y
    double     time;    ///< s, from the landing before to this one; 0: as the gait has it
} atemi_biped_footstep;

/// From rest: walks these footsteps, and comes to rest on the last two. Balance may correct each by
/// the options' `correction`. It copies them: no allocation, O(count).
/// @param steps [count] with sides by turns
/// @param wrong index of the footstep that is refused; or NULL
/// @return ATEMI_ERROR_INPUT for one that is out of reach, two of one side in a row, more than the
///         options' `footsteps`, or a robot that walks; then nothing changes
ATEMI_API atemi_status atemi_biped_footsteps(atemi_biped *biped, const atemi_biped_footstep *steps,
                                             int count, int *wrong, atemi_error *error);

/// From the next landing on: knows the heights of the floor. Soles land whole on one tread, and the
/// swinging foot clears what it passes. It keeps the floor.
/// @param floor a plane or a table of heights; NULL: takes the floor for a plane that soles feel
/// @return ATEMI_ERROR_INPUT for another kind
ATEMI_API atemi_status atemi_biped_floor(atemi_biped *biped, const atemi_surface *floor,
                                         atemi_error *error);

/// Measures and decides the torques until the next tick. No allocation.
/// @param tau [v_count] result; 0 for the base
ATEMI_API void atemi_biped_tick(atemi_biped *biped, const atemi_biped_senses *senses, double *tau);

/// What it is about.
ATEMI_API atemi_biped_state atemi_biped_state_get(const atemi_biped *biped);

// ---- What a foot does on the floor --------------------------------------------------------------

/// The simulation's points: the corners of the right sole, then of the left one, each
/// counter-clockwise from the front on the left.
enum { ATEMI_SOLE_CORNERS = 4, ATEMI_BIPED_POINTS = 8 };

/// How a foot touches the floor, and whether it sticks or slips there. A walk's foot slips from 1
/// mm/s on; what is slower creeps.
typedef enum atemi_sole_state {
    ATEMI_SOLE_AIR,
    ATEMI_SOLE_STICK, ///< on three or four corners, or on two opposite ones
    ATEMI_SOLE_SLIP,
    ATEMI_SOLE_HEEL_STICK, ///< on both back corners
    ATEMI_SOLE_HEEL_SLIP,
    ATEMI_SOLE_TOE_STICK, ///< on both front corners
    ATEMI_SOLE_TOE_SLIP,
    ATEMI_SOLE_EDGE_STICK, ///< on both corners of one side
    ATEMI_SOLE_EDGE_SLIP,
    ATEMI_SOLE_CORNER_STICK, ///< on one corner
    ATEMI_SOLE_CORNER_SLIP,
    ATEMI_SOLE_STATES,
} atemi_sole_state;

/// "air", "sole stick", "sole slip", "heel stick", ..., "corner slip".
ATEMI_API const char *atemi_sole_state_text(atemi_sole_state state);

/// The state of a foot whose corners are in these modes.
/// @param modes [ATEMI_SOLE_CORNERS]
ATEMI_API atemi_sole_state atemi_sole_state_of(const atemi_contact_mode *modes);

/// What a slip came from: the first of these that holds.
typedef enum atemi_slip_cause {
    ATEMI_SLIP_PATCH,   ///< a corner is on a patch that is more slippery than the floor
    ATEMI_SLIP_FORCE,   ///< an external force acts
    ATEMI_SLIP_LANDING, ///< the foot has come down within the last 50 ms
    ATEMI_SLIP_LEAVING, ///< it carries less than a tenth of the weight
    ATEMI_SLIP_LOAD,    ///< none of that: the foot is pushed along more than friction holds
} atemi_slip_cause;

/// "patch", "force", "landing", "leaving", "load".
ATEMI_API const char *atemi_slip_cause_text(atemi_slip_cause cause);

/// A foot that slid by 1 mm or more before it stuck or left the floor.
typedef struct atemi_sole_slip {
    int              foot; ///< ATEMI_SIDE_RIGHT or ATEMI_SIDE_LEFT
    atemi_slip_cause cause;
    double           start, duration; ///< s
    atemi_vec3       place;           ///< of the sole's middle as it began, m
    double           distance;        ///< along its path, m
    double           direction;       ///< of the whole displacement, rad from x towards y
} atemi_sole_slip;

// ---- Walks --------------------------------------------------------------------------------------
//
// A walk: the controller on the simulation by steps, over a floor, and what came of it.
//
//     atemi_biped_walk_create(model, &task, NULL, NULL, &walk, &error);
//     atemi_biped_walk_run(walk, &error);
//     summary = atemi_biped_walk_summary_get(walk);

/// What is not ideal between the controller and the robot. All zero: it knows q and v exactly, and
/// joints have the torques that it decides at once. Noise is white and normal, its standard
/// deviations are those of a sample.
typedef struct atemi_biped_faults {
    bool   senses;           ///< the base is estimated by an atemi_base_estimator
    double delay;            ///< s, from a measurement to the torque that answers it
    double lag;              ///< s, time constant of the joints' torques
    double encoder;          ///< rad or m, of joint positions
    double encoder_velocity; ///< rad/s or m/s, of joint velocities
    double gyroscope;        ///< rad/s
    double accelerometer;    ///< m/s^2
    double load;             ///< of the weight, of the forces on the feet
    double localization;     ///< m, of the base's place in the world, where steps need it
    /// Errors that stay: drawn once, evenly within these bounds, for each joint and axis.
    double encoder_offset;     ///< rad or m
    double gyroscope_bias;     ///< rad/s
    double accelerometer_bias; ///< m/s^2
    /// Fraction of ticks that are lost: the controller measures what it did before, and joints keep
    /// their torque.
    double   dropped;
    uint64_t seed;
} atemi_biped_faults;

/// None; and those of a real robot: 2 ms, 2 ms, 1e-4 rad, 0.01 rad/s, 0.002 rad/s, 0.05 m/s^2, 1 %,
/// 5 mm, 5e-4 rad, 1e-4 rad/s, 0.02 m/s^2, no tick dropped.
ATEMI_API atemi_biped_faults atemi_biped_faults_none(void);
ATEMI_API atemi_biped_faults atemi_biped_faults_real(void);

/// What is asked of the robot from a time on.
typedef struct atemi_biped_order {
    double at; ///< s
    bool   walk;
    double forwards, sideways, turning; ///< as of atemi_biped_command()
} atemi_biped_order;

/// How far, on what and against what to walk.
typedef struct atemi_biped_task {
    atemi_biped_options         controller;
    const atemi_biped_order    *orders; ///< [order_count] by time; before the first: the options'
    int                         order_count;
    long                        steps;     ///< landings, the last ones of which bring it to rest
    double                      duration;  ///< s, after which it ends; 0: however long it takes
    const atemi_biped_footstep *footsteps; ///< [footstep_count] in place of steps and orders
    int                         footstep_count;
    const atemi_surface        *floor;    ///< or NULL: z = 0
    bool                        map;      ///< the controller knows the floor
    double                      friction; ///< of the floor
    const atemi_floor_patch    *patches;  ///< [patch_count] later ones lie on earlier ones
    int                         patch_count;
    const atemi_timed_force    *forces; ///< [force_count]
    int                         force_count;
    atemi_biped_faults          faults;
    const double      *efforts;  ///< [v_count] fraction of its limit that a drive has; or NULL
    const atemi_model *believed; ///< what the controller takes the robot for; NULL: as it is
    double             step;     ///< of the simulation, s
} atemi_biped_task;

/// 20 steps on a floor of friction 0.8, in steps of 1 ms, without faults.
ATEMI_API atemi_biped_task atemi_biped_task_default(void);

typedef enum atemi_biped_end {
    ATEMI_BIPED_DONE,    ///< all steps are walked, or the time is over; or it has stood for a
                         ///< second, and no order to walk is to come
    ATEMI_BIPED_FELL,    ///< the trunk is low, or lies
    ATEMI_BIPED_STUCK,   ///< no foot has landed for five step times
    ATEMI_BIPED_STOPPED, ///< by the hook
} atemi_biped_end;

/// "done", "fell", "stuck", "stopped".
ATEMI_API const char *atemi_biped_end_text(atemi_biped_end end);

/// What came of a walk.
typedef struct atemi_biped_summary {
    atemi_biped_end  end;
    atemi_fall_cause cause; ///< of a fall: what happened within its last three steps
    long             steps;
    double           time;              ///< s, since the start
    double           distance;          ///< of the trunk from where it began, m
    double           speed;             ///< m/s
    double           effort;            ///< largest fraction of an effort limit
    double           cost_of_transport; ///< positive work over weight and distance
    double           lean;              ///< of the trunk now, from where it began, rad
    double           lean_heading;      ///< in which it leans, rad from where it faces, to the left
    atemi_vec3       place;             ///< of the trunk now, m
    long             slips;             ///< of 1 mm or more
    double           slip_time, slip_distance;
    long             failures; ///< ticks without a solution
    long             dropped;  ///< ticks that were lost
    long             ticks;
} atemi_biped_summary;

typedef struct atemi_biped_walk atemi_biped_walk;

/// What a walk asks its user for.
typedef struct atemi_biped_hooks {
    /// Hears of every tick, or NULL. @return false to stop
    bool (*tick)(void *context, const atemi_biped_walk *walk);
    void (*slip)(void *context, const atemi_sole_slip *slip);
    void *context;
} atemi_biped_hooks;

/// Makes a walk; it keeps the models and the lists of the task.
/// @param parts, hooks NULL for none
ATEMI_API atemi_status atemi_biped_walk_create(const atemi_model            *model,
                                               const atemi_biped_task       *task,
                                               const atemi_humanoid_options *parts,
                                               const atemi_biped_hooks      *hooks,
                                               atemi_biped_walk **walk, atemi_error *error);
ATEMI_API void         atemi_biped_walk_destroy(atemi_biped_walk *walk);

/// Walks to the end.
ATEMI_API atemi_status atemi_biped_walk_run(atemi_biped_walk *walk, atemi_error *error);

/// What came of it so far.
ATEMI_API atemi_biped_summary atemi_biped_walk_summary_get(const atemi_biped_walk *walk);

/// Its simulation and its controller, to look at.
ATEMI_API const atemi_simulation *atemi_biped_walk_simulation(const atemi_biped_walk *walk);
ATEMI_API const atemi_biped      *atemi_biped_walk_controller(const atemi_biped_walk *walk);

/// Where the sole stood that made a footstep of the task.
typedef struct atemi_biped_landing {
    bool       landed;
    atemi_vec3 place;   ///< of the sole's middle, m
    double     heading; ///< rad
    double     error;   ///< m, of the place across, from where it was given
} atemi_biped_landing;

/// @param i index of the footstep
ATEMI_API atemi_biped_landing atemi_biped_walk_landing(const atemi_biped_walk *walk, int i);

/// What each foot does now. Feet are looked at every tick.
/// @param side ATEMI_SIDE_RIGHT or ATEMI_SIDE_LEFT
ATEMI_API atemi_sole_state atemi_biped_walk_foot(const atemi_biped_walk *walk, int side);

/// How often a foot went from one state to another, of both feet.
ATEMI_API long atemi_biped_walk_changes(const atemi_biped_walk *walk, atemi_sole_state from,
                                        atemi_sole_state to);

ATEMI_END
