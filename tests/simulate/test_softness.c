// SPDX-License-Identifier: Apache-2.0

#include "atemi/simulation.h"

#include "bodies.h"
#include "check.h"
#include "trial.h"

#include <math.h>

// A mass m without gravity meets a soft floor with the speed u and leaves it with e u. With
// w = sqrt(k / m), z = c / (2 sqrt(k m)), cos p = z and d = w sin p:
//
//   spring alone                  e = 1                        it stays for pi / w
//   damper in compression [SDC]   e = exp(-p cot p)            it stays for p / d + pi / (2 w)
//   Kelvin and Voigt              e = exp(-2 p cot p)
//   Hunt and Crossley             b u (1 + e) = log((1 + b u) / (1 - b e u)),   b = 3/2 alpha
//
// The depth is greatest at the time p / d, and the force of Kelvin and Voigt zero at twice that.

static const double g = 9.81, pi = 3.14159265358979323846;
static const double m = 2.0, u = 1.5, height = 0.1;

static void begin(trial *t, const atemi_compliance *law, double gravity, double friction,
                  double tilt, double step)
{
    body                   mass = body_box(m, brick_size);
    atemi_simulation_point point = rough_point((atemi_vec3){0.0, 0.0, 0.0}, friction);
    mass.gravity = gravity;
    point.compliance = law;
    const trial_setting setting = {
        .model = body_model(&mass),
        .surface = {.kind = ATEMI_SURFACE_PLANE, .axis = {sin(tilt), 0, cos(tilt)}},
        .points = &point,
        .count = 1,
        .step = step};
    trial_begin(t, &setting);
}

// What a mass thrown at a law does.
typedef struct rebound {
    double restitution, stay;
} rebound;

static rebound throw_at(const atemi_compliance *law)
{
    trial        t;
    const double q[7] = {0, 0, height, 0, 0, 0, 1}, v[6] = {0, 0, -u, 0, 0, 0};
    begin(&t, law, 0.0, 0.0, 0.0, 1e-4);
    trial_start(&t, q, v);
    trial_run(&t, 0.25);
    CHECK_EQUAL_INT(t.count, 2);
    CHECK_EQUAL_INT(t.events[0].kind, ATEMI_EVENT_TOUCHDOWN);
    CHECK_EQUAL_INT(t.events[1].kind, ATEMI_EVENT_LIFT_OFF);
    CHECK_NEAR(t.events[0].time, height / u, 1e-9);
    CHECK_NEAR(t.events[0].speed, u, 1e-12);
    CHECK_EQUAL_INT(atemi_simulation_mode(t.simulation, 0), ATEMI_CONTACT_OPEN);
    const rebound found = {atemi_simulation_v(t.simulation)[2] / u,
                           t.events[1].time - t.events[0].time};
    trial_end(&t);
    return found;
}

TEST(softness, of_a_spring_gives_all_back)
{
    const atemi_spring_damper spring = {.stiffness = 4000.0};
    const atemi_compliance    law = atemi_compliance_kelvin_voigt(&spring);
    const rebound             found = throw_at(&law);
    CHECK_NEAR(found.restitution, 1.0, 1e-9);
    CHECK_NEAR(found.stay, pi * sqrt(m / spring.stiffness), 1e-9);
}

// The slope of the force jumps where the damper ends, within a step: 1e-7 of a step of 0.1 ms.
TEST(softness, of_a_compression_damper_takes_once)
{
    const atemi_spring_damper floor = {.stiffness = 4000.0, .damping = 60.0};
    const atemi_compliance    law = atemi_compliance_compression_damper(&floor);
    const double              w = sqrt(floor.stiffness / m);
    const double              p = acos(0.5 * floor.damping / (w * m)), d = w * sin(p);
    const rebound             found = throw_at(&law);
    CHECK_NEAR(found.restitution, exp(-p / tan(p)), 1e-7);
    CHECK_NEAR(found.stay, p / d + 0.5 * pi / w, 1e-7);
}

TEST(softness, of_kelvin_and_voigt_takes_twice)
{
    const atemi_spring_damper floor = {.stiffness = 4000.0, .damping = 60.0};
    const atemi_compliance    law = atemi_compliance_kelvin_voigt(&floor);
    const double              p = acos(0.5 * floor.damping / sqrt(floor.stiffness * m));
    const rebound             found = throw_at(&law);
    CHECK_NEAR(found.restitution, exp(-2.0 * p / tan(p)), 1e-7);
}

TEST(softness, of_hunt_and_crossley_takes_what_their_integral_says)
{
    static const double exponents[] = {1.0, 1.5, 2.0};
    for (int i = 0; i < 3; ++i) {
        const atemi_hunt_crossley floor = {
            .stiffness = 3e4, .dissipation = 0.2, .exponent = exponents[i]};
        const atemi_compliance law = atemi_compliance_hunt_crossley(&floor);
        const double           bu = 1.5 * floor.dissipation * u, e = throw_at(&law).restitution;
        CHECK_NEAR(bu * (1.0 + e), log((1.0 + bu) / (1.0 - bu * e)), 1e-8);
    }
}

// At rest its depth is that at which the spring carries the weight.
TEST(softness, carries_a_weight_at_its_depth)
{
    trial                     t;
    const atemi_spring_damper floor = {.stiffness = 4000.0, .damping = 100.0};
    const atemi_compliance    law = atemi_compliance_kelvin_voigt(&floor);
    const double              q[7] = {0, 0, 0, 0, 0, 0, 1}, v[6] = {0};
    begin(&t, &law, g, 0.0, 0.0, 1e-3);
    trial_start(&t, q, v);
    trial_run(&t, 1.5);
    CHECK_NEAR(atemi_simulation_gap(t.simulation, 0), -m * g / floor.stiffness, 1e-12);
    CHECK_NEAR(atemi_simulation_force(t.simulation, 0).z, m * g, 1e-9);
    trial_end(&t);
}

// Soft points never stick. Their friction grows in proportion to the speed up to 1 cm/s, so that on
// a slope of the angle s that would hold a rigid one they creep down with 1 cm/s tan s / mu.
TEST(softness, creeps_where_a_rigid_point_would_stick)
{
    trial                     t;
    const atemi_spring_damper floor = {.stiffness = 4000.0, .damping = 100.0};
    const atemi_compliance    law = atemi_compliance_kelvin_voigt(&floor);
    const double              s = 0.2, mu = 0.5;
    const double              q[7] = {0, 0, 0, 0, sin(s / 2), 0, cos(s / 2)}, v[6] = {0};
    begin(&t, &law, g, mu, s, 1e-3);
    trial_start(&t, q, v);
    trial_run(&t, 1.5);
    CHECK_EQUAL_INT(atemi_simulation_mode(t.simulation, 0), ATEMI_CONTACT_SOFT);
    CHECK_NEAR(atemi_simulation_v(t.simulation)[0], 1e-2 * tan(s) / mu, 1e-12);
    trial_end(&t);
}
