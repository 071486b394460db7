// SPDX-License-Identifier: Apache-2.0

#include "jobs/columns.h"

#include "atemi/robots.h"
#include "check.h"

#include <stdio.h>
#include <string.h>

// A table with every kind of group. Each value tells its column: what a name and a value that fell
// out of step would show.

typedef struct made_row {
    const atemi_model *model;
    const double      *values[4]; ///< of the motion
    bool               has_extra;
} made_row;

static const made_row *of(const void *row)
{
    return (const made_row *)row;
}

static double seconds(const void *row, int owner)
{
    (void)row, (void)owner;
    return 7.0;
}

static double by_owner(const void *row, int owner)
{
    (void)row;
    return 100.0 + owner;
}

static atemi_vec3 vector_by_owner(const void *row, int owner)
{
    (void)row;
    return (atemi_vec3){200.0 + owner, 300.0 + owner, 400.0 + owner};
}

static const atemi_model *model_of(const void *row)
{
    return of(row)->model;
}

static const double *motion(const void *row, atemi_column_quantity quantity)
{
    return of(row)->values[quantity];
}

static atemi_column_contact contact(const void *row, int owner)
{
    (void)row;
    return (atemi_column_contact){{1, 2, 3}, {4, 5, 6}, ATEMI_CONTACT_SLIP, 0.5 + owner};
}

static atemi_force wrench(const void *row, int owner)
{
    (void)row, (void)owner;
    return (atemi_force){{11, 12, 13}, {14, 15, 16}};
}

static int three(const void *row)
{
    (void)row;
    return 3;
}

static int one(const void *row)
{
    (void)row;
    return 1;
}

// The second of three has no columns.
static bool name(const void *row, int owner, char text[ATEMI_COLUMN_OWNER])
{
    (void)row;
    snprintf(text, ATEMI_COLUMN_OWNER, "o%d", owner);
    return owner != 1;
}

static bool has_extra(const void *row)
{
    return of(row)->has_extra;
}

static const atemi_column times[] = {{.name = "t", .unit = "s", .help = "time", .get = seconds}};
static const atemi_column owned[] = {
    {.name = "number", .help = "of an owner", .get = by_owner},
    {.name = "place", .unit = "m", .help = "of an owner", .vector = vector_by_owner}};
static const atemi_column unnamed[] = {{.name = "", .unit = "N", .help = "x", .get = by_owner}};
static const atemi_column extras[] = {{.name = "extra", .help = "x", .get = seconds}};

static const atemi_column_group groups[] = {
    {ATEMI_COLUMNS(times)},
    {.model = model_of, .motion = motion},
    {.prefix = "group", ATEMI_COLUMNS(owned), .owners = three, .owner = name},
    {.prefix = "bare", ATEMI_COLUMNS(unnamed), .owners = three, .owner = name},
    {.contact = contact, .owners = one, .owner = name},
    {.prefix = "hold", .wrench = wrench, .owners = one, .owner = name},
    {ATEMI_COLUMNS(extras), .has = has_extra}};

static const atemi_column_table table = {groups, sizeof groups / sizeof *groups};

typedef struct expected {
    const char *name, *unit;
    double      value;
} expected;

static const expected all[] = {{"t", "s", 7},
                               {"q.joint1", "rad", 21},
                               {"q.joint2", "rad", 22},
                               {"v.joint1", "rad/s", 31},
                               {"v.joint2", "rad/s", 32},
                               {"a.joint1", "rad/s^2", 41},
                               {"a.joint2", "rad/s^2", 42},
                               {"tau.joint1", "N m", 51},
                               {"tau.joint2", "N m", 52},
                               {"group.o0.number", "-", 100},
                               {"group.o0.place_x", "m", 200},
                               {"group.o0.place_y", "m", 300},
                               {"group.o0.place_z", "m", 400},
                               {"group.o2.number", "-", 102},
                               {"group.o2.place_x", "m", 202},
                               {"group.o2.place_y", "m", 302},
                               {"group.o2.place_z", "m", 402},
                               {"bare.o0", "N", 100},
                               {"bare.o2", "N", 102},
                               {"contact.o0.position_x", "m", 1},
                               {"contact.o0.position_y", "m", 2},
                               {"contact.o0.position_z", "m", 3},
                               {"contact.o0.force_x", "N", 4},
                               {"contact.o0.force_y", "N", 5},
                               {"contact.o0.force_z", "N", 6},
                               {"contact.o0.mode", "-", ATEMI_CONTACT_SLIP},
                               {"contact.o0.gap", "m", 0.5},
                               {"hold.o0.force_x", "N", 11},
                               {"hold.o0.force_y", "N", 12},
                               {"hold.o0.force_z", "N", 13},
                               {"hold.o0.moment_x", "N m", 14},
                               {"hold.o0.moment_y", "N m", 15},
                               {"hold.o0.moment_z", "N m", 16},
                               {"extra", "-", 7}};

enum { ALL = sizeof all / sizeof *all };

static void check(bool has)
{
    static const double motions[4][2] = {{21, 22}, {31, 32}, {41, 42}, {51, 52}};
    atemi_model        *model;
    atemi_recording    *recording;
    double              values[ALL + 1];
    atemi_urdf_options  options = atemi_urdf_options_default();
    options.model.base = ATEMI_BASE_FIXED;
    CHECK_STATUS(atemi_robots_load("two_link", &options, &model, NULL), ATEMI_OK);
    const made_row row = {model, {motions[0], motions[1], motions[2], motions[3]}, has};
    const int      count = has ? ALL : ALL - 1;
    CHECK_EQUAL_INT(atemi_columns_count(&table, &row), count);
    CHECK_STATUS(atemi_columns_create(&table, &row, &recording, NULL), ATEMI_OK);
    CHECK_EQUAL_INT(atemi_recording_channel_count(recording), count);
    values[count] = -1.0;
    atemi_columns_fill(&table, &row, values);
    for (int i = 0; i < count; ++i) {
        CHECK_EQUAL_STRING(atemi_recording_channel(recording, i)->name, all[i].name);
        CHECK_EQUAL_STRING(atemi_recording_channel(recording, i)->unit, all[i].unit);
        CHECK(values[i] == all[i].value);
    }
    CHECK(values[count] == -1.0);
    atemi_recording_destroy(recording);
    atemi_model_destroy(model);
}

TEST(columns, names_units_and_values_are_those_of_one_table)
{
    check(true);
}

TEST(columns, a_group_that_is_not_there_has_neither_names_nor_values)
{
    check(false);
}

static void count_pattern(void *context, const char *pattern, const atemi_column *column)
{
    static const char *const patterns[] = {"t",
                                           "q.NAME",
                                           "v.NAME",
                                           "a.NAME",
                                           "tau.NAME",
                                           "group.NAME.number",
                                           "group.NAME.place_x, _y, _z",
                                           "bare.NAME",
                                           "contact.NAME.position_x, _y, _z",
                                           "contact.NAME.force_x, _y, _z",
                                           "contact.NAME.mode",
                                           "contact.NAME.gap",
                                           "hold.NAME.force_x, _y, _z",
                                           "hold.NAME.moment_x, _y, _z",
                                           "extra"};
    int                     *index = (int *)context;
    CHECK(*index < (int)(sizeof patterns / sizeof *patterns));
    CHECK_EQUAL_STRING(pattern, patterns[*index]);
    CHECK(column->help != NULL);
    ++*index;
}

TEST(columns, are_described_without_a_robot)
{
    int count = 0;
    atemi_columns_describe(&table, count_pattern, &count);
    CHECK_EQUAL_INT(count, 15);
}
