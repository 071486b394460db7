// SPDX-License-Identifier: Apache-2.0
//
// The robots and states of the benchmark as Pinocchio's: what its contenders share.

#pragma once

#include "bench.h"

#include <pinocchio/multibody.hpp>
#include <pinocchio/multibody/joint.hpp>

#include <cmath>

#ifdef PINOCCHIO_ENABLE_TEMPLATE_INSTANTIATION
#error "the algorithms must be compiled here, not taken from the wheel's generic library"
#endif

namespace
{

using namespace pinocchio;

constexpr JointIndex base_index = 1; // 0 is the world

// ---------------------------------------------------------------------------------------------
// The model from the table

using row_matrix3 = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

Inertia make_inertia(const bench_body &body)
{
    const Eigen::Matrix3d about_com = Eigen::Map<const row_matrix3>(body.inertia);
    return Inertia(body.mass, Eigen::Map<const Eigen::Vector3d>(body.com), Symmetric3(about_com));
}

/// The specialized joint where the axis is a coordinate axis, as Pinocchio's own parser does.
template <typename X, typename Y, typename Z, typename Unaligned>
JointModel make_along(const Eigen::Vector3d &axis)
{
    if (axis == Eigen::Vector3d::UnitX())
        return X();
    if (axis == Eigen::Vector3d::UnitY())
        return Y();
    if (axis == Eigen::Vector3d::UnitZ())
        return Z();
    return Unaligned(axis);
}

JointModel make_joint(const bench_joint &joint)
{
    const Eigen::Vector3d axis(joint.axis[0], joint.axis[1], joint.axis[2]);
    switch (joint.kind) {
    case BENCH_PRISMATIC:
        return make_along<JointModelPX, JointModelPY, JointModelPZ, JointModelPrismaticUnaligned>(
            axis);
    case BENCH_CONTINUOUS:
        return make_along<JointModelRUBX, JointModelRUBY, JointModelRUBZ,
                          JointModelRevoluteUnboundedUnaligned>(axis);
    default:
        return make_along<JointModelRX, JointModelRY, JointModelRZ, JointModelRevoluteUnaligned>(
            axis);
    }
}

SE3 make_placement(const double *rotation, const double *translation)
{
    return SE3(Eigen::Map<const row_matrix3>(rotation),
               Eigen::Map<const Eigen::Vector3d>(translation));
}

Model make_model(const bench_robot &robot)
{
    Model model;
    model.addJoint(0, JointModelFreeFlyer(), SE3::Identity(), "root_joint");
    model.appendBodyToJoint(base_index, make_inertia(robot.base), SE3::Identity());
    for (int i = 0; i < robot.joint_count; i++) {
        const bench_joint &joint = robot.joints[i];
        const SE3          placement = make_placement(joint.rotation, joint.translation);
        const JointIndex   index = model.addJoint(static_cast<JointIndex>(joint.parent + 2),
                                                  make_joint(joint), placement, joint.name);
        model.appendBodyToJoint(index, make_inertia(joint.body), SE3::Identity());
        model.armature[model.idx_vs[index]] = joint.armature;
    }
    return model;
}

// ---------------------------------------------------------------------------------------------
// The states. The table is in Pinocchio's order; only unlimited joints, (cos, sin) there, differ.

Eigen::VectorXd make_configuration(const Model &model, const bench_robot &robot, const double *from)
{
    Eigen::VectorXd q(model.nq);
    q.head<7>() = Eigen::Map<const Eigen::Matrix<double, 7, 1>>(from);
    for (int i = 0; i < robot.joint_count; i++) {
        const int at = model.idx_qs[static_cast<std::size_t>(i + 2)];
        if (robot.joints[i].kind == BENCH_CONTINUOUS)
            q.segment<2>(at) << std::cos(from[7 + i]), std::sin(from[7 + i]);
        else
            q[at] = from[7 + i];
    }
    return q;
}

Eigen::VectorXd make_row(const bench_robot &robot, const double *rows, int index)
{
    return Eigen::Map<const Eigen::VectorXd>(rows + index * robot.v_count, robot.v_count);
}

} // namespace
