// SPDX-License-Identifier: Apache-2.0

#include "atemi/simulation.h"
#include "atemi/configuration.h"
#include "atemi/contract.h"
#include "simulate/events.h"
#include "simulate/world.h"

#include <math.h>
#include <string.h>

// Between events the state obeys  dq/dt = rate(q, v),  dv/dt = a(t, q, v), the modes being fixed,
// and is advanced by the classical Runge-Kutta method of fourth order. A step at whose end a
// condition of the modes is broken is taken again, shorter and shorter, until the end is the
// instant at which it breaks. Then the modes change, and the next step begins there.

// Events are located to this, in s.
static const double event_accuracy = 1e-12;

enum { MOST_BISECTIONS = 80, MOST_EVENTS_AT_ONCE = 400 };

atemi_simulation_options atemi_simulation_options_default(void)
{
    return (atemi_simulation_options){
        .step = 1e-3, .tolerance = 1e-9, .joint_friction = true, .slowest_bounce = 1e-3};
}

const char *atemi_event_kind_text(atemi_event_kind kind)
{
    static const char *const texts[] = {"touchdown", "lift-off", "slip", "stick", "rest"};
    ATEMI_REQUIRE_OR(kind <= ATEMI_EVENT_REST, "");
    return texts[kind];
}

// ---- Memory ---------------------------------------------------------------------------------

static void take(atemi_arena *arena, atemi_simulation *s)
{
    const int points = s->point_count;
    const int nq = atemi_model_q_count(s->model), nv = atemi_model_v_count(s->model);
    s->surfaces = atemi_arena_array(arena, atemi_surface, s->surface_count);
    s->points = atemi_arena_array(arena, atemi_simulation_point, points);
    s->patches = atemi_arena_array(arena, int, points);
    s->modes = atemi_arena_array(arena, atemi_contact_mode, points);
    s->anchors = atemi_arena_array(arena, atemi_vec3, points);
    s->directions = atemi_arena_array(arena, atemi_vec3, points);
    s->sightings = atemi_arena_array(arena, atemi_sighting, points);
    s->forces = atemi_arena_array(arena, atemi_vec3, points);
    s->contacts = atemi_arena_array(arena, atemi_contact, points);
    s->contact_points = atemi_arena_array(arena, int, points);
    s->contact_forces = atemi_arena_array(arena, atemi_force, points);
    s->restitution = atemi_arena_array(arena, double, points);
    s->impulses = atemi_arena_array(arena, atemi_vec3, points);
    s->corners = atemi_arena_array(arena, atemi_vec3, 2 * points);
    s->q = atemi_arena_array(arena, double, nq);
    s->start_q = atemi_arena_array(arena, double, nq);
    s->stage_q = atemi_arena_array(arena, double, nq);
    double **of_v[] = {&s->v,       &s->a,       &s->applied, &s->tau,
                       &s->start_v, &s->start_a, &s->stage_v};
    for (size_t i = 0; i < sizeof of_v / sizeof of_v[0]; ++i) {
        *of_v[i] = atemi_arena_array(arena, double, nv);
    }
    for (int i = 0; i < 4; ++i) {
        s->rates[i] = atemi_arena_array(arena, double, nq);
        s->pushes[i] = atemi_arena_array(arena, double, nv);
    }
    s->pushes_on = atemi_arena_array(arena, atemi_force, atemi_model_link_count(s->model));
    s->kinematics = atemi_kinematics_take(arena, s->model);
    s->dynamics = atemi_constrained_dynamics_scratch_take(arena, s->model, points);
    s->bump = atemi_bump_scratch_take(arena, s->model, points);
    s->inverse = atemi_inverse_dynamics_scratch_take(arena, s->model);
}

// Points of one link on one surface have the same patch.
static void find_patches(atemi_simulation *s)
{
    for (int i = 0; i < s->point_count; ++i) {
        s->patches[i] = s->patch_count;
        for (int j = 0; j < i && s->patches[i] == s->patch_count; ++j) {
            if (s->points[j].link == s->points[i].link &&
                s->points[j].surface == s->points[i].surface) {
                s->patches[i] = s->patches[j];
            }
        }
        s->patch_count += s->patches[i] == s->patch_count;
    }
}

// ---- Checking -------------------------------------------------------------------------------

static bool is_passive(double x)
{
    return isfinite(x) && x >= 0.0;
}

static atemi_status check_point(const atemi_model *model, int surface_count,
                                const atemi_simulation_point *point, int index, atemi_error *error)
{
    if (point->link < 0 || point->link >= atemi_model_link_count(model) || point->surface < 0 ||
        point->surface >= surface_count) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "contact point %d is on link %d and surface %d, which do not both exist",
                          index, point->link, point->surface);
    }
    if (!is_passive(point->static_friction) || !is_passive(point->kinetic_friction) ||
        point->kinetic_friction > point->static_friction) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "contact point %d has static friction %g and kinetic friction %g; both "
                          "must be 0 or more, and the kinetic one not the larger",
                          index, point->static_friction, point->kinetic_friction);
    }
    if (!(point->restitution >= 0.0 && point->restitution <= 1.0)) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "contact point %d has restitution %g; give 0 to 1", index,
                          point->restitution);
    }
    return ATEMI_OK;
}

static atemi_status check(const atemi_model *model, const atemi_surface *surfaces,
                          int surface_count, const atemi_simulation_point *points, int point_count,
                          const atemi_simulation_options *options, atemi_error *error)
{
    if (!(options->step > 0.0) || !isfinite(options->step) ||
        !is_passive(options->slowest_bounce)) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "the step is %g s and the slowest bounce %g m/s; give a positive step",
                          options->step, options->slowest_bounce);
    }
    atemi_status status = ATEMI_OK;
    for (int i = 0; i < surface_count && !status; ++i) {
        status = atemi_surface_check(&surfaces[i], error);
    }
    for (int i = 0; i < point_count && !status; ++i) {
        status = check_point(model, surface_count, &points[i], i, error);
    }
    return status;
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
    const atemi_simulation_hooks   none = {0};
    atemi_simulation               made = {.model = model,
                                           .options = options ? *options : standard,
                                           .hooks = hooks ? *hooks : none,
                                           .surface_count = surface_count,
                                           .point_count = point_count};
    const atemi_status             checked =
        check(model, surfaces, surface_count, points, point_count, &made.options, error);
    if (checked) {
        return checked;
    }
    atemi_arena arena = atemi_arena_measuring();
    atemi_arena_array(&arena, atemi_simulation, 1);
    take(&arena, &made);
    if (atemi_arena_create(&arena, arena.used, error)) {
        return ATEMI_ERROR_MEMORY;
    }
    atemi_simulation *s = atemi_arena_array(&arena, atemi_simulation, 1);
    *s = made;
    take(&arena, s);
    s->arena = arena;
    memcpy(s->surfaces, surfaces, (size_t)surface_count * sizeof *surfaces);
    memcpy(s->points, points, (size_t)point_count * sizeof *points);
    find_patches(s);
    atemi_configuration_neutral(model, s->q);
    *simulation = s;
    return ATEMI_OK;
}

void atemi_simulation_destroy(atemi_simulation *simulation)
{
    if (simulation) {
        atemi_arena arena = simulation->arena;
        atemi_arena_destroy(&arena);
    }
}

// ---- Steps ----------------------------------------------------------------------------------

static void save_start(atemi_simulation *s)
{
    const size_t nq = (size_t)atemi_model_q_count(s->model) * sizeof *s->q;
    const size_t nv = (size_t)atemi_model_v_count(s->model) * sizeof *s->v;
    s->start_time = s->time;
    memcpy(s->start_q, s->q, nq);
    memcpy(s->start_v, s->v, nv);
    memcpy(s->start_a, s->a, nv);
}

// base + h rate
static void move(int n, const double *base, double h, const double *rate, double *to)
{
    for (int i = 0; i < n; ++i) {
        to[i] = base[i] + h * rate[i];
    }
}

static void combine(int n, const double *base, double h, double *const k[4], double *to)
{
    for (int i = 0; i < n; ++i) {
        to[i] = base[i] + h / 6.0 * (k[0][i] + 2.0 * (k[1][i] + k[2][i]) + k[3][i]);
    }
}

// From the start of the step to h after it, and what holds there.
static atemi_status step_to(atemi_simulation *s, double h)
{
    const int nq = atemi_model_q_count(s->model), nv = atemi_model_v_count(s->model);
    atemi_configuration_rate(s->model, s->start_q, s->start_v, s->rates[0]);
    memcpy(s->pushes[0], s->start_a, (size_t)nv * sizeof *s->a);
    atemi_status status = ATEMI_OK;
    for (int k = 1; k < 4 && !status; ++k) {
        const double part = k == 3 ? h : 0.5 * h;
        move(nq, s->start_q, part, s->rates[k - 1], s->stage_q);
        move(nv, s->start_v, part, s->pushes[k - 1], s->stage_v);
        atemi_configuration_rate(s->model, s->stage_q, s->stage_v, s->rates[k]);
        status =
            atemi_world_evaluate(s, s->start_time + part, s->stage_q, s->stage_v, s->pushes[k]);
    }
    if (status) {
        return status;
    }
    combine(nq, s->start_q, h, s->rates, s->q);
    combine(nv, s->start_v, h, s->pushes, s->v);
    atemi_configuration_normalize(s->model, s->q);
    s->time = s->start_time + h;
    return atemi_world_evaluate(s, s->time, s->q, s->v, s->a);
}

// Shortens the step until its end is where the first condition breaks.
static atemi_status locate(atemi_simulation *s, double h)
{
    double       whole = 0.0, broken = h;
    atemi_status status = ATEMI_OK;
    for (int i = 0; i < MOST_BISECTIONS && broken - whole > event_accuracy && !status; ++i) {
        const double middle = 0.5 * (whole + broken);
        status = step_to(s, middle);
        if (status || atemi_events_find(s).broken) {
            broken = middle;
        } else {
            whole = middle;
        }
        status = ATEMI_OK; // a step that cannot be made counts as broken
    }
    return step_to(s, broken);
}

static atemi_status fail_at_time(const atemi_simulation *s, const char *why, atemi_error *error)
{
    return atemi_fail(error, ATEMI_ERROR_SINGULAR, "at t = %.9g s %s", s->time, why);
}

static atemi_status advance(atemi_simulation *s, double h, int *at_once, atemi_error *error)
{
    save_start(s);
    atemi_status status = step_to(s, h);
    if (!status && !atemi_events_find(s).broken) {
        *at_once = 0;
        atemi_world_project(s);
        atemi_events_follow(s);
        status = atemi_world_evaluate(s, s->time, s->q, s->v, s->a);
    } else {
        status = locate(s, h);
        *at_once = s->time - s->start_time < 1e-10 ? *at_once + 1 : 0;
        if (!status) {
            status = atemi_events_handle(s);
        }
    }
    if (status) {
        return fail_at_time(s, "the contacts jam or contradict each other", error);
    }
    if (*at_once > MOST_EVENTS_AT_ONCE) {
        return fail_at_time(s, "the contacts change without end", error);
    }
    return ATEMI_OK;
}

atemi_status atemi_simulation_run(atemi_simulation *simulation, double time, atemi_error *error)
{
    ATEMI_REQUIRE_OR(simulation && isfinite(time), ATEMI_ERROR_CONTRACT);
    int          at_once = 0;
    atemi_status status = ATEMI_OK;
    while (simulation->time < time && !status) {
        const double left = time - simulation->time, step = simulation->options.step;
        // No sliver is left for a last step.
        status = advance(simulation, left < 1.0000001 * step ? left : step, &at_once, error);
    }
    return status;
}

atemi_status atemi_simulation_start(atemi_simulation *simulation, double time, const double *q,
                                    const double *v, atemi_error *error)
{
    ATEMI_REQUIRE_OR(simulation && q && v, ATEMI_ERROR_CONTRACT);
    atemi_simulation *s = simulation;
    memcpy(s->q, q, (size_t)atemi_model_q_count(s->model) * sizeof *q);
    memcpy(s->v, v, (size_t)atemi_model_v_count(s->model) * sizeof *v);
    s->time = s->start_time = time;
    s->statistics = (atemi_simulation_statistics){0};
    atemi_configuration_normalize(s->model, s->q);
    for (int i = 0; i < s->point_count; ++i) {
        s->modes[i] = ATEMI_CONTACT_OPEN;
    }
    if (atemi_events_touch(s)) {
        return fail_at_time(s, "no modes of the contacts are consistent", error);
    }
    return ATEMI_OK;
}

double atemi_simulation_time(const atemi_simulation *simulation)
{
    return simulation->time;
}

const double *atemi_simulation_q(const atemi_simulation *simulation)
{
    return simulation->q;
}

const double *atemi_simulation_v(const atemi_simulation *simulation)
{
    return simulation->v;
}

const double *atemi_simulation_a(const atemi_simulation *simulation)
{
    return simulation->a;
}

const double *atemi_simulation_tau(const atemi_simulation *simulation)
{
    return simulation->applied;
}

atemi_contact_mode atemi_simulation_mode(const atemi_simulation *simulation, int point)
{
    ATEMI_REQUIRE_OR(point >= 0 && point < simulation->point_count, ATEMI_CONTACT_OPEN);
    return simulation->modes[point];
}

atemi_vec3 atemi_simulation_force(const atemi_simulation *simulation, int point)
{
    const atemi_vec3 none = {0.0, 0.0, 0.0};
    ATEMI_REQUIRE_OR(point >= 0 && point < simulation->point_count, none);
    return simulation->forces[point];
}

atemi_vec3 atemi_simulation_position(const atemi_simulation *simulation, int point)
{
    const atemi_vec3 none = {0.0, 0.0, 0.0};
    ATEMI_REQUIRE_OR(point >= 0 && point < simulation->point_count, none);
    return simulation->sightings[point].position;
}

double atemi_simulation_gap(const atemi_simulation *simulation, int point)
{
    ATEMI_REQUIRE_OR(point >= 0 && point < simulation->point_count, 0.0);
    return simulation->sightings[point].view.gap;
}

void atemi_simulation_wrenches(atemi_simulation *simulation, atemi_force *wrenches)
{
    ATEMI_REQUIRE(simulation && wrenches);
    atemi_simulation *s = simulation;
    atemi_world_observe(s, s->q, s->v);
    atemi_contact_forces_add(s->model, &s->kinematics, s->contacts, s->contact_forces,
                             s->contact_count, s->pushes_on);
    atemi_inverse_dynamics(s->model, s->q, s->v, s->a, s->pushes_on, &s->inverse, s->stage_v);
    for (int j = 0; j < atemi_model_joint_count(s->model); ++j) {
        const bool moves = atemi_model_joint(s->model, j)->type != ATEMI_JOINT_FIXED;
        wrenches[j] = moves ? atemi_joint_wrench(s->model, &s->inverse, j) : (atemi_force){0};
    }
    atemi_world_evaluate(s, s->time, s->q, s->v, s->a);
}

atemi_simulation_statistics atemi_simulation_statistics_get(const atemi_simulation *simulation)
{
    return simulation->statistics;
}
