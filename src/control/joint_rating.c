// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"
#include "atemi/coordination.h"
#include "control/coordination_options.h"

#include <math.h>

// What a file does not state is estimated by one rule for all robots, with I the inertia that the
// joint moves at q = 0, E its effort limit, V its velocity limit:
//
//   E = a I'          a = 100 rad/s^2: holds a rod of 15 cm against gravity, and 20 cm at a tenth;
//                     I' as if all links were across the axis, as far from it as they are from the
//                     joint: the yaw of a shoulder bears the forearm that the elbow bends
//   V = sqrt(2 E s / I)        s = 0.5 rad: what E reaches from rest within s; where a rotor is
//                              stated, at least what E alone brings it to within u = 2 ms, as
//                              slower motors have heavier rotors
//   rotor = t E / V            t = 4 ms: in which E alone brings the rotor to V
//
// Limits that stand for none, as 1e7 N m and 1000 rad/s do, are not believed: an effort is, up to
// the weight of the robot at a lever of 2 m, and a velocity up to 60 rad/s.
//
// t is the median of the 49 joints of hrp2_like and r2_like, whose files state their rotors (u = 2
// to 13 ms, but for necks and grippers). A sliding joint is a rack on a pinion of the radius r =
// 0.1 m: a I is then an acceleration of 10 m/s^2.
static const double effort_rate = 100.0;     // a, rad/s^2
static const double run_up = 0.5;            // s, rad
static const double rotor_time = 4e-3;       // t, s
static const double quickest = 2e-3;         // u, s
static const double pinion_radius = 0.1;     // r, m
static const double least_inertia = 1e-4;    // kg m^2: links without mass have drives as well
static const double standard_gravity = 9.81; // m/s^2
static const double highest_lever = 2.0;     // m
static const double highest_velocity = 60.0; // rad/s

// ---- What a joint moves ---------------------------------------------------------------------

// Whether the link hangs on the joint; if so, its pose in the joint's frame at q = 0.
static bool find_pose(const atemi_model *model, const atemi_joint *joint, int link,
                      atemi_transform *pose)
{
    *pose = atemi_transform_identity();
    while (link != joint->child_link) {
        const int up = atemi_model_link(model, link)->parent_joint;
        if (up == ATEMI_NONE) {
            return false;
        }
        const atemi_joint *between = atemi_model_joint(model, up);
        *pose = atemi_transform_compose(&between->origin, pose);
        link = between->parent_link;
    }
    return true;
}

static double inertia_of(const atemi_joint *joint, const atemi_inertia *body, bool across)
{
    if (joint->type == ATEMI_JOINT_PRISMATIC) {
        return body->mass;
    }
    const atemi_vec3 arm = across ? body->com : atemi_vec3_cross(joint->axis, body->com);
    const atemi_vec3 spin = atemi_symmetric3_apply(&body->rotational, joint->axis);
    return body->mass * atemi_vec3_dot(arm, arm) + atemi_vec3_dot(joint->axis, spin);
}

// With I' of the estimate for `across`.
static double moved_inertia(const atemi_model *model, const atemi_joint *joint, bool across)
{
    double          sum = 0.0;
    atemi_transform pose;
    for (int i = 0; i < atemi_model_link_count(model); ++i) {
        if (find_pose(model, joint, i, &pose)) {
            const atemi_inertia body =
                atemi_inertia_transformed(&atemi_model_link(model, i)->inertia, &pose);
            sum += inertia_of(joint, &body, across);
        }
    }
    return sum;
}

// ---- The rating -----------------------------------------------------------------------------

double atemi_joint_lever(const atemi_joint *joint)
{
    return joint->type == ATEMI_JOINT_PRISMATIC ? pinion_radius : 1.0;
}

static bool is_stated(double limit, double highest)
{
    return limit > 0.0 && limit <= highest;
}

atemi_joint_rating atemi_joint_rating_of(const atemi_model *model, int i)
{
    atemi_joint_rating rating = {0};
    ATEMI_REQUIRE_OR(model, rating);
    const atemi_joint *joint = atemi_coordination_model_joint(model, i);
    ATEMI_REQUIRE_OR(joint, rating);
    const double r = atemi_joint_lever(joint);
    const double weight = standard_gravity * atemi_model_mass(model);
    rating.effort_is_stated = is_stated(joint->limits.effort, highest_lever * weight / r);
    const double least = least_inertia / (r * r);
    rating.inertia = fmax(moved_inertia(model, joint, false), least);
    const double I =
        rating.effort_is_stated ? rating.inertia : fmax(moved_inertia(model, joint, true), least);
    rating.effort = rating.effort_is_stated ? joint->limits.effort : effort_rate * r * I;
    rating.velocity_is_stated = is_stated(joint->limits.velocity, highest_velocity * r);
    rating.rotor_is_stated = joint->armature > 0.0;
    const double links = sqrt(2.0 * rating.effort * run_up * r / I);
    const double rotor = rating.rotor_is_stated ? quickest * rating.effort / joint->armature : 0.0;
    const double quick = fmin(fmax(links, rotor), highest_velocity * r);
    rating.velocity = rating.velocity_is_stated ? joint->limits.velocity : quick;
    rating.rotor =
        rating.rotor_is_stated ? joint->armature : rotor_time * rating.effort / rating.velocity;
    return rating;
}

const char *atemi_drive_figure_estimate(const atemi_joint_rating *rating, atemi_drive_figure figure)
{
    ATEMI_REQUIRE_OR(rating, NULL);
    switch (figure) {
    case ATEMI_DRIVE_EFFORT:
        return rating->effort_is_stated ? NULL : "inertia";
    case ATEMI_DRIVE_VELOCITY:
        return rating->velocity_is_stated ? NULL : "effort and inertia";
    case ATEMI_DRIVE_ROTOR:
        return rating->rotor_is_stated ? NULL : "effort and speed";
    case ATEMI_DRIVE_SPRING:
        return "effort";
    case ATEMI_DRIVE_SPRING_DAMPING:
        return "spring and rotor";
    }
    return NULL;
}
