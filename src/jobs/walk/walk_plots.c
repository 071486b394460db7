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

static const atemi_recorded_plot soles = {
    .figure = "gait",
    .title = "Feet on the floor",
    .axis = "state",
    .kind = ATEMI_PLOT_STATES,
    PLOT_COLUMNS({"stride.left", "left foot"}, {"stride.right", "right foot"}),
    PLOT_STATES("air", "sole stick", "sole slip", "heel stick", "heel slip", "toe stick",
                "toe slip", "edge stick", "edge slip", "corner stick", "corner slip"),
    .has_idle = true};

static const atemi_recorded_plot supports = {.figure = "gait",
                                             .title = "Foot that landed last",
                                             .axis = "foot",
                                             .kind = ATEMI_PLOT_STATES,
                                             PLOT_COLUMNS({"stride.support", "support"}),
                                             PLOT_STATES("right", "left")};

static const atemi_recorded_plot phases = {.figure = "gait",
                                           .title = "Phase of the gait",
                                           .axis = "phase",
                                           .kind = ATEMI_PLOT_STATES,
                                           PLOT_COLUMNS({"stride.phase", "phase"}),
                                           PLOT_STATES("stands", "passes", "swings")};

static const atemi_recorded_plot striding_x = {
    .figure = "walk",
    .title = "Pressure, capture point and foothold, forwards",
    .axis = "x",
    .unit = "m",
    PLOT_COLUMNS({"stride.pressure_x", "centre of pressure"}, {"stride.capture_x", "capture point"},
                 {"stride.foothold_x", "next foothold"})};

static const atemi_recorded_plot striding_y = {
    .figure = "walk",
    .title = "Pressure, capture point and foothold, sideways",
    .axis = "y",
    .unit = "m",
    PLOT_COLUMNS({"stride.pressure_y", "centre of pressure"}, {"stride.capture_y", "capture point"},
                 {"stride.foothold_y", "next foothold"})};

static const atemi_recorded_plot step_time = {.figure = "walk",
                                              .title = "Time of the step under way",
                                              .axis = "time",
                                              .unit = "s",
                                              PLOT_COLUMNS({"stride.step_time", "step time"})};

const atemi_recorded_plot *const atemi_walk_plots[] = {
    PLOTS_OF_GAIT,   &soles,        &supports,  &phases,        &stepping,       &striding_x,
    &striding_y,     &step_length,  &step_time, &felt_friction, PLOTS_OF_EFFORT, PLOTS_OF_CONTACTS,
    PLOTS_OF_JOINTS, PLOTS_OF_BASE, NULL};
