// SPDX-License-Identifier: Apache-2.0

#include "allocations.h"
#include "atemi/contact.h"
#include "atemi/derivatives.h"
#include "check.h"
#include "data.h"
#include "random_tree.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// What a control loop may rely on: no memory is taken, a data is laid out by one function, and
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
                           const atemi_force *external, atemi_data *s, results *r)
{
    const int last = atemi_model_link_count(model) - 1;
    atemi_update_kinematics(s, state->q, state->v, state->a);
    atemi_link_jacobian(s, last, r->J);
    atemi_link_jacobian_rate(s, last, r->rate);
    r->center = atemi_center_of_mass(s);
    r->momentum = atemi_momentum(s);
    r->kinetic = atemi_kinetic_energy(s);
    r->potential = atemi_potential_energy(s);
    atemi_inverse_dynamics(s, state->q, state->v, state->a, external, r->tau);
    for (int j = 0; j <= last - 1; ++j) {
        if (atemi_model_joint(model, j)->type != ATEMI_JOINT_FIXED) {
            r->wrench = atemi_joint_wrench(s, j);
        }
    }
    atemi_forward_dynamics(s, state->q, state->v, state->tau, external, r->a);
    atemi_mass_matrix(s, state->q, r->M);
    atemi_update_kinematics(s, state->q, NULL, NULL);
    atemi_update_factor(s, NULL);
    memcpy(r->x, state->tau, (size_t)atemi_model_v_count(model) * sizeof *r->x);
    atemi_mass_solve(s, r->x);
    atemi_momentum_matrix(s, state->q, r->A);
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
        atemi_data        *s = data_create(model);
        random_state       x;
        atemi_force        external[MAX_LINKS];
        random_state_fill(model, 71, &x);
        random_forces(model, 71, external);

        allocations_begin();
        run_everything(model, &x, external, s, &r);
        CHECK_EQUAL_INT(allocations_end(), 0);
        atemi_data_destroy(s);
        atemi_model_destroy(model);
    }
}

// ---- One function both measures and places --------------------------------------------------

static const int contact_counts[] = {0, 1, 3};

static atemi_data *take(atemi_arena *arena, const atemi_model *model, int max_contacts)
{
    return atemi_data_take(arena, model, &(atemi_data_options){.max_contacts = max_contacts});
}

// Measuring counts one alignment more, for memory that does not begin at an aligned address. Placed
// at one, the data takes the rest to the byte, and one byte less is refused.
TEST(real_time, a_data_takes_exactly_the_bytes_that_it_measures)
{
    for (int c = 0; c < TREE_CASES; ++c) {
        const tree_options options = tree_case(c);
        atemi_model       *model = random_tree(&options, 72);
        for (size_t k = 0; k < sizeof contact_counts / sizeof *contact_counts; ++k) {
            const int   contacts = contact_counts[k];
            atemi_arena measured = atemi_arena_measuring();
            CHECK(take(&measured, model, contacts) == NULL);
            const size_t size = measured.used - ATEMI_ARENA_ALIGNMENT;
            const size_t room = (size + 2 * ATEMI_ARENA_ALIGNMENT) / ATEMI_ARENA_ALIGNMENT;
            void *memory = aligned_alloc(ATEMI_ARENA_ALIGNMENT, room * ATEMI_ARENA_ALIGNMENT);

            atemi_arena placed = atemi_arena_over(memory, size);
            CHECK(take(&placed, model, contacts) != NULL);
            CHECK_EQUAL_INT(placed.used, size);
            atemi_arena tight = atemi_arena_over(memory, size - 1);
            CHECK_BREAKS_CONTRACT(take(&tight, model, contacts));
            CHECK_EQUAL_INT(tight.used, 0);
            free(memory);
        }
        atemi_model_destroy(model);
    }
}

// ---- Guards ---------------------------------------------------------------------------------

// Kernels work on whole packs; what hangs over the end of an array must stay inside of the data
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
        atemi_data        *s = data_create(model);
        random_state       x;
        random_state_fill(model, 75, &x);
        double *vector = guarded(n), *rows = guarded(6 * n), *M = guarded(n * n);
        double *q = guarded((size_t)atemi_model_q_count(model));

        atemi_update_kinematics(s, x.q, x.v, x.a);
        for (int link = 0; link < atemi_model_link_count(model); ++link) {
            atemi_link_jacobian(s, link, rows);
            atemi_link_jacobian_rate(s, link, rows);
        }
        atemi_momentum_matrix(s, x.q, rows);
        atemi_mass_matrix(s, x.q, M);
        atemi_inverse_dynamics(s, x.q, x.v, x.a, NULL, vector);
        atemi_forward_dynamics(s, x.q, x.v, x.tau, NULL, vector);
        atemi_update_kinematics(s, x.q, NULL, NULL);
        atemi_update_factor(s, NULL);
        atemi_mass_solve(s, vector);
        atemi_joint_friction(model, x.v, vector);
        atemi_configuration_integrate(model, x.q, x.v, 0.1, q);
        atemi_configuration_neutral(model, q);

        check_and_free(vector, n);
        check_and_free(rows, 6 * n);
        check_and_free(M, n * n);
        check_and_free(q, (size_t)atemi_model_q_count(model));
        atemi_data_destroy(s);
        atemi_model_destroy(model);
    }
}

TEST(real_time, derivatives_take_no_memory_and_end_where_they_should)
{
    for (int c = 0; c < TREE_CASES; ++c) {
        const tree_options options = tree_case(c);
        atemi_model       *model = random_tree(&options, 77);
        const size_t       n = (size_t)atemi_model_v_count(model);
        random_state       x;
        atemi_force        external[MAX_LINKS];
        const atemi_vec3   origin = {0};
        atemi_arena        arena = atemi_arena_measuring();
        atemi_derivatives_take(&arena, model);
        CHECK_STATUS(atemi_arena_create(&arena, arena.used, NULL), ATEMI_OK);
        atemi_derivatives_scratch *s = atemi_derivatives_take(&arena, model);
        random_state_fill(model, 77, &x);
        random_forces(model, 77, external);
        double *square[3], *wide[4], *vector[2];
        for (int i = 0; i < 4; ++i) {
            wide[i] = guarded(6 * n);
            square[i % 3] = i < 3 ? guarded(n * n) : square[0];
            vector[i % 2] = i < 2 ? guarded(n) : vector[i % 2];
        }
        allocations_begin();
        atemi_inverse_dynamics_derivatives(model, x.q, x.v, x.a, external, s, vector[0], square[0],
                                           square[1], square[2]);
        atemi_momentum_derivatives(model, s, wide[0], wide[1], wide[2], wide[3]);
        atemi_center_of_mass_jacobian(model, s, wide[0]);
        atemi_kinetic_energy_gradient(model, s, vector[0], vector[1]);
        atemi_potential_energy_gradient(model, s, vector[0]);
        for (int link = 0; link < atemi_model_link_count(model); ++link) {
            atemi_link_derivatives(model, s, link, origin, wide[0], wide[1], wide[2], wide[3]);
        }
        atemi_forward_dynamics_derivatives(model, x.q, x.v, x.tau, external, s, vector[0],
                                           square[0], square[1], square[2]);
        CHECK_EQUAL_INT(allocations_end(), 0);
        for (int i = 0; i < 4; ++i) {
            check_and_free(wide[i], 6 * n);
            if (i < 3) {
                check_and_free(square[i], n * n);
            }
            if (i < 2) {
                check_and_free(vector[i], n);
            }
        }
        atemi_arena_destroy(&arena);
        atemi_model_destroy(model);
    }
}

// The arena is as large as it was measured: with one byte less the contract of arenas breaks.
TEST(real_time, derivatives_take_exactly_the_bytes_that_they_measure)
{
    for (int c = 0; c < TREE_CASES; ++c) {
        const tree_options options = tree_case(c);
        atemi_model       *model = random_tree(&options, 72);
        atemi_arena        measured = atemi_arena_measuring();
        CHECK(atemi_derivatives_take(&measured, model) == NULL);
        const size_t size = measured.used - ATEMI_ARENA_ALIGNMENT;
        const size_t room = (size + 2 * ATEMI_ARENA_ALIGNMENT) / ATEMI_ARENA_ALIGNMENT;
        void        *memory = aligned_alloc(ATEMI_ARENA_ALIGNMENT, room * ATEMI_ARENA_ALIGNMENT);
        atemi_arena  placed = atemi_arena_over(memory, size);
        CHECK(atemi_derivatives_take(&placed, model) != NULL);
        CHECK_EQUAL_INT(placed.used, size);
        atemi_arena tight = atemi_arena_over(memory, size - 1);
        CHECK_BREAKS_CONTRACT(atemi_derivatives_take(&tight, model));
        free(memory);
        atemi_model_destroy(model);
    }
}

// Contacts at the last link in all modes that have rows, as many as there are.
static void touch(const atemi_model *model, int count, atemi_contact *contacts)
{
    static const atemi_contact_mode modes[] = {ATEMI_CONTACT_STICK, ATEMI_CONTACT_SLIP,
                                               ATEMI_CONTACT_SURFACE};
    for (int i = 0; i < count; ++i) {
        contacts[i] = atemi_contact_default();
        contacts[i].link = atemi_model_link_count(model) - 1;
        contacts[i].mode = modes[i % 3];
        contacts[i].point = (atemi_vec3){0.1 * i, 0.2, -0.1};
        contacts[i].friction = 0.3;
    }
}

static double sink[TREE_MAX_V * TREE_MAX_V];

static void run_contacts(atemi_data *data, const random_state *x, int count)
{
    atemi_contact contacts[3];
    atemi_force   forces[3];
    atemi_vec3    impulses[3];
    touch(atemi_data_model(data), count, contacts);
    const atemi_contact_set set = {.contacts = contacts, .count = count};
    atemi_constrained_dynamics(data, x->q, x->v, x->tau, NULL, &set, sink, forces, NULL);
    atemi_collision(data, x->q, x->v, &set, sink, impulses, NULL);
    atemi_collision_in_modes(data, x->q, x->v, &set, sink, forces, NULL);
    if (count > 0) {
        atemi_extended_newton_euler(data, x->q, x->v, x->tau, &set, sink, forces, NULL);
    }
}

static void run_all(atemi_data *data, const random_state *x, int contacts)
{
    static results r;
    atemi_force    external[MAX_LINKS] = {0};
    run_everything(atemi_data_model(data), x, external, data, &r);
    run_contacts(data, x, contacts);
}

TEST(real_time, a_data_ends_where_it_should)
{
    for (int c = 0; c < TREE_CASES; ++c) {
        const tree_options options = tree_case(c);
        atemi_model       *model = random_tree(&options, 76);
        random_state       x;
        random_state_fill(model, 76, &x);
        for (size_t k = 0; k < sizeof contact_counts / sizeof *contact_counts; ++k) {
            atemi_arena measured = atemi_arena_measuring();
            take(&measured, model, contact_counts[k]);
            const size_t slack = ATEMI_ARENA_ALIGNMENT / sizeof(double);
            const size_t count = (measured.used + sizeof(double) - 1) / sizeof(double) - slack;
            double      *memory = guarded(count + slack);
            for (size_t i = 0; i < GUARDS + slack; ++i) {
                memory[count + i] = guard;
            }
            // The arena begins at the first aligned address, and ends `count` doubles after it.
            atemi_arena  arena = atemi_arena_over(memory, measured.used);
            const size_t lost = (size_t)((double *)(void *)arena.memory - memory);
            run_all(take(&arena, model, contact_counts[k]), &x, contact_counts[k]);
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
    atemi_data         *s;
    bool                same;
} job;

static void *work(void *context)
{
    job     *j = (job *)context;
    results *r = (results *)calloc(1, sizeof *r);
    j->same = true;
    for (int round = 0; round < ROUNDS; ++round) {
        run_everything(j->model, j->state, j->external, j->s, r);
        j->same = j->same && memcmp(r, j->expected, sizeof *r) == 0;
    }
    free(r);
    return NULL;
}

TEST(real_time, two_threads_with_their_own_data_get_the_bits_of_one)
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
        atemi_data *s = data_create(model);
        random_state_fill(model, 74 + (uint64_t)t, &states[t]);
        run_everything(model, &states[t], external, s, &expected[t]);
        atemi_data_destroy(s);
        jobs[t] = (job){.model = model,
                        .state = &states[t],
                        .external = external,
                        .expected = &expected[t],
                        .s = data_create(model)};
    }
    for (int t = 0; t < THREADS; ++t) {
        CHECK_EQUAL_INT(pthread_create(&threads[t], NULL, work, &jobs[t]), 0);
    }
    for (int t = 0; t < THREADS; ++t) {
        CHECK_EQUAL_INT(pthread_join(threads[t], NULL), 0);
        CHECK(jobs[t].same);
        atemi_data_destroy(jobs[t].s);
    }
    atemi_model_destroy(model);
}
