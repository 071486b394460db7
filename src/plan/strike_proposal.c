// SPDX-License-Identifier: Apache-2.0

#include "atemi/strike_proposal.h"

#include "atemi/base.h"
#include "atemi/kinematics.h"
#include "atemi/model.h"

#include <math.h>
#include <string.h>

// With m the mass of the robot, l the length of its leg, a and b the side lengths of its sole, in
// proportion to the robot of [STRIKE] (0):
//
//   momenta  p = p_0 m / m_0,   angular momenta  L = L_0 m l / (m_0 l_0)
//   gains    K = K_0 m l^2 / (m_0 l_0^2): joints are as quick
//   margins  0.05 m a / a_0 of the ZMP, 0.15 min(a, b) under each foot
//
// The waist may move by 25 degrees and the arm by 80, both within the limits of joints less 8
// degrees; about the forward axis, hardly towards the trunk. A leg of less than six joints cannot
// put its foot beside its hip: how far apart the feet are stays as it is. An arm of less than six
// cannot keep its hand from rotating.

static const double pi = 3.14159265358979323846;
static const double mass_0 = 56.0, leg_0 = 0.6, sole_0 = 0.24;          // kg, m, m
static const double knee = 0.9;                                         // rad, at the start
static const double margin = 0.14, waist_range = 0.44, arm_range = 1.4; // rad
static const double is_forward = 0.8, inwards = 0.15;    // least cosine of an axis, rad
static const double strike_place[3] = {0.55, 0.0, -0.5}; // of the fist, of the arm's length
static const double bolted_place[3] = {0.5, 0.0, 0.2};   // the same of an arm without legs
static const double plate = 4.0, bolted_friction = 10.0; // m: what bolts are taken for
static const double guard_place[3] = {0.3, 0.25, -0.5};  // of the other one
enum { FULL_LIMB = 6 };

typedef struct making {
    const atemi_model       *model;
    const atemi_strike_wish *wish;
    atemi_arena              arena;
    atemi_humanoid_scratch  *scratch;
    double                  *straight; ///< [q_count] with the legs as they were
    atemi_strike_proposal   *p;
} making;

static double of_mass(const making *m, double value)
{
    return value * atemi_model_mass(m->model) / mass_0;
}

static double of_moment(const making *m, double value)
{
    return of_mass(m, value) * m->p->humanoid.legs[0].length / leg_0;
}

// ---- Posture

static atemi_status find_robot(making *m, atemi_error *error)
{
    atemi_status status = atemi_humanoid_find(m->model, m->p->q, &m->wish->humanoid, m->scratch,
                                              &m->p->humanoid, error);
    if (!status && m->p->humanoid.arm_count == 0) {
        status = atemi_fail(error, ATEMI_ERROR_INPUT,
                            "the robot has no arm of three joints or more: nothing can strike");
    }
    return status;
}

// An arm without legs stands on a plate.
static void bolt(making *m)
{
    atemi_humanoid *h = &m->p->humanoid;
    h->legs[0] = (atemi_limb){.length = h->arms[0].length};
    h->soles[0] = (atemi_sole){.source = ATEMI_OUTLINE_GIVEN,
                               .site = ATEMI_NONE,
                               .pose = atemi_transform_identity(),
                               .size_x = plate,
                               .size_y = plate};
}

// Fingers rest at a limit, where the planner leaves them: the one nearer to where they are.
static double finger_place(const atemi_joint *joint, double q)
{
    const double lower = joint->limits.lower, upper = joint->limits.upper;
    if (isfinite(lower) && (!isfinite(upper) || q - lower < upper - q)) {
        return lower;
    }
    return isfinite(upper) ? upper : q;
}

static void keep_limits(making *m)
{
    for (int j = 0; j < atemi_model_joint_count(m->model); ++j) {
        const atemi_joint *joint = atemi_model_joint(m->model, j);
        if (joint->q_count == 1) {
            double *q = &m->p->q[joint->first_q];
            *q = fmin(fmax(*q, joint->limits.lower), joint->limits.upper);
            *q = atemi_humanoid_is_finger(m->model, &m->p->humanoid, j) ? finger_place(joint, *q)
                                                                        : *q;
        }
    }
}

// The first joint of the arm that strikes, above the soles.
static double shoulder_height(making *m)
{
    const atemi_limb *arm = &m->p->humanoid.arms[m->p->side];
    atemi_data       *data = atemi_humanoid_data(m->scratch);
    int               j = 0;
    while (!atemi_limb_has_joint(m->model, arm, j)) {
        ++j; // depth first: nearer to the trunk comes before
    }
    atemi_update_kinematics(data, m->p->q, NULL, NULL);
    return atemi_link_pose(data, atemi_model_joint(m->model, j)->child_link).position.z -
           m->p->stance.soles[0].z;
}

static atemi_vec3 place(const double of[3])
{
    return (atemi_vec3){of[0], of[1], of[2]};
}

static void reach(making *m)
{
    atemi_strike_proposal *p = m->p;
    atemi_reach            strike = {
                   .place = place(p->bolted ? bolted_place : strike_place), .aims = true, .margin = margin};
    atemi_reach guard = {.place = place(guard_place), .margin = margin};
    if (isfinite(m->wish->height)) {
        const double up = m->wish->height - shoulder_height(m);
        strike.place.z = up / p->humanoid.arms[p->side].length;
    }
    p->angle = atemi_humanoid_reach(m->model, &p->humanoid, p->side, &strike, m->scratch, p->q);
    if (p->humanoid.arm_count > 1) {
        atemi_humanoid_reach(m->model, &p->humanoid, 1 - p->side, &guard, m->scratch, p->q);
    }
}

// Arms first: they move the centre of mass, below which the feet are to be.
static atemi_status find_posture(making *m, atemi_error *error)
{
    atemi_strike_proposal *p = m->p;
    const size_t           bytes = (size_t)atemi_model_q_count(m->model) * sizeof *p->q;
    keep_limits(m);
    if (p->bolted) {
        reach(m);
        return ATEMI_OK;
    }
    memcpy(m->straight, p->q, bytes);
    const atemi_status status = atemi_humanoid_stand(m->model, &p->humanoid, knee, m->scratch,
                                                     m->straight, &p->stance, error);
    if (status) {
        return status;
    }
    reach(m);
    return atemi_humanoid_stand(m->model, &p->humanoid, knee, m->scratch, p->q, &p->stance, error);
}

// ---- The hand

static void set_hand(making *m)
{
    atemi_strike_task *task = &m->p->task;
    const atemi_limb  *arm = &m->p->humanoid.arms[m->p->side];
    const atemi_fist  *fist = &m->p->humanoid.fists[m->p->side];
    atemi_data        *data = atemi_humanoid_data(m->scratch);
    atemi_update_kinematics(data, m->p->q, NULL, NULL);
    const atemi_transform link = atemi_link_pose(data, arm->end);
    const double          up = atemi_transform_apply(&link, fist->point).z;
    task->point.link = arm->end;
    task->point.point = fist->point;
    task->axes[0] = fist->axis;
    task->hits[0] = (atemi_strike_hit){
        .place = {INFINITY, INFINITY, floor(100.0 * (up - m->p->stance.soles[0].z) + 0.5) / 100.0},
        .tolerance = {INFINITY, INFINITY, 0.01}};
    if (isfinite(m->wish->height)) {
        task->hits[0].place[2] = m->wish->height;
    }
}

// ---- Feet

static atemi_strike_range fixed(double value)
{
    return (atemi_strike_range){value, value, value};
}

// Along an axis of the base: what is given forwards or to the left may be backwards there.
static atemi_strike_range along(double sign, atemi_strike_range r)
{
    return sign > 0.0 ? r : (atemi_strike_range){-r.start, -r.upper, -r.lower};
}

static bool has_full_legs(const atemi_humanoid *h)
{
    return h->legs[0].joint_count >= FULL_LIMB && h->legs[1].joint_count >= FULL_LIMB;
}

static void set_plate(making *m)
{
    atemi_strike_task *task = &m->p->task;
    for (int k = 0; k < 3; ++k) {
        task->foot_position[k] = task->foot_rotation[k] = fixed(0.0);
    }
}

static void set_feet(making *m)
{
    atemi_strike_task       *task = &m->p->task;
    const atemi_humanoid    *h = &m->p->humanoid;
    const atemi_vec3         right = m->p->stance.soles[ATEMI_SIDE_RIGHT];
    const atemi_vec3         left = m->p->stance.soles[ATEMI_SIDE_LEFT];
    const double             l = h->legs[0].length, hips = m->p->stance.hips;
    const double             yaw = atan2(h->facing.x.y, h->facing.x.x);
    const double             apart = left.y - right.y, wide = has_full_legs(h) ? l : 0.0;
    const atemi_strike_range x = {right.x, right.x - 0.25 * l, right.x + 0.25 * l};
    const atemi_strike_range y = {right.y, right.y - 0.25 * wide, right.y};
    const bool               turned = fabs(h->facing.x.y) > fabs(h->facing.x.x);
    task->foot_position[0] = turned ? along(h->facing.y.x, y) : along(h->facing.x.x, x);
    task->foot_position[1] = turned ? along(h->facing.x.y, x) : along(h->facing.y.y, y);
    task->foot_position[2] = (atemi_strike_range){right.z, right.z - fmax(0.985 * l - hips, 0.0),
                                                  right.z + fmax(hips - 0.75 * l, 0.0)};
    task->foot_rotation[0] = fixed(0.0);
    task->foot_rotation[1] = (atemi_strike_range){0.0, -pi / 18.0, pi / 18.0};
    task->foot_rotation[2] = fixed(yaw);
    task->stance[0][0] = (atemi_strike_range){left.x - right.x, -0.45 * l, 0.45 * l};
    task->stance[0][1] = (atemi_strike_range){apart, apart, apart + 0.4 * wide};
}

// ---- Joints

static atemi_strike_range joint_range(const atemi_joint *joint, double start, double width)
{
    const bool   slides = joint->type == ATEMI_JOINT_PRISMATIC;
    const double far = slides ? 0.1 : width;
    const double whole = joint->limits.upper - joint->limits.lower;
    const double off = fmin(slides ? 0.0 : margin, 0.1 * fmax(whole, 0.0));
    const double lower = fmax(start - far, joint->limits.lower + off);
    const double upper = fmin(start + far, joint->limits.upper - off);
    return (atemi_strike_range){fmin(fmax(start, lower), upper), lower, upper};
}

// A joint about the forward axis that would take the arm into the trunk: no farther than a little
// nearer to it than at the start.
static void keep_off_trunk(making *m, const atemi_joint *joint, atemi_strike_range *range)
{
    const atemi_data     *data = atemi_humanoid_data(m->scratch); // at the start
    const atemi_humanoid *h = &m->p->humanoid;
    const atemi_limb     *arm = &h->arms[m->p->side];
    const atemi_transform pose = atemi_link_pose(data, joint->child_link);
    const atemi_vec3      axis = atemi_mat3_apply(&pose.rotation, joint->axis);
    const atemi_vec3      hand = atemi_link_pose(data, arm->end).position;
    const atemi_vec3      moves = atemi_vec3_cross(axis, atemi_vec3_sub(hand, pose.position));
    const double          side = m->p->side == ATEMI_SIDE_LEFT ? 1.0 : -1.0;
    const double          outwards = side * atemi_vec3_dot(h->facing.y, moves);
    if (fabs(atemi_vec3_dot(axis, h->facing.x)) < is_forward) {
        return;
    }
    if (outwards > 0.0) {
        range->lower = fmax(range->lower, range->start - inwards);
    } else {
        range->upper = fmin(range->upper, range->start + inwards);
    }
}

// From the base to the hand: the waist, then the arm.
static void set_joints(making *m)
{
    atemi_strike_proposal *p = m->p;
    const atemi_limb      *arm = &p->humanoid.arms[p->side];
    atemi_update_kinematics(atemi_humanoid_data(m->scratch), p->q, NULL, NULL);
    for (int j = 0; j < atemi_model_joint_count(m->model); ++j) {
        const atemi_joint *joint = atemi_model_joint(m->model, j);
        const bool         is_arm = atemi_limb_has_joint(m->model, arm, j);
        if (joint->q_count == 1 && (is_arm || atemi_limb_is_carried_by(m->model, arm, j))) {
            atemi_strike_range *range = &p->ranges[p->task.joint_count];
            *range = joint_range(joint, p->q[joint->first_q], is_arm ? arm_range : waist_range);
            p->joints[p->task.joint_count++] = j;
            if (is_arm && !p->bolted) {
                keep_off_trunk(m, joint, range);
            }
        }
    }
    p->task.joints = p->joints;
    p->task.joint_ranges = p->ranges;
    p->task.q = p->q;
}

static const double usual_speed = 8.0; // rad/s, of joints of humanoids

static void look_at_drives(making *m)
{
    m->p->effort_known = m->p->rotors_known = m->p->speed_known = true;
    for (int j = 0; j < atemi_model_joint_count(m->model); ++j) {
        const atemi_joint *joint = atemi_model_joint(m->model, j);
        if (joint->v_count == 1) {
            const double effort = joint->limits.effort;
            m->p->effort_known = m->p->effort_known && isfinite(effort) && effort > 0.0;
            m->p->speed_known = m->p->speed_known && isfinite(joint->limits.velocity);
            m->p->rotors_known = m->p->rotors_known && joint->armature > 0.0;
        }
    }
    m->p->task.free_speed = usual_speed;
}

// ---- Sizes

static atemi_strike_range around_zero(double width)
{
    return (atemi_strike_range){0.0, -width, width};
}

// A number that people read: two digits.
static double rounded(double value)
{
    const double unit = pow(10.0, floor(log10(fmax(value, 1e-9))) - 1.0);
    return unit * floor(value / unit + 0.5);
}

static void set_sizes(making *m)
{
    atemi_strike_task *task = &m->p->task;
    const atemi_sole  *sole = &m->p->humanoid.soles[0];
    const double       margin_zmp = rounded(0.05 * sole->size_x / sole_0);
    task->speed = (atemi_strike_range){1.0, 0.0, INFINITY};
    task->lift = around_zero(rounded(of_mass(m, 3.0)));
    task->roll = task->pitch = around_zero(rounded(of_moment(m, 3.0)));
    task->com_x = task->com_y = around_zero(INFINITY);
    task->momentum_side = rounded(of_mass(m, 5.0));
    task->spin = rounded(of_moment(m, 5.0));
    task->impact_margin = task->motion_margin = margin_zmp;
    task->edge_margin = rounded(0.15 * fmin(sole->size_x, sole->size_y));
    task->friction = task->travel_friction = 0.6;
    if (!m->p->bolted && !has_full_legs(&m->p->humanoid)) {
        task->roll = fixed(0.0); // no goal
    }
    if (m->p->humanoid.arms[m->p->side].joint_count < FULL_LIMB) {
        task->angular_speed = INFINITY;
    }
    task->target.mass = isfinite(m->wish->mass) ? m->wish->mass : rounded(of_mass(m, 5.0));
    if (m->p->bolted) {
        task->lift = task->roll = task->pitch = task->com_x = task->com_y = fixed(0.0);
        task->momentum_side = task->spin = INFINITY;
        task->impact_margin = task->motion_margin = 0.05;
        task->edge_margin = 0.02;
        task->friction = task->travel_friction = bolted_friction;
        task->angular_speed = INFINITY;
    }
    m->p->stiffness = rounded(of_moment(m, 8000.0) * m->p->humanoid.legs[0].length / leg_0);
    m->p->damping = 0.05 * m->p->stiffness;
}

// ---- All of it

atemi_strike_wish atemi_strike_wish_default(void)
{
    return (atemi_strike_wish){
        .humanoid = atemi_humanoid_options_default(), .height = NAN, .mass = NAN};
}

static void take_result(const atemi_model *model, atemi_arena *arena, atemi_strike_proposal *p)
{
    const int joints = atemi_model_joint_count(model);
    p->q = atemi_arena_array(arena, double, atemi_model_q_count(model));
    p->ranges = atemi_arena_array(arena, atemi_strike_range, joints);
    p->joints = atemi_arena_array(arena, int, joints);
}

static void take_work(making *m, atemi_arena *arena)
{
    m->scratch = atemi_humanoid_scratch_take(arena, m->model);
    m->straight = atemi_arena_array(arena, double, atemi_model_q_count(m->model));
}

static atemi_status take(making *m, atemi_error *error)
{
    atemi_arena result = atemi_arena_measuring(), work = atemi_arena_measuring();
    take_result(m->model, &result, m->p);
    take_work(m, &work);
    atemi_status status = atemi_arena_create(&m->p->arena, result.used, error);
    status = status ? status : atemi_arena_create(&m->arena, work.used, error);
    if (!status) {
        take_result(m->model, &m->p->arena, m->p);
        take_work(m, &m->arena);
        atemi_configuration_neutral(m->model, m->p->q);
    }
    return status;
}

static atemi_status fill(making *m, atemi_error *error)
{
    atemi_strike_proposal *p = m->p;
    atemi_status           status = find_robot(m, error);
    const int              hand = m->wish->humanoid.hand;
    p->side = hand != ATEMI_NONE && p->humanoid.arm_count > 1 &&
                      p->humanoid.arms[ATEMI_SIDE_LEFT].end == hand
                  ? ATEMI_SIDE_LEFT
                  : ATEMI_SIDE_RIGHT;
    p->bolted = !status && p->humanoid.leg_count == 0;
    if (p->bolted) {
        bolt(m);
    }
    status = status ? status : find_posture(m, error);
    if (!status) {
        p->task.model = m->model;
        p->task.foot_count = p->bolted ? 1 : ATEMI_SIDES;
        set_hand(m);
        if (p->bolted) {
            set_plate(m);
        } else {
            set_feet(m);
        }
        set_joints(m);
        set_sizes(m);
        look_at_drives(m);
    }
    return status;
}

atemi_status atemi_strike_proposal_create(const atemi_model *model, const atemi_strike_wish *wish,
                                          atemi_strike_proposal *proposal, atemi_error *error)
{
    ATEMI_REQUIRE_OR(model && proposal, ATEMI_ERROR_CONTRACT);
    const atemi_strike_wish usual = atemi_strike_wish_default();
    *proposal = (atemi_strike_proposal){.task = atemi_strike_task_default()};
    making       m = {.model = model, .wish = wish ? wish : &usual, .p = proposal};
    atemi_status status = take(&m, error);
    status = status ? status : fill(&m, error);
    atemi_arena_destroy(&m.arena);
    if (status) {
        atemi_strike_proposal_destroy(proposal);
    }
    return status;
}

void atemi_strike_proposal_destroy(atemi_strike_proposal *proposal)
{
    atemi_arena_destroy(&proposal->arena);
    *proposal = (atemi_strike_proposal){0};
}
