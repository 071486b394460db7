// SPDX-License-Identifier: Apache-2.0

/// @file
/// hrp2_like, half sitting on its two soles.

#pragma once

#include "atemi/coordination.h"
#include "atemi/kinematics.h"
#include "atemi/robots.h"
#include "check.h"

#include <string.h>

enum { STANDING_RIGHT, STANDING_LEFT, STANDING_FEET, STANDING_MOST = 64 };

/// The contact of a site of the robot.
static inline atemi_standing_contact standing_sole(const atemi_model *model, const char *name)
{
    const atemi_site      *site = atemi_model_site(model, atemi_model_find_site(model, name));
    atemi_standing_contact contact = atemi_standing_contact_default();
    contact.link = site->link;
    contact.frame = site->pose;
    contact.size_x = site->size_x;
    contact.size_y = site->size_y;
    return contact;
}

static inline void standing_soles(const atemi_model     *model,
                                  atemi_standing_contact contacts[STANDING_FEET])
{
    contacts[STANDING_RIGHT] = standing_sole(model, "right_sole");
    contacts[STANDING_LEFT] = standing_sole(model, "left_sole");
}

static inline atemi_model *standing_robot(double q[STANDING_MOST])
{
    atemi_model *model = NULL;
    CHECK_STATUS(atemi_robots_load("hrp2_like", NULL, &model, NULL), ATEMI_OK);
    CHECK(atemi_model_q_count(model) <= STANDING_MOST);
    const int posture = atemi_model_find_posture(model, "half_sitting");
    memcpy(q, atemi_model_posture(model, posture), (size_t)atemi_model_q_count(model) * sizeof *q);
    return model;
}
