// SPDX-License-Identifier: Apache-2.0

/// @file
/// Derivatives of a blow of hrp2_like beside differences of blows without any.

#pragma once

#include "atemi/blow_derivatives.h"
#include "atemi/model.h"
#include "blow_bench.h"
#include "random.h"

// Blows at postures to both sides are computed without any derivative. With h = 2e-3 central
// differences of sixth order are off by h^6 times a seventh derivative, some 1e-12 here, and by
// 1e-11 / h, the error of the exact way over the distance: 5e-9. Accelerations have the error of
// the rates times that of the fastest servo, damping / rotor, torques times the damping. The error
// of the force is 1e-11 of its peak, however far it has fallen since.
static const double tolerance = 1e-7, noise_of_rates = 1e-11, rotor = 0.02;

enum { DIRECTIONS = 5, TIMES = 6, ORDER = 6, SCALARS = 6 };

static const double times[TIMES] = {0.0, 0.0007, 0.004, 0.011, 0.03, 0.06};

// All numbers of a blow.
typedef struct outcome {
    double scalars[SCALARS]; // mass, peak, impulse, hand, target, travel
    double samples[TIMES][3];
    double accelerations[TIMES][MOST], torques[TIMES][MOST], rates[TIMES][MOST];
    int    count, changes;
} outcome;

typedef struct probe {
    bench                           b;
    atemi_arena                     arena;
    atemi_virtual_base_derivatives *posture;
    atemi_blow_derivatives_scratch *scratch;
    double                          q[MOST], v[MOST], speed, drift, rotors[MOST];
    double  dq[MOST * DIRECTIONS], dv[MOST * DIRECTIONS], dspeed[DIRECTIONS], ddrift[DIRECTIONS];
    double  held[MOST], dheld[MOST * DIRECTIONS]; // by servos
    double  h;                                    // between postures
    double  fastest;                              // of the servos, 1/s
    double  noise;                                // of the rates
    bool    has_rates, holds;
    outcome slopes[DIRECTIONS];
} probe;

// ---- By differences

typedef struct looker {
    outcome     *to;
    const bench *b;
} looker;

// The hand's speed, by the rates of the robot in the posture of first touch.
static inline double hand_speed(const bench *b, const double *rates, double time)
{
    const bool drifts = b->options.method != ATEMI_BLOW_VIRTUAL_MASS;
    double     speed = drifts ? b->setting.drift * time : 0.0;
    for (int i = 0; i < b->n; ++i) {
        speed += b->base.jacobian[i] * rates[i];
    }
    return speed;
}

static inline void on_sample(void *context, const atemi_blow_sample *s)
{
    looker      *l = (looker *)context;
    const int    i = l->to->count++;
    const double values[] = {s->force, hand_speed(l->b, s->rates, s->time), s->target_speed};
    const size_t size = (size_t)l->b->n * sizeof(double);
    memcpy(l->to->samples[i], values, sizeof values);
    memcpy(l->to->accelerations[i], s->accelerations, size);
    memcpy(l->to->torques[i], s->torques, size);
    memcpy(l->to->rates[i], s->rates, size);
}

static inline void copy_scalars(const bench *b, outcome *o)
{
    const atemi_blow_result *r = &b->result;
    const double             values[SCALARS] = {
        atemi_virtual_mass(&b->base),         r->peak_force,   r->impulse,
        hand_speed(b, r->rates, r->duration), r->target_speed, r->target_travel};
    memcpy(o->scalars, values, sizeof values);
    o->changes = r->mode_changes;
}

static inline void blow_at(probe *p, int direction, double step, outcome *o)
{
    bench *b = &p->b;
    double dq[MOST], v[MOST];
    for (int i = 0; i < b->n; ++i) {
        dq[i] = p->dq[i * DIRECTIONS + direction];
        v[i] = p->v[i] + step * p->dv[i * DIRECTIONS + direction];
        b->held[i] = p->held[i] + step * p->dheld[i * DIRECTIONS + direction];
    }
    atemi_configuration_integrate(b->model, p->q, dq, step, b->q);
    freeze(b);
    b->setting.rates = p->has_rates ? v : NULL;
    b->setting.speed = p->speed + step * p->dspeed[direction];
    b->setting.drift = p->drift + step * p->ddrift[direction];
    b->setting.servo.held = p->holds ? b->held : NULL;
    memset(o, 0, sizeof *o);
    looker                 looks = {o, b};
    const atemi_blow_watch watch = {times, TIMES, on_sample, &looks};
    CHECK_STATUS(
        atemi_blow(&b->base, &b->setting, &b->options, &watch, &b->scratch, &b->result, NULL),
        ATEMI_OK);
    copy_scalars(b, o);
}

// ---- Exactly

static inline void on_slopes(void *context, const atemi_blow_sample *s)
{
    probe                          *p = (probe *)context;
    const atemi_blow_sample_slopes *d = s->slopes;
    for (int c = 0; c < DIRECTIONS; ++c) {
        outcome  *o = &p->slopes[c];
        const int k = o->count++;
        o->samples[k][0] = d->force[c];
        o->samples[k][1] = d->hand_speed[c];
        o->samples[k][2] = d->target_speed[c];
        for (int i = 0; i < p->b.n; ++i) {
            o->accelerations[k][i] = d->accelerations[i * d->stride + c];
            o->torques[k][i] = d->torques[i * d->stride + c];
            o->rates[k][i] = d->rates[i * d->stride + c];
        }
    }
}

static inline atemi_status find_slopes(probe *p)
{
    bench *b = &p->b;
    memcpy(b->q, p->q, sizeof p->q);
    freeze(b);
    b->setting.rates = p->has_rates ? p->v : NULL;
    b->setting.speed = p->speed;
    b->setting.drift = p->drift;
    b->setting.servo.held = p->holds ? p->held : NULL;
    CHECK_STATUS(atemi_virtual_base_derivatives_find(b->model, &b->ground, &b->point, &b->base,
                                                     p->dq, DIRECTIONS, DIRECTIONS, p->posture,
                                                     NULL),
                 ATEMI_OK);
    const atemi_blow_directions directions = {.count = DIRECTIONS,
                                              .stride = DIRECTIONS,
                                              .rates = p->dv,
                                              .speed = p->dspeed,
                                              .drift = p->ddrift,
                                              .held = p->holds ? p->dheld : NULL};
    const atemi_blow_watch      watch = {times, TIMES, on_slopes, p};
    atemi_blow_slopes           s;
    memset(p->slopes, 0, sizeof p->slopes);
    const atemi_status status =
        atemi_blow_derivatives(&b->base, p->posture, &b->setting, &directions, &b->options, &watch,
                               &b->scratch, p->scratch, &b->result, &s, NULL);
    const double *mass = atemi_virtual_base_slopes_of(p->posture).mass;
    for (int c = 0; c < DIRECTIONS && status == ATEMI_OK; ++c) {
        const double values[SCALARS] = {mass[c],         s.peak_force[c],   s.impulse[c],
                                        s.hand_speed[c], s.target_speed[c], s.target_travel[c]};
        memcpy(p->slopes[c].scalars, values, sizeof values);
    }
    return status;
}

// ---- Both

// The sixth-order central difference of numbers at six postures, and the size to compare by.
static inline double difference(const double *at[ORDER], double h, int i)
{
    return (45.0 * (at[3][i] - at[2][i]) - 9.0 * (at[4][i] - at[1][i]) + (at[5][i] - at[0][i])) /
           (60.0 * h);
}

static inline void check_numbers(const char *name, const double *found, const double *at[ORDER],
                                 double h, int count, double noise)
{
    double size = noise / tolerance;
    for (int i = 0; i < count; ++i) {
        size = fmax(size, fmax(fabs(at[2][i]), fabs(difference(at, h, i))));
    }
    for (int i = 0; i < count; ++i) {
        if (!(fabs(found[i] - difference(at, h, i)) <= tolerance * size)) {
            check_fail(CHECK_PLACE(name), "%s %d: %.12g by derivatives, %.12g by differences", name,
                       i, found[i], difference(at, h, i));
        }
    }
}

#define CHECK_ALL(field, count, noise)                                                             \
    do {                                                                                           \
        const double *at[ORDER];                                                                   \
        for (int k_ = 0; k_ < ORDER; ++k_) {                                                       \
            at[k_] = near[k_].field;                                                               \
        }                                                                                          \
        check_numbers(#field, p->slopes[c].field, at, p->h, count, noise);                         \
    } while (0)

static inline void compare(probe *p)
{
    static const double steps[ORDER] = {-3.0, -2.0, -1.0, 1.0, 2.0, 3.0};
    static outcome      near[ORDER];
    CHECK_STATUS(find_slopes(p), ATEMI_OK);
    for (int c = 0; c < DIRECTIONS; ++c) {
        for (int k = 0; k < ORDER; ++k) {
            blow_at(p, c, steps[k] * p->h, &near[k]);
            CHECK_EQUAL_INT(near[k].changes, near[0].changes);
        }
        for (int i = 0; i < SCALARS; ++i) {
            CHECK_ALL(scalars + i, 1, 0.0);
        }
        CHECK_EQUAL_INT(p->slopes[c].count, near[0].count);
        for (int i = 0; i < near[0].count; ++i) {
            CHECK_ALL(samples[i], 1, noise_of_rates * p->b.result.peak_force / p->h);
            CHECK_ALL(samples[i] + 1, 2, 0.0);
            CHECK_ALL(rates[i], p->b.n, 0.0);
            CHECK_ALL(accelerations[i], p->b.n, p->noise * p->fastest / p->h);
            CHECK_ALL(torques[i], p->b.n, p->noise * p->fastest * rotor / p->h);
        }
    }
}

static inline void take(probe *p, atemi_arena *arena)
{
    p->posture = atemi_virtual_base_derivatives_take(arena, p->b.model, 2, DIRECTIONS);
    p->scratch = atemi_blow_derivatives_take(arena, p->b.model, DIRECTIONS);
}

// hrp2_like in a random posture near that of the bench, and random directions. Without rotors, the
// accelerations of its grippers would be differences of torques that are 1e5 times as large.
static inline void begin(probe *p, double stiffness, double damping, double speed, uint64_t seed)
{
    random_stream stream = random_seeded(seed);
    atemi_arena   measuring = atemi_arena_measuring();
    memset(p, 0, sizeof *p);
    humanoid(&p->b, stiffness, damping, speed);
    take(p, &measuring);
    CHECK_STATUS(atemi_arena_create(&p->arena, measuring.used, NULL), ATEMI_OK);
    take(p, &p->arena);
    for (int i = 0; i < p->b.n * DIRECTIONS; ++i) {
        p->dq[i] = random_uniform(&stream, -0.3, 0.3);
        p->dv[i] = random_uniform(&stream, -0.3, 0.3);
    }
    for (int i = 6; i < p->b.n; ++i) {
        p->rotors[i] = rotor;
    }
    p->b.ground.rotors = p->rotors;
    double moved[MOST];
    for (int i = 0; i < p->b.n; ++i) {
        moved[i] = random_uniform(&stream, -0.1, 0.1);
        p->v[i] = random_uniform(&stream, -0.2, 0.2);
    }
    atemi_configuration_integrate(p->b.model, p->b.q, moved, 1.0, p->q);
    for (int c = 0; c < DIRECTIONS; ++c) {
        p->dspeed[c] = random_uniform(&stream, -0.3, 0.3);
        p->ddrift[c] = random_uniform(&stream, -1.0, 1.0);
    }
    for (int i = 6 * DIRECTIONS; i < p->b.n * DIRECTIONS; ++i) {
        p->dheld[i] = random_uniform(&stream, -3.0, 3.0);
    }
    p->h = 2e-3;
    p->fastest = fmax(damping, 400.0) / rotor;
    p->noise = noise_of_rates;
    p->speed = speed;
    p->drift = -0.7;
    p->b.options.past_release = true;
    p->b.options.duration = 0.07;
    p->b.setting.servo.limits = NULL;
}

static inline void end(probe *p)
{
    atemi_arena_destroy(&p->arena);
    bench_end(&p->b);
}
