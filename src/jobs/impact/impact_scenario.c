// SPDX-License-Identifier: Apache-2.0

#include "jobs/impact/impact_scenario.h"

#include "atemi/base.h"
#include "io/scenario/scenario_failure.h"
#include "io/scenario/scenario_pick.h"
#include "io/scenario/scenario_warning.h"

#include <math.h>
#include <string.h>

// ---- How the ground holds

static void read_ground(atemi_scenario_reader *reader, atemi_ground *ground)
{
    static const char *const kinds[] = {"fixed", "heavy", NULL};
    *ground = atemi_ground_default();
    if (!atemi_scenario_enter(reader, "grounding", ATEMI_DEFAULTED,
                              "how links in contact are held while the blow lasts")) {
        return;
    }
    ground->grounding = (atemi_grounding)atemi_scenario_choice(
        reader, "kind",
        (atemi_choice_key){.words = kinds, .help = "by constraints, or by extra mass as [SDC]"});
    const atemi_number_key extra = {.fallback = ground->mass,
                                    .lower = 0.0,
                                    .upper = INFINITY,
                                    .open = true,
                                    .help = "extra, of each link that is heavy"};
    atemi_number_key       key = extra;
    key.unit = "kg";
    ground->mass = atemi_scenario_number(reader, "mass", key);
    key.unit = "kg m^2";
    ground->inertia = atemi_scenario_number(reader, "inertia", key);
    if (ground->grounding != ATEMI_GROUNDING_HEAVY) {
        atemi_scenario_warn_if_given(reader, "mass", "it is of the kind heavy only");
        atemi_scenario_warn_if_given(reader, "inertia", "it is of the kind heavy only");
    }
    atemi_scenario_leave(reader);
}

// ---- What is computed and recorded

static void read_full(atemi_scenario_reader *reader, atemi_impact_scenario *scenario)
{
    if (!atemi_scenario_enter(reader, "full_dynamics", ATEMI_DEFAULTED,
                              "the blow by the hybrid simulation, beside the estimate")) {
        return;
    }
    scenario->full =
        atemi_scenario_boolean(reader, "run", (atemi_boolean_key){.help = "as --full asks for it"});
    scenario->full_step = atemi_scenario_number(reader, "step",
                                                (atemi_number_key){.unit = "s",
                                                                   .fallback = 1e-4,
                                                                   .lower = 1e-7,
                                                                   .upper = 1e-2,
                                                                   .reason = "a blow has several",
                                                                   .help = "of its integrator"});
    atemi_scenario_leave(reader);
}

static void read_record(atemi_scenario_reader *reader, atemi_impact_scenario *scenario)
{
    if (!atemi_scenario_enter(reader, "record", ATEMI_DEFAULTED, "what is written down")) {
        return;
    }
    scenario->wrenches = atemi_scenario_boolean(
        reader, "wrenches",
        (atemi_boolean_key){.fallback = true, .help = "what six-axis load cells in joints show"});
    const bool is_given = atemi_scenario_look(reader, "every") != ATEMI_SCENARIO_ABSENT;
    scenario->every = atemi_scenario_number(reader, "every",
                                            (atemi_number_key){.unit = "s",
                                                               .fallback = 5e-4,
                                                               .lower = 1e-6,
                                                               .upper = 1.0,
                                                               .reason = "a blow has several",
                                                               .help = "one row"});
    const double rows = scenario->duration / scenario->every + 1.0;
    const int    most = ATEMI_IMPACT_MAX_ROWS;
    if (rows > most) {
        atemi_scenario_fail(reader,
                            is_given ? atemi_scenario_last(reader) : scenario->duration_mark,
                            "%.3g rows are more than the %d that an impact may have; record less "
                            "often",
                            rows, most);
    }
    atemi_scenario_leave(reader);
}

// ---- The sweep

static int read_values(atemi_scenario_reader *reader, const char *key, const char *unit,
                       const char *help, bool infinite, double *values)
{
    const atemi_numbers_key list = {.each = {.unit = unit,
                                             .lower = 0.0,
                                             .upper = INFINITY,
                                             .open = true,
                                             .infinite = infinite,
                                             .help = help},
                                    .most = ATEMI_IMPACT_MAX_VALUES};
    return atemi_scenario_numbers(reader, key, list, values);
}

static void read_postures(atemi_scenario_reader *reader, const atemi_model *model,
                          atemi_impact_sweep *sweep)
{
    atemi_scenario_enter_list(reader, "postures", 0, ATEMI_IMPACT_MAX_VALUES,
                              "of the robot, by name");
    while (atemi_scenario_next(reader)) {
        const char *name =
            atemi_scenario_string(reader, NULL, (atemi_string_key){.required = true});
        const int index = atemi_scenario_pick(reader, atemi_scenario_postures(model), name);
        if (index >= 0) {
            sweep->postures[sweep->posture_count++] = index;
        }
    }
}

// ---- A grid of places of the hand

static void read_counts(atemi_scenario_reader *reader, int counts[3])
{
    double                  values[3] = {1.0, 1.0, 1.0};
    const atemi_numbers_key list = {.each = {.lower = 1.0,
                                             .upper = ATEMI_IMPACT_MAX_VALUES,
                                             .reason = "a map is no finer",
                                             .required = true,
                                             .help = "places along x, y and z"},
                                    .least = 3,
                                    .most = 3};
    atemi_scenario_numbers(reader, "counts", list, values);
    for (int k = 0; k < 3; ++k) {
        counts[k] = (int)values[k];
        if ((double)counts[k] != values[k]) {
            atemi_scenario_fail(reader, atemi_scenario_last(reader),
                                "%g is no count; give whole numbers, such as [5, 1, 4]", values[k]);
        }
    }
}

static void read_places(atemi_scenario_reader *reader, atemi_impact_sweep *sweep)
{
    sweep->has_places = atemi_scenario_enter(reader, "places", ATEMI_OPTIONAL,
                                             "of the hand: a grid, whose postures are found");
    sweep->counts[0] = sweep->counts[1] = sweep->counts[2] = 1;
    if (!sweep->has_places) {
        return;
    }
    atemi_vec3_key corner = {.unit = "m", .required = true, .help = "a corner, world axes"};
    sweep->from = atemi_scenario_vec3(reader, "from", corner);
    corner.help = "the other one";
    sweep->to = atemi_scenario_vec3(reader, "to", corner);
    read_counts(reader, sweep->counts);
    atemi_scenario_leave(reader);
}

static void read_directions(atemi_scenario_reader *reader, atemi_impact_sweep *sweep)
{
    static const double shortest = 1e-9;
    atemi_scenario_enter_list(reader, "directions", 0, ATEMI_IMPACT_MAX_VALUES,
                              "of the blow in the world, of any length");
    while (atemi_scenario_next(reader)) {
        const atemi_vec3 given =
            atemi_scenario_vec3(reader, NULL, (atemi_vec3_key){.fallback = {1.0, 0.0, 0.0}});
        const double length = atemi_vec3_norm(given);
        if (length > shortest) {
            sweep->directions[sweep->direction_count++] = atemi_vec3_scale(1.0 / length, given);
        } else {
            atemi_scenario_fail(reader, atemi_scenario_last(reader),
                                "the direction has no length; give one, such as [1, 0, 0]");
        }
    }
}

static int at_least_one(int count)
{
    return count > 0 ? count : 1;
}

double atemi_impact_sweep_cases(const atemi_impact_sweep *sweep)
{
    const int counts[] = {sweep->speed_count,     sweep->mass_count, sweep->stiffness_count,
                          sweep->posture_count,   sweep->counts[0],  sweep->counts[1],
                          sweep->direction_count, sweep->counts[2]};
    double    cases = 1.0;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; ++i) {
        cases *= at_least_one(counts[i]);
    }
    return cases;
}

static void read_sweep(atemi_scenario_reader *reader, const atemi_model *model,
                       atemi_impact_sweep *sweep)
{
    sweep->given = atemi_scenario_enter(reader, "sweep", ATEMI_OPTIONAL,
                                        "what --sweep varies: every value with every other");
    sweep->mark = atemi_scenario_last(reader);
    if (!sweep->given) {
        return;
    }
    sweep->speed_count = read_values(reader, "speeds", "m/s", "of the hand", false, sweep->speeds);
    sweep->mass_count =
        read_values(reader, "target_masses", "kg", "inf for a wall", true, sweep->masses);
    sweep->stiffness_count = read_values(reader, "stiffnesses", "N/m", "of the target's surface",
                                         false, sweep->stiffnesses);
    read_postures(reader, model, sweep);
    read_places(reader, sweep);
    read_directions(reader, sweep);
    atemi_scenario_leave(reader);
}

static void check_sweep(atemi_scenario_reader *reader, const atemi_impact_scenario *scenario)
{
    const atemi_impact_sweep *sweep = &scenario->sweep;
    if (sweep->given && sweep->stiffness_count > 0 &&
        !atemi_scenario_law_is_spring(&scenario->target.law)) {
        atemi_scenario_fail(reader, sweep->mark,
                            "stiffnesses are those of a spring, which the target's law has not; "
                            "leave them out, or take another law");
    }
    const double cases = atemi_impact_sweep_cases(sweep);
    const int    most = ATEMI_IMPACT_MAX_CASES;
    if (sweep->given && cases > most) {
        atemi_scenario_fail(reader, sweep->mark,
                            "%.3g cases are more than the %d that the table of a sweep may have; "
                            "take fewer, or several sweeps (in Python: atemi.sweep)",
                            cases, most);
    }
    if (sweep->has_places && scenario->hand.point.more > 0) {
        atemi_scenario_fail(reader, sweep->mark,
                            "places are those of one hand, and %d strike; leave places out, or "
                            "strike with one hand",
                            scenario->hand.point.more + 1);
    }
}

// Puts the robot on its surface in each posture of the sweep, by the way of the start.
static void place_postures(atemi_scenario_reader *reader, atemi_impact_scenario *scenario)
{
    const atemi_model *model = scenario->robot.model;
    const int          nq = model ? atemi_model_q_count(model) : 0;
    const int          base = model ? atemi_base_q_count(atemi_model_base(model)) : 0;
    scenario->posture_q = (double *)atemi_scenario_allocate(
        reader, (size_t)(nq ? nq : 1) * sizeof(double), scenario->sweep.posture_count);
    for (int i = 0; i < scenario->sweep.posture_count && scenario->posture_q && model; ++i) {
        double              *q = scenario->posture_q + (size_t)i * (size_t)nq;
        const double        *posture = atemi_model_posture(model, scenario->sweep.postures[i]);
        atemi_scenario_start start = scenario->start;
        memcpy(q, start.q, (size_t)nq * sizeof *q);
        memcpy(q + base, posture + base, (size_t)(nq - base) * sizeof *q);
        start.q = q;
        atemi_scenario_place_start(reader, model, &scenario->surfaces, &scenario->contacts, &start);
    }
}

// ---- All of it

static bool has_rates(const atemi_impact_scenario *scenario)
{
    bool any = false;
    for (int i = 0; scenario->start.v && i < atemi_model_v_count(scenario->robot.model); ++i) {
        any = any || scenario->start.v[i] != 0.0;
    }
    return any;
}

atemi_status atemi_impact_scenario_read(atemi_scenario_reader *reader, const char *file,
                                        atemi_impact_scenario *scenario, atemi_error *error)
{
    memset(scenario, 0, sizeof *scenario);
    atemi_scenario_read_robot(reader, file, &scenario->robot);
    const atemi_model *model = scenario->robot.model;
    atemi_scenario_read_surfaces(reader, &scenario->surfaces);
    atemi_scenario_read_contacts(reader, model, &scenario->surfaces, &scenario->contacts);
    atemi_scenario_check_surfaces(reader, &scenario->surfaces, &scenario->contacts);
    atemi_scenario_read_start(reader, model, &scenario->surfaces, &scenario->start);
    atemi_scenario_read_hand(
        reader, model, has_rates(scenario) ? ATEMI_HAND_RATES : ATEMI_HAND_SPEED, &scenario->hand);
    atemi_scenario_read_servo(reader, model, &scenario->servo);
    atemi_scenario_read_target(reader, &scenario->target);
    read_ground(reader, &scenario->ground);
    scenario->duration =
        atemi_scenario_number(reader, "duration",
                              (atemi_number_key){.unit = "s",
                                                 .fallback = 0.1,
                                                 .lower = 0.0,
                                                 .upper = 10.0,
                                                 .open = true,
                                                 .reason = "a blow is over by then",
                                                 .help = "at most; a blow ends as they part"});
    scenario->duration_mark = atemi_scenario_last(reader);
    read_full(reader, scenario);
    read_record(reader, scenario);
    read_sweep(reader, model, &scenario->sweep);
    check_sweep(reader, scenario);
    if (!atemi_scenario_finish(reader, error)) {
        atemi_scenario_place_start(reader, model, &scenario->surfaces, &scenario->contacts,
                                   &scenario->start);
        place_postures(reader, scenario);
    }
    return atemi_scenario_finish(reader, error);
}

void atemi_impact_scenario_destroy(atemi_impact_scenario *scenario)
{
    atemi_release(scenario->posture_q);
    atemi_scenario_servo_destroy(&scenario->servo);
    atemi_scenario_start_destroy(&scenario->start);
    atemi_scenario_contacts_destroy(&scenario->contacts);
    atemi_scenario_surfaces_destroy(&scenario->surfaces);
    atemi_scenario_robot_destroy(&scenario->robot);
}
