// SPDX-License-Identifier: Apache-2.0

#include "atemi/full_blow.h"

#include "impact/blow_parts.h"
#include "impact/servo_rotors.h"
#include "simulate/full_blow/full_blow_parts.h"

#include <math.h>
#include <string.h>

atemi_full_blow_options atemi_full_blow_options_default(void)
{
    return (atemi_full_blow_options){.duration = 0.1,
                                     .step = 1e-4,
                                     .slowest_slide = 1e-3,
                                     .shortest_lag = usual_shortest_lag,
                                     .counted = INFINITY};
}

// ---- Samples --------------------------------------------------------------------------------

static void watch_servo(atemi_blow_run *run, const atemi_joint *joint, double torque)
{
    const int     i = joint->first_v;
    const double *limits = run->setting->servo.limits;
    const double  limit = limits ? limits[i] : (double)INFINITY;
    if (fabs(torque) >= limit && !run->saturations[i]) {
        run->saturations[i] = true;
        ++run->result->saturated;
    }
    run->servo[i] = torque;
}

static void watch_servos(atemi_blow_run *run, const double *q, const double *v, double time)
{
    atemi_full_blow_look_up(run, time);
    for (int j = 0; j < atemi_model_joint_count(run->robot); ++j) {
        const atemi_joint *joint = atemi_model_joint(run->robot, j);
        if (joint->v_count == 1) {
            watch_servo(run, joint, atemi_full_blow_servo_torque(run, joint, q, v));
        }
    }
}

static atemi_full_blow_sample look(atemi_blow_run *run)
{
    const atemi_simulation *s = run->simulation;
    const double           *q = atemi_simulation_q(s), *v = atemi_simulation_v(s);
    atemi_full_blow_sample  sample = {.q = q, .simulation = run->simulation};
    const atemi_foothold    hold = atemi_footing_look(&run->footing, run->points, s);
    sample.blow.time = atemi_simulation_time(s);
    sample.blow.hand_speed = atemi_full_blow_find_speeds(run, q, v);
    sample.blow.force = atemi_full_blow_read_forces(run, sample.blow.time);
    sample.blow.compression = atemi_full_blow_compression(run);
    sample.blow.target_speed =
        run->target_coordinate == ATEMI_NONE ? 0.0 : v[run->target_coordinate];
    sample.blow.rates = v;
    sample.blow.accelerations = atemi_simulation_a(s);
    sample.hand_forces = run->forces;
    watch_servos(run, q, v, sample.blow.time);
    sample.blow.torques = run->servo;
    sample.has_zmp = hold.presses;
    sample.zmp = hold.zmp;
    sample.margin = hold.margin;
    return sample;
}

static void measure(atemi_blow_run *run, const atemi_full_blow_sample *sample)
{
    atemi_full_blow_result  *result = run->result;
    const atemi_blow_sample *blow = &sample->blow;
    atemi_full_blow_measure_hands(run, blow->time);
    atemi_full_blow_watch_feet(run);
    atemi_full_blow_note_force(run, blow->force, blow->time);
    result->compression = fmax(result->compression, blow->compression);
    result->hand_speed = blow->hand_speed;
    result->target_speed = blow->target_speed;
    result->target_travel =
        run->target_coordinate == ATEMI_NONE ? 0.0 : sample->q[atemi_model_q_count(run->robot)];
    result->duration = blow->time;
    result->margin = fmin(result->margin, sample->margin);
    run->time = blow->time;
}

// ---- All of it ------------------------------------------------------------------------------

static void take(atemi_blow_run *run, atemi_arena *arena)
{
    const atemi_full_blow_setting *setting = run->setting;
    const int                      nq = atemi_model_q_count(run->robot);
    const int                      nv = atemi_model_v_count(run->robot);
    run->surfaces = atemi_arena_array(arena, atemi_surface, setting->surface_count + 1);
    run->points =
        atemi_arena_array(arena, atemi_simulation_point, setting->foot_count + run->hand_count);
    run->held = atemi_arena_array(arena, double, nv);
    run->rotors = atemi_arena_array(arena, double, nv);
    run->servo = atemi_arena_array(arena, double, nv);
    run->saturations = atemi_arena_array(arena, bool, nv);
    run->reference_q = atemi_arena_array(arena, double, nq);
    run->reference_v = atemi_arena_array(arena, double, nv);
    run->reference_a = atemi_arena_array(arena, double, nv);
    run->q = atemi_arena_array(arena, double, nq + 1);
    run->v = atemi_arena_array(arena, double, nv + 1);
    run->kinematics = atemi_kinematics_take(arena, run->robot);
    run->stance = atemi_stance_scratch_take(arena, run->robot);
    run->factor = atemi_mass_factor_take(arena, run->robot);
    run->standing = atemi_arena_array(arena, atemi_contact_point, setting->foot_count);
    run->foot_forces = atemi_arena_array(arena, atemi_vec3, setting->foot_count);
    run->places = atemi_arena_array(arena, atemi_vec3, setting->foot_count);
    run->slides = atemi_arena_array(arena, atemi_full_blow_unrest *, setting->foot_count);
    run->lifts = atemi_arena_array(arena, atemi_full_blow_unrest *, setting->foot_count);
    run->footing = atemi_footing_take(arena, setting->surfaces, setting->feet, setting->foot_count);
}

static atemi_status take_memory(atemi_blow_run *run, atemi_error *error)
{
    atemi_arena measuring = atemi_arena_measuring();
    take(run, &measuring);
    const atemi_status status = atemi_arena_create(&run->arena, measuring.used, error);
    if (!status) {
        take(run, &run->arena);
        memcpy(run->q, run->setting->q, (size_t)atemi_model_q_count(run->robot) * sizeof *run->q);
        memcpy(run->v, run->setting->v, (size_t)atemi_model_v_count(run->robot) * sizeof *run->v);
        atemi_kinematics_update(run->robot, run->q, NULL, NULL, &run->kinematics);
    }
    return status;
}

static bool ask_whether_to_go_on(void *context)
{
    const atemi_blow_run          *run = (const atemi_blow_run *)context;
    const atemi_full_blow_options *options = &run->options;
    run->result->stopped = options->goes_on && !options->goes_on(options->goes_on_context);
    return !run->result->stopped;
}

static atemi_status create(atemi_blow_run *run, atemi_error *error)
{
    atemi_simulation_options     options = atemi_simulation_options_default();
    const atemi_simulation_hooks hooks = {.torque = atemi_full_blow_torque,
                                          .damping = atemi_full_blow_damping,
                                          .event = atemi_full_blow_event,
                                          .goes_on = ask_whether_to_go_on,
                                          .context = run};
    options.step = run->options.step;
    options.joint_friction = false;
    atemi_status status = take_memory(run, error);
    if (status) {
        return status;
    }
    status = atemi_full_blow_make_scene(run, error);
    return status
               ? status
               : atemi_simulation_create(run->scene, run->surfaces, run->setting->surface_count + 1,
                                         run->points, run->setting->foot_count + run->hand_count,
                                         &options, &hooks, &run->simulation, error);
}

typedef void taker(void *context, const atemi_full_blow_sample *sample);

static void report(atemi_blow_run *run, taker *give, void *context)
{
    const atemi_full_blow_sample sample = look(run);
    measure(run, &sample);
    if (give) {
        give(context, &sample);
    }
}

static bool is_over(const atemi_blow_run *run)
{
    const bool parted = run->result->released && !atemi_full_blow_touches(run);
    return run->result->stopped || run->time >= run->options.duration ||
           (parted && !run->options.past_release);
}

static atemi_status simulate(atemi_blow_run *run, taker *give, void *context, atemi_error *error)
{
    const double start = run->setting->start;
    run->time = start;
    const bool   happens = atemi_full_blow_begin_hands(run);
    atemi_status status = atemi_simulation_start(run->simulation, start, run->q, run->v, error);
    if (!status) {
        atemi_full_blow_begin_feet(run);
        report(run, give, context);
    }
    for (long i = 1; !status && happens && !is_over(run); ++i) {
        const double until = fmin(start + (double)i * run->options.step, run->options.duration);
        status = atemi_simulation_run(run->simulation, until, error);
        if (!status) {
            report(run, give, context);
        }
    }
    if (atemi_full_blow_touches(run)) {
        atemi_full_blow_count_touch(run, run->time);
    }
    atemi_full_blow_end_feet(run);
    return status;
}

static atemi_status check(const atemi_model *robot, const atemi_full_blow_setting *setting,
                          const atemi_full_blow_options *options, atemi_error *error)
{
    const atemi_virtual_base sizes = {.count = atemi_model_v_count(robot),
                                      .base_count = atemi_base_v_count(atemi_model_base(robot))};
    const atemi_blow_setting blow = {.rates = setting->v,
                                     .servo = setting->servo,
                                     .surface = setting->surface,
                                     .target = setting->target};
    const double             times[] = {options->duration, options->step, options->slowest_slide};
    for (int i = 0; i < 3; ++i) {
        if (!(times[i] > 0.0 && isfinite(times[i]))) {
            return atemi_fail(error, ATEMI_ERROR_INPUT,
                              "duration, step and slowest slide of a blow are %g s, %g s and %g "
                              "rad/s: they must be positive and finite",
                              times[0], times[1], times[2]);
        }
    }
    const atemi_status status = atemi_striking_point_check(robot, &setting->point, error);
    return status ? status : atemi_blow_check(&sizes, &blow, ATEMI_BLOW_RK4, error);
}

atemi_status atemi_full_blow(const atemi_model *robot, const atemi_full_blow_setting *setting,
                             const atemi_full_blow_options *options, taker *give, void *context,
                             atemi_full_blow_result *result, atemi_error *error)
{
    atemi_blow_run run = {.robot = robot,
                          .setting = setting,
                          .options = options ? *options : atemi_full_blow_options_default(),
                          .result = result,
                          .hand_count = atemi_striking_point_hands(&setting->point)};
    *result = (atemi_full_blow_result){.margin = INFINITY};
    atemi_status status = check(robot, setting, &run.options, error);
    if (!status) {
        status = create(&run, error);
    }
    if (!status) {
        status = simulate(&run, give, context, error);
    }
    if (run.simulation) {
        const atemi_simulation_statistics took = atemi_simulation_statistics_get(run.simulation);
        result->steps = took.steps;
        result->evaluations = took.evaluations;
    }
    atemi_simulation_destroy(run.simulation);
    atemi_model_destroy(run.scene);
    atemi_arena_destroy(&run.arena);
    return status;
}
