// SPDX-License-Identifier: Apache-2.0

#include "plan/touch/strike_hands.h"
#include "impact/striking_point.h"

#include <math.h>

static void constrain_place(const atemi_strike_task *task, const atemi_kinematics *kinematics,
                            int hand, strike_rows *rows)
{
    const atemi_strike_hit *hit = &task->hits[hand];
    const atemi_vec3        at =
        atemi_striking_point_place_in(task->model, kinematics, &task->point, hand);
    const double places[] = {at.x, at.y, at.z};
    for (int i = 0; i < 3; ++i) {
        if (isfinite(hit->tolerance[i])) {
            strike_constrain(rows, strike_about(ATEMI_CONSTRAIN_HAND_PLACE, hand, i, "m"),
                             (strike_bounds){hit->place[i] - hit->tolerance[i],
                                             hit->place[i] + hit->tolerance[i], 0.01},
                             places[i]);
        }
    }
}

static void constrain_aim(const atemi_strike_task *task, const atemi_kinematics *kinematics,
                          int hand, strike_rows *rows)
{
    const int             link = atemi_striking_point_hand(&task->point, hand).link;
    const atemi_transform pose = atemi_link_pose_in(task->model, kinematics, link);
    const atemi_vec3      axis = atemi_mat3_apply(&pose.rotation, task->axes[hand]);
    strike_constrain(rows, strike_about(ATEMI_CONSTRAIN_HAND_AIM, hand, 0, NULL),
                     strike_at_least(task->aim, 0.01), atemi_vec3_dot(axis, task->point.direction));
}

static void constrain_motion(const atemi_strike_task *task, const atemi_kinematics *kinematics,
                             int hand, strike_rows *rows)
{
    const atemi_striking_hand at = atemi_striking_point_hand(&task->point, hand);
    const atemi_transform     pose = atemi_link_pose_in(task->model, kinematics, at.link);
    const atemi_motion        link = atemi_link_velocity_in(task->model, kinematics, at.link);
    const atemi_vec3          arm = atemi_mat3_apply(&pose.rotation, at.point);
    const atemi_vec3          speed = atemi_motion_at(link, arm).linear, n = task->point.direction;
    const atemi_vec3 across = atemi_vec3_sub(speed, atemi_vec3_scale(atemi_vec3_dot(speed, n), n));
    const double     sides[] = {across.x, across.y, across.z};
    const double     rotations[] = {link.angular.x, link.angular.y, link.angular.z};
    for (int i = 0; i < 3; ++i) {
        strike_constrain(rows, strike_about(ATEMI_CONSTRAIN_HAND_SIDE_SPEED, hand, i, "m/s"),
                         strike_within(task->side_speed, 0.1), sides[i]);
        strike_constrain(rows, strike_about(ATEMI_CONSTRAIN_HAND_ROTATION, hand, i, "rad/s"),
                         strike_within(task->angular_speed, 0.1), rotations[i]);
    }
}

// Both touch what they hit at the same time.
static void constrain_lead(const atemi_strike_task *task, const atemi_kinematics *kinematics,
                           strike_rows *rows)
{
    const atemi_striking_point *point = &task->point;
    const atemi_vec3 first = atemi_striking_point_place_in(task->model, kinematics, point, 0);
    const atemi_vec3 second = atemi_striking_point_place_in(task->model, kinematics, point, 1);
    strike_constrain(rows, strike_about(ATEMI_CONSTRAIN_HAND_LEAD, 1, 0, "m"),
                     strike_within(task->lead, 0.01),
                     atemi_vec3_dot(atemi_vec3_sub(second, first), point->direction));
}

void strike_constrain_hands(const atemi_strike_task *task, const atemi_kinematics *kinematics,
                            strike_rows *rows)
{
    for (int hand = 0; hand < atemi_striking_point_hands(&task->point); ++hand) {
        constrain_place(task, kinematics, hand, rows);
        constrain_aim(task, kinematics, hand, rows);
        constrain_motion(task, kinematics, hand, rows);
    }
    if (task->point.more > 0) {
        constrain_lead(task, kinematics, rows);
    }
}
