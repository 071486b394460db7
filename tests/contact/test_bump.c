// SPDX-License-Identifier: Apache-2.0

#include "atemi/bump.h"

#include "atemi/quaternion.h"
#include "atemi/robots.h"
#include "check.h"
#include "random.h"
#include "random_tree.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

enum { MAX_POINTS = 16 };

typedef struct bench {
    atemi_model       *model;
    atemi_arena        arena;
    atemi_bump_scratch scratch;
    atemi_kinematics   kinematics;
} bench;

static bench bench_of(atemi_model *model)
{
    bench b = {.model = model, .arena = atemi_arena_measuring()};
    atemi_bump_scratch_take(&b.arena, model, MAX_POINTS);
    atemi_kinematics_take(&b.arena, model);
    CHECK_STATUS(atemi_arena_create(&b.arena, b.arena.used, NULL), ATEMI_OK);
    b.scratch = atemi_bump_scratch_take(&b.arena, model, MAX_POINTS);
    b.kinematics = atemi_kinematics_take(&b.arena, model);
    return b;
}

static void bench_end(bench *b)
{
    atemi_arena_destroy(&b->arena);
    atemi_model_destroy(b->model);
}

static double energy(bench *b, const double *q, const double *v)
{
    atemi_kinematics_update(b->model, q, v, NULL, &b->kinematics);
    return atemi_kinetic_energy(b->model, &b->kinematics);
}

static atemi_vec3 point_velocity(bench *b, const double *q, const double *v,
                                 const atemi_contact *contact)
{
    atemi_kinematics_update(b->model, q, v, NULL, &b->kinematics);
    const atemi_transform pose = atemi_link_pose(b->model, &b->kinematics, contact->link);
    return atemi_motion_at(atemi_link_velocity(b->model, &b->kinematics, contact->link),
                           atemi_mat3_apply(&pose.rotation, contact->point))
        .linear;
}

// A free box, 0.4 x 0.2 x 0.1 m, 2 kg.
static atemi_model *box_model(void)
{
    const double                 m = 2.0, x = 0.4, y = 0.2, z = 0.1;
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
                         const double *restitution, const atemi_bump_report *report)
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

// A particle loses its tangential speed if friction is enough, else mu (1 + e) times its normal
// one.
TEST(bump, of_a_particle_is_the_textbook_formula)
{
    bench               b = bench_of(box_model());
    const double        q[7] = {0, 0, 0, 0, 0, 0, 1}, e = 0.5;
    atemi_contact       contact = atemi_contact_default(); // through the centre: no turning
    double              after[6];
    atemi_vec3          impulse;
    static const double speeds[] = {0.2, 1.0, 3.0};
    contact.friction = 0.3;
    for (int i = 0; i < 3; ++i) {
        const double v[6] = {speeds[i], 0.0, -2.0, 0.0, 0.0, 0.0};
        atemi_bump(b.model, q, v, &contact, 1, &e, &b.scratch, after, &impulse, NULL);
        const double lost = 0.3 * 1.5 * 2.0;
        CHECK_NEAR(after[2], 1.0, 1e-11);
        CHECK_NEAR(after[0], speeds[i] > lost ? speeds[i] - lost : 0.0, 1e-11);
        CHECK_NEAR(impulse.z, 2.0 * 3.0, 1e-10);
    }
    bench_end(&b);
}

// Flat on four corners, which are redundant: it stops dead, or bounces flat.
TEST(bump, of_a_box_on_its_face_keeps_it_flat)
{
    bench             b = bench_of(box_model());
    const double      q[7] = {0, 0, 0, 0, 0, 0, 1}, v[6] = {0, 0, -1.5, 0, 0, 0};
    atemi_contact     contacts[4];
    double            restitution[4], after[6];
    atemi_vec3        impulses[4];
    atemi_bump_report report;
    for (int i = 0; i < 4; ++i) {
        contacts[i] = corner(i, 0.5);
        restitution[i] = 0.4;
    }
    atemi_bump(b.model, q, v, contacts, 4, restitution, &b.scratch, after, impulses, &report);
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

TEST(bump, of_boxes_on_a_corner_an_edge_or_a_face_obeys_its_laws)
{
    bench b = bench_of(box_model());
    for (uint64_t seed = 1; seed <= 3000; ++seed) {
        random_stream     stream = random_seeded(seed);
        const double      mu = random_uniform(&stream, 0.0, 1.0);
        const double      e = random_uniform(&stream, 0.0, 1.0);
        const landing     l = random_landing(&stream, mu);
        const double      restitution[4] = {e, e, e, e};
        double            v[6], after[6];
        atemi_vec3        impulses[4];
        atemi_bump_report report;
        for (int i = 0; i < 6; ++i) {
            v[i] = random_uniform(&stream, -2.0, 2.0);
        }
        atemi_bump(b.model, l.q, v, l.contacts, l.count, restitution, &b.scratch, after, impulses,
                   &report);
        CHECK(report.violation < 1e-11);
        check_answer(&b, l.q, v, after, l.contacts, impulses, l.count, restitution, &report);
    }
    bench_end(&b);
}

// A humanoid that lands on both soles at once: eight corners, light feet on a heavy body.
TEST(bump, of_a_humanoid_on_both_feet_obeys_its_laws)
{
    atemi_model *model;
    CHECK_STATUS(atemi_robots_load("hrp2_like", NULL, &model, NULL), ATEMI_OK);
    bench         b = bench_of(model);
    const int     posture = atemi_model_find_posture(model, "half_sitting");
    const int     right = atemi_model_find_site(model, "right_sole");
    const int     left = atemi_model_find_site(model, "left_sole");
    const double *q = atemi_model_posture(model, posture);
    atemi_contact contacts[8];
    for (int i = 0; i < 8; ++i) {
        const atemi_site *site = atemi_model_site(model, i < 4 ? right : left);
        const atemi_vec3  at = {(i & 1 ? 0.5 : -0.5) * site->size_x,
                                (i & 2 ? 0.5 : -0.5) * site->size_y, 0.0};
        contacts[i] = atemi_contact_default();
        contacts[i].link = site->link;
        contacts[i].point = atemi_transform_apply(&site->pose, at);
        contacts[i].friction = 0.6;
    }
    for (uint64_t seed = 1; seed <= 200; ++seed) {
        random_stream     stream = random_seeded(seed);
        double            v[TREE_MAX_V], after[TREE_MAX_V];
        atemi_vec3        impulses[8];
        atemi_bump_report report;
        for (int i = 0; i < atemi_model_v_count(model); ++i) {
            v[i] = random_uniform(&stream, -0.5, 0.5);
        }
        v[2] -= 1.0;
        atemi_bump(model, q, v, contacts, 8, NULL, &b.scratch, after, impulses, &report);
        CHECK(report.violation < 1e-10);
        check_answer(&b, q, v, after, contacts, impulses, 8, NULL, &report);
    }
    bench_end(&b);
}
