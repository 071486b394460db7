// SPDX-License-Identifier: Apache-2.0

#include "contact/stance_derivatives.h"

#include "atemi/model.h"
#include "atemi/robots.h"
#include "atemi/support.h"
#include "check.h"
#include "math/random.h"

#include <math.h>
#include <string.h>

enum { DIRECTIONS = 5, STRIDE = 8, CORNERS = 8 };

static const double h = 1e-5; // central differences: errors of h^2, and of rounding over h

typedef struct bench {
    atemi_model         *model;
    int                  n;
    atemi_stance_scratch stance;
    stance_derivatives   work;
    double              *q, *v, *a, *near_q, *near_v, *near_a, *step, *tau, *other;
    double              *dq, *dv, *da, *dtau, *dforces;
    atemi_contact_point  points[CORNERS];
    atemi_vec3           forces[CORNERS], ahead[CORNERS], behind[CORNERS];
    atemi_arena          arena;
} bench;

static void take(bench *b, atemi_arena *arena)
{
    const int n = b->n, q = atemi_model_q_count(b->model);
    double  **vectors[] = {&b->v, &b->a, &b->near_v, &b->near_a, &b->step, &b->tau, &b->other};
    double  **rows[] = {&b->dq, &b->dv, &b->da, &b->dtau};
    b->stance = atemi_stance_scratch_take(arena, b->model);
    b->work = stance_derivatives_take(arena, b->model, CORNERS, STRIDE);
    b->q = atemi_arena_array(arena, double, q);
    b->near_q = atemi_arena_array(arena, double, q);
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; ++i) {
        *vectors[i] = atemi_arena_array(arena, double, n);
    }
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        *rows[i] = atemi_arena_array(arena, double, n *STRIDE);
    }
    b->dforces = atemi_arena_array(arena, double, CORNERS * 3 * STRIDE);
}

static void find_corners(bench *b)
{
    const char *const names[] = {"right_sole", "left_sole"};
    int               count = 0;
    for (int i = 0; i < 2; ++i) {
        const atemi_site *site =
            atemi_model_site(b->model, atemi_model_find_site(b->model, names[i]));
        const atemi_transform here = atemi_transform_identity();
        atemi_vec3            corners[4];
        atemi_site_corners(site, &here, corners);
        for (int k = 0; k < 4; ++k) {
            b->points[count++] = (atemi_contact_point){site->link, corners[k]};
        }
    }
}

// hrp2_like stands upright and moves a little, in random directions.
static void begin(bench *b)
{
    atemi_arena measuring = atemi_arena_measuring();
    uint64_t    seed = 11;
    memset(b, 0, sizeof *b);
    CHECK_STATUS(atemi_robots_load("hrp2_like", NULL, &b->model, NULL), ATEMI_OK);
    b->n = atemi_model_v_count(b->model);
    take(b, &measuring);
    CHECK_STATUS(atemi_arena_create(&b->arena, measuring.used, NULL), ATEMI_OK);
    take(b, &b->arena);
    atemi_configuration_neutral(b->model, b->q);
    find_corners(b);
    for (int i = 0; i < b->n; ++i) {
        b->v[i] = 0.2 * (2.0 * random_unit_next(&seed) - 1.0);
        b->a[i] = 0.2 * (2.0 * random_unit_next(&seed) - 1.0);
        for (int c = 0; c < DIRECTIONS; ++c) {
            // Points stay level: the base does not roll or pitch, legs do not move.
            const bool moves = i < 3 || i == 5 || i >= 20;
            b->dq[i * STRIDE + c] = moves ? 2.0 * random_unit_next(&seed) - 1.0 : 0.0;
            b->dv[i * STRIDE + c] = 2.0 * random_unit_next(&seed) - 1.0;
            b->da[i * STRIDE + c] = 2.0 * random_unit_next(&seed) - 1.0;
        }
    }
}

static void end(bench *b)
{
    atemi_arena_destroy(&b->arena);
    atemi_model_destroy(b->model);
}

static void look(bench *b, int direction, double by, double *tau, atemi_vec3 *forces)
{
    for (int i = 0; i < b->n; ++i) {
        b->step[i] = b->dq[i * STRIDE + direction];
        b->near_v[i] = b->v[i] + by * b->dv[i * STRIDE + direction];
        b->near_a[i] = b->a[i] + by * b->da[i * STRIDE + direction];
    }
    atemi_configuration_integrate(b->model, b->q, b->step, by, b->near_q);
    CHECK(atemi_stance_dynamics_in(b->model, b->near_q, b->near_v, b->near_a, NULL, b->points,
                                   CORNERS, &b->stance, tau, forces) == ATEMI_STANCE_PUSHES);
}

TEST(stance_derivatives, of_torques_and_forces_are_those_of_differences)
{
    bench b;
    begin(&b);
    look(&b, 0, 0.0, b.tau, b.forces);
    const stance_change change = {b.dq, b.dv, b.da};
    stance_derivatives_find(b.model, b.q, b.v, b.a, b.points, CORNERS, b.forces, &change, &b.work,
                            b.dtau, b.dforces);
    for (int c = 0; c < DIRECTIONS; ++c) {
        look(&b, c, h, b.tau, b.ahead);
        look(&b, c, -h, b.other, b.behind);
        for (int i = 0; i < b.n; ++i) {
            const double slope = (b.tau[i] - b.other[i]) / (2.0 * h);
            CHECK_NEAR(b.dtau[i * STRIDE + c], slope, 1e-6 * (100.0 + fabs(slope)));
        }
        for (int k = 0; k < CORNERS; ++k) {
            const double *df = b.dforces + (ptrdiff_t)3 * STRIDE * k + c;
            CHECK_NEAR(df[0], (b.ahead[k].x - b.behind[k].x) / (2.0 * h), 1e-4);
            CHECK_NEAR(df[STRIDE], (b.ahead[k].y - b.behind[k].y) / (2.0 * h), 1e-4);
            CHECK_NEAR(df[2 * STRIDE], (b.ahead[k].z - b.behind[k].z) / (2.0 * h), 1e-4);
        }
    }
    end(&b);
}
