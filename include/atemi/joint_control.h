// SPDX-License-Identifier: Apache-2.0

/// @file
/// Layer control. A joint's drive, and Multi-Loop control of one joint [R2]: measurements in,
/// voltage out, once a tick.
///
/// Four loops, one around the other: impedance -> torque -> velocity -> current. A command enters
/// at any of them and leaves those outside of it out. A joint without series spring has three:
/// position -> velocity -> current. Joint quantities are at the joint, motor quantities at the
/// motor; the gear is between.
///
/// What goes wrong has one defined reaction each:
///
/// | fault | at once | if it lasts |
/// |---|---|---|
/// | encoder jumps, or is not a number | sample ignored, warning | safe stop after `patience` |
/// | encoder stuck: reading frozen, torques unexplained | | safe stop after `stuck_travel` |
/// | spring and current contradict: a coupling slips | | safe stop |
/// | current sensor jumps, or is not a number | sample ignored, warning | the same |
/// | current sensor contradicts the model, e.g. stuck | goes on without it, warning | the same |
/// | no new command | | safe stop after `command_timeout` |
/// | command beyond limits | clipped, warning | the same |
/// | command that is no number, or unfit for the joint | ignored, warning | as no new command |
/// | joint at its stop | nothing is asked for towards the stop, warning | the same |
/// | faster than 1.5 speed limits | safe stop | |
///
/// **Safe stop** is voltage 0, which ties the phases together: the motor brakes by itself, gives
/// way slowly, and exerts no force of its own. Where that would brake with more than the current
/// limit, it brakes with just that. It lasts until atemi_joint_control_restart().
///
/// A control is plain data in the caller's memory. Nothing here allocates, locks or does I/O; a
/// tick takes a bounded number of operations. See docs/theory/joint_control.md.

#pragma once

#include "atemi/base.h"

#include <stdbool.h>

ATEMI_BEGIN

// ---- The drive ------------------------------------------------------------------------------

/// What drives a joint: a brushless motor, its bridge, a gear with friction, and a series spring.
///
/// With i the current, w the speed of the motor, u the voltage, q the joint's position, theta the
/// motor's, tau the torque on the joint:
///
///     L di/dt = u - R i - K_e w
///     J dw/dt = K_t i - C sign(w) - b w - tau / N
///     tau     = k (theta / N - q) + d (w / N - dq/dt)
///
/// The same numbers describe the joint that is simulated (atemi/control_loop.h) and the model that
/// its controller believes in. Friction and inertia are those that the motor feels.
typedef struct atemi_joint_drive {
    double resistance;      ///< R, Ohm
    double inductance;      ///< L, H
    double torque_constant; ///< K_t, N m/A
    double back_emf;        ///< K_e, V s/rad
    double bus_voltage;     ///< V: the bridge gives at most this, either way
    double peak_current;    ///< A: the bridge lets through at most this, either way
    double rotor_inertia;   ///< J, kg m^2
    double gear;            ///< N, turns of the motor for one of the joint
    double coulomb;         ///< C, N m
    double viscous;         ///< b, N m s/rad
    double spring;          ///< k, N m/rad at the joint; INFINITY where there is no spring
    double spring_damping;  ///< d, N m s/rad at the joint
} atemi_joint_drive;

/// A leg joint of r2_like alone on a test bench, with a spring of 5,000 N m/rad; for one of a robot
/// see atemi_joint_drive_of(). K_t, K_e, J, N and the peak current are published figures; R, L,
/// bus, friction and spring are ours (docs/theory/joint_control.md).
ATEMI_API atemi_joint_drive atemi_joint_drive_default(void);

/// A wrist joint of r2_like, which has no spring.
ATEMI_API atemi_joint_drive atemi_joint_drive_rigid(void);

/// Whether there is a spring.
ATEMI_API bool atemi_joint_drive_is_elastic(const atemi_joint_drive *drive);

/// Refuses friction and damping that are negative, anything else that is not positive, and what is
/// not finite. The message names the figure.
ATEMI_API atemi_status atemi_joint_drive_check(const atemi_joint_drive *drive, atemi_error *error);

// ---- Its control ----------------------------------------------------------------------------

/// How a joint is controlled; fixed while it runs. Bandwidths are rates of closed loops, rad/s.
typedef struct atemi_joint_control_options {
    atemi_joint_drive drive;        ///< as the controller believes it to be
    double            link_inertia; ///< kg m^2 at the joint; counts without spring only
    double            period;       ///< of a tick, s
    bool              senses_current;
    /// The drive takes torques (an effort interface): only the joint's position is sensed, only
    /// torque and impedance commands are taken, and `torque_demand` of the output is the answer.
    /// Spring and winding do not count; rotor and gear do.
    bool takes_torque;
    bool acts_next_tick; ///< the voltage acts one tick after its measurement
    /// Links of other joints hang on its own: damping beyond spring / `torque_bandwidth` slows the
    /// torque loop, so that the joint stays passive whatever hangs on it.
    bool in_chain;

    double current_bandwidth;
    double velocity_bandwidth;
    double torque_bandwidth;
    double position_bandwidth;
    double motor_tracking; ///< of the motor's speed and unexplained torque
    double joint_tracking; ///< of the joint's speed

    double current_limit; ///< A
    double speed_limit;   ///< of the joint, rad/s
    double torque_limit;  ///< of the joint, N m: commands beyond it are clipped
    double torque_rate;   ///< N m/s: demanded torques change no faster, unless feedback at its
                          ///< `feedback_limit` needs more to turn round as fast as the torque loop
    double lowest, highest; ///< stops of the joint, rad; may be infinite
    double stop_rate;       ///< 1/s: the joint may near its stop with this times the distance
    double command_period;  ///< s: how long a command's velocity and acceleration go on
    double command_timeout; ///< s without a new command
    double patience;        ///< s without a credible reading of an encoder
    double stuck_torque;    ///< N m at the motor; what the model does not explain is less
    double stuck_travel;    ///< rad of the motor that more would have moved it, were it not stuck
} atemi_joint_control_options;

/// A leg joint of r2_like at 5 kHz, alone on a test bench: atemi_joint_drive_default(), bandwidths
/// 3000, 800, 200 rad/s. For a joint of a robot see atemi_joint_control_options_of().
ATEMI_API atemi_joint_control_options atemi_joint_control_options_default(void);

/// A wrist joint of r2_like at 500 Hz: atemi_joint_drive_rigid().
ATEMI_API atemi_joint_control_options atemi_joint_control_options_rigid(void);

/// The same control for another period of a tick: bandwidths, patience and whatever else a period
/// bounds are lowered to what it allows, in the proportions of the defaults. A shorter period
/// changes nothing else. A motor that is given voltages allows ticks of twice its time constant
/// J R / (K_t K_e), 0.8 ms for a leg joint of r2_like; a drive that takes torques, any. 500 Hz to
/// 10 kHz are tested.
/// @param period s
ATEMI_API atemi_joint_control_options
atemi_joint_control_options_at(const atemi_joint_control_options *options, double period);

/// What the loops leave of the rotor: a link swings as if it had this inertia besides its own.
///
///     spring / torque bandwidth x (1 / velocity bandwidth + 1 / current bandwidth + period / 2)
///
/// @return kg m^2 at the joint; 0 without spring; all of it where the drive takes torques
ATEMI_API double atemi_joint_control_loop_inertia(const atemi_joint_control_options *options);

/// What a joint moves.
typedef struct atemi_joint_link {
    double inertia; ///< kg m^2, positive
    double damping; ///< N m s/rad, that acts on the link whatever is controlled
} atemi_joint_link;

/// How far a loop is from instability.
typedef struct atemi_joint_margin {
    bool   stable;
    double phase;     ///< rad, the least phase margin; pi where nothing crosses 1
    double frequency; ///< rad/s, where that is
    double gain; ///< the least gain margin: stiffness and damping may grow by this factor, both
} atemi_joint_margin;

/// Margins of the impedance loop around a link, or without spring of the position loop (of the
/// impedance loop where the drive takes torques): with the
/// loops inside, spring, delay, sampling and the trackers of the sensors, all linear and as the
/// options believe them to be. Some 500 frequencies, 0.1 ms.
/// @param stiffness N m/rad
/// @param damping   N m s/rad
/// @param link      without spring it does not count
ATEMI_API atemi_joint_margin atemi_joint_control_margin(const atemi_joint_control_options *options,
                                                        double stiffness, double damping,
                                                        atemi_joint_link link);

/// A loop at one frequency.
typedef struct atemi_frequency_response {
    double gain;
    double phase; ///< rad, -pi to pi
} atemi_frequency_response;

/// The open loop that those margins are of, as in a Bode plot.
/// @param frequency rad/s
ATEMI_API atemi_frequency_response
atemi_joint_control_open_loop(const atemi_joint_control_options *options, double stiffness,
                              double damping, atemi_joint_link link, double frequency);

/// What is sensed at a tick.
typedef struct atemi_joint_measurement {
    double motor_position; ///< rad of the motor, counted so that without torque it is gear x joint
    double joint_position; ///< rad, behind the spring; not read where there is none
    double current;        ///< A, that makes torque; not read without current sensing
} atemi_joint_measurement;

/// Where a command enters.
typedef enum atemi_joint_level {
    ATEMI_JOINT_VOLTAGE,   ///< past all loops
    ATEMI_JOINT_CURRENT,   ///< to the current loop
    ATEMI_JOINT_VELOCITY,  ///< to the velocity loop
    ATEMI_JOINT_TORQUE,    ///< to the torque loop
    ATEMI_JOINT_IMPEDANCE, ///< to the impedance loop
    ATEMI_JOINT_POSITION,  ///< to a position loop around the velocity loop; without spring too
} atemi_joint_level;

/// What a joint is to do. Only what its level reads counts, but every field must be a number.
typedef struct atemi_joint_command {
    atemi_joint_level level;
    /// Torque and impedance commands go to the current loop at once, past torque and velocity
    /// loop. Joints without spring take such commands in this way only.
    bool   direct_torque;
    double voltage; ///< V
    double current; ///< A
    double torque;  ///< N m, of ATEMI_JOINT_TORQUE

    double position;     ///< rad
    double velocity;     ///< rad/s: the target of the velocity loop; goes with a position
    double acceleration; ///< rad/s^2: feed-forward of every level from velocity up

    double stiffness;      ///< N m/rad
    double damping;        ///< N m s/rad
    double integral;       ///< N m/(rad s); 0 for none
    double windup_limit;   ///< N m, of the integral's torque
    double feedback_limit; ///< N m, of stiffness, damping and integral together
    double inertia_torque; ///< N m, passes in full
    double gravity_torque; ///< N m, passes in full
    double speed_limit;    ///< rad/s, where it is lower than that of the options
} atemi_joint_command;

/// Limp: an impedance command without stiffness, damping, torques and limits of its own.
ATEMI_API atemi_joint_command atemi_joint_command_default(void);

typedef enum atemi_joint_state {
    ATEMI_JOINT_OK,
    ATEMI_JOINT_WARNING,   ///< works, with the reaction that the fault calls for
    ATEMI_JOINT_SAFE_STOP, ///< does not work until it is restarted
} atemi_joint_state;

/// "ok", "warning", "safe stop".
ATEMI_API const char *atemi_joint_state_text(atemi_joint_state state);

/// Faults: bits of a set.
typedef enum atemi_joint_fault {
    ATEMI_JOINT_MOTOR_READING = 1 << 0, ///< jumped or no number
    ATEMI_JOINT_JOINT_READING = 1 << 1, ///< jumped or no number
    ATEMI_JOINT_MOTOR_STUCK = 1 << 2,
    ATEMI_JOINT_JOINT_STUCK = 1 << 3,
    ATEMI_JOINT_CURRENT_SENSOR = 1 << 4,
    ATEMI_JOINT_NO_COMMAND = 1 << 5,
    ATEMI_JOINT_COMMAND_LIMITED = 1 << 6,
    ATEMI_JOINT_COMMAND_UNFIT = 1 << 7,
    ATEMI_JOINT_AT_STOP = 1 << 8,
    ATEMI_JOINT_OVERSPEED = 1 << 9,
    ATEMI_JOINT_TORQUE_CONTRADICTED = 1 << 10,
} atemi_joint_fault;

/// One fault in words, e.g. "no command".
ATEMI_API const char *atemi_joint_fault_text(atemi_joint_fault fault);

typedef struct atemi_joint_control atemi_joint_control;

/// What a fault of a joint was and what to do about it, in one sentence with figures: "overspeed:
/// its motor turned as for 7.1 rad/s of the joint, whose limit is 4.73; ...". For a stop, ask for
/// the faults of its `stop`. It formats text and is not for the tick itself.
/// @param text [size] result, cut to fit; at least 4 bytes
ATEMI_API void atemi_joint_fault_describe(const atemi_joint_control *control,
                                          atemi_joint_fault fault, char *text, size_t size);

/// What comes of a tick. Demands of loops that were left out are 0.
typedef struct atemi_joint_output {
    double voltage; ///< V
    double duty;    ///< voltage per bus voltage, -1 .. 1: PWM

    double current_demand;  ///< A, for a driver that has a current loop of its own
    double velocity_demand; ///< of the motor, rad/s
    double torque_demand;   ///< N m
    double feedback_torque; ///< N m, the part of the demand that is limited

    double torque;         ///< of the spring, as sensed, N m; without spring, of the current
    double joint_velocity; ///< as tracked, rad/s
    double motor_velocity; ///< as tracked, rad/s

    atemi_joint_state state;
    unsigned          faults; ///< of this tick, bits of atemi_joint_fault
} atemi_joint_output;

/// Follows a position, its speed, and the part of its acceleration that the model does not explain.
/// Part of a control; not to be touched.
typedef struct atemi_joint_tracker {
    double period, gate, gains[3];
    double position, velocity, excess;
    double reading;           ///< the last that was believed
    double surprise;          ///< by which it was not where it was expected; 0 where not believed
    bool   frozen;            ///< the same reading as before
    int    rejected, suspect; ///< ticks in a row
    int    begun;             ///< of the first two readings, which say where and how fast
} atemi_joint_tracker;

/// The motor when the voltage of a tick begins to act. Part of a control; not to be touched.
typedef struct atemi_joint_ahead {
    double current;       ///< A
    double velocity;      ///< rad/s
    double mean_velocity; ///< in the tick that follows, rad/s
} atemi_joint_ahead;

/// The balance of torques at a motor with a spring: N m at the motor, smoothed. Part of a control;
/// not to be touched.
typedef struct atemi_joint_balance {
    double velocity;    ///< of the motor, rad/s
    double moved;       ///< that its acceleration takes
    double drive;       ///< of the current, less friction
    double load;        ///< of the spring, as sensed
    double noise;       ///< that the readings' noise makes of them
    double unexplained; ///< of the motion, by drive and load
    int    broken;      ///< ticks in a row in which that was too much
} atemi_joint_balance;

/// What was seen when a joint stopped safely, or gave up its current sensor. To be read.
typedef struct atemi_joint_stop {
    unsigned faults;             ///< that stopped it, bits of atemi_joint_fault; 0: it did not stop
    double   speed;              ///< of the motor, rad/s at the joint
    double   unexplained_torque; ///< N m at the joint
    double   sensor_torque;      ///< N m at the joint, by which the current sensor was off
    double   contradiction;      ///< N m at the joint, of the spring's torque and the current's
    double   allowance;          ///< N m at the joint, that model and friction leave to it
} atemi_joint_stop;

/// A joint's controller. To be started; not to be touched otherwise.
struct atemi_joint_control {
    atemi_joint_control_options options;
    bool                        is_elastic;
    double                      reduction;  ///< 1 / gear
    double                      effect;     ///< 1 / torque constant, A/(N m)
    double                      compliance; ///< 1 / spring, rad/(N m); 0 without spring
    double                      part;       ///< 1 / bus voltage, 1/V
    double                      inertia;    ///< that the motor moves, kg m^2
    double                      mobility;   ///< 1 / inertia
    double                      decay;      ///< of the current in a tick
    double                      gain;       ///< of the voltage in a tick, A/V
    double                      need;       ///< 1 / gain, V/A
    double                      approach;   ///< part of a current error that goes in a tick
    double                      learning;   ///< part of an unexplained voltage learnt in a tick
    double                      quickness;  ///< of the velocity loop, 1/s
    double                      smoothing;  ///< part of a change that the balance takes in a tick
    double                      moving;     ///< torque per change of speed in the balance, N m s
    double                      motor_noise, joint_noise; ///< torque per surprise, N m/rad
    int                         lasting; ///< ticks for which a balance may be broken
    atemi_joint_tracker         motor, joint;
    atemi_joint_ahead           ahead;
    atemi_joint_balance         balance;

    double current;            ///< now, A
    double current_before;     ///< a tick ago
    double expected;           ///< for the next tick
    double unexplained;        ///< voltage
    double voltage;            ///< of the last tick
    double position, velocity; ///< of the joint
    double torque;             ///< of the spring
    double torque_demand, feedback, integral;
    double torque_given; ///< of the last tick, where the drive takes torques
    int    stop_side;    ///< 1 at the highest position, -1 at the lowest, 0 between

    atemi_joint_command command;
    double              command_age;
    bool                commanded, current_lost;
    atemi_joint_state   state;
    unsigned            command_faults, faults, history;
    atemi_joint_stop    stop;
};

/// Makes a control ready for its first tick: at rest, without command, voltage 0 until one comes.
/// @return ATEMI_ERROR_INPUT where a figure cannot be, or a bandwidth is too high for the period;
/// the
///         message says which, and what is possible
ATEMI_API atemi_status atemi_joint_control_start(const atemi_joint_control_options *options,
                                                 atemi_joint_control *control, atemi_error *error);

/// One tick.
/// @param command NULL where none came since the last tick: the one before goes on
ATEMI_API void atemi_joint_control_step(atemi_joint_control           *control,
                                        const atemi_joint_measurement *measurement,
                                        const atemi_joint_command     *command,
                                        atemi_joint_output            *output);

/// One tick of `count` controls: all joints in one call.
/// @param controls, measurements, outputs [count]
/// @param commands [count] NULL where none came since the last tick
ATEMI_API void atemi_joint_controls_step(atemi_joint_control           *controls,
                                         const atemi_joint_measurement *measurements,
                                         const atemi_joint_command *commands, int count,
                                         atemi_joint_output *outputs);

/// Ends a safe stop: forgets command, faults and what was tracked, as after the start.
ATEMI_API void atemi_joint_control_restart(atemi_joint_control *control);

/// All faults since the start, bits of atemi_joint_fault: what the restarts forgot too.
ATEMI_API unsigned atemi_joint_control_history(const atemi_joint_control *control);

ATEMI_END
