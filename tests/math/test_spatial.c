// SPDX-License-Identifier: Apache-2.0

#include "atemi/math.h"
#include "check.h"
#include "near_vec3.h"
#include "random.h"

// Bodies are clouds of point masses, whose momentum and inertia are sums over points and know
// nothing of the formulas under test.

enum { POINTS = 7 };

typedef struct cloud {
    int        count;
    double     mass[2 * POINTS];
    atemi_vec3 place[2 * POINTS];
} cloud;

static atemi_vec3 random_vec3(random_stream *stream)
{
    const double x = random_uniform(stream, -2.0, 2.0);
    const double y = random_uniform(stream, -2.0, 2.0);
    return (atemi_vec3){x, y, random_uniform(stream, -2.0, 2.0)};
}

static atemi_mat3 random_rotation(random_stream *stream)
{
    const double roll = random_uniform(stream, -3.0, 3.0);
    const double pitch = random_uniform(stream, -3.0, 3.0);
    return atemi_mat3_from_rpy(roll, pitch, random_uniform(stream, -3.0, 3.0));
}

static atemi_transform random_pose(random_stream *stream)
{
    const atemi_mat3 R = random_rotation(stream);
    return (atemi_transform){R, random_vec3(stream)};
}

static atemi_motion random_motion(random_stream *stream)
{
    const atemi_vec3 linear = random_vec3(stream);
    return (atemi_motion){linear, random_vec3(stream)};
}

static cloud random_cloud(random_stream *stream)
{
    cloud c = {.count = POINTS};
    for (int i = 0; i < POINTS; ++i) {
        c.mass[i] = random_uniform(stream, 0.1, 2.0);
        c.place[i] = random_vec3(stream);
    }
    return c;
}

static cloud united(const cloud *a, const cloud *b)
{
    cloud c = *a;
    for (int i = 0; i < b->count; ++i) {
        c.mass[c.count] = b->mass[i];
        c.place[c.count++] = b->place[i];
    }
    return c;
}

static cloud moved(const cloud *a, const atemi_transform *pose)
{
    cloud c = *a;
    for (int i = 0; i < c.count; ++i) {
        c.place[i] = atemi_transform_apply(pose, a->place[i]);
    }
    return c;
}

static atemi_inertia inertia_of(const cloud *c)
{
    atemi_inertia inertia = {0};
    for (int i = 0; i < c->count; ++i) {
        inertia.mass += c->mass[i];
        inertia.com = atemi_vec3_add(inertia.com, atemi_vec3_scale(c->mass[i], c->place[i]));
    }
    inertia.com = atemi_vec3_scale(1.0 / inertia.mass, inertia.com);
    for (int i = 0; i < c->count; ++i) {
        const double     m = c->mass[i];
        const atemi_vec3 r = atemi_vec3_sub(c->place[i], inertia.com);
        inertia.rotational.xx += m * (r.y * r.y + r.z * r.z);
        inertia.rotational.yy += m * (r.x * r.x + r.z * r.z);
        inertia.rotational.zz += m * (r.x * r.x + r.y * r.y);
        inertia.rotational.xy -= m * r.x * r.y;
        inertia.rotational.xz -= m * r.x * r.z;
        inertia.rotational.yz -= m * r.y * r.z;
    }
    return inertia;
}

static atemi_force momentum_of(const cloud *c, atemi_motion v)
{
    atemi_force momentum = {0};
    for (int i = 0; i < c->count; ++i) {
        const atemi_vec3  r = c->place[i];
        const atemi_vec3  velocity = atemi_vec3_add(v.linear, atemi_vec3_cross(v.angular, r));
        const atemi_vec3  p = atemi_vec3_scale(c->mass[i], velocity);
        const atemi_force part = {p, atemi_vec3_cross(r, p)};
        momentum = atemi_force_add(momentum, part);
    }
    return momentum;
}

static void check_near_symmetric(const atemi_symmetric3 *actual, const atemi_symmetric3 *expected,
                                 double tolerance)
{
    CHECK_NEAR(actual->xx, expected->xx, tolerance);
    CHECK_NEAR(actual->yy, expected->yy, tolerance);
    CHECK_NEAR(actual->zz, expected->zz, tolerance);
    CHECK_NEAR(actual->xy, expected->xy, tolerance);
    CHECK_NEAR(actual->xz, expected->xz, tolerance);
    CHECK_NEAR(actual->yz, expected->yz, tolerance);
}

static void check_near_inertia(const atemi_inertia *actual, const atemi_inertia *expected)
{
    CHECK_NEAR(actual->mass, expected->mass, 1e-14);
    check_near_vec3(actual->com, expected->com, 1e-14);
    check_near_symmetric(&actual->rotational, &expected->rotational, 1e-13);
}

// R diag(a, b, c) R^T in long double, element by element.
static atemi_symmetric3 with_eigenvalues(const atemi_mat3 *R, double a, double b, double c)
{
    const double rows[3][3] = {
        {R->x.x, R->y.x, R->z.x}, {R->x.y, R->y.y, R->z.y}, {R->x.z, R->y.z, R->z.z}};
    const double values[3] = {a, b, c};
    double       S[3][3];
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            long double sum = 0.0L;
            for (int k = 0; k < 3; ++k) {
                sum += (long double)rows[i][k] * (long double)values[k] * (long double)rows[j][k];
            }
            S[i][j] = (double)sum;
        }
    }
    return (atemi_symmetric3){S[0][0], S[1][1], S[2][2], S[0][1], S[0][2], S[1][2]};
}

TEST(transform, composed_takes_points_through_both_frames)
{
    for (uint64_t seed = 1; seed <= 20; ++seed) {
        random_stream         stream = random_seeded(seed);
        const atemi_transform b_in_a = random_pose(&stream), c_in_b = random_pose(&stream);
        const atemi_vec3      x = random_vec3(&stream);
        const atemi_transform c_in_a = atemi_transform_compose(&b_in_a, &c_in_b);
        check_near_vec3(atemi_transform_apply(&c_in_a, x),
                        atemi_transform_apply(&b_in_a, atemi_transform_apply(&c_in_b, x)), 1e-14);
    }
}

TEST(transform, turns_before_it_shifts)
{
    const atemi_transform pose = {{{0.0, 1.0, 0.0}, {-1.0, 0.0, 0.0}, {0.0, 0.0, 1.0}},
                                  {10.0, 20.0, 30.0}};
    check_near_vec3(atemi_transform_apply(&pose, (atemi_vec3){1.0, 2.0, 3.0}),
                    (atemi_vec3){8.0, 21.0, 33.0}, 0.0);
    const atemi_transform one = atemi_transform_identity();
    check_near_vec3(atemi_transform_apply(&one, (atemi_vec3){1.0, 2.0, 3.0}),
                    (atemi_vec3){1.0, 2.0, 3.0}, 0.0);
}

TEST(transform, inverse_brings_points_back)
{
    for (uint64_t seed = 1; seed <= 20; ++seed) {
        random_stream         stream = random_seeded(seed);
        const atemi_transform pose = random_pose(&stream);
        const atemi_transform back = atemi_transform_inverse(&pose);
        const atemi_vec3      x = random_vec3(&stream);
        check_near_vec3(atemi_transform_apply(&back, atemi_transform_apply(&pose, x)), x, 1e-14);
        check_near_vec3(atemi_transform_apply(&pose, atemi_transform_apply(&back, x)), x, 1e-14);
    }
}

TEST(motion, at_another_point_is_the_velocity_of_that_point)
{
    const atemi_motion spin = {{1.0, 0.0, 0.0}, {0.0, 0.0, 2.0}}; // about z, at (0, 3, 0)
    const atemi_motion there = atemi_motion_at(spin, (atemi_vec3){0.0, 3.0, 0.0});
    check_near_vec3(there.linear, (atemi_vec3){-5.0, 0.0, 0.0}, 0.0);
    check_near_vec3(there.angular, spin.angular, 0.0);
}

TEST(motion, power_does_not_depend_on_the_point)
{
    for (uint64_t seed = 1; seed <= 20; ++seed) {
        random_stream      stream = random_seeded(seed);
        const atemi_motion m = random_motion(&stream), other = random_motion(&stream);
        const atemi_force  f = {other.linear, other.angular};
        const atemi_vec3   r = random_vec3(&stream);
        CHECK_NEAR(atemi_motion_power(atemi_motion_at(m, r), atemi_force_at(f, r)),
                   atemi_motion_power(m, f), 1e-13);
    }
    const atemi_motion m = {{1.0, 2.0, 3.0}, {4.0, 5.0, 6.0}};
    const atemi_force  f = {{1.0, 10.0, 100.0}, {1e3, 1e4, 1e5}};
    CHECK_NEAR(atemi_motion_power(m, f), 654321.0, 0.0);
}

TEST(motion, sums_are_by_part)
{
    const atemi_motion a = {{1.0, 2.0, 3.0}, {4.0, 5.0, 6.0}};
    const atemi_motion sum = atemi_motion_add(a, (atemi_motion){{10, 20, 30}, {40, 50, 60}});
    check_near_vec3(sum.linear, (atemi_vec3){11.0, 22.0, 33.0}, 0.0);
    check_near_vec3(sum.angular, (atemi_vec3){44.0, 55.0, 66.0}, 0.0);
}

// As 4 x 4 matrices A = ([w] v; 0 0), motions act on points, and a x b is the commutator
// A B - B A; its upper left block acts on vectors, its last column on the origin.
static void apply_homogeneous(atemi_motion m, const double x[4], double y[4])
{
    const atemi_vec3 turned = atemi_vec3_cross(m.angular, (atemi_vec3){x[0], x[1], x[2]});
    y[0] = turned.x + m.linear.x * x[3];
    y[1] = turned.y + m.linear.y * x[3];
    y[2] = turned.z + m.linear.z * x[3];
    y[3] = 0.0;
}

TEST(motion, cross_product_is_the_commutator_of_the_matrices)
{
    for (uint64_t seed = 1; seed <= 20; ++seed) {
        random_stream      stream = random_seeded(seed);
        const atemi_motion a = random_motion(&stream), b = random_motion(&stream);
        const atemi_motion cross = atemi_motion_cross(a, b);
        for (int column = 0; column < 4; ++column) {
            const double x[4] = {column == 0, column == 1, column == 2, column == 3};
            double       bx[4], abx[4], ax[4], bax[4], expected[4];
            apply_homogeneous(b, x, bx);
            apply_homogeneous(a, bx, abx);
            apply_homogeneous(a, x, ax);
            apply_homogeneous(b, ax, bax);
            apply_homogeneous(cross, x, expected);
            for (int i = 0; i < 4; ++i) {
                CHECK_NEAR(expected[i], abx[i] - bax[i], 1e-14);
            }
        }
    }
}

TEST(symmetric, matrix_applies_like_its_nine_elements)
{
    const atemi_symmetric3 S = {1.0, 2.0, 3.0, 4.0, 5.0, 6.0};
    check_near_vec3(atemi_symmetric3_apply(&S, (atemi_vec3){1.0, 10.0, 100.0}),
                    (atemi_vec3){541.0, 624.0, 365.0}, 0.0);
}

TEST(symmetric, matrix_rotated_is_r_s_rt)
{
    for (uint64_t seed = 1; seed <= 20; ++seed) {
        random_stream    stream = random_seeded(seed);
        const atemi_mat3 R = random_rotation(&stream);
        const atemi_vec3 d = random_vec3(&stream), o = random_vec3(&stream);
        const atemi_vec3 x = random_vec3(&stream);

        const atemi_symmetric3 S = {d.x, d.y, d.z, o.x, o.y, o.z};
        const atemi_symmetric3 rotated = atemi_symmetric3_rotated(&S, &R);
        const atemi_vec3       RSRtx =
            atemi_mat3_apply(&R, atemi_symmetric3_apply(&S, atemi_mat3_apply_transposed(&R, x)));
        check_near_vec3(atemi_symmetric3_apply(&rotated, x), RSRtx, 1e-13);
    }
}

TEST(eigenvalues, of_a_textbook_matrix)
{
    const atemi_symmetric3 S = {2.0, 2.0, 5.0, 1.0, 0.0, 0.0};
    check_near_vec3(atemi_symmetric3_eigenvalues(&S), (atemi_vec3){1.0, 3.0, 5.0}, 1e-15);
    // All ones: 0, 0, 3.
    const atemi_symmetric3 ones = {1.0, 1.0, 1.0, 1.0, 1.0, 1.0};
    check_near_vec3(atemi_symmetric3_eigenvalues(&ones), (atemi_vec3){0.0, 0.0, 3.0}, 1e-15);
    // The second difference: 2 - sqrt 2, 2, 2 + sqrt 2.
    const atemi_symmetric3 string = {2.0, 2.0, 2.0, -1.0, 0.0, -1.0};
    check_near_vec3(atemi_symmetric3_eigenvalues(&string),
                    (atemi_vec3){2.0 - sqrt(2.0), 2.0, 2.0 + sqrt(2.0)}, 2e-15);
}

TEST(eigenvalues, of_a_diagonal_matrix_are_sorted_and_exact)
{
    const double v[6][3] = {{1, 2, 3}, {1, 3, 2}, {2, 1, 3}, {2, 3, 1}, {3, 1, 2}, {3, 2, 1}};
    for (int i = 0; i < 6; ++i) {
        const atemi_symmetric3 S = {v[i][0], v[i][1], v[i][2], 0.0, 0.0, 0.0};
        check_near_vec3(atemi_symmetric3_eigenvalues(&S), (atemi_vec3){1.0, 2.0, 3.0}, 0.0);
    }
}

TEST(eigenvalues, are_those_the_matrix_was_built_from_at_any_scale)
{
    const double scales[] = {1e-300, 1e-20, 1.0, 1e20, 1e300};
    for (uint64_t seed = 1; seed <= 100; ++seed) {
        random_stream          stream = random_seeded(seed);
        const double           scale = scales[seed % 5];
        const atemi_mat3       R = random_rotation(&stream);
        const double           a = random_uniform(&stream, -1.0, 0.0);
        const double           b = random_uniform(&stream, 0.0, 1.0);
        const double           c = random_uniform(&stream, 1.0, 2.0);
        const atemi_symmetric3 S = with_eigenvalues(&R, c * scale, a * scale, b * scale);
        check_near_vec3(atemi_symmetric3_eigenvalues(&S),
                        (atemi_vec3){a * scale, b * scale, c * scale}, 4e-15 * scale);
    }
}

// -1, 1 on the diagonal and 1/2 beside it: +- sqrt 5/4. The difference of the two would overflow.
TEST(eigenvalues, near_the_largest_number_do_not_overflow)
{
    const double           s = 1e308;
    const atemi_symmetric3 S = {-s, s, 0.0, 0.5 * s, 0.0, 0.0};
    const double           expected = s * sqrt(1.25);
    check_near_vec3(atemi_symmetric3_eigenvalues(&S), (atemi_vec3){-expected, 0.0, expected},
                    1e-15 * s);
}

// The closed form by arc cosines would be off by the square root of the rounding error here.
TEST(eigenvalues, are_precise_when_nearly_equal)
{
    for (uint64_t seed = 1; seed <= 100; ++seed) {
        random_stream          stream = random_seeded(seed);
        const atemi_mat3       R = random_rotation(&stream);
        const double           gap = pow(10.0, random_uniform(&stream, -15.0, -4.0));
        const atemi_symmetric3 S = with_eigenvalues(&R, 1.0 + 2.0 * gap, 1.0, 1.0 + gap);
        check_near_vec3(atemi_symmetric3_eigenvalues(&S),
                        (atemi_vec3){1.0, 1.0 + gap, 1.0 + 2.0 * gap}, 3e-15);
    }
}

TEST(eigenvalues, of_zero_are_zero_and_of_nonsense_are_not_numbers)
{
    const atemi_symmetric3 zero = {0};
    check_near_vec3(atemi_symmetric3_eigenvalues(&zero), (atemi_vec3){0.0, 0.0, 0.0}, 0.0);
    const double nonsense[] = {nan(""), HUGE_VAL, -HUGE_VAL};
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 6; ++k) {
            double v[6] = {1.0, 1.0, 1.0, 0.0, 0.0, 0.0};
            v[k] = nonsense[i];
            const atemi_symmetric3 S = {v[0], v[1], v[2], v[3], v[4], v[5]};
            CHECK(isnan(atemi_symmetric3_eigenvalues(&S).x));
            CHECK(isnan(atemi_symmetric3_eigenvalues(&S).z));
        }
    }
}

TEST(inertia, applied_is_the_momentum_of_its_points)
{
    for (uint64_t seed = 1; seed <= 20; ++seed) {
        random_stream       stream = random_seeded(seed);
        const cloud         c = random_cloud(&stream);
        const atemi_motion  v = random_motion(&stream);
        const atemi_inertia inertia = inertia_of(&c);
        const atemi_force   momentum = atemi_inertia_apply(&inertia, v);
        const atemi_force   expected = momentum_of(&c, v);
        check_near_vec3(momentum.linear, expected.linear, 1e-12);
        check_near_vec3(momentum.angular, expected.angular, 1e-12);
    }
}

TEST(inertia, transformed_is_that_of_the_moved_points)
{
    for (uint64_t seed = 1; seed <= 20; ++seed) {
        random_stream         stream = random_seeded(seed);
        const cloud           c = random_cloud(&stream);
        const atemi_transform pose = random_pose(&stream);
        const cloud           there = moved(&c, &pose);
        const atemi_inertia   inertia = inertia_of(&c), expected = inertia_of(&there);
        const atemi_inertia   transformed = atemi_inertia_transformed(&inertia, &pose);
        check_near_inertia(&transformed, &expected);
    }
}

TEST(inertia, of_welded_bodies_is_that_of_all_points)
{
    for (uint64_t seed = 1; seed <= 20; ++seed) {
        random_stream       stream = random_seeded(seed);
        const cloud         a = random_cloud(&stream), b = random_cloud(&stream);
        const cloud         both = united(&a, &b);
        const atemi_inertia of_a = inertia_of(&a), of_b = inertia_of(&b);
        const atemi_inertia welded = atemi_inertia_add(&of_a, &of_b), expected = inertia_of(&both);
        check_near_inertia(&welded, &expected);
    }
}

TEST(inertia, of_a_massless_body_adds_its_rotational_part_only)
{
    random_stream       stream = random_seeded(1);
    const cloud         c = random_cloud(&stream);
    const atemi_inertia body = inertia_of(&c);
    const atemi_inertia rotor = {0.0, {5.0, 6.0, 7.0}, {1.0, 2.0, 3.0, 0.1, 0.2, 0.3}};
    atemi_inertia       expected = body;
    expected.rotational = (atemi_symmetric3){body.rotational.xx + 1.0, body.rotational.yy + 2.0,
                                             body.rotational.zz + 3.0, body.rotational.xy + 0.1,
                                             body.rotational.xz + 0.2, body.rotational.yz + 0.3};

    const atemi_inertia after = atemi_inertia_add(&body, &rotor);
    const atemi_inertia before = atemi_inertia_add(&rotor, &body);
    check_near_inertia(&after, &expected);
    check_near_inertia(&before, &expected);

    const atemi_inertia rotors = atemi_inertia_add(&rotor, &rotor);
    CHECK_NEAR(rotors.mass, 0.0, 0.0);
    CHECK(isfinite(rotors.com.x) && isfinite(rotors.com.y) && isfinite(rotors.com.z));
    const atemi_symmetric3 twice = {2.0, 4.0, 6.0, 0.2, 0.4, 0.6};
    check_near_symmetric(&rotors.rotational, &twice, 0.0);
}

TEST(inertia, of_tiny_masses_does_not_vanish)
{
    const atemi_inertia a = {.mass = 1e-200, .com = {1.0, 0.0, 0.0}};
    const atemi_inertia b = {.mass = 3e-200, .com = {-1.0, 0.0, 0.0}};
    const atemi_inertia welded = atemi_inertia_add(&a, &b);
    CHECK_NEAR(welded.com.x, -0.5, 1e-15);
    CHECK_NEAR(welded.rotational.yy, 3e-200, 1e-215);
    CHECK_NEAR(welded.rotational.zz, 3e-200, 1e-215);
    CHECK_NEAR(welded.rotational.xx, 0.0, 0.0);
}
