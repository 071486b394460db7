// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"
#include "atemi/simulation.h"

static const double nearest = 1e-6; // m: points that are nearer to their surface touch it

atemi_touching_points atemi_touching_points_take(atemi_arena *arena, const atemi_model *model,
                                                 int count)
{
    atemi_touching_points touching = {0};
    ATEMI_REQUIRE_OR(arena && model && count >= 0, touching);
    touching.points = atemi_arena_array(arena, int, count);
    touching.links = atemi_arena_array(arena, int, atemi_model_link_count(model));
    touching.corners = atemi_arena_array(arena, atemi_vec3, count);
    return touching;
}

static void add_link(atemi_touching_points *touching, int link)
{
    for (int i = 0; i < touching->link_count; ++i) {
        if (touching->links[i] == link) {
            return;
        }
    }
    touching->links[touching->link_count++] = link;
}

static atemi_vec3 place_of(const atemi_data *data, const atemi_simulation_point *point)
{
    const atemi_transform pose = atemi_link_pose(data, point->link);
    return atemi_transform_apply(&pose, point->point);
}

static void find_support(const atemi_data *data, const atemi_surface *surfaces,
                         const atemi_simulation_point *points, atemi_touching_points *touching)
{
    atemi_support_plane plane = atemi_support_plane_floor();
    int                 floor = ATEMI_NONE, count = 0;
    for (int i = 0; i < touching->count; ++i) {
        const atemi_simulation_point *point = &points[touching->points[i]];
        const atemi_surface          *surface = &surfaces[point->surface];
        if (floor == ATEMI_NONE && surface->kind == ATEMI_SURFACE_PLANE) {
            floor = point->surface;
            plane = (atemi_support_plane){surface->position, surface->axis};
        }
        if (point->surface == floor) {
            touching->corners[count++] = place_of(data, point);
        }
    }
    touching->support = atemi_support_polygon(&plane, touching->corners, count, touching->corners);
}

void atemi_touching_points_find(const atemi_data *data, const atemi_surface *surfaces,
                                const atemi_simulation_point *points, int count,
                                atemi_touching_points *touching)
{
    ATEMI_REQUIRE(data && touching && (count == 0 || (surfaces && points)));
    touching->count = touching->link_count = 0;
    for (int i = 0; i < count; ++i) {
        const atemi_surface *surface = &surfaces[points[i].surface];
        const double         gap = atemi_surface_look(surface, place_of(data, &points[i])).gap;
        if (!(gap - points[i].radius > nearest)) {
            touching->points[touching->count++] = i;
            add_link(touching, points[i].link);
        }
    }
    find_support(data, surfaces, points, touching);
}
