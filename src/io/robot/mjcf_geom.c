// SPDX-License-Identifier: Apache-2.0

#include "io/robot/mjcf_reader.h"

#include <math.h>
#include <string.h>

// Geoms as shapes. MuJoCo's sizes are radii and half lengths, the model's are radii, side lengths
// and lengths. What touches nothing (contype and conaffinity 0) is only looked at; what touches is
// looked at too if MuJoCo's viewer would show its group, 0 to 2.

static const double last_shown_group = 2.0;

// ---- Reading

static int numbers_of(atemi_mjcf_geom_type type)
{
    switch (type) {
    case ATEMI_MJCF_SPHERE:
        return 1;
    case ATEMI_MJCF_CAPSULE:
    case ATEMI_MJCF_CYLINDER:
        return 2;
    case ATEMI_MJCF_ELLIPSOID:
    case ATEMI_MJCF_BOX:
        return 3;
    default:
        return 0;
    }
}

static atemi_status read_type(atemi_mjcf_reader *reader, atemi_mjcf_geom *geom)
{
    static const char *const words[] = {"plane",    "hfield", "sphere", "capsule", "ellipsoid",
                                        "cylinder", "box",    "mesh",   "sdf",     NULL};
    int                      index = ATEMI_MJCF_SPHERE;
    const char              *mesh = atemi_mjcf_value(&geom->part, "mesh");
    atemi_status             status = atemi_mjcf_choice(reader, &geom->part, "type", words, &index);
    geom->type = (atemi_mjcf_geom_type)index;
    if (!status && mesh) {
        geom->mesh = atemi_mjcf_find_mesh(reader, mesh);
        geom->fitted = geom->type != ATEMI_MJCF_GEOM_MESH && geom->type != ATEMI_MJCF_SDF;
    }
    if (!status && geom->type == ATEMI_MJCF_GEOM_MESH && !geom->mesh) {
        status = atemi_mjcf_complain(reader, geom->element, "%s%.60s%s; name a <mesh> of <asset>",
                                     mesh ? "there is no mesh '" : "attribute mesh is missing",
                                     mesh ? mesh : "", mesh ? "'" : "");
    }
    return status;
}

// From one point to another: the z axis points from the second to the first, as in MuJoCo.
static atemi_status place_between(const atemi_mjcf_reader *reader, atemi_mjcf_geom *geom,
                                  const double ends[6], double size[3])
{
    const atemi_vec3 from = {ends[0], ends[1], ends[2]}, to = {ends[3], ends[4], ends[5]};
    const atemi_vec3 axis = atemi_vec3_sub(from, to);
    const double     half = 0.5 * atemi_vec3_norm(axis);
    if (!(half > 1e-14)) {
        return atemi_mjcf_complain(reader, geom->element,
                                   "fromto has the same point twice; give two points");
    }
    geom->pose.position = atemi_vec3_scale(0.5, atemi_vec3_add(from, to));
    geom->pose.rotation = atemi_mjcf_turn_to(axis);
    const bool wide = geom->type == ATEMI_MJCF_BOX || geom->type == ATEMI_MJCF_ELLIPSOID;
    size[wide ? 2 : 1] = half;
    if (wide) {
        size[1] = size[0];
    }
    return ATEMI_OK;
}

static atemi_status check_size(const atemi_mjcf_reader *reader, const atemi_mjcf_geom *geom,
                               const double size[3])
{
    for (int i = 0; i < numbers_of(geom->type); ++i) {
        if (!(size[i] > 0.0)) {
            return atemi_mjcf_complain(
                reader, geom->element, "size has %s; this type needs %d above 0, in m",
                size[i] < 0.0 ? "a negative number" : "too few numbers", numbers_of(geom->type));
        }
    }
    return ATEMI_OK;
}

static atemi_status read_size(const atemi_mjcf_reader *reader, atemi_mjcf_geom *geom)
{
    double       size[3] = {0.0, 0.0, 0.0}, ends[6];
    const bool   between = atemi_mjcf_value(&geom->part, "fromto") != NULL;
    atemi_status status = atemi_mjcf_some_numbers(reader, &geom->part, "size", 3, size, NULL);
    if (!status && between) {
        status = atemi_mjcf_numbers(reader, &geom->part, "fromto", 6, ends);
    }
    if (!status && between) {
        status = place_between(reader, geom, ends, size);
    }
    if (!status && !geom->fitted) {
        status = check_size(reader, geom, size);
    }
    geom->size = (atemi_vec3){size[0], size[1], size[2]};
    return status;
}

atemi_status atemi_mjcf_read_geom(atemi_mjcf_reader *reader, const atemi_mjcf_element *element,
                                  atemi_mjcf_geom *geom)
{
    *geom = (atemi_mjcf_geom){.element = element};
    atemi_status status = atemi_mjcf_part_of(reader, element, ATEMI_MJCF_GEOM, &geom->part);
    if (!status) {
        status = read_type(reader, geom);
    }
    if (!status) {
        status = atemi_mjcf_pose(reader, &geom->part, &geom->pose);
    }
    if (!status) {
        status = read_size(reader, geom);
    }
    const atemi_transform frame = atemi_mjcf_frame(reader, element);
    geom->pose = atemi_transform_compose(&frame, &geom->pose);
    return status;
}

// ---- Shapes

static atemi_status read_color(const atemi_mjcf_reader *reader, const atemi_mjcf_geom *geom,
                               atemi_urdf_shape *shape)
{
    const char  *material = atemi_mjcf_value(&geom->part, "material");
    atemi_status status = atemi_mjcf_color(reader, &geom->part, shape->geometry.color);
    if (!status && material) {
        status = atemi_mjcf_copy(reader, material, &shape->material);
    }
    return status;
}

// A mesh that <mesh> turns and moves: so is the pose of the shape, where the scale allows it.
static atemi_status describe_mesh(atemi_mjcf_reader *reader, const atemi_mjcf_geom *geom,
                                  atemi_geometry_description *geometry, bool *left_out)
{
    atemi_mjcf_part       part;
    atemi_mjcf_mesh_frame frame;
    char                  address[ATEMI_PATH_SIZE] = "";
    atemi_status          status = atemi_mjcf_part_of(reader, geom->mesh, ATEMI_MJCF_MESH, &part);
    if (!status) {
        status = atemi_mjcf_read_mesh_frame(reader, &part, &frame, &geometry->size);
    }
    if (!status) {
        status = atemi_mjcf_mesh_address(reader, &part, address);
    }
    const atemi_vec3 s = geometry->size;
    const bool       turned = atemi_mjcf_value(&part, "refquat") != NULL;
    const bool       even = s.x == s.y && s.y == s.z && s.x > 0.0;
    *left_out = !address[0] || (turned && !even);
    if (status || *left_out) {
        return status;
    }
    atemi_transform inner = {atemi_mat3_identity(), frame.shift};
    if (turned) {
        inner.rotation = (atemi_mat3){atemi_vec3_scale(1.0 / s.x, frame.matrix.x),
                                      atemi_vec3_scale(1.0 / s.x, frame.matrix.y),
                                      atemi_vec3_scale(1.0 / s.x, frame.matrix.z)};
    }
    geometry->pose = atemi_transform_compose(&geom->pose, &inner);
    return atemi_mjcf_copy(reader, address, &geometry->uri);
}

// False where the model has no such shape.
static bool describe_simple(const atemi_mjcf_geom *geom, atemi_geometry_description *geometry)
{
    const atemi_vec3 s = geom->size;
    switch (geom->type) {
    case ATEMI_MJCF_SPHERE:
        geometry->shape = ATEMI_SHAPE_SPHERE;
        geometry->size = (atemi_vec3){s.x, 0.0, 0.0};
        return true;
    case ATEMI_MJCF_CAPSULE:
        geometry->shape = ATEMI_SHAPE_CAPSULE;
        geometry->size = (atemi_vec3){s.x, 2.0 * s.y, 0.0};
        return true;
    case ATEMI_MJCF_CYLINDER:
        geometry->shape = ATEMI_SHAPE_CYLINDER;
        geometry->size = (atemi_vec3){s.x, 2.0 * s.y, 0.0};
        return true;
    case ATEMI_MJCF_BOX:
        geometry->shape = ATEMI_SHAPE_BOX;
        geometry->size = (atemi_vec3){2.0 * s.x, 2.0 * s.y, 2.0 * s.z};
        return true;
    default:
        return false;
    }
}

static const char *loss_text(const atemi_mjcf_geom *geom)
{
    return geom->fitted                         ? "a simple shape fitted to a mesh is no shape "
                                                  "of the model; it is left out"
           : geom->type == ATEMI_MJCF_ELLIPSOID ? "an ellipsoid is no shape of the model; its "
                                                  "mass counts, its shape is left out"
           : geom->type == ATEMI_MJCF_GEOM_MESH ? "a mesh without a file, or rotated by refquat "
                                                  "and scaled unevenly, is no shape of the "
                                                  "model; it is left out"
                                                : "planes, height fields and signed distances "
                                                  "are no shapes of a robot; they are left out";
}

static atemi_status read_groups(const atemi_mjcf_reader *reader, const atemi_mjcf_geom *geom,
                                bool *touches, bool *shows)
{
    double       contype = 1.0, conaffinity = 1.0, group = 0.0;
    atemi_status status = atemi_mjcf_number(reader, &geom->part, "contype", &contype);
    if (!status) {
        status = atemi_mjcf_number(reader, &geom->part, "conaffinity", &conaffinity);
    }
    if (!status) {
        status = atemi_mjcf_number(reader, &geom->part, "group", &group);
    }
    *touches = contype != 0.0 || conaffinity != 0.0;
    *shows = !*touches || group <= last_shown_group;
    return status;
}

static atemi_status add_shape(const atemi_mjcf_reader *reader, const atemi_mjcf_geom *geom,
                              atemi_urdf_shape *shape, bool collision)
{
    shape->geometry.collision = collision;
    return atemi_mjcf_check_added(reader, geom->element,
                                  atemi_urdf_document_add_shape(reader->document, shape));
}

atemi_status atemi_mjcf_add_geom(atemi_mjcf_reader *reader, const atemi_mjcf_geom *geom,
                                 const char *link)
{
    atemi_urdf_shape shape = {.geometry = {.link = link,
                                           .pose = geom->pose,
                                           .place = atemi_mjcf_place(reader, geom->element)}};
    bool             touches, shows, left_out = true;
    atemi_status     status = read_groups(reader, geom, &touches, &shows);
    if (!status && geom->type == ATEMI_MJCF_GEOM_MESH) {
        shape.geometry.shape = ATEMI_SHAPE_MESH;
        status = describe_mesh(reader, geom, &shape.geometry, &left_out);
    } else if (!geom->fitted) {
        left_out = !describe_simple(geom, &shape.geometry);
    }
    if (!status) {
        status = left_out ? atemi_mjcf_note_loss(reader, geom->element, loss_text(geom))
                          : read_color(reader, geom, &shape);
    }
    if (!status && !left_out && shows) {
        status = add_shape(reader, geom, &shape, false);
    }
    if (!status && !left_out && touches) {
        status = add_shape(reader, geom, &shape, true);
    }
    return status;
}
