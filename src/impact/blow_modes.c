// SPDX-License-Identifier: Apache-2.0

#include "impact/blow_modes.h"

#include "math/matrix.h"

#include <math.h>
#include <string.h>

// An element with the bound B that asks for the torque a = offset - D y - K z is
//
//   within while B - |a| > 0,   high while a - B > 0,   low while -a - B > 0
//
// The contact, of depth d and rate r, with w = sqrt(k (1/m_a + 1/m_t)) to compare them by:
//
//   compression damper   presses while r > 0,   returns while min(w d, -r) > 0,   open while -d > 0
//   Kelvin-Voigt         presses while k d + c r > 0,   open while max(-d k, -(k d + c r)) > 0
//
// The target stands while F - f > 0, and moves while u_t > 0.

static bool has_target_mode(const atemi_blow_problem *p)
{
    return p->target_give > 0.0 && p->friction > 0.0;
}

int atemi_blow_margin_count(const atemi_blow_problem *p)
{
    return p->element_count + 1 + has_target_mode(p);
}

// ---- Margins --------------------------------------------------------------------------------

static atemi_blow_margin element_margin(const atemi_blow_element *e, const atemi_blow_node *node)
{
    const double a = atemi_blow_asked(e, &node->state);
    const double slope =
        -e->damping * node->slope.rate[e->axis] - e->stiffness * node->state.rate[e->axis];
    const double sign = a < 0.0 ? -1.0 : 1.0;
    switch (e->limit) {
    case ATEMI_BLOW_HIGH:
        return (atemi_blow_margin){a - e->bound, slope};
    case ATEMI_BLOW_LOW:
        return (atemi_blow_margin){-a - e->bound, -slope};
    case ATEMI_BLOW_WITHIN:
    default:
        return (atemi_blow_margin){e->bound - sign * a, -sign * slope};
    }
}

static atemi_blow_margin lesser(atemi_blow_margin a, atemi_blow_margin b)
{
    return a.value < b.value ? a : b;
}

static atemi_blow_margin opposite(atemi_blow_margin a)
{
    return (atemi_blow_margin){-a.value, -a.slope};
}

static atemi_blow_margin contact_margin(const atemi_blow_problem *p, atemi_blow_contact contact,
                                        const atemi_blow_node *node)
{
    const double            w = p->frequency, k = p->spring.stiffness, c = p->spring.damping;
    const double            d = node->state.depth, r = node->state.hand - node->state.target;
    const double            bend = node->slope.hand - node->slope.target;
    const atemi_blow_margin deep = {w * d, w * r}, fast = {r, bend};
    const atemi_blow_margin force = {k * d + c * r, k * r + c * bend};
    if (contact == ATEMI_BLOW_RETURN) {
        return lesser(deep, opposite(fast));
    }
    if (p->kind == ATEMI_BLOW_KELVIN_VOIGT) {
        const atemi_blow_margin in = {k * d, k * r};
        return contact == ATEMI_BLOW_PRESS ? force : opposite(lesser(in, force));
    }
    return contact == ATEMI_BLOW_PRESS ? fast : opposite(deep);
}

static atemi_blow_margin target_margin(const atemi_blow_problem *p, bool stands,
                                       const atemi_blow_node *node)
{
    if (stands) {
        return (atemi_blow_margin){p->friction - node->slope.force, -node->force_slope};
    }
    return (atemi_blow_margin){node->state.target, node->slope.target};
}

static void fill_margins(const atemi_blow_problem *p, const atemi_blow_mode *mode,
                         atemi_blow_node *node)
{
    for (int i = 0; i < p->element_count; ++i) {
        node->margins[i] = element_margin(&p->elements[i], node);
    }
    node->margins[p->element_count] = contact_margin(p, mode->contact, node);
    tally(p->operations, 4.0 * p->element_count + 4.0, 4.0 * p->element_count + 6.0, 0.0);
    if (has_target_mode(p)) {
        node->margins[p->element_count + 1] = target_margin(p, mode->stands, node);
    }
}

// ---- Their gradients

static atemi_blow_gradient element_gradient(const atemi_blow_element *e,
                                            const atemi_blow_node    *node)
{
    const bool   is_low = atemi_blow_asked(e, &node->state) < 0.0;
    const double sign = (e->limit == ATEMI_BLOW_WITHIN) == is_low ? 1.0 : -1.0;
    return (atemi_blow_gradient){.axis = e->axis,
                                 .rate = -sign * e->damping,
                                 .angle = -sign * e->stiffness,
                                 .start = e->servo ? 0.0 : -sign * e->damping,
                                 .held = e->servo ? sign : 0.0};
}

static atemi_blow_gradient by_depth_and_rate(double depth, double rate)
{
    return (atemi_blow_gradient){.depth = depth, .hand = rate, .target = -rate};
}

// Of the lesser of two margins, the lesser one.
static atemi_blow_gradient contact_gradient(const atemi_blow_problem *p, atemi_blow_contact contact,
                                            const atemi_blow_state *s)
{
    const double w = p->frequency, k = p->spring.stiffness, c = p->spring.damping;
    const double d = s->depth, r = s->hand - s->target;
    if (contact == ATEMI_BLOW_RETURN) {
        return w * d < -r ? by_depth_and_rate(w, 0.0) : by_depth_and_rate(0.0, -1.0);
    }
    if (p->kind == ATEMI_BLOW_KELVIN_VOIGT) {
        if (contact == ATEMI_BLOW_PRESS) {
            return by_depth_and_rate(k, c);
        }
        return k * d < k * d + c * r ? by_depth_and_rate(-k, 0.0) : by_depth_and_rate(-k, -c);
    }
    return contact == ATEMI_BLOW_PRESS ? by_depth_and_rate(0.0, 1.0) : by_depth_and_rate(-w, 0.0);
}

atemi_blow_gradient atemi_blow_margin_gradient(const atemi_blow_problem *p,
                                               const atemi_blow_mode    *mode,
                                               const atemi_blow_segment *segment, int index,
                                               const atemi_blow_node *node)
{
    if (index < p->element_count) {
        return element_gradient(&p->elements[index], node);
    }
    if (index == p->element_count) {
        return contact_gradient(p, mode->contact, &node->state);
    }
    return mode->stands ? by_depth_and_rate(-segment->spring, -segment->damper)
                        : (atemi_blow_gradient){.target = 1.0};
}

size_t atemi_blow_margin_scratch_size(int n)
{
    enum { NODES = 4, OTHERS = 2 };
    return NODES * ((size_t)n * ATEMI_BLOW_ELEMENTS + OTHERS);
}

double atemi_blow_margin_tolerance(const atemi_blow_problem *p, const atemi_blow_mode *mode,
                                   int index)
{
    const double rounding = 1e-12;
    if (index < p->element_count) {
        return rounding * p->elements[index].bound;
    }
    if (index > p->element_count) {
        return rounding * (mode->stands ? p->friction : p->approach);
    }
    const bool is_force = p->kind == ATEMI_BLOW_KELVIN_VOIGT;
    return rounding * p->approach *
           (is_force ? p->spring.damping + p->spring.stiffness / p->frequency : 1.0);
}

// ---- Changes --------------------------------------------------------------------------------

static atemi_blow_limit next_limit(const atemi_blow_element *e, const atemi_blow_state *state)
{
    if (e->limit != ATEMI_BLOW_WITHIN) {
        return ATEMI_BLOW_WITHIN;
    }
    return atemi_blow_asked(e, state) > 0.0 ? ATEMI_BLOW_HIGH : ATEMI_BLOW_LOW;
}

static atemi_blow_contact next_contact(const atemi_blow_problem *p, atemi_blow_contact contact,
                                       const atemi_blow_node *node)
{
    switch (contact) {
    case ATEMI_BLOW_OPEN:
        return ATEMI_BLOW_PRESS;
    case ATEMI_BLOW_PRESS:
        return p->kind == ATEMI_BLOW_KELVIN_VOIGT ? ATEMI_BLOW_OPEN : ATEMI_BLOW_RETURN;
    case ATEMI_BLOW_RETURN:
    default:
        return p->frequency * node->state.depth < fabs(node->state.hand - node->state.target)
                   ? ATEMI_BLOW_OPEN
                   : ATEMI_BLOW_PRESS;
    }
}

void atemi_blow_mode_end(const atemi_blow_problem *p, int index, const atemi_blow_node *node,
                         atemi_blow_mode *mode)
{
    if (index < p->element_count) {
        p->elements[index].limit = next_limit(&p->elements[index], &node->state);
    } else if (index == p->element_count) {
        mode->contact = next_contact(p, mode->contact, node);
    } else {
        mode->stands = !mode->stands;
    }
}

void atemi_blow_modes_begin(const atemi_blow_problem *p, const atemi_blow_state *state,
                            atemi_blow_mode *mode)
{
    for (int i = 0; i < p->element_count; ++i) {
        atemi_blow_element *e = &p->elements[i];
        const double        asked = atemi_blow_asked(e, state);
        e->limit = asked > e->bound    ? ATEMI_BLOW_HIGH
                   : asked < -e->bound ? ATEMI_BLOW_LOW
                                       : ATEMI_BLOW_WITHIN;
    }
    *mode = (atemi_blow_mode){.contact = ATEMI_BLOW_PRESS, .stands = has_target_mode(p)};
}

// ---- The linear system ----------------------------------------------------------------------

static void add_element(const atemi_blow_element *e, atemi_blow_segment *g)
{
    switch (e->limit) {
    case ATEMI_BLOW_HIGH:
        g->torque[e->axis] += e->bound - e->held;
        break;
    case ATEMI_BLOW_LOW:
        g->torque[e->axis] -= e->bound + e->held;
        break;
    case ATEMI_BLOW_WITHIN:
    default:
        g->torque[e->axis] += e->offset - e->held;
        g->damping[e->axis] += e->damping;
        g->stiffness[e->axis] += e->stiffness;
        break;
    }
}

static void find_deviants(const atemi_blow_reference *r, atemi_blow_segment *g)
{
    g->deviant_count = 0;
    for (int i = 0; i < r->axis_count; ++i) {
        const int axis = r->axes[i];
        if (g->damping[axis] != r->damping[axis] || g->stiffness[axis] != r->stiffness[axis]) {
            g->deviants[g->deviant_count++] = axis;
        }
    }
}

static void find_drift(const atemi_blow_problem *p, const atemi_blow_reference *r,
                       atemi_blow_segment *g)
{
    const atemi_virtual_base *base = p->base;
    memset(g->drift, 0, (size_t)base->stride * sizeof *g->drift);
    matrix_add_product(base->count, base->mobility, base->stride, g->torque, g->drift);
    g->hand_drift = p->drift + row_dot(base->count, base->response, g->torque);
    tally_products(r->chain.operations, (base->count + 1.0) * base->count);
    if (r->chain.holds) {
        atemi_blow_reduce(&r->chain, base->stride, g->drift, g->reduced_drift);
    }
}

static void fill_elements(const atemi_blow_problem *p, const atemi_blow_reference *r,
                          atemi_blow_segment *g)
{
    const size_t size = (size_t)p->base->stride * sizeof *g->torque;
    memset(g->damping, 0, size);
    memset(g->stiffness, 0, size);
    memset(g->torque, 0, size);
    for (int i = 0; i < p->element_count; ++i) {
        add_element(&p->elements[i], g);
    }
    find_deviants(r, g);
    find_drift(p, r, g);
    ++g->version;
}

void atemi_blow_segment_fill(const atemi_blow_problem *p, const atemi_blow_reference *reference,
                             const atemi_blow_mode *mode, bool is_contact_alone,
                             atemi_blow_segment *segment)
{
    if (!is_contact_alone) {
        fill_elements(p, reference, segment);
    }
    segment->spring = mode->contact == ATEMI_BLOW_OPEN ? 0.0 : p->spring.stiffness;
    segment->damper = mode->contact == ATEMI_BLOW_PRESS ? p->spring.damping : 0.0;
    segment->target_give = mode->stands ? 0.0 : p->target_give;
    segment->target_drift = -segment->target_give * p->friction;
}

void atemi_blow_node_fill(const atemi_blow_problem *p, const atemi_blow_segment *segment,
                          const atemi_blow_mode *mode, double *torque, atemi_blow_node *node)
{
    const atemi_blow_state *s = &node->state;
    const double            r = s->hand - s->target;
    const double            force = segment->spring * s->depth + segment->damper * r;
    for (int i = 0; i < p->base->stride; ++i) {
        torque[i] = segment->torque[i] - segment->damping[i] * s->rate[i] -
                    segment->stiffness[i] * s->angle[i];
    }
    atemi_blow_accelerate(p, torque, force, &node->slope);
    node->slope.hand += p->drift;
    node->slope.target = segment->target_drift + segment->target_give * force;
    node->force_slope =
        segment->spring * r + segment->damper * (node->slope.hand - node->slope.target);
    tally(p->operations, 2.0 * p->base->count + 6.0, 2.0 * p->base->count + 5.0, 0.0);
    fill_margins(p, mode, node);
}
