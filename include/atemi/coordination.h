// SPDX-License-Identifier: Apache-2.0

/// @file
/// Layer control. RoboDyn [R2]: one coordinated controller for all joints of a robot. Measurements
/// in, a command for the Multi-Loop control of every joint out, 50 times a second.
///
///     atemi_coordination_create(model, NULL, &coordination, &error);
///     atemi_coordination_set_base(coordination, user, left_foot, NULL, &error);
///     atemi_coordination_move_nodes(coordination, user, &hand, 1, NULL, &error);
///     every 20 ms: atemi_coordination_step(coordination, &measurement, commands);
///
/// Commands come at any time between steps and change nothing but the coordination's own state. One
/// that cannot be is refused with an error, and everything goes on as before. Joints are counted as
/// in v behind the base of the model: joint i is rate base + i.
///
/// What goes wrong has one defined reaction each:
///
/// | fault | at once | if it lasts |
/// |---|---|---|
/// | measurement is no number | the last one counts, warning | all motion stops after `patience` |
/// | joint does not follow | it goes softly to where it is, its companions stop | the same |
/// | node's target out of reach | motion stops, softly | |
/// | breadcrumbs run out in motion | motion stops, softly | |
/// | nobody commands while it moves | | all motion stops after `command_timeout` |
/// | joints would be too fast | they go slower, along the same path | the same |
/// | a wanted force meets nothing | motion stops after `force_travel` | |
/// | a motion would tip or slide a robot that stands | motion stops, softly | |
/// | a motion would take more than a joint's effort | motion stops, softly | |
/// | a joint stopped safely | all motion stops, no goal is reached | until it is restarted |
/// | feedback gives energy away | all joints go softly to where they are, and limp | until resumed
/// |
///
/// Created once, in one piece of memory; after that nothing here allocates, locks or does I/O, and
/// a step takes a bounded time. Two coordinations share nothing but the model, which never changes.
/// See docs/theory/coordination.md.

#pragma once

#include "atemi/inverse_kinematics.h"
#include "atemi/joint_control.h"
#include "atemi/trajectory.h"

ATEMI_BEGIN

// ---- Desired dynamics -----------------------------------------------------------------------

/// How a joint shall swing.
typedef struct atemi_desired_dynamics {
    double natural_frequency; ///< rad/s, not negative
    double damping_ratio;     ///< not negative
} atemi_desired_dynamics;

/// What a joint may be given.
typedef struct atemi_impedance_limits {
    double stiffness;   ///< at most, N m/rad
    double damping_min; ///< N m s/rad: joints with little inertia swing below it
    double damping_max; ///< N m s/rad
} atemi_impedance_limits;

/// What a joint gets.
typedef struct atemi_impedance {
    double stiffness; ///< N m/rad
    double damping;   ///< N m s/rad
} atemi_impedance;

/// The impedance that gives a joint its dynamics, within limits: [R2] eq. 1-3. Limits are kept in
/// this order: stiffness, damping, damping ratio, natural frequency. So the ratio is kept wherever
/// the limits allow any stiffness that has it.
/// @param inertia effective, kg m^2; where it is not positive there is no stiffness
ATEMI_API atemi_impedance atemi_desired_impedance(double inertia, atemi_desired_dynamics desired,
                                                  atemi_impedance_limits limits);

/// `goal`, or as far from `now` towards it as `step` goes.
ATEMI_API double atemi_blend(double now, double goal, double step);

// ---- Goals ----------------------------------------------------------------------------------

/// Who commands.
typedef enum atemi_command_source {
    ATEMI_SOURCE_USER,
    ATEMI_SOURCE_SUPERVISOR,
} atemi_command_source;

typedef enum atemi_goal_motion {
    ATEMI_MOTION_JOINTS,
    ATEMI_MOTION_NODES,
    ATEMI_MOTION_BREADCRUMBS,
} atemi_goal_motion;

/// How a goal ended.
typedef enum atemi_goal_outcome {
    ATEMI_OUTCOME_ACTIVE,       ///< not yet
    ATEMI_OUTCOME_REACHED,      ///< the command is there
    ATEMI_OUTCOME_STOPPED,      ///< by a stop, or because the base was switched
    ATEMI_OUTCOME_REPLACED,     ///< another goal took at least one of its joints
    ATEMI_OUTCOME_OBSTRUCTED,   ///< a joint did not follow
    ATEMI_OUTCOME_OUT_OF_REACH, ///< no posture meets the critical axes
    ATEMI_OUTCOME_NO_CONTACT,   ///< a force was wanted where nothing is
    ATEMI_OUTCOME_FAULT,        ///< measurements or commands failed, a joint stopped safely, or an
                                ///< interaction diverged
    ATEMI_OUTCOME_UNBALANCED,   ///< the robot that stands would tip or slide
    ATEMI_OUTCOME_OVERLOADED,   ///< it would take more than a joint's effort to stand
} atemi_goal_outcome;

/// "active", "reached", "stopped", "replaced", "obstructed", "out of reach", "no contact", "fault",
/// "would lose balance", "would overload".
ATEMI_API const char *atemi_goal_outcome_text(atemi_goal_outcome outcome);

/// A goal and what came of it.
typedef struct atemi_goal_record {
    int                  id; ///< from 1 on; 0: nothing yet
    atemi_goal_motion    motion;
    atemi_command_source source;
    atemi_goal_outcome   outcome;
    double               begun;    ///< s since the coordination was created
    double               ended;    ///< s; meaningless while active
    double               done;     ///< fraction of its path, 0 to 1; of breadcrumbs, those taken
    double               position; ///< largest error then: rad or m of joints, m of nodes
    double               rotation; ///< rad, of nodes
    int                  joint;    ///< that did not follow or stopped safely, or -1
} atemi_goal_record;

/// The record of goals that the trajectory monitor of [R2] keeps, a ring in the caller's memory:
/// the newest goals are in it.
typedef struct atemi_goal_log {
    atemi_goal_record *records;  ///< [capacity]
    int                capacity; ///< 0 for none
    int                last;     ///< id of the newest
} atemi_goal_log;

/// The record of a goal, or NULL where newer ones took its place or there never was one.
ATEMI_API atemi_goal_record *atemi_goal_log_find(const atemi_goal_log *log, int id);

// ---- Joints of a robot ----------------------------------------------------------------------

/// What the drive of a joint is made for: as the model states it, otherwise estimated from the
/// inertia that the joint moves. docs/theory/control_plant.md has the rule.
typedef struct atemi_joint_rating {
    double effort;   ///< limit, N m or N
    double velocity; ///< limit, rad/s or m/s
    double inertia;  ///< of all links behind the joint at q = 0, kg m^2 or kg
    double rotor;    ///< felt at the joint, kg m^2 or kg
    bool   effort_is_stated, velocity_is_stated, rotor_is_stated; ///< by the model
} atemi_joint_rating;

/// The rating of joint i of a robot. O(links^2)
ATEMI_API atemi_joint_rating atemi_joint_rating_of(const atemi_model *model, int i);

/// What the drive of a joint is told by.
typedef enum atemi_drive_figure {
    ATEMI_DRIVE_EFFORT,
    ATEMI_DRIVE_VELOCITY,
    ATEMI_DRIVE_ROTOR,
    ATEMI_DRIVE_SPRING,
    ATEMI_DRIVE_SPRING_DAMPING,
} atemi_drive_figure;

/// What atemi_joint_drive_of() estimates a figure from, such as "effort and speed"; NULL where the
/// model states it.
ATEMI_API const char *atemi_drive_figure_estimate(const atemi_joint_rating *rating,
                                                  atemi_drive_figure        figure);

/// The drive of joint i of a robot: that of a leg joint of r2_like with a spring of 50,000 N m/rad,
/// scaled to the joint's rating. Every joint has a spring, and so obeys torque limits.
ATEMI_API atemi_joint_drive atemi_joint_drive_of(const atemi_model *model, int i);

/// Nothing known: every figure is NaN.
ATEMI_API atemi_joint_drive atemi_joint_drive_unknown(void);

/// Completes a drive of joint i of which some figures are known: those that are NaN become what
/// makes the joint of its rating with the others. So another torque constant or gear is another
/// winding or gear of the same joint.
ATEMI_API void atemi_joint_drive_complete(const atemi_model *model, int i,
                                          atemi_joint_drive *drive);

/// The control of joint i of a robot with this drive: in a chain, a torque loop of 100 rad/s at
/// most, the limits of its rating; its current makes the effort limit and no more.
/// docs/theory/control_plant.md says why a joint of a robot is not controlled as one on a test
/// bench (atemi_joint_control_options_default()).
ATEMI_API atemi_joint_control_options
atemi_joint_control_options_of(const atemi_model *model, int i, const atemi_joint_drive *drive);

/// atemi_joint_control_start() of joint i of a robot: an error names the joint.
ATEMI_API atemi_status atemi_joint_control_start_of(const atemi_model *model, int i,
                                                    const atemi_joint_control_options *options,
                                                    atemi_joint_control               *control,
                                                    atemi_error                       *error);

enum { ATEMI_ALL_JOINTS = -1 };

/// What the coordination knows of a joint beyond the model, and where it starts.
typedef struct atemi_coordinated_joint {
    /// Behind a series spring, or with a drive that takes torques: impedance commands, and the
    /// rotor is the joint control's business. Otherwise position commands.
    bool                   elastic;
    double                 velocity;         ///< bound of motions, rad/s
    double                 acceleration;     ///< bound of motions, rad/s^2
    double                 retreat_velocity; ///< to where a joint is that did not follow
    double                 retreat_acceleration;
    double                 torque_limit; ///< of the feedback, N m
    atemi_desired_dynamics dynamics;
    double                 integral_rate; ///< 1/s: integral per stiffness; 0 for none
    double                 windup_limit;  ///< N m, of the integral
    atemi_impedance_limits impedance;
    double                 gravity; ///< scale of its gravity torque, 0 to 1
    double loop_inertia;            ///< kg m^2 of the rotor, atemi_joint_control_loop_inertia(); 0
    double own_damping; ///< N m s/rad that acts on the joint whatever its control does; 0
    /// rad/s: whatever is asked for later, the natural frequency is no higher. Infinite, or what
    /// atemi_joint_stability_find() found
    double highest_frequency;
} atemi_coordinated_joint;

/// Joint i of a robot: stiff (20 rad/s, 1.2), 100 N m or its effort limit, 2 rad/s^2, gravity
/// compensated; at most a quarter of the spring of atemi_joint_drive_of() as stiffness (12,500 N
/// m/rad for 330 N m), and damping of 60 us to 0.1 s of the spring (3 to 5000 N m s/rad).
ATEMI_API atemi_coordinated_joint atemi_coordinated_joint_default(const atemi_model *model, int i);

/// The impedance that a joint with this drive may be given: see atemi_coordinated_joint_default().
/// Nothing without a spring.
ATEMI_API atemi_impedance_limits atemi_impedance_limits_of(const atemi_joint_drive *drive);

/// Tells a coordinated joint what follows from its control: `elastic`, `loop_inertia`,
/// `own_damping`.
/// @param joint_friction whether the model's own damping acts on the joint
ATEMI_API void atemi_coordinated_joint_fit(const atemi_model *model, int i,
                                           const atemi_joint_control_options *control,
                                           bool joint_friction, atemi_coordinated_joint *joint);

/// How stable a joint is with what its dynamics give it, everywhere in its workspace.
typedef struct atemi_joint_stability {
    double inertia_min, inertia_max; ///< kg m^2 of links, all other joints still
    double natural_frequency;        ///< rad/s: as wanted, or lower where that would not be stable
    atemi_joint_margin margin;       ///< the least with it
    bool               is_good;      ///< stable, with 30 degrees and a factor of 2 at least
} atemi_joint_stability;

/// Checks every joint over a range of postures: neutral, and 31 at random within the joints'
/// limits, the same for every call. Stiffness and damping are those of [R2] eq. 1-3 for the
/// effective inertia there; the link that the joint feels is that, half of it and twice of it.
/// Where the least margins are below 30 degrees or a factor of 2, the natural frequency is lowered
/// by fifths until they are not; at most to a thirtieth. It does not see joints that shake each
/// other. Allocates for its own duration.
/// @param controls  [joints]
/// @param joints    [joints] fitted to their controls
/// @param stability [joints] result
/// @return ATEMI_ERROR_MEMORY
ATEMI_API atemi_status atemi_joint_stability_find(const atemi_model *model, int base_link,
                                                  const atemi_joint_control_options *controls,
                                                  const atemi_coordinated_joint     *joints,
                                                  atemi_joint_stability             *stability,
                                                  atemi_error                       *error);

/// The impedance that a joint gets for an effective inertia of its link.
ATEMI_API atemi_impedance atemi_coordinated_joint_impedance(const atemi_coordinated_joint *joint,
                                                            double                         inertia);

// ---- Plug-ins -------------------------------------------------------------------------------

/// Makes the trajectories of joints in place of trapezoids ([R2] III-A). All joints of a command
/// get the longest of their durations. What it yields is checked: a joint that would go faster
/// than 1.25 of its bound, or to what is no number, stops softly, and its goal ends as a fault.
/// Stops, retreats and nodes keep their trapezoids. It is called in a step: no allocation, no lock,
/// no I/O.
typedef struct atemi_trajectory_generator {
    void *context; ///< of the functions
    /// The least duration of a task, s. Accelerations of its ends count if the generator says so.
    double (*duration)(void *context, const atemi_trapezoid_task *task);
    /// The state at a time between 0 and the duration that was chosen.
    atemi_axis_state (*at)(void *context, const atemi_trapezoid_task *task, double duration,
                           double time);
} atemi_trajectory_generator;

/// Quintic polynomials: they begin and end with the accelerations that are commanded, and keep the
/// bounds of velocity and acceleration to 0.5 %, wherever any duration does.
ATEMI_API atemi_trajectory_generator atemi_quintic_generator(void);

/// A joint that does not follow: its error asks for more than its torque limit.
typedef struct atemi_deviation {
    int    joint;
    int    goal;         ///< that its motion belongs to; 0 for none
    double time;         ///< s since creation
    double error;        ///< rad, commanded less actual position
    double torque;       ///< N m of the spring, as measured
    double torque_limit; ///< N m of the feedback
} atemi_deviation;

/// What is done about it.
typedef enum atemi_deviation_response {
    /// As usual: the goal ends as obstructed, its joints stop softly, and the joint goes to where
    /// it
    /// is, so that its force fades.
    ATEMI_DEVIATION_RETREAT,
    ATEMI_DEVIATION_STOP,  ///< the same, but the joint goes on pressing with its torque limit
    ATEMI_DEVIATION_GO_ON, ///< nothing: the motion goes on, within the torque limit
} atemi_deviation_response;

/// Asked once a step for every joint that does not follow, in place of the usual response. It is
/// called in a step: no allocation, no lock, no I/O, no commands.
typedef struct atemi_deviation_hook {
    void *context;
    atemi_deviation_response (*respond)(void *context, const atemi_deviation *deviation);
} atemi_deviation_hook;

// ---- Standing -------------------------------------------------------------------------------

/// A contact that only pushes, with friction: a foot that stands on the floor, a hand that leans on
/// a rail or a wall. The robot is commanded to keep it where it is.
typedef struct atemi_standing_contact {
    int             link;
    atemi_transform frame;          ///< in the link's frame; z along the normal, towards the robot
    double          size_x, size_y; ///< m, side lengths; one 0 for a line, both 0 for a point
    double          friction;
} atemi_standing_contact;

/// On link 0, a point, friction 0.6.
ATEMI_API atemi_standing_contact atemi_standing_contact_default(void);

/// How well a robot stands.
typedef struct atemi_standing_report {
    /// What the contacts cannot give of the wrench that the commanded motion takes, as a fraction
    /// of the weight, of moments as a fraction of weight times height. 0 for a robot that is safe
    double missing;
    double capture; ///< the same to come to rest from it: the weight at the capture point
    double drift;  ///< of the capture point by what was missing lately, as a fraction of its height
    double effort; ///< largest fraction of an effort limit that it takes
    int    joint;  ///< whose
} atemi_standing_report;

/// How all joints are coordinated; fixed while it runs.
typedef struct atemi_coordination_options {
    double                         period; ///< of a step, s; 0.02
    const atemi_coordinated_joint *joints; ///< [joints] copied; NULL for the defaults
    int                            base_link;
    atemi_transform                base_pose;
    int                            max_nodes;       ///< of one command; 4
    int                            max_breadcrumbs; ///< waiting; 256
    int                            max_holds; ///< links that bear the robot besides the base; 4

    /// [contact_count] copied; NULL for a robot that does not stand. Then the links that are
    /// measured as held, and the contacts, bear the robot, and the base only if it is one of them
    const atemi_standing_contact *contacts;
    int                           contact_count;
    /// Fraction of a sole's side that the pressure of a robot that comes to rest keeps from each
    /// edge: a motion that would bring it nearer ends; 0.1
    double contact_margin;

    // How much a blended quantity changes in a step.
    double stiffness_step; ///< N m/rad; 200
    double damping_step;   ///< N m s/rad; 20
    double torque_step;    ///< of torque limits, N m; 2
    double gravity_step;   ///< of gravity scales; 0.02
    double base_step;      ///< of the fraction of a new base, or of a link newly held; 0.02

    double deviation_scale;    ///< position error x stiffness x this <= torque limit; 1
    double position_tolerance; ///< of critical axes, m; 1e-3
    double rotation_tolerance; ///< of critical axes, rad; 1e-3
    double patience;           ///< s with bad measurements; 0.1
    double command_timeout;    ///< s without any command in motion; infinite
    double energy_limit;       ///< J that the feedback may give away; 20
    double energy_leak;        ///< W of it that does not count; 5

    atemi_trajectory_generator generator; ///< NULL functions for trapezoids
    atemi_deviation_hook       deviation; ///< NULL function for a retreat

    atemi_goal_record *goals; ///< [goal_capacity] the caller's, as long as the coordination lives
    int                goal_capacity; ///< 0 for no log
} atemi_coordination_options;

/// The values said above, the root as base where it is at the origin.
ATEMI_API atemi_coordination_options atemi_coordination_options_default(void);

typedef struct atemi_coordination atemi_coordination;

/// Creates the coordination of a robot whose joints have one coordinate each and whose base is
/// floating or fixed. It starts with its first step: limp, and holding the posture that is measured
/// then.
/// @param options NULL for the defaults
/// @return ATEMI_ERROR_INPUT where a figure or a joint cannot be; ATEMI_ERROR_MEMORY
ATEMI_API atemi_status atemi_coordination_create(const atemi_model                *model,
                                                 const atemi_coordination_options *options,
                                                 atemi_coordination              **coordination,
                                                 atemi_error                      *error);

/// Releases the coordination. NULL is fine.
ATEMI_API void atemi_coordination_destroy(atemi_coordination *coordination);

/// The number of joints, and the joint of a name, or ATEMI_NONE.
ATEMI_API int atemi_coordination_joint_count(const atemi_coordination *coordination);
ATEMI_API int atemi_coordination_find_joint(const atemi_coordination *coordination,
                                            const char               *name);

// ---- A step ---------------------------------------------------------------------------------

/// What is sensed, of every joint.
typedef struct atemi_coordination_measurement {
    const double *positions;  ///< [joints] rad or m
    const double *velocities; ///< [joints]
    const double *torques;    ///< [joints] of the springs, N m; NULL where they are not measured
    const bool   *stopped;    ///< [joints] stopped safely by its own control; NULL for none
    /// [links] held by the world, with or without the base: they bear the robot as well, so that no
    /// joint comes nearer to its effort limit than it must; NULL for the base alone
    const bool *held;
} atemi_coordination_measurement;

/// One step.
/// @param commands [joints] result. Limp until the first measurement of all joints came
ATEMI_API void atemi_coordination_step(atemi_coordination                   *coordination,
                                       const atemi_coordination_measurement *measurement,
                                       atemi_joint_command                  *commands);

/// Faults: bits of a set.
typedef enum atemi_coordination_fault {
    ATEMI_COORDINATION_MEASUREMENT = 1 << 0,   ///< no number
    ATEMI_COORDINATION_BLIND = 1 << 1,         ///< the same for longer than `patience`
    ATEMI_COORDINATION_OBSTRUCTED = 1 << 2,    ///< a joint does not follow
    ATEMI_COORDINATION_OUT_OF_REACH = 1 << 3,  ///< of a node
    ATEMI_COORDINATION_STARVED = 1 << 4,       ///< breadcrumbs ran out in motion
    ATEMI_COORDINATION_SILENT = 1 << 5,        ///< nobody commands
    ATEMI_COORDINATION_SLOWED = 1 << 6,        ///< by the joints' bounds of velocity
    ATEMI_COORDINATION_NO_CONTACT = 1 << 7,    ///< where a force is wanted
    ATEMI_COORDINATION_DIVERGING = 1 << 8,     ///< feedback gives energy away; until resumed
    ATEMI_COORDINATION_JOINT_STOPPED = 1 << 9, ///< a joint stopped safely
    ATEMI_COORDINATION_UNBALANCED = 1 << 10,   ///< no contacts give what standing takes
    ATEMI_COORDINATION_OVERLOADED = 1 << 11,   ///< nor do the joints, within their efforts
} atemi_coordination_fault;

/// One fault in words, e.g. "out of reach".
ATEMI_API const char *atemi_coordination_fault_text(atemi_coordination_fault fault);

/// How things stand after a step.
typedef struct atemi_coordination_report {
    double               time;          ///< s since creation
    unsigned             faults;        ///< of the last step, bits of atemi_coordination_fault
    bool                 moving;        ///< a command is under way
    int                  base_link;     ///< the one that is fixed to the world
    double               base_fraction; ///< 1 once the robot is held by it alone
    double               energy;        ///< that the feedback gave away, J
    atemi_posture_report posture;       ///< of the last inverse kinematics
} atemi_coordination_report;

/// How the last step went.
ATEMI_API atemi_coordination_report
atemi_coordination_report_get(const atemi_coordination *coordination);

/// How the last step stands, and the wrench that a contact bears in it as commanded, along the axes
/// of its frame; zeros for a robot that does not stand.
ATEMI_API atemi_standing_report atemi_coordination_standing(const atemi_coordination *coordination);
ATEMI_API atemi_force atemi_coordination_contact_wrench(const atemi_coordination *coordination,
                                                        int                       contact);

/// The commanded posture [q_count], with the base of the model where the base frame puts it.
ATEMI_API const double *atemi_coordination_posture(const atemi_coordination *coordination);

/// The goals since creation; the newest `goal_capacity` of them can be found.
ATEMI_API const atemi_goal_log *atemi_coordination_goals(const atemi_coordination *coordination);

// ---- Motions --------------------------------------------------------------------------------

/// Where a joint shall go.
typedef struct atemi_joint_target {
    int    joint;
    double position;     ///< rad or m
    double velocity;     ///< with which it arrives; if nothing else follows it stops then
    double acceleration; ///< likewise; trapezoids leave it out
} atemi_joint_target;

/// Moves joints so that all of them arrive together, from what is commanded now, in `duration` or
/// as soon after as their bounds allow. Other joints go on with what they do.
/// @param count 0: all joints stop, as by atemi_coordination_stop()
ATEMI_API atemi_status atemi_coordination_move_joints(atemi_coordination       *coordination,
                                                      atemi_command_source      source,
                                                      const atemi_joint_target *targets, int count,
                                                      double duration, atemi_error *error);

/// Where a node, a frame on a link, shall go.
typedef struct atemi_node_target {
    int             link;
    atemi_transform frame;  ///< in the link's frame
    atemi_transform target; ///< in the world
    atemi_priority
        priority[6]; ///< of x, y, z, and of rotations about them, along the target's axes

    // Hybrid control: along these axes of the target the robot presses instead of going.
    unsigned    force_axes; ///< bits as of atemi/inverse_kinematics.h
    atemi_force force;      ///< of the robot onto what it touches, target's axes, N and N m
} atemi_node_target;

/// The frame of link 0, to the world's origin, all axes critical, no force.
ATEMI_API atemi_node_target atemi_node_target_default(void);

/// How nodes go.
typedef struct atemi_node_motion {
    double        duration;             ///< s; 0 for as soon as possible
    double        velocity;             ///< m/s; 0.2
    double        acceleration;         ///< m/s^2; 0.4
    double        angular_velocity;     ///< rad/s; 0.5
    double        angular_acceleration; ///< rad/s^2; 1
    const bool   *joints;               ///< [joints] that may be used; NULL for all
    const double *posture;      ///< [joints] that is approached as far as nodes leave it; or NULL
    double        posture_rate; ///< 1/s; 0.5
    double        force_rate;   ///< m/s of a force axis for each N that is missing; 1e-4
    double        moment_rate;  ///< rad/s for each N m that is missing; 1e-3
    double        force_speed;  ///< m/s or rad/s at most of a force axis; 0.05
    double        force_travel; ///< m or rad at most of a force axis; 0.1
} atemi_node_motion;

/// The values said above.
ATEMI_API atemi_node_motion atemi_node_motion_default(void);

/// Moves nodes along straight lines, rotating evenly, so that all arrive together. Joints that are
/// moving otherwise are stopped first; nodes that are under way go over smoothly into the new path.
/// With force axes the motion lasts until something else is commanded.
/// @param motion NULL for the defaults
ATEMI_API atemi_status atemi_coordination_move_nodes(atemi_coordination      *coordination,
                                                     atemi_command_source     source,
                                                     const atemi_node_target *targets, int count,
                                                     const atemi_node_motion *motion,
                                                     atemi_error             *error);

/// What a node that is being moved presses with, along its target's axes, as the torques say.
ATEMI_API atemi_force atemi_coordination_node_force(const atemi_coordination *coordination,
                                                    int                       node);

/// Lets joints follow breadcrumbs, one a step, past the trajectory generation. More of the same
/// joints may be added before the last is taken.
/// @param joints    [joint_count]
/// @param positions [count x joint_count]
ATEMI_API atemi_status atemi_coordination_follow(atemi_coordination  *coordination,
                                                 atemi_command_source source, const int *joints,
                                                 int joint_count, const double *positions,
                                                 int count, atemi_error *error);

/// Stops all joints softly. Anyone may.
ATEMI_API void atemi_coordination_stop(atemi_coordination *coordination);

/// Says that whoever commands is still there.
ATEMI_API void atemi_coordination_heartbeat(atemi_coordination *coordination);

/// Ends what a diverging interaction did: the joints get their stiffness back, step by step.
ATEMI_API void atemi_coordination_resume(atemi_coordination *coordination);

// ---- Dynamics -------------------------------------------------------------------------------

/// Sets how a joint, or ATEMI_ALL_JOINTS, shall swing.
ATEMI_API atemi_status atemi_coordination_set_dynamics(atemi_coordination  *coordination,
                                                       atemi_command_source source, int joint,
                                                       atemi_desired_dynamics dynamics,
                                                       atemi_error           *error);

/// Sets the integral of a joint, or ATEMI_ALL_JOINTS, per stiffness, 1/s; 0 turns it off.
ATEMI_API atemi_status atemi_coordination_set_integral(atemi_coordination  *coordination,
                                                       atemi_command_source source, int joint,
                                                       double rate, atemi_error *error);

/// Sets the limit of a joint's feedback torque, or of ATEMI_ALL_JOINTS. User and supervisor have
/// one each, whatever the mode, and the lower counts.
ATEMI_API atemi_status atemi_coordination_set_torque_limit(atemi_coordination  *coordination,
                                                           atemi_command_source source, int joint,
                                                           double limit, atemi_error *error);

/// Sets the scale of a joint's gravity torque, or of ATEMI_ALL_JOINTS: 1 on Earth, 0 in orbit.
ATEMI_API atemi_status atemi_coordination_set_gravity(atemi_coordination  *coordination,
                                                      atemi_command_source source, int joint,
                                                      double scale, atemi_error *error);

/// Switches the base: the link is fixed to the world from now on. Torques go over from those of the
/// old base to those of the new one by `base_step`; in between, both bear the robot. Nodes under
/// way are stopped.
/// @param pose of the link in the world; NULL for where it is commanded to be
/// @return ATEMI_ERROR_INPUT while a switch is going on as well
ATEMI_API atemi_status atemi_coordination_set_base(atemi_coordination  *coordination,
                                                   atemi_command_source source, int link,
                                                   const atemi_transform *pose, atemi_error *error);

/// Who may command.
typedef enum atemi_command_mode {
    ATEMI_MODE_SHARED,     ///< both; but the supervisor no motion while one of the user's goes on
    ATEMI_MODE_USER,       ///< the user alone
    ATEMI_MODE_SUPERVISOR, ///< both, but motions by the supervisor alone
} atemi_command_mode;

/// Sets who may command: the mode arbiter. Stops and lower torque limits are everyone's always.
ATEMI_API void atemi_coordination_set_mode(atemi_coordination *coordination,
                                           atemi_command_mode  mode);

ATEMI_END
