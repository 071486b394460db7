// SPDX-License-Identifier: Apache-2.0

#include "papers/strike/reproduce_strike_tables.h"

#include <math.h>

// The paper's problem with nothing chosen by us: from its start, and from its result. What it
// decides is compared with Tables I and II where a bound decides it, which another robot shares,
// and by its sign where the text explains the sign.

static const char NOTHING_CHOSEN[] =
    "nothing chosen: constraints and start as printed; one search from one start, which ends at "
    "one "
    "of several optima, some per cent apart; 5 %: hrp2_like has not HRP-2's masses and limits";
static const char AT_BOUND[] =
    "the paper's result is at this bound; half a unit of its last digit, to the letter from the "
    "paper's start";
static const char BY_SIGN[] = "by its sign, to the letter from the paper's start";
static const char ONE_FOOT[] = "fitted: of the 20 starts, the best that ends with the left foot in "
                               "front as the paper's does; 5 %";

static const char AT_START[] =
    "'the height of the hand is lower than the required position', 0.69 m";
static const char FORWARD[] = "'the robot's center of mass shifts forward': of the paper's result "
                              "(where a joint is lost, its "
                              "start) before that of its start, beside the right foot";

static const char *const names[ATEMI_PUNCH_PRINTED] = {
    "to the letter, from the paper's start", "to the letter, from the paper's result",
    "speeds of all joints, from the paper's start",
    "speeds of all joints, from the paper's result"};

// ---- What a search led to

void atemi_punch_attempt_read(const atemi_recording *recording, atemi_punch_attempt *found)
{
    found->speed = atemi_recording_result_value(recording, "speed");
    found->peak_force = atemi_recording_result_value(recording, "peak_force");
    found->impulse = atemi_recording_result_value(recording, "impulse");
    found->violation = atemi_recording_result_value(recording, "violation");
    found->feasible = atemi_recording_result_value(recording, "feasible") == 1.0;
    atemi_punch_decided(recording, found->decided);
}

// ---- Rows

static void add_near(const atemi_punch_study *study, atemi_reproduced_kind kind, const char *note,
                     const atemi_punch_attempt *found, const char *name)
{
    atemi_reproduction_add(study->reproduction,
                           (atemi_printed){kind, 2.4, 0.05 * 2.4, "m/s", note, 0}, found->speed,
                           "%s: v_c", name);
    atemi_reproduction_add(study->reproduction,
                           (atemi_printed){kind, 734.9, 0.05 * 734.9, "N", note, 0},
                           found->peak_force, "%s: peak force", name);
}

// Decisions that the paper's optimum has at a bound.
static void add_bounds(const atemi_punch_study *study, const double *decided)
{
    static const struct {
        int         decision;
        double      half_digit;
        const char *unit;
    } rows[] = {{0, 0.005, "m"},
                {2, 0.005, "m"},
                {ATEMI_PUNCH_STEP, 0.005, "m"},
                {7, 0.005, "m"},
                {9, 0.05, "deg"},
                {11, 0.05, "deg"},
                {ATEMI_PUNCH_L_X, 0.005, "N m s"},
                {ATEMI_PUNCH_L_Y, 0.005, "N m s"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        const atemi_punch_decision *x = &atemi_punch_decisions[rows[i].decision];
        atemi_reproduction_add(study->reproduction,
                               (atemi_printed){ATEMI_REPRODUCED_PREDICTED, x->result,
                                               rows[i].half_digit, rows[i].unit, AT_BOUND, 0},
                               decided[rows[i].decision], "Tables I, II: %s", x->symbol);
    }
}

static void add_signs(const atemi_punch_study *study, const double *decided)
{
    static const struct {
        int         decision;
        const char *unit, *says;
    } rows[] = {{ATEMI_PUNCH_P_Z, "N s", "P_z is positive, the robot unbends"},
                {ATEMI_PUNCH_V_GX, "m/s", "v_gx is positive"},
                {ATEMI_PUNCH_V_GY, "m/s", "v_gy is negative"},
                {ATEMI_PUNCH_CHEST, "deg", "phi_1,ch is negative"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        const atemi_reproduced_bound bound = atemi_punch_decisions[rows[i].decision].result > 0.0
                                                 ? ATEMI_REPRODUCED_AT_LEAST
                                                 : ATEMI_REPRODUCED_AT_MOST;
        atemi_reproduction_add(
            study->reproduction,
            (atemi_printed){ATEMI_REPRODUCED_PREDICTED, 0.0, 0.0, rows[i].unit, BY_SIGN, bound},
            decided[rows[i].decision], "Tables I, II: %s", rows[i].says);
    }
}

static void add_rows(const atemi_punch_study *study)
{
    for (int i = 0; i < ATEMI_PUNCH_PRINTED; ++i) {
        add_near(study, ATEMI_REPRODUCED_PREDICTED, NOTHING_CHOSEN, &study->printed[i], names[i]);
    }
    if (study->left_in_front != ATEMI_NONE) {
        add_near(study, ATEMI_REPRODUCED_FITTED, ONE_FOOT, &study->attempts[study->left_in_front],
                 "speeds of all joints, left foot in front");
    }
    add_bounds(study, study->printed[ATEMI_PUNCH_LETTER_START].decided);
    add_signs(study, study->printed[ATEMI_PUNCH_LETTER_START].decided);
}

// ---- All searches side by side

enum { COLUMNS = 11, ROWS = 1 + ATEMI_PUNCH_PRINTED + ATEMI_PUNCH_LEVELS };

static void fill(const atemi_punch_attempt *found, double *row)
{
    static const int decisions[] = {ATEMI_PUNCH_STEP, ATEMI_PUNCH_P_Z,  ATEMI_PUNCH_L_X,
                                    ATEMI_PUNCH_L_Y,  ATEMI_PUNCH_V_GX, ATEMI_PUNCH_V_GY,
                                    ATEMI_PUNCH_CHEST};
    row[0] = found->speed;
    row[1] = found->peak_force;
    row[2] = found->impulse;
    for (size_t i = 0; i < sizeof decisions / sizeof decisions[0]; ++i) {
        row[3 + i] = found->decided[decisions[i]];
    }
    row[COLUMNS - 1] = found->violation;
}

static atemi_punch_attempt of_the_paper(void)
{
    atemi_punch_attempt paper = {
        .speed = 2.4, .peak_force = 734.9, .impulse = 15.1, .violation = NAN};
    for (int i = 0; i < ATEMI_PUNCH_DECISIONS; ++i) {
        paper.decided[i] = atemi_punch_decisions[i].result;
    }
    return paper;
}

static atemi_status add_table(const atemi_punch_study *study, atemi_error *error)
{
    static const atemi_recorded_column columns[COLUMNS] = {
        {"v_c", "m/s"},  {"peak force", "N"},  {"impulse", "N s"}, {"s_x", "m"},
        {"P_z", "N s"},  {"L_x", "N m s"},     {"L_y", "N m s"},   {"v_gx", "m/s"},
        {"v_gy", "m/s"}, {"chest yaw", "deg"}, {"violation", NULL}};
    const char               *labels[ROWS] = {"the paper"};
    double                    values[ROWS * COLUMNS];
    const atemi_punch_attempt paper = of_the_paper();
    fill(&paper, values);
    for (int i = 0; i < ATEMI_PUNCH_PRINTED; ++i) {
        labels[1 + i] = names[i];
        fill(&study->printed[i], values + (size_t)(1 + i) * COLUMNS);
    }
    for (int i = 0; i < ATEMI_PUNCH_LEVELS; ++i) {
        const int           row = 1 + ATEMI_PUNCH_PRINTED + i;
        atemi_punch_attempt found;
        labels[row] = atemi_punch_level_text((atemi_punch_level)i);
        atemi_punch_attempt_read(study->levels[i], &found);
        fill(&found, values + (size_t)row * COLUMNS);
    }
    const atemi_recorded_table table = {
        .name = "strike-printed",
        .title = "The paper's result beside ours: to the letter, and with limits of its own body",
        .row_count = ROWS,
        .column_count = COLUMNS,
        .columns = columns,
        .labels = labels,
        .values = values,
        .plot = {.series = ATEMI_NONE, .x = ATEMI_NONE}};
    return atemi_reproduction_add_figure(study->reproduction, &table, error);
}

// Fig. 6: kinematics of hrp2_like in the paper's two postures.
static atemi_status add_stances(const atemi_punch_study *study, atemi_error *error)
{
    atemi_punch_stance first, last;
    atemi_punch_start_printed(first.start);
    atemi_punch_start_result(last.start);
    atemi_status status = atemi_punch_stance_find(&first, error);
    status = status ? status : atemi_punch_stance_find(&last, error);
    if (status) {
        return status;
    }
    atemi_reproduction_add(study->reproduction,
                           (atemi_printed){ATEMI_REPRODUCED_PREDICTED, 0.69, 0.0, "m", AT_START,
                                           ATEMI_REPRODUCED_AT_MOST},
                           first.hand.z, "Fig. 6: height of the hand at the start");
    atemi_reproduction_add(study->reproduction,
                           (atemi_printed){ATEMI_REPRODUCED_PREDICTED, 0.0, 0.0, "m", FORWARD,
                                           ATEMI_REPRODUCED_AT_LEAST},
                           last.com.x - first.com.x, "Fig. 6: shift of the centre of mass forward");
    return ATEMI_OK;
}

atemi_status atemi_punch_add_printed(const atemi_punch_study *study, atemi_error *error)
{
    add_rows(study);
    const atemi_status status = add_stances(study, error);
    return status ? status : add_table(study, error);
}
