// SPDX-License-Identifier: Apache-2.0

#include "impact/blow_rk4_step.h"

#include "impact/blow_rates.h"
#include "math/matrix.h"

#include <math.h>
#include <string.h>

// The formula of Runge and Kutta is stable as long as h times the largest eigenvalue of C D is less
// than 2.785, and h times the root of that of C K less than 2.828. Steps are shorter than asked for
// where light joints behind stiff servos need that, and follow a surface that is stiffer than they
// are short.
//
// Friction of a joint that creeps is far faster than that, K_d = F / slowest_slide. It cannot grow
// beyond F, but a joint would tremble by rounding, with slopes that say nothing. So joints creep
// faster than asked for instead, by as much as the step needs.

// h times a rate: the limit, and what leaves room for that the rate is found by iteration.
static const double stable = 2.78, safe = 2.5;

static const double fine = 0.2; // h times the rate of the contact

enum { ITERATIONS = 20, MOST_SOFTENINGS = 12 };

static bool is_friction(const atemi_blow_element *e)
{
    return !e->servo && !isinf(e->bound);
}

// Whether an element counts: with friction that creeps, or without.
static bool counts(const atemi_blow_element *e, bool creeps)
{
    return creeps || !is_friction(e);
}

static double freedom(const atemi_blow_problem *p, int axis)
{
    return row_in(p->base->mobility, p->base->stride, axis)[axis];
}

// That is no less than the largest eigenvalue.
static double trace(const atemi_blow_problem *p, bool creeps)
{
    double sum = 0.0;
    for (int i = 0; i < p->element_count; ++i) {
        const atemi_blow_element *e = &p->elements[i];
        sum += counts(e, creeps) ? freedom(p, e->axis) * e->damping : 0.0;
    }
    tally_products(p->operations, p->element_count);
    return sum;
}

// One step of power iteration from x, of length one; @return the length that it grows to.
static double iterate(const atemi_blow_problem *p, bool creeps, double *torque, double *x)
{
    const int n = p->base->count;
    memset(torque, 0, (size_t)p->base->stride * sizeof *torque);
    for (int i = 0; i < p->element_count; ++i) {
        const atemi_blow_element *e = &p->elements[i];
        torque[e->axis] += counts(e, creeps) ? e->damping * x[e->axis] : 0.0;
    }
    memset(x, 0, (size_t)p->base->stride * sizeof *x);
    matrix_add_product(n, p->base->mobility, p->base->stride, torque, x);
    const double length = sqrt(row_dot(n, x, x));
    for (int i = 0; i < n && length > 0.0; ++i) {
        x[i] /= length;
    }
    tally_products(p->operations, (double)n * n + n + p->element_count);
    tally(p->operations, 0.0, 0.0, n + 1.0);
    return length;
}

static double fastest_rate(const atemi_blow_problem *p, bool creeps, double *torque, double *x)
{
    const int n = p->base->count;
    double    rate = 0.0;
    for (int i = 0; i < n; ++i) {
        x[i] = 1.0 / sqrt(n);
    }
    for (int k = 0; k < ITERATIONS; ++k) {
        rate = iterate(p, creeps, torque, x);
    }
    return rate;
}

// The step that is asked for, in as many parts as the limit on h times the rate needs.
static double shortened(double h, double rate, double limit, double aim)
{
    return h * rate > limit ? h / ceil(h * rate / aim) : h;
}

double atemi_blow_rk4_step(const atemi_blow_problem *p, double *torque, double *work)
{
    const double h = p->options.step;
    const double damping =
        h * trace(p, false) > stable ? fastest_rate(p, false, torque, work) : 0.0;
    const double by_damping = shortened(h, damping, stable, safe);
    const double by_stiffness = shortened(h, atemi_blow_stiffness_rate(p), stable, safe);
    const double by_contact = shortened(h, atemi_blow_contact_rate(p), stable, fine);
    return fmin(fmin(by_damping, by_stiffness), by_contact);
}

// ---- Friction

// No friction acts faster on a joint alone than `rate`.
static void soften(const atemi_blow_problem *p, double rate)
{
    for (int i = 0; i < p->element_count; ++i) {
        atemi_blow_element *e = &p->elements[i];
        const double        most = rate / freedom(p, e->axis);
        if (is_friction(e) && e->damping > most) {
            e->offset *= most / e->damping;
            e->damping = most;
        }
    }
}

void atemi_blow_rk4_soften(const atemi_blow_problem *p, double h, double *torque, double *work)
{
    const double less = 0.7;
    double       rate = safe / h;
    for (int i = 0; i < MOST_SOFTENINGS && h * trace(p, true) > stable &&
                    h * fastest_rate(p, true, torque, work) > stable;
         ++i) {
        soften(p, rate);
        rate *= less;
    }
}
