// SPDX-License-Identifier: Apache-2.0

#include "allocations.h"
#include "check.h"
#include "random_tree.h"
#include "scratch.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// What a control loop may rely on: no memory is taken, scratches are laid out by one function, and
// a model can be shared by threads.

enum { MAX_LINKS = TREE_MAX_JOINTS + 1, ROUNDS = 50 };

typedef struct results {
    double      tau[TREE_MAX_V], a[TREE_MAX_V], x[TREE_MAX_V];
    double      M[TREE_MAX_V * TREE_MAX_V], A[6 * TREE_MAX_V], J[6 * TREE_MAX_V];
    double      rate[6 * TREE_MAX_V], q[TREE_MAX_Q], v[TREE_MAX_V], friction[TREE_MAX_V];
    double      kinetic, potential;
    atemi_force momentum, wrench;
    atemi_vec3  center;
} results;

// Calls everything that a control loop may call.
static void run_everything(const atemi_model *model, const random_state *state,
                           const atemi_force *external, scratch *s, results *r)
{
    const int last = atemi_model_link_count(model) - 1;
    atemi_kinematics_update(model, state->q, state->v, state->a, &s->kinematics);
    atemi_link_jacobian_in(model, &s->kinematics, last, r->J);
    atemi_link_jacobian_rate_in(model, &s->kinematics, last, r->rate);
    r->center = atemi_center_of_mass_in(model, &s->kinematics);
    r->momentum = atemi_momentum_in(model, &s->kinematics);
    r->kinetic = atemi_kinetic_energy_in(model, &s->kinematics);
    r->potential = atemi_potential_energy_in(model, &s->kinematics);
    atemi_inverse_dynamics_in(model, state->q, state->v, state->a, external, &s->inverse, r->tau);
    for (int j = 0; j <= last - 1; ++j) {
        if (atemi_model_joint(model, j)->type != ATEMI_JOINT_FIXED) {
            r->wrench = atemi_joint_wrench_in(model, &s->inverse, j);
        }
    }
    atemi_forward_dynamics_in(model, state->q, state->v, state->tau, external, &s->forward, r->a);
    atemi_mass_matrix_in(model, state->q, &s->mass, r->M);
    atemi_mass_factor_update(model, state->q, &s->factor);
    memcpy(r->x, state->tau, (size_t)atemi_model_v_count(model) * sizeof *r->x);
    atemi_mass_factor_solve(model, &s->factor, r->x);
    atemi_momentum_matrix_in(model, state->q, &s->momentum, r->A);
    atemi_configuration_integrate(model, state->q, state->v, 0.01, r->q);
    atemi_configuration_difference(model, state->q, r->q, r->v);
    atemi_configuration_normalize(model, r->q);
    atemi_joint_friction(model, state->v, r->friction);
}

TEST(real_time, dynamics_take_no_memory)
{
    static results   r;
    static const int kinds[] = {5, 7, 10};
    for (int c = 0; c < 3; ++c) {
        const tree_options options = tree_case(kinds[c]);
        atemi_model       *model = random_tree(&options, 71);
        scratch            s = scratch_create(model);
        random_state       x;
        atemi_force        external[MAX_LINKS];
        random_state_fill(model, 71, &x);
        random_forces(model, 71, external);

        allocations_begin();
        run_everything(model, &x, external, &s, &r);
        CHECK_EQUAL_INT(allocations_end(), 0);
        scratch_destroy(&s);
        atemi_model_destroy(model);
    }
}

// ---- One function both measures and places --------------------------------------------------

typedef void (*taking)(atemi_arena *arena, const atemi_model *model);

static void take_kinematics(atemi_arena *arena, const atemi_model *model)
{
    atemi_kinematics_take(arena, model);
}
static void take_inverse(atemi_arena *arena, const atemi_model *model)
{
    atemi_inverse_dynamics_scratch_take(arena, model);
}
static void take_mass(atemi_arena *arena, const atemi_model *model)
{
    atemi_mass_matrix_scratch_take(arena, model);
}
static void take_factor(atemi_arena *arena, const atemi_model *model)
{
    atemi_mass_factor_take(arena, model);
}
static void take_forward(atemi_arena *arena, const atemi_model *model)
{
    atemi_forward_dynamics_scratch_take(arena, model);
}
static void take_momentum(atemi_arena *arena, const atemi_model *model)
{
    atemi_momentum_matrix_scratch_take(arena, model);
}

// Measuring counts one alignment more, for memory that does not begin at an aligned address. Placed
// at one, the scratch takes the rest to the byte, and one byte less is refused.
TEST(real_time, scratches_take_exactly_the_bytes_that_they_measure)
{
    static const taking all[] = {take_kinematics, take_inverse, take_mass,
                                 take_factor,     take_forward, take_momentum};
    for (int c = 0; c < TREE_CASES; ++c) {
        const tree_options options = tree_case(c);
        atemi_model       *model = random_tree(&options, 72);
        for (size_t k = 0; k < sizeof all / sizeof *all; ++k) {
            atemi_arena measured = atemi_arena_measuring();
            all[k](&measured, model);
            const size_t size = measured.used - ATEMI_ARENA_ALIGNMENT;
            const size_t room = (size + 2 * ATEMI_ARENA_ALIGNMENT) / ATEMI_ARENA_ALIGNMENT;
            void *memory = aligned_alloc(ATEMI_ARENA_ALIGNMENT, room * ATEMI_ARENA_ALIGNMENT);

            atemi_arena placed = atemi_arena_over(memory, size);
            all[k](&placed, model);
            CHECK_EQUAL_INT(placed.used, size);
            if (size > 0) {
                atemi_arena tight = atemi_arena_over(memory, size - 1);
                CHECK_BREAKS_CONTRACT(all[k](&tight, model));
            }
            free(memory);
        }
        atemi_model_destroy(model);
    }
}

// ---- Guards ---------------------------------------------------------------------------------

// Kernels work on whole packs; what hangs over the end of an array must stay inside of the scratch
// and never reach beyond a result. Guards of two packs stand behind everything.
enum { GUARDS = 16 };

static const double guard = 12345.678;

static double *guarded(size_t count)
{
    double *array = (double *)malloc((count + GUARDS) * sizeof *array);
    for (size_t i = count; i < count + GUARDS; ++i) {
        array[i] = guard;
    }
    return array;
}

static void check_and_free(double *array, size_t count)
{
    for (size_t i = count; i < count + GUARDS; ++i) {
        CHECK(array[i] == guard);
    }
    free(array);
}

TEST(real_time, results_end_where_they_should)
{
    for (int c = 0; c < TREE_CASES; ++c) {
        const tree_options options = tree_case(c);
        atemi_model       *model = random_tree(&options, 75);
        const size_t       n = (size_t)atemi_model_v_count(model);
        scratch            s = scratch_create(model);
        random_state       x;
        random_state_fill(model, 75, &x);
        double *vector = guarded(n), *rows = guarded(6 * n), *M = guarded(n * n);
        double *q = guarded((size_t)atemi_model_q_count(model));

        atemi_kinematics_update(model, x.q, x.v, x.a, &s.kinematics);
        for (int link = 0; link < atemi_model_link_count(model); ++link) {
            atemi_link_jacobian_in(model, &s.kinematics, link, rows);
            atemi_link_jacobian_rate_in(model, &s.kinematics, link, rows);
        }
        atemi_momentum_matrix_in(model, x.q, &s.momentum, rows);
        atemi_mass_matrix_in(model, x.q, &s.mass, M);
        atemi_inverse_dynamics_in(model, x.q, x.v, x.a, NULL, &s.inverse, vector);
        atemi_forward_dynamics_in(model, x.q, x.v, x.tau, NULL, &s.forward, vector);
        atemi_mass_factor_update(model, x.q, &s.factor);
        atemi_mass_factor_solve(model, &s.factor, vector);
        atemi_joint_friction(model, x.v, vector);
        atemi_configuration_integrate(model, x.q, x.v, 0.1, q);
        atemi_configuration_neutral(model, q);

        check_and_free(vector, n);
        check_and_free(rows, 6 * n);
        check_and_free(M, n * n);
        check_and_free(q, (size_t)atemi_model_q_count(model));
        scratch_destroy(&s);
        atemi_model_destroy(model);
    }
}

typedef void (*running)(atemi_arena *arena, const atemi_model *model, const random_state *x);

static double sink[TREE_MAX_V * TREE_MAX_V];

static void run_inverse(atemi_arena *arena, const atemi_model *model, const random_state *x)
{
    atemi_inverse_dynamics_scratch s = atemi_inverse_dynamics_scratch_take(arena, model);
    atemi_inverse_dynamics_in(model, x->q, x->v, x->a, NULL, &s, sink);
}
static void run_mass(atemi_arena *arena, const atemi_model *model, const random_state *x)
{
    atemi_mass_matrix_scratch s = atemi_mass_matrix_scratch_take(arena, model);
    atemi_mass_matrix_in(model, x->q, &s, sink);
}
static void run_factor(atemi_arena *arena, const atemi_model *model, const random_state *x)
{
    atemi_mass_factor s = atemi_mass_factor_take(arena, model);
    atemi_mass_factor_update(model, x->q, &s);
    memcpy(sink, x->tau, sizeof x->tau);
    atemi_mass_factor_solve(model, &s, sink);
}
static void run_forward(atemi_arena *arena, const atemi_model *model, const random_state *x)
{
    atemi_forward_dynamics_scratch s = atemi_forward_dynamics_scratch_take(arena, model);
    atemi_forward_dynamics_in(model, x->q, x->v, x->tau, NULL, &s, sink);
}
static void run_momentum(atemi_arena *arena, const atemi_model *model, const random_state *x)
{
    atemi_momentum_matrix_scratch s = atemi_momentum_matrix_scratch_take(arena, model);
    atemi_momentum_matrix_in(model, x->q, &s, sink);
}

TEST(real_time, scratches_end_where_they_should)
{
    static const taking  take[] = {take_inverse, take_mass, take_factor, take_forward,
                                   take_momentum};
    static const running run[] = {run_inverse, run_mass, run_factor, run_forward, run_momentum};
    for (int c = 0; c < TREE_CASES; ++c) {
        const tree_options options = tree_case(c);
        atemi_model       *model = random_tree(&options, 76);
        random_state       x;
        random_state_fill(model, 76, &x);
        for (int k = 0; k < 5; ++k) {
            atemi_arena measured = atemi_arena_measuring();
            take[k](&measured, model);
            const size_t slack = ATEMI_ARENA_ALIGNMENT / sizeof(double);
            const size_t count = (measured.used + sizeof(double) - 1) / sizeof(double) - slack;
            double      *memory = guarded(count + slack);
            for (size_t i = 0; i < GUARDS + slack; ++i) {
                memory[count + i] = guard;
            }
            // The arena begins at the first aligned address, and ends `count` doubles after it.
            atemi_arena  arena = atemi_arena_over(memory, measured.used);
            const size_t lost = (size_t)((double *)(void *)arena.memory - memory);
            run[k](&arena, model, &x);
            for (size_t i = count + lost; i < count + slack + GUARDS; ++i) {
                CHECK(memory[i] == guard);
            }
            free(memory);
        }
        atemi_model_destroy(model);
    }
}

// ---- Threads --------------------------------------------------------------------------------

typedef struct job {
    const atemi_model  *model;
    const random_state *state;
    const atemi_force  *external;
    const results      *expected;
    scratch             s;
    bool                same;
} job;

static void *work(void *context)
{
    job     *j = (job *)context;
    results *r = (results *)calloc(1, sizeof *r);
    j->same = true;
    for (int round = 0; round < ROUNDS; ++round) {
        run_everything(j->model, j->state, j->external, &j->s, r);
        j->same = j->same && memcmp(r, j->expected, sizeof *r) == 0;
    }
    free(r);
    return NULL;
}

TEST(real_time, two_threads_with_their_own_scratches_get_the_bits_of_one)
{
    enum { THREADS = 2 };
    static results     expected[THREADS];
    const tree_options options = tree_case(12);
    atemi_model       *model = random_tree(&options, 73);
    random_state       states[THREADS];
    atemi_force        external[MAX_LINKS];
    job                jobs[THREADS];
    pthread_t          threads[THREADS];
    random_forces(model, 73, external);
    for (int t = 0; t < THREADS; ++t) {
        scratch s = scratch_create(model);
        random_state_fill(model, 74 + (uint64_t)t, &states[t]);
        run_everything(model, &states[t], external, &s, &expected[t]);
        scratch_destroy(&s);
        jobs[t] = (job){.model = model,
                        .state = &states[t],
                        .external = external,
                        .expected = &expected[t],
                        .s = scratch_create(model)};
    }
    for (int t = 0; t < THREADS; ++t) {
        CHECK_EQUAL_INT(pthread_create(&threads[t], NULL, work, &jobs[t]), 0);
    }
    for (int t = 0; t < THREADS; ++t) {
        CHECK_EQUAL_INT(pthread_join(threads[t], NULL), 0);
        CHECK(jobs[t].same);
        scratch_destroy(&jobs[t].s);
    }
    atemi_model_destroy(model);
}
