// SPDX-License-Identifier: Apache-2.0

#include "io/robot/default_base.h"

#include "atemi/base.h"

#include <string.h>

void atemi_default_base_mark_moving(const atemi_model *model, bool *moving)
{
    // Parents come before their children.
    for (int i = 0; i < atemi_model_link_count(model); ++i) {
        const int          index = atemi_model_link(model, i)->parent_joint;
        const atemi_joint *joint = index == ATEMI_NONE ? NULL : atemi_model_joint(model, index);
        moving[i] = joint && (joint->type != ATEMI_JOINT_FIXED || moving[joint->parent_link]);
    }
}

static int root_of(const atemi_model *model)
{
    int link = 0;
    while (atemi_model_link(model, link)->parent_joint != ATEMI_NONE) {
        ++link;
    }
    return link;
}

static bool root_has_mass(const atemi_model *model, const bool *moving)
{
    bool found = false;
    for (int i = 0; i < atemi_model_link_count(model); ++i) {
        found = found || (!moving[i] && atemi_model_link(model, i)->inertia.mass > 0.0);
    }
    return found;
}

// A body without mass cannot be free by itself: descriptions of manipulators begin with such a
// link, which stands for the ground.
static atemi_base choose(const atemi_model *model, const bool *moving, const char **reason)
{
    const char *root = atemi_model_link(model, root_of(model))->name;
    if (strcmp(root, "world") == 0) {
        *reason = "default: the root link is named 'world'";
        return ATEMI_BASE_FIXED;
    }
    if (!root_has_mass(model, moving)) {
        *reason = "default: the root link has no mass";
        return ATEMI_BASE_FIXED;
    }
    *reason = "default: the root link has mass";
    return ATEMI_BASE_FLOATING;
}

atemi_status atemi_default_base(const atemi_model *model, atemi_base *base, const char **reason,
                                atemi_error *error)
{
    const char *ignored;
    bool *moving = (bool *)atemi_allocate((size_t)atemi_model_link_count(model) * sizeof *moving);
    if (!moving) {
        return atemi_fail(error, ATEMI_ERROR_MEMORY, "no memory to choose the base of a robot");
    }
    atemi_default_base_mark_moving(model, moving);
    *base = choose(model, moving, reason ? reason : &ignored);
    atemi_release(moving);
    return ATEMI_OK;
}
