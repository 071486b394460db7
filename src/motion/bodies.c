// SPDX-License-Identifier: Apache-2.0

#include "motion/bodies.h"

bool atemi_link_is_body(const atemi_model *model, int link)
{
    const int joint = atemi_model_link(model, link)->parent_joint;
    return joint == ATEMI_NONE || atemi_model_joint(model, joint)->type != ATEMI_JOINT_FIXED;
}

int atemi_body_of(const atemi_model *model, int link)
{
    while (!atemi_link_is_body(model, link)) {
        link = atemi_model_joint(model, atemi_model_link(model, link)->parent_joint)->parent_link;
    }
    return link;
}

int atemi_body_joint(const atemi_model *model, int body)
{
    return atemi_model_link(model, body)->parent_joint;
}

int atemi_body_above(const atemi_model *model, int body)
{
    const int joint = atemi_body_joint(model, body);
    return joint == ATEMI_NONE ? ATEMI_NONE
                               : atemi_body_of(model, atemi_model_joint(model, joint)->parent_link);
}

bool atemi_body_is_beyond(const atemi_model *model, int body, int other)
{
    while (body != ATEMI_NONE && body != other) {
        body = atemi_body_above(model, body);
    }
    return body == other;
}

int atemi_body_depth(const atemi_model *model, int body)
{
    int depth = 0;
    for (int at = atemi_body_above(model, body); at != ATEMI_NONE;
         at = atemi_body_above(model, at)) {
        ++depth;
    }
    return depth;
}

int atemi_body_children(const atemi_model *model, int body)
{
    int count = 0;
    for (int j = 0; j < atemi_model_joint_count(model); ++j) {
        const atemi_joint *joint = atemi_model_joint(model, j);
        count +=
            joint->type != ATEMI_JOINT_FIXED && atemi_body_of(model, joint->parent_link) == body;
    }
    return count;
}

int atemi_body_common(const atemi_model *model, int a, int b)
{
    while (!atemi_body_is_beyond(model, b, a)) {
        a = atemi_body_above(model, a);
    }
    return a;
}
