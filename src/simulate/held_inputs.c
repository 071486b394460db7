// SPDX-License-Identifier: Apache-2.0

#include "atemi/simulation.h"

#include <math.h>
#include <string.h>

// tau = held + K (target - q) + D (target velocity - v), of joints with one coordinate each.

atemi_held_inputs atemi_held_inputs_take(atemi_arena *arena, const atemi_model *model)
{
    const atemi_held_inputs none = {0};
    ATEMI_REQUIRE_OR(arena && model, none);
    const int n = atemi_model_v_count(model);
    return (atemi_held_inputs){
        .model = model,
        .tau = atemi_arena_array(arena, double, n),
        .stiffness = atemi_arena_array(arena, double, n),
        .damping = atemi_arena_array(arena, double, n),
        .target = atemi_arena_array(arena, double, n),
        .target_velocity = atemi_arena_array(arena, double, n),
        .external = atemi_arena_array(arena, atemi_force, atemi_model_link_count(model))};
}

// ---- The hooks

static const atemi_held_inputs *of(void *context)
{
    return (const atemi_held_inputs *)context;
}

static void add_servos(const atemi_held_inputs *held, const double *q, const double *v, double *tau)
{
    for (int j = 0; j < atemi_model_joint_count(held->model); ++j) {
        const atemi_joint *joint = atemi_model_joint(held->model, j);
        const int          i = joint->first_v;
        if (joint->v_count == 1) {
            tau[i] += held->stiffness[i] * (held->target[i] - q[joint->first_q]) +
                      held->damping[i] * (held->target_velocity[i] - v[i]);
        }
    }
}

static void on_torque(void *context, double time, const double *q, const double *v, double *tau)
{
    const atemi_held_inputs      *held = of(context);
    const atemi_simulation_hooks *also = &held->also;
    if (also->torque) {
        also->torque(also->context, time, q, v, tau);
    }
    for (int i = 0; i < atemi_model_v_count(held->model); ++i) {
        tau[i] += held->tau[i];
    }
    add_servos(held, q, v, tau);
}

static void add(const atemi_held_inputs *held, const double *gains, double *to)
{
    for (int j = 0; j < atemi_model_joint_count(held->model); ++j) {
        const atemi_joint *joint = atemi_model_joint(held->model, j);
        if (joint->v_count == 1) {
            to[joint->first_v] += gains[joint->first_v];
        }
    }
}

static void on_damping(void *context, double *damping)
{
    const atemi_held_inputs *held = of(context);
    if (held->also.damping) {
        held->also.damping(held->also.context, damping);
    }
    add(held, held->damping, damping);
}

static void on_stiffness(void *context, double *stiffness)
{
    const atemi_held_inputs *held = of(context);
    if (held->also.stiffness) {
        held->also.stiffness(held->also.context, stiffness);
    }
    add(held, held->stiffness, stiffness);
}

static void on_external_forces(void *context, double time, atemi_force *forces)
{
    const atemi_held_inputs *held = of(context);
    if (held->also.external_forces) {
        held->also.external_forces(held->also.context, time, forces);
    }
    for (int i = 0; i < atemi_model_link_count(held->model); ++i) {
        forces[i] = atemi_force_add(forces[i], held->external[i]);
    }
}

static double on_next_jump(void *context, double time)
{
    const atemi_simulation_hooks *also = &of(context)->also;
    return also->next_jump ? also->next_jump(also->context, time) : (double)INFINITY;
}

static void on_event(void *context, const atemi_event *event)
{
    const atemi_simulation_hooks *also = &of(context)->also;
    if (also->event) {
        also->event(also->context, event);
    }
}

static bool on_goes_on(void *context)
{
    const atemi_simulation_hooks *also = &of(context)->also;
    return !also->goes_on || also->goes_on(also->context);
}

atemi_simulation_hooks atemi_held_inputs_hooks(atemi_held_inputs *held)
{
    return (atemi_simulation_hooks){.torque = on_torque,
                                    .damping = on_damping,
                                    .stiffness = on_stiffness,
                                    .external_forces = on_external_forces,
                                    .next_jump = on_next_jump,
                                    .event = on_event,
                                    .goes_on = on_goes_on,
                                    .context = held};
}
