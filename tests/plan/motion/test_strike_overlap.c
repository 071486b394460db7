// SPDX-License-Identifier: Apache-2.0

#include "atemi/strike_verification.h"

#include "atemi/robots.h"
#include "check.h"

#include <string.h>

#define MASS                                                                                       \
    "<inertial><mass value='1'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/>"        \
    "</inertial>"
#define SHAPE(xyz, geometry)                                                                       \
    MASS "<collision><origin xyz='" xyz "'/><geometry>" geometry "</geometry></collision>"
#define SMALL "<sphere radius='0.01'/>"
#define RAIL(name, parent, child, xyz)                                                             \
    "<joint name='" name "' type='prismatic'><parent link='" parent "'/><child link='" child       \
    "'/><origin xyz='" xyz "'/><axis xyz='1 0 0'/>"                                                \
    "<limit lower='-9' upper='9' effort='1' velocity='1'/></joint>"

// A trunk and, behind two links far above, a tip one metre away that slides along x.
#define ROBOT(of_trunk, of_tip)                                                                    \
    "<robot name='slides'><link name='trunk'>" SHAPE(                                              \
        "0 0 0",                                                                                   \
        of_trunk) "</link>"                                                                        \
                  "<link name='a'>" SHAPE("0 0 5", SMALL) "</link><link name='b'>" SHAPE(          \
                      "0 0 6",                                                                     \
                      SMALL) "</link><link name='tip'>" SHAPE("0 0 0",                             \
                                                              of_tip) "</link>" RAIL("one",        \
                                                                                     "trunk", "a", \
                                                                                     "0 0 0")      \
                      RAIL("two", "a", "b", "0 0 0") RAIL("three", "b", "tip", "1 0 0") "</robot>"

enum { ROWS = 5 };

// The last joint goes by `way` in its third row and is back in the last.
static atemi_strike_overlaps find(const char *urdf, double way)
{
    atemi_urdf_options options = atemi_urdf_options_default();
    atemi_model       *model = NULL;
    options.model.base = ATEMI_BASE_FIXED;
    CHECK_STATUS(atemi_urdf_parse(urdf, strlen(urdf), NULL, &options, &model, NULL), ATEMI_OK);
    double                q[ROWS * 3] = {0.0};
    atemi_strike_overlaps found;
    q[1 * 3 + 2] = q[3 * 3 + 2] = 0.99 * way;
    q[2 * 3 + 2] = way;
    const atemi_strike_motion motion = {
        .count = ROWS, .touch = 1, .step = 0.01, .q_count = 3, .v_count = 3, .q = q};
    CHECK_STATUS(atemi_strike_overlaps_find(model, &motion, &found, NULL), ATEMI_OK);
    if (found.count > 0) {
        CHECK_EQUAL_STRING(atemi_model_link(model, found.list[0].first)->name, "trunk");
        CHECK_EQUAL_STRING(atemi_model_link(model, found.list[0].second)->name, "tip");
    }
    atemi_model_destroy(model);
    return found;
}

static void check_depth(const char *urdf, double way, double depth)
{
    const atemi_strike_overlaps found = find(urdf, way);
    CHECK_EQUAL_INT(found.count, 1);
    CHECK_NEAR(found.list[0].depth, depth, 1e-12);
    CHECK_NEAR(found.list[0].time, 0.01, 1e-12);
}

TEST(strike_overlap, of_spheres_is_what_their_radii_exceed_their_distance_by)
{
    static const char spheres[] = ROBOT("<sphere radius='0.1'/>", "<sphere radius='0.2'/>");
    check_depth(spheres, -0.75, 0.05);
    CHECK_EQUAL_INT(find(spheres, -0.69).count, 0);
}

// The capsule in a box is as thick as its thinnest side and along its longest, that in a cylinder
// along its axis.
TEST(strike_overlap, of_boxes_and_cylinders_is_that_of_the_capsules_in_them)
{
    static const char upright[] =
        ROBOT("<cylinder radius='0.05' length='0.6'/>", "<box size='0.04 0.06 1'/>");
    static const char across[] =
        ROBOT("<cylinder radius='0.05' length='0.6'/>", "<box size='1 0.04 0.06'/>");
    static const char flat[] =
        ROBOT("<cylinder radius='0.5' length='0.1'/>", "<sphere radius='0.2'/>");
    check_depth(upright, -0.95, 0.02);
    check_depth(across, -0.5, 0.05);
    check_depth(flat, -0.8, 0.05);
}

TEST(strike_overlap, of_links_that_are_made_so_is_none)
{
    static const char touching[] = ROBOT("<sphere radius='0.6'/>", "<sphere radius='0.5'/>");
    CHECK_EQUAL_INT(find(touching, -0.5).count, 0);
}
