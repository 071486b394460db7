// SPDX-License-Identifier: Apache-2.0

#include "simulate/patches.h"

bool atemi_world_holds(const atemi_simulation *s, int point)
{
    return s->set.modes[point] == ATEMI_CONTACT_STICK || s->set.modes[point] == ATEMI_CONTACT_SLIP;
}

bool atemi_world_holds_in(const atemi_simulation *s, int point, int patch)
{
    return s->set.patches[point] == patch && atemi_world_holds(s, point);
}

bool atemi_world_rubs(const atemi_simulation *s, int point)
{
    return s->set.modes[point] == ATEMI_CONTACT_SLIP && !s->set.points[point].tied &&
           s->set.points[point].kinetic_friction > 0.0;
}

// Whether the held points of a patch do not all lie on one line.
static bool spans_plane(const atemi_simulation *s, int patch, int first)
{
    const atemi_vec3 origin = s->set.points[first].point;
    atemi_vec3       longest = {0.0, 0.0, 0.0};
    for (int i = first + 1; i < s->set.point_count; ++i) {
        const atemi_vec3 d = atemi_vec3_sub(s->set.points[i].point, origin);
        if (atemi_world_holds_in(s, i, patch) && atemi_vec3_norm(d) > atemi_vec3_norm(longest)) {
            longest = d;
        }
    }
    for (int i = first + 1; i < s->set.point_count; ++i) {
        const atemi_vec3 d = atemi_vec3_sub(s->set.points[i].point, origin);
        if (atemi_world_holds_in(s, i, patch) && atemi_vec3_norm(atemi_vec3_cross(d, longest)) >
                                                     1e-6 * atemi_vec3_dot(longest, longest)) {
            return true;
        }
    }
    return false;
}

atemi_patch atemi_world_patch(const atemi_simulation *s, int patch)
{
    atemi_patch sum = {.first = ATEMI_NONE};
    for (int i = 0; i < s->set.point_count; ++i) {
        if (atemi_world_holds_in(s, i, patch)) {
            sum.first = sum.held++ ? sum.first : i;
            sum.sticking += s->set.modes[i] == ATEMI_CONTACT_STICK;
        }
    }
    if (sum.held) {
        sum.normal = s->set.states[sum.first].view.normal;
        sum.whole = sum.held >= 3 && sum.sticking == sum.held &&
                    s->set.surfaces[s->set.points[sum.first].surface].kind == ATEMI_SURFACE_PLANE &&
                    spans_plane(s, patch, sum.first);
    }
    return sum;
}

atemi_vec3 atemi_world_patch_center(const atemi_simulation *s, int patch, bool in_link)
{
    atemi_vec3 sum = {0.0, 0.0, 0.0};
    int        count = 0;
    for (int i = 0; i < s->set.point_count; ++i) {
        if (atemi_world_holds_in(s, i, patch)) {
            sum = atemi_vec3_add(sum, in_link ? s->set.points[i].point : s->set.states[i].position);
            ++count;
        }
    }
    return atemi_vec3_scale(1.0 / count, sum);
}
