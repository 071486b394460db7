// SPDX-License-Identifier: Apache-2.0

#include "plan/slopes/strike_slopes.h"

#include "slopes_bench.h"

#include <math.h>

// Central differences: their error is of order h^2 and of rounding over h.
static const double h = 1e-6;

static bool is_of_motion(const strike_constraint *c)
{
    switch (c->about.kind) {
    case ATEMI_CONSTRAIN_MOTION_MARGIN:
    case ATEMI_CONSTRAIN_MOTION_SPEED:
    case ATEMI_CONSTRAIN_MOTION_EFFORT:
    case ATEMI_CONSTRAIN_MOTION_FRICTION:
    case ATEMI_CONSTRAIN_MOTION_EDGE:
    case ATEMI_CONSTRAIN_CLEARANCE:
        return true;
    default:
        return false;
    }
}

// The slopes of the motion come behind those of the touch.
static void skip_touch(slopes_bench *b)
{
    const strike_constraints *constraints = &b->trial.problem.constraints;
    while (!is_of_motion(&constraints->list[b->slopes.next])) {
        b->slopes.next_part += constraints->list[b->slopes.next++].part_count;
    }
}

// Forces of the floor count as if all corners were level; feet drift off it by up to 1e-5 of their
// length.
static double tolerance_of(atemi_strike_constraint_kind kind)
{
    const bool has_forces = kind == ATEMI_CONSTRAIN_MOTION_EFFORT ||
                            kind == ATEMI_CONSTRAIN_MOTION_FRICTION ||
                            kind == ATEMI_CONSTRAIN_MOTION_EDGE;
    return has_forces ? 5e-4 : 1e-5;
}

static void check_slope(const strike_constraint *c, double found, double ahead, double behind)
{
    const double slope = (ahead - behind) / (2.0 * h);
    CHECK_NEAR(found, slope, tolerance_of(c->about.kind) * (10.0 * c->scale + fabs(slope)));
}

static void check_constraint(const slopes_bench *b, int i, int variable)
{
    const strike_constraint *c = &b->trial.problem.constraints.list[i];
    const int                stride = b->slopes.stride, from = c->first_part;
    for (int k = 0; k < c->part_count; ++k) {
        if (c->about.kind == ATEMI_CONSTRAIN_CLEARANCE && b->trial.result.parts[from + k] > 0.5) {
            continue; // too far to count
        }
        check_slope(c, row_in(b->slopes.parts, stride, from + k)[variable],
                    b->ahead.result.parts[from + k], b->behind.result.parts[from + k]);
    }
    if (c->part_count == 0) {
        check_slope(c, row_in(b->slopes.values, stride, i)[variable],
                    b->ahead.result.constraints[i], b->behind.result.constraints[i]);
    }
}

TEST(strike_slopes, of_the_motion_are_those_of_differences)
{
    slopes_bench b;
    bench_open(&b);
    skip_touch(&b);
    strike_problem    *p = &b.trial.problem;
    strike_evaluation *at = &b.trial.result.at;
    strike_derivatives_find(&p->setup, &p->variables, at, &b.trial.work, &b.derivatives);
    strike_motion_slopes(&p->setup, at, &b.trial.work, &b.derivatives, &b.slopes);
    for (int variable = 0; variable < p->variables.count; ++variable) {
        bench_difference(&b, variable, h);
        for (int i = 0; i < p->constraints.count; ++i) {
            if (is_of_motion(&p->constraints.list[i])) {
                check_constraint(&b, i, variable);
            }
        }
    }
    bench_close(&b);
}
