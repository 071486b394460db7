// SPDX-License-Identifier: Apache-2.0

#include "io/robot/mjcf_reader.h"

#include <string.h>

// <worldbody> and its bodies. A model has one root:
//
//   - one body of the world is free, and nothing else moves: that body is the root, and the world
//     around it (floor, table, ...) is no part of the robot;
//   - else the world is the root, a link named "world", and free bodies hang on floating joints.

// ---- Which body is the root

static bool moves(const atemi_mjcf_element *body)
{
    const atemi_mjcf_element *at = body->first;
    while (at && !atemi_mjcf_is_named(at, "joint") && !atemi_mjcf_is_named(at, "freejoint")) {
        at = atemi_mjcf_next(body, at, true);
    }
    return at != NULL;
}

static bool is_outermost_body(const atemi_mjcf_element *element)
{
    return atemi_mjcf_is_named(element, "body") && !atemi_mjcf_body_of(element);
}

static void find_root(atemi_mjcf_reader *reader)
{
    const atemi_mjcf_element *top = reader->tree->root;
    int                       moving = 0;
    atemi_mjcf_element       *at = top->first;
    while (at) {
        const bool inside =
            atemi_mjcf_is_named(at, "worldbody") || atemi_mjcf_is_named(at, "frame");
        if (is_outermost_body(at) && moves(at)) {
            ++moving;
            reader->root = atemi_mjcf_is_free(at) ? at : NULL;
        }
        at = atemi_mjcf_next(top, at, inside);
    }
    reader->root = moving == 1 ? reader->root : NULL;
}

// ---- What is in a body

static atemi_status refuse(const atemi_mjcf_reader *reader, const atemi_mjcf_element *element)
{
    return atemi_mjcf_complain(reader, element,
                               "it makes bodies that are not read; let MuJoCo write them out: "
                               "mujoco.mj_saveLastXML(\"flat.xml\", model)");
}

static bool makes_bodies(const atemi_mjcf_element *element)
{
    static const char *const names[] = {"replicate", "attach", "composite", "flexcomp"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        if (atemi_mjcf_is_named(element, names[i])) {
            return true;
        }
    }
    return false;
}

static bool is_read_elsewhere(const atemi_mjcf_element *element)
{
    static const char *const names[] = {"body", "frame", "joint", "freejoint", "inertial"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        if (atemi_mjcf_is_named(element, names[i])) {
            return true;
        }
    }
    return false;
}

static atemi_status read_geom(atemi_mjcf_reader *reader, const atemi_mjcf_element *element,
                              const char *link)
{
    atemi_mjcf_geom    geom;
    const atemi_status status = atemi_mjcf_read_geom(reader, element, &geom);
    return status ? status : atemi_mjcf_add_geom(reader, &geom, link);
}

// `link` is NULL in a world that is no part of the robot.
static atemi_status read_content(atemi_mjcf_reader *reader, const atemi_mjcf_element *element,
                                 const char *link)
{
    const bool geom = atemi_mjcf_is_named(element, "geom");
    const bool site = atemi_mjcf_is_named(element, "site");
    if (makes_bodies(element)) {
        return refuse(reader, element);
    }
    if (is_read_elsewhere(element)) {
        return ATEMI_OK;
    }
    if ((geom || site) && !link) {
        return atemi_mjcf_note_loss(reader, element,
                                    "geoms and sites of the world are no part of the robot; a "
                                    "scenario says what surrounds it");
    }
    return geom   ? read_geom(reader, element, link)
           : site ? atemi_mjcf_read_site(reader, element, link)
                  : atemi_mjcf_note_unused(reader, element, NULL);
}

// Geoms and sites of a body, or of the world, with those in frames.
static atemi_status read_contents(atemi_mjcf_reader *reader, const atemi_mjcf_element *body,
                                  const char *link)
{
    atemi_status status = ATEMI_OK;
    for (const atemi_mjcf_element *at = body->first; at && !status;
         at = atemi_mjcf_next(body, at, atemi_mjcf_is_named(at, "frame"))) {
        status = read_content(reader, at, link);
    }
    return status;
}

// ---- Bodies

static const char *parent_name(const atemi_mjcf_reader *reader, const atemi_mjcf_element *body)
{
    const atemi_mjcf_element *parent = atemi_mjcf_body_of(body);
    return parent ? reader->document->links[parent->link].name : "world";
}

static atemi_status read_body(atemi_mjcf_reader *reader, atemi_mjcf_element *body)
{
    atemi_link_description link = {.place = atemi_mjcf_place(reader, body)};
    atemi_status           status = atemi_mjcf_name(reader, body, "body", &link.name);
    if (!status) {
        status = atemi_mjcf_body_inertia(reader, body, &link.inertia);
    }
    if (!status) {
        body->link = reader->document->link_count;
        status = atemi_mjcf_check_added(reader, body,
                                        atemi_urdf_document_add_link(reader->document, &link));
    }
    if (!status) {
        status = atemi_mjcf_add_joints(reader, body, parent_name(reader, body), link.name);
    }
    return status ? status : read_contents(reader, body, link.name);
}

// The root's own pose says where it is at first, which is no part of a model.
static bool is_left_out(const atemi_mjcf_reader *reader, const atemi_mjcf_element *body)
{
    return reader->root && body != reader->root && !atemi_mjcf_body_of(body);
}

static atemi_status read_world(atemi_mjcf_reader *reader, atemi_mjcf_element *world)
{
    atemi_status        status = read_contents(reader, world, reader->root ? NULL : "world");
    atemi_mjcf_element *at = world->first;
    while (at && !status) {
        bool inside = atemi_mjcf_is_named(at, "frame");
        if (atemi_mjcf_is_named(at, "body")) {
            inside = !is_left_out(reader, at);
            status = inside ? read_body(reader, at)
                            : atemi_mjcf_note_loss(reader, at,
                                                   "bodies that stand in the world beside a free "
                                                   "one are no part of the robot; they are left "
                                                   "out");
        }
        at = atemi_mjcf_next(world, at, inside);
    }
    return status;
}

atemi_status atemi_mjcf_read_bodies(atemi_mjcf_reader *reader)
{
    const atemi_mjcf_element *root = reader->tree->root;
    atemi_status              status = ATEMI_OK;
    find_root(reader);
    if (!reader->root) {
        const atemi_link_description world = {.name = "world",
                                              .place = atemi_mjcf_place(reader, root)};
        status = atemi_mjcf_check_added(reader, root,
                                        atemi_urdf_document_add_link(reader->document, &world));
    }
    for (atemi_mjcf_element *at = root->first; at && !status; at = at->next) {
        status = atemi_mjcf_is_named(at, "worldbody") ? read_world(reader, at) : ATEMI_OK;
    }
    if (!status && reader->document->link_count <= !reader->root) {
        status = atemi_mjcf_complain(reader, root,
                                     "there is no <body> inside <worldbody>; this file describes "
                                     "no robot, give the one that does");
    }
    return status;
}
