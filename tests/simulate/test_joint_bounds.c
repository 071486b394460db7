// SPDX-License-Identifier: Apache-2.0

#include "simulate/joint_bounds.h"

#include "check.h"
#include "random_tree.h"
#include "trial.h"

#include "simulate/simulation.h"

#include <math.h>

// A joint with limits, and one that copies it upside down: q_c = 0.1 - 2 q.
static atemi_model *coupled_model(void)
{
    const atemi_inertia     some = {.mass = 1.0, .rotational = {1.0, 1.0, 1.0, 0, 0, 0}};
    const atemi_inertia     none = {0};
    atemi_model_builder    *builder = tree_begin();
    atemi_joint_description first = atemi_joint_description_default(), second = first;
    tree_add_link(builder, "wall", &none);
    tree_add_link(builder, "one", &some);
    tree_add_link(builder, "other", &some);
    first.name = "first";
    first.type = second.type = ATEMI_JOINT_REVOLUTE;
    first.parent = second.parent = "wall";
    first.child = "one";
    first.limits = (atemi_limits){-1.0, 1.0, INFINITY, 7.0};
    first.damping = 0.5;
    first.friction = 3.0;
    second.name = "second";
    second.child = "other";
    second.limits = (atemi_limits){-0.9, 1.1, INFINITY, INFINITY};
    second.damping = 0.25;
    second.friction = 1.0;
    second.mimic = "first";
    second.mimic_multiplier = -2.0;
    second.mimic_offset = 0.1;
    CHECK_STATUS(atemi_model_builder_add_joint(builder, &first, NULL), ATEMI_OK);
    CHECK_STATUS(atemi_model_builder_add_joint(builder, &second, NULL), ATEMI_OK);
    return tree_finish(builder, ATEMI_BASE_FIXED);
}

// The narrower of both ranges, and both frictions as the first joint feels them.
TEST(joint_bounds, of_a_coupled_joint_are_felt_by_the_joint_it_copies)
{
    trial               t;
    const trial_setting setting = {
        .model = coupled_model(), .step = 1e-3, .joint_friction = true, .joint_stops = true};
    trial_begin(&t, &setting);
    const atemi_joint_bounds *b = &t.simulation->time_step.joints;
    CHECK_EQUAL_INT(b->count, 1);
    CHECK_EQUAL_INT(b->coordinates[0], 0);
    CHECK_NEAR(b->lower[0], -0.5, 1e-15); // 0.1 - 2 q = 1.1
    CHECK_NEAR(b->upper[0], 0.5, 1e-15);  // 0.1 - 2 q = -0.9
    CHECK_NEAR(b->viscous[0], 0.5 + 4.0 * 0.25, 1e-15);
    CHECK_NEAR(b->coulomb[0], 3.0 + 2.0 * 1.0, 1e-15);
    CHECK(b->efforts[0] == 7.0);
    trial_end(&t);
}

TEST(joint_bounds, are_none_where_the_options_say_so)
{
    trial               t;
    const trial_setting setting = {.model = coupled_model(), .step = 1e-3};
    trial_begin(&t, &setting);
    const atemi_joint_bounds *b = &t.simulation->time_step.joints;
    CHECK_EQUAL_INT(b->coordinates[0], ATEMI_NONE);
    CHECK(b->viscous[0] == 0.0 && b->coulomb[0] == 0.0);
    trial_end(&t);
}

// Beyond its limit by 0.2 rad at the start: the stop is there, and nothing is pushed back.
TEST(joint_bounds, admit_a_start_beyond_them)
{
    trial               t;
    const double        q = -0.7, v = 0.0;
    const trial_setting setting = {.model = coupled_model(),
                                   .step = 1e-3,
                                   .method = ATEMI_METHOD_STEPS,
                                   .joint_friction = true,
                                   .joint_stops = true};
    trial_begin(&t, &setting);
    trial_start(&t, &q, &v);
    CHECK_NEAR(t.simulation->time_step.joints.lower[0], -0.7, 0.0);
    CHECK_NEAR(t.simulation->time_step.joints.upper[0], 0.5, 1e-15);
    trial_run(&t, 0.1);
    CHECK(*atemi_simulation_q(t.simulation) >= -0.7 - 1e-7);
    CHECK(*atemi_simulation_q(t.simulation) < -0.6);
    const double inside = 0.1;
    trial_start(&t, &inside, &v);
    CHECK_NEAR(t.simulation->time_step.joints.lower[0], -0.5, 1e-15);
    trial_end(&t);
}

// 1.1 rad is 0.6 rad beyond the stop. The joint never is: it comes to 0.5 rad at 5 rad/s and stays.
TEST(joint_bounds, count_an_overrun_and_hold_against_it)
{
    trial               t;
    const double        q = 0.1, v = 5.0, beyond = 1.1;
    const trial_setting setting = {.model = coupled_model(), .step = 1e-3, .joint_stops = true};
    trial_begin(&t, &setting);
    trial_start(&t, &q, &v);
    CHECK_NEAR(atemi_joint_bounds_overrun(&t.simulation->time_step.joints, &beyond), 0.6, 1e-15);
    trial_run(&t, 0.2);
    CHECK_NEAR(*atemi_simulation_q(t.simulation), 0.5, 1e-12);
    CHECK(atemi_simulation_statistics_get(t.simulation).overrun < 1e-10);
    trial_end(&t);
}
