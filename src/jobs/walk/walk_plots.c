// SPDX-License-Identifier: Apache-2.0

#include "jobs/plots.h"

static const atemi_recorded_plot stepping = {.figure = "walk",
                                             .title = "Pressure, capture point and foothold",
                                             .axis = "x",
                                             .unit = "m",
                                             PLOT_COLUMNS({"walk.pressure", "centre of pressure"},
                                                          {"walk.capture", "capture point"},
                                                          {"walk.foothold", "next foothold"})};

static const atemi_recorded_plot step_length = {.figure = "walk",
                                                .title = "Step length",
                                                .axis = "length",
                                                .unit = "m",
                                                PLOT_COLUMNS({"walk.step_length", "wanted"})};

static const atemi_recorded_plot felt_friction = {
    .figure = "walk",
    .title = "Friction felt in slides",
    .axis = "friction coefficient",
    .unit = "-",
    PLOT_COLUMNS({"walk.felt_friction", "felt friction"})};

const atemi_recorded_plot *const atemi_walk_plots[] = {&atemi_plot_gait_states,
                                                       &atemi_plot_supporting_foot,
                                                       &stepping,
                                                       &step_length,
                                                       &felt_friction,
                                                       &atemi_plot_contact_modes,
                                                       &atemi_plot_vertical_forces,
                                                       &atemi_plot_horizontal_forces,
                                                       &atemi_plot_joint_positions,
                                                       &atemi_plot_joint_velocities,
                                                       &atemi_plot_joint_torques,
                                                       &atemi_plot_base_position,
                                                       &atemi_plot_base_orientation,
                                                       &atemi_plot_base_velocity,
                                                       &atemi_plot_base_angular_velocity,
                                                       NULL};
