// SPDX-License-Identifier: Apache-2.0

#include "plan/touch/strike_balance.h"

#include "strike_rig.h"

#include <math.h>

static double margin_of(const strike_rig *rig, atemi_vec3 point)
{
    atemi_vec3 corners[8];
    for (int i = 0; i < 2; ++i) {
        const atemi_site     *site = atemi_model_site(rig->task->model, rig->task->feet[i]);
        const atemi_transform link = atemi_link_pose(rig->rest, site->link);
        CHECK_EQUAL_INT(atemi_site_corners(site, &link, corners + (size_t)4 * (size_t)i), 4);
    }
    const atemi_support support = atemi_support_polygon(NULL, corners, 8, corners);
    return atemi_support_distance(&support, point).distance;
}

// At rest and at first touch nothing accelerates.
TEST(strike_balance, has_the_zmp_below_the_centre_of_mass_at_the_ends_of_its_phases)
{
    strike_rig         rig;
    double             x[VARIABLES];
    const double       way = 0.5 * 0.7; // of a cubic: half the time at full speed
    atemi_strike_plan *plan = rig_evaluate_start(&rig, x);
    const atemi_vec3   com = atemi_center_of_mass(rig.rest);
    const atemi_vec3   moved = {way * x[AT_SPEED + 4], way * x[AT_SPEED + 5], 0.0};
    CHECK_NEAR(rig_constraint(&rig, plan, "ZMP while gathering speed (8/8)"), margin_of(&rig, com),
               1e-12);
    CHECK_NEAR(rig_constraint(&rig, plan, "ZMP while slowing down (8/8)"), margin_of(&rig, com),
               1e-12);
    CHECK_NEAR(rig_constraint(&rig, plan, "ZMP while gathering speed (0/8)"),
               margin_of(&rig, atemi_vec3_sub(com, moved)), 1e-12);
    CHECK_NEAR(rig_constraint(&rig, plan, "ZMP while slowing down (0/8)"),
               margin_of(&rig, atemi_vec3_add(com, moved)), 1e-12);
    rig_end(&rig, plan);
}

// Half way, by momentum about the centre of mass instead of the origin.
static double middle_margin(const strike_rig *rig, const double *motion, double sign)
{
    const double      T = 0.7, slope = sign * 1.5 / T, way = -sign * 13.0 / 32.0 * T;
    const atemi_vec3  moved = {way * motion[4], way * motion[5], 0.0};
    const double      mass = atemi_model_mass(rig->task->model);
    const atemi_vec3  com = atemi_vec3_add(atemi_center_of_mass(rig->rest), moved);
    const atemi_vec3  force = {slope * mass * motion[4], slope * mass * motion[5],
                               slope * motion[1]};
    const atemi_vec3  moment = {slope * motion[2], slope * motion[3], 0.0};
    const atemi_force rate = {force, atemi_vec3_sub(moment, atemi_vec3_cross(com, force))};
    atemi_vec3        zmp;
    CHECK(atemi_zmp_from_momentum(NULL, mass, atemi_model_gravity(rig->task->model), com, rate,
                                  &zmp));
    return margin_of(rig, zmp);
}

TEST(strike_balance, has_the_zmp_of_its_momenta_in_the_middle)
{
    strike_rig         rig;
    double             x[VARIABLES];
    atemi_strike_plan *plan = rig_evaluate_start(&rig, x);
    CHECK_NEAR(rig_constraint(&rig, plan, "ZMP while gathering speed (4/8)"),
               middle_margin(&rig, x + AT_SPEED, 1.0), 1e-12);
    CHECK_NEAR(rig_constraint(&rig, plan, "ZMP while slowing down (4/8)"),
               middle_margin(&rig, x + AT_SPEED, -1.0), 1e-12);
    rig_end(&rig, plan);
}
