// SPDX-License-Identifier: Apache-2.0

/// @file
/// Layer simulate. The simulation of a robot with contacts, by one of two methods on one state. By
/// events: the robot moves smoothly while its contacts keep their modes, and changes them at events
/// that are located in time; exact, the reference. By steps: all contacts are decided together once
/// in every fixed step, by impulses [Moreau88]; fast, robust, of first order where contacts change.
///
/// Points of the robot may touch surfaces, of the world or of other links. The points of one link
/// that touch one surface make a patch; its closed points stick or slip together. While modes last,
/// accelerations and forces are exact (atemi/contact.h); when a mode ends, the step is cut at that
/// instant. Points on a soft surface have no modes but a force (atemi/surface.h).

#pragma once

#include "atemi/contact.h"
#include "atemi/support.h"
#include "atemi/surface.h"

ATEMI_BEGIN

/// A point of the robot that may touch a surface.
typedef struct atemi_simulation_point {
    int        link;
    int        surface; ///< index
    atemi_vec3 point;   ///< in the link's frame
    double     radius;  ///< of a ball about the point, which rolls; 0 for the point itself
    double     static_friction, kinetic_friction;
    double     restitution;
    /// The force of a soft surface, kept by the caller; NULL for a rigid surface. Static friction
    /// and restitution do not count there, and friction grows with the speed up to 1 cm/s: it
    /// creeps.
    const atemi_compliance *compliance;
    /// It is tied to its surface, which then pulls as well as pushes, as in [ENE]. Friction is that
    /// of the force's size.
    bool tied;
} atemi_simulation_point;

typedef enum atemi_event_kind {
    ATEMI_EVENT_TOUCHDOWN, ///< a point has reached its surface: a collision, unless it is soft
    ATEMI_EVENT_LIFT_OFF,  ///< a point has left its surface
    ATEMI_EVENT_SLIP,      ///< a patch has begun to slip
    ATEMI_EVENT_STICK,     ///< a patch has stopped slipping
    ATEMI_EVENT_REST,      ///< a point would bounce on for ever, ever lower: it is held instead
    ATEMI_EVENT_JAM,  ///< no sliding motion agrees with friction (Painleve): an impulse stops it
    ATEMI_EVENT_STOP, ///< a joint has reached its stop: a collision
    ATEMI_EVENT_JOINT_STICK, ///< a joint's dry friction holds it; by the method of events
    ATEMI_EVENT_JOINT_SLIP,  ///< it does not any more; likewise
} atemi_event_kind;

/// "touchdown", "lift-off", "slip", "stick", "rest", "jam", "stop", "joint stick", "joint slip".
ATEMI_API const char *atemi_event_kind_text(atemi_event_kind kind);

/// A place where a shape touches another one, or a surface; by steps, or nearly does. All is of the
/// state reached by events, and of the middle of the last step by steps; the force is the average
/// over it.
typedef struct atemi_touch_report {
    int                first;   ///< shape
    int                second;  ///< shape, or ATEMI_NONE
    int                surface; ///< or ATEMI_NONE
    atemi_contact_mode mode;
    double             gap;
    atemi_vec3         position, normal; ///< world axes, towards the first shape
    atemi_vec3         force;            ///< on the first shape
} atemi_touch_report;

/// Something that happened at an instant.
typedef struct atemi_event {
    atemi_event_kind kind;
    double           time;
    int              point; ///< that it happened to, or the first of its patch; or ATEMI_NONE
    int              joint; ///< stop, joint stick, joint slip: which
    /// The pair of shapes that it happened to, one of its places, until the hook returns; otherwise
    /// NULL. Then `impulse` is that on the first shape: by steps of all its places, by events of
    /// this one.
    const atemi_touch_report *touch;
    double                    speed;   ///< touchdown, stop: of approach, m/s or rad/s
    atemi_vec3                impulse; ///< touchdown: on the robot, world axes, N s
    /// Touchdown on a rigid surface: the impulses of the collision on all points [point_count],
    /// those that were in touch before included, until the hook returns; otherwise NULL.
    const atemi_vec3 *impulses;
    double energy; ///< that this collision took, J; points that touch at once collide together
    double stop_impulse; ///< stop: on the joint, N m s or N s
} atemi_event;

/// What a simulation asks its user for. Each may be NULL: no torque, no force, no interest.
typedef struct atemi_simulation_hooks {
    /// The joint torques `tau` [v_count], zero beforehand. By the method of steps it is asked for
    /// the middle of each step. A function of its arguments: it is asked several times a step, and
    /// again where a step is cut. It may change between two runs: what it says when a run begins
    /// holds from then on.
    void (*torque)(void *context, double time, const double *q, const double *v, double *tau);
    /// Adds how much each torque falls with its own velocity [v_count], N m s/rad or N s/m: the
    /// damping of servos, so that steps are short enough for it. The method of steps takes it
    /// implicitly.
    void (*damping)(void *context, double *damping);
    /// Adds how much each torque falls with its own coordinate [v_count], N m/rad or N/m: the
    /// stiffness of servos. Only the method of steps asks for it, and takes it implicitly: then no
    /// servo is too stiff for the step.
    void (*stiffness)(void *context, double *stiffness);
    /// Adds to the forces on the links [link_count], world axes, moments about the links' origins.
    void (*external_forces)(void *context, double time, atemi_force *forces);
    /// The first instant after `time` at which torques or forces jump, or infinity. Steps end
    /// there: until then nothing of the jump is felt, and from then on all of it. At such an
    /// instant, and at the end of a run, torques and forces are asked for an instant of rounding
    /// earlier as well: there they must still be what they were before the jump.
    double (*next_jump)(void *context, double time);
    void (*event)(void *context, const atemi_event *event);
    /// Asked every 8 steps. @return false to stop: the run then ends early, with ATEMI_OK, at the
    /// last instant reached
    bool (*goes_on)(void *context);
    void *context;
} atemi_simulation_hooks;

/// Inputs that stay as they are until they are changed between two runs or steps: for controllers
/// that run beside a simulation, a tick at a time. All zero at first: nothing acts.
typedef struct atemi_held_inputs {
    const atemi_model *model;
    double            *tau; ///< [v_count] torques
    /// Servos of the joints that have one coordinate [v_count]: K (target - q) + D (target velocity
    /// - v). The method of steps takes them implicitly.
    double                *stiffness, *damping, *target, *target_velocity;
    atemi_force           *external; ///< [link_count] on the links, as the hook adds them
    atemi_simulation_hooks also;     ///< asked as well
} atemi_held_inputs;

/// Lays them out on an arena; all zero.
ATEMI_API atemi_held_inputs atemi_held_inputs_take(atemi_arena *arena, const atemi_model *model);

/// The hooks by which a simulation feels them. They stay where they are while it lives.
ATEMI_API atemi_simulation_hooks atemi_held_inputs_hooks(atemi_held_inputs *held);

typedef enum atemi_simulation_method {
    ATEMI_METHOD_EVENTS, ///< modes of contacts, and events located in time
    ATEMI_METHOD_STEPS,  ///< fixed steps, with impulses of all contacts in each
} atemi_simulation_method;

typedef enum atemi_integrator {
    ATEMI_INTEGRATOR_RK4,      ///< Runge-Kutta of fourth order with a fixed step
    ATEMI_INTEGRATOR_ADAPTIVE, ///< ARKODE of SUNDIALS: embedded Runge-Kutta with error control
} atemi_integrator;

/// Shapes that touch: the surfaces of the world, as long as no link carries them, and each other.
/// Links that a fixed joint or a movable one joins do not touch each other, nor do those of one
/// robot whose shapes overlap while all joints are at zero, nor those that are excluded, here or by
/// the model (atemi_model_apart()).
typedef struct atemi_simulation_shapes {
    const atemi_touch_shape *shapes; ///< [count]
    int                      count;
    bool                     each_other;
    const atemi_link_pair   *excluded; ///< [excluded_count]
    int                      excluded_count;
    /// Places in touch at once, by events those as good as in touch; more end the run
    /// (ATEMI_ERROR_LIMIT). 0 for 12 of each shape; by events for 4, and 64 at least.
    int max_touches;
} atemi_simulation_shapes;

/// How motion is integrated.
typedef struct atemi_simulation_options {
    atemi_simulation_method method;
    atemi_integrator        integrator; ///< of the method of events
    /// In s. The method of steps takes this one; it is shorter only before jumps and at the ends of
    /// runs. RK4 takes shorter steps where what damping stops has not faded, where points
    /// change direction as they slide, and where a link would rotate by more than 0.01 rad in a
    /// step, to keep its energy;
    /// none shorter than a thousandth of this, except at events and at the ends of runs. The
    /// adaptive integrator takes none that is longer.
    double step;
    double tolerance;      ///< of the adaptive integrator, relative, and in m, rad, m/s
    bool   joint_friction; ///< the model's own friction and damping act
    /// Joints stop at their limits, or where they start if that is beyond. The velocity after that
    /// is that of before times stop_restitution.
    bool   joint_stops;
    double stop_restitution;
    /// Slower than this, in m/s, points do not bounce but stay. So do points that are back within
    /// 10 us, or within a 64th of a step where that is less.
    double slowest_bounce;
    bool   effort_limits; ///< torques stay within the joints' effort limits
    /// Shapes that touch, beside the points; NULL for none. By the method of events, those of
    /// atemi_simulation_shapes_check(). They are copied.
    const atemi_simulation_shapes *shapes;
    /// [loop_count] Closed loops beside those of the model; they are copied, their names remain the
    /// caller's.
    const atemi_loop *loops;
    int               loop_count;
} atemi_simulation_options;

/// Events, RK4, 1 ms, 1e-9, with joint friction and stops that do not bounce, 1 mm/s.
ATEMI_API atemi_simulation_options atemi_simulation_options_default(void);

typedef struct atemi_simulation atemi_simulation;

/// Whether the method of the options knows their shapes: that of steps knows all, that of events
/// those whose distance is smooth, balls and capsules.
/// @return ATEMI_ERROR_INPUT if not; the error names links, shapes and the cure
ATEMI_API atemi_status atemi_simulation_shapes_check(const atemi_model              *model,
                                                     const atemi_simulation_options *options,
                                                     atemi_error                    *error);

/// Makes a simulation; it keeps the model, copies everything else. The surfaces' height tables
/// remain the caller's. Rigid points may be ATEMI_CONTACT_MAX_COUNT, with the places of shapes by
/// the method of events: n of them take about 290 n^2 bytes, and O(n^2) time while they slip.
ATEMI_API atemi_status atemi_simulation_create(
    const atemi_model *model, const atemi_surface *surfaces, int surface_count,
    const atemi_simulation_point *points, int point_count, const atemi_simulation_options *options,
    const atemi_simulation_hooks *hooks, atemi_simulation **simulation, atemi_error *error);
ATEMI_API void atemi_simulation_destroy(atemi_simulation *simulation);

/// Puts the robot somewhere. Closed loops that are open there are closed by the least motion, as M
/// measures it; a loop stays closed within 1e-9 m and rad from then on. Points within 2e-10 m of
/// their surface are in touch: what approaches collides, what rests is given its mode.
/// @return ATEMI_ERROR_INPUT for a state with a number that is not finite and, by events, for
/// shapes
///         that overlap by more than 1e-6 m, ATEMI_ERROR_NOT_FOUND if
///         a loop cannot be closed,
///         ATEMI_ERROR_SINGULAR if no consistent modes are found, if a joint moves no mass, which
///         the message then names, or, by the adaptive integrator, if damping is too strong for the
///         step: it would ask for more than 1000 steps in place of one
ATEMI_API atemi_status atemi_simulation_start(atemi_simulation *simulation, double time,
                                              const double *q, const double *v, atemi_error *error);

/// Simulates until `time`, exactly; a jam just before it may take up to 1/128 of a step longer. No
/// allocation with RK4; ARKODE takes some in its first step.
///
/// After every step the energy is compared with what was put in, by the ledger below. More than 10
/// % of the energy that has flowed cannot come from steps that follow the motion: the run stops.
/// @return ATEMI_ERROR_SINGULAR if the motion cannot be continued: jamming, contradicting contacts,
///         modes that do not settle, by events two capsules that touch side by side, damping as
///         above, or energy that was not put in; the error names time, joint and cure, and the
///         state is that of the last instant reached
ATEMI_API atemi_status atemi_simulation_run(atemi_simulation *simulation, double time,
                                            atemi_error *error);

/// Simulates one step of the options' length, with the torques `tau` [v_count] throughout, on top
/// of those of the hook; NULL for none. Otherwise as atemi_simulation_run().
ATEMI_API atemi_status atemi_simulation_step(atemi_simulation *simulation, const double *tau,
                                             atemi_error *error);

/// Saves all that the future of a simulation depends on, and goes back there: it then runs on as it
/// did after it was saved, to the bit (with the adaptive integrator: to its tolerance, as its next
/// step begins anew). What is saved holds for this simulation, and for others that were created
/// with the same arguments. `saved` has atemi_simulation_saved_size() bytes. No allocation.
ATEMI_API size_t atemi_simulation_saved_size(const atemi_simulation *simulation);
ATEMI_API void   atemi_simulation_save(const atemi_simulation *simulation, void *saved);
ATEMI_API void   atemi_simulation_restore(atemi_simulation *simulation, const void *saved);

// ---- The state reached

/// The time, s; q [q_count]; v, a and the hook's torques [v_count], until the simulation goes on.
ATEMI_API double        atemi_simulation_time(const atemi_simulation *simulation);
ATEMI_API const double *atemi_simulation_q(const atemi_simulation *simulation);
ATEMI_API const double *atemi_simulation_v(const atemi_simulation *simulation);
ATEMI_API const double *atemi_simulation_a(const atemi_simulation *simulation);
ATEMI_API const double *atemi_simulation_tau(const atemi_simulation *simulation);

/// The torques of the stops, and those of the joints' dry friction [v_count], on average over the
/// last step; zero by the method of events.
ATEMI_API const double *atemi_simulation_stop_torques(const atemi_simulation *simulation);
ATEMI_API const double *atemi_simulation_friction_torques(const atemi_simulation *simulation);

/// Open, stick, slip or soft.
ATEMI_API atemi_contact_mode atemi_simulation_mode(const atemi_simulation *simulation, int point);

/// The force of the world on a point, world axes. The force of a patch is distributed over its
/// points with the right sum and moment. By the method of steps, the average over the last step.
ATEMI_API atemi_vec3 atemi_simulation_force(const atemi_simulation *simulation, int point);

/// Where a point is, world axes, and how far above its surface.
ATEMI_API atemi_vec3 atemi_simulation_position(const atemi_simulation *simulation, int point);
ATEMI_API double     atemi_simulation_gap(const atemi_simulation *simulation, int point);

/// What is known of a point.
typedef struct atemi_point_state {
    atemi_contact_mode mode;
    double             gap;      ///< above its surface, m
    atemi_vec3         position; ///< world axes
    atemi_vec3         normal;   ///< of the surface there, towards the robot
    atemi_vec3         force;    ///< of the world on it
} atemi_point_state;

/// All points at once.
/// @param states [point_count] result
ATEMI_API void atemi_simulation_points_get(const atemi_simulation *simulation,
                                           atemi_point_state      *states);

/// The places where shapes touch, by steps also those where they soon may; by pairs: the same order
/// in each run.
ATEMI_API int                atemi_simulation_touch_count(const atemi_simulation *simulation);
ATEMI_API atemi_touch_report atemi_simulation_touch(const atemi_simulation *simulation, int index);

/// What is known of a closed loop.
typedef struct atemi_loop_report {
    const atemi_loop *loop;
    atemi_force       force; ///< on its first link, at its place, world axes; by steps, on average
    double opening; ///< how far its frames are apart, m or rad: the larger of distance and angle
} atemi_loop_report;

/// The closed loops, those of the model first.
ATEMI_API int               atemi_simulation_loop_count(const atemi_simulation *simulation);
ATEMI_API atemi_loop_report atemi_simulation_loop(const atemi_simulation *simulation, int index);

/// What an inertial measurement unit measures, in its own axes.
typedef struct atemi_imu_reading {
    atemi_vec3 specific_force; ///< acceleration less gravity, m/s^2: at rest, 9.81 upwards
    atemi_vec3 angular_velocity;
} atemi_imu_reading;

/// What an inertial measurement unit at a place of a link measures. By the method of steps, the
/// specific force is the average over the last step, collisions included. O(links).
/// @param place in the link's frame
ATEMI_API atemi_imu_reading atemi_simulation_imu(atemi_simulation *simulation, int link,
                                                 const atemi_transform *place);

/// What load cells in the joints measure, see atemi_joint_wrench(). O(links).
/// @param wrenches [joint_count] result; zero for fixed joints
ATEMI_API void atemi_simulation_wrenches(atemi_simulation *simulation, atemi_force *wrenches);

/// The forces of all contacts on each link, of points and of shapes: the force in world axes and
/// its moment about the link's origin. By the method of steps the average over the last step.
/// O(links + points).
/// @param forces [link_count] result
ATEMI_API void atemi_simulation_contact_forces(atemi_simulation *simulation, atemi_force *forces);

/// What has acted on the robot since the start. With these sums the books close, through events as
/// well: with the momentum p, the kinetic and potential energy E, the mass m and the time t
///
///     p - p_0 = impulse + external_impulse + m g t
///     E - E_0 = torque_work + friction_work + contact_work + external_work + collision_work
///
/// to the order of the integrator with RK4. Steps of the adaptive integrator are summed up by the
/// trapezoidal rule.
typedef struct atemi_simulation_ledger {
    atemi_vec3 impulse; ///< of all points, in collisions as well, N s; inner ones do not count
    atemi_vec3 external_impulse; ///< of the external forces
    double     torque_work;      ///< of the hook's torques, J
    double     friction_work;    ///< of the joints' friction and damping
    double     contact_work;     ///< at the points: of friction where they slide, of soft surfaces,
                                 ///< and by steps of lifting out what has sunk
    double external_work;        ///< of the external forces
    double collision_work;       ///< of collisions and of what stands in for events without end
} atemi_simulation_ledger;

/// The ledger so far.
ATEMI_API atemi_simulation_ledger atemi_simulation_ledger_get(const atemi_simulation *simulation);

/// What it took, since the start.
typedef struct atemi_simulation_statistics {
    long   steps, evaluations; ///< of the dynamics
    long   events, collisions;
    double collision_energy;  ///< lost in collisions, J
    double collision_balance; ///< worst error of a collision's momentum balance, relative
    double deepest;           ///< penetration of a rigid surface, m
    double overrun;   ///< of a joint beyond its stop, rad or m; by events, stops do not hold
    double violation; ///< by steps: of the conditions of contact after a solution, m/s
} atemi_simulation_statistics;

/// The statistics so far.
ATEMI_API atemi_simulation_statistics
atemi_simulation_statistics_get(const atemi_simulation *simulation);

/// An external force on a link for some time.
typedef struct atemi_timed_force {
    int         link;
    atemi_force wrench;      ///< world axes, moment about the link's origin
    double      from, until; ///< s; it acts from the first on and no longer at the second
} atemi_timed_force;

/// Whether one of them acts at a time.
ATEMI_API bool atemi_timed_forces_act(const atemi_timed_force *forces, int count, double time);

/// Adds those that act at a time, for the hook `external_forces`.
/// @param external [link_count] added to
ATEMI_API void atemi_timed_forces_add(const atemi_timed_force *forces, int count, double time,
                                      atemi_force *external);

/// The first instant after a time at which one begins or ends, or infinity, for the hook
/// `next_jump`.
ATEMI_API double atemi_timed_forces_next(const atemi_timed_force *forces, int count, double time);

// ---- Where to start -----------------------------------------------------------------------------

/// How far a point is above its surface at the state of the last atemi_update_kinematics(), m.
ATEMI_API double atemi_point_gap(const atemi_data *data, const atemi_surface *surfaces,
                                 const atemi_simulation_point *point);

/// Shifts the base of a configuration against gravity until the lowest of the points that may touch
/// a surface touches it, within 1e-9 m. No allocation.
/// @param points [count] of a simulation
/// @param q      [q_count] changed; `data` is left there
/// @return ATEMI_ERROR_NOT_FOUND if no point is above the surface, ATEMI_ERROR_INPUT if the base
///         cannot be shifted that way, ATEMI_ERROR_SINGULAR if no height was found
ATEMI_API atemi_status atemi_place_on_surface(atemi_data *data, const atemi_surface *surfaces,
                                              const atemi_simulation_point *points, int count,
                                              int surface, double *q, atemi_error *error);

/// The same for shapes: their lowest corners, ends or rims touch.
/// @param shapes [count] of links that move with the base
ATEMI_API atemi_status atemi_place_shapes_on_surface(atemi_data *data, const atemi_surface *surface,
                                                     const atemi_touch_shape *shapes, int count,
                                                     double *q, atemi_error *error);

// ---- Friction that changes ----------------------------------------------------------------------
//
// Floors of several kinds: the friction of a point, changed while a simulation runs.

/// Gives a point other coefficients of friction from now on, as where it has come to another kind
/// of floor. What sticks and is loaded beyond the new limit begins to slip with the next step.
/// No allocation; free where nothing changes.
/// @return ATEMI_ERROR_INPUT for coefficients that are negative, not finite, or kinetic above
///         static ones; ATEMI_ERROR_SINGULAR if, by events, a slipping contact jams with it.
///         Nothing has changed then
ATEMI_API atemi_status atemi_point_friction_set(atemi_simulation *simulation, int point,
                                                double static_friction, double kinetic_friction,
                                                atemi_error *error);

// ---- What a robot stands on ---------------------------------------------------------------------
//
// What a robot stands on: the ZMP of its contact forces and the support polygon of its contacts,
// on one plane of the world. Of a simulation, or of a posture.

/// What a robot stands on at an instant.
typedef struct atemi_footing {
    int surface; ///< index of the plane, or ATEMI_NONE: every contact counts, on z = 0
    atemi_support_plane plane;
    int                 count;   ///< of points, in contact or not
    atemi_vec3         *corners; ///< [count] scratch
    atemi_force        *forces;  ///< [count] scratch
} atemi_footing;

/// Lays the scratch out on an arena. The plane is the first that a point may touch and that no link
/// carries.
/// @param points [count] of the simulation
ATEMI_API atemi_footing atemi_footing_take(atemi_arena *arena, const atemi_surface *surfaces,
                                           const atemi_simulation_point *points, int count);

/// Where a robot stands.
typedef struct atemi_foothold {
    bool       presses; ///< there is a ZMP
    atemi_vec3 zmp;     ///< NaN where there is none
    /// From the ZMP to the edge of the support polygon, m; NaN likewise. The polygon is that of the
    /// points that press or are within a millimetre of the ground.
    double margin;
} atemi_foothold;

/// Looks at a simulation as it is. O(points log points), no allocation.
ATEMI_API atemi_foothold atemi_footing_look(const atemi_footing          *footing,
                                            const atemi_simulation_point *points,
                                            const atemi_simulation       *simulation);

/// The points of a posture that touch their surfaces: nearer than 1e-6 m, or inside.
typedef struct atemi_touching_points {
    int          *points; ///< [count] their indices, ascending
    int           count;
    int          *links; ///< [link_count] that they are on, each once
    int           link_count;
    atemi_support support; ///< of those on the first plane that is touched; empty without one
    atemi_vec3   *corners; ///< scratch of the support
} atemi_touching_points;

/// Lays the lists out on an arena, for `count` points.
ATEMI_API atemi_touching_points atemi_touching_points_take(atemi_arena       *arena,
                                                           const atemi_model *model, int count);

/// Finds the points that touch at the state of the last atemi_update_kinematics(). Surfaces stand
/// still. O(count log count), no allocation.
/// @param points [count] of a simulation
ATEMI_API void atemi_touching_points_find(const atemi_data *data, const atemi_surface *surfaces,
                                          const atemi_simulation_point *points, int count,
                                          atemi_touching_points *touching);

ATEMI_END
