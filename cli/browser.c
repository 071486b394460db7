// SPDX-License-Identifier: Apache-2.0

#include "browser.h"

#include "program.h"

#include <stdlib.h>

#ifdef __APPLE__
static char opener[] = "open";
#else
static char opener[] = "xdg-open";
#endif

static bool is_set(const char *name)
{
    const char *value = getenv(name);
    return value && value[0];
}

static bool has_display(void)
{
#ifdef __APPLE__
    return true;
#else
    return is_set("DISPLAY") || is_set("WAYLAND_DISPLAY");
#endif
}

bool browser_found(void)
{
    return has_display() && program_exists(opener);
}

bool browser_open(const char *path)
{
    char *const arguments[] = {opener, (char *)path, NULL};
    return has_display() && program_start(arguments);
}
