// SPDX-License-Identifier: Apache-2.0

#include "atemi/coordination.h"

#include "atemi/robots.h"
#include "check.h"
#include "dynamics/base_frame.h"

#include <math.h>

enum { JOINTS = 32, V = 38 };

typedef struct robot {
    atemi_model                *model;
    int                         foot;
    atemi_joint_control_options controls[JOINTS];
    atemi_coordinated_joint     joints[JOINTS];
    atemi_joint_stability       found[JOINTS];
} robot;

static void begin(robot *r, double torque_bandwidth)
{
    *r = (robot){0};
    CHECK_STATUS(atemi_robots_load("r2_like", NULL, &r->model, NULL), ATEMI_OK);
    CHECK_EQUAL_INT(atemi_model_v_count(r->model), V);
    r->foot = atemi_model_find_link(r->model, "left_foot");
    for (int i = 0; i < JOINTS; ++i) {
        const atemi_joint_drive drive = atemi_joint_drive_of(r->model, i);
        r->controls[i] = atemi_joint_control_options_of(r->model, i, &drive);
        r->controls[i].torque_bandwidth = torque_bandwidth;
        r->joints[i] = atemi_coordinated_joint_default(r->model, i);
        atemi_coordinated_joint_fit(r->model, i, &r->controls[i], true, &r->joints[i]);
    }
    CHECK_STATUS(
        atemi_joint_stability_find(r->model, r->foot, r->controls, r->joints, r->found, NULL),
        ATEMI_OK);
}

static void end(robot *r)
{
    atemi_model_destroy(r->model);
}

static double rotor_of(const atemi_model *model, int i)
{
    int j = 0;
    while (atemi_model_joint(model, j)->first_v != V - JOINTS + i) {
        ++j;
    }
    return atemi_model_joint(model, j)->armature;
}

// The neutral posture is one of those that are looked at.
TEST(joint_stability, spans_the_inertias_of_the_links)
{
    robot       r;
    atemi_arena arena = atemi_arena_measuring();
    double      q[V + 1], inertias[V];
    begin(&r, 100.0);
    atemi_base_frame_scratch_take(&arena, r.model);
    CHECK_STATUS(atemi_arena_create(&arena, arena.used, NULL), ATEMI_OK);
    atemi_base_frame_scratch scratch = atemi_base_frame_scratch_take(&arena, r.model);
    const atemi_base_frame   base = {r.foot, atemi_transform_identity()};
    atemi_configuration_neutral(r.model, q);
    for (int j = 0; j < atemi_model_joint_count(r.model); ++j) {
        const atemi_joint *joint = atemi_model_joint(r.model, j);
        if (joint->q_count == 1) {
            q[joint->first_q] = fmin(fmax(0.0, joint->limits.lower), joint->limits.upper);
        }
    }
    atemi_base_frame_effective_inertias(r.model, &base, &scratch, q, inertias);
    for (int i = 0; i < JOINTS; ++i) {
        const double m = inertias[V - JOINTS + i] - rotor_of(r.model, i);
        CHECK(r.found[i].inertia_min <= m * (1.0 + 1e-9));
        CHECK(r.found[i].inertia_max >= m * (1.0 - 1e-9));
    }
    CHECK(r.found[0].inertia_max > 1.5 * r.found[0].inertia_min);
    atemi_arena_destroy(&arena);
    end(&r);
}

// As they are by default, all joints are stable with what they are told.
TEST(joint_stability, of_usual_joints_takes_nothing_away)
{
    robot r;
    begin(&r, 100.0);
    for (int i = 0; i < JOINTS; ++i) {
        CHECK(r.found[i].is_good && r.found[i].margin.stable);
        CHECK_NEAR(r.found[i].natural_frequency, 20.0, 0.0);
    }
    end(&r);
}

static bool is_good(const robot *r, int i, double natural_frequency)
{
    atemi_coordinated_joint joint = r->joints[i];
    bool                    good = true;
    joint.dynamics.natural_frequency = natural_frequency;
    for (int k = 0; k < 6; ++k) {
        const double             m = k % 2 ? r->found[i].inertia_max : r->found[i].inertia_min;
        const double             felt = m * (k < 2 ? 0.5 : k < 4 ? 1.0 : 2.0);
        const atemi_impedance    z = atemi_coordinated_joint_impedance(&joint, m);
        const atemi_joint_margin margin = atemi_joint_control_margin(
            &r->controls[i], z.stiffness, z.damping, (atemi_joint_link){felt, joint.own_damping});
        good = good && margin.stable && margin.gain >= 1.25 && margin.phase >= 0.1745;
    }
    return good;
}

// With torque loops of 5 rad/s, 20 rad/s are too much for heavy joints. They get the first of
// 20, 16, 12.8, ... that is good.
TEST(joint_stability, lowers_what_would_not_be_stable)
{
    robot r;
    int   lowered = 0;
    begin(&r, 5.0);
    for (int i = 0; i < JOINTS; ++i) {
        const double frequency = r.found[i].natural_frequency;
        if (frequency < 20.0 && r.found[i].is_good) {
            ++lowered;
            CHECK(is_good(&r, i, frequency));
            CHECK(!is_good(&r, i, frequency / 0.8));
        }
        CHECK(!r.found[i].is_good || is_good(&r, i, frequency));
    }
    CHECK(lowered > 0);
    end(&r);
}

TEST(joint_stability, a_joint_keeps_to_its_highest_frequency)
{
    robot r;
    begin(&r, 100.0);
    atemi_coordinated_joint joint = r.joints[20];
    joint.own_damping = joint.loop_inertia = 0.0;
    joint.impedance = (atemi_impedance_limits){1e9, 0.0, 1e9};
    joint.highest_frequency = 3.0;
    CHECK_NEAR(atemi_coordinated_joint_impedance(&joint, 2.0).stiffness, 18.0, 1e-9);
    joint.highest_frequency = INFINITY;
    CHECK_NEAR(atemi_coordinated_joint_impedance(&joint, 2.0).stiffness, 800.0, 1e-9);
    end(&r);
}
