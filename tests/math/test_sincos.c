// SPDX-License-Identifier: Apache-2.0

#include "math/sincos.h"

#include "check.h"
#include "random.h"

#include <float.h>
#include <math.h>
#include <string.h>

// The oracle is the long double libm: 64 bits, so wrong by at most 2^-11 of our last place.
#if LDBL_MANT_DIG < 64
#error "these tests need a long double of at least 64 bits"
#endif

static const double pi = 3.14159265358979323846;

// The distance in units of the last place of the expected value.
static double ulps(double actual, long double expected)
{
    int exponent = 0;
    frexpl(expected, &exponent);
    const long double unit = ldexpl(1.0L, exponent - DBL_MANT_DIG);
    return (double)(fabsl((long double)actual - expected) / fmaxl(unit, 0x1p-1074L));
}

// Checks one angle in every lane.
static void check_angle(double angle)
{
    pack sine, cosine;
    atemi_pack_sincos(pack_of(angle), &sine, &cosine);
    for (int l = 0; l < ATEMI_LANES; ++l) {
        CHECK_NEAR(ulps(sine[l], sinl(angle)), 0.0, 1.0);
        CHECK_NEAR(ulps(cosine[l], cosl(angle)), 0.0, 1.0);
    }
}

TEST(sincos, is_right_to_one_unit_in_the_last_place)
{
    static const double ranges[] = {1e-3, 1.0, 4.0, 100.0, 1e4, 2.99e5};
    random_stream       stream = random_seeded(1);
    for (int r = 0; r < 6; ++r) {
        for (int i = 0; i < 20000; ++i) {
            check_angle(random_uniform(&stream, -ranges[r], ranges[r]));
        }
    }
}

TEST(sincos, is_right_for_angles_of_every_size)
{
    random_stream stream = random_seeded(2);
    for (int exponent = -1074; exponent < 1024; ++exponent) {
        for (int i = 0; i < 4; ++i) {
            const double angle = ldexp(random_uniform(&stream, 0.5, 1.0), exponent);
            check_angle(angle);
            check_angle(-angle);
        }
    }
    check_angle(DBL_MAX);
    check_angle(DBL_MIN);
}

// Where sine or cosine vanishes, the angle less n pi/2 has lost most of its digits: the tail of the
// reduction makes up for them. Up to 190985 quarter turns, the end of its range.
TEST(sincos, is_right_beside_multiples_of_a_quarter_turn)
{
    for (int n = 0; n <= 190985; n += n < 1000 ? 1 : 7) {
        const double middle = (double)(n * (3.14159265358979323846264338328L / 2));
        double       above = middle, below = middle;
        for (int i = 0; i < 3; ++i) {
            check_angle(above);
            check_angle(-below);
            above = nextafter(above, INFINITY);
            below = nextafter(below, -INFINITY);
        }
    }
}

// Halfway between, where the quadrant changes.
TEST(sincos, is_right_where_the_quadrant_changes)
{
    for (int n = 1; n <= 381971; n += n < 1000 ? 2 : 14) {
        const double middle = (double)(n * (3.14159265358979323846264338328L / 4));
        check_angle(nextafter(middle, -INFINITY));
        check_angle(middle);
        check_angle(-nextafter(middle, INFINITY));
    }
}

TEST(sincos, is_right_on_both_sides_of_where_libm_takes_over)
{
    for (int i = -100; i <= 100; ++i) {
        check_angle(3.0e5 + i * 0x1p-34); // about one unit in the last place of 3e5
        check_angle(-3.0e5 + i * 0.1);
    }
}

TEST(sincos, of_the_cardinal_angles_is_exact)
{
    pack sine, cosine;
    atemi_pack_sincos(pack_of(0.0), &sine, &cosine);
    CHECK(sine[0] == 0.0 && cosine[0] == 1.0);
    atemi_pack_sincos(pack_of(pi / 2.0), &sine, &cosine);
    CHECK(sine[0] == 1.0);
    atemi_pack_sincos(pack_of(pi), &sine, &cosine);
    CHECK(cosine[0] == -1.0);
    atemi_pack_sincos(pack_of(-pi / 2.0), &sine, &cosine);
    CHECK(sine[0] == -1.0);
}

TEST(sincos, of_what_is_not_finite_is_nan)
{
    static const double bad[] = {NAN, INFINITY, -INFINITY};
    for (int b = 0; b < 3; ++b) {
        pack sine, cosine;
        atemi_pack_sincos(pack_of(bad[b]), &sine, &cosine);
        for (int l = 0; l < ATEMI_LANES; ++l) {
            CHECK(isnan(sine[l]) && isnan(cosine[l]));
        }
    }
}

// Every lane's result is a function of its own angle, whatever stands in the others.
TEST(sincos, keeps_its_lanes_apart)
{
    static const double strange[] = {NAN, INFINITY, 1e300, 3.1e5, 0.0, -2.0};
    random_stream       stream = random_seeded(3);
    for (int round = 0; round < 600; ++round) {
        const double angle = random_uniform(&stream, -1e3, 1e3);
        pack         sine, cosine, other_sine, other_cosine;
        atemi_pack_sincos(pack_of(angle), &sine, &cosine);
        for (int l = 0; l < ATEMI_LANES; ++l) {
            pack mixed = pack_of(strange[round % 6]);
            mixed[l] = angle;
            atemi_pack_sincos(mixed, &other_sine, &other_cosine);
            CHECK(other_sine[l] == sine[l] && other_cosine[l] == cosine[l]);
        }
    }
}
