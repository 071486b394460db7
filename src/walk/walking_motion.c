// SPDX-License-Identifier: Apache-2.0

#include "walk/walking_parts.h"

#include <math.h>

// The accelerations a of all rates, with the floor's force in the centre of pressure p:
//
//   joints of body and arms    a = w^2 (q_ref - q) - 2 w v
//   foot on the floor          J a + J' v = -w v  of the point that touches; its angle goes flat
//   swinging foot              J a + J' v = x_ref'' + 2 w (x_ref' - x') + w^2 (x_ref - x)
//   pitch of the waist, height of the head: likewise
//   base of M a + h            no moment about p
//
// These are nine rows for the rates of base and legs (walk/wanted_motion.h).

// Importance of the rows: standing and pressure before trunk, trunk before the swinging foot.
static const double standing_weight = 10.0, trunk_weight = 3.0, swing_weight = 1.0;

// A foot on its heel or toe turns towards this angle, rad, beyond the floor, so that it gets there.
static const double beyond_flat = 0.03;

// Knees stay bent by this much, rad: they come back with this rate, rad/s.
static const double least_bend = 0.15, bend_rate = 30.0;

// What the height of the head may ask for, m/s^2.
static const double hardest_sink = -6.0, hardest_rise = 5.0;

static atemi_vec3 foot_point(const atemi_walking_controller *c, int foot, int end)
{
    return c->body.feet[foot].points[end];
}

static atemi_vec3 foot_middle(const atemi_walking_controller *c, int foot)
{
    return atemi_vec3_scale(
        0.5, atemi_vec3_add(foot_point(c, foot, ATEMI_HEEL), foot_point(c, foot, ATEMI_TOE)));
}

atemi_vec3 atemi_walking_resting_point(const atemi_walking_controller *c, int foot, bool heel,
                                       bool toe)
{
    return heel == toe ? foot_middle(c, foot) : foot_point(c, foot, heel ? ATEMI_HEEL : ATEMI_TOE);
}

// ---- Wanting --------------------------------------------------------------------------------

static double pull(double rate, double off, double rate_off)
{
    return rate * rate * off + 2.0 * rate * rate_off;
}

// How far a shoulder swings: with the leg of the other side.
static double swing_of_arm(const atemi_walking_controller *c, int side, const double *q)
{
    const double own = q[atemi_walking_body_rate(&c->body, side, ATEMI_LEG_HIP)];
    const double other = q[atemi_walking_body_rate(&c->body, 1 - side, ATEMI_LEG_HIP)];
    return 0.5 * c->stride.options.arm_swing * (other - own);
}

static void want_arms(atemi_walking_controller *c, const atemi_walking_senses *senses)
{
    for (int f = 0; f < ATEMI_FEET; ++f) {
        if (c->body.feet[f].shoulder != ATEMI_NONE) {
            const int    i = atemi_model_joint(c->model, c->body.feet[f].shoulder)->first_v;
            const double off = c->posture[i] + swing_of_arm(c, f, senses->q) - senses->q[i];
            c->a[i] = pull(c->stride.options.arm_rate, off, -senses->v[i]);
        }
    }
}

static void want_posture(atemi_walking_controller *c, const atemi_walking_senses *senses)
{
    const double rate = c->stride.options.joint_rate;
    for (int i = ATEMI_WALKING_BASE_RATES; i < atemi_model_v_count(c->model); ++i) {
        c->a[i] = pull(rate, c->posture[i] - senses->q[i], -senses->v[i]);
    }
    want_arms(c, senses);
    for (int k = 0; k < ATEMI_WANTED_MOST; ++k) {
        c->a[c->wanted.unknowns[k]] = 0.0;
    }
}

static void add_row(atemi_walking_controller *c, double target, double weight)
{
    const int rates = atemi_model_v_count(c->model);
    atemi_wanted_motion_add(&c->wanted, rates, c->row, target, weight, c->a);
}

// Wants a point of a link to accelerate, along x and z.
static void want_point(atemi_walking_controller *c, const atemi_planar_link *link,
                       const atemi_planar_point *point, double ax, double az, double weight)
{
    for (int i = 0; i < link->rates; ++i) {
        c->row[i] = atemi_planar_x(link, point->arm_z, i);
    }
    add_row(c, ax - point->ax, weight);
    for (int i = 0; i < link->rates; ++i) {
        c->row[i] = atemi_planar_z(link, point->arm_x, i);
    }
    add_row(c, az - point->az, weight);
}

static void want_turn(atemi_walking_controller *c, const atemi_planar_link *link,
                      double acceleration, double weight)
{
    for (int i = 0; i < link->rates; ++i) {
        c->row[i] = atemi_planar_turn(link, i);
    }
    add_row(c, acceleration, weight);
}

static void want_rest(atemi_walking_controller *c, int foot, atemi_vec3 place, double angle,
                      double weight)
{
    const double             rate = c->stride.options.sole_rate;
    const atemi_planar_link *link = &c->feet[foot];
    const atemi_planar_point point = atemi_planar_link_point(link, place);
    want_point(c, link, &point, -rate * point.vx, -rate * point.vz, weight);
    want_turn(c, link, pull(rate, angle - link->angle, -link->turn), weight);
}

static void want_standing(atemi_walking_controller *c, const atemi_body_view *view)
{
    const int              f = c->stride.state.standing;
    const atemi_foot_view *foot = &view->feet[f];
    const double           angle = beyond_flat * (foot->heel_down - foot->toe_down);
    want_rest(c, f, atemi_walking_resting_point(c, f, foot->heel_down, foot->toe_down), angle,
              standing_weight);
}

// The foot left behind stays on its toe, and its heel rises.
static void want_push_off(atemi_walking_controller *c)
{
    const atemi_walking_options *o = &c->stride.options;
    const int                    f = 1 - c->stride.state.standing;
    const double                 part = c->stride.state.clock / o->double_support;
    want_rest(c, f, foot_point(c, f, ATEMI_TOE), o->push_off * part * part, swing_weight);
}

static double follow(const atemi_axis_state *ref, double rate, double position, double velocity)
{
    return ref->acceleration + pull(rate, ref->position - position, ref->velocity - velocity);
}

static void want_swing(atemi_walking_controller *c)
{
    const double             rate = c->stride.options.foot_rate;
    const int                f = 1 - c->stride.state.standing;
    const atemi_planar_link *link = &c->feet[f];
    const atemi_planar_point heel = atemi_planar_link_point(link, foot_point(c, f, ATEMI_HEEL));
    const atemi_axis_state   lift = atemi_stride_lift(&c->stride);
    const atemi_axis_state   tilt = atemi_stride_tilt(&c->stride);
    want_point(c, link, &heel, follow(&c->stride.heel, rate, heel.x, heel.vx),
               follow(&lift, rate, heel.z, heel.vz), swing_weight);
    want_turn(c, link, follow(&tilt, rate, link->angle, link->turn), swing_weight);
}

static void want_trunk(atemi_walking_controller *c)
{
    const atemi_walking_options *o = &c->stride.options;
    want_turn(c, &c->waist, pull(o->trunk_rate, -c->waist.angle, -c->waist.turn), trunk_weight);
    atemi_axis_state height = c->stride.hips;
    height.position += c->head_height;
    const double rise = follow(&height, o->head_rate, c->head.z, c->head.vz);
    for (int i = 0; i < c->head.rates; ++i) {
        c->row[i] = atemi_planar_z(&c->head, 0.0, i);
    }
    add_row(c, fmin(fmax(rise, hardest_sink), hardest_rise) - c->head.az, trunk_weight);
}

// The moment about a point of the floor is what the base's three rates see, in the base's axes.
static void want_pressure(atemi_walking_controller *c)
{
    const int    n = atemi_model_v_count(c->model);
    const double x = c->waist.x - c->stride.state.pressure, z = c->waist.z;
    const double along = z * c->waist.cosine + x * c->waist.sine;
    const double up = z * c->waist.sine - x * c->waist.cosine;
    for (int i = 0; i < n; ++i) {
        c->row[i] = along * c->M[i] + up * c->M[n + i] + c->M[2 * n + i];
    }
    const double moment = along * c->load[0] + up * c->load[1] + c->load[2];
    add_row(c, -moment, standing_weight / atemi_model_mass(c->model));
}

// A stretched leg has two ways to go on; this is the one of a person.
static void keep_knees_bent(atemi_walking_controller *c, const atemi_walking_senses *senses)
{
    for (int f = 0; f < ATEMI_FEET; ++f) {
        const int i = atemi_walking_body_rate(&c->body, f, ATEMI_LEG_KNEE);
        c->a[i] = fmax(c->a[i], pull(bend_rate, least_bend - senses->q[i], -senses->v[i]));
    }
}

bool atemi_walking_motion_find(atemi_walking_controller *c, const atemi_body_view *view,
                               const atemi_walking_senses *senses)
{
    c->wanted.count = 0;
    want_posture(c, senses);
    want_standing(c, view);
    if (c->stride.state.phase == ATEMI_STRIDE_DOUBLE) {
        want_push_off(c);
    } else {
        want_swing(c);
    }
    want_trunk(c);
    want_pressure(c);
    const bool found = atemi_wanted_motion_solve(&c->wanted, c->a);
    keep_knees_bent(c, senses);
    return found;
}
