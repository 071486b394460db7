// SPDX-License-Identifier: Apache-2.0

#include "io/figures/figure_postures.h"

#include <math.h>

// The robot at several times, side by side; each picture moves along x with the robot.

enum { MAX_POSTURES = 9, LEAST_POSTURES = 5 };

static const double widest = 1080.0, highest = 320.0, margin = 14.0, foot = 30.0; // pixels

// As many postures as fit side by side at full height.
static void choose_postures(atemi_figure_postures *strip)
{
    int count = MAX_POSTURES;
    atemi_figure_postures_look(strip, count);
    while (count > LEAST_POSTURES &&
           count * strip->all.right * highest > widest * (strip->all.high - strip->all.low)) {
        atemi_figure_postures_look(strip, --count);
    }
}

static void choose_scale(atemi_figure_postures *strip)
{
    strip->scale = fmin(highest / (strip->all.high - strip->all.low),
                        widest / (strip->count * strip->all.right));
}

static void draw_strip(atemi_figure *figure, atemi_figure_postures *strip)
{
    const double width = atemi_figure_postures_width(strip);
    atemi_figure_begin(figure, strip->count * width + 2.0 * margin,
                       atemi_figure_postures_height(strip) + 2.0 * margin + foot);
    for (int i = 0; i < strip->count; ++i) {
        atemi_figure_posture_draw(figure, strip, i, margin + i * width,
                                  atemi_figure_postures_start(strip, i));
    }
    atemi_figure_end(figure);
}

atemi_status atemi_figure_strip(const atemi_figure_source *source, atemi_figure *figure,
                                atemi_error *error)
{
    atemi_figure_postures strip;
    if (!source->robot->model || source->robot->part_count == 0) {
        return ATEMI_OK;
    }
    const atemi_status status = atemi_figure_postures_create(source, &strip, error);
    if (!status) {
        choose_postures(&strip);
        atemi_figure_postures_fit_arrows(&strip);
        choose_scale(&strip);
        if (isfinite(strip.scale) && strip.scale > 0.0) {
            draw_strip(figure, &strip);
        }
    }
    atemi_figure_postures_destroy(&strip);
    return status;
}
