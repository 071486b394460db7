// SPDX-License-Identifier: Apache-2.0

#include "jobs/control/control_holds.h"

#include "atemi/base.h"
#include "atemi/humanoid.h"
#include "atemi/kinematics.h"
#include "io/scenario/scenario_failure.h"
#include "io/scenario/scenario_pick.h"
#include "motion/bodies.h"

#include <math.h>

static const double flat = 0.05; // rad, that a sole may be off the floor's normal

// What an item says of a link that stands.
typedef struct standing_item {
    atemi_scenario_mark mark;
    int                 link;
    double              sole[2]; ///< side lengths; 0: found
    bool                has_point;
    atemi_vec3          point, normal;
    double              friction;
} standing_item;

// ---- Soles ----------------------------------------------------------------------------------

// The sole of the foot that a link is, or is fixed to.
static bool find_sole(const atemi_model *model, const standing_item *item,
                      atemi_humanoid_scratch *scratch, double *q, atemi_standing_contact *contact)
{
    atemi_humanoid         humanoid;
    atemi_humanoid_options options = atemi_humanoid_options_default();
    options.sole_x = item->sole[0];
    options.sole_y = item->sole[1];
    atemi_configuration_neutral(model, q);
    if (atemi_humanoid_find(model, q, &options, scratch, &humanoid, NULL)) {
        return false;
    }
    for (int side = 0; side < humanoid.leg_count; ++side) {
        const int foot = humanoid.legs[side].end;
        if (atemi_body_of(model, foot) == atemi_body_of(model, item->link)) {
            contact->link = foot;
            contact->frame = humanoid.soles[side].pose;
            contact->size_x = humanoid.soles[side].size_x;
            contact->size_y = humanoid.soles[side].size_y;
            return true;
        }
    }
    return false;
}

static void take(atemi_arena *arena, const atemi_model *model, atemi_humanoid_scratch **scratch,
                 double **q)
{
    *scratch = atemi_humanoid_scratch_take(arena, model);
    *q = atemi_arena_array(arena, double, atemi_model_q_count(model));
}

static void set_sole(atemi_scenario_reader *reader, const atemi_model *model,
                     const standing_item *item, atemi_standing_contact *contact)
{
    atemi_humanoid_scratch *scratch;
    double                 *q;
    atemi_error             error;
    atemi_arena             arena = atemi_arena_measuring();
    take(&arena, model, &scratch, &q);
    if (atemi_arena_create(&arena, arena.used, &error)) {
        atemi_scenario_adopt(reader, item->mark, &error);
        return;
    }
    take(&arena, model, &scratch, &q);
    if (!find_sole(model, item, scratch, q, contact)) {
        atemi_scenario_fail(reader, item->mark,
                            "'%s' is no foot that was found; give the point of it that stands, in "
                            "its frame, and the sides of its sole: point: [0, 0, -0.1], sole: "
                            "[0.2, 0.1]",
                            atemi_model_link(model, item->link)->name);
    }
    atemi_arena_destroy(&arena);
}

// ---- Reading --------------------------------------------------------------------------------

static void read_sole(atemi_scenario_reader *reader, standing_item *item)
{
    const atemi_numbers_key sides = {
        .each = {.unit = "m",
                 .lower = 0.0,
                 .upper = 2.0,
                 .reason = "no foot is longer",
                 .help =
                     "side lengths of what stands; 0: found from the robot; with a point: none"},
        .least = 2,
        .most = 2,
        .fallback_count = 2};
    atemi_scenario_numbers(reader, "sole", sides, item->sole);
    if ((item->sole[0] > 0.0) != (item->sole[1] > 0.0)) {
        atemi_scenario_fail(reader, atemi_scenario_last(reader),
                            "has one side; give its length and its width");
    }
}

static void read_standing(atemi_scenario_reader *reader, standing_item *item)
{
    item->has_point = atemi_scenario_look(reader, "point") != ATEMI_SCENARIO_ABSENT;
    read_sole(reader, item);
    item->point = atemi_scenario_vec3(
        reader, "point",
        (atemi_vec3_key){.unit = "m",
                         .help = "of the link, in its frame, that stands; without it, the sole"});
    item->normal = atemi_scenario_vec3(
        reader, "normal",
        (atemi_vec3_key){.fallback = {0.0, 0.0, 1.0},
                         .help = "of what it stands on or leans on, world axes"});
    if (!(atemi_vec3_norm(item->normal) > 0.0)) {
        atemi_scenario_fail(reader, atemi_scenario_last(reader),
                            "has no direction; give the one that the surface pushes to");
    }
    item->friction =
        atemi_scenario_number(reader, "friction",
                              (atemi_number_key){.fallback = 0.6,
                                                 .lower = 0.0,
                                                 .upper = 100.0,
                                                 .open = true,
                                                 .reason = "more is glue: let it be held",
                                                 .help = "that it counts on, and that is there"});
}

static int pick_link(atemi_scenario_reader *reader, const atemi_model *model, const char *name)
{
    return model ? atemi_scenario_pick(reader, atemi_scenario_links(model), name) : ATEMI_NONE;
}

static void add_item(atemi_scenario_reader *reader, const atemi_model *model,
                     const standing_item *item, control_holds *holds)
{
    const int               at = holds->contact_count++;
    atemi_standing_contact *contact = &holds->contacts[at];
    *contact = atemi_standing_contact_default();
    contact->link = item->link;
    contact->friction = item->friction;
    holds->marks[at] = item->mark;
    holds->found[at] = !item->has_point;
    holds->normals[at] = atemi_vec3_scale(1.0 / atemi_vec3_norm(item->normal), item->normal);
    if (item->has_point) {
        contact->frame.position = item->point;
        contact->size_x = item->sole[0];
        contact->size_y = item->sole[1];
    } else {
        set_sole(reader, model, item, contact);
    }
}

static void read_mapping(atemi_scenario_reader *reader, const atemi_model *model,
                         control_holds *holds)
{
    standing_item item = {.mark = atemi_scenario_last(reader)};
    const char   *name = atemi_scenario_string(
        reader, "link", (atemi_string_key){.required = true, .help = "by name"});
    item.link = pick_link(reader, model, name);
    const bool stands = atemi_scenario_boolean(
        reader, "stands",
        (atemi_boolean_key){.help = "only pushes, with friction; otherwise it is held, as if "
                                    "bolted"});
    if (stands || atemi_scenario_is_blank(reader)) {
        read_standing(reader, &item);
    }
    if (item.link < 0 || atemi_scenario_failed(reader)) {
        return;
    }
    if (stands) {
        add_item(reader, model, &item, holds);
    } else {
        holds->links[holds->link_count++] = item.link;
    }
}

static void read_item(atemi_scenario_reader *reader, const atemi_model *model, control_holds *holds)
{
    if (atemi_scenario_look(reader, NULL) == ATEMI_SCENARIO_MAPPING ||
        atemi_scenario_is_blank(reader)) {
        read_mapping(reader, model, holds);
        return;
    }
    const char *name = atemi_scenario_string(reader, NULL, (atemi_string_key){.required = true});
    const int   link = pick_link(reader, model, name);
    if (link >= 0) {
        holds->links[holds->link_count++] = link;
    }
}

// ---- Standing -------------------------------------------------------------------------------

// Axes with z along the normal and x as near to the link's as can be.
static atemi_mat3 axes_along(atemi_vec3 normal, atemi_vec3 x)
{
    const atemi_vec3 other = {fabs(normal.x) < 0.9 ? 1.0 : 0.0, fabs(normal.x) < 0.9 ? 0.0 : 1.0,
                              0.0};
    atemi_vec3 y = atemi_vec3_cross(normal, x);
    y = atemi_vec3_norm(y) > 1e-6 ? y : atemi_vec3_cross(normal, other);
    y = atemi_vec3_scale(1.0 / atemi_vec3_norm(y), y);
    return (atemi_mat3){atemi_vec3_cross(y, normal), y, normal};
}

static atemi_mat3 seen_from(const atemi_mat3 *link, atemi_mat3 axes)
{
    return (atemi_mat3){atemi_mat3_apply_transposed(link, axes.x),
                        atemi_mat3_apply_transposed(link, axes.y),
                        atemi_mat3_apply_transposed(link, axes.z)};
}

// Turns the frame of a contact so that its z axis is the normal, in the posture at the beginning.
static void settle(atemi_scenario_reader *reader, const atemi_model *model,
                   const atemi_transform *link, int i, control_holds *holds)
{
    atemi_standing_contact *contact = &holds->contacts[i];
    const atemi_vec3        up = {0.0, 0.0, 1.0};
    const atemi_transform   at = atemi_transform_compose(link, &contact->frame);
    const atemi_vec3        normal = holds->found[i] ? up : holds->normals[i];
    const atemi_vec3        x = holds->found[i] ? at.rotation.x : link->rotation.x;
    const double            off = atemi_vec3_norm(atemi_vec3_cross(at.rotation.z, up));
    if (holds->found[i] && !(at.rotation.z.z > 0.0 && off <= flat)) {
        atemi_scenario_fail(reader, holds->marks[i],
                            "the sole of '%s' is tilted by %.3g rad at the beginning; start its "
                            "leg so that it is flat on the floor",
                            atemi_model_link(model, contact->link)->name,
                            atan2(off, at.rotation.z.z));
    }
    contact->frame.rotation = seen_from(&link->rotation, axes_along(normal, x));
}

// The lowest sole is at z = 0.
static double find_lift(const atemi_data *data, const control_holds *holds)
{
    double lowest = (double)INFINITY;
    for (int i = 0; i < holds->contact_count; ++i) {
        const atemi_transform link = atemi_link_pose(data, holds->contacts[i].link);
        const atemi_vec3      at = atemi_transform_apply(&link, holds->contacts[i].frame.position);
        lowest = holds->found[i] ? fmin(lowest, at.z) : lowest;
    }
    return isfinite(lowest) ? -lowest : 0.0;
}

static void stand(atemi_scenario_reader *reader, const atemi_model *model,
                  atemi_scenario_start *start, control_holds *holds)
{
    atemi_data *data = NULL;
    atemi_error error;
    if (atemi_data_create(model, NULL, &data, &error)) {
        atemi_scenario_adopt(reader, holds->mark, &error);
        return;
    }
    atemi_update_kinematics(data, start->q, NULL, NULL);
    start->q[2] += find_lift(data, holds);
    atemi_update_kinematics(data, start->q, NULL, NULL);
    for (int i = 0; i < holds->contact_count; ++i) {
        const atemi_transform link = atemi_link_pose(data, holds->contacts[i].link);
        settle(reader, model, &link, i, holds);
    }
    atemi_data_destroy(data);
}

// One link stands in one place, or is held.
static void check_single(atemi_scenario_reader *reader, const atemi_model *model,
                         const control_holds *holds, int contact)
{
    const int   link = holds->contacts[contact].link;
    const char *name = atemi_model_link(model, link)->name;
    for (int i = 0; i < contact; ++i) {
        if (holds->contacts[i].link == link) {
            atemi_scenario_fail(reader, holds->marks[contact],
                                "'%s' stands already; give one contact of each link", name);
        }
    }
    for (int i = 0; i < holds->link_count; ++i) {
        if (atemi_body_of(model, holds->links[i]) == atemi_body_of(model, link)) {
            atemi_scenario_fail(reader, holds->marks[contact],
                                "'%s' is held as well; let it be held, or stand", name);
        }
    }
}

static void check(atemi_scenario_reader *reader, const atemi_model *model,
                  const control_holds *holds)
{
    const bool floats = model && atemi_model_base(model) == ATEMI_BASE_FLOATING;
    for (int i = 0; i < holds->contact_count; ++i) {
        check_single(reader, model, holds, i);
    }
    if (floats && !holds->link_count && !holds->contact_count) {
        atemi_scenario_fail(reader, holds->mark,
                            "is missing; add holds: [LINK], a link that a gripper or a foot holds, "
                            "or holds: [{link: LINK, stands: true}]");
    }
    if (model && holds->contact_count && !floats) {
        atemi_scenario_fail(reader, holds->mark,
                            "the robot's base is fixed, and it cannot stand; "
                            "give base: floating");
    }
    if (model && holds->contact_count && !(atemi_model_gravity(model).z < 0.0)) {
        atemi_scenario_fail(reader, holds->mark,
                            "a robot stands by its weight; leave gravity as it is on Earth, or "
                            "let links be held");
    }
}

void atemi_control_read_holds(atemi_scenario_reader *reader, const atemi_model *model,
                              atemi_scenario_start *start, control_holds *holds)
{
    *holds = (control_holds){0};
    atemi_scenario_enter_list(reader, "holds", 0, CONTROL_MAX_HOLDS,
                              "links that are held at the beginning, by name, the first is the "
                              "base; or mappings, for feet that stand");
    holds->mark = atemi_scenario_last(reader);
    while (atemi_scenario_next(reader)) {
        read_item(reader, model, holds);
    }
    check(reader, model, holds);
    if (holds->contact_count && start->q && !atemi_scenario_failed(reader)) {
        stand(reader, model, start, holds);
    }
}

int atemi_control_holds_base(const control_holds *holds)
{
    return holds->contact_count ? holds->contacts[0].link : holds->link_count ? holds->links[0] : 0;
}
