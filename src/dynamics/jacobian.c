// SPDX-License-Identifier: Apache-2.0

#include "atemi/contract.h"
#include "dynamics/columns.h"

#include <string.h>

// With x the link's origin and u = v + omega x x its velocity, the column of a node that carries
// it:
//
//   J      = (S_lin + S_ang x x, S_ang)
//   dJ/dt  = (dS_lin + dS_ang x x + S_ang x u, dS_ang),   dS = v_b x S
//
// where v_b is the velocity of the body at the end of the node's joint, in which S is fixed. All
// other columns are zero. Columns are computed and written in whole blocks.

// How many blocks hold the nodes that carry a link.
static int carrying_blocks(const atemi_model *model, int link)
{
    const int node = model->mountings[link].node;
    return node == ATEMI_NONE ? 0 : atemi_block(node) + 1;
}

void atemi_link_jacobian(const atemi_model *model, const atemi_kinematics *kinematics, int link,
                         double *J)
{
    ATEMI_REQUIRE(model && kinematics && link >= 0 && link < model->link_count);
    if (model->v_count == 0) {
        return;
    }
    ATEMI_REQUIRE(J);
    const int   node = model->mountings[link].node, blocks = carrying_blocks(model, link);
    const pack3 x = pack3_of(atemi_link_place(model, kinematics, link));

    memset(J, 0, 6 * (size_t)model->v_count * sizeof *J);
    for (int b = blocks - 1; b >= 0; --b) {
        const pack_mask carriers = atemi_carriers(model, b, node);
        if (!pack_any(carriers)) {
            continue;
        }
        const atemi_kinematics_block *k = &kinematics->blocks[b];
        const pack3                   turn = pack3_load(&k->axis_angular);
        const atemi_columns           part = atemi_columns_of(
            pack3_add(pack3_load(&k->axis_linear), pack3_cross(turn, x)), turn, carriers);
        atemi_columns_write(model, b, &part, J);
    }
}

// The velocity of the body at the end of each node's joint.
typedef struct twist {
    pack3 linear, angular;
} twist;

static twist end_velocity(const atemi_model *model, const atemi_kinematics *kinematics, int block)
{
    lanes3 linear = kinematics->blocks[block].linear, angular = kinematics->blocks[block].angular;
    for (int j = 0; j < model->multi_joint_count; ++j) {
        const atemi_multi_joint      *joint = &model->multi_joints[j];
        const atemi_kinematics_block *end = &kinematics->blocks[atemi_block(joint->last_node)];
        const int                     lane = atemi_lane(joint->last_node);
        for (int i = joint->first_node; i < joint->last_node; ++i) {
            if (atemi_block(i) == block) {
                atemi_set_lane3(&linear, atemi_lane(i), atemi_lane3(&end->linear, lane));
                atemi_set_lane3(&angular, atemi_lane(i), atemi_lane3(&end->angular, lane));
            }
        }
    }
    return (twist){pack3_load(&linear), pack3_load(&angular)};
}

void atemi_link_jacobian_rate(const atemi_model *model, const atemi_kinematics *kinematics,
                              int link, double *rate)
{
    ATEMI_REQUIRE(model && kinematics && link >= 0 && link < model->link_count);
    if (model->v_count == 0) {
        return;
    }
    ATEMI_REQUIRE(rate);
    const int   node = model->mountings[link].node, blocks = carrying_blocks(model, link);
    const pack3 x = pack3_of(atemi_link_place(model, kinematics, link));
    const pack3 u = pack3_of(atemi_link_velocity(model, kinematics, link).linear);

    memset(rate, 0, 6 * (size_t)model->v_count * sizeof *rate);
    for (int b = blocks - 1; b >= 0; --b) {
        const atemi_kinematics_block *k = &kinematics->blocks[b];
        const pack3 slide = pack3_load(&k->axis_linear), turn = pack3_load(&k->axis_angular);
        const twist v = end_velocity(model, kinematics, b);
        const pack3 angular = pack3_cross(v.angular, turn);
        const pack3 linear = pack3_add(pack3_cross(v.angular, slide), pack3_cross(v.linear, turn));
        const pack3 moved = pack3_add(pack3_cross(angular, x), pack3_cross(turn, u));
        const atemi_columns part =
            atemi_columns_of(pack3_add(linear, moved), angular, atemi_carriers(model, b, node));
        atemi_columns_write(model, b, &part, rate);
    }
}
