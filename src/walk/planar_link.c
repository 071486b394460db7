// SPDX-License-Identifier: Apache-2.0

#include "walk/planar_link.h"

// The point at the arm r of a link that turns with w about y:
//
//   v = v_o + w (r_z, -r_x)         a = a_o - w^2 r         while all rates stay as they are

atemi_planar_link atemi_planar_link_take(atemi_arena *arena, const atemi_model *model)
{
    const int rates = atemi_model_v_count(model);
    return (atemi_planar_link){.rates = rates, .J = atemi_arena_array(arena, double, 6 * rates)};
}

void atemi_planar_link_look(const atemi_model *model, const atemi_kinematics *kinematics, int link,
                            atemi_planar_link *seen)
{
    const atemi_transform pose = atemi_link_pose_in(model, kinematics, link);
    const atemi_motion    v = atemi_link_velocity_in(model, kinematics, link);
    const atemi_motion    a = atemi_link_acceleration_in(model, kinematics, link);
    seen->x = pose.position.x;
    seen->z = pose.position.z;
    seen->sine = pose.rotation.z.x;
    seen->cosine = pose.rotation.z.z;
    seen->angle = atan2(seen->sine, seen->cosine);
    seen->vx = v.linear.x;
    seen->vz = v.linear.z;
    seen->turn = v.angular.y;
    seen->ax = a.linear.x;
    seen->az = a.linear.z;
    atemi_link_jacobian_in(model, kinematics, link, seen->J);
}

atemi_planar_point atemi_planar_link_point(const atemi_planar_link *link, atemi_vec3 place)
{
    const double x = link->cosine * place.x + link->sine * place.z;
    const double z = link->cosine * place.z - link->sine * place.x;
    const double w = link->turn;
    return (atemi_planar_point){
        .x = link->x + x,
        .z = link->z + z,
        .vx = link->vx + w * z,
        .vz = link->vz - w * x,
        .ax = link->ax - w * w * x,
        .az = link->az - w * w * z,
        .arm_x = x,
        .arm_z = z,
    };
}
