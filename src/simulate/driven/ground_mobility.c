// SPDX-License-Identifier: Apache-2.0

#include "dynamics/frame_rows.h"
#include "math/rows.h"
#include "simulate/driven/whole_body.h"

#include <string.h>

// With the rows J of a point, a force along e accelerates it by e^T J M^-1 J^T e along e: at most
// by the trace of J M^-1 J^T, whatever e. Points of one link may all push at once.

// e^T J M^-1 J^T e for one axis e of the world.
static double mobility_along(atemi_whole_body_plant *p, int axis)
{
    const int     n = p->first_v + p->count;
    const double *row = row_of(p->rows, n, axis);
    memcpy(p->answer, row, (size_t)n * sizeof *row);
    atemi_mass_factor_solve(p->model, &p->dynamics.factor, p->answer);
    return row_dot(n, row, p->answer);
}

static double mobility_of(atemi_whole_body_plant *p, int index)
{
    const atemi_ground_point *about = &p->grounds[index].about;
    double                    sum = 0.0;
    int                       beside = 0;
    atemi_frame_rows(p->model, &p->kinematics, about->link, about->point, p->rows);
    for (int axis = 0; axis < 3; ++axis) {
        sum += mobility_along(p, axis);
    }
    for (int i = 0; i < p->options.ground_count; ++i) {
        beside += p->grounds[i].about.link == about->link;
    }
    return beside * sum;
}

void atemi_whole_body_start_grounds(atemi_whole_body_plant *p)
{
    if (p->options.ground_count) {
        atemi_mass_factor_at(p->model, &p->kinematics, &p->dynamics.factor);
    }
    for (int i = 0; i < p->options.ground_count; ++i) {
        atemi_ground_start(p->options.period, mobility_of(p, i), &p->grounds[i]);
    }
}
