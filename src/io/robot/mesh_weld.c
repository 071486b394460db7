// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"
#include "io/robot/mesh.h"

#include <string.h>

// STL repeats a vertex for each triangle that it is a corner of. Here vertices with the same bits
// become one: a table of indices, open addressing, at most half full.

static const uint32_t empty = UINT32_MAX;

typedef struct weld_table {
    uint32_t *slots;
    uint32_t  mask;
} weld_table;

typedef struct vertex_bits {
    uint32_t x, y, z;
} vertex_bits;

static vertex_bits bits_at(const float *vertices, uint32_t index)
{
    vertex_bits bits;
    memcpy(&bits, vertices + 3 * (size_t)index, sizeof bits);
    return bits;
}

static uint32_t hash(vertex_bits bits)
{
    uint32_t mixed = bits.x * 0x9E3779B1U ^ bits.y * 0x85EBCA77U ^ bits.z * 0xC2B2AE3DU;
    mixed ^= mixed >> 15;
    return mixed * 0x27D4EB2FU ^ mixed >> 13;
}

// The index of the vertex among the `count` kept ones; `count` where it is new.
static uint32_t find_or_enter(weld_table *table, const float *kept, uint32_t count,
                              vertex_bits vertex)
{
    uint32_t slot = hash(vertex) & table->mask;
    while (table->slots[slot] != empty) {
        const vertex_bits other = bits_at(kept, table->slots[slot]);
        if (other.x == vertex.x && other.y == vertex.y && other.z == vertex.z) {
            return table->slots[slot];
        }
        slot = (slot + 1) & table->mask;
    }
    table->slots[slot] = count;
    return count;
}

// Vertices move down to where they are kept; `renamed` tells where each has gone.
static void weld(atemi_mesh *mesh, weld_table *table, uint32_t *renamed)
{
    uint32_t count = 0;
    for (int i = 0; i < mesh->vertex_count; ++i) {
        const vertex_bits vertex = bits_at(mesh->vertices, (uint32_t)i);
        renamed[i] = find_or_enter(table, mesh->vertices, count, vertex);
        if (renamed[i] == count) {
            memcpy(mesh->vertices + 3 * (size_t)count++, &vertex, sizeof vertex);
        }
    }
    mesh->vertex_count = (int)count;
    for (ptrdiff_t i = 0; i < 3 * (ptrdiff_t)mesh->triangle_count; ++i) {
        mesh->triangles[i] = renamed[mesh->triangles[i]];
    }
}

atemi_status atemi_mesh_weld(atemi_mesh *mesh, atemi_error *error)
{
    const size_t vertices = (size_t)mesh->vertex_count;
    size_t       size = 2;
    while (size < 2 * vertices) {
        size *= 2;
    }
    uint32_t *memory = (uint32_t *)atemi_allocate((size + vertices) * sizeof *memory);
    if (!memory) {
        return atemi_fail(error, ATEMI_ERROR_MEMORY, "no memory for a mesh");
    }
    memset(memory, 0xFF, size * sizeof *memory);
    weld_table table = {memory, (uint32_t)size - 1};
    weld(mesh, &table, memory + size);
    atemi_release(memory);
    return ATEMI_OK;
}
