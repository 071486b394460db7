// SPDX-License-Identifier: Apache-2.0

#include "control/coordination_options.h"

#include "atemi/base.h"
#include "control/command_checks.h"
#include "control/joint_parts.h"
#include "dynamics/base_frame.h"

#include <math.h>

enum { COUNT_LIMIT = 1 << 16 }; // of nodes and breadcrumbs

// ---- Defaults -------------------------------------------------------------------------------

atemi_coordination_options atemi_coordination_options_default(void)
{
    return (atemi_coordination_options){
        .period = 0.02,
        .base_pose = atemi_transform_identity(),
        .max_nodes = 4,
        .max_holds = 4,
        .max_breadcrumbs = 256,
        .contact_margin = 0.1,
        .stiffness_step = 200.0,
        .damping_step = 20.0,
        .torque_step = 2.0,
        .gravity_step = 0.02,
        .base_step = 0.02,
        .deviation_scale = 1.0,
        .position_tolerance = 1e-3,
        .rotation_tolerance = 1e-3,
        .patience = 0.1,
        .command_timeout = INFINITY,
        .energy_limit = 20.0,
        .energy_leak = 5.0,
    };
}

atemi_standing_contact atemi_standing_contact_default(void)
{
    return (atemi_standing_contact){.frame = atemi_transform_identity(), .friction = 0.6};
}

atemi_node_target atemi_node_target_default(void)
{
    return (atemi_node_target){.frame = atemi_transform_identity(),
                               .target = atemi_transform_identity()};
}

atemi_node_motion atemi_node_motion_default(void)
{
    return (atemi_node_motion){
        .velocity = 0.2,
        .acceleration = 0.4,
        .angular_velocity = 0.5,
        .angular_acceleration = 1.0,
        .posture_rate = 0.5,
        .force_rate = 1e-4,
        .moment_rate = 1e-3,
        .force_speed = 0.05,
        .force_travel = 0.1,
    };
}

// ---- Checks ---------------------------------------------------------------------------------

static atemi_status check_figures(const atemi_coordination_options *o, atemi_error *error)
{
    const joint_figure figures[] = {
        {"period", " s", o->period, false, false},
        {"stiffness step", " N m/rad", o->stiffness_step, false, true},
        {"damping step", " N m s/rad", o->damping_step, false, true},
        {"torque step", " N m", o->torque_step, false, true},
        {"gravity step", "", o->gravity_step, false, true},
        {"base step", "", o->base_step, false, true},
        {"deviation scale", "", o->deviation_scale, true, false},
        {"position tolerance", " m", o->position_tolerance, false, true},
        {"rotation tolerance", " rad", o->rotation_tolerance, false, true},
        {"patience", " s", o->patience, true, false},
        {"command timeout", " s", o->command_timeout, false, true},
        {"energy limit", " J", o->energy_limit, false, true},
        {"energy leak", " W", o->energy_leak, true, false},
    };
    return atemi_joint_figures_check("coordination", figures,
                                     (int)(sizeof figures / sizeof *figures), error);
}

static atemi_status check_joint(const atemi_joint *joint, const atemi_coordinated_joint *s,
                                atemi_error *error)
{
    const joint_figure figures[] = {
        {"velocity", " rad/s", s->velocity, false, false},
        {"acceleration", " rad/s^2", s->acceleration, false, false},
        {"retreat velocity", " rad/s", s->retreat_velocity, false, false},
        {"retreat acceleration", " rad/s^2", s->retreat_acceleration, false, false},
        {"torque limit", " N m", s->torque_limit, true, true},
        {"natural frequency", " rad/s", s->dynamics.natural_frequency, true, false},
        {"damping ratio", "", s->dynamics.damping_ratio, true, false},
        {"integral rate", " 1/s", s->integral_rate, true, false},
        {"windup limit", " N m", s->windup_limit, true, true},
        {"highest stiffness", " N m/rad", s->impedance.stiffness, true, false},
        {"least damping", " N m s/rad", s->impedance.damping_min, true, false},
        {"highest damping", " N m s/rad", s->impedance.damping_max, true, false},
        {"gravity", "", s->gravity, true, false},
        {"loop inertia", " kg m^2", s->loop_inertia, true, false},
        {"own damping", " N m s/rad", s->own_damping, true, false},
        {"highest frequency", " rad/s", s->highest_frequency, false, true},
    };
    const atemi_status status = atemi_joint_figures_check(
        joint->name, figures, (int)(sizeof figures / sizeof *figures), error);
    if (status == ATEMI_OK && s->impedance.damping_min > s->impedance.damping_max) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "least damping of %s is %g N m s/rad, its highest %g: give the lower "
                          "first",
                          joint->name, s->impedance.damping_min, s->impedance.damping_max);
    }
    return status;
}

static atemi_status check_model(const atemi_model *model, const atemi_coordination_options *o,
                                atemi_error *error)
{
    if (!atemi_base_frame_fits(model, o->base_link)) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "link %d cannot be the base of %s: it needs a floating base and one of "
                          "its links, or a fixed base and its root",
                          o->base_link, atemi_model_name(model));
    }
    if (!atemi_command_is_pose(&o->base_pose)) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "base_pose must be finite, and its rotation a rotation");
    }
    for (int j = 0; j < atemi_model_joint_count(model); ++j) {
        const atemi_joint *joint = atemi_model_joint(model, j);
        if (joint->v_count > 1) {
            return atemi_fail(error, ATEMI_ERROR_INPUT,
                              "joint %s is %s: coordination moves joints with one coordinate",
                              joint->name, atemi_joint_type_text(joint->type));
        }
    }
    return ATEMI_OK;
}

static atemi_status check_counts(const atemi_coordination_options *o, atemi_error *error)
{
    const struct {
        const char *name;
        int         count, least;
    } counts[] = {{"max_nodes", o->max_nodes, 1},
                  {"max_breadcrumbs", o->max_breadcrumbs, 1},
                  {"max_holds", o->max_holds, 0},
                  {"contact_count", o->contact_count, 0}};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; ++i) {
        if (counts[i].count < counts[i].least || counts[i].count > COUNT_LIMIT) {
            return atemi_fail(error, ATEMI_ERROR_INPUT, "%s is %d: it must be %d to %d",
                              counts[i].name, counts[i].count, counts[i].least, COUNT_LIMIT);
        }
    }
    if (o->contact_count && !o->contacts) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "there are %d contacts but no memory: give both, or 0", o->contact_count);
    }
    if (!o->generator.at != !o->generator.duration) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "the generator has one of its two functions: give both, or none");
    }
    if (o->goal_capacity < 0 || (o->goal_capacity > 0 && !o->goals)) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "the log has %d goals but no memory: give both, or 0", o->goal_capacity);
    }
    return ATEMI_OK;
}

static atemi_status check_contact(const atemi_model *model, const atemi_standing_contact *contact,
                                  int index, atemi_error *error)
{
    const joint_figure figures[] = {{"size x", " m", contact->size_x, true, false},
                                    {"size y", " m", contact->size_y, true, false},
                                    {"friction", "", contact->friction, false, false}};
    if (contact->link < 0 || contact->link >= atemi_model_link_count(model) ||
        !atemi_command_is_pose(&contact->frame)) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "contact %d must be on a link of %s, at a finite pose of a rotation",
                          index, atemi_model_name(model));
    }
    return atemi_joint_figures_check("contact", figures, sizeof figures / sizeof *figures, error);
}

// A robot stands by its weight, and on a base that can move.
static atemi_status check_standing(const atemi_model *model, const atemi_coordination_options *o,
                                   atemi_error *error)
{
    atemi_status status = ATEMI_OK;
    if (!o->contact_count) {
        return ATEMI_OK;
    }
    if (atemi_model_base(model) != ATEMI_BASE_FLOATING ||
        !(atemi_vec3_norm(atemi_model_gravity(model)) > 0.0)) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "a robot stands by its weight: %s needs a floating base and gravity",
                          atemi_model_name(model));
    }
    if (!(o->contact_margin >= 0.0 && o->contact_margin < 0.5)) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "the contact margin is %g: give a fraction of 0 to 0.5 of the sides",
                          o->contact_margin);
    }
    for (int i = 0; i < o->contact_count && !status; ++i) {
        status = check_contact(model, &o->contacts[i], i, error);
    }
    return status;
}

atemi_status atemi_coordination_options_check(const atemi_model                *model,
                                              const atemi_coordination_options *options,
                                              atemi_error                      *error)
{
    atemi_status status = check_model(model, options, error);
    status = status ? status : check_figures(options, error);
    status = status ? status : check_counts(options, error);
    status = status ? status : check_standing(model, options, error);
    const int base = atemi_base_v_count(atemi_model_base(model));
    for (int i = 0; options->joints && !status && i < atemi_model_v_count(model) - base; ++i) {
        status = check_joint(atemi_coordination_model_joint(model, i), &options->joints[i], error);
    }
    return status;
}
