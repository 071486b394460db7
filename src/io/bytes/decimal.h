// SPDX-License-Identifier: Apache-2.0

/// @file
/// Doubles as decimal text by the million: the shortest text that reads back as the same double,
/// and the way back, as far as it is quick. Exact, and the same in every locale.

#pragma once

/// Room for the text of any finite double, and its end.
enum { ATEMI_DECIMAL_SIZE = 32 };

/// Writes the shortest decimal number that reads back as `value`, which must be finite; of several
/// that are as short, the nearest. From 1e-5 up to 1e17 as in 0.00125 or -1500, beyond as in
/// 1.25e-7. A whole number has no point. Behind the text stands a zero.
/// @return the length of the text
int atemi_decimal_write(double value, char text[ATEMI_DECIMAL_SIZE]);

/// What a text is found to be.
typedef enum atemi_decimal_kind {
    ATEMI_DECIMAL_NONE, ///< no number
    ATEMI_DECIMAL_HARD, ///< a number whose value takes more than is done here, or none that is
                        ///< finite
    ATEMI_DECIMAL_READ, ///< a number, with its value
} atemi_decimal_kind;

/// Reads a whole text, such as 1, -1.5e-3, +.5 or 2. ; most numbers are not hard.
atemi_decimal_kind atemi_decimal_read(const char *text, int length, double *value);
