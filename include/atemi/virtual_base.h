// SPDX-License-Identifier: Apache-2.0

/// @file
/// The virtual base: what a robot that stands on some of its links gives way to, at the moment of a
/// blow.
///
/// With the posture frozen, torques tau and a force f at the striking point, along `direction`,
/// change the rates v of the robot and the speed u of the point by
///
///     dv/dt = C tau + c f,     du/dt = c^T tau + f / m_a
///
/// m_a is the virtual mass. Of two hands, u is the mean, and half of f is at each. C and c come
/// from the inertia of the robot with its grounded links held in one of two ways:
///
/// - fixed, by constraints: C = M^-1 - M^-1 G^T (G M^-1 G^T)^-1 G M^-1 with the grounded links'
///   Jacobians in G. Closed loops of several feet are no special case.
/// - heavy, as [SDC] eq. 1-5: an extra mass and inertia on the grounded links of a robot that
///   floats freely, and its base eliminated. C = H*^-1 and c = H*^-1 J*^T n over the joints. It
///   approaches the other as the extra mass grows.

#pragma once

#include "atemi/data.h"
#include "atemi/error.h"
#include "atemi/striking_point.h"

ATEMI_BEGIN

/// How grounded links are held.
typedef enum atemi_grounding {
    ATEMI_GROUNDING_FIXED, ///< by constraints
    ATEMI_GROUNDING_HEAVY, ///< by extra mass and inertia, [SDC] eq. 1-2
} atemi_grounding;

/// The links that stand on the ground. A fixed base needs none.
typedef struct atemi_ground {
    const int      *links; ///< [count]
    int             count;
    atemi_grounding grounding;
    double          mass;    ///< M_g, kg, on each link; used where they are heavy
    double          inertia; ///< I_g, kg m^2, about each axis; used where they are heavy
    const double   *rotors;  ///< [v_count] inertia that joints have besides; NULL for none
} atemi_ground;

/// No links; fixed; 1e5 kg and 1e5 kg m^2 as in [SDC] III.
ATEMI_API atemi_ground atemi_ground_default(void);

/// A robot frozen at the moment of a blow, filled by atemi_virtual_base_update().
///
/// Rates of the base are rates like others, but that nothing drives them: where the grounded links
/// are heavy, C has zeros where it would say what a torque on the base does to the base.
typedef struct atemi_virtual_base {
    int     count;      ///< v_count of the model
    int     base_count; ///< of them, those of the base
    int     stride;     ///< of C: `count`, padded
    double *mobility;   ///< C [count x stride], row-major; the padding is zero
    double *response;   ///< c [count]
    double  give;       ///< 1 / m_a, 1/kg
    double *jacobian;   ///< [count] n^T J, the mean of all hands: u = jacobian . v
    /// H* [joints x joints] and n^T J* [joints] over the rates behind those of the base; filled
    /// only where the grounded links are heavy.
    double *generalized_inertia, *generalized_jacobian;

    atemi_data *data;    ///< at the posture, with the factor of M
    double     *rows;    ///< [6 x count]
    double     *work;    ///< [stride]
    double     *freedom; ///< [count] the diagonal of M^-1
    double     *M;       ///< [count x count]
} atemi_virtual_base;

/// Lays the virtual base out on an arena.
ATEMI_API atemi_virtual_base atemi_virtual_base_take(atemi_arena *arena, const atemi_model *model);

/// Computes C, c, the virtual mass and the point's Jacobian at q.
///
/// @param q      [q_count] configuration
/// @param ground NULL for none
/// @param base   result
/// @return ATEMI_ERROR_INPUT where links, direction or extra masses are impossible;
///         ATEMI_ERROR_SINGULAR where the inertia of the robot is, or where the grounded links
///         leave the point no freedom to move along the direction
///
/// Grounded links may be redundant (two on one body). O(v_count^2) a grounded link. No allocation.
ATEMI_API atemi_status atemi_virtual_base_update(const atemi_model *model, const double *q,
                                                 const atemi_ground         *ground,
                                                 const atemi_striking_point *point,
                                                 atemi_virtual_base *base, atemi_error *error);

/// The virtual mass m_a, kg.
ATEMI_API double atemi_virtual_mass(const atemi_virtual_base *base);

/// The rates that move the point with `speed` along the direction and the grounded links not at
/// all, and have the least kinetic energy of all that do.
/// @param v [v_count] result
ATEMI_API void atemi_virtual_base_rates(const atemi_virtual_base *base, double speed, double *v);

/// The velocities that leave the fixed grounded links at rest and differ from wanted ones by the
/// least kinetic energy: C M wanted.
/// @param wanted [v_count]
/// @param v      [v_count] result; must not alias `wanted`
ATEMI_API void atemi_virtual_base_project(atemi_virtual_base *base, const double *wanted,
                                          double *v);

ATEMI_END
