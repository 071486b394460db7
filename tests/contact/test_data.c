// SPDX-License-Identifier: Apache-2.0

#include "atemi/data.h"

#include "allocations.h"
#include "atemi/contact.h"
#include "atemi/robots.h"
#include "atemi/support.h"
#include "check.h"
#include "data.h"
#include "random_tree.h"

#include <math.h>
#include <string.h>

// That each algorithm is right is tested where it is; here: that all of them get along in one data.

enum { MAX_LINKS = TREE_MAX_JOINTS + 1, CONTACTS = 2 };

// Everything that there is to know at a state. Padding is zero, so that results compare by bytes.
typedef struct results {
    double          tau[TREE_MAX_V], a[TREE_MAX_V], x[TREE_MAX_V], held[TREE_MAX_V];
    double          M[TREE_MAX_V * TREE_MAX_V], A[6 * TREE_MAX_V];
    double          J[6 * TREE_MAX_V], rate[6 * TREE_MAX_V];
    double          after[TREE_MAX_V], stopped[TREE_MAX_V], published[TREE_MAX_V];
    atemi_transform pose;
    atemi_motion    velocity;
    atemi_vec3      center;
    atemi_force     momentum, forces[CONTACTS], impulses[CONTACTS];
    atemi_vec3      pushes[CONTACTS];
    double          kinetic, potential;
} results;

typedef struct rig {
    atemi_model      *model;
    int               n, last;
    random_state      x;
    atemi_force       external[MAX_LINKS];
    atemi_contact     contacts[CONTACTS];
    atemi_contact_set set;
} rig;

static void begin(rig *r, int index, uint64_t seed)
{
    const tree_options options = tree_case(index);
    r->model = random_tree(&options, seed);
    r->n = atemi_model_v_count(r->model);
    r->last = atemi_model_link_count(r->model) - 1;
    random_state_fill(r->model, seed, &r->x);
    random_forces(r->model, seed, r->external);
    for (int i = 0; i < CONTACTS; ++i) {
        r->contacts[i] = atemi_contact_default();
        r->contacts[i].link = r->last;
        r->contacts[i].point = (atemi_vec3){0.1 + 0.2 * i, -0.1, 0.05};
    }
    r->set = (atemi_contact_set){.contacts = r->contacts, .count = CONTACTS};
}

static void end(rig *r)
{
    atemi_model_destroy(r->model);
}

static void look(const rig *r, const atemi_data *data, results *to)
{
    atemi_link_jacobian(data, r->last, to->J);
    atemi_link_jacobian_rate(data, r->last, to->rate);
    to->pose = atemi_link_pose(data, r->last);
    to->velocity = atemi_link_velocity(data, r->last);
    to->center = atemi_center_of_mass(data);
    to->momentum = atemi_momentum(data);
    to->kinetic = atemi_kinetic_energy(data);
    to->potential = atemi_potential_energy(data);
}

static void collide(const rig *r, atemi_data *data, results *to)
{
    const random_state *x = &r->x;
    atemi_collision(data, x->q, x->v, &r->set, to->after, to->pushes, NULL);
    atemi_collision_in_modes(data, x->q, x->v, &r->set, to->stopped, to->impulses, NULL);
    atemi_extended_newton_euler(data, x->q, x->v, x->tau, &r->set, to->published, to->impulses,
                                NULL);
}

// By calls that go to the state themselves.
static void one_by_one(const rig *r, atemi_data *data, results *to)
{
    const random_state *x = &r->x;
    memset(to, 0, sizeof *to);
    atemi_inverse_dynamics(data, x->q, x->v, x->a, r->external, to->tau);
    look(r, data, to);
    atemi_forward_dynamics(data, x->q, x->v, x->tau, r->external, to->a);
    atemi_mass_matrix(data, x->q, to->M);
    atemi_momentum_matrix(data, x->q, to->A);
    atemi_constrained_dynamics(data, x->q, x->v, x->tau, r->external, &r->set, to->held, to->forces,
                               NULL);
    atemi_update_kinematics(data, x->q, NULL, NULL);
    memcpy(to->x, x->tau, sizeof to->x);
    if (!atemi_update_factor(data, NULL)) {
        atemi_mass_solve(data, to->x);
    }
    collide(r, data, to);
}

// By stages at a state that is computed once, and in another order.
static void in_stages(const rig *r, atemi_data *data, results *to)
{
    const random_state *x = &r->x;
    memset(to, 0, sizeof *to);
    collide(r, data, to);
    atemi_update_kinematics(data, x->q, x->v, x->a);
    memcpy(to->x, x->tau, sizeof to->x);
    if (!atemi_update_factor(data, NULL)) {
        atemi_mass_solve(data, to->x);
    }
    atemi_mass_matrix_at(data, to->M);
    atemi_constrained_dynamics_at(data, x->tau, r->external, &r->set, to->held, to->forces, NULL);
    atemi_forward_dynamics_at(data, x->tau, r->external, to->a);
    atemi_momentum_matrix_at(data, to->A);
    atemi_inverse_dynamics_at(data, x->a, r->external, to->tau);
    look(r, data, to);
}

TEST(data, in_stages_gives_the_bits_of_one_call_after_the_other)
{
    static results one, two;
    for (int c = 0; c < TREE_CASES; ++c) {
        rig r;
        begin(&r, c, 31);
        if (r.n > 0) {
            atemi_data *data = data_create(r.model), *other = data_create(r.model);
            one_by_one(&r, data, &one);
            in_stages(&r, other, &two);
            CHECK(memcmp(&one, &two, sizeof one) == 0);
            in_stages(&r, data, &two); // whatever it was used for before
            CHECK(memcmp(&one, &two, sizeof one) == 0);
            atemi_data_destroy(other);
            atemi_data_destroy(data);
        }
        end(&r);
    }
}

TEST(data, on_an_arena_gives_the_same_bits_and_takes_no_memory)
{
    static results one, two;
    rig            r;
    begin(&r, 12, 32);
    atemi_arena arena = atemi_arena_measuring();
    CHECK(atemi_data_take(&arena, r.model, NULL) == NULL);
    CHECK_STATUS(atemi_arena_create(&arena, arena.used, NULL), ATEMI_OK);
    atemi_data *owned = data_create(r.model);
    one_by_one(&r, owned, &one);
    allocations_begin();
    atemi_data *placed = atemi_data_take(&arena, r.model, NULL);
    one_by_one(&r, placed, &two);
    atemi_data_destroy(placed); // which stays where it is
    CHECK_EQUAL_INT(allocations_end(), 0);
    CHECK(memcmp(&one, &two, sizeof one) == 0);
    CHECK(atemi_data_model(placed) == r.model);
    atemi_data_destroy(owned);
    atemi_arena_destroy(&arena);
    end(&r);
}

// ---- Points and frames

static void multiply(const double *J, const double *v, int rows, int n, double *product)
{
    for (int row = 0; row < rows; ++row) {
        product[row] = 0.0;
        for (int k = 0; k < n; ++k) {
            product[row] += J[row * n + k] * v[k];
        }
    }
}

static double apart(atemi_vec3 a, const double *b)
{
    return fmax(fabs(a.x - b[0]), fmax(fabs(a.y - b[1]), fabs(a.z - b[2])));
}

// The oracle moves with the link as a rigid body does: u + omega x r, and
// du/dt + alpha x r + omega x (omega x r). A column is good to the rounding of about 20 m of reach.
TEST(data, jacobians_of_points_and_frames_move_them_as_the_link_does)
{
    const double     rounding = 1e-11;
    const atemi_vec3 point = {0.3, -0.2, 0.7};
    for (int c = 0; c < TREE_CASES; ++c) {
        rig r;
        begin(&r, c, 33);
        atemi_data   *data = data_create(r.model);
        static double J[6 * TREE_MAX_V], rate[6 * TREE_MAX_V], K[3 * TREE_MAX_V],
            turn[3 * TREE_MAX_V];
        atemi_update_kinematics(data, r.x.q, r.x.v, r.x.a);
        for (int link = 0; link <= r.last; ++link) {
            const atemi_transform pose = atemi_link_pose(data, link);
            const atemi_vec3      arm = atemi_mat3_apply(&pose.rotation, point);
            const atemi_motion    v = atemi_link_velocity(data, link);
            const atemi_motion    a = atemi_link_acceleration(data, link);
            const atemi_vec3      u = atemi_motion_at(v, arm).linear;
            const atemi_vec3      du =
                atemi_vec3_add(atemi_motion_at(a, arm).linear,
                               atemi_vec3_cross(v.angular, atemi_vec3_cross(v.angular, arm)));
            double moved[6], pushed[6], swung[6];
            atemi_frame_jacobian(data, link, point, J);
            atemi_frame_jacobian_rate(data, link, point, rate);
            multiply(J, r.x.v, 6, r.n, moved);
            multiply(J, r.x.a, 6, r.n, pushed);
            multiply(rate, r.x.v, 6, r.n, swung);
            for (int e = 0; e < 6; ++e) {
                pushed[e] += swung[e];
            }
            const double size = 1.0 + largest_size(rate, 6 * r.n) * r.n;
            CHECK_NEAR(apart(u, moved), 0.0, rounding * size);
            CHECK_NEAR(apart(v.angular, moved + 3), 0.0, rounding * size);
            CHECK_NEAR(apart(du, pushed), 0.0, rounding * size);
            CHECK_NEAR(apart(a.angular, pushed + 3), 0.0, rounding * size);

            atemi_point_jacobian(data, link, point, K);
            atemi_point_jacobian_rate(data, link, point, turn);
            CHECK(memcmp(J, K, sizeof(double) * 3 * (size_t)r.n) == 0);
            CHECK(memcmp(rate, turn, sizeof(double) * 3 * (size_t)r.n) == 0);
        }
        atemi_data_destroy(data);
        end(&r);
    }
}

TEST(data, jacobians_of_sites_are_those_of_their_frames)
{
    atemi_model *model;
    CHECK_STATUS(atemi_robots_load("hrp2_like", NULL, &model, NULL), ATEMI_OK);
    atemi_data   *data = data_create(model);
    static double J[6 * TREE_MAX_V], K[6 * TREE_MAX_V];
    const int     n = atemi_model_v_count(model);
    random_state  x;
    random_state_fill(model, 34, &x);
    atemi_update_kinematics(data, x.q, x.v, NULL);
    CHECK(atemi_model_site_count(model) > 0);
    for (int i = 0; i < atemi_model_site_count(model); ++i) {
        const atemi_site     *site = atemi_model_site(model, i);
        const atemi_transform pose = atemi_site_pose(data, i),
                              link = atemi_link_pose(data, site->link);
        const atemi_vec3 place = atemi_transform_apply(&link, site->pose.position);
        CHECK_NEAR(atemi_vec3_norm(atemi_vec3_sub(pose.position, place)), 0.0, 1e-14);
        atemi_site_jacobian(data, i, J);
        atemi_frame_jacobian(data, site->link, site->pose.position, K);
        CHECK(memcmp(J, K, sizeof(double) * 6 * (size_t)n) == 0);
        atemi_site_jacobian_rate(data, i, J);
        atemi_frame_jacobian_rate(data, site->link, site->pose.position, K);
        CHECK(memcmp(J, K, sizeof(double) * 6 * (size_t)n) == 0);
    }
    atemi_data_destroy(data);
    atemi_model_destroy(model);
}

TEST(data, points_of_sites_are_their_corners_in_the_links_frame)
{
    atemi_model *model;
    CHECK_STATUS(atemi_robots_load("hrp2_like", NULL, &model, NULL), ATEMI_OK);
    const int           sites[] = {atemi_model_find_site(model, "right_sole"),
                                   atemi_model_find_site(model, "right_fist")};
    const atemi_site   *sole = atemi_model_site(model, sites[0]);
    atemi_contact_point points[8];
    CHECK_EQUAL_INT(atemi_site_points(model, sites, 2, points), 5); // a rectangle and a point
    for (int i = 0; i < 4; ++i) {
        const atemi_vec3 at = atemi_vec3_sub(points[i].point, sole->pose.position);
        CHECK_EQUAL_INT(points[i].link, sole->link);
        CHECK_NEAR(atemi_vec3_norm(at), 0.5 * hypot(sole->size_x, sole->size_y), 1e-15);
    }
    CHECK_EQUAL_INT(points[4].link, atemi_model_site(model, sites[1])->link);
    atemi_model_destroy(model);
}

// ---- What belongs to a state

// Inverse dynamics keeps accelerations relative to free fall; links are told theirs. The rounding
// is that of g.
TEST(data, links_accelerate_alike_after_an_update_and_after_inverse_dynamics)
{
    for (int c = 0; c < TREE_CASES; ++c) {
        rig r;
        begin(&r, c, 35);
        if (r.n > 0) {
            atemi_data  *data = data_create(r.model);
            double       tau[TREE_MAX_V];
            atemi_motion a[MAX_LINKS];
            for (int moving = 0; moving < 2; ++moving) {
                const double *v = moving ? r.x.v : NULL;
                atemi_update_kinematics(data, r.x.q, v, r.x.a);
                for (int i = 0; i <= r.last; ++i) {
                    a[i] = atemi_link_acceleration(data, i);
                }
                atemi_inverse_dynamics(data, r.x.q, v, r.x.a, NULL, tau);
                for (int i = 0; i <= r.last; ++i) {
                    const double size = 10.0 + atemi_vec3_norm(a[i].linear);
                    CHECK_NEAR(largest_motion_difference(a[i], atemi_link_acceleration(data, i)),
                               0.0, 1e-12 * size * (1.0 + r.n));
                }
            }
            atemi_data_destroy(data);
        }
        end(&r);
    }
}

TEST(data, at_rest_has_no_velocity_whatever_it_had_before)
{
    rig r;
    begin(&r, 7, 36);
    atemi_data   *data = data_create(r.model);
    static double rate[6 * TREE_MAX_V];
    atemi_update_kinematics(data, r.x.q, r.x.v, NULL);
    CHECK(atemi_kinetic_energy(data) > 0.0);
    atemi_update_kinematics(data, r.x.q, NULL, NULL);
    const atemi_motion still = {0};
    CHECK(largest_motion_difference(atemi_link_velocity(data, r.last), still) == 0.0);
    CHECK(atemi_kinetic_energy(data) == 0.0);
    CHECK(atemi_vec3_norm(atemi_momentum(data).linear) == 0.0);
    atemi_link_jacobian_rate(data, r.last, rate);
    CHECK(largest_size(rate, 6 * r.n) == 0.0);
    atemi_data_destroy(data);
    end(&r);
}

TEST(data, refuses_to_tell_what_it_has_not_computed_at_its_state)
{
    rig r;
    begin(&r, 7, 37);
    atemi_data   *data = data_create(r.model);
    static double M[TREE_MAX_V * TREE_MAX_V];
    CHECK_BREAKS_CONTRACT(atemi_link_pose(data, 0));
    CHECK_BREAKS_CONTRACT(atemi_point_jacobian(data, 0, (atemi_vec3){0}, M));
    CHECK_BREAKS_CONTRACT(atemi_mass_matrix_at(data, M));
    CHECK_BREAKS_CONTRACT(atemi_momentum_matrix_at(data, M));
    CHECK_BREAKS_CONTRACT(atemi_inverse_dynamics_at(data, NULL, NULL, M));
    CHECK_BREAKS_CONTRACT(atemi_forward_dynamics_at(data, NULL, NULL, M));
    CHECK_BREAKS_CONTRACT(atemi_constrained_dynamics_at(data, NULL, NULL, NULL, M, NULL, NULL));

    atemi_inverse_dynamics(data, r.x.q, r.x.v, r.x.a, NULL, M);
    CHECK_STATUS(atemi_update_factor(data, NULL), ATEMI_OK);
    atemi_update_kinematics(data, r.x.q, r.x.v, NULL); // another state, for all it knows
    CHECK_BREAKS_CONTRACT(atemi_joint_wrench(data, 0));
    CHECK_BREAKS_CONTRACT(atemi_link_acceleration(data, 0));
    CHECK_BREAKS_CONTRACT(atemi_mass_solve(data, M));
    atemi_inverse_dynamics_at(data, r.x.a, NULL, M);
    atemi_forward_dynamics_at(data, r.x.tau, NULL, M); // leaves no accelerations of links
    CHECK_BREAKS_CONTRACT(atemi_link_acceleration(data, 0));
    atemi_data_destroy(data);
    end(&r);
}

// ---- Sizes

TEST(data, reports_more_contacts_than_it_was_made_for)
{
    const atemi_data_options options = {.max_contacts = 1};
    atemi_data              *data;
    atemi_force              forces[CONTACTS];
    atemi_vec3               pushes[CONTACTS];
    const int                links[CONTACTS] = {0};
    double                   out[TREE_MAX_V];
    rig                      r;
    begin(&r, 7, 38);
    const double *q = r.x.q, *v = r.x.v, *tau = r.x.tau;
    CHECK_STATUS(atemi_data_create(r.model, &options, &data, NULL), ATEMI_OK);
    CHECK_BREAKS_CONTRACT(
        CHECK_STATUS(atemi_constrained_dynamics(data, q, v, tau, NULL, &r.set, out, forces, NULL),
                     ATEMI_ERROR_CONTRACT));
    CHECK_BREAKS_CONTRACT(
        CHECK_STATUS(atemi_collision(data, q, v, &r.set, out, pushes, NULL), ATEMI_ERROR_CONTRACT));
    CHECK_BREAKS_CONTRACT(CHECK_STATUS(
        atemi_collision_in_modes(data, q, v, &r.set, out, forces, NULL), ATEMI_ERROR_CONTRACT));
    CHECK_BREAKS_CONTRACT(
        CHECK_STATUS(atemi_extended_newton_euler(data, q, v, tau, &r.set, out, forces, NULL),
                     ATEMI_ERROR_CONTRACT));
    CHECK_BREAKS_CONTRACT(
        atemi_ground_wrenches(data, q, v, NULL, tau, NULL, links, CONTACTS, forces));
    CHECK_BREAKS_CONTRACT(atemi_contact_forces_add(data, &r.set, forces, r.external));
    r.set.count = 1;
    CHECK_STATUS(atemi_constrained_dynamics(data, q, v, tau, NULL, &r.set, out, forces, NULL),
                 ATEMI_OK);
    atemi_data_destroy(data);
    end(&r);
}

TEST(data, refuses_sizes_that_make_no_sense)
{
    atemi_data              *data = NULL;
    const atemi_data_options few = {.max_contacts = -1};
    const atemi_data_options many = {.max_contacts = ATEMI_CONTACT_MAX_COUNT + 1};
    atemi_arena              arena = atemi_arena_measuring();
    rig                      r;
    begin(&r, 3, 39);
    CHECK_BREAKS_CONTRACT(atemi_data_create(r.model, &few, &data, NULL));
    CHECK_BREAKS_CONTRACT(atemi_data_create(r.model, &many, &data, NULL));
    CHECK_BREAKS_CONTRACT(atemi_data_create(NULL, NULL, &data, NULL));
    CHECK_BREAKS_CONTRACT(atemi_data_create(r.model, NULL, NULL, NULL));
    CHECK_BREAKS_CONTRACT(atemi_data_take(&arena, r.model, &many));
    CHECK_BREAKS_CONTRACT(atemi_data_model(NULL));
    atemi_data_destroy(NULL);
    end(&r);
}

TEST(data, tells_when_there_is_no_memory)
{
    atemi_data *data = NULL;
    atemi_error error = {0};
    rig         r;
    begin(&r, 3, 40);
    failing_allocator_install(1);
    CHECK_STATUS(atemi_data_create(r.model, NULL, &data, &error), ATEMI_ERROR_MEMORY);
    failing_allocator_remove();
    CHECK(data == NULL);
    CHECK_EQUAL_INT(failing_allocator_outstanding(), 0);
    end(&r);
}
