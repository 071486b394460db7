// SPDX-License-Identifier: Apache-2.0
//
// Pinocchio in the loop of a blow: both feet held fixed by six rows each, by those of its solvers
// that peer_pinocchio_contact.cpp finds fastest, and by the one that is most used.
//
//     caba    constrainedABA(): proximal, settings as there
//     kkt     constraintDynamics(), mu = 0, one iteration

#include "impact_dynamics.h"
#include "pinocchio_model.hpp"

#include <pinocchio/algorithm/constrained-dynamics.hpp>
#include <pinocchio/algorithm/pv.hpp>

#include <cstdio>
#include <exception>
#include <vector>

namespace
{

enum class solver { caba, kkt };

struct peer {
    const bench_robot                      &robot;
    Model                                   model;
    Data                                    data;
    Eigen::VectorXd                         q;
    std::vector<RigidConstraintModel>       contacts;
    std::vector<RigidConstraintData>        contact_data;
    std::vector<FrameAnchorConstraintModel> anchors;
    std::vector<FrameAnchorConstraintData>  anchor_data;
    ProximalSettings                        settings;

    explicit peer(const bench_robot &from)
        : robot(from), model(make_model(from)), data(model), q(model.nq), settings(0, 0, 1)
    {
        model.gravity.setZero();
    }
};

void add_foot(peer &self, const bench_link &link)
{
    const JointIndex joint = static_cast<JointIndex>(link.joint + 2);
    const SE3        placement = make_placement(link.rotation, link.translation);
    self.contacts.emplace_back(CONTACT_6D, self.model, joint, placement, LOCAL);
    self.contact_data.emplace_back(self.contacts.back());
    self.anchors.emplace_back(self.model, joint, placement);
    self.anchor_data.emplace_back(self.anchors.back());
}

template <solver which> void *create(const bench_robot *robot, char *error)
try {
    peer *self = new peer(*robot);
    for (int i = 0; i < robot->foot_count; i++)
        add_foot(*self, robot->feet[i]);
    if constexpr (which == solver::caba) {
        initPvSolver(self->model, self->data, self->anchors);
        self->settings = ProximalSettings(1e-6, 1e-7, 10);
    } else
        initConstraintDynamics(self->model, self->data, self->contacts, self->contact_data);
    return self;
} catch (const std::exception &problem) {
    std::snprintf(error, BENCH_ERROR_SIZE, "%s", problem.what());
    return nullptr;
}

void destroy(void *self)
{
    delete static_cast<peer *>(self);
}

template <solver which>
void accelerate(void *object, const double *q, const double *v, const double *tau, double *a)
{
    peer                                   &self = *static_cast<peer *>(object);
    const Eigen::Map<const Eigen::VectorXd> rates(v, self.model.nv), torques(tau, self.model.nv);
    self.q = make_configuration(self.model, self.robot, q);
    if constexpr (which == solver::caba)
        constrainedABA(self.model, self.data, self.q, rates, torques, self.anchors,
                       self.anchor_data, self.settings);
    else
        constraintDynamics(self.model, self.data, self.q, rates, torques, self.contacts,
                           self.contact_data, self.settings);
    Eigen::Map<Eigen::VectorXd>(a, self.model.nv) = self.data.ddq;
}

template <solver which> bench_dynamics variant(const char *build)
{
    return {"pinocchio", PINOCCHIO_VERSION, build, BENCH_COMPILER, create<which>,
            destroy,     accelerate<which>};
}

} // namespace

const bench_dynamics *bench_dynamics_list(int *count)
{
    static const bench_dynamics variants[] = {variant<solver::caba>(BENCH_BUILD " caba"),
                                              variant<solver::kkt>(BENCH_BUILD " kkt")};
    *count = sizeof variants / sizeof *variants;
    return variants;
}
