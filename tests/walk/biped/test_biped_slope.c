// SPDX-License-Identifier: Apache-2.0

#include "check.h"
#include "walk/biped/biped_parts.h"

#include <math.h>

// A plane through a point, with a normal that is turned about both axes; soles lie on it.

static atemi_transform sole_on(atemi_vec3 place, double roll, double pitch, double yaw)
{
    const atemi_mat3 tilt = atemi_mat3_from_rpy(roll, pitch, 0.0), turn = biped_heading(yaw);
    return (atemi_transform){atemi_mat3_multiply(&tilt, &turn), place};
}

// A part of 0.3 counts with each step: of the error 0.7^20 = 8e-4 is left after 20.
TEST(biped_slope, is_learned_from_the_soles_that_stand_on_it)
{
    biped_slope           slope = {0};
    const atemi_transform sole = sole_on((atemi_vec3){0.5, 0.1, 0.2}, 0.08, -0.1, 0.7);
    const atemi_vec3      n = sole.rotation.z;
    for (int i = 0; i < 20; ++i) {
        biped_slope_stand(&slope, &sole);
        biped_slope_feel(&slope, &sole, false);
    }
    // Any point of the plane: n (r - r0) = 0.
    for (int i = 0; i < 8; ++i) {
        const double x = 0.3 * cos(i), y = 0.3 * sin(i), z = -(n.x * x + n.y * y) / n.z;
        CHECK_NEAR(biped_slope_height(&slope, 0.5 + x, 0.1 + y), 0.2 + z, 1e-3 * 0.15 * 0.3);
    }
}

// One sole on an edge is no slope yet.
TEST(biped_slope, of_one_step_counts_in_part)
{
    biped_slope           slope = {0};
    const atemi_transform sole = sole_on((atemi_vec3){0.0, 0.0, 0.0}, 0.0, -0.1, 0.0);
    biped_slope_feel(&slope, &sole, false);
    CHECK(slope.x > 0.1 * tan(0.1) && slope.x < 0.5 * tan(0.1));
}

// A sole that heads for 0.7 on a floor that rises by 0.1 there, and is rolled by 0.2 about that.
TEST(biped_slope, of_a_foot_that_rolls_is_that_along_its_sole)
{
    biped_slope           slope = {0};
    const double          c = cos(0.7), d = sin(0.7);
    const atemi_mat3      turn = biped_heading(0.7), tilt = atemi_mat3_from_rpy(0.2, -0.1, 0.0);
    const atemi_transform sole = {atemi_mat3_multiply(&turn, &tilt), {0.0, 0.0, 0.0}};
    for (int i = 0; i < 20; ++i) {
        biped_slope_feel(&slope, &sole, true);
    }
    CHECK_NEAR(c * slope.x + d * slope.y, tan(0.1), 1e-3 * 0.1);
    CHECK_NEAR(c * slope.y - d * slope.x, 0.0, 1e-12);
}

TEST(biped_slope, a_sole_lies_flat_on_it_with_its_heading)
{
    const biped_slope slope = {.x = 0.1, .y = -0.2};
    for (int i = 0; i < 8; ++i) {
        const double     heading = 0.785398163397448 * i;
        const atemi_mat3 R = biped_slope_rotation(&slope, heading);
        CHECK_NEAR(R.x.z, 0.1 * R.x.x - 0.2 * R.x.y, 1e-12); // its axes are within the plane
        CHECK_NEAR(R.y.z, 0.1 * R.y.x - 0.2 * R.y.y, 1e-12);
        CHECK_NEAR(cos(heading) * R.x.y - sin(heading) * R.x.x, 0.0, 1e-12);
        CHECK(cos(heading) * R.x.x + sin(heading) * R.x.y > 0.9);
        CHECK_NEAR(atemi_vec3_norm(atemi_vec3_cross(R.x, R.y)), 1.0, 1e-12);
        CHECK_NEAR(atemi_vec3_dot(atemi_vec3_cross(R.x, R.y), R.z), 1.0, 1e-12);
    }
}
