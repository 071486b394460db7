// SPDX-License-Identifier: Apache-2.0

#include "atemi/strike_motion.h"

#include "atemi/allocator.h"
#include "atemi/configuration.h"
#include "plan/strike_feet.h"
#include "plan/strike_parts.h"
#include "plan/strike_phases.h"

#include <math.h>
#include <string.h>

// From one instant to the next by the midpoint rule, away from the first touch in both directions.
// Against time, feet are led back by a gain below zero.

static const double foot_gain = 50.0; // 1/s: how fast a foot is led back

// ---- Integration

static void step_on(strike_problem *p, atemi_strike_motion *m, int from, int to)
{
    const double time = atemi_strike_motion_time(m, from),
                 h = atemi_strike_motion_time(m, to) - time;
    const double *q = m->q + (size_t)from * (size_t)m->q_count;
    double       *next = m->q + (size_t)to * (size_t)m->q_count;
    double       *v = m->v + (size_t)to * (size_t)m->v_count; // room, until it is known
    const double  gain = copysign(foot_gain, h);
    strike_rates_at(p, q, time, gain, v);
    atemi_configuration_integrate(p->model, q, v, 0.5 * h, next);
    strike_rates_at(p, next, time + 0.5 * h, gain, v);
    atemi_configuration_integrate(p->model, q, v, h, next);
    strike_rates_at(p, next, time + h, 0.0, v);
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
static double room_of(const strike_problem *p, const atemi_joint *joint, double q)
{
    const double given = p->task.q[joint->first_q];
    const double lower =
        p->locked[joint->first_v] ? fmin(joint->limits.lower, given) : joint->limits.lower;
    const double upper =
        p->locked[joint->first_v] ? fmax(joint->limits.upper, given) : joint->limits.upper;
    return fmin(q - lower, upper - q);
}

static void look_at_joints(const strike_problem *p, atemi_strike_motion *m, int i)
{
    const double *q = m->q + (size_t)i * (size_t)m->q_count;
    const double *v = m->v + (size_t)i * (size_t)m->v_count;
    const double *tau = m->tau + (size_t)i * (size_t)m->v_count;
    const double  time = atemi_strike_motion_time(m, i);
    for (int j = 0; j < atemi_model_joint_count(p->model); ++j) {
        const atemi_joint *joint = atemi_model_joint(p->model, j);
        const int          k = joint->first_v;
        if (joint->v_count != 1) {
            continue;
        }
        const double effort = tau[k] + strike_joint_friction(&p->task.servo, k, v[k]);
        if (isfinite(p->task.travel_margin)) {
            note(m, ATEMI_DEMAND_POSITION, room_of(p, joint, q[joint->first_q]), j, time);
        }
        if (isfinite(p->task.travel_margin) && isfinite(strike_speed_limit(p, joint))) {
            note(m, ATEMI_DEMAND_SPEED, fabs(v[k]) / joint->limits.velocity, j, time);
        }
        if (isfinite(p->task.torque_part) && joint->limits.effort > 0.0) {
            note(m, ATEMI_DEMAND_EFFORT, fabs(effort) / joint->limits.effort, j, time);
        }
    }
}

static void look_at_feet(strike_problem *p, atemi_strike_motion *m, const atemi_force *wrenches,
                         double time)
{
    atemi_vec3 zmp;
    const bool presses = strike_feet_zmp(p, wrenches, &zmp);
    if (isfinite(p->task.travel_margin)) {
        note(m, ATEMI_DEMAND_BALANCE,
             presses ? atemi_support_distance(&p->support, zmp).distance : -1.0, 0, time);
    }
    for (int i = 0; i < p->task.foot_count; ++i) {
        const atemi_site     *site = atemi_model_site(p->model, p->task.feet[i]);
        const atemi_transform pose = atemi_link_pose_in(p->model, &p->kinematics, site->link);
        const atemi_vec3      at = atemi_transform_apply(&pose, site->pose.position);
        m->foot_drift =
            fmax(m->foot_drift, atemi_vec3_norm(atemi_vec3_sub(at, p->goals[i].target.position)));
        if (isfinite(p->task.travel_friction)) {
            double left[2];
            strike_foot_grip(p, i, wrenches[i], p->task.travel_friction, left);
            note(m, ATEMI_DEMAND_FRICTION, fmin(left[0], left[1]), i, time);
        }
    }
}

static void look_at_target(strike_problem *p, atemi_strike_motion *m, const double *q, double time)
{
    strike_obstacle *o = &p->obstacle;
    strike_obstacle_look(o, p->model, q);
    for (int i = 0; i < o->count; ++i) {
        if (time <= 0.0 || !o->balls[i].strikes) {
            note(m, ATEMI_DEMAND_TARGET, strike_obstacle_distance(o, p->model, i), o->balls[i].link,
                 time);
        }
    }
}

// With the torques, without the blow.
static void find_demands(strike_problem *p, atemi_strike_motion *m)
{
    atemi_force wrenches[ATEMI_STRIKE_MOST_FEET];
    strike_obstacle_place(&p->obstacle, &p->task, &p->kinematics);
    for (int i = 0; i < m->count; ++i) {
        const double *q = m->q + (size_t)i * (size_t)m->q_count;
        const double *v = m->v + (size_t)i * (size_t)m->v_count;
        const double *a = m->a + (size_t)i * (size_t)m->v_count;
        const double  time = atemi_strike_motion_time(m, i);
        strike_feet_of_motion(p, q, v, a, wrenches);
        memcpy(m->tau + (size_t)i * (size_t)m->v_count, p->tau,
               (size_t)m->v_count * sizeof *m->tau);
        atemi_kinematics_update(p->model, q, NULL, NULL, &p->kinematics);
        look_at_joints(p, m, i);
        look_at_feet(p, m, wrenches, time);
        look_at_target(p, m, q, time);
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

atemi_status atemi_strike_motion_make(atemi_strike_plan *plan, double step, atemi_strike_motion *m,
                                      atemi_error *error)
{
    strike_problem *p = strike_plan_problem(plan);
    const double    rise = fmax(p->values.hand_rise, p->values.body_rise);
    const double    fall = fmax(p->values.hand_fall, p->values.body_fall);
    *m = (atemi_strike_motion){.step = step,
                               .touch = (int)ceil(rise / step - 1e-9),
                               .q_count = atemi_model_q_count(p->model),
                               .v_count = atemi_model_v_count(p->model),
                               .blow_time = p->blow_times[STRIKE_BLOW_SAMPLES - 1]};
    m->count = m->touch + (int)ceil(fall / step - 1e-9) + 1;
    for (int i = 0; i < ATEMI_DEMAND_COUNT; ++i) {
        m->peaks[i].index = ATEMI_NONE;
    }
    const atemi_status status = allocate(m, error);
    if (status) {
        atemi_strike_motion_destroy(m);
        return status;
    }
    memcpy(m->q + (size_t)m->touch * (size_t)m->q_count, p->q, (size_t)m->q_count * sizeof *m->q);
    memcpy(m->v + (size_t)m->touch * (size_t)m->v_count, p->v, (size_t)m->v_count * sizeof *m->v);
    for (int i = m->touch; i > 0; --i) {
        step_on(p, m, i, i - 1);
    }
    for (int i = m->touch; i + 1 < m->count; ++i) {
        step_on(p, m, i, i + 1);
    }
    find_accelerations(m);
    find_demands(p, m);
    return ATEMI_OK;
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
    // The mean of the rates on the way, then on to the instant.
    const double *v0 = m->v + (size_t)i * n;
    for (int k = 0; k < m->v_count; ++k) {
        v[k] = 0.5 * (v0[k] + v[k]);
    }
    atemi_configuration_integrate(model, m->q + (size_t)i * (size_t)m->q_count, v, part * m->step,
                                  q);
    blend(v0, part, m->v_count, v);
}
