// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"
#include "atemi/math.h"
#include "io/bytes/number.h"
#include "io/robot/mjcf_reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// <keyframe>: the qpos of a key is a posture. It has the coordinates of all joints in MuJoCo's
// order: 7 of a free joint, 4 (w x y z) of a ball, 1 of others. A posture of the model has those of
// single joints; the pose of a free body is left out, as the model's postures leave it out. A
// ball's quaternion becomes the angles of its three hinges, R = Rz Ry Rx.

static atemi_status add_value(const atemi_mjcf_reader *reader, const atemi_mjcf_element *key,
                              const char *posture, int joint, double value)
{
    const atemi_posture_description description = {.posture = posture,
                                                   .joint = reader->document->joints[joint].name,
                                                   .value = value,
                                                   .place = atemi_mjcf_place(reader, key)};
    return atemi_mjcf_check_added(reader, key,
                                  atemi_urdf_document_add_posture(reader->document, &description));
}

static atemi_status add_ball(const atemi_mjcf_reader *reader, const atemi_mjcf_element *key,
                             const char *posture, int joint, const double q[4])
{
    const atemi_mat3 R = atemi_quaternion_matrix(
        atemi_quaternion_normalized((atemi_quaternion){q[1], q[2], q[3], q[0]}));
    const double angles[] = {atan2(R.x.y, R.x.x), atan2(-R.x.z, hypot(R.x.x, R.x.y)),
                             atan2(R.y.z, R.z.z)};
    atemi_status status = ATEMI_OK;
    for (int i = 0; i < 3 && !status; ++i) {
        status = add_value(reader, key, posture, joint + i, angles[i]);
    }
    return status;
}

static atemi_status add_posture(const atemi_mjcf_reader *reader, const atemi_mjcf_element *key,
                                const char *posture, const double *q)
{
    atemi_status status = ATEMI_OK;
    for (int i = 0; i < reader->joint_count && !status; ++i) {
        const atemi_mjcf_element *joint = reader->joints[i];
        const int                 count = atemi_mjcf_coordinates_of(reader, i);
        if (count == 4) {
            status = add_ball(reader, key, posture, joint->joint, q + joint->coordinate);
        } else if (count == 1 &&
                   !(reader->coupled && reader->document->joints[joint->joint].mimic)) {
            status = add_value(reader, key, posture, joint->joint, q[joint->coordinate]);
        }
    }
    return status;
}

static atemi_status parse_qpos(const atemi_mjcf_reader *reader, const atemi_mjcf_element *key,
                               const char *text, double *q)
{
    const atemi_numbers_result result = atemi_numbers_parse(text, reader->coordinate_count, q);
    if (result.fault == ATEMI_NUMBER_MISCOUNTED) {
        return atemi_mjcf_complain(reader, key,
                                   "qpos has %d numbers, and the model %d coordinates; give as "
                                   "many (7 for a free joint, 4 for a ball, 1 for others)",
                                   result.found, reader->coordinate_count);
    }
    return result.fault ? atemi_mjcf_complain(reader, key, "qpos: \"%.*s\" is not a finite number",
                                              result.word.length < 60 ? result.word.length : 60,
                                              result.word.start)
                        : ATEMI_OK;
}

static atemi_status read_key(atemi_mjcf_reader *reader, const atemi_mjcf_element *key, double *q)
{
    atemi_mjcf_part part;
    const char     *name;
    atemi_status    status = atemi_mjcf_part_of(reader, key, ATEMI_MJCF_KEY, &part);
    if (!status && !atemi_mjcf_value(&part, "qpos")) {
        return atemi_mjcf_note_loss(reader, key,
                                    "a key without qpos is no posture; it is left out");
    }
    if (!status) {
        status = atemi_mjcf_name(reader, key, "key", &name);
    }
    if (!status) {
        status = parse_qpos(reader, key, atemi_mjcf_value(&part, "qpos"), q);
    }
    return status ? status : add_posture(reader, key, name, q);
}

static atemi_status read_section(atemi_mjcf_reader *reader, const atemi_mjcf_element *section,
                                 double *q)
{
    atemi_status status = ATEMI_OK;
    for (const atemi_mjcf_element *at = section->first; at && !status; at = at->next) {
        status = atemi_mjcf_is_named(at, "key") ? read_key(reader, at, q)
                                                : atemi_mjcf_note_unused(reader, at, NULL);
    }
    return status;
}

atemi_status atemi_mjcf_read_keys(atemi_mjcf_reader *reader)
{
    const size_t count = (size_t)reader->coordinate_count + 1;
    double      *q = (double *)atemi_allocate(count * sizeof *q);
    atemi_status status = ATEMI_OK;
    if (!q) {
        return atemi_mjcf_no_memory(reader);
    }
    for (const atemi_mjcf_element *at = reader->tree->root->first; at && !status; at = at->next) {
        status = atemi_mjcf_is_named(at, "keyframe") ? read_section(reader, at, q) : ATEMI_OK;
    }
    atemi_release(q);
    return status;
}
