// SPDX-License-Identifier: Apache-2.0

/// @file
/// Layer walk. Walking in the sagittal plane: the controller, what the feet do on the floor, and
/// whole walks in simulation.

#pragma once

#include "atemi/base.h"
#include "atemi/model.h"
#include "atemi/simulation.h"

ATEMI_BEGIN

// ---- The controller -----------------------------------------------------------------------------
//
// The walking controller: joint torques that make a humanoid walk in the sagittal plane, from what
// it measures of itself and of the floor under its feet.
//
// The body is a pendulum whose only input is the centre of pressure. It runs from heel to toe of
// the standing foot and over to the next one, is shifted against errors of the capture point, and
// what it cannot mend within a step the next foothold does. Both decide the accelerations of feet,
// trunk and head; the torques are those of inverse dynamics with the floor's force in that centre
// of pressure. A foot that slides shows how much friction there is, and the steps become as short
// as that asks for. See docs/theory/walk.md.
//
//     atemi_walking_controller_posture(controller, q);
//     every tick: atemi_walking_controller_tick(controller, time, &senses);
//     in between: atemi_walking_controller_torque(controller, time, v, tau);

enum { ATEMI_LEFT, ATEMI_RIGHT, ATEMI_FEET };

/// The points of the feet: heel and toe of the left foot, then of the right one.
enum { ATEMI_HEEL, ATEMI_TOE, ATEMI_FOOT_POINTS, ATEMI_WALKING_POINTS = 4 };

/// The gait that is wanted, and gains.
typedef struct atemi_walking_options {
    // The gait
    double tick;            ///< s between two measurements
    double step_length;     ///< m, that it strives for
    double step_period;     ///< s from landing to landing
    double double_support;  ///< s of that, on both feet
    double pressure_travel; ///< m from the middle of the sole to where the pressure begins and ends
    double hip_height;      ///< m, above the ankles; less where the legs do not reach
    double clearance;       ///< m, of the swinging heel half-way
    double landing_speed;   ///< m/s, downwards
    double heel_strike;     ///< rad, toe up on landing
    double push_off;        ///< rad, heel up at the end of double support
    double arm_swing;       ///< rad of the shoulder to a rad of the other leg's hip
    // Balance
    double capture_gain; ///< shift of the pressure for an error of the capture point; above 1
    double longest_step; ///< m, forwards
    double longest_back; ///< m, backwards
    double last_change;  ///< s before landing after which the foothold stays
    double settling;     ///< s before landing in which the foot comes straight down
    double gather;       ///< m/s by which the step length grows, and by which
    double slacken;      ///< m/s it falls
    double felt_part;    ///< of the friction felt in a slide, that the steps may use
    double forgetting;   ///< s in which that is forgotten
    // Rates of the feedback, rad/s: an error falls as e^(-rate t)
    double sole_rate;  ///< of a foot on the floor
    double foot_rate;  ///< of the swinging foot
    double trunk_rate; ///< of the pitch of the waist
    double head_rate;  ///< of the height of the head
    double joint_rate; ///< of body, neck, elbows and wrists
    double arm_rate;   ///< of the shoulders
} atemi_walking_options;

/// The gait of docs/theory/walk.md: 0.42 m and 0.71 s a step, as [WALK] has it.
ATEMI_API atemi_walking_options atemi_walking_options_default(void);

/// What the controller measures.
typedef struct atemi_walking_senses {
    const double *q; ///< [q_count]
    const double *v; ///< [v_count]
    /// Whether a point of the feet touches the floor, and with what force of the floor, world axes.
    bool       touches[ATEMI_WALKING_POINTS];
    atemi_vec3 forces[ATEMI_WALKING_POINTS];
} atemi_walking_senses;

typedef enum atemi_stride_phase {
    ATEMI_STRIDE_DOUBLE, ///< on both feet: the pressure passes to the foot that has landed
    ATEMI_STRIDE_SWING,  ///< on one foot, the other swings
} atemi_stride_phase;

/// What the controller is about.
typedef struct atemi_walking_state {
    atemi_stride_phase phase;
    int                standing; ///< the foot that landed last
    double             clock;    ///< s since the phase began
    long               landings;
    double             sole;        ///< x of the middle of the standing sole, m
    double             pressure;    ///< x of the wanted centre of pressure, m
    double             capture;     ///< x of the capture point, m
    double             foothold;    ///< x of the middle of the sole to be, m
    double             step_length; ///< that it strives for now, m
    double             felt;        ///< friction felt, 1 where none was
    double             strain;      ///< largest part of a joint's effort needed at the last tick
    long               limited;     ///< ticks at which that was more than the whole
} atemi_walking_state;

typedef struct atemi_walking_controller atemi_walking_controller;

/// Makes a controller; it keeps the model.
///
/// The model has a sagittal base, sites left_heel, left_toe, right_heel and right_toe, legs of
/// three joints about y between the root and the feet, and a link `head`. Its other joints are held
/// as in the posture `standing`, if there is one; the shoulders, left_shoulder and right_shoulder,
/// swing.
/// @param options NULL for the defaults
/// @return ATEMI_ERROR_INPUT for a model that is not like that, or options that make no sense
ATEMI_API atemi_status atemi_walking_controller_create(const atemi_model           *model,
                                                       const atemi_walking_options *options,
                                                       atemi_walking_controller   **controller,
                                                       atemi_error                 *error);
ATEMI_API void         atemi_walking_controller_destroy(atemi_walking_controller *controller);

/// The posture to start from, at rest on the floor z = 0, feet side by side below x = 0.
/// @param q [q_count] result
ATEMI_API void atemi_walking_controller_posture(atemi_walking_controller *controller, double *q);

/// Measures and decides the torques for the tick to come. No allocation. The first tick after
/// atemi_walking_controller_posture() is at rest in it.
ATEMI_API void atemi_walking_controller_tick(atemi_walking_controller *controller, double time,
                                             const atemi_walking_senses *senses);

/// The torques at a time of the tick under way: a ramp from those of the tick before, plus what the
/// joints' damping takes, within the joints' limits of effort.
/// @param v   [v_count] joint rates at that time
/// @param tau [v_count] result
ATEMI_API void atemi_walking_controller_torque(const atemi_walking_controller *controller,
                                               double time, const double *v, double *tau);

/// What it is about.
ATEMI_API atemi_walking_state
atemi_walking_controller_state(const atemi_walking_controller *controller);

/// A point of a foot that the controller expects to touch the floor: its link and place there.
/// @param point 2 foot + ATEMI_HEEL or ATEMI_TOE
ATEMI_API int atemi_walking_controller_point(const atemi_walking_controller *controller, int point,
                                             atemi_vec3 *place);

// ---- Gait states --------------------------------------------------------------------------------
//
// The states of a gait and the ways between them, [WALK] Fig. 10, as data: what each foot does on
// the floor, what ends that, and how often and how long it was so.
//
// A foot touches the floor with its sole (a surface), with heel or toe (a line), or not at all,
// and sticks or slips. The supporting foot is the one that has been on the floor longer; when it
// leaves, the other one supports. Both feet may be on the floor in any way: the states are all
// pairs.

typedef enum atemi_foot_state {
    ATEMI_FOOT_AIR,
    ATEMI_FOOT_HEEL_STICK,
    ATEMI_FOOT_HEEL_SLIP,
    ATEMI_FOOT_TOE_STICK,
    ATEMI_FOOT_TOE_SLIP,
    ATEMI_FOOT_SOLE_STICK,
    ATEMI_FOOT_SOLE_SLIP,
    ATEMI_FOOT_STATES,
} atemi_foot_state;

/// What a foot's state ends with: the quantity that becomes zero.
typedef enum atemi_gait_guard {
    ATEMI_GUARD_NONE,          ///< this side of the state does not change
    ATEMI_GUARD_HEEL_GAP,      ///< the heel reaches the floor: a collision
    ATEMI_GUARD_TOE_GAP,       ///< the toe does
    ATEMI_GUARD_SOLE_GAP,      ///< heel and toe do at once
    ATEMI_GUARD_HEEL_PRESSURE, ///< the heel's normal force vanishes: the pressure is at the toe
    ATEMI_GUARD_TOE_PRESSURE,  ///< the toe's does: the pressure is at the heel
    ATEMI_GUARD_FORCE,         ///< the foot's normal force vanishes
    ATEMI_GUARD_HEEL_ROCK,     ///< the heel's collision lifts the toe
    ATEMI_GUARD_TOE_ROCK,      ///< the toe's collision lifts the heel
    ATEMI_GUARD_FRICTION,      ///< friction reaches its limit, K f_n - |f_t|
    ATEMI_GUARD_SPEED,         ///< the sliding speed vanishes
} atemi_gait_guard;

/// A way from one state of a foot to another. Both parts may change at once, in a collision.
typedef struct atemi_gait_arrow {
    atemi_foot_state from, to;
    atemi_gait_guard touch; ///< ends how it touches
    atemi_gait_guard slide; ///< ends whether it slides, or starts it with the touch
} atemi_gait_arrow;

/// "air", "heel stick", "heel slip", "toe stick", "toe slip", "sole stick", "sole slip".
ATEMI_API const char *atemi_foot_state_text(atemi_foot_state state);

/// The condition in words, "" for none.
ATEMI_API const char *atemi_gait_guard_text(atemi_gait_guard guard);

/// The state of a foot whose heel and toe are in these modes.
ATEMI_API atemi_foot_state atemi_foot_state_of(atemi_contact_mode heel, atemi_contact_mode toe);

/// The way from one state to another one.
ATEMI_API atemi_gait_arrow atemi_gait_arrow_between(atemi_foot_state from, atemi_foot_state to);

enum { ATEMI_GAIT_FEET = 2 };

/// What a gait has been: counted and timed.
typedef struct atemi_gait_watch {
    double           time;                    ///< of the last look, s
    int              support;                 ///< the supporting foot
    atemi_foot_state states[ATEMI_GAIT_FEET]; ///< of left and right foot
    long             exchanges;               ///< of the supporting foot
    /// By the state of the supporting foot, then of the other one: how often, and how long, s.
    long   visits[ATEMI_FOOT_STATES][ATEMI_FOOT_STATES];
    double times[ATEMI_FOOT_STATES][ATEMI_FOOT_STATES];
    /// How often a foot went from one state to another.
    long arrows[ATEMI_FOOT_STATES][ATEMI_FOOT_STATES];
} atemi_gait_watch;

/// Begins to watch a simulation whose first four points are heel and toe of the left foot and heel
/// and toe of the right one.
ATEMI_API atemi_gait_watch atemi_gait_watch_start(const atemi_simulation *simulation);

/// Looks again: what has changed since then has changed now. Short states are seen only by one who
/// looks often.
/// @return whether the state of a foot has changed
ATEMI_API bool atemi_gait_watch_look(atemi_gait_watch *watch, const atemi_simulation *simulation);

// ---- The walk -----------------------------------------------------------------------------------
//
// A walk: the walking controller on the hybrid simulation, step after step, over floors of several
// kinds and against external forces, and what came of it.
//
//     atemi_walk_create(model, &task, NULL, &walk, &error);
//     atemi_walk_run(walk, &error);
//     const atemi_walk_summary summary = atemi_walk_summary_get(walk);

/// A stretch of the floor that is unlike the rest.
typedef struct atemi_floor_patch {
    double from, to;    ///< x, m
    double friction;    ///< static and kinetic
    double right, left; ///< y, m, in three dimensions; both 0: as wide as the floor
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

/// What a fall came from, as far as it is known: what happened within its last three steps.
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
    long   collisions;
    double hardest_collision; ///< N s
    double most_friction;     ///< largest |f_t| / f_n of a foot that carried a tenth of the weight
    // Energy, J
    double joint_work;        ///< of the drives, on the whole
    double positive_work;     ///< of the drives where they push
    double damping_loss;      ///< in the joints
    double friction_loss;     ///< under sliding feet
    double collision_loss;    ///< in collisions
    double cost_of_transport; ///< positive work over weight and distance
    double most_torque;       ///< largest part of a joint's limit of effort
    long   limited;           ///< ticks at which a torque was at its limit
    // Books of the whole walk, once it has ended, collisions included: what forces and powers leave
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
