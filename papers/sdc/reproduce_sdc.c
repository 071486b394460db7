// SPDX-License-Identifier: Apache-2.0

#include "atemi/blow.h"
#include "papers/reproduction_parts.h"
#include "papers/sdc/sdc_gains.h"
#include "papers/sdc/sdc_history.h"
#include "papers/sdc/sdc_motions.h"
#include "papers/sdc/sdc_neglected.h"

#include <math.h>
#include <stdio.h>

// [SDC]: T. Tsujita, A. Konno, M. Uchiyama, 2009. The servos' gains, which it does not print, are
// fitted to posture A alone (sdc_gains.h): what B and C give with them is predicted.

enum { MOTIONS = SDC_MOTIONS, SPEEDS = SDC_SPEEDS, DOF = 28, LIMBS = 4 };

// Table II: OpenHRP3.
static const double openhrp_peak[MOTIONS] = {122.6, 215.7, 299.3, 121.3, 209.1,
                                             301.3, 119.6, 211.3, 299.5}; // N

// Table II: SDC, and its errors of OpenHRP3's numbers.
static const double sdc_peak[MOTIONS] = {119.7, 209.9, 300.4, 119.7, 209.9,
                                         300.4, 120.1, 210.2, 300.7};
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
static const char GAINS[] = "fitted: K_p and K_d, one number each for all joints, on a grid, to "
                            "the six impulses of posture "
                            "A (full dynamics and SDC); the paper gives none";
static const char WITH_GAINS[] =
    "with the gains that are fitted to posture A alone; 5 %: hrp2_like is not HRP-2";
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

static const char COUNTED[] = "operations are counted by the paper's formulas";

static const char AXIS[] = "operations are counted by the paper's formulas; 5 %: the figure's axis "
                           "is in hundreds of joints, and so is the sentence";

// The most joints for which SDC takes fewer operations than full dynamics by articulated bodies;
// between multiples of four the ratio is interpolated.
static double find_break_even(void)
{
    int n = LIMBS;
    while (ratios_of(n + LIMBS, 1e-4).to_articulated < 1.0) {
        n += LIMBS;
    }
    const double below = ratios_of(n, 1e-4).to_articulated;
    const double above = ratios_of(n + LIMBS, 1e-4).to_articulated;
    return n + (double)LIMBS * (1.0 - below) / (above - below);
}

static void add_trends(atemi_reproduction *reproduction)
{
    const double fine = ratios_of(DOF, 1e-5).to_full, finer = ratios_of(DOF, 1e-7).to_full;
    atemi_reproduction_add(reproduction,
                           (atemi_printed){ATEMI_REPRODUCED_PREDICTED, 0.016, 0.0, "-", COUNTED,
                                           ATEMI_REPRODUCED_AT_MOST},
                           fine, "Fig. 3 (a): C_2 / C_1 at 1e-5 s, less than at 1e-3 s");
    atemi_reproduction_add(reproduction,
                           (atemi_printed){ATEMI_REPRODUCED_PREDICTED, 1.0, 0.1, "-",
                                           "almost constant, the text says: within a tenth", 0},
                           finer / fine, "Fig. 3 (a): C_2 / C_1 at 1e-7 s over that at 1e-5 s");
    atemi_reproduction_add(
        reproduction, (atemi_printed){ATEMI_REPRODUCED_PREDICTED, 100.0, 5.0, "joints", AXIS, 0},
        find_break_even(), "Fig. 4 (b): up to where C_2 / C_3 is under one");
}

static void add_costs(atemi_reproduction *reproduction)
{
    atemi_reproduction_add(
        reproduction, (atemi_printed){ATEMI_REPRODUCED_PREDICTED, 0.016, 0.0005, "-", COUNTED, 0},
        ratios_of(DOF, 1e-3).to_full, "Fig. 3 (a): C_2 / C_1 at 1e-3 s");
    atemi_reproduction_add(reproduction,
                           (atemi_printed){ATEMI_REPRODUCED_PREDICTED, 0.25, 0.025, "-",
                                           "the text says about 1/4: within a tenth", 0},
                           ratios_of(DOF, 1e-4).to_articulated, "Fig. 3 (b): C_2 / C_3 at 1e-4 s");
}

enum { MAX_RATIOS = 41 }; // of a loop over them

// Both ratios over something.
typedef struct ratio_curves {
    const char *name, *title, *over;
    int         count;
    double      values[3 * MAX_RATIOS];
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
    for (int i = 0; i < MAX_RATIOS; ++i) {
        const double exponent = -2.0 - 4.0 * i / (MAX_RATIOS - 1);
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

static void add(atemi_reproduction *reproduction, atemi_reproduced_kind kind, double printed,
                double tolerance, const char *unit, const char *note, double ours, const char *what,
                int motion)
{
    atemi_reproduction_add(reproduction, (atemi_printed){kind, printed, tolerance, unit, note, 0},
                           ours, "%s, %s", what, sdc_motion_names[motion]);
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
    const double *impulse = &sdc_printed_full_impulse[motion], *peak = &openhrp_peak[motion];
    const bool    is_fitted = motion < SPEEDS; // posture A
    const char   *note = is_fitted ? GAINS : WITH_GAINS;
    const atemi_reproduced_kind by_gains =
        is_fitted ? ATEMI_REPRODUCED_FITTED : ATEMI_REPRODUCED_PREDICTED;
    if (motion % SPEEDS == 0) {
        const double mass = sdc_masses[motion / SPEEDS];
        atemi_reproduction_add(
            reproduction,
            (atemi_printed){ATEMI_REPRODUCED_FITTED, mass, 0.01 * mass, "kg", POSTURES_FITTED, 0},
            atemi_recording_result_value(recording, "virtual_mass"),
            "Table I: virtual mass of posture %c", sdc_motion_names[motion][0]);
    }
    add(reproduction, ATEMI_REPRODUCED_PREDICTED, *peak, 0.027 * *peak, "N", SCATTER,
        atemi_recording_result_value(recording, "full_peak_force"),
        "Table II: peak force by full dynamics", motion);
    add(reproduction, by_gains, *impulse, 0.05 * *impulse, "N s", note,
        atemi_recording_result_value(recording, "full_impulse"),
        "Table II: impulse by full dynamics", motion);
    add(reproduction, ATEMI_REPRODUCED_PREDICTED, sdc_peak[motion], 0.003 * sdc_peak[motion], "N",
        PRINTED_PEAKS, atemi_recording_result_value(recording, "published_peak_force"),
        "Table II: peak force by SDC", motion);
    add(reproduction, by_gains, sdc_printed_impulse[motion], 0.05 * sdc_printed_impulse[motion],
        "N s", note, atemi_recording_result_value(recording, "published_impulse"),
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
    add(reproduction, motion < SPEEDS ? ATEMI_REPRODUCED_FITTED : ATEMI_REPRODUCED_PREDICTED,
        sdc_impulse_error[motion], 5.0, "%", motion < SPEEDS ? GAINS : POINTS,
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

// ---- What the text says of all motions

typedef struct sdc_extremes {
    double shortest, longest;     ///< contact by full dynamics, ms
    double sdc_error, mass_error; ///< the largest of the impulse, %
} sdc_extremes;

static void widen(sdc_extremes *extremes, const atemi_recording *recording)
{
    const double contact = 1e3 * atemi_recording_result_value(recording, "full_contact_time");
    extremes->shortest = fmin(extremes->shortest, contact);
    extremes->longest = fmax(extremes->longest, contact);
    extremes->sdc_error =
        fmax(extremes->sdc_error, fabs(error_of(recording, "published_impulse", "full_impulse")));
    extremes->mass_error = fmax(extremes->mass_error,
                                fabs(error_of(recording, "virtual_mass_impulse", "full_impulse")));
}

static void add_extremes(atemi_reproduction *reproduction, const sdc_extremes *extremes)
{
    const atemi_reproduced_kind predicted = ATEMI_REPRODUCED_PREDICTED;
    atemi_reproduction_add(
        reproduction, (atemi_printed){predicted, 10.0, 0.0, "ms", NULL, ATEMI_REPRODUCED_AT_LEAST},
        extremes->shortest, "III: a collision takes 10 to 100 ms: the shortest");
    atemi_reproduction_add(
        reproduction, (atemi_printed){predicted, 100.0, 0.0, "ms", NULL, ATEMI_REPRODUCED_AT_MOST},
        extremes->longest, "III: a collision takes 10 to 100 ms: the longest");
    atemi_reproduction_add(
        reproduction, (atemi_printed){predicted, 6.0, 0.0, "%", NULL, ATEMI_REPRODUCED_AT_MOST},
        extremes->sdc_error, "III: the largest error of SDC's impulse, about 6 %%");
    atemi_reproduction_add(reproduction, (atemi_printed){predicted, 54.0, 5.0, "%", POINTS, 0},
                           extremes->mass_error,
                           "III: the largest error of the virtual mass's impulse, about 54 %%");
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
    snprintf(name, sizeof name, "sdc-fig7-%s", sdc_motion_names[motion]);
    snprintf(title, sizeof title, "[SDC] Fig. 7: force over time, motion %s",
             sdc_motion_names[motion]);
    const atemi_reproduced_curves curves = {name, title, COLUMNS, channels, columns};
    return atemi_reproduction_add_curves(reproduction, recording, &curves, error);
}

static atemi_status add_motion(atemi_reproduction *reproduction, int motion, sdc_gains gains,
                               sdc_extremes *extremes, atemi_error *error)
{
    atemi_recording *recording;
    atemi_status     status = sdc_motion_run(motion, gains, true, &recording, error);
    if (status) {
        return status;
    }
    add_tables(reproduction, motion, recording);
    add_errors(reproduction, motion, recording);
    widen(extremes, recording);
    if (sdc_motion_names[motion][0] == 'C') {
        sdc_history_add(reproduction, motion, recording);
        status = add_figure_7(reproduction, motion, recording, error);
    }
    atemi_recording_destroy(recording);
    return status;
}

atemi_status atemi_reproduce_sdc(atemi_reproduction *reproduction, atemi_error *error)
{
    add_costs(reproduction);
    add_trends(reproduction);
    atemi_status status = add_figure_3(reproduction, error);
    if (!status) {
        status = add_figure_4(reproduction, error);
    }
    if (!status) {
        status = sdc_neglected_add(reproduction, error);
    }
    sdc_gains    gains;
    sdc_extremes extremes = {.shortest = INFINITY};
    if (!status) {
        status = sdc_gains_fit(0, &gains, error);
    }
    for (int i = 0; i < MOTIONS && !status; ++i) {
        if (atemi_reproduction_goes_on(reproduction, (double)i / (double)MOTIONS)) {
            status = add_motion(reproduction, i, gains, &extremes, error);
        }
    }
    if (!status && !reproduction->stopped) {
        add_extremes(reproduction, &extremes);
    }
    return status ? status : sdc_gains_add_sensitivity(reproduction, gains, error);
}
