// SPDX-License-Identifier: Apache-2.0

#include "jobs/plots.h"

const atemi_recorded_plot *const atemi_simulate_plots[] = {&atemi_plot_contact_modes,
                                                           &atemi_plot_vertical_forces,
                                                           &atemi_plot_horizontal_forces,
                                                           &atemi_plot_balance_x,
                                                           &atemi_plot_balance_y,
                                                           &atemi_plot_zmp_margin,
                                                           &atemi_plot_joint_positions,
                                                           &atemi_plot_joint_velocities,
                                                           &atemi_plot_joint_torques,
                                                           &atemi_plot_energy,
                                                           &atemi_plot_base_position,
                                                           &atemi_plot_base_orientation,
                                                           &atemi_plot_base_velocity,
                                                           &atemi_plot_base_angular_velocity,
                                                           NULL};
