// SPDX-License-Identifier: Apache-2.0

#include "io/robot/urdf_reader.h"

#include <math.h>

// <link>, <inertial> and <atemi:site>. The inertia matrix is given about the centre of mass in the
// axes of <origin>; a model wants it in the axes of the link: R I R^T.

atemi_status atemi_urdf_start_link(atemi_urdf_reader *reader, const atemi_xml_element *element)
{
    reader->link = (atemi_urdf_link_reading){.description.place = element->place,
                                             .inertial_pose = atemi_transform_identity()};
    const atemi_status status =
        atemi_urdf_read_name(reader, element, "name", &reader->link.description.name);
    reader->owner_kind = "link";
    reader->owner_name = reader->link.description.name;
    return status;
}

atemi_status atemi_urdf_start_inertial(atemi_urdf_reader *reader, const atemi_xml_element *element)
{
    reader->link.inertial_place = element->place;
    return ATEMI_OK;
}

atemi_status atemi_urdf_start_inertial_origin(atemi_urdf_reader       *reader,
                                              const atemi_xml_element *element)
{
    return atemi_urdf_read_pose(reader, element, &reader->link.inertial_pose);
}

atemi_status atemi_urdf_start_mass(atemi_urdf_reader *reader, const atemi_xml_element *element)
{
    atemi_status status = atemi_urdf_require(reader, element, "value", "1.5");
    if (!status) {
        status = atemi_urdf_read_size(reader, element, "value", "a mass of 0 or more in kg",
                                      &reader->link.description.inertia.mass);
    }
    reader->link.has_mass = true;
    return status;
}

atemi_status atemi_urdf_start_inertia(atemi_urdf_reader *reader, const atemi_xml_element *element)
{
    atemi_symmetric3 *I = &reader->link.description.inertia.rotational;
    const struct {
        const char *attribute;
        double     *value;
    } moments[] = {{"ixx", &I->xx}, {"iyy", &I->yy}, {"izz", &I->zz},
                   {"ixy", &I->xy}, {"ixz", &I->xz}, {"iyz", &I->yz}};

    reader->link.has_inertia = true;
    for (int i = 0; i < 6; ++i) {
        atemi_status status =
            atemi_urdf_require(reader, element, moments[i].attribute, i < 3 ? "0.01" : "0");
        if (!status) {
            status =
                atemi_urdf_read_number(reader, element, moments[i].attribute, moments[i].value);
        }
        if (status) {
            return status;
        }
    }
    return ATEMI_OK;
}

atemi_status atemi_urdf_end_inertial(atemi_urdf_reader *reader)
{
    atemi_urdf_link_reading *link = &reader->link;
    if (!link->has_mass || !link->has_inertia) {
        return atemi_urdf_complain_at(
            reader, "inertial", link->inertial_place, "there is no <%s> inside; add %s",
            link->has_mass ? "inertia" : "mass",
            link->has_mass ? "<inertia ixx=\"...\" ixy=\"0\" ixz=\"0\" iyy=\"...\" iyz=\"0\" "
                             "izz=\"...\"/> in kg m^2, or leave <inertial> out"
                           : "<mass value=\"...\"/> in kg, or leave <inertial> out");
    }
    atemi_inertia *inertia = &link->description.inertia;
    inertia->com = link->inertial_pose.position;
    inertia->rotational =
        atemi_symmetric3_rotated(&inertia->rotational, &link->inertial_pose.rotation);
    return ATEMI_OK;
}

atemi_status atemi_urdf_end_link(atemi_urdf_reader *reader)
{
    const atemi_link_description *link = &reader->link.description;
    reader->owner_name = NULL;
    return atemi_urdf_check_added(reader, atemi_urdf_document_add_link(reader->document, link),
                                  "links", link->place);
}

static atemi_status read_site_size(const atemi_urdf_reader *reader,
                                   const atemi_xml_element *element, atemi_site_description *site)
{
    double             size[2] = {0.0, 0.0};
    const atemi_status status = atemi_urdf_read_numbers(reader, element, "size", 2, size);
    if (status) {
        return status;
    }
    if (size[0] < 0.0 || size[1] < 0.0) {
        return atemi_urdf_complain(reader, element,
                                   "size %g %g is negative; give two side lengths of 0 or more in "
                                   "m",
                                   size[0], size[1]);
    }
    site->size_x = size[0];
    site->size_y = size[1];
    return ATEMI_OK;
}

atemi_status atemi_urdf_start_site(atemi_urdf_reader *reader, const atemi_xml_element *element)
{
    atemi_site_description site = {.link = reader->link.description.name, .place = element->place};
    atemi_status           status = atemi_urdf_read_name(reader, element, "name", &site.name);
    if (!status) {
        status = atemi_urdf_read_pose(reader, element, &site.pose);
    }
    if (!status) {
        status = read_site_size(reader, element, &site);
    }
    if (status) {
        return status;
    }
    return atemi_urdf_check_added(reader, atemi_urdf_document_add_site(reader->document, &site),
                                  "contact sites", element->place);
}
