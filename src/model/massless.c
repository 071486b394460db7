// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"
#include "model/assembly.h"

#include <stdio.h>
#include <string.h>

enum { MOST_NAMED = 200 }; // bytes of names in the warning

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

static void add_name(const char *name, char *names)
{
    const size_t used = strlen(names), more = strlen(name) + 4;
    if (used + more < MOST_NAMED) {
        snprintf(names + used, MOST_NAMED - used, "%s'%s'", used ? ", " : "", name);
    } else if (used + 6 < MOST_NAMED && strcmp(names + used - 3, "...") != 0) {
        snprintf(names + used, MOST_NAMED - used, ", ...");
    }
}

static bool is_kept(const atemi_topology *t, int joint)
{
    return moves(&t->joints[joint]) && !t->weighs[joint + 1];
}

static void warn(const char *robot, int count, const char *names)
{
    atemi_log(ATEMI_LOG_WARNING,
              "robot '%s': %d joint%s nothing that has a mass, and %s kept as fixed: %s", robot,
              count, count > 1 ? "s move" : " moves", count > 1 ? "are" : "is", names);
}

void atemi_topology_keep_massless(const atemi_model_builder *builder, atemi_topology *t)
{
    char names[MOST_NAMED] = "";
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
    for (int j = 0; j < builder->joint_count; ++j) {
        if (is_kept(t, j)) {
            t->joints[j].type = ATEMI_JOINT_FIXED;
            t->joints[j].mimic = NULL;
            add_name(t->joints[j].name, names);
        }
    }
    warn(builder->robot, count, names);
}
