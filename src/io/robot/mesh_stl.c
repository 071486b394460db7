// SPDX-License-Identifier: Apache-2.0

#include "io/bytes/number.h"
#include "io/robot/mesh.h"

#include <string.h>

// Binary: 80 bytes of anything, the number of triangles, and of each 12 floats (its normal, which
// the vertices tell as well, and three vertices) and 2 bytes more. All is little-endian.
// ASCII: lines, of which those that begin with "vertex" matter. Some binary files begin with
// "solid" as those in ASCII do, so the size decides.

enum { HEADER = 84, COUNT_AT = 80, TRIANGLE = 50, NORMAL = 12, FLOAT = 4 };

// ---- Binary

static uint32_t integer_at(const char *bytes)
{
    const unsigned char *at = (const unsigned char *)bytes;
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static double number_at(const char *bytes)
{
    const uint32_t bits = integer_at(bytes);
    float          number;
    memcpy(&number, &bits, sizeof number);
    return (double)number;
}

static bool is_binary(const char *bytes, size_t size)
{
    return size >= HEADER && size == HEADER + (size_t)TRIANGLE * integer_at(bytes + COUNT_AT);
}

// The last three vertices.
static atemi_status add_triangle(atemi_mesh *mesh, atemi_error *error)
{
    const uint32_t last = (uint32_t)mesh->vertex_count;
    const uint32_t corners[] = {last - 3, last - 2, last - 1};
    return atemi_mesh_add_triangle(mesh, corners, error);
}

static atemi_status read_triangle(atemi_mesh *mesh, const char *at, atemi_error *error)
{
    atemi_status status = ATEMI_OK;
    for (int i = 0; i < 3 && !status; ++i) {
        const char  *vertex = at + NORMAL + (ptrdiff_t)3 * FLOAT * i;
        const double x[] = {number_at(vertex), number_at(vertex + FLOAT),
                            number_at(vertex + (ptrdiff_t)2 * FLOAT)};
        status = atemi_mesh_add_vertex(mesh, x, error);
    }
    return status ? status : add_triangle(mesh, error);
}

static atemi_status parse_binary(const char *bytes, size_t size, atemi_mesh *mesh,
                                 atemi_error *error)
{
    atemi_status status = ATEMI_OK;
    for (size_t at = HEADER; at < size && !status; at += TRIANGLE) {
        status = read_triangle(mesh, bytes + at, error);
    }
    return status;
}

// ---- ASCII

static bool is_word(atemi_word word, const char *text)
{
    return (size_t)word.length == strlen(text) &&
           memcmp(word.start, text, (size_t)word.length) == 0;
}

static bool is_keyword(atemi_word word)
{
    static const char *const keywords[] = {"solid",   "facet",    "outer",
                                           "endloop", "endfacet", "endsolid"};
    bool                     found = false;
    for (size_t i = 0; i < sizeof keywords / sizeof keywords[0] && !found; ++i) {
        found = is_word(word, keywords[i]);
    }
    return found;
}

static atemi_status read_line(atemi_mesh *mesh, const char *text, atemi_error *error)
{
    atemi_word word;
    if (!atemi_word_next(&text, &word)) {
        return ATEMI_OK;
    }
    if (!is_word(word, "vertex")) {
        return is_keyword(word)
                   ? ATEMI_OK
                   : atemi_fail(
                         error, ATEMI_ERROR_SYNTAX,
                         "'%.*s' is not a word of STL; the file is damaged, or has another format",
                         word.length < 40 ? word.length : 40, word.start);
    }
    const atemi_status status = atemi_mesh_read_vertex(mesh, &text, error);
    return status || mesh->vertex_count % 3 != 0 ? status : add_triangle(mesh, error);
}

static atemi_status parse_ascii(const char *bytes, size_t size, atemi_mesh *mesh,
                                atemi_error *error)
{
    const atemi_status status = atemi_mesh_read_lines(mesh, bytes, size, read_line, error);
    if (!status && mesh->vertex_count % 3 != 0) {
        return atemi_fail(error, ATEMI_ERROR_SYNTAX,
                          "the mesh is truncated: its last triangle is incomplete");
    }
    return status;
}

static atemi_status parse(const char *bytes, size_t size, atemi_mesh *mesh, atemi_error *error)
{
    static const char solid[] = "solid";
    if (is_binary(bytes, size)) {
        return parse_binary(bytes, size, mesh, error);
    }
    if (size >= strlen(solid) && memcmp(bytes, solid, strlen(solid)) == 0) {
        return parse_ascii(bytes, size, mesh, error);
    }
    return atemi_fail(error, ATEMI_ERROR_SYNTAX,
                      "this is not an STL file, or a truncated one: its size does not match its "
                      "number of triangles");
}

atemi_status atemi_mesh_parse_stl(const char *bytes, size_t size, atemi_mesh *mesh,
                                  atemi_error *error)
{
    const atemi_status status = parse(bytes, size, mesh, error);
    return status ? status : atemi_mesh_weld(mesh, error);
}
