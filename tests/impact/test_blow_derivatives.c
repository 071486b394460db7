// SPDX-License-Identifier: Apache-2.0

#include "atemi/blow_derivatives.h"

#include "allocations.h"
#include "atemi/model.h"
#include "blow_bench.h"
#include "random.h"

// Blows at postures to both sides are computed without any derivative. With h = 2e-3 central
// differences of sixth order are off by h^6 times a seventh derivative, some 1e-12 here, and by
// 1e-11 / h, the error of the exact way over the distance: 5e-9; all six of them by 110 / 60 times
// as much. Accelerations have the error of the rates times that of the fastest servo, damping /
// rotor, torques times the damping.
static const double tolerance = 1e-7, noise_of_rates = 110.0 / 60.0 * 1e-11, rotor = 0.02;

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
    double  h;       // between postures
    double  fastest; // of the servos, 1/s
    bool    has_rates;
    outcome slopes[DIRECTIONS];
} probe;

// ---- By differences

typedef struct looker {
    outcome     *to;
    const bench *b;
} looker;

// The hand's speed, by the rates of the robot in the posture of first touch.
static double hand_speed(const bench *b, const double *rates, double time)
{
    const bool drifts = b->options.way != ATEMI_BLOW_VIRTUAL_MASS;
    double     speed = drifts ? b->setting.drift * time : 0.0;
    for (int i = 0; i < b->n; ++i) {
        speed += b->base.jacobian[i] * rates[i];
    }
    return speed;
}

static void on_sample(void *context, const atemi_blow_sample *s)
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

static void copy_scalars(const bench *b, outcome *o)
{
    const atemi_blow_result *r = &b->result;
    const double             values[SCALARS] = {
        atemi_virtual_mass(&b->base),         r->peak_force,   r->impulse,
        hand_speed(b, r->rates, r->duration), r->target_speed, r->target_travel};
    memcpy(o->scalars, values, sizeof values);
    o->changes = r->mode_changes;
}

static void blow_at(probe *p, int direction, double step, outcome *o)
{
    bench *b = &p->b;
    double dq[MOST], v[MOST];
    for (int i = 0; i < b->n; ++i) {
        dq[i] = p->dq[i * DIRECTIONS + direction];
        v[i] = p->v[i] + step * p->dv[i * DIRECTIONS + direction];
    }
    atemi_configuration_integrate(b->model, p->q, dq, step, b->q);
    freeze(b);
    b->setting.rates = p->has_rates ? v : NULL;
    b->setting.speed = p->speed + step * p->dspeed[direction];
    b->setting.drift = p->drift + step * p->ddrift[direction];
    memset(o, 0, sizeof *o);
    looker                 looks = {o, b};
    const atemi_blow_watch watch = {times, TIMES, on_sample, &looks};
    CHECK_STATUS(
        atemi_blow(&b->base, &b->setting, &b->options, &watch, &b->scratch, &b->result, NULL),
        ATEMI_OK);
    copy_scalars(b, o);
}

// ---- Exactly

static void on_slopes(void *context, const atemi_blow_sample *s)
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

static atemi_status find_slopes(probe *p)
{
    bench *b = &p->b;
    memcpy(b->q, p->q, sizeof p->q);
    freeze(b);
    b->setting.rates = p->has_rates ? p->v : NULL;
    b->setting.speed = p->speed;
    b->setting.drift = p->drift;
    CHECK_STATUS(atemi_virtual_base_derivatives_find(b->model, &b->ground, &b->point, &b->base,
                                                     p->dq, DIRECTIONS, DIRECTIONS, p->posture,
                                                     NULL),
                 ATEMI_OK);
    const atemi_blow_directions directions = {DIRECTIONS, DIRECTIONS, p->dv, p->dspeed, p->ddrift};
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
static double difference(const double *at[ORDER], double h, int i)
{
    return (45.0 * (at[3][i] - at[2][i]) - 9.0 * (at[4][i] - at[1][i]) + (at[5][i] - at[0][i])) /
           (60.0 * h);
}

static void check_numbers(const char *name, const double *found, const double *at[ORDER], double h,
                          int count, double noise)
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

static void compare(probe *p)
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
            CHECK_ALL(samples[i], 1, 0.0);
            CHECK_ALL(samples[i] + 1, 2, 0.0);
            CHECK_ALL(rates[i], p->b.n, 0.0);
            CHECK_ALL(accelerations[i], p->b.n, noise_of_rates * p->fastest / p->h);
            CHECK_ALL(torques[i], p->b.n, noise_of_rates * p->fastest * rotor / p->h);
        }
    }
}

static void take(probe *p, atemi_arena *arena)
{
    p->posture = atemi_virtual_base_derivatives_take(arena, p->b.model, 2, DIRECTIONS);
    p->scratch = atemi_blow_derivatives_take(arena, p->b.model, DIRECTIONS);
}

// hrp2_like in a random posture near that of the bench, and random directions. Without rotors, the
// accelerations of its grippers would be differences of torques that are 1e5 times as large.
static void begin(probe *p, double stiffness, double damping, double speed, uint64_t seed)
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
    p->h = 2e-3;
    p->fastest = fmax(damping, 400.0) / rotor;
    p->speed = speed;
    p->drift = -0.7;
    p->b.options.past_release = true;
    p->b.options.duration = 0.07;
    p->b.setting.servo.limits = NULL;
}

static void end(probe *p)
{
    atemi_arena_destroy(&p->arena);
    bench_end(&p->b);
}

TEST(blow_derivatives, are_those_of_differences_whatever_the_servo_and_the_target)
{
    static const struct {
        double stiffness, damping, mass;
    } cases[] = {{8000.0, 400.0, 5.0}, {300.0, 5.0, 5.0},    {30000.0, 50.0, 5.0},
                 {0.0, 0.0, 5.0},      {8000.0, 400.0, 1e3}, {8000.0, 400.0, 1e-3}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        probe p;
        begin(&p, cases[i].stiffness, cases[i].damping, 1.0, 11 + i);
        p.b.setting.target.mass = cases[i].mass;
        compare(&p);
        end(&p);
    }
}

TEST(blow_derivatives, are_those_of_differences_where_rates_are_given)
{
    for (int i = 0; i < 3; ++i) {
        probe p;
        begin(&p, 8000.0, 400.0, 1.0, 31 + (uint64_t)i);
        p.has_rates = true;
        atemi_virtual_base_rates(&p.b.base, 1.3, p.v);
        compare(&p);
        end(&p);
    }
}

// Chains and dense systems, by turns.
TEST(blow_derivatives, are_those_of_differences_where_every_joint_has_gains_of_its_own)
{
    probe         p;
    random_stream stream = random_seeded(5);
    begin(&p, 0.0, 0.0, 1.2, 41);
    for (int i = 6; i < p.b.n; ++i) {
        p.b.stiffness[i] = i % 4 ? random_uniform(&stream, 0.0, 2e4) : 0.0;
        p.b.damping[i] = i % 5 ? random_uniform(&stream, 0.0, 400.0) : 0.0;
    }
    compare(&p);
    end(&p);
}

// Gains that differ by one part in 1e9 make pairs of eigenvalues as close.
TEST(blow_derivatives, are_those_of_differences_where_eigenvalues_are_close)
{
    static const double apart[] = {1e-12, 1e-9, 1e-6, 1e-3};
    for (size_t k = 0; k < sizeof apart / sizeof apart[0]; ++k) {
        probe p;
        begin(&p, 8000.0, 400.0, 1.2, 51);
        for (int i = 6; i < p.b.n; ++i) {
            p.b.stiffness[i] *= 1.0 + apart[k] * i;
            p.b.damping[i] *= 1.0 - apart[k] * i;
        }
        compare(&p);
        end(&p);
    }
}

TEST(blow_derivatives, are_those_of_differences_by_kelvin_and_voigt)
{
    probe p;
    begin(&p, 8000.0, 400.0, 1.0, 61);
    use_spring(&p.b, ATEMI_BLOW_KELVIN_VOIGT, 1e4, 100.0);
    compare(&p);
    end(&p);
}

// It stands at first, moves, and comes to rest.
TEST(blow_derivatives, are_those_of_differences_on_a_nail)
{
    probe p;
    begin(&p, 8000.0, 400.0, 1.0, 71);
    use_spring(&p.b, ATEMI_BLOW_KELVIN_VOIGT, 5e4, 300.0);
    p.b.setting.target = (atemi_blow_target){.mass = 0.5, .friction = 350.0};
    compare(&p);
    end(&p);
}

TEST(blow_derivatives, are_those_of_differences_against_a_wall)
{
    probe p;
    begin(&p, 8000.0, 400.0, 0.7, 81);
    p.b.setting.target.mass = (double)INFINITY;
    compare(&p);
    end(&p);
}

TEST(blow_derivatives, are_those_of_differences_where_servos_saturate)
{
    probe p;
    begin(&p, 30000.0, 1000.0, 2.0, 91);
    p.b.setting.servo.limits = p.b.limits;
    for (int i = 6; i < p.b.n; ++i) {
        p.b.limits[i] *= 0.5;
    }
    p.h = 2e-4;
    compare(&p);
    CHECK(p.b.result.saturated >= 2);
    end(&p);
}

// Changes of different joints must not change places between the postures, so that these are near
// to each other.
TEST(blow_derivatives, are_those_of_differences_where_joints_have_friction)
{
    probe p;
    begin(&p, 12000.0, 100.0, 1.0, 101);
    for (int i = 6; i < p.b.n; ++i) {
        p.b.viscous[i] = 3.0;
        p.b.coulomb[i] = 2.0;
    }
    p.b.setting.servo.viscous = p.b.viscous;
    p.b.setting.servo.coulomb = p.b.coulomb;
    p.b.options.slowest_slide = 0.02;
    p.h = 2e-4;
    compare(&p);
    end(&p);
}

TEST(blow_derivatives, are_those_of_differences_with_two_hands)
{
    probe p;
    begin(&p, 8000.0, 400.0, 0.8, 111);
    p.b.point.more = 1;
    p.b.point.others[0] =
        (atemi_striking_hand){atemi_model_find_link(p.b.model, "left_fist"), {0.01, -0.02, 0.03}};
    compare(&p);
    end(&p);
}

TEST(blow_derivatives, of_a_blow_that_ends_with_its_release_are_those_of_differences)
{
    probe p;
    begin(&p, 8000.0, 400.0, 1.0, 121);
    p.b.options.past_release = false;
    compare(&p);
    CHECK(p.b.result.released);
    end(&p);
}

TEST(blow_derivatives, are_not_known_where_a_servo_is_stiffer_than_counts)
{
    probe p;
    begin(&p, 1e10, 400.0, 1.0, 131);
    CHECK_STATUS(find_slopes(&p), ATEMI_ERROR_SINGULAR);
    end(&p);
}

TEST(blow_derivatives, are_those_of_differences_where_no_servo_works)
{
    probe p;
    begin(&p, 8000.0, 400.0, 1.0, 141);
    p.b.options.way = ATEMI_BLOW_VIRTUAL_MASS;
    compare(&p);
    end(&p);
}

TEST(blow_derivatives, take_no_memory)
{
    probe p;
    begin(&p, 8000.0, 400.0, 1.0, 161);
    allocations_begin();
    CHECK_STATUS(find_slopes(&p), ATEMI_OK);
    CHECK_EQUAL_INT(allocations_end(), 0);
    end(&p);
}

TEST(blow_derivatives, are_refused_where_steps_are_taken)
{
    probe p;
    begin(&p, 8000.0, 400.0, 1.0, 151);
    p.b.options.way = ATEMI_BLOW_RK4;
    CHECK_STATUS(find_slopes(&p), ATEMI_ERROR_INPUT);
    end(&p);
}
