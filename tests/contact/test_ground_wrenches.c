// SPDX-License-Identifier: Apache-2.0

#include "atemi/contact.h"

#include "allocations.h"
#include "atemi/robots.h"
#include "check.h"
#include "data.h"
#include "random_tree.h"

enum { MOST_LINKS = 4 };

typedef struct bench {
    atemi_model *model;
    atemi_data  *data;
    int          feet[MOST_LINKS], n;
    random_state state;
    atemi_force  external[TREE_MAX_JOINTS], wrenches[MOST_LINKS];
} bench;

// A humanoid in a random state, pushed at every link.
static void bench_begin(bench *b, uint64_t seed)
{
    const atemi_data_options options = {.max_contacts = MOST_LINKS};
    *b = (bench){0};
    CHECK_STATUS(atemi_robots_load("hrp2_like", NULL, &b->model, NULL), ATEMI_OK);
    CHECK_STATUS(atemi_data_create(b->model, &options, &b->data, NULL), ATEMI_OK);
    b->n = atemi_model_v_count(b->model);
    b->feet[0] = atemi_model_find_link(b->model, "right_sole");
    b->feet[1] = atemi_model_find_link(b->model, "left_sole");
    check_note_seed(seed);
    random_state_fill(b->model, seed, &b->state);
    random_forces(b->model, seed, b->external);
}

static void bench_end(bench *b)
{
    atemi_data_destroy(b->data);
    atemi_model_destroy(b->model);
}

// The motion of the state's torques while the feet keep their velocities, with the forces that do
// so.
static void move_on_feet(bench *b, atemi_force forces[2])
{
    atemi_contact contacts[2] = {{.link = b->feet[0], .normal = {0.0, 0.0, 1.0}},
                                 {.link = b->feet[1], .normal = {0.0, 0.0, 1.0}}};
    contacts[0].mode = contacts[1].mode = ATEMI_CONTACT_SURFACE;
    CHECK_STATUS(atemi_constrained_dynamics(b->data, b->state.q, b->state.v, b->state.tau,
                                            b->external,
                                            &(atemi_contact_set){.contacts = contacts, .count = 2},
                                            b->state.a, forces, NULL),
                 ATEMI_OK);
}

static double explain(bench *b, const int *links, int count)
{
    return atemi_ground_wrenches(b->data, b->state.q, b->state.v, b->state.a, b->state.tau,
                                 b->external, links, count, b->wrenches);
}

static double size_of(atemi_force wrench)
{
    return atemi_vec3_norm(wrench.linear) + atemi_vec3_norm(wrench.angular);
}

static double difference(atemi_force a, atemi_force b)
{
    return size_of(
        (atemi_force){atemi_vec3_sub(a.linear, b.linear), atemi_vec3_sub(a.angular, b.angular)});
}

TEST(ground_wrenches, are_those_that_constrained_dynamics_found)
{
    for (uint64_t seed = 1; seed <= 20; ++seed) {
        bench       b;
        atemi_force forces[2];
        bench_begin(&b, seed);
        move_on_feet(&b, forces);
        const double rest = explain(&b, b.feet, 2);
        for (int k = 0; k < 2; ++k) {
            CHECK_NEAR(difference(b.wrenches[k], forces[k]), 0.0,
                       1e-8 * (1.0 + size_of(forces[k])));
        }
        CHECK_NEAR(rest, 0.0, 1e-8 * (size_of(forces[0]) + size_of(forces[1])));
        bench_end(&b);
    }
}

// A sole is fixed to its foot: each takes a part, and together they are the wrench of one.
TEST(ground_wrenches, of_two_links_on_one_body_share_the_load)
{
    bench       b;
    atemi_force forces[2];
    bench_begin(&b, 5);
    move_on_feet(&b, forces);
    const double alone = explain(&b, b.feet, 2);
    const int    doubled[3] = {b.feet[0], b.feet[0], b.feet[1]};
    const double rest = explain(&b, doubled, 3);
    const double size = size_of(forces[0]) + size_of(forces[1]);
    CHECK_NEAR(difference(atemi_force_add(b.wrenches[0], b.wrenches[1]), forces[0]), 0.0,
               1e-8 * size);
    CHECK_NEAR(difference(b.wrenches[0], b.wrenches[1]), 0.0, 1e-8 * size);
    CHECK_NEAR(difference(b.wrenches[2], forces[1]), 0.0, 1e-8 * size);
    CHECK_NEAR(alone, 0.0, 1e-8 * size);
    CHECK_NEAR(rest, 0.0, 1e-8 * size);
    bench_end(&b);
}

// No force at the feet gives the torque of a free arm.
TEST(ground_wrenches, tell_what_they_cannot_explain)
{
    bench       b;
    atemi_force forces[2];
    bench_begin(&b, 7);
    move_on_feet(&b, forces);
    const int joint = atemi_model_find_joint(b.model, "right_elbow");
    b.state.tau[atemi_model_joint(b.model, joint)->first_v] += 25.0;
    CHECK_NEAR(explain(&b, b.feet, 2), 25.0, 1e-6);
    bench_end(&b);
}

TEST(ground_wrenches, of_no_link_leave_all_of_a_robot_in_the_air)
{
    bench b;
    bench_begin(&b, 9);
    atemi_inverse_dynamics(b.data, b.state.q, b.state.v, b.state.a, b.external, b.state.tau);
    CHECK_NEAR(explain(&b, NULL, 0), 0.0, 0.0);
    b.state.tau[2] -= 3.0;
    CHECK_NEAR(explain(&b, NULL, 0), 3.0, 1e-9);
    bench_end(&b);
}

// Absent motion is rest. The torques are those of a stance on two points of each sole.
TEST(ground_wrenches, of_a_robot_at_rest_bear_its_weight_and_what_pushes)
{
    bench b;
    bench_begin(&b, 11);
    const atemi_contact_point points[4] = {{b.feet[0], {0.1, 0.05, 0.0}},
                                           {b.feet[0], {-0.1, 0.0, 0.0}},
                                           {b.feet[1], {0.1, 0.0, 0.0}},
                                           {b.feet[1], {-0.1, 0.05, 0.0}}};
    const double              mass = atemi_model_mass(b.model);
    atemi_vec3                forces[4];
    atemi_vec3                borne = atemi_vec3_scale(mass, atemi_model_gravity(b.model));
    for (int i = 0; i < atemi_model_link_count(b.model); ++i) {
        borne = atemi_vec3_add(borne, b.external[i].linear);
    }
    atemi_stance_dynamics(b.data, b.state.q, NULL, NULL, b.external, points, 4, b.state.tau,
                          forces);
    const double     rest = atemi_ground_wrenches(b.data, b.state.q, NULL, NULL, b.state.tau,
                                                  b.external, b.feet, 2, b.wrenches);
    const atemi_vec3 given = atemi_vec3_add(b.wrenches[0].linear, b.wrenches[1].linear);
    CHECK_NEAR(rest, 0.0, 1e-7);
    CHECK_NEAR(atemi_vec3_norm(atemi_vec3_add(given, borne)), 0.0, 1e-7);
    bench_end(&b);
}

TEST(ground_wrenches, take_no_memory)
{
    bench       b;
    atemi_force forces[2];
    bench_begin(&b, 13);
    move_on_feet(&b, forces);
    allocations_begin();
    explain(&b, b.feet, 2);
    CHECK_EQUAL_INT(allocations_end(), 0);
    bench_end(&b);
}

TEST(ground_wrenches, want_room_for_all_links)
{
    bench     b;
    const int links[MOST_LINKS + 1] = {0};
    bench_begin(&b, 15);
    CHECK_BREAKS_CONTRACT(explain(&b, links, MOST_LINKS + 1));
    bench_end(&b);
}
