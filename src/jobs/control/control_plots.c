// SPDX-License-Identifier: Apache-2.0

#include "jobs/plots.h"

static const atemi_recorded_plot people = {.figure = "people",
                                           .title = "Forces of people's hands",
                                           .axis = "force",
                                           .unit = "N",
                                           .skips_zero = true,
                                           PLOT_COLUMNS({"hand.*", NULL})};

static const atemi_recorded_plot persons = {.figure = "people",
                                            .title = "Forces on people",
                                            .axis = "force",
                                            .unit = "N",
                                            .skips_zero = true,
                                            PLOT_COLUMNS({"person.*", NULL})};

static const atemi_recorded_plot moved = {.figure = "people",
                                          .title = "How far people gave way",
                                          .axis = "distance",
                                          .unit = "m",
                                          .skips_zero = true,
                                          PLOT_COLUMNS({"person.*", NULL})};

static const atemi_recorded_plot soles = {.figure = "soles",
                                          .title = "Forces on what stands, dashed as commanded",
                                          .axis = "force",
                                          .unit = "N",
                                          PLOT_COLUMNS({"sole.*", NULL}, {"~planned.*", NULL})};

static const atemi_recorded_plot pressures = {.figure = "soles",
                                              .title = "Centres of pressure, from the middle",
                                              .axis = "position",
                                              .unit = "m",
                                              PLOT_COLUMNS({"sole.*", NULL})};

static const atemi_recorded_plot hold_force = {.figure = "hold",
                                               .title = "Forces on held links",
                                               .axis = "force",
                                               .unit = "N",
                                               PLOT_COLUMNS({"hold.*", NULL})};

static const atemi_recorded_plot hold_moment = {.figure = "hold",
                                                .title = "Moments on held links",
                                                .axis = "moment",
                                                .unit = "N m",
                                                PLOT_COLUMNS({"hold.*", NULL})};

// ---- Of each joint

static const atemi_recorded_plot positions = {
    .figure = "q",
    .title = "Joint positions, dashed as commanded",
    .axis = "position",
    .of_joints = true,
    .limits = ATEMI_PLOT_POSITION_LIMITS,
    PLOT_COLUMNS({"q.*", NULL}, {"~target.*", NULL}, {"!q.base.*", NULL})};

static const atemi_recorded_plot stiffness = {.figure = "commands",
                                              .title = "Commanded stiffness",
                                              .axis = "stiffness",
                                              .of_joints = true,
                                              PLOT_COLUMNS({"stiffness.*", NULL})};

static const atemi_recorded_plot limit = {.figure = "commands",
                                          .title = "Limits of feedback torques",
                                          .axis = "torque",
                                          .of_joints = true,
                                          PLOT_COLUMNS({"limit.*", NULL})};

static const atemi_recorded_plot demand = {.figure = "drives",
                                           .title = "Torque demands",
                                           .axis = "torque",
                                           .of_joints = true,
                                           .limits = ATEMI_PLOT_EFFORT_LIMITS,
                                           PLOT_COLUMNS({"demand.*", NULL})};

static const atemi_recorded_plot feedback = {.figure = "drives",
                                             .title = "Feedback torques",
                                             .axis = "torque",
                                             .of_joints = true,
                                             PLOT_COLUMNS({"feedback.*", NULL})};

static const atemi_recorded_plot current = {.figure = "drives",
                                            .title = "Motor currents",
                                            .axis = "current",
                                            .of_joints = true,
                                            PLOT_COLUMNS({"current.*", NULL})};

// ---- Of the whole robot

static const atemi_recorded_plot offload = {.figure = "coordination",
                                            .title = "Offload",
                                            .axis = "fraction",
                                            .unit = "-",
                                            PLOT_COLUMNS({"offload", NULL})};

static const atemi_recorded_plot feedback_energy = {.figure = "coordination",
                                                    .title = "Energy of the feedback",
                                                    .axis = "energy",
                                                    .unit = "J",
                                                    PLOT_COLUMNS({"feedback_energy", "energy"})};

const atemi_recorded_plot *const atemi_control_plots[] = {&people,
                                                          &persons,
                                                          &moved,
                                                          &positions,
                                                          PLOTS_OF_EFFORT,
                                                          PLOTS_OF_CONTACTS,
                                                          &soles,
                                                          &pressures,
                                                          &hold_force,
                                                          &hold_moment,
                                                          &atemi_plot_joint_velocities,
                                                          &atemi_plot_joint_torques,
                                                          &demand,
                                                          &feedback,
                                                          &limit,
                                                          &stiffness,
                                                          &current,
                                                          &offload,
                                                          &feedback_energy,
                                                          PLOTS_OF_BASE,
                                                          NULL};
