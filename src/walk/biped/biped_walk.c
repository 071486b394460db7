// SPDX-License-Identifier: Apache-2.0

#include "atemi/biped.h"

#include "walk/biped/biped_senses.h"

#include <math.h>
#include <string.h>

// Every tick: measure, decide, and run the simulation with the torques that arrive at the joints.

static const double low = 0.6;      // of the trunk's height at the start: below, it has fallen
static const double lying = 0.6;    // cosine of the trunk's lean, at least
static const double patience = 5.0; // step times without a landing
enum { CLOSING = 3 };               // of the steps, that bring it to rest

struct atemi_biped_walk {
    const atemi_model  *model;
    atemi_biped_task    task;
    atemi_biped_hooks   hooks;
    atemi_biped        *biped;
    atemi_simulation   *simulation;
    atemi_held_inputs   held;
    biped_senses        senses;
    double             *decided; ///< [v_count] torques
    atemi_arena         senses_arena;
    atemi_arena         arena;
    double             *q, *v; ///< where it starts
    atemi_vec3          start;
    double              trunk, last_landing, work;
    bool                lifted;
    atemi_biped_summary summary;
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

static double find_next_jump(void *context, double time)
{
    const atemi_biped_walk *w = (const atemi_biped_walk *)context;
    return atemi_timed_forces_next(w->task.forces, w->task.force_count, time);
}

static void place_points(const atemi_biped_walk *w, atemi_simulation_point *points)
{
    const atemi_humanoid *h = atemi_biped_humanoid(w->biped);
    for (int i = 0; i < ATEMI_BIPED_POINTS; ++i) {
        const int         side = i / ATEMI_SOLE_CORNERS, k = i % ATEMI_SOLE_CORNERS;
        const atemi_sole *sole = &h->soles[side];
        const atemi_vec3  corner = {(k == 0 || k == 3 ? 0.5 : -0.5) * sole->size_x,
                                    (k < 2 ? 0.5 : -0.5) * sole->size_y, 0.0};
        points[i] = (atemi_simulation_point){.link = h->legs[side].end,
                                             .point = atemi_transform_apply(&sole->pose, corner),
                                             .static_friction = w->task.friction,
                                             .kinetic_friction = w->task.friction};
    }
}

static atemi_status make_simulation(atemi_biped_walk *w, atemi_error *error)
{
    atemi_simulation_point   points[ATEMI_BIPED_POINTS];
    const atemi_surface      floor = atemi_surface_floor();
    atemi_simulation_options options = atemi_simulation_options_default();
    atemi_simulation_hooks   hooks = atemi_held_inputs_hooks(&w->held);
    w->held.also = (atemi_simulation_hooks){
        .external_forces = give_forces, .next_jump = find_next_jump, .context = w};
    options.method = ATEMI_METHOD_STEPS;
    options.step = w->task.step;
    options.joint_stops = true;
    options.effort_limits = true;
    place_points(w, points);
    return atemi_simulation_create(w->model, &floor, 1, points, ATEMI_BIPED_POINTS, &options,
                                   &hooks, &w->simulation, error);
}

static atemi_status make_senses(atemi_biped_walk *w, atemi_error *error)
{
    const atemi_humanoid *h = atemi_biped_humanoid(w->biped);
    const double          tick = w->task.controller.tick;
    atemi_arena           arena = atemi_arena_measuring();
    biped_senses_take(&arena, w->model, h, &w->task.faults, tick);
    atemi_arena_array(&arena, double, atemi_model_v_count(w->model));
    const atemi_status status = atemi_arena_create(&w->senses_arena, arena.used, error);
    if (!status) {
        w->senses = biped_senses_take(&w->senses_arena, w->model, h, &w->task.faults, tick);
        w->decided = atemi_arena_array(&w->senses_arena, double, atemi_model_v_count(w->model));
    }
    return status;
}

static void begin(atemi_biped_walk *w)
{
    biped_senses_start(&w->senses, w->q);
    w->start = (atemi_vec3){w->q[0], w->q[1], w->q[2]};
    w->trunk = w->q[2];
    w->summary = (atemi_biped_summary){.end = ATEMI_BIPED_STOPPED};
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
    if (atemi_arena_create(&arena, arena.used, error)) {
        return ATEMI_ERROR_MEMORY;
    }
    atemi_biped_walk *w = atemi_arena_array(&arena, atemi_biped_walk, 1);
    w->q = atemi_arena_array(&arena, double, atemi_model_q_count(model));
    w->v = atemi_arena_array(&arena, double, atemi_model_v_count(model));
    w->held = atemi_held_inputs_take(&arena, model);
    w->model = model;
    w->task = task ? *task : atemi_biped_task_default();
    w->hooks = hooks ? *hooks : (atemi_biped_hooks){0};
    w->arena = arena;
    atemi_status status = atemi_biped_create(model, &w->task.controller, parts, &w->biped, error);
    status = status ? status : make_simulation(w, error);
    status = status ? status : make_senses(w, error);
    if (!status) {
        atemi_biped_posture(w->biped, w->q);
        begin(w);
        status = atemi_simulation_start(w->simulation, 0.0, w->q, w->v, error);
    }
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

static bool has_fallen(const atemi_biped_walk *w)
{
    const double *q = atemi_simulation_q(w->simulation);
    const double  upright = 1.0 - 2.0 * (q[3] * q[3] + q[4] * q[4]); // z of the trunk's z
    return q[2] < low * w->trunk || upright < lying;
}

static void count(atemi_biped_walk *w, const atemi_biped_state *state)
{
    atemi_biped_summary *s = &w->summary;
    const double         time = atemi_simulation_time(w->simulation);
    const double *q = atemi_simulation_q(w->simulation), *v = atemi_simulation_v(w->simulation);
    if (!w->lifted && state->phase == ATEMI_BIPED_SWINGS) {
        w->lifted = true;
        w->last_landing = time - state->clock;
    }
    if (state->landings > s->steps) {
        w->last_landing = time;
    }
    s->steps = state->landings;
    s->time = time;
    s->distance = hypot(q[0] - w->start.x, q[1] - w->start.y);
    s->speed = time > 0.0 ? s->distance / time : 0.0;
    s->effort = fmax(s->effort, state->effort);
    s->failures = state->failures;
    for (int i = 6; i < atemi_model_v_count(w->model); ++i) {
        w->work += fmax(w->held.tau[i] * v[i], 0.0) * w->task.controller.tick;
    }
    s->cost_of_transport = w->work / (atemi_model_mass(w->model) * 9.81 * fmax(s->distance, 1e-9));
    ++s->ticks;
}

// Whether it goes on.
static bool judge(atemi_biped_walk *w, const atemi_biped_state *state)
{
    const double time = atemi_simulation_time(w->simulation);
    if (has_fallen(w)) {
        w->summary.end = ATEMI_BIPED_FELL;
        return false;
    }
    if (state->landings >= w->task.steps && state->phase == ATEMI_BIPED_STANDS) {
        w->summary.end = ATEMI_BIPED_DONE;
        return false;
    }
    if (w->lifted && state->phase != ATEMI_BIPED_STANDS &&
        time - w->last_landing > patience * state->step_time) {
        w->summary.end = ATEMI_BIPED_STUCK;
        return false;
    }
    return true;
}

atemi_status atemi_biped_walk_run(atemi_biped_walk *walk, atemi_error *error)
{
    ATEMI_REQUIRE_OR(walk, ATEMI_ERROR_CONTRACT);
    atemi_biped_walk *w = walk;
    for (bool goes_on = true; goes_on;) {
        const atemi_biped_senses senses = biped_senses_measure(&w->senses, w->simulation);
        atemi_biped_tick(w->biped, &senses, w->decided);
        biped_senses_drive(&w->senses, w->decided, w->held.tau);
        const double       time = atemi_simulation_time(w->simulation) + w->task.controller.tick;
        const atemi_status status = atemi_simulation_run(w->simulation, time, error);
        if (status) {
            return status;
        }
        const atemi_biped_state state = atemi_biped_state_get(w->biped);
        count(w, &state);
        atemi_biped_walk_on(w->biped, state.landings + CLOSING < w->task.steps);
        goes_on = judge(w, &state);
        if (goes_on && w->hooks.tick && !w->hooks.tick(w->hooks.context, w)) {
            return ATEMI_OK;
        }
    }
    return ATEMI_OK;
}

atemi_biped_summary atemi_biped_walk_summary_get(const atemi_biped_walk *walk)
{
    return walk->summary;
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
