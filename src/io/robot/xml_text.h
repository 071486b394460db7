// SPDX-License-Identifier: Apache-2.0

/// @file
/// Attributes of XML that is written.

#pragma once

#include "atemi/math.h"
#include "io/bytes/text.h"

/// The characters of a string, with references in place of those that mean something in XML.
void atemi_xml_put_escaped(atemi_text *text, const char *string);

/// ` name="value"`: a string; numbers; a number; one where it is finite; one where it is not zero;
/// a vector.
void atemi_xml_put_string(atemi_text *text, const char *name, const char *string);
void atemi_xml_put_numbers(atemi_text *text, const char *name, const double *values, int count);
void atemi_xml_put_number(atemi_text *text, const char *name, double value);
void atemi_xml_put_finite(atemi_text *text, const char *name, double value);
void atemi_xml_put_nonzero(atemi_text *text, const char *name, double value);
void atemi_xml_put_vector(atemi_text *text, const char *name, atemi_vec3 x);
