// SPDX-License-Identifier: Apache-2.0

#include "plan/problem/strike_setup.h"

#include "atemi/inverse_kinematics.h"
#include "impact/servo_rotors.h"

#include <math.h>

// ---- Joints

// The joints between the base and a foot.
static void find_legs(strike_setup *s)
{
    for (int i = 0; i < s->task.foot_count; ++i) {
        int link = s->foot_links[i];
        while (atemi_model_link(s->model, link)->parent_joint != ATEMI_NONE) {
            const int          j = atemi_model_link(s->model, link)->parent_joint;
            const atemi_joint *joint = atemi_model_joint(s->model, j);
            if (joint->v_count == 1 && !s->moving[joint->first_v]) {
                s->moving[joint->first_v] = true;
                s->leg_joints[s->leg_joint_count++] = j;
            }
            link = joint->parent_link;
        }
    }
}

// The joints that are given at a limit, and that nothing decides on.
static void find_locked(strike_setup *s)
{
    for (int j = 0; j < atemi_model_joint_count(s->model); ++j) {
        const atemi_joint *joint = atemi_model_joint(s->model, j);
        if (joint->v_count == 1 && joint->q_count == 1) {
            const double given = s->task.q[joint->first_q];
            const bool   inside = joint->limits.lower < given && given < joint->limits.upper;
            s->locked[joint->first_v] = !inside && !s->moving[joint->first_v];
        }
    }
    for (int i = 0; i < s->task.joint_count; ++i) {
        s->locked[atemi_model_joint(s->model, s->task.joints[i])->first_v] = false;
    }
}

// Two feet that stand flat beside each other and legs of less than six joints make a chain that can
// move as seen from the side only. Joints about other axes could begin to move, both hips' yaw for
// one, but not go on without a foot that slides.
enum { FULL_LEG = 6 };
static const double is_lateral = 0.9; // least cosine of an axis with a foot's y

static int leg_joints(const strike_setup *s, int foot)
{
    int count = 0;
    for (int link = s->foot_links[foot];;) {
        const int j = atemi_model_link(s->model, link)->parent_joint;
        if (j == ATEMI_NONE) {
            return count;
        }
        count += atemi_model_joint(s->model, j)->v_count;
        link = atemi_model_joint(s->model, j)->parent_link;
    }
}

static void find_still_of_leg(strike_setup *s, const atemi_kinematics *kinematics, int foot)
{
    const atemi_site     *site = strike_setup_foot(s, foot);
    const atemi_transform link = atemi_link_pose_in(s->model, kinematics, site->link);
    const atemi_vec3      y = atemi_mat3_apply(&link.rotation, site->pose.rotation.y);
    for (int at = site->link; atemi_model_link(s->model, at)->parent_joint != ATEMI_NONE;) {
        const atemi_joint *joint =
            atemi_model_joint(s->model, atemi_model_link(s->model, at)->parent_joint);
        const atemi_transform pose = atemi_link_pose_in(s->model, kinematics, joint->child_link);
        const atemi_vec3      axis = atemi_mat3_apply(&pose.rotation, joint->axis);
        if (joint->v_count == 1) {
            s->still[joint->first_v] = fabs(atemi_vec3_dot(axis, y)) < is_lateral;
        }
        at = joint->parent_link;
    }
}

// ---- Knees

// With the axis n of a joint through K, and A and B where the hip and the ankle of its leg are as
// seen from K, less their parts along n, the leg is longest where B points away from A: at the
// angle
//
//   atan2(n . (B x -A), -A . B)
//
// from here. A knee that gets there could only go on by a jump of the joint velocities. The knee is
// the joint of a leg about which ankle and hip come together fastest: |n . (A x B)| / |A - B| is
// largest.

static const double hardly_bent = 0.02; // m/rad

static atemi_vec3 across(atemi_vec3 v, atemi_vec3 n)
{
    return atemi_vec3_sub(v, atemi_vec3_scale(atemi_vec3_dot(v, n), n));
}

// @param fastest the largest so far of the leg, m/rad
static void look_at_knee(strike_setup *s, const atemi_joint *joint,
                         const atemi_kinematics *kinematics, atemi_vec3 hip, atemi_vec3 ankle,
                         double *fastest, int *knee, double *straight)
{
    const atemi_transform pose = atemi_link_pose_in(s->model, kinematics, joint->child_link);
    const atemi_vec3      n = atemi_mat3_apply(&pose.rotation, joint->axis);
    const atemi_vec3      A = across(atemi_vec3_sub(hip, pose.position), n);
    const atemi_vec3      B = across(atemi_vec3_sub(ankle, pose.position), n);
    const double          size = atemi_vec3_norm(atemi_vec3_sub(hip, ankle));
    const double          turn = atemi_vec3_dot(n, atemi_vec3_cross(A, B));
    if (size > 0.0 && fabs(turn) / size > *fastest) {
        *fastest = fabs(turn) / size;
        *knee = joint->first_v;
        *straight = s->task.q[joint->first_q] + atan2(turn, -atemi_vec3_dot(A, B));
    }
}

static void find_knee(strike_setup *s, const atemi_kinematics *kinematics, int foot)
{
    const atemi_model *model = s->model;
    const int          end = strike_setup_foot(s, foot)->link;
    int                last = ATEMI_NONE, first = ATEMI_NONE;
    for (int at = end; atemi_model_link(model, at)->parent_joint != ATEMI_NONE;) {
        const int          j = atemi_model_link(model, at)->parent_joint;
        const atemi_joint *joint = atemi_model_joint(model, j);
        if (joint->v_count == 1 && joint->q_count == 1) {
            last = last == ATEMI_NONE ? j : last;
            first = j;
        }
        at = joint->parent_link;
    }
    if (first == last) {
        return;
    }
    const atemi_vec3 hip =
        atemi_link_pose_in(model, kinematics, atemi_model_joint(model, first)->child_link).position;
    const atemi_vec3 ankle =
        atemi_link_pose_in(model, kinematics, atemi_model_joint(model, last)->child_link).position;
    double fastest = hardly_bent, straight = 0.0, given = 0.0;
    int    knee = ATEMI_NONE;
    for (int at = end; atemi_model_link(model, at)->parent_joint != ATEMI_NONE;) {
        const int          j = atemi_model_link(model, at)->parent_joint;
        const atemi_joint *joint = atemi_model_joint(model, j);
        if (joint->v_count == 1 && joint->q_count == 1 && joint->type != ATEMI_JOINT_PRISMATIC) {
            const int before = knee;
            look_at_knee(s, joint, kinematics, hip, ankle, &fastest, &knee, &straight);
            given = knee != before ? s->task.q[joint->first_q] : given;
        }
        at = joint->parent_link;
    }
    if (knee != ATEMI_NONE && straight < given) {
        s->bent_lower[knee] = straight;
    } else if (knee != ATEMI_NONE) {
        s->bent_upper[knee] = straight;
    }
}

double strike_setup_lower(const strike_setup *s, const atemi_joint *joint)
{
    return fmax(joint->limits.lower, s->bent_lower[joint->first_v]);
}

bool strike_setup_has_range(const strike_setup *s, const atemi_joint *joint)
{
    const int v = joint->first_v;
    return isfinite(joint->limits.lower + joint->limits.upper) || isfinite(s->bent_lower[v]) ||
           isfinite(s->bent_upper[v]);
}

double strike_setup_upper(const strike_setup *s, const atemi_joint *joint)
{
    return fmin(joint->limits.upper, s->bent_upper[joint->first_v]);
}

static atemi_status find_still(strike_setup *s, atemi_error *error)
{
    atemi_arena arena = atemi_arena_measuring();
    atemi_kinematics_take(&arena, s->model);
    const atemi_status status = atemi_arena_create(&arena, arena.used, error);
    if (!status) {
        atemi_kinematics kinematics = atemi_kinematics_take(&arena, s->model);
        atemi_kinematics_update(s->model, s->task.q, NULL, NULL, &kinematics);
        s->bolted = s->task.foot_count == 1 && leg_joints(s, 0) == 0;
        for (int i = 0; i < s->v_count; ++i) {
            s->bent_lower[i] = -INFINITY;
            s->bent_upper[i] = INFINITY;
        }
        for (int i = 0; i < s->task.foot_count; ++i) {
            find_knee(s, &kinematics, i);
        }
        for (int i = 0; i < s->task.foot_count && s->task.foot_count > 1; ++i) {
            if (leg_joints(s, i) < FULL_LEG) {
                s->sagittal = true;
                find_still_of_leg(s, &kinematics, i);
            }
        }
        atemi_arena_destroy(&arena);
    }
    return status;
}

void strike_setup_weights(const strike_setup *s, const double *q, double *weights)
{
    atemi_limit_weights(s->model, q, weights);
    for (int i = 0; i < s->v_count; ++i) {
        weights[i] = s->still[i] ? (double)INFINITY : weights[i];
    }
}

bool strike_setup_is_locked(const strike_setup *s, const atemi_joint *joint)
{
    return s->locked[joint->first_v];
}

double strike_setup_speed(const strike_setup *s, const atemi_joint *joint)
{
    return isfinite(joint->limits.velocity) ? joint->limits.velocity : s->task.free_speed;
}

double strike_setup_speed_limit(const strike_setup *s, const atemi_joint *joint)
{
    if (joint->v_count != 1) {
        return INFINITY;
    }
    return strike_setup_speed(s, joint) *
           (s->moving[joint->first_v] ? s->task.leg_speed : s->task.other_speed);
}

// ---- Feet

const atemi_site *strike_setup_foot(const strike_setup *s, int foot)
{
    return atemi_model_site(s->model, s->task.feet[foot]);
}

int strike_setup_corners(const strike_setup *s, atemi_contact_point *points)
{
    const atemi_transform here = atemi_transform_identity();
    int                   count = 0;
    for (int i = 0; i < s->task.foot_count; ++i) {
        atemi_vec3 corners[4];
        const int  some = atemi_site_corners(strike_setup_foot(s, i), &here, corners);
        for (int k = 0; k < some; ++k) {
            points[count++] = (atemi_contact_point){s->foot_links[i], corners[k]};
        }
    }
    return count;
}

atemi_ground strike_setup_ground(const strike_setup *s)
{
    atemi_ground ground = atemi_ground_default();
    ground.links = s->foot_links;
    ground.count = s->task.foot_count;
    ground.rotors = s->rotors;
    ground.locked = s->locked;
    return ground;
}

// ---- Rotors

// At the given posture, so that they are the same in all others.
static atemi_status find_rotors(strike_setup *s, atemi_error *error)
{
    const double steps = strike_touch_is_linear(&s->task) ? 0.0 : 0.5 * s->touch.step;
    atemi_arena  arena = atemi_arena_measuring();
    atemi_mass_factor_take(&arena, s->model);
    atemi_arena_array(&arena, double, s->v_count);
    const atemi_status status = atemi_arena_create(&arena, arena.used, error);
    if (!status) {
        atemi_mass_factor factor = atemi_mass_factor_take(&arena, s->model);
        double           *work = atemi_arena_array(&arena, double, s->v_count);
        atemi_mass_factor_update(s->model, s->task.q, &factor);
        atemi_servo_rotors(s->model, &s->task.servo, fmax(usual_shortest_lag, steps), &factor, work,
                           s->rotors);
        atemi_arena_destroy(&arena);
    }
    return status;
}

// ---- Capsules

static int capsules_of(const atemi_strike_task *task)
{
    return isfinite(task->self_clearance) ? strike_capsules_count(task->model) : 0;
}

static void take_kinematics(const strike_setup *s, atemi_arena *arena, atemi_kinematics *kinematics,
                            double **q, bool **moving)
{
    *kinematics = atemi_kinematics_take(arena, s->model);
    *q = atemi_arena_array(arena, double, atemi_model_q_count(s->model));
    *moving = atemi_arena_array(arena, bool, s->v_count);
}

static atemi_status find_capsules(strike_setup *s, atemi_error *error)
{
    atemi_kinematics kinematics;
    double          *q;
    bool            *moving;
    atemi_arena      arena = atemi_arena_measuring();
    take_kinematics(s, &arena, &kinematics, &q, &moving);
    const atemi_status status = atemi_arena_create(&arena, arena.used, error);
    if (!status) {
        take_kinematics(s, &arena, &kinematics, &q, &moving);
        for (int i = 0; i < s->v_count; ++i) {
            moving[i] = !s->locked[i];
        }
        strike_capsules_fill(&s->capsules, s->model, moving, q, &kinematics);
        atemi_arena_destroy(&arena);
    }
    return status;
}

// ---- Creation

static void take(strike_setup *s, atemi_arena *arena)
{
    const int links = atemi_model_link_count(s->model);
    s->leg_joints = atemi_arena_array(arena, int, atemi_model_joint_count(s->model));
    s->moving = atemi_arena_array(arena, bool, s->v_count);
    s->locked = atemi_arena_array(arena, bool, s->v_count);
    s->still = atemi_arena_array(arena, bool, s->v_count);
    s->bent_lower = atemi_arena_array(arena, double, s->v_count);
    s->bent_upper = atemi_arena_array(arena, double, s->v_count);
    s->rotors = atemi_arena_array(arena, double, s->v_count);
    s->balls.list = atemi_arena_array(arena, strike_ball, s->balls.count);
    s->capsules.list = atemi_arena_array(arena, strike_capsule, s->capsules.count);
    s->capsules.made = atemi_arena_array(arena, double, s->capsules.count > 0 ? links * links : 0);
}

atemi_status strike_setup_create(const atemi_strike_task *task, strike_setup *s, atemi_error *error)
{
    *s = (strike_setup){.task = *task,
                        .model = task->model,
                        .v_count = atemi_model_v_count(task->model),
                        .base_count = 6, // floating: strike_task_check() refuses all others
                        .touch = strike_touch_find(task),
                        .balls.count = strike_balls_count(task),
                        .capsules.count = capsules_of(task)};
    s->task.friction *= 1.0 - task->doubt.friction; // the least is the worst for every row
    s->task.travel_friction *= 1.0 - task->doubt.friction;
    atemi_arena arena = atemi_arena_measuring();
    take(s, &arena);
    const atemi_status status = atemi_arena_create(&s->arena, arena.used, error);
    if (status) {
        return status;
    }
    take(s, &s->arena);
    for (int i = 0; i < task->foot_count; ++i) {
        s->foot_links[i] = strike_setup_foot(s, i)->link;
    }
    find_legs(s);
    find_locked(s);
    strike_balls_fill(&s->balls, &s->task);
    s->ik_options = atemi_inverse_kinematics_options_default();
    s->ik_options.moving = s->moving;
    s->ik_options.tolerance = 1e-12;
    s->ik_options.retries = 0;
    atemi_status found = find_still(s, error);
    if (!found && s->capsules.count > 0) {
        found = find_capsules(s, error);
    }
    return found ? found : find_rotors(s, error);
}

void strike_setup_destroy(strike_setup *s)
{
    atemi_arena_destroy(&s->arena);
}
