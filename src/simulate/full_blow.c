// SPDX-License-Identifier: Apache-2.0

#include "atemi/full_blow.h"

#include "atemi/configuration.h"
#include "atemi/footing.h"
#include "atemi/scene.h"
#include "atemi/stance.h"
#include "impact/blow_parts.h"

#include <math.h>
#include <string.h>

// The scene is the robot and a box whose face, normal to the direction, is the surface that the
// striking point touches. Link i of the robot is link 1 + i of the scene.

static const double density = 300.0;     // kg/m^3: how large the box looks
static const double wall_size = 0.5;     // m
static const double touching = 1e-6;     // m: feet nearer to their surface hold the robot
static const double first_touch = 1e-15; // m: the force jumps as the depth becomes positive
static const char   target_name[] = "struck_target";

typedef struct blow_run {
    const atemi_model             *robot;
    const atemi_full_blow_setting *setting;
    atemi_full_blow_options        options;
    atemi_full_blow_result        *result;

    atemi_model      *scene;
    atemi_simulation *simulation;
    atemi_arena       arena;

    int                     hand, target_link; ///< a point and a link of the scene
    int                     target_rate;       ///< index in v; ATEMI_NONE for a wall
    atemi_surface          *surfaces;          ///< [surface_count + 1]
    atemi_simulation_point *points;            ///< [foot_count + 1] the hand is the last
    atemi_compliance        law;
    double                 *held;  ///< [robot's v_count]
    double                 *q, *v; ///< of the scene at first touch
    double                 *reference_q, *reference_v, *reference_a; ///< of an instant
    double                 *servo;       ///< [robot's v_count] torques of the servo in a sample
    bool                   *saturations; ///< [robot's v_count]
    atemi_kinematics        kinematics;
    atemi_footing           footing;
    atemi_stance_scratch    stance;
    atemi_stance_point     *standing; ///< [foot_count] feet that touch
    atemi_vec3             *pushes;   ///< [foot_count] room

    double force;    ///< of the last sample
    double touched;  ///< since when hand and target touch
    double released; ///< when they parted in this step; NaN if they did not
    bool   touches;
    double time; ///< of the last sample
} blow_run;

atemi_full_blow_options atemi_full_blow_options_default(void)
{
    return (atemi_full_blow_options){.duration = 0.1, .step = 1e-4, .slowest_slide = 1e-3};
}

// ---- The servo ------------------------------------------------------------------------------

static double entry(const double *list, int i, double fallback)
{
    return list ? list[i] : fallback;
}

static double clamp(double x, double limit)
{
    return fmax(-limit, fmin(x, limit));
}

// What the servo is to follow, in `reference_q` and `reference_v`.
static void look_up(const blow_run *run, double time)
{
    const atemi_full_blow_setting *setting = run->setting;
    const int                      n = atemi_model_v_count(run->robot);
    if (setting->reference) {
        setting->reference(setting->context, time, run->reference_q, run->reference_v,
                           run->reference_a);
        return;
    }
    memcpy(run->reference_v, setting->v, (size_t)n * sizeof *run->reference_v);
    memset(run->reference_a, 0, (size_t)n * sizeof *run->reference_a);
    atemi_configuration_integrate(run->robot, setting->q, setting->v, time, run->reference_q);
}

static void find_feed(const blow_run *run, double time)
{
    if (run->setting->feed) {
        run->setting->feed(run->setting->context, time, run->held);
    }
}

static double servo_torque(const blow_run *run, const atemi_joint *joint, const double *q,
                           const double *v)
{
    const atemi_blow_servo *servo = &run->setting->servo;
    const int               i = joint->first_v, c = joint->first_q;
    const double            torque = run->held[i] +
                          entry(servo->stiffness, i, 0.0) * (run->reference_q[c] - q[c]) +
                          entry(servo->damping, i, 0.0) * (run->reference_v[i] - v[i]);
    return clamp(torque, entry(servo->limits, i, INFINITY));
}

// Coulomb friction as atemi_blow() has it.
static double coulomb(const blow_run *run, double friction, double rate)
{
    return clamp(friction * rate / run->options.slowest_slide, friction);
}

static void on_torque(void *context, double time, const double *q, const double *v, double *tau)
{
    const blow_run         *run = (const blow_run *)context;
    const atemi_blow_servo *servo = &run->setting->servo;
    look_up(run, time);
    find_feed(run, time);
    for (int j = 0; j < atemi_model_joint_count(run->robot); ++j) {
        const atemi_joint *joint = atemi_model_joint(run->robot, j);
        const int          i = joint->first_v;
        if (joint->v_count == 1) {
            tau[i] = servo_torque(run, joint, q, v) - entry(servo->viscous, i, 0.0) * v[i] -
                     coulomb(run, entry(servo->coulomb, i, 0.0), v[i]);
        }
    }
    if (run->target_rate != ATEMI_NONE) {
        const atemi_blow_target *target = &run->setting->target;
        const double             along =
            atemi_vec3_dot(atemi_model_gravity(run->robot), run->setting->point.direction);
        tau[run->target_rate] =
            -target->mass * along - coulomb(run, target->friction, v[run->target_rate]);
    }
}

static void on_damping(void *context, double *damping)
{
    const blow_run         *run = (const blow_run *)context;
    const atemi_blow_servo *servo = &run->setting->servo;
    const double            slow = run->options.slowest_slide;
    for (int j = 0; j < atemi_model_joint_count(run->robot); ++j) {
        const atemi_joint *joint = atemi_model_joint(run->robot, j);
        const int          i = joint->first_v;
        if (joint->v_count == 1) {
            damping[i] += entry(servo->damping, i, 0.0) + entry(servo->viscous, i, 0.0) +
                          entry(servo->coulomb, i, 0.0) / slow;
        }
    }
    if (run->target_rate != ATEMI_NONE) {
        damping[run->target_rate] += run->setting->target.friction / slow;
    }
}

// ---- Events ---------------------------------------------------------------------------------

// The force of a damper jumps: the blow is counted from there.
static void begin_touch(blow_run *run, double time, double speed)
{
    atemi_full_blow_result *result = run->result;
    run->touches = true;
    run->touched = time;
    run->time = time;
    run->force = atemi_compliance_force(&run->law, first_touch, speed);
    if (isnan(result->touch_time)) {
        result->touch_time = time;
    }
    if (run->force > result->peak_force) {
        result->peak_force = run->force;
        result->peak_time = time;
    }
}

static void on_event(void *context, const atemi_event *event)
{
    blow_run *run = (blow_run *)context;
    if (event->point != run->hand) {
        run->result->lift_offs += event->kind == ATEMI_EVENT_LIFT_OFF;
        run->result->slips += event->kind == ATEMI_EVENT_SLIP;
    } else if (event->kind == ATEMI_EVENT_TOUCHDOWN && !run->touches) {
        begin_touch(run, event->time, event->speed);
    } else if (event->kind == ATEMI_EVENT_LIFT_OFF && run->touches) {
        run->touches = false;
        run->released = event->time;
        run->result->contact_time += event->time - run->touched;
    }
}

// ---- The scene ------------------------------------------------------------------------------

// The shortest turn from x to the direction.
static atemi_mat3 frame_along(atemi_vec3 n)
{
    const atemi_vec3 z = {0.0, 0.0, 1.0}, y = {0.0, 1.0, 0.0};
    const atemi_vec3 side = atemi_vec3_cross(fabs(n.z) < 0.9 ? z : y, n);
    atemi_mat3       frame = {.x = n};
    frame.y = atemi_vec3_scale(1.0 / atemi_vec3_norm(side), side);
    frame.z = atemi_vec3_cross(frame.x, frame.y);
    return frame;
}

static atemi_status make_scene(blow_run *run, atemi_error *error)
{
    const atemi_striking_point *point = &run->setting->point;
    const double                mass = run->setting->target.mass;
    const bool                  is_wall = isinf(mass);
    const double                side = is_wall ? wall_size : cbrt(mass / density);
    atemi_scene_body            box =
        atemi_scene_body_box(target_name, is_wall ? 1.0 : mass, (atemi_vec3){side, side, side});
    const atemi_transform pose = atemi_link_pose(run->robot, &run->kinematics, point->link);
    const atemi_vec3      here = atemi_transform_apply(&pose, point->point);
    const atemi_vec3      touch = run->setting->start < 0.0 ? run->setting->place : here;
    box.type = is_wall ? ATEMI_JOINT_FIXED : ATEMI_JOINT_PRISMATIC;
    box.pose.rotation = frame_along(point->direction);
    box.pose.position = atemi_vec3_add(touch, atemi_vec3_scale(0.5 * side, point->direction));
    box.color[0] = 0.75;
    box.color[1] = 0.55;
    box.color[2] = 0.3;
    box.color[3] = 1.0;
    run->target_link = 1 + atemi_model_link_count(run->robot);
    run->target_rate = is_wall ? ATEMI_NONE : atemi_model_v_count(run->robot);
    run->surfaces[run->setting->surface_count] =
        (atemi_surface){.kind = ATEMI_SURFACE_PLANE,
                        .position = {-0.5 * side, 0.0, 0.0},
                        .axis = {-1.0, 0.0, 0.0},
                        .carried = true,
                        .link = run->target_link};
    return atemi_scene_create(run->robot, &box, 1, &run->scene, error);
}

static void find_law(blow_run *run)
{
    const atemi_blow_surface *surface = &run->setting->surface;
    run->law = surface->law == ATEMI_BLOW_COMPRESSION_DAMPER
                   ? atemi_compliance_compression_damper(&surface->spring)
               : surface->law == ATEMI_BLOW_KELVIN_VOIGT
                   ? atemi_compliance_kelvin_voigt(&surface->spring)
                   : surface->other;
}

static void find_points(blow_run *run)
{
    const atemi_full_blow_setting *setting = run->setting;
    for (int i = 0; i < setting->surface_count; ++i) {
        run->surfaces[i] = setting->surfaces[i];
        run->surfaces[i].link += 1;
    }
    for (int i = 0; i < setting->foot_count; ++i) {
        run->points[i] = setting->feet[i];
        run->points[i].link += 1;
    }
    run->hand = setting->foot_count;
    run->points[run->hand] = (atemi_simulation_point){.link = 1 + setting->point.link,
                                                      .point = setting->point.point,
                                                      .surface = setting->surface_count,
                                                      .compliance = &run->law};
}

// What the motion needs without a blow, from the feet that touch.
static void find_held(blow_run *run)
{
    const atemi_full_blow_setting *setting = run->setting;
    int                            count = 0;
    for (int i = 0; i < setting->foot_count; ++i) {
        const atemi_simulation_point *foot = &setting->feet[i];
        const atemi_transform pose = atemi_link_pose(run->robot, &run->kinematics, foot->link);
        const atemi_vec3      at = atemi_transform_apply(&pose, foot->point);
        const double          gap = atemi_surface_look(&setting->surfaces[foot->surface], at).gap;
        if (gap - foot->radius < touching) {
            run->standing[count++] = (atemi_stance_point){foot->link, foot->point};
        }
    }
    look_up(run, setting->start);
    atemi_stance_dynamics(run->robot, setting->q, setting->v, run->reference_a, NULL, run->standing,
                          count, &run->stance, run->held, run->pushes);
}

// ---- Samples --------------------------------------------------------------------------------

static double hand_speed(blow_run *run, const double *q, const double *v)
{
    const atemi_striking_point *point = &run->setting->point;
    atemi_kinematics_update(run->robot, q, v, NULL, &run->kinematics);
    const atemi_transform pose = atemi_link_pose(run->robot, &run->kinematics, point->link);
    const atemi_motion    moved =
        atemi_motion_at(atemi_link_velocity(run->robot, &run->kinematics, point->link),
                        atemi_mat3_apply(&pose.rotation, point->point));
    return atemi_vec3_dot(moved.linear, point->direction);
}

static void watch_servo(blow_run *run, const atemi_joint *joint, double torque)
{
    const int    i = joint->first_v;
    const double limit = entry(run->setting->servo.limits, i, INFINITY);
    if (fabs(torque) >= limit && !run->saturations[i]) {
        run->saturations[i] = true;
        ++run->result->saturated;
    }
    run->servo[i] = torque;
}

static atemi_full_blow_sample look(blow_run *run)
{
    const atemi_simulation *s = run->simulation;
    const double           *q = atemi_simulation_q(s), *v = atemi_simulation_v(s);
    atemi_full_blow_sample  sample = {.q = q, .simulation = run->simulation};
    const atemi_foothold    hold = atemi_footing_look(&run->footing, run->points, s);
    sample.blow.time = atemi_simulation_time(s);
    sample.blow.force = atemi_vec3_norm(atemi_simulation_force(s, run->hand));
    sample.blow.compression = fmax(-atemi_simulation_gap(s, run->hand), 0.0);
    sample.blow.hand_speed = hand_speed(run, q, v);
    sample.blow.target_speed = run->target_rate == ATEMI_NONE ? 0.0 : v[run->target_rate];
    if (sample.blow.time == run->setting->start && run->touches) {
        sample.blow.force = atemi_compliance_force(&run->law, first_touch, sample.blow.hand_speed);
    }
    sample.blow.rates = v;
    sample.blow.accelerations = atemi_simulation_a(s);
    look_up(run, sample.blow.time);
    find_feed(run, sample.blow.time);
    for (int j = 0; j < atemi_model_joint_count(run->robot); ++j) {
        const atemi_joint *joint = atemi_model_joint(run->robot, j);
        if (joint->v_count == 1) {
            watch_servo(run, joint, servo_torque(run, joint, q, v));
        }
    }
    sample.blow.torques = run->servo;
    sample.has_zmp = hold.presses;
    sample.zmp = hold.zmp;
    sample.margin = hold.margin;
    return sample;
}

// A law may end its force before hand and target are apart. That is a release as well, as in
// atemi_blow(), at the end of the step.
static void watch_force(blow_run *run, const atemi_blow_sample *blow)
{
    if (run->touches && blow->time > run->touched && blow->force == 0.0) {
        run->touches = false;
        run->released = blow->time;
        run->result->contact_time += blow->time - run->touched;
    } else if (!run->touches && blow->force > 0.0) {
        run->touches = true;
        run->touched = run->time;
    }
}

// The force is a line from sample to sample, and zero from the release on.
static void measure(blow_run *run, const atemi_full_blow_sample *sample)
{
    atemi_full_blow_result  *result = run->result;
    const atemi_blow_sample *blow = &sample->blow;
    const bool               parted = !isnan(run->released);
    const double             until = parted ? run->released : blow->time;
    result->impulse +=
        0.5 * (run->force + (parted ? 0.0 : blow->force)) * fmax(until - run->time, 0.0);
    if (blow->force > result->peak_force) {
        result->peak_force = blow->force;
        result->peak_time = blow->time;
    }
    result->compression = fmax(result->compression, blow->compression);
    result->hand_speed = blow->hand_speed;
    result->target_speed = blow->target_speed;
    result->target_travel =
        run->target_rate == ATEMI_NONE ? 0.0 : sample->q[atemi_model_q_count(run->robot)];
    result->duration = blow->time;
    result->margin = fmin(result->margin, sample->margin);
    result->released = result->released || parted;
    run->force = blow->force;
    run->time = blow->time;
    run->released = NAN;
}

// ---- All of it ------------------------------------------------------------------------------

static void take(blow_run *run, atemi_arena *arena)
{
    const atemi_full_blow_setting *setting = run->setting;
    const int                      nq = atemi_model_q_count(run->robot);
    const int                      nv = atemi_model_v_count(run->robot);
    run->surfaces = atemi_arena_array(arena, atemi_surface, setting->surface_count + 1);
    run->points = atemi_arena_array(arena, atemi_simulation_point, setting->foot_count + 1);
    run->held = atemi_arena_array(arena, double, nv);
    run->servo = atemi_arena_array(arena, double, nv);
    run->saturations = atemi_arena_array(arena, bool, nv);
    run->reference_q = atemi_arena_array(arena, double, nq);
    run->reference_v = atemi_arena_array(arena, double, nv);
    run->reference_a = atemi_arena_array(arena, double, nv);
    run->q = atemi_arena_array(arena, double, nq + 1);
    run->v = atemi_arena_array(arena, double, nv + 1);
    run->kinematics = atemi_kinematics_take(arena, run->robot);
    run->stance = atemi_stance_scratch_take(arena, run->robot);
    run->standing = atemi_arena_array(arena, atemi_stance_point, setting->foot_count);
    run->pushes = atemi_arena_array(arena, atemi_vec3, setting->foot_count);
    run->footing = atemi_footing_take(arena, setting->surfaces, setting->feet, setting->foot_count);
}

static atemi_status take_memory(blow_run *run, atemi_error *error)
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

static atemi_status create(blow_run *run, atemi_error *error)
{
    atemi_simulation_options     options = atemi_simulation_options_default();
    const atemi_simulation_hooks hooks = {
        .torque = on_torque, .damping = on_damping, .event = on_event, .context = run};
    options.step = run->options.step;
    options.joint_friction = false;
    atemi_status status = take_memory(run, error);
    if (status) {
        return status;
    }
    find_points(run);
    find_law(run);
    find_held(run);
    status = make_scene(run, error);
    return status
               ? status
               : atemi_simulation_create(run->scene, run->surfaces, run->setting->surface_count + 1,
                                         run->points, run->setting->foot_count + 1, &options,
                                         &hooks, &run->simulation, error);
}

typedef void taker(void *context, const atemi_full_blow_sample *sample);

static void report(blow_run *run, taker *give, void *context)
{
    const atemi_full_blow_sample sample = look(run);
    watch_force(run, &sample.blow);
    measure(run, &sample);
    if (give) {
        give(context, &sample);
    }
}

static bool is_over(const blow_run *run)
{
    const bool parted = run->result->released && !run->touches;
    return run->time >= run->options.duration || (parted && !run->options.past_release);
}

static atemi_status simulate(blow_run *run, taker *give, void *context, atemi_error *error)
{
    const double start = run->setting->start;
    run->time = start;
    run->touches = start >= 0.0 && hand_speed(run, run->q, run->v) > 0.0;
    run->result->touch_time = run->touches ? 0.0 : (double)NAN;
    const bool   happens = run->touches || start < 0.0;
    atemi_status status = atemi_simulation_start(run->simulation, start, run->q, run->v, error);
    if (!status) {
        report(run, give, context);
    }
    for (long i = 1; !status && happens && !is_over(run); ++i) {
        const double until = fmin(start + (double)i * run->options.step, run->options.duration);
        status = atemi_simulation_run(run->simulation, until, error);
        if (!status) {
            report(run, give, context);
        }
    }
    if (run->touches) {
        run->result->contact_time += run->time - run->touched;
    }
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
    return atemi_blow_check(&sizes, &blow, ATEMI_BLOW_RK4, error);
}

atemi_status atemi_full_blow(const atemi_model *robot, const atemi_full_blow_setting *setting,
                             const atemi_full_blow_options *options, taker *give, void *context,
                             atemi_full_blow_result *result, atemi_error *error)
{
    blow_run run = {.robot = robot,
                    .setting = setting,
                    .options = options ? *options : atemi_full_blow_options_default(),
                    .result = result,
                    .released = NAN};
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
