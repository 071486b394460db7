// SPDX-License-Identifier: Apache-2.0

/// @file
/// The account of a walk: what came of it, what its feet did, and why it fell.

#pragma once

#include "walk/biped/sole_watch.h"

typedef struct biped_account {
    const atemi_model       *model;
    const atemi_biped_task  *task;
    const atemi_biped_hooks *hooks;
    atemi_vec3               start;
    atemi_mat3               upright; ///< the trunk at the start
    double                   trunk;   ///< its height above the soles at the start, m
    double                   above;   ///< the same now
    double                   last_landing;
    double                   work;
    double                   pushed, slid, strained; ///< when that was the last time, s
    bool                     lifted;
    sole_watch               feet[ATEMI_SIDES];
    atemi_biped_landing     *landings; ///< [footstep_count of the task]
    long                     changes[ATEMI_SOLE_STATES][ATEMI_SOLE_STATES];
    atemi_biped_summary      summary;
} biped_account;

/// Opens it at the start of a simulation. Model, task and hooks are set.
void biped_account_open(biped_account *account, const atemi_simulation *simulation);

/// Adds a tick, in which the joints had the torques `tau` [v_count].
void biped_account_keep(biped_account *account, const atemi_simulation *simulation,
                        const atemi_biped_state *state, const double *tau);

bool biped_account_has_fallen(const biped_account *account);

/// What the fall of this moment came from.
atemi_fall_cause biped_account_cause(const biped_account *account, const atemi_biped_state *state);
