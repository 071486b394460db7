// SPDX-License-Identifier: Apache-2.0

#include "plan/slopes/strike_blow_slopes.h"

#include "impact/virtual_base_derivatives.h"
#include "math/matrix.h"
#include "plan/doubt/strike_case.h"
#include "plan/slopes/strike_stance_slopes.h"
#include "plan/slopes/strike_touch_slopes.h"
#include "plan/touch/strike_blow.h"

#include <math.h>
#include <string.h>

// The wrenches w of the feet, by least squares from G^T w = r = M a - t + j^T f (strike_feet.c),
// change with what G^T w misses of r, which is e:
//
//   (G G^T) dw = G (dr - dG^T w) + dG e,   dr = dM a + M da - dt + dj^T f + j^T df
//
// Together with those of the motion, at places p, they are a force F and a moment N about the
// origin of the floor, and the ZMP is
//
//   z = (-N_y, N_x) / F_z,   dz = ((-dN_y, dN_x) - z dF_z) / F_z
//   dN = sum of dn + dp x f + p x df
//
// A case of doubt is met at the time t, which changes with the hand's speed V (strike_case.c):
// there
//
//   dq = dq|t + v dt/dV dV,   dv = dv|t + a dt/dV dV,   da = da|t + a' dt/dV dV
//
// with a' by the difference of accelerations a little before and after t.

static const double little = 1e-5; // s

// A blow, and where its slopes are put.
typedef struct blow {
    const strike_setup      *s;
    const strike_evaluation *at;
    strike_workspace        *work;
    strike_derivatives      *d;
    strike_blow_derivatives *b;
    strike_slopes           *slopes;
    strike_outcome           outcome;
    int                      n, stride, rows; ///< of the wrenches of all feet
    strike_case              as;
    const double            *q, *v;   ///< at its first touch
    const double            *dq, *dv; ///< [n x stride]
} blow;

strike_blow_derivatives strike_blow_derivatives_take(atemi_arena *arena, const strike_setup *s,
                                                     const strike_directions *directions)
{
    const int n = s->v_count, stride = directions->stride, feet = s->task.foot_count;
    return (strike_blow_derivatives){
        .posture = atemi_virtual_base_derivatives_take(arena, s->model, feet, directions->count),
        .blow = atemi_blow_derivatives_take(arena, s->model, directions->count),
        .drift = atemi_arena_array(arena, double, stride),
        .q = atemi_arena_array(arena, double, n *stride),
        .v = atemi_arena_array(arena, double, n *stride),
        .motion = atemi_arena_array(arena, double, 6 * feet * stride),
        .wrenches = atemi_arena_array(arena, double, STRIKE_BLOW_SAMPLES * 6 * feet * stride),
        .forces = atemi_arena_array(arena, double, n *stride),
        .places = atemi_arena_array(arena, double, 3 * feet * stride),
        .moved = atemi_arena_array(arena, double, 2 * stride),
        .rest = atemi_arena_array(arena, double, n),
        .missing = atemi_arena_array(arena, double, n)};
}

// ---- Wrenches in the blow

// e of an instant.
static void find_missing(const blow *w, const atemi_blow_sample *sample,
                         const atemi_force *wrenches)
{
    const atemi_virtual_base_derivatives *p = w->b->posture;
    for (int i = 0; i < w->n; ++i) {
        const double torque = i < w->s->base_count ? 0.0 : sample->torques[i];
        w->b->missing[i] = row_dot(w->n, row_in(p->M, w->n, i), sample->accelerations) - torque +
                           sample->force * w->work->base.jacobian[i];
    }
    for (int k = 0; k < w->s->task.foot_count; ++k) {
        const atemi_force f = wrenches[k];
        const double      values[] = {f.linear.x,  f.linear.y,  f.linear.z,
                                      f.angular.x, f.angular.y, f.angular.z};
        for (int r = 0; r < 6; ++r) {
            row_subtract(w->n, values[r], row_in(p->rows, w->n, 6 * k + r), w->b->missing);
        }
    }
}

// dr - dG^T w
static void vary_forces(const blow *w, const atemi_blow_sample *sample, const atemi_force *wrenches)
{
    const atemi_virtual_base_derivatives *p = w->b->posture;
    const int                             n = w->n, stride = w->stride, size = n * stride;
    double                               *forces = w->b->forces;
    for (int i = 0; i < size; ++i) {
        forces[i] = sample->force * p->jacobian[i] - sample->slopes->torques[i];
    }
    for (int i = 0; i < n; ++i) {
        row_subtract(size, -sample->accelerations[i], row_in(p->mass_changes, size, i), forces);
        row_subtract(stride, -w->work->base.jacobian[i], sample->slopes->force,
                     row_of(forces, stride, i));
    }
    matrix_add_multiply(n, n, p->M, n, sample->slopes->accelerations, stride, forces);
    for (int k = 0; k < w->s->task.foot_count; ++k) {
        const atemi_force f = wrenches[k];
        const double      values[] = {f.linear.x,  f.linear.y,  f.linear.z,
                                      f.angular.x, f.angular.y, f.angular.z};
        for (int r = 0; r < 6; ++r) {
            row_subtract(size, values[r], row_in(p->ground, size, 6 * k + r), forces);
        }
    }
}

// Solves L L^T x = b for all directions at once.
static void solve(int m, const double *L, int stride, double *x)
{
    for (int i = 0; i < m; ++i) {
        double *row = row_of(x, stride, i);
        for (int k = 0; k < i; ++k) {
            row_subtract(stride, row_in(L, m, i)[k], row_in(x, stride, k), row);
        }
        for (int c = 0; c < stride; ++c) {
            row[c] /= row_in(L, m, i)[i];
        }
    }
    for (int i = m - 1; i >= 0; --i) {
        double *row = row_of(x, stride, i);
        for (int k = i + 1; k < m; ++k) {
            row_subtract(stride, row_in(L, m, k)[i], row_in(x, stride, k), row);
        }
        for (int c = 0; c < stride; ++c) {
            row[c] /= row_in(L, m, i)[i];
        }
    }
}

static void on_sample(void *context, const atemi_blow_sample *sample)
{
    blow                                 *w = (blow *)context;
    const atemi_virtual_base_derivatives *p = w->b->posture;
    const int                             n = w->n, stride = w->stride, m = w->rows;
    const int                             i = w->outcome.count++;
    double                               *to = row_of(w->b->wrenches, m * stride, i);
    strike_feet_in_blow(w->s, w->work->base.jacobian, sample, &w->work->feet,
                        w->outcome.wrenches[i]);
    find_missing(w, sample, w->outcome.wrenches[i]);
    vary_forces(w, sample, w->outcome.wrenches[i]);
    memset(to, 0, (size_t)(m * stride) * sizeof *to);
    matrix_add_multiply(m, n, p->rows, n, w->b->forces, stride, to);
    for (int r = 0; r < m; ++r) {
        matrix_add_multiply(1, n, w->b->missing, n, row_in(p->ground, n * stride, r), stride,
                            row_of(to, stride, r));
    }
    solve(m, p->system, stride, to);
}

// ---- Wrenches of the motion

static void vary_motion(const blow *w, const double *q, const double *v, const double *a,
                        atemi_force *wrenches)
{
    const strike_setup *s = w->s;
    strike_derivatives *d = w->d;
    atemi_contact_point points[STRIKE_MAX_CORNERS];
    atemi_vec3          forces[STRIKE_MAX_CORNERS];
    const int           count = strike_stance_vary(s, q, v, a, w->work, d, points, forces);
    memcpy(w->work->held, w->work->feet.torques, (size_t)w->n * sizeof *w->work->held);
    for (int k = 0; k < s->task.foot_count; ++k) {
        const atemi_kinematics *kinematics = &w->work->feet.stance.inverse.kinematics;
        wrenches[k] = strike_foot_wrench(s, kinematics, k, points, forces, count);
        strike_wrench_slopes(s, kinematics, k, points, forces, count, d);
        memcpy(row_of(w->b->motion, w->stride, 6 * k), d->wrench,
               (size_t)(6 * w->stride) * sizeof *d->wrench);
    }
}

// What the motion does at the touch of a case, into the workspace, and how it changes.
static void look_at_touch(const blow *w)
{
    const strike_setup      *s = w->s;
    strike_derivatives      *d = w->d;
    strike_workspace        *work = w->work;
    const int                phase = w->as.time < 0.0 ? 0 : 1, speed = d->directions.speed;
    const strike_trajectory *path = &w->at->trajectories[phase];
    strike_trajectory_at(s->model, path, fabs(w->as.time), &work->trajectory, work->q, work->v,
                         work->a);
    strike_trajectory_vary_at(s, &d->directions, path, &d->trajectories[phase], fabs(w->as.time),
                              &work->trajectory, &d->work, d->at_q, d->at_v, d->at_a);
    if (speed == ATEMI_NONE || w->as.time_by_speed == 0.0) {
        return;
    }
    const double by_speed = w->as.time_by_speed, time = fabs(w->as.time);
    const int    knot = strike_trajectory_knot(path, time);
    strike_trajectory_velocities(path, knot, time - little, w->n, work->last_v, work->last_a);
    strike_trajectory_velocities(path, knot, time + little, w->n, work->last_v, w->b->rest);
    for (int i = 0; i < w->n; ++i) {
        const double jerk = path->sign * (w->b->rest[i] - work->last_a[i]) / (2.0 * little);
        row_of(d->at_q, w->stride, i)[speed] += by_speed * work->v[i];
        row_of(d->at_v, w->stride, i)[speed] += by_speed * work->a[i];
        row_of(d->at_a, w->stride, i)[speed] += by_speed * jerk;
    }
}

// As strike_constrain_blow() has it: what the motion needs at the touch, or a robot at rest, of the
// floor, and of the servos into `held`. After look_at_touch().
static void find_motion(const blow *w, atemi_force *wrenches)
{
    strike_derivatives *d = w->d;
    strike_workspace   *work = w->work;
    const size_t        size = (size_t)(w->n * w->stride) * sizeof *d->at_q;
    if (isfinite(w->s->task.friction)) {
        vary_motion(w, work->q, work->v, work->a, wrenches);
        return;
    }
    memset(w->b->rest, 0, (size_t)w->n * sizeof *w->b->rest);
    memcpy(d->at_q, w->dq, size);
    memset(d->at_v, 0, size);
    memset(d->at_a, 0, size);
    vary_motion(w, w->q, w->b->rest, w->b->rest, wrenches);
}

// ---- Constraints

static void find_places(const blow *w)
{
    const strike_setup *s = w->s;
    memset(w->b->places, 0, (size_t)(3 * s->task.foot_count * w->stride) * sizeof *w->b->places);
    for (int k = 0; k < s->task.foot_count; ++k) {
        atemi_link_jacobian_in(s->model, &w->at->kinematics, s->foot_links[k], w->d->rows);
        matrix_add_multiply(3, w->n, w->d->rows, w->n, w->d->q, w->stride,
                            row_of(w->b->places, w->stride, 3 * k));
    }
}

// What the sum of the wrenches is at an instant, and how it changes: into the blow's.
static void add_motion(blow *w, const atemi_force *motion)
{
    for (int i = 0; i < w->outcome.count; ++i) {
        row_subtract(w->rows * w->stride, -1.0, w->b->motion,
                     row_of(w->b->wrenches, w->rows * w->stride, i));
        for (int k = 0; k < w->s->task.foot_count; ++k) {
            w->outcome.wrenches[i][k] = atemi_force_add(w->outcome.wrenches[i][k], motion[k]);
        }
    }
}

// How the ZMP of an instant moves.
static void vary_zmp(const blow *w, int sample, atemi_vec3 zmp)
{
    const int     stride = w->stride, feet = w->s->task.foot_count;
    const double *change = row_in(w->b->wrenches, w->rows * stride, sample);
    double        weight = 0.0;
    for (int k = 0; k < feet; ++k) {
        weight += w->outcome.wrenches[sample][k].linear.z;
    }
    for (int c = 0; c < stride; c += ATEMI_LANES) {
        pack x = {0}, y = {0};
        for (int k = 0; k < feet; ++k) {
            const int        link = w->s->foot_links[k];
            const atemi_vec3 p = atemi_link_pose_in(w->s->model, &w->at->kinematics, link).position;
            const atemi_vec3 f = w->outcome.wrenches[sample][k].linear;
            const pack3      df = matrix_columns3(row_in(change, stride, 6 * k), stride, c);
            const pack3      dn = matrix_columns3(row_in(change, stride, 6 * k + 3), stride, c);
            const pack3      dp = matrix_columns3(row_in(w->b->places, stride, 3 * k), stride, c);
            const pack3      moment =
                pack3_add(pack3_cross(dp, pack3_of(f)), pack3_cross(pack3_of(p), df));
            x -= dn.y + moment.y + zmp.x * df.z;
            y += dn.x + moment.x - zmp.y * df.z;
        }
        pack_put(w->b->moved + c, x / weight);
        pack_put(row_of(w->b->moved, stride, 1) + c, y / weight);
    }
}

static double *next_parts(blow *w, int count)
{
    double *parts = row_of(w->slopes->parts, w->stride, w->slopes->next_part);
    memset(parts, 0, (size_t)(count * w->stride) * sizeof *parts);
    ++w->slopes->next;
    w->slopes->next_part += count;
    return parts;
}

static void slope_zmp(blow *w)
{
    const strike_support *support = &w->at->support;
    for (int i = 0; i < STRIKE_BLOW_SAMPLES; ++i) {
        double    *parts = next_parts(w, support->corner_count);
        atemi_vec3 zmp;
        if (strike_feet_zmp(w->s, &w->at->kinematics, w->outcome.wrenches[i], &zmp)) {
            vary_zmp(w, i, zmp);
            strike_support_margin_slopes(support, w->d, zmp, w->b->moved, parts);
        }
    }
}

static void slope_sole(blow *w, int foot)
{
    const strike_setup *s = w->s;
    const double        friction = (1.0 - s->task.reserve) * s->task.friction;
    for (int i = 0; i < STRIKE_BLOW_SAMPLES; ++i) {
        double *grip = next_parts(w, 2), *edges = next_parts(w, 4);
        memcpy(w->d->wrench,
               row_in(row_in(w->b->wrenches, w->rows * w->stride, i), w->stride, 6 * foot),
               (size_t)(6 * w->stride) * sizeof *w->d->wrench);
        strike_grip_slopes(s, foot, w->outcome.wrenches[i][foot], friction, w->d, grip);
        strike_edge_slopes(s, &w->at->kinematics, foot, w->d, edges);
    }
}

// ---- One blow, and all of them

// Its wrenches, and their slopes. A hand that does not come near the target has no blow.
static bool run(blow *w, atemi_blow_slopes *result)
{
    const strike_setup         *s = w->s;
    const strike_directions    *directions = &w->d->directions;
    const atemi_blow_watch      looks = {s->touch.times, STRIKE_BLOW_SAMPLES, on_sample, w};
    const atemi_blow_directions change = {.count = directions->count,
                                          .stride = w->stride,
                                          .rates = w->dv,
                                          .drift = w->b->drift,
                                          .held = w->d->tau};
    const atemi_blow_options    options =
        strike_blow_options(s, s->touch.times[STRIKE_BLOW_SAMPLES - 1]);
    atemi_blow_setting setting = strike_blow_setting(
        s, w->v, w->work->held, strike_blow_drift(s, &w->at->values, w->as.time));
    strike_case_set(s, &w->as.deviation, w->work->stiffness, w->work->damping, &setting);
    w->outcome.count = 0;
    return !atemi_blow_derivatives(&w->work->base, w->b->posture, &setting, &change, &options,
                                   &looks, &w->work->blow, w->b->blow, &w->outcome.blow, result,
                                   NULL);
}

// Everything about the posture that a blow there needs.
static bool prepare(const blow *w)
{
    const strike_setup *s = w->s;
    const atemi_ground  ground = strike_setup_ground(s);
    memset(w->b->drift, 0, (size_t)w->stride * sizeof *w->b->drift);
    if (w->d->directions.speed != ATEMI_NONE) {
        strike_case_drift(s, &w->at->values, &w->as, &w->b->drift[w->d->directions.speed]);
    }
    strike_feet_prepare(s, w->q, &w->work->feet);
    return !atemi_virtual_base_update(s->model, w->q, &ground, &s->task.point, &w->work->base,
                                      NULL) &&
           !atemi_virtual_base_derivatives_find(s->model, &ground, &s->task.point, &w->work->base,
                                                w->dq, w->d->directions.count, w->stride,
                                                w->b->posture, NULL);
}

// Of the planned blow, or of a case.
static bool slope_case(blow *w, const atemi_strike_deviation *deviation, atemi_blow_slopes *result)
{
    const size_t size = (size_t)(w->n * w->stride) * sizeof *w->b->q;
    atemi_force  motion[ATEMI_STRIKE_MAX_FEET];
    w->as = strike_case_find(&w->at->values, deviation);
    w->q = w->at->q;
    w->v = w->at->v;
    w->dq = w->d->q;
    w->dv = w->d->v;
    if (w->as.time != 0.0 || isfinite(w->s->task.friction)) {
        look_at_touch(w);
    }
    if (w->as.time != 0.0) {
        w->q = w->work->doubt_q;
        w->v = w->work->doubt_v;
        w->dq = w->b->q;
        w->dv = w->b->v;
        memcpy(w->work->doubt_q, w->work->q,
               (size_t)atemi_model_q_count(w->s->model) * sizeof *w->q);
        memcpy(w->work->doubt_v, w->work->v, (size_t)w->n * sizeof *w->v);
        memcpy(w->b->q, w->d->at_q, size);
        memcpy(w->b->v, w->d->at_v, size);
    }
    find_motion(w, motion);
    if (!prepare(w) || !run(w, result) || w->outcome.count < STRIKE_BLOW_SAMPLES) {
        return false;
    }
    add_motion(w, motion);
    slope_zmp(w);
    for (int k = 0; k < w->s->task.foot_count && isfinite(w->s->task.friction); ++k) {
        slope_sole(w, k);
    }
    return true;
}

static void find_objective(const strike_setup *s, const atemi_blow_slopes *result,
                           double *objective)
{
    for (int c = 0; c < result->stride; ++c) {
        objective[c] = s->task.peak_weight * result->peak_force[c] +
                       s->task.impulse_weight * result->impulse[c];
    }
}

bool strike_blow_slopes(const strike_setup *s, const strike_evaluation *at, strike_workspace *work,
                        strike_derivatives *d, strike_blow_derivatives *b, strike_slopes *slopes,
                        double *objective)
{
    blow                         w = {.s = s,
                                      .at = at,
                                      .work = work,
                                      .d = d,
                                      .b = b,
                                      .slopes = slopes,
                                      .n = s->v_count,
                                      .stride = d->directions.stride,
                                      .rows = 6 * s->task.foot_count};
    const atemi_strike_deviation none = {0};
    atemi_blow_slopes            result;
    strike_support_vary(s, at, d);
    find_places(&w);
    if (!slope_case(&w, &none, &result)) {
        return false;
    }
    find_objective(s, &result, objective);
    bool found = true;
    for (int i = 0; found && i < s->task.case_count; ++i) {
        found = slope_case(&w, &s->task.cases[i], &result);
    }
    return found;
}
