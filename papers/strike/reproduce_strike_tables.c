// SPDX-License-Identifier: Apache-2.0

#include "papers/strike/reproduce_strike_tables.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// The longest table has a row for each of the 22 decisions; the widest 11 columns. Labels are cut.
enum { LABEL_SIZE = 64, MAX_ROWS = 24, MAX_COLUMNS = 12 };

static const double degree = 0.017453292519943295;

// A table that is being made.
typedef struct sheet {
    const char                  *name, *title;
    const atemi_recorded_column *columns;
    int                          column_count, row_count;
    char                         texts[MAX_ROWS][LABEL_SIZE];
    double                       values[MAX_ROWS * MAX_COLUMNS];
} sheet;

// The next row, for its values.
static double *next_row(sheet *s, const char *label, const char *more)
{
    snprintf(s->texts[s->row_count], LABEL_SIZE, "%s%s%s", label, more ? ": " : "",
             more ? more : "");
    return s->values + (size_t)(s->row_count++ * s->column_count);
}

static atemi_status add(const atemi_punch_study *study, const sheet *s, atemi_error *error)
{
    const char *labels[MAX_ROWS];
    for (int i = 0; i < s->row_count; ++i) {
        labels[i] = s->texts[i];
    }
    const atemi_recorded_table table = {.name = s->name,
                                        .title = s->title,
                                        .row_count = s->row_count,
                                        .column_count = s->column_count,
                                        .columns = s->columns,
                                        .labels = labels,
                                        .values = s->values};
    return atemi_reproduction_add_figure(study->reproduction, &table, error);
}

// ---- Tables I, II and III

static void fill_decision(sheet *s, const atemi_recorded_table *decided, int i, double ours)
{
    const atemi_punch_decision *x = &atemi_punch_decisions[i];
    const double worth = decided->values[i * decided->column_count + decided->column_count - 1];
    double      *row = next_row(s, x->symbol, x->key);
    row[0] = x->init;
    row[1] = x->lower;
    row[2] = x->upper;
    row[3] = x->result;
    row[4] = ours;
    row[5] = worth * (x->in_degrees ? degree : 1.0);
}

static atemi_status add_decisions(const atemi_punch_study *study, atemi_error *error)
{
    static const atemi_recorded_column columns[] = {{"init.", NULL}, {"min.", NULL},
                                                    {"max.", NULL},  {"result of the paper", NULL},
                                                    {"ours", NULL},  {"worth", NULL}};
    const atemi_recording             *paper = study->levels[ATEMI_PUNCH_PAPER];
    const atemi_recorded_table        *decided = atemi_punch_table(paper, "decided");
    double                             ours[ATEMI_PUNCH_DECISIONS];
    sheet                              first = {.name = "strike-table1",
                                                .title = "[STRIKE] Table I: decisions, in m, deg, m/s, N s, N m s; worth in N "
                                                                                      "for one more of them",
                                                .columns = columns,
                                                .column_count = 6};
    sheet                              second = {.name = "strike-table2",
                                                 .title = "[STRIKE] Table II: decided joints, deg; of some, the paper's result "
                                                                                       "is lost",
                                                 .columns = columns,
                                                 .column_count = 6};
    atemi_punch_decided(paper, ours);
    for (int i = 0; i < ATEMI_PUNCH_DECISIONS; ++i) {
        const bool is_joint = i >= ATEMI_PUNCH_FEET && i < ATEMI_PUNCH_FEET + ATEMI_PUNCH_JOINTS;
        fill_decision(is_joint ? &second : &first, decided, i, ours[i]);
    }
    const atemi_status status = add(study, &first, error);
    return status ? status : add(study, &second, error);
}

// Ours as the recording has them at first touch.
static atemi_status add_given(const atemi_punch_study *study, atemi_error *error)
{
    static const atemi_recorded_column columns[] = {{"the paper", "deg"}, {"ours", "deg"}};
    const atemi_recording             *paper = study->levels[ATEMI_PUNCH_PAPER];
    sheet                              third = {.name = "strike-table3",
                                                .title = "[STRIKE] Table III: joints that are not decided, at first touch",
                                                .columns = columns,
                                                .column_count = 2};
    for (int i = 0; i < ATEMI_PUNCH_GIVEN; ++i) {
        const atemi_punch_given *about = &atemi_punch_given_joints[i];
        double                  *row = next_row(&third, about->symbol, about->joint);
        row[0] = about->angle;
        row[1] = atemi_punch_joint(paper, about->joint) / degree;
    }
    return add(study, &third, error);
}

// ---- Table IV

// A constraint's value at our optimum, and its upper bound; NaN where there is none of this name.
static double constraint(const atemi_punch_study *study, const char *name, double *upper)
{
    const atemi_recorded_table *all =
        atemi_punch_table(study->levels[ATEMI_PUNCH_PAPER], "constraints");
    for (int i = 0; i < all->row_count; ++i) {
        if (strcmp(all->labels[i], name) == 0) {
            *upper = all->values[i * all->column_count + 2];
            return all->values[i * all->column_count];
        }
    }
    return (double)NAN;
}

// The least margin of the legs to their ranges, rad, and the largest fraction of their speeds.
static void look_at_legs(const atemi_punch_study *study, double *margin, double *part)
{
    static const char           prefix[] = "range of ";
    const atemi_recorded_table *all =
        atemi_punch_table(study->levels[ATEMI_PUNCH_PAPER], "constraints");
    *margin = INFINITY;
    *part = 0.0;
    for (int i = 0; i < all->row_count; ++i) {
        const double *row = all->values + (size_t)(i * all->column_count);
        char          name[LABEL_SIZE];
        double        limit = NAN;
        if (strncmp(all->labels[i], prefix, strlen(prefix)) == 0) {
            snprintf(name, sizeof name, "speed of %s", all->labels[i] + strlen(prefix));
            const double speed = constraint(study, name, &limit);
            *margin = fmin(*margin, fmin(row[0] - row[1], row[2] - row[0]));
            *part = fmax(*part, fabs(speed) / limit);
        }
    }
}

static void fill_constraints(const atemi_punch_study *study, sheet *s)
{
    static const struct {
        const char *label, *name;
        double      lower, upper, unit;
    } rows[] = {{"p_c,z: height of the hand, m", "place of the hand, z", 0.69, 0.71, 1.0},
                {"R_c: aim of the hand", "aim of the hand", 0.9962, 1.0, 1.0},
                {"v_y,c: hand across, m/s", "speed of the hand across, y", -0.3, 0.3, 1.0},
                {"v_z,c: hand across, m/s", "speed of the hand across, z", -0.3, 0.3, 1.0},
                {"omega_x,c, deg/s", "angular velocity of the hand about x", -5.0, 5.0, degree},
                {"omega_y,c, deg/s", "angular velocity of the hand about y", -5.0, 5.0, degree},
                {"omega_z,c, deg/s", "angular velocity of the hand about z", -5.0, 5.0, degree},
                {"p_fl: left foot off its place, m", "place of left_sole", -0.003, 0.003, 1.0},
                {"v_fl: speed of the left foot, m/s", "speed of left_sole", NAN, 0.01, 1.0},
                {"P_x, N s", "P_x", -5.0, 5.0, 1.0},
                {"P_y, N s", "P_y", -5.0, 5.0, 1.0},
                {"L_z, N m s", "L_z", -5.0, 5.0, 1.0}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        double *row = next_row(s, rows[i].label, NULL), unused;
        row[0] = rows[i].lower;
        row[1] = rows[i].upper;
        row[2] = constraint(study, rows[i].name, &unused) / rows[i].unit;
    }
}

static void fill_margins(const atemi_punch_study *study, sheet *s)
{
    const atemi_recording *paper = study->levels[ATEMI_PUNCH_PAPER];
    const double           margin = 5.0, part = 0.8; // C_phi in degrees, C_v
    double                 spare, used;
    look_at_legs(study, &spare, &used);
    const struct {
        const char *label;
        double      values[3];
    } rows[] = {{"l_Zimp: ZMP in the blow, m",
                 {0.05, NAN, atemi_recording_result_value(paper, "impact_margin")}},
                {"l_Zas: ZMP before and after, m",
                 {0.05, NAN, atemi_recording_result_value(paper, "motion_margin")}},
                {"C_phi: room of the legs, deg", {margin, NAN, margin + spare / degree}},
                {"C_v: part of the legs' speeds", {NAN, part, part * used}}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        memcpy(next_row(s, rows[i].label, NULL), rows[i].values, sizeof rows[i].values);
    }
}

static atemi_status add_constraints(const atemi_punch_study *study, atemi_error *error)
{
    static const atemi_recorded_column columns[] = {
        {"from", NULL}, {"to", NULL}, {"ours at the optimum", NULL}};
    sheet fourth = {.name = "strike-table4",
                    .title = "[STRIKE] Table IV: constraints",
                    .columns = columns,
                    .column_count = 3};
    fill_constraints(study, &fourth);
    fill_margins(study, &fourth);
    return add(study, &fourth, error);
}

// What holds the blow back.
static atemi_status add_limits(const atemi_punch_study *study, atemi_error *error)
{
    atemi_recorded_table table = *atemi_punch_table(study->levels[ATEMI_PUNCH_PAPER], "limits");
    table.name = "strike-limits";
    table.title = "What holds our blow back; worth in N for one SI unit more of room";
    return atemi_reproduction_add_figure(study->reproduction, &table, error);
}

// ---- Beside the paper

static void fill_attempt(sheet *s, const char *label, const char *more,
                         const atemi_punch_attempt *found)
{
    double *row = next_row(s, label, more);
    row[0] = found->speed;
    row[1] = found->peak_force;
    row[2] = found->impulse;
    row[3] = found->violation;
    row[4] = found->feasible;
}

// Those that are feasible.
static void find_spread(const atemi_punch_study *study, double *least, double *most)
{
    *least = INFINITY;
    *most = 0.0;
    for (int i = 0; i < ATEMI_PUNCH_STARTS; ++i) {
        if (study->attempts[i].feasible) {
            *least = fmin(*least, study->attempts[i].peak_force);
            *most = fmax(*most, study->attempts[i].peak_force);
        }
    }
}

static atemi_status add_starts(const atemi_punch_study *study, atemi_error *error)
{
    static const atemi_recorded_column columns[] = {{"v_c", "m/s"},
                                                    {"peak force", "N"},
                                                    {"impulse", "N s"},
                                                    {"violation", NULL},
                                                    {"feasible", NULL}};
    char                               title[96], number[16];
    double                             least, most;
    sheet s = {.name = "strike-starts", .title = title, .columns = columns, .column_count = 5};
    find_spread(study, &least, &most);
    snprintf(title, sizeof title, "The paper's problem from %d starts: %.0f to %.0f N",
             ATEMI_PUNCH_STARTS, least, most);
    fill_attempt(&s, "the paper's", NULL, &study->attempts[0]);
    for (int i = 1; i < ATEMI_PUNCH_STARTS; ++i) {
        snprintf(number, sizeof number, "%d", i);
        fill_attempt(&s, "random", number, &study->attempts[i]);
    }
    return add(study, &s, error);
}

// A search, planned and simulated.
static const atemi_recorded_column outcome_columns[] = {{"v_c", "m/s"},
                                                        {"peak force", "N"},
                                                        {"impulse", "N s"},
                                                        {"speeds", "%"},
                                                        {"torques", "%"},
                                                        {"simulated peak", "N"},
                                                        {"simulated impulse", "N s"},
                                                        {"ZMP margin", "m"},
                                                        {"falls", NULL},
                                                        {"lift-offs", NULL},
                                                        {"slips", NULL}};

static void fill_outcome(sheet *s, const char *label, const atemi_recording *recording)
{
    const double values[] = {atemi_recording_result_value(recording, "speed"),
                             atemi_recording_result_value(recording, "peak_force"),
                             atemi_recording_result_value(recording, "impulse"),
                             100.0 * atemi_recording_result_value(recording, "largest_speed_part"),
                             100.0 * atemi_recording_result_value(recording, "largest_torque_part"),
                             atemi_recording_result_value(recording, "verified_peak_force"),
                             atemi_recording_result_value(recording, "verified_impulse"),
                             atemi_recording_result_value(recording, "verified_margin"),
                             atemi_punch_falls(recording),
                             atemi_recording_result_value(recording, "verified_lift_offs"),
                             atemi_recording_result_value(recording, "verified_slips")};
    memcpy(next_row(s, label, NULL), values, sizeof values);
}

static atemi_status add_levels(const atemi_punch_study *study, atemi_error *error)
{
    sheet s = {.name = "strike-levels",
               .title = "What each added constraint costs; speeds and torques are parts of the "
                        "joints' limits that the motion would need",
               .columns = outcome_columns,
               .column_count = sizeof outcome_columns / sizeof outcome_columns[0]};
    for (int i = 0; i < ATEMI_PUNCH_LEVELS; ++i) {
        fill_outcome(&s, atemi_punch_level_text((atemi_punch_level)i), study->levels[i]);
    }
    return add(study, &s, error);
}

static atemi_status add_objectives(const atemi_punch_study *study, atemi_error *error)
{
    sheet s = {.name = "strike-objectives",
               .title = "Both objectives, with speeds and ranges on the way; with [SDC]'s contact "
                        "the peak force is c v_c, whatever the posture",
               .columns = outcome_columns,
               .column_count = sizeof outcome_columns / sizeof outcome_columns[0]};
    fill_outcome(&s, "peak force", study->levels[ATEMI_PUNCH_TRAVEL]);
    fill_outcome(&s, "impulse", study->impulse);
    fill_outcome(&s, "peak force, Hunt and Crossley", study->round);
    return add(study, &s, error);
}

// ---- Figures

static atemi_status add_momenta(const atemi_punch_study *study, atemi_error *error)
{
    static const char *const           linear[] = {"t",
                                                   "momentum.linear_x",
                                                   "verify.linear_momentum_x",
                                                   "momentum.linear_y",
                                                   "verify.linear_momentum_y",
                                                   "momentum.linear_z",
                                                   "verify.linear_momentum_z"};
    static const atemi_recorded_column P[] = {{"time", "s"},
                                              {"P_x, reference", "N s"},
                                              {"P_x, simulated", "N s"},
                                              {"P_y, reference", "N s"},
                                              {"P_y, simulated", "N s"},
                                              {"P_z, reference", "N s"},
                                              {"P_z, simulated", "N s"}};
    static const char *const           angular[] = {"t",
                                                    "momentum.angular_x",
                                                    "verify.angular_momentum_x",
                                                    "momentum.angular_y",
                                                    "verify.angular_momentum_y",
                                                    "momentum.angular_z",
                                                    "verify.angular_momentum_z"};
    static const atemi_recorded_column L[] = {{"time", "s"},
                                              {"L_x, reference", "N m s"},
                                              {"L_x, simulated", "N m s"},
                                              {"L_y, reference", "N m s"},
                                              {"L_y, simulated", "N m s"},
                                              {"L_z, reference", "N m s"},
                                              {"L_z, simulated", "N m s"}};
    const atemi_reproduced_curves      figures[] = {
        {"strike-fig7-momentum", "[STRIKE] Fig. 7: momentum", 7, linear, P},
        {"strike-fig7-angular", "[STRIKE] Fig. 7: angular momentum", 7, angular, L}};
    atemi_status status = ATEMI_OK;
    for (int i = 0; i < 2 && !status; ++i) {
        status = atemi_reproduction_add_curves(
            study->reproduction, study->levels[ATEMI_PUNCH_PAPER], &figures[i], error);
    }
    return status;
}

// Figs. 9 and 12 are columns of one table of the recording.
static atemi_status add_blow(const atemi_punch_study *study, atemi_error *error)
{
    static const struct {
        const char *name, *title;
        int         y[2];
    } figures[] = {{"strike-fig9", "[STRIKE] Fig. 9: force in the blow", {1, 2}},
                   {"strike-fig12-x", "[STRIKE] Fig. 12 (a): ZMP in the blow along x", {3, 4}},
                   {"strike-fig12-y", "[STRIKE] Fig. 12 (b): ZMP in the blow along y", {5, 6}}};
    const atemi_recorded_table *blow = atemi_punch_table(study->levels[ATEMI_PUNCH_PAPER], "blow");
    atemi_status                status = ATEMI_OK;
    for (size_t i = 0; i < sizeof figures / sizeof figures[0] && !status; ++i) {
        atemi_recorded_table figure = *blow;
        figure.name = figures[i].name;
        figure.title = figures[i].title;
        figure.plot =
            (atemi_table_plot){.y_count = 2, .y = figures[i].y, .x = 0, .series = ATEMI_NONE};
        status = atemi_reproduction_add_figure(study->reproduction, &figure, error);
    }
    return status;
}

static atemi_status add_zmp(const atemi_punch_study *study, atemi_error *error)
{
    static const char *const           x[] = {"t", "zmp.planned_x", "zmp.x"};
    static const char *const           y[] = {"t", "zmp.planned_y", "zmp.y"};
    static const atemi_recorded_column columns[] = {
        {"time", "s"}, {"predicted", "m"}, {"simulated", "m"}};
    const atemi_reproduced_curves figures[] = {
        {"strike-fig11-x", "[STRIKE] Fig. 11 (a): ZMP along x", 3, x, columns},
        {"strike-fig11-y", "[STRIKE] Fig. 11 (b): ZMP along y", 3, y, columns}};
    atemi_status status = ATEMI_OK;
    for (int i = 0; i < 2 && !status; ++i) {
        status = atemi_reproduction_add_curves(
            study->reproduction, study->levels[ATEMI_PUNCH_PAPER], &figures[i], error);
    }
    return status;
}

atemi_status atemi_punch_add_tables(const atemi_punch_study *study, atemi_error *error)
{
    static atemi_status (*const parts[])(const atemi_punch_study *, atemi_error *) = {
        add_decisions,           add_given,  add_constraints, add_limits,  add_starts,
        atemi_punch_add_printed, add_levels, add_objectives,  add_momenta, add_blow,
        atemi_punch_add_path,    add_zmp};
    atemi_status status = ATEMI_OK;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0] && !status; ++i) {
        status = parts[i](study, error);
    }
    return status;
}
