// SPDX-License-Identifier: Apache-2.0

#include "walk/biped/biped_map.h"

#include "contact/height_field.h"

#include <math.h>

// The plane h + s a + t b, with a along the sole and b across it, that fits the heights h_ij of a
// grid about the middle best:
//
//   h = mean of h_ij,   s = sum a h_ij / sum a^2,   t = sum b h_ij / sum b^2

enum { ALONG = 5, ACROSS = 3, STATIONS = 12 };

static const double upright = 0.1; // upwards component of the normal of a wall

bool biped_map_has_heights(const atemi_surface *map)
{
    return map->kind == ATEMI_SURFACE_HEIGHTS ||
           (map->kind == ATEMI_SURFACE_PLANE && map->axis.z > upright);
}

double biped_map_height(const atemi_surface *map, double x, double y)
{
    const atemi_vec3 o = map->position;
    if (map->kind == ATEMI_SURFACE_HEIGHTS) {
        return o.z + atemi_height_field_height(&map->table, x - o.x, y - o.y);
    }
    return o.z - (map->axis.x * (x - o.x) + map->axis.y * (y - o.y)) / map->axis.z;
}

biped_print biped_map_print(const atemi_surface *map, double x, double y, double heading,
                            double size_x, double size_y)
{
    const double c = cos(heading), d = sin(heading);
    double       h[ALONG][ACROSS], sum = 0.0, s = 0.0, t = 0.0, aa = 0.0, bb = 0.0;
    for (int i = 0; i < ALONG; ++i) {
        for (int j = 0; j < ACROSS; ++j) {
            const double a = size_x * ((double)i / (ALONG - 1) - 0.5);
            const double b = size_y * ((double)j / (ACROSS - 1) - 0.5);
            h[i][j] = biped_map_height(map, x + c * a - d * b, y + d * a + c * b);
            sum += h[i][j];
            s += a * h[i][j];
            t += b * h[i][j];
            aa += a * a;
            bb += b * b;
        }
    }
    s /= aa;
    t /= bb;
    biped_print print = {sum / (ALONG * ACROSS), c * s - d * t, d * s + c * t, 0.0};
    for (int i = 0; i < ALONG; ++i) {
        for (int j = 0; j < ACROSS; ++j) {
            const double a = size_x * ((double)i / (ALONG - 1) - 0.5);
            const double b = size_y * ((double)j / (ACROSS - 1) - 0.5);
            print.rough = fmax(print.rough, fabs(h[i][j] - print.height - s * a - t * b));
        }
    }
    return print;
}

double biped_map_top(const atemi_surface *map, double from_x, double from_y, double to_x,
                     double to_y)
{
    double top = -INFINITY;
    for (int i = 0; i <= STATIONS; ++i) {
        const double t = (double)i / (double)STATIONS;
        top = fmax(
            top, biped_map_height(map, from_x + t * (to_x - from_x), from_y + t * (to_y - from_y)));
    }
    return top;
}
