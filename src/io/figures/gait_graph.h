// SPDX-License-Identifier: Apache-2.0

/// @file
/// The graph of a gait's states, as text and as a picture, from the table of atemi/walk.h.

#pragma once

#include "io/figures/figure.h"

/// Every state of a foot and every arrow with its condition, for a terminal.
void atemi_gait_graph_print(atemi_text *text);

/// A whole picture: the states of a foot, the arrows by which one thing changes, and a legend.
void atemi_gait_graph_draw(atemi_figure *figure);
