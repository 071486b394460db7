// SPDX-License-Identifier: Apache-2.0

/// @file
/// Layer contact. Compliant contact: the force of a soft surface as a function of how deep it is
/// pressed and how fast.
///
/// depth is the penetration along the surface's normal, m, positive in contact; rate is its time
/// derivative, m/s, positive while it grows. A positive force, N, pushes the bodies apart. Nothing
/// here allocates, keeps state or can fail at run time; each evaluation costs some ten operations,
/// that of Hunt and Crossley a power.

#pragma once

#include "atemi/error.h"

#include <stdbool.h>

ATEMI_BEGIN

/// A force law. Take one of those below, or fill in functions of your own.
///
/// The functions are called with depth > 0 only. They must be functions of their arguments alone,
/// so that threads can share a law.
typedef struct atemi_compliance {
    /// The force, N.
    double (*force)(const void *context, double depth, double rate);
    /// The elastic energy at this depth, J: the integral of the force at rate 0. NULL for a law
    /// that stores none.
    double (*energy)(const void *context, double depth);
    /// The partial derivatives of the force by depth, N/m, and by rate, N s/m; from the left where
    /// they jump. NULL where they are not known.
    void (*slopes)(const void *context, double depth, double rate, double *by_depth,
                   double *by_rate);
    /// Handed to the functions. Ours keep their parameters there.
    const void *context;
} atemi_compliance;

/// The force of the law: 0 unless depth > 0.
ATEMI_API double atemi_compliance_force(const atemi_compliance *law, double depth, double rate);

/// The elastic energy of the law: 0 unless depth > 0. What a contact takes from the bodies beyond
/// it is lost.
ATEMI_API double atemi_compliance_energy(const atemi_compliance *law, double depth);

/// The partial derivatives of the force: both 0 unless depth > 0.
/// @return false, and both 0, when the law does not tell them
ATEMI_API bool atemi_compliance_slopes(const atemi_compliance *law, double depth, double rate,
                                       double *by_depth, double *by_rate);

/// The parameters of a linear spring with a linear damper beside it.
typedef struct atemi_spring_damper {
    double stiffness; ///< k, N/m
    double damping;   ///< c, N s/m
} atemi_spring_damper;

/// The surface that [SDC] strikes: 1e4 N/m and 300 N s/m.
ATEMI_API atemi_spring_damper atemi_spring_damper_default(void);

/// Refuses a stiffness that is not positive, a damping that is negative, and what is not finite.
ATEMI_API atemi_status atemi_spring_damper_check(const atemi_spring_damper *parameters,
                                                 atemi_error               *error);

/// The law of [SDC]: a spring whose damper works in compression only.
///
///     force = k depth + c rate   while rate > 0
///     force = k depth            otherwise
///
/// It jumps to c v at first touch with the speed v, and never pulls.
/// @param parameters must outlive the law, and must have passed the check
ATEMI_API atemi_compliance
atemi_compliance_compression_damper(const atemi_spring_damper *parameters);

/// Spring and damper after Kelvin and Voigt, which lets go where it would pull.
///
///     force = max(0, k depth + c rate)
///
/// It jumps to c v at first touch with the speed v.
/// @param parameters must outlive the law, and must have passed the check
ATEMI_API atemi_compliance atemi_compliance_kelvin_voigt(const atemi_spring_damper *parameters);

/// The parameters of the law of Hunt and Crossley.
typedef struct atemi_hunt_crossley {
    double stiffness;   ///< k, N/m^exponent
    double dissipation; ///< alpha, s/m: a slow impact at v has the restitution 1 - alpha v
    double exponent;    ///< p: 1.5 for round bodies (Hertz), 1 for a flat one
} atemi_hunt_crossley;

/// Hertz's exponent 1.5, no dissipation, and no stiffness: that is to be set.
ATEMI_API atemi_hunt_crossley atemi_hunt_crossley_default(void);

/// Refuses a stiffness that is not positive, a dissipation that is negative, an exponent below 1,
/// and what is not finite.
ATEMI_API atemi_status atemi_hunt_crossley_check(const atemi_hunt_crossley *parameters,
                                                 atemi_error               *error);

/// The law of [HuntCrossley75], which lets go where it would pull.
///
///     force = k depth^p max(0, 1 + 3/2 alpha rate)
///
/// It is continuous at first touch. In their own letters the damping is lambda depth^p rate with
/// lambda = 3/2 alpha k.
/// @param parameters must outlive the law, and must have passed the check
ATEMI_API atemi_compliance atemi_compliance_hunt_crossley(const atemi_hunt_crossley *parameters);

ATEMI_END
