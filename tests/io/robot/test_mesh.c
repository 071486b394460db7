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
    check_refused("glTF", "a.glb", 0, ".stl, .obj or .dae");
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

// ---- COLLADA

#define DAE_BEGIN(unit)                                                                            \
    "<COLLADA><asset><unit meter='" unit "'/><up_axis>Y_UP</up_axis></asset><library_geometries>"  \
    "<geometry id='g'><mesh><source id='s'><float_array id='f' count='12'>0 0 0 1 0 0 0 1 0 0 0 1" \
    "</float_array><technique_common><accessor source='#f' count='4' stride='3'/>"                 \
    "</technique_common></source><vertices id='v'><input semantic='POSITION' source='#s'/>"        \
    "</vertices>"
#define DAE_END "</mesh></geometry></library_geometries>"
#define INPUTS                                                                                     \
    "<input semantic='NORMAL' offset='0' source='#n'/><input semantic='VERTEX' "                   \
    "offset='1' source='#v'/>"

static void check_dae(const char *text, int vertices, int triangles, const double at_last[3])
{
    atemi_mesh  mesh;
    atemi_error error = {0};
    CHECK_STATUS(parse(text, "a.dae", &mesh, &error), ATEMI_OK);
    CHECK_EQUAL_STRING(error.message, "");
    CHECK_EQUAL_INT(mesh.vertex_count, vertices);
    CHECK_EQUAL_INT(mesh.triangle_count, triangles);
    for (int i = 0; i < 3; ++i) {
        CHECK_NEAR((double)mesh.vertices[3 * (vertices - 1) + i], at_last[i], 1e-6);
    }
    atemi_mesh_destroy(&mesh);
}

// Without a scene, in the file's unit; up_axis does nothing, as with ROS.
TEST(mesh, of_collada_has_triangles_and_polygons)
{
    const double last[] = {0.0, 0.0, 0.001};
    check_dae(DAE_BEGIN("0.001") "<triangles count='2'>" INPUTS "<p>9 0 9 1 9 2 9 0 9 2 9 3</p>"
                                 "</triangles>" DAE_END "</COLLADA>",
              4, 2, last);
    check_dae(DAE_BEGIN("0.001") "<polylist count='2'>" INPUTS "<vcount>4 3</vcount>"
                                 "<p>0 0 0 1 0 2 0 3 0 1 0 2 0 3</p></polylist>" DAE_END
                                 "</COLLADA>",
              4, 3, last);
    check_dae(DAE_BEGIN("0.001") "<polygons count='1'>" INPUTS "<p>0 0 0 1 0 2</p><p>0 1 0 2 0 3"
                                 "</p></polygons>" DAE_END "</COLLADA>",
              4, 2, last);
}

#define ONE "<triangles>" INPUTS "<p>0 1 0 2 0 3</p></triangles>" DAE_END

// z = 1 is doubled, turned by 90 degrees about x to -y, and moved by 5 along y.
TEST(mesh, of_collada_stands_where_its_nodes_take_it)
{
    const double turned[] = {0.0, 3.0, 0.0}, nested[] = {1.0, 3.0, 0.0};
    check_dae(DAE_BEGIN("1") ONE "<library_visual_scenes><visual_scene><node><translate>0 5 0"
                                 "</translate><rotate>1 0 0 90</rotate><scale>1 1 2</scale>"
                                 "<instance_geometry url='#g'/></node></visual_scene>"
                                 "</library_visual_scenes></COLLADA>",
              4, 1, turned);
    check_dae(DAE_BEGIN("1") ONE
              "<library_nodes><node id='n'><rotate>1 0 0 90</rotate><scale>1 1 2</scale>"
              "<instance_geometry url='#g'/></node></library_nodes>"
              "<library_visual_scenes><visual_scene><node><matrix>1 0 0 1  0 1 0 5  0 0 1 0  0 0 0 "
              "1</matrix><node><instance_node url='#n'/></node></node></visual_scene>"
              "</library_visual_scenes></COLLADA>",
              4, 1, nested);
}

TEST(mesh, of_collada_goes_round_outwards_also_where_it_is_mirrored)
{
    atemi_mesh     mesh;
    const uint32_t corners[] = {1, 3, 2};
    const char    *text =
        DAE_BEGIN("1") ONE "<library_visual_scenes><visual_scene><node><scale>-1 1 1</scale>"
                           "<instance_geometry url='#g'/></node></visual_scene>"
                           "</library_visual_scenes></COLLADA>";
    CHECK_STATUS(parse(text, "a.dae", &mesh, NULL), ATEMI_OK);
    CHECK(memcmp(mesh.triangles, corners, sizeof corners) == 0);
    atemi_mesh_destroy(&mesh);
}

TEST(mesh, of_collada_that_is_wrong_is_refused)
{
    check_refused("<dae/>", "a.dae", 0, "no COLLADA");
    check_refused("<COLLADA/>", "a.dae", 0, "no triangles");
    check_refused(DAE_BEGIN("1") "<triangles>" INPUTS "<p>0 1 0 2 0 4</p></triangles>" DAE_END
                                 "</COLLADA>",
                  "a.dae", 0, "a corner that is not there");
    // Nodes that double at each depth, and one that stands in itself.
    check_refused(DAE_BEGIN("1") ONE "<library_nodes><node id='n'><instance_node url='#n'/></node>"
                                     "</library_nodes><node><instance_node url='#n'/></node>"
                                     "</COLLADA>",
                  "a.dae", 0, "too deep or too often");
}

TEST(mesh, of_collada_survives_the_failure_of_every_allocation)
{
    const char *text = DAE_BEGIN("1") "<polylist>" INPUTS "<vcount>3</vcount><p>0 1 0 2 0 3</p>"
                                      "</polylist>" DAE_END "<node><instance_geometry url='#g'/>"
                                      "</node></COLLADA>";
    bool        failed = true;
    for (int n = 1; failed; ++n) {
        atemi_mesh  mesh;
        atemi_error error = {0};
        failing_allocator_install(n);
        const atemi_status status = parse(text, "a.dae", &mesh, &error);
        failed = failing_allocator_failed();
        CHECK_STATUS(status, failed ? ATEMI_ERROR_MEMORY : ATEMI_OK);
        atemi_mesh_destroy(&mesh);
        failing_allocator_remove();
        CHECK_EQUAL_INT(failing_allocator_outstanding(), 0);
    }
}

// A list of numbers may be long, a tag may not.
TEST(mesh, of_collada_may_have_megabytes_of_numbers)
{
    enum { BLANKS = 3 << 20 };
    static char       text[BLANKS + 4096];
    static const char begin[] = DAE_BEGIN("1") "<triangles>" INPUTS "<p>0 1";
    atemi_mesh        mesh;
    memcpy(text, begin, sizeof begin - 1);
    memset(text + sizeof begin - 1, ' ', BLANKS);
    strcpy(text + sizeof begin - 1 + BLANKS, " 0 2 0 3</p></triangles>" DAE_END "</COLLADA>");
    CHECK_STATUS(parse(text, "a.dae", &mesh, NULL), ATEMI_OK);
    CHECK_EQUAL_INT(mesh.triangle_count, 1);
    atemi_mesh_destroy(&mesh);
    memcpy(text + sizeof begin - 1, " a='>", 5); // now all of it is a tag
    text[sizeof begin - 1 - strlen(">0 1")] = ' ';
    check_refused(text, "a.dae", 1, "longer than 1 MiB");
}
