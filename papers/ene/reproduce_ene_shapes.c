// SPDX-License-Identifier: Apache-2.0

#include "papers/ene/reproduce_ene_shapes.h"

#include <math.h>
#include <stdlib.h>

// [ENE] V-B on Figs. 13, 14 and 16: "the force acting on each link will increase at the specific
// shape nearby": the singular one, stretched along the floor, in which J J^T has no inverse, J the
// hand's Jacobian along y and z.

enum { RUN_STEPS = 1000, NEAR_STEPS = RUN_STEPS / 10 };

typedef struct shape_step {
    double manipulability;             // sqrt(det(J J^T)), which vanishes in a singular shape
    double force[ATEMI_ENE_MAX_LINKS]; // |y| of the joint forces
} shape_step;

static int by_manipulability(const void *a, const void *b)
{
    const double x = ((const shape_step *)a)->manipulability,
                 y = ((const shape_step *)b)->manipulability;
    return (x > y) - (x < y);
}

static atemi_status look_at_shapes(atemi_ene_motion *motion, shape_step *steps, atemi_error *error)
{
    atemi_status status = ATEMI_OK;
    for (int i = 0; i < RUN_STEPS && !status; ++i) {
        status = atemi_ene_motion_step(motion, error);
        const atemi_ene_loads loads = atemi_ene_motion_loads(motion);
        steps[i].manipulability = atemi_ene_motion_manipulability(motion);
        for (int link = 0; link < motion->links; ++link) {
            steps[i].force[link] = fabs(loads.joint_force[link].y);
        }
    }
    return status;
}

// Of the link that it is least true of.
static double find_growth(const shape_step *steps, int links)
{
    double least = HUGE_VAL;
    for (int link = 0; link < links; ++link) {
        double near = 0.0, elsewhere = 0.0;
        for (int i = 0; i < RUN_STEPS; ++i) {
            *(i < NEAR_STEPS ? &near : &elsewhere) += steps[i].force[link];
        }
        least =
            fmin(least, near / (double)NEAR_STEPS / (elsewhere / (double)(RUN_STEPS - NEAR_STEPS)));
    }
    return least;
}

atemi_status atemi_reproduce_ene_shapes(atemi_reproduction *rows, const atemi_ene_setting *setting,
                                        atemi_error *error)
{
    const atemi_printed grows = {ATEMI_REPRODUCED_PREDICTED,
                                 1.0,
                                 0.0,
                                 "-",
                                 "mean of |y| of the joint force in the tenth of 10 s in which the "
                                 "shape is nearest to singular, over that of the rest",
                                 ATEMI_REPRODUCED_AT_LEAST};
    shape_step          steps[RUN_STEPS];
    atemi_ene_motion    motion;
    atemi_status        status = atemi_ene_motion_begin(setting, &motion, error);
    if (status) {
        return status;
    }
    status = look_at_shapes(&motion, steps, error);
    qsort(steps, RUN_STEPS, sizeof *steps, by_manipulability);
    atemi_reproduction_add(rows, grows, find_growth(steps, motion.links),
                           "V-B: forces near the singular shape over those elsewhere");
    atemi_ene_motion_end(&motion);
    return status;
}
