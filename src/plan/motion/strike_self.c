// SPDX-License-Identifier: Apache-2.0

#include "plan/motion/strike_self.h"

#include <math.h>

// Most pairs of links never come near each other. So a plan is made with constraints for none of
// them, then pairs that are too near are looked for, and the plan is made again from there with
// constraints for these (exchange method [HettichKortanek93]).
//
// Between two looks the time h apart, with distances d0 and d1 and a relative acceleration of at
// most a along the line between them, the distance is at least
//
//   min(d0, d1) - a h^2 / 8
//
// which is 0.5 mm for the hand's 15 ms and 20 m/s^2. The finished motion is looked at every 2 ms,
// and what is nearer than allowed there tightens the constraint.

static const double scale = 0.01; // m

// ---- Instants

int strike_self_instants(const strike_trajectory *path)
{
    return STRIKE_SELF_LOOKS * path->grid->knots + 1;
}

double strike_self_time(const strike_trajectory *path, int instant)
{
    const int    knot = (instant + STRIKE_SELF_LOOKS - 1) / STRIKE_SELF_LOOKS;
    const double end = path->knots[knot].time;
    const double begin = knot > 0 ? path->knots[knot - 1].time : end;
    const int    part = instant - STRIKE_SELF_LOOKS * (knot - 1);
    return begin + (end - begin) * part / (double)STRIKE_SELF_LOOKS;
}

// ---- Pairs

static int capsules_of(const strike_setup *s, int link)
{
    int count = 0;
    for (int i = 0; i < s->capsules.count; ++i) {
        count += s->capsules.list[i].link == link;
    }
    return count;
}

strike_self_pair strike_self_pair_of(const strike_setup *s, int pair)
{
    const int first = s->task.pairs[pair][0], second = s->task.pairs[pair][1];
    return (strike_self_pair){first, second, capsules_of(s, first) * capsules_of(s, second)};
}

int strike_self_count(const strike_setup *s, const strike_grid *grid)
{
    int count = 0;
    for (int i = 0; i < s->task.pair_count; ++i) {
        count += strike_self_pair_of(s, i).capsules;
    }
    return count * (STRIKE_SELF_LOOKS * grid->knots + 1);
}

// The one with a number of those of a link.
static const strike_capsule *capsule_of(const strike_setup *s, int link, int number)
{
    const strike_capsule *capsule = s->capsules.list;
    for (; capsule->link != link || number > 0; ++capsule) {
        number -= capsule->link == link;
    }
    return capsule;
}

strike_gap strike_self_gap(const strike_setup *s, const strike_self_pair *pair, int index,
                           const atemi_kinematics *kinematics)
{
    const int            seconds = capsules_of(s, pair->second);
    const strike_capsule a =
        strike_capsule_placed(capsule_of(s, pair->first, index / seconds), s->model, kinematics);
    const strike_capsule b =
        strike_capsule_placed(capsule_of(s, pair->second, index % seconds), s->model, kinematics);
    return strike_capsule_gap(&a, &b);
}

// ---- Constraints

// Links that are made nearer to each other than they may come keep half of that.
static double least_of(const strike_setup *s, int first, int second)
{
    return fmin(s->task.self_clearance,
                0.5 * strike_capsules_made(&s->capsules, s->model, first, second));
}

// Of all pairs at an instant; those of a pair are one behind the other for all instants.
static void look(const strike_setup *s, int instant, int instants, strike_workspace *work)
{
    int next = 0;
    for (int i = 0; i < s->task.pair_count; ++i) {
        const strike_self_pair pair = strike_self_pair_of(s, i);
        for (int k = 0; k < pair.capsules; ++k) {
            work->gaps[next + instant * pair.capsules + k] =
                strike_self_gap(s, &pair, k, &work->kinematics).distance;
        }
        next += instants * pair.capsules;
    }
}

static void constrain_phase(const strike_setup *s, const strike_trajectory *path,
                            strike_workspace *work, strike_rows *rows)
{
    const int instants = strike_self_instants(path);
    int       next = 0;
    for (int i = 0; i < instants; ++i) {
        strike_trajectory_at(s->model, path, strike_self_time(path, i), &work->trajectory, work->q,
                             work->v, NULL);
        atemi_kinematics_update(s->model, work->q, NULL, NULL, &work->kinematics);
        look(s, i, instants, work);
    }
    for (int i = 0; i < s->task.pair_count; ++i) {
        const strike_self_pair pair = strike_self_pair_of(s, i);
        if (pair.capsules == 0) {
            continue;
        }
        strike_constrain_extreme(rows,
                                 (atemi_strike_constraint){.kind = ATEMI_CONSTRAIN_SELF,
                                                           .index = pair.first,
                                                           .other = pair.second,
                                                           .phase = path->sign < 0.0
                                                                        ? ATEMI_PHASE_BEFORE
                                                                        : ATEMI_PHASE_AFTER,
                                                           .unit = "m"},
                                 strike_at_least(least_of(s, pair.first, pair.second), scale),
                                 work->gaps + next, instants * pair.capsules);
        next += instants * pair.capsules;
    }
}

void strike_constrain_self(const strike_setup *s, const strike_evaluation *at,
                           strike_workspace *work, strike_rows *rows)
{
    for (int i = 0; i < 2 && s->task.pair_count > 0; ++i) {
        constrain_phase(s, &at->trajectories[i], work, rows);
    }
}

// ---- Pairs that are too near

typedef struct near_pairs {
    int count, limit;
    int (*pairs)[2];
    double distances[ATEMI_STRIKE_MAX_PAIRS];
} near_pairs;

// At its place among those that are nearer; the farthest one is lost where there are too many.
static void keep(near_pairs *near, int first, int second, double distance)
{
    int at = 0;
    while (at < near->count && !(near->pairs[at][0] == first && near->pairs[at][1] == second)) {
        ++at;
    }
    if (at == near->count) {
        if (near->count < near->limit) {
            near->distances[near->count++] = INFINITY;
        } else if (--at < 0) {
            return;
        }
    }
    if (distance >= near->distances[at]) {
        return;
    }
    for (; at > 0 && near->distances[at - 1] > distance; --at) {
        near->distances[at] = near->distances[at - 1];
        near->pairs[at][0] = near->pairs[at - 1][0];
        near->pairs[at][1] = near->pairs[at - 1][1];
    }
    near->distances[at] = distance;
    near->pairs[at][0] = first;
    near->pairs[at][1] = second;
}

static bool is_known(const atemi_strike_task *task, int first, int second)
{
    bool known = false;
    for (int i = 0; i < task->pair_count; ++i) {
        known = known || (task->pairs[i][0] == first && task->pairs[i][1] == second);
    }
    return known;
}

// All pairs in a posture.
static void look_around(const strike_setup *s, double tolerance, const atemi_kinematics *kinematics,
                        near_pairs *near)
{
    const strike_capsules *c = &s->capsules;
    for (int i = 0; i < c->count; ++i) {
        const strike_capsule a = strike_capsule_placed(&c->list[i], s->model, kinematics);
        for (int k = i + 1; k < c->count; ++k) {
            const int first = a.link, second = c->list[k].link; // in order: lists are by link
            if (!strike_capsules_counts(c, s->model, first, second) ||
                is_known(&s->task, first, second)) {
                continue;
            }
            const strike_capsule b = strike_capsule_placed(&c->list[k], s->model, kinematics);
            const double         distance = strike_capsule_gap(&a, &b).distance;
            if (distance < least_of(s, first, second) - tolerance * scale) {
                keep(near, first, second, distance);
            }
        }
    }
}

int strike_self_find(strike_inside plan, double tolerance, int limit, int (*pairs)[2])
{
    const strike_setup *s = plan.setup;
    strike_workspace   *work = plan.work;
    near_pairs          near = {.limit = limit, .pairs = pairs};
    for (int k = 0; k < 2 && s->capsules.count > 0 && limit > 0; ++k) {
        const strike_trajectory *path = &plan.at->trajectories[k];
        for (int i = 0; i < strike_self_instants(path); ++i) {
            strike_trajectory_at(s->model, path, strike_self_time(path, i), &work->trajectory,
                                 work->q, work->v, NULL);
            atemi_kinematics_update(s->model, work->q, NULL, NULL, &work->kinematics);
            look_around(s, tolerance, &work->kinematics, &near);
        }
    }
    return near.count;
}
