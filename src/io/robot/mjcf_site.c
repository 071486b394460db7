// SPDX-License-Identifier: Apache-2.0

#include "io/robot/mjcf_reader.h"

#include <string.h>

// Sites become the model's contact sites: a box is the rectangle of its x and y sides, all others
// are points. MJCF names a site by its frame only, so z may point anywhere.

static atemi_status read_place(atemi_mjcf_reader *reader, const atemi_mjcf_part *part,
                               atemi_site_description *site)
{
    double       ends[6];
    const bool   between = atemi_mjcf_value(part, "fromto") != NULL;
    atemi_status status = atemi_mjcf_pose(reader, part, &site->pose);
    if (!status && between) {
        status = atemi_mjcf_numbers(reader, part, "fromto", 6, ends);
    }
    if (!status && between) {
        const atemi_vec3 from = {ends[0], ends[1], ends[2]}, to = {ends[3], ends[4], ends[5]};
        const atemi_vec3 axis = atemi_vec3_sub(from, to);
        site->pose.position = atemi_vec3_scale(0.5, atemi_vec3_add(from, to));
        if (!(atemi_vec3_norm(axis) > 1e-14)) {
            return atemi_mjcf_complain(reader, part->element,
                                       "fromto has the same point twice; give two points");
        }
        site->pose.rotation = atemi_mjcf_turn_to(axis);
    }
    const atemi_transform frame = atemi_mjcf_frame(reader, part->element);
    site->pose = atemi_transform_compose(&frame, &site->pose);
    return status;
}

static atemi_status read_sides(const atemi_mjcf_reader *reader, const atemi_mjcf_part *part,
                               atemi_site_description *site)
{
    static const char *const types[] = {"sphere", "capsule", "ellipsoid", "cylinder", "box", NULL};
    double                   size[3] = {0.0, 0.0, 0.0};
    int                      type = 0;
    atemi_status             status = atemi_mjcf_choice(reader, part, "type", types, &type);
    if (!status) {
        status = atemi_mjcf_some_numbers(reader, part, "size", 3, size, NULL);
    }
    if (!status && strcmp(types[type], "box") == 0) {
        if (size[0] < 0.0 || size[1] < 0.0) {
            return atemi_mjcf_complain(reader, part->element,
                                       "size has a negative number; give 0 or more, in m");
        }
        site->size_x = 2.0 * size[0];
        site->size_y = 2.0 * size[1];
    }
    return status;
}

atemi_status atemi_mjcf_read_site(atemi_mjcf_reader *reader, const atemi_mjcf_element *element,
                                  const char *link)
{
    atemi_mjcf_part        part;
    atemi_site_description site = {.link = link, .place = atemi_mjcf_place(reader, element)};
    const char            *name = atemi_mjcf_own(element, "name");
    if (!name || !name[0]) {
        return atemi_mjcf_note_loss(reader, element,
                                    "a site without a name cannot be referred to; it is left out");
    }
    atemi_status status = atemi_mjcf_part_of(reader, element, ATEMI_MJCF_SITE, &part);
    if (!status) {
        status = atemi_mjcf_name(reader, element, "site", &site.name);
    }
    if (!status) {
        status = read_place(reader, &part, &site);
    }
    if (!status) {
        status = read_sides(reader, &part, &site);
    }
    return status ? status
                  : atemi_mjcf_check_added(reader, element,
                                           atemi_urdf_document_add_site(reader->document, &site));
}
