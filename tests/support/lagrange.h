// SPDX-License-Identifier: Apache-2.0

/// @file
/// The oracle of the dynamics tests: mechanics from the description of a robot and nothing else.
///
/// Poses are products of joint origins and matrix exponentials, link by link, in long double. All
/// motion comes from differences of poses along q(t), and torques from Lagrange's equations in the
/// form of d'Alembert, which holds for the quasi-velocities of floating bases as well [Kane85]:
///
///     tau_k = sum over links of   dx/dv_k . (m d2x/dt2 - m g - force)
///                               + dw/dv_k . (I dw/dt + w x I w - moment)   + rotors
///
/// No spatial algebra, no recursion, no inertia of more than one link, no code of the library but
/// the accessors of the model and the plane that a planar joint's axis names (atemi_mat3_with_z).
///
/// Differences are of eighth order with steps chosen after the rates, so that results are good to
/// about 1e-13 of the largest term that goes into them.

#pragma once

#include "atemi/model.h"

/// A link in the world: its pose, and the motion of its origin in world axes.
typedef struct lagrange_link {
    atemi_transform pose;
    atemi_motion    velocity;
    atemi_motion    acceleration; ///< of the point at the origin
} lagrange_link;

/// The motion of all links. `v` and `a` may be NULL for zero.
void lagrange_links(const atemi_model *model, const double *q, const double *v, const double *a,
                    lagrange_link *links);

/// The derivative of a link's pose by each coordinate [6 x v_count].
void lagrange_jacobian(const atemi_model *model, const double *q, int link, double *J);

/// Its rate along v, by differences of differences.
void lagrange_jacobian_rate(const atemi_model *model, const double *q, const double *v, int link,
                            double *rate);

/// Torques; `v`, `a` and `external` may be NULL.
void lagrange_torques(const atemi_model *model, const double *q, const double *v, const double *a,
                      const atemi_force *external, double *tau);

/// The force of the parent onto the child of a joint, in the child's axes and about its origin: by
/// Newton and Euler for everything behind the joint.
atemi_force lagrange_joint_wrench(const atemi_model *model, const double *q, const double *v,
                                  const double *a, const atemi_force *external, int joint);

/// What sums over links say of the whole robot; links that are bolted to the world do not count.
typedef struct lagrange_sums {
    double      mass;
    atemi_vec3  center;
    atemi_force momentum; ///< about the centre of mass
    double      kinetic;  ///< with rotors
    double      potential;
} lagrange_sums;

lagrange_sums lagrange_sum(const atemi_model *model, const double *q, const double *v);
