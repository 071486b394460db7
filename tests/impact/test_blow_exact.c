// SPDX-License-Identifier: Apache-2.0

#include "blow_bench.h"
#include "data.h"
#include "random.h"

// How far the rates at the end are from those of the exact way, relative to the largest before.
static double difference_by_rk4(bench *b, double step)
{
    double exact[MOST], start[MOST];
    strike_by(b, ATEMI_BLOW_EXACT, step);
    memcpy(exact, b->result.rates, (size_t)b->n * sizeof *exact);
    strike_by(b, ATEMI_BLOW_RK4, step);
    atemi_virtual_base_rates(&b->base, b->setting.speed, start);
    return largest_difference(exact, b->result.rates, b->n) / largest_size(start, b->n);
}

// Before any mode changes, halving the step divides the error by sixteen.
TEST(blow_exact, is_what_rk4_approaches_at_fourth_order)
{
    static const bool without[] = {false, true};
    for (int i = 0; i < 2; ++i) {
        bench b;
        humanoid(&b, 3000.0, 50.0, 1.0);
        b.options.duration = 0.005;
        b.options.without_stiffness = without[i];
        const double coarse = difference_by_rk4(&b, 2e-4), fine = difference_by_rk4(&b, 1e-4);
        CHECK_EQUAL_INT(strike_by(&b, ATEMI_BLOW_EXACT, 1e-4).mode_changes, 0);
        CHECK_NEAR(log2(coarse / fine), 4.0, 0.25);
        CHECK_NEAR(difference_by_rk4(&b, 2e-6), 0.0, 1e-12);
        bench_end(&b);
    }
}

// Servos saturate and recover, the contact turns and opens: Runge and Kutta miss each such moment
// by up to a step of 1e-6 s, and what bends there then is off by the square of that.
static void check_against_rk4(bench *b, int least_changes)
{
    b->options.past_release = true;
    b->options.duration = 0.07;
    CHECK(strike_by(b, ATEMI_BLOW_EXACT, 1e-6).mode_changes >= least_changes);
    CHECK_NEAR(difference_by_rk4(b, 1e-6), 0.0, 1e-8);
    const atemi_blow_result rk4 = b->result;
    const atemi_blow_result exact = strike_by(b, ATEMI_BLOW_EXACT, 1e-6);
    CHECK_NEAR(exact.impulse, rk4.impulse, 1e-8 * rk4.impulse);
    CHECK_NEAR(exact.compression, rk4.compression, 1e-8 * rk4.compression);
    CHECK_NEAR(exact.peak_force, rk4.peak_force, 1e-6 * rk4.peak_force);
    CHECK_NEAR(exact.contact_time, rk4.contact_time, 4e-6);
    CHECK_NEAR(exact.target_travel, rk4.target_travel, 1e-7 * rk4.target_travel);
    CHECK_EQUAL_INT(exact.saturated, rk4.saturated);
}

TEST(blow_exact, agrees_with_fine_steps_where_servos_saturate)
{
    bench b;
    humanoid(&b, 30000.0, 1000.0, 2.0);
    check_against_rk4(&b, 6);
    b.options.duration = 0.012;
    CHECK_NEAR(difference_by_rk4(&b, 1e-7), 0.0, 1e-9);
    CHECK(b.result.saturated >= 2);
    for (int i = 0; i < b.n; ++i) {
        CHECK(fabs(b.result.peak_torques[i]) <= b.limits[i]);
        CHECK(!b.result.saturations[i] || fabs(b.result.peak_torques[i]) == b.limits[i]);
    }
    bench_end(&b);
}

TEST(blow_exact, agrees_with_fine_steps_where_the_reference_slows_the_hand)
{
    bench b;
    humanoid(&b, 8000.0, 400.0, 1.0);
    b.setting.drift = -3.0;
    check_against_rk4(&b, 2);
    const double slowed = b.result.impulse;
    b.setting.drift = 0.0;
    CHECK(slowed < 0.97 * strike(&b).impulse);
    bench_end(&b);
}

TEST(blow_exact, agrees_with_fine_steps_where_every_joint_has_gains_of_its_own)
{
    bench         b;
    random_stream stream = random_seeded(5);
    humanoid(&b, 0.0, 0.0, 1.5);
    for (int i = 6; i < b.n; ++i) {
        b.stiffness[i] = i % 4 ? random_uniform(&stream, 0.0, 2e4) : 0.0;
        b.damping[i] = i % 5 ? random_uniform(&stream, 0.0, 400.0) : 0.0;
        b.limits[i] *= 0.5;
    }
    check_against_rk4(&b, 4);
    bench_end(&b);
}

TEST(blow_exact, agrees_with_fine_steps_where_joints_have_friction)
{
    bench b;
    humanoid(&b, 12000.0, 100.0, 1.0);
    for (int i = 6; i < b.n; ++i) {
        b.viscous[i] = 3.0;
        b.coulomb[i] = 2.0;
    }
    b.setting.servo.viscous = b.viscous;
    b.setting.servo.coulomb = b.coulomb;
    b.options.slowest_slide = 0.02;
    check_against_rk4(&b, 4);
    bench_end(&b);
}

// Friction of all joints while the reference slows the hand: what is constant in the equations
// counts once where a state slides over an event. In the last posture a joint nearly comes to rest
// and goes on within one step: it creeps for 2 ms, which the ends of the step hardly show.
TEST(blow_exact, agrees_with_fine_steps_in_other_postures_while_the_reference_slows_the_hand)
{
    static const uint64_t seeds[] = {1, 2, 101, 119, 91};
    for (size_t k = 0; k < sizeof seeds / sizeof *seeds; ++k) {
        bench         b;
        random_stream stream = random_seeded(seeds[k]);
        double        moved[MOST], rotors[MOST] = {0.0}, q[MOST];
        humanoid(&b, 12000.0, 100.0, 1.0);
        for (int i = 6; i < b.n; ++i) {
            b.viscous[i] = 3.0;
            b.coulomb[i] = 2.0;
            rotors[i] = 0.02;
        }
        for (int i = 0; i < b.n; ++i) {
            moved[i] = random_uniform(&stream, -0.1, 0.1);
        }
        atemi_configuration_integrate(b.model, b.q, moved, 1.0, q);
        memcpy(b.q, q, sizeof q);
        b.ground.rotors = rotors;
        freeze(&b);
        b.setting.servo.limits = NULL;
        b.setting.servo.viscous = b.viscous;
        b.setting.servo.coulomb = b.coulomb;
        b.setting.drift = -0.7;
        b.options.slowest_slide = 0.02;
        check_against_rk4(&b, 9);
        bench_end(&b);
    }
}

TEST(blow_exact, agrees_with_fine_steps_on_a_nail)
{
    bench b;
    humanoid(&b, 12000.0, 400.0, 1.0);
    b.setting.target = (atemi_blow_target){.mass = 0.5, .friction = 250.0};
    check_against_rk4(&b, 2);
    CHECK(b.result.target_travel > 0.0);
    bench_end(&b);
}

TEST(blow_exact, agrees_with_fine_steps_by_kelvin_and_voigt)
{
    bench b;
    humanoid(&b, 12000.0, 400.0, 1.0);
    use_spring(&b, ATEMI_BLOW_KELVIN_VOIGT, 1e4, 100.0);
    check_against_rk4(&b, 1);
    bench_end(&b);
}

// Most joints have one time constant and a few have not: one with stiffness alone, one with damping
// alone, one with nothing but friction, one with nothing. Others saturate and creep besides.
TEST(blow_exact, agrees_with_fine_steps_where_a_few_joints_differ)
{
    bench b;
    humanoid(&b, 12000.0, 400.0, 1.5);
    const int right = 6 + 8, arm = b.n - 8;
    b.damping[right] = 0.0;
    b.stiffness[right + 2] = 0.0;
    b.stiffness[arm] = b.damping[arm] = 0.0;
    b.stiffness[arm + 1] = b.damping[arm + 1] = 0.0;
    b.damping[arm + 2] *= 0.3;
    b.coulomb[arm] = b.coulomb[7] = b.coulomb[right] = 3.0;
    b.setting.servo.coulomb = b.coulomb;
    b.options.slowest_slide = 0.02;
    for (int i = 6; i < b.n; ++i) {
        b.limits[i] *= 0.6;
    }
    check_against_rk4(&b, 4);
    bench_end(&b);
}

// A joint that creeps under strong friction beside a servo that hardly damps it: the friction is
// 1e5 times the servo's damping.
TEST(blow_exact, agrees_with_fine_steps_where_friction_outweighs_the_servo)
{
    bench b;
    humanoid(&b, 0.0, 0.0, 1.0);
    for (int i = 6; i < b.n; ++i) {
        b.damping[i] = 0.01;
        b.coulomb[i] = 2.0;
    }
    b.setting.servo.coulomb = b.coulomb;
    b.options.slowest_slide = 0.02;
    check_against_rk4(&b, 4);
    bench_end(&b);
}

// From soft to hard and from a feather to a locomotive.
TEST(blow_exact, is_finite_and_keeps_momentum_whatever_the_masses_and_gains)
{
    static const double masses[] = {1e-3, 1.0, 1e3}, gains[] = {0.0, 1.0, 1e3, 1e5};
    for (int i = 0; i < 9 * 16; ++i) {
        bench b;
        bench_begin(&b, uneven_chain(8, masses[i % 3], masses[i / 3 % 3]));
        for (int k = 0; k < b.n; ++k) {
            b.q[k] = 0.3 + 0.1 * k;
            b.stiffness[k] = gains[i / 9 % 4];
            b.damping[k] = gains[i / 36];
            b.limits[k] = 50.0;
        }
        b.point = (atemi_striking_point){.link = atemi_model_link_count(b.model) - 1,
                                         .point = {0.1, 0.1, 0.3},
                                         .direction = {0.6, 0.0, 0.8}};
        b.setting.servo =
            (atemi_blow_servo){.stiffness = b.stiffness, .damping = b.damping, .limits = b.limits};
        b.setting.speed = 1.0;
        b.setting.target.mass = i % 2 ? 0.01 : 5.0;
        freeze(&b);
        const atemi_blow_result r = strike(&b);
        CHECK(isfinite(r.impulse) && r.impulse > 0.0 && r.peak_force >= 300.0 * (1.0 - 1e-12));
        CHECK_NEAR(r.impulse, b.setting.target.mass * r.target_speed, 1e-10 * r.impulse);
        CHECK(largest_size(r.rates, b.n) < 1e6);
        CHECK(r.evaluations < 5000); // undamped links of 1 g swing fast
        bench_end(&b);
    }
}
