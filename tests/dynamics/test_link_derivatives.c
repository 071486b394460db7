// SPDX-License-Identifier: Apache-2.0

#include "dynamics/derivatives.h"

#include "check.h"
#include "derivatives_rig.h"
#include "differences.h"

#include <string.h>

static const atemi_vec3 point = {0.1, -0.2, 0.3};

typedef struct followed_link {
    derivatives_rig *rig;
    int              link;
} followed_link;

// The point's motion from the link's own, by the textbook: velocity, then acceleration.
static void motion_of_point(void *context, const double *q, const double *v, const double *a,
                            double *result)
{
    const followed_link *f = context;
    atemi_data          *k = f->rig->tree.s;
    atemi_update_kinematics(k, q, v, a);
    const atemi_transform pose = atemi_link_pose(k, f->link);
    const atemi_vec3      r = atemi_mat3_apply(&pose.rotation, point);
    const atemi_motion    u = atemi_link_velocity(k, f->link);
    const atemi_motion    b = atemi_link_acceleration(k, f->link);
    const atemi_vec3      turned = atemi_vec3_cross(u.angular, r);
    const atemi_vec3      swing = atemi_vec3_cross(u.angular, turned);
    const atemi_vec3      rows[] = {
        atemi_vec3_add(u.linear, turned), u.angular,
        atemi_vec3_add(b.linear, atemi_vec3_add(atemi_vec3_cross(b.angular, r), swing)), b.angular};
    memcpy(result, rows, sizeof rows);
}

// Motions are of the size 100 here, and differences have 1e-13 of that by rounding.
static void check_link(derivatives_rig *r, int link)
{
    const int           n = r->tree.n;
    const random_state *x = &r->tree.x;
    const atemi_model  *model = r->tree.model;
    followed_link       f = {r, link};
    double             *velocity_dq = r->found[0], *acceleration_dq = r->found[1];
    double             *acceleration_dv = r->found[2], *jacobian = r->expected;
    static double       by_q[12 * TREE_MAX_V], by_v[12 * TREE_MAX_V], by_a[12 * TREE_MAX_V];
    atemi_link_derivatives(model, &r->s, link, point, velocity_dq, acceleration_dq, acceleration_dv,
                           jacobian);
    differences(model, motion_of_point, &f, BY_Q, x->q, x->v, x->a, 12, by_q);
    differences(model, motion_of_point, &f, BY_V, x->q, x->v, x->a, 12, by_v);
    differences(model, motion_of_point, &f, BY_X, x->q, x->v, x->a, 12, by_a);
    const double room = 1e-9 * (1.0 + largest_size(by_q, 12 * n));
    CHECK_NEAR(largest_difference(velocity_dq, by_q, 6 * n), 0.0, room);
    CHECK_NEAR(largest_difference(acceleration_dq, by_q + 6 * n, 6 * n), 0.0, room);
    CHECK_NEAR(largest_difference(jacobian, by_v, 6 * n), 0.0, room);
    CHECK_NEAR(largest_difference(acceleration_dv, by_v + 6 * n, 6 * n), 0.0, room);
    CHECK_NEAR(largest_difference(jacobian, by_a + 6 * n, 6 * n), 0.0, room);
}

TEST(link_derivatives, are_those_of_differences_on_all_trees)
{
    for (int c = 0; c < TREE_CASES; ++c) {
        derivatives_rig r = derivatives_rig_begin(c, 90);
        const int       links = atemi_model_link_count(r.tree.model);
        atemi_motion_derivatives_update(r.tree.model, r.tree.x.q, r.tree.x.v, r.tree.x.a, &r.s);
        for (int link = 0; link < links; link += 1 + links / 6) {
            check_link(&r, link);
        }
        derivatives_rig_end(&r);
    }
}

TEST(link_derivatives, are_the_same_after_either_update)
{
    derivatives_rig r = derivatives_rig_begin(7, 91);
    const int       n = r.tree.n, last = atemi_model_link_count(r.tree.model) - 1;
    for (int full = 0; full < 2; ++full) {
        if (full) {
            atemi_derivatives_update(r.tree.model, r.tree.x.q, r.tree.x.v, r.tree.x.a, NULL, &r.s);
        } else {
            atemi_motion_derivatives_update(r.tree.model, r.tree.x.q, r.tree.x.v, r.tree.x.a, &r.s);
        }
        atemi_link_derivatives(r.tree.model, &r.s, last, point, NULL, r.found[full], NULL, NULL);
    }
    CHECK(largest_size(r.found[0], 6 * n) > 1.0);
    CHECK(largest_difference(r.found[0], r.found[1], 6 * n) == 0.0);
    derivatives_rig_end(&r);
}
