// SPDX-License-Identifier: Apache-2.0

/// @file
/// Numbers as people write them: `5`, `-1.5e-3`, `30 deg`, `-7*pi/12`, `1/3`, `10 ms`, `inf`.
///
///     quantity = [+-] factor { (* | /) factor } [unit]        from left to right
///     factor   = decimal number | pi | inf

#pragma once

typedef enum atemi_quantity_fault {
    ATEMI_QUANTITY_FINE,
    ATEMI_QUANTITY_MALFORMED,    ///< no number
    ATEMI_QUANTITY_NAN,          ///< not a number, or an expression that has no value
    ATEMI_QUANTITY_TOO_LARGE,    ///< beyond the range of double
    ATEMI_QUANTITY_UNKNOWN_UNIT, ///< something behind the number that is no unit
    ATEMI_QUANTITY_OTHER_UNIT,   ///< a unit, but of another quantity
} atemi_quantity_fault;

/// Reads the whole text as a number of `unit`; one without a unit of its own is taken to be in it.
/// `unit` is one that atemi_unit_parse() reads; NULL and "" are for pure numbers. An infinity is
/// fine only where the text says `inf`. `*value` is set only where all is fine.
atemi_quantity_fault atemi_quantity_parse(const char *text, const char *unit, double *value);
