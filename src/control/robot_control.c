// SPDX-License-Identifier: Apache-2.0

#include "atemi/robot_control.h"

#include "atemi/base.h"
#include "atemi/model.h"
#include "control/coordination_options.h"

#include <math.h>

struct atemi_robot_control {
    atemi_arena              arena;
    int                      count, every; ///< joints; ticks of a step of the coordination
    int                      tick;         ///< since the last step
    atemi_coordination      *coordination;
    atemi_joint_control     *controls;                         ///< [count]
    atemi_joint_measurement *measurements;                     ///< [count]
    atemi_joint_command     *commands;                         ///< [count]
    atemi_joint_output      *outputs;                          ///< [count]
    double                  *positions, *velocities, *torques; ///< [count]
    bool                    *stopped;                          ///< [count]
};

atemi_robot_control_options atemi_robot_control_options_default(void)
{
    return (atemi_robot_control_options){
        .period = 1e-3, .takes_torque = true, .coordination = atemi_coordination_options_default()};
}

// ---- Creating -------------------------------------------------------------------------------

typedef struct beginning {
    const atemi_model           *model;
    atemi_robot_control_options  options;
    atemi_joint_control_options *controls;  ///< [count]
    atemi_coordinated_joint     *joints;    ///< [count]
    atemi_joint_stability       *stability; ///< [count]
} beginning;

static void take(atemi_arena *arena, int count, atemi_robot_control *c)
{
    c->controls = atemi_arena_array(arena, atemi_joint_control, count);
    c->measurements = atemi_arena_array(arena, atemi_joint_measurement, count);
    c->commands = atemi_arena_array(arena, atemi_joint_command, count);
    c->outputs = atemi_arena_array(arena, atemi_joint_output, count);
    c->positions = atemi_arena_array(arena, double, count);
    c->velocities = atemi_arena_array(arena, double, count);
    c->torques = atemi_arena_array(arena, double, count);
    c->stopped = atemi_arena_array(arena, bool, count);
}

static void take_beginning(atemi_arena *arena, int count, beginning *b)
{
    b->controls = atemi_arena_array(arena, atemi_joint_control_options, count);
    b->joints = atemi_arena_array(arena, atemi_coordinated_joint, count);
    b->stability = atemi_arena_array(arena, atemi_joint_stability, count);
}

static atemi_joint_control_options usual_control(const beginning *b, int i)
{
    const atemi_joint_drive     drive = atemi_joint_drive_of(b->model, i);
    atemi_joint_control_options o = atemi_joint_control_options_of(b->model, i, &drive);
    o.takes_torque = b->options.takes_torque;
    return atemi_joint_control_options_at(&o, b->options.period);
}

static atemi_status start_joints(beginning *b, atemi_robot_control *c, atemi_error *error)
{
    atemi_status status = ATEMI_OK;
    for (int i = 0; i < c->count && !status; ++i) {
        const atemi_coordinated_joint *given = b->options.coordination.joints;
        b->controls[i] = b->options.controls ? b->options.controls[i] : usual_control(b, i);
        b->joints[i] = given ? given[i] : atemi_coordinated_joint_default(b->model, i);
        atemi_coordinated_joint_fit(b->model, i, &b->controls[i], true, &b->joints[i]);
        status = atemi_joint_control_start_of(b->model, i, &b->controls[i], &c->controls[i], error);
    }
    return status;
}

static atemi_status lower_frequencies(beginning *b, const atemi_robot_control *c,
                                      atemi_error *error)
{
    const atemi_status status = atemi_joint_stability_find(
        b->model, b->options.coordination.base_link, b->controls, b->joints, b->stability, error);
    for (int i = 0; i < c->count && !status; ++i) {
        b->joints[i].highest_frequency = b->stability[i].natural_frequency;
    }
    return status;
}

static atemi_status fill(beginning *b, atemi_robot_control *c, atemi_error *error)
{
    const bool   is_usual = !b->options.coordination.joints;
    atemi_status status = start_joints(b, c, error);
    if (!status && is_usual) {
        status = lower_frequencies(b, c, error);
    }
    b->options.coordination.joints = b->joints;
    return status ? status
                  : atemi_coordination_create(b->model, &b->options.coordination, &c->coordination,
                                              error);
}

static atemi_status check_periods(const atemi_robot_control_options *o, atemi_error *error)
{
    const double ticks = o->coordination.period / o->period;
    const bool fits = o->period > 0.0 && ticks >= 0.5 && fabs(ticks - rint(ticks)) <= 1e-6 * ticks;
    return fits ? ATEMI_OK
                : atemi_fail(error, ATEMI_ERROR_INPUT,
                             "the coordination's period of %g s is no multiple of the tick's %g s",
                             o->coordination.period, o->period);
}

static atemi_status make(beginning *b, atemi_robot_control *made, atemi_robot_control **control,
                         atemi_error *error)
{
    atemi_arena arena = atemi_arena_measuring(), scratch = atemi_arena_measuring();
    atemi_arena_array(&arena, atemi_robot_control, 1);
    take(&arena, made->count, made);
    take_beginning(&scratch, made->count, b);
    if (atemi_arena_create(&arena, arena.used, error)) {
        return ATEMI_ERROR_MEMORY;
    }
    atemi_robot_control *c = atemi_arena_array(&arena, atemi_robot_control, 1);
    *c = *made;
    take(&arena, made->count, c);
    c->arena = arena;
    *control = c;
    atemi_status status = atemi_arena_create(&scratch, scratch.used, error);
    if (!status) {
        take_beginning(&scratch, made->count, b);
        status = fill(b, c, error);
        atemi_arena_destroy(&scratch);
    }
    return status;
}

atemi_status atemi_robot_control_create(const atemi_model                 *model,
                                        const atemi_robot_control_options *options,
                                        atemi_robot_control **control, atemi_error *error)
{
    ATEMI_REQUIRE_OR(model && control, ATEMI_ERROR_CONTRACT);
    beginning b = {.model = model, .options = atemi_robot_control_options_default()};
    b.options = options ? *options : b.options;
    atemi_robot_control made = {0};
    made.count = atemi_model_v_count(model) - atemi_base_v_count(atemi_model_base(model));
    *control = NULL;
    atemi_status status = check_periods(&b.options, error);
    status =
        status ? status : atemi_coordination_options_check(model, &b.options.coordination, error);
    if (status) {
        return status;
    }
    made.every = (int)lround(b.options.coordination.period / b.options.period);
    status = make(&b, &made, control, error);
    if (status) {
        atemi_robot_control_destroy(*control);
        *control = NULL;
    }
    return status;
}

void atemi_robot_control_destroy(atemi_robot_control *control)
{
    if (control) {
        atemi_arena arena = control->arena;
        atemi_coordination_destroy(control->coordination);
        atemi_arena_destroy(&arena);
    }
}

// ---- A tick ---------------------------------------------------------------------------------

static void read(atemi_robot_control *c, const atemi_robot_bus *bus)
{
    const atemi_joint_measurement lost = {(double)NAN, (double)NAN, (double)NAN};
    if (!bus->read(bus->context, c->measurements, c->count)) {
        for (int i = 0; i < c->count; ++i) {
            c->measurements[i] = lost;
        }
    }
}

static void sense(atemi_robot_control *c, int i)
{
    const atemi_joint_control_options *o = &c->controls[i].options;
    const atemi_joint_measurement     *m = &c->measurements[i];
    const bool is_at_motor = !o->takes_torque && !atemi_joint_drive_is_elastic(&o->drive);
    c->positions[i] = is_at_motor ? m->motor_position / o->drive.gear : m->joint_position;
    c->velocities[i] = c->outputs[i].joint_velocity;
    c->torques[i] = c->outputs[i].torque;
    c->stopped[i] = c->outputs[i].state == ATEMI_JOINT_SAFE_STOP;
}

static void coordinate(atemi_robot_control *c)
{
    for (int i = 0; i < c->count; ++i) {
        sense(c, i);
    }
    const atemi_coordination_measurement m = {c->positions, c->velocities, c->torques, c->stopped,
                                              NULL};
    atemi_coordination_step(c->coordination, &m, c->commands);
}

void atemi_robot_control_tick(atemi_robot_control *control, const atemi_robot_bus *bus)
{
    ATEMI_REQUIRE(control && bus && bus->read && bus->write);
    const bool is_commanded = control->tick == 0;
    read(control, bus);
    if (is_commanded) {
        coordinate(control);
    }
    atemi_joint_controls_step(control->controls, control->measurements,
                              is_commanded ? control->commands : NULL, control->count,
                              control->outputs);
    control->tick = (control->tick + 1) % control->every;
    bus->write(bus->context, control->outputs, control->count);
}

// ---- What there is --------------------------------------------------------------------------

bool atemi_robot_control_has_stopped(const atemi_robot_control *control)
{
    ATEMI_REQUIRE_OR(control, false);
    bool stopped = false;
    for (int i = 0; i < control->count; ++i) {
        stopped = stopped || control->outputs[i].state == ATEMI_JOINT_SAFE_STOP;
    }
    return stopped;
}

void atemi_robot_control_restart(atemi_robot_control *control)
{
    ATEMI_REQUIRE(control);
    for (int i = 0; i < control->count; ++i) {
        if (control->outputs[i].state == ATEMI_JOINT_SAFE_STOP) {
            atemi_joint_control_restart(&control->controls[i]);
        }
    }
}

atemi_coordination *atemi_robot_control_coordination(const atemi_robot_control *control)
{
    ATEMI_REQUIRE_OR(control, NULL);
    return control->coordination;
}

int atemi_robot_control_joint_count(const atemi_robot_control *control)
{
    ATEMI_REQUIRE_OR(control, 0);
    return control->count;
}

const atemi_joint_output *atemi_robot_control_outputs(const atemi_robot_control *control)
{
    ATEMI_REQUIRE_OR(control, NULL);
    return control->outputs;
}

const atemi_joint_control *atemi_robot_control_joint(const atemi_robot_control *control, int joint)
{
    ATEMI_REQUIRE_OR(control && joint >= 0 && joint < control->count, NULL);
    return &control->controls[joint];
}
