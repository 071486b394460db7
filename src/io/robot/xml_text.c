// SPDX-License-Identifier: Apache-2.0

#include "io/robot/xml_text.h"

#include <math.h>
#include <string.h>

void atemi_xml_put_escaped(atemi_text *text, const char *string)
{
    for (const char *at = string; *at; ++at) {
        if (strchr("<>&\"'\t\n\r", *at)) {
            atemi_text_append(text, "&#%d;", *at);
        } else {
            atemi_text_put_character(text, *at);
        }
    }
}

void atemi_xml_put_string(atemi_text *text, const char *name, const char *string)
{
    atemi_text_append(text, " %s=\"", name);
    atemi_xml_put_escaped(text, string);
    atemi_text_put_character(text, '"');
}

void atemi_xml_put_numbers(atemi_text *text, const char *name, const double *values, int count)
{
    atemi_text_append(text, " %s=\"", name);
    for (int i = 0; i < count; ++i) {
        atemi_text_put_string(text, i ? " " : "");
        atemi_text_put_number(text, values[i]);
    }
    atemi_text_put_character(text, '"');
}

void atemi_xml_put_number(atemi_text *text, const char *name, double value)
{
    atemi_xml_put_numbers(text, name, &value, 1);
}

void atemi_xml_put_finite(atemi_text *text, const char *name, double value)
{
    if (isfinite(value)) {
        atemi_xml_put_number(text, name, value);
    }
}

void atemi_xml_put_vector(atemi_text *text, const char *name, atemi_vec3 x)
{
    const double values[] = {x.x, x.y, x.z};
    atemi_xml_put_numbers(text, name, values, 3);
}

void atemi_xml_put_nonzero(atemi_text *text, const char *name, double value)
{
    if (value != 0.0) {
        atemi_xml_put_number(text, name, value);
    }
}
