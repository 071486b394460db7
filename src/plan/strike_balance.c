// SPDX-License-Identifier: Apache-2.0

#include "plan/strike_balance.h"

#include <math.h>
#include <string.h>

// While the goals rise and fall, each is its value V at first touch times the cubic s from 0 to 1
// with level ends; with u = (t + T) / T from 0 to 1 (after the blow the same, backwards),
//
//   s = 3 u^2 - 2 u^3,   ds/dt = 6 u (1 - u) / T,   integral from 0 to u of s dt = T (u^3 - u^4 /
//   2)
//
// so that centre of mass, momenta and their rates are known, and with them the ZMP:
//
//   x = (M g G_x - dL_y/dt) / (M g + dP_z/dt),   y = (M g G_y + dL_x/dt) / (M g + dP_z/dt)   eq. 1
//
// with angular momenta about the origin on the floor. At first touch all these rates are zero, so
// that during the blow only what changes by it moves the ZMP away from below the centre of mass.

static const double zmp_scale = 0.01, force_scale = 10.0, moment_scale = 1.0; // m, N, N m

void strike_find_support(strike_problem *p)
{
    int count = 0;
    for (int i = 0; i < p->task.foot_count; ++i) {
        const atemi_site     *site = atemi_model_site(p->model, p->task.feet[i]);
        const atemi_transform pose = atemi_link_pose(p->model, &p->kinematics, site->link);
        count += atemi_site_corners(site, &pose, p->corners + count);
    }
    p->support = atemi_support_polygon(NULL, p->corners, count, p->corners);
}

// ---- The blow

typedef struct blow_watch {
    strike_problem *problem;
    int             count; ///< samples so far
    double          margins[STRIKE_BLOW_SAMPLES];
    double          grips[STRIKE_BLOW_SAMPLES][ATEMI_STRIKE_MOST_FEET]; ///< mu F_n - F_t, N
    double          edges[STRIKE_BLOW_SAMPLES][ATEMI_STRIKE_MOST_FEET]; ///< see edge_moment()
} blow_watch;

// What the pressure under a foot lacks before it tips over its nearest edge, as a moment: its force
// times the distance of its centre to that edge less the margin, N m.
static double edge_moment(const strike_problem *p, int foot, atemi_force wrench)
{
    const atemi_site     *site = atemi_model_site(p->model, p->task.feet[foot]);
    const atemi_transform pose = atemi_link_pose(p->model, &p->kinematics, site->link);
    const atemi_vec3      arm = atemi_mat3_apply(&pose.rotation, site->pose.position);
    const atemi_force     here = atemi_force_at(wrench, arm);
    const double          margin = p->task.edge_margin, push = here.linear.z;
    const double          x = (0.5 * site->size_x - margin) * push - fabs(here.angular.y);
    const double          y = (0.5 * site->size_y - margin) * push - fabs(here.angular.x);
    return fmin(x, y);
}

// What is left of friction, N: a push and a turning of the sole need it together, the turning at
// the distance of its corners.
static double grip_of(const strike_problem *p, int foot, atemi_force wrench)
{
    const atemi_site *site = atemi_model_site(p->model, p->task.feet[foot]);
    const double      radius = 0.5 * hypot(site->size_x, site->size_y);
    return p->task.friction * wrench.linear.z - hypot(wrench.linear.x, wrench.linear.y) -
           fabs(wrench.angular.z) / radius;
}

// What is left of friction and of the soles at each foot: torques that hold the robot up press, and
// the blow's come on top.
static void look_at_feet(strike_problem *p, const atemi_blow_sample *sample, double *grips,
                         double *edges)
{
    const atemi_strike_task *task = &p->task;
    const atemi_transform    pose = atemi_link_pose(p->model, &p->kinematics, task->hand_link);
    const atemi_vec3         push = atemi_vec3_scale(-sample->force, task->direction);
    const atemi_vec3         arm = atemi_mat3_apply(&pose.rotation, task->hand_point);
    atemi_force              wrenches[ATEMI_STRIKE_MOST_FEET];
    int                      links[ATEMI_STRIKE_MOST_FEET];
    for (int i = 0; i < task->foot_count; ++i) {
        links[i] = atemi_model_site(p->model, task->feet[i])->link;
    }
    memset(p->loads, 0, (size_t)atemi_model_link_count(p->model) * sizeof *p->loads);
    p->loads[task->hand_link] = (atemi_force){push, atemi_vec3_cross(arm, push)};
    for (int i = 0; i < p->base.count; ++i) {
        p->tau[i] = i < p->base.base_count ? 0.0 : p->rest[i] + sample->torques[i];
    }
    atemi_ground_wrenches(p->model, p->q, NULL, sample->accelerations, p->tau, p->loads, links,
                          task->foot_count, &p->ground, wrenches);
    for (int i = 0; i < task->foot_count; ++i) {
        grips[i] = grip_of(p, i, wrenches[i]);
        edges[i] = edge_moment(p, i, wrenches[i]);
    }
}

static void on_sample(void *context, const atemi_blow_sample *sample)
{
    blow_watch                *watch = (blow_watch *)context;
    strike_problem            *p = watch->problem;
    const atemi_strike_task   *task = &p->task;
    const atemi_striking_point hand = {task->hand_link, task->hand_point, task->direction};
    atemi_vec3                 zmp = {INFINITY, 0.0, 0.0};
    double                    *margin = &watch->margins[watch->count];
    const bool presses = atemi_blow_zmp(p->model, p->q, p->weights, sample->accelerations, &hand,
                                        sample->force, NULL, &p->kinematics, &zmp);
    *margin = presses ? atemi_support_distance(&p->support, zmp).distance : -1.0;
    if (isfinite(task->friction)) {
        look_at_feet(p, sample, watch->grips[watch->count], watch->edges[watch->count]);
    }
    ++watch->count;
}

// While hand and target touch, for about T, the reference has begun to slow down. With u = T over
// the time that it takes for it, the mean of what the hand's speed V has lost meanwhile is
// V (u^2 - u^3 / 2), as under the constant deceleration
//
//   b = 2 V (u^2 - u^3 / 2) / T
static double find_drift(const strike_problem *p)
{
    const double T = fmin(p->touch_time, p->values.hand_fall), u = T / p->values.hand_fall;
    return -2.0 * p->values.speed * (u * u - 0.5 * u * u * u) / T;
}

static void run_blow(strike_problem *p, blow_watch *watch)
{
    const atemi_strike_task   *task = &p->task;
    const atemi_striking_point hand = {task->hand_link, task->hand_point, task->direction};
    int                        links[ATEMI_STRIKE_MOST_FEET];
    atemi_ground               ground = atemi_ground_default();
    atemi_blow_setting         setting = atemi_blow_setting_default();
    atemi_blow_options         options = atemi_blow_options_default();
    const atemi_blow_watch     looks = {p->blow_times, STRIKE_BLOW_SAMPLES, on_sample, watch};
    for (int i = 0; i < task->foot_count; ++i) {
        links[i] = atemi_model_site(p->model, task->feet[i])->link;
    }
    ground.links = links;
    ground.count = task->foot_count;
    setting.rates = p->v;
    setting.drift = find_drift(p);
    setting.servo = task->servo;
    setting.surface = task->surface;
    setting.target = task->target;
    options.duration = p->blow_times[STRIKE_BLOW_SAMPLES - 1];
    options.past_release = true;
    options.way = task->surface.law == ATEMI_BLOW_OTHER_LAW ? ATEMI_BLOW_RK4 : ATEMI_BLOW_EXACT;
    p->blow = (atemi_blow_result){0};
    memset(p->weights, 0, (size_t)p->base.count * sizeof *p->weights); // no rates, for the ZMP
    if (!atemi_virtual_base_update(p->model, p->q, &ground, &hand, &p->base, NULL)) {
        atemi_blow(&p->base, &setting, &options, &looks, &p->scratch, &p->blow, NULL);
    }
}

void strike_constrain_blow(strike_problem *p)
{
    const atemi_strike_task *task = &p->task;
    blow_watch               watch = {.problem = p};
    run_blow(p, &watch);
    p->impact_margin = INFINITY;
    for (int i = 0; i < STRIKE_BLOW_SAMPLES; ++i) {
        const double  margin = i < watch.count ? watch.margins[i] : -1.0;
        strike_bounds bounds = {task->impact_margin, INFINITY, zmp_scale, "m"};
        strike_constrain(p, margin, bounds, "ZMP in the blow at %.3g ms", 1e3 * p->blow_times[i]);
        p->impact_margin = fmin(p->impact_margin, margin);
    }
    for (int k = 0; k < task->foot_count && isfinite(task->friction); ++k) {
        const char *name = atemi_model_site(p->model, task->feet[k])->name;
        for (int i = 0; i < STRIKE_BLOW_SAMPLES; ++i) {
            const double at = 1e3 * p->blow_times[i];
            strike_constrain(p, i < watch.count ? watch.grips[i][k] : -1.0,
                             (strike_bounds){0.0, INFINITY, force_scale, "N"},
                             "friction of %.40s at %.3g ms", name, at);
            strike_constrain(p, i < watch.count ? watch.edges[i][k] : -1.0,
                             (strike_bounds){0.0, INFINITY, moment_scale, "N m"},
                             "edge of %.40s at %.3g ms", name, at);
        }
    }
}

// ---- Before and after

// The distance of the ZMP to the edge, u of the way from rest to first touch, which takes T; `sign`
// is -1 after the blow, where time runs back.
static double phase_margin(const strike_problem *p, double u, double T, double sign)
{
    const strike_values *x = &p->values;
    const atemi_vec3     g = atemi_model_gravity(p->model);
    const double         weight = -atemi_model_mass(p->model) * g.z;
    const double         slope = sign * 6.0 * u * (1.0 - u) / T;
    const double         way = sign * T * (0.5 - (u * u * u - 0.5 * u * u * u * u));
    const double         down = weight + x->lift * slope;
    const atemi_vec3     zmp = {(weight * (p->com.x - x->com_x * way) - x->pitch * slope) / down,
                                (weight * (p->com.y - x->com_y * way) + x->roll * slope) / down, 0.0};
    return down > 0.0 ? atemi_support_distance(&p->support, zmp).distance : -1.0;
}

void strike_constrain_phases(strike_problem *p)
{
    const struct {
        const char *name;
        double      T, sign;
    } phases[] = {{"gathering speed", p->values.body_rise, 1.0},
                  {"slowing down", p->values.body_fall, -1.0}};
    p->motion_margin = INFINITY;
    for (int k = 0; k < 2; ++k) {
        for (int i = 0; i < STRIKE_PHASE_SAMPLES; ++i) {
            const double u = (double)i / (STRIKE_PHASE_SAMPLES - 1);
            const double margin = phase_margin(p, u, phases[k].T, phases[k].sign);
            strike_constrain(p, margin,
                             (strike_bounds){p->task.motion_margin, INFINITY, zmp_scale, "m"},
                             "ZMP while %s, %d/%d", phases[k].name, i, STRIKE_PHASE_SAMPLES - 1);
            p->motion_margin = fmin(p->motion_margin, margin);
        }
    }
}
