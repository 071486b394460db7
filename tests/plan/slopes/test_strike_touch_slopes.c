// SPDX-License-Identifier: Apache-2.0

#include "plan/slopes/strike_touch_slopes.h"

#include "math/random.h"
#include "plan/touch/strike_posture.h"
#include "slopes_bench.h"

#include <math.h>

// Central differences: their error is of order h^2 and of rounding over h.
static const double h = 1e-6, accuracy = 1e-5;

// Out of reach, the posture's own differences go over 1e-6 of a scale, about 1e-7, and inverse
// kinematics ends within 1e-12 of where the feet come nearest: 1e-5 each, several in a sum.
static const double out_of_reach = 1e-4;

static void find(slopes_bench *b)
{
    strike_problem    *p = &b->trial.problem;
    strike_evaluation *at = &b->trial.result.at;
    trial_look(&b->trial);
    b->slopes.next = b->slopes.next_part = 0;
    strike_derivatives_find(&p->setup, &p->variables, at, &b->trial.work, &b->derivatives);
    strike_touch_slopes(&p->setup, &p->variables, at, &b->derivatives, &b->slopes);
}

static void check_slope(const strike_constraint *c, double found, double ahead, double behind,
                        double tolerance)
{
    const double slope = (ahead - behind) / (2.0 * h);
    CHECK_NEAR(found, slope, tolerance * (10.0 * c->scale + fabs(slope)));
}

static void check_variable(const slopes_bench *b, int variable, double tolerance)
{
    const strike_constraints *constraints = &b->trial.problem.constraints;
    const int                 stride = b->slopes.stride;
    for (int i = 0; i < constraints->motion.first; ++i) {
        const strike_constraint *c = &constraints->list[i];
        for (int k = c->first_part; k < c->first_part + c->part_count; ++k) {
            check_slope(c, row_in(b->slopes.parts, stride, k)[variable], b->ahead.result.parts[k],
                        b->behind.result.parts[k], tolerance);
        }
        if (c->part_count == 0) {
            check_slope(c, row_in(b->slopes.values, stride, i)[variable],
                        b->ahead.result.constraints[i], b->behind.result.constraints[i], tolerance);
        }
    }
}

static void check_all(slopes_bench *b, double tolerance)
{
    find(b);
    CHECK_EQUAL_INT(b->slopes.next, b->trial.problem.constraints.motion.first);
    CHECK_EQUAL_INT(b->slopes.next_part, b->trial.problem.constraints.motion.first_part);
    for (int variable = 0; variable < b->trial.problem.variables.count; ++variable) {
        bench_difference(b, variable, h);
        check_variable(b, variable, tolerance);
    }
}

TEST(strike_touch_slopes, are_those_of_differences_at_random_values)
{
    slopes_bench b;
    uint64_t     random = 7;
    bench_open(&b);
    check_all(&b, accuracy);
    for (int k = 0; k < 3; ++k) {
        for (int i = 0; i < VARIABLES; ++i) {
            b.trial.x[i] += 0.02 * (random_unit_next(&random) - 0.5);
        }
        check_all(&b, accuracy);
    }
    bench_close(&b);
}

enum { AT_RISE = VARIABLES - 2, AT_FALL };

// In place of the last two, the velocity of the centre of mass.
static void decide_times(atemi_strike_task *task)
{
    rig_fix(&task->com_x, 0.01);
    rig_fix(&task->com_y, 0.02);
    task->body_rise = task->body_fall = (atemi_strike_range){0.7, 0.3, 1.0};
}

TEST(strike_touch_slopes, are_those_of_differences_where_times_are_decided)
{
    slopes_bench b;
    bench_open_with(&b, decide_times);
    b.trial.x[AT_RISE] = 0.6;
    b.trial.x[AT_FALL] = 0.8;
    trial_look(&b.trial);
    check_all(&b, accuracy);
    bench_close(&b);
}

TEST(strike_touch_slopes, are_those_of_differences_where_a_foot_is_out_of_reach)
{
    slopes_bench b;
    bench_open(&b);
    b.trial.x[2] = -0.8; // of the foot, below the base: legs are 0.7 m long
    trial_look(&b.trial);
    CHECK(!strike_feet_stand(&b.trial.problem.setup, b.trial.result.at.foot_errors));
    check_all(&b, out_of_reach);
    bench_close(&b);
}
