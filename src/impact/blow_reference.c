// SPDX-License-Identifier: Apache-2.0

#include "impact/blow_propagator.h"

#include <float.h>
#include <math.h>
#include <string.h>

// D0 and K0 of an axis are those of its servo and its viscous friction; of one that has neither,
// those of its Coulomb friction while it creeps. If most axes have the same ratio x = K0 / D0 it is
// that of a chain, and the others get K0 = x D0 and deviate.

// The part of the axes that may deviate from a chain's ratio all the time.
static const double stray = 0.25;

// Relative to the friction of a creeping joint, the least D0: below that, adding the friction as a
// deviation would cost digits.
static const double least_damping = 1e-4;

static bool is_lasting(const atemi_blow_element *e)
{
    return e->servo || isinf(e->bound);
}

static void add_gains(const atemi_blow_problem *p, bool lasting, atemi_blow_reference *r)
{
    for (int i = 0; i < p->element_count; ++i) {
        const atemi_blow_element *e = &p->elements[i];
        if (is_lasting(e) == lasting) {
            const bool is_alone = r->damping[e->axis] == 0.0 && r->stiffness[e->axis] == 0.0;
            r->damping[e->axis] += lasting || is_alone ? e->damping : 0.0;
            r->stiffness[e->axis] += lasting ? e->stiffness : 0.0;
        }
    }
}

static void find_axes(int n, atemi_blow_reference *r)
{
    r->axis_count = 0;
    for (int i = 0; i < n; ++i) {
        if (r->damping[i] > 0.0 || r->stiffness[i] > 0.0) {
            r->places[i] = r->axis_count;
            r->axes[r->axis_count++] = i;
        }
    }
}

static bool has_ratio(const atemi_blow_reference *r, int axis, double ratio)
{
    const double D = r->damping[axis], K = r->stiffness[axis];
    return D > 0.0 && fabs(K - ratio * D) <= 4.0 * DBL_EPSILON * K;
}

static int count_strays(const atemi_blow_reference *r, double ratio)
{
    int count = 0;
    for (int i = 0; i < r->axis_count; ++i) {
        count += !has_ratio(r, r->axes[i], ratio);
    }
    return count;
}

// A ratio that nearly all axes have, if there is one.
static bool find_ratio(const atemi_blow_reference *r, double *ratio)
{
    const int most = (int)(stray * r->axis_count);
    *ratio = 0.0;
    for (int i = 0; i <= most && i < r->axis_count; ++i) {
        const int axis = r->axes[i];
        if (r->damping[axis] > 0.0) {
            *ratio = r->stiffness[axis] / r->damping[axis];
            if (count_strays(r, *ratio) <= most) {
                return true;
            }
        }
    }
    return r->axis_count == 0;
}

// Gives the strays gains of that ratio.
static void straighten(atemi_blow_reference *r, double ratio)
{
    for (int i = 0; i < r->axis_count; ++i) {
        const int axis = r->axes[i];
        if (!has_ratio(r, axis, ratio)) {
            if (r->damping[axis] == 0.0) {
                r->damping[axis] = r->stiffness[axis] / (ratio > 0.0 ? ratio : 1.0);
            }
            r->stiffness[axis] = ratio * r->damping[axis];
        }
    }
}

static void raise_damping(const atemi_blow_problem *p, atemi_blow_reference *r)
{
    for (int i = 0; i < p->element_count; ++i) {
        const atemi_blow_element *e = &p->elements[i];
        r->damping[e->axis] = fmax(r->damping[e->axis], least_damping * e->damping);
    }
}

void atemi_blow_reference_find(const atemi_blow_problem *p, atemi_blow_reference *r)
{
    const atemi_virtual_base *base = p->base;
    const size_t              size = (size_t)base->stride * sizeof *r->damping;
    double                    ratio;
    memset(r->damping, 0, size);
    memset(r->stiffness, 0, size);
    add_gains(p, true, r);
    add_gains(p, false, r);
    raise_damping(p, r);
    find_axes(base->count, r);
    r->chain.holds = find_ratio(r, &ratio);
    if (r->chain.holds) {
        straighten(r, ratio);
        atemi_blow_reduction_find(base, r->damping, ratio, r->axes, r->axis_count, &r->chain);
    }
}
