// SPDX-License-Identifier: Apache-2.0

/// @file
/// The robot in a posture, seen from its right side: the outlines of its parts.

#pragma once

#include "dynamics/kinematics.h"
#include "io/figures/figure.h"
#include "io/report/report_robot.h"

/// A part, and how far it is from the observer.
typedef struct atemi_figure_depth {
    double depth;
    int    part;
} atemi_figure_depth;

/// What is drawn, and the room for it.
typedef struct atemi_figure_robot {
    const atemi_recording    *recording;
    const atemi_report_robot *robot;
    atemi_kinematics          kinematics;
    double                   *q;
    atemi_vec3               *points; ///< room for the outline of any part
    atemi_figure_depth       *order;  ///< [part_count] the farthest first
    atemi_arena               arena;
} atemi_figure_robot;

/// @param figure to be destroyed, whatever the result
atemi_status atemi_figure_robot_create(const atemi_recording    *recording,
                                       const atemi_report_robot *robot, atemi_figure_robot *figure,
                                       atemi_error *error);
void         atemi_figure_robot_destroy(atemi_figure_robot *figure);

/// Puts the robot into the posture of a row. Coordinates that are not recorded are neutral.
void atemi_figure_robot_pose(atemi_figure_robot *figure, int row);

/// The outline of a part as seen along y: a convex polygon.
/// @param index in the order of drawing
/// @param outline the vertices, x and z, valid until the next call
/// @return how many; 0 where there is nothing to see
int atemi_figure_robot_outline(atemi_figure_robot *figure, int index, const atemi_vec3 **outline);

/// The part at an index in the order of drawing.
const atemi_report_part *atemi_figure_robot_part(const atemi_figure_robot *figure, int index);
