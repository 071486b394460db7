// SPDX-License-Identifier: Apache-2.0

#include "atemi/kinematics.h"

#include "check.h"
#include "lagrange.h"
#include "random_tree.h"
#include "scratch.h"

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
            const tree_options options = tree_case(c);
            atemi_model       *model = random_tree(&options, seed);
            const int     n = atemi_model_v_count(model), links = atemi_model_link_count(model);
            scratch       s = scratch_create(model);
            random_state  x;
            static double J[MAX_J], expected[MAX_J];
            random_state_fill(model, seed, &x);
            atemi_kinematics_update(model, x.q, NULL, NULL, &s.kinematics);

            for (int link = 0; link < links; link += 1 + links / 4) {
                atemi_link_jacobian(model, &s.kinematics, link, J);
                lagrange_jacobian(model, x.q, link, expected);
                CHECK_NEAR(largest_difference(J, expected, 6 * n), 0.0,
                           rounding * (1.0 + largest_size(expected, 6 * n)));
            }
            scratch_destroy(&s);
            atemi_model_destroy(model);
        }
    }
}

// The oracle takes differences of differences. Rates grow with the speed of the chain.
TEST(jacobian, rate_is_its_change_along_the_motion)
{
    for (int c = 0; c < TREE_CASES; ++c) {
        const tree_options options = tree_case(c);
        atemi_model       *model = random_tree(&options, 11);
        const int          n = atemi_model_v_count(model), links = atemi_model_link_count(model);
        scratch            s = scratch_create(model);
        random_state       x;
        static double      rate[MAX_J], expected[MAX_J];
        random_state_fill(model, 11, &x);
        atemi_kinematics_update(model, x.q, x.v, NULL, &s.kinematics);

        const int first = links > 32 ? links / 2 : links - 1; // the oracle takes its time
        for (int link = first; link >= 0; link -= 1 + links / 2) {
            atemi_link_jacobian_rate(model, &s.kinematics, link, rate);
            lagrange_jacobian_rate(model, x.q, x.v, link, expected);
            CHECK_NEAR(largest_difference(rate, expected, 6 * n), 0.0,
                       rounding * (1.0 + largest_size(expected, 6 * n)));
        }
        scratch_destroy(&s);
        atemi_model_destroy(model);
    }
}

TEST(jacobian, gives_the_links_velocity_and_with_its_rate_the_acceleration)
{
    for (int c = 0; c < TREE_CASES; ++c) {
        const tree_options options = tree_case(c);
        atemi_model       *model = random_tree(&options, 21);
        const int          n = atemi_model_v_count(model);
        scratch            s = scratch_create(model);
        random_state       x;
        static double      J[MAX_J], rate[MAX_J];
        double             velocity[6], pushed[6], swung[6], expected[6];
        random_state_fill(model, 21, &x);
        atemi_kinematics_update(model, x.q, x.v, x.a, &s.kinematics);

        for (int link = 0; link < atemi_model_link_count(model); ++link) {
            atemi_link_jacobian(model, &s.kinematics, link, J);
            atemi_link_jacobian_rate(model, &s.kinematics, link, rate);
            multiply(J, x.v, n, velocity);
            multiply(J, x.a, n, pushed);
            multiply(rate, x.v, n, swung);
            for (int e = 0; e < 6; ++e) {
                pushed[e] += swung[e];
            }
            to_array(atemi_link_velocity(model, &s.kinematics, link), expected);
            CHECK_NEAR(largest_difference(velocity, expected, 6), 0.0,
                       rounding * (1.0 + largest_size(J, 6 * n) * n));
            to_array(atemi_link_acceleration(model, &s.kinematics, link), expected);
            CHECK_NEAR(largest_difference(pushed, expected, 6), 0.0,
                       rounding * (1.0 + largest_size(rate, 6 * n) * n));
        }
        scratch_destroy(&s);
        atemi_model_destroy(model);
    }
}
