// SPDX-License-Identifier: Apache-2.0

#include "io/robot/mjcf_reader.h"

#include <string.h>

// <equality>: <connect> and <weld> are closed loops. With the poses X_1, X_2 of both bodies where
// the file draws them (MuJoCo's qpos0), which is where the loop is closed unless `relpose` says
// otherwise, the frames are
//
//   connect   (1, anchor) on body1,             X_2^-1 X_1 (1, anchor) on body2
//   weld      X_1^-1 X_2 (1, anchor) on body1,  (1, anchor) on body2
//
// or those of two sites. Without a second body it is the world.

// What a loop may be: names are sought one by one.
enum { MOST_LOOPS = 1000 };

// ---- Where bodies are

const atemi_mjcf_element *atemi_mjcf_find_body(const atemi_mjcf_reader *reader, const char *name)
{
    const atemi_mjcf_element *root = reader->tree->root;
    for (const atemi_mjcf_element *at = root->first; at; at = atemi_mjcf_next(root, at, true)) {
        const char *own = atemi_mjcf_is_named(at, "body") ? atemi_mjcf_own(at, "name") : NULL;
        if (own && strcmp(own, name) == 0) {
            return at;
        }
    }
    return NULL;
}

// In the world, as drawn; of the world itself where there is no body.
static atemi_status drawn_pose(atemi_mjcf_reader *reader, const atemi_mjcf_element *body,
                               atemi_transform *pose)
{
    atemi_status status = ATEMI_OK;
    *pose = atemi_transform_identity();
    for (; body && !status; body = atemi_mjcf_body_of(body)) {
        atemi_mjcf_part part;
        atemi_transform own;
        status = atemi_mjcf_part_of(reader, body, ATEMI_MJCF_BODY, &part);
        status = status ? status : atemi_mjcf_pose(reader, &part, &own);
        if (!status) {
            const atemi_transform frame = atemi_mjcf_frame(reader, body);
            const atemi_transform placed = atemi_transform_compose(&frame, &own);
            *pose = atemi_transform_compose(&placed, pose);
        }
    }
    return status;
}

// ---- What a loop joins

// One end of a loop: a body, or NULL for the world, and its link's name.
typedef struct loop_end {
    const atemi_mjcf_element *body;
    const char               *link;
} loop_end;

static atemi_status read_end(atemi_mjcf_reader *reader, const atemi_mjcf_part *part,
                             const char *attribute, loop_end *end, bool *left_out)
{
    const char *name = atemi_mjcf_value(part, attribute);
    *end = (loop_end){0};
    if (!name || strcmp(name, "world") == 0) {
        return ATEMI_OK;
    }
    end->body = atemi_mjcf_find_body(reader, name);
    if (!end->body) {
        return atemi_mjcf_complain(reader, part->element,
                                   "%s '%.60s' is no body of this file; name one", attribute, name);
    }
    *left_out = *left_out || end->body->link == ATEMI_NONE;
    end->link = *left_out ? NULL : reader->document->links[end->body->link].name;
    return ATEMI_OK;
}

static atemi_status join_bodies(atemi_mjcf_reader *reader, const atemi_mjcf_part *part,
                                atemi_loop_description *loop, bool *left_out)
{
    double          relative[7] = {0.0};
    loop_end        first, second;
    atemi_transform drawn[2], at = atemi_transform_identity();
    atemi_status    status = read_end(reader, part, "body1", &first, left_out);
    status = status ? status : read_end(reader, part, "body2", &second, left_out);
    if (!status && !first.body && !second.body) {
        status = atemi_mjcf_complain(reader, part->element, "body1 is missing; name a body");
    }
    status = status ? status : drawn_pose(reader, first.body, &drawn[0]);
    status = status ? status : drawn_pose(reader, second.body, &drawn[1]);
    status = status ? status : atemi_mjcf_vector(reader, part, "anchor", &at.position);
    status = status ? status : atemi_mjcf_numbers(reader, part, "relpose", 7, relative);
    if (status) {
        return status;
    }
    const atemi_transform  back = atemi_transform_inverse(&drawn[0]);
    const atemi_transform  forth = atemi_transform_inverse(&drawn[1]);
    const atemi_quaternion turn = {relative[4], relative[5], relative[6], relative[3]};
    const bool             given = turn.x != 0.0 || turn.y != 0.0 || turn.z != 0.0 || turn.w != 0.0;
    const atemi_transform  asked = {atemi_quaternion_matrix(atemi_quaternion_normalized(turn)),
                                    {relative[0], relative[1], relative[2]}};
    const atemi_transform  second_in_first =
        given ? asked : atemi_transform_compose(&back, &drawn[1]);
    const atemi_transform first_in_second = atemi_transform_compose(&forth, &drawn[0]);
    const bool            welds = loop->kind == ATEMI_LOOP_WELD;
    loop->first = first.link;
    loop->second = second.link;
    loop->on_first = welds ? atemi_transform_compose(&second_in_first, &at) : at;
    loop->on_second = welds ? at : atemi_transform_compose(&first_in_second, &at);
    return ATEMI_OK;
}

static atemi_status join_site(atemi_mjcf_reader *reader, const atemi_mjcf_part *part,
                              const char *attribute, const char **link, atemi_transform *on)
{
    const char *name = atemi_mjcf_value(part, attribute);
    for (int i = 0; name && i < reader->document->site_count; ++i) {
        const atemi_site_description *site = &reader->document->sites[i];
        if (strcmp(site->name, name) == 0) {
            *link = site->link;
            *on = site->pose;
            return ATEMI_OK;
        }
    }
    return atemi_mjcf_complain(reader, part->element, "%s %s%.60s%s; name a site of a body",
                               attribute, name ? "'" : "is missing", name ? name : "",
                               name ? "' is no site of the robot" : "");
}

static atemi_status join_sites(atemi_mjcf_reader *reader, const atemi_mjcf_part *part,
                               atemi_loop_description *loop)
{
    const atemi_status status = join_site(reader, part, "site1", &loop->first, &loop->on_first);
    return status ? status : join_site(reader, part, "site2", &loop->second, &loop->on_second);
}

atemi_status atemi_mjcf_read_loop(atemi_mjcf_reader *reader, const atemi_mjcf_part *part)
{
    const bool sites =
        atemi_mjcf_value(part, "site1") != NULL || atemi_mjcf_value(part, "site2") != NULL;
    bool                   left_out = false;
    atemi_loop_description loop = {
        .kind = atemi_mjcf_is_named(part->element, "weld") ? ATEMI_LOOP_WELD : ATEMI_LOOP_POINT,
        .place = atemi_mjcf_place(reader, part->element)};
    if (reader->document->loop_count >= MOST_LOOPS) {
        return atemi_mjcf_complain(reader, part->element,
                                   "more than %d closed loops are not read; remove some",
                                   MOST_LOOPS);
    }
    atemi_status status = atemi_mjcf_name(reader, part->element, "loop", &loop.name);
    if (!status) {
        status =
            sites ? join_sites(reader, part, &loop) : join_bodies(reader, part, &loop, &left_out);
    }
    if (!status && left_out) {
        return atemi_mjcf_note_loss(reader, part->element,
                                    "a loop to a body that is no part of the robot is left open");
    }
    return status ? status
                  : atemi_mjcf_check_added(reader, part->element,
                                           atemi_urdf_document_add_loop(reader->document, &loop));
}
