// SPDX-License-Identifier: Apache-2.0

#include "walk/biped/biped_senses.h"

#include "math/random.h"

#include <math.h>
#include <string.h>

// Torques are decided on what was measured a delay ago, which is the same as torques that arrive a
// delay later: those under way are kept in a ring. A joint then has tau' = (arrived - tau) / lag.

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
    s.estimator = atemi_base_estimator_take(arena, model, humanoid, NULL);
    return s;
}

void biped_senses_start(biped_senses *s, const double *q)
{
    s->random = s->faults.seed;
    s->next = 0;
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
            s->joint_q[joint->first_q] += noise(s, s->faults.encoder);
            s->joint_v[joint->first_v] += noise(s, s->faults.encoder_velocity);
        }
    }
}

atemi_biped_senses biped_senses_measure(biped_senses *s, atemi_simulation *simulation)
{
    const double      *q = atemi_simulation_q(simulation), *v = atemi_simulation_v(simulation);
    const double       weight = atemi_model_mass(s->model) * 9.81;
    atemi_biped_senses senses = {.q = q, .v = v};
    for (int i = 0; i < ATEMI_BIPED_POINTS; ++i) {
        senses.forces[i / ATEMI_SOLE_CORNERS] += atemi_simulation_force(simulation, i).z;
    }
    if (!s->faults.senses) {
        return senses;
    }
    const atemi_transform place = atemi_transform_identity();
    atemi_base_senses     base = {.q = s->joint_q, .v = s->joint_v};
    read_encoders(s, q, v);
    base.imu = atemi_simulation_imu(simulation, 0, &place);
    base.imu.angular_velocity = noisy(s, base.imu.angular_velocity, s->faults.gyroscope);
    base.imu.specific_force = noisy(s, base.imu.specific_force, s->faults.accelerometer);
    for (int f = 0; f < ATEMI_SIDES; ++f) {
        senses.forces[f] += noise(s, s->faults.load * weight);
        base.forces[f] = senses.forces[f];
    }
    atemi_base_estimator_update(s->estimator, s->tick, &base, s->q, s->v);
    senses.q = s->q;
    senses.v = s->v;
    return senses;
}

void biped_senses_drive(biped_senses *s, const double *decided, double *tau)
{
    const int    nv = atemi_model_v_count(s->model);
    const double part = s->faults.lag > 0.0 ? 1.0 - exp(-s->tick / s->faults.lag) : 1.0;
    double      *slot = s->late + (ptrdiff_t)s->next * nv;
    for (int i = 0; i < nv; ++i) {
        const double arrived = s->delay > 0 ? slot[i] : decided[i];
        tau[i] += part * (arrived - tau[i]);
        if (s->delay > 0) {
            slot[i] = decided[i];
        }
    }
    s->next = s->delay > 0 ? (s->next + 1) % s->delay : 0;
}
