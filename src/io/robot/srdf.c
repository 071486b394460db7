// SPDX-License-Identifier: Apache-2.0

#include "io/robot/srdf.h"

#include "atemi/base.h"
#include "base/growing.h"
#include "io/bytes/file.h"
#include "io/bytes/number.h"
#include "io/syntax/xml_reader.h"

#include <stdio.h>
#include <string.h>

// The elements that are read, all directly inside <robot>:
//
//   <group_state name= group=> with <joint name= value=>   a posture, of the joints that it names
//   <disable_collisions link1= link2=>                     a pair that does not count as touching
//   <disable_default_collisions link=>                     that link with all others, but for
//   <enable_collisions link1= link2=>                      such pairs
//
// Groups, end effectors and virtual joints are for planners of motion; a posture is of all joints
// here, and the base is chosen where the robot is read.

enum { MOST_STATES = 10000, MOST_LINKS_APART = 1000, NAME_SIZE = 2 * ATEMI_MAX_NAME + 2 };

typedef struct group_state {
    const char *name, *group;
    int         count;     ///< of values that were read so far
    bool        is_shared; ///< another group has a state of this name
} group_state;

// A value of a posture, with the state that it is of.
typedef struct state_value {
    int                       state;
    atemi_posture_description posture;
} state_value;

// What is left out, each kind with its first place.
typedef struct loss {
    int         count;
    const char *name;
    int         line;
} loss;

typedef struct srdf_reading {
    const char          *file;
    bool                 coupled;
    atemi_urdf_document *document;
    atemi_error         *error;

    int  depth;
    bool in_state;

    group_state *states;
    state_value *values;
    const char **alone; ///< links of <disable_default_collisions>
    const char *(*enabled)[2];
    int state_count, state_capacity, value_count, value_capacity, alone_count, alone_capacity,
        enabled_count, enabled_capacity;

    atemi_name *links, *joints; ///< of the document, sorted
    loss        no_joint, no_value, no_link, passive;
} srdf_reading;

// ---- Complaints

static atemi_status no_memory(const srdf_reading *reading)
{
    return atemi_fail(reading->error, ATEMI_ERROR_MEMORY, "no memory to read SRDF");
}

static atemi_status complain(const srdf_reading *reading, const atemi_xml_element *element,
                             const char *attribute, const char *example)
{
    atemi_fail(reading->error, ATEMI_ERROR_INPUT,
               "<%.40s>: attribute %s is missing or wrong; write %s=\"%s\"", element->name,
               attribute, attribute, example);
    atemi_error_locate(reading->error, reading->file, element->place.line, element->place.column);
    return ATEMI_ERROR_INPUT;
}

static atemi_status too_many(const srdf_reading *reading, const atemi_xml_element *element)
{
    atemi_fail(reading->error, ATEMI_ERROR_LIMIT,
               "<%.40s>: more of these than are read; check that this is the right file",
               element->name);
    atemi_error_locate(reading->error, reading->file, element->place.line, element->place.column);
    return ATEMI_ERROR_LIMIT;
}

static void lose(srdf_reading *reading, loss *what, const char *name,
                 const atemi_xml_element *element)
{
    if (what->count++ == 0) {
        what->name = atemi_string_pool_copy(&reading->document->strings, name);
        what->line = element->place.line;
    }
}

static void report(const srdf_reading *reading, const loss *what, const char *text)
{
    if (what->count > 0) {
        char more[48] = "";
        if (what->count > 1) {
            snprintf(more, sizeof more, " (and %d more like it)", what->count - 1);
        }
        atemi_log(ATEMI_LOG_WARNING, "%s:%d: %s '%.60s'%s", reading->file ? reading->file : "SRDF",
                  what->line, text, what->name ? what->name : "", more);
    }
}

static void report_losses(const srdf_reading *reading)
{
    report(reading, &reading->no_joint,
           "left out of postures, as the robot has no joint with one coordinate of this name:");
    report(reading, &reading->no_value, "left out of postures, as it has several values: joint");
    report(reading, &reading->no_link,
           "left out of the pairs that do not touch, as the robot has no such link:");
    report(reading, &reading->passive,
           "joints have a drive here; limit the effort of a passive one to 0: joint");
}

// ---- Elements

// A copy of an attribute in the document; NULL, with an error, where it is missing.
static const char *required(srdf_reading *reading, const atemi_xml_element *element,
                            const char *attribute, const char *example, atemi_status *status)
{
    const char *value = atemi_xml_attribute(element, attribute);
    if (*status) {
        return NULL;
    }
    if (!value || !value[0] || strlen(value) > ATEMI_MAX_NAME) {
        *status = complain(reading, element, attribute, example);
        return NULL;
    }
    const char *copy = atemi_string_pool_copy(&reading->document->strings, value);
    *status = copy ? ATEMI_OK : no_memory(reading);
    return copy;
}

// Room for one entry more.
static atemi_status grow(const srdf_reading *reading, void **entries, size_t size, int count,
                         int *capacity)
{
    void *grown = atemi_grown(*entries, size, count, capacity);
    *entries = grown ? grown : *entries;
    return grown ? ATEMI_OK : no_memory(reading);
}

static atemi_status start_state(srdf_reading *reading, const atemi_xml_element *element)
{
    atemi_status status = ATEMI_OK;
    group_state  state = {.name = required(reading, element, "name", "home", &status)};
    state.group = required(reading, element, "group", "arm", &status);
    if (!status && reading->state_count >= MOST_STATES) {
        status = too_many(reading, element);
    }
    if (!status) {
        status = grow(reading, (void **)&reading->states, sizeof state, reading->state_count,
                      &reading->state_capacity);
    }
    if (!status) {
        reading->states[reading->state_count++] = state;
        reading->in_state = true;
    }
    return status;
}

static const atemi_joint_description *find_joint(const srdf_reading *reading, const char *name)
{
    const int found = atemi_names_find(reading->joints, reading->document->joint_count, name);
    return found == ATEMI_NONE ? NULL : &reading->document->joints[found];
}

static bool has_one_coordinate(const atemi_joint_description *joint)
{
    return joint->type == ATEMI_JOINT_REVOLUTE || joint->type == ATEMI_JOINT_CONTINUOUS ||
           joint->type == ATEMI_JOINT_PRISMATIC;
}

static atemi_status add_value(srdf_reading *reading, const atemi_xml_element *element,
                              const char *joint, double number)
{
    const state_value value = {reading->state_count - 1, {.joint = joint, .value = number}};
    if (reading->value_count >= ATEMI_URDF_MAX_PARTS) {
        return too_many(reading, element);
    }
    const atemi_status status = grow(reading, (void **)&reading->values, sizeof value,
                                     reading->value_count, &reading->value_capacity);
    if (!status) {
        reading->values[reading->value_count++] = value;
        ++reading->states[value.state].count;
    }
    return status;
}

static atemi_status read_value(srdf_reading *reading, const atemi_xml_element *element)
{
    atemi_status                   status = ATEMI_OK;
    const char                    *name = required(reading, element, "name", "knee", &status);
    const char                    *text = required(reading, element, "value", "0.5", &status);
    const atemi_joint_description *joint = status ? NULL : find_joint(reading, name);
    double                         numbers[2];
    if (status) {
        return status;
    }
    const atemi_numbers_result result = atemi_numbers_parse(text, 1, numbers);
    if (result.fault && result.fault != ATEMI_NUMBER_MISCOUNTED) {
        return complain(reading, element, "value", "0.5");
    }
    if (!joint || !has_one_coordinate(joint)) {
        lose(reading, &reading->no_joint, name, element);
        return ATEMI_OK;
    }
    if (result.fault) {
        lose(reading, &reading->no_value, name, element);
        return ATEMI_OK;
    }
    return reading->coupled && joint->mimic ? ATEMI_OK
                                            : add_value(reading, element, joint->name, numbers[0]);
}

static bool has_link(srdf_reading *reading, const atemi_xml_element *element, const char *name)
{
    const bool found =
        atemi_names_find(reading->links, reading->document->link_count, name) != ATEMI_NONE;
    if (!found) {
        lose(reading, &reading->no_link, name, element);
    }
    return found;
}

// The two links of a pair; false where the robot does not have both.
static bool read_pair(srdf_reading *reading, const atemi_xml_element *element, const char *links[2],
                      atemi_status *status)
{
    links[0] = required(reading, element, "link1", "left_hand", status);
    links[1] = required(reading, element, "link2", "right_hand", status);
    return !*status && has_link(reading, element, links[0]) && has_link(reading, element, links[1]);
}

static atemi_status keep_apart(const srdf_reading *reading, const char *first, const char *second)
{
    const atemi_apart_description pair = {.first = first, .second = second};
    const atemi_status            status = atemi_urdf_document_add_apart(reading->document, &pair);
    return status == ATEMI_ERROR_LIMIT
               ? atemi_fail(reading->error, status, "%s has more than %d pairs of links",
                            reading->file ? reading->file : "the SRDF", ATEMI_URDF_MAX_PARTS)
           : status ? no_memory(reading)
                    : ATEMI_OK;
}

static atemi_status read_disabled(srdf_reading *reading, const atemi_xml_element *element)
{
    const char  *links[2];
    atemi_status status = ATEMI_OK;
    return read_pair(reading, element, links, &status) ? keep_apart(reading, links[0], links[1])
                                                       : status;
}

static atemi_status read_enabled(srdf_reading *reading, const atemi_xml_element *element)
{
    const char  *links[2];
    atemi_status status = ATEMI_OK;
    if (!read_pair(reading, element, links, &status)) {
        return status;
    }
    if (reading->enabled_count >= ATEMI_URDF_MAX_PARTS) {
        return too_many(reading, element);
    }
    status = grow(reading, (void **)&reading->enabled, sizeof *reading->enabled,
                  reading->enabled_count, &reading->enabled_capacity);
    if (!status) {
        const char **pair = reading->enabled[reading->enabled_count++];
        pair[0] = links[0], pair[1] = links[1];
    }
    return status;
}

static atemi_status read_alone(srdf_reading *reading, const atemi_xml_element *element)
{
    atemi_status status = ATEMI_OK;
    const char  *link = required(reading, element, "link", "cable", &status);
    if (status || !has_link(reading, element, link)) {
        return status;
    }
    if (reading->alone_count >= MOST_LINKS_APART) {
        return too_many(reading, element);
    }
    status = grow(reading, (void **)&reading->alone, sizeof *reading->alone, reading->alone_count,
                  &reading->alone_capacity);
    if (!status) {
        reading->alone[reading->alone_count++] = link;
    }
    return status;
}

static atemi_status read_passive(srdf_reading *reading, const atemi_xml_element *element)
{
    const char *name = atemi_xml_attribute(element, "name");
    lose(reading, &reading->passive, name ? name : "", element);
    return ATEMI_OK;
}

// ---- The file

static atemi_status start_root(const srdf_reading *reading, const atemi_xml_element *element)
{
    const char *name = atemi_xml_attribute(element, "name");
    if (strcmp(element->name, "robot") != 0) {
        atemi_fail(reading->error, ATEMI_ERROR_INPUT,
                   "this is no SRDF: its outermost element is <%.40s>, not <robot>; give the "
                   "robot's .srdf file",
                   element->name);
        atemi_error_locate(reading->error, reading->file, element->place.line,
                           element->place.column);
        return ATEMI_ERROR_INPUT;
    }
    if (name && strcmp(name, reading->document->robot) != 0) {
        atemi_log(ATEMI_LOG_WARNING,
                  "%s:%d: this is the SRDF of robot '%.60s', and the robot is '%.60s'",
                  reading->file ? reading->file : "SRDF", element->place.line, name,
                  reading->document->robot);
    }
    return ATEMI_OK;
}

static atemi_status start_part(srdf_reading *reading, const atemi_xml_element *element)
{
    static const struct {
        const char *name;
        atemi_status (*read)(srdf_reading *reading, const atemi_xml_element *element);
    } parts[] = {{"group_state", start_state},
                 {"disable_collisions", read_disabled},
                 {"enable_collisions", read_enabled},
                 {"disable_default_collisions", read_alone},
                 {"passive_joint", read_passive}};
    reading->in_state = false;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; ++i) {
        if (strcmp(parts[i].name, element->name) == 0) {
            return parts[i].read(reading, element);
        }
    }
    return ATEMI_OK;
}

static atemi_status on_start(void *context, const atemi_xml_element *element)
{
    srdf_reading *reading = (srdf_reading *)context;
    const int     depth = reading->depth++;
    if (depth == 0) {
        return start_root(reading, element);
    }
    if (depth == 1) {
        return start_part(reading, element);
    }
    return depth == 2 && reading->in_state && strcmp(element->name, "joint") == 0
               ? read_value(reading, element)
               : ATEMI_OK;
}

static atemi_status on_end(void *context)
{
    --((srdf_reading *)context)->depth;
    return ATEMI_OK;
}

// ---- Postures and pairs

// States of the same name of several groups get the group before their name. O(n log n).
static atemi_status find_shared(srdf_reading *reading)
{
    const int   count = reading->state_count;
    atemi_name *names = (atemi_name *)atemi_allocate(((size_t)count + 1) * sizeof *names);
    if (!names) {
        return no_memory(reading);
    }
    for (int i = 0; i < count; ++i) {
        names[i] = (atemi_name){reading->states[i].name, i};
    }
    atemi_names_sort(names, count);
    for (int i = 1; i < count; ++i) {
        if (strcmp(names[i - 1].text, names[i].text) == 0) {
            reading->states[names[i - 1].index].is_shared = true;
            reading->states[names[i].index].is_shared = true;
        }
    }
    atemi_release(names);
    return ATEMI_OK;
}

static const char *posture_name(const srdf_reading *reading, const group_state *state)
{
    char name[NAME_SIZE];
    snprintf(name, sizeof name, "%s/%s", state->group, state->name);
    return state->is_shared ? atemi_string_pool_copy(&reading->document->strings, name)
                            : state->name;
}

static atemi_status add_postures(srdf_reading *reading)
{
    const char  *name = NULL;
    int          state = -1;
    atemi_status status = find_shared(reading);
    for (int i = 0; i < reading->value_count && !status; ++i) {
        state_value *value = &reading->values[i];
        if (value->state != state) {
            state = value->state;
            name = posture_name(reading, &reading->states[state]);
        }
        value->posture.posture = name;
        status = name ? atemi_urdf_document_add_posture(reading->document, &value->posture)
                      : ATEMI_ERROR_MEMORY;
        status = status ? no_memory(reading) : ATEMI_OK;
    }
    return status;
}

static bool is_enabled(const srdf_reading *reading, const char *one, const char *other)
{
    bool found = false;
    for (int i = 0; i < reading->enabled_count && !found; ++i) {
        const char *const *pair = reading->enabled[i];
        found = (strcmp(pair[0], one) == 0 && strcmp(pair[1], other) == 0) ||
                (strcmp(pair[0], other) == 0 && strcmp(pair[1], one) == 0);
    }
    return found;
}

// A link that touches nothing but what is enabled.
static atemi_status keep_alone(const srdf_reading *reading, const char *link)
{
    atemi_status status = ATEMI_OK;
    for (int i = 0; i < reading->document->link_count && !status; ++i) {
        const char *other = reading->document->links[i].name;
        if (strcmp(link, other) != 0 && !is_enabled(reading, link, other)) {
            status = keep_apart(reading, link, other);
        }
    }
    return status;
}

// ---- Reading

static atemi_status name_parts(srdf_reading *reading)
{
    const int links = reading->document->link_count, joints = reading->document->joint_count;
    reading->links = (atemi_name *)atemi_allocate(((size_t)links + 1) * sizeof *reading->links);
    reading->joints = (atemi_name *)atemi_allocate(((size_t)joints + 1) * sizeof *reading->joints);
    if (!reading->links || !reading->joints) {
        return no_memory(reading);
    }
    for (int i = 0; i < links; ++i) {
        reading->links[i] = (atemi_name){reading->document->links[i].name, i};
    }
    for (int i = 0; i < joints; ++i) {
        reading->joints[i] = (atemi_name){reading->document->joints[i].name, i};
    }
    atemi_names_sort(reading->links, links);
    atemi_names_sort(reading->joints, joints);
    return ATEMI_OK;
}

static atemi_status read_all(srdf_reading *reading, const char *text, size_t size)
{
    const atemi_xml_handler handler = {.start = on_start, .end = on_end, .context = reading};
    atemi_status            status = name_parts(reading);
    if (!status) {
        status = atemi_xml_read(text, size, reading->file, &handler, reading->error);
    }
    for (int i = 0; i < reading->alone_count && !status; ++i) {
        status = keep_alone(reading, reading->alone[i]);
    }
    return status ? status : add_postures(reading);
}

atemi_status atemi_srdf_parse(const char *text, size_t size, const char *name, bool coupled,
                              atemi_urdf_document *document, atemi_error *error)
{
    srdf_reading reading = {.file = name, .coupled = coupled, .document = document, .error = error};
    const atemi_status status = read_all(&reading, text, size);
    if (!status) {
        report_losses(&reading);
    }
    atemi_release(reading.states);
    atemi_release(reading.values);
    atemi_release((void *)reading.alone);
    atemi_release((void *)reading.enabled);
    atemi_release(reading.links);
    atemi_release(reading.joints);
    return status;
}

atemi_status atemi_srdf_load(const char *path, bool coupled, atemi_urdf_document *document,
                             atemi_error *error)
{
    char        *text;
    size_t       size;
    atemi_status status =
        atemi_file_read_given(path, (size_t)ATEMI_XML_MAX_MEBIBYTES << 20, &text, &size, error);
    if (!status) {
        status = atemi_srdf_parse(text, size, path, coupled, document, error);
        atemi_release(text);
    }
    return status;
}
