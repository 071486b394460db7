// SPDX-License-Identifier: Apache-2.0

/// @file
/// A simulation on trial: what it is made of, what it has told, and its energy.

#pragma once

#include "atemi/simulation.h"
#include "data.h"

enum { TRIAL_MOST_EVENTS = 256 };

/// What to simulate. One surface, for all points; none without points.
typedef struct trial_setting {
    atemi_model                  *model; ///< destroyed with the trial
    atemi_surface                 surface;
    const atemi_simulation_point *points;
    int                           count;
    double                        step;
    atemi_simulation_method       method;
    atemi_integrator              integrator;
    bool                          joint_friction, joint_stops;
    double                        stop_restitution;
    atemi_simulation_hooks        hooks; ///< the events go to the trial
} trial_setting;

typedef struct trial {
    trial_setting     setting;
    atemi_simulation *simulation;
    atemi_data       *scratch;
    atemi_event       events[TRIAL_MOST_EVENTS]; ///< the first ones
    int               count;                     ///< of all
} trial;

/// Creates the simulation. The trial must stay where it is until its end.
void trial_begin(trial *t, const trial_setting *setting);
void trial_end(trial *t);

/// Starts at time 0, and runs on.
void trial_start(trial *t, const double *q, const double *v);
void trial_run(trial *t, double time);

/// The first event of a kind from index `from` on, or NULL.
const atemi_event *trial_event(const trial *t, atemi_event_kind kind, int from);
int                trial_count(const trial *t, atemi_event_kind kind);

/// The state reached, with velocities; good until the next call.
const atemi_data *trial_kinematics(trial *t);

/// Kinetic and potential, of the state reached.
double trial_energy(trial *t);
