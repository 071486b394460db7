// SPDX-License-Identifier: Apache-2.0

#include "differences.h"

#include "check.h"

#include <stdlib.h>
#include <string.h>

enum { LEVELS = 4 };

static const double longest_step = 0.01;

typedef struct moved_state {
    const atemi_model *model;
    double             q[TREE_MAX_Q], v[TREE_MAX_V], x[TREE_MAX_V];
} moved_state;

static void move(moved_state *to, difference_by by, const double *q, const double *v,
                 const double *x, int j, double step)
{
    const size_t n = (size_t)atemi_model_v_count(to->model);
    memcpy(to->q, q, (size_t)atemi_model_q_count(to->model) * sizeof *q);
    memcpy(to->v, v, n * sizeof *v);
    memcpy(to->x, x, n * sizeof *x);
    if (by == BY_Q) {
        double direction[TREE_MAX_V] = {0};
        direction[j] = 1.0;
        atemi_configuration_integrate(to->model, q, direction, step, to->q);
    } else {
        (by == BY_V ? to->v : to->x)[j] += step;
    }
}

// Neville's table over the squares of the steps. `at` has the results at plus and minus each step.
static double extrapolated(const double *at, int rows)
{
    double slope[LEVELS];
    for (int level = 0; level < LEVELS; ++level) {
        const double *pair = at + (size_t)(2 * level * rows);
        slope[level] = (pair[0] - pair[rows]) * (1 << level) / (2.0 * longest_step);
    }
    for (int order = 1; order < LEVELS; ++order) {
        for (int level = LEVELS - 1; level >= order; --level) {
            slope[level] += (slope[level] - slope[level - 1]) / ((1 << (2 * order)) - 1);
        }
    }
    return slope[LEVELS - 1];
}

void differences(const atemi_model *model, difference_function f, void *context, difference_by by,
                 const double *q, const double *v, const double *x, int rows, double *matrix)
{
    static moved_state state;
    const int          n = atemi_model_v_count(model);
    double            *results = malloc(2 * LEVELS * (size_t)rows * sizeof *results);
    CHECK(n <= TREE_MAX_V && results);
    state.model = model;
    for (int j = 0; j < n; ++j) {
        for (int level = 0; level < 2 * LEVELS; ++level) {
            const double step = longest_step / (1 << (level / 2)) * (level % 2 ? -1.0 : 1.0);
            move(&state, by, q, v, x, j, step);
            f(context, state.q, state.v, state.x, results + level * rows);
        }
        for (int i = 0; i < rows; ++i) {
            matrix[i * n + j] = extrapolated(results + i, rows);
        }
    }
    free(results);
}
