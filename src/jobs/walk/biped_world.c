// SPDX-License-Identifier: Apache-2.0

#include "jobs/walk/walk_scenario.h"

#include "atemi/base.h"
#include "atemi/model_builder.h"
#include "io/scenario/scenario_believed.h"
#include "io/scenario/scenario_failure.h"
#include "io/scenario/scenario_pick.h"

#include <math.h>

// What the robot carries, and what the controller believes of it.

enum { MAX_PAYLOADS = 100 };

/// The payloads, those first that the controller knows of.
typedef struct payload_list {
    atemi_payload *payloads;
    int            count, known;
} payload_list;

static atemi_payload read_payload(atemi_scenario_reader *reader, const atemi_model *model,
                                  bool *known)
{
    const char *link = atemi_scenario_string(
        reader, "link", (atemi_string_key){.required = true, .help = "that carries it"});
    atemi_payload payload = {.link =
                                 atemi_scenario_pick(reader, atemi_scenario_links(model), link)};
    payload.mass = atemi_scenario_number(reader, "mass",
                                         (atemi_number_key){.unit = "kg",
                                                            .lower = 0.0,
                                                            .upper = 1e4,
                                                            .reason = "no robot carries more",
                                                            .open = true,
                                                            .required = true,
                                                            .help = "of a point"});
    payload.position = atemi_scenario_vec3(
        reader, "position", (atemi_vec3_key){.unit = "m", .help = "in the link's frame"});
    *known =
        atemi_scenario_boolean(reader, "known", (atemi_boolean_key){.help = "to the controller"});
    return payload;
}

static void add(payload_list *list, atemi_payload payload, bool known)
{
    if (known) {
        list->payloads[list->count++] = list->payloads[list->known];
        list->payloads[list->known++] = payload;
    } else {
        list->payloads[list->count++] = payload;
    }
}

static payload_list read_payloads(atemi_scenario_reader *reader, const atemi_model *model)
{
    payload_list list = {0};
    const int    count = atemi_scenario_enter_list(reader, "payloads", 0, MAX_PAYLOADS,
                                                   "what the robot carries, base: floating");
    list.payloads =
        (atemi_payload *)atemi_scenario_allocate(reader, sizeof *list.payloads, count + 1);
    while (atemi_scenario_next(reader)) {
        bool                known;
        const atemi_payload payload = read_payload(reader, model, &known);
        add(&list, payload, known);
    }
    return list;
}

static void read_believed(atemi_scenario_reader *reader, atemi_model_variation *believed,
                          double *friction, bool *map)
{
    static const char *const floors[] = {"felt", "map", NULL};

    if (!atemi_scenario_enter(reader, "believed", ATEMI_DEFAULTED,
                              "what the controller believes of robot and floor, base: floating")) {
        return;
    }
    atemi_scenario_read_variation(reader, believed);
    *friction =
        atemi_scenario_number(reader, "friction",
                              (atemi_number_key){.fallback = *friction,
                                                 .lower = 0.01,
                                                 .upper = 10.0,
                                                 .reason = "no sole has less or more",
                                                 .help = "of the floor, that forces keep within"});
    *map = atemi_scenario_choice(
               reader, "floor",
               (atemi_choice_key){.words = floors,
                                  .help = "a plane that soles feel, or a map of its heights: soles "
                                          "land whole on one tread"}) == 1;
    atemi_scenario_leave(reader);
}

void atemi_biped_world_read(atemi_scenario_reader *reader, atemi_walk_scenario *scenario)
{
    atemi_walk_scenario      *s = scenario;
    const atemi_model        *model = s->robot.model;
    const atemi_scenario_mark mark = atemi_scenario_last(reader);
    payload_list              list = read_payloads(reader, model);
    atemi_model_variation     believed = atemi_model_variation_none();
    atemi_model_variation     carries = atemi_model_variation_none();
    atemi_model              *robot = NULL;
    read_believed(reader, &believed, &s->biped.controller.friction, &s->biped.map);
    believed.payloads = carries.payloads = list.payloads;
    believed.payload_count = list.known;
    carries.payload_count = list.count;
    if (believed.masses != 1.0 || believed.lengths != 1.0 || list.known < list.count) {
        atemi_scenario_vary(reader, mark, model, &believed, &s->believed);
    }
    if (list.count > 0) {
        atemi_scenario_vary(reader, mark, model, &carries, &robot);
    }
    if (robot) {
        atemi_model_destroy(s->robot.model);
        s->robot.model = robot;
    }
    s->biped.believed = s->believed;
    atemi_release(list.payloads);
}
