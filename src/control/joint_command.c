// SPDX-License-Identifier: Apache-2.0

#include "control/joint_command.h"

#include "control/joint_parts.h"

#include <math.h>
#include <stddef.h>

atemi_joint_command atemi_joint_command_default(void)
{
    return (atemi_joint_command){
        .level = ATEMI_JOINT_IMPEDANCE,
        .windup_limit = INFINITY,
        .feedback_limit = INFINITY,
        .speed_limit = INFINITY,
    };
}

static const double sane = 1e12; // larger numbers are no commands: their products may overflow

static bool are_numbers(const atemi_joint_command *c)
{
    const double finite[] = {c->voltage,  c->current,        c->torque,        c->position,
                             c->velocity, c->acceleration,   c->stiffness,     c->damping,
                             c->integral, c->inertia_torque, c->gravity_torque};
    bool         fine = true;
    for (size_t i = 0; i < sizeof finite / sizeof *finite; ++i) {
        fine = fine && fabs(finite[i]) <= sane;
    }
    return fine && !isnan(c->windup_limit) && !isnan(c->feedback_limit) && !isnan(c->speed_limit);
}

static bool suits(const atemi_joint_control *control, const atemi_joint_command *c)
{
    const bool alone = control->options.takes_torque;
    switch (c->level) {
    case ATEMI_JOINT_VOLTAGE:
    case ATEMI_JOINT_CURRENT:
    case ATEMI_JOINT_VELOCITY:
    case ATEMI_JOINT_POSITION:
        return !alone;
    case ATEMI_JOINT_TORQUE:
    case ATEMI_JOINT_IMPEDANCE:
        return control->is_elastic || alone || c->direct_torque;
    }
    return false;
}

// Moves x into the range, and remembers whether it had to.
static void clip(double *x, double low, double high, bool *clipped)
{
    const double inside = between(*x, low, high);
    *clipped = *clipped || inside != *x;
    *x = inside;
}

static bool clip_all(const atemi_joint_control_options *o, atemi_joint_command *c)
{
    bool clipped = false;
    clip(&c->voltage, -o->drive.bus_voltage, o->drive.bus_voltage, &clipped);
    clip(&c->current, -o->current_limit, o->current_limit, &clipped);
    clip(&c->velocity, -o->speed_limit, o->speed_limit, &clipped);
    clip(&c->position, o->lowest, o->highest, &clipped);
    double *torques[] = {&c->torque, &c->inertia_torque, &c->gravity_torque};
    for (size_t i = 0; i < sizeof torques / sizeof *torques; ++i) {
        clip(torques[i], -o->torque_limit, o->torque_limit, &clipped);
    }
    double *passive[] = {&c->stiffness,    &c->damping,        &c->integral,
                         &c->windup_limit, &c->feedback_limit, &c->speed_limit};
    for (size_t i = 0; i < sizeof passive / sizeof *passive; ++i) {
        clip(passive[i], 0.0, INFINITY, &clipped);
    }
    c->speed_limit = between(c->speed_limit, 0.0, o->speed_limit);
    return clipped;
}

void atemi_joint_command_take(atemi_joint_control *control, const atemi_joint_command *command)
{
    if (!are_numbers(command) || !suits(control, command)) {
        control->command_faults |= ATEMI_JOINT_COMMAND_UNFIT;
        return;
    }
    control->command = *command;
    control->command_age = 0.0;
    control->commanded = true;
    control->command_faults =
        clip_all(&control->options, &control->command) ? ATEMI_JOINT_COMMAND_LIMITED : 0;
}
