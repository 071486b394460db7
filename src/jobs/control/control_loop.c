// SPDX-License-Identifier: Apache-2.0

#include "jobs/control/control_loop.h"
#include "dynamics/kinematics.h"

#include <math.h>
#include <string.h>

static const double tick_period = 2e-4;

// ---- Joints ---------------------------------------------------------------------------------

static atemi_status start_controls(control_loop *loop, const double *inertias, atemi_error *error)
{
    const control_scenario *s = loop->scenario;
    const int               first = atemi_base_v_count(atemi_model_base(s->robot.model));
    atemi_status            status = ATEMI_OK;
    for (int i = 0; i < loop->count && !status; ++i) {
        atemi_joint_control_options options = s->controls[i];
        options.link_inertia = inertias[first + i];
        status = atemi_joint_control_start(&options, &loop->controls[i], error);
    }
    return status;
}

// ---- The posture at the beginning -----------------------------------------------------------

typedef struct beginning {
    atemi_base_frame         frame;
    atemi_base_frame_scratch scratch;
    atemi_kinematics         kinematics;
    double                  *q, *inertias, *torques;
} beginning;

static void take_beginning(atemi_arena *arena, const atemi_model *model, beginning *b)
{
    b->scratch = atemi_base_frame_scratch_take(arena, model);
    b->kinematics = atemi_kinematics_take(arena, model);
    b->q = atemi_arena_array(arena, double, atemi_model_q_count(model));
    b->inertias = atemi_arena_array(arena, double, atemi_model_v_count(model));
    b->torques = atemi_arena_array(arena, double, atemi_model_v_count(model));
}

// The base, inertias that it shows, and what the springs bear: the weight.
static void find_beginning(const control_scenario *s, beginning *b)
{
    const atemi_model *model = s->robot.model;
    const atemi_vec3   gravity = atemi_vec3_scale(1.0 - s->offload, atemi_model_gravity(model));
    atemi_kinematics_update(model, s->start.q, NULL, NULL, &b->kinematics);
    b->frame.link = s->hold_count ? s->holds[0] : 0;
    b->frame.pose = atemi_link_pose_in(model, &b->kinematics, b->frame.link);
    memcpy(b->q, s->start.q, (size_t)atemi_model_q_count(model) * sizeof *b->q);
    atemi_base_frame_effective_inertias(model, &b->frame, &b->scratch, b->q, b->inertias);
    atemi_base_frame_gravity_torques(model, &b->frame, gravity, &b->scratch, b->q, b->torques);
}

// ---- Creating -------------------------------------------------------------------------------

static void take(atemi_arena *arena, control_loop *loop)
{
    const size_t n = (size_t)loop->count;
    loop->controls = atemi_arena_array(arena, atemi_joint_control, n);
    loop->measurements = atemi_arena_array(arena, atemi_joint_measurement, n);
    loop->outputs = atemi_arena_array(arena, atemi_joint_output, n);
    loop->commands = atemi_arena_array(arena, atemi_joint_command, n);
    loop->positions = atemi_arena_array(arena, double, n);
    loop->velocities = atemi_arena_array(arena, double, n);
    loop->torques = atemi_arena_array(arena, double, n);
    loop->goals = atemi_arena_array(arena, atemi_goal_record, CONTROL_MOST_GOALS);
}

// Tasks that close a gripper: each has a pull of its own.
static int grip_count(const control_tasks *tasks)
{
    int count = 0;
    for (int i = 0; i < tasks->count; ++i) {
        count += tasks->tasks[i].deed == CONTROL_GRIP;
    }
    return count;
}

static atemi_status create_plant(control_loop *loop, atemi_error *error)
{
    const control_scenario        *s = loop->scenario;
    atemi_whole_body_plant_options o = atemi_whole_body_plant_options_default();
    o.period = tick_period;
    o.joints = s->plants;
    o.joint_friction = s->joint_friction;
    o.surfaces = s->surfaces.surfaces;
    o.surface_count = s->surfaces.count;
    o.points = s->contacts.points;
    o.point_count = s->contacts.count;
    o.max_pulls = CONTROL_MOST_HANDS + grip_count(&s->tasks);
    return atemi_whole_body_plant_create(s->robot.model, &o, &loop->plant, error);
}

static atemi_status create_coordination(control_loop *loop, const beginning *b, atemi_error *error)
{
    const control_scenario    *s = loop->scenario;
    atemi_coordination_options o = s->coordination;
    o.base_link = b->frame.link;
    o.base_pose = b->frame.pose;
    o.goals = loop->goals;
    o.goal_capacity = CONTROL_MOST_GOALS;
    return atemi_coordination_create(s->robot.model, &o, &loop->coordination, error);
}

static atemi_status start_plant(control_loop *loop, const beginning *b, atemi_error *error)
{
    const control_scenario *s = loop->scenario;
    const int               first = atemi_base_v_count(atemi_model_base(s->robot.model));
    atemi_status            status = ATEMI_OK;
    atemi_whole_body_plant_start(loop->plant, s->start.q, s->start.v, b->torques + first);
    atemi_whole_body_plant_set_offload(loop->plant, s->offload);
    loop->offload = loop->offload_goal = s->offload;
    for (int i = 0; i < s->hold_count && !status; ++i) {
        status = atemi_whole_body_plant_hold(loop->plant, s->holds[i], error);
    }
    return status;
}

static void measure(control_loop *loop, int i)
{
    const atemi_joint_drive *d = &loop->scenario->plants[i].drive;
    atemi_joint_measurement *m = &loop->measurements[i];
    atemi_whole_body_plant_measure(loop->plant, i, m);
    loop->positions[i] =
        atemi_joint_drive_is_elastic(d) ? m->joint_position : m->motor_position / d->gear;
    loop->velocities[i] = loop->outputs[i].joint_velocity;
    loop->torques[i] = loop->outputs[i].torque;
}

static atemi_status fill(control_loop *loop, const beginning *b, atemi_error *error)
{
    atemi_status status = create_plant(loop, error);
    status = status ? status : create_coordination(loop, b, error);
    status = status ? status : start_controls(loop, b->inertias, error);
    status = status ? status : start_plant(loop, b, error);
    for (int i = 0; i < loop->count && !status; ++i) {
        measure(loop, i);
    }
    return status;
}

atemi_status atemi_control_loop_create(const control_scenario *scenario, control_loop *loop,
                                       atemi_error *error)
{
    const atemi_model *model = scenario->robot.model;
    beginning          b;
    *loop = (control_loop){.scenario = scenario, .count = atemi_control_joint_count(model)};
    loop->ticks = (int)lround(scenario->coordination.period / tick_period);
    atemi_arena arena = atemi_arena_measuring();
    take(&arena, loop);
    take_beginning(&arena, model, &b);
    const atemi_status status = atemi_arena_create(&loop->arena, arena.used, error);
    if (status) {
        return status;
    }
    take(&loop->arena, loop);
    take_beginning(&loop->arena, model, &b);
    find_beginning(scenario, &b);
    return fill(loop, &b, error);
}

void atemi_control_loop_destroy(control_loop *loop)
{
    atemi_coordination_destroy(loop->coordination);
    atemi_whole_body_plant_destroy(loop->plant);
    atemi_arena_destroy(&loop->arena);
}

// ---- The surroundings -----------------------------------------------------------------------

static void push(control_loop *loop, double time)
{
    const control_scenario *s = loop->scenario;
    atemi_force            *forces = atemi_whole_body_plant_pushes(loop->plant);
    memset(forces, 0, (size_t)atemi_model_link_count(s->robot.model) * sizeof *forces);
    atemi_scenario_pushes_add(&s->pushes, time, forces);
}

// A hand holds on to the place on the link that it found at first.
static void lead(control_loop *loop, int i, double time)
{
    const control_hand *hand = &loop->scenario->people.hands[i];
    atemi_transform     frame = {atemi_mat3_identity(), hand->point};
    const bool          leads = time >= hand->from && time < hand->until;
    if (leads && !loop->leads[i]) {
        loop->starts[i] = atemi_whole_body_plant_pose(loop->plant, hand->link, &frame).position;
    }
    loop->leads[i] = leads;
    atemi_pull pull = {.link = hand->link,
                       .frame = frame,
                       .target = atemi_transform_identity(),
                       .stiffness = hand->stiffness,
                       .damping = hand->damping,
                       .force_limit = hand->force};
    pull.target.position = atemi_control_hand_place(hand, loop->starts[i], time, &pull.velocity);
    atemi_whole_body_plant_set_pull(loop->plant, i, leads ? &pull : NULL);
}

static void come_and_go(control_loop *loop, double time)
{
    const control_people *people = &loop->scenario->people;
    for (int i = 0; i < people->person_count; ++i) {
        const control_person *p = &people->people[i];
        atemi_whole_body_plant_set_surface(loop->plant, p->surface,
                                           time >= p->from && time < p->until);
    }
}

static void surround(control_loop *loop)
{
    const double time = atemi_whole_body_plant_time(loop->plant);
    if (loop->scenario->pushes.count) {
        push(loop, time);
    }
    for (int i = 0; i < loop->scenario->people.hand_count; ++i) {
        lead(loop, i, time);
    }
    come_and_go(loop, time);
    loop->offload =
        atemi_blend(loop->offload, loop->offload_goal, loop->offload_rate * tick_period);
    atemi_whole_body_plant_set_offload(loop->plant, loop->offload);
}

void atemi_control_loop_offload(control_loop *loop, double share, double duration)
{
    loop->offload_goal = share;
    loop->offload_rate = 1.0 / fmax(duration, tick_period);
}

// ---- A step and a tick ----------------------------------------------------------------------

void atemi_control_loop_coordinate(control_loop *loop)
{
    const atemi_coordination_measurement m = {loop->positions, loop->velocities, loop->torques};
    atemi_coordination_step(loop->coordination, &m, loop->commands);
}

static void control(control_loop *loop, int i, bool is_new)
{
    measure(loop, i);
    atemi_joint_control_step(&loop->controls[i], &loop->measurements[i],
                             is_new ? &loop->commands[i] : NULL, &loop->outputs[i]);
    atemi_whole_body_plant_apply(loop->plant, i, loop->outputs[i].voltage);
}

atemi_status atemi_control_loop_tick(control_loop *loop, int tick, atemi_error *error)
{
    surround(loop);
    for (int i = 0; i < loop->count; ++i) {
        const int every = (int)lround(loop->controls[i].options.period / tick_period);
        if (tick % every == 0) {
            control(loop, i, tick == 0);
        }
    }
    return atemi_whole_body_plant_advance(loop->plant, error);
}
