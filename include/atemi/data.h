// SPDX-License-Identifier: Apache-2.0

/// @file
/// Layer contact. What the algorithms compute in: a robot is a model, which is immutable and
/// shared, and a data for each thread.
///
///     atemi_data *data;
///     if (atemi_data_create(model, NULL, &data, &error)) { ... }
///     atemi_inverse_dynamics(data, q, v, a, NULL, tau);
///     ...
///     atemi_data_destroy(data);
///
/// A data holds one kinematics (atemi/kinematics.h), one factor of the mass matrix and the forces
/// of the last call (atemi/dynamics.h), and one workspace for contacts (atemi/contact.h,
/// atemi/contact.h). There are two ways to use it:
///
/// - one call: atemi_mass_matrix(data, q, M) takes the data to q and computes there;
/// - in stages: atemi_update_kinematics(data, q, v, a) once, then whatever is wanted at that state,
///   by functions without q: atemi_link_pose(data, link), atemi_mass_matrix_at(data, M), ...
///
/// Both give the same bits. Every call with q leaves the data at that q. What was asked for is a
/// function of the arguments alone, whatever the data was used for before.

#pragma once

#include "atemi/base.h"
#include "atemi/model.h"

ATEMI_BEGIN

/// The workspace of all algorithms of the layers dynamics and contact, for one model and one
/// thread.
typedef struct atemi_data atemi_data;

/// How large a data is.
typedef struct atemi_data_options {
    /// Contacts (or links on the ground) of one call at most, 0 to ATEMI_CONTACT_MAX_COUNT. Memory
    /// grows with its square.
    int max_contacts;
} atemi_data_options;

/// Up to 16 contacts: two feet with four corners each, and as many more.
ATEMI_API atemi_data_options atemi_data_options_default(void);

/// Makes a data.
/// @param model   must outlive the data
/// @param options NULL for the defaults
/// @return ATEMI_ERROR_MEMORY if there is no memory
ATEMI_API atemi_status atemi_data_create(const atemi_model        *model,
                                         const atemi_data_options *options, atemi_data **data,
                                         atemi_error *error);

/// Releases a data of atemi_data_create(). NULL is harmless; so is one of atemi_data_take(), which
/// stays where it is.
ATEMI_API void atemi_data_destroy(atemi_data *data);

/// Lays a data out on the caller's arena, for those who do not let the library allocate.
///
///     atemi_arena arena = atemi_arena_measuring();
///     atemi_data_take(&arena, model, NULL);               // arena.used bytes are needed
///     arena = atemi_arena_over(memory, size);
///     atemi_data *data = atemi_data_take(&arena, model, NULL);
///
/// @return NULL while measuring; also NULL, with a broken contract, if the arena is too small
ATEMI_API atemi_data *atemi_data_take(atemi_arena *arena, const atemi_model *model,
                                      const atemi_data_options *options);

/// The model that a data is for.
ATEMI_API const atemi_model *atemi_data_model(const atemi_data *data);

ATEMI_END
