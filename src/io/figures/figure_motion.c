// SPDX-License-Identifier: Apache-2.0

#include "io/figures/figure_postures.h"

#include <math.h>

// The robot in motion: one picture after the other at the same place, over and over. The camera
// stands still if the robot stays in sight, and goes with it otherwise. What shows no moving
// pictures shows the one nearest to time 0: the first touch of a strike, the start of others.

enum { FRAMES = 28 };

static const double highest = 320.0, widest = 640.0, margin = 14.0, foot = 30.0; // pixels

static const double shortest = 2.0, longest = 8.0; // s, that it takes to be seen

static const double in_sight = 1.6; // widths of a posture

typedef struct camera {
    bool   still;
    double start; ///< its left edge if it stands still, m
} camera;

static camera choose_camera(atemi_figure_postures *motion)
{
    double left = INFINITY, right = -INFINITY;
    for (int i = 0; i < motion->count; ++i) {
        left = fmin(left, motion->boxes[i].left);
        right = fmax(right, motion->boxes[i].right);
    }
    const double width = fmax(right - left, motion->all.right);
    const bool   still = width <= in_sight * motion->all.right;
    motion->all.right = still ? width : motion->all.right;
    return (camera){still, 0.5 * (left + right - width)};
}

static double period_of(const atemi_figure_source *source)
{
    const double time = source->t[source->rows - 1] - source->t[0];
    return fmin(fmax(time, shortest), longest);
}

static int still_of(const atemi_figure_postures *motion)
{
    int best = 0;
    for (int i = 1; i < motion->count; ++i) {
        const double *t = motion->source->t;
        best = fabs(t[motion->rows[i]]) < fabs(t[motion->rows[best]]) ? i : best;
    }
    return best;
}

static void draw(atemi_figure *figure, atemi_figure_postures *motion, camera view)
{
    const double period = period_of(motion->source);
    const int    still = still_of(motion);
    atemi_figure_begin(figure, atemi_figure_postures_width(motion) + 2.0 * margin,
                       atemi_figure_postures_height(motion) + 2.0 * margin + foot);
    for (int i = 0; i < motion->count; ++i) {
        atemi_figure_frame_begin(figure, i, motion->count, period, i == still);
        atemi_figure_posture_draw(figure, motion, i, margin,
                                  view.still ? view.start : atemi_figure_postures_start(motion, i));
        atemi_figure_frame_end(figure);
    }
    atemi_figure_end(figure);
}

atemi_status atemi_figure_motion(const atemi_figure_source *source, atemi_figure *figure,
                                 atemi_error *error)
{
    atemi_figure_postures motion;
    if (!source->robot->model || source->robot->part_count == 0 || source->rows < FRAMES) {
        return ATEMI_OK;
    }
    const atemi_status status = atemi_figure_postures_create(source, &motion, error);
    if (!status) {
        atemi_figure_postures_look(&motion, FRAMES);
        atemi_figure_postures_fit_arrows(&motion);
        const camera chosen = choose_camera(&motion);
        motion.scale =
            fmin(highest / (motion.all.high - motion.all.low), widest / motion.all.right);
        if (isfinite(motion.scale) && motion.scale > 0.0) {
            draw(figure, &motion, chosen);
        }
    }
    atemi_figure_postures_destroy(&motion);
    return status;
}
