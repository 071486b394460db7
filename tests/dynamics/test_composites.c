// SPDX-License-Identifier: Apache-2.0

#include "dynamics/composites.h"

#include "check.h"
#include "dynamics/data_parts.h"
#include "math/matrix.h"
#include "tree_rig.h"

#include <math.h>

// The oracle adds the inertias of links in the world, by transforms of atemi/math.h, over those
// beyond a link; masses and moments are sums of at most 65 of them.
static const double tolerance = 1e-11;

static bool is_beyond(const atemi_model *model, int link, int from)
{
    while (link != from) {
        const int joint = atemi_model_link(model, link)->parent_joint;
        if (joint == ATEMI_NONE) {
            return false;
        }
        link = atemi_model_joint(model, joint)->parent_link;
    }
    return true;
}

static atemi_inertia sum_beyond(const tree_rig *rig, int from)
{
    atemi_inertia sum = {0};
    for (int i = 0; i < atemi_model_link_count(rig->model); ++i) {
        if (is_beyond(rig->model, i, from)) {
            const atemi_transform pose = atemi_link_pose(rig->s, i);
            const atemi_inertia   here =
                atemi_inertia_transformed(&atemi_model_link(rig->model, i)->inertia, &pose);
            sum = atemi_inertia_add(&sum, &here);
        }
    }
    return sum;
}

// About a place, along world axes: the rotational inertia at the centre of mass and that of a point
// mass there.
static atemi_symmetric3 about(const atemi_inertia *sum, atemi_vec3 place)
{
    const atemi_vec3       c = atemi_vec3_sub(sum->com, place);
    const double           m = sum->mass;
    const atemi_symmetric3 I = sum->rotational;
    return (atemi_symmetric3){.xx = I.xx + m * (c.y * c.y + c.z * c.z),
                              .yy = I.yy + m * (c.x * c.x + c.z * c.z),
                              .zz = I.zz + m * (c.x * c.x + c.y * c.y),
                              .xy = I.xy - m * c.x * c.y,
                              .xz = I.xz - m * c.x * c.z,
                              .yz = I.yz - m * c.y * c.z};
}

static void check_node(const tree_rig *rig, const atemi_kinematics *k,
                       const atemi_composite_block *composites, int node, int link)
{
    const int                    b = atemi_block(node), lane = atemi_lane(node);
    const atemi_composite_block *block = &composites[b];
    const atemi_inertia          sum = sum_beyond(rig, link);
    const atemi_vec3 place = atemi_vec3_add(k->origin, atemi_lane3(&k->blocks[b].position, lane));
    const atemi_symmetric3 I = about(&sum, place);
    const atemi_vec3       h = atemi_vec3_scale(sum.mass, atemi_vec3_sub(sum.com, place));
    const atemi_vec3       found = atemi_lane3(&block->first_moment, lane);
    const double           size = tolerance * (1.0 + sum.mass);
    CHECK_NEAR(block->mass.of[lane], sum.mass, size);
    CHECK_NEAR(atemi_vec3_norm(atemi_vec3_sub(found, h)), 0.0, size);
    const atemi_vec3 diagonal = atemi_lane3(&block->inertia, lane);
    const atemi_vec3 product = atemi_lane3(&block->product, lane);
    CHECK_NEAR(diagonal.x, I.xx, size);
    CHECK_NEAR(diagonal.y, I.yy, size);
    CHECK_NEAR(diagonal.z, I.zz, size);
    CHECK_NEAR(product.x, I.yz, size);
    CHECK_NEAR(product.y, I.xz, size);
    CHECK_NEAR(product.z, I.xy, size);
}

TEST(composites, are_the_sums_of_what_joints_carry)
{
    for (int index = 0; index < TREE_CASES; ++index) {
        static atemi_composite_block composites[TREE_MAX_V];
        tree_rig                     rig;
        tree_rig_begin(&rig, index, 11);
        atemi_update_kinematics(rig.s, rig.x.q, NULL, NULL);
        const atemi_kinematics *k = atemi_data_kinematics(rig.s);
        atemi_composites_gather(rig.model, k, composites);
        for (int j = 0; j < atemi_model_joint_count(rig.model); ++j) {
            const int node = rig.model->joint_nodes[j];
            if (node != ATEMI_NONE) {
                check_node(&rig, k, composites, node, atemi_model_joint(rig.model, j)->child_link);
            }
        }
        tree_rig_end(&rig);
    }
}
