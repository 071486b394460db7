// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"
#include "dynamics/columns.h"
#include "dynamics/derivatives.h"

// With Y, Z and T of derivatives.c, for a point at x that moves with u and accelerates with b, on a
// link with angular velocity omega and acceleration alpha. For the observer who is carried along by
// coordinate j the velocity of the point changes by Y_lin + Y_ang x x, and its acceleration by
// Z_lin + Z_ang x x and Coriolis' part. To have it in world axes the vector itself turns with
// S_ang:
//
//   velocity by q       (Y_lin + Y_ang x x + S_ang x u,               Y_ang + S_ang x omega)
//   acceleration by q   (Z_lin + Z_ang x x + 2 Y_ang x u + S_ang x b, Z_ang + Y_ang x omega
//                                                                     + S_ang x alpha)
//   acceleration by v   (T_lin + T_ang x x + 2 S_ang x u,             T_ang + S_ang x omega)
//
// for every node that carries the link. The acceleration of the world against gravity, which is in
// Z and b, cancels.

// The motion of the point in all lanes, accelerations relative to free fall.
typedef struct point_motion {
    int   node;
    pack3 x, u, omega, b, alpha;
} point_motion;

static point_motion point_motion_of(const atemi_model *model, const atemi_kinematics *k, int link,
                                    atemi_vec3 point)
{
    const atemi_mounting         *mounting = &model->mountings[link];
    const atemi_node_pose        *body = &k->poses[mounting->node];
    const atemi_kinematics_block *block = &k->blocks[atemi_block(mounting->node)];
    const int                     lane = atemi_lane(mounting->node);
    const quad                    arm = quad_of(atemi_transform_apply(&mounting->pose, point));
    const atemi_vec3 x = quad_vec3(quad_add(body->position, quad3_apply(&body->rotation, arm)));
    const atemi_vec3 w = atemi_lane3(&block->angular, lane);
    const atemi_vec3 alpha = atemi_lane3(&block->acceleration_angular, lane);
    const atemi_vec3 u = atemi_vec3_add(atemi_lane3(&block->linear, lane), atemi_vec3_cross(w, x));
    const atemi_vec3 field =
        atemi_vec3_add(atemi_lane3(&block->acceleration_linear, lane), atemi_vec3_cross(alpha, x));
    return (point_motion){mounting->node,
                          pack3_of(x),
                          pack3_of(u),
                          pack3_of(w),
                          pack3_of(atemi_vec3_add(field, atemi_vec3_cross(w, u))),
                          pack3_of(alpha)};
}

// The linear part of a motion at x.
static pack3 linear_at(const lanes6 *m, pack3 x)
{
    return pack3_add(pack3_load(&m->linear), pack3_cross(pack3_load(&m->angular), x));
}

static atemi_columns velocity_by_q(const atemi_variation_block *v, pack3 rotation,
                                   const point_motion *p, pack_mask mask)
{
    return atemi_columns_of(
        pack3_add(linear_at(&v->velocity_by_q, p->x), pack3_cross(rotation, p->u)),
        pack3_add(pack3_load(&v->velocity_by_q.angular), pack3_cross(rotation, p->omega)), mask);
}

static atemi_columns acceleration_by_q(const atemi_variation_block *v, pack3 rotation,
                                       const point_motion *p, pack_mask mask)
{
    const pack3 Y = pack3_load(&v->velocity_by_q.angular);
    const pack3 linear = pack3_add_scaled(linear_at(&v->acceleration_by_q, p->x), pack_of(2.0),
                                          pack3_cross(Y, p->u));
    const pack3 angular =
        pack3_add(pack3_load(&v->acceleration_by_q.angular), pack3_cross(Y, p->omega));
    return atemi_columns_of(pack3_add(linear, pack3_cross(rotation, p->b)),
                            pack3_add(angular, pack3_cross(rotation, p->alpha)), mask);
}

static atemi_columns acceleration_by_v(const atemi_variation_block *v, pack3 rotation,
                                       const point_motion *p, pack_mask mask)
{
    return atemi_columns_of(
        pack3_add_scaled(linear_at(&v->acceleration_by_v, p->x), pack_of(2.0),
                         pack3_cross(rotation, p->u)),
        pack3_add(pack3_load(&v->acceleration_by_v.angular), pack3_cross(rotation, p->omega)),
        mask);
}

void atemi_motion_derivatives_update(const atemi_model *model, const double *q, const double *v,
                                     const double *a, atemi_derivatives_scratch *scratch)
{
    ATEMI_REQUIRE(model && scratch);
    if (model->v_count == 0) {
        return;
    }
    ATEMI_REQUIRE(q);
    atemi_kinematics *k = &scratch->inverse.kinematics;
    memset(scratch->still, 0, (size_t)model->v_count * sizeof *scratch->still);
    atemi_kinematics_poses(model, q, k);
    atemi_kinematics_velocities(model, v ? v : scratch->still, k);
    atemi_kinematics_accelerations(model, a, false, atemi_vec3_scale(-1.0, model->gravity), k);
    atemi_derivatives_vary_motion(model, scratch);
}

void atemi_link_derivatives(const atemi_model *model, const atemi_derivatives_scratch *scratch,
                            int link, atemi_vec3 point, double *velocity_dq,
                            double *acceleration_dq, double *acceleration_dv, double *jacobian)
{
    ATEMI_REQUIRE(model && scratch && link >= 0 && link < model->link_count);
    const atemi_kinematics *k = &scratch->inverse.kinematics;
    const size_t            size = 6 * (size_t)model->v_count * sizeof(double);
    double                 *results[] = {velocity_dq, acceleration_dq, acceleration_dv, jacobian};
    for (int i = 0; i < 4; ++i) {
        if (results[i]) {
            memset(results[i], 0, size);
        }
    }
    if (model->mountings[link].node == ATEMI_NONE) {
        return;
    }
    const point_motion p = point_motion_of(model, k, link, point);
    // Only blocks with carriers: the way to the root goes down in the numbers.
    for (int i = p.node, b = atemi_block(i); i != ATEMI_NONE; b = atemi_block(i)) {
        const pack_mask              mask = atemi_carriers(model, b, p.node);
        const atemi_variation_block *v = &scratch->variations[b];
        const pack3                  rotation = pack3_load(&k->blocks[b].axis_angular);
        if (velocity_dq) {
            const atemi_columns part = velocity_by_q(v, rotation, &p, mask);
            atemi_columns_write(model, 6, b, &part, velocity_dq);
        }
        if (acceleration_dq) {
            const atemi_columns part = acceleration_by_q(v, rotation, &p, mask);
            atemi_columns_write(model, 6, b, &part, acceleration_dq);
        }
        if (acceleration_dv) {
            const atemi_columns part = acceleration_by_v(v, rotation, &p, mask);
            atemi_columns_write(model, 6, b, &part, acceleration_dv);
        }
        if (jacobian) {
            const pack3         slide = pack3_load(&k->blocks[b].axis_linear);
            const atemi_columns part =
                atemi_columns_of(pack3_add(slide, pack3_cross(rotation, p.x)), rotation, mask);
            atemi_columns_write(model, 6, b, &part, jacobian);
        }
        while (i != ATEMI_NONE && atemi_block(i) == b) {
            i = model->parents[i];
        }
    }
}
