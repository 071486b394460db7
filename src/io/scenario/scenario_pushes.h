// SPDX-License-Identifier: Apache-2.0

/// @file
/// Forces of the surroundings on a robot for some time: the key pushes.

#pragma once

#include "atemi/model.h"
#include "io/scenario/scenario_reader.h"

typedef struct atemi_scenario_push {
    int         link;
    atemi_force wrench;      ///< world axes, moment about the link's origin
    double      from, until; ///< s; it acts from the first on and no longer at the second

    atemi_scenario_mark mark; ///< of its times
} atemi_scenario_push;

typedef struct atemi_scenario_pushes {
    int                  count;
    atemi_scenario_push *pushes; ///< [count]
} atemi_scenario_pushes;

/// @param model NULL where the reader has no file
void atemi_scenario_read_pushes(atemi_scenario_reader *reader, const atemi_model *model,
                                atemi_scenario_pushes *pushes);

/// Warns of pushes that never act: since they begin when all is over, or end before it begins.
/// @param end s, when the job ends
void atemi_scenario_check_pushes(atemi_scenario_reader *reader, const atemi_scenario_pushes *pushes,
                                 double end);

/// The same for one thing that is there from a time until another.
/// @param what it is, such as "the force"
void atemi_scenario_check_times(atemi_scenario_reader *reader, atemi_scenario_mark mark,
                                const char *what, double from, double until, double end);

/// Adds to the forces on the links what acts at an instant. No allocation.
void atemi_scenario_pushes_add(const atemi_scenario_pushes *pushes, double time,
                               atemi_force *forces);

/// When the next one begins or ends after an instant; infinity if none does.
double atemi_scenario_pushes_next(const atemi_scenario_pushes *pushes, double time);

void atemi_scenario_pushes_destroy(atemi_scenario_pushes *pushes);
