// SPDX-License-Identifier: Apache-2.0

/// @file
/// Doubles as decimal text by the million: the shortest text that reads back as the same double,
/// and the way back. Exact, and the same in every locale.

#pragma once

#include "io/bytes/number.h"

/// Room for the text of any finite double, and its end.
enum { ATEMI_DECIMAL_SIZE = 32 };

/// Writes the shortest decimal number that reads back as `value`, which must be finite; of several
/// that are as short, the nearest. From 1e-5 up to 1e17 as in 0.00125 or -1500, beyond as in
/// 1.25e-7. A whole number has no point. Behind the text stands a zero.
/// @return the length of the text
int atemi_decimal_write(double value, char text[ATEMI_DECIMAL_SIZE]);

/// Same as atemi_number_parse(), faster; the word may also be followed by any byte that cannot go
/// on with a number.
atemi_number_fault atemi_decimal_parse(atemi_word word, double *value);
