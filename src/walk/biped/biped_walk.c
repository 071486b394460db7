// SPDX-License-Identifier: Apache-2.0

#include "atemi/biped.h"

#include "walk/biped/biped_account.h"
#include "walk/biped/biped_floor.h"
#include "walk/biped/biped_senses.h"

#include <math.h>
#include <string.h>

// Every tick: measure, decide, and run the simulation with the torques that arrive at the joints.

static const double patience = 5.0; // step times without a landing
static const double same = 1e-9;    // s, nearer than which two instants are one
static const double rest = 1.0;     // s on both feet, after which a walk without an order ends
enum { CLOSING = 3 };               // of the steps, that bring it to rest

struct atemi_biped_walk {
    const atemi_model *model;
    atemi_biped_task   task;
    atemi_biped_hooks  hooks;
    atemi_biped       *biped;
    atemi_simulation  *simulation;
    atemi_held_inputs  held;
    biped_senses       senses;
    double            *decided; ///< [v_count] torques
    atemi_arena        senses_arena;
    atemi_arena        arena;
    double            *q, *v;    ///< where it starts
    double             began;    ///< this tick, s
    double             stood;    ///< s on both feet, without an order to walk
    bool               asked;    ///< to walk
    int                order;    ///< that holds; -1: none yet
    atemi_humanoid     humanoid; ///< of the robot as it is
    atemi_surface      floor;
    biped_account      account;
};

atemi_biped_task atemi_biped_task_default(void)
{
    return (atemi_biped_task){
        .controller = atemi_biped_options_default(), .steps = 20, .friction = 0.8, .step = 0.001};
}

const char *atemi_biped_end_text(atemi_biped_end end)
{
    static const char *const texts[] = {"done", "fell", "stuck", "stopped"};
    ATEMI_REQUIRE_OR(end <= ATEMI_BIPED_STOPPED, "");
    return texts[end];
}

// ---- Making one

static void give_forces(void *context, double time, atemi_force *forces)
{
    const atemi_biped_walk *w = (const atemi_biped_walk *)context;
    atemi_timed_forces_add(w->task.forces, w->task.force_count, time, forces);
}

// Jumps at the ends of a tick cut no step: what is left of one would be as short as rounding, and
// the acceleration measured over it as large as 1 over that.
static double find_next_jump(void *context, double time)
{
    const atemi_biped_walk *w = (const atemi_biped_walk *)context;
    const double            end = w->began + w->task.controller.tick;
    double next = atemi_timed_forces_next(w->task.forces, w->task.force_count, time);
    while (fabs(next - w->began) < same || fabs(next - end) < same) {
        next = atemi_timed_forces_next(w->task.forces, w->task.force_count, next);
    }
    return next;
}

static atemi_status make_simulation(atemi_biped_walk *w, atemi_error *error)
{
    atemi_simulation_point   points[ATEMI_BIPED_POINTS];
    atemi_simulation_options options = atemi_simulation_options_default();
    atemi_simulation_hooks   hooks = atemi_held_inputs_hooks(&w->held);
    w->held.also = (atemi_simulation_hooks){
        .external_forces = give_forces, .next_jump = find_next_jump, .context = w};
    options.method = ATEMI_METHOD_STEPS;
    options.step = w->task.step;
    options.joint_stops = true;
    options.effort_limits = true;
    biped_floor_points(&w->humanoid, w->task.friction, points);
    return atemi_simulation_create(w->model, &w->floor, 1, points, ATEMI_BIPED_POINTS, &options,
                                   &hooks, &w->simulation, error);
}

static const atemi_model *believed(const atemi_biped_walk *w)
{
    return w->task.believed ? w->task.believed : w->model;
}

static atemi_status make_senses(atemi_biped_walk *w, atemi_error *error)
{
    const atemi_humanoid *h = atemi_biped_humanoid(w->biped);
    const double          tick = w->task.controller.tick;
    atemi_arena           arena = atemi_arena_measuring();
    biped_senses_take(&arena, believed(w), h, &w->task.faults, tick);
    atemi_arena_array(&arena, double, atemi_model_v_count(w->model));
    const atemi_status status = atemi_arena_create(&w->senses_arena, arena.used, error);
    if (!status) {
        w->senses = biped_senses_take(&w->senses_arena, believed(w), h, &w->task.faults, tick);
        w->senses.efforts = w->task.efforts;
        w->senses.located = w->task.map || w->task.footstep_count > 0;
        w->decided = atemi_arena_array(&w->senses_arena, double, atemi_model_v_count(w->model));
    }
    return status;
}

// The robot as it is: where its soles are, and its posture.
static atemi_status find_robot(atemi_biped_walk *w, const atemi_humanoid_options *parts,
                               atemi_error *error)
{
    atemi_biped       *robot;
    const atemi_status status =
        atemi_biped_create(w->model, &w->task.controller, parts, &robot, error);
    if (!status) {
        w->humanoid = *atemi_biped_humanoid(robot);
        atemi_biped_posture(robot, w->q);
        atemi_biped_destroy(robot);
    }
    return status;
}

// The lower sole comes to touch the floor.
static atemi_status place_robot(atemi_biped_walk *w, atemi_error *error)
{
    atemi_simulation_point points[ATEMI_BIPED_POINTS];
    atemi_data            *data;
    if (!w->task.floor) {
        return ATEMI_OK;
    }
    atemi_status status = atemi_data_create(w->model, NULL, &data, error);
    if (!status) {
        biped_floor_points(&w->humanoid, w->task.friction, points);
        status =
            atemi_place_on_surface(data, w->task.floor, points, ATEMI_BIPED_POINTS, 0, w->q, error);
        atemi_data_destroy(data);
    }
    return status;
}

// What the controller is told beside the options.
static atemi_status instruct(atemi_biped_walk *w, atemi_error *error)
{
    const atemi_biped_task *t = &w->task;
    const atemi_status status = t->map ? atemi_biped_floor(w->biped, &w->floor, error) : ATEMI_OK;
    return status || t->footstep_count == 0
               ? status
               : atemi_biped_footsteps(w->biped, t->footsteps, t->footstep_count, NULL, error);
}

static atemi_status begin(atemi_biped_walk *w, atemi_error *error)
{
    const atemi_status status = atemi_simulation_start(w->simulation, 0.0, w->q, w->v, error);
    if (status) {
        return status;
    }
    biped_senses_start(&w->senses, w->q);
    biped_account_open(&w->account, w->simulation);
    w->order = -1;
    w->asked = true;
    return biped_floor_lay(&w->task, w->simulation, error);
}

static atemi_status check_task(const atemi_biped_walk *w, atemi_error *error)
{
    const atemi_biped_task *t = &w->task;
    for (int i = 1; i < t->order_count; ++i) {
        if (t->orders[i].at < t->orders[i - 1].at) {
            return atemi_fail(error, ATEMI_ERROR_INPUT,
                              "order %d is at %g s, before the one before it; sort them by time", i,
                              t->orders[i].at);
        }
    }
    if (t->believed && atemi_model_v_count(t->believed) != atemi_model_v_count(w->model)) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "the robot has %d velocities, and the controller believes in %d; give it "
                          "a variation of the same robot",
                          atemi_model_v_count(w->model), atemi_model_v_count(t->believed));
    }
    return ATEMI_OK;
}

atemi_status atemi_biped_walk_create(const atemi_model *model, const atemi_biped_task *task,
                                     const atemi_humanoid_options *parts,
                                     const atemi_biped_hooks *hooks, atemi_biped_walk **walk,
                                     atemi_error *error)
{
    ATEMI_REQUIRE_OR(model && walk, ATEMI_ERROR_CONTRACT);
    *walk = NULL;
    atemi_arena arena = atemi_arena_measuring();
    atemi_arena_array(&arena, atemi_biped_walk, 1);
    atemi_arena_array(&arena, double, atemi_model_q_count(model));
    atemi_arena_array(&arena, double, atemi_model_v_count(model));
    atemi_held_inputs_take(&arena, model);
    const int footsteps = task ? task->footstep_count : 0;
    atemi_arena_array(&arena, atemi_biped_landing, footsteps);
    if (atemi_arena_create(&arena, arena.used, error)) {
        return ATEMI_ERROR_MEMORY;
    }
    atemi_biped_walk *w = atemi_arena_array(&arena, atemi_biped_walk, 1);
    w->q = atemi_arena_array(&arena, double, atemi_model_q_count(model));
    w->v = atemi_arena_array(&arena, double, atemi_model_v_count(model));
    w->held = atemi_held_inputs_take(&arena, model);
    atemi_biped_landing *landings = atemi_arena_array(&arena, atemi_biped_landing, footsteps);
    w->model = model;
    w->task = task ? *task : atemi_biped_task_default();
    w->hooks = hooks ? *hooks : (atemi_biped_hooks){0};
    w->task.controller.footsteps =
        w->task.controller.footsteps > footsteps ? w->task.controller.footsteps : footsteps;
    w->floor = w->task.floor ? *w->task.floor : atemi_surface_floor();
    w->account =
        (biped_account){.model = model, .task = &w->task, .hooks = &w->hooks, .landings = landings};
    w->arena = arena;
    atemi_status status = check_task(w, error);
    status = status ? status : find_robot(w, parts, error);
    status = status ? status
                    : atemi_biped_create(believed(w), &w->task.controller, parts, &w->biped, error);
    status = status ? status : make_simulation(w, error);
    status = status ? status : make_senses(w, error);
    status = status ? status : instruct(w, error);
    status = status ? status : place_robot(w, error);
    status = status ? status : begin(w, error);
    if (status) {
        atemi_biped_walk_destroy(w);
        return status;
    }
    *walk = w;
    return ATEMI_OK;
}

void atemi_biped_walk_destroy(atemi_biped_walk *walk)
{
    if (walk) {
        atemi_simulation_destroy(walk->simulation);
        atemi_biped_destroy(walk->biped);
        atemi_arena_destroy(&walk->senses_arena);
        atemi_arena arena = walk->arena;
        atemi_arena_destroy(&arena);
    }
}

// ---- Walking

static bool is_at_its_end(const atemi_biped_walk *w, const atemi_biped_state *state)
{
    const bool   stands = state->phase == ATEMI_BIPED_STANDS;
    const bool   waits = w->order + 1 < w->task.order_count;
    const double time = w->account.summary.time + 0.5 * w->task.controller.tick;
    const bool   counts = w->task.footstep_count == 0;
    return (counts && state->landings >= w->task.steps && stands) ||
           (w->task.duration > 0.0 && time >= w->task.duration) ||
           (w->task.duration == 0.0 && !waits && w->stood >= rest);
}

// Whether it goes on.
static bool judge(atemi_biped_walk *w, const atemi_biped_state *state)
{
    atemi_biped_summary *s = &w->account.summary;
    if (biped_account_has_fallen(&w->account)) {
        s->end = ATEMI_BIPED_FELL;
        s->cause = biped_account_cause(&w->account, state);
    } else if (is_at_its_end(w, state)) {
        s->end = ATEMI_BIPED_DONE;
    } else if (w->account.lifted && state->phase != ATEMI_BIPED_STANDS &&
               s->time - w->account.last_landing > patience * state->step_time) {
        s->end = ATEMI_BIPED_STUCK;
    }
    return s->end == ATEMI_BIPED_STOPPED;
}

// Orders hold from their time on; the last steps bring the robot to rest whatever they say.
static void follow_orders(atemi_biped_walk *w, const atemi_biped_state *state)
{
    const double time = atemi_simulation_time(w->simulation) + 0.5 * w->task.controller.tick;
    while (w->order + 1 < w->task.order_count && w->task.orders[w->order + 1].at <= time) {
        const atemi_biped_order *order = &w->task.orders[++w->order];
        atemi_biped_command(w->biped, order->forwards, order->sideways, order->turning);
        w->asked = order->walk;
    }
    w->asked = w->task.footstep_count > 0 ? state->landings < w->task.footstep_count : w->asked;
    const bool stands = state->phase == ATEMI_BIPED_STANDS && !w->asked;
    w->stood = stands ? w->stood + w->task.controller.tick : 0.0;
    const bool goes_on = state->landings == 0 || state->landings + CLOSING < w->task.steps;
    atemi_biped_walk_on(w->biped, w->task.footstep_count == 0 && w->asked && goes_on);
}

static atemi_status tick(atemi_biped_walk *w, atemi_error *error)
{
    const atemi_biped_senses senses = biped_senses_measure(&w->senses, w->simulation);
    atemi_biped_tick(w->biped, &senses, w->decided);
    biped_senses_drive(&w->senses, w->decided, w->held.tau);
    w->began = atemi_simulation_time(w->simulation);
    const atemi_status status =
        atemi_simulation_run(w->simulation, w->began + w->task.controller.tick, error);
    return status ? status : biped_floor_lay(&w->task, w->simulation, error);
}

atemi_status atemi_biped_walk_run(atemi_biped_walk *walk, atemi_error *error)
{
    ATEMI_REQUIRE_OR(walk, ATEMI_ERROR_CONTRACT);
    atemi_biped_walk *w = walk;
    atemi_biped_state state = atemi_biped_state_get(w->biped);
    for (bool goes_on = true; goes_on;) {
        follow_orders(w, &state);
        const atemi_status status = tick(w, error);
        if (status) {
            return status;
        }
        state = atemi_biped_state_get(w->biped);
        biped_account_keep(&w->account, w->simulation, &state, w->held.tau);
        w->account.summary.dropped = w->senses.lost;
        goes_on = judge(w, &state);
        if (goes_on && w->hooks.tick && !w->hooks.tick(w->hooks.context, w)) {
            return ATEMI_OK;
        }
    }
    return ATEMI_OK;
}

atemi_biped_summary atemi_biped_walk_summary_get(const atemi_biped_walk *walk)
{
    return walk->account.summary;
}

const atemi_simulation *atemi_biped_walk_simulation(const atemi_biped_walk *walk)
{
    ATEMI_REQUIRE_OR(walk, NULL);
    return walk->simulation;
}

const atemi_biped *atemi_biped_walk_controller(const atemi_biped_walk *walk)
{
    ATEMI_REQUIRE_OR(walk, NULL);
    return walk->biped;
}

atemi_biped_landing atemi_biped_walk_landing(const atemi_biped_walk *walk, int i)
{
    ATEMI_REQUIRE_OR(walk && i >= 0 && i < walk->task.footstep_count, (atemi_biped_landing){0});
    return walk->account.landings[i];
}

atemi_sole_state atemi_biped_walk_foot(const atemi_biped_walk *walk, int side)
{
    ATEMI_REQUIRE_OR(walk && side >= 0 && side < ATEMI_SIDES, ATEMI_SOLE_AIR);
    return walk->account.feet[side].state;
}

long atemi_biped_walk_changes(const atemi_biped_walk *walk, atemi_sole_state from,
                              atemi_sole_state to)
{
    ATEMI_REQUIRE_OR(walk && from < ATEMI_SOLE_STATES && to < ATEMI_SOLE_STATES, 0);
    return walk->account.changes[from][to];
}
