// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"
#include "math/rotation.h"
#include "simulate/driven/whole_body.h"
#include "simulate/soft_force.h"

#include <math.h>
#include <string.h>

// ---- Loads ----------------------------------------------------------------------------------

static void add_load(atemi_whole_body_plant *p, int link, atemi_vec3 arm, atemi_force force)
{
    const atemi_force moved = atemi_force_at(force, atemi_vec3_scale(-1.0, arm));
    p->loads[link] = atemi_force_add(p->loads[link], moved);
}

// The skin of a body stands where the body is, and moves with it.
static void touch(atemi_whole_body_plant *p, int i)
{
    const atemi_simulation_point *about = &p->points[i];
    const int                     of = p->body_of[about->surface];
    soft_body                    *body = of == ATEMI_NONE ? NULL : &p->bodies[of];
    const atemi_vec3              none = {0}, moved = body ? body->middle : none;
    const atemi_transform         pose = atemi_link_pose_in(p->model, &p->kinematics, about->link);
    const atemi_motion twist = atemi_link_velocity_in(p->model, &p->kinematics, about->link);
    atemi_vec3         arm = atemi_mat3_apply(&pose.rotation, about->point);
    const atemi_vec3   at = atemi_vec3_sub(atemi_vec3_add(pose.position, arm), moved);
    atemi_surface_view view = atemi_surface_look(&p->surfaces[about->surface], at);
    view.gap -= about->radius;
    arm = atemi_vec3_sub(arm, atemi_vec3_scale(about->radius, view.normal));
    p->touches[i] = (atemi_touch){.position = atemi_vec3_add(pose.position, arm), .gap = view.gap};
    if (p->is_there[about->surface]) {
        const atemi_vec3 velocity =
            atemi_vec3_sub(atemi_motion_at(twist, arm).linear, body ? body->state.velocity : none);
        p->touches[i].force = soft_force(about, &view, velocity, velocity);
        if (body) {
            body->state.force = atemi_vec3_sub(body->state.force, p->touches[i].force);
        }
        add_load(p, about->link, arm, (atemi_force){.linear = p->touches[i].force});
    }
}

static void stand(atemi_whole_body_plant *p, ground_point *ground)
{
    const int             link = ground->about.link;
    const atemi_transform pose = atemi_link_pose_in(p->model, &p->kinematics, link);
    const atemi_motion    twist = atemi_link_velocity_in(p->model, &p->kinematics, link);
    const atemi_vec3      arm = atemi_mat3_apply(&pose.rotation, ground->about.point);
    atemi_ground_touch(ground, atemi_vec3_add(pose.position, arm),
                       atemi_motion_at(twist, arm).linear);
    add_load(p, link, arm, (atemi_force){.linear = ground->touch.force});
}

static atemi_vec3 limited(atemi_vec3 x, double limit)
{
    const double size = atemi_vec3_norm(x);
    return size > limit ? atemi_vec3_scale(limit / size, x) : x;
}

static void pull(atemi_whole_body_plant *p, int i)
{
    const atemi_pull     *s = &p->pulls[i];
    const atemi_transform pose = atemi_link_pose_in(p->model, &p->kinematics, s->link);
    const atemi_transform at = atemi_transform_compose(&pose, &s->frame);
    const atemi_vec3      arm = atemi_vec3_sub(at.position, pose.position);
    const atemi_motion    m =
        atemi_motion_at(atemi_link_velocity_in(p->model, &p->kinematics, s->link), arm);
    const atemi_vec3 offset = atemi_vec3_sub(s->target.position, at.position);
    const atemi_vec3 rotation = rotation_between(&at.rotation, &s->target.rotation);
    const atemi_vec3 force =
        atemi_vec3_add(atemi_vec3_scale(s->stiffness, offset),
                       atemi_vec3_scale(s->damping, atemi_vec3_sub(s->velocity, m.linear)));
    const atemi_vec3 moment = atemi_vec3_sub(atemi_vec3_scale(s->rotation_stiffness, rotation),
                                             atemi_vec3_scale(s->rotation_damping, m.angular));
    p->pull_forces[i] =
        (atemi_force){limited(force, s->force_limit), limited(moment, s->moment_limit)};
    add_load(p, s->link, arm, p->pull_forces[i]);
}

static void lift(atemi_whole_body_plant *p, int link)
{
    const atemi_inertia  *inertia = &atemi_model_link(p->model, link)->inertia;
    const atemi_transform pose = atemi_link_pose_in(p->model, &p->kinematics, link);
    const atemi_vec3      weight = atemi_vec3_scale(inertia->mass, atemi_model_gravity(p->model));
    add_load(p, link, atemi_mat3_apply(&pose.rotation, inertia->com),
             (atemi_force){.linear = atemi_vec3_scale(-p->offload, weight)});
}

void atemi_whole_body_find_loads(atemi_whole_body_plant *p)
{
    const int links = atemi_model_link_count(p->model);
    memcpy(p->loads, p->forces, (size_t)links * sizeof *p->loads);
    for (int i = 0; i < p->options.body_count; ++i) {
        p->bodies[i].state.force = (atemi_vec3){0};
    }
    for (int i = 0; i < p->options.point_count; ++i) {
        touch(p, i);
    }
    for (int i = 0; i < p->options.ground_count; ++i) {
        stand(p, &p->grounds[i]);
    }
    for (int i = 0; i < p->options.max_pulls; ++i) {
        if (p->pulls[i].link != ATEMI_NONE) {
            pull(p, i);
        }
    }
    for (int i = 0; i < links && p->offload != 0.0; ++i) {
        lift(p, i);
    }
}

// ---- The surroundings -----------------------------------------------------------------------

void atemi_whole_body_plant_set_pull(atemi_whole_body_plant *plant, int index,
                                     const atemi_pull *pull)
{
    ATEMI_REQUIRE(plant && index >= 0 && index < plant->options.max_pulls);
    plant->pulls[index] = pull ? *pull : (atemi_pull){.link = ATEMI_NONE};
    plant->pull_forces[index] = (atemi_force){0};
}

atemi_force *atemi_whole_body_plant_forces(atemi_whole_body_plant *plant)
{
    ATEMI_REQUIRE_OR(plant, NULL);
    return plant->forces;
}

void atemi_whole_body_plant_set_surface(atemi_whole_body_plant *plant, int surface, bool is_there)
{
    ATEMI_REQUIRE(plant && surface >= 0 && surface < plant->options.surface_count);
    const int body = plant->body_of[surface];
    if (body != ATEMI_NONE && is_there != plant->is_there[surface]) {
        plant->bodies[body].state = (atemi_soft_body_state){0};
    }
    plant->is_there[surface] = is_there;
}

void atemi_whole_body_plant_set_brake(atemi_whole_body_plant *plant, int joint, bool is_closed)
{
    ATEMI_REQUIRE(plant && joint >= 0 && joint < plant->count);
    double    *brake = &plant->brakes[joint];
    const bool was_closed = !isnan(*brake);
    if (is_closed != was_closed) {
        *brake = is_closed ? plant->q[plant->first_q + joint] : (double)NAN;
        plant->brake_count += is_closed ? 1 : -1;
    }
}

void atemi_whole_body_plant_set_offload(atemi_whole_body_plant *plant, double fraction)
{
    ATEMI_REQUIRE(plant && fraction >= 0.0 && fraction <= 1.0);
    plant->offload = fraction;
}
