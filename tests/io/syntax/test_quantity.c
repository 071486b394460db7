// SPDX-License-Identifier: Apache-2.0

#include "check.h"
#include "io/bytes/text.h"
#include "io/syntax/quantity.h"
#include "io/syntax/unit.h"

#include "atemi/base.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

// Reads to the last bit what the compiler makes of the same expression.
static void check_quantity(check_place place, const char *text, const char *unit, double expected)
{
    double value = -12345.0;
    check_equal_int(place, atemi_quantity_parse(text, unit, &value), ATEMI_QUANTITY_FINE);
    check_near(place, value, expected, 0.0);
}

static void check_fault(check_place place, const char *text, const char *unit,
                        atemi_quantity_fault fault)
{
    double value = -12345.0;
    check_equal_int(place, atemi_quantity_parse(text, unit, &value), fault);
    check_near(place, value, -12345.0, 0.0);
}

#define READS(text, unit, value)                                                                   \
    check_quantity(CHECK_PLACE("READS(" #text ", " #unit ")"), text, unit, value)
#define REFUSES(text, unit, fault)                                                                 \
    check_fault(CHECK_PLACE("REFUSES(" #text ", " #unit ")"), text, unit, ATEMI_QUANTITY_##fault)

TEST(quantity, is_a_decimal_number)
{
    READS("5", NULL, 5.0);
    READS(" -1.5e-3 ", NULL, -1.5e-3);
    READS("+.5", "", 0.5);
    READS("2.", "s", 2.0);
    READS("0.1000000000000000055511151231257827021181583404541015625", NULL, 0.1);
    REFUSES("", NULL, MALFORMED);
    REFUSES("abc", NULL, MALFORMED);
    REFUSES("-", NULL, MALFORMED);
    REFUSES("--1", NULL, MALFORMED);
    REFUSES(".", NULL, MALFORMED);
    REFUSES("1,5", NULL, UNKNOWN_UNIT);
    REFUSES("0x10", NULL, UNKNOWN_UNIT);
    REFUSES("1e", NULL, UNKNOWN_UNIT);
    REFUSES("1_000", NULL, UNKNOWN_UNIT);
    REFUSES("1 2", NULL, UNKNOWN_UNIT);
    REFUSES("1e999", NULL, TOO_LARGE);
}

TEST(quantity, may_be_a_product_with_pi)
{
    READS("pi", "rad", pi);
    READS("-pi/2", "rad", -pi / 2.0);
    READS("-7*pi/12", "rad", -7.0 * pi / 12.0);
    READS("2 * pi / 3", "rad", 2.0 * pi / 3.0);
    READS("1/3", NULL, 1.0 / 3.0);
    READS("pi/2 rad", "rad", pi / 2.0);
    REFUSES("pi/", "rad", MALFORMED);
    REFUSES("*pi", "rad", MALFORMED);
    REFUSES("pi*-2", "rad", MALFORMED);
    REFUSES("pie", "rad", MALFORMED);
    REFUSES("2pi", "rad", UNKNOWN_UNIT);
    REFUSES("pi+1", "rad", UNKNOWN_UNIT);
    REFUSES("1/0", NULL, TOO_LARGE);
    REFUSES("0/0", NULL, NAN);
    REFUSES("1e300*1e300", NULL, TOO_LARGE);
}

TEST(quantity, is_infinite_only_where_it_says_so)
{
    READS("inf", "N", INFINITY);
    READS("-.inf", "N", -INFINITY);
    READS(".inf", NULL, INFINITY);
    READS("inf N", "N", INFINITY);
    REFUSES("nan", NULL, NAN);
    REFUSES(".nan", NULL, NAN);
    REFUSES("inf*0", NULL, NAN);
    REFUSES("inf/inf", NULL, NAN);
    REFUSES("info", NULL, MALFORMED);
}

// 7 * 0.01 is not 0.07; 7 / 100 is. So units divide where they can.
TEST(quantity, is_converted_with_one_rounding)
{
    READS("7 cm", "m", 0.07);
    READS("5 mm", "m", 0.005);
    READS("3mm", "m", 0.003);
    READS("1 m", "m", 1.0);
    READS("2 km", "m", 2000.0);
    READS("10 ms", "s", 0.01);
    READS("250 us", "s", 250e-6);
    READS("2 min", "s", 120.0);
    READS("250 g", "kg", 0.25);
    READS("1.5 kN", "N", 1500.0);
    READS("7 %", NULL, 0.07);
    READS("5 kHz", "Hz", 5000.0);
    READS("90 deg", "rad", pi / 2.0);
    READS("30 deg", "rad", pi / 6.0);
    READS("180 deg/s", "rad/s", pi);
    READS("36 km/h", "m/s", 10.0);
    READS("0.5 rad", "deg", 0.5 * 180.0 / pi);
}

// Where pi is multiplied by what it is divided by later, there are two roundings.
TEST(quantity, of_turns_is_right_to_the_last_bit_but_one)
{
    double value = 0.0;
    CHECK_EQUAL_INT(atemi_quantity_parse("60 rpm", "rad/s", &value), ATEMI_QUANTITY_FINE);
    CHECK_NEAR(value, 2.0 * pi, 4.0 * DBL_EPSILON);
}

TEST(quantity, has_units_that_are_products)
{
    READS("5 N m", "N m", 5.0);
    READS("5 Nm", "N m", 5.0);
    READS("5 N*m", "N m", 5.0);
    READS("5 N.m", "N m", 5.0);
    READS("5 kg m^2/s^2", "N m", 5.0);
    READS("5 kg m s^-2", "N", 5.0);
    READS("5 N s", "kg m/s", 5.0);
    READS("2 N/mm", "N/m", 2000.0);
    READS("2 N s/m", "N s/m", 2.0);
    READS("3 N m s/rad", "N m s/rad", 3.0);
    READS("1 N m/deg", "N m/rad", 180.0 / pi);
    READS("4 1/s", "1/s", 4.0);
    READS("0.1 V s/rad", "N m/A/rad", 0.1);
    REFUSES("5 kg", "s", OTHER_UNIT);
    REFUSES("5 s", NULL, OTHER_UNIT);
    REFUSES("30 deg", NULL, OTHER_UNIT);
    REFUSES("3 Hz", "rad/s", OTHER_UNIT);
    REFUSES("3 N m", "N m/rad", OTHER_UNIT);
    REFUSES("5 sec", "s", UNKNOWN_UNIT);
    REFUSES("5 S", "s", UNKNOWN_UNIT);
    REFUSES("5 m/", "m", UNKNOWN_UNIT);
    REFUSES("5 .", NULL, UNKNOWN_UNIT);
    REFUSES("5 m^", "m", UNKNOWN_UNIT);
    REFUSES("5 m^9", "m", UNKNOWN_UNIT);
    REFUSES("5 m m m m m m m m m", "m", UNKNOWN_UNIT);
    REFUSES("5 m^2x", "m", UNKNOWN_UNIT);
    REFUSES("1e308 km", "m", TOO_LARGE);
}

TEST(quantity, of_absurd_length_is_refused)
{
    char text[2000];
    memset(text, '1', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    REFUSES(text, NULL, MALFORMED);
    memset(text + 1, 'm', sizeof text - 2);
    REFUSES(text, "m", UNKNOWN_UNIT);
}

TEST(text, writes_the_shortest_digits_that_read_back)
{
    static const struct {
        double      number;
        const char *text;
    } cases[] = {{0.1, "0.1"},
                 {-1.5e-3, "-0.0015"},
                 {100000.0, "100000"},
                 {1.0 / 3.0, "0.3333333333333333"},
                 {0.1 + 0.2, "0.30000000000000004"},
                 {DBL_MAX, "1.7976931348623157e308"},
                 {DBL_TRUE_MIN, "5e-324"},
                 {-INFINITY, "-inf"},
                 {0.0, "0"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        atemi_text text = {0};
        atemi_text_append_number(&text, cases[i].number);
        CHECK_EQUAL_STRING(text.bytes, cases[i].text);
        atemi_release(text.bytes);
    }
}

// Passes without looking where the machine has no such locale.
TEST(text, writes_a_point_in_every_locale)
{
    static const char *const locales[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "ps_AF.UTF-8"};
    for (size_t i = 0; i < sizeof locales / sizeof locales[0]; ++i) {
        if (setlocale(LC_NUMERIC, locales[i])) {
            atemi_text text = {0};
            atemi_text_append_number(&text, -1.25e-7);
            CHECK_EQUAL_STRING(text.bytes, "-1.25e-7");
            atemi_release(text.bytes);
            READS("1.5 ms", "s", 0.0015);
        }
    }
    setlocale(LC_NUMERIC, "C");
}
