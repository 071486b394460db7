// SPDX-License-Identifier: Apache-2.0

#include "atemi/coordination.h"

#include "atemi/dynamics.h"
#include "atemi/model.h"
#include "atemi/robots.h"
#include "check.h"
#include "data.h"
#include "joint_rig.h"
#include "random.h"

#include <math.h>

// The coordination says how stiff and damped the joints of a posture are; a joint with motor,
// spring and the inertia of that posture, from the mass matrix, is stepped. Natural frequency and
// damping ratio are those of the second-order system that is nearest to what it did.

enum { JOINTS = 32, LEG = 7, POSTURES = 12, SAMPLES = 250, EVERY = 20 };

static const double frequency = 20.0, ratio = 1.2; // stiff, [R2] IV-A

typedef struct identified {
    double frequency, ratio;
} identified;

// ---- Identification -------------------------------------------------------------------------

// Gauss-Newton on the logarithms of both; papers/r2 has its own, so that neither checks itself.
static void improve(const double *samples, identified *x)
{
    const double h = 1e-5, T = (double)EVERY * 2e-4;
    double       aa = 0.0, ab = 0.0, bb = 0.0, ar = 0.0, br = 0.0;
    for (int k = 0; k < SAMPLES; ++k) {
        const double y = second_order(x->frequency, x->ratio, k * T);
        const double a = (second_order(x->frequency * (1.0 + h), x->ratio, k * T) - y) / h;
        const double b = (second_order(x->frequency, x->ratio * (1.0 + h), k * T) - y) / h;
        const double r = samples[k] - y;
        aa += a * a;
        ab += a * b;
        bb += b * b;
        ar += a * r;
        br += b * r;
    }
    const double det = aa * bb - ab * ab;
    x->frequency *= exp((bb * ar - ab * br) / det);
    x->ratio *= exp((aa * br - ab * ar) / det);
}

static identified identify(const double *samples)
{
    identified x = {frequency, ratio};
    for (int k = 0; k < 10; ++k) {
        improve(samples, &x);
    }
    return x;
}

static identified step_joint(double inertia, const atemi_joint_command *gains)
{
    atemi_joint_plant_options         plant = quiet(atemi_joint_plant_options_default());
    const atemi_joint_control_options control = atemi_joint_control_options_default();
    plant.link_inertia = inertia;
    joint_rig           rig = rig_create(&plant, &control);
    atemi_joint_command command = command_at(ATEMI_JOINT_IMPEDANCE);
    double              samples[SAMPLES];
    command.stiffness = gains->stiffness;
    command.damping = gains->damping;
    command.position = fmin(0.02, 20.0 / command.stiffness);
    for (int k = 0; k < SAMPLES * EVERY; ++k) {
        if (k % EVERY == 0) {
            samples[k / EVERY] = rig.plant.joint_position / command.position;
        }
        rig_tick(&rig, &command);
    }
    return identify(samples);
}

// ---- Postures -------------------------------------------------------------------------------

static atemi_coordination *coordination_of(const atemi_model *model)
{
    atemi_coordinated_joint           joints[JOINTS];
    atemi_coordination_options        options = atemi_coordination_options_default();
    atemi_coordination               *coordination = NULL;
    const atemi_joint_control_options control = atemi_joint_control_options_default();
    for (int i = 0; i < JOINTS; ++i) {
        joints[i] = atemi_coordinated_joint_default(model, i);
        joints[i].dynamics = (atemi_desired_dynamics){frequency, ratio};
        joints[i].impedance.stiffness = 1e6;
        joints[i].impedance.damping_min = 1.0; // no limit is met in any posture
        joints[i].impedance.damping_max = 1e6;
        joints[i].loop_inertia = atemi_joint_control_loop_inertia(&control);
    }
    options.joints = joints;
    options.stiffness_step = options.damping_step = 1e9;
    CHECK_STATUS(atemi_coordination_create(model, &options, &coordination, NULL), ATEMI_OK);
    return coordination;
}

// A posture of the whole range, the pelvis as base: it is the model's root.
static void draw_posture(const atemi_model *model, random_stream *random, double *q)
{
    atemi_configuration_neutral(model, q);
    for (int j = 0; j < atemi_model_joint_count(model); ++j) {
        const atemi_joint *joint = atemi_model_joint(model, j);
        if (joint->v_count == 1) {
            q[joint->first_q] = random_uniform(random, joint->limits.lower, joint->limits.upper);
        }
    }
}

// What a joint moves if all others keep still, behind its spring.
static double inertia_of(const atemi_model *model, const double *M, const atemi_joint *joint)
{
    const int i = joint->first_v;
    return M[i * atemi_model_v_count(model) + i] - joint->armature;
}

static void ask_for_gains(atemi_coordination *coordination, const double *q,
                          atemi_joint_command *commands)
{
    const double                         still[JOINTS] = {0.0};
    const atemi_coordination_measurement m = {.positions = q + 7, .velocities = still};
    atemi_coordination_step(coordination, &m, commands);
    atemi_coordination_step(coordination, &m, commands);
}

static void check_leg(const atemi_model *model, const double *M,
                      const atemi_joint_command *commands)
{
    const int leg = atemi_model_find_joint(model, "right_leg_joint0");
    for (int j = leg; j < leg + LEG; ++j) {
        const atemi_joint *joint = atemi_model_joint(model, j);
        const double       inertia = inertia_of(model, M, joint);
        const identified   x = step_joint(inertia, &commands[joint->first_v - 6]);
        CHECK_NEAR(x.frequency, frequency, 0.05 * frequency);
        CHECK_NEAR(x.ratio, ratio, 0.05 * ratio);
    }
}

// [R2] II-A: gains that depend on the configuration give consistent performance throughout the
// workspace. Within 5 %, from 0.01 to 13 kg m^2: the torque loop costs 4 % of heavy links.
TEST(workspace, has_one_natural_frequency_and_damping_ratio)
{
    atemi_model        *model = NULL;
    random_stream       random = random_seeded(3);
    atemi_joint_command commands[JOINTS];
    double              q[JOINTS + 7], M[(JOINTS + 6) * (JOINTS + 6)];
    CHECK_STATUS(atemi_robots_load("r2_like", NULL, &model, NULL), ATEMI_OK);
    atemi_data *s = data_create(model);
    for (int k = 0; k < POSTURES; ++k) {
        atemi_coordination *coordination = coordination_of(model);
        draw_posture(model, &random, q);
        atemi_mass_matrix(s, q, M);
        ask_for_gains(coordination, q, commands);
        check_leg(model, M, commands);
        atemi_coordination_destroy(coordination);
    }
    atemi_data_destroy(s);
    atemi_model_destroy(model);
}
