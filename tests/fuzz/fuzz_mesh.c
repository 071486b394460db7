// SPDX-License-Identifier: Apache-2.0

#include "io/robot/mesh.h"
#include "require.h"

#include <math.h>
#include <string.h>

// Any bytes end in a mesh whose triangles have vertices, or in an error that says something. The
// first byte chooses the format. Run it with
//
//   fuzz_mesh -max_len=4096 tests/fuzz/corpus/mesh

static void check_mesh(const atemi_mesh *mesh)
{
    require(mesh->triangle_count > 0 && mesh->vertex_count > 0);
    for (int i = 0; i < 3 * mesh->vertex_count; ++i) {
        require(isfinite(mesh->vertices[i]));
    }
    for (int i = 0; i < 3 * mesh->triangle_count; ++i) {
        require(mesh->triangles[i] < (uint32_t)mesh->vertex_count);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) {
        return 0;
    }
    atemi_mesh         mesh;
    atemi_error        error = {0};
    const char        *path = data[0] == 'd' ? "mesh.dae" : data[0] % 2 ? "mesh.obj" : "mesh.stl";
    const atemi_status status =
        atemi_mesh_parse((const char *)data + 1, size - 1, path, &mesh, &error);
    require(status == error.status);
    if (status) {
        require(strlen(error.message) > 0 && !mesh.vertices && !mesh.triangles);
    } else {
        check_mesh(&mesh);
    }
    atemi_mesh_destroy(&mesh);
    return 0;
}
