// SPDX-License-Identifier: Apache-2.0

/// @file
/// The registry of jobs; its list is in registry.c.

#pragma once

#include "jobs/job.h"

/// The names of all jobs, up to NULL.
extern const char *const atemi_registry_names[];

/// A job by its index, from 0 to atemi_job_count() - 1.
const atemi_job *atemi_registry_at(int index);

/// The index of a name, or ATEMI_NONE.
int atemi_registry_index(const char *name);

/// A job by its name.
/// @return ATEMI_ERROR_NOT_FOUND, with the name that was probably meant
atemi_status atemi_registry_find(const char *name, const atemi_job **job, atemi_error *error);
