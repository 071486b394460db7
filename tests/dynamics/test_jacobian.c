// SPDX-License-Identifier: Apache-2.0

#include "atemi/kinematics.h"

#include "check.h"
#include "data.h"
#include "lagrange.h"
#include "random_tree.h"
#include "tree_rig.h"

enum { SEEDS = 3, MAX_J = 6 * TREE_MAX_V };

// A column is good to the rounding of a chain of up to 64 joints and about 20 m of reach.
static const double rounding = 1e-13;

static void multiply(const double *J, const double *v, int n, double *product)
{
    for (int row = 0; row < 6; ++row) {
        product[row] = 0.0;
        for (int k = 0; k < n; ++k) {
            product[row] += J[row * n + k] * v[k];
        }
    }
}

static void to_array(atemi_motion m, double *array)
{
    array[0] = m.linear.x;
    array[1] = m.linear.y;
    array[2] = m.linear.z;
    array[3] = m.angular.x;
    array[4] = m.angular.y;
    array[5] = m.angular.z;
}

TEST(jacobian, is_the_derivative_of_the_pose)
{
    for (int c = 0; c < TREE_CASES; ++c) {
        for (uint64_t seed = 1; seed <= SEEDS; ++seed) {
            tree_rig r;
            tree_rig_begin(&r, c, seed);
            const int     n = r.n, links = atemi_model_link_count(r.model);
            static double J[MAX_J], expected[MAX_J];
            atemi_update_kinematics(r.s, r.x.q, NULL, NULL);

            for (int link = 0; link < links; link += 1 + links / 4) {
                atemi_link_jacobian(r.s, link, J);
                lagrange_jacobian(r.model, r.x.q, link, expected);
                CHECK_NEAR(largest_difference(J, expected, 6 * n), 0.0,
                           rounding * (1.0 + largest_size(expected, 6 * n)));
            }
            tree_rig_end(&r);
        }
    }
}

// The oracle takes differences of differences. Rates grow with the speed of the chain.
TEST(jacobian, rate_is_its_change_along_the_motion)
{
    check_needs_long_double();
    for (int c = 0; c < TREE_CASES; ++c) {
        tree_rig r;
        tree_rig_begin(&r, c, 11);
        const int     n = r.n, links = atemi_model_link_count(r.model);
        static double rate[MAX_J], expected[MAX_J];
        atemi_update_kinematics(r.s, r.x.q, r.x.v, NULL);

        const int first = links > 32 ? links / 2 : links - 1; // the oracle takes its time
        for (int link = first; link >= 0; link -= 1 + links / 2) {
            atemi_link_jacobian_rate(r.s, link, rate);
            lagrange_jacobian_rate(r.model, r.x.q, r.x.v, link, expected);
            CHECK_NEAR(largest_difference(rate, expected, 6 * n), 0.0,
                       rounding * (1.0 + largest_size(expected, 6 * n)));
        }
        tree_rig_end(&r);
    }
}

TEST(jacobian, gives_the_links_velocity_and_with_its_rate_the_acceleration)
{
    for (int c = 0; c < TREE_CASES; ++c) {
        tree_rig r;
        tree_rig_begin(&r, c, 21);
        static double J[MAX_J], rate[MAX_J];
        double        velocity[6], pushed[6], swung[6], expected[6];
        atemi_update_kinematics(r.s, r.x.q, r.x.v, r.x.a);

        for (int link = 0; link < atemi_model_link_count(r.model); ++link) {
            atemi_link_jacobian(r.s, link, J);
            atemi_link_jacobian_rate(r.s, link, rate);
            multiply(J, r.x.v, r.n, velocity);
            multiply(J, r.x.a, r.n, pushed);
            multiply(rate, r.x.v, r.n, swung);
            for (int e = 0; e < 6; ++e) {
                pushed[e] += swung[e];
            }
            to_array(atemi_link_velocity(r.s, link), expected);
            CHECK_NEAR(largest_difference(velocity, expected, 6), 0.0,
                       rounding * (1.0 + largest_size(J, 6 * r.n) * r.n));
            to_array(atemi_link_acceleration(r.s, link), expected);
            CHECK_NEAR(largest_difference(pushed, expected, 6), 0.0,
                       rounding * (1.0 + largest_size(rate, 6 * r.n) * r.n));
        }
        tree_rig_end(&r);
    }
}
