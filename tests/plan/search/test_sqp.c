// SPDX-License-Identifier: Apache-2.0

#include "plan/search/sqp.h"

#include "check.h"

#include <math.h>
#include <string.h>

enum { N = 4, ROWS = 4 };

// A problem of known solution, with slopes by central differences.
typedef struct known {
    int n, rows;
    void (*values)(const double *x, double *values);
    double        lower[N], upper[N], start[N];
    double        value[ROWS + 1], slope[(ROWS + 1) * N];
    int           patience; ///< steps until it is stopped; below 0 for ever
    const double *to_beat;
    const double *curvature; ///< known before
    double       *learned;   ///< that of the end, or NULL
} known;

static const double *on_values(void *context, const double *x)
{
    known *k = (known *)context;
    k->values(x, k->value);
    return k->value;
}

static const double *on_slopes(void *context, const double *x)
{
    known *k = (known *)context;
    for (int i = 0; i < k->n; ++i) {
        double at[N], above[ROWS + 1], below[ROWS + 1];
        memcpy(at, x, (size_t)k->n * sizeof *at);
        at[i] = x[i] + 1e-6;
        k->values(at, above);
        at[i] = x[i] - 1e-6;
        k->values(at, below);
        for (int r = 0; r <= k->rows; ++r) {
            k->slope[r * k->n + i] = (above[r] - below[r]) / 2e-6;
        }
    }
    return k->slope;
}

static bool on_step(void *context)
{
    known *k = (known *)context;
    return k->patience < 0 || k->patience-- > 0;
}

static sqp_result solve(known *k, double weight, double *x)
{
    const sqp_problem problem = {.count = k->n,
                                 .rows = k->rows,
                                 .lower = k->lower,
                                 .upper = k->upper,
                                 .values = on_values,
                                 .slopes = on_slopes,
                                 .goes_on = on_step,
                                 .context = k};
    const sqp_options options = {.iterations = 200,
                                 .radius = 1.0,
                                 .gain = 1e-12,
                                 .tolerance = 1e-9,
                                 .weight = weight,
                                 .to_beat = k->to_beat,
                                 .curvature = k->curvature};
    atemi_arena       measuring = atemi_arena_measuring(), arena;
    sqp_take(&measuring, k->n, k->rows);
    CHECK_STATUS(atemi_arena_create(&arena, measuring.used, NULL), ATEMI_OK);
    sqp work = sqp_take(&arena, k->n, k->rows);
    memcpy(x, k->start, (size_t)k->n * sizeof *x);
    const sqp_result result = sqp_minimize(&work, &problem, &options, x);
    if (k->learned) {
        memcpy(k->learned, work.B, (size_t)(k->n * k->n) * sizeof *work.B);
    }
    atemi_arena_destroy(&arena);
    return result;
}

// Hock and Schittkowski, problem 71, its equation as two rows.
static void hs71(const double *x, double *v)
{
    const double squares = x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + x[3] * x[3];
    v[0] = x[0] * x[3] * (x[0] + x[1] + x[2]) + x[2];
    v[1] = 25.0 - x[0] * x[1] * x[2] * x[3];
    v[2] = squares - 40.0;
    v[3] = 40.0 - squares;
}

TEST(sqp, finds_the_printed_solution_of_problem_71)
{
    const double     solution[N] = {1.0, 4.7429994, 3.8211503, 1.3794082};
    known            k = {.n = 4,
                          .rows = 3,
                          .values = hs71,
                          .lower = {1.0, 1.0, 1.0, 1.0},
                          .upper = {5.0, 5.0, 5.0, 5.0},
                          .start = {1.0, 5.0, 5.0, 1.0},
                          .patience = -1};
    double           x[N];
    const sqp_result result = solve(&k, 1.0, x);
    CHECK_EQUAL_INT(result.end, SQP_CONVERGED);
    CHECK_NEAR(result.objective, 17.0140173, 1e-6); // as printed, to its last digit
    CHECK(result.violation <= 1e-9);
    for (int i = 0; i < N; ++i) {
        CHECK_NEAR(x[i], solution[i], 1e-5);
    }
}

// Rosenbrock's valley outside of a circle about its bottom.
static void valley(const double *x, double *v)
{
    const double a = x[1] - x[0] * x[0], b = 1.0 - x[0], c = x[1] - 1.0;
    v[0] = 100.0 * a * a + b * b;
    v[1] = 0.25 - b * b - c * c;
}

TEST(sqp, follows_a_curved_valley_to_a_constraint_that_bends_the_other_way)
{
    known            k = {.n = 2,
                          .rows = 1,
                          .values = valley,
                          .lower = {-2.0, -2.0},
                          .upper = {2.0, 2.0},
                          .start = {-1.2, 1.0},
                          .patience = -1};
    double           x[N];
    const sqp_result result = solve(&k, 1.0, x);
    CHECK_EQUAL_INT(result.end, SQP_CONVERGED);
    CHECK_NEAR(hypot(x[0] - 1.0, x[1] - 1.0), 0.5, 1e-8);
    CHECK_NEAR(x[1], x[0] * x[0], 1e-2); // in the valley
}

// x <= -1 and x >= 1: the largest violation is least in the middle.
static void contradiction(const double *x, double *v)
{
    v[0] = x[1] * x[1];
    v[1] = x[0] + 1.0;
    v[2] = 1.0 - x[0];
}

TEST(sqp, ends_where_constraints_that_contradict_each_other_are_violated_least)
{
    known            k = {.n = 2,
                          .rows = 2,
                          .values = contradiction,
                          .lower = {-5.0, -5.0},
                          .upper = {5.0, 5.0},
                          .start = {3.0, 2.0},
                          .patience = -1};
    double           x[N];
    const sqp_result result = solve(&k, 1.0, x);
    CHECK_EQUAL_INT(result.end, SQP_INFEASIBLE);
    CHECK_NEAR(x[0], 0.0, 1e-6);
    CHECK_NEAR(result.violation, 1.0, 1e-6);
}

// Without objective it goes to the nearest point of the circle, by and large.
static void circle(const double *x, double *v)
{
    v[0] = -1000.0 * x[0];
    v[1] = x[0] * x[0] + x[1] * x[1] - 1.0;
}

TEST(sqp, without_weight_of_the_objective_meets_constraints_near_the_start)
{
    known            k = {.n = 2,
                          .rows = 1,
                          .values = circle,
                          .lower = {-5.0, -5.0},
                          .upper = {5.0, 5.0},
                          .start = {0.0, 1.01},
                          .patience = -1};
    double           x[N];
    const sqp_result result = solve(&k, 0.0, x);
    CHECK_EQUAL_INT(result.end, SQP_CONVERGED);
    CHECK(result.violation <= 1e-9);
    CHECK_NEAR(x[0], 0.0, 1e-9);
    CHECK_NEAR(x[1], 1.0, 1e-4);
}

TEST(sqp, stops_when_it_is_told_to)
{
    known            k = {.n = 2,
                          .rows = 1,
                          .values = valley,
                          .lower = {-2.0, -2.0},
                          .upper = {2.0, 2.0},
                          .start = {-1.2, 1.0},
                          .patience = 3};
    double           x[N];
    const sqp_result result = solve(&k, 1.0, x);
    CHECK_EQUAL_INT(result.end, SQP_STOPPED);
    CHECK_EQUAL_INT(result.iterations, 3);
}

// ---- Slopes and rivals

// A paraboloid whose curvature is that of the first guess: steps keep their promises.
static void bowl(const double *x, double *v)
{
    v[0] = 0.5 * (x[0] * x[0] + x[1] * x[1]) + 0.01 * x[0] * x[0] * x[0] * x[0];
    v[1] = 0.3 - x[0] + 0.1 * x[1] * x[1];
}

static known bowl_from_afar(void)
{
    return (known){.n = 2,
                   .rows = 1,
                   .values = bowl,
                   .lower = {-9.0, -9.0},
                   .upper = {9.0, 9.0},
                   .start = {6.0, 7.0},
                   .patience = -1};
}

// x1 = 0 by symmetry, x0 = 0.3 by the constraint.
TEST(sqp, finds_slopes_less_often_than_it_steps_and_ends_where_they_hold)
{
    known            k = bowl_from_afar();
    double           x[N];
    const sqp_result result = solve(&k, 1.0, x);
    CHECK_EQUAL_INT(result.end, SQP_CONVERGED);
    CHECK(result.slopes < result.iterations);
    CHECK_NEAR(x[0], 0.3, 1e-6);
    CHECK_NEAR(x[1], 0.0, 1e-5);
}

// The minimum is 0.045: one of 0.04 is out of reach, and near it steps promise too little.
TEST(sqp, gives_up_behind_what_is_known)
{
    const double better = 0.04, worse = 0.05;
    known        k = bowl_from_afar();
    double       x[N];
    k.to_beat = &better;
    CHECK_EQUAL_INT(solve(&k, 1.0, x).end, SQP_BEHIND);
    k.to_beat = &worse;
    CHECK_EQUAL_INT(solve(&k, 1.0, x).end, SQP_CONVERGED);
}

// Where one search has ended, the next one need not learn how the valley bends.
TEST(sqp, finds_slopes_less_often_with_the_curvature_that_another_search_has_learned)
{
    double           learned[N * N], x[N];
    known            k = {.n = 2,
                          .rows = 1,
                          .values = valley,
                          .lower = {-2.0, -2.0},
                          .upper = {2.0, 2.0},
                          .start = {-1.2, 1.0},
                          .patience = -1,
                          .learned = learned};
    const sqp_result first = solve(&k, 1.0, x);
    k.start[0] = x[0] + 0.05;
    k.start[1] = x[1] + 0.1;
    k.learned = NULL;
    const sqp_result without = solve(&k, 1.0, x);
    k.curvature = learned;
    const sqp_result with = solve(&k, 1.0, x);
    CHECK_EQUAL_INT(with.end, SQP_CONVERGED);
    CHECK_NEAR(with.objective, first.objective, 1e-9);
    CHECK(with.slopes < without.slopes);
}

// Violated less and less, and never met.
static void never(const double *x, double *v)
{
    v[0] = 0.0;
    v[1] = 0.2 + 0.5 / (1.0 + x[0]);
}

TEST(sqp, gives_up_what_is_not_met_after_many_steps)
{
    const double nothing = INFINITY;
    known        k = {.n = 1,
                      .rows = 1,
                      .values = never,
                      .lower = {0.0},
                      .upper = {1e6},
                      .start = {0.0},
                      .patience = -1};
    double       x[N];
    CHECK(solve(&k, 1.0, x).iterations > 100);
    k.to_beat = &nothing;
    const sqp_result result = solve(&k, 1.0, x);
    CHECK_EQUAL_INT(result.end, SQP_BEHIND);
    CHECK(result.iterations < 100);
}

// x <= -2 and x >= 2.
static void wide_contradiction(const double *x, double *v)
{
    v[0] = x[1] * x[1];
    v[1] = x[0] + 2.0;
    v[2] = 2.0 - x[0];
}

// No step makes the violation less, at any price: another start is the better hope, if there is
// one.
TEST(sqp, gives_up_where_constraints_are_violated_by_far_and_nothing_is_promised)
{
    const double nothing = INFINITY;
    known        k = {.n = 2,
                      .rows = 2,
                      .values = wide_contradiction,
                      .lower = {-5.0, -5.0},
                      .upper = {5.0, 5.0},
                      .start = {3.0, 2.0},
                      .patience = -1};
    double       x[N];
    CHECK_EQUAL_INT(solve(&k, 1.0, x).end, SQP_INFEASIBLE);
    k.to_beat = &nothing;
    CHECK_EQUAL_INT(solve(&k, 1.0, x).end, SQP_BEHIND);
}
