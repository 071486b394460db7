// SPDX-License-Identifier: Apache-2.0

#include "impact/virtual_base_derivatives.h"

#include "allocations.h"
#include "atemi/model.h"
#include "blow_bench.h"
#include "data.h"
#include "math/matrix.h"
#include "random.h"

// Central differences of sixth order with h = 2e-3 have an error of h^6, and that of the virtual
// base, 1e-12, over h.
static const double h = 2e-3, tolerance = 1e-8;

enum { DIRECTIONS = 3, ORDER = 6 };

typedef struct probe {
    bench                           b;
    atemi_arena                     arena;
    atemi_virtual_base_derivatives *d;
    double                          q[MOST], dq[MOST * DIRECTIONS], rotors[MOST];
    double                         *units, *found, *mobility[ORDER];
    double                          response[ORDER][MOST], jacobian[ORDER][MOST], mass[ORDER];
} probe;

static void take(probe *p, atemi_arena *arena)
{
    const int n = p->b.n, padded = matrix_stride(n);
    p->d = atemi_virtual_base_derivatives_take(arena, p->b.model, 2, DIRECTIONS);
    p->units = atemi_arena_array(arena, double, n *padded);
    p->found = atemi_arena_array(arena, double, n *n *matrix_stride(DIRECTIONS));
    for (int i = 0; i < ORDER; ++i) {
        p->mobility[i] = atemi_arena_array(arena, double, n *padded);
    }
}

static void begin(probe *p, uint64_t seed)
{
    random_stream stream = random_seeded(seed);
    atemi_arena   measuring = atemi_arena_measuring();
    memset(p, 0, sizeof *p);
    humanoid(&p->b, 0.0, 0.0, 1.0);
    take(p, &measuring);
    CHECK_STATUS(atemi_arena_create(&p->arena, measuring.used, NULL), ATEMI_OK);
    take(p, &p->arena);
    memcpy(p->q, p->b.q, sizeof p->q);
    for (int i = 0; i < p->b.n; ++i) {
        p->rotors[i] = i < 6 ? 0.0 : 0.02;
        row_of(p->units, matrix_stride(p->b.n), i)[i] = 1.0;
        for (int c = 0; c < DIRECTIONS; ++c) {
            p->dq[i * DIRECTIONS + c] = random_uniform(&stream, -0.3, 0.3);
        }
    }
    p->b.ground.rotors = p->rotors;
    freeze(&p->b);
}

static void end(probe *p)
{
    atemi_arena_destroy(&p->arena);
    bench_end(&p->b);
}

static atemi_status find(probe *p)
{
    return atemi_virtual_base_derivatives_find(p->b.model, &p->b.ground, &p->b.point, &p->b.base,
                                               p->dq, DIRECTIONS, DIRECTIONS, p->d, NULL);
}

static void look(probe *p, int direction)
{
    static const double steps[ORDER] = {-3.0, -2.0, -1.0, 1.0, 2.0, 3.0};
    bench              *b = &p->b;
    double              dq[MOST];
    for (int i = 0; i < b->n; ++i) {
        dq[i] = p->dq[i * DIRECTIONS + direction];
    }
    for (int k = 0; k < ORDER; ++k) {
        atemi_configuration_integrate(b->model, p->q, dq, steps[k] * h, b->q);
        freeze(b);
        memcpy(p->mobility[k], b->base.mobility, (size_t)(b->n * b->base.stride) * sizeof(double));
        memcpy(p->response[k], b->base.response, (size_t)b->n * sizeof(double));
        memcpy(p->jacobian[k], b->base.jacobian, (size_t)b->n * sizeof(double));
        p->mass[k] = atemi_virtual_mass(&b->base);
    }
}

static double difference(const double at[ORDER])
{
    return (45.0 * (at[3] - at[2]) - 9.0 * (at[4] - at[1]) + (at[5] - at[0])) / (60.0 * h);
}

// Of one entry of vectors or matrices.
static double difference_of(const double *const of[ORDER], int i)
{
    double at[ORDER];
    for (int k = 0; k < ORDER; ++k) {
        at[k] = of[k][i];
    }
    return difference(at);
}

static void compare(probe *p)
{
    const int n = p->b.n, stride = p->d->stride, padded = p->b.base.stride;
    CHECK_STATUS(find(p), ATEMI_OK);
    atemi_virtual_base_vary_columns(&p->b.base, p->units, padded, n, p->d, p->found);
    const atemi_virtual_base_slopes s = atemi_virtual_base_slopes_of(p->d);
    const double                   *response[ORDER], *jacobian[ORDER], *mobility[ORDER];
    for (int k = 0; k < ORDER; ++k) {
        response[k] = p->response[k];
        jacobian[k] = p->jacobian[k];
        mobility[k] = p->mobility[k];
    }
    for (int c = 0; c < DIRECTIONS; ++c) {
        look(p, c);
        CHECK_NEAR(s.mass[c], difference(p->mass), tolerance * p->mass[0]);
        for (int i = 0; i < n; ++i) {
            CHECK_NEAR(s.response[i * stride + c], difference_of(response, i),
                       tolerance * largest_size(p->response[0], n));
            CHECK_NEAR(s.jacobian[i * stride + c], difference_of(jacobian, i), tolerance);
            for (int k = 0; k < n; ++k) {
                CHECK_NEAR(p->found[(i * n + k) * stride + c],
                           difference_of(mobility, i * padded + k),
                           tolerance * largest_size(p->mobility[0], n * padded));
            }
        }
    }
    memcpy(p->b.q, p->q, sizeof p->q);
    freeze(&p->b);
}

TEST(virtual_base_derivatives, are_those_of_differences_on_two_feet_on_one_and_on_none)
{
    for (int feet = 0; feet <= 2; ++feet) {
        probe p;
        begin(&p, 5 + (uint64_t)feet);
        p.b.ground.count = feet;
        freeze(&p.b);
        compare(&p);
        end(&p);
    }
}

TEST(virtual_base_derivatives, are_those_of_differences_with_two_hands)
{
    probe p;
    begin(&p, 9);
    p.b.point.more = 1;
    p.b.point.others[0] =
        (atemi_striking_hand){atemi_model_find_link(p.b.model, "left_fist"), {0.01, -0.02, 0.03}};
    p.b.point.point = (atemi_vec3){0.02, 0.01, -0.05};
    freeze(&p.b);
    compare(&p);
    end(&p);
}

TEST(virtual_base_derivatives, are_those_of_differences_with_locked_joints)
{
    bool  locked[MOST] = {false};
    probe p;
    begin(&p, 8);
    for (int i = 18; i < p.b.n; i += 4) {
        locked[i] = true;
    }
    p.b.ground.locked = locked;
    freeze(&p.b);
    compare(&p);
    end(&p);
}

TEST(virtual_base_derivatives, take_no_memory)
{
    probe p;
    begin(&p, 10);
    allocations_begin();
    CHECK_STATUS(find(&p), ATEMI_OK);
    CHECK_EQUAL_INT(allocations_end(), 0);
    end(&p);
}

TEST(virtual_base_derivatives, of_heavy_or_redundant_grounds_are_refused)
{
    probe p;
    begin(&p, 11);
    p.b.feet[1] = p.b.feet[0];
    freeze(&p.b);
    CHECK_STATUS(find(&p), ATEMI_ERROR_SINGULAR);
    p.b.feet[1] = atemi_model_find_link(p.b.model, "left_sole");
    p.b.ground.grounding = ATEMI_GROUNDING_HEAVY;
    freeze(&p.b);
    CHECK_STATUS(find(&p), ATEMI_ERROR_INPUT);
    end(&p);
}
