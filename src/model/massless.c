// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"
#include "model/assembly.h"

#include <string.h>

enum { MOST_NAMED = 200, ROOM_FOR_REST = 12 }; // bytes of names in the warning

static bool has_mass(const atemi_inertia *inertia)
{
    const atemi_symmetric3 *I = &inertia->rotational;
    return inertia->mass > 0.0 || I->xx != 0.0 || I->yy != 0.0 || I->zz != 0.0;
}

static bool moves(const atemi_joint_description *joint)
{
    return joint->type != ATEMI_JOINT_FIXED;
}

// A rotor turns one axis only.
static bool has_rotor(const atemi_joint_description *joint)
{
    return joint->armature > 0.0 && atemi_joint_v_count(joint->type) == 1;
}

// From the ends of the tree to its root.
static void find_weights(const atemi_model_builder *builder, atemi_topology *t)
{
    for (int i = builder->link_count - 1; i >= 0; --i) {
        t->weighs[i] = t->weighs[i] || has_mass(&builder->links[t->described_link[i]].inertia) ||
                       (i > 0 && has_rotor(&t->joints[i - 1]));
        if (t->weighs[i] && i > 0) {
            t->weighs[t->parent[i]] = true;
        }
    }
}

// What a joint that weighs mimics has to move with it.
static bool pass_to_mimicked(const atemi_model_builder *builder, atemi_topology *t)
{
    bool changed = false;
    for (int j = 0; j < builder->joint_count; ++j) {
        const int k =
            t->weighs[j + 1] && t->joints[j].mimic
                ? atemi_names_find(t->joint_names, builder->joint_count, t->joints[j].mimic)
                : ATEMI_NONE;
        if (k != ATEMI_NONE) {
            const int link =
                atemi_names_find(t->link_names, builder->link_count, builder->joints[k].child);
            bool *weighs = &t->weighs[t->link_index[link]];
            changed = changed || !*weighs;
            *weighs = true;
        }
    }
    return changed;
}

static bool is_kept(const atemi_topology *t, int joint)
{
    return moves(&t->joints[joint]) && !t->weighs[joint + 1];
}

static void append(const char *text, char *names, size_t *used)
{
    const size_t size = strlen(text);
    memcpy(names + *used, text, size + 1);
    *used += size;
}

// As many names as there is room for.
static void list_names(const atemi_model_builder *builder, const atemi_topology *t, char *names)
{
    size_t used = 0;
    names[0] = '\0';
    for (int j = 0; j < builder->joint_count; ++j) {
        const char *name = t->joints[j].name;
        if (!is_kept(t, j)) {
            continue;
        }
        if (used + strlen(name) + ROOM_FOR_REST > MOST_NAMED) {
            append(used > 0 ? ", ..." : "...", names, &used);
            return;
        }
        append(used > 0 ? ", '" : "'", names, &used);
        append(name, names, &used);
        append("'", names, &used);
    }
}

static void warn(const char *robot, int count, const char *names)
{
    atemi_log(ATEMI_LOG_WARNING,
              "robot '%s': %d joint%s nothing that has a mass, and %s kept as fixed: %s", robot,
              count, count > 1 ? "s move" : " moves", count > 1 ? "are" : "is", names);
}

void atemi_topology_keep_massless(const atemi_model_builder *builder, atemi_topology *t)
{
    char names[MOST_NAMED];
    int  count = 0, moving = 0;
    memset(t->weighs, 0, (size_t)builder->link_count * sizeof *t->weighs);
    do {
        find_weights(builder, t);
    } while (pass_to_mimicked(builder, t));
    for (int j = 0; j < builder->joint_count; ++j) {
        moving += moves(&t->joints[j]);
        count += is_kept(t, j);
    }
    if (count == 0 || count == moving) {
        return;
    }
    list_names(builder, t, names);
    for (int j = 0; j < builder->joint_count; ++j) {
        if (is_kept(t, j)) {
            t->joints[j].type = ATEMI_JOINT_FIXED;
            t->joints[j].mimic = NULL;
        }
    }
    warn(builder->robot, count, names);
}
