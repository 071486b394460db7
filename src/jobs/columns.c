// SPDX-License-Identifier: Apache-2.0

#include "jobs/columns.h"

#include "atemi/allocator.h"
#include "base/message.h"

#include <stdarg.h>
#include <stdio.h>

// A name of at most 300 bytes, that of a contact, and words of ours; longer ones are cut.
enum { NAME_SIZE = 512 };

// ---- Names

void atemi_columns_add(atemi_column_list *list, const char *unit, const char *format, ...)
{
    if (list->channels) {
        char    name[NAME_SIZE];
        va_list arguments;
        va_start(arguments, format);
        message_format(name, sizeof name, format, arguments);
        va_end(arguments);
        const char *kept = atemi_string_pool_copy(&list->names, name);
        list->failed = list->failed || !kept;
        list->channels[list->count] = (atemi_channel){.name = kept, .unit = unit};
    }
    ++list->count;
}

void atemi_columns_add_vector(atemi_column_list *list, const char *unit, const char *prefix,
                              const char *name)
{
    atemi_columns_add(list, unit, "%s%s_x", prefix, name);
    atemi_columns_add(list, unit, "%s%s_y", prefix, name);
    atemi_columns_add(list, unit, "%s%s_z", prefix, name);
}

// A quantity of the joints, with the units of what slides and of what turns.
typedef struct joint_quantity {
    const char *group, *slide_unit, *turn_unit;
    bool        is_q; ///< a position, not a rate or torque
} joint_quantity;

static void add_plane(atemi_column_list *list, const joint_quantity *quantity, const char *owner,
                      const char *second)
{
    atemi_columns_add(list, quantity->slide_unit, "%s.%s.x", quantity->group, owner);
    atemi_columns_add(list, quantity->slide_unit, "%s.%s.%s", quantity->group, owner, second);
    atemi_columns_add(list, quantity->turn_unit, "%s.%s.turn", quantity->group, owner);
}

static void add_space(atemi_column_list *list, const joint_quantity *quantity, const char *owner)
{
    char prefix[NAME_SIZE];
    snprintf(prefix, sizeof prefix, "%s.%s.", quantity->group, owner);
    if (!quantity->is_q) {
        atemi_columns_add_vector(list, quantity->slide_unit, prefix, "linear");
        atemi_columns_add_vector(list, quantity->turn_unit, prefix, "angular");
        return;
    }
    atemi_columns_add(list, quantity->slide_unit, "%sx", prefix);
    atemi_columns_add(list, quantity->slide_unit, "%sy", prefix);
    atemi_columns_add(list, quantity->slide_unit, "%sz", prefix);
    atemi_columns_add_vector(list, NULL, prefix, "quaternion");
    atemi_columns_add(list, NULL, "%squaternion_w", prefix);
}

static void add_base(atemi_column_list *list, const joint_quantity *quantity, atemi_base base)
{
    if (base == ATEMI_BASE_FLOATING) {
        add_space(list, quantity, "base");
    } else if (base != ATEMI_BASE_FIXED) {
        add_plane(list, quantity, "base", base == ATEMI_BASE_PLANAR ? "y" : "z");
    }
}

static void add_joints(atemi_column_list *list, const joint_quantity *quantity,
                       const atemi_model *model)
{
    for (int i = 0; i < atemi_model_joint_count(model); ++i) {
        const atemi_joint *joint = atemi_model_joint(model, i);
        if (joint->q_count == 1) {
            const bool slides = joint->type == ATEMI_JOINT_PRISMATIC;
            atemi_columns_add(list, slides ? quantity->slide_unit : quantity->turn_unit, "%s.%s",
                              quantity->group, joint->name);
        } else if (joint->type == ATEMI_JOINT_PLANAR && joint->q_count > 0) {
            add_plane(list, quantity, joint->name, "y");
        } else if (joint->type == ATEMI_JOINT_FLOATING && joint->q_count > 0) {
            add_space(list, quantity, joint->name);
        }
    }
}

void atemi_columns_add_contacts(atemi_column_list *list, const atemi_scenario_contacts *contacts)
{
    for (int i = 0; i < contacts->count; ++i) {
        char prefix[NAME_SIZE];
        snprintf(prefix, sizeof prefix, "contact.%s.", contacts->about[i].name);
        atemi_columns_add_vector(list, "m", prefix, "position");
        atemi_columns_add_vector(list, "N", prefix, "force");
        atemi_columns_add(list, NULL, "%smode", prefix);
        atemi_columns_add(list, "m", "%sgap", prefix);
    }
}

bool atemi_columns_has_wrench(const atemi_model *model, int joint)
{
    return atemi_model_joint(model, joint)->type != ATEMI_JOINT_FIXED;
}

void atemi_columns_add_wrenches(atemi_column_list *list, const atemi_model *model)
{
    for (int i = 0; i < atemi_model_joint_count(model); ++i) {
        char prefix[NAME_SIZE];
        if (atemi_columns_has_wrench(model, i)) {
            snprintf(prefix, sizeof prefix, "wrench.%s.", atemi_model_joint(model, i)->name);
            atemi_columns_add_vector(list, "N", prefix, "force");
            atemi_columns_add_vector(list, "N m", prefix, "moment");
        }
    }
}

void atemi_columns_add_motion(atemi_column_list *list, const atemi_model *model)
{
    static const joint_quantity quantities[] = {{"q", "m", "rad", true},
                                                {"v", "m/s", "rad/s", false},
                                                {"a", "m/s^2", "rad/s^2", false},
                                                {"tau", "N", "N m", false}};
    for (size_t i = 0; i < sizeof quantities / sizeof quantities[0]; ++i) {
        add_base(list, &quantities[i], atemi_model_base(model));
        add_joints(list, &quantities[i], model);
    }
}

void atemi_columns_add_zmp(atemi_column_list *list)
{
    atemi_columns_add(list, "m", "zmp.x");
    atemi_columns_add(list, "m", "zmp.y");
    atemi_columns_add(list, "m", "zmp.margin");
}

// ---- The recording

int atemi_columns_count(atemi_columns_namer *name, const void *context)
{
    atemi_column_list list = {0};
    name(&list, context);
    return list.count;
}

atemi_status atemi_columns_create(atemi_columns_namer *name, const void *context,
                                  atemi_recording **recording, atemi_error *error)
{
    atemi_status      status = ATEMI_ERROR_MEMORY;
    atemi_column_list list = {0};
    const int         count = atemi_columns_count(name, context);
    list.channels = (atemi_channel *)atemi_allocate((size_t)count * sizeof *list.channels);
    if (list.channels) {
        name(&list, context);
    }
    if (!list.channels || list.failed) {
        (void)atemi_fail(error, status, "no memory for the columns of a recording");
    } else {
        status = atemi_recording_create(count, list.channels, recording, error);
    }
    atemi_string_pool_destroy(&list.names);
    atemi_release(list.channels);
    return status;
}
