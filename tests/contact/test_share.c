// SPDX-License-Identifier: Apache-2.0

#include "contact/share.h"

#include "check.h"
#include "random.h"

enum { MOST = 6 };

static atemi_vec3 random_vec3(random_stream *random)
{
    const double x = random_uniform(random, -1.0, 1.0), y = random_uniform(random, -1.0, 1.0);
    return (atemi_vec3){x, y, random_uniform(random, -1.0, 1.0)};
}

static atemi_force sum_of(const atemi_vec3 *places, const atemi_vec3 *forces, int count,
                          atemi_vec3 origin)
{
    atemi_force sum = {0};
    for (int i = 0; i < count; ++i) {
        const atemi_vec3 arm = atemi_vec3_sub(places[i], origin);
        sum.linear = atemi_vec3_add(sum.linear, forces[i]);
        sum.angular = atemi_vec3_add(sum.angular, atemi_vec3_cross(arm, forces[i]));
    }
    return sum;
}

static void check_same(atemi_force a, atemi_force b)
{
    CHECK_NEAR(atemi_vec3_norm(atemi_vec3_sub(a.linear, b.linear)), 0.0, 1e-12);
    CHECK_NEAR(atemi_vec3_norm(atemi_vec3_sub(a.angular, b.angular)), 0.0, 1e-10);
}

TEST(share, amounts_to_the_whole_wrench)
{
    random_stream random = random_seeded(5);
    for (int trial = 0; trial < 100; ++trial) {
        const int         count = 3 + random_index(&random, MOST - 2);
        const atemi_vec3  origin = random_vec3(&random);
        const atemi_force wrench = {random_vec3(&random), random_vec3(&random)};
        atemi_vec3        places[MOST], whole[MOST], least[MOST];
        for (int i = 0; i < count; ++i) {
            places[i] = random_vec3(&random);
        }
        CHECK(atemi_share_whole(wrench, origin, places, count, whole));
        atemi_share(wrench, origin, places, count, least);
        check_same(sum_of(places, whole, count, origin), wrench);
        check_same(sum_of(places, least, count, origin), wrench);
    }
}

// Two points 2 m apart, and a moment across: a couple of 1 N m / 2 m.
TEST(share, of_a_moment_is_a_couple)
{
    const atemi_vec3  places[2] = {{-1.0, 0.0, 0.0}, {1.0, 0.0, 0.0}}, origin = {0.0, 0.0, 0.0};
    const atemi_force moment = {{0.0, 0.0, 0.0}, {0.0, 0.0, 1.0}};
    atemi_vec3        forces[2];
    atemi_share(moment, origin, places, 2, forces);
    CHECK_NEAR(forces[0].y, -0.5, 1e-15);
    CHECK_NEAR(forces[1].y, 0.5, 1e-15);
}

TEST(share, among_points_in_line_is_not_of_the_whole_wrench)
{
    const atemi_vec3  places[3] = {{-1.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}};
    const atemi_vec3  origin = {0.0, 0.0, 0.0};
    const atemi_force moment = {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}};
    atemi_vec3        forces[3];
    CHECK(!atemi_share_whole(moment, origin, places, 3, forces));
    CHECK(!atemi_share_whole(moment, origin, places, 2, forces));
}

// The edge of a sole: off the line by rounding, which is no lever.
TEST(share, among_points_in_line_but_for_rounding_is_not_of_the_whole_wrench)
{
    const atemi_vec3  origin = {0.0, 0.0, 0.0};
    const atemi_force moment = {{0.0, 0.0, 20.0}, {0.0, 5.0, 0.0}};
    for (int count = 3; count <= MOST; ++count) {
        atemi_vec3 places[MOST], forces[MOST];
        for (int i = 0; i < count; ++i) {
            places[i] = (atemi_vec3){0.2 + 3e-17 * (i % 3), 0.03 * i - 0.1, 1e-17 * (i % 2)};
        }
        CHECK(!atemi_share_whole(moment, origin, places, count, forces));
    }
}
