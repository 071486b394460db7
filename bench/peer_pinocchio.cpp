// SPDX-License-Identifier: Apache-2.0
//
// Pinocchio as a contender, at its best: its templates are instantiated here, with the flags of
// this translation unit, none of the generic code of the wheel is linked; data is allocated before,
// vectors are plain (no Map), results stay where the algorithm leaves them.
//
// What stands for what
//
//     inverse dynamics   rnea(model, data, q, v, a)
//     mass matrix        crba(model, data, q, convention): only the upper triangle of M is written
//     factor + solve     crba, cholesky::decompose, cholesky::solve in place
//     forward dynamics   aba(model, data, q, v, tau, convention)
//     jacobians          computeJointJacobians(model, data, q)
//     link jacobians     the same, then getJointJacobian(LOCAL_WORLD_ALIGNED) for every joint into
//                        matrices that were zeroed once (the pattern of zeros does not change)
//     momentum matrix    computeCentroidalMap(model, data, q)
//
// "local" and "world" are the two ways in which Pinocchio runs crba and aba; both contend.

#include "bench.h"

#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/centroidal.hpp>
#include <pinocchio/algorithm/cholesky.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/jacobian.hpp>
#include <pinocchio/algorithm/rnea.hpp>

#include <cstdio>
#include <exception>
#include <vector>

#ifdef PINOCCHIO_ENABLE_TEMPLATE_INSTANTIATION
#error "the algorithms must be compiled here, not taken from the wheel's generic library"
#endif

namespace
{

using namespace pinocchio;
using row_matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr JointIndex base_index = 1; // 0 is the world

struct peer {
    Model                        model;
    Data                         data;
    std::vector<Eigen::VectorXd> q, v, a, tau;
    Eigen::VectorXd              solution;
    std::vector<Data::Matrix6x>  jacobians; // by joint index

    explicit peer(const Model &built)
        : model(built), data(model), solution(model.nv),
          jacobians(model.njoints, Data::Matrix6x::Zero(6, model.nv))
    {
    }
};

// ---------------------------------------------------------------------------------------------
// The model from the table

Inertia make_inertia(const bench_body &body)
{
    using row_matrix3 = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;
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

Model make_model(const bench_robot &robot)
{
    using row_matrix3 = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;
    Model model;
    model.addJoint(0, JointModelFreeFlyer(), SE3::Identity(), "root_joint");
    model.appendBodyToJoint(base_index, make_inertia(robot.base), SE3::Identity());
    for (int i = 0; i < robot.joint_count; i++) {
        const bench_joint &joint = robot.joints[i];
        const SE3          placement(Eigen::Map<const row_matrix3>(joint.rotation),
                                     Eigen::Map<const Eigen::Vector3d>(joint.translation));
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

void add_state(peer &self, const bench_robot &robot, const bench_states &states, int index)
{
    const auto row = [&](const double *rows) -> Eigen::VectorXd {
        return Eigen::Map<const Eigen::VectorXd>(rows + index * robot.v_count, robot.v_count);
    };
    self.q.push_back(make_configuration(self.model, robot, states.q + index * robot.q_count));
    self.v.push_back(row(states.v));
    self.a.push_back(row(states.a));
    self.tau.push_back(row(states.tau));
}

void *create(const bench_robot *robot, const bench_states *states, char *error)
try {
    peer *self = new peer(make_model(*robot));
    for (int i = 0; i < states->count; i++)
        add_state(*self, *robot, *states, i);
    return self;
} catch (const std::exception &problem) {
    std::snprintf(error, BENCH_ERROR_SIZE, "%s", problem.what());
    return nullptr;
}

void destroy(void *self)
{
    delete static_cast<peer *>(self);
}

// ---------------------------------------------------------------------------------------------
// What is timed

void run_inverse_dynamics(void *object, int state)
{
    peer &self = *static_cast<peer *>(object);
    rnea(self.model, self.data, self.q[state], self.v[state], self.a[state]);
}

template <Convention convention> void run_mass_matrix(void *object, int state)
{
    peer &self = *static_cast<peer *>(object);
    crba(self.model, self.data, self.q[state], convention);
}

template <Convention convention> void run_factor_solve(void *object, int state)
{
    peer &self = *static_cast<peer *>(object);
    crba(self.model, self.data, self.q[state], convention);
    cholesky::decompose(self.model, self.data);
    self.solution = self.tau[state];
    cholesky::solve(self.model, self.data, self.solution);
}

template <Convention convention> void run_forward_dynamics(void *object, int state)
{
    peer &self = *static_cast<peer *>(object);
    aba(self.model, self.data, self.q[state], self.v[state], self.tau[state], convention);
}

void run_jacobians(void *object, int state)
{
    peer &self = *static_cast<peer *>(object);
    computeJointJacobians(self.model, self.data, self.q[state]);
}

void run_link_jacobians(void *object, int state)
{
    peer &self = *static_cast<peer *>(object);
    computeJointJacobians(self.model, self.data, self.q[state]);
    for (JointIndex i = base_index; i < self.jacobians.size(); i++)
        getJointJacobian(self.model, self.data, i, LOCAL_WORLD_ALIGNED, self.jacobians[i]);
}

void run_momentum_matrix(void *object, int state)
{
    peer &self = *static_cast<peer *>(object);
    computeCentroidalMap(self.model, self.data, self.q[state]);
}

// ---------------------------------------------------------------------------------------------

void read_result(void *object, bench_operation operation, int, double *result)
{
    peer                       &self = *static_cast<peer *>(object);
    const Data                 &data = self.data;
    const Eigen::Index          n = self.model.nv;
    Eigen::Map<Eigen::VectorXd> vector(result, n);
    Eigen::Map<row_matrix>      wide(result, 6, n), square(result, n, n);
    switch (operation) {
    case BENCH_INVERSE_DYNAMICS:
        vector = data.tau;
        break;
    case BENCH_MASS_MATRIX:
        square = data.M.selfadjointView<Eigen::Upper>();
        break;
    case BENCH_FACTOR_SOLVE:
        vector = self.solution;
        break;
    case BENCH_FORWARD_DYNAMICS:
        vector = data.ddq;
        break;
    case BENCH_JACOBIANS:
        wide = data.J;
        break;
    case BENCH_LINK_JACOBIANS:
        for (std::size_t i = base_index; i < self.jacobians.size(); i++)
            Eigen::Map<row_matrix>(result + (i - base_index) * 6 * n, 6, n) = self.jacobians[i];
        break;
    case BENCH_MOMENTUM_MATRIX:
        wide = data.Ag;
        break;
    default:
        break;
    }
}

const bench_contender variants[] = {
    {"pinocchio",
     PINOCCHIO_VERSION,
     BENCH_BUILD " local",
     BENCH_COMPILER,
     create,
     destroy,
     {run_inverse_dynamics, run_mass_matrix<Convention::LOCAL>, run_factor_solve<Convention::LOCAL>,
      run_forward_dynamics<Convention::LOCAL>, run_jacobians, run_link_jacobians,
      run_momentum_matrix},
     read_result},
    {"pinocchio",
     PINOCCHIO_VERSION,
     BENCH_BUILD " world",
     BENCH_COMPILER,
     create,
     destroy,
     {nullptr, run_mass_matrix<Convention::WORLD>, run_factor_solve<Convention::WORLD>,
      run_forward_dynamics<Convention::WORLD>, nullptr, nullptr, nullptr},
     read_result},
};

} // namespace

const bench_contender *bench_contenders(int *count)
{
    *count = sizeof variants / sizeof *variants;
    return variants;
}
