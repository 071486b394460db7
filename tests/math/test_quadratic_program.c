// SPDX-License-Identifier: Apache-2.0

#include "math/quadratic_program.h"

#include "check.h"
#include "math/random.h"

#include <math.h>
#include <string.h>

enum { N = 12, M = 30 };

// A program with its own memory.
typedef struct trial {
    quadratic_workspace work;
    atemi_arena         arena;
    quadratic_program   program;
    quadratic_result    result;
    double              H[N * N], g[N], A[M * N], lower[M], upper[M], softness[M];
} trial;

static void begin(trial *t, int variables, int rows, int box)
{
    atemi_arena measuring = atemi_arena_measuring();
    memset(t, 0, sizeof *t);
    quadratic_workspace_take(&measuring, N, M, true);
    CHECK_STATUS(atemi_arena_create(&t->arena, measuring.used, NULL), ATEMI_OK);
    t->work = quadratic_workspace_take(&t->arena, N, M, true);
    t->program = (quadratic_program){.variable_count = variables,
                                     .row_count = rows,
                                     .box_count = box,
                                     .H = t->H,
                                     .g = t->g,
                                     .A = t->A,
                                     .lower = t->lower,
                                     .upper = t->upper};
    for (int i = 0; i < rows; ++i) {
        t->lower[i] = -INFINITY;
        t->upper[i] = INFINITY;
    }
}

static void end(trial *t)
{
    atemi_arena_destroy(&t->arena);
}

static void solve(trial *t, bool warm)
{
    t->result = quadratic_program_solve(&t->program, warm, &t->work);
}

static double random_sign(uint64_t *state)
{
    return 2.0 * random_unit_next(state) - 1.0;
}

// B B^T + 0.1, for a random B.
static void randomize_hessian(trial *t, uint64_t *seed)
{
    const int n = t->program.variable_count;
    double    B[N * N];
    for (int i = 0; i < n * n; ++i) {
        B[i] = random_sign(seed);
    }
    for (int i = 0; i < n; ++i) {
        t->g[i] = 3.0 * random_sign(seed);
        for (int j = 0; j < n; ++j) {
            t->H[i * n + j] = i == j ? 0.1 : 0.0;
            for (int k = 0; k < n; ++k) {
                t->H[i * n + j] += B[i * n + k] * B[j * n + k];
            }
        }
    }
}

// Rows that a random point meets: of five, one is an equality, one has no lower bound, and one is
// the same as another.
static void randomize_rows(trial *t, uint64_t *seed)
{
    const int n = t->program.variable_count, box = t->program.box_count;
    double    x[N];
    for (int i = 0; i < n; ++i) {
        x[i] = random_sign(seed);
    }
    for (int r = 0; r < t->program.row_count; ++r) {
        double *a = t->A + (r < box ? 0 : (ptrdiff_t)(r - box) * n);
        double  value = r < box ? x[r] : 0.0;
        for (int j = 0; r >= box && j < n; ++j) {
            a[j] = r % 5 == 3 && r > box ? a[j - n] : random_sign(seed);
            value += a[j] * x[j];
        }
        t->lower[r] =
            r % 5 == 1 ? (double)-INFINITY : value - random_unit_next(seed) * (r % 5 != 2);
        t->upper[r] = value + random_unit_next(seed) * (r % 5 != 2);
    }
}

static double value_of(const trial *t, int r)
{
    const int n = t->program.variable_count, box = t->program.box_count;
    double    value = r < box ? t->work.x[r] : 0.0;
    for (int j = 0; r >= box && j < n; ++j) {
        value += t->A[(r - box) * n + j] * t->work.x[j];
    }
    return value;
}

// H x + g + sum of multipliers a_i: what is left of the slope in one direction.
static double slope_along(const trial *t, int j)
{
    const int n = t->program.variable_count, box = t->program.box_count;
    double    slope = t->g[j];
    for (int i = 0; i < n; ++i) {
        slope += t->H[j * n + i] * t->work.x[i];
    }
    for (int r = 0; r < t->program.row_count; ++r) {
        const double a = r < box ? (double)(r == j) : t->A[(r - box) * n + j];
        slope += t->work.multipliers[r] * a;
    }
    return slope;
}

// Karush, Kuhn and Tucker; 1e-8: 1e-10 is allowed for rows of length one, of which some depend on
// others almost.
static void check_optimal(const trial *t)
{
    const double tolerance = 1e-8;
    for (int j = 0; j < t->program.variable_count; ++j) {
        CHECK_NEAR(slope_along(t, j), 0.0, tolerance);
    }
    for (int r = 0; r < t->program.row_count; ++r) {
        const double soft = t->program.softness ? t->softness[r] : 0.0, by = t->work.multipliers[r];
        const double value = value_of(t, r) - soft * by;
        CHECK(value > t->lower[r] - tolerance && value < t->upper[r] + tolerance);
        CHECK(by <= 0.0 || value > t->upper[r] - tolerance);
        CHECK(by >= 0.0 || value < t->lower[r] + tolerance);
    }
}

TEST(quadratic_program, solutions_meet_the_conditions_of_kuhn_and_tucker)
{
    uint64_t seed = 1;
    for (int k = 0; k < 300; ++k) {
        trial     t;
        const int n = 1 + k % N, rows = k % M;
        begin(&t, n, rows, k % 3 == 0 ? 0 : rows < n ? rows / 2 : n / 2);
        randomize_hessian(&t, &seed);
        randomize_rows(&t, &seed);
        solve(&t, false);
        CHECK(t.result.status == QUADRATIC_SOLVED);
        check_optimal(&t);
        end(&t);
    }
}

// x = clamp(-g) is known.
TEST(quadratic_program, a_box_clamps)
{
    trial t;
    begin(&t, 4, 4, 4);
    const double g[] = {-5.0, 5.0, -0.3, 0.0}, x[] = {1.0, -1.0, 0.3, 0.0};
    for (int i = 0; i < 4; ++i) {
        t.H[5 * i] = 1.0;
        t.g[i] = g[i];
        t.lower[i] = -1.0;
        t.upper[i] = 1.0;
    }
    solve(&t, false);
    for (int i = 0; i < 4; ++i) {
        CHECK_NEAR(t.work.x[i], x[i], 1e-15);
    }
    CHECK_NEAR(t.work.multipliers[0], 4.0, 1e-14);
    CHECK_NEAR(t.work.multipliers[1], -4.0, 1e-14);
    CHECK(t.work.multipliers[2] == 0.0);
    end(&t);
}

// The nearest point of the simplex to (2, 0, 0.5) / 2 ... (0.75, 0, 0.25): both others share the
// excess.
TEST(quadratic_program, the_nearest_point_of_a_simplex_is_known)
{
    trial t;
    begin(&t, 3, 4, 3);
    const double from[] = {1.0, -0.4, 0.5}, x[] = {0.75, 0.0, 0.25};
    for (int i = 0; i < 3; ++i) {
        t.H[4 * i] = 1.0;
        t.g[i] = -from[i];
        t.lower[i] = 0.0;
        t.A[i] = 1.0;
    }
    t.lower[3] = t.upper[3] = 1.0;
    solve(&t, false);
    CHECK(t.result.status == QUADRATIC_SOLVED);
    for (int i = 0; i < 3; ++i) {
        CHECK_NEAR(t.work.x[i], x[i], 1e-14);
    }
    end(&t);
}

// x^2 / 2 + (1 - x)^2 / (2 s):  x = 1 / (1 + s)
TEST(quadratic_program, a_soft_row_gives_way_by_its_softness)
{
    trial t;
    begin(&t, 1, 1, 1);
    t.H[0] = 1.0;
    t.lower[0] = 1.0;
    t.softness[0] = 0.25;
    t.program.softness = t.softness;
    solve(&t, false);
    CHECK_NEAR(t.work.x[0], 0.8, 1e-15);
    CHECK_NEAR(t.work.multipliers[0], -0.8, 1e-15);
    end(&t);
}

// Soft rows may contradict each other, and there may be more of them than variables.
TEST(quadratic_program, soft_rows_that_contradict_each_other_meet_in_the_middle)
{
    uint64_t seed = 7;
    for (int k = 0; k < 100; ++k) {
        trial     t;
        const int n = 1 + k % 5;
        begin(&t, n, M, 0);
        randomize_hessian(&t, &seed);
        randomize_rows(&t, &seed);
        t.program.softness = t.softness;
        for (int r = 0; r < M; ++r) {
            t.softness[r] = 0.01 + random_unit_next(&seed);
            t.lower[r] += 3.0 * random_sign(&seed);
            t.upper[r] = fmax(t.upper[r], t.lower[r]);
        }
        solve(&t, false);
        CHECK(t.result.status == QUADRATIC_SOLVED);
        check_optimal(&t);
        end(&t);
    }
}

TEST(quadratic_program, rows_that_contradict_each_other_are_infeasible)
{
    trial t;
    begin(&t, 2, 3, 0);
    t.H[0] = t.H[3] = 1.0;
    const double A[] = {1.0, 0.0, 1.0, 1.0, 2.0, 1.0};
    memcpy(t.A, A, sizeof A);
    t.lower[0] = t.lower[1] = 1.0;
    t.upper[2] = 1.9; // the sum of both others is at least 2
    solve(&t, false);
    CHECK(t.result.status == QUADRATIC_INFEASIBLE);
    t.upper[2] = 2.1;
    solve(&t, false);
    CHECK(t.result.status == QUADRATIC_SOLVED);
    check_optimal(&t);
    end(&t);
}

TEST(quadratic_program, a_row_of_zeros_is_passed_over_or_infeasible)
{
    trial t;
    begin(&t, 2, 1, 0);
    t.H[0] = t.H[3] = 1.0;
    t.lower[0] = -1.0;
    solve(&t, false);
    CHECK(t.result.status == QUADRATIC_SOLVED);
    t.lower[0] = 1.0;
    solve(&t, false);
    CHECK(t.result.status == QUADRATIC_INFEASIBLE);
    CHECK(t.result.row == 0);
    end(&t);
}

TEST(quadratic_program, a_saddle_is_not_convex)
{
    trial t;
    begin(&t, 2, 0, 0);
    t.H[0] = 1.0;
    t.H[3] = -1.0;
    solve(&t, false);
    CHECK(t.result.status == QUADRATIC_NOT_CONVEX);
    end(&t);
}

// From the last solution a small change takes one or two iterations, and leads to the same answer.
TEST(quadratic_program, a_warm_start_gives_the_same_answer_in_fewer_iterations)
{
    uint64_t seed = 3;
    int      cold = 0, warm = 0;
    for (int k = 0; k < 100; ++k) {
        trial  t;
        double x[N];
        begin(&t, N, M, N / 2);
        randomize_hessian(&t, &seed);
        randomize_rows(&t, &seed);
        solve(&t, false);
        for (int i = 0; i < N; ++i) {
            t.g[i] += 1e-3 * random_sign(&seed);
        }
        solve(&t, true);
        warm += t.result.iterations;
        CHECK(t.result.status == QUADRATIC_SOLVED);
        check_optimal(&t);
        memcpy(x, t.work.x, sizeof x);
        solve(&t, false);
        cold += t.result.iterations;
        for (int i = 0; i < N; ++i) {
            CHECK_NEAR(t.work.x[i], x[i], 1e-9);
        }
        end(&t);
    }
    CHECK(warm < 200);
    CHECK(cold > 3 * warm);
}

// A Hessian of condition 1e8: as a task of weight 1 beside a regularization of 1e-8 has.
TEST(quadratic_program, weights_eight_decades_apart_are_solved)
{
    uint64_t seed = 5;
    for (int k = 0; k < 100; ++k) {
        trial t;
        begin(&t, N, M, N / 2);
        randomize_hessian(&t, &seed);
        randomize_rows(&t, &seed);
        for (int i = 0; i < N * N; ++i) {
            t.H[i] *= (i / N < N / 2 ? 1e-4 : 1.0) * (i % N < N / 2 ? 1e-4 : 1.0);
        }
        for (int i = 0; i < N / 2; ++i) {
            t.g[i] *= 1e-4;
        }
        solve(&t, false);
        CHECK(t.result.status == QUADRATIC_SOLVED);
        check_optimal(&t);
        end(&t);
    }
}

// More rows meet in a corner than there are variables, and rounding makes them look independent.
TEST(quadratic_program, a_corner_of_many_rows_is_solved)
{
    uint64_t seed = 21;
    for (int k = 0; k < 300; ++k) {
        trial  t;
        double x[3];
        begin(&t, 3, M, 0);
        randomize_hessian(&t, &seed);
        for (int i = 0; i < 3; ++i) {
            x[i] = random_sign(&seed);
            t.g[i] *= 100.0;
        }
        for (int r = 0; r < M; ++r) {
            double value = 1e-8 * random_sign(&seed);
            for (int j = 0; j < 3; ++j) {
                t.A[r * 3 + j] = random_sign(&seed);
                value += t.A[r * 3 + j] * x[j];
            }
            t.upper[r] = value + (r % 3 == 0 ? 0.0 : 1e-9);
        }
        solve(&t, false);
        CHECK(t.result.status == QUADRATIC_SOLVED || t.result.status == QUADRATIC_INFEASIBLE);
        CHECK(t.work.active_count <= 3);
        end(&t);
    }
}

// The same program twice as large in every unit has the same solution.
TEST(quadratic_program, the_scale_of_a_row_does_not_matter)
{
    uint64_t seed = 9;
    for (int k = 0; k < 50; ++k) {
        trial  t;
        double x[N];
        begin(&t, N, M, 0);
        randomize_hessian(&t, &seed);
        randomize_rows(&t, &seed);
        solve(&t, false);
        memcpy(x, t.work.x, sizeof x);
        for (int r = 0; r < M; ++r) {
            const double scale = ldexp(1.0, r % 21 - 10);
            t.lower[r] *= scale;
            t.upper[r] *= scale;
            for (int j = 0; j < N; ++j) {
                t.A[r * N + j] *= scale;
            }
        }
        solve(&t, false);
        CHECK(t.result.status == QUADRATIC_SOLVED);
        for (int j = 0; j < N; ++j) {
            CHECK_NEAR(t.work.x[j], x[j], 1e-9);
        }
        end(&t);
    }
}
