// SPDX-License-Identifier: Apache-2.0

/// @file
/// Layer simulate. Controllers on a simulated robot: what they control, a joint or a whole robot
/// with its drives and sensors, and the closed loop that `atemi control` runs.

#pragma once

#include "atemi/joint_control.h"
#include "atemi/simulation.h"
#include "atemi/task_sequence.h"

#include <stdint.h>

ATEMI_BEGIN

// ---- The plant ----------------------------------------------------------------------------------
//
// What a controller controls, simulated: a joint with motor, gear, spring, sensors
// and delay (atemi_joint_plant), and a whole robot of them with held links, soft surfaces and
// people (atemi_whole_body_plant).
//
//     atemi_whole_body_plant_create(model, NULL, &plant, &error);
//     atemi_whole_body_plant_start(plant, q, NULL, NULL);
//     atemi_whole_body_plant_hold(plant, left_foot, &error);
//     every 0.2 ms and joint: atemi_whole_body_plant_measure(), ..._apply()
//     every 0.2 ms:           atemi_whole_body_plant_advance(plant, &error)
//
// The loop below does that for you. After creation nothing here allocates. The same seeds
// give the same bits. See docs/theory/control_plant.md.

// ---- One joint ------------------------------------------------------------------------------
//
// The link is an inertia of its own (atemi_joint_plant_advance), or moves as a simulation of the
// whole robot says, which gets the torque in return (atemi_joint_plant_follow). A plant is plain
// data in the caller's memory.

/// A joint as it really is, and how its sensors see it. Zero steps and deviations mean none.
typedef struct atemi_joint_plant_options {
    atemi_joint_drive drive;
    double            link_inertia;      ///< kg m^2 at the joint
    bool              acts_next_tick;    ///< a voltage acts one call of apply() later
    double            substep;           ///< s, the longest of the integration
    double            motor_step;        ///< rad of the motor between two counts
    double            joint_step;        ///< rad between two counts
    double            current_step;      ///< A between two counts
    double            motor_deviation;   ///< rad, standard deviation of the noise before counting
    double            joint_deviation;   ///< rad
    double            current_deviation; ///< A
    uint64_t          seed;              ///< of the noise
    double            lowest, highest;   ///< where its stops stand, rad; infinite where none do
    double            stop_stiffness;    ///< N m/rad
    double            stop_damping;      ///< N m s/rad
} atemi_joint_plant_options;

/// A leg joint of r2_like: 10 kg m^2, 16384 counts a turn at the motor, 2^19 at the joint, 1/32 A;
/// noise of one count each; delay of a tick; 10 us; stops of 1e5 N m/rad and 200 N m s/rad, which
/// stand nowhere.
ATEMI_API atemi_joint_plant_options atemi_joint_plant_options_default(void);

/// A wrist joint of r2_like, which has no spring: 0.02 kg m^2.
ATEMI_API atemi_joint_plant_options atemi_joint_plant_options_rigid(void);

/// A joint at an instant. Positions and velocities may be set before a motion; at rest in 0
/// otherwise.
typedef struct atemi_joint_plant {
    atemi_joint_plant_options options;
    double                    current;                        ///< A
    double                    motor_position, motor_velocity; ///< rad, rad/s of the motor
    double                    joint_position, joint_velocity; ///< rad, rad/s
    double                    voltage, next_voltage;          ///< that acts, and that will, V
    double                    half_step, decay, gain;         ///< of the winding; not to be touched
    uint64_t                  random;                         ///< not to be touched
} atemi_joint_plant;

/// @return ATEMI_ERROR_INPUT where a figure cannot be; the message says which
ATEMI_API atemi_status atemi_joint_plant_start(const atemi_joint_plant_options *options,
                                               atemi_joint_plant *plant, atemi_error *error);

/// Gives the bridge its voltage for a tick.
ATEMI_API void atemi_joint_plant_apply(atemi_joint_plant *plant, double voltage);

/// Goes on by `duration` s, the link moved by the drive and by `load`, N m.
ATEMI_API void atemi_joint_plant_advance(atemi_joint_plant *plant, double duration, double load);

/// Goes on by `duration` s while the link moves with `velocity` from `position`.
/// @return the mean torque of the drive on the link, N m
///
/// Without spring the motor moves as the link does: the link's inertia must have gear^2 times the
/// rotor's in it (armature), and friction is proportional to speed below 1 rad/s of the motor.
ATEMI_API double atemi_joint_plant_follow(atemi_joint_plant *plant, double duration,
                                          double position, double velocity);

/// The torque of the spring on the link now, N m; 0 where there is none.
ATEMI_API double atemi_joint_plant_torque(const atemi_joint_plant *plant);

/// The torque with which a stop meets the link in the next `time` s, N m; 0 between the stops. The
/// link ends that time with the velocity that the torque was found for: no stop gives back more
/// energy than it got, however long the time.
/// @param mobility of the link, rad/s^2 per N m; 0 for one that no torque moves
ATEMI_API double atemi_joint_plant_stop_torque(const atemi_joint_plant *plant, double time,
                                               double mobility);

/// What the sensors show now, with their noise and steps.
ATEMI_API void atemi_joint_plant_measure(atemi_joint_plant       *plant,
                                         atemi_joint_measurement *measurement);

// ---- A whole robot --------------------------------------------------------------------------
//
// The drive has the joint's rotor: that of the model does not count. Joints are counted as in v
// behind the base of the model.

/// A part of a person's body behind a surface: a mass that gives way, until it is clamped. Its skin
/// is as soft as the points that touch the surface; their forces move the mass, and nothing else
/// does. It comes back when the surface is set anew.
typedef struct atemi_soft_body {
    int    surface;   ///< its skin, that moves along with the mass
    double mass;      ///< kg; INFINITY for one that does not move
    double clearance; ///< m, how far it may give way before something behind it clamps it
} atemi_soft_body;

/// Another load from some time on: the same parts with other masses. Links keep their velocities.
typedef struct atemi_model_change {
    const atemi_model *model; ///< need not live longer than it takes to create the plant
    double             from;  ///< s
} atemi_model_change;

/// A point of the robot, such as the corner of a sole, and the ground that it stands on: a plane
/// with a spring and a damper along its normal and, as long as friction holds, across.
typedef struct atemi_ground_point {
    int        link;
    atemi_vec3 point;         ///< in the link's frame
    atemi_vec3 place, normal; ///< of the ground, in the world; the normal towards the robot
    double     friction;
    double     stiffness; ///< N/m
    double     damping;   ///< N s/m
} atemi_ground_point;

/// What a robot is driven by, and what holds it.
typedef struct atemi_whole_body_plant_options {
    double period;         ///< of a tick, s; 2e-4
    bool   joint_friction; ///< the model's own friction and damping act on the links; true
    const atemi_joint_plant_options *joints;   ///< [joints] copied; NULL for the defaults
    const atemi_surface             *surfaces; ///< [surface_count] their tables are the caller's
    int                              surface_count;
    const atemi_simulation_point    *points; ///< [point_count] with a compliance, and not tied
    int                              point_count;
    const atemi_ground_point        *grounds; ///< [ground_count] copied
    int                              ground_count;
    const atemi_soft_body           *bodies; ///< [body_count] one of a surface at most; copied
    int                              body_count;
    const atemi_model_change        *changes; ///< [change_count] by time; copied
    int                              change_count;
    int                              max_holds; ///< links that are held at a time; 4
    int                              max_pulls; ///< 8
} atemi_whole_body_plant_options;

/// The values said above, nothing to be touched.
ATEMI_API atemi_whole_body_plant_options atemi_whole_body_plant_options_default(void);

/// Joint i of a robot with the drive of atemi_joint_drive_of(). Its stops are 0.03 rad behind the
/// ends of its range.
ATEMI_API atemi_joint_plant_options atemi_whole_body_joint_default(const atemi_model *model, int i);

/// Completes the drive of joint i (atemi_joint_drive_complete()), and makes the current's sensor as
/// fine for it as that of a leg joint of r2_like: 1/350 of the current that makes the effort limit.
ATEMI_API void atemi_whole_body_joint_fit(const atemi_model *model, int i,
                                          atemi_joint_plant_options *options);

typedef struct atemi_whole_body_plant atemi_whole_body_plant;

/// Creates the plant of a robot whose joints have one coordinate each and whose base is floating or
/// fixed; it keeps no reference to the model.
/// @param options NULL for the defaults
/// @return ATEMI_ERROR_INPUT where a figure, a joint or a point cannot be; ATEMI_ERROR_MEMORY
ATEMI_API atemi_status atemi_whole_body_plant_create(const atemi_model                    *model,
                                                     const atemi_whole_body_plant_options *options,
                                                     atemi_whole_body_plant              **plant,
                                                     atemi_error                          *error);

/// Releases the plant. NULL is fine.
ATEMI_API void atemi_whole_body_plant_destroy(atemi_whole_body_plant *plant);

/// Puts the robot somewhere at time 0, held by nothing.
/// @param q       [q_count]
/// @param v       [v_count] NULL for rest
/// @param torques [joints] that the springs bear, N m; NULL for none
ATEMI_API void atemi_whole_body_plant_start(atemi_whole_body_plant *plant, const double *q,
                                            const double *v, const double *torques);

// ---- A tick ---------------------------------------------------------------------------------

/// What the sensors of a joint show now.
ATEMI_API void atemi_whole_body_plant_measure(atemi_whole_body_plant *plant, int joint,
                                              atemi_joint_measurement *measurement);

/// Gives the bridge of a joint its voltage.
ATEMI_API void atemi_whole_body_plant_apply(atemi_whole_body_plant *plant, int joint,
                                            double voltage);

/// Goes on by a period.
/// @return ATEMI_ERROR_SINGULAR where what is held contradicts itself, or the motion has become
///         infinite; the state is that of the last tick
ATEMI_API atemi_status atemi_whole_body_plant_advance(atemi_whole_body_plant *plant,
                                                      atemi_error            *error);

// ---- The surroundings -----------------------------------------------------------------------

/// Holds a link where it is, as a closed gripper on a rail does. Its velocity goes at once.
/// @return ATEMI_ERROR_LIMIT where `max_holds` links are held
ATEMI_API atemi_status atemi_whole_body_plant_hold(atemi_whole_body_plant *plant, int link,
                                                   atemi_error *error);

/// Lets a link go. One that is not held is fine.
ATEMI_API void atemi_whole_body_plant_release(atemi_whole_body_plant *plant, int link);

/// Whether a link is held.
ATEMI_API bool atemi_whole_body_plant_is_held(const atemi_whole_body_plant *plant, int link);

/// A spring and a damper between a frame on a link and a place in the world: jaws that close on a
/// rail, a person's hand that leads the robot.
typedef struct atemi_pull {
    int             link;
    atemi_transform frame;              ///< in the link's frame
    atemi_transform target;             ///< in the world
    atemi_vec3      velocity;           ///< of the target, m/s
    double          stiffness;          ///< N/m
    double          damping;            ///< N s/m
    double          rotation_stiffness; ///< N m/rad; 0 where only the place matters
    double          rotation_damping;   ///< N m s/rad
    double          force_limit;        ///< N
    double          moment_limit;       ///< N m
} atemi_pull;

/// Sets one of the pulls, from the next tick on; NULL for none.
ATEMI_API void atemi_whole_body_plant_set_pull(atemi_whole_body_plant *plant, int index,
                                               const atemi_pull *pull);

/// The forces on the links [link_count] beside all else, world axes, moments about the links'
/// origins: to be written by the caller, and kept until then.
ATEMI_API atemi_force *atemi_whole_body_plant_forces(atemi_whole_body_plant *plant);

/// Says whether a surface is there; all are at the beginning.
ATEMI_API void atemi_whole_body_plant_set_surface(atemi_whole_body_plant *plant, int surface,
                                                  bool is_there);

/// Closes or opens the brake of a joint; all are open at the beginning. A closed one holds the link
/// where it is, as stiffly as the joint's stops.
ATEMI_API void atemi_whole_body_plant_set_brake(atemi_whole_body_plant *plant, int joint,
                                                bool is_closed);

/// Takes a fraction of every link's weight away: 0 on the ground, 1 as in orbit.
ATEMI_API void atemi_whole_body_plant_set_offload(atemi_whole_body_plant *plant, double fraction);

// ---- The state reached ----------------------------------------------------------------------

/// The time, s; q [q_count]; v, a and the torques of the drives [v_count]. Accelerations, torques
/// and forces are those of the middle of the last tick.
ATEMI_API double        atemi_whole_body_plant_time(const atemi_whole_body_plant *plant);
ATEMI_API const double *atemi_whole_body_plant_q(const atemi_whole_body_plant *plant);
ATEMI_API const double *atemi_whole_body_plant_v(const atemi_whole_body_plant *plant);
ATEMI_API const double *atemi_whole_body_plant_a(const atemi_whole_body_plant *plant);
ATEMI_API const double *atemi_whole_body_plant_tau(const atemi_whole_body_plant *plant);

/// The drive of a joint.
ATEMI_API const atemi_joint_plant *atemi_whole_body_plant_joint(const atemi_whole_body_plant *plant,
                                                                int joint);

/// Where a frame on a link is; NULL for the link's own.
ATEMI_API atemi_transform atemi_whole_body_plant_pose(const atemi_whole_body_plant *plant, int link,
                                                      const atemi_transform *frame);

/// A point and its surface.
typedef struct atemi_touch {
    atemi_vec3 force;    ///< on the robot, world axes, N
    atemi_vec3 position; ///< in the world
    double     gap;      ///< above the surface, m
} atemi_touch;

/// How a point is with its surface.
ATEMI_API atemi_touch atemi_whole_body_plant_touch(const atemi_whole_body_plant *plant, int point);

/// How a point is with its ground.
ATEMI_API atemi_touch atemi_whole_body_plant_ground(const atemi_whole_body_plant *plant, int index);

/// A soft body, world axes.
typedef struct atemi_soft_body_state {
    atemi_vec3 position; ///< m, from where it was before it was touched
    atemi_vec3 velocity; ///< m/s
    atemi_vec3 force;    ///< on it, N
} atemi_soft_body_state;

/// How a soft body is.
ATEMI_API atemi_soft_body_state atemi_whole_body_plant_body(const atemi_whole_body_plant *plant,
                                                            int                           body);

/// The force that holds a link, world axes, moment about its origin; zero where it is not held.
ATEMI_API atemi_force atemi_whole_body_plant_hold_force(const atemi_whole_body_plant *plant,
                                                        int                           link);

/// The force of a pull on its link, world axes, moment about the frame's origin.
ATEMI_API atemi_force atemi_whole_body_plant_pull_force(const atemi_whole_body_plant *plant,
                                                        int                           index);

/// What a load cell in a joint of the model measures, see atemi_joint_wrench(). O(links).
/// @param joint of the model, not fixed
ATEMI_API atemi_force atemi_whole_body_plant_wrench(atemi_whole_body_plant *plant, int joint);

// ---- The loop -----------------------------------------------------------------------------------
//
// The closed loop of [R2] on a simulated robot, which `atemi control` runs:
// Multi-Loop control of every joint at 5 kHz (500 Hz without spring), coordination at 50 Hz, the
// robot with its drives, and what is around it: people, grippers, a weight that is taken away.
//
//     atemi_control_loop_create(model, &options, &loop, &error);
//     while (atemi_whole_body_plant_time(atemi_control_loop_plant(loop)) < 10.0) {
//         ... commands to atemi_control_loop_coordination(loop), or a task sequence ...
//         atemi_control_loop_coordinate(loop);
//         for (int k = 0; k < atemi_control_loop_tick_count(loop); ++k) {
//             atemi_control_loop_tick(loop, &error);
//         }
//     }
//
// After creation nothing here allocates. The same options give the same bits.

/// A surface that is there for a time only: someone in the path.
typedef struct atemi_timed_surface {
    int    surface;
    double from, until; ///< s
} atemi_timed_surface;

/// A person's hand that takes hold of a link and leads it along a line, softly: in the first two
/// thirds of its time it moves, then it stays.
typedef struct atemi_guiding_hand {
    int        link;
    atemi_vec3 point;       ///< in the link's frame
    atemi_vec3 by;          ///< m, world axes
    double     from, until; ///< s
    double     stiffness;   ///< N/m
    double     damping;     ///< N s/m
    double     force_limit; ///< N
} atemi_guiding_hand;

/// Jaws pull a gripper onto its rail, and lock there.
typedef struct atemi_jaws {
    double force_limit, moment_limit; ///< N; 150. N m; 15
    double stiffness;                 ///< N/m; 5000
    double rotation_stiffness;        ///< N m/rad; 300
    double time_limit;                ///< s: they lock until then, or give up; 3
    double distance;                  ///< m that may be left when they lock; 1e-3
    double rotation;                  ///< rad that may be left when they lock; 5e-3
} atemi_jaws;

/// The encoders of a joint, which differ by what its spring bends: bits of a set.
typedef enum atemi_encoder {
    ATEMI_ENCODER_MOTOR = 1 << 0,
    ATEMI_ENCODER_JOINT = 1 << 1,
} atemi_encoder;

/// What goes wrong with a joint for a time, and its controller is not told of. Zeros are no fault.
/// Angles and torques count at the joint; rad is m and N m is N where it slides.
typedef struct atemi_injected_fault {
    int      joint;
    double   from, until;     ///< s
    unsigned encoders;        ///< which of them the next five are of, bits of atemi_encoder
    double   encoder;         ///< rad, standard deviation of noise
    double   encoder_offset;  ///< rad, that readings are off
    double   encoder_slip;    ///< fraction of a motion that is not seen; it stays lost
    double   encoder_dropped; ///< fraction of readings that are no number
    bool     encoder_stuck;   ///< readings stay as they are
    double   current;         ///< N m, standard deviation of noise of the current's sensor
    double   current_offset;  ///< N m, that it is off
    double   current_dropped; ///< fraction of its readings that are no number
    bool     brake;           ///< closed, as atemi_whole_body_plant_set_brake()
    double   lag;             ///< s, time constant with which the voltage follows its demand
    double   dropped;         ///< fraction of ticks lost: nothing is measured, the voltage stays
    double   bus_delay;       ///< s, by which commands of the coordination come later; INFINITY
} atemi_injected_fault;

/// How the loop is set up.
typedef struct atemi_control_loop_options {
    /// The robot and its drives; NULL joints for atemi_whole_body_joint_default(). max_pulls is
    /// added to those of hands and grippers.
    atemi_whole_body_plant_options plant;
    /// Base and log of goals are the loop's own; NULL joints for the defaults. What follows from
    /// the drives is set by atemi_coordinated_joint_fit(). The period must be a multiple of every
    /// joint's.
    atemi_coordination_options coordination;
    /// [joints] NULL for atemi_joint_control_options_of(); none of them with `takes_torque`.
    const atemi_joint_control_options *controls;

    const double *q;     ///< [q_count] at the beginning; NULL for neutral
    const double *v;     ///< [v_count] NULL for rest
    const int    *holds; ///< [hold_count] links that are held then; the first is the base
    int    hold_count;   ///< 0: the root is the base. A robot that stands has its first contact
    double offload;      ///< fraction of the weight that is taken away then
    /// Where the robot stands (coordination.contacts), the weight on all corners of its contacts
    /// sinks in by so much, m; 2e-4: a rubber sole
    double ground_depth;
    double ground_time;     ///< s, damping of the ground over its stiffness; 1e-3
    double ground_friction; ///< NaN: what the contacts count on

    const atemi_timed_surface  *timed_surfaces;
    int                         timed_surface_count;
    const atemi_guiding_hand   *hands;
    int                         hand_count;
    const atemi_transform      *rails; ///< [rail_count] of a gripper's frame that is closed on it
    int                         rail_count;
    atemi_jaws                  jaws;
    const atemi_model          *believed; ///< what is controlled; NULL: the robot as it is
    const atemi_injected_fault *faults;   ///< [fault_count] of a joint in the order given
    int                         fault_count;
    uint64_t                    fault_seed; ///< of their noise
    double brake_time; ///< s, after which a brake holds a joint that stopped safely; INFINITY: none
    int    max_grips;  ///< that are begun, in all; 0
    int    max_goals;  ///< that the log of goals holds; 256
} atemi_control_loop_options;

/// The values said above: nothing is held, nobody is there.
ATEMI_API atemi_control_loop_options atemi_control_loop_options_default(void);
ATEMI_API atemi_jaws                 atemi_jaws_default(void);

typedef struct atemi_control_loop atemi_control_loop;

/// Creates the loop: at rest in its posture, the springs bear the weight. Arrays of the options are
/// copied but for those of the plant's surfaces; the models must live as long as the loop. A
/// believed one has the same parts, with other masses and lengths (atemi_model_vary()).
/// @return ATEMI_ERROR_INPUT if drives, controls or joints cannot be; ATEMI_ERROR_MEMORY
ATEMI_API atemi_status atemi_control_loop_create(const atemi_model                *model,
                                                 const atemi_control_loop_options *options,
                                                 atemi_control_loop **loop, atemi_error *error);

/// Releases the loop. NULL is fine.
ATEMI_API void atemi_control_loop_destroy(atemi_control_loop *loop);

/// One step of the coordination, from what was measured last.
ATEMI_API void atemi_control_loop_coordinate(atemi_control_loop *loop);

/// Ticks of a step.
ATEMI_API int atemi_control_loop_tick_count(const atemi_control_loop *loop);

/// One tick of the joints and of the robot. Joints get new commands in the first one after a step.
/// @return as atemi_whole_body_plant_advance()
ATEMI_API atemi_status atemi_control_loop_tick(atemi_control_loop *loop, atemi_error *error);

// ---- The surroundings -----------------------------------------------------------------------

/// Lets a fraction of the weight be taken away within a time, s.
ATEMI_API void atemi_control_loop_offload(atemi_control_loop *loop, double fraction,
                                          double duration);

/// The fraction that is taken away now.
ATEMI_API double atemi_control_loop_offload_now(const atemi_control_loop *loop);

typedef enum atemi_grip_state {
    ATEMI_GRIP_CLOSING,
    ATEMI_GRIP_CLOSED,
    ATEMI_GRIP_FAILED,
} atemi_grip_state;

/// A gripper that closes on a rail.
typedef struct atemi_grip {
    atemi_grip_state state;
    int              link, rail;
    double           begun, ended;  ///< s
    double           off;           ///< m from the rail as it began
    double           left;          ///< m from it now, or as it ended
    double           left_rotation; ///< rad, likewise
    double           force;         ///< N, the largest of the jaws
} atemi_grip;

/// Begins to close a gripper on a rail.
ATEMI_API void atemi_control_loop_grip(atemi_control_loop *loop, int link, int rail);

/// Opens it.
ATEMI_API void atemi_control_loop_release(atemi_control_loop *loop, int link);

/// Once a step: whether jaws lock, or give up.
ATEMI_API void atemi_control_loop_update_grips(atemi_control_loop *loop);

/// All grips that were begun.
ATEMI_API int               atemi_control_loop_grip_count(const atemi_control_loop *loop);
ATEMI_API const atemi_grip *atemi_control_loop_grips(const atemi_control_loop *loop);

/// Whether grippers close or weight changes.
ATEMI_API bool atemi_control_loop_is_busy(const atemi_control_loop *loop);

/// Hooks of a task sequence that act on this loop, and report nothing. A gripper that does not
/// close ends the sequence.
ATEMI_API atemi_sequence_hooks atemi_control_loop_hooks(atemi_control_loop *loop);

/// Where a hand took hold of its link, world; the origin before that.
ATEMI_API atemi_vec3 atemi_control_loop_hand_start(const atemi_control_loop *loop, int hand);

// ---- The state reached ----------------------------------------------------------------------

/// Whether a link is held, or stands on a contact.
ATEMI_API bool atemi_control_loop_is_held(const atemi_control_loop *loop, int link);

/// The corners of the contacts that the robot stands on, and how they are with their ground:
/// indices of atemi_whole_body_plant_ground().
ATEMI_API int atemi_control_loop_corner_count(const atemi_control_loop *loop);

/// The wrench of the ground on a contact that the robot stands on, along the axes of its frame, as
/// a load cell in the foot shows it.
ATEMI_API atemi_force atemi_control_loop_contact_wrench(const atemi_control_loop *loop,
                                                        int                       contact);

/// The robot; its pulls 0 to hand_count - 1 are the hands.
ATEMI_API atemi_whole_body_plant *atemi_control_loop_plant(const atemi_control_loop *loop);
ATEMI_API atemi_coordination     *atemi_control_loop_coordination(const atemi_control_loop *loop);

/// What joints [joints] are commanded, came to, and were measured as. Commands may be changed
/// between a step and its first tick.
ATEMI_API atemi_joint_command      *atemi_control_loop_commands(const atemi_control_loop *loop);
ATEMI_API const atemi_joint_output *atemi_control_loop_outputs(const atemi_control_loop *loop);
ATEMI_API const double             *atemi_control_loop_positions(const atemi_control_loop *loop);

/// The control of a joint, e.g. for atemi_joint_fault_describe().
ATEMI_API const atemi_joint_control *atemi_control_loop_joint(const atemi_control_loop *loop,
                                                              int                       joint);

ATEMI_END
