// SPDX-License-Identifier: Apache-2.0

#include "atemi/dynamics.h"
#include "atemi/kinematics.h"
#include "math/rotation.h"
#include "walk/biped/biped_parts.h"

#include <math.h>
#include <string.h>

// With w = sqrt(g / z), the pressure p, rates r and errors e of a position or orientation, every
// task is an acceleration:
//
//   centre of mass    w^2 (c - p) across,  r^2 e - 2 r c' up, or as of a path
//   trunk, foot       that of the path + r^2 e + 2 r e'
//   spin              -r L of the angular momentum L
//   joints            r^2 (posture - q) - 2 r v

static const double across_weight = 300.0, up_weight = 100.0; // of the centre of mass
static const double spin_weight = 0.3, trunk_weight = 3.0, foot_weight = 40.0;
static const double joint_weight = 0.02, leg_weight = 1e-4; // of the posture
static const double least_load = 0.02; // of the weight, that a foot on the floor is left with

static atemi_vec3 follow(double rate, atemi_vec3 error, atemi_vec3 velocity)
{
    return atemi_vec3_add(atemi_vec3_scale(rate * rate, error),
                          atemi_vec3_scale(2.0 * rate, velocity));
}

static double rate_of(const atemi_biped *b, double rate)
{
    return rate / b->time_unit;
}

// A sole on the floor stays where it is; what velocity it has is taken away.
static void add_contact(atemi_biped *b, const biped_view *view, int side, double most)
{
    atemi_whole_body_contact c = atemi_whole_body_contact_default();
    const double             rate = rate_of(b, b->options.sole_rate);
    const double             inside = 1.0 - b->options.edge;
    c.link = b->humanoid.legs[side].end;
    c.frame = b->humanoid.soles[side].pose;
    c.size_x = inside * b->humanoid.soles[side].size_x;
    c.size_y = biped_foot_rolls(b, side) ? 0.0 : inside * b->humanoid.soles[side].size_y;
    c.friction = b->grip.friction;
    c.most_force = most;
    const atemi_vec3      shift = atemi_vec3_sub(c.frame.position, b->places[side].position);
    const atemi_transform link = atemi_link_pose(atemi_whole_body_data(b->control), c.link);
    const atemi_motion    v =
        atemi_motion_at(view->motions[side], atemi_mat3_apply(&link.rotation, shift));
    c.acceleration =
        (atemi_motion){atemi_vec3_scale(-rate, v.linear), atemi_vec3_scale(-rate, v.angular)};
    atemi_whole_body_contact_add(b->control, &c);
}

static void add_contacts(atemi_biped *b, const biped_view *view)
{
    const biped_gait *g = &b->gait;
    const double      weight = b->mass * b->gravity;
    add_contact(b, view, g->support, (double)INFINITY);
    if (g->phase == ATEMI_BIPED_STANDS) {
        add_contact(b, view, 1 - g->support, (double)INFINITY);
    } else if (g->phase == ATEMI_BIPED_PASSES) {
        const double left = fmax(1.0 - g->clock / g->double_support, 0.0);
        add_contact(b, view, 1 - g->support, weight * (least_load + 1.5 * left));
    }
}

// Along the path of the centre of mass.
static double follow_rise(const atemi_biped *b, const biped_view *view)
{
    const biped_axis *r = &b->rise;
    const double      up = rate_of(b, b->options.height_rate);
    return r->acceleration + up * up * (r->position - view->center.z) +
           2.0 * up * (r->velocity - view->velocity.z);
}

static void add_momentum(const atemi_biped *b, const biped_view *view)
{
    const biped_gait *g = &b->gait;
    const double      w2 = view->rate * view->rate, up = rate_of(b, b->options.height_rate);
    const double      floor = biped_slope_height(&b->slope, view->center.x, view->center.y);
    const double      lift =
        b->rises ? follow_rise(b, view)
                      : up * up * (floor + b->height - view->center.z) - 2.0 * up * view->velocity.z;
    const atemi_vec3  a = {w2 * (view->center.x - g->pressure.x),
                           w2 * (view->center.y - g->pressure.y), lift};
    const atemi_force rate = {
        atemi_vec3_scale(b->mass, a),
        atemi_vec3_scale(-rate_of(b, b->options.spin_rate), view->momentum.angular)};
    const double turn = spin_weight / (b->leg * b->leg);
    const double weights[] = {across_weight, across_weight, up_weight, turn, turn, turn};
    atemi_whole_body_momentum(b->control, rate, weights);
}

static void add_trunk(const atemi_biped *b, const atemi_data *data)
{
    // Half-way between the headings of the soles.
    const biped_gait *g = &b->gait;
    const double      swing = g->phase == ATEMI_BIPED_SWINGS ? b->swing[3].position : g->heading;
    const atemi_mat3  R = biped_heading(0.5 * (g->heading + swing));
    const atemi_quaternion upright = {b->posture[3], b->posture[4], b->posture[5], b->posture[6]};
    const atemi_mat3       at_start = atemi_quaternion_matrix(upright);
    const atemi_mat3       wanted = atemi_mat3_multiply(&R, &at_start);
    const atemi_transform  pose = atemi_link_pose(data, b->root);
    const atemi_vec3       error = rotation_between(&pose.rotation, &wanted);
    const atemi_vec3       w = atemi_link_velocity(data, b->root).angular;
    const atemi_motion     a = {
        {0.0, 0.0, 0.0},
        follow(rate_of(b, b->options.trunk_rate), error, atemi_vec3_scale(-1.0, w))};
    const double weights[] = {0.0, 0.0, 0.0, trunk_weight, trunk_weight, trunk_weight};
    atemi_whole_body_frame(b->control, b->root, (atemi_vec3){0.0, 0.0, 0.0}, a, weights);
}

static void add_foot(const atemi_biped *b, const biped_view *view)
{
    const int              foot = 1 - b->gait.support;
    const biped_axis      *s = b->swing;
    const atemi_transform *sole = &view->soles[foot];
    const atemi_motion    *v = &view->motions[foot];
    const double           rate = rate_of(b, b->options.foot_rate), w = foot_weight;
    const double           turn = foot_weight * b->leg * b->leg * 0.25;
    const atemi_mat3       flat = biped_slope_rotation(&b->slope, s[3].position);
    const atemi_vec3       path = {s[0].position, s[1].position, s[2].position};
    const atemi_vec3       speed = {s[0].velocity, s[1].velocity, s[2].velocity};
    const atemi_vec3       ahead = {s[0].acceleration, s[1].acceleration, s[2].acceleration};
    const atemi_vec3       spin = {0.0, 0.0, s[3].velocity};
    const atemi_motion     a = {
        atemi_vec3_add(ahead, follow(rate, atemi_vec3_sub(path, sole->position),
                                         atemi_vec3_sub(speed, v->linear))),
        follow(rate, rotation_between(&sole->rotation, &flat), atemi_vec3_sub(spin, v->angular))};
    const double weights[] = {w, w, w, biped_foot_rolls(b, foot) ? 0.0 : turn, turn, turn};
    atemi_whole_body_frame(b->control, b->humanoid.legs[foot].end, b->places[foot].position, a,
                           weights);
}

static void add_joints(const atemi_biped *b, const atemi_biped_senses *senses)
{
    const double rate = rate_of(b, b->options.joint_rate);
    for (int i = 0; i < atemi_model_joint_count(b->model); ++i) {
        const atemi_joint *joint = atemi_model_joint(b->model, i);
        for (int k = 0; k < joint->v_count; ++k) {
            b->accelerations[joint->first_v + k] = -2.0 * rate * senses->v[joint->first_v + k];
            b->weights[joint->first_v + k] = joint_weight;
        }
        if (joint->v_count == 1) {
            const double error = b->posture[joint->first_q] - senses->q[joint->first_q];
            const bool   leg = atemi_limb_has_joint(b->model, &b->humanoid.legs[0], i) ||
                             atemi_limb_has_joint(b->model, &b->humanoid.legs[1], i);
            b->accelerations[joint->first_v] += rate * rate * error;
            b->weights[joint->first_v] = leg ? leg_weight : joint_weight;
        }
    }
    atemi_whole_body_joints(b->control, b->accelerations, b->weights);
}

void biped_tasks_add(atemi_biped *b, const biped_view *view, const atemi_biped_senses *senses)
{
    add_contacts(b, view);
    add_momentum(b, view);
    add_trunk(b, atemi_whole_body_data(b->control));
    if (b->gait.phase == ATEMI_BIPED_SWINGS) {
        add_foot(b, view);
    }
    add_joints(b, senses);
}
