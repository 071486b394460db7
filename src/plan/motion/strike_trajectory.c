// SPDX-License-Identifier: Apache-2.0

#include "plan/motion/strike_trajectory.h"

#include "atemi/model.h"
#include "atemi/trajectory.h"
#include "math/matrix.h"

#include <math.h>
#include <string.h>

// With x the time away from first touch, and s_h, s_b the fractions of the goals' values that are
// left, from 1 to 0 in T_h, T_b, the joint velocities are
//
//   v = s_h w_h(q) + s_b w_b(q)
//
// with components w that change with the posture alone. Between knots they are cubic polynomials of
// the travel, which grows by what moves and so stands still at rest:
//
//   r(x) = integral of s_h + k s_b,   s = 1 - 3 u^2 + 2 u^3,  integral of s = T (u - u^3 + u^4 / 2)
//
// From knot to knot the posture is predicted with components that go on along their last slope;
// once those of the next knot are known, it is corrected; the first knot, of which the least is
// known, a second time.

static const double slow = 0.1; // k: how much less the posture changes by the body's goals

enum { NODES = 3 };

// Gauss-Legendre on 0 .. 1.
static const double nodes[NODES] = {0.11270166537925831, 0.5, 0.88729833462074169};
static const double node_weights[NODES] = {5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0};

// ---- Grids

static const double fine_knots[] = {0.2, 0.45, 0.7, 1.0, 1.15, 1.32, 1.5, 1.72, 2.0};
static const double fine_instants[] = {0.0, 0.15, 0.3,       0.45,      0.6,
                                       0.8, 1.0,  4.0 / 3.0, 5.0 / 3.0, 2.0};
static const double rough_knots[] = {0.5, 1.0, 1.4, 2.0};
static const double rough_instants[] = {0.0, 0.35, 0.7, 1.0, 1.6};

const strike_grid strike_fine_grid = {4, 9, fine_knots, 9, fine_instants};
const strike_grid strike_rough_grid = {2, 4, rough_knots, 4, rough_instants};

double strike_trajectory_time(const strike_trajectory *path, double fraction)
{
    return fraction <= 1.0 ? fraction * path->hand
                           : path->hand + (fraction - 1.0) * (path->body - path->hand);
}

// ---- Fractions and travel

static atemi_axis_state fraction_state(double T, double x)
{
    return atemi_cubic_rest_at(1.0, 0.0, T, x);
}

double strike_fraction_at(double time, double rise, double fall)
{
    return fraction_state(time < 0.0 ? rise : fall, fabs(time)).position;
}

double strike_fraction_integral(double T, double time)
{
    const double u = fmin(time / T, 1.0);
    return T * (u - u * u * u + 0.5 * u * u * u * u);
}

static double travel_at(const strike_trajectory *path, double x)
{
    return strike_fraction_integral(path->hand, x) + slow * strike_fraction_integral(path->body, x);
}

// ---- Between knots

// How much of the values and slopes at both ends makes a component, with its derivative.
typedef struct basis {
    double from[2], from_slope[2], to[2], to_slope[2];
} basis;

// By the travel, at the fraction y of a segment of length h.
static basis hermite(double y, double h)
{
    const double y2 = y * y, y3 = y2 * y, i = 1.0 / h;
    return (basis){.from = {1.0 - 3.0 * y2 + 2.0 * y3, (6.0 * y2 - 6.0 * y) * i},
                   .from_slope = {h * (y - 2.0 * y2 + y3), 1.0 - 4.0 * y + 3.0 * y2},
                   .to = {3.0 * y2 - 2.0 * y3, (6.0 * y - 6.0 * y2) * i},
                   .to_slope = {h * (y3 - y2), 3.0 * y2 - 2.0 * y}};
}

// Where a segment is without length, its end is as good as its beginning.
static double fraction_of_segment(const strike_trajectory *path, int knot, double x, double *length)
{
    const double from = path->knots[knot - 1].travel, h = path->knots[knot].travel - from;
    *length = h > 0.0 ? h : 1.0;
    return h > 0.0 ? (travel_at(path, x) - from) / h : 0.0;
}

// The derivative by the travel r becomes that of  s w(r(x))  by x.
static void by_time(atemi_axis_state s, atemi_axis_state h, atemi_axis_state b, double w[2])
{
    w[1] = s.velocity * w[0] + s.position * w[1] * (h.position + slow * b.position);
    w[0] = s.position * w[0];
}

// The same for all four of a basis: what multiplies values and slopes of one component.
static basis weigh(basis of, atemi_axis_state s, atemi_axis_state h, atemi_axis_state b)
{
    by_time(s, h, b, of.from);
    by_time(s, h, b, of.from_slope);
    by_time(s, h, b, of.to);
    by_time(s, h, b, of.to_slope);
    return of;
}

static void find_bases(const strike_trajectory *path, int knot, double x, basis *hand, basis *body)
{
    double                 length;
    const double           y = fraction_of_segment(path, knot, x, &length);
    const basis            plain = hermite(y, length);
    const atemi_axis_state h = fraction_state(path->hand, x), b = fraction_state(path->body, x);
    *hand = weigh(plain, h, h, b);
    *body = weigh(plain, b, h, b);
}

static void put_weights(const basis *of, int d, double sign, double *to)
{
    const double weights[] = {of->from[d], of->from_slope[d], of->to[d], of->to_slope[d]};
    for (int i = 0; i < 4; ++i) {
        to[i] = sign * weights[i];
    }
}

// Derivative d of the velocities.
static void combine(const strike_trajectory *path, int knot, const basis *hand, const basis *body,
                    int d, double sign, int count, double *result)
{
    const strike_knot  *from = &path->knots[knot - 1], *to = &path->knots[knot];
    const double *const vectors[STRIKE_ENDS] = {
        from->components.hand, from->slopes.hand, to->components.hand, to->slopes.hand,
        from->components.body, from->slopes.body, to->components.body, to->slopes.body};
    double weights[STRIKE_ENDS];
    put_weights(hand, d, sign, weights);
    put_weights(body, d, sign, weights + 4);
    matrix_combine(STRIKE_ENDS, weights, vectors, count, result);
}

void strike_trajectory_velocities(const strike_trajectory *path, int knot, double time, int count,
                                  double *v, double *a)
{
    basis hand, body;
    find_bases(path, knot, time, &hand, &body);
    combine(path, knot, &hand, &body, 0, 1.0, count, v);
    if (a) {
        combine(path, knot, &hand, &body, 1, path->sign, count, a);
    }
}

void strike_trajectory_weights(const strike_trajectory *path, int knot, double time, double *v,
                               double *a)
{
    basis hand, body;
    find_bases(path, knot, time, &hand, &body);
    put_weights(&hand, 0, 1.0, v);
    put_weights(&body, 0, 1.0, v + 4);
    put_weights(&hand, 1, path->sign, a);
    put_weights(&body, 1, path->sign, a + 4);
}

static void add_basis(basis *sum, const basis *of, double weight)
{
    sum->from[0] += weight * of->from[0];
    sum->from_slope[0] += weight * of->from_slope[0];
    sum->to[0] += weight * of->to[0];
    sum->to_slope[0] += weight * of->to_slope[0];
}

double strike_trajectory_mean(const strike_trajectory *path, int knot, double time, int count,
                              double *mean)
{
    const strike_knot *from = &path->knots[knot - 1];
    const double       h = time - from->time;
    basis              hand = {0}, body = {0};
    for (int k = 0; k < NODES; ++k) {
        basis hand_there, body_there;
        find_bases(path, knot, from->time + nodes[k] * h, &hand_there, &body_there);
        add_basis(&hand, &hand_there, node_weights[k]);
        add_basis(&body, &body_there, node_weights[k]);
    }
    combine(path, knot, &hand, &body, 0, 1.0, count, mean);
    return path->sign * h;
}

// The posture at x in the segment that ends with a knot, from that at its beginning.
static void move_on(const atemi_model *model, const strike_trajectory *path, int knot, double x,
                    strike_trajectory_workspace *work, double *q)
{
    const double h =
        strike_trajectory_mean(path, knot, x, atemi_model_v_count(model), work->mean_v);
    atemi_configuration_integrate(model, path->knots[knot - 1].q, work->mean_v, h, q);
}

int strike_trajectory_knot(const strike_trajectory *path, double time)
{
    int knot = 1;
    while (knot < path->grid->knots && path->knots[knot].time < time) {
        ++knot;
    }
    return knot;
}

void strike_trajectory_at(const atemi_model *model, const strike_trajectory *path, double time,
                          strike_trajectory_workspace *work, double *q, double *v, double *a)
{
    const int knot = strike_trajectory_knot(path, time);
    move_on(model, path, knot, time, work, q);
    strike_trajectory_velocities(path, knot, time, atemi_model_v_count(model), v, a);
}

// ---- From knot to knot

// Where knots are at the same place, nothing changes between them.
static double inverse_of(double distance)
{
    return distance > 0.0 ? 1.0 / distance : 0.0;
}

// What the slope at knot k takes of the knots two and one before it, of its own, of the next once
// it is known, and of the slope at first touch: by divided differences of the polynomial through
// them, in which first touch counts twice, because there the slope is known,
//
//   w' = f_01 + f_012 a + f_0123 b,   a = 2 x_2 - x_0 - x_1,   b = (x_2 - x_0)(x_2 - x_1)
static void find_slope_weights(const strike_trajectory *path, int k, bool has_next,
                               double weights[5])
{
    const int    at[4] = {k > 1 ? k - 2 : 0, k - 1, k, has_next ? k + 1 : k};
    const double x0 = path->knots[at[0]].travel, x1 = path->knots[at[1]].travel;
    const double x2 = path->knots[at[2]].travel, x3 = path->knots[at[3]].travel;
    const double a = ((x2 - x0) + (x2 - x1)) * inverse_of(x2 - x0);
    const double b =
        has_next ? (x2 - x0) * (x2 - x1) * inverse_of(x3 - x0) : 0.0; // of f_123 - f_012
    const double f23 = b * inverse_of(x3 - x1), back = b * inverse_of(x2 - x0);
    const double f01 = 1.0 - a + back, f12 = a - f23 - back;
    const double first = k > 1 ? f01 * inverse_of(x1 - x0) : 0.0;
    const double second = f12 * inverse_of(x2 - x1), third = f23 * inverse_of(x3 - x2);
    weights[0] = -first;
    weights[1] = first - second;
    weights[2] = second - third;
    weights[3] = third;
    weights[4] = k > 1 ? 0.0 : f01;
}

static void find_slopes_of_both(strike_trajectory *path, int k, bool has_next, int n)
{
    const strike_knot  *a = &path->knots[k > 1 ? k - 2 : 0], *b = &path->knots[k - 1];
    const strike_knot  *c = &path->knots[k], *d = &path->knots[has_next ? k + 1 : k];
    const strike_knot  *first = &path->knots[0];
    const double *const hand[] = {a->components.hand, b->components.hand, c->components.hand,
                                  d->components.hand, first->slopes.hand};
    const double *const body[] = {a->components.body, b->components.body, c->components.body,
                                  d->components.body, first->slopes.body};
    double              weights[5];
    find_slope_weights(path, k, has_next, weights);
    matrix_combine(5, weights, hand, n, c->slopes.hand);
    matrix_combine(5, weights, body, n, c->slopes.body);
}

void strike_trajectory_find_slopes(strike_trajectory *path, int k, int count)
{
    if (k > 1) {
        find_slopes_of_both(path, k - 1, true, count);
    }
    find_slopes_of_both(path, k, false, count);
}

void strike_trajectory_extrapolate(strike_trajectory *path, int k, int count)
{
    const strike_knot *from = &path->knots[k - 1];
    strike_knot       *to = &path->knots[k];
    const double       h = to->travel - from->travel;
    for (int i = 0; i < count; ++i) {
        to->components.hand[i] = from->components.hand[i] + h * from->slopes.hand[i];
        to->components.body[i] = from->components.body[i] + h * from->slopes.body[i];
    }
    memcpy(to->slopes.hand, from->slopes.hand, (size_t)count * sizeof *to->slopes.hand);
    memcpy(to->slopes.body, from->slopes.body, (size_t)count * sizeof *to->slopes.body);
}

static void find_times(strike_trajectory *path)
{
    for (int k = 0; k <= path->grid->knots; ++k) {
        const double time =
            strike_trajectory_time(path, k == 0 ? 0.0 : path->grid->knot_fractions[k - 1]);
        path->knots[k].time = time;
        path->knots[k].travel = travel_at(path, time);
    }
}

int strike_trajectory_passes(int knot)
{
    return knot == 1 ? 2 : 1;
}

static void follow(const strike_setup *s, const strike_values *x,
                   strike_velocity_workspace *velocities, strike_trajectory_workspace *work,
                   strike_trajectory *path)
{
    const int n = s->v_count;
    for (int k = 1; k <= path->grid->knots; ++k) {
        strike_knot *knot = &path->knots[k];
        strike_trajectory_extrapolate(path, k, n);
        move_on(s->model, path, k, knot->time, work, knot->q);
        for (int pass = 0; pass < strike_trajectory_passes(k); ++pass) {
            strike_components_find(s, x, knot->q, velocities, &knot->components);
            strike_trajectory_find_slopes(path, k, n);
            move_on(s->model, path, k, knot->time, work, knot->q);
        }
        strike_trajectory_velocities(path, k, knot->time, n, knot->v, NULL);
    }
}

double strike_first_step(const strike_values *x)
{
    return 1e-3 * fmin(x->hand_rise, x->hand_fall);
}

void strike_first_slopes(double h, int count, strike_trajectory paths[2])
{
    const strike_knot touch = paths[1].knots[0];
    strike_components before = paths[0].knots[0].slopes;
    for (int i = 0; i < count; ++i) {
        touch.slopes.hand[i] =
            (touch.slopes.hand[i] - touch.components.hand[i]) / (h * (1.0 + slow));
        touch.slopes.body[i] =
            (touch.slopes.body[i] - touch.components.body[i]) / (h * (1.0 + slow));
        before.hand[i] = -touch.slopes.hand[i];
        before.body[i] = -touch.slopes.body[i];
    }
}

void strike_trajectories_begin(const strike_values *x, strike_trajectory paths[2])
{
    strike_trajectory *before = &paths[0], *after = &paths[1];
    before->sign = -1.0;
    before->hand = x->hand_rise;
    before->body = x->body_rise;
    after->sign = 1.0;
    after->hand = x->hand_fall;
    after->body = x->body_fall;
    find_times(before);
    find_times(after);
}

void strike_trajectories_start(const strike_setup *s, const strike_values *x,
                               strike_velocity_workspace   *velocities,
                               strike_trajectory_workspace *work, strike_trajectory paths[2])
{
    const double      h = strike_first_step(x);
    const strike_knot touch = paths[1].knots[0];
    strike_trajectories_begin(x, paths);
    atemi_configuration_integrate(s->model, touch.q, touch.v, h, work->near_q);
    strike_components_find(s, x, work->near_q, velocities, &touch.slopes);
    strike_first_slopes(h, s->v_count, paths);
}

void strike_trajectories_follow(const strike_setup *s, const strike_values *x,
                                strike_velocity_workspace   *velocities,
                                strike_trajectory_workspace *work, strike_trajectory paths[2])
{
    strike_trajectories_start(s, x, velocities, work, paths);
    follow(s, x, velocities, work, &paths[0]);
    follow(s, x, velocities, work, &paths[1]);
}

// ---- Workspace

strike_trajectory_workspace strike_trajectory_workspace_take(atemi_arena       *arena,
                                                             const atemi_model *model)
{
    const int n = atemi_model_v_count(model);
    return (strike_trajectory_workspace){
        .mean_v = atemi_arena_array(arena, double, n),
        .near_q = atemi_arena_array(arena, double, atemi_model_q_count(model))};
}

strike_trajectory strike_trajectory_take(atemi_arena *arena, const atemi_model *model,
                                         const strike_grid *grid, double *q, double *v,
                                         strike_components components)
{
    strike_trajectory path = {.grid = grid};
    for (int k = 0; k <= grid->knots; ++k) {
        strike_knot *knot = &path.knots[k];
        knot->q = k == 0 ? q : atemi_arena_array(arena, double, atemi_model_q_count(model));
        knot->v = k == 0 ? v : atemi_arena_array(arena, double, atemi_model_v_count(model));
        knot->components = k == 0 ? components : strike_components_take(arena, model);
        knot->slopes = strike_components_take(arena, model);
    }
    return path;
}
