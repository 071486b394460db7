// SPDX-License-Identifier: Apache-2.0

/// @file
/// Units of measurement: `m`, `N m`, `kg m^2`, `N s/m`, `deg/s`, `1/s`, ...
///
/// A unit is a product of symbols with whole exponents. Spaces, `*` and `.` multiply; what stands
/// behind a `/` divides, all of it: `N m s/rad` and `kg/m/s` read as people
/// write them. An angle is a quantity of its own, so that rad/s and Hz cannot be confused.

#pragma once

#include <stdbool.h>

typedef enum atemi_dimension {
    ATEMI_METRE,
    ATEMI_KILOGRAM,
    ATEMI_SECOND,
    ATEMI_AMPERE,
    ATEMI_RADIAN,
    ATEMI_DIMENSION_COUNT
} atemi_dimension;

/// One of it is `up / down` of the SI unit. Two numbers, so that 7 cm are 7 / 100 m, rounded once.
typedef struct atemi_unit {
    double up, down;
    int    exponent[ATEMI_DIMENSION_COUNT];
} atemi_unit;

/// Reads a whole text of `length` bytes; none at all is the unit of pure numbers.
/// @return false for a symbol that is not known and for what is no unit
bool atemi_unit_parse(const char *text, int length, atemi_unit *unit);

/// Whether the two measure the same quantity.
bool atemi_unit_agrees(const atemi_unit *a, const atemi_unit *b);

/// The number that says in unit `to` what `value` says in unit `from`. The two agree.
double atemi_unit_convert(double value, const atemi_unit *from, const atemi_unit *to);

/// What it measures, e.g. "a time"; NULL where there is no common word.
const char *atemi_unit_quantity(const atemi_unit *unit);
