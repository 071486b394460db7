// SPDX-License-Identifier: Apache-2.0

/// @file
/// What is wrong with a text that is not YAML, in words that help to repair it.

#pragma once

#include "atemi/base.h"

#include <stddef.h>
#include <yaml.h>

/// Makes an error of a parser that gave up on `text`, with line and column but without file.
/// @return ATEMI_ERROR_SYNTAX or ATEMI_ERROR_MEMORY
atemi_status atemi_yaml_syntax_fail(const yaml_parser_t *parser, const char *text, size_t size,
                                    atemi_error *error);
