// SPDX-License-Identifier: Apache-2.0

/// @file
/// The ledger: impulses and work, summed up over steps and collisions, and what is counted.

#pragma once

#include "simulate/events/evaluation.h"

/// What flows: powers in W, forces in N.
typedef enum atemi_flow {
    ATEMI_FLOW_TORQUES,
    ATEMI_FLOW_FRICTION,       ///< of the joints
    ATEMI_FLOW_CONTACTS,       ///< power at the points
    ATEMI_FLOW_EXTERNAL_POWER, ///< of the external forces
    ATEMI_FLOW_DISSIPATED,     ///< of all that, what dampers and friction take
    ATEMI_FLOW_FORCE,          ///< of the points, x, y and z
    ATEMI_FLOW_EXTERNAL_FORCE = ATEMI_FLOW_FORCE + 3,
    ATEMI_FLOW_COUNT = ATEMI_FLOW_EXTERNAL_FORCE + 3,
} atemi_flow;

/// What flows at an instant.
typedef struct atemi_flows {
    double of[ATEMI_FLOW_COUNT];
} atemi_flows;

typedef struct atemi_ledger {
    atemi_flows                 sum; ///< over time
    double                      collision_work;
    double                      given;        ///< by rigid contacts and stops, lifts included
    double                      exchanged;    ///< all work by its size
    double                      unsure;       ///< what the trapezoidal rule may be off by, of work
    double                      energy_start; ///< kinetic and potential
    double                      most_kinetic; ///< kinetic energy, at any time
    atemi_simulation_statistics statistics;
} atemi_ledger;

/// What flows in the state with the velocities v, which was evaluated last.
void atemi_flows_find(const atemi_evaluation *e, const atemi_simulation_contacts *set,
                      const double *v, atemi_flows *flows);

/// Books a step of h: by the weights of the four stages of a Runge-Kutta step, or with what flows
/// at its two ends.
void atemi_ledger_add_stages(atemi_ledger *ledger, double h, const atemi_flows *stages);
void atemi_ledger_add_ends(atemi_ledger *ledger, double h, const atemi_flows *ends);

/// Books the work and the impulses of a whole step, by the flows that did them, and those of
/// collisions.
void atemi_ledger_add_work(atemi_ledger *ledger, const atemi_flows *work, double collisions);

/// Books an impulse that velocities were projected by, and its work.
void atemi_ledger_add_projection(atemi_ledger *ledger, atemi_vec3 impulse, double work);

/// Books the impulses [points] of a collision, and the energy that came with it.
void atemi_ledger_add_collision(atemi_ledger *ledger, const atemi_simulation_contacts *set,
                                const atemi_vec3 *impulses, double energy);

/// Counts an event and reports it to the caller's hook.
void atemi_ledger_report(atemi_ledger *ledger, const atemi_simulation_hooks *hooks, double time,
                         atemi_event event);

/// The same of an event of a point, or ATEMI_NONE: of one of the caller's, or of a pair of shapes.
void atemi_ledger_report_point(atemi_ledger *ledger, const atemi_simulation_hooks *hooks,
                               double time, const atemi_simulation_contacts *set, int point,
                               atemi_event event);

/// What the caller sees of it.
atemi_simulation_ledger atemi_ledger_sums(const atemi_ledger *ledger);
