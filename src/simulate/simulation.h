// SPDX-License-Identifier: Apache-2.0

/// @file
/// The parts of a simulation.

#pragma once

#include "simulate/events/step.h"
#include "simulate/events/touchdown.h"
#include "simulate/steps/time_step.h"

struct atemi_simulation {
    const atemi_model        *model;
    atemi_simulation_options  options;
    atemi_simulation_hooks    hooks;
    atemi_state               state;
    atemi_simulation_contacts set;
    atemi_step                step;
    atemi_touchdown           touchdown;
    atemi_time_step           time_step; ///< of the method of steps
    atemi_ledger              ledger;

    int    unasked;  ///< steps since somebody was asked whether to go on
    int    restless; ///< events other than hard collisions since the last whole step
    double stirred;  ///< when the last of them was
    bool   settled;  ///< the modes agree with themselves
    int    jams;     ///< impulses without a collision since they did so last

    atemi_arena arena;
};
