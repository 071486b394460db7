// SPDX-License-Identifier: Apache-2.0

#include "contact/distribution.h"

#include "check.h"
#include "random.h"

#include <math.h>

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

TEST(distribution, amounts_to_the_whole_wrench)
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
        CHECK(atemi_distribute_whole(wrench, origin, places, count, whole));
        atemi_distribute(wrench, origin, places, count, least);
        check_same(sum_of(places, whole, count, origin), wrench);
        check_same(sum_of(places, least, count, origin), wrench);
    }
}

// Two points 2 m apart, and a moment across: a couple of 1 N m / 2 m.
TEST(distribution, of_a_moment_is_a_couple)
{
    const atemi_vec3  places[2] = {{-1.0, 0.0, 0.0}, {1.0, 0.0, 0.0}}, origin = {0.0, 0.0, 0.0};
    const atemi_force moment = {{0.0, 0.0, 0.0}, {0.0, 0.0, 1.0}};
    atemi_vec3        forces[2];
    atemi_distribute(moment, origin, places, 2, forces);
    CHECK_NEAR(forces[0].y, -0.5, 1e-15);
    CHECK_NEAR(forces[1].y, 0.5, 1e-15);
}

TEST(distribution, among_points_in_line_is_not_of_the_whole_wrench)
{
    const atemi_vec3  places[3] = {{-1.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}};
    const atemi_vec3  origin = {0.0, 0.0, 0.0};
    const atemi_force moment = {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}};
    atemi_vec3        forces[3];
    CHECK(!atemi_distribute_whole(moment, origin, places, 3, forces));
    CHECK(!atemi_distribute_whole(moment, origin, places, 2, forces));
}

// The edge of a sole: off the line by rounding, which is no lever.
TEST(distribution, among_points_in_line_but_for_rounding_is_not_of_the_whole_wrench)
{
    const atemi_vec3  origin = {0.0, 0.0, 0.0};
    const atemi_force moment = {{0.0, 0.0, 20.0}, {0.0, 5.0, 0.0}};
    for (int count = 3; count <= MOST; ++count) {
        atemi_vec3 places[MOST], forces[MOST];
        for (int i = 0; i < count; ++i) {
            places[i] = (atemi_vec3){0.2 + 3e-17 * (i % 3), 0.03 * i - 0.1, 1e-17 * (i % 2)};
        }
        CHECK(!atemi_distribute_whole(moment, origin, places, count, forces));
    }
}

// ---- Pushes

// Points with pushes in the cone of friction about up; their heights differ, unless they are level.
static int random_pushes(random_stream *random, atemi_vec3 up, bool level, double friction,
                         atemi_vec3 *places, atemi_vec3 *forces)
{
    const int        count = 3 + random_index(random, MOST - 2);
    const atemi_mat3 axes = atemi_mat3_with_z(up);
    for (int i = 0; i < count; ++i) {
        atemi_vec3   p = random_vec3(random), f = random_vec3(random);
        const double push = random_uniform(random, 0.1, 1.0);
        p.z = level ? 0.3 : 0.3 * p.z;
        f = (atemi_vec3){friction * push * f.x, friction * push * f.y, push};
        places[i] = atemi_mat3_apply(&axes, p);
        forces[i] = atemi_mat3_apply(&axes, f);
    }
    return count;
}

static double least_push(atemi_vec3 up, const atemi_vec3 *forces, int count)
{
    double least = INFINITY;
    for (int i = 0; i < count; ++i) {
        least = fmin(least, atemi_vec3_dot(up, forces[i]));
    }
    return least;
}

static atemi_vec3 random_up(random_stream *random)
{
    const atemi_vec3 up = random_vec3(random);
    return atemi_vec3_scale(1.0 / atemi_vec3_norm(up), up);
}

// What pushes made, pushes make again: exactly, and however high the points are.
TEST(distribution, of_what_pushes_made_are_pushes)
{
    random_stream random = random_seeded(6);
    int           even = 0;
    for (int trial = 0; trial < 2000; ++trial) {
        atemi_vec3        places[MOST], forces[MOST], found[MOST];
        const atemi_vec3  up = random_up(&random), origin = random_vec3(&random);
        const int         count = random_pushes(&random, up, trial % 4 == 0, 0.5, places, forces);
        const atemi_force wrench = sum_of(places, forces, count, origin);
        CHECK(atemi_distribute_least_unilateral(wrench, origin, up, places, count, found));
        check_same(sum_of(places, found, count, origin), wrench);
        CHECK(least_push(up, found, count) >= 0.0);
        if (atemi_distribute_unilateral(wrench, origin, up, places, count, found)) {
            check_same(sum_of(places, found, count, origin), wrench);
            CHECK(least_push(up, found, count) > 0.0);
            ++even;
        }
    }
    CHECK(even > 1500); // without friction all of them would be
}

// Heights that differ by a hair change the forces by a hair, with a moment about up as well.
TEST(distribution, of_pushes_is_smooth_in_the_heights)
{
    random_stream random = random_seeded(7);
    for (int trial = 0; trial < 100; ++trial) {
        atemi_vec3        places[MOST], forces[MOST], level[MOST], bumpy[MOST];
        const atemi_vec3  up = random_up(&random), origin = random_vec3(&random);
        const int         count = random_pushes(&random, up, true, 0.5, places, forces);
        const atemi_force wrench = sum_of(places, forces, count, origin);
        const bool found = atemi_distribute_unilateral(wrench, origin, up, places, count, level);
        for (int i = 0; i < count; ++i) {
            const double height = random_uniform(&random, -1e-8, 1e-8);
            places[i] = atemi_vec3_add(places[i], atemi_vec3_scale(height, up));
        }
        CHECK(atemi_distribute_unilateral(wrench, origin, up, places, count, bumpy) == found);
        for (int i = 0; i < count && found; ++i) {
            CHECK_NEAR(atemi_vec3_norm(atemi_vec3_sub(bumpy[i], level[i])), 0.0, 1e-6);
        }
    }
}

// Three level points with given pushes: these are determined, by levers.
TEST(distribution, of_three_points_is_determined)
{
    const atemi_vec3 places[3] = {{0.0, 0.0, 0.1}, {1.0, 0.0, 0.1}, {0.0, 1.0, 0.1}};
    const atemi_vec3 up = {0.0, 0.0, 1.0}, origin = {0.3, 0.2, 0.5};
    const atemi_vec3 pushes[3] = {{0.0, 0.0, 2.0}, {0.0, 0.0, 3.0}, {0.0, 0.0, 4.0}};
    atemi_vec3       even[3], least[3];
    CHECK(atemi_distribute_unilateral(sum_of(places, pushes, 3, origin), origin, up, places, 3,
                                      even));
    CHECK(atemi_distribute_least_unilateral(sum_of(places, pushes, 3, origin), origin, up, places,
                                            3, least));
    for (int i = 0; i < 3; ++i) {
        CHECK_NEAR(even[i].z, pushes[i].z, 1e-11);
        CHECK_NEAR(least[i].z, pushes[i].z, 1e-11);
    }
}

// A weight that presses beside level points, or hangs below them, no pushes carry. Points at two
// heights do, with forces against each other along the ground: 0.1 m of height and a weight 0.2 m
// outside take forces of twice the weight.
TEST(distribution, of_a_weight_beside_the_points_takes_points_at_two_heights)
{
    const atemi_vec3  up = {0.0, 0.0, 1.0}, beside = {1.2, 0.0, 0.0};
    const atemi_force down = {{0.0, 0.0, 5.0}, {0.0, 0.0, 0.0}};
    const atemi_force hangs = {{0.0, 0.0, -5.0}, {0.0, 0.0, 0.0}};
    atemi_vec3        places[4], forces[4];
    for (int i = 0; i < 4; ++i) {
        places[i] = (atemi_vec3){i % 2 ? 1.0 : -1.0, i / 2 ? 1.0 : -1.0, 0.0};
    }
    CHECK(!atemi_distribute_unilateral(down, beside, up, places, 4, forces));
    CHECK(!atemi_distribute_least_unilateral(down, beside, up, places, 4, forces));
    CHECK(!atemi_distribute_least_unilateral(hangs, atemi_vec3_scale(0.0, up), up, places, 4,
                                             forces));
    places[0].z = places[2].z = 0.1;
    CHECK(!atemi_distribute_unilateral(down, beside, up, places, 4, forces));
    CHECK(atemi_distribute_least_unilateral(down, beside, up, places, 4, forces));
    check_same(sum_of(places, forces, 4, beside), down);
    CHECK(least_push(up, forces, 4) >= 0.0);
    CHECK_NEAR(forces[1].x + forces[3].x, -(forces[0].x + forces[2].x), 1e-11);
    CHECK(fabs(forces[0].x + forces[2].x) > 9.9);
}
