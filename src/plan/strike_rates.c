// SPDX-License-Identifier: Apache-2.0

#include "atemi/kinematics.h"
#include "atemi/quaternion.h"
#include "plan/strike_problem.h"

// [STRIKE] eq. 5-12: each hand goes along the direction and does not turn; P_z, L_x, L_y about the
// origin on the floor, and the centre of mass along x and y, as decided; the feet stay. Of all
// rates that do, those that keep away from the joints' limits.

// How a foot goes back to its place.
static atemi_motion return_of(const strike_problem *p, int foot, double gain)
{
    const atemi_site      *site = atemi_model_site(p->model, p->task.feet[foot]);
    const atemi_transform  link = atemi_link_pose(p->rates.data, site->link);
    const atemi_transform  here = atemi_transform_compose(&link, &site->pose);
    const atemi_transform *there = &p->goals[foot].target;
    const atemi_mat3       back = atemi_mat3_transposed(&here.rotation);
    const atemi_mat3       turn = atemi_mat3_multiply(&there->rotation, &back);
    const atemi_vec3       off = atemi_quaternion_log(atemi_quaternion_from_matrix(&turn));
    return (atemi_motion){atemi_vec3_scale(gain, atemi_vec3_sub(there->position, here.position)),
                          atemi_vec3_scale(gain, off)};
}

static void add_hands(strike_problem *p, double speed)
{
    const atemi_striking_point *point = &p->task.point;
    const atemi_motion          goal = {.linear = atemi_vec3_scale(speed, point->direction)};
    for (int k = 0; k < atemi_striking_point_hands(point); ++k) {
        const atemi_striking_hand hand = atemi_striking_point_hand(point, k);
        atemi_rate_goals_add_frame(p->model, hand.link, hand.point, ATEMI_AXES_ALL, goal,
                                   &p->rates);
    }
}

int strike_add_goals(strike_problem *p, const double *q, double hand_part, double body_part,
                     double foot_gain)
{
    const atemi_strike_task *task = &p->task;
    const strike_values     *x = &p->values;
    atemi_rate_goals        *goals = &p->rates;
    const atemi_vec3         origin = {0.0, 0.0, 0.0};
    const atemi_force        momentum = {{0.0, 0.0, body_part * x->lift},
                                         {body_part * x->roll, body_part * x->pitch, 0.0}};
    const atemi_vec3         com = {body_part * x->com_x, body_part * x->com_y, 0.0};
    atemi_rate_goals_begin(p->model, q, goals);
    add_hands(p, hand_part * x->speed);
    const int hand_rows = goals->count;
    atemi_rate_goals_add_momentum(
        p->model, origin, ATEMI_AXIS_Z | ATEMI_AXIS_TURN_X | ATEMI_AXIS_TURN_Y, momentum, goals);
    atemi_rate_goals_add_center_of_mass(p->model, ATEMI_AXIS_X | ATEMI_AXIS_Y, com, goals);
    for (int i = 0; i < task->foot_count; ++i) {
        const atemi_site  *site = atemi_model_site(p->model, task->feet[i]);
        const atemi_motion back = foot_gain != 0.0 ? return_of(p, i, foot_gain) : (atemi_motion){0};
        atemi_rate_goals_add_frame(p->model, site->link, site->pose.position, ATEMI_AXES_ALL, back,
                                   goals);
    }
    return hand_rows;
}

void strike_rates_at(strike_problem *p, const double *q, double time, double foot_gain, double *v)
{
    const strike_values *x = &p->values;
    strike_add_goals(p, q, strike_part_at(time, x->hand_rise, x->hand_fall),
                     strike_part_at(time, x->body_rise, x->body_fall), foot_gain);
    atemi_limit_weights(p->model, q, p->weights);
    atemi_rate_goals_solve(&p->rates, p->weights, v);
}

void strike_find_rates(strike_problem *p)
{
    strike_find_shares(p, p->q, &p->shares);
    for (int i = 0; i < p->base.count; ++i) {
        p->v[i] = p->shares.hand[i] + p->shares.body[i];
    }
}
