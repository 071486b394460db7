// SPDX-License-Identifier: Apache-2.0

#include "io/robot/mjcf_reader.h"

#include "atemi/base.h"

#include <string.h>

// The sections of a file in the order in which they need each other.

static bool is_section(const atemi_mjcf_element *element)
{
    static const char *const names[] = {"compiler", "option",  "default",  "asset",   "worldbody",
                                        "equality", "contact", "actuator", "keyframe"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        if (atemi_mjcf_is_named(element, names[i])) {
            return true;
        }
    }
    return false;
}

static atemi_status read_model(atemi_mjcf_reader *reader)
{
    const atemi_mjcf_element *root = reader->tree->root;
    atemi_mjcf_part           part;
    atemi_status              status = atemi_mjcf_part_of(reader, root, ATEMI_MJCF_MODEL, &part);
    const char               *name = status ? NULL : atemi_mjcf_value(&part, "model");
    reader->document->place = root->place;
    if (!status && name && strlen(name) > ATEMI_MAX_NAME) {
        status = atemi_mjcf_complain(reader, root, "model is longer than %d bytes; shorten it",
                                     ATEMI_MAX_NAME);
    }
    if (!status) {
        status =
            atemi_mjcf_copy(reader, name && name[0] ? name : "unnamed", &reader->document->robot);
    }
    for (const atemi_mjcf_element *at = root->first; at && !status; at = at->next) {
        status = is_section(at) ? ATEMI_OK : atemi_mjcf_note_unused(reader, at, NULL);
    }
    return status;
}

static atemi_status read_sections(atemi_mjcf_reader *reader)
{
    static atemi_status (*const sections[])(atemi_mjcf_reader *reader) = {
        read_model,
        atemi_mjcf_read_settings,
        atemi_mjcf_read_classes,
        atemi_mjcf_read_assets,
        atemi_mjcf_read_frames,
        atemi_mjcf_read_bodies,
        atemi_mjcf_list_joints,
        atemi_mjcf_read_equalities,
        atemi_mjcf_read_contacts,
        atemi_mjcf_read_actuators,
        atemi_mjcf_read_keys};
    atemi_status status = ATEMI_OK;
    for (size_t i = 0; i < sizeof sections / sizeof sections[0] && !status; ++i) {
        status = sections[i](reader);
    }
    return status;
}

static atemi_status read_tree(atemi_mjcf_reader *reader)
{
    const size_t count = (size_t)reader->tree->element_count;
    reader->noted = (bool *)atemi_allocate(count * sizeof *reader->noted);
    if (!reader->noted) {
        return atemi_mjcf_no_memory(reader);
    }
    memset(reader->noted, 0, count * sizeof *reader->noted);
    const atemi_status status = read_sections(reader);
    if (!status) {
        atemi_mjcf_set_total_mass(reader);
        reader->document->gravity = reader->gravity;
        reader->document->has_gravity = reader->has_gravity;
        atemi_mjcf_report(reader);
    }
    return status;
}

atemi_status atemi_mjcf_read(const char *text, size_t size, const char *name,
                             atemi_mesh_search *search, bool coupled, atemi_urdf_document *document,
                             atemi_error *error)
{
    atemi_mjcf_tree   tree;
    atemi_mjcf_reader reader = {.tree = &tree,
                                .document = document,
                                .search = search,
                                .coupled = coupled,
                                .error = error,
                                .gravity = {0.0, 0.0, -9.81}};
    *document = (atemi_urdf_document){0};
    atemi_status status = atemi_mjcf_tree_read(text, size, name, search, &tree, error);
    if (!status) {
        status = read_tree(&reader);
    }
    atemi_release(reader.noted);
    atemi_release(reader.classes);
    atemi_release(reader.notes);
    atemi_release(reader.frames);
    atemi_release((void *)reader.meshes);
    atemi_release(reader.mesh_names);
    atemi_release((void *)reader.joints);
    atemi_release(reader.joint_names);
    atemi_mjcf_tree_destroy(&tree);
    return status;
}
