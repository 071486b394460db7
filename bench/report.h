// SPDX-License-Identifier: Apache-2.0

/// @file
/// What was measured, as a table to read and as CSV to keep.

#pragma once

#include "bench.h"

#include <stdio.h>

/// One contender on one robot.
typedef struct bench_measurement {
    const bench_contender *contender;
    double                 minimum[BENCH_OPERATION_COUNT]; ///< ns a call, 0 where it was not timed
    double                 median[BENCH_OPERATION_COUNT];  ///< ns a call
    double
        difference[BENCH_OPERATION_COUNT]; ///< of the results, relative, from the first contender
} bench_measurement;

/// The name of an operation in options and CSV, e.g. "inverse_dynamics".
const char *bench_operation_name(bench_operation operation);

/// Prints operation by operation: ours, the better of each peer's builds, and the ratios.
void bench_report_table(const bench_robot *robot, const bench_measurement *measurements, int count,
                        FILE *out);

/// What begins every line of a CSV: date and processor, each with a comma behind.
void bench_report_csv_stamp(FILE *out);

/// One line for each contender and operation, with machine and compiler.
void bench_report_csv_header(FILE *out);
void bench_report_csv(const bench_robot *robot, const bench_measurement *measurements, int count,
                      int rounds, int calls, FILE *out);
