// SPDX-License-Identifier: Apache-2.0

#include "plan/slopes/strike_stance_slopes.h"

#include "slopes_bench.h"

#include <math.h>

// Central differences of a longer step than those that are checked: errors of order h^2, and of
// rounding over h.
static const double h = 1e-5, tolerance = 1e-4;

typedef struct motion {
    const double *q, *v, *a;
} motion;

// Torques some way along direction c.
// @return the force of the floor on both feet
static atemi_vec3 find_torques(slopes_bench *b, const motion *m, int c, double way, double *torques)
{
    const strike_setup       *s = &b->trial.problem.setup;
    const strike_derivatives *d = &b->derivatives;
    strike_workspace         *work = &b->ahead.work;
    atemi_force               wrenches[ATEMI_STRIKE_MAX_FEET];
    for (int i = 0; i < s->v_count; ++i) {
        const int at = i * d->directions.stride + c;
        work->last_v[i] = d->at_q[at];
        work->v[i] = m->v[i] + way * d->at_v[at];
        work->a[i] = m->a[i] + way * d->at_a[at];
    }
    atemi_configuration_integrate(s->model, m->q, work->last_v, way, work->q);
    strike_feet_of_motion(s, work->q, work->v, work->a, &work->feet, wrenches);
    memcpy(torques, work->feet.torques, (size_t)s->v_count * sizeof *torques);
    return atemi_vec3_add(wrenches[0].linear, wrenches[1].linear);
}

// The slopes of the forces at all corners add up to that of the force on both feet.
static void check_forces(const slopes_bench *b, int corners, int c, atemi_vec3 slope, double scale)
{
    const double *forces = b->derivatives.forces + c, wanted[] = {slope.x, slope.y, slope.z};
    const int     stride = b->derivatives.directions.stride;
    for (int axis = 0; axis < 3; ++axis) {
        double sum = 0.0;
        for (int k = 0; k < corners; ++k) {
            sum += forces[(3 * k + axis) * stride];
        }
        CHECK_NEAR(sum, wanted[axis], scale);
    }
}

static double largest(const double *x, int count)
{
    double most = 0.0;
    for (int i = 0; i < count; ++i) {
        most = fmax(most, fabs(x[i]));
    }
    return most;
}

// At the trial's posture, with an acceleration of the base downwards.
static void check(slopes_bench *b, double down)
{
    enum { MOST = 64 };
    const strike_problem *p = &b->trial.problem;
    strike_evaluation    *at = &b->trial.result.at;
    strike_derivatives   *d = &b->derivatives;
    const int             n = p->setup.v_count, size = n * d->directions.stride;
    double                a[MOST] = {0}, ahead[MOST], behind[MOST];
    atemi_contact_point   points[STRIKE_MAX_CORNERS];
    atemi_vec3            forces[STRIKE_MAX_CORNERS];
    const motion          m = {at->q, at->v, a};
    CHECK(n <= MOST);
    strike_derivatives_find(&p->setup, &p->variables, at, &b->trial.work, d);
    memcpy(d->at_q, d->q, (size_t)size * sizeof *d->q);
    memcpy(d->at_v, d->v, (size_t)size * sizeof *d->v);
    memcpy(d->at_a, d->q, (size_t)size * sizeof *d->q);
    a[2] = -down;
    const int corners =
        strike_stance_vary(&p->setup, m.q, m.v, m.a, &b->trial.work, d, points, forces);
    for (int c = 0; c < d->directions.count; ++c) {
        const atemi_vec3 before = find_torques(b, &m, c, -h, behind);
        const atemi_vec3 change = atemi_vec3_sub(find_torques(b, &m, c, h, ahead), before);
        const double     scale = (10.0 + largest(ahead, n)) * (1.0 + largest(d->tau, size) / 1e3);
        for (int i = 0; i < n; ++i) {
            CHECK_NEAR(d->tau[i * d->directions.stride + c], (ahead[i] - behind[i]) / (2.0 * h),
                       tolerance * scale);
        }
        check_forces(b, corners, c, atemi_vec3_scale(0.5 / h, change), tolerance * scale);
    }
}

TEST(strike_stance_slopes, are_those_of_differences_where_soles_push)
{
    slopes_bench b;
    bench_open(&b);
    check(&b, 0.0);
    bench_close(&b);
}

// The base falls faster than a stone would.
TEST(strike_stance_slopes, are_those_of_differences_where_soles_would_have_to_pull)
{
    slopes_bench b;
    bench_open(&b);
    check(&b, 15.0);
    bench_close(&b);
}
