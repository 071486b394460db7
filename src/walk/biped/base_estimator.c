// SPDX-License-Identifier: Apache-2.0

#include "atemi/biped.h"

#include "atemi/data.h"
#include "atemi/kinematics.h"

#include <math.h>
#include <string.h>

// A Kalman filter [Bloesch12] of the base's place p, its velocity v, the places f of both feet and
// the tilt: with R the orientation by the gyroscope, R is exp(t) times that in truth, and with the
// accelerometer s as input
//
//   p' = v,   v' = R s + g + t x R s = a + |g| n,   n = t x up,   f' = noise, n' = noise
//
// where R s is taken for -g in what the tilt does. Noise of f is large while a foot swings. Of a
// foot that stands are measured  f - p = R r,  by the encoders, and its velocity, zero:
// -v = w x R r + R r'. So feet that stand tell where up is: the velocity that they measure and the
// one that the accelerometer makes differ by |g| n times the time. No mean of accelerations does:
// those of landings count, and are large. The three axes have the same noise, hence one covariance;
// upwards, n is an error of the accelerometer. After each tick R takes the tilt over.

enum { PLACE, SPEED, TILT, FEET, STATES = FEET + ATEMI_SIDES };

static const double swinging = 10.0; // m/s^0.5, of a foot in the air

struct atemi_base_estimator {
    const atemi_model           *model;
    atemi_humanoid               humanoid;
    atemi_base_estimator_options options;
    atemi_data                  *data;
    double                      *q, *v; ///< with the base at the origin
    atemi_mat3                   R;
    atemi_vec3                   state[STATES];
    double                       P[STATES][STATES];
    double                       weight, gravity;
    bool                         stood[ATEMI_SIDES];
};

atemi_base_estimator_options atemi_base_estimator_options_default(void)
{
    return (atemi_base_estimator_options){.accelerometer = 0.1,
                                          .foot_place = 1e-3,
                                          .foot_speed = 0.02,
                                          .foot_drift = 1e-3,
                                          .tilt_drift = 1e-4,
                                          .loaded = 0.1};
}

atemi_base_estimator *atemi_base_estimator_take(atemi_arena *arena, const atemi_model *model,
                                                const atemi_humanoid               *humanoid,
                                                const atemi_base_estimator_options *options)
{
    ATEMI_REQUIRE_OR(arena && model && atemi_model_base(model) == ATEMI_BASE_FLOATING, NULL);
    const atemi_data_options none = {.max_contacts = 0};
    atemi_base_estimator    *e = atemi_arena_array(arena, atemi_base_estimator, 1);
    double                  *q = atemi_arena_array(arena, double, atemi_model_q_count(model));
    double                  *v = atemi_arena_array(arena, double, atemi_model_v_count(model));
    atemi_data              *data = atemi_data_take(arena, model, &none);
    if (!e || !data) {
        return NULL;
    }
    *e =
        (atemi_base_estimator){.model = model, .humanoid = *humanoid, .data = data, .q = q, .v = v};
    e->options = options ? *options : atemi_base_estimator_options_default();
    e->gravity = atemi_vec3_norm(atemi_model_gravity(model));
    e->weight = atemi_model_mass(model) * e->gravity;
    return e;
}

// ---- The feet, as the base sees them

typedef struct seen_foot {
    atemi_vec3 place, velocity; ///< world axes, beside the base
} seen_foot;

static void look(atemi_base_estimator *e, const double *q, const double *v, atemi_vec3 spin)
{
    const atemi_quaternion o = atemi_quaternion_from_matrix(&e->R);
    const double           base_q[] = {0.0, 0.0, 0.0, o.x, o.y, o.z, o.w};
    const double           base_v[] = {0.0, 0.0, 0.0, spin.x, spin.y, spin.z};
    memcpy(e->q, q, (size_t)atemi_model_q_count(e->model) * sizeof *q);
    memcpy(e->v, v, (size_t)atemi_model_v_count(e->model) * sizeof *v);
    memcpy(e->q, base_q, sizeof base_q);
    memcpy(e->v, base_v, sizeof base_v);
    atemi_update_kinematics(e->data, e->q, e->v, NULL);
}

static seen_foot see(const atemi_base_estimator *e, int side)
{
    const int             link = e->humanoid.legs[side].end;
    const atemi_transform pose = atemi_link_pose(e->data, link);
    const atemi_vec3 arm = atemi_mat3_apply(&pose.rotation, e->humanoid.soles[side].pose.position);
    return (seen_foot){atemi_vec3_add(pose.position, arm),
                       atemi_motion_at(atemi_link_velocity(e->data, link), arm).linear};
}

// ---- The filter

static void predict(atemi_base_estimator *e, atemi_vec3 a, double dt)
{
    const double noise = e->options.accelerometer * dt, tilts = e->options.tilt_drift;
    const double lean = dt * e->gravity;
    a = atemi_vec3_add(a, atemi_vec3_scale(e->gravity, e->state[TILT]));
    e->state[PLACE] =
        atemi_vec3_add(e->state[PLACE], atemi_vec3_add(atemi_vec3_scale(dt, e->state[SPEED]),
                                                       atemi_vec3_scale(0.5 * dt * dt, a)));
    e->state[SPEED] = atemi_vec3_add(e->state[SPEED], atemi_vec3_scale(dt, a));
    for (int k = 0; k < STATES; ++k) { // F P
        e->P[PLACE][k] += dt * e->P[SPEED][k];
        e->P[SPEED][k] += lean * e->P[TILT][k];
    }
    for (int k = 0; k < STATES; ++k) { // F P F^T
        e->P[k][PLACE] += dt * e->P[k][SPEED];
        e->P[k][SPEED] += lean * e->P[k][TILT];
    }
    e->P[SPEED][SPEED] += noise * noise;
    e->P[TILT][TILT] += tilts * tilts * dt;
    e->P[PLACE][PLACE] += 0.25 * dt * dt * noise * noise;
    for (int side = 0; side < ATEMI_SIDES; ++side) {
        const double drift = e->stood[side] ? e->options.foot_drift : swinging;
        e->P[FEET + side][FEET + side] += drift * drift * dt;
    }
}

// A measurement of one state less another one; `less` may be the same for none.
static void correct(atemi_base_estimator *e, int of, int less, atemi_vec3 value, double noise)
{
    double     gain[STATES];
    atemi_vec3 miss = atemi_vec3_sub(value, e->state[of]);
    const bool two = less != of;
    double     spread = noise * noise;
    for (int k = 0; k < STATES; ++k) {
        gain[k] = e->P[k][of] - (two ? e->P[k][less] : 0.0);
    }
    spread += gain[of] - (two ? gain[less] : 0.0);
    miss = two ? atemi_vec3_add(miss, e->state[less]) : miss;
    for (int k = 0; k < STATES; ++k) {
        e->state[k] = atemi_vec3_add(e->state[k], atemi_vec3_scale(gain[k] / spread, miss));
    }
    for (int i = 0; i < STATES; ++i) {
        for (int k = 0; k < STATES; ++k) {
            e->P[i][k] -= gain[i] * gain[k] / spread;
        }
    }
}

// ---- Orientation

static void turn(atemi_base_estimator *e, atemi_vec3 angle)
{
    const atemi_mat3 step = atemi_quaternion_matrix(atemi_quaternion_exp(angle));
    const atemi_mat3 turned = atemi_mat3_multiply(&step, &e->R);
    e->R = atemi_quaternion_matrix(atemi_quaternion_from_matrix(&turned));
}

// R takes over what the filter has found: t = up x n.
static void level(atemi_base_estimator *e)
{
    const atemi_vec3 n = e->state[TILT];
    turn(e, (atemi_vec3){-n.y, n.x, 0.0});
    e->state[TILT] = (atemi_vec3){0.0, 0.0, n.z};
}

void atemi_base_estimator_start(atemi_base_estimator *estimator, const double *q)
{
    ATEMI_REQUIRE(estimator && q);
    atemi_base_estimator  *e = estimator;
    const atemi_quaternion o = {q[3], q[4], q[5], q[6]};
    const atemi_vec3       none = {0.0, 0.0, 0.0};
    e->R = atemi_quaternion_matrix(o);
    memset(e->v, 0, (size_t)atemi_model_v_count(e->model) * sizeof *e->v);
    look(e, q, e->v, none);
    e->state[PLACE] = (atemi_vec3){q[0], q[1], q[2]};
    e->state[SPEED] = e->state[TILT] = none;
    memset(e->P, 0, sizeof e->P);
    for (int side = 0; side < ATEMI_SIDES; ++side) {
        e->state[FEET + side] = atemi_vec3_add(e->state[PLACE], see(e, side).place);
        e->stood[side] = true;
    }
}

void atemi_base_estimator_locate(atemi_base_estimator *estimator, atemi_vec3 place,
                                 double deviation)
{
    ATEMI_REQUIRE(estimator && deviation > 0.0);
    correct(estimator, PLACE, PLACE, place, deviation);
}

void atemi_base_estimator_update(atemi_base_estimator *estimator, double dt,
                                 const atemi_base_senses *senses, double *q, double *v)
{
    ATEMI_REQUIRE(estimator && senses && q && v && dt > 0.0);
    atemi_base_estimator *e = estimator;
    turn(e, atemi_vec3_scale(dt, atemi_mat3_apply(&e->R, senses->imu.angular_velocity)));
    const atemi_vec3 force = atemi_mat3_apply(&e->R, senses->imu.specific_force);
    predict(e, atemi_vec3_add(force, atemi_model_gravity(e->model)), dt);
    look(e, senses->q, senses->v, senses->imu.angular_velocity);
    for (int side = 0; side < ATEMI_SIDES; ++side) {
        const seen_foot foot = see(e, side);
        const bool      stands = senses->forces[side] > e->options.loaded * e->weight;
        correct(e, FEET + side, PLACE, foot.place, e->options.foot_place);
        if (stands && e->stood[side]) {
            correct(e, SPEED, SPEED, atemi_vec3_scale(-1.0, foot.velocity), e->options.foot_speed);
        }
        e->stood[side] = stands;
    }
    level(e);
    memcpy(q, e->q, (size_t)atemi_model_q_count(e->model) * sizeof *q);
    memcpy(v, e->v, (size_t)atemi_model_v_count(e->model) * sizeof *v);
    const atemi_vec3 p = e->state[PLACE];
    const atemi_vec3 linear = atemi_mat3_apply_transposed(&e->R, e->state[SPEED]);
    const double     place[] = {p.x, p.y, p.z}, speed[] = {linear.x, linear.y, linear.z};
    memcpy(q, place, sizeof place);
    memcpy(v, speed, sizeof speed);
}
