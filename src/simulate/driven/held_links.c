// SPDX-License-Identifier: Apache-2.0

#include "simulate/driven/held_links.h"

// Six rows hold a link, none too many: its origin along x, y, z, a point on its x axis along y and
// z, one on its y axis along z (all axes those of the anchor). Each row asks that its point, off by
// e and moving with u at the beginning of a tick of h, moves at its end with
//
//   u' = -return e / h      so that its acceleration is  (u' - u) / h  plus dJ/dt v
//
// Velocities, not accelerations, are held: nothing drifts.

static const double arm = 0.1;       // m, of the points on the axes
static const double returning = 0.1; // part of an error that goes in a tick

typedef struct link_motion {
    atemi_transform pose;
    atemi_motion    velocity, bias;
} link_motion;

static link_motion motion_of(const atemi_model *model, const atemi_kinematics *k, int link)
{
    return (link_motion){atemi_link_pose_in(model, k, link), atemi_link_velocity_in(model, k, link),
                         atemi_link_acceleration_in(model, k, link)};
}

// The acceleration that a point of the link shall have.
static atemi_vec3 wanted(const link_motion *m, const held_link *held, atemi_vec3 point,
                         double period)
{
    const atemi_vec3 r = atemi_mat3_apply(&m->pose.rotation, point);
    const atemi_vec3 off = atemi_vec3_sub(atemi_vec3_add(m->pose.position, r),
                                          atemi_transform_apply(&held->anchor, point));
    const atemi_vec3 u = atemi_motion_at(m->velocity, r).linear;
    const atemi_vec3 swing =
        atemi_vec3_cross(m->velocity.angular, atemi_vec3_cross(m->velocity.angular, r));
    const atemi_vec3 bias = atemi_vec3_add(atemi_motion_at(m->bias, r).linear, swing);
    const atemi_vec3 change = atemi_vec3_add(atemi_vec3_scale(returning / period, off), u);
    return atemi_vec3_sub(bias, atemi_vec3_scale(1.0 / period, change));
}

static atemi_contact row_along(const link_motion *m, const held_link *held, atemi_vec3 point,
                               atemi_vec3 axis, double period)
{
    const atemi_vec3 a = wanted(m, held, point, period);
    return (atemi_contact){.link = held->link,
                           .point = point,
                           .normal = axis,
                           .mode = ATEMI_CONTACT_SLIP,
                           .normal_acceleration = atemi_vec3_dot(axis, a)};
}

void atemi_held_link_contacts(const atemi_model *model, const atemi_kinematics *kinematics,
                              const held_link *held, double period, atemi_contact *contacts)
{
    const atemi_vec3  origin = {0}, on_x = {arm, 0.0, 0.0}, on_y = {0.0, arm, 0.0};
    const atemi_mat3 *axes = &held->anchor.rotation;
    const link_motion m = motion_of(model, kinematics, held->link);
    contacts[0] = (atemi_contact){.link = held->link,
                                  .normal = axes->z,
                                  .mode = ATEMI_CONTACT_STICK,
                                  .acceleration = wanted(&m, held, origin, period)};
    contacts[1] = row_along(&m, held, on_x, axes->y, period);
    contacts[2] = row_along(&m, held, on_x, axes->z, period);
    contacts[3] = row_along(&m, held, on_y, axes->z, period);
}

atemi_force atemi_held_link_force(const atemi_model *model, const atemi_kinematics *kinematics,
                                  const atemi_contact *contacts, const atemi_force *forces)
{
    const atemi_transform pose = atemi_link_pose_in(model, kinematics, contacts[0].link);
    atemi_force           sum = {0};
    for (int i = 0; i < HELD_CONTACTS; ++i) {
        const atemi_vec3 r = atemi_mat3_apply(&pose.rotation, contacts[i].point);
        sum = atemi_force_add(sum, atemi_force_at(forces[i], atemi_vec3_scale(-1.0, r)));
    }
    return sum;
}
