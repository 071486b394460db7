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

// ---- In three dimensions

static const atemi_recorded_plot stride_feet = {.figure = "walk",
                                                .title = "The foot that landed last",
                                                .axis = "foot",
                                                .kind = ATEMI_PLOT_STATES,
                                                PLOT_COLUMNS({"stride.support", "support"}),
                                                PLOT_STATES("right", "left")};

static const atemi_recorded_plot stride_phases = {.figure = "walk",
                                                  .title = "Phases of the gait",
                                                  .axis = "phase",
                                                  .kind = ATEMI_PLOT_STATES,
                                                  PLOT_COLUMNS({"stride.phase", "gait"}),
                                                  PLOT_STATES("stands", "passes", "swings"),
                                                  .has_idle = true};

static const atemi_recorded_plot stride_along = {
    .figure = "walk",
    .title = "Pressure, capture point and foothold along x",
    .axis = "x",
    .unit = "m",
    PLOT_COLUMNS({"stride.pressure_x", "wanted pressure"}, {"stride.capture_x", "capture point"},
                 {"stride.foothold_x", "next foothold"})};

static const atemi_recorded_plot stride_across = {
    .figure = "walk",
    .title = "Pressure, capture point and foothold along y",
    .axis = "y",
    .unit = "m",
    PLOT_COLUMNS({"stride.pressure_y", "wanted pressure"}, {"stride.capture_y", "capture point"},
                 {"stride.foothold_y", "next foothold"})};

const atemi_recorded_plot *const atemi_walk_plots[] = {PLOTS_OF_GAIT,
                                                       &stepping,
                                                       &step_length,
                                                       &felt_friction,
                                                       &stride_feet,
                                                       &stride_phases,
                                                       &stride_along,
                                                       &stride_across,
                                                       PLOTS_OF_EFFORT,
                                                       PLOTS_OF_CONTACTS,
                                                       PLOTS_OF_JOINTS,
                                                       PLOTS_OF_BASE,
                                                       NULL};
