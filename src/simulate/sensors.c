// SPDX-License-Identifier: Apache-2.0

#include "simulate/simulation.h"

// An inertial measurement unit at the point r of a link, whose origin accelerates with a while it
// turns with w and w':
//
//     specific force = a + w' x r + w x (w x r) - g

static atemi_vec3 specific_force(const atemi_model *model, const atemi_kinematics *kinematics,
                                 int link, atemi_vec3 r, atemi_vec3 w)
{
    const atemi_motion a = atemi_link_acceleration_in(model, kinematics, link);
    const atemi_vec3   tangential = atemi_vec3_cross(a.angular, r);
    const atemi_vec3   centripetal = atemi_vec3_cross(w, atemi_vec3_cross(w, r));
    const atemi_vec3   of_point = atemi_vec3_add(a.linear, atemi_vec3_add(tangential, centripetal));
    return atemi_vec3_sub(of_point, atemi_model_gravity(model));
}

atemi_imu_reading atemi_simulation_imu(atemi_simulation *simulation, int link,
                                       const atemi_transform *place)
{
    atemi_imu_reading reading = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    ATEMI_REQUIRE_OR(simulation && place, reading);
    ATEMI_REQUIRE_OR(link >= 0 && link < atemi_model_link_count(simulation->model), reading);
    const atemi_model *model = simulation->model;
    const atemi_state *state = &simulation->state;
    atemi_kinematics  *kinematics = &simulation->touchdown.inverse.kinematics;
    atemi_kinematics_update(model, state->q, state->v, state->a, kinematics);
    const atemi_transform pose = atemi_link_pose_in(model, kinematics, link);
    const atemi_vec3      w = atemi_link_velocity_in(model, kinematics, link).angular;
    const atemi_vec3      r = atemi_mat3_apply(&pose.rotation, place->position);
    const atemi_mat3      axes = atemi_mat3_multiply(&pose.rotation, &place->rotation);
    reading.specific_force =
        atemi_mat3_apply_transposed(&axes, specific_force(model, kinematics, link, r, w));
    reading.angular_velocity = atemi_mat3_apply_transposed(&axes, w);
    return reading;
}

void atemi_simulation_points_get(const atemi_simulation *simulation, atemi_point_state *states)
{
    ATEMI_REQUIRE(simulation && states);
    const atemi_simulation_contacts *set = &simulation->set;
    for (int i = 0; i < set->own_count; ++i) {
        states[i] = (atemi_point_state){.mode = set->modes[i],
                                        .gap = set->states[i].view.gap,
                                        .position = set->states[i].position,
                                        .normal = set->states[i].view.normal,
                                        .force = set->forces[i]};
    }
}
