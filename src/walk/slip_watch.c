// SPDX-License-Identifier: Apache-2.0

#include "walk/slip_watch.h"

#include <math.h>

static const double least = 1e-3; // m, that count

static bool slides_now(const atemi_simulation *simulation, int foot)
{
    const int first = ATEMI_FOOT_POINTS * foot;
    return atemi_simulation_mode(simulation, first + ATEMI_HEEL) == ATEMI_CONTACT_SLIP ||
           atemi_simulation_mode(simulation, first + ATEMI_TOE) == ATEMI_CONTACT_SLIP;
}

static double middle(const atemi_simulation *simulation, int foot)
{
    const int first = ATEMI_FOOT_POINTS * foot;
    return 0.5 * (atemi_simulation_position(simulation, first + ATEMI_HEEL).x +
                  atemi_simulation_position(simulation, first + ATEMI_TOE).x);
}

bool atemi_slip_watch_look(atemi_slip_watch *watch, const atemi_simulation *simulation, int foot)
{
    const double time = atemi_simulation_time(simulation), x = middle(simulation, foot);
    const bool   slid = watch->slides;
    watch->slides = slides_now(simulation, foot);
    if (!slid && watch->slides) {
        watch->slip = (atemi_slip){.foot = foot, .start = time, .place = x};
    }
    if (slid) {
        watch->slip.distance += x - watch->last;
        watch->slip.duration = time - watch->slip.start;
    }
    watch->last = x;
    return slid && !watch->slides && fabs(watch->slip.distance) >= least;
}
