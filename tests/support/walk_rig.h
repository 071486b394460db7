// SPDX-License-Identifier: Apache-2.0

/// @file
/// The humanoid of [WALK] in the sagittal plane, and walks of it.

#pragma once

#include "atemi/robots.h"
#include "atemi/walk.h"
#include "check.h"

/// To be destroyed.
static inline atemi_model *walker_on(atemi_base base)
{
    atemi_model       *model;
    atemi_urdf_options options = atemi_urdf_options_default();
    options.model.base = base;
    CHECK_STATUS(atemi_robots_load("humanoid17", &options, &model, NULL), ATEMI_OK);
    return model;
}

static inline atemi_model *walker(void)
{
    return walker_on(ATEMI_BASE_SAGITTAL);
}

static inline atemi_walk_summary walk_with(const atemi_walk_task  *task,
                                           const atemi_walk_hooks *hooks)
{
    atemi_model *model = walker();
    atemi_walk  *walk;
    CHECK_STATUS(atemi_walk_create(model, task, hooks, &walk, NULL), ATEMI_OK);
    CHECK_STATUS(atemi_walk_run(walk, NULL), ATEMI_OK);
    const atemi_walk_summary summary = atemi_walk_summary_get(walk);
    atemi_walk_destroy(walk);
    atemi_model_destroy(model);
    return summary;
}
