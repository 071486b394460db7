// SPDX-License-Identifier: Apache-2.0

#include "io/scenario/scenario_contacts.h"

#include "atemi/base.h"
#include "atemi/support.h"
#include "io/scenario/scenario_failure.h"
#include "io/scenario/scenario_pick.h"
#include "io/scenario/scenario_warning.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// The reader refuses more of either: what is sized by them grows with the square.
enum { MAX_CONTACTS = 1000, MAX_POINTS = 1000 };

static const double usual_friction = 0.8;

// What one item of the list says, beside its places.
typedef struct contact_item {
    const atemi_model     *model;
    atemi_scenario_mark    mark;
    const char            *name; ///< or NULL
    atemi_simulation_point like; ///< all but link and point
} contact_item;

// ---- Points

static bool is_named_already(const atemi_scenario_contacts *contacts, const char *name)
{
    for (int i = 0; i < contacts->count; ++i) {
        if (strcmp(contacts->about[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

static void add_point(atemi_scenario_reader *reader, const contact_item *item, const char *name,
                      int corner, atemi_simulation_point point, atemi_scenario_contacts *contacts)
{
    atemi_scenario_contact about = {.mark = item->mark};
    snprintf(about.name, sizeof about.name, "%s.%d", name, corner);
    if (contacts->count == MAX_POINTS) {
        atemi_scenario_fail(reader, item->mark, "there are more than %d contact points; give fewer",
                            MAX_POINTS);
    } else if (is_named_already(contacts, about.name)) {
        atemi_scenario_fail(
            reader, item->mark,
            "there are two contacts named '%s'; give one of them another name:", name);
    }
    void *points = contacts->points, *abouts = contacts->about;
    if (atemi_scenario_grow(reader, sizeof point, contacts->count, &points)) {
        contacts->points = (atemi_simulation_point *)points;
    }
    if (atemi_scenario_grow(reader, sizeof about, contacts->count, &abouts)) {
        contacts->about = (atemi_scenario_contact *)abouts;
    }
    if (!atemi_scenario_failed(reader) && contacts->points && contacts->about) {
        contacts->points[contacts->count] = point;
        contacts->about[contacts->count++] = about;
    }
}

static void add_site(atemi_scenario_reader *reader, const contact_item *item, int index,
                     atemi_scenario_contacts *contacts)
{
    const atemi_site      *site = atemi_model_site(item->model, index);
    atemi_contact_point    corners[4]; // of one site
    const int              count = atemi_site_points(item->model, &index, 1, corners);
    atemi_simulation_point point = item->like;
    point.link = site->link;
    for (int i = 0; i < count; ++i) {
        point.point = corners[i].point;
        add_point(reader, item, item->name ? item->name : site->name, i, point, contacts);
    }
}

static void add_sites(atemi_scenario_reader *reader, const contact_item *item, int site,
                      atemi_scenario_contacts *contacts)
{
    const int count = item->model ? atemi_model_site_count(item->model) : 0;
    if (site >= 0) {
        add_site(reader, item, site, contacts);
        return;
    }
    for (int i = 0; i < count; ++i) {
        add_site(reader, item, i, contacts);
    }
}

// ---- What holds for all points of an item

static void read_friction(atemi_scenario_reader *reader, atemi_simulation_point *point)
{
    const atemi_number_key coefficient = {
        .fallback = usual_friction,
        .lower = 0.0,
        .upper = 100.0,
        .reason = "more is glue: tie the contact",
        .help = "one coefficient, or a mapping with static and kinetic"};
    if (atemi_scenario_look(reader, "friction") != ATEMI_SCENARIO_MAPPING) {
        point->static_friction = atemi_scenario_number(reader, "friction", coefficient);
        point->kinetic_friction = point->static_friction;
        return;
    }
    atemi_scenario_enter(reader, "friction", ATEMI_DEFAULTED, "of a rigid surface");
    atemi_number_key part = coefficient;
    part.help = "until it slips";
    point->static_friction = atemi_scenario_number(reader, "static", part);
    part.fallback = point->static_friction;
    part.help = "while it slips, not above the static one";
    point->kinetic_friction = atemi_scenario_number(reader, "kinetic", part);
    if (point->kinetic_friction > point->static_friction) {
        atemi_scenario_fail(reader, atemi_scenario_last(reader),
                            "%g is above the static friction, %g; give that or less",
                            point->kinetic_friction, point->static_friction);
    }
    atemi_scenario_leave(reader);
}

static void read_touch(atemi_scenario_reader *reader, const atemi_scenario_surfaces *surfaces,
                       atemi_scenario_law *law, atemi_simulation_point *point)
{
    const char *surface = atemi_scenario_string(
        reader, "surface",
        (atemi_string_key){.fallback = "floor", .help = "that it may touch, by name"});
    point->surface = atemi_scenario_pick(reader, atemi_scenario_surface_names(surfaces), surface);
    read_friction(reader, point);
    point->restitution = atemi_scenario_number(
        reader, "restitution",
        (atemi_number_key){.lower = 0.0,
                           .upper = 1.0,
                           .reason = "more makes energy",
                           .help = "of collisions: 0 stays, 1 bounces back as fast"});
    point->radius = atemi_scenario_number(
        reader, "radius",
        (atemi_number_key){.unit = "m",
                           .lower = 0.0,
                           .upper = INFINITY,
                           .help = "of a ball about each point, which touches in its place"});
    point->tied = atemi_scenario_boolean(
        reader, "tied", (atemi_boolean_key){.help = "the surface pulls as well as it pushes"});
    if (atemi_scenario_enter(reader, "compliance", ATEMI_OPTIONAL,
                             "a soft surface, for each point; without it, a rigid one")) {
        atemi_scenario_read_law(reader, law);
        point->compliance = &law->law;
        atemi_scenario_leave(reader);
    }
    if (point->compliance) {
        atemi_scenario_warn_if_given(reader, "restitution",
                                     "how a soft surface bounces follows from its compliance");
    }
}

// ---- Items

static void read_link_points(atemi_scenario_reader *reader, const contact_item *item,
                             const char *link, int link_index, atemi_scenario_contacts *contacts)
{
    atemi_simulation_point point = item->like;
    point.link = link_index;
    const char *name = item->name ? item->name : link;
    const int   count =
        atemi_scenario_enter_list(reader, "points", 0, MAX_POINTS,
                                  "of the link, in its frame, m; without it, the link's origin");
    for (int i = 0; atemi_scenario_next(reader); ++i) {
        point.point = atemi_scenario_vec3(reader, NULL, (atemi_vec3_key){.unit = "m"});
        if (link_index >= 0) {
            add_point(reader, item, name, i, point, contacts);
        }
    }
    if (count == 0 && link_index >= 0) {
        add_point(reader, item, name, 0, point, contacts);
    }
}

static void read_item(atemi_scenario_reader *reader, const atemi_model *model,
                      const atemi_scenario_surfaces *surfaces, atemi_scenario_law *law,
                      atemi_scenario_contacts *contacts)
{
    contact_item item = {.model = model, .mark = atemi_scenario_last(reader)};
    const bool   by_link = atemi_scenario_look(reader, "link") != ATEMI_SCENARIO_ABSENT;
    const char  *site = atemi_scenario_string(
        reader, "site",
        (atemi_string_key){.fallback = by_link ? NULL : "all",
                            .help = "whose corners touch, by name; all: every site of the robot"});
    const bool every = site && strcmp(site, "all") == 0;
    const int  site_index =
        every ? -1 : atemi_scenario_pick(reader, atemi_scenario_sites(model), site);
    if (site && by_link) {
        atemi_scenario_fail(reader, item.mark, "has a site and a link; give one of them");
    }
    const char *link = atemi_scenario_string(
        reader, "link", (atemi_string_key){.help = "whose points touch, in place of a site"});
    const int link_index = atemi_scenario_pick(reader, atemi_scenario_links(model), link);
    item.name = atemi_scenario_string(
        reader, "name",
        (atemi_string_key){.help = "in recordings; without it, that of the site or link"});
    read_touch(reader, surfaces, law, &item.like);
    if (by_link || atemi_scenario_is_blank(reader)) {
        read_link_points(reader, &item, link, link_index, contacts);
    } else if (!atemi_scenario_failed(reader)) {
        add_sites(reader, &item, site_index, contacts);
    }
}

// ---- Balls

// The point with the largest rigid ball on a surface, or -1.
static int largest_ball(const atemi_scenario_contacts *contacts, int surface)
{
    int largest = -1;
    for (int i = 0; i < contacts->count; ++i) {
        const atemi_simulation_point *point = &contacts->points[i];
        const double                  than = largest < 0 ? 0.0 : contacts->points[largest].radius;
        if (point->surface == surface && !point->compliance && point->radius > than) {
            largest = i;
        }
    }
    return largest;
}

static void check_balls(atemi_scenario_reader *reader, const atemi_scenario_surfaces *surfaces,
                        const atemi_scenario_contacts *contacts)
{
    for (int i = 0; i < surfaces->count && !atemi_scenario_failed(reader); ++i) {
        atemi_error error;
        const int   point = largest_ball(contacts, i);
        if (point >= 0 && atemi_surface_check_ball(&surfaces->surfaces[i],
                                                   contacts->points[point].radius, &error)) {
            atemi_scenario_adopt(reader, contacts->about[point].mark, &error);
        }
    }
}

void atemi_scenario_read_contacts(atemi_scenario_reader *reader, const atemi_model *model,
                                  const atemi_scenario_surfaces *surfaces,
                                  atemi_scenario_contacts       *contacts)
{
    *contacts = (atemi_scenario_contacts){0};
    const bool given = atemi_scenario_look(reader, "contacts") != ATEMI_SCENARIO_ABSENT;
    const int  count = atemi_scenario_enter_list(
        reader, "contacts", 0, MAX_CONTACTS,
        "what may touch; without it, every site of the robot the floor (control: none); the word "
         "shapes: all collision shapes (simulate)");
    const atemi_scenario_mark mark = atemi_scenario_last(reader);
    contacts->laws =
        (atemi_scenario_law *)atemi_scenario_allocate(reader, sizeof *contacts->laws, count);
    for (int i = 0; atemi_scenario_next(reader); ++i) {
        read_item(reader, model, surfaces, &contacts->laws[i], contacts);
    }
    if (!given && !atemi_scenario_failed(reader)) {
        const contact_item item = {
            .model = model,
            .mark = mark,
            .like = {.static_friction = usual_friction, .kinetic_friction = usual_friction}};
        add_sites(reader, &item, -1, contacts);
    }
    check_balls(reader, surfaces, contacts);
}

static bool is_touched(const atemi_scenario_contacts *contacts, int surface)
{
    for (int i = 0; i < contacts->count; ++i) {
        if (contacts->points[i].surface == surface) {
            return true;
        }
    }
    return false;
}

void atemi_scenario_check_surfaces(atemi_scenario_reader         *reader,
                                   const atemi_scenario_surfaces *surfaces,
                                   const atemi_scenario_contacts *contacts)
{
    for (int i = 0; !atemi_scenario_failed(reader) && i < surfaces->count; ++i) {
        const bool is_given = surfaces->marks[i].path != NULL;
        if (is_given && !is_touched(contacts, i)) {
            atemi_scenario_warn(reader, surfaces->marks[i],
                                "no contact can touch it, so it has no effect; add a contact with "
                                "surface: %s",
                                surfaces->names[i]);
        }
    }
}

void atemi_scenario_contacts_destroy(atemi_scenario_contacts *contacts)
{
    atemi_release(contacts->points);
    atemi_release(contacts->about);
    atemi_release(contacts->laws);
    *contacts = (atemi_scenario_contacts){0};
}
