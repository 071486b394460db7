// SPDX-License-Identifier: Apache-2.0

#include "plan/strike_balance.h"

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

void strike_find_support(strike_problem *p)
{
    int count = 0;
    for (int i = 0; i < p->task.foot_count; ++i) {
        const atemi_site     *site = atemi_model_site(p->model, p->task.feet[i]);
        const atemi_transform pose = atemi_link_pose_in(p->model, &p->kinematics, site->link);
        count += atemi_site_corners(site, &pose, p->corners + count);
    }
    p->corner_count = count;
    p->support = atemi_support_polygon(NULL, p->corners, count, p->vertices);
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

// A corner that is no vertex says nothing.
void strike_find_margins(const strike_problem *p, const atemi_vec3 *zmp, double *margins)
{
    const atemi_support *support = &p->support;
    for (int k = 0; k < p->corner_count; ++k) {
        const int i = zmp ? vertex_at(support, &p->corners[k]) : ATEMI_NONE;
        margins[k] = !zmp ? outside : far_inside;
        if (i != ATEMI_NONE) {
            margins[k] = distance_from(&support->vertices[i],
                                       &support->vertices[(i + 1) % support->count], zmp);
        }
    }
}

// ---- Before and after

// The distance of the ZMP to the edge, u of the way from rest to first touch, which takes T; `sign`
// is -1 after the blow, where time runs back.
static void find_phase_margins(const strike_problem *p, double u, double T, double sign,
                               double *margins)
{
    const strike_values *x = &p->values;
    const atemi_vec3     g = atemi_model_gravity(p->model);
    const double         weight = -atemi_model_mass(p->model) * g.z;
    const double         slope = sign * 6.0 * u * (1.0 - u) / T;
    const double         way = sign * T * (0.5 - (u * u * u - 0.5 * u * u * u * u));
    const double         down = weight + x->lift * slope;
    const atemi_vec3     zmp = {(weight * (p->com.x - x->com_x * way) - x->pitch * slope) / down,
                                (weight * (p->com.y - x->com_y * way) + x->roll * slope) / down, 0.0};
    strike_find_margins(p, down > 0.0 ? &zmp : NULL, margins);
}

void strike_constrain_phases(strike_problem *p)
{
    const struct {
        const char *name;
        double      T, sign;
    } phases[] = {{"gathering speed", p->values.body_rise, 1.0},
                  {"slowing down", p->values.body_fall, -1.0}};
    p->motion_margin = INFINITY;
    for (int k = 0; k < 2; ++k) {
        for (int i = 0; i < STRIKE_PHASE_SAMPLES; ++i) {
            const double u = (double)i / (STRIKE_PHASE_SAMPLES - 1);
            double       margins[STRIKE_MOST_CORNERS];
            find_phase_margins(p, u, phases[k].T, phases[k].sign, margins);
            strike_constrain_extreme(
                p, margins, p->corner_count,
                (strike_bounds){p->task.motion_margin, INFINITY, zmp_scale, "m"},
                "ZMP while %s (%d/%d)", phases[k].name, i, STRIKE_PHASE_SAMPLES - 1);
            p->motion_margin = fmin(p->motion_margin, strike_last_value(p));
        }
    }
}
