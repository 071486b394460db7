// SPDX-License-Identifier: Apache-2.0

/// @file
/// Sliding: the direction of friction, and how long a step may be while that changes.

#pragma once

#include "simulate/events/evaluation.h"

/// Gives points of a state that was observed, and whose load is known, that slide more slowly than
/// a step can follow, the directions that friction acts against.
void atemi_sliding_direct(atemi_evaluation *e, atemi_simulation_contacts *set, const double *q,
                          const double *v);

/// How long a step may be, at most h: where points are slow, short, so that the direction of
/// friction is followed. The kinematics get the accelerations a of the state observed last.
double atemi_sliding_step(atemi_evaluation *e, const atemi_simulation_contacts *set,
                          const double *a, double h);

/// After that: whether points that change their direction are about to stop, within less than a
/// step.
bool atemi_sliding_stops(const atemi_evaluation *e, const atemi_simulation_contacts *set);

/// Whether a point that slid straight when the step began did not go on so, though the step changed
/// it much: friction had another direction than it should then.
/// @param before [points] states at the start of the step
bool atemi_sliding_strayed(const atemi_simulation_contacts *set, const atemi_contact_state *before);
