// SPDX-License-Identifier: Apache-2.0

/// @file
/// The functions of the library that work on states, in one form: arrays of one state in, arrays of
/// its results out. rows.c calls them for one state or for many.

#pragma once

#include <atemi/atemi.h>

enum {
    ATEMI_KERNEL_INPUTS = 4,
    ATEMI_KERNEL_OUTPUTS = 8,
};

/// What a blow is computed in.
typedef struct atemi_blow_workspace {
    atemi_arena              arena;
    bool                     is_made;
    atemi_virtual_base       base;
    atemi_blow_scratch       scratch;
    atemi_straight_reference reference;             ///< for accelerations at first touch
    double                  *rates, *accelerations; ///< [v_count]
    atemi_vec3              *corners;               ///< [4 for each site] of the support polygon
    double                  *times;                 ///< [ATEMI_BLOW_MAX_SAMPLES]
} atemi_blow_workspace;

enum { ATEMI_BLOW_MAX_SAMPLES = 1000 };

/// A blow, but for posture and speed.
typedef struct atemi_blow_parameters {
    atemi_striking_point point;
    atemi_ground         ground;
    atemi_blow_setting   setting;
    atemi_blow_options   options;
    int                  samples; ///< instants at which the ZMP is looked at; 0 for none
    atemi_error         *error;   ///< for one thread only; NULL for none
} atemi_blow_parameters;

/// What one thread computes in; parts that are not needed are not made.
typedef struct atemi_worker {
    const atemi_model         *model;
    const int                 *joints; ///< [joint_count] those with coordinates, as in q
    int                        joint_count;
    int                        max_contacts;
    atemi_data                *data;   ///< for max_contacts
    double                    *tau;    ///< [v_count]
    atemi_force               *forces; ///< [link_count]
    atemi_arena                derivatives_arena, constrained_arena;
    atemi_derivatives_scratch *derivatives;
    atemi_constrained_derivatives_scratch *constrained; ///< for max_varied contacts
    int                                    max_varied;
    atemi_blow_workspace                   blow;
} atemi_worker;

/// What stays the same for all states of a call.
typedef struct atemi_kernel_parameters {
    int                          link;
    atemi_vec3                   point;
    const atemi_contact         *contacts; ///< [contact_count]
    int                          contact_count;
    const double                *restitutions; ///< [contact_count], or NULL for none
    double                       restitution;
    bool                         published; ///< by the Extended Newton-Euler method
    const atemi_blow_parameters *blow;
} atemi_kernel_parameters;

/// What a kernel needs of its worker.
enum {
    ATEMI_NEEDS_DATA = 1,
    ATEMI_NEEDS_DERIVATIVES = 2,
    ATEMI_NEEDS_CONSTRAINED_DERIVATIVES = 4,
    ATEMI_NEEDS_BLOW = 8,
};

/// A function of a state.
///
/// A shape is written in letters, one a dimension: digits are sizes, q and v are q_count and
/// v_count, L links, J joints with coordinates, c contacts. "" is a number.
typedef struct atemi_kernel {
    const char *name;
    /// @return ATEMI_OK, or ATEMI_ERROR_SINGULAR where there is no solution
    atemi_status (*compute)(const atemi_worker *worker, const atemi_kernel_parameters *parameters,
                            const double *const *in, double *const *out);
    unsigned needs;
    struct {
        const char *name;
        const char *shape;
        bool        optional; ///< None becomes NULL
    } inputs[ATEMI_KERNEL_INPUTS];
    const char *outputs[ATEMI_KERNEL_OUTPUTS];
} atemi_kernel;

/// All kernels; the last has no name.
extern const atemi_kernel atemi_kernels[];

/// The kernel of blows, blow_kernel.c.
atemi_status atemi_kernel_blow(const atemi_worker            *worker,
                               const atemi_kernel_parameters *parameters, const double *const *in,
                               double *const *out);

/// Makes what a kernel needs. @return false without memory; what there is stays
bool atemi_worker_prepare(atemi_worker *worker, unsigned needs, int contacts);

/// Releases what was made.
void atemi_worker_release(atemi_worker *worker);
