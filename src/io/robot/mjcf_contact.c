// SPDX-License-Identifier: Apache-2.0

#include "io/robot/mjcf_reader.h"

#include <string.h>

// <contact>: an <exclude> names two bodies that do not touch. What a <pair> says of friction and
// softness is not part of a model.

static atemi_status read_end(const atemi_mjcf_reader *reader, const atemi_mjcf_part *part,
                             const char *attribute, const char **link)
{
    const char               *name = atemi_mjcf_value(part, attribute);
    const bool                is_world = name && strcmp(name, "world") == 0;
    const atemi_mjcf_element *body = name ? atemi_mjcf_find_body(reader, name) : NULL;
    *link = NULL;
    if (!is_world && !body) {
        return atemi_mjcf_complain(reader, part->element, "%s %s%.60s%s; name a body", attribute,
                                   name ? "'" : "is missing", name ? name : "",
                                   name ? "' is no body of this file" : "");
    }
    if (body && body->link != ATEMI_NONE) {
        *link = reader->document->links[body->link].name;
    } else if (is_world && !reader->root) {
        *link = "world";
    }
    return ATEMI_OK;
}

static atemi_status read_exclude(atemi_mjcf_reader *reader, const atemi_mjcf_element *element)
{
    atemi_mjcf_part         part;
    atemi_apart_description pair = {.place = atemi_mjcf_place(reader, element)};
    atemi_status            status = atemi_mjcf_part_of(reader, element, ATEMI_MJCF_EXCLUDE, &part);
    if (!status) {
        status = read_end(reader, &part, "body1", &pair.first);
    }
    if (!status) {
        status = read_end(reader, &part, "body2", &pair.second);
    }
    if (!status && !(pair.first && pair.second)) {
        return atemi_mjcf_note_loss(reader, element,
                                    "a body that is no part of the robot cannot be excluded");
    }
    return status ? status
                  : atemi_mjcf_check_added(reader, element,
                                           atemi_urdf_document_add_apart(reader->document, &pair));
}

static atemi_status read_section(atemi_mjcf_reader *reader, const atemi_mjcf_element *section)
{
    atemi_status status = ATEMI_OK;
    for (const atemi_mjcf_element *at = section->first; at && !status; at = at->next) {
        status = atemi_mjcf_is_named(at, "exclude") ? read_exclude(reader, at)
                                                    : atemi_mjcf_note_unused(reader, at, NULL);
    }
    return status;
}

atemi_status atemi_mjcf_read_contacts(atemi_mjcf_reader *reader)
{
    atemi_status status = ATEMI_OK;
    for (const atemi_mjcf_element *at = reader->tree->root->first; at && !status; at = at->next) {
        status = atemi_mjcf_is_named(at, "contact") ? read_section(reader, at) : ATEMI_OK;
    }
    return status;
}
