// SPDX-License-Identifier: Apache-2.0

#include "io/scenario/scenario_servo.h"

#include "scenario_bench.h"

enum { TURNS = 6, SLIDES = 7 }; // the places of shoulder and slider in v

static atemi_scenario_servo read(scenario_bench *b, const char *text)
{
    atemi_scenario_servo servo;
    *b = bench_open(ATEMI_BASE_FLOATING, text);
    atemi_scenario_read_servo(b->reader, b->model, &servo);
    bench_check(b);
    return servo;
}

TEST(scenario_servo, has_the_limits_of_the_robot_unless_it_says_others)
{
    scenario_bench       b;
    atemi_scenario_servo servo = read(&b, "{}\n");
    CHECK_NEAR(servo.limits[TURNS], 40.0, 0.0);
    CHECK_NEAR(servo.limits[SLIDES], 40.0, 0.0);
    CHECK(isinf(servo.limits[0]));
    CHECK_NEAR(servo.stiffness[TURNS], 0.0, 0.0);
    atemi_scenario_servo_destroy(&servo);
    bench_close(&b);

    servo = read(&b, "servo: {torque_limits: {shoulder: 7}, force_limits: inf}\n");
    CHECK_NEAR(servo.limits[TURNS], 7.0, 0.0);
    CHECK(isinf(servo.limits[SLIDES]));
    atemi_scenario_servo_destroy(&servo);
    bench_close(&b);
}

TEST(scenario_servo, has_gains_of_what_turns_and_of_what_slides_apart)
{
    scenario_bench       b;
    atemi_scenario_servo servo = read(&b, "servo: {stiffness: 8000, damping: 400,\n"
                                          "        slide_stiffness: 5000, slide_damping: 30}\n");
    CHECK_NEAR(servo.stiffness[TURNS], 8000.0, 0.0);
    CHECK_NEAR(servo.damping[TURNS], 400.0, 0.0);
    CHECK_NEAR(servo.stiffness[SLIDES], 5000.0, 0.0);
    CHECK_NEAR(servo.damping[SLIDES], 30.0, 0.0);
    for (int i = 0; i < TURNS; ++i) {
        CHECK_NEAR(servo.stiffness[i], 0.0, 0.0);
    }
    atemi_scenario_servo_destroy(&servo);
    bench_close(&b);
}

// The joints of the robot have no friction: a blow is faster without lists of zeros.
TEST(scenario_servo, hands_a_blow_the_friction_that_there_is)
{
    scenario_bench       b;
    atemi_scenario_servo servo = read(&b, "{}\n");
    CHECK(servo.has_friction);
    CHECK(!atemi_scenario_blow_servo(&servo, b.model).viscous);
    servo.viscous[TURNS] = 0.5;
    CHECK(atemi_scenario_blow_servo(&servo, b.model).viscous == servo.viscous);
    CHECK(!atemi_scenario_blow_servo(&servo, b.model).coulomb);
    servo.has_friction = false;
    CHECK(!atemi_scenario_blow_servo(&servo, b.model).viscous);
    atemi_scenario_servo_destroy(&servo);
    bench_close(&b);
}
