// SPDX-License-Identifier: Apache-2.0

/// @file
/// Triangle meshes from files: STL (binary and ASCII), OBJ and COLLADA (.dae). The bytes are not
/// trusted.

#pragma once

#include "atemi/base.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// What is refused beyond.
enum {
    ATEMI_MESH_MAX_BYTES = 256 << 20,
    ATEMI_MESH_MAX_VERTICES = 1 << 24,
    ATEMI_MESH_MAX_TRIANGLES = 1 << 23,
};

/// A mesh. All zero is an empty one.
typedef struct atemi_mesh {
    int       vertex_count, triangle_count;
    int       vertex_capacity, triangle_capacity;
    float    *vertices;  ///< [vertex_count][3] finite
    uint32_t *triangles; ///< [triangle_count][3] indices of vertices
} atemi_mesh;

/// Loads a file.
/// @param mesh the result, to be destroyed; empty on failure
atemi_status atemi_mesh_load(const char *path, atemi_mesh *mesh, atemi_error *error);

/// The same from memory; the ending of `path` says of which kind the bytes are.
atemi_status atemi_mesh_parse(const char *bytes, size_t size, const char *path, atemi_mesh *mesh,
                              atemi_error *error);

void atemi_mesh_destroy(atemi_mesh *mesh);

// ---- For the readers

/// Add to a mesh. Coordinates must be finite as float; corners must be vertices.
atemi_status atemi_mesh_add_vertex(atemi_mesh *mesh, const double x[3], atemi_error *error);
atemi_status atemi_mesh_add_triangle(atemi_mesh *mesh, const uint32_t corners[3],
                                     atemi_error *error);

/// Reads one line of a text, which ends in a zero.
typedef atemi_status (*atemi_mesh_line_reader)(atemi_mesh *mesh, const char *line,
                                               atemi_error *error);

/// Reads text line by line; an error gets the number of its line.
atemi_status atemi_mesh_read_lines(atemi_mesh *mesh, const char *bytes, size_t size,
                                   atemi_mesh_line_reader read, atemi_error *error);

/// Reads three numbers from `*text`, moves it behind them, and adds them as a vertex.
atemi_status atemi_mesh_read_vertex(atemi_mesh *mesh, const char **text, atemi_error *error);

/// Makes vertices of the same place one. O(vertices).
atemi_status atemi_mesh_weld(atemi_mesh *mesh, atemi_error *error);

/// The formats (mesh_stl.c, mesh_obj.c, mesh_dae.c).
atemi_status atemi_mesh_parse_stl(const char *bytes, size_t size, atemi_mesh *mesh,
                                  atemi_error *error);
atemi_status atemi_mesh_parse_obj(const char *bytes, size_t size, atemi_mesh *mesh,
                                  atemi_error *error);
atemi_status atemi_mesh_parse_dae(const char *bytes, size_t size, atemi_mesh *mesh,
                                  atemi_error *error);
