// SPDX-License-Identifier: Apache-2.0

#include "impact/blow_zmp.h"

#include "atemi/base.h"
#include "atemi/kinematics.h"
#include "dynamics/data_parts.h"
#include "impact/striking_point.h"

// A link of mass m and inertia I, its centre of mass at r from its origin, has the momentum rates
//
//   dP/dt = m (a + alpha x r + omega x (omega x r)),    dL/dt = I alpha + omega x I omega
//
// and about the robot's centre of mass x_g the moment (x_i - x_g) x dP/dt beside. The ground gives
// what gravity and the hand do not: atemi_zmp_from_momentum() with the rates less the force -f n on
// the hand, or half of it on each of two.

static atemi_vec3 turned(const atemi_inertia *inertia, const atemi_mat3 *rotation, atemi_vec3 x)
{
    const atemi_vec3 local = atemi_mat3_apply_transposed(rotation, x);
    return atemi_mat3_apply(rotation, atemi_symmetric3_apply(&inertia->rotational, local));
}

static atemi_force link_rate(const atemi_model *model, const atemi_kinematics *k, int link,
                             atemi_vec3 about)
{
    const atemi_inertia  *inertia = &atemi_model_link(model, link)->inertia;
    const atemi_transform pose = atemi_link_pose_in(model, k, link);
    const atemi_motion    v = atemi_link_velocity_in(model, k, link);
    const atemi_motion    a = atemi_link_acceleration_in(model, k, link);
    const atemi_vec3      r = atemi_mat3_apply(&pose.rotation, inertia->com), w = v.angular;
    const atemi_vec3      bend = atemi_vec3_cross(w, atemi_vec3_cross(w, r));
    const atemi_vec3      speedup = atemi_vec3_add(atemi_vec3_cross(a.angular, r), bend);
    const atemi_vec3      spin = turned(inertia, &pose.rotation, w);

    atemi_force rate;
    rate.linear = atemi_vec3_scale(inertia->mass, atemi_vec3_add(a.linear, speedup));
    rate.angular =
        atemi_vec3_add(turned(inertia, &pose.rotation, a.angular), atemi_vec3_cross(w, spin));
    const atemi_vec3 arm = atemi_vec3_sub(atemi_vec3_add(pose.position, r), about);
    rate.angular = atemi_vec3_add(rate.angular, atemi_vec3_cross(arm, rate.linear));
    return rate;
}

// What the hands do to the target, with its moment.
static atemi_force blow_force(const atemi_model *model, const atemi_kinematics *k,
                              const atemi_striking_point *point, double force, atemi_vec3 about)
{
    const int        hands = atemi_striking_point_hands(point);
    const atemi_vec3 push = atemi_vec3_scale(force / hands, point->direction);
    atemi_force      sum = {0};
    for (int i = 0; i < hands; ++i) {
        const atemi_vec3 at = atemi_striking_point_place_in(model, k, point, i);
        const atemi_vec3 moment = atemi_vec3_cross(atemi_vec3_sub(at, about), push);
        sum = atemi_force_add(sum, (atemi_force){push, moment});
    }
    return sum;
}

// At kinematics with velocities and accelerations.
static bool find_zmp(const atemi_model *model, const atemi_kinematics *kinematics,
                     const atemi_striking_point *point, double force,
                     const atemi_support_plane *plane, atemi_vec3 *zmp)
{
    const atemi_vec3 center = atemi_center_of_mass_in(model, kinematics);
    atemi_force      rate = {0};
    for (int i = 0; i < atemi_model_link_count(model); ++i) {
        rate = atemi_force_add(rate, link_rate(model, kinematics, i, center));
    }
    rate = atemi_force_add(rate, blow_force(model, kinematics, point, force, center));
    return atemi_zmp_from_momentum(plane, atemi_model_mass(model), atemi_model_gravity(model),
                                   center, rate, zmp);
}

bool atemi_blow_zmp_in(const atemi_model *model, const double *q, const double *v, const double *a,
                       const atemi_striking_point *point, double force,
                       const atemi_support_plane *plane, atemi_kinematics *kinematics,
                       atemi_vec3 *zmp)
{
    ATEMI_REQUIRE_OR(model && q && v && a && point && kinematics && zmp, false);
    ATEMI_REQUIRE_OR(atemi_striking_point_check(model, point, NULL) == ATEMI_OK, false);
    atemi_kinematics_update(model, q, v, a, kinematics);
    return find_zmp(model, kinematics, point, force, plane, zmp);
}

bool atemi_blow_zmp(atemi_data *data, const double *q, const double *v, const double *a,
                    const atemi_striking_point *point, double force,
                    const atemi_support_plane *plane, atemi_vec3 *zmp)
{
    ATEMI_REQUIRE_OR(data && q && v && a && point && zmp, false);
    ATEMI_REQUIRE_OR(atemi_striking_point_check(data->model, point, NULL) == ATEMI_OK, false);
    atemi_update_kinematics(data, q, v, a);
    return find_zmp(data->model, atemi_data_kinematics(data), point, force, plane, zmp);
}
