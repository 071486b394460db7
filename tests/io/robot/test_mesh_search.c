// SPDX-License-Identifier: Apache-2.0

#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700 // mkdtemp, setenv, nftw
#endif

#include "io/robot/mesh_search.h"

#include "allocations.h"
#include "atemi/robots.h"
#include "check.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// A workspace of packages, in a folder of its own:
//
//   src/robot_description/package.xml      <name>robot_description</name>
//   src/robot_description/urdf/robot.urdf
//   src/robot_description/meshes/arm.stl
//   src/renamed/package.xml                <name>legs</name>
//   src/renamed/urdf/robot.urdf
//   src/renamed/meshes/leg.stl
//   src/hands/meshes/hand.stl
//   far/feet/meshes/foot.stl

typedef struct workspace {
    char root[64];
} workspace;

static void path_in(const workspace *space, const char *name, char path[256])
{
    snprintf(path, 256, "%s/%s", space->root, name);
}

static void make_folder(const workspace *space, const char *name)
{
    char path[256];
    path_in(space, name, path);
    CHECK(mkdir(path, 0700) == 0);
}

static void write_file(const workspace *space, const char *name, const char *text)
{
    char path[256];
    path_in(space, name, path);
    FILE *file = fopen(path, "w");
    CHECK(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

static workspace make_workspace(void)
{
    static const char *const folders[] = {"src",
                                          "src/robot_description",
                                          "src/robot_description/urdf",
                                          "src/renamed",
                                          "src/robot_description/meshes",
                                          "src/renamed/urdf",
                                          "src/hands",
                                          "src/renamed/meshes",
                                          "src/hands/meshes",
                                          "far",
                                          "far/feet",
                                          "far/feet/meshes"};
    workspace                space = {"/tmp/atemi_meshes_XXXXXX"};
    CHECK(mkdtemp(space.root) != NULL);
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; ++i) {
        make_folder(&space, folders[i]);
    }
    write_file(&space, "src/robot_description/package.xml",
               "<?xml version='1.0'?><!-- <name>other</name> --><package format='2'>\n"
               "<name> robot_description </name><author><name>other</name></author></package>");
    write_file(&space, "src/renamed/package.xml", "<package><name>legs</name></package>");
    write_file(&space, "src/robot_description/meshes/arm.stl", "");
    write_file(&space, "src/robot_description/meshes/arm 2.stl", "");
    write_file(&space, "src/renamed/meshes/leg.stl", "");
    write_file(&space, "src/hands/meshes/hand.stl", "");
    write_file(&space, "far/feet/meshes/foot.stl", "");
    unsetenv("ROS_PACKAGE_PATH");
    return space;
}

static int remove_entry(const char *path, const struct stat *about, int kind, struct FTW *place)
{
    (void)about;
    (void)kind;
    (void)place;
    return remove(path);
}

static void remove_workspace(const workspace *space)
{
    CHECK(nftw(space->root, remove_entry, 16, FTW_DEPTH | FTW_PHYS) == 0);
}

// Searches as the robot of `package` would, and checks the result; NULL for none.
static void check_found(const workspace *space, const char *package, const char *package_path,
                        const char *address, const char *expected)
{
    atemi_mesh_search search;
    char              file[256], path[ATEMI_PATH_SIZE], wanted[256];
    snprintf(file, sizeof file, "%s/%s/urdf/robot.urdf", space->root, package);
    CHECK_STATUS(atemi_mesh_search_begin(&search, file, package_path, NULL), ATEMI_OK);
    const bool found = atemi_mesh_search_find(&search, address, path);
    CHECK_EQUAL_INT(found, expected != NULL);
    if (found) {
        char *actual = realpath(path, NULL);
        path_in(space, expected, wanted);
        CHECK_EQUAL_STRING(actual, wanted);
        free(actual);
    }
}

static const char *const home = "src/robot_description";

TEST(mesh_search, walks_up_to_the_package_of_the_file)
{
    const workspace space = make_workspace();
    check_found(&space, home, NULL, "package://robot_description/meshes/arm.stl",
                "src/robot_description/meshes/arm.stl");
    check_found(&space, "src/renamed", NULL, "package://legs/meshes/leg.stl",
                "src/renamed/meshes/leg.stl");
    check_found(&space, "src/renamed", NULL, "package://renamed/meshes/leg.stl",
                "src/renamed/meshes/leg.stl");
    check_found(&space, home, NULL, "package://other/meshes/arm.stl", NULL);
    remove_workspace(&space);
}

TEST(mesh_search, finds_packages_beside_that_of_the_file)
{
    const workspace space = make_workspace();
    check_found(&space, home, NULL, "package://hands/meshes/hand.stl", "src/hands/meshes/hand.stl");
    check_found(&space, home, NULL, "model://hands/meshes/hand.stl", "src/hands/meshes/hand.stl");
    check_found(&space, home, NULL, "package://feet/meshes/foot.stl", NULL);
    remove_workspace(&space);
}

TEST(mesh_search, looks_into_the_two_paths)
{
    const workspace space = make_workspace();
    char            folder[256], itself[256], several[600];
    path_in(&space, "far", folder);
    path_in(&space, "far/feet/", itself);
    snprintf(several, sizeof several, "::/no/such/folder:%s:", folder);
    const char *address = "package://feet/meshes/foot.stl";
    check_found(&space, home, folder, address, "far/feet/meshes/foot.stl");
    check_found(&space, home, itself, address, "far/feet/meshes/foot.stl");
    check_found(&space, home, several, address, "far/feet/meshes/foot.stl");

    CHECK(setenv("ROS_PACKAGE_PATH", several, 1) == 0);
    check_found(&space, home, NULL, address, "far/feet/meshes/foot.stl");
    check_found(&space, home, "", address, "far/feet/meshes/foot.stl");
    unsetenv("ROS_PACKAGE_PATH");
    remove_workspace(&space);
}

TEST(mesh_search, takes_relative_absolute_and_file_addresses)
{
    const workspace space = make_workspace();
    const char     *arm = "src/robot_description/meshes/arm.stl";
    char            absolute[256], address[300];
    path_in(&space, arm, absolute);
    check_found(&space, home, NULL, "../meshes/arm.stl", arm);
    check_found(&space, home, NULL, absolute, arm);
    snprintf(address, sizeof address, "file://%s", absolute);
    check_found(&space, home, NULL, address, arm);
    snprintf(address, sizeof address, "file://localhost%s", absolute);
    check_found(&space, home, NULL, address, arm);
    check_found(&space, home, NULL, "file://../meshes/arm%202.stl",
                "src/robot_description/meshes/arm 2.stl");
    check_found(&space, home, NULL, "meshes/arm.stl", NULL);
    check_found(&space, home, NULL, "http://example.com/arm.stl", NULL);
    remove_workspace(&space);
}

TEST(mesh_search, does_not_leave_a_package_by_two_dots)
{
    const workspace space = make_workspace();
    check_found(&space, home, NULL, "package://robot_description/urdf/../meshes/arm.stl",
                "src/robot_description/meshes/arm.stl");
    check_found(&space, home, NULL, "package://robot_description/../hands/meshes/hand.stl", NULL);
    check_found(&space, home, NULL, "package://../hands/meshes/hand.stl", NULL);
    check_found(&space, home, NULL, "package://./meshes/hand.stl", NULL);
    remove_workspace(&space);
}

TEST(mesh_search, finds_files_only_and_bears_nonsense)
{
    const workspace space = make_workspace();
    char            endless[10000];
    memset(endless, 'a', sizeof endless - 1);
    endless[sizeof endless - 1] = '\0';
    check_found(&space, home, NULL, "package://robot_description/meshes", NULL);
    check_found(&space, home, NULL, "package://robot_description", NULL);
    check_found(&space, home, NULL, "package://robot_description/", NULL);
    check_found(&space, home, NULL, "package://", NULL);
    check_found(&space, home, NULL, "package:///meshes/arm.stl", NULL);
    check_found(&space, home, NULL, "file://", NULL);
    check_found(&space, home, NULL, "file://%", NULL);
    check_found(&space, home, NULL, "", NULL);
    check_found(&space, home, NULL, endless, NULL);
    memcpy(endless, "package://a/", 12);
    endless[4000] = '\0';
    check_found(&space, home, endless, endless, NULL);
    memset(endless, '/', 3000);
    check_found(&space, home, NULL, endless, NULL);
    remove_workspace(&space);
}

TEST(mesh_search, bears_manifests_that_are_no_xml)
{
    const workspace space = make_workspace();
    write_file(&space, "src/robot_description/package.xml", "<package><name>ro");
    check_found(&space, home, NULL, "package://robot_description/meshes/arm.stl",
                "src/robot_description/meshes/arm.stl");
    write_file(&space, "src/robot_description/package.xml", "");
    check_found(&space, home, NULL, "package://robot_description/meshes/arm.stl",
                "src/robot_description/meshes/arm.stl");
    remove_workspace(&space);
}

TEST(mesh_search, without_a_file_looks_into_the_paths_only)
{
    const workspace   space = make_workspace();
    atemi_mesh_search search;
    char              path[ATEMI_PATH_SIZE], far[256];
    path_in(&space, "far", far);
    CHECK_STATUS(atemi_mesh_search_begin(&search, NULL, far, NULL), ATEMI_OK);
    CHECK(atemi_mesh_search_find(&search, "package://feet/meshes/foot.stl", path));
    CHECK(!atemi_mesh_search_find(&search, "Makefile", path));
    remove_workspace(&space);
}

TEST(mesh_search, gives_up_after_a_hundred_thousand_looks)
{
    atemi_mesh_search search;
    char              path[ATEMI_PATH_SIZE];
    CHECK_STATUS(atemi_mesh_search_begin(&search, NULL, NULL, NULL), ATEMI_OK);
    for (int i = 0; i < 150000; ++i) {
        CHECK(!atemi_mesh_search_find(&search, "/no/such/file", path));
    }
    CHECK(search.looks_left <= 0);
    CHECK(!atemi_mesh_search_find(&search, "/bin/sh", path));
}

TEST(mesh_search, records_what_it_finds_in_the_model)
{
    const workspace    space = make_workspace();
    char               file[256];
    atemi_model       *model;
    atemi_urdf_options options = atemi_urdf_options_default();
    options.model.base = ATEMI_BASE_FIXED;
    write_file(
        &space, "src/robot_description/urdf/robot.urdf",
        "<robot name='r'><link name='a'><visual><geometry>"
        "<mesh filename='package://hands/meshes/hand.stl'/></geometry></visual>"
        "<visual><geometry><mesh filename='missing.stl'/></geometry></visual></link></robot>");
    path_in(&space, "src/robot_description/urdf/robot.urdf", file);
    CHECK_STATUS(atemi_urdf_load(file, &options, &model, NULL), ATEMI_OK);
    CHECK_CONTAINS(atemi_model_geometry(model, 0)->path, "src/hands/meshes/hand.stl");
    CHECK(!atemi_model_geometry(model, 1)->path);
    CHECK_EQUAL_STRING(atemi_model_geometry(model, 1)->uri, "missing.stl");
    atemi_model_destroy(model);
    remove_workspace(&space);
}

// Reading package.xml takes memory, too.
TEST(mesh_search, survives_the_failure_of_every_allocation)
{
    const workspace space = make_workspace();
    char            file[256];
    path_in(&space, "src/robot_description/urdf/robot.urdf", file);
    bool failed = true;
    for (int n = 1; failed; ++n) {
        atemi_mesh_search search;
        failing_allocator_install(n);
        const atemi_status status = atemi_mesh_search_begin(&search, file, NULL, NULL);
        failed = failing_allocator_failed();
        failing_allocator_remove();
        CHECK_STATUS(status, failed ? ATEMI_ERROR_MEMORY : ATEMI_OK);
        CHECK_EQUAL_INT(failing_allocator_outstanding(), 0);
    }
    remove_workspace(&space);
}
