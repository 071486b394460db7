// SPDX-License-Identifier: Apache-2.0

#include "io/robot/mjcf_writing.h"

#include "io/robot/xml_text.h"

#include <math.h>

// An effort limit is the range of an actuator; a servo's gains are those of a <position>. Closed
// loops join two sites of the bodies. A base that floats is at the origin in every key.

void mjcf_put_meshes(const mjcf_writing *w)
{
    atemi_text_put_string(w->text, "<asset>\n");
    for (int i = 0; i < atemi_model_geometry_count(w->model); ++i) {
        const atemi_geometry *geometry = atemi_model_geometry(w->model, i);
        if (geometry->shape == ATEMI_SHAPE_MESH && mjcf_takes_shape(geometry)) {
            atemi_text_append(w->text, "<mesh name=\"mesh_%d\"", i);
            atemi_xml_put_string(w->text, "file", geometry->path);
            atemi_xml_put_vector(w->text, "scale", geometry->size);
            atemi_text_put_string(w->text, " inertia=\"shell\"/>\n"); // hulls need no volume
        }
    }
    atemi_text_put_string(w->text, "</asset>\n");
}

void mjcf_put_excluded(const mjcf_writing *w)
{
    atemi_text_put_string(w->text, "<contact>\n");
    for (int i = 0; i < atemi_model_apart_count(w->model); ++i) {
        const atemi_link_pair pair = atemi_model_apart(w->model)[i];
        atemi_text_put_string(w->text, "<exclude");
        atemi_xml_put_string(w->text, "body1", mjcf_body_name(w, pair.first));
        atemi_xml_put_string(w->text, "body2", mjcf_body_name(w, pair.second));
        atemi_text_put_string(w->text, "/>\n");
    }
    atemi_text_put_string(w->text, "</contact>\n");
}

static void put_loop(mjcf_writing *w, const atemi_loop *loop)
{
    const bool weld = loop->kind == ATEMI_LOOP_WELD;
    atemi_text_append(w->text, "<%s", weld ? "weld" : "connect");
    atemi_xml_put_string(w->text, "name", loop->name);
    atemi_text_put_string(w->text, " site1=\"");
    atemi_xml_put_escaped(w->text, loop->name);
    atemi_text_put_string(w->text, "/first\" site2=\"");
    atemi_xml_put_escaped(w->text, loop->name);
    atemi_text_put_string(w->text, "/second\"/>\n");
    w->open_hinges += loop->kind == ATEMI_LOOP_HINGE;
}

void mjcf_put_equalities(mjcf_writing *w)
{
    atemi_text_put_string(w->text, "<equality>\n");
    for (int i = 0; i < atemi_model_joint_count(w->model); ++i) {
        const atemi_joint *joint = atemi_model_joint(w->model, i);
        const double       law[] = {joint->mimic.offset, joint->mimic.multiplier, 0.0, 0.0, 0.0};
        if (joint->mimic.joint != ATEMI_NONE) {
            atemi_text_put_string(w->text, "<joint");
            atemi_xml_put_string(w->text, "joint1", joint->name);
            atemi_xml_put_string(w->text, "joint2",
                                 atemi_model_joint(w->model, joint->mimic.joint)->name);
            atemi_xml_put_numbers(w->text, "polycoef", law, 5);
            atemi_text_put_string(w->text, "/>\n");
        }
    }
    for (int i = 0; i < atemi_model_loop_count(w->model); ++i) {
        put_loop(w, atemi_model_loop(w->model, i));
    }
    atemi_text_put_string(w->text, "</equality>\n");
}

// A motor, or a servo where its gains are known; none for a joint without effort.
static void put_actuator(const mjcf_writing *w, const atemi_joint *joint)
{
    const double effort = joint->limits.effort;
    const double range[] = {-effort, effort};
    const bool   servo = joint->servo_stiffness > 0.0 || joint->servo_damping > 0.0;
    if (!mjcf_has_one_coordinate(joint) || joint->mimic.joint != ATEMI_NONE || effort == 0.0) {
        return;
    }
    atemi_text_append(w->text, "<%s",
                      servo ? "general gaintype=\"fixed\" biastype=\"affine\"" : "motor");
    atemi_xml_put_string(w->text, "name", joint->name);
    atemi_xml_put_string(w->text, "joint", joint->name);
    if (servo) {
        const double bias[] = {0.0, -joint->servo_stiffness, -joint->servo_damping};
        atemi_xml_put_number(w->text, "gainprm", joint->servo_stiffness);
        atemi_xml_put_numbers(w->text, "biasprm", bias, 3);
    }
    if (isfinite(effort)) {
        atemi_xml_put_numbers(w->text, servo ? "forcerange" : "ctrlrange", range, 2);
    }
    atemi_text_put_string(w->text, "/>\n");
}

void mjcf_put_actuators(const mjcf_writing *w)
{
    atemi_text_put_string(w->text, "<actuator>\n");
    for (int i = 0; i < atemi_model_joint_count(w->model); ++i) {
        put_actuator(w, atemi_model_joint(w->model, i));
    }
    atemi_text_put_string(w->text, "</actuator>\n");
}

static void put_values(const mjcf_writing *w, const double *values, int count)
{
    for (int i = 0; i < count; ++i) {
        atemi_text_put_character(w->text, ' ');
        atemi_text_put_number(w->text, values[i]);
    }
}

static double position_of(const mjcf_writing *w, const atemi_joint *joint, const double *q)
{
    if (joint->mimic.joint == ATEMI_NONE || joint->q_count == 1) {
        return q[joint->first_q];
    }
    const atemi_joint *copied = atemi_model_joint(w->model, joint->mimic.joint);
    return joint->mimic.multiplier * q[copied->first_q] + joint->mimic.offset;
}

// MuJoCo has its quaternions w x y z.
static void put_coordinates(const mjcf_writing *w, const atemi_joint *joint, const double *q)
{
    if (mjcf_has_one_coordinate(joint)) {
        const double value = position_of(w, joint, q);
        put_values(w, &value, 1);
    } else if (joint->type == ATEMI_JOINT_FLOATING) {
        const double *at = q + joint->first_q;
        put_values(w, at, 3);
        put_values(w, at + 6, 1);
        put_values(w, at + 3, 3);
    } else if (joint->q_count > 0) {
        put_values(w, q + joint->first_q, joint->q_count);
    }
}

static void put_key(const mjcf_writing *w, int index)
{
    static const double free_base[] = {0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0};
    const double       *q = atemi_model_posture(w->model, index);
    atemi_text_put_string(w->text, "<key");
    atemi_xml_put_string(w->text, "name", atemi_model_posture_name(w->model, index));
    atemi_text_put_string(w->text, " qpos=\"");
    if (atemi_model_base(w->model) == ATEMI_BASE_FLOATING) {
        put_values(w, free_base, 7);
    } else {
        put_values(w, q, atemi_base_q_count(atemi_model_base(w->model)));
    }
    for (int i = 0; i < atemi_model_joint_count(w->model); ++i) {
        put_coordinates(w, atemi_model_joint(w->model, i), q);
    }
    atemi_text_put_string(w->text, "\"/>\n");
}

void mjcf_put_keys(const mjcf_writing *w)
{
    atemi_text_put_string(w->text, "<keyframe>\n");
    for (int i = 0; i < atemi_model_posture_count(w->model); ++i) {
        put_key(w, i);
    }
    atemi_text_put_string(w->text, "</keyframe>\n");
}
