// SPDX-License-Identifier: Apache-2.0

#include "atemi/math.h"
#include "check.h"
#include "near_vec3.h"
#include "random.h"

#include <string.h>

static const double pi = 3.14159265358979323846;

static atemi_vec3 random_vec3(random_stream *stream)
{
    const double     x = random_uniform(stream, -2.0, 2.0);
    const double     y = random_uniform(stream, -2.0, 2.0);
    const atemi_vec3 v = {x, y, random_uniform(stream, -2.0, 2.0)};
    return v;
}

static atemi_mat3 random_mat3(random_stream *stream)
{
    const atemi_vec3 x = random_vec3(stream);
    const atemi_vec3 y = random_vec3(stream);
    const atemi_mat3 A = {x, y, random_vec3(stream)};
    return A;
}

// Row i, column j, for oracles that are written in indices.
static double element(const atemi_mat3 *A, int i, int j)
{
    const atemi_vec3 column = j == 0 ? A->x : j == 1 ? A->y : A->z;
    return i == 0 ? column.x : i == 1 ? column.y : column.z;
}

static double component(atemi_vec3 v, int i)
{
    return i == 0 ? v.x : i == 1 ? v.y : v.z;
}

static double determinant(const atemi_mat3 *A)
{
    return atemi_vec3_dot(A->x, atemi_vec3_cross(A->y, A->z));
}

static void check_rotation(const atemi_mat3 *R, double tolerance)
{
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            double product = 0.0;
            for (int k = 0; k < 3; ++k) {
                product += element(R, k, i) * element(R, k, j);
            }
            CHECK_NEAR(product, i == j ? 1.0 : 0.0, tolerance);
        }
    }
    CHECK_NEAR(determinant(R), 1.0, tolerance);
}

// The smallest turn from z to the axis has cosine a_z, and its own axis lies in the plane z = 0.
static void check_turn_to(atemi_vec3 axis)
{
    const atemi_mat3 R = atemi_mat3_with_z(axis);
    check_rotation(&R, 2e-15);
    check_near_vec3(R.z, axis, 0.0);
    CHECK_NEAR(R.x.x + R.y.y + R.z.z, 1.0 + 2.0 * axis.z, 2e-15);
    CHECK_NEAR(R.x.y - R.y.x, 0.0, 0.0);
}

static atemi_vec3 lower_axis(double x, double y)
{
    const atemi_vec3 axis = {x, y, -sqrt(1.0 - x * x - y * y)};
    return axis;
}

TEST(vec3, sums_differences_and_multiples_are_by_component)
{
    const atemi_vec3 a = {1.0, 2.0, 3.0}, b = {10.0, 30.0, 50.0};
    const atemi_vec3 sum = {11.0, 32.0, 53.0}, difference = {9.0, 28.0, 47.0};
    const atemi_vec3 twice = {2.0, 4.0, 6.0};
    check_near_vec3(atemi_vec3_add(a, b), sum, 0.0);
    check_near_vec3(atemi_vec3_sub(b, a), difference, 0.0);
    check_near_vec3(atemi_vec3_scale(2.0, a), twice, 0.0);
    CHECK_NEAR(atemi_vec3_dot(a, b), 220.0, 0.0);
    CHECK_NEAR(atemi_vec3_norm((atemi_vec3){2.0, 3.0, 6.0}), 7.0, 0.0);
}

TEST(vec3, cross_product_of_the_axes_is_right_handed)
{
    const atemi_mat3 e = atemi_mat3_identity();
    check_near_vec3(atemi_vec3_cross(e.x, e.y), e.z, 0.0);
    check_near_vec3(atemi_vec3_cross(e.y, e.z), e.x, 0.0);
    check_near_vec3(atemi_vec3_cross(e.z, e.x), e.y, 0.0);
}

// a x (b x c) = b (a.c) - c (a.b) fixes the cross product up to sign.
TEST(vec3, cross_product_satisfies_lagranges_identity)
{
    for (uint64_t seed = 1; seed <= 20; ++seed) {
        random_stream    stream = random_seeded(seed);
        const atemi_vec3 a = random_vec3(&stream), b = random_vec3(&stream);
        const atemi_vec3 c = random_vec3(&stream);
        const atemi_vec3 expected = atemi_vec3_sub(atemi_vec3_scale(atemi_vec3_dot(a, c), b),
                                                   atemi_vec3_scale(atemi_vec3_dot(a, b), c));
        check_near_vec3(atemi_vec3_cross(a, atemi_vec3_cross(b, c)), expected, 1e-13);
    }
}

TEST(mat3, products_follow_the_rule_row_times_column)
{
    for (uint64_t seed = 1; seed <= 20; ++seed) {
        random_stream    stream = random_seeded(seed);
        const atemi_mat3 A = random_mat3(&stream), B = random_mat3(&stream);
        const atemi_vec3 b = random_vec3(&stream);

        const atemi_mat3 AB = atemi_mat3_multiply(&A, &B), At = atemi_mat3_transposed(&A);
        const atemi_vec3 Ab = atemi_mat3_apply(&A, b);
        const atemi_vec3 Atb = atemi_mat3_apply_transposed(&A, b);
        for (int i = 0; i < 3; ++i) {
            double vector = 0.0, transposed = 0.0;
            for (int k = 0; k < 3; ++k) {
                vector += element(&A, i, k) * component(b, k);
                transposed += element(&A, k, i) * component(b, k);
            }
            CHECK_NEAR(component(Ab, i), vector, 1e-14);
            CHECK_NEAR(component(Atb, i), transposed, 1e-14);
            for (int j = 0; j < 3; ++j) {
                double matrix = 0.0;
                for (int k = 0; k < 3; ++k) {
                    matrix += element(&A, i, k) * element(&B, k, j);
                }
                CHECK_NEAR(element(&AB, i, j), matrix, 1e-14);
                CHECK_NEAR(element(&At, i, j), element(&A, j, i), 0.0);
            }
        }
    }
}

TEST(rpy, quarter_turns_permute_the_axes)
{
    const atemi_mat3 e = atemi_mat3_identity();
    const atemi_mat3 roll = atemi_mat3_from_rpy(pi / 2.0, 0.0, 0.0);
    const atemi_mat3 pitch = atemi_mat3_from_rpy(0.0, pi / 2.0, 0.0);
    const atemi_mat3 yaw = atemi_mat3_from_rpy(0.0, 0.0, pi / 2.0);
    check_near_vec3(roll.y, e.z, 1e-15);
    check_near_vec3(pitch.z, e.x, 1e-15);
    check_near_vec3(yaw.x, e.y, 1e-15);
}

TEST(rpy, turns_about_the_fixed_axes_x_then_y_then_z)
{
    for (uint64_t seed = 1; seed <= 50; ++seed) {
        random_stream    stream = random_seeded(seed);
        const double     roll = random_uniform(&stream, -pi, pi);
        const double     pitch = random_uniform(&stream, -pi, pi);
        const double     yaw = random_uniform(&stream, -pi, pi);
        const double     cr = cos(roll), sr = sin(roll), cp = cos(pitch), sp = sin(pitch);
        const double     cy = cos(yaw), sy = sin(yaw);
        const atemi_mat3 X = {{1.0, 0.0, 0.0}, {0.0, cr, sr}, {0.0, -sr, cr}};
        const atemi_mat3 Y = {{cp, 0.0, -sp}, {0.0, 1.0, 0.0}, {sp, 0.0, cp}};
        const atemi_mat3 Z = {{cy, sy, 0.0}, {-sy, cy, 0.0}, {0.0, 0.0, 1.0}};
        const atemi_mat3 ZY = atemi_mat3_multiply(&Z, &Y), ZYX = atemi_mat3_multiply(&ZY, &X);
        const atemi_mat3 R = atemi_mat3_from_rpy(roll, pitch, yaw);
        check_near_vec3(R.x, ZYX.x, 1e-15);
        check_near_vec3(R.y, ZYX.y, 1e-15);
        check_near_vec3(R.z, ZYX.z, 1e-15);
    }
}

TEST(rotation_with_z, is_exactly_the_identity_for_z)
{
    const atemi_mat3 one = atemi_mat3_identity();
    const atemi_mat3 R = atemi_mat3_with_z(one.z);
    CHECK_EQUAL_INT(memcmp(&R, &one, sizeof R), 0);
}

TEST(rotation_with_z, is_the_smallest_turn)
{
    for (uint64_t seed = 1; seed <= 200; ++seed) {
        random_stream    stream = random_seeded(seed);
        const atemi_vec3 v = random_vec3(&stream);
        check_turn_to(atemi_vec3_scale(1.0 / atemi_vec3_norm(v), v));
    }
}

TEST(rotation_with_z, keeps_its_precision_near_minus_z)
{
    for (double size = 0.5; size > 1e-320; size *= 0.1) {
        check_turn_to(lower_axis(size, 0.0));
        check_turn_to(lower_axis(0.3 * size, -0.9 * size));
        check_turn_to(lower_axis(0.0, size));
    }
}

TEST(rotation_with_z, is_a_half_turn_for_minus_z)
{
    check_turn_to((atemi_vec3){0.0, 0.0, -1.0});
    check_turn_to((atemi_vec3){-0.0, -0.0, -1.0});
}

TEST(rotation_with_z, refuses_what_is_not_a_direction)
{
    CHECK_BREAKS_CONTRACT(atemi_mat3_with_z((atemi_vec3){0.0, 0.0, 0.0}));
    CHECK_BREAKS_CONTRACT(atemi_mat3_with_z((atemi_vec3){1.0, 1.0, 0.0}));
    CHECK_BREAKS_CONTRACT(atemi_mat3_with_z((atemi_vec3){0.0, nan(""), 1.0}));
}
