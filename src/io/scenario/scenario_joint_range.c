// SPDX-License-Identifier: Apache-2.0

#include "io/scenario/scenario_joint_range.h"

#include "io/scenario/scenario_warning.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double degree = 3.14159265358979323846 / 180.0;

// Descriptions round their limits; a posture on a limit is within. And what is that far outside is
// no posture at all: a turn, or a metre.
static const double rounding = 1e-3, turn = 6.283185307179586, metre = 1.0;

static bool is_within(const atemi_joint *joint, double position, double margin)
{
    return position >= joint->limits.lower - margin && position <= joint->limits.upper + margin;
}

static const char *unit_of(const atemi_joint *joint)
{
    return joint->type == ATEMI_JOINT_PRISMATIC ? "m" : "rad";
}

// Whether the file has a number alone, for which the unit was taken.
static bool has_no_unit(const char *text)
{
    const size_t length = text ? strlen(text) : 0;
    return length > 0 && strchr("0123456789.", text[length - 1]) != NULL;
}

// Limits are then shown in them too.
static bool is_in_degrees(const char *text)
{
    const size_t length = text ? strlen(text) : 0;
    return length >= 3 && strcmp(text + length - 3, "deg") == 0;
}

// "; did you mean 90 deg?" or ""
static void suggest(const atemi_joint *joint, const char *text, double position, char *hint,
                    size_t size)
{
    const bool may_be_degrees = joint->type != ATEMI_JOINT_PRISMATIC && has_no_unit(text) &&
                                is_within(joint, position * degree, rounding);
    hint[0] = '\0';
    if (may_be_degrees) {
        snprintf(hint, size, "; did you mean %g deg?", position);
    }
}

void atemi_scenario_check_joint(atemi_scenario_reader *reader, atemi_scenario_mark mark,
                                const char *text, const atemi_joint *joint, double position)
{
    const bool   slides = joint->type == ATEMI_JOINT_PRISMATIC;
    const bool   turns = !slides && is_in_degrees(text);
    const char  *unit = turns ? "deg" : unit_of(joint);
    const double one = turns ? degree : 1.0;
    char         hint[64];
    const double lower = joint->limits.lower / one, upper = joint->limits.upper / one;
    if (joint->q_count != 1 || is_within(joint, position, rounding)) {
        return;
    }
    suggest(joint, text, position, hint, sizeof hint);
    if (is_within(joint, position, slides ? metre : turn)) {
        atemi_scenario_warn(reader, mark,
                            "%g %s is outside the range of the joint '%s', %g to %g %s%s",
                            position / one, unit, joint->name, lower, upper, unit, hint);
    } else {
        atemi_scenario_fail(reader, mark,
                            "%g %s is far outside the range of the joint '%s', %g to %g %s%s",
                            position / one, unit, joint->name, lower, upper, unit,
                            hint[0] ? hint : "; give a position within");
    }
}

void atemi_scenario_check_joint_search(atemi_scenario_reader *reader, atemi_scenario_mark mark,
                                       const atemi_joint *joint, double lower, double upper)
{
    const char  *unit = unit_of(joint);
    const double least = joint->limits.lower, most = joint->limits.upper;
    if (joint->q_count != 1) {
        return;
    }
    if (lower > most + rounding || upper < least - rounding) {
        atemi_scenario_fail(reader, mark,
                            "the range from %g to %g %s does not meet that of the joint '%s', %g "
                            "to %g %s; give a range within",
                            lower, upper, unit, joint->name, least, most, unit);
    } else if ((isfinite(lower) && lower < least - rounding) ||
               (isfinite(upper) && upper > most + rounding)) {
        atemi_scenario_warn(reader, mark,
                            "the range from %g to %g %s goes beyond that of the joint '%s', %g to "
                            "%g %s",
                            lower, upper, unit, joint->name, least, most, unit);
    }
}

void atemi_scenario_check_search(atemi_scenario_reader *reader, atemi_scenario_mark mark,
                                 const char *unit, double start, double lower, double upper)
{
    if (start < lower || start > upper) {
        atemi_scenario_fail(reader, mark,
                            "the start %g %s is outside its own range, %g to %g %s; give [start, "
                            "lower, upper] with the start between",
                            start, unit, lower, upper, unit);
    }
}
