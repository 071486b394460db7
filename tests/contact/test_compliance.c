// SPDX-License-Identifier: Apache-2.0

#include "atemi/surface.h"
#include "check.h"
#include "random.h"

#include <math.h>
#include <stddef.h>

enum { LAWS = 3, ROUNDS = 1000, MOST_STEPS = 1000000 };

static const double step = 2e-6;
static const double first_touch = 1e-300; // a depth: the limit from inside

static const atemi_spring_damper surface = {.stiffness = 1e4, .damping = 300.0};
static const atemi_hunt_crossley ball = {.stiffness = 1e6, .dissipation = 0.4, .exponent = 1.5};

static atemi_compliance law_number(int i)
{
    return i == 0   ? atemi_compliance_compression_damper(&surface)
           : i == 1 ? atemi_compliance_kelvin_voigt(&surface)
                    : atemi_compliance_hunt_crossley(&ball);
}

// Two bodies on a line, the first behind the second. An infinite mass is a wall.
typedef struct bodies {
    double x[2], v[2]; // depth = x_0 - x_1
} bodies;

typedef struct collision {
    bodies after;
    double peak, deepest, impulse;
    double gain; // the largest growth of kinetic plus elastic energy in a step
} collision;

static bodies moved(const bodies *b, double t, const bodies *rate)
{
    bodies result;
    for (int i = 0; i < 2; ++i) {
        result.x[i] = b->x[i] + t * rate->x[i];
        result.v[i] = b->v[i] + t * rate->v[i];
    }
    return result;
}

static double force_between(const atemi_compliance *law, const bodies *b)
{
    return atemi_compliance_force(law, b->x[0] - b->x[1], b->v[0] - b->v[1]);
}

static bodies rate_of(const atemi_compliance *law, const double *masses, const bodies *b)
{
    const double f = force_between(law, b);
    const bodies rate = {{b->v[0], b->v[1]}, {-f / masses[0], f / masses[1]}};
    return rate;
}

// A step of Runge and Kutta's fourth order. It also integrates the force.
static double runge_kutta(const atemi_compliance *law, const double *masses, double h, bodies *b)
{
    const bodies k1 = rate_of(law, masses, b), b2 = moved(b, 0.5 * h, &k1);
    const bodies k2 = rate_of(law, masses, &b2), b3 = moved(b, 0.5 * h, &k2);
    const bodies k3 = rate_of(law, masses, &b3), b4 = moved(b, h, &k3);
    const bodies k4 = rate_of(law, masses, &b4);
    const double impulse = h / 6.0 *
                           (force_between(law, b) + 2.0 * force_between(law, &b2) +
                            2.0 * force_between(law, &b3) + force_between(law, &b4));
    *b = moved(b, h / 6.0, &k1);
    *b = moved(b, h / 3.0, &k2);
    *b = moved(b, h / 3.0, &k3);
    *b = moved(b, h / 6.0, &k4);
    return impulse;
}

static double energy_of(const atemi_compliance *law, const double *masses, const bodies *b)
{
    const double target = isinf(masses[1]) ? 0.0 : 0.5 * masses[1] * b->v[1] * b->v[1];
    return 0.5 * masses[0] * b->v[0] * b->v[0] + target +
           atemi_compliance_energy(law, b->x[0] - b->x[1]);
}

static collision collide(const atemi_compliance *law, double striker, double target, double speed)
{
    const double masses[] = {striker, target};
    collision    c = {.after = {{first_touch, 0.0}, {speed, 0.0}}};
    double       energy = energy_of(law, masses, &c.after);
    for (int i = 0; i < MOST_STEPS && c.after.x[0] - c.after.x[1] > 0.0; ++i) {
        c.peak = fmax(c.peak, force_between(law, &c.after));
        c.impulse += runge_kutta(law, masses, step, &c.after);
        c.deepest = fmax(c.deepest, c.after.x[0] - c.after.x[1]);
        const double now = energy_of(law, masses, &c.after);
        c.gain = fmax(c.gain, now - energy);
        energy = now;
    }
    return c;
}

// ---- The compression damper

// Speed of rebound per speed of impact. A mass m on spring and damper is a damped oscillation with
// w^2 = k / m and s = c / (2 m), which comes to rest at the time t with
// tan(sqrt(w^2 - s^2) t) = sqrt(w^2 - s^2) / s, at the depth v exp(-s t) / w. From there it swings
// back without damper, for a quarter.
static double compression_restitution(double k, double c, double m)
{
    const double s = c / (2.0 * m), d = k / m - s * s;
    const double t = d > 0.0 ? atan2(sqrt(d), s) / sqrt(d) : atanh(sqrt(-d) / s) / sqrt(-d);
    return exp(-s * t);
}

TEST(compression_damper, rebounds_from_a_wall_as_a_damped_then_free_oscillation)
{
    static const double    masses[] = {0.5, 1.0, 5.0, 20.0, 80.0}; // over- and underdamped
    const atemi_compliance law = law_number(0);
    for (int i = 0; i < 5; ++i) {
        const double    m = masses[i], v = 1.3;
        const double    e = compression_restitution(surface.stiffness, surface.damping, m);
        const collision c = collide(&law, m, INFINITY, v);
        CHECK_NEAR(c.after.v[0], -e * v, 1e-8);
        CHECK_NEAR(c.impulse, m * v * (1.0 + e), 1e-8 * m);
        CHECK_NEAR(c.deepest, e * v * sqrt(m / surface.stiffness), 1e-8);
    }
}

// f' = k v - c^2 v / m at first touch, so the damper's force there is the peak where c^2 > k m.
TEST(compression_damper, pushes_hardest_at_first_touch_where_it_is_strong)
{
    const atemi_compliance law = law_number(0);
    CHECK_NEAR(collide(&law, 2.0, INFINITY, 0.7).peak, 210.0, 1e-9);
    CHECK_NEAR(collide(&law, 8.9, INFINITY, 0.7).peak, 210.0, 1e-9);
    CHECK(collide(&law, 20.0, INFINITY, 0.7).peak > 210.1);
}

// [SDC] Table III: virtual mass and speed of the striker, and the impulse onto a free target of
// 5 kg, to the printed digit.
TEST(compression_damper, gives_the_impulses_of_sdc_table_iii)
{
    static const struct {
        double mass, speed, impulse;
    } rows[] = {
        {4.0, 0.4, 1.2}, {4.0, 0.7, 2.1}, {4.0, 1.0, 3.0}, {6.0, 0.4, 1.5}, {6.0, 0.7, 2.7},
        {6.0, 1.0, 3.8}, {8.0, 0.4, 1.7}, {8.0, 0.7, 3.0}, {8.0, 1.0, 4.3},
    };
    const double           target = 5.0;
    const atemi_compliance law = law_number(0);
    for (int i = 0; i < 9; ++i) {
        const double    m = rows[i].mass * target / (rows[i].mass + target), v = rows[i].speed;
        const double    e = compression_restitution(surface.stiffness, surface.damping, m);
        const collision c = collide(&law, rows[i].mass, target, v);
        CHECK_NEAR(c.impulse, rows[i].impulse, 0.05);
        CHECK_NEAR(c.impulse, m * v * (1.0 + e), 1e-8);
        CHECK_NEAR(c.after.v[1] * target, c.impulse, 1e-12);
        CHECK_NEAR(c.peak, surface.damping * v, 1e-9);
    }
}

// ... which a damper that works both ways does not give: 1.0 N s in the first row.
TEST(kelvin_voigt, does_not_give_the_impulses_of_sdc_table_iii)
{
    const atemi_compliance law = law_number(1);
    CHECK_NEAR(collide(&law, 4.0, 5.0, 0.4).impulse, 1.0, 0.05);
}

TEST(compression_damper, has_the_default_of_sdc)
{
    const atemi_spring_damper given = atemi_spring_damper_default();
    CHECK_NEAR(given.stiffness, 1e4, 0.0);
    CHECK_NEAR(given.damping, 300.0, 0.0);
}

// ---- Kelvin and Voigt

// The oscillation w^2 = k / m, s = c / (2 m), d^2 = w^2 - s^2 lets go where its acceleration is
// zero, at d t = atan2(2 s d, s^2 - d^2), with the speed v exp(-s t) [Schwager07].
TEST(kelvin_voigt, lets_go_where_the_damped_oscillation_would_pull)
{
    const atemi_compliance law = law_number(1);
    static const double    masses[] = {3.0, 5.0, 20.0, 80.0};
    for (int i = 0; i < 4; ++i) {
        const double    m = masses[i], v = 1.3, s = surface.damping / (2.0 * m);
        const double    d = sqrt(surface.stiffness / m - s * s);
        const double    e = exp(-s * atan2(2.0 * s * d, s * s - d * d) / d);
        const collision c = collide(&law, m, INFINITY, v);
        CHECK_NEAR(c.after.v[0], -e * v, 1e-8);
        CHECK_NEAR(c.impulse, m * v * (1.0 + e), 1e-8 * m);
    }
}

TEST(kelvin_voigt, is_the_sum_of_spring_and_damper_while_it_pushes)
{
    const atemi_compliance law = law_number(1);
    CHECK_NEAR(atemi_compliance_force(&law, 0.01, 0.2), 160.0, 1e-13);
    CHECK_NEAR(atemi_compliance_force(&law, 0.01, -0.2), 40.0, 1e-13);
    CHECK_NEAR(atemi_compliance_force(&law, 0.01, -0.4), 0.0, 0.0);
}

// ---- Hunt and Crossley

// m r dr = -k d^p (1 + b r) dd with b = 3/2 alpha has the integral
//
//   k d^(p+1) / (p + 1) + m g(r) = const,   g(r) = r / b - log(1 + b r) / b^2
//
// so that r goes from v to -u with g(v) = g(-u) [Marhefka99].
static double hunt_crossley_g(double b, double r)
{
    return r / b - log1p(b * r) / (b * b);
}

TEST(hunt_crossley, keeps_its_first_integral_through_an_impact)
{
    static const atemi_hunt_crossley materials[] = {
        {1e6, 0.4, 1.5}, {1e4, 0.1, 1.0}, {3e7, 1.0, 2.0}, {1e6, 0.05, 1.3}};
    for (int i = 0; i < 4; ++i) {
        const atemi_hunt_crossley *h = &materials[i];
        const atemi_compliance     law = atemi_compliance_hunt_crossley(h);
        const double               m = 3.0, v = 0.9, b = 1.5 * h->dissipation, p = h->exponent;
        const collision            c = collide(&law, m, INFINITY, v);
        const double               u = -c.after.v[0];
        CHECK(u > 0.0 && u < v);
        CHECK_NEAR(hunt_crossley_g(b, -u), hunt_crossley_g(b, v), 1e-8);
        CHECK_NEAR(h->stiffness * pow(c.deepest, p + 1.0) / (p + 1.0), m * hunt_crossley_g(b, v),
                   1e-7);
        CHECK_NEAR(c.impulse, m * (u + v), 1e-8);
    }
}

// e = 1 - alpha v + O(v^2) for any stiffness, and e falls with the speed.
TEST(hunt_crossley, returns_less_the_faster_the_impact)
{
    const atemi_compliance law = law_number(2);
    double                 before = 1.0;
    for (int i = 1; i <= 8; ++i) {
        const double v = 0.02 * pow(2.0, i), e = -collide(&law, 2.0, INFINITY, v).after.v[0] / v;
        CHECK(e < before);
        CHECK(e > 0.0);
        if (v < 0.1) {
            CHECK_NEAR(e, 1.0 - ball.dissipation * v, 1.5 * pow(ball.dissipation * v, 2.0));
        }
        before = e;
    }
}

TEST(hunt_crossley, touches_without_a_jump)
{
    const atemi_compliance law = law_number(2);
    CHECK_NEAR(atemi_compliance_force(&law, first_touch, 10.0), 0.0, 1e-100);
    CHECK_NEAR(atemi_compliance_force(&law, 1e-8, 10.0), 1e6 * 1e-12 * 7.0, 1e-18);
    CHECK_NEAR(atemi_compliance_force(&law, 1e-2, -2.0), 0.0, 0.0);
}

TEST(hunt_crossley, is_hertzs_by_default_and_wants_its_stiffness_set)
{
    const atemi_hunt_crossley given = atemi_hunt_crossley_default();
    atemi_error               error;
    CHECK_NEAR(given.exponent, 1.5, 0.0);
    CHECK_NEAR(given.dissipation, 0.0, 0.0);
    CHECK_STATUS(atemi_hunt_crossley_check(&given, &error), ATEMI_ERROR_INPUT);
    CHECK_EQUAL_STRING(error.message, "the stiffness of a contact is 0 N/m^p: it must be positive");
}

// ---- All laws

TEST(compliance, never_pulls_and_pushes_only_in_contact)
{
    random_stream stream = random_seeded(1);
    for (int i = 0; i < LAWS * ROUNDS; ++i) {
        const atemi_compliance law = law_number(i % LAWS);
        const double           depth = random_uniform(&stream, 0.0, 0.1);
        const double           rate = random_uniform(&stream, -10.0, 10.0);
        CHECK(atemi_compliance_force(&law, depth, rate) >= 0.0);
        CHECK(atemi_compliance_force(&law, depth, 0.0) > 0.0);
        CHECK_NEAR(atemi_compliance_force(&law, -depth, rate), 0.0, 0.0);
        CHECK_NEAR(atemi_compliance_force(&law, 0.0, rate), 0.0, 0.0);
        CHECK_NEAR(atemi_compliance_energy(&law, -depth), 0.0, 0.0);
    }
}

// Pointwise: the part of the force that is not the spring's takes power. Over an impact: kinetic
// and elastic energy never grow from one step to the next, but for the integrator's error in the
// step that leaves contact: k (v h)^2 = 4e-7 J at 3 m/s.
TEST(compliance, never_gives_energy)
{
    random_stream stream = random_seeded(2);
    for (int i = 0; i < LAWS * ROUNDS; ++i) {
        const atemi_compliance law = law_number(i % LAWS);
        const double           depth = random_uniform(&stream, 0.0, 0.1);
        const double           rate = random_uniform(&stream, -10.0, 10.0);
        const double           spring = atemi_compliance_force(&law, depth, 0.0);
        CHECK((atemi_compliance_force(&law, depth, rate) - spring) * rate >= 0.0);
    }
    for (int i = 0; i < LAWS * 6; ++i) {
        const atemi_compliance law = law_number(i % LAWS);
        const double           mass = random_uniform(&stream, 1.0, 20.0);
        const double           speed = random_uniform(&stream, 0.1, 3.0);
        const collision        c = collide(&law, mass, random_uniform(&stream, 1.0, 9.0), speed);
        CHECK(c.gain < 4e-7);
        CHECK(c.impulse > 0.0);
    }
}

// Without damping all laws give back the whole speed, from the depth where the spring holds all.
TEST(compliance, without_damping_returns_all_energy)
{
    const atemi_spring_damper spring = {.stiffness = 1e4};
    const atemi_hunt_crossley hertz = {.stiffness = 1e6, .exponent = 1.5};
    const atemi_compliance    laws[] = {atemi_compliance_compression_damper(&spring),
                                        atemi_compliance_kelvin_voigt(&spring),
                                        atemi_compliance_hunt_crossley(&hertz)};
    for (int i = 0; i < LAWS; ++i) {
        const collision c = collide(&laws[i], 3.0, INFINITY, 0.8);
        CHECK_NEAR(c.after.v[0], -0.8, 1e-9);
        CHECK_NEAR(atemi_compliance_energy(&laws[i], c.deepest), 0.5 * 3.0 * 0.8 * 0.8, 1e-8);
    }
}

// Simpson's rule over 64 panels; d^1.5 costs it some digits at zero.
TEST(compliance, stores_the_work_done_slowly)
{
    for (int i = 0; i < LAWS; ++i) {
        const atemi_compliance law = law_number(i);
        const double           deep = 0.03, h = deep / 128.0;
        double                 work = 0.0;
        for (int k = 0; k <= 128; ++k) {
            const double weight = k == 0 || k == 128 ? 1.0 : k % 2 ? 4.0 : 2.0;
            work += weight * h / 3.0 * atemi_compliance_force(&law, k * h, 0.0);
        }
        CHECK_NEAR(atemi_compliance_energy(&law, deep), work, 1e-6 * work);
    }
}

// By differences, away from the kinks.
TEST(compliance, has_slopes_that_are_its_derivatives)
{
    random_stream stream = random_seeded(3);
    int           flat = 0, steep = 0;
    for (int i = 0; i < LAWS * ROUNDS; ++i) {
        const atemi_compliance law = law_number(i % LAWS);
        const double           d = random_uniform(&stream, 0.005, 0.05), h = 1e-6;
        const double           r = random_uniform(&stream, -4.0, 2.0);
        const double           kink = i % LAWS == 0   ? r
                                      : i % LAWS == 1 ? r + surface.stiffness / surface.damping * d
                                                      : r + 1.0 / (1.5 * ball.dissipation);
        if (fabs(kink) < 1e-3) {
            continue;
        }
        double by_depth, by_rate;
        CHECK(atemi_compliance_slopes(&law, d, r, &by_depth, &by_rate));
        const double df_dd =
            (atemi_compliance_force(&law, d + h, r) - atemi_compliance_force(&law, d - h, r)) /
            (2.0 * h);
        const double df_dr =
            (atemi_compliance_force(&law, d, r + h) - atemi_compliance_force(&law, d, r - h)) /
            (2.0 * h);
        CHECK_NEAR(by_depth, df_dd, 1e-6 * (1000.0 + fabs(df_dd)));
        CHECK_NEAR(by_rate, df_dr, 1e-6 * (1000.0 + fabs(df_dr)));
        flat += by_rate == 0.0;
        steep += by_rate > 0.0;
    }
    CHECK(flat > ROUNDS / 2 && steep > ROUNDS / 2);
}

TEST(compliance, has_no_slopes_outside_of_contact)
{
    for (int i = 0; i < LAWS; ++i) {
        const atemi_compliance law = law_number(i);
        double                 by_depth = 7.0, by_rate = 7.0;
        CHECK(atemi_compliance_slopes(&law, 0.0, 1.0, &by_depth, &by_rate));
        CHECK_NEAR(by_depth, 0.0, 0.0);
        CHECK_NEAR(by_rate, 0.0, 0.0);
    }
}

// ---- A law of the user's

static double constant_push(const void *context, double depth, double rate)
{
    const double *force = context;
    return depth > 0.0 && rate > -1.0 ? *force : -1000.0;
}

TEST(compliance, may_be_the_users_own)
{
    const double           force = 42.0;
    const atemi_compliance law = {.force = constant_push, .context = &force};
    double                 by_depth = 7.0, by_rate = 7.0;
    CHECK_NEAR(atemi_compliance_force(&law, 0.1, 0.0), 42.0, 0.0);
    CHECK_NEAR(atemi_compliance_force(&law, 0.1, -2.0), -1000.0, 0.0);
    CHECK_NEAR(atemi_compliance_force(&law, 0.0, -2.0), 0.0, 0.0);
    CHECK_NEAR(atemi_compliance_energy(&law, 0.1), 0.0, 0.0);
    CHECK(!atemi_compliance_slopes(&law, 0.1, 0.0, &by_depth, &by_rate));
    CHECK_NEAR(by_depth, 0.0, 0.0);
    CHECK_NEAR(by_rate, 0.0, 0.0);
    CHECK_NEAR(collide(&law, 2.0, INFINITY, 0.5).after.v[0], -0.5, 1e-4);
}

// ---- Parameters

TEST(spring_damper_check, refuses_what_is_no_spring_or_damper_and_says_why)
{
    static const struct {
        atemi_spring_damper parameters;
        const char         *message;
    } cases[] = {
        {{0.0, 1.0}, "the stiffness of a contact is 0 N/m: it must be positive"},
        {{-2.0, 1.0}, "the stiffness of a contact is -2 N/m: it must be positive"},
        {{1.0, -0.5}, "the damping of a contact is -0.5 N s/m: it must be zero or positive"},
        {{INFINITY, 1.0}, "the stiffness of a contact is inf N/m: it must be positive"},
        {{1.0, INFINITY}, "the damping of a contact is inf N s/m: it must be zero or positive"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        atemi_error error;
        CHECK_STATUS(atemi_spring_damper_check(&cases[i].parameters, &error), ATEMI_ERROR_INPUT);
        CHECK_EQUAL_STRING(error.message, cases[i].message);
        CHECK_STATUS(atemi_spring_damper_check(&cases[i].parameters, NULL), ATEMI_ERROR_INPUT);
    }
    const atemi_spring_damper undamped = {1.0, 0.0}, lost = {NAN, 1.0}, unknown = {1.0, NAN};
    CHECK_STATUS(atemi_spring_damper_check(&undamped, NULL), ATEMI_OK);
    CHECK_STATUS(atemi_spring_damper_check(&lost, NULL), ATEMI_ERROR_INPUT);
    CHECK_STATUS(atemi_spring_damper_check(&unknown, NULL), ATEMI_ERROR_INPUT);
}

TEST(hunt_crossley_check, refuses_what_is_no_material_and_says_why)
{
    static const struct {
        atemi_hunt_crossley parameters;
        const char         *part;
    } cases[] = {
        {{0.0, 0.1, 1.5}, "the stiffness of a contact is 0 N/m^p"},
        {{1.0, -0.1, 1.5}, "the dissipation of a contact is -0.1 s/m: it must be zero or positive"},
        {{1.0, 0.1, 0.5}, "the exponent of a contact is 0.5: it must be at least 1"},
        {{1.0, 0.1, INFINITY}, "the exponent"},
        {{1.0, INFINITY, 1.5}, "the dissipation"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        atemi_error error;
        CHECK_STATUS(atemi_hunt_crossley_check(&cases[i].parameters, &error), ATEMI_ERROR_INPUT);
        CHECK_CONTAINS(error.message, cases[i].part);
    }
    const atemi_hunt_crossley lost = {1.0, 0.1, NAN};
    CHECK_STATUS(atemi_hunt_crossley_check(&lost, NULL), ATEMI_ERROR_INPUT);
    CHECK_STATUS(atemi_hunt_crossley_check(&ball, NULL), ATEMI_OK);
}

TEST(compliance, requires_a_law_with_a_force)
{
    const atemi_compliance nothing = {0};
    double                 slope;
    CHECK_BREAKS_CONTRACT(atemi_compliance_force(NULL, 0.1, 0.0));
    CHECK_BREAKS_CONTRACT(atemi_compliance_force(&nothing, 0.1, 0.0));
    CHECK_BREAKS_CONTRACT(atemi_compliance_energy(NULL, 0.1));
    CHECK_BREAKS_CONTRACT(atemi_compliance_slopes(NULL, 0.1, 0.0, &slope, &slope));
    CHECK_BREAKS_CONTRACT(atemi_compliance_slopes(&nothing, 0.1, 0.0, NULL, &slope));
    CHECK_BREAKS_CONTRACT(atemi_compliance_slopes(&nothing, 0.1, 0.0, &slope, NULL));
    CHECK_BREAKS_CONTRACT(atemi_spring_damper_check(NULL, NULL));
    CHECK_BREAKS_CONTRACT(atemi_hunt_crossley_check(NULL, NULL));
}
