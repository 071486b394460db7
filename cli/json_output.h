// SPDX-License-Identifier: Apache-2.0

/// @file
/// Results as JSON: making values and printing them.

#pragma once

#include "atemi/math.h"

#include <jansson.h>

/// Prints a JSON value and releases it. Objects have one key a line; arrays of numbers stand on
/// one line. Numbers have as many digits as they need to be read back without loss.
/// @param root NULL if the memory was not enough to make it
/// @return `code`, or EXIT_JOB_FAILED without memory
int json_print(json_t *root, int code);

/// JSON values; NULL without memory. What is not finite becomes null.
json_t *json_from_number(double x);
json_t *json_from_numbers(int count, const double *x);
json_t *json_from_matrix(int rows, int columns, const double *x); ///< an array of rows

json_t *json_from_vec3(atemi_vec3 x);
json_t *json_from_motion(atemi_motion m); ///< linear first
json_t *json_from_force(atemi_force f);   ///< linear first
json_t *json_from_rotation(const atemi_mat3 *R);
json_t *json_from_symmetric3(const atemi_symmetric3 *S);

/// Text of unknown origin: bytes that are not UTF-8 become '?'.
json_t *json_from_text(const char *text);

/// Adds to a collection and returns it; takes both references. Where one of the two is NULL or the
/// memory is not enough, releases them and returns NULL.
json_t *json_with_item(json_t *array, json_t *item);
json_t *json_with_key(json_t *object, const char *key, json_t *value);
