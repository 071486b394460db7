// SPDX-License-Identifier: Apache-2.0

#include "simulate/events/force_distribution.h"

#include "contact/distribution.h"

// Distributes a force at a place over the points that carry it, with the least sum of squares.
// Returns false if these are in line.
static bool distribute_over(atemi_simulation_contacts *set, atemi_force force, atemi_vec3 place)
{
    atemi_vec3 *places = set->corners, *forces = set->corners + set->point_count;
    int         count = 0;
    for (int i = 0; i < set->point_count; ++i) {
        if (set->carries[i]) {
            places[count++] = set->states[i].position;
        }
    }
    if (!atemi_distribute_whole(force, place, places, count, forces)) {
        return false;
    }
    for (int i = set->point_count - 1; i >= 0; --i) {
        if (set->carries[i]) {
            set->forces[i] = forces[--count];
        }
    }
    return true;
}

// The point that would pull most, or ATEMI_NONE.
static int pulling_point(const atemi_simulation_contacts *set)
{
    int most = ATEMI_NONE;
    for (int i = 0; i < set->point_count; ++i) {
        if (set->carries[i] && atemi_point_normal_force(set, i) < 0.0 &&
            (most == ATEMI_NONE ||
             atemi_point_normal_force(set, i) < atemi_point_normal_force(set, most))) {
            most = i;
        }
    }
    return most;
}

// Points that would pull carry nothing, if the others can do without them.
static void distribute(atemi_simulation_contacts *set, int patch, atemi_force force)
{
    const atemi_vec3 place = atemi_patch_center(set, patch, false);
    for (int i = 0; i < set->point_count; ++i) {
        set->carries[i] = atemi_point_is_held_in(set, i, patch);
    }
    distribute_over(set, force, place);
    for (int weak = pulling_point(set); weak != ATEMI_NONE; weak = pulling_point(set)) {
        set->carries[weak] = false;
        if (!distribute_over(set, force, place)) {
            set->carries[weak] = true;
            return;
        }
        set->forces[weak] = (atemi_vec3){0.0, 0.0, 0.0};
    }
}

void atemi_force_distribution_find(atemi_simulation_contacts *set, const atemi_contact *contacts,
                                   const int *points, const atemi_force *forces, int count)
{
    for (int c = 0; c < count; ++c) {
        const int point = points[c];
        if (contacts[c].mode == ATEMI_CONTACT_SURFACE) {
            distribute(set, set->patches[point], forces[c]);
        } else {
            set->forces[point] = forces[c].linear;
        }
    }
}
