// SPDX-License-Identifier: Apache-2.0

// How the gains of the walking controller were found: a search from round numbers, a function of
// its seed. A trial changes some of the gains at random; it is kept if it walks better. What better
// means is the sum, over the walks below, of what is missing from all steps, of how far step length
// and period are from [WALK]'s, of the work it takes and of the torques beyond the joints' limits.
//
//   bench_walk_search SEED TRIALS         prints the gains of the best trial, one a line

#include "atemi/robots.h"
#include "atemi/walk.h"
#include "random.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

static const double paper_length = 0.42413, paper_period = 0.71035; // m, s: [WALK], 1000 steps

// ---- What is searched -----------------------------------------------------------------------

typedef struct gain {
    const char *name;
    size_t      offset;
    double      start, low, high;
} gain;

#define GAIN(member, start, low, high)                                                             \
    {#member, offsetof(atemi_walking_options, member), start, low, high}

static const gain gains[] = {
    GAIN(step_length, 0.45, 0.40, 0.50),    GAIN(double_support, 0.1, 0.04, 0.20),
    GAIN(pressure_travel, 0.08, 0.02, 0.1), GAIN(hip_height, 0.73, 0.68, 0.76),
    GAIN(clearance, 0.05, 0.02, 0.10),      GAIN(landing_speed, 0.08, 0.02, 0.30),
    GAIN(heel_strike, 0.12, 0.0, 0.30),     GAIN(push_off, 0.2, 0.0, 0.60),
    GAIN(arm_swing, 0.6, 0.0, 1.2),         GAIN(capture_gain, 2.0, 1.3, 4.0),
    GAIN(last_change, 0.15, 0.05, 0.30),    GAIN(settling, 0.03, 0.0, 0.10),
    GAIN(felt_part, 0.8, 0.5, 1.0),         GAIN(sole_rate, 30.0, 15.0, 60.0),
    GAIN(foot_rate, 25.0, 12.0, 50.0),      GAIN(trunk_rate, 12.0, 5.0, 25.0),
    GAIN(head_rate, 15.0, 6.0, 30.0),       GAIN(joint_rate, 15.0, 6.0, 30.0),
};

enum { GAINS = sizeof gains / sizeof gains[0] };

static double *gain_in(atemi_walking_options *options, int i)
{
    return (double *)(void *)((char *)options + gains[i].offset);
}

// Changes about a quarter of the gains by up to `reach` of their ranges.
static atemi_walking_options mutate(const atemi_walking_options *from, double reach,
                                    random_stream *random)
{
    atemi_walking_options options = *from;
    for (int i = 0; i < GAINS; ++i) {
        const double change =
            random_uniform(random, -reach, reach) * (gains[i].high - gains[i].low);
        double *value = gain_in(&options, i);
        if (random_uniform(random, 0.0, 1.0) < 0.25) {
            *value = fmin(fmax(*value + change, gains[i].low), gains[i].high);
        }
    }
    return options;
}

// ---- What is walked -------------------------------------------------------------------------

typedef struct course {
    double friction, ice; ///< of the floor, and of its metre from 2.5 m on; 0 for none
    double push, when;    ///< N on the waist for 0.1 s, and s
} course;

static const course courses[] = {
    {0.7, 0.0, 0.0, 0.0}, {0.7, 0.0, 300.0, 6.0},   {0.7, 0.0, -350.0, 6.3},
    {0.1, 0.0, 0.0, 0.0}, {0.7, 0.05, 0.0, 0.0},    {0.7, 0.0, 300.0, 6.35},
    {0.7, 0.1, 0.0, 0.0}, {0.7, 0.0, -350.0, 6.65}, {0.3, 0.0, 0.0, 0.0},
};

enum { COURSES = sizeof courses / sizeof courses[0], STEPS = 16 };

static double cost_of(const atemi_walk_summary *s, const course *c)
{
    const bool   plain = c->friction == 0.7 && c->ice == 0.0 && c->push == 0.0;
    const double missing = (double)(STEPS - s->steps) / STEPS;
    double       cost = s->end == ATEMI_WALK_DONE ? 0.0 : 10.0 * (1.0 + missing);
    cost += 1e-3 * (double)s->limited + s->cost_of_transport;
    if (plain) { // the first steps are shorter
        cost += 20.0 * fabs(s->step_period / paper_period - 1.0) +
                10.0 * fmax(0.97 * paper_length - 0.06 - s->step_length, 0.0) / paper_length;
    }
    return cost;
}

static double walk(const atemi_model *model, const atemi_walking_options *options, const course *c)
{
    const atemi_floor_patch ice = {.from = 2.5, .to = 3.5, .friction = c->ice};
    const atemi_timed_force force = {
        .wrench.linear = {c->push, 0.0, 0.0}, .from = c->when, .until = c->when + 0.1};
    atemi_walk_task task = atemi_walk_task_default();
    atemi_walk     *w;
    task.controller = *options;
    task.steps = STEPS;
    task.friction = c->friction;
    task.patches = &ice;
    task.patch_count = c->ice > 0.0;
    task.forces = &force;
    task.force_count = c->push != 0.0;
    if (atemi_walk_create(model, &task, NULL, &w, NULL)) {
        return (double)INFINITY;
    }
    const atemi_status       status = atemi_walk_run(w, NULL);
    const atemi_walk_summary summary = atemi_walk_summary_get(w);
    atemi_walk_destroy(w);
    return status ? (double)INFINITY : cost_of(&summary, c);
}

// The cost of all courses, or more than `best` as soon as that is certain.
static double try(const atemi_model *model, const atemi_walking_options *options, double best)
{
    double cost = 0.0;
    for (int i = 0; i < COURSES && cost <= best; ++i) {
        cost += walk(model, options, &courses[i]);
    }
    return cost;
}

static atemi_walking_options start(void)
{
    atemi_walking_options options = atemi_walking_options_default();
    for (int i = 0; i < GAINS; ++i) {
        *gain_in(&options, i) = gains[i].start;
    }
    return options;
}

// ---- The search -----------------------------------------------------------------------------

static atemi_walking_options search(const atemi_model *model, random_stream random, int trials)
{
    atemi_walking_options best = start();
    double                least = try(model, &best, (double)INFINITY);
    fprintf(stderr, "start: %.4f\n", least);
    for (int i = 0; i < trials; ++i) {
        const double                reach = 0.3 * pow(0.1, (double)i / trials);
        const atemi_walking_options options = mutate(&best, reach, &random);
        const double                cost = try(model, &options, least);
        if (cost < least) {
            least = cost;
            best = options;
            fprintf(stderr, "trial %d: %.4f\n", i + 1, least);
        }
    }
    return best;
}

static void print(atemi_walking_options *options)
{
    for (int i = 0; i < GAINS; ++i) {
        printf("%-16s %.4g\n", gains[i].name, *gain_in(options, i));
    }
}

int main(int argc, char **argv)
{
    atemi_urdf_options robot = atemi_urdf_options_default();
    atemi_error        error;
    atemi_model       *model;
    robot.model.base = ATEMI_BASE_SAGITTAL;
    if (argc != 3 || atemi_robots_load("humanoid17", &robot, &model, &error)) {
        fprintf(stderr, "usage: %s SEED TRIALS\n", argv[0]);
        return 2;
    }
    atemi_walking_options best =
        search(model, (random_stream){strtoull(argv[1], NULL, 10)}, atoi(argv[2]));
    print(&best);
    atemi_model_destroy(model);
    return 0;
}
