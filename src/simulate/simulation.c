// SPDX-License-Identifier: Apache-2.0

#include "atemi/simulation.h"
#include "atemi/configuration.h"
#include "atemi/contract.h"
#include "contact/collision.h"
#include "contact/constrained_dynamics.h"
#include "simulate/adaptive.h"
#include "simulate/advance.h"
#include "simulate/energy_watch.h"
#include "simulate/events.h"
#include "simulate/inputs.h"
#include "simulate/ledger.h"
#include "simulate/step_limit.h"
#include "simulate/world.h"

#include <math.h>
#include <string.h>

atemi_simulation_options atemi_simulation_options_default(void)
{
    return (atemi_simulation_options){
        .step = 1e-3, .tolerance = 1e-9, .joint_friction = true, .slowest_bounce = 1e-3};
}

const char *atemi_event_kind_text(atemi_event_kind kind)
{
    static const char *const texts[] = {"touchdown", "lift-off", "slip", "stick", "rest", "jam"};
    ATEMI_REQUIRE_OR(kind <= ATEMI_EVENT_JAM, "");
    return texts[kind];
}

// Some ms of computing, as a rule; an event may take as long as many steps.
enum { STEPS_BETWEEN_QUESTIONS = 8 };

// ---- Memory ---------------------------------------------------------------------------------

static void take(atemi_arena *arena, atemi_simulation *s)
{
    const int points = s->point_count;
    const int nq = atemi_model_q_count(s->model), nv = atemi_model_v_count(s->model);
    s->surfaces = atemi_arena_array(arena, atemi_surface, s->surface_count);
    s->points = atemi_arena_array(arena, atemi_simulation_point, points);
    s->patches = atemi_arena_array(arena, int, points);
    s->modes = atemi_arena_array(arena, atemi_contact_mode, points);
    s->modes_before = atemi_arena_array(arena, atemi_contact_mode, points);
    s->modes_held = atemi_arena_array(arena, atemi_contact_mode, points);
    s->foreseen = atemi_arena_array(arena, bool, points);
    s->directed = atemi_arena_array(arena, bool, points);
    s->carries = atemi_arena_array(arena, bool, points);
    s->leads = atemi_arena_array(arena, atemi_vec3, points);
    s->rubs = atemi_arena_array(arena, double, points);
    s->ahead = atemi_arena_array(arena, atemi_vec3, points);
    s->ahead_forces = atemi_arena_array(arena, atemi_vec3, points);
    s->shares = atemi_arena_array(arena, atemi_vec3, points);
    s->slips = atemi_arena_array(arena, atemi_vec3, points);
    s->leaving = atemi_arena_array(arena, bool, points);
    s->signs = atemi_arena_array(arena, double, points);
    s->bounced = atemi_arena_array(arena, double, points);
    s->start_sightings = atemi_arena_array(arena, atemi_sighting, points);
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
    s->sticking_points = atemi_arena_array(arena, atemi_friction_point, points);
    s->sticking_index = atemi_arena_array(arena, int, points);
    s->friction_limit = atemi_friction_limit_scratch_take(arena, points);
    s->q = atemi_arena_array(arena, double, nq);
    s->start_q = atemi_arena_array(arena, double, nq);
    s->stage_q = atemi_arena_array(arena, double, nq);
    s->ahead_q = atemi_arena_array(arena, double, nq);
    double **of_v[] = {&s->v,      &s->a,       &s->applied, &s->tau,     &s->damped,
                       &s->rubbed, &s->start_v, &s->start_a, &s->stage_v, &s->ahead_v};
    for (size_t i = 0; i < sizeof of_v / sizeof of_v[0]; ++i) {
        *of_v[i] = atemi_arena_array(arena, double, nv);
    }
    double **of_conditions[] = {&s->whole, &s->broken, &s->margins, &s->kept_whole,
                                &s->kept_broken};
    for (size_t i = 0; i < sizeof of_conditions / sizeof of_conditions[0];
         ++i) { // at most as many patches as points
        *of_conditions[i] = atemi_arena_array(arena, double, 3 * points);
    }
    for (int i = 0; i < 4; ++i) {
        s->rates[i] = atemi_arena_array(arena, double, nq);
        s->pushes[i] = atemi_arena_array(arena, double, nv);
    }
    s->loads = atemi_arena_array(arena, atemi_force, atemi_model_link_count(s->model));
    s->pushed = atemi_arena_array(arena, atemi_force, atemi_model_link_count(s->model));
    s->kinematics = atemi_kinematics_take(arena, s->model);
    // A rigid point has three rows at most; the six of a whole patch are for three points or more.
    s->dynamics =
        atemi_constrained_dynamics_scratch_take_rows(arena, s->model, points, 3 * s->rigid_count);
    s->bump = atemi_collision_scratch_take_closed(arena, s->model, points, s->rigid_count);
    s->inverse = atemi_inverse_dynamics_scratch_take(arena, s->model);
}

// Round, tied and soft points are patches of their own.
static bool is_plain(const atemi_simulation_point *point)
{
    return point->radius == 0.0 && !point->tied && !point->compliance;
}

static bool is_same_patch(const atemi_simulation_point *a, const atemi_simulation_point *b)
{
    return is_plain(a) && is_plain(b) && a->link == b->link && a->surface == b->surface;
}

static void find_patches(atemi_simulation *s)
{
    for (int i = 0; i < s->point_count; ++i) {
        s->patches[i] = s->patch_count;
        for (int j = 0; j < i && s->patches[i] == s->patch_count; ++j) {
            if (is_same_patch(&s->points[j], &s->points[i])) {
                s->patches[i] = s->patches[j];
            }
        }
        s->patch_count += s->patches[i] == s->patch_count;
    }
}

static int rigid_count(const atemi_simulation_point *points, int count)
{
    int rigid = 0;
    for (int i = 0; i < count; ++i) {
        rigid += points[i].compliance == NULL;
    }
    return rigid;
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

static atemi_status check_surface(const atemi_model *model, const atemi_surface *surface, int index,
                                  atemi_error *error)
{
    const int links = atemi_model_link_count(model);
    if (surface->carried && (surface->link < 0 || surface->link >= links)) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "surface %d is carried by link %d, which does not exist: the model has "
                          "%d links",
                          index, surface->link, links);
    }
    return atemi_surface_check(surface, error);
}

// The largest rigid ball that may touch a surface.
static double largest_ball(const atemi_simulation_point *points, int point_count, int surface)
{
    double largest = 0.0;
    for (int i = 0; i < point_count; ++i) {
        if (points[i].surface == surface && !points[i].compliance) {
            largest = fmax(largest, points[i].radius);
        }
    }
    return largest;
}

static atemi_status check_carried(const atemi_surface *surface, const atemi_simulation_point *point,
                                  int index, atemi_error *error)
{
    if (surface->carried && (!point->compliance || point->tied)) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "contact point %d is %s, but its surface %d is carried by a link: only "
                          "soft points may touch it, so give the point a compliance",
                          index, point->tied ? "tied" : "rigid", point->surface);
    }
    if (surface->carried && surface->link == point->link) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "contact point %d is on link %d, which carries its surface %d: nothing "
                          "pushes itself",
                          index, point->link, point->surface);
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
    if (rigid_count(points, point_count) > ATEMI_CONTACT_MAX_COUNT) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "%d points touch rigid surfaces; give at most %d, or give some of them a "
                          "compliance",
                          rigid_count(points, point_count), ATEMI_CONTACT_MAX_COUNT);
    }
    atemi_status status = ATEMI_OK;
    for (int i = 0; i < surface_count && !status; ++i) {
        status = check_surface(model, &surfaces[i], i, error);
    }
    for (int i = 0; i < point_count && !status; ++i) {
        status = check_point(model, surface_count, &points[i], i, error);
        if (!status) {
            status = check_carried(&surfaces[points[i].surface], &points[i], i, error);
        }
    }
    for (int i = 0; i < surface_count && !status; ++i) {
        status =
            atemi_surface_check_ball(&surfaces[i], largest_ball(points, point_count, i), error);
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
                                           .point_count = point_count,
                                           .rigid_count = rigid_count(points, point_count)};
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
    for (int i = 0; i < surface_count; ++i) {
        s->surfaces[i] = surfaces[i];
    }
    for (int i = 0; i < point_count; ++i) {
        s->points[i] = points[i];
    }
    find_patches(s);
    atemi_configuration_neutral(model, s->q);
    if (s->options.integrator == ATEMI_INTEGRATOR_ADAPTIVE && atemi_adaptive_create(s, error)) {
        atemi_simulation_destroy(s);
        return ATEMI_ERROR_MEMORY;
    }
    *simulation = s;
    return ATEMI_OK;
}

void atemi_simulation_destroy(atemi_simulation *simulation)
{
    if (simulation) {
        atemi_arena arena = simulation->arena;
        atemi_adaptive_destroy(simulation->adaptive);
        atemi_arena_destroy(&arena);
    }
}

// ---- Starting -------------------------------------------------------------------------------

static atemi_status check_masses(atemi_simulation *s, atemi_error *error)
{
    atemi_mass_factor_update(s->model, s->q, &s->dynamics.factor);
    return atemi_mass_factor_check(s->model, &s->dynamics.factor, error);
}

atemi_status atemi_simulation_start(atemi_simulation *simulation, double time, const double *q,
                                    const double *v, atemi_error *error)
{
    ATEMI_REQUIRE_OR(simulation && q && v, ATEMI_ERROR_CONTRACT);
    atemi_simulation *s = simulation;
    memcpy(s->q, q, (size_t)atemi_model_q_count(s->model) * sizeof *q);
    memcpy(s->v, v, (size_t)atemi_model_v_count(s->model) * sizeof *v);
    s->time = s->start_time = s->limit = time;
    s->jump = (double)INFINITY;
    s->restless = s->jams = 0;
    s->shares_known = s->shares_used = false;
    s->statistics = (atemi_simulation_statistics){0};
    atemi_ledger_open(s);
    atemi_configuration_normalize(s->model, s->q);
    for (int i = 0; i < s->point_count; ++i) {
        s->modes[i] = ATEMI_CONTACT_OPEN;
        s->leaving[i] = false;
        s->signs[i] = 1.0;
        s->bounced[i] = -(double)INFINITY;
        s->ahead_forces[i] = (atemi_vec3){0.0, 0.0, 0.0};
    }
    atemi_status status = check_masses(s, error);
    if (!status) {
        status = atemi_step_limit_find(s, error);
    }
    if (status) {
        return status;
    }
    if (atemi_events_touch(s)) {
        return atemi_fail(error, ATEMI_ERROR_SINGULAR,
                          "at t = %.9g s, the start, the contacts jam or contradict each other",
                          s->time);
    }
    atemi_energy_watch_open(s);
    return ATEMI_OK;
}

static atemi_status renew(atemi_simulation *s, atemi_error *error)
{
    return atemi_inputs_renew(s)
               ? atemi_fail(error, ATEMI_ERROR_SINGULAR,
                            "at t = %.9g s, where torques or forces jump, the contacts jam or "
                            "contradict each other",
                            s->time)
               : ATEMI_OK;
}

static atemi_status begin_run(atemi_simulation *s, atemi_error *error)
{
    const atemi_status status = atemi_step_limit_begin(s, error);
    return status ? status : renew(s, error);
}

// Asks now and then whether anybody wants more.
static bool goes_on(atemi_simulation *s)
{
    const bool due = s->hooks.goes_on && ++s->unasked >= STEPS_BETWEEN_QUESTIONS;
    s->unasked = due ? 0 : s->unasked;
    return !due || s->hooks.goes_on(s->hooks.context);
}

atemi_status atemi_simulation_run(atemi_simulation *simulation, double time, atemi_error *error)
{
    ATEMI_REQUIRE_OR(simulation && isfinite(time), ATEMI_ERROR_CONTRACT);
    atemi_simulation *s = simulation;
    int               at_once = 0;
    atemi_status      status = s->time < time ? begin_run(s, error) : ATEMI_OK;
    while (s->time < time && !status && goes_on(s)) {
        atemi_inputs_look_ahead(s, time);
        status = atemi_advance(s, &at_once, error);
        if (!status && s->time >= s->jump) {
            status = renew(s, error);
        }
    }
    return status;
}

// ---- Telling --------------------------------------------------------------------------------

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
    if (atemi_world_evaluate(s, s->time, s->q, s->v, s->a)) {
        memset(wrenches, 0, (size_t)atemi_model_joint_count(s->model) * sizeof *wrenches);
        return;
    }
    atemi_contact_forces_add_in(s->model, &s->dynamics.bias.kinematics, s->contacts,
                                s->contact_forces, s->contact_count, s->loads);
    atemi_inverse_dynamics_in(s->model, s->q, s->v, s->a, s->loads, &s->inverse, s->stage_v);
    for (int j = 0; j < atemi_model_joint_count(s->model); ++j) {
        const bool moves = atemi_model_joint(s->model, j)->type != ATEMI_JOINT_FIXED;
        wrenches[j] = moves ? atemi_joint_wrench_in(s->model, &s->inverse, j) : (atemi_force){0};
    }
}

atemi_simulation_statistics atemi_simulation_statistics_get(const atemi_simulation *simulation)
{
    return simulation->statistics;
}
