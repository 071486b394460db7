// SPDX-License-Identifier: Apache-2.0

#include "jobs/control/control_world.h"

#include "atemi/base.h"
#include "atemi/model_builder.h"
#include "io/bytes/text.h"
#include "io/scenario/scenario_believed.h"
#include "io/scenario/scenario_failure.h"
#include "io/scenario/scenario_pick.h"

#include <math.h>
#include <string.h>

// The robot's description is written on, and read again: so a report shows what is carried, too.
// Each robot is read from the same links: as it is at first, as it is after each change, and as its
// controller believes it to be. They differ by which payloads have a mass.

typedef struct payload {
    const char *name;
    int         link; ///< that carries it
    double      mass;
    atemi_vec3  point, size;
    bool        known; ///< to the controller
    double      from;  ///< s
} payload;

/// Payloads, and which of them have a mass.
typedef struct payload_list {
    const payload *payloads; ///< [count]
    int            count;
    bool           only_known;
    double         time; ///< s, of those that have come
} payload_list;

// ---- Reading --------------------------------------------------------------------------------

static double read_mass(atemi_scenario_reader *reader)
{
    return atemi_scenario_number(reader, "mass",
                                 (atemi_number_key){.unit = "kg",
                                                    .fallback = 10.0,
                                                    .required = true,
                                                    .lower = 0.0,
                                                    .upper = INFINITY,
                                                    .open = true,
                                                    .help = "of a solid box"});
}

static void read_size(atemi_scenario_reader *reader, atemi_vec3 *size)
{
    *size = atemi_scenario_vec3(reader, "size",
                                (atemi_vec3_key){.unit = "m",
                                                 .fallback = {0.1, 0.1, 0.1},
                                                 .help = "of the box, the link's axes"});
    if (!(fmin(size->x, fmin(size->y, size->z)) > 0.0)) {
        atemi_scenario_fail(reader, atemi_scenario_last(reader),
                            "has a side that is not positive; give three lengths");
    }
}

static void read_payload(atemi_scenario_reader *reader, const atemi_model *model, payload *p)
{
    p->name = atemi_scenario_name(reader);
    const char *link = atemi_scenario_string(
        reader, "link", (atemi_string_key){.required = true, .help = "that carries it"});
    p->link = model ? atemi_scenario_pick(reader, atemi_scenario_links(model), link) : ATEMI_NONE;
    p->mass = read_mass(reader);
    p->point = atemi_scenario_vec3(
        reader, "point", (atemi_vec3_key){.unit = "m", .help = "its middle, in the link's frame"});
    read_size(reader, &p->size);
    p->known = atemi_scenario_boolean(
        reader, "known", (atemi_boolean_key){.fallback = true, .help = "to the controller"});
    p->from = atemi_scenario_number(
        reader, "from",
        (atemi_number_key){
            .unit = "s", .lower = 0.0, .upper = INFINITY, .help = "when it is hung there"});
    if (p->known && p->from > 0.0) {
        atemi_scenario_fail(reader, atemi_scenario_last(reader),
                            "%g s: what the controller knows of is there from the beginning; add "
                            "known: false, or leave this out",
                            p->from);
    }
}

// ---- Writing --------------------------------------------------------------------------------

// A name as XML wants it.
static void put_name(atemi_text *text, const char *name)
{
    for (const char *at = name; *at; ++at) {
        if (strchr("<>&\"'", *at)) {
            atemi_text_append(text, "&#%d;", *at);
        } else {
            atemi_text_put_character(text, *at);
        }
    }
}

static void put_named(atemi_text *text, const char *before, const char *name)
{
    atemi_text_put_string(text, before);
    put_name(text, name);
    atemi_text_put_string(text, "\"");
}

static void put_number(atemi_text *text, const char *before, double value)
{
    atemi_text_put_string(text, before);
    atemi_text_put_number(text, value);
    atemi_text_put_string(text, "\"");
}

static void put_vector(atemi_text *text, const char *before, atemi_vec3 x)
{
    const double values[] = {x.x, x.y, x.z};
    for (int i = 0; i < 3; ++i) {
        atemi_text_put_string(text, i ? " " : before);
        atemi_text_put_number(text, values[i]);
    }
    atemi_text_put_string(text, "\"");
}

static void put_mass(atemi_text *text, const payload *p)
{
    const atemi_scene_body box = atemi_scene_body_box(p->name, p->mass, p->size);
    put_number(text, "<inertial><mass value=\"", p->mass);
    put_number(text, "/><inertia ixy=\"0\" ixz=\"0\" iyz=\"0\" ixx=\"", box.inertia.rotational.xx);
    put_number(text, " iyy=\"", box.inertia.rotational.yy);
    put_number(text, " izz=\"", box.inertia.rotational.zz);
    atemi_text_put_string(text, "/></inertial>");
}

static void put_link(atemi_text *text, const payload *p, bool has_mass)
{
    put_named(text, "<link name=\"", p->name);
    atemi_text_put_string(text, ">");
    if (has_mass) {
        put_mass(text, p);
    }
    put_vector(text, "<visual><geometry><box size=\"", p->size);
    atemi_text_put_string(text, "/></geometry></visual></link>\n");
}

static void put_joint(atemi_text *text, const payload *p, const char *carrier)
{
    put_named(text, "<joint type=\"fixed\" name=\"", p->name);
    put_named(text, "><parent link=\"", carrier);
    put_named(text, "/><child link=\"", p->name);
    put_vector(text, "/><origin xyz=\"", p->point);
    atemi_text_put_string(text, "/></joint>\n");
}

// Where a description's last element ends.
static size_t find_end(const atemi_scenario_robot *robot)
{
    static const char end[] = "</robot";
    const size_t      length = sizeof end - 1;
    size_t            at = robot->urdf_size < length ? 0 : robot->urdf_size - length;
    while (at > 0 && memcmp(robot->urdf + at, end, length) != 0) {
        --at;
    }
    return at;
}

static void describe(const atemi_scenario_robot *robot, const payload_list *list, atemi_text *text)
{
    const size_t end = find_end(robot);
    atemi_text_put(text, robot->urdf, end);
    for (int i = 0; i < list->count; ++i) {
        const payload *p = &list->payloads[i];
        put_link(text, p, p->known || (!list->only_known && p->from <= list->time));
        put_joint(text, p, atemi_model_link(robot->model, p->link)->name);
    }
    atemi_text_put(text, robot->urdf + end, robot->urdf_size - end);
}

// ---- Loading --------------------------------------------------------------------------------

static bool is_coupled(const atemi_model *model)
{
    bool coupled = true;
    for (int j = 0; j < atemi_model_joint_count(model); ++j) {
        const atemi_joint *joint = atemi_model_joint(model, j);
        coupled = coupled && (joint->mimic.joint == ATEMI_NONE || joint->v_count == 0);
    }
    return coupled;
}

// Sites that are not the description's come behind those that are.
static int copy_sites(const atemi_model *model, int from, atemi_site_description *sites)
{
    const int count = atemi_model_site_count(model) - from;
    for (int i = 0; i < count; ++i) {
        const atemi_site *site = atemi_model_site(model, from + i);
        sites[i] = (atemi_site_description){.name = site->name,
                                            .link = atemi_model_link(model, site->link)->name,
                                            .pose = site->pose,
                                            .size_x = site->size_x,
                                            .size_y = site->size_y};
    }
    return count;
}

static atemi_status load_sited(atemi_scenario_reader *reader, const atemi_model *old,
                               const atemi_text *text, atemi_urdf_options *options,
                               atemi_model **model, atemi_error *error)
{
    const int               from = atemi_model_site_count(*model);
    atemi_site_description *sites = (atemi_site_description *)atemi_scenario_allocate(
        reader, sizeof *sites, atemi_model_site_count(old));
    if (!sites) {
        return ATEMI_OK;
    }
    options->sites = sites;
    options->site_count = copy_sites(old, from, sites);
    atemi_model_destroy(*model);
    const atemi_status status =
        atemi_urdf_parse(text->bytes, text->size, atemi_model_name(old), options, model, error);
    atemi_release(sites);
    return status;
}

static atemi_status load(atemi_scenario_reader *reader, const atemi_model *old,
                         const atemi_text *text, atemi_model **model, atemi_error *error)
{
    atemi_urdf_options options = atemi_urdf_options_default();
    options.model.base = atemi_model_base(old);
    options.model.gravity = atemi_model_gravity(old);
    options.model.mimic_as_coupled = is_coupled(old);
    const atemi_status status =
        atemi_urdf_parse(text->bytes, text->size, atemi_model_name(old), &options, model, error);
    return status || atemi_model_site_count(*model) == atemi_model_site_count(old)
               ? status
               : load_sited(reader, old, text, &options, model, error);
}

// The robot with a list of payloads, and its description; NULL after an error.
static atemi_model *make(atemi_scenario_reader *reader, atemi_scenario_mark mark,
                         const atemi_scenario_robot *robot, payload_list list, atemi_text *text)
{
    atemi_error  error;
    atemi_model *model = NULL;
    describe(robot, &list, text);
    const atemi_status status =
        text->failed ? atemi_fail(&error, ATEMI_ERROR_MEMORY, "no memory for payloads")
                     : load(reader, robot->model, text, &model, &error);
    if (status) {
        atemi_scenario_adopt(reader, mark, &error);
        return NULL;
    }
    return model;
}

// Without its description.
static atemi_model *make_other(atemi_scenario_reader *reader, atemi_scenario_mark mark,
                               const atemi_scenario_robot *robot, payload_list list)
{
    atemi_text   text = {0};
    atemi_model *model = make(reader, mark, robot, list, &text);
    atemi_text_destroy(&text);
    return model;
}

// ---- Carrying -------------------------------------------------------------------------------

// The next time after this one at which something is hung on; infinite where nothing is.
static double next_time(const payload_list *list, double time)
{
    double next = INFINITY;
    for (int i = 0; i < list->count; ++i) {
        next = list->payloads[i].from > time ? fmin(next, list->payloads[i].from) : next;
    }
    return next;
}

static void make_changes(atemi_scenario_reader *reader, atemi_scenario_mark mark,
                         const atemi_scenario_robot *robot, payload_list list, control_world *world)
{
    for (double t = next_time(&list, 0.0); isfinite(t); t = next_time(&list, t)) {
        list.time = t;
        world->changes[world->change_count++] =
            (atemi_model_change){make_other(reader, mark, robot, list), t};
    }
}

static bool all_are_known(const payload_list *list)
{
    bool known = true;
    for (int i = 0; i < list->count; ++i) {
        known = known && list->payloads[i].known;
    }
    return known;
}

// A joint that moves a payload alone would be none without it.
static void check_alike(atemi_scenario_reader *reader, atemi_scenario_mark mark,
                        const atemi_model *model, const control_world *world)
{
    const int count = atemi_model_v_count(model);
    bool      alike = !world->believed || atemi_model_v_count(world->believed) == count;
    for (int i = 0; i < world->change_count; ++i) {
        const atemi_model *changed = world->changes[i].model;
        alike = alike && (!changed || atemi_model_v_count(changed) == count);
    }
    if (!alike) {
        atemi_scenario_fail(reader, mark,
                            "one of them is all that a joint moves, and is not known, or comes "
                            "later; give the link that carries it a mass");
    }
}

// Others are read from the description without payloads: this one last.
static void carry(atemi_scenario_reader *reader, atemi_scenario_mark mark, payload_list list,
                  atemi_scenario_robot *robot, control_world *world)
{
    atemi_text text = {0};
    make_changes(reader, mark, robot, list, world);
    if (!all_are_known(&list)) {
        payload_list known = list;
        known.only_known = true;
        world->believed = make_other(reader, mark, robot, known);
    }
    atemi_model *model = make(reader, mark, robot, list, &text);
    if (!model) {
        atemi_text_destroy(&text);
        return;
    }
    check_alike(reader, mark, model, world);
    atemi_model_destroy(robot->model);
    atemi_release(robot->urdf);
    robot->model = model;
    robot->urdf = text.bytes;
    robot->urdf_size = text.size;
}

static void read_payloads(atemi_scenario_reader *reader, atemi_scenario_robot *robot,
                          control_world *world)
{
    const int given = atemi_scenario_enter_names(reader, "payloads", 0, CONTROL_MAX_PAYLOADS,
                                                 "what the robot carries, by names of your own");
    const atemi_scenario_mark mark = atemi_scenario_last(reader);
    payload     *payloads = (payload *)atemi_scenario_allocate(reader, sizeof *payloads, given);
    payload_list list = {.payloads = payloads};
    payload      none;
    while (atemi_scenario_next(reader)) {
        read_payload(reader, robot->model, payloads ? &payloads[list.count++] : &none);
    }
    if (list.count && robot->model && !atemi_scenario_failed(reader)) {
        carry(reader, mark, list, robot, world);
    }
    atemi_release(payloads);
}

// ---- Believing ------------------------------------------------------------------------------

static void believe(atemi_scenario_reader *reader, atemi_scenario_mark mark,
                    const atemi_model_variation *variation, const atemi_scenario_robot *robot,
                    control_world *world)
{
    atemi_model *varied = NULL;
    atemi_scenario_vary(reader, mark, world->believed ? world->believed : robot->model, variation,
                        &varied);
    if (varied) {
        atemi_model_destroy(world->believed);
        world->believed = varied;
    }
}

void atemi_control_read_world(atemi_scenario_reader *reader, atemi_scenario_robot *robot,
                              control_world *world)
{
    *world = (control_world){0};
    read_payloads(reader, robot, world);
    if (!atemi_scenario_enter(reader, "believed", ATEMI_DEFAULTED,
                              "what the controller believes of the robot")) {
        return;
    }
    const atemi_scenario_mark mark = atemi_scenario_last(reader);
    atemi_model_variation     variation = atemi_model_variation_none();
    atemi_scenario_read_variation(reader, &variation);
    atemi_scenario_leave(reader);
    if (variation.masses != 1.0 || variation.lengths != 1.0) {
        believe(reader, mark, &variation, robot, world);
    }
}

void atemi_control_world_destroy(control_world *world)
{
    atemi_model_destroy(world->believed);
    for (int i = 0; i < world->change_count; ++i) {
        atemi_model_destroy((atemi_model *)world->changes[i].model);
    }
    *world = (control_world){0};
}
