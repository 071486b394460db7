// SPDX-License-Identifier: Apache-2.0

#include "atemi/contact.h"

#include "check.h"
#include "data.h"
#include "random.h"
#include "random_tree.h"

#include <math.h>
#include <string.h>

enum { MAX_CONTACTS = 4 };

static double energy(data_bench *b, const double *q, const double *v)
{
    atemi_update_kinematics(b->data, q, v, NULL);
    return atemi_kinetic_energy(b->data);
}

static atemi_motion point_velocity(data_bench *b, const double *q, const double *v,
                                   const atemi_contact *contact)
{
    atemi_update_kinematics(b->data, q, v, NULL);
    const atemi_transform pose = atemi_link_pose(b->data, contact->link);
    return atemi_motion_at(atemi_link_velocity(b->data, contact->link),
                           atemi_mat3_apply(&pose.rotation, contact->point));
}

// The generalized impulse of all contacts, by virtual power: the power of the impulses along the
// motion of a unit rate.
static void generalized(data_bench *b, const double *q, const atemi_contact *contacts,
                        const atemi_force *impulses, int count, double *sum)
{
    double    unit[TREE_MAX_V] = {0};
    const int n = atemi_model_v_count(b->model);
    for (int i = 0; i < n; ++i) {
        unit[i] = 1.0;
        sum[i] = 0.0;
        for (int c = 0; c < count; ++c) {
            sum[i] += atemi_motion_power(point_velocity(b, q, unit, &contacts[c]), impulses[c]);
        }
        unit[i] = 0.0;
    }
}

static void check_balance(data_bench *b, const random_state *x, const double *after,
                          const atemi_contact *contacts, const atemi_force *impulses, int count)
{
    static double M[TREE_MAX_V * TREE_MAX_V];
    double        gained[TREE_MAX_V], given[TREE_MAX_V], scale = 1.0;
    const int     n = atemi_model_v_count(b->model);
    atemi_mass_matrix(b->data, x->q, M);
    generalized(b, x->q, contacts, impulses, count, given);
    for (int i = 0; i < n; ++i) {
        gained[i] = 0.0;
        for (int j = 0; j < n; ++j) {
            gained[i] += M[i * n + j] * (after[j] - x->v[j]);
        }
        scale = fmax(scale, fabs(given[i]));
    }
    for (int i = 0; i < n; ++i) {
        CHECK_NEAR(gained[i], given[i], 1e-12 * scale * n);
    }
}

static data_bench random_bench(uint64_t seed, random_state *x)
{
    tree_options options = tree_options_default();
    options.joints = 5 + (int)(seed % 20);
    options.base = (atemi_base)(seed % 4);
    options.mimic = seed % 5 == 0;
    data_bench b = data_bench_of(random_tree(&options, seed));
    random_state_fill(b.model, seed, x);
    return b;
}

static atemi_contact random_contact(const atemi_model *model, random_stream *stream,
                                    atemi_contact_mode mode)
{
    atemi_contact contact = atemi_contact_default();
    contact.link = random_index(stream, atemi_model_link_count(model));
    contact.mode = mode;
    contact.point.x = random_uniform(stream, -0.3, 0.3);
    contact.normal = (atemi_vec3){0.6, 0.0, 0.8};
    contact.friction = random_uniform(stream, 0.0, 0.2);
    return contact;
}

TEST(collision_modes, changes_momentum_by_what_the_contacts_give_and_stops_their_points)
{
    int solved = 0;
    for (uint64_t seed = 1; seed <= 60; ++seed) {
        random_state  x;
        data_bench    b = random_bench(seed, &x);
        random_stream stream = random_seeded(seed);
        const int     count = 1 + (int)(seed % 3);
        atemi_contact contacts[3];
        for (int i = 0; i < count; ++i) {
            contacts[i] = random_contact(b.model, &stream,
                                         (atemi_contact_mode)(1 + random_index(&stream, 3)));
        }
        double               after[TREE_MAX_V];
        atemi_force          impulses[3];
        atemi_contact_report report;
        if (atemi_collision_in_modes(b.data, x.q, x.v,
                                     &(atemi_contact_set){.contacts = contacts, .count = count},
                                     after, impulses, &report) == ATEMI_OK &&
            report.condition < 1e6) {
            ++solved;
            check_balance(&b, &x, after, contacts, impulses, count);
            for (int i = 0; i < count; ++i) {
                const atemi_motion u = point_velocity(&b, x.q, after, &contacts[i]);
                CHECK_NEAR(atemi_vec3_dot(u.linear, contacts[i].normal), 0.0, 1e-9);
                if (contacts[i].mode != ATEMI_CONTACT_SLIP) {
                    CHECK_NEAR(atemi_vec3_norm(u.linear), 0.0, 1e-9);
                }
                if (contacts[i].mode == ATEMI_CONTACT_SURFACE) {
                    CHECK_NEAR(atemi_vec3_norm(u.angular), 0.0, 1e-9);
                }
            }
        }
        data_bench_end(&b);
    }
    CHECK(solved > 30);
}

// One point that approaches: it leaves with `restitution` times its speed, and energy is lost
// unless that is 1 and nothing rubs.
TEST(collision_modes, bounces_a_point_and_never_gains_energy)
{
    for (uint64_t seed = 1; seed <= 40; ++seed) {
        random_state  x;
        data_bench    b = random_bench(seed, &x);
        random_stream stream = random_seeded(seed);
        atemi_contact contact = random_contact(b.model, &stream, ATEMI_CONTACT_SLIP);
        contact.friction = 0.0;
        if (atemi_model_link(b.model, contact.link)->parent_joint == ATEMI_NONE &&
            atemi_model_base(b.model) == ATEMI_BASE_FIXED) {
            data_bench_end(&b);
            continue;
        }
        const double before =
            atemi_vec3_dot(point_velocity(&b, x.q, x.v, &contact).linear, contact.normal);
        for (int e = 0; e <= 2; ++e) {
            const double restitution = 0.5 * e;
            double       after[TREE_MAX_V];
            atemi_force  impulse;
            if (atemi_collision_in_modes(b.data, x.q, x.v,
                                         &(atemi_contact_set){.contacts = &contact,
                                                              .count = 1,
                                                              .restitution = &restitution},
                                         after, &impulse, NULL)) {
                continue;
            }
            const double now =
                atemi_vec3_dot(point_velocity(&b, x.q, after, &contact).linear, contact.normal);
            CHECK_NEAR(now, before < 0.0 ? -restitution * before : 0.0, 1e-9);
            const double had = energy(&b, x.q, x.v), has = energy(&b, x.q, after);
            CHECK(has <= had * (1.0 + 1e-12));
            if (e == 2 && before < 0.0) {
                CHECK_NEAR(has, had, 1e-11 * had);
            }
        }
        data_bench_end(&b);
    }
}

// A sticking point bounces along its normal only.
TEST(collision_modes, of_a_sticking_point_leaves_it_no_tangential_velocity)
{
    random_state  x;
    data_bench    b = random_bench(7, &x);
    random_stream stream = random_seeded(3);
    atemi_contact contact = random_contact(b.model, &stream, ATEMI_CONTACT_STICK);
    contact.link = 3;
    atemi_vec3 u = point_velocity(&b, x.q, x.v, &contact).linear;
    if (atemi_vec3_dot(u, contact.normal) > 0.0) {
        contact.normal = atemi_vec3_scale(-1.0, contact.normal);
    }
    const double approach = -atemi_vec3_dot(u, contact.normal);
    double       after[TREE_MAX_V];
    atemi_force  impulse;
    CHECK_STATUS(
        atemi_collision_in_modes(
            b.data, x.q, x.v,
            &(atemi_contact_set){.contacts = &contact, .count = 1, .restitution = &(double){0.7}},
            after, &impulse, NULL),
        ATEMI_OK);
    u = point_velocity(&b, x.q, after, &contact).linear;
    CHECK_NEAR(atemi_vec3_dot(u, contact.normal), 0.7 * approach, 1e-10);
    CHECK_NEAR(atemi_vec3_norm(atemi_vec3_cross(u, contact.normal)), 0.0, 1e-10);
    data_bench_end(&b);
}
