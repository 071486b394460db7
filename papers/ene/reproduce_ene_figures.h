// SPDX-License-Identifier: Apache-2.0

/// @file
/// The figures of [ENE] that show something over time.

#pragma once

#include "papers/ene/reproduce_ene_motion.h"
#include "papers/reproduction_parts.h"

typedef enum atemi_ene_quantity {
    ATEMI_ENE_ANGLES,   ///< of the joints, and the height of the hand
    ATEMI_ENE_FORCES_Y, ///< between the links, and the friction
    ATEMI_ENE_FORCES_Z, ///< between the links, and the normal force
} atemi_ene_quantity;

typedef struct atemi_ene_figure {
    int                number;
    const char        *title;
    atemi_ene_quantity quantity;
} atemi_ene_figure;

/// Adds a figure of the first 10 s of a motion.
atemi_status atemi_reproduce_ene_figure(atemi_reproduction      *reproduction,
                                        const atemi_ene_figure  *figure,
                                        const atemi_ene_setting *setting, atemi_error *error);
