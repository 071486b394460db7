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
// "local" and "world" are the two ways in which Pinocchio runs crba and aba; both contend. Contact
// is in peer_pinocchio_contact.cpp.

#include "pinocchio_model.hpp"

#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/centroidal.hpp>
#include <pinocchio/algorithm/cholesky.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/jacobian.hpp>
#include <pinocchio/algorithm/rnea.hpp>

#include <cstdio>
#include <exception>
#include <vector>

namespace
{

using row_matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

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
// Life

void add_state(peer &self, const bench_robot &robot, const bench_states &states, int index)
{
    self.q.push_back(make_configuration(self.model, robot, states.q + index * robot.q_count));
    self.v.push_back(make_row(robot, states.v, index));
    self.a.push_back(make_row(robot, states.a, index));
    self.tau.push_back(make_row(robot, states.tau, index));
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
