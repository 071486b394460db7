// SPDX-License-Identifier: Apache-2.0

#include "plan/slopes/strike_trajectory_derivatives.h"

#include "atemi/math.h"
#include "atemi/model.h"
#include "dynamics/frame_rows.h"
#include "math/matrix.h"
#include "math/pack.h"
#include "plan/touch/strike_posture.h"

#include <math.h>
#include <string.h>

// The base stands where the first foot sees it: at the inverse of (R, p), R = Rz Ry Rx. With the
// angular velocity w of R, a change moves the base, in its own frame, by
//
//   angular  -w,   linear  -(dp - w x p)
//
// and the legs follow what all feet would move by, against it (atemi_posture_derivative()).
//
// A step along the velocities u = h v from q changes by
//
//   d(q + u) = exp(-ad_u) dq + sum over k of (-ad_u)^k / (k + 1)! du
//
// of the base; other joints just add.

enum { BASE = 6, MOST_TERMS = 60 };

strike_trajectory_derivatives_workspace
strike_trajectory_derivatives_workspace_take(atemi_arena *arena, const strike_setup *setup,
                                             const strike_directions *directions)
{
    const int n = setup->v_count, stride = directions->stride;
    return (strike_trajectory_derivatives_workspace){
        .components = strike_component_workspace_take(arena, setup, directions),
        .mean = atemi_arena_array(arena, double, n *stride),
        .near = atemi_arena_array(arena, double, n *stride),
        .legs = atemi_arena_array(arena, double, n * 6 * setup->task.foot_count),
        .rows = atemi_arena_array(arena, double, 6 * n),
        .moves = atemi_arena_array(arena, double, 6 * stride)};
}

static strike_components take_components(atemi_arena *arena, int size)
{
    return (strike_components){atemi_arena_array(arena, double, size),
                               atemi_arena_array(arena, double, size)};
}

strike_trajectory strike_trajectory_derivatives_take(atemi_arena *arena, const strike_setup *setup,
                                                     const strike_directions *directions,
                                                     const strike_grid *grid, double *dq,
                                                     double *dv, strike_components components)
{
    const int         size = setup->v_count * directions->stride;
    strike_trajectory t = {.grid = grid};
    for (int k = 0; k <= grid->knots; ++k) {
        strike_knot *knot = &t.knots[k];
        knot->q = k == 0 ? dq : atemi_arena_array(arena, double, size);
        knot->v = k == 0 ? dv : atemi_arena_array(arena, double, size);
        knot->components = k == 0 ? components : take_components(arena, size);
        knot->slopes = take_components(arena, size);
    }
    return t;
}

// ---- The posture

static void put_twist(double *dq, int stride, int direction, atemi_vec3 linear, atemi_vec3 angular)
{
    const double values[] = {linear.x, linear.y, linear.z, angular.x, angular.y, angular.z};
    for (int i = 0; i < BASE; ++i) {
        dq[i * stride + direction] = values[i];
    }
}

// The angular velocity of R for a unit of each angle.
static atemi_vec3 rotation_axis(const double angles[3], int k)
{
    const atemi_vec3       axes[] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    const atemi_quaternion y = atemi_quaternion_exp(atemi_vec3_scale(angles[1], axes[1]));
    const atemi_quaternion z = atemi_quaternion_exp(atemi_vec3_scale(angles[2], axes[2]));
    const atemi_quaternion both = atemi_quaternion_multiply(z, y);
    const atemi_mat3       before[] = {atemi_quaternion_matrix(both), atemi_quaternion_matrix(z)};
    return k == 2 ? axes[2] : atemi_mat3_apply(&before[k], axes[k]);
}

// What the variables themselves move: the base and the joints that are decided.
static void move_decided(const strike_setup *s, const strike_variables *variables,
                         const strike_values *x, int stride, double *dq)
{
    const atemi_vec3 none = {0.0, 0.0, 0.0};
    const atemi_vec3 p = {x->foot_position[0], x->foot_position[1], x->foot_position[2]};
    for (int i = 0; i < variables->count; ++i) {
        const size_t field = variables->list[i].field;
        const int place = (int)((field - offsetof(strike_values, foot_position)) / sizeof(double));
        const int joint = (int)((field - offsetof(strike_values, joints)) / sizeof(double));
        if (field < offsetof(strike_values, foot_rotation)) {
            const atemi_vec3 back = {-(double)(place == 0), -(double)(place == 1),
                                     -(double)(place == 2)};
            put_twist(dq, stride, i, back, none);
        } else if (field < offsetof(strike_values, stance)) {
            const atemi_vec3 w = rotation_axis(x->foot_rotation, place - 3);
            put_twist(dq, stride, i, atemi_vec3_cross(w, p), atemi_vec3_scale(-1.0, w));
        } else if (field >= offsetof(strike_values, joints) &&
                   field < offsetof(strike_values, speed)) {
            const int at = atemi_model_joint(s->model, s->task.joints[joint])->first_v;
            dq[at * stride + i] = 1.0;
        }
    }
}

// Where the target of a foot moves.
static void move_target(const strike_variables *variables, int foot, int stride, double *moves)
{
    for (int i = 0; foot > 0 && i < variables->count; ++i) {
        for (int k = 0; k < 2; ++k) {
            const size_t field =
                offsetof(strike_values, stance) + (size_t)(2 * (foot - 1) + k) * sizeof(double);
            moves[k * stride + i] += variables->list[i].field == field;
        }
    }
}

static void find_leg_motion(const strike_setup *s, const strike_values *x, const double *q,
                            atemi_inverse_kinematics_scratch *ik, double *legs)
{
    atemi_posture_goal goals[ATEMI_STRIKE_MAX_FEET];
    strike_posture_goals(s, x, goals);
    atemi_posture_derivative(s->model, q, goals, s->task.foot_count, &s->ik_options, ik, legs);
}

void strike_posture_vary(const strike_setup *s, const strike_variables *variables,
                         const strike_directions *directions, const strike_values *x,
                         const double *q, const atemi_kinematics *kinematics,
                         atemi_inverse_kinematics_scratch        *ik,
                         strike_trajectory_derivatives_workspace *work, double *dq)
{
    const int n = s->v_count, stride = directions->stride, width = 6 * s->task.foot_count;
    double   *decided = work->near;
    memset(decided, 0, (size_t)n * (size_t)stride * sizeof *decided);
    move_decided(s, variables, x, stride, decided);
    memcpy(dq, decided, (size_t)n * (size_t)stride * sizeof *dq);
    find_leg_motion(s, x, q, ik, work->legs);
    for (int f = 0; f < s->task.foot_count; ++f) {
        memset(work->moves, 0, 6 * (size_t)stride * sizeof *work->moves);
        atemi_frame_rows(s->model, kinematics, s->foot_links[f],
                         strike_setup_foot(s, f)->pose.position, work->rows);
        matrix_add_multiply(6, n, work->rows, n, decided, stride, work->moves);
        for (int i = 0; i < 6 * stride; ++i) {
            work->moves[i] = -work->moves[i];
        }
        move_target(variables, f, stride, work->moves);
        matrix_add_multiply(n, 6, work->legs + (ptrdiff_t)6 * f, width, work->moves, stride, dq);
    }
}

// ---- Steps

// A motion in each lane.
typedef struct motions {
    pack3 linear, angular;
} motions;

static motions cross(pack3 move, pack3 turn, motions x)
{
    return (motions){pack3_add(pack3_cross(turn, x.linear), pack3_cross(move, x.angular)),
                     pack3_cross(turn, x.angular)};
}

static motions add_scaled(motions sum, double s, motions x)
{
    return (motions){pack3_add_scaled(sum.linear, pack_of(s), x.linear),
                     pack3_add_scaled(sum.angular, pack_of(s), x.angular)};
}

// Some columns of the unit matrix, from one on.
static motions unit_columns(int first)
{
    const pack index = pack_indices() + (double)first, one = pack_of(1.0);
    pack       rows[BASE];
    for (int i = 0; i < BASE; ++i) {
        rows[i] = pack_keep(index == (double)i, one);
    }
    return (motions){{rows[0], rows[1], rows[2]}, {rows[3], rows[4], rows[5]}};
}

static void put_columns(motions x, int first, double *to)
{
    const pack rows[BASE] = {x.linear.x,  x.linear.y,  x.linear.z,
                             x.angular.x, x.angular.y, x.angular.z};
    for (int i = 0; i < BASE; ++i) {
        for (int l = 0; l < ATEMI_LANES && first + l < BASE; ++l) {
            to[i * BASE + first + l] = rows[i][l];
        }
    }
}

// How many terms of the series count, whose k-th is at most |u|^k / k!.
static int count_terms(const double *u)
{
    const double most = fabs(u[0]) + fabs(u[1]) + fabs(u[2]) + fabs(u[3]) + fabs(u[4]) + fabs(u[5]);
    double       size = 1.0;
    int          k = 1;
    while (k < MOST_TERMS && size > 1e-18) {
        size *= most / k++;
    }
    return k;
}

// exp(-ad_u), and the sum for du, as rows; by their series.
static void find_transport(const double *u, double *carry, double *turn)
{
    const pack3 move = pack3_of((atemi_vec3){-u[0], -u[1], -u[2]});
    const pack3 rotation = pack3_of((atemi_vec3){-u[3], -u[4], -u[5]});
    const int   terms = count_terms(u);
    for (int first = 0; first < BASE; first += ATEMI_LANES) {
        motions product = unit_columns(first), sum = product, whole = product;
        double  factorial = 1.0;
        for (int k = 1; k < terms; ++k) {
            product = cross(move, rotation, product);
            factorial *= k;
            sum = add_scaled(sum, 1.0 / factorial, product);
            whole = add_scaled(whole, 1.0 / (factorial * (k + 1)), product);
        }
        put_columns(sum, first, carry);
        put_columns(whole, first, turn);
    }
}

// The derivatives of a configuration that follows velocities for a time.
static void carry_on(const strike_setup *s, int stride, const double *v, double h, const double *dq,
                     const double *dv, double *result)
{
    double u[BASE], carry[BASE * BASE], turn[BASE * BASE];
    for (int i = 0; i < BASE; ++i) {
        u[i] = h * v[i];
    }
    find_transport(u, carry, turn);
    for (int i = 0; i < BASE * BASE; ++i) {
        turn[i] *= h;
    }
    memset(result, 0, (size_t)(BASE * stride) * sizeof *result);
    matrix_add_multiply(BASE, BASE, carry, BASE, dq, stride, result);
    matrix_add_multiply(BASE, BASE, turn, BASE, dv, stride, result);
    for (int i = BASE * stride; i < s->v_count * stride; ++i) {
        result[i] = dq[i] + h * dv[i];
    }
}

// ---- From knot to knot

// Both trajectories of a phase, and what they are found with.
typedef struct pair {
    const strike_setup                      *s;
    const strike_directions                 *d;
    const strike_values                     *x;
    strike_velocity_workspace               *velocities;
    strike_trajectory_workspace             *trajectory;
    strike_trajectory_derivatives_workspace *work;
    strike_trajectory                       *path, *derivative;
    int                                      n, size;
    bool                                     consistent; ///< all goals so far
} pair;

static void find_components(pair *p, const double *q, const double *dq,
                            const strike_components *components,
                            const strike_components *derivatives)
{
    strike_components_find(p->s, p->x, q, p->velocities, components);
    p->consistent = p->consistent && p->velocities->reduction.consistent;
    strike_components_vary(p->s, p->d, q, components, p->velocities, dq, &p->work->components,
                           derivatives);
}

static void move_on(const pair *p, int k)
{
    const strike_knot *from = &p->path->knots[k - 1], *to = &p->path->knots[k];
    double            *mean = p->trajectory->mean_v;
    const double       h = strike_trajectory_mean(p->path, k, to->time, p->n, mean);
    strike_trajectory_mean(p->derivative, k, to->time, p->size, p->work->mean);
    carry_on(p->s, p->d->stride, mean, h, p->derivative->knots[k - 1].q, p->work->mean,
             p->derivative->knots[k].q);
    atemi_configuration_integrate(p->s->model, from->q, mean, h, to->q);
}

// The hand's component counts until its goal rests, and through its slope at that knot one more.
static strike_components wanted_at(const pair *p, int k)
{
    strike_components wanted = p->derivative->knots[k].components;
    if (k > p->path->grid->hand_knots + 1) {
        wanted.hand = NULL;
    }
    return wanted;
}

static void follow(pair *p)
{
    for (int k = 1; k <= p->path->grid->knots; ++k) {
        strike_knot            *knot = &p->path->knots[k], *change = &p->derivative->knots[k];
        const strike_components wanted = wanted_at(p, k);
        strike_trajectory_extrapolate(p->path, k, p->n);
        strike_trajectory_extrapolate(p->derivative, k, p->size);
        move_on(p, k);
        for (int pass = 0; pass < strike_trajectory_passes(k); ++pass) {
            find_components(p, knot->q, change->q, &knot->components, &wanted);
            strike_trajectory_find_slopes(p->path, k, p->n);
            strike_trajectory_find_slopes(p->derivative, k, p->size);
            move_on(p, k);
        }
        strike_trajectory_velocities(p->path, k, knot->time, p->n, knot->v, NULL);
        strike_trajectory_velocities(p->derivative, k, knot->time, p->size, change->v, NULL);
    }
}

bool strike_trajectories_vary(const strike_setup *s, const strike_directions *directions,
                              const strike_values *x, strike_velocity_workspace *velocities,
                              strike_trajectory_workspace             *trajectory,
                              strike_trajectory_derivatives_workspace *work,
                              strike_trajectory paths[2], strike_trajectory derivatives[2])
{
    const double      h = strike_first_step(x);
    const strike_knot touch = paths[1].knots[0], change = derivatives[1].knots[0];
    pair              p = {.s = s,
                           .d = directions,
                           .x = x,
                           .velocities = velocities,
                           .trajectory = trajectory,
                           .work = work,
                           .n = s->v_count,
                           .size = s->v_count * directions->stride,
                           .consistent = true};
    strike_trajectories_begin(x, paths);
    strike_trajectories_begin(x, derivatives);
    atemi_configuration_integrate(s->model, touch.q, touch.v, h, trajectory->near_q);
    carry_on(s, directions->stride, touch.v, h, change.q, change.v, work->near);
    find_components(&p, trajectory->near_q, work->near, &touch.slopes, &change.slopes);
    strike_first_slopes(h, p.n, paths);
    strike_first_slopes(h, p.size, derivatives);
    for (int i = 0; i < 2; ++i) {
        p.path = &paths[i];
        p.derivative = &derivatives[i];
        follow(&p);
    }
    return p.consistent;
}

void strike_trajectory_vary_at(const strike_setup *s, const strike_directions *directions,
                               const strike_trajectory *path, const strike_trajectory *derivative,
                               double time, strike_trajectory_workspace *memory,
                               strike_trajectory_derivatives_workspace *work, double *dq,
                               double *dv, double *da)
{
    const int    size = s->v_count * directions->stride, knot = strike_trajectory_knot(path, time);
    const double h = strike_trajectory_mean(path, knot, time, s->v_count, memory->mean_v);
    strike_trajectory_mean(derivative, knot, time, size, work->mean);
    carry_on(s, directions->stride, memory->mean_v, h, derivative->knots[knot - 1].q, work->mean,
             dq);
    strike_trajectory_velocities(derivative, knot, time, size, dv, da);
}
