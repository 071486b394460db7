// SPDX-License-Identifier: Apache-2.0

#include "impact/striking_point.h"

#include "atemi/base.h"
#include "dynamics/data_parts.h"

#include <math.h>

// A point at r from the origin of its link, all in world axes, has
//
//   u = v + omega x r,      du/dt = a + alpha x r + omega x (omega x r)

static const double unit_tolerance = 1e-6;

// ---- Checks ---------------------------------------------------------------------------------

static atemi_status check_hand(const atemi_model *model, atemi_striking_hand hand,
                               atemi_error *error)
{
    if (hand.link < 0 || hand.link >= atemi_model_link_count(model)) {
        return atemi_fail(error, ATEMI_ERROR_INPUT, "link %d strikes, but there is no such link",
                          hand.link);
    }
    if (!atemi_vec3_is_finite(hand.point)) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "the striking point on %s is not finite: give it in m, in the link's "
                          "frame",
                          atemi_model_link(model, hand.link)->name);
    }
    return ATEMI_OK;
}

static atemi_status check_direction(atemi_vec3 direction, atemi_error *error)
{
    const double length = atemi_vec3_norm(direction);
    return fabs(length - 1.0) <= unit_tolerance
               ? ATEMI_OK
               : atemi_fail(error, ATEMI_ERROR_INPUT,
                            "the direction of the blow has the length %g: it must have length 1",
                            length);
}

atemi_status atemi_striking_point_check(const atemi_model *model, const atemi_striking_point *point,
                                        atemi_error *error)
{
    ATEMI_REQUIRE_OR(model && point, ATEMI_ERROR_CONTRACT);
    if (point->more < 0 || point->more >= ATEMI_STRIKE_MAX_HANDS) {
        return atemi_fail(error, ATEMI_ERROR_INPUT, "%d hands strike: give 1 to %d",
                          1 + point->more, ATEMI_STRIKE_MAX_HANDS);
    }
    atemi_status status = ATEMI_OK;
    for (int k = 0; k < atemi_striking_point_hands(point) && !status; ++k) {
        status = check_hand(model, atemi_striking_point_hand(point, k), error);
    }
    return status ? status : check_direction(point->direction, error);
}

// ---- Hands ----------------------------------------------------------------------------------

int atemi_striking_point_hands(const atemi_striking_point *point)
{
    ATEMI_REQUIRE_OR(point, 0);
    return 1 + point->more;
}

atemi_striking_hand atemi_striking_point_hand(const atemi_striking_point *point, int hand)
{
    const atemi_striking_hand first = {point->link, point->point};
    ATEMI_REQUIRE_OR(hand >= 0 && hand <= point->more && hand < ATEMI_STRIKE_MAX_HANDS, first);
    return hand == 0 ? first : point->others[hand - 1];
}

static atemi_vec3 arm_of(const atemi_model *model, const atemi_kinematics *kinematics,
                         const atemi_striking_hand *hand)
{
    const atemi_transform pose = atemi_link_pose_in(model, kinematics, hand->link);
    return atemi_mat3_apply(&pose.rotation, hand->point);
}

atemi_vec3 atemi_striking_point_place_in(const atemi_model          *model,
                                         const atemi_kinematics     *kinematics,
                                         const atemi_striking_point *point, int hand)
{
    const atemi_striking_hand at = atemi_striking_point_hand(point, hand);
    const atemi_transform     pose = atemi_link_pose_in(model, kinematics, at.link);
    return atemi_transform_apply(&pose, at.point);
}

double atemi_striking_point_speed_in(const atemi_model *model, const atemi_kinematics *kinematics,
                                     const atemi_striking_point *point, int hand)
{
    const atemi_striking_hand at = atemi_striking_point_hand(point, hand);
    const atemi_motion moved = atemi_motion_at(atemi_link_velocity_in(model, kinematics, at.link),
                                               arm_of(model, kinematics, &at));
    return atemi_vec3_dot(moved.linear, point->direction);
}

static double gain_of(const atemi_model *model, const atemi_kinematics *kinematics,
                      const atemi_striking_hand *hand, atemi_vec3 direction)
{
    const atemi_vec3   arm = arm_of(model, kinematics, hand);
    const atemi_vec3   omega = atemi_link_velocity_in(model, kinematics, hand->link).angular;
    const atemi_motion gain = atemi_link_acceleration_in(model, kinematics, hand->link);
    const atemi_vec3   swing = atemi_vec3_cross(omega, atemi_vec3_cross(omega, arm));
    return atemi_vec3_dot(direction, atemi_vec3_add(atemi_motion_at(gain, arm).linear, swing));
}

double atemi_striking_point_drift_in(const atemi_model *model, const atemi_kinematics *kinematics,
                                     const atemi_striking_point *point)
{
    const int hands = atemi_striking_point_hands(point);
    double    sum = 0.0;
    for (int k = 0; k < hands; ++k) {
        const atemi_striking_hand hand = atemi_striking_point_hand(point, k);
        sum += gain_of(model, kinematics, &hand, point->direction);
    }
    return sum / hands;
}

void atemi_striking_point_add_force_in(const atemi_model *model, const atemi_kinematics *kinematics,
                                       const atemi_striking_point *point, double force,
                                       atemi_force *loads)
{
    const int        hands = atemi_striking_point_hands(point);
    const atemi_vec3 each = atemi_vec3_scale(-force / hands, point->direction);
    for (int k = 0; k < hands; ++k) {
        const atemi_striking_hand hand = atemi_striking_point_hand(point, k);
        const atemi_force load = {each, atemi_vec3_cross(arm_of(model, kinematics, &hand), each)};
        loads[hand.link] = atemi_force_add(loads[hand.link], load);
    }
}

atemi_vec3 atemi_striking_point_place(const atemi_data *data, const atemi_striking_point *point,
                                      int hand)
{
    ATEMI_REQUIRE_OR(data && data->posed && point, (atemi_vec3){0});
    return atemi_striking_point_place_in(data->model, atemi_data_kinematics(data), point, hand);
}

double atemi_striking_point_speed(const atemi_data *data, const atemi_striking_point *point,
                                  int hand)
{
    ATEMI_REQUIRE_OR(data && data->posed && point, 0.0);
    return data->moving ? atemi_striking_point_speed_in(data->model, atemi_data_kinematics(data),
                                                        point, hand)
                        : 0.0;
}

double atemi_striking_point_acceleration(const atemi_data *data, const atemi_striking_point *point)
{
    ATEMI_REQUIRE_OR(data && data->moving && point, 0.0);
    ATEMI_REQUIRE_OR(data->accelerations == ATEMI_ACCELERATIONS_OF_LINKS, 0.0);
    return atemi_striking_point_drift_in(data->model, atemi_data_kinematics(data), point);
}

void atemi_striking_point_add_force(const atemi_data *data, const atemi_striking_point *point,
                                    double force, atemi_force *loads)
{
    ATEMI_REQUIRE(data && data->posed && point && loads);
    atemi_striking_point_add_force_in(data->model, atemi_data_kinematics(data), point, force,
                                      loads);
}
