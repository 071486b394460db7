// SPDX-License-Identifier: Apache-2.0

/// @file
/// A walk: the walking controller on the hybrid simulation, step after step, over floors of several
/// kinds and against external forces, and what came of it.
///
///     atemi_walk_create(model, &task, NULL, &walk, &error);
///     atemi_walk_run(walk, &error);
///     const atemi_walk_summary summary = atemi_walk_summary_get(walk);

#pragma once

#include "atemi/gait_states.h"
#include "atemi/simulation.h"
#include "atemi/walking_controller.h"

ATEMI_BEGIN

/// A stretch of the floor that is unlike the rest.
typedef struct atemi_floor_patch {
    double from, to; ///< x, m
    double friction; ///< static and kinetic
} atemi_floor_patch;

/// Where, how far and against what to walk.
typedef struct atemi_walk_task {
    atemi_walking_options    controller;
    long                     steps;    ///< to walk
    double                   friction; ///< of the floor
    const atemi_floor_patch *patches;  ///< [patch_count] later ones lie on earlier ones
    int                      patch_count;
    const atemi_timed_force *forces; ///< [force_count] in the plane of x and z
    int                      force_count;
    double                   step; ///< of the integration, s
} atemi_walk_task;

/// 1000 steps on a floor of friction 0.7, as in [WALK], with steps of 4 ms.
ATEMI_API atemi_walk_task atemi_walk_task_default(void);

/// How a walk ended.
typedef enum atemi_walk_end {
    ATEMI_WALK_DONE,    ///< all steps are walked
    ATEMI_WALK_FELL,    ///< the hips are low, or the trunk lies
    ATEMI_WALK_STUCK,   ///< no foot has landed for ten step periods
    ATEMI_WALK_STOPPED, ///< by the hook
} atemi_walk_end;

/// What a fall came from, as far as it can be told: what happened within its last three steps.
typedef enum atemi_fall_cause {
    ATEMI_FALL_NONE,    ///< it did not fall
    ATEMI_FALL_FORCE,   ///< an external force acted on it
    ATEMI_FALL_SLIP,    ///< a foot slid by more than 5 cm
    ATEMI_FALL_TORQUE,  ///< a joint's effort was not enough
    ATEMI_FALL_BALANCE, ///< nothing of that
} atemi_fall_cause;

/// "done", "fell", "stuck", "stopped".
ATEMI_API const char *atemi_walk_end_text(atemi_walk_end end);

/// A foot that slid by 1 mm or more before it stuck or left the floor.
typedef struct atemi_slip {
    int    foot;
    double start, duration; ///< s
    double place;           ///< x of the foot's middle as it began, m
    double distance;        ///< m, forwards
} atemi_slip;

typedef struct atemi_walk atemi_walk;

/// What a walk asks its user for. Each may be NULL: no interest.
typedef struct atemi_walk_hooks {
    /// Hears of the start and of every tick. @return false to stop
    bool (*tick)(void *context, const atemi_walk *walk);
    void (*slip)(void *context, const atemi_slip *slip);
    void (*event)(void *context, const atemi_event *event); ///< of the simulation
    /// Asked every 8 steps of the simulation, of which a tick may have many. @return false to stop
    bool (*goes_on)(void *context);
    void *context;
} atemi_walk_hooks;

/// What came of a walk.
typedef struct atemi_walk_summary {
    atemi_walk_end   end;
    atemi_fall_cause cause;
    long             steps;       ///< feet that landed
    double           distance;    ///< from the first sole to the last one, m
    double           time;        ///< s
    double           step_length; ///< mean, m
    double           step_period; ///< mean, s
    double           speed;       ///< mean, m/s
    // The floor
    long   slips; ///< of 1 mm or more
    double slip_time, slip_distance;
    long   bumps;
    double hardest_bump;  ///< N s
    double most_friction; ///< largest |f_t| / f_n of a foot that carried a tenth of the weight
    // Energy, J
    double joint_work;        ///< of the drives, on the whole
    double positive_work;     ///< of the drives where they push
    double damping_loss;      ///< in the joints
    double friction_loss;     ///< under sliding feet
    double bump_loss;         ///< in bumps
    double cost_of_transport; ///< positive work over weight and distance
    double most_torque;       ///< largest part of a joint's limit of effort
    long   limited;           ///< ticks at which a torque was at its limit
    // Books of the whole walk, once it has ended, bumps included: what forces and powers leave
    // unexplained of momentum and energy, relative to the sum of the sizes of impulses and work
    double momentum_error, energy_error;
} atemi_walk_summary;

/// Makes a walk; it keeps the model and the lists of the task.
/// @param task  NULL for the default
/// @param hooks NULL for none
ATEMI_API atemi_status atemi_walk_create(const atemi_model *model, const atemi_walk_task *task,
                                         const atemi_walk_hooks *hooks, atemi_walk **walk,
                                         atemi_error *error);
ATEMI_API void         atemi_walk_destroy(atemi_walk *walk);

/// Walks from the start. A fall is an answer, not an error. No allocation.
/// @return ATEMI_ERROR_SINGULAR if the simulation cannot go on
ATEMI_API atemi_status atemi_walk_run(atemi_walk *walk, atemi_error *error);

/// What came of it, so far.
ATEMI_API atemi_walk_summary atemi_walk_summary_get(const atemi_walk *walk);

/// Its simulation and its controller as they are. The points are those of
/// atemi_walking_controller_point().
ATEMI_API const atemi_simulation         *atemi_walk_simulation(const atemi_walk *walk);
ATEMI_API const atemi_walking_controller *atemi_walk_controller(const atemi_walk *walk);

/// The states of its gait, looked at every tick.
ATEMI_API const atemi_gait_watch *atemi_walk_gait(const atemi_walk *walk);

ATEMI_END
