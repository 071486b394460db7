// SPDX-License-Identifier: Apache-2.0

#include "pile.h"

#include "atemi/dynamics.h"
#include "bodies.h"
#include "check.h"
#include "data.h"

#include <stdlib.h>
#include <string.h>

atemi_scene_body pile_body(const char *name, double mass, atemi_shape shape, atemi_vec3 size,
                           atemi_vec3 place)
{
    atemi_scene_body made = atemi_scene_body_solid(name, mass, shape, size);
    made.pose.position = place;
    return made;
}

static void create(pile *p, const pile_setting *setting)
{
    static atemi_touch_shape      list[2 * PILE_MOST];
    const atemi_surface           floor = atemi_surface_floor();
    const atemi_simulation_shapes shapes = {
        .shapes = list,
        .count = atemi_touch_shapes_of(p->model, setting->friction, setting->restitution, list),
        .each_other = true,
        .max_touches = setting->max_touches};
    atemi_simulation_options options = atemi_simulation_options_default();
    atemi_error              error = {0};
    options.method = setting->events ? ATEMI_METHOD_EVENTS : ATEMI_METHOD_STEPS;
    options.step = setting->step;
    options.shapes = &shapes;
    const atemi_status status =
        atemi_simulation_create(p->model, &floor, setting->floats ? 0 : 1, NULL, 0, &options,
                                &setting->hooks, &p->simulation, &error);
    if (status) {
        check_fail(CHECK_PLACE("pile"), "%s", error.message);
    }
}

void pile_begin(pile *p, const atemi_scene_body *bodies, int count, const pile_setting *setting)
{
    *p = (pile){.count = count};
    atemi_error  error = {0};
    const body   nothing = {.mass = 1.0, .inertia = {1, 1, 1}, .base = ATEMI_BASE_FIXED};
    atemi_model *robot = setting->floats ? body_model(&nothing) : NULL; // for its gravity: none
    if (atemi_scene_create(robot, bodies, count, &p->model, &error)) {
        check_fail(CHECK_PLACE("pile"), "%s", error.message);
    }
    atemi_model_destroy(robot);
    p->first = setting->floats ? 2 : 1;
    create(p, setting);
    p->q = (double *)calloc((size_t)atemi_model_q_count(p->model), sizeof *p->q);
    p->v = (double *)calloc((size_t)atemi_model_v_count(p->model), sizeof *p->v);
    atemi_configuration_neutral(p->model, p->q);
}

void pile_end(pile *p)
{
    atemi_simulation_destroy(p->simulation);
    atemi_model_destroy(p->model);
    free(p->q);
    free(p->v);
}

void pile_start(pile *p)
{
    atemi_error error = {0};
    if (atemi_simulation_start(p->simulation, 0.0, p->q, p->v, &error)) {
        check_fail(CHECK_PLACE("pile"), "%s", error.message);
    }
}

void pile_run(pile *p, double time)
{
    atemi_error error = {0};
    if (atemi_simulation_run(p->simulation, time, &error)) {
        check_fail(CHECK_PLACE("pile"), "%s", error.message);
    }
}

static atemi_data *look(const pile *p)
{
    atemi_data *data = data_create(p->model);
    atemi_update_kinematics(data, atemi_simulation_q(p->simulation),
                            atemi_simulation_v(p->simulation), NULL);
    return data;
}

atemi_vec3 pile_place(const pile *p, int index)
{
    atemi_data           *data = look(p);
    const atemi_transform pose = atemi_link_pose(data, p->first + index);
    atemi_data_destroy(data);
    return pose.position;
}

atemi_vec3 pile_velocity(const pile *p, int index)
{
    atemi_data        *data = look(p);
    const atemi_motion motion = atemi_link_velocity(data, p->first + index);
    atemi_data_destroy(data);
    return motion.linear;
}

atemi_vec3 pile_momentum(const pile *p)
{
    atemi_data       *data = look(p);
    const atemi_force momentum = atemi_momentum(data);
    atemi_data_destroy(data);
    return momentum.linear;
}

atemi_vec3 pile_moment(const pile *p)
{
    atemi_data       *data = look(p);
    const atemi_force momentum = atemi_momentum(data);
    const atemi_vec3  com = atemi_center_of_mass(data);
    atemi_data_destroy(data);
    return atemi_vec3_add(momentum.angular, atemi_vec3_cross(com, momentum.linear));
}

double pile_energy(const pile *p)
{
    atemi_data  *data = look(p);
    const double energy = atemi_kinetic_energy(data) + atemi_potential_energy(data);
    atemi_data_destroy(data);
    return energy;
}
