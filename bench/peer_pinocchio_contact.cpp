// SPDX-License-Identifier: Apache-2.0
//
// Pinocchio with both feet held fixed by six rows each, under the conditions of peer_pinocchio.cpp.
// It has several solvers for this; all that give the exact answer contend, each as a variant:
//
//     pv      pv(): Popov-Vereshchagin, mu = 0, one iteration
//     caba    constrainedABA(): proximal, so mu > 0 and a few iterations
//     lcaba   lcaba(): likewise
//     kkt     constraintDynamics(): its sparse factor of the whole system, mu = 0, one iteration
//     dense   crba in world convention (which leaves the Jacobian's columns as well),
//             nonLinearEffects, getFrameJacobian of both feet, forwardDynamics() with that J
//
// Six rows of Pinocchio's hold the spatial acceleration of the contact frame at zero, ours that of
// the sole's origin. The two differ by angular x linear velocity, and are the same in feet that do
// not move, as those of the states with v_still.
//
// Bumps: impulseDynamics() by "kkt", and the older one with J by "dense".

#include "pinocchio_model.hpp"

#include <pinocchio/algorithm/constrained-dynamics.hpp>
#include <pinocchio/algorithm/contact-dynamics.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/frames.hpp>
#include <pinocchio/algorithm/impulse-dynamics.hpp>
#include <pinocchio/algorithm/jacobian.hpp>
#include <pinocchio/algorithm/loop-constrained-aba.hpp>
#include <pinocchio/algorithm/pv.hpp>
#include <pinocchio/algorithm/rnea.hpp>

#include <cstdio>
#include <exception>
#include <vector>

namespace
{

enum class solver { pv, caba, lcaba, kkt, dense };

// Of the proximal solvers. A smaller mu converges faster and rounds worse.
// With these they agree to 2e-9, caba after four passes; with three it does not agree to 1e-8.
constexpr double proximal_mu = 1e-7, proximal_accuracy = 1e-6;
constexpr int    proximal_iterations = 10;

struct foot {
    JointIndex joint;
    SE3        placement;
};

struct peer {
    Model                                   model;
    Data                                    data;
    std::vector<Eigen::VectorXd>            q, v, v_still, tau;
    std::vector<foot>                       feet;
    std::vector<RigidConstraintModel>       contacts;
    std::vector<RigidConstraintData>        contact_data;
    std::vector<FrameAnchorConstraintModel> anchors;
    std::vector<FrameAnchorConstraintData>  anchor_data;
    ProximalSettings                        settings;
    Eigen::MatrixXd                         J;     // [12 x nv]
    Eigen::VectorXd                         drift; // [12]

    explicit peer(const Model &built)
        : model(built), data(model), J(Eigen::MatrixXd::Zero(12, model.nv)), drift(12)
    {
    }
};

// ---------------------------------------------------------------------------------------------
// Life

void add_foot(peer &self, const bench_link &link)
{
    const foot one{static_cast<JointIndex>(link.joint + 2),
                   make_placement(link.rotation, link.translation)};
    self.feet.push_back(one);
    self.contacts.emplace_back(CONTACT_6D, self.model, one.joint, one.placement, LOCAL);
    self.contact_data.emplace_back(self.contacts.back());
    self.anchors.emplace_back(self.model, one.joint, one.placement);
    self.anchor_data.emplace_back(self.anchors.back());
}

void prepare(peer &self, solver which)
{
    switch (which) {
    case solver::pv:
    case solver::caba:
        initPvSolver(self.model, self.data, self.anchors);
        break;
    case solver::lcaba:
        computeJointMinimalOrdering(self.model, self.data, self.contacts);
        break;
    default:
        initConstraintDynamics(self.model, self.data, self.contacts, self.contact_data);
    }
    self.settings = which == solver::caba || which == solver::lcaba
                        ? ProximalSettings(proximal_accuracy, proximal_mu, proximal_iterations)
                        : ProximalSettings(0, 0, 1);
}

template <solver which>
void *create(const bench_robot *robot, const bench_states *states, char *error)
try {
    peer *self = new peer(make_model(*robot));
    for (int i = 0; i < robot->foot_count; i++)
        add_foot(*self, robot->feet[i]);
    for (int i = 0; robot->foot_count && i < states->count; i++) {
        self->q.push_back(make_configuration(self->model, *robot, states->q + i * robot->q_count));
        self->v.push_back(make_row(*robot, states->v, i));
        self->v_still.push_back(make_row(*robot, states->v_still, i));
        self->tau.push_back(make_row(*robot, states->tau, i));
    }
    prepare(*self, which);
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

/// J, from the joints' axes that crba has left. Its pattern of zeros does not change.
void fill_jacobian(peer &self)
{
    for (std::size_t i = 0; i < self.feet.size(); i++) {
        const foot &at = self.feet[i];
        getFrameJacobian(self.model, self.data, at.joint, at.placement, LOCAL,
                         self.J.middleRows<6>(static_cast<Eigen::Index>(6 * i)));
    }
}

/// dJ/dt v: accelerations of the feet without joint accelerations. Those that nonLinearEffects has
/// left are relative to free fall.
void fill_drift(peer &self)
{
    for (std::size_t i = 0; i < self.feet.size(); i++) {
        const foot  &at = self.feet[i];
        const Motion gravity = self.data.oMi[at.joint].actInv(self.model.gravity);
        self.drift.segment<6>(static_cast<Eigen::Index>(6 * i)) =
            at.placement.actInv(self.data.a_gf[at.joint] + gravity).toVector();
    }
}

template <solver which> void run_constrained_dynamics(void *object, int state)
{
    peer                  &self = *static_cast<peer *>(object);
    const Eigen::VectorXd &q = self.q[state], &v = self.v_still[state], &tau = self.tau[state];
    if constexpr (which == solver::pv)
        pv(self.model, self.data, q, v, tau, self.anchors, self.anchor_data, self.settings);
    else if constexpr (which == solver::caba)
        constrainedABA(self.model, self.data, q, v, tau, self.anchors, self.anchor_data,
                       self.settings);
    else if constexpr (which == solver::lcaba) {
        for (const foot &at : self.feet) // or it takes the last call's accelerations for a drift
            self.data.oa[at.joint].setZero();
        lcaba(self.model, self.data, q, v, tau, self.contacts, self.contact_data, self.settings);
    } else if constexpr (which == solver::kkt)
        constraintDynamics(self.model, self.data, q, v, tau, self.contacts, self.contact_data,
                           self.settings);
    else {
        crba(self.model, self.data, q, Convention::WORLD);
        nonLinearEffects(self.model, self.data, q, v);
        fill_jacobian(self);
        fill_drift(self);
        forwardDynamics(self.model, self.data, tau, self.J, self.drift);
    }
}

template <solver which> void run_impulse(void *object, int state)
{
    peer                  &self = *static_cast<peer *>(object);
    const Eigen::VectorXd &q = self.q[state], &v = self.v[state];
    if constexpr (which == solver::kkt)
        impulseDynamics(self.model, self.data, q, v, self.contacts, self.contact_data, 0.0,
                        self.settings);
    else {
        crba(self.model, self.data, q, Convention::WORLD);
        fill_jacobian(self);
        impulseDynamics(self.model, self.data, v, self.J, 0.0, 0.0);
    }
}

// ---------------------------------------------------------------------------------------------

void read_result(void *object, bench_operation operation, int, double *result)
{
    peer                       &self = *static_cast<peer *>(object);
    Eigen::Map<Eigen::VectorXd> vector(result, self.model.nv);
    vector = operation == BENCH_IMPULSE ? self.data.dq_after : self.data.ddq;
}

template <solver which> bench_contender variant(const char *build, bool bumps)
{
    bench_contender one = {"pinocchio",   PINOCCHIO_VERSION, build, BENCH_COMPILER,
                           create<which>, destroy,           {},    read_result};
    one.run[BENCH_CONSTRAINED_DYNAMICS] = run_constrained_dynamics<which>;
    if (bumps)
        one.run[BENCH_IMPULSE] = run_impulse<which>;
    return one;
}

} // namespace

const bench_contender *bench_contenders(int *count)
{
    static const bench_contender variants[] = {
        variant<solver::pv>(BENCH_BUILD " pv", false),
        variant<solver::caba>(BENCH_BUILD " caba", false),
        variant<solver::lcaba>(BENCH_BUILD " lcaba", false),
        variant<solver::kkt>(BENCH_BUILD " kkt", true),
        variant<solver::dense>(BENCH_BUILD " dense", true),
    };
    *count = sizeof variants / sizeof *variants;
    return variants;
}
