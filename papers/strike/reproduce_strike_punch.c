// SPDX-License-Identifier: Apache-2.0

#include "papers/strike/reproduce_strike_punch.h"

#include "atemi/data.h"
#include "atemi/job.h"
#include "atemi/kinematics.h"
#include "io/bytes/text.h"
#include "jobs/job_choice.h"
#include "jobs/strike/strike_scenario.h"
#include "math/random.h"
#include "papers/reproduction_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// [STRIKE] Table I: "v_c: min. infinity, max. 0.00" is from 0 to infinity. Table II.
const atemi_punch_decision atemi_punch_decisions[ATEMI_PUNCH_DECISIONS] = {
    {"foot_x", "0p_x,fr", 0.0, -0.15, 0.15, -0.15, false},
    {"foot_y", "0p_y,fr", -0.095, -0.25, -0.095, -0.14, false},
    {"foot_z", "0p_z,fr", -0.3, -0.6, -0.3, -0.6, false},
    {"foot_about_x", "0alpha_x,fr", 0.0, -0.01, 0.01, 0.01, true},
    {"foot_about_y", "0alpha_y,fr", 0.0, -10.0, 10.0, -8.73, true},
    {"foot_about_z", "0alpha_z,fr", 0.0, -0.01, 0.01, 0.01, true},
    {"second_foot_x", "fr_s_x,fl", 0.0, -0.3, 0.3, 0.3, false},
    {"second_foot_y", "fr_s_y,fl", 0.19, 0.19, 0.45, 0.19, false},
    {"chest_yaw", "phi_1,ch", -21.5, -25.0, 25.0, -22.4, true},
    {"chest_pitch", "phi_2,ch", 17.1, 15.0, 40.0, 15.0, true},
    {"right_shoulder_pitch", "phi_1,ra", 3.2, -160.0, 40.0, -12.4, true},
    {"right_shoulder_roll", "phi_2,ra", -17.9, -75.0, -10.0, -10.0, true},
    {"right_shoulder_yaw", "phi_3,ra", -14.1, -72.0, 72.0, NAN, true},
    {"right_elbow", "phi_4,ra", -74.4, -97.0, -18.0, NAN, true},
    {"right_wrist_yaw", "phi_5,ra", 26.2, -52.0, 52.0, NAN, true},
    {"right_wrist_pitch", "phi_6,ra", -46.8, -52.0, 52.0, NAN, true},
    {"speed", "v_c", 2.0, 0.0, INFINITY, 2.4, false},
    {"momentum_z", "P_z", 0.0, -3.0, 3.0, 2.68, false},
    {"angular_x", "L_x", 0.0, -3.0, 3.0, 3.0, false},
    {"angular_y", "L_y", 0.0, -3.0, 3.0, 3.0, false},
    {"com_x", "v_gx", 0.0, -INFINITY, INFINITY, 0.09, false},
    {"com_y", "v_gy", 0.0, -INFINITY, INFINITY, -0.06, false}};

const atemi_punch_given atemi_punch_given_joints[ATEMI_PUNCH_GIVEN] = {
    {"neck_yaw", "phi_3,ch", 0.0},
    {"neck_pitch", "phi_4,ch", 0.0},
    {"right_gripper", "phi_7,ra", 0.0},
    {"left_shoulder_pitch", "phi_1,la", 18.4},
    {"left_shoulder_roll", "phi_2,la", 45.0},
    {"left_shoulder_yaw", "phi_3,la", 1.2},
    {"left_elbow", "phi_4,la", -27.5},
    {"left_wrist_yaw", "phi_5,la", 0.0},
    {"left_wrist_pitch", "phi_6,la", -10.0},
    {"left_gripper", "phi_7,la", 0.0}};

// What the paper does not have.
#define BESIDE                                                                                     \
    "torque_part: inf, travel_friction: inf, friction_reserve: 0, clearance: -inf, "               \
    "self_clearance: -inf, "

static const struct {
    const char *text, *constraints;
} levels[ATEMI_PUNCH_LEVELS] = {
    {"eq. 14 to the letter", BESIDE "other_speed: inf, travel_margin: inf, friction: inf"},
    {"+ speeds of all joints at first touch",
     BESIDE "other_speed: 1, travel_margin: inf, friction: inf"},
    {"+ speeds and ranges on the way", BESIDE "other_speed: 0.98, friction: inf"},
    {"+ friction 0.7 of each sole", BESIDE "other_speed: 0.98, friction: 0.7"}};

static const double degree = 0.017453292519943295;

static const double speed_spread = 1.0, com_spread = 0.1; // m/s: of what has no bounds

const char *atemi_punch_level_text(atemi_punch_level level)
{
    return levels[level].text;
}

// ---- Starts

void atemi_punch_start_printed(double start[ATEMI_PUNCH_DECISIONS])
{
    for (int i = 0; i < ATEMI_PUNCH_DECISIONS; ++i) {
        start[i] = atemi_punch_decisions[i].init;
    }
}

void atemi_punch_start_result(double start[ATEMI_PUNCH_DECISIONS])
{
    for (int i = 0; i < ATEMI_PUNCH_DECISIONS; ++i) {
        const atemi_punch_decision *x = &atemi_punch_decisions[i];
        start[i] = isnan(x->result) ? x->init : x->result;
    }
}

void atemi_punch_start_random(uint64_t *seed, double start[ATEMI_PUNCH_DECISIONS])
{
    for (int i = 0; i < ATEMI_PUNCH_DECISIONS; ++i) {
        const atemi_punch_decision *x = &atemi_punch_decisions[i];
        const double                spread = isfinite(x->lower) ? speed_spread : com_spread;
        const bool                  bounded = isfinite(x->lower) && isfinite(x->upper);
        const double                lower = bounded ? x->lower : x->init - spread;
        const double                upper = bounded ? x->upper : x->init + spread;
        start[i] = lower + (upper - lower) * random_unit_next(seed);
    }
}

void atemi_punch_begin(atemi_punch_search *search, const double start[ATEMI_PUNCH_DECISIONS])
{
    memcpy(search->start, start, sizeof search->start);
}

// ---- The scenario

static void add_robot(atemi_text *text)
{
    atemi_text_append(text, "robot: hrp2_like\n"
                            "gravity: [0, 0, -9.8]\n"
                            "feet: [right_sole, left_sole]\n"
                            "hand: {site: right_fist, direction: [1, 0, 0], axis: [0, 0, -1]}\n"
                            "hit: {z: 0.7 m, tolerance: 1 cm}\n"
                            "servo: {stiffness: 8000, damping: 400}\n"
                            "start:\n"
                            "  posture: half_sitting\n"
                            "  joints:\n");
    for (int i = 0; i < ATEMI_PUNCH_GIVEN; ++i) {
        atemi_text_append(text, "    %s: %g deg\n", atemi_punch_given_joints[i].joint,
                          atemi_punch_given_joints[i].angle);
    }
}

static void add_decisions(atemi_text *text, const double *start)
{
    atemi_text_append(text, "decide:\n");
    for (int i = 0; i < ATEMI_PUNCH_DECISIONS; ++i) {
        const atemi_punch_decision *x = &atemi_punch_decisions[i];
        const bool  is_joint = i >= ATEMI_PUNCH_FEET && i < ATEMI_PUNCH_FEET + ATEMI_PUNCH_JOINTS;
        const char *unit = x->in_degrees ? " deg" : "";
        atemi_text_append(text, "%s  %s%s: [%.17g%s, %g%s, %g%s]\n",
                          i == ATEMI_PUNCH_FEET ? "  joints:\n" : "", is_joint ? "  " : "", x->key,
                          start[i], unit, x->lower, unit, x->upper, unit);
    }
}

// Hunt and Crossley's is as stiff as [SDC]'s at 30 mm, and loses about as much of a blow.
static void add_rest(atemi_text *text, const atemi_punch_search *search)
{
    atemi_text_append(text, "target: {mass: 5 kg, %s}\n",
                      search->round ? "law: hunt_crossley, hertz_stiffness: 57735, dissipation: 0.3"
                                    : "stiffness: 10 kN/m, damping: 300 N s/m");
    atemi_text_append(text, "constraints: {%s}\n", levels[search->level].constraints);
    atemi_text_append(text, "search: {starts: 1, patience: %d}\n", search->verified ? 20 : 0);
    atemi_text_append(text, "objective: %s\n",
                      search->for_impulse ? "{peak_force: 0, impulse: 1}" : "{peak_force: 1}");
    atemi_text_append(text, "verify: {run: %s, friction: 1.0}\n",
                      search->verified ? "true" : "false");
    atemi_text_append(text, "control_step: %s\n", search->verified ? "1 ms" : "50 ms");
}

static atemi_status write_scenario(const atemi_punch_search *search, atemi_text *text,
                                   atemi_error *error)
{
    *text = (atemi_text){0};
    add_robot(text);
    add_decisions(text, search->start);
    add_rest(text, search);
    return text->failed ? atemi_fail(error, ATEMI_ERROR_MEMORY, "no memory for a scenario")
                        : ATEMI_OK;
}

atemi_status atemi_punch_search_run(const atemi_punch_search *search, const atemi_job_hooks *hooks,
                                    atemi_recording **recording, atemi_error *error)
{
    atemi_text              text;
    const atemi_job_options options = {.hooks = hooks ? *hooks : (atemi_job_hooks){0}};
    *recording = NULL;
    atemi_status status = write_scenario(search, &text, error);
    status = status ? status
                    : atemi_job_run_text("strike", text.bytes, text.size, "strike", &options,
                                         recording, error);
    atemi_text_destroy(&text);
    return status;
}

// ---- A start by itself

static atemi_status stand_so(const atemi_strike_task *task, atemi_punch_stance *stance,
                             atemi_error *error)
{
    double             x[ATEMI_PUNCH_DECISIONS];
    atemi_strike_plan *plan = NULL;
    atemi_data        *data = NULL;
    atemi_status       status = atemi_data_create(task->model, NULL, &data, error);
    for (int i = 0; i < ATEMI_PUNCH_DECISIONS; ++i) {
        x[i] = stance->start[i] * (atemi_punch_decisions[i].in_degrees ? degree : 1.0);
    }
    status = status ? status : atemi_strike_plan_evaluate(task, x, &plan, error);
    if (!status) {
        atemi_update_kinematics(data, atemi_strike_plan_q(plan), NULL, NULL);
        stance->hand = atemi_striking_point_place(data, &task->point, 0);
        stance->com = atemi_center_of_mass(data);
        stance->violation = atemi_strike_plan_violation(plan);
    }
    atemi_strike_plan_destroy(plan);
    atemi_data_destroy(data);
    return status;
}

static atemi_status read_and_stand(atemi_scenario_reader *reader, atemi_punch_stance *stance,
                                   atemi_error *error)
{
    atemi_strike_scenario scenario;
    atemi_job_choice_read(reader, "strike");
    atemi_status status = atemi_strike_scenario_read(reader, NULL, &scenario, error);
    status = status ? status : stand_so(&scenario.task, stance, error);
    atemi_strike_scenario_destroy(&scenario);
    return status;
}

atemi_status atemi_punch_stance_find(atemi_punch_stance *stance, atemi_error *error)
{
    atemi_punch_search     search = {.level = ATEMI_PUNCH_LETTER};
    atemi_text             text;
    atemi_scenario_reader *reader;
    atemi_punch_begin(&search, stance->start);
    atemi_status status = write_scenario(&search, &text, error);
    status =
        status ? status : atemi_scenario_open_text(text.bytes, text.size, "strike", &reader, error);
    if (!status) {
        status = read_and_stand(reader, stance, error);
        atemi_scenario_close(reader);
    }
    atemi_text_destroy(&text);
    return status;
}

// ---- What came of it

const atemi_recorded_table *atemi_punch_table(const atemi_recording *recording, const char *name)
{
    for (int i = 0; i < atemi_recording_table_count(recording); ++i) {
        if (strcmp(atemi_recording_table(recording, i)->name, name) == 0) {
            return atemi_recording_table(recording, i);
        }
    }
    return NULL;
}

void atemi_punch_decided(const atemi_recording *recording, double decided[ATEMI_PUNCH_DECISIONS])
{
    const atemi_recorded_table *table = atemi_punch_table(recording, "decided");
    for (int i = 0; i < ATEMI_PUNCH_DECISIONS; ++i) {
        decided[i] = table->values[i * table->column_count] /
                     (atemi_punch_decisions[i].in_degrees ? degree : 1.0);
    }
}

double atemi_punch_falls(const atemi_recording *recording)
{
    const bool is_simulated = !isnan(atemi_recording_result_value(recording, "verified_impulse"));
    return is_simulated ? 1.0 - atemi_recording_result_value(recording, "stands") : (double)NAN;
}

double atemi_punch_joint(const atemi_recording *recording, const char *joint)
{
    const int rows = atemi_recording_row_count(recording);
    char      name[128];
    snprintf(name, sizeof name, "q.%s", joint);
    const int channel = atemi_recording_find_channel(recording, name);
    return channel == ATEMI_NONE ? (double)NAN
                                 : atemi_recording_values(recording, channel)[rows / 2];
}
