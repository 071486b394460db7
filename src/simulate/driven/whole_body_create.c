// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"
#include "atemi/model.h"
#include "control/coordination_options.h"
#include "simulate/driven/driven_model.h"
#include "simulate/driven/whole_body.h"

#include <math.h>
#include <string.h>

// How far behind the ends of its range a joint meets its stops, rad: control stops it before. They
// are twice as stiff as its spring, and damp with 2 ms of that.
static const double stop_clearance = 0.03;
static const double stop_stiffness = 2.0; // of the spring
static const double stop_damping = 2e-3;  // of the stop, s

// A step of the current's sensor, of the current that makes the effort limit: 1/32 A of 10.8 A.
static const double current_counts = 1.0 / 346.0;

// ---- Options --------------------------------------------------------------------------------

atemi_whole_body_plant_options atemi_whole_body_plant_options_default(void)
{
    return (atemi_whole_body_plant_options){
        .period = 2e-4, .joint_friction = true, .max_holds = 4, .max_pulls = 8};
}

atemi_joint_plant_options atemi_whole_body_joint_default(const atemi_model *model, int i)
{
    atemi_joint_plant_options options = atemi_joint_plant_options_rigid();
    ATEMI_REQUIRE_OR(model, options);
    const atemi_joint *joint = atemi_coordination_model_joint(model, i);
    ATEMI_REQUIRE_OR(joint, options);
    options = atemi_joint_plant_options_default();
    options.drive = atemi_joint_drive_of(model, i);
    const double r = atemi_joint_lever(joint);
    options.joint_step *= r;
    options.joint_deviation *= r;
    options.lowest = joint->limits.lower - stop_clearance * r;
    options.highest = joint->limits.upper + stop_clearance * r;
    options.stop_stiffness = stop_stiffness * options.drive.spring;
    options.stop_damping = stop_damping * options.stop_stiffness;
    atemi_whole_body_joint_fit(model, i, &options);
    return options;
}

void atemi_whole_body_joint_fit(const atemi_model *model, int i, atemi_joint_plant_options *options)
{
    ATEMI_REQUIRE(model && options);
    const atemi_joint_drive *d = &options->drive;
    atemi_joint_drive_complete(model, i, &options->drive);
    options->current_step =
        current_counts * atemi_joint_rating_of(model, i).effort / (d->gear * d->torque_constant);
    options->current_deviation = options->current_step;
}

static atemi_status check_model(const atemi_model *model, atemi_error *error)
{
    const atemi_base base = atemi_model_base(model);
    if (base != ATEMI_BASE_FLOATING && base != ATEMI_BASE_FIXED) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "the base of %s is %s: a driven robot floats or is fixed",
                          atemi_model_name(model), atemi_base_text(base));
    }
    for (int j = 0; j < atemi_model_joint_count(model); ++j) {
        const atemi_joint *joint = atemi_model_joint(model, j);
        if (joint->v_count > 1) {
            return atemi_fail(error, ATEMI_ERROR_INPUT,
                              "joint %s is %s: a drive moves joints with one coordinate",
                              joint->name, atemi_joint_type_text(joint->type));
        }
    }
    return ATEMI_OK;
}

static atemi_status check_points(const atemi_whole_body_plant_options *o, atemi_error *error)
{
    for (int i = 0; i < o->point_count; ++i) {
        const atemi_simulation_point *p = &o->points[i];
        ATEMI_REQUIRE_OR(p->surface >= 0 && p->surface < o->surface_count, ATEMI_ERROR_CONTRACT);
        if (!p->compliance || p->tied || o->surfaces[p->surface].carried) {
            return atemi_fail(error, ATEMI_ERROR_INPUT,
                              "point %d touches a surface that is rigid, tied or carried: driven "
                              "robots touch soft ones that stand; give it a compliance",
                              i);
        }
    }
    return ATEMI_OK;
}

static atemi_status check_grounds(const atemi_model *model, const atemi_whole_body_plant_options *o,
                                  atemi_error *error)
{
    for (int i = 0; i < o->ground_count; ++i) {
        const atemi_ground_point *g = &o->grounds[i];
        ATEMI_REQUIRE_OR(g->link >= 0 && g->link < atemi_model_link_count(model),
                         ATEMI_ERROR_CONTRACT);
        if (!(g->stiffness > 0.0 && g->damping >= 0.0 && g->friction >= 0.0)) {
            return atemi_fail(error, ATEMI_ERROR_INPUT,
                              "ground %d has %g N/m, %g N s/m and a friction of %g: give a "
                              "positive stiffness, and none of the others negative",
                              i, g->stiffness, g->damping, g->friction);
        }
    }
    return ATEMI_OK;
}

static atemi_status check_bodies(const atemi_whole_body_plant_options *o, atemi_error *error)
{
    for (int i = 0; i < o->body_count; ++i) {
        const atemi_soft_body *b = &o->bodies[i];
        ATEMI_REQUIRE_OR(b->surface >= 0 && b->surface < o->surface_count, ATEMI_ERROR_CONTRACT);
        if (!(b->mass > 0.0 && b->clearance >= 0.0)) {
            return atemi_fail(error, ATEMI_ERROR_INPUT,
                              "soft body %d has %g kg and %g m of clearance: give a positive mass, "
                              "and a clearance of 0 or more",
                              i, b->mass, b->clearance);
        }
    }
    return ATEMI_OK;
}

static atemi_status check(const atemi_model *model, const atemi_whole_body_plant_options *o,
                          atemi_error *error)
{
    atemi_status status = check_model(model, error);
    status = status ? status : check_points(o, error);
    status = status ? status : check_grounds(model, o, error);
    status = status ? status : check_bodies(o, error);
    if (!status && !(o->period > 0.0 && o->period <= 1e-2)) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "the period of the plant is %g s: it must be positive, and 0.01 s at "
                          "most",
                          o->period);
    }
    return status;
}

// ---- Creating -------------------------------------------------------------------------------

static void take_state(atemi_arena *arena, atemi_whole_body_plant *p)
{
    const size_t nq = (size_t)atemi_model_q_count(p->model);
    const size_t nv = (size_t)atemi_model_v_count(p->model);
    p->q = atemi_arena_array(arena, double, nq);
    p->middle = atemi_arena_array(arena, double, nq);
    p->v = atemi_arena_array(arena, double, nv);
    p->a = atemi_arena_array(arena, double, nv);
    p->tau = atemi_arena_array(arena, double, nv);
    p->nought = atemi_arena_array(arena, double, nv);
    p->torques = atemi_arena_array(arena, double, nv);
    p->answer = atemi_arena_array(arena, double, nv);
    p->robots = atemi_arena_array(arena, atemi_model *, p->options.change_count + 1);
    p->changes = atemi_arena_array(arena, double, p->options.change_count);
    p->joints = atemi_arena_array(arena, atemi_joint_plant, p->count);
    p->brakes = atemi_arena_array(arena, double, p->count);
    p->kinematics = atemi_kinematics_take(arena, p->model);
    p->inverse = atemi_inverse_dynamics_scratch_take(arena, p->model);
    const int held = HELD_CONTACTS * p->options.max_holds;
    p->dynamics = atemi_constrained_dynamics_scratch_take_rows(arena, p->model, held,
                                                               ATEMI_CONTACT_MAX_ROWS * held);
}

static void take_surroundings(atemi_arena *arena, atemi_whole_body_plant *p)
{
    const atemi_whole_body_plant_options *o = &p->options;
    const int                             links = atemi_model_link_count(p->model);
    p->surfaces = atemi_arena_array(arena, atemi_surface, o->surface_count);
    p->is_there = atemi_arena_array(arena, bool, o->surface_count);
    p->points = atemi_arena_array(arena, atemi_simulation_point, o->point_count);
    p->touches = atemi_arena_array(arena, atemi_touch, o->point_count);
    p->grounds = atemi_arena_array(arena, ground_point, o->ground_count);
    p->rows =
        atemi_arena_array(arena, double, o->ground_count ? 6 * atemi_model_v_count(p->model) : 0);
    p->bodies = atemi_arena_array(arena, soft_body, o->body_count);
    p->body_of = atemi_arena_array(arena, int, o->surface_count);
    p->pulls = atemi_arena_array(arena, atemi_pull, o->max_pulls);
    p->pull_forces = atemi_arena_array(arena, atemi_force, o->max_pulls);
    p->forces = atemi_arena_array(arena, atemi_force, links);
    p->loads = atemi_arena_array(arena, atemi_force, links);
    p->holds = atemi_arena_array(arena, held_link, o->max_holds);
    p->contacts = atemi_arena_array(arena, atemi_contact, HELD_CONTACTS * o->max_holds);
    p->contact_forces = atemi_arena_array(arena, atemi_force, HELD_CONTACTS * o->max_holds);
}

static void copy_surroundings(atemi_whole_body_plant *p)
{
    const atemi_whole_body_plant_options *o = &p->options;
    for (int i = 0; i < o->surface_count; ++i) {
        p->surfaces[i] = o->surfaces[i];
        p->is_there[i] = true;
        p->body_of[i] = ATEMI_NONE;
    }
    for (int i = 0; i < o->body_count; ++i) {
        p->bodies[i].options = o->bodies[i];
        p->body_of[o->bodies[i].surface] = i;
    }
    for (int i = 0; i < o->point_count; ++i) {
        p->points[i] = o->points[i];
    }
    for (int i = 0; i < o->ground_count; ++i) {
        p->grounds[i].about = o->grounds[i];
    }
    for (int i = 0; i < o->max_pulls; ++i) {
        p->pulls[i].link = ATEMI_NONE;
    }
    for (int i = 0; i < o->max_holds; ++i) {
        p->holds[i].link = ATEMI_NONE;
    }
}

static atemi_status start_joints(const atemi_model *model, atemi_whole_body_plant *p,
                                 atemi_error *error)
{
    atemi_status status = ATEMI_OK;
    for (int i = 0; i < p->count && !status; ++i) {
        const atemi_joint_plant_options options =
            p->options.joints ? p->options.joints[i] : atemi_whole_body_joint_default(model, i);
        status = atemi_joint_plant_start(&options, &p->joints[i], error);
        p->brakes[i] = (double)NAN;
    }
    return status;
}

// The rotor of a joint without spring moves with the link; others are behind their springs.
static void find_rotors(const atemi_whole_body_plant *p, double *rotors)
{
    for (int i = 0; i < p->count; ++i) {
        const atemi_joint_drive *d = &p->joints[i].options.drive;
        rotors[p->first_v + i] =
            atemi_joint_drive_is_elastic(d) ? 0.0 : d->gear * d->gear * d->rotor_inertia;
    }
}

// Twice what is stable with a joint's spring and its own damping, kg m^2: joints do not move one by
// one.
static double least_inertia(const atemi_whole_body_plant *p, int joint)
{
    const atemi_joint_drive *d = &p->joints[joint].options.drive;
    const double             h = p->options.period;
    const double             own =
        p->options.joint_friction ? atemi_coordination_model_joint(p->model, joint)->damping : 0.0;
    return h * own + (atemi_joint_drive_is_elastic(d)
                          ? h * d->spring_damping + 0.5 * h * h * d->spring
                          : 0.0);
}

// The largest eigenvalue of M^-1 diag(least inertia) in the neutral posture, by power iteration: at
// most 1 where every motion of all joints together is stable.
static double swiftness(atemi_whole_body_plant *p)
{
    enum { ITERATIONS = 60 };
    double norm = 0.0;
    for (int i = 0; i < p->count; ++i) {
        p->answer[p->first_v + i] = i % 2 ? -1.0 : 1.0 + 0.1 * i;
    }
    for (int k = 0; k < ITERATIONS; ++k) {
        double sum = 0.0;
        memset(p->answer, 0, (size_t)p->first_v * sizeof *p->answer);
        for (int i = 0; i < p->count; ++i) {
            sum += p->answer[p->first_v + i] * p->answer[p->first_v + i];
        }
        norm = sqrt(sum);
        for (int i = 0; i < p->count && norm > 0.0; ++i) {
            p->answer[p->first_v + i] *= least_inertia(p, i) / (k ? norm : 1.0);
        }
        atemi_mass_factor_solve(p->model, &p->dynamics.factor, p->answer);
    }
    return norm;
}

// Links that are too light for a tick get what their joints need as if it were a rotor. Those that
// get nothing have less than 1 / n each of what all n of them may have together.
// @return whether there are any
static bool steady_links(atemi_whole_body_plant *p, double *rotors)
{
    bool any = false;
    atemi_configuration_neutral(p->model, p->q);
    atemi_mass_factor_update(p->model, p->q, &p->dynamics.factor);
    const bool is_swift = swiftness(p) > 0.9;
    for (int i = 0; i < p->count && is_swift; ++i) {
        const double least = least_inertia(p, i);
        if (atemi_whole_body_mobility(p, i) * least * p->count > 1.0) {
            rotors[p->first_v + i] += least;
            any = true;
        }
    }
    return any;
}

static atemi_status create_robot(const atemi_model *model, atemi_whole_body_plant *p, int index,
                                 atemi_error *error)
{
    const atemi_status status = atemi_driven_model_create(model, p->tau, &p->robots[index], error);
    p->model = p->robots[index];
    return status;
}

static atemi_status check_robot(atemi_whole_body_plant *p, int index, atemi_error *error)
{
    p->model = p->robots[index];
    atemi_mass_factor_update(p->model, p->q, &p->dynamics.factor);
    return atemi_mass_factor_check(p->model, &p->dynamics.factor, error);
}

// With the same rotors as at first.
static atemi_status create_changes(atemi_whole_body_plant *p, atemi_error *error)
{
    atemi_status status = ATEMI_OK;
    for (int i = 0; i < p->options.change_count && !status; ++i) {
        const atemi_model_change *change = &p->options.changes[i];
        ATEMI_REQUIRE_OR(atemi_model_v_count(change->model) == atemi_model_v_count(p->model) &&
                             atemi_model_link_count(change->model) ==
                                 atemi_model_link_count(p->model),
                         ATEMI_ERROR_CONTRACT);
        p->changes[i] = change->from;
        status = create_robot(change->model, p, i + 1, error);
        status = status ? status : check_robot(p, i + 1, error);
    }
    return status;
}

// The copy of the model needs the joints' rotors, the memory only the sizes of the model.
static atemi_status fill(const atemi_model *model, atemi_whole_body_plant *p, atemi_error *error)
{
    atemi_status status = start_joints(model, p, error);
    if (!status) {
        find_rotors(p, p->tau);
        status = create_robot(model, p, 0, error);
        copy_surroundings(p);
    }
    if (!status && steady_links(p, p->tau)) {
        atemi_model_destroy(p->model);
        status = create_robot(model, p, 0, error);
    }
    status = status ? status : create_changes(p, error);
    status = status ? status : check_robot(p, 0, error);
    p->options.joints = NULL;
    return status;
}

static atemi_status make(const atemi_model *model, const atemi_whole_body_plant_options *options,
                         atemi_whole_body_plant **plant, atemi_error *error)
{
    atemi_whole_body_plant made = {.model = (atemi_model *)model, .options = *options};
    made.first_v = atemi_base_v_count(atemi_model_base(model));
    made.first_q = atemi_base_q_count(atemi_model_base(model));
    made.count = atemi_model_v_count(model) - made.first_v;
    atemi_arena arena = atemi_arena_measuring();
    atemi_arena_array(&arena, atemi_whole_body_plant, 1);
    take_state(&arena, &made);
    take_surroundings(&arena, &made);
    if (atemi_arena_create(&arena, arena.used, error)) {
        return ATEMI_ERROR_MEMORY;
    }
    atemi_whole_body_plant *p = atemi_arena_array(&arena, atemi_whole_body_plant, 1);
    *p = made;
    take_state(&arena, p);
    take_surroundings(&arena, p);
    p->arena = arena;
    p->model = NULL;
    *plant = p;
    return fill(model, p, error);
}

atemi_status atemi_whole_body_plant_create(const atemi_model                    *model,
                                           const atemi_whole_body_plant_options *options,
                                           atemi_whole_body_plant **plant, atemi_error *error)
{
    ATEMI_REQUIRE_OR(model && plant, ATEMI_ERROR_CONTRACT);
    const atemi_whole_body_plant_options  standard = atemi_whole_body_plant_options_default();
    const atemi_whole_body_plant_options *chosen = options ? options : &standard;
    *plant = NULL;
    atemi_status status = check(model, chosen, error);
    status = status ? status : make(model, chosen, plant, error);
    if (status) {
        atemi_whole_body_plant_destroy(*plant);
        *plant = NULL;
    }
    return status;
}

void atemi_whole_body_plant_destroy(atemi_whole_body_plant *plant)
{
    if (plant) {
        atemi_arena arena = plant->arena;
        for (int i = 0; i <= plant->options.change_count; ++i) {
            atemi_model_destroy(plant->robots[i]);
        }
        atemi_arena_destroy(&arena);
    }
}

void atemi_whole_body_observe(atemi_whole_body_plant *p, const double *q)
{
    atemi_kinematics_update(p->model, q, p->v, p->nought, &p->kinematics);
}

static void start_joint(atemi_whole_body_plant *p, int i, double torque)
{
    atemi_joint_plant       *j = &p->joints[i];
    const atemi_joint_drive *d = &j->options.drive;
    const double             bend = atemi_joint_drive_is_elastic(d) ? torque / d->spring : 0.0;
    j->joint_position = p->q[p->first_q + i];
    j->joint_velocity = p->v[p->first_v + i];
    j->motor_position = d->gear * (j->joint_position + bend);
    j->motor_velocity = d->gear * j->joint_velocity;
    p->brakes[i] = (double)NAN;
}

void atemi_whole_body_plant_start(atemi_whole_body_plant *plant, const double *q, const double *v,
                                  const double *torques)
{
    ATEMI_REQUIRE(plant && q);
    atemi_whole_body_plant *p = plant;
    p->model = p->robots[0];
    p->change_at = 0;
    const size_t nv = (size_t)atemi_model_v_count(p->model);
    memcpy(p->q, q, (size_t)atemi_model_q_count(p->model) * sizeof *q);
    memcpy(p->v, v ? v : p->nought, nv * sizeof *p->v);
    memset(p->a, 0, nv * sizeof *p->a);
    memset(p->tau, 0, nv * sizeof *p->tau);
    p->brake_count = 0;
    for (int i = 0; i < p->count; ++i) {
        start_joint(p, i, torques ? torques[i] : 0.0);
    }
    for (int i = 0; i < p->options.max_holds; ++i) {
        p->holds[i].link = ATEMI_NONE;
    }
    for (int i = 0; i < p->options.body_count; ++i) {
        p->bodies[i].state = (atemi_soft_body_state){0};
    }
    p->time = 0.0;
    atemi_whole_body_observe(p, p->q);
    atemi_whole_body_start_grounds(p);
}
