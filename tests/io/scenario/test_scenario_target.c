// SPDX-License-Identifier: Apache-2.0

#include "io/scenario/scenario_target.h"

#include "scenario_bench.h"

TEST(scenario_target, strikes_with_a_point_of_a_link_along_a_unit_vector)
{
    scenario_bench b = bench_open(ATEMI_BASE_FLOATING, "hand: {link: hand, point: [0.1, 0, 5 cm], "
                                                       "direction: [0, 3, -4], speed: 2}\n");
    atemi_scenario_hand hand;
    atemi_scenario_read_hand(b.reader, b.model, ATEMI_HAND_SPEED, &hand);
    bench_check(&b);
    CHECK_EQUAL_INT(hand.point.link, atemi_model_find_link(b.model, "hand"));
    CHECK_NEAR(hand.point.point.z, 0.05, 1e-16);
    CHECK_NEAR(hand.point.direction.y, 0.6, 1e-15);
    CHECK_NEAR(hand.point.direction.z, -0.8, 1e-15);
    CHECK(hand.has_speed);
    CHECK_NEAR(hand.speed, 2.0, 0.0);
    bench_close(&b);
}

static void check_refused(const char *text, const char *words, int column)
{
    scenario_bench      b = bench_open(ATEMI_BASE_FLOATING, text);
    atemi_scenario_hand hand;
    atemi_scenario_read_hand(b.reader, b.model, ATEMI_HAND_AXIS, &hand);
    bench_refuses(&b, words, 1, column);
    bench_close(&b);
}

TEST(scenario_target, refuses_a_direction_without_length_and_one_hand_twice)
{
    check_refused("hand: {link: hand, direction: [0, 0, 0]}\n", "the direction has no length", 31);
    check_refused("hand: {link: hand, with: {link: hand}}\n", "both hands are of the link 'hand'",
                  26);
}

// What the blow and the full simulation are given is what the file says.
TEST(scenario_target, hands_on_mass_friction_and_law)
{
    scenario_bench b =
        bench_open(ATEMI_BASE_FLOATING, "target: {mass: inf, friction: 30, law: kelvin_voigt,\n"
                                        "         stiffness: 20000, damping: 10}\n");
    atemi_scenario_target target;
    atemi_scenario_read_target(b.reader, &target);
    bench_check(&b);
    const atemi_blow_surface surface = atemi_scenario_blow_surface(&target);
    CHECK_EQUAL_INT(surface.law, ATEMI_BLOW_KELVIN_VOIGT);
    CHECK_NEAR(surface.spring.stiffness, 20000.0, 0.0);
    CHECK_NEAR(surface.spring.damping, 10.0, 0.0);
    CHECK(isinf(atemi_scenario_blow_target(&target).mass));
    CHECK_NEAR(atemi_scenario_blow_target(&target).friction, 30.0, 0.0);
    bench_close(&b);
}

// A cube of wood, 500 kg/m^3: 62.5 kg have a side of 0.5 m.
TEST(scenario_target, is_as_wide_as_its_mass_of_wood_but_not_narrower_than_a_hand)
{
    CHECK_NEAR(atemi_scenario_target_width(62.5), 0.5, 1e-15);
    CHECK_NEAR(atemi_scenario_target_width(0.1), 0.2, 0.0);
    CHECK_NEAR(atemi_scenario_target_width((double)INFINITY), 1.0, 0.0);
}
