// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"
#include "atemi/math.h"
#include "io/robot/mjcf_reader.h"

#include <stdio.h>
#include <string.h>

// <asset>: meshes, by name or else by the name of their file, and the colours of materials.

static bool is_asset(const atemi_mjcf_element *element, const char *name)
{
    return atemi_mjcf_is_named(element, name) && element->parent &&
           atemi_mjcf_is_named(element->parent, "asset");
}

// ---- Names of meshes

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

// A mesh without a name has that of its file, without folder and ending.
static atemi_status name_mesh(const atemi_mjcf_reader *reader, const atemi_mjcf_element *element,
                              const char **name)
{
    const char *own = atemi_mjcf_own(element, "name"), *file = atemi_mjcf_own(element, "file");
    if (own && own[0]) {
        return atemi_mjcf_copy(reader, own, name);
    }
    const char *stem = last_part(file ? file : "");
    const char *dot = strrchr(stem, '.');
    char        text[ATEMI_MAX_NAME + 1]; // cut to fit
    snprintf(text, sizeof text, "%.*s", dot ? (int)(dot - stem) : (int)strlen(stem), stem);
    return atemi_mjcf_copy(reader, text, name);
}

static int count_meshes(const atemi_mjcf_element *root)
{
    int count = 0;
    for (const atemi_mjcf_element *at = root; at; at = atemi_mjcf_next(root, at, true)) {
        count += is_asset(at, "mesh");
    }
    return count;
}

static atemi_status list_meshes(atemi_mjcf_reader *reader)
{
    const atemi_mjcf_element *root = reader->tree->root;
    const size_t              count = (size_t)count_meshes(root) + 1;
    reader->meshes = (atemi_mjcf_element **)atemi_allocate(count * sizeof(atemi_mjcf_element *));
    reader->mesh_names = (atemi_name *)atemi_allocate(count * sizeof *reader->mesh_names);
    if (!reader->meshes || !reader->mesh_names) {
        return atemi_mjcf_no_memory(reader);
    }
    atemi_status status = ATEMI_OK;
    for (atemi_mjcf_element *at = root->first; at && !status;
         at = atemi_mjcf_next(root, at, true)) {
        if (is_asset(at, "mesh")) {
            atemi_name *entry = &reader->mesh_names[reader->mesh_count];
            entry->index = reader->mesh_count;
            reader->meshes[reader->mesh_count++] = at;
            status = name_mesh(reader, at, &entry->text);
        }
    }
    if (!status) {
        atemi_names_sort(reader->mesh_names, reader->mesh_count);
    }
    return status;
}

const atemi_mjcf_element *atemi_mjcf_find_mesh(const atemi_mjcf_reader *reader, const char *name)
{
    const int index = atemi_names_find(reader->mesh_names, reader->mesh_count, name);
    return index == ATEMI_NONE ? NULL : reader->meshes[index];
}

// ---- Files and frames of meshes

atemi_status atemi_mjcf_mesh_address(const atemi_mjcf_reader *reader, const atemi_mjcf_part *mesh,
                                     char address[ATEMI_PATH_SIZE])
{
    const char *file = atemi_mjcf_value(mesh, "file");
    const char *folder = reader->settings.mesh_folder;
    file = file && reader->settings.strip_path ? last_part(file) : file;
    if (!file || !file[0]) {
        address[0] = '\0';
        return ATEMI_OK;
    }
    const bool absolute = file[0] == '/' || !folder || !folder[0];
    const bool slash = !absolute && folder[strlen(folder) - 1] != '/';
    const int  length = snprintf(address, ATEMI_PATH_SIZE, "%s%s%s", absolute ? "" : folder,
                                slash ? "/" : "", file);
    return length < ATEMI_PATH_SIZE
               ? ATEMI_OK
               : atemi_mjcf_complain(reader, mesh->element,
                                     "the path of the file is longer than %d bytes; shorten it",
                                     ATEMI_PATH_SIZE - 1);
}

// x = S R^T (v - r) with the file's v, <mesh>'s scale S, refquat R and refpos r.
atemi_status atemi_mjcf_read_mesh_frame(const atemi_mjcf_reader *reader,
                                        const atemi_mjcf_part *mesh, atemi_mjcf_mesh_frame *frame,
                                        atemi_vec3 *scale)
{
    atemi_vec3 shift = {0.0, 0.0, 0.0};
    double     q[4] = {1.0, 0.0, 0.0, 0.0};
    *scale = (atemi_vec3){1.0, 1.0, 1.0};
    atemi_status status = atemi_mjcf_vector(reader, mesh, "scale", scale);
    if (!status) {
        status = atemi_mjcf_vector(reader, mesh, "refpos", &shift);
    }
    if (!status) {
        status = atemi_mjcf_numbers(reader, mesh, "refquat", 4, q);
    }
    const atemi_mat3 turn = atemi_quaternion_matrix(
        atemi_quaternion_normalized((atemi_quaternion){q[1], q[2], q[3], q[0]}));
    const atemi_vec3 columns[] = {turn.x, turn.y, turn.z};
    const double     scales[] = {scale->x, scale->y, scale->z};
    atemi_vec3       rows[3];
    for (int i = 0; i < 3; ++i) {
        rows[i] = atemi_vec3_scale(scales[i], columns[i]);
    }
    frame->matrix = (atemi_mat3){{rows[0].x, rows[1].x, rows[2].x},
                                 {rows[0].y, rows[1].y, rows[2].y},
                                 {rows[0].z, rows[1].z, rows[2].z}};
    frame->shift = atemi_vec3_scale(-1.0, atemi_mat3_apply(&frame->matrix, shift));
    return status;
}

// ---- Materials

static atemi_status read_material(atemi_mjcf_reader *reader, const atemi_mjcf_element *element)
{
    atemi_mjcf_part     part;
    atemi_urdf_material material = {.color = {1.0, 1.0, 1.0, 1.0}, .has_color = true};
    atemi_status        status = atemi_mjcf_part_of(reader, element, ATEMI_MJCF_MATERIAL, &part);
    if (!status) {
        status = atemi_mjcf_name(reader, element, "material", &material.name);
    }
    if (!status) {
        status = atemi_mjcf_color(reader, &part, material.color);
    }
    return status ? status
                  : atemi_mjcf_check_added(
                        reader, element,
                        atemi_urdf_document_add_material(reader->document, &material));
}

atemi_status atemi_mjcf_read_assets(atemi_mjcf_reader *reader)
{
    const atemi_mjcf_element *root = reader->tree->root;
    atemi_status              status = list_meshes(reader);
    const atemi_mjcf_element *at = root->first;
    while (at && !status) {
        const bool section = atemi_mjcf_is_named(at, "asset");
        if (is_asset(at, "material")) {
            status = read_material(reader, at);
        } else if (is_asset(at, "mesh")) {
            atemi_mjcf_part part; // for the notes on its attributes
            status = atemi_mjcf_part_of(reader, at, ATEMI_MJCF_MESH, &part);
        } else if (!section && at->parent != root) {
            status = atemi_mjcf_note_unused(reader, at, NULL);
        }
        at = atemi_mjcf_next(root, at, section);
    }
    return status;
}
