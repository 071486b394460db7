// SPDX-License-Identifier: Apache-2.0

#include "io/scenario/scenario_surfaces.h"

#include "scenario_bench.h"

#include <math.h>

static atemi_scenario_surfaces read(scenario_bench *b, const char *text)
{
    atemi_scenario_surfaces surfaces;
    *b = bench_open(ATEMI_BASE_FIXED, text);
    atemi_scenario_read_surfaces(b->reader, &surfaces);
    bench_check(b);
    return surfaces;
}

static const atemi_surface *named(const atemi_scenario_surfaces *surfaces, const char *name)
{
    for (int i = 0; i < surfaces->count; ++i) {
        if (strcmp(surfaces->names[i], name) == 0) {
            return &surfaces->surfaces[i];
        }
    }
    check_fail(CHECK_PLACE("named"), "there is no surface '%s'", name);
}

TEST(scenario_surfaces, have_a_level_floor_that_nobody_asked_for)
{
    scenario_bench          b;
    atemi_scenario_surfaces surfaces = read(&b, "{}\n");
    CHECK_EQUAL_INT(surfaces.count, 1);
    const atemi_surface *floor = named(&surfaces, "floor");
    CHECK_EQUAL_INT(floor->kind, ATEMI_SURFACE_PLANE);
    CHECK_NEAR(floor->axis.z, 1.0, 0.0);
    CHECK_NEAR(floor->position.z, 0.0, 0.0);
    atemi_scenario_surfaces_destroy(&surfaces);
    bench_close(&b);
}

TEST(scenario_surfaces, have_normals_of_any_length_and_hollows)
{
    scenario_bench          b;
    atemi_scenario_surfaces surfaces =
        read(&b, "surfaces:\n"
                 "  floor: {kind: plane, normal: [0, -3, 4], position: [0, 0, 0.1]}\n"
                 "  pipe: {kind: cylinder, axis: [0, 2, 0], radius: 50 cm, inside: true}\n"
                 "  ball: {kind: sphere, radius: 0.2}\n");
    CHECK_EQUAL_INT(surfaces.count, 3);
    CHECK_NEAR(named(&surfaces, "floor")->axis.y, -0.6, 1e-15);
    CHECK_NEAR(named(&surfaces, "floor")->axis.z, 0.8, 1e-15);
    CHECK_NEAR(named(&surfaces, "floor")->position.z, 0.1, 0.0);
    CHECK_NEAR(named(&surfaces, "pipe")->radius, -0.5, 1e-15);
    CHECK_NEAR(named(&surfaces, "pipe")->axis.y, 1.0, 0.0);
    CHECK_NEAR(named(&surfaces, "ball")->radius, 0.2, 0.0);
    atemi_scenario_surfaces_destroy(&surfaces);
    bench_close(&b);
}

static void check_refused(const char *text, const char *words, int line, int column)
{
    atemi_scenario_surfaces surfaces;
    scenario_bench          b = bench_open(ATEMI_BASE_FIXED, text);
    atemi_scenario_read_surfaces(b.reader, &surfaces);
    bench_refuses(&b, words, line, column);
    atemi_scenario_surfaces_destroy(&surfaces);
    bench_close(&b);
}

TEST(scenario_surfaces, refuse_directions_that_are_none_and_ragged_tables)
{
    check_refused("surfaces:\n  floor: {kind: plane, normal: [0, 0, 0]}\n", "has no direction", 2,
                  32);
    check_refused("surfaces:\n  hills:\n    kind: heights\n    spacing: [0.1, 0.1]\n"
                  "    heights:\n      - [0, 0, 0]\n      - [0, 0]\n",
                  "3", 7, 9);
}

TEST(scenario_surfaces, lay_terrains_as_tables)
{
    scenario_bench          b;
    atemi_scenario_surfaces surfaces =
        read(&b, "surfaces:\n"
                 "  floor:\n"
                 "    kind: terrain\n"
                 "    position: [-1, -0.5, 0.2]\n"
                 "    size: [4 m, 1 m]\n"
                 "    resolution: 2.5 cm\n"
                 "    parts:\n"
                 "      - {kind: stairs, from: 1 m, rise: 10 cm, tread: 40 cm, count: 2}\n"
                 "      - {kind: slope, from: -1 m, to: 0 m, angle: 0.1, heading: 90 deg}\n");
    const atemi_surface *floor = named(&surfaces, "floor");
    CHECK_EQUAL_INT(floor->kind, ATEMI_SURFACE_HEIGHTS);
    CHECK_EQUAL_INT(floor->table.columns, 161);
    CHECK_EQUAL_INT(floor->table.rows, 41);
    // Two treads up at the end, and the slope rises along y from the table's edge to y = 0.
    const atemi_vec3 at = {2.5, 0.25, 0.2 + 0.2 + tan(0.1)},
                     before = {0.5, -0.25, 0.2 + 0.75 * tan(0.1)};
    CHECK_NEAR(atemi_surface_look(floor, at).gap, 0.0, 1e-9);
    CHECK_NEAR(atemi_surface_look(floor, before).gap, 0.0, 1e-9);
    atemi_scenario_surfaces_destroy(&surfaces);
    bench_close(&b);
}

TEST(scenario_surfaces, refuse_terrains_that_no_table_can_have)
{
    check_refused("surfaces:\n  floor: {kind: terrain}\n", "parts: is missing", 2, 10);
    check_refused("surfaces:\n  floor: {kind: terrain, size: [1e4, 1e4], "
                  "parts: [{kind: slope}]}\n",
                  "give a smaller size, or a larger resolution", 2, 32);
    check_refused("surfaces:\n  floor: {kind: terrain, resolution: 0.2, "
                  "parts: [{kind: stairs, tread: 0.3}]}\n",
                  "no room for an edge of two spacings", 2, 38);
    check_refused("surfaces:\n  floor: {kind: terrain, parts: [{kind: slope, from: 2, to: 1}]}\n",
                  "is not after from", 2, 61);
    check_refused("surfaces:\n  floor: {kind: terrain, parts: [{kind: ramp}]}\n", "ramp", 2, 41);
}
