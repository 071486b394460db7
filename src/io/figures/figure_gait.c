// SPDX-License-Identifier: Apache-2.0

#include "atemi/gait_states.h"
#include "io/figures/figure_bars.h"

// The states of a gait over time, a bar for each foot.

static const char *const colors[ATEMI_FOOT_STATES] = {
    [ATEMI_FOOT_AIR] = "#eeeeee",       [ATEMI_FOOT_HEEL_STICK] = "#56b4e9",
    [ATEMI_FOOT_HEEL_SLIP] = "#f0e442", [ATEMI_FOOT_TOE_STICK] = "#cc79a7",
    [ATEMI_FOOT_TOE_SLIP] = "#e69f00",  [ATEMI_FOOT_SOLE_STICK] = "#009e73",
    [ATEMI_FOOT_SOLE_SLIP] = "#d55e00"};

atemi_status atemi_figure_gait(const atemi_figure_source *source, atemi_figure *figure,
                               atemi_error *error)
{
    (void)error;
    const atemi_figure_bar feet[ATEMI_GAIT_FEET] = {
        {"left foot", -1, atemi_recording_find_channel(source->recording, "gait.left")},
        {"right foot", -1, atemi_recording_find_channel(source->recording, "gait.right")}};
    const char *names[ATEMI_FOOT_STATES];
    for (int i = 0; i < ATEMI_FOOT_STATES; ++i) {
        names[i] = atemi_foot_state_text((atemi_foot_state)i);
    }
    if (feet[0].channel != ATEMI_NONE && feet[1].channel != ATEMI_NONE) {
        const atemi_figure_bars bars = {ATEMI_GAIT_FEET, feet,  ATEMI_FOOT_STATES,
                                        colors,          names, 92.0};
        atemi_figure_bars_draw(source, &bars, figure);
    }
    return ATEMI_OK;
}
