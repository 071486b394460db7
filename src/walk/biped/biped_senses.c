// SPDX-License-Identifier: Apache-2.0

#include "walk/biped/biped_senses.h"

#include "math/random.h"

#include <math.h>
#include <string.h>

// Torques are decided on what was measured a delay ago, which is the same as torques that arrive a
// delay later: those under way are kept in a ring. A joint then has tau' = (arrived - tau) / lag,
// within the part of its effort limit that a weak drive has.

static const double fix_period = 0.1; // s, between two places of the base

atemi_biped_faults atemi_biped_faults_none(void)
{
    return (atemi_biped_faults){.seed = 1};
}

atemi_biped_faults atemi_biped_faults_real(void)
{
    return (atemi_biped_faults){.senses = true,
                                .delay = 0.002,
                                .lag = 0.002,
                                .encoder = 1e-4,
                                .encoder_velocity = 0.01,
                                .gyroscope = 0.002,
                                .accelerometer = 0.05,
                                .load = 0.01,
                                .localization = 0.005,
                                .encoder_offset = 5e-4,
                                .gyroscope_bias = 1e-4,
                                .accelerometer_bias = 0.02,
                                .seed = 1};
}

biped_senses biped_senses_take(atemi_arena *arena, const atemi_model *model,
                               const atemi_humanoid *humanoid, const atemi_biped_faults *faults,
                               double tick)
{
    const int    nq = atemi_model_q_count(model), nv = atemi_model_v_count(model);
    biped_senses s = {.model = model, .humanoid = humanoid, .faults = *faults, .tick = tick};
    s.delay = (int)lround(faults->delay / tick);
    s.q = atemi_arena_array(arena, double, nq);
    s.v = atemi_arena_array(arena, double, nv);
    s.joint_q = atemi_arena_array(arena, double, nq);
    s.joint_v = atemi_arena_array(arena, double, nv);
    s.late = atemi_arena_array(arena, double, s.delay *nv);
    s.offsets = atemi_arena_array(arena, double, nv);
    s.estimator = atemi_base_estimator_take(arena, model, humanoid, NULL);
    return s;
}

// Even in +-bound.
static double even(biped_senses *s, double bound)
{
    return bound * (2.0 * random_unit_next(&s->random) - 1.0);
}

static atemi_vec3 even_vector(biped_senses *s, double bound)
{
    const double x = even(s, bound), y = even(s, bound), z = even(s, bound);
    return (atemi_vec3){x, y, z};
}

void biped_senses_start(biped_senses *s, const double *q)
{
    s->random = s->faults.seed;
    s->next = 0;
    s->lost = s->missed = s->measured = 0;
    s->started = s->drops = false;
    for (int i = 0; i < atemi_model_v_count(s->model); ++i) {
        s->offsets[i] = even(s, s->faults.encoder_offset);
    }
    s->gyroscope = even_vector(s, s->faults.gyroscope_bias);
    s->accelerometer = even_vector(s, s->faults.accelerometer_bias);
    atemi_base_estimator_start(s->estimator, q);
}

// Normal, by Box and Muller.
static double noise(biped_senses *s, double deviation)
{
    if (deviation == 0.0) {
        return 0.0;
    }
    const double a = 1.0 - random_unit_next(&s->random), b = random_unit_next(&s->random);
    return deviation * sqrt(-2.0 * log(a)) * cos(2.0 * 3.14159265358979323846 * b);
}

static atemi_vec3 noisy(biped_senses *s, atemi_vec3 a, double deviation)
{
    const double x = noise(s, deviation), y = noise(s, deviation), z = noise(s, deviation);
    return (atemi_vec3){a.x + x, a.y + y, a.z + z};
}

static void read_encoders(biped_senses *s, const double *q, const double *v)
{
    memcpy(s->joint_q, q, (size_t)atemi_model_q_count(s->model) * sizeof *q);
    memcpy(s->joint_v, v, (size_t)atemi_model_v_count(s->model) * sizeof *v);
    for (int i = 0; i < atemi_model_joint_count(s->model); ++i) {
        const atemi_joint *joint = atemi_model_joint(s->model, i);
        if (joint->v_count == 1) {
            s->joint_q[joint->first_q] += s->offsets[joint->first_v] + noise(s, s->faults.encoder);
            s->joint_v[joint->first_v] += noise(s, s->faults.encoder_velocity);
        }
    }
}

static void read_imu(biped_senses *s, atemi_simulation *simulation, atemi_base_senses *base)
{
    const atemi_transform   place = atemi_transform_identity();
    const atemi_imu_reading imu = atemi_simulation_imu(simulation, 0, &place);
    base->imu.angular_velocity =
        atemi_vec3_add(noisy(s, imu.angular_velocity, s->faults.gyroscope), s->gyroscope);
    base->imu.specific_force =
        atemi_vec3_add(noisy(s, imu.specific_force, s->faults.accelerometer), s->accelerometer);
}

static void read_loads(biped_senses *s, const atemi_simulation *simulation)
{
    const double weight =
        atemi_model_mass(s->model) * atemi_vec3_norm(atemi_model_gravity(s->model));
    atemi_point_state points[ATEMI_BIPED_POINTS];
    atemi_simulation_points_get(simulation, points);
    for (int f = 0; f < ATEMI_SIDES; ++f) {
        s->forces[f] = noise(s, s->faults.senses ? s->faults.load * weight : 0.0);
        for (int i = 0; i < ATEMI_SOLE_CORNERS; ++i) {
            const atemi_point_state *point = &points[ATEMI_SOLE_CORNERS * f + i];
            s->forces[f] += atemi_vec3_dot(point->force, point->normal);
        }
    }
}

// Where the base is in the world, from a map or cameras.
static void read_place(biped_senses *s, const double *q)
{
    const long       period = lround(fmax(fix_period / s->tick, 1.0));
    const atemi_vec3 place = {q[0], q[1], q[2]};
    if (s->located && s->faults.localization > 0.0 && s->measured++ % period == 0) {
        atemi_base_estimator_locate(s->estimator, noisy(s, place, s->faults.localization),
                                    s->faults.localization);
    }
}

// Loads are read last: a tick that is lost leaves them as they were, like all else.
static void read_sensors(biped_senses *s, atemi_simulation *simulation)
{
    const double     *q = atemi_simulation_q(simulation), *v = atemi_simulation_v(simulation);
    atemi_base_senses base = {.q = s->joint_q, .v = s->joint_v};
    if (!s->faults.senses) {
        memcpy(s->q, q, (size_t)atemi_model_q_count(s->model) * sizeof *q);
        memcpy(s->v, v, (size_t)atemi_model_v_count(s->model) * sizeof *v);
        read_loads(s, simulation);
        return;
    }
    read_encoders(s, q, v);
    read_imu(s, simulation, &base);
    read_loads(s, simulation);
    memcpy(base.forces, s->forces, sizeof base.forces);
    read_place(s, q);
    atemi_base_estimator_update(s->estimator, s->tick * (double)(1 + s->missed), &base, s->q, s->v);
    s->missed = 0;
}

atemi_biped_senses biped_senses_measure(biped_senses *s, atemi_simulation *simulation)
{
    s->drops =
        s->started && s->faults.dropped > 0.0 && random_unit_next(&s->random) < s->faults.dropped;
    s->lost += s->drops;
    s->missed += s->drops;
    if (!s->drops) {
        read_sensors(s, simulation);
    }
    s->started = true;
    atemi_biped_senses senses = {.q = s->q, .v = s->v};
    memcpy(senses.forces, s->forces, sizeof senses.forces);
    return senses;
}

static double weakened(const biped_senses *s, int joint, double tau)
{
    const atemi_joint *j = atemi_model_joint(s->model, joint);
    const double       most = s->efforts[j->first_v] * j->limits.effort;
    return j->limits.effort > 0.0 ? fmin(fmax(tau, -most), most) : tau;
}

static void weaken(const biped_senses *s, double *tau)
{
    for (int i = 0; i < atemi_model_joint_count(s->model); ++i) {
        const atemi_joint *joint = atemi_model_joint(s->model, i);
        if (joint->v_count == 1) {
            tau[joint->first_v] = weakened(s, i, tau[joint->first_v]);
        }
    }
}

void biped_senses_drive(biped_senses *s, const double *decided, double *tau)
{
    const int    nv = atemi_model_v_count(s->model);
    const double part = s->faults.lag > 0.0 ? 1.0 - exp(-s->tick / s->faults.lag) : 1.0;
    double      *slot = s->late + (ptrdiff_t)s->next * nv;
    if (s->drops) { // joints keep what they have; what is under way comes a tick later
        return;
    }
    for (int i = 0; i < nv; ++i) {
        const double arrived = s->delay > 0 ? slot[i] : decided[i];
        tau[i] += part * (arrived - tau[i]);
        if (s->delay > 0) {
            slot[i] = decided[i];
        }
    }
    if (s->efforts) {
        weaken(s, tau);
    }
    s->next = s->delay > 0 ? (s->next + 1) % s->delay : 0;
}
