// SPDX-License-Identifier: Apache-2.0

#include "walk/biped/biped_account.h"

#include "walk/biped/biped_floor.h"

#include <math.h>
#include <stddef.h>

// The trunk leans by the angle between its axis that was vertical at the start and the vertical.
// The cost of transport is the work of the drives where they push, over weight and distance.

static const double low = 0.6;        // of the trunk's height at the start: below, it has fallen
static const double lying = 0.6;      // cosine of the trunk's lean, at least
static const double memory = 3.0;     // step times in which the cause of a fall is sought
static const double long_slip = 0.05; // m, that a fall may come from
static const double strained = 0.999; // of an effort limit

// ---- The trunk

static atemi_mat3 trunk_of(const double *q)
{
    const atemi_quaternion o = {q[3], q[4], q[5], q[6]};
    return atemi_quaternion_matrix(o);
}

static double lowest_corner(const atemi_simulation *simulation)
{
    double z = INFINITY;
    for (int i = 0; i < ATEMI_BIPED_POINTS; ++i) {
        z = fmin(z, atemi_simulation_position(simulation, i).z);
    }
    return z;
}

static void look_at_trunk(biped_account *a, const atemi_simulation *simulation)
{
    const atemi_vec3     forwards = {1.0, 0.0, 0.0}, upwards = {0.0, 0.0, 1.0};
    const double        *q = atemi_simulation_q(simulation);
    const atemi_mat3     trunk = trunk_of(q);
    const atemi_vec3     ahead = atemi_mat3_apply_transposed(&a->upright, forwards);
    const atemi_vec3     axis = atemi_mat3_apply_transposed(&a->upright, upwards);
    const atemi_vec3     up = atemi_mat3_apply(&trunk, axis);
    const atemi_vec3     front = atemi_mat3_apply(&trunk, ahead);
    const double         heading = atan2(up.y, up.x) - atan2(front.y, front.x);
    atemi_biped_summary *s = &a->summary;
    s->place = (atemi_vec3){q[0], q[1], q[2]};
    s->lean = acos(fmin(fmax(up.z, -1.0), 1.0));
    s->lean_heading = remainder(heading, 2.0 * 3.14159265358979323846);
    a->above = q[2] - lowest_corner(simulation);
}

bool biped_account_has_fallen(const biped_account *account)
{
    return account->above < low * account->trunk || cos(account->summary.lean) < lying;
}

// ---- The feet

static double weight_of(const biped_account *a)
{
    return atemi_model_mass(a->model) * atemi_vec3_norm(atemi_model_gravity(a->model));
}

static bool is_on_ice(const atemi_biped_task *task, const atemi_point_state *corners)
{
    for (int i = 0; i < ATEMI_SOLE_CORNERS && task->patch_count > 0; ++i) {
        if (biped_floor_friction(task, corners[i].position) < task->friction) {
            return true;
        }
    }
    return false;
}

static void count_slip(biped_account *a, const atemi_sole_slip *slip)
{
    ++a->summary.slips;
    a->summary.slip_time += slip->duration;
    a->summary.slip_distance += slip->distance;
    if (a->hooks->slip) {
        a->hooks->slip(a->hooks->context, slip);
    }
}

static void watch_foot(biped_account *a, int foot, double time, const atemi_point_state *corners)
{
    sole_watch            *watch = &a->feet[foot];
    const atemi_sole_state was = watch->state;
    sole_surroundings      around = {.is_pushed = a->pushed == time};
    for (int i = 0; i < ATEMI_SOLE_CORNERS; ++i) {
        around.load += atemi_vec3_norm(corners[i].force) / weight_of(a);
    }
    around.is_on_ice = is_on_ice(a->task, corners);
    if (sole_watch_look(watch, foot, time, corners, &around)) {
        count_slip(a, &watch->slip);
    }
    if (watch->slip.distance > long_slip && watch->slip.start + watch->slip.duration == time) {
        a->slid = time;
    }
    a->changes[was][watch->state] += was != watch->state;
}

// Where the sole is that landed last, as long as both feet are on the floor.
static void keep_landing(biped_account *a, const atemi_biped_state *state,
                         const atemi_point_state *corners)
{
    const int i = (int)state->landings - 1;
    if (i < 0 || i >= a->task->footstep_count || state->phase == ATEMI_BIPED_SWINGS) {
        return;
    }
    const atemi_biped_footstep *step = &a->task->footsteps[i];
    const atemi_point_state    *c = corners + (ptrdiff_t)ATEMI_SOLE_CORNERS * step->side;
    const atemi_vec3            front = atemi_vec3_add(c[0].position, c[3].position);
    const atemi_vec3            back = atemi_vec3_add(c[1].position, c[2].position);
    const atemi_vec3            place = atemi_vec3_scale(0.25, atemi_vec3_add(front, back));
    const atemi_vec3            ahead = atemi_vec3_sub(front, back);
    a->landings[i] =
        (atemi_biped_landing){.landed = true,
                              .place = place,
                              .heading = atan2(ahead.y, ahead.x),
                              .error = hypot(place.x - step->place.x, place.y - step->place.y)};
}

static void watch_feet(biped_account *a, const atemi_simulation *simulation,
                       const atemi_biped_state *state)
{
    const double      time = atemi_simulation_time(simulation);
    atemi_point_state points[ATEMI_BIPED_POINTS];
    if (atemi_timed_forces_act(a->task->forces, a->task->force_count, time)) {
        a->pushed = time;
    }
    atemi_simulation_points_get(simulation, points);
    keep_landing(a, state, points);
    for (int f = 0; f < ATEMI_SIDES; ++f) {
        watch_foot(a, f, time, points + (ptrdiff_t)ATEMI_SOLE_CORNERS * f);
    }
}

// ---- All of it

void biped_account_open(biped_account *account, const atemi_simulation *simulation)
{
    atemi_point_state points[ATEMI_BIPED_POINTS];
    const double     *q = atemi_simulation_q(simulation);
    account->start = (atemi_vec3){q[0], q[1], q[2]};
    account->upright = trunk_of(q);
    account->pushed = account->slid = account->strained = -INFINITY;
    account->summary = (atemi_biped_summary){.end = ATEMI_BIPED_STOPPED};
    look_at_trunk(account, simulation);
    account->trunk = account->above;
    atemi_simulation_points_get(simulation, points);
    for (int f = 0; f < ATEMI_SIDES; ++f) {
        sole_watch_start(&account->feet[f], atemi_simulation_time(simulation),
                         points + (ptrdiff_t)ATEMI_SOLE_CORNERS * f);
    }
}

static void count_steps(biped_account *a, double time, const atemi_biped_state *state)
{
    if (!a->lifted && state->phase == ATEMI_BIPED_SWINGS) {
        a->lifted = true;
        a->last_landing = time - state->clock;
    }
    if (state->landings > a->summary.steps) {
        a->last_landing = time;
    }
    a->summary.steps = state->landings;
}

void biped_account_keep(biped_account *account, const atemi_simulation *simulation,
                        const atemi_biped_state *state, const double *tau)
{
    atemi_biped_summary *s = &account->summary;
    const double         time = atemi_simulation_time(simulation), tick = time - s->time;
    const double        *v = atemi_simulation_v(simulation);
    count_steps(account, time, state);
    look_at_trunk(account, simulation);
    s->time = time;
    s->distance = hypot(s->place.x - account->start.x, s->place.y - account->start.y);
    s->speed = time > 0.0 ? s->distance / time : 0.0;
    s->effort = fmax(s->effort, state->effort);
    s->failures = state->failures;
    account->strained = state->effort > strained ? time : account->strained;
    for (int i = 6; i < atemi_model_v_count(account->model); ++i) {
        account->work += fmax(tau[i] * v[i], 0.0) * tick;
    }
    s->cost_of_transport = account->work / (weight_of(account) * fmax(s->distance, 1e-9));
    ++s->ticks;
    watch_feet(account, simulation, state);
}

atemi_fall_cause biped_account_cause(const biped_account *account, const atemi_biped_state *state)
{
    const double since = account->summary.time - memory * state->step_time;
    if (account->pushed > since) {
        return ATEMI_FALL_FORCE;
    }
    if (account->slid > since) {
        return ATEMI_FALL_SLIP;
    }
    return account->strained > since ? ATEMI_FALL_TORQUE : ATEMI_FALL_BALANCE;
}
