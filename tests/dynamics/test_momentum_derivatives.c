// SPDX-License-Identifier: Apache-2.0

#include "dynamics/derivatives.h"

#include "check.h"
#include "derivatives_rig.h"
#include "differences.h"

#include <math.h>
#include <string.h>

// All that is differentiated: momentum, centre of mass, energies.
enum { MOMENTUM = 0, CENTER = 6, KINETIC = 9, POTENTIAL = 10, RESULTS = 11 };

static void sums_of_bodies(void *context, const double *q, const double *v, const double *a,
                           double *result)
{
    derivatives_rig *r = context;
    atemi_data      *k = r->tree.s;
    (void)a;
    atemi_update_kinematics(k, q, v, NULL);
    const atemi_force h = atemi_momentum(k);
    const atemi_vec3  c = atemi_center_of_mass(k);
    memcpy(result + MOMENTUM, &h, sizeof h);
    memcpy(result + CENTER, &c, sizeof c);
    result[KINETIC] = atemi_kinetic_energy(k);
    result[POTENTIAL] = atemi_potential_energy(k);
}

// The rate of momentum by a difference along the motion: q and v follow v and a for a moment.
static void momentum_rate(void *context, const double *q, const double *v, const double *a,
                          double *result)
{
    derivatives_rig   *r = context;
    const atemi_model *model = r->tree.model;
    double             sides[2][RESULTS], after[TREE_MAX_Q], moved[TREE_MAX_V], half[TREE_MAX_V];
    // Central differences with two steps, extrapolated: h^4, with h = 1e-3.
    double slopes[2][6];
    for (int level = 0; level < 2; ++level) {
        const double h = 2e-3 / (1 << level);
        for (int side = 0; side < 2; ++side) {
            const double dt = side ? -h : h;
            for (int i = 0; i < r->tree.n; ++i) {
                moved[i] = v[i] + dt * a[i];
                half[i] = v[i] + 0.5 * dt * a[i];
            }
            atemi_configuration_integrate(model, q, half, dt, after);
            sums_of_bodies(r, after, moved, NULL, sides[side]);
        }
        for (int i = 0; i < 6; ++i) {
            slopes[level][i] = (sides[0][i] - sides[1][i]) / (2.0 * h);
        }
    }
    for (int i = 0; i < 6; ++i) {
        result[i] = (4.0 * slopes[1][i] - slopes[0][i]) / 3.0;
    }
}

TEST(momentum_derivatives, are_those_of_differences_on_all_trees)
{
    static double by_q[RESULTS * TREE_MAX_V], by_v[RESULTS * TREE_MAX_V];
    for (int c = 0; c < TREE_CASES; ++c) {
        derivatives_rig     r = derivatives_rig_begin(c, 100);
        const random_state *x = &r.tree.x;
        const int           n = r.tree.n;
        atemi_derivatives_update(r.tree.model, x->q, x->v, x->a, NULL, &r.s);
        differences(r.tree.model, sums_of_bodies, &r, BY_Q, x->q, x->v, x->a, RESULTS, by_q);
        differences(r.tree.model, sums_of_bodies, &r, BY_V, x->q, x->v, x->a, RESULTS, by_v);

        atemi_momentum_derivatives(r.tree.model, &r.s, r.found[0], NULL, NULL, r.found[1]);
        const double room = 1e-9 * (1.0 + largest_size(by_q, RESULTS * n));
        CHECK_NEAR(largest_difference(r.found[0], by_q, 6 * n), 0.0, room);
        CHECK_NEAR(largest_difference(r.found[1], by_v, 6 * n), 0.0, room);
        atemi_center_of_mass_jacobian(r.tree.model, &r.s, r.found[0]);
        CHECK_NEAR(largest_difference(r.found[0], by_q + CENTER * n, 3 * n), 0.0, room);
        atemi_kinetic_energy_gradient(r.tree.model, &r.s, r.found[0], r.found[1]);
        CHECK_NEAR(largest_difference(r.found[0], by_q + KINETIC * n, n), 0.0, room);
        CHECK_NEAR(largest_difference(r.found[1], by_v + KINETIC * n, n), 0.0, room);
        atemi_potential_energy_gradient(r.tree.model, &r.s, r.found[0]);
        CHECK_NEAR(largest_difference(r.found[0], by_q + POTENTIAL * n, n), 0.0, room);
        derivatives_rig_end(&r);
    }
}

// The rate itself is a difference here: its rounding, 1e-13 of the momentum, is differenced again,
// and the path it follows is right to second order in its step. 1e-6 sees any missing term.
TEST(momentum_derivatives, of_its_rate_are_those_of_differences)
{
    static double    expected[6 * TREE_MAX_V];
    static const int kinds[] = {2, 3, 5, 6, 9};
    for (int c = 0; c < 5; ++c) {
        derivatives_rig     r = derivatives_rig_begin(kinds[c], 101);
        const random_state *x = &r.tree.x;
        const int           n = r.tree.n;
        double             *matrix = r.expected;
        atemi_derivatives_update(r.tree.model, x->q, x->v, x->a, NULL, &r.s);
        atemi_momentum_derivatives(r.tree.model, &r.s, NULL, r.found[0], r.found[1], matrix);
        const double *results[] = {r.found[0], r.found[1], matrix};
        for (int by = BY_Q; by <= BY_X; ++by) {
            differences(r.tree.model, momentum_rate, &r, (difference_by)by, x->q, x->v, x->a, 6,
                        expected);
            CHECK_NEAR(largest_difference(results[by], expected, 6 * n), 0.0,
                       1e-6 * (1.0 + largest_size(expected, 6 * n)));
        }
        derivatives_rig_end(&r);
    }
}

// A v at the speed v is the momentum; A a + dA/dt v its rate, which gravity alone does not have.
TEST(momentum_derivatives, give_the_rate_of_the_momentum_matrix)
{
    derivatives_rig     r = derivatives_rig_begin(7, 102);
    const random_state *x = &r.tree.x;
    const int           n = r.tree.n;
    double              expected[6];
    atemi_derivatives_update(r.tree.model, x->q, x->v, x->a, NULL, &r.s);
    atemi_momentum_derivatives(r.tree.model, &r.s, r.found[0], NULL, r.found[1], r.found[2]);
    momentum_rate(&r, x->q, x->v, x->a, expected);
    for (int row = 0; row < 6; ++row) {
        double rate = 0.0;
        for (int j = 0; j < n; ++j) {
            const int at = row * n + j;
            rate += r.found[2][at] * x->a[j] + (r.found[1][at] - r.found[0][at]) * x->v[j];
        }
        CHECK_NEAR(rate, expected[row], 1e-7 * (1.0 + largest_size(expected, 6)));
    }
    derivatives_rig_end(&r);
}
