// SPDX-License-Identifier: Apache-2.0

#include "plan/strike_hands.h"
#include "impact/striking_point.h"

#include <math.h>

static const char axes[] = "xyz";

// "the hand" where there is one.
static const char *name_of(const strike_problem *p, int hand)
{
    const atemi_striking_point *point = &p->task.point;
    const int                   link = atemi_striking_point_hand(point, hand).link;
    return point->more > 0 ? atemi_model_link(p->model, link)->name : "the hand";
}

static void constrain_place(strike_problem *p, int hand)
{
    const atemi_strike_hit *hit = &p->task.hits[hand];
    const atemi_vec3        at =
        atemi_striking_point_place_in(p->model, &p->kinematics, &p->task.point, hand);
    const double places[] = {at.x, at.y, at.z};
    for (int i = 0; i < 3; ++i) {
        if (isfinite(hit->tolerance[i])) {
            strike_constrain(p, places[i],
                             (strike_bounds){hit->place[i] - hit->tolerance[i],
                                             hit->place[i] + hit->tolerance[i], 0.01, "m"},
                             "place of %.60s, %c", name_of(p, hand), axes[i]);
        }
    }
}

static void constrain_aim(strike_problem *p, int hand)
{
    const int             link = atemi_striking_point_hand(&p->task.point, hand).link;
    const atemi_transform pose = atemi_link_pose_in(p->model, &p->kinematics, link);
    const atemi_vec3      axis = atemi_mat3_apply(&pose.rotation, p->task.axes[hand]);
    strike_constrain(p, atemi_vec3_dot(axis, p->task.point.direction),
                     (strike_bounds){p->task.aim, INFINITY, 0.01, "-"}, "aim of %.60s",
                     name_of(p, hand));
}

static void constrain_motion(strike_problem *p, int hand)
{
    const atemi_striking_hand at = atemi_striking_point_hand(&p->task.point, hand);
    const atemi_transform     pose = atemi_link_pose_in(p->model, &p->kinematics, at.link);
    const atemi_motion        link = atemi_link_velocity_in(p->model, &p->kinematics, at.link);
    const atemi_vec3          arm = atemi_mat3_apply(&pose.rotation, at.point);
    const atemi_vec3 speed = atemi_motion_at(link, arm).linear, n = p->task.point.direction;
    const atemi_vec3 across = atemi_vec3_sub(speed, atemi_vec3_scale(atemi_vec3_dot(speed, n), n));
    const double     sides[] = {across.x, across.y, across.z};
    const double     turns[] = {link.angular.x, link.angular.y, link.angular.z};
    for (int i = 0; i < 3; ++i) {
        strike_constrain(p, sides[i], strike_within(p->task.side_speed, 0.1, "m/s"),
                         "speed of %.60s across, %c", name_of(p, hand), axes[i]);
        strike_constrain(p, turns[i], strike_within(p->task.turn_rate, 0.1, "rad/s"),
                         "turning of %.60s about %c", name_of(p, hand), axes[i]);
    }
}

// Both touch what they hit at the same time.
static void constrain_lead(strike_problem *p)
{
    const atemi_striking_point *point = &p->task.point;
    const atemi_vec3 first = atemi_striking_point_place_in(p->model, &p->kinematics, point, 0);
    const atemi_vec3 second = atemi_striking_point_place_in(p->model, &p->kinematics, point, 1);
    strike_constrain(p, atemi_vec3_dot(atemi_vec3_sub(second, first), point->direction),
                     strike_within(p->task.lead, 0.01, "m"), "lead of %.60s", name_of(p, 1));
}

void strike_constrain_hands(strike_problem *p)
{
    for (int hand = 0; hand < atemi_striking_point_hands(&p->task.point); ++hand) {
        constrain_place(p, hand);
        constrain_aim(p, hand);
        constrain_motion(p, hand);
    }
    if (p->task.point.more > 0) {
        constrain_lead(p);
    }
}
