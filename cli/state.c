// SPDX-License-Identifier: Apache-2.0

#include "state.h"

#include "io/bytes/file.h"
#include "io/syntax/suggestion.h"
#include "json_place.h"
#include "output.h"

#include "atemi/base.h"
#include "atemi/model.h"

#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// NaN, infinity and numbers beyond the range of a double are not JSON; jansson refuses them with
// line and column. What is checked here is what the numbers are for.

static const char *const base_key = "base";
static const double      quaternion_tolerance = 1e-6;

enum { MAX_MEBIBYTES = 64 };

// One of the arrays of a state.
typedef struct coordinates {
    const atemi_model *model;
    const char        *key; ///< "q", "v", "a" or "tau"
    bool               is_q;
    double            *x;
    json_place        *place; ///< where the reading stands
} coordinates;

// Where some numbers are wanted.
typedef struct number_target {
    const char *label; ///< for messages
    const char *unit;  ///< what the count is called, e.g. "nq"
    double     *x;
    int         count;
    json_place *place;
} number_target;

static const char *type_text(const json_t *value)
{
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        return "an object";
    case JSON_ARRAY:
        return "an array";
    case JSON_STRING:
        return "a text";
    case JSON_INTEGER:
    case JSON_REAL:
        return "a number";
    case JSON_TRUE:
        return "true";
    case JSON_FALSE:
        return "false";
    case JSON_NULL:
        break;
    }
    return "null";
}

// ---- Numbers

static atemi_status read_number(const json_t *value, const number_target *target, int index,
                                atemi_error *error)
{
    target->place->index = index;
    if (!json_is_number(value)) {
        return atemi_fail(error, ATEMI_ERROR_INPUT, "entry %d of %s is %s, expected a number",
                          index, target->label, type_text(value));
    }
    target->x[index] = json_number_value(value);
    return ATEMI_OK;
}

static atemi_status read_array(const json_t *value, const number_target *target, atemi_error *error)
{
    if (!json_is_array(value)) {
        return atemi_fail(error, ATEMI_ERROR_INPUT, "%s is %s, expected an array of %d numbers",
                          target->label, type_text(value), target->count);
    }
    if (json_array_size(value) != (size_t)target->count) {
        return atemi_fail(error, ATEMI_ERROR_INPUT, "%s has %zu numbers, expected %d (%s)",
                          target->label, json_array_size(value), target->count, target->unit);
    }
    atemi_status status = ATEMI_OK;
    for (int i = 0; i < target->count && !status; ++i) {
        status = read_number(json_array_get(value, (size_t)i), target, i, error);
    }
    return status;
}

// ---- Coordinates by the names of joints

static const char *joint_name(const void *model, int index)
{
    return atemi_model_joint((const atemi_model *)model, index)->name;
}

static atemi_status fail_joint(const coordinates *part, const char *name, atemi_error *error)
{
    const atemi_model *model = part->model;
    const char        *meant =
        atemi_suggestion_find(name, atemi_model_joint_count(model), joint_name, model);
    return atemi_fail(error, ATEMI_ERROR_INPUT, "\"%s\": the robot has no joint \"%.64s\"%s%s%s",
                      part->key, name, ATEMI_SUGGESTION_TEXT(meant));
}

static atemi_status fail_without_coordinates(const coordinates *part, const atemi_joint *joint,
                                             atemi_error *error)
{
    return atemi_fail(error, ATEMI_ERROR_INPUT,
                      "\"%s\": joint \"%s\" %s and has no coordinate of its own", part->key,
                      joint->name,
                      joint->mimic.joint == ATEMI_NONE ? "is fixed" : "copies another joint");
}

static atemi_status read_named_numbers(const coordinates *part, const char *name,
                                       const json_t *value, int first, int count,
                                       atemi_error *error)
{
    char label[160];
    snprintf(label, sizeof label, "\"%s\" of \"%.120s\"", part->key, name);
    const number_target target = {label, "its coordinates", part->x + first, count, part->place};
    if (count == 1 && json_is_number(value)) {
        return read_number(value, &target, 0, error);
    }
    return read_array(value, &target, error);
}

static atemi_status read_base(const coordinates *part, const json_t *value, atemi_error *error)
{
    const atemi_base base = atemi_model_base(part->model);
    const int        count = part->is_q ? atemi_base_q_count(base) : atemi_base_v_count(base);
    return read_named_numbers(part, base_key, value, 0, count, error);
}

static atemi_status read_joint(const coordinates *part, const char *name, const json_t *value,
                               atemi_error *error)
{
    const int index = atemi_model_find_joint(part->model, name);
    if (index == ATEMI_NONE) {
        return fail_joint(part, name, error);
    }
    const atemi_joint *joint = atemi_model_joint(part->model, index);
    const int          first = part->is_q ? joint->first_q : joint->first_v;
    if (first == ATEMI_NONE) {
        return fail_without_coordinates(part, joint, error);
    }
    return read_named_numbers(part, name, value, first,
                              part->is_q ? joint->q_count : joint->v_count, error);
}

static atemi_status read_by_names(const coordinates *part, json_t *object, atemi_error *error)
{
    const bool  has_base = atemi_model_base(part->model) != ATEMI_BASE_FIXED;
    const char *name;
    json_t     *value;
    json_object_foreach(object, name, value)
    {
        const bool is_base = has_base && strcmp(name, base_key) == 0;
        *part->place = (json_place){{part->key, name}, ATEMI_NONE};
        const atemi_status status =
            is_base ? read_base(part, value, error) : read_joint(part, name, value, error);
        if (status) {
            return status;
        }
    }
    return ATEMI_OK;
}

// ---- Postures

static const char *posture_name(const void *model, int index)
{
    return atemi_model_posture_name((const atemi_model *)model, index);
}

static atemi_status read_posture(const coordinates *part, const char *name, atemi_error *error)
{
    const atemi_model *model = part->model;
    const int          index = atemi_model_find_posture(model, name);
    if (index != ATEMI_NONE) {
        memcpy(part->x, atemi_model_posture(model, index),
               (size_t)atemi_model_q_count(model) * sizeof *part->x);
    } else if (strcmp(name, "neutral") != 0) {
        const char *meant =
            atemi_suggestion_find(name, atemi_model_posture_count(model), posture_name, model);
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "\"q\": the robot has no posture \"%.64s\"%s%s%s", name,
                          ATEMI_SUGGESTION_TEXT(meant));
    }
    return ATEMI_OK;
}

static atemi_status read_coordinates(const json_t *document, const coordinates *part,
                                     atemi_error *error)
{
    json_t *value = json_object_get(document, part->key);
    if (!value) {
        return ATEMI_OK;
    }
    *part->place = (json_place){{part->key, NULL}, ATEMI_NONE};
    if (json_is_object(value)) {
        return read_by_names(part, value, error);
    }
    if (part->is_q && json_is_string(value)) {
        return read_posture(part, json_string_value(value), error);
    }
    char label[16];
    snprintf(label, sizeof label, "\"%s\"", part->key);
    const int count =
        part->is_q ? atemi_model_q_count(part->model) : atemi_model_v_count(part->model);
    const number_target target = {label, part->is_q ? "the robot's nq" : "the robot's nv", part->x,
                                  count, part->place};
    return read_array(value, &target, error);
}

static atemi_status read_q(const json_t *document, const atemi_model *model, double *q,
                           json_place *place, atemi_error *error)
{
    if (!json_object_get(document, "q")) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "\"q\" is missing: an array of %d numbers, an object with the names of "
                          "joints, \"neutral\" or the name of a posture",
                          atemi_model_q_count(model));
    }
    const coordinates part = {model, "q", true, q, place};
    atemi_configuration_neutral(model, q);
    return read_coordinates(document, &part, error);
}

// ---- Quaternions

static atemi_status check_quaternion(const double *x, const char *owner, atemi_error *error)
{
    const double length = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + x[3] * x[3]);
    if (!(length > 1e-100 && isfinite(length))) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "\"q\": the quaternion of %s has the length %g, expected 1", owner,
                          length);
    }
    if (fabs(length - 1.0) > quaternion_tolerance) {
        output_warn("\"q\": the quaternion of %s has the length %.9g; normalized", owner, length);
    }
    return ATEMI_OK;
}

static atemi_status check_quaternions(const atemi_model *model, double *q, json_place *place,
                                      atemi_error *error)
{
    atemi_status status = ATEMI_OK;
    if (atemi_model_base(model) == ATEMI_BASE_FLOATING) {
        *place = (json_place){{"q", base_key}, ATEMI_NONE};
        status = check_quaternion(q + 3, "the base", error);
    }
    for (int i = 0; i < atemi_model_joint_count(model) && !status; ++i) {
        const atemi_joint *joint = atemi_model_joint(model, i);
        if (joint->type == ATEMI_JOINT_FLOATING) {
            *place = (json_place){{"q", joint->name}, ATEMI_NONE};
            status = check_quaternion(q + joint->first_q + 3, joint->name, error);
        }
    }
    if (!status) {
        atemi_configuration_normalize(model, q);
    }
    return status;
}

// ---- External forces

static const char *link_name(const void *model, int index)
{
    return atemi_model_link((const atemi_model *)model, index)->name;
}

static atemi_status read_wrench(const atemi_model *model, const char *name, const json_t *value,
                                atemi_force *external, json_place *place, atemi_error *error)
{
    const int index = atemi_model_find_link(model, name);
    if (index == ATEMI_NONE) {
        const char *meant =
            atemi_suggestion_find(name, atemi_model_link_count(model), link_name, model);
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "\"external\": the robot has no link \"%.64s\"%s%s%s", name,
                          ATEMI_SUGGESTION_TEXT(meant));
    }
    char   label[160];
    double x[6];
    snprintf(label, sizeof label, "\"external\" of \"%.120s\"", name);
    const number_target target = {label, "force x y z, moment x y z", x, 6, place};
    const atemi_status  status = read_array(value, &target, error);
    if (!status) {
        external[index] = (atemi_force){{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
    }
    return status;
}

static atemi_status read_external(const json_t *document, const atemi_model *model,
                                  atemi_force *external, json_place *place, atemi_error *error)
{
    json_t     *object = json_object_get(document, "external");
    const char *name;
    json_t     *value;
    *place = (json_place){{"external", NULL}, ATEMI_NONE};
    if (object && !json_is_object(object)) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "\"external\" is %s, expected an object {\"link\": [6 numbers]}",
                          type_text(object));
    }
    json_object_foreach(object, name, value)
    {
        *place = (json_place){{"external", name}, ATEMI_NONE};
        const atemi_status status = read_wrench(model, name, value, external, place, error);
        if (status) {
            return status;
        }
    }
    return ATEMI_OK;
}

// ---- The document

static const char *const keys[] = {"q", "v", "a", "tau", "external"};

enum { KEY_COUNT = sizeof keys / sizeof keys[0] };

static const char *key_name(const void *context, int index)
{
    (void)context;
    return keys[index];
}

static bool is_key(const char *name)
{
    bool found = false;
    for (int i = 0; i < KEY_COUNT; ++i) {
        found = found || strcmp(keys[i], name) == 0;
    }
    return found;
}

static atemi_status check_keys(json_t *document, json_place *place, atemi_error *error)
{
    if (!json_is_object(document)) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "the state is %s, expected an object such as {\"q\": \"neutral\"}",
                          type_text(document));
    }
    const char *name;
    json_t     *value;
    json_object_foreach(document, name, value)
    {
        if (!is_key(name)) {
            place->keys[0] = name;
            const char *meant = atemi_suggestion_find(name, KEY_COUNT, key_name, NULL);
            return atemi_fail(error, ATEMI_ERROR_INPUT,
                              "unknown key \"%.64s\"%s%s%s; there are q, v, a, tau, external", name,
                              ATEMI_SUGGESTION_TEXT(meant));
        }
    }
    return ATEMI_OK;
}

static atemi_status read_document(json_t *document, const atemi_model *model, robot_state *state,
                                  json_place *place, atemi_error *error)
{
    const coordinates rates[] = {{model, "v", false, state->v, place},
                                 {model, "a", false, state->a, place},
                                 {model, "tau", false, state->tau, place}};
    atemi_status      status = check_keys(document, place, error);
    if (!status) {
        status = read_q(document, model, state->q, place, error);
    }
    for (int i = 0; i < 3 && !status; ++i) {
        status = read_coordinates(document, &rates[i], error);
    }
    if (!status) {
        status = read_external(document, model, state->external, place, error);
    }
    return status ? status : check_quaternions(model, state->q, place, error);
}

// ---- The file

static json_t *parse(const char *text, size_t size, const char *name, atemi_error *error)
{
    const size_t flags = JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL | JSON_DECODE_ANY;
    json_error_t problem = {0};
    json_t      *document = json_loadb(text, size, flags, &problem);
    // Where memory runs out, jansson often says nothing at all.
    if (!document &&
        (problem.text[0] == '\0' || json_error_code(&problem) == json_error_out_of_memory)) {
        (void)atemi_fail(error, ATEMI_ERROR_MEMORY, "not enough memory for the state");
    } else if (!document) {
        (void)atemi_fail(error, ATEMI_ERROR_SYNTAX, "not valid JSON: %s", problem.text);
        atemi_error_locate(error, name, problem.line, problem.column);
    }
    return document;
}

robot_state state_take(atemi_arena *arena, const atemi_model *model)
{
    const int   v_count = atemi_model_v_count(model);
    robot_state state;
    state.q = atemi_arena_array(arena, double, atemi_model_q_count(model));
    state.v = atemi_arena_array(arena, double, v_count);
    state.a = atemi_arena_array(arena, double, v_count);
    state.tau = atemi_arena_array(arena, double, v_count);
    state.external = atemi_arena_array(arena, atemi_force, atemi_model_link_count(model));
    return state;
}

atemi_status state_parse(const char *text, size_t size, const char *name, const atemi_model *model,
                         robot_state *state, atemi_error *error)
{
    json_place place = {{NULL, NULL}, ATEMI_NONE};
    json_t    *document = parse(text, size, name, error);
    if (!document) {
        return error->status;
    }
    const atemi_status status = read_document(document, model, state, &place, error);
    if (status) {
        atemi_error_locate(error, name, json_place_line(text, size, &place), 0);
    }
    json_decref(document);
    return status;
}

atemi_status state_read(const char *path, const atemi_model *model, robot_state *state,
                        atemi_error *error)
{
    const bool   is_stream = strcmp(path, "-") == 0;
    const char  *name = is_stream ? "standard input" : path;
    const size_t most = (size_t)MAX_MEBIBYTES << 20;
    char        *text;
    size_t       size;
    atemi_status status = is_stream
                              ? atemi_file_read_open(STDIN_FILENO, name, most, &text, &size, error)
                              : atemi_file_read_given(path, most, &text, &size, error);
    if (!status) {
        status = state_parse(text ? text : "", size, name, model, state, error);
    }
    atemi_release(text);
    return status;
}
