// SPDX-License-Identifier: Apache-2.0

#include "atemi/math.h"
#include "check.h"
#include "near_vec3.h"
#include "random.h"

#include <float.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

static atemi_vec3 random_direction(random_stream *stream)
{
    atemi_vec3 v;
    do {
        v.x = random_uniform(stream, -1.0, 1.0);
        v.y = random_uniform(stream, -1.0, 1.0);
        v.z = random_uniform(stream, -1.0, 1.0);
    } while (atemi_vec3_norm(v) > 1.0 || atemi_vec3_norm(v) < 0.1);
    return atemi_vec3_scale(1.0 / atemi_vec3_norm(v), v);
}

static atemi_quaternion random_quaternion(random_stream *stream)
{
    const double     angle = random_uniform(stream, 0.0, 2.0 * pi);
    const atemi_vec3 u = random_direction(stream);
    const double     s = sin(0.5 * angle);
    return (atemi_quaternion){s * u.x, s * u.y, s * u.z, cos(0.5 * angle)};
}

static double length_of(atemi_quaternion q)
{
    const long double x = (long double)q.x, y = (long double)q.y;
    const long double z = (long double)q.z, w = (long double)q.w;
    return (double)sqrtl(x * x + y * y + z * z + w * w);
}

static void check_near_mat3(const atemi_mat3 *actual, const atemi_mat3 *expected, double tolerance)
{
    check_near_vec3(actual->x, expected->x, tolerance);
    check_near_vec3(actual->y, expected->y, tolerance);
    check_near_vec3(actual->z, expected->z, tolerance);
}

static void check_near_quaternion(atemi_quaternion actual, atemi_quaternion expected,
                                  double tolerance)
{
    CHECK_NEAR(actual.x, expected.x, tolerance);
    CHECK_NEAR(actual.y, expected.y, tolerance);
    CHECK_NEAR(actual.z, expected.z, tolerance);
    CHECK_NEAR(actual.w, expected.w, tolerance);
}

// exp([r]) by its Taylor series in long double: sum_k [r]^k / k!, applied to a vector.
static atemi_vec3 turned_by_series(atemi_vec3 rotation, atemi_vec3 v)
{
    const long double r[3] = {(long double)rotation.x, (long double)rotation.y,
                              (long double)rotation.z};
    long double       term[3] = {(long double)v.x, (long double)v.y, (long double)v.z};
    long double       sum[3] = {term[0], term[1], term[2]};
    for (int k = 1; k <= 80; ++k) {
        const long double last[3] = {term[0], term[1], term[2]};
        for (int i = 0; i < 3; ++i) {
            const int j = (i + 1) % 3, l = (i + 2) % 3;
            term[i] = (r[j] * last[l] - r[l] * last[j]) / k;
            sum[i] += term[i];
        }
    }
    return (atemi_vec3){(double)sum[0], (double)sum[1], (double)sum[2]};
}

static atemi_mat3 matrix_by_series(atemi_vec3 r)
{
    const atemi_mat3 e = atemi_mat3_identity();
    return (atemi_mat3){turned_by_series(r, e.x), turned_by_series(r, e.y),
                        turned_by_series(r, e.z)};
}

TEST(product, of_i_and_j_is_k)
{
    const atemi_quaternion i = {1.0, 0.0, 0.0, 0.0}, j = {0.0, 1.0, 0.0, 0.0};
    const atemi_quaternion k = {0.0, 0.0, 1.0, 0.0}, one = {0.0, 0.0, 0.0, 1.0};
    const atemi_quaternion minus_one = {0.0, 0.0, 0.0, -1.0};
    check_near_quaternion(atemi_quaternion_multiply(i, j), k, 0.0);
    check_near_quaternion(atemi_quaternion_multiply(j, k), i, 0.0);
    check_near_quaternion(atemi_quaternion_multiply(k, i), j, 0.0);
    check_near_quaternion(atemi_quaternion_multiply(k, k), minus_one, 0.0);
    check_near_quaternion(atemi_quaternion_multiply(one, k), k, 0.0);
}

TEST(product, turns_like_the_product_of_the_matrices)
{
    for (uint64_t seed = 1; seed <= 50; ++seed) {
        random_stream          stream = random_seeded(seed);
        const atemi_quaternion a = random_quaternion(&stream), b = random_quaternion(&stream);

        const atemi_mat3 A = atemi_quaternion_matrix(a), B = atemi_quaternion_matrix(b);
        const atemi_mat3 AB = atemi_mat3_multiply(&A, &B);
        const atemi_mat3 product = atemi_quaternion_matrix(atemi_quaternion_multiply(a, b));
        check_near_mat3(&product, &AB, 1e-14);
    }
}

TEST(normalized, has_length_one_and_the_same_direction)
{
    const double scales[] = {5e-324, 1e-310, 1e-200, 1e-3, 1.0, 7.0, 1e200, 1e308};
    for (size_t i = 0; i < sizeof scales / sizeof scales[0]; ++i) {
        const double           s = scales[i];
        const atemi_quaternion q = {0.0 * s, s, -s, s};
        const atemi_quaternion expected = {0.0, sqrt(1.0 / 3.0), -sqrt(1.0 / 3.0), sqrt(1.0 / 3.0)};
        check_near_quaternion(atemi_quaternion_normalized(q), expected, 2e-16);
    }
    const atemi_quaternion q = {1.0, -2.0, 4.0, 10.0};
    const atemi_quaternion expected = {1.0 / 11.0, -2.0 / 11.0, 4.0 / 11.0, 10.0 / 11.0};
    check_near_quaternion(atemi_quaternion_normalized(q), expected, 2e-16);
}

TEST(normalized, keeps_the_sign_of_a_single_component)
{
    const atemi_quaternion x = {-3.0, 0.0, 0.0, 0.0}, y = {0.0, -3.0, 0.0, 0.0};
    const atemi_quaternion z = {0.0, 0.0, -3.0, 0.0}, w = {0.0, 0.0, 0.0, -3.0};
    CHECK_NEAR(atemi_quaternion_normalized(x).x, -1.0, 0.0);
    CHECK_NEAR(atemi_quaternion_normalized(y).y, -1.0, 0.0);
    CHECK_NEAR(atemi_quaternion_normalized(z).z, -1.0, 0.0);
    CHECK_NEAR(atemi_quaternion_normalized(w).w, -1.0, 0.0);
}

TEST(normalized, of_zero_is_the_identity)
{
    const atemi_quaternion zero = {0.0, -0.0, 0.0, 0.0}, one = {0.0, 0.0, 0.0, 1.0};
    check_near_quaternion(atemi_quaternion_normalized(zero), one, 0.0);
}

TEST(exponential, is_the_matrix_exponential)
{
    check_needs_long_double();
    for (uint64_t seed = 1; seed <= 100; ++seed) {
        random_stream          stream = random_seeded(seed);
        const double           angle = random_uniform(&stream, 0.0, 8.0);
        const atemi_vec3       r = atemi_vec3_scale(angle, random_direction(&stream));
        const atemi_quaternion q = atemi_quaternion_exp(r);
        const atemi_mat3       R = atemi_quaternion_matrix(q), expected = matrix_by_series(r);
        check_near_mat3(&R, &expected, 4e-15);
        CHECK_NEAR(length_of(q), 1.0, 4e-16);
    }
}

TEST(exponential, of_a_full_turn_changes_the_sign)
{
    const atemi_quaternion expected = {0.0, 0.0, 0.0, -1.0};
    check_near_quaternion(atemi_quaternion_exp((atemi_vec3){0.0, 2.0 * pi, 0.0}), expected, 2e-16);
}

// The vector part is r/2 (1 - t^2/24 + ...): for t < 1e-8 the bracket rounds to one.
TEST(exponential, of_a_tiny_rotation_keeps_all_digits)
{
    for (double t = 1e-9; t > 1e-307; t *= 1e-3) {
        const atemi_quaternion q = atemi_quaternion_exp((atemi_vec3){t, -2.0 * t, 3.0 * t});
        CHECK_NEAR(q.x, 0.5 * t, DBL_EPSILON * t);
        CHECK_NEAR(q.y, -t, 2.0 * DBL_EPSILON * t);
        CHECK_NEAR(q.z, 1.5 * t, 3.0 * DBL_EPSILON * t);
        CHECK_NEAR(q.w, 1.0, 0.0);
    }
    const atemi_quaternion one = {0.0, 0.0, 0.0, 1.0};
    check_near_quaternion(atemi_quaternion_exp((atemi_vec3){0.0, 0.0, 0.0}), one, 0.0);
}

TEST(logarithm, undoes_the_exponential)
{
    for (uint64_t seed = 1; seed <= 100; ++seed) {
        random_stream    stream = random_seeded(seed);
        const double     angle = random_uniform(&stream, 0.0, pi);
        const atemi_vec3 r = atemi_vec3_scale(angle, random_direction(&stream));
        check_near_vec3(atemi_quaternion_log(atemi_quaternion_exp(r)), r, 2e-15);
    }
}

TEST(logarithm, of_a_tiny_turn_keeps_all_digits)
{
    for (double t = 1e-9; t > 1e-307; t *= 1e-3) {
        const atemi_quaternion q = {0.5 * t, -t, 1.5 * t, 1.0};
        const atemi_vec3       r = atemi_quaternion_log(q);
        CHECK_NEAR(r.x, t, 3.0 * DBL_EPSILON * t);
        CHECK_NEAR(r.y, -2.0 * t, 6.0 * DBL_EPSILON * t);
        CHECK_NEAR(r.z, 3.0 * t, 9.0 * DBL_EPSILON * t);
    }
    check_near_vec3(atemi_quaternion_log((atemi_quaternion){0.0, 0.0, 0.0, 1.0}),
                    (atemi_vec3){0.0, 0.0, 0.0}, 0.0);
}

// acos(w) would lose half of the digits here.
TEST(logarithm, is_precise_next_to_a_half_turn)
{
    const atemi_vec3 u = {2.0 / 7.0, -3.0 / 7.0, 6.0 / 7.0};
    for (double gap = 0.1; gap > 1e-18; gap *= 0.1) {
        const double           c = sin(0.5 * gap), s = cos(0.5 * gap); // of (pi - gap) / 2
        const atemi_quaternion below = {s * u.x, s * u.y, s * u.z, c};
        const atemi_quaternion above = {s * u.x, s * u.y, s * u.z, -c};
        check_near_vec3(atemi_quaternion_log(below), atemi_vec3_scale(pi - gap, u), 1e-15);
        check_near_vec3(atemi_quaternion_log(above), atemi_vec3_scale(gap - pi, u), 1e-15);
    }
    const atemi_quaternion half = {u.x, u.y, u.z, 0.0};
    check_near_vec3(atemi_quaternion_log(half), atemi_vec3_scale(pi, u), 1e-15);
}

TEST(logarithm, is_the_same_for_both_quaternions_of_a_turn)
{
    for (uint64_t seed = 1; seed <= 20; ++seed) {
        random_stream          stream = random_seeded(seed);
        const atemi_quaternion q = random_quaternion(&stream);
        const atemi_quaternion opposite = {-q.x, -q.y, -q.z, -q.w};
        const atemi_vec3       r = atemi_quaternion_log(q);
        check_near_vec3(atemi_quaternion_log(opposite), r, 0.0);
        CHECK(atemi_vec3_norm(r) <= pi * (1.0 + 2.0 * DBL_EPSILON));
    }
}

TEST(matrix, of_a_quarter_turn_about_z_takes_x_to_y)
{
    const atemi_mat3 R = atemi_quaternion_matrix((atemi_quaternion){0.0, 0.0, 1.0, 1.0});
    const atemi_mat3 expected = {{0.0, 1.0, 0.0}, {-1.0, 0.0, 0.0}, {0.0, 0.0, 1.0}};
    check_near_mat3(&R, &expected, 1e-15);
}

TEST(matrix, is_orthogonal_for_quaternions_of_any_length)
{
    const double scales[] = {1e-300, 1e-155, 1e-130, 0.9, 1.0, 3.0, 1e139, 1e150, 1e300};
    for (size_t i = 0; i < sizeof scales / sizeof scales[0]; ++i) {
        const double           s = scales[i];
        const atemi_quaternion q = {2.0 * s, -s, 4.0 * s, 2.0 * s}; // of length 5 s
        const atemi_mat3       R = atemi_quaternion_matrix(q);
        const atemi_mat3       expected = {{-9.0 / 25.0, 12.0 / 25.0, 20.0 / 25.0},
                                           {-20.0 / 25.0, -15.0 / 25.0, 0.0 / 25.0},
                                           {12.0 / 25.0, -16.0 / 25.0, 15.0 / 25.0}};
        check_near_mat3(&R, &expected, 5e-16);
    }
}

TEST(matrix, of_the_zero_quaternion_is_the_identity)
{
    const atemi_mat3 one = atemi_mat3_identity();
    const atemi_mat3 R = atemi_quaternion_matrix((atemi_quaternion){0.0, 0.0, 0.0, 0.0});
    check_near_mat3(&R, &one, 0.0);
}

TEST(from_matrix, undoes_matrix_with_w_not_negative)
{
    for (uint64_t seed = 1; seed <= 500; ++seed) {
        random_stream          stream = random_seeded(seed);
        const atemi_quaternion q = random_quaternion(&stream);
        const double           sign = q.w < 0.0 ? -1.0 : 1.0;
        const atemi_quaternion expected = {sign * q.x, sign * q.y, sign * q.z, sign * q.w};
        const atemi_mat3       R = atemi_quaternion_matrix(q);
        check_near_quaternion(atemi_quaternion_from_matrix(&R), expected, 1e-15);
    }
}

// At a half turn w is lost in rounding, and the largest component must carry the others.
TEST(from_matrix, is_precise_at_half_turns)
{
    for (uint64_t seed = 1; seed <= 200; ++seed) {
        random_stream    stream = random_seeded(seed);
        const atemi_vec3 u = random_direction(&stream);
        const double     w = random_uniform(&stream, 0.0, 1e-8);
        const atemi_mat3 R = atemi_quaternion_matrix((atemi_quaternion){u.x, u.y, u.z, w});
        check_near_quaternion(atemi_quaternion_from_matrix(&R),
                              (atemi_quaternion){u.x, u.y, u.z, w}, 1e-15);
    }
}

TEST(from_matrix, of_half_turns_about_the_axes_is_exact)
{
    const atemi_mat3 x = {{1.0, 0.0, 0.0}, {0.0, -1.0, 0.0}, {0.0, 0.0, -1.0}};
    const atemi_mat3 y = {{-1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, -1.0}};
    const atemi_mat3 z = {{-1.0, 0.0, 0.0}, {0.0, -1.0, 0.0}, {0.0, 0.0, 1.0}};
    check_near_quaternion(atemi_quaternion_from_matrix(&x), (atemi_quaternion){1, 0, 0, 0}, 0.0);
    check_near_quaternion(atemi_quaternion_from_matrix(&y), (atemi_quaternion){0, 1, 0, 0}, 0.0);
    check_near_quaternion(atemi_quaternion_from_matrix(&z), (atemi_quaternion){0, 0, 1, 0}, 0.0);
}

TEST(from_matrix, yields_a_unit_quaternion_from_an_inexact_rotation)
{
    const atemi_mat3       R = {{1.001, 0.002, 0.0}, {-0.003, 0.999, 0.001}, {0.0, 0.001, 1.002}};
    const atemi_quaternion q = atemi_quaternion_from_matrix(&R);
    CHECK_NEAR(length_of(q), 1.0, 3e-16);
    CHECK_NEAR(q.w, 1.0, 1e-4);
}
