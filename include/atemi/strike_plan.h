// SPDX-License-Identifier: Apache-2.0

/// @file
/// Layer plan. The strike planner of [STRIKE]: the hardest blow that the robot can deliver without
/// falling, and the motion to it and from it.
///
/// Decided are the posture and the joint velocities at the moment of first touch. The first foot
/// stands on the floor at the world's origin; where it is as seen from the base, where the other
/// feet stand, and the chosen joints give the posture, legs by inverse kinematics. The hand's
/// speed, three of the momenta and the velocity of the centre of mass give the joint velocities
/// ([STRIKE] eq. 5-12). Two hands that strike together have the same speed and are equally far
/// along the direction. The blow is estimated exactly (atemi/blow.h); before it all goals rise from
/// rest and after it they fall to rest along cubic polynomials, from which the ZMP of both phases
/// follows without inverse dynamics
/// ([STRIKE] eq. 1).
///
///     maximize  peak_weight peak force + impulse_weight impulse
///     such that  every constraint is within its bounds                        ([STRIKE] eq. 14)
///
/// by sequential quadratic programming from several starts, the same every time: local optima are
/// many, and which of them a start leads to is chance.

#pragma once

#include "atemi/blow.h"
#include "atemi/support.h"

ATEMI_BEGIN

/// Tasks with more feet or variables are refused; the scenario refuses more starts.
enum {
    ATEMI_STRIKE_MAX_FEET = 4,
    ATEMI_STRIKE_MAX_VARIABLES = 100,
    ATEMI_STRIKE_MAX_STARTS = 10000,
    ATEMI_STRIKE_MAX_CASES = 24,
    ATEMI_STRIKE_MAX_PAIRS = 24,
    ATEMI_STRIKE_NAME = 160, ///< of a variable or a constraint
};

/// A number to be decided: where the search starts and within which bounds, which may be infinite.
/// It stays at `start` where both are equal.
typedef struct atemi_strike_range {
    double start, lower, upper;
} atemi_strike_range;

/// How far things are off what is given. Of a case, with signs; of a doubt, the most to either
/// side.
typedef struct atemi_strike_deviation {
    double mass;     ///< of the target, heavier, fraction of it
    double friction; ///< of the floor, and of a target that is held, more, fraction of it
    double distance; ///< of the target along the direction, farther, m
    double timing;   ///< of first touch, later in the motion than the distance has it, s
    double gains;    ///< stiffness and damping of the servos, higher, fraction of them
} atemi_strike_deviation;

/// Where a hand hits.
typedef struct atemi_strike_hit {
    double place[3];     ///< in the world, m
    double tolerance[3]; ///< to both sides, m; infinite if it may be anywhere
} atemi_strike_hit;

/// What is to be planned. The arrays remain the caller's.
typedef struct atemi_strike_task {
    const atemi_model   *model;
    const double        *q;    ///< [q_count] the joints that are not decided
    const int           *feet; ///< [foot_count] sites that stand on the floor
    int                  foot_count;
    atemi_striking_point point; ///< of one hand or two, and the direction of the blow
    /// In the frames of the hands' links: where they strike; unit length.
    atemi_vec3 axes[ATEMI_STRIKE_MAX_HANDS];

    // ---- What is decided
    atemi_strike_range foot_position[3]; ///< of the first foot in the base's frame, m
    atemi_strike_range foot_rotation[3]; ///< its Euler angles about x, y, z: R = Rz Ry Rx, rad
    atemi_strike_range stance[ATEMI_STRIKE_MAX_FEET - 1][2]; ///< other feet beside it: x, y, m
    const int         *joints;                               ///< [joint_count]
    const atemi_strike_range *joint_ranges;                  ///< [joint_count] rad or m
    int                       joint_count;
    atemi_strike_range        speed;                ///< of the hand along the direction, m/s
    atemi_strike_range        lift;                 ///< momentum P_z, N s
    atemi_strike_range        roll, pitch;          ///< angular momenta L_x, L_y, N m s
    atemi_strike_range        com_x, com_y;         ///< velocity of the centre of mass, m/s
    atemi_strike_range        hand_rise, hand_fall; ///< times of the hand's speed, s
    atemi_strike_range        body_rise, body_fall; ///< times of all other goals, s

    // ---- What is hit, and by what
    atemi_blow_servo   servo;
    atemi_blow_surface surface;
    atemi_blow_target  target;
    double             peak_weight;    ///< of the objective, 1/N
    double             impulse_weight; ///< 1/(N s)

    // ---- Part 1: the hands
    atemi_strike_hit hits[ATEMI_STRIKE_MAX_HANDS];
    double           lead;       ///< of one of two hands along the direction, at most, m
    double           aim;        ///< least cosine between an axis and the direction
    double           side_speed; ///< across the direction, each axis, m/s
    /// About each axis, rad/s; infinite: a hand rotates as it likes, which an arm of few joints
    /// needs.
    double angular_speed;

    // ---- Part 2: the feet
    double foot_error; ///< of a foot that cannot be reached, m and rad

    // ---- Parts 3 and 4: balance
    double impact_margin; ///< of the ZMP during the blow, m
    double motion_margin; ///< before and after it, m

    // ---- Part 5: the joints
    double joint_margin; ///< to the limits of joints that are not decided: the legs, rad
    double leg_speed;    ///< fraction of the legs' speed limits that is used
    double other_speed;  ///< the same of all other joints; infinite for no limit
    double free_speed;   ///< the speed limit of joints that have none, rad/s or m/s; infinite: none

    // ---- Part 6: friction with the floor
    double momentum_side; ///< largest |P_x|, |P_y|, N s
    double spin;          ///< largest |L_z|, N m s

    // ---- Beyond the paper
    /// Before and after the blow all joints are this far within their limits, rad or m, and their
    /// speeds are bounded as at first touch; minus infinity disables it.
    double travel_margin;
    /// Fraction of the joints' effort limits that is used before and after the blow, with what
    /// their friction takes; infinite for no limit. Less than 1 leaves a margin for what lies
    /// between the instants that are looked at.
    double effort_fraction;
    /// Of the floor: no foot slips, or tips over an edge of its own, before and after the blow;
    /// infinite for no limit.
    double travel_friction;
    /// Of the floor: no foot slips or tips over an edge of its own while the blow lasts; infinite
    /// disables it.
    double friction;
    double edge_margin; ///< of the pressure under each foot then, to its edge, m
    /// Fraction of both frictions that the plan leaves unused, for what lies between the instants
    /// that are looked at.
    double reserve;
    /// The target is a cube of this width, m, at least 0.2 m wider than two hands are apart; 0 for
    /// one that nothing can touch but the hands.
    double target_width;
    /// Least distance of all limbs to it, m; of those that strike until they touch. The links of
    /// the hands are left out: they go straight at it. Minus infinity for no limit.
    double clearance;
    /// Least distance of two links of the robot before and after the blow, m; minus infinity for no
    /// limit. See atemi_strike_overlaps_find() for what a link is there. Which pairs matter is
    /// found while planning.
    double self_clearance;
    int    pairs[ATEMI_STRIKE_MAX_PAIRS][2]; ///< links, in order, that count from the beginning
    int    pair_count;
    /// The blow keeps balance and soles within their bounds even if things are off by so much.
    /// Which cases of that matter is found while planning; all frictions of the floor are the least
    /// ones.
    atemi_strike_deviation doubt;
    atemi_strike_deviation cases[ATEMI_STRIKE_MAX_CASES]; ///< cases that count from the beginning
    int                    case_count;
} atemi_strike_task;

/// The margins of [STRIKE] Table IV, its interpolation times, its target and contact; no feet, no
/// joints, no ranges: those are the robot's.
ATEMI_API atemi_strike_task atemi_strike_task_default(void);

/// The width of the target where hands that strike are `span` apart, m.
ATEMI_API double atemi_strike_target_width(const atemi_strike_task *task, double span);

/// The parts of a strike in time.
typedef enum atemi_strike_phase {
    ATEMI_PHASE_BEFORE,
    ATEMI_PHASE_BLOW,
    ATEMI_PHASE_AFTER,
    ATEMI_PHASE_COUNT
} atemi_strike_phase;

/// What a constraint limits. In brackets, which of its indices have a meaning.
typedef enum atemi_strike_constraint_kind {
    // At first touch
    ATEMI_CONSTRAIN_HAND_PLACE,       ///< in the world [hand, axis]
    ATEMI_CONSTRAIN_HAND_AIM,         ///< cosine between its axis and the direction [hand]
    ATEMI_CONSTRAIN_HAND_SIDE_SPEED,  ///< across the direction [hand, axis]
    ATEMI_CONSTRAIN_HAND_ROTATION,    ///< angular velocity [hand, axis]
    ATEMI_CONSTRAIN_HAND_LEAD,        ///< of the second hand before the first [hand]
    ATEMI_CONSTRAIN_FOOT_PLACE,       ///< distance to where it should stand [foot]
    ATEMI_CONSTRAIN_FOOT_ORIENTATION, ///< the same of its rotation [foot]
    ATEMI_CONSTRAIN_FOOT_SPEED,       ///< [foot]
    ATEMI_CONSTRAIN_JOINT_POSITION,   ///< of the legs [joint]
    ATEMI_CONSTRAIN_JOINT_SPEED,      ///< [joint]
    ATEMI_CONSTRAIN_MOMENTUM,         ///< of the robot [axis]
    ATEMI_CONSTRAIN_ANGULAR_MOMENTUM, ///< about the world's origin [axis]
    // Of the whole motion
    ATEMI_CONSTRAIN_DURATION,        ///< time of the body less that of the hand [phase]
    ATEMI_CONSTRAIN_MOTION_ZMP,      ///< margin to the support polygon's edge [phase, sample]
    ATEMI_CONSTRAIN_MOTION_MARGIN,   ///< of a joint to its limits [joint, phase, with_hand]
    ATEMI_CONSTRAIN_MOTION_SPEED,    ///< of a joint [joint, phase, with_hand]
    ATEMI_CONSTRAIN_MOTION_EFFORT,   ///< fraction of a joint's effort limit [joint, phase, sample]
    ATEMI_CONSTRAIN_MOTION_FRICTION, ///< margin before a foot slips [foot, phase, sample]
    ATEMI_CONSTRAIN_MOTION_EDGE,     ///< margin before it tips [foot, phase, sample]
    ATEMI_CONSTRAIN_CLEARANCE,       ///< distance of a link to the target [link, phase]
    ATEMI_CONSTRAIN_SELF,            ///< distance of two links [link, other, phase]
    // Of the blow, and of each one that is in doubt
    ATEMI_CONSTRAIN_BLOW_ZMP,      ///< [sample]
    ATEMI_CONSTRAIN_BLOW_FRICTION, ///< [foot, sample]
    ATEMI_CONSTRAIN_BLOW_EDGE,     ///< [foot, sample]
} atemi_strike_constraint_kind;

/// A constraint at the plan's posture and joint velocities.
typedef struct atemi_strike_constraint {
    atemi_strike_constraint_kind kind;
    int                          index; ///< hand or foot of the task, joint or link of the model
    int                          axis;  ///< 0, 1, 2 for x, y, z
    int                          other; ///< link
    atemi_strike_phase           phase;
    bool                         with_hand;           ///< while the hand moves, not the body alone
    int                          sample, last_sample; ///< which instant of those from 0 to the last
    double                       time;                ///< of a sample of the blow, s
    atemi_strike_deviation       deviation;           ///< of a blow in doubt
    const char                  *unit;                ///< NULL for a ratio
    double value, lower, upper; ///< a value that meets its bounds within the tolerance is within
    double multiplier; ///< what the objective gains for one unit more of margin; 0 where it is free
    bool   active;
} atemi_strike_constraint;

/// What a variable decides. In brackets, which of its indices have a meaning.
typedef enum atemi_strike_variable_kind {
    ATEMI_DECIDE_FOOT_POSITION, ///< first foot in the base's frame, others beside it [foot, axis]
    ATEMI_DECIDE_FOOT_ROTATION, ///< Euler angle of the first foot [axis]
    ATEMI_DECIDE_JOINT,         ///< [joint]
    ATEMI_DECIDE_HAND_SPEED,
    ATEMI_DECIDE_MOMENTUM,         ///< [axis]
    ATEMI_DECIDE_ANGULAR_MOMENTUM, ///< [axis]
    ATEMI_DECIDE_CENTER_OF_MASS,   ///< its velocity [axis]
    ATEMI_DECIDE_HAND_RISE,
    ATEMI_DECIDE_HAND_FALL,
    ATEMI_DECIDE_BODY_RISE,
    ATEMI_DECIDE_BODY_FALL,
} atemi_strike_variable_kind;

/// A decision variable of the plan.
typedef struct atemi_strike_variable {
    atemi_strike_variable_kind kind;
    int                        index; ///< foot of the task, joint of the model
    int                        axis;  ///< 0, 1, 2 for x, y, z
    const char                *unit;
    atemi_strike_range         range;
    double                     value;
    double                     multiplier; ///< as of a constraint: of the bound that it is at
} atemi_strike_variable;

/// A constraint, or the range of a variable, that cannot be met together with the others of a
/// conflict, where violations are least in sum.
typedef struct atemi_strike_conflict {
    bool   is_variable;
    int    index; ///< of the plan's variables, or of its constraints
    double value, bound;
    bool   is_upper;  ///< bound
    double violation; ///< in its unit; 0 where only others are violated
    double weight; ///< violation, scaled; otherwise how much the sum of those gains by its margin
} atemi_strike_conflict;

/// Names for people, such as "ZMP in the blow at 12 ms" and "right_elbow".
/// @param task the one that was planned
ATEMI_API void atemi_strike_constraint_text(const atemi_strike_task       *task,
                                            const atemi_strike_constraint *constraint,
                                            char                           text[ATEMI_STRIKE_NAME]);
ATEMI_API void atemi_strike_variable_text(const atemi_strike_task     *task,
                                          const atemi_strike_variable *variable,
                                          char                         text[ATEMI_STRIKE_NAME]);

/// What took how long, s: all threads together, but for the total.
typedef struct atemi_strike_times {
    double posture, velocities, motion, blow, zmp, solver, total;
} atemi_strike_times;

/// A plan: where the robot is at first touch, and how fast.
typedef struct atemi_strike_plan atemi_strike_plan;

/// How a strike is searched for.
typedef struct atemi_strike_options {
    const double *start;      ///< [variable count] in place of the task's own start, or NULL
    int           starts;     ///< the task's own, then others spread over the ranges; 5
    int           patience;   ///< random hops from the best in a row that find nothing better; 20
    unsigned      seed;       ///< of the other starts and of the hops; 1
    int           searches;   ///< at most, from starts and hops; 0: any number
    int           iterations; ///< at most, of the search from one start; 200
    double        tolerance;  ///< of constraints, relative to their scale; 1e-6
    /// Called with how far it is: searches done (0 to 1), the best objective so far, the largest
    /// violation there. Returns false to stop, with what there is.
    bool (*progress)(void *context, double done, double objective, double violation);
    void *context;
    /// Where to put, before each call of `progress`, the constraint that the best so far violates
    /// most (without its value), or NULL if it meets all; NULL if nobody asks. Valid during the
    /// call.
    const atemi_strike_constraint **worst;
    double (*clock)(void); ///< s since some instant, for several threads; NULL: no times
    int threads;   ///< that search at the same time, at most; 0: the processors. Any yield the same
    double budget; ///< s of the clock, after which the search ends with what there is; inf
} atemi_strike_options;

/// 5 starts, a patience of 20 hops, seed 1, any number of searches, 200 iterations, 1e-6.
ATEMI_API atemi_strike_options atemi_strike_options_default(void);

/// Plans a strike.
/// @param options NULL for the defaults
/// @param plan    result, to be destroyed, whether feasible or not
/// @return ATEMI_ERROR_INPUT for a task that makes no sense, the message says why; no feasible plan
///         is no error
ATEMI_API atemi_status atemi_strike_plan_make(const atemi_strike_task    *task,
                                              const atemi_strike_options *options,
                                              atemi_strike_plan **plan, atemi_error *error);
ATEMI_API void         atemi_strike_plan_destroy(atemi_strike_plan *plan);

/// Evaluates a task at given values of its variables, without searching.
/// @param x [variable count] in the order of the task's ranges that are not fixed
ATEMI_API atemi_status atemi_strike_plan_evaluate(const atemi_strike_task *task, const double *x,
                                                  atemi_strike_plan **plan, atemi_error *error);

// ---- The plan

/// Whether all constraints are met, and by how much the worst is not, relative to its scale.
ATEMI_API bool atemi_strike_plan_feasible(const atemi_strike_plan *plan);

/// Whether limits hold the blow back so that it is a local optimum. Otherwise the search stalled:
/// harder blows are near.
ATEMI_API bool          atemi_strike_plan_optimal(const atemi_strike_plan *plan);
ATEMI_API double        atemi_strike_plan_violation(const atemi_strike_plan *plan); ///< scaled
ATEMI_API const double *atemi_strike_plan_q(const atemi_strike_plan *plan);         ///< [q_count]
ATEMI_API const double *atemi_strike_plan_v(const atemi_strike_plan *plan);         ///< [v_count]
ATEMI_API int           atemi_strike_plan_variable_count(const atemi_strike_plan *plan);
ATEMI_API int           atemi_strike_plan_constraint_count(const atemi_strike_plan *plan);
ATEMI_API const atemi_strike_variable   *atemi_strike_plan_variable(const atemi_strike_plan *plan,
                                                                    int                      index);
ATEMI_API const atemi_strike_constraint *atemi_strike_plan_constraint(const atemi_strike_plan *plan,
                                                                      int index);

/// Why there is no feasible plan: constraints that cannot be met together. First those that are not
/// met, then those in whose favour, the heaviest first; none where the plan is feasible, or the
/// search was stopped.
ATEMI_API int atemi_strike_plan_conflict_count(const atemi_strike_plan *plan);
ATEMI_API const atemi_strike_conflict *atemi_strike_plan_conflict(const atemi_strike_plan *plan,
                                                                  int                      index);

/// The name of what a conflict is about, and its unit (NULL for a ratio).
ATEMI_API void        atemi_strike_conflict_text(const atemi_strike_task     *task,
                                                 const atemi_strike_plan     *plan,
                                                 const atemi_strike_conflict *conflict,
                                                 char                         text[ATEMI_STRIKE_NAME]);
ATEMI_API const char *atemi_strike_conflict_unit(const atemi_strike_plan     *plan,
                                                 const atemi_strike_conflict *conflict);

/// The cases of the task's doubt that the plan was made for: those that were given, then those that
/// were found to be worst.
ATEMI_API int                           atemi_strike_plan_case_count(const atemi_strike_plan *plan);
ATEMI_API const atemi_strike_deviation *atemi_strike_plan_case(const atemi_strike_plan *plan,
                                                               int                      index);

/// The pairs of links that it was made for: those that were given, then those that were found to be
/// too near to each other.
ATEMI_API int        atemi_strike_plan_pair_count(const atemi_strike_plan *plan);
ATEMI_API const int *atemi_strike_plan_pair(const atemi_strike_plan *plan, int index); ///< [2]

/// The values of the variables, as atemi_strike_plan_evaluate() takes them.
ATEMI_API const double *atemi_strike_plan_values(const atemi_strike_plan *plan);

/// What the plan comes to.
typedef struct atemi_strike_figures {
    double objective;
    double speed, peak_force, impulse, contact_time; ///< of the blow
    double impact_margin, motion_margin;             ///< the least of the ZMP, m
    double momentum[3], angular[3], com[2];          ///< at first touch
    double hand_rise, hand_fall, body_rise, body_fall;
    int    searches, feasible_searches, evaluations, gradients;
    int    agreeing; ///< searches to the end that led to this objective, to 0.1 %
    /// What is left of the objective's gradient once all limits that hold it back are taken off, as
    /// a fraction of it: 0 at an optimum, 1 where nothing holds it back.
    double             optimality;
    bool               cut_off; ///< by `budget` or `searches`, before the search was over
    atemi_strike_times times;
} atemi_strike_figures;

/// Of the plan, and of the search for it.
ATEMI_API atemi_strike_figures atemi_strike_plan_figures(const atemi_strike_plan *plan);

// ---- Its motion, from rest to the first touch and on to rest

// The goals of the plan, the hand's speed, momenta and velocity of the centre of mass, rise from
// zero and fall to zero along cubic polynomials ([STRIKE] Fig. 3); the joint velocities that meet
// them are integrated back from the posture of first touch and on from it ([STRIKE] eq. 12). Joints
// at their limits stand still, and the feet are led back if they drift.

/// What a motion asks for, at its worst.
typedef enum atemi_strike_demand {
    ATEMI_DEMAND_POSITION, ///< margin of a joint to its limits, rad or m: at least 0
    ATEMI_DEMAND_SPEED,    ///< fraction of a joint's speed limit: at most 1
    ATEMI_DEMAND_EFFORT,   ///< fraction of a joint's effort limit, friction included: at most 1
    ATEMI_DEMAND_BALANCE, ///< distance of the ZMP to the edge of the support polygon, m: at least 0
    ATEMI_DEMAND_FRICTION, ///< friction that is left under a foot, N: at least 0
    ATEMI_DEMAND_TARGET,   ///< distance of a link to the target, m: at least 0
    ATEMI_DEMAND_COUNT
} atemi_strike_demand;

/// The worst instant of a demand.
typedef struct atemi_strike_peak {
    double value;
    double time;  ///< s
    int    index; ///< joint, foot of the task, or link; ATEMI_NONE where nothing is asked for
} atemi_strike_peak;

/// A motion on a grid of time; first touch is at 0.
typedef struct atemi_strike_motion {
    int               count; ///< of instants
    int               touch; ///< which of them is the first touch
    double            step;  ///< between them, s
    int               q_count, v_count;
    double           *q;   ///< [count x q_count]
    double           *v;   ///< [count x v_count]
    double           *a;   ///< [count x v_count]
    double           *tau; ///< [count x v_count] that it needs, without the blow, friction left out
    double            foot_drift; ///< largest distance of a foot from its place, m
    atemi_strike_peak peaks[ATEMI_DEMAND_COUNT];
    double            blow_time; ///< over which the plan looks at the blow, s
} atemi_strike_motion;

/// Computes the motion of a plan.
/// @param step   s, such as 1e-3
/// @param motion result, to be destroyed
ATEMI_API atemi_status atemi_strike_motion_make(atemi_strike_plan *plan, double step,
                                                atemi_strike_motion *motion, atemi_error *error);
ATEMI_API void         atemi_strike_motion_destroy(atemi_strike_motion *motion);

/// Whether a motion keeps a limit of the robot, of the floor or of the target at every instant,
/// also between those that the plan looks at. What the task does not limit is always kept, as are
/// positions of joints that are given beyond their limits.
ATEMI_API bool atemi_strike_motion_keeps(const atemi_strike_motion *motion,
                                         atemi_strike_demand        demand);

/// Whether it keeps all of them.
ATEMI_API bool atemi_strike_motion_feasible(const atemi_strike_motion *motion);

/// The time of an instant, s.
ATEMI_API double atemi_strike_motion_time(const atemi_strike_motion *motion, int index);

/// Configuration, velocities, accelerations and torques at any time; at rest before the first
/// instant and after the last one.
/// @param tau or NULL
ATEMI_API void atemi_strike_motion_at(const atemi_strike_motion *motion, const atemi_model *model,
                                      double time, double *q, double *v, double *a, double *tau);

ATEMI_END
