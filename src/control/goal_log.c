// SPDX-License-Identifier: Apache-2.0

#include "control/goal_log.h"

#include "atemi/base.h"

#include <limits.h>
#include <stddef.h>
#include <string.h>

static atemi_goal_record *place_of(const atemi_goal_log *log, int id)
{
    return log->capacity > 0 ? &log->records[id % log->capacity] : NULL;
}

const char *atemi_goal_outcome_text(atemi_goal_outcome outcome)
{
    static const char *const texts[] = {
        "active",       "reached",    "stopped", "replaced",           "obstructed",
        "out of reach", "no contact", "fault",   "would lose balance", "would overload"};
    ATEMI_REQUIRE_OR(outcome <= ATEMI_OUTCOME_OVERLOADED, "");
    return texts[outcome];
}

atemi_goal_log atemi_goal_log_over(atemi_goal_record *records, int capacity)
{
    const atemi_goal_log log = {.records = records, .capacity = capacity}, none = {0};
    ATEMI_REQUIRE_OR(capacity >= 0 && (records || capacity == 0), none);
    if (capacity > 0) {
        memset(records, 0, (size_t)capacity * sizeof *records);
    }
    return log;
}

int atemi_goal_log_begin(atemi_goal_log *log, atemi_goal_motion motion, atemi_command_source source,
                         double time)
{
    ATEMI_REQUIRE_OR(log, 0);
    log->last = log->last < INT_MAX ? log->last + 1 : 1;
    atemi_goal_record *record = place_of(log, log->last);
    if (record) {
        *record = (atemi_goal_record){
            .id = log->last, .motion = motion, .source = source, .begun = time, .joint = -1};
    }
    return log->last;
}

atemi_goal_record *atemi_goal_log_find(const atemi_goal_log *log, int id)
{
    ATEMI_REQUIRE_OR(log, NULL);
    atemi_goal_record *record = id > 0 ? place_of(log, id) : NULL;
    return record && record->id == id ? record : NULL;
}
