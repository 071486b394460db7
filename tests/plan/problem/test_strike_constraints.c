// SPDX-License-Identifier: Apache-2.0

#include "plan/problem/strike_constraints.h"

#include "check.h"

#include <math.h>

typedef struct trial {
    strike_constraint list[4];
    double            values[4], parts[8];
    strike_rows       rows;
} trial;

static void begin(trial *t)
{
    *t = (trial){0};
    t->rows = (strike_rows){.declared = t->list, .values = t->values, .parts = t->parts};
}

static const atemi_strike_constraint hand_place = {
    .kind = ATEMI_CONSTRAIN_HAND_PLACE, .axis = 1, .unit = "m"};

TEST(strike_constraints, are_declared_with_what_they_are_about)
{
    trial t;
    begin(&t);
    strike_constrain(&t.rows, hand_place, strike_within(0.3, 0.01), 0.2);
    CHECK_EQUAL_INT(t.rows.next, 1);
    CHECK_EQUAL_INT(t.list[0].about.kind, ATEMI_CONSTRAIN_HAND_PLACE);
    CHECK_EQUAL_INT(t.list[0].about.axis, 1);
    CHECK_NEAR(t.list[0].about.lower, -0.3, 0.0);
    CHECK_NEAR(t.list[0].about.upper, 0.3, 0.0);
    CHECK_NEAR(t.values[0], 0.2, 0.0);
}

TEST(strike_constraints, of_extremes_are_the_least_or_the_largest_with_all_as_parts)
{
    const double values[] = {0.5, -0.2, 0.1};
    trial        t;
    begin(&t);
    CHECK_NEAR(strike_constrain_extreme(&t.rows, hand_place, strike_at_least(0.0, 1.0), values, 3),
               -0.2, 0.0);
    CHECK_NEAR(strike_constrain_extreme(&t.rows, hand_place, strike_at_most(0.0, 1.0), values, 3),
               0.5, 0.0);
    CHECK_EQUAL_INT(t.list[1].first_part, 3);
    CHECK_EQUAL_INT(t.rows.next_part, 6);
    for (int i = 0; i < 6; ++i) {
        CHECK_NEAR(t.parts[i], values[i % 3], 0.0);
    }
}

TEST(strike_constraints, that_cannot_be_computed_are_violated_by_far)
{
    trial t;
    begin(&t);
    strike_constrain(&t.rows, hand_place, strike_at_least(2.0, 0.1), NAN);
    strike_constrain(&t.rows, hand_place, strike_at_most(2.0, 0.1), INFINITY);
    CHECK_NEAR(t.values[0], 2.0 - 100.0, 1e-12);
    CHECK_NEAR(t.values[1], 2.0 + 100.0, 1e-12);
}

TEST(strike_constraints, are_only_counted_without_memory)
{
    const double values[] = {0.5, -0.2};
    strike_rows  rows = {0};
    strike_constrain(&rows, hand_place, strike_within(1.0, 1.0), 0.0);
    strike_constrain_extreme(&rows, hand_place, strike_within(1.0, 1.0), values, 2);
    CHECK_EQUAL_INT(rows.next, 2);
    CHECK_EQUAL_INT(rows.next_part, 2);
}

TEST(strike_constraints, are_violated_by_the_worst_relative_to_its_scale)
{
    trial t;
    begin(&t);
    strike_constrain(&t.rows, hand_place, strike_within(1.0, 0.1), 1.3);   // 3 scales
    strike_constrain(&t.rows, hand_place, strike_at_least(1.0, 0.5), 0.0); // 2 scales
    strike_constrain(&t.rows, hand_place, strike_at_most(1.0, 0.5), -9.0); // met
    const strike_constraints all = {.count = 3, .list = t.list};
    CHECK_NEAR(strike_constraints_violation(&all, t.values), 3.0, 1e-12);
}

// Instants of a blow and axes of a place are looked at many times for one and the same demand.
TEST(strike_constraints, are_related_if_only_instant_of_the_blow_or_axis_differ)
{
    const atemi_strike_constraint place = {.kind = ATEMI_CONSTRAIN_HAND_PLACE, .axis = 0};
    const atemi_strike_constraint other_hand = {.kind = ATEMI_CONSTRAIN_HAND_PLACE, .index = 1};
    const atemi_strike_constraint blow = {
        .kind = ATEMI_CONSTRAIN_BLOW_ZMP, .phase = ATEMI_PHASE_BLOW, .sample = 3, .time = 0.02};
    atemi_strike_constraint later = blow, nearer = blow;
    later.sample = 4;
    later.time = 0.03;
    nearer.deviation.distance = -0.01;
    CHECK(strike_constraints_are_related(&place, &hand_place));
    CHECK(!strike_constraints_are_related(&place, &other_hand));
    CHECK(strike_constraints_are_related(&blow, &later));
    CHECK(!strike_constraints_are_related(&blow, &nearer));
    CHECK(!strike_constraints_are_related(&blow, &place));
}

TEST(strike_constraints, of_other_instants_and_rotations_are_not_related)
{
    const atemi_strike_constraint first = {.kind = ATEMI_CONSTRAIN_MOTION_EFFORT, .sample = 1};
    const atemi_strike_constraint second = {.kind = ATEMI_CONSTRAIN_MOTION_EFFORT, .sample = 2};
    const atemi_strike_constraint about_x = {.kind = ATEMI_CONSTRAIN_HAND_ROTATION, .axis = 0};
    const atemi_strike_constraint about_y = {.kind = ATEMI_CONSTRAIN_HAND_ROTATION, .axis = 1};
    CHECK(!strike_constraints_are_related(&first, &second));
    CHECK(!strike_constraints_are_related(&about_x, &about_y));
}
