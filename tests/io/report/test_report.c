// SPDX-License-Identifier: Apache-2.0

#include "atemi/recording.h"

#include "allocations.h"
#include "check.h"
#include "folder.h"
#include "job_runs.h"
#include "random.h"
#include "texts.h"

#include <float.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

// A page is read back by a decoder of its own: it finds the elements by their ids, undoes base64,
// zlib and the differences, and compares with the recording. A library that was built without the
// page has nothing to read, and must say so.

typedef struct report_page {
    char   *text;
    json_t *json;
} report_page;

static char *read_all(const char *path)
{
    FILE *file = fopen(path, "rb");
    CHECK(file != NULL);
    CHECK(fseek(file, 0, SEEK_END) == 0);
    const size_t size = (size_t)ftell(file);
    rewind(file);
    char *text = (char *)malloc(size + 1);
    CHECK(text && fread(text, 1, size, file) == size);
    text[size] = '\0';
    CHECK_EQUAL_INT(strlen(text), size);
    fclose(file);
    return text;
}

// The content of a script element, to be freed; NULL where there is none.
static char *element(const report_page *page, const char *id)
{
    char mark[64];
    snprintf(mark, sizeof mark, "id=\"%s\">", id);
    const char *start = strstr(page->text, mark);
    if (!start) {
        return NULL;
    }
    start += strlen(mark);
    const char  *end = strstr(start, "</script");
    const size_t size = (size_t)(end - start);
    char        *content = (char *)malloc(size + 1);
    CHECK(end && content);
    memcpy(content, start, size);
    content[size] = '\0';
    return content;
}

static report_page open_page(const char *path)
{
    json_error_t fault;
    report_page  page = {.text = read_all(path)};
    char        *json = element(&page, "atemi-report");
    CHECK(json && !strchr(json, '<'));
    page.json = json_loads(json, JSON_REJECT_DUPLICATES, &fault);
    CHECK(page.json != NULL);
    free(json);
    return page;
}

static void close_page(report_page *page)
{
    json_decref(page->json);
    free(page->text);
}

// Writes a report and opens it; false where this library has no page.
static bool report(const atemi_recording *recording, report_page *page)
{
    atemi_error  error = {0};
    folder       home = folder_create();
    const char  *path = folder_path(home.path, "report.html");
    atemi_status status = atemi_report_write(recording, path, &error);
    if (atemi_report_available()) {
        CHECK_STATUS(status, ATEMI_OK);
        *page = open_page(path);
    } else {
        CHECK_STATUS(status, ATEMI_ERROR_NOT_FOUND);
        CHECK_CONTAINS(error.message, "npm");
        CHECK_EQUAL_INT(folder_count(home.path), 0);
    }
    folder_remove(home.path);
    return atemi_report_available();
}

// ---- The decoder

static int letter_value(char letter)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = strchr(letters, letter);
    CHECK(at && letter);
    return (int)(at - letters);
}

static size_t decode_base64(const char *text, unsigned char *bytes)
{
    const size_t length = strlen(text);
    size_t       size = 0;
    CHECK_EQUAL_INT(length % 4, 0);
    for (size_t i = 0; i < length; i += 4) {
        const int      pads = (text[i + 3] == '=') + (text[i + 2] == '=');
        const unsigned group = (unsigned)letter_value(text[i]) << 18 |
                               (unsigned)letter_value(text[i + 1]) << 12 |
                               (pads > 1 ? 0U : (unsigned)letter_value(text[i + 2]) << 6) |
                               (pads > 0 ? 0U : (unsigned)letter_value(text[i + 3]));
        for (int k = 0; k < 3 - pads; ++k) {
            bytes[size++] = (unsigned char)(group >> (16 - 8 * k));
        }
    }
    return size;
}

// The unpacked bytes of an element, to be freed, which must be as many as expected.
static unsigned char *unpack(const report_page *page, const char *id, size_t expected)
{
    char *text = element(page, id);
    CHECK(text != NULL);
    unsigned char *packed = (unsigned char *)malloc(strlen(text) + 1);
    unsigned char *bytes = (unsigned char *)malloc(expected + 1);
    uLongf         size = (uLongf)expected + 1;
    CHECK(packed && bytes);
    CHECK_EQUAL_INT(uncompress(bytes, &size, packed, (uLong)decode_base64(text, packed)), Z_OK);
    CHECK_EQUAL_INT(size, expected);
    free(packed);
    free(text);
    return bytes;
}

static double number_of(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return json_is_null(value) ? (double)NAN : json_number_value(value);
}

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    CHECK(text != NULL);
    return text;
}

static void decode_u16(const json_t *about, const unsigned char *bytes, int rows, double *values)
{
    unsigned now = 0;
    for (int i = 0; i < rows; ++i) {
        now = (now + bytes[2 * i] + 256U * bytes[2 * i + 1]) & 0xFFFFU;
        values[i] =
            now == 65535 ? (double)NAN : number_of(about, "min") + number_of(about, "scale") * now;
    }
}

// The values of a column, to be freed, and how far each may be off.
static double *decode(const report_page *page, int column, int rows, double *tolerance)
{
    char          id[32];
    const json_t *about = json_array_get(json_object_get(page->json, "data"), (size_t)column);
    const char   *encoding = text_of(about, "encoding");
    double       *values = (double *)malloc((size_t)rows * sizeof *values + 1);
    CHECK(values != NULL);
    snprintf(id, sizeof id, "atemi-column-%d", column);
    *tolerance = 0.0;
    if (strcmp(encoding, "u16") == 0) {
        unsigned char *bytes = unpack(page, id, 2 * (size_t)rows);
        decode_u16(about, bytes, rows, values);
        free(bytes);
        *tolerance = 0.5 * number_of(about, "scale");
    } else if (strcmp(encoding, "f64") == 0) {
        unsigned char *bytes = unpack(page, id, 8 * (size_t)rows);
        memcpy(values, bytes, 8 * (size_t)rows);
        free(bytes);
    } else {
        CHECK(element(page, id) == NULL);
        const bool is_grid = strcmp(encoding, "grid") == 0;
        CHECK(is_grid || strcmp(encoding, "constant") == 0);
        for (int i = 0; i < rows; ++i) {
            values[i] = is_grid ? number_of(about, "start") + number_of(about, "step") * i
                                : number_of(about, "value");
        }
    }
    return values;
}

static void check_column(const report_page *page, const atemi_recording *recording, int column)
{
    double        tolerance;
    const int     rows = atemi_recording_row_count(recording);
    const double *expected = atemi_recording_values(recording, column);
    double       *values = decode(page, column, rows, &tolerance);
    for (int i = 0; i < rows; ++i) {
        CHECK(isnan(values[i]) == isnan(expected[i]));
        if (!isnan(expected[i])) {
            const double rounding = 16.0 * DBL_EPSILON * fabs(expected[i]) + DBL_MIN;
            CHECK_NEAR(values[i], expected[i], tolerance * (1.0 + 1e-9) + rounding);
        }
    }
    free(values);
}

static void check_columns(const report_page *page, const atemi_recording *recording)
{
    const json_t *columns = json_object_get(json_object_get(page->json, "summary"), "columns");
    const int     count = atemi_recording_channel_count(recording);
    CHECK_EQUAL_INT(json_array_size(columns), count);
    CHECK_EQUAL_INT(json_array_size(json_object_get(page->json, "data")), count);
    for (int i = 0; i < count; ++i) {
        CHECK_EQUAL_STRING(text_of(json_array_get(columns, (size_t)i), "name"),
                           atemi_recording_channel(recording, i)->name);
        check_column(page, recording, i);
    }
}

static const char *encoding_of(const report_page *page, int column)
{
    return text_of(json_array_get(json_object_get(page->json, "data"), (size_t)column), "encoding");
}

static atemi_recording *create(int count, const atemi_channel *channels)
{
    atemi_error      error = {0};
    atemi_recording *recording;
    CHECK_STATUS(atemi_recording_create(count, channels, &recording, &error), ATEMI_OK);
    return recording;
}

// ---- Numbers

// Of every kind one: each row has them by its number.
static void fill_row(int i, double *row)
{
    row[0] = 0.25 + 1e-3 * i;
    row[1] = sin(0.01 * i);
    row[2] = i % 7 == 3 ? (double)NAN : 1e6 * cos(0.02 * i);
    row[3] = -7.25;
    row[4] = (double)NAN;
    row[5] = i / 100 % 5;
    row[6] = i % 2 ? DBL_MAX : -DBL_MAX;
    row[7] = i % 2 ? 5e-324 : 0.0;
    row[8] = 1e12 + 1e-3 * i;
    row[9] = i % 3 ? 42.5 : (double)NAN;
}

TEST(report, has_every_number_within_half_a_step)
{
    const atemi_channel      channels[] = {{"t", "s", NULL},       {"sine", "m", NULL},
                                           {"gaps", "N", NULL},    {"same", "-", NULL},
                                           {"none", "-", NULL},    {"mode", "-", NULL},
                                           {"extreme", "-", NULL}, {"tiny", "-", NULL},
                                           {"far", "m", NULL},     {"same_or_none", "-", NULL}};
    static const char *const encodings[] = {"grid", "u16", "u16", "constant", "constant",
                                            "u16",  "f64", "f64", "u16",      "u16"};
    atemi_error              error = {0};
    atemi_recording         *recording = create(10, channels);
    report_page              page;
    for (int i = 0; i < 5000; ++i) {
        double row[10];
        fill_row(i, row);
        CHECK_STATUS(atemi_recording_append(recording, row, &error), ATEMI_OK);
    }
    if (report(recording, &page)) {
        check_columns(&page, recording);
        for (int i = 0; i < 10; ++i) {
            CHECK_EQUAL_STRING(encoding_of(&page, i), encodings[i]);
        }
        double  exact;
        double *modes = decode(&page, 5, 5000, &exact);
        for (int i = 0; i < 5000; ++i) {
            CHECK(modes[i] == atemi_recording_values(recording, 5)[i]);
        }
        free(modes);
        close_page(&page);
    }
    atemi_recording_destroy(recording);
}

TEST(report, has_time_exactly_where_it_is_no_grid)
{
    const atemi_channel channels[] = {{"t", "s", NULL}, {"x", "m", NULL}};
    const double        times[] = {0.0, 0.1, 0.2, 0.2, 0.3, 1.0 / 3.0};
    atemi_error         error = {0};
    atemi_recording    *recording = create(2, channels);
    report_page         page;
    for (int i = 0; i < 6; ++i) {
        CHECK_STATUS(atemi_recording_append(recording, (double[]){times[i], i}, &error), ATEMI_OK);
    }
    if (report(recording, &page)) {
        double  tolerance;
        double *t = decode(&page, 0, 6, &tolerance);
        CHECK_EQUAL_STRING(encoding_of(&page, 0), "f64");
        CHECK(memcmp(t, times, sizeof times) == 0);
        free(t);
        check_columns(&page, recording);
        close_page(&page);
    }
    atemi_recording_destroy(recording);
}

TEST(report, of_random_columns_decodes)
{
    const atemi_channel channels[] = {{"t", "s", NULL}, {"a", "-", NULL}, {"b", "-", NULL}};
    for (uint64_t seed = 1; seed <= 20; ++seed) {
        random_stream    stream = random_seeded(seed);
        atemi_error      error = {0};
        atemi_recording *recording = create(3, channels);
        report_page      page;
        const int        rows = (int)(random_bits(&stream) % 300);
        const double     size = pow(10.0, random_uniform(&stream, -300.0, 300.0));
        double           t = 0.0;
        for (int i = 0; i < rows; ++i) {
            t += random_uniform(&stream, 0.0, 1e-3);
            const double row[] = {t, random_uniform(&stream, -size, size),
                                  floor(random_uniform(&stream, -40000.0, 40000.0))};
            CHECK_STATUS(atemi_recording_append(recording, row, &error), ATEMI_OK);
        }
        if (report(recording, &page)) {
            check_columns(&page, recording);
            close_page(&page);
        }
        atemi_recording_destroy(recording);
    }
}

TEST(report, of_nothing_but_time_is_a_report)
{
    const atemi_channel channels[] = {{"t", "s", NULL}};
    atemi_recording    *recording = create(1, channels);
    report_page         page;
    if (report(recording, &page)) {
        CHECK_EQUAL_STRING(text_of(page.json, "format"), "atemi-report");
        CHECK(json_integer_value(json_object_get(page.json, "version")) == 1);
        CHECK(json_is_null(json_object_get(page.json, "robot")));
        CHECK(json_is_null(json_object_get(page.json, "scenario")));
        CHECK(json_is_null(json_object_get(page.json, "com")));
        CHECK(json_is_null(json_object_get(page.json, "zmp")));
        CHECK(json_is_null(json_object_get(page.json, "target")));
        CHECK_EQUAL_INT(json_array_size(json_object_get(page.json, "contacts")), 0);
        CHECK_EQUAL_INT(json_array_size(json_object_get(page.json, "surfaces")), 0);
        CHECK_EQUAL_INT(json_array_size(json_object_get(page.json, "meshes")), 0);
        check_columns(&page, recording);
        close_page(&page);
    }
    atemi_recording_destroy(recording);
}

// ---- Text

static const char *const hostile[] = {"</script><script>alert(1)</script>",
                                      "<!--<script>",
                                      "]]>--><img src=x onerror=alert(1)>",
                                      "a\"b'c\\d",
                                      "line\xe2\x80\xa8separator\xe2\x80\xa9",
                                      "tab\tnew\nline\x7f\x01",
                                      "<!--ATEMI-RECORDING-->"};

enum { HOSTILE = sizeof hostile / sizeof hostile[0] };

static atemi_recording *create_hostile(void)
{
    atemi_error   error = {0};
    atemi_channel channels[HOSTILE + 1] = {{"t", "s", NULL}};
    for (int i = 0; i < HOSTILE; ++i) {
        channels[i + 1] = (atemi_channel){hostile[i], NULL, NULL};
    }
    atemi_recording *recording = create(HOSTILE + 1, channels);
    for (int i = 0; i < HOSTILE; ++i) {
        const atemi_recorded_surface surface = {hostile[i], atemi_surface_floor()};
        const atemi_recorded_event   event = {.kind = hostile[i], .what = hostile[i]};
        const atemi_recorded_result result = {hostile[i], 1.0, "</i>", NAN, NAN, hostile[i], false};
        CHECK_STATUS(atemi_recording_add_surface(recording, &surface, &error), ATEMI_OK);
        CHECK_STATUS(atemi_recording_add_event(recording, &event, &error), ATEMI_OK);
        CHECK_STATUS(atemi_recording_add_result(recording, &result, &error), ATEMI_OK);
    }
    static const char urdf[] =
        "<robot name=\"&lt;/script>&lt;!--\"><link name=\"&lt;b>\">"
        "<inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" "
        "izz=\"1\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial></link></robot>";
    atemi_model *model;
    CHECK_STATUS(atemi_urdf_parse(urdf, strlen(urdf), NULL, NULL, &model, &error), ATEMI_OK);
    const atemi_recorded_job job = {
        hostile[0], hostile[1], model, urdf, strlen(urdf), "\xff</a>\0b", sizeof "\xff</a>\0b" - 1,
        NULL};
    CHECK_STATUS(atemi_recording_describe(recording, &job, &error), ATEMI_OK);
    atemi_model_destroy(model);
    return recording;
}

TEST(report, has_no_text_that_breaks_out_of_its_element)
{
    const atemi_channel plain[] = {{"t", "s", NULL}};
    atemi_recording    *tame = create(1, plain);
    atemi_recording    *wild = create_hostile();
    report_page         before, after;
    if (report(tame, &before) && report(wild, &after)) {
        // The columns of a recording without rows are constants, but time, which both have.
        CHECK_EQUAL_INT(count_of(after.text, "<script"), count_of(before.text, "<script"));
        CHECK_EQUAL_INT(count_of(after.text, "</script"), count_of(before.text, "</script"));
        CHECK_EQUAL_INT(count_of(after.text, "<!--"), count_of(before.text, "<!--"));
        CHECK(strstr(after.text, "<img src=x") == NULL);
        check_columns(&after, wild);
        CHECK_EQUAL_STRING(text_of(json_object_get(after.json, "summary"), "outcome"), hostile[1]);
        CHECK_EQUAL_STRING(text_of(json_object_get(after.json, "robot"), "name"), "</script><!--");
        CHECK_EQUAL_STRING(text_of(after.json, "scenario"), "?</a>?b");
        close_page(&before);
        close_page(&after);
    }
    atemi_recording_destroy(tame);
    atemi_recording_destroy(wild);
}

// ---- Robot, contacts, surfaces

static atemi_recording *simulate(const char *text)
{
    atemi_error      error = {0};
    atemi_recording *recording;
    CHECK_STATUS(job_simulate_text(text, strlen(text), NULL, NULL, &recording, &error), ATEMI_OK);
    return recording;
}

static void check_names(const atemi_recording *recording, const json_t *columns, int count,
                        const char *const *names)
{
    CHECK_EQUAL_INT(json_array_size(columns), count);
    for (int i = 0; i < count; ++i) {
        const int column = (int)json_integer_value(json_array_get(columns, (size_t)i));
        CHECK_EQUAL_STRING(atemi_recording_channel(recording, column)->name, names[i]);
    }
}

TEST(report, tells_robot_and_contacts_by_the_indices_of_columns)
{
    static const char *const base[] = {"q.base.x",
                                       "q.base.y",
                                       "q.base.z",
                                       "q.base.quaternion_x",
                                       "q.base.quaternion_y",
                                       "q.base.quaternion_z",
                                       "q.base.quaternion_w"};
    static const char *const knee[] = {"q.right_knee"};
    static const char *const force[] = {"contact.right_sole.2.force_x",
                                        "contact.right_sole.2.force_y",
                                        "contact.right_sole.2.force_z"};
    static const char *const place[] = {"contact.right_sole.2.position_x",
                                        "contact.right_sole.2.position_y",
                                        "contact.right_sole.2.position_z"};
    atemi_recording         *recording = simulate("robot: hrp2_like\n"
                                                          "start: {posture: half_sitting, place_on: floor}\n"
                                                          "contacts: [{site: right_sole}, {site: left_sole}]\n"
                                                          "duration: 20 ms\n");
    report_page              page;
    if (report(recording, &page)) {
        const json_t *robot = json_object_get(page.json, "robot");
        const json_t *joints = json_object_get(robot, "joints");
        const json_t *contact = json_array_get(json_object_get(page.json, "contacts"), 2);
        CHECK_EQUAL_STRING(text_of(robot, "base"), "floating");
        check_names(recording, json_object_get(robot, "base_columns"), 7, base);
        CHECK_EQUAL_INT(json_array_size(joints), atemi_recording_robot(recording)->joint_count);
        bool found = false;
        for (size_t i = 0; i < json_array_size(joints); ++i) {
            const json_t *joint = json_array_get(joints, i);
            if (strcmp(text_of(joint, "name"), "right_knee") == 0) {
                check_names(recording, json_object_get(joint, "columns"), 1, knee);
                found = true;
            }
        }
        CHECK(found);
        CHECK_EQUAL_STRING(text_of(contact, "name"), "right_sole.2");
        check_names(recording, json_object_get(contact, "force"), 3, force);
        check_names(recording, json_object_get(contact, "position"), 3, place);
        const json_t *surface = json_array_get(json_object_get(page.json, "surfaces"), 0);
        CHECK_EQUAL_STRING(text_of(surface, "kind"), "plane");
        CHECK_EQUAL_INT(json_array_size(json_object_get(page.json, "com")), 3);
        CHECK_EQUAL_INT(json_array_size(json_object_get(page.json, "zmp")), 2);
        check_columns(&page, recording);
        close_page(&page);
    }
    atemi_recording_destroy(recording);
}

static void add_result(atemi_recording *recording, const char *name, double value)
{
    const atemi_recorded_result result = {.name = name, .value = value};
    CHECK_STATUS(atemi_recording_add_result(recording, &result, NULL), ATEMI_OK);
}

// Place by its columns, direction and width by the results of a strike.
TEST(report, names_the_target_that_is_hit)
{
    static const char *const place[] = {"target.position_x", "target.position_y",
                                        "target.position_z"};
    const atemi_channel      channels[] = {
        {"t", "s", NULL}, {place[0], "m", NULL}, {place[1], "m", NULL}, {place[2], "m", NULL}};
    atemi_recording *recording = create(4, channels);
    report_page      page;
    add_result(recording, "direction_x", 0.0);
    add_result(recording, "direction_y", 0.0);
    add_result(recording, "direction_z", -1.0);
    add_result(recording, "target_width", 0.25);
    if (report(recording, &page)) {
        const json_t *target = json_object_get(page.json, "target");
        const json_t *direction = json_object_get(target, "direction");
        check_names(recording, json_object_get(target, "position"), 3, place);
        CHECK_NEAR(json_number_value(json_array_get(direction, 2)), -1.0, 0.0);
        CHECK_NEAR(json_number_value(json_object_get(target, "width")), 0.25, 0.0);
        close_page(&page);
    }
    atemi_recording_destroy(recording);
}

static double last_value(const atemi_recording *recording, const char *name)
{
    const int column = atemi_recording_find_channel(recording, name);
    CHECK(column != ATEMI_NONE);
    return atemi_recording_values(recording, column)[atemi_recording_row_count(recording) - 1];
}

// The slope 3:4 goes through the origin: gap = (0.6 x + 0.8 z).
TEST(report, finds_contacts_where_the_recording_says_they_are)
{
    atemi_recording *recording = simulate("robot: hrp2_like\n"
                                          "start: {position: [0, 0, 2]}\n"
                                          "surfaces: {slope: {normal: [3, 0, 4]}}\n"
                                          "contacts: [{site: right_sole, surface: slope}]\n"
                                          "duration: 50 ms\n");
    const double     x = last_value(recording, "contact.right_sole.1.position_x");
    const double     z = last_value(recording, "contact.right_sole.1.position_z");
    CHECK(fabs(x) > 1e-3 && z > 0.5);
    CHECK_NEAR(last_value(recording, "contact.right_sole.1.gap"), 0.6 * x + 0.8 * z, 1e-12);
    CHECK_EQUAL_INT(atemi_recording_surface_count(recording), 1); // none can touch the floor
    CHECK_EQUAL_STRING(atemi_recording_surface(recording, 0)->name, "slope");
    atemi_recording_destroy(recording);
}

// A robot of sticks: no link has a shape.
static const char sticks[] =
    "<robot name='sticks'><link name='a'><inertial><mass value='1'/>"
    "<inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link>"
    "<joint name='j' type='revolute'><parent link='a'/><child link='b'/><axis xyz='0 1 0'/>"
    "<origin xyz='0 0 0.5'/><limit lower='-1' upper='1' effort='3'/></joint>"
    "<link name='b'><inertial><origin xyz='0.2 0 0'/><mass value='1'/>"
    "<inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial>%s</link></robot>";

static atemi_recording *create_sticks(const char *shape)
{
    char                urdf[2000];
    const atemi_channel channels[] = {{"t", "s", NULL}, {"q.j", "rad", NULL}};
    atemi_error         error = {0};
    atemi_recording    *recording = create(2, channels);
    atemi_model        *model;
    snprintf(urdf, sizeof urdf, sticks, shape);
    CHECK_STATUS(atemi_urdf_parse(urdf, strlen(urdf), NULL, NULL, &model, &error), ATEMI_OK);
    const atemi_recorded_job job = {.robot = model, .urdf = urdf, .urdf_size = strlen(urdf)};
    CHECK_STATUS(atemi_recording_describe(recording, &job, &error), ATEMI_OK);
    CHECK_STATUS(atemi_recording_append(recording, (double[]){0.0, 0.1}, &error), ATEMI_OK);
    atemi_model_destroy(model);
    return recording;
}

static const json_t *part_of(const report_page *page, size_t link)
{
    const json_t *links = json_object_get(json_object_get(page->json, "robot"), "links");
    return json_array_get(json_object_get(json_array_get(links, link), "parts"), 0);
}

TEST(report, draws_capsules_for_links_without_shapes)
{
    atemi_recording *recording = create_sticks("");
    report_page      page;
    if (report(recording, &page)) {
        const json_t *upper = part_of(&page, 0), *lower = part_of(&page, 1);
        CHECK_EQUAL_STRING(text_of(upper, "shape"), "capsule");
        CHECK_NEAR(json_number_value(json_array_get(json_object_get(upper, "size"), 1)), 0.5,
                   1e-15);
        CHECK_NEAR(json_number_value(json_array_get(json_object_get(upper, "position"), 2)), 0.25,
                   1e-15);
        CHECK_NEAR(json_number_value(json_array_get(json_object_get(lower, "size"), 1)), 0.4,
                   1e-15);
        close_page(&page);
    }
    atemi_recording_destroy(recording);
}

TEST(report, has_meshes_that_are_found_and_capsules_for_others)
{
    char             shape[300];
    const folder     home = folder_create();
    atemi_recording *recording;
    report_page      page;
    folder_put(folder_path(home.path, "a.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    snprintf(shape, sizeof shape,
             "<visual><geometry><mesh filename='%s/a.obj' scale='2 2 2'/></geometry></visual>",
             home.path);
    recording = create_sticks(shape);
    if (report(recording, &page)) {
        const float    vertices[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
        const uint32_t corners[] = {0, 1, 2};
        const json_t  *part = part_of(&page, 1);
        CHECK_EQUAL_STRING(text_of(part, "shape"), "mesh");
        CHECK_EQUAL_INT(json_integer_value(json_object_get(part, "mesh")), 0);
        CHECK(json_number_value(json_array_get(json_object_get(part, "size"), 0)) == 2.0);
        CHECK_EQUAL_INT(json_array_size(json_object_get(page.json, "meshes")), 1);
        unsigned char *bytes = unpack(&page, "atemi-mesh-0", sizeof vertices + sizeof corners);
        CHECK(memcmp(bytes, vertices, sizeof vertices) == 0);
        CHECK(memcmp(bytes + sizeof vertices, corners, sizeof corners) == 0);
        free(bytes);
        close_page(&page);
    }
    atemi_recording_destroy(recording);

    recording = create_sticks("<visual><geometry><mesh filename='a.dae'/></geometry></visual>");
    if (report(recording, &page)) {
        CHECK_EQUAL_STRING(text_of(part_of(&page, 1), "shape"), "capsule");
        CHECK_EQUAL_INT(json_array_size(json_object_get(page.json, "meshes")), 0);
        close_page(&page);
    }
    atemi_recording_destroy(recording);
    folder_remove(home.path);
}

// ---- Scenes: the world is the root, what moves in it floats

static const char scene[] =
    "<robot name='scene'><link name='world'/>"
    "<joint name='base' type='floating'><parent link='world'/><child link='body'/></joint>"
    "<link name='body'><inertial><mass value='1'/>"
    "<inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link>"
    "<joint name='box' type='floating'><origin xyz='1 0 0'/><parent link='world'/>"
    "<child link='box'/></joint><link name='box'><inertial><mass value='1'/>"
    "<inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link></robot>";

static atemi_recording *create_scene(void)
{
    const atemi_channel channels[] = {{"t", "s", NULL},
                                      {"q.base.x", "m", NULL},
                                      {"q.base.y", "m", NULL},
                                      {"q.base.z", "m", NULL},
                                      {"q.base.quaternion_x", "-", NULL},
                                      {"q.base.quaternion_y", "-", NULL},
                                      {"q.base.quaternion_z", "-", NULL},
                                      {"q.base.quaternion_w", "-", NULL},
                                      {"q.box.x", "m", NULL}};
    atemi_error         error = {0};
    atemi_recording    *recording = create(9, channels);
    atemi_model        *model;
    atemi_urdf_options  options = atemi_urdf_options_default();
    options.model.base = ATEMI_BASE_FIXED;
    CHECK_STATUS(atemi_urdf_parse(scene, strlen(scene), NULL, &options, &model, &error), ATEMI_OK);
    const atemi_recorded_job job = {.robot = model, .urdf = scene, .urdf_size = strlen(scene)};
    CHECK_STATUS(atemi_recording_describe(recording, &job, &error), ATEMI_OK);
    CHECK_STATUS(atemi_recording_append(
                     recording, (double[]){0.0, 1.0, 2.0, 3.0, 0.0, 0.0, 0.0, 1.0, 4.0}, &error),
                 ATEMI_OK);
    atemi_model_destroy(model);
    return recording;
}

TEST(report, of_a_scene_moves_the_robot_by_the_joint_of_its_base)
{
    atemi_recording *recording = create_scene();
    report_page      page;
    if (report(recording, &page)) {
        const json_t *robot = json_object_get(page.json, "robot");
        const json_t *base = json_array_get(json_object_get(robot, "joints"), 0);
        const json_t *box = json_array_get(json_object_get(robot, "joints"), 1);
        const json_t *columns = json_object_get(base, "columns");
        CHECK_EQUAL_STRING(text_of(robot, "base"), "fixed");
        CHECK_EQUAL_STRING(text_of(base, "type"), "floating");
        CHECK_EQUAL_INT(json_array_size(columns), 7);
        for (size_t i = 0; i < 7; ++i) {
            CHECK_EQUAL_INT(json_integer_value(json_array_get(columns, i)), i + 1);
        }
        CHECK_EQUAL_INT(json_array_size(json_object_get(box, "columns")), 0); // not all are there
        CHECK(part_of(&page, 0) == NULL); // no bone from the world to what floats in it
        close_page(&page);
    }
    atemi_recording_destroy(recording);
}

// ---- Files and memory

TEST(report, that_cannot_be_written_leaves_nothing)
{
    const atemi_channel channels[] = {{"t", "s", NULL}};
    folder              home = folder_create();
    atemi_recording    *recording = create(1, channels);
    atemi_error         error = {0};
    const char         *path = folder_path(home.path, "none/report.html");
    CHECK(atemi_report_write(recording, path, &error) != ATEMI_OK);
    CHECK(strlen(error.message) > 0);
    CHECK(atemi_report_check(path, &error) != ATEMI_OK);
    CHECK((atemi_report_check(folder_path(home.path, "report.html"), &error) == ATEMI_OK) ==
          atemi_report_available());
    CHECK_EQUAL_INT(folder_count(home.path), 0);
    atemi_recording_destroy(recording);
    folder_remove(home.path);
}

TEST(report, of_a_truncated_recording_is_refused_by_the_loader)
{
    folder           home = folder_create();
    const char      *run = folder_path(home.path, "run");
    atemi_error      error = {0};
    atemi_recording *recording = create_sticks(""), *loaded;
    CHECK_STATUS(atemi_recording_write(recording, run, &error), ATEMI_OK);
    folder_put(folder_path(run, "recording.csv"), "t [s],q.j [rad]\n0,");
    CHECK_STATUS(atemi_recording_load(run, &loaded, &error), ATEMI_ERROR_SYNTAX);
    CHECK_CONTAINS(error.message, "truncated");
    atemi_recording_destroy(recording);
    folder_remove(home.path);
}

TEST(report, without_memory_loses_none_and_leaves_nothing)
{
    atemi_recording *recording = create_sticks("");
    folder           home = folder_create();
    const char      *path = folder_path(home.path, "report.html");
    bool             failed = atemi_report_available();
    int              calls = 0;
    for (; failed; ++calls) {
        atemi_error error = {0};
        failing_allocator_install(calls + 1);
        const atemi_status status = atemi_report_write(recording, path, &error);
        failing_allocator_remove();
        failed = failing_allocator_failed();
        CHECK((status == ATEMI_OK) == !failed);
        CHECK_EQUAL_INT(failing_allocator_outstanding(), 0);
        CHECK_EQUAL_INT(folder_count(home.path), failed ? 0 : 1);
    }
    CHECK(calls > 20 || !atemi_report_available());
    atemi_recording_destroy(recording);
    folder_remove(home.path);
}

TEST(report, breaks_the_contract_without_recording_or_path)
{
    atemi_error error = {0};
    CHECK_BREAKS_CONTRACT(atemi_report_write(NULL, "a.html", &error));
    CHECK_BREAKS_CONTRACT(atemi_report_write_figures(NULL, "a", &error));
}
