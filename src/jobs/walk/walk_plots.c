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
    .title = "Friction that the feet felt",
    .axis = "friction coefficient",
    .unit = "-",
    PLOT_COLUMNS({"walk.felt_friction", "felt friction"})};

const atemi_recorded_plot *const atemi_walk_plots[] = {
    PLOTS_OF_GAIT,   &stepping,       &step_length,
    &felt_friction,  PLOTS_OF_EFFORT, PLOTS_OF_CONTACTS,
    PLOTS_OF_JOINTS, PLOTS_OF_BASE,   NULL};
