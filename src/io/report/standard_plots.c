// SPDX-License-Identifier: Apache-2.0

#include "io/report/standard_plots.h"

#include <string.h>

// ---- Contacts

const atemi_recorded_plot atemi_plot_gait_states = {
    .figure = "gait",
    .title = "Gait states",
    .axis = "state",
    .kind = ATEMI_PLOT_STATES,
    PLOT_COLUMNS({"gait.left", "left foot"}, {"gait.right", "right foot"}),
    PLOT_STATES("air", "heel stick", "heel slip", "toe stick", "toe slip", "sole stick",
                "sole slip"),
    .has_idle = true};

const atemi_recorded_plot atemi_plot_supporting_foot = {.figure = "gait",
                                                        .title = "Supporting foot",
                                                        .axis = "foot",
                                                        .kind = ATEMI_PLOT_STATES,
                                                        PLOT_COLUMNS({"gait.support", "support"}),
                                                        PLOT_STATES("left", "right")};

const atemi_recorded_plot atemi_plot_contact_modes = {
    .figure = "contacts",
    .title = "Contact modes",
    .axis = "mode",
    .kind = ATEMI_PLOT_STATES,
    PLOT_COLUMNS({"contact.*.mode", NULL}),
    PLOT_STATES("open", "stick", "slip", "surface", "soft"),
    .has_idle = true};

const atemi_recorded_plot atemi_plot_vertical_forces = {.figure = "forces",
                                                        .title = "Contact forces",
                                                        .axis = "vertical force",
                                                        .unit = "N",
                                                        .kind = ATEMI_PLOT_VERTICAL_FORCES};

const atemi_recorded_plot atemi_plot_horizontal_forces = {.figure = "forces",
                                                          .title = "Contact forces",
                                                          .axis = "horizontal force",
                                                          .unit = "N",
                                                          .kind = ATEMI_PLOT_HORIZONTAL_FORCES};

// ---- Balance

const atemi_recorded_plot atemi_plot_balance_x = {
    .figure = "balance",
    .title = "Balance along x",
    .axis = "x",
    .unit = "m",
    .band = ATEMI_PLOT_SUPPORT_X,
    PLOT_COLUMNS({"zmp.x", "ZMP"}, {"zmp.planned_x", "ZMP, planned"},
                 {"zmp.full_x", "ZMP, full dynamics"}, {"com.x", "centre of mass"})};

const atemi_recorded_plot atemi_plot_balance_y = {
    .figure = "balance",
    .title = "Balance along y",
    .axis = "y",
    .unit = "m",
    .band = ATEMI_PLOT_SUPPORT_Y,
    PLOT_COLUMNS({"zmp.y", "ZMP"}, {"zmp.planned_y", "ZMP, planned"},
                 {"zmp.full_y", "ZMP, full dynamics"}, {"com.y", "centre of mass"})};

const atemi_recorded_plot atemi_plot_zmp_margin = {
    .figure = "balance",
    .title = "ZMP margin",
    .axis = "distance inside the support polygon",
    .unit = "m",
    PLOT_COLUMNS({"zmp.margin", "margin"}, {"zmp.full_margin", "margin, full dynamics"})};

// ---- Joints

const atemi_recorded_plot atemi_plot_joint_positions = {
    .figure = "q",
    .title = "Joint positions",
    .axis = "position",
    .of_joints = true,
    .limits = ATEMI_PLOT_POSITION_LIMITS,
    PLOT_COLUMNS({"q.*", NULL}, {"!q.base.*", NULL})};

const atemi_recorded_plot atemi_plot_joint_velocities = {
    .figure = "v",
    .title = "Joint velocities",
    .axis = "velocity",
    .of_joints = true,
    .limits = ATEMI_PLOT_VELOCITY_LIMITS,
    PLOT_COLUMNS({"v.*", NULL}, {"!v.base.*", NULL})};

const atemi_recorded_plot atemi_plot_joint_torques = {
    .figure = "tau",
    .title = "Joint torques",
    .axis = "torque",
    .of_joints = true,
    .limits = ATEMI_PLOT_EFFORT_LIMITS,
    PLOT_COLUMNS({"tau.*", NULL}, {"!tau.base.*", NULL})};

const atemi_recorded_plot atemi_plot_joint_efforts = {
    .figure = "effort",
    .title = "Effort of the joints",
    .axis = "torque by its limit",
    .of_joints = true,
    .limits = ATEMI_PLOT_EFFORT_LIMITS,
    .of_limits = true,
    PLOT_COLUMNS({"tau.*", NULL}, {"!tau.base.*", NULL})};

const atemi_recorded_plot atemi_plot_joint_speeds = {
    .figure = "effort",
    .title = "Speed of the joints",
    .axis = "velocity by its limit",
    .of_joints = true,
    .limits = ATEMI_PLOT_VELOCITY_LIMITS,
    .of_limits = true,
    PLOT_COLUMNS({"v.*", NULL}, {"!v.base.*", NULL})};

// ---- The body as a whole

const atemi_recorded_plot atemi_plot_energy = {.figure = "energy",
                                               .title = "Energy",
                                               .axis = "energy",
                                               .unit = "J",
                                               .sum = "total",
                                               PLOT_COLUMNS({"energy.*", NULL})};

const atemi_recorded_plot atemi_plot_base_position = {.figure = "base",
                                                      .title = "Base position",
                                                      .axis = "position",
                                                      .unit = "m",
                                                      PLOT_COLUMNS({"q.base.*", NULL})};

const atemi_recorded_plot atemi_plot_base_orientation = {
    .figure = "base",
    .title = "Base orientation",
    .axis = "orientation",
    PLOT_COLUMNS({"q.base.turn", "rotation"}, {"q.base.quaternion_*", NULL})};

const atemi_recorded_plot atemi_plot_base_velocity = {
    .figure = "base",
    .title = "Base velocity",
    .axis = "velocity",
    .unit = "m/s",
    PLOT_COLUMNS({"v.base.linear_*", NULL}, {"v.base.*", NULL})};

const atemi_recorded_plot atemi_plot_base_angular_velocity = {
    .figure = "base",
    .title = "Base angular velocity",
    .axis = "angular velocity",
    .unit = "rad/s",
    PLOT_COLUMNS({"v.base.turn", "rotation"}, {"v.base.angular_*", NULL})};

// ---- All

const atemi_recorded_plot *const atemi_standard_plots[] = {PLOTS_OF_GAIT,
                                                           PLOTS_OF_CONTACTS,
                                                           PLOTS_OF_BALANCE,
                                                           PLOTS_OF_JOINTS,
                                                           &atemi_plot_energy,
                                                           PLOTS_OF_BASE,
                                                           NULL};

bool atemi_is_standard_group(const char *group)
{
    static const char *const groups[] = {"t",    "q",      "v",      "a",   "tau", "contact",
                                         "gait", "wrench", "energy", "com", "zmp"};
    bool                     found = false;
    for (size_t i = 0; i < sizeof groups / sizeof groups[0] && !found; ++i) {
        found = strcmp(group, groups[i]) == 0;
    }
    return found;
}
