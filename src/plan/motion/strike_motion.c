// SPDX-License-Identifier: Apache-2.0

#include "plan/motion/strike_motion.h"

#include "atemi/base.h"
#include "atemi/model.h"
#include "plan/motion/strike_phases.h"
#include "plan/touch/strike_posture.h"

#include <math.h>
#include <string.h>

// From one instant to the next by the midpoint rule, away from the first touch in both directions.
// Against time, feet are led back by a gain below zero.

static const double foot_gain = 50.0;  // 1/s: how fast a foot is led back
static const double rough_step = 4e-3; // s: enough to see whether a motion is singular

const double strike_most_range = 0.05;
const double strike_most_part = 0.2;
const double strike_most_margin = 0.01;

// ---- Integration

static void step_on(const strike_inside *p, atemi_strike_motion *m, int from, int to)
{
    const strike_values       *x = &p->at->values;
    strike_velocity_workspace *work = &p->work->velocities;
    const double               time = atemi_strike_motion_time(m, from),
                 h = atemi_strike_motion_time(m, to) - time;
    const double *q = m->q + (size_t)from * (size_t)m->q_count;
    double       *next = m->q + (size_t)to * (size_t)m->q_count;
    double       *v = m->v + (size_t)to * (size_t)m->v_count; // scratch, until it is known
    const double  gain = copysign(foot_gain, h);
    strike_velocities_at(p->setup, x, q, time, gain, work, v);
    atemi_configuration_integrate(p->setup->model, q, v, 0.5 * h, next);
    strike_velocities_at(p->setup, x, next, time + 0.5 * h, gain, work, v);
    atemi_configuration_integrate(p->setup->model, q, v, h, next);
    strike_velocities_at(p->setup, x, next, time + h, 0.0, work, v);
}

// By differences; one-sided at both ends, which are at rest.
static void find_accelerations(atemi_strike_motion *m)
{
    for (int i = 0; i < m->count; ++i) {
        const int     before = i > 0 ? i - 1 : i, after = i + 1 < m->count ? i + 1 : i;
        const double  h = (after - before) * m->step;
        const double *v0 = m->v + (size_t)before * (size_t)m->v_count;
        const double *v1 = m->v + (size_t)after * (size_t)m->v_count;
        double       *a = m->a + (size_t)i * (size_t)m->v_count;
        for (int k = 0; k < m->v_count; ++k) {
            a[k] = (v1[k] - v0[k]) / h;
        }
    }
}

// ---- What it asks for

static bool is_fraction(atemi_strike_demand demand)
{
    return demand == ATEMI_DEMAND_SPEED || demand == ATEMI_DEMAND_EFFORT;
}

static void note(atemi_strike_motion *m, atemi_strike_demand demand, double value, int index,
                 double time)
{
    atemi_strike_peak *peak = &m->peaks[demand];
    const bool         worse = is_fraction(demand) ? value > peak->value : value < peak->value;
    if (worse || peak->index == ATEMI_NONE || isnan(value)) {
        *peak = (atemi_strike_peak){value, time, index};
    }
}

// A joint that is given beyond its limits may stay there.
static double margin_of(const strike_setup *s, const atemi_joint *joint, double q)
{
    const double given = s->task.q[joint->first_q];
    const bool   is_locked = strike_setup_is_locked(s, joint);
    const double lower =
        is_locked ? fmin(joint->limits.lower, given) : strike_setup_lower(s, joint);
    const double upper =
        is_locked ? fmax(joint->limits.upper, given) : strike_setup_upper(s, joint);
    return fmin(q - lower, upper - q);
}

static void look_at_joints(const strike_setup *s, atemi_strike_motion *m, int i)
{
    const double *q = m->q + (size_t)i * (size_t)m->q_count;
    const double *v = m->v + (size_t)i * (size_t)m->v_count;
    const double *tau = m->tau + (size_t)i * (size_t)m->v_count;
    const double  time = atemi_strike_motion_time(m, i);
    for (int j = 0; j < atemi_model_joint_count(s->model); ++j) {
        const atemi_joint *joint = atemi_model_joint(s->model, j);
        const int          k = joint->first_v;
        if (joint->v_count != 1) {
            continue;
        }
        const double effort = tau[k] + strike_joint_friction(&s->task.servo, k, v[k]);
        if (isfinite(s->task.travel_margin)) {
            note(m, ATEMI_DEMAND_POSITION, margin_of(s, joint, q[joint->first_q]), j, time);
        }
        if (isfinite(s->task.travel_margin) && isfinite(strike_setup_speed_limit(s, joint))) {
            note(m, ATEMI_DEMAND_SPEED, fabs(v[k]) / strike_setup_speed(s, joint), j, time);
        }
        if (isfinite(s->task.effort_fraction) && joint->limits.effort > 0.0) {
            note(m, ATEMI_DEMAND_EFFORT, fabs(effort) / joint->limits.effort, j, time);
        }
    }
}

static void look_at_feet(const strike_inside *p, atemi_strike_motion *m,
                         const atemi_force *wrenches, double time)
{
    const strike_setup     *s = p->setup;
    const atemi_kinematics *kinematics = &p->work->kinematics;
    atemi_vec3              zmp;
    const bool              presses = strike_feet_zmp(s, kinematics, wrenches, &zmp);
    if (isfinite(s->task.travel_margin)) {
        note(m, ATEMI_DEMAND_BALANCE,
             presses ? atemi_support_distance(&p->at->support.polygon, zmp).distance : -1.0, 0,
             time);
    }
    for (int i = 0; i < s->task.foot_count; ++i) {
        const atemi_site     *site = strike_setup_foot(s, i);
        const atemi_transform pose = atemi_link_pose_in(s->model, kinematics, site->link);
        const atemi_vec3      here = atemi_transform_apply(&pose, site->pose.position);
        const atemi_vec3      there = strike_foot_target(&p->at->values, i).position;
        m->foot_drift = fmax(m->foot_drift, atemi_vec3_norm(atemi_vec3_sub(here, there)));
        if (isfinite(s->task.travel_friction)) {
            double margins[2];
            strike_foot_grip(s, i, wrenches[i], s->task.travel_friction, margins);
            note(m, ATEMI_DEMAND_FRICTION, fmin(margins[0], margins[1]), i, time);
        }
    }
}

static void look_at_target(const strike_inside *p, atemi_strike_motion *m, const strike_cube *cube,
                           double time)
{
    const strike_setup *s = p->setup;
    for (int i = 0; i < s->balls.count; ++i) {
        const strike_ball    *ball = &s->balls.list[i];
        const atemi_transform pose = atemi_link_pose_in(s->model, &p->work->kinematics, ball->link);
        if (time <= 0.0 || !ball->strikes) {
            note(m, ATEMI_DEMAND_TARGET, strike_cube_distance(cube, ball, &pose), ball->link, time);
        }
    }
}

// With the torques, without the blow.
static void find_demands(const strike_inside *p, atemi_strike_motion *m)
{
    const strike_setup *s = p->setup;
    strike_workspace   *work = p->work;
    const strike_cube   cube = strike_cube_find(&s->task, &p->at->kinematics);
    atemi_force         wrenches[ATEMI_STRIKE_MAX_FEET];
    for (int i = 0; i < m->count; ++i) {
        const double *q = m->q + (size_t)i * (size_t)m->q_count;
        const double *v = m->v + (size_t)i * (size_t)m->v_count;
        const double *a = m->a + (size_t)i * (size_t)m->v_count;
        const double  time = atemi_strike_motion_time(m, i);
        strike_feet_of_motion(s, q, v, a, &work->feet, wrenches);
        memcpy(m->tau + (size_t)i * (size_t)m->v_count, work->feet.torques,
               (size_t)m->v_count * sizeof *m->tau);
        atemi_kinematics_update(s->model, q, NULL, NULL, &work->kinematics);
        look_at_joints(s, m, i);
        look_at_feet(p, m, wrenches, time);
        look_at_target(p, m, &cube, time);
    }
}

bool atemi_strike_motion_keeps(const atemi_strike_motion *m, atemi_strike_demand demand)
{
    const atemi_strike_peak *peak = &m->peaks[demand];
    return peak->index == ATEMI_NONE ||
           (is_fraction(demand) ? peak->value <= 1.0 : peak->value >= 0.0);
}

bool atemi_strike_motion_feasible(const atemi_strike_motion *m)
{
    bool keeps = true;
    for (int i = 0; i < ATEMI_DEMAND_COUNT; ++i) {
        keeps = keeps && atemi_strike_motion_keeps(m, (atemi_strike_demand)i);
    }
    return keeps;
}

// ---- Public

double atemi_strike_motion_time(const atemi_strike_motion *motion, int index)
{
    return (index - motion->touch) * motion->step;
}

static atemi_status allocate(atemi_strike_motion *m, atemi_error *error)
{
    const size_t rows = (size_t)m->count;
    m->q = (double *)atemi_allocate(rows * (size_t)m->q_count * sizeof(double));
    m->v = (double *)atemi_allocate(rows * (size_t)m->v_count * sizeof(double));
    m->a = (double *)atemi_allocate(rows * (size_t)m->v_count * sizeof(double));
    m->tau = (double *)atemi_allocate(rows * (size_t)m->v_count * sizeof(double));
    return m->q && m->v && m->a && m->tau
               ? ATEMI_OK
               : atemi_fail(error, ATEMI_ERROR_MEMORY, "no memory for the motion of a strike");
}

atemi_status strike_motion_make(const strike_inside *inside, double step, atemi_strike_motion *m,
                                atemi_error *error)
{
    const strike_evaluation *at = inside->at;
    const double             rise = fmax(at->values.hand_rise, at->values.body_rise);
    const double             fall = fmax(at->values.hand_fall, at->values.body_fall);
    *m = (atemi_strike_motion){.step = step,
                               .touch = (int)ceil(rise / step - 1e-9),
                               .q_count = atemi_model_q_count(inside->setup->model),
                               .v_count = inside->setup->v_count,
                               .blow_time = inside->setup->touch.times[STRIKE_BLOW_SAMPLES - 1]};
    m->count = m->touch + (int)ceil(fall / step - 1e-9) + 1;
    for (int i = 0; i < ATEMI_DEMAND_COUNT; ++i) {
        m->peaks[i].index = ATEMI_NONE;
    }
    const atemi_status status = allocate(m, error);
    if (status) {
        atemi_strike_motion_destroy(m);
        return status;
    }
    memcpy(m->q + (size_t)m->touch * (size_t)m->q_count, at->q, (size_t)m->q_count * sizeof *m->q);
    memcpy(m->v + (size_t)m->touch * (size_t)m->v_count, at->v, (size_t)m->v_count * sizeof *m->v);
    for (int i = m->touch; i > 0; --i) {
        step_on(inside, m, i, i - 1);
    }
    for (int i = m->touch; i + 1 < m->count; ++i) {
        step_on(inside, m, i, i + 1);
    }
    find_accelerations(m);
    find_demands(inside, m);
    return ATEMI_OK;
}

atemi_status atemi_strike_motion_make(atemi_strike_plan *plan, double step, atemi_strike_motion *m,
                                      atemi_error *error)
{
    const strike_inside inside = strike_plan_inside(plan);
    return strike_motion_make(&inside, step, m, error);
}

// Peaks of what is not asked for are 0. A value that is not a number exceeds.
static bool nearly_keeps(const atemi_strike_motion *m)
{
    const atemi_strike_peak *peaks = m->peaks;
    return peaks[ATEMI_DEMAND_POSITION].value >= -strike_most_range &&
           peaks[ATEMI_DEMAND_SPEED].value <= 1.0 + strike_most_part &&
           peaks[ATEMI_DEMAND_EFFORT].value <= 1.0 + strike_most_part &&
           peaks[ATEMI_DEMAND_BALANCE].value >= -strike_most_margin;
}

bool strike_motion_exists(const strike_inside *inside)
{
    atemi_strike_motion motion;
    if (strike_motion_make(inside, rough_step, &motion, NULL)) {
        return true;
    }
    const bool exists = nearly_keeps(&motion);
    atemi_strike_motion_destroy(&motion);
    return exists;
}

void atemi_strike_motion_destroy(atemi_strike_motion *m)
{
    atemi_release(m->q);
    atemi_release(m->v);
    atemi_release(m->a);
    atemi_release(m->tau);
    *m = (atemi_strike_motion){0};
}

static void blend(const double *from, double part, int n, double *result)
{
    for (int i = 0; i < n; ++i) {
        result[i] = from[i] + part * (from[n + i] - from[i]);
    }
}

void atemi_strike_motion_at(const atemi_strike_motion *m, const atemi_model *model, double time,
                            double *q, double *v, double *a, double *tau)
{
    const double at = fmax(0.0, fmin(time / m->step + m->touch, (double)(m->count - 1)));
    const int    i = at < m->count - 1 ? (int)at : m->count - 2;
    const double part = at - i;
    const size_t n = (size_t)m->v_count;
    blend(m->v + (size_t)i * n, part, m->v_count, v);
    blend(m->a + (size_t)i * n, part, m->v_count, a);
    if (tau) {
        blend(m->tau + (size_t)i * n, part, m->v_count, tau);
    }
    // The mean of the velocities up to the instant, then on to it.
    const double *v0 = m->v + (size_t)i * n;
    for (int k = 0; k < m->v_count; ++k) {
        v[k] = 0.5 * (v0[k] + v[k]);
    }
    atemi_configuration_integrate(model, m->q + (size_t)i * (size_t)m->q_count, v, part * m->step,
                                  q);
    blend(v0, part, m->v_count, v);
}
