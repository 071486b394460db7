// SPDX-License-Identifier: Apache-2.0

#include "allocations.h"
#include "blow_probe.h"

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

// Servos of 50000 / s are faster than the steps behind an event are short: their own swing then is
// off by up to 2e-10 of the rates for a millisecond (docs/theory/blow.md), which the weights of the
// difference, 110 / 60 in all, bring into it.
static const double noise_of_fast_servos = 2e-10 * 110.0 / 60.0;

TEST(blow_derivatives, are_those_of_differences_where_servos_saturate)
{
    probe p;
    begin(&p, 30000.0, 1000.0, 2.0, 91);
    p.noise = noise_of_fast_servos;
    p.b.setting.servo.limits = p.b.limits;
    for (int i = 6; i < p.b.n; ++i) {
        p.b.limits[i] *= 0.5;
    }
    p.h = 2e-4;
    compare(&p);
    CHECK(p.b.result.saturated >= 2);
    end(&p);
}

TEST(blow_derivatives, are_those_of_differences_where_servos_hold_something_and_saturate)
{
    probe p;
    begin(&p, 30000.0, 1000.0, 2.0, 91);
    p.noise = noise_of_fast_servos;
    p.b.setting.servo.limits = p.b.limits;
    p.holds = true;
    for (int i = 6; i < p.b.n; ++i) {
        p.b.limits[i] *= 0.5;
        p.held[i] = (i % 2 ? 0.4 : -0.4) * p.b.limits[i];
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
    p.b.options.method = ATEMI_BLOW_VIRTUAL_MASS;
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

static double push(const void *context, double depth, double rate)
{
    (void)rate;
    return *(const double *)context * depth;
}

TEST(blow_derivatives, are_refused_where_the_law_does_not_tell_its_slopes)
{
    probe        p;
    const double stiffness = 1e4;
    begin(&p, 8000.0, 400.0, 1.0, 151);
    p.b.options.method = ATEMI_BLOW_RK4;
    p.b.setting.surface = (atemi_blow_surface){.law = ATEMI_BLOW_OTHER_LAW,
                                               .other = {.force = push, .context = &stiffness}};
    CHECK_STATUS(find_slopes(&p), ATEMI_ERROR_INPUT);
    end(&p);
}
