// SPDX-License-Identifier: Apache-2.0

#include "jobs/simulate/simulate_overlaps.h"

#include "atemi/base.h"

#include <stdio.h>
#include <string.h>

// To lift shapes out of each other costs energy that nobody has put in. What is less deep than this
// is hardly noticed: 10 kg that are lifted by a tenth of a millimetre have got 10 mJ.
static const double deep = 1e-4; // m

enum { MOST_TRIALS = 3, MOST_NAMES = 240 };

// ---- Names

static const char *name_of(const atemi_simulate_scenario *s, int shape)
{
    const int link = s->shapes.shapes.shapes[shape].link;
    return atemi_model_link(s->robot.model, link)->name;
}

static atemi_status refuse(const atemi_simulate_scenario *s, const atemi_touch_report *touch,
                           atemi_error *error)
{
    const char  *first = name_of(s, touch->first);
    const double depth = -1e3 * touch->gap;
    if (touch->second == ATEMI_NONE) {
        const char *surface = s->surfaces.names[touch->surface];
        return atemi_fail(
            error, ATEMI_ERROR_INPUT,
            "'%s' starts %.3g mm inside '%s'; give start.place_on: %s, another start, "
            "or another surface",
            first, depth, surface, surface);
    }
    return atemi_fail(
        error, ATEMI_ERROR_INPUT,
        "'%s' starts %.3g mm inside '%s'; begin with another place or posture, or list "
        "the two under shapes.exclude",
        first, depth, name_of(s, touch->second));
}

// ---- Pairs

static bool is_known(const atemi_simulation_shapes *shapes, atemi_link_pair pair)
{
    bool known = false;
    for (int i = 0; i < shapes->excluded_count; ++i) {
        const atemi_link_pair one = shapes->excluded[i];
        known = known || (one.first == pair.first && one.second == pair.second);
    }
    return known;
}

static atemi_status exclude(atemi_simulate_scenario *s, const atemi_touch_report *touch,
                            atemi_error *error)
{
    atemi_simulation_shapes *shapes = &s->shapes.shapes;
    const size_t             count = (size_t)shapes->excluded_count;
    const atemi_link_pair    pair = {shapes->shapes[touch->first].link,
                                     shapes->shapes[touch->second].link};
    if (is_known(shapes, pair)) {
        return ATEMI_OK;
    }
    atemi_link_pair *more = (atemi_link_pair *)atemi_allocate((count + 1) * sizeof *more);
    if (!more) {
        return atemi_fail(error, ATEMI_ERROR_MEMORY, "no memory for pairs of shapes");
    }
    if (count > 0) {
        memcpy(more, shapes->excluded, count * sizeof *more);
    }
    more[count] = pair;
    atemi_release(s->shapes.excluded);
    shapes->excluded = s->shapes.excluded = more;
    ++shapes->excluded_count;
    return ATEMI_OK;
}

static void warn(const atemi_simulate_scenario *s, int from)
{
    const atemi_simulation_shapes *shapes = &s->shapes.shapes;
    char                           names[MOST_NAMES] = "";
    int                            named = 0;
    for (int i = from; i < shapes->excluded_count; ++i) {
        const atemi_link_pair pair = shapes->excluded[i];
        const char           *a = atemi_model_link(s->robot.model, pair.first)->name;
        const char           *b = atemi_model_link(s->robot.model, pair.second)->name;
        const size_t          used = strlen(names);
        if (used + strlen(a) + strlen(b) + 8 < sizeof names) {
            snprintf(names + used, sizeof names - used, "%s%s and %s", named ? ", " : "", a, b);
            ++named;
        }
    }
    const int left = shapes->excluded_count - from - named;
    atemi_log(ATEMI_LOG_WARNING, "shapes overlap at the start, and do not touch each other: %s%s",
              names, left > 0 ? ", ..." : "");
}

// ---- Trials

static atemi_status look(atemi_simulate_scenario *s, const atemi_simulation *trial,
                         atemi_error *error)
{
    atemi_status status = ATEMI_OK;
    for (int i = 0; i < atemi_simulation_touch_count(trial) && !status; ++i) {
        const atemi_touch_report touch = atemi_simulation_touch(trial, i);
        if (touch.gap >= -deep) {
            continue;
        }
        status = touch.second == ATEMI_NONE || s->bodies.count > 0 ? refuse(s, &touch, error)
                                                                   : exclude(s, &touch, error);
    }
    return status;
}

// Nothing happens in it. What it cannot begin with, the simulation will say.
static atemi_status look_at_start(atemi_simulate_scenario *s, atemi_error *error)
{
    atemi_simulation  *trial = NULL;
    const atemi_status status = atemi_simulation_create(
        s->robot.model, s->surfaces.surfaces, s->surfaces.count, s->contacts.points,
        s->contacts.count, &s->options, NULL, &trial, error);
    if (status) {
        return status;
    }
    const bool         begun = !atemi_simulation_start(trial, 0.0, s->start.q, s->start.v, NULL);
    const atemi_status seen = begun ? look(s, trial, error) : ATEMI_OK;
    atemi_simulation_destroy(trial);
    return seen;
}

atemi_status atemi_simulate_overlaps_clear(atemi_simulate_scenario *scenario, atemi_error *error)
{
    const int    before = scenario->shapes.shapes.excluded_count;
    atemi_status status = ATEMI_OK;
    bool         changed = scenario->shapes.touch && scenario->options.method == ATEMI_METHOD_STEPS;
    for (int i = 0; i < MOST_TRIALS && changed && !status; ++i) {
        const int count = scenario->shapes.shapes.excluded_count;
        status = look_at_start(scenario, error);
        changed = scenario->shapes.shapes.excluded_count > count;
    }
    if (!status && scenario->shapes.shapes.excluded_count > before) {
        warn(scenario, before);
    }
    return status;
}
