// SPDX-License-Identifier: Apache-2.0

/// @file
/// Loads a robot while each of its allocations fails in turn.

#pragma once

#include "allocations.h"
#include "atemi/robots.h"
#include "check.h"

/// Checks that every failure is reported as one and that nothing is lost.
/// @return how many allocations there are
static inline int check_failing_loads(const char *path)
{
    bool failed = true;
    int  n = 0;
    while (failed) {
        atemi_model *model;
        atemi_error  error = {0};
        failing_allocator_install(++n);
        const atemi_status status = atemi_urdf_load(path, NULL, &model, &error);
        failed = failing_allocator_failed();
        if (failed) {
            CHECK_STATUS(status, ATEMI_ERROR_MEMORY);
            CHECK_STATUS(error.status, ATEMI_ERROR_MEMORY);
            CHECK(!model);
        }
        atemi_model_destroy(model);
        failing_allocator_remove();
        CHECK_EQUAL_INT(failing_allocator_outstanding(), 0);
    }
    return n;
}
