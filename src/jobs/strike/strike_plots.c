// SPDX-License-Identifier: Apache-2.0

#include "jobs/plots.h"

static const atemi_recorded_plot force = {.figure = "blow",
                                          .title = "Force of the blow",
                                          .axis = "force",
                                          .unit = "N",
                                          PLOT_COLUMNS({"verify.force", "full dynamics"})};

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
                                                         &linear_momentum,
                                                         &angular_momentum,
                                                         &target,
                                                         &atemi_plot_contact_modes,
                                                         &atemi_plot_vertical_forces,
                                                         &atemi_plot_horizontal_forces,
                                                         &atemi_plot_balance_x,
                                                         &atemi_plot_balance_y,
                                                         &atemi_plot_zmp_margin,
                                                         &atemi_plot_joint_positions,
                                                         &atemi_plot_joint_velocities,
                                                         &atemi_plot_joint_torques,
                                                         &atemi_plot_base_position,
                                                         &atemi_plot_base_orientation,
                                                         &atemi_plot_base_velocity,
                                                         &atemi_plot_base_angular_velocity,
                                                         NULL};
