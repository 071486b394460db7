// SPDX-License-Identifier: Apache-2.0

#include "atemi/control_loop.h"

#include "atemi/base.h"
#include "atemi/model.h"
#include "control/load_distribution.h"
#include "control/standing_program.h"
#include "dynamics/base_frame.h"
#include "simulate/driven/control_loop_parts.h"
#include "simulate/driven/standing_ground.h"

#include <math.h>
#include <string.h>

static const double longest_mail = 1000.0; // steps, after which a command is no longer awaited

// ---- The posture at the beginning -----------------------------------------------------------

typedef struct beginning {
    atemi_base_frame             frame;
    atemi_base_frame_scratch     scratch;
    atemi_kinematics             kinematics;
    double                      *q;      ///< [q_count] as given
    double                      *placed; ///< [q_count] for the base frame, which moves the root
    double                      *inertias, *torques; ///< [v_count]
    atemi_load_distribution      loads;
    standing_program             standing;
    atemi_ground_point          *grounds;  ///< [corners]
    bool                        *held;     ///< [links]
    atemi_joint_plant_options   *plants;   ///< [joints]
    atemi_joint_control_options *controls; ///< [joints]
    atemi_coordinated_joint     *joints;   ///< [joints]
} beginning;

// Sizes are those of every model of the robot.
static void take_beginning(atemi_arena *arena, const atemi_control_loop *loop, beginning *b)
{
    const atemi_model *model = loop->model;
    b->scratch = atemi_base_frame_scratch_take(arena, model);
    b->kinematics = atemi_kinematics_take(arena, model);
    b->q = atemi_arena_array(arena, double, atemi_model_q_count(model));
    b->placed = atemi_arena_array(arena, double, atemi_model_q_count(model));
    b->inertias = atemi_arena_array(arena, double, atemi_model_v_count(model));
    b->torques = atemi_arena_array(arena, double, atemi_model_v_count(model));
    b->loads = atemi_load_distribution_take(arena, model, loop->options.coordination.max_holds);
    b->standing =
        atemi_standing_program_take(arena, model, loop->options.coordination.contact_count,
                                    loop->options.coordination.max_holds);
    b->grounds = atemi_arena_array(arena, atemi_ground_point, loop->corner_count);
    b->held = atemi_arena_array(arena, bool, atemi_model_link_count(model));
    b->plants = atemi_arena_array(arena, atemi_joint_plant_options, loop->count);
    b->controls = atemi_arena_array(arena, atemi_joint_control_options, loop->count);
    b->joints = atemi_arena_array(arena, atemi_coordinated_joint, loop->count);
}

static size_t posture_size(const atemi_control_loop *loop)
{
    return (size_t)atemi_model_q_count(loop->model) * sizeof(double);
}

static void find_base(const atemi_control_loop *loop, const atemi_model *model, beginning *b)
{
    memcpy(b->placed, b->q, posture_size(loop));
    atemi_kinematics_update(model, b->q, NULL, NULL, &b->kinematics);
    b->frame.link = loop->options.coordination.contact_count
                        ? loop->options.coordination.contacts[0].link
                    : loop->options.hold_count ? loop->options.holds[0]
                                               : 0;
    b->frame.pose = atemi_link_pose_in(model, &b->kinematics, b->frame.link);
}

// What the springs bear of a robot that stands, and the ground under it.
static void find_standing_weight(const atemi_control_loop *loop, beginning *b)
{
    const atemi_model                *model = loop->model;
    const atemi_control_loop_options *o = &loop->options;
    const atemi_coordination_options *c = &o->coordination;
    memset(b->inertias, 0, (size_t)atemi_model_v_count(model) * sizeof *b->inertias);
    atemi_standing_ground(model, &b->kinematics, c->contacts, c->contact_count,
                          (standing_ground){o->ground_depth, o->ground_time, o->ground_friction},
                          b->grounds);
    atemi_standing_program_start(model, c->contacts, &b->standing);
    atemi_base_frame_loads(model, &b->frame, b->inertias, b->inertias, atemi_model_gravity(model),
                           &b->scratch, b->placed, b->torques);
    atemi_standing_program_place(model, b->held, &b->scratch, &b->standing);
    atemi_standing_program_solve(&b->standing, b->torques, (standing_limits){0},
                                 b->torques + atemi_base_v_count(atemi_model_base(model)));
}

// What the springs of a robot bear that is held: its weight.
static void find_weight(const atemi_control_loop *loop, beginning *b)
{
    const atemi_model *model = loop->model;
    const double       weight = 1.0 - loop->options.offload;
    const atemi_vec3   gravity = atemi_vec3_scale(weight, atemi_model_gravity(model));
    atemi_base_frame_gravity_torques(model, &b->frame, gravity, &b->scratch, b->placed, b->torques);
    atemi_load_distribution_start(model, &b->loads);
    atemi_load_distribution_place(model, &b->frame, &b->scratch, b->held, &b->loads);
    atemi_load_distribution_apply(&b->loads,
                                  b->torques + atemi_base_v_count(atemi_model_base(model)));
}

// Then the base, and inertias that it shows, as the controllers believe them to be.
static void find_posture(const atemi_control_loop *loop, beginning *b)
{
    atemi_configuration_neutral(loop->model, b->q);
    if (loop->options.q) {
        memcpy(b->q, loop->options.q, posture_size(loop));
    }
    for (int i = 0; i < loop->options.hold_count; ++i) {
        b->held[loop->options.holds[i]] = true;
    }
    find_base(loop, loop->model, b);
    if (loop->options.coordination.contact_count) {
        find_standing_weight(loop, b);
    } else {
        find_weight(loop, b);
    }
    find_base(loop, loop->believed, b);
    atemi_base_frame_effective_inertias(loop->believed, &b->frame, &b->scratch, b->placed,
                                        b->inertias);
}

// Drives, controls and joints: as given, or as usual; the last follow from the others.
static void find_joints(const atemi_control_loop *loop, beginning *b)
{
    const atemi_control_loop_options *o = &loop->options;
    const int                         first = atemi_base_v_count(atemi_model_base(loop->model));
    for (int i = 0; i < loop->count; ++i) {
        b->plants[i] =
            o->plant.joints ? o->plant.joints[i] : atemi_whole_body_joint_default(loop->model, i);
        b->controls[i] = o->controls
                             ? o->controls[i]
                             : atemi_joint_control_options_of(loop->model, i, &b->plants[i].drive);
        b->controls[i].link_inertia = b->inertias[first + i];
        b->joints[i] = atemi_coordinated_joint_default(loop->model, i);
        b->joints[i].impedance = atemi_impedance_limits_of(&b->plants[i].drive);
        b->joints[i] = o->coordination.joints ? o->coordination.joints[i] : b->joints[i];
        atemi_coordinated_joint_fit(loop->model, i, &b->controls[i], o->plant.joint_friction,
                                    &b->joints[i]);
        loop->is_elastic[i] = atemi_joint_drive_is_elastic(&b->plants[i].drive);
        loop->gears[i] = b->plants[i].drive.gear;
    }
}

// ---- Creating -------------------------------------------------------------------------------

atemi_control_loop_options atemi_control_loop_options_default(void)
{
    return (atemi_control_loop_options){.plant = atemi_whole_body_plant_options_default(),
                                        .coordination = atemi_coordination_options_default(),
                                        .jaws = atemi_jaws_default(),
                                        .brake_time = INFINITY,
                                        .ground_depth = 2e-4,
                                        .ground_time = 1e-3,
                                        .ground_friction = (double)NAN,
                                        .max_goals = 256};
}

static void take(atemi_arena *arena, atemi_control_loop *loop)
{
    const size_t                      n = (size_t)loop->count;
    const atemi_control_loop_options *o = &loop->options;
    loop->controls = atemi_arena_array(arena, atemi_joint_control, n);
    loop->measurements = atemi_arena_array(arena, atemi_joint_measurement, n);
    loop->outputs = atemi_arena_array(arena, atemi_joint_output, n);
    loop->commands = atemi_arena_array(arena, atemi_joint_command, n);
    loop->is_elastic = atemi_arena_array(arena, bool, n);
    loop->stopped = atemi_arena_array(arena, bool, n);
    loop->held = atemi_arena_array(arena, bool, atemi_model_link_count(loop->model));
    loop->contacts = atemi_arena_array(arena, atemi_standing_contact, loop->contact_count);
    loop->stands = atemi_arena_array(arena, bool, atemi_model_link_count(loop->model));
    loop->gears = atemi_arena_array(arena, double, n);
    loop->positions = atemi_arena_array(arena, double, n);
    loop->velocities = atemi_arena_array(arena, double, n);
    loop->torques = atemi_arena_array(arena, double, n);
    loop->goals = atemi_arena_array(arena, atemi_goal_record, o->max_goals);
    loop->faults = atemi_arena_array(arena, joint_fault, o->fault_count);
    loop->fault_first = atemi_arena_array(arena, int, n + 1);
    loop->voltages = atemi_arena_array(arena, double, n);
    loop->stop_times = atemi_arena_array(arena, double, n);
    loop->mail = atemi_arena_array(arena, atemi_joint_command, n * (size_t)loop->mail_size);
    loop->mailed = atemi_arena_array(arena, double, loop->mail_size);
    loop->taken = atemi_arena_array(arena, int, n);
    loop->timed_surfaces = atemi_arena_array(arena, atemi_timed_surface, o->timed_surface_count);
    loop->hands = atemi_arena_array(arena, atemi_guiding_hand, o->hand_count);
    loop->starts = atemi_arena_array(arena, atemi_vec3, o->hand_count);
    loop->leads = atemi_arena_array(arena, bool, o->hand_count);
    loop->rails = atemi_arena_array(arena, atemi_transform, o->rail_count);
    loop->grips = atemi_arena_array(arena, atemi_grip, o->max_grips);
}

static void copy_surroundings(atemi_control_loop *loop)
{
    const atemi_control_loop_options *o = &loop->options;
    for (int i = 0; i < o->timed_surface_count; ++i) {
        loop->timed_surfaces[i] = o->timed_surfaces[i];
    }
    for (int i = 0; i < o->hand_count; ++i) {
        loop->hands[i] = o->hands[i];
    }
    for (int i = 0; i < o->rail_count; ++i) {
        loop->rails[i] = o->rails[i];
    }
}

// Joint by joint, each in the order given. No command has come to any.
static void copy_faults(atemi_control_loop *loop)
{
    const atemi_control_loop_options *o = &loop->options;
    int                               at = 0;
    for (int i = 0; i < loop->count; ++i) {
        loop->fault_first[i] = at;
        for (int k = 0; k < o->fault_count; ++k) {
            if (o->faults[k].joint == i) {
                const uint64_t seed = o->fault_seed + (uint64_t)k * UINT64_C(0x9e3779b97f4a7c15);
                atemi_joint_fault_start(&o->faults[k], seed, &loop->faults[at++]);
            }
        }
    }
    loop->fault_first[loop->count] = at;
    for (int i = 0; i < loop->count; ++i) {
        loop->taken[i] = -1;
        loop->stop_times[i] = INFINITY;
    }
}

static atemi_status create_plant(atemi_control_loop *loop, const beginning *b, atemi_error *error)
{
    atemi_whole_body_plant_options o = loop->options.plant;
    o.joints = b->plants;
    o.grounds = b->grounds;
    o.ground_count = loop->corner_count;
    o.max_pulls += loop->options.hand_count + loop->options.max_grips;
    return atemi_whole_body_plant_create(loop->model, &o, &loop->plant, error);
}

static atemi_status create_coordination(atemi_control_loop *loop, const beginning *b,
                                        atemi_error *error)
{
    atemi_coordination_options o = loop->options.coordination;
    o.joints = b->joints;
    o.base_link = b->frame.link;
    o.base_pose = b->frame.pose;
    o.goals = loop->goals;
    o.goal_capacity = loop->options.max_goals;
    return atemi_coordination_create(loop->believed, &o, &loop->coordination, error);
}

static atemi_status start_controls(atemi_control_loop *loop, const beginning *b, atemi_error *error)
{
    atemi_status status = ATEMI_OK;
    for (int i = 0; i < loop->count && !status; ++i) {
        status = b->controls[i].takes_torque
                     ? atemi_fail(error, ATEMI_ERROR_INPUT,
                                  "the control of joint %d gives torques, but its simulated drive "
                                  "takes voltages: let takes_torque be false",
                                  i)
                     : atemi_joint_control_start_of(loop->model, i, &b->controls[i],
                                                    &loop->controls[i], error);
    }
    return status;
}

static atemi_status start_plant(atemi_control_loop *loop, const beginning *b, atemi_error *error)
{
    const atemi_control_loop_options *o = &loop->options;
    const int                         first = atemi_base_v_count(atemi_model_base(loop->model));
    atemi_status                      status = ATEMI_OK;
    atemi_whole_body_plant_start(loop->plant, b->q, o->v, b->torques + first);
    atemi_whole_body_plant_set_offload(loop->plant, o->offload);
    loop->offload = loop->offload_goal = o->offload;
    for (int i = 0; i < o->hold_count && !status; ++i) {
        status = atemi_whole_body_plant_hold(loop->plant, o->holds[i], error);
    }
    return status;
}

joint_faults atemi_control_loop_faults(const atemi_control_loop *loop, int joint)
{
    const int first = loop->fault_first[joint];
    return (joint_faults){loop->faults + first, loop->fault_first[joint + 1] - first};
}

static void measure(atemi_control_loop *loop, int i)
{
    atemi_joint_measurement *m = &loop->measurements[i];
    atemi_whole_body_plant_measure(loop->plant, i, m);
    atemi_joint_faults_sense(atemi_control_loop_faults(loop, i),
                             atemi_whole_body_plant_time(loop->plant),
                             &atemi_whole_body_plant_joint(loop->plant, i)->options.drive, m);
    loop->positions[i] =
        loop->is_elastic[i] ? m->joint_position : m->motor_position / loop->gears[i];
    loop->velocities[i] = loop->outputs[i].joint_velocity;
    loop->torques[i] = loop->outputs[i].torque;
    loop->stopped[i] = loop->outputs[i].state == ATEMI_JOINT_SAFE_STOP;
}

static atemi_status fill(atemi_control_loop *loop, beginning *b, atemi_error *error)
{
    find_posture(loop, b);
    find_joints(loop, b);
    copy_surroundings(loop);
    copy_faults(loop);
    for (int i = 0; i < loop->contact_count; ++i) {
        loop->contacts[i] = loop->options.coordination.contacts[i];
        loop->stands[loop->contacts[i].link] = true;
    }
    atemi_status status = create_plant(loop, b, error);
    status = status ? status : create_coordination(loop, b, error);
    status = status ? status : start_controls(loop, b, error);
    status = status ? status : start_plant(loop, b, error);
    for (int i = 0; i < loop->count && !status; ++i) {
        measure(loop, i);
    }
    return status;
}

// The scratch of the beginning goes when the loop is made.
static atemi_status make(atemi_control_loop *made, atemi_control_loop **loop, atemi_error *error)
{
    beginning   b;
    atemi_arena arena = atemi_arena_measuring(), scratch = atemi_arena_measuring();
    atemi_arena_array(&arena, atemi_control_loop, 1);
    take(&arena, made);
    take_beginning(&scratch, made, &b);
    atemi_status status = atemi_arena_create(&arena, arena.used, error);
    if (status) {
        return status;
    }
    *loop = atemi_arena_array(&arena, atemi_control_loop, 1);
    **loop = *made;
    take(&arena, *loop);
    (*loop)->arena = arena;
    status = atemi_arena_create(&scratch, scratch.used, error);
    if (!status) {
        take_beginning(&scratch, *loop, &b);
        status = fill(*loop, &b, error);
        atemi_arena_destroy(&scratch);
    }
    return status;
}

// Steps that may be on the bus at a time, and the one that comes.
static int mail_size(const atemi_control_loop_options *o)
{
    double delay = 0.0;
    for (int k = 0; k < o->fault_count; ++k) {
        delay += isfinite(o->faults[k].bus_delay) ? o->faults[k].bus_delay : 0.0;
    }
    return 2 + (int)ceil(fmin(delay / o->coordination.period, longest_mail));
}

atemi_status atemi_control_loop_create(const atemi_model                *model,
                                       const atemi_control_loop_options *options,
                                       atemi_control_loop **loop, atemi_error *error)
{
    ATEMI_REQUIRE_OR(model && options && loop && options->hold_count >= 0, ATEMI_ERROR_CONTRACT);
    ATEMI_REQUIRE_OR(
        options->coordination.contact_count == 0 ||
            (options->coordination.contacts && options->coordination.contact_count > 0),
        ATEMI_ERROR_CONTRACT);
    atemi_control_loop made = {.model = model, .options = *options};
    made.believed = options->believed ? options->believed : model;
    made.mail_size = mail_size(options);
    made.contact_count = options->coordination.contact_count;
    made.corner_count = atemi_standing_corner_count(options->coordination.contacts,
                                                    options->coordination.contact_count);
    made.count = atemi_model_v_count(model) - atemi_base_v_count(atemi_model_base(model));
    made.tick_count = (int)lround(options->coordination.period / options->plant.period);
    *loop = NULL;
    const atemi_status status = make(&made, loop, error);
    if (status) {
        atemi_control_loop_destroy(*loop);
        *loop = NULL;
    }
    return status;
}

void atemi_control_loop_destroy(atemi_control_loop *loop)
{
    if (loop) {
        atemi_arena arena = loop->arena;
        atemi_coordination_destroy(loop->coordination);
        atemi_whole_body_plant_destroy(loop->plant);
        atemi_arena_destroy(&arena);
    }
}

// ---- A step and a tick ----------------------------------------------------------------------

void atemi_control_loop_coordinate(atemi_control_loop *loop)
{
    ATEMI_REQUIRE(loop);
    const atemi_coordination_measurement m = {loop->positions, loop->velocities, loop->torques,
                                              loop->stopped, loop->held};
    for (int i = 0; i < atemi_model_link_count(loop->model); ++i) {
        loop->held[i] = atemi_whole_body_plant_is_held(loop->plant, i);
    }
    atemi_coordination_step(loop->coordination, &m, loop->commands);
    ++loop->step_count;
    loop->tick = 0;
}

// The commands of a step go onto the bus.
static void post(atemi_control_loop *loop)
{
    const int at = loop->step_count % loop->mail_size;
    memcpy(loop->mail + (ptrdiff_t)at * loop->count, loop->commands,
           (size_t)loop->count * sizeof *loop->commands);
    loop->mailed[at] = atemi_whole_body_plant_time(loop->plant);
}

// The newest command that has come to a joint; NULL where it is no other than before.
static const atemi_joint_command *collect(atemi_control_loop *loop, int i, double time)
{
    const double rounding = 1e-9;
    const double delay = atemi_joint_faults_delay(atemi_control_loop_faults(loop, i), time);
    const int    last = loop->step_count, oldest = last - loop->mail_size;
    for (int step = last; step > loop->taken[i] && step > oldest; --step) {
        const int at = step % loop->mail_size;
        if (loop->mailed[at] + delay <= time + rounding) {
            loop->taken[i] = step;
            return loop->mail + (ptrdiff_t)at * loop->count + i;
        }
    }
    return NULL;
}

static void control(atemi_control_loop *loop, int i)
{
    const joint_faults faults = atemi_control_loop_faults(loop, i);
    const double       time = atemi_whole_body_plant_time(loop->plant);
    if (atemi_joint_faults_lose_tick(faults, time)) {
        return;
    }
    measure(loop, i);
    atemi_joint_control_step(&loop->controls[i], &loop->measurements[i], collect(loop, i, time),
                             &loop->outputs[i]);
    if (loop->outputs[i].state == ATEMI_JOINT_SAFE_STOP) {
        loop->stop_times[i] = fmin(loop->stop_times[i], time);
    }
    loop->voltages[i] = atemi_joint_faults_voltage(faults, time, loop->controls[i].options.period,
                                                   loop->voltages[i], loop->outputs[i].voltage);
    atemi_whole_body_plant_apply(loop->plant, i, loop->voltages[i]);
}

atemi_status atemi_control_loop_tick(atemi_control_loop *loop, atemi_error *error)
{
    ATEMI_REQUIRE_OR(loop, ATEMI_ERROR_CONTRACT);
    atemi_control_loop_surround(loop);
    if (loop->tick == 0) {
        post(loop);
    }
    for (int i = 0; i < loop->count; ++i) {
        const double period = loop->controls[i].options.period;
        const int    every = (int)lround(period / loop->options.plant.period);
        if (loop->tick % every == 0) {
            control(loop, i);
        }
    }
    ++loop->tick;
    return atemi_whole_body_plant_advance(loop->plant, error);
}

// ---- The state reached ----------------------------------------------------------------------

int atemi_control_loop_tick_count(const atemi_control_loop *loop)
{
    ATEMI_REQUIRE_OR(loop, 0);
    return loop->tick_count;
}

atemi_whole_body_plant *atemi_control_loop_plant(const atemi_control_loop *loop)
{
    ATEMI_REQUIRE_OR(loop, NULL);
    return loop->plant;
}

atemi_coordination *atemi_control_loop_coordination(const atemi_control_loop *loop)
{
    ATEMI_REQUIRE_OR(loop, NULL);
    return loop->coordination;
}

atemi_joint_command *atemi_control_loop_commands(const atemi_control_loop *loop)
{
    ATEMI_REQUIRE_OR(loop, NULL);
    return loop->commands;
}

const atemi_joint_output *atemi_control_loop_outputs(const atemi_control_loop *loop)
{
    ATEMI_REQUIRE_OR(loop, NULL);
    return loop->outputs;
}

const atemi_joint_control *atemi_control_loop_joint(const atemi_control_loop *loop, int joint)
{
    ATEMI_REQUIRE_OR(loop && joint >= 0 && joint < loop->count, NULL);
    return &loop->controls[joint];
}

const double *atemi_control_loop_positions(const atemi_control_loop *loop)
{
    ATEMI_REQUIRE_OR(loop, NULL);
    return loop->positions;
}
