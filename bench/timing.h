// SPDX-License-Identifier: Apache-2.0

/// @file
/// The clock of the benchmarks, and what is kept of many samples.

#pragma once

/// ns, from some moment on.
double bench_now(void);

/// ns that this thread has computed: for what takes so long that others get the processor
/// meanwhile.
double bench_computed(void);

/// The same of all threads together.
double bench_process(void);

/// Sorts the samples.
void bench_summarize(double *samples, int count, double *minimum, double *median);
