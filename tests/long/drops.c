// SPDX-License-Identifier: Apache-2.0

/// @file
/// Random drops: boxes, humanoids and random robots fall onto floors, slopes and hills, with random
/// friction and restitution. Counts what must never happen; each drop is a function of its seed.
///
///     drops boxes|humanoids|trees COUNT [FIRST_SEED]
///
/// In the environment, TRACE=1 shows the events, ADAPTIVE=1 takes the adaptive integrator, STEPS=1
/// the method of steps, SHAPES=1 that with the robot's shapes in place of its points, which touch
/// each other as well, HEIGHTS=1 a height field, and FRICTION=5 takes friction of up to 5 in place
/// of 1.2. Exits with 0 where nothing was counted, 1 where something was, 2 where a drop could not
/// be made.

#include "atemi/kinematics.h"
#include "drop.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const int    looks = 50;
static const double balance_allowed = 1e-12; // relative
static const double box_time = 1.0;          // s of computing; what takes longer is shown
static const double robot_time = 60.0;

/// What a method promises.
typedef struct promise {
    double penetration; // m
    double gain;        // of the energy at hand, from look to look
    double overrun;     // of a stop, rad
} promise;

static const promise promises[] = {
    [ATEMI_METHOD_EVENTS] = {.penetration = 1e-9, .gain = 1e-9, .overrun = 1e-9},
    [ATEMI_METHOD_STEPS] = {.penetration = 1e-5, .gain = 1e-3, .overrun = 1e-3},
};

// By steps, what bounces does so at the end of a step: it may be half a step's way inside.
static promise promise_of(const drop *d)
{
    promise kept = promises[d->options.method];
    if (d->options.method == ATEMI_METHOD_STEPS) {
        kept.penetration += 0.5 * d->options.step * d->fastest;
    }
    return kept;
}

/// What one drop came to.
typedef struct verdict {
    bool                        stopped, finite;
    double                      gain, deepest;
    atemi_simulation_statistics made;
    atemi_error                 error;
} verdict;

typedef struct tally {
    long   runs, steps, collisions, events;
    long   stopped, not_finite, gained, penetrated, unbalanced, overran; ///< runs with that
    double worst_gain, deepest, worst_balance, worst_overrun;
} tally;

typedef struct energies {
    double total, at_hand; ///< at hand: the motion, and a fall of a metre
} energies;

static energies find_energies(drop *d)
{
    atemi_update_kinematics(d->data, atemi_simulation_q(d->simulation),
                            atemi_simulation_v(d->simulation), NULL);
    const double moving = atemi_kinetic_energy(d->data);
    return (energies){.total = moving + atemi_potential_energy(d->data),
                      .at_hand = moving + 9.81 * atemi_model_mass(d->model)};
}

// Nothing drives the robot: its energy never grows.
static verdict watch_fall(drop *d)
{
    verdict  found = {.finite = true};
    energies before = find_energies(d);
    for (int i = 1; i <= looks && !found.stopped; ++i) {
        found.stopped = atemi_simulation_run(d->simulation, d->duration / looks * i, &found.error);
        const energies now = find_energies(d);
        found.gain = fmax(found.gain, (now.total - before.total) / now.at_hand);
        found.finite = found.finite && isfinite(now.total);
        found.deepest = fmax(found.deepest, -drop_least_gap(d, atemi_simulation_q(d->simulation)));
        before = now;
    }
    found.made = atemi_simulation_statistics_get(d->simulation);
    found.deepest = fmax(found.deepest, found.made.deepest);
    return found;
}

// ---- Counting

static bool is_faultless(const tally *t)
{
    return !t->stopped && !t->not_finite && !t->gained && !t->penetrated && !t->unbalanced &&
           !t->overran;
}

static tally count(const verdict *found, const promise *kept)
{
    return (tally){.runs = 1,
                   .steps = found->made.steps,
                   .collisions = found->made.collisions,
                   .events = found->made.events,
                   .stopped = found->stopped,
                   .not_finite = !found->finite,
                   .gained = found->gain > kept->gain,
                   .penetrated = found->deepest > kept->penetration,
                   .unbalanced = found->made.collision_balance > balance_allowed,
                   .overran = found->made.overrun > kept->overrun,
                   .worst_overrun = found->made.overrun,
                   .worst_gain = found->gain,
                   .deepest = found->deepest,
                   .worst_balance = found->made.collision_balance};
}

static void add(const tally *one, tally *sum)
{
    sum->runs += one->runs;
    sum->steps += one->steps;
    sum->collisions += one->collisions;
    sum->events += one->events;
    sum->stopped += one->stopped;
    sum->not_finite += one->not_finite;
    sum->gained += one->gained;
    sum->penetrated += one->penetrated;
    sum->unbalanced += one->unbalanced;
    sum->overran += one->overran;
    sum->worst_overrun = fmax(sum->worst_overrun, one->worst_overrun);
    sum->worst_gain = fmax(sum->worst_gain, one->worst_gain);
    sum->deepest = fmax(sum->deepest, one->deepest);
    sum->worst_balance = fmax(sum->worst_balance, one->worst_balance);
}

static void show_fault(const drop *d, const verdict *found)
{
    printf("seed %llu: %s gain %.2e deepest %.2e balance %.2e beyond %.2e at %.6f s\n",
           (unsigned long long)d->seed, found->error.message, found->gain, found->deepest,
           found->made.collision_balance, found->made.overrun,
           atemi_simulation_time(d->simulation));
    fflush(stdout);
}

static void drop_one(uint64_t seed, drop_kind kind, tally *sum)
{
    const clock_t began = clock();
    drop          d;
    drop_make(&d, seed, kind);
    const verdict found = watch_fall(&d);
    const promise kept = promise_of(&d);
    const tally   one = count(&found, &kept);
    const double  took = (double)(clock() - began) / CLOCKS_PER_SEC;
    if (!is_faultless(&one)) {
        show_fault(&d, &found);
    }
    if (took > (kind == DROP_BOXES ? box_time : robot_time)) {
        printf("seed %llu: took %.1f s\n", (unsigned long long)seed, took);
    }
    add(&one, sum);
    drop_destroy(&d);
}

// tests/long/run reads this: a name and a number on each line, of which those that begin with
// "worst" have a maximum and the others a sum.
static void print_tally(const char *what, const tally *t)
{
    printf("%-26s %ld\n", what, t->runs);
    printf("%-26s %ld\n", "steps", t->steps);
    printf("%-26s %ld\n", "collisions", t->collisions);
    printf("%-26s %ld\n", "events", t->events);
    printf("%-26s %ld\n", "could not go on", t->stopped);
    printf("%-26s %ld\n", "not a number", t->not_finite);
    printf("%-26s %ld\n", "gained energy", t->gained);
    printf("%-26s %ld\n", "went too deep", t->penetrated);
    printf("%-26s %ld\n", "a collision out of balance", t->unbalanced);
    printf("%-26s %ld\n", "went beyond a stop", t->overran);
    printf("%-26s %.1e\n", "worst gain, relative", t->worst_gain);
    printf("%-26s %.1e\n", "worst penetration, m", t->deepest);
    printf("%-26s %.1e\n", "worst beyond a stop, rad", t->worst_overrun);
    printf("%-26s %.1e\n", "worst balance, relative", t->worst_balance);
}

int main(int argument_count, char **arguments)
{
    static const char *const kinds[] = {"boxes", "humanoids", "trees"};
    int                      kind = 0;
    while (argument_count >= 3 && kind < 3 && strcmp(arguments[1], kinds[kind]) != 0) {
        ++kind;
    }
    if (argument_count < 3 || kind == 3) {
        fprintf(stderr, "usage: drops boxes|humanoids|trees COUNT [FIRST_SEED]\n");
        return 2;
    }
    const uint64_t many = strtoull(arguments[2], NULL, 10);
    const uint64_t first = argument_count > 3 ? strtoull(arguments[3], NULL, 10) : 1;
    tally          sum = {0};
    for (uint64_t i = 0; i < many; ++i) {
        drop_one(first + i, (drop_kind)kind, &sum);
    }
    print_tally(arguments[1], &sum);
    return is_faultless(&sum) ? 0 : 1;
}
