// SPDX-License-Identifier: Apache-2.0

#include "simulate/energy_watch.h"

#include "model/joint_name.h"

#include <math.h>

// With E the kinetic and potential energy, W what the ledger has booked (torques, friction,
// contacts, external forces, collisions) and Q >= 0 what of that dampers and friction have taken, a
// motion that is integrated exactly obeys
//
//   E - E_0 = W <= W + Q
//
// and excess = E - E_0 - W - Q  is what the steps have made up. Q does not count against the robot
// because steps that are stable may book too much of it: what is damped with r h = 2.5 fades
// (step_limit.c), but stages in which it overshoots book eight times its energy. Where damping is
// too strong for the step, E grows and W + Q does not.
//
// How much excess is normal? The Runge-Kutta method makes up, of the energy S that flows, with w
// the frequency of an oscillation (measured, any phase):
//
//   w h        0.1     0.3     0.5     1      1.5    2      2.83 and more
//   excess/S   1e-6    9e-5    7e-4    0.015  0.022  0.19   0.29 and more, and it grows without end
//
// An oscillation that takes six steps or more (w h <= 1) is followed, and makes up 1.5 % at most;
// what makes up more than 10 % takes less than four steps, or is unstable. Of S, all flows count by
// their size, and the largest kinetic energy so far. Collisions never gain energy and are booked as
// they are. What rigid contacts give in all, their lifts included (step_report.c), is made up,
// whatever the books say. Steps by error control are booked by the trapezoidal rule, which is off
// by no more than half of the change of each flow in its step; that much is allowed on top.
static const double most_made_up = 0.1; // of S

// A negligible energy: the energy that lifts the robot by this much, m.
static const double least_height = 1e-5;

static double kinetic_energy(const atemi_evaluation *e)
{
    return atemi_kinetic_energy_in(e->model, &e->dynamics.bias.kinematics);
}

static double potential_energy(const atemi_evaluation *e)
{
    return atemi_potential_energy_in(e->model, &e->dynamics.bias.kinematics);
}

// W + Q
static double put_in(const atemi_ledger *ledger)
{
    const double *sum = ledger->sum.of;
    return sum[ATEMI_FLOW_TORQUES] + sum[ATEMI_FLOW_FRICTION] + sum[ATEMI_FLOW_CONTACTS] +
           sum[ATEMI_FLOW_EXTERNAL_POWER] + sum[ATEMI_FLOW_DISSIPATED] + ledger->collision_work;
}

static double allowed(const atemi_ledger *ledger, const atemi_model *model)
{
    const double g = atemi_vec3_norm(atemi_model_gravity(model));
    return most_made_up * (ledger->most_kinetic + ledger->exchanged) + ledger->unsure +
           least_height * atemi_model_mass(model) * (1.0 + g);
}

void atemi_energy_watch_open(atemi_ledger *ledger, const atemi_evaluation *e)
{
    ledger->most_kinetic = kinetic_energy(e);
    ledger->energy_start = ledger->most_kinetic + potential_energy(e) - put_in(ledger);
}

// The coordinate with the largest power, or the fastest where there are no torques.
static int busiest(const atemi_evaluation *e, const double *v)
{
    const double *tau = e->tau;
    int           by_power = 0, by_speed = 0;
    for (int i = 1; i < atemi_model_v_count(e->model); ++i) {
        by_power = fabs(tau[i] * v[i]) > fabs(tau[by_power] * v[by_power]) ? i : by_power;
        by_speed = fabs(v[i]) > fabs(v[by_speed]) ? i : by_speed;
    }
    return tau[by_power] * v[by_power] != 0.0 ? by_power : by_speed;
}

atemi_status atemi_energy_watch_look(atemi_ledger *ledger, const atemi_evaluation *e,
                                     const atemi_state *state, atemi_error *error)
{
    const double kinetic = kinetic_energy(e), energy = kinetic + potential_energy(e);
    const double booked = put_in(ledger) - fmax(0.0, ledger->given);
    const double excess = energy - ledger->energy_start - booked;
    ledger->most_kinetic = fmax(ledger->most_kinetic, kinetic);
    if (excess <= allowed(ledger, e->model)) {
        return ATEMI_OK;
    }
    const int               joint = busiest(e, state->v);
    const atemi_joint_units units = atemi_joint_units_at(e->model, joint);
    return atemi_fail(error, ATEMI_ERROR_SINGULAR,
                      "at t = %.9g s there are %.3g J more than were put in: the steps of %g s are "
                      "too long for joint '%s', which moves at %.3g %s under %.3g %s; use a "
                      "shorter step, or less stiffness and damping there",
                      state->time, excess, e->options->step, atemi_joint_name_at(e->model, joint),
                      state->v[joint], units.velocity, e->tau[joint], units.torque);
}
