// SPDX-License-Identifier: Apache-2.0

#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L // setenv
#endif

#include "packages.h"

#include "command.h"
#include "output.h"

#include "atemi/base.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char variable[] = "ROS_PACKAGE_PATH";

int packages_use(const char *path)
{
    const char *before = path ? getenv(variable) : NULL;
    if (!path) {
        return ARGUMENTS_READY;
    }
    before = before ? before : "";
    const size_t size = strlen(path) + strlen(before) + 2;
    char        *all = (char *)atemi_allocate(size);
    if (!all) {
        return output_fail("no memory for --package-path");
    }
    snprintf(all, size, "%s%s%s", path, before[0] ? ":" : "", before);
    const int failed = setenv(variable, all, 1);
    atemi_release(all);
    return failed ? output_fail("no memory for --package-path") : ARGUMENTS_READY;
}
