// SPDX-License-Identifier: Apache-2.0

/// @file
/// The torques of a robot that stands: the wrenches of its contacts, within friction and soles,
/// that strain its joints least.

#pragma once

#include "atemi/coordination.h"
#include "atemi/quadratic_program.h"
#include "dynamics/base_frame.h"

/// A contact in a posture.
typedef struct standing_support {
    atemi_standing_contact about;  ///< of a link that is held: its frame alone counts
    bool                   stands; ///< only pushes; otherwise it bears any wrench
    double                *J;      ///< [6 x v_count] along the frame's axes
    double                 lever;  ///< m, of the moment that costs what a force costs
} standing_support;

/// What a solution keeps to.
typedef struct standing_limits {
    double margin;  ///< fraction of a sole's side that pressure keeps away from each edge
    bool   efforts; ///< of the joints
} standing_limits;

/// What came of a program.
typedef struct standing_result {
    double missing; ///< what no contact gives, as a fraction of the weight (moments: at the height)
    double effort;  ///< the largest fraction of an effort limit
    int    joint;   ///< whose it is
} standing_result;

/// The program of a robot. Not to be touched.
typedef struct standing_program {
    int                     joint_count, first_v, most, standing; ///< most: contacts and links held
    standing_support       *supports;                             ///< [most] those that stand first
    int                     count;          ///< in the posture that was placed
    double                  weight, height; ///< N, m
    double                 *limits;         ///< [joints] effort
    double                 *strains;        ///< [6 most x joints]
    double                 *H, *g, *A, *lower, *upper, *least, *bound, *x, *trial;
    int                     cone_rows, width;
    signed char            *active;
    int                     last_variables, last_rows;
    atemi_quadratic_solver *solver;
} standing_program;

/// Lays it out on an arena.
/// @param max_links that are held besides the contacts
standing_program atemi_standing_program_take(atemi_arena *arena, const atemi_model *model,
                                             int contact_count, int max_links);

/// Reads the contacts and the effort limits of the joints; once, after it was laid out.
void atemi_standing_program_start(const atemi_model *model, const atemi_standing_contact *contacts,
                                  standing_program *program);

/// Goes over to the posture that the scratch of the base was placed in.
/// @param held [links] that bear any wrench; NULL for none
void atemi_standing_program_place(const atemi_model *model, const bool *held,
                                  const atemi_base_frame_scratch *scratch,
                                  standing_program               *program);

/// Distributes loads among the contacts.
/// @param loads    [v_count] atemi_base_frame_loads()
/// @param torques  [joints] result
/// @return `missing` is infinite where the solver gave up: the wrenches of the last solution count
standing_result atemi_standing_program_solve(standing_program *program, const double *loads,
                                             standing_limits limits, double *torques);

/// The wrench of a contact of the last solution, along its frame's axes.
atemi_force atemi_standing_program_wrench(const standing_program *program, int contact);
