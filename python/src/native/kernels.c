// SPDX-License-Identifier: Apache-2.0

#include "kernels.h"

#include <string.h>

typedef const atemi_worker            Worker;
typedef const atemi_kernel_parameters Parameters;
typedef const double *const           Inputs;
typedef double *const                 Outputs;

#define UNUSED __attribute__((unused))
#define KERNEL(name)                                                                               \
    static atemi_status name(UNUSED Worker *worker, UNUSED Parameters *parameters, Inputs *in,     \
                             Outputs *out)

static void put_motion(double *out, atemi_motion motion)
{
    memcpy(out, &motion, sizeof motion);
}

/// Rotations are stored by columns; numpy's matrices by rows.
static void put_pose(double *rotation, double *position, atemi_transform pose)
{
    const atemi_vec3 *column = &pose.rotation.x;
    for (int i = 0; i < 3; ++i) {
        rotation[i] = column[i].x;
        rotation[3 + i] = column[i].y;
        rotation[6 + i] = column[i].z;
    }
    memcpy(position, &pose.position, sizeof pose.position);
}

/// What load cells in the joints with coordinates measure.
static void put_wrenches(Worker *worker, double *out)
{
    for (int i = 0; i < worker->joint_count; ++i) {
        atemi_force wrench = atemi_joint_wrench(worker->data, worker->joints[i]);
        memcpy(out + 6 * i, &wrench, sizeof wrench);
    }
}

static void put_report(const atemi_contact_report *report, double *out)
{
    out[0] = report->rows;
    out[1] = report->rank;
    out[2] = report->condition;
    out[3] = report->jamming;
}

static atemi_contact_set contact_set(Parameters *parameters)
{
    return (atemi_contact_set){
        .contacts = parameters->contacts,
        .count = parameters->contact_count,
        .restitution = parameters->restitutions,
    };
}

// ---- Configurations

KERNEL(integrate)
{
    atemi_configuration_integrate(worker->model, in[0], in[1], in[2][0], out[0]);
    return ATEMI_OK;
}

KERNEL(difference)
{
    atemi_configuration_difference(worker->model, in[0], in[1], out[0]);
    return ATEMI_OK;
}

// ---- Kinematics

KERNEL(link_pose)
{
    atemi_update_kinematics(worker->data, in[0], NULL, NULL);
    put_pose(out[0], out[1], atemi_link_pose(worker->data, parameters->link));
    return ATEMI_OK;
}

KERNEL(link_poses)
{
    atemi_update_kinematics(worker->data, in[0], NULL, NULL);
    int count = atemi_model_link_count(worker->model);
    for (int i = 0; i < count; ++i) {
        put_pose(out[0] + 9 * i, out[1] + 3 * i, atemi_link_pose(worker->data, i));
    }
    return ATEMI_OK;
}

KERNEL(link_velocity)
{
    atemi_update_kinematics(worker->data, in[0], in[1], NULL);
    put_motion(out[0], atemi_link_velocity(worker->data, parameters->link));
    return ATEMI_OK;
}

KERNEL(link_acceleration)
{
    atemi_update_kinematics(worker->data, in[0], in[1], in[2]);
    put_motion(out[0], atemi_link_acceleration(worker->data, parameters->link));
    return ATEMI_OK;
}

KERNEL(jacobian)
{
    atemi_update_kinematics(worker->data, in[0], NULL, NULL);
    atemi_link_jacobian(worker->data, parameters->link, out[0]);
    return ATEMI_OK;
}

KERNEL(jacobian_rate)
{
    atemi_update_kinematics(worker->data, in[0], in[1], NULL);
    atemi_link_jacobian_rate(worker->data, parameters->link, out[0]);
    return ATEMI_OK;
}

KERNEL(center_of_mass)
{
    atemi_update_kinematics(worker->data, in[0], NULL, NULL);
    atemi_vec3 center = atemi_center_of_mass(worker->data);
    memcpy(out[0], &center, sizeof center);
    return ATEMI_OK;
}

KERNEL(momentum)
{
    atemi_update_kinematics(worker->data, in[0], in[1], NULL);
    atemi_force momentum = atemi_momentum(worker->data);
    memcpy(out[0], &momentum, sizeof momentum);
    return ATEMI_OK;
}

KERNEL(energy)
{
    atemi_update_kinematics(worker->data, in[0], in[1], NULL);
    out[0][0] = atemi_kinetic_energy(worker->data);
    out[1][0] = atemi_potential_energy(worker->data);
    return ATEMI_OK;
}

// ---- Dynamics

static const atemi_force *forces_of(const double *external)
{
    return (const atemi_force *)external;
}

KERNEL(inverse_dynamics)
{
    atemi_inverse_dynamics(worker->data, in[0], in[1], in[2], forces_of(in[3]), out[0]);
    return ATEMI_OK;
}

KERNEL(joint_wrenches)
{
    atemi_inverse_dynamics(worker->data, in[0], in[1], in[2], forces_of(in[3]), worker->tau);
    put_wrenches(worker, out[0]);
    return ATEMI_OK;
}

KERNEL(mass_matrix)
{
    atemi_mass_matrix(worker->data, in[0], out[0]);
    return ATEMI_OK;
}

KERNEL(solve_mass_matrix)
{
    atemi_update_kinematics(worker->data, in[0], NULL, NULL);
    atemi_status status = atemi_update_factor(worker->data, NULL);
    if (!status) {
        memcpy(out[0], in[1], sizeof(double) * (size_t)atemi_model_v_count(worker->model));
        atemi_mass_solve(worker->data, out[0]);
    }
    return status;
}

KERNEL(forward_dynamics)
{
    return atemi_forward_dynamics(worker->data, in[0], in[1], in[2], forces_of(in[3]), out[0]);
}

KERNEL(momentum_matrix)
{
    atemi_momentum_matrix(worker->data, in[0], out[0]);
    return ATEMI_OK;
}

KERNEL(joint_friction)
{
    atemi_joint_friction(worker->model, in[0], out[0]);
    return ATEMI_OK;
}

// ---- Contacts

/// The published method has no external forces: here as the torques that they amount to.
static const double *torques_with(Worker *worker, Inputs *in, double *held)
{
    if (!in[3]) {
        return in[2];
    }
    int     count = atemi_model_v_count(worker->model);
    double *tau = worker->tau;
    atemi_inverse_dynamics(worker->data, in[0], NULL, NULL, NULL, held);
    atemi_inverse_dynamics(worker->data, in[0], NULL, NULL, forces_of(in[3]), tau);
    for (int i = 0; i < count; ++i) {
        tau[i] = in[2][i] + (held[i] - tau[i]);
    }
    return tau;
}

static atemi_status solve_contacts(Worker *worker, Parameters *parameters, Inputs *in, Outputs *out,
                                   atemi_contact_report *report)
{
    atemi_contact_set set = contact_set(parameters);
    atemi_force      *forces = (atemi_force *)out[1];
    if (!parameters->published) {
        return atemi_constrained_dynamics(worker->data, in[0], in[1], in[2], forces_of(in[3]), &set,
                                          out[0], forces, report);
    }
    const double *tau = torques_with(worker, in, out[0]);
    return atemi_extended_newton_euler(worker->data, in[0], in[1], tau, &set, out[0], forces,
                                       report);
}

/// The joints' wrenches are those of inverse dynamics with the contacts' forces acting.
KERNEL(constrained_dynamics)
{
    atemi_contact_report report = {0};
    atemi_status         status = solve_contacts(worker, parameters, in, out, &report);
    put_report(&report, out[3]);
    if (status) {
        return status;
    }
    size_t links = (size_t)atemi_model_link_count(worker->model);
    memset(worker->forces, 0, links * sizeof *worker->forces);
    if (in[3]) {
        memcpy(worker->forces, in[3], links * sizeof *worker->forces);
    }
    atemi_contact_set set = contact_set(parameters);
    atemi_update_kinematics(worker->data, in[0], NULL, NULL);
    atemi_contact_forces_add(worker->data, &set, (const atemi_force *)out[1], worker->forces);
    atemi_inverse_dynamics(worker->data, in[0], in[1], out[0], worker->forces, worker->tau);
    put_wrenches(worker, out[2]);
    return ATEMI_OK;
}

KERNEL(impulse)
{
    atemi_contact_report report = {0};
    atemi_contact_set    set = contact_set(parameters);
    atemi_status         status = atemi_collision_in_modes(worker->data, in[0], in[1], &set, out[0],
                                                           (atemi_force *)out[1], &report);
    put_report(&report, out[2]);
    return status;
}

// ---- Derivatives

KERNEL(inverse_dynamics_derivatives)
{
    atemi_inverse_dynamics_derivatives(worker->model, in[0], in[1], in[2], forces_of(in[3]),
                                       worker->derivatives, out[0], out[1], out[2], out[3]);
    return ATEMI_OK;
}

KERNEL(forward_dynamics_derivatives)
{
    return atemi_forward_dynamics_derivatives(worker->model, in[0], in[1], in[2], forces_of(in[3]),
                                              worker->derivatives, out[0], out[1], out[2], out[3]);
}

KERNEL(constrained_dynamics_derivatives)
{
    atemi_constrained_derivatives result = {
        .a = out[0],
        .forces = (atemi_force *)out[1],
        .dq = out[2],
        .dv = out[3],
        .dtau = out[4],
        .forces_dq = out[5],
        .forces_dv = out[6],
        .forces_dtau = out[7],
    };
    return atemi_constrained_dynamics_derivatives(
        worker->model, in[0], in[1], in[2], forces_of(in[3]), parameters->contacts,
        parameters->contact_count, worker->constrained, &result);
}

KERNEL(impulse_derivatives)
{
    atemi_constrained_derivatives result = {
        .a = out[0],
        .forces = (atemi_force *)out[1],
        .dq = out[2],
        .dv = out[3],
        .forces_dq = out[4],
        .forces_dv = out[5],
    };
    return atemi_impulse_derivatives(worker->model, in[0], in[1], parameters->contacts,
                                     parameters->contact_count, parameters->restitution,
                                     worker->constrained, &result);
}

KERNEL(link_derivatives)
{
    atemi_motion_derivatives_update(worker->model, in[0], in[1], in[2], worker->derivatives);
    atemi_link_derivatives(worker->model, worker->derivatives, parameters->link, parameters->point,
                           out[0], out[1], out[2], out[3]);
    return ATEMI_OK;
}

KERNEL(momentum_derivatives)
{
    atemi_derivatives_update(worker->model, in[0], in[1], in[2], NULL, worker->derivatives);
    atemi_momentum_derivatives(worker->model, worker->derivatives, out[0], out[1], out[2], out[3]);
    return ATEMI_OK;
}

KERNEL(center_of_mass_jacobian)
{
    atemi_derivatives_update(worker->model, in[0], NULL, NULL, NULL, worker->derivatives);
    atemi_center_of_mass_jacobian(worker->model, worker->derivatives, out[0]);
    return ATEMI_OK;
}

KERNEL(energy_gradients)
{
    atemi_derivatives_update(worker->model, in[0], in[1], NULL, NULL, worker->derivatives);
    atemi_kinetic_energy_gradient(worker->model, worker->derivatives, out[0], out[1]);
    atemi_potential_energy_gradient(worker->model, worker->derivatives, out[2]);
    return ATEMI_OK;
}

// ---- The table

#define Q {"q", "q", false}
#define V {"v", "v", false}
#define A {"a", "v", false}
#define TAU {"tau", "v", false}
#define EXTERNAL {"external", "L6", true}
#define DATA ATEMI_NEEDS_DATA
#define VARIED ATEMI_NEEDS_DERIVATIVES
#define CONSTRAINED ATEMI_NEEDS_CONSTRAINED_DERIVATIVES
#define OF(name) #name, name
#define SPEED {"speed", "", false}

const atemi_kernel atemi_kernels[] = {
    {OF(integrate), 0, {Q, V, {"dt", "", false}}, {"q"}},
    {OF(difference), 0, {{"q0", "q", false}, {"q1", "q", false}}, {"v"}},
    {OF(link_pose), DATA, {Q}, {"33", "3"}},
    {OF(link_poses), DATA, {Q}, {"L33", "L3"}},
    {OF(link_velocity), DATA, {Q, V}, {"6"}},
    {OF(link_acceleration), DATA, {Q, V, A}, {"6"}},
    {OF(jacobian), DATA, {Q}, {"6v"}},
    {OF(jacobian_rate), DATA, {Q, V}, {"6v"}},
    {OF(center_of_mass), DATA, {Q}, {"3"}},
    {OF(momentum), DATA, {Q, V}, {"6"}},
    {OF(energy), DATA, {Q, V}, {"", ""}},
    {OF(inverse_dynamics), DATA, {Q, {"v", "v", true}, {"a", "v", true}, EXTERNAL}, {"v"}},
    {OF(joint_wrenches), DATA, {Q, V, A, EXTERNAL}, {"J6"}},
    {OF(mass_matrix), DATA, {Q}, {"vv"}},
    {OF(solve_mass_matrix), DATA, {Q, {"b", "v", false}}, {"v"}},
    {OF(forward_dynamics), DATA, {Q, V, TAU, EXTERNAL}, {"v"}},
    {OF(momentum_matrix), DATA, {Q}, {"6v"}},
    {OF(joint_friction), 0, {V}, {"v"}},
    {OF(constrained_dynamics), DATA, {Q, V, TAU, EXTERNAL}, {"v", "c6", "J6", "4"}},
    {OF(impulse), DATA, {Q, V}, {"v", "c6", "4"}},
    {OF(inverse_dynamics_derivatives), VARIED, {Q, V, A, EXTERNAL}, {"v", "vv", "vv", "vv"}},
    {OF(forward_dynamics_derivatives), VARIED, {Q, V, TAU, EXTERNAL}, {"v", "vv", "vv", "vv"}},
    {OF(constrained_dynamics_derivatives),
     CONSTRAINED,
     {Q, V, TAU, EXTERNAL},
     {"v", "c6", "vv", "vv", "vv", "c6v", "c6v", "c6v"}},
    {OF(impulse_derivatives), CONSTRAINED, {Q, V}, {"v", "c6", "vv", "vv", "c6v", "c6v"}},
    {OF(link_derivatives), VARIED, {Q, V, A}, {"6v", "6v", "6v", "6v"}},
    {OF(momentum_derivatives), VARIED, {Q, V, A}, {"6v", "6v", "6v", "6v"}},
    {OF(center_of_mass_jacobian), VARIED, {Q}, {"3v"}},
    {OF(energy_gradients), VARIED, {Q, V}, {"v", "v", "v"}},
    {"blow", atemi_kernel_blow, ATEMI_NEEDS_BLOW, {Q, SPEED, {"v", "v", true}}, {"9", "2", "v"}},
    {0},
};
