// SPDX-License-Identifier: Apache-2.0

#include "io/robot/urdf_reader.h"

#include <math.h>
#include <string.h>

// <visual> and <collision>, their <geometry> and their <material>; materials of the whole robot.

static atemi_status start_shape(atemi_urdf_reader *reader, const atemi_xml_element *element,
                                bool collision)
{
    reader->link.has_shape = false;
    reader->link.shape = (atemi_urdf_shape){.geometry = {.link = reader->link.description.name,
                                                         .collision = collision,
                                                         .pose = atemi_transform_identity(),
                                                         .place = element->place}};
    return ATEMI_OK;
}

atemi_status atemi_urdf_start_visual(atemi_urdf_reader *reader, const atemi_xml_element *element)
{
    return start_shape(reader, element, false);
}

atemi_status atemi_urdf_start_collision(atemi_urdf_reader *reader, const atemi_xml_element *element)
{
    return start_shape(reader, element, true);
}

atemi_status atemi_urdf_start_shape_origin(atemi_urdf_reader       *reader,
                                           const atemi_xml_element *element)
{
    return atemi_urdf_read_pose(reader, element, &reader->link.shape.geometry.pose);
}

// The first of several shapes in one <geometry> is the one that counts.
static bool take_shape(atemi_urdf_reader *reader, const atemi_xml_element *element,
                       atemi_shape shape)
{
    if (reader->link.has_shape) {
        atemi_urdf_document_note(reader->document, ATEMI_URDF_REPEATED_ELEMENT, reader->owner_name,
                                 element->place);
        return false;
    }
    reader->link.has_shape = true;
    reader->link.shape.geometry.shape = shape;
    return true;
}

static atemi_status read_length(const atemi_urdf_reader *reader, const atemi_xml_element *element,
                                const char *attribute, double *length)
{
    const atemi_status status = atemi_urdf_require(reader, element, attribute, "0.1");
    return status ? status
                  : atemi_urdf_read_size(reader, element, attribute, "a length of 0 or more in m",
                                         length);
}

atemi_status atemi_urdf_start_box(atemi_urdf_reader *reader, const atemi_xml_element *element)
{
    if (!take_shape(reader, element, ATEMI_SHAPE_BOX)) {
        return ATEMI_OK;
    }
    atemi_vec3  *size = &reader->link.shape.geometry.size;
    atemi_status status = atemi_urdf_require(reader, element, "size", "0.1 0.2 0.3");
    if (!status) {
        status = atemi_urdf_read_vector(reader, element, "size", size);
    }
    if (!status && (size->x < 0.0 || size->y < 0.0 || size->z < 0.0)) {
        status = atemi_urdf_complain(reader, element,
                                     "size %g %g %g is negative; give three side lengths of 0 or "
                                     "more in m",
                                     size->x, size->y, size->z);
    }
    return status;
}

static atemi_status read_round_shape(atemi_urdf_reader *reader, const atemi_xml_element *element)
{
    atemi_vec3        *size = &reader->link.shape.geometry.size;
    const atemi_status status = read_length(reader, element, "radius", &size->x);
    return status ? status : read_length(reader, element, "length", &size->y);
}

atemi_status atemi_urdf_start_cylinder(atemi_urdf_reader *reader, const atemi_xml_element *element)
{
    return take_shape(reader, element, ATEMI_SHAPE_CYLINDER) ? read_round_shape(reader, element)
                                                             : ATEMI_OK;
}

atemi_status atemi_urdf_start_capsule(atemi_urdf_reader *reader, const atemi_xml_element *element)
{
    return take_shape(reader, element, ATEMI_SHAPE_CAPSULE) ? read_round_shape(reader, element)
                                                            : ATEMI_OK;
}

atemi_status atemi_urdf_start_sphere(atemi_urdf_reader *reader, const atemi_xml_element *element)
{
    return take_shape(reader, element, ATEMI_SHAPE_SPHERE)
               ? read_length(reader, element, "radius", &reader->link.shape.geometry.size.x)
               : ATEMI_OK;
}

static atemi_status copy_text(const atemi_urdf_reader *reader, const char *text, const char **copy)
{
    *copy = atemi_string_pool_copy(&reader->document->strings, text);
    return *copy ? ATEMI_OK
                 : atemi_fail(reader->error, ATEMI_ERROR_MEMORY, "no memory to read URDF");
}

atemi_status atemi_urdf_start_mesh(atemi_urdf_reader *reader, const atemi_xml_element *element)
{
    if (!take_shape(reader, element, ATEMI_SHAPE_MESH)) {
        return ATEMI_OK;
    }
    atemi_geometry_description *geometry = &reader->link.shape.geometry;
    geometry->size = (atemi_vec3){1.0, 1.0, 1.0};
    const char *filename = atemi_xml_attribute(element, "filename");

    atemi_status status =
        atemi_urdf_require(reader, element, "filename", "package://my_robot/meshes/arm.stl");
    if (!status) {
        status = copy_text(reader, filename, &geometry->uri);
    }
    if (!status) {
        status = atemi_urdf_read_vector(reader, element, "scale", &geometry->size);
    }
    return status;
}

atemi_status atemi_urdf_start_material(atemi_urdf_reader *reader, const atemi_xml_element *element)
{
    const char *name = atemi_xml_attribute(element, "name");
    reader->material = (atemi_urdf_material){0};
    return name && name[0] ? copy_text(reader, name, &reader->material.name) : ATEMI_OK;
}

static double between_0_and_1(double value)
{
    return value < 0.0 ? 0.0 : value > 1.0 ? 1.0 : value;
}

atemi_status atemi_urdf_start_color(atemi_urdf_reader *reader, const atemi_xml_element *element)
{
    double            *color = reader->material.color;
    const atemi_status status = atemi_urdf_read_numbers(reader, element, "rgba", 4, color);
    for (int i = 0; i < 4; ++i) {
        color[i] = between_0_and_1(color[i]);
    }
    reader->material.has_color = atemi_xml_attribute(element, "rgba") != NULL;
    return status;
}

static bool is_in_shape(const atemi_urdf_reader *reader)
{
    return reader->levels[reader->depth] == ATEMI_URDF_IN_SHAPE;
}

// A material with a name and a colour serves the whole robot, wherever it stands.
atemi_status atemi_urdf_end_material(atemi_urdf_reader *reader)
{
    const atemi_urdf_material *material = &reader->material;
    atemi_urdf_shape          *shape = &reader->link.shape;
    if (is_in_shape(reader)) {
        shape->material = material->name;
        memcpy(shape->geometry.color, material->color, sizeof shape->geometry.color);
    }
    if (!material->name || !material->has_color) {
        return ATEMI_OK;
    }
    return atemi_urdf_check_added(reader,
                                  atemi_urdf_document_add_material(reader->document, material),
                                  "materials", shape->geometry.place);
}

atemi_status atemi_urdf_end_shape(atemi_urdf_reader *reader)
{
    const atemi_urdf_shape *shape = &reader->link.shape;
    if (!reader->link.has_shape) {
        atemi_urdf_document_note(reader->document, ATEMI_URDF_SHAPE_WITHOUT_GEOMETRY,
                                 reader->owner_name, shape->geometry.place);
        return ATEMI_OK;
    }
    return atemi_urdf_check_added(reader, atemi_urdf_document_add_shape(reader->document, shape),
                                  "shapes", shape->geometry.place);
}
