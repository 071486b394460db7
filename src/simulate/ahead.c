// SPDX-License-Identifier: Apache-2.0

#include "simulate/ahead.h"

#include "atemi/configuration.h"
#include "contact/bump.h"

#include <string.h>

// With no rigid contact the robot would, dt later, be at q + dt v and move with v + dt a. The bump
// that this makes there is the impulse of the contact forces over dt: complementarity of forces and
// motions, with friction. (At q itself the points of turning links would lack dt (dJ/dt) v.) M is
// that of now.

static void fly(atemi_simulation *s, const double *q, const double *v, double moment)
{
    const int n = atemi_model_v_count(s->model);
    memcpy(s->prediction.v, s->evaluation.dynamics.load, (size_t)n * sizeof *v);
    atemi_mass_factor_solve(s->model, &s->evaluation.dynamics.factor, s->prediction.v);
    for (int i = 0; i < n; ++i) {
        s->prediction.v[i] = v[i] + moment * s->prediction.v[i];
    }
    atemi_configuration_integrate(s->model, q, v, moment, s->prediction.q);
    atemi_kinematics_update(s->model, s->prediction.q, s->prediction.v, NULL,
                            &s->prediction.kinematics);
}

// Where a point will touch, and what.
static atemi_contact contact_of(const atemi_simulation *s, int i)
{
    const atemi_simulation_point *point = &s->set.points[i];
    const atemi_transform pose = atemi_link_pose(s->model, &s->prediction.kinematics, point->link);
    const atemi_vec3      center = atemi_transform_apply(&pose, point->point);
    const atemi_vec3      n = atemi_surface_look(&s->set.surfaces[point->surface], center).normal;
    const atemi_vec3      down = atemi_mat3_apply_transposed(&pose.rotation, n);
    return (atemi_contact){.link = point->link,
                           .point =
                               atemi_vec3_sub(point->point, atemi_vec3_scale(point->radius, down)),
                           .normal = n,
                           .mode = ATEMI_CONTACT_STICK,
                           .friction = s->prediction.friction[i]};
}

void atemi_look_ahead(atemi_simulation *s, const double *q, const double *v, double moment)
{
    fly(s, q, v, moment);
    for (int i = 0; i < s->set.point_count; ++i) {
        s->evaluation.contacts[i] = s->prediction.candidates[i]
                                        ? contact_of(s, i)
                                        : (atemi_contact){.mode = ATEMI_CONTACT_OPEN};
        s->collision.impulses[i] = atemi_vec3_scale(moment, s->prediction.forces[i]);
    }
    atemi_bump_velocities(s->model, &s->prediction.kinematics, &s->evaluation.dynamics.factor,
                          s->evaluation.contacts, s->set.point_count, &s->collision.scratch,
                          s->collision.impulses, s->prediction.velocities);
    for (int i = 0; i < s->set.point_count; ++i) {
        s->prediction.forces[i] = atemi_vec3_scale(1.0 / moment, s->collision.impulses[i]);
    }
}
