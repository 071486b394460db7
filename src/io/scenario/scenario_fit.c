// SPDX-License-Identifier: Apache-2.0

#include "io/scenario/scenario_fit.h"

#include "io/scenario/scenario_parts.h"

#include <string.h>

static bool has(const atemi_scenario_reader *reader, const atemi_scenario_row *row)
{
    return atemi_scenario_fit_has(reader, row->key) ||
           (row->alias && atemi_scenario_fit_has(reader, row->alias));
}

static void add(atemi_scenario_fit *fit, const char *key, bool missing, atemi_place place)
{
    if (fit->misfits++ == 0) {
        fit->key = key;
        fit->missing = missing;
        fit->place = place;
    }
}

static bool is_named(const atemi_scenario_row *row, const char *key)
{
    return row->key && (strcmp(row->key, key) == 0 || (row->alias && strcmp(row->alias, key) == 0));
}

static bool declares(const atemi_scenario_reader *schema, const char *key)
{
    for (int i = 0; i < schema->row_count; ++i) {
        if (schema->rows[i].depth == 0 && is_named(&schema->rows[i], key)) {
            return true;
        }
    }
    return false;
}

atemi_scenario_fit atemi_scenario_fit_find(const atemi_scenario_reader *reader,
                                           const atemi_scenario_reader *schema)
{
    const atemi_yaml_node *root = &reader->tree.nodes[0];
    atemi_scenario_fit     fit = {.place = root->place};
    for (int i = root->first; i >= 0; i = reader->tree.nodes[i].next) {
        if (!declares(schema, reader->tree.nodes[i].key)) {
            add(&fit, reader->tree.nodes[i].key, false, reader->tree.nodes[i].key_place);
        }
    }
    for (int i = 0; i < schema->row_count; ++i) {
        const atemi_scenario_row *row = &schema->rows[i];
        if (row->depth == 0 && row->required && !has(reader, row)) {
            add(&fit, row->key, true, root->place);
        }
    }
    return fit;
}

bool atemi_scenario_fit_has(const atemi_scenario_reader *reader, const char *key)
{
    return reader->tree.nodes &&
           atemi_yaml_find(&reader->tree, &reader->tree.nodes[0], key) != NULL;
}
