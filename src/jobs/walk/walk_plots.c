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

#define STRIDING(letter)                                                                           \
    {.figure = "walk",                                                                             \
     .title = "Pressure, capture point and foothold, " letter,                                     \
     .axis = letter,                                                                               \
     .unit = "m",                                                                                  \
     PLOT_COLUMNS({"stride.pressure_" letter, "centre of pressure"},                               \
                  {"stride.capture_" letter, "capture point"},                                     \
                  {"stride.foothold_" letter, "next foothold"})}

static const atemi_recorded_plot striding_x = STRIDING("x"), striding_y = STRIDING("y");

static const atemi_recorded_plot step_time = {.figure = "walk",
                                              .title = "Time of the step under way",
                                              .axis = "time",
                                              .unit = "s",
                                              PLOT_COLUMNS({"stride.step_time", "step time"})};

const atemi_recorded_plot *const atemi_walk_plots[] = {
    PLOTS_OF_GAIT,   &soles,        &supports,  &phases,        &stepping,       &striding_x,
    &striding_y,     &step_length,  &step_time, &felt_friction, PLOTS_OF_EFFORT, PLOTS_OF_CONTACTS,
    PLOTS_OF_JOINTS, PLOTS_OF_BASE, NULL};
