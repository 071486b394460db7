// SPDX-License-Identifier: Apache-2.0

#include "jobs/plots.h"

static const atemi_recorded_plot force = {
    .figure = "blow",
    .title = "Force on the target",
    .axis = "force",
    .unit = "N",
    PLOT_COLUMNS({"force.estimate", "estimate"}, {"force.full", "full dynamics"},
                 {"force.published", "as published"}, {"force.virtual_mass", "virtual mass"})};

static const atemi_recorded_plot compression = {
    .figure = "blow",
    .title = "Compression of the contact",
    .axis = "compression",
    .unit = "m",
    PLOT_COLUMNS({"compression.estimate", "estimate"}, {"compression.full", "full dynamics"})};

static const atemi_recorded_plot speed = {
    .figure = "blow",
    .title = "Speed of hand and target",
    .axis = "speed",
    .unit = "m/s",
    PLOT_COLUMNS({"hand_speed.estimate", "hand, estimate"},
                 {"hand_speed.full", "hand, full dynamics"},
                 {"target_speed.estimate", "target, estimate"},
                 {"target_speed.full", "target, full dynamics"})};

static const atemi_recorded_plot target = {.figure = "target",
                                           .title = "Target position",
                                           .axis = "position",
                                           .unit = "m",
                                           PLOT_COLUMNS({"target.position_*", NULL})};

const atemi_recorded_plot *const atemi_impact_plots[] = {
    &force,        &speed,  PLOTS_OF_BALANCE,  PLOTS_OF_EFFORT,
    &compression,  &target, PLOTS_OF_CONTACTS, PLOTS_OF_JOINTS,
    PLOTS_OF_BASE, NULL};
