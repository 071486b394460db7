// SPDX-License-Identifier: Apache-2.0

#include "io/robot/mesh.h"

#include "atemi/base.h"
#include "base/growing.h"
#include "io/bytes/file.h"
#include "io/bytes/number.h"
#include "io/bytes/text.h"

#include <float.h>
#include <math.h>
#include <string.h>
#include <strings.h>

static atemi_status no_memory(atemi_error *error)
{
    return atemi_fail(error, ATEMI_ERROR_MEMORY, "no memory for a mesh");
}

// ---- Growing

// Room for one entry more of three numbers each.
static atemi_status ensure_capacity(void **entries, size_t size, int count, int *capacity, int most,
                                    const char *what, atemi_error *error)
{
    if (count < *capacity) {
        return ATEMI_OK;
    }
    if (count >= most) {
        return atemi_fail(error, ATEMI_ERROR_LIMIT, "the mesh has more than %d %s; make it coarser",
                          most, what);
    }
    void *grown = atemi_grown(*entries, 3 * size, count, capacity);
    *entries = grown ? grown : *entries;
    return grown ? ATEMI_OK : no_memory(error);
}

static bool fits_float(double x)
{
    return fabs(x) <= (double)FLT_MAX; // false for NaN
}

atemi_status atemi_mesh_add_vertex(atemi_mesh *mesh, const double x[3], atemi_error *error)
{
    if (!fits_float(x[0]) || !fits_float(x[1]) || !fits_float(x[2])) {
        return atemi_fail(error, ATEMI_ERROR_INPUT, "a vertex of the mesh is not finite");
    }
    const atemi_status status =
        ensure_capacity((void **)&mesh->vertices, sizeof *mesh->vertices, mesh->vertex_count,
                        &mesh->vertex_capacity, ATEMI_MESH_MAX_VERTICES, "vertices", error);
    if (!status) {
        float *vertex = mesh->vertices + 3 * (ptrdiff_t)mesh->vertex_count++;
        vertex[0] = (float)x[0];
        vertex[1] = (float)x[1];
        vertex[2] = (float)x[2];
    }
    return status;
}

atemi_status atemi_mesh_add_triangle(atemi_mesh *mesh, const uint32_t corners[3],
                                     atemi_error *error)
{
    const atemi_status status =
        ensure_capacity((void **)&mesh->triangles, sizeof *mesh->triangles, mesh->triangle_count,
                        &mesh->triangle_capacity, ATEMI_MESH_MAX_TRIANGLES, "triangles", error);
    if (!status) {
        memcpy(mesh->triangles + 3 * (ptrdiff_t)mesh->triangle_count++, corners,
               3 * sizeof *corners);
    }
    return status;
}

void atemi_mesh_destroy(atemi_mesh *mesh)
{
    atemi_release(mesh->vertices);
    atemi_release(mesh->triangles);
    *mesh = (atemi_mesh){0};
}

// ---- Text

atemi_status atemi_mesh_read_vertex(atemi_mesh *mesh, const char **text, atemi_error *error)
{
    double x[3];
    for (int i = 0; i < 3; ++i) {
        atemi_word word;
        if (!atemi_word_next(text, &word) || atemi_number_parse(word, &x[i])) {
            return atemi_fail(error, ATEMI_ERROR_SYNTAX, "a vertex is not three numbers");
        }
    }
    return atemi_mesh_add_vertex(mesh, x, error);
}

static atemi_status read_lines(atemi_mesh *mesh, char *text, atemi_mesh_line_reader read,
                               atemi_error *error)
{
    atemi_status status = ATEMI_OK;
    char        *end = text;
    for (int number = 1; end && !status; ++number) {
        char *line = text;
        end = strchr(line, '\n');
        if (end) {
            *end = '\0';
            text = end + 1;
        }
        status = read(mesh, line, error);
        if (status) {
            atemi_error_locate(error, NULL, number, 0);
        }
    }
    return status;
}

atemi_status atemi_mesh_read_lines(atemi_mesh *mesh, const char *bytes, size_t size,
                                   atemi_mesh_line_reader read, atemi_error *error)
{
    if (size > 0 && memchr(bytes, 0, size)) {
        return atemi_fail(error, ATEMI_ERROR_SYNTAX, "the mesh is not text: it has a zero byte");
    }
    atemi_text text = {0};
    atemi_text_put(&text, bytes, size);
    const atemi_status status =
        text.failed ? no_memory(error) : read_lines(mesh, text.bytes, read, error);
    atemi_text_destroy(&text);
    return status;
}

// ---- Files

static bool ends_with(const char *path, const char *ending)
{
    const size_t length = strlen(path), tail = strlen(ending);
    return length >= tail && strcasecmp(path + length - tail, ending) == 0;
}

static atemi_status parse(const char *bytes, size_t size, const char *path, atemi_mesh *mesh,
                          atemi_error *error)
{
    const bool is_stl = ends_with(path, ".stl"), is_dae = ends_with(path, ".dae");
    if (!is_stl && !is_dae && !ends_with(path, ".obj")) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "meshes of this format are not supported; convert it to .stl, .obj or "
                          ".dae");
    }
    const atemi_status status = is_stl   ? atemi_mesh_parse_stl(bytes, size, mesh, error)
                                : is_dae ? atemi_mesh_parse_dae(bytes, size, mesh, error)
                                         : atemi_mesh_parse_obj(bytes, size, mesh, error);
    if (!status && mesh->triangle_count == 0) {
        return atemi_fail(error, ATEMI_ERROR_INPUT, "the mesh has no triangles");
    }
    return status;
}

atemi_status atemi_mesh_parse(const char *bytes, size_t size, const char *path, atemi_mesh *mesh,
                              atemi_error *error)
{
    atemi_error own;
    error = error ? error : &own;
    *mesh = (atemi_mesh){0};
    const atemi_status status = parse(bytes, size, path, mesh, error);
    if (status) {
        atemi_error_locate(error, path, error->line, 0);
        atemi_mesh_destroy(mesh);
    }
    return status;
}

atemi_status atemi_mesh_load(const char *path, atemi_mesh *mesh, atemi_error *error)
{
    char        *bytes;
    size_t       size;
    atemi_status status = atemi_file_read(path, ATEMI_MESH_MAX_BYTES, &bytes, &size, error);
    *mesh = (atemi_mesh){0};
    if (!status) {
        status = atemi_mesh_parse(bytes, size, path, mesh, error);
        atemi_release(bytes);
    }
    return status;
}
