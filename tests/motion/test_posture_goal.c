// SPDX-License-Identifier: Apache-2.0

#include "motion/posture_goal.h"

#include "posture_bench.h"

enum { MAX_ERRORS = 6 * MAX_GOALS };

// Weighted errors in the order of the rows.
static int gather_errors(const bench *b, const atemi_posture_goal *goals, int count, double *e)
{
    int at = 0;
    for (int g = 0; g < count; ++g) {
        const atemi_motion *m = &b->scratch->errors[g];
        const double        all[] = {m->linear.x,  m->linear.y,  m->linear.z,
                                     m->angular.x, m->angular.y, m->angular.z};
        const int           rows = goals[g].kind == ATEMI_GOAL_FRAME ? 6 : 3;
        for (int r = 0; r < rows; ++r) {
            if (goals[g].weight[r] > 0.0) {
                e[at++] = goals[g].weight[r] * all[r];
            }
        }
    }
    return at;
}

static void step_along(const bench *b, const double *q, int v, double h, double *x)
{
    double unit[TREE_MAX_V] = {0};
    unit[v] = h;
    atemi_configuration_integrate(b->model, q, unit, 1.0, x);
}

// Against central differences of the errors; their steps of 1e-6 leave 1e-9.
TEST(posture_goal, has_exact_rows)
{
    for (int c = 1; c < TREE_CASES; ++c) {
        const tree_options options = tree_case(c);
        bench              b;
        bench_begin(&b, random_tree(&options, 51));
        random_stream      random = random_seeded(51 + (uint64_t)c);
        double             q[TREE_MAX_Q], x[TREE_MAX_Q], more[MAX_ERRORS], less[MAX_ERRORS];
        atemi_posture_goal goals[2];
        const int          count = atemi_model_mass(b.model) > 0.0 ? 2 : 1;
        const atemi_inverse_kinematics_options all = atemi_inverse_kinematics_options_default();
        atemi_configuration_random(b.model, 51, q);
        random_goals(&b, &random, goals);
        atemi_posture_freedoms(b.model, &all, b.scratch);
        CHECK_EQUAL_INT(b.scratch->count, b.n);
        atemi_posture_errors(q, goals, count, b.scratch);
        if (atemi_vec3_norm(b.scratch->errors[0].angular) < 2.9) {
            atemi_posture_linearize(b.model, goals, count, b.scratch);
            for (int k = 0; k < b.n; ++k) {
                step_along(&b, q, b.scratch->freedoms[k].v, 1e-6, x);
                atemi_posture_errors(x, goals, count, b.scratch);
                gather_errors(&b, goals, count, more);
                step_along(&b, q, b.scratch->freedoms[k].v, -1e-6, x);
                atemi_posture_errors(x, goals, count, b.scratch);
                const int rows = gather_errors(&b, goals, count, less);
                CHECK_EQUAL_INT(rows, b.scratch->row_count);
                for (int r = 0; r < rows; ++r) {
                    CHECK_NEAR(b.scratch->rows[r * b.n + k], (more[r] - less[r]) / 2e-6, 1e-8);
                }
            }
        }
        bench_end(&b);
    }
}

// The Hessian of the cost of a position, by second differences along random screws.
TEST(posture_goal, knows_how_positions_bend)
{
    static const int kinds[] = {3, 4, 5};
    for (int c = 0; c < 3; ++c) {
        const tree_options options = tree_case(kinds[c]);
        bench              b;
        bench_begin(&b, random_tree(&options, 52));
        random_stream                          random = random_seeded(52);
        double                                 q[TREE_MAX_Q], x[TREE_MAX_Q], d[TREE_MAX_V];
        const atemi_inverse_kinematics_options all = atemi_inverse_kinematics_options_default();
        atemi_posture_goal                     goals[2];
        random_goals(&b, &random, goals);
        memset(goals[0].weight + 3, 0, 3 * sizeof *goals[0].weight);
        atemi_configuration_random(b.model, 52, q);
        atemi_posture_freedoms(b.model, &all, b.scratch);
        const double cost = atemi_posture_errors(q, goals, 1, b.scratch);
        atemi_posture_linearize(b.model, goals, 1, b.scratch);
        for (int trial = 0; trial < 10; ++trial) {
            const double h = 1e-3;
            double       curve = 0.0;
            for (int i = 0; i < b.n; ++i) {
                d[i] = random_uniform(&random, -1.0, 1.0) / sqrt(b.n);
                for (int j = 0; j <= i; ++j) {
                    const double H =
                        b.scratch->normal[i * b.n + j] + b.scratch->bending[i * b.n + j];
                    curve += (i == j ? 1.0 : 2.0) * H * d[i] * d[j];
                }
            }
            atemi_configuration_integrate(b.model, q, d, h, x);
            const double ahead = atemi_posture_errors(x, goals, 1, b.scratch);
            atemi_configuration_integrate(b.model, q, d, -h, x);
            const double behind = atemi_posture_errors(x, goals, 1, b.scratch);
            const double expected = (ahead - 2.0 * cost + behind) / (h * h);
            CHECK_NEAR(curve, expected, 1e-4 * (1.0 + fabs(expected)));
        }
        bench_end(&b);
    }
}
