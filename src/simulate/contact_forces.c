// SPDX-License-Identifier: Apache-2.0

#include "simulate/simulation.h"

#include <string.h>

static void add(const atemi_model *model, const atemi_kinematics *kinematics, int link,
                atemi_vec3 place, atemi_vec3 force, atemi_force *forces)
{
    const atemi_vec3 origin = atemi_link_pose_in(model, kinematics, link).position;
    const atemi_vec3 arm = atemi_vec3_sub(place, origin);
    forces[link] =
        atemi_force_add(forces[link], (atemi_force){force, atemi_vec3_cross(arm, force)});
}

static void add_points(const atemi_simulation *s, const atemi_kinematics *kinematics,
                       atemi_force *forces)
{
    const atemi_simulation_contacts *set = &s->set;
    for (int i = 0; i < set->point_count; ++i) {
        const atemi_surface *surface = &set->surfaces[set->points[i].surface];
        const atemi_vec3     place = set->states[i].position, force = set->forces[i];
        add(s->model, kinematics, set->points[i].link, place, force, forces);
        if (surface->carried) {
            add(s->model, kinematics, surface->link, place, atemi_vec3_scale(-1.0, force), forces);
        }
    }
}

static void add_touches(const atemi_simulation *s, const atemi_kinematics *kinematics,
                        atemi_force *forces)
{
    const atemi_touch_set *set = &s->time_step.touches;
    for (int i = 0; i < set->touch_count; ++i) {
        const atemi_touch_state *touch = &set->touches[i];
        const atemi_vec3         place = touch->at.position;
        add(s->model, kinematics, touch->place.link, place, touch->force, forces);
        if (touch->place.other != ATEMI_NONE) {
            add(s->model, kinematics, touch->place.other, place,
                atemi_vec3_scale(-1.0, touch->force), forces);
        }
    }
}

void atemi_simulation_contact_forces(atemi_simulation *simulation, atemi_force *forces)
{
    ATEMI_REQUIRE(simulation && forces);
    const atemi_model *model = simulation->model;
    atemi_kinematics  *kinematics = &simulation->touchdown.inverse.kinematics;
    memset(forces, 0, (size_t)atemi_model_link_count(model) * sizeof *forces);
    atemi_kinematics_update(model, simulation->state.q, NULL, NULL, kinematics);
    add_points(simulation, kinematics, forces);
    add_touches(simulation, kinematics, forces);
}
