// SPDX-License-Identifier: Apache-2.0

#include "jobs/control/control_scenario.h"

#include "atemi/base.h"
#include "io/scenario/scenario_failure.h"
#include "io/scenario/scenario_pick.h"
#include "jobs/control/control_world.h"

#include <math.h>

static const double rigid_period = 2e-3; // s, of joints without spring

// ---- The robot ------------------------------------------------------------------------------

static void check_robot(atemi_scenario_reader *reader, const atemi_model *model)
{
    const atemi_scenario_mark mark = atemi_scenario_last(reader);
    if (!model) {
        return;
    }
    const atemi_base base = atemi_model_base(model);
    if (base != ATEMI_BASE_FLOATING && base != ATEMI_BASE_FIXED) {
        atemi_scenario_fail(reader, mark, "the base of the robot is %s; give base: floating",
                            atemi_base_text(base));
    }
    for (int j = 0; j < atemi_model_joint_count(model); ++j) {
        const atemi_joint *joint = atemi_model_joint(model, j);
        if (joint->v_count > 1) {
            atemi_scenario_fail(reader, mark,
                                "the joint '%s' is %s; drives move joints of one coordinate only",
                                joint->name, atemi_joint_type_text(joint->type));
        }
    }
}

// Behind the ends of its range a joint would press against a stop. At 0, where joints are that
// nothing was said of, it goes to the nearest end.
static void keep_from_stops(atemi_scenario_reader *reader, const atemi_model *model,
                            const atemi_scenario_start *start)
{
    for (int j = 0; start->q && start->v && j < atemi_model_joint_count(model); ++j) {
        const atemi_joint *joint = atemi_model_joint(model, j);
        const atemi_limits range = joint->limits;
        double            *q = joint->q_count == 1 ? &start->q[joint->first_q] : NULL;
        if (!q || (*q >= range.lower && *q <= range.upper)) {
            continue;
        }
        if (*q != 0.0) {
            atemi_scenario_fail(reader, start->joints_mark,
                                "'%s' starts at %g rad, beyond its range of %g to %g; start it "
                                "within",
                                joint->name, *q, range.lower, range.upper);
        }
        *q = range.lower > 0.0 ? range.lower : range.upper;
    }
}

// ---- The surroundings -----------------------------------------------------------------------

// Drives and rigid collisions do not go together: what is touched is soft.
static void read_contacts(atemi_scenario_reader *reader, control_scenario *s)
{
    atemi_scenario_read_surfaces(reader, &s->surfaces);
    if (atemi_scenario_look(reader, "contacts") != ATEMI_SCENARIO_ABSENT ||
        atemi_scenario_is_blank(reader)) {
        atemi_scenario_read_contacts(reader, s->robot.model, &s->surfaces, &s->contacts);
    }
    atemi_scenario_check_surfaces(reader, &s->surfaces, &s->contacts);
    atemi_control_read_people(reader, s->robot.model, &s->surfaces, &s->contacts, &s->people);
    for (int i = 0; i < s->contacts.count && !atemi_scenario_is_blank(reader); ++i) {
        if (!s->contacts.points[i].compliance || s->contacts.points[i].tied) {
            atemi_scenario_fail(reader, s->contacts.about[i].mark,
                                "'%s' touches a surface that is rigid or tied; give it a "
                                "compliance, make the surface a person with a stiffness, or name "
                                "its link in holds",
                                s->contacts.about[i].name);
        }
    }
}

static void read_cell(atemi_scenario_reader *reader, control_scenario *s)
{
    s->cell.joint = ATEMI_NONE;
    if (!atemi_scenario_enter(reader, "load_cell", ATEMI_OPTIONAL, "in which taps are felt")) {
        return;
    }
    const char *name = atemi_scenario_string(
        reader, "joint", (atemi_string_key){.required = true, .help = "it is in, by name"});
    if (s->robot.model) {
        s->cell.joint = atemi_scenario_pick(reader, atemi_scenario_joints(s->robot.model), name);
    }
    if (s->cell.joint >= 0 &&
        atemi_model_joint(s->robot.model, s->cell.joint)->type == ATEMI_JOINT_FIXED) {
        atemi_scenario_fail(reader, atemi_scenario_last(reader),
                            "'%s' is fixed, its links are one body; give a joint that moves", name);
    }
    s->cell.threshold = atemi_scenario_number(reader, "threshold",
                                              (atemi_number_key){.unit = "N",
                                                                 .fallback = 8.0,
                                                                 .lower = 0.0,
                                                                 .upper = INFINITY,
                                                                 .open = true,
                                                                 .help = "of a tap"});
    atemi_scenario_leave(reader);
}

// ---- Drives and control ---------------------------------------------------------------------

static void silence(atemi_joint_plant_options *plant)
{
    plant->motor_step = plant->joint_step = plant->current_step = 0.0;
    plant->motor_deviation = plant->joint_deviation = plant->current_deviation = 0.0;
}

static int read_sensors(atemi_scenario_reader *reader, int count, atemi_joint_plant_options *plants)
{
    bool noise = true;
    int  seed = 1;
    if (atemi_scenario_enter(reader, "sensors", ATEMI_DEFAULTED, "of motors, joints, currents")) {
        noise = atemi_scenario_boolean(reader, "noise",
                                       (atemi_boolean_key){.fallback = true, .help = "and counts"});
        seed = atemi_scenario_integer(reader, "seed",
                                      (atemi_integer_key){.fallback = 1,
                                                          .upper = 1000000,
                                                          .help = "of the noise, and of faults"});
        atemi_scenario_leave(reader);
    }
    for (int i = 0; i < count && plants; ++i) {
        plants[i].seed = (uint64_t)seed * 1000 + (uint64_t)i;
        if (!noise) {
            silence(&plants[i]);
        }
    }
    return seed;
}

static bool allocate_joints(atemi_scenario_reader *reader, int count, control_scenario *s)
{
    s->joints =
        (atemi_coordinated_joint *)atemi_scenario_allocate(reader, sizeof *s->joints, count);
    s->plants =
        (atemi_joint_plant_options *)atemi_scenario_allocate(reader, sizeof *s->plants, count);
    s->controls =
        (atemi_joint_control_options *)atemi_scenario_allocate(reader, sizeof *s->controls, count);
    return s->joints && s->plants && s->controls;
}

static void read_joints(atemi_scenario_reader *reader, control_scenario *s)
{
    const atemi_model *model = s->robot.model, *believed = atemi_control_scenario_believed(s);
    const int          count = atemi_control_joint_count(model);
    const bool         ready = allocate_joints(reader, count, s);
    for (int i = 0; i < count && ready; ++i) {
        s->plants[i] = atemi_whole_body_joint_default(model, i);
    }
    atemi_control_read_drives(reader, model, s->plants);
    for (int i = 0; i < count && ready; ++i) {
        s->joints[i] = atemi_coordinated_joint_default(believed, i);
        s->joints[i].impedance = atemi_impedance_limits_of(&s->plants[i].drive);
    }
    s->joints_mark = atemi_control_read_beginning(reader, model, s->plants, s->joints);
    s->joint_friction = atemi_scenario_boolean(
        reader, "joint_friction",
        (atemi_boolean_key){.fallback = true, .help = "the robot's own friction and damping act"});
    s->brake_time = atemi_scenario_number(
        reader, "brake_time",
        (atemi_number_key){.unit = "s",
                           .fallback = INFINITY,
                           .lower = 0.0,
                           .upper = INFINITY,
                           .infinite = true,
                           .help = "after which brakes hold a joint that stopped safely; inf: it "
                                   "has none"});
    s->seed = (uint64_t)read_sensors(reader, count, s->plants);
    for (int i = 0; i < count && ready; ++i) {
        s->controls[i] = atemi_joint_control_options_of(believed, i, &s->plants[i].drive);
    }
    atemi_control_read_loops(reader, model, s->controls);
}

static void read_step(atemi_scenario_reader *reader, const char *key, const char *unit,
                      const char *help, double *value)
{
    *value = atemi_scenario_number(reader, key,
                                   (atemi_number_key){.unit = unit,
                                                      .fallback = *value,
                                                      .lower = 0.0,
                                                      .upper = INFINITY,
                                                      .open = true,
                                                      .infinite = true,
                                                      .help = help});
}

static void read_coordination(atemi_scenario_reader *reader, atemi_coordination_options *o)
{
    *o = atemi_coordination_options_default();
    if (!atemi_scenario_enter(reader, "coordination", ATEMI_DEFAULTED, "of all joints")) {
        return;
    }
    o->period = atemi_scenario_number(
        reader, "period",
        (atemi_number_key){.unit = "s",
                           .fallback = o->period,
                           .lower = 2e-3,
                           .upper = 0.1,
                           .reason = "joints without spring have 2 ms, slower ones lose balance",
                           .help = "of a step"});
    if (fabs(o->period / rigid_period - round(o->period / rigid_period)) > 1e-9) {
        atemi_scenario_fail(reader, atemi_scenario_last(reader),
                            "%g s is no multiple of 2 ms, the period of joints without spring; "
                            "give one that is",
                            o->period);
    }
    read_step(reader, "stiffness_step", "N m/rad", "a step, at most", &o->stiffness_step);
    read_step(reader, "damping_step", "N m s/rad", "a step, at most", &o->damping_step);
    read_step(reader, "torque_step", "N m", "of torque limits, a step", &o->torque_step);
    read_step(reader, "gravity_step", NULL, "of gravity scales, a step", &o->gravity_step);
    read_step(reader, "base_step", NULL, "of the fraction of a new base, a step", &o->base_step);
    read_step(reader, "deviation_scale", NULL, "error x stiffness x this is at most the limit",
              &o->deviation_scale);
    read_step(reader, "position_tolerance", "m", "of nodes", &o->position_tolerance);
    atemi_scenario_alias(reader, "rotation_tolerance", "turn_tolerance");
    read_step(reader, "rotation_tolerance", "rad", "of nodes", &o->rotation_tolerance);
    o->contact_margin = atemi_scenario_number(
        reader, "contact_margin",
        (atemi_number_key){.fallback = o->contact_margin,
                           .upper = 0.49,
                           .reason = "half of a sole is all of it",
                           .help = "of a sole's side, that a robot that stands keeps from edges"});
    read_step(reader, "energy_limit", "J", "that feedback may give away", &o->energy_limit);
    read_step(reader, "energy_leak", "W", "of it that does not count", &o->energy_leak);
    atemi_scenario_leave(reader);
}

// Under what stands.
static void read_ground(atemi_scenario_reader *reader, control_scenario *s)
{
    const atemi_control_loop_options usual = atemi_control_loop_options_default();
    s->ground_depth = usual.ground_depth;
    s->ground_time = usual.ground_time;
    s->ground_friction = usual.ground_friction;
    if (!atemi_scenario_enter(reader, "ground", ATEMI_DEFAULTED, "under links that stand")) {
        return;
    }
    s->ground_depth = atemi_scenario_number(
        reader, "depth",
        (atemi_number_key){.unit = "m",
                           .fallback = usual.ground_depth,
                           .lower = 1e-5,
                           .upper = 0.01,
                           .reason = "steel, and a mattress: beyond, ticks are too long, or feet "
                                     "too soft",
                           .help = "that the robot's weight on all corners sinks in"});
    s->ground_time =
        atemi_scenario_number(reader, "damping_time",
                              (atemi_number_key){.unit = "s",
                                                 .fallback = usual.ground_time,
                                                 .lower = 0.0,
                                                 .upper = 0.01,
                                                 .reason = "more is stiffer than a tick can follow",
                                                 .help = "its damping over its stiffness"});
    if (atemi_scenario_look(reader, "friction") != ATEMI_SCENARIO_ABSENT ||
        atemi_scenario_is_blank(reader)) {
        s->ground_friction =
            atemi_scenario_number(reader, "friction",
                                  (atemi_number_key){.fallback = 0.6,
                                                     .lower = 0.0,
                                                     .upper = 100.0,
                                                     .reason = "more is glue",
                                                     .help = "if it is not what holds count on"});
    }
    atemi_scenario_leave(reader);
}

static bool offloads(const control_tasks *tasks)
{
    bool found = false;
    for (int i = 0; i < tasks->count; ++i) {
        found = found || tasks->tasks[i].action == ATEMI_TASK_OFFLOAD;
    }
    return found;
}

static void read_run(atemi_scenario_reader *reader, control_scenario *s)
{
    s->offload = atemi_scenario_number(
        reader, "offload",
        (atemi_number_key){.upper = 1.0,
                           .reason = "a part of the whole",
                           .help = "of the weight that is taken away at first"});
    s->duration = atemi_scenario_number(reader, "duration",
                                        (atemi_number_key){.unit = "s",
                                                           .fallback = 10.0,
                                                           .lower = 0.0,
                                                           .upper = INFINITY,
                                                           .open = true,
                                                           .help = "at most"});
    if (s->holds.contact_count && (s->offload > 0.0 || offloads(&s->tasks))) {
        atemi_scenario_fail(reader, s->holds.mark,
                            "a robot stands by all of its weight; leave offload out, here and in "
                            "tasks");
    }
    atemi_scenario_check_forces(reader, &s->forces, s->duration);
    atemi_control_check_people(reader, &s->people, s->duration);
    atemi_control_check_faults(reader, &s->faults, s->duration);
    atemi_control_check_tasks(reader, &s->tasks, s->duration);
    s->every = 0.02;
    if (atemi_scenario_enter(reader, "record", ATEMI_DEFAULTED, "what is written down")) {
        s->every = atemi_scenario_number(reader, "every",
                                         (atemi_number_key){.unit = "s",
                                                            .fallback = 0.02,
                                                            .lower = 2e-4,
                                                            .upper = INFINITY,
                                                            .help = "one row"});
        atemi_scenario_leave(reader);
    }
}

// A motion has its nodes, and those of links that are held meanwhile.
static int largest_motion(const control_tasks *tasks)
{
    int count = 0;
    for (int i = 0; i < tasks->count; ++i) {
        count = tasks->tasks[i].node_count > count ? tasks->tasks[i].node_count : count;
    }
    return count + CONTROL_MAX_HOLDS;
}

// ---- All of it ------------------------------------------------------------------------------

atemi_status atemi_control_scenario_read(atemi_scenario_reader *reader, const char *file,
                                         control_scenario *scenario, atemi_error *error)
{
    *scenario = (control_scenario){0};
    control_scenario *s = scenario;
    atemi_scenario_read_robot(reader, file, &s->robot);
    check_robot(reader, s->robot.model);
    atemi_control_read_world(reader, &s->robot, &s->world);
    read_contacts(reader, s);
    atemi_scenario_read_start(reader, s->robot.model, &s->surfaces, &s->start);
    keep_from_stops(reader, s->robot.model, &s->start);
    atemi_control_read_holds(reader, s->robot.model, &s->start, &s->holds);
    read_ground(reader, s);
    atemi_control_read_rails(reader, &s->rails);
    atemi_scenario_read_forces(reader, s->robot.model, &s->forces);
    read_cell(reader, s);
    read_joints(reader, s);
    atemi_control_read_faults(reader, s->robot.model, &s->faults);
    read_coordination(reader, &s->coordination);
    atemi_control_read_tasks(reader, s->robot.model, s->plants, &s->rails, &s->tasks);
    read_run(reader, s);
    s->coordination.joints = s->joints;
    s->coordination.contacts = s->holds.contacts;
    s->coordination.contact_count = s->holds.contact_count;
    s->coordination.max_nodes = largest_motion(&s->tasks);
    return atemi_scenario_finish(reader, error);
}

const atemi_model *atemi_control_scenario_believed(const control_scenario *scenario)
{
    return scenario->world.believed ? scenario->world.believed : scenario->robot.model;
}

void atemi_control_scenario_destroy(control_scenario *scenario)
{
    atemi_control_tasks_destroy(&scenario->tasks);
    atemi_scenario_forces_destroy(&scenario->forces);
    atemi_control_people_destroy(&scenario->people);
    atemi_control_faults_destroy(&scenario->faults);
    atemi_control_world_destroy(&scenario->world);
    atemi_control_rails_destroy(&scenario->rails);
    atemi_scenario_start_destroy(&scenario->start);
    atemi_scenario_contacts_destroy(&scenario->contacts);
    atemi_scenario_surfaces_destroy(&scenario->surfaces);
    atemi_scenario_robot_destroy(&scenario->robot);
    atemi_release(scenario->joints);
    atemi_release(scenario->plants);
    atemi_release(scenario->controls);
}
