// SPDX-License-Identifier: Apache-2.0

#include "simulate/sightings.h"

#include "dynamics/blocks.h"

// From a place in the world.
static atemi_surface_view view_of(const atemi_simulation *s, const atemi_surface *surface,
                                  atemi_vec3 place)
{
    if (!surface->carried) {
        return atemi_surface_look(surface, place);
    }
    const atemi_transform pose =
        atemi_link_pose_in(s->model, &s->dynamics.bias.kinematics, surface->link);
    const atemi_vec3   arm = atemi_vec3_sub(place, pose.position);
    atemi_surface_view view =
        atemi_surface_look(surface, atemi_mat3_apply_transposed(&pose.rotation, arm));
    view.normal = atemi_mat3_apply(&pose.rotation, view.normal);
    view.bending = atemi_symmetric3_rotated(&view.bending, &pose.rotation);
    return view;
}

// Of what moves with `velocity` at a place in the world, as a carried surface sees it.
static atemi_vec3 relative_velocity(const atemi_simulation *s, const atemi_surface *surface,
                                    atemi_vec3 place, atemi_vec3 velocity)
{
    const atemi_kinematics *k = &s->dynamics.bias.kinematics;
    const atemi_transform   pose = atemi_link_pose_in(s->model, k, surface->link);
    const atemi_motion      twist = atemi_link_velocity_in(s->model, k, surface->link);
    const atemi_vec3        arm = atemi_vec3_sub(place, pose.position);
    return atemi_vec3_sub(velocity, atemi_motion_at(twist, arm).linear);
}

// How a link is and moves.
typedef struct stance {
    atemi_transform pose;
    atemi_motion    twist;
} stance;

static stance stance_of(const atemi_simulation *s, int link)
{
    const atemi_kinematics *k = &s->dynamics.bias.kinematics;
    return (stance){atemi_link_pose_in(s->model, k, link),
                    atemi_link_velocity_in(s->model, k, link)};
}

static void look(const atemi_simulation *s, const stance *on, const atemi_simulation_point *point,
                 atemi_sighting *seen)
{
    const atemi_surface *surface = &s->surfaces[point->surface];
    const atemi_vec3     arm = atemi_mat3_apply(&on->pose.rotation, point->point);
    const atemi_vec3     center = atemi_vec3_add(on->pose.position, arm);
    seen->touch = point->point;
    seen->arm = arm;
    seen->position = center;
    seen->velocity = seen->carrier = atemi_motion_at(on->twist, arm).linear;
    seen->turning = on->twist.angular;
    seen->view = view_of(s, surface, center);
    if (point->radius > 0.0) {
        const atemi_vec3 down = atemi_vec3_scale(-point->radius, seen->view.normal);
        seen->view.gap -= point->radius;
        seen->arm = atemi_vec3_add(arm, down);
        seen->position = atemi_vec3_add(center, down);
        seen->velocity = atemi_motion_at(on->twist, seen->arm).linear;
        seen->touch =
            atemi_vec3_add(point->point, atemi_mat3_apply_transposed(&on->pose.rotation, down));
    }
    if (surface->carried) {
        seen->carrier = relative_velocity(s, surface, center, seen->carrier);
        seen->velocity = relative_velocity(s, surface, seen->position, seen->velocity);
    }
}

static void look_at_points(atemi_simulation *s)
{
    stance on = {0};
    for (int i = 0; i < s->point_count; ++i) {
        if (i == 0 || s->points[i].link != s->points[i - 1].link) {
            on = stance_of(s, s->points[i].link);
        }
        look(s, &on, &s->points[i], &s->sightings[i]);
    }
}

void atemi_world_observe(atemi_simulation *s, const double *q, const double *v)
{
    atemi_kinematics_update(s->model, q, v, NULL, &s->dynamics.bias.kinematics);
    look_at_points(s);
}

void atemi_world_observe_velocities(atemi_simulation *s, const double *v)
{
    atemi_kinematics_velocities(s->model, v, &s->dynamics.bias.kinematics);
    look_at_points(s);
}

atemi_vec3 atemi_world_along(const atemi_simulation *s, int point, atemi_vec3 vector)
{
    const atemi_vec3 n = s->sightings[point].view.normal;
    return atemi_vec3_sub(vector, atemi_vec3_scale(atemi_vec3_dot(vector, n), n));
}

double atemi_world_approach(const atemi_simulation *s, int point)
{
    return -atemi_vec3_dot(s->sightings[point].carrier, s->sightings[point].view.normal);
}

double atemi_world_slide_speed(const atemi_simulation *s, int point)
{
    return atemi_vec3_norm(atemi_world_along(s, point, s->sightings[point].velocity));
}
