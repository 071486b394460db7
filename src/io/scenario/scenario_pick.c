// SPDX-License-Identifier: Apache-2.0

#include "io/scenario/scenario_pick.h"

#include "io/scenario/scenario_parts.h"
#include "io/syntax/suggestion.h"

#include <string.h>

static const char *link_name(const void *model, int index)
{
    return atemi_model_link((const atemi_model *)model, index)->name;
}

static const char *joint_name(const void *model, int index)
{
    return atemi_model_joint((const atemi_model *)model, index)->name;
}

static const char *site_name(const void *model, int index)
{
    return atemi_model_site((const atemi_model *)model, index)->name;
}

static const char *posture_name(const void *model, int index)
{
    return atemi_model_posture_name((const atemi_model *)model, index);
}

atemi_scenario_names atemi_scenario_links(const atemi_model *model)
{
    return (atemi_scenario_names){"link", model ? atemi_model_link_count(model) : 0, link_name,
                                  model, NULL};
}

atemi_scenario_names atemi_scenario_joints(const atemi_model *model)
{
    return (atemi_scenario_names){"joint", model ? atemi_model_joint_count(model) : 0, joint_name,
                                  model, NULL};
}

atemi_scenario_names atemi_scenario_sites(const atemi_model *model)
{
    return (atemi_scenario_names){"site", model ? atemi_model_site_count(model) : 0, site_name,
                                  model, NULL};
}

atemi_scenario_names atemi_scenario_postures(const atemi_model *model)
{
    return (atemi_scenario_names){"posture", model ? atemi_model_posture_count(model) : 0,
                                  posture_name, model, NULL};
}

static void fail_on_name(atemi_scenario_reader *reader, atemi_scenario_mark mark,
                         const atemi_scenario_names *names, const char *name)
{
    char        quote[ATEMI_QUOTE_SIZE];
    const char *meant = atemi_suggestion_find(name, names->count, names->name, names->collection);
    const char *first = names->count > 0 ? names->name(names->collection, 0) : NULL;
    atemi_scenario_fail(reader, mark, "there is no %s '%s'%s%s%s; give the name of one%s%s",
                        names->noun, atemi_scenario_quote(name, quote),
                        ATEMI_SUGGESTION_TEXT(meant),
                        first ? ", such as " : ", of which there are none", first ? first : "");
}

int atemi_scenario_pick_at(atemi_scenario_reader *reader, atemi_scenario_mark mark,
                           atemi_scenario_names names, const char *name)
{
    if (!name || reader->blank || reader->error.status) {
        return -1;
    }
    for (int i = 0; i < names.count; ++i) {
        if (strcmp(names.name(names.collection, i), name) == 0) {
            return i;
        }
    }
    fail_on_name(reader, mark, &names, name);
    return -1;
}

int atemi_scenario_pick(atemi_scenario_reader *reader, atemi_scenario_names names, const char *name)
{
    return atemi_scenario_pick_at(reader, atemi_scenario_last(reader), names, name);
}

bool atemi_scenario_wants(const atemi_scenario_reader *reader, int chosen, int variant)
{
    return reader->blank || chosen == variant;
}

bool atemi_scenario_is_blank(const atemi_scenario_reader *reader)
{
    return reader->blank;
}
