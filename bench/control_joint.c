// SPDX-License-Identifier: Apache-2.0

// The time of one tick of joint control, for all joints of a leg pair and of a whole robot:
// simulated joints with noise, commands at 50 Hz. Only the control is timed. Without a real-time
// kernel the largest times are the system's, not ours.

#include "atemi/control_loop.h"
#include "timing.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST_JOINTS = 58, TICKS_PER_COMMAND = 100 };

typedef struct robot {
    int                     count;
    atemi_joint_plant       plants[MOST_JOINTS];
    atemi_joint_control     controls[MOST_JOINTS];
    atemi_joint_measurement measurements[MOST_JOINTS];
    atemi_joint_command     commands[MOST_JOINTS];
    atemi_joint_output      outputs[MOST_JOINTS];
} robot;

static void start(robot *r, int count)
{
    const atemi_joint_control_options control = atemi_joint_control_options_default();
    atemi_joint_plant_options         plant = atemi_joint_plant_options_default();
    r->count = count;
    for (int i = 0; i < count; i++) {
        plant.seed = (uint64_t)i;
        if (atemi_joint_plant_start(&plant, &r->plants[i], NULL) ||
            atemi_joint_control_start(&control, &r->controls[i], NULL)) {
            exit(2);
        }
    }
}

static void command_all(robot *r, int tick)
{
    for (int i = 0; i < r->count; i++) {
        atemi_joint_command *command = &r->commands[i];
        *command = atemi_joint_command_default();
        command->stiffness = 4000.0;
        command->damping = 480.0;
        command->integral = 1000.0;
        command->windup_limit = 10.0;
        command->position = (tick / 2500 + i) % 2 ? 0.05 : -0.05;
        command->gravity_torque = i;
    }
}

/// ns of the control of all joints, by one of the clocks of timing.h.
static double time_tick(robot *r, int tick, double (*clock)(void))
{
    const bool   commanded = tick % TICKS_PER_COMMAND == 0;
    const double begin = clock();
    for (int i = 0; i < r->count; i++)
        atemi_joint_control_step(&r->controls[i], &r->measurements[i],
                                 commanded ? &r->commands[i] : NULL, &r->outputs[i]);
    return clock() - begin;
}

static void move(robot *r)
{
    for (int i = 0; i < r->count; i++) {
        atemi_joint_plant_apply(&r->plants[i], r->outputs[i].voltage);
        atemi_joint_plant_advance(&r->plants[i], r->controls[i].options.period, 0.0);
        atemi_joint_plant_measure(&r->plants[i], &r->measurements[i]);
    }
}

typedef struct way {
    const char *name;
    double (*clock)(void);
} way;

static void print_row(const robot *r, const way *w, double *samples, int ticks)
{
    double minimum, median;
    int    troubled = 0;
    for (int i = 0; i < r->count; i++)
        troubled += r->outputs[i].state != ATEMI_JOINT_OK;
    bench_summarize(samples, ticks, &minimum, &median);
    printf("%6d %-9s %8.2f %8.2f %8.2f %8.2f %8d\n", r->count, w->name, 1e-3 * minimum,
           1e-3 * median, 1e-3 * samples[(long)ticks * 9999 / 10000], 1e-3 * samples[ticks - 1],
           troubled);
}

static void run(int count, const way *w, int ticks, double *samples)
{
    static robot r;
    start(&r, count);
    for (int k = 0; k < ticks; k++) {
        command_all(&r, k);
        samples[k] = time_tick(&r, k, w->clock);
        move(&r);
    }
    print_row(&r, w, samples, ticks);
}

int main(int count, char **arguments)
{
    static const way ways[] = {{"elapsed", bench_now}, {"computed", bench_computed}};
    static const int robots[] = {14, MOST_JOINTS};
    const int        ticks = count > 1 ? atoi(arguments[1]) : 100000;
    double          *samples = ticks > 0 ? malloc((size_t)ticks * sizeof *samples) : NULL;
    if (!samples) {
        fputs("bench_control_joint [TICKS]\n", stderr);
        return 2;
    }
    printf("one 5 kHz tick of joint control, us, of %d\n\n", ticks);
    printf("%6s %-9s %8s %8s %8s %8s %8s\n", "joints", "time", "least", "p50", "p99.99", "most",
           "not ok");
    for (int i = 0; i < 4; i++)
        run(robots[i / 2], &ways[i % 2], ticks, samples);
    free(samples);
    return 0;
}
