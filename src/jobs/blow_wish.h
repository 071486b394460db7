// SPDX-License-Identifier: Apache-2.0

/// @file
/// A blow for a robot that is not known, as it is wished for: what is proposed, and what of it the
/// scenarios of a strike and of an impact share.

#pragma once

#include "atemi/strike_proposal.h"
#include "jobs/job.h"

/// Finds feet, hands and a start; soles and fists from meshes where the file has nothing better.
/// @param proposal result, to be destroyed whatever is returned
atemi_status blow_wish_propose(const atemi_job_wish *wish, atemi_strike_proposal *proposal,
                               atemi_error *error);

/// Appends the soles that are no sites of the robot yet, under the key sites; and the name of one.
void blow_wish_write_sites(const atemi_job_wish *wish, const atemi_strike_proposal *p,
                           atemi_text *yaml);
void blow_wish_put_sole(const atemi_job_wish *wish, const atemi_strike_proposal *p, int side,
                        atemi_text *yaml);

/// Appends the hand that strikes, under the key hand, to which more may be added.
/// @param axis with where it points
void blow_wish_write_hand(const atemi_job_wish *wish, const atemi_strike_proposal *p, bool axis,
                          atemi_text *yaml);
