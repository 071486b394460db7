// SPDX-License-Identifier: Apache-2.0

/// @file
/// Layer control. Whole-body control: the joint torques of the next instant, by which a robot with
/// a floating base comes nearest to its tasks within the limits of friction, soles and joints.
///
/// Each tick is a quadratic program in the joints' accelerations and the contacts' wrenches. Tasks
/// are accelerations that are wanted, with weights: of frames, of the momentum, of joints. Limits
/// are never exceeded as long as that is possible: friction, contacts that only push, centres of
/// pressure inside the soles, effort, velocity and position of joints. See
/// docs/theory/whole_body_control.md.
///
///     every tick:
///     atemi_whole_body_begin(control, q, v);
///     atemi_whole_body_contact_add(control, &left_sole);
///     atemi_whole_body_momentum(control, rate, weights);
///     atemi_whole_body_frame(control, trunk, origin, acceleration, weights);
///     atemi_whole_body_joints(control, accelerations, weights);
///     atemi_whole_body_solve(control, tau, &report);
///
/// No allocation after creation.

#pragma once

#include "atemi/data.h"
#include "atemi/quadratic_program.h"

#include <stdbool.h>

ATEMI_BEGIN

typedef struct atemi_whole_body_control atemi_whole_body_control;

/// How large a controller is, and what limits it keeps.
typedef struct atemi_whole_body_options {
    int    contacts;    ///< of one tick, at most; 4
    int    frames;      ///< tasks of frames of one tick, at most; 8
    bool   efforts;     ///< the joints' effort limits are kept; true
    double horizon;     ///< s in which a joint may reach its velocity limit; 0.02
    double stop_rate;   ///< rad/s, of the motion by which a joint approaches its stop; 30
    double effort_cost; ///< cost of a force of the robot's weight in a contact, beside tasks; 1e-3
} atemi_whole_body_options;

/// The values given above.
ATEMI_API atemi_whole_body_options atemi_whole_body_options_default(void);

/// Lays a controller out on an arena; it keeps the model.
/// @param options NULL for the defaults
/// @return NULL while measuring; also NULL, with a broken contract, if the arena is too small or
/// the
///         model's base is not floating
ATEMI_API atemi_whole_body_control *
atemi_whole_body_control_take(atemi_arena *arena, const atemi_model *model,
                              const atemi_whole_body_options *options);

/// Where the robot touches the world: a rectangle, such as a sole, that may press anywhere within,
/// a line, about which the link may roll, or a point, such as a hand at a rail.
///
/// The cone of friction is replaced by the pyramid inside of it, which has 1/sqrt(2) of the
/// friction in the worst direction and all of it in the best; the limits of a rectangle are those
/// of its four corners with that pyramid each [Caron15].
typedef struct atemi_whole_body_contact {
    int             link;
    atemi_transform frame;          ///< in the link's frame; z along the normal, towards the robot
    double          size_x, size_y; ///< side lengths; one 0 for a line, both 0 for a point
    double          friction;
    double          least_force, most_force; ///< along the normal, N
    atemi_motion    acceleration; ///< wanted of the frame, world axes; of a point, linear
    double          weight;       ///< of that, above those of other tasks
    double          cost;         ///< 1: forces cost as the options say; more where a foot unloads
} atemi_whole_body_contact;

/// At rest, friction 0.5, forces from 0 on, weight 1e4, cost 1.
ATEMI_API atemi_whole_body_contact atemi_whole_body_contact_default(void);

/// Begins a tick at a state: forgets tasks and contacts.
ATEMI_API void atemi_whole_body_begin(atemi_whole_body_control *control, const double *q,
                                      const double *v);

/// The data of the controller, at the state of the tick.
ATEMI_API const atemi_data *atemi_whole_body_data(const atemi_whole_body_control *control);

/// Adds a contact. All contacts come before the tasks.
/// @return its index
ATEMI_API int atemi_whole_body_contact_add(atemi_whole_body_control       *control,
                                           const atemi_whole_body_contact *contact);

/// Wants a rate of change of the momentum about the centre of mass, world axes. A weight is that of
/// the square of an error, in (m/s^2)^2 of the centre of mass and in 1/s^2... of the angular part
/// divided by the mass, in (m^2/s^2)^2.
/// @param weights [6] linear, angular
ATEMI_API void atemi_whole_body_momentum(atemi_whole_body_control *control, atemi_force rate,
                                         const double *weights);

/// Wants an acceleration of a point of a link and of the link's rotation, world axes.
/// @param point   in the link's frame
/// @param weights [6] linear, angular; 0 leaves a row out
ATEMI_API void atemi_whole_body_frame(atemi_whole_body_control *control, int link, atemi_vec3 point,
                                      atemi_motion acceleration, const double *weights);

/// Wants accelerations of the joints.
/// @param accelerations, weights [v_count] those of the base are not looked at; weights positive
ATEMI_API void atemi_whole_body_joints(atemi_whole_body_control *control,
                                       const double *accelerations, const double *weights);

/// What came of a tick.
typedef struct atemi_whole_body_report {
    atemi_quadratic_result program;
    /// What was given up, one after the other, because nothing meets all limits: of velocity and
    /// position, then of effort. Friction and soles never are.
    bool   without_stops, without_efforts;
    double effort; ///< largest fraction of an effort limit
} atemi_whole_body_report;

/// Finds the torques. Joint friction is not in them (atemi_joint_friction()).
/// @param tau [v_count] result; 0 for the base
/// @return ATEMI_ERROR_SINGULAR if there is no solution; then `tau` is not touched
ATEMI_API atemi_status atemi_whole_body_solve(atemi_whole_body_control *control, double *tau,
                                              atemi_whole_body_report *report);

/// The accelerations [v_count] of the solution, and the wrench of the world at a contact's frame,
/// world axes, until the next tick.
ATEMI_API const double *atemi_whole_body_accelerations(const atemi_whole_body_control *control);
ATEMI_API atemi_force atemi_whole_body_wrench(const atemi_whole_body_control *control, int contact);

ATEMI_END
