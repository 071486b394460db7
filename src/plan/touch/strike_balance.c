// SPDX-License-Identifier: Apache-2.0

#include "plan/touch/strike_balance.h"

#include <math.h>

// While the goals rise and fall, each is its value V at first touch times the cubic s from 0 to 1
// with level ends; with u = (t + T) / T from 0 to 1 (after the blow the same, backwards),
//
//   s = 3 u^2 - 2 u^3,   ds/dt = 6 u (1 - u) / T,   integral from 0 to u of s dt = T (u^3 - u^4 /
//   2)
//
// so that centre of mass, momenta and their rates are known, and with them the ZMP:
//
//   x = (M g G_x - dL_y/dt) / (M g + dP_z/dt),   y = (M g G_y + dL_x/dt) / (M g + dP_z/dt)   eq. 1
//
// with angular momenta about the origin on the floor.

static const double zmp_scale = 0.01;                 // m
static const double outside = -1.0, far_inside = 1.0; // m

void strike_support_find(const strike_setup *s, const atemi_kinematics *kinematics,
                         strike_support *support)
{
    int count = 0;
    for (int i = 0; i < s->task.foot_count; ++i) {
        const atemi_site     *site = strike_setup_foot(s, i);
        const atemi_transform pose = atemi_link_pose_in(s->model, kinematics, site->link);
        count += atemi_site_corners(site, &pose, support->corners + count);
    }
    support->corner_count = count;
    support->polygon = atemi_support_polygon(NULL, support->corners, count, support->vertices);
}

// From the line through two vertices, positive to its left.
static double distance_from(const atemi_vec3 *from, const atemi_vec3 *to, const atemi_vec3 *point)
{
    const double x = to->x - from->x, y = to->y - from->y;
    return (x * (point->y - from->y) - y * (point->x - from->x)) / hypot(x, y);
}

// The vertex at a corner, or ATEMI_NONE.
static int vertex_at(const atemi_support *support, const atemi_vec3 *corner)
{
    int i = support->count - 1;
    while (i >= 0 && (support->vertices[i].x != corner->x || support->vertices[i].y != corner->y)) {
        --i;
    }
    return i >= 0 ? i : ATEMI_NONE;
}

// A corner that is no vertex sets no limit.
void strike_support_margins(const strike_support *support, const atemi_vec3 *zmp, double *margins)
{
    const atemi_support *polygon = &support->polygon;
    for (int k = 0; k < support->corner_count; ++k) {
        const int i = zmp ? vertex_at(polygon, &support->corners[k]) : ATEMI_NONE;
        margins[k] = !zmp ? outside : far_inside;
        if (i != ATEMI_NONE) {
            margins[k] = distance_from(&polygon->vertices[i],
                                       &polygon->vertices[(i + 1) % polygon->count], zmp);
        }
    }
}

// ---- Before and after

// The distance of the ZMP to the edge, at the fraction u from rest to first touch, which takes T;
// `sign` is -1 after the blow, where time runs back.
static void find_phase_margins(const strike_setup *s, const strike_values *x, atemi_vec3 com,
                               const strike_support *support, double u, double T, double sign,
                               double *margins)
{
    const atemi_vec3 g = atemi_model_gravity(s->model);
    const double     weight = -atemi_model_mass(s->model) * g.z;
    const double     slope = sign * 6.0 * u * (1.0 - u) / T;
    const double     path = sign * T * (0.5 - (u * u * u - 0.5 * u * u * u * u));
    const double     down = weight + x->lift * slope;
    const atemi_vec3 zmp = {(weight * (com.x - x->com_x * path) - x->pitch * slope) / down,
                            (weight * (com.y - x->com_y * path) + x->roll * slope) / down, 0.0};
    strike_support_margins(support, down > 0.0 ? &zmp : NULL, margins);
}

double strike_constrain_balance(const strike_setup *s, const strike_values *x, atemi_vec3 com,
                                const strike_support *support, strike_rows *rows)
{
    const struct {
        atemi_strike_phase phase;
        double             T, sign;
    } phases[] = {{ATEMI_PHASE_BEFORE, x->body_rise, 1.0}, {ATEMI_PHASE_AFTER, x->body_fall, -1.0}};
    double least = INFINITY;
    for (int k = 0; k < 2; ++k) {
        for (int i = 0; i < STRIKE_PHASE_SAMPLES; ++i) {
            const double u = (double)i / (STRIKE_PHASE_SAMPLES - 1);
            double       margins[STRIKE_MAX_CORNERS];
            find_phase_margins(s, x, com, support, u, phases[k].T, phases[k].sign, margins);
            least =
                fmin(least, strike_constrain_extreme(
                                rows,
                                (atemi_strike_constraint){.kind = ATEMI_CONSTRAIN_MOTION_ZMP,
                                                          .phase = phases[k].phase,
                                                          .sample = i,
                                                          .last_sample = STRIKE_PHASE_SAMPLES - 1,
                                                          .unit = "m"},
                                strike_at_least(s->task.motion_margin, zmp_scale), margins,
                                support->corner_count));
        }
    }
    return least;
}
