// SPDX-License-Identifier: Apache-2.0

#include "io/robot/urdf_document.h"

#include "atemi/base.h"
#include "base/growing.h"
#include "model/names.h"

#include <stdio.h>
#include <string.h>

// A list of parts of any one kind, by the addresses of its three members in the document.
typedef struct part_list {
    void **parts;
    int   *count, *capacity;
    size_t size;
    int    limit;
} part_list;

static atemi_status append(part_list list, const void *part)
{
    if (*list.count >= list.limit) {
        return ATEMI_ERROR_LIMIT;
    }
    void *parts = atemi_grown(*list.parts, list.size, *list.count, list.capacity);
    if (!parts) {
        return ATEMI_ERROR_MEMORY;
    }
    *list.parts = parts;
    memcpy((char *)parts + (size_t)*list.count * list.size, part, list.size);
    ++*list.count;
    return ATEMI_OK;
}

#define APPEND(document, kind, part, limit)                                                        \
    append((part_list){(void **)&(document)->kind##s, &(document)->kind##_count,                   \
                       &(document)->kind##_capacity, sizeof *(part), limit},                       \
           part)

atemi_status atemi_urdf_document_add_link(atemi_urdf_document          *document,
                                          const atemi_link_description *link)
{
    return APPEND(document, link, link, ATEMI_MAX_LINKS);
}

atemi_status atemi_urdf_document_add_joint(atemi_urdf_document           *document,
                                           const atemi_joint_description *joint)
{
    return APPEND(document, joint, joint, ATEMI_MAX_LINKS);
}

atemi_status atemi_urdf_document_add_site(atemi_urdf_document          *document,
                                          const atemi_site_description *site)
{
    return APPEND(document, site, site, ATEMI_URDF_MAX_PARTS);
}

atemi_status atemi_urdf_document_add_shape(atemi_urdf_document    *document,
                                           const atemi_urdf_shape *shape)
{
    return APPEND(document, shape, shape, ATEMI_URDF_MAX_PARTS);
}

atemi_status atemi_urdf_document_add_material(atemi_urdf_document       *document,
                                              const atemi_urdf_material *material)
{
    return APPEND(document, material, material, ATEMI_URDF_MAX_PARTS);
}

atemi_status atemi_urdf_document_add_rotor(atemi_urdf_document    *document,
                                           const atemi_urdf_rotor *rotor)
{
    return APPEND(document, rotor, rotor, ATEMI_URDF_MAX_PARTS);
}

atemi_status atemi_urdf_document_add_posture(atemi_urdf_document             *document,
                                             const atemi_posture_description *posture)
{
    return APPEND(document, posture, posture, ATEMI_URDF_MAX_PARTS);
}

atemi_status atemi_urdf_document_add_loop(atemi_urdf_document          *document,
                                          const atemi_loop_description *loop)
{
    return APPEND(document, loop, loop, ATEMI_URDF_MAX_PARTS);
}

atemi_status atemi_urdf_document_add_apart(atemi_urdf_document           *document,
                                           const atemi_apart_description *pair)
{
    return APPEND(document, apart, pair, ATEMI_URDF_MAX_PARTS);
}

void atemi_urdf_document_note(atemi_urdf_document *document, atemi_urdf_oddity oddity,
                              const char *name, atemi_place place)
{
    atemi_urdf_occurrence *occurrence = &document->oddities[oddity];
    if (occurrence->count == 0) {
        occurrence->name = name;
        occurrence->place = place;
    }
    ++occurrence->count;
}

static void color_shape(atemi_urdf_document *document, atemi_urdf_shape *shape,
                        const atemi_name *materials)
{
    if (!shape->material || shape->geometry.color[3] > 0.0) {
        return;
    }
    const int found = atemi_names_find(materials, document->material_count, shape->material);
    if (found == ATEMI_NONE) {
        atemi_urdf_document_note(document, ATEMI_URDF_UNKNOWN_MATERIAL, shape->material,
                                 shape->geometry.place);
        return;
    }
    memcpy(shape->geometry.color, document->materials[found].color, sizeof shape->geometry.color);
}

// Several motors on one joint add up; a joint that states its armature itself keeps that.
static void drive_joint(atemi_urdf_document *document, const atemi_urdf_rotor *rotor,
                        const atemi_name *joints)
{
    const int found = atemi_names_find(joints, document->joint_count, rotor->joint);
    if (found == ATEMI_NONE) {
        atemi_urdf_document_note(document, ATEMI_URDF_ROTOR_WITHOUT_JOINT, rotor->joint,
                                 rotor->place);
    } else {
        document->joints[found].armature += rotor->armature;
    }
}

static void drop_overruled_rotors(atemi_urdf_document *document, const atemi_name *joints)
{
    int kept = 0;
    for (int i = 0; i < document->rotor_count; ++i) {
        const atemi_urdf_rotor rotor = document->rotors[i];
        const int              found = atemi_names_find(joints, document->joint_count, rotor.joint);
        if (found != ATEMI_NONE && document->joints[found].armature > 0.0) {
            atemi_urdf_document_note(document, ATEMI_URDF_SECOND_ROTOR, rotor.joint, rotor.place);
        } else {
            document->rotors[kept++] = rotor;
        }
    }
    document->rotor_count = kept;
}

static atemi_status resolve_materials(atemi_urdf_document *document)
{
    const int   count = document->material_count;
    atemi_name *names = (atemi_name *)atemi_allocate((size_t)(count + 1) * sizeof *names);
    if (!names) {
        return ATEMI_ERROR_MEMORY;
    }
    for (int i = 0; i < count; ++i) {
        names[i] = (atemi_name){document->materials[i].name, i};
    }
    atemi_names_sort(names, count);
    for (int i = 0; i < document->shape_count; ++i) {
        color_shape(document, &document->shapes[i], names);
    }
    atemi_release(names);
    return ATEMI_OK;
}

static atemi_status resolve_rotors(atemi_urdf_document *document)
{
    const int   count = document->joint_count;
    atemi_name *names = (atemi_name *)atemi_allocate((size_t)(count + 1) * sizeof *names);
    if (!names) {
        return ATEMI_ERROR_MEMORY;
    }
    for (int i = 0; i < count; ++i) {
        names[i] = (atemi_name){document->joints[i].name, i};
    }
    atemi_names_sort(names, count);
    drop_overruled_rotors(document, names);
    for (int i = 0; i < document->rotor_count; ++i) {
        drive_joint(document, &document->rotors[i], names);
    }
    atemi_release(names);
    return ATEMI_OK;
}

atemi_status atemi_urdf_document_resolve(atemi_urdf_document *document, atemi_error *error)
{
    atemi_status status = document->shape_count ? resolve_materials(document) : ATEMI_OK;
    if (!status && document->rotor_count) {
        status = resolve_rotors(document);
    }
    return status ? atemi_fail(error, status, "no memory to read URDF") : ATEMI_OK;
}

static const char *oddity_text(atemi_urdf_oddity oddity)
{
    switch (oddity) {
    case ATEMI_URDF_ROBOT_WITHOUT_NAME:
        return "the robot has no name; it is called 'unnamed'";
    case ATEMI_URDF_REPEATED_ELEMENT:
        return "a second element of its kind where there can be one; only the first is read";
    case ATEMI_URDF_JOINT_WITHOUT_LIMIT:
        return "the joint has no <limit>; it is taken as unlimited";
    case ATEMI_URDF_LIMIT_WITHOUT_RANGE:
        return "<limit> without lower and upper; the range is taken as unlimited";
    case ATEMI_URDF_NEGATIVE_LIMIT:
        return "<limit> with negative effort or velocity; it is taken as unlimited";
    case ATEMI_URDF_USELESS_MIMIC:
        return "<mimic> in a joint without one coordinate is left out";
    case ATEMI_URDF_SHAPE_WITHOUT_GEOMETRY:
        return "a shape without <box>, <cylinder>, <sphere>, <capsule> or <mesh> is left out";
    case ATEMI_URDF_UNKNOWN_MATERIAL:
        return "a material that has no colour anywhere in the file";
    case ATEMI_URDF_ROTOR_WITHOUT_JOINT:
        return "a transmission with rotor inertia names no joint of the robot; it is left out";
    case ATEMI_URDF_SECOND_ROTOR:
        return "rotor inertia both as armature of the joint and in a transmission; the armature "
               "counts";
    default:
        return "";
    }
}

static void report_occurrence(const atemi_urdf_occurrence *occurrence, const char *what,
                              const char *file)
{
    char others[32] = "";
    if (occurrence->count > 1) {
        snprintf(others, sizeof others, " (and %d more like it)", occurrence->count - 1);
    }
    atemi_error warning;
    atemi_fail(&warning, ATEMI_OK, "%s%.80s%s%s%s", occurrence->name ? "'" : "",
               occurrence->name ? occurrence->name : "", occurrence->name ? "': " : "", what,
               others);
    atemi_error_locate(&warning, file, occurrence->place.line, occurrence->place.column);

    char text[ATEMI_ERROR_FILE_SIZE + ATEMI_ERROR_MESSAGE_SIZE];
    atemi_error_format(&warning, text, (int)sizeof text);
    atemi_log(ATEMI_LOG_WARNING, "%s", text);
}

void atemi_urdf_document_report(const atemi_urdf_document *document, const char *file)
{
    for (int kind = 0; kind < ATEMI_URDF_ODDITY_COUNT; ++kind) {
        if (document->oddities[kind].count > 0) {
            report_occurrence(&document->oddities[kind], oddity_text((atemi_urdf_oddity)kind),
                              file);
        }
    }
}

void atemi_urdf_document_destroy(atemi_urdf_document *document)
{
    atemi_release(document->links);
    atemi_release(document->joints);
    atemi_release(document->sites);
    atemi_release(document->shapes);
    atemi_release(document->materials);
    atemi_release(document->rotors);
    atemi_release(document->postures);
    atemi_release(document->loops);
    atemi_release(document->aparts);
    atemi_string_pool_destroy(&document->strings);
}
