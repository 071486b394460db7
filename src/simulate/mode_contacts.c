// SPDX-License-Identifier: Apache-2.0

#include "simulate/mode_contacts.h"

#include "simulate/patches.h"

// A round point, of radius r and with its centre at c, touches where c - r n is, n being the normal
// of the surface seen from c, and rolls: with omega the turning of its link and dn/dt = B dc/dt the
// turning of the normal, what sticks there accelerates with
//
//   r omega x (dn/dt - omega x n)
//
// and along the normal, sliding or not, with  -dc/dt . B dc/dt - r n . (omega x (omega x n)).
// With r = 0 that is a point, which stays, and a point that keeps to its surface.

void atemi_mode_contact_add(atemi_simulation *s, int point, atemi_contact_mode mode)
{
    const atemi_simulation_point *what = &s->set.points[point];
    const atemi_contact_state    *seen = &s->set.states[point];
    const atemi_vec3              n = seen->view.normal, turning = seen->turning;
    const atemi_vec3 tilting = atemi_symmetric3_apply(&seen->view.bending, seen->carrier);
    const atemi_vec3 with_link = atemi_vec3_cross(turning, n);
    const double     r = what->radius;
    s->evaluation.contact_points[s->evaluation.contact_count] = point;
    s->evaluation.contacts[s->evaluation.contact_count++] = (atemi_contact){
        .link = what->link,
        .point = seen->touch,
        .normal = n,
        .mode = mode,
        .friction = s->set.signs[point] * what->kinetic_friction,
        .direction = s->set.directed[point] ? s->set.leads[point] : s->set.directions[point],
        .directed = s->set.directed[point],
        .normal_acceleration = -atemi_vec3_dot(seen->carrier, tilting) -
                               r * atemi_vec3_dot(n, atemi_vec3_cross(turning, with_link)),
        .acceleration =
            atemi_vec3_scale(r, atemi_vec3_cross(turning, atemi_vec3_sub(tilting, with_link)))};
}

// The forces that were found for a patch's held points, at their centre.
static atemi_force shares_of_patch(const atemi_simulation *s, int patch)
{
    const atemi_vec3 center = atemi_world_patch_center(s, patch, false);
    atemi_force      sum = {0};
    for (int i = 0; i < s->set.point_count; ++i) {
        if (atemi_world_holds_in(s, i, patch)) {
            const atemi_vec3 arm = atemi_vec3_sub(s->set.states[i].position, center);
            sum.linear = atemi_vec3_add(sum.linear, s->set.distribution[i]);
            sum.angular =
                atemi_vec3_add(sum.angular, atemi_vec3_cross(arm, s->set.distribution[i]));
        }
    }
    return sum;
}

static void add_whole(atemi_simulation *s, int patch, int first)
{
    atemi_contact *contact = &s->evaluation.contacts[s->evaluation.contact_count];
    atemi_mode_contact_add(s, first, ATEMI_CONTACT_SURFACE);
    contact->point = atemi_world_patch_center(s, patch, true);
    contact->share = s->set.distribution_used ? shares_of_patch(s, patch) : (atemi_force){0};
}

static void add_point(atemi_simulation *s, int point)
{
    atemi_contact *contact = &s->evaluation.contacts[s->evaluation.contact_count];
    atemi_mode_contact_add(s, point, s->set.modes[point]);
    contact->share.linear = s->set.distribution_used ? s->set.distribution[point] : (atemi_vec3){0};
}

void atemi_mode_contacts_build(atemi_simulation *s)
{
    s->evaluation.contact_count = 0;
    for (int p = 0; p < s->set.patch_count; ++p) {
        const atemi_patch patch = atemi_world_patch(s, p);
        if (patch.whole) {
            add_whole(s, p, patch.first);
            continue;
        }
        for (int i = 0; i < s->set.point_count && patch.held; ++i) {
            if (atemi_world_holds_in(s, i, p)) {
                add_point(s, i);
            }
        }
    }
}
