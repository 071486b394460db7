// SPDX-License-Identifier: Apache-2.0

#include "jobs/plots.h"

const atemi_recorded_plot *const atemi_simulate_plots[] = {
    PLOTS_OF_CONTACTS, PLOTS_OF_BALANCE, PLOTS_OF_JOINTS, &atemi_plot_energy, PLOTS_OF_BASE, NULL};
