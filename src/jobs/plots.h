// SPDX-License-Identifier: Apache-2.0

/// @file
/// The plots of each job, beside it in src/jobs/JOB/JOB_plots.c, in the order of the page and ended
/// by NULL. A column of a job is shown once one of its plots, or a standard one, names it.

#pragma once

#include "io/report/standard_plots.h"

extern const atemi_recorded_plot *const atemi_simulate_plots[];
extern const atemi_recorded_plot *const atemi_impact_plots[];
extern const atemi_recorded_plot *const atemi_strike_plots[];
extern const atemi_recorded_plot *const atemi_walk_plots[];
extern const atemi_recorded_plot *const atemi_control_plots[];
