// SPDX-License-Identifier: Apache-2.0

#include "simulate/point_forces.h"

#include "contact/share.h"
#include "simulate/patches.h"

double atemi_world_normal_force(const atemi_simulation *s, int point)
{
    return atemi_vec3_dot(s->set.forces[point], s->set.states[point].view.normal);
}

// Shares a force at a place out among the points that carry it, with the least sum of squares.
// Returns false if these are in line.
static bool share_out(atemi_simulation *s, atemi_force force, atemi_vec3 place)
{
    atemi_vec3 *places = s->set.corners, *forces = s->set.corners + s->set.point_count;
    int         count = 0;
    for (int i = 0; i < s->set.point_count; ++i) {
        if (s->set.carries[i]) {
            places[count++] = s->set.states[i].position;
        }
    }
    if (!atemi_share_whole(force, place, places, count, forces)) {
        return false;
    }
    for (int i = s->set.point_count - 1; i >= 0; --i) {
        if (s->set.carries[i]) {
            s->set.forces[i] = forces[--count];
        }
    }
    return true;
}

// The point that would pull most, or ATEMI_NONE.
static int pulling_point(const atemi_simulation *s)
{
    int most = ATEMI_NONE;
    for (int i = 0; i < s->set.point_count; ++i) {
        if (s->set.carries[i] && atemi_world_normal_force(s, i) < 0.0 &&
            (most == ATEMI_NONE ||
             atemi_world_normal_force(s, i) < atemi_world_normal_force(s, most))) {
            most = i;
        }
    }
    return most;
}

// Points that would pull carry nothing, if the others can do without them.
static void share_force(atemi_simulation *s, int patch, atemi_force force)
{
    const atemi_vec3 place = atemi_world_patch_center(s, patch, false);
    for (int i = 0; i < s->set.point_count; ++i) {
        s->set.carries[i] = atemi_world_holds_in(s, i, patch);
    }
    share_out(s, force, place);
    for (int weak = pulling_point(s); weak != ATEMI_NONE; weak = pulling_point(s)) {
        s->set.carries[weak] = false;
        if (!share_out(s, force, place)) {
            s->set.carries[weak] = true;
            return;
        }
        s->set.forces[weak] = (atemi_vec3){0.0, 0.0, 0.0};
    }
}

void atemi_point_forces_find(atemi_simulation *s)
{
    for (int c = 0; c < s->evaluation.contact_count; ++c) {
        const int point = s->evaluation.contact_points[c];
        if (s->evaluation.contacts[c].mode == ATEMI_CONTACT_SURFACE) {
            share_force(s, s->set.patches[point], s->evaluation.contact_forces[c]);
        } else {
            s->set.forces[point] = s->evaluation.contact_forces[c].linear;
        }
    }
}
