// SPDX-License-Identifier: Apache-2.0

/// @file
/// The parts of a whole-body controller.

#pragma once

#include "atemi/whole_body_control.h"

enum { WHOLE_BODY_BASE = 6, WHOLE_BODY_WRENCH = 6, WHOLE_BODY_CONE_ROWS = 18 };

/// A contact of this tick.
typedef struct whole_body_foot {
    atemi_whole_body_contact contact;
    atemi_transform          pose;  ///< of its frame in the world
    double                  *J;     ///< [6 x v_count] along the frame's axes
    int                      first; ///< index of its wrench in x
    int                      count; ///< 6, or 3 of a point
} whole_body_foot;

struct atemi_whole_body_control {
    const atemi_model       *model;
    atemi_whole_body_options options;
    atemi_data              *data;
    int                      nv, joints; ///< joints: nv - 6
    int                      width;      ///< of padded rows of x
    const double            *q, *v;
    double                   mass;
    atemi_vec3               center;

    whole_body_foot *feet; ///< [contacts]
    int              foot_count, variables;
    bool             reduced; ///< the base's accelerations are eliminated: contacts are complete

    double *still;    ///< [nv] zero
    double *M, *load; ///< [nv x nv], [nv] M a + load
    double *J;        ///< [6 x nv] of a frame
    double *base;     ///< [6 x width] a_base = base x + base_rest
    double  base_rest[WHOLE_BODY_BASE];
    double *effort;      ///< [joints x width] tau = effort x + effort_rest
    double *effort_rest; ///< [joints]

    double *tasks, *wanted; ///< [task_rows x width] times the roots of the weights
    int     task_count, task_rows;
    double *diagonal, *pull; ///< [width] of tasks that are of one variable

    double                 *H, *g; ///< the program
    double                 *A, *lower, *upper;
    double                 *least, *most, *x;
    int                     cone_rows;
    signed char            *active;
    int                     last_variables, last_rows; ///< of the tick before
    double                 *a;                         ///< [nv]
    double                 *efforts;                   ///< [joints] limits, INFINITY for none
    atemi_quadratic_solver *solver;
};

/// Eliminates the base's accelerations, once all contacts are known.
void atemi_whole_body_reduce(atemi_whole_body_control *c);

/// Adds a task row: `row` [nv] on accelerations, NULL for none, plus what is already in x.
double *atemi_whole_body_row_add(atemi_whole_body_control *c, const double *row, double wanted,
                                 double weight);

/// The rows of cones and efforts, and the limits of joints.
int  atemi_whole_body_cones_set(atemi_whole_body_control *c);
void atemi_whole_body_efforts_set(atemi_whole_body_control *c, int first);
void atemi_whole_body_stops_set(atemi_whole_body_control *c, bool free);
