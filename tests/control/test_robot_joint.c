// SPDX-License-Identifier: Apache-2.0

#include "atemi/coordination.h"

#include "atemi/robots.h"
#include "check.h"

#include <math.h>

static atemi_model *load(const char *name)
{
    atemi_model *model = NULL;
    CHECK_STATUS(atemi_robots_load(name, NULL, &model, NULL), ATEMI_OK);
    return model;
}

static int joint_count(const atemi_model *model)
{
    return atemi_model_v_count(model) - atemi_base_v_count(atemi_model_base(model));
}

// The rule of docs/theory/control_plant.md: K <= k / 4 for every joint with a spring.
TEST(robot_joint, may_have_a_quarter_of_its_spring_as_stiffness)
{
    atemi_model *model = load("r2_like");
    int          elastic = 0;
    for (int i = 0; i < joint_count(model); ++i) {
        const atemi_joint_drive       drive = atemi_joint_drive_of(model, i);
        const atemi_coordinated_joint joint = atemi_coordinated_joint_default(model, i);
        CHECK(joint.elastic == atemi_joint_drive_is_elastic(&drive));
        if (joint.elastic) {
            CHECK_NEAR(joint.impedance.stiffness, 0.25 * drive.spring, 0.0);
            ++elastic;
        }
    }
    CHECK(elastic > 0 && elastic < joint_count(model)); // both kinds were seen
    atemi_model_destroy(model);
}

// Published rotors of r2_like's legs: 0.746 kg m^2 at the joint behind a gear of 100.
TEST(robot_joint, has_the_rotor_of_its_model)
{
    atemi_model *model = load("r2_like");
    CHECK_NEAR(atemi_joint_drive_of(model, 0).rotor_inertia, 7.46e-5, 1e-18);
    CHECK_NEAR(atemi_joint_drive_of(model, 0).torque_constant, 0.305, 0.0);
    atemi_model_destroy(model);
}

TEST(robot_joint, is_controlled_as_one_of_a_chain_within_its_limits)
{
    atemi_model *model = load("r2_like");
    for (int i = 0; i < joint_count(model); ++i) {
        const atemi_joint_drive           drive = atemi_joint_drive_of(model, i);
        const atemi_joint_control_options o = atemi_joint_control_options_of(model, i, &drive);
        atemi_joint_control               control;
        CHECK(o.in_chain && o.torque_bandwidth <= 100.0 && o.lowest < o.highest);
        CHECK(isfinite(o.torque_limit) && o.current_limit <= drive.peak_current);
        CHECK_STATUS(atemi_joint_control_start(&o, &control, NULL), ATEMI_OK);
    }
    atemi_model_destroy(model);
}

// 50,000 N m/rad / 100 rad/s x (1/800 + 1/3000 + 1/10000) s.
TEST(robot_joint, knows_what_its_loops_leave_of_the_rotor)
{
    atemi_model                      *model = load("r2_like");
    atemi_coordinated_joint           joint = atemi_coordinated_joint_default(model, 0);
    const atemi_joint_drive           drive = atemi_joint_drive_of(model, 0);
    const atemi_joint_control_options o = atemi_joint_control_options_of(model, 0, &drive);
    atemi_coordinated_joint_fit(model, 0, &o, false, &joint);
    CHECK_NEAR(joint.loop_inertia, 500.0 * (1.0 / 800.0 + 1.0 / 3000.0 + 1e-4), 1e-12);
    CHECK_NEAR(joint.own_damping, 0.0, 0.0);
    atemi_coordinated_joint_fit(model, 0, &o, true, &joint);
    CHECK(joint.own_damping > 0.0);
    atemi_model_destroy(model);
}
