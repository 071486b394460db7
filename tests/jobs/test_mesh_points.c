// SPDX-License-Identifier: Apache-2.0

#include "jobs/mesh_points.h"

#include "check.h"
#include "folder.h"
#include "random_tree.h"

// A foot with a mesh of a triangle, scaled by 2 and put at x = 1, a sole that is fixed to it with
// the same mesh as it is, and a shin with one that is not there.
static atemi_model *sample(const char *mesh)
{
    const atemi_inertia one = {.mass = 1.0, .rotational = {.xx = 1.0, .yy = 1.0, .zz = 1.0}};
    const struct {
        const char *link, *path;
        double      scale, x;
    } shapes[] = {
        {"foot", mesh, 2.0, 1.0}, {"sole", mesh, 1.0, 0.0}, {"shin", "/nowhere.obj", 1.0, 0.0}};
    const atemi_vec3     y = {0.0, 1.0, 0.0};
    atemi_model_builder *builder = tree_begin();
    for (int i = 2; i >= 0; --i) {
        tree_add_link(builder, shapes[i].link, &one);
    }
    tree_add_joint(builder, "ankle", ATEMI_JOINT_CONTINUOUS, "shin", "foot", y, (atemi_vec3){0});
    tree_add_joint(builder, "weld", ATEMI_JOINT_FIXED, "foot", "sole", y, (atemi_vec3){0});
    for (int i = 0; i < 3; ++i) {
        const double                     s = shapes[i].scale;
        const atemi_geometry_description shape = {
            .link = shapes[i].link,
            .shape = ATEMI_SHAPE_MESH,
            .pose = {atemi_mat3_identity(), {shapes[i].x, 0.0, 0.0}},
            .size = {s, s, s},
            .uri = shapes[i].path,
            .path = shapes[i].path};
        CHECK_STATUS(atemi_model_builder_add_geometry(builder, &shape, NULL), ATEMI_OK);
    }
    return tree_finish(builder, ATEMI_BASE_FLOATING);
}

static bool has(const mesh_points *points, int link, double x, double y)
{
    for (int i = 0; i < points->count; ++i) {
        const atemi_contact_point *p = &points->list[i];
        if (p->link == link && p->point.x == x && p->point.y == y) {
            return true;
        }
    }
    return false;
}

TEST(mesh_points, are_the_vertices_of_a_body_in_the_frames_of_its_links)
{
    folder      home = folder_create();
    const char *path = folder_path(home.path, "triangle.obj");
    folder_put(path, "v 0 0 0\nv 0.5 0 0\nv 0 0.25 0\nf 1 2 3\n");
    atemi_model *model = sample(path);
    const int    foot = atemi_model_find_link(model, "foot");
    const int    sole = atemi_model_find_link(model, "sole");
    mesh_points  points = {0};
    CHECK_STATUS(mesh_points_add(model, sole, &points, NULL), ATEMI_OK);
    CHECK_EQUAL_INT(points.count, 6);
    CHECK(has(&points, foot, 1.0, 0.0) && has(&points, foot, 2.0, 0.0));
    CHECK(has(&points, foot, 1.0, 0.5));
    CHECK(has(&points, sole, 0.0, 0.0) && has(&points, sole, 0.5, 0.0));
    CHECK(has(&points, sole, 0.0, 0.25));
    mesh_points_destroy(&points);
    atemi_model_destroy(model);
    folder_remove(home.path);
}

TEST(mesh_points, of_a_file_that_is_not_there_are_none)
{
    atemi_model *model = sample("/nowhere.obj");
    mesh_points  points = {0};
    CHECK_STATUS(mesh_points_add(model, atemi_model_find_link(model, "shin"), &points, NULL),
                 ATEMI_OK);
    CHECK_EQUAL_INT(points.count, 0);
    mesh_points_destroy(&points);
    atemi_model_destroy(model);
}
