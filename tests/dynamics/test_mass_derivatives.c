// SPDX-License-Identifier: Apache-2.0

#include "dynamics/mass_derivatives.h"

#include "check.h"
#include "differences.h"
#include "dynamics/frame_rows.h"
#include "dynamics/mass_matrix.h"
#include "math/matrix.h"
#include "tree_rig.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Of what differences.h promises.
static const double tolerance = 1e-9;

static const atemi_vec3 point = {0.1, -0.2, 0.3};

typedef struct bench {
    tree_rig                  tree;
    atemi_arena               arena;
    atemi_mass_matrix_scratch mass;
    atemi_kinematics          kinematics;
    atemi_mass_derivatives    derivatives;
    double                   *dq, *found, *expected;
    int                       n, stride, link;
} bench;

static void take(bench *b, atemi_arena *arena)
{
    const atemi_model *model = b->tree.model;
    const int          rows = b->n > 6 ? b->n : 6;
    b->mass = atemi_mass_matrix_scratch_take(arena, model);
    b->kinematics = atemi_kinematics_take(arena, model);
    b->derivatives = atemi_mass_derivatives_take(arena, model, b->stride);
    b->dq = atemi_arena_array(arena, double, b->n * b->stride);
    b->found = atemi_arena_array(arena, double, rows * b->n * b->stride);
    b->expected = atemi_arena_array(arena, double, rows * b->n * b->n);
}

// Every coordinate is a direction.
static void begin(bench *b, int index)
{
    atemi_arena measuring = atemi_arena_measuring();
    memset(b, 0, sizeof *b);
    tree_rig_begin(&b->tree, index, 7);
    b->n = b->tree.n;
    b->stride = matrix_stride(b->n);
    b->link = atemi_model_link_count(b->tree.model) - 1;
    take(b, &measuring);
    CHECK_STATUS(atemi_arena_create(&b->arena, measuring.used, NULL), ATEMI_OK);
    take(b, &b->arena);
    memset(b->dq, 0, (size_t)(b->n * b->stride) * sizeof *b->dq);
    for (int i = 0; i < b->n; ++i) {
        row_of(b->dq, b->stride, i)[i] = 1.0;
    }
    atemi_kinematics_update(b->tree.model, b->tree.x.q, NULL, NULL, &b->kinematics);
    atemi_mass_derivatives_update(b->tree.model, &b->kinematics, b->dq, &b->derivatives);
}

static void end(bench *b)
{
    atemi_arena_destroy(&b->arena);
    tree_rig_end(&b->tree);
}

static void find_mass(void *context, const double *q, const double *v, const double *x, double *M)
{
    bench *b = (bench *)context;
    (void)v, (void)x;
    atemi_mass_matrix_in(b->tree.model, q, &b->mass, M);
}

static void find_rows(void *context, const double *q, const double *v, const double *x, double *J)
{
    bench *b = (bench *)context;
    (void)v, (void)x;
    atemi_kinematics_update(b->tree.model, q, NULL, NULL, &b->mass.kinematics);
    atemi_frame_rows(b->tree.model, &b->mass.kinematics, b->link, point, J);
}

static void compare(const bench *b, int rows)
{
    double size = 1.0;
    for (int i = 0; i < rows * b->n; ++i) {
        size = fmax(size, fabs(b->expected[i]));
    }
    for (int i = 0; i < rows; ++i) {
        for (int k = 0; k < b->n; ++k) {
            CHECK_NEAR(row_in(b->found, b->stride, i)[k], row_in(b->expected, b->n, i)[k],
                       tolerance * size);
        }
    }
}

TEST(mass_derivatives, are_those_of_differences)
{
    for (int i = 0; i < TREE_CASES; ++i) {
        bench b;
        begin(&b, i);
        atemi_mass_derivatives_fill(b.tree.model, &b.kinematics, &b.derivatives, b.found);
        differences(b.tree.model, find_mass, &b, BY_Q, b.tree.x.q, b.tree.x.v, b.tree.x.a,
                    b.n * b.n, b.expected);
        compare(&b, b.n * b.n);
        end(&b);
    }
}

TEST(mass_derivatives, of_the_jacobian_of_a_point_are_those_of_differences)
{
    for (int i = 0; i < TREE_CASES; ++i) {
        bench b;
        begin(&b, i);
        atemi_frame_derivatives_fill(b.tree.model, &b.kinematics, b.link, point, 6, &b.derivatives,
                                     b.found);
        differences(b.tree.model, find_rows, &b, BY_Q, b.tree.x.q, b.tree.x.v, b.tree.x.a, 6 * b.n,
                    b.expected);
        compare(&b, 6 * b.n);
        end(&b);
    }
}
