// SPDX-License-Identifier: Apache-2.0

#include "jobs/plots.h"

static const atemi_recorded_plot force = {.figure = "blow",
                                          .title = "Force on the target",
                                          .axis = "force",
                                          .unit = "N",
                                          PLOT_COLUMNS({"verify.force", "full dynamics"})};

static const atemi_recorded_plot speed = {.figure = "blow",
                                          .title = "Speed of the hand",
                                          .axis = "speed along the blow",
                                          .unit = "m/s",
                                          PLOT_COLUMNS({"hand.speed", "as planned"})};

static const atemi_recorded_plot linear_momentum = {
    .figure = "momentum",
    .title = "Linear momentum",
    .axis = "momentum",
    .unit = "N s",
    PLOT_COLUMNS({"momentum.linear_x", "x, planned"}, {"momentum.linear_y", "y, planned"},
                 {"momentum.linear_z", "z, planned"},
                 {"verify.linear_momentum_x", "x, full dynamics"},
                 {"verify.linear_momentum_y", "y, full dynamics"},
                 {"verify.linear_momentum_z", "z, full dynamics"})};

static const atemi_recorded_plot angular_momentum = {
    .figure = "momentum",
    .title = "Angular momentum about the origin",
    .axis = "angular momentum",
    .unit = "N m s",
    PLOT_COLUMNS({"momentum.angular_x", "x, planned"}, {"momentum.angular_y", "y, planned"},
                 {"momentum.angular_z", "z, planned"},
                 {"verify.angular_momentum_x", "x, full dynamics"},
                 {"verify.angular_momentum_y", "y, full dynamics"},
                 {"verify.angular_momentum_z", "z, full dynamics"})};

static const atemi_recorded_plot target = {.figure = "target",
                                           .title = "Target position",
                                           .axis = "position",
                                           .unit = "m",
                                           PLOT_COLUMNS({"target.position_*", NULL})};

const atemi_recorded_plot *const atemi_strike_plots[] = {&force,
                                                         &speed,
                                                         PLOTS_OF_BALANCE,
                                                         PLOTS_OF_EFFORT,
                                                         PLOTS_OF_CONTACTS,
                                                         PLOTS_OF_JOINTS,
                                                         &target,
                                                         &linear_momentum,
                                                         &angular_momentum,
                                                         PLOTS_OF_BASE,
                                                         NULL};
