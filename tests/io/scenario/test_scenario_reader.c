// SPDX-License-Identifier: Apache-2.0

#include "allocations.h"
#include "atemi/base.h"
#include "check.h"
#include "sample_scenario.h"

#include <stdio.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846;

static atemi_scenario_reader *open_text(const char *text)
{
    atemi_scenario_reader *reader;
    CHECK_STATUS(atemi_scenario_open_text(text, strlen(text), "test.yaml", &reader, NULL),
                 ATEMI_OK);
    return reader;
}

// Reads the sample, which must succeed; the reader is to be closed.
static atemi_scenario_reader *read_sample(const char *text, sample_scenario *sample)
{
    atemi_error            error = {0};
    atemi_scenario_reader *reader = open_text(text);
    sample_read(reader, sample, &error);
    CHECK_EQUAL_STRING(error.message, "");
    return reader;
}

static void check_refusal(check_place place, const char *text, int line, int column,
                          const char *cause, const char *cure)
{
    sample_scenario        sample;
    atemi_error            error = {0};
    atemi_scenario_reader *reader = open_text(text);
    const atemi_status     status = sample_read(reader, &sample, &error);
    atemi_scenario_close(reader);
    check_contains(place, error.message, cause);
    check_contains(place, error.message, cure);
    check_status(place, status, ATEMI_ERROR_INPUT);
    check_status(place, error.status, ATEMI_ERROR_INPUT);
    check_equal_string(place, error.file, "test.yaml");
    check_equal_int(place, error.line, line);
    check_equal_int(place, error.column, column);
}

#define REFUSES(text, line, column, cause, cure)                                                   \
    check_refusal(CHECK_PLACE("REFUSES(" #text ")"), "robot: r\n" text "\n", line, column, cause,  \
                  cure)

// ---- Values

TEST(scenario_reader, reads_every_kind_of_key)
{
    sample_scenario        sample;
    atemi_scenario_reader *reader = read_sample("robot: hrp2_like\n"
                                                "title: 'a: b'\n"
                                                "duration: 10 ms\n"
                                                "speed: 3.6 km/h\n"
                                                "effort: 50\n"
                                                "steps: 1e2\n"
                                                "exact: false\n"
                                                "law: hunt_crossley\n"
                                                "gravity: [0, 0, -9.8 m/s^2]\n"
                                                "corners: [10 cm, 1/4]\n"
                                                "posture: {knee: 30 deg, hip: -7*pi/12}\n"
                                                "servo: {stiffness: {knee: 1, others: 2}}\n"
                                                "target: {mass: 500 g}\n"
                                                "contacts:\n"
                                                "- {link: toe, point: [1, 2, 3]}\n"
                                                "- link: heel\n"
                                                "  friction: 0.5\n"
                                                "grounded: [a, 'b c']\n"
                                                "torques: {hip: 5, knee: {amplitude: 3 kNm, "
                                                "frequency: 2}}\n"
                                                "table: [[0, 1], [2 cm, 3]]\n",
                                                &sample);
    CHECK_EQUAL_STRING(sample.robot, "hrp2_like");
    CHECK_EQUAL_STRING(sample.title, "a: b");
    CHECK_NEAR(sample.duration, 0.01, 0.0);
    CHECK_NEAR(sample.speed, 1.0, 0.0);
    CHECK_NEAR(sample.effort, 50.0, 0.0);
    CHECK_EQUAL_INT(sample.steps, 100);
    CHECK(!sample.exact);
    CHECK_EQUAL_INT(sample.law, 2);
    CHECK_NEAR(sample.gravity.z, -9.8, 0.0);
    CHECK_EQUAL_INT(sample.corner_count, 2);
    CHECK_NEAR(sample.corners[0], 0.1, 0.0);
    CHECK_NEAR(sample.corners[1], 0.25, 0.0);
    CHECK_NEAR(sample.posture[0], -7.0 * pi / 12.0, 0.0);
    CHECK_NEAR(sample.posture[1], pi / 6.0, 0.0);
    CHECK_NEAR(sample.posture[2], 0.0, 0.0);
    CHECK_NEAR(sample.stiffness[0], 2.0, 0.0);
    CHECK_NEAR(sample.stiffness[1], 1.0, 0.0);
    CHECK_NEAR(sample.stiffness[2], 2.0, 0.0);
    CHECK_NEAR(sample.target_mass, 0.5, 0.0);
    CHECK_EQUAL_INT(sample.contact_count, 2);
    CHECK_EQUAL_STRING(sample.contacts[0].link, "toe");
    CHECK_NEAR(sample.contacts[0].point.y, 2.0, 0.0);
    CHECK_NEAR(sample.contacts[0].friction, 0.8, 0.0);
    CHECK_NEAR(sample.contacts[1].friction, 0.5, 0.0);
    CHECK_EQUAL_INT(sample.grounded_count, 2);
    CHECK_EQUAL_STRING(sample.grounded[1], "b c");
    CHECK_EQUAL_INT(sample.torque_count, 2);
    CHECK_EQUAL_STRING(sample.torques[0].joint, "hip");
    CHECK_NEAR(sample.torques[0].amplitude, 5.0, 0.0);
    CHECK_EQUAL_STRING(sample.torques[1].joint, "knee");
    CHECK_NEAR(sample.torques[1].amplitude, 3000.0, 0.0);
    CHECK_NEAR(sample.torques[1].frequency, 2.0, 0.0);
    CHECK_EQUAL_INT(sample.table_count, 2);
    CHECK_NEAR(sample.table[1][0], 0.02, 0.0);
    atemi_scenario_close(reader);
}

TEST(scenario_reader, takes_defaults_for_what_is_absent)
{
    sample_scenario        sample;
    atemi_scenario_reader *reader = read_sample("robot: r\n", &sample);
    CHECK(!sample.title);
    CHECK_NEAR(sample.duration, 1.0, 0.0);
    CHECK_NEAR(sample.effort, INFINITY, 0.0);
    CHECK_EQUAL_INT(sample.steps, 10);
    CHECK(sample.exact);
    CHECK_EQUAL_INT(sample.law, 1);
    CHECK_NEAR(sample.gravity.z, -9.81, 0.0);
    CHECK_EQUAL_INT(sample.corner_count, 1);
    CHECK_NEAR(sample.corners[0], 0.5, 0.0);
    CHECK_NEAR(sample.posture[1], 0.8, 0.0);
    CHECK_NEAR(sample.stiffness[2], 100.0, 0.0);
    CHECK_NEAR(sample.damping_ratio, 0.7, 0.0);
    CHECK(!sample.has_target);
    CHECK_EQUAL_INT(sample.contact_count, 0);
    CHECK_EQUAL_INT(sample.torque_count, 0);
    atemi_scenario_close(reader);
}

TEST(scenario_reader, takes_one_number_for_all_names)
{
    sample_scenario        sample;
    atemi_scenario_reader *reader = read_sample("robot: r\nposture: 30 deg\n", &sample);
    for (int i = 0; i < SAMPLE_JOINTS; ++i) {
        CHECK_NEAR(sample.posture[i], pi / 6.0, 0.0);
    }
    atemi_scenario_close(reader);
}

TEST(scenario_reader, keeps_the_bytes_of_the_file)
{
    static const char      text[] = "robot: r # and a comment\n";
    size_t                 size;
    atemi_scenario_reader *reader = open_text(text);
    CHECK_EQUAL_STRING(atemi_scenario_source(reader, &size), text);
    CHECK_EQUAL_INT(size, strlen(text));
    atemi_scenario_close(reader);
}

// ---- Errors

TEST(scenario_reader, refuses_unknown_keys)
{
    REFUSES("duraton: 1", 2, 1, "unknown key 'duraton' (did you mean 'duration'?)",
            "known here: robot, title, duration");
    REFUSES("servo: {stiffness: 1,\n  xyz: 1}", 3, 3, "servo: unknown key 'xyz'",
            "known here: stiffness, damping_ratio");
    REFUSES("contacts: [{link: a}, {link: b, frction: 1}]", 2, 33,
            "contacts[1]: unknown key 'frction'", "did you mean 'friction'");
    REFUSES("torques: {hip: {amplitude: 1, phase: 1}}", 2, 31, "torques.hip: unknown key 'phase'",
            "known here: amplitude, frequency");
}

// A key that begins like a known one and goes on: the search for what was meant once read past the
// end of the shorter name. Only a sanitizer sees that.
TEST(scenario_reader, refuses_a_key_that_goes_on)
{
    REFUSES("durations: 1", 2, 1, "unknown key 'durations'", "did you mean 'duration'");
    REFUSES("exactly: 1", 2, 1, "unknown key 'exactly'", "known here");
}

TEST(scenario_reader, names_what_is_missing)
{
    check_refusal(CHECK_PLACE("robot"), "\nduration: 1\n", 2, 1, "robot: is missing",
                  "add robot: (text, name or file of a robot)");
    check_refusal(CHECK_PLACE("robt"), "\nrobt: 1\n", 2, 1, "robot: is missing",
                  "did you mean the key 'robt' here");
    REFUSES("target: {}", 2, 1, "target.mass: is missing", "number, of the target");
    REFUSES("contacts:\n- link: a\n- friction: 1", 4, 3, "contacts[1].link: is missing",
            "the link that touches");
    REFUSES("torques:\n  hip:\n    frequency: 1", 4, 5, "torques.hip.amplitude: is missing", "add");
}

TEST(scenario_reader, refuses_other_kinds_of_values)
{
    REFUSES("duration: [1]", 2, 11, "duration: expected", "a number, e.g. 1 s, got a list");
    REFUSES("duration: {a: 1}", 2, 11, "duration: expected", "a number, e.g. 1 s, got a mapping");
    REFUSES("duration:", 2, 10, "duration: the value is missing", "a number, e.g. 1 s");
    REFUSES("title: [a]", 2, 8, "title: expected", "a text, got a list");
    REFUSES("title: ''", 2, 8, "title: the value is missing", "a text");
    REFUSES("title: null", 2, 8, "title: the value is missing", "a text");
    REFUSES("servo: stiff", 2, 1, "servo: expected", "{stiffness: ...}, got 'stiff'");
    REFUSES("servo:", 2, 1, "servo: the value is missing", "{stiffness: ...}");
    REFUSES("target: [5]", 2, 1, "target: expected", "{mass: ...}, got a list");
    REFUSES("contacts: {link: a}", 2, 11, "contacts: expected", "'- ', got a mapping");
    REFUSES("contacts: [a]", 2, 12, "contacts[0]: expected", "{link: ...}, got 'a'");
    REFUSES("grounded: [[a]]", 2, 12, "grounded[0]: expected", "a text, got a list");
    REFUSES("torques: 5", 2, 10, "torques: expected", "{name: ...}, got '5'");
    REFUSES("gravity: 9.81", 2, 10, "gravity: expected",
            "a list of 3 numbers, such as [0, 0, 1], got '9.81'");
    REFUSES("gravity: [0, 0, {}]", 2, 17, "gravity[2]: expected",
            "a number, e.g. 0 m/s^2, got a mapping");
    REFUSES("posture: [1]", 2, 10, "posture: expected a number", "got a list");
}

TEST(scenario_reader, refuses_numbers_that_cannot_be)
{
    REFUSES("duration: long", 2, 11, "duration: 'long' is not a number", "e.g. 1 s");
    REFUSES("duration: 5 kg", 2, 11, "duration: '5 kg' is not a time; give it in s", "e.g. 1 s");
    REFUSES("duration: 5 sec", 2, 11, "'5 sec' has an unknown unit after its number", "give 1 s");
    REFUSES("duration: 0", 2, 11, "duration: '0' is out of range", "give from 1e-9 to 1e6 s");
    REFUSES("duration: nan", 2, 11, "duration: 'nan' has no value", "e.g. 1 s");
    REFUSES("duration: inf", 2, 11, "duration: 'inf' is not finite", "from 1e-9 to 1e6 s");
    REFUSES("duration: 1e999", 2, 11, "too large", "e.g. 1 s");
    REFUSES("speed: 3 m/s", 2, 8, "speed: '3 m/s' is out of range", "from 0.1 to 2.5 m/s");
    REFUSES("effort: -1", 2, 9, "effort: '-1' is out of range", "0, or from 1e-6 to 1e8 N m");
    REFUSES("servo: {damping_ratio: 1 s}", 2, 24, "'1 s' is not a pure number", "without a unit");
    REFUSES("servo: {stiffness: {hip: 1 N}}", 2, 26,
            "servo.stiffness.hip: '1 N' is not a stiffness", "N m/rad");
    REFUSES("steps: 2.5", 2, 8, "steps: '2.5' is not a whole number", "e.g. 2");
    REFUSES("steps: 1e12", 2, 8, "steps: '1e12' is out of range", "from 1 to 1000");
    REFUSES("gravity: [0, 0]", 2, 10, "gravity: has 2 numbers", "list of 3 numbers");
    REFUSES("corners: []", 2, 10, "corners: has 0 numbers", "list of 1 to 4 numbers");
    REFUSES("contacts: [{link: a, point: [1, 2, x]}]", 2, 36, "contacts[0].point[2]: 'x'",
            "not a number");
}

TEST(scenario_reader, refuses_words_that_are_not_known)
{
    REFUSES("law: sprnig", 2, 6, "law: 'sprnig' is not known here (did you mean 'spring'?)",
            "give spring, kelvin_voigt or hunt_crossley");
    REFUSES("exact: yes", 2, 8, "exact: 'yes' is not known", "give true or false");
    REFUSES("posture: {kne: 1}", 2, 11, "posture: there is no joint 'kne'", "did you mean 'knee'");
    REFUSES("grounded: [a, b, c, d, e]", 2, 11, "grounded: has 5 items", "at most 4");
}

TEST(scenario_reader, refuses_and_cuts_a_very_long_text)
{
    char  *text = (char *)malloc(20000);
    size_t used = (size_t)snprintf(text, 20000, "robot: r\nlaw: ");
    memset(text + used, 'x', 4000);
    text[used + 4000] = '\0';
    check_refusal(CHECK_PLACE("long word"), text, 2, 6, "xxx...' is not known", "give spring");
    memset(text + used, 'x', 6000);
    text[used + 6000] = '\0';
    check_refusal(CHECK_PLACE("longer word"), text, 2, 6, "law: is longer than 4095 bytes",
                  "limit");
    free(text);
}

TEST(scenario_reader, reports_what_stands_in_the_way_of_a_file)
{
    atemi_scenario_reader *reader;
    atemi_error            error = {0};
    CHECK_STATUS(atemi_scenario_open("/no/such.yaml", &reader, &error), ATEMI_ERROR_FILE);
    CHECK(!reader);
    CHECK_EQUAL_STRING(error.file, "/no/such.yaml");
    CHECK_CONTAINS(error.message, "no such file");
    CHECK_STATUS(atemi_scenario_open(ATEMI_SOURCE_DIR, &reader, &error), ATEMI_ERROR_FILE);
    CHECK_STATUS(atemi_scenario_open("/dev/null", &reader, &error), ATEMI_ERROR_SYNTAX);
    CHECK_STATUS(atemi_scenario_open("/dev/zero", &reader, &error), ATEMI_ERROR_LIMIT);
    CHECK_STATUS(atemi_scenario_open(ATEMI_SOURCE_DIR "/tests/fuzz/corpus/scenario/full.yaml",
                                     &reader, &error),
                 ATEMI_OK);
    sample_scenario sample;
    CHECK_STATUS(sample_read(reader, &sample, &error), ATEMI_OK);
    CHECK_EQUAL_INT(sample.contact_count, 2);
    atemi_scenario_close(reader);
}

TEST(scenario_reader, returns_defaults_after_the_first_error)
{
    sample_scenario        sample;
    atemi_error            error = {0};
    atemi_scenario_reader *reader = open_text("robot: r\nduration: x\nspeed: y\nsteps: 5\n"
                                              "target: {mass: 1}\ncontacts: [{link: a}]\n");
    CHECK_STATUS(sample_read(reader, &sample, &error), ATEMI_ERROR_INPUT);
    CHECK(atemi_scenario_failed(reader));
    CHECK_CONTAINS(error.message, "duration");
    CHECK_EQUAL_INT(sample.steps, 10);
    CHECK(!sample.has_target);
    CHECK_EQUAL_INT(sample.contact_count, 0);
    CHECK_EQUAL_INT(atemi_scenario_look(reader, "steps"), ATEMI_SCENARIO_ABSENT);
    CHECK_EQUAL_STRING(atemi_scenario_string(reader, "r", (atemi_string_key){.required = true}),
                       "");
    atemi_scenario_close(reader);
}

TEST(scenario_reader, lets_the_caller_fail_where_a_value_stands)
{
    atemi_error            error = {0};
    atemi_scenario_reader *reader = open_text("a: 1\ncontacts:\n  - link: foo\n");
    atemi_scenario_number(reader, "a", (atemi_number_key){.fallback = 0.0});
    CHECK_EQUAL_INT(atemi_scenario_look(reader, "contacts"), ATEMI_SCENARIO_LIST);
    CHECK_EQUAL_INT(atemi_scenario_look(reader, "a"), ATEMI_SCENARIO_VALUE);
    CHECK_EQUAL_INT(atemi_scenario_look(reader, "b"), ATEMI_SCENARIO_ABSENT);
    CHECK_EQUAL_INT(atemi_scenario_enter_list(reader, "contacts", 0, 9, NULL), 1);
    CHECK(atemi_scenario_next(reader));
    CHECK_EQUAL_INT(atemi_scenario_look(reader, NULL), ATEMI_SCENARIO_MAPPING);
    atemi_scenario_string(reader, "link", (atemi_string_key){.required = true});
    const atemi_scenario_mark mark = atemi_scenario_last(reader);
    CHECK_EQUAL_STRING(mark.path, "contacts[0].link");
    CHECK(!atemi_scenario_next(reader));
    CHECK_STATUS(atemi_scenario_finish(reader, &error), ATEMI_OK);

    CHECK_STATUS(atemi_scenario_fail(reader, mark, "there is no link '%s'", "foo"),
                 ATEMI_ERROR_INPUT);
    CHECK_STATUS(atemi_scenario_fail(reader, mark, "another"), ATEMI_ERROR_INPUT);
    CHECK_STATUS(atemi_scenario_finish(reader, &error), ATEMI_ERROR_INPUT);
    CHECK_EQUAL_STRING(error.message, "contacts[0].link: there is no link 'foo'");
    CHECK_EQUAL_INT(error.line, 3);
    CHECK_EQUAL_INT(error.column, 11);
    atemi_scenario_close(reader);
}

TEST(scenario_reader, has_contracts_that_end_in_an_error)
{
    const atemi_number_key number = {.fallback = 3.0};
    atemi_error            error = {0};
    atemi_scenario_reader *reader = open_text("a: 1\n");
    CHECK_NEAR(atemi_scenario_number(reader, "a", number), 1.0, 0.0);
    CHECK_BREAKS_CONTRACT(atemi_scenario_number(reader, "a", number));
    CHECK_STATUS(atemi_scenario_finish(reader, &error), ATEMI_ERROR_CONTRACT);
    atemi_scenario_close(reader);

    reader = open_text("a: [1]\n");
    CHECK_BREAKS_CONTRACT(atemi_scenario_next(reader));
    CHECK_BREAKS_CONTRACT(atemi_scenario_leave(reader));
    CHECK_BREAKS_CONTRACT(atemi_scenario_name(reader));
    atemi_scenario_enter_list(reader, "a", 0, 1, NULL);
    CHECK_BREAKS_CONTRACT(atemi_scenario_finish(reader, &error));
    CHECK_BREAKS_CONTRACT(atemi_scenario_number(reader, NULL, number));
    atemi_scenario_close(reader);
    atemi_scenario_close(NULL);
}

// ---- Explanations

static const atemi_scenario_row *find_row(const atemi_scenario_reader *reader, const char *path)
{
    int                       count;
    const atemi_scenario_row *rows = atemi_scenario_rows(reader, &count);
    for (int i = 0; i < count; ++i) {
        if (strcmp(rows[i].mark.path, path) == 0) {
            return &rows[i];
        }
    }
    check_fail(CHECK_PLACE("find_row()"), "there is no row %s", path);
}

TEST(scenario_reader, has_a_row_for_every_key)
{
    sample_scenario           sample;
    atemi_scenario_reader    *reader = read_sample("robot: r\nduration: 20 ms\n"
                                                      "servo: {stiffness: {others: 1, hip: 2}}\n",
                                                   &sample);
    const atemi_scenario_row *row = find_row(reader, "duration");
    CHECK_EQUAL_STRING(row->key, "duration");
    CHECK_EQUAL_STRING(row->type, "number");
    CHECK_EQUAL_STRING(row->value, "0.02 s");
    CHECK_EQUAL_STRING(row->fallback, "1 s");
    CHECK_EQUAL_STRING(row->unit, "s");
    CHECK_EQUAL_STRING(row->range,
                       "from 1e-9 to 1e6 s (eleven days: then time is no longer exact to 1e-9 s)");
    CHECK_EQUAL_STRING(row->help, "how long to simulate");
    CHECK(row->given && !row->required);
    CHECK_EQUAL_INT(row->mark.place.line, 2);
    CHECK(!find_row(reader, "steps")->given);
    CHECK_EQUAL_STRING(find_row(reader, "steps")->value, "10");
    CHECK(find_row(reader, "robot")->required);
    CHECK_EQUAL_STRING(find_row(reader, "servo.stiffness.hip")->value, "2 N m/rad");
    CHECK(find_row(reader, "servo.stiffness.knee")->given);
    CHECK_EQUAL_STRING(find_row(reader, "law")->type,
                       "one of spring, kelvin_voigt or hunt_crossley");
    CHECK(!find_row(reader, "target")->given);
    atemi_scenario_close(reader);
}

// The explanation is a scenario that says the same.
TEST(scenario_reader, explains_itself_by_a_file_that_reads_the_same)
{
    static const char *const texts[] = {
        "robot: r\n",
        "robot: 'null'\ntitle: \"\\\"\\\\ \\n\\t: #\\L\\P\\uFFFE\\uFEFF \\u00e9\"\n",
        "robot: r\ncontacts: []\ntorques: {}\nservo: {}\nposture: {}\n",
        "robot: r\nspeed: 1/3\ncorners: [1/7, pi, 1e-300]\nposture: {hip: 1 deg}\neffort: 5\n"
        "contacts: [{link: a}, {link: b, friction: 0.1}]\ngrounded: [a, '- b']\n"
        "torques: {'a: b': 1, c: {amplitude: 2}}\ntable: [[1, 2], [3, 4]]\n"
        "target: {mass: 1 g}\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i) {
        sample_scenario           first, second;
        atemi_scenario_reader    *reader = read_sample(texts[i], &first);
        char                     *text = atemi_scenario_explain(reader);
        atemi_scenario_reader    *again = read_sample(text, &second);
        int                       count, count_again;
        const atemi_scenario_row *rows = atemi_scenario_rows(reader, &count);
        const atemi_scenario_row *rows_again = atemi_scenario_rows(again, &count_again);
        CHECK_EQUAL_INT(count_again, count);
        for (int k = 0; k < count; ++k) {
            CHECK_EQUAL_STRING(rows_again[k].mark.path, rows[k].mark.path);
            CHECK((rows_again[k].value != NULL) == (rows[k].value != NULL));
            if (rows[k].value) {
                CHECK_EQUAL_STRING(rows_again[k].value, rows[k].value);
            }
        }
        CHECK_NEAR(second.speed, first.speed, 0.0);
        CHECK_NEAR(second.posture[0], first.posture[0], 0.0);
        CHECK_NEAR(second.corners[1], first.corners[1], 0.0);
        CHECK_EQUAL_STRING(second.robot, first.robot);
        if (first.title) {
            CHECK_EQUAL_STRING(second.title, first.title);
        }
        atemi_scenario_close(again);
        atemi_release(text);
        atemi_scenario_close(reader);
    }
}

TEST(scenario_reader, explains_where_values_come_from)
{
    sample_scenario        sample;
    atemi_scenario_reader *reader =
        read_sample("robot: r\nduration: 2\ncontacts: [{link: a}]\n", &sample);
    char *text = atemi_scenario_explain(reader);
    CHECK_CONTAINS(text,
                   "duration: 2 s                           # given; default 1 s; number; "
                   "from 1e-9 to 1e6 s (eleven days: then time is no longer exact to 1e-9 s); "
                   "how long to simulate\n");
    CHECK_CONTAINS(text, "steps: 10                               # default; whole number; "
                         "from 1 to 1000\n");
    CHECK_CONTAINS(text, "# target:                               # not given; optional mapping; "
                         "what is hit\n");
    CHECK_CONTAINS(text, "contacts:                               # given; list; 0 to 4 items; "
                         "what touches the floor\n"
                         "  - link: a                             # given; required; text; "
                         "the link that touches\n"
                         "    point: [0, 0, 0]                    # default; list of 3 numbers; "
                         "in m; from -1e5 to 1e5 m (beyond 100 km rounding nears the 1e-9 m of "
                         "contacts)\n");
    atemi_release(text);
    atemi_scenario_close(reader);
}

TEST(scenario_reader, explains_all_keys_without_a_file)
{
    sample_scenario        sample;
    atemi_scenario_reader *reader;
    CHECK_STATUS(atemi_scenario_open_blank(&reader, NULL), ATEMI_OK);
    CHECK_STATUS(sample_read(reader, &sample, NULL), ATEMI_OK);
    CHECK_EQUAL_STRING(sample.robot, "");
    CHECK(find_row(reader, "target.mass")->required);
    CHECK(!find_row(reader, "target.mass")->value);
    CHECK_EQUAL_STRING(find_row(reader, "contacts[0].friction")->value, "0.8");
    CHECK_EQUAL_STRING(find_row(reader, "torques.NAME.frequency")->unit, "Hz");
    char *text = atemi_scenario_explain(reader);
    CHECK_CONTAINS(text, "# robot:                                # not given; required; text");
    CHECK_CONTAINS(text, "    # link:                             # not given; required; text");
    atemi_release(text);
    atemi_scenario_close(reader);
}

// ---- Memory

static atemi_status read_without_memory(const char *text)
{
    sample_scenario        sample;
    atemi_scenario_reader *reader;
    atemi_error            error = {0};
    atemi_status           status =
        text ? atemi_scenario_open_text(text, strlen(text), "test.yaml", &reader, &error)
                       : atemi_scenario_open_blank(&reader, &error);
    CHECK((reader != NULL) == (status == ATEMI_OK));
    if (!status) {
        status = sample_read(reader, &sample, &error);
        char *explanation = atemi_scenario_explain(reader);
        status = status || explanation ? status : ATEMI_ERROR_MEMORY;
        atemi_release(explanation);
    }
    atemi_scenario_close(reader);
    return status;
}

TEST(scenario_reader, loses_nothing_without_memory)
{
    static const char *const texts[] = {
        NULL,
        "robot: r\ntitle: t\nposture: {hip: 1}\ncontacts: [{link: a, friction: 1}]\n"
        "grounded: [a]\ntorques: {a: 1}\ntable: [[1, 2]]\ntarget: {mass: 1}\n",
        "robot: r\nunknown: t\n",
        "robot: r\nduration: 5 kg\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i) {
        bool failed = true;
        for (int n = 1; failed; ++n) {
            failing_allocator_install(n);
            const atemi_status status = read_without_memory(texts[i]);
            failed = failing_allocator_failed();
            // Without memory for the words of another error, that error may be first.
            CHECK(!failed || status == ATEMI_ERROR_MEMORY || (i > 1 && status));
            CHECK(failed || status == (i > 1 ? ATEMI_ERROR_INPUT : ATEMI_OK));
            CHECK_EQUAL_INT(failing_allocator_outstanding(), 0);
            failing_allocator_remove();
            CHECK(n < 2000);
        }
    }
}
