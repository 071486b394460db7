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

static const double zmp_scale = 0.01; // m

void strike_find_support(strike_problem *p)
{
    int count = 0;
    for (int i = 0; i < p->task.foot_count; ++i) {
        const atemi_site     *site = atemi_model_site(p->model, p->task.feet[i]);
        const atemi_transform pose = atemi_link_pose(p->model, &p->kinematics, site->link);
        count += atemi_site_corners(site, &pose, p->corners + count);
    }
    p->support = atemi_support_polygon(NULL, p->corners, count, p->corners);
}

// ---- Before and after

// The distance of the ZMP to the edge, u of the way from rest to first touch, which takes T; `sign`
// is -1 after the blow, where time runs back.
static double phase_margin(const strike_problem *p, double u, double T, double sign)
{
    const strike_values *x = &p->values;
    const atemi_vec3     g = atemi_model_gravity(p->model);
    const double         weight = -atemi_model_mass(p->model) * g.z;
    const double         slope = sign * 6.0 * u * (1.0 - u) / T;
    const double         way = sign * T * (0.5 - (u * u * u - 0.5 * u * u * u * u));
    const double         down = weight + x->lift * slope;
    const atemi_vec3     zmp = {(weight * (p->com.x - x->com_x * way) - x->pitch * slope) / down,
                                (weight * (p->com.y - x->com_y * way) + x->roll * slope) / down, 0.0};
    return down > 0.0 ? atemi_support_distance(&p->support, zmp).distance : -1.0;
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
            const double margin = phase_margin(p, u, phases[k].T, phases[k].sign);
            strike_constrain(p, margin,
                             (strike_bounds){p->task.motion_margin, INFINITY, zmp_scale, "m"},
                             "ZMP while %s (%d/%d)", phases[k].name, i, STRIKE_PHASE_SAMPLES - 1);
            p->motion_margin = fmin(p->motion_margin, margin);
        }
    }
}
