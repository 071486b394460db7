// SPDX-License-Identifier: Apache-2.0

#include "contact/stance.h"

#include "atemi/base.h"
#include "contact/data_contact.h"
#include "contact/distribution.h"
#include "dynamics/newton_euler.h"

#include <math.h>
#include <string.h>

static const double rounding = 1e-9; // of the wrench that the base needs

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
                         const atemi_contact_point *point)
{
    const atemi_transform pose = atemi_link_pose_in(model, kinematics, point->link);
    return atemi_mat3_apply(&pose.rotation, point->point);
}

static void find_places(const atemi_model *model, const atemi_kinematics *kinematics,
                        const atemi_contact_point *points, int count, atemi_vec3 *places)
{
    for (int i = 0; i < count; ++i) {
        const atemi_transform pose = atemi_link_pose_in(model, kinematics, points[i].link);
        places[i] = atemi_transform_apply(&pose, points[i].point);
    }
}

// Pushes where the robot can stand so, otherwise forces of least squares, which may pull. The
// places become the forces.
static bool distribute(const atemi_model *model, atemi_force wrench, atemi_vec3 origin, int count,
                       atemi_vec3 *forces)
{
    const atemi_vec3 g = atemi_model_gravity(model);
    const double     size = atemi_vec3_norm(g);
    const atemi_vec3 up = atemi_vec3_scale(size > 0.0 ? -1.0 / size : 0.0, g);
    if (size > 0.0 &&
        (atemi_distribute_unilateral(wrench, origin, up, forces, count, forces) ||
         atemi_distribute_least_unilateral(wrench, origin, up, forces, count, forces))) {
        return true;
    }
    atemi_distribute(wrench, origin, forces, count, forces);
    return false;
}

static void load(const atemi_model *model, const atemi_kinematics *kinematics,
                 const atemi_contact_point *points, const atemi_vec3 *forces, int count,
                 atemi_force *loads)
{
    for (int i = 0; i < count; ++i) {
        atemi_force *on = &loads[points[i].link];
        on->linear = atemi_vec3_add(on->linear, forces[i]);
        on->angular = atemi_vec3_add(
            on->angular, atemi_vec3_cross(arm_of(model, kinematics, &points[i]), forces[i]));
    }
}

// Whether the base has what it needs, but for rounding.
static bool is_carried(const atemi_model *model, atemi_force wanted, double reach,
                       const double *tau)
{
    const double most = atemi_vec3_norm(wanted.linear) * reach + atemi_vec3_norm(wanted.angular);
    double       left = 0.0;
    for (int i = 0; i < atemi_base_v_count(atemi_model_base(model)); ++i) {
        left = fmax(left, fabs(tau[i]));
    }
    return left <= rounding * most;
}

// How far the farthest point is from the root, m, at least 1.
static double reach_of(atemi_vec3 root, const atemi_vec3 *places, int count)
{
    double most = 1.0;
    for (int i = 0; i < count; ++i) {
        most = fmax(most, atemi_vec3_norm(atemi_vec3_sub(places[i], root)));
    }
    return most;
}

// With the results of inverse dynamics for the forces in `external` in `tau` and `inverse`.
static atemi_stance_support stand(const atemi_model *model, const double *a, bool moving,
                                  const atemi_force *external, const atemi_contact_point *points,
                                  int count, atemi_inverse_dynamics_scratch *inverse,
                                  atemi_force *loads, double *tau, atemi_vec3 *forces)
{
    const atemi_kinematics *kinematics = &inverse->kinematics;
    const size_t            size = (size_t)atemi_model_link_count(model) * sizeof *loads;
    const atemi_transform   root = atemi_link_pose_in(model, kinematics, 0);
    const atemi_force       wanted = base_wrench(model, &root, tau);
    if (count == 0) {
        return is_carried(model, wanted, 0.0, tau) ? ATEMI_STANCE_PUSHES : ATEMI_STANCE_LACKS;
    }
    find_places(model, kinematics, points, count, forces);
    const double reach = reach_of(root.position, forces, count);
    const bool   pushes = distribute(model, wanted, root.position, count, forces);
    if (external) {
        memcpy(loads, external, size);
    } else {
        memset(loads, 0, size);
    }
    load(model, kinematics, points, forces, count, loads);
    if (model->v_count > 0) {
        atemi_newton_euler_at(model, moving, a, model->gravity, loads, inverse, tau);
    }
    if (!is_carried(model, wanted, reach, tau)) {
        return ATEMI_STANCE_LACKS;
    }
    return pushes ? ATEMI_STANCE_PUSHES : ATEMI_STANCE_PULLS;
}

atemi_stance_support atemi_stance_dynamics_in(const atemi_model *model, const double *q,
                                              const double *v, const double *a,
                                              const atemi_force         *external,
                                              const atemi_contact_point *points, int count,
                                              atemi_stance_scratch *scratch, double *tau,
                                              atemi_vec3 *forces)
{
    atemi_inverse_dynamics_in(model, q, v, a, external, &scratch->inverse, tau);
    return stand(model, a, v != NULL, external, points, count, &scratch->inverse, scratch->loads,
                 tau, forces);
}

atemi_stance_support atemi_stance_dynamics(atemi_data *data, const double *q, const double *v,
                                           const double *a, const atemi_force *external,
                                           const atemi_contact_point *points, int count,
                                           double *tau, atemi_vec3 *forces)
{
    ATEMI_REQUIRE_OR(data && q && tau && count >= 0 && (count == 0 || (points && forces)),
                     ATEMI_STANCE_LACKS);
    atemi_inverse_dynamics(data, q, v, a, external, tau);
    return stand(data->model, a, v != NULL, external, points, count, &data->inverse,
                 data->contact->loads, tau, forces);
}
