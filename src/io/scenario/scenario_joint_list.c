// SPDX-License-Identifier: Apache-2.0

#include "io/scenario/scenario_joint_list.h"

#include "atemi/base.h"
#include "io/scenario/scenario_failure.h"
#include "io/scenario/scenario_joint_range.h"
#include "io/scenario/scenario_pick.h"

#include <string.h>

static bool is_listed(const atemi_joint *joint, bool slides)
{
    return joint->q_count == 1 && (joint->type == ATEMI_JOINT_PRISMATIC) == slides;
}

static void begin(atemi_scenario_reader *reader, const atemi_model *model, int capacity,
                  atemi_scenario_joint_list *list)
{
    *list = (atemi_scenario_joint_list){.model = model};
    list->joints = (int *)atemi_scenario_allocate(reader, sizeof *list->joints, capacity);
}

// All joints that turn, or all that slide.
static void find_joints(atemi_scenario_reader *reader, const atemi_model *model, bool slides,
                        atemi_scenario_joint_list *list)
{
    const int count = model ? atemi_model_joint_count(model) : 0;
    begin(reader, model, count, list);
    list->slides = slides;
    for (int i = 0; i < count && list->joints; ++i) {
        if (is_listed(atemi_model_joint(model, i), slides)) {
            list->joints[list->count++] = i;
        }
    }
}

// ---- Choosing

static bool is_in(const atemi_scenario_joint_list *list, int joint)
{
    for (int i = 0; i < list->count; ++i) {
        if (list->joints[i] == joint) {
            return true;
        }
    }
    return false;
}

static void add_named(atemi_scenario_reader *reader, const char *name,
                      atemi_scenario_joint_list *list)
{
    const int index = atemi_scenario_pick(reader, atemi_scenario_joints(list->model), name);
    if (index < 0) {
        return;
    }
    const atemi_joint        *joint = atemi_model_joint(list->model, index);
    const atemi_scenario_mark mark = atemi_scenario_last(reader);
    const bool                slides = joint->type == ATEMI_JOINT_PRISMATIC;
    if (joint->q_count != 1) {
        atemi_scenario_fail(reader, mark,
                            "the joint '%s' has %d coordinates; give a revolute or prismatic one",
                            name, joint->q_count);
    } else if (list->count > 0 && slides != list->slides) {
        atemi_scenario_fail(
            reader, mark,
            "'%s' is %s and the joints before it are not, so one number cannot have "
            "the unit of both; give them apart",
            name, slides ? "prismatic" : "revolute");
    } else if (is_in(list, index)) {
        atemi_scenario_fail(reader, mark, "'%s' appears twice; give it once", name);
    } else {
        list->slides = slides;
        list->joints[list->count++] = index;
    }
}

static void choose_listed(atemi_scenario_reader *reader, const char *key, const char *help,
                          const atemi_model *model, atemi_scenario_joint_list *list)
{
    const int count =
        atemi_scenario_enter_list(reader, key, 1, atemi_model_joint_count(model), help);
    begin(reader, model, count, list);
    while (atemi_scenario_next(reader)) {
        add_named(reader, atemi_scenario_string(reader, NULL, (atemi_string_key){.required = true}),
                  list);
    }
}

static void choose_all(atemi_scenario_reader *reader, const atemi_model *model,
                       atemi_scenario_joint_list *list)
{
    find_joints(reader, model, false, list);
    if (model && list->count == 0) {
        atemi_scenario_joint_list_destroy(list);
        find_joints(reader, model, true, list);
    }
}

void atemi_scenario_choose_joints(atemi_scenario_reader *reader, const char *key,
                                  const atemi_model *model, atemi_scenario_joint_list *list)
{
    static const char help[] = "all, the name of one, or a list of names";
    *list = (atemi_scenario_joint_list){.model = model};
    if (model && atemi_scenario_look(reader, key) == ATEMI_SCENARIO_LIST) {
        choose_listed(reader, key, help, model, list);
        return;
    }
    const char *name =
        atemi_scenario_string(reader, key, (atemi_string_key){.fallback = "all", .help = help});
    if (strcmp(name, "all") == 0) {
        choose_all(reader, model, list);
        return;
    }
    begin(reader, model, 1, list);
    add_named(reader, name, list);
}

// ---- Numbers

static const char *name_at(const void *list, int index)
{
    const atemi_scenario_joint_list *joints = (const atemi_scenario_joint_list *)list;
    return atemi_model_joint(joints->model, joints->joints[index])->name;
}

static void check_position(atemi_scenario_reader *reader, atemi_scenario_mark mark,
                           const char *text, const void *list, int index, double value)
{
    const atemi_scenario_joint_list *joints = (const atemi_scenario_joint_list *)list;
    atemi_scenario_check_joint(reader, mark, text,
                               atemi_model_joint(joints->model, joints->joints[index]), value);
}

void atemi_scenario_read_by_joint(atemi_scenario_reader *reader, const char *key,
                                  atemi_number_key declaration, const char *const units[2],
                                  bool are_positions, const atemi_scenario_joint_list *list,
                                  double *values)
{
    const atemi_scenario_names names = {.noun = "joint",
                                        .count = list->count,
                                        .name = name_at,
                                        .collection = list,
                                        .check = are_positions ? check_position : NULL};
    declaration.unit = units[list->slides];
    if (!atemi_scenario_failed(reader)) {
        atemi_scenario_numbers_by_name(reader, key, declaration, names, values);
    }
}

static int place_of(const atemi_model *model, int joint, bool is_rate)
{
    const atemi_joint *about = atemi_model_joint(model, joint);
    return is_rate ? about->first_v : about->first_q;
}

static void read_all(atemi_scenario_reader *reader, const char *key, atemi_number_key declaration,
                     bool slides, const atemi_model *model, bool is_rate, double *all)
{
    const char *const         units[2] = {declaration.unit, declaration.unit};
    atemi_scenario_joint_list list;
    find_joints(reader, model, slides, &list);
    double *values = (double *)atemi_scenario_allocate(reader, sizeof *values, list.count);
    for (int i = 0; i < list.count && values && all; ++i) {
        values[i] = all[place_of(model, list.joints[i], is_rate)];
    }
    atemi_scenario_read_by_joint(reader, key, declaration, units, !is_rate, &list, values);
    for (int i = 0; i < list.count && values && all; ++i) {
        all[place_of(model, list.joints[i], is_rate)] = values[i];
    }
    atemi_release(values);
    atemi_scenario_joint_list_destroy(&list);
}

void atemi_scenario_read_joint_positions(atemi_scenario_reader *reader, const char *key,
                                         atemi_number_key declaration, bool slides,
                                         const atemi_model *model, double *q)
{
    read_all(reader, key, declaration, slides, model, false, q);
}

void atemi_scenario_read_joint_rates(atemi_scenario_reader *reader, const char *key,
                                     atemi_number_key declaration, bool slides,
                                     const atemi_model *model, double *v)
{
    read_all(reader, key, declaration, slides, model, true, v);
}

void atemi_scenario_joint_list_destroy(atemi_scenario_joint_list *list)
{
    atemi_release(list->joints);
    *list = (atemi_scenario_joint_list){0};
}
