// SPDX-License-Identifier: Apache-2.0

#include "atemi/blow.h"
#include "atemi/job.h"
#include "papers/reproduction_parts.h"

#include <math.h>
#include <stdio.h>

// [SDC]: T. Tsujita, A. Konno, M. Uchiyama, 2009. Nine motions hit a box of 5 kg, in three postures
// A, B and C at three speeds 1, 2 and 3.

enum { POSTURES = 3, SPEEDS = 3, MOTIONS = POSTURES * SPEEDS, DOF = 28, LIMBS = 4 };

static const char *const names[MOTIONS] = {"A-1", "A-2", "A-3", "B-1", "B-2",
                                           "B-3", "C-1", "C-2", "C-3"};
static const double      masses[POSTURES] = {4.0, 6.0, 8.0}; // kg, Table I
static const double      speeds[SPEEDS] = {0.4, 0.7, 1.0};   // m/s, Table I

// Table II: OpenHRP3.
static const double openhrp_peak[MOTIONS] = {122.6, 215.7, 299.3, 121.3, 209.1,
                                             301.3, 119.6, 211.3, 299.5}; // N
static const double openhrp_impulse[MOTIONS] = {2.6, 4.5, 6.6, 2.5, 4.5, 6.5, 2.8, 4.8, 7.1};

// Table II: SDC, and its errors of OpenHRP3's numbers.
static const double sdc_peak[MOTIONS] = {119.7, 209.9, 300.4, 119.7, 209.9,
                                         300.4, 120.1, 210.2, 300.7};
static const double sdc_impulse[MOTIONS] = {2.6, 4.6, 6.5, 2.7, 4.7, 6.7, 2.7, 4.8, 6.9};
static const double sdc_peak_error[MOTIONS] = {2.3, 2.7, -0.4, 1.2, -0.4, 0.3, -0.4, 0.5, -0.4};
static const double sdc_impulse_error[MOTIONS] = {-0.4, -1.2, 0.7, -6.1, -4.5, -2.4, 0.6, 0.2, 4.0};

// Table III: the virtual mass.
static const double mass_peak[MOTIONS] = {119.7, 209.9, 300.2, 119.7, 209.9,
                                          300.2, 119.8, 210.4, 300.6};
static const double mass_impulse[MOTIONS] = {1.2, 2.1, 3.0, 1.5, 2.7, 3.8, 1.7, 3.0, 4.3};
static const double mass_peak_error[MOTIONS] = {2.3, 2.7, -0.3, 1.3, -0.4, 0.3, -0.2, 0.4, -0.4};
static const double mass_error[MOTIONS] = {53.2, 52.8, 53.7, 39.9, 40.8, 42.1, 37.3, 36.9, 39.4};

static const char POSTURES_FITTED[] =
    "fitted: the postures, which the paper does not print, were searched for these virtual masses";
static const char GAINS[] = "fitted: K_p = 8000 and K_d = 400 in every joint, to these impulses; "
                            "the paper gives none. Full "
                            "dynamics is the hybrid simulation, feet unilateral with friction 5";
static const char WITH_GAINS[] =
    "with the gains that are fitted to OpenHRP3's impulses; 5 %: hrp2_like is not HRP-2";
static const char PRINTED_PEAKS[] =
    "c v_c is 120, 210 and 300 N: what is printed scatters about that by 0.25 %";
static const char WITH_MASS[] = "of two points with the printed masses, speeds and law";
static const char SCATTER[] =
    "of OpenHRP3's: whose peaks scatter about c v_c by up to 2.7 %, the tolerance";
static const char POINTS[] = "of full dynamics'; 5 points: hrp2_like is not HRP-2";
static const char WITH_STIFFNESS[] =
    "beyond the paper: the servo's stiffness is kept; 0 is perfect, our aim is 1 %";
static const char ZMP_AIM[] = "beyond the paper: 0 is perfect, our aim is 5 mm";

// ---- The cost model

typedef struct cost_ratios {
    double to_full, to_articulated; ///< C_2 / C_1, C_2 / C_3
} cost_ratios;

// n joints in four limbs, 0.1 s.
static cost_ratios ratios_of(int n, double step)
{
    const int             limbs[LIMBS] = {n / LIMBS, n / LIMBS, n / LIMBS, n / LIMBS};
    const atemi_blow_work work = {.limbs = limbs,
                                  .limb_count = LIMBS,
                                  .joints = n,
                                  .striking = n / LIMBS,
                                  .iterations = 0.1 / step};
    const double          frozen = atemi_blow_cost_frozen(&work);
    return (cost_ratios){frozen / atemi_blow_cost_full(&work),
                         frozen / atemi_blow_cost_articulated(&work)};
}

static void add_costs(atemi_reproduction *reproduction)
{
    atemi_reproduction_add(reproduction,
                           (atemi_printed){ATEMI_REPRODUCED_PREDICTED, 0.016, 0.0005, "-",
                                           "operations are counted by the paper's formulas", 0},
                           ratios_of(DOF, 1e-3).to_full, "Fig. 3 (a): C_2 / C_1 at 1e-3 s");
    atemi_reproduction_add(reproduction,
                           (atemi_printed){ATEMI_REPRODUCED_PREDICTED, 0.25, 0.025, "-",
                                           "the text says about 1/4: within a tenth", 0},
                           ratios_of(DOF, 1e-4).to_articulated, "Fig. 3 (b): C_2 / C_3 at 1e-4 s");
}

enum { MOST_RATIOS = 41 }; // of a loop over them

// Both ratios over something.
typedef struct ratio_curves {
    const char *name, *title, *over;
    int         count;
    double      values[3 * MOST_RATIOS];
} ratio_curves;

static void add_ratios(ratio_curves *curves, double x, cost_ratios ratios)
{
    double *row = curves->values + (size_t)(3 * curves->count++);
    row[0] = x;
    row[1] = ratios.to_full;
    row[2] = ratios.to_articulated;
}

static atemi_status add_curves(atemi_reproduction *reproduction, const ratio_curves *curves,
                               atemi_error *error)
{
    const atemi_recorded_column columns[] = {
        {curves->over, NULL}, {"C_2 / C_1", NULL}, {"C_2 / C_3", NULL}};
    static const int           y[] = {1, 2};
    const atemi_recorded_table figure = {
        .name = curves->name,
        .title = curves->title,
        .row_count = curves->count,
        .column_count = 3,
        .columns = columns,
        .values = curves->values,
        .plot = {.y_count = 2, .y = y, .x = 0, .series = ATEMI_NONE}};
    return atemi_reproduction_add_figure(reproduction, &figure, error);
}

static atemi_status add_figure_3(atemi_reproduction *reproduction, atemi_error *error)
{
    ratio_curves curves = {.name = "sdc-fig3",
                           .title =
                               "[SDC] Fig. 3: cost of SDC beside full dynamics, 28 joints, 0.1 s",
                           .over = "log10 of the sampling time in s"};
    for (int i = 0; i < MOST_RATIOS; ++i) {
        const double exponent = -2.0 - 4.0 * i / (MOST_RATIOS - 1);
        add_ratios(&curves, exponent, ratios_of(DOF, pow(10.0, exponent)));
    }
    return add_curves(reproduction, &curves, error);
}

static atemi_status add_figure_4(atemi_reproduction *reproduction, atemi_error *error)
{
    ratio_curves curves = {.name = "sdc-fig4",
                           .title =
                               "[SDC] Fig. 4: cost of SDC beside full dynamics, steps of 1e-4 s",
                           .over = "joints"};
    for (int limb = 1; limb <= 30; ++limb) {
        add_ratios(&curves, LIMBS * limb, ratios_of(LIMBS * limb, 1e-4));
    }
    return add_curves(reproduction, &curves, error);
}

// ---- Motions

static const char scenario[] = "robot: hrp2_like\n"
                               "gravity: [0, 0, -9.8]\n"
                               "start: {posture: punch_%dkg, place_on: floor}\n"
                               "contacts:\n"
                               "  - {site: right_sole, friction: 5}\n"
                               "  - {site: left_sole, friction: 5}\n"
                               "hand: {site: right_fist, direction: [1, 0, 0], speed: %.1f m/s}\n"
                               "servo: {stiffness: 8000, damping: 400}\n"
                               "joint_friction: false\n"
                               "target: {mass: 5 kg, stiffness: 10 kN/m, damping: 300 N s/m}\n";

static atemi_status run_motion(int motion, atemi_recording **recording, atemi_error *error)
{
    char                    text[sizeof scenario + 32];
    const atemi_job_options options = {.flags = ATEMI_IMPACT_BY_FULL_DYNAMICS};
    const int length = snprintf(text, sizeof text, scenario, (int)masses[motion / SPEEDS],
                                speeds[motion % SPEEDS]);
    return atemi_job_run_text("impact", text, (size_t)length, "sdc", &options, recording, error);
}

static void add(atemi_reproduction *reproduction, atemi_reproduced_kind kind, double printed,
                double tolerance, const char *unit, const char *note, double ours, const char *what,
                int motion)
{
    atemi_reproduction_add(reproduction, (atemi_printed){kind, printed, tolerance, unit, note, 0},
                           ours, "%s, %s", what, names[motion]);
}

// In the paper's sign: how much less than full dynamics an estimate is.
static double error_of(const atemi_recording *recording, const char *estimated, const char *full)
{
    const double x = atemi_recording_result_value(recording, full);
    return 100.0 * (x - atemi_recording_result_value(recording, estimated)) / x;
}

static void add_tables(atemi_reproduction *reproduction, int motion,
                       const atemi_recording *recording)
{
    const double *impulse = &openhrp_impulse[motion], *peak = &openhrp_peak[motion];
    if (motion % SPEEDS == 0) {
        const double mass = masses[motion / SPEEDS];
        atemi_reproduction_add(
            reproduction,
            (atemi_printed){ATEMI_REPRODUCED_FITTED, mass, 0.01 * mass, "kg", POSTURES_FITTED, 0},
            atemi_recording_result_value(recording, "virtual_mass"),
            "Table I: virtual mass of posture %c", names[motion][0]);
    }
    add(reproduction, ATEMI_REPRODUCED_FITTED, *peak, 0.027 * *peak, "N", GAINS,
        atemi_recording_result_value(recording, "full_peak_force"),
        "Table II: peak force by full dynamics", motion);
    add(reproduction, ATEMI_REPRODUCED_FITTED, *impulse, 0.1 * *impulse, "N s", GAINS,
        atemi_recording_result_value(recording, "full_impulse"),
        "Table II: impulse by full dynamics", motion);
    add(reproduction, ATEMI_REPRODUCED_PREDICTED, sdc_peak[motion], 0.003 * sdc_peak[motion], "N",
        PRINTED_PEAKS, atemi_recording_result_value(recording, "published_peak_force"),
        "Table II: peak force by SDC", motion);
    add(reproduction, ATEMI_REPRODUCED_PREDICTED, sdc_impulse[motion], 0.05 * sdc_impulse[motion],
        "N s", WITH_GAINS, atemi_recording_result_value(recording, "published_impulse"),
        "Table II: impulse by SDC", motion);
    add(reproduction, ATEMI_REPRODUCED_PREDICTED, mass_peak[motion], 0.003 * mass_peak[motion], "N",
        WITH_MASS, atemi_recording_result_value(recording, "virtual_mass_peak_force"),
        "Table III: peak force of the virtual mass", motion);
    add(reproduction, ATEMI_REPRODUCED_PREDICTED, mass_impulse[motion], 0.05, "N s", WITH_MASS,
        atemi_recording_result_value(recording, "virtual_mass_impulse"),
        "Table III: impulse of the virtual mass", motion);
}

static void add_errors(atemi_reproduction *reproduction, int motion,
                       const atemi_recording *recording)
{
    add(reproduction, ATEMI_REPRODUCED_PREDICTED, sdc_peak_error[motion], 2.7, "%", SCATTER,
        error_of(recording, "published_peak_force", "full_peak_force"),
        "Table II: SDC's error of the peak force", motion);
    add(reproduction, ATEMI_REPRODUCED_PREDICTED, sdc_impulse_error[motion], 5.0, "%", POINTS,
        error_of(recording, "published_impulse", "full_impulse"),
        "Table II: SDC's error of the impulse", motion);
    add(reproduction, ATEMI_REPRODUCED_PREDICTED, mass_peak_error[motion], 2.7, "%", SCATTER,
        error_of(recording, "virtual_mass_peak_force", "full_peak_force"),
        "Table III: the virtual mass's error of the peak force", motion);
    add(reproduction, ATEMI_REPRODUCED_PREDICTED, mass_error[motion], 5.0, "%", POINTS,
        error_of(recording, "virtual_mass_impulse", "full_impulse"),
        "Table III: the virtual mass's error of the impulse", motion);
    add(reproduction, ATEMI_REPRODUCED_IDENTITY, 0.0, 1.0, "%", WITH_STIFFNESS,
        100.0 * atemi_recording_result_value(recording, "impulse_error"),
        "our estimate's error of the impulse", motion);
    add(reproduction, ATEMI_REPRODUCED_IDENTITY, 0.0, 5.0, "mm", ZMP_AIM,
        1e3 * atemi_recording_result_value(recording, "zmp_difference"),
        "ZMP of our estimate and of full dynamics, apart", motion);
}

// ---- Fig. 7: force over time, of one motion

static atemi_status add_figure_7(atemi_reproduction *reproduction, int motion,
                                 const atemi_recording *recording, atemi_error *error)
{
    enum { COLUMNS = 5 };
    static const char *const           channels[COLUMNS] = {"t", "force.full", "force.published",
                                                            "force.estimate", "force.virtual_mass"};
    static const atemi_recorded_column columns[COLUMNS] = {{"time", "s"},
                                                           {"full dynamics", "N"},
                                                           {"SDC as published", "N"},
                                                           {"SDC with stiffness", "N"},
                                                           {"virtual mass", "N"}};
    char                               name[32], title[96];
    snprintf(name, sizeof name, "sdc-fig7-%s", names[motion]);
    snprintf(title, sizeof title, "[SDC] Fig. 7: force over time, motion %s", names[motion]);
    const atemi_reproduced_curves curves = {name, title, COLUMNS, channels, columns};
    return atemi_reproduction_add_curves(reproduction, recording, &curves, error);
}

static atemi_status add_motion(atemi_reproduction *reproduction, int motion, atemi_error *error)
{
    atemi_recording *recording;
    atemi_status     status = run_motion(motion, &recording, error);
    if (status) {
        return status;
    }
    add_tables(reproduction, motion, recording);
    add_errors(reproduction, motion, recording);
    if (names[motion][0] == 'C') {
        status = add_figure_7(reproduction, motion, recording, error);
    }
    atemi_recording_destroy(recording);
    return status;
}

atemi_status atemi_reproduce_sdc(atemi_reproduction *reproduction, atemi_error *error)
{
    add_costs(reproduction);
    atemi_status status = add_figure_3(reproduction, error);
    if (!status) {
        status = add_figure_4(reproduction, error);
    }
    for (int i = 0; i < MOTIONS && !status; ++i) {
        if (atemi_reproduction_goes_on(reproduction, (double)i / (double)MOTIONS)) {
            status = add_motion(reproduction, i, error);
        }
    }
    return status;
}
