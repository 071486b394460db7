// SPDX-License-Identifier: Apache-2.0

/// @file
/// Layer contact. Contacts: where a robot touches the world, what it may not do there, the dynamics
/// of a robot in contact, collisions, and the exact derivatives of both.
///
/// Nothing here allocates after creation. Forces on links are in world axes, their moments about
/// the links' origins.

#pragma once

#include "atemi/data.h"
#include "atemi/derivatives.h"
#include "atemi/dynamics.h"

ATEMI_BEGIN

/// What a contact constrains.
typedef enum atemi_contact_mode {
    ATEMI_CONTACT_OPEN,  ///< nothing: not in touch
    ATEMI_CONTACT_STICK, ///< the point stays where it is: three rows
    ATEMI_CONTACT_SLIP,  ///< the point stays on its surface: one row, with friction against sliding
    ATEMI_CONTACT_SURFACE, ///< the link stays where it is: six rows
    ATEMI_CONTACT_SOFT,    ///< nothing: the surface gives way, and its force is a load
} atemi_contact_mode;

/// Rows of a contact; contacts of one system, so that the index of an element, of at most 30,000
/// squared, is an int.
enum { ATEMI_CONTACT_MAX_ROWS = 6, ATEMI_CONTACT_MAX_COUNT = 5000 };

/// A point of a link in touch with a surface, of the world or of another link.
typedef struct atemi_contact {
    int                link;
    atemi_contact_mode mode;
    atemi_vec3         point;    ///< in the link's frame
    atemi_vec3         normal;   ///< of the surface, world axes, unit length, towards the robot
    double             friction; ///< kinetic coefficient, used while it slips
    /// Where the point slides or is about to, world axes, unit length. It decides when the point
    /// slips at zero speed or has just turned back, so that friction keeps its direction until that
    /// is noticed; zero if unknown, then the velocity decides, and at zero speed there is no
    /// friction.
    atemi_vec3 direction;
    bool       directed; ///< the direction decides always
    /// The acceleration along the normal that keeps the point on its surface: zero on a plane,
    /// otherwise what the curvature asks of a point that moves along it.
    double normal_acceleration;
    /// The acceleration of the link's point while it sticks, world axes: zero, unless the link
    /// rolls on and this is another point the moment after.
    atemi_vec3 acceleration;
    /// Where contacts are redundant, and forces not unique: its force and moment are to be near to
    /// this one, world axes, at the point. Zero: as small as they can be.
    atemi_force preferred;
    /// The surface is not of the world: the link `other` carries it, and gets the opposite force at
    /// the same place. Velocities and accelerations are relative to that link there. Constrained
    /// dynamics and both collisions know it, their derivatives and [ENE] do not.
    bool carried;
    int  other;
} atemi_contact;

/// A frictionless slipping contact at the link's origin with a horizontal floor.
ATEMI_API atemi_contact atemi_contact_default(void);

/// A point of a link.
typedef struct atemi_contact_point {
    int        link;
    atemi_vec3 point; ///< in the link's frame
} atemi_contact_point;

/// The points that sites touch with: one of a site that is a point, both ends of a line, the four
/// corners of a rectangle, counter-clockwise about its z axis; site after site.
/// @param sites  [count] indices of the model's sites
/// @param points [4 count] memory for the result
/// @return how many there are
ATEMI_API int atemi_site_points(const atemi_model *model, const int *sites, int count,
                                atemi_contact_point *points);

/// "open", "stick", "slip", "surface", "soft".
ATEMI_API const char *atemi_contact_mode_text(atemi_contact_mode mode);

/// A coordinate that is held by its joint: by a stop, which only pushes, by dry friction, which has
/// a bound, or by a brake. It is a contact of one row.
typedef struct atemi_joint_hold {
    int    rate;         ///< the entry of v
    double lower, upper; ///< what its impulse may be in a collision: [0, infinity) at a lower stop
    double restitution;  ///< of a stop, in a collision, 0 to 1
    double preferred;    ///< what its force is to be near to, where holds are redundant
    double force;        ///< result: N m or N; in a collision N m s or N s
    double velocity;     ///< result, in a collision: of the coordinate afterwards
} atemi_joint_hold;

/// All contacts of one call.
typedef struct atemi_contact_set {
    const atemi_contact *contacts;    ///< [count]
    int                  count;       ///< at most the data's max_contacts
    const double        *restitution; ///< [count] 0 to 1, or NULL for none; only collisions use it
    /// [hold_count] Each counts as a contact. Constrained dynamics and atemi_collision() know them.
    atemi_joint_hold *holds;
    int               hold_count;
    /// [loop_count] Closed loops, of the model (atemi_model_loops()) or others; each counts as two
    /// contacts. Constrained dynamics and both collisions know them.
    const atemi_loop *loops;
    int               loop_count;
    /// [loop_count] result or NULL: force and moment (in a collision, impulses) on the first link
    /// at the loop's place, world axes; the second one has the opposite.
    atemi_force *loop_forces;
} atemi_contact_set;

/// How the system of the contacts was solved.
typedef struct atemi_contact_report {
    int    rows;      ///< of all contacts; 0 with an error says that M itself is singular
    int    rank;      ///< fewer than `rows` if contacts are redundant
    double condition; ///< at least this is A's condition number, of its regular part if redundant
    /// The least diagonal element of A over slipping contacts, relative to what it would be without
    /// friction, both with what sticks eliminated from A. Not positive: the contact jams
    /// (Painleve), there is no such motion. 1 if none slips.
    double jamming;
} atemi_contact_report;

/// Forward dynamics of a robot in contact: accelerations and contact forces together.
///
///     M(q) a + h(q, v) = tau + G^T f,      J a + dJ/dt v = target
///
/// The rows of J say which motions the contacts forbid; G = J but for slipping contacts, whose
/// friction is tied to the normal force: G = (n - K t)^T J_point. Solved by the sparse factor of M
/// and the constraint-space matrix A = J M^-1 G^T, which is unsymmetric while anything slips:
/// [ENE] eq. 10, 12 and 21 for any number of contacts.
///
/// @param v        [v_count] or NULL for rest
/// @param tau      [v_count] or NULL for none
/// @param external [link_count] further forces, as in atemi_inverse_dynamics(), or NULL
/// @param set      open contacts are passed over; NULL for none
/// @param a        [v_count] result; may alias `tau` or `v`
/// @param forces   [set->count] force and moment on the robot at each contact's point, world axes
/// @param report   or NULL; filled in any case
/// @return ATEMI_ERROR_SINGULAR if the contacts contradict each other, a slipping contact jams, or
///         M itself is singular (atemi_update_factor() names the joint); then the results are not
///         touched
///
/// Redundant contacts (four points of a flat foot) share their force with the least sum of squares.
/// Contacts may pull here, and holds pass their bounds: whether they let go is for the caller to
/// decide.
ATEMI_API atemi_status atemi_constrained_dynamics(atemi_data *data, const double *q,
                                                  const double *v, const double *tau,
                                                  const atemi_force       *external,
                                                  const atemi_contact_set *set, double *a,
                                                  atemi_force          *forces,
                                                  atemi_contact_report *report);
/// The same at the state of the last atemi_update_kinematics().
ATEMI_API atemi_status atemi_constrained_dynamics_at(atemi_data *data, const double *tau,
                                                     const atemi_force       *external,
                                                     const atemi_contact_set *set, double *a,
                                                     atemi_force          *forces,
                                                     atemi_contact_report *report);

/// Adds contact forces to what acts on the links, for inverse dynamics and joint wrenches, at the
/// state of the last update.
/// @param forces   [set->count]
/// @param external [link_count] added to
ATEMI_API void atemi_contact_forces_add(const atemi_data *data, const atemi_contact_set *set,
                                        const atemi_force *forces, atemi_force *external);

/// The Extended Newton-Euler method as published [ENE]: constrained motion by nothing but repeated
/// inverse dynamics with forces at the contacts. Arguments and results as of
/// atemi_constrained_dynamics(), without further external forces.
///
/// Every quantity of the equation of motion is an inverse dynamics: the bias b, the columns of M,
/// the contact directions j_c and j_t. Here for any number of contacts (the paper's future work):
/// f_n becomes a vector and A a matrix. Costs O(v_count^3), about a hundred times
/// atemi_constrained_dynamics(), which yields the same numbers. For comparison and for teaching.
/// Needs a data for at least one contact.
///
/// @return ATEMI_ERROR_SINGULAR if A is singular: redundant contacts, a kinematic singularity, or
///         jamming by friction; the report then holds the condition number. Never divided through.
ATEMI_API atemi_status atemi_extended_newton_euler(atemi_data *data, const double *q,
                                                   const double *v, const double *tau,
                                                   const atemi_contact_set *set, double *a,
                                                   atemi_force          *forces,
                                                   atemi_contact_report *report);

/// How the points of a stance carry the robot.
typedef enum atemi_stance_support {
    ATEMI_STANCE_PUSHES, ///< all points push or rest, and the base has what it needs
    ATEMI_STANCE_PULLS,  ///< the base has what it needs, but some point pulls; or there is no
                         ///< gravity
    ATEMI_STANCE_LACKS,  ///< the points cannot give the base what it needs: the rest is in `tau`
} atemi_stance_support;

/// Inverse dynamics of a robot that stands: the joint torques and the forces of the ground behind a
/// given acceleration.
///
/// No joint accelerates the base: the ground does, at the points that the robot stands on. Of all
/// forces there that do, these push, each point as evenly as it can be (with the largest entropy),
/// and along the ground each in proportion to its push; so no foot tips over an edge as long as the
/// robot can stand. Points need not be level. Where no such forces exist, forces along the ground
/// that points at different heights exchange may help: then those with the least sum of squares.
/// Where none that push exist at all, they have the least sum of squares, and some pull.
///
/// @param v        [v_count] velocities, or NULL for rest
/// @param a        [v_count] accelerations, or NULL for zero
/// @param external [link_count] other forces onto the links, or NULL for none
/// @param points   [count] any number; none are needed where the base is fixed
/// @param tau      [v_count] result; what the points cannot give the base remains in its entries
/// @param forces   [count] result: of the ground onto the robot, world axes
///
/// O(links + count), iterative. Cannot fail. atemi_joint_wrench() works afterwards.
ATEMI_API atemi_stance_support atemi_stance_dynamics(atemi_data *data, const double *q,
                                                     const double *v, const double *a,
                                                     const atemi_force         *external,
                                                     const atemi_contact_point *points, int count,
                                                     double *tau, atemi_vec3 *forces);

/// What the ground does to the links that stand on it, from a known motion and known torques.
///
///     G^T wrenches = M a + h - tau - J^T external
///
/// with the Jacobians of the links in G. Other than for a stance the torques are known, and with
/// them what several feet push against each other. Links that share their load in more than one way
/// (two on one body) do it with the least sum of squares.
///
/// @param v        [v_count] or NULL for rest
/// @param a        [v_count] or NULL for zero
/// @param tau      [v_count] in the joints, friction included
/// @param external [link_count] other forces onto the links, or NULL for none
/// @param links    [count] that stand on the ground, at most the data's max_contacts
/// @param wrenches [count] of the ground onto the links
/// @return the largest part of the equation that no wrench explains, N or N m: a motion or torques
///         that do not belong together. NaN with a broken contract
///
/// O(v_count count^2). Cannot fail. atemi_joint_wrench() works afterwards.
ATEMI_API double atemi_ground_wrenches(atemi_data *data, const double *q, const double *v,
                                       const double *a, const double *tau,
                                       const atemi_force *external, const int *links, int count,
                                       atemi_force *wrenches);

// ---- Collisions ---------------------------------------------------------------------------------
//
// Collisions: how velocities jump when contacts close. Positions do not change.
//
//     M(q) (v' - v) = sum of J_i^T p_i
//
// atemi_collision() finds the mode of every contact as part of the answer;
// atemi_collision_in_modes() takes the modes from the caller. Both return a status, and do not
// allocate.

/// What a collision did.
typedef struct atemi_collision_report {
    double energy;    ///< that the robot gained, J: never positive beyond rounding
    double violation; ///< of the conditions below, m/s: how exact the answer is
    /// By what the restitution had to be reduced so that energy does not grow: with friction at
    /// several points Newton's law alone may create energy. 1 if it was not.
    double bounce;
} atemi_collision_report;

/// The velocity after a collision with everything that rests or touches: which points push, stick,
/// slip or leave is part of the answer. At every point, with u its velocity before and u' after, n
/// along the normal and t across it:
///
///     p_n >= 0,   u'_n >= -restitution u_n,   one of both with equality     (Newton)
///     |p_t| <= friction p_n,   against u'_t and of full size where that is not zero     (Coulomb)
///
/// and at every coordinate that is held, with v and v' before and after:
///
///     lower <= p <= upper,   p = lower where v' > -restitution v,   p = upper where it is less
///
/// @param v        [v_count] before
/// @param set      points in touch, at rest or approaching. `mode` is not looked at except that
/// open
///                 ones are passed over, `friction` bounds the impulse
/// @param after    [v_count] result; may alias `v`
/// @param impulses [set->count] on the robot at each point, world axes, N s
/// @param report   or NULL
///
/// @return ATEMI_ERROR_SINGULAR if a joint moves no mass, and then the results are not touched:
///         atemi_update_factor() names the joint
///
/// Points may be redundant (a box on four corners): motions are unique, impulses then one of many.
/// Iterative, with an accuracy of about 1e-12 of the speeds.
ATEMI_API atemi_status atemi_collision(atemi_data *data, const double *q, const double *v,
                                       const atemi_contact_set *set, double *after,
                                       atemi_vec3 *impulses, atemi_collision_report *report);

/// The velocity after all contacts have closed at once, each in its mode: a sticking point stops, a
/// slipping one stops along its normal and gets friction against its sliding before the collision,
/// a surface stops altogether. Points that stick or slip bounce along their normals:
///
///     J v' = -restitution J v  along normals,  J v' = 0 otherwise
///
/// @param v        [v_count] before
/// @param after    [v_count] result; may alias `v`
/// @param impulses [set->count] impulse and its moment on the robot at each contact's point, N s
/// @param report   or NULL; filled in any case
/// @return ATEMI_ERROR_SINGULAR if the contacts contradict each other, a slipping contact jams, or
///         M itself is singular (atemi_update_factor() names the joint); then the results are not
///         touched
///
/// The modes are the caller's; an impulse may come out as pulling.
ATEMI_API atemi_status atemi_collision_in_modes(atemi_data *data, const double *q, const double *v,
                                                const atemi_contact_set *set, double *after,
                                                atemi_force          *impulses,
                                                atemi_contact_report *report);

// ---- Derivatives --------------------------------------------------------------------------------
//
// Exact derivatives of the dynamics of a robot in contact, and of impulses, while
// every contact keeps its mode.
//
// A contact's point is fixed in its link; its normal, its asked accelerations and, if `directed`,
// its direction of sliding are fixed in the world. Where the velocity decides the direction of
// sliding, that turns with q and v. Matrices and changes of the configuration are those of
// atemi/derivatives.h.

/// Scratch of both algorithms, for up to `max_contacts` contacts.
typedef struct atemi_constrained_derivatives_scratch atemi_constrained_derivatives_scratch;

/// Lays the scratch out on an arena, for up to `max_contacts` contacts, at most
/// ATEMI_CONTACT_MAX_COUNT.
/// @return NULL while measuring
ATEMI_API atemi_constrained_derivatives_scratch *
atemi_constrained_derivatives_take(atemi_arena *arena, const atemi_model *model, int max_contacts);

/// What is found; every array but those of the accelerations may be NULL.
typedef struct atemi_constrained_derivatives {
    double      *a;           ///< [v_count] accelerations (velocities after an impulse), or NULL
    atemi_force *forces;      ///< [count] contact forces (impulses), or NULL
    double      *dq;          ///< [v_count x v_count] of a with respect to the configuration
    double      *dv;          ///< [v_count x v_count] with respect to v
    double      *dtau;        ///< [v_count x v_count] with respect to tau
    double      *forces_dq;   ///< [6 count x v_count] of the contact forces, six rows a contact
    double      *forces_dv;   ///< likewise
    double      *forces_dtau; ///< likewise
} atemi_constrained_derivatives;

/// Derivatives of atemi_constrained_dynamics().
///
/// @param contacts as there
/// @param result   what its arrays point to is written. Forces are in world axes, at the contact's
///                 point. Where contacts are redundant, their sum is exact, and single forces
///                 change as little as they can.
/// @return as atemi_constrained_dynamics(); after an error the results are not touched
///
/// Does not allocate.
ATEMI_API atemi_status atemi_constrained_dynamics_derivatives(
    const atemi_model *model, const double *q, const double *v, const double *tau,
    const atemi_force *external, const atemi_contact *contacts, int count,
    atemi_constrained_derivatives_scratch *scratch, const atemi_constrained_derivatives *result);

/// Derivatives of atemi_collision_in_modes(): `a` is the velocity after the impulse, `forces` are
/// impulses, and the arrays with respect to tau are not touched.
///
/// @param restitution as there
/// @return as atemi_collision_in_modes(); after an error the results are not touched
///
/// Does not allocate.
ATEMI_API atemi_status atemi_impulse_derivatives(const atemi_model *model, const double *q,
                                                 const double *v, const atemi_contact *contacts,
                                                 int count, double restitution,
                                                 atemi_constrained_derivatives_scratch *scratch,
                                                 const atemi_constrained_derivatives   *result);

ATEMI_END
