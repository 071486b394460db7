// SPDX-License-Identifier: Apache-2.0

#include "atemi/quadratic_program.h"

#include "allocations.h"
#include "check.h"
#include "random.h"

#include <math.h>
#include <string.h>

// Kuhn and Tucker's conditions are sufficient for convex programs: they are checked here from the
// program itself, in long double, and know nothing of how it was solved.

enum { N = 12, M = 30, COUNT = N + M };

typedef struct trial {
    atemi_arena             arena;
    atemi_quadratic_solver *solver;
    atemi_quadratic_program program;
    double                  H[N * N], g[N], A[M * N], lower[M], upper[M], least[N], most[N];
    double                  x[N], u[COUNT];
    signed char             active[COUNT];
} trial;

static void begin(trial *t, int n, int m)
{
    atemi_arena measuring = atemi_arena_measuring();
    *t = (trial){0};
    atemi_quadratic_solver_take(&measuring, N, M);
    CHECK_STATUS(atemi_arena_create(&t->arena, measuring.used, NULL), ATEMI_OK);
    t->solver = atemi_quadratic_solver_take(&t->arena, N, M);
    t->program = (atemi_quadratic_program){.variables = n,
                                           .rows = m,
                                           .H = t->H,
                                           .g = t->g,
                                           .A = t->A,
                                           .lower = t->lower,
                                           .upper = t->upper,
                                           .least = t->least,
                                           .most = t->most};
    for (int i = 0; i < N; ++i) {
        t->least[i] = -(double)INFINITY;
        t->most[i] = (double)INFINITY;
    }
}

static void end(trial *t)
{
    atemi_arena_destroy(&t->arena);
}

static atemi_quadratic_result solve(trial *t)
{
    memset(t->active, 0, sizeof t->active);
    return atemi_quadratic_solve(t->solver, &t->program, NULL, t->x, t->u, t->active);
}

// H = B^T B with B [rank x n], plus `shift` on the diagonal.
static void random_objective(trial *t, random_stream *stream, int rank, double shift)
{
    const int n = t->program.variables;
    double    B[N * N];
    for (int i = 0; i < rank * n; ++i) {
        B[i] = random_uniform(stream, -1.0, 1.0);
    }
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            double sum = i == j ? shift : 0.0;
            for (int k = 0; k < rank; ++k) {
                sum += B[k * n + i] * B[k * n + j];
            }
            t->H[i * n + j] = sum;
        }
        t->g[i] = random_uniform(stream, -3.0, 3.0);
    }
}

// Limits about a point that meets them: it is feasible.
static void random_limits(trial *t, random_stream *stream, int equations)
{
    const int n = t->program.variables;
    double    inside[N];
    for (int i = 0; i < n; ++i) {
        inside[i] = random_uniform(stream, -1.0, 1.0);
        t->least[i] = random_index(stream, 2) ? inside[i] - random_uniform(stream, 0.0, 1.0)
                                              : -(double)INFINITY;
        t->most[i] = random_index(stream, 2) ? inside[i] + random_uniform(stream, 0.0, 1.0)
                                             : (double)INFINITY;
    }
    for (int i = 0; i < t->program.rows; ++i) {
        double value = 0.0;
        for (int j = 0; j < n; ++j) {
            t->A[i * n + j] = random_uniform(stream, -1.0, 1.0);
            value += t->A[i * n + j] * inside[j];
        }
        t->lower[i] = i < equations ? value : value - random_uniform(stream, 0.0, 1.0);
        t->upper[i] = i < equations ? value : value + random_uniform(stream, 0.0, 1.0);
    }
}

static void check_limit(double value, double low, double high, double u, double tolerance)
{
    CHECK(value >= low - tolerance && value <= high + tolerance);
    CHECK(u <= 0.0 || fabs(value - high) <= tolerance);
    CHECK(u >= 0.0 || fabs(value - low) <= tolerance);
}

static void check_optimal(const trial *t, double tolerance)
{
    const int n = t->program.variables;
    for (int i = 0; i < n; ++i) {
        long double slope = (long double)t->g[i] + (long double)t->u[i];
        for (int j = 0; j < n; ++j) {
            slope += (long double)t->H[i * n + j] * (long double)t->x[j];
        }
        for (int k = 0; k < t->program.rows; ++k) {
            slope += (long double)t->A[k * n + i] * (long double)t->u[n + k];
        }
        CHECK_NEAR((double)slope, 0.0, tolerance * (1.0 + 10.0 * fabs(t->g[i])));
        check_limit(t->x[i], t->least[i], t->most[i], t->u[i], tolerance);
    }
    for (int k = 0; k < t->program.rows; ++k) {
        long double value = 0.0L;
        for (int j = 0; j < n; ++j) {
            value += (long double)t->A[k * n + j] * (long double)t->x[j];
        }
        check_limit((double)value, t->lower[k], t->upper[k], t->u[n + k], tolerance);
    }
}

static void random_program(trial *t, uint64_t seed, bool semidefinite)
{
    random_stream stream = random_seeded(seed);
    check_note_seed(seed);
    t->program.variables = 1 + random_index(&stream, N);
    t->program.rows = random_index(&stream, M + 1);
    const int n = t->program.variables;
    for (int i = 0; i < n; ++i) {
        t->least[i] = -(double)INFINITY;
        t->most[i] = (double)INFINITY;
    }
    random_objective(t, &stream, semidefinite ? random_index(&stream, n) : n,
                     semidefinite ? 0.0 : 0.01);
    random_limits(t, &stream, random_index(&stream, t->program.rows / 4 + 1) % (n / 2 + 1));
    for (int i = 0; i < n && semidefinite; ++i) { // bounded all around
        t->least[i] = fmax(t->least[i], -20.0);
        t->most[i] = fmin(t->most[i], 20.0);
    }
}

TEST(quadratic_program, solutions_meet_the_conditions_of_kuhn_and_tucker)
{
    trial t;
    begin(&t, N, M);
    for (uint64_t seed = 1; seed <= 3000; ++seed) {
        random_program(&t, seed, false);
        const atemi_quadratic_result r = solve(&t);
        CHECK_EQUAL_INT(r.status, ATEMI_QUADRATIC_SOLVED);
        check_optimal(&t, 1e-8); // condition numbers up to 1e4 times the tolerance of 1e-12
    }
    end(&t);
}

TEST(quadratic_program, semidefinite_ones_as_well)
{
    trial t;
    begin(&t, N, M);
    for (uint64_t seed = 1; seed <= 3000; ++seed) {
        random_program(&t, seed, true);
        const atemi_quadratic_result r = solve(&t);
        CHECK_EQUAL_INT(r.status, ATEMI_QUADRATIC_SOLVED);
        check_optimal(&t, 1e-7);
    }
    end(&t);
}

// min c x over a box: every variable at the limit that its cost wants.
TEST(quadratic_program, a_linear_program_over_a_box_ends_in_its_corner)
{
    trial t;
    begin(&t, 5, 0);
    for (int i = 0; i < 5; ++i) {
        t.g[i] = i % 2 ? 1.0 + i : -1.0 - i;
        t.least[i] = -2.0 - i;
        t.most[i] = 3.0 + i;
    }
    const atemi_quadratic_result r = solve(&t);
    CHECK_EQUAL_INT(r.status, ATEMI_QUADRATIC_SOLVED);
    for (int i = 0; i < 5; ++i) {
        CHECK_NEAR(t.x[i], i % 2 ? t.least[i] : t.most[i], 1e-9);
        CHECK_NEAR(t.u[i], -t.g[i], 1e-9);
    }
    end(&t);
}

TEST(quadratic_program, a_guess_of_the_active_limits_changes_only_the_iterations)
{
    trial t;
    long  cold = 0, warm = 0;
    begin(&t, N, M);
    for (uint64_t seed = 1; seed <= 300; ++seed) {
        double x[N];
        random_program(&t, seed, false);
        cold += solve(&t).iterations;
        memcpy(x, t.x, sizeof x);
        const atemi_quadratic_result again =
            atemi_quadratic_solve(t.solver, &t.program, NULL, t.x, t.u, t.active);
        warm += again.iterations;
        CHECK_EQUAL_INT(again.status, ATEMI_QUADRATIC_SOLVED);
        random_stream stream = random_seeded(seed);
        for (int i = 0; i < t.program.variables + t.program.rows; ++i) { // nonsense
            t.active[i] = (signed char)(random_index(&stream, 3) - 1);
        }
        CHECK_EQUAL_INT(
            atemi_quadratic_solve(t.solver, &t.program, NULL, t.x, t.u, t.active).status,
            ATEMI_QUADRATIC_SOLVED);
        for (int i = 0; i < t.program.variables; ++i) {
            CHECK_NEAR(t.x[i], x[i], 1e-8);
        }
    }
    CHECK(warm * 5 < cold);
    end(&t);
}

// Every row four times, scaled by its own factor; and all rows through one corner.
TEST(quadratic_program, redundant_and_degenerate_limits_are_no_matter)
{
    trial t;
    begin(&t, 4, M);
    for (uint64_t seed = 1; seed <= 1000; ++seed) {
        random_stream stream = random_seeded(seed);
        check_note_seed(seed);
        random_objective(&t, &stream, 4, 0.1);
        for (int i = 0; i < M; ++i) {
            const double scale = i < M / 4 ? 1.0 : random_uniform(&stream, 0.5, 100.0);
            for (int j = 0; j < 4; ++j) {
                t.A[i * 4 + j] = i < M / 4 ? random_uniform(&stream, -1.0, 1.0)
                                           : scale * t.A[(i % (M / 4)) * 4 + j];
            }
            t.lower[i] = i % 5 == 0 && seed % 2 ? 0.0 : -(double)INFINITY;
            t.upper[i] = 0.0; // the corner is the origin
        }
        CHECK_EQUAL_INT(solve(&t).status, ATEMI_QUADRATIC_SOLVED);
        check_optimal(&t, 1e-7); // rows of length 100
    }
    end(&t);
}

TEST(quadratic_program, equations_that_repeat_each_other_are_met)
{
    trial t;
    begin(&t, 3, 4);
    for (int i = 0; i < 3; ++i) {
        t.H[i * 4] = 1.0;
    }
    for (int k = 0; k < 4; ++k) { // x + y + z = 3, four times
        for (int j = 0; j < 3; ++j) {
            t.A[k * 3 + j] = k + 1.0;
        }
        t.lower[k] = t.upper[k] = 3.0 * (k + 1.0);
    }
    CHECK_EQUAL_INT(solve(&t).status, ATEMI_QUADRATIC_SOLVED);
    for (int i = 0; i < 3; ++i) {
        CHECK_NEAR(t.x[i], 1.0, 1e-12);
    }
    t.upper[3] = t.lower[3] = 13.0;
    CHECK_EQUAL_INT(solve(&t).status, ATEMI_QUADRATIC_INFEASIBLE);
    end(&t);
}

// Limits through one point, and a last row that is minus a sum of others [Farkas]: with its limit
// through that point as well they are met there, and nowhere if it is 1e-4 less.
TEST(quadratic_program, contradictions_are_reported)
{
    trial t;
    begin(&t, 6, 12);
    for (uint64_t seed = 1; seed <= 1000; ++seed) {
        random_stream stream = random_seeded(seed);
        const int     n = 6, m = 12, last = 1 + random_index(&stream, m - 1);
        double        point[N];
        random_objective(&t, &stream, seed % 3 ? n : 2, 0.0);
        for (int j = 0; j < n; ++j) {
            point[j] = random_uniform(&stream, -1.0, 1.0);
            t.least[j] = -5.0;
            t.most[j] = 5.0;
            t.A[last * n + j] = 0.0;
        }
        for (int k = 0; k < m; ++k) {
            const double w = random_uniform(&stream, 0.1, 1.0);
            t.lower[k] = -(double)INFINITY;
            t.upper[k] = k > last ? random_uniform(&stream, 0.0, 1.0) : 0.0;
            for (int j = 0; j < n; ++j) {
                if (k != last) {
                    t.A[k * n + j] = random_uniform(&stream, -1.0, 1.0);
                    t.A[last * n + j] -= k < last ? w * t.A[k * n + j] : 0.0;
                }
            }
            for (int j = 0; j < n; ++j) {
                t.upper[k] += t.A[k * n + j] * point[j];
            }
        }
        CHECK_EQUAL_INT(solve(&t).status, ATEMI_QUADRATIC_SOLVED);
        t.upper[last] -= 1e-4;
        CHECK_EQUAL_INT(solve(&t).status, ATEMI_QUADRATIC_INFEASIBLE);
    }
    end(&t);
}

TEST(quadratic_program, what_falls_for_ever_is_reported)
{
    trial t;
    begin(&t, 3, 1);
    t.H[0] = 1.0; // nothing along y and z
    t.g[1] = -1.0;
    t.A[1] = 1.0; // y - z <= 1: both may grow
    t.A[2] = -1.0;
    t.lower[0] = -(double)INFINITY;
    t.upper[0] = 1.0;
    CHECK_EQUAL_INT(solve(&t).status, ATEMI_QUADRATIC_UNBOUNDED);
    t.most[2] = 2.0;
    CHECK_EQUAL_INT(solve(&t).status, ATEMI_QUADRATIC_SOLVED);
    CHECK_NEAR(t.x[1], 3.0, 1e-9);
    end(&t);
}

TEST(quadratic_program, what_is_not_convex_is_reported)
{
    trial t;
    begin(&t, 2, 0);
    t.H[1] = t.H[2] = 1.0; // x y
    CHECK_EQUAL_INT(solve(&t).status, ATEMI_QUADRATIC_NONCONVEX);
    t.H[0] = 1.0;
    t.H[3] = 0.999;
    CHECK_EQUAL_INT(solve(&t).status, ATEMI_QUADRATIC_NONCONVEX);
    t.H[3] = 1.001;
    CHECK_EQUAL_INT(solve(&t).status, ATEMI_QUADRATIC_SOLVED);
    end(&t);
}

TEST(quadratic_program, the_iterations_have_a_limit)
{
    trial                         t;
    const atemi_quadratic_options o = {.iterations = 2, .tolerance = 1e-9};
    begin(&t, N, M);
    random_program(&t, 8, false);
    CHECK(solve(&t).iterations > 2);
    const atemi_quadratic_result r =
        atemi_quadratic_solve(t.solver, &t.program, &o, t.x, NULL, NULL);
    CHECK_EQUAL_INT(r.status, ATEMI_QUADRATIC_UNFINISHED);
    end(&t);
}

TEST(quadratic_program, units_of_rows_and_variables_are_no_matter)
{
    trial t;
    begin(&t, N, M);
    for (uint64_t seed = 1; seed <= 300; ++seed) {
        random_program(&t, seed, false);
        const int n = t.program.variables;
        double    x[N], unit[N];
        solve(&t);
        memcpy(x, t.x, sizeof x);
        random_stream stream = random_seeded(seed + 77);
        for (int i = 0; i < n; ++i) {
            unit[i] = pow(10.0, random_uniform(&stream, -5.0, 5.0));
            t.g[i] *= unit[i];
            t.least[i] /= unit[i];
            t.most[i] /= unit[i];
        }
        for (int i = 0; i < n * n; ++i) {
            t.H[i] *= unit[i / n] * unit[i % n];
        }
        for (int k = 0; k < t.program.rows; ++k) {
            const double row = pow(10.0, random_uniform(&stream, -5.0, 5.0));
            for (int j = 0; j < n; ++j) {
                t.A[k * n + j] *= row * unit[j];
            }
            t.lower[k] *= row;
            t.upper[k] *= row;
        }
        CHECK_EQUAL_INT(solve(&t).status, ATEMI_QUADRATIC_SOLVED);
        for (int i = 0; i < n; ++i) {
            CHECK_NEAR(t.x[i] * unit[i], x[i], 1e-7);
        }
    }
    end(&t);
}

// First x + y = 2 as near as it goes with x <= 0.5 and y <= 1; of the rest, then, z = x, which the
// first leaves free, and x = 0, which it does not.
TEST(quadratic_program, a_hierarchy_is_one_program_after_the_other)
{
    trial t;
    begin(&t, 3, 1);
    for (int i = 0; i < 4; ++i) {
        t.H[i / 2 * 3 + i % 2] = 1.0;
    }
    t.g[0] = t.g[1] = -2.0;
    t.most[0] = 0.5;
    t.most[1] = 1.0;
    t.lower[0] = -(double)INFINITY;
    t.upper[0] = (double)INFINITY;
    CHECK_EQUAL_INT(solve(&t).status, ATEMI_QUADRATIC_SOLVED);
    CHECK_NEAR(t.x[0] + t.x[1], 1.5, 1e-9);

    t.A[0] = t.A[1] = 1.0; // what the first has found stays
    t.lower[0] = t.upper[0] = t.x[0] + t.x[1];
    const double second[] = {2.0, 0.0, -1.0, 0.0, 0.0, 0.0, -1.0, 0.0, 1.0};
    memcpy(t.H, second, sizeof second);
    memset(t.g, 0, sizeof t.g);
    CHECK_EQUAL_INT(solve(&t).status, ATEMI_QUADRATIC_SOLVED);
    CHECK_NEAR(t.x[0], 0.5, 1e-8);
    CHECK_NEAR(t.x[1], 1.0, 1e-8);
    CHECK_NEAR(t.x[2], 0.5, 1e-8);
    end(&t);
}

TEST(quadratic_program, allocates_nothing)
{
    trial t;
    begin(&t, N, M);
    random_program(&t, 8, true);
    allocations_begin();
    solve(&t);
    CHECK_EQUAL_INT(allocations_end(), 0);
    end(&t);
}

TEST(quadratic_program, too_large_ones_break_the_contract)
{
    trial t;
    begin(&t, N, M);
    t.program.variables = N + 1;
    CHECK_BREAKS_CONTRACT(solve(&t));
    end(&t);
}
