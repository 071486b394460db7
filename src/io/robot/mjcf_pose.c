// SPDX-License-Identifier: Apache-2.0

#include "atemi/math.h"
#include "base/growing.h"
#include "io/robot/mjcf_reader.h"

#include <math.h>
#include <string.h>

// Poses. MJCF has five ways to say a rotation, quaternions are w x y z, and <frame> moves all that
// is inside it.

static double length(const double *x, int count)
{
    double sum = 0.0;
    for (int i = 0; i < count; ++i) {
        sum += x[i] * x[i];
    }
    return sqrt(sum);
}

static atemi_status complain_of_zero(const atemi_mjcf_reader *reader, const atemi_mjcf_part *part,
                                     const char *attribute)
{
    return atemi_mjcf_complain(reader, part->element,
                               "%s has no direction: its length is zero, or its axes are parallel",
                               attribute);
}

static atemi_vec3 normalized(atemi_vec3 a)
{
    return atemi_vec3_scale(1.0 / atemi_vec3_norm(a), a);
}

atemi_mat3 atemi_mjcf_turn_to(atemi_vec3 axis)
{
    const atemi_vec3 z = normalized(axis), up = {0.0, 0.0, 1.0};
    const atemi_vec3 across = atemi_vec3_cross(up, z);
    const double     sine = atemi_vec3_norm(across);
    const atemi_vec3 about =
        sine < 1e-10 ? (atemi_vec3){1.0, 0.0, 0.0} : atemi_vec3_scale(1.0 / sine, across);
    return atemi_quaternion_matrix(atemi_quaternion_exp(atemi_vec3_scale(atan2(sine, z.z), about)));
}

static atemi_status read_quaternion(const atemi_mjcf_reader *reader, const atemi_mjcf_part *part,
                                    atemi_mat3 *rotation)
{
    double             q[4];
    const atemi_status status = atemi_mjcf_numbers(reader, part, "quat", 4, q);
    if (status) {
        return status;
    }
    if (!(length(q, 4) > 1e-14)) {
        return complain_of_zero(reader, part, "quat");
    }
    *rotation = atemi_quaternion_matrix(
        atemi_quaternion_normalized((atemi_quaternion){q[1], q[2], q[3], q[0]}));
    return ATEMI_OK;
}

static atemi_status read_axis_angle(const atemi_mjcf_reader *reader, const atemi_mjcf_part *part,
                                    atemi_mat3 *rotation)
{
    double             a[4];
    const atemi_status status = atemi_mjcf_numbers(reader, part, "axisangle", 4, a);
    if (status) {
        return status;
    }
    const double size = length(a, 3);
    if (!(size > 1e-14)) {
        return complain_of_zero(reader, part, "axisangle");
    }
    const double turn = a[3] * reader->settings.angle / size;
    *rotation = atemi_quaternion_matrix(
        atemi_quaternion_exp((atemi_vec3){turn * a[0], turn * a[1], turn * a[2]}));
    return ATEMI_OK;
}

static atemi_status read_axes(const atemi_mjcf_reader *reader, const atemi_mjcf_part *part,
                              atemi_mat3 *rotation)
{
    double             a[6];
    const atemi_status status = atemi_mjcf_numbers(reader, part, "xyaxes", 6, a);
    if (status) {
        return status;
    }
    if (!(length(a, 3) > 1e-14)) {
        return complain_of_zero(reader, part, "xyaxes");
    }
    const atemi_vec3 x = normalized((atemi_vec3){a[0], a[1], a[2]}), given = {a[3], a[4], a[5]};
    const atemi_vec3 y = atemi_vec3_sub(given, atemi_vec3_scale(atemi_vec3_dot(x, given), x));
    if (!(atemi_vec3_norm(y) > 1e-14)) {
        return complain_of_zero(reader, part, "xyaxes");
    }
    rotation->x = x;
    rotation->y = normalized(y);
    rotation->z = atemi_vec3_cross(x, rotation->y);
    return ATEMI_OK;
}

static atemi_status read_z_axis(const atemi_mjcf_reader *reader, const atemi_mjcf_part *part,
                                atemi_mat3 *rotation)
{
    atemi_vec3         axis = {0.0, 0.0, 1.0};
    const atemi_status status = atemi_mjcf_vector(reader, part, "zaxis", &axis);
    if (!status && !(atemi_vec3_norm(axis) > 1e-14)) {
        return complain_of_zero(reader, part, "zaxis");
    }
    *rotation = status ? *rotation : atemi_mjcf_turn_to(axis);
    return status;
}

// Small letters turn about the axes that have turned along, capital ones about those that stand.
static atemi_status read_euler(const atemi_mjcf_reader *reader, const atemi_mjcf_part *part,
                               atemi_mat3 *rotation)
{
    double             a[3];
    const atemi_status status = atemi_mjcf_numbers(reader, part, "euler", 3, a);
    if (status) {
        return status;
    }
    atemi_quaternion q = {0.0, 0.0, 0.0, 1.0};
    for (int i = 0; i < 3; ++i) {
        const char             axis = reader->settings.euler[i];
        const double           angle = a[i] * reader->settings.angle;
        const bool             along = axis >= 'x';
        const atemi_quaternion turn = atemi_quaternion_exp(
            (atemi_vec3){strchr("xX", axis) ? angle : 0.0, strchr("yY", axis) ? angle : 0.0,
                         strchr("zZ", axis) ? angle : 0.0});
        q = along ? atemi_quaternion_multiply(q, turn) : atemi_quaternion_multiply(turn, q);
    }
    *rotation = atemi_quaternion_matrix(q);
    return ATEMI_OK;
}

static atemi_status read_rotation(const atemi_mjcf_reader *reader, const atemi_mjcf_part *part,
                                  atemi_mat3 *rotation)
{
    static const struct {
        const char *attribute;
        atemi_status (*read)(const atemi_mjcf_reader *reader, const atemi_mjcf_part *part,
                             atemi_mat3 *rotation);
    } ways[] = {{"quat", read_quaternion},
                {"axisangle", read_axis_angle},
                {"xyaxes", read_axes},
                {"zaxis", read_z_axis},
                {"euler", read_euler}};
    const char  *given = NULL;
    atemi_status status = ATEMI_OK;
    *rotation = atemi_mat3_identity();
    for (size_t i = 0; i < sizeof ways / sizeof ways[0] && !status; ++i) {
        if (!atemi_mjcf_value(part, ways[i].attribute)) {
            continue;
        }
        status =
            given ? atemi_mjcf_complain(reader, part->element, "both %s and %s; remove one of them",
                                        given, ways[i].attribute)
                  : ways[i].read(reader, part, rotation);
        given = ways[i].attribute;
    }
    return status;
}

atemi_status atemi_mjcf_pose(const atemi_mjcf_reader *reader, const atemi_mjcf_part *part,
                             atemi_transform *pose)
{
    *pose = atemi_transform_identity();
    const atemi_status status = atemi_mjcf_vector(reader, part, "pos", &pose->position);
    return status ? status : read_rotation(reader, part, &pose->rotation);
}

atemi_transform atemi_mjcf_frame(const atemi_mjcf_reader *reader, const atemi_mjcf_element *element)
{
    const atemi_mjcf_element *around = element->parent;
    return atemi_mjcf_is_named(around, "frame") && around->link != ATEMI_NONE
               ? reader->frames[around->link]
               : atemi_transform_identity();
}

static atemi_status read_frame(atemi_mjcf_reader *reader, atemi_mjcf_element *element)
{
    atemi_mjcf_part part;
    atemi_transform pose;
    atemi_status    status = atemi_mjcf_part_of(reader, element, ATEMI_MJCF_FRAME, &part);
    if (!status) {
        status = atemi_mjcf_pose(reader, &part, &pose);
    }
    if (status) {
        return status;
    }
    atemi_transform *frames = (atemi_transform *)atemi_grown(
        reader->frames, sizeof *frames, reader->frame_count, &reader->frame_capacity);
    if (!frames) {
        return atemi_mjcf_no_memory(reader);
    }
    reader->frames = frames;
    const atemi_transform around = atemi_mjcf_frame(reader, element);
    element->link = reader->frame_count++;
    frames[element->link] = atemi_transform_compose(&around, &pose);
    return ATEMI_OK;
}

atemi_status atemi_mjcf_read_frames(atemi_mjcf_reader *reader)
{
    const atemi_mjcf_element *root = reader->tree->root;
    atemi_status              status = ATEMI_OK;
    for (atemi_mjcf_element *at = root->first; at && !status;
         at = atemi_mjcf_next(root, at, true)) {
        if (atemi_mjcf_is_named(at, "frame")) {
            status = read_frame(reader, at);
        }
    }
    return status;
}

atemi_mjcf_element *atemi_mjcf_body_of(const atemi_mjcf_element *element)
{
    atemi_mjcf_element *at = element->parent;
    while (at && !atemi_mjcf_is_named(at, "body")) {
        at = at->parent;
    }
    return at;
}
