// SPDX-License-Identifier: Apache-2.0

#include "simulate/energy_watch.h"

#include "simulate/joint_name.h"
#include "simulate/ledger.h"

#include <math.h>

// With E the kinetic and potential energy, W what the ledger has booked (torques, friction,
// contacts, pushes, bumps) and Q >= 0 what of that dampers and friction have taken, a motion that
// is integrated exactly obeys
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
// their size, and the largest kinetic energy so far. Bumps never gain energy and are booked as they
// are. Steps by error control are booked by the trapezoidal rule, which is off by no more than half
// of the change of each flow in its step; that much is allowed on top.
static const double most_made_up = 0.1; // of S

// What nobody misses: the energy that lifts the robot by this much, m.
static const double least_height = 1e-5;

static double kinetic_energy(const atemi_simulation *s)
{
    return atemi_kinetic_energy_in(s->model, &s->dynamics.bias.kinematics);
}

static double potential_energy(const atemi_simulation *s)
{
    return atemi_potential_energy_in(s->model, &s->dynamics.bias.kinematics);
}

// W + Q
static double put_in(const atemi_simulation *s)
{
    return s->flown[ATEMI_FLOW_TORQUES] + s->flown[ATEMI_FLOW_FRICTION] +
           s->flown[ATEMI_FLOW_CONTACTS] + s->flown[ATEMI_FLOW_PUSHES] +
           s->flown[ATEMI_FLOW_DISSIPATED] + s->bump_work;
}

static double allowed(const atemi_simulation *s)
{
    const double g = atemi_vec3_norm(atemi_model_gravity(s->model));
    return most_made_up * (s->most_kinetic + s->exchanged) + s->unsure +
           least_height * atemi_model_mass(s->model) * (1.0 + g);
}

void atemi_energy_watch_open(atemi_simulation *s)
{
    s->most_kinetic = kinetic_energy(s);
    s->energy_start = s->most_kinetic + potential_energy(s) - put_in(s);
}

// The coordinate with the largest power, or the fastest where there are no torques.
static int busiest(const atemi_simulation *s)
{
    int by_power = 0, by_speed = 0;
    for (int i = 1; i < atemi_model_v_count(s->model); ++i) {
        by_power =
            fabs(s->tau[i] * s->v[i]) > fabs(s->tau[by_power] * s->v[by_power]) ? i : by_power;
        by_speed = fabs(s->v[i]) > fabs(s->v[by_speed]) ? i : by_speed;
    }
    return s->tau[by_power] * s->v[by_power] != 0.0 ? by_power : by_speed;
}

atemi_status atemi_energy_watch_look(atemi_simulation *s, atemi_error *error)
{
    const double kinetic = kinetic_energy(s), energy = kinetic + potential_energy(s);
    const double excess = energy - s->energy_start - put_in(s);
    s->most_kinetic = fmax(s->most_kinetic, kinetic);
    if (excess <= allowed(s)) {
        return ATEMI_OK;
    }
    const int               joint = busiest(s);
    const atemi_joint_units units = atemi_simulation_joint_units(s, joint);
    return atemi_fail(error, ATEMI_ERROR_SINGULAR,
                      "at t = %.9g s there are %.3g J more than were put in: the steps of %g s are "
                      "too long for joint '%s', which moves at %.3g %s under %.3g %s; use a "
                      "shorter step, or less stiffness and damping there",
                      s->time, excess, s->options.step, atemi_simulation_joint_name(s, joint),
                      s->v[joint], units.velocity, s->tau[joint], units.torque);
}
