// SPDX-License-Identifier: Apache-2.0

#include "jobs/impact/impact_cases.h"

#include <math.h>

static int at_least_one(int count)
{
    return count > 0 ? count : 1;
}

int atemi_impact_place_count(const atemi_impact_sweep *sweep)
{
    return sweep->counts[0] * sweep->counts[1] * sweep->counts[2];
}

int atemi_impact_cases_at_place(const atemi_impact_sweep *sweep)
{
    return at_least_one(sweep->direction_count) * at_least_one(sweep->speed_count) *
           at_least_one(sweep->mass_count) * at_least_one(sweep->stiffness_count);
}

// The last of `count` that still vary in a number, which then goes on without it.
static int split(int *number, int count)
{
    const int digit = *number % at_least_one(count);
    *number /= at_least_one(count);
    return digit;
}

atemi_impact_index atemi_impact_index_of(const atemi_impact_sweep *sweep, int number)
{
    atemi_impact_index index;
    index.stiffness = split(&number, sweep->stiffness_count);
    index.mass = split(&number, sweep->mass_count);
    index.speed = split(&number, sweep->speed_count);
    index.direction = split(&number, sweep->direction_count);
    index.place = split(&number, atemi_impact_place_count(sweep));
    index.posture = number;
    return index;
}

// A zero between the two is one, whatever rounding says.
static double between(double from, double to, int index, int count)
{
    const double value = count > 1 ? from + (to - from) * index / (count - 1) : from;
    return fabs(value) > 1e-12 * fabs(to - from) ? value : 0.0;
}

atemi_vec3 atemi_impact_place(const atemi_impact_sweep *sweep, int place)
{
    const int i = split(&place, sweep->counts[0]), j = split(&place, sweep->counts[1]);
    return (atemi_vec3){between(sweep->from.x, sweep->to.x, i, sweep->counts[0]),
                        between(sweep->from.y, sweep->to.y, j, sweep->counts[1]),
                        between(sweep->from.z, sweep->to.z, place, sweep->counts[2])};
}

const double *atemi_impact_posture(const atemi_impact_scenario *scenario,
                                   const atemi_impact_case *usual, int posture)
{
    const size_t nq = (size_t)atemi_model_q_count(scenario->robot.model);
    return scenario->sweep.posture_count > 0 ? scenario->posture_q + (size_t)posture * nq
                                             : usual->q;
}

atemi_impact_case atemi_impact_case_of(const atemi_impact_scenario *scenario,
                                       const atemi_impact_case     *usual,
                                       const atemi_impact_index    *index)
{
    const atemi_impact_sweep *sweep = &scenario->sweep;
    atemi_impact_case         now = *usual;
    now.q = atemi_impact_posture(scenario, usual, index->posture);
    if (sweep->direction_count > 0) {
        now.point.direction = sweep->directions[index->direction];
    }
    if (sweep->speed_count > 0) {
        now.speed = sweep->speeds[index->speed];
    }
    if (sweep->mass_count > 0) {
        now.mass = sweep->masses[index->mass];
    }
    if (sweep->stiffness_count > 0) {
        now.stiffness = sweep->stiffnesses[index->stiffness];
    }
    return now;
}
