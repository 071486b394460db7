// SPDX-License-Identifier: Apache-2.0

// The walk of [WALK]: 1000 steps, on floors of less and less friction, and how fast it is
// simulated.
//
//   bench_walk [STEPS]

#include "atemi/walk.h"
#include "atemi/robots.h"
#include "timing.h"

#include <stdio.h>
#include <stdlib.h>

static const double frictions[] = {0.7, 1.0,  0.5,  0.4,  0.3,  0.2,  0.15,
                                   0.1, 0.08, 0.06, 0.05, 0.04, 0.03, 0.02};

static void tell(const atemi_walk *walk, double friction, double seconds)
{
    const atemi_walk_summary          s = atemi_walk_summary_get(walk);
    const atemi_simulation_statistics did =
        atemi_simulation_statistics_get(atemi_walk_simulation(walk));
    printf("%8.2f  %-5s %-7s %5ld %8.2f %8.2f %7.4f %7.4f %6.2f %6ld %7.2f %6.3f %6ld %6.3f "
           "%8.1f %9ld %7ld\n",
           friction, atemi_walk_end_text(s.end), atemi_fall_cause_text(s.cause), s.steps,
           s.distance, s.time, s.step_length, s.step_period, 3.6 * s.speed, s.slips,
           s.slip_distance, s.most_friction, s.limited, s.cost_of_transport, s.time / seconds,
           did.evaluations, did.events);
}

static bool walk(const atemi_model *model, double friction, long steps)
{
    atemi_walk_task task = atemi_walk_task_default();
    atemi_walk     *w;
    task.steps = steps;
    task.friction = friction;
    if (atemi_walk_create(model, &task, NULL, &w, NULL)) {
        return false;
    }
    const double       begin = bench_computed();
    const atemi_status status = atemi_walk_run(w, NULL);
    tell(w, friction, 1e-9 * (bench_computed() - begin));
    atemi_walk_destroy(w);
    return !status;
}

int main(int argc, char **argv)
{
    const long         steps = argc > 1 ? atol(argv[1]) : 1000;
    atemi_urdf_options robot = atemi_urdf_options_default();
    atemi_model       *model;
    bool               done = true;
    robot.model.base = ATEMI_BASE_SAGITTAL;
    if (atemi_robots_load("humanoid17", &robot, &model, NULL)) {
        return 2;
    }
    puts("friction  end   cause   steps distance     time  length  period   km/h  slips       m    "
         "used    lim    CoT   x real     evals  events");
    for (size_t i = 0; i < sizeof frictions / sizeof frictions[0]; ++i) {
        done = walk(model, frictions[i], steps) && done;
    }
    atemi_model_destroy(model);
    return done ? 0 : 1;
}
