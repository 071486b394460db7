// SPDX-License-Identifier: Apache-2.0

#include "recorded.h"

#include "check.h"

#include <string.h>

static const atemi_recorded_result *find_result(const atemi_recording *recording, const char *name)
{
    for (int i = 0; i < atemi_recording_result_count(recording); ++i) {
        if (strcmp(atemi_recording_result(recording, i)->name, name) == 0) {
            return atemi_recording_result(recording, i);
        }
    }
    return NULL;
}

bool has_result(const atemi_recording *recording, const char *name)
{
    return find_result(recording, name) != NULL;
}

double result(const atemi_recording *recording, const char *name)
{
    const atemi_recorded_result *found = find_result(recording, name);
    if (!found) {
        check_fail(CHECK_PLACE("result"), "there is no result %s", name);
    }
    return found->value;
}

const double *column(const atemi_recording *recording, const char *name)
{
    const int channel = atemi_recording_find_channel(recording, name);
    if (channel == ATEMI_NONE) {
        check_fail(CHECK_PLACE("column"), "there is no column %s", name);
    }
    return atemi_recording_values(recording, channel);
}

static const atemi_recorded_table *find_table(const atemi_recording *recording, const char *name)
{
    for (int i = 0; i < atemi_recording_table_count(recording); ++i) {
        if (strcmp(atemi_recording_table(recording, i)->name, name) == 0) {
            return atemi_recording_table(recording, i);
        }
    }
    return NULL;
}

bool has_table(const atemi_recording *recording, const char *name)
{
    return find_table(recording, name) != NULL;
}

const atemi_recorded_table *table(const atemi_recording *recording, const char *name)
{
    const atemi_recorded_table *found = find_table(recording, name);
    if (!found) {
        check_fail(CHECK_PLACE("table"), "there is no table %s", name);
    }
    return found;
}
