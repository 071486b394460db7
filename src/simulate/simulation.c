// SPDX-License-Identifier: Apache-2.0

#include "atemi/simulation.h"
#include "atemi/base.h"
#include "atemi/model.h"
#include "simulate/energy_watch.h"
#include "simulate/events/adaptive.h"
#include "simulate/events/advance.h"
#include "simulate/events/event_failure.h"
#include "simulate/events/events.h"
#include "simulate/events/projection.h"
#include "simulate/events/step_limit.h"
#include "simulate/inputs.h"
#include "simulate/motion_check.h"
#include "simulate/steps/step_report.h"
#include "simulate/steps/step_touches.h"

#include <math.h>
#include <string.h>

atemi_simulation_options atemi_simulation_options_default(void)
{
    return (atemi_simulation_options){.step = 1e-3,
                                      .tolerance = 1e-9,
                                      .joint_friction = true,
                                      .joint_stops = true,
                                      .slowest_bounce = 1e-3};
}

const char *atemi_event_kind_text(atemi_event_kind kind)
{
    static const char *const texts[] = {"touchdown", "lift-off", "slip",        "stick",     "rest",
                                        "jam",       "stop",     "joint stick", "joint slip"};
    ATEMI_REQUIRE_OR(kind <= ATEMI_EVENT_JOINT_SLIP, "");
    return texts[kind];
}

static const double most_open = 1e-9; // m and rad, of closed loops at the start

// Some ms of computing, as a rule; an event may take as long as many steps.
enum { STEPS_BETWEEN_QUESTIONS = 8 };

// By the method of steps, energy is looked at now and then.
enum { STEPS_BETWEEN_LOOKS = 64 };

// ---- Creation -------------------------------------------------------------------------------

static void take(atemi_arena *arena, atemi_simulation *s)
{
    s->state = atemi_state_take(arena, s->model);
    atemi_contact_set_take(arena, s->model, &s->set);
    atemi_step_take(arena, &s->set, &s->step);
    s->touchdown = atemi_touchdown_take(arena, s->model, &s->set);
    s->time_step = atemi_time_step_take(arena, s->model, &s->set, &s->options);
}

static atemi_status check_options(const atemi_simulation_options *options, atemi_error *error)
{
    const double step = options->step, bounce = options->slowest_bounce;
    const double stops = options->stop_restitution;
    if (!(stops >= 0.0 && stops <= 1.0)) {
        return atemi_fail(error, ATEMI_ERROR_INPUT, "the restitution of stops is %g; give 0 to 1",
                          stops);
    }
    return step > 0.0 && isfinite(step) && isfinite(bounce) && bounce >= 0.0
               ? ATEMI_OK
               : atemi_fail(error, ATEMI_ERROR_INPUT,
                            "the step is %g s and the slowest bounce %g m/s; give a positive step",
                            step, bounce);
}

// Ties are conditions of both signs, which only the method of events knows.
static atemi_status check_method(const atemi_simulation_options *options,
                                 const atemi_shape_points *all, atemi_error *error)
{
    for (int i = 0; i < all->point_count && options->method == ATEMI_METHOD_STEPS; ++i) {
        const atemi_simulation_point *point = &all->points[i];
        if (all->surfaces[point->surface].carried && !point->compliance) {
            return atemi_fail(error, ATEMI_ERROR_INPUT,
                              "contact point %d is rigid, but a link carries its surface %d: by "
                              "the method of steps only soft points may touch it; give the point a "
                              "compliance, give shapes that touch, or use the method of events",
                              i, point->surface);
        }
        if (point->tied) {
            return atemi_fail(error, ATEMI_ERROR_INPUT,
                              "point %d is tied to its surface, which the method of steps does not "
                              "know; use the method of events",
                              i);
        }
    }
    return ATEMI_OK;
}

// The parts of a simulation know of each other; it does not move any more.
static void connect(atemi_simulation *s)
{
    atemi_evaluation *e = &s->step.evaluation;
    e->options = &s->options;
    e->hooks = &s->hooks;
    e->prediction.collision = &s->touchdown.scratch;
    e->efforts = s->options.effort_limits ? s->time_step.joints.efforts : NULL;
}

// The method of steps has no modes of joints.
static void fill_joints(atemi_simulation *s)
{
    atemi_joint_bounds_fill(s->model, &s->options, &s->time_step.joints);
    atemi_joint_modes_fill(&s->set.joints, &s->time_step.joints);
    if (s->options.method == ATEMI_METHOD_STEPS) {
        s->set.joints.count = 0;
    }
}

static atemi_status check(const atemi_simulation *made, const atemi_shape_points *all,
                          atemi_error *error)
{
    atemi_status status = check_options(&made->options, error);
    status = status ? status : atemi_contact_set_check(made->model, all, error);
    return status ? status : check_method(&made->options, all, error);
}

// In memory of its own, with all that `made` knows already.
static atemi_status build(atemi_simulation *made, const atemi_shape_points *all,
                          atemi_simulation **simulation, atemi_error *error)
{
    const bool                     steps = made->options.method == ATEMI_METHOD_STEPS;
    const atemi_simulation_shapes *shapes = steps ? made->options.shapes : NULL;
    atemi_arena                    arena = atemi_arena_measuring();
    made->options.shapes = shapes;
    atemi_arena_array(&arena, atemi_simulation, 1);
    take(&arena, made);
    if (atemi_arena_create(&arena, arena.used, error)) {
        return ATEMI_ERROR_MEMORY;
    }
    atemi_simulation *s = atemi_arena_array(&arena, atemi_simulation, 1);
    *s = *made;
    take(&arena, s);
    s->arena = arena;
    connect(s);
    atemi_contact_set_fill(&s->set, s->model, all);
    fill_joints(s);
    atemi_closed_loops_fill(&s->set.loops, s->model, &s->options);
    atemi_broad_phase_fill(steps ? &s->time_step.touches.broad : &s->set.near.broad,
                           steps ? shapes : all->shapes, &s->set.loops, s->model,
                           &s->step.evaluation.dynamics.bias.kinematics, s->state.q);
    s->set.near.shapes = NULL;
    s->options.shapes = NULL;
    s->options.loops = NULL;
    atemi_configuration_neutral(s->model, s->state.q);
    if (s->options.integrator == ATEMI_INTEGRATOR_ADAPTIVE &&
        atemi_adaptive_create(&s->step, &s->set, error)) {
        atemi_simulation_destroy(s);
        return ATEMI_ERROR_MEMORY;
    }
    *simulation = s;
    return ATEMI_OK;
}

atemi_status atemi_simulation_create(const atemi_model *model, const atemi_surface *surfaces,
                                     int surface_count, const atemi_simulation_point *points,
                                     int point_count, const atemi_simulation_options *options,
                                     const atemi_simulation_hooks *hooks,
                                     atemi_simulation **simulation, atemi_error *error)
{
    ATEMI_REQUIRE_OR(model && simulation && surface_count >= 0 && point_count >= 0,
                     ATEMI_ERROR_CONTRACT);
    ATEMI_REQUIRE_OR((surfaces || !surface_count) && (points || !point_count),
                     ATEMI_ERROR_CONTRACT);
    *simulation = NULL;
    const atemi_simulation_options standard = atemi_simulation_options_default();
    atemi_status status = atemi_closed_loops_check(model, options ? options : &standard, error);
    atemi_shape_points all = {0};
    if (status) {
        return status;
    }
    atemi_simulation made = {.model = model,
                             .options = options ? *options : standard,
                             .hooks = hooks ? *hooks : (atemi_simulation_hooks){0},
                             .step = {.evaluation = {.model = model}}};
    made.set.loops = atemi_closed_loops_sized(model, &made.options);
    status = atemi_touch_set_check(model, &made.options, error);
    status = status ? status
                    : atemi_shape_points_create(model, surfaces, surface_count, points, point_count,
                                                &made.options, &all, error);
    if (status) {
        return status;
    }
    made.set = atemi_contact_set_sized(model, &all);
    made.set.loops = atemi_closed_loops_sized(model, &made.options);
    status = check(&made, &all, error);
    status = status ? status : build(&made, &all, simulation, error);
    atemi_shape_points_destroy(&all);
    return status;
}

void atemi_simulation_destroy(atemi_simulation *simulation)
{
    if (simulation) {
        atemi_arena arena = simulation->arena;
        atemi_adaptive_destroy(simulation->step.adaptive);
        atemi_arena_destroy(&arena);
    }
}

// ---- Running --------------------------------------------------------------------------------

static atemi_status check_masses(atemi_simulation *s, atemi_error *error)
{
    atemi_mass_factor *factor = &s->step.evaluation.dynamics.factor;
    atemi_mass_factor_update(s->model, s->state.q, factor);
    return atemi_mass_factor_check(s->model, factor, error);
}

// The torques of a step stay: what is measured after it is measured under them.
static void hold(atemi_simulation *s, const double *tau)
{
    const size_t size = (size_t)atemi_model_v_count(s->model) * sizeof *tau;
    if (tau) {
        memcpy(s->step.evaluation.held, tau, size);
    } else {
        memset(s->step.evaluation.held, 0, size);
    }
}

// Nothing has happened yet.
static void forget(atemi_simulation *s)
{
    atemi_evaluation *e = &s->step.evaluation;
    s->restless = s->jams = 0;
    s->stirred = -(double)INFINITY;
    s->step.comfortable = (double)INFINITY;
    s->ledger = (atemi_ledger){0};
    e->count = 0;
    e->fault = (atemi_input_fault){.rate = ATEMI_NONE, .link = ATEMI_NONE};
    hold(s, NULL);
    memset(e->prediction.joint_forces, 0, (size_t)atemi_model_v_count(s->model) * sizeof(double));
    memset(e->prediction.forces, 0, (size_t)s->set.point_count * sizeof *e->prediction.forces);
    s->set.near.count = 0;
    s->set.near.lost = 0;
    atemi_near_points_renew(&s->set, s->model);
    atemi_contact_set_open(&s->set);
    atemi_time_step_reset(s);
}

// What rests in touch has its mode and force from a trial of the first step, which is taken back.
static atemi_status start_steps(atemi_simulation *s, atemi_error *error)
{
    atemi_evaluation            *e = &s->step.evaluation;
    const atemi_simulation_hooks hooks = s->hooks;
    atemi_state_copy(s->model, &s->state, &s->step.start);
    s->hooks.event = NULL;
    const atemi_status status = atemi_time_step_advance(s, s->options.step, error);
    s->hooks = hooks;
    memcpy(s->step.start.a, s->state.a, (size_t)atemi_model_v_count(s->model) * sizeof(double));
    atemi_state_copy(s->model, &s->step.start, &s->state);
    s->ledger = (atemi_ledger){0};
    s->time_step.smooth = false;
    atemi_observe(e, &s->set, s->state.q, s->state.v);
    for (int i = 0; i < s->set.point_count; ++i) {
        if (s->set.states[i].view.gap > atemi_touching ||
            atemi_point_approach(&s->set, i) > atemi_creeping) {
            s->set.modes[i] = ATEMI_CONTACT_OPEN;
            s->set.forces[i] = (atemi_vec3){0.0, 0.0, 0.0};
        }
    }
    atemi_step_touches_start(s);
    atemi_energy_watch_open(&s->ledger, e);
    return status;
}

// A number that is none would spread without an error.
static atemi_status check_state(const atemi_simulation *s, const double *q, const double *v,
                                atemi_error *error)
{
    for (int i = 0; i < atemi_model_q_count(s->model); ++i) {
        if (!isfinite(q[i])) {
            return atemi_fail(error, ATEMI_ERROR_INPUT,
                              "q[%d] is %g; a simulation starts from finite numbers", i, q[i]);
        }
    }
    for (int i = 0; i < atemi_model_v_count(s->model); ++i) {
        if (!isfinite(v[i])) {
            return atemi_fail(error, ATEMI_ERROR_INPUT,
                              "v[%d] is %g; a simulation starts from finite numbers", i, v[i]);
        }
    }
    return ATEMI_OK;
}

static atemi_status close_loops(atemi_simulation *s, atemi_error *error)
{
    const atemi_closed_loops *loops = &s->set.loops;
    const atemi_kinematics   *k = &s->step.evaluation.dynamics.bias.kinematics;
    if (loops->count == 0 || atemi_close_loops(&s->step.evaluation, &s->set, &s->step.start,
                                               &s->state, &s->ledger) <= most_open) {
        return ATEMI_OK;
    }
    for (int i = 0; i < loops->count; ++i) {
        const double opening = atemi_loop_opening(s->model, k, &loops->loops[i]);
        if (opening > most_open) {
            return atemi_fail(error, ATEMI_ERROR_NOT_FOUND,
                              "loop '%s' cannot be closed from where the robot starts: %.3g m or "
                              "rad are left; start nearer to a configuration that closes it, or "
                              "check its frames",
                              loops->loops[i].name ? loops->loops[i].name : "", opening);
        }
    }
    return ATEMI_OK;
}

atemi_status atemi_simulation_start(atemi_simulation *simulation, double time, const double *q,
                                    const double *v, atemi_error *error)
{
    ATEMI_REQUIRE_OR(simulation && q && v, ATEMI_ERROR_CONTRACT);
    atemi_simulation  *s = simulation;
    const atemi_status checked = check_state(s, q, v, error);
    if (checked) {
        return checked;
    }
    memcpy(s->state.q, q, (size_t)atemi_model_q_count(s->model) * sizeof *q);
    memcpy(s->state.v, v, (size_t)atemi_model_v_count(s->model) * sizeof *v);
    s->state.time = s->step.start.time = s->step.limit = time;
    s->step.jump = (double)INFINITY;
    forget(s);
    atemi_configuration_normalize(s->model, s->state.q);
    fill_joints(s);
    atemi_status status = check_masses(s, error);
    status = status ? status : close_loops(s, error);
    s->ledger = (atemi_ledger){0};
    atemi_joint_bounds_admit(&s->time_step.joints, s->state.q);
    if (!status && s->options.method == ATEMI_METHOD_STEPS) {
        return start_steps(s, error);
    }
    if (!status) {
        atemi_observe(&s->step.evaluation, &s->set, s->state.q, s->state.v);
        atemi_near_points_find(&s->step.evaluation, &s->set, 1.0);
        status = atemi_shape_points_check_room(&s->set, s->state.time, error);
        status = status ? status : atemi_shape_points_check_apart(&s->set, s->model, error);
    }
    if (!status) {
        status = atemi_step_limit_find(&s->step.evaluation, &s->state, error);
    }
    if (status) {
        return status;
    }
    const atemi_status touched = atemi_events_touch(s);
    status = atemi_inputs_check(&s->step.evaluation, error);
    status = status ? status
                    : atemi_shape_points_check_crossing(&s->set, s->model, s->state.time, error);
    if (touched && !status) {
        return atemi_event_failure(s, "(the start) the contacts jam or contradict each other",
                                   error);
    }
    atemi_joint_modes_split(&s->set.joints, s->time_step.stop_torques,
                            s->time_step.friction_torques);
    atemi_energy_watch_open(&s->ledger, &s->step.evaluation);
    return status;
}

static atemi_status renew(atemi_simulation *s, atemi_error *error)
{
    const atemi_status renewed = atemi_events_renew(s);
    const atemi_status status = atemi_inputs_check(&s->step.evaluation, error);
    return renewed && !status
               ? atemi_event_failure(s,
                                     "(torques or forces jump) the contacts jam or contradict each "
                                     "other",
                                     error)
               : status;
}

static atemi_status begin_run(atemi_simulation *s, atemi_error *error)
{
    const atemi_status status = atemi_step_limit_begin(&s->step.evaluation, &s->state, error);
    return status ? status : renew(s, error);
}

// Asks now and then whether anybody wants more.
static bool goes_on(atemi_simulation *s)
{
    const bool due = s->hooks.goes_on && ++s->unasked >= STEPS_BETWEEN_QUESTIONS;
    s->unasked = due ? 0 : s->unasked;
    return !due || s->hooks.goes_on(s->hooks.context);
}

static atemi_status run_steps(atemi_simulation *s, double time, atemi_error *error)
{
    atemi_status status = ATEMI_OK;
    while (s->state.time < time && !status && goes_on(s)) {
        atemi_inputs_limit(&s->step, s->state.time, time);
        status = atemi_time_step_advance(s, atemi_step_next(&s->step, &s->state), error);
        if (!status &&
            (s->ledger.statistics.steps % STEPS_BETWEEN_LOOKS == 0 || s->state.time >= time)) {
            atemi_observe(&s->step.evaluation, &s->set, s->state.q, s->state.v);
            status = atemi_energy_watch_look(&s->ledger, &s->step.evaluation, &s->state, error);
        }
    }
    return status;
}

static atemi_status run_events(atemi_simulation *s, double time, atemi_error *error)
{
    int          at_once = 0;
    atemi_status status = s->state.time < time ? begin_run(s, error) : ATEMI_OK;
    while (s->state.time < time && !status && goes_on(s)) {
        atemi_inputs_limit(&s->step, s->state.time, time);
        status = atemi_advance(s, &at_once, error);
        if (!status && s->state.time >= s->step.jump) {
            status = renew(s, error);
        }
    }
    return status;
}

static atemi_status run_until(atemi_simulation *s, double time, atemi_error *error)
{
    const bool steps = s->options.method == ATEMI_METHOD_STEPS;
    return (steps ? run_steps : run_events)(s, time, error);
}

atemi_status atemi_simulation_run(atemi_simulation *simulation, double time, atemi_error *error)
{
    ATEMI_REQUIRE_OR(simulation && isfinite(time), ATEMI_ERROR_CONTRACT);
    hold(simulation, NULL);
    return run_until(simulation, time, error);
}

atemi_status atemi_simulation_step(atemi_simulation *simulation, const double *tau,
                                   atemi_error *error)
{
    ATEMI_REQUIRE_OR(simulation, ATEMI_ERROR_CONTRACT);
    hold(simulation, tau);
    return run_until(simulation, simulation->state.time + simulation->options.step, error);
}

// ---- The state reached ----------------------------------------------------------------------

double atemi_simulation_time(const atemi_simulation *simulation)
{
    return simulation->state.time;
}

const double *atemi_simulation_q(const atemi_simulation *simulation)
{
    return simulation->state.q;
}

const double *atemi_simulation_v(const atemi_simulation *simulation)
{
    return simulation->state.v;
}

const double *atemi_simulation_a(const atemi_simulation *simulation)
{
    return simulation->state.a;
}

const double *atemi_simulation_tau(const atemi_simulation *simulation)
{
    return simulation->step.evaluation.applied;
}

const double *atemi_simulation_stop_torques(const atemi_simulation *simulation)
{
    return simulation->time_step.stop_torques;
}

const double *atemi_simulation_friction_torques(const atemi_simulation *simulation)
{
    return simulation->time_step.friction_torques;
}

atemi_contact_mode atemi_simulation_mode(const atemi_simulation *simulation, int point)
{
    ATEMI_REQUIRE_OR(point >= 0 && point < simulation->set.own_count, ATEMI_CONTACT_OPEN);
    return simulation->set.modes[point];
}

atemi_vec3 atemi_simulation_force(const atemi_simulation *simulation, int point)
{
    const atemi_vec3 none = {0.0, 0.0, 0.0};
    ATEMI_REQUIRE_OR(point >= 0 && point < simulation->set.own_count, none);
    return simulation->set.forces[point];
}

atemi_vec3 atemi_simulation_position(const atemi_simulation *simulation, int point)
{
    const atemi_vec3 none = {0.0, 0.0, 0.0};
    ATEMI_REQUIRE_OR(point >= 0 && point < simulation->set.own_count, none);
    return simulation->set.states[point].position;
}

double atemi_simulation_gap(const atemi_simulation *simulation, int point)
{
    ATEMI_REQUIRE_OR(point >= 0 && point < simulation->set.own_count, 0.0);
    return simulation->set.states[point].view.gap;
}

static void add_loop_forces(atemi_simulation *s)
{
    atemi_evaluation         *e = &s->step.evaluation;
    const atemi_closed_loops *loops = &s->set.loops;
    atemi_loop_forces_add(s->model, &e->dynamics.bias.kinematics, loops->loops, loops->forces,
                          loops->count, e->loads);
}

// All forces on the links in the state reached, into the loads of the evaluation.
static atemi_status find_loads(atemi_simulation *s)
{
    atemi_evaluation *e = &s->step.evaluation;
    if (s->options.method == ATEMI_METHOD_STEPS) {
        atemi_evaluation_ask(e, &s->set, s->state.time, s->state.q, s->state.v);
        atemi_step_report_forces(s);
        add_loop_forces(s);
        return ATEMI_OK;
    }
    const atemi_status status = atemi_evaluate_state(e, &s->set, &s->state);
    if (!status) {
        atemi_contact_forces_add_in(s->model, &e->dynamics.bias.kinematics, e->contacts,
                                    e->contact_forces, e->contact_count, e->loads);
        add_loop_forces(s);
    }
    return status;
}

void atemi_simulation_wrenches(atemi_simulation *simulation, atemi_force *wrenches)
{
    ATEMI_REQUIRE(simulation && wrenches);
    atemi_simulation *s = simulation;
    atemi_evaluation *e = &s->step.evaluation;
    if (find_loads(s)) {
        memset(wrenches, 0, (size_t)atemi_model_joint_count(s->model) * sizeof *wrenches);
        return;
    }
    atemi_inverse_dynamics_in(s->model, s->state.q, s->state.v, s->state.a, e->loads,
                              &s->touchdown.inverse, s->step.stage_v);
    for (int j = 0; j < atemi_model_joint_count(s->model); ++j) {
        const bool moves = atemi_model_joint(s->model, j)->type != ATEMI_JOINT_FIXED;
        wrenches[j] =
            moves ? atemi_joint_wrench_in(s->model, &s->touchdown.inverse, j) : (atemi_force){0};
    }
}

atemi_simulation_ledger atemi_simulation_ledger_get(const atemi_simulation *simulation)
{
    return atemi_ledger_sums(&simulation->ledger);
}

atemi_simulation_statistics atemi_simulation_statistics_get(const atemi_simulation *simulation)
{
    atemi_simulation_statistics statistics = simulation->ledger.statistics;
    statistics.evaluations = simulation->step.evaluation.count;
    return statistics;
}
