// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"
#include "atemi/humanoid.h"
#include "atemi/kinematics.h"
#include "math/random.h"
#include "motion/bodies.h"
#include "motion/humanoid_finding.h"

#include <math.h>
#include <string.h>

// Legs, as seen from the side: with a thigh t, a shin s and the knee bent by k, hip and ankle are
//
//   d = sqrt(t^2 + s^2 + 2 t s cos k)
//
// apart, of which the height is what the ankle is not before or behind the hip. Inverse kinematics
// begins with hip and ankle bent by -k/2.
//
// Arms: inverse kinematics from many postures within the limits. The best has the least
//
//   10 angle to forwards + 3 distance to the place + the elbow's height above the shoulder and way
//   inwards (both of the arm's length) + the mean over joints of ((q - middle) / half range)^4 / 2

static const double pi = 3.14159265358979323846;
static const double place_weight = 0.1; // beside the aim's 1
enum { POSTURES = 96 };

static double clamp(double x, double lower, double upper)
{
    return fmin(fmax(x, lower), upper);
}

static atemi_vec3 place_in(const atemi_humanoid *h, const atemi_data *data, int link)
{
    return atemi_mat3_apply_transposed(&h->facing, atemi_link_pose(data, link).position);
}

// ---- Legs

static int child_of(const atemi_model *model, int joint)
{
    return atemi_model_joint(model, joint)->child_link;
}

// Forwards and up only.
static double side_length(atemi_vec3 a, atemi_vec3 b)
{
    return hypot(a.x - b.x, a.z - b.z);
}

static void bend(const atemi_model *model, const atemi_humanoid *h, const atemi_data *data,
                 int joint, double angle, double *q)
{
    const atemi_joint    *j = atemi_model_joint(model, joint);
    const atemi_transform pose = atemi_link_pose(data, j->child_link);
    const atemi_vec3      axis = atemi_mat3_apply(&pose.rotation, j->axis);
    const double          sign = atemi_vec3_dot(axis, h->facing.y) > 0.0 ? 1.0 : -1.0;
    q[j->first_q] = clamp(q[j->first_q] + sign * angle, j->limits.lower, j->limits.upper);
}

static atemi_vec3 sole_place(const atemi_humanoid *h, const atemi_data *data, int side)
{
    const atemi_transform link = atemi_link_pose(data, h->legs[side].end);
    return atemi_mat3_apply_transposed(&h->facing,
                                       atemi_transform_apply(&link, h->soles[side].pose.position));
}

// Where the sole shall be, and the height of its hip above its ankle.
static atemi_vec3 sole_goal(const atemi_model *model, const atemi_humanoid *h,
                            const atemi_data *data, int side, double knee, double *hips)
{
    const atemi_leg_pitch *p = &h->pitches[side];
    const atemi_vec3       hip = place_in(h, data, child_of(model, p->hip));
    const atemi_vec3       bent = place_in(h, data, child_of(model, p->knee));
    const atemi_vec3       ankle = place_in(h, data, child_of(model, p->ankle));
    const atemi_vec3       sole = sole_place(h, data, side);
    const atemi_vec3 com = atemi_mat3_apply_transposed(&h->facing, atemi_center_of_mass(data));
    const double     t = side_length(hip, bent), s = side_length(bent, ankle);
    const double     square = t * t + s * s + 2.0 * t * s * cos(knee);
    const double     ahead = com.x - (sole.x - ankle.x) - hip.x;
    *hips = sqrt(fmax(square - ahead * ahead, 0.25 * square));
    return (atemi_vec3){com.x, sole.y, hip.z - *hips + sole.z - ankle.z};
}

static void mark_limb(const atemi_model *model, const atemi_limb *limb, bool *moving)
{
    for (int j = 0; j < atemi_model_joint_count(model); ++j) {
        const atemi_joint *joint = atemi_model_joint(model, j);
        if (joint->v_count == 1 && atemi_limb_has_joint(model, limb, j)) {
            moving[joint->first_v] = true;
        }
    }
}

static void forget_moving(const atemi_model *model, bool *moving)
{
    memset(moving, 0, (size_t)atemi_model_v_count(model) * sizeof *moving);
}

atemi_status atemi_humanoid_stand(const atemi_model *model, const atemi_humanoid *humanoid,
                                  double knee, atemi_humanoid_scratch *scratch, double *q,
                                  atemi_stance *stance, atemi_error *error)
{
    ATEMI_REQUIRE_OR(model && humanoid && scratch && q && stance, ATEMI_ERROR_CONTRACT);
    ATEMI_REQUIRE_OR(humanoid->leg_count == ATEMI_SIDES, ATEMI_ERROR_CONTRACT);
    atemi_inverse_kinematics_options options = atemi_inverse_kinematics_options_default();
    atemi_posture_goal               goals[ATEMI_SIDES];
    atemi_data                      *data = scratch->data;
    double                           hips[ATEMI_SIDES];
    atemi_update_kinematics(data, q, NULL, NULL);
    for (int i = 0; i < ATEMI_SIDES; ++i) {
        stance->soles[i] = sole_goal(model, humanoid, data, i, knee, &hips[i]);
    }
    const double low = 0.5 * (stance->soles[0].z + stance->soles[1].z);
    forget_moving(model, scratch->moving);
    for (int i = 0; i < ATEMI_SIDES; ++i) {
        const atemi_leg_pitch *p = &humanoid->pitches[i];
        stance->soles[i].z = low;
        bend(model, humanoid, data, p->hip, -0.5 * knee, q);
        bend(model, humanoid, data, p->knee, knee, q);
        bend(model, humanoid, data, p->ankle, -0.5 * knee, q);
        mark_limb(model, &humanoid->legs[i], scratch->moving);
        goals[i] = atemi_posture_goal_default();
        goals[i].link = humanoid->legs[i].end;
        goals[i].frame = humanoid->soles[i].pose;
        goals[i].target.rotation = humanoid->facing;
        goals[i].target.position = atemi_mat3_apply(&humanoid->facing, stance->soles[i]);
    }
    stance->hips = 0.5 * (hips[0] + hips[1]);
    options.moving = scratch->moving;
    return atemi_inverse_kinematics(model, goals, ATEMI_SIDES, &options, scratch->kinematics, q,
                                    &stance->report, error);
}

// ---- Arms

typedef struct reaching {
    const atemi_model      *model;
    const atemi_humanoid   *h;
    const atemi_reach      *reach;
    atemi_humanoid_scratch *s;
    int                     side;
    atemi_vec3              shoulder; ///< forwards, left, up
    double                  outwards; ///< 1 where left is outwards
    double                  angle;    ///< of the best, to forwards
} reaching;

static const atemi_limb *arm_of(const reaching *r)
{
    return &r->h->arms[r->side];
}

// The limits less the margin; a joint without limits goes once around.
static void limits_of(const atemi_joint *joint, double margin, double *lower, double *upper)
{
    const bool   round = joint->type != ATEMI_JOINT_PRISMATIC;
    const double most = round ? pi : 1.0;
    *lower = fmax(joint->limits.lower, -most);
    *upper = fmin(joint->limits.upper, most);
    const double off = fmin(margin, 0.25 * fmax(*upper - *lower, 0.0));
    *lower += off;
    *upper -= off;
}

static bool is_of_arm(const reaching *r, int j)
{
    return atemi_model_joint(r->model, j)->q_count == 1 &&
           atemi_limb_has_joint(r->model, arm_of(r), j);
}

static void draw(const reaching *r, uint64_t *random, double *q)
{
    for (int j = 0; j < atemi_model_joint_count(r->model); ++j) {
        if (is_of_arm(r, j)) {
            double lower, upper;
            limits_of(atemi_model_joint(r->model, j), r->reach->margin, &lower, &upper);
            q[atemi_model_joint(r->model, j)->first_q] =
                lower + (upper - lower) * random_unit_next(random);
        }
    }
}

// Brings the arm within its margins; the mean of the fourth powers.
static double settle(const reaching *r, double *q)
{
    double sum = 0.0;
    int    count = 0;
    for (int j = 0; j < atemi_model_joint_count(r->model); ++j) {
        if (is_of_arm(r, j)) {
            double  lower, upper;
            double *x = &q[atemi_model_joint(r->model, j)->first_q];
            limits_of(atemi_model_joint(r->model, j), r->reach->margin, &lower, &upper);
            *x = clamp(*x, lower, upper);
            const double off = (*x - 0.5 * (lower + upper)) / fmax(0.5 * (upper - lower), 1e-9);
            sum += off * off * off * off;
            ++count;
        }
    }
    return sum / (count > 0 ? count : 1);
}

static atemi_vec3 fist_place(const reaching *r)
{
    const atemi_transform link = atemi_link_pose(r->s->data, arm_of(r)->end);
    return atemi_mat3_apply_transposed(&r->h->facing,
                                       atemi_transform_apply(&link, r->h->fists[r->side].point));
}

static double fist_angle(const reaching *r)
{
    const atemi_transform link = atemi_link_pose(r->s->data, arm_of(r)->end);
    const atemi_vec3      axis = atemi_mat3_apply(&link.rotation, r->h->fists[r->side].axis);
    return acos(clamp(atemi_vec3_dot(axis, r->h->facing.x), -1.0, 1.0));
}

static atemi_vec3 place_wanted(const reaching *r)
{
    const double     length = arm_of(r)->length;
    const atemi_vec3 at = r->reach->place;
    return atemi_vec3_add(r->shoulder,
                          (atemi_vec3){length * at.x, r->outwards * length * at.y, length * at.z});
}

// How far joints of the arm are above the shoulder, and inwards of it, at most; an arm without a
// body beside it may be anywhere.
static double elbow_cost(const reaching *r)
{
    const int trunk = arm_of(r)->trunk;
    double    most = 0.0;
    for (int b = atemi_body_of(r->model, arm_of(r)->end); b != trunk;
         b = atemi_body_above(r->model, b)) {
        const atemi_vec3 d = atemi_vec3_sub(place_in(r->h, r->s->data, b), r->shoulder);
        most = fmax(most, fmax(d.z, 0.0) + fmax(-r->outwards * d.y, 0.0));
    }
    return r->h->leg_count > 0 ? most / arm_of(r)->length : 0.0;
}

static double cost_of(const reaching *r, double *q)
{
    const double amid = settle(r, q);
    atemi_update_kinematics(r->s->data, q, NULL, NULL);
    const atemi_vec3 off = atemi_vec3_sub(fist_place(r), place_wanted(r));
    return (r->reach->aims ? 10.0 * fist_angle(r) : 0.0) +
           3.0 * atemi_vec3_norm(off) / arm_of(r)->length + elbow_cost(r) + 0.5 * amid;
}

// x of the goal's frame is the fist's axis, about which it may rotate.
static atemi_posture_goal goal_of(const reaching *r)
{
    const atemi_fist  *fist = &r->h->fists[r->side];
    const atemi_mat3   around = atemi_mat3_with_z(fist->axis);
    const double       aim = r->reach->aims ? 1.0 : 0.0;
    atemi_posture_goal goal = {
        .kind = ATEMI_GOAL_FRAME,
        .link = arm_of(r)->end,
        .frame = {{around.z, around.x, around.y}, fist->point},
        .target = {r->h->facing, atemi_mat3_apply(&r->h->facing, place_wanted(r))},
        .weight = {place_weight, place_weight, place_weight, 0.0, aim, aim}};
    return goal;
}

static void find_shoulder(reaching *r, const double *q)
{
    int first = atemi_body_of(r->model, arm_of(r)->end);
    while (atemi_body_above(r->model, first) != arm_of(r)->trunk) {
        first = atemi_body_above(r->model, first);
    }
    atemi_update_kinematics(r->s->data, q, NULL, NULL);
    r->shoulder = place_in(r->h, r->s->data, first);
    r->outwards = r->shoulder.y > 0.0 ? 1.0 : -1.0;
}

double atemi_humanoid_reach(const atemi_model *model, const atemi_humanoid *humanoid, int side,
                            const atemi_reach *reach, atemi_humanoid_scratch *scratch, double *q)
{
    ATEMI_REQUIRE_OR(model && humanoid && reach && scratch && q, 0.0);
    ATEMI_REQUIRE_OR(side >= 0 && side < humanoid->arm_count, 0.0);
    const size_t bytes = (size_t)atemi_model_q_count(model) * sizeof *q;
    reaching     r = {
            .model = model, .h = humanoid, .reach = reach, .s = scratch, .side = side, .angle = pi};
    atemi_inverse_kinematics_options options = atemi_inverse_kinematics_options_default();
    uint64_t                         random = 1;
    double                           best = INFINITY;
    find_shoulder(&r, q);
    forget_moving(model, scratch->moving);
    mark_limb(model, arm_of(&r), scratch->moving);
    options.moving = scratch->moving;
    options.retries = 0;
    options.tolerance = 1e-6;
    const atemi_posture_goal goal = goal_of(&r);
    for (int i = 0; i < POSTURES; ++i) {
        atemi_posture_report report;
        memcpy(scratch->trial, q, bytes);
        draw(&r, &random, scratch->trial);
        atemi_inverse_kinematics(model, &goal, 1, &options, scratch->kinematics, scratch->trial,
                                 &report, NULL);
        const double cost = cost_of(&r, scratch->trial);
        if (cost < best) {
            best = cost;
            r.angle = fist_angle(&r);
            memcpy(scratch->best, scratch->trial, bytes);
        }
    }
    memcpy(q, scratch->best, bytes);
    return r.angle;
}
