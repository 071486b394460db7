// SPDX-License-Identifier: Apache-2.0

#include "jobs/yaml_writing.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

void yaml_put_name(atemi_text *yaml, const char *name)
{
    static const char *const words[] = {"y",   "n",    "yes",   "no",   "on",
                                        "off", "true", "false", "null", "inf"};
    bool                     plain = is_letter(name[0]) || name[0] == '/' || name[0] == '.';
    for (const char *c = name; *c; ++c) {
        plain = plain && (is_letter(*c) || (*c >= '0' && *c <= '9') || strchr("_-./", *c));
    }
    for (size_t i = 0; i < sizeof words / sizeof words[0]; ++i) {
        plain = plain && strcmp(name, words[i]) != 0;
    }
    if (plain) {
        atemi_text_put_string(yaml, name);
    } else {
        atemi_text_put_json_string(yaml, name);
    }
}

void yaml_put(atemi_text *yaml, double value)
{
    const double kept = fabs(value) < 1e3 ? floor(1e10 * value + 0.5) / 1e10 : value;
    atemi_text_append_number(yaml, kept == 0.0 ? 0.0 : kept);
}

void yaml_put_vec3(atemi_text *yaml, atemi_vec3 v)
{
    const double list[] = {v.x, v.y, v.z};
    for (int i = 0; i < 3; ++i) {
        atemi_text_put_string(yaml, i ? ", " : "[");
        yaml_put(yaml, list[i]);
    }
    atemi_text_put_string(yaml, "]");
}

void yaml_put_angle(atemi_text *yaml, double angle)
{
    yaml_put(yaml, floor(angle * 1800.0 / pi + 0.5) / 10.0);
    atemi_text_put_string(yaml, " deg");
}

void yaml_put_joints(atemi_text *yaml, const atemi_model *model, const double *q, const char *key,
                     bool slide)
{
    bool begun = false;
    for (int j = 0; j < atemi_model_joint_count(model); ++j) {
        const atemi_joint *joint = atemi_model_joint(model, j);
        const double       at = joint->q_count == 1 ? q[joint->first_q] : 0.0;
        if (at == 0.0 || (joint->type == ATEMI_JOINT_PRISMATIC) != slide) {
            continue;
        }
        if (!begun) {
            atemi_text_append(yaml, "  %s:\n", key);
        }
        begun = true;
        atemi_text_put_string(yaml, "    ");
        yaml_put_name(yaml, joint->name);
        atemi_text_put_string(yaml, ": ");
        yaml_put(yaml, at);
        atemi_text_put_string(yaml, "\n");
    }
}
