// SPDX-License-Identifier: Apache-2.0

#include "plan/motion/strike_obstacle.h"

#include "impact/striking_point.h"
#include "strike_trial.h"

#include <math.h>

// ---- A ball and a cube

// The cube of strike.yaml's target, wherever a ball of the robot is put.
static double distance_at(const strike_trial *t, strike_cube cube, atemi_vec3 as_the_cube_sees_it)
{
    const strike_ball      *ball = &t->problem.setup.balls.list[0];
    const atemi_kinematics *kinematics = &t->result.at.kinematics;
    const atemi_transform   pose = atemi_link_pose_in(t->rig.task->model, kinematics, ball->link);
    const atemi_vec3        center = atemi_transform_apply(&pose, ball->center);
    cube.center = atemi_vec3_sub(center, as_the_cube_sees_it); // its axes are the world's
    return strike_cube_distance(&cube, ball, &pose) + ball->radius;
}

TEST(strike_obstacle, distance_to_a_cube_is_that_to_its_faces_edges_and_corners)
{
    strike_trial t;
    trial_open(&t);
    trial_evaluate(&t);
    const strike_cube cube = strike_cube_find(t.rig.task, &t.result.at.kinematics);
    const double      h = cube.half;
    CHECK_NEAR(h, 0.5 * cbrt(5.0 / 500.0), 1e-12); // 5 kg, as dense as wood
    CHECK_NEAR(distance_at(&t, cube, (atemi_vec3){h + 0.3, 0.0, 0.0}), 0.3, 1e-12);
    CHECK_NEAR(distance_at(&t, cube, (atemi_vec3){0.01, -h - 0.2, 0.02}), 0.2, 1e-12);
    CHECK_NEAR(distance_at(&t, cube, (atemi_vec3){h + 0.3, 0.0, h + 0.4}), 0.5, 1e-12);
    CHECK_NEAR(distance_at(&t, cube, (atemi_vec3){-h - 0.2, h + 0.3, h + 0.6}), 0.7, 1e-12);
    CHECK_NEAR(distance_at(&t, cube, (atemi_vec3){0.0, 0.0, 0.0}), -h, 1e-12);
    CHECK_NEAR(distance_at(&t, cube, (atemi_vec3){0.0, h - 0.01, 0.0}), -0.01, 1e-12);
    trial_close(&t);
}

TEST(strike_obstacle, cube_lies_behind_the_place_that_is_hit)
{
    strike_trial t;
    trial_open(&t);
    trial_evaluate(&t);
    const strike_cube cube = strike_cube_find(t.rig.task, &t.result.at.kinematics);
    const atemi_vec3  hand = atemi_striking_point_place_in(
        t.rig.task->model, &t.result.at.kinematics, &t.rig.task->point, 0);
    CHECK_NEAR(cube.center.x, hand.x + cube.half, 1e-12);
    CHECK_NEAR(cube.center.y, hand.y, 1e-12);
    CHECK_NEAR(cube.center.z, hand.z, 1e-12);
    trial_close(&t);
}

// ---- Limbs

static const strike_ball *ball_of(const strike_trial *t, const char *link)
{
    const int           index = atemi_model_find_link(t->rig.task->model, link);
    const strike_balls *balls = &t->problem.setup.balls;
    for (int i = 0; i < balls->count; ++i) {
        if (balls->list[i].link == index) {
            return &balls->list[i];
        }
    }
    return NULL;
}

TEST(strike_obstacle, hand_that_strikes_is_left_out_and_its_arm_keeps_away_until_it_touches)
{
    strike_trial t;
    trial_open(&t);
    trial_evaluate(&t);
    CHECK(!ball_of(&t, "right_hand"));
    CHECK(ball_of(&t, "right_forearm")->strikes);
    CHECK(ball_of(&t, "left_hand") && !ball_of(&t, "left_hand")->strikes);
    CHECK(ball_of(&t, "chest") && !ball_of(&t, "chest")->strikes);
    trial_close(&t);
}

// Version 0.1 planned such strikes: nobody looked at the target. A left arm that is held out is in
// a wall before the right one hits it; beside a box it is not.
TEST(strike_obstacle, other_hand_in_the_target_violates_a_constraint)
{
    static const char name[] = "distance of left_hand to the target before the blow";
    const double      widths[] = {3.0, 0.2};
    for (int i = 0; i < 2; ++i) {
        strike_trial t;
        trial_open(&t);
        const atemi_model *model = t.rig.task->model;
        const int          shoulder = atemi_model_find_joint(model, "left_shoulder_pitch");
        const int          elbow = atemi_model_find_joint(model, "left_elbow");
        t.rig.scenario.q[atemi_model_joint(model, shoulder)->first_q] = -2.3;
        t.rig.scenario.q[atemi_model_joint(model, elbow)->first_q] = -0.1;
        t.x[AT_JOINTS] = -0.4; // the chest turns the left shoulder forward
        t.rig.task->target_width = widths[i];
        trial_evaluate(&t);
        const double distance = trial_constraint(&t, name);
        CHECK_NEAR(distance, i == 0 ? -0.5 : 0.5, 0.49);
        trial_close(&t);
    }
}

TEST(strike_obstacle, without_width_is_none)
{
    strike_trial t;
    trial_open(&t);
    t.rig.task->target_width = 0.0;
    trial_evaluate(&t);
    CHECK_EQUAL_INT(t.problem.setup.balls.count, 0);
    trial_close(&t);
}
