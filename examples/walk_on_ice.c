// SPDX-License-Identifier: Apache-2.0
//
// Forty steps, with a metre of ice on the way: where feet slipped, and what the walk came to.

#include <atemi/atemi.h>
#include <stdio.h>
#include <stdlib.h>

static void tell(void *context, const atemi_slip *slip)
{
    long *slips = (long *)context;
    *slips += 1;
    printf("%7.2f s  %s foot at %.2f m: %.0f mm in %.0f ms\n", slip->start,
           slip->foot == ATEMI_LEFT ? "left" : "right", slip->place, 1e3 * slip->distance,
           1e3 * slip->duration);
}

int main(void)
{
    const atemi_floor_patch ice = {.from = 4, .to = 5, .friction = 0.1};
    long                    slips = 0;
    const atemi_walk_hooks  hooks = {.slip = tell, .context = &slips};
    atemi_urdf_options      options = atemi_urdf_options_default();
    atemi_walk_task         task = atemi_walk_task_default();
    atemi_model            *robot = NULL;
    atemi_walk             *walk = NULL;
    atemi_error             error;
    options.model.base = ATEMI_BASE_SAGITTAL;
    task.steps = 40;
    task.patches = &ice;
    task.patch_count = 1;
    atemi_status status = atemi_robots_load("humanoid17", &options, &robot, &error);
    status = status ? status : atemi_walk_create(robot, &task, &hooks, &walk, &error);
    status = status ? status : atemi_walk_run(walk, &error);
    if (status) {
        fprintf(stderr, "%s\n", error.message);
        return EXIT_FAILURE;
    }
    const atemi_walk_summary summary = atemi_walk_summary_get(walk);
    printf("%s: %ld steps, %.2f m in %.1f s, %ld slips, cost of transport %.2f\n",
           atemi_walk_end_text(summary.end), summary.steps, summary.distance, summary.time, slips,
           summary.cost_of_transport);
    atemi_walk_destroy(walk);
    atemi_model_destroy(robot);
    return summary.end == ATEMI_WALK_DONE ? EXIT_SUCCESS : EXIT_FAILURE;
}
