// SPDX-License-Identifier: Apache-2.0

#include "contact/constrained_derivatives.h"

#include "allocations.h"
#include "atemi/contact.h"
#include "check.h"
#include "data.h"
#include "differences.h"
#include "random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// A kind of tree beside those of tree_case(): on a floating base, with coupled joints.
enum { COUPLED = -1 };

enum { CONTACTS = 3, MOST_RESULTS = TREE_MAX_V + 6 * CONTACTS };

typedef struct contact_rig {
    atemi_model                          *model;
    int                                   n, count;
    atemi_arena                           arena;
    atemi_data                           *data;
    atemi_constrained_derivatives_scratch s;
    random_state                          x;
    atemi_contact                         contacts[CONTACTS];
    atemi_force                           external[TREE_MAX_JOINTS + 1];
    double                                restitution;
    double *a, *dq, *dv, *dtau, *forces_dq, *forces_dv, *forces_dtau, *expected;
} contact_rig;

static void take(atemi_arena *arena, contact_rig *r)
{
    const int n = r->n;
    r->data = atemi_data_take(arena, r->model, NULL);
    r->s = atemi_constrained_derivatives_scratch_take(arena, r->model, CONTACTS);
    r->a = atemi_arena_array(arena, double, n);
    r->dq = atemi_arena_array(arena, double, n *n);
    r->dv = atemi_arena_array(arena, double, n *n);
    r->dtau = atemi_arena_array(arena, double, n *n);
    r->forces_dq = atemi_arena_array(arena, double, 6 * CONTACTS * n);
    r->forces_dv = atemi_arena_array(arena, double, 6 * CONTACTS * n);
    r->forces_dtau = atemi_arena_array(arena, double, 6 * CONTACTS * n);
    r->expected = atemi_arena_array(arena, double, (n + 6 * CONTACTS) * n);
}

static atemi_contact random_contact(const atemi_model *model, random_stream *stream,
                                    atemi_contact_mode mode, int link)
{
    atemi_contact c = atemi_contact_default();
    const double  x = random_uniform(stream, -0.3, 0.3), y = random_uniform(stream, -0.3, 0.3);
    c.mode = mode;
    c.link = link % atemi_model_link_count(model);
    c.point = (atemi_vec3){x, y, 0.2};
    c.normal = atemi_vec3_scale(1.0 / sqrt(x * x + y * y + 1.0), (atemi_vec3){x, y, 1.0});
    c.friction = mode == ATEMI_CONTACT_SLIP ? 0.2 : 0.0;
    return c;
}

static contact_rig begin(int kind, uint64_t seed, const atemi_contact_mode *modes, int count)
{
    tree_options options = kind == COUPLED ? tree_options_default() : tree_case(kind);
    options.mimic = options.mimic || kind == COUPLED;
    contact_rig   r = {.model = random_tree(&options, seed), .count = count};
    random_stream stream = random_seeded(seed);
    r.n = atemi_model_v_count(r.model);
    r.arena = atemi_arena_measuring();
    take(&r.arena, &r);
    CHECK_STATUS(atemi_arena_create(&r.arena, r.arena.used, NULL), ATEMI_OK);
    take(&r.arena, &r);
    random_state_fill(r.model, seed, &r.x);
    random_forces(r.model, seed, r.external);
    for (int i = 0; i < count; ++i) {
        r.contacts[i] = random_contact(r.model, &stream, modes[i], 3 + 4 * i);
    }
    return r;
}

static void end(contact_rig *r)
{
    atemi_arena_destroy(&r->arena);
    atemi_model_destroy(r->model);
}

static void constrained(void *context, const double *q, const double *v, const double *tau,
                        double *result)
{
    contact_rig *r = context;
    atemi_force  forces[CONTACTS];
    CHECK_STATUS(
        atemi_constrained_dynamics(r->data, q, v, tau, r->external,
                                   &(atemi_contact_set){.contacts = r->contacts, .count = r->count},
                                   result, forces, NULL),
        ATEMI_OK);
    memcpy(result + r->n, forces, (size_t)r->count * sizeof *forces);
}

static void impulse(void *context, const double *q, const double *v, const double *tau,
                    double *result)
{
    contact_rig *r = context;
    atemi_force  impulses[CONTACTS];
    double       bounce[CONTACTS];
    (void)tau;
    for (int i = 0; i < CONTACTS; ++i) {
        bounce[i] = r->restitution;
    }
    CHECK_STATUS(
        atemi_collision_in_modes(
            r->data, q, v,
            &(atemi_contact_set){.contacts = r->contacts, .count = r->count, .restitution = bounce},
            result, impulses, NULL),
        ATEMI_OK);
    memcpy(result + r->n, impulses, (size_t)r->count * sizeof *impulses);
}

static void check_part(contact_rig *r, difference_function f, difference_by by,
                       const double *motion, const double *forces)
{
    const int n = r->n, rows = n + 6 * r->count;
    differences(r->model, f, r, by, r->x.q, r->x.v, r->x.tau, rows, r->expected);
    // Accelerations and forces round to 1e-16 times condition numbers of 1e4, differences have 1000
    // times that.
    const double a = 1.0 + largest_size(r->expected, n * n);
    const double b = 1.0 + largest_size(r->expected + n * n, 6 * r->count * n);
    CHECK_NEAR(largest_difference(motion, r->expected, n * n), 0.0, 1e-9 * (a + b));
    CHECK_NEAR(largest_difference(forces, r->expected + n * n, 6 * r->count * n), 0.0,
               1e-9 * (a + b));
}

static atemi_constrained_derivatives results_of(contact_rig *r)
{
    return (atemi_constrained_derivatives){.a = r->a,
                                           .dq = r->dq,
                                           .dv = r->dv,
                                           .dtau = r->dtau,
                                           .forces_dq = r->forces_dq,
                                           .forces_dv = r->forces_dv,
                                           .forces_dtau = r->forces_dtau};
}

static void check_constrained(contact_rig *r)
{
    const atemi_constrained_derivatives result = results_of(r);
    CHECK_STATUS(atemi_constrained_dynamics_derivatives(r->model, r->x.q, r->x.v, r->x.tau,
                                                        r->external, r->contacts, r->count, &r->s,
                                                        &result),
                 ATEMI_OK);
    check_part(r, constrained, BY_Q, r->dq, r->forces_dq);
    check_part(r, constrained, BY_V, r->dv, r->forces_dv);
    check_part(r, constrained, BY_X, r->dtau, r->forces_dtau);
}

static const atemi_contact_mode all_modes[][CONTACTS] = {
    {ATEMI_CONTACT_STICK, ATEMI_CONTACT_OPEN, ATEMI_CONTACT_OPEN},
    {ATEMI_CONTACT_SLIP, ATEMI_CONTACT_OPEN, ATEMI_CONTACT_OPEN},
    {ATEMI_CONTACT_SURFACE, ATEMI_CONTACT_OPEN, ATEMI_CONTACT_OPEN},
    {ATEMI_CONTACT_STICK, ATEMI_CONTACT_SLIP, ATEMI_CONTACT_OPEN},
    {ATEMI_CONTACT_SURFACE, ATEMI_CONTACT_SLIP, ATEMI_CONTACT_STICK},
};
enum { MODE_SETS = sizeof all_modes / sizeof *all_modes };

TEST(constrained_derivatives, are_those_of_differences_in_every_mode)
{
    static const int kinds[] = {3, 7, COUPLED};
    for (int kind = 0; kind < 3; ++kind) {
        // The limbs that are left of a tree with coupled joints cannot keep more than one contact.
        for (int m = 0; m < (kinds[kind] == COUPLED ? 3 : MODE_SETS); ++m) {
            contact_rig r = begin(kinds[kind], 20, all_modes[m], CONTACTS);
            check_constrained(&r);
            end(&r);
        }
    }
}

TEST(constrained_derivatives, keep_a_given_direction_of_sliding)
{
    contact_rig r = begin(3, 21, all_modes[1], 1);
    r.contacts[0].directed = true;
    r.contacts[0].direction = atemi_vec3_cross(r.contacts[0].normal, (atemi_vec3){1.0, 0.0, 0.0});
    check_constrained(&r);
    end(&r);
}

TEST(constrained_derivatives, without_contacts_are_those_of_forward_dynamics)
{
    contact_rig                         r = begin(3, 22, all_modes[0], 0);
    const atemi_constrained_derivatives result = {.dq = r.dq, .dv = r.dv, .dtau = r.dtau};
    CHECK_STATUS(atemi_constrained_dynamics_derivatives(r.model, r.x.q, r.x.v, r.x.tau, r.external,
                                                        NULL, 0, &r.s, &result),
                 ATEMI_OK);
    double *dq = r.expected, *dv = r.forces_dq, *dtau = r.forces_dv;
    CHECK(r.n <= 6 * CONTACTS);
    CHECK_STATUS(atemi_forward_dynamics_derivatives(r.model, r.x.q, r.x.v, r.x.tau, r.external,
                                                    &r.s.derivatives, NULL, dq, dv, dtau),
                 ATEMI_OK);
    CHECK(largest_difference(r.dq, dq, r.n * r.n) == 0.0);
    CHECK(largest_difference(r.dv, dv, r.n * r.n) == 0.0);
    CHECK(largest_difference(r.dtau, dtau, r.n * r.n) == 0.0);
    end(&r);
}

TEST(constrained_derivatives, take_no_memory)
{
    contact_rig                         r = begin(3, 25, all_modes[4], CONTACTS);
    const atemi_constrained_derivatives result = results_of(&r);
    allocations_begin();
    const atemi_status moved = atemi_constrained_dynamics_derivatives(
        r.model, r.x.q, r.x.v, r.x.tau, r.external, r.contacts, r.count, &r.s, &result);
    const atemi_status hit =
        atemi_impulse_derivatives(r.model, r.x.q, r.x.v, r.contacts, r.count, 0.0, &r.s, &result);
    CHECK_EQUAL_INT(allocations_end(), 0);
    CHECK_STATUS(moved, ATEMI_OK);
    CHECK_STATUS(hit, ATEMI_OK);
    end(&r);
}

// One joint moves on a circle: a link on it has a centripetal acceleration that nothing can hold.
TEST(constrained_derivatives, are_refused_where_contacts_contradict_each_other)
{
    contact_rig r = begin(1, 26, all_modes[2], 1);
    r.contacts[0].link = 1;
    r.dq[0] = 7.0;
    const atemi_constrained_derivatives result = results_of(&r);
    CHECK_STATUS(atemi_constrained_dynamics_derivatives(r.model, r.x.q, r.x.v, r.x.tau, r.external,
                                                        r.contacts, 1, &r.s, &result),
                 ATEMI_ERROR_SINGULAR);
    CHECK(r.dq[0] == 7.0);
    end(&r);
}

TEST(impulse_derivatives, are_those_of_differences_in_every_mode)
{
    static const int kinds[] = {3, 7, COUPLED};
    for (int kind = 0; kind < 3; ++kind) {
        // The limbs that are left of a tree with coupled joints cannot keep more than one contact.
        for (int m = 0; m < (kinds[kind] == COUPLED ? 3 : MODE_SETS); ++m) {
            contact_rig r = begin(kinds[kind], 23, all_modes[m], CONTACTS);
            r.restitution = m % 2 ? 0.3 : 0.0;
            const atemi_constrained_derivatives result = results_of(&r);
            CHECK_STATUS(atemi_impulse_derivatives(r.model, r.x.q, r.x.v, r.contacts, r.count,
                                                   r.restitution, &r.s, &result),
                         ATEMI_OK);
            check_part(&r, impulse, BY_Q, r.dq, r.forces_dq);
            check_part(&r, impulse, BY_V, r.dv, r.forces_dv);
            end(&r);
        }
    }
}

// Two points of one link and a surface there: rows depend on each other. The motion does not care,
// and neither does the sum of the forces.
TEST(constrained_derivatives, of_the_motion_are_exact_with_redundant_contacts)
{
    contact_rig r = begin(3, 24, all_modes[4], CONTACTS);
    r.contacts[1].mode = ATEMI_CONTACT_STICK;
    r.contacts[1].link = r.contacts[0].link;
    r.contacts[1].acceleration = (atemi_vec3){0};
    memset(r.x.v, 0, sizeof r.x.v);
    const atemi_constrained_derivatives result = results_of(&r);
    CHECK_STATUS(atemi_constrained_dynamics_derivatives(r.model, r.x.q, r.x.v, r.x.tau, r.external,
                                                        r.contacts, 3, &r.s, &result),
                 ATEMI_OK);
    const int n = r.n;
    differences(r.model, constrained, &r, BY_Q, r.x.q, r.x.v, r.x.tau, n + 18, r.expected);
    CHECK_NEAR(largest_difference(r.dq, r.expected, n * n), 0.0,
               1e-8 * (1.0 + largest_size(r.expected, n * n)));
    end(&r);
}
