// SPDX-License-Identifier: Apache-2.0

#include "atemi/contact.h"

#include "atemi/dynamics.h"
#include "atemi/math.h"
#include "atemi/robots.h"
#include "check.h"
#include "data.h"
#include "random.h"
#include "random_tree.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_POINTS = 16 };

typedef struct bench {
    atemi_model *model;
    atemi_data  *data;
    double      *M, *J;
} bench;

static bench bench_of(atemi_model *model)
{
    const size_t             n = (size_t)atemi_model_v_count(model);
    const atemi_data_options options = {.max_contacts = MAX_POINTS};
    bench                    b = {.model = model};
    CHECK_STATUS(atemi_data_create(model, &options, &b.data, NULL), ATEMI_OK);
    b.M = (double *)calloc((n + 6) * n, sizeof *b.M);
    b.J = b.M + n * n;
    return b;
}

static void bench_end(bench *b)
{
    free(b->M);
    atemi_data_destroy(b->data);
    atemi_model_destroy(b->model);
}

static double energy(bench *b, const double *q, const double *v)
{
    atemi_update_kinematics(b->data, q, v, NULL);
    return atemi_kinetic_energy(b->data);
}

static atemi_vec3 point_velocity(bench *b, const double *q, const double *v,
                                 const atemi_contact *contact)
{
    atemi_update_kinematics(b->data, q, v, NULL);
    const atemi_transform pose = atemi_link_pose(b->data, contact->link);
    return atemi_motion_at(atemi_link_velocity(b->data, contact->link),
                           atemi_mat3_apply(&pose.rotation, contact->point))
        .linear;
}

// A free box, 0.4 x 0.2 x 0.1 m.
static atemi_model *box_model(double m)
{
    const double                 x = 0.4, y = 0.2, z = 0.1;
    atemi_model_builder         *builder;
    atemi_model                 *model;
    const atemi_link_description box = {
        .name = "box",
        .inertia = {.mass = m,
                    .rotational = {.xx = m / 12.0 * (y * y + z * z),
                                   .yy = m / 12.0 * (x * x + z * z),
                                   .zz = m / 12.0 * (x * x + y * y)}}};
    CHECK_STATUS(atemi_model_builder_create("box", NULL, &builder, NULL), ATEMI_OK);
    CHECK_STATUS(atemi_model_builder_add_link(builder, &box, NULL), ATEMI_OK);
    CHECK_STATUS(atemi_model_builder_finish(builder, NULL, &model, NULL), ATEMI_OK);
    atemi_model_builder_destroy(builder);
    return model;
}

static atemi_contact corner(int index, double friction)
{
    atemi_contact contact = atemi_contact_default();
    contact.point =
        (atemi_vec3){index & 1 ? 0.2 : -0.2, index & 2 ? 0.1 : -0.1, index & 4 ? 0.05 : -0.05};
    contact.friction = friction;
    return contact;
}

// Everything that the header says of the answer, checked from outside.
static void check_answer(bench *b, const double *q, const double *v, const double *after,
                         const atemi_contact *contacts, const atemi_vec3 *impulses, int count,
                         const double *restitution, const atemi_collision_report *report)
{
    const double had = energy(b, q, v), has = energy(b, q, after);
    CHECK(has <= had * (1.0 + 1e-12));
    CHECK_NEAR(has - had, report->energy, 1e-10 * (1.0 + had));
    for (int i = 0; i < count; ++i) {
        const atemi_vec3 n = contacts[i].normal, p = impulses[i];
        const atemi_vec3 u = point_velocity(b, q, v, &contacts[i]);
        const atemi_vec3 now = point_velocity(b, q, after, &contacts[i]);
        const double     normal = atemi_vec3_dot(p, n), mu = contacts[i].friction;
        const double     e = restitution ? report->bounce * restitution[i] : 0.0;
        const double     excess = atemi_vec3_dot(now, n) + e * fmin(0.0, atemi_vec3_dot(u, n));
        const atemi_vec3 rub = atemi_vec3_sub(p, atemi_vec3_scale(normal, n));
        const atemi_vec3 slip = atemi_vec3_sub(now, atemi_vec3_scale(atemi_vec3_dot(now, n), n));
        CHECK(normal >= 0.0);
        CHECK(excess >= -1e-10);
        CHECK_NEAR(excess * normal, 0.0, 1e-9);
        CHECK(atemi_vec3_norm(rub) <= mu * normal * (1.0 + 1e-9) + 1e-15);
        if (atemi_vec3_norm(slip) > 1e-7) { // full size, against it
            CHECK_NEAR(atemi_vec3_dot(rub, slip), -mu * normal * atemi_vec3_norm(slip), 1e-9);
        }
    }
}

// J^T p of an impulse at a contact, in the state of the kinematics.
static double along_coordinate(bench *b, const atemi_contact *contact, atemi_vec3 p, int i)
{
    const int             n = atemi_model_v_count(b->model);
    const atemi_transform pose = atemi_link_pose(b->data, contact->link);
    const atemi_vec3      arm = atemi_mat3_apply(&pose.rotation, contact->point);
    const atemi_vec3      turn = atemi_vec3_cross(arm, p);
    const double         *J = b->J + i;
    atemi_link_jacobian(b->data, contact->link, b->J);
    return J[0] * p.x + J[n] * p.y + J[2 * n] * p.z + J[3 * n] * turn.x + J[4 * n] * turn.y +
           J[5 * n] * turn.z;
}

// M (v' - v) = sum of J_i^T p_i, row by row, to 1e-12 of the terms that make it up.
static void check_momentum(bench *b, const double *q, const double *v, const double *after,
                           const atemi_contact *contacts, const atemi_vec3 *impulses, int count)
{
    const int n = atemi_model_v_count(b->model);
    atemi_mass_matrix(b->data, q, b->M);
    atemi_update_kinematics(b->data, q, v, NULL);
    for (int i = 0; i < n; ++i) {
        double missing = 0.0, size = 0.0;
        for (int j = 0; j < n; ++j) {
            missing += b->M[i * n + j] * (after[j] - v[j]);
            size += fabs(b->M[i * n + j]) * (fabs(after[j]) + fabs(v[j]));
        }
        for (int k = 0; k < count; ++k) {
            const double given = along_coordinate(b, &contacts[k], impulses[k], i);
            missing -= given;
            size += fabs(given);
        }
        CHECK_NEAR(missing, 0.0, 1e-12 * size);
    }
}

// A particle loses its tangential speed if friction is enough, else mu (1 + e) times its normal
// one.
TEST(collision, of_a_particle_is_the_textbook_formula)
{
    bench               b = bench_of(box_model(2.0));
    const double        q[7] = {0, 0, 0, 0, 0, 0, 1}, e = 0.5;
    atemi_contact       contact = atemi_contact_default(); // through the centre: no turning
    double              after[6];
    atemi_vec3          impulse;
    static const double speeds[] = {0.2, 1.0, 3.0};
    contact.friction = 0.3;
    for (int i = 0; i < 3; ++i) {
        const double v[6] = {speeds[i], 0.0, -2.0, 0.0, 0.0, 0.0};
        atemi_collision(b.data, q, v,
                        &(atemi_contact_set){.contacts = &contact, .count = 1, .restitution = &e},
                        after, &impulse, NULL);
        const double lost = 0.3 * 1.5 * 2.0;
        CHECK_NEAR(after[2], 1.0, 1e-11);
        CHECK_NEAR(after[0], speeds[i] > lost ? speeds[i] - lost : 0.0, 1e-11);
        CHECK_NEAR(impulse.z, 2.0 * 3.0, 1e-10);
    }
    bench_end(&b);
}

// Flat on four corners, which are redundant: it stops dead, or bounces flat.
TEST(collision, of_a_box_on_its_face_keeps_it_flat)
{
    bench                  b = bench_of(box_model(2.0));
    const double           q[7] = {0, 0, 0, 0, 0, 0, 1}, v[6] = {0, 0, -1.5, 0, 0, 0};
    atemi_contact          contacts[4];
    double                 restitution[4], after[6];
    atemi_vec3             impulses[4];
    atemi_collision_report report;
    for (int i = 0; i < 4; ++i) {
        contacts[i] = corner(i, 0.5);
        restitution[i] = 0.4;
    }
    atemi_collision(
        b.data, q, v,
        &(atemi_contact_set){.contacts = contacts, .count = 4, .restitution = restitution}, after,
        impulses, &report);
    CHECK_NEAR(after[2], 0.6, 1e-10);
    CHECK_NEAR(fabs(after[3]) + fabs(after[4]) + fabs(after[5]), 0.0, 1e-10);
    CHECK_NEAR(report.energy, -0.5 * 2.0 * (1.5 * 1.5 - 0.6 * 0.6), 1e-9);
    bench_end(&b);
}

// The lowest corners of the box that lie on one horizontal plane: a vertex, an edge or a face, as
// the turns about x and y make it.
typedef struct landing {
    double        q[7];
    atemi_contact contacts[4];
    int           count;
} landing;

static landing random_landing(random_stream *stream, double friction)
{
    landing      l = {.count = 1 << random_index(stream, 3)}; // 1, 2 or 4
    const double roll = l.count < 4 ? random_uniform(stream, 0.1, 0.7) : 0.0;
    const double pitch = l.count < 2 ? random_uniform(stream, 0.1, 0.7) : 0.0;
    const double yaw = random_uniform(stream, -3.0, 3.0);

    // Rolled by a positive angle, the side of negative y is lowest; pitched, that of positive x.
    const atemi_mat3       R = atemi_mat3_from_rpy(roll, pitch, yaw);
    const atemi_quaternion turn = atemi_quaternion_from_matrix(&R);
    const double           q[7] = {0.3, -0.2, 0.1, turn.x, turn.y, turn.z, turn.w};
    memcpy(l.q, q, sizeof q);
    for (int i = 0; i < l.count; ++i) {
        l.contacts[i] = corner(l.count == 1 ? 1 : i, friction);
    }
    return l;
}

TEST(collision, of_boxes_on_a_corner_an_edge_or_a_face_obeys_its_laws)
{
    bench b = bench_of(box_model(2.0));
    for (uint64_t seed = 1; seed <= 3000; ++seed) {
        random_stream          stream = random_seeded(seed);
        const double           mu = random_uniform(&stream, 0.0, 1.0);
        const double           e = random_uniform(&stream, 0.0, 1.0);
        const landing          l = random_landing(&stream, mu);
        const double           restitution[4] = {e, e, e, e};
        double                 v[6], after[6];
        atemi_vec3             impulses[4];
        atemi_collision_report report;
        for (int i = 0; i < 6; ++i) {
            v[i] = random_uniform(&stream, -2.0, 2.0);
        }
        atemi_collision(b.data, l.q, v,
                        &(atemi_contact_set){
                            .contacts = l.contacts, .count = l.count, .restitution = restitution},
                        after, impulses, &report);
        CHECK(report.violation < 1e-11);
        check_answer(&b, l.q, v, after, l.contacts, impulses, l.count, restitution, &report);
    }
    bench_end(&b);
}

static void fill_random(random_stream *stream, double low, double high, double *x, int count)
{
    for (int i = 0; i < count; ++i) {
        x[i] = random_uniform(stream, low, high);
    }
}

TEST(collision, of_boxes_of_a_gram_and_of_a_ton_changes_momentum_by_the_impulses)
{
    static const double masses[] = {1e-3, 2.0, 1e3};
    for (int m = 0; m < 3; ++m) {
        bench b = bench_of(box_model(masses[m]));
        for (uint64_t seed = 1; seed <= 1000; ++seed) {
            random_stream stream = random_seeded(seed);
            const landing l = random_landing(&stream, random_uniform(&stream, 0.0, 1.0));
            double        v[6], after[6], restitution[4];
            atemi_vec3    impulses[4];
            fill_random(&stream, -2.0, 2.0, v, 6);
            fill_random(&stream, 0.0, 1.0, restitution, 4);
            atemi_collision(b.data, l.q, v,
                            &(atemi_contact_set){.contacts = l.contacts,
                                                 .count = l.count,
                                                 .restitution = restitution},
                            after, impulses, NULL);
            check_momentum(&b, l.q, v, after, l.contacts, impulses, l.count);
        }
        bench_end(&b);
    }
}

// Trees with links between 1 g and 1 t side by side.
TEST(collision, of_light_links_on_heavy_ones_changes_momentum_by_the_impulses)
{
    tree_options options = tree_options_default();
    options.lightest = 1e-3;
    options.heaviest = 1e3;
    for (uint64_t seed = 1; seed <= 100; ++seed) {
        bench         b = bench_of(random_tree(&options, seed));
        random_stream stream = random_seeded(seed);
        random_state  x;
        atemi_contact contacts[4];
        double        after[TREE_MAX_V];
        atemi_vec3    impulses[4];
        random_state_fill(b.model, seed, &x);
        for (int i = 0; i < 4; ++i) {
            contacts[i] = corner(i, random_uniform(&stream, 0.0, 1.0));
            contacts[i].link = random_index(&stream, atemi_model_link_count(b.model));
        }
        atemi_collision(b.data, x.q, x.v, &(atemi_contact_set){.contacts = contacts, .count = 4},
                        after, impulses, NULL);
        check_momentum(&b, x.q, x.v, after, contacts, impulses, 4);
        bench_end(&b);
    }
}

static atemi_model *humanoid(void)
{
    atemi_model *model;
    CHECK_STATUS(atemi_robots_load("hrp2_like", NULL, &model, NULL), ATEMI_OK);
    return model;
}

static atemi_contact at_site(const atemi_model *model, const char *name, double x, double y)
{
    const atemi_site *site = atemi_model_site(model, atemi_model_find_site(model, name));
    const atemi_vec3  at = {x * site->size_x, y * site->size_y, 0.0};
    atemi_contact     contact = atemi_contact_default();
    contact.link = site->link;
    contact.point = atemi_transform_apply(&site->pose, at);
    return contact;
}

// The corners of both soles and, against a wall, both fists.
enum { SOLES = 8, SOLES_AND_FISTS = 10 };

static void touch_world(const atemi_model *model, atemi_contact contacts[SOLES_AND_FISTS])
{
    for (int i = 0; i < SOLES; ++i) {
        contacts[i] = at_site(model, i < 4 ? "right_sole" : "left_sole", i & 1 ? 0.5 : -0.5,
                              i & 2 ? 0.5 : -0.5);
    }
    for (int i = SOLES; i < SOLES_AND_FISTS; ++i) {
        contacts[i] = at_site(model, i & 1 ? "right_fist" : "left_fist", 0.0, 0.0);
        contacts[i].normal = (atemi_vec3){-1.0, 0.0, 0.0};
    }
}

// A humanoid that lands on both soles at once: eight corners, light feet on a heavy body.
TEST(collision, of_a_humanoid_on_both_feet_obeys_its_laws)
{
    bench         b = bench_of(humanoid());
    const double *q =
        atemi_model_posture(b.model, atemi_model_find_posture(b.model, "half_sitting"));
    atemi_contact contacts[SOLES_AND_FISTS];
    touch_world(b.model, contacts);
    for (int i = 0; i < SOLES; ++i) {
        contacts[i].friction = 0.6;
    }
    for (uint64_t seed = 1; seed <= 200; ++seed) {
        random_stream          stream = random_seeded(seed);
        double                 v[TREE_MAX_V], after[TREE_MAX_V];
        atemi_vec3             impulses[SOLES];
        atemi_collision_report report;
        fill_random(&stream, -0.5, 0.5, v, atemi_model_v_count(b.model));
        v[2] -= 1.0;
        atemi_collision(b.data, q, v, &(atemi_contact_set){.contacts = contacts, .count = SOLES},
                        after, impulses, &report);
        CHECK(report.violation < 1e-10);
        check_answer(&b, q, v, after, contacts, impulses, SOLES, NULL, &report);
    }
    bench_end(&b);
}

// In any posture, with friction and restitution that differ from point to point.
static void collision_anyhow(bench *b, uint64_t seed, int count)
{
    random_stream          stream = random_seeded(seed);
    random_state           x;
    atemi_contact          contacts[SOLES_AND_FISTS];
    double                 after[TREE_MAX_V], restitution[SOLES_AND_FISTS];
    atemi_vec3             impulses[SOLES_AND_FISTS];
    atemi_collision_report report;
    random_state_fill(b->model, seed, &x);
    touch_world(b->model, contacts);
    for (int i = 0; i < count; ++i) {
        contacts[i].friction = random_uniform(&stream, 0.0, 1.2);
        restitution[i] = random_uniform(&stream, 0.0, 1.0);
    }
    fill_random(&stream, -1.0, 1.0, x.v, atemi_model_v_count(b->model));
    x.v[2] -= 1.0;
    atemi_collision(
        b->data, x.q, x.v,
        &(atemi_contact_set){.contacts = contacts, .count = count, .restitution = restitution},
        after, impulses, &report);
    CHECK(report.violation < 1e-10);
    check_answer(b, x.q, x.v, after, contacts, impulses, count, restitution, &report);
    check_momentum(b, x.q, x.v, after, contacts, impulses, count);
}

TEST(collision, of_a_humanoid_on_feet_and_fists_obeys_its_laws_in_any_posture)
{
    bench b = bench_of(humanoid());
    for (uint64_t seed = 1; seed <= 1000; ++seed) {
        collision_anyhow(&b, seed, seed % 2 ? SOLES : SOLES_AND_FISTS);
    }
    bench_end(&b);
}

// Two corners of a tilted sole that bounce differently cannot both end as they should without a
// slip, as their distance is fixed. Each pushes the other along the edge until one slips, slowly:
// the solver used to stop on the way there, with both sticking and up to 1 m/s left.
TEST(collision, of_corners_that_push_each_other_apart_ends_in_a_slip)
{
    static const uint64_t seeds[] = {2681,  6391,  9048,  9325,  10430, 11623, 13546,
                                     13663, 14432, 15094, 15672, 17071, 21753, 22821,
                                     30302, 31201, 31706, 32260, 33205, 37087};
    bench                 b = bench_of(humanoid());
    for (size_t i = 0; i < sizeof seeds / sizeof *seeds; ++i) {
        collision_anyhow(&b, seeds[i], seeds[i] % 2 ? SOLES : SOLES_AND_FISTS);
    }
    bench_end(&b);
}

// A joint of the humanoid that comes to its stop while the feet land: the stop pushes and throws
// back, momentum is that of all impulses, and a joint that leaves its stop feels nothing of it.
TEST(collision, with_stops_of_joints_obeys_their_law)
{
    bench b = bench_of(humanoid());
    for (uint64_t seed = 1; seed <= 200; ++seed) {
        random_stream          stream = random_seeded(seed);
        random_state           x;
        atemi_contact          contacts[SOLES_AND_FISTS];
        double                 after[TREE_MAX_V];
        atemi_vec3             impulses[SOLES];
        atemi_collision_report report;
        const int              rate = 6 + (int)(random_bits(&stream) % 12);
        const double           e = random_uniform(&stream, 0.0, 1.0);
        atemi_joint_hold       hold = {
                  .rate = rate, .lower = 0.0, .upper = (double)INFINITY, .restitution = e};
        random_state_fill(b.model, seed, &x);
        touch_world(b.model, contacts);
        fill_random(&stream, -1.0, 1.0, x.v, atemi_model_v_count(b.model));
        atemi_collision(b.data, x.q, x.v,
                        &(atemi_contact_set){
                            .contacts = contacts, .count = SOLES, .holds = &hold, .hold_count = 1},
                        after, impulses, &report);
        const double least = e * report.bounce * fmax(0.0, -x.v[rate]);
        CHECK(report.violation < 1e-10 && report.energy < 1e-9);
        CHECK(hold.force >= 0.0);
        CHECK(hold.velocity >= least - 1e-9);
        CHECK_NEAR(hold.velocity, after[rate], 1e-9);
        CHECK(hold.force < 1e-9 || fabs(hold.velocity - least) < 1e-9);
    }
    bench_end(&b);
}
