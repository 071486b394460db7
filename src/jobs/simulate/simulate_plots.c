// SPDX-License-Identifier: Apache-2.0

#include "jobs/plots.h"

static const atemi_recorded_plot stops = {.figure = "stops",
                                          .title = "Torques of the joint stops",
                                          .axis = "torque of the stop",
                                          .of_joints = true,
                                          .skips_zero = true,
                                          PLOT_COLUMNS({"stop.*.torque", NULL})};

static const atemi_recorded_plot friction = {.figure = "friction",
                                             .title = "Dry friction of the joints",
                                             .axis = "torque of dry friction",
                                             .of_joints = true,
                                             .skips_zero = true,
                                             PLOT_COLUMNS({"friction.*.torque", NULL})};

static const atemi_recorded_plot touch_forces = {.figure = "shapes",
                                                 .title = "Shapes that touch",
                                                 .axis = "force on the link",
                                                 .unit = "N",
                                                 .skips_zero = true,
                                                 PLOT_COLUMNS({"touch.*", NULL})};

static const atemi_recorded_plot touch_places = {.figure = "shapes",
                                                 .title = "Shapes that touch",
                                                 .axis = "places",
                                                 .unit = "-",
                                                 .skips_zero = true,
                                                 PLOT_COLUMNS({"touch.*.places", NULL})};

const atemi_recorded_plot *const atemi_simulate_plots[] = {
    PLOTS_OF_BALANCE, PLOTS_OF_CONTACTS, &touch_forces,      &touch_places, PLOTS_OF_JOINTS,
    &stops,           &friction,         &atemi_plot_energy, PLOTS_OF_BASE, NULL};
