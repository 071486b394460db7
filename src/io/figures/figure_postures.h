// SPDX-License-Identifier: Apache-2.0

/// @file
/// The robot at several times as it is seen along y: with the world under it, what is hit, its
/// centre of mass and the forces that it stands on. All postures have one scale and one height.

#pragma once

#include "io/figures/figure_robot.h"
#include "io/figures/figures.h"
#include "io/report/report_target.h"

enum { ATEMI_FIGURE_MAX_POSTURES = 32 };

typedef struct atemi_figure_box {
    double left, right, low, high; ///< m
} atemi_figure_box;

typedef struct atemi_figure_postures {
    const atemi_figure_source *source;
    atemi_figure_robot         robot;
    int                        count;
    int                        rows[ATEMI_FIGURE_MAX_POSTURES];
    atemi_figure_box           boxes[ATEMI_FIGURE_MAX_POSTURES];
    atemi_figure_box           all;   ///< width and height that every posture fits in
    double                     scale; ///< pixels by m
    double                     arrow; ///< m by N
    int                        com[3];
    bool                       has_target;
    atemi_report_target        target;
} atemi_figure_postures;

/// Looks at a recording of a robot. Destroy the result, whatever the status.
atemi_status atemi_figure_postures_create(const atemi_figure_source *source,
                                          atemi_figure_postures *postures, atemi_error *error);
void         atemi_figure_postures_destroy(atemi_figure_postures *postures);

/// Takes `count` postures, at most ATEMI_FIGURE_MAX_POSTURES, evenly over the time, and finds where
/// they are.
void atemi_figure_postures_look(atemi_figure_postures *postures, int count);

/// Chooses the length of the arrows of forces, and makes `all` high enough for them.
void atemi_figure_postures_fit_arrows(atemi_figure_postures *postures);

/// The left edge of a picture in the middle of which the posture is, m.
double atemi_figure_postures_start(const atemi_figure_postures *postures, int index);

/// Width and height of the picture of a posture, pixels.
double atemi_figure_postures_width(const atemi_figure_postures *postures);
double atemi_figure_postures_height(const atemi_figure_postures *postures);

/// Draws a posture with its time under it.
/// @param left  edge of the picture, pixels
/// @param start what is there, m
void atemi_figure_posture_draw(atemi_figure *figure, atemi_figure_postures *postures, int index,
                               double left, double start);
