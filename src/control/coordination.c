// SPDX-License-Identifier: Apache-2.0

#include "atemi/coordination.h"

#include "atemi/base.h"
#include "atemi/model.h"
#include "control/breadcrumb_trail.h"
#include "control/coordination_dynamics.h"
#include "control/coordination_options.h"
#include "control/joint_trajectories.h"
#include "control/node_group.h"
#include "control/trajectory_monitor.h"

#include <string.h>

// A step: what is measured, whether it follows, where the commands go, what torques that takes, and
// how stiff the joints are.

// ---- Creating -------------------------------------------------------------------------------

static void take_motion(atemi_arena *arena, atemi_coordination *c)
{
    const size_t n = (size_t)c->count, nq = (size_t)atemi_model_q_count(c->model);
    const size_t axes = (size_t)PATH_AXES * (size_t)c->options.max_nodes;
    c->joints = atemi_arena_array(arena, moved_joint, n);
    c->q = atemi_arena_array(arena, double, nq);
    c->q_sensed = atemi_arena_array(arena, double, nq);
    c->trial = atemi_arena_array(arena, double, nq);
    c->positions = atemi_arena_array(arena, double, n);
    c->tasks = atemi_arena_array(arena, atemi_trapezoid_task, axes > n ? axes : n);
    c->trajectories = atemi_arena_array(arena, atemi_trapezoid, axes > n ? axes : n);
    c->marks = atemi_arena_array(arena, bool, atemi_model_joint_count(c->model));
    atemi_trail_take(arena, c, &c->crumbs);
    atemi_nodes_take(arena, c, &c->nodes);
}

static void take_dynamics(atemi_arena *arena, atemi_coordination *c)
{
    const size_t nv = (size_t)atemi_model_v_count(c->model);
    c->at_base = atemi_base_frame_scratch_take(arena, c->model);
    c->u = atemi_arena_array(arena, double, nv);
    c->du = atemi_arena_array(arena, double, nv);
    c->torques = atemi_arena_array(arena, double, nv);
    c->inertias = atemi_arena_array(arena, double, nv);
    c->jacobian = atemi_arena_array(arena, double, 6 * nv);
    c->loads = atemi_load_distribution_take(arena, c->model, c->options.max_holds);
    c->borne = atemi_arena_array(arena, double, 2 * (size_t)c->count);
    c->standing = atemi_standing_program_take(arena, c->model, c->options.contact_count,
                                              c->options.max_holds);
    c->stood = atemi_arena_array(arena, double, c->count);
    c->capture = atemi_arena_array(arena, double, nv);
    c->still = atemi_arena_array(arena, double, nv);
    c->closed = atemi_arena_array(arena, bool, c->count);
    c->held = atemi_arena_array(arena, bool, atemi_model_link_count(c->model));
    c->held_before = atemi_arena_array(arena, bool, atemi_model_link_count(c->model));
    c->ports = atemi_arena_array(arena, atemi_feedback_port, c->count);
    c->watch = atemi_passivity_watch_take(arena, c->count, c->options.energy_limit,
                                          c->options.energy_leak);
}

static void start_joint(const atemi_coordination *c, int i, moved_joint *j)
{
    j->joint = atemi_coordination_model_joint(c->model, i);
    j->settings =
        c->options.joints ? c->options.joints[i] : atemi_coordinated_joint_default(c->model, i);
    j->torque_limits[ATEMI_SOURCE_USER] = j->torque_limits[ATEMI_SOURCE_SUPERVISOR] =
        j->settings.torque_limit;
    j->effort = atemi_joint_rating_of(c->model, i).effort;
    j->torque_limit = atemi_coordination_torque_goal(j);
    j->gravity = j->settings.gravity;
    j->impedance.damping = j->settings.impedance.damping_min;
}

static void start(atemi_coordination *c)
{
    atemi_configuration_neutral(c->model, c->q);
    atemi_configuration_neutral(c->model, c->q_sensed);
    for (int i = 0; i < c->count; ++i) {
        start_joint(c, i, &c->joints[i]);
    }
    atemi_standing_program_start(c->model, c->options.contacts, &c->standing);
    c->options.joints = NULL;
    c->options.contacts = NULL;
    c->base = (atemi_base_frame){c->options.base_link, c->options.base_pose};
    c->base_fraction = c->held_fraction = 1.0;
    atemi_load_distribution_start(c->model, &c->loads);
    c->log = atemi_goal_log_over(c->options.goals, c->options.goal_capacity);
}

static atemi_status make(const atemi_model *model, const atemi_coordination_options *options,
                         atemi_coordination **coordination, atemi_error *error)
{
    const atemi_base   base = atemi_model_base(model);
    atemi_coordination made = {.model = model, .options = *options};
    made.first_v = atemi_base_v_count(base);
    made.first_q = atemi_base_q_count(base);
    made.count = atemi_model_v_count(model) - made.first_v;
    atemi_arena arena = atemi_arena_measuring();
    atemi_arena_array(&arena, atemi_coordination, 1);
    take_motion(&arena, &made);
    take_dynamics(&arena, &made);
    if (atemi_arena_create(&arena, arena.used, error)) {
        return ATEMI_ERROR_MEMORY;
    }
    atemi_coordination *c = atemi_arena_array(&arena, atemi_coordination, 1);
    *c = made;
    take_motion(&arena, c);
    take_dynamics(&arena, c);
    c->arena = arena;
    start(c);
    *coordination = c;
    return ATEMI_OK;
}

atemi_status atemi_coordination_create(const atemi_model                *model,
                                       const atemi_coordination_options *options,
                                       atemi_coordination **coordination, atemi_error *error)
{
    ATEMI_REQUIRE_OR(model && coordination, ATEMI_ERROR_CONTRACT);
    const atemi_coordination_options standard = atemi_coordination_options_default();
    const atemi_status               checked =
        atemi_coordination_options_check(model, options ? options : &standard, error);
    *coordination = NULL;
    return checked ? checked : make(model, options ? options : &standard, coordination, error);
}

void atemi_coordination_destroy(atemi_coordination *coordination)
{
    if (coordination) {
        atemi_arena arena = coordination->arena;
        atemi_arena_destroy(&arena);
    }
}

// ---- A step ---------------------------------------------------------------------------------

// Nodes come last: they see where trajectories and breadcrumbs take other joints.
static void advance(atemi_coordination *c)
{
    atemi_trajectories_advance(c);
    atemi_trail_advance(c);
    for (int i = 0; i < c->count; ++i) {
        c->q[c->first_q + i] = c->joints[i].command.position;
    }
    atemi_nodes_advance(c);
}

static void write_impedance(const moved_joint *j, atemi_joint_command *command)
{
    command->stiffness = j->impedance.stiffness;
    command->damping = j->impedance.damping;
    command->integral = j->settings.integral_rate * j->impedance.stiffness;
    command->windup_limit = j->settings.windup_limit;
    command->feedback_limit = j->torque_limit;
    command->inertia_torque = j->inertia_torque;
    command->gravity_torque = j->gravity_torque;
}

static void write_command(const moved_joint *j, atemi_joint_command *command)
{
    const atemi_axis_state commanded = joint_command_of(j);
    command->position = commanded.position;
    command->velocity = commanded.velocity;
    command->acceleration = commanded.acceleration;
    if (j->settings.elastic) {
        write_impedance(j, command);
    } else {
        command->level = ATEMI_JOINT_POSITION;
    }
}

static void control(atemi_coordination *c, atemi_joint_command *commands)
{
    atemi_monitor_react(c);
    advance(c);
    atemi_coordination_find_torques(c);
    atemi_monitor_balance(c);
    atemi_coordination_blend(c);
    for (int i = 0; i < c->count; ++i) {
        write_command(&c->joints[i], &commands[i]);
    }
}

void atemi_coordination_step(atemi_coordination                   *coordination,
                             const atemi_coordination_measurement *measurement,
                             atemi_joint_command                  *commands)
{
    ATEMI_REQUIRE(coordination && measurement && commands);
    ATEMI_REQUIRE(measurement->positions && measurement->velocities);
    atemi_coordination *c = coordination;
    for (int i = 0; i < c->count; ++i) {
        commands[i] = atemi_joint_command_default();
    }
    c->faults = 0;
    c->time += c->options.period;
    atemi_monitor_sense(c, measurement);
    if (c->started) {
        control(c, commands);
    }
}

// ---- What there is --------------------------------------------------------------------------

int atemi_coordination_joint_count(const atemi_coordination *coordination)
{
    ATEMI_REQUIRE_OR(coordination, 0);
    return coordination->count;
}

int atemi_coordination_find_joint(const atemi_coordination *coordination, const char *name)
{
    ATEMI_REQUIRE_OR(coordination && name, ATEMI_NONE);
    for (int i = 0; i < coordination->count; ++i) {
        if (strcmp(coordination->joints[i].joint->name, name) == 0) {
            return i;
        }
    }
    return ATEMI_NONE;
}

atemi_coordination_report atemi_coordination_report_get(const atemi_coordination *coordination)
{
    const atemi_coordination_report none = {0};
    ATEMI_REQUIRE_OR(coordination, none);
    const atemi_coordination *c = coordination;
    bool                      moving = c->nodes.goal != 0;
    for (int i = 0; i < c->count; ++i) {
        moving = moving || c->joints[i].driver != DRIVER_NONE;
    }
    return (atemi_coordination_report){.time = c->time,
                                       .faults = c->faults,
                                       .moving = moving,
                                       .base_link = c->base.link,
                                       .base_fraction = c->base_fraction,
                                       .energy = c->watch.excess,
                                       .posture = c->nodes.report};
}

atemi_standing_report atemi_coordination_standing(const atemi_coordination *coordination)
{
    const atemi_standing_report none = {0};
    ATEMI_REQUIRE_OR(coordination, none);
    return coordination->stands;
}

atemi_force atemi_coordination_contact_wrench(const atemi_coordination *coordination, int contact)
{
    const atemi_force none = {0};
    ATEMI_REQUIRE_OR(coordination && contact >= 0 && contact < coordination->options.contact_count,
                     none);
    return coordination->started ? atemi_standing_program_wrench(&coordination->standing, contact)
                                 : none;
}

const double *atemi_coordination_posture(const atemi_coordination *coordination)
{
    ATEMI_REQUIRE_OR(coordination, NULL);
    return coordination->q;
}

const atemi_goal_log *atemi_coordination_goals(const atemi_coordination *coordination)
{
    ATEMI_REQUIRE_OR(coordination, NULL);
    return &coordination->log;
}

atemi_force atemi_coordination_node_force(const atemi_coordination *coordination, int node)
{
    const atemi_force none = {0};
    ATEMI_REQUIRE_OR(coordination && node >= 0 && node < coordination->nodes.count, none);
    const double *f = coordination->nodes.nodes[node].force;
    return (atemi_force){{f[0], f[1], f[2]}, {f[3], f[4], f[5]}};
}

const char *atemi_coordination_fault_text(atemi_coordination_fault fault)
{
    static const char *const texts[] = {"measurement is no number",     "no measurements",
                                        "joint does not follow",        "out of reach",
                                        "no more breadcrumbs",          "no command",
                                        "slowed by a joint's velocity", "no contact",
                                        "diverging interaction",        "joint stopped safely",
                                        "would lose balance",           "would overload"};
    const int                bits = (int)fault;
    ATEMI_REQUIRE_OR(bits > 0 && bits <= ATEMI_COORDINATION_OVERLOADED && !(bits & (bits - 1)), "");
    int bit = 0;
    while (bits >> bit != 1) {
        ++bit;
    }
    return texts[bit];
}
