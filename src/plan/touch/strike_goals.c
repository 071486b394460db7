// SPDX-License-Identifier: Apache-2.0

#include "plan/touch/strike_goals.h"

#include "atemi/math.h"
#include "dynamics/data_parts.h"
#include "plan/touch/strike_posture.h"

#include <math.h>

// [STRIKE] eq. 5-12: each hand goes along the direction and does not rotate, unless the task lets
// it rotate as it likes; P_z, L_x, L_y about the origin on the floor, and the centre of mass along
// x and y, as decided; the feet stay. Of all joint velocities that do, those that keep away from
// the joints' limits.

// How a foot goes back to its place.
static atemi_motion return_of(const strike_setup *s, const strike_values *x, int foot, double gain,
                              const atemi_kinematics *kinematics)
{
    const atemi_site     *site = strike_setup_foot(s, foot);
    const atemi_transform link = atemi_link_pose_in(s->model, kinematics, site->link);
    const atemi_transform here = atemi_transform_compose(&link, &site->pose);
    const atemi_transform there = strike_foot_target(x, foot);
    const atemi_mat3      back = atemi_mat3_transposed(&here.rotation);
    const atemi_mat3      rotation = atemi_mat3_multiply(&there.rotation, &back);
    const atemi_vec3      off = atemi_quaternion_log(atemi_quaternion_from_matrix(&rotation));
    return (atemi_motion){atemi_vec3_scale(gain, atemi_vec3_sub(there.position, here.position)),
                          atemi_vec3_scale(gain, off)};
}

static void add_hands(const strike_setup *s, double speed, atemi_velocity_goals *goals)
{
    const atemi_striking_point *point = &s->task.point;
    const atemi_motion          goal = {.linear = atemi_vec3_scale(speed, point->direction)};
    for (int k = 0; k < atemi_striking_point_hands(point); ++k) {
        const atemi_striking_hand hand = atemi_striking_point_hand(point, k);
        atemi_velocity_goals_add_frame(
            s->model, hand.link, hand.point,
            strike_goals_of_hand(s) == 6 ? ATEMI_AXES_ALL : ATEMI_AXES_LINEAR, goal, goals);
    }
}

static void add_body(const strike_setup *s, const strike_values *x, double fraction,
                     atemi_velocity_goals *goals)
{
    const atemi_vec3  origin = {0.0, 0.0, 0.0};
    const atemi_force momentum = {{0.0, 0.0, fraction * x->lift},
                                  {fraction * x->roll, fraction * x->pitch, 0.0}};
    const atemi_vec3  com = {fraction * x->com_x, fraction * x->com_y, 0.0};
    atemi_velocity_goals_add_momentum(s->model, origin,
                                      ATEMI_AXIS_Z | ATEMI_AXIS_ANGULAR_X | ATEMI_AXIS_ANGULAR_Y,
                                      momentum, goals);
    atemi_velocity_goals_add_center_of_mass(s->model, ATEMI_AXIS_X | ATEMI_AXIS_Y, com, goals);
}

int strike_goals_of_hand(const strike_setup *s)
{
    return isfinite(s->task.angular_speed) ? 6 : 3;
}

int strike_goals_count(const strike_setup *s)
{
    const int hands = atemi_striking_point_hands(&s->task.point);
    return STRIKE_BODY_GOALS + strike_goals_of_hand(s) * hands + 6 * s->task.foot_count;
}

int strike_goals_set(const strike_setup *s, const strike_values *x, const double *q,
                     double hand_fraction, double body_fraction, double foot_gain,
                     atemi_velocity_goals *goals)
{
    atemi_velocity_goals_begin(s->model, q, goals);
    add_hands(s, hand_fraction * x->speed, goals);
    const int hand_rows = goals->count;
    add_body(s, x, body_fraction, goals);
    for (int i = 0; i < s->task.foot_count; ++i) {
        const atemi_motion back =
            foot_gain != 0.0 ? return_of(s, x, i, foot_gain, atemi_data_kinematics(goals->data))
                             : (atemi_motion){0};
        atemi_velocity_goals_add_frame(s->model, s->foot_links[i],
                                       strike_setup_foot(s, i)->pose.position, ATEMI_AXES_ALL, back,
                                       goals);
    }
    return hand_rows;
}
