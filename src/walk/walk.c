// SPDX-License-Identifier: Apache-2.0

#include "atemi/walk.h"

#include "atemi/base.h"
#include "atemi/simulation.h"
#include "walk/slip_watch.h"
#include "walk/walk_books.h"
#include "walk/walk_task.h"
#include "walk/walking_body.h"

#include <math.h>
#include <string.h>

static const double lowest_hips = 0.7;  // of their height at the start: below, it has fallen
static const double lying = 1.0;        // rad, of the waist likewise
static const double patience = 10.0;    // step periods without a landing
static const double memory = 3.0;       // step periods in which the cause of a fall is sought
static const double long_slip = 0.05;   // m, that a fall may come from
static const double near_limit = 0.9;   // strain beyond which a drive may be at its limit in a tick
static const double damped_step = 4e-4; // s, in which the joints' damping is followed

struct atemi_walk {
    const atemi_model        *model;
    atemi_walk_task           task;
    atemi_walk_hooks          hooks;
    atemi_walking_controller *controller;
    atemi_simulation         *simulation;
    atemi_arena               arena;

    double *q, *v; ///< where it starts

    atemi_walk_summary summary;
    atemi_walk_books   books;
    atemi_gait_watch   gait;
    atemi_slip_watch   slips[ATEMI_FEET];
    bool               stopped; ///< by the hook, within a tick
    double             first_sole, last_landing;
    double             pushed, slid, limited; ///< when that was the last time
};

const char *atemi_walk_end_text(atemi_walk_end end)
{
    static const char *const texts[] = {"done", "fell", "stuck", "stopped"};
    ATEMI_REQUIRE_OR(end <= ATEMI_WALK_STOPPED, "");
    return texts[end];
}

// ---- Hooks of the simulation ----------------------------------------------------------------

static void give_torque(void *context, double time, const double *q, const double *v, double *tau)
{
    const atemi_walk *w = (const atemi_walk *)context;
    (void)q;
    atemi_walking_controller_torque(w->controller, time, v, tau);
}

// The drives make up for the joints' damping.
static void give_damping(void *context, double *damping)
{
    const atemi_walk *w = (const atemi_walk *)context;
    for (int i = 0; i < atemi_model_v_count(w->model); ++i) {
        damping[i] -= w->books.damping[i];
    }
}

static void give_forces(void *context, double time, atemi_force *forces)
{
    const atemi_walk *w = (const atemi_walk *)context;
    atemi_timed_forces_add(w->task.forces, w->task.force_count, time, forces);
}

static double find_next_jump(void *context, double time)
{
    const atemi_walk *w = (const atemi_walk *)context;
    return atemi_timed_forces_next(w->task.forces, w->task.force_count, time);
}

static void hear_event(void *context, const atemi_event *event)
{
    atemi_walk *w = (atemi_walk *)context;
    w->summary.hardest_collision =
        fmax(w->summary.hardest_collision, atemi_vec3_norm(event->impulse));
    if (w->hooks.event) {
        w->hooks.event(w->hooks.context, event);
    }
}

static bool ask_whether_to_go_on(void *context)
{
    atemi_walk *w = (atemi_walk *)context;
    w->stopped = w->stopped || (w->hooks.goes_on && !w->hooks.goes_on(w->hooks.context));
    return !w->stopped;
}

// ---- Making one -----------------------------------------------------------------------------

static void take(atemi_arena *arena, atemi_walk *w)
{
    w->q = atemi_arena_array(arena, double, atemi_model_q_count(w->model));
    w->v = atemi_arena_array(arena, double, atemi_model_v_count(w->model));
    atemi_walk_books_take(arena, w->model, &w->books);
}

static atemi_status create_simulation(atemi_walk *w, atemi_error *error)
{
    const atemi_surface      floor = atemi_surface_floor();
    atemi_simulation_options options = atemi_simulation_options_default();
    atemi_simulation_point   points[ATEMI_WALKING_POINTS] = {0};
    options.step = w->task.step;
    for (int i = 0; i < ATEMI_WALKING_POINTS; ++i) {
        points[i].link = atemi_walking_controller_point(w->controller, i, &points[i].point);
        points[i].static_friction = points[i].kinetic_friction = w->task.friction;
    }
    const atemi_simulation_hooks hooks = {.torque = give_torque,
                                          .damping = give_damping,
                                          .external_forces =
                                              w->task.force_count ? give_forces : NULL,
                                          .next_jump = find_next_jump,
                                          .event = hear_event,
                                          .goes_on = ask_whether_to_go_on,
                                          .context = w};
    return atemi_simulation_create(w->model, &floor, 1, points, ATEMI_WALKING_POINTS, &options,
                                   &hooks, &w->simulation, error);
}

atemi_status atemi_walk_create(const atemi_model *model, const atemi_walk_task *task,
                               const atemi_walk_hooks *hooks, atemi_walk **walk, atemi_error *error)
{
    ATEMI_REQUIRE_OR(model && walk, ATEMI_ERROR_CONTRACT);
    *walk = NULL;
    const atemi_walk_hooks none = {0};
    atemi_walk             made = {.model = model,
                                   .task = task ? *task : atemi_walk_task_default(),
                                   .hooks = hooks ? *hooks : none};
    atemi_status           status = atemi_walk_task_check(&made.task, model, error);
    atemi_arena            arena = atemi_arena_measuring();
    atemi_arena_array(&arena, atemi_walk, 1);
    take(&arena, &made);
    if (!status) {
        status = atemi_arena_create(&arena, arena.used, error);
    }
    if (status) {
        return status;
    }
    atemi_walk *w = atemi_arena_array(&arena, atemi_walk, 1);
    *w = made;
    take(&arena, w);
    w->arena = arena;
    atemi_walking_drives(model, w->books.damping, w->books.efforts);
    status = atemi_walking_controller_create(model, &w->task.controller, &w->controller, error);
    if (!status) {
        status = create_simulation(w, error);
    }
    if (status) {
        atemi_walk_destroy(w);
        return status;
    }
    *walk = w;
    return ATEMI_OK;
}

void atemi_walk_destroy(atemi_walk *walk)
{
    if (walk) {
        atemi_arena arena = walk->arena;
        atemi_simulation_destroy(walk->simulation);
        atemi_walking_controller_destroy(walk->controller);
        atemi_arena_destroy(&arena);
    }
}

// ---- A tick ---------------------------------------------------------------------------------

static void sense(const atemi_walk *w, atemi_walking_senses *senses)
{
    senses->q = atemi_simulation_q(w->simulation);
    senses->v = atemi_simulation_v(w->simulation);
    for (int i = 0; i < ATEMI_WALKING_POINTS; ++i) {
        senses->touches[i] = atemi_simulation_mode(w->simulation, i) != ATEMI_CONTACT_OPEN;
        senses->forces[i] = atemi_simulation_force(w->simulation, i);
    }
}

static atemi_status lay_floor(atemi_walk *w, atemi_error *error)
{
    atemi_status status = ATEMI_OK;
    for (int i = 0; i < ATEMI_WALKING_POINTS && w->task.patch_count && !status; ++i) {
        const double x = atemi_simulation_position(w->simulation, i).x;
        const double friction = atemi_walk_task_friction(&w->task, x);
        status = atemi_point_friction_set(w->simulation, i, friction, friction, error);
    }
    return status;
}

static void watch_forces(atemi_walk *w)
{
    const double time = atemi_simulation_time(w->simulation);
    w->pushed =
        atemi_timed_forces_act(w->task.forces, w->task.force_count, time) ? time : w->pushed;
}

static void watch_slips(atemi_walk *w)
{
    const double time = atemi_simulation_time(w->simulation);
    for (int f = 0; f < ATEMI_FEET; ++f) {
        atemi_slip_watch *watch = &w->slips[f];
        const bool        ended = atemi_slip_watch_look(watch, w->simulation, f);
        if (watch->slides && fabs(watch->slip.distance) > long_slip) {
            w->slid = time;
        }
        if (ended) {
            ++w->summary.slips;
            w->summary.slip_time += watch->slip.duration;
            w->summary.slip_distance += fabs(watch->slip.distance);
        }
        if (ended && w->hooks.slip) {
            w->hooks.slip(w->hooks.context, &watch->slip);
        }
    }
}

static void count_steps(atemi_walk *w)
{
    const double              time = atemi_simulation_time(w->simulation);
    const atemi_walking_state state = atemi_walking_controller_state(w->controller);
    if (state.landings > w->summary.steps) {
        w->summary.distance = state.sole - w->first_sole;
        w->last_landing = time;
    }
    w->limited = state.limited > w->summary.limited ? time : w->limited;
    w->summary.steps = state.landings;
    w->summary.limited = state.limited;
    w->summary.time = time;
}

static atemi_fall_cause find_cause(const atemi_walk *w)
{
    const double since = w->summary.time - memory * w->task.controller.step_period;
    if (w->pushed > since) {
        return ATEMI_FALL_FORCE;
    }
    if (w->slid > since) {
        return ATEMI_FALL_SLIP;
    }
    return w->limited > since ? ATEMI_FALL_TORQUE : ATEMI_FALL_BALANCE;
}

static bool has_fallen(const atemi_walk *w)
{
    const double *q = atemi_simulation_q(w->simulation);
    return q[1] < lowest_hips * w->q[1] || fabs(q[2]) > lying;
}

// Whether the walk goes on.
static bool goes_on(atemi_walk *w)
{
    if (w->stopped || (w->hooks.tick && !w->hooks.tick(w->hooks.context, w))) {
        w->summary.end = ATEMI_WALK_STOPPED;
        return false;
    }
    if (has_fallen(w)) {
        w->summary.end = ATEMI_WALK_FELL;
        w->summary.cause = find_cause(w);
        return false;
    }
    if (w->summary.time - w->last_landing > patience * w->task.controller.step_period) {
        w->summary.end = ATEMI_WALK_STUCK;
        return false;
    }
    w->summary.end = ATEMI_WALK_DONE;
    return w->summary.steps < w->task.steps;
}

// A drive at its limit does not make up for the damping of its joint: that is to be followed.
static atemi_status advance(atemi_walk *w, double time, atemi_error *error)
{
    const bool   strained = atemi_walking_controller_state(w->controller).strain > near_limit;
    const double from = atemi_simulation_time(w->simulation);
    const int    parts = strained ? (int)ceil((time - from) / damped_step) : 1;
    atemi_status status = ATEMI_OK;
    for (int i = 1; i <= parts && !status && !w->stopped; ++i) {
        const double next = i < parts ? from + (time - from) * i / parts : time;
        status = atemi_simulation_run(w->simulation, next, error);
    }
    return status;
}

static atemi_status tick(atemi_walk *w, double time, atemi_error *error)
{
    atemi_status status = advance(w, time, error);
    if (w->stopped) {
        w->summary.time = atemi_simulation_time(w->simulation);
        return status;
    }
    if (!status) {
        watch_forces(w);
        atemi_walk_books_keep(&w->books, w->simulation);
        watch_slips(w);
        atemi_gait_watch_look(&w->gait, w->simulation);
        status = lay_floor(w, error);
    }
    if (!status) {
        atemi_walking_senses senses;
        sense(w, &senses);
        atemi_walking_controller_tick(w->controller, time, &senses);
        count_steps(w);
    }
    return status;
}

// ---- Walking --------------------------------------------------------------------------------

// The robot stands on both feet.
static atemi_status start(atemi_walk *w, atemi_error *error)
{
    atemi_walking_senses senses = {.q = w->q, .v = w->v, .touches = {true, true, true, true}};
    w->summary = (atemi_walk_summary){0};
    w->last_landing = 0.0;
    w->stopped = false;
    w->pushed = w->slid = w->limited = -INFINITY;
    memset(w->slips, 0, sizeof w->slips);
    atemi_walking_controller_posture(w->controller, w->q);
    atemi_walking_controller_tick(w->controller, 0.0, &senses);
    w->first_sole = atemi_walking_controller_state(w->controller).sole;
    atemi_status status = atemi_simulation_start(w->simulation, 0.0, w->q, w->v, error);
    if (!status) {
        status = lay_floor(w, error);
    }
    if (!status) {
        watch_forces(w);
        atemi_walk_books_open(&w->books, w->simulation);
        w->gait = atemi_gait_watch_start(w->simulation);
    }
    return status;
}

static void close_books(atemi_walk *w)
{
    const atemi_walk_errors errors = atemi_walk_books_close(&w->books, w->simulation);
    w->summary.momentum_error = errors.momentum;
    w->summary.energy_error = errors.energy;
}

atemi_status atemi_walk_run(atemi_walk *walk, atemi_error *error)
{
    ATEMI_REQUIRE_OR(walk, ATEMI_ERROR_CONTRACT);
    atemi_status status = start(walk, error);
    for (long i = 1; !status && goes_on(walk); ++i) {
        status = tick(walk, (double)i * walk->task.controller.tick, error);
    }
    close_books(walk);
    return status;
}

// ---- Telling --------------------------------------------------------------------------------

static double ratio(double a, double b)
{
    return b > 0.0 ? a / b : 0.0;
}

atemi_walk_summary atemi_walk_summary_get(const atemi_walk *walk)
{
    const atemi_simulation_statistics statistics =
        atemi_simulation_statistics_get(walk->simulation);
    const atemi_simulation_ledger ledger = atemi_simulation_ledger_get(walk->simulation);
    const atemi_walk_books       *books = &walk->books;
    atemi_walk_summary            s = walk->summary;
    const double                  weight =
        atemi_model_mass(walk->model) * atemi_vec3_norm(atemi_model_gravity(walk->model));
    s.step_length = ratio(s.distance, (double)s.steps);
    s.step_period = ratio(walk->last_landing, (double)s.steps);
    s.speed = ratio(s.distance, walk->last_landing);
    s.collisions = statistics.collisions;
    s.collision_loss = -ledger.collision_work;
    s.most_friction = books->most_friction;
    s.most_torque = books->most_torque;
    s.joint_work = ledger.torque_work;
    s.positive_work = books->positive_work;
    s.damping_loss = -ledger.friction_work;
    s.friction_loss = -ledger.contact_work;
    s.cost_of_transport = ratio(s.positive_work, weight * fabs(s.distance));
    return s;
}

const atemi_simulation *atemi_walk_simulation(const atemi_walk *walk)
{
    return walk->simulation;
}

const atemi_walking_controller *atemi_walk_controller(const atemi_walk *walk)
{
    return walk->controller;
}

const atemi_gait_watch *atemi_walk_gait(const atemi_walk *walk)
{
    return &walk->gait;
}
