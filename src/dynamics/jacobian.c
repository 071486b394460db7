// SPDX-License-Identifier: Apache-2.0

#include "atemi/contract.h"
#include "dynamics/blocks.h"

#include <string.h>

// With x the link's origin and u = v + omega x x its velocity, the column of node i that carries it:
//
//   J_i      = (S_lin + S_ang x x, S_ang)
//   dJ_i/dt  = (dS_lin + dS_ang x x + S_ang x u, dS_ang),   dS = v_b x S
//
// where v_b is the velocity of the body at the end of the node's joint, in which S is fixed.

static void add_column(const atemi_model *model, int node, atemi_motion column, double *J)
{
    const size_t            n = (size_t)model->v_count;
    const atemi_node_drive *drive = &model->drives[node];
    const double            rows[6] = {column.linear.x,  column.linear.y,  column.linear.z,
                                       column.angular.x, column.angular.y, column.angular.z};
    for (size_t row = 0; row < 6; ++row) {
        J[row * n + (size_t)drive->v] += drive->scale * rows[row];
    }
}

static atemi_motion axis_of(const atemi_kinematics *k, int node)
{
    const atemi_kinematics_block *block = &k->blocks[atemi_block(node)];
    const int                     lane = atemi_lane(node);
    return (atemi_motion){atemi_lane3(&block->axis_linear, lane),
                          atemi_lane3(&block->axis_angular, lane)};
}

static atemi_motion velocity_of(const atemi_kinematics *k, int node)
{
    const atemi_kinematics_block *block = &k->blocks[atemi_block(node)];
    const int                     lane = atemi_lane(node);
    return (atemi_motion){atemi_lane3(&block->linear, lane), atemi_lane3(&block->angular, lane)};
}

// The last node of the joint that a node belongs to.
static int end_of_joint(const atemi_model *model, int node)
{
    for (int j = 0; j < model->multi_joint_count; ++j) {
        const atemi_multi_joint *joint = &model->multi_joints[j];
        if (node >= joint->first_node && node <= joint->last_node) {
            return joint->last_node;
        }
    }
    return node;
}

void atemi_link_jacobian(const atemi_model *model, const atemi_kinematics *kinematics, int link,
                         double *J)
{
    ATEMI_REQUIRE(model && kinematics && link >= 0 && link < model->link_count);
    ATEMI_REQUIRE(J || !model->v_count);
    const atemi_vec3 x =
        atemi_vec3_sub(atemi_link_pose(model, kinematics, link).position, kinematics->origin);

    memset(J, 0, 6 * (size_t)model->v_count * sizeof *J);
    for (int i = model->mountings[link].node; i != ATEMI_NONE; i = model->parents[i]) {
        add_column(model, i, atemi_motion_at(axis_of(kinematics, i), x), J);
    }
}

void atemi_link_jacobian_rate(const atemi_model *model, const atemi_kinematics *kinematics,
                              int link, double *rate)
{
    ATEMI_REQUIRE(model && kinematics && link >= 0 && link < model->link_count);
    ATEMI_REQUIRE(rate || !model->v_count);
    const atemi_vec3 x =
        atemi_vec3_sub(atemi_link_pose(model, kinematics, link).position, kinematics->origin);
    const atemi_vec3 u = atemi_link_velocity(model, kinematics, link).linear;

    memset(rate, 0, 6 * (size_t)model->v_count * sizeof *rate);
    for (int i = model->mountings[link].node; i != ATEMI_NONE; i = model->parents[i]) {
        const atemi_motion S = axis_of(kinematics, i);
        const atemi_motion turned =
            atemi_motion_cross(velocity_of(kinematics, end_of_joint(model, i)), S);
        atemi_motion column = atemi_motion_at(turned, x);
        column.linear = atemi_vec3_add(column.linear, atemi_vec3_cross(S.angular, u));
        add_column(model, i, column, rate);
    }
}
