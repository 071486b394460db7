// SPDX-License-Identifier: Apache-2.0

#include "simulate/driven/standing_ground.h"

#include <math.h>

// With the weight W on n corners, and the depth D that it sinks in,
//
//   k = W / (n D),   c = T k
//
// so that the ground has the same frequency under every robot, sqrt(g / D).

static int side_count(double size)
{
    return size > 0.0 ? 2 : 1;
}

int atemi_standing_corner_count(const atemi_standing_contact *contacts, int count)
{
    int corners = 0;
    for (int c = 0; c < count; ++c) {
        corners += side_count(contacts[c].size_x) * side_count(contacts[c].size_y);
    }
    return corners;
}

// Corner i of a contact, in its frame.
static atemi_vec3 corner_of(const atemi_standing_contact *contact, int i)
{
    const int along = side_count(contact->size_x);
    return (atemi_vec3){(i % along ? 0.5 : -0.5) * contact->size_x,
                        (i / along ? 0.5 : -0.5) * contact->size_y, 0.0};
}

void atemi_standing_ground(const atemi_model *model, const atemi_kinematics *kinematics,
                           const atemi_standing_contact *contacts, int count,
                           standing_ground ground, atemi_ground_point *grounds)
{
    const int    corners = atemi_standing_corner_count(contacts, count);
    const double weight = atemi_model_mass(model) * atemi_vec3_norm(atemi_model_gravity(model));
    const double stiffness = weight / (corners * ground.depth);
    int          at = 0;
    for (int c = 0; c < count; ++c) {
        const atemi_standing_contact *contact = &contacts[c];
        const atemi_transform         link = atemi_link_pose_in(model, kinematics, contact->link);
        const int                     own = atemi_standing_corner_count(contact, 1);
        for (int i = 0; i < own; ++i) {
            atemi_ground_point *g = &grounds[at++];
            g->link = contact->link;
            g->point = atemi_transform_apply(&contact->frame, corner_of(contact, i));
            g->normal = atemi_mat3_apply(&link.rotation, contact->frame.rotation.z);
            g->place = atemi_vec3_add(atemi_transform_apply(&link, g->point),
                                      atemi_vec3_scale(ground.depth, g->normal));
            g->friction = isnan(ground.friction) ? contact->friction : ground.friction;
            g->stiffness = stiffness;
            g->damping = ground.time * stiffness;
        }
    }
}
