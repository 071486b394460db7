// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"
#include "simulate/driven/control_loop_parts.h"
#include "simulate/driven/standing_ground.h"

bool atemi_control_loop_is_held(const atemi_control_loop *loop, int link)
{
    ATEMI_REQUIRE_OR(loop && link >= 0 && link < atemi_model_link_count(loop->model), false);
    return loop->stands[link] || atemi_whole_body_plant_is_held(loop->plant, link);
}

int atemi_control_loop_corner_count(const atemi_control_loop *loop)
{
    ATEMI_REQUIRE_OR(loop, 0);
    return loop->corner_count;
}

atemi_force atemi_control_loop_contact_wrench(const atemi_control_loop *loop, int contact)
{
    atemi_force sum = {0};
    ATEMI_REQUIRE_OR(loop && contact >= 0 && contact < loop->contact_count, sum);
    const atemi_standing_contact *c = &loop->contacts[contact];
    const atemi_transform         at = atemi_whole_body_plant_pose(loop->plant, c->link, &c->frame);
    const int                     first = atemi_standing_corner_count(loop->contacts, contact);
    const int                     end = first + atemi_standing_corner_count(c, 1);
    for (int i = first; i < end; ++i) {
        const atemi_touch touch = atemi_whole_body_plant_ground(loop->plant, i);
        const atemi_vec3  arm = atemi_vec3_sub(touch.position, at.position);
        sum = atemi_force_add(sum, (atemi_force){.linear = touch.force,
                                                 .angular = atemi_vec3_cross(arm, touch.force)});
    }
    return (atemi_force){atemi_mat3_apply_transposed(&at.rotation, sum.linear),
                         atemi_mat3_apply_transposed(&at.rotation, sum.angular)};
}
