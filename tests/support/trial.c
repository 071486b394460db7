// SPDX-License-Identifier: Apache-2.0

#include "trial.h"

#include "check.h"

#include <stddef.h>

static void note(void *context, const atemi_event *event)
{
    trial *t = (trial *)context;
    if (t->count < TRIAL_MOST_EVENTS) {
        t->events[t->count] = *event;
    }
    ++t->count;
}

static void ask_torque(void *context, double time, const double *q, const double *v, double *tau)
{
    const atemi_simulation_hooks *hooks = &((const trial *)context)->setting.hooks;
    hooks->torque(hooks->context, time, q, v, tau);
}

static void ask_push(void *context, double time, atemi_force *forces)
{
    const atemi_simulation_hooks *hooks = &((const trial *)context)->setting.hooks;
    hooks->external_forces(hooks->context, time, forces);
}

static void ask_damping(void *context, double *damping)
{
    const atemi_simulation_hooks *hooks = &((const trial *)context)->setting.hooks;
    hooks->damping(hooks->context, damping);
}

static void ask_stiffness(void *context, double *stiffness)
{
    const atemi_simulation_hooks *hooks = &((const trial *)context)->setting.hooks;
    hooks->stiffness(hooks->context, stiffness);
}

static double ask_next_jump(void *context, double time)
{
    const atemi_simulation_hooks *hooks = &((const trial *)context)->setting.hooks;
    return hooks->next_jump(hooks->context, time);
}

static bool ask_goes_on(void *context)
{
    const atemi_simulation_hooks *hooks = &((const trial *)context)->setting.hooks;
    return hooks->goes_on(hooks->context);
}

void trial_begin(trial *t, const trial_setting *setting)
{
    atemi_simulation_options options = atemi_simulation_options_default();
    atemi_error              error = {0};
    options.step = setting->step;
    options.integrator = setting->integrator;
    options.method = setting->method;
    options.joint_friction = setting->joint_friction;
    options.joint_stops = setting->joint_stops;
    options.stop_restitution = setting->stop_restitution;
    t->setting = *setting;
    t->scratch = data_create(setting->model);
    t->count = 0;
    const atemi_simulation_hooks *asked = &setting->hooks;
    const atemi_simulation_hooks  hooks = {.torque = asked->torque ? ask_torque : NULL,
                                           .damping = asked->damping ? ask_damping : NULL,
                                           .stiffness = asked->stiffness ? ask_stiffness : NULL,
                                           .external_forces =
                                              asked->external_forces ? ask_push : NULL,
                                           .next_jump = asked->next_jump ? ask_next_jump : NULL,
                                           .event = note,
                                           .goes_on = asked->goes_on ? ask_goes_on : NULL,
                                           .context = t};
    const atemi_status            status = atemi_simulation_create(
        setting->model, &setting->surface, setting->count ? 1 : 0, setting->points, setting->count,
        &options, &hooks, &t->simulation, &error);
    CHECK_EQUAL_STRING(error.message, "");
    CHECK_STATUS(status, ATEMI_OK);
}

void trial_end(trial *t)
{
    atemi_simulation_destroy(t->simulation);
    atemi_data_destroy(t->scratch);
    atemi_model_destroy(t->setting.model);
}

void trial_start(trial *t, const double *q, const double *v)
{
    atemi_error        error = {0};
    const atemi_status status = atemi_simulation_start(t->simulation, 0.0, q, v, &error);
    CHECK_EQUAL_STRING(error.message, "");
    CHECK_STATUS(status, ATEMI_OK);
}

void trial_run(trial *t, double time)
{
    atemi_error        error = {0};
    const atemi_status status = atemi_simulation_run(t->simulation, time, &error);
    CHECK_EQUAL_STRING(error.message, "");
    CHECK_STATUS(status, ATEMI_OK);
}

const atemi_event *trial_event(const trial *t, atemi_event_kind kind, int from)
{
    for (int i = from; i < t->count && i < TRIAL_MOST_EVENTS; ++i) {
        if (t->events[i].kind == kind) {
            return &t->events[i];
        }
    }
    return NULL;
}

int trial_count(const trial *t, atemi_event_kind kind)
{
    int count = 0;
    for (int i = 0; i < t->count && i < TRIAL_MOST_EVENTS; ++i) {
        count += t->events[i].kind == kind;
    }
    return count;
}

const atemi_data *trial_kinematics(trial *t)
{
    atemi_data *k = t->scratch;
    atemi_update_kinematics(k, atemi_simulation_q(t->simulation), atemi_simulation_v(t->simulation),
                            NULL);
    return k;
}

double trial_energy(trial *t)
{
    const atemi_data *k = trial_kinematics(t);
    return atemi_kinetic_energy(k) + atemi_potential_energy(k);
}
