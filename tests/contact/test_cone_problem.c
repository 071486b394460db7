// SPDX-License-Identifier: Apache-2.0

#include "contact/cone_problem.h"

#include "check.h"
#include "random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Random points of one to three bodies: A = sum of J_i^T J_j with few freedoms, and the motion of
// the points without impulses is one that the bodies can have.

typedef struct problem {
    int             count, intervals, freedoms;
    double         *J; ///< [rows x freedoms]
    double         *A, *c, *p, *scratch;
    atemi_cone     *cones;
    atemi_interval *bounds;
    int            *pivot;
} problem;

static double *doubles(size_t count)
{
    double *all = (double *)calloc(count, sizeof *all);
    CHECK(all);
    return all;
}

// Stops, and friction of up to 0.1.
static atemi_interval random_interval(random_stream *random)
{
    const double most = random_uniform(random, 0.0, 0.1);
    return random_index(random, 2) ? (atemi_interval){0.0, (double)INFINITY}
                                   : (atemi_interval){-most, most};
}

static problem begin(int count, int intervals, int freedoms, double friction, random_stream *random)
{
    problem      b = {.count = count, .intervals = intervals, .freedoms = freedoms};
    const size_t n = 3 * (size_t)count + (size_t)intervals, f = (size_t)freedoms;
    b.J = doubles(n * f);
    b.A = doubles(n * n);
    b.c = doubles(n);
    b.p = doubles(n);
    b.scratch = doubles(atemi_cone_problem_scratch_size(count, intervals, freedoms));
    b.bounds = (atemi_interval *)calloc((size_t)intervals + 1, sizeof *b.bounds);
    b.cones = (atemi_cone *)calloc((size_t)count + 1, sizeof *b.cones);
    b.pivot = (int *)calloc(n, sizeof *b.pivot);
    for (size_t k = 0; k < n * f; ++k) {
        b.J[k] = random_uniform(random, -1.0, 1.0);
    }
    for (size_t r = 0; r < n; ++r) {
        for (size_t k = 0; k < n * f; k += f) {
            for (size_t i = 0; i < f; ++i) {
                b.A[r * n + k / f] += b.J[r * f + i] * b.J[k + i];
            }
        }
    }
    double v[16];
    for (int i = 0; i < freedoms; ++i) {
        v[i] = random_uniform(random, -1.0, 1.0);
    }
    for (size_t r = 0; r < n; ++r) {
        for (size_t i = 0; i < f; ++i) {
            b.c[r] += b.J[r * f + i] * v[i];
        }
    }
    for (int i = 0; i < count; ++i) {
        const atemi_vec3 up = {random_uniform(random, -0.3, 0.3), random_uniform(random, -0.3, 0.3),
                               1.0};
        b.cones[i] = (atemi_cone){atemi_vec3_scale(1.0 / atemi_vec3_norm(up), up), friction};
    }
    for (int i = 0; i < intervals; ++i) {
        b.bounds[i] = random_interval(random);
    }
    return b;
}

static void end(problem *b)
{
    void *all[] = {b->J, b->A, b->c, b->p, b->scratch, b->cones, b->bounds, b->pivot};
    for (int i = 0; i < 8; ++i) {
        free(all[i]);
    }
}

static atemi_vec3 at(const double *x, int i)
{
    return (atemi_vec3){x[3 * i], x[3 * i + 1], x[3 * i + 2]};
}

// The conditions of the header, one by one, with u = A p + c. Those in u hold to `fine`, those in p
// to the same in units of the point's own element of A.
static void check_conditions(const problem *b, double fine)
{
    const int n = 3 * b->count + b->intervals;
    double   *u = doubles((size_t)n);
    for (int r = 0; r < n; ++r) {
        u[r] = b->c[r];
        for (int k = 0; k < n; ++k) {
            u[r] += b->A[(size_t)r * (size_t)n + (size_t)k] * b->p[k];
        }
    }
    for (int i = 0; i < b->count; ++i) {
        const atemi_vec3 N = b->cones[i].normal, p = at(b->p, i), w = at(u, i);
        const double     pn = atemi_vec3_dot(p, N), un = atemi_vec3_dot(w, N);
        const atemi_vec3 pt = atemi_vec3_sub(p, atemi_vec3_scale(pn, N));
        const atemi_vec3 ut = atemi_vec3_sub(w, atemi_vec3_scale(un, N));
        const double     most = b->cones[i].friction * pn, slide = atemi_vec3_norm(ut);
        CHECK(un >= -fine && pn >= -fine);
        CHECK(fmin(fabs(un), fabs(pn)) <= fine);
        CHECK(atemi_vec3_norm(pt) <= most + fine);
        if (slide > 1e3 * fine && pn > 1e3 * fine) {
            const atemi_vec3 against = atemi_vec3_add(pt, atemi_vec3_scale(most / slide, ut));
            CHECK_NEAR(atemi_vec3_norm(against), 0.0, 1e-3 * most + fine);
        }
    }
    for (int i = 0, r = 3 * b->count; i < b->intervals; ++i, ++r) {
        CHECK(b->p[r] >= b->bounds[i].lower - fine && b->p[r] <= b->bounds[i].upper + fine);
        CHECK(u[r] <= fine || b->p[r] <= b->bounds[i].lower + fine);
        CHECK(u[r] >= -fine || b->p[r] >= b->bounds[i].upper - fine);
    }
    free(u);
}

static double solve(problem *b, double tolerance)
{
    const atemi_cone_problem posed = {.points = b->count,
                                      .intervals = b->intervals,
                                      .freedoms = b->freedoms,
                                      .A = b->A,
                                      .c = b->c,
                                      .cones = b->cones,
                                      .bounds = b->bounds,
                                      .tolerance = tolerance};
    return atemi_cone_problem_solve(&posed, b->scratch, b->pivot, b->p);
}

// Few points are solved for all impulses, many by the factor of A: both meet the conditions.
TEST(cone_problem, is_solved_for_few_points_and_for_many)
{
    static const int counts[] = {1, 4, 32, 33, 64, 200};
    for (int k = 0; k < 6; ++k) {
        for (uint64_t seed = 1; seed <= 12; ++seed) {
            random_stream random = random_seeded(seed);
            const double  friction = 0.3 * (double)(seed % 3);
            problem       b = begin(counts[k], 0, 6, friction, &random);
            CHECK(solve(&b, 1e-12) <= 1e-12);
            check_conditions(&b, 1e-9);
            end(&b);
        }
    }
}

// Intervals, alone and beside points, few and many.
TEST(cone_problem, is_solved_with_intervals)
{
    static const int counts[][2] = {{0, 1}, {0, 9}, {4, 6}, {8, 30}, {30, 6}, {33, 5}, {0, 120}};
    for (int k = 0; k < 7; ++k) {
        for (uint64_t seed = 1; seed <= 12; ++seed) {
            random_stream random = random_seeded(seed);
            const double  friction = 0.3 * (double)(seed % 3);
            problem       b = begin(counts[k][0], counts[k][1], 6, friction, &random);
            CHECK(solve(&b, 1e-12) <= 1e-12);
            check_conditions(&b, 1e-9);
            end(&b);
        }
    }
}

// L^T L is A again, whatever the sizes of its elements.
TEST(cone_problem, factor_is_that_of_the_matrix)
{
    for (uint64_t seed = 1; seed <= 20; ++seed) {
        random_stream random = random_seeded(seed);
        problem       b = begin(20, 0, 1 + random_index(&random, 12), 0.0, &random);
        const int     n = 3 * b.count;
        double       *L = doubles((size_t)n * (size_t)b.freedoms), *left = doubles((size_t)n);
        for (int r = 0; r < n; ++r) {
            for (int c = 0; c < n; ++c) {
                b.A[r * n + c] *= pow(10.0, 0.1 * (r % 30 + c % 30) - 3.0);
            }
        }
        CHECK_EQUAL_INT(atemi_cone_factor(n, b.A, b.freedoms, L, left), b.freedoms);
        for (int r = 0; r < n; ++r) {
            for (int c = 0; c < n; ++c) {
                double sum = 0.0;
                for (int k = 0; k < b.freedoms; ++k) {
                    sum += L[k * n + r] * L[k * n + c];
                }
                const double scale = sqrt(b.A[r * (n + 1)] * b.A[c * (n + 1)]);
                CHECK_NEAR(sum, b.A[r * n + c], 1e-11 * scale);
            }
        }
        free(L);
        free(left);
        end(&b);
    }
}

// Projections onto random planes, of points; of intervals, every other one is held.
static void draw_slopes(const problem *b, random_stream *random, atemi_cone_slopes *slopes)
{
    for (int i = 0; i < b->count; ++i) {
        const atemi_vec3 n = b->cones[i].normal;
        slopes->points[i] = (atemi_mat3){{1.0 - n.x * n.x, -n.x * n.y, -n.x * n.z},
                                         {-n.y * n.x, 1.0 - n.y * n.y, -n.y * n.z},
                                         {-n.z * n.x, -n.z * n.y, 1.0 - n.z * n.z}};
    }
    for (int i = 0; i < b->intervals; ++i) {
        slopes->intervals[i] = i % 2;
    }
    for (int i = 0; i < b->count + b->intervals; ++i) {
        slopes->k[i] = random_uniform(random, 0.5, 2.0);
    }
}

// Row r of k (1 - P) x + P y, y = (A + added) x.
static double projected(const problem *b, const atemi_cone_slopes *s, int r, const double *x,
                        const double *y)
{
    if (r >= 3 * b->count) {
        const int i = r - 3 * b->count;
        return s->intervals[i] > 0.0 ? y[r] : s->k[b->count + i] * x[r];
    }
    const double    *at_x = x + 3 * (ptrdiff_t)(r / 3), *at_y = y + 3 * (ptrdiff_t)(r / 3);
    const atemi_mat3 P = s->points[r / 3]; // symmetric
    const atemi_vec3 row = r % 3 == 0 ? P.x : r % 3 == 1 ? P.y : P.z;
    const double     Px = row.x * at_x[0] + row.y * at_x[1] + row.z * at_x[2];
    const double     Py = row.x * at_y[0] + row.y * at_y[1] + row.z * at_y[2];
    return s->k[r / 3] * (x[r] - Px) + Py;
}

static void check_factored(int count, int intervals, int freedoms, uint64_t seed)
{
    random_stream     random = random_seeded(seed);
    problem           b = begin(count, intervals, freedoms, 0.5, &random);
    const int         n = 3 * count + intervals;
    double            added[64], F[64], x[64], y[64], k[64], held[64], left[64];
    atemi_mat3        P[64];
    double           *L = doubles((size_t)n * (size_t)freedoms);
    atemi_cone_slopes slopes = {P, held, k};
    draw_slopes(&b, &random, &slopes);
    for (int i = 0; i < n; ++i) {
        added[i] = random_uniform(&random, 0.1, 1.0);
        x[i] = F[i] = random_uniform(&random, -1.0, 1.0);
    }
    const int               rank = atemi_cone_factor(n, b.A, freedoms, L, left);
    const atemi_cone_system system = {count,    intervals, b.A, b.c, b.cones,
                                      b.bounds, added,     L,   rank};
    CHECK(atemi_cone_factored_solve(&system, &slopes, b.scratch, b.pivot, x));
    for (int r = 0; r < n; ++r) {
        y[r] = added[r < 3 * count ? r / 3 : r - 2 * count] * x[r];
        for (int c = 0; c < n; ++c) {
            y[r] += b.A[r * n + c] * x[c];
        }
    }
    for (int r = 0; r < n; ++r) {
        CHECK_NEAR(projected(&b, &slopes, r, x, y), F[r], 1e-9);
    }
    free(L);
    end(&b);
}

// The equations of the header by the whole matrix, in which an error would only make Newton's
// method slower. Rounding of A's condition, up to 1e4, is far below the tolerance.
TEST(cone_problem, factored_solution_solves_the_equations_of_a_step)
{
    for (uint64_t seed = 1; seed <= 20; ++seed) {
        check_factored(4, 5, 6, seed);
        check_factored(0, 7, 3, seed);
        check_factored(9, 0, 6, seed);
    }
}

// What solves the problem with A + added is left where it is by Newton's method, which gets the two
// apart.
TEST(cone_problem, newton_knows_a_solution_with_what_is_added)
{
    for (uint64_t seed = 1; seed <= 20; ++seed) {
        random_stream random = random_seeded(seed);
        problem       b = begin(4, 5, 6, 0.3, &random);
        const int     n = 3 * b.count + b.intervals;
        double        added[9], *A = doubles((size_t)n * (size_t)n), p[17];
        double       *scratch = doubles(atemi_cone_newton_scratch_size(n, 0, false));
        memcpy(A, b.A, (size_t)n * (size_t)n * sizeof *A);
        for (int i = 0; i < 9; ++i) {
            added[i] = random_uniform(&random, 0.5, 1.0);
        }
        for (int r = 0; r < n; ++r) {
            b.A[r * (n + 1)] += added[r < 12 ? r / 3 : r - 8];
        }
        b.freedoms = n; // which is what the added ones make of it
        free(b.scratch);
        b.scratch = doubles(atemi_cone_problem_scratch_size(b.count, b.intervals, n));
        CHECK(solve(&b, 1e-12) <= 1e-12);
        memcpy(p, b.p, sizeof p);
        const atemi_cone_system system = {b.count,  b.intervals, A,    b.c, b.cones,
                                          b.bounds, added,       NULL, 0};
        CHECK(atemi_cone_newton(&system, 1e-11, scratch, b.pivot, p) <= 1e-10);
        for (int r = 0; r < n; ++r) {
            CHECK_NEAR(p[r], b.p[r], 1e-8);
        }
        free(A);
        free(scratch);
        end(&b);
    }
}
