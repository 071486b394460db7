// SPDX-License-Identifier: Apache-2.0

#include "io/robot/mesh.h"

#include "allocations.h"
#include "check.h"

#include <string.h>

static const char tetrahedron_obj[] = "# a tetrahedron\n"
                                      "mtllib none.mtl\n"
                                      "v 0 0 0\n"
                                      "v 1 0 0 1.0\n"
                                      "v 0 1 0\r\n"
                                      "vn 0 0 1\n"
                                      "v 0 0 1\n"
                                      "f 1 3 2\n"
                                      "f 1/1 2/2 4/3\n"
                                      "f 2//1 3//1 4//1\n"
                                      "f -1 -2 -4\n";

static const char triangle_stl[] = "solid vertex in its name\n"
                                   "facet normal 0 0 1\n"
                                   " outer loop\n"
                                   "  vertex 0 0 0\n"
                                   "  vertex 1 0 0\n"
                                   "  vertex 0 1e0 0\n"
                                   " endloop\n"
                                   "endfacet\n"
                                   "endsolid\n";

static atemi_status parse(const char *text, const char *path, atemi_mesh *mesh, atemi_error *error)
{
    return atemi_mesh_parse(text, strlen(text), path, mesh, error);
}

static void check_refused(const char *text, const char *path, int line, const char *part)
{
    atemi_mesh  mesh;
    atemi_error error = {0};
    CHECK(parse(text, path, &mesh, &error) != ATEMI_OK);
    CHECK_EQUAL_STRING(error.file, path);
    CHECK_EQUAL_INT(error.line, line);
    CHECK_CONTAINS(error.message, part);
    CHECK(mesh.vertices == NULL && mesh.triangles == NULL && mesh.triangle_count == 0);
}

TEST(mesh, of_obj_has_its_vertices_and_corners)
{
    atemi_mesh     mesh;
    atemi_error    error = {0};
    const uint32_t corners[] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 3, 2, 0};
    CHECK_STATUS(parse(tetrahedron_obj, "a.OBJ", &mesh, &error), ATEMI_OK);
    CHECK_EQUAL_INT(mesh.vertex_count, 4);
    CHECK_EQUAL_INT(mesh.triangle_count, 4);
    CHECK(memcmp(mesh.triangles, corners, sizeof corners) == 0);
    CHECK(mesh.vertices[3] == 1.0F && mesh.vertices[11] == 1.0F);
    atemi_mesh_destroy(&mesh);
}

TEST(mesh, of_obj_cuts_polygons_into_fans)
{
    atemi_mesh     mesh;
    atemi_error    error = {0};
    const uint32_t corners[] = {0, 1, 2, 0, 2, 3, 0, 3, 4};
    CHECK_STATUS(
        parse("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv -1 0 0\nf 1 2 3 4 5", "a.obj", &mesh, &error),
        ATEMI_OK);
    CHECK_EQUAL_INT(mesh.triangle_count, 3);
    CHECK(memcmp(mesh.triangles, corners, sizeof corners) == 0);
    atemi_mesh_destroy(&mesh);
}

TEST(mesh, of_ascii_stl_has_its_triangles)
{
    atemi_mesh  mesh;
    atemi_error error = {0};
    CHECK_STATUS(parse(triangle_stl, "a.stl", &mesh, &error), ATEMI_OK);
    CHECK(mesh.vertex_count == 3 && mesh.triangle_count == 1);
    CHECK(mesh.vertices[7] == 1.0F);
    atemi_mesh_destroy(&mesh);
}

// Two triangles of a square as binary STL, which begins with "solid" to be confused with ASCII.
static size_t make_binary(char bytes[184])
{
    const float corners[6][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 0, 0}, {1, 1, 0}, {0, 1, 0}};
    memset(bytes, 0, 184);
    memcpy(bytes, "solid", 5);
    bytes[80] = 2;
    for (int i = 0; i < 2; ++i) {
        memcpy(bytes + 84 + 50 * i + 12, corners[3 * i], sizeof corners / 2);
    }
    return 184;
}

TEST(mesh, of_binary_stl_has_each_vertex_once)
{
    char           bytes[184];
    atemi_mesh     mesh;
    atemi_error    error = {0};
    const uint32_t corners[] = {0, 1, 2, 0, 2, 3};
    const size_t   size = make_binary(bytes);
    CHECK_STATUS(atemi_mesh_parse(bytes, size, "a.stl", &mesh, &error), ATEMI_OK);
    CHECK(mesh.vertex_count == 4 && mesh.triangle_count == 2);
    CHECK(memcmp(mesh.triangles, corners, sizeof corners) == 0);
    atemi_mesh_destroy(&mesh);
    CHECK_STATUS(atemi_mesh_parse(bytes, size - 1, "a.stl", &mesh, &error), ATEMI_ERROR_SYNTAX);
}

TEST(mesh, that_is_damaged_is_refused_with_its_line)
{
    check_refused("v 0 0\n", "a.obj", 1, "three numbers");
    check_refused("v 0 0 0\nv 0 0 x\n", "a.obj", 2, "three numbers");
    check_refused("v 0 0 1e39\n", "a.obj", 1, "not finite");
    check_refused("v 0 0 0\nf 1 1 2\n", "a.obj", 2, "the corner 2");
    check_refused("v 0 0 0\nf 1 1 -2\n", "a.obj", 2, "the corner -2");
    check_refused("v 0 0 0\nf 1 1 0\n", "a.obj", 2, "the corner 0");
    check_refused("v 0 0 0\nf 1 1 99999999999999999999\n", "a.obj", 2, "not a number");
    check_refused("v 0 0 0\nf 1 1\n", "a.obj", 2, "2 corners");
    check_refused("v 0 0 0\n", "a.obj", 0, "no triangles");
    check_refused("", "a.obj", 0, "no triangles");
    check_refused("", "a.stl", 0, "not an STL file");
    check_refused("solid\nvertex 0 0 0\n", "a.stl", 0, "truncated");
    check_refused("solid\n<html>\n", "a.stl", 2, "<html>");
    check_refused("<COLLADA/>", "a.dae", 0, ".stl or .obj");
}

TEST(mesh, without_memory_loses_none)
{
    char         binary[184];
    const size_t size = make_binary(binary);
    bool         failed = true;
    for (int calls = 1; failed; ++calls) {
        atemi_mesh  mesh;
        atemi_error error = {0};
        failing_allocator_install(calls);
        atemi_status status = atemi_mesh_parse(binary, size, "a.stl", &mesh, &error);
        atemi_mesh_destroy(&mesh);
        if (!status) {
            status = parse(tetrahedron_obj, "a.obj", &mesh, &error);
            atemi_mesh_destroy(&mesh);
        }
        failing_allocator_remove();
        failed = failing_allocator_failed();
        CHECK((status == ATEMI_OK) == !failed);
        CHECK_EQUAL_INT(failing_allocator_outstanding(), 0);
    }
}
