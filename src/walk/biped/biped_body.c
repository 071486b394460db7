// SPDX-License-Identifier: Apache-2.0

#include "atemi/dynamics.h"
#include "atemi/kinematics.h"
#include "walk/biped/biped_parts.h"

#include <math.h>
#include <string.h>

// The robot stands with bent knees, turned so that its feet point along x, soles on z = 0.

enum { LEAST_LEG = 5, FULL_LEG = 6 };

static const double spared = 0.8;      // fraction of the ankles' effort that the plan counts on
static const double knee_spared = 0.6; // of a knee's effort, that the weight on one leg may take
static const double knee_most = 1.0;   // likewise, on steps
static const double flat_turn = 0.05;  // rad, of a sole from lying flat
static const double flat_place = 0.02; // legs, of a sole from its place

atemi_mat3 biped_heading(double angle)
{
    const double c = cos(angle), s = sin(angle);
    return (atemi_mat3){{c, s, 0.0}, {-s, c, 0.0}, {0.0, 0.0, 1.0}};
}

bool biped_foot_rolls(const atemi_biped *biped, int side)
{
    return biped->humanoid.legs[side].joint_count < FULL_LEG;
}

static atemi_transform sole_pose(const atemi_biped *b, const atemi_data *data, int side)
{
    const atemi_transform link = atemi_link_pose(data, b->humanoid.legs[side].end);
    return atemi_transform_compose(&link, &b->humanoid.soles[side].pose);
}

static void keep_limits(const atemi_biped *b)
{
    for (int j = 0; j < atemi_model_joint_count(b->model); ++j) {
        const atemi_joint *joint = atemi_model_joint(b->model, j);
        if (joint->q_count == 1) {
            double *q = &b->posture[joint->first_q];
            *q = fmin(fmax(*q, joint->limits.lower), joint->limits.upper);
        }
    }
}

// Turns and shifts the base so that the soles' middle is at the origin and faces x.
static void place(atemi_biped *b, atemi_data *data)
{
    double *q = b->posture;
    for (int pass = 0; pass < 2; ++pass) { // the first turns, the second shifts
        atemi_update_kinematics(data, q, NULL, NULL);
        const atemi_transform right = sole_pose(b, data, ATEMI_SIDE_RIGHT);
        const atemi_transform left = sole_pose(b, data, ATEMI_SIDE_LEFT);
        const atemi_vec3      across = atemi_vec3_sub(left.position, right.position);
        if (pass == 0) {
            const double           angle = atan2(-across.x, across.y); // across shall be along y
            const atemi_mat3       R = biped_heading(-angle);
            const atemi_transform  base = atemi_link_pose(data, b->root);
            const atemi_mat3       turned = atemi_mat3_multiply(&R, &base.rotation);
            const atemi_quaternion o = atemi_quaternion_from_matrix(&turned);
            const double           place_of[] = {o.x, o.y, o.z, o.w};
            memcpy(q + 3, place_of, sizeof place_of);
        } else {
            q[0] -= 0.5 * (left.position.x + right.position.x);
            q[1] -= 0.5 * (left.position.y + right.position.y);
            q[2] -= fmin(left.position.z, right.position.z);
        }
    }
    atemi_update_kinematics(data, q, NULL, NULL);
    b->height = atemi_center_of_mass(data).z;
    b->gait.width = fabs(sole_pose(b, data, ATEMI_SIDE_LEFT).position.y -
                         sole_pose(b, data, ATEMI_SIDE_RIGHT).position.y);
}

// How far forwards and backwards the pressure may be: within the sole, and as far from the ankle as
// its effort carries the weight of the robot.
static void find_pressures(atemi_biped *b, const atemi_data *data)
{
    for (int side = 0; side < ATEMI_SIDES; ++side) {
        const atemi_joint    *ankle = atemi_model_joint(b->model, b->humanoid.pitches[side].ankle);
        const atemi_transform foot = atemi_link_pose(data, ankle->child_link);
        const atemi_transform sole = sole_pose(b, data, side);
        const double          half = 0.5 * (1.0 - b->options.edge) * b->humanoid.soles[side].size_x;
        const double          back = foot.position.x - sole.position.x; // of the ankle
        const double          arm = ankle->limits.effort > 0.0
                                        ? spared * ankle->limits.effort / (b->mass * b->gravity)
                                        : (double)INFINITY;
        const double          low = fmin(fmax(-half, back - arm), half);
        const double          high = fmax(fmin(half, back + arm), -half), rest = 0.5 * (low + high);
        b->places[side] = b->humanoid.soles[side].pose;
        b->places[side].position = atemi_vec3_add(
            b->places[side].position, atemi_vec3_scale(rest, b->places[side].rotation.x));
        b->ahead[side] = rest;
        b->low[side] = low - rest;
        b->high[side] = high - rest;
    }
}

// Between thigh and shin. The weight on a knee that is bent by a has the arm leg / 2 sin(a / 2): a
// weak knee bends less.
static double bend_at(const atemi_biped *b, double part, double most)
{
    const atemi_joint *knee = atemi_model_joint(b->model, b->humanoid.pitches[0].knee);
    const double       arm = part * knee->limits.effort / (b->mass * b->gravity);
    const double       sine = 2.0 * arm / b->humanoid.legs[0].length;
    return arm > 0.0 && sine < 1.0 ? fmin(most, 2.0 * asin(sine)) : most;
}

static double knee_bend(const atemi_biped *b)
{
    return bend_at(b, knee_spared, b->options.knee);
}

// The first joint of the legs that is at a limit, or NULL.
static const atemi_joint *find_stopped(const atemi_biped *b)
{
    for (int i = 0; i < atemi_model_joint_count(b->model); ++i) {
        const atemi_joint *joint = atemi_model_joint(b->model, i);
        const bool         leg = atemi_limb_has_joint(b->model, &b->humanoid.legs[0], i) ||
                         atemi_limb_has_joint(b->model, &b->humanoid.legs[1], i);
        if (leg && joint->q_count == 1 &&
            (b->posture[joint->first_q] <= joint->limits.lower ||
             b->posture[joint->first_q] >= joint->limits.upper)) {
            return joint;
        }
    }
    return NULL;
}

// Soles that are not flat would begin inside the floor.
static atemi_status check_stance(const atemi_biped *b, const atemi_stance *stance, double knee,
                                 atemi_error *error)
{
    const atemi_posture_report *r = &stance->report;
    const double                miss = r->position / b->humanoid.legs[0].length;
    if (r->rotation < flat_turn && miss < flat_place) {
        return ATEMI_OK;
    }
    const atemi_joint *stopped = find_stopped(b);
    return atemi_fail(
        error, ATEMI_ERROR_INPUT,
        "the legs of '%s' do not bring both soles flat to the floor with knees bent "
        "by %.2g rad%s%s%s; check the limits of the legs' joints in the robot's file, "
        "or give another stride.knee",
        atemi_model_name(b->model), knee, stopped ? ": joint '" : "", stopped ? stopped->name : "",
        stopped ? "' is at its limit" : "");
}

atemi_status biped_body_find(atemi_biped *b, const atemi_humanoid_options *parts,
                             atemi_humanoid_scratch *scratch, atemi_error *error)
{
    atemi_stance stance;
    atemi_configuration_neutral(b->model, b->posture);
    keep_limits(b);
    atemi_status status =
        atemi_humanoid_find(b->model, b->posture, parts, scratch, &b->humanoid, error);
    if (!status && b->humanoid.leg_count != ATEMI_SIDES) {
        status = atemi_fail(error, ATEMI_ERROR_INPUT,
                            "'%s' has no two legs: walking needs two limbs of three joints or more "
                            "that reach the floor",
                            atemi_model_name(b->model));
    }
    for (int side = 0; side < ATEMI_SIDES && !status; ++side) {
        if (b->humanoid.legs[side].joint_count < LEAST_LEG) {
            status = atemi_fail(error, ATEMI_ERROR_INPUT,
                                "a leg of '%s' has %d joints: walking in three dimensions needs "
                                "five or more; robots of the plane walk with base: sagittal",
                                atemi_model_name(b->model), b->humanoid.legs[side].joint_count);
        }
    }
    status = status ? status
                    : atemi_humanoid_stand(b->model, &b->humanoid, knee_bend(b), scratch,
                                           b->posture, &stance, error);
    status = status ? status : check_stance(b, &stance, knee_bend(b), error);
    if (!status) {
        b->leg = b->humanoid.legs[0].length;
        b->stretch = cos(0.5 * knee_bend(b));
        b->crouch = fmin(cos(0.5 * bend_at(b, knee_most, 1.5)), b->stretch);
        place(b, atemi_humanoid_data(scratch));
        find_pressures(b, atemi_humanoid_data(scratch));
    }
    return status;
}
