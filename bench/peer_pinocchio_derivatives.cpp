// SPDX-License-Identifier: Apache-2.0
//
// Pinocchio's derivatives, under the conditions of peer_pinocchio.cpp.
//
// What stands for what
//
//     inverse      computeRNEADerivatives(): dtau_da only as its upper triangle
//     forward      computeABADerivatives()
//     motion       computeForwardKinematicsDerivatives()
//     link         the same, then getJointAccelerationDerivatives(LOCAL) for every joint into
//                  matrices that were zeroed once
//     momentum     computeCentroidalDynamicsDerivatives()
//     constrained  constraintDynamics(), computeConstraintDynamicsDerivatives(), both feet fixed
//     impulse      impulseDynamics(), computeImpulseDynamicsDerivatives(), likewise
//
// Its derivatives of links are those of spatial velocity and acceleration in the link's own axes.
// They are brought to ours (of the point at the link's origin, in world axes) when they are read.

#include "pinocchio_model.hpp"

#include <pinocchio/algorithm/aba-derivatives.hpp>
#include <pinocchio/algorithm/centroidal-derivatives.hpp>
#include <pinocchio/algorithm/constrained-dynamics-derivatives.hpp>
#include <pinocchio/algorithm/constrained-dynamics.hpp>
#include <pinocchio/algorithm/impulse-dynamics-derivatives.hpp>
#include <pinocchio/algorithm/impulse-dynamics.hpp>
#include <pinocchio/algorithm/kinematics-derivatives.hpp>
#include <pinocchio/algorithm/rnea-derivatives.hpp>

#include <cstdio>
#include <exception>
#include <vector>

namespace
{

using row_matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

struct link_matrices {
    Data::Matrix6x v_dq, a_dq, a_dv, a_da;

    explicit link_matrices(Eigen::Index n)
        : v_dq(Data::Matrix6x::Zero(6, n)), a_dq(v_dq), a_dv(v_dq), a_da(v_dq)
    {
    }
};

struct peer {
    Model                             model;
    Data                              data, contact;
    std::vector<Eigen::VectorXd>      q, v, v_still, a, tau;
    std::vector<link_matrices>        links; // by joint index
    Data::Matrix6x                    h_dq, rate_dq, rate_dv, rate_da;
    std::vector<RigidConstraintModel> contacts;
    std::vector<RigidConstraintData>  contact_data;
    ProximalSettings                  settings{0, 0, 1};

    explicit peer(const Model &built)
        : model(built), data(model), contact(model), links(model.njoints, link_matrices(model.nv)),
          h_dq(6, model.nv), rate_dq(h_dq), rate_dv(h_dq), rate_da(h_dq)
    {
    }
};

// ---------------------------------------------------------------------------------------------
// Life

void add_state(peer &self, const bench_robot &robot, const bench_states &states, int index)
{
    self.q.push_back(make_configuration(self.model, robot, states.q + index * robot.q_count));
    self.v.push_back(make_row(robot, states.v, index));
    if (states.v_still)
        self.v_still.push_back(make_row(robot, states.v_still, index));
    self.a.push_back(make_row(robot, states.a, index));
    self.tau.push_back(make_row(robot, states.tau, index));
}

void *create(const bench_robot *robot, const bench_states *states, char *error)
try {
    peer *self = new peer(make_model(*robot));
    for (int i = 0; i < robot->foot_count; i++) {
        const bench_link &link = robot->feet[i];
        self->contacts.emplace_back(CONTACT_6D, self->model,
                                    static_cast<JointIndex>(link.joint + 2),
                                    make_placement(link.rotation, link.translation), LOCAL);
        self->contact_data.emplace_back(self->contacts.back());
    }
    for (int i = 0; i < states->count; i++)
        add_state(*self, *robot, *states, i);
    initConstraintDynamics(self->model, self->contact, self->contacts, self->contact_data);
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

void run_inverse(void *object, int state)
{
    peer &self = *static_cast<peer *>(object);
    computeRNEADerivatives(self.model, self.data, self.q[state], self.v[state], self.a[state]);
}

void run_forward(void *object, int state)
{
    peer &self = *static_cast<peer *>(object);
    computeABADerivatives(self.model, self.data, self.q[state], self.v[state], self.tau[state]);
}

void run_motion(void *object, int state)
{
    peer &self = *static_cast<peer *>(object);
    computeForwardKinematicsDerivatives(self.model, self.data, self.q[state], self.v[state],
                                        self.a[state]);
}

void get_links(peer &self)
{
    for (JointIndex i = base_index; i < self.links.size(); i++) {
        link_matrices &to = self.links[i];
        getJointAccelerationDerivatives(self.model, self.data, i, LOCAL, to.v_dq, to.a_dq, to.a_dv,
                                        to.a_da);
    }
}

void run_link(void *object, int state)
{
    run_motion(object, state);
    get_links(*static_cast<peer *>(object));
}

void run_momentum(void *object, int state)
{
    peer &self = *static_cast<peer *>(object);
    computeCentroidalDynamicsDerivatives(self.model, self.data, self.q[state], self.v[state],
                                         self.a[state], self.h_dq, self.rate_dq, self.rate_dv,
                                         self.rate_da);
}

void run_constrained(void *object, int state)
{
    peer &self = *static_cast<peer *>(object);
    constraintDynamics(self.model, self.contact, self.q[state], self.v_still[state],
                       self.tau[state], self.contacts, self.contact_data, self.settings);
    computeConstraintDynamicsDerivatives(self.model, self.contact, self.contacts, self.contact_data,
                                         self.settings);
}

void run_impulse(void *object, int state)
{
    peer &self = *static_cast<peer *>(object);
    self.contact.dvc_dq.setZero(); // or it adds to what the last call left between branches
    impulseDynamics(self.model, self.contact, self.q[state], self.v[state], self.contacts,
                    self.contact_data, 0.0, self.settings);
    computeImpulseDynamicsDerivatives(self.model, self.contact, self.contacts, self.contact_data,
                                      0.0, self.settings);
}

// ---------------------------------------------------------------------------------------------
// Results

/// a x b, column by column of b.
Eigen::Matrix3Xd cross(const Eigen::Vector3d &a, const Eigen::Matrix3Xd &b)
{
    return skew(a) * b;
}

/// With Y, S and the derivatives of spatial acceleration at the link's origin in world axes,
/// velocity (u, w) there and acceleration a = spatial + w x u:
///     dv/dq = Y + S_ang x (u, w)
///     da/dq = spatial + Y_ang x u + w x Y_lin + S_ang x a,   angular: spatial + S_ang x alpha
///     da/dv = spatial + S_ang x u + w x S_lin
void read_link(const peer &self, JointIndex joint, double *result)
{
    const Eigen::Index     n = self.model.nv;
    const Eigen::Matrix3d &R = self.data.oMi[joint].rotation();
    const Eigen::Vector3d u = R * self.data.v[joint].linear(), w = R * self.data.v[joint].angular();
    const Eigen::Vector3d a = R * self.data.a[joint].linear() + w.cross(u);
    const Eigen::Vector3d alpha = R * self.data.a[joint].angular();
    const auto            world = [&](const Data::Matrix6x &from) {
        Data::Matrix6x to(6, n);
        to << R * from.topRows<3>(), R * from.bottomRows<3>();
        return to;
    };
    const link_matrices   &from = self.links[joint];
    const Data::Matrix6x   Y = world(from.v_dq), S = world(from.a_da);
    Data::Matrix6x         a_dq = world(from.a_dq), a_dv = world(from.a_dv), v_dq = Y;
    const Eigen::Matrix3Xd turn = S.bottomRows<3>(), Y_turn = Y.bottomRows<3>();
    v_dq.topRows<3>() -= cross(u, turn);
    v_dq.bottomRows<3>() -= cross(w, turn);
    a_dq.topRows<3>() += -cross(u, Y_turn) + cross(w, Y.topRows<3>()) - cross(a, turn);
    a_dq.bottomRows<3>() -= cross(alpha, turn);
    a_dv.topRows<3>() += -cross(u, turn) + cross(w, S.topRows<3>());
    const Data::Matrix6x *all[] = {&v_dq, &a_dq, &a_dv, &S};
    for (int i = 0; i < 4; i++)
        Eigen::Map<row_matrix>(result + i * 6 * n, 6, n) = *all[i];
}

void read_result(void *object, bench_operation operation, int, double *result)
{
    peer                  &self = *static_cast<peer *>(object);
    const Eigen::Index     n = self.model.nv;
    Eigen::Map<row_matrix> one(result, n, n), two(result + n * n, n, n);
    Eigen::Map<row_matrix> three(result + (operation == BENCH_IMPULSE_DERIVATIVES ? 0 : 2 * n * n),
                                 n, n);
    switch (operation) {
    case BENCH_INVERSE_DERIVATIVES:
        one = self.data.dtau_dq;
        two = self.data.dtau_dv;
        three = self.data.M.selfadjointView<Eigen::Upper>();
        break;
    case BENCH_FORWARD_DERIVATIVES:
        one = self.data.ddq_dq;
        two = self.data.ddq_dv;
        three = self.data.Minv;
        break;
    case BENCH_MOTION_DERIVATIVES:
        get_links(self);
        [[fallthrough]];
    case BENCH_LINK_DERIVATIVES:
        for (JointIndex i = base_index; i < self.links.size(); i++)
            read_link(self, i, result + static_cast<Eigen::Index>(i - base_index) * 24 * n);
        break;
    case BENCH_MOMENTUM_DERIVATIVES: {
        const Data::Matrix6x *all[] = {&self.h_dq, &self.rate_dq, &self.rate_dv, &self.rate_da};
        for (int i = 0; i < 4; i++)
            Eigen::Map<row_matrix>(result + i * 6 * n, 6, n) = *all[i];
        break;
    }
    case BENCH_CONSTRAINED_DERIVATIVES:
        one = self.contact.ddq_dq;
        two = self.contact.ddq_dv;
        three = self.contact.ddq_dtau;
        break;
    case BENCH_IMPULSE_DERIVATIVES: // of the change of velocity
        one = self.contact.ddq_dq;
        two = self.contact.ddq_dv + Eigen::MatrixXd::Identity(n, n);
        break;
    default:
        break;
    }
}

} // namespace

const bench_contender *bench_contenders(int *count)
{
    static bench_contender variant = {"pinocchio", PINOCCHIO_VERSION, BENCH_BUILD, BENCH_COMPILER,
                                      create,      destroy,           {},          read_result};
    variant.run[BENCH_INVERSE_DERIVATIVES] = run_inverse;
    variant.run[BENCH_FORWARD_DERIVATIVES] = run_forward;
    variant.run[BENCH_MOTION_DERIVATIVES] = run_motion;
    variant.run[BENCH_LINK_DERIVATIVES] = run_link;
    variant.run[BENCH_MOMENTUM_DERIVATIVES] = run_momentum;
    variant.run[BENCH_CONSTRAINED_DERIVATIVES] = run_constrained;
    variant.run[BENCH_IMPULSE_DERIVATIVES] = run_impulse;
    *count = 1;
    return &variant;
}
