// SPDX-License-Identifier: Apache-2.0

#include "atemi/model.h"

#include "check.h"
#include "data.h"
#include "random.h"
#include "random_tree.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

// ---- The oracle: 4 x 4 matrices in long double ------------------------------------------------

typedef long double real;

typedef struct pose4 {
    real of[4][4];
} pose4;

static pose4 multiply(const pose4 *a, const pose4 *b)
{
    pose4 c = {0};
    for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 4; ++j) {
            for (int k = 0; k < 4; ++k) {
                c.of[i][j] += a->of[i][k] * b->of[k][j];
            }
        }
    }
    return c;
}

static pose4 unit4(void)
{
    return (pose4){{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}};
}

// exp of the twist (u, w) by Taylor's series of the matrix ((w x, u), (0, 0)).
static pose4 exponential(const real *u, const real *w)
{
    const pose4 X = {{{0, -w[2], w[1], u[0]}, {w[2], 0, -w[0], u[1]}, {-w[1], w[0], 0, u[2]}}};
    pose4       sum = unit4(), term = unit4();
    for (int n = 1; n <= 80; ++n) {
        term = multiply(&term, &X);
        for (int i = 0; i < 4; ++i) {
            for (int j = 0; j < 4; ++j) {
                term.of[i][j] /= (real)n;
                sum.of[i][j] += term.of[i][j];
            }
        }
    }
    return sum;
}

static pose4 pose_of_floating(const double *q)
{
    const real n =
        sqrtl((real)q[3] * q[3] + (real)q[4] * q[4] + (real)q[5] * q[5] + (real)q[6] * q[6]);
    const real x = q[3] / n, y = q[4] / n, z = q[5] / n, w = q[6] / n;
    return (pose4){{{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y), q[0]},
                    {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x), q[1]},
                    {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y), q[2]},
                    {0, 0, 0, 1}}};
}

// x, y and a turn about z; or x, z and a turn about y, which takes z to x.
static pose4 pose_of_planar(const double *q, bool sagittal)
{
    const real  c = cosl(q[2]), s = sinl(q[2]);
    const pose4 flat = {{{c, -s, 0, q[0]}, {s, c, 0, q[1]}, {0, 0, 1, 0}, {0, 0, 0, 1}}};
    const pose4 upright = {{{c, 0, s, q[0]}, {0, 1, 0, 0}, {-s, 0, c, q[1]}, {0, 0, 0, 1}}};
    return sagittal ? upright : flat;
}

static double distance(const pose4 *a, const pose4 *b)
{
    real largest = 0;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 4; ++j) {
            const real d = fabsl(a->of[i][j] - b->of[i][j]);
            largest = d > largest || d != d ? d : largest;
        }
    }
    return (double)largest;
}

static atemi_model *body_on(atemi_base base)
{
    const atemi_inertia  body = {.mass = 1.0, .rotational = {.xx = 1.0, .yy = 1.0, .zz = 1.0}};
    atemi_model_builder *builder = tree_begin();
    tree_add_link(builder, "body", &body);
    return tree_finish(builder, base);
}

// ---- Following a velocity -------------------------------------------------------------------

// Over turns from 1e-9 rad, through 0.05 rad, where series take over, to almost two full ones. The
// result is good to a few roundings of its 3 m.
TEST(configuration, of_a_floating_body_follows_the_screw)
{
    check_needs_long_double();
    atemi_model  *model = body_on(ATEMI_BASE_FLOATING);
    random_stream stream = random_seeded(1);
    for (int i = 0; i < 2000; ++i) {
        const double size = i % 2 ? pow(10.0, random_uniform(&stream, -9.0, 1.0))
                                  : random_uniform(&stream, 0.04, 0.06);
        double       q[7], v[6], moved[7];
        atemi_configuration_random(model, (uint64_t)i, q);
        double w[3], length = 0.0;
        for (int k = 0; k < 3; ++k) {
            w[k] = random_uniform(&stream, -1.0, 1.0);
            length += w[k] * w[k];
        }
        for (int k = 0; k < 3; ++k) {
            v[k] = random_uniform(&stream, -4.0, 4.0);
            v[k + 3] = w[k] / sqrt(length) * size * 2.0;
        }
        atemi_configuration_integrate(model, q, v, 0.5, moved);

        const real  u[] = {v[0] / 2.0L, v[1] / 2.0L, v[2] / 2.0L};
        const real  turn[] = {v[3] / 2.0L, v[4] / 2.0L, v[5] / 2.0L};
        const pose4 start = pose_of_floating(q), screw = exponential(u, turn);
        const pose4 expected = multiply(&start, &screw), found = pose_of_floating(moved);
        CHECK_NEAR(distance(&found, &expected), 0.0, 4e-15);
        CHECK_NEAR(moved[3] * moved[3] + moved[4] * moved[4] + moved[5] * moved[5] +
                       moved[6] * moved[6],
                   1.0, 4e-16 * 2.0); // two units in the last place
    }
    atemi_model_destroy(model);
}

static void check_planar(atemi_base base)
{
    const bool    sagittal = base == ATEMI_BASE_SAGITTAL;
    atemi_model  *model = body_on(base);
    random_stream stream = random_seeded(2);
    for (int i = 0; i < 1000; ++i) {
        const double size = pow(10.0, random_uniform(&stream, -9.0, 0.8));
        double       q[3], moved[3];
        atemi_configuration_random(model, (uint64_t)i, q);
        const double v[] = {random_uniform(&stream, -4.0, 4.0), random_uniform(&stream, -4.0, 4.0),
                            i % 2 ? size : -size};
        atemi_configuration_integrate(model, q, v, 0.5, moved);

        const real  u[] = {v[0] / 2.0L, sagittal ? 0.0L : v[1] / 2.0L,
                          sagittal ? v[1] / 2.0L : 0.0L};
        const real  w[] = {0.0L, sagittal ? v[2] / 2.0L : 0.0L, sagittal ? 0.0L : v[2] / 2.0L};
        const pose4 start = pose_of_planar(q, sagittal), screw = exponential(u, w);
        const pose4 expected = multiply(&start, &screw), found = pose_of_planar(moved, sagittal);
        CHECK_NEAR(distance(&found, &expected), 0.0, 4e-15); // a few roundings of 3 m
        CHECK_NEAR(moved[2], q[2] + 0.5 * v[2], 0.0);        // turns are counted, not wrapped
    }
    atemi_model_destroy(model);
}

TEST(configuration, of_a_planar_base_follows_the_screw)
{
    check_planar(ATEMI_BASE_PLANAR);
}

TEST(configuration, of_a_sagittal_base_follows_the_screw)
{
    check_planar(ATEMI_BASE_SAGITTAL);
}

// A quarter circle of radius 1 to the left, in numbers.
TEST(configuration, of_a_planar_base_drives_circles)
{
    atemi_model *model = body_on(ATEMI_BASE_PLANAR);
    const double q[] = {0.0, 0.0, 0.0}, v[] = {pi / 2.0, 0.0, pi / 2.0};
    double       moved[3];
    atemi_configuration_integrate(model, q, v, 1.0, moved);
    CHECK_NEAR(moved[0], 1.0, 1e-15);
    CHECK_NEAR(moved[1], 1.0, 1e-15);
    atemi_model_destroy(model);

    // In the vertical plane the turn about y takes x to -z: the circle bends down.
    model = body_on(ATEMI_BASE_SAGITTAL);
    atemi_configuration_integrate(model, q, v, 1.0, moved);
    CHECK_NEAR(moved[0], 1.0, 1e-15);
    CHECK_NEAR(moved[1], -1.0, 1e-15);
    atemi_model_destroy(model);
}

// Rates of up to 2 for half a second stay within half a turn, where the way is unique. The way back
// divides by sines of half the turn, at worst of almost half a turn; q is good to 1e-15 of 10 m.
TEST(configuration, difference_undoes_integration)
{
    for (int c = 0; c < TREE_CASES; ++c) {
        const tree_options options = tree_case(c);
        atemi_model       *model = random_tree(&options, 3);
        const int          n = atemi_model_v_count(model);
        random_state       x;
        double             q[TREE_MAX_Q], v[TREE_MAX_V];
        random_state_fill(model, 3, &x);

        atemi_configuration_integrate(model, x.q, x.v, 0.5, q);
        atemi_configuration_difference(model, x.q, q, v);
        for (int i = 0; i < n; ++i) {
            CHECK_NEAR(v[i], 0.5 * x.v[i], 1e-14);
        }
        atemi_model_destroy(model);
    }
}

// Between any two configurations, half a turn apart at most: poses agree, quaternions up to sign.
TEST(configuration, integration_of_the_difference_arrives)
{
    for (uint64_t seed = 1; seed <= 200; ++seed) {
        atemi_model *model = body_on(ATEMI_BASE_FLOATING);
        double       from[7], to[7], v[6], arrived[7];
        atemi_configuration_random(model, seed, from);
        atemi_configuration_random(model, seed + 1000, to);
        atemi_configuration_difference(model, from, to, v);
        atemi_configuration_integrate(model, from, v, 1.0, arrived);

        const pose4 found = pose_of_floating(arrived), expected = pose_of_floating(to);
        CHECK_NEAR(distance(&found, &expected), 0.0, 1e-14); // roundings of a few metres
        CHECK(v[3] * v[3] + v[4] * v[4] + v[5] * v[5] <= pi * pi * (1.0 + 1e-15));
        atemi_model_destroy(model);
    }
}

// From 1e-9 rad to 0.06, where the series of the way back ends at 0.05.
TEST(configuration, difference_of_small_turns_keeps_its_digits)
{
    atemi_model  *model = body_on(ATEMI_BASE_FLOATING);
    random_stream stream = random_seeded(5);
    for (int i = 0; i < 500; ++i) {
        const double size = i % 2 ? pow(10.0, random_uniform(&stream, -9.0, -1.0))
                                  : random_uniform(&stream, 0.04, 0.06);
        const double at[] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0};
        const double v[] = {3.0, -2.0, 1.0, 0.48 * size, 0.6 * size, 0.64 * size};
        double       q[7], back[6];
        atemi_configuration_integrate(model, at, v, 1.0, q);
        atemi_configuration_difference(model, at, q, back);
        CHECK_NEAR(largest_difference(v, back, 6), 0.0, 2e-15); // roundings of 3 m/s
    }
    atemi_model_destroy(model);
}

TEST(configuration, difference_of_opposite_quaternions_is_no_way)
{
    atemi_model *model = body_on(ATEMI_BASE_FLOATING);
    double       q[7], opposite[7], v[6];
    atemi_configuration_random(model, 9, q);
    memcpy(opposite, q, sizeof q);
    for (int k = 3; k < 7; ++k) {
        opposite[k] = -q[k];
    }
    atemi_configuration_difference(model, q, opposite, v);
    CHECK_NEAR(largest_size(v, 6), 0.0, 1e-15);
    atemi_model_destroy(model);
}

TEST(configuration, difference_of_planar_turns_goes_the_short_way)
{
    atemi_model *model = body_on(ATEMI_BASE_PLANAR);
    const double from[] = {1.0, 2.0, 3.0}, to[] = {1.0, 2.0, -3.0};
    double       v[3];
    atemi_configuration_difference(model, from, to, v);
    CHECK_NEAR(v[2], 2.0 * pi - 6.0, 1e-15);
    CHECK_NEAR(v[0], 0.0, 0.0);
    atemi_model_destroy(model);
}

TEST(configuration, integration_may_write_over_its_input_and_normalizes)
{
    const tree_options options = tree_case(7);
    atemi_model       *model = random_tree(&options, 6);
    random_state       x;
    double             moved[TREE_MAX_Q];
    random_state_fill(model, 6, &x);
    for (int k = 3; k < 7; ++k) {
        x.q[k] *= 5.0;
    }
    atemi_configuration_integrate(model, x.q, x.v, 0.1, moved);
    atemi_configuration_integrate(model, x.q, x.v, 0.1, x.q);
    CHECK(memcmp(moved, x.q, sizeof(double) * (size_t)atemi_model_q_count(model)) == 0);
    CHECK_NEAR(sqrt(x.q[3] * x.q[3] + x.q[4] * x.q[4] + x.q[5] * x.q[5] + x.q[6] * x.q[6]), 1.0,
               4e-16);
    atemi_model_destroy(model);
}

TEST(configuration, normalization_touches_quaternions_alone)
{
    const tree_options options = tree_case(7);
    atemi_model       *model = random_tree(&options, 6);
    random_state       x, y;
    random_state_fill(model, 6, &x);
    y = x;
    for (int k = 3; k < 7; ++k) {
        y.q[k] *= 7.0;
    }
    atemi_configuration_normalize(model, y.q);
    CHECK_NEAR(largest_difference(x.q, y.q, atemi_model_q_count(model)), 0.0, 4e-16); // quaternions
    CHECK(memcmp(x.q, y.q, 3 * sizeof(double)) == 0);
    CHECK(memcmp(x.q + 7, y.q + 7, sizeof(double)) == 0);
    atemi_model_destroy(model);
}

// ---- Where a robot may stand ----------------------------------------------------------------

TEST(configuration, neutral_has_every_joint_at_zero_and_the_bases_upright)
{
    const tree_options options = tree_case(12);
    atemi_model       *model = random_tree(&options, 2);
    double             q[TREE_MAX_Q], expected[TREE_MAX_Q] = {0};
    atemi_configuration_neutral(model, q);
    expected[6] = 1.0;
    int floating = 0;
    for (int j = 0; j < atemi_model_joint_count(model); ++j) {
        const atemi_joint *joint = atemi_model_joint(model, j);
        if (joint->type == ATEMI_JOINT_FLOATING) {
            expected[joint->first_q + 6] = 1.0;
            ++floating;
        }
    }
    CHECK(floating > 0);
    CHECK(memcmp(q, expected, sizeof(double) * (size_t)atemi_model_q_count(model)) == 0);
    atemi_model_destroy(model);
}

TEST(configuration, random_is_within_the_limits_and_a_function_of_the_seed)
{
    const tree_options options = tree_case(12);
    atemi_model       *model = random_tree(&options, 2);
    const size_t       size = sizeof(double) * (size_t)atemi_model_q_count(model);
    double             q[TREE_MAX_Q], again[TREE_MAX_Q];
    for (uint64_t seed = 1; seed <= 100; ++seed) {
        atemi_configuration_random(model, seed, q);
        atemi_configuration_random(model, seed, again);
        CHECK(memcmp(q, again, size) == 0);
        atemi_configuration_random(model, seed + 1000, again);
        CHECK(memcmp(q, again, size) != 0);
        for (int k = 0; k < 3; ++k) {
            CHECK(fabs(q[k]) <= 1.0);
        }
        for (int j = 0; j < atemi_model_joint_count(model); ++j) {
            const atemi_joint *joint = atemi_model_joint(model, j);
            if (joint->q_count == 1) {
                const double at = q[joint->first_q];
                CHECK(at >= joint->limits.lower && at <= joint->limits.upper && fabs(at) <= pi);
            }
            if (joint->q_count == 3) {
                CHECK(fabs(q[joint->first_q + 2]) <= pi);
            }
        }
    }
    atemi_model_destroy(model);
}

// SplitMix64 [Steele14] from 0 gives, as printed with its reference code, e220a8397b1dcdaf,
// 6e789e6aa1b965f4, 06c45d188009454f: the same configuration on every machine.
TEST(configuration, random_is_made_from_the_published_sequence)
{
    static const uint64_t published[] = {0xe220a8397b1dcdafu, 0x6e789e6aa1b965f4u,
                                         0x06c45d188009454fu};
    atemi_model          *model = body_on(ATEMI_BASE_PLANAR);
    double                q[3];
    atemi_configuration_random(model, 0, q);
    for (int i = 0; i < 3; ++i) {
        const double unit = ldexp((double)(published[i] >> 11), -53);
        const double size = i < 2 ? 1.0 : pi;
        CHECK_NEAR(q[i], (2.0 * unit - 1.0) * size, 1e-15); // the order of two roundings
    }
    atemi_model_destroy(model);
}

// Uniform orientations: the mean of x_i x_j over the sphere of quaternions is 1/4 on the diagonal
// and zero beside it, with standard deviations below 0.2 / sqrt(count). Limits 2 to 5: a mean
// of 3.5.
TEST(configuration, random_is_uniform)
{
    const int            count = 20000;
    const atemi_inertia  body = {.mass = 1.0, .rotational = {.xx = 1.0, .yy = 1.0, .zz = 1.0}};
    atemi_model_builder *builder = tree_begin();
    tree_add_link(builder, "body", &body);
    tree_add_link(builder, "arm", &body);
    atemi_joint_description joint = atemi_joint_description_default();
    joint.name = "joint";
    joint.type = ATEMI_JOINT_REVOLUTE;
    joint.parent = "body";
    joint.child = "arm";
    joint.limits.lower = 2.0;
    joint.limits.upper = 5.0;
    CHECK_STATUS(atemi_model_builder_add_joint(builder, &joint, NULL), ATEMI_OK);
    atemi_model *model = tree_finish(builder, ATEMI_BASE_FLOATING);
    double       moments[4][4] = {{0}}, mean[4] = {0};
    for (uint64_t seed = 0; seed < (uint64_t)count; ++seed) {
        double q[8];
        atemi_configuration_random(model, seed, q);
        for (int i = 0; i < 4; ++i) {
            for (int j = 0; j < 4; ++j) {
                moments[i][j] += q[3 + i] * q[3 + j] / count;
            }
        }
        for (int i = 0; i < 3; ++i) {
            mean[i] += q[i] / count;
        }
        mean[3] += q[7] / count;
    }
    for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 4; ++j) {
            CHECK_NEAR(moments[i][j], i == j ? 0.25 : 0.0, 5.0 * 0.2 / sqrt(count));
        }
    }
    for (int i = 0; i < 3; ++i) {
        CHECK_NEAR(mean[i], 0.0, 5.0 * 0.6 / sqrt(count));
    }
    CHECK_NEAR(mean[3], 3.5, 5.0 * 0.9 / sqrt(count));
    atemi_model_destroy(model);
}

// With one limit beyond +-pi and none on the other side, +-pi used to stand in for the missing one,
// and the configuration was outside of the one there was.
TEST(configuration, random_keeps_a_limit_that_stands_alone)
{
    const double         limits[][2] = {{5.0, INFINITY}, {-INFINITY, -5.0}, {-INFINITY, 0.5}};
    const atemi_inertia  body = {.mass = 1.0, .rotational = {.xx = 1.0, .yy = 1.0, .zz = 1.0}};
    const char          *names[] = {"link0", "link1", "link2", "link3"};
    atemi_model_builder *builder = tree_begin();
    tree_add_link(builder, names[0], &body);
    for (int i = 0; i < 3; ++i) {
        atemi_joint_description joint = atemi_joint_description_default();
        joint.name = names[i + 1];
        joint.type = ATEMI_JOINT_PRISMATIC;
        joint.parent = names[i];
        joint.child = names[i + 1];
        joint.limits.lower = limits[i][0];
        joint.limits.upper = limits[i][1];
        tree_add_link(builder, names[i + 1], &body);
        CHECK_STATUS(atemi_model_builder_add_joint(builder, &joint, NULL), ATEMI_OK);
    }
    atemi_model *model = tree_finish(builder, ATEMI_BASE_FIXED);
    for (uint64_t seed = 0; seed < 100; ++seed) {
        double q[3];
        atemi_configuration_random(model, seed, q);
        for (int i = 0; i < 3; ++i) {
            CHECK(isfinite(q[i]) && q[i] >= limits[i][0] && q[i] <= limits[i][1]);
        }
    }
    atemi_model_destroy(model);
}

// ---- Contracts ------------------------------------------------------------------------------

TEST(configuration, of_a_robot_without_coordinates_needs_no_arrays)
{
    atemi_model *model = body_on(ATEMI_BASE_FIXED);
    atemi_configuration_neutral(model, NULL);
    atemi_configuration_random(model, 1, NULL);
    atemi_configuration_integrate(model, NULL, NULL, 1.0, NULL);
    atemi_configuration_difference(model, NULL, NULL, NULL);
    atemi_configuration_normalize(model, NULL);
    atemi_model_destroy(model);
}

TEST(configuration, requires_its_arrays)
{
    atemi_model *model = body_on(ATEMI_BASE_PLANAR);
    double       q[3] = {0}, v[3] = {0}, r[3];
    CHECK_BREAKS_CONTRACT(atemi_configuration_neutral(model, NULL));
    CHECK_BREAKS_CONTRACT(atemi_configuration_neutral(NULL, q));
    CHECK_BREAKS_CONTRACT(atemi_configuration_random(model, 1, NULL));
    CHECK_BREAKS_CONTRACT(atemi_configuration_integrate(model, NULL, v, 1.0, r));
    CHECK_BREAKS_CONTRACT(atemi_configuration_integrate(model, q, NULL, 1.0, r));
    CHECK_BREAKS_CONTRACT(atemi_configuration_integrate(model, q, v, 1.0, NULL));
    CHECK_BREAKS_CONTRACT(atemi_configuration_difference(model, q, NULL, v));
    CHECK_BREAKS_CONTRACT(atemi_configuration_difference(NULL, q, q, v));
    CHECK_BREAKS_CONTRACT(atemi_configuration_normalize(model, NULL));
    atemi_model_destroy(model);
}

// q(t) along the constant velocity v has the derivative `rate` at t = 0; central differences.
TEST(configuration, changes_at_its_rate)
{
    for (int base = 0; base < 4; ++base) {
        tree_options options = tree_options_default();
        options.base = (atemi_base)base;
        options.multi = true;
        atemi_model *model = random_tree(&options, 21 + (uint64_t)base);
        random_state x;
        double       rate[TREE_MAX_Q], ahead[TREE_MAX_Q], behind[TREE_MAX_Q];
        const double h = 1e-5;
        random_state_fill(model, 3, &x);
        atemi_configuration_rate(model, x.q, x.v, rate);
        atemi_configuration_integrate(model, x.q, x.v, h, ahead);
        atemi_configuration_integrate(model, x.q, x.v, -h, behind);
        for (int i = 0; i < atemi_model_q_count(model); ++i) {
            CHECK_NEAR((ahead[i] - behind[i]) / (2.0 * h), rate[i], 1e-8); // h^2 times |v|^3
        }
        atemi_model_destroy(model);
    }
}
