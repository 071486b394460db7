// SPDX-License-Identifier: Apache-2.0

/// @file
/// Solves the quadratic programs of a file, for bench/quadratic_peers.py: for each, the numbers of
/// variables and rows (int32), then H, g, A, least, most, lower, upper (double). Prints for each:
/// status, iterations, the least time of `repeats` solutions in s, x.
///
///     quadratic_program PROGRAMS REPEATS

#include "atemi/quadratic_program.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double *take_numbers(FILE *file, double **at, size_t count)
{
    double *first = *at;
    if (fread(first, sizeof *first, count, file) != count) {
        fprintf(stderr, "the file ends within a program\n");
        exit(1);
    }
    *at += count;
    return first;
}

static void solve_next(FILE *file, int n, int m, int repeats)
{
    const size_t            nn = (size_t)n, mm = (size_t)m;
    double                 *numbers = malloc((nn * nn + mm * nn + 4 * nn + 2 * mm + 1) * 8);
    double                 *at = numbers, best = 1e9;
    atemi_quadratic_program p = {.variables = n, .rows = m};
    p.H = take_numbers(file, &at, nn * nn);
    p.g = take_numbers(file, &at, nn);
    p.A = take_numbers(file, &at, mm * nn);
    p.least = take_numbers(file, &at, nn);
    p.most = take_numbers(file, &at, nn);
    p.lower = take_numbers(file, &at, mm);
    p.upper = take_numbers(file, &at, mm);
    atemi_arena arena = atemi_arena_measuring();
    atemi_quadratic_solver_take(&arena, n, m);
    atemi_arena_create(&arena, arena.used, NULL);
    atemi_quadratic_solver *solver = atemi_quadratic_solver_take(&arena, n, m);
    atemi_quadratic_result  r = {.iterations = 0};
    for (int i = 0; i < repeats; ++i) {
        const double start = now();
        r = atemi_quadratic_solve(solver, &p, NULL, at, NULL, NULL);
        const double time = now() - start;
        best = time < best ? time : best;
    }
    printf("%d %d %.9g", (int)r.status, r.iterations, best);
    for (int i = 0; i < n; ++i) {
        printf(" %.17g", at[i]);
    }
    printf("\n");
    atemi_arena_destroy(&arena);
    free(numbers);
}

int main(int count, char **arguments)
{
    FILE   *file = count > 2 ? fopen(arguments[1], "rb") : NULL;
    int32_t sizes[2];
    if (!file) {
        fprintf(stderr, "usage: quadratic_program PROGRAMS REPEATS\n");
        return 2;
    }
    while (fread(sizes, sizeof *sizes, 2, file) == 2) {
        solve_next(file, sizes[0], sizes[1], atoi(arguments[2]));
    }
    fclose(file);
    return 0;
}
