// SPDX-License-Identifier: Apache-2.0

#include "atemi/interpolation.h"
#include "atemi/quaternion.h"
#include "plan/strike_problem.h"

// [STRIKE] eq. 5-12: the hand goes along the direction and does not turn; P_z, L_x, L_y about the
// origin on the floor, and the centre of mass along x and y, as decided; the feet stay. Of all
// rates that do, those that keep away from the joints' limits.

// How a foot goes back to its place.
static atemi_motion return_of(const strike_problem *p, int foot, double gain)
{
    const atemi_site     *site = atemi_model_site(p->model, p->task.feet[foot]);
    const atemi_transform link =
        atemi_link_pose(p->model, &p->rates.momentum.kinematics, site->link);
    const atemi_transform  here = atemi_transform_compose(&link, &site->pose);
    const atemi_transform *there = &p->goals[foot].target;
    const atemi_mat3       back = atemi_mat3_transposed(&here.rotation);
    const atemi_mat3       turn = atemi_mat3_multiply(&there->rotation, &back);
    const atemi_vec3       off = atemi_quaternion_log(atemi_quaternion_from_matrix(&turn));
    return (atemi_motion){atemi_vec3_scale(gain, atemi_vec3_sub(there->position, here.position)),
                          atemi_vec3_scale(gain, off)};
}

static void add_goals(strike_problem *p, const double *q, double speed, const double momenta[5],
                      double foot_gain, atemi_rate_goals *goals)
{
    const atemi_strike_task *task = &p->task;
    const atemi_vec3         origin = {0.0, 0.0, 0.0};
    const atemi_motion       hand = {atemi_vec3_scale(speed, task->direction), origin};
    const atemi_force        momentum = {{0.0, 0.0, momenta[0]}, {momenta[1], momenta[2], 0.0}};
    const atemi_vec3         com = {momenta[3], momenta[4], 0.0};
    atemi_rate_goals_begin(p->model, q, goals);
    atemi_rate_goals_add_frame(p->model, task->hand_link, task->hand_point, ATEMI_AXES_ALL, hand,
                               goals);
    atemi_rate_goals_add_momentum(
        p->model, origin, ATEMI_AXIS_Z | ATEMI_AXIS_TURN_X | ATEMI_AXIS_TURN_Y, momentum, goals);
    atemi_rate_goals_add_center_of_mass(p->model, ATEMI_AXIS_X | ATEMI_AXIS_Y, com, goals);
    for (int i = 0; i < task->foot_count; ++i) {
        const atemi_site *site = atemi_model_site(p->model, task->feet[i]);
        atemi_rate_goals_add_frame(p->model, site->link, site->pose.position, ATEMI_AXES_ALL,
                                   return_of(p, i, foot_gain), goals);
    }
}

// Of a goal's value at first touch, the part at a time, which rises from rest within `rise` and
// falls to rest within `fall`.
static double part_of(double time, double rise, double fall)
{
    if (time <= -rise || time >= fall) {
        return 0.0;
    }
    return time < 0.0 ? atemi_cubic_rest_at(0.0, 1.0, rise, time + rise).position
                      : atemi_cubic_rest_at(1.0, 0.0, fall, time).position;
}

void strike_rates_at(strike_problem *p, const double *q, double time, double foot_gain, double *v)
{
    const strike_values *x = &p->values;
    const double         hand = part_of(time, x->hand_rise, x->hand_fall);
    const double         body = part_of(time, x->body_rise, x->body_fall);
    const double momenta[5] = {body * x->lift, body * x->roll, body * x->pitch, body * x->com_x,
                               body * x->com_y};
    add_goals(p, q, hand * x->speed, momenta, foot_gain, &p->rates);
    atemi_limit_weights(p->model, q, p->weights);
    atemi_rate_goals_solve(&p->rates, p->weights, v);
}

void strike_find_rates(strike_problem *p)
{
    strike_rates_at(p, p->q, 0.0, 0.0, p->v);
}
