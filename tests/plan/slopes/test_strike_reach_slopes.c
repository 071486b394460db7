// SPDX-License-Identifier: Apache-2.0

#include "plan/slopes/strike_reach_slopes.h"

#include "atemi/math.h"
#include "slopes_bench.h"

#include <math.h>

// Central differences that are ten times as long: their error is of order h^2, that of the ones
// found of order h, with curvatures of a leg that is stretched.
static const double h = 1e-5, accuracy = 1e-3;

static void find(slopes_bench *b, double height)
{
    strike_problem *p = &b->trial.problem;
    b->trial.x[2] = height;
    trial_look(&b->trial);
    strike_reach_vary(&p->setup, &p->variables, &b->trial.result.at, &b->trial.work,
                      &b->derivatives);
}

static void check_posture(const slopes_bench *b, int variable)
{
    const strike_setup *s = &b->trial.problem.setup;
    double             *moved = b->derivatives.along;
    atemi_configuration_difference(s->model, b->behind.result.at.q, b->ahead.result.at.q, moved);
    for (int i = 0; i < s->v_count; ++i) {
        const double slope = moved[i] / (2.0 * h);
        CHECK_NEAR(row_in(b->derivatives.q, b->slopes.stride, i)[variable], slope,
                   accuracy * (1.0 + fabs(slope)));
    }
}

static void check_feet(const slopes_bench *b, int variable)
{
    for (int k = 0; k < b->trial.problem.setup.task.foot_count; ++k) {
        const atemi_motion ahead = b->ahead.result.at.foot_errors[k];
        const atemi_motion behind = b->behind.result.at.foot_errors[k];
        const double       slopes[] = {
            (atemi_vec3_norm(ahead.linear) - atemi_vec3_norm(behind.linear)) / (2.0 * h),
            (atemi_vec3_norm(ahead.angular) - atemi_vec3_norm(behind.angular)) / (2.0 * h)};
        for (int i = 0; i < 2; ++i) {
            CHECK_NEAR(row_in(b->derivatives.reach, b->slopes.stride, 2 * k + i)[variable],
                       slopes[i], accuracy * (1.0 + fabs(slopes[i])));
        }
    }
}

static void check_all(slopes_bench *b)
{
    for (int variable = 0; variable < b->trial.problem.variables.count; ++variable) {
        bench_difference(b, variable, h);
        check_posture(b, variable);
        check_feet(b, variable);
    }
}

TEST(strike_reach_slopes, are_those_of_longer_differences_out_of_reach)
{
    slopes_bench b;
    bench_open(&b);
    find(&b, -0.8); // of the foot, below the base: legs are 0.7 m long
    check_all(&b);
    find(&b, -1.5);
    check_all(&b);
    bench_close(&b);
}

// What only the motion decides has no slopes here.
TEST(strike_reach_slopes, are_none_along_variables_of_the_motion)
{
    slopes_bench b;
    bench_open(&b);
    find(&b, -0.8);
    for (int i = 0; i < b.trial.problem.setup.v_count; ++i) {
        CHECK_NEAR(row_in(b.derivatives.q, b.slopes.stride, i)[AT_SPEED], 0.0, 0.0);
    }
    bench_close(&b);
}
