// SPDX-License-Identifier: Apache-2.0

#include "io/syntax/unit.h"

#include "check.h"

#include <math.h>
#include <string.h>

static atemi_unit unit(const char *text)
{
    atemi_unit found;
    CHECK(atemi_unit_parse(text, (int)strlen(text), &found));
    return found;
}

static double convert(double value, const char *from, const char *to)
{
    const atemi_unit a = unit(from), b = unit(to);
    CHECK(atemi_unit_agrees(&a, &b));
    return atemi_unit_convert(value, &a, &b);
}

TEST(unit, converts_and_rounds_once)
{
    CHECK_NEAR(convert(7.0, "cm", "m"), 0.07, 0.0);
    CHECK_NEAR(convert(180.0, "deg", "rad"), 3.14159265358979312, 0.0);
    CHECK_NEAR(convert(50.0, "N/mm", "N/m"), 50000.0, 0.0);
    CHECK_NEAR(convert(60.0, "rpm", "rad/s"), 2.0 * 3.14159265358979312, 1e-15);
    CHECK_NEAR(convert(3.0, "ms", "s"), 0.003, 0.0);
}

TEST(unit, divides_by_all_that_stands_behind_a_slash)
{
    const atemi_unit a = unit("N m s/rad"), b = unit("kg/m/s"), c = unit("kg m^2");
    const int        damping[] = {2, 1, -1, 0, -1}, viscosity[] = {-1, 1, -1, 0, 0};
    const int        inertia[] = {2, 1, 0, 0, 0};
    CHECK(memcmp(a.exponent, damping, sizeof damping) == 0);
    CHECK(memcmp(b.exponent, viscosity, sizeof viscosity) == 0);
    CHECK(memcmp(c.exponent, inertia, sizeof inertia) == 0);
}

TEST(unit, tells_angles_from_pure_numbers)
{
    const atemi_unit speed = unit("rad/s"), frequency = unit("Hz");
    CHECK(!atemi_unit_agrees(&speed, &frequency));
    CHECK_EQUAL_STRING(atemi_unit_quantity(&frequency), "a frequency");
    const atemi_unit odd = unit("kg m");
    CHECK(!atemi_unit_quantity(&odd));
}

TEST(unit, refuses_what_is_none)
{
    const char *const bad[] = {"sec", "m/", "^2", "m^", "m^x", "5"};
    atemi_unit        found;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        CHECK(!atemi_unit_parse(bad[i], (int)strlen(bad[i]), &found));
    }
    CHECK(atemi_unit_parse("", 0, &found));
    CHECK_EQUAL_STRING(atemi_unit_quantity(&found), "a pure number");
}
