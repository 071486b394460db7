// SPDX-License-Identifier: Apache-2.0

#include "atemi/stance.h"

#include "atemi/contract.h"
#include "contact/share.h"

#include <string.h>

atemi_stance_scratch atemi_stance_scratch_take(atemi_arena *arena, const atemi_model *model)
{
    atemi_stance_scratch scratch;
    scratch.inverse = atemi_inverse_dynamics_scratch_take(arena, model);
    scratch.loads = atemi_arena_array(arena, atemi_force, atemi_model_link_count(model));
    return scratch;
}

// What the rates of the base would need, as force and moment about the root, world axes.
static atemi_force base_wrench(const atemi_model *model, const atemi_transform *root,
                               const double *tau)
{
    atemi_vec3 force = {0.0, 0.0, 0.0}, moment = {0.0, 0.0, 0.0}; // in the root's axes
    switch (atemi_model_base(model)) {
    case ATEMI_BASE_FIXED:
        break;
    case ATEMI_BASE_PLANAR:
        force = (atemi_vec3){tau[0], tau[1], 0.0};
        moment.z = tau[2];
        break;
    case ATEMI_BASE_SAGITTAL:
        force = (atemi_vec3){tau[0], 0.0, tau[1]};
        moment.y = tau[2];
        break;
    case ATEMI_BASE_FLOATING:
        force = (atemi_vec3){tau[0], tau[1], tau[2]};
        moment = (atemi_vec3){tau[3], tau[4], tau[5]};
        break;
    }
    return (atemi_force){atemi_mat3_apply(&root->rotation, force),
                         atemi_mat3_apply(&root->rotation, moment)};
}

static atemi_vec3 arm_of(const atemi_model *model, const atemi_kinematics *kinematics,
                         const atemi_stance_point *point)
{
    const atemi_transform pose = atemi_link_pose(model, kinematics, point->link);
    return atemi_mat3_apply(&pose.rotation, point->point);
}

static void find_places(const atemi_model *model, const atemi_kinematics *kinematics,
                        const atemi_stance_point *points, int count, atemi_vec3 *places)
{
    for (int i = 0; i < count; ++i) {
        const atemi_transform pose = atemi_link_pose(model, kinematics, points[i].link);
        places[i] = atemi_transform_apply(&pose, points[i].point);
    }
}

// Pushes where the robot can stand so, otherwise forces of least squares, which may pull.
static void share(const atemi_model *model, atemi_force wrench, atemi_vec3 origin,
                  const atemi_vec3 *places, int count, atemi_vec3 *forces)
{
    const atemi_vec3 g = atemi_model_gravity(model);
    const double     size = atemi_vec3_norm(g);
    const bool       pushes =
        size > 0.0 &&
        atemi_share_pushes(wrench, origin, atemi_vec3_scale(-1.0 / size, g), places, count, forces);
    if (!pushes) {
        atemi_share(wrench, origin, places, count, forces);
    }
}

static void load(const atemi_model *model, const atemi_kinematics *kinematics,
                 const atemi_stance_point *points, const atemi_vec3 *forces, int count,
                 atemi_force *loads)
{
    for (int i = 0; i < count; ++i) {
        atemi_force *on = &loads[points[i].link];
        on->linear = atemi_vec3_add(on->linear, forces[i]);
        on->angular = atemi_vec3_add(
            on->angular, atemi_vec3_cross(arm_of(model, kinematics, &points[i]), forces[i]));
    }
}

void atemi_stance_dynamics(const atemi_model *model, const double *q, const double *v,
                           const double *a, const atemi_force *external,
                           const atemi_stance_point *points, int count,
                           atemi_stance_scratch *scratch, double *tau, atemi_vec3 *forces)
{
    const atemi_kinematics *kinematics = &scratch->inverse.kinematics;
    const size_t            size = (size_t)atemi_model_link_count(model) * sizeof *scratch->loads;
    atemi_inverse_dynamics(model, q, v, a, external, &scratch->inverse, tau);
    ATEMI_REQUIRE(count <= ATEMI_STANCE_MOST_POINTS);
    if (count == 0) {
        return;
    }
    const atemi_transform root = atemi_link_pose(model, kinematics, 0);
    find_places(model, kinematics, points, count, scratch->places);
    share(model, base_wrench(model, &root, tau), root.position, scratch->places, count, forces);
    if (external) {
        memcpy(scratch->loads, external, size);
    } else {
        memset(scratch->loads, 0, size);
    }
    load(model, kinematics, points, forces, count, scratch->loads);
    atemi_inverse_dynamics(model, q, v, a, scratch->loads, &scratch->inverse, tau);
}
