// SPDX-License-Identifier: Apache-2.0

#include "dynamics/composites.h"

// A body's inertia in world axes about its node's origin: with R the node's rotation, and mass m,
// first moment h = m c and inertia I in the node's frame,
//
//   h -> R h,   I -> R I R^T
//
// and seen from the parent's origin, r away:
//
//   h' = h + m r
//   I' = I + (2 h.r + m r.r) 1 - (h r^T + r h^T + m r r^T)
//      = I + s.r 1 - (s r^T + r s^T) / 2   with   s = h + h'
//
// The momentum of the composite for a unit rate about (or along) s:
//
//   turn    linear = s x h,   moment about the node = I s
//   slide   linear = m s,     moment about the node = h x s
//
// and M_ii is the momentum's component along its own axis.

// The columns of R I, for the symmetric I = (diagonal, products).
typedef struct columns {
    pack3 x, y, z;
} columns;

static columns rotated_columns(const atemi_kinematics_block *k, pack3 I, pack3 P)
{
    const pack3 x = pack3_load(&k->x), y = pack3_load(&k->y), z = pack3_load(&k->z);
    return (columns){pack3_combine(x, y, z, (pack3){I.x, P.z, P.y}),
                     pack3_combine(x, y, z, (pack3){P.z, I.y, P.x}),
                     pack3_combine(x, y, z, (pack3){P.y, P.x, I.z})};
}

static void rotate_into_world(const atemi_node_block *node, const atemi_kinematics_block *k,
                              atemi_composite_block *composite)
{
    const pack3   x = pack3_load(&k->x), y = pack3_load(&k->y), z = pack3_load(&k->z);
    const columns T = rotated_columns(k, pack3_load(&node->inertia_at_origin),
                                      pack3_load(&node->product_at_origin));

    const pack3 diagonal = {T.x.x * x.x + T.y.x * y.x + T.z.x * z.x,
                            T.x.y * x.y + T.y.y * y.y + T.z.y * z.y,
                            T.x.z * x.z + T.y.z * y.z + T.z.z * z.z};
    const pack3 product = {T.x.y * x.z + T.y.y * y.z + T.z.y * z.z,
                           T.x.x * x.z + T.y.x * y.z + T.z.x * z.z,
                           T.x.x * x.y + T.y.x * y.y + T.z.x * z.y};
    pack_store(&composite->mass, pack_load(&node->mass));
    pack3_store(&composite->first_moment, pack3_combine(x, y, z, pack3_load(&node->first_moment)));
    pack3_store(&composite->inertia, diagonal);
    pack3_store(&composite->product, product);
}

static void add_to_parent(const atemi_composite_block *from, int child, atemi_vec3 r,
                          atemi_composite_block *to, int parent)
{
    const double     m = from->mass.of[child];
    const atemi_vec3 h = atemi_lane3(&from->first_moment, child);
    const atemi_vec3 moved = atemi_vec3_add(h, atemi_vec3_scale(m, r));
    const atemi_vec3 s = atemi_vec3_add(h, moved);
    const double     xx = s.x * r.x, yy = s.y * r.y, zz = s.z * r.z;

    to->mass.of[parent] += m;
    atemi_add_lane3(&to->first_moment, parent, moved);
    to->inertia.x.of[parent] += from->inertia.x.of[child] + (yy + zz);
    to->inertia.y.of[parent] += from->inertia.y.of[child] + (xx + zz);
    to->inertia.z.of[parent] += from->inertia.z.of[child] + (xx + yy);
    to->product.x.of[parent] += from->product.x.of[child] - 0.5 * (s.y * r.z + s.z * r.y);
    to->product.y.of[parent] += from->product.y.of[child] - 0.5 * (s.x * r.z + s.z * r.x);
    to->product.z.of[parent] += from->product.z.of[child] - 0.5 * (s.x * r.y + s.y * r.x);
}

void atemi_bodies_rotate(const atemi_model *model, const atemi_kinematics *k,
                         atemi_composite_block *bodies)
{
    for (int b = 0; b < model->block_count; ++b) {
        rotate_into_world(&model->blocks[b], &k->blocks[b], &bodies[b]);
    }
}

void atemi_composites_chain(const atemi_model *model, const atemi_kinematics *k,
                            atemi_composite_block *composites)
{
    for (int i = model->node_count - 1; i >= 0; --i) {
        const int p = model->parents[i];
        if (p != ATEMI_NONE) {
            const atemi_vec3 r = atemi_lane3(&k->blocks[atemi_block(i)].reach, atemi_lane(i));
            add_to_parent(&composites[atemi_block(i)], atemi_lane(i), r,
                          &composites[atemi_block(p)], atemi_lane(p));
        }
    }
}

void atemi_composites_gather(const atemi_model *model, const atemi_kinematics *k,
                             atemi_composite_block *composites)
{
    atemi_bodies_rotate(model, k, composites);
    atemi_composites_chain(model, k, composites);
}

void atemi_composites_momenta(const atemi_model *model, const atemi_kinematics *k,
                              atemi_composite_block *composites)
{
    for (int b = 0; b < model->block_count; ++b) {
        const atemi_node_block       *node = &model->blocks[b];
        const atemi_kinematics_block *block = &k->blocks[b];
        atemi_composite_block        *composite = &composites[b];
        const pack3 h = pack3_load(&composite->first_moment), x = pack3_load(&block->position);
        const pack3 w = pack3_load(&block->axis_angular);
        const pack3 u = pack3_scale(pack_load(&node->prismatic), pack3_load(&block->axis_linear));

        const pack3 linear = pack3_add_scaled(pack3_cross(w, h), pack_load(&composite->mass), u);
        const pack3 turned =
            pack3_symmetric(pack3_load(&composite->inertia), pack3_load(&composite->product), w);
        const pack3 angular = pack3_add(turned, pack3_cross(h, u));
        pack3_store(&composite->linear, linear);
        pack3_store(&composite->angular, pack3_add(angular, pack3_cross(x, linear)));
        pack_store(&composite->diagonal, pack3_dot(w, angular) + pack3_dot(u, linear));
    }
}
