// SPDX-License-Identifier: Apache-2.0

#include "atemi/simulation.h"

#include <math.h>

// Soles give way by a millimetre and more under a robot. A corner that a rigid sole lifts by less
// still bears, m: whether it touches hangs on the last bits where more than three corners do.
static const double gives_way = 1e-3;

atemi_footing atemi_footing_take(atemi_arena *arena, const atemi_surface *surfaces,
                                 const atemi_simulation_point *points, int count)
{
    atemi_footing footing = {
        .surface = ATEMI_NONE, .plane = atemi_support_plane_floor(), .count = count};
    for (int i = 0; i < count && footing.surface == ATEMI_NONE; ++i) {
        const atemi_surface *surface = &surfaces[points[i].surface];
        if (surface->kind == ATEMI_SURFACE_PLANE && !surface->carried) {
            footing.surface = points[i].surface;
            footing.plane = (atemi_support_plane){surface->position, surface->axis};
        }
    }
    footing.corners = atemi_arena_array(arena, atemi_vec3, count);
    footing.forces = atemi_arena_array(arena, atemi_force, count);
    return footing;
}

static int find_feet(const atemi_footing *footing, const atemi_simulation_point *points,
                     const atemi_simulation *simulation)
{
    int count = 0;
    for (int i = 0; i < footing->count; ++i) {
        const atemi_vec3 force = atemi_simulation_force(simulation, i);
        const bool       on_ground =
            footing->surface == ATEMI_NONE || points[i].surface == footing->surface;
        if (on_ground &&
            (atemi_simulation_gap(simulation, i) < gives_way || atemi_vec3_norm(force) > 0.0)) {
            footing->corners[count] = atemi_simulation_position(simulation, i);
            footing->forces[count++] = (atemi_force){.linear = force};
        }
    }
    return count;
}

atemi_foothold atemi_footing_look(const atemi_footing          *footing,
                                  const atemi_simulation_point *points,
                                  const atemi_simulation       *simulation)
{
    const int      count = find_feet(footing, points, simulation);
    atemi_foothold hold = {.zmp = {NAN, NAN, NAN}, .margin = NAN};
    hold.presses = atemi_center_of_pressure(&footing->plane, footing->corners, footing->forces,
                                            count, &hold.zmp);
    if (hold.presses) {
        const atemi_support support =
            atemi_support_polygon(&footing->plane, footing->corners, count, footing->corners);
        hold.margin = atemi_support_distance(&support, hold.zmp).distance;
    }
    return hold;
}
