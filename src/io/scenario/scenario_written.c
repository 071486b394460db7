// SPDX-License-Identifier: Apache-2.0

#include "io/scenario/scenario_parts.h"
#include "io/scenario/scenario_pick.h"

#include <string.h>

static bool has_unit(const char *text)
{
    return text[0] && !strchr("0123456789.", text[strlen(text) - 1]);
}

const char *atemi_scenario_written(atemi_scenario_reader *reader, atemi_scenario_mark mark,
                                   double value, const char *unit)
{
    char quote[ATEMI_QUOTE_SIZE];
    for (int i = 0; i < reader->tree.count; ++i) {
        const atemi_yaml_node *node = &reader->tree.nodes[i];
        if (node->kind == ATEMI_YAML_SCALAR && has_unit(node->text) &&
            node->place.line == mark.place.line && node->place.column == mark.place.column) {
            return atemi_scenario_keep(reader, "%s", atemi_scenario_quote(node->text, quote));
        }
    }
    return atemi_scenario_keep(reader, "%g %s", value, unit);
}

void atemi_scenario_check_order(atemi_scenario_reader *reader, atemi_scenario_mark from_mark,
                                double from, atemi_scenario_mark to_mark, double to,
                                const char *unit, const char *noun)
{
    if (!(to > from) && !atemi_scenario_is_blank(reader)) {
        atemi_scenario_fail(reader, to_mark, "%s is not after from, %s; give a later %s",
                            atemi_scenario_written(reader, to_mark, to, unit),
                            atemi_scenario_written(reader, from_mark, from, unit), noun);
    }
}
