// SPDX-License-Identifier: Apache-2.0

#include "blow_bench.h"
#include "impact/blow_tally.h"

// HRP-2 without hands: legs and arms of 6 joints, chest and neck as one limb of 4, 0.1 s.
TEST(blow_cost, is_what_the_paper_counts)
{
    static const int limbs[] = {6, 6, 6, 6, 4};
    atemi_blow_work  work = {.limbs = limbs, .limb_count = 5, .joints = 28, .striking = 6};
    work.iterations = 100.0;
    CHECK_NEAR(atemi_blow_cost_frozen(&work) / atemi_blow_cost_full(&work), 0.016, 0.0005);
    work.iterations = 1000.0;
    CHECK_NEAR(atemi_blow_cost_frozen(&work) / atemi_blow_cost_articulated(&work), 0.25, 0.02);
}

// One joint, which is the limb that strikes: S = 15 2/3 + 63 + 6 + 18, and C_2 = S + 242 + 73 + 21
// T_i.
TEST(blow_cost, of_one_joint_is_that_of_its_formulas)
{
    static const int limbs[] = {1};
    atemi_blow_work  work = {.limbs = limbs, .limb_count = 1, .joints = 1, .striking = 1};
    const double     S = 47.0 / 3.0 + 63.0 + 6.0 + 18.0;
    for (int steps = 0; steps < 3; ++steps) {
        work.iterations = steps;
        CHECK_NEAR(atemi_blow_cost_full(&work), (S + 254.5 + 88.0) * steps, 1e-9);
        CHECK_NEAR(atemi_blow_cost_frozen(&work), S + 242.0 + 73.0 + 21.0 * steps, 1e-9);
        CHECK_NEAR(atemi_blow_cost_articulated(&work), 2.0 * steps, 1e-9);
    }
}

// One rail, no servo, so many steps of four evaluations and one at their end. An evaluation:
// 1 * 1 entry of C, 2 * 1 of c, f / m_a, each a product with its addition; the law and f / m_t, 3
// products; the compression's rate, the law's sum, f - F. A move: 2 * 1 + 3 slopes and 2 integrals
// have a product and an addition, but for the compression's two, and time an addition. A step: 7
// moves, 4 weights h w / 6 and 3 parts of h, and its end. A node: how fast the force changes, by
// compression and its rate and the slopes of both.
TEST(blow_cost, by_rk4_is_that_of_its_formulas)
{
    const double steps = 20.0, nodes = steps + 1.0, evaluations = 5.0 * steps + 1.0;
    bench        b;
    slider(&b, 4.0, 1.0);
    b.options.duration = steps * 1e-4;
    const atemi_blow_result r = strike_by(&b, ATEMI_BLOW_RK4, 1e-4);
    CHECK_EQUAL_INT(r.evaluations, (int)evaluations);
    CHECK_NEAR(r.operations.additions, evaluations * (5 + 3) + steps * (7 * 9 + 1) + nodes * 3,
               0.0);
    CHECK_NEAR(r.operations.multiplications,
               evaluations * (4 + 3) + steps * (7 * 7 + 7) + nodes * 2, 0.0);
    CHECK_NEAR(r.operations.divisions, steps * 4, 0.0);
    bench_end(&b);
}

// L D L^T of two rows: 1/D_1, L_21 = A_21 / D_1, 1 / (A_22 - L_21 A_21), at four poles. A complex
// product has 4 multiplications and 2 additions, an inverse 4, 1 and a division.
TEST(blow_cost, counts_a_factor_as_by_hand)
{
    atemi_blow_operations n = {0};
    tally_factor(&n, 2.0);
    CHECK_NEAR(n.additions, 4 * (1 + 2 + (2 + 2 + 1)), 0.0);
    CHECK_NEAR(n.multiplications, 4 * (4 + 4 + (4 + 4)), 0.0);
    CHECK_NEAR(n.divisions, 4 * 2, 0.0);
}

// The exact way needs a small part of what the published one does.
TEST(blow_cost, is_less_exactly_than_by_rk4)
{
    bench b;
    humanoid(&b, 12000.0, 400.0, 0.7);
    const atemi_blow_operations exact = strike_by(&b, ATEMI_BLOW_EXACT, 1e-4).operations;
    const atemi_blow_operations rk4 = strike_by(&b, ATEMI_BLOW_RK4, 1e-4).operations;
    CHECK(exact.multiplications > 0.0 && exact.multiplications < 0.1 * rk4.multiplications);
    CHECK(exact.additions > 0.0 && exact.additions < 0.1 * rk4.additions);
    bench_end(&b);
}
