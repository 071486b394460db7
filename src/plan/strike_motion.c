// SPDX-License-Identifier: Apache-2.0

#include "atemi/strike_motion.h"

#include "atemi/allocator.h"
#include "atemi/configuration.h"
#include "plan/strike_parts.h"

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

// ---- What it asks of the robot

static void look_at_joints(const strike_problem *p, atemi_strike_motion *m, const double *q,
                           const double *v, const double *tau)
{
    for (int j = 0; j < atemi_model_joint_count(p->model); ++j) {
        const atemi_joint *joint = atemi_model_joint(p->model, j);
        if (joint->v_count == 1) {
            const double at = q[joint->first_q];
            m->limit = fmin(m->limit, fmin(at - joint->limits.lower, joint->limits.upper - at));
            m->speed = fmax(m->speed, fabs(v[joint->first_v]) / joint->limits.velocity);
            m->torque = fmax(m->torque, fabs(tau[joint->first_v]) / joint->limits.effort);
        }
    }
}

static void look_at_feet(strike_problem *p, atemi_strike_motion *m)
{
    for (int i = 0; i < p->task.foot_count; ++i) {
        const atemi_site     *site = atemi_model_site(p->model, p->task.feet[i]);
        const atemi_transform pose = atemi_link_pose(p->model, &p->kinematics, site->link);
        const atemi_vec3      at = atemi_transform_apply(&pose, site->pose.position);
        m->foot_drift =
            fmax(m->foot_drift, atemi_vec3_norm(atemi_vec3_sub(at, p->goals[i].target.position)));
    }
}

static void find_torques(strike_problem *p, atemi_strike_motion *m)
{
    atemi_stance_point points[STRIKE_MOST_CORNERS];
    atemi_vec3         forces[STRIKE_MOST_CORNERS], places[STRIKE_MOST_CORNERS];
    atemi_force        pushes[STRIKE_MOST_CORNERS];
    const int          count = strike_stance_points(p, points);
    for (int i = 0; i < m->count; ++i) {
        const double *q = m->q + (size_t)i * (size_t)m->q_count;
        const double *v = m->v + (size_t)i * (size_t)m->v_count;
        const double *a = m->a + (size_t)i * (size_t)m->v_count;
        double       *tau = m->tau + (size_t)i * (size_t)m->v_count;
        atemi_vec3    zmp = {0.0, 0.0, 0.0};
        atemi_stance_dynamics(p->model, q, v, a, NULL, points, count, &p->stance, tau, forces);
        atemi_kinematics_update(p->model, q, NULL, NULL, &p->kinematics);
        look_at_joints(p, m, q, v, tau);
        look_at_feet(p, m);
        for (int k = 0; k < count; ++k) {
            const atemi_transform pose = atemi_link_pose(p->model, &p->kinematics, points[k].link);
            places[k] = atemi_transform_apply(&pose, points[k].point);
            pushes[k] = (atemi_force){.linear = forces[k]};
        }
        const bool   presses = atemi_center_of_pressure(NULL, places, pushes, count, &zmp);
        const double margin = atemi_support_distance(&p->support, zmp).distance;
        m->margin = fmin(m->margin, presses ? margin : -1.0);
    }
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
                               .limit = INFINITY,
                               .margin = INFINITY,
                               .blow_time = p->blow_times[STRIKE_BLOW_SAMPLES - 1]};
    m->count = m->touch + (int)ceil(fall / step - 1e-9) + 1;
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
    find_torques(p, m);
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
