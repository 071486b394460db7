// SPDX-License-Identifier: Apache-2.0

#include "allocations.h"
#include "blow_probe.h"
#include "data.h"

// By steps of 50 us, which no servo here shortens. Postures are so near to each other that the law
// lets go within the same step.
static const double step = 5e-5;

static void use_law(probe *p, const atemi_hunt_crossley *law)
{
    p->b.setting.surface.law = ATEMI_BLOW_OTHER_LAW;
    p->b.setting.surface.other = atemi_compliance_hunt_crossley(law);
    p->b.options.method = ATEMI_BLOW_RK4;
    p->b.options.step = step;
    p->h = 1e-4;
}

// Of round bodies, with loss and without, on a feather, a door and a wall. Where they part, the
// slope of the force is zero, so that the step across it is as good as any other.
TEST(blow_rk4_variation, is_that_of_differences_by_hunt_and_crossley)
{
    static const struct {
        atemi_hunt_crossley law;
        double              mass;
    } cases[] = {{{.stiffness = 1e6, .dissipation = 0.3, .exponent = 1.5}, 5.0},
                 {{.stiffness = 5e5, .dissipation = 0.0, .exponent = 1.5}, 5.0},
                 {{.stiffness = 3e5, .dissipation = 0.8, .exponent = 1.5}, 0.2},
                 {{.stiffness = 1e8, .dissipation = 0.2, .exponent = 2.0}, 1e3},
                 {{.stiffness = 1e6, .dissipation = 0.5, .exponent = 1.5}, (double)INFINITY}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        probe p;
        begin(&p, 8000.0, 400.0, 1.0, 11 + i);
        use_law(&p, &cases[i].law);
        p.b.setting.target.mass = cases[i].mass;
        compare(&p);
        CHECK(p.b.result.peak_time > 0.0);
        end(&p);
    }
}

// Instants of changes of mode move with the blow. Each has its part of a step.
TEST(blow_rk4_variation, is_that_of_differences_with_friction_and_limits_and_on_a_nail)
{
    const atemi_hunt_crossley law = {.stiffness = 1e6, .dissipation = 0.3, .exponent = 1.5};
    for (int i = 0; i < 3; ++i) {
        probe p;
        begin(&p, i == 1 ? 30000.0 : 12000.0, i == 1 ? 1000.0 : 100.0, i == 1 ? 2.0 : 1.0, 301);
        p.holds = i == 1;
        use_law(&p, &law);
        for (int k = 6; k < p.b.n; ++k) {
            p.b.viscous[k] = 3.0;
            p.b.coulomb[k] = 2.0;
            p.b.limits[k] *= 0.5;
            p.held[k] = 0.3 * p.b.limits[k];
        }
        p.b.setting.servo.viscous = i == 0 ? p.b.viscous : NULL;
        p.b.setting.servo.coulomb = i == 0 ? p.b.coulomb : NULL;
        p.b.setting.servo.limits = i == 1 ? p.b.limits : NULL;
        p.b.options.slowest_slide = 0.02;
        p.b.options.step = 1e-5;
        if (i == 2) {
            p.b.setting.target = (atemi_blow_target){.mass = 0.5, .friction = 350.0};
        }
        compare(&p);
        CHECK(i != 1 || p.b.result.saturated >= 2);
        end(&p);
    }
}

// ---- Beside the exact way

static double relative(double found, double exact, double size)
{
    return fabs(found - exact) / fmax(fabs(exact), size);
}

// How far slopes by RK4 are from those by the exact way, relative to them, whatever is larger: the
// scalars, and forces and rates at every instant. Forces, the peak too, whose scalar is the second,
// are compared by 10 N where they hardly change.
static double off_by(probe *p, double h)
{
    static outcome exact[DIRECTIONS];
    double         most = 0.0;
    p->b.options.method = ATEMI_BLOW_EXACT;
    CHECK_STATUS(find_slopes(p), ATEMI_OK);
    memcpy(exact, p->slopes, sizeof exact);
    p->b.options.method = ATEMI_BLOW_RK4;
    p->b.options.step = h;
    CHECK_STATUS(find_slopes(p), ATEMI_OK);
    for (int c = 0; c < DIRECTIONS; ++c) {
        const outcome *a = &p->slopes[c], *b = &exact[c];
        for (int i = 0; i < SCALARS; ++i) {
            most = fmax(most, relative(a->scalars[i], b->scalars[i], i == 1 ? 10.0 : 0.1));
        }
        for (int k = 0; k < TIMES; ++k) {
            const double size = largest_size(b->rates[k], p->b.n);
            most = fmax(most, relative(a->samples[k][0], b->samples[k][0], 10.0));
            most = fmax(most, largest_difference(a->rates[k], b->rates[k], p->b.n) / size);
        }
    }
    return most;
}

// Errors rise and fall with where in a step a mode ends: the largest of several steps.
static double off_by_steps_about(probe *p, double h)
{
    double most = 0.0;
    for (int i = 0; i < 3; ++i) {
        most = fmax(most, off_by(p, h * (1.0 - 0.2 * i)));
    }
    return most;
}

// Friction, servos at their limits and a nail. Of the modes here, RK4 does not look for those of
// the contact alone: the step in which the damper begins or ends counts it for all of the step or
// for none, which shrinks with the step. What is within the tolerance of slopes already need not:
// rounding chooses where the force is largest among instants that are 1e-11 s apart, and so the
// slope there.
TEST(blow_rk4_variation, comes_near_the_exact_one_with_shorter_steps)
{
    for (int i = 0; i < 4; ++i) {
        probe p;
        begin(&p, i == 1 ? 30000.0 : 12000.0, i == 1 ? 1000.0 : 100.0, i == 1 ? 2.0 : 1.0, 201);
        for (int k = 6; k < p.b.n; ++k) {
            p.b.viscous[k] = 3.0;
            p.b.coulomb[k] = 2.0;
            p.b.limits[k] *= 0.5;
        }
        if (i == 0) {
            p.b.setting.servo.viscous = p.b.viscous;
            p.b.setting.servo.coulomb = p.b.coulomb;
            p.b.options.slowest_slide = 0.02;
        }
        p.b.setting.servo.limits = i == 1 ? p.b.limits : NULL;
        if (i == 2) {
            use_spring(&p.b, ATEMI_BLOW_KELVIN_VOIGT, 5e4, 300.0);
            p.b.setting.target = (atemi_blow_target){.mass = 0.5, .friction = 350.0};
        }
        const double coarse = off_by_steps_about(&p, 2e-5), fine = off_by(&p, 2e-6);
        CHECK(fine < fmax(0.5 * coarse, tolerance) && fine < 1e-4);
        end(&p);
    }
}

TEST(blow_rk4_variation, takes_no_memory)
{
    const atemi_hunt_crossley law = {.stiffness = 1e6, .dissipation = 0.3, .exponent = 1.5};
    probe                     p;
    begin(&p, 8000.0, 400.0, 1.0, 161);
    use_law(&p, &law);
    allocations_begin();
    CHECK_STATUS(find_slopes(&p), ATEMI_OK);
    CHECK_EQUAL_INT(allocations_end(), 0);
    end(&p);
}
