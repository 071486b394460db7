// SPDX-License-Identifier: Apache-2.0

#include "io/report/report_json.h"

#include "atemi/math.h"
#include "io/recording/recording_parts.h"
#include "io/report/report_contact.h"
#include "io/report/report_data.h"
#include "io/report/report_plots.h"
#include "io/report/report_target.h"

// ---- Small things

static void put_separator(atemi_text *text, int index)
{
    atemi_text_put_string(text, index > 0 ? ",\n    " : "\n    ");
}

static void put_columns(atemi_text *text, const char *key, int count, const int *columns)
{
    atemi_text_put_string(text, key);
    atemi_text_put_character(text, '[');
    for (int i = 0; i < count; ++i) {
        atemi_text_append(text, "%s%d", i > 0 ? ", " : "", columns[i]);
    }
    atemi_text_put_character(text, ']');
}

// Columns, or null where the first is ATEMI_NONE.
static void put_known_columns(atemi_text *text, const char *key, int count, const int *columns)
{
    if (columns[0] == ATEMI_NONE) {
        atemi_text_append(text, "%snull", key);
    } else {
        put_columns(text, key, count, columns);
    }
}

static void put_pose(atemi_text *text, const atemi_transform *pose)
{
    const atemi_quaternion turn = atemi_quaternion_from_matrix(&pose->rotation);
    const double           entries[] = {turn.x, turn.y, turn.z, turn.w};
    atemi_recording_put_vector(text, "\"position\": ", pose->position);
    atemi_text_put_string(text, ", \"quaternion\": ");
    atemi_recording_put_numbers(text, 4, entries);
}

static void put_number(atemi_text *text, const char *key, double value)
{
    atemi_text_put_string(text, key);
    atemi_text_put_json_number(text, value);
}

// ---- The robot

// The index among the meshes that are written: those that could be read.
static int written_mesh(const atemi_report_robot *robot, int mesh)
{
    int index = 0;
    for (int i = 0; i < mesh; ++i) {
        index += robot->meshes[i].mesh.triangle_count > 0;
    }
    return index;
}

static void put_part(atemi_text *text, const atemi_report_robot *robot,
                     const atemi_report_part *part)
{
    atemi_text_append(text, "{\"shape\": \"%s\", ", atemi_shape_text(part->shape));
    put_pose(text, &part->pose);
    atemi_recording_put_vector(text, ", \"size\": ", part->size);
    atemi_text_put_string(text, ", \"color\": ");
    if (part->color[3] > 0.0) {
        atemi_recording_put_numbers(text, 4, part->color);
    } else {
        atemi_text_put_string(text, "null");
    }
    if (part->mesh == ATEMI_NONE) {
        atemi_text_put_string(text, ", \"mesh\": null}");
    } else {
        atemi_text_append(text, ", \"mesh\": %d}", written_mesh(robot, part->mesh));
    }
}

static void put_inertia(atemi_text *text, const atemi_inertia *inertia)
{
    const atemi_symmetric3 I = inertia->rotational;
    const double           entries[] = {I.xx, I.yy, I.zz, I.xy, I.xz, I.yz};
    atemi_recording_put_vector(text, ", \"com\": ", inertia->com);
    atemi_text_put_string(text, ", \"inertia\": ");
    atemi_recording_put_numbers(text, 6, entries);
}

// Shapes for touching, without meshes: a browser needs no second one of a link.
static void put_collisions(atemi_text *text, const atemi_report_robot *robot, int link)
{
    int count = 0;
    atemi_text_put_string(text, ", \"collision\": [");
    for (int i = 0; i < atemi_model_geometry_count(robot->model); ++i) {
        const atemi_geometry *shape = atemi_model_geometry(robot->model, i);
        if (shape->link == link && shape->collision && shape->shape != ATEMI_SHAPE_MESH) {
            const atemi_report_part part = {.link = link,
                                            .shape = shape->shape,
                                            .pose = shape->pose,
                                            .size = shape->size,
                                            .mesh = ATEMI_NONE};
            atemi_text_put_string(text, count++ > 0 ? ", " : "");
            put_part(text, robot, &part);
        }
    }
    atemi_text_put_character(text, ']');
}

// The parts of a link stand together; `*next` is the first that is not written yet.
static void put_link(atemi_text *text, const atemi_report_robot *robot, int link, int *next)
{
    atemi_text_put_string(text, "{\"name\": ");
    atemi_text_put_json_string(text, atemi_model_link(robot->model, link)->name);
    put_number(text, ", \"mass\": ", atemi_model_link(robot->model, link)->inertia.mass);
    put_inertia(text, &atemi_model_link(robot->model, link)->inertia);
    put_collisions(text, robot, link);
    atemi_text_put_string(text, ", \"parts\": [");
    for (int i = 0; *next < robot->part_count && robot->parts[*next].link == link; ++i) {
        atemi_text_put_string(text, i > 0 ? ", " : "");
        put_part(text, robot, &robot->parts[(*next)++]);
    }
    atemi_text_put_string(text, "]}");
}

// A joint with a coordinate of its own copies none, whatever the description says.
static void put_mimic(atemi_text *text, const atemi_joint *joint)
{
    if (joint->mimic.joint == ATEMI_NONE || joint->q_count > 0) {
        atemi_text_put_string(text, ", \"mimic\": null");
        return;
    }
    atemi_text_append(text, ", \"mimic\": {\"joint\": %d", joint->mimic.joint);
    put_number(text, ", \"multiplier\": ", joint->mimic.multiplier);
    put_number(text, ", \"offset\": ", joint->mimic.offset);
    atemi_text_put_character(text, '}');
}

static void put_joint(atemi_text *text, const atemi_recording *recording, const atemi_joint *joint)
{
    int       columns[7];
    const int count = atemi_report_joint_columns(recording, joint, columns);
    atemi_text_put_string(text, "{\"name\": ");
    atemi_text_put_json_string(text, joint->name);
    atemi_text_append(text, ", \"type\": \"%s\", \"parent\": %d, \"child\": %d, ",
                      atemi_joint_type_text(joint->type), joint->parent_link, joint->child_link);
    put_pose(text, &joint->origin);
    atemi_recording_put_vector(text, ", \"axis\": ", joint->axis);
    put_columns(text, ", \"columns\": ", count, columns);
    put_mimic(text, joint);
    put_number(text, ", \"lower\": ", joint->limits.lower);
    put_number(text, ", \"upper\": ", joint->limits.upper);
    put_number(text, ", \"velocity\": ", joint->limits.velocity);
    put_number(text, ", \"effort\": ", joint->limits.effort);
    put_number(text, ", \"armature\": ", joint->armature);
    put_number(text, ", \"damping\": ", joint->damping);
    put_number(text, ", \"friction\": ", joint->friction);
    atemi_text_put_character(text, '}');
}

static int root_of(const atemi_model *model)
{
    int root = 0;
    while (atemi_model_link(model, root)->parent_joint != ATEMI_NONE) {
        ++root;
    }
    return root;
}

static void put_robot(atemi_text *text, const atemi_recording *recording,
                      const atemi_report_robot *robot)
{
    const atemi_model *model = robot->model;
    if (!model) {
        atemi_text_put_string(text, "null");
        return;
    }
    int       columns[7], next = 0;
    const int count = atemi_report_base_columns(recording, atemi_model_base(model), columns);
    atemi_text_put_string(text, "{\"name\": ");
    atemi_text_put_json_string(text, atemi_model_name(model));
    atemi_text_append(text, ", \"base\": \"%s\"", atemi_base_text(atemi_model_base(model)));
    put_columns(text, ", \"base_columns\": ", count, columns);
    atemi_recording_put_vector(text, ", \"gravity\": ", atemi_model_gravity(model));
    atemi_text_append(text, ", \"loops\": %d", atemi_model_loop_count(model));
    atemi_text_append(text, ", \"root\": %d,\n  \"links\": [", root_of(model));
    for (int i = 0; i < atemi_model_link_count(model); ++i) {
        put_separator(text, i);
        put_link(text, robot, i, &next);
    }
    atemi_text_put_string(text, "],\n  \"joints\": [");
    for (int i = 0; i < atemi_model_joint_count(model); ++i) {
        put_separator(text, i);
        put_joint(text, recording, atemi_model_joint(model, i));
    }
    atemi_text_put_string(text, "]}");
}

static void put_meshes(atemi_text *text, const atemi_report_robot *robot)
{
    int count = 0;
    for (int i = 0; i < robot->mesh_count; ++i) {
        const atemi_mesh *mesh = &robot->meshes[i].mesh;
        if (mesh->triangle_count > 0) {
            atemi_text_append(text, "%s{\"vertices\": %d, \"triangles\": %d}",
                              count++ > 0 ? ", " : "", mesh->vertex_count, mesh->triangle_count);
        }
    }
}

// ---- The rest

// A scenario is bytes of a user: what is not UTF-8 becomes '?'.
static void put_scenario(atemi_text *text, const atemi_text *scenario)
{
    if (!scenario->bytes) {
        atemi_text_put_string(text, "null");
        return;
    }
    atemi_text copy = {0};
    atemi_text_put(&copy, scenario->bytes, scenario->size);
    for (size_t i = 0; i < copy.size && !copy.failed; ++i) {
        copy.bytes[i] = copy.bytes[i] ? copy.bytes[i] : '?';
    }
    if (!copy.failed && !atemi_text_is_utf8(copy.bytes)) {
        for (size_t i = 0; i < copy.size; ++i) {
            copy.bytes[i] = (unsigned char)copy.bytes[i] < 0x80 ? copy.bytes[i] : '?';
        }
    }
    text->failed = text->failed || copy.failed;
    if (!copy.failed) {
        atemi_text_put_json_string(text, copy.bytes);
    }
    atemi_text_destroy(&copy);
}

static void put_contact(atemi_text *text, const atemi_report_contact *contact)
{
    atemi_text_put_string(text, "{\"name\": ");
    atemi_text_put_json_part(text, contact->name, (size_t)contact->name_length);
    atemi_text_append(text, ", \"mode\": %d", contact->mode);
    put_columns(text, ", \"force\": ", contact->force[0] == ATEMI_NONE ? 0 : 3, contact->force);
    put_known_columns(text, ", \"position\": ", 3, contact->position);
    atemi_text_put_character(text, '}');
}

// The contacts, and the plots, which need them.
static void put_contacts(atemi_text *text, const atemi_recording *recording)
{
    atemi_report_contacts contacts;
    atemi_report_plots    plots = {0};
    if (atemi_report_contacts_find(recording, &contacts, NULL) ||
        atemi_report_plots_find(recording, &contacts, &plots, NULL)) {
        text->failed = true;
    }
    atemi_text_put_string(text, ",\n\"contacts\": [");
    for (int i = 0; i < contacts.count; ++i) {
        put_separator(text, i);
        put_contact(text, &contacts.contacts[i]);
    }
    atemi_text_put_string(text, "],\n\"plots\": ");
    atemi_report_put_plots(&plots, text);
    atemi_report_plots_destroy(&plots);
    atemi_report_contacts_destroy(&contacts);
}

static void put_points(atemi_text *text, const atemi_recording *recording)
{
    int columns[3];
    atemi_report_vector_columns(recording, "com", '.', columns);
    put_known_columns(text, ",\n\"com\": ", 3, columns);
    columns[0] = atemi_recording_find_channel(recording, "zmp.x");
    columns[1] = atemi_recording_find_channel(recording, "zmp.y");
    columns[2] = atemi_recording_find_channel(recording, "zmp.z");
    if (columns[1] == ATEMI_NONE) {
        columns[0] = ATEMI_NONE;
    }
    put_known_columns(text, ",\n\"zmp\": ", columns[2] == ATEMI_NONE ? 2 : 3, columns);
}

static void put_target(atemi_text *text, const atemi_recording *recording)
{
    atemi_report_target target;
    if (!atemi_report_target_find(recording, &target)) {
        atemi_text_put_string(text, ",\n\"target\": null");
        return;
    }
    put_columns(text, ",\n\"target\": {\"position\": ", 3, target.position);
    atemi_recording_put_vector(text, ", \"direction\": ", target.direction);
    put_number(text, ", \"width\": ", target.width);
    atemi_text_put_character(text, '}');
}

static void put_data(atemi_text *text, const atemi_recording *recording)
{
    for (int i = 0; i < atemi_recording_channel_count(recording); ++i) {
        put_separator(text, i);
        atemi_report_put_encoding(atemi_report_encode(recording, i), text);
    }
}

void atemi_report_put_json(const atemi_recording *recording, const atemi_report_robot *robot,
                           atemi_text *text)
{
    const atemi_recording_sizes no_files = {{-1, -1, -1, -1}};
    atemi_text_append(text, "{\"format\": \"atemi-report\", \"version\": %d,\n\"summary\": ",
                      ATEMI_REPORT_FORMAT_VERSION);
    atemi_recording_put_summary(recording, &no_files, text);
    atemi_text_put_string(text, ",\n\"scenario\": ");
    put_scenario(text, &recording->scenario);
    atemi_text_put_string(text, ",\n\"robot\": ");
    put_robot(text, recording, robot);
    atemi_text_put_string(text, ",\n\"surfaces\": ");
    atemi_recording_put_surfaces(recording, text);
    put_contacts(text, recording);
    put_points(text, recording);
    put_target(text, recording);
    atemi_text_put_string(text, ",\n\"meshes\": [");
    put_meshes(text, robot);
    atemi_text_put_string(text, "],\n\"data\": [");
    put_data(text, recording);
    atemi_text_put_string(text, "]}\n");
}
