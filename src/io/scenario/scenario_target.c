// SPDX-License-Identifier: Apache-2.0

#include "io/scenario/scenario_target.h"

#include "io/scenario/scenario_pick.h"

#include <math.h>

// ---- The hand

// `frame` is that of the site or link, in the link.
static atemi_striking_hand read_place(atemi_scenario_reader *reader, const atemi_model *model,
                                      atemi_scenario_mark mark, atemi_transform *frame)
{
    const bool  by_link = atemi_scenario_look(reader, "link") != ATEMI_SCENARIO_ABSENT;
    const char *site = atemi_scenario_string(
        reader, "site",
        (atemi_string_key){.required = !by_link, .help = "that strikes, by name: its middle"});
    const int index = atemi_scenario_pick(reader, atemi_scenario_sites(model), site);
    if (by_link && site) {
        atemi_scenario_fail(reader, mark, "has a site and a link; give one of them");
    }
    const char *link = atemi_scenario_string(
        reader, "link", (atemi_string_key){.help = "that strikes, in place of a site"});
    atemi_striking_hand hand = {.link =
                                    atemi_scenario_pick(reader, atemi_scenario_links(model), link)};
    hand.point = atemi_scenario_vec3(
        reader, "point",
        (atemi_vec3_key){.unit = "m",
                         .help = "in the frame of the site or link; its origin if left out"});
    *frame = atemi_transform_identity();
    if (index >= 0 && model) {
        hand.link = atemi_model_site(model, index)->link;
        *frame = atemi_model_site(model, index)->pose;
        hand.point = atemi_transform_apply(frame, hand.point);
    }
    return hand;
}

static const double shortest = 1e-9; // of a direction: below, rounding has its way

static atemi_vec3 read_unit(atemi_scenario_reader *reader, const char *key, atemi_vec3 fallback,
                            const char *help)
{
    const atemi_vec3 given =
        atemi_scenario_vec3(reader, key, (atemi_vec3_key){.fallback = fallback, .help = help});
    const double length = atemi_vec3_norm(given);
    if (!(length > shortest)) {
        atemi_scenario_fail(reader, atemi_scenario_last(reader),
                            "the direction has no length; give one, such as [1, 0, 0]");
        return fallback;
    }
    return atemi_vec3_scale(1.0 / length, given);
}

// Where joints have rates and no speed is given, it is not asked for: an explanation that said 0
// would mean something else.
static void read_speed(atemi_scenario_reader *reader, bool has_rates, atemi_scenario_hand *hand)
{
    hand->has_speed = atemi_scenario_look(reader, "speed") != ATEMI_SCENARIO_ABSENT;
    if (hand->has_speed || !has_rates) {
        hand->speed = atemi_scenario_number(
            reader, "speed",
            (atemi_number_key){.unit = "m/s",
                               .help = "at first touch, along the direction, with the least energy "
                                       "of the robot; without it, by start.joint_velocities"});
    }
}

// In the link's frame.
static atemi_vec3 read_axis(atemi_scenario_reader *reader, const atemi_transform *frame)
{
    const atemi_vec3 down = {0.0, 0.0, -1.0};
    const atemi_vec3 axis =
        read_unit(reader, "axis", down, "in the frame of the site or link: where it strikes");
    return atemi_mat3_apply(&frame->rotation, axis);
}

static void read_other(atemi_scenario_reader *reader, const atemi_model *model,
                       atemi_scenario_hand *hand)
{
    if (!atemi_scenario_enter(reader, "with", ATEMI_OPTIONAL,
                              "a second hand, which strikes at the same time")) {
        return;
    }
    atemi_transform           frame;
    const atemi_scenario_mark mark = atemi_scenario_last(reader);
    const atemi_striking_hand other = read_place(reader, model, mark, &frame);
    if (other.link != ATEMI_NONE && other.link == hand->point.link) {
        atemi_scenario_fail(reader, mark,
                            "both hands are of the link '%s'; give a site of another one, or leave "
                            "this out",
                            atemi_model_link(model, other.link)->name);
    }
    hand->point.others[0] = other;
    hand->point.more = 1;
    hand->axes[1] = read_axis(reader, &frame);
    atemi_scenario_leave(reader);
}

void atemi_scenario_read_hand(atemi_scenario_reader *reader, const atemi_model *model,
                              atemi_hand_key key, atemi_scenario_hand *hand)
{
    const atemi_vec3 forwards = {1.0, 0.0, 0.0};
    *hand = (atemi_scenario_hand){.point = {.link = ATEMI_NONE, .direction = {1.0, 0.0, 0.0}}};
    if (!atemi_scenario_enter(reader, "hand", ATEMI_REQUIRED, "what strikes")) {
        return;
    }
    atemi_transform frame;
    hand->mark = atemi_scenario_last(reader);
    const atemi_striking_hand first = read_place(reader, model, hand->mark, &frame);
    hand->point.link = first.link;
    hand->point.point = first.point;
    hand->point.direction =
        read_unit(reader, "direction", forwards, "of the blow in the world, of any length");
    if (key != ATEMI_HAND_AXIS) {
        read_speed(reader, key == ATEMI_HAND_RATES, hand);
    } else {
        hand->axes[0] = read_axis(reader, &frame);
        read_other(reader, model, hand);
    }
    atemi_scenario_leave(reader);
}

// ---- The target

void atemi_scenario_read_target(atemi_scenario_reader *reader, atemi_scenario_target *target)
{
    *target = (atemi_scenario_target){.mass = 5.0};
    if (!atemi_scenario_enter(reader, "target", ATEMI_DEFAULTED, "what is hit")) {
        return;
    }
    target->mass = atemi_scenario_number(reader, "mass",
                                         (atemi_number_key){.unit = "kg",
                                                            .fallback = 5.0,
                                                            .lower = 0.0,
                                                            .upper = INFINITY,
                                                            .open = true,
                                                            .infinite = true,
                                                            .help = "inf for a wall"});
    target->friction = atemi_scenario_number(
        reader, "friction",
        (atemi_number_key){.unit = "N",
                           .lower = 0.0,
                           .upper = INFINITY,
                           .help = "against its motion, as of a nail in its hole"});
    atemi_scenario_read_law(reader, &target->law);
    atemi_scenario_leave(reader);
}

atemi_blow_surface atemi_scenario_blow_surface(const atemi_scenario_target *target)
{
    const atemi_scenario_law *law = &target->law;
    return (atemi_blow_surface){
        .law = law->kind == ATEMI_LAW_COMPRESSION_DAMPER ? ATEMI_BLOW_COMPRESSION_DAMPER
               : law->kind == ATEMI_LAW_KELVIN_VOIGT     ? ATEMI_BLOW_KELVIN_VOIGT
                                                         : ATEMI_BLOW_OTHER_LAW,
        .spring = law->spring,
        .other = law->law};
}

atemi_blow_target atemi_scenario_blow_target(const atemi_scenario_target *target)
{
    return (atemi_blow_target){.mass = target->mass, .friction = target->friction};
}

// ---- How it is drawn

// A cube of its mass, as dense as wood, and no smaller than a hand; a wall is wider than a blow.
static const double density = 500.0;   // kg/m^3
static const double wall_width = 1.0;  // m
static const double least_width = 0.2; // m

double atemi_scenario_target_width(double mass)
{
    return isfinite(mass) ? fmax(cbrt(mass / density), least_width) : wall_width;
}
