// SPDX-License-Identifier: Apache-2.0

/// @file
/// Layer control. A robot of your own: coordination and the control of all joints behind one call a
/// tick, and two callbacks for the bus.
///
///     atemi_robot_control_create(model, &options, &control, &error);
///     atemi_coordination_move_joints(atemi_robot_control_coordination(control), ...);
///     every period: atemi_robot_control_tick(control, &bus);
///
/// A tick reads the joints, coordinates them every so many ticks, controls each of them, and writes
/// the answers. examples/robot_loop.c has the loop around it: its priority, its clock, and what it
/// does when it is late. After creation nothing here allocates, locks or does I/O of its own.

#pragma once

#include "atemi/coordination.h"

ATEMI_BEGIN

/// The way to the joints.
typedef struct atemi_robot_bus {
    void *context; ///< of the callbacks
    /// Reads all joints. What a joint did not send is NaN.
    /// @param measurements [count] result
    /// @return whether anything came. If not, all joints go on by their models, and stop safely
    ///         after their patience
    bool (*read)(void *context, atemi_joint_measurement *measurements, int count);
    /// Writes the answers: `voltage` or `duty`, `current_demand`, or `torque_demand`.
    /// @param outputs [count]
    void (*write)(void *context, const atemi_joint_output *outputs, int count);
} atemi_robot_bus;

typedef struct atemi_robot_control_options {
    double period;       ///< of a tick, s; 0.001
    bool   takes_torque; ///< the drives take torques; true
    /// [joints] copied; NULL for those of atemi_joint_control_options_of(), made for the period.
    const atemi_joint_control_options *controls;
    /// Its period must be a multiple of the tick's. NULL joints for the defaults, with natural
    /// frequencies that are stable everywhere (atemi_joint_stability_find()). What follows from the
    /// controls is set by atemi_coordinated_joint_fit().
    atemi_coordination_options coordination;
} atemi_robot_control_options;

/// The values said above: a robot with an effort interface at 1 kHz, coordinated at 50 Hz.
ATEMI_API atemi_robot_control_options atemi_robot_control_options_default(void);

typedef struct atemi_robot_control atemi_robot_control;

/// Creates the control. The model must live as long.
/// @param options NULL for the defaults
/// @return ATEMI_ERROR_INPUT where a figure, a joint or a period cannot be; ATEMI_ERROR_MEMORY
ATEMI_API atemi_status atemi_robot_control_create(const atemi_model                 *model,
                                                  const atemi_robot_control_options *options,
                                                  atemi_robot_control              **control,
                                                  atemi_error                       *error);

/// Releases the control. NULL is fine.
ATEMI_API void atemi_robot_control_destroy(atemi_robot_control *control);

/// One tick.
ATEMI_API void atemi_robot_control_tick(atemi_robot_control *control, const atemi_robot_bus *bus);

/// Whether a joint is in a safe stop.
ATEMI_API bool atemi_robot_control_has_stopped(const atemi_robot_control *control);

/// Ends the safe stop of all joints that are in one.
ATEMI_API void atemi_robot_control_restart(atemi_robot_control *control);

/// For commands: moves, dynamics, limits.
ATEMI_API atemi_coordination *atemi_robot_control_coordination(const atemi_robot_control *control);

/// The number of joints, and what they came to in the last tick [joints].
ATEMI_API int atemi_robot_control_joint_count(const atemi_robot_control *control);
ATEMI_API const atemi_joint_output *atemi_robot_control_outputs(const atemi_robot_control *control);

/// The control of a joint, e.g. for atemi_joint_fault_describe().
ATEMI_API const atemi_joint_control *atemi_robot_control_joint(const atemi_robot_control *control,
                                                               int                        joint);

ATEMI_END
