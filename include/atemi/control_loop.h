// SPDX-License-Identifier: Apache-2.0

/// @file
/// Layer simulate. The closed loop of [R2] on a simulated robot, which `atemi control` runs:
/// Multi-Loop control of every joint at 5 kHz (500 Hz without spring), coordination at 50 Hz, the
/// robot with its drives, and what is around it: people, grippers, a weight that is taken away.
///
///     atemi_control_loop_create(model, &options, &loop, &error);
///     while (atemi_whole_body_plant_time(atemi_control_loop_plant(loop)) < 10.0) {
///         ... commands to atemi_control_loop_coordination(loop), or a task sequence ...
///         atemi_control_loop_coordinate(loop);
///         for (int k = 0; k < atemi_control_loop_tick_count(loop); ++k) {
///             atemi_control_loop_tick(loop, &error);
///         }
///     }
///
/// After creation nothing here allocates. The same options give the same bits.

#pragma once

#include "atemi/control_plant.h"
#include "atemi/task_sequence.h"

ATEMI_BEGIN

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

/// How the loop is set up.
typedef struct atemi_control_loop_options {
    /// The robot and its drives; NULL joints for atemi_whole_body_joint_default(). max_pulls is
    /// added to those of hands and grippers.
    atemi_whole_body_plant_options plant;
    /// Base and log of goals are the loop's own; NULL joints for the defaults. What follows from
    /// the drives is set by atemi_coordinated_joint_fit(). The period must be a multiple of every
    /// joint's.
    atemi_coordination_options         coordination;
    const atemi_joint_control_options *controls; ///< [joints] NULL for atemi_..._options_of()

    const double *q;          ///< [q_count] at the beginning; NULL for neutral
    const double *v;          ///< [v_count] NULL for rest
    const int    *holds;      ///< [hold_count] links that are held then; the first is the base
    int           hold_count; ///< 0: the root is the base
    double        offload;    ///< fraction of the weight that is taken away then

    const atemi_timed_surface *timed_surfaces;
    int                        timed_surface_count;
    const atemi_guiding_hand  *hands;
    int                        hand_count;
    const atemi_transform     *rails; ///< [rail_count] of a gripper's frame that is closed on it
    int                        rail_count;
    atemi_jaws                 jaws;
    int                        max_grips; ///< that are begun, in all; 0
    int                        max_goals; ///< that the log of goals holds; 256
} atemi_control_loop_options;

/// The values said above: nothing is held, nobody is there.
ATEMI_API atemi_control_loop_options atemi_control_loop_options_default(void);
ATEMI_API atemi_jaws                 atemi_jaws_default(void);

typedef struct atemi_control_loop atemi_control_loop;

/// Creates the loop: at rest in its posture, the springs bear the weight. Arrays of the options are
/// copied but for those of the plant's surfaces; the model must live as long as the loop.
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

/// The robot; its pulls 0 to hand_count - 1 are the hands.
ATEMI_API atemi_whole_body_plant *atemi_control_loop_plant(const atemi_control_loop *loop);
ATEMI_API atemi_coordination     *atemi_control_loop_coordination(const atemi_control_loop *loop);

/// What joints [joints] are commanded, came to, and were measured as. Commands may be changed
/// between a step and its first tick.
ATEMI_API atemi_joint_command      *atemi_control_loop_commands(const atemi_control_loop *loop);
ATEMI_API const atemi_joint_output *atemi_control_loop_outputs(const atemi_control_loop *loop);
ATEMI_API const double             *atemi_control_loop_positions(const atemi_control_loop *loop);

ATEMI_END
