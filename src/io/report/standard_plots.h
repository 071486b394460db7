// SPDX-License-Identifier: Apache-2.0

/// @file
/// Plots of the columns that all recordings share (docs/recordings.md). Jobs list those that they
/// have, among their own; a recording without a list shows them all.

#pragma once

#include "atemi/recording.h"

/// The columns and the states of a plot in a table of plots.
#define PLOT_COLUMNS(...)                                                                          \
    .columns = (const atemi_plot_column[])                                                         \
    {                                                                                              \
        __VA_ARGS__,                                                                               \
        {                                                                                          \
            NULL, NULL                                                                             \
        }                                                                                          \
    }
#define PLOT_STATES(...)                                                                           \
    .states = (const char *const[])                                                                \
    {                                                                                              \
        __VA_ARGS__, NULL                                                                          \
    }

extern const atemi_recorded_plot atemi_plot_gait_states, atemi_plot_supporting_foot;
extern const atemi_recorded_plot atemi_plot_contact_modes;
extern const atemi_recorded_plot atemi_plot_vertical_forces, atemi_plot_horizontal_forces;
extern const atemi_recorded_plot atemi_plot_balance_x, atemi_plot_balance_y, atemi_plot_zmp_margin;
extern const atemi_recorded_plot atemi_plot_joint_positions, atemi_plot_joint_velocities;
extern const atemi_recorded_plot atemi_plot_joint_torques;
extern const atemi_recorded_plot atemi_plot_joint_efforts, atemi_plot_joint_speeds;
extern const atemi_recorded_plot atemi_plot_energy;
extern const atemi_recorded_plot atemi_plot_base_position, atemi_plot_base_orientation;
extern const atemi_recorded_plot atemi_plot_base_velocity, atemi_plot_base_angular_velocity;

/// Those that go together, in a list of plots.
#define PLOTS_OF_CONTACTS                                                                          \
    &atemi_plot_contact_modes, &atemi_plot_vertical_forces, &atemi_plot_horizontal_forces
#define PLOTS_OF_BALANCE &atemi_plot_balance_x, &atemi_plot_balance_y, &atemi_plot_zmp_margin
#define PLOTS_OF_GAIT &atemi_plot_gait_states, &atemi_plot_supporting_foot
#define PLOTS_OF_EFFORT &atemi_plot_joint_efforts, &atemi_plot_joint_speeds
#define PLOTS_OF_JOINTS                                                                            \
    &atemi_plot_joint_positions, &atemi_plot_joint_velocities, &atemi_plot_joint_torques
#define PLOTS_OF_BASE                                                                              \
    &atemi_plot_base_position, &atemi_plot_base_orientation, &atemi_plot_base_velocity,            \
        &atemi_plot_base_angular_velocity

/// All of them in their order, ended by NULL.
extern const atemi_recorded_plot *const atemi_standard_plots[];

/// What the plots above show, and columns that are too many to show: `group` is one of theirs.
bool atemi_is_standard_group(const char *group);
