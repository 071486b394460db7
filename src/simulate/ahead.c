// SPDX-License-Identifier: Apache-2.0

#include "simulate/ahead.h"

#include "atemi/configuration.h"
#include "contact/collision.h"

#include <string.h>

// With no rigid contact the robot would, dt later, be at q + dt v and move with v + dt a. The bump
// that this makes there is the impulse of the contact forces over dt: complementarity of forces and
// motions, with friction. (At q itself the points of turning links would lack dt (dJ/dt) v.) M is
// that of now.

static void fly(atemi_simulation *s, const double *q, const double *v, double moment)
{
    const int n = atemi_model_v_count(s->model);
    memcpy(s->ahead_v, s->dynamics.load, (size_t)n * sizeof *v);
    atemi_mass_factor_solve(s->model, &s->dynamics.factor, s->ahead_v);
    for (int i = 0; i < n; ++i) {
        s->ahead_v[i] = v[i] + moment * s->ahead_v[i];
    }
    atemi_configuration_integrate(s->model, q, v, moment, s->ahead_q);
    atemi_kinematics_update(s->model, s->ahead_q, s->ahead_v, NULL, &s->kinematics);
}

// Where a point will touch, and what.
static atemi_contact contact_of(const atemi_simulation *s, int i)
{
    const atemi_simulation_point *point = &s->points[i];
    const atemi_transform         pose = atemi_link_pose_in(s->model, &s->kinematics, point->link);
    const atemi_vec3              center = atemi_transform_apply(&pose, point->point);
    const atemi_vec3 n = atemi_surface_look(&s->surfaces[point->surface], center).normal;
    const atemi_vec3 down = atemi_mat3_apply_transposed(&pose.rotation, n);
    return (atemi_contact){.link = point->link,
                           .point =
                               atemi_vec3_sub(point->point, atemi_vec3_scale(point->radius, down)),
                           .normal = n,
                           .mode = ATEMI_CONTACT_STICK,
                           .friction = s->rubs[i]};
}

void atemi_look_ahead(atemi_simulation *s, const double *q, const double *v, double moment)
{
    fly(s, q, v, moment);
    for (int i = 0; i < s->point_count; ++i) {
        s->contacts[i] =
            s->foreseen[i] ? contact_of(s, i) : (atemi_contact){.mode = ATEMI_CONTACT_OPEN};
        s->impulses[i] = atemi_vec3_scale(moment, s->ahead_forces[i]);
    }
    atemi_collision_velocities(s->model, &s->kinematics, &s->dynamics.factor, s->contacts,
                               s->point_count, &s->bump, s->impulses, s->ahead);
    for (int i = 0; i < s->point_count; ++i) {
        s->ahead_forces[i] = atemi_vec3_scale(1.0 / moment, s->impulses[i]);
    }
}
