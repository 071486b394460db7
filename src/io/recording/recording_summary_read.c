// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"
#include "io/recording/recording_json.h"
#include "io/recording/recording_parts.h"

#include <limits.h>
#include <math.h>
#include <string.h>

// From summary.json to a recording. Keys that are not known are passed by: a later atemi may add
// some without a new version. jansson takes its memory from malloc, not from the allocator hook,
// because its hook belongs to the whole process.

static const atemi_recording_place top = {"summary", ATEMI_NONE};

// An array or object that may be missing.
static atemi_status get_part(const json_t *object, const char *key, json_type type, json_t **part,
                             atemi_error *error)
{
    *part = json_object_get(object, key);
    if (*part && json_typeof(*part) != type) {
        return atemi_recording_json_complain(top, key,
                                             type == JSON_ARRAY ? "an array" : "an object", error);
    }
    return ATEMI_OK;
}

// ---- The parts

static bool is_ours(const json_t *root)
{
    const char *format = json_string_value(json_object_get(root, "format"));
    return format && strcmp(format, ATEMI_RECORDING_FORMAT) == 0;
}

static atemi_status check_format(const json_t *root, atemi_error *error)
{
    if (!is_ours(root)) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "this is not the summary of a recording: \"format\" is not "
                          "\"" ATEMI_RECORDING_FORMAT "\"");
    }
    const json_t *version = json_object_get(root, "version");
    if (!json_is_integer(version) || json_integer_value(version) < 1) {
        return atemi_recording_json_complain(top, "version", "a whole number from 1", error);
    }
    if (json_integer_value(version) > ATEMI_RECORDING_FORMAT_VERSION) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "the recording has a newer format, version %lld, and this atemi reads "
                          "up to version %d; update atemi to read it",
                          (long long)json_integer_value(version), ATEMI_RECORDING_FORMAT_VERSION);
    }
    return ATEMI_OK;
}

static atemi_status read_rows(const json_t *root, int *rows, atemi_error *error)
{
    const json_t *value = json_object_get(root, "rows");
    if (!json_is_integer(value) || json_integer_value(value) < 0) {
        return atemi_recording_json_complain(top, "rows", "a whole number from 0", error);
    }
    if (json_integer_value(value) > ATEMI_RECORDING_MAX_VALUES) {
        return atemi_recording_full("numbers", ATEMI_RECORDING_MAX_VALUES, error);
    }
    *rows = (int)json_integer_value(value);
    return ATEMI_OK;
}

static atemi_status read_sizes(const json_t *root, atemi_recording_sizes *sizes, atemi_error *error)
{
    json_t            *files;
    const atemi_status status = get_part(root, "files", JSON_OBJECT, &files, error);
    for (int i = 0; i < ATEMI_RECORDING_FILE_COUNT && !status; ++i) {
        const json_t *size = json_object_get(files, atemi_recording_files[i]);
        sizes->bytes[i] = size ? json_integer_value(size) : -1;
        if (size && (!json_is_integer(size) || sizes->bytes[i] < 0)) {
            const atemi_recording_place at = {"files", ATEMI_NONE};
            return atemi_recording_json_complain(at, atemi_recording_files[i], "a number of bytes",
                                                 error);
        }
    }
    if (!status && sizes->bytes[ATEMI_RECORDING_CSV] < 0) {
        const atemi_recording_place at = {"files", ATEMI_NONE};
        return atemi_recording_json_complain(at, atemi_recording_files[ATEMI_RECORDING_CSV],
                                             "there", error);
    }
    return status;
}

static atemi_status read_channels(const json_t *columns, atemi_channel *channels,
                                  atemi_error *error)
{
    atemi_status status = ATEMI_OK;
    for (int i = 0; i < (int)json_array_size(columns) && !status; ++i) {
        const json_t               *column = json_array_get(columns, (size_t)i);
        const atemi_recording_place at = {"columns", i};
        status = atemi_recording_json_string(column, at, "name", true, &channels[i].name, error);
        if (!status) {
            status =
                atemi_recording_json_string(column, at, "unit", false, &channels[i].unit, error);
        }
    }
    return status;
}

static atemi_status create_recording(const json_t *root, atemi_recording **recording,
                                     atemi_error *error)
{
    const json_t *columns = json_object_get(root, "columns");
    const size_t  count = json_array_size(columns);
    if (count == 0) {
        return atemi_recording_json_complain(top, "columns", "an array of columns", error);
    }
    if (count > ATEMI_RECORDING_MAX_CHANNELS) {
        return atemi_recording_full("channels", ATEMI_RECORDING_MAX_CHANNELS, error);
    }
    atemi_channel *channels = (atemi_channel *)atemi_recording_allocate(count, sizeof *channels);
    if (!channels) {
        return atemi_recording_no_memory(error);
    }
    atemi_status status = read_channels(columns, channels, error);
    if (!status) {
        status = atemi_recording_create((int)count, channels, recording, error);
    }
    atemi_release(channels);
    return status;
}

static atemi_status read_job(const json_t *root, atemi_recording *recording, atemi_error *error)
{
    const char  *job, *outcome, *version;
    atemi_status status = atemi_recording_json_string(root, top, "job", false, &job, error);
    if (!status) {
        status = atemi_recording_json_string(root, top, "outcome", false, &outcome, error);
    }
    if (!status) {
        status = atemi_recording_json_string(root, top, "atemi", true, &version, error);
    }
    if (!status) {
        status = atemi_recording_set_job(recording, job, outcome, error);
    }
    if (!status) {
        status = atemi_recording_set_version(recording, version, error);
    }
    return status;
}

// ---- The robot

static const atemi_recording_place in_robot = {"robot", ATEMI_NONE};

static atemi_status read_base(const json_t *robot, atemi_base *base, atemi_error *error)
{
    static const atemi_base bases[] = {ATEMI_BASE_FIXED, ATEMI_BASE_PLANAR, ATEMI_BASE_SAGITTAL,
                                       ATEMI_BASE_FLOATING};
    const char             *text;
    const atemi_status      status =
        atemi_recording_json_string(robot, in_robot, "base", true, &text, error);
    if (status) {
        return status;
    }
    for (size_t i = 0; i < sizeof bases / sizeof bases[0]; ++i) {
        if (strcmp(atemi_base_text(bases[i]), text) == 0) {
            *base = bases[i];
            return ATEMI_OK;
        }
    }
    return atemi_recording_json_complain(in_robot, "base", "fixed, planar, sagittal or floating",
                                         error);
}

static atemi_status read_gravity(const json_t *robot, atemi_vec3 *gravity, atemi_error *error)
{
    double             entries[3];
    const atemi_status status =
        atemi_recording_json_numbers(robot, in_robot, "gravity", 3, entries, error);
    if (!status) {
        *gravity = (atemi_vec3){entries[0], entries[1], entries[2]};
    }
    return status;
}

static atemi_status read_mimic(const json_t *robot, bool *coupled, atemi_error *error)
{
    const char        *text;
    const atemi_status status =
        atemi_recording_json_string(robot, in_robot, "mimic", false, &text, error);
    *coupled = !text || strcmp(text, "independent") != 0;
    return status;
}

// The names are those of the JSON; the array is to be released.
static atemi_status read_names(const json_t *robot, const char *key, int *count,
                               const char *const **names, atemi_error *error)
{
    const json_t *array = json_object_get(robot, key);
    const size_t  size = json_array_size(array);
    if (!json_is_array(array)) {
        return atemi_recording_json_complain(in_robot, key, "an array of names", error);
    }
    const char **found = (const char **)atemi_recording_allocate(size + 1, sizeof *found);
    if (!found) {
        return atemi_recording_no_memory(error);
    }
    *names = found;
    *count = (int)size;
    for (size_t i = 0; i < size; ++i) {
        found[i] = json_string_value(json_array_get(array, i));
        if (!found[i]) {
            return atemi_recording_json_complain(in_robot, key, "an array of names", error);
        }
    }
    return ATEMI_OK;
}

static atemi_status read_robot_parts(const json_t *object, atemi_recorded_robot *robot,
                                     atemi_error *error)
{
    atemi_status status =
        atemi_recording_json_string(object, in_robot, "name", true, &robot->name, error);
    if (!status) {
        status = read_base(object, &robot->base, error);
    }
    if (!status) {
        status = read_gravity(object, &robot->gravity, error);
    }
    if (!status) {
        status = read_mimic(object, &robot->mimic_as_coupled, error);
    }
    if (!status) {
        status = atemi_recording_json_string(object, in_robot, "file", false, &robot->file, error);
    }
    if (!status) {
        status = read_names(object, "links", &robot->link_count, &robot->links, error);
    }
    if (!status) {
        status = read_names(object, "joints", &robot->joint_count, &robot->joints, error);
    }
    return status;
}

static atemi_status read_robot(const json_t *root, atemi_recording *recording, atemi_error *error)
{
    json_t      *object;
    atemi_status status = get_part(root, "robot", JSON_OBJECT, &object, error);
    if (status || !object) {
        return status;
    }
    atemi_recorded_robot robot = {0};
    status = read_robot_parts(object, &robot, error);
    if (!status) {
        status = atemi_recording_set_robot(recording, &robot, error);
    }
    atemi_recording_release_robot(&robot);
    return status;
}

// ---- Surfaces, events, results, tables and plots

static atemi_status read_surfaces(const json_t *root, atemi_recording *recording,
                                  atemi_error *error)
{
    json_t      *surfaces;
    atemi_status status = get_part(root, "surfaces", JSON_ARRAY, &surfaces, error);
    for (size_t i = 0; i < json_array_size(surfaces) && !status; ++i) {
        status =
            atemi_recording_read_surface(json_array_get(surfaces, i), (int)i, recording, error);
    }
    return status;
}

static atemi_status read_values(const json_t *event, atemi_recording_place at,
                                atemi_recorded_value *values, int *count, atemi_error *error)
{
    const json_t *array = json_object_get(event, "values");
    if (array && !json_is_array(array)) {
        return atemi_recording_json_complain(at, "values", "an array", error);
    }
    if (json_array_size(array) > ATEMI_RECORDING_MAX_EVENT_VALUES) {
        return atemi_recording_full("values in an event", ATEMI_RECORDING_MAX_EVENT_VALUES, error);
    }
    *count = (int)json_array_size(array);
    atemi_status status = ATEMI_OK;
    for (int i = 0; i < *count && !status; ++i) {
        const json_t *entry = json_array_get(array, (size_t)i);
        status = atemi_recording_json_string(entry, at, "name", true, &values[i].name, error);
        if (!status) {
            status = atemi_recording_json_number(entry, at, "value", true, &values[i].value, error);
        }
        if (!status) {
            status = atemi_recording_json_string(entry, at, "unit", false, &values[i].unit, error);
        }
    }
    return status;
}

static atemi_status read_event(const json_t *object, int index, atemi_recording *recording,
                               atemi_error *error)
{
    atemi_recorded_value        values[ATEMI_RECORDING_MAX_EVENT_VALUES];
    atemi_recorded_event        event = {.values = values};
    const atemi_recording_place at = {"events", index};
    atemi_status status = atemi_recording_json_number(object, at, "t", true, &event.t, error);
    if (!status) {
        status = atemi_recording_json_string(object, at, "kind", true, &event.kind, error);
    }
    if (!status) {
        status = atemi_recording_json_string(object, at, "what", false, &event.what, error);
    }
    if (!status) {
        status = atemi_recording_json_string(object, at, "text", false, &event.text, error);
    }
    if (!status) {
        status = read_values(object, at, values, &event.value_count, error);
    }
    return status ? status : atemi_recording_add_event(recording, &event, error);
}

static atemi_status read_events(const json_t *root, atemi_recording *recording, atemi_error *error)
{
    json_t      *events;
    atemi_status status = get_part(root, "events", JSON_ARRAY, &events, error);
    for (size_t i = 0; i < json_array_size(events) && !status; ++i) {
        status = read_event(json_array_get(events, i), (int)i, recording, error);
    }
    return status;
}

static atemi_status read_result(const char *name, const json_t *object, atemi_recording *recording,
                                atemi_error *error)
{
    atemi_recorded_result       result = {.name = name};
    const atemi_recording_place at = {name, ATEMI_NONE};
    atemi_status                status =
        atemi_recording_json_number(object, at, "value", true, &result.value, error);
    if (!status) {
        status = atemi_recording_json_string(object, at, "unit", false, &result.unit, error);
    }
    if (!status) {
        status = atemi_recording_json_number(object, at, "printed", false, &result.printed, error);
    }
    if (!status) {
        status =
            atemi_recording_json_number(object, at, "tolerance", false, &result.tolerance, error);
    }
    if (!status) {
        status = atemi_recording_json_string(object, at, "source", false, &result.source, error);
        result.is_truth = json_is_true(json_object_get(object, "truth"));
    }
    return status ? status : atemi_recording_add_result(recording, &result, error);
}

static atemi_status read_results(const json_t *root, atemi_recording *recording, atemi_error *error)
{
    json_t      *results;
    atemi_status status = get_part(root, "results", JSON_OBJECT, &results, error);
    const char  *name;
    json_t      *result;
    json_object_foreach(results, name, result)
    {
        if (!status) {
            status = read_result(name, result, recording, error);
        }
    }
    return status;
}

static atemi_status read_warnings(const json_t *root, atemi_recording *recording,
                                  atemi_error *error)
{
    json_t      *warnings;
    atemi_status status = get_part(root, "warnings", JSON_ARRAY, &warnings, error);
    for (size_t i = 0; i < json_array_size(warnings) && !status; ++i) {
        status =
            atemi_recording_read_warning(json_array_get(warnings, i), (int)i, recording, error);
    }
    return status;
}

static atemi_status read_tables(const json_t *root, atemi_recording *recording, atemi_error *error)
{
    json_t      *tables;
    atemi_status status = get_part(root, "tables", JSON_ARRAY, &tables, error);
    for (size_t i = 0; i < json_array_size(tables) && !status; ++i) {
        status = atemi_recording_read_table(json_array_get(tables, i), (int)i, recording, error);
    }
    return status;
}

static atemi_status read_plots(const json_t *root, atemi_recording *recording, atemi_error *error)
{
    json_t      *plots;
    atemi_status status = get_part(root, "plots", JSON_ARRAY, &plots, error);
    for (size_t i = 0; i < json_array_size(plots) && !status; ++i) {
        status = atemi_recording_read_plot(json_array_get(plots, i), (int)i, recording, error);
    }
    return status;
}

// The verdict and the headlines; older recordings have none.
static atemi_status read_answer(const json_t *root, atemi_recording *recording, atemi_error *error)
{
    const char  *verdict = NULL;
    json_t      *cards = NULL;
    atemi_status status = atemi_recording_json_string(root, top, "verdict", false, &verdict, error);
    if (!status) {
        status = atemi_recording_set_verdict(recording, verdict, error);
    }
    if (!status) {
        status = get_part(root, "cards", JSON_ARRAY, &cards, error);
    }
    for (size_t i = 0; i < json_array_size(cards) && !status; ++i) {
        status = atemi_recording_read_card(json_array_get(cards, i), (int)i, recording, error);
    }
    return status;
}

// ---- All of it

static atemi_status read_all(const json_t *root, atemi_recording **recording, int *rows,
                             atemi_recording_sizes *sizes, atemi_error *error)
{
    atemi_status status = check_format(root, error);
    if (!status) {
        status = read_rows(root, rows, error);
    }
    if (!status) {
        status = read_sizes(root, sizes, error);
    }
    if (!status) {
        status = create_recording(root, recording, error);
    }
    if (!status) {
        status = read_job(root, *recording, error);
    }
    if (!status) {
        status = read_robot(root, *recording, error);
    }
    if (!status) {
        status = read_surfaces(root, *recording, error);
    }
    if (!status) {
        status = read_events(root, *recording, error);
    }
    if (!status) {
        status = read_results(root, *recording, error);
    }
    if (!status) {
        status = read_warnings(root, *recording, error);
    }
    if (!status) {
        status = read_tables(root, *recording, error);
    }
    if (!status) {
        status = read_plots(root, *recording, error);
    }
    if (!status) {
        status = read_answer(root, *recording, error);
    }
    return status;
}

// Where memory runs out, jansson often says nothing at all.
static atemi_status complain_of_syntax(const json_error_t *fault, const char *file,
                                       atemi_error *error)
{
    const enum json_error_code code = json_error_code(fault);
    if (code == json_error_out_of_memory || fault->text[0] == '\0') {
        return atemi_recording_no_memory(error);
    }
    if (code == json_error_premature_end_of_input) {
        atemi_fail(error, ATEMI_ERROR_SYNTAX, "the summary is truncated: it ends too early");
    } else {
        atemi_fail(error, ATEMI_ERROR_SYNTAX, "this is not JSON: %s", fault->text);
    }
    atemi_error_locate(error, file, fault->line > 0 ? fault->line : 0,
                       fault->column > 0 ? fault->column : 0);
    return ATEMI_ERROR_SYNTAX;
}

atemi_status atemi_recording_summary_parse(const char *bytes, size_t size, const char *file,
                                           atemi_recording **recording, int *rows,
                                           atemi_recording_sizes *sizes, atemi_error *error)
{
    *recording = NULL;
    json_error_t fault = {0};
    json_t      *root = json_loadb(bytes ? bytes : "", size, JSON_REJECT_DUPLICATES, &fault);
    if (!root) {
        return complain_of_syntax(&fault, file, error);
    }
    const atemi_status status = read_all(root, recording, rows, sizes, error);
    if (status) {
        atemi_error_locate(error, file, 0, 0);
        atemi_recording_destroy(*recording);
        *recording = NULL;
    }
    json_decref(root);
    return status;
}

bool atemi_recording_summary_is_one(const char *bytes, size_t size)
{
    json_t    *root = json_loadb(bytes ? bytes : "", size, 0, NULL);
    const bool ours = is_ours(root);
    json_decref(root);
    return ours;
}
