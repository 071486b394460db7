// SPDX-License-Identifier: Apache-2.0

#include "impact/blow_rates.h"

#include "math/matrix.h"

#include <math.h>

// A joint alone, C_ii the inverse of its inertia, swings with sqrt(K_p C_ii) and comes to rest with
// K_d C_ii. Far beyond the rate w of the contact, and with very many swings in the blow's time, it
// is as good as rigid: what is left of its yielding is (w / rate)^2 of the blow with stiffness, w /
// rate with damping. Gains beyond that would cost time, and rounding in the end, and change
// nothing; those at the bound stand for them.

// Rates in the blow's duration, and relative to that of the contact.
static const double most_swings = 2e3, swings_of_contact = 100.0;
static const double most_decays = 2e5, decays_of_contact = 3e3;

// Of the depths at which a law is looked at, m.
static const double first_depth = 1e-12, depth_ratio = 1.5;

enum { MOST_DEPTHS = 120 };

// ---- The contact

// The work of the law is used up where it is as large as the energy of the approach. Its force is
// looked at from depth to depth.
static double rate_of_other_law(const atemi_blow_problem *p, double give)
{
    const double speed = p->approach, energy = 0.5 * speed * speed / give;
    double       depth = 0.0, force = 0.0, work = 0.0, stiffness = 0.0, damping = 0.0;
    double       next = first_depth;
    for (int i = 0; i < MOST_DEPTHS && work < energy; ++i, next *= depth_ratio) {
        const double pushed = atemi_compliance_force(&p->law, next, 0.0);
        const double braked = atemi_compliance_force(&p->law, next, speed);
        stiffness = fmax(stiffness, (pushed - force) / (next - depth));
        damping = fmax(damping, (braked - pushed) / speed);
        work += 0.5 * (pushed + force) * (next - depth);
        depth = next;
        force = pushed;
        tally(p->operations, 9.0, 8.0, 2.0);
    }
    return fmax(sqrt(stiffness * give), damping * give);
}

double atemi_blow_contact_rate(const atemi_blow_problem *p)
{
    const double give = p->base->give + p->target_give;
    if (p->kind == ATEMI_BLOW_OTHER_LAW) {
        return p->approach > 0.0 ? rate_of_other_law(p, give) : 0.0;
    }
    return fmax(p->frequency, p->spring.damping * give);
}

// ---- The servos

static double freedom(const atemi_blow_problem *p, int axis)
{
    return row_in(p->base->mobility, p->base->stride, axis)[axis];
}

double atemi_blow_stiffness_that_counts(const atemi_blow_problem *p, int axis, double stiffness)
{
    const double C = freedom(p, axis);
    const double rate = fmax(most_swings / p->options.duration, swings_of_contact * p->frequency);
    return C * stiffness > rate * rate ? rate * rate / C : stiffness;
}

double atemi_blow_damping_that_counts(const atemi_blow_problem *p, int axis, double damping)
{
    const double C = freedom(p, axis);
    const double rate = fmax(most_decays / p->options.duration, decays_of_contact * p->frequency);
    return C * damping > rate ? rate / C : damping;
}

double atemi_blow_stiffness_rate(const atemi_blow_problem *p)
{
    double sum = 0.0;
    for (int i = 0; i < p->element_count; ++i) {
        sum += freedom(p, p->elements[i].axis) * p->elements[i].stiffness;
    }
    return sqrt(sum);
}
