// SPDX-License-Identifier: Apache-2.0

#include "atemi/biped.h"

#include "atemi/dynamics.h"
#include "atemi/kinematics.h"
#include "walk/biped/biped_map.h"
#include "walk/biped/biped_parts.h"

#include <math.h>
#include <string.h>

// A tick: look, decide on pressure, foothold and time, move the swinging foot's path on, and find
// the torques. The joints' viscous friction is made up for.

atemi_biped_options atemi_biped_options_default(void)
{
    return (atemi_biped_options){.tick = 0.001,
                                 .knee = 0.7,
                                 .forwards = 0.3,
                                 .step_time = 2.2,
                                 .double_support = 0.5,
                                 .starting = 4.0,
                                 .clearance = 0.08,
                                 .landing_speed = 0.04,
                                 .narrowest = 0.75,
                                 .longest = 0.8,
                                 .highest = 0.25,
                                 .correction = 0.05,
                                 .fastest = 0.7,
                                 .slowest = 1.3,
                                 .last_change = 0.3,
                                 .edge = 0.1,
                                 .friction = 0.5,
                                 .capture_rate = 1.0,
                                 .height_rate = 2.0,
                                 .trunk_rate = 3.0,
                                 .foot_rate = 6.0,
                                 .joint_rate = 3.0,
                                 .sole_rate = 5.0,
                                 .spin_rate = 1.0,
                                 .footsteps = 100};
}

// ---- Making one

static void take(atemi_arena *arena, atemi_biped *b)
{
    const int nv = atemi_model_v_count(b->model);
    b->posture = atemi_arena_array(arena, double, atemi_model_q_count(b->model));
    b->accelerations = atemi_arena_array(arena, double, nv);
    b->weights = atemi_arena_array(arena, double, nv);
    b->before = atemi_arena_array(arena, double, nv);
    b->friction = atemi_arena_array(arena, double, nv);
    b->gait.route.given = atemi_arena_array(arena, atemi_biped_footstep, b->options.footsteps);
    b->control = atemi_whole_body_control_take(arena, b->model, NULL);
}

static void set_gait(atemi_biped *b)
{
    const atemi_biped_options *o = &b->options;
    biped_gait                *g = &b->gait;
    const double               leg = b->leg, unit = sqrt(leg / b->gravity);
    b->time_unit = unit;
    g->forwards = o->forwards * leg;
    g->sideways = 0.5 * o->sideways * leg;
    g->turning = o->turning;
    g->step_time = o->step_time * unit;
    g->double_support = o->double_support * unit;
    g->starting = o->starting * unit;
    g->narrowest = o->narrowest;
    g->longest = o->longest * leg;
    g->fastest = o->fastest;
    g->slowest = o->slowest;
    g->last_change = o->last_change * unit;
    g->walks = true;
    g->stride = 1.0;
    biped_grip_start(&b->grip, o, unit, leg);
    g->duration = 0.0; // not begun
    for (int side = 0; side < ATEMI_SIDES; ++side) {
        const double y = side == ATEMI_SIDE_LEFT ? 0.5 * g->width : -0.5 * g->width;
        g->route.stands[side] =
            (biped_foothold){.side = side, .place = {b->ahead[side], y}, .height = (double)NAN};
    }
}

static atemi_status find_body(atemi_biped *b, const atemi_humanoid_options *parts,
                              atemi_error *error)
{
    atemi_arena arena = atemi_arena_measuring();
    atemi_humanoid_scratch_take(&arena, b->model);
    atemi_status status = atemi_arena_create(&arena, arena.used, error);
    if (!status) {
        status = biped_body_find(b, parts, atemi_humanoid_scratch_take(&arena, b->model), error);
        atemi_arena_destroy(&arena);
    }
    return status;
}

static atemi_status check(const atemi_model *model, const atemi_biped_options *o,
                          atemi_error *error)
{
    if (atemi_model_base(model) != ATEMI_BASE_FLOATING) {
        return atemi_fail(
            error, ATEMI_ERROR_INPUT,
            "'%s' has a base that is %s: walking in three dimensions needs a floating "
            "one",
            atemi_model_name(model), atemi_base_text(atemi_model_base(model)));
    }
    if (!(o->tick > 0.0 && o->step_time > o->double_support && o->double_support > 0.0 &&
          o->starting > 0.0 && o->friction > 0.0 && o->edge >= 0.0 && o->edge < 1.0 &&
          o->footsteps >= 0)) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "the gait makes no sense: tick, friction and times must be positive, the "
                          "double support shorter than the step, edge below 1, and footsteps not "
                          "negative");
    }
    return ATEMI_OK;
}

atemi_status atemi_biped_create(const atemi_model *model, const atemi_biped_options *options,
                                const atemi_humanoid_options *parts, atemi_biped **biped,
                                atemi_error *error)
{
    ATEMI_REQUIRE_OR(model && biped, ATEMI_ERROR_CONTRACT);
    *biped = NULL;
    atemi_biped  made = {.model = model,
                         .options = options ? *options : atemi_biped_options_default()};
    atemi_status status = check(model, &made.options, error);
    if (status) {
        return status;
    }
    atemi_arena arena = atemi_arena_measuring();
    atemi_arena_array(&arena, atemi_biped, 1);
    take(&arena, &made);
    if (atemi_arena_create(&arena, arena.used, error)) {
        return ATEMI_ERROR_MEMORY;
    }
    atemi_biped *b = atemi_arena_array(&arena, atemi_biped, 1);
    *b = made;
    take(&arena, b);
    b->arena = arena;
    b->gravity = atemi_vec3_norm(atemi_model_gravity(model));
    b->mass = atemi_model_mass(model);
    status = find_body(b, parts, error);
    if (status) {
        atemi_biped_destroy(b);
        return status;
    }
    set_gait(b);
    *biped = b;
    return ATEMI_OK;
}

void atemi_biped_destroy(atemi_biped *biped)
{
    if (biped) {
        atemi_arena arena = biped->arena;
        atemi_arena_destroy(&arena);
    }
}

void atemi_biped_posture(const atemi_biped *biped, double *q)
{
    ATEMI_REQUIRE(biped && q);
    memcpy(q, biped->posture, (size_t)atemi_model_q_count(biped->model) * sizeof *q);
}

const atemi_humanoid *atemi_biped_humanoid(const atemi_biped *biped)
{
    ATEMI_REQUIRE_OR(biped, NULL);
    return &biped->humanoid;
}

void atemi_biped_command(atemi_biped *biped, double forwards, double sideways, double turning)
{
    ATEMI_REQUIRE(biped);
    biped->gait.forwards = forwards * biped->leg;
    biped->gait.sideways = 0.5 * sideways * biped->leg;
    biped->gait.turning = turning;
}

void atemi_biped_walk_on(atemi_biped *biped, bool walk)
{
    ATEMI_REQUIRE(biped);
    biped->gait.walks = walk;
}

atemi_status atemi_biped_floor(atemi_biped *biped, const atemi_surface *floor, atemi_error *error)
{
    ATEMI_REQUIRE_OR(biped, ATEMI_ERROR_CONTRACT);
    if (floor && !biped_map_has_heights(floor)) {
        return atemi_fail(
            error, ATEMI_ERROR_INPUT,
            "a floor of this kind has no heights to look up; give a plane that is not "
            "upright, or a table of heights");
    }
    biped->gait.route.map = floor;
    return ATEMI_OK;
}

// ---- A tick

static biped_view look(const atemi_biped *b, const atemi_biped_senses *senses)
{
    const atemi_data *data = atemi_whole_body_data(b->control);
    biped_view view = {.center = atemi_center_of_mass(data), .momentum = atemi_momentum(data)};
    view.velocity = atemi_vec3_scale(1.0 / b->mass, view.momentum.linear);
    for (int f = 0; f < ATEMI_SIDES; ++f) {
        const int             link = b->humanoid.legs[f].end;
        const atemi_transform pose = atemi_link_pose(data, link);
        view.soles[f] = atemi_transform_compose(&pose, &b->places[f]);
        const atemi_vec3 arm = atemi_vec3_sub(view.soles[f].position, pose.position);
        view.motions[f] = atemi_motion_at(atemi_link_velocity(data, link), arm);
        view.forces[f] = senses->forces[f];
    }
    const double height = view.center.z - view.soles[b->gait.support].position.z;
    const bool   knows = b->rises || b->gait.route.count > 0; // then w is that of the plan
    view.rate = sqrt(b->gravity / (knows ? b->height : fmax(height, 0.3 * b->height)));
    view.capture = (floor_point){view.center.x + view.velocity.x / view.rate,
                                 view.center.y + view.velocity.y / view.rate};
    return view;
}

// What the program asks the soles for.
static void watch_grip(atemi_biped *b, const biped_view *view)
{
    atemi_force wrenches[ATEMI_SIDES] = {0};
    wrenches[b->gait.support] = atemi_whole_body_wrench(b->control, 0);
    if (b->gait.phase != ATEMI_BIPED_SWINGS) {
        wrenches[1 - b->gait.support] = atemi_whole_body_wrench(b->control, 1);
    }
    biped_grip_update(&b->grip, view, wrenches, b->mass * b->gravity, b->options.friction);
}

void atemi_biped_tick(atemi_biped *biped, const atemi_biped_senses *senses, double *tau)
{
    ATEMI_REQUIRE(biped && senses && senses->q && senses->v && tau);
    atemi_biped *b = biped;
    const int    nv = atemi_model_v_count(b->model);
    atemi_whole_body_begin(b->control, senses->q, senses->v);
    const biped_view view = look(b, senses);
    if (b->gait.duration == 0.0) {
        biped_gait_start(&b->gait, &view);
    }
    biped_gait_update(b, &view);
    biped_swing_update(b, &view);
    biped_tasks_add(b, &view, senses);
    if (atemi_whole_body_solve(b->control, b->before, &b->report)) {
        ++b->failures;
    }
    watch_grip(b, &view);
    b->effort = b->report.effort;
    for (int i = 0; i < atemi_model_joint_count(b->model); ++i) {
        const atemi_joint *joint = atemi_model_joint(b->model, i);
        for (int k = 0; k < joint->v_count; ++k) {
            b->friction[joint->first_v + k] = joint->damping * senses->v[joint->first_v + k];
        }
    }
    for (int i = 0; i < nv; ++i) {
        tau[i] = b->before[i] + b->friction[i];
    }
}

atemi_biped_state atemi_biped_state_get(const atemi_biped *biped)
{
    const biped_gait *g = &biped->gait;
    return (atemi_biped_state){.phase = g->phase,
                               .support = g->support,
                               .clock = g->clock,
                               .step_time = g->duration,
                               .landings = g->landings,
                               .capture = {g->capture.x, g->capture.y, biped->slope.height},
                               .pressure = {g->pressure.x, g->pressure.y, biped->slope.height},
                               .foothold = {g->foothold.x, g->foothold.y, biped->slope.height},
                               .friction = biped->grip.friction,
                               .confidence = biped->grip.confidence,
                               .slides = {biped->grip.soles[ATEMI_SIDE_RIGHT].slides,
                                          biped->grip.soles[ATEMI_SIDE_LEFT].slides},
                               .effort = biped->effort,
                               .failures = biped->failures,
                               .report = biped->report};
}
