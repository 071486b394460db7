// SPDX-License-Identifier: Apache-2.0

/// @file
/// Decimal numbers in text, read the same way in every locale and rounded correctly.

#pragma once

#include <stdbool.h>

/// A run of characters without white space, inside a longer text.
typedef struct atemi_word {
    const char *start;
    int         length;
} atemi_word;

typedef enum atemi_number_fault {
    ATEMI_NUMBER_FINE,
    ATEMI_NUMBER_MALFORMED,  ///< no decimal number
    ATEMI_NUMBER_NOT_FINITE, ///< "nan", "inf" and their like
    ATEMI_NUMBER_TOO_LARGE,  ///< beyond the range of double
    ATEMI_NUMBER_MISCOUNTED, ///< fewer or more numbers than wanted
} atemi_number_fault;

/// What reading a list of numbers came to.
typedef struct atemi_numbers_result {
    atemi_number_fault fault;
    int                found; ///< words in the text
    atemi_word         word;  ///< the first one at fault, empty where only the count is wrong
} atemi_numbers_result;

/// Moves `*text` over white space and one word.
/// @return false at the end of the text
bool atemi_word_next(const char **text, atemi_word *word);

/// Reads a whole word, such as 1, -1.5e-3, +.5 or 2. ; hexadecimal numbers are malformed. After the
/// word comes the end of the text, or any byte that cannot go on with a number. Numbers too small
/// for double become zero.
atemi_number_fault atemi_number_parse(atemi_word word, double *value);

/// Reads exactly `count` numbers separated by white space. `values` may be written on failure.
atemi_numbers_result atemi_numbers_parse(const char *text, int count, double *values);
