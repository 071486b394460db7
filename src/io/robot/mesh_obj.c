// SPDX-License-Identifier: Apache-2.0

#include "io/bytes/number.h"
#include "io/robot/mesh.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

// Wavefront OBJ: "v x y z" is a vertex, "f a b c ..." a polygon of vertices, counted from 1, or
// backwards from the last one as -1. What follows a slash (texture, normal) is passed over, and so
// are all other lines.

// The vertex that a word of a polygon names.
static atemi_status read_corner(const atemi_mesh *mesh, atemi_word word, uint32_t *corner,
                                atemi_error *error)
{
    char *end;
    errno = 0;
    const long long number = strtoll(word.start, &end, 10);
    if (end == word.start || end > word.start + word.length || errno ||
        (end < word.start + word.length && *end != '/')) {
        return atemi_fail(error, ATEMI_ERROR_SYNTAX, "a corner of a polygon is not a number");
    }
    const long long index = number < 0 ? mesh->vertex_count + number : number - 1;
    if (number == 0 || index < 0 || index >= mesh->vertex_count) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "a polygon has the corner %lld, and there are %d vertices up to here",
                          number, mesh->vertex_count);
    }
    *corner = (uint32_t)index;
    return ATEMI_OK;
}

// A fan about the first corner, right for polygons that are convex.
static atemi_status read_polygon(atemi_mesh *mesh, const char *text, atemi_error *error)
{
    uint32_t     corners[3] = {0, 0, 0};
    int          count = 0;
    atemi_word   word;
    atemi_status status = ATEMI_OK;
    while (!status && atemi_word_next(&text, &word)) {
        corners[1] = corners[2];
        status = read_corner(mesh, word, &corners[count == 0 ? 0 : 2], error);
        if (!status && ++count >= 3) {
            status = atemi_mesh_add_triangle(mesh, corners, error);
        }
    }
    if (!status && count < 3) {
        return atemi_fail(error, ATEMI_ERROR_INPUT, "a polygon has %d corners; it needs 3", count);
    }
    return status;
}

static atemi_status read_line(atemi_mesh *mesh, const char *text, atemi_error *error)
{
    atemi_word word;
    if (!atemi_word_next(&text, &word) || word.length != 1) {
        return ATEMI_OK;
    }
    switch (word.start[0]) {
    case 'v':
        return atemi_mesh_read_vertex(mesh, &text, error);
    case 'f':
        return read_polygon(mesh, text, error);
    default:
        return ATEMI_OK;
    }
}

atemi_status atemi_mesh_parse_obj(const char *bytes, size_t size, atemi_mesh *mesh,
                                  atemi_error *error)
{
    return atemi_mesh_read_lines(mesh, bytes, size, read_line, error);
}
