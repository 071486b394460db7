// SPDX-License-Identifier: Apache-2.0

#include "io/scenario/scenario_parts.h"

#include <string.h>

// The old name is replaced in the tree as soon as the new one is declared, so that all else only
// ever meets the new one.

static atemi_scenario_mark mark_of(atemi_scenario_reader *reader, const atemi_yaml_node *node)
{
    return (atemi_scenario_mark){
        atemi_scenario_child_path(reader, atemi_scenario_top(reader)->mark.path, node->key),
        node->key_place};
}

static void rename_key(atemi_scenario_reader *reader, atemi_yaml_node *node, const char *key)
{
    atemi_scenario_warn(reader, mark_of(reader, node),
                        "this key is now called '%s'; the old name will go with the next version",
                        key);
    node->key = key;
}

void atemi_scenario_alias(atemi_scenario_reader *reader, const char *key, const char *old)
{
    if (reader->error.status) {
        return;
    }
    atemi_yaml_node *node = atemi_scenario_find(reader, old);
    reader->alias_key = key;
    reader->alias = old;
    if (!node || node->asked) {
        return;
    }
    if (atemi_scenario_find(reader, key)) {
        atemi_scenario_fail(reader, mark_of(reader, node),
                            "this is the old name of '%s', which is here as well; remove one of "
                            "the two",
                            key);
    } else {
        rename_key(reader, node, key);
    }
}
