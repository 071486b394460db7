// SPDX-License-Identifier: Apache-2.0

/// @file
/// A robot to be controlled, simulated: full-body dynamics, every joint with its motor, gear and
/// spring (atemi/joint_plant.h), links that are held, soft surfaces, and people who push and pull.
///
///     atemi_whole_body_plant_create(model, NULL, &plant, &error);
///     atemi_whole_body_plant_start(plant, q, NULL, NULL);
///     atemi_whole_body_plant_hold(plant, left_foot, &error);
///     every 0.2 ms and joint: atemi_whole_body_plant_measure(), ..._apply()
///     every 0.2 ms:           atemi_whole_body_plant_advance(plant, &error)
///
/// The drive has the joint's rotor: that of the model does not count. Joints are counted as in v
/// behind the base of the model. After creation nothing here allocates. The same
/// seeds give the same bits. See docs/theory/control_plant.md.

#pragma once

#include "atemi/joint_plant.h"
#include "atemi/simulation.h"

ATEMI_BEGIN

/// What a robot is driven by, and what holds it.
typedef struct atemi_whole_body_plant_options {
    double period;         ///< of a tick, s; 2e-4
    bool   joint_friction; ///< the model's own friction and damping act on the links; true
    const atemi_joint_plant_options *joints;   ///< [joints] copied; NULL for the defaults
    const atemi_surface             *surfaces; ///< [surface_count] their tables are the caller's
    int                              surface_count;
    const atemi_simulation_point    *points; ///< [point_count] with a compliance, and not tied
    int                              point_count;
    int                              max_holds; ///< links that are held at a time; 4
    int                              max_pulls; ///< 8
} atemi_whole_body_plant_options;

/// The values said above, nothing to be touched.
ATEMI_API atemi_whole_body_plant_options atemi_whole_body_plant_options_default(void);

/// Joint i of a model: behind a spring of 50,000 N m/rad, with the model's rotor, where it has one;
/// otherwise without spring, as a wrist of r2_like. Its stops stand 0.03 rad behind the ends of its
/// range.
ATEMI_API atemi_joint_plant_options atemi_whole_body_joint_default(const atemi_model *model, int i);

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
    atemi_transform frame;          ///< in the link's frame
    atemi_transform target;         ///< in the world
    atemi_vec3      velocity;       ///< of the target, m/s
    double          stiffness;      ///< N/m
    double          damping;        ///< N s/m
    double          turn_stiffness; ///< N m/rad; 0 where only the place matters
    double          turn_damping;   ///< N m s/rad
    double          force_limit;    ///< N
    double          moment_limit;   ///< N m
} atemi_pull;

/// Sets one of the pulls, from the next tick on; NULL for none.
ATEMI_API void atemi_whole_body_plant_set_pull(atemi_whole_body_plant *plant, int index,
                                               const atemi_pull *pull);

/// The forces on the links [link_count] beside all else, world axes, moments about the links'
/// origins: to be written by the caller, and kept until then.
ATEMI_API atemi_force *atemi_whole_body_plant_pushes(atemi_whole_body_plant *plant);

/// Says whether a surface is there; all are at the beginning.
ATEMI_API void atemi_whole_body_plant_set_surface(atemi_whole_body_plant *plant, int surface,
                                                  bool is_there);

/// Takes a share of every link's weight away: 0 on the ground, 1 as in orbit.
ATEMI_API void atemi_whole_body_plant_set_offload(atemi_whole_body_plant *plant, double share);

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

/// The force that holds a link, world axes, moment about its origin; zero where it is not held.
ATEMI_API atemi_force atemi_whole_body_plant_hold_force(const atemi_whole_body_plant *plant,
                                                        int                           link);

/// The force of a pull on its link, world axes, moment about the frame's origin.
ATEMI_API atemi_force atemi_whole_body_plant_pull_force(const atemi_whole_body_plant *plant,
                                                        int                           index);

/// What a load cell in a joint of the model measures, see atemi_joint_wrench_in(). O(links).
/// @param joint of the model, not fixed
ATEMI_API atemi_force atemi_whole_body_plant_wrench(atemi_whole_body_plant *plant, int joint);

ATEMI_END
