// SPDX-License-Identifier: Apache-2.0

/// @file
/// A random drop: what falls, onto what, from where. A function of its seed.

#pragma once

#include "atemi/atemi.h"
#include "random.h"

enum { DROP_MOST_POINTS = 64, DROP_MOST_V = 64, HILLS = 40 };

typedef enum drop_kind {
    DROP_BOXES,
    DROP_HUMANOIDS,
    DROP_TREES,
} drop_kind;

typedef struct drop {
    uint64_t                 seed;
    random_stream            stream;
    atemi_model             *model;
    atemi_surface            ground;
    double                   heights[HILLS * HILLS];
    int                      point_count, shape_count;
    atemi_simulation_point   points[DROP_MOST_POINTS];
    atemi_touch_shape       *shapes;
    atemi_simulation_options options;
    double                   q[DROP_MOST_V + 1], v[DROP_MOST_V], duration;
    double                   fastest; ///< touchdown so far, m/s
    atemi_data              *data;
    atemi_simulation        *simulation;
} drop;

/// Starts the drop; ends the program where that cannot be made. It must stay where it is.
void drop_make(drop *d, uint64_t seed, drop_kind kind);
void drop_destroy(drop *d);

/// How far the lowest of the points is above the ground; infinity without points.
double drop_least_gap(drop *d, const double *q);
