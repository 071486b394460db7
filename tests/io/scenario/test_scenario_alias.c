// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"
#include "check.h"
#include "io/scenario/scenario_fit.h"
#include "io/scenario/scenario_reader.h"
#include "io/scenario/scenario_warning.h"

#include <string.h>

// A schema with one key that was renamed at the top, "forces", and one in a mapping, "place_on".
typedef struct sample {
    int         forces;
    const char *place;
} sample;

static atemi_status read_sample(atemi_scenario_reader *reader, sample *read, atemi_error *error)
{
    atemi_scenario_alias(reader, "forces", "pushes");
    read->forces = atemi_scenario_integer(reader, "forces", (atemi_integer_key){.required = true});
    if (atemi_scenario_enter(reader, "start", ATEMI_DEFAULTED, NULL)) {
        atemi_scenario_alias(reader, "place_on", "on");
        read->place = atemi_scenario_string(reader, "place_on", (atemi_string_key){0});
        atemi_scenario_leave(reader);
    }
    return atemi_scenario_finish(reader, error);
}

static atemi_scenario_reader *open(const char *text)
{
    atemi_scenario_reader *reader;
    CHECK_STATUS(atemi_scenario_open_text(text, strlen(text), "a.yaml", &reader, NULL), ATEMI_OK);
    return reader;
}

TEST(scenario_alias, reads_the_old_name_as_the_new_one_with_a_note)
{
    sample                 read;
    int                    count;
    atemi_scenario_reader *reader = open("pushes: 3\nstart: {on: floor}\n");
    CHECK_STATUS(read_sample(reader, &read, NULL), ATEMI_OK);
    CHECK_EQUAL_INT(read.forces, 3);
    CHECK_EQUAL_STRING(read.place, "floor");
    const atemi_scenario_warning *warnings = atemi_scenario_warnings(reader, &count);
    CHECK_EQUAL_INT(count, 2);
    CHECK_EQUAL_STRING(warnings[0].message, "pushes: this key is now called 'forces'; the old name "
                                            "will go with the next version");
    CHECK_EQUAL_INT(warnings[0].line, 1);
    CHECK_EQUAL_INT(warnings[0].column, 1);
    CHECK_CONTAINS(warnings[1].message, "start.on: this key is now called 'place_on'");
    CHECK_EQUAL_INT(warnings[1].line, 2);
    CHECK_EQUAL_INT(warnings[1].column, 9);
    atemi_scenario_close(reader);
}

TEST(scenario_alias, reads_the_new_name_without_a_note)
{
    sample                 read;
    int                    count;
    atemi_scenario_reader *reader = open("forces: 3\nstart: {place_on: floor}\n");
    CHECK_STATUS(read_sample(reader, &read, NULL), ATEMI_OK);
    CHECK_EQUAL_INT(read.forces, 3);
    (void)atemi_scenario_warnings(reader, &count);
    CHECK_EQUAL_INT(count, 0);
    atemi_scenario_close(reader);
}

TEST(scenario_alias, refuses_both_names_at_once)
{
    sample                 read;
    atemi_error            error = {0};
    atemi_scenario_reader *reader = open("forces: 3\npushes: 3\n");
    CHECK_STATUS(read_sample(reader, &read, &error), ATEMI_ERROR_INPUT);
    CHECK_CONTAINS(error.message,
                   "pushes: this is the old name of 'forces', which is here as well; "
                   "remove one of the two");
    CHECK_EQUAL_INT(error.line, 2);
    CHECK_EQUAL_INT(error.column, 1);
    atemi_scenario_close(reader);
}

TEST(scenario_alias, is_of_its_own_mapping_only)
{
    sample                 read;
    atemi_error            error = {0};
    atemi_scenario_reader *reader = open("forces: 3\nstart: {pushes: 1}\n");
    CHECK_STATUS(read_sample(reader, &read, &error), ATEMI_ERROR_INPUT);
    CHECK_CONTAINS(error.message, "unknown key 'pushes'");
    atemi_scenario_close(reader);
}

TEST(scenario_alias, is_explained_by_the_new_name)
{
    sample                 read;
    atemi_scenario_reader *reader = open("pushes: 3\nstart: {on: floor}\n");
    CHECK_STATUS(read_sample(reader, &read, NULL), ATEMI_OK);
    char *text = atemi_scenario_explain(reader);
    CHECK_CONTAINS(text, "forces: 3 ");
    CHECK_CONTAINS(text, "  place_on: floor ");
    CHECK(!strstr(text, "pushes") && !strstr(text, " on:"));
    atemi_release(text);
    atemi_scenario_close(reader);
}

TEST(scenario_alias, fits_the_schema_as_the_new_name_does)
{
    sample                 read;
    atemi_scenario_reader *schema;
    CHECK_STATUS(atemi_scenario_open_blank(&schema, NULL), ATEMI_OK);
    CHECK_STATUS(read_sample(schema, &read, NULL), ATEMI_OK);
    const struct {
        const char *text;
        int         misfits;
        bool        missing;
    } cases[] = {{"pushes: 3\n", 0, false},
                 {"forces: 3\n", 0, false},
                 {"start: {}\n", 1, true},
                 {"pushes: 3\nother: 1\n", 1, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        atemi_scenario_reader   *reader = open(cases[i].text);
        const atemi_scenario_fit fit = atemi_scenario_fit_find(reader, schema);
        CHECK_EQUAL_INT(fit.misfits, cases[i].misfits);
        CHECK_EQUAL_INT(fit.missing, cases[i].missing);
        atemi_scenario_close(reader);
    }
    atemi_scenario_close(schema);
}
