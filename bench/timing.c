// SPDX-License-Identifier: Apache-2.0

#include "timing.h"

#include <stdlib.h>
#include <time.h>

static double read_clock(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

double bench_now(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

double bench_computed(void)
{
    return read_clock(CLOCK_THREAD_CPUTIME_ID);
}

double bench_process(void)
{
    return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}

static int compare(const void *x, const void *y)
{
    const double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

void bench_summarize(double *samples, int count, double *minimum, double *median)
{
    qsort(samples, (size_t)count, sizeof *samples, compare);
    *minimum = samples[0];
    *median = samples[count / 2];
}
