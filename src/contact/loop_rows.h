// SPDX-License-Identifier: Apache-2.0

/// @file
/// The rows of closed loops, and how far a loop is open.

#pragma once

#include "contact/rows.h"

/// Writes the rows of all loops, of the first link relative to the second one, and returns their
/// number. The kinematics hold poses and, if `moving`, velocities and the accelerations of inverse
/// dynamics with a = 0.
int atemi_loop_rows_find(const atemi_model *model, const atemi_kinematics *k, bool moving,
                         const atemi_loop *loops, int count, atemi_contact_row *rows);

/// How far the loops are open, a number for each of those rows, m and rad: the rows' velocities are
/// the rates of these, to first order.
void atemi_loop_gaps(const atemi_model *model, const atemi_kinematics *k, const atemi_loop *loops,
                     int count, double *gaps);

/// How far one loop is open: the larger of its distance, m, and its angle, rad.
double atemi_loop_opening(const atemi_model *model, const atemi_kinematics *k,
                          const atemi_loop *loop);

/// The rows of all of them together.
int atemi_loop_rows_count(const atemi_loop *loops, int count);

/// The force and the moment on the first link at the place of each loop, world axes, from the
/// multipliers of their rows.
void atemi_loop_rows_collect(const atemi_contact_row *rows, const double *multipliers,
                             const atemi_loop *loops, int count, atemi_force *forces);

/// Adds these forces to what acts on the links, moments about the links' origins.
void atemi_loop_forces_add(const atemi_model *model, const atemi_kinematics *k,
                           const atemi_loop *loops, const atemi_force *forces, int count,
                           atemi_force *external);
