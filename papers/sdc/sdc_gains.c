// SPDX-License-Identifier: Apache-2.0

#include "papers/sdc/sdc_gains.h"

#include <math.h>

// With I_i the impulse of motion i by our estimate, which keeps the stiffness and is within 0.2 %
// of full dynamics, and S_i that of SDC as published, both relative to the printed numbers I*_i,
// S*_i:
//
//     miss(i) = ((I_i / I*_i - 1)^2 + (S_i / S*_i - 1)^2) / 2
//     (K_p, K_d) = argmin over the grid of miss(A-1) + miss(A-2) + miss(A-3)
//
// and, for the table, the same of B and of C.
//
// The grid is in powers of two. It begins where servos still hold the robot, and ends where K_d of
// all joints is as stiff to the blow as rigid ones: beyond 800 N m s/rad impulses grow no more.

static const double stiffnesses[] = {500.0, 1e3, 2e3, 4e3, 8e3, 16e3}; // N m/rad
static const double dampings[] = {50.0, 100.0, 200.0, 400.0, 800.0};   // N m s/rad

typedef struct sdc_errors {
    double full, published; ///< relative
} sdc_errors;

static atemi_status find_errors(int motion, sdc_gains gains, sdc_errors *errors, atemi_error *error)
{
    atemi_recording   *recording;
    const atemi_status status = sdc_motion_run(motion, gains, false, &recording, error);
    if (!status) {
        errors->full =
            atemi_recording_result_value(recording, "impulse") / sdc_printed_full_impulse[motion] -
            1.0;
        errors->published = atemi_recording_result_value(recording, "published_impulse") /
                                sdc_printed_impulse[motion] -
                            1.0;
        atemi_recording_destroy(recording);
    }
    return status;
}

// The mean of the squares over a posture.
static atemi_status find_miss(int posture, sdc_gains gains, double *miss, atemi_error *error)
{
    atemi_status status = ATEMI_OK;
    *miss = 0.0;
    for (int i = 0; i < SDC_SPEEDS && !status; ++i) {
        sdc_errors errors;
        status = find_errors(posture * SDC_SPEEDS + i, gains, &errors, error);
        if (!status) {
            *miss += (errors.full * errors.full + errors.published * errors.published) /
                     (2.0 * (double)SDC_SPEEDS);
        }
    }
    return status;
}

atemi_status sdc_gains_fit(int posture, sdc_gains *gains, atemi_error *error)
{
    const int    rows = sizeof stiffnesses / sizeof *stiffnesses;
    const int    columns = sizeof dampings / sizeof *dampings;
    double       best = INFINITY;
    atemi_status status = ATEMI_OK;
    for (int i = 0; i < rows * columns && !status; ++i) {
        const sdc_gains tried = {stiffnesses[i / columns], dampings[i % columns]};
        double          miss;
        status = find_miss(posture, tried, &miss, error);
        if (!status && miss < best) {
            best = miss;
            *gains = tried;
        }
    }
    return status;
}

// ---- How much they matter

enum { CASES = 7, COLUMNS = 2 + SDC_POSTURES };

static atemi_status fill_row(sdc_gains used, double *row, atemi_error *error)
{
    atemi_status status = ATEMI_OK;
    row[0] = used.stiffness;
    row[1] = used.damping;
    for (int posture = 0; posture < SDC_POSTURES && !status; ++posture) {
        double miss;
        status = find_miss(posture, used, &miss, error);
        row[2 + posture] = sqrt(miss);
    }
    return status;
}

// Half and twice of what is fitted to A, and what is fitted to B and to C.
static atemi_status find_cases(sdc_gains gains, sdc_gains cases[CASES], atemi_error *error)
{
    static const double factors[CASES][2] = {
        {1.0, 1.0}, {0.5, 1.0}, {2.0, 1.0}, {1.0, 0.5}, {1.0, 2.0}};
    for (int i = 0; i < CASES; ++i) {
        cases[i] = (sdc_gains){factors[i][0] * gains.stiffness, factors[i][1] * gains.damping};
    }
    const atemi_status status = sdc_gains_fit(1, &cases[CASES - 2], error);
    return status ? status : sdc_gains_fit(2, &cases[CASES - 1], error);
}

atemi_status sdc_gains_add_sensitivity(atemi_reproduction *reproduction, sdc_gains gains,
                                       atemi_error *error)
{
    static const char *const           labels[CASES] = {"fitted to A", "half of K_p", "twice K_p",
                                                        "half of K_d", "twice K_d",   "fitted to B",
                                                        "fitted to C"};
    static const atemi_recorded_column columns[COLUMNS] = {{"K_p", "N m/rad"},
                                                           {"K_d", "N m s/rad"},
                                                           {"error of the impulses, A", NULL},
                                                           {"B", NULL},
                                                           {"C", NULL}};
    double                             values[CASES * COLUMNS];
    sdc_gains                          cases[CASES];
    atemi_status                       status = find_cases(gains, cases, error);
    for (int i = 0; i < CASES && !status; ++i) {
        status = fill_row(cases[i], values + (size_t)i * COLUMNS, error);
    }
    const atemi_recorded_table table = {.name = "sdc-gains",
                                        .title = "Gains: relative error of the impulses of each "
                                                 "posture, root mean square",
                                        .row_count = CASES,
                                        .column_count = COLUMNS,
                                        .columns = columns,
                                        .labels = labels,
                                        .values = values,
                                        .plot = {.series = ATEMI_NONE, .x = ATEMI_NONE}};
    return status ? status : atemi_reproduction_add_figure(reproduction, &table, error);
}
